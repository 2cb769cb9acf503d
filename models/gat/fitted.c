/* Fitted to the Cora row of Table 6.2 by least mean relative error; `nysx-dse validate --family gat` repeats the fit. Execution has no
 * fitted constant. */
#include "models/gat/gat.h"
#include "models/gat/transfers.h"

const struct dse_fitted gat_fitted[GAT_FITTED_COUNT] = {
    [GAT_SETUP] = {"transfer.setup", "microseconds of the processor for one transfer", GAT_SETUP_US, 140.0, 180.0, 0.0, 1000.0},
    [GAT_FIRST] = {"transfer.first", "additional microseconds of the transfers before layer 1, the first of a graph", GAT_FIRST_US, 5500.0,
                   7500.0, 0.0, 100000.0},
};
