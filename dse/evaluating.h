/* The estimates of a front, which may have ten thousands of designs: on several threads, and where a table shows but some of
 * them those alone. */
#ifndef DSE_EVALUATING_H
#define DSE_EVALUATING_H

#include "dse/workbench.h"
#include "reports/estimate.h"
#include "search/search.h"

struct dse_evaluating {
    const struct dse_workbench *bench;
    size_t board;
    const struct dse_profile *profile;
    const struct dse_answer *answer;
    const bool *wanted; /* of the front's points; NULL: all */
    size_t jobs;
};

/* Fills the setups and what is reported of all points (each front_count), and the estimates of those that are wanted.
 * O(points). */
enum dse_status dse_evaluating_run(const struct dse_evaluating *evaluating, struct dse_setup *setups,
                                   struct dse_estimate *estimates, struct dse_reported *reported, struct dse_error *err);

#endif
