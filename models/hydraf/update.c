/* Learning (paper, sections III.B and IV.D). Every regression model adds a sample's hypervector times its loss. With `sharing=confidence` each
 * model also multiplies by its own confidence, so it has its own multipliers. The cluster of the highest confidence adds the hypervector times
 * loss and confidence.
 *
 * A chunk is updated sample by sample, T dimensions in parallel: O(T × N) work in N steps. The dense form first
 * multiplies the N × K select matrix, which has only N non-zero entries, by the batch. This matrix product takes
 * another T + max(N, K) steps per chunk. */
#include "models/hydraf/layout.h"

/* Cycles per chunk: sample by sample, as many dimensions in parallel as there are lanes; before it the select matrix's product. With crowded
 * storage a step takes more than one cycle. */
static double cycles_of_chunk(const struct dse_context *context, const struct dse_config *config, const struct hydraf_layout *l, int64_t interval)
{
    const struct hydraf_shape *shape = &l->shape;
    double crowding = hydraf_crowding(shape), step = (double)interval;
    int64_t select = config->value[HYDRAF_UPDATE] == HYDRAF_DENSE ? shape->chunk + (shape->batch > shape->clusters ? shape->batch : shape->clusters) : 0;
    if (crowding > 1.0)
        step += crowding * dse_fitted_value(hydraf_fitted, HYDRAF_SELECTION, context);
    return step * (double)(shape->rows * (shape->chunk / shape->lanes) + select);
}

/* One loop over the chunks makes both updates; `notes` selects which of them records its depth and name. */
static void put_update(struct dse_build *build, const struct dse_config *config, const struct hydraf_layout *l, bool notes, int64_t gains,
                       int64_t rows_changed, struct dse_accumulators *out)
{
    const struct hydraf_shape *shape = &l->shape;
    const struct hydraf_intervals every = hydraf_intervals_of(build, config, l);
    const struct hydraf_depths depth = hydraf_depths_of(build, l, config);
    double cycles = cycles_of_chunk(build->context, config, l, every.update) * (double)shape->chunks;
    if (notes)
        hydraf_note(build->context, shape, "update_steps", shape->learns, shape->learns ? (int64_t)(cycles / (double)every.update) : 0, every.update, depth.update);
    if (!shape->learns)
        return;
    hydraf_put_cycles(out, HYDRAF_STAGE_UPDATE, shape, cycles - (double)every.update, notes ? (double)depth.update : 0.0);
    /* a product of gain and element, and an addition per changed row */
    out->operations[shape->precision] = hydraf_times(shape, (double)(shape->rows * shape->dim * (gains + rows_changed)));
    out->on_chip_bytes = hydraf_times(shape, (double)(shape->rows * shape->dim * shape->bits / 4 * rows_changed));
}

static void build_lanes(struct dse_build *build, const struct hydraf_shape *shape, int64_t gains, int64_t rows)
{
    dse_build_operator(build, DSE_OP_MUL, shape->precision, (double)(shape->lanes * gains));
    dse_build_operator(build, DSE_OP_ADD, shape->precision, (double)(shape->lanes * rows));
    dse_build_structure(build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
}

enum dse_status hydraf_cost_regression_update(const struct dse_context *context, const struct dse_config *config,
                                                 struct dse_accumulators *out, struct dse_error *err)
{
    const struct hydraf_layout l = hydraf_layout_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    int64_t gains = config->value[HYDRAF_SHARING] == HYDRAF_BY_CONFIDENCE ? l.shape.clusters : 1;
    build_lanes(&build, &l.shape, gains, l.shape.clusters);
    put_update(&build, config, &l, true, gains, l.shape.clusters, out);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][HYDRAF_STAGE_UPDATE], out);
}

enum dse_status hydraf_cost_cluster_update(const struct dse_context *context, const struct dse_config *config,
                                              struct dse_accumulators *out, struct dse_error *err)
{
    const struct hydraf_layout l = hydraf_layout_of(config, context->work);
    const struct hydraf_shape *shape = &l.shape;
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    int64_t selected = shape->batch; /* addresses and values of the coordinate list */
    build_lanes(&build, shape, 1, 1);
    if (l.dense) {
        selected = shape->batch * shape->clusters;
        dse_build_operator(&build, DSE_OP_MAC, shape->precision, (double)selected);
    }
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, (double)(selected * (32 + dse_bits_for(shape->clusters))), 1.0);
    put_update(&build, config, &l, false, 1, 1, out);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][HYDRAF_STAGE_UPDATE], out);
}
