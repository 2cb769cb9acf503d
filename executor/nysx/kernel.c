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

enum dse_status nysx_csr_transpose(const struct nysx_csr *csr, struct nysx_csr *out, struct dse_error *err)
{
    size_t nonzeros = nysx_csr_nonzeros(csr);
    *out = (struct nysx_csr){.rows = csr->columns,
                             .columns = csr->rows,
                             .begin = calloc(csr->columns + 2, sizeof *out->begin),
                             .column = malloc((nonzeros + 1) * sizeof *out->column),
                             .count = malloc((nonzeros + 1) * sizeof *out->count)};
    if (out->begin == NULL || out->column == NULL || out->count == NULL) {
        nysx_csr_free(out);
        return dse_fail_memory(err);
    }
    int32_t *next = out->begin + 1; /* ends as the rows where the next one starts */
    for (size_t e = 0; e < nonzeros; e++)
        if ((size_t)csr->column[e] + 1 < csr->columns)
            next[csr->column[e] + 1]++;
    for (size_t b = 1; b < csr->columns; b++)
        next[b] += next[b - 1];
    for (size_t r = 0; r < csr->rows; r++) {
        for (int32_t e = csr->begin[r]; e < csr->begin[r + 1]; e++) {
            int32_t place = next[csr->column[e]]++;
            out->column[place] = (int32_t)r;
            out->count[place] = csr->count[e];
        }
    }
    return DSE_OK;
}

void nysx_csr_add_columns(const struct nysx_csr *transpose, const int32_t *bins, size_t count,
                          const int32_t *histogram, int32_t *out)
{
    for (size_t i = 0; i < count; i++) {
        int32_t bin = bins[i], factor = histogram[bin];
        int32_t begin = transpose->begin[bin], end = transpose->begin[bin + 1];
        if ((size_t)(end - begin) == transpose->columns) { /* every landmark has it: no need for indices */
            for (int32_t r = 0; r < end - begin; r++)
                out[r] += transpose->count[begin + r] * factor;
            continue;
        }
        for (int32_t e = begin; e < end; e++)
            out[transpose->column[e]] += transpose->count[e] * factor;
    }
}
