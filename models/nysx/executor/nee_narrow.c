/* Signs of whole sums that fit 32 bits: the usual case, without a detour over 64-bit sums. All additions wrap,
 * so that what the digits, the offset and the stored bias add and take off again does no harm, whatever it is on
 * the way. */
#include "models/nysx/executor/nee_bytes.h"

#if defined(__x86_64__)
/* The signs of 64 sums once digits of `bits` bits, bias and offset are put together. */
TARGET_AVX512 INLINE uint64_t finish(__m512i (*total)[4], int digits, int bits, uint32_t common,
                                     const int32_t *row_sum, int32_t offset)
{
    uint64_t negative = 0;
    for (int q = 0; q < 4; q++) {
        __m512i rows = _mm512_loadu_si512(row_sum + 16 * q);
        __m512i sum = _mm512_set1_epi32((int32_t)(0u - common));
        sum = _mm512_sub_epi32(sum, _mm512_mullo_epi32(rows, _mm512_set1_epi32(offset)));
        for (int k = 0; k < digits; k++)
            sum = _mm512_add_epi32(sum, _mm512_sll_epi32(total[k][q], _mm_cvtsi32_si128(bits * k)));
        negative |= (uint64_t)_mm512_movepi32_mask(sum) << (16 * q);
    }
    return ~negative;
}

TARGET_AVX512 INLINE uint64_t bytes_signs(const unsigned char *packed, size_t groups,
                                          const struct nysx_input *input, int digits, int nibbles,
                                          const int32_t *row_sum)
{
    __m512i total[NYSX_DIGITS][4];
    byte_totals(packed, groups, input, digits, nibbles, total);
    uint32_t common = nibbles ? 8 * (uint32_t)input->shifted_sum : 0;
    return finish(total, digits, input->digit_bits, common, row_sum, (int32_t)(uint32_t)input->offset);
}

TARGET_AVX512 static uint64_t int8_signs(const unsigned char *packed, size_t groups,
                                         const struct nysx_input *input, const int32_t *row_sum)
{
    uint64_t signs;
    FOR_DIGITS(input->digits, signs = bytes_signs(packed, groups, input, DIGITS, 0, row_sum))
    return signs;
}

TARGET_AVX512 static uint64_t int4_signs(const unsigned char *packed, size_t groups,
                                         const struct nysx_input *input, const int32_t *row_sum)
{
    uint64_t signs;
    FOR_DIGITS(input->digits, signs = bytes_signs(packed, groups, input, DIGITS, 1, row_sum))
    return signs;
}

typedef uint64_t narrow_kernel(const unsigned char *packed, size_t groups, const struct nysx_input *input,
                               const int32_t *row_sum);

static narrow_kernel *const kernels[NYSX_BINARY + 1] = {
    [NYSX_INT8] = int8_signs, [NYSX_INT4] = int4_signs};

/* True where |Σ| is under 2^31 for every row of the format. */
static bool fits(enum nysx_precision precision, const struct nysx_input *input, int most)
{
    return kernels[precision] != NULL && input->magnitude < INT32_MAX / most;
}
#endif

uint64_t nysx_signs_whole(enum nysx_vectors vectors, const struct nysx_projection *p, size_t block,
                          const struct nysx_input *input)
{
#if defined(__x86_64__)
    const struct nysx_format *format = nysx_format(p->precision);
    if (vectors == NYSX_AVX512 && fits(p->precision, input, format->most))
        return kernels[p->precision](p->packed + block * p->groups * format->group_bytes, p->groups, input,
                                     p->row_sum + block * NYSX_LANES);
#endif
    int64_t sums[NYSX_LANES];
    nysx_sums_whole(vectors, p, block, input, sums);
    return nysx_signs(vectors, sums);
}

uint64_t nysx_signs_int8(enum nysx_vectors vectors, const unsigned char *packed, size_t groups,
                         const int32_t *row_sum, const struct nysx_input *input)
{
#if defined(__x86_64__)
    if (vectors == NYSX_AVX512 && fits(NYSX_INT8, input, 128)) /* a generated entry may be −128 */
        return int8_signs(packed, groups, input, row_sum);
#endif
    int64_t sums[NYSX_LANES];
    nysx_sums_int8(vectors, packed, groups, row_sum, input, sums);
    return nysx_signs(vectors, sums);
}
