/* Every configuration, one after the other: the check of the other methods.
 *
 * In a slice the groups' rows are an odometer; sums over the first groups are kept, so that a step adds one row and
 * derives the metrics. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/parallel.h"
#include "search/archive.h"
#include "search/groups.h"
#include "search/run.h"

/* Whether a row on top of the sums so far passes the clock's caps: what most designs fail on, seen before the whole sums
 * are formed. */
static bool fits_on_top(const struct dse_slice *slice, const struct dse_accumulators *sums,
                        const struct dse_accumulators *row)
{
    bool fits = slice->platform.clock_allowed;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        fits &= (sums->resources[r] + row->resources[r]) * slice->platform.units <= slice->platform.capped[r];
    return fits;
}

/* Looks at all designs of a slice. */
static enum dse_status visit(const struct dse_question *question, const struct dse_plan *plan,
                             const struct dse_slice *slice, struct dse_slice_result *result, struct dse_error *err)
{
    uint32_t rows[DSE_GROUP_MAX] = {0};
    struct dse_accumulators partial[DSE_GROUP_MAX + 1];
    memset(&partial[0], 0, sizeof partial[0]);
    size_t level = 0;
    for (size_t g = 0; g < plan->group_count; g++)
        if (slice->groups[g].count == 0)
            return DSE_OK;
    for (uint64_t step = 0;;) {
        bool fits = true;
        for (; level < plan->group_count; level++) {
            if (level + 1 == plan->group_count)
                fits = fits_on_top(slice, &partial[level], &slice->groups[level].sums[rows[level]]);
            if (!fits)
                continue;
            partial[level + 1] = partial[level];
            dse_accumulators_combine(&partial[level + 1], &slice->groups[level].sums[rows[level]]);
        }
        if ((++step & 0xfff) == 0 && dse_monitor_cancelled(question->monitor))
            return dse_fail(err, DSE_LIMIT, "interrupted");
        enum dse_status status = DSE_OK;
        if (fits)
            status = dse_slice_offer(question, plan, slice, rows, &partial[plan->group_count], result, err);
        else
            result->evaluated++;
        if (status != DSE_OK)
            return status;
        while (level > 0 && ++rows[level - 1] == slice->groups[level - 1].count)
            rows[--level] = 0;
        if (level == 0)
            return DSE_OK;
        level--;
    }
}

enum dse_status dse_search_exhaustive(const struct dse_question *question, struct dse_answer *answer,
                                      struct dse_error *err)
{
    return dse_search_run(question, visit, answer, err);
}
