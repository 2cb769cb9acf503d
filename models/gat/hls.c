/* Describes the accelerator under models/gat/hls/ for its header: sizes, types, ports, registers, directives and conditions on them. */
#include "models/gat/layout.h"
#include "models/hls.h"

#define HIDDEN_BITS 20     /* minimum bits of a hidden word: sums of 65 int8 products */
#define FEATURE_BITS 64    /* width of a word of the feature memory */
#define DIVISOR_PARTS 5    /* 2^127 · 65535 has 143 bits */
#define SUBGRAPH_MOST 65535
#define LANES_MOST 16      /* as many as a sweep visits */
#define CLOCK_MOST_MHZ 350 /* above it the decisions of a step take more than a cycle */
#define WIDEST_MOST 256    /* channels of all heads: registers in one loop */
#define URAM_BITS 72       /* bits of an UltraRAM word, written in parts of 9 */

/* Feature bits of a design. */
enum { STREAMLINES = 1, BREAKS = 2 };

#define EVERY DSE_HLS_LOOP
#define WHOLLY(function, loop) DSE_HLS_UNROLLED(0, function, loop, 0, NULL)
#define APART(function, array, dimension) DSE_HLS_APART(0, function, array, dimension)
#define QUEUE(array, depth, by) DSE_HLS_STREAMED(0, "gat_layer", array, depth, by)

int64_t gat_weight_words(const struct gat_shape *shape, int layer)
{
    return (shape->inputs[layer] + 2) * shape->outputs[layer];
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Entries per UltraRAM word, each with its own write enable: a power of two, so that selecting an entry needs no logic. */
static int64_t entries_a_word(const struct gat_shape *shape)
{
    int64_t side = URAM_BITS / (9 * dse_ceil_div(shape->entry_bits, 9));
    return side >= 4 ? 4 : side;
}

struct gat_layout gat_layout_of(const struct dse_config *config, const struct gat_work *work)
{
    struct gat_layout l = {.shape = gat_shape_of(config, work), .divisor_parts = DIVISOR_PARTS, .features = work->features, .classes = work->classes,
                           .clock_mhz = config->value[GAT_CLOCK_MHZ]};
    const struct gat_shape *s = &l.shape;
    int64_t hidden = s->holds.rows * s->inputs[1], weights = gat_weight_words(s, 0) + gat_weight_words(s, 1);
    l.length_bits = dse_bits_for(s->holds.longest_row + 1);
    l.nodes_bits = dse_bits_for(s->holds.longest_subgraph + 1);
    l.hidden_bits = larger(HIDDEN_BITS, s->bits + dse_bits_for(work->features));
    l.wh_rows = gat_rows_held(s);
    l.side = config->value[GAT_H_MEMORY] == GAT_IN_URAM ? entries_a_word(s) : 1;
    l.h_words = dse_ceil_div(larger(s->holds.nonzeros, hidden), l.side);
    l.port_words = larger(larger(l.h_words * l.side, s->holds.rows + GAT_PLACE_WORDS * (s->lanes - 1)), weights);
    return l;
}

/* Rejects designs without a source. A message begins with the knob. */
static enum dse_status check(const struct gat_layout *l, struct dse_error *err)
{
    const struct gat_shape *s = &l->shape;
    const double steps = (double)(2 * s->holds.rows) + (double)(s->passes[0] + s->passes[1]) * (double)(s->holds.steps + s->holds.rows * s->inputs[1]);
    if (s->lanes > LANES_MOST)
        return dse_fail(err, DSE_ANSWER_NO, "subgraphs=%lld: the emitted source has at most %d lanes", (long long)s->lanes, LANES_MOST);
    if (s->thesis)
        return dse_fail(err, DSE_ANSWER_NO, "rtl=thesis: the thesis's RTL cannot be emitted; must be emitted");
    if (l->clock_mhz > CLOCK_MOST_MHZ)
        return dse_fail(err, DSE_ANSWER_NO, "clock_mhz=%lld: above %d MHz, the control logic of a loop in the emitted source takes longer than a cycle",
                        (long long)l->clock_mhz, CLOCK_MOST_MHZ);
    if (s->widest > WIDEST_MOST)
        return dse_fail(err, DSE_ANSWER_NO, "channels=%lld, heads=%lld: a row of %lld words is more than the %d registers of one loop of the emitted source",
                        (long long)s->channels[0], (long long)s->heads[0], (long long)s->widest, WIDEST_MOST);
    if (s->holds.longest_subgraph > SUBGRAPH_MOST)
        return dse_fail(err, DSE_ANSWER_NO, "a subgraph of %lld nodes: the emitted source sums up to %d powers", (long long)s->holds.longest_subgraph, SUBGRAPH_MOST);
    if (l->length_bits + l->nodes_bits + 1 > 32 || s->holds.rows >> 30 != 0 || l->h_words >> 30 != 0 || steps > INT32_MAX || s->entry_bits > 31)
        return dse_fail(err, DSE_ANSWER_NO, "%lld rows over all subgraphs: node_info, h_data or the steps of a layer do not fit the 32-bit words of the emitted source",
                        (long long)s->holds.rows);
    return DSE_OK;
}

static void add_sizes(const struct gat_layout *l, struct dse_hls *hls)
{
    const struct gat_shape *s = &l->shape;
    dse_hls_add_size(hls, s->holds.nodes, 1, "nodes that the memories hold", "NODES_MOST");
    dse_hls_add_size(hls, s->holds.rows, 1, "rows over all subgraphs that the memories hold", "ROWS_MOST");
    dse_hls_add_size(hls, s->streamline ? s->holds.rows : 1, 1, "words of subgraph_idx", "INDEX_MOST");
    dse_hls_add_size(hls, INT64_C(1) << dse_bits_for(s->holds.rows), 1, "log2 of an upper bound of the rows", "INDEX_BOUND");
    dse_hls_add_size(hls, s->holds.rows * s->heads[0], 1, "rows times heads", "EXPONENTS_MOST");
    dse_hls_add_size(hls, s->holds.nodes * s->widest, 1, "words of the feature memory", "FEATURES_OUT");
    dse_hls_add_size(hls, l->h_words, 1, "words of h_data", "H_WORDS");
    dse_hls_add_size(hls, l->side, 1, "entries per word of h_data", "H_SIDE");
    dse_hls_add_size(hls, l->port_words, 1, "words of the longest transfer", "WORDS_MOST");
    dse_hls_add_size(hls, s->holds.features, 1, "input features that the memories hold", "FEATURES_MOST");
    dse_hls_add_size(hls, l->classes, 1, "classes", "CLASSES");
    dse_hls_add_size(hls, s->bits, 1, "bits of a feature, weight or attention", "VALUE_BITS");
    dse_hls_add_size(hls, s->entry_bits, 1, "bits of an entry of h_data", "ENTRY_BITS");
    dse_hls_add_size(hls, l->hidden_bits, 1, "bits of a hidden feature", "HIDDEN_BITS");
    dse_hls_add_size(hls, l->length_bits, 1, "bits of a row's length in node_info", "LENGTH_BITS");
    dse_hls_add_size(hls, l->nodes_bits, 1, "bits of a subgraph's nodes in node_info", "NODES_BITS");
    dse_hls_add_size(hls, l->wh_rows, 1, "rows of WH", "WH_ROWS");
    dse_hls_add_size(hls, l->wh_rows * s->heads[0], 1, "entries of the FIFOs around the softmax", "QUEUE");
}

static void add_ports(const struct gat_layout *l, struct dse_hls *hls)
{
    const struct gat_shape *s = &l->shape;
    dse_hls_add_type(hls, "value_t", "int8_t", s->bits, "feature, weight or attention");
    dse_hls_add_type(hls, "feature_t", "int64_t", FEATURE_BITS, "word of the feature memory, 16 bits of fraction");
    dse_hls_add_type(hls, "coefficient_t", "uint16_t", 9, "exponent, and whether it is the last of its subgraph");
    dse_hls_add_type(hls, "alpha_t", "uint32_t", 17, "attention, 16 bits of fraction");
    dse_hls_add_type(hls, "word_t", "uint32_t", 32, "word of the CDMA");
    dse_hls_add_type(hls, "row_t", NULL, 32 * (s->widest + 1), "row of WH with its node_info");
    dse_hls_add_type(hls, "divisor_t", NULL, 32 * l->divisor_parts * s->heads[0], "sums of powers of a subgraph's heads");
    dse_hls_add_memory(hls, "words", "node_info, h_data, weights or subgraph_idx", "word_t", false, l->port_words, 16);
    dse_hls_add_memory(hls, "features_out", "o of the last layer that ran, 16 bits of fraction", "feature_t", true, s->holds.nodes * s->widest, 1);
    dse_hls_add_scalar(hls, "command", "0 to 3 transfer node_info, h_data, weights, subgraph_idx; 4 transfers the features back; 5 runs");
    dse_hls_add_scalar(hls, "count", "words of the transfer, or features");
    dse_hls_add_scalar(hls, "layer", "0 or 1: the first layer of the weights, the layer that runs (streamline: 0, both run), or the layer of the features");
    dse_hls_add_scalar(hls, "inputs", "features of a node");
    dse_hls_add_scalar(hls, "nodes", "nodes, and so subgraphs");
    dse_hls_add_scalar(hls, "rows", "rows over all subgraphs");
    dse_hls_add_scalar(hls, "steps", "non-zeros over all subgraphs; an empty row counts as one");
    dse_hls_add_scalar(hls, "shift_1", "right shift of layer 1's exponents, two's complement");
    dse_hls_add_scalar(hls, "shift_2", "of layer 2's");
}

static void add_memory_rules(const struct gat_layout *l, bool ultra, bool in_ultra, unsigned has, struct dse_hls *hls)
{
    const struct dse_hls_rule rules[] = {
        EVERY(0, "gat_cdma_in", "cdma_words", 1), EVERY(0, "gat_cdma_out", "cdma_features", 1),
        EVERY(0, "gat_load", "loader_weights", 1), EVERY(0, "gat_load", "loader_attention", 1), WHOLLY("gat_load", "loader_clear"),
        {0, false, {DSE_HLS_LOOP_TRIPCOUNT, "gat_top", "scheduler_layers", has & STREAMLINES ? 2 : 1, NULL, 0, NULL, has & STREAMLINES ? 2 : 1}},
        APART("gat_top", "node_info", 1), APART("gat_top", "h_data", 1), DSE_HLS_PLAIN(0, ARRAY_RESHAPE, "gat_top", "h_data", 3), DSE_HLS_STORED(0, "gat_top", "h_data", ultra ? "uram" : "bram", 0),
        DSE_HLS_STORED(0, "gat_layer", "wh", "lutram", 0), APART("gat_top", "features", 1), DSE_HLS_STORED(0, "gat_top", "features", in_ultra ? "uram" : "bram", 0),
        APART("gat_top", "staged_1", 1), APART("gat_top", "staged_2", 1), APART("gat_top", "vector_1", 0), APART("gat_top", "vector_2", 0),
        APART("gat_top", "weights_1", 1), APART("gat_top", "weights_1", 2), APART("gat_top", "weights_2", 1), APART("gat_top", "weights_2", 2), APART("gat_top", "places", 0), APART("gat_top", "attention", 0),
        DSE_HLS_PLAIN(0, DATAFLOW, "gat_lanes", NULL, 0), WHOLLY("gat_lanes", "scheduler_lanes"), DSE_HLS_PLAIN(0, DATAFLOW, "gat_layer", NULL, 0),
        QUEUE("attended", 2, NULL), QUEUE("wh", l->wh_rows, "WH_ROWS"), QUEUE("coefficients", l->wh_rows * l->shape.heads[0], "QUEUE"),
        QUEUE("dividends", l->wh_rows * l->shape.heads[0], "QUEUE"), QUEUE("divisors", 2, NULL), QUEUE("alphas", l->wh_rows * l->shape.heads[0], "QUEUE")};
    dse_hls_add_rules(hls, rules, sizeof rules / sizeof *rules, has);
}

static void add_engine_rules(unsigned has, struct dse_hls *hls)
{
    static const struct dse_hls_rule rules[] = {
        EVERY(0, "gat_spmm", "spmm_steps", 1), WHOLLY("gat_spmm", "spmm_begin"), WHOLLY("gat_spmm", "spmm_clear"),
        APART("gat_spmm", "spmm_sums", 0), APART("gat_spmm", "spmm_row", 0),
        EVERY(0, "gat_dmvm", "dmvm_steps", 1), WHOLLY("gat_dmvm", "dmvm_begin"), WHOLLY("gat_dmvm", "dmvm_clear"),
        APART("gat_dmvm", "dmvm_row", 0), APART("gat_dmvm", "dmvm_source", 0),
        EVERY(0, "gat_collect", "softmax_collect", 1), WHOLLY("gat_collect", "softmax_begin"), APART("gat_collect", "softmax_digits", 0),
        EVERY(0, "gat_divide", "softmax_divide", 1), WHOLLY("gat_divide", "softmax_clear"), WHOLLY("quotient_of", "softmax_bits"),
        APART("gat_divide", "softmax_divisor", 0),
        EVERY(0, "gat_aggregate", "aggregator_steps", 1), WHOLLY("gat_aggregate", "aggregator_begin"), APART("gat_aggregate", "products", 0),
        APART("gat_aggregate", "aggregator_row", 0), APART("gat_aggregate", "aggregator_sums", 0),
        EVERY(STREAMLINES, "gat_dispatch", "dispatcher_steps", 1), DSE_HLS_UNROLLED(STREAMLINES, "gat_dispatch", "dispatcher_begin", 0, NULL),
        DSE_HLS_APART(STREAMLINES, "gat_dispatch", "dispatcher_words", 0)};
    dse_hls_add_rules(hls, rules, sizeof rules / sizeof *rules, has);
}

static const struct dse_hls_check checks[] = {
    {0, "the memories hold as many rows as nodes", "GAT_ROWS_MOST >= GAT_NODES_MOST"},
    {0, "h_data holds the hidden features", "GAT_APPROACH == GAT_APPROACH_LAYERBREAK || 1LL * GAT_H_WORDS * GAT_H_SIDE >= 1LL * GAT_ROWS_MOST * GAT_HEADS * GAT_CHANNELS"},
    {0, "node_info fits its word", "GAT_LENGTH_BITS + GAT_NODES_BITS + 1 <= 32"},
    {0, "an entry of h_data fits its word", "GAT_ENTRY_BITS <= 32 && GAT_HIDDEN_BITS <= GAT_ENTRY_BITS + 12"},
    {0, "a value's type holds its bits", "sizeof(gat_value_t) * 8 >= GAT_VALUE_BITS"},
    {0, "the FIFOs hold the longest subgraph of all heads", "GAT_QUEUE >= GAT_WH_ROWS * GAT_HEADS"},
};

enum dse_status gat_hardware(const struct dse_context *context, const struct dse_config *config, struct dse_hls *hls,
                             struct dse_error *err)
{
    static const char *const sources[] = {"gat.h", "cdma.c", "loader.c", "spmm.c", "dmvm.c", "softmax.c", "aggregator.c", "dispatcher.c", "top.c", NULL};
    struct gat_layout *l = dse_arena_alloc(&hls->arena, 1, sizeof *l);
    *l = gat_layout_of(config, context->work);
    DSE_TRY(check(l, err));
    const unsigned has = l->shape.streamline ? STREAMLINES : BREAKS;
    hls->layout = l;
    hls->top = "gat_top";
    hls->sources = sources;
    add_sizes(l, hls);
    add_ports(l, hls);
    add_memory_rules(l, config->value[GAT_H_MEMORY] == GAT_IN_URAM, context->board->chip[DSE_URAM] > 0, has, hls);
    add_engine_rules(has, hls);
    dse_hls_add_checks(hls, checks, sizeof checks / sizeof *checks, has);
    return DSE_OK;
}
