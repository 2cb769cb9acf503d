/* SPDX-License-Identifier: MIT */ /* Softmax to the base 2 (thesis, section 4.4.3, equation 4.3), in two processes with FIFOs between them. A sum that waits for the divider does not delay the next sum. */
#include "gat.h"

#define DIGIT_BITS 16 /* digits of a running sum; carries between digits are added at the end */
#define DIGITS 8      /* digits of a sum, at most 2^127 */
#define PARTS 5       /* words of 32 bits of a sum, as GAT_DIVISOR_PARTS */

void gat_collect(int32_t layer, int32_t rows, GAT_FIFO_PARAMETER(gat_coefficient_t, coefficients, GAT_EXPONENTS_MOST),
                 GAT_FIFO_PARAMETER(gat_coefficient_t, dividends, GAT_EXPONENTS_MOST), GAT_FIFO_PARAMETER(gat_divisor_t, divisors, GAT_NODES_MOST))
{
    const int32_t heads = layer == 0 ? GAT_HEADS : 1;
    int32_t head = 0, node = 0;
    uint32_t softmax_digits[GAT_HEADS][DIGITS];
    GAT_ARRAY_PARTITION_SOFTMAX_DIGITS
GAT_LABEL(softmax_begin)
    for (int32_t i = 0; i < GAT_HEADS * DIGITS; i++) {
        GAT_UNROLL_SOFTMAX_BEGIN
        softmax_digits[i / DIGITS][i % DIGITS] = 0;
    }
GAT_LABEL(softmax_collect)
    for (int32_t i = 0; i < rows * heads; i++) {
        GAT_PIPELINE_SOFTMAX_COLLECT
        GAT_LOOP_TRIPCOUNT_SOFTMAX_COLLECT
        gat_coefficient_t coefficient = GAT_TAKE(coefficients, i);
        uint32_t e = coefficient & 127u, last = coefficient >> 8;
        for (int32_t h = 0; h < GAT_HEADS; h++)
            for (int32_t d = 0; d < DIGITS; d++)
                softmax_digits[h][d] += h == head && e / DIGIT_BITS == (uint32_t)d ? UINT32_C(1) << e % DIGIT_BITS : 0;
        GAT_PUT(dividends, i, coefficient);
        if (last) {
            gat_divisor_t out;
            for (int32_t h = 0; h < GAT_HEADS; h++) {
                uint32_t carry = 0, low = 0;
                for (int32_t d = 0; d < DIGITS; d++) {
                    uint32_t digit = softmax_digits[h][d] + carry;
                    carry = digit >> DIGIT_BITS;
                    digit &= (UINT32_C(1) << DIGIT_BITS) - 1;
                    if (d % 2 == 1)
                        GAT_PART_DIVISOR(out, h * PARTS + d / 2) = low | digit << DIGIT_BITS;
                    low = digit;
                }
                GAT_PART_DIVISOR(out, h * PARTS + PARTS - 1) = carry;
            }
            GAT_PUT(divisors, node, out);
            node++;
        }
        for (int32_t h = 0; h < GAT_HEADS; h++)
            for (int32_t d = 0; d < DIGITS; d++)
                softmax_digits[h][d] = last ? 0 : softmax_digits[h][d];
        head = head == heads - 1 ? 0 : head + 1;
    }
}

/* ⌊2^(16 + e) / divisor⌋, one bit per stage. The remainder starts at 2^e and is doubled in each stage. */
static uint32_t quotient_of(uint32_t e, uint64_t high, uint64_t middle, uint64_t low)
{
    uint64_t rest_0 = e < 64 ? UINT64_C(1) << e % 64 : 0, rest_1 = e < 64 ? 0 : UINT64_C(1) << e % 64, rest_2 = 0;
    uint32_t quotient = 0;
GAT_LABEL(softmax_bits)
    for (int32_t bit = 0; bit <= GAT_ALPHA_BITS; bit++) {
        GAT_UNROLL_SOFTMAX_BITS
        int32_t under_0 = rest_0 < low, under_1 = rest_1 < middle || (rest_1 == middle && under_0);
        int32_t under = rest_2 < high || (rest_2 == high && under_1);
        uint64_t left_0 = under ? rest_0 : rest_0 - low;
        uint64_t left_1 = under ? rest_1 : rest_1 - middle - (uint64_t)under_0;
        uint64_t left_2 = under ? rest_2 : rest_2 - high - (uint64_t)under_1;
        quotient = quotient << 1 | (uint32_t)!under;
        rest_2 = left_2 << 1 | left_1 >> 63;
        rest_1 = left_1 << 1 | left_0 >> 63;
        rest_0 = left_0 << 1;
    }
    return quotient;
}

void gat_divide(int32_t layer, int32_t rows, GAT_FIFO_PARAMETER(gat_coefficient_t, dividends, GAT_EXPONENTS_MOST),
                GAT_FIFO_PARAMETER(gat_divisor_t, divisors, GAT_NODES_MOST), GAT_FIFO_PARAMETER(gat_alpha_t, alphas, GAT_EXPONENTS_MOST))
{
    const int32_t heads = layer == 0 ? GAT_HEADS : 1;
    int32_t head = 0, node = 0, first = 1;
    uint32_t softmax_divisor[GAT_HEADS][PARTS];
    GAT_ARRAY_PARTITION_SOFTMAX_DIVISOR
GAT_LABEL(softmax_clear)
    for (int32_t i = 0; i < GAT_HEADS * PARTS; i++) {
        GAT_UNROLL_SOFTMAX_CLEAR
        softmax_divisor[i / PARTS][i % PARTS] = 0;
    }
GAT_LABEL(softmax_divide)
    for (int32_t i = 0; i < rows * heads; i++) {
        GAT_PIPELINE_SOFTMAX_DIVIDE
        GAT_LOOP_TRIPCOUNT_SOFTMAX_DIVIDE
        gat_coefficient_t dividend = GAT_TAKE(dividends, i);
        if (first) {
            gat_divisor_t in = GAT_TAKE(divisors, node);
            node++;
            for (int32_t h = 0; h < GAT_HEADS; h++)
                for (int32_t p = 0; p < PARTS; p++)
                    softmax_divisor[h][p] = GAT_PART_DIVISOR(in, h * PARTS + p);
        }
        uint64_t high = 0, middle = 0, low = 0;
        for (int32_t h = 0; h < GAT_HEADS; h++) {
            high = h == head ? softmax_divisor[h][4] : high;
            middle = h == head ? (uint64_t)softmax_divisor[h][3] << 32 | softmax_divisor[h][2] : middle;
            low = h == head ? (uint64_t)softmax_divisor[h][1] << 32 | softmax_divisor[h][0] : low;
        }
        GAT_PUT(alphas, i, quotient_of(dividend & 127u, high, middle, low));
        first = dividend >> 8;
        head = head == heads - 1 ? 0 : head + 1;
    }
}
