/* What the paper does not say: fitted to the visible rows of Table 6 by least mean relative error, which
 * `nysx-dse validate --family hdreason` does again, also without each row. */
#include "models/hdreason/hdreason.h"

const struct dse_fitted hdreason_fitted[HDREASON_FITTED_COUNT] = {
    [HDREASON_DISPATCH] = {"dispatch.cycles", "cycles of the dispatcher for one neighbour that is on chip: CAM, URAM, FIFOs", 1.0, 1.0, 2.0, 1.0,
                           16.0},
    [HDREASON_CARD] = {"card.watts", "watts of the card besides what the engines draw: HBM stacks, PCIe, regulators", 20.0, 15.0, 25.0, 0.0, 60.0},
};
