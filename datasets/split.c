#include "datasets/split.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
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

enum dse_status dse_split_draw(size_t items, const char *called, const struct dse_draw *draw, struct dse_split *out,
                               struct dse_error *err)
{
    *out = (struct dse_split){0};
    size_t begin = 0, end = dse_split_test_count(items);
    if (draw->folds > 1) {
        if (draw->folds > items)
            return dse_fail(err, DSE_BAD_USAGE, "folds=%zu: the data set has %zu %s", draw->folds, items, called);
        begin = items * draw->fold / draw->folds;
        end = items * (draw->fold + 1) / draw->folds;
    }
    if (items < 2 || end - begin >= items || items > INT32_MAX)
        return dse_fail(err, DSE_BAD_INPUT, "%zu %s cannot be split: two are needed at least, one to train and one to hold out", items, called);
    size_t held = end - begin;
    int32_t *order = dse_malloc(items * sizeof *order);
    *out = (struct dse_split){.train = dse_malloc((items - held) * sizeof *out->train), .n_train = items - held,
                              .test = dse_malloc(held * sizeof *out->test), .n_test = held};
    for (size_t i = 0; i < items; i++)
        order[i] = (int32_t)i;
    struct dse_rng rng;
    dse_rng_seed(&rng, draw->seed, draw->stream);
    dse_rng_shuffle(&rng, order, items);
    memcpy(out->train, order, begin * sizeof *order);
    memcpy(out->train + begin, order + end, (items - end) * sizeof *order);
    memcpy(out->test, order + begin, held * sizeof *order);
    qsort(out->train, out->n_train, sizeof *order, ascending);
    qsort(out->test, out->n_test, sizeof *order, ascending);
    free(order);
    return DSE_OK;
}

void dse_split_free(struct dse_split *split)
{
    free(split->train);
    free(split->test);
    free(split->validation);
    *split = (struct dse_split){0};
}
