/* Shared by the methods: processes the slices on several threads and merges their fronts. */
#pragma once

#include "search/archive.h"
#include "search/groups.h"

struct dse_run_state;

/* Result of a method in one slice. */
struct dse_slice_result {
    struct dse_archive archive;
    uint64_t evaluated, feasible;
    struct dse_run_state *run;
    size_t jobs;    /* threads available in this slice; results must not depend on it */
    uint64_t shown; /* parts already reported to dse_run_progress */
};

/* Maximum number of designs formed in one slice: DSE_LIMIT beyond. */
uint64_t dse_run_most(const struct dse_slice_result *result);

/* Finds the front of one slice by calls of dse_slice_offer(). */
typedef enum dse_status dse_slice_method(const struct dse_question *question, const struct dse_plan *plan,
                                         const struct dse_slice *slice, struct dse_slice_result *result,
                                         struct dse_error *err);

/* Derives a design's metrics and, if it fits and meets the limits, offers it to the slice's archive. */
void dse_slice_offer(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice, const uint32_t *rows,
                     const struct dse_accumulators *sums, struct dse_slice_result *result);

/* Costs of the designs found in other slices so far (count × objectives, valid during the slice): designs
 * that they strictly dominate can be skipped. `forest` (may be NULL) receives them as a forest. Independent of the number of
 * threads. */
const double *dse_run_known(const struct dse_slice_result *result, size_t *count, const struct dse_forest **forest);

/* Whether known costs are nowhere above others, and below somewhere. */
bool dse_costs_beat(const double *known, const double *costs, size_t count);

/* Finds such a design in a forest, whose costs are in `known`. */
bool dse_costs_find(const struct dse_forest *forest, const double *known, const double *costs, size_t objectives, uint32_t *place);

/* Reports progress within a slice, `done` of `total`: slices may be few and take hours. */
void dse_run_progress(struct dse_slice_result *result, uint64_t done, uint64_t total);

/* Runs a method over all slices. With `screens` it skips slices whose bounds (search/bounds.h) a limit or a design of earlier rounds excludes. Such a
 * method accepts groups with knobs in common. The answer does not depend on the number of threads. DSE_CANCELLED, with `answer` filled, when the
 * monitor ends it. */
enum dse_status dse_search_run(const struct dse_question *question, dse_slice_method *method, bool screens,
                               struct dse_answer *answer, struct dse_error *err);
