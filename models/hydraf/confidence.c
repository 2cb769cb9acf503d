/* Softmax over a sample's similarities, the weighted sum of its predictions, and when learning its loss (paper, section
 * III.B): one exponential unit, a division, and a multiplier for each entry of the N × K product of both. 64 of those
 * and the 12 DSPs of an exponential, an addition and a multiplication are the 76 DSPs of Table II: the trees of sums are in LUTs. */
#include "models/hydraf/hydraf.h"

/* From a row's sums to its estimate. The K differences from the largest pass one after another. */
static int64_t answer_cycles(struct dse_build *build, const struct hydraf_shape *shape)
{
    enum dse_precision sums = shape->precision == DSE_FP32 ? DSE_FP32 : DSE_INT32;
    int64_t levels = hydraf_levels(shape->clusters), multiply = hydraf_latency(build, DSE_OP_MUL, DSE_FP32, DSE_FORM_ANY);
    int64_t scaled = hydraf_latency(build, DSE_OP_ADD, sums, DSE_FORM_ANY) + hydraf_latency(build, DSE_OP_TO_FP32, sums, DSE_FORM_ANY) + multiply;
    return levels * hydraf_latency(build, DSE_OP_COMPARE, sums, DSE_FORM_ANY) + scaled +
           hydraf_latency(build, DSE_OP_EXP, DSE_FP32, DSE_FORM_ANY) + shape->clusters - 1 + multiply +
           levels * hydraf_latency(build, DSE_OP_ADD, DSE_FP32, DSE_FORM_LUT) + hydraf_latency(build, DSE_OP_DIVIDE, DSE_FP32, DSE_FORM_ANY);
}

/* A row's loss, then its gains: each entry goes twice through the multiplier and is written before the next begins. */
static int64_t gain_cycles(struct dse_build *build, const struct hydraf_shape *shape)
{
    return hydraf_latency(build, DSE_OP_ADD, DSE_FP32, DSE_FORM_ANY) +
           shape->clusters * (2 * hydraf_latency(build, DSE_OP_MUL, DSE_FP32, DSE_FORM_ANY) + 1);
}

int64_t hydraf_predict_cycles(struct dse_build *build, const struct hydraf_shape *shape)
{
    return shape->rows * (answer_cycles(build, shape) + (shape->learns ? gain_cycles(build, shape) : 0));
}

enum dse_status hydraf_account_confidence(const struct dse_context *context, const struct dse_config *config,
                                          struct dse_accumulators *out, struct dse_error *err)
{
    struct hydraf_shape shape = hydraf_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    int64_t entries = shape.batch * shape.clusters, met = shape.rows * shape.clusters;
    double busy = (double)hydraf_predict_cycles(&build, &shape);
    dse_build_operator(&build, DSE_OP_EXP, DSE_FP32, 1.0);
    dse_build_operator(&build, DSE_OP_ADD, DSE_FP32, 1.0);
    dse_build_operator(&build, DSE_OP_DIVIDE, DSE_FP32, 1.0);
    dse_build_operator(&build, DSE_OP_MUL, DSE_FP32, 1.0);
    dse_build_operator(&build, DSE_OP_MUL, shape.precision == DSE_FP32 ? DSE_FP32 : DSE_INT16, (double)entries);
    dse_build_operator_in(&build, DSE_OP_ADD, DSE_FP32, DSE_FORM_LUT, 2.0 * (double)(shape.clusters - 1)); /* both trees */
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, 2.0 * 32.0 * (double)entries, 1.0); /* A' and P */
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 3.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    hydraf_put_cycles(out, HYDRAF_STAGE_PREDICT, &shape, busy, 0.0);
    /* exp, sum, division, comparison for the largest, weighting and its sum; a difference when learning */
    out->operations[DSE_FP32] = hydraf_times(&shape, (double)(6 * met + (shape.learns ? shape.rows : 0)));
    out->on_chip_bytes = hydraf_times(&shape, (double)(met * 8));
    return dse_build_finish(&build, busy * shape.runs, out);
}
