/* Quality on demand: a family's executor trained and measured at one setting, over several seeds. This is how a search or
 * a command learns the quality of a setting that no profile holds; it knows no family by name. */
#ifndef DSE_EXECUTOR_MEASURE_H
#define DSE_EXECUTOR_MEASURE_H

#include "executor/executor.h"

/* What was measured at one setting: mean and sample deviation (0 for one seed) over the runs. */
struct dse_measured {
    const char *name;      /* the family's quality: "accuracy"; lives as long as the program */
    bool higher_is_better; /* its direction */
    double mean, std;
    size_t n;
    struct dse_figure figures[DSE_FIGURES]; /* figure_count; their means */
    size_t figure_count;
    double seconds;        /* of all trainings, added up */
};

/* Settings by name: the family's preset for this data set with `changes` put over it (a configuration's algorithmic knobs;
 * NULL for none), checked. A name of `changes` that the executor has no parameter for is passed over where `lenient`, since
 * a configuration also holds knobs that only hardware has; else it is DSE_BAD_USAGE. `out` is the caller's. */
enum dse_status dse_executor_setting(const struct dse_executor *executor, const char *preset,
                                     const struct dse_dataset *data, const struct dse_setting *changes, bool lenient,
                                     struct dse_setting *out, struct dse_error *err);

/* Trains at `setting` (a value for every parameter) once for each of `seeds` seeds from run->seed on, each on its own split
 * (run->folds and run->fold as they are), up to run->jobs at a time, and measures on the held-out parts. The same for any
 * run->jobs. DSE_BAD_USAGE for a setting that the data cannot serve, DSE_CANCELLED where run->monitor cancels:
 * then nothing is measured. */
enum dse_status dse_executor_measure(const struct dse_executor *executor, const struct dse_dataset *data,
                                     const struct dse_setting *setting, const struct dse_run *run, size_t seeds,
                                     struct dse_measured *out, struct dse_error *err);

/* Mean and deviation of finished trainings of one executor. `count` is 1 or more. */
void dse_measured_summarise(const struct dse_executor *executor, const struct dse_training *runs, size_t count,
                            struct dse_measured *out);

#endif
