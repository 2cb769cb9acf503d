/* Kernels of the whole formats. All are exact, so that how the sums are split does not matter. */
#include <string.h>

#include "models/nysx/executor/nee_bytes.h"

/* Pairs of int16 products with digits that 32 bits hold for sure: 2 × 32767 × 128 × 255 < 2^31. */
#define PAIRS_A_FLUSH 255

/* Portable forms: plain sums in 64 bits. */

static void int8_portable(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                          int64_t *sums)
{
    const int8_t *element = (const int8_t *)packed;
    for (size_t g = 0; g < groups; g++, element += 256)
        for (size_t i = 0; i < NYSX_LANES; i++)
            for (size_t k = 0; k < 4; k++)
                sums[i] += (int64_t)element[4 * i + k] * input->whole[4 * g + k];
}

static void int4_portable(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                          int64_t *sums)
{
    for (size_t g = 0; g < groups; g++, packed += 256) {
        for (size_t i = 0; i < NYSX_LANES; i++) {
            for (size_t k = 0; k < 4; k++) {
                int pair = packed[4 * i + k];
                sums[i] += (int64_t)((pair & 15) - 8) * input->whole[8 * g + k];
                sums[i] += (int64_t)((pair >> 4) - 8) * input->whole[8 * g + 4 + k];
            }
        }
    }
}

static void int16_portable(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                           int64_t *sums)
{
    for (size_t g = 0; g < groups; g++, packed += 256) {
        int16_t element[128];
        memcpy(element, packed, sizeof element);
        for (size_t i = 0; i < NYSX_LANES; i++)
            sums[i] += (int64_t)element[2 * i] * input->whole[2 * g] +
                       (int64_t)element[2 * i + 1] * input->whole[2 * g + 1];
    }
}

static void binary_portable(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                            int64_t *sums)
{
    for (size_t g = 0; g < groups; g++, packed += 8) {
        uint64_t word;
        memcpy(&word, packed, sizeof word);
        for (size_t i = 0; i < NYSX_LANES; i++)
            sums[i] += word >> i & 1 ? input->whole[g] : -(int64_t)input->whole[g];
    }
}

#if defined(__x86_64__)
/* sums[i] += part[i] · 2^shift. */
INLINE void add_digit(const int32_t *part, int shift, int64_t *sums)
{
    for (size_t i = 0; i < NYSX_LANES; i++)
        sums[i] += (int64_t)((uint64_t)(int64_t)part[i] << shift);
}

/* Products of `digits` digits with int8 elements, or with int4's halves (nibbles 1), 16 rows a vector. */
TARGET_AVX512 INLINE void bytes_avx512(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                                       int digits, int nibbles, int64_t *sums)
{
    __m512i total[NYSX_DIGITS][4];
    int32_t part[NYSX_LANES];
    byte_totals(packed, groups, input, digits, nibbles, total);
    for (int k = 0; k < digits; k++) {
        for (int q = 0; q < 4; q++)
            _mm512_storeu_si512(part + 16 * q, total[k][q]);
        add_digit(part, input->digit_bits * k, sums);
    }
}

/* The same, 8 rows a vector, a digit at a time: products of pairs fit 16 bits (2 × 127 × 127). */
TARGET_AVX2 INLINE void bytes_avx2(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                                   int digit, int nibbles, int64_t *sums)
{
    __m256i total[8], low = _mm256_set1_epi8(15), ones = _mm256_set1_epi16(1);
    int32_t part[NYSX_LANES];
    for (int q = 0; q < 8; q++)
        total[q] = _mm256_setzero_si256();
    for (size_t g = 0; g < groups; g++, packed += 256) {
        size_t column = nibbles ? 8 * g : 4 * g;
        __m256i x = _mm256_set1_epi32(four_digits(input, digit, column));
        __m256i y = nibbles ? _mm256_set1_epi32(four_digits(input, digit, column + 4)) : x;
        for (int q = 0; q < 8; q++) {
            __m256i word = _mm256_loadu_si256((const __m256i *)(const void *)(packed + 32 * q));
            __m256i first = nibbles ? _mm256_and_si256(word, low) : word;
            __m256i pairs = _mm256_maddubs_epi16(x, first);
            if (nibbles) {
                __m256i second = _mm256_and_si256(_mm256_srli_epi16(word, 4), low);
                pairs = _mm256_add_epi16(pairs, _mm256_maddubs_epi16(y, second)); /* 4 × 127 × 15 */
            }
            total[q] = _mm256_add_epi32(total[q], _mm256_madd_epi16(pairs, ones));
        }
    }
    for (int q = 0; q < 8; q++)
        _mm256_storeu_si256((__m256i *)(void *)(part + 8 * q), total[q]);
    add_digit(part, input->digit_bits * digit, sums);
}

TARGET_AVX512 static void int8_avx512(const unsigned char *packed, size_t groups,
                                      const struct nysx_input *input, int64_t *sums)
{
    FOR_DIGITS(input->digits, bytes_avx512(packed, groups, input, DIGITS, 0, sums))
}

TARGET_AVX512 static void int4_avx512(const unsigned char *packed, size_t groups,
                                      const struct nysx_input *input, int64_t *sums)
{
    FOR_DIGITS(input->digits, bytes_avx512(packed, groups, input, DIGITS, 1, sums))
}

TARGET_AVX2 static void int8_avx2(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                                  int64_t *sums)
{
    for (int k = 0; k < input->digits; k++)
        bytes_avx2(packed, groups, input, k, 0, sums);
}

TARGET_AVX2 static void int4_avx2(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                                  int64_t *sums)
{
    for (int k = 0; k < input->digits; k++)
        bytes_avx2(packed, groups, input, k, 1, sums);
}

/* Signed digits of two neighbouring columns. */
INLINE int32_t two_digits(const struct nysx_input *input, int digit, size_t column)
{
    int32_t pair;
    memcpy(&pair, input->signed_digit + (size_t)digit * input->padded + column, sizeof pair);
    return pair;
}

TARGET_AVX2 static void int16_avx2(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                                   int64_t *sums)
{
    for (int k = 0; k < input->signed_digits; k++) {
        for (size_t first = 0; first < groups; first += PAIRS_A_FLUSH) {
            size_t last = first + PAIRS_A_FLUSH < groups ? first + PAIRS_A_FLUSH : groups;
            __m256i total[8];
            int32_t part[NYSX_LANES];
            for (int q = 0; q < 8; q++)
                total[q] = _mm256_setzero_si256();
            for (size_t g = first; g < last; g++) {
                __m256i x = _mm256_set1_epi32(two_digits(input, k, 2 * g));
                for (int q = 0; q < 8; q++) {
                    const void *at = packed + 256 * g + 32 * q;
                    __m256i word = _mm256_loadu_si256((const __m256i *)at);
                    total[q] = _mm256_add_epi32(total[q], _mm256_madd_epi16(word, x));
                }
            }
            for (int q = 0; q < 8; q++)
                _mm256_storeu_si256((__m256i *)(void *)(part + 8 * q), total[q]);
            add_digit(part, 8 * k, sums);
        }
    }
}

TARGET_AVX512 INLINE void int16_digits(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                                       int digits, int64_t *sums)
{
    for (size_t first = 0; first < groups; first += PAIRS_A_FLUSH) {
        size_t last = first + PAIRS_A_FLUSH < groups ? first + PAIRS_A_FLUSH : groups;
        __m512i total[NYSX_DIGITS][4];
        int32_t part[NYSX_LANES];
        for (int k = 0; k < digits; k++)
            for (int q = 0; q < 4; q++)
                total[k][q] = _mm512_setzero_si512();
        for (size_t g = first; g < last; g++) {
            for (int q = 0; q < 4; q++) {
                __m512i word = _mm512_loadu_si512(packed + 256 * g + 64 * q);
                IN_A_REGISTER(word);
                for (int k = 0; k < digits; k++)
                    total[k][q] = _mm512_dpwssd_epi32(total[k][q], word,
                                                      _mm512_set1_epi32(two_digits(input, k, 2 * g)));
            }
        }
        for (int k = 0; k < digits; k++) {
            for (int q = 0; q < 4; q++)
                _mm512_storeu_si512(part + 16 * q, total[k][q]);
            add_digit(part, 8 * k, sums);
        }
    }
}

TARGET_AVX512 static void int16_avx512(const unsigned char *packed, size_t groups,
                                       const struct nysx_input *input, int64_t *sums)
{
    FOR_DIGITS(input->signed_digits, int16_digits(packed, groups, input, DIGITS, sums))
}

/* Adds where the bit is set; 2 Σ set − Σ all is the sum of ±. Only where Σ |x| fits 31 bits. */
TARGET_AVX512 static void binary_avx512(const unsigned char *packed, size_t groups,
                                        const struct nysx_input *input, int64_t *sums)
{
    __m512i total[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                        _mm512_setzero_si512()};
    int32_t part[NYSX_LANES];
    int64_t all = 0;
    for (size_t g = 0; g < groups; g++) {
        uint64_t word;
        memcpy(&word, packed + 8 * g, sizeof word);
        __m512i x = _mm512_set1_epi32(input->whole[g]);
        all += input->whole[g];
        for (int q = 0; q < 4; q++)
            total[q] = _mm512_mask_add_epi32(total[q], (__mmask16)(word >> (16 * q)), total[q], x);
    }
    for (int q = 0; q < 4; q++)
        _mm512_storeu_si512(part + 16 * q, total[q]);
    for (size_t i = 0; i < NYSX_LANES; i++)
        sums[i] = 2 * (int64_t)part[i] - all;
}

TARGET_AVX512 static uint64_t signs_avx512(const int64_t *sums)
{
    uint64_t negative = 0;
    for (int k = 0; k < 8; k++)
        negative |= (uint64_t)_mm512_movepi64_mask(_mm512_loadu_si512(sums + 8 * k)) << (8 * k);
    return ~negative;
}

/* The shifted input's share comes off again: Σ q (x + offset) − offset Σ q; nibbles are q + 8. */
static void unshift(const struct nysx_input *input, const int32_t *row_sum, int64_t bias, int64_t *sums)
{
    for (size_t i = 0; i < NYSX_LANES; i++)
        sums[i] -= bias * input->shifted_sum + input->offset * row_sum[i];
}
#endif

typedef void block_kernel(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                          int64_t *sums);

struct kernel_row {
    block_kernel *portable, *avx2, *avx512;
    bool shifted; /* the vector forms take the input with its offset … */
    int64_t bias; /* … and stored elements that are too large by this */
};

#if defined(__x86_64__)
static const struct kernel_row rows[] = {
    [NYSX_INT16] = {int16_portable, int16_avx2, int16_avx512, false, 0},
    [NYSX_INT8] = {int8_portable, int8_avx2, int8_avx512, true, 0},
    [NYSX_INT4] = {int4_portable, int4_avx2, int4_avx512, true, 8},
    [NYSX_BINARY] = {binary_portable, NULL, binary_avx512, false, 0},
};
#else
static const struct kernel_row rows[] = {
    [NYSX_INT16] = {int16_portable, NULL, NULL, false, 0},
    [NYSX_INT8] = {int8_portable, NULL, NULL, false, 0},
    [NYSX_INT4] = {int4_portable, NULL, NULL, false, 0},
    [NYSX_BINARY] = {binary_portable, NULL, NULL, false, 0},
};
#endif

/* Sums of 32 bits over digits hold up to here: 65536 × 255 × 128 < 2^31. */
#define MAX_VECTOR_COLUMNS 65536

static void run(enum nysx_vectors vectors, enum nysx_precision precision, const unsigned char *packed,
                size_t groups, const int32_t *row_sum, const struct nysx_input *input, int64_t *sums)
{
    const struct kernel_row *row = &rows[precision];
    block_kernel *kernel = vectors == NYSX_AVX512 ? row->avx512 : vectors == NYSX_AVX2 ? row->avx2 : NULL;
    bool fits = precision == NYSX_BINARY ? input->magnitude <= INT32_MAX : input->columns <= MAX_VECTOR_COLUMNS;
    memset(sums, 0, NYSX_LANES * sizeof *sums);
    if (kernel == NULL || !fits) {
        row->portable(packed, groups, input, sums);
        return;
    }
    kernel(packed, groups, input, sums);
#if defined(__x86_64__)
    if (row->shifted)
        unshift(input, row_sum, row->bias, sums);
#else
    (void)row_sum;
#endif
}

void nysx_sums_whole(enum nysx_vectors vectors, const struct nysx_projection *p, size_t block,
                     const struct nysx_input *input, int64_t *sums)
{
    run(vectors, p->precision, p->packed + block * p->groups * nysx_format(p->precision)->group_bytes, p->groups,
        p->row_sum + block * NYSX_LANES, input, sums);
}

void nysx_sums_int8(enum nysx_vectors vectors, const unsigned char *packed, size_t groups,
                    const int32_t *row_sum, const struct nysx_input *input, int64_t *sums)
{
    run(vectors, NYSX_INT8, packed, groups, row_sum, input, sums);
}

uint64_t nysx_signs(enum nysx_vectors vectors, const int64_t *sums)
{
#if defined(__x86_64__)
    if (vectors == NYSX_AVX512)
        return signs_avx512(sums);
#endif
    (void)vectors;
    uint64_t bits = 0;
    for (int i = 0; i < NYSX_LANES; i++)
        bits |= (uint64_t)(sums[i] >= 0) << i;
    return bits;
}
