/* The Nyström Encoding Engine (section 5.2.5): h = sign(P (C − c̄)), the sign fused; sign(0) is +1.
 *
 * The arithmetic is part of the design. c̄ is the rounded training mean, or 0.
 * - Streamed and resident: a row of P adds its landmarks in ascending order. In fp32, and in the storage formats fp16 and bf16,
 *   C − c̄ is fp32, and each product and addition is rounded to fp32. Whole formats are exact.
 * - Factored: φ = M (C − c̄) in fp32 as above, with M = R Λ^(-1/2) Qᵀ and a rotation R; then P_rp φ with P_rp from a generator.
 *   Whole φ is φ / phi_scale, rounded to nearest even and saturated to its bits; its sums are exact. Real φ is summed in fp32, ascending.
 * - The direct form has no C: models/nysx/executor/direct.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/status.h"
#include "models/nysx/executor/kernels.h"
#include "models/nysx/executor/parameters.h"
#include "models/nysx/executor/precision.h"

struct nysx_nee {
    enum nysx_form form;
    size_t dim, landmarks;  /* d, s */
    size_t words;           /* words of a hypervector, ⌈d / 64⌉ */
    int32_t *center;        /* [s] c̄, or NULL */
    int32_t *threshold;     /* direct form: [d] sum that an element needs for +1, or NULL: 0 everywhere */
    int16_t *narrow_threshold; /* direct form: [64 words] the same saturated to 16 bits, for the kernels */
    struct nysx_projection projection; /* P_nys, d × s; factored: M, rank × s */
    /* Factored form: */
    enum nysx_generator generator;
    uint64_t generator_seed;
    int phi_bits;           /* NYSX_PHI_FP32, 8, 16, 32 */
    float phi_scale;
};

void nysx_nee_free(struct nysx_nee *nee);

/* Memory for one query; one per thread. */
struct nysx_nee_scratch {
    struct nysx_input input; /* C − c̄ */
    struct nysx_input phi;   /* factored */
    unsigned char *block;    /* factored: one block of P_rp, or the random bytes of the signs of several; direct: the sums */
    unsigned char *tables;   /* tables of sums of φ (kernels.h); for factored, signs, 8-bit φ */
    bool by_tables;          /* the query's φ fits in the tables */
};

struct nysx_nee_scratch nysx_nee_scratch_make(const struct nysx_nee *nee, struct dse_arena *arena);

/* A hypervector is `words` words; bit i of word k is 1 if element 64 k + i is +1; 0 past d. */
void nysx_nee_encode(const struct nysx_nee *nee, const int32_t *kernel, struct nysx_nee_scratch *scratch,
                     uint64_t *hypervector);

#define NYSX_BATCH 16 /* queries that share a pass over the projection, by default */

/* `count` queries together, at least 1: kernels [count × landmarks], scratch [count], hypervectors [count × words]. Each block
 * of the projection is read, or generated, once for all of them. */
void nysx_nee_encode_batch(const struct nysx_nee *nee, const int32_t *kernels, size_t count, struct nysx_nee_scratch *scratch,
                           uint64_t *hypervectors);

/* φ of the factored form, unrounded, into scratch->phi.real. */
void nysx_nee_phi(const struct nysx_nee *nee, const int32_t *kernel, struct nysx_nee_scratch *scratch);

/* Mask of the last word's bits before d. */
uint64_t nysx_last_word_mask(size_t dim);
