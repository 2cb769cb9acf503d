/* Rows of a slice's groups that an integer program needs. A row is dropped if it exceeds the board or a limit beside every choice of the other
 * groups. It is also dropped if another row of its group dominates it.
 *
 * How much of a row counts depends on the slice. A stage lasts as long as its slowest group, so a row gains nothing by being faster than the fastest
 * rows of the others. A resource matters only above the part that the other groups leave at their maximum. Each group therefore has a lower bound per
 * quantity, below which all values are equal. Dropping rows lowers the maximum of the others and raises these bounds; this is repeated until nothing
 * changes. A few designs are tried first. A row that costs more than one of them, beside the minimum of all other groups, is dropped too. */
#pragma once

#include "search/groups.h"
#include "search/question.h"
#include "search/tables.h"

/* Remaining rows, ascending. */
struct dse_kept_rows {
    uint32_t *rows[DSE_GROUP_MAX];
    size_t count[DSE_GROUP_MAX];
    double longest_us; /* upper bound of the time: longer designs cost more than a known one; only if above 0 */
};

void dse_rows_free(struct dse_kept_rows *kept);
int dse_compare_rows(const void *a, const void *b); /* ascending, for qsort */

/* Starts an empty extent; extends it by a row. */
void dse_extent_open(struct dse_extent *extent);
void dse_extent_take(struct dse_extent *extent, const struct dse_accumulators *sums);

/* How rows of slices on one platform are compared. */
struct dse_comparing {
    size_t sets;
    const struct dse_question *question;
    const struct dse_platform *platform;
    bool all;    /* incomparable: some objective improves as a sum grows */
    bool timed;  /* some objective improves with time, so only rows with equal times are compared */
    bool bytes;  /* bytes matter besides the time that a stage takes for them */
    bool ends;   /* energy matters only at the shortest and the longest possible time, not by its parts */
    bool trades; /* only the sum of the stages' times matters: a row may be faster in one stage and slower in another. Unless `hurries`, it may
                  * also be slower in total, if it saves more energy than the longer time costs the design */
    bool hurries; /* no row may be slower */
    long double idle_us[2]; /* shortest and longest time, over all units */
    int64_t shortest_fs[DSE_SETS_MAX][DSE_CASE_COUNT][DSE_STAGE_MAX]; /* minimum duration of a stage over all designs */
    struct dse_accumulators least[DSE_SETS_MAX], most[DSE_SETS_MAX]; /* minimum and maximum of the sums over all groups */
};

/* For designs that take low_us … high_us. Stages last at least as long as the rows of `own` require. Rows of other groups are bounded by `all`
 * (extents of the plan's groups, each non-empty: per data set, group by group). */
struct dse_comparing dse_compare_by(const struct dse_question *question, const struct dse_plan *plan,
                                    const struct dse_platform *platform, double low_us, double high_us,
                                    const struct dse_extent *own, const struct dse_extent *all);

/* The components in which a group's rows differ. A row's sums on all data sets are contiguous. */
struct dse_scale {
    const struct dse_comparing *how;
    struct dse_accumulators floor[DSE_SETS_MAX]; /* values of a component below this are equivalent */
    uint16_t components[DSE_SETS_MAX * sizeof(struct dse_accumulators) / sizeof(int64_t)]; /* count: components in which rows differ */
    size_t count;
    unsigned stages[DSE_SETS_MAX]; /* bit mask of stages in which rows differ; not in `components` if time is traded */
    long double rest_nw[2]; /* standby power of the other groups, minimum and maximum, with static power */
};

/* `all`: extents of the group. */
void dse_scale_make(const struct dse_comparing *how, const struct dse_extent *all, struct dse_scale *out);

/* Whether replacing row `b` of a group by row `a` makes no design worse, whatever the other rows. */
bool dse_row_is_no_worse(const struct dse_accumulators *a, const struct dse_accumulators *b, const struct dse_scale *scale);

/* Sets values that the search ignores to 0, so that more rows are equal. */
void dse_rows_hide(const struct dse_question *question, struct dse_accumulators *sums);

/* Rows that a slice needs; of equivalent rows the first. None if no design is feasible. `worst`:
 * cost of the objective above which designs are not needed; infinity: none. */
void dse_rows_keep(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice, double worst,
                   struct dse_kept_rows *kept);

/* Whether the memories can make a design of the slice wait longer than its own latency. */
bool dse_rows_contend(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice);

/* Bounds on the times of designs with these rows (NULL: all). */
void dse_rows_bracket(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice,
                      const struct dse_kept_rows *kept, double *low_us, double *high_us);

/* Whether an integer program of the question involves energy or power, which contain the product of standby power and time. The second function: whether a
 * limit is a reverse limit. */
bool dse_program_asks_energy(const struct dse_question *question);
bool dse_limit_is_reverse(const struct dse_limit *limit);

/* Whether some objective or limit improves with a longer time of this case. */
bool dse_program_gains_by_time(const struct dse_question *question, enum dse_case which);
