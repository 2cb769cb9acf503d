/* Which graphs train and which are held out. */
#ifndef DSE_EXECUTOR_NYSX_SPLIT_H
#define DSE_EXECUTOR_NYSX_SPLIT_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "executor/executor.h"

struct nysx_split {
    int32_t *train, *test; /* graph indices, ascending; one allocation that starts at `train` */
    size_t n_train, n_test;
};

/* ⌈0.2 n⌉. This gives Table 4 of the paper for every set but D&D, where the table has 235 held out and
 * the rule 236; no rounding of 0.2 n gives both MUTAG's 38 of 37.6 and D&D's 235 of 235.6. */
size_t nysx_test_count(size_t graphs);

/* One shuffle by the seed; the first fifth (or the fold) is held out. DSE_BAD_USAGE where a part would be
 * empty. O(n log n). */
enum dse_status nysx_split_make(size_t graphs, const struct dse_run *run, struct nysx_split *out,
                                struct dse_error *err);

void nysx_split_free(struct nysx_split *split);

#endif
