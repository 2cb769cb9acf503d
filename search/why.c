#include "search/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/timed.h"
#include "search/conflict.h"
#include "search/every.h"
#include "search/filter.h"
#include "search/question.h"
#include "search/tables.h"

#define RATIO_MAX 1e12
#define RATIO_STEPS 64

static struct dse_reason *add_reason(struct dse_why *why, enum dse_reason_kind kind, size_t which, enum dse_metric metric)
{
    struct dse_reason *reason = &why->reasons[why->count++];
    *reason = (struct dse_reason){.kind = kind, .which = which, .metric = metric};
    return reason;
}

const struct dse_filter *dse_reason_filter(const struct dse_question *question, const struct dse_reason *reason)
{
    return reason->kind == DSE_REASON_BLOCK ? question->family->conditions[reason->which] : &question->filters[reason->which];
}

/* Lists every constraint that can be relaxed. */
static void list_reasons(const struct dse_subsets *subsets, struct dse_why *why)
{
    const struct dse_question *question = subsets->question;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        add_reason(why, DSE_REASON_RESOURCE, (size_t)r, dse_metric_of_resource(r));
    for (size_t i = 0; i < question->limit_count; i++)
        add_reason(why, DSE_REASON_LIMIT, i, question->limits[i].metric);
    for (size_t i = 0; i < question->filter_count; i++)
        if (question->filters[i].metrics != 0)
            add_reason(why, DSE_REASON_CONDITION, i, DSE_METRIC_COUNT);
    for (size_t i = 0; i < question->family->condition_count; i++)
        add_reason(why, DSE_REASON_BLOCK, i, DSE_METRIC_COUNT);
    for (size_t k = 0; k < question->space->count && subsets->whole != NULL; k++)
        if (dse_bits_has(question->free, k) && question->space->knobs[k].domain_count < subsets->whole->knobs[k].domain_count)
            add_reason(why, DSE_REASON_KNOB, k, DSE_METRIC_COUNT);
}

static bool has_size(const struct dse_reason *reason)
{
    return reason->kind == DSE_REASON_RESOURCE || reason->kind == DSE_REASON_LIMIT || reason->kind == DSE_REASON_CONDITION;
}

/* ---- relaxing one constraint ---- */

static double board_cap(const struct dse_question *question, size_t resource, const struct dse_config *config)
{
    struct dse_platform platform;
    dse_platform_make(question->family, question->board, question->headroom, config, DSE_BAND_NOMINAL, &platform);
    return (double)platform.capped[resource];
}

/* Value that a constraint would need, with all others unchanged. */
static enum dse_status relax(const struct dse_subsets *subsets, size_t index, struct dse_why *why, struct dse_error *err)
{
    struct dse_reason *reason = &why->reasons[index];
    const struct dse_question *question = subsets->question;
    bool kept[DSE_REASON_MAX];
    enum dse_found found;
    for (size_t i = 0; i < why->count; i++)
        kept[i] = i != index;
    struct dse_question *rest = dse_subset(subsets, why, kept);
    if (subsets->broken != NULL)
        found = reason->suffices ? DSE_FOUND_ONE : DSE_FOUND_NONE;
    else if (reason->kind == DSE_REASON_LIMIT)
        DSE_TRY(dse_find_nearest(rest, &question->limits[reason->which], &found, &reason->best, err));
    else
        DSE_TRY(dse_find_least(rest, reason->kind == DSE_REASON_RESOURCE ? reason->metric : question->objectives[0], &found,
                               &reason->best, err));
    reason->known = found != DSE_FOUND_UNKNOWN;
    reason->suffices = found == DSE_FOUND_ONE;
    if (reason->kind == DSE_REASON_LIMIT)
        reason->asked = question->limits[reason->which].bound;
    else if (reason->suffices && reason->kind == DSE_REASON_RESOURCE)
        reason->asked = board_cap(question, reason->which, &reason->best.config);
    return DSE_OK;
}

/* ---- the nearest miss ---- */

/* Unit of a relaxed limit of zero ("uram<=0"): 1 for counts, a small value for quantities. */
static double least_unit(const struct dse_limit *limit)
{
    return dse_metrics[limit->metric].resource >= 0 ? 1.0 : 1e-9;
}

/* Factor by which a design exceeds a reason's bound; 1 if it meets it. */
static double excess(const struct dse_question *question, const struct dse_reason *reason, const struct dse_point *point)
{
    if (reason->kind == DSE_REASON_CONDITION || reason->kind == DSE_REASON_BLOCK)
        return dse_filter_excess(dse_reason_filter(question, reason), &point->config, point->metrics);
    double value = point->metrics[reason->metric], ratio;
    if (reason->kind == DSE_REASON_RESOURCE) {
        double cap = board_cap(question, reason->which, &point->config);
        ratio = cap > 0.0 ? value / cap : value > 0.0 ? INFINITY : 1.0;
    } else {
        const struct dse_limit *limit = &question->limits[reason->which];
        ratio = limit->at_least      ? dse_metric_times_worse(reason->metric, value, limit->bound)
                : limit->bound > 0.0 ? value / limit->bound
                                     : 1.0 + (value - limit->bound) / least_unit(limit);
    }
    return ratio > 1.0 ? ratio : 1.0;
}

/* The question with every limit, and with `board` every cap, relaxed by `ratio`. */
static void scale_question(const struct dse_question *question, double ratio, bool board, struct dse_question *out)
{
    *out = *question;
    for (int r = 0; r < DSE_RESOURCE_COUNT && board; r++)
        out->cap_scale[r] = ratio;
    for (size_t i = 0; i < out->limit_count; i++) {
        struct dse_limit *limit = &out->limits[i];
        if (!limit->at_least && limit->bound <= 0.0)
            limit->bound += (ratio - 1.0) * least_unit(limit);
        else
            limit->bound *= limit->at_least && limit->bound > 0.0 ? 1.0 / ratio : ratio;
    }
}

/* Largest factor by which a design exceeds the bounds. */
static double worst_excess(const struct dse_question *question, const struct dse_why *why, const struct dse_point *point)
{
    double worst = 1.0;
    for (size_t i = 0; i < why->count; i++)
        if (has_size(&why->reasons[i]))
            worst = fmax(worst, excess(question, &why->reasons[i], point));
    return worst;
}

/* Lower bound of the ratio: the largest over the limits that are impossible alone. */
static double least_ratio(const struct dse_question *question, bool board, const struct dse_why *why)
{
    double ratio = 1.0;
    for (size_t i = 0; i < why->count && !board; i++) /* unknown for a larger board */
        if (why->reasons[i].alone && why->reasons[i].has_reachable)
            ratio = fmax(ratio, excess(question, &why->reasons[i], &why->reasons[i].reachable));
    return ratio;
}

struct nearest {
    const struct dse_question *question;
    bool board;
    struct dse_why *why;
    double ratio;
    bool any;
    struct dse_point point;
};

static void look_at(void *user, const struct dse_point *point, bool fits)
{
    struct nearest *nearest = user;
    const struct dse_question *question = nearest->question;
    enum dse_metric metric = question->objectives[0];
    struct dse_why *why = nearest->why;
    bool measured = true; /* also whether conditions on knobs, which have no ratio, hold */
    for (size_t i = 0; i < question->limit_count; i++)
        measured &= !isnan(point->metrics[question->limits[i].metric]);
    for (size_t i = 0; i < why->count; i++)
        measured &= why->reasons[i].kind != DSE_REASON_BLOCK || excess(question, &why->reasons[i], point) == 1.0;
    double ratio = measured && (fits || nearest->board) ? worst_excess(question, why, point) : INFINITY;
    if (ratio > nearest->ratio || ratio > RATIO_MAX * RATIO_MAX)
        return;
    if (nearest->any && ratio == nearest->ratio &&
        dse_objective_cost(metric, point->metrics) >= dse_objective_cost(metric, nearest->point.metrics))
        return;
    nearest->ratio = ratio;
    nearest->point = *point;
    nearest->any = true;
}

static void take_nearest(struct dse_why *why, const struct nearest *nearest)
{
    why->has_nearest = nearest->any;
    why->nearest = nearest->point;
}

/* Smallest ratio for which all limits (with `board` also the caps) can be met: doubling, then bisection. Each design
 * found gives a sufficient ratio, usually smaller than the one tried. */
static enum dse_status scale_all(const struct dse_question *question, bool board, struct dse_why *why, struct dse_error *err)
{
    struct nearest nearest = {.question = question, .board = board, .why = why, .ratio = INFINITY};
    if (why->space_size <= DSE_WHY_ENUMERATED) {
        DSE_TRY(dse_question_each(question, look_at, &nearest, err));
        take_nearest(why, &nearest);
        return DSE_OK;
    }
    double low = least_ratio(question, board, why);
    if (low > RATIO_MAX * RATIO_MAX)
        return DSE_OK;
    double high = low * 1.005;
    for (int step = 0; step < RATIO_STEPS && (!why->has_nearest || high / low > 1.01); step++) {
        struct dse_question scaled;
        struct dse_point point;
        double ratio = why->has_nearest ? sqrt(low * high) : high;
        scale_question(question, ratio, board, &scaled);
        enum dse_found found;
        DSE_TRY(dse_find_least(&scaled, question->objectives[0], &found, &point, err));
        if (found == DSE_FOUND_UNKNOWN)
            return DSE_OK;
        if (found == DSE_FOUND_ONE) {
            why->nearest = point;
            why->has_nearest = true;
            high = fmin(ratio, worst_excess(question, why, &point));
        } else {
            low = ratio;
            high = why->has_nearest ? high : fmax(2.0, ratio * ratio);
            if (high > RATIO_MAX * RATIO_MAX)
                return DSE_OK; /* no ratio helps: the obstacle is a block, a clock or an unmeasured metric */
        }
    }
    return DSE_OK;
}

/* Tightens one limit that the nearest design violates as far as possible, with the others as loose as that design needs. Unknown results
 * give no joint relaxation. */
static enum dse_status tighten_one(const struct dse_question *question, size_t which, struct dse_why *why,
                                   struct dse_error *err)
{
    struct dse_question loose = *question;
    for (size_t k = 0; k < loose.limit_count; k++) {
        double value = why->nearest.metrics[loose.limits[k].metric], *bound = &loose.limits[k].bound;
        *bound = loose.limits[k].at_least ? fmin(*bound, value) : fmax(*bound, value);
    }
    if (loose.limits[which].bound == question->limits[which].bound)
        return DSE_OK;
    enum dse_found found;
    dse_drop_limit(&loose, which);
    struct dse_point nearest;
    DSE_TRY(dse_find_nearest(&loose, &question->limits[which], &found, &nearest, err));
    if (found == DSE_FOUND_ONE)
        why->nearest = nearest;
    why->together &= found != DSE_FOUND_UNKNOWN;
    return DSE_OK;
}

/* Tightens one limit after another, until none can be tighter. The limit with the largest excess comes last, because
 * its slack is already small and helps the others. */
static enum dse_status tighten(const struct dse_question *question, struct dse_why *why, struct dse_error *err)
{
    double worst = worst_excess(question, why, &why->nearest);
    size_t last = question->limit_count;
    for (size_t i = 0; i < why->count; i++)
        if (why->reasons[i].kind == DSE_REASON_LIMIT && excess(question, &why->reasons[i], &why->nearest) == worst)
            last = why->reasons[i].which;
    for (size_t i = 0; i < question->limit_count; i++)
        if (i != last)
            DSE_TRY(tighten_one(question, i, why, err));
    return last < question->limit_count ? tighten_one(question, last, why, err) : DSE_OK;
}

/* The nearest design among those that fit the board. */
static enum dse_status scale_limits(const struct dse_question *question, struct dse_why *why, struct dse_error *err)
{
    struct dse_question without = *question;
    struct dse_point any;
    without.limit_count = 0;
    enum dse_found found;
    DSE_TRY(dse_find_least(&without, question->objectives[0], &found, &any, err));
    if (found == DSE_FOUND_NONE)
        return DSE_OK;
    DSE_TRY(scale_all(question, false, why, err));
    why->together = why->has_nearest;
    enum dse_status status = why->has_nearest ? tighten(question, why, err) : DSE_OK;
    why->together &= status == DSE_OK;
    return status;
}

static enum dse_status find_nearest(const struct dse_question *question, struct dse_why *why, struct dse_error *err)
{
    DSE_TRY(scale_limits(question, why, err));
    return why->has_nearest ? DSE_OK : scale_all(question, true, why, err);
}

/* Chooses the nearest among the designs that violate exactly one constraint, if any. */
static void choose_alone(const struct dse_question *question, struct dse_why *why)
{
    double least = INFINITY;
    bool any = false;
    for (size_t i = 0; i < why->count; i++) {
        const struct dse_reason *reason = &why->reasons[i];
        double ratio = has_size(reason) && reason->suffices ? excess(question, reason, &reason->best) : INFINITY;
        if (!has_size(reason) || !reason->suffices || (any && ratio >= least))
            continue;
        any = why->has_nearest = true;
        why->together = false;
        why->nearest = reason->best;
        least = ratio;
    }
}

/* Measures the largest excess of the nearest design. */
static void measure_nearest(const struct dse_question *question, struct dse_why *why)
{
    why->ratio = 1.0;
    for (size_t i = 0; i < why->count && why->has_nearest; i++) {
        double ratio = has_size(&why->reasons[i]) ? excess(question, &why->reasons[i], &why->nearest) : 1.0;
        if (ratio > why->ratio) {
            why->ratio = ratio;
            why->worst = i;
        }
    }
}

static void add_contradicting(struct dse_why *why, enum dse_reason_kind kind, size_t which)
{
    struct dse_reason *reason = add_reason(why, kind, which, DSE_METRIC_COUNT);
    reason->conflict = why->conflicts = 1;
    reason->contradicts = true;
}

/* Finds contradictory limits: per metric the two extreme ones, and the limits on knobs that leave no design. */
static void find_contradictions(const struct dse_question *question, struct dse_why *why)
{
    for (size_t i = 0; i < question->knob_limit_count; i++)
        if (question->knob_limits[i].contradicts)
            add_contradicting(why, DSE_REASON_KNOB_LIMIT, i);
    for (size_t i = 0; i < question->filter_count; i++)
        if (question->filters[i].contradicts)
            add_contradicting(why, DSE_REASON_CONDITION, i);
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        size_t least, most;
        if (!dse_limits_contradict(question, (enum dse_metric)m, &least, &most))
            continue;
        why->conflicts++;
        for (size_t k = 0; k < 2; k++) {
            struct dse_reason *reason = add_reason(why, DSE_REASON_LIMIT, k == 0 ? least : most, (enum dse_metric)m);
            reason->conflict = why->conflicts;
            reason->contradicts = true;
        }
    }
}

/* ---- every design ---- */

struct looking {
    struct nearest nearest[2]; /* among designs that fit the board; among all */
    double best[DSE_REASON_MAX], reachable[DSE_REASON_MAX];
    uint64_t caps; /* bit mask of the reasons that are board caps */
    struct dse_broken *broken;
};

static void add_broken(struct dse_broken *broken, uint64_t set)
{
    for (size_t i = 0; i < broken->count; i++)
        if (broken->sets[i] == set)
            return;
    if ((broken->count & (broken->count - 1)) == 0)
        broken->sets = dse_realloc(broken->sets, (2 * broken->count + 1) * sizeof *broken->sets);
    broken->sets[broken->count++] = set;
}

static void take(double miss, const struct dse_point *point, double *least, struct dse_point *out, bool *any)
{
    if (!*any || miss < *least) {
        *any = true;
        *least = miss;
        *out = *point;
    }
}

static void look_at_reasons(void *user, const struct dse_point *point, bool fits)
{
    struct looking *l = user;
    const struct dse_question *question = l->nearest[0].question;
    struct dse_why *why = l->nearest[0].why;
    uint64_t set = 0;
    double misses[DSE_REASON_MAX];
    look_at(&l->nearest[0], point, fits);
    look_at(&l->nearest[1], point, fits);
    for (size_t i = 0; i < why->count; i++) {
        const struct dse_reason *reason = &why->reasons[i];
        misses[i] = excess(question, reason, point);
        bool broken = reason->kind == DSE_REASON_LIMIT ? !dse_limit_holds(&question->limits[reason->which], point->metrics[reason->metric]) : misses[i] > 1.0;
        set |= broken ? UINT64_C(1) << i : 0;
    }
    add_broken(l->broken, set);
    for (size_t i = 0; i < why->count; i++) {
        struct dse_reason *reason = &why->reasons[i];
        bool limit = reason->kind != DSE_REASON_RESOURCE;
        if ((set & ~(UINT64_C(1) << i)) == 0)
            take(limit ? misses[i] : point->metrics[reason->metric], point, &l->best[i], &reason->best, &reason->suffices);
        if (limit && (set & l->caps) == 0 && isfinite(misses[i]))
            take(misses[i], point, &l->reachable[i], &reason->reachable, &reason->has_reachable);
    }
}

/* Visits every design once: finds the nearest one, the relaxation of each constraint, and jointly violated constraints. */
static enum dse_status look_at_all(const struct dse_question *question, struct dse_broken *broken, struct dse_why *why, struct dse_error *err)
{
    struct looking *l DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *l);
    for (int board = 0; board < 2; board++)
        l->nearest[board] = (struct nearest){.question = question, .board = board > 0, .why = why, .ratio = INFINITY};
    for (size_t i = 0; i < why->count; i++)
        l->caps |= why->reasons[i].kind == DSE_REASON_RESOURCE ? UINT64_C(1) << i : 0;
    l->broken = broken;
    struct dse_bare_family *bare DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *bare);
    struct dse_question all = *question;
    dse_filters_drop(question->family, NULL, bare);
    all.family = &bare->family;
    all.tables = NULL;
    enum dse_status status = dse_question_each(&all, look_at_reasons, l, err);
    take_nearest(why, &l->nearest[!l->nearest[0].any]);
    return status;
}

static enum dse_status search_reasons(const struct dse_subsets *subsets, struct dse_why *out, struct dse_error *err)
{
    DSE_TRY(dse_conflicts_find(subsets, out, err));
    /* With a single conflict, dropping any member may suffice. */
    for (size_t i = 0; i < out->count && out->conflicts == 1; i++)
        if (out->reasons[i].conflict > 0)
            DSE_TRY(relax(subsets, i, out, err));
    return DSE_OK;
}

static enum dse_status explain(const struct dse_subsets *subsets, struct dse_why *out, struct dse_error *err)
{
    const struct dse_question *question = subsets->question;
    find_contradictions(question, out);
    out->space_size = dse_question_size(question);
    if (out->conflicts > 0)
        return DSE_OK;
    out->effort = dse_filters_on_metrics(question) ? DSE_WHY_VISITED : DSE_WHY_DESIGNS;
    if (subsets->broken != NULL && out->space_size > out->effort) {
        question->allowance->exceeded = true;
        return DSE_OK;
    }
    list_reasons(subsets, out);
    bool small = out->space_size <= DSE_WHY_ENUMERATED; /* the nearest design is then found early, and kept if the rest is interrupted */
    enum dse_status status = small && subsets->broken == NULL ? find_nearest(question, out, err) : DSE_OK;
    if (status == DSE_OK && subsets->broken != NULL)
        status = look_at_all(question, subsets->broken, out, err);
    if (status == DSE_OK)
        status = search_reasons(subsets, out, err);
    choose_alone(question, out);
    if (status == DSE_OK && !small && !out->has_nearest && subsets->broken == NULL)
        status = find_nearest(question, out, err);
    measure_nearest(question, out);
    return status;
}

static enum dse_status make_one(const struct dse_question *question, const struct dse_space *whole, double seconds, struct dse_why *out,
                                struct dse_error *err)
{
    struct dse_timed timed;
    struct dse_question shared = dse_question_sharing(question); /* the searches are not steps of the question */
    struct dse_allowance allowance = {.designs = DSE_WHY_DESIGNS};
    struct dse_space space;
    struct dse_question asked;
    struct dse_broken broken = {0};
    struct dse_bare_family *bare DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *bare);
    struct dse_subsets subsets = {.question = &shared, .whole = whole, .asked = &asked, .space = &space, .bare = bare, .bare_tables = dse_tables_create()};
    if (question->evaluator != NULL || dse_filters_on_metrics(question)) { /* narrowed knobs are then not reasons */
        for (size_t k = 0; k < question->space->count && whole != NULL; k++)
            out->narrow |= dse_bits_has(question->free, k) && question->space->knobs[k].domain_count < whole->knobs[k].domain_count;
        subsets.whole = NULL;
        subsets.broken = &broken;
    }
    dse_timed_begin(&timed, question->monitor, seconds);
    shared.checkpoint = NULL;
    shared.allowance = &allowance;
    shared.monitor = &timed.monitor;
    enum dse_status status = explain(&subsets, out, err);
    out->end = status != DSE_CANCELLED                   ? allowance.exceeded ? DSE_WHY_EFFORT : DSE_WHY_WHOLE
               : dse_monitor_cancelled(question->monitor) ? DSE_WHY_INTERRUPTED
                                                          : DSE_WHY_BUDGET;
    dse_question_end_sharing(question, &shared);
    dse_tables_free(subsets.bare_tables);
    free(broken.sets);
    return status == DSE_CANCELLED ? DSE_OK : status;
}

/* The question is infeasible if all branches are. What ended one branch ends the later ones. */
static enum dse_status make_sides(const struct dse_question *question, const struct dse_space *whole, double seconds, struct dse_why *out,
                                  struct dse_error *err)
{
    double begin = dse_clock_s();
    struct dse_why *why = out;
    for (size_t b = 0; b < question->branch_count && b < DSE_WHY_SIDES; b++) {
        struct dse_question one = dse_question_of_branch(question, b);
        if (b > 0)
            why = why->next = dse_calloc(1, sizeof *why);
        why->side = b + 1;
        DSE_TRY(make_one(&one, whole, seconds - (dse_clock_s() - begin), why, err));
    }
    return DSE_OK;
}

enum dse_status dse_why_make(const struct dse_question *question, const struct dse_space *whole, double seconds, struct dse_why *out,
                             struct dse_error *err)
{
    memset(out, 0, sizeof *out);
    find_contradictions(question, out); /* among limits common to all branches */
    bool sides = out->conflicts == 0 && question->branch_count > 0 && question->evaluator == NULL;
    memset(out, 0, sizeof *out);
    return sides ? make_sides(question, whole, seconds, out, err) : make_one(question, whole, seconds, out, err);
}

enum dse_status dse_why_rule(const struct dse_question *all, double seconds, struct dse_why *why, struct dse_error *err)
{
    struct dse_timed timed;
    struct dse_allowance allowance = {.designs = DSE_WHY_DESIGNS};
    struct dse_question question = *all;
    enum dse_found found = DSE_FOUND_NONE;
    if (all->evaluator != NULL || dse_filters_on_metrics(all))
        return DSE_OK;
    dse_timed_begin(&timed, all->monitor, seconds);
    question.checkpoint = NULL;
    question.tables = NULL;
    question.allowance = &allowance;
    question.monitor = &timed.monitor;
    enum dse_status status = dse_find_least(&question, DSE_METRIC_QUALITY, &found, &why->without_rule, err);
    why->ruled_out = status == DSE_OK && found == DSE_FOUND_ONE;
    return status == DSE_CANCELLED ? DSE_OK : status;
}

const struct dse_why *dse_why_nearest_side(const struct dse_why *why)
{
    const struct dse_why *nearest = why;
    for (; why != NULL; why = why->next)
        if (why->has_nearest && (!nearest->has_nearest || why->ratio < nearest->ratio))
            nearest = why;
    return nearest;
}

void dse_why_free(struct dse_why *why)
{
    for (struct dse_why *next; why != NULL; why = next) {
        next = why->next;
        free(why);
    }
}
