/* Depths of the pipelines: the operators on a result's path, as listed in
 * models/nysx/microarchitecture.md, with the cost library's latencies at the clock. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/percentile.h"
#include "executor/depths.h"
#include "models/nysx/executor/hardware.h"

#define STEP_S 0.9e-9    /* delay of a step of logic: a 32-bit addition, or as much other logic */
#define CYCLE_SHARE 0.73 /* share of a clock period, available to logic */
#define GATHER_DEPTH 3   /* depth of the loop that makes steps of the ports' words */

/* Cycles of `steps` steps of logic in series; a cycle has as many as fit. */
static uint64_t logic(const struct dse_latencies *l, uint64_t steps)
{
    uint64_t fit = (uint64_t)(CYCLE_SHARE / l->clock_hz / STEP_S);
    fit = fit > 0 ? fit : 1;
    return (steps + fit - 1) / fit;
}

/* Cycles from a request to a word of the first memory. */
static uint64_t word_cycles(const struct nysx_hardware *h)
{
    return (uint64_t)ceil(1.0 + h->query_latency_cycles - 1e-6); /* 240 ns are 48 cycles of 5 */
}

static void query_depths(struct dse_latencies *l, const struct nysx_lsh *lsh, struct nysx_hardware *h)
{
    bool ordered = nysx_lsh_propagates(lsh) && h->lshu_balance != NYSX_BALANCE_NONE;
    h->words_depth = word_cycles(h) + logic(l, 3);
    h->order_depth = 6;
    h->order_sum_depth = 2;
    h->slots_depth = 2 + (uint64_t)ordered + logic(l, 2) + logic(l, 3);
    if (lsh->normalised && !lsh->wl)
        h->slots_depth += dse_latency(l, DSE_OP_TO_FP32, DSE_INT32) + dse_latency(l, DSE_OP_DIVIDE, DSE_FP32);
}

/* Whether a multiplication can replace the division by the width. */
static bool exact_width(double width)
{
    int exponent;
    return frexp(width, &exponent) == 0.5;
}

static void code_depths(struct dse_latencies *l, const struct nysx_model *model, struct nysx_hardware *h)
{
    const struct nysx_lsh *lsh = &model->encoder.lsh;
    uint64_t add = dse_latency(l, DSE_OP_ADD, DSE_FP32), mul = dse_latency(l, DSE_OP_MUL, DSE_FP32);
    uint64_t product = dse_latency(l, DSE_OP_MUL, DSE_INT64);
    bool attributes = model->columns.attributes > 0;
    h->contexts = (add > 0 ? add : 1) + 1;
    h->rounds = lsh->tuple ? (product > 0 ? product : 1) + 1 : 1;
    h->sparse_depth = 7 + add + (lsh->normalised ? mul : 0);
    if (lsh->tuple)
        h->dense_depth = attributes ? 6 : 3 + logic(l, 3);
    else
        h->dense_depth = attributes ? 7 + mul + add : 5;
    /* A read, the offset, the division, the floor (2), its comparison with the limit, the conversion to whole numbers, a write; two more
     * registers. */
    h->codes_depth = 7 + add + dse_latency(l, DSE_OP_FROM_FP32, DSE_INT32) +
                     (exact_width(lsh->width) ? mul : dse_latency(l, DSE_OP_DIVIDE, DSE_FP32));
    if (lsh->tuple)
        h->codes_depth += mul + product + logic(l, 3);
    if (model->nee.form == NYSX_DIRECT) /* to 32 bits: read, two mixings of two products each, their additions, shifts and XORs, and the write */
        h->list_depth = 1 + 4 * dse_latency(l, DSE_OP_HASH, DSE_INT32) + 5 + 1;
}

/* Hop 0: a row's slot, its word, its label, the sum, the mixer, the write; or with attributes their quantisation and the hash of the row.
 * Other hops: the queue of rounds (3), the prefetched round, a non-zero's address, word, field, slot and code, the sum, the mixer, its
 * multiplexer and the write (2). */
static void wl_depths(struct dse_latencies *l, const struct nysx_model *model, struct nysx_hardware *h)
{
    uint64_t add = dse_latency(l, DSE_OP_ADD, DSE_INT32), mixer = 2 * dse_latency(l, DSE_OP_HASH, DSE_INT32);
    h->wl_depth = 11 + add + mixer;
    h->wl_first_depth = 5 + add + mixer;
    if (model->columns.attributes > 0)
        h->wl_first_depth = 12 + dse_latency(l, DSE_OP_MUL, DSE_FP32) + dse_latency(l, DSE_OP_ADD, DSE_FP32) +
                            (exact_width(model->encoder.lsh.width) ? 0 : dse_latency(l, DSE_OP_DIVIDE, DSE_FP32)) +
                            dse_latency(l, DSE_OP_FROM_FP32, DSE_INT32) + dse_latency(l, DSE_OP_MUL, DSE_INT64) + 2 * mixer;
    h->rounds = 1;
    h->wl_rounds = dse_latency(l, DSE_OP_MUL, DSE_INT64) + 1;
    h->codes_depth = 2;
}

/* Two products of the hash and one for a level's range; words, ranks, store; the multiplexer of the levels. With one hop the
 * tables of places and ranges are constants: no place needs an addition, and powers of two need no product. The bit of a level's only word is
 * selected without a read. */
static uint64_t find_depth(struct dse_latencies *l, const struct nysx_mph *mph, size_t hops, uint64_t store)
{
    uint64_t product = dse_latency(l, DSE_OP_MUL, DSE_INT64), first = 0;
    size_t levels = 1;
    bool shift = hops == 1;
    for (size_t t = 0; t < hops; t++) {
        levels = mph[t].levels > levels ? mph[t].levels : levels;
        first += mph[t].level_begin[1];
        for (size_t level = 0; level < mph[t].levels; level++) {
            size_t words = mph[t].level_begin[level + 1] - mph[t].level_begin[level];
            shift = shift && (words & (words - 1)) == 0;
        }
    }
    return 4 + 2 * product + (shift ? 0 : 1 + product) + (hops > 1) + (first > 1) + store + logic(l, 4 + 2 * levels + (first <= 1)) + logic(l, 8);
}

static void lookup_depths(struct dse_latencies *l, const struct nysx_model *model, const struct nysx_mph *mph, struct nysx_hardware *h)
{
    query_depths(l, &model->encoder.lsh, h);
    if (model->encoder.lsh.wl)
        wl_depths(l, model, h);
    else
        code_depths(l, model, h);
    if (mph != NULL)
        h->mphe_depth = find_depth(l, mph, model->encoder.tables, h->codebook_in_uram ? 2 : 1);
    h->hue_depth = 5;
    h->merge_depth = 2 + logic(l, dse_tree_levels(h->hue_pe));
    h->kse_depth = 4 + dse_latency(l, DSE_OP_MUL, DSE_INT64) + (h->h_in_memory ? word_cycles(h) : h->h_in_uram ? 2 : 1);
}

static bool is_real(enum dse_precision precision)
{
    return precision == DSE_FP32 || precision == DSE_FP16 || precision == DSE_BF16;
}

/* Lanes that multiply by stored numbers: writes their depth, and returns the rows that each interleaves. */
static uint64_t stored_lanes(struct dse_latencies *l, enum dse_precision precision, uint64_t *depth)
{
    if (is_real(precision)) {
        uint64_t add = dse_latency(l, DSE_OP_ADD, DSE_FP32);
        *depth = 3 + add + dse_latency(l, DSE_OP_MUL, DSE_FP32);
        if (precision == DSE_FP16)
            *depth += dse_latency(l, DSE_OP_TO_FP32, DSE_FP16);
        return (add > 0 ? add : 1) + 1; /* plus the multiplexer of the operand */
    }
    *depth = precision == DSE_BINARY ? 2 + logic(l, 3) : 3 + dse_latency(l, DSE_OP_MUL, DSE_INT64);
    return 1;
}

/* φ, its rounding, and the generators: three 64-bit products from a start to the first entry. */
static void factored_depths(struct dse_latencies *l, const struct nysx_nee *nee, struct nysx_hardware *h)
{
    bool real = nee->phi_bits == NYSX_PHI_FP32;
    h->phi_interleave = stored_lanes(l, DSE_FP32, &h->phi_depth);
    h->phi_depth -= 1;
    h->nee_interleave = real ? h->phi_interleave : 1;
    h->phi_out_depth = 2;
    if (!real)
        h->phi_out_depth += 3 + dse_latency(l, DSE_OP_DIVIDE, DSE_FP32) + dse_latency(l, DSE_OP_FROM_FP32, DSE_INT32);
    h->first_depth = 21;
    h->nee_depth = 3 * dse_latency(l, DSE_OP_MUL, DSE_INT64) + 12 + logic(l, 3);
    if (real)
        h->nee_depth += dse_latency(l, DSE_OP_TO_FP32, DSE_INT32) + dse_latency(l, DSE_OP_MUL, DSE_FP32) +
                        dse_latency(l, DSE_OP_ADD, DSE_FP32);
}

static void projection_depths(struct dse_latencies *l, const struct nysx_model *model, struct nysx_hardware *h)
{
    static const enum dse_precision stored[] = {DSE_FP32, DSE_FP16, DSE_BF16, DSE_INT16, DSE_INT8, DSE_INT4,
                                                DSE_BINARY};
    const struct nysx_nee *nee = &model->nee;
    h->phi_interleave = 1;
    if (nee->form == NYSX_DIRECT) { /* read, mixer, the round's word, the lanes' words, mask, count, sum, sign, write */
        h->nee_depth = 2 * dse_latency(l, DSE_OP_HASH, DSE_INT32) +
                       (h->nee_merge > 0 ? 7 + logic(l, dse_tree_levels(h->nee_codes)) : 8 + dse_tree_levels(h->nee_codes) / 4);
        h->table_depth = 5 + logic(l, 4);
        return;
    }
    enum dse_precision precision = nee->form == NYSX_FACTORED ? DSE_FP32 : stored[nee->projection.precision];
    h->enter_depth = 3 + logic(l, dse_tree_levels(model->encoder.tables) + (nee->center != NULL));
    if (is_real(precision))
        h->enter_depth += dse_latency(l, DSE_OP_TO_FP32, DSE_INT32);
    if (nee->form == NYSX_FACTORED)
        factored_depths(l, nee, h);
    else
        h->nee_interleave = stored_lanes(l, precision, &h->nee_depth);
    h->nee_depth += nee->form == NYSX_RESIDENT ? 1 : 0;
    h->gather_depth = nee->form == NYSX_STREAMED ? GATHER_DEPTH : 0;
}

/* Words of prototypes, and the largest cosine. fp32 elements are added to 64 sums in turn. These are added in double
 * precision (6 cycles) and divided by the length (33, with the comparison). */
static void classify_depth(struct dse_latencies *l, const struct nysx_prototypes *prototypes, struct nysx_hardware *h)
{
    uint64_t add = dse_latency(l, DSE_OP_ADD, DSE_FP32), bits = h->sce_bits;
    bool offsets = prototypes->bias != NULL || prototypes->real_bias != NULL;
    add = add > 0 ? add : 1;
    h->sce_interval = h->argmax_interval = 1;
    h->argmax_depth = 1 + logic(l, offsets ? 4 : 1);
    h->sce_depth = 1 + logic(l, dse_tree_levels(bits) + 3);
    if (prototypes->bits == 32) {
        h->sce_interval = (bits + 63) / 64 * add + 1;
        h->sce_depth = h->sce_interval + 1;
        h->sum_interval = 6;
        h->sum_depth = 9;
        h->argmax_interval = 2;
        h->argmax_depth = offsets ? 11 : 33; /* an addition and the comparison, or a division */
    } else if (prototypes->bits > 1 && !offsets) { /* two products in series, and their carries */
        h->argmax_interval = 4 + 2 * dse_latency(l, DSE_OP_MUL, DSE_INT64);
        h->argmax_depth = h->argmax_interval + 1;
    }
}

/* The largest size of all graphs, or the 99th percentile by nearest rank. */
static size_t capacity_of(const struct dse_graph_set *set, bool all, size_t (*size)(const struct dse_graph_set *, size_t))
{
    size_t n = set->graph_count;
    double *sizes DSE_CLEANUP(dse_free_at) = dse_malloc((n + 1) * sizeof *sizes);
    for (size_t g = 0; g < n; g++)
        sizes[g] = (double)size(set, g);
    size_t capacity = n == 0 ? 1 : (size_t)dse_percentile(sizes, n, all ? 100 : 99);
    return capacity;
}

enum dse_status nysx_hardware_fit(const struct nysx_model *model, const struct dse_graph_set *set,
                                  const struct nysx_mph *mph, const struct dse_costs *costs, struct nysx_hardware *hardware,
                                  struct dse_error *err)
{
    struct dse_latencies l = {.costs = costs, .clock_hz = hardware->clock_hz, .err = err, .status = DSE_OK};
    size_t columns = model->columns.labels + model->columns.attributes;
    lookup_depths(&l, model, mph, hardware);
    projection_depths(&l, model, hardware);
    classify_depth(&l, &model->prototypes, hardware);
    size_t arcs = capacity_of(set, hardware->capacity_max, dse_graph_arcs);
    hardware->nodes_capacity = capacity_of(set, hardware->capacity_max, dse_graph_nodes);
    size_t largest = arcs > hardware->nodes_capacity ? arcs : hardware->nodes_capacity;
    hardware->index_bytes = largest < 65536 ? 2 : 4;
    hardware->feature_bytes = model->columns.attributes > 0 ? 4 * columns : columns <= 256 ? 1 : 2;
    return l.status;
}
