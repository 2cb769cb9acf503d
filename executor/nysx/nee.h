/* The Nyström Encoding Engine (section 5.2.5): h = sign(P C), the sign fused.
 *
 * Arithmetic, part of the design: lanes run across rows of P; each row adds its landmarks in ascending
 * order, a multiplication and an addition each rounded to fp32; C enters as fp32. sign(0) is +1.
 *
 * P is packed as the memory port reads it: blocks of 64 rows, in a block the landmarks in order, of each
 * its 64 rows' elements; at 32 bits four words of 512. Rows past d are 0. */
#ifndef DSE_EXECUTOR_NYSX_NEE_H
#define DSE_EXECUTOR_NYSX_NEE_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

#define NYSX_LANES 64

struct nysx_projection {
    size_t dim, columns; /* d, s */
    size_t blocks;       /* ⌈d / 64⌉, also the words of a hypervector */
    float *packed;       /* [blocks × columns × 64], aligned to 64 bytes */
};

enum dse_status nysx_projection_alloc(size_t dim, size_t columns, struct nysx_projection *out,
                                      struct dse_error *err);
void nysx_projection_free(struct nysx_projection *projection);

/* The place of element (row, column) in `packed`. */
static inline size_t nysx_projection_at(const struct nysx_projection *projection, size_t row, size_t column)
{
    return (row / NYSX_LANES * projection->columns + column) * NYSX_LANES + row % NYSX_LANES;
}

/* Which vector kernels may be used: each gives the same bits. */
enum nysx_vectors { NYSX_PORTABLE, NYSX_AVX2, NYSX_AVX512, NYSX_VECTORS };

/* The best that this processor has. */
enum nysx_vectors nysx_vectors_best(void);

/* A hypervector is `blocks` words; bit i of word k is 1 where element 64 k + i is +1, and 0 past d.
 * `input` is C, or φ, in fp32. */
void nysx_project(const struct nysx_projection *projection, const float *input, uint64_t *hypervector);
void nysx_project_with(enum nysx_vectors vectors, const struct nysx_projection *projection,
                       const float *input, uint64_t *hypervector);

/* One block of it: bits not yet cleared past d. */
uint64_t nysx_project_block(enum nysx_vectors vectors, const struct nysx_projection *projection,
                            size_t block, const float *input);

/* The bits of a last word that lie before d. */
uint64_t nysx_last_word_mask(size_t dim);

/* The same, a row after another in plain C. */
void nysx_project_reference(const struct nysx_projection *projection, const float *input,
                            uint64_t *hypervector);

#endif
