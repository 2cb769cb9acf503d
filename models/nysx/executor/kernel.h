/* The Kernel Similarity Engine (section 5.2.4): v = H(t) h(t) over CSR, added to C. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* Counts in compressed sparse rows; owns its arrays. */
struct nysx_csr {
    size_t rows, columns;
    int32_t *begin;  /* [rows + 1] */
    int32_t *column; /* [non-zeros], ascending per row */
    int32_t *count;  /* [non-zeros], at least 1 */
};

static inline size_t nysx_csr_nonzeros(const struct nysx_csr *csr)
{
    return csr->begin != NULL ? (size_t)csr->begin[csr->rows] : 0;
}

void nysx_csr_free(struct nysx_csr *csr);

/* The largest count. */
int32_t nysx_csr_max(const struct nysx_csr *csr);

#define NYSX_WHOLE_FROM 12 /* denominator: a row with counts in at least this share of its columns is stored densely */

/* The transpose: row b of `out` lists the rows of `csr` with a count in column b. If at least one in NYSX_WHOLE_FROM
 * rows of `csr` has a count in column b, row b lists all rows, including counts of 0. A dense row is added without indices, one register at a time. */
enum dse_status nysx_csr_transpose(const struct nysx_csr *csr, struct nysx_csr *out, struct dse_error *err);

/* The same sums as nysx_csr_multiply_add, from the transpose and the `count` non-zero bins of the histogram:
 * a query touches few. O(non-zeros of those columns). */
void nysx_csr_add_columns(const struct nysx_csr *transpose, const int32_t *bins, size_t count,
                          const int32_t *histogram, int32_t *out);

/* out[r] += Σ count × histogram[column]. Integers: independent of the order. O(non-zeros). */
void nysx_csr_multiply_add(const struct nysx_csr *csr, const int32_t *histogram, int32_t *out);
