/* The memories of Table 5.1, the dispatcher between them, and the CDMA that loads them. */
#include <math.h>
#include <string.h>

#include "models/gat/layout.h"

#define BANK_WORDS 4096   /* words of h_data in block RAM: the unused rest of the last bank is not built */
#define TABLE_WORDS 1024  /* the same for memories with one word per row */
#define WORD_BYTES 4      /* width of the CDMA's path into the memories */
#define FEATURE_BITS 64   /* bits of a feature memory word: o has 47 and a sign */
#define FEATURE_BYTES 8

static void build_banks(struct dse_build *build, int64_t words, int64_t bank, int64_t bits, int64_t readers)
{
    int64_t banks = dse_ceil_div(words, bank);
    if (words < bank)
        dse_build_array(build, DSE_STORAGE_AUTO, words, bits, 1, 1, readers);
    else
        dse_build_array(build, DSE_STORAGE_BRAM, banks * bank, bits, banks, 1, readers);
}

/* One copy per lane, each read by its lane; CDMA or dispatcher writes through the other port. */
enum dse_status gat_cost_h_data(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                   struct dse_error *err)
{
    const struct gat_layout l = gat_layout_of(config, context->work);
    const struct gat_shape s = l.shape;
    struct dse_build build = dse_build_start(context, config->value[GAT_CLOCK_MHZ], err);
    const struct gat_work *work = context->work;
    if (config->value[GAT_H_MEMORY] == GAT_IN_URAM) {
        dse_build_array(&build, DSE_STORAGE_URAM, l.h_words, s.entry_bits * l.side, 1, 1, s.lanes);
        dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, (double)(s.entry_bits * (l.side - 1)), (double)s.lanes);
    } else {
        build_banks(&build, l.h_words, BANK_WORDS, s.entry_bits, s.lanes);
        dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, (double)(s.entry_bits * (l.h_words / BANK_WORDS)), (double)s.lanes);
    }
    double reads = s.executes ? (double)(work->steps + work->rows * s.inputs[1]) : 0.0;
    return dse_build_finish(&build, reads, out);
}

/* node_info, read by every lane, and output features, written by every lane, one copy each; in UltraRAM if the chip has it. */
enum dse_status gat_cost_graph(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                  struct dse_error *err)
{
    struct gat_shape s = gat_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[GAT_CLOCK_MHZ], err);
    const struct gat_work *work = context->work;
    int64_t info = dse_bits_for(s.holds.longest_row + 1) + dse_bits_for(s.holds.longest_subgraph + 1) + 1;
    build_banks(&build, s.holds.rows, TABLE_WORDS, info, s.lanes);
    bool ultra = context->board->chip[DSE_URAM] > 0;
    if (ultra)
        dse_build_array(&build, DSE_STORAGE_URAM, s.holds.nodes * s.widest, FEATURE_BITS, 1, 1, s.lanes);
    else
        build_banks(&build, s.holds.nodes * s.widest, BANK_WORDS, FEATURE_BITS, s.lanes);
    double reads = s.executes ? (double)(2 * work->rows + work->nodes * (s.outputs[0] + s.outputs[1])) : 0.0;
    return dse_build_finish(&build, reads, out);
}

/* One memory per column of W as transferred, and one per SP-PE of a lane, filled by the loader. */
enum dse_status gat_cost_weights(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                    struct dse_error *err)
{
    struct gat_shape s = gat_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[GAT_CLOCK_MHZ], err);
    const struct gat_work *work = context->work;
    const int64_t inputs[2] = {s.holds.features, s.inputs[1]};
    for (int k = 0; k < 2; k++) {
        dse_build_array(&build, DSE_STORAGE_AUTO, inputs[k] * s.outputs[k], s.bits, s.outputs[k], 1, 1);
        dse_build_array(&build, DSE_STORAGE_AUTO, inputs[k] * s.outputs[k], s.bits, s.outputs[k], s.lanes, 1);
    }
    double reads = s.executes ? (double)(work->steps * s.passes[0] + work->rows * s.inputs[1] * s.passes[1]) : 0.0;
    return dse_build_finish(&build, reads, out);
}

/* The lane that has the next node, and its word of the feature memory. */
static void put_choice(struct dse_build *build, const struct gat_shape *s)
{
    dse_build_structure(build, DSE_STRUCTURE_COMPARATOR, (double)dse_bits_for(s->holds.nodes), (double)(s->lanes - 1));
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, FEATURE_BITS, (double)(s->lanes - 1));
}

static void put_dispatcher(struct dse_build *build, const struct gat_shape *s)
{
    put_choice(build, s);
    dse_build_structure(build, DSE_STRUCTURE_REGISTER, (double)(s->outputs[0] * s->entry_bits), 1.0);
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, (double)(s->outputs[0] * s->entry_bits), 1.0); /* selects a pair of them */
    dse_build_structure(build, DSE_STRUCTURE_COMPARATOR, FEATURE_BITS, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_ADDER, (double)dse_bits_for(s->holds.rows * s->outputs[0]), 2.0);
    dse_build_structure(build, DSE_STRUCTURE_LOOP, 1.0, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
}

/* `streamline`: reads a node's words, one per cycle, and writes them to each row that contains the node, two per cycle, by subgraph_idx. */
enum dse_status gat_cost_dispatcher(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                       struct dse_error *err)
{
    struct gat_shape s = gat_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[GAT_CLOCK_MHZ], err);
    const struct gat_work *work = context->work;
    double cycles = (double)(work->nodes * s.outputs[0] + work->rows * dse_ceil_div(s.outputs[0], 2));
    if (!s.streamline)
        return DSE_OK;
    for (int c = 0; s.executes && c < DSE_CASE_COUNT; c++)
        out->busy_cycles[c][GAT_MODEL_DISPATCH] = dse_count(cycles);
    if (s.executes)
        dse_build_loop(&build, "dispatcher_steps", 1, dse_count(cycles), 1, 3);
    if (s.executes)
        out->on_chip_bytes = dse_count((double)((work->nodes * FEATURE_BITS + work->rows * s.entry_bits) * s.outputs[0]) / 8.0);
    build_banks(&build, s.holds.rows, TABLE_WORDS, dse_bits_for(s.holds.rows) + 1, 1);
    if (s.thesis)
        gat_thesis_dispatcher(&build, &s);
    else
        put_dispatcher(&build, &s);
    return dse_build_finish(&build, s.executes ? cycles : 0.0, out);
}

/* ---- CDMA ---- */

/* Words and transfers of a task (Listing 5.1: one transfer each for node_info, h_data, weights and, for `streamline`,
 * subgraph_idx; `layerbreak` has three more before layer 2), one word per cycle; output features, one memory word per cycle. */
struct moves {
    double words, transfers, features, answers;
    bool first; /* transfers before layer 1 */
};

static void move(struct moves *m, int64_t words)
{
    m->words += (double)words;
    m->transfers++;
}

static struct moves moves_of(const struct gat_shape *s, const struct gat_work *work, enum gat_task task)
{
    struct moves m = {.first = task != GAT_EXECUTE && task != GAT_TRANSFER_2};
    int64_t weights[2];
    for (int l = 0; l < 2; l++)
        weights[l] = (s->inputs[l] + 2) * s->outputs[l];
    const int64_t info = work->rows + GAT_PLACE_WORDS * (s->lanes - 1);
    if (m.first) {
        move(&m, info);
        move(&m, work->nonzeros);
        move(&m, weights[0] + (s->streamline ? weights[1] : 0));
        if (s->streamline)
            move(&m, work->rows);
    }
    if (task != GAT_EXECUTE && task != GAT_TRANSFER_1 && !s->streamline) {
        move(&m, info);
        move(&m, work->rows * s->inputs[1]);
        move(&m, weights[1]);
    }
    if (task == GAT_WHOLE) {
        m.answers = s->streamline ? 1.0 : 2.0;
        m.features = (double)(work->nodes * (work->classes + (s->streamline ? 0 : s->outputs[0])));
    }
    return m;
}

/* Records a loop of transfers, each a call of the kernel. */
static void note_transfers(const struct dse_build *build, const char *name, double transfers, double words, int64_t depth)
{
    if (transfers <= 0.0)
        return;
    dse_build_loop(build, name, dse_count(transfers), dse_count(words), 1, depth);
    dse_loops_spread(build->context->loops, name, transfers);
}

/* Transfers, layers (or both layers at once) and answers are a call each (cases.c). The thesis's RTL takes transfers with their starts. */
int64_t gat_calls(const struct dse_config *config)
{
    const enum gat_task task = (enum gat_task)config->value[GAT_TASK];
    const bool streamline = config->value[GAT_APPROACH] == GAT_STREAMLINE, executes = task == GAT_EXECUTE || task == GAT_WHOLE;
    const int64_t runs = streamline ? 1 : 2, before_1 = streamline ? 4 : 3, before_2 = streamline ? 0 : 3;
    if (config->value[GAT_RTL] == GAT_RTL_OF_THESIS)
        return executes ? runs : 1;
    return (executes ? runs : 0) + (task != GAT_EXECUTE && task != GAT_TRANSFER_2 ? before_1 : 0) + (task != GAT_EXECUTE && task != GAT_TRANSFER_1 ? before_2 : 0) +
           (task == GAT_WHOLE ? runs : 0);
}

/* A transfer before a layer or of its features for each call but those that run layers; weights of both layers are two. */
int64_t gat_transfers(const struct dse_model_family *family, const struct dse_config *config, bool queued)
{
    (void)family;
    const enum gat_task task = (enum gat_task)config->value[GAT_TASK];
    const bool streamline = config->value[GAT_APPROACH] == GAT_STREAMLINE;
    const int64_t before_1 = streamline ? 5 : 3, before_2 = streamline ? 0 : 3, answers = streamline ? 1 : 2;
    return queued ? 3
                  : (task != GAT_EXECUTE && task != GAT_TRANSFER_2 ? before_1 : 0) + (task != GAT_EXECUTE && task != GAT_TRANSFER_1 ? before_2 : 0) +
                        (task == GAT_WHOLE ? answers : 0);
}

enum dse_status gat_cost_cdma(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                 struct dse_error *err)
{
    struct gat_shape s = gat_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[GAT_CLOCK_MHZ], err);
    enum gat_task task = (enum gat_task)config->value[GAT_TASK];
    if (context->board->memory_count == 0)
        dse_build_reject(&build, "the board %s has no memory", context->board->name);
    else if (s.streamline && task == GAT_TRANSFER_2)
        dse_build_reject(&build, "task=transfer-2: approach=streamline only transfers before layer 1");
    if (context->rejection->rejected)
        return DSE_OK;
    const struct dse_memory *memory = &context->board->memories[0];
    struct moves m = moves_of(&s, context->work, task);
    double rate = dse_memory_sustained_bytes_per_s(memory) / (double)memory->channels / build.clock_hz / WORD_BYTES;
    double setup_s = memory->read_latency_s + (s.thesis ? 1e-6 * dse_fitted_value(gat_fitted, GAT_SETUP, context) : 0.0);
    double first_s = m.first ? 1e-6 * dse_fitted_value(gat_fitted, GAT_FIRST, context) : 0.0;
    double moving = ceil(m.words / fmin(rate, 1.0) + m.features / fmin(rate * WORD_BYTES / FEATURE_BYTES, 1.0));
    double waiting = ((m.transfers + m.answers) * setup_s + first_s) * build.clock_hz;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][GAT_MODEL_TRANSFER] = dse_count(moving);
        out->fill_cycles[c][GAT_MODEL_TRANSFER] = dse_count(round(waiting));
        out->bytes[c][GAT_MODEL_TRANSFER][0] = dse_count(m.words * WORD_BYTES + m.features * FEATURE_BYTES);
    }
    note_transfers(&build, "cdma_words", m.transfers, m.words, 2 + (int64_t)ceil(memory->read_latency_s * build.clock_hz));
    note_transfers(&build, "cdma_features", m.answers, m.features, 3);
    put_choice(&build, &s);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, (double)(8 * WORD_BYTES * GAT_PLACE_WORDS), (double)(s.lanes - 1)); /* where their shares begin */
    dse_build_m_axi(&build, 8 * WORD_BYTES, 0, 0, 1.0);
    dse_build_m_axi(&build, 8 * FEATURE_BYTES, 0, 0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 2.0, 1.0);
    return dse_build_finish(&build, moving, out);
}

/* A layer ends after SPMM's last row, when its last subgraph has been summed and written. Its size is assumed to be the mean. The aggregator
 * already counts this work, which overlaps with nothing. */
static void put_drain(const struct gat_shape *s, const struct gat_work *work, struct dse_accumulators *out)
{
    for (int l = 0; l < 2; l++)
        gat_put_layer(out, s, l, 0.0, (double)s->heads[l] * (double)work->rows / (double)work->nodes + (double)s->outputs[l]);
}

/* The register bank of Figure 5.4. */
enum dse_status gat_cost_control(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                    struct dse_error *err)
{
    struct gat_shape s = gat_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[GAT_CLOCK_MHZ], err);
    const char *const *arithmetics = gat_knobs.knobs[GAT_ARITHMETIC].choices, *approach = gat_knobs.knobs[GAT_APPROACH].choices[config->value[GAT_APPROACH]];
    if (strcmp(arithmetics[config->value[GAT_ARITHMETIC]], approach) != 0)
        dse_build_reject(&build, "arithmetic=%s: approach=%s computes in %s", arithmetics[config->value[GAT_ARITHMETIC]], approach, approach);
    dse_build_structure(&build, DSE_STRUCTURE_S_AXILITE, 13.0, 1.0); /* nine registers and two addresses */
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 1.0, 1.0); /* over the layers */
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, GAT_MODEL_STAGES, 1.0);
    dse_build_queue(&build, context->family->queues(config), 9);
    put_drain(&s, context->work, out);
    return dse_build_finish(&build, 0.0, out);
}
