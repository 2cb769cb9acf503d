/* Makes a profile: runs a family's executor over a grid of settings and keeps what it measured. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/monitor.h"
#include "datasets/dataset.h"
#include "datasets/profile.h"
#include "explore/grid.h"
#include "executor/executor.h"

/* The settings to measure. */
struct dse_survey {
    const struct dse_executor *executor;
    const struct dse_dataset *dataset;
    const char *preset;          /* of the executor: "paper"; NULL: that of the profile to extend, else the family's first */
    const struct dse_grid *grid; /* over the preset */
    size_t seeds;                /* runs a setting for its quality; 0 measures workloads alone */
    uint64_t first_seed;         /* the runs' seeds count up from it; it is the workloads' own */
    const char *metric;          /* of dse_run; NULL: that of the profile to extend, else the family's */
    size_t jobs;
    const struct dse_monitor *monitor;
    const char *command;         /* what the profile says made it */
    const struct dse_profile *extend; /* NULL, or what was measured before: it is kept, and not measured again */
};

/* Puts what knobs declared later meant into the settings of a profile that was measured before them, and takes out those that
 * do not matter in them. */
void dse_survey_complete(const struct dse_knobs *knobs, struct dse_profile *profile);

/* Measures the workload and the quality (mean and sample deviation over the seeds) at every setting of the grid, and at the
 * preset itself, against which others are judged; several at a time. The profile does not depend on `jobs`. Settings whose workload is that of an earlier one share it.
 * DSE_BAD_USAGE for a grid of unknown names or values, or of more than 10,000 settings, and for a profile to extend that is of
 * another family, other data or another preset. */
enum dse_status dse_survey_profile(const struct dse_survey *what, struct dse_profile **out,
                                    struct dse_error *err);

/* A profile of the data and the preset alone: nothing is measured, and `what` needs no grid. */
enum dse_status dse_survey_nothing(const struct dse_survey *what, struct dse_profile **out, struct dse_error *err);
