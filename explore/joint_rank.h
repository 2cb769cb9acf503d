/* The corners of a front of one design for several data sets. */
#ifndef DSE_EXPLORE_JOINT_RANK_H
#define DSE_EXPLORE_JOINT_RANK_H

#include "explore/corners.h"
#include "search/joint.h"

struct dse_joint_ranking {
    enum dse_joining how;
    const double *weights; /* sets; of DSE_JOIN_WEIGHTED */
    size_t sets;
    const struct dse_quality *const *each; /* of point i and data set d: each[i × sets + d]; NULL: not measured */
};

/* Fills a quality a point: its combined mean, and a deviation that gives the standard error of the data sets' mean (each data set's own is
 * independent), or, of the worst, that of the data set that it is of; without a name where a data set has none. By these the corners are
 * found, whose `best` is one of them, and the order: by balance, with `balanced_first` the balanced one before all. O(points × sets). */
enum dse_status dse_joint_rank(const struct dse_question *question, const struct dse_joint_ranking *ranking, const struct dse_answer *answer,
                               bool balanced_first, struct dse_quality *qualities, struct dse_corners *corners, size_t *order,
                               struct dse_error *err);

#endif
