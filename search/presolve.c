#include "search/presolve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define COMPONENTS (sizeof(struct dse_accumulators) / sizeof(int64_t))

/* ---- relevant components ---- */

bool dse_limit_is_reverse(const struct dse_limit *limit)
{
    return limit->at_least != dse_metrics[limit->metric].higher_is_better;
}

bool dse_program_asks_energy(const struct dse_question *question)
{
    return dse_question_asks(question, DSE_METRIC_ENERGY) || dse_question_asks_power(question) || dse_question_asks(question, DSE_METRIC_ENERGY_SYSTEM);
}

static bool is_timed(enum dse_metric metric)
{
    return metric == DSE_METRIC_LATENCY || metric == DSE_METRIC_CYCLES || metric == DSE_METRIC_LATENCY_P99 || metric == DSE_METRIC_LATENCY_SYSTEM;
}

bool dse_program_gains_by_time(const struct dse_question *question, enum dse_case which)
{
    bool gains = which == DSE_CASE_MEAN && dse_question_asks_power(question);
    for (size_t i = 0; i < question->limit_count; i++) {
        enum dse_metric metric = question->limits[i].metric;
        bool mean = metric == DSE_METRIC_LATENCY || metric == DSE_METRIC_CYCLES || metric == DSE_METRIC_LATENCY_SYSTEM ||
                    metric == DSE_METRIC_THROUGHPUT || metric == DSE_METRIC_THROUGHPUT_SYSTEM || dse_metric_is_energy(metric, NULL) || dse_metric_is_power(metric, NULL);
        if (dse_limit_is_reverse(&question->limits[i]))
            gains |= which == DSE_CASE_MEAN ? mean : metric == DSE_METRIC_LATENCY_P99;
    }
    return gains;
}

static bool asks_bytes(const struct dse_question *question)
{
    return dse_question_asks(question, DSE_METRIC_DDR_BYTES) || dse_question_asks(question, DSE_METRIC_DRAM_ENERGY) ||
           dse_question_asks(question, DSE_METRIC_THROUGHPUT) || dse_question_asks_system(question);
}

void dse_rows_hide(const struct dse_question *question, struct dse_accumulators *sums)
{
    if (!dse_program_asks_energy(question))
        sums->energy_fj = sums->idle_nw = 0;
    if (!dse_question_asks_system(question))
        sums->reruns = 0;
    if (!dse_question_asks(question, DSE_METRIC_LATENCY_P99)) {
        memset(sums->busy_cycles[DSE_CASE_TAIL], 0, sizeof sums->busy_cycles[DSE_CASE_TAIL]);
        memset(sums->fill_cycles[DSE_CASE_TAIL], 0, sizeof sums->fill_cycles[DSE_CASE_TAIL]);
        memset(sums->bytes[DSE_CASE_TAIL], 0, sizeof sums->bytes[DSE_CASE_TAIL]);
    }
    if (!dse_question_asks(question, DSE_METRIC_THROUGHPUT))
        sums->busy_cycles[DSE_CASE_MEAN][DSE_STAGE_APART] = 0;
    if (!asks_bytes(question) && !dse_program_asks_energy(question)) /* bytes apart from the stages take no time */
        memset(sums->bytes[DSE_CASE_MEAN][DSE_STAGE_APART], 0, sizeof sums->bytes[DSE_CASE_MEAN][DSE_STAGE_APART]);
    memset(sums->operations, 0, sizeof sums->operations);
    memset(sums->additions, 0, sizeof sums->additions);
    sums->on_chip_bytes = 0;
}

/* ---- minimum and maximum ---- */

void dse_extent_open(struct dse_extent *extent)
{
    int64_t *least = (int64_t *)&extent->least, *most = (int64_t *)&extent->most;
    for (size_t i = 0; i < COMPONENTS; i++) {
        least[i] = INT64_MAX;
        most[i] = 0;
    }
}

void dse_extent_take(struct dse_extent *extent, const struct dse_accumulators *sums)
{
    int64_t *least = (int64_t *)&extent->least, *most = (int64_t *)&extent->most;
    const int64_t *own = (const int64_t *)sums;
    for (size_t i = 0; i < COMPONENTS; i++) {
        least[i] = own[i] < least[i] ? own[i] : least[i];
        most[i] = own[i] > most[i] ? own[i] : most[i];
    }
}

/* Per data set. */
static void open_extents(const struct dse_question *question, struct dse_extent *extents)
{
    for (size_t set = 0; set < dse_question_sets(question); set++)
        dse_extent_open(&extents[set]);
}

static void take_row(const struct dse_question *question, struct dse_extent *extents, const struct dse_accumulators *sums)
{
    for (size_t set = 0; set < dse_question_sets(question); set++)
        dse_extent_take(&extents[set], &sums[set]);
}

bool dse_rows_contend(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice)
{
    bool contends = slice->platform.units > 1 || slice->platform.pipelined;
    for (size_t g = 0; g < plan->group_count; g++)
        for (size_t i = 0; i < slice->groups[g].count * dse_question_sets(question) && !contends; i++)
            for (int m = 0; m < DSE_MEMORY_MAX; m++) /* these bytes belong to no stage's time */
                contends |= slice->groups[g].sums[i].bytes[DSE_CASE_MEAN][DSE_STAGE_APART][m] > 0;
    return contends;
}

void dse_rows_bracket(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice,
                      const struct dse_kept_rows *kept, double *low_us, double *high_us)
{
    struct dse_accumulators least[DSE_SETS_MAX] = {0};
    double metrics[DSE_METRIC_COUNT], high = 0.0;
    for (size_t g = 0; g < plan->group_count; g++) {
        struct dse_extent extents[DSE_SETS_MAX];
        double longest = 0.0;
        open_extents(question, extents);
        for (size_t k = 0; k < (kept != NULL ? kept->count[g] : slice->groups[g].count); k++) {
            const struct dse_accumulators *sums = dse_group_row(question, &slice->groups[g], kept != NULL ? kept->rows[g][k] : k);
            take_row(question, extents, sums);
            dse_question_derive(question, &slice->platform, sums, slice->alternative, metrics);
            longest = fmax(longest, metrics[DSE_METRIC_LATENCY]);
        }
        for (size_t set = 0; set < dse_question_sets(question); set++)
            dse_accumulators_combine(&least[set], &extents[set].least);
        high += longest * 1e6;
    }
    dse_question_derive(question, &slice->platform, least, slice->alternative, metrics);
    *low_us = metrics[DSE_METRIC_LATENCY] * 1e6 * (1.0 - 1e-12);
    *high_us = high * (1.0 + 1e-12);
    if (kept != NULL && kept->longest_us > 0.0)
        *high_us = fmin(*high_us, fmax(kept->longest_us, *low_us));
}

/* ---- comparison of rows ---- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool asks_time(const struct dse_question *question)
{
    return dse_question_asks(question, DSE_METRIC_LATENCY) || dse_question_asks(question, DSE_METRIC_CYCLES);
}

static bool asks_other_time(const struct dse_question *question)
{
    return dse_question_asks(question, DSE_METRIC_LATENCY_P99) || dse_question_asks_rate(question);
}

static void add_all(struct dse_accumulators *total, const struct dse_accumulators *part)
{
    int64_t *sums = (int64_t *)total;
    for (size_t i = 0; i < COMPONENTS; i++)
        sums[i] += ((const int64_t *)part)[i];
}

/* `own`: extents of one data set, `sets` apart per group. */
static int64_t shortest_fs(const struct dse_plan *plan, const struct dse_platform *platform, const struct dse_extent *own, size_t sets,
                           int c, int s)
{
    int64_t shortest = 0;
    for (size_t g = 0; g < plan->group_count; g++)
        shortest = larger(shortest, own[g * sets].least.busy_cycles[c][s] * platform->fs_per_cycle);
    for (int m = 0; m < DSE_MEMORY_MAX; m++) {
        int64_t moving = 0;
        for (size_t g = 0; g < plan->group_count; g++)
            moving += own[g * sets].least.bytes[c][s][m] * platform->fs_per_byte[m];
        shortest = larger(shortest, moving);
    }
    return shortest;
}

struct dse_comparing dse_compare_by(const struct dse_question *question, const struct dse_plan *plan,
                                    const struct dse_platform *platform, double low_us, double high_us,
                                    const struct dse_extent *own, const struct dse_extent *all)
{
    struct dse_comparing how = {
        .sets = dse_question_sets(question), .question = question, .platform = platform,
        .timed = dse_program_gains_by_time(question, DSE_CASE_MEAN) || dse_program_gains_by_time(question, DSE_CASE_TAIL),
        .idle_us = {(long double)low_us / (long double)platform->parts, /* energies are per part */
                    (long double)high_us / (long double)platform->parts}};
    bool contends = platform->units > 1 || platform->pipelined;
    for (size_t i = 0; i < question->limit_count; i++)
        how.all |= dse_limit_is_reverse(&question->limits[i]) && !is_timed(question->limits[i].metric);
    for (size_t i = 0; i < plan->group_count * how.sets; i++)
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            contends |= all[i].most.bytes[DSE_CASE_MEAN][DSE_STAGE_APART][m] > 0;
    how.bytes = asks_bytes(question) || (contends && dse_program_asks_energy(question));
    how.ends = dse_question_asks(question, DSE_METRIC_ENERGY) && !dse_question_asks_power(question) && !dse_question_asks_system(question) && !how.timed && !contends;
    how.trades = !how.timed && !how.bytes && !asks_other_time(question) &&
                 (how.ends || asks_time(question)) && !dse_question_asks_power(question);
    how.hurries = asks_time(question);
    for (size_t set = 0; set < how.sets; set++) {
        for (int cs = 0; cs < DSE_CASE_COUNT * DSE_STAGE_MAX && !how.timed; cs++)
            how.shortest_fs[set][cs / DSE_STAGE_MAX][cs % DSE_STAGE_MAX] =
                shortest_fs(plan, platform, &own[set], how.sets, cs / DSE_STAGE_MAX, cs % DSE_STAGE_MAX);
        for (size_t g = 0; g < plan->group_count; g++) {
            add_all(&how.least[set], &all[g * how.sets + set].least);
            add_all(&how.most[set], &all[g * how.sets + set].most);
        }
    }
    return how;
}

/* Bytes up to the amount that other groups leave of a stage's shortest time do not extend it. */
static void raise_stage(const struct dse_comparing *how, const struct dse_extent *all, size_t set, int c, int s,
                        struct dse_accumulators *floor)
{
    const struct dse_platform *platform = how->platform;
    int64_t shortest = how->shortest_fs[set][c][s];
    floor->busy_cycles[c][s] = shortest / platform->fs_per_cycle;
    for (int m = 0; m < DSE_MEMORY_MAX && !how->bytes; m++)
        floor->bytes[c][s][m] = platform->fs_per_byte[m] == 0
                                    ? INT64_MAX
                                    : shortest / platform->fs_per_byte[m] - (how->most[set].bytes[c][s][m] - all->most.bytes[c][s][m]);
}

static bool is_before(size_t component, size_t offset)
{
    return component * sizeof(int64_t) < offset;
}

static bool is_energy(size_t component)
{
    size_t at = component * sizeof(int64_t);
    return at == offsetof(struct dse_accumulators, energy_fj) || at == offsetof(struct dse_accumulators, idle_nw);
}

/* Hardware and standby power are common to all data sets: counted with the first. */
static bool is_shared(size_t component)
{
    size_t at = component * sizeof(int64_t), first = offsetof(struct dse_accumulators, resources);
    return (at >= first && at < first + sizeof((struct dse_accumulators *)0)->resources) || at == offsetof(struct dse_accumulators, idle_nw);
}

static void make_floor(const struct dse_comparing *how, const struct dse_extent *all, size_t set, struct dse_accumulators *floor)
{
    memset(floor, 0, sizeof *floor);
    for (int c = 0; c < DSE_CASE_COUNT && !how->timed; c++)
        for (int s = 0; s < DSE_STAGE_APART; s++)
            raise_stage(how, all, set, c, s, floor);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (!dse_question_asks(how->question, dse_metric_of_resource(r)))
            floor->resources[r] = how->platform->capped[r] / how->platform->units - (how->most[set].resources[r] - all->most.resources[r]);
}

/* Lists the relevant components of one data set. */
static void list_components(const struct dse_comparing *how, const struct dse_extent *all, size_t set, struct dse_scale *out)
{
    const int64_t *floor = (const int64_t *)&out->floor[set], *least = (const int64_t *)&all->least, *most = (const int64_t *)&all->most;
    for (size_t i = 0; i < COMPONENTS; i++) {
        bool differs = least[i] != most[i] && most[i] > floor[i] && (set == 0 || !is_shared(i));
        if (differs && !(how->ends && is_energy(i)) && !(how->trades && is_before(i, offsetof(struct dse_accumulators, resources))))
            out->components[out->count++] = (uint16_t)(set * COMPONENTS + i);
    }
    out->stages[set] = 0;
    for (int s = 0; s < DSE_STAGE_APART; s++) {
        bool differs = all->most.busy_cycles[DSE_CASE_MEAN][s] > out->floor[set].busy_cycles[DSE_CASE_MEAN][s];
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            differs |= all->most.bytes[DSE_CASE_MEAN][s][m] > out->floor[set].bytes[DSE_CASE_MEAN][s][m];
        out->stages[set] |= differs ? 1u << s : 0;
    }
}

void dse_scale_make(const struct dse_comparing *how, const struct dse_extent *all, struct dse_scale *out)
{
    out->how = how;
    out->count = 0;
    for (size_t set = 0; set < how->sets; set++) {
        make_floor(how, &all[set], set, &out->floor[set]);
        list_components(how, &all[set], set, out);
    }
    long double share_nw = (long double)how->platform->share_nw[DSE_BOUNDARY_KERNEL];
    out->rest_nw[0] = share_nw + (long double)(how->least->idle_nw - all->least.idle_nw);
    out->rest_nw[1] = share_nw + (long double)(how->most->idle_nw - all->most.idle_nw);
}

/* ---- dominance ---- */

/* Maximum extra time of a design on one data set with row `a` in place of `b`. */
static int64_t delay_of_set_fs(const struct dse_accumulators *a, const struct dse_accumulators *b, const struct dse_scale *scale, size_t set)
{
    const struct dse_platform *platform = scale->how->platform;
    int64_t delay = 0;
    for (int s = 0; s < DSE_STAGE_MAX; s++) {
        delay += (a->fill_cycles[DSE_CASE_MEAN][s] - b->fill_cycles[DSE_CASE_MEAN][s]) * platform->fs_per_cycle;
        if ((scale->stages[set] >> s & 1) == 0)
            continue;
        int64_t floor = scale->floor[set].busy_cycles[DSE_CASE_MEAN][s], most = 0;
        most = (larger(a->busy_cycles[DSE_CASE_MEAN][s], floor) - larger(b->busy_cycles[DSE_CASE_MEAN][s], floor)) *
               platform->fs_per_cycle;
        for (int m = 0; m < DSE_MEMORY_MAX; m++) {
            floor = scale->floor[set].bytes[DSE_CASE_MEAN][s][m];
            most = larger(most, (larger(a->bytes[DSE_CASE_MEAN][s][m], floor) - larger(b->bytes[DSE_CASE_MEAN][s][m], floor)) *
                                    platform->fs_per_byte[m]);
        }
        delay += larger(most, 0);
    }
    return delay;
}

/* For a mean over data sets: the mean. */
static long double delay_fs(const struct dse_accumulators *a, const struct dse_accumulators *b, const struct dse_scale *scale)
{
    long double delay = 0.0L;
    for (size_t set = 0; set < scale->how->sets; set++)
        delay += (long double)dse_question_share(scale->how->question, set) * (long double)delay_of_set_fs(&a[set], &b[set], scale, set);
    return delay;
}

/* Energy is E + (S + I) T: if it is no larger at both ends of the time bracket, it is no larger between. If time is traded, `a`
 * must also pay for the whole design's extra time, and is credited with its certain savings. */
static bool costs_no_more(const struct dse_accumulators *a, const struct dse_accumulators *b, long double delay,
                          const struct dse_scale *scale)
{
    const struct dse_comparing *how = scale->how;
    long double more = 0.0L;
    for (size_t set = 0; set < how->sets; set++)
        more += (long double)dse_question_share(how->question, set) * ((long double)a[set].energy_fj - (long double)b[set].energy_fj);
    /* nW × fs is 10⁻⁹ fJ */
    more += (scale->rest_nw[delay > 0.0L] + (long double)a->idle_nw) * delay * 1e-9L;
    long double idle = (long double)(a->idle_nw - b->idle_nw);
    return more + idle * how->idle_us[0] <= 0.0L && more + idle * how->idle_us[1] <= 0.0L;
}

static bool takes_the_same(const struct dse_accumulators *a, const struct dse_accumulators *b, size_t sets)
{
    bool same = true;
    for (size_t set = 0; set < sets && same; set++)
        same = memcmp(a[set].busy_cycles, b[set].busy_cycles, sizeof a->busy_cycles) == 0 &&
               memcmp(a[set].fill_cycles, b[set].fill_cycles, sizeof a->fill_cycles) == 0 &&
               memcmp(a[set].bytes, b[set].bytes, sizeof a->bytes) == 0;
    return same;
}

bool dse_row_is_no_worse(const struct dse_accumulators *a, const struct dse_accumulators *b, const struct dse_scale *scale)
{
    const int64_t *x = (const int64_t *)a, *y = (const int64_t *)b, *floor = (const int64_t *)scale->floor;
    for (size_t i = 0; i < scale->count; i++) {
        size_t component = scale->components[i];
        if (x[component] > y[component] && x[component] > floor[component])
            return false;
    }
    long double delay = scale->how->trades ? delay_fs(a, b, scale) : 0.0L;
    return (!scale->how->trades || !scale->how->hurries || delay <= 0.0L) &&
           (!scale->how->ends || costs_no_more(a, b, delay, scale)) && (!scale->how->timed || takes_the_same(a, b, scale->how->sets));
}

/* ---- a slice's rows ---- */

void dse_rows_free(struct dse_kept_rows *kept)
{
    for (size_t g = 0; g < DSE_GROUP_MAX; g++)
        free(kept->rows[g]);
    *kept = (struct dse_kept_rows){0};
}

struct presolve {
    const struct dse_question *question;
    const struct dse_plan *plan;
    const struct dse_slice *slice;
    double worst;
    struct dse_kept_rows *kept;
    size_t sets;
    struct dse_extent extents[DSE_GROUP_MAX * DSE_SETS_MAX]; /* per group, the extents of each data set */
    struct dse_accumulators *sums[DSE_GROUP_MAX]; /* sums of the slice's rows, reduced to relevant values */
};

static const struct dse_accumulators *row_of(const struct presolve *p, size_t group, size_t row)
{
    return dse_group_row(p->question, &p->slice->groups[group], row);
}

/* Lower and (`most` not NULL) upper bounds of the sums over all groups but one. */
static void sum_others(const struct presolve *p, size_t group, struct dse_accumulators *least, struct dse_accumulators *most)
{
    memset(least, 0, p->sets * sizeof *least);
    if (most != NULL)
        memset(most, 0, p->sets * sizeof *most);
    for (size_t i = 0; i < p->plan->group_count * p->sets; i++) {
        if (i / p->sets == group)
            continue;
        dse_accumulators_combine(&least[i % p->sets], &p->extents[i].least);
        if (most != NULL)
            dse_accumulators_combine(&most[i % p->sets], &p->extents[i].most);
    }
}

static void measure(struct presolve *p)
{
    for (size_t g = 0; g < p->plan->group_count; g++) {
        open_extents(p->question, &p->extents[g * p->sets]);
        for (size_t k = 0; k < p->kept->count[g]; k++)
            take_row(p->question, &p->extents[g * p->sets], &p->sums[g][p->kept->rows[g][k] * p->sets]);
    }
}

/* Whether a row can be dropped. There are two reasons. With the minimum of the other groups it is no better than a known design or violates a cap. Or
 * with their maximum (`most`) it misses a reverse limit. Power falls with time, so its minimum uses the maximum time. */
static bool is_hopeless(const struct presolve *p, const struct dse_accumulators *sums, const struct dse_accumulators *most)
{
    const struct dse_question *question = p->question;
    const struct dse_platform *platform = &p->slice->platform;
    double metrics[DSE_METRIC_COUNT], slowest[DSE_METRIC_COUNT];
    if (!dse_fits(platform, sums, NULL))
        return true;
    dse_slice_metrics(question, p->slice, sums, metrics);
    dse_question_derive(question, platform, most, p->slice->alternative, slowest);
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++) {
        double longest_s = dse_elapsed_s(platform, most, (enum dse_boundary)b, slowest[DSE_METRIC_LATENCY], slowest[DSE_METRIC_LATENCY]);
        double idle_nw = platform->share_nw[b] + (double)sums->idle_nw;
        double dynamic_j = platform->femto * (double)dse_dynamic_fj(platform, sums, (enum dse_boundary)b);
        metrics[dse_power_metrics[b]] = (1.0 - 1e-12) * (double)platform->units * (1e-9 * idle_nw + (longest_s > 0.0 ? dynamic_j / longest_s : 0.0));
    }
    if (dse_objective_cost(question->objectives[0], metrics) > p->worst)
        return true;
    for (size_t i = 0; i < question->limit_count; i++) {
        const struct dse_limit *limit = &question->limits[i];
        bool reverse = dse_limit_is_reverse(limit);
        double value = reverse ? slowest[limit->metric] : metrics[limit->metric];
        if (limit->metric == DSE_METRIC_QUALITY || (reverse && dse_metric_is_power(limit->metric, NULL)))
            continue;
        if (!dse_limit_holds(limit, value))
            return true;
    }
    return false;
}

/* Returns the number of rows dropped. */
static size_t drop_hopeless(struct presolve *p)
{
    size_t dropped = 0;
    for (size_t g = 0; g < p->plan->group_count; g++) {
        struct dse_accumulators others[DSE_SETS_MAX], others_most[DSE_SETS_MAX], sums[DSE_SETS_MAX], most[DSE_SETS_MAX];
        size_t left = 0;
        sum_others(p, g, others, others_most);
        for (size_t k = 0; k < p->kept->count[g]; k++) {
            const struct dse_accumulators *row = row_of(p, g, p->kept->rows[g][k]);
            memcpy(sums, others, p->sets * sizeof *sums);
            memcpy(most, others_most, p->sets * sizeof *most);
            dse_sums_combine(p->question, sums, row);
            dse_sums_combine(p->question, most, row);
            if (!is_hopeless(p, sums, most))
                p->kept->rows[g][left++] = p->kept->rows[g][k];
        }
        dropped += p->kept->count[g] - left;
        p->kept->count[g] = left;
    }
    return dropped;
}

/* ---- trial designs ---- */

/* Largest share of a board resource that sums take. */
static double share_of(const struct dse_platform *platform, const struct dse_accumulators *sums)
{
    double share = 0.0;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (sums->resources[r] > 0)
            share = fmax(share, (double)(sums->resources[r] * platform->units) / fmax(1.0, (double)platform->capped[r]));
    return share;
}

static const double weights[] = {0.0, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0};
#define WEIGHTS (sizeof weights / sizeof *weights)

/* Rows of a group with the least cost besides the minimum of the others, at several prices of board resources. */
static void choose_cheapest(const struct presolve *p, size_t group, uint32_t chosen[WEIGHTS])
{
    struct dse_accumulators others[DSE_SETS_MAX], sums[DSE_SETS_MAX];
    double least[WEIGHTS], base = 0.0;
    sum_others(p, group, others, NULL);
    for (size_t k = 0; k < p->kept->count[group]; k++) {
        double metrics[DSE_METRIC_COUNT];
        memcpy(sums, others, p->sets * sizeof *sums);
        dse_sums_combine(p->question, sums, row_of(p, group, p->kept->rows[group][k]));
        dse_slice_metrics(p->question, p->slice, sums, metrics);
        double cost = dse_objective_cost(p->question->objectives[0], metrics), share = share_of(&p->slice->platform, sums);
        base = k == 0 ? fabs(cost) : base;
        for (size_t w = 0; w < WEIGHTS; w++) {
            double weighed = cost + weights[w] * base * share;
            if (k > 0 && weighed >= least[w])
                continue;
            least[w] = weighed;
            chosen[w] = p->kept->rows[group][k];
        }
    }
}

/* Tries designs: rows that cost more than a feasible one are not needed. */
static void try_designs(struct presolve *p)
{
    uint32_t chosen[DSE_GROUP_MAX][WEIGHTS];
    const struct dse_platform *platform = &p->slice->platform;
    enum dse_metric objective = p->question->objectives[0];
    for (size_t g = 0; g < p->plan->group_count; g++)
        choose_cheapest(p, g, chosen[g]);
    for (size_t w = 0; w < WEIGHTS; w++) {
        struct dse_accumulators sums[DSE_SETS_MAX] = {0};
        double metrics[DSE_METRIC_COUNT];
        for (size_t g = 0; g < p->plan->group_count; g++)
            dse_sums_combine(p->question, sums, row_of(p, g, chosen[g][w]));
        dse_slice_metrics(p->question, p->slice, sums, metrics);
        if (dse_fits(platform, sums, NULL) && dse_limits_hold(p->question, metrics))
            p->worst = fmin(p->worst, dse_objective_cost(objective, metrics));
    }
    double share_w = platform->share_nw[DSE_BOUNDARY_KERNEL] * 1e-9;
    if (objective == DSE_METRIC_ENERGY && isfinite(p->worst) && share_w > 0.0)
        p->kept->longest_us = p->worst * 1e6 / share_w * (1.0 + 1e-12);
}

/* ---- rounds ---- */

/* Keeps the rows of a group that no other row replaces; compares first with rows that won recently. Of equivalent rows
 * the first stays, because the others were dropped for it. */
static size_t keep_best(const struct presolve *p, size_t group, const struct dse_scale *scale)
{
    const struct dse_accumulators *sums = p->sums[group];
    uint32_t *rows = p->kept->rows[group];
    size_t left = 0;
    for (size_t i = 0; i < p->kept->count[group]; i++) {
        uint32_t row = rows[i];
        size_t k = 0, stays = 0;
        while (k < left && !dse_row_is_no_worse(&sums[rows[k] * p->sets], &sums[row * p->sets], scale))
            k++;
        if (k < left) {
            uint32_t winner = rows[k];
            rows[k] = rows[k / 2];
            rows[k / 2] = winner;
            continue;
        }
        for (k = 0; k < left; k++)
            if (!dse_row_is_no_worse(&sums[row * p->sets], &sums[rows[k] * p->sets], scale))
                rows[stays++] = rows[k];
        rows[stays++] = row;
        left = stays;
    }
    return left;
}

int dse_compare_rows(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static size_t drop_dominated(struct presolve *p, size_t group, const struct dse_comparing *how)
{
    struct dse_scale scale;
    size_t before = p->kept->count[group];
    dse_scale_make(how, &p->extents[group * p->sets], &scale);
    p->kept->count[group] = keep_best(p, group, &scale);
    qsort(p->kept->rows[group], p->kept->count[group], sizeof *p->kept->rows[group], dse_compare_rows);
    return before - p->kept->count[group];
}

static void open_presolve(struct presolve *p)
{
    for (size_t g = 0; g < p->plan->group_count; g++) {
        const struct dse_group *group = &p->slice->groups[g];
        p->kept->rows[g] = dse_malloc((group->count + 1) * sizeof *p->kept->rows[g]);
        p->sums[g] = dse_malloc((group->count * p->sets + 1) * sizeof *p->sums[g]);
        for (size_t row = 0; row < group->count; row++)
            p->kept->rows[g][row] = (uint32_t)row;
        for (size_t i = 0; i < group->count * p->sets; i++) {
            p->sums[g][i] = group->sums[i];
            dse_rows_hide(p->question, &p->sums[g][i]);
        }
        p->kept->count[g] = group->count;
    }
}

/* Whether some group has no row left. */
static bool is_empty(const struct presolve *p)
{
    for (size_t g = 0; g < p->plan->group_count; g++)
        if (p->kept->count[g] == 0)
            return true;
    return false;
}

/* One round; returns the number of rows dropped. */
static size_t go_round(struct presolve *p)
{
    double low_us = 0.0, high_us = 0.0;
    measure(p);
    size_t dropped = drop_hopeless(p);
    if (is_empty(p))
        return dropped;
    measure(p);
    dse_rows_bracket(p->question, p->plan, p->slice, p->kept, &low_us, &high_us);
    const struct dse_comparing how =
        dse_compare_by(p->question, p->plan, &p->slice->platform, low_us, high_us, p->extents, p->extents);
    for (size_t g = 0; g < p->plan->group_count && !how.all && !dse_bits_any(p->plan->joined); g++) /* otherwise another group may need the row for agreement */
        dropped += drop_dominated(p, g, &how);
    return dropped;
}

void dse_rows_keep(const struct dse_question *question, const struct dse_plan *plan, const struct dse_slice *slice, double worst,
                   struct dse_kept_rows *kept)
{
    *kept = (struct dse_kept_rows){0};
    struct presolve *p DSE_CLEANUP(dse_free_at) = dse_calloc(1, sizeof *p);
    p->question = question;
    p->plan = plan;
    p->slice = slice;
    p->worst = worst;
    p->kept = kept;
    p->sets = dse_question_sets(question);
    open_presolve(p);
    if (!is_empty(p)) {
        measure(p);
        if (!dse_bits_any(plan->joined)) /* otherwise the cheapest rows of groups may disagree */
            try_designs(p);
    }
    while (!is_empty(p) && go_round(p) > 0)
        continue;
    bool nothing = is_empty(p);
    for (size_t g = 0; g < plan->group_count; g++) {
        free(p->sums[g]);
        kept->count[g] = nothing ? 0 : kept->count[g];
    }
}
