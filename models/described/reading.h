/* Shared by the readers of a described family: the tree, errors at their place, formulas. */
#pragma once

#include "models/described/described.h"

struct dse_describing {
    const char *path;
    struct dse_described *out;
    struct dse_arena *arena; /* the description's */
    struct dse_error *err;
    struct dse_strbuf *problems; /* or NULL: reading ends at the first error */
    size_t problem_count;
    struct dse_error first; /* the first of `problems` */
    struct dse_symbol *symbols; /* symbol_count: those declared so far; room for symbol_room */
    size_t symbol_count, symbol_room;
    bool *used; /* per symbol: a formula reads it */
    struct dse_constant *constants;
    struct dse_quantity *quantities;
    struct dse_let *lets;
    const struct dse_yaml *block, *formula; /* being read, or NULL */
    bool reported; /* the formula is in a cycle with one above it, whose error names the cycle */
    struct dse_stage_names {
        const char **names;
        size_t count;
    } stages, engines;
};

/* Reports an error at a value, or at a member's key. */
enum dse_status dse_describing_reject(const struct dse_describing *d, const struct dse_yaml *node, const char *format, ...) DSE_PRINTF(3, 4);
enum dse_status dse_describing_reject_key(const struct dse_describing *d, const struct dse_yaml *node, const char *format, ...)
    DSE_PRINTF(3, 4);

/* Records an error and returns DSE_OK, so that later errors are found too; without `problems` returns the status unchanged. */
enum dse_status dse_describing_go_on(struct dse_describing *d, enum dse_status status);

/* DSE_BAD_INPUT if errors were recorded: later sections would only repeat them. */
enum dse_status dse_describing_settle(const struct dse_describing *d);

/* Reports a word outside a set: lists the set and the nearest word. `what` is "stage". */
enum dse_status dse_describing_reject_word(const struct dse_describing *d, const struct dse_yaml *node, bool key, const char *what,
                                           const char *const *allowed, size_t count);

/* As dse_describing_reject_word, for a knob that must have words. */
enum dse_status dse_describing_reject_knob(const struct dse_describing *d, const struct dse_yaml *node, bool key, const struct dse_knob *knobs, size_t count);

/* Checks that a node is a map with only these keys (NULL-terminated). */
enum dse_status dse_describing_map(const struct dse_describing *d, const struct dse_yaml *node, const char *what, const char *const *keys);

/* A member that is a map "of names and values"; without members if absent. */
enum dse_status dse_describing_members(const struct dse_describing *d, const struct dse_yaml *map, const char *key, const char *of,
                                       const struct dse_yaml **out);

/* Text of a scalar member; NULL if absent, which is an error if `needed`. */
enum dse_status dse_describing_text(const struct dse_describing *d, const struct dse_yaml *map, const char *key, bool needed, const char **out);

/* Index of a scalar member in a list of words (NULL-terminated), or −1. */
enum dse_status dse_describing_word(const struct dse_describing *d, const struct dse_yaml *map, const char *key, bool needed,
                                    const char *const *words, int *out);
enum dse_status dse_describing_index(const struct dse_describing *d, const struct dse_yaml *node, const char *what, const char *const *words,
                                     size_t count, int *out);

/* Why a formula cannot read a name that the file defines: a cycle, a later definition, another block; NULL if nothing defines it (names.c).
 * `absent` of struct dse_scope; `describing` is a struct dse_describing. */
const char *dse_describing_absent(void *describing, const char *name);

/* `source: report` names an entry of `sources`: returns its text, or NULL if none is named (names.c). */
enum dse_status dse_describing_source(const struct dse_describing *d, const struct dse_yaml *map, bool needed, const char **out);

/* Reads a yes-or-no member; `out` is unchanged if it is absent. */
enum dse_status dse_describing_yes(const struct dse_describing *d, const struct dse_yaml *map, const char *key, bool *out);

/* Reads a number without names ("14 cycles"); unit NULL: a count. `out` is unchanged if it is absent. */
enum dse_status dse_describing_number(const struct dse_describing *d, const struct dse_yaml *node, double *out, struct dse_unit *unit);

/* Compiles a formula over the symbols so far, of a sort and, for a number, a unit. Records the symbols that it reads. */
enum dse_status dse_describing_formula(struct dse_describing *d, const struct dse_yaml *node, enum dse_sort sort, struct dse_unit unit,
                                       const struct dse_code **out);

/* Compiles a formula of any sort but a word. */
enum dse_status dse_describing_any(struct dse_describing *d, const struct dse_yaml *node, const struct dse_code **out);

/* Declares a name: letters, digits, _ and dots, not yet in use. Returns the new symbol. */
enum dse_status dse_describing_declare(struct dse_describing *d, const struct dse_yaml *node, const char *name, struct dse_symbol **out);

/* Copies a temporary array into the arena. */
void *dse_describing_copy(struct dse_describing *d, const void *items, size_t count, size_t size);

/* Readers of the file's sections, in reading order. */
enum dse_status dse_describing_knobs(struct dse_describing *d);     /* knobs.c */
enum dse_status dse_describing_names(struct dse_describing *d);     /* names.c: sources, constants, workload, board, lets */
enum dse_status dse_describing_blocks(struct dse_describing *d);    /* blocks.c: stages, blocks, constraints */

enum dse_status dse_describing_unused(struct dse_describing *d);    /* blocks.c: reports names that no formula reads */
enum dse_status dse_describing_quality(struct dse_describing *d);   /* published.c */
enum dse_status dse_describing_published(struct dse_describing *d);
enum dse_status dse_describing_errors(struct dse_describing *d);
enum dse_status dse_describing_emit(struct dse_describing *d);      /* hls.c */

/* Fills a block's lets, knobs and memories with everything that some formulas need (blocks.c). */
void dse_describing_needs(struct dse_describing *d, const struct dse_code *const *codes, size_t count, struct dse_described_block *out);

/* Adds the table's quality to a profile of the family (published.c). */
enum dse_status dse_described_add_quality(const struct dse_described *d, struct dse_profile *profile, struct dse_error *err);

/* Reads one part of a block: `- loop: {…}` (parts.c). */
enum dse_status dse_describing_part(struct dse_describing *d, const struct dse_yaml *node, struct dse_part *out);

/* Splits a part's `arguments` into constant `values` and `varying` ones. */
void dse_describing_vary(struct dse_describing *d, struct dse_part *part);

/* Cycles and bytes of a block in one stage of the file. */
struct dse_own_stage {
    int64_t busy[DSE_CASE_COUNT], fill[DSE_CASE_COUNT], bytes[DSE_CASE_COUNT][DSE_MEMORY_MAX];
};

/* Inputs of a part's cost. */
struct dse_running {
    const struct dse_described *described;
    const struct dse_described_block *block;
    const struct dse_context *context;
    struct dse_build *build;
    struct dse_accumulators *out;
    struct dse_own_stage *stages; /* the file's stages if the family folds them, otherwise NULL */
    double *slots;
    enum dse_case first, last; /* cases to which cycles and bytes are added */
    bool timing;               /* only cycles and bytes: resources are already counted */
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
    double fallback; /* default of an optional argument; minimum of a required number that is constant */
    struct dse_unit unit;
    const char *const *words; /* allowed words; NULL-terminated */
    bool whole;               /* must be an integer */
};

struct dse_part_kind {
    const char *name, *meaning;
    struct dse_part_argument arguments[DSE_DESCRIBED_ARGUMENTS + 1]; /* terminated by one without a name */
    bool timed, named; /* counted per case; may have a name */
    void (*add)(struct dse_running *run, const struct dse_part *part, const double *arguments); /* adds its costs; a failure is stored in the build */
};

/* Rejects a fraction for a number that must be an integer, at its formula. */
enum dse_status dse_described_whole(const struct dse_part_argument *argument, const struct dse_code *code, double value, struct dse_error *err);

extern const struct dse_part_kind dse_part_kinds[]; /* terminated by one without a name */
