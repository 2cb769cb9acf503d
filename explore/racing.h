/* Survey of an unmeasured data set: a race over an executor's plan, and a profile of its results. */
#pragma once

#include <stdint.h>

#include "core/monitor.h"
#include "datasets/dataset.h"
#include "datasets/profile.h"
#include "executor/executor.h"
#include "explore/job.h"
#include "explore/race.h"

#define DSE_RACING_UNITS 80.0     /* at most about 30 s on two cores */
#define DSE_RACING_SEED 1000      /* splits of the choice have the seeds first_seed + 1000 … 1009, reported ones first_seed … + 9 */
#define DSE_RACING_ITEMS 2000     /* with more items, the choice trains on this many and judges on half as many */

struct dse_racing {
    const struct dse_executor *executor; /* with a race */
    const struct dse_dataset *dataset;
    uint64_t first_seed;
    const char *metric;     /* judges settings (struct dse_run); NULL: the family's quality */
    const char *word, *data_dir; /* identify the data for another process */
    struct dse_crew crew;   /* trainers; results do not depend on it */
    double units;           /* work budget, by the executor's table */
    void (*go_on)(void *user); /* called if the monitor ends the survey: the profile has the partial results, and the monitor lets the rest continue;
                                * NULL: no profile */
    void *user;
    double deadline_s;      /* on the monotonic clock; infinity: none */
    const struct dse_monitor *monitor;
    const char *command;
    const char *scores;     /* file (explore/scores.h) that stores the measurements of an interrupted survey for the next one;
                             * NULL: none */
};

/* The outcome of a survey. */
struct dse_raced {
    bool asked; /* the monitor ended the survey; `cut` is set too */
    size_t settings, stopped, trainings, reported;
    size_t found;      /* training runs taken from an interrupted survey */
    bool kept;         /* measurements are stored for the next survey */
    double units, whole; /* work done; of the whole survey: its budget, or an estimate if it is cut */
    double left_s;     /* remaining time of a cut survey, estimated from the pace so far; NaN: no training run ended */
    bool ended, cut;   /* budget of work, or time, did not suffice */
    char untried[400]; /* text listing what was not tried; or "" */
};

/* Whether a budget suffices for three reports of the preset "paper", and so for a race. If not, an executor with `costly` training runs only computes
 * workloads of new data. O(1). */
bool dse_racing_affords(const struct dse_executor *executor, const struct dse_dataset *data, double units);

/* Time of a survey of these data on two usual cores, in seconds: the work of a rehearsal with artificial scores, from the executor's table, at
 * most the budget. docs/evidence/racing.md has its error. O(plan's settings²). */
double dse_racing_seconds(const struct dse_executor *executor, const struct dse_dataset *data, double units);

/* Chooses on validation parts inside the training parts of separate splits (their held-out parts are not used):
 * these means are the profile's qualities. Settings never stopped, and the preset "paper", are also reported on ten
 * splits held out from the choice. The profile depends only on data, seed and units, unless the survey is interrupted; a
 * survey resumed from its scores gives the same profile. DSE_CANCELLED on Ctrl-C; `told` then says what was stored. */
enum dse_status dse_racing_survey(const struct dse_racing *what, struct dse_profile **out, struct dse_raced *told,
                                  struct dse_error *err);
