/* Which items of a data set train and which are held out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"


/* Indices in the data set, ascending. Empty when zeroed. */
struct dse_split {
    int32_t *train, *test;
    size_t n_train, n_test;
    int32_t *validation; /* items that training may use to choose, if the kind sets some aside; else NULL */
    size_t n_validation;
};

/* How a split is drawn. */
struct dse_draw {
    uint64_t seed, stream; /* seed and stream of the random numbers */
    size_t folds;          /* 0 or 1: an 80/20 split; K: fold `fold` of K is held out, of one shuffle by seed */
    size_t fold;           /* 0 … folds−1 */
    const struct dse_split *given; /* the split itself, independent of the seed; else NULL */
};

/* ⌈0.2 n⌉. This gives Table 4 of the NysX paper for every set but D&D, where the table has 235 held out and the rule 236. No rounding of 0.2 n gives
 * both MUTAG's 38 of 37.6 and D&D's 235 of 235.6. */
size_t dse_split_test_count(size_t items);

/* The number of items in the smallest training part: of the random split (folds 0 or 1), or of `folds` folds. */
size_t dse_split_train_least(size_t items, size_t folds);

/* One shuffle by the seed; the first fifth (or the fold) is held out. `classes` [items], from 0, or NULL. With classes, a draw holds out of each
 * class its share of the fifth, the rest by largest remainder. With folds, it deals the classes one after another to the folds. `called` is the
 * items' name in messages ("graphs"). O(n log n). */
enum dse_status dse_split_draw(size_t items, const char *called, const int32_t *classes, const struct dse_draw *draw,
                               struct dse_split *out, struct dse_error *err);

/* Whether a split file may name a part by this word: "train", "training", "test" … */
bool dse_split_names_part(const char *word);

/* A split of `items` items from a file. It has a line for each item, `train`, `test` or `validation`; or the indices from 0 of the held-out items,
 * one per line; or a table with a column `split` of such words. DSE_BAD_INPUT with file and line for any other text, another number of lines, and an
 * empty training or test part. */
enum dse_status dse_split_read(const char *path, size_t items, const char *called, struct dse_split *out, struct dse_error *err);

/* Writes such a file, with a line for each item. DSE_BAD_USAGE if an item is in no part. */
enum dse_status dse_split_write(const struct dse_split *split, size_t items, const char *called, const char *path, struct dse_error *err);

/* The split of scikit-learn's train_test_split(range(items), test_size=0.2, random_state=seed), as NumPy's RandomState(seed).permutation makes it.
 * That is a Mersenne Twister seeded by init_genrand, and a shuffle from the end by masked rejection. The first fifth is held out. DSE_BAD_INPUT as of
 * dse_split_draw. */
enum dse_status dse_split_sklearn(size_t items, const char *called, uint32_t seed, struct dse_split *out, struct dse_error *err);

/* All items train; no item is held out. */
struct dse_split dse_split_all(size_t items);

struct dse_split dse_split_copy(const struct dse_split *split);

void dse_split_free(struct dse_split *split);
