/* The errors of the models, at every level of reference: one schema of rows, and a registry of levels (levels.c) that make them.
 *
 * A row has a case, a figure, its prediction, the prediction without any knowledge of its own case, the reference, and the reference's source. Levels
 * are never mixed in one number. Agreement with the executor's simulation is only self-consistency: two readings of one page by the same project.
 * Synthesis and publications are independent. No family is named here: a data file per family has the published cases (models/FAMILY/published.xml,
 * read by validation/published.h). */
#pragma once

#include <stdbool.h>

#include "core/arena.h"
#include "core/monitor.h"
#include "executor/executor.h"
#include "models/estimate.h"

/* One prediction beside its reference. Numbers that a row does not have are NaN, texts NULL. */
struct dse_validation_row {
    const char *level;   /* "simulation", "published"; set by the level that made it */
    const char *what;    /* the figure: "latency_s", "cycles", "kse.cycles" */
    const char *where;   /* the case: "MUTAG", "MUTAG dpp", "MUTAG 17", "D=2k" */
    const char *profile; /* the data set whose workload was predicted from */
    const char *board;
    const char *config;  /* the knobs that were drawn or set, "lshu.pe=4 …" */
    const char *group;   /* the bottleneck of a simulated configuration */
    const char *source;  /* "simulation", "Table 6" */
    const char *table;   /* table of a published figure: the number of its table … */
    size_t place;        /* … and its place in the family's file */
    const char *by;      /* source of the prediction: "models", "fitted constants", "machines", "training" (measured by the executor) */
    double predicted, reference;
    double error;        /* (predicted − reference) / reference; NaN for a verdict, a reference of 0, or none */
    double left_out, error_left_out; /* predicted by constants fitted without the row's own case, and its error */
    double low, high;    /* the prediction's band */
    double as_designed, error_as_designed; /* predicted without fitted constants, if `predicted` uses some */
    double deviations;   /* (predicted − reference) / standard error of their difference, for a measured mean; else NaN */
    double lower_bound;        /* the least that the published bandwidth allows */
    bool pooled;         /* counts in the summary of the publication's main tables together */
    bool verdict;        /* yes (1) or no (0): it has no error */
    int bound;           /* -1: published as an upper bound, 1: as a lower bound; it has no error then */
    bool other;          /* a figure of another accelerator than the publication's */
    bool unpredicted;    /* no model predicts it, for the reason in `note`; without a reference, the row is a statement */
    bool unexplained;    /* predicted only by a constant that was fitted to this row alone */
    bool below_bound;   /* published below `lower_bound` */
    bool contradicts;    /* the publication contradicts its own board: more of a resource than the chip has */
    const char *note;    /* facts that a reader needs for this row */
};

/* A row with nothing in it. */
extern const struct dse_validation_row dse_validation_row_empty;

/* A constant that was fitted to published figures, and fitted again. */
struct dse_validation_constant {
    const char *name, *meaning;
    double value, low, high; /* as shipped */
    double refitted;         /* now, to all cases */
    const char *alone;       /* the one row ("D=3k train_cycles") that it could be fitted to, or NULL: then it predicts nothing … */
    double of_that_row;      /* … and this value would meet that row */
};

/* A fit of the two constants of cases that are measured on their data sets (validation/published.h). */
struct dse_published_fit {
    const char *without; /* the data set that it was not fitted on, "" for none */
    double seconds;      /* for each of the fit's quantity */
    double activity;     /* share of the design's dynamic power */
    double seconds_low, seconds_high, activity_low, activity_high; /* over single rows that it was fitted on */
};

/* Resources of one block of the design for all sets. */
struct dse_published_part {
    const char *block; /* "kse" */
    int64_t resources[DSE_RESOURCE_COUNT];
};

/* Sources of published rows of measured cases, shown beside them. */
struct dse_published_story {
    bool told;                     /* there were such cases */
    const char *pooled;            /* name of the pool of rows: "tables 6 and 7" */
    const char *quantity, *seconds_means, *activity_means;
    struct dse_published_fit fit;  /* over all sets */
    bool refitted;                 /* from the given sets; else as stored */
    double stored_seconds, stored_activity;
    struct dse_published_fit *left_out; /* left_out_count; in the arena */
    size_t left_out_count;
    struct dse_published_part parts[DSE_BLOCK_MAX]; /* part_count; of the design for all sets at the largest capacity */
    size_t part_count;
};

/* A table, figure or section of a publication. */
struct dse_published_table {
    const char *number; /* "Table 6" */
    const char *title;
};

/* The findings. Empty when zeroed. */
struct dse_validation {
    struct dse_validation_row *rows; /* count; level after level */
    size_t count;
    struct dse_validation_constant *constants; /* constant_count */
    size_t constant_count;
    struct dse_published_story story;
    struct dse_published_table *tables; /* table_count, in the publication's order */
    size_t table_count;
    const struct dse_model_family *family;
    const char *board;      /* where a row does not name another */
    struct dse_arena arena; /* the texts */
};

/* Over the rows of one `what` at one level, those with an error. */
struct dse_validation_summary {
    const char *level, *what;
    double mean_abs_error, max_abs_error;
    double mean_abs_error_left_out, max_abs_error_left_out; /* NaN if no row has such a prediction */
    double mean_abs_error_designed;
    double tau; /* Kendall's tau-b of predicted and reference; NaN under two rows */
    size_t n, unexplained;
};

void dse_validation_free(struct dse_validation *validation);

/* Appends a row; its texts are copied, the errors and `below_bound` computed. */
void dse_validation_add(struct dse_validation *validation, const struct dse_validation_row *row);

/* A summary for each different `what` of a level that has an error, in order of appearance. It is of one bottleneck's rows, or of all for a `group`
 * of NULL. free() the list. O(rows²). */
struct dse_validation_summary *dse_validation_summarise(const struct dse_validation *validation, const char *level, const char *group,
                                                        size_t *count);

/* Errors pooled over rows of different quantities; `what` names the pool. */
struct dse_validation_pool {
    const char *what;
    double mean_abs_error, max_abs_error, mean_abs_error_designed;
    double mean_abs_error_above_floor; /* without rows below the lower bound of the stated bandwidth; NaN without any */
    size_t n;
};

/* False if no row is pooled. */
bool dse_validation_pooled(const struct dse_validation *validation, struct dse_validation_pool *out);

/* Kendall's tau-b. O(n²). */
double dse_kendall_tau(const double *a, const double *b, size_t n);

/* ---- levels ---- */

struct dse_validation_request;

/* A named design of an answer. Nothing is owned. */
struct dse_answered_design {
    const char *corner;                  /* "balanced" */
    const struct dse_profile *profile;   /* the requested one; models are trained on its data set */
    const struct dse_setup *setup;       /* board and costs */
    const struct dse_estimate *estimate; /* as in the answer; NULL if there is none, and `corner` says why */
    const struct dse_quality *quality;   /* NULL if it is not measured */
};

/* Called once for each design of an answer, data set after data set; a design with several names has the first. */
typedef enum dse_status dse_answered_visitor(void *user, const struct dse_answered_design *design, struct dse_error *err);

/* Runs the default search for each data set of the request (without any: for every shipped profile of the family). The search is in a
 * room above this one (explore/answers.h). */
typedef enum dse_status dse_answering(const struct dse_validation_request *request, dse_answered_visitor *visit, void *user,
                                      struct dse_error *err);

/* The request. Nothing is owned. */
struct dse_validation_request {
    const char *family, *board, *calibration, *data_dir; /* board NULL: the publication's; the others NULL: none */
    const char *const *datasets; /* dataset_count: names for dse_dataset_open */
    size_t dataset_count;
    const char *const *predicted; /* predicted_count: data sets of which only published figures are predicted */
    size_t predicted_count;
    size_t configurations; /* drawn for each data set, where a level draws */
    uint64_t seed;
    size_t jobs;
    const struct dse_monitor *monitor;
    dse_answering *answering; /* runs the default search (explore/answers.h); NULL: no requested level needs it */
};

struct dse_published_file;

/* Inputs of a level; nothing is owned. `executor` is NULL for a family without one; a level sets `data` itself. */
struct dse_validation_ground {
    const struct dse_validation_request *request;
    const struct dse_published_file *figures;
    const struct dse_model_family *family;
    const struct dse_executor *executor;
    const struct dse_space *space;
    const struct dse_board *board;
    const struct dse_costs *costs;
    const struct dse_dataset *data;
    uint64_t seed;
    size_t jobs;
    const struct dse_monitor *monitor;
};

/* Makes the rows of a level; a level that draws takes `count` designs of the ground's data set. */
typedef enum dse_status dse_validation_level_verb(const struct dse_validation_ground *ground, size_t count, struct dse_validation *out,
                                                  struct dse_error *err);

/* One level: to add one, add a line to levels.def with a function that makes its rows. */
struct dse_validation_level {
    const char *name;    /* word of --against: "simulation" */
    const char *is;      /* its description, in a line */
    bool in_all;         /* part of --against all */
    bool needs_dataset;  /* draws over data sets: at least one must be named */
    dse_validation_level_verb *make;
};

/* All levels, in the order in which they are shown. */
const struct dse_validation_level *dse_validation_levels(size_t *count);

/* "simulation|constants|published|all", for messages. */
extern const char dse_validation_words[];

/* Rows of the level `against`; for "all" (or NULL) of every level that the request has data for. Without a data set these are the published rows of a
 * family whose cases need none. Data sets that are only to be predicted have only published rows. DSE_BAD_USAGE for an unknown level or family, and
 * for a level without its data sets. DSE_CANCELLED
 * leaves the rows made so far. */
enum dse_status dse_validate(const struct dse_validation_request *request, const char *against, struct dse_validation *out,
                             struct dse_error *err);

/* Level 1: `count` random configurations, profiled on the ground's training graphs and simulated on the held-out ones. A row for the whole and one
 * for each engine. Draws until every engine that the models can make the bottleneck has its share, as far as some hundred draws for each find it. */
dse_validation_level_verb dse_validate_simulation;

/* Each named design of the default search for the request's data sets (without any: for every shipped profile of the family). There are two rows:
 * cycles of a simulation of a model trained now, and quality by training runs with seeds that no survey took. If the data are missing, the row has no
 * reference and says so. */
dse_validation_level_verb dse_validate_answers;

/* Predictions against schedules. `count` drawn designs of the ground's data set are trained, emitted, checked by the checker's rules and run in C
 * simulation with counters in their loops. A row for the whole, one for each engine, and whether all claims hold. DSE_LIMIT if the checker, clang or
 * a C compiler is missing. */
dse_validation_level_verb dse_validate_schedules;

/* `count` drawn designs in SystemVerilog, each with a model of its own, run by Verilator over the held-out graphs. By the profile of these graphs: a
 * row of cycles for the whole and one for each stage. By the profile of the training graphs: one for the whole. DSE_ANSWER_NO if a bit differs from
 * the executor's; that folder is left and named. DSE_LIMIT without Verilator or make. Half a minute per design. */
dse_validation_level_verb dse_validate_rtl;
dse_validation_level_verb dse_validate_rtl_simulation; /* only by `simulate --flow rtl` */

/* An engine of each of `count` drawn designs in SystemVerilog, engine after engine, synthesised by Yosys, `jobs` modules at a time. A row for each
 * resource that either counts. The source is the tool's version and options. Modules with counts in the table that $NYSX_SYNTHESIS names are not
 * synthesised; others are added to it. DSE_LIMIT if a module must be synthesised and Yosys, make or awk is missing. Half a minute per design. */
dse_validation_level_verb dse_validate_open_synthesis;
dse_validation_level_verb dse_validate_pnr;

/* `count` drawn designs in SystemVerilog run by Verilator over at most 40 of the held-out graphs, with the changes of their nets counted. A row of
 * joules for the whole and one for each engine, grouped by the engine. DSE_ANSWER_NO if the simulation does not end well, DSE_LIMIT without Verilator
 * or make. Half a minute per design. */
dse_validation_level_verb dse_validate_activity;

/* Accuracies that authors published against training runs on their split. A row per method and data set. */
dse_validation_level_verb dse_validate_accuracy;

/* Accuracy that the family's own publication gives for a data set; NaN without one. */
double dse_accuracy_published(const char *family, const char *dataset);

/* Level 2: the cost libraries' parts against synthesis reports of designs made of them. A row per design and resource. Needs no ground (NULL). */
dse_validation_level_verb dse_validate_constants;

/* Level 3: published figures of the cases of the family's file: first those with a profile (designs.c), then those measured on data sets
 * (measured.c). */
dse_validation_level_verb dse_validate_published;
