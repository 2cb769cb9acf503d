/* SPDX-License-Identifier: MIT */ /* Converts a stored element of P_nys to its arithmetic type: fp16 and bf16 become fp32 without loss;
 * integers stay integers, since their scale never changes a sign. */
#include "nysx.h"

nysx_term_t nysx_element(uint32_t bits)
{
#if NYSX_NEE_PRECISION == NYSX_NEE_PRECISION_FP32
    return nysx_real(bits);
#elif NYSX_NEE_PRECISION == NYSX_NEE_PRECISION_BF16
    return nysx_real(bits << 16);
#elif NYSX_NEE_PRECISION == NYSX_NEE_PRECISION_FP16
    uint32_t sign = (bits >> 15 & 1) << 31, exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 0) { /* zero or subnormal: fraction × 2^−24, exact */
        float magnitude = (float)fraction * nysx_real(0x33800000u);
        return sign != 0 ? -magnitude : magnitude;
    }
    return nysx_real(sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13);
#elif NYSX_NEE_PRECISION == NYSX_NEE_PRECISION_BINARY
    return bits & 1 ? 1 : -1;
#else /* two's complement */
    int32_t half = (int32_t)1 << (NYSX_P_BITS - 1);
    return ((int32_t)(bits & (uint32_t)(2 * half - 1)) ^ half) - half;
#endif
}
