#include "models/gat/executor/machine.h"

#include <math.h>

#include "core/arena.h"
#include "core/memory.h"
#include "executor/depths.h"
#include "models/gat/executor/lane.h"

#define ROWS_LEAST 64 /* rows of WH, and entries per FIFO and head */
#define ROWS_ON_THE_WAY 16 /* besides the longest subgraph: 45 cycles between SPMM and aggregator, at least 3 per row */
#define WORD_BYTES 4       /* width of the CDMA's path to the BRAM controllers (Table 5.1) */
#define PLACE_WORDS 4      /* after node_info, for each lane except the first: the start of its share */
#define FEATURE_BYTES 8    /* width of a word of the feature memory */
#define CYCLES_A_LOOK 65536 /* between two checks of the monitor */

/* The machine over one graph. */
struct machine {
    const struct gat_hardware *hardware;
    const struct gat_fixed *fixed;
    const struct gat_gcsr *gcsr;
    const struct dse_monitor *monitor;
    size_t nodes;
    size_t *row_begin, *subgraph_begin; /* [rows + 1], [nodes + 1] from node_info */
    int64_t *feature;                   /* [nodes × hidden] the aggregator's results of layer 1 */
    int32_t *h_data;                    /* [rows × hidden] of layer 2 */
    size_t longest;
    struct gat_place *places;           /* [lanes + 1] where their shares begin */
    struct gat_record *record;
};

/* Begins of rows and subgraphs, which the hardware counts while it reads. */
static void read_info(struct machine *m)
{
    size_t at = 0, v = 0;
    for (size_t r = 0; r < m->gcsr->rows; r++) {
        struct gat_row_info info = gat_row_info_of(m->gcsr, m->gcsr->node_info[r]);
        m->row_begin[r] = at;
        at += info.length;
        if (info.source)
            m->subgraph_begin[v++] = r;
        m->longest = info.nodes > m->longest ? info.nodes : m->longest;
    }
    m->row_begin[m->gcsr->rows] = at;
    m->subgraph_begin[v] = m->gcsr->rows;
}

/* Steps the lanes until all are done. */
static enum dse_status step_lanes(const struct machine *m, struct gat_layer_run *run, struct gat_lane *lanes, uint64_t *cycles,
                                  struct dse_error *err)
{
    bool going = true;
    for (*cycles = 0; going; ++*cycles) {
        going = false;
        for (size_t i = 0; i < m->hardware->lanes; i++)
            going = gat_lane_step(run, &lanes[i], *cycles) || going;
        if (*cycles % CYCLES_A_LOOK == 0 && dse_monitor_cancelled(m->monitor))
            return dse_fail_cancelled(err);
    }
    return DSE_OK;
}

/* An engine's work is the mean over the lanes. The stage's cycles include what the slowest lane takes beyond it.
 * DMVM and softmax include their pipeline depths. */
static void add_work(const struct gat_layer_run *run, const struct gat_lane *lanes, size_t count, struct gat_record *record)
{
    uint64_t work[GAT_UNIT_COUNT] = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t u = 0; u < GAT_UNIT_COUNT; u++)
            work[u] += lanes[i].work[u];
    for (size_t u = 0; u < GAT_UNIT_COUNT; u++)
        record->work[u] += (work[u] + count / 2) / count;
    record->work[GAT_UNIT_DMVM] += run->dmvm_depth;
    record->work[GAT_UNIT_SOFTMAX] += run->collect_depth + run->divide_depth;
}

/* Loads one row of W (all columns) per cycle, then one word of the attention vector per cycle. */
static uint64_t load_layer(const struct gat_layer_run *run)
{
    uint64_t cycles = 0;
    for (size_t row = 0; row < run->layer->inputs; row++)
        cycles++;
    for (size_t word = 0; word < 2 * run->outputs; word++)
        cycles++;
    return cycles;
}

static size_t passes_of(const struct gat_hardware *hardware, size_t outputs)
{
    return (outputs + hardware->pes - 1) / hardware->pes;
}

static enum dse_status run_layer(const struct machine *m, size_t l, int64_t *out, struct dse_error *err)
{
    const struct gat_fixed_layer *layer = &m->fixed->layer[l];
    size_t outputs = layer->heads * layer->channels;
    struct gat_layer_run run = {.layer = layer, .gcsr = m->gcsr, .row_begin = l == 0 ? m->row_begin : NULL, .dense = m->h_data,
                                .subgraph_begin = m->subgraph_begin, .outputs = outputs,
                                .pes = m->hardware->pes, .passes = passes_of(m->hardware, outputs),
                                .room = m->longest + ROWS_ON_THE_WAY > ROWS_LEAST ? m->longest + ROWS_ON_THE_WAY : ROWS_LEAST, .dmvm_depth = 3 + dse_tree_levels(layer->channels), .collect_depth = 2,
                                .divide_depth = 19, .out = out, .record = m->record};
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    struct gat_lane *lanes = dse_arena_alloc(&arena, m->hardware->lanes, sizeof *lanes);
    for (size_t i = 0; i < m->hardware->lanes; i++)
        gat_lane_make(&run, &arena, m->places[i].node, m->places[i + 1].node, &lanes[i]);
    uint64_t loaded = load_layer(&run), cycles = 0;
    enum dse_status status = step_lanes(m, &run, lanes, &cycles, err);
    add_work(&run, lanes, m->hardware->lanes, m->record);
    m->record->work[GAT_UNIT_LOADER] += loaded;
    m->record->stage[l == 0 ? GAT_STAGE_LAYER1 : GAT_STAGE_LAYER2] = loaded + cycles;
    for (size_t i = 0; i < m->hardware->lanes; i++)
        gat_lane_free(&lanes[i]);
    return status;
}

/* The step between the layers. The processor or the dispatcher writes each node's vector to every row that subgraph_idx
 * names, up to the end of graph. The dispatcher reads one word per cycle, then writes two per cycle. */
static void between(const struct machine *m)
{
    size_t hidden = m->fixed->layer[1].inputs;
    uint64_t cycles = 0;
    const uint32_t *index = m->gcsr->subgraph_idx;
    for (size_t v = 0; v < m->nodes; v++) {
        cycles += hidden;
        for (bool last = false; !last; index++) {
            int32_t *row = m->h_data + (size_t)(*index >> 1) * hidden;
            for (size_t k = 0; k < hidden; k++) {
                row[k] = gat_fixed_hidden(m->fixed, m->feature[v * hidden + k]);
                cycles += k % 2 == 0;
            }
            m->record->copies++;
            last = (*index & 1) != 0;
        }
    }
    if (m->hardware->approach == GAT_STREAMLINE)
        m->record->work[GAT_UNIT_DISPATCHER] = m->record->stage[GAT_STAGE_DISPATCH] = cycles;
}

/* ---- CDMA ---- */

static uint64_t move(const struct machine *m, size_t words, double bytes)
{
    double credit = 0.0, rate = m->hardware->bytes_a_cycle / bytes;
    uint64_t cycles = (uint64_t)ceil(m->hardware->setup_cycles + m->hardware->latency_cycles);
    m->record->processor += (uint64_t)ceil(m->hardware->setup_cycles);
    for (size_t moved = 0; moved < words; cycles++) {
        credit = fmin(credit + rate, 1.0);
        m->record->memory += credit < 1.0;
        if (credit < 1.0)
            continue;
        credit -= 1.0;
        moved++;
    }
    m->record->words += words;
    return cycles;
}

static size_t weight_words(const struct gat_fixed_layer *layer)
{
    return (layer->inputs + 2) * layer->heads * layer->channels;
}

/* One transfer per item of Listing 5.1; the answers come back if the task is the whole run. */
static void transfer(const struct machine *m)
{
    const struct gat_fixed_layer *layer = m->fixed->layer;
    size_t rows = m->gcsr->rows, info = rows + PLACE_WORDS * (m->hardware->lanes - 1), hidden = layer[1].inputs, classes = layer[1].channels;
    bool streamline = m->hardware->approach == GAT_STREAMLINE;
    enum gat_task task = m->hardware->task;
    uint64_t cycles = 0;
    if (task != GAT_EXECUTE && task != GAT_TRANSFER_2) {
        m->record->processor += (uint64_t)ceil(m->hardware->first_cycles);
        cycles += (uint64_t)ceil(m->hardware->first_cycles) + move(m, info, WORD_BYTES) + move(m, m->gcsr->nonzeros, WORD_BYTES);
        cycles += move(m, weight_words(&layer[0]) + (streamline ? weight_words(&layer[1]) : 0), WORD_BYTES);
        cycles += streamline ? move(m, rows, WORD_BYTES) : 0;
    }
    if (task != GAT_EXECUTE && task != GAT_TRANSFER_1 && !streamline)
        cycles += move(m, info, WORD_BYTES) + move(m, rows * hidden, WORD_BYTES) + move(m, weight_words(&layer[1]), WORD_BYTES);
    if (task == GAT_WHOLE)
        cycles += move(m, m->nodes * classes, FEATURE_BYTES) + (streamline ? 0 : move(m, m->nodes * hidden, FEATURE_BYTES));
    m->record->work[GAT_UNIT_CDMA] = m->record->stage[GAT_STAGE_TRANSFER] = cycles;
}

enum dse_status gat_machine_run(const struct gat_hardware *hardware, const struct gat_fixed *fixed, const struct gat_gcsr *gcsr,
                                size_t nodes, const struct dse_monitor *monitor, int64_t *score, struct gat_record *record,
                                struct dse_error *err)
{
    size_t hidden = fixed->layer[1].inputs;
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    struct machine m = {.hardware = hardware, .fixed = fixed, .gcsr = gcsr, .monitor = monitor, .nodes = nodes, .record = record,
                        .places = dse_arena_alloc(&arena, hardware->lanes + 1, sizeof *m.places),
                        .row_begin = dse_arena_alloc(&arena, gcsr->rows + 1, sizeof *m.row_begin),
                        .subgraph_begin = dse_arena_alloc(&arena, nodes + 1, sizeof *m.subgraph_begin),
                        .feature = dse_arena_alloc(&arena, nodes * hidden + 1, sizeof *m.feature),
                        .h_data = dse_arena_alloc(&arena, gcsr->rows * hidden + 1, sizeof *m.h_data)};
    *record = (struct gat_record){0};
    read_info(&m);
    gat_gcsr_split(gcsr, (const size_t[]){passes_of(hardware, hidden), passes_of(hardware, fixed->layer[1].channels)}, hidden, hardware->lanes, m.places);
    transfer(&m);
    DSE_TRY(run_layer(&m, 0, m.feature, err));
    between(&m);
    DSE_TRY(run_layer(&m, 1, score, err));
    if (hardware->task != GAT_EXECUTE && hardware->task != GAT_WHOLE)
        for (size_t s = 0; s < GAT_STAGE_TRANSFER; s++)
            record->stage[s] = 0;
    return DSE_OK;
}
