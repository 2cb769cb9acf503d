/* A family described by a file: its knobs, stages and blocks in YAML, its costs in formulas (space/expression.h).
 *
 * docs/reference/described.md defines the language. A file becomes a struct dse_model_family whose blocks share one cost model. The model evaluates
 * a block's formulas over slots (knobs, workload, constants, board, named expressions), and adds every part by models/build.h. A block reads
 * exactly the knobs that its formulas name, so its cost cannot depend on any other. */
#pragma once

#include "core/arena.h"
#include "core/yaml.h"
#include "models/build.h"
#include "space/expression.h"

#define DSE_DESCRIBED_BYTES ((size_t)4 << 20) /* size of a file */
#define DSE_DESCRIBED_ROWS ((uint64_t)1 << 24) /* rows of a block's table: combinations of its knobs' values */
#define DSE_DESCRIBED_JOINED 65536            /* rows of the joint table of blocks of one stage, beyond the stages that a search can hold */
#define DSE_DESCRIBED_ARGUMENTS 9             /* arguments of a part */
#define DSE_DESCRIBED_OF_MEMORY 8             /* names per memory of the board */
#define DSE_DESCRIBED_STAGES 512              /* stages of a file */

/* A constant stated in the file with its evidence. */
struct dse_constant {
    const char *name, *source; /* source: its text, or NULL */
    double value, low, high;
    struct dse_unit unit;
    enum dse_level level;
    int fitted; /* its index among the family's fitted constants, or −1 */
};

/* A workload quantity: a scalar series, or mean and 99th percentile of a series with one item per row. */
struct dse_quantity {
    const char *name, *series, *title;
    double least, most, fallback; /* fallback: NaN if the file gives none */
};

/* A named expression with its dependencies. */
struct dse_let {
    const char *name;
    const struct dse_code *code;
    dse_knob_set knobs; /* that it depends on */
    bool plain;         /* depends on nothing else but the workload: its value may be cached */
};

struct dse_part_kind;

/* An argument of a part: a formula, or a value equal for all designs (a word's index, a stage). */
struct dse_argument {
    const struct dse_code *code; /* or NULL */
    double value;
    int knob;                    /* for a type selected by a word knob, otherwise −1 */
    const double *by_word;       /* its value for each of that knob's words */
    size_t index;                /* in the part */
};

struct dse_part {
    const struct dse_part_kind *kind;
    const struct dse_code *when;        /* NULL: always */
    const struct dse_code *first, *last; /* bounds of `for`, or NULL: once */
    const double *values;               /* values of its arguments; undefined for varying ones */
    const struct dse_argument *varying; /* varying_count: arguments that depend on the design, or are invalid for every design */
    size_t varying_count;
    size_t slot;                        /* place of its result: a let's value, or an operator's latency */
    size_t variable;                    /* the slot of `for` */
    bool when_trips;                    /* `when` reads the variable of `for` */
    struct dse_argument arguments[DSE_DESCRIBED_ARGUMENTS];
    const char *label;                  /* or NULL */
    const char *text;                   /* the reason of a `require`; the source of raw amounts */
    double low, high;                   /* band of raw amounts */
    long line, column;
};

struct dse_described_block {
    const char *name;
    const struct dse_described_block *next; /* next file block merged into the same family block, or NULL */
    const struct dse_symbol *symbols; /* symbol_count: the family's, then the block's own */
    size_t symbol_count;
    const struct dse_code *when, *working; /* or NULL */
    const struct dse_part *parts;          /* part_count */
    size_t part_count;
    const size_t *lets;                    /* let_count: lets that it needs, in order */
    size_t let_count;
    const size_t *knobs, *quantities, *constants; /* knob_count, quantity_count, constant_count: those named by formulas, ascending */
    size_t knob_count, quantity_count, constant_count;
    unsigned memories;                     /* bit mask of the board's memories named by formulas */
    const size_t *stages;                  /* stage_count: the file's stages in which it has cycles or bytes */
    size_t stage_count;
    long line;
};

/* A published case: a design, its workload in --workload syntax (NULL: the file's), and the stated figures; NaN: not stated. */
struct dse_described_case {
    const char *name, *source, *board; /* board NULL: the family's */
    const char *workload;
    struct dse_config config;
    double stated[DSE_METRIC_COUNT];
};

struct dse_described {
    struct dse_arena arena;
    struct dse_model_family family;
    struct dse_knobs knobs;
    struct dse_yaml root; /* the file as a tree, for emission, calibration and published cases */
    uint64_t hash;        /* XXH3 of the content */
    uint64_t turn;        /* time of the last request */
    const struct dse_symbol *symbols; /* symbol_count: knobs, quantities (each with its maximum), constants, board, lets */
    size_t symbol_count;
    size_t first_quantity, first_constant, first_board, first_let;
    const char *const *macros;        /* per knob, or NULL */
    const struct dse_described_emit *emit; /* hls.c; NULL: the file has no `emit` */
    const struct dse_quantity *quantities;
    size_t quantity_count;
    const struct dse_constant *constants;
    size_t constant_count;
    const struct dse_let *lets;
    size_t let_count;
    const struct dse_described_block *const *blocks; /* the family's block_count: the first file block of each */
    const struct dse_code *items, *parts; /* or NULL */
    const char *const *stages; /* stage_count, as the file names them */
    size_t stage_count;
    const uint8_t *places;     /* per stage, its index in the family; DSE_STAGE_APART: merged into the last */
    const bool *alone;         /* per stage: at most one block has cycles or bytes in it */
    size_t engine_count;       /* engines named in the file; reports show at most DSE_ENGINE_MAX, the last one as `others` */
    bool folded;               /* the cost model merges stages, because there are too many or a pipeline needs the longest */
    const struct dse_described_quality *quality; /* published.c; NULL: the file has none */
    const struct dse_described_case *cases;      /* case_count */
    size_t case_count;
};

/* Rows of a block's table: combinations of the knobs that it reads. Saturates. */
uint64_t dse_described_rows(const struct dse_model_family *family, size_t block);

/* The description of a family; NULL for a family in C. */
const struct dse_described *dse_described_of(const struct dse_model_family *family);

/* Opens a file (models/model.h); parses a text under a file's name. Both keep the result until the program ends: the same text
 * gives the same family. DSE_BAD_INPUT names file, line, column, the allowed values and the nearest word. */
enum dse_status dse_described_open(const char *path, const struct dse_model_family **out, struct dse_error *err);
enum dse_status dse_described_read(const char *path, const char *text, const struct dse_model_family **out, struct dse_error *err);

/* Like dse_described_open, but after an error continues with the next knob, quantity, constant, expression, part, constraint
 * or case. Reading ends after a section with errors, so no error is a consequence of another. `problems` receives all errors, each with
 * its caret and a final newline, in reading order; `err` is the first, with the number of further errors. */
enum dse_status dse_described_check(const char *path, const struct dse_model_family **out, struct dse_strbuf *problems, struct dse_error *err);

/* Opens the board that a family names. For a described family the error is DSE_BAD_INPUT at its place in the file. */
enum dse_status dse_described_board(const struct dse_model_family *family, struct dse_board **out, struct dse_error *err);

const struct dse_model_family *dse_described_latest(const char *path);

/* Releases all opened families; none may be used afterwards. */
void dse_described_close(void);

/* A formula that a block's cost evaluated: of a part, or, if `part` is NULL, a named expression. Valid during the call. */
struct dse_traced {
    const struct dse_part *part;   /* or NULL */
    const char *kind, *name;       /* "loop", "trips"; "let", "steps" */
    const struct dse_code *code;   /* NULL: a word or number from the file, in `text` */
    const char *text;              /* "rows * steps", or the word */
    const char *numbers;           /* "1024 * 128" */
    double value;
};
typedef void dse_tracer(void *user, const struct dse_traced *traced);

/* Cost of block `index`; reports every formula evaluated for the mean workload, in order. */
enum dse_status dse_described_trace(const struct dse_model_family *family, size_t index, const struct dse_context *context,
                                    const struct dse_config *config, dse_tracer *tracer, void *user, struct dse_error *err);

/* ---- within the folder ---- */

struct dse_describing; /* a file being read */

/* A workload for formulas: mean, tail and maximum of each quantity. */
struct dse_described_work {
    uint64_t serial; /* unique per prepared workload */
    bool varies; /* some tail differs from its mean */
    double values[][DSE_CASE_COUNT + 1];
};

/* Fills the configuration's slots, without the block's own: `slots` has room for the block's symbols. */
enum dse_status dse_described_slots(const struct dse_described *described, const struct dse_described_block *block,
                                    const struct dse_context *context, const struct dse_config *config, enum dse_case which, double *slots,
                                    struct dse_error *err);

dse_cost_model dse_described_cost;

/* Implements `locate` of struct dse_model_family. */
void dse_described_locate(const struct dse_context *context, const struct dse_config *config, const char *what, struct dse_error *err);
