#include "models/nysx/executor/histogram.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static int by_code(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t *nysx_codebook_make(const int64_t *codes, size_t count, size_t *distinct)
{
    int64_t *sorted = dse_malloc((count + 1) * sizeof *sorted);
    memcpy(sorted, codes, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_code);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || sorted[kept - 1] != sorted[i])
            sorted[kept++] = sorted[i];
    *distinct = kept;
    return sorted;
}

/* Appends the runs of equal codes of one sorted row. Both lists ascend, so one merge finds all bins. */
static int32_t append_row(const int64_t *codes, size_t count, const int64_t *codebook, struct nysx_csr *out,
                          int32_t filled)
{
    size_t bin = 0;
    for (size_t i = 0; i < count;) {
        size_t run = i + 1;
        while (run < count && codes[run] == codes[i])
            run++;
        while (codebook[bin] != codes[i])
            bin++;
        out->column[filled] = (int32_t)bin;
        out->count[filled++] = (int32_t)(run - i);
        i = run;
    }
    return filled;
}

enum dse_status nysx_histograms_make(int64_t *codes, const size_t *begin, size_t rows,
                                     const int64_t *codebook, size_t distinct, struct nysx_csr *out,
                                     struct dse_error *err)
{
    size_t most = begin[rows] - begin[0];
    *out = (struct nysx_csr){.rows = rows, .columns = distinct};
    if (most > INT32_MAX)
        return dse_fail(err, DSE_LIMIT, "the landmarks have %zu nodes, more than can be indexed", most);
    out->begin = dse_malloc((rows + 1) * sizeof *out->begin);
    out->column = dse_malloc((most + 1) * sizeof *out->column);
    out->count = dse_malloc((most + 1) * sizeof *out->count);
    int32_t filled = 0;
    for (size_t r = 0; r < rows; r++) {
        size_t count = begin[r + 1] - begin[r];
        qsort(codes + begin[r], count, sizeof *codes, by_code);
        out->begin[r] = filled;
        filled = append_row(codes + begin[r], count, codebook, out, filled);
    }
    out->begin[rows] = filled;
    out->column = dse_realloc(out->column, ((size_t)filled + 1) * sizeof *out->column);
    out->count = dse_realloc(out->count, ((size_t)filled + 1) * sizeof *out->count);
    return DSE_OK;
}
