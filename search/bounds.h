/* Slices seen from afar: what no design of a slice is below or above, without the slice's rows.
 *
 * A group's rows depend on the fixed knobs that its blocks read, on the workload and on nothing else, so that slices share
 * groups by the hundred: of each different group the least and the most of its rows are found once, and the bounds of a slice
 * are their sum. What bounds rule out is never tabulated. */
#pragma once

#include "search/groups.h"

struct dse_bounds_table;

struct dse_bounds {
    size_t alternative;
    struct dse_config config;
    struct dse_platform platform;
    uint64_t size, unbuildable; /* as in struct dse_slice */
    const char *refusal;        /* "" where nothing is rejected */
    bool empty;                 /* nothing of it can be built, whatever its resources */
    struct dse_accumulators least[DSE_SETS_MAX], most[DSE_SETS_MAX]; /* of each data set, component by component; of those that are not empty */
};

/* Finds what the bounds of all slices are made of, on the question's jobs. `work` holds the prepared workload of each
 * alternative. The question's tables (not NULL) are used and added to; question, plan and tables stay where they are.
 * O(slices + rows of different groups). */
enum dse_status dse_bounds_make(const struct dse_question *question, const struct dse_plan *plan, void *const *work,
                                struct dse_bounds_table **out, struct dse_error *err);
void dse_bounds_free(struct dse_bounds_table *table);

/* The bounds of slice `index`. O(groups). */
void dse_bounds_get(const struct dse_bounds_table *table, uint64_t index, struct dse_bounds *out);

/* Whether no design of the slice is feasible; if some may be, `costs` receives what no design's costs by the question's objectives
 * are below. */
bool dse_bounds_infeasible(const struct dse_question *question, const struct dse_bounds *bounds, double costs[DSE_OBJECTIVE_MAX]);
