/* The workload's series and the configuration's sizes as the blocks read them. */
#include <math.h>
#include <string.h>

#include "models/gat/gat.h"

#define COUNT_MOST 1000000000

#define SERIES(member, least) {#member, least, COUNT_MOST, offsetof(struct gat_work, member)}
static const struct dse_series_whole series[] = {
    SERIES(nodes, 1), SERIES(features, 1), SERIES(classes, 1), SERIES(rows, 1), SERIES(nonzeros, 0), SERIES(steps, 1),
    SERIES(longest_row, 0), SERIES(longest_subgraph, 1),
};

/* Capacity of the thesis's one bitstream, which runs two sets. Each value is the larger one of Table 3.1: CiteSeer's 3,703 features at a density
 * of 0.8 % over its 3,327 + 9,104 rows. The longest subgraph is Cora's, its most cited paper. */
static const struct gat_work thesis = {.nodes = 3327, .features = 3703, .classes = 7, .rows = 13264, .nonzeros = 368256,
                                       .steps = 368256, .longest_row = 31, .longest_subgraph = 169};

#define WH_ROWS_LEAST 64   /* so that rows in flight do not stall SPMM in short subgraphs */
#define WH_ROWS_UNDER_WAY 16 /* rows that arrive while the longest subgraph is summed: 45 cycles from SPMM to the aggregator, at least 3 per row */
#define USABLE 0.73 /* usable share of a cycle; the rest is the tool's uncertainty */
#define HIDDEN_BITS 20 /* minimum bits of a hidden word: sums of 65 int8 products */
#define MULTIPLIER_BITS 16 /* the widest product in one DSP in the cost libraries */

enum dse_status gat_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **out, struct dse_error *err)
{
    (void)family;
    return dse_workload_take(workload, series, sizeof series / sizeof *series, sizeof(struct gat_work), out, err);
}

double gat_quantity(const char *name, const struct dse_config *config, const void *work)
{
    (void)config;
    for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
        int64_t value;
        memcpy(&value, (const char *)work + series[i].at, sizeof value);
        if (strcmp(series[i].name, name) == 0)
            return (double)value;
    }
    return NAN;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static struct gat_work held(enum gat_capacity capacity, const struct gat_work *work)
{
    struct gat_work holds = *work;
    if (capacity == GAT_OF_DATA)
        return holds;
    for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
        int64_t own, other;
        memcpy(&own, (const char *)work + series[i].at, sizeof own);
        memcpy(&other, (const char *)&thesis + series[i].at, sizeof other);
        own = larger(own, other);
        memcpy((char *)&holds + series[i].at, &own, sizeof own);
    }
    return holds;
}

struct gat_shape gat_shape_of(const struct dse_config *config, const struct gat_work *work)
{
    const int64_t *v = config->value;
    struct gat_shape shape = {.heads = {v[GAT_HEADS], 1}, .channels = {v[GAT_CHANNELS], work->classes}, .lanes = v[GAT_SUBGRAPHS],
                              .pes = v[GAT_PES], .bits = v[GAT_PRECISION] == GAT_INT8 ? 8 : 4, .z_bits = 32,
                              .streamline = v[GAT_APPROACH] == GAT_STREAMLINE, .thesis = v[GAT_RTL] == GAT_RTL_OF_THESIS,
                              .executes = v[GAT_TASK] == GAT_EXECUTE || v[GAT_TASK] == GAT_WHOLE,
                              .holds = held((enum gat_capacity)v[GAT_CAPACITY], work)};
    shape.inputs[0] = work->features;
    shape.inputs[1] = shape.heads[0] * shape.channels[0];
    for (int l = 0; l < 2; l++) {
        shape.outputs[l] = shape.heads[l] * shape.channels[l];
        shape.passes[l] = dse_ceil_div(shape.outputs[l], shape.pes);
        shape.widest = larger(shape.widest, shape.outputs[l]);
    }
    shape.entry_bits = shape.bits + dse_bits_for(shape.holds.features);
    if (shape.streamline)
        shape.entry_bits = larger(shape.entry_bits, HIDDEN_BITS);
    return shape;
}

int64_t gat_rows_held(const struct gat_shape *shape)
{
    return larger(shape->holds.longest_subgraph + WH_ROWS_UNDER_WAY, WH_ROWS_LEAST);
}

int64_t gat_lanes(const struct gat_shape *shape)
{
    return larger(shape->channels[0], shape->channels[1]);
}

double gat_share(const struct gat_shape *shape, const struct gat_work *work, double all, double longest)
{
    double lanes = (double)shape->lanes;
    if (shape->lanes == 1)
        return all;
    return fmin(all, fmax(all / lanes + all / (double)work->nodes / 2.0, longest));
}

void gat_put_layer(struct dse_accumulators *out, const struct gat_shape *shape, int layer, double busy, double fill)
{
    int stage = layer == 0 ? GAT_MODEL_LAYER1 : GAT_MODEL_LAYER2;
    for (int c = 0; shape->executes && c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][stage] = dse_count(round(busy));
        out->fill_cycles[c][stage] = dse_count(round(fill));
    }
}

int64_t gat_stages(const struct dse_build *build, double ns)
{
    return (int64_t)ceil(ns * 1e-9 * build->clock_hz / USABLE - 1e-9);
}

void gat_note(const struct dse_build *build, const struct gat_shape *shape, const char *name, int64_t copies, int64_t iterations, int64_t depth)
{
    if (shape->executes)
        dse_build_loop(build, name, 2 * copies, iterations, 1, depth);
    if (shape->executes && !shape->streamline) /* the processor works between the layers */
        dse_loops_spread(build->context->loops, name, 2.0);
}

double gat_working(const struct dse_accumulators *out)
{
    return (double)(out->busy_cycles[DSE_CASE_MEAN][GAT_MODEL_LAYER1] + out->busy_cycles[DSE_CASE_MEAN][GAT_MODEL_LAYER2]);
}

void gat_build_products(struct dse_build *build, int64_t bits, double times)
{
    if (bits <= 8)
        dse_build_operator(build, DSE_OP_MAC, DSE_INT8, times);
    else
        dse_build_operator(build, DSE_OP_MAC, DSE_INT16, times * (double)dse_ceil_div(bits, MULTIPLIER_BITS));
}
