/* Shared by the readers of a described family: the tree, errors at their place, formulas. */
#pragma once

#include "models/described/described.h"

struct dse_describing {
    const char *path;
    struct dse_described *out;
    struct dse_arena *arena; /* the description's */
    struct dse_error *err;
    struct dse_strbuf *problems; /* or NULL: the first error ends the reading */
    size_t problem_count;
    struct dse_error first; /* of them */
    struct dse_symbol *symbols; /* symbol_count: those so far; room for symbol_room */
    size_t symbol_count, symbol_room;
    bool *used; /* a symbol each: some formula reads it */
    struct dse_constant *constants;
    struct dse_quantity *quantities;
    struct dse_let *lets;
    struct dse_stage_names {
        const char **names;
        size_t count;
    } stages, engines;
};

/* An error at a value, or at a member's key. */
enum dse_status dse_describing_refuse(const struct dse_describing *d, const struct dse_yaml *node, const char *format, ...) DSE_PRINTF(3, 4);
enum dse_status dse_describing_refuse_key(const struct dse_describing *d, const struct dse_yaml *node, const char *format, ...)
    DSE_PRINTF(3, 4);

/* Notes an error and returns DSE_OK, so that errors behind it are found, too; without `problems` returns the status as it is. */
enum dse_status dse_describing_go_on(struct dse_describing *d, enum dse_status status);

/* DSE_BAD_INPUT where errors were noted: what follows would only repeat them. */
enum dse_status dse_describing_settle(const struct dse_describing *d);

/* The same for a word that is none of some: says which there are, and the nearest. `what` is "stage". */
enum dse_status dse_describing_refuse_word(const struct dse_describing *d, const struct dse_yaml *node, bool key, const char *what,
                                           const char *const *allowed, size_t count);

/* That a node is a map of these keys (NULL-ended) alone. */
enum dse_status dse_describing_map(const struct dse_describing *d, const struct dse_yaml *node, const char *what, const char *const *keys);

/* A member that is a map "of names and values"; without members where it is not there. */
enum dse_status dse_describing_members(const struct dse_describing *d, const struct dse_yaml *map, const char *key, const char *of,
                                       const struct dse_yaml **out);

/* The text of a scalar member; NULL where it is not there, which `needed` rejects. */
enum dse_status dse_describing_text(const struct dse_describing *d, const struct dse_yaml *map, const char *key, bool needed, const char **out);

/* The same as one of some words (NULL-ended): its index, or −1. */
enum dse_status dse_describing_word(const struct dse_describing *d, const struct dse_yaml *map, const char *key, bool needed,
                                    const char *const *words, int *out);
enum dse_status dse_describing_index(const struct dse_describing *d, const struct dse_yaml *node, const char *what, const char *const *words,
                                     size_t count, int *out);

/* `source: report` names an entry of `sources`: its text, or NULL where none is named (names.c). */
enum dse_status dse_describing_source(const struct dse_describing *d, const struct dse_yaml *map, bool needed, const char **out);

/* Whether a member says yes or no; `out` stays where it is not there. */
enum dse_status dse_describing_yes(const struct dse_describing *d, const struct dse_yaml *map, const char *key, bool *out);

/* A number without names ("14 cycles"); its unit may be NULL where it has to be a count. `out` stays where it is not there. */
enum dse_status dse_describing_number(const struct dse_describing *d, const struct dse_yaml *node, double *out, struct dse_unit *unit);

/* A formula over the symbols so far, of a sort and, of a number, a unit. Notes what it reads. */
enum dse_status dse_describing_formula(struct dse_describing *d, const struct dse_yaml *node, enum dse_sort sort, struct dse_unit unit,
                                       const struct dse_code **out);

/* The same of any sort but a word. */
enum dse_status dse_describing_any(struct dse_describing *d, const struct dse_yaml *node, const struct dse_code **out);

/* A name of the file's own: letters, digits, _ and dots; and it is none that there is. Returns the new symbol. */
enum dse_status dse_describing_declare(struct dse_describing *d, const struct dse_yaml *node, const char *name, struct dse_symbol **out);

/* Copies of arrays that were grown elsewhere. */
void *dse_describing_copy(struct dse_describing *d, const void *items, size_t count, size_t size);

/* The sections of the file, in the order in which they are read. */
enum dse_status dse_describing_knobs(struct dse_describing *d);     /* knobs.c */
enum dse_status dse_describing_names(struct dse_describing *d);     /* names.c: sources, constants, workload, board, lets */
enum dse_status dse_describing_blocks(struct dse_describing *d);    /* blocks.c: stages, blocks, constraints */

enum dse_status dse_describing_unused(struct dse_describing *d);    /* blocks.c: what no formula reads */
enum dse_status dse_describing_quality(struct dse_describing *d);   /* published.c */
enum dse_status dse_describing_published(struct dse_describing *d);
enum dse_status dse_describing_errors(struct dse_describing *d);
enum dse_status dse_describing_emit(struct dse_describing *d);      /* hls.c */

/* Fills a block's lets, knobs and memories with all that some formulas need (blocks.c). */
void dse_describing_needs(struct dse_describing *d, const struct dse_code *const *codes, size_t count, struct dse_described_block *out);

/* Adds the table's quality to a profile of the family (published.c). */
enum dse_status dse_described_add_quality(const struct dse_described *d, struct dse_profile *profile, struct dse_error *err);

/* One part of a block: `- loop: {…}` (parts.c). */
enum dse_status dse_describing_part(struct dse_describing *d, const struct dse_yaml *node, struct dse_part *out);

/* Tells a part's arguments that vary from those that do not: `values` and `varying`, from `arguments`. */
void dse_describing_vary(struct dse_describing *d, struct dse_part *part);

/* Cycles and bytes of a block in one stage of the file. */
struct dse_own_stage {
    int64_t busy[DSE_CASE_COUNT], fill[DSE_CASE_COUNT], bytes[DSE_CASE_COUNT][DSE_MEMORY_MAX];
};

/* Input of a part's cost. */
struct dse_running {
    const struct dse_described *described;
    const struct dse_described_block *block;
    const struct dse_context *context;
    struct dse_build *build;
    struct dse_accumulators *out;
    struct dse_own_stage *stages; /* the file's, where the family folds them, else NULL */
    double *slots;
    enum dse_case first, last; /* the cases that cycles and bytes are for */
    bool timing;               /* alone: resources are there already */
    dse_tracer *tracer;        /* or NULL */
    void *user;
};

/* A kind of part: `loop`, `operator`, … */
enum dse_argument_kind {
    DSE_ARGUMENT_NUMBER, DSE_ARGUMENT_CONDITION, DSE_ARGUMENT_STAGE, DSE_ARGUMENT_MEMORY, DSE_ARGUMENT_WORD, DSE_ARGUMENT_TYPE, DSE_ARGUMENT_ANY
};

struct dse_part_argument {
    const char *name, *meaning;
    enum dse_argument_kind kind;
    bool needed;
    double fallback; /* of an argument that is not given; the minimum of a needed number that is constant */
    struct dse_unit unit;
    const char *const *words; /* of a word; NULL-ended */
    bool whole;               /* a number of things: no part of one */
};

struct dse_part_kind {
    const char *name, *meaning;
    struct dse_part_argument arguments[DSE_DESCRIBED_ARGUMENTS + 1]; /* ended by one without a name */
    bool timed, named; /* it counts for each case; it may have a name */
    void (*add)(struct dse_running *run, const struct dse_part *part, const double *arguments); /* a failure goes into the build */
};

/* Refuses a part of a thing where a number of things is asked for, at its formula. */
enum dse_status dse_described_whole(const struct dse_part_argument *argument, const struct dse_code *code, double value, struct dse_error *err);

extern const struct dse_part_kind dse_part_kinds[]; /* ended by one without a name */
