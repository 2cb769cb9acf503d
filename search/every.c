#include "search/every.h"

#include "core/memory.h"
#include "search/groups.h"
#include "search/question.h"

/* ---- configurations ---- */

/* Iterates over the free knobs from `knob` on; an inactive knob keeps its default. */
static enum dse_status visit_knobs(const struct dse_question *question, size_t knob, struct dse_config *config, size_t alternative,
                                   dse_config_visitor *visit, void *user, struct dse_error *err)
{
    const struct dse_space *space = question->space;
    while (knob < space->count && !dse_bits_has(question->free, knob))
        knob++;
    if (knob == space->count)
        return visit(user, config, alternative, err);
    if (dse_monitor_cancelled(question->monitor))
        return dse_fail_cancelled(err);
    const struct dse_knob *k = &space->knobs[knob];
    config->value[knob] = k->fallback;
    if (!dse_knob_active(space, config, knob))
        return visit_knobs(question, knob + 1, config, alternative, visit, user, err);
    for (size_t i = 0; i < k->domain_count; i++) {
        config->value[knob] = k->domain[i];
        DSE_TRY(visit_knobs(question, knob + 1, config, alternative, visit, user, err));
    }
    return DSE_OK;
}

enum dse_status dse_question_configs(const struct dse_question *question, dse_config_visitor *visit, void *user, struct dse_error *err)
{
    for (size_t a = 0; a < question->alternative_count; a++) {
        struct dse_config config = question->base;
        dse_question_take(question, a, &config);
        dse_config_canonical(question->space, &config);
        DSE_TRY(visit_knobs(question, 0, &config, a, visit, user, err));
        dse_monitor_progress(question->monitor, "settings", a + 1, question->alternative_count);
    }
    return DSE_OK;
}

/* ---- designs ---- */

struct judging {
    const struct dse_question *question;
    dse_design_visitor *visit;
    void *user;
};

static enum dse_status judge(void *user, const struct dse_config *config, size_t alternative, struct dse_error *err)
{
    const struct judging *judging = user;
    const struct dse_evaluator *evaluator = judging->question->evaluator;
    struct dse_point point = {.config = *config, .alternative = alternative};
    struct dse_platform platform;
    struct dse_accumulators sums;
    struct dse_rejection rejection = {0};
    DSE_TRY(evaluator->evaluate(evaluator->user, config, alternative, &platform, &sums, point.metrics, &rejection, err));
    if (!rejection.rejected && platform.clock_allowed)
        judging->visit(judging->user, &point, dse_fits(&platform, &sums, NULL));
    return DSE_OK;
}

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
    if (question->evaluator != NULL)
        return dse_question_configs(question, judge, &(struct judging){question, visit, user}, err);
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
