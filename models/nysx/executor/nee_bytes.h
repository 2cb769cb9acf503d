/* The loop of the kernels of bytes, for those that put its sums together in 64 bits (nee_whole.c) and those for which
 * 32 are enough (nee_narrow.c). Inlined, so that it is compiled for each constant number of digits. */
#ifndef DSE_EXECUTOR_NYSX_NEE_BYTES_H
#define DSE_EXECUTOR_NYSX_NEE_BYTES_H

#include "models/nysx/executor/nee_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

/* The statement for as many digits as there are, DIGITS being their number as a constant: sums stay in registers. */
#define FOR_DIGITS(count, statement)                                                                             \
    switch (count) {                                                                                             \
    case 1: {                                                                                                    \
        enum { DIGITS = 1 };                                                                                     \
        statement;                                                                                               \
        break;                                                                                                   \
    }                                                                                                            \
    case 2: {                                                                                                    \
        enum { DIGITS = 2 };                                                                                     \
        statement;                                                                                               \
        break;                                                                                                   \
    }                                                                                                            \
    case 3: {                                                                                                    \
        enum { DIGITS = 3 };                                                                                     \
        statement;                                                                                               \
        break;                                                                                                   \
    }                                                                                                            \
    case 4: {                                                                                                    \
        enum { DIGITS = 4 };                                                                                     \
        statement;                                                                                               \
        break;                                                                                                   \
    }                                                                                                            \
    default: {                                                                                                   \
        enum { DIGITS = NYSX_DIGITS };                                                                           \
        statement;                                                                                               \
        break;                                                                                                   \
    }                                                                                                            \
    }

/* Digits of four neighbouring columns, as 32 bits. */
INLINE int32_t four_digits(const struct nysx_input *input, int digit, size_t column)
{
    int32_t bytes;
    memcpy(&bytes, input->digit + (size_t)digit * input->padded + column, sizeof bytes);
    return bytes;
}

/* total[k] = Σ of the products of digit k with a block's 64 rows of int8 elements, or of int4's halves (nibbles 1), 16
 * rows a vector; modulo 2^32. */
TARGET_AVX512 INLINE void byte_totals(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                                      int digits, int nibbles, __m512i (*total)[4])
{
    __m512i low = _mm512_set1_epi8(15);
    for (int k = 0; k < digits; k++)
        for (int q = 0; q < 4; q++)
            total[k][q] = _mm512_setzero_si512();
    for (size_t g = 0; g < groups; g++, packed += 256) {
        for (int q = 0; q < 4; q++) {
            __m512i word = _mm512_loadu_si512(packed + 64 * q);
            IN_A_REGISTER(word);
            __m512i first = nibbles ? _mm512_and_si512(word, low) : word;
            __m512i second = nibbles ? _mm512_and_si512(_mm512_srli_epi16(word, 4), low) : word;
            for (int k = 0; k < digits; k++) {
                size_t column = nibbles ? 8 * g : 4 * g;
                __m512i x = _mm512_set1_epi32(four_digits(input, k, column));
                total[k][q] = _mm512_dpbusd_epi32(total[k][q], x, first);
                if (nibbles) {
                    x = _mm512_set1_epi32(four_digits(input, k, column + 4));
                    total[k][q] = _mm512_dpbusd_epi32(total[k][q], x, second);
                }
            }
        }
    }
}
#endif

#endif
