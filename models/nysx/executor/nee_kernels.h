/* The NEE's inner loops: one block of 64 rows of P times a vector. Each has a portable form and forms for
 * vector instructions (vectors.h), which give the same bits. */
#ifndef DSE_EXECUTOR_NYSX_NEE_KERNELS_H
#define DSE_EXECUTOR_NYSX_NEE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/nysx/executor/precision.h"
#include "models/nysx/executor/vectors.h"

#define NYSX_DIGITS 5 /* of 7 bits or more: 35 bits */

/* A vector prepared for the kernels of whole formats, which take it in digits, lowest first. Kernels of bytes take
 * unsigned digits of what is left when `offset` is added to make every element non-negative; AVX2 multiplies bytes
 * into 16-bit pairs that saturate, and digits of 7 bits keep clear of that; elsewhere they have 8. Kernels of int16
 * take signed digits of 8 bits of the elements themselves. */
struct nysx_input {
    size_t columns, padded;  /* padded: to a multiple of 8, the rest 0 */
    float *real;             /* [padded] */
    int32_t *whole;          /* [padded] */
    uint8_t *digit;          /* [NYSX_DIGITS × padded] */
    int digit_bits;          /* 7 or 8 */
    int digits;              /* used: the largest element's */
    int16_t *signed_digit;   /* [NYSX_DIGITS × padded] of 8 bits */
    int signed_digits;       /* used */
    int64_t offset, shifted_sum; /* Σ (whole + offset) */
    int64_t magnitude;       /* Σ |whole| */
};

enum dse_status nysx_input_alloc(size_t columns, struct nysx_input *out, struct dse_error *err);
void nysx_input_free(struct nysx_input *input);

/* Fills offset, sums and the digits that the kernels of `vectors` take for elements of `precision`, from `whole`. */
void nysx_input_split(enum nysx_vectors vectors, enum nysx_precision precision, struct nysx_input *input);

/* sums[i] = Σ_j P_ij x_j of a real format, rows 64·block + i: each row in ascending j, a product and an
 * addition rounded to fp32 each. */
void nysx_sums_real(enum nysx_vectors vectors, const struct nysx_projection *projection, size_t block,
                    const struct nysx_input *input, float *sums);

/* The signs of the same: bit i is sums[i] ≥ 0. */
uint64_t nysx_signs_real(enum nysx_vectors vectors, const struct nysx_projection *projection, size_t block,
                         const struct nysx_input *input);

/* sums[i] = Σ_j P_ij x_j of a whole format, exactly. */
void nysx_sums_whole(enum nysx_vectors vectors, const struct nysx_projection *projection, size_t block,
                     const struct nysx_input *input, int64_t *sums);

/* The same for a block of int8 elements that lies in `packed` as precision.h says, its rows' sums given. */
void nysx_sums_int8(enum nysx_vectors vectors, const unsigned char *packed, size_t groups,
                    const int32_t *row_sum, const struct nysx_input *input, int64_t *sums);

/* The signs of the same sums: bit i is sums[i] ≥ 0. */
uint64_t nysx_signs_whole(enum nysx_vectors vectors, const struct nysx_projection *projection, size_t block,
                          const struct nysx_input *input);
uint64_t nysx_signs_int8(enum nysx_vectors vectors, const unsigned char *packed, size_t groups,
                         const int32_t *row_sum, const struct nysx_input *input);

/* Signs of int8 elements times a real vector: ascending columns, fp32. */
uint64_t nysx_signs_mixed(enum nysx_vectors vectors, const unsigned char *packed, size_t columns,
                          const struct nysx_input *input);

/* Bit i is sums[i] ≥ 0, for 64 sums. */
uint64_t nysx_signs(enum nysx_vectors vectors, const int64_t *sums);

/* GCC loads a word again for each product that takes it: loads are what these loops are made of. */
#define IN_A_REGISTER(word) __asm__("" : "+v"(word))

#endif
