/* Corners of a front: its named designs. Latency and energy are the kernel's, or the system's if the objectives have only the system's. */
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

/* Selection rule of a corner, for labels: "fastest with accuracy of at least 0.756". Returns `text`. */
#define DSE_CORNER_MEANING 128
const char *dse_corner_meaning(const struct dse_corners *corners, enum dse_corner corner, char text[DSE_CORNER_MEANING]);

/* Corners are DSE_CORNER_NONE if no design beats a constant prediction; most_accurate also if nothing was measured. */
struct dse_corners {
    size_t at[DSE_CORNER_COUNT]; /* indices of points */
    const struct dse_quality *best; /* the most accurate; NULL if nothing was measured */
    double best_quality;         /* the mean, or NaN */
    double required;             /* least mean of any design of the front; not finite without a rule */
};

/* Whether a quality is within one standard error of the best: its mean is below the best mean by at most the best's standard error. A setting whose
 * validation stopped before the best's does not qualify. Reported qualities do not influence a choice. */
bool dse_corner_as_good(const struct dse_quality *best, const struct dse_quality *other);

/* Finds the corners of a front. Ties: lower latency, lower energy, smaller footprint, then the earlier point.
 * O(points). */
void dse_corners_find(const struct dse_question *question, const struct dse_profile *profile,
                      const struct dse_standard *standard, const struct dse_point *points, size_t count,
                      struct dse_corners *out);

/* As dse_corners_find, for points with given qualities (NULL: not measured), on a board with those limits; `question` has the objectives. */
void dse_corners_among(const struct dse_question *question, const int64_t limits[DSE_RESOURCE_COUNT], const struct dse_standard *standard,
                       const struct dse_point *points, const struct dse_quality *const *qualities, size_t count, struct dse_corners *out);

/* Footprint: the largest share of a kernel's limit that a design takes of any resource; that metric in `most`. */
double dse_corner_share(const int64_t limits[DSE_RESOURCE_COUNT], const double metrics[DSE_METRIC_COUNT],
                        enum dse_metric *most);

/* Standard error of a mean: the deviation over the square root of the number of runs. */
double dse_corner_standard_error(const struct dse_quality *quality);
