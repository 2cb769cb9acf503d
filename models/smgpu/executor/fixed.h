/* The arithmetic of all engines: signed saturating 32-bit words with `fraction` fraction bits (Q8.24, or Q16.16).
 * models/smgpu/microarchitecture.md states every rounding. */
#pragma once

#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 smgpu_wide;

/* Fraction bits of an instruction, and the number of saturations to the 32-bit range. */
struct smgpu_fixed {
    int fraction;
    uint64_t overflows;
};

static inline int32_t smgpu_hold(struct smgpu_fixed *q, int64_t value)
{
    int32_t low = (int32_t)(uint32_t)value;
    if (low == value)
        return low;
    q->overflows++;
    return value > 0 ? INT32_MAX : INT32_MIN;
}

static inline int32_t smgpu_one(struct smgpu_fixed *q)
{
    return smgpu_hold(q, INT64_C(1) << q->fraction);
}

static inline int32_t smgpu_product(struct smgpu_fixed *q, int32_t a, int32_t b)
{
    return smgpu_hold(q, (int64_t)a * b >> q->fraction); /* arithmetic: towards minus infinity */
}

static inline int32_t smgpu_sum(struct smgpu_fixed *q, int32_t a, int32_t b)
{
    return smgpu_hold(q, (int64_t)a + b);
}

/* a·b / c, towards zero or down; c is not 0. */
static inline int64_t smgpu_quotient_down(smgpu_wide dividend, smgpu_wide divisor)
{
    smgpu_wide quotient = dividend / divisor;
    return (int64_t)(quotient - (dividend % divisor != 0 && (dividend < 0) != (divisor < 0)));
}

/* ⌊√value⌋ of a non-negative value. */
uint64_t smgpu_root(smgpu_wide value);

/* Each degree d above 0 takes eight Newton steps y ← y(2 − d·y) from 2^max(0, 2·fraction − bit length of d). The result is
 * ⌊√(y · 2^fraction)⌋, by which the Laplacian scales. Other degrees give 0. `root` may be `degree`. */
void smgpu_reciprocal_roots(struct smgpu_fixed *q, const int32_t *degree, size_t count, int32_t *root);
