/* Settings by name, and the summary of several training runs at one of them. Knows no family by name. */
#pragma once

#include "executor/executor.h"

/* The measurement at one setting: mean and sample deviation (0 for one seed) over the runs. */
struct dse_measured {
    const char *name;      /* the family's quality: "accuracy"; lives as long as the program */
    bool higher_is_better; /* its direction */
    double mean, std;
    size_t n;
    struct dse_figure figures[DSE_FIGURES]; /* figure_count; their means */
    double figure_std[DSE_FIGURES];         /* their sample deviations */
    size_t figure_count;
    double constant, constant_std;          /* quality of a constant prediction by the same metric; NaN: unknown */
    double seconds;        /* time of all training runs, added up */
};

/* Settings by name: the family's preset for this data set, overridden by `changes` (a configuration's algorithmic knobs; NULL for none), checked. A
 * name of `changes` without a parameter of the executor is DSE_BAD_USAGE. With `lenient` it is skipped, since a configuration also holds knobs that
 * only hardware has. `out` is the caller's. */
enum dse_status dse_executor_setting(const struct dse_executor *executor, const char *preset,
                                     const struct dse_dataset *data, const struct dse_setting *changes, bool lenient,
                                     struct dse_setting *out, struct dse_error *err);

/* Mean and deviation of finished training runs of one executor. `count` is 1 or more. */
void dse_measured_summarise(const struct dse_executor *executor, const struct dse_training *runs, size_t count,
                            struct dse_measured *out);
