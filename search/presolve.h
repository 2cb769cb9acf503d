/* Rows of a slice's groups that an integer program needs. A row is dropped if it exceeds the board or a limit beside every choice
 * of the other groups, or if another row of its group dominates it.
 *
 * How much of a row counts depends on the slice. A stage lasts as long as its slowest group, so a row gains nothing by being faster
 * than the fastest rows of the others. A resource matters only above what the other groups leave at their most. Each group
 * therefore has a lower bound per quantity, below which all values are equal. Dropping rows lowers the most of the others and raises these
 * bounds; this is repeated until nothing changes. A few designs are tried first: a row that costs more than one of them, beside the
 * least of all other groups, is dropped too. */
#pragma once

#include "search/groups.h"
#include "search/question.h"
#include "search/tables.h"

/* The rows that are left, ascending. */
struct dse_kept_rows {
    uint32_t *rows[DSE_GROUP_MAX];
    size_t count[DSE_GROUP_MAX];
    double longest_us; /* designs that take longer cost more than one that is known, if above 0 */
};

void dse_rows_free(struct dse_kept_rows *kept);
int dse_compare_rows(const void *a, const void *b); /* ascending, for qsort */

/* An extent starts at nothing; takes a row in. */
void dse_extent_open(struct dse_extent *extent);
void dse_extent_take(struct dse_extent *extent, const struct dse_accumulators *sums);

/* How the rows of slices on one platform compare. */
struct dse_comparing {
    size_t sets;
    const struct dse_question *question;
    const struct dse_platform *platform;
    bool all;    /* not at all: something gains by more of what rows add up to */
    bool timed;  /* something gains by a longer time, so that only rows that take the same compare */
    bool ends;   /* energy matters as that of the shortest and of the longest time that there is, and not its parts */
    bool trades; /* only the sum of the stages' times matters: a row may save in one stage what it loses in another. Unless `hurries`, it may
                  * also take longer, if that saves more energy than the whole design's longer time costs */
    bool hurries; /* no row may take longer */
    long double idle_us[2]; /* the shortest and the longest time, of all units */
    int64_t shortest_fs[DSE_SETS_MAX][DSE_CASE_COUNT][DSE_STAGE_MAX]; /* what every design makes a stage last */
    struct dse_accumulators least[DSE_SETS_MAX], most[DSE_SETS_MAX]; /* what all groups add up to at least and at most */
};

/* For designs that take low_us … high_us. Stages last as long as the rows of `own` make them at least; the rows of other groups
 * are those of `all` (extents of the plan's groups, each with some row: of each data set, group by group). */
struct dse_comparing dse_compare_by(const struct dse_question *question, const struct dse_plan *plan,
                                    const struct dse_platform *platform, double low_us, double high_us,
                                    const struct dse_extent *own, const struct dse_extent *all);

/* The relevant part of a group's rows, whose sums on all data sets stand one behind the other. */
struct dse_scale {
    const struct dse_comparing *how;
    struct dse_accumulators floor[DSE_SETS_MAX]; /* less of a component is no gain */
    uint16_t components[DSE_SETS_MAX * sizeof(struct dse_accumulators) / sizeof(int64_t)]; /* count: those in which rows differ */
    size_t count;
    unsigned stages[DSE_SETS_MAX]; /* in which rows differ, a bit each: these are no components where time is traded */
    long double rest_nw[2]; /* standby power of the other groups, least and most, and static power */
};

/* `all`: the group's extents. */
void dse_scale_make(const struct dse_comparing *how, const struct dse_extent *all, struct dse_scale *out);

/* Whether a design with row `a` of a group in the place of `b` is no worse, whatever the other rows are. */
bool dse_row_is_no_worse(const struct dse_accumulators *a, const struct dse_accumulators *b, const struct dse_scale *scale);

/* Values that the search ignores become 0, so that more rows are the same. */
void dse_rows_hide(const struct dse_question *question, struct dse_accumulators *sums);

/* The rows that a slice needs; of rows that are as good as each other the first. None at all where no design is feasible. `worst`:
 * the cost of the objective above which nobody asks for a design; infinity: none. */
void dse_rows_keep(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice, double worst,
                   struct dse_kept_rows *kept);

/* The times that the designs of these rows (NULL: of all) lie between. */
void dse_rows_bracket(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice,
                      const struct dse_kept_rows *kept, double *low_us, double *high_us);

/* Whether an integer program of the question sees energy or power, which take the product of standby power and time; whether a limit asks
 * for the worse side of a metric. */
bool dse_program_asks_energy(const struct dse_question *question);
bool dse_limit_is_reverse(const struct dse_limit *limit);

/* Whether something gains by a longer time of this case. */
bool dse_program_gains_by_time(const struct dse_question *question, enum dse_case which);
