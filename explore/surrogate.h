/* What qualities say of qualities: a Gaussian process over algorithmic settings (C. E. Rasmussen and C. K. I. Williams, "Gaussian
 * Processes for Machine Learning", MIT Press 2006), by LAPACK. */
#ifndef DSE_EXPLORE_SURROGATE_H
#define DSE_EXPLORE_SURROGATE_H

#include "models/model.h"
#include "space/space.h"

#define DSE_SURROGATE_LEAST 12 /* fewer settings say nothing */
#define DSE_SURROGATE_MOST 600 /* of more, the last count */

/* A setting whose quality is known; and one whose is not. */
struct dse_surrogate;

/* Settings become points: a number its place among the values that its knob has in `configs` (count) and `more`, 0 to 1, a word a
 * corner of its own; knobs that have one value say nothing. The covariance is Matérn's with ν = 5/2 and one length, a constant mean, and
 * noise; length and noise are those of a grid that predict each setting best from all others (leave one out), and deviations are
 * widened until these predictions are as far off as they say. NULL, and DSE_OK, where fewer than DSE_SURROGATE_LEAST settings are known.
 * O(count³) and O(count²) of memory. */
enum dse_status dse_surrogate_fit(const struct dse_space *space, const struct dse_config *configs, const double *quality, size_t count,
                                  const struct dse_config *more, size_t more_count, struct dse_surrogate **out, struct dse_error *err);

/* The mean that a setting's measurement is expected to come to, and its deviation, the noise of measuring included. O(count²). */
void dse_surrogate_at(const struct dse_surrogate *surrogate, const struct dse_config *config, double *mean, double *deviation);

/* How many deviations from the mean a quality is at most, at a level of 0.5 … 1: as of the normal distribution, or, where that is more, as
 * the predictions of known settings from all others were off. */
double dse_surrogate_reach(const struct dse_surrogate *surrogate, double level);

void dse_surrogate_free(struct dse_surrogate *surrogate);

/* The quantile of the normal distribution at 0.5 < level < 1, to 5e-4 (Abramowitz and Stegun, 26.2.23). */
double dse_normal_quantile(double level);

#endif
