/* How right the models are: against the executor's simulation, and against published figures.
 *
 * Agreement with the simulation is self-consistency: two readings of one page by the same project. Agreement with
 * published figures is another level; the two are never mixed in one number. No family is known here by name: what is
 * simulated and what was published is a data file a family (validation/published/FAMILY.xml). */
#ifndef DSE_VALIDATION_VALIDATION_H
#define DSE_VALIDATION_VALIDATION_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/monitor.h"
#include "datasets/dataset.h"
#include "devices/machines.h"
#include "executor/executor.h"
#include "models/estimate.h"

/* One prediction beside its reference. `error` is (predicted − reference) / reference, NaN where the reference is 0
 * or there is none (NaN). */
struct dse_validation_row {
    const char *what;   /* "latency_s", "cycles", "kse.cycles" */
    const char *where;  /* the case: "MUTAG", "MUTAG dpp", "MUTAG 17" */
    const char *config; /* the knobs that were drawn, "lshu.pe=4 …"; NULL where none were */
    const char *group;  /* the bottleneck of a simulated configuration; else NULL */
    const char *source; /* "simulation", "Table 6" */
    double predicted, reference, error;
    double floor;       /* the least that the published bandwidth allows, NaN where it says nothing */
    double low, high;   /* the prediction's band; NaN where it has none */
    double as_designed; /* without any fitted constant, where `predicted` has some; else NaN */
    const char *note;   /* what a reader must know of this row, or NULL */
};

/* A row with nothing in it but NaNs. */
extern const struct dse_validation_row dse_validation_row_empty;

struct dse_validation {
    struct dse_validation_row *rows; /* count */
    size_t count, capacity;
    struct dse_arena arena; /* the texts */
};

/* Over the rows of one `what`, those with an error. */
struct dse_validation_summary {
    const char *what;
    double mean_abs_error, max_abs_error;
    double mean_abs_error_designed; /* of the column without fitted constants; NaN where no row has one */
    double tau; /* Kendall's tau-b of predicted and reference; NaN under two rows */
    size_t n;
};

void dse_validation_free(struct dse_validation *validation);

/* Appends a row; its texts are copied, the error computed. DSE_LIMIT when memory runs out. */
enum dse_status dse_validation_add(struct dse_validation *validation, const struct dse_validation_row *row,
                                   struct dse_error *err);

/* A summary for each different `what` that has an error, in order of appearance; of one bottleneck's rows, or of all for
 * a `group` of NULL. free() the list. O(rows²). */
enum dse_status dse_validation_summarise(const struct dse_validation *validation, const char *group,
                                         struct dse_validation_summary **out, size_t *count, struct dse_error *err);

/* Kendall's tau-b. O(n²). */
double dse_kendall_tau(const double *a, const double *b, size_t n);

struct dse_published {
    const char *what, *dataset, *variant, *machine, *source; /* variant and machine: "" where there is none */
    double value;
};

/* A data set of the publication. */
struct dse_published_set {
    const char *dataset;
    const char *dpp; /* its settings with fewer landmarks: "sampling=dpp landmarks=95" */
};

/* The publication's one design for all its sets, at a capacity. */
struct dse_published_plan {
    const char *name; /* "max" */
    const char *set;  /* knobs over the paper's */
};

/* The two constants of the column "as published". */
struct dse_published_fit {
    const char *without; /* the data set that it was not fitted on, "" for none */
    double seconds;      /* for each of the fit's quantity */
    double activity;     /* share of the design's dynamic power */
    double seconds_low, seconds_high, activity_low, activity_high; /* over single rows that it was fitted on */
};

/* A family's data file. */
struct dse_validation_data {
    const char *board;
    double bandwidth_bytes_per_s, efficiency_low; /* of its memory, as the publication states */
    int64_t port_bits, burst_beats;
    const char *simulated, *trained, *algorithmic; /* knobs, a blank between two */
    struct dse_published_set *sets;  /* set_count */
    size_t set_count;
    struct dse_published_plan *plans; /* plan_count; the first is the publication's */
    size_t plan_count;
    const char *quantity;            /* the fit's, by the family's name for it */
    const char *seconds_means, *activity_means;
    struct dse_published_fit *fits;  /* fit_count; the first is that over all sets */
    size_t fit_count;
    struct dse_published *published; /* published_count */
    size_t published_count;
    struct dse_arena arena;
};

enum dse_status dse_validation_data_open(const char *family, struct dse_validation_data *out, struct dse_error *err);
void dse_validation_data_free(struct dse_validation_data *data);

/* What validation stands on; nothing is owned. */
struct dse_validation_ground {
    const struct dse_validation_data *figures;
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

/* `count` random configurations, profiled on the training graphs and simulated on those held out: a row for the whole
 * and one for each engine. Draws until every engine that the models can make the bottleneck has its share, as far as
 * that is found in some hundred draws each. */
enum dse_status dse_validate_simulation(const struct dse_validation_ground *ground, size_t count,
                                        struct dse_validation *out, struct dse_error *err);

/* Level 2: the cost libraries' parts against synthesis reports of designs made of them: a row a design and resource. Needs
 * no ground. */
enum dse_status dse_validate_constants(struct dse_validation *out, struct dse_error *err);

/* The published value of a data set on a machine ("" for the accelerator), or NaN. */
double dse_published_value(const struct dse_validation_data *data, const char *what, const char *dataset,
                           const char *variant, const char *machine);

/* Resources of one block of the design for all sets. */
struct dse_published_part {
    const char *block; /* "kse" */
    int64_t resources[DSE_RESOURCE_COUNT];
};

/* What the published rows came from, to be shown beside them. */
struct dse_published_story {
    struct dse_published_fit fit;  /* over all sets */
    bool refitted;                 /* from the sets at hand; else as stored */
    double stored_seconds, stored_activity;
    struct dse_published_fit left_out[8]; /* left_out_count */
    size_t left_out_count;
    struct dse_published_part parts[32]; /* part_count; of the design for all sets at the largest capacity */
    size_t part_count;
};

/* Models against published figures. Every set is profiled with and without its DPP settings over `seeds` draws; its rows
 * come in two columns: `as_designed` without a fitted constant, `predicted` with the two constants fitted on the other sets.
 * Where every set with published latencies is among `sets`, the constants are fitted afresh and the rows of the one design for
 * all of them are added; else the stored constants are taken. The ground's own data set is not looked at. */
enum dse_status dse_validate_published(const struct dse_validation_ground *ground, const struct dse_dataset *const *sets,
                                       size_t set_count, size_t seeds, struct dse_validation *out,
                                       struct dse_published_story *story, struct dse_error *err);

#endif
