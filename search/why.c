#include "search/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/kills.h"
#include "search/tables.h"

#define RATIO_MAX 1e12
#define RATIO_STEPS 64

static enum dse_metric metric_of_resource(int resource)
{
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if (dse_metrics[m].resource == resource)
            return (enum dse_metric)m;
    return DSE_METRIC_COUNT;
}

static struct dse_reason *add_reason(struct dse_why *why, enum dse_reason_kind kind, size_t which,
                                     enum dse_metric metric, struct dse_kill_count kills)
{
    struct dse_reason *reason = &why->reasons[why->count++];
    *reason = (struct dse_reason){.kind = kind, .which = which, .metric = metric, .kills = kills.configurations,
                                  .kills_at_least = kills.at_least};
    return reason;
}

/* The constraints that can rule something out. */
static void list_reasons(const struct dse_question *question, const struct dse_kills *kills, struct dse_why *why)
{
    why->space_size = kills->space_size;
    if (kills->unbuildable > 0)
        add_reason(why, DSE_REASON_BLOCKS, 0, DSE_METRIC_COUNT, (struct dse_kill_count){kills->unbuildable, false});
    if (kills->clock > 0)
        add_reason(why, DSE_REASON_CLOCK, 0, DSE_METRIC_COUNT, (struct dse_kill_count){kills->clock, false});
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (kills->resources[r].configurations > 0)
            add_reason(why, DSE_REASON_RESOURCE, (size_t)r, metric_of_resource(r), kills->resources[r]);
    for (size_t i = 0; i < question->limit_count; i++)
        if (kills->limits[i].configurations > 0 || kills->limits[i].at_least)
            add_reason(why, DSE_REASON_LIMIT, i, question->limits[i].metric, kills->limits[i]);
}

static bool has_size(const struct dse_reason *reason)
{
    return reason->kind == DSE_REASON_RESOURCE || reason->kind == DSE_REASON_LIMIT;
}

/* Whether another constraint rules out everything that can be built, so that giving up this one cannot suffice. */
static bool is_hopeless(const struct dse_why *why, const struct dse_kills *kills, size_t index)
{
    uint64_t buildable = kills->space_size - kills->unbuildable - kills->clock;
    for (size_t i = 0; i < why->count; i++)
        if (i != index && has_size(&why->reasons[i]) && why->reasons[i].kills >= buildable)
            return true;
    return false;
}

/* ---- giving up one constraint ---- */

/* One design with the least of a metric, if any is feasible. */
static enum dse_status find_least(struct dse_question *question, enum dse_metric metric, bool *found, struct dse_point *out,
                                  uint64_t *space_size, struct dse_error *err)
{
    struct dse_answer answer;
    question->objectives[0] = metric;
    question->objective_count = 1;
    enum dse_status status = dse_search_exact(question, &answer, err);
    *found = status == DSE_OK && answer.outcome == DSE_OUTCOME_FOUND;
    if (*found)
        *out = answer.front[0];
    if (space_size != NULL)
        *space_size = answer.space_size;
    dse_answer_free(&answer);
    return status;
}

static double board_cap(const struct dse_question *question, size_t resource, const struct dse_config *config)
{
    struct dse_platform platform;
    dse_platform_make(question->family, question->board, question->headroom, config, DSE_BAND_NOMINAL, &platform);
    return (double)platform.capped[resource];
}

/* A limit from its metric's worse side (latency >= …) has no least. */
static bool has_least(const struct dse_limit *limit)
{
    return limit->at_least == dse_metrics[limit->metric].higher_is_better;
}

/* Drops a limit; on a metric from its wrong side (latency ≥ …) the least is no answer, so any design is. */
static void drop_limit(struct dse_question *question, size_t limit)
{
    question->limit_count--;
    memmove(&question->limits[limit], &question->limits[limit + 1],
            (question->limit_count - limit) * sizeof *question->limits);
}

static enum dse_status relax(const struct dse_question *question, struct dse_reason *reason, struct dse_error *err)
{
    struct dse_question relaxed = *question;
    enum dse_metric metric = reason->metric;
    if (reason->kind == DSE_REASON_RESOURCE) {
        relaxed.cap_scale[reason->which] = INFINITY;
    } else {
        const struct dse_limit *limit = &question->limits[reason->which];
        reason->asked = limit->bound;
        if (!has_least(limit))
            metric = question->objectives[0];
        drop_limit(&relaxed, reason->which);
    }
    DSE_TRY(find_least(&relaxed, metric, &reason->suffices, &reason->best, NULL, err));
    if (reason->suffices && reason->kind == DSE_REASON_RESOURCE)
        reason->asked = board_cap(question, reason->which, &reason->best.config);
    return DSE_OK;
}

/* A hardware knob that was narrowed gets its whole domain back. */
static enum dse_status widen_knob(const struct dse_question *question, const struct dse_space *whole, size_t knob,
                                  struct dse_why *why, struct dse_error *err)
{
    struct dse_space *space = malloc(sizeof *space);
    if (space == NULL)
        return dse_fail_memory(err);
    *space = *question->space;
    space->knobs[knob].domain = whole->knobs[knob].domain;
    space->knobs[knob].domain_count = whole->knobs[knob].domain_count;
    struct dse_question relaxed = *question;
    relaxed.space = space;
    uint64_t size = 0;
    struct dse_reason *reason = add_reason(why, DSE_REASON_KNOB, knob, DSE_METRIC_COUNT, (struct dse_kill_count){0});
    enum dse_status status = find_least(&relaxed, question->objectives[0], &reason->suffices, &reason->best, &size, err);
    reason->kills = size > why->space_size ? size - why->space_size : 0;
    reason->kills_at_least = size == UINT64_MAX;
    free(space);
    return status;
}

/* ---- the nearest miss ---- */

/* What stands for the once of a limit of nothing ("uram<=0"): one of what is counted, a little of what is measured. */
static double least_unit(const struct dse_limit *limit)
{
    return dse_metrics[limit->metric].resource >= 0 ? 1.0 : 1e-9;
}

/* How many times a design exceeds what a reason asks; 1 where it holds it. */
static double excess(const struct dse_question *question, const struct dse_reason *reason, const struct dse_point *point)
{
    double value = point->metrics[reason->metric], ratio;
    if (reason->kind == DSE_REASON_RESOURCE) {
        double cap = board_cap(question, reason->which, &point->config);
        ratio = cap > 0.0 ? value / cap : value > 0.0 ? INFINITY : 1.0;
    } else {
        const struct dse_limit *limit = &question->limits[reason->which];
        ratio = limit->at_least      ? limit->bound / value
                : limit->bound > 0.0 ? value / limit->bound
                                     : 1.0 + (value - limit->bound) / least_unit(limit);
    }
    return ratio > 1.0 ? ratio : 1.0;
}

/* The question with every limit, and with `board` every cap, allowed to be `ratio` times worse. */
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
            limit->bound *= limit->at_least ? 1.0 / ratio : ratio;
    }
}

/* The worst ratio by which a design exceeds what is asked. */
static double worst_excess(const struct dse_question *question, const struct dse_why *why, const struct dse_point *point)
{
    double worst = 1.0;
    for (size_t i = 0; i < why->count; i++)
        if (has_size(&why->reasons[i]))
            worst = fmax(worst, excess(question, &why->reasons[i], point));
    return worst;
}

/* A ratio below which some limit cannot be held even where nothing else is asked. */
static enum dse_status least_ratio(const struct dse_question *question, const struct dse_why *why, double *out,
                                   struct dse_error *err)
{
    *out = 1.0;
    for (size_t i = 0; i < why->count; i++) {
        const struct dse_reason *reason = &why->reasons[i];
        if (reason->kind != DSE_REASON_LIMIT || reason->kills < why->space_size / 2 ||
            !has_least(&question->limits[reason->which]))
            continue; /* it rules out too little to be what stands in the way, or has no least */
        struct dse_question alone = *question;
        struct dse_point point;
        alone.limit_count = 0;
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            alone.cap_scale[r] = INFINITY;
        bool found = false;
        DSE_TRY(find_least(&alone, reason->metric, &found, &point, NULL, err));
        if (found)
            *out = fmax(*out, excess(question, reason, &point));
    }
    return DSE_OK;
}

/* The smallest ratio for which all limits (with `board` the caps too) can be held: doubling, then bisection. A design that
 * is found shows a ratio that suffices, mostly smaller than the one that was tried. */
static enum dse_status scale_all(const struct dse_question *question, bool board, struct dse_why *why, struct dse_error *err)
{
    double low = 1.0;
    DSE_TRY(least_ratio(question, why, &low, err));
    if (low > RATIO_MAX * RATIO_MAX)
        return DSE_OK;
    double high = low * 1.005;
    for (int step = 0; step < RATIO_STEPS && (!why->has_nearest || high / low > 1.01); step++) {
        struct dse_question scaled;
        struct dse_point point;
        double ratio = why->has_nearest ? sqrt(low * high) : high;
        scale_question(question, ratio, board, &scaled);
        bool found = false;
        DSE_TRY(find_least(&scaled, question->objectives[0], &found, &point, NULL, err));
        if (found) {
            why->nearest = point;
            why->has_nearest = true;
            high = fmin(ratio, worst_excess(question, why, &point));
        } else {
            low = ratio;
            high = why->has_nearest ? high : fmax(2.0, ratio * ratio);
            if (high > RATIO_MAX * RATIO_MAX)
                return DSE_OK; /* no size helps: blocks, clocks or an unmeasured metric stand in the way */
        }
    }
    return DSE_OK;
}

/* Makes one limit that the nearest design breaks as tight as it can be, the others as loose as that design needs them. */
static enum dse_status tighten_one(const struct dse_question *question, size_t which, struct dse_why *why,
                                   struct dse_error *err)
{
    struct dse_question loose = *question;
    for (size_t k = 0; k < loose.limit_count; k++) {
        double value = why->nearest.metrics[loose.limits[k].metric], *bound = &loose.limits[k].bound;
        *bound = loose.limits[k].at_least ? fmin(*bound, value) : fmax(*bound, value);
    }
    if (!has_least(&loose.limits[which]) || loose.limits[which].bound == question->limits[which].bound)
        return DSE_OK;
    bool found = false;
    return find_least(&loose, loose.limits[which].metric, &found, &why->nearest, NULL, err);
}

/* One limit after the other: in the end none of them can be tighter. The one that is missed by most comes last, since its
 * slack is small already and may spare the others much. */
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

/* The nearest design of those that the board holds. */
static enum dse_status scale_limits(const struct dse_question *question, struct dse_why *why, struct dse_error *err)
{
    struct dse_question without = *question;
    struct dse_point any;
    without.limit_count = 0;
    bool found = false;
    DSE_TRY(find_least(&without, question->objectives[0], &found, &any, NULL, err));
    if (!found)
        return DSE_OK;
    DSE_TRY(scale_all(question, false, why, err));
    why->together = why->has_nearest;
    return why->has_nearest ? tighten(question, why, err) : DSE_OK;
}

static enum dse_status find_nearest(const struct dse_question *question, struct dse_why *why, struct dse_error *err)
{
    for (size_t i = 0; i < why->count; i++) {
        struct dse_reason *reason = &why->reasons[i];
        if (!has_size(reason) || !reason->suffices)
            continue;
        double ratio = excess(question, reason, &reason->best);
        if (why->has_nearest && ratio >= why->ratio)
            continue;
        why->has_nearest = true;
        why->nearest = reason->best;
        why->ratio = ratio;
        why->worst = i;
    }
    if (why->has_nearest)
        return DSE_OK;
    DSE_TRY(scale_limits(question, why, err));
    if (!why->has_nearest)
        DSE_TRY(scale_all(question, true, why, err));
    why->ratio = 1.0;
    for (size_t i = 0; i < why->count && why->has_nearest; i++) {
        double ratio = has_size(&why->reasons[i]) ? excess(question, &why->reasons[i], &why->nearest) : 1.0;
        if (ratio > why->ratio) {
            why->ratio = ratio;
            why->worst = i;
        }
    }
    return DSE_OK;
}

static enum dse_status explain(const struct dse_question *question, const struct dse_space *whole, struct dse_why *out,
                               struct dse_error *err)
{
    struct dse_kills kills;
    memset(out, 0, sizeof *out);
    enum dse_status status = dse_kills_count(question, &kills, err);
    if (status != DSE_OK)
        return status;
    list_reasons(question, &kills, out);
    for (size_t i = 0; i < out->count && status == DSE_OK; i++)
        if (has_size(&out->reasons[i]) && !is_hopeless(out, &kills, i))
            status = relax(question, &out->reasons[i], err);
    for (size_t k = 0; k < question->space->count && whole != NULL && status == DSE_OK; k++)
        if ((question->free >> k & 1) != 0 && question->space->knobs[k].restricted &&
            question->space->knobs[k].domain_count < whole->knobs[k].domain_count)
            status = widen_knob(question, whole, k, out, err);
    return status == DSE_OK ? find_nearest(question, out, err) : status;
}

enum dse_status dse_why_make(const struct dse_question *question, const struct dse_space *whole, struct dse_why *out,
                             struct dse_error *err)
{
    struct dse_question shared = *question; /* all searches share the tables, and none is a step of the question's own */
    shared.checkpoint = NULL;
    enum dse_status status = question->tables == NULL ? dse_tables_create(&shared.tables, err) : DSE_OK;
    if (status == DSE_OK)
        status = explain(&shared, whole, out, err);
    if (question->tables == NULL)
        dse_tables_free(shared.tables);
    return status;
}
