#include "search/conflict.h"

#include "search/filter.h"
#include "search/tables.h"

#include <math.h>
#include <string.h>

/* ---- questions with fewer constraints ---- */

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
    bool conditions[DSE_BLOCK_MAX];
    size_t all = asked->family->condition_count, left = 0;
    for (size_t i = 0; i < all; i++)
        conditions[i] = true;
    for (size_t i = why->count; i-- > 0;) { /* in reverse, because dropping a limit shifts the later ones */
        size_t which = why->reasons[i].which;
        if (kept[i])
            continue;
        switch (why->reasons[i].kind) {
        case DSE_REASON_KNOB_LIMIT:
        case DSE_REASON_CONDITION: break; /* contradictory ones are not searched; with the others every design is visited */
        case DSE_REASON_BLOCK: conditions[which] = false; break;
        case DSE_REASON_LIMIT: dse_drop_limit(asked, which); break;
        case DSE_REASON_RESOURCE: asked->cap_scale[which] = INFINITY; break;
        case DSE_REASON_KNOB:
            subsets->space->knobs[which].domain = subsets->whole->knobs[which].domain;
            subsets->space->knobs[which].domain_count = subsets->whole->knobs[which].domain_count;
            break;
        }
    }
    for (size_t i = 0; i < all; i++)
        left += conditions[i];
    if (left == all)
        return asked;
    dse_filters_drop(asked->family, conditions, subsets->bare);
    asked->family = &subsets->bare->family;
    asked->tables = left == 0 ? subsets->bare_tables : NULL;
    return asked;
}

/* ---- reachable values ---- */

enum dse_status dse_find_least(const struct dse_question *question, enum dse_metric metric, enum dse_found *found,
                               struct dse_point *out, struct dse_error *err)
{
    struct dse_answer answer;
    struct dse_question one = *question;
    one.objectives[0] = metric;
    one.objective_count = 1;
    enum dse_status status = dse_search_exact(&one, &answer, err);
    *found = status == DSE_LIMIT        ? DSE_FOUND_UNKNOWN
             : answer.front_count > 0 ? DSE_FOUND_ONE
                                      : DSE_FOUND_NONE;
    if (*found == DSE_FOUND_ONE)
        *out = answer.front[0];
    dse_answer_free(&answer);
    return status == DSE_LIMIT ? DSE_OK : status;
}

enum dse_status dse_find_nearest(const struct dse_question *question, const struct dse_limit *limit, enum dse_found *found,
                                 struct dse_point *out, struct dse_error *err)
{
    if (limit->at_least == dse_metrics[limit->metric].higher_is_better)
        return dse_find_least(question, limit->metric, found, out, err);
    struct dse_question asked = *question;
    asked.limits[asked.limit_count++] = *limit;
    asked.goal = DSE_GOAL_ANY;
    DSE_TRY(dse_find_least(&asked, question->objectives[0], found, out, err));
    if (*found != DSE_FOUND_NONE)
        return DSE_OK;
    asked.limit_count--;
    asked.goal = DSE_GOAL_WORST;
    return dse_find_least(&asked, limit->metric, found, out, err);
}

/* ---- conflicts ---- */

/* Whether some design satisfies all of those constraints. */
static bool some_holds(const struct dse_broken *broken, const struct dse_why *why, const bool *kept)
{
    uint64_t asked = 0;
    for (size_t i = 0; i < why->count; i++)
        asked |= kept[i] ? UINT64_C(1) << i : 0;
    for (size_t i = 0; i < broken->count; i++)
        if ((broken->sets[i] & asked) == 0)
            return true;
    return false;
}

/* Whether those constraints alone leave a feasible design. */
static enum dse_status try_subset(const struct dse_subsets *subsets, const struct dse_why *why, const bool *kept,
                                  enum dse_found *found, struct dse_error *err)
{
    struct dse_point any;
    if (subsets->broken != NULL) {
        *found = some_holds(subsets->broken, why, kept) ? DSE_FOUND_ONE : DSE_FOUND_NONE;
        return DSE_OK;
    }
    struct dse_question *asked = dse_subset(subsets, why, kept);
    asked->goal = DSE_GOAL_ANY;
    return dse_find_least(asked, subsets->question->objectives[0], found, &any, err);
}

/* Drops the constraints of a kind (from `only`, or all) if the rest is infeasible without them too.
 * A constraint of unknown effect stays in the conflict. */
static enum dse_status give_up(const struct dse_subsets *subsets, struct dse_why *why, enum dse_reason_kind kind, size_t only,
                               bool *core, enum dse_found *found, struct dse_error *err)
{
    bool less[DSE_REASON_MAX], any = false;
    memcpy(less, core, sizeof less);
    for (size_t i = 0; i < why->count; i++)
        if (why->reasons[i].kind == kind && (only == SIZE_MAX || only == i) && core[i]) {
            less[i] = false;
            any = true;
        }
    *found = DSE_FOUND_ONE;
    if (!any)
        return DSE_OK;
    DSE_TRY(try_subset(subsets, why, less, found, err));
    if (*found == DSE_FOUND_NONE)
        memcpy(core, less, sizeof less);
    else if (*found == DSE_FOUND_UNKNOWN && only != SIZE_MAX)
        why->reasons[only].unproven = true;
    return DSE_OK;
}

/* As give_up, for narrowed knobs. The knobs' complete domains can make a space too large to search; if that happens for all together, each is
 * tried alone. A knob without proven effect stays narrowed and is not part of a conflict. */
static enum dse_status give_up_knobs(const struct dse_subsets *subsets, struct dse_why *why, bool *core, struct dse_error *err)
{
    enum dse_found all, one;
    DSE_TRY(give_up(subsets, why, DSE_REASON_KNOB, SIZE_MAX, core, &all, err));
    for (size_t i = why->count; i-- > 0;) {
        struct dse_reason *reason = &why->reasons[i];
        bool less[DSE_REASON_MAX];
        if (reason->kind != DSE_REASON_KNOB || !core[i])
            continue;
        memcpy(less, core, sizeof less);
        DSE_TRY(give_up(subsets, why, DSE_REASON_KNOB, i, less, &one, err));
        if (all != DSE_FOUND_UNKNOWN && one == DSE_FOUND_NONE)
            core[i] = false;
        else
            reason->stays = one != DSE_FOUND_ONE;
        why->narrow |= reason->stays;
    }
    return DSE_OK;
}

/* Reduces conflicting constraints to a minimal conflict. */
static enum dse_status shrink(const struct dse_subsets *subsets, struct dse_why *why, bool *core, struct dse_error *err)
{
    enum dse_found found;
    DSE_TRY(give_up(subsets, why, DSE_REASON_RESOURCE, SIZE_MAX, core, &found, err));
    for (size_t i = why->count; i-- > 0;)
        if (why->reasons[i].kind == DSE_REASON_RESOURCE)
            DSE_TRY(give_up(subsets, why, DSE_REASON_RESOURCE, i, core, &found, err));
    DSE_TRY(give_up_knobs(subsets, why, core, err));
    DSE_TRY(give_up(subsets, why, DSE_REASON_LIMIT, SIZE_MAX, core, &found, err));
    for (size_t i = why->count; i-- > 0;)
        if (why->reasons[i].kind == DSE_REASON_LIMIT || why->reasons[i].kind == DSE_REASON_CONDITION || why->reasons[i].kind == DSE_REASON_BLOCK)
            DSE_TRY(give_up(subsets, why, why->reasons[i].kind, i, core, &found, err));
    return DSE_OK;
}

/* Finds limits that are infeasible alone. */
static enum dse_status find_alone(const struct dse_subsets *subsets, struct dse_why *why, bool *kept, struct dse_error *err)
{
    for (size_t i = 0; i < why->count; i++) {
        struct dse_reason *reason = &why->reasons[i];
        bool only[DSE_REASON_MAX] = {false};
        enum dse_found found;
        if (reason->kind != DSE_REASON_LIMIT && reason->kind != DSE_REASON_CONDITION && reason->kind != DSE_REASON_BLOCK)
            continue;
        only[i] = true;
        DSE_TRY(try_subset(subsets, why, only, &found, err));
        if (found != DSE_FOUND_NONE)
            continue;
        only[i] = kept[i] = false;
        reason->alone = true;
        reason->conflict = ++why->conflicts;
        if (subsets->broken != NULL || reason->kind == DSE_REASON_BLOCK) /* `reachable` is known, or has no size */
            continue;
        for (size_t k = 0; k < why->count; k++)
            only[k] = why->reasons[k].kind == DSE_REASON_RESOURCE;
        DSE_TRY(dse_find_nearest(dse_subset(subsets, why, only), &subsets->question->limits[reason->which], &found,
                                 &reason->reachable, err));
        reason->has_reachable = found == DSE_FOUND_ONE;
    }
    return DSE_OK;
}

enum dse_status dse_conflicts_find(const struct dse_subsets *subsets, struct dse_why *why, struct dse_error *err)
{
    bool kept[DSE_REASON_MAX];
    for (size_t i = 0; i < why->count; i++)
        kept[i] = true;
    DSE_TRY(find_alone(subsets, why, kept, err));
    for (;;) {
        bool core[DSE_REASON_MAX];
        size_t members = 0;
        memcpy(core, kept, sizeof core);
        enum dse_found found = DSE_FOUND_NONE; /* known over all constraints */
        if (why->conflicts > 0)
            DSE_TRY(try_subset(subsets, why, kept, &found, err));
        if (found != DSE_FOUND_NONE)
            return DSE_OK;
        DSE_TRY(shrink(subsets, why, core, err));
        for (size_t i = 0; i < why->count; i++) {
            struct dse_reason *reason = &why->reasons[i];
            if (!core[i] || reason->stays)
                continue;
            reason->conflict = why->conflicts + 1;
            kept[i] = false;
            members++;
        }
        if (members == 0) /* no removable constraint is the obstacle */
            return DSE_OK;
        why->conflicts++;
    }
}
