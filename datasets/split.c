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

/* The items in the order in which they are held out: of a stratified draw, those of each class in the order of the shuffle, so that
 * item p of the result is held out where place[p] lies in the part. */
static void by_class(const int32_t *shuffled, size_t items, const int32_t *classes, size_t count, size_t *begin, int32_t *out)
{
    memset(begin, 0, (count + 1) * sizeof *begin);
    for (size_t i = 0; i < items; i++)
        begin[classes[i] + 1]++;
    for (size_t c = 0; c < count; c++)
        begin[c + 1] += begin[c];
    size_t *next DSE_CLEANUP(dse_free_at) = dse_malloc((count + 1) * sizeof *next);
    memcpy(next, begin, (count + 1) * sizeof *next);
    for (size_t i = 0; i < items; i++)
        out[next[classes[shuffled[i]]]++] = shuffled[i];
}

/* How many of each class are held out: its share of `held`, rounded down, and one more for those of the largest remainders, the lower
 * class first. */
static void share_out(const size_t *begin, size_t count, size_t held, size_t *share)
{
    size_t items = begin[count], given = 0;
    for (size_t c = 0; c < count; c++)
        given += share[c] = (begin[c + 1] - begin[c]) * held / items;
    for (; given < held; given++) {
        size_t best = count;
        for (size_t c = 0; c < count; c++) {
            size_t left = (begin[c + 1] - begin[c]) * held % items;
            bool open = share[c] == (begin[c + 1] - begin[c]) * held / items && left > 0;
            if (open && (best == count || left > (begin[best + 1] - begin[best]) * held % items))
                best = c;
        }
        share[best]++;
    }
}

/* Marks what a stratified draw holds out. */
static void mark_stratified(const int32_t *shuffled, size_t items, const int32_t *classes, const struct dse_draw *draw, bool *held)
{
    size_t count = 0;
    for (size_t i = 0; i < items; i++)
        count = (size_t)classes[i] >= count ? (size_t)classes[i] + 1 : count;
    size_t *begin DSE_CLEANUP(dse_free_at) = dse_calloc(2 * count + 1, sizeof *begin), *share = begin + count + 1;
    int32_t *order DSE_CLEANUP(dse_free_at) = dse_malloc(items * sizeof *order);
    by_class(shuffled, items, classes, count, begin, order);
    if (draw->folds > 1) {
        for (size_t i = draw->fold; i < items; i += draw->folds)
            held[order[i]] = true;
        return;
    }
    share_out(begin, count, dse_split_test_count(items), share);
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < share[c]; i++)
            held[order[begin[c] + i]] = true;
}

static void mark_random(const int32_t *shuffled, size_t items, const struct dse_draw *draw, bool *held)
{
    size_t begin = draw->folds > 1 ? items * draw->fold / draw->folds : 0;
    size_t end = draw->folds > 1 ? items * (draw->fold + 1) / draw->folds : dse_split_test_count(items);
    for (size_t i = begin; i < end; i++)
        held[shuffled[i]] = true;
}

enum dse_status dse_split_draw(size_t items, const char *called, const int32_t *classes, const struct dse_draw *draw,
                               struct dse_split *out, struct dse_error *err)
{
    *out = (struct dse_split){0};
    if (draw->folds > items)
        return dse_fail(err, DSE_BAD_USAGE, "folds=%zu: the data set has %zu %s", draw->folds, items, called);
    if (items < 2 || items > INT32_MAX)
        return dse_fail(err, DSE_BAD_INPUT, "%zu %s cannot be split: two are needed at least, one to train and one to hold out", items, called);
    int32_t *order DSE_CLEANUP(dse_free_at) = dse_malloc(items * sizeof *order);
    bool *held DSE_CLEANUP(dse_free_at) = dse_calloc(items, sizeof *held);
    *out = (struct dse_split){.train = dse_malloc(items * sizeof *order), .test = dse_malloc(items * sizeof *order)};
    struct dse_rng rng;
    for (size_t i = 0; i < items; i++)
        order[i] = (int32_t)i;
    dse_rng_seed(&rng, draw->seed, draw->stream);
    dse_rng_shuffle(&rng, order, items);
    if (draw->stratified && classes != NULL)
        mark_stratified(order, items, classes, draw, held);
    else
        mark_random(order, items, draw, held);
    for (size_t i = 0; i < items; i++)
        if (held[i])
            out->test[out->n_test++] = (int32_t)i;
        else
            out->train[out->n_train++] = (int32_t)i;
    return DSE_OK;
}

struct dse_split dse_split_all(size_t items)
{
    struct dse_split all = {.train = dse_malloc((items + 1) * sizeof *all.train), .test = dse_calloc(1, sizeof *all.test), .n_train = items};
    for (size_t i = 0; i < items; i++)
        all.train[i] = (int32_t)i;
    return all;
}

static int32_t *copy_part(const int32_t *part, size_t count)
{
    int32_t *copy = dse_malloc((count + 1) * sizeof *copy);
    if (count > 0)
        memcpy(copy, part, count * sizeof *copy);
    return copy;
}

struct dse_split dse_split_copy(const struct dse_split *split)
{
    struct dse_split copy = *split;
    copy.train = copy_part(split->train, split->n_train);
    copy.test = copy_part(split->test, split->n_test);
    copy.validation = split->validation != NULL ? copy_part(split->validation, split->n_validation) : NULL;
    return copy;
}

void dse_split_free(struct dse_split *split)
{
    free(split->train);
    free(split->test);
    free(split->validation);
    *split = (struct dse_split){0};
}
