/* The network that is trained: two graph attention layers in single precision, forward and backward.
 *
 * Layer l of H heads with C channels each (Veličković et al., 2018; models/gat/microarchitecture.md says where the accelerator differs):
 *   z = x W;  e_ij = act(a_source·z_i + a_neighbour·z_j);  α_ij = base^e_ij / Σ_k base^e_ik over k in N(i) and i itself;
 *   out_i = Σ_j α_ij z_j, heads side by side. The hidden layer's activation stands between the two; the second layer has one
 * head of as many channels as there are classes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/rng.h"
#include "core/status.h"
#include "datasets/nodes.h"

#define GAT_LAYERS 2

/* The neighbourhoods that attention goes over: each node's own number first, then its neighbours ascending. These are the
 * thesis's subgraphs (section 3.2): row r of subgraph i is node[begin[i] + r]. */
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
    float *source;    /* [heads·channels] the half of the attention vector that meets the source node */
    float *neighbour; /* [heads·channels] the half that meets its neighbours */
};

static inline size_t gat_layer_outputs(const struct gat_layer *layer)
{
    return layer->heads * layer->channels;
}

/* How the functions between the products are computed. */
struct gat_functions {
    bool base_two;      /* base^e: 2, with whole exponents (⌊e⌋), else the number e */
    bool relu;          /* ReLU after attention and the hidden layer, else LeakyReLU (0.2) and ELU */
    float steps;        /* weights and hidden features rounded to so many steps on each side of 0 (section 3.4); 0: not at all */
};

struct gat_network {
    struct gat_layer layer[GAT_LAYERS];
    struct gat_functions functions;
    float hidden_largest; /* of the hidden layer's magnitudes, as seen in training: what its int8 range stands for */
};

/* Weights by Glorot and Bengio's uniform rule, drawn from `rng`. */
void gat_network_make(size_t features, size_t heads, size_t channels, size_t classes, struct dse_rng *rng,
                      struct gat_network *out);
void gat_network_free(struct gat_network *network);

/* Dropout rates of training: shares of input features, attention weights and hidden features; 0: none. */
struct gat_dropout {
    float input, attention, hidden;
};

/* Everything that a pass keeps for the way back, and the gradients. */
struct gat_pass;

void gat_pass_make(const struct gat_network *network, const struct dse_node_graph *graph,
                   const struct gat_subgraphs *subgraphs, struct gat_pass **out);
void gat_pass_free(struct gat_pass *pass);

/* Runs all nodes through the network. With `rng`, as in training: features are dropped. Returns [nodes × classes], valid until
 * the next pass. O(non-zeros × hidden + arcs × (hidden + classes)). */
const float *gat_pass_forward(struct gat_pass *pass, const struct gat_network *network, const struct gat_dropout *dropout,
                              struct dse_rng *rng);

/* The gradient of the last forward pass, from that of its output [nodes × classes], into `gradient`, which has the network's
 * shape. */
void gat_pass_backward(struct gat_pass *pass, const struct gat_network *network, const float *output_gradient,
                       struct gat_network *gradient);

/* The largest hidden feature of the last forward pass. */
float gat_pass_hidden_largest(const struct gat_pass *pass);

/* The number of a layer's weights, and where they lie: weight, source, neighbour. */
#define GAT_PARTS 3
struct gat_part {
    float *values;
    size_t count;
};
void gat_layer_parts(const struct gat_layer *layer, struct gat_part parts[GAT_PARTS]);
