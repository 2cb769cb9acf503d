/* Baseline of speed-ups: the publication's figure for a design if it has one, otherwise the modelled figure. */
#pragma once

#include "datasets/profile.h"
#include "models/estimate.h"

/* Published figures of a design on a board and data set; empty when zeroed, except that missing figures are NaN. */
struct dse_baseline {
    double published[DSE_METRIC_COUNT]; /* SI units; NaN if not published for this design */
    char source[DSE_METRIC_COUNT][64];  /* "Table 6" */
    char modelled[64];                  /* memory with which the models count if the publication has another: "on one 128-bit port of this board"; ""
                                         * if it has the same */
};

/* Finds a configuration's figures in the family's publication (models/NAME/published.xml): same board, same data, all active knobs
 * equal. A latency published in cycles is converted at the configuration's clock. A family without the file has none. O(figures). */
void dse_baseline_find(const struct dse_model_family *family, const struct dse_space *space, const struct dse_board *board,
                       const struct dse_profile *profile, const struct dse_config *config, struct dse_baseline *out);

/* A metric of the baseline: published, or of the modelled design (NULL: NaN). */
double dse_baseline_value(const struct dse_baseline *baseline, const struct dse_estimate *modelled, enum dse_metric metric);
