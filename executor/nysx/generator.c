#include "executor/nysx/generator.h"

#include <string.h>

#include "executor/nysx/precision.h"

#if defined(__x86_64__)
#define TARGET_AVX2 __attribute__((target("avx2")))
#define TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#endif
#define INLINE static inline __attribute__((always_inline))
#define GOLDEN 0x9e3779b97f4a7c15u

typedef uint64_t words __attribute__((vector_size(64)));
typedef uint8_t bytes __attribute__((vector_size(64)));
typedef int8_t entries __attribute__((vector_size(64)));
typedef int32_t sums16 __attribute__((vector_size(64)));

void nysx_generator_start(uint64_t seed, size_t block, uint64_t state[8])
{
    for (uint64_t g = 0; g < 8; g++) {
        uint64_t z = seed + (8 * (uint64_t)block + g + 1) * GOLDEN;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        state[g] = z != 0 ? z : GOLDEN;
    }
}

/* 64 bytes to 64 entries. `generator` is a constant at each use. */
INLINE void convert(enum nysx_generator generator, bytes raw, entries *out)
{
    if (generator == NYSX_BITS8) { /* ones by halving: pairs, nibbles, bytes */
        raw -= raw >> 1 & 0x55;
        raw = (raw & 0x33) + (raw >> 2 & 0x33);
        raw = ((raw + (raw >> 4)) & 0x0f) - 4;
    } else if (generator == NYSX_SIGN) {
        raw = ((raw & 1) << 1) - 1;
    }
    memcpy(out, &raw, sizeof raw);
}

/* Four columns, each 64 rows, to 64 rows of four columns. */
INLINE void interleave(const entries column[4], unsigned char *packed)
{
    int8_t from[4][64], to[256];
    memcpy(from, column, sizeof from);
    for (int i = 0; i < 64; i++) {
        to[4 * i] = from[0][i];
        to[4 * i + 1] = from[1][i];
        to[4 * i + 2] = from[2][i];
        to[4 * i + 3] = from[3][i];
    }
    memcpy(packed, to, sizeof to);
}

INLINE void generate(enum nysx_generator generator, uint64_t seed, size_t block, size_t columns,
                     unsigned char *packed, int32_t *row_sum)
{
    uint64_t start[8];
    words state;
    sums16 sums[4] = {{0}};
    nysx_generator_start(seed, block, start);
    memcpy(&state, start, sizeof state);
    for (size_t j = 0; j < columns; j += 4, packed += 256) {
        entries column[4] = {{0}};
        for (size_t k = 0; k < 4 && j + k < columns; k++) {
            bytes raw;
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            memcpy(&raw, &state, sizeof raw);
            convert(generator, raw, &column[k]);
            int8_t element[64];
            int32_t part[64];
            memcpy(element, &column[k], sizeof element);
            for (int i = 0; i < 64; i++)
                part[i] = element[i];
            for (int q = 0; q < 4; q++) {
                sums16 quarter;
                memcpy(&quarter, part + 16 * q, sizeof quarter);
                sums[q] += quarter;
            }
        }
        interleave(column, packed);
    }
    memcpy(row_sum, sums, sizeof sums);
}

INLINE void any_generator(enum nysx_generator generator, uint64_t seed, size_t block, size_t columns,
                          unsigned char *packed, int32_t *row_sum)
{
    if (generator == NYSX_UNIFORM8)
        generate(NYSX_UNIFORM8, seed, block, columns, packed, row_sum);
    else if (generator == NYSX_BITS8)
        generate(NYSX_BITS8, seed, block, columns, packed, row_sum);
    else
        generate(NYSX_SIGN, seed, block, columns, packed, row_sum);
}

#if defined(__x86_64__)
TARGET_AVX2 static void generate_avx2(enum nysx_generator generator, uint64_t seed, size_t block,
                                      size_t columns, unsigned char *packed, int32_t *row_sum)
{
    any_generator(generator, seed, block, columns, packed, row_sum);
}

TARGET_AVX512 static void generate_avx512(enum nysx_generator generator, uint64_t seed, size_t block,
                                          size_t columns, unsigned char *packed, int32_t *row_sum)
{
    any_generator(generator, seed, block, columns, packed, row_sum);
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
    any_generator(generator, seed, block, columns, packed, row_sum);
}
