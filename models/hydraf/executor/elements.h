/* K hypervectors of one kind, and how their elements are kept.
 *
 * fp32 elements are real. int16 and int8 elements are whole numbers of one step, a power of two that all K hypervectors
 * share; when a learned element would leave its range, all are halved and the step is doubled. Whole elements are computed
 * with as doubles, in which every product and sum below is exact. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/hydraf/executor/parameters.h"

#define HYDRAF_LANES 8 /* elements of one dimension that lie side by side: K is filled up with zeros to a multiple */


/* The largest whole element: 127 or 32767; 0 for fp32. */
double hydraf_most(enum hydraf_precision precision);

struct hydraf_block {
    enum hydraf_precision precision;
    size_t dim, count, lanes; /* D; K; K filled up */
    float *real;              /* [dim × lanes] of fp32, else NULL */
    double *whole;            /* [dim × lanes] of int16 and int8, else NULL */
    double step;              /* value of a whole element 1; 1 for fp32 */
    float *gain_real;         /* scratch of an update: [HYDRAF_BATCH_MAX × lanes] of fp32 */
    double *gain_whole;       /* the same of whole elements, */
    double *next;             /* and the elements that it makes */
};

/* All zeros. */
void hydraf_block_alloc(enum hydraf_precision precision, size_t dim, size_t count, struct hydraf_block *out);
void hydraf_block_free(struct hydraf_block *block);

/* Copies elements and step; both of the same sizes. */
void hydraf_block_copy(struct hydraf_block *to, const struct hydraf_block *from);

/* Element i of hypervector k, as it is kept (a whole number, or the real one). */
double hydraf_block_get(const struct hydraf_block *block, size_t k, size_t i);
void hydraf_block_put(struct hydraf_block *block, size_t k, size_t i, double element);

/* Halves all whole elements (ties to even) and doubles the step. */
void hydraf_block_halve(struct hydraf_block *block);

/* A number in [0, 1) with 24 bits for the rounding of one dimension's elements, the same for all hypervectors: the update's own number by the
 * golden ratio and the dimension, through three turns of Marsaglia's xorshift (2003), which is wires and XOR alone. No order matters. */
static inline double hydraf_dither(uint32_t update, uint32_t dimension)
{
    uint32_t x = update * 0x9e3779b9u + dimension;
    for (int turn = 0; turn < 3; turn++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return (double)(x >> 8) * 0x1p-24;
}

/* Gains of a batch as the update units multiply with them: whole numbers as wide as an element, of a share 2^-s of the change by one step that
 * all of them have in common, s from 0 to 24. `gain` [count] are values; out[i] is the number times 2^-s. False where s would be below 0: such
 * gains leave any element's range, and steps have to be doubled first. */
bool hydraf_gains(const struct hydraf_block *block, const double *gain, size_t count, double row_step, double *out);
