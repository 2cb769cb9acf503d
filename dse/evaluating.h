/* The estimates of a front, which may have ten thousands of designs: on several threads, and where a table shows but some of
 * them those alone. */
#ifndef DSE_EVALUATING_H
#define DSE_EVALUATING_H

#include "dse/workbench.h"
#include "search/search.h"

struct dse_evaluating {
    const struct dse_workbench *bench;
    size_t board;
    const struct dse_profile *profile;
    const struct dse_answer *answer;
    const bool *wanted; /* of the front's points; NULL: all */
    size_t jobs;
};

/* Fills the places of the points that are wanted; `setups` are all filled. O(points). */
enum dse_status dse_evaluating_run(const struct dse_evaluating *evaluating, struct dse_setup *setups,
                                   struct dse_estimate *estimates, struct dse_error *err);

#endif
