/* Constants that no document gives: fitted to the visible columns of the paper's Table II by least mean relative error, which
 * `nysx-dse validate --family hydraf` does again, also without each column. Resources have no fitted constant.
 *
 * Crowding is met by one row alone, L_train of 3k: what it asks for (1.42) explains that row and predicts no other, so it
 * has no effect but at the end of the band. */
#include "models/hydraf/hydraf.h"

const struct dse_fitted hydraf_fitted[HYDRAF_FITTED_COUNT] = {
    [HYDRAF_SELECTION] = {"selection.cycles",
                          "additional cycles of one sample's update of a chunk, for each 384 Kbit of hypervectors above the first",
                          0.0, 0.0, 1.42, 0.0, 100.0},
};
