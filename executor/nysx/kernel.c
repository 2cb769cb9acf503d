#include "executor/nysx/kernel.h"

#include <stdlib.h>

void nysx_csr_free(struct nysx_csr *csr)
{
    free(csr->begin);
    free(csr->column);
    free(csr->count);
    *csr = (struct nysx_csr){0};
}

int32_t nysx_csr_max(const struct nysx_csr *csr)
{
    int32_t largest = 0;
    for (size_t e = 0; e < nysx_csr_nonzeros(csr); e++)
        if (csr->count[e] > largest)
            largest = csr->count[e];
    return largest;
}

void nysx_csr_multiply_add(const struct nysx_csr *csr, const int32_t *histogram, int32_t *out)
{
    for (size_t r = 0; r < csr->rows; r++) {
        int32_t sum = 0;
        for (int32_t e = csr->begin[r]; e < csr->begin[r + 1]; e++)
            sum += csr->count[e] * histogram[csr->column[e]];
        out[r] += sum;
    }
}
