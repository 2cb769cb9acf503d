#include "models/gat/executor/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/memory.h"

#define LEAK 0.2f  /* LeakyReLU's slope below 0 (Veličković et al., section 2.1) */
#define LN2 0.693147181f

static void layer_alloc(size_t inputs, size_t heads, size_t channels, struct gat_layer *out)
{
    size_t outputs = heads * channels;
    *out = (struct gat_layer){.inputs = inputs, .heads = heads, .channels = channels,
                              .weight = dse_calloc(inputs * outputs + 1, sizeof *out->weight),
                              .source = dse_calloc(outputs, sizeof *out->source),
                              .neighbour = dse_calloc(outputs, sizeof *out->neighbour)};
}

void gat_layer_parts(const struct gat_layer *layer, struct gat_part parts[GAT_PARTS])
{
    size_t outputs = gat_layer_outputs(layer);
    parts[0] = (struct gat_part){layer->weight, layer->inputs * outputs};
    parts[1] = (struct gat_part){layer->source, outputs};
    parts[2] = (struct gat_part){layer->neighbour, outputs};
}

/* Uniform in ±√(6 / (rows + columns)). */
static void draw_glorot(float *values, size_t count, size_t rows, size_t columns, struct dse_rng *rng)
{
    double limit = sqrt(6.0 / (double)(rows + columns));
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((2.0 * dse_rng_uniform(rng) - 1.0) * limit);
}

void gat_network_make(size_t features, size_t heads, size_t channels, size_t classes, struct dse_rng *rng,
                      struct gat_network *out)
{
    const size_t inputs[GAT_LAYERS] = {features, heads * channels}, of_heads[GAT_LAYERS] = {heads, 1};
    const size_t of_channels[GAT_LAYERS] = {channels, classes};
    *out = (struct gat_network){0};
    for (size_t l = 0; l < GAT_LAYERS; l++) {
        struct gat_layer *layer = &out->layer[l];
        layer_alloc(inputs[l], of_heads[l], of_channels[l], layer);
        if (rng == NULL)
            continue;
        size_t outputs = gat_layer_outputs(layer);
        draw_glorot(layer->weight, inputs[l] * outputs, inputs[l], outputs, rng);
        draw_glorot(layer->source, outputs, 1, of_channels[l], rng);
        draw_glorot(layer->neighbour, outputs, 1, of_channels[l], rng);
    }
}

void gat_network_free(struct gat_network *network)
{
    for (size_t l = 0; l < GAT_LAYERS; l++) {
        free(network->layer[l].weight);
        free(network->layer[l].source);
        free(network->layer[l].neighbour);
    }
    *network = (struct gat_network){0};
}

/* State of one layer during a pass. `outputs` below is heads × channels. */
struct layer_pass {
    float *weight, *source, *neighbour; /* as used: rounded if the functions round */
    float *z;          /* [nodes × outputs] */
    float *from, *to;  /* [heads × nodes] a_source·z and a_neighbour·z */
    float *raw;        /* [heads × rows] before the activation */
    float *alpha;      /* [heads × rows] */
    float *kept;       /* [heads × rows] alpha after dropout, scaled; without dropout alpha itself */
    float *out;        /* [nodes × outputs] */
    float *z_gradient; /* [nodes × outputs] */
};

struct gat_pass {
    struct dse_arena arena;
    const struct dse_node_graph *graph;
    const struct gat_subgraphs *subgraphs;
    struct layer_pass layer[GAT_LAYERS];
    float *feature;    /* [non-zeros] as used: dropped and scaled in training */
    float *hidden;     /* [nodes × hidden] input of the second layer */
    float *slope;      /* [nodes × hidden] of `hidden` over the first layer's output */
    float *hidden_gradient;
    float *scratch;    /* [longest subgraph] */
    float *from_gradient, *to_gradient; /* [nodes] */
    float hidden_largest;
};

static void layer_pass_alloc(const struct gat_layer *layer, size_t nodes, size_t rows, struct dse_arena *arena,
                             struct layer_pass *out)
{
    size_t outputs = gat_layer_outputs(layer), heads = layer->heads;
    const struct {
        float **place;
        size_t count;
    } arrays[] = {{&out->weight, layer->inputs * outputs + 1}, {&out->source, outputs}, {&out->neighbour, outputs},
                  {&out->z, nodes * outputs},       {&out->from, heads * nodes},  {&out->to, heads * nodes},
                  {&out->raw, heads * rows},        {&out->alpha, heads * rows},  {&out->kept, heads * rows},
                  {&out->out, nodes * outputs},     {&out->z_gradient, nodes * outputs}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i].place = dse_arena_alloc(arena, arrays[i].count, sizeof(float));
}

void gat_pass_make(const struct gat_network *network, const struct dse_node_graph *graph,
                   const struct gat_subgraphs *subgraphs, struct gat_pass **out)
{
    struct gat_pass *pass = *out = dse_calloc(1, sizeof *pass);
    size_t nodes = graph->node_count, rows = subgraphs->begin[nodes], hidden = network->layer[1].inputs, longest = 0;
    for (size_t v = 0; v < nodes; v++)
        if (subgraphs->begin[v + 1] - subgraphs->begin[v] > longest)
            longest = subgraphs->begin[v + 1] - subgraphs->begin[v];
    pass->graph = graph;
    pass->subgraphs = subgraphs;
    pass->feature = dse_arena_alloc(&pass->arena, graph->feature_begin[nodes] + 1, sizeof(float));
    pass->hidden = dse_arena_alloc(&pass->arena, nodes * hidden, sizeof(float));
    pass->slope = dse_arena_alloc(&pass->arena, nodes * hidden, sizeof(float));
    pass->hidden_gradient = dse_arena_alloc(&pass->arena, nodes * hidden, sizeof(float));
    pass->scratch = dse_arena_alloc(&pass->arena, longest, sizeof(float));
    pass->from_gradient = dse_arena_alloc(&pass->arena, nodes, sizeof(float));
    pass->to_gradient = dse_arena_alloc(&pass->arena, nodes, sizeof(float));
    for (size_t l = 0; l < GAT_LAYERS; l++)
        layer_pass_alloc(&network->layer[l], nodes, rows, &pass->arena, &pass->layer[l]);
}

void gat_pass_free(struct gat_pass *pass)
{
    if (pass == NULL)
        return;
    dse_arena_free(&pass->arena);
    free(pass);
}

float gat_pass_hidden_largest(const struct gat_pass *pass)
{
    return pass->hidden_largest;
}

/* ---- forward ---- */

/* Rounds to the nearest step between −largest and largest, with `steps` steps on each side of 0. */
static void round_to_steps(const float *from, float *to, size_t count, float largest, float steps)
{
    float step = largest / steps;
    for (size_t i = 0; i < count; i++) {
        float whole = rintf(from[i] / step);
        to[i] = step * fminf(fmaxf(whole, -steps), steps);
    }
}

static float largest_of(const float *values, size_t count)
{
    float largest = 0.0f;
    for (size_t i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf(values[i]));
    return largest;
}

static void use_weights(const float *from, float *to, size_t count, float steps)
{
    float largest = steps > 0.0f ? largest_of(from, count) : 0.0f;
    if (largest > 0.0f)
        round_to_steps(from, to, count, largest, steps);
    else
        memcpy(to, from, count * sizeof *to);
}

/* Dropout: 0 for a share of the values, otherwise the factor that keeps their expected sum. */
static float keep(float share, struct dse_rng *rng)
{
    if (rng == NULL || share <= 0.0f)
        return 1.0f;
    return (float)(dse_rng_u64(rng) >> 40) * 0x1p-24f < share ? 0.0f : 1.0f / (1.0f - share);
}

/* y += x·v over `count` elements. */
static inline void add_scaled(float *restrict y, float x, const float *restrict v, size_t count)
{
    for (size_t k = 0; k < count; k++)
        y[k] += x * v[k];
}

static inline float dot(const float *x, const float *y, size_t count)
{
    float sum = 0.0f;
    for (size_t k = 0; k < count; k++)
        sum += x[k] * y[k];
    return sum;
}

static void multiply_sparse(const struct gat_pass *pass, const struct layer_pass *p, size_t outputs)
{
    const struct dse_node_graph *g = pass->graph;
    memset(p->z, 0, g->node_count * outputs * sizeof *p->z);
    for (size_t v = 0; v < g->node_count; v++)
        for (size_t i = g->feature_begin[v]; i < g->feature_begin[v + 1]; i++)
            if (pass->feature[i] != 0.0f)
                add_scaled(p->z + v * outputs, pass->feature[i], p->weight + (size_t)g->feature_column[i] * outputs, outputs);
}

static void multiply_dense(const struct gat_pass *pass, const struct layer_pass *p, size_t inputs, size_t outputs)
{
    size_t nodes = pass->graph->node_count;
    memset(p->z, 0, nodes * outputs * sizeof *p->z);
    for (size_t v = 0; v < nodes; v++)
        for (size_t k = 0; k < inputs; k++)
            if (pass->hidden[v * inputs + k] != 0.0f)
                add_scaled(p->z + v * outputs, pass->hidden[v * inputs + k], p->weight + k * outputs, outputs);
}

/* The attention weights of one subgraph, head `h`. */
static void attend(const struct gat_pass *pass, const struct gat_functions *f, const struct layer_pass *p, size_t h, size_t v,
                   float dropped, struct dse_rng *rng)
{
    const struct gat_subgraphs *s = pass->subgraphs;
    size_t nodes = s->count, first = h * s->begin[nodes] + s->begin[v], count = s->begin[v + 1] - s->begin[v];
    const int32_t *node = s->node + s->begin[v];
    float *raw = p->raw + first, *alpha = p->alpha + first, most = -INFINITY, sum = 0.0f;
    for (size_t i = 0; i < count; i++) {
        raw[i] = p->from[h * nodes + v] + p->to[h * nodes + (size_t)node[i]];
        alpha[i] = raw[i] > 0.0f ? raw[i] : f->relu ? 0.0f : LEAK * raw[i];
        if (f->base_two)
            alpha[i] = floorf(alpha[i]);
        most = fmaxf(most, alpha[i]);
    }
    for (size_t i = 0; i < count; i++) {
        alpha[i] = f->base_two ? exp2f(alpha[i] - most) : expf(alpha[i] - most);
        sum += alpha[i];
    }
    for (size_t i = 0; i < count; i++) {
        alpha[i] /= sum;
        p->kept[first + i] = alpha[i] * keep(dropped, rng);
    }
}

static void attend_all(const struct gat_pass *pass, const struct gat_network *network, size_t l, float dropped,
                       struct dse_rng *rng)
{
    const struct gat_layer *layer = &network->layer[l];
    const struct layer_pass *p = &pass->layer[l];
    const struct gat_subgraphs *s = pass->subgraphs;
    size_t nodes = s->count, outputs = gat_layer_outputs(layer), c = layer->channels;
    memset(p->out, 0, nodes * outputs * sizeof *p->out);
    for (size_t h = 0; h < layer->heads; h++) {
        for (size_t v = 0; v < nodes; v++) {
            p->from[h * nodes + v] = dot(p->source + h * c, p->z + v * outputs + h * c, c);
            p->to[h * nodes + v] = dot(p->neighbour + h * c, p->z + v * outputs + h * c, c);
        }
        for (size_t v = 0; v < nodes; v++) {
            attend(pass, &network->functions, p, h, v, dropped, rng);
            for (size_t i = s->begin[v]; i < s->begin[v + 1]; i++)
                add_scaled(p->out + v * outputs + h * c, p->kept[h * s->begin[nodes] + i],
                           p->z + (size_t)s->node[i] * outputs + h * c, c);
        }
    }
}

/* The hidden layer's activation, its dropout, and its rounding to int8 by this pass's range. */
static void activate(struct gat_pass *pass, const struct gat_functions *f, size_t count, float dropped, struct dse_rng *rng)
{
    const float *x = pass->layer[0].out;
    for (size_t i = 0; i < count; i++) {
        float scale = keep(dropped, rng), below = f->relu ? 0.0f : expm1f(fminf(x[i], 0.0f));
        pass->hidden[i] = scale * (x[i] > 0.0f ? x[i] : below);
        pass->slope[i] = scale * (x[i] > 0.0f ? 1.0f : f->relu ? 0.0f : below + 1.0f);
    }
    pass->hidden_largest = largest_of(pass->hidden, count);
    if (f->steps > 0.0f && pass->hidden_largest > 0.0f)
        round_to_steps(pass->hidden, pass->hidden, count, pass->hidden_largest, f->steps);
}

const float *gat_pass_forward(struct gat_pass *pass, const struct gat_network *network, const struct gat_dropout *dropout,
                              struct dse_rng *rng)
{
    const struct dse_node_graph *g = pass->graph;
    size_t hidden = network->layer[1].inputs;
    for (size_t l = 0; l < GAT_LAYERS; l++) {
        struct gat_part parts[GAT_PARTS];
        float *const used[GAT_PARTS] = {pass->layer[l].weight, pass->layer[l].source, pass->layer[l].neighbour};
        gat_layer_parts(&network->layer[l], parts);
        for (size_t i = 0; i < GAT_PARTS; i++)
            use_weights(parts[i].values, used[i], parts[i].count, network->functions.steps);
    }
    for (size_t i = 0; i < g->feature_begin[g->node_count]; i++)
        pass->feature[i] = (float)g->feature_value[i] * keep(dropout->input, rng);
    multiply_sparse(pass, &pass->layer[0], hidden);
    attend_all(pass, network, 0, dropout->attention, rng);
    activate(pass, &network->functions, g->node_count * hidden, dropout->hidden, rng);
    multiply_dense(pass, &pass->layer[1], hidden, gat_layer_outputs(&network->layer[1]));
    attend_all(pass, network, 1, dropout->attention, rng);
    return pass->layer[1].out;
}

/* ---- backward; rounding passes gradients through unchanged (the straight-through estimate) ---- */

/* One subgraph's share of the gradients, head `h`: dL/dα from the products, the softmax's Jacobian, the activation's slope. */
static void attend_back(struct gat_pass *pass, const struct gat_functions *f, struct layer_pass *p, const float *out_gradient,
                        size_t h, size_t v, size_t outputs, size_t c)
{
    const struct gat_subgraphs *s = pass->subgraphs;
    size_t first = h * s->begin[s->count] + s->begin[v], count = s->begin[v + 1] - s->begin[v];
    const int32_t *node = s->node + s->begin[v];
    const float *alpha = p->alpha + first, *kept = p->kept + first, *gradient = out_gradient + v * outputs + h * c;
    float weighted = 0.0f, source = 0.0f;
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)node[i] * outputs + h * c;
        float scale = alpha[i] > 0.0f ? kept[i] / alpha[i] : 0.0f;
        pass->scratch[i] = scale * dot(gradient, p->z + at, c);
        weighted += alpha[i] * pass->scratch[i];
        if (kept[i] != 0.0f)
            add_scaled(p->z_gradient + at, kept[i], gradient, c);
    }
    for (size_t i = 0; i < count; i++) {
        float slope = p->raw[first + i] > 0.0f ? 1.0f : f->relu ? 0.0f : LEAK;
        float change = alpha[i] * (pass->scratch[i] - weighted) * slope * (f->base_two ? LN2 : 1.0f);
        source += change;
        pass->to_gradient[node[i]] += change;
    }
    pass->from_gradient[v] += source;
}

static void layer_back(struct gat_pass *pass, const struct gat_network *network, size_t l, const float *out_gradient,
                       struct gat_layer *gradient)
{
    const struct gat_layer *layer = &network->layer[l];
    struct layer_pass *p = &pass->layer[l];
    size_t nodes = pass->subgraphs->count, outputs = gat_layer_outputs(layer), c = layer->channels;
    memset(p->z_gradient, 0, nodes * outputs * sizeof(float));
    memset(gradient->source, 0, outputs * sizeof(float));
    memset(gradient->neighbour, 0, outputs * sizeof(float));
    for (size_t h = 0; h < layer->heads; h++) {
        memset(pass->from_gradient, 0, nodes * sizeof(float));
        memset(pass->to_gradient, 0, nodes * sizeof(float));
        for (size_t v = 0; v < nodes; v++)
            attend_back(pass, &network->functions, p, out_gradient, h, v, outputs, c);
        for (size_t v = 0; v < nodes; v++) {
            const float *z = p->z + v * outputs + h * c;
            float *z_gradient = p->z_gradient + v * outputs + h * c;
            add_scaled(gradient->source + h * c, pass->from_gradient[v], z, c);
            add_scaled(gradient->neighbour + h * c, pass->to_gradient[v], z, c);
            add_scaled(z_gradient, pass->from_gradient[v], p->source + h * c, c);
            add_scaled(z_gradient, pass->to_gradient[v], p->neighbour + h * c, c);
        }
    }
}

void gat_pass_backward(struct gat_pass *pass, const struct gat_network *network, const float *output_gradient,
                       struct gat_network *gradient)
{
    const struct dse_node_graph *g = pass->graph;
    size_t hidden = network->layer[1].inputs, outputs = gat_layer_outputs(&network->layer[1]);
    layer_back(pass, network, 1, output_gradient, &gradient->layer[1]);
    memset(gradient->layer[1].weight, 0, hidden * outputs * sizeof(float));
    for (size_t v = 0; v < g->node_count; v++) {
        const float *z_gradient = pass->layer[1].z_gradient + v * outputs;
        for (size_t k = 0; k < hidden; k++) {
            size_t at = v * hidden + k;
            pass->hidden_gradient[at] = pass->slope[at] * dot(z_gradient, pass->layer[1].weight + k * outputs, outputs);
            if (pass->hidden[at] != 0.0f)
                add_scaled(gradient->layer[1].weight + k * outputs, pass->hidden[at], z_gradient, outputs);
        }
    }
    layer_back(pass, network, 0, pass->hidden_gradient, &gradient->layer[0]);
    memset(gradient->layer[0].weight, 0, g->feature_count * hidden * sizeof(float));
    for (size_t v = 0; v < g->node_count; v++)
        for (size_t i = g->feature_begin[v]; i < g->feature_begin[v + 1]; i++)
            if (pass->feature[i] != 0.0f)
                add_scaled(gradient->layer[0].weight + (size_t)g->feature_column[i] * hidden, pass->feature[i],
                           pass->layer[0].z_gradient + v * hidden, hidden);
}
