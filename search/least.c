/* The fewest changes that meet a question's limits (search/whatif.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "search/filter.h"
#include "search/presolve.h"
#include "search/whatif.h"

/* A row of a group with its number of changes. */
struct row {
    uint32_t index;
    uint32_t changes;
};


struct found {
    bool any;
    double cost;
    struct dse_config config;
};

struct level {
    const struct dse_question *question;
    struct dse_plan plan;
    void **work;      /* per alternative */
    struct dse_config base;
    size_t changes;   /* allowed in total */
    size_t *slices;   /* slice_count, those within the allowance */
    size_t slice_count;
    struct found *found;  /* per slice */
    uint64_t *evaluated;  /* per slice */
};

#define STEPS_A_LOOK 65536 /* partial designs between checks of the monitor */

/* Search in one slice. */
struct descent {
    const struct level *level;
    const struct dse_slice *slice;
    struct row *rows[DSE_GROUP_MAX];
    size_t row_count[DSE_GROUP_MAX];
    struct dse_accumulators rest[DSE_GROUP_MAX + 1]; /* minimum over the remaining groups together */
    uint32_t chosen[DSE_GROUP_MAX];
    struct found best;
    uint64_t evaluated, steps;
    bool ended; /* by the monitor */
};

static int by_changes(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->changes != y->changes)
        return x->changes < y->changes ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Rows of a group within the allowance, fewest changes first, and the minimum of each component over them. */
static void collect_rows(struct descent *descent, size_t group, size_t allowed, struct dse_accumulators *least)
{
    const struct level *level = descent->level;
    const struct dse_plan_group *knobs = &level->plan.groups[group];
    const struct dse_group *table = &descent->slice->groups[group];
    dse_knob_set mine = {{0}};
    struct dse_extent extent;
    dse_extent_open(&extent);
    for (size_t i = 0; i < knobs->knob_count; i++)
        dse_bits_add(&mine, knobs->knobs[i]);
    descent->rows[group] = dse_malloc((table->count + 1) * sizeof **descent->rows);
    for (size_t r = 0; r < table->count; r++) {
        struct dse_config config = descent->slice->config;
        dse_slice_row_config(&level->plan, descent->slice, group, r, &config);
        size_t changes = dse_bits_count(dse_bits_and(mine, dse_whatif_changes(level->question->space, &level->base, &config)));
        if (changes > allowed)
            continue;
        dse_extent_take(&extent, &table->sums[r]);
        descent->rows[group][descent->row_count[group]++] = (struct row){(uint32_t)r, (uint32_t)changes};
    }
    qsort(descent->rows[group], descent->row_count[group], sizeof **descent->rows, by_changes);
    *least = extent.least;
}

/* Whether a design with these sums may qualify: metrics are monotone in the sums, so limits and caps
 * violated by a lower bound are violated by every completion. A lower limit on a quantity that grows with the sums
 * excludes no completion. */
static bool may_hold(const struct descent *descent, const struct dse_accumulators *sums, bool whole,
                     double metrics[DSE_METRIC_COUNT])
{
    const struct dse_question *question = descent->level->question;
    if (!dse_fits(&descent->slice->platform, sums, NULL))
        return false;
    dse_slice_metrics(question, descent->slice, sums, metrics);
    if (whole)
        return dse_limits_hold(question, metrics);
    for (size_t i = 0; i < question->limit_count; i++) {
        const struct dse_limit *limit = &question->limits[i];
        double value = metrics[limit->metric];
        /* Energy over latency is not monotone in latency. */
        if (dse_metric_is_power(limit->metric, NULL) || limit->at_least != dse_metrics[limit->metric].higher_is_better)
            continue;
        if (!dse_limit_holds(limit, value))
            return false;
    }
    return true;
}

static void offer(struct descent *descent, const double metrics[DSE_METRIC_COUNT])
{
    const struct level *level = descent->level;
    struct found next = {.any = true, .cost = dse_objective_cost(level->question->objectives[0], metrics)};
    dse_slice_config(&level->plan, descent->slice, descent->chosen, &next.config);
    dse_config_canonical(level->question->space, &next.config);
    if (!descent->best.any || next.cost < descent->best.cost ||
        (next.cost == descent->best.cost && memcmp(&next.config, &descent->best.config, sizeof next.config) < 0))
        descent->best = next;
}

static void descend(struct descent *descent, size_t group, size_t allowed, const struct dse_accumulators *sums)
{
    const struct level *level = descent->level;
    double metrics[DSE_METRIC_COUNT];
    if (++descent->steps % STEPS_A_LOOK == 0)
        descent->ended |= dse_monitor_cancelled(level->question->monitor);
    if (group == level->plan.group_count) {
        descent->evaluated++;
        if (allowed == 0 && may_hold(descent, sums, true, metrics)) /* fewer changes were tested at an earlier level */
            offer(descent, metrics);
        return;
    }
    struct dse_accumulators bound = *sums;
    dse_accumulators_combine(&bound, &descent->rest[group]);
    if (!may_hold(descent, &bound, false, metrics))
        return;
    for (size_t r = 0; r < descent->row_count[group] && !descent->ended; r++) {
        const struct row *row = &descent->rows[group][r];
        if (row->changes > allowed)
            break;
        struct dse_accumulators next = *sums;
        dse_accumulators_combine(&next, &descent->slice->groups[group].sums[row->index]);
        descent->chosen[group] = row->index;
        descend(descent, group + 1, allowed - row->changes, &next);
    }
}

static enum dse_status search_slice(const struct level *level, const struct dse_slice *slice, size_t allowed, struct found *found,
                                    uint64_t *evaluated, struct dse_error *err)
{
    struct descent *descent DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *descent);
    *descent = (struct descent){.level = level, .slice = slice};
    bool any = slice->platform.clock_allowed;
    for (size_t g = level->plan.group_count; g-- > 0 && any;) {
        struct dse_accumulators least;
        collect_rows(descent, g, allowed, &least);
        any = descent->row_count[g] > 0;
        descent->rest[g] = descent->rest[g + 1];
        dse_accumulators_combine(&descent->rest[g], &least);
    }
    if (any)
        descend(descent, 0, allowed, &(struct dse_accumulators){0});
    *found = descent->best;
    *evaluated = descent->evaluated;
    for (size_t g = 0; g < level->plan.group_count; g++)
        free(descent->rows[g]);
    return descent->ended ? dse_fail_cancelled(err) : DSE_OK;
}

/* Changes of a slice itself: its algorithmic setting and its fixed knobs. */
static size_t own_changes(const struct level *level, size_t slice)
{
    const struct dse_question *question = level->question;
    struct dse_config config;
    dse_slice_fixed(question, &level->plan, slice, &config);
    dse_knob_set mine = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    for (size_t i = 0; i < level->plan.fixed_count; i++)
        dse_bits_add(&mine, level->plan.fixed[i]);
    return dse_bits_count(dse_bits_and(mine, dse_whatif_changes(question->space, &level->base, &config)));
}

static enum dse_status run_slice(void *user, size_t place, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct level *level = user;
    size_t index = level->slices[place];
    struct dse_slice *slice DSE_CLEANUP(dse_slice_drop) = NULL;
    DSE_TRY(dse_slice_open(level->question, &level->plan, index, level->work, &slice, err));
    return search_slice(level, slice, level->changes - own_changes(level, index), &level->found[place], &level->evaluated[place], err);
}

/* One level: every slice within the allowance. */
static enum dse_status run_level(struct level *level, size_t slices, struct dse_least_change *out, bool *any,
                                 struct dse_error *err)
{
    level->slice_count = 0;
    for (size_t i = 0; i < slices; i++)
        if (own_changes(level, i) <= level->changes)
            level->slices[level->slice_count++] = i;
    memset(level->found, 0, (slices + 1) * sizeof *level->found);
    memset(level->evaluated, 0, (slices + 1) * sizeof *level->evaluated);
    enum dse_status status = dse_parallel_for(level->slice_count, level->question->jobs, run_slice, level, level->question->monitor, err);
    out->changes = level->changes;
    double cost = INFINITY;
    for (size_t i = 0; i < level->slice_count; i++) {
        out->evaluated += level->evaluated[i];
        if (!level->found[i].any || (*any && level->found[i].cost >= cost))
            continue;
        *any = true;
        cost = level->found[i].cost;
        out->config = level->found[i].config;
    }
    out->cut = status == DSE_CANCELLED && *any;
    return out->cut ? DSE_OK : status;
}

/* Best value of the first objective in the space, and whether any design meets the limits: by the exact search. */
static enum dse_status reach(const struct dse_question *question, struct dse_least_change *out, bool *found, size_t *changes,
                             struct dse_error *err)
{
    struct dse_question one = *question;
    one.objective_count = 1;
    struct dse_answer answer;
    enum dse_status status = dse_search_exact(&one, &answer, err);
    *found = status == DSE_OK && answer.outcome == DSE_OUTCOME_FOUND;
    if (*found) {
        struct dse_config base = question->base, config = answer.front[0].config;
        dse_config_canonical(question->space, &base);
        dse_config_canonical(question->space, &config);
        out->best = answer.front[0].metrics[question->objectives[0]];
        *changes = dse_bits_count(dse_whatif_changes(question->space, &base, &config));
    }
    out->space_size = answer.space_size;
    dse_answer_free(&answer);
    return status;
}

/* Explains why no design meets the limits: the best values without them. */
static enum dse_status explain(const struct dse_question *question, struct dse_least_change *out, struct dse_error *err)
{
    struct dse_question free_of_limits = *question;
    free_of_limits.limit_count = 0;
    struct dse_least_change best;
    size_t changes = 0;
    bool found = false;
    DSE_TRY(reach(&free_of_limits, &best, &found, &changes, err));
    if (!found) {
        snprintf(out->why, sizeof out->why, "none of the %llu configurations of the search space is feasible",
                 (unsigned long long)best.space_size);
        return DSE_OK;
    }
    const struct dse_metric_info *metric = &dse_metrics[question->objectives[0]];
    char text[64];
    if (metric->dimension == DSE_DIMENSION_NONE)
        snprintf(text, sizeof text, "%.6g", best.best);
    else
        dse_quantity_format(text, sizeof text, metric->dimension, best.best);
    snprintf(out->why, sizeof out->why,
             "no change reaches the target: of the %llu configurations of the search space, the best feasible one has %s %s%s",
             (unsigned long long)best.space_size, metric->name, text,
             question->limit_count > 1 ? ", and none meets all limits" : "");
    return DSE_OK;
}

static enum dse_status deepen(struct level *level, size_t most, struct dse_least_change *out, struct dse_error *err)
{
    const struct dse_question *question = level->question;
    size_t slices = (size_t)level->plan.slices_per_alternative * question->alternative_count;
    level->slices = dse_calloc(slices + 1, sizeof *level->slices);
    level->found = dse_calloc(slices + 1, sizeof *level->found);
    level->evaluated = dse_calloc(slices + 1, sizeof *level->evaluated);
    enum dse_status status = dse_work_prepare(question, &level->work, err);
    bool any = false;
    for (level->changes = 0; level->changes <= most && !any && status == DSE_OK; level->changes++)
        status = run_level(level, slices, out, &any, err);
    dse_work_release(question, level->work);
    free(level->slices);
    free(level->found);
    free(level->evaluated);
    return status;
}

enum dse_status dse_whatif_least(const struct dse_question *question, struct dse_least_change *out,
                                 struct dse_error *err)
{
    *out = (struct dse_least_change){0};
    DSE_TRY(dse_filters_refuse(question, UINT32_MAX, "the search for the least change", err));
    size_t most = 0;
    DSE_TRY(reach(question, out, &out->found, &most, err));
    if (!out->found)
        return explain(question, out, err);
    out->known = most;
    struct level *level DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *level);
    level->question = question;
    level->base = question->base;
    dse_config_canonical(question->space, &level->base);
    DSE_TRY(dse_plan_make(question, false, &level->plan, err));
    enum dse_status status = deepen(level, most, out, err);
    out->found = status == DSE_OK;
    return status;
}
