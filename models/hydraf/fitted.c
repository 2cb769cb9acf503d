/* What no document gives: fitted to the visible columns of the paper's Table II by least mean relative error, which
 * `nysx-dse validate --family hydraf` does again, also without each column. Resources have no fitted constant. */
#include "models/hydraf/hydraf.h"

const struct dse_fitted hydraf_fitted[HYDRAF_FITTED_COUNT] = {
    [HYDRAF_PREDICTION] = {"prediction.cycles",
                           "cycles from the last chunk's sums to a prediction: adder trees, confidences, weighting",
                           15.0, 4.0, 16.0, 0.0, 1000.0},
    [HYDRAF_LEARNING] = {"learning.cycles",
                         "cycles of confidence and loss for one sample and cluster while learning, one after the other",
                         12.95, 12.85, 13.0, 0.0, 100.0},
    [HYDRAF_SELECTION] = {"selection.cycles",
                          "cycles more that one sample's update of a chunk takes where it selects among over 32 chunks",
                          2.08, 1.0, 4.0, 0.0, 100.0},
};
