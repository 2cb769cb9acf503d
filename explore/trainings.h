/* Trials: settings measured for a search; each training run is stored in the study when it ends. */
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
    struct dse_dataset *data;      /* owned; NULL until needed */
    char *word;                    /* opens the data, owned */
    uint64_t hash;                 /* hash of the expected data */
    const char *data_dir;
    const char *metric;            /* the profile's, if not the family's own; otherwise NULL */
    char protocol[96];             /* name of a run's protocol in the study */
    struct dse_profile *profile;   /* receives workloads and qualities; not owned */
    struct dse_study *study;       /* NULL: nothing is stored */
    size_t seeds;                  /* training runs per setting, with seeds from `first_seed` on */
    uint64_t first_seed;
    struct dse_crew crew;          /* trainers */
    const struct dse_monitor *monitor;
    double deadline_s;             /* on the monotonic clock; infinity: none */
    size_t trainings, found;       /* made, and found in the study */
    size_t total;                  /* for progress: upper bound of training runs */
};

/* Full setting of a configuration: every parameter of the executor. Opens the data if needed; DSE_BAD_USAGE
 * if they are missing or not the data of the profile. */
enum dse_status dse_trainings_setting(struct dse_trainings *trials, const struct dse_space *space,
                                   const struct dse_config *config, struct dse_setting *out, struct dse_error *err);

/* Adds missing workloads of settings to the profile. `possible` tells which settings the data allow. */
enum dse_status dse_trainings_work(struct dse_trainings *trials, const struct dse_setting *settings, size_t count, bool *possible,
                                struct dse_error *err);

/* Trains at each setting and adds the qualities to the profile. `quality` of an incompletely measured setting is
 * unchanged, and `ended` is set if time is up. DSE_CANCELLED on Ctrl-C: finished runs are in the study. */
enum dse_status dse_trainings_quality(struct dse_trainings *trials, const struct dse_setting *settings, size_t count,
                                   double *quality, bool *ended, struct dse_error *err);

void dse_trainings_close(struct dse_trainings *trials);
