#include "executor/gat/fixed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 127.0

static float largest_of(const float *values, size_t count)
{
    float largest = 0.0f;
    for (size_t i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf(values[i]));
    return largest;
}

static int8_t to_int8(double whole)
{
    return (int8_t)fmin(fmax(rint(whole), -STEPS), STEPS);
}

/* The step whose 127 is `largest`; 1 where there is nothing to hold. */
static double step_of(double largest)
{
    return largest > 0.0 ? largest / STEPS : 1.0;
}

static enum dse_status round_layer(const struct gat_layer *layer, double input_step, struct gat_fixed_layer *out,
                                   struct dse_error *err)
{
    size_t outputs = gat_layer_outputs(layer), weights = layer->inputs * outputs;
    double w_step = step_of(largest_of(layer->weight, weights));
    double a_largest = fmax(largest_of(layer->source, outputs), largest_of(layer->neighbour, outputs));
    *out = (struct gat_fixed_layer){.inputs = layer->inputs, .heads = layer->heads, .channels = layer->channels,
                                    .weight = malloc(weights + 1), .source = malloc(outputs), .neighbour = malloc(outputs),
                                    .z_step = input_step * w_step};
    if (out->weight == NULL || out->source == NULL || out->neighbour == NULL)
        return dse_fail_memory(err);
    /* e = (a·z) = Σ a_q z · a_step · z_step, and a_step · z_step is to be 2^−shift. */
    out->shift = a_largest > 0.0 ? (int)floor(-log2(a_largest * out->z_step / STEPS)) : 0;
    double a_step = ldexp(1.0, -out->shift) / out->z_step;
    for (size_t i = 0; i < weights; i++)
        out->weight[i] = to_int8(layer->weight[i] / w_step);
    for (size_t i = 0; i < outputs; i++) {
        out->source[i] = to_int8(layer->source[i] / a_step);
        out->neighbour[i] = to_int8(layer->neighbour[i] / a_step);
    }
    return DSE_OK;
}

enum dse_status gat_fixed_make(const struct gat_network *network, float feature_largest, enum gat_approach approach,
                               struct gat_fixed *out, struct dse_error *err)
{
    *out = (struct gat_fixed){.approach = approach, .feature_step = step_of(feature_largest)};
    enum dse_status status = round_layer(&network->layer[0], out->feature_step, &out->layer[0], err);
    double o_step = ldexp(out->layer[0].z_step, -GAT_ALPHA_BITS), hidden_step = step_of(network->hidden_largest);
    out->requantise = o_step / hidden_step;
    if (approach == GAT_STREAMLINE)
        hidden_step = out->layer[0].z_step;
    if (status == DSE_OK)
        status = round_layer(&network->layer[1], hidden_step, &out->layer[1], err);
    if (status != DSE_OK)
        gat_fixed_free(out);
    return status;
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
    return to_int8(value / fixed->feature_step);
}

/* 192-bit whole numbers, the lowest word first: 2^(16 + 127) and a sum of 2^31 terms of 2^127 fit. */
struct wide {
    uint64_t word[3];
};

static void add_power(struct wide *sum, int power)
{
    uint64_t add = (uint64_t)1 << (power % 64);
    for (int i = power / 64; i < 3 && add != 0; i++) {
        sum->word[i] += add;
        add = sum->word[i] < add;
    }
}

static bool at_least(const struct wide *a, const struct wide *b)
{
    for (int i = 2; i > 0; i--)
        if (a->word[i] != b->word[i])
            return a->word[i] > b->word[i];
    return a->word[0] >= b->word[0];
}

static void subtract(struct wide *a, const struct wide *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t from = a->word[i], less = b->word[i];
        a->word[i] = from - less - borrow;
        borrow = from < less || (from == less && borrow);
    }
}

static void double_it(struct wide *a)
{
    for (int i = 2; i > 0; i--)
        a->word[i] = a->word[i] << 1 | a->word[i - 1] >> 63;
    a->word[0] <<= 1;
}

uint32_t gat_reciprocal(const uint8_t *exponents, size_t count, int most)
{
    struct wide sum = {{0}}, rest = {{0}};
    uint32_t quotient = 0;
    for (size_t i = 0; i < count; i++)
        add_power(&sum, exponents[i]);
    add_power(&rest, most); /* long division of 2^most, then of its doubles, bit by bit */
    for (int bit = GAT_ALPHA_BITS; bit >= 0; bit--) {
        quotient <<= 1;
        if (at_least(&rest, &sum)) {
            subtract(&rest, &sum);
            quotient |= 1;
        }
        double_it(&rest);
    }
    return quotient;
}

/* What the layers share while they run. */
struct run {
    const struct gat_fixed *fixed;
    const struct dse_node_graph *graph;
    const struct gat_subgraphs *subgraphs;
    int64_t *z, *out;   /* [nodes × most outputs] */
    int64_t *from, *to; /* [nodes] of one head */
    int32_t *hidden;    /* [nodes × hidden] */
    uint8_t *exponent;  /* [longest subgraph] */
};

static void multiply_features(struct run *r)
{
    const struct gat_fixed_layer *layer = &r->fixed->layer[0];
    const struct dse_node_graph *g = r->graph;
    size_t outputs = layer->heads * layer->channels;
    memset(r->z, 0, g->node_count * outputs * sizeof *r->z);
    for (size_t v = 0; v < g->node_count; v++)
        for (size_t i = g->feature_begin[v]; i < g->feature_begin[v + 1]; i++) {
            int32_t h = gat_fixed_feature(r->fixed, g->feature_value[i]);
            const int8_t *weight = layer->weight + (size_t)g->feature_column[i] * outputs;
            for (size_t k = 0; k < outputs; k++)
                r->z[v * outputs + k] += h * weight[k];
        }
}

static void multiply_hidden(struct run *r)
{
    const struct gat_fixed_layer *layer = &r->fixed->layer[1];
    size_t outputs = layer->channels, nodes = r->graph->node_count;
    memset(r->z, 0, nodes * outputs * sizeof *r->z);
    for (size_t v = 0; v < nodes; v++)
        for (size_t j = 0; j < layer->inputs; j++) {
            int64_t h = r->hidden[v * layer->inputs + j];
            for (size_t k = 0; h != 0 && k < outputs; k++)
                r->z[v * outputs + k] += h * layer->weight[j * outputs + k];
        }
}

static int64_t dot(const int8_t *a, const int64_t *z, size_t count)
{
    int64_t sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += a[k] * z[k];
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
        const int64_t *z = r->z + (size_t)node[i] * outputs + h * c;
        for (size_t k = 0; alpha != 0 && k < c; k++)
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

/* ReLU, and what each approach hands on. */
static void hand_on(struct run *r, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t o = r->out[i] > 0 ? r->out[i] : 0;
        if (r->fixed->approach == GAT_STREAMLINE)
            r->hidden[i] = o >> GAT_ALPHA_BITS < INT32_MAX ? (int32_t)(o >> GAT_ALPHA_BITS) : INT32_MAX;
        else
            r->hidden[i] = to_int8((double)o * r->fixed->requantise);
    }
}

static bool run_alloc(struct run *r)
{
    const struct gat_subgraphs *s = r->subgraphs;
    size_t nodes = s->count, hidden = r->fixed->layer[1].inputs, classes = r->fixed->layer[1].channels, longest = 0;
    size_t most = hidden > classes ? hidden : classes;
    for (size_t v = 0; v < nodes; v++)
        longest = s->begin[v + 1] - s->begin[v] > longest ? s->begin[v + 1] - s->begin[v] : longest;
    r->z = malloc(nodes * most * sizeof *r->z);
    r->out = malloc(nodes * most * sizeof *r->out);
    r->from = malloc(nodes * sizeof *r->from);
    r->to = malloc(nodes * sizeof *r->to);
    r->hidden = malloc(nodes * hidden * sizeof *r->hidden);
    r->exponent = malloc(longest);
    return r->z != NULL && r->out != NULL && r->from != NULL && r->to != NULL && r->hidden != NULL && r->exponent != NULL;
}

enum dse_status gat_fixed_run(const struct gat_fixed *fixed, const struct dse_node_graph *graph,
                              const struct gat_subgraphs *subgraphs, int64_t *score, int32_t *hidden, struct dse_error *err)
{
    struct run r = {.fixed = fixed, .graph = graph, .subgraphs = subgraphs};
    size_t nodes = graph->node_count, of_hidden = fixed->layer[1].inputs, classes = fixed->layer[1].channels;
    bool good = run_alloc(&r);
    if (good) {
        multiply_features(&r);
        attend(&r, 0);
        hand_on(&r, nodes * of_hidden);
        multiply_hidden(&r);
        attend(&r, 1);
        memcpy(score, r.out, nodes * classes * sizeof *score);
        if (hidden != NULL)
            memcpy(hidden, r.hidden, nodes * of_hidden * sizeof *hidden);
    }
    free(r.z);
    free(r.out);
    free(r.from);
    free(r.to);
    free(r.hidden);
    free(r.exponent);
    return good ? DSE_OK : dse_fail_memory(err);
}
