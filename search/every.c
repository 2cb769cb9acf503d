#include "search/every.h"

#include "core/memory.h"
#include "search/groups.h"

static void visit_slice(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice,
                        dse_design_visitor *visit, void *user)
{
    uint64_t designs = slice->platform.clock_allowed && slice->size > 0 ? 1 : 0;
    size_t sets = dse_question_sets(question);
    for (size_t g = 0; g < plan->group_count; g++)
        designs *= slice->groups[g].count;
    for (uint64_t d = 0; d < designs; d++) {
        struct dse_point point = {.alternative = slice->alternative};
        struct dse_accumulators sums[DSE_SETS_MAX] = {0};
        uint32_t rows[DSE_GROUP_MAX];
        uint64_t rest = d;
        for (size_t g = 0; g < plan->group_count; g++) {
            rows[g] = (uint32_t)(rest % slice->groups[g].count);
            rest /= slice->groups[g].count;
            for (size_t set = 0; set < sets; set++)
                dse_accumulators_combine(&sums[set], &slice->groups[g].sums[rows[g] * sets + set]);
        }
        dse_slice_metrics(question, slice, sums, point.metrics);
        dse_slice_config(plan, slice, rows, &point.config);
        dse_config_canonical(question->space, &point.config);
        visit(user, &point, dse_fits(&slice->platform, sums, NULL));
    }
}

enum dse_status dse_question_each(const struct dse_question *question, dse_design_visitor *visit, void *user, struct dse_error *err)
{
    struct dse_plan *plan DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *plan);
    void **work = NULL;
    DSE_TRY(dse_plan_make(question, false, plan, err));
    enum dse_status status = dse_work_prepare(question, &work, err);
    uint64_t slices = plan->slices_per_alternative * question->alternative_count;
    for (uint64_t i = 0; i < slices && status == DSE_OK; i++) {
        struct dse_slice *slice DSE_CLEANUP(dse_slice_drop) = NULL;
        status = dse_monitor_cancelled(question->monitor) ? dse_fail_cancelled(err)
                                                          : dse_slice_open(question, plan, i, work, &slice, err);
        if (status == DSE_OK)
            visit_slice(question, plan, slice, visit, user);
    }
    dse_work_release(question, work);
    return status;
}
