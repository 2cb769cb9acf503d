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
#include "executor/executor.h"
#include "models/estimate.h"

/* One prediction beside its reference. `error` is (predicted − reference) / reference, NaN where the reference is 0
 * or there is none (NaN). */
struct dse_validation_row {
    const char *what;   /* "latency_s", "cycles", "kse.cycles" */
    const char *where;  /* the case: "MUTAG", "MUTAG dpp", "MUTAG 17" */
    const char *group;  /* the bottleneck of a simulated configuration; else NULL */
    const char *source; /* "simulation", "Table 6" */
    double predicted, reference, error;
    double floor;       /* the least that the published bandwidth allows, NaN where it says nothing */
};

struct dse_validation {
    struct dse_validation_row *rows; /* count */
    size_t count, capacity;
    struct dse_arena arena; /* the texts */
};

/* Over the rows of one `what`, those with an error. */
struct dse_validation_summary {
    const char *what;
    double mean_abs_error, max_abs_error, tau; /* Kendall's tau-b of predicted and reference; NaN under two rows */
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
    const char *what, *dataset, *variant, *set, *source; /* variant and set: "" where there is none */
    double value;
};

/* A family's data file. */
struct dse_validation_data {
    const char *board;
    double bandwidth_bytes_per_s; /* that the publication states */
    const char *simulated, *trained, *algorithmic; /* knobs, a blank between two */
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

/* The published rows of the ground's data set, as designed: no constant is fitted. */
enum dse_status dse_validate_published(const struct dse_validation_ground *ground, struct dse_validation *out,
                                       struct dse_error *err);

#endif
