/* A family's accelerator for one configuration, as its C source and a synthesis tool need it: sizes, types,
 * ports, directives and conditions on them. The family fills it in; emit/hls/ writes it out.
 *
 * Names are plain upper-case words without a prefix ("MAX_NODES"); type names are lower case ("p_t"). The
 * emitter prepends the family's name: NYSX_MAX_NODES, nysx_p_t. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/status.h"
#include "models/loops.h"

#define DSE_HLS_TEXT_MAX 256   /* a name, condition or message, with its NUL */
#define DSE_HLS_SOURCES_MAX 16 /* source files of an accelerator, with the terminating NULL */

/* An integer macro of the source. */
struct dse_hls_size {
    const char *name, *title;
    int64_t value;
    int64_t minimum; /* 1; 0 for a flag or a count that may be zero */
};

/* A type of the C source. In C simulation it is a plain C type that holds `bits` bits. */
struct dse_hls_type {
    const char *name, *title;
    const char *c; /* "float", "uint16_t"; NULL for a word: a structure of bits / 32 parts of uint32_t */
    int64_t bits;  /* width of the hardware's word */
};

enum dse_hls_directive_kind {
    DSE_HLS_PIPELINE,        /* target: a loop; number: the initiation interval */
    DSE_HLS_UNROLL,          /* target: a loop; number: the factor */
    DSE_HLS_LOOP_TRIPCOUNT,  /* target: a loop whose trip count depends on the graph; dse_hls_make adds it */
    DSE_HLS_INLINE,          /* function: keeps its own module */
    DSE_HLS_ALLOCATION,      /* target: a function; all calls in `function` share one module */
    DSE_HLS_DATAFLOW,        /* target: a loop, or NULL for the function itself */
    DSE_HLS_ARRAY_PARTITION, /* target: an array; number: the cyclic factor of `dimension`, 0 for complete, 1 for none */
    DSE_HLS_ARRAY_RESHAPE,   /* target: an array; all elements of `dimension` in one word */
    DSE_HLS_AGGREGATE,       /* target: an array of structures, one word each */
    DSE_HLS_DEPENDENCE,      /* target: an array; number: iterations from a write to the next read of the word. 0: no later iteration reads it,
                              * because the source forwards the value itself */
    DSE_HLS_BIND_STORAGE,    /* target: a table of the model; word: "bram", "uram" or "lutram"; number: reads per cycle. Number 0: a
                              * memory that is written, two accesses of either kind per cycle; in LUTs, a FIFO */
    DSE_HLS_STREAM,          /* target: an array between dataflow processes; number: the depth of its FIFO */
    DSE_HLS_DIRECTIVE_COUNT
};

struct dse_hls_directive {
    enum dse_hls_directive_kind kind;
    const char *function, *target;
    int64_t number;
    const char *by; /* size or knob macro of `number` ("NEE_LANES"), or NULL */
    int dimension;
    const char *word;
    int64_t mean; /* for DSE_HLS_LOOP_TRIPCOUNT: iterations for a mean graph; `number`: for a large graph */
};

/* A row of a family's directive table; applies to designs that have all bits of `when`. */
struct dse_hls_rule {
    unsigned when;
    bool varies; /* the trip count depends on the graph or hop: adds LOOP_TRIPCOUNT */
    struct dse_hls_directive directive;
};

/* Row constructors: a pipelined loop with an initiation interval, one with a varying trip count, and the other kinds. */
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

/* A memory port of the top function: `count` pointers of one type, numbered `name`0, `name`1, … if `numbered`. */
struct dse_hls_port {
    const char *name, *title;
    const char *type;    /* element type: "p_word_t" */
    bool writes;         /* otherwise read-only */
    bool reads_too;      /* with `writes`: the kernel reads back its earlier writes */
    bool numbered;
    int64_t count;
    int64_t words;       /* elements behind one pointer: the depth for co-simulation */
    int64_t burst_words; /* the longest burst */
    int64_t outstanding; /* bursts in flight */
    bool alone;          /* only of calls that no queue takes: no slot has words here */
    int64_t step;        /* elements between successive slots of a ring; 0 if all calls share the words */
    size_t memory;       /* index of the board memory, from 0 */
};

/* A 32-bit register of the control port, written by the host before it starts the kernel. */
struct dse_hls_scalar {
    const char *name, *title;
};

/* A condition over the prefixed macros that a header must meet if its design has all bits of `when`; `message` contains
 * no quotes. */
struct dse_hls_check {
    unsigned when;
    const char *message, *condition;
};

/* Zero-initialised is empty; dse_hls_free releases it. */
struct dse_hls {
    const char *top;            /* kernel function */
    const char *const *sources; /* NULL-terminated: files in hls/ of the family's folder; NULL if there is no source for this
                                 * configuration */
    const char *unwritten;      /* with `sources` NULL: the reason, or NULL if the family has no source at all */
    const char *bench;          /* its test bench; NULL: test cases are kernel calls (executor/calls.h), replayed by the bench and
                                 * hosts shared by such families (emit/templates/hls/) */
    const char *const *host;    /* NULL-terminated: with `bench`, files there that hosts and bench compile; otherwise NULL */
    const char *const *aliases; /* per knob: an additional macro name used by the source, or NULL; NULL: none */
    bool chained;               /* hosts restart it before it has ended: ap_ctrl_chain */
    int64_t slots;              /* for a called kernel with several items per launch: call descriptors in its ring; otherwise 0 */
    bool own_source;            /* the source is the user's: v++ configurations and directives.tcl accompany the header */
    struct dse_hls_size *sizes;
    struct dse_hls_type *types;
    struct dse_hls_directive *directives;
    struct dse_hls_port *ports;
    struct dse_hls_scalar *scalars; /* for a called kernel: its parameters after the ports, in order */
    struct dse_hls_check *checks;
    size_t size_count, type_count, directive_count, port_count, scalar_count, check_count;
    const void *layout;     /* the family's own description of the same design, in the arena: its executor packs a model for it */
    struct dse_loops loops; /* model counts of each pipelined loop */
    struct dse_arena arena;
};

/* Additions. Texts must be constant or in the arena; `format` is formatted at once. A minimum is 1, or 0 for a flag.
 * Amortised O(1). */
void dse_hls_add_size(struct dse_hls *hls, int64_t value, int64_t minimum, const char *title, const char *name);
void dse_hls_add_type(struct dse_hls *hls, const char *name, const char *c, int64_t bits, const char *title);
void dse_hls_add_port(struct dse_hls *hls, const struct dse_hls_port *port);
/* A port of one pointer to the board's first memory, with bursts of up to 16 words. */
void dse_hls_add_memory(struct dse_hls *hls, const char *name, const char *title, const char *type, bool writes, int64_t words, int64_t outstanding);
void dse_hls_add_scalar(struct dse_hls *hls, const char *name, const char *title);
/* Adds the rows of a table whose `when` bits are all in `has`. */
void dse_hls_add_rules(struct dse_hls *hls, const struct dse_hls_rule *rules, size_t count, unsigned has);
void dse_hls_add_checks(struct dse_hls *hls, const struct dse_hls_check *checks, size_t count, unsigned has);
/* Formats a text into the description's arena. */
const char *dse_hls_text(struct dse_hls *hls, const char *format, ...) DSE_PRINTF(2, 3);

/* Ring slots so that half a ring holds one launch of that many items with `calls` calls each: a power of two, 64 to DSE_RING_MOST. */
#define DSE_RING_MOST 4096
int64_t dse_ring_slots(int64_t batch, int64_t calls);

/* DSE_BAD_USAGE if the board's memory has room for a ring of fewer items per start than the models share a launch among; it says for how many. */
enum dse_status dse_ring_check(const struct dse_setup *setup, const struct dse_config *config, struct dse_error *err);

/* Describes the accelerator of a configuration (made canonical first) on a board. A called kernel gets a queue if its family queues calls
 * and the host launches several items. Its last port is then `ring`, and its registers are the first slot and the number of calls. DSE_BAD_USAGE
 * if the family has no source; DSE_ANSWER_NO, with the reason, if this configuration cannot be written. */
enum dse_status dse_hls_make(const struct dse_setup *setup, const struct dse_config *config,
                             struct dse_hls *out, struct dse_error *err);

/* Bits of an element behind a port. O(types). */
int64_t dse_hls_bits(const struct dse_hls *hls, const struct dse_hls_port *port);

/* Finds a size by name, or NULL. O(sizes). */
const struct dse_hls_size *dse_hls_find_size(const struct dse_hls *hls, const char *name);

void dse_hls_free(struct dse_hls *hls);
