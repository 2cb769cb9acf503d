/* A family that a file describes: its knobs, stages and blocks in YAML, its costs in formulas (space/expression.h).
 *
 * docs/reference/described.md is the language. A file becomes a struct dse_model_family whose blocks share one cost model: it evaluates the block's
 * formulas over slots (knobs, workload, constants, board, named expressions) and hands every part to the build kit (models/build.h). The
 * knobs that a block reads are those that its formulas name, so that a block's cost cannot depend on any other. */
#pragma once

#include "core/arena.h"
#include "core/yaml.h"
#include "models/build.h"
#include "space/expression.h"

#define DSE_DESCRIBED_BYTES ((size_t)4 << 20) /* of a file */
#define DSE_DESCRIBED_ROWS ((uint64_t)1 << 24) /* of a block's table: what its knobs' values make together */
#define DSE_DESCRIBED_JOINED 65536            /* of the table that blocks of one stage have together, beyond the stages for which a search has room */
#define DSE_DESCRIBED_ARGUMENTS 9             /* of a part */
#define DSE_DESCRIBED_OF_MEMORY 8             /* names of a memory of the board */
#define DSE_DESCRIBED_STAGES 512              /* of a file */

/* A number that the file states with its evidence. */
struct dse_constant {
    const char *name, *source; /* source: its words, or NULL */
    double value, low, high;
    struct dse_unit unit;
    enum dse_level level;
    int fitted; /* its index among the family's fitted constants, or −1 */
};

/* A number of the workload: a scalar series, or the mean and the 99th percentile of one with an item a row. */
struct dse_quantity {
    const char *name, *series, *title;
    double least, most, fallback; /* fallback: NaN where the file gives none */
};

/* A named expression, with all that it depends on. */
struct dse_let {
    const char *name;
    const struct dse_code *code;
    dse_knob_set knobs; /* that it depends on */
    bool plain;         /* and else on the workload alone: it may be remembered */
};

struct dse_part_kind;

/* An argument of a part: a formula, or a value that is the same for every design (a word's index, a stage). */
struct dse_argument {
    const struct dse_code *code; /* or NULL */
    double value;
    int knob;                    /* of a type that a word knob decides, else −1 */
    const double *by_word;       /* its value for each of the knob's words */
    size_t index;                /* in the part */
};

struct dse_part {
    const struct dse_part_kind *kind;
    const struct dse_code *when;        /* NULL: always */
    const struct dse_code *first, *last; /* of `for`, or NULL: once */
    const double *values;               /* of its arguments; of those that vary, nothing */
    const struct dse_argument *varying; /* varying_count: those that a design may change, or that are wrong in each */
    size_t varying_count;
    size_t slot;                        /* of its result: a let's value, an operator's latency */
    size_t variable;                    /* the slot of `for` */
    bool when_turns;                    /* `when` reads the variable of `for` */
    struct dse_argument arguments[DSE_DESCRIBED_ARGUMENTS];
    const char *label;                  /* or NULL */
    const char *text;                   /* why it is required; the source of raw amounts */
    double low, high;                   /* of raw amounts */
    long line, column;
};

struct dse_described_block {
    const char *name;
    const struct dse_described_block *next; /* of the same block of the family, or NULL */
    const struct dse_symbol *symbols; /* symbol_count: the family's, then the block's own */
    size_t symbol_count;
    const struct dse_code *when, *working; /* or NULL */
    const struct dse_part *parts;          /* part_count */
    size_t part_count;
    const size_t *lets;                    /* let_count: those that it needs, in their order */
    size_t let_count;
    const size_t *knobs, *quantities, *constants; /* knob_count, quantity_count, constant_count: those that formulas name, ascending */
    size_t knob_count, quantity_count, constant_count;
    unsigned memories;                     /* of the board, a bit each, that formulas name */
    const size_t *stages;                  /* stage_count of the file's: those in which it has cycles or bytes */
    size_t stage_count;
    long line;
};

/* A published case: a design, its workload as --workload takes it (NULL: the file's), and what is stated of it; NaN: nothing. */
struct dse_described_case {
    const char *name, *source, *board; /* board: NULL: the family's */
    const char *workload;
    struct dse_config config;
    double stated[DSE_METRIC_COUNT];
};

struct dse_described {
    struct dse_arena arena;
    struct dse_model_family family;
    struct dse_knobs knobs;
    struct dse_yaml root; /* the file as a tree: what emission, calibration and published cases read */
    uint64_t hash;        /* XXH3 of the content */
    uint64_t turn;        /* when it was asked for last */
    const struct dse_symbol *symbols; /* symbol_count: knobs, quantities (each with its most), constants, board, lets */
    size_t symbol_count;
    size_t first_quantity, first_constant, first_board, first_let;
    const char *const *macros;        /* a knob each, or NULL */
    const struct dse_described_emit *emit; /* hls.c; NULL: the file says nothing of a source */
    const struct dse_quantity *quantities;
    size_t quantity_count;
    const struct dse_constant *constants;
    size_t constant_count;
    const struct dse_let *lets;
    size_t let_count;
    const struct dse_described_block *const *blocks; /* the family's block_count: the first of each */
    const struct dse_code *items, *parts; /* or NULL */
    const char *const *stages; /* stage_count, as the file names them */
    size_t stage_count;
    const uint8_t *places;     /* of each among the family's stages; DSE_STAGE_APART: in the last */
    const bool *alone;         /* of each: at most one block has cycles or bytes in it */
    size_t engine_count;       /* that the file names, of which reports show DSE_ENGINE_MAX at most, the last as `others` */
    bool folded;               /* cost models merge stages: there are too many, or a pipeline needs the longest */
    const struct dse_described_quality *quality; /* published.c; NULL: the file has none */
    const struct dse_described_case *cases;      /* case_count */
    size_t case_count;
};

/* The rows of a block's table: the configurations of the knobs that it reads. Saturates. */
uint64_t dse_described_rows(const struct dse_model_family *family, size_t block);

/* The description of a family, or NULL of one in C. */
const struct dse_described *dse_described_of(const struct dse_model_family *family);

/* Opens a file (models/model.h); reads a text under a file's name. Both keep what they read for the rest of the program: the same text
 * gives the same family. DSE_BAD_INPUT names file, line, column, what is allowed and the nearest word. */
enum dse_status dse_described_open(const char *path, const struct dse_model_family **out, struct dse_error *err);
enum dse_status dse_described_read(const char *path, const char *text, const struct dse_model_family **out, struct dse_error *err);

/* Opens a file as dse_described_open does, but goes on behind an error to the next knob, quantity, constant, expression, part, constraint
 * or case. A section that has errors ends the reading, so that no error is a consequence of another. `problems` takes the errors, each with
 * its caret and a final newline, in the order of reading; `err` is the first, and says how many more there are. */
enum dse_status dse_described_check(const char *path, const struct dse_model_family **out, struct dse_strbuf *problems, struct dse_error *err);

/* Opens the board that a family names. Where a file does, the error is DSE_BAD_INPUT at its place. */
enum dse_status dse_described_board(const struct dse_model_family *family, struct dse_board **out, struct dse_error *err);

const struct dse_model_family *dse_described_latest(const char *path);

/* Releases every family that was opened; nothing may use one any more. */
void dse_described_close(void);

/* A formula that a block's cost evaluated: of a part, or, without one, a named expression. Lent for the call. */
struct dse_traced {
    const struct dse_part *part;   /* or NULL */
    const char *kind, *name;       /* "loop", "trips"; "let", "steps" */
    const struct dse_code *code;   /* NULL: a word or number of the file, `text` */
    const char *text;              /* "rows * steps", or the word */
    const char *numbers;           /* "1024 * 128" */
    double value;
};
typedef void dse_tracer(void *user, const struct dse_traced *traced);

/* The cost of block `index`, telling every formula that it evaluates for the mean workload, in order. */
enum dse_status dse_described_trace(const struct dse_model_family *family, size_t index, const struct dse_context *context,
                                    const struct dse_config *config, dse_tracer *tracer, void *user, struct dse_error *err);

/* ---- within the folder ---- */

struct dse_describing; /* a file that is being read */

/* A workload as formulas read it: mean, tail and maximum of each quantity. */
struct dse_described_work {
    uint64_t serial; /* no other prepared workload has it */
    bool varies; /* a tail differs from its mean */
    double values[][DSE_CASE_COUNT + 1];
};

/* The slots of a configuration without the block's own: `slots` has room for the block's symbols. */
enum dse_status dse_described_slots(const struct dse_described *described, const struct dse_described_block *block,
                                    const struct dse_context *context, const struct dse_config *config, enum dse_case which, double *slots,
                                    struct dse_error *err);

dse_cost_model dse_described_cost;

/* struct dse_model_family's `locate`. */
void dse_described_locate(const struct dse_context *context, const struct dse_config *config, const char *what, struct dse_error *err);
