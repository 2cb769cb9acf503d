#include "executor/smgpu/fixed.h"

#include <math.h>

#define NEWTON_STEPS 8

uint64_t smgpu_root(smgpu_wide value)
{
    uint64_t root = 0;
    if (value < (smgpu_wide)1 << 52) { /* a double holds it */
        root = (uint64_t)sqrt((double)value);
        return root - (root * root > (uint64_t)value);
    }
    for (uint64_t bit = UINT64_C(1) << 62; bit != 0; bit >>= 1)
        if ((smgpu_wide)(root | bit) * (smgpu_wide)(root | bit) <= value)
            root |= bit;
    return root;
}

static int bit_length(int32_t value)
{
    int length = 0;
    for (uint32_t rest = (uint32_t)value; rest != 0; rest >>= 1)
        length++;
    return length;
}

int32_t smgpu_reciprocal(struct smgpu_fixed *q, int32_t degree)
{
    int places = 2 * q->fraction - bit_length(degree);
    int32_t y = smgpu_hold(q, INT64_C(1) << (places > 0 ? places : 0)), two = smgpu_hold(q, INT64_C(2) << q->fraction);
    for (int step = 0; step < NEWTON_STEPS; step++)
        y = smgpu_product(q, y, smgpu_hold(q, (int64_t)two - smgpu_product(q, degree, y)));
    return y;
}

int32_t smgpu_reciprocal_root(struct smgpu_fixed *q, int32_t degree)
{
    int32_t y = smgpu_reciprocal(q, degree);
    return y > 0 ? smgpu_hold(q, (int64_t)smgpu_root((smgpu_wide)y << q->fraction)) : 0;
}
