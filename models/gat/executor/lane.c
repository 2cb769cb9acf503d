#include "models/gat/executor/lane.h"

#include <string.h>

#include "core/memory.h"

enum phase { PHASE_INFO, PHASE_MULTIPLY, PHASE_WRITE };

/* ---- SPMM ---- */

static bool take_subgraph(struct gat_layer_run *run, struct gat_lane *lane)
{
    if (lane->busy)
        return true;
    if (lane->next == lane->end)
        return false;
    lane->subgraph = lane->next++;
    lane->row = run->subgraph_begin[lane->subgraph];
    lane->last = run->subgraph_begin[lane->subgraph + 1];
    lane->order[lane->order_in++ % (run->room + 1)] = lane->subgraph;
    lane->phase = PHASE_INFO;
    return lane->busy = true;
}

static size_t length_of(const struct gat_layer_run *run, size_t row)
{
    return run->row_begin == NULL ? run->layer->inputs : gat_row_info_of(run->gcsr, run->gcsr->node_info[row]).length;
}

/* Multiplies one non-zero by the columns of this pass, each in its own SP-PE. */
static void multiply(const struct gat_layer_run *run, struct gat_lane *lane)
{
    size_t first = lane->pass * run->pes, last = first + run->pes < run->outputs ? first + run->pes : run->outputs;
    bool sparse = run->row_begin != NULL;
    size_t at = sparse ? run->row_begin[lane->row] + lane->at : lane->row * run->layer->inputs + lane->at;
    int64_t h = sparse ? run->gcsr->value[at] : run->dense[at];
    const int8_t *weight = run->layer->weight + (sparse ? (size_t)run->gcsr->column[at] : lane->at) * run->outputs;
    for (size_t k = first; k < last; k++)
        lane->sum[k] += h * weight[k];
    run->record->products += last - first;
}

static void step_spmm(struct gat_layer_run *run, struct gat_lane *lane)
{
    if (!take_subgraph(run, lane))
        return;
    if (lane->phase == PHASE_INFO && lane->written - lane->freed == run->room) {
        run->record->spmm_full++;
        return;
    }
    lane->work[GAT_UNIT_SPMM]++;
    if (lane->phase == PHASE_INFO) {
        memset(lane->sum, 0, run->outputs * sizeof *lane->sum);
        lane->pass = lane->at = 0;
        lane->phase = PHASE_MULTIPLY;
    } else if (lane->phase == PHASE_MULTIPLY) {
        size_t length = length_of(run, lane->row);
        if (length > 0)
            multiply(run, lane);
        if (++lane->at < length)
            return;
        lane->at = 0;
        if (++lane->pass == run->passes)
            lane->phase = PHASE_WRITE;
    } else {
        size_t slot = lane->written++ % run->room;
        for (size_t k = 0; k < run->outputs; k++)
            lane->wh[slot * run->outputs + k] = gat_word(lane->sum[k]);
        lane->wh_info[slot] = run->gcsr->node_info[lane->row];
        lane->phase = PHASE_INFO;
        lane->busy = ++lane->row < lane->last;
    }
}

/* ---- DMVM ---- */

static int64_t dot(const int8_t *a, const int32_t *z, size_t count)
{
    int64_t sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += (int64_t)a[k] * z[k];
    return sum;
}

/* Multiplies one row and head by one half of the attention vector; a source node by both halves in sequence. */
static void step_dmvm(struct gat_layer_run *run, struct gat_lane *lane, uint64_t cycle)
{
    if (lane->attended == lane->written)
        return;
    if (dse_fifo_full(&lane->coefficient)) {
        run->record->dmvm_full++;
        return;
    }
    const struct gat_fixed_layer *layer = run->layer;
    size_t slot = lane->attended % run->room, first = lane->head * layer->channels;
    const int32_t *z = lane->wh + slot * run->outputs + first;
    bool source = gat_row_info_of(run->gcsr, lane->wh_info[slot]).source;
    lane->work[GAT_UNIT_DMVM]++;
    if (source && !lane->second) {
        lane->source[lane->head] = dot(layer->source + first, z, layer->channels);
        lane->second = true;
        return;
    }
    int e = gat_exponent(lane->source[lane->head], dot(layer->neighbour + first, z, layer->channels), layer->shift);
    dse_fifo_put(&lane->coefficient, cycle + run->dmvm_depth, (uint32_t)e);
    lane->second = false;
    if (++lane->head < layer->heads)
        return;
    lane->head = 0;
    lane->attended++;
}

/* ---- softmax ---- */

/* Collects 2^e: its exponent goes to the dividends, and its value to the sum. */
static void step_collect(struct gat_layer_run *run, struct gat_lane *lane, uint64_t cycle)
{
    size_t heads = run->layer->heads;
    if (dse_fifo_waiting(&lane->coefficient, cycle) == 0 || dse_fifo_full(&lane->dividend))
        return;
    size_t nodes = gat_row_info_of(run->gcsr, lane->wh_info[lane->collect_row % run->room]).nodes;
    uint32_t e = (uint32_t)dse_fifo_take(&lane->coefficient);
    dse_fifo_put(&lane->dividend, cycle + 1, e);
    if (dse_fifo_count(&lane->dividend) > run->record->dividends_most)
        run->record->dividends_most = dse_fifo_count(&lane->dividend);
    gat_wide_add_power(&lane->collecting[lane->collected % heads], (int)e);
    if (++lane->collected < nodes * heads)
        return;
    size_t slot = lane->divisors_in++ % run->room;
    memcpy(lane->divisor + slot * heads, lane->collecting, heads * sizeof *lane->collecting);
    memset(lane->collecting, 0, heads * sizeof *lane->collecting);
    lane->divisor_ready[slot] = cycle + run->collect_depth;
    lane->collected = 0;
    lane->collect_row += nodes;
}

/* 17 bits of 2^(16 + e) / divisor, one per stage of the pipeline. */
static uint32_t divide(uint32_t e, const struct gat_wide *divisor)
{
    struct gat_wide rest = {{0}};
    uint32_t quotient = 0;
    gat_wide_add_power(&rest, (int)e);
    for (int bit = 0; bit <= GAT_ALPHA_BITS; bit++) {
        quotient <<= 1;
        if (gat_wide_at_least(&rest, divisor)) {
            gat_wide_subtract(&rest, divisor);
            quotient |= 1;
        }
        gat_wide_double(&rest);
    }
    return quotient;
}

static bool step_divide(struct gat_layer_run *run, struct gat_lane *lane, uint64_t cycle)
{
    size_t heads = run->layer->heads, slot = lane->divisors_out % run->room;
    if (lane->divisors_out == lane->divisors_in || lane->divisor_ready[slot] > cycle) {
        run->record->divider_empty += dse_fifo_count(&lane->dividend) > 0;
        return false;
    }
    if (dse_fifo_full(&lane->alpha))
        return false;
    size_t nodes = gat_row_info_of(run->gcsr, lane->wh_info[lane->divide_row % run->room]).nodes;
    uint32_t e = (uint32_t)dse_fifo_take(&lane->dividend);
    dse_fifo_put(&lane->alpha, cycle + run->divide_depth, divide(e, &lane->divisor[slot * heads + lane->divided % heads]));
    if (++lane->divided < nodes * heads)
        return true;
    lane->divided = 0;
    lane->divisors_out++;
    lane->divide_row += nodes;
    return true;
}

/* ---- aggregator ---- */

/* Writes a word of the finished subgraph. */
static void step_write(struct gat_layer_run *run, struct gat_lane *lane, size_t nodes)
{
    size_t k = run->outputs - lane->words_left, subgraph = lane->order[lane->order_out % (run->room + 1)];
    run->out[subgraph * run->outputs + k] = lane->o[k];
    lane->o[k] = 0;
    if (--lane->words_left > 0)
        return;
    lane->order_out++;
    lane->freed += nodes;
}

static void step_aggregator(struct gat_layer_run *run, struct gat_lane *lane, uint64_t cycle)
{
    size_t heads = run->layer->heads, channels = run->layer->channels;
    if (lane->freed == lane->written)
        return;
    size_t nodes = gat_row_info_of(run->gcsr, lane->wh_info[lane->freed % run->room]).nodes;
    if (lane->words_left > 0) {
        lane->work[GAT_UNIT_AGGREGATOR]++;
        step_write(run, lane, nodes);
        return;
    }
    if (dse_fifo_waiting(&lane->alpha, cycle) == 0) {
        run->record->aggregator_empty += lane->aggregated > 0;
        return;
    }
    lane->work[GAT_UNIT_AGGREGATOR]++;
    size_t slot = (lane->freed + lane->aggregated / heads) % run->room, first = lane->aggregated % heads * channels;
    const int32_t *z = lane->wh + slot * run->outputs + first;
    int64_t alpha = dse_fifo_take(&lane->alpha);
    for (size_t k = 0; k < channels; k++)
        lane->o[first + k] += alpha * z[k];
    if (++lane->aggregated < nodes * heads)
        return;
    lane->aggregated = 0;
    lane->words_left = run->outputs;
}

/* Units step from last to first, so a unit's result of a cycle reaches the next unit in a later cycle. */
bool gat_lane_step(struct gat_layer_run *run, struct gat_lane *lane, uint64_t cycle)
{
    step_aggregator(run, lane, cycle);
    lane->work[GAT_UNIT_SOFTMAX] += step_divide(run, lane, cycle); /* collecting takes as many cycles, and overlaps */
    step_collect(run, lane, cycle);
    step_dmvm(run, lane, cycle);
    step_spmm(run, lane);
    return lane->busy || lane->next < lane->end || lane->freed != lane->written;
}

/* ---- make and free ---- */

void gat_lane_make(const struct gat_layer_run *run, struct dse_arena *arena, size_t first, size_t end, struct gat_lane *out)
{
    size_t heads = run->layer->heads, outputs = run->outputs, room = run->room;
    *out = (struct gat_lane){.next = first, .end = end, .sum = dse_arena_alloc(arena, outputs, sizeof *out->sum),
                             .wh = dse_arena_alloc(arena, room * outputs, sizeof *out->wh),
                             .wh_info = dse_arena_alloc(arena, room, sizeof *out->wh_info),
                             .source = dse_arena_alloc(arena, heads, sizeof *out->source),
                             .collecting = dse_arena_alloc(arena, heads, sizeof *out->collecting),
                             .divisor = dse_arena_alloc(arena, room * heads, sizeof *out->divisor),
                             .divisor_ready = dse_arena_alloc(arena, room, sizeof *out->divisor_ready),
                             .o = dse_arena_alloc(arena, outputs, sizeof *out->o),
                             .order = dse_arena_alloc(arena, room + 1, sizeof *out->order),
                             .coefficient = dse_fifo_make(room * heads), .dividend = dse_fifo_make(room * heads),
                             .alpha = dse_fifo_make(room * heads)};
}

void gat_lane_free(struct gat_lane *lane)
{
    dse_fifo_free(&lane->coefficient);
    dse_fifo_free(&lane->dividend);
    dse_fifo_free(&lane->alpha);
}
