/* The network in training: two graph attention layers in single precision, forward and backward.
 *
 * A layer has H heads of C channels (Veličković et al., 2018). models/gat/microarchitecture.md lists the accelerator's differences.
 *   z = x W;  e_ij = act(a_source·z_i + a_neighbour·z_j);  α_ij = base^e_ij / Σ_k base^e_ik over k in N(i) and i itself;
 *   out_i = Σ_j α_ij z_j, heads side by side.
 * The hidden layer's activation is between the two layers. The second layer has one head, with one channel per class. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/rng.h"
#include "core/status.h"
#include "datasets/nodes.h"

#define GAT_LAYERS 2

/* The neighbourhoods of attention, the thesis's subgraphs (section 3.2): each has the node's own number first, then its neighbours
 * ascending. Row r of subgraph i is node[begin[i] + r]. */
struct gat_subgraphs {
    size_t count;   /* nodes, and so subgraphs */
    size_t *begin;  /* [count + 1] */
    int32_t *node;  /* [begin[count]] */
};

void gat_subgraphs_make(const struct dse_node_graph *graph, struct gat_subgraphs *out);
void gat_subgraphs_free(struct gat_subgraphs *subgraphs);

/* The weights of one layer. */
struct gat_layer {
    size_t inputs, heads, channels;
    float *weight;    /* [inputs × heads·channels] W, row-major */
    float *source;    /* [heads·channels] the attention vector's half for the source node */
    float *neighbour; /* [heads·channels] its half for the neighbours */
};

static inline size_t gat_layer_outputs(const struct gat_layer *layer)
{
    return layer->heads * layer->channels;
}

/* Forms of the functions between the products. */
struct gat_functions {
    bool base_two;      /* base 2 with whole exponents (⌊e⌋), otherwise base e */
    bool relu;          /* ReLU after attention and the hidden layer, otherwise LeakyReLU (0.2) and ELU */
    float steps;        /* on each side of 0, to which weights and hidden features are rounded (section 3.4); 0: not rounded */
};

struct gat_network {
    struct gat_layer layer[GAT_LAYERS];
    struct gat_functions functions;
    float hidden_largest; /* largest magnitude of the hidden layer in training: 127 of its int8 */
};

/* Weights by Glorot and Bengio's uniform rule, drawn from `rng`. */
void gat_network_make(size_t features, size_t heads, size_t channels, size_t classes, struct dse_rng *rng,
                      struct gat_network *out);
void gat_network_free(struct gat_network *network);

/* Dropout rates of training: shares of input features, attention weights and hidden features; 0: none. */
struct gat_dropout {
    float input, attention, hidden;
};

/* State of a forward pass for the backward pass, and the gradients. */
struct gat_pass;

void gat_pass_make(const struct gat_network *network, const struct dse_node_graph *graph,
                   const struct gat_subgraphs *subgraphs, struct gat_pass **out);
void gat_pass_free(struct gat_pass *pass);

/* Runs all nodes through the network. With `rng`, features are dropped as in training. Returns [nodes × classes], valid until
 * the next pass. O(non-zeros × hidden + arcs × (hidden + classes)). */
const float *gat_pass_forward(struct gat_pass *pass, const struct gat_network *network, const struct gat_dropout *dropout,
                              struct dse_rng *rng);

/* Writes the gradient of the last forward pass to `gradient`, which has the network's shape, from the gradient of its output,
 * [nodes × classes]. */
void gat_pass_backward(struct gat_pass *pass, const struct gat_network *network, const float *output_gradient,
                       struct gat_network *gradient);

/* The largest hidden feature of the last forward pass. */
float gat_pass_hidden_largest(const struct gat_pass *pass);

/* Sizes and addresses of a layer's weights: weight, source, neighbour. */
#define GAT_PARTS 3
struct gat_part {
    float *values;
    size_t count;
};
void gat_layer_parts(const struct gat_layer *layer, struct gat_part parts[GAT_PARTS]);
