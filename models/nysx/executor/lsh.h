/* The Locality Sensitive Hashing Unit: node codes of each hop (sections 2.1.3 and 5.2.1 of the paper).
 *
 * The arithmetic is part of the design, in fp32. F u adds columns in ascending order. A x adds neighbours in the
 * order of the CSR arrays. The row-normalised D⁻¹A then multiplies by the fp32 reciprocal of the row's count, which is in a
 * table; the multiplication follows the accumulator. A node without neighbours gives 0. The code is
 * floor((x + b) / w) with an fp32 division, saturated at ±2^62. Tuples need every column separately, so restructuring
 * has no benefit: column j of M = A^hop F continues from hop to hop, then M_j u_j (models/nysx/microarchitecture.md). */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/nysx/executor/features.h"
#include "models/nysx/executor/parameters.h"

struct nysx_lsh {
    size_t hops, columns; /* codes per node, H × draws; f */
    size_t draws;         /* code t is of A^⌊t / draws⌋ F */
    size_t rows;          /* rows of u and b: one per code, or one */
    bool tuple;           /* one floor per coordinate, the f codes hashed to 64 bits */
    bool normalised;      /* D⁻¹A instead of A */
    bool wl;              /* Weisfeiler-Lehman codes instead (models/nysx/executor/wl.h): u and b have one row, which scales attributes */
    float width;          /* w */
    float *u;             /* [rows × f] */
    float *b;             /* [rows], or [rows × f] for tuples; uniform in [0, w) */
};

/* Draws u and b. The columns are those of the features. */
struct nysx_lsh nysx_lsh_draw(const struct nysx_setting *setting, size_t columns, uint64_t seed);
void nysx_lsh_free(struct nysx_lsh *lsh);

/* Whether features are propagated at all: more than one hop. */
static inline bool nysx_lsh_propagates(const struct nysx_lsh *lsh)
{
    return lsh->hops > lsh->draws;
}

/* Numbers in `b` per code. */
static inline size_t nysx_lsh_offsets(const struct nysx_lsh *lsh)
{
    return lsh->tuple || lsh->wl ? lsh->columns : 1;
}

/* Code `t` of every node, by A^t (F u), for tuples (A^⌊t / draws⌋ F_j) u_j. `scratch` holds 3 × nodes floats.
 * O(nodes × columns + t × arcs); for tuples × columns. */
void nysx_lsh_codes(const struct nysx_lsh *lsh, const struct nysx_query *query, size_t t,
                    float *scratch, int64_t *codes);

/* The unrestructured form of Algorithm 1, in double precision: M ← A M, then M u. Only a check: for a
 * value near a bin's edge the code may differ. */
void nysx_lsh_codes_unrestructured(const struct nysx_lsh *lsh, const struct nysx_query *query, size_t t, int64_t *codes);

#define NYSX_CODE_LIMIT 0x1p62f

/* floor((x + b) / w), saturated at ±2^62. */
static inline __attribute__((always_inline)) int64_t nysx_lsh_floor(float x, float b, float width)
{
    float bin = floorf((x + b) / width);
    bin = bin >= -NYSX_CODE_LIMIT ? bin : -NYSX_CODE_LIMIT; /* also NaN (∞ − ∞) */
    return (int64_t)(bin >= NYSX_CODE_LIMIT ? NYSX_CODE_LIMIT : bin);
}

/* One step of the hash that folds a tuple's codes in ascending order of coordinate, starting from 0: a
 * rotation, an XOR and one 64-bit multiplication. */
static inline uint64_t nysx_tuple_step(uint64_t state, int64_t code)
{
    return (((state << 5) | (state >> 59)) ^ (uint64_t)code) * 0x517cc1b727220a95u;
}
