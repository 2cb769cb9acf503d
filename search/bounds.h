/* Bounds of slices: lower and upper bounds on all designs of a slice, without the slice's rows.
 *
 * A group's rows depend only on the workload and the fixed knobs that its blocks read, so hundreds of slices share groups. The minimum and maximum of
 * each distinct group's rows are computed once. The bounds of a slice are the sums of these. Slices that the bounds exclude are never tabulated. */
#pragma once

#include "search/groups.h"

struct dse_bounds_table;

struct dse_bounds {
    size_t alternative;
    struct dse_config config;
    struct dse_platform platform;
    uint64_t size, unbuildable; /* as in struct dse_slice */
    const char *rejection;        /* "" if nothing is rejected */
    bool empty;                 /* no design of the slice can be built, regardless of resources */
    struct dse_accumulators least[DSE_SETS_MAX], most[DSE_SETS_MAX]; /* per data set, component by component; over non-empty data sets */
};

/* Computes the data for the bounds of all slices, on the question's jobs. `work` holds the prepared workload of each
 * alternative. Uses and extends the question's tables (not NULL); question, plan and tables must stay in place.
 * O(slices + rows of distinct groups). */
enum dse_status dse_bounds_make(const struct dse_question *question, const struct dse_plan *plan, void *const *work,
                                struct dse_bounds_table **out, struct dse_error *err);
void dse_bounds_free(struct dse_bounds_table *table);

/* Bounds of slice `index`. O(groups). */
void dse_bounds_get(const struct dse_bounds_table *table, uint64_t index, struct dse_bounds *out);

/* Whether the bounds exclude every design of the slice; if not, `costs` receives lower bounds on the costs of its designs by the
 * question's objectives. */
bool dse_bounds_infeasible(const struct dse_question *question, const struct dse_bounds *bounds, double costs[DSE_OBJECTIVE_MAX]);
