#include "executor/nysx/split.h"

#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "executor/nysx/streams.h"

size_t nysx_test_count(size_t graphs)
{
    return (graphs + 4) / 5;
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

enum dse_status nysx_split_make(size_t graphs, const struct dse_run *run, struct nysx_split *out,
                                struct dse_error *err)
{
    *out = (struct nysx_split){0};
    size_t begin = 0, end = nysx_test_count(graphs);
    if (run->folds > 1) {
        if (run->folds > graphs)
            return dse_fail(err, DSE_BAD_USAGE, "folds=%zu: the data set has %zu graphs", run->folds, graphs);
        begin = graphs * run->fold / run->folds;
        end = graphs * (run->fold + 1) / run->folds;
    }
    if (graphs < 2 || end - begin >= graphs || graphs > INT32_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "a data set of %zu graphs cannot be split", graphs);
    int32_t *order = malloc(2 * graphs * sizeof *order);
    if (order == NULL)
        return dse_fail_memory(err);
    int32_t *shuffled = order + graphs;
    for (size_t i = 0; i < graphs; i++)
        shuffled[i] = (int32_t)i;
    struct dse_rng rng;
    dse_rng_seed(&rng, run->seed, NYSX_STREAM_SPLIT);
    dse_rng_shuffle(&rng, shuffled, graphs);
    out->n_test = end - begin;
    out->n_train = graphs - out->n_test;
    out->train = order;
    out->test = order + out->n_train;
    memcpy(out->train, shuffled, begin * sizeof *order);
    memcpy(out->train + begin, shuffled + end, (graphs - end) * sizeof *order);
    memcpy(out->test, shuffled + begin, out->n_test * sizeof *order);
    qsort(out->train, out->n_train, sizeof *order, ascending);
    qsort(out->test, out->n_test, sizeof *order, ascending);
    return DSE_OK;
}

void nysx_split_free(struct nysx_split *split)
{
    free(split->train);
    *split = (struct nysx_split){0};
}
