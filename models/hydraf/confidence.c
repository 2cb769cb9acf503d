/* Softmax over a sample's similarities and the weighted sum of its predictions, one sample after another (paper, section III.B). As in
 * models/hydraf/hls/softmax.c, it has a chain of comparators, one exponential at one cluster per cycle, two adder trees in LUTs, and a
 * division. When learning, the gains of the N × K entries follow, in single precision and then as integers. */
#include "models/hydraf/layout.h"

/* Scaling, the exponential (five products, four additions and a conversion, README.md), weighting, both trees, the division. */
static void build_softmax(struct dse_build *build, const struct hydraf_layout *l)
{
    dse_build_operator(build, DSE_OP_MUL, DSE_FP32, 2.0 + 5.0 + 1.0);
    dse_build_operator(build, DSE_OP_ADD, DSE_FP32, 4.0 + (l->real ? 1.0 : 0.0));
    dse_build_operator_in(build, DSE_OP_ADD, DSE_FP32, DSE_FORM_LUT, 2.0 * (double)(l->shape.clusters - 1));
    dse_build_operator(build, DSE_OP_FROM_FP32, DSE_INT32, 1.0);
    dse_build_operator(build, DSE_OP_DIVIDE, DSE_FP32, 1.0);
    if (!l->real)
        dse_build_operator(build, DSE_OP_TO_FP32, DSE_INT32, 2.0);
    dse_build_structure(build, DSE_STRUCTURE_COMPARATOR, l->shape.bits == 16 ? 64.0 : 32.0, (double)(l->shape.clusters - 1));
}

/* Losses, confidences and gains; gains for integer elements become integers. */
static void build_gains(struct dse_build *build, const struct dse_config *config, bool real)
{
    double cluster = 1.0 + (config->value[HYDRAF_CLUSTER_LOSS] == HYDRAF_LOSS_RELATIVE) + (config->value[HYDRAF_CLUSTER_WEIGHT] == HYDRAF_WEIGHT_CONFIDENCE);
    double model = 2.0 + (config->value[HYDRAF_SHARING] == HYDRAF_BY_CONFIDENCE); /* plus the confidence itself */
    dse_build_operator(build, DSE_OP_MUL, DSE_FP32, model + cluster + (real ? 0.0 : 2.0));
    dse_build_operator(build, DSE_OP_ADD, DSE_FP32, 1.0 + (config->value[HYDRAF_CLUSTER_LOSS] == HYDRAF_LOSS_RELATIVE) + (real ? 0.0 : 2.0));
    dse_build_operator(build, DSE_OP_DIVIDE, DSE_FP32, 1.0);
    if (!real)
        dse_build_operator(build, DSE_OP_FROM_FP32, DSE_INT32, 2.0);
}

enum dse_status hydraf_cost_confidence(const struct dse_context *context, const struct dse_config *config,
                                          struct dse_accumulators *out, struct dse_error *err)
{
    const struct hydraf_layout l = hydraf_layout_of(config, context->work);
    const struct hydraf_shape *shape = &l.shape;
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    const struct hydraf_depths depth = hydraf_depths_of(&build, &l, config);
    int64_t entries = shape->batch * shape->clusters, met = shape->rows * shape->clusters;
    build_softmax(&build, &l);
    build_gains(&build, config, l.real);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, 2.0 * 32.0 * (double)entries, 1.0); /* A' and P */
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 4.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    int64_t busy = shape->rows * (depth.entry + shape->clusters - 1);
    int64_t gains = depth.gains + met - 1 + depth.taken + met - 1;
    hydraf_put_cycles(out, HYDRAF_STAGE_PREDICT, shape, (double)busy, 0.0);
    if (shape->learns)
        hydraf_put_cycles(out, HYDRAF_STAGE_UPDATE, shape, 0.0, (double)gains);
    hydraf_note(context, shape, "softmax_entries", shape->rows, met, 1, depth.entry);
    hydraf_note(context, shape, "update_largest", shape->learns, shape->learns ? met : 0, 1, depth.gains);
    hydraf_note(context, shape, "update_gains", shape->learns, shape->learns ? met : 0, 1, depth.taken);
    /* exponential, its product, two sums, scaling, comparison; a difference when learning */
    out->operations[DSE_FP32] = hydraf_times(shape, (double)(6 * met + (shape->learns ? shape->rows : 0)));
    out->on_chip_bytes = hydraf_times(shape, (double)(met * 8));
    return dse_build_finish(&build, (double)(busy + (shape->learns ? gains : 0)) * shape->runs, out);
}
