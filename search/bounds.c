#include "search/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/saturate.h"
#include "search/tables.h"

/* Bounds of one of the plan's groups for one data set. One entry per class of alternatives and combination of the fixed knobs that the group's blocks
 * read. */
struct column {
    size_t *strides; /* for the plan's fixed knobs; 0: not read */
    size_t *classes; /* per alternative */
    size_t class_stride;
    const struct dse_group_bounds **bounds;
    size_t count;
};

struct want {
    size_t set, group, place;
    uint64_t slice; /* a slice that uses it */
};

struct dse_bounds_table {
    const struct dse_question *question;
    const struct dse_plan *plan;
    size_t sets;
    struct dse_question of[DSE_SETS_MAX]; /* the question for each data set alone */
    void *const *work[DSE_SETS_MAX];
    struct column *columns; /* sets x groups */
    struct want *wanted; /* during construction */
    size_t wanted_count, wanted_capacity;
};

static struct column *column_of(const struct dse_bounds_table *table, size_t set, size_t group)
{
    return &table->columns[set * table->plan->group_count + group];
}

static size_t place_of(const struct dse_bounds_table *table, size_t set, size_t group, uint64_t index)
{
    const struct dse_plan *plan = table->plan;
    const struct column *column = column_of(table, set, group);
    uint64_t rest = index % plan->slices_per_alternative;
    size_t place = column->classes[index / plan->slices_per_alternative] * column->class_stride;
    for (size_t i = plan->fixed_count; i > 0; i--) {
        size_t domain = table->question->space->knobs[plan->fixed[i - 1]].domain_count;
        place += rest % domain * column->strides[i - 1];
        rest /= domain;
    }
    return place;
}

/* ---- making ---- */

/* Whether alternatives belong to one class: same workload, and equal values of the knobs in `reads`. */
static bool same_class(const struct dse_question *question, dse_knob_set reads, size_t a, size_t b)
{
    const struct dse_alternative *x = &question->alternatives[a], *y = &question->alternatives[b];
    if (x->workload != y->workload)
        return false;
    for DSE_BITS_EACH(knob, reads) {
        if (x->config.value[knob] != y->config.value[knob])
            return false;
    }
    return true;
}

static size_t find_classes(const struct dse_question *question, dse_knob_set reads, size_t *classes)
{
    size_t count = 0;
    for (size_t a = 0; a < question->alternative_count; a++) {
        classes[a] = count;
        for (size_t b = 0; b < a && classes[a] == count; b++)
            if (same_class(question, reads, a, b))
                classes[a] = classes[b];
        count += classes[a] == count;
    }
    return count;
}

static void lay_out(struct dse_bounds_table *table, size_t set, size_t group)
{
    const struct dse_question *question = &table->of[set];
    const struct dse_plan *plan = table->plan;
    struct column *column = column_of(table, set, group);
    dse_knob_set reads = {{0}};
    for (size_t b = 0; b < plan->groups[group].block_count; b++)
        reads = dse_bits_or(reads, dse_block_reads(question, plan->groups[group].blocks[b]));
    column->strides = dse_calloc(plan->fixed_count, sizeof *column->strides);
    column->class_stride = 1;
    for (size_t i = plan->fixed_count; i > 0; i--)
        if (dse_bits_has(reads, plan->fixed[i - 1])) {
            column->strides[i - 1] = column->class_stride;
            column->class_stride *= question->space->knobs[plan->fixed[i - 1]].domain_count;
        }
    column->classes = dse_malloc((question->alternative_count + 1) * sizeof *column->classes);
    dse_knob_set algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    column->count = column->class_stride * find_classes(question, dse_bits_and(reads, algorithmic), column->classes);
    column->bounds = dse_calloc(column->count + 1, sizeof *column->bounds);
}

/* Marks an entry that is queued for computation. */
static const struct dse_group_bounds on_its_way;

static void want_slice(struct dse_bounds_table *table, uint64_t index)
{
    for (size_t i = 0; i < table->sets * table->plan->group_count; i++) {
        size_t set = i % table->sets, g = i / table->sets, place = place_of(table, set, g, index);
        if (column_of(table, set, g)->bounds[place] != NULL)
            continue;
        dse_list_room(&table->wanted, &table->wanted_capacity, table->wanted_count, sizeof *table->wanted);
        column_of(table, set, g)->bounds[place] = &on_its_way;
        table->wanted[table->wanted_count++] = (struct want){set, g, place, index};
    }
}

static enum dse_status make_one(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct dse_bounds_table *table = user;
    const struct want *want = &table->wanted[index];
    struct dse_config config;
    const struct dse_question *own = &table->of[want->set];
    size_t alternative = dse_slice_fixed(own, table->plan, want->slice, &config);
    return dse_group_bounds_get(own, &table->plan->groups[want->group], &config, alternative, table->work[want->set][alternative],
                                 &column_of(table, want->set, want->group)->bounds[want->place], err);
}

static enum dse_status make_all(struct dse_bounds_table *table, struct dse_error *err)
{
    const struct dse_question *question = table->question;
    uint64_t slices = table->plan->slices_per_alternative * question->alternative_count;
    for (size_t set = 0; set < table->sets; set++)
        for (size_t g = 0; g < table->plan->group_count; g++)
            lay_out(table, set, g);
    for (uint64_t i = 0; i < slices; i++) {
        struct dse_config config;
        dse_slice_fixed(question, table->plan, i, &config);
        if (dse_slice_canonical(question, table->plan, &config))
            want_slice(table, i);
    }
    return dse_parallel_for(table->wanted_count, question->jobs, make_one, table, question->monitor, err);
}

enum dse_status dse_bounds_make(const struct dse_question *question, const struct dse_plan *plan, void *const *work,
                                struct dse_bounds_table **out, struct dse_error *err)
{
    struct dse_bounds_table *table = dse_calloc(1, sizeof *table);
    *out = NULL;
    table->question = question;
    table->plan = plan;
    table->sets = dse_question_sets(question);
    table->columns = dse_calloc(table->sets * plan->group_count, sizeof *table->columns);
    for (size_t set = 0; set < table->sets; set++) {
        table->of[set] = *question;
        table->of[set].alternatives = question->sets != NULL ? question->sets->alternatives[set] : question->alternatives;
        table->work[set] = question->sets != NULL ? question->sets->work[set] : work;
    }
    enum dse_status status = make_all(table, err);
    free(table->wanted);
    table->wanted = NULL;
    if (status == DSE_OK)
        *out = table;
    else
        dse_bounds_free(table);
    return status;
}

void dse_bounds_free(struct dse_bounds_table *table)
{
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->sets * table->plan->group_count; i++) {
        free(table->columns[i].strides);
        free(table->columns[i].classes);
        free(table->columns[i].bounds);
    }
    free(table->columns);
    free(table);
}

/* ---- one slice ---- */

/* With several data sets a block has the size that the most demanding one needs. Resources and standby power of a group therefore lie between the
 * largest minimum and the sum of all maxima. */
static void share_hardware(const struct dse_group_bounds *const *groups, size_t sets, struct dse_extent *shared)
{
    memset(shared, 0, sizeof *shared);
    for (size_t set = 0; set < sets; set++) {
        const struct dse_extent *own = &groups[set]->extent;
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
            shared->most.resources[r] += own->most.resources[r];
            if (own->least.resources[r] > shared->least.resources[r])
                shared->least.resources[r] = own->least.resources[r];
        }
        shared->most.idle_nw += own->most.idle_nw;
        if (own->least.idle_nw > shared->least.idle_nw)
            shared->least.idle_nw = own->least.idle_nw;
    }
}

static void take_hardware(const struct dse_accumulators *shared, struct dse_accumulators *own)
{
    memcpy(own->resources, shared->resources, sizeof own->resources);
    own->idle_nw = shared->idle_nw;
}

static void add_group(const struct dse_bounds_table *table, size_t g, uint64_t index, struct dse_bounds *out)
{
    const struct dse_group_bounds *groups[DSE_SETS_MAX];
    struct dse_extent shared;
    size_t sets = table->sets;
    for (size_t set = 0; set < sets; set++) {
        groups[set] = column_of(table, set, g)->bounds[place_of(table, set, g, index)];
        if (out->unbuildable == 0 || (groups[set]->count == 0 && groups[set]->unbuildable > 0))
            out->rejection = groups[set]->rejection;
        out->unbuildable += groups[set]->unbuildable;
        out->empty |= groups[set]->count == 0;
    }
    out->size = dse_saturating_multiply(out->size, groups[0]->distinct);
    if (sets > 1)
        share_hardware(groups, sets, &shared);
    for (size_t set = 0; set < sets; set++) {
        struct dse_extent own = groups[set]->extent;
        if (sets > 1) {
            take_hardware(&shared.least, &own.least);
            take_hardware(&shared.most, &own.most);
        }
        dse_accumulators_combine(&out->least[set], &own.least);
        dse_accumulators_combine(&out->most[set], &own.most);
    }
}

void dse_bounds_get(const struct dse_bounds_table *table, uint64_t index, struct dse_bounds *out)
{
    const struct dse_question *question = table->question;
    out->alternative = dse_slice_fixed(question, table->plan, index, &out->config);
    out->size = out->unbuildable = 0;
    out->rejection = "";
    out->empty = true;
    if (!dse_slice_canonical(question, table->plan, &out->config))
        return;
    dse_question_platform(question, &out->config, &out->platform);
    memset(out->least, 0, table->sets * sizeof *out->least);
    memset(out->most, 0, table->sets * sizeof *out->most);
    out->size = 1;
    out->empty = !out->platform.clock_allowed;
    for (size_t g = 0; g < table->plan->group_count; g++)
        add_group(table, g, index, out);
    if (dse_bits_any(table->plan->joined))
        out->size = dse_plan_designs(question, table->plan, &out->config);
}

/* Power of these sums over a time; 0 for a time of 0. */
static double power_of(const struct dse_bounds *bounds, enum dse_boundary at, const struct dse_accumulators *sums, double time_s)
{
    const struct dse_platform *platform = &bounds->platform;
    double idle_nw = platform->share_nw[at] + (double)sums->idle_nw;
    return (double)platform->units * (1e-9 * idle_nw + (time_s > 0.0 ? platform->femto * (double)dse_dynamic_fj(platform, sums, at) / time_s : 0.0));
}

/* Time over which a boundary's energy is spent, for sums and their metrics. */
static double time_of(enum dse_boundary at, const struct dse_platform *platform, const struct dse_accumulators *sums, const double metrics[DSE_METRIC_COUNT])
{
    return dse_elapsed_s(platform, sums, at, metrics[DSE_METRIC_LATENCY], metrics[DSE_METRIC_LATENCY]);
}

/* Power falls with time: its range is from the minimum sums over the maximum time to the reverse. */
static void range_power(const struct dse_question *question, const struct dse_bounds *bounds, double low[DSE_METRIC_COUNT],
                        double high[DSE_METRIC_COUNT])
{
    const struct dse_platform *platform = &bounds->platform;
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++) {
        double shortest = time_of((enum dse_boundary)b, platform, bounds->least, low), longest = time_of((enum dse_boundary)b, platform, bounds->most, high);
        enum dse_metric power = dse_power_metrics[b];
        low[power] = power_of(bounds, (enum dse_boundary)b, bounds->least, longest) * (1.0 - 1e-12);
        high[power] = shortest > 0.0 ? power_of(bounds, (enum dse_boundary)b, bounds->most, shortest) * (1.0 + 1e-12) : INFINITY;
        if (question->sets != NULL || bounds->platform.pipelined) { /* undefined for data sets or pipelines: methods that use bounds do not ask for it */
            low[power] = 0.0;
            high[power] = INFINITY;
        }
    }
}

static void range(const struct dse_question *question, const struct dse_bounds *bounds, double low[DSE_METRIC_COUNT],
                       double high[DSE_METRIC_COUNT])
{
    dse_question_derive(question, &bounds->platform, bounds->least, bounds->alternative, low);
    dse_question_derive(question, &bounds->platform, bounds->most, bounds->alternative, high);
    static const enum dse_metric rates[] = {DSE_METRIC_THROUGHPUT, DSE_METRIC_THROUGHPUT_SYSTEM};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        double most_hz = low[rates[i]]; /* from the minimum bytes and the minimum time */
        low[rates[i]] = high[rates[i]];
        high[rates[i]] = most_hz;
    }
    range_power(question, bounds, low, high);
    low[DSE_METRIC_QUALITY] = high[DSE_METRIC_QUALITY] = question->alternatives[bounds->alternative].quality;
}

bool dse_bounds_infeasible(const struct dse_question *question, const struct dse_bounds *bounds, double costs[DSE_OBJECTIVE_MAX])
{
    double low[DSE_METRIC_COUNT], high[DSE_METRIC_COUNT];
    if (bounds->empty || !dse_fits(&bounds->platform, bounds->least, NULL))
        return true;
    range(question, bounds, low, high);
    for (size_t i = 0; i < question->limit_count; i++) {
        const struct dse_limit *limit = &question->limits[i];
        if (!dse_limit_holds(limit, limit->at_least ? high[limit->metric] : low[limit->metric]))
            return true;
    }
    for (size_t o = 0; o < question->objective_count; o++) {
        bool most = dse_metrics[question->objectives[o]].higher_is_better != (question->goal == DSE_GOAL_WORST);
        costs[o] = dse_question_cost(question, o, most ? high : low);
    }
    return false;
}
