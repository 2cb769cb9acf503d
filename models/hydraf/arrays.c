/* The two systolic arrays, N rows by K columns: the batch against the clusters and, beside it, against the regression
 * models (paper, section IV.C).
 *
 * One chunk takes Texec = II (T + max(K, N)) cycles. Pipelined, II is 1 and each processing element has T products and
 * their sum, so that a single sample's chunk is one step; that this many products are there is what Table II's LUTs and
 * the chunk sizes that fit (section V.F) say. Not pipelined, an element has one multiply-accumulate, and II is its
 * latency ("the single PE execution time"). */
#include "models/hydraf/hydraf.h"

/* An array begins when its `first` chunk is there. `waited`: the last chunk's way through it and the sums' depth count once for both
 * arrays, which run side by side. Returns the
 * cycles in which the array works. */
static double build_array(struct dse_build *build, const struct hydraf_shape *shape, double first, bool waited,
                          struct dse_accumulators *out)
{
    double elements = (double)(shape->batch * shape->clusters), depth;
    int64_t steps = shape->chunk + (shape->rows > shape->clusters ? shape->rows : shape->clusters);
    if (shape->lanes > 1) {
        depth = (double)hydraf_build_sums(build, shape->precision, shape->chunk, elements, false);
        steps = shape->learns ? steps : 1; /* a single row has none to take turns with */
    } else {
        depth = (double)dse_build_operator(build, DSE_OP_MAC, shape->precision, elements);
    }
    double pass = (double)(hydraf_interval(build, shape) * steps);
    hydraf_put_cycles(out, HYDRAF_STAGE_COMPARE, shape, first + (double)(shape->chunks - 1) * pass, waited ? pass + depth : 0.0);
    out->operations[shape->precision] = hydraf_times(shape, (double)(2 * shape->rows * shape->clusters * shape->dim));
    out->on_chip_bytes = hydraf_times(shape, (double)(shape->clusters * shape->dim * shape->bits / 8));
    dse_build_structure(build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return (double)shape->chunks * pass * shape->runs;
}

static enum dse_status account_array(const struct dse_context *context, const struct dse_config *config, bool waited,
                                     struct dse_accumulators *out, struct dse_error *err)
{
    struct hydraf_shape shape = hydraf_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    hydraf_build_hypervectors(&build, &shape, shape.clusters);
    double working = build_array(&build, &shape, hydraf_first_chunk_cycles(context, config, &shape), waited, out);
    return dse_build_finish(&build, working, out);
}

enum dse_status hydraf_account_clusters(const struct dse_context *context, const struct dse_config *config,
                                        struct dse_accumulators *out, struct dse_error *err)
{
    return account_array(context, config, true, out, err);
}

enum dse_status hydraf_account_regression(const struct dse_context *context, const struct dse_config *config,
                                          struct dse_accumulators *out, struct dse_error *err)
{
    return account_array(context, config, false, out, err);
}
