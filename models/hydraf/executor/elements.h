/* K hypervectors of one kind, and how their elements are kept.
 *
 * fp32 elements are real. int16 and int8 elements are whole numbers of one step, a power of two that all K hypervectors
 * share; when a learned element would leave its range, all are halved and the step is doubled. Whole elements are computed
 * with as doubles, in which every product and sum below is exact. */
#ifndef DSE_EXECUTOR_HYDRAF_ELEMENTS_H
#define DSE_EXECUTOR_HYDRAF_ELEMENTS_H

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

/* A number in [0, 1) with 24 bits for the rounding of one element: a hash of the update's own number and the element's
 * index (the finaliser "lowbias32", found by C. Wellons, 2018), so that it depends on no order. */
static inline double hydraf_dither(uint32_t update, uint32_t element)
{
    uint32_t x = update * 0x9e3779b9u + element;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return (double)((x ^ x >> 16) >> 8) * 0x1p-24;
}

#endif
