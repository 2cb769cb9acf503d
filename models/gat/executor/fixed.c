#include "models/gat/executor/fixed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/memory.h"
#include "models/gat/executor/wide.h"

static float largest_of(const float *values, size_t count)
{
    float largest = 0.0f;
    for (size_t i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf(values[i]));
    return largest;
}

static int8_t to_int8(double whole, double steps)
{
    return (int8_t)fmin(fmax(rint(whole), -steps), steps);
}

/* largest / steps, or 1 if all values are 0. */
static double step_of(double largest, double steps)
{
    return largest > 0.0 ? largest / steps : 1.0;
}

static void round_layer(const struct gat_layer *layer, double input_step, double steps,
                        struct gat_fixed_layer *out)
{
    size_t outputs = gat_layer_outputs(layer), weights = layer->inputs * outputs;
    double w_step = step_of(largest_of(layer->weight, weights), steps);
    double a_largest = fmax(largest_of(layer->source, outputs), largest_of(layer->neighbour, outputs));
    *out = (struct gat_fixed_layer){.inputs = layer->inputs, .heads = layer->heads, .channels = layer->channels,
                                    .weight = dse_malloc(weights + 1), .source = dse_malloc(outputs), .neighbour = dse_malloc(outputs),
                                    .z_step = input_step * w_step};
    /* e = (a·z) = Σ a_q z · a_step · z_step, where a_step · z_step must be 2^−shift. */
    out->shift = a_largest > 0.0 ? (int)floor(-log2(a_largest * out->z_step / steps)) : 0;
    double a_step = ldexp(1.0, -out->shift) / out->z_step;
    for (size_t i = 0; i < weights; i++)
        out->weight[i] = to_int8(layer->weight[i] / w_step, steps);
    for (size_t i = 0; i < outputs; i++) {
        out->source[i] = to_int8(layer->source[i] / a_step, steps);
        out->neighbour[i] = to_int8(layer->neighbour[i] / a_step, steps);
    }
}

/* The largest number in a word of h_data; the word is as wide as a value and its column index. */
static int32_t hidden_most(double steps, size_t features)
{
    int bits = steps > 7.0 ? 8 : 4;
    for (size_t columns = features > 0 ? features - 1 : 0; columns > 0; columns >>= 1)
        bits++;
    return (int32_t)(((uint32_t)1 << (bits < 20 ? 20 : bits > 31 ? 31 : bits)) - 1);
}

void gat_fixed_make(const struct gat_network *network, float feature_largest, enum gat_approach approach,
                    double steps, struct gat_fixed *out)
{
    *out = (struct gat_fixed){.approach = approach, .steps = steps, .feature_step = step_of(feature_largest, steps),
                               .hidden_most = hidden_most(steps, network->layer[0].inputs)};
    round_layer(&network->layer[0], out->feature_step, steps, &out->layer[0]);
    double o_step = ldexp(out->layer[0].z_step, -GAT_ALPHA_BITS), hidden_step = step_of(network->hidden_largest, steps);
    out->requantise = o_step / hidden_step;
    if (approach == GAT_STREAMLINE)
        hidden_step = out->layer[0].z_step;
    round_layer(&network->layer[1], hidden_step, steps, &out->layer[1]);
}

void gat_fixed_free(struct gat_fixed *fixed)
{
    for (size_t l = 0; l < GAT_LAYERS; l++) {
        free(fixed->layer[l].weight);
        free(fixed->layer[l].source);
        free(fixed->layer[l].neighbour);
    }
    *fixed = (struct gat_fixed){0};
}

float gat_feature_largest(const struct dse_node_graph *graph)
{
    double largest = 0.0;
    for (size_t i = 0; i < graph->feature_begin[graph->node_count]; i++)
        largest = fmax(largest, fabs(graph->feature_value[i]));
    return (float)largest;
}

int8_t gat_fixed_feature(const struct gat_fixed *fixed, double value)
{
    return to_int8(value / fixed->feature_step, fixed->steps);
}

uint32_t gat_reciprocal_wide(const uint8_t *exponents, size_t count, int most)
{
    struct gat_wide sum = {{0}}, rest = {{0}};
    uint32_t quotient = 0;
    for (size_t i = 0; i < count; i++)
        gat_wide_add_power(&sum, exponents[i]);
    gat_wide_add_power(&rest, most); /* long division of 2^most, one bit per doubling of the rest */
    for (int bit = GAT_ALPHA_BITS; bit >= 0; bit--) {
        quotient <<= 1;
        if (gat_wide_at_least(&rest, &sum)) {
            gat_wide_subtract(&rest, &sum);
            quotient |= 1;
        }
        gat_wide_double(&rest);
    }
    return quotient;
}

/* Uses one word, with exponents relative to the least, if the sum and the dividend fit. */
uint32_t gat_reciprocal(const uint8_t *exponents, size_t count, int most)
{
    int least = most;
    for (size_t i = 0; i < count; i++)
        least = exponents[i] < least ? exponents[i] : least;
    int room = most - least + GAT_ALPHA_BITS;
    if (room > 63 || count > (size_t)1 << GAT_ALPHA_BITS)
        return gat_reciprocal_wide(exponents, count, most);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (uint64_t)1 << (exponents[i] - least);
    return (uint32_t)(((uint64_t)1 << room) / sum);
}

/* Shared by the layers while they run. */
struct run {
    const struct gat_fixed *fixed;
    const struct dse_node_graph *graph;
    const struct gat_subgraphs *subgraphs;
    int32_t *z;         /* [nodes × most outputs] */
    int64_t *out;       /* likewise */
    int64_t *sum;       /* [most outputs] */
    int64_t *from, *to; /* [nodes] of one head */
    int32_t *hidden;    /* [nodes × hidden] */
    uint8_t *exponent;  /* [longest subgraph] */
};

/* Writes a row's sums to WH. */
static void put_row(struct run *r, size_t v, size_t outputs)
{
    for (size_t k = 0; k < outputs; k++)
        r->z[v * outputs + k] = gat_word(r->sum[k]);
}

static void multiply_features(struct run *r)
{
    const struct gat_fixed_layer *layer = &r->fixed->layer[0];
    const struct dse_node_graph *g = r->graph;
    size_t outputs = layer->heads * layer->channels;
    double value = 0.0; /* the last value, with h its int8: most sets have one value, and rounding takes as long as the products */
    int32_t h = gat_fixed_feature(r->fixed, value);
    for (size_t v = 0; v < g->node_count; v++) {
        memset(r->sum, 0, outputs * sizeof *r->sum);
        for (size_t i = g->feature_begin[v]; i < g->feature_begin[v + 1]; i++) {
            if (g->feature_value[i] != value)
                h = gat_fixed_feature(r->fixed, value = g->feature_value[i]);
            const int8_t *weight = layer->weight + (size_t)g->feature_column[i] * outputs;
            for (size_t k = 0; k < outputs; k++)
                r->sum[k] += h * weight[k];
        }
        put_row(r, v, outputs);
    }
}

static void multiply_hidden(struct run *r)
{
    const struct gat_fixed_layer *layer = &r->fixed->layer[1];
    size_t outputs = layer->channels, nodes = r->graph->node_count;
    for (size_t v = 0; v < nodes; v++) {
        memset(r->sum, 0, outputs * sizeof *r->sum);
        for (size_t j = 0; j < layer->inputs; j++) {
            int64_t h = r->hidden[v * layer->inputs + j];
            if (h == 0)
                continue;
            for (size_t k = 0; k < outputs; k++)
                r->sum[k] += h * layer->weight[j * outputs + k];
        }
        put_row(r, v, outputs);
    }
}

static int64_t dot(const int8_t *a, const int32_t *z, size_t count)
{
    int64_t sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += (int64_t)a[k] * z[k];
    return sum;
}

/* Softmax and aggregation of one subgraph, head `h`. */
static void aggregate(struct run *r, const struct gat_fixed_layer *layer, size_t h, size_t v)
{
    const struct gat_subgraphs *s = r->subgraphs;
    size_t outputs = layer->heads * layer->channels, c = layer->channels, count = s->begin[v + 1] - s->begin[v];
    const int32_t *node = s->node + s->begin[v];
    int64_t *out = r->out + v * outputs + h * c;
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        int e = gat_exponent(r->from[v], r->to[node[i]], layer->shift);
        r->exponent[i] = (uint8_t)e;
        most = e > most ? e : most;
    }
    uint32_t quotient = gat_reciprocal(r->exponent, count, most);
    memset(out, 0, c * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        int below = most - r->exponent[i];
        int64_t alpha = below < 32 ? (int64_t)(quotient >> below) : 0;
        const int32_t *z = r->z + (size_t)node[i] * outputs + h * c;
        if (alpha == 0)
            continue;
        for (size_t k = 0; k < c; k++)
            out[k] += alpha * z[k];
    }
}

static void attend(struct run *r, size_t l)
{
    const struct gat_fixed_layer *layer = &r->fixed->layer[l];
    size_t outputs = layer->heads * layer->channels, c = layer->channels, nodes = r->graph->node_count;
    for (size_t h = 0; h < layer->heads; h++) {
        for (size_t v = 0; v < nodes; v++) {
            r->from[v] = dot(layer->source + h * c, r->z + v * outputs + h * c, c);
            r->to[v] = dot(layer->neighbour + h * c, r->z + v * outputs + h * c, c);
        }
        for (size_t v = 0; v < nodes; v++)
            aggregate(r, layer, h, v);
    }
}

int32_t gat_fixed_hidden(const struct gat_fixed *fixed, int64_t o)
{
    if (o <= 0)
        return 0;
    if (fixed->approach == GAT_LAYERBREAK)
        return to_int8((double)o * fixed->requantise, fixed->steps);
    return o >> GAT_ALPHA_BITS < fixed->hidden_most ? (int32_t)(o >> GAT_ALPHA_BITS) : fixed->hidden_most;
}

static void run_alloc(struct run *r, struct dse_arena *arena)
{
    const struct gat_subgraphs *s = r->subgraphs;
    size_t nodes = s->count, hidden = r->fixed->layer[1].inputs, classes = r->fixed->layer[1].channels, longest = 0;
    size_t most = hidden > classes ? hidden : classes;
    for (size_t v = 0; v < nodes; v++)
        longest = s->begin[v + 1] - s->begin[v] > longest ? s->begin[v + 1] - s->begin[v] : longest;
    r->z = dse_arena_alloc(arena, nodes * most, sizeof *r->z);
    r->sum = dse_arena_alloc(arena, most, sizeof *r->sum);
    r->out = dse_arena_alloc(arena, nodes * most, sizeof *r->out);
    r->from = dse_arena_alloc(arena, nodes, sizeof *r->from);
    r->to = dse_arena_alloc(arena, nodes, sizeof *r->to);
    r->hidden = dse_arena_alloc(arena, nodes * hidden, sizeof *r->hidden);
    r->exponent = dse_arena_alloc(arena, longest, 1);
}

void gat_fixed_run(const struct gat_fixed *fixed, const struct dse_node_graph *graph, const struct gat_subgraphs *subgraphs,
                   int64_t *score, int64_t *features, int32_t *hidden)
{
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    struct run r = {.fixed = fixed, .graph = graph, .subgraphs = subgraphs};
    size_t nodes = graph->node_count, of_hidden = fixed->layer[1].inputs, classes = fixed->layer[1].channels;
    run_alloc(&r, &arena);
    multiply_features(&r);
    attend(&r, 0);
    if (features != NULL) /* after the aggregator's ReLU */
        for (size_t i = 0; i < nodes * of_hidden; i++)
            features[i] = r.out[i] > 0 ? r.out[i] : 0;
    for (size_t i = 0; i < nodes * of_hidden; i++)
        r.hidden[i] = gat_fixed_hidden(fixed, r.out[i]);
    multiply_hidden(&r);
    attend(&r, 1);
    memcpy(score, r.out, nodes * classes * sizeof *score);
    if (hidden != NULL)
        memcpy(hidden, r.hidden, nodes * of_hidden * sizeof *hidden);
}
