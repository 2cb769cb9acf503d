#include "core/rng.h"

#include <math.h>

#define PI 3.14159265358979323846

__extension__ typedef unsigned __int128 uint128;

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void dse_rng_seed(struct dse_rng *rng, uint64_t seed, uint64_t stream)
{
    uint64_t mixed = stream;
    uint64_t state = seed ^ splitmix64(&mixed);
    for (int i = 0; i < 4; i++)
        rng->state[i] = splitmix64(&state);
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t dse_rng_u64(struct dse_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t dse_rng_below(struct dse_rng *rng, uint64_t bound)
{
    uint128 product = (uint128)dse_rng_u64(rng) * bound;
    if ((uint64_t)product < bound) {
        uint64_t threshold = (0 - bound) % bound;
        while ((uint64_t)product < threshold)
            product = (uint128)dse_rng_u64(rng) * bound;
    }
    return (uint64_t)(product >> 64);
}

double dse_rng_uniform(struct dse_rng *rng)
{
    return (double)(dse_rng_u64(rng) >> 11) * 0x1p-53;
}

double dse_rng_normal(struct dse_rng *rng)
{
    double radius = sqrt(-2.0 * log(1.0 - dse_rng_uniform(rng)));
    return radius * cos(2.0 * PI * dse_rng_uniform(rng));
}

double dse_rng_cauchy(struct dse_rng *rng)
{
    return tan(PI * (dse_rng_uniform(rng) - 0.5));
}

void dse_rng_shuffle(struct dse_rng *rng, int32_t *items, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)dse_rng_below(rng, i);
        int32_t swapped = items[i - 1];
        items[i - 1] = items[j];
        items[j] = swapped;
    }
}
