/* One training step in whole numbers, as on the accelerator (models/hdreason/microarchitecture.md, "Training in whole numbers"): forward, weights of
 * the distances, signs, backward through memory and encoding. The host computes the loss and updates the embeddings, in floating point.
 *
 * Each row of a gradient has its own step, a power of two. Bounds of the weights determine it, so the host knows it before the accelerator
 * begins. */
#pragma once

#include "models/hdreason/executor/fixed.h"

/* A step of at most `lanes` queries. hdr_step_make() allocates; call the functions below it in their order. Rows of `row` and `embedding` are
 * entities, then relations. */
struct hdr_step {
    struct dse_arena arena;
    const struct hdr_graph *graph;
    const struct hdr_setting *setting;
    struct hdr_fixed fixed;
    size_t jobs, rows, lanes, count;
    float memory_step;       /* step of M; hdr_step_forward() replaces 0 by the least step that holds M */
    struct hdr_pair *query;  /* [lanes] subject and relation; from `count` on the first ones, with weight 0 */
    int32_t *hyper, *memory; /* [rows × dim], [entities × dim] */
    int32_t *distance;       /* [entities × lanes] */
    int32_t *weight;         /* [entities × lanes] dL/dn in steps of 2^weight_exponent, 16 bits */
    int weight_exponent, shift; /* shift: from sums of weights to elements of `gradient` */
    int64_t *most;           /* [entities] upper bound of an element of dL/dM */
    int32_t *gradient;       /* [(entities + lanes) × dim] dL/dM (of a mean: divided by the neighbours); then dL/dQ of every query */
    int32_t *row;            /* [rows × dim] dL/dH */
    int *row_shift;          /* [rows] from a row's sum to its elements; −1: no gradient */
    int32_t *embedding;      /* [rows × embedding] dL/de */
    double loss;             /* sum over the queries */
};

void hdr_step_make(const struct hdr_graph *graph, const struct hdr_setting *setting, size_t lanes, size_t jobs, struct hdr_step *out);
void hdr_step_free(struct hdr_step *step);

/* Computes H and M from the embeddings. O((edges + rows · embedding) · dim). */
void hdr_step_forward(struct hdr_step *step, const struct hdr_embeddings *from);

/* Distances of `count` queries (indices into the graph's) to all entities; their loss and weights. O(count · entities · dim). */
void hdr_step_weigh(struct hdr_step *step, const int32_t *query, size_t count);

/* The factor and shift from an entity's sum of signed weights to elements of `gradient`. A query has those of an entity without neighbours. */
struct hdr_share hdr_step_share(const struct hdr_step *step, size_t neighbours);

/* Sums signed weights over the queries and over the entities; then adds its queries' sums to every subject. */
void hdr_step_signs(struct hdr_step *step);
void hdr_step_merge(struct hdr_step *step);

/* Backward through the memory to encoded rows and relations, then through tanh and H^B. O(edges · dim + rows · embedding · dim). */
void hdr_step_backward(struct hdr_step *step);
void hdr_step_embed(struct hdr_step *step);

/* Low bits that a sum of an embedding's gradient drops to fit 32 bits. */
int hdr_embedding_shift(size_t dim, enum hdr_precision precision);

/* 1.0 in steps of H: the factor that gives a query's own elements the scale of element products. */
static inline int32_t hdr_step_one(enum hdr_precision precision)
{
    return (int32_t)(1u << (hdr_element_bits(precision) - 1));
}

/* A row's gradient as the update reads it, [embedding]. */
void hdr_step_real(const struct hdr_step *step, size_t row, float *out);
