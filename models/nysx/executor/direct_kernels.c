#include "models/nysx/executor/direct_kernels.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define COLUMNS 32

typedef int16_t narrow __attribute__((vector_size(COLUMNS * 2)));
typedef int32_t wide __attribute__((vector_size(COLUMNS * 4), aligned(64)));

/* The 32 bits in reverse. */
static inline uint32_t reversed(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

/* Where a code's count goes, and its sign, for every column. Bits (j − b) mod 32 of y for ascending b are those of y
 * reversed from 31 − j on. */
INLINE void places(unsigned bits, struct nysx_counted item, uint32_t *restrict at, int32_t *restrict value)
{
    uint32_t turned = reversed(nysx_mix32(item.code ^ NYSX_DIRECT_SALT)), mask = ((uint32_t)1 << bits) - 1;
    for (uint32_t j = 0; j < COLUMNS; j++) {
        uint32_t key = (turned >> (31 - j) | turned << ((j + 1) & 31)) & mask;
        at[j] = key * COLUMNS + j;
        value[j] = (item.code >> j & 1) != 0 ? item.count : -item.count;
    }
}

/* x is a −1 by its own bit alone: (−1)^(x ^ parity) = −(−1)^… is folded into the sign above. At j = 31 the two shifts meet,
 * which an OR does not mind. */
INLINE void scatter(unsigned bits, const struct nysx_counted *item, size_t count, int16_t *restrict narrow_rows,
                    int32_t *restrict wide_rows)
{
    uint32_t at[COLUMNS];
    int32_t value[COLUMNS];
    for (size_t i = 0; i < count; i++) {
        places(bits, item[i], at, value);
        for (size_t j = 0; narrow_rows != NULL && j < COLUMNS; j++)
            narrow_rows[at[j]] = (int16_t)(narrow_rows[at[j]] + value[j]);
        for (size_t j = 0; narrow_rows == NULL && j < COLUMNS; j++)
            wide_rows[at[j]] += value[j];
    }
}

/* Three levels of the transform on eight rows at once, or the one or two that are left over. */
#define DEFINE_TRANSFORM(name, row)                                                                         \
    INLINE void name##_pass(row *r, size_t rows, size_t stride, unsigned levels)                            \
    {                                                                                                       \
        size_t group = (size_t)1 << levels;                                                                 \
        for (size_t first = 0; first < rows; first += stride * group)                                       \
            for (size_t k = first; k < first + stride; k++) {                                               \
                row held[8];                                                                                \
                for (size_t i = 0; i < group; i++)                                                          \
                    held[i] = r[k + i * stride];                                                            \
                for (size_t apart = 1; apart < group; apart *= 2)                                           \
                    for (size_t i = 0; i < group; i++) {                                                    \
                        if ((i & apart) != 0)                                                               \
                            continue;                                                                       \
                        row sum = held[i] + held[i + apart];                                                \
                        held[i + apart] = held[i] - held[i + apart];                                        \
                        held[i] = sum;                                                                      \
                    }                                                                                       \
                for (size_t i = 0; i < group; i++)                                                          \
                    r[k + i * stride] = held[i];                                                            \
            }                                                                                               \
    }                                                                                                       \
    INLINE void name(unsigned bits, row *r)                                                                 \
    {                                                                                                       \
        unsigned done = 0;                                                                                  \
        for (; bits - done >= 3; done += 3)                                                                 \
            name##_pass(r, (size_t)1 << bits, (size_t)1 << done, 3);                                        \
        if (bits - done == 2)                                                                               \
            name##_pass(r, (size_t)1 << bits, (size_t)1 << done, 2);                                        \
        else if (bits - done == 1)                                                                          \
            name##_pass(r, (size_t)1 << bits, (size_t)1 << done, 1);                                        \
    }

DEFINE_TRANSFORM(transform_narrow, narrow)
DEFINE_TRANSFORM(transform_whole, wide)

/* A compilation for an instruction set of its own, all loops in it. */
#define DEFINE_KERNELS(set, ...)                                                                            \
    __VA_ARGS__ static void scatter_##set(unsigned bits, const struct nysx_counted *item, size_t count, int16_t *rows) \
    {                                                                                                       \
        scatter(bits, item, count, rows, NULL);                                                             \
    }                                                                                                       \
    __VA_ARGS__ static void scatter_wide_##set(unsigned bits, const struct nysx_counted *item, size_t count, \
                                               int32_t *rows)                                               \
    {                                                                                                       \
        scatter(bits, item, count, NULL, rows);                                                             \
    }                                                                                                       \
    __VA_ARGS__ static void transform_##set(unsigned bits, int16_t *rows)                                   \
    {                                                                                                       \
        transform_narrow(bits, (narrow *)(void *)rows);                                                     \
    }                                                                                                       \
    __VA_ARGS__ static void transform_wide_##set(unsigned bits, int32_t *rows)                              \
    {                                                                                                       \
        transform_whole(bits, (wide *)(void *)rows);                                                        \
    }

DEFINE_KERNELS(portable, )

static void compare_portable(const int16_t *sums, const int16_t *threshold, size_t words, uint64_t *hypervector)
{
    for (size_t w = 0; w < words; w++) {
        uint64_t word = 0;
        for (size_t i = 0; i < 64; i++)
            word |= (uint64_t)(sums[64 * w + i] >= threshold[64 * w + i]) << i;
        hypervector[w] = word;
    }
}

#if defined(__x86_64__)
DEFINE_KERNELS(avx2, __attribute__((target("avx2"), optimize("O3"))))
DEFINE_KERNELS(avx512, __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"), optimize("O3"))))

TARGET_AVX2 static void compare_avx2(const int16_t *sums, const int16_t *threshold, size_t words, uint64_t *hypervector)
{
    for (size_t w = 0; w < words; w++) {
        uint64_t less = 0;
        for (int part = 0; part < 2; part++) {
            __m256i below[2];
            for (int k = 0; k < 2; k++) {
                size_t at = 64 * w + 32 * (size_t)part + 16 * (size_t)k;
                below[k] = _mm256_cmpgt_epi16(_mm256_loadu_si256((const void *)(threshold + at)),
                                              _mm256_loadu_si256((const void *)(sums + at)));
            }
            __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(below[0], below[1]), 0xd8);
            less |= (uint64_t)(uint32_t)_mm256_movemask_epi8(bytes) << (32 * part);
        }
        hypervector[w] = ~less;
    }
}

TARGET_AVX512 static void compare_avx512(const int16_t *sums, const int16_t *threshold, size_t words, uint64_t *hypervector)
{
    for (size_t w = 0; w < words; w++) {
        __mmask32 low = _mm512_cmpge_epi16_mask(_mm512_loadu_si512(sums + 64 * w), _mm512_loadu_si512(threshold + 64 * w));
        __mmask32 high = _mm512_cmpge_epi16_mask(_mm512_loadu_si512(sums + 64 * w + 32),
                                                 _mm512_loadu_si512(threshold + 64 * w + 32));
        hypervector[w] = (uint64_t)high << 32 | low;
    }
}
#else
#define compare_avx2 compare_portable
#define compare_avx512 compare_portable
#define scatter_avx2 scatter_portable
#define scatter_avx512 scatter_portable
#define scatter_wide_avx2 scatter_wide_portable
#define scatter_wide_avx512 scatter_wide_portable
#define transform_avx2 transform_portable
#define transform_avx512 transform_portable
#define transform_wide_avx2 transform_wide_portable
#define transform_wide_avx512 transform_wide_portable
#endif

/* By instruction set. */
static const struct {
    void (*scatter)(unsigned, const struct nysx_counted *, size_t, int16_t *);
    void (*scatter_wide)(unsigned, const struct nysx_counted *, size_t, int32_t *);
    void (*transform)(unsigned, int16_t *);
    void (*transform_wide)(unsigned, int32_t *);
    void (*compare)(const int16_t *, const int16_t *, size_t, uint64_t *);
} kernels[NYSX_VECTORS] = {
    [NYSX_PORTABLE] = {scatter_portable, scatter_wide_portable, transform_portable, transform_wide_portable,
                       compare_portable},
    [NYSX_AVX2] = {scatter_avx2, scatter_wide_avx2, transform_avx2, transform_wide_avx2, compare_avx2},
    [NYSX_AVX512] = {scatter_avx512, scatter_wide_avx512, transform_avx512, transform_wide_avx512, compare_avx512},
};

void nysx_direct_scatter(enum nysx_vectors vectors, unsigned bits, const struct nysx_counted *item, size_t count,
                         int16_t *rows)
{
    kernels[vectors].scatter(bits, item, count, rows);
}

void nysx_direct_scatter_wide(enum nysx_vectors vectors, unsigned bits, const struct nysx_counted *item, size_t count,
                              int32_t *rows)
{
    kernels[vectors].scatter_wide(bits, item, count, rows);
}

void nysx_direct_transform(enum nysx_vectors vectors, unsigned bits, int16_t *rows)
{
    kernels[vectors].transform(bits, rows);
}

void nysx_direct_transform_wide(enum nysx_vectors vectors, unsigned bits, int32_t *rows)
{
    kernels[vectors].transform_wide(bits, rows);
}

void nysx_direct_compare(enum nysx_vectors vectors, const int16_t *sums, const int16_t *threshold, size_t words,
                         uint64_t *hypervector)
{
    kernels[vectors].compare(sums, threshold, words, hypervector);
}

void nysx_direct_compare_wide(const int32_t *sums, const int32_t *threshold, size_t dim, size_t words,
                              uint64_t *hypervector)
{
    memset(hypervector, 0, words * sizeof *hypervector);
    for (size_t e = 0; e < dim; e++)
        hypervector[e / 64] |= (uint64_t)(sums[e] >= (threshold != NULL ? threshold[e] : 0)) << (e % 64);
}
