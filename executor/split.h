/* Which items of a data set train and which are held out. */
#ifndef DSE_EXECUTOR_SPLIT_H
#define DSE_EXECUTOR_SPLIT_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "executor/executor.h"

struct dse_split {
    int32_t *train, *test; /* indices in the data set, ascending; one allocation that starts at `train` */
    size_t n_train, n_test;
};

/* ⌈0.2 n⌉. This gives Table 4 of the NysX paper for every set but D&D, where the table has 235 held out and
 * the rule 236; no rounding of 0.2 n gives both MUTAG's 38 of 37.6 and D&D's 235 of 235.6. */
size_t dse_split_test_count(size_t items);

/* How many items the smallest training part has: of the random split (folds 0 or 1), or of `folds` folds. */
size_t dse_split_train_least(size_t items, size_t folds);

/* One shuffle by the seed, in a random stream of the family's; the first fifth (or the fold) is held out. DSE_BAD_INPUT where a part would be
 * empty, DSE_BAD_USAGE for more folds than items; `called` is what messages call the items ("graphs"). O(n log n). */
enum dse_status dse_split_make(size_t items, const char *called, uint64_t stream, const struct dse_run *run,
                               struct dse_split *out, struct dse_error *err);

void dse_split_free(struct dse_split *split);

#endif
