/* Softmax over a sample's similarities, the weighted sum of its predictions, and when learning its loss (paper, section
 * III.B): one exponential unit, a division, and a multiplier for each entry of the N × K product of both. 64 of those
 * and the 12 DSPs of an exponential, an addition and a multiplication are the 76 DSPs of Table II. */
#include <math.h>

#include "models/hydraf/hydraf.h"

/* `prediction.cycles` was read off designs of so many clusters (Table II). Their similarities pass the one exponential
 * unit one after another; nothing published says what else grows with them. */
#define FITTED_CLUSTERS 8

enum dse_status hydraf_account_confidence(const struct dse_context *context, const struct dse_config *config,
                                          struct dse_accumulators *out, struct dse_error *err)
{
    struct hydraf_shape shape = hydraf_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    int64_t entries = shape.batch * shape.clusters, met = shape.rows * shape.clusters;
    dse_build_operator(&build, DSE_OP_EXP, DSE_FP32, 1.0);
    dse_build_operator(&build, DSE_OP_ADD, DSE_FP32, 1.0);
    dse_build_operator(&build, DSE_OP_DIVIDE, DSE_FP32, 1.0);
    dse_build_operator(&build, DSE_OP_MUL, DSE_FP32, 1.0);
    dse_build_operator(&build, DSE_OP_MUL, shape.precision == DSE_FP32 ? DSE_FP32 : DSE_INT16, (double)entries);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, 2.0 * 32.0 * (double)entries, 1.0); /* A' and P */
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 3.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    double busy = dse_fitted_value(hydraf_fitted, HYDRAF_PREDICTION, context);
    if (!shape.learns)
        busy = fmax(busy + (double)(shape.clusters - FITTED_CLUSTERS), 0.0);
    else
        busy += (double)met * dse_fitted_value(hydraf_fitted, HYDRAF_LEARNING, context);
    hydraf_put_cycles(out, HYDRAF_STAGE_PREDICT, &shape, busy, 0.0);
    /* exp, sum, division, comparison for the largest, weighting and its sum; a difference when learning */
    out->operations[DSE_FP32] = hydraf_times(&shape, (double)(6 * met + (shape.learns ? shape.rows : 0)));
    out->on_chip_bytes = hydraf_times(&shape, (double)(met * 8));
    return dse_build_finish(&build, busy * shape.runs, out);
}
