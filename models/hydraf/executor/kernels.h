/* The fast form of the two systolic arrays and the update units. tests/executor/hydraf_reference.c has the plain form with the same results.
 *
 * The order of operations is part of the design. A processing element adds the products of its dimensions in ascending
 * order, chunk after chunk, in one accumulator, so T changes no result. An update sums a batch's samples in ascending
 * order, then adds the sum to the element. fp32 is rounded at each step; sums of whole elements are exact. */
#pragma once

#include "models/hydraf/executor/elements.h"

/* Encoded rows, [rows × dim], in one of two forms: `real` (fp32) or `whole` (integers). The other pointer is NULL. */
struct hydraf_rows {
    float *real;
    double *whole;
    size_t dim;
    const int32_t *at; /* row j is the at[j]-th in memory; NULL: the j-th */
};

static inline size_t hydraf_row_at(const struct hydraf_rows *rows, size_t j)
{
    return (rows->at != NULL ? (size_t)rows->at[j] : j) * rows->dim;
}

/* out[row × lanes + k] = row · hypervector k, in the block's own units. O(rows × dim × lanes). */
void hydraf_products(const struct hydraf_block *block, const struct hydraf_rows *rows, size_t count, double *out);

/* One update of a block: adds Σ_j gain[j × lanes + k] · row j to hypervector k. Gains are values, not steps. `row_step` is
 * the value of a row's whole 1. `update` is the update's number, for the rounding. A whole block that would overflow is first
 * halved, as often as needed. With `index`, the update has the coordinate form of clusters (paper, section IV.D): row j changes only hypervector
 * index[j], by gain[j] · row j. The dense form with the select matrix S[j × lanes + index[j]] = gain[j] gives the same bits.
 * O(count × dim × lanes); coordinates O((count + lanes) × dim). */
struct hydraf_update {
    const double *gain;  /* [count × lanes]; coordinates: [count], S_v with the loss */
    const size_t *index; /* [count], S_i of the paper, or NULL */
    size_t count;
    double row_step;
    uint32_t update;
    bool stochastic;
};
void hydraf_learn(struct hydraf_block *block, const struct hydraf_rows *rows, const struct hydraf_update *update);
