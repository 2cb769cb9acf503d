/* The inner loops of the direct form: codes into rows, their Walsh-Hadamard transform, and the comparison with thresholds.
 * A row has 32 sums, one a bit of a word; there are 2^bits rows. The narrow kernels hold sums in 16 bits and are right where
 * the counts add up to less than 2^15 − 1. Every instruction set gives the same. */
#ifndef DSE_EXECUTOR_NYSX_DIRECT_KERNELS_H
#define DSE_EXECUTOR_NYSX_DIRECT_KERNELS_H

#include "models/nysx/executor/direct.h"
#include "models/nysx/executor/vectors.h"

/* Adds each code's count, signed by x, to the row that y chooses, for each of the 32 bits: row key, column j with bit b of
 * key = bit (j − b) mod 32 of y. O(32 × count). */
void nysx_direct_scatter(enum nysx_vectors vectors, unsigned bits, const struct nysx_counted *item, size_t count,
                         int16_t *rows);
void nysx_direct_scatter_wide(enum nysx_vectors vectors, unsigned bits, const struct nysx_counted *item, size_t count,
                              int32_t *rows);

/* rows[w] = Σ over keys of (−1)^(ones of w & key) rows[key], in place; aligned to 64 bytes. O(bits × 2^bits × 32). */
void nysx_direct_transform(enum nysx_vectors vectors, unsigned bits, int16_t *rows);
void nysx_direct_transform_wide(enum nysx_vectors vectors, unsigned bits, int32_t *rows);

/* Bit e of the hypervector is 1 where sums[e] ≥ threshold[e]; for all 64 × words elements, which the rows of a transform have
 * where dim is at least 64. */
void nysx_direct_compare(enum nysx_vectors vectors, const int16_t *sums, const int16_t *threshold, size_t words,
                         uint64_t *hypervector);
/* `threshold` NULL: 0. */
void nysx_direct_compare_wide(const int32_t *sums, const int32_t *threshold, size_t dim, size_t words,
                              uint64_t *hypervector);

#endif
