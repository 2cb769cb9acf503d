/* Corners of a front: its named designs. */
#pragma once

#include "search/question.h"

enum dse_corner {
    DSE_CORNER_BALANCED,     /* among the designs within one standard error of the best accuracy, the least latency × energy;
                              * within a tenth of that product, the smallest footprint */
    DSE_CORNER_FASTEST,
    DSE_CORNER_LEAST_ENERGY,
    DSE_CORNER_SMALLEST,     /* the smallest footprint: the largest share of any resource */
    DSE_CORNER_MOST_ACCURATE, /* the highest mean; means of races that stopped early do not count */
    DSE_CORNER_COUNT
};
extern const char *const dse_corner_names[DSE_CORNER_COUNT]; /* "balanced", "fastest", "least_energy", … */
extern const char *const dse_corner_titles[DSE_CORNER_COUNT]; /* "balanced", "fastest", "least energy", … */

#define DSE_CORNER_NONE SIZE_MAX

struct dse_corners;

/* For labels, how a corner is chosen: "balanced: least latency × energy within 1 SE of the best accuracy". */
const char *dse_corner_meaning(const struct dse_corners *corners, enum dse_corner corner);

/* Empty (DSE_CORNER_NONE) where no design is better than a constant prediction; none is the most accurate where nothing was measured. */
struct dse_corners {
    size_t at[DSE_CORNER_COUNT]; /* places among the points */
    const struct dse_quality *best; /* the most accurate; NULL where nothing was measured */
    double best_quality;         /* its mean; NaN */
};

/* Whether a quality is not told apart from the best: its mean is no more than one standard error of the best's below it. A setting
 * whose validation was stopped before the best's is not as good. What was reported chooses nothing. */
bool dse_corner_as_good(const struct dse_quality *best, const struct dse_quality *other);

/* Finds the corners of a front. Ties go to less latency, then less energy, then less of the board, then the earlier point.
 * O(points). */
void dse_corners_find(const struct dse_question *question, const struct dse_profile *profile,
                      const struct dse_standard *standard, const struct dse_point *points, size_t count,
                      struct dse_corners *out);

/* The same of points whose qualities are at hand (NULL: not measured), on a board with those limits. */
void dse_corners_among(const int64_t limits[DSE_RESOURCE_COUNT], const struct dse_standard *standard, const struct dse_point *points,
                       const struct dse_quality *const *qualities, size_t count, struct dse_corners *out);

/* The share of what a kernel may use that a design takes of the resource that it takes most of; that metric in `most`. */
double dse_corner_share(const int64_t limits[DSE_RESOURCE_COUNT], const double metrics[DSE_METRIC_COUNT],
                        enum dse_metric *most);

/* The standard error of a mean: its deviation over the root of its runs. */
double dse_corner_standard_error(const struct dse_quality *quality);
