/* The `cases` verb: a graph, or as many of its first nodes as the memories hold, as calls of the accelerator (executor/calls.h). The calls follow the
 * thesis's Listing 5.1: transfers, a layer, its features back. Between the layers of `layerbreak` the processor rounds the features and transfers
 * them as h_data. All calls are one run; the design's task counts its part of the run. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "executor/calls.h"
#include "models/gat/executor/gcsr.h"
#include "models/gat/executor/model.h"
#include "models/gat/layout.h"

#define WORDS 0 /* ports */
#define FEATURES_OUT 1
enum { NODE_INFO, H_DATA, WEIGHTS, SUBGRAPH_IDX, FEATURES, RUN }; /* commands */

struct casing {
    const struct gat_layout *layout;
    struct dse_node_graph part;
    const struct dse_node_graph *graph; /* `part`, a part of the data set's graph */
    struct gat_fixed fixed;
    struct gat_subgraphs subgraphs;
    struct gat_gcsr gcsr;
    struct dse_calls calls;
    enum gat_task task;
    uint32_t items, steps;
    int64_t *score, *features; /* scores of the last layer; features of layer 1, [nodes × outputs] */
    int32_t *hidden;
    struct gat_place *places; /* [lanes + 1] */
    uint32_t *words; /* [the largest of all transfers] */
};

/* Kinds of a call: a transfer before a layer, a layer, or the answers' transfer back. */
enum part { BEFORE_1, BEFORE_2, EXECUTES, BACK };

static bool counts(enum gat_task task, enum part part)
{
    return task == GAT_WHOLE || (task == GAT_EXECUTE && part == EXECUTES) || (part == BEFORE_1 && (task == GAT_TRANSFER || task == GAT_TRANSFER_1)) ||
           (part == BEFORE_2 && (task == GAT_TRANSFER || task == GAT_TRANSFER_2));
}

static void call(struct casing *c, uint32_t command, uint32_t count, uint32_t layer, enum part part)
{
    const uint32_t registers[] = {command, count, layer, (uint32_t)c->layout->features, (uint32_t)c->graph->node_count, (uint32_t)c->gcsr.rows, c->steps,
                                  (uint32_t)c->fixed.layer[0].shift, (uint32_t)c->fixed.layer[1].shift};
    dse_calls_part(&c->calls, counts(c->task, part), registers, sizeof registers / sizeof *registers);
}

static void transfer(struct casing *c, uint32_t command, size_t count, enum part part)
{
    call(c, command, (uint32_t)count, 0, part);
    dse_calls_write(&c->calls, WORDS, 0, c->words, count);
    dse_calls_expect(&c->calls);
}

/* The fields are as wide as in the header, wider than this graph may need. */
static void transfer_info(struct casing *c, enum part part)
{
    const struct gat_shape *s = &c->layout->shape;
    for (size_t r = 0; r < c->gcsr.rows; r++) {
        struct gat_row_info info = gat_row_info_of(&c->gcsr, c->gcsr.node_info[r]);
        c->words[r] = (uint32_t)info.length << (c->layout->nodes_bits + 1) | (uint32_t)info.nodes << 1 | info.source;
    }
    const size_t hidden = (size_t)s->inputs[1], lanes = (size_t)s->lanes;
    gat_gcsr_split(&c->gcsr, (const size_t[]){(size_t)s->passes[0], (size_t)s->passes[1]}, hidden, lanes, c->places);
    memcpy(c->words + c->gcsr.rows, c->places + 1, (lanes - 1) * sizeof *c->places);
    transfer(c, NODE_INFO, c->gcsr.rows + GAT_PLACE_WORDS * (lanes - 1), part);
}

static void transfer_entries(struct casing *c)
{
    const int64_t bits = c->layout->shape.bits;
    for (size_t i = 0; i < c->gcsr.nonzeros; i++)
        c->words[i] = (uint32_t)c->gcsr.column[i] << bits | ((uint32_t)(int32_t)c->gcsr.value[i] & ((UINT32_C(1) << bits) - 1));
    transfer(c, H_DATA, c->gcsr.nonzeros, BEFORE_1);
}

/* Layer 2's rows, which the processor computes from the features. */
static void transfer_hidden(struct casing *c)
{
    size_t hidden = (size_t)c->layout->shape.inputs[1];
    for (size_t r = 0; r < c->gcsr.rows; r++)
        for (size_t k = 0; k < hidden; k++)
            c->words[r * hidden + k] = (uint32_t)c->hidden[(size_t)c->subgraphs.node[r] * hidden + k];
    transfer(c, H_DATA, c->gcsr.rows * hidden, BEFORE_2);
}

/* One transfer of the packed model's arrays `first` … `last`. */
static void transfer_weights(struct casing *c, uint32_t first, uint32_t last, enum part part)
{
    uint32_t words[2], count = 0;
    for (uint32_t l = first; l <= last; l++)
        count += words[l] = (uint32_t)((c->fixed.layer[l].inputs + 2) * c->fixed.layer[l].heads * c->fixed.layer[l].channels);
    call(c, WEIGHTS, count, first, part);
    for (uint32_t l = first, at = 0; l <= last; at += words[l], l++)
        dse_calls_write_array(&c->calls, WORDS, at, 1 + l, words[l]);
    dse_calls_expect(&c->calls);
}

static void transfer_index(struct casing *c)
{
    for (size_t r = 0; r < c->gcsr.rows; r++)
        c->words[r] = c->gcsr.subgraph_idx[r];
    transfer(c, SUBGRAPH_IDX, c->gcsr.rows, BEFORE_1);
}

static void run_layers(struct casing *c, uint32_t layer)
{
    call(c, RUN, 0, layer, EXECUTES);
    dse_calls_expect(&c->calls);
}

/* Transfers features back, two words each. */
static void answer(struct casing *c, uint32_t layer, const int64_t *features, size_t outputs)
{
    size_t count = c->graph->node_count * outputs;
    call(c, FEATURES, (uint32_t)count, layer, BACK);
    for (size_t i = 0; i < count; i++) {
        c->words[2 * i] = (uint32_t)((uint64_t)features[i] & UINT32_MAX);
        c->words[2 * i + 1] = (uint32_t)((uint64_t)features[i] >> 32);
    }
    dse_calls_expect(&c->calls);
    dse_calls_words(&c->calls, FEATURES_OUT, 0, c->words, 2 * count);
}

static void make_calls(struct casing *c)
{
    const bool streamline = c->layout->shape.streamline;
    c->steps = (uint32_t)c->gcsr.nonzeros;
    for (size_t r = 0; r < c->gcsr.rows; r++)
        c->steps += gat_row_info_of(&c->gcsr, c->gcsr.node_info[r]).length == 0;
    transfer_info(c, BEFORE_1);
    transfer_entries(c);
    transfer_weights(c, 0, streamline, BEFORE_1);
    if (streamline)
        transfer_index(c);
    run_layers(c, 0);
    if (!streamline) {
        answer(c, 0, c->features, (size_t)c->layout->shape.outputs[0]);
        transfer_info(c, BEFORE_2);
        transfer_hidden(c);
        transfer_weights(c, 1, 1, BEFORE_2);
        run_layers(c, 1);
    }
    answer(c, 1, c->score, (size_t)c->layout->classes);
    dse_calls_end(&c->calls, c->items);
}

static size_t length_of(const struct dse_node_graph *g, size_t v)
{
    return g->feature_begin[v + 1] - g->feature_begin[v];
}

/* Returns how many of the first nodes fit the design's memories, with the arcs between them. All fit unless the graph is larger than the one
 * that the design was sized for. `nodes` [nodes] receives the sizes of their subgraphs. O(arcs). */
static size_t held_nodes(const struct gat_work *holds, const struct dse_node_graph *g, size_t *nodes)
{
    size_t rows = 0, nonzeros = 0, v = 0;
    for (; v < g->node_count && v < (size_t)holds->nodes; v++) {
        size_t before = 0, between = length_of(g, v);
        bool fits = length_of(g, v) <= (size_t)holds->longest_row;
        for (size_t i = g->row_begin[v]; i < g->row_begin[v + 1]; i++) {
            size_t u = (size_t)g->neighbour[i];
            before += u < v;
            between += u < v ? length_of(g, v) + length_of(g, u) : 0;
            fits = fits && (u > v || nodes[u] < (size_t)holds->longest_subgraph);
        }
        rows += 1 + 2 * before;
        nonzeros += between;
        if (!fits || 1 + before > (size_t)holds->longest_subgraph || rows > (size_t)holds->rows || nonzeros > (size_t)holds->nonzeros)
            break;
        nodes[v] = 1 + before;
        for (size_t i = g->row_begin[v]; i < g->row_begin[v + 1]; i++)
            if ((size_t)g->neighbour[i] < v)
                nodes[g->neighbour[i]]++;
    }
    return v;
}

/* The graph of the first `count` nodes. The caller frees its arrays of arcs; the others belong to `g`. */
static struct dse_node_graph first_nodes(const struct dse_node_graph *g, size_t count)
{
    struct dse_node_graph part = *g;
    part.node_count = count;
    part.arc_count = 0;
    part.row_begin = dse_calloc(count + 1, sizeof *part.row_begin);
    part.neighbour = dse_malloc((g->arc_count + 1) * sizeof *part.neighbour);
    for (size_t v = 0; v < count; v++) {
        for (size_t i = g->row_begin[v]; i < g->row_begin[v + 1]; i++)
            if ((size_t)g->neighbour[i] < count)
                part.neighbour[part.arc_count++] = g->neighbour[i];
        part.row_begin[v + 1] = part.arc_count;
    }
    return part;
}

static void close_casing(struct casing *c)
{
    free(c->part.row_begin);
    free(c->part.neighbour);
    gat_fixed_free(&c->fixed);
    gat_subgraphs_free(&c->subgraphs);
    gat_gcsr_free(&c->gcsr);
    free(c->score);
    free(c->features);
    free(c->hidden);
    free(c->places);
    free(c->words);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

enum dse_status gat_cases(const struct dse_model *base, const struct dse_dataset *data, const struct dse_config *config,
                          const void *layout, size_t most, struct dse_strbuf *out, struct dse_error *err)
{
    const struct gat_model *model = gat_model_of(base);
    const struct dse_run run = {.seed = base->seed, .jobs = 1};
    struct dse_inference items DSE_CLEANUP(dse_inference_free) = {0};
    const struct dse_node_graph *all = dse_dataset_nodes(data);
    size_t *sizes DSE_CLEANUP(dse_free_at) = dse_malloc((all->node_count + 1) * sizeof *sizes), asked = 0;
    struct casing c DSE_CLEANUP(close_casing) = {.layout = layout, .task = (enum gat_task)config->value[GAT_TASK]};
    DSE_TRY(gat_infer(base, data, &run, &items, err));
    c.part = first_nodes(all, held_nodes(&c.layout->shape.holds, all, sizes));
    c.graph = &c.part;
    for (size_t i = 0; i < items.count; i++)
        asked += items.item[i] < c.part.node_count;
    if (asked == 0)
        return dse_fail(err, DSE_ANSWER_NO, "%s: no test case: even its first nodes exceed the design's memories of %lld rows", data->name,
                        (long long)c.layout->shape.holds.rows);
    gat_fixed_make(&model->network, model->feature_largest, (enum gat_approach)config->value[GAT_APPROACH], model->setting.steps, &c.fixed);
    gat_subgraphs_make(c.graph, &c.subgraphs);
    DSE_TRY(gat_gcsr_make(&c.fixed, c.graph, &c.subgraphs, &c.gcsr, err));
    size_t nodes = c.graph->node_count, hidden = (size_t)c.layout->shape.inputs[1], widest = (size_t)c.layout->shape.widest, lanes = (size_t)c.layout->shape.lanes;
    c.items = (uint32_t)(asked < most ? asked : most);
    c.score = dse_malloc((nodes * widest + 1) * sizeof *c.score);
    c.features = dse_malloc((nodes * widest + 1) * sizeof *c.features);
    c.hidden = dse_malloc((nodes * hidden + 1) * sizeof *c.hidden);
    c.places = dse_malloc((lanes + 1) * sizeof *c.places);
    c.words = dse_malloc((larger(larger(c.gcsr.nonzeros, c.gcsr.rows * hidden), larger(2 * nodes * widest, c.gcsr.rows + GAT_PLACE_WORDS * lanes)) + 1) * sizeof *c.words);
    gat_fixed_run(&c.fixed, c.graph, &c.subgraphs, c.score, c.features, c.hidden);
    dse_calls_begin(&c.calls, out);
    make_calls(&c);
    return DSE_OK;
}
