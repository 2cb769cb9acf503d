#include "models/nysx/executor/kernel.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/memory.h"
#include "models/nysx/executor/kernels.h"

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

/* Fills out->begin; returns the number of entries of the transpose. */
static size_t transpose_begins(const struct nysx_csr *csr, struct nysx_csr *out)
{
    size_t entries = 0;
    for (size_t e = 0; e < nysx_csr_nonzeros(csr); e++)
        out->begin[csr->column[e] + 1]++;
    for (size_t b = 0; b < csr->columns; b++) {
        size_t used = (size_t)out->begin[b + 1];
        entries += used * NYSX_WHOLE_FROM >= csr->rows ? csr->rows : used;
        out->begin[b + 1] = (int32_t)entries;
    }
    return entries;
}

static bool whole(const struct nysx_csr *csr, size_t row)
{
    return (size_t)(csr->begin[row + 1] - csr->begin[row]) == csr->columns;
}

static void transpose_fill(const struct nysx_csr *csr, int32_t *next, struct nysx_csr *out)
{
    for (size_t b = 0; b < out->rows; b++) {
        next[b] = out->begin[b];
        for (int32_t r = 0; whole(out, b) && r < (int32_t)out->columns; r++) {
            out->column[out->begin[b] + r] = r;
            out->count[out->begin[b] + r] = 0;
        }
    }
    for (size_t r = 0; r < csr->rows; r++) {
        for (int32_t e = csr->begin[r]; e < csr->begin[r + 1]; e++) {
            size_t b = (size_t)csr->column[e];
            int32_t place = whole(out, b) ? out->begin[b] + (int32_t)r : next[b]++;
            out->column[place] = (int32_t)r;
            out->count[place] = csr->count[e];
        }
    }
}

enum dse_status nysx_csr_transpose(const struct nysx_csr *csr, struct nysx_csr *out, struct dse_error *err)
{
    *out = (struct nysx_csr){.rows = csr->columns, .columns = csr->rows};
    if (nysx_csr_nonzeros(csr) > INT32_MAX / NYSX_WHOLE_FROM)
        return dse_fail(err, DSE_LIMIT, "%zu landmark histograms of %zu bins are too many", csr->rows, csr->columns);
    out->begin = dse_calloc(csr->columns + 1, sizeof *out->begin);
    size_t entries = transpose_begins(csr, out);
    int32_t *next = dse_malloc((csr->columns + 1) * sizeof *next);
    out->column = dse_malloc((entries + 1) * sizeof *out->column);
    out->count = dse_calloc(entries + NYSX_ROW_PADDING, sizeof *out->count);
    transpose_fill(csr, next, out);
    free(next);
    return DSE_OK;
}

void nysx_csr_add_columns(const struct nysx_csr *transpose, const int32_t *bins, size_t count, const int32_t *histogram, int32_t *out)
{
    struct nysx_whole_rows rows = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        size_t bin = (size_t)bins[i];
        int32_t factor = histogram[bin], begin = transpose->begin[bin], end = transpose->begin[bin + 1];
        if (whole(transpose, bin)) {
            rows.row[rows.count] = transpose->count + begin;
            rows.factor[rows.count++] = factor;
        } else {
            for (int32_t e = begin; e < end; e++)
                out[transpose->column[e]] += transpose->count[e] * factor;
        }
        if (rows.count == NYSX_ROWS_AT_ONCE || (i + 1 == count && rows.count > 0)) {
            nysx_kernels->add_rows(&rows, transpose->columns, out);
            rows.count = 0;
        }
    }
}
