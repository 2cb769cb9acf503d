/* The fast form of the two systolic arrays and the update units. reference.c has the plain form with the same results.
 *
 * The order of operations is part of the design: a processing element adds the products of its dimensions in ascending
 * order, chunk after chunk, in one accumulator (so that T changes no result). An update sums a batch's samples in ascending
 * order, then adds the sum to the element. fp32 is rounded at each step; whole elements' sums are exact. */
#pragma once

#include "models/hydraf/executor/elements.h"

/* Encoded rows, [rows × dim], in one of two forms: `real` (fp32) or `whole` (integers). The other pointer is NULL. */
struct hydraf_rows {
    float *real;
    double *whole;
    size_t dim;
};

/* out[row × lanes + k] = row · hypervector k, in the block's own units. O(rows × dim × lanes). */
void hydraf_products(const struct hydraf_block *block, const struct hydraf_rows *rows, size_t count, double *out);

/* One update of a block: hypervector k takes Σ_j gain[j × lanes + k] · row j. Gains are values (not steps); `row_step` is
 * the value of a row's whole 1; `update` numbers it for the rounding. A whole block that would overflow is halved first, as
 * often as it takes. */
struct hydraf_update {
    const double *gain; /* [count × lanes] */
    size_t count;
    double row_step;
    uint32_t update;
    bool stochastic;
};
void hydraf_learn(struct hydraf_block *block, const struct hydraf_rows *rows, const struct hydraf_update *update);

/* The update of clusters in coordinate form (paper, section IV.D): row j changes hypervector index[j] alone, by
 * value[j] · row j. The dense form is hydraf_learn with the select matrix S, S[j × lanes + index[j]] = value[j], as gains:
 * both give the same bits. O(count × dim) against O(count × dim × lanes). */
struct hydraf_coordinates {
    const size_t *index; /* [count] S_i of the paper */
    const double *value; /* [count] S_v with the loss */
    size_t count;
    double row_step;
    uint32_t update;
    bool stochastic;
};
void hydraf_learn_coordinates(struct hydraf_block *block, const struct hydraf_rows *rows,
                              const struct hydraf_coordinates *update);
