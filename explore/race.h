/* A race: settings compared in pairs on common splits, those that have lost stopped, under a budget of work. It knows neither
 * data nor families: whoever holds the race measures. */
#ifndef DSE_EXPLORE_RACE_H
#define DSE_EXPLORE_RACE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

#define DSE_RACE_SPLITS 10 /* a whole race */
#define DSE_RACE_LEAST 3   /* before anything is stopped */

enum dse_race_fate {
    DSE_RACE_RUNNING,
    DSE_RACE_LOST,   /* significantly below the leader */
    DSE_RACE_PASSED  /* not below it for certain, and not among the best that went on */
};

struct dse_runner {
    double score[DSE_RACE_SPLITS]; /* of the first `count` splits */
    size_t count;
    double units; /* what one measurement takes */
    size_t kind;  /* runners of different kinds do not take each other's places */
    enum dse_race_fate fate;
};

struct dse_race {
    struct dse_runner *runners; /* count; the caller's */
    size_t count;
    bool higher_is_better;
    double overlap;       /* items that judge for each that trains: 0.25 */
    double budget, spent; /* units */
    size_t measurements;
    bool ended;           /* the budget did not reach for all that was asked */
    /* Fills `scores` [count] with those of the runners `which` on one split. */
    enum dse_status (*measure)(void *user, const size_t *which, size_t count, size_t split, double *scores,
                               struct dse_error *err);
    void *user;
};

/* Whether `other` is below `leader`: one-sided t test of the differences on n common splits at 5 %, with the variance of random
 * splits whose training parts overlap (Nadeau and Bengio 2003): (1/n + overlap) times that of the differences. No difference
 * anywhere is no loss. */
bool dse_race_lost(const double *leader, const double *other, size_t n, double overlap, bool higher_is_better);

/* The mean of a runner's scores; 0 without any. */
double dse_runner_mean(const struct dse_runner *runner);

/* The best mean among those of the running that have most scores (splits are not equally easy); SIZE_MAX where there is none with a
 * score. Of equal ones the first. */
size_t dse_race_leader(const struct dse_race *race);

/* Brings all that run to `splits` scores, split by split; after each from DSE_RACE_LEAST on, those that have lost against the
 * leader are stopped. Measurements go by split, then by place, while the budget lasts. */
enum dse_status dse_race_run(struct dse_race *race, size_t splits, struct dse_error *err);

/* Lets the best `keep` of the running of each kind go on; the others pass. */
void dse_race_keep(struct dse_race *race, size_t keep);

#endif
