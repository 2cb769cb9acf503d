#include "search/conflict.h"

#include <math.h>
#include <string.h>

/* ---- questions with less in them ---- */

void dse_drop_limit(struct dse_question *question, size_t limit)
{
    question->limit_count--;
    memmove(&question->limits[limit], &question->limits[limit + 1],
            (question->limit_count - limit) * sizeof *question->limits);
}

struct dse_question *dse_subset(const struct dse_subsets *subsets, const struct dse_why *why, const bool *kept)
{
    struct dse_question *asked = subsets->asked;
    *asked = *subsets->question;
    *subsets->space = *subsets->question->space;
    asked->space = subsets->space;
    for (size_t i = why->count; i-- > 0;) { /* backwards: dropping a limit moves those behind it */
        size_t which = why->reasons[i].which;
        if (kept[i])
            continue;
        switch (why->reasons[i].kind) {
        case DSE_REASON_LIMIT: dse_drop_limit(asked, which); break;
        case DSE_REASON_RESOURCE: asked->cap_scale[which] = INFINITY; break;
        case DSE_REASON_KNOB:
            subsets->space->knobs[which].domain = subsets->whole->knobs[which].domain;
            subsets->space->knobs[which].domain_count = subsets->whole->knobs[which].domain_count;
            break;
        }
    }
    return asked;
}

/* ---- what can be reached ---- */

enum dse_status dse_find_least(const struct dse_question *question, enum dse_metric metric, bool *found, struct dse_point *out,
                               struct dse_error *err)
{
    struct dse_answer answer;
    struct dse_question one = *question;
    one.objectives[0] = metric;
    one.objective_count = 1;
    enum dse_status status = dse_search_exact(&one, &answer, err);
    *found = status == DSE_OK && answer.outcome == DSE_OUTCOME_FOUND;
    if (*found)
        *out = answer.front[0];
    dse_answer_free(&answer);
    return status;
}

enum dse_status dse_find_nearest(const struct dse_question *question, const struct dse_limit *limit, bool *found,
                                 struct dse_point *out, struct dse_error *err)
{
    if (limit->at_least == dse_metrics[limit->metric].higher_is_better)
        return dse_find_least(question, limit->metric, found, out, err);
    struct dse_question asked = *question;
    asked.limits[asked.limit_count++] = *limit;
    asked.goal = DSE_GOAL_ANY;
    DSE_TRY(dse_find_least(&asked, question->objectives[0], found, out, err));
    if (*found)
        return DSE_OK;
    asked.limit_count--;
    asked.goal = DSE_GOAL_WORST;
    return dse_find_least(&asked, limit->metric, found, out, err);
}

/* ---- conflicts ---- */

/* Whether anything is feasible where those constraints alone are asked. What is too wide to be searched counts as nothing: its
 * constraint then stays in the conflict. */
static enum dse_status is_feasible(const struct dse_subsets *subsets, const struct dse_why *why, const bool *kept, bool *feasible,
                                   struct dse_error *err)
{
    struct dse_point any;
    struct dse_question *asked = dse_subset(subsets, why, kept);
    asked->goal = DSE_GOAL_ANY;
    enum dse_status status = dse_find_least(asked, subsets->question->objectives[0], feasible, &any, err);
    if (status != DSE_LIMIT)
        return status;
    *feasible = true;
    return DSE_OK;
}

/* Gives up the constraints of a kind (from the one at `only`, or all of them) where nothing is feasible without them either. */
static enum dse_status give_up(const struct dse_subsets *subsets, const struct dse_why *why, enum dse_reason_kind kind, size_t only,
                               bool *core, struct dse_error *err)
{
    bool less[DSE_REASON_MAX], feasible = false, any = false;
    memcpy(less, core, sizeof less);
    for (size_t i = 0; i < why->count; i++)
        if (why->reasons[i].kind == kind && (only == SIZE_MAX || only == i) && core[i]) {
            less[i] = false;
            any = true;
        }
    if (!any)
        return DSE_OK;
    DSE_TRY(is_feasible(subsets, why, less, &feasible, err));
    if (!feasible)
        memcpy(core, less, sizeof less);
    return DSE_OK;
}

/* Leaves of constraints that cannot be held together those that are all needed for that. */
static enum dse_status shrink(const struct dse_subsets *subsets, const struct dse_why *why, bool *core, struct dse_error *err)
{
    static const enum dse_reason_kind order[] = {DSE_REASON_RESOURCE, DSE_REASON_KNOB, DSE_REASON_LIMIT};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        DSE_TRY(give_up(subsets, why, order[k], SIZE_MAX, core, err));
        for (size_t i = why->count; i-- > 0;)
            if (why->reasons[i].kind == order[k])
                DSE_TRY(give_up(subsets, why, order[k], i, core, err));
    }
    return DSE_OK;
}

/* Limits that nothing holds even where nothing else is asked. */
static enum dse_status find_alone(const struct dse_subsets *subsets, struct dse_why *why, bool *kept, struct dse_error *err)
{
    for (size_t i = 0; i < why->count; i++) {
        struct dse_reason *reason = &why->reasons[i];
        bool only[DSE_REASON_MAX] = {false}, feasible = false;
        if (reason->kind != DSE_REASON_LIMIT)
            continue;
        only[i] = true;
        DSE_TRY(is_feasible(subsets, why, only, &feasible, err));
        if (feasible)
            continue;
        only[i] = kept[i] = false;
        reason->alone = true;
        reason->conflict = ++why->conflicts;
        DSE_TRY(dse_find_nearest(dse_subset(subsets, why, only), &subsets->question->limits[reason->which],
                                 &reason->has_reachable, &reason->reachable, err));
    }
    return DSE_OK;
}

enum dse_status dse_conflicts_find(const struct dse_subsets *subsets, struct dse_why *why, struct dse_error *err)
{
    bool kept[DSE_REASON_MAX], feasible = false;
    for (size_t i = 0; i < why->count; i++)
        kept[i] = true;
    DSE_TRY(find_alone(subsets, why, kept, err));
    for (;;) {
        bool core[DSE_REASON_MAX];
        size_t members = 0;
        memcpy(core, kept, sizeof core);
        DSE_TRY(is_feasible(subsets, why, kept, &feasible, err));
        if (feasible)
            return DSE_OK;
        DSE_TRY(shrink(subsets, why, core, err));
        for (size_t i = 0; i < why->count; i++) {
            struct dse_reason *reason = &why->reasons[i];
            if (!core[i])
                continue;
            reason->conflict = why->conflicts + 1;
            kept[i] = false;
            members++;
        }
        if (members == 0) /* nothing that could be given up stands in the way */
            return DSE_OK;
        why->conflicts++;
    }
}
