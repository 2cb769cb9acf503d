/* The hyperdimensional engine and the associative cache, on packed bits: bit i of a vector is bit i mod 32 of word i / 32, and
 * the bits behind the last of `dim` are 0. */
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

/* A word is the state of the Galois register (to the right, mask 0x84004000) after 32 more steps; every vector goes on from the last
 * state. `state` is not 0. out: [count × words]. */
void smgpu_generate(uint32_t *state, size_t dim, size_t count, uint32_t *out);

/* c = a XOR b, `words` of them: both bind and unbind. At the bandwidth of the first cache. */
void smgpu_bind(const uint32_t *a, const uint32_t *b, size_t words, uint32_t *c);

/* The majority of `count` vectors (fewer than 2^40), bit by bit; ties take the first vector's bit. `out` is none of them. O(count · words),
 * by carry-save counters. */
void smgpu_bundle(const uint32_t *vectors, size_t count, size_t words, uint32_t *out);

/* Bit i becomes bit (i + by) mod dim; `out` is another vector. */
void smgpu_permute(const uint32_t *a, size_t dim, size_t by, uint32_t *out);

/* Bits that are alike, of `dim`. */
size_t smgpu_alike(const uint32_t *a, const uint32_t *b, size_t dim);

/* (alike << fraction) / dim. */
int32_t smgpu_similarity(struct smgpu_fixed *q, const uint32_t *a, const uint32_t *b, size_t dim);

/* Keys of `count` vectors: bit k is 1 where the ±1 product with row k of the projection is 0 or more. `rows` [reduced × words] are
 * those that smgpu_generate makes; keys: [count × words of reduced]. O(count · reduced · words). */
void smgpu_project(const uint32_t *vectors, size_t count, size_t dim, const uint32_t *rows, size_t reduced, uint32_t *keys);

/* The lowest entry of the best score (alike · 10000 / reduced), −1 where that is below the threshold; `score` gets the best. */
int32_t smgpu_recall(const uint32_t *keys, size_t entries, const uint32_t *query, size_t reduced, int32_t threshold, int32_t *score);
