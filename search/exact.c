/* The exact front of a slice, without visiting its designs.
 *
 * A design is one row of each group, and its metrics grow with every component of its sums. So a row that is
 * nowhere better than another row of its group can be dropped, and so can a partial design (a row of each of some
 * groups) against another of the same groups: whatever completes the one completes the other no worse. Groups are
 * merged one after another and pruned in between.
 *
 * Only the components that the question can see are compared: the times of the stages (a stage that no further
 * group touches closes into one sum), energy, idle power, and the resources that are objectives. The board's caps
 * on the other resources are at first left out. If every design of the front found so holds them, it is the front of
 * the capped question too: a capped design that it lacked would be dominated by an uncapped one, and that by one of
 * the front. If not, the resources that are over join the comparison and the slice is merged again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/run.h"

#define DIMENSIONS_MAX 40
#define CANDIDATES 65536 /* partial designs collected between two prunings */

/* What the vectors of a slice hold. */
struct layout {
    size_t count;
    bool takes_maximum[DIMENSIONS_MAX]; /* else added */
    bool both_ways[DIMENSIONS_MAX];     /* some metric falls as it grows: only equals compare */
    int time[DSE_CASE_COUNT];           /* dimension of the closed stages' time, or −1 */
    int busy[DSE_CASE_COUNT][DSE_STAGE_MAX];                  /* of an open stage's slowest block, or −1 */
    int moving[DSE_CASE_COUNT][DSE_STAGE_MAX][DSE_MEMORY_MAX]; /* of an open stage's shared memory, or −1 */
    int energy, idle, bytes[DSE_MEMORY_MAX];
    int resource[DSE_RESOURCE_COUNT];
    int64_t cap[DIMENSIONS_MAX];        /* of a resource; INT64_MAX elsewhere */
};

/* Partial designs: vectors of the layout's count, and the row of each group merged so far. */
struct partial {
    int64_t *values;
    uint32_t *rows; /* count × DSE_GROUP_MAX of the plan: group_count */
    size_t count;
};

struct merge {
    const struct dse_question *question;
    const struct dse_plan *plan;
    const struct dse_slice *slice;
    struct layout layout;
    bool touches[DSE_GROUP_MAX][DSE_STAGE_MAX]; /* the group has cycles or bytes in the stage */
    bool moves[DSE_GROUP_MAX][DSE_STAGE_MAX][DSE_MEMORY_MAX];
    size_t order[DSE_GROUP_MAX];                /* of the groups */
    size_t last[DSE_STAGE_MAX];                 /* the place in the order of the last group that touches it */
    unsigned capped;                            /* resources whose caps are compared, a bit each */
    int64_t caps[DSE_RESOURCE_COUNT];           /* the board's and the question's, for one unit */
};

/* ---- what the question can see ---- */

static bool asks(const struct dse_question *question, enum dse_metric metric)
{
    for (size_t i = 0; i < question->objective_count; i++)
        if (question->objectives[i] == metric)
            return true;
    for (size_t i = 0; i < question->limit_count; i++)
        if (question->limits[i].metric == metric)
            return true;
    return false;
}

/* A limit from the wrong side (latency ≥ …) makes a worse value necessary: nothing may be dropped for being
 * better elsewhere. */
static bool has_reverse_limit(const struct dse_question *question)
{
    for (size_t i = 0; i < question->limit_count; i++)
        if (question->limits[i].at_least != dse_metrics[question->limits[i].metric].higher_is_better)
            return true;
    return false;
}

static int add_dimension(struct layout *layout, bool takes_maximum, bool both_ways, int64_t cap)
{
    layout->takes_maximum[layout->count] = takes_maximum;
    layout->both_ways[layout->count] = both_ways;
    layout->cap[layout->count] = cap;
    return (int)layout->count++;
}

static void note_touches(struct merge *merge)
{
    for (size_t g = 0; g < merge->plan->group_count; g++) {
        const struct dse_group *group = &merge->slice->groups[g];
        for (size_t row = 0; row < group->count; row++) {
            const struct dse_accumulators *sums = &group->sums[row];
            for (int c = 0; c < DSE_CASE_COUNT; c++)
                for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
                    merge->touches[g][s] |= sums->busy_cycles[c][s] > 0;
                    for (int m = 0; m < DSE_MEMORY_MAX; m++)
                        if (sums->bytes[c][s][m] > 0)
                            merge->touches[g][s] = merge->moves[g][s][m] = true;
                }
        }
    }
}

static size_t groups_touching(const struct merge *merge, size_t stage)
{
    size_t count = 0;
    for (size_t g = 0; g < merge->plan->group_count; g++)
        count += merge->touches[g][stage];
    return count;
}

static size_t groups_moving(const struct merge *merge, size_t stage, int memory)
{
    size_t count = 0;
    for (size_t g = 0; g < merge->plan->group_count; g++)
        count += merge->moves[g][stage][memory];
    return count;
}

static void lay_out_time(struct merge *merge, enum dse_case which, bool both_ways)
{
    struct layout *layout = &merge->layout;
    layout->time[which] = add_dimension(layout, false, both_ways, INT64_MAX);
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        if (groups_touching(merge, s) < 2)
            continue;
        layout->busy[which][s] = add_dimension(layout, true, both_ways, INT64_MAX);
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            if (groups_moving(merge, s, m) > 1)
                layout->moving[which][s][m] = add_dimension(layout, false, both_ways, INT64_MAX);
    }
}

static void lay_out(struct merge *merge)
{
    const struct dse_question *q = merge->question;
    struct layout *layout = &merge->layout;
    memset(layout, 0, sizeof *layout);
    memset(layout->time, -1, sizeof layout->time);
    memset(layout->busy, -1, sizeof layout->busy);
    memset(layout->moving, -1, sizeof layout->moving);
    memset(layout->bytes, -1, sizeof layout->bytes);
    memset(layout->resource, -1, sizeof layout->resource);
    layout->energy = layout->idle = -1;
    bool reverse = has_reverse_limit(q), power = asks(q, DSE_METRIC_POWER);
    bool energy = power || asks(q, DSE_METRIC_ENERGY);
    bool throughput = asks(q, DSE_METRIC_THROUGHPUT);
    if (energy || throughput || asks(q, DSE_METRIC_LATENCY) || asks(q, DSE_METRIC_CYCLES))
        lay_out_time(merge, DSE_CASE_MEAN, reverse || power);
    if (asks(q, DSE_METRIC_LATENCY_P99))
        lay_out_time(merge, DSE_CASE_TAIL, reverse);
    if (energy) {
        layout->energy = add_dimension(layout, false, reverse, INT64_MAX);
        layout->idle = add_dimension(layout, false, reverse, INT64_MAX);
    }
    if (throughput || asks(q, DSE_METRIC_DDR_BYTES) || asks(q, DSE_METRIC_DRAM_ENERGY))
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            layout->bytes[m] = add_dimension(layout, false, reverse, INT64_MAX);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        bool seen = (merge->capped >> r & 1) != 0 || reverse;
        for (int metric = 0; metric < DSE_METRIC_COUNT; metric++)
            seen |= dse_metrics[metric].resource == r && asks(q, (enum dse_metric)metric);
        if (seen)
            layout->resource[r] = add_dimension(layout, false, reverse, merge->caps[r]);
    }
}

/* ---- rows as vectors ---- */

static int64_t bytes_fs(const struct merge *merge, const struct dse_accumulators *sums, enum dse_case which,
                        size_t stage, int memory)
{
    return sums->bytes[which][stage][memory] * merge->slice->platform.fs_per_byte[memory];
}

static void put_time(const struct merge *merge, size_t group, const struct dse_accumulators *sums,
                     enum dse_case which, int64_t *vector)
{
    const struct layout *layout = &merge->layout;
    if (layout->time[which] < 0)
        return;
    int64_t *closed = &vector[layout->time[which]];
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        int64_t busy = sums->busy_cycles[which][s] * merge->slice->platform.fs_per_cycle;
        for (int m = 0; m < DSE_MEMORY_MAX; m++) {
            int64_t moving = bytes_fs(merge, sums, which, s, m);
            if (layout->moving[which][s][m] >= 0)
                vector[layout->moving[which][s][m]] = moving;
            else if (moving > busy)
                busy = moving; /* nobody else moves bytes there and then */
        }
        *closed += sums->fill_cycles[which][s] * merge->slice->platform.fs_per_cycle;
        if (layout->busy[which][s] >= 0)
            vector[layout->busy[which][s]] = busy;
        else if (merge->touches[group][s])
            *closed += busy;
    }
}

static void row_vector(const struct merge *merge, size_t group, const struct dse_accumulators *sums, int64_t *vector)
{
    const struct layout *layout = &merge->layout;
    memset(vector, 0, layout->count * sizeof *vector);
    put_time(merge, group, sums, DSE_CASE_MEAN, vector);
    put_time(merge, group, sums, DSE_CASE_TAIL, vector);
    if (layout->energy >= 0) {
        vector[layout->energy] = sums->energy_fj;
        vector[layout->idle] = sums->idle_nw;
    }
    for (int m = 0; m < DSE_MEMORY_MAX; m++)
        if (layout->bytes[m] >= 0)
            for (size_t s = 0; s < DSE_STAGE_MAX; s++)
                vector[layout->bytes[m]] += sums->bytes[DSE_CASE_MEAN][s][m];
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (layout->resource[r] >= 0)
            vector[layout->resource[r]] = sums->resources[r];
}

/* Closes the stages whose last group stands at `place` in the order. */
static void close_stages(const struct merge *merge, size_t place, int64_t *vector)
{
    const struct layout *layout = &merge->layout;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
            if (layout->busy[c][s] < 0 || merge->last[s] != place)
                continue;
            int64_t longest = vector[layout->busy[c][s]];
            vector[layout->busy[c][s]] = 0;
            for (int m = 0; m < DSE_MEMORY_MAX; m++) {
                if (layout->moving[c][s][m] < 0)
                    continue;
                int64_t *moving = &vector[layout->moving[c][s][m]];
                longest = *moving > longest ? *moving : longest;
                *moving = 0;
            }
            vector[layout->time[c]] += longest;
        }
    }
}

/* ---- fronts of vectors ---- */

static bool dominates(const struct layout *layout, const int64_t *a, const int64_t *b)
{
    for (size_t d = 0; d < layout->count; d++)
        if (a[d] > b[d] || (layout->both_ways[d] && a[d] != b[d]))
            return false;
    return true;
}

struct sorting {
    const int64_t *vector;
    const uint32_t *rows;
    size_t dimensions, groups;
};

static int compare_sorting(const void *a, const void *b)
{
    const struct sorting *x = a, *y = b;
    for (size_t d = 0; d < x->dimensions; d++)
        if (x->vector[d] != y->vector[d])
            return x->vector[d] < y->vector[d] ? -1 : 1;
    for (size_t g = 0; g < x->groups; g++)
        if (x->rows[g] != y->rows[g])
            return x->rows[g] < y->rows[g] ? -1 : 1;
    return 0;
}

/* Keeps what nothing else dominates; of equals the one with the smaller rows. After sorting only an earlier vector
 * can dominate a later one. The one that dominated last is tried first: it often dominates again. */
static enum dse_status prune(const struct merge *merge, struct partial *partial, struct dse_error *err)
{
    size_t dimensions = merge->layout.count, groups = merge->plan->group_count;
    struct sorting *order = malloc((partial->count + 1) * sizeof *order);
    struct partial kept = {.values = malloc((partial->count + 1) * (dimensions + 1) * sizeof *kept.values),
                           .rows = malloc((partial->count + 1) * groups * sizeof *kept.rows)};
    if (order == NULL || kept.values == NULL || kept.rows == NULL) {
        free(order);
        free(kept.values);
        free(kept.rows);
        return dse_fail_memory(err);
    }
    for (size_t i = 0; i < partial->count; i++)
        order[i] = (struct sorting){partial->values + i * dimensions, partial->rows + i * groups, dimensions, groups};
    qsort(order, partial->count, sizeof *order, compare_sorting);
    size_t recent = 0;
    for (size_t i = 0; i < partial->count; i++) {
        const int64_t *vector = order[i].vector;
        bool dominated = kept.count > 0 && dominates(&merge->layout, kept.values + recent * dimensions, vector);
        for (size_t k = 0; k < kept.count && !dominated; k++) {
            dominated = dominates(&merge->layout, kept.values + k * dimensions, vector);
            if (dominated)
                recent = k;
        }
        if (dominated)
            continue;
        memcpy(kept.values + kept.count * dimensions, vector, dimensions * sizeof *vector);
        memcpy(kept.rows + kept.count * groups, order[i].rows, groups * sizeof *kept.rows);
        kept.count++;
    }
    free(order);
    free(partial->values);
    free(partial->rows);
    *partial = kept;
    return DSE_OK;
}

static bool within_caps(const struct layout *layout, const int64_t *vector)
{
    for (size_t d = 0; d < layout->count; d++)
        if (vector[d] > layout->cap[d])
            return false;
    return true;
}

/* The pruned rows of a group; rows that no board could hold alone are left out. */
static enum dse_status start_partial(const struct merge *merge, size_t group, struct partial *out,
                                     struct dse_error *err)
{
    const struct dse_group *source = &merge->slice->groups[group];
    size_t dimensions = merge->layout.count, groups = merge->plan->group_count;
    *out = (struct partial){.values = calloc((source->count + 1) * (dimensions + 1), sizeof *out->values),
                            .rows = calloc((source->count + 1) * groups, sizeof *out->rows)};
    if (out->values == NULL || out->rows == NULL)
        return dse_fail_memory(err);
    for (size_t row = 0; row < source->count; row++) {
        bool fits = true;
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            fits &= source->sums[row].resources[r] <= merge->caps[r];
        if (!fits)
            continue;
        row_vector(merge, group, &source->sums[row], out->values + out->count * dimensions);
        out->rows[out->count * groups + group] = (uint32_t)row;
        out->count++;
    }
    return prune(merge, out, err);
}

static void join(const struct merge *merge, size_t place, const struct partial *left, size_t l,
                 const struct partial *right, size_t r, struct partial *out)
{
    const struct layout *layout = &merge->layout;
    size_t dimensions = layout->count, groups = merge->plan->group_count, group = merge->order[place];
    int64_t *vector = out->values + out->count * dimensions;
    const int64_t *a = left->values + l * dimensions, *b = right->values + r * dimensions;
    for (size_t d = 0; d < dimensions; d++)
        vector[d] = layout->takes_maximum[d] ? (a[d] > b[d] ? a[d] : b[d]) : a[d] + b[d];
    if (!within_caps(layout, vector))
        return;
    close_stages(merge, place, vector);
    uint32_t *rows = out->rows + out->count * groups;
    memcpy(rows, left->rows + l * groups, groups * sizeof *rows);
    rows[group] = right->rows[r * groups + group];
    out->count++;
}

/* Makes room for another `CANDIDATES` behind what a pruning left. */
static enum dse_status widen(const struct merge *merge, struct partial *partial, size_t *capacity,
                             struct dse_error *err)
{
    *capacity = partial->count + CANDIDATES;
    int64_t *values = realloc(partial->values, *capacity * (merge->layout.count + 1) * sizeof *values);
    if (values != NULL)
        partial->values = values;
    uint32_t *rows = realloc(partial->rows, *capacity * merge->plan->group_count * sizeof *rows);
    if (rows != NULL)
        partial->rows = rows;
    return values == NULL || rows == NULL ? dse_fail_memory(err) : DSE_OK;
}

static enum dse_status combine(const struct merge *merge, size_t place, const struct partial *left,
                               const struct partial *right, struct partial *out, uint64_t *evaluated,
                               struct dse_error *err)
{
    size_t capacity = 0;
    *out = (struct partial){0};
    enum dse_status status = widen(merge, out, &capacity, err);
    for (size_t l = 0; l < left->count && status == DSE_OK; l++) {
        if (dse_monitor_cancelled(merge->question->monitor))
            status = dse_fail(err, DSE_LIMIT, "interrupted");
        for (size_t r = 0; r < right->count && status == DSE_OK; r++) {
            if (out->count == capacity) {
                status = prune(merge, out, err);
                if (status == DSE_OK)
                    status = widen(merge, out, &capacity, err);
                if (status != DSE_OK)
                    break;
            }
            join(merge, place, left, l, right, r, out);
            ++*evaluated;
        }
    }
    return status == DSE_OK ? prune(merge, out, err) : status;
}

/* ---- the slice ---- */

/* The order of merging: next the group that closes the most stages, of equals the smaller. */
static void choose_order(struct merge *merge)
{
    size_t count = merge->plan->group_count;
    bool taken[DSE_GROUP_MAX] = {false};
    size_t open[DSE_STAGE_MAX];
    for (size_t s = 0; s < DSE_STAGE_MAX; s++)
        open[s] = groups_touching(merge, s);
    for (size_t place = 0; place < count; place++) {
        size_t best = DSE_GROUP_MAX, best_closed = 0;
        for (size_t g = 0; g < count; g++) {
            if (taken[g])
                continue;
            size_t closed = 0;
            for (size_t s = 0; s < DSE_STAGE_MAX; s++)
                closed += merge->touches[g][s] && open[s] <= 1;
            bool better = best == DSE_GROUP_MAX || closed > best_closed ||
                          (closed == best_closed &&
                           merge->slice->groups[g].count < merge->slice->groups[best].count);
            if (better) {
                best = g;
                best_closed = closed;
            }
        }
        taken[best] = true;
        merge->order[place] = best;
        for (size_t s = 0; s < DSE_STAGE_MAX; s++)
            if (merge->touches[best][s]) {
                open[s]--;
                merge->last[s] = place;
            }
    }
}

static void free_partial(struct partial *partial)
{
    free(partial->values);
    free(partial->rows);
    *partial = (struct partial){0};
}

static enum dse_status merge_groups(struct merge *merge, struct partial *front, uint64_t *evaluated,
                                    struct dse_error *err)
{
    enum dse_status status = start_partial(merge, merge->order[0], front, err);
    for (size_t i = 0; i < front->count; i++)
        close_stages(merge, 0, front->values + i * merge->layout.count);
    for (size_t place = 1; place < merge->plan->group_count && status == DSE_OK; place++) {
        struct partial right = {0}, merged = {0};
        status = start_partial(merge, merge->order[place], &right, err);
        if (status == DSE_OK)
            status = combine(merge, place, front, &right, &merged, evaluated, err);
        free_partial(&right);
        free_partial(front);
        *front = merged;
    }
    return status;
}

static void sum_rows(const struct merge *merge, const uint32_t *rows, struct dse_accumulators *sums)
{
    memset(sums, 0, sizeof *sums);
    for (size_t g = 0; g < merge->plan->group_count; g++)
        dse_accumulators_combine(sums, &merge->slice->groups[g].sums[rows[g]]);
}

/* The resources whose caps some design of the front breaks, though they were not compared. */
static unsigned broken_caps(const struct merge *merge, const struct partial *front)
{
    unsigned broken = 0;
    for (size_t i = 0; i < front->count; i++) {
        struct dse_accumulators sums;
        sum_rows(merge, front->rows + i * merge->plan->group_count, &sums);
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            if (sums.resources[r] > merge->caps[r])
                broken |= 1u << r;
    }
    return broken & ~merge->capped;
}

static void set_caps(struct merge *merge)
{
    const struct dse_platform *platform = &merge->slice->platform;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        double cap = (double)platform->capped[r];
        for (size_t i = 0; i < merge->question->limit_count; i++) {
            const struct dse_limit *limit = &merge->question->limits[i];
            if (dse_metrics[limit->metric].resource == r && !limit->at_least)
                cap = fmin(cap, floor(limit->bound));
        }
        merge->caps[r] = cap < 0.0 ? -1 : (int64_t)cap / platform->units;
    }
}

/* The best that a slice could hold: every component at its least over each group. False where some metric of the
 * question does not grow with the sums. */
static bool ideal_costs(const struct merge *merge, double costs[DSE_OBJECTIVE_MAX])
{
    const struct dse_question *q = merge->question;
    if (asks(q, DSE_METRIC_POWER) || has_reverse_limit(q))
        return false;
    struct dse_accumulators total;
    memset(&total, 0, sizeof total);
    for (size_t g = 0; g < merge->plan->group_count; g++) {
        const struct dse_group *group = &merge->slice->groups[g];
        struct dse_accumulators least = group->sums[0];
        int64_t *low = (int64_t *)&least;
        for (size_t row = 1; row < group->count; row++) {
            const int64_t *values = (const int64_t *)&group->sums[row];
            for (size_t i = 0; i < sizeof least / sizeof *low; i++)
                low[i] = values[i] < low[i] ? values[i] : low[i];
        }
        dse_accumulators_combine(&total, &least);
    }
    double metrics[DSE_METRIC_COUNT];
    dse_slice_metrics(q, merge->slice, &total, metrics);
    for (size_t o = 0; o < q->objective_count; o++)
        costs[o] = dse_objective_cost(q->objectives[o], metrics);
    return true;
}

_Static_assert(sizeof(struct dse_accumulators) % sizeof(int64_t) == 0, "accumulators are whole numbers alone");

static enum dse_status merge_slice(const struct dse_question *question, const struct dse_plan *plan,
                                   const struct dse_slice *slice, struct dse_slice_result *result,
                                   struct dse_error *err)
{
    for (size_t g = 0; g < plan->group_count; g++)
        if (slice->groups[g].count == 0)
            return DSE_OK;
    if (!slice->platform.clock_allowed)
        return DSE_OK;
    struct merge merge = {.question = question, .plan = plan, .slice = slice};
    set_caps(&merge);
    double costs[DSE_OBJECTIVE_MAX];
    if (ideal_costs(&merge, costs) && dse_run_dominates(result, costs))
        return DSE_OK; /* every design of the slice is dominated by one that is known */
    note_touches(&merge);
    choose_order(&merge);
    struct partial front = {0};
    enum dse_status status = DSE_OK;
    for (;;) {
        lay_out(&merge);
        status = merge_groups(&merge, &front, &result->evaluated, err);
        unsigned broken = status == DSE_OK ? broken_caps(&merge, &front) : 0;
        if (broken == 0)
            break;
        merge.capped |= broken;
        free_partial(&front);
    }
    for (size_t i = 0; i < front.count && status == DSE_OK; i++) {
        struct dse_accumulators sums;
        const uint32_t *rows = front.rows + i * plan->group_count;
        sum_rows(&merge, rows, &sums);
        status = dse_slice_offer(question, plan, slice, rows, &sums, result, err);
    }
    free_partial(&front);
    return status;
}

enum dse_status dse_search_exact(const struct dse_question *question, struct dse_answer *answer,
                                 struct dse_error *err)
{
    return dse_search_run(question, merge_slice, answer, err);
}
