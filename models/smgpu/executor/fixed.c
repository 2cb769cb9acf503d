#include "models/smgpu/executor/fixed.h"

#include <math.h>

#include "models/smgpu/executor/targets.h"

#define NEWTON_STEPS 8
#define AT_ONCE 16

/* ⌊√value⌋ below 2^62; the double's root is off by at most one. */
static inline uint64_t root_of(uint64_t value)
{
    uint64_t root = (uint64_t)sqrt((double)(int64_t)value);
    root -= root * root > value;
    return root + ((root + 1) * (root + 1) <= value);
}

uint64_t smgpu_root(smgpu_wide value)
{
    uint64_t root = 0;
    if (value < (smgpu_wide)1 << 62)
        return root_of((uint64_t)value);
    for (uint64_t bit = UINT64_C(1) << 62; bit != 0; bit >>= 1)
        if ((smgpu_wide)(root | bit) * (smgpu_wide)(root | bit) <= value)
            root |= bit;
    return root;
}

static int bit_length(int32_t value)
{
    return value > 0 ? 32 - __builtin_clz((uint32_t)value) : 0;
}

/* Newton's steps for AT_ONCE degrees in parallel, because each step waits long for the step before. No product saturates: d·y₀ is in [½, 1) and
 * stays below 1, and y₀ is below 2^31. All are unsigned 32-bit numbers. */
SMGPU_INLINE void newton_body(int fraction, const uint32_t *degree, uint32_t *y)
{
    uint32_t two = UINT32_C(2) << fraction;
    for (int step = 0; step < NEWTON_STEPS; step++)
        for (size_t i = 0; i < AT_ONCE; i++) {
            uint32_t rest = two - (uint32_t)((uint64_t)degree[i] * y[i] >> fraction);
            y[i] = (uint32_t)((uint64_t)y[i] * rest >> fraction);
        }
}

SMGPU_KERNEL(newton, (int fraction, const uint32_t *degree, uint32_t *y), (fraction, degree, y))

/* As newton_body, if y₀ or a product may saturate. */
static int32_t reciprocal(struct smgpu_fixed *q, int32_t degree, int places)
{
    int32_t y = smgpu_hold(q, INT64_C(1) << places), two = smgpu_hold(q, INT64_C(2) << q->fraction);
    for (int step = 0; step < NEWTON_STEPS; step++)
        y = smgpu_product(q, y, smgpu_hold(q, (int64_t)two - smgpu_product(q, degree, y)));
    return y;
}

void smgpu_reciprocal_roots(struct smgpu_fixed *q, const int32_t *degree, size_t count, int32_t *root)
{
    for (size_t i = 0; i < count; i += AT_ONCE) {
        size_t here = count - i < AT_ONCE ? count - i : AT_ONCE;
        uint32_t d[AT_ONCE] = {0}, y[AT_ONCE] = {0};
        int places[AT_ONCE];
        for (size_t k = 0; k < here; k++) {
            places[k] = 2 * q->fraction - bit_length(degree[i + k]);
            d[k] = degree[i + k] > 0 ? (uint32_t)degree[i + k] : 0;
            y[k] = d[k] > 0 && places[k] >= 0 && places[k] < 31 ? UINT32_C(1) << places[k] : 0;
        }
        newton(q->fraction, d, y);
        for (size_t k = 0; k < here; k++) {
            int64_t found = d[k] > 0 && (places[k] < 0 || places[k] > 30) ? reciprocal(q, degree[i + k], places[k] > 0 ? places[k] : 0) : (int64_t)y[k];
            root[i + k] = found > 0 ? smgpu_hold(q, (int64_t)root_of((uint64_t)found << q->fraction)) : 0;
        }
    }
}
