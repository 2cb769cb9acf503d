#include "executor/smgpu/vectors.h"

#include <stdlib.h>
#include <string.h>

#define LFSR_MASK UINT32_C(0x84004000)
#define SCORE_OF_ALL 10000

static uint32_t last_mask(size_t dim)
{
    return dim % 32 == 0 ? UINT32_MAX : (UINT32_C(1) << dim % 32) - 1;
}

void smgpu_generate(uint32_t *state, size_t dim, size_t count, uint32_t *out)
{
    size_t words = smgpu_words(dim);
    for (size_t v = 0; v < count; v++) {
        for (size_t w = 0; w < words; w++) {
            for (int step = 0; step < 32; step++)
                *state = *state >> 1 ^ (LFSR_MASK & -(*state & 1));
            out[v * words + w] = *state;
        }
        out[v * words + words - 1] &= last_mask(dim);
    }
}

void smgpu_bind(const uint32_t *a, const uint32_t *b, size_t words, uint32_t *c)
{
    for (size_t w = 0; w < words; w++)
        c[w] = a[w] ^ b[w];
}

/* A counter a bit, its digits in words: adding a vector carries through the digits, for 32 bits at once. */
enum dse_status smgpu_bundle(const uint32_t *vectors, size_t count, size_t words, uint32_t *out, struct dse_error *err)
{
    size_t digits = 1;
    while (count >> digits != 0)
        digits++;
    uint32_t *plane = calloc(digits * words + 1, sizeof *plane);
    if (plane == NULL)
        return dse_fail_memory(err);
    for (size_t v = 0; v < count; v++) {
        size_t used = 1;
        while ((v + 1) >> used != 0)
            used++;
        const uint32_t *vector = vectors + v * words;
        for (size_t w = 0; w < words; w++)
            out[w] = vector[w];
        for (size_t d = 0; d < used; d++)
            for (size_t w = 0; w < words; w++) {
                uint32_t carry = plane[d * words + w] & out[w];
                plane[d * words + w] ^= out[w];
                out[w] = carry;
            }
    }
    /* 2 · votes against the count, from the highest digit down: the half is floor(count / 2), and a tie only where the count is even. */
    size_t half = count / 2;
    for (size_t w = 0; w < words; w++) {
        uint32_t more = 0, less = 0;
        for (size_t d = digits; d-- > 0;) {
            uint32_t votes = plane[d * words + w], bar = (half >> d & 1) != 0 ? UINT32_MAX : 0, open = ~(more | less);
            more |= open & votes & ~bar;
            less |= open & ~votes & bar;
        }
        uint32_t even = ~(more | less);
        out[w] = more | (count % 2 == 0 ? even & vectors[w] : 0);
    }
    free(plane);
    return DSE_OK;
}

/* 32 bits of a vector from bit `at` on, zeros behind the last word. */
static uint32_t word_at(const uint32_t *a, size_t words, size_t at)
{
    size_t w = at / 32, shift = at % 32;
    uint64_t low = w < words ? a[w] : 0, high = w + 1 < words ? a[w + 1] : 0;
    return (uint32_t)((low | high << 32) >> shift);
}

void smgpu_permute(const uint32_t *a, size_t dim, size_t by, uint32_t *out)
{
    size_t words = smgpu_words(dim), shift = by % dim;
    for (size_t w = 0; w < words; w++) {
        /* bit 32w + j comes from bit 32w + j − shift, around the end at dim */
        size_t begin = (32 * w + dim - shift) % dim, before_end = dim - begin;
        uint32_t word = word_at(a, words, begin);
        if (before_end < 32) {
            word &= (UINT32_C(1) << before_end) - 1;
            for (size_t j = before_end; j < 32; j++) /* dim may be below 32, so that it wraps more than once */
                word |= (a[(j - before_end) % dim / 32] >> ((j - before_end) % dim % 32) & 1) << j;
        }
        out[w] = word;
    }
    out[words - 1] &= last_mask(dim);
}

size_t smgpu_alike(const uint32_t *a, const uint32_t *b, size_t dim)
{
    size_t words = smgpu_words(dim), different = 0, w = 0;
    for (; w + 2 <= words; w += 2) {
        uint64_t x, y;
        memcpy(&x, a + w, sizeof x);
        memcpy(&y, b + w, sizeof y);
        different += (size_t)__builtin_popcountll(x ^ y);
    }
    if (w < words)
        different += (size_t)__builtin_popcount(a[w] ^ b[w]);
    return dim - different;
}

int32_t smgpu_similarity(struct smgpu_fixed *q, const uint32_t *a, const uint32_t *b, size_t dim)
{
    return smgpu_hold(q, (int64_t)(((uint64_t)smgpu_alike(a, b, dim) << q->fraction) / dim));
}

void smgpu_project(const uint32_t *vectors, size_t count, size_t dim, const uint32_t *rows, size_t reduced, uint32_t *keys)
{
    size_t words = smgpu_words(dim), key_words = smgpu_words(reduced);
    memset(keys, 0, count * key_words * sizeof *keys);
    for (size_t v = 0; v < count; v++)
        for (size_t k = 0; k < reduced; k++)
            if (2 * smgpu_alike(vectors + v * words, rows + k * words, dim) >= dim)
                keys[v * key_words + k / 32] |= UINT32_C(1) << k % 32;
}

int32_t smgpu_recall(const uint32_t *keys, size_t entries, const uint32_t *query, size_t reduced, int32_t threshold, int32_t *score)
{
    size_t words = smgpu_words(reduced), best = 0;
    int32_t entry = -1;
    for (size_t e = 0; e < entries; e++) {
        size_t alike = smgpu_alike(keys + e * words, query, reduced);
        if (entry < 0 || alike > best) {
            best = alike;
            entry = (int32_t)e;
        }
    }
    *score = entries > 0 ? (int32_t)(best * SCORE_OF_ALL / reduced) : 0;
    return *score >= threshold ? entry : -1;
}
