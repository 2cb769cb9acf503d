/* A front's designs, evaluated again: on several threads, and where but some of them are looked at those alone. */
#ifndef DSE_EXPLORE_FRONT_H
#define DSE_EXPLORE_FRONT_H

#include "explore/corners.h"
#include "explore/workbench.h"
#include "search/search.h"

/* An estimate with what it is about. Nothing is owned. */
struct dse_design {
    const struct dse_setup *setup;
    const char *dataset;
    const struct dse_estimate *estimate;
    const struct dse_quality *quality; /* NULL where nothing was measured */
    const struct dse_standard *standard; /* what that is held against; NULL: not told */
    int64_t id;                        /* of the point in its study; 0 where it is in none */
};

/* An answer's designs in its order; empty when zeroed. */
struct dse_front {
    struct dse_setup *setups;       /* count */
    struct dse_estimate *estimates; /* count; of those that nobody looks at nothing */
    struct dse_design *designs;     /* count */
    size_t *order;                  /* "balanced" first, then by balance, near-clones of those before them last */
    size_t count;
    struct dse_corners corners;
    /* The paper's design on the same board, where it can be built and its work is known. */
    bool has_paper;
    struct dse_setup paper_setup;
    struct dse_estimate paper_estimate;
    struct dse_design paper;
};

/* The corners of a front, and its points by rank: the "balanced" first, then by balance, near-clones of those before them last.
 * Fills `order` (front_count indices). */
enum dse_status dse_front_rank(const struct dse_question *question, const struct dse_profile *profile, const struct dse_standard *standard,
                    const struct dse_answer *answer, struct dse_corners *corners, size_t *order,
                    struct dse_error *err);

/* The points of a front by balance: the sum of log(objective / best of that objective) over the objectives, smallest first.
 * Fills `order` (front_count indices). */
void dse_front_balance(const struct dse_question *question, const struct dse_answer *answer, size_t *order);

/* Leaves of a front what covers it at a resolution: every design that goes is matched, within that share, by one that stays in
 * every objective. The best of each objective stay; of the others the more balanced. O(points × those that stay). */
enum dse_status dse_front_cover(const struct dse_question *question, double resolution, struct dse_answer *answer,
                                struct dse_error *err);

/* The place in the front of row `row` of `shown` (1 or more): evenly over the front, both ends included. */
size_t dse_front_picked(size_t count, size_t shown, size_t row);

/* Evaluates the answer's points on one board; `best` most balanced ones and `shown` rows (0: all of them). O(points). */
enum dse_status dse_front_make(const struct dse_workbench *bench, size_t board, const struct dse_profile *profile,
                               const struct dse_standard *standard, const struct dse_question *question,
                               const struct dse_answer *answer, size_t best, size_t shown, struct dse_front *front,
                               struct dse_error *err);
void dse_front_free(struct dse_front *front);

#endif
