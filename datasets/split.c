#include "datasets/split.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "core/rng.h"

size_t dse_split_test_count(size_t items)
{
    return (items + 4) / 5;
}

size_t dse_split_train_least(size_t items, size_t folds)
{
    return items - (folds > 1 ? (items + folds - 1) / folds : dse_split_test_count(items));
}

/* The items by class, in the order of the shuffle within a class, and the start of each class. begin[count + 1] must be zeroed. */
static void by_class(const int32_t *shuffled, size_t items, const int32_t *classes, size_t count, size_t *begin, int32_t *out)
{
    for (size_t i = 0; i < items; i++)
        begin[classes[i] + 1]++;
    for (size_t c = 0; c < count; c++)
        begin[c + 1] += begin[c];
    size_t *next DSE_CLEANUP(dse_free_at) = dse_malloc((count + 1) * sizeof *next);
    memcpy(next, begin, (count + 1) * sizeof *next);
    for (size_t i = 0; i < items; i++)
        out[next[classes[shuffled[i]]]++] = shuffled[i];
}

/* The number held out per class: its share of `held` rounded down. The classes with the largest remainders (the lower class at a tie) get one more.
 * O(count log count). */
static void share_out(const size_t *begin, size_t count, size_t held, size_t *share)
{
    struct dse_ranked *order DSE_CLEANUP(dse_free_at) = dse_malloc(count * sizeof *order);
    size_t items = begin[count], given = 0;
    for (size_t c = 0; c < count; c++) {
        size_t product = (begin[c + 1] - begin[c]) * held;
        order[c] = (struct dse_ranked){-(double)(product % items), c};
        given += share[c] = product / items;
    }
    qsort(order, count, sizeof *order, dse_by_rank);
    for (size_t i = 0; given < held; i++, given++)
        share[order[i].index]++;
}

/* Marks the items that a stratified draw holds out. */
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

/* Both parts of a split, from the marks of held-out items. */
static void part(const bool *held, size_t items, struct dse_split *out)
{
    *out = (struct dse_split){.train = dse_malloc(items * sizeof *out->train), .test = dse_malloc(items * sizeof *out->test)};
    for (size_t i = 0; i < items; i++)
        if (held[i])
            out->test[out->n_test++] = (int32_t)i;
        else
            out->train[out->n_train++] = (int32_t)i;
}

static int32_t *in_order(size_t items)
{
    int32_t *order = dse_malloc(items * sizeof *order);
    for (size_t i = 0; i < items; i++)
        order[i] = (int32_t)i;
    return order;
}

static enum dse_status check_items(size_t items, const char *called, struct dse_error *err)
{
    return items >= 2 && items <= INT32_MAX
               ? DSE_OK
               : dse_fail(err, DSE_BAD_INPUT, "%zu %s cannot be split: at least two are needed, one to train and one to hold out", items, called);
}

enum dse_status dse_split_draw(size_t items, const char *called, const int32_t *classes, const struct dse_draw *draw,
                               struct dse_split *out, struct dse_error *err)
{
    *out = (struct dse_split){0};
    if (draw->folds > items)
        return dse_fail(err, DSE_BAD_USAGE, "folds=%zu: the data set has %zu %s", draw->folds, items, called);
    DSE_TRY(check_items(items, called, err));
    int32_t *order DSE_CLEANUP(dse_free_at) = in_order(items);
    bool *held DSE_CLEANUP(dse_free_at) = dse_calloc(items, sizeof *held);
    struct dse_rng rng;
    dse_rng_seed(&rng, draw->seed, draw->stream);
    dse_rng_shuffle(&rng, order, items);
    if (classes != NULL)
        mark_stratified(order, items, classes, draw, held);
    else
        mark_random(order, items, draw, held);
    part(held, items, out);
    return DSE_OK;
}

/* ---- NumPy's ---- */

#define TWISTER 624

/* MT19937 (Matsumoto and Nishimura, 1998). */
struct twister {
    uint32_t state[TWISTER];
    size_t at;
};

static void twist(struct twister *t)
{
    for (size_t i = 0; i < TWISTER; i++) {
        uint32_t y = (t->state[i] & 0x80000000u) | (t->state[(i + 1) % TWISTER] & 0x7fffffffu);
        t->state[i] = t->state[(i + 397) % TWISTER] ^ y >> 1 ^ ((y & 1) != 0 ? 0x9908b0dfu : 0);
    }
    t->at = 0;
}

static uint32_t twister_next(struct twister *t)
{
    if (t->at == TWISTER)
        twist(t);
    uint32_t y = t->state[t->at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

enum dse_status dse_split_sklearn(size_t items, const char *called, uint32_t seed, struct dse_split *out, struct dse_error *err)
{
    struct twister t = {.state = {seed}, .at = TWISTER};
    *out = (struct dse_split){0};
    DSE_TRY(check_items(items, called, err));
    for (size_t i = 1; i < TWISTER; i++)
        t.state[i] = 1812433253u * (t.state[i - 1] ^ t.state[i - 1] >> 30) + (uint32_t)i;
    int32_t *order DSE_CLEANUP(dse_free_at) = in_order(items);
    bool *held DSE_CLEANUP(dse_free_at) = dse_calloc(items, sizeof *held);
    for (uint32_t i = (uint32_t)items - 1, mask, j; i > 0; i--) {
        for (mask = i; (mask & (mask + 1)) != 0;)
            mask |= mask >> 1;
        do
            j = twister_next(&t) & mask;
        while (j > i);
        int32_t other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
    for (size_t i = 0; i < dse_split_test_count(items); i++)
        held[order[i]] = true;
    part(held, items, out);
    return DSE_OK;
}

struct dse_split dse_split_all(size_t items)
{
    return (struct dse_split){.train = in_order(items), .test = dse_calloc(1, sizeof(int32_t)), .n_train = items};
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
