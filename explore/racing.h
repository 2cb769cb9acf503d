/* The survey of a data set that is not measured: a race over an executor's plan, and a profile of what it found. */
#pragma once

#include <stdint.h>

#include "core/monitor.h"
#include "datasets/dataset.h"
#include "datasets/profile.h"
#include "executor/executor.h"
#include "explore/job.h"
#include "explore/race.h"

#define DSE_RACING_UNITS 80.0     /* about 60 s on two cores */
#define DSE_RACING_SEED 1000      /* the choice's splits have the seeds first_seed + 1000 … 1009, the reported ones first_seed … + 9 */
#define DSE_RACING_ITEMS 2000     /* of more, the choice trains on so many and judges by half of that */

struct dse_racing {
    const struct dse_executor *executor; /* with a race */
    const struct dse_dataset *dataset;
    uint64_t first_seed;
    const char *metric;     /* that settings are judged by (struct dse_run); NULL: the family's quality */
    const char *word, *data_dir; /* what another process finds the data by */
    struct dse_crew crew;   /* who trains; nothing depends on it */
    double units;           /* the budget of work, by the executor's table */
    void (*go_on)(void *user); /* where the monitor ends the survey: the profile has what there is, and the monitor no longer asks the rest to end;
                                * NULL: no profile */
    void *user;
    double deadline_s;      /* on the monotonic clock; infinity: none */
    const struct dse_monitor *monitor;
    const char *command;
    const char *scores;     /* a file (explore/scores.h) where what a survey that is ended has measured is kept, and found by the next;
                             * NULL: none */
};

/* The outcome of a survey. */
struct dse_raced {
    bool asked; /* the monitor ended it, and `cut` is set */
    size_t settings, stopped, trainings, reported;
    size_t found;      /* of the training runs, made by a survey before that was ended */
    bool kept;         /* what was measured is kept for the next */
    double units;
    bool ended, cut;   /* the budget of work, or the time, did not reach for all of it */
    char untried[400]; /* in words; "" for nothing */
};

/* Whether a budget reaches for three reports of the preset "paper", and so for a race; without, an executor whose training runs are
 * `costly` is asked for the work of new data alone. O(1). */
bool dse_racing_affords(const struct dse_executor *executor, const struct dse_dataset *data, double units);

/* The time that a survey of these data takes on two usual cores, in seconds, within a factor of two: settings of all stages by the work of the plan's base, at
 * most the budget. By the executor's table, not by a clock. The base is that which the plan names. */
double dse_racing_seconds(const struct dse_executor *executor, const struct dse_dataset *data, double units);

/* Chooses on validation parts inside the training parts of splits of their own (the parts that these hold out are not looked at):
 * their means are the profile's qualities. Those that were never stopped, and the preset "paper", are reported besides on ten
 * splits that were held out in that. The profile depends on data, seed and units alone, but for a survey that was cut: one that goes
 * on from its scores comes to the same. DSE_CANCELLED on Ctrl-C; `told` then says what was kept. */
enum dse_status dse_racing_survey(const struct dse_racing *what, struct dse_profile **out, struct dse_raced *told,
                                  struct dse_error *err);
