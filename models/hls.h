/* A family's accelerator for one configuration, as its C source and a synthesis tool need it: sizes, types,
 * ports, directives and the conditions that hold among them. The family fills it in, emit/hls/ writes it down.
 *
 * Names are plain words in upper case without a prefix ("MAX_NODES"); a type's are in lower case ("p_t"). The
 * emitter puts the family's name in front: NYSX_MAX_NODES, nysx_p_t. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/status.h"
#include "models/loops.h"

#define DSE_HLS_TEXT_MAX 256   /* a name, condition or message, with its NUL */
#define DSE_HLS_SOURCES_MAX 16 /* files of an accelerator's source, with the NULL behind them */

/* A whole number that the source is written with. */
struct dse_hls_size {
    const char *name, *title;
    int64_t value;
    int64_t minimum; /* 1; 0 for a flag or a count that may be nothing */
};

/* A type of the C source. In C simulation it is a plain C type that holds `bits` bits. */
struct dse_hls_type {
    const char *name, *title;
    const char *c; /* "float", "uint16_t"; NULL for a word: a structure of bits / 32 parts of uint32_t */
    int64_t bits;  /* of the hardware's word */
};

enum dse_hls_directive_kind {
    DSE_HLS_PIPELINE,        /* target: a loop; number: the initiation interval */
    DSE_HLS_UNROLL,          /* target: a loop; number: the factor */
    DSE_HLS_LOOP_TRIPCOUNT,  /* target: a loop whose iterations differ from graph to graph; dse_hls_make puts them there */
    DSE_HLS_INLINE,          /* function: one that keeps a module of its own */
    DSE_HLS_ALLOCATION,      /* target: a function that all calls in `function` share one module of */
    DSE_HLS_DATAFLOW,        /* target: a loop, or NULL for the function itself */
    DSE_HLS_ARRAY_PARTITION, /* target: an array; number: the cyclic factor of `dimension`, 0 for complete, 1 for none */
    DSE_HLS_ARRAY_RESHAPE,   /* target: an array; all of `dimension` side by side in one word */
    DSE_HLS_AGGREGATE,       /* target: an array of structures, each of them one word */
    DSE_HLS_DEPENDENCE,      /* target: an array; what one iteration writes no later one reads from it, since the source
                              * hands it on itself */
    DSE_HLS_BIND_STORAGE,    /* target: a table of the model; word: "bram", "uram" or "lutram"; number: reads a cycle. Number 0: a
                              * memory that is written, two accesses a cycle of either kind; in LUTs a FIFO */
    DSE_HLS_STREAM,          /* target: an array that a dataflow region hands on; number: the depth of its FIFO */
    DSE_HLS_DIRECTIVE_COUNT
};

struct dse_hls_directive {
    enum dse_hls_directive_kind kind;
    const char *function, *target;
    int64_t number;
    const char *by; /* the size or knob macro that `number` is ("NEE_LANES"), or NULL where it has none */
    int dimension;
    const char *word;
    int64_t mean; /* of DSE_HLS_LOOP_TRIPCOUNT: iterations of a mean graph, where `number` has those of a large one */
};

/* A row of a family's table of directives; it holds for designs that have all bits of `when`. */
struct dse_hls_rule {
    unsigned when;
    bool varies; /* a loop that turns as often as a graph or a hop asks: LOOP_TRIPCOUNT too */
    struct dse_hls_directive directive;
};

/* Rows: a loop that starts an iteration every so many cycles, the same of one that varies, and the others by their kinds. */
#define DSE_HLS_EVERY(when, function, loop, cycles) {(when), false, {DSE_HLS_PIPELINE, (function), (loop), (cycles), NULL, 0, NULL, 0}}
#define DSE_HLS_LOOP(when, function, loop, cycles) {(when), true, {DSE_HLS_PIPELINE, (function), (loop), (cycles), NULL, 0, NULL, 0}}
#define DSE_HLS_UNROLLED(when, function, loop, factor, by) {(when), false, {DSE_HLS_UNROLL, (function), (loop), (factor), (by), 0, NULL, 0}}
#define DSE_HLS_CYCLIC(when, function, array, factor, by, dimension) \
    {(when), false, {DSE_HLS_ARRAY_PARTITION, (function), (array), (factor), (by), (dimension), NULL, 0}}
#define DSE_HLS_APART(when, function, array, dimension) DSE_HLS_CYCLIC(when, function, array, 0, NULL, dimension)
#define DSE_HLS_STREAMED(when, function, array, depth, by) {(when), false, {DSE_HLS_STREAM, (function), (array), (depth), (by), 0, NULL, 0}}
#define DSE_HLS_STORED(when, function, array, memory, reads) \
    {(when), false, {DSE_HLS_BIND_STORAGE, (function), (array), (reads), NULL, 0, (memory), 0}}
#define DSE_HLS_PLAIN(when, kind, function, target, dimension) {(when), false, {DSE_HLS_##kind, (function), (target), 0, NULL, (dimension), NULL, 0}}

/* A memory port of the top function: `count` pointers of one type, named `name`0, `name`1, … where `numbered`. */
struct dse_hls_port {
    const char *name, *title;
    const char *type;    /* of an element: "p_word_t" */
    bool writes;         /* else it is only read */
    bool reads_too;      /* with `writes`: the kernel reads there what an earlier part of it wrote */
    bool numbered;
    int64_t count;
    int64_t words;       /* elements behind one pointer: the depth for co-simulation */
    int64_t burst_words; /* the longest burst */
    int64_t outstanding; /* bursts in flight */
    int64_t step;        /* elements from the words of one slot of a ring to the next one's; 0 where all calls have the same */
    size_t memory;       /* the board's memory that it reads or writes, 0 the first */
};

/* A register of the control port, 32 bits, that the host writes before it starts the kernel. */
struct dse_hls_scalar {
    const char *name, *title;
};

/* A condition over the macros, with their prefix, that a header must meet where its design has all bits of `when`; `message` has
 * no quotes in it. */
struct dse_hls_check {
    unsigned when;
    const char *message, *condition;
};

/* Empty when zeroed; dse_hls_free releases it. */
struct dse_hls {
    const char *top;            /* the function that becomes the kernel */
    const char *const *sources; /* NULL-ended: its files in hls/ of the family's folder; NULL where none is written for this
                                 * configuration */
    const char *unwritten;      /* with `sources` NULL: why, or NULL where the family has none at all */
    const char *uncounted;      /* with `sources`: why the models' cycles are not those of this source, which no schedule of it is held to; or NULL */
    const char *bench;          /* the test bench beside them; NULL: test cases are calls of the kernel (executor/calls.h), and the bench and
                                 * the hosts that all such families share replay them (emit/templates/hls/) */
    const char *const *host;    /* NULL-ended: with `bench`, files there that hosts and the bench are built of; else NULL */
    const char *const *aliases; /* a knob each: the macro by which the source calls it, too, or NULL; NULL: none */
    bool chained;               /* hosts start it again before it has ended: ap_ctrl_chain */
    int64_t slots;              /* of a kernel that is called, where a launch has several items: descriptors of calls in its ring; else 0 */
    bool own_source;            /* the source is the user's: configurations for v++ and directives.tcl go with the header */
    struct dse_hls_size *sizes;
    struct dse_hls_type *types;
    struct dse_hls_directive *directives;
    struct dse_hls_port *ports;
    struct dse_hls_scalar *scalars; /* of a kernel that is called: its parameters behind the ports, in their order */
    struct dse_hls_check *checks;
    size_t size_count, type_count, directive_count, port_count, scalar_count, check_count;
    const void *layout;     /* the family's own description of the same, in the arena: what its executor packs a model for */
    struct dse_loops loops; /* what the models count of each pipelined loop */
    struct dse_arena arena;
};

/* Additions; texts are constant or in the arena, but for `format`, which is written out. A minimum is 1, or 0 for a flag.
 * Amortised O(1). */
void dse_hls_add_size(struct dse_hls *hls, int64_t value, int64_t minimum, const char *title, const char *name);
void dse_hls_add_type(struct dse_hls *hls, const char *name, const char *c, int64_t bits, const char *title);
void dse_hls_add_port(struct dse_hls *hls, const struct dse_hls_port *port);
/* A port of one pointer to the board's first memory, by bursts of up to 16 words. */
void dse_hls_add_memory(struct dse_hls *hls, const char *name, const char *title, const char *type, bool writes, int64_t words, int64_t outstanding);
void dse_hls_add_scalar(struct dse_hls *hls, const char *name, const char *title);
/* The rows of a table that hold where a design has the bits of `has`. */
void dse_hls_add_rules(struct dse_hls *hls, const struct dse_hls_rule *rules, size_t count, unsigned has);
void dse_hls_add_checks(struct dse_hls *hls, const struct dse_hls_check *checks, size_t count, unsigned has);
/* A text that lives as long as the description. */
const char *dse_hls_text(struct dse_hls *hls, const char *format, ...) DSE_PRINTF(2, 3);

/* Slots of a ring, half of which hold a launch of so many items with `calls` each: a power of two, 64 to DSE_RING_MOST. */
#define DSE_RING_MOST 4096
int64_t dse_ring_slots(int64_t batch, int64_t calls);

/* Describes the accelerator of a configuration (made canonical first) on a board. A kernel that is called takes a queue where its family
 * queues calls and a launch of the board's host has several items: `ring` is its last port, and its registers are the first slot and the number of calls. DSE_BAD_USAGE where the family
 * has none; DSE_ANSWER_NO, with the reason, for what cannot be written. */
enum dse_status dse_hls_make(const struct dse_setup *setup, const struct dse_config *config,
                             struct dse_hls *out, struct dse_error *err);

/* Bits of an element behind a port. O(types). */
int64_t dse_hls_bits(const struct dse_hls *hls, const struct dse_hls_port *port);

/* The size called `name`, or NULL. O(sizes). */
const struct dse_hls_size *dse_hls_find_size(const struct dse_hls *hls, const char *name);

void dse_hls_free(struct dse_hls *hls);
