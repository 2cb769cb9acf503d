#include <math.h>
#include <string.h>

#include "search/merge.h"

/* ---- lower bounds of metrics ---- */

/* Lower bounds on the costs of a partial design's completions, and the upper bound on its time. */
struct floor {
    int64_t least[DSE_MERGE_DIMENSIONS];
    double time_s[DSE_SETS_MAX][DSE_CASE_COUNT]; /* per lane */
    double longest_fs[DSE_SETS_MAX];
};

static int64_t least_fs(const struct dse_layout *layout, const int64_t *least, size_t lane, int which)
{
    if (layout->time[lane][which] < 0)
        return 0;
    int64_t fs = least[layout->time[lane][which]];
    for (size_t s = 0; s < layout->sets * DSE_STAGE_MAX; s++)
        fs += layout->busy[which][s] >= 0 && dse_merge_lane(layout, s) == lane ? least[layout->busy[which][s]] : 0;
    return fs;
}

/* Includes the minimum of the rest; all times are closed. */
static void find_floor(const struct dse_merge *merge, const int64_t *vector, struct floor *out)
{
    const struct dse_layout *layout = &merge->layout;
    for (size_t d = 0; d < layout->count; d++) {
        int64_t rest = merge->rest_least[d];
        out->least[d] = layout->takes_maximum[d] ? (vector[d] > rest ? vector[d] : rest) : vector[d] + rest;
    }
    for (size_t lane = 0; lane < layout->lanes; lane++) {
        for (int c = 0; c < DSE_CASE_COUNT; c++)
            out->time_s[lane][c] = (double)least_fs(layout, out->least, lane, c) * merge->slice->platform.femto;
        out->longest_fs[lane] = (double)vector[layout->time[lane][DSE_CASE_MEAN]] + merge->rest_longest_fs[lane];
    }
}

static double least_bytes(const struct dse_merge *merge, size_t lane, const struct floor *floor, bool dram)
{
    int64_t total = 0;
    for (int m = 0; m < DSE_MEMORY_MAX; m++) {
        int64_t bytes = merge->layout.bytes[lane][m] >= 0 ? floor->least[merge->layout.bytes[lane][m]] : 0;
        total += dram ? bytes * merge->slice->platform.dram_fj_per_byte[m] : bytes;
    }
    return (double)total * (dram ? merge->slice->platform.femto : merge->slice->platform.parts);
}

/* Lower bound on an item's time in a pipeline's longest stage, or in all stages. */
static double interval_s(const struct dse_merge *merge, size_t lane, const struct floor *floor)
{
    return merge->layout.flows ? (double)dse_merge_interval_fs(merge, floor->least) * merge->slice->platform.femto : floor->time_s[lane][DSE_CASE_MEAN];
}

/* Upper bound, in fs of a part. */
static double interval_most_fs(const struct dse_merge *merge, size_t lane, const int64_t *vector, const struct floor *floor)
{
    int interval = merge->layout.interval;
    double most = floor->longest_fs[lane];
    for (size_t k = 0; k < merge->layout.steps; k++) /* no step exceeds the sum of all */
        most += (double)merge->slice->platform.extra_fs[k];
    return interval >= 0 && merge->layout.steps == 0 ? fmax((double)vector[interval], (double)merge->rest_most[interval]) : most;
}

/* Minimum host time at a boundary. */
static double host_s(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const struct floor *floor)
{
    return (dse_merge_launch_fs(merge, boundary) + dse_merge_host_fs(&merge->layout, boundary, lane, floor->least)) * merge->slice->platform.femto;
}

/* Minimum and maximum time of the processor's part where it contends. */
static double prepare_s(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const struct floor *floor)
{
    return dse_merge_prepare_fs(&merge->layout, boundary, lane, floor->least) * merge->slice->platform.femto;
}

static double prepare_most_fs(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const int64_t *vector)
{
    return dse_merge_prepare_fs(&merge->layout, boundary, lane, vector) + dse_merge_prepare_fs(&merge->layout, boundary, lane, merge->rest_most);
}

/* Minimum time between two items at a boundary; the arithmetic is that of dse_derive(). */
static double elapsed_s(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const struct floor *floor)
{
    const struct dse_platform *platform = &merge->slice->platform;
    int traffic = merge->layout.traffic[lane];
    const struct dse_item item = {.latency_s = floor->time_s[lane][DSE_CASE_MEAN], .interval_s = interval_s(merge, lane, floor),
                                  .kernel_s = platform->drain > 0.0 ? (1.0 - 1e-12) * (double)dse_merge_kernel_fs(&merge->layout, floor->least) * platform->femto : 0.0, /* dse_derive() rounds differently */
                                  .wait_s = dse_merge_wait_fs(merge, boundary) * platform->femto, .host_s = host_s(merge, boundary, lane, floor),
                                  .prepare_s = prepare_s(merge, boundary, lane, floor), .bytes = traffic >= 0 ? (double)floor->least[traffic] * platform->parts : 0.0};
    return dse_merge_sums_lanes(merge) ? dse_own_s(platform, boundary, &item) : dse_delivery_s(platform, boundary, &item);
}

/* Maximum host time at a boundary, in fs of a part. */
static double host_most_fs(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const int64_t *vector)
{
    return dse_merge_launch_fs(merge, boundary) + dse_merge_host_fs(&merge->layout, boundary, lane, vector) +
           dse_merge_host_fs(&merge->layout, boundary, lane, merge->rest_most);
}

/* Maximum time between two items at a boundary, in fs of a part. */
static double elapsed_most_fs(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const int64_t *vector, const struct floor *floor)
{
    const struct dse_platform *platform = &merge->slice->platform;
    int traffic = merge->layout.traffic[lane];
    double most = interval_most_fs(merge, lane, vector, floor), host = host_most_fs(merge, boundary, lane, vector);
    double busy = host + prepare_most_fs(merge, boundary, lane, vector);
    most = platform->drain > 0.0 ? fmax(most, floor->longest_fs[lane]) : most;
    most = fmax(boundary == DSE_BOUNDARY_KERNEL || platform->streams ? most + dse_merge_wait_fs(merge, boundary) : floor->longest_fs[lane] + host, (double)platform->units * busy);
    return traffic >= 0 ? fmax(most, (double)platform->units * (double)(vector[traffic] + merge->rest_most[traffic]) * platform->s_per_byte * 1e15) : most;
}

static double least_energy(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const struct floor *floor)
{
    const struct dse_platform *platform = &merge->slice->platform;
    double idle_nw = platform->share_nw[boundary] + (double)floor->least[merge->layout.idle];
    return (double)floor->least[merge->layout.energy[boundary][lane]] * platform->femto + idle_nw * 1e-9 * elapsed_s(merge, boundary, lane, floor);
}

/* fJ / fs is watts; slightly reduced, because dse_derive() rounds differently. */
static double least_power(const struct dse_merge *merge, enum dse_boundary boundary, size_t lane, const int64_t *vector, const struct floor *floor)
{
    const struct dse_platform *platform = &merge->slice->platform;
    double idle_nw = platform->share_nw[boundary] + (double)floor->least[merge->layout.idle];
    double longest = elapsed_most_fs(merge, boundary, lane, vector, floor), energy_fj = (double)floor->least[merge->layout.energy[boundary][lane]];
    return (1.0 - 1e-12) * (double)platform->units * (idle_nw * 1e-9 + (longest > 0.0 ? energy_fj / longest : 0.0));
}

/* Lower bound of a metric's cost in a lane. The arithmetic is that of dse_derive(), whose every step rounds
 * monotonically, so the bound holds to the last bit. */
static double least_in_lane(const struct dse_merge *merge, enum dse_metric metric, size_t lane, const int64_t *vector, const struct floor *floor)
{
    const struct dse_platform *platform = &merge->slice->platform;
    double time_s = floor->time_s[lane][DSE_CASE_MEAN];
    enum dse_boundary boundary;
    if (dse_metric_is_energy(metric, &boundary))
        return dse_energy_at(platform, boundary, least_energy(merge, boundary, lane, floor));
    if (dse_metric_is_power(metric, &boundary))
        return least_power(merge, boundary, lane, vector, floor);
    switch (metric) {
    case DSE_METRIC_LATENCY_SYSTEM:
        return dse_launch_s(platform, time_s, interval_s(merge, lane, floor), host_s(merge, DSE_BOUNDARY_SYSTEM, lane, floor), prepare_s(merge, DSE_BOUNDARY_SYSTEM, lane, floor));
    case DSE_METRIC_LATENCY: return time_s;
    case DSE_METRIC_CYCLES: return round(time_s * 1e15 / (double)platform->fs_per_cycle);
    case DSE_METRIC_LATENCY_P99: return floor->time_s[lane][DSE_CASE_TAIL];
    case DSE_METRIC_THROUGHPUT:
        return -(double)platform->at_once / fmax(interval_s(merge, lane, floor), (double)platform->units * prepare_s(merge, DSE_BOUNDARY_KERNEL, lane, floor));
    case DSE_METRIC_THROUGHPUT_SYSTEM: return -(double)platform->at_once / elapsed_s(merge, DSE_BOUNDARY_SYSTEM, lane, floor);
    case DSE_METRIC_DDR_BYTES: return least_bytes(merge, lane, floor, false);
    case DSE_METRIC_DRAM_ENERGY: return least_bytes(merge, lane, floor, true);
    default: return -INFINITY;
    }
}

/* Combines the lanes' costs. */
static double combined(const struct dse_merge *merge, enum dse_metric metric, double *costs)
{
    const struct dse_sets *sets = merge->question->sets;
    double sign = dse_metrics[metric].higher_is_better ? -1.0 : 1.0;
    if (sets == NULL)
        return costs[0];
    for (size_t lane = 0; lane < sets->lanes; lane++)
        costs[lane] *= sign;
    return sign * sets->combine(sets->user, metric, costs);
}

/* Lower bound of a metric's cost; −∞ if unknown. */
static double least_of(const struct dse_merge *merge, enum dse_metric metric, const int64_t *vector, const struct floor *floor)
{
    const struct dse_layout *layout = &merge->layout;
    double costs[DSE_SETS_MAX];
    int resource = dse_metrics[metric].resource;
    if (resource >= 0 && layout->resource[resource] < 0)
        return -INFINITY;
    if (resource >= 0)
        return (double)(floor->least[layout->resource[resource]] * merge->slice->platform.units);
    if (metric == DSE_METRIC_QUALITY)
        return -dse_quality_compared(merge->question->alternatives[merge->slice->alternative].quality);
    for (size_t lane = 0; lane < layout->lanes; lane++)
        costs[lane] = least_in_lane(merge, metric, lane, vector, floor);
    return combined(merge, metric, costs);
}

/* ---- limits ---- */

uint64_t dse_merge_reached(const struct dse_merge *merge, const int64_t *vector)
{
    uint64_t reached = 0;
    struct floor floor;
    if (merge->layout.reverse_count > 0)
        find_floor(merge, vector, &floor);
    for (size_t i = 0; i < merge->layout.reverse_count; i++)
        if (least_of(merge, merge->layout.reverse[i].metric, vector, &floor) >= merge->layout.reverse[i].cost)
            reached |= (uint64_t)1 << i;
    return reached;
}

static double most_in_lane(const struct dse_merge *merge, enum dse_metric metric, size_t lane, const int64_t *vector,
                           const struct floor *floor)
{
    const struct dse_layout *layout = &merge->layout;
    const struct dse_platform *platform = &merge->slice->platform;
    double longest_s = floor->longest_fs[lane] * platform->femto;
    double most_s = interval_most_fs(merge, lane, vector, floor) * platform->femto;
    enum dse_boundary boundary;
    if (dse_metric_is_energy(metric, &boundary)) {
        int energy = layout->energy[boundary][lane];
        double most_nw = platform->share_nw[boundary] + (double)(vector[layout->idle] + merge->rest_most[layout->idle]);
        return dse_energy_at(platform, boundary, (double)(vector[energy] + merge->rest_most[energy]) * platform->femto +
                                                 most_nw * 1e-9 * elapsed_most_fs(merge, boundary, lane, vector, floor) * platform->femto);
    }
    switch (metric) {
    case DSE_METRIC_LATENCY_SYSTEM:
        return dse_launch_s(platform, longest_s, most_s, host_most_fs(merge, DSE_BOUNDARY_SYSTEM, lane, vector) * platform->femto,
                            prepare_most_fs(merge, DSE_BOUNDARY_SYSTEM, lane, vector) * platform->femto);
    case DSE_METRIC_LATENCY: return longest_s;
    case DSE_METRIC_CYCLES: return longest_s * 1e15 / (double)platform->fs_per_cycle + 0.5;
    case DSE_METRIC_THROUGHPUT_SYSTEM: return -(double)platform->at_once / (elapsed_most_fs(merge, DSE_BOUNDARY_SYSTEM, lane, vector, floor) * platform->femto);
    case DSE_METRIC_THROUGHPUT: {
        double bytes = 0.0;
        most_s = fmax(most_s, (double)platform->units * prepare_most_fs(merge, DSE_BOUNDARY_KERNEL, lane, vector) * platform->femto);
        double least_hz = most_s > 0.0 ? (double)platform->at_once / most_s : INFINITY;
        for (int m = 0; m < DSE_MEMORY_MAX; m++) {
            int d = layout->bytes[lane][m];
            bytes += d >= 0 ? (double)(vector[d] + merge->rest_most[d]) * platform->parts : INFINITY;
        }
        return -fmin(least_hz, bytes > 0.0 ? platform->bytes_per_s * (double)platform->at_once / (bytes * (double)platform->units) : INFINITY);
    }
    default: return INFINITY;
    }
}

/* Upper bound of a metric's cost; ∞ if unknown. */
static double most_of(const struct dse_merge *merge, enum dse_metric metric, const int64_t *vector, const struct floor *floor)
{
    const struct dse_layout *layout = &merge->layout;
    double costs[DSE_SETS_MAX];
    int resource = dse_metrics[metric].resource;
    if (resource >= 0)
        return (double)((vector[layout->resource[resource]] + merge->rest_most[layout->resource[resource]]) *
                        merge->slice->platform.units);
    for (size_t lane = 0; lane < layout->lanes; lane++)
        costs[lane] = most_in_lane(merge, metric, lane, vector, floor);
    return combined(merge, metric, costs);
}

/* Whether every completion of a partial design violates a limit by more than rounding. */
static bool breaks_limit(const struct dse_merge *merge, const int64_t *vector, const struct floor *floor)
{
    const struct dse_question *q = merge->question;
    for (size_t i = 0; i < q->limit_count; i++) {
        const struct dse_limit *limit = &q->limits[i];
        bool higher = dse_metrics[limit->metric].higher_is_better;
        if (limit->at_least != higher)
            continue; /* reverse limit: see below */
        enum dse_boundary boundary;
        if (dse_metric_is_power(limit->metric, &boundary) && !merge->powered[boundary])
            continue; /* designs excluded here may have dominated others: breaks_power() must see them */
        double cost = least_of(merge, limit->metric, vector, floor), bound = higher ? -limit->bound : limit->bound;
        if (cost - 1e-12 * fabs(cost) > bound)
            return true;
    }
    for (size_t i = 0; i < merge->layout.reverse_count; i++) {
        const struct dse_reverse *reverse = &merge->layout.reverse[i];
        double most = isinf(reverse->cost) ? INFINITY : most_of(merge, reverse->metric, vector, floor);
        if (most + 1e-9 * fabs(most) < reverse->cost)
            return true;
    }
    return false;
}

/* A feasible design is at least as bad as a reverse limit requires. */
static void raise_times(const struct dse_merge *merge, struct floor *floor)
{
    for (size_t i = 0; i < merge->layout.reverse_count && merge->question->sets == NULL; i++)
        if (merge->layout.reverse[i].metric == DSE_METRIC_LATENCY)
            floor->time_s[0][DSE_CASE_MEAN] = fmax(floor->time_s[0][DSE_CASE_MEAN], merge->layout.reverse[i].cost);
}

static double raised_cost(const struct dse_merge *merge, enum dse_metric metric, double cost)
{
    for (size_t i = 0; i < merge->layout.reverse_count; i++)
        if (merge->layout.reverse[i].metric == metric)
            cost = fmax(cost, merge->layout.reverse[i].cost);
    return cost;
}

/* ---- known designs ---- */

static bool recently_beaten(const struct dse_merge *merge, const double *costs, struct dse_recent *recent)
{
    size_t objectives = merge->question->objective_count;
    for (size_t k = 0; k < recent->count; k++) {
        uint32_t place = recent->places[k];
        if (!dse_costs_beat(merge->others + place * objectives, costs, objectives))
            continue;
        recent->places[k] = recent->places[k / 2];
        recent->places[k / 2] = place;
        return true;
    }
    return false;
}

/* A new one is inserted in the middle: useful ones rise from there, others fall out at the end. */
static void remember(struct dse_recent *recent, uint32_t place)
{
    size_t middle = recent->count / 2;
    if (recent->count < DSE_MERGE_RECENT)
        recent->count++;
    memmove(recent->places + middle + 1, recent->places + middle, (recent->count - 1 - middle) * sizeof *recent->places);
    recent->places[middle] = place;
}

static bool is_beaten(const struct dse_merge *merge, const double *costs, struct dse_recent *recent, bool only_recent)
{
    size_t objectives = merge->question->objective_count;
    uint32_t place = 0;
    if (recently_beaten(merge, costs, recent))
        return true;
    if (only_recent)
        return false;
    if (merge->other_count > 0 && dse_costs_find(merge->others_forest, merge->others, costs, objectives, &place)) {
        remember(recent, place);
        return true;
    }
    return merge->learned_count > 0 && dse_costs_find(merge->learned_forest, merge->learned, costs, objectives, &place);
}

/* Threshold in a search for the largest cost: below the maximum by more than rounding. */
static double least_negated(const struct dse_merge *merge, enum dse_metric metric, const int64_t *vector, const struct floor *floor)
{
    double most = metric == DSE_METRIC_QUALITY ? least_of(merge, metric, vector, floor) : most_of(merge, metric, vector, floor);
    return -(most + 1e-9 * fabs(most));
}

bool dse_merge_hopeless(const struct dse_merge *merge, const int64_t *vector, struct dse_recent *recent, bool only_recent)
{
    const struct dse_question *q = merge->question;
    if (merge->other_count == 0 && merge->learned_count == 0 && q->limit_count == 0)
        return false;
    struct floor floor;
    find_floor(merge, vector, &floor);
    if (q->limit_count > 0 && breaks_limit(merge, vector, &floor))
        return true;
    if (merge->layout.reverse_count > 0)
        raise_times(merge, &floor);
    double costs[DSE_OBJECTIVE_MAX];
    for (size_t o = 0; o < q->objective_count; o++)
        costs[o] = q->goal == DSE_GOAL_WORST ? least_negated(merge, q->objectives[o], vector, &floor)
                                             : raised_cost(merge, q->objectives[o], least_of(merge, q->objectives[o], vector, &floor));
    return is_beaten(merge, costs, recent, only_recent);
}
