/* A race: settings compared in pairs on common splits, those that have lost stopped, under a budget of work. It knows neither
 * data nor families: whoever holds the race measures. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

#define DSE_RACE_SPLITS 10 /* a whole race */
#define DSE_RACE_LEAST 3   /* before anything is stopped by a test */

enum dse_race_fate {
    DSE_RACE_RUNNING,
    DSE_RACE_LOST,   /* significantly below the leader */
    DSE_RACE_PASSED  /* not below it for certain, and not among the best that went on; without a score: never looked at */
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
    bool ended;           /* the budget did not reach for all that was asked: some passed for it, or were never looked at */
    /* Fills `scores` [count] with those of the runners `which` on one split. */
    enum dse_status (*measure)(void *user, const size_t *which, size_t count, size_t split, double *scores,
                               struct dse_error *err);
    void *user;
};

/* How the differences of other pairs scatter, and with how many degrees of freedom that is known. */
struct dse_race_spread {
    double variance, freedom;
};

/* Whether `other` is below `leader`: one-sided t test of the differences on n common splits at 5 %, with the variance of random
 * splits whose training parts overlap (Nadeau and Bengio 2003): (1/n + overlap) times that of the differences. With `others` that
 * variance is moderated: theirs counts like 10 differences more (fewer where it is known worse), as G. K. Smyth does where few
 * measurements are of one thing and many of its like (2004). No difference anywhere is no loss. */
bool dse_race_lost(const double *leader, const double *other, size_t n, double overlap, bool higher_is_better,
                   const struct dse_race_spread *others);

/* The mean of a runner's scores; 0 without any. */
double dse_runner_mean(const struct dse_runner *runner);

/* The best mean among those of the running that have most scores (splits are not equally easy); SIZE_MAX where there is none with a
 * score. Of equal ones the first. */
size_t dse_race_leader(const struct dse_race *race);

/* Brings all that run to `splits` scores, split by split, for at most `share` of what is left of the budget; after each from
 * DSE_RACE_LEAST on, those that have lost against the leader are stopped. Where the budget does not reach for all, fewer are looked
 * at, and after each split the best alone go on (kinds taking turns), ever fewer: successive halving (Karnin, Koren and Somekh
 * 2013). O(splits × runners²). */
enum dse_status dse_race_run(struct dse_race *race, size_t splits, double share, struct dse_error *err);

/* Lets the best `keep` of the running of each kind go on; the others pass. */
void dse_race_keep(struct dse_race *race, size_t keep);
