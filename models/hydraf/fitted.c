/* Constants that no document states: fitted to the visible columns of the paper's Table II by least mean relative error;
 * `nysx-dse validate --family hydraf` repeats the fit, also leaving out each column. Resources have no fitted constant.
 *
 * Only one row, L_train of 3k, shows crowding. Its value (1.42) explains that row and predicts no other. Crowding
 * therefore has an effect only at the end of the band. */
#include "models/hydraf/hydraf.h"

const struct dse_fitted hydraf_fitted[HYDRAF_FITTED_COUNT] = {
    [HYDRAF_SELECTION] = {"selection.cycles",
                          "additional cycles of one sample's update of a chunk, for each 384 Kbit of hypervectors above the first",
                          0.0, 0.0, 1.42, 0.0, 100.0},
};
