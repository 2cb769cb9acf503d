/* Quality on demand: which settings are worth a training run.
 *
 * A search knows the hardware side of a setting from its workload alone. It lacks the quality, which takes training runs. So each setting that is not
 * measured (a candidate) is first searched as if its quality were the best possible. If none of its designs fits, or all are dominated by designs of
 * known quality, no measurement could bring it to the front, and none is made. The others are measured a few at a time, in ascending order of the first objective;
 * each result may exclude more candidates. The result is the front over all candidates, as if all had been measured. */
#pragma once

#include "search/search.h"

enum dse_fate {
    DSE_FATE_OPEN,       /* undecided: the budget or an interruption came first */
    DSE_FATE_MEASURED,   /* and meets the requirement */
    DSE_FATE_BELOW,      /* measured, below the requirement */
    DSE_FATE_INFEASIBLE, /* none of its designs fits and meets the limits, whatever its quality */
    DSE_FATE_DOMINATED,  /* not on the front, whatever its quality */
    DSE_FATE_COUNT
};

struct dse_candidate {
    struct dse_alternative alternative; /* quality NaN until measured */
    enum dse_fate fate;
};

struct dse_lazy {
    const struct dse_question *question; /* alternatives of the question are ignored */
    struct dse_candidate *candidates;    /* candidate_count */
    size_t candidate_count;
    double least_quality;                /* least quality of designs that count; −infinity without a rule */
    double best_quality;                 /* upper bound */
    size_t batch;                        /* minimum number of candidates measured together, 1 or more; the choice of measurements depends on it */
    /* Finds the front of a question about candidate `which` only. */
    enum dse_status (*search)(void *user, size_t which, const struct dse_question *question, struct dse_answer *answer,
                              struct dse_error *err);
    /* Measures the candidates `which` (count); `quality` of candidates not measured stays NaN. Sets `ended` to stop
     * measuring. */
    enum dse_status (*measure)(void *user, const size_t *which, size_t count, double *quality, bool *ended,
                               struct dse_error *err);
    void *user;
};

/* Adds the candidates' designs to `answer`, which holds the front of the measured settings (possibly empty; owned by
 * the caller also after a failure). The answer is proven if it was before and no candidate stays open. A point's alternative indexes
 * the question's settings first, then the candidates. DSE_CANCELLED with the results so far. */
enum dse_status dse_lazy_search(struct dse_lazy *demand, struct dse_answer *answer, struct dse_error *err);
