/* One training step in whole numbers, as the accelerator takes it (models/hdreason/microarchitecture.md, "Training in whole numbers"): forward, weights of the
 * distances, signs, backward through memory and encoding. The loss and the update of the embeddings are the host's, in floating point.
 *
 * Rows of a gradient have steps of their own, powers of two that bounds of the weights decide on, so that the host knows them before the accelerator
 * begins. */
#pragma once

#include "models/hdreason/executor/fixed.h"

/* A step of at most `lanes` queries; hdr_step_make() allocates, the functions behind it go in their order. Rows of `row` and `embedding` are the
 * parameters': entities, then relations. */
struct hdr_step {
    struct dse_arena arena;
    const struct hdr_graph *graph;
    const struct hdr_setting *setting;
    struct hdr_fixed fixed;
    size_t jobs, rows, lanes, count;
    float memory_step;       /* of M: its least step where hdr_step_forward() finds 0 */
    struct hdr_pair *query;  /* [lanes] subject and relation; behind `count` the first ones, of weight 0 */
    int32_t *hyper, *memory; /* [rows × dim], [entities × dim] */
    int32_t *distance;       /* [entities × lanes] */
    int32_t *weight;         /* [entities × lanes] dL/dn in steps of 2^weight_exponent, of 16 bits */
    int weight_exponent, shift; /* shift: of sums of weights to elements of `gradient` */
    int64_t *most;           /* [entities] that an element of dL/dM reaches */
    int32_t *gradient;       /* [(entities + lanes) × dim] dL/dM of every entity, divided by its neighbours where they are averaged; dL/dQ of every query */
    int32_t *row;            /* [rows × dim] dL/dH */
    int *row_shift;          /* [rows] of a row's sum to its elements; −1: the row has no gradient */
    int32_t *embedding;      /* [rows × embedding] dL/de */
    double loss;             /* sum over the queries */
};

void hdr_step_make(const struct hdr_graph *graph, const struct hdr_setting *setting, size_t lanes, size_t jobs, struct hdr_step *out);
void hdr_step_free(struct hdr_step *step);

/* H and M of the embeddings. O((edges + rows · embedding) · dim). */
void hdr_step_forward(struct hdr_step *step, const struct hdr_embeddings *from);

/* Distances of some of the graph's queries, by number, to all entities; their loss and weights. O(count · entities · dim). */
void hdr_step_weigh(struct hdr_step *step, const int32_t *query, size_t count);

/* A factor and a shift that entity `i`'s sum of signed weights takes to elements of `gradient`; a query's is that of an entity without neighbours. */
struct hdr_share hdr_step_share(const struct hdr_step *step, size_t neighbours);

/* Signed weights, summed over the queries and over the entities; then of every subject with its queries' sums. */
void hdr_step_signs(struct hdr_step *step);
void hdr_step_merge(struct hdr_step *step);

/* Through the memory, to the rows that are encoded and to the relations; through tanh and H^B. O(edges · dim + rows · embedding · dim). */
void hdr_step_backward(struct hdr_step *step);
void hdr_step_embed(struct hdr_step *step);

/* Bits that a sum of an embedding's gradient loses at its lower end: it has 32. */
int hdr_embedding_shift(size_t dim, enum hdr_precision precision);

/* The factor that makes element products and a query's own elements alike: 1.0 in steps of H. */
static inline int32_t hdr_step_one(enum hdr_precision precision)
{
    return (int32_t)(1u << (hdr_element_bits(precision) - 1));
}

/* A row's gradient as the update reads it, [embedding]. */
void hdr_step_real(const struct hdr_step *step, size_t row, float *out);
