/* The batch of hypervectors, and the encoder that makes it on chip: H = Σ f_i B_i with binary B_i (paper, section II). */

#include "models/hydraf/hydraf.h"

/* N encoded samples stay on chip from comparing to updating. */
enum dse_status hydraf_account_batch(const struct dse_context *context, const struct dse_config *config,
                                     struct dse_accumulators *out, struct dse_error *err)
{
    struct hydraf_shape shape = hydraf_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    hydraf_build_hypervectors(&build, &shape, shape.batch);
    out->on_chip_bytes = hydraf_times(&shape, (double)(shape.rows * shape.dim * shape.bits / 8 * (shape.learns ? 3 : 2)));
    return dse_build_finish(&build, (double)(shape.chunks * shape.rows) * shape.runs, out);
}

/* A chunk's dimensions side by side, `encoder.features` of a sample's features at a time; the base hypervectors lie on
 * chip, a bit for each feature and dimension. Every iteration encodes anew (section I: iterative data encoding). */
enum dse_status hydraf_account_encoder(const struct dse_context *context, const struct dse_config *config,
                                       struct dse_accumulators *out, struct dse_error *err)
{
    if (config->value[HYDRAF_ENCODING] != HYDRAF_ON_CHIP)
        return DSE_OK;
    const struct hydraf_work *work = context->work;
    struct hydraf_shape shape = hydraf_shape_of(config, work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    int64_t at_once = config->value[HYDRAF_ENCODER_FEATURES], turns = shape.chunk / shape.lanes;
    int64_t steps = dse_ceil_div(work->features, at_once);
    if (at_once > work->features)
        at_once = work->features;
    enum dse_precision sums = shape.precision == DSE_INT8 ? DSE_INT16 : shape.precision;
    int64_t depth = hydraf_build_sums(&build, sums, at_once, (double)shape.lanes, true);
    depth += dse_build_operator(&build, DSE_OP_MUL, DSE_FP32, 1.0); /* features to whole numbers of one scale */
    if (shape.precision != DSE_FP32)
        depth += dse_build_operator(&build, DSE_OP_FROM_FP32, DSE_INT32, 1.0);
    dse_build_array(&build, DSE_STORAGE_AUTO, shape.chunks * turns * steps, shape.lanes * at_once, 1, 1, 1);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 3.0, 1.0);
    double busy = (double)(shape.rows * shape.chunks * turns * steps);
    hydraf_put_cycles(out, HYDRAF_STAGE_COMPARE, &shape, hydraf_features_cycles(context, config, &shape) + busy, (double)depth);
    double sums_of_run = (double)(shape.rows * shape.dim * work->features);
    out->operations[sums] = hydraf_times(&shape, sums_of_run);
    out->on_chip_bytes = hydraf_times(&shape, sums_of_run / 8.0);
    return dse_build_finish(&build, busy * shape.runs, out);
}
