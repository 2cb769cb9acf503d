/* The batch of hypervectors, and the on-chip encoder: H = Σ f_i B_i with binary B_i (paper, section II). */

#include "models/hydraf/layout.h"

/* N encoded samples stay on chip between comparing and updating. */
enum dse_status hydraf_cost_batch(const struct dse_context *context, const struct dse_config *config,
                                     struct dse_accumulators *out, struct dse_error *err)
{
    struct hydraf_shape shape = hydraf_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    hydraf_build_hypervectors(&build, &shape, shape.batch);
    out->on_chip_bytes = hydraf_times(&shape, (double)(shape.rows * shape.dim * shape.bits / 8 * (shape.learns ? 3 : 2)));
    return dse_build_finish(&build, (double)(shape.chunks * shape.rows) * shape.runs, out);
}

/* A chunk's dimensions in parallel, `encoder.features` of a sample's features per cycle; the base hypervectors are on
 * chip, one bit per feature and dimension. Every iteration encodes again (section I: iterative data encoding). */
enum dse_status hydraf_cost_encoder(const struct dse_context *context, const struct dse_config *config,
                                       struct dse_accumulators *out, struct dse_error *err)
{
    if (config->value[HYDRAF_ENCODING] != HYDRAF_ON_CHIP)
        return DSE_OK;
    const struct hydraf_work *work = context->work;
    struct hydraf_shape shape = hydraf_shape_of(config, work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    const struct hydraf_layout l = hydraf_layout_of(config, work);
    const struct hydraf_intervals every = hydraf_intervals_of(&build, config, &l);
    const struct hydraf_depths depth = hydraf_depths_of(&build, &l, config);
    enum dse_precision sums = shape.precision == DSE_INT8 ? DSE_INT16 : shape.precision;
    hydraf_build_sums(&build, sums, l.encoder_lanes, (double)l.encoder_width, true);
    dse_build_operator(&build, DSE_OP_MUL, DSE_FP32, 1.0); /* features to integers of one scale */
    if (shape.precision != DSE_FP32)
        dse_build_operator(&build, DSE_OP_FROM_FP32, DSE_INT32, 1.0);
    int64_t words = shape.chunks * (shape.chunk / l.encoder_width) * l.encoder_steps;
    dse_build_array(&build, DSE_STORAGE_AUTO, words, l.encoder_width * l.encoder_lanes, 1, 1, 1);
    dse_build_fifo(&build, hydraf_queue_rows(&shape), 32 * l.row_parts, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 3.0, 1.0);
    double busy = (double)(every.encoder * (shape.rows * words - 1)), row = (double)(every.encoder * (words / shape.chunks));
    hydraf_put_cycles(out, HYDRAF_STAGE_COMPARE, &shape, busy, (double)depth.encoder + hydraf_meeting(&build, config, &l, row, (double)every.encoder));
    hydraf_note(context, &shape, "encoder_steps", 1, shape.rows * words, every.encoder, depth.encoder);
    double sums_of_run = (double)(shape.rows * shape.dim * work->features);
    out->operations[sums] = hydraf_times(&shape, sums_of_run);
    out->on_chip_bytes = hydraf_times(&shape, sums_of_run / 8.0);
    return dse_build_finish(&build, busy * shape.runs, out);
}
