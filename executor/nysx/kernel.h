/* The Kernel Similarity Engine (section 5.2.4): v = H(t) h(t) over CSR, added to C. */
#ifndef DSE_EXECUTOR_NYSX_KERNEL_H
#define DSE_EXECUTOR_NYSX_KERNEL_H

#include <stddef.h>
#include <stdint.h>

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

/* out[r] += Σ count × histogram[column]. Integers: any order gives the same. O(non-zeros). */
void nysx_csr_multiply_add(const struct nysx_csr *csr, const int32_t *histogram, int32_t *out);

#endif
