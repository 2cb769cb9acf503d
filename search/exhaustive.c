/* Visits every configuration: the reference for the other methods.
 *
 * In a slice, the rows of some groups form a table whose designs are evaluated in parallel lanes (search/lanes.h). The rows of the other groups form
 * an odometer around the table, with incremental sums. The metrics, fits and limits of every design are computed. Designs dominated by an earlier
 * design are dropped; the rest is offered one by one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/saturate.h"
#include "search/filter.h"
#include "search/lanes.h"
#include "search/run.h"

#define GUARDS_SPARE 64

struct visit {
    const struct dse_question *question;
    const struct dse_plan *plan;
    const struct dse_slice *slice;
    struct dse_slice_result *result;
    uint64_t designs; /* designs in the slice */
    struct dse_lanes_table table;
    struct dse_lanes_rules rules;
    struct dse_lanes_block block;
    struct dse_lanes_guard *guards; /* most useful first */
    size_t guard_count, guard_capacity;
    size_t quality_at;              /* index of the quality among the objectives; their count if it is none */
    uint32_t rows[DSE_GROUP_MAX];
    struct dse_accumulators partial[DSE_GROUP_MAX + 1]; /* running sums over the outer groups */
};

/* ---- rules of the lanes ---- */

static void want(struct visit *visit, enum dse_metric metric)
{
    if (metric != DSE_METRIC_LATENCY && metric != DSE_METRIC_ENERGY && metric != DSE_METRIC_QUALITY)
        visit->rules.wants |= 1u << metric;
}

static void set_rules(struct visit *visit)
{
    const struct dse_question *q = visit->question;
    const struct dse_platform *platform = &visit->slice->platform;
    struct dse_lanes_rules *rules = &visit->rules;
    *rules = (struct dse_lanes_rules){.layout = &visit->table.layout, .units = (double)platform->units,
                                      .at_once = (double)platform->at_once,
                                      .share_nw = {platform->share_nw[DSE_BOUNDARY_KERNEL], platform->share_nw[DSE_BOUNDARY_SYSTEM]},
                                      .host_fs = (double)platform->host_fs, .batch = platform->batch, .bytes_per_s = platform->bytes_per_s,
                                      .s_per_byte = platform->s_per_byte, .streams = platform->streams, .waits = platform->waits,
                                      .fs_per_cycle = (double)platform->fs_per_cycle, .parts = platform->parts,
                                      .femto = platform->femto};
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        rules->caps[r] = platform->capped[r] < 0 ? -1.0 : (double)(platform->capped[r] / platform->units);
    for (size_t i = 0; i < q->limit_count; i++)
        if (q->limits[i].metric != DSE_METRIC_QUALITY)
            rules->limits[rules->limit_count++] = q->limits[i];
    visit->quality_at = q->objective_count;
    for (size_t i = 0; i < q->objective_count; i++)
        if (q->objectives[i] == DSE_METRIC_QUALITY)
            visit->quality_at = i;
        else
            rules->objectives[rules->objective_count++] = q->objectives[i];
    for (size_t i = 0; i < rules->limit_count; i++)
        want(visit, rules->limits[i].metric);
    for (size_t i = 0; i < rules->objective_count; i++)
        want(visit, rules->objectives[i]);
}

static bool quality_holds(const struct dse_question *question, double quality)
{
    bool holds = true;
    for (size_t i = 0; i < question->limit_count; i++)
        holds &= question->limits[i].metric != DSE_METRIC_QUALITY || dse_limit_holds(&question->limits[i], quality);
    return holds;
}

/* ---- guards ---- */

static void add_guard(struct visit *visit, const struct dse_lanes_guard *guard)
{
    dse_list_room(&visit->guards, &visit->guard_capacity, visit->guard_count, sizeof *visit->guards);
    visit->guards[visit->guard_count++] = *guard;
}

/* A design's costs as a guard of this slice: without quality, which is constant in the slice. */
static struct dse_lanes_guard guard_of(const struct visit *visit, const double *costs, double energy)
{
    struct dse_lanes_guard guard = {.energy = energy};
    size_t kept = 0;
    for (size_t o = 0; o < visit->question->objective_count; o++)
        if (o != visit->quality_at)
            guard.costs[kept++] = costs[o];
    return guard;
}

/* Guards from other slices: exclude only strictly dominated designs, because their energy is unknown here. */
static void add_known(struct visit *visit)
{
    size_t count = 0, objectives = visit->question->objective_count;
    const double *known = dse_run_known(visit->result, &count, NULL);
    double quality = -dse_quality_compared(visit->question->alternatives[visit->slice->alternative].quality);
    for (size_t i = 0; i < count; i++) {
        const double *costs = known + i * objectives;
        struct dse_lanes_guard guard = guard_of(visit, costs, INFINITY);
        if (visit->quality_at < objectives && quality < costs[visit->quality_at])
            continue;
        guard.strict = visit->quality_at < objectives && costs[visit->quality_at] < quality ? -1 : 0;
        add_guard(visit, &guard);
    }
}

/* After more than half of the guards were dominated by later ones, rebuilds them from the archive. */
static void renew_guards(struct visit *visit)
{
    const struct dse_archive *archive = &visit->result->archive;
    size_t known = 0;
    dse_run_known(visit->result, &known, NULL);
    if (visit->guard_count < known + 2 * archive->count + GUARDS_SPARE)
        return;
    visit->guard_count = 0;
    for (size_t i = archive->count; i > 0; i--) {
        struct dse_lanes_guard guard = guard_of(visit, archive->costs + (i - 1) * archive->objective_count,
                                                archive->points[i - 1].metrics[DSE_METRIC_ENERGY]);
        add_guard(visit, &guard);
    }
    add_known(visit);
}

/* Whether a guard excludes designs with at least these costs. */
static bool rules_out(const struct visit *visit, const struct dse_lanes_guard *guard, const struct dse_lanes_guard *least)
{
    bool strict = guard->strict != 0 || guard->energy < least->energy;
    for (size_t o = 0; o < visit->rules.objective_count; o++) {
        if (least->costs[o] < guard->costs[o])
            return false;
        strict |= guard->costs[o] < least->costs[o];
    }
    return strict;
}

static void promote(struct visit *visit, size_t index)
{
    struct dse_lanes_guard guard = visit->guards[index];
    visit->guards[index] = visit->guards[index / 2];
    visit->guards[index / 2] = guard;
}

/* Whether any design of the block survives all guards. Tests first the block's minimum of each cost, where success excludes the whole block; then
 * lane by lane. */
static bool survives(struct visit *visit)
{
    struct dse_lanes_guard least = {0};
    dse_lanes_least(&visit->rules, &visit->block, &least);
    for (size_t g = 0; g < visit->guard_count; g++)
        if (rules_out(visit, &visit->guards[g], &least)) {
            promote(visit, g);
            return false;
        }
    for (size_t g = 0; g < visit->guard_count; g++)
        if (!dse_lanes_guard(&visit->rules, &visit->block, &visit->guards[g])) {
            promote(visit, g);
            return false;
        }
    return true;
}

/* ---- designs ---- */

static void offer(struct visit *visit, size_t row, const struct dse_accumulators *outer)
{
    const struct dse_lanes_table *table = &visit->table;
    struct dse_accumulators sums = *outer;
    for (size_t i = table->inner_count; i > 0; i--) {
        const struct dse_group *group = &visit->slice->groups[table->inner[i - 1]];
        visit->rows[table->inner[i - 1]] = (uint32_t)(row % group->count);
        dse_accumulators_combine(&sums, &group->sums[row % group->count]);
        row /= group->count;
    }
    uint64_t evaluated = visit->result->evaluated, feasible = visit->result->feasible;
    dse_slice_offer(visit->question, visit->plan, visit->slice, visit->rows, &sums, visit->result);
    visit->result->evaluated = evaluated; /* the block is already counted */
    visit->result->feasible = feasible;
}

static void offer_survivors(struct visit *visit, size_t begin, const struct dse_accumulators *outer)
{
    struct dse_lanes_block *block = &visit->block;
    for (size_t i = 0; i < block->count; i++) {
        if (block->alive[i] == 0)
            continue;
        struct dse_lanes_guard guard = {.energy = block->metrics[DSE_METRIC_ENERGY][i]};
        for (size_t o = 0; o < visit->rules.objective_count; o++)
            guard.costs[o] = block->costs[o][i];
        offer(visit, begin + i, outer);
        add_guard(visit, &guard);
        dse_lanes_guard(&visit->rules, block, &guard); /* equal designs stay, because their configurations decide */
    }
    renew_guards(visit);
}

static void visit_table(struct visit *visit, const struct dse_accumulators *outer)
{
    const struct dse_lanes_table *table = &visit->table;
    struct dse_lanes_block *block = &visit->block;
    double columns[DSE_LANES_COLUMNS_MAX];
    dse_lanes_columns(&table->layout, &visit->slice->platform, outer, columns);
    block->outer = columns;
    block->stride = table->stride;
    for (size_t begin = 0; begin < table->rows; begin += DSE_LANES) {
        size_t left = table->rows - begin;
        block->columns = table->columns + begin;
        block->count = left < DSE_LANES ? left : DSE_LANES;
        visit->result->evaluated += block->count;
        size_t feasible = dse_lanes_visit(&visit->rules, block);
        visit->result->feasible += feasible;
        if (feasible > 0 && survives(visit))
            offer_survivors(visit, begin, outer);
    }
}

/* ---- the odometer ---- */

static enum dse_status turn(struct visit *visit, struct dse_error *err)
{
    const struct dse_lanes_table *table = &visit->table;
    size_t level = 0;
    memset(&visit->partial[0], 0, sizeof visit->partial[0]);
    for (;;) {
        for (; level < table->outer_count; level++) {
            size_t group = table->outer[level];
            visit->partial[level + 1] = visit->partial[level];
            dse_accumulators_combine(&visit->partial[level + 1], &visit->slice->groups[group].sums[visit->rows[group]]);
        }
        if (dse_monitor_cancelled(visit->question->monitor))
            return dse_fail_cancelled(err);
        if (table->columns != NULL)
            visit_table(visit, &visit->partial[level]);
        else /* numbers too large for lanes (times of seconds): integers, one design at a time */
            dse_slice_offer(visit->question, visit->plan, visit->slice, visit->rows, &visit->partial[level], visit->result);
        dse_run_progress(visit->result, visit->result->evaluated, visit->designs);
        while (level > 0 && ++visit->rows[table->outer[level - 1]] == visit->slice->groups[table->outer[level - 1]].count)
            visit->rows[table->outer[--level]] = 0;
        if (level == 0)
            return DSE_OK;
        level--;
    }
}

/* Number of designs of a slice without feasible designs. */
static uint64_t count_designs(const struct dse_plan *plan, const struct dse_slice *slice)
{
    uint64_t designs = 1;
    for (size_t g = 0; g < plan->group_count; g++)
        designs = dse_saturating_multiply(designs, slice->groups[g].count);
    return designs;
}

static enum dse_status visit_slice(const struct dse_question *question, const struct dse_plan *plan,
                                   const struct dse_slice *slice, struct dse_slice_result *result, struct dse_error *err)
{
    uint64_t designs = count_designs(plan, slice);
    if (designs == 0 || !slice->platform.clock_allowed ||
        !quality_holds(question, question->alternatives[slice->alternative].quality)) {
        result->evaluated += designs;
        dse_run_progress(result, 1, 1);
        return DSE_OK;
    }
    struct visit *visit = aligned_alloc(64, (sizeof *visit + 63) / 64 * 64);
    memset(visit, 0, sizeof *visit);
    visit->question = question;
    visit->plan = plan;
    visit->slice = slice;
    visit->result = result;
    visit->designs = designs;
    if (dse_filters_on_metrics(question)) /* conditions are checked design by design */
        dse_lanes_table_empty(plan, &visit->table);
    else
        dse_lanes_table_make(plan, slice, &visit->table);
    set_rules(visit);
    add_known(visit);
    enum dse_status status = turn(visit, err);
    if (status == DSE_OK)
        dse_run_progress(result, 1, 1);
    free(visit->table.columns);
    free(visit->guards);
    free(visit);
    return status;
}

enum dse_status dse_search_exhaustive(const struct dse_question *question, struct dse_answer *answer,
                                      struct dse_error *err)
{
    return dse_search_run(question, visit_slice, false, answer, err);
}
