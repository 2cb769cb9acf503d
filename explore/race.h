/* A race: settings compared in pairs on common splits; settings that lose are stopped; work is budgeted. It knows neither
 * data nor families: the caller measures. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

#define DSE_RACE_SPLITS 10 /* splits of a whole race */
#define DSE_RACE_LEAST 3   /* splits before a test may stop a setting */

enum dse_race_fate {
    DSE_RACE_RUNNING,
    DSE_RACE_LOST,   /* significantly below the leader */
    DSE_RACE_PASSED  /* not significantly below, but not among the best that continued; without a score: never measured */
};

struct dse_runner {
    double score[DSE_RACE_SPLITS]; /* on the first `count` splits */
    size_t count;
    double units; /* cost of one measurement */
    size_t kind;  /* runners of different kinds do not displace each other */
    enum dse_race_fate fate;
};

struct dse_race {
    struct dse_runner *runners; /* count; owned by the caller */
    size_t count;
    bool higher_is_better;
    double overlap;       /* judging items per training item: 0.25 */
    double budget, spent; /* units */
    size_t measurements;
    bool ended;           /* the budget did not suffice: some runners passed because of it, or were never measured */
    /* Fills `scores` [count] with the scores of the runners `which` on one split. */
    enum dse_status (*measure)(void *user, const size_t *which, size_t count, size_t split, double *scores,
                               struct dse_error *err);
    void *user;
};

/* Scatter of the differences of other pairs, with its degrees of freedom. */
struct dse_race_spread {
    double variance, freedom;
};

/* Whether `other` is below `leader`: one-sided t test of the differences on n common splits at 5 %. The variance is (1/n + overlap) times that of the
 * differences, for random splits with overlapping training parts (Nadeau and Bengio 2003). With `others` the variance is moderated: theirs counts as
 * 10 more differences (fewer if less certain), as in G. K. Smyth (2004) for few measurements of each of many similar things. Without any difference
 * there is no loss. */
bool dse_race_lost(const double *leader, const double *other, size_t n, double overlap, bool higher_is_better,
                   const struct dse_race_spread *others);

/* Mean of a runner's scores; 0 without scores. */
double dse_runner_mean(const struct dse_runner *runner);

/* The best mean among the running with the most scores (splits differ in difficulty); SIZE_MAX if none has a
 * score. Ties: the first. */
size_t dse_race_leader(const struct dse_race *race);

/* Brings all running settings to `splits` scores, split by split, for at most `share` of the remaining budget. After each split from DSE_RACE_LEAST
 * on, stops those that lost against the leader. If the budget does not suffice for all, fewer are measured. After each split only the best then
 * continue (kinds in turn), ever fewer: successive halving (Karnin, Koren and Somekh 2013). O(splits × runners²). */
enum dse_status dse_race_run(struct dse_race *race, size_t splits, double share, struct dse_error *err);

/* Keeps the best `keep` running of each kind; the others pass. */
void dse_race_keep(struct dse_race *race, size_t keep);
