/* Orders for qsort and bsearch: ascending, of numbers and of texts (char *). */
#pragma once

#include <stddef.h>
#include <stdint.h>

int dse_by_int32(const void *a, const void *b);
int dse_by_int64(const void *a, const void *b);
int dse_by_uint64(const void *a, const void *b);
int dse_by_double(const void *a, const void *b);
int dse_by_text(const void *a, const void *b);

/* An item's index and a value to sort it by: ascending by value, among equals by index. For the largest first the value is negated. */
struct dse_ranked {
    double value;
    size_t index;
};
int dse_by_rank(const void *a, const void *b);

/* Sorts ascending, in place: few values by insertion, others by their bytes from the lowest on. O(count), several times faster than qsort. */
void dse_sort_int64(int64_t *values, size_t count);
