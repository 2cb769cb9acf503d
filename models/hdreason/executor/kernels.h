/* The inner loops of training and ranking. Each is compiled for AVX-512 and for the base target; distances of single precision and of bytes also
 * for AVX2. Every element has the same order of operations, and none is fused. All versions therefore give the same bits as the plain loops in
 * tests/executor.
 *
 * Rows of hypervectors are `stride` apart, a multiple of HDR_PAD elements, padded with zeros. Queries lie in lanes of
 * HDR_REGISTER: "turned" is [elements × lanes], so one element of an entity meets all queries at once. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HDR_PAD 64    /* elements of a row: a register of bytes */
#define HDR_REGISTER 16  /* queries of a register */

static inline size_t hdr_padded(size_t count, size_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

/* The instruction set of the machine; tests may choose a smaller one. */
enum hdr_vectors { HDR_PORTABLE, HDR_AVX2, HDR_AVX512 };
enum hdr_vectors hdr_vectors_best(void);

/* out[row × lanes + b] = Σ_k |turned[k × lanes + b] − rows[row × stride + k]|, ascending k; `lanes` a multiple of HDR_REGISTER.
 * O(count × lanes × elements). */
void hdr_distances(enum hdr_vectors v, const float *rows, size_t count, size_t stride, const float *turned, size_t lanes, size_t elements,
                   float *out);

/* The same of whole numbers below 2^16 / elements; exact. */
void hdr_distances_whole(enum hdr_vectors v, const int32_t *rows, size_t count, size_t stride, const int32_t *turned, size_t lanes,
                         size_t elements, int32_t *out);

/* The same of bytes with 128 added; `turned` is [stride / 8 × lanes × 8]: eight elements of a query are contiguous. */
void hdr_distances_bytes(enum hdr_vectors v, const uint8_t *rows, size_t count, size_t stride, const uint8_t *turned, size_t lanes,
                         int32_t *out);

/* g = weight[row × lanes + b] · sign(queries[b × stride + k] − rows[row × stride + k]), with sign(0) = 1.
 * Then row_gradient[row][k] −= g, b ascending, and query_gradient[b][k] += g, rows ascending. `lanes` is a multiple of 4. */
struct hdr_signs {
    const float *rows, *queries, *weight;
    size_t count, lanes, stride;
    float *row_gradient, *query_gradient;
};
void hdr_signs(enum hdr_vectors v, const struct hdr_signs *what);

/* out[row × width + c] = Σ_k rows[row × stride + k] · columns[k × width + c], ascending k; `width` a multiple of HDR_REGISTER. */
void hdr_product(enum hdr_vectors v, const float *rows, size_t count, size_t stride, const float *columns, size_t width, size_t elements,
                 float *out);

/* out[k] += Σ one[pair.a × stride + k] · other[pair.b × stride + k], ascending pairs; `stride` a multiple of HDR_REGISTER. */
struct hdr_pair {
    int32_t a, b;
};
void hdr_bind(enum hdr_vectors v, const float *one, const float *other, const struct hdr_pair *pairs, size_t count, size_t stride, float *out);

/* Adds to both counts, per lane, how many of the `count` rows' distances are less than `wanted`, and how many are equal. Distances of single
 * precision are compared by their bits, whose order is the same for values that are not negative. */
void hdr_beaten(enum hdr_vectors v, const int32_t *distance, size_t count, size_t lanes, const int32_t *wanted, int32_t *less, int32_t *equal);

/* x = tanh(x), error at most 2e-7; and x = e^x for x ≤ 0, relative error at most 3e-7, 0 below −87. `count` is a multiple of HDR_REGISTER. */
void hdr_tanh(enum hdr_vectors v, float *x, size_t count);
void hdr_exp(enum hdr_vectors v, float *x, size_t count);
