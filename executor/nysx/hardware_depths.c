/* Depths of the pipelines: the operators that a result passes, one behind the other, as
 * docs/nysx-microarchitecture.md lists them; their latencies are the cost library's at the clock. */
#include <stdlib.h>

#include "executor/depths.h"
#include "executor/nysx/hardware.h"

static uint64_t at_least_one(uint64_t levels)
{
    return levels > 0 ? levels : 1;
}

static void scalar_or_tuple_depth(struct dse_latencies *l, const struct nysx_model *model, struct nysx_hardware *h)
{
    const struct nysx_lsh *lsh = &model->encoder.lsh;
    bool normalises = lsh->normalised && lsh->hops > 1;
    uint64_t add = dse_latency(l, DSE_OP_ADD, DSE_FP32), divide = dse_latency(l, DSE_OP_DIVIDE, DSE_FP32);
    h->lshu_depth = add;
    if (model->columns.attributes > 0 || normalises)
        h->lshu_depth += dse_latency(l, DSE_OP_MUL, DSE_FP32);
    if (normalises)
        h->lshu_depth += divide;
    h->lshu_depth += add + divide + dse_latency(l, DSE_OP_FROM_FP32, DSE_INT32);
    if (lsh->tuple)
        h->lshu_depth += dse_latency(l, DSE_OP_HASH, DSE_INT64);
}

/* The sum of the neighbours' codes, and the mixer's two multiplications; attributes in whole steps come before them. */
static void wl_depth(struct dse_latencies *l, const struct nysx_model *model, struct nysx_hardware *h)
{
    h->lshu_depth = dse_latency(l, DSE_OP_ADD, DSE_INT32) + 2 * dse_latency(l, DSE_OP_HASH, DSE_INT32);
    if (model->columns.attributes > 0)
        h->lshu_depth += dse_latency(l, DSE_OP_MUL, DSE_FP32) + dse_latency(l, DSE_OP_ADD, DSE_FP32) +
                         dse_latency(l, DSE_OP_DIVIDE, DSE_FP32) + dse_latency(l, DSE_OP_FROM_FP32, DSE_INT32) +
                         dse_latency(l, DSE_OP_HASH, DSE_INT64) + 4 * dse_latency(l, DSE_OP_HASH, DSE_INT32);
}

static void lookup_depths(struct dse_latencies *l, const struct nysx_model *model, struct nysx_hardware *h)
{
    if (model->encoder.lsh.wl)
        wl_depth(l, model, h);
    else
        scalar_or_tuple_depth(l, model, h);
    if (!model->encoder.lsh.wl && model->nee.form == NYSX_DIRECT) /* a code as 32 bits: two mixings */
        h->lshu_depth += 4 * dse_latency(l, DSE_OP_HASH, DSE_INT32);
    h->mphe_depth = dse_latency(l, DSE_OP_HASH, DSE_INT64) + dse_latency(l, DSE_OP_REMAINDER, DSE_INT64) +
                    dse_latency(l, DSE_OP_POPCOUNT, DSE_INT64) + dse_latency(l, DSE_OP_COMPARE, DSE_INT64);
    h->hue_depth = 3; /* read, add, write back */
    h->merge_depth = at_least_one(dse_tree_levels(h->hue_pe)) + 2;
    h->kse_depth = 2 + dse_latency(l, DSE_OP_MAC, DSE_INT16);
}

/* The lanes that multiply by stored numbers. Returns the rows that each takes in turn. */
static uint64_t stored_lanes(struct dse_latencies *l, enum dse_precision precision, uint64_t *depth)
{
    if (precision == DSE_FP32 || precision == DSE_FP16 || precision == DSE_BF16) {
        uint64_t add = dse_latency(l, DSE_OP_ADD, DSE_FP32);
        *depth = add + dse_latency(l, DSE_OP_MUL, DSE_FP32);
        if (precision == DSE_FP16)
            *depth += dse_latency(l, DSE_OP_TO_FP32, DSE_FP16);
        return add > 0 ? add + 1 : 1; /* and the choice of what is added to */
    }
    *depth = precision == DSE_BINARY ? dse_latency(l, DSE_OP_ADDSUB, DSE_INT32) : dse_latency(l, DSE_OP_MAC, precision);
    return 1;
}

static void projection_depths(struct dse_latencies *l, const struct nysx_nee *nee, struct nysx_hardware *h)
{
    static const enum dse_precision stored[] = {DSE_FP32, DSE_FP16, DSE_BF16, DSE_INT16, DSE_INT8, DSE_INT4,
                                                DSE_BINARY};
    h->phi_turn = 1;
    if (nee->form == NYSX_DIRECT) { /* a code is read, mixed, made a word and signs, counted, added, compared */
        h->nee_depth = 1 + 2 * dse_latency(l, DSE_OP_HASH, DSE_INT32) + 2 * dse_latency(l, DSE_OP_XOR, DSE_INT32) + 2;
        h->nee_depth += h->nee_codes > 1 ? at_least_one(dse_tree_levels(h->nee_codes)) : 0;
        return;
    }
    if (nee->form == NYSX_FACTORED) {
        enum dse_precision phi = nee->phi_bits == NYSX_PHI_FP32 ? DSE_FP32
                                 : nee->phi_bits == 8           ? DSE_INT8
                                 : nee->phi_bits == 16          ? DSE_INT16
                                                                : DSE_INT32;
        bool sign = nee->generator == NYSX_SIGN;
        h->phi_turn = stored_lanes(l, DSE_FP32, &h->nee_depth);
        h->nee_turn = phi == DSE_FP32 ? h->phi_turn : 1;
        h->nee_depth += dse_latency(l, sign ? DSE_OP_ADDSUB : DSE_OP_MAC, sign && phi != DSE_FP32 ? DSE_INT32 : phi);
    } else {
        h->nee_turn = stored_lanes(l, stored[nee->projection.precision], &h->nee_depth);
    }
    if (nee->center != NULL)
        h->nee_depth += dse_latency(l, DSE_OP_ADD, DSE_FP32);
}

static void classify_depth(struct dse_latencies *l, const struct nysx_prototypes *prototypes, struct nysx_hardware *h)
{
    h->sce_depth = at_least_one(dse_tree_levels(h->sce_bits));
    if (prototypes->bits == 32)
        h->sce_depth *= dse_latency(l, DSE_OP_ADD, DSE_FP32);
    if (prototypes->bits > 1 && prototypes->bias == NULL && prototypes->real_bias == NULL)
        h->sce_depth += dse_latency(l, DSE_OP_DIVIDE, DSE_FP32);
}

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The largest of all graphs, or the 99th percentile by nearest rank. */
static enum dse_status capacity_of(const struct dse_graph_set *set, bool all,
                                   size_t (*size)(const struct dse_graph_set *, size_t), size_t *out,
                                   struct dse_error *err)
{
    size_t n = set->graph_count, *sizes = malloc((n + 1) * sizeof *sizes);
    if (sizes == NULL)
        return dse_fail_memory(err);
    for (size_t g = 0; g < n; g++)
        sizes[g] = size(set, g);
    qsort(sizes, n, sizeof *sizes, by_size);
    *out = n == 0 ? 1 : all ? sizes[n - 1] : sizes[(99 * n + 99) / 100 - 1];
    free(sizes);
    return DSE_OK;
}

enum dse_status nysx_hardware_fit(const struct nysx_model *model, const struct dse_graph_set *set,
                                  const struct dse_costs *costs, struct nysx_hardware *hardware, struct dse_error *err)
{
    struct dse_latencies l = {.costs = costs, .clock_hz = hardware->clock_hz, .err = err, .status = DSE_OK};
    size_t columns = model->columns.labels + model->columns.attributes, arcs = 0;
    lookup_depths(&l, model, hardware);
    projection_depths(&l, &model->nee, hardware);
    classify_depth(&l, &model->prototypes, hardware);
    if (l.status == DSE_OK)
        l.status = capacity_of(set, hardware->capacity_max, dse_graph_nodes, &hardware->nodes_capacity, err);
    if (l.status == DSE_OK)
        l.status = capacity_of(set, hardware->capacity_max, dse_graph_arcs, &arcs, err);
    size_t largest = arcs > hardware->nodes_capacity ? arcs : hardware->nodes_capacity;
    hardware->index_bytes = largest < 65536 ? 2 : 4;
    hardware->feature_bytes = model->columns.attributes > 0 ? 4 * columns : columns <= 256 ? 1 : 2;
    return l.status;
}
