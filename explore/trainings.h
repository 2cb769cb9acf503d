/* Trials: settings measured for a search, each training run kept in the study as soon as it is done. */
#pragma once

#include "datasets/dataset.h"
#include "datasets/profile.h"
#include "core/monitor.h"
#include "executor/executor.h"
#include "explore/job.h"
#include "search/study.h"

/* Data and protocol of a measurement. */
struct dse_trainings {
    const struct dse_executor *executor;
    struct dse_dataset *data;      /* owned; NULL until it is needed */
    char *word;                    /* what opens the data, owned */
    uint64_t hash;                 /* of the data that is meant */
    const char *data_dir;
    const char *metric;            /* the profile's, where it is not the family's own; else NULL */
    char protocol[96];             /* of a run in the study */
    struct dse_profile *profile;   /* receives workloads and qualities; not owned */
    struct dse_study *study;       /* NULL: nothing is kept */
    size_t seeds;                  /* training runs a setting, with seeds from `first_seed` on */
    uint64_t first_seed;
    struct dse_crew crew;          /* who trains */
    const struct dse_monitor *monitor;
    double deadline_s;             /* on the monotonic clock; infinity: none */
    size_t trainings, found;       /* made, and found in the study */
    size_t total;                  /* for progress: training runs that may be needed at most */
};

/* The full setting of a configuration: every parameter of the executor. Opens the data where it is not open yet; DSE_BAD_USAGE
 * where it cannot be found or is not the data that the profile was measured on. */
enum dse_status dse_trainings_setting(struct dse_trainings *trials, const struct dse_space *space,
                                   const struct dse_config *config, struct dse_setting *out, struct dse_error *err);

/* Puts the workloads of settings that the profile lacks into it. `possible` says which the data can serve. */
enum dse_status dse_trainings_work(struct dse_trainings *trials, const struct dse_setting *settings, size_t count, bool *possible,
                                struct dse_error *err);

/* Trains at each setting and puts the qualities into the profile; `quality` of a setting that was not measured whole stays
 * as it is, and `ended` says that the time is up. DSE_CANCELLED on Ctrl-C: what was finished is in the study. */
enum dse_status dse_trainings_quality(struct dse_trainings *trials, const struct dse_setting *settings, size_t count,
                                   double *quality, bool *ended, struct dse_error *err);

void dse_trainings_close(struct dse_trainings *trials);
