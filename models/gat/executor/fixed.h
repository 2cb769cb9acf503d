/* The accelerator's arithmetic. It is in whole numbers and independent of their order, so simulation and hardware give the
 * same bits. models/gat/microarchitecture.md has each width. The formulas for int8 (int4 has 7 in place of 127):
 *
 * h     int8 input features, h = round(x / s_h), s_h = max|x| / 127 over the graph (section 3.4: symmetric, max-min)
 * W     int8, likewise over the layer's matrix
 * z     Σ h·W, saturated to 32 bits                                             (SPMM, equation 4.1)
 * a     int8; its step is the least power of two over s_h·s_W that holds max|a|, so the sum below needs only a shift
 * e     ReLU((a_source·z_i + a_neighbour·z_j) >> shift), at most 127            (DMVM, equation 4.2; section 3.1: signed 8 bits)
 * α     ⌊2^(16 + e_ij) / Σ_k 2^e_ik⌋, 16 fraction bits                          (softmax, equation 4.3)
 * o     Σ_j α_ij z_j, 16 fraction bits; after layer 1 ReLU                      (aggregator, equation 4.4)
 * Between the layers of `layerbreak` the processor rounds o to int8, at most 127, by a step fixed in training. `streamline` truncates o and
 * saturates it to h_data's words (value and column index, at least 20 bits). The answer is the class of the largest o of layer 2, the first
 * of equals. */
#pragma once

#include "models/gat/executor/network.h"
#include "models/gat/knobs.h"

#define GAT_ALPHA_BITS 16   /* fraction bits of α and o: the host divides what it reads by 2^16 (Listing 5.1) */
#define GAT_EXPONENT_MOST 127

/* One layer in the accelerator's format. */
struct gat_fixed_layer {
    size_t inputs, heads, channels;
    int8_t *weight, *source, *neighbour; /* shapes as in struct gat_layer */
    int shift;                           /* shift of the exponent; negative: to the left */
    double z_step;                       /* value of 1 in z: s_h·s_W */
};

struct gat_fixed {
    enum gat_approach approach;
    double steps;         /* steps of h, W and a on each side of 0: 127 */
    struct gat_fixed_layer layer[GAT_LAYERS];
    double feature_step;  /* s_h of layer 1 */
    double requantise;    /* `layerbreak`: h of layer 2 is round(o · requantise) */
    int32_t hidden_most;  /* `streamline`: the largest number in a word of h_data */
};

/* The fixed-point form of a trained network, for features of at most `feature_largest`, with `steps` steps on each side of 0. */
void gat_fixed_make(const struct gat_network *network, float feature_largest, enum gat_approach approach,
                    double steps, struct gat_fixed *out);
void gat_fixed_free(struct gat_fixed *fixed);

/* The largest magnitude of a graph's features, which int8 must hold. */
float gat_feature_largest(const struct dse_node_graph *graph);

/* A feature as int8. */
int8_t gat_fixed_feature(const struct gat_fixed *fixed, double value);

/* The exponent e of one pair. */
static inline int gat_exponent(int64_t from, int64_t to, int shift)
{
    int64_t sum = from + to;
    if (sum <= 0)
        return 0;
    if (shift < 0) /* to the left; 7 places fill the range */
        return shift < -7 || sum > GAT_EXPONENT_MOST >> -shift ? GAT_EXPONENT_MOST : (int)(sum << -shift);
    int64_t e = sum >> (shift < 63 ? shift : 63);
    return e < GAT_EXPONENT_MOST ? (int)e : GAT_EXPONENT_MOST;
}

/* A sum saturated to a word of WH. */
static inline int32_t gat_word(int64_t sum)
{
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
}

/* Layer 2's input from an o of layer 1: ReLU, then the approach's rounding. */
int32_t gat_fixed_hidden(const struct gat_fixed *fixed, int64_t o);

/* ⌊2^(16 + most) / Σ 2^e⌋ over `count` exponents, of which `most` is the largest. α of e is exactly the result shifted right by
 * most − e, because ⌊⌊x⌋ / 2^k⌋ = ⌊x / 2^k⌋. O(count). */
uint32_t gat_reciprocal(const uint8_t *exponents, size_t count, int most);

/* As gat_reciprocal, by long division of wide numbers. gat_reciprocal() falls back to it, and the tests compare both. */
uint32_t gat_reciprocal_wide(const uint8_t *exponents, size_t count, int most);

/* Runs all nodes. `score` [nodes × classes] receives o of layer 2. `features` and `hidden`, [nodes × hidden], receive o of layer 1
 * after ReLU, and layer 2's inputs from it; either may be NULL.
 * O(non-zeros × hidden + arcs × (hidden + classes)). */
void gat_fixed_run(const struct gat_fixed *fixed, const struct dse_node_graph *graph, const struct gat_subgraphs *subgraphs,
                   int64_t *score, int64_t *features, int32_t *hidden);
