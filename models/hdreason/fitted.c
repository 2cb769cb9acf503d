/* Constants that the paper does not state: fitted to its power and to the visible energies of Table 6 by least mean relative error;
 * `nysx-dse validate --family hdreason` repeats the fit, also leaving out each row. Latency, memory and resources have no fitted constant. */
#include "models/hdreason/hdreason.h"

const struct dse_fitted hdreason_fitted[HDREASON_FITTED_COUNT] = {
    [HDREASON_CARD] = {"card.watts", "watts of the card without the engines: HBM stacks, PCIe, regulators", 27.28, 22.0, 30.0, 0.0, 60.0},
};
