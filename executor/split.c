#include "executor/split.h"

#include <stdlib.h>
#include <string.h>

#include "core/rng.h"

size_t dse_split_test_count(size_t items)
{
    return (items + 4) / 5;
}

size_t dse_split_train_least(size_t items, size_t folds)
{
    return items - (folds > 1 ? (items + folds - 1) / folds : dse_split_test_count(items));
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

enum dse_status dse_split_make(size_t items, const char *called, uint64_t stream, const struct dse_run *run,
                               struct dse_split *out, struct dse_error *err)
{
    *out = (struct dse_split){0};
    size_t begin = 0, end = dse_split_test_count(items);
    if (run->folds > 1) {
        if (run->folds > items)
            return dse_fail(err, DSE_BAD_USAGE, "folds=%zu: the data set has %zu %s", run->folds, items, called);
        begin = items * run->fold / run->folds;
        end = items * (run->fold + 1) / run->folds;
    }
    if (items < 2 || end - begin >= items || items > INT32_MAX)
        return dse_fail(err, DSE_BAD_INPUT, "a data set of %zu %s cannot be split", items, called);
    int32_t *order = malloc(2 * items * sizeof *order);
    if (order == NULL)
        return dse_fail_memory(err);
    int32_t *shuffled = order + items;
    for (size_t i = 0; i < items; i++)
        shuffled[i] = (int32_t)i;
    struct dse_rng rng;
    dse_rng_seed(&rng, run->seed, stream);
    dse_rng_shuffle(&rng, shuffled, items);
    out->n_test = end - begin;
    out->n_train = items - out->n_test;
    out->train = order;
    out->test = order + out->n_train;
    memcpy(out->train, shuffled, begin * sizeof *order);
    memcpy(out->train + begin, shuffled + end, (items - end) * sizeof *order);
    memcpy(out->test, shuffled + begin, out->n_test * sizeof *order);
    qsort(out->train, out->n_train, sizeof *order, ascending);
    qsort(out->test, out->n_test, sizeof *order, ascending);
    return DSE_OK;
}

void dse_split_free(struct dse_split *split)
{
    free(split->train);
    *split = (struct dse_split){0};
}
