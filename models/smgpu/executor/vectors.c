#include "models/smgpu/executor/vectors.h"

#include <string.h>

#include "models/smgpu/executor/targets.h"

#define LFSR_STEPS_MOST 14 /* the lowest tap is bit 14 */
#define SCORE_OF_ALL 10000

static uint32_t last_mask(size_t dim)
{
    return dim % 32 == 0 ? UINT32_MAX : (UINT32_C(1) << dim % 32) - 1;
}

/* `steps` steps, at most 14, of a Galois register with taps 31, 26 and 14 (mask 0x84004000). No bit that they shift out depends on an earlier
 * one. */
static uint32_t after_steps(uint32_t state, int steps)
{
    uint32_t out = state & ((UINT32_C(1) << steps) - 1);
    return state >> steps ^ out << (32 - steps) ^ out << (27 - steps) ^ out << (15 - steps);
}

void smgpu_generate(uint32_t *state, size_t dim, size_t count, uint32_t *out)
{
    size_t words = smgpu_words(dim);
    for (size_t v = 0; v < count; v++) {
        for (size_t w = 0; w < words; w++) {
            *state = after_steps(after_steps(after_steps(*state, LFSR_STEPS_MOST), LFSR_STEPS_MOST), 32 - 2 * LFSR_STEPS_MOST);
            out[v * words + w] = *state;
        }
        out[v * words + words - 1] &= last_mask(dim);
    }
}

/* ---- kernels by instruction set ---- */

#define CHUNK_WORDS 16
#define DIGITS_MOST 40
#define AT_ONCE 8 /* vectors through a tree of carry-save adders; the carries have this weight */

typedef uint32_t chunk __attribute__((vector_size(4 * CHUNK_WORDS)));
typedef uint64_t loose __attribute__((may_alias, aligned(4)));

SMGPU_INLINE void bind_body(const uint32_t *a, const uint32_t *b, size_t words, uint32_t *c)
{
    for (size_t w = 0; w < words; w++)
        c[w] = a[w] ^ b[w];
}

SMGPU_INLINE void different_body(const uint32_t *a, const uint32_t *b, size_t words, size_t *out)
{
    const loose *x = (const loose *)(const void *)a, *y = (const loose *)(const void *)b;
    uint64_t count = 0;
    for (size_t w = 0; w < words / 2; w++)
        count += (uint64_t)__builtin_popcountll(x[w] ^ y[w]);
    if (words % 2 != 0)
        count += (uint64_t)__builtin_popcount(a[words - 1] ^ b[words - 1]);
    *out = (size_t)count;
}

/* Carry-save addition of sum, a and b. */
SMGPU_INLINE void add(chunk *carry, chunk *sum, const chunk *a, const chunk *b)
{
    chunk either = *sum ^ *a;
    *carry = (*sum & *a) | (either & *b);
    *sum = either ^ *b;
}

SMGPU_INLINE void ripple(chunk *plane, size_t first, size_t digits, chunk *carry)
{
    for (size_t d = first; d < digits; d++) {
        chunk next = plane[d] & *carry;
        plane[d] ^= *carry;
        *carry = next;
    }
}

/* One counter per bit: plane d holds digit d of all counters. Each vector has `bytes` bytes of the chunk. */
SMGPU_INLINE void count_votes(const uint32_t *vectors, size_t count, size_t stride, size_t bytes, size_t digits, chunk *plane)
{
    size_t v = 0;
    for (size_t d = 0; d < digits; d++)
        plane[d] = (chunk){0};
    for (; v + AT_ONCE <= count && digits > 3; v += AT_ONCE) {
        chunk in[AT_ONCE] = {{0}}, two[2], four[2], eight;
        for (size_t k = 0; k < AT_ONCE; k++)
            memcpy(&in[k], vectors + (v + k) * stride, bytes);
        for (size_t half = 0; half < 2; half++) {
            add(&two[0], &plane[0], &in[4 * half], &in[4 * half + 1]);
            add(&two[1], &plane[0], &in[4 * half + 2], &in[4 * half + 3]);
            add(&four[half], &plane[1], &two[0], &two[1]);
        }
        add(&eight, &plane[2], &four[0], &four[1]);
        ripple(plane, 3, digits, &eight);
    }
    for (; v < count; v++) {
        chunk in = {0};
        memcpy(&in, vectors + v * stride, bytes);
        ripple(plane, 0, digits, &in);
    }
}

/* Compares votes with floor(count / 2) from the highest digit down; a tie needs an even count. */
SMGPU_INLINE void bundle_body(const uint32_t *vectors, size_t count, size_t words, size_t digits, uint32_t *out)
{
    chunk plane[DIGITS_MOST];
    for (size_t at = 0; at < words; at += CHUNK_WORDS) {
        size_t bytes = 4 * (words - at < CHUNK_WORDS ? words - at : CHUNK_WORDS), half = count / 2;
        chunk more = {0}, less = {0}, first = {0};
        if (bytes == sizeof(chunk)) /* the usual size, a constant, so that the copies become loads */
            count_votes(vectors + at, count, words, sizeof(chunk), digits, plane);
        else
            count_votes(vectors + at, count, words, bytes, digits, plane);
        for (size_t d = digits; d-- > 0;) {
            chunk open = ~(more | less);
            if ((half >> d & 1) != 0)
                less |= open & ~plane[d];
            else
                more |= open & plane[d];
        }
        memcpy(&first, vectors + at, bytes);
        if (count % 2 == 0)
            more |= ~(more | less) & first;
        memcpy(out + at, &more, bytes);
    }
}

SMGPU_KERNEL(bind, (const uint32_t *a, const uint32_t *b, size_t words, uint32_t *c), (a, b, words, c))
SMGPU_KERNEL(different, (const uint32_t *a, const uint32_t *b, size_t words, size_t *count), (a, b, words, count))
SMGPU_KERNEL(bundle, (const uint32_t *vectors, size_t count, size_t words, size_t digits, uint32_t *out), (vectors, count, words, digits, out))

void smgpu_bind(const uint32_t *a, const uint32_t *b, size_t words, uint32_t *c)
{
    bind(a, b, words, c);
}

void smgpu_bundle(const uint32_t *vectors, size_t count, size_t words, uint32_t *out)
{
    size_t digits = 1;
    while (count >> digits != 0)
        digits++;
    bundle(vectors, count, words, digits, out);
}

/* 32 bits of a vector from bit `at` on, padded with zeros. */
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
        /* bit 32w + j comes from bit 32w + j − shift, modulo dim */
        size_t begin = (32 * w + dim - shift) % dim, before_end = dim - begin;
        uint32_t word = word_at(a, words, begin);
        if (before_end < 32) {
            word &= (UINT32_C(1) << before_end) - 1;
            for (size_t j = before_end; j < 32; j++) /* with dim below 32 it wraps more than once */
                word |= (a[(j - before_end) % dim / 32] >> ((j - before_end) % dim % 32) & 1) << j;
        }
        out[w] = word;
    }
    out[words - 1] &= last_mask(dim);
}

size_t smgpu_alike(const uint32_t *a, const uint32_t *b, size_t dim)
{
    size_t count;
    different(a, b, smgpu_words(dim), &count);
    return dim - count;
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
