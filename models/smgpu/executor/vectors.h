/* The hyperdimensional engine and the associative cache, on packed bits. Bit i of a vector is bit i mod 32 of word i / 32. Bits
 * from `dim` on are 0. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/smgpu/executor/fixed.h"

#define SMGPU_LFSR_SEED UINT32_C(0xDEADBEEF)

static inline size_t smgpu_words(size_t dim)
{
    return (dim + 31) / 32;
}

/* A word is the state of the Galois register (right shift, mask 0x84004000) after 32 more steps; each vector continues from the last
 * state. `state` is not 0. out: [count × words]. */
void smgpu_generate(uint32_t *state, size_t dim, size_t count, uint32_t *out);

/* c = a XOR b over `words` words, for both bind and unbind. It runs at the bandwidth of the first cache. */
void smgpu_bind(const uint32_t *a, const uint32_t *b, size_t words, uint32_t *c);

/* The bitwise majority of `count` vectors (fewer than 2^40); ties take the first vector's bit. `out` must not be one of the vectors.
 * O(count · words), by carry-save counters. */
void smgpu_bundle(const uint32_t *vectors, size_t count, size_t words, uint32_t *out);

/* Bit i becomes bit (i + by) mod dim; `out` must not be `a`. */
void smgpu_permute(const uint32_t *a, size_t dim, size_t by, uint32_t *out);

/* Number of equal bits, of `dim`. */
size_t smgpu_alike(const uint32_t *a, const uint32_t *b, size_t dim);

/* (alike << fraction) / dim. */
int32_t smgpu_similarity(struct smgpu_fixed *q, const uint32_t *a, const uint32_t *b, size_t dim);

/* Keys of `count` vectors: bit k is 1 if the ±1 product with row k of the projection is not negative. smgpu_generate() makes `rows`
 * [reduced × words]. keys: [count × words of reduced]. O(count · reduced · words). */
void smgpu_project(const uint32_t *vectors, size_t count, size_t dim, const uint32_t *rows, size_t reduced, uint32_t *keys);

/* The lowest entry of the best score (alike · 10000 / reduced), −1 if that is below the threshold; `score` gets the best score. */
int32_t smgpu_recall(const uint32_t *keys, size_t entries, const uint32_t *query, size_t reduced, int32_t threshold, int32_t *score);
