#include "datasets/labels.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/order.h"

#define SEEN_SLOTS 1024 /* a power of two */

/* Copies the values without the repeats that a small table recognises: each slot has the last value that fell into it. A usual set has few labels,
 * each copied once, so sorting is cheap. Returns the number copied. */
static size_t copy_unseen(const int64_t *values, size_t count, int64_t *copy)
{
    int64_t seen[SEEN_SLOTS];
    for (size_t slot = 0; slot < SEEN_SLOTS; slot++)
        seen[slot] = (int64_t)slot + 1; /* a value that never falls into this slot */
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t *slot = &seen[(uint64_t)values[i] % SEEN_SLOTS];
        if (*slot != values[i])
            copy[kept++] = *slot = values[i];
    }
    return kept;
}

static size_t sort_and_unite(int64_t *values, size_t count)
{
    qsort(values, count, sizeof *values, dse_by_int64);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (values[i] != values[kept - 1])
            values[kept++] = values[i];
    return kept;
}

static int32_t place_of(int64_t value, const int64_t *values, size_t count)
{
    size_t low = 0;
    while (count > 1) {
        size_t half = count / 2;
        if (values[low + half] <= value)
            low += half;
        count -= half;
    }
    return (int32_t)low;
}

void dse_labels_make(const int64_t *values, size_t count, struct dse_labels *labels)
{
    int64_t *distinct = dse_malloc(count * sizeof *distinct);
    int32_t *index = dse_malloc(count * sizeof *index);
    size_t distinct_count = sort_and_unite(distinct, copy_unseen(values, count, distinct));
    for (size_t i = 0; i < count; i++)
        index[i] = place_of(values[i], distinct, distinct_count);
    *labels = (struct dse_labels){index, dse_realloc(distinct, distinct_count * sizeof *distinct), distinct_count};
}
