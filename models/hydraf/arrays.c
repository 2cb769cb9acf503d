/* The two systolic arrays, N rows by K columns: the batch against the clusters and, beside it, against the regression
 * models (paper, section IV.C).
 *
 * One chunk takes Texec = II (T + max(K, N)) cycles. Pipelined, II is 1 and each processing element has T products and
 * their sum, so that a single sample's chunk is one step; that this many products are there is what Table II's LUTs and
 * the chunk sizes that fit (section V.F) say. Not pipelined, an element has one multiply-accumulate, and II is its
 * latency ("the single PE execution time"). */
#include "models/hydraf/hydraf.h"

/* `waited`: the pipeline's depth counts once for both, which run side by side. */
static void build_array(struct dse_build *build, const struct hydraf_shape *shape, bool waited,
                        struct dse_accumulators *out)
{
    double elements = (double)(shape->batch * shape->clusters);
    double steps = (double)shape->chunk, skew = (double)shape->clusters, interval = 1.0, fill = 0.0;
    if (shape->rows > shape->clusters)
        skew = (double)shape->rows;
    if (shape->lanes > 1) {
        fill = (double)hydraf_build_sums(build, shape->precision, shape->chunk, elements, false);
        if (!shape->learns) { /* no rows to take turns with: the arrays' skew is passed once */
            steps = 1.0;
            skew = 0.0;
        }
    } else {
        int64_t latency = dse_build_operator(build, DSE_OP_MAC, shape->precision, elements);
        interval = latency > 1 ? (double)latency : 1.0;
    }
    double busy = (double)shape->chunks * interval * (steps + skew);
    hydraf_put_cycles(out, HYDRAF_STAGE_COMPARE, shape, busy, waited ? fill : 0.0);
    out->operations[shape->precision] = hydraf_times(shape, (double)(2 * shape->rows * shape->clusters * shape->dim));
    out->on_chip_bytes = hydraf_times(shape, (double)(shape->clusters * shape->dim * shape->bits / 8));
    dse_build_structure(build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
}

static enum dse_status account_array(const struct dse_context *context, const struct dse_config *config, bool waited,
                                     struct dse_accumulators *out, struct dse_error *err)
{
    struct hydraf_shape shape = hydraf_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    hydraf_build_hypervectors(&build, &shape, shape.clusters);
    build_array(&build, &shape, waited, out);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][HYDRAF_STAGE_COMPARE], out);
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
