/* Counts that stay at UINT64_MAX instead of passing it. */
#pragma once

#include <stdint.h>

static inline uint64_t dse_saturating_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t dse_saturating_multiply(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}
