/* Makes a profile: runs a family's executor over a grid of settings and stores the measurements. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/monitor.h"
#include "datasets/dataset.h"
#include "datasets/profile.h"
#include "explore/grid.h"
#include "executor/executor.h"

/* Commands of profiles measured automatically: a later survey may add to them. */
#define DSE_SURVEY_QUICK "measured on the fly"
#define DSE_SURVEY_RACED "surveyed by racing"

/* Finished settings of all. */
struct dse_survey_part {
    size_t whole, of;
};

/* The settings to measure. */
struct dse_survey {
    const struct dse_executor *executor;
    const struct dse_dataset *dataset;
    const char *preset;          /* preset of the executor where the grid starts: "best"; NULL: the profile's */
    const struct dse_grid *grid; /* over the preset */
    size_t seeds;                /* runs per setting for its quality; 0: workloads only */
    uint64_t first_seed;         /* first seed of the runs; also the workloads' seed */
    const char *metric;          /* metric of dse_run; NULL: that of the profile to extend, otherwise the family's */
    size_t jobs;
    const struct dse_monitor *monitor;
    const char *command;         /* recorded in the profile as its origin */
    const struct dse_profile *extend; /* NULL, or earlier measurements, kept and not repeated */
    struct dse_survey_part *partly; /* NULL: DSE_CANCELLED gives no profile. Otherwise that of the finished settings, if any, counted here */
};

/* Measures workload and quality (mean and sample deviation over the seeds), several settings in parallel: every setting of the grid, the preset, the
 * published setting and the reference. The profile's preset is the published setting, the family's first preset or that of the profile to extend. The
 * profile does not depend on `jobs`. Settings with equal workloads share one. DSE_BAD_USAGE for unknown names or values in the grid, and for more
 * than 10,000 settings. Likewise for a profile to extend of another family, other data or another preset. */
enum dse_status dse_survey_profile(const struct dse_survey *what, struct dse_profile **out,
                                    struct dse_error *err);

/* A profile of only the data and the preset: measures nothing; `what` needs no grid. */
enum dse_status dse_survey_nothing(const struct dse_survey *what, struct dse_profile **out, struct dse_error *err);
