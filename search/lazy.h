/* Quality on demand: which settings are worth a training run.
 *
 * A search knows the hardware side of a setting from its workload alone. What it lacks is the quality, which takes
 * training runs. So each setting that is not measured (a candidate) is first searched as if its quality were the best
 * possible. If none of its designs fits, or all are dominated by designs of known quality, no measurement could bring it
 * to the front, and none is made. The others are measured a few at a time, best first objective first; each result may
 * exclude more candidates. The result is the front over all candidates, as if all had been measured. */
#pragma once

#include "search/search.h"

enum dse_fate {
    DSE_FATE_OPEN,       /* not decided: the budget or an interruption came first */
    DSE_FATE_MEASURED,   /* and as good as asked for */
    DSE_FATE_BELOW,      /* measured, and not as good as asked for */
    DSE_FATE_INFEASIBLE, /* nothing of it fits and holds the limits, whatever its quality */
    DSE_FATE_DOMINATED,  /* whatever its quality, it is not on the front */
    DSE_FATE_COUNT
};

struct dse_candidate {
    struct dse_alternative alternative; /* its quality once it is measured, else NaN */
    enum dse_fate fate;
};

struct dse_lazy {
    const struct dse_question *question; /* its alternatives are not looked at */
    struct dse_candidate *candidates;    /* candidate_count */
    size_t candidate_count;
    double least_quality;                /* of designs that count; −infinity without such a rule */
    double best_quality;                 /* nothing is better */
    size_t batch;                        /* how many are measured at a time at least, 1 or more; the measurements depend on it */
    /* Finds the front of a question, which is about candidate `which` alone. */
    enum dse_status (*search)(void *user, size_t which, const struct dse_question *question, struct dse_answer *answer,
                              struct dse_error *err);
    /* Measures the candidates `which` (count); `quality` of those that were not measured stays NaN. Sets `ended` where
     * nothing more is to be measured. */
    enum dse_status (*measure)(void *user, const size_t *which, size_t count, double *quality, bool *ended,
                               struct dse_error *err);
    void *user;
};

/* Adds the candidates' designs to `answer`, which holds the front of the measured settings (it may be empty, and stays the
 * caller's after a failure). The answer is proven if it was before and no candidate stays open. A point's alternative counts
 * the question's settings first, then the candidates. DSE_CANCELLED with what is known so far. */
enum dse_status dse_lazy_search(struct dse_lazy *demand, struct dse_answer *answer, struct dse_error *err);
