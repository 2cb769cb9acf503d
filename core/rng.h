/* The project's random numbers: xoshiro256** (Blackman and Vigna, 2018) seeded by SplitMix64. The same
 * seed and stream give the same numbers on every machine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct dse_rng {
    uint64_t state[4];
};

/* Streams of one seed are independent. Each purpose (split, landmarks, LSH, …) or each parallel task gets its own, so that more draws in one never
 * change another. */
void dse_rng_seed(struct dse_rng *rng, uint64_t seed, uint64_t stream);

uint64_t dse_rng_u64(struct dse_rng *rng);

/* Uniform in 0 … bound−1 without bias (Lemire's method); bound ≥ 1. */
uint64_t dse_rng_below(struct dse_rng *rng, uint64_t bound);

/* Uniform in [0, 1) with 53 random bits. */
double dse_rng_uniform(struct dse_rng *rng);

/* Standard normal (Box and Muller; two uniforms per number, none kept). */
double dse_rng_normal(struct dse_rng *rng);

/* Standard Cauchy, tan(π(u − ½)). */
double dse_rng_cauchy(struct dse_rng *rng);

/* Fisher–Yates shuffle. */
void dse_rng_shuffle(struct dse_rng *rng, int32_t *items, size_t count);
