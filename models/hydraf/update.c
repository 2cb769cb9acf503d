/* Learning: every regression model takes a sample's hypervector times its loss (with `sharing=confidence` each by its own
 * confidence, and so with multipliers of its own), and the cluster of its highest confidence takes it times loss and
 * confidence (paper, sections III.B and IV.D).
 *
 * A chunk is updated sample after sample, T dimensions at once: O(T × N) work in N steps. The dense form first
 * multiplies the N × K select matrix, of which all but N entries are 0, with the batch: another product of two
 * matrices, T + max(N, K) steps a chunk. */
#include "models/hydraf/hydraf.h"

/* Steps of a chunk's update, sample after sample: read, add, write. Where storage is
 * crowded, a step does not close in one cycle. */
static double steps_of_chunk(const struct dse_context *context, const struct hydraf_shape *shape)
{
    double crowding = hydraf_crowding(shape), step = 1.0;
    if (crowding > 1.0)
        step += crowding * dse_fitted_value(hydraf_fitted, HYDRAF_SELECTION, context);
    return step * (double)(shape->rows * (shape->chunk / shape->lanes));
}

static void put_update(const struct hydraf_shape *shape, double steps, double fill, int64_t gains, int64_t rows_changed,
                       struct dse_accumulators *out)
{
    if (!shape->learns)
        return;
    hydraf_put_cycles(out, HYDRAF_STAGE_UPDATE, shape, steps * (double)shape->chunks, fill);
    /* a product of gain and element, and an addition for each row that changes */
    out->operations[shape->precision] = hydraf_times(shape, (double)(shape->rows * shape->dim * (gains + rows_changed)));
    out->on_chip_bytes = hydraf_times(shape, (double)(shape->rows * shape->dim * shape->bits / 4 * rows_changed));
}

/* Returns the depth of a step: read, multiply by the gain, add, write. */
static int64_t build_lanes(struct dse_build *build, const struct hydraf_shape *shape, int64_t gains, int64_t rows)
{
    int64_t depth = 2 + dse_build_operator(build, DSE_OP_MUL, shape->precision, (double)(shape->lanes * gains)) +
                    hydraf_latency(build, DSE_OP_ADD, shape->precision == DSE_FP32 ? DSE_FP32 : DSE_INT32, DSE_FORM_ANY);
    dse_build_operator(build, DSE_OP_ADD, shape->precision, (double)(shape->lanes * rows));
    dse_build_structure(build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return depth;
}

enum dse_status hydraf_account_regression_update(const struct dse_context *context, const struct dse_config *config,
                                                 struct dse_accumulators *out, struct dse_error *err)
{
    struct hydraf_shape shape = hydraf_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    int64_t gains = config->value[HYDRAF_SHARING] == HYDRAF_BY_CONFIDENCE ? shape.clusters : 1;
    double depth = (double)build_lanes(&build, &shape, gains, shape.clusters); /* of both updates, which end together */
    put_update(&shape, steps_of_chunk(context, &shape), depth, gains, shape.clusters, out);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][HYDRAF_STAGE_UPDATE], out);
}

enum dse_status hydraf_account_cluster_update(const struct dse_context *context, const struct dse_config *config,
                                              struct dse_accumulators *out, struct dse_error *err)
{
    struct hydraf_shape shape = hydraf_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    double steps = steps_of_chunk(context, &shape);
    int64_t selected = shape.batch; /* addresses and values of the coordinate list */
    build_lanes(&build, &shape, 1, 1);
    if (config->value[HYDRAF_UPDATE] == HYDRAF_DENSE) {
        selected = shape.batch * shape.clusters;
        dse_build_operator(&build, DSE_OP_MAC, shape.precision, (double)selected);
        steps += (double)(hydraf_interval(&build, &shape) * (shape.chunk + (shape.batch > shape.clusters ? shape.batch : shape.clusters)));
    }
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, (double)(selected * (32 + dse_bits_for(shape.clusters))), 1.0);
    put_update(&shape, steps, 0.0, 1, 1, out);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][HYDRAF_STAGE_UPDATE], out);
}
