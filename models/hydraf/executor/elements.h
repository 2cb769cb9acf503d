/* K hypervectors of one kind, and the format of their elements.
 *
 * fp32 elements are real. int16 and int8 elements are whole numbers of one step, a power of two that all K hypervectors
 * share. When a learned element would leave its range, all are halved and the step is doubled. Whole elements are held
 * as doubles, in which every product and sum below is exact. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/hydraf/executor/parameters.h"

/* Elements of one dimension lie side by side, K padded with zeros to a multiple of what fits 32 bytes: a register of AVX2. */
#define HYDRAF_FLOATS 8
#define HYDRAF_DOUBLES 4

/* The largest whole element: 127 or 32767; 0 for fp32. */
double hydraf_most(enum hydraf_precision precision);

struct hydraf_block {
    enum hydraf_precision precision;
    size_t dim, count, lanes; /* D; K; K padded */
    float *real;              /* [dim × lanes] fp32, otherwise NULL */
    double *whole;            /* [dim × lanes] int16 and int8, otherwise NULL */
    double step;              /* value of a whole element 1; 1 for fp32 */
    float *gain_real;         /* scratch of an update: [HYDRAF_BATCH_MAX × lanes] fp32 */
    double *gain_whole;       /* the same for whole elements */
    double *next;             /* scratch: the updated elements */
    double *dither;           /* scratch: the numbers that round an update's elements */
};

/* All zeros. */
void hydraf_block_alloc(enum hydraf_precision precision, size_t dim, size_t count, struct hydraf_block *out);
void hydraf_block_free(struct hydraf_block *block);

/* Copies elements and step; both blocks have the same sizes. */
void hydraf_block_copy(struct hydraf_block *to, const struct hydraf_block *from);

/* Element i of hypervector k as stored: a whole number of steps, or a real number. */
double hydraf_block_get(const struct hydraf_block *block, size_t k, size_t i);
void hydraf_block_put(struct hydraf_block *block, size_t k, size_t i, double element);

/* Halves all whole elements (ties to even) and doubles the step. */
void hydraf_block_halve(struct hydraf_block *block);

/* A 24-bit number in [0, 1) that rounds one dimension's elements, the same for all hypervectors. It starts from the update's number times the
 * golden ratio plus the dimension. Three rounds of Marsaglia's xorshift (2003) follow, which need only wires and XOR. It is independent of order. */
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

/* Gains of a batch as the update units' factors: whole numbers as wide as an element. Their unit is 2^-s of a change by one step, with one s in
 * 0 … 24 for all gains. `gain` [count] are values; out[i] is the number times 2^-s. False if s would be below 0: such gains
 * leave any element's range, and the step must be doubled first. */
bool hydraf_gains(const struct hydraf_block *block, const double *gain, size_t count, double row_step, double *out);
