#include "models/nysx/executor/nee_signs.h"

#include <stdbool.h>
#include <string.h>

#include "core/cpu.h"
#include "models/nysx/executor/precision.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define TARGET_VBMI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))
#endif

#define LOW_BITS 7 /* two low parts fit a byte */

typedef int16_t values __attribute__((vector_size(32)));
typedef uint8_t parts __attribute__((vector_size(16)));

/* A layout of tables: which columns of three steps (24 bits of a row) each looks up. */
struct layout {
    size_t tables, bits; /* of three steps; of an index */
    unsigned char column[6][6];
};

/* Nibbles: the two of each step's byte. */
static const struct layout nibbles = {
    6, 4, {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}, {16, 17, 18, 19}, {20, 21, 22, 23}}};

/* Six bits, where a permutation of 64 bytes looks them up: the low ones of each byte, and what is left of all three. */
static const struct layout sixes = {
    4, 6, {{0, 1, 2, 3, 4, 5}, {8, 9, 10, 11, 12, 13}, {16, 17, 18, 19, 20, 21}, {6, 7, 14, 15, 22, 23}}};

/* Low, then high parts of the 2^bits sums ±φ_0 ± φ_1 …; the lowest bit of an index is the first sign. */
INLINE void fill_table(const int16_t *phi, size_t bits, unsigned char *table)
{
    static const values sign[4] = {
        {-1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1},
        {-1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, 1},
        {-1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1, 1, 1, 1, 1},
        {-1, -1, -1, -1, -1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 1, 1},
    };
    values first = sign[0] * phi[0] + sign[1] * phi[1] + sign[2] * phi[2] + sign[3] * phi[3];
    size_t size = (size_t)1 << bits;
    for (size_t above = 0; above < size / 16; above++) {
        values sum = first;
        for (size_t k = 4; k < bits; k++)
            sum += (int16_t)(above >> (k - 4) & 1 ? phi[k] : -phi[k]);
        parts low = __builtin_convertvector(sum & ((1 << LOW_BITS) - 1), parts);
        parts high = __builtin_convertvector(sum >> LOW_BITS, parts);
        memcpy(table + 16 * above, &low, sizeof low);
        memcpy(table + size + 16 * above, &high, sizeof high);
    }
}

INLINE void fill_tables(const struct layout *layout, const int32_t *phi, size_t columns, unsigned char *tables)
{
    for (size_t first = 0; first < columns; first += 8 * NYSX_SIGN_STEPS)
        for (size_t t = 0; t < layout->tables; t++, tables += (size_t)2 << layout->bits) {
            int16_t own[6] = {0};
            for (size_t k = 0; k < layout->bits; k++) {
                size_t column = first + layout->column[t][k];
                own[k] = column < columns ? (int16_t)phi[column] : 0;
            }
            fill_table(own, layout->bits, tables);
        }
}

static void words_portable(const unsigned char *random, size_t steps, const unsigned char *tables, uint64_t *words)
{
    for (size_t b = 0; b < NYSX_SIGN_BLOCKS; b++) {
        int32_t sums[NYSX_LANES] = {0};
        for (size_t k = 0; k < steps; k++) {
            const unsigned char *table = tables + 64 * k; /* two of 32 bytes */
            for (size_t i = 0; i < NYSX_LANES; i++) {
                unsigned byte = random[(k * NYSX_SIGN_BLOCKS + b) * NYSX_LANES + i];
                unsigned first = byte & 15, second = 32 + (byte >> 4);
                sums[i] += table[first] + table[second] +
                           (1 << LOW_BITS) * ((int8_t)table[16 + first] + (int8_t)table[16 + second]);
            }
        }
        words[b] = 0;
        for (size_t i = 0; i < NYSX_LANES; i++)
            words[b] |= (uint64_t)(sums[i] >= 0) << i;
    }
}

#if defined(__x86_64__)
/* Bytes of two rows share 16 bits: `all` takes them as they are, even + 2^8 odd, `odd` the upper one, so that the even
 * row's sum is their difference. The high parts, kept modulo 2^8, come on top; bit 14 of the sum is its sign. */

TARGET_AVX2 static uint32_t finish_avx2(__m256i all, __m256i odd, __m256i high)
{
    __m256i even = _mm256_sub_epi16(all, _mm256_slli_epi16(odd, 8));
    even = _mm256_add_epi16(even, _mm256_slli_epi16(_mm256_and_si256(high, _mm256_set1_epi16(255)), LOW_BITS));
    odd = _mm256_add_epi16(odd, _mm256_slli_epi16(_mm256_srli_epi16(high, 8), LOW_BITS));
    __m256i low_byte = _mm256_and_si256(_mm256_srli_epi16(even, 7), _mm256_set1_epi16(128));
    __m256i high_byte = _mm256_and_si256(_mm256_slli_epi16(odd, 1), _mm256_set1_epi16((short)0x8000));
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_or_si256(low_byte, high_byte));
}

TARGET_AVX2 static void words_avx2(const unsigned char *random, size_t steps, const unsigned char *tables,
                                   uint64_t *words)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    for (size_t half = 0; half < 2 * NYSX_SIGN_BLOCKS; half += 2) { /* a block: two registers of rows */
        __m256i all[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
        __m256i odd[2] = {all[0], all[0]}, high[2] = {all[0], all[0]};
        for (size_t k = 0; k < steps; k++) {
            __m256i table[4];
            for (size_t t = 0; t < 4; t++)
                table[t] = _mm256_broadcastsi128_si256(
                    _mm_loadu_si128((const __m128i *)(const void *)(tables + 64 * k + 16 * t)));
            for (size_t r = 0; r < 2; r++) {
                const void *at = random + (k * 2 * NYSX_SIGN_BLOCKS + half + r) * 32;
                __m256i bits = _mm256_loadu_si256((const __m256i *)at);
                __m256i first = _mm256_and_si256(bits, nibble);
                __m256i second = _mm256_and_si256(_mm256_srli_epi16(bits, 4), nibble);
                __m256i low = _mm256_add_epi8(_mm256_shuffle_epi8(table[0], first),
                                              _mm256_shuffle_epi8(table[2], second));
                all[r] = _mm256_add_epi16(all[r], low);
                odd[r] = _mm256_add_epi16(odd[r], _mm256_srli_epi16(low, 8));
                high[r] = _mm256_add_epi8(high[r], _mm256_add_epi8(_mm256_shuffle_epi8(table[1], first),
                                                                   _mm256_shuffle_epi8(table[3], second)));
            }
        }
        words[half / 2] = finish_avx2(all[0], odd[0], high[0]) | (uint64_t)finish_avx2(all[1], odd[1], high[1]) << 32;
    }
}

TARGET_VBMI INLINE uint64_t finish_vbmi(__m512i all, __m512i odd, __m512i high)
{
    __m512i even = _mm512_sub_epi16(all, _mm512_slli_epi16(odd, 8));
    even = _mm512_add_epi16(even, _mm512_slli_epi16(_mm512_and_si512(high, _mm512_set1_epi16(255)), LOW_BITS));
    odd = _mm512_add_epi16(odd, _mm512_slli_epi16(_mm512_srli_epi16(high, 8), LOW_BITS));
    __m512i low_byte = _mm512_and_si512(_mm512_srli_epi16(even, 7), _mm512_set1_epi16(128));
    __m512i high_byte = _mm512_and_si512(_mm512_slli_epi16(odd, 1), _mm512_set1_epi16((short)0x8000));
    return ~(uint64_t)_mm512_movepi8_mask(_mm512_or_si512(low_byte, high_byte));
}

/* The fourth index: bits 6 and 7 of each byte of three. Where `mask` has ones its first operand, else the second. */
#define CHOOSE(mask, first, second) _mm512_ternarylogic_epi32(mask, first, second, 0xca)

TARGET_VBMI INLINE __m512i rest_of(const __m512i bits[3])
{
    __m512i pairs = CHOOSE(_mm512_set1_epi8(0x03), _mm512_srli_epi16(bits[0], 6), _mm512_srli_epi16(bits[1], 4));
    return CHOOSE(_mm512_set1_epi8(0x0f), pairs, _mm512_srli_epi16(bits[2], 2)); /* above bit 5 none is looked at */
}

TARGET_VBMI static void words_vbmi(const unsigned char *random, size_t steps, const unsigned char *tables,
                                   uint64_t *words)
{
    __m512i all[NYSX_SIGN_BLOCKS], odd[NYSX_SIGN_BLOCKS], high[NYSX_SIGN_BLOCKS];
    for (size_t b = 0; b < NYSX_SIGN_BLOCKS; b++)
        all[b] = odd[b] = high[b] = _mm512_setzero_si512();
    for (size_t k = 0; k < steps; k += 3, tables += NYSX_SIGN_TABLE_BYTES, random += 3 * 64 * NYSX_SIGN_BLOCKS) {
        __m512i table[8];
        for (size_t t = 0; t < 8; t++)
            table[t] = _mm512_loadu_si512(tables + 64 * t);
        for (size_t b = 0; b < NYSX_SIGN_BLOCKS; b++) {
            __m512i bits[4], low[2];
            for (size_t t = 0; t < 3; t++)
                bits[t] = _mm512_loadu_si512(random + 64 * (NYSX_SIGN_BLOCKS * t + b));
            bits[3] = rest_of(bits);
            for (size_t t = 0; t < 4; t++)
                high[b] = _mm512_add_epi8(high[b], _mm512_permutexvar_epi8(bits[t], table[2 * t + 1]));
            for (size_t t = 0; t < 2; t++) {
                low[t] = _mm512_add_epi8(_mm512_permutexvar_epi8(bits[2 * t], table[4 * t]),
                                         _mm512_permutexvar_epi8(bits[2 * t + 1], table[4 * t + 2]));
                all[b] = _mm512_add_epi16(all[b], low[t]);
                odd[b] = _mm512_add_epi16(odd[b], _mm512_srli_epi16(low[t], 8));
            }
        }
    }
    for (size_t b = 0; b < NYSX_SIGN_BLOCKS; b++)
        words[b] = finish_vbmi(all[b], odd[b], high[b]);
}

TARGET_VBMI static void tables_vbmi(const int32_t *phi, size_t columns, unsigned char *tables)
{
    fill_tables(&sixes, phi, columns, tables);
}

static bool has_sixes(enum nysx_vectors vectors)
{
    return vectors == NYSX_AVX512 && dse_cpu_supports("avx512vbmi");
}
#endif

void nysx_sign_tables(enum nysx_vectors vectors, const int32_t *phi, size_t columns, unsigned char *tables)
{
#if defined(__x86_64__)
    if (has_sixes(vectors)) {
        tables_vbmi(phi, columns, tables);
        return;
    }
#endif
    (void)vectors;
    fill_tables(&nibbles, phi, columns, tables);
}

void nysx_sign_words(enum nysx_vectors vectors, const unsigned char *random, size_t columns, const unsigned char *tables,
                     uint64_t words[NYSX_SIGN_BLOCKS])
{
    size_t steps = nysx_sign_steps(columns);
#if defined(__x86_64__)
    if (has_sixes(vectors)) {
        words_vbmi(random, steps, tables, words);
        return;
    }
    if (vectors != NYSX_PORTABLE) {
        words_avx2(random, steps, tables, words);
        return;
    }
#endif
    (void)vectors;
    words_portable(random, steps, tables, words);
}
