/* The Kernel Similarity Engine (section 5.2.4): v = H(t) h(t) over CSR, added to C. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* Counts in compressed sparse rows; owns its arrays. */
struct nysx_csr {
    size_t rows, columns;
    int32_t *begin;  /* [rows + 1] */
    int32_t *column; /* [non-zeros], ascending in a row */
    int32_t *count;  /* [non-zeros], at least 1 */
};

static inline size_t nysx_csr_nonzeros(const struct nysx_csr *csr)
{
    return csr->begin != NULL ? (size_t)csr->begin[csr->rows] : 0;
}

void nysx_csr_free(struct nysx_csr *csr);

/* The largest count. */
int32_t nysx_csr_max(const struct nysx_csr *csr);

#define NYSX_WHOLE_FROM 12 /* a row with counts in so small a part of its columns is stored whole */

/* The transpose: row b of `out` lists the rows of `csr` that have a count in column b. Where they are one in
 * NYSX_WHOLE_FROM or more it lists every row, with counts of 0 too: a whole row is added without indices, a register at a
 * time. */
enum dse_status nysx_csr_transpose(const struct nysx_csr *csr, struct nysx_csr *out, struct dse_error *err);

/* The same sums as nysx_csr_multiply_add, from the transpose, by way of the `count` bins of the histogram that
 * are not 0: a query touches few. O(non-zeros of those columns). */
void nysx_csr_add_columns(const struct nysx_csr *transpose, const int32_t *bins, size_t count,
                          const int32_t *histogram, int32_t *out);

/* out[r] += Σ count × histogram[column]. Integers: any order gives the same. O(non-zeros). */
void nysx_csr_multiply_add(const struct nysx_csr *csr, const int32_t *histogram, int32_t *out);
