#include "models/nysx/executor/kernel.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

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

#define ROWS_AT_ONCE 32
#define SUM_LANES 16
#define SUMS 4

/* Fills out->begin; returns how many entries the transpose has. */
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
    *out = (struct nysx_csr){
        .rows = csr->columns, .columns = csr->rows, .begin = dse_calloc(csr->columns + 1, sizeof *out->begin)};
    if (nysx_csr_nonzeros(csr) > INT32_MAX / NYSX_WHOLE_FROM) {
        nysx_csr_free(out);
        return dse_fail(err, DSE_LIMIT, "%zu landmark histograms of %zu bins are too many", csr->rows, csr->columns);
    }
    size_t entries = transpose_begins(csr, out);
    int32_t *next = dse_malloc((csr->columns + 1) * sizeof *next);
    out->column = dse_malloc((entries + 1) * sizeof *out->column);
    out->count = dse_calloc(entries + SUMS * SUM_LANES, sizeof *out->count); /* a last row is read past its end */
    bool enough = next != NULL && out->column != NULL && out->count != NULL;
    if (enough)
        transpose_fill(csr, next, out);
    else
        nysx_csr_free(out);
    free(next);
    return enough ? DSE_OK : dse_fail_memory(err);
}

/* Whole rows are added a few at a time, so that sums stay in registers. Written once; each instruction set gets its own
 * compilation. */
typedef int32_t lanes __attribute__((vector_size(4 * SUM_LANES)));

struct whole_rows {
    size_t count;
    const int32_t *row[ROWS_AT_ONCE]; /* readable to SUMS × SUM_LANES past their end */
    int32_t factor[ROWS_AT_ONCE];
};

static inline __attribute__((always_inline)) void add_rows(const struct whole_rows *rows, size_t columns, int32_t *out)
{
    for (size_t first = 0; first < columns; first += SUMS * SUM_LANES) {
        size_t left = columns - first, bytes = sizeof *out * (left < SUMS * SUM_LANES ? left : SUMS * SUM_LANES);
        lanes sum[SUMS] = {{0}}, counts;
        memcpy(sum, out + first, bytes);
        for (size_t r = 0; r < rows->count; r++)
            for (size_t k = 0; k < SUMS; k++) {
                memcpy(&counts, rows->row[r] + first + k * SUM_LANES, sizeof counts);
                sum[k] += counts * rows->factor[r];
            }
        memcpy(out + first, sum, bytes);
    }
}

static void add_rows_portable(const struct whole_rows *rows, size_t columns, int32_t *out)
{
    add_rows(rows, columns, out);
}

#if defined(__x86_64__)
__attribute__((target("avx2"), optimize("O3"))) static void add_rows_avx2(const struct whole_rows *rows, size_t columns,
                                                                          int32_t *out)
{
    add_rows(rows, columns, out);
}

__attribute__((target("avx512f"), optimize("O3"))) static void add_rows_avx512(const struct whole_rows *rows,
                                                                               size_t columns, int32_t *out)
{
    add_rows(rows, columns, out);
}
#else
#define add_rows_avx2 add_rows_portable
#define add_rows_avx512 add_rows_portable
#endif

static void (*const adders[NYSX_VECTORS])(const struct whole_rows *, size_t, int32_t *) = {
    add_rows_portable, add_rows_avx2, add_rows_avx512};

void nysx_csr_add_columns(enum nysx_vectors vectors, const struct nysx_csr *transpose, const int32_t *bins,
                          size_t count, const int32_t *histogram, int32_t *out)
{
    struct whole_rows rows = {.count = 0};
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
        if (rows.count == ROWS_AT_ONCE || (i + 1 == count && rows.count > 0)) {
            adders[vectors](&rows, transpose->columns, out);
            rows.count = 0;
        }
    }
}
