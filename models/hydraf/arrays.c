/* The two systolic arrays, N rows by K columns: the batch against the clusters and, in parallel, against the regression
 * models (paper, section IV.C).
 *
 * When learning, one chunk takes Texec = II (T + max(K, N)) cycles. When answering, pipelined arrays of integer elements take a sample's chunk per
 * step: each processing element has T products and their sum. Table II's LUTs and the chunk sizes that fit (section V.F) imply that many
 * products. Otherwise an element has one multiply-accumulate. If it is not pipelined, II is its latency ("the single PE execution
 * time"). Single-precision sums keep their order, so they wait for their own last addition. */
#include "models/hydraf/layout.h"

/* `waited`: the pipeline's depth counts once for both arrays, which run in parallel. */
static void build_array(struct dse_build *build, const struct dse_config *config, const struct hydraf_layout *l, bool waited,
                        struct dse_accumulators *out)
{
    const struct hydraf_shape *shape = &l->shape;
    const struct hydraf_intervals every = hydraf_intervals_of(build, config, l);
    const struct hydraf_depths depth = hydraf_depths_of(build, l, config);
    double elements = (double)(shape->batch * shape->clusters);
    int64_t steps = hydraf_array_steps(shape) * shape->chunks;
    if (shape->lanes > 1)
        hydraf_build_sums(build, shape->precision, shape->chunk, elements, false);
    else
        dse_build_operator(build, DSE_OP_MAC, shape->precision, elements);
    hydraf_put_cycles(out, HYDRAF_STAGE_COMPARE, shape, (double)(every.arrays * (steps - 1)), waited ? (double)depth.arrays : 0.0);
    if (waited)
        hydraf_note(build->context, shape, "clustering_steps", 1, steps, every.arrays, depth.arrays);
    out->operations[shape->precision] = hydraf_times(shape, (double)(2 * shape->rows * shape->clusters * shape->dim));
    out->on_chip_bytes = hydraf_times(shape, (double)(shape->clusters * shape->dim * shape->bits / 8));
    dse_build_structure(build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
}

static enum dse_status cost_array(const struct dse_context *context, const struct dse_config *config, bool waited,
                                     struct dse_accumulators *out, struct dse_error *err)
{
    const struct hydraf_layout l = hydraf_layout_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    hydraf_build_hypervectors(&build, &l.shape, l.shape.clusters);
    build_array(&build, config, &l, waited, out);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][HYDRAF_STAGE_COMPARE], out);
}

enum dse_status hydraf_cost_clusters(const struct dse_context *context, const struct dse_config *config,
                                        struct dse_accumulators *out, struct dse_error *err)
{
    return cost_array(context, config, true, out, err);
}

enum dse_status hydraf_cost_regression(const struct dse_context *context, const struct dse_config *config,
                                          struct dse_accumulators *out, struct dse_error *err)
{
    return cost_array(context, config, false, out, err);
}
