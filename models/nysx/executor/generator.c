#include "models/nysx/executor/generator.h"

#include <string.h>

#include "models/nysx/executor/nee_signs.h"
#include "models/nysx/executor/precision.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define GOLDEN 0x9e3779b97f4a7c15u

typedef uint64_t words __attribute__((vector_size(64)));
typedef uint8_t bytes __attribute__((vector_size(64)));
typedef int8_t entries __attribute__((vector_size(64)));

INLINE void start(uint64_t seed, size_t block, uint64_t state[8])
{
    for (uint64_t g = 0; g < 8; g++) {
        uint64_t z = seed + (8 * (uint64_t)block + g + 1) * GOLDEN;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        state[g] = z != 0 ? z : GOLDEN;
    }
}

void nysx_generator_start(uint64_t seed, size_t block, uint64_t state[8])
{
    start(seed, block, state);
}

/* 64 bytes to 64 entries of column j. `generator` is a constant at each use. */
INLINE void convert(enum nysx_generator generator, size_t j, bytes raw, entries *out)
{
    if (generator == NYSX_BITS8) { /* ones by halving: pairs, nibbles, bytes */
        raw -= raw >> 1 & 0x55;
        raw = (raw & 0x33) + (raw >> 2 & 0x33);
        raw = ((raw + (raw >> 4)) & 0x0f) - 4;
    } else if (generator == NYSX_SIGN) {
        raw = ((raw >> j % 8 & 1) << 1) - 1;
    }
    memcpy(out, &raw, sizeof raw);
}

INLINE words next(words state)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^ state << 17;
}

/* Four columns, each 64 rows, to 64 rows of four columns; adds them to the rows' sums. */
typedef void interleave_kernel(const entries column[4], unsigned char *packed, int32_t *row_sum);

INLINE void interleave_plain(const entries column[4], unsigned char *packed, int32_t *row_sum)
{
    int8_t from[4][64];
    memcpy(from, column, sizeof from);
    for (int i = 0; i < 64; i++) {
        for (int k = 0; k < 4; k++) {
            packed[4 * i + k] = (unsigned char)from[k][i];
            row_sum[i] += from[k][i];
        }
    }
}

#if defined(__x86_64__)
TARGET_AVX512 INLINE void interleave_avx512(const entries column[4], unsigned char *packed, int32_t *row_sum)
{
    const unsigned char *from = (const unsigned char *)column;
    __m512i ones = _mm512_set1_epi8(1);
    for (int q = 0; q < 4; q++) {
        __m512i word = _mm512_setzero_si512();
        for (int k = 0; k < 4; k++) {
            __m128i rows = _mm_loadu_si128((const __m128i *)(const void *)(from + 64 * k + 16 * q));
            word = _mm512_or_si512(word, _mm512_slli_epi32(_mm512_cvtepu8_epi32(rows), (unsigned)(8 * k)));
        }
        _mm512_storeu_si512(packed + 64 * q, word);
        __m512i sums = _mm512_loadu_si512(row_sum + 16 * q);
        _mm512_storeu_si512(row_sum + 16 * q, _mm512_dpbusd_epi32(sums, ones, word));
    }
}
#endif

INLINE void generate(enum nysx_generator generator, uint64_t seed, size_t block, size_t columns,
                     unsigned char *packed, int32_t *row_sum, interleave_kernel *interleave)
{
    uint64_t first[8];
    words state;
    memset(row_sum, 0, NYSX_LANES * sizeof *row_sum);
    start(seed, block, first);
    memcpy(&state, first, sizeof state);
    for (size_t j = 0; j < columns; j += 4, packed += 256) {
        entries column[4] = {{0}};
        for (size_t k = 0; k < 4 && j + k < columns; k++) {
            bytes raw;
            if ((j + k) % nysx_generator_columns(generator) == 0)
                state = next(state);
            memcpy(&raw, &state, sizeof raw);
            convert(generator, j + k, raw, &column[k]);
        }
        interleave(column, packed, row_sum);
    }
}

INLINE void any_generator(enum nysx_generator generator, uint64_t seed, size_t block, size_t columns,
                          unsigned char *packed, int32_t *row_sum, interleave_kernel *interleave)
{
    if (generator == NYSX_UNIFORM8)
        generate(NYSX_UNIFORM8, seed, block, columns, packed, row_sum, interleave);
    else if (generator == NYSX_BITS8)
        generate(NYSX_BITS8, seed, block, columns, packed, row_sum, interleave);
    else
        generate(NYSX_SIGN, seed, block, columns, packed, row_sum, interleave);
}

INLINE void generate_signs(uint64_t seed, size_t block, size_t steps, unsigned char *random)
{
    uint64_t first[8];
    words state[NYSX_SIGN_BLOCKS];
    for (size_t b = 0; b < NYSX_SIGN_BLOCKS; b++) {
        start(seed, block + b, first);
        memcpy(&state[b], first, sizeof first);
    }
    for (size_t k = 0; k < steps; k++)
        for (size_t b = 0; b < NYSX_SIGN_BLOCKS; b++, random += sizeof state[b]) {
            state[b] = next(state[b]);
            memcpy(random, &state[b], sizeof state[b]);
        }
}

#if defined(__x86_64__)
TARGET_AVX2 static void generate_avx2(enum nysx_generator generator, uint64_t seed, size_t block,
                                      size_t columns, unsigned char *packed, int32_t *row_sum)
{
    any_generator(generator, seed, block, columns, packed, row_sum, interleave_plain);
}

TARGET_AVX512 static void generate_avx512(enum nysx_generator generator, uint64_t seed, size_t block,
                                          size_t columns, unsigned char *packed, int32_t *row_sum)
{
    any_generator(generator, seed, block, columns, packed, row_sum, interleave_avx512);
}

TARGET_AVX2 static void signs_avx2(uint64_t seed, size_t block, size_t steps, unsigned char *random)
{
    generate_signs(seed, block, steps, random);
}

TARGET_AVX512 static void signs_avx512(uint64_t seed, size_t block, size_t steps, unsigned char *random)
{
    generate_signs(seed, block, steps, random);
}
#endif

void nysx_generate_block(enum nysx_vectors vectors, enum nysx_generator generator, uint64_t seed, size_t block,
                         size_t columns, unsigned char *packed, int32_t *row_sum)
{
#if defined(__x86_64__)
    if (vectors == NYSX_AVX512) {
        generate_avx512(generator, seed, block, columns, packed, row_sum);
        return;
    }
    if (vectors == NYSX_AVX2) {
        generate_avx2(generator, seed, block, columns, packed, row_sum);
        return;
    }
#endif
    (void)vectors;
    any_generator(generator, seed, block, columns, packed, row_sum, interleave_plain);
}

void nysx_generate_signs(enum nysx_vectors vectors, uint64_t seed, size_t block, size_t steps, unsigned char *random)
{
#if defined(__x86_64__)
    if (vectors == NYSX_AVX512) {
        signs_avx512(seed, block, steps, random);
        return;
    }
    if (vectors == NYSX_AVX2) {
        signs_avx2(seed, block, steps, random);
        return;
    }
#endif
    (void)vectors;
    generate_signs(seed, block, steps, random);
}
