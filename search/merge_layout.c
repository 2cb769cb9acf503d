#include <math.h>
#include <string.h>

#include "search/merge.h"
#include "search/tables.h"

/* ---- relevant dimensions ---- */

static int add_dimension(struct dse_layout *layout, bool takes_maximum, int64_t cap)
{
    layout->takes_maximum[layout->count] = takes_maximum;
    layout->cap[layout->count] = cap;
    return (int)layout->count++;
}

void dse_merge_note_touches(struct dse_merge *merge)
{
    const size_t stages = merge->question->family->stage_count, memories = merge->question->board->memory_count;
    for (size_t g = 0; g < merge->plan->group_count; g++) {
        const struct dse_group *group = &merge->slice->groups[g];
        struct dse_accumulators any = {0};
        for (size_t row = 0; row < group->count * dse_question_sets(merge->question); row++)
            dse_accumulators_or(&any, &group->sums[row]);
        for (int c = 0; c < DSE_CASE_COUNT; c++)
            for (size_t s = 0; s < stages; s++) {
                if (any.busy_cycles[c][s] > 0)
                    dse_bits_add(&merge->touches[s], g);
                for (size_t m = 0; m < memories; m++)
                    if (any.bytes[c][s][m] > 0)
                        dse_bits_add(&merge->moves[s][m], g);
            }
    }
    for (size_t s = 0; s < DSE_STAGE_APART; s++)
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            merge->touches[s] = dse_bits_or(merge->touches[s], merge->moves[s][m]);
    merge->touches[DSE_STAGE_APART] = (dse_group_set){{0}}; /* times that add up */
    for (size_t g = 0; g < merge->plan->group_count; g++)
        for (size_t i = 0; i < merge->plan->groups[g].knob_count; i++)
            dse_bits_add(&merge->readers[merge->plan->groups[g].knobs[i]], g);
}

static bool is_shared(dse_group_set set)
{
    return dse_bits_next(set, dse_bits_next(set, 0) + 1) < DSE_BITS_MAX;
}

static void lay_out_time(struct dse_merge *merge, enum dse_case which)
{
    struct dse_layout *layout = &merge->layout;
    for (size_t lane = 0; lane < layout->lanes; lane++)
        layout->time[lane][which] = add_dimension(layout, false, INT64_MAX);
    for (size_t s = 0; s < layout->sets * DSE_STAGE_MAX; s++) {
        size_t stage = s % DSE_STAGE_MAX;
        if (!is_shared(merge->touches[stage]))
            continue;
        layout->busy[which][s] = add_dimension(layout, true, INT64_MAX);
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            if (is_shared(merge->moves[stage][m]))
                layout->moving[which][s][m] = add_dimension(layout, false, INT64_MAX);
    }
}

static uint64_t bit_of(int dimension)
{
    return dimension >= 0 ? (uint64_t)1 << dimension : 0;
}

static uint64_t bits_of_time(const struct dse_layout *layout, enum dse_case which)
{
    uint64_t bits = 0;
    for (size_t lane = 0; lane < layout->lanes; lane++)
        bits |= bit_of(layout->time[lane][which]);
    for (size_t s = 0; s < layout->sets * DSE_STAGE_MAX; s++) {
        bits |= bit_of(layout->busy[which][s]);
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            bits |= bit_of(layout->moving[which][s][m]);
    }
    return bits;
}

/* Dimensions in which the time between two items of a pipeline is monotone. */
static uint64_t bits_of_flow(const struct dse_layout *layout)
{
    uint64_t bits = bit_of(layout->interval);
    if (layout->steps > 0)
        bits = (bits_of_time(layout, DSE_CASE_MEAN) | bits_of_time(layout, DSE_CASE_TAIL)) & ~(bit_of(layout->time[0][DSE_CASE_MEAN]) | bit_of(layout->time[0][DSE_CASE_TAIL]));
    for (size_t k = 0; k < layout->steps; k++)
        bits |= bit_of(layout->step[k][DSE_CASE_MEAN]) | bit_of(layout->step[k][DSE_CASE_TAIL]);
    return bits;
}

/* Dimensions in which the time between two items at a boundary is monotone. */
static uint64_t bits_of_delivery(const struct dse_layout *layout, enum dse_boundary boundary)
{
    bool kernel = boundary == DSE_BOUNDARY_KERNEL;
    uint64_t bits = layout->flows && (kernel || layout->streams) ? bits_of_flow(layout) : bits_of_time(layout, DSE_CASE_MEAN);
    if (!kernel && layout->kernel >= 0) /* otherwise the steps' dimensions decide it */
        bits |= bit_of(layout->kernel) | (bits_of_time(layout, DSE_CASE_MEAN) & ~bit_of(layout->time[0][DSE_CASE_MEAN]));
    for (size_t lane = 0; lane < layout->lanes; lane++)
        bits |= (kernel ? 0 : bit_of(layout->host[lane])) | (kernel && !layout->flows ? 0 : bit_of(layout->prepare[lane])) | bit_of(layout->traffic[lane]);
    return bits;
}

uint64_t dse_merge_power_bits(const struct dse_layout *layout)
{
    return layout->flows ? bits_of_delivery(layout, DSE_BOUNDARY_KERNEL) | (layout->powered[DSE_BOUNDARY_SYSTEM] ? bits_of_delivery(layout, DSE_BOUNDARY_SYSTEM) : 0) : 0;
}

/* Dimensions in which a metric is monotone, if no other is larger. (Power falls as a design takes longer.) */
static uint64_t bits_of_metric(const struct dse_layout *layout, enum dse_metric metric)
{
    uint64_t time = bits_of_time(layout, DSE_CASE_MEAN), flow = layout->flows ? bits_of_flow(layout) : time, bytes = 0, host = 0, prepare = 0, energy[DSE_BOUNDARY_COUNT] = {0};
    for (size_t lane = 0; lane < layout->lanes; lane++) {
        host |= bit_of(layout->host[lane]);
        prepare |= bit_of(layout->prepare[lane]);
        for (int b = 0; b < DSE_BOUNDARY_COUNT; b++)
            energy[b] |= bit_of(layout->energy[b][lane]);
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            bytes |= bit_of(layout->bytes[lane][m]);
    }
    if (dse_metrics[metric].resource >= 0)
        return bit_of(layout->resource[dse_metrics[metric].resource]);
    switch (metric) {
    case DSE_METRIC_LATENCY:
    case DSE_METRIC_CYCLES: return time;
    case DSE_METRIC_LATENCY_P99: return bits_of_time(layout, DSE_CASE_TAIL);
    case DSE_METRIC_THROUGHPUT: return flow | prepare | bytes;
    case DSE_METRIC_THROUGHPUT_SYSTEM: return bits_of_delivery(layout, DSE_BOUNDARY_SYSTEM);
    case DSE_METRIC_LATENCY_SYSTEM: return time | host | (layout->flows ? flow | prepare : 0);
    case DSE_METRIC_ENERGY: return bits_of_delivery(layout, DSE_BOUNDARY_KERNEL) | energy[DSE_BOUNDARY_KERNEL] | bit_of(layout->idle);
    case DSE_METRIC_ENERGY_SYSTEM: return bits_of_delivery(layout, DSE_BOUNDARY_SYSTEM) | energy[DSE_BOUNDARY_SYSTEM] | bit_of(layout->idle);
    case DSE_METRIC_POWER: return energy[DSE_BOUNDARY_KERNEL] | bit_of(layout->idle);
    case DSE_METRIC_POWER_SYSTEM: return energy[DSE_BOUNDARY_SYSTEM] | bit_of(layout->idle);
    case DSE_METRIC_DRAM_ENERGY:
    case DSE_METRIC_DDR_BYTES: return bytes;
    default: return 0; /* the quality is constant in the slice */
    }
}

/* A reverse limit (latency ≥ …) requires a worse value. A partial design that is better in the metric dominates another only in two cases. Either
 * every completion of it reaches the limit, or it is not smaller in the quantities in which the metric is monotone. */
static void lay_out_reverse(const struct dse_question *question, struct dse_layout *layout)
{
    for (size_t i = 0; i < question->limit_count; i++) {
        const struct dse_limit *limit = &question->limits[i];
        bool higher = dse_metrics[limit->metric].higher_is_better;
        if (limit->at_least == higher || limit->metric == DSE_METRIC_QUALITY)
            continue;
        uint64_t bits = bits_of_metric(layout, limit->metric);
        layout->reverse[layout->reverse_count++] =
            (struct dse_reverse){limit->metric, higher ? -limit->bound : limit->bound, bits};
        layout->reversed |= bits;
    }
    if (question->goal == DSE_GOAL_WORST && question->objectives[0] != DSE_METRIC_QUALITY) { /* unbounded */
        uint64_t bits = bits_of_metric(layout, question->objectives[0]);
        layout->reverse[layout->reverse_count++] = (struct dse_reverse){question->objectives[0], INFINITY, bits};
        layout->reversed |= bits;
    }
}

/* Whether a metric is minimised: by an objective, or by a normal limit. */
static bool wants_less(const struct dse_question *question, enum dse_metric metric)
{
    for (size_t i = 0; i < question->objective_count && question->goal == DSE_GOAL_FRONT; i++)
        if (question->objectives[i] == metric)
            return true;
    for (size_t i = 0; i < question->limit_count; i++)
        if (question->limits[i].metric == metric &&
            question->limits[i].at_least == dse_metrics[metric].higher_is_better)
            return true;
    return false;
}

static bool asks_energy(const struct dse_question *question)
{
    return dse_question_asks(question, DSE_METRIC_ENERGY) || dse_question_asks(question, DSE_METRIC_ENERGY_SYSTEM);
}

/* In a pipeline, one dimension for all single-block stages. For shared steps, one time per step, the time of the slowest, and the tail if it decides. */
static void lay_out_flow(struct dse_merge *merge)
{
    const struct dse_question *q = merge->question;
    const struct dse_model_family *family = q->family;
    const struct dse_platform *platform = &merge->slice->platform;
    struct dse_layout *layout = &merge->layout;
    layout->flows = platform->pipelined && q->sets == NULL && (dse_question_asks_rate(q) || asks_energy(q) || dse_question_asks_power(q) ||
                                                               (dse_launch_overlaps(platform) && dse_question_asks(q, DSE_METRIC_LATENCY_SYSTEM)));
    if (layout->flows && family->steps == NULL)
        layout->interval = add_dimension(layout, true, INT64_MAX);
    if (layout->flows && platform->drain > 0.0 && family->steps == NULL)
        layout->kernel = add_dimension(layout, false, INT64_MAX);
    if (layout->flows && (family->steps != NULL || family->shared != NULL))
        layout->steps = platform->step_count;
    for (int c = 0; c < (family->steps != NULL ? DSE_CASE_COUNT : DSE_CASE_TAIL) && layout->steps > 0; c++) {
        if (layout->time[0][c] < 0)
            lay_out_time(merge, (enum dse_case)c);
        for (size_t k = 0; k < layout->steps; k++)
            layout->step[k][c] = add_dimension(layout, false, INT64_MAX);
    }
}

static void lay_out_bytes(const struct dse_question *question, struct dse_layout *layout)
{
    static const enum dse_metric metrics[] = {DSE_METRIC_THROUGHPUT, DSE_METRIC_DDR_BYTES, DSE_METRIC_DRAM_ENERGY};
    bool asked = false, less = false;
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        asked |= dse_question_asks(question, metrics[i]);
        less |= wants_less(question, metrics[i]);
    }
    for (size_t lane = 0; lane < layout->lanes && asked; lane++)
        for (int m = 0; m < DSE_MEMORY_MAX; m++) {
            layout->bytes[lane][m] = add_dimension(layout, false, INT64_MAX);
            layout->loose[layout->bytes[lane][m]] = !less;
        }
}

/* Whether the host has work that differs between a slice's rows: bytes to write, or steps of a training run to start. */
static bool host_works(const struct dse_merge *merge)
{
    const struct dse_platform *platform = &merge->slice->platform;
    bool works = platform->host_stages != 0 && platform->host_fs_per_byte > 0;
    for (size_t g = 0; g < merge->plan->group_count; g++)
        for (size_t row = 0; row < merge->slice->groups[g].count && !works; row++)
            works = dse_group_row(merge->question, &merge->slice->groups[g], row)->reruns > 0;
    return works;
}

/* Host time is a dimension if its boundary is relevant. If it is not minimised, a longer time is no worse. */
static void lay_out_host(struct dse_merge *merge)
{
    static const enum dse_metric metrics[] = {DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_POWER_SYSTEM, DSE_METRIC_THROUGHPUT_SYSTEM};
    struct dse_layout *layout = &merge->layout;
    bool asked = false, less = false;
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        asked |= dse_question_asks(merge->question, metrics[i]);
        less |= wants_less(merge->question, metrics[i]);
    }
    for (size_t lane = 0; lane < layout->lanes && asked && host_works(merge); lane++) {
        layout->host[lane] = add_dimension(layout, false, INT64_MAX);
        layout->loose[layout->host[lane]] = !less;
    }
    bool shared = merge->slice->platform.units > 1 || merge->slice->platform.streams;
    for (size_t lane = 0; lane < layout->lanes && ((asked && shared) || layout->flows) && merge->slice->platform.prepare_stages != 0; lane++) {
        layout->prepare[lane] = add_dimension(layout, false, INT64_MAX);
        layout->loose[layout->prepare[lane]] = !less && !layout->flows;
    }
}

/* Bytes are a dimension if the memories can limit the rate: they also serve other units or items, or their time is not a stage's. Energy, which decides
 * between equal designs, then depends on them. */
static void lay_out_traffic(struct dse_merge *merge)
{
    static const struct {
        enum dse_metric metric;
        enum dse_boundary at;
    } metrics[] = {{DSE_METRIC_ENERGY, DSE_BOUNDARY_KERNEL}, {DSE_METRIC_POWER, DSE_BOUNDARY_KERNEL}, {DSE_METRIC_ENERGY_SYSTEM, DSE_BOUNDARY_SYSTEM},
                   {DSE_METRIC_POWER_SYSTEM, DSE_BOUNDARY_SYSTEM}, {DSE_METRIC_THROUGHPUT_SYSTEM, DSE_BOUNDARY_SYSTEM}};
    struct dse_layout *layout = &merge->layout;
    const bool other[] = {[DSE_BOUNDARY_KERNEL] = layout->flows, [DSE_BOUNDARY_SYSTEM] = layout->streams};
    bool asked = merge->slice->platform.units > 1 && !layout->flows, less = false, limits = asked;
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        bool asks = dse_question_asks(merge->question, metrics[i].metric);
        asked |= asks;
        limits |= asks && (merge->slice->platform.units > 1 || other[metrics[i].at]);
        less |= wants_less(merge->question, metrics[i].metric);
    }
    for (int m = 0; m < DSE_MEMORY_MAX; m++)
        limits |= dse_bits_any(merge->moves[DSE_STAGE_APART][m]);
    for (size_t lane = 0; lane < layout->lanes && asked && limits; lane++) {
        layout->traffic[lane] = add_dimension(layout, false, INT64_MAX);
        layout->loose[layout->traffic[lane]] = !less;
    }
}

/* A limit on a resource acts like a cap of the board. If a resource appears only in a reverse limit, its cap is ignored
 * at first, like the caps of unused resources. */
static void lay_out_resources(struct dse_merge *merge)
{
    const struct dse_question *q = merge->question;
    struct dse_layout *layout = &merge->layout;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++) {
        bool objective = false, reverse = false;
        enum dse_metric metric = dse_metric_of_resource(r);
        for (size_t i = 0; i < q->objective_count && q->goal == DSE_GOAL_FRONT; i++)
            objective |= q->objectives[i] == metric;
        reverse = q->goal == DSE_GOAL_WORST && q->objectives[0] == metric;
        for (size_t i = 0; i < q->limit_count; i++)
            reverse |= q->limits[i].metric == metric && q->limits[i].at_least;
        bool capped = objective || (merge->capped >> r & 1) != 0;
        if (!capped && !reverse)
            continue;
        layout->resource[r] = add_dimension(layout, false, capped ? merge->caps[r] : INT64_MAX);
        layout->only_capped[layout->resource[r]] = capped && !objective;
        layout->loose[layout->resource[r]] = !capped;
    }
}

/* Without a front, times and energies matter only by limits: without limits, a longer time is no worse. A required
 * minimum power favours short times. */
static void loosen(const struct dse_question *q, struct dse_layout *layout)
{
    static const enum dse_metric timed[] = {DSE_METRIC_LATENCY, DSE_METRIC_LATENCY_P99, DSE_METRIC_CYCLES,
                                            DSE_METRIC_THROUGHPUT, DSE_METRIC_ENERGY, DSE_METRIC_POWER, DSE_METRIC_LATENCY_SYSTEM,
                                            DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_POWER_SYSTEM, DSE_METRIC_THROUGHPUT_SYSTEM};
    bool flows = layout->flows; /* a total time is not minimised: throughput and energy follow the longest step, those of the system only in a queue */
    layout->carefree = q->goal != DSE_GOAL_FRONT;
    for (size_t i = 0; i < sizeof timed / sizeof *timed; i++) {
        layout->carefree &= !wants_less(q, timed[i]);
        bool flowing = timed[i] == DSE_METRIC_THROUGHPUT || timed[i] == DSE_METRIC_ENERGY || ((timed[i] == DSE_METRIC_ENERGY_SYSTEM || timed[i] == DSE_METRIC_THROUGHPUT_SYSTEM) && layout->streams);
        flows &= flowing || !wants_less(q, timed[i]);
    }
    for (size_t i = 0; i < layout->reverse_count; i++)
        layout->carefree &= !dse_metric_is_power(layout->reverse[i].metric, NULL);
    uint64_t times = bits_of_time(layout, DSE_CASE_MEAN) | bits_of_time(layout, DSE_CASE_TAIL);
    times &= layout->carefree ? UINT64_MAX : ~bits_of_flow(layout);
    for (size_t d = 0; d < layout->count && (layout->carefree || flows); d++)
        layout->loose[d] |= (times >> d & 1) != 0;
}

/* Upper bound on the number of dimensions. */
static size_t most_dimensions(const struct dse_merge *merge)
{
    size_t sets = dse_question_sets(merge->question), lanes = merge->question->sets != NULL ? merge->question->sets->lanes : 1, stage = 0;
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        stage += is_shared(merge->touches[s]);
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            stage += is_shared(merge->touches[s]) && is_shared(merge->moves[s][m]);
    }
    return DSE_CASE_COUNT * (sets * stage + lanes + merge->slice->platform.step_count) + lanes * (DSE_MEMORY_MAX + 3 + DSE_BOUNDARY_COUNT) + DSE_RESOURCE_COUNT + 4;
}

enum dse_status dse_merge_lay_out(struct dse_merge *merge, struct dse_error *err)
{
    const struct dse_question *q = merge->question;
    struct dse_layout *layout = &merge->layout;
    if (most_dimensions(merge) > DSE_MERGE_DIMENSIONS)
        return dse_fail(err, DSE_LIMIT, "one design for %zu data set%s: more than %d numbers to compare designs by", dse_question_sets(q),
                        q->sets != NULL ? "s" : "", DSE_MERGE_DIMENSIONS);
    memset(layout, 0, sizeof *layout);
    layout->sets = dse_question_sets(q);
    layout->lanes = q->sets != NULL ? q->sets->lanes : 1;
    memset(layout->time, -1, sizeof layout->time);
    memset(layout->busy, -1, sizeof layout->busy);
    memset(layout->moving, -1, sizeof layout->moving);
    memset(layout->bytes, -1, sizeof layout->bytes);
    memset(layout->energy, -1, sizeof layout->energy);
    memset(layout->host, -1, sizeof layout->host);
    memset(layout->prepare, -1, sizeof layout->prepare);
    memset(layout->traffic, -1, sizeof layout->traffic);
    layout->streams = merge->slice->platform.streams;
    memset(layout->resource, -1, sizeof layout->resource);
    layout->interval = layout->kernel = -1;
    memset(layout->step, -1, sizeof layout->step);
    /* Time and energy are always compared: energy decides between designs with equal objectives. */
    lay_out_time(merge, DSE_CASE_MEAN);
    if (dse_question_asks(q, DSE_METRIC_LATENCY_P99))
        lay_out_time(merge, DSE_CASE_TAIL);
    lay_out_flow(merge);
    lay_out_bytes(q, layout);
    lay_out_host(merge);
    lay_out_traffic(merge);
    lay_out_resources(merge);
    layout->changes = q->from != NULL ? add_dimension(layout, false, (int64_t)merge->changes) : -1;
    if (layout->changes >= 0)
        layout->only_capped[layout->changes] = true;
    layout->key = dse_bits_any(merge->plan->joined) ? add_dimension(layout, false, INT64_MAX) : -1;
    layout->reversed |= bit_of(layout->key);
    /* Last, so that vectors equal in all other dimensions are adjacent after sorting. */
    layout->compared = layout->count;
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++) {
        layout->asks[b] = b == DSE_BOUNDARY_KERNEL || dse_question_asks(q, dse_energy_metrics[b]) || dse_question_asks(q, dse_power_metrics[b]);
        layout->powered[b] = merge->powered[b];
        for (size_t lane = 0; lane < layout->lanes && layout->asks[b]; lane++)
            layout->energy[b][lane] = add_dimension(layout, false, INT64_MAX);
    }
    layout->idle = add_dimension(layout, false, INT64_MAX);
    if (layout->flows && (asks_energy(q) || dse_question_asks_power(q)))
        layout->compared = layout->count;
    lay_out_reverse(q, layout);
    if (layout->powered[DSE_BOUNDARY_KERNEL] || layout->powered[DSE_BOUNDARY_SYSTEM])
        layout->reversed |= dse_merge_power_bits(layout);
    loosen(q, layout);
    return DSE_OK;
}

/* ---- rows as vectors ---- */

static int64_t bytes_fs(const struct dse_merge *merge, const struct dse_accumulators *sums, enum dse_case which,
                        size_t stage, size_t memory)
{
    return sums->bytes[which][stage][memory] * merge->slice->platform.fs_per_byte[memory];
}

/* Factor of a data set in the merge: 1, or its number of runs. */
static int64_t times_of(const struct dse_merge *merge, size_t set)
{
    return merge->layout.sets > merge->layout.lanes ? merge->question->sets->times[set] : 1;
}

/* Adds the time of a closed stage. */
static void add_closed(const struct dse_merge *merge, enum dse_case which, size_t stage, int64_t fs, int64_t *vector)
{
    const struct dse_layout *layout = &merge->layout;
    vector[layout->time[dse_merge_lane(layout, stage)][which]] += fs;
    if (layout->kernel >= 0 && which == DSE_CASE_MEAN && (merge->slice->platform.prepare_stages >> stage & 1) == 0)
        vector[layout->kernel] += fs;
    for (size_t k = 0; k < layout->steps; k++)
        if (layout->step[k][which] >= 0 && (merge->slice->platform.steps[k] >> stage & 1) != 0)
            vector[layout->step[k][which]] += fs;
}

static void put_time(const struct dse_merge *merge, const struct dse_accumulators *all, size_t set, enum dse_case which, int64_t *vector)
{
    const struct dse_layout *layout = &merge->layout;
    const struct dse_accumulators *sums = &all[set];
    int time = layout->time[dse_merge_lane(layout, set * DSE_STAGE_MAX)][which];
    int64_t times = times_of(merge, set);
    if (time < 0)
        return;
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        size_t stage = set * DSE_STAGE_MAX + s, memories = s != DSE_STAGE_APART ? merge->question->board->memory_count : 0;
        int64_t busy = s != DSE_STAGE_APART ? times * sums->busy_cycles[which][s] * merge->slice->platform.fs_per_cycle : 0;
        for (size_t m = 0; m < memories; m++) {
            int64_t moving = times * bytes_fs(merge, sums, which, s, m);
            if (layout->moving[which][stage][m] >= 0)
                vector[layout->moving[which][stage][m]] = moving;
            else if (moving > busy)
                busy = moving; /* no other group moves bytes there */
        }
        int64_t own = times * sums->fill_cycles[which][s] * merge->slice->platform.fs_per_cycle;
        if (layout->busy[which][stage] >= 0)
            vector[layout->busy[which][stage]] = busy;
        else
            own += busy;
        add_closed(merge, which, stage, own, vector);
    }
    if (which == DSE_CASE_MEAN && layout->interval >= 0)
        vector[layout->interval] = sums->busy_cycles[which][DSE_STAGE_APART] * merge->slice->platform.fs_per_cycle;
}

static void put_set(const struct dse_merge *merge, const struct dse_accumulators *sums, size_t set, int64_t *vector)
{
    const struct dse_layout *layout = &merge->layout;
    size_t lane = dse_merge_lane(layout, set * DSE_STAGE_MAX);
    int64_t times = times_of(merge, set);
    put_time(merge, sums, set, DSE_CASE_MEAN, vector);
    put_time(merge, sums, set, DSE_CASE_TAIL, vector);
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++)
        if (layout->asks[b])
            vector[layout->energy[b][lane]] += times * dse_dynamic_fj(&merge->slice->platform, &sums[set], (enum dse_boundary)b);
    if (layout->host[lane] >= 0)
        vector[layout->host[lane]] += times * dse_host_work_fs(&merge->slice->platform, &sums[set]);
    if (layout->prepare[lane] >= 0)
        vector[layout->prepare[lane]] += times * dse_prepare_fs(&merge->slice->platform, &sums[set]);
    for (int m = 0; m < DSE_MEMORY_MAX; m++)
        for (size_t s = 0; s < DSE_STAGE_MAX && (layout->bytes[lane][m] >= 0 || layout->traffic[lane] >= 0); s++) {
            int64_t bytes = times * sums[set].bytes[DSE_CASE_MEAN][s][m];
            if (layout->bytes[lane][m] >= 0)
                vector[layout->bytes[lane][m]] += bytes;
            if (layout->traffic[lane] >= 0)
                vector[layout->traffic[lane]] += bytes;
        }
}

void dse_merge_row_vector(const struct dse_merge *merge, const struct dse_accumulators *sums, int64_t *vector)
{
    const struct dse_layout *layout = &merge->layout;
    memset(vector, 0, layout->count * sizeof *vector);
    for (size_t set = 0; set < layout->sets; set++)
        put_set(merge, sums, set, vector);
    vector[layout->idle] = sums->idle_nw; /* resources and standby power are common to all data sets */
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        if (layout->resource[r] >= 0)
            vector[layout->resource[r]] = sums->resources[r];
}

double dse_merge_launch_fs(const struct dse_merge *merge, enum dse_boundary boundary)
{
    const struct dse_sets *sets = merge->question->sets;
    double times = merge->layout.sets > merge->layout.lanes ? (double)sets->times_all : 1.0;
    return boundary == DSE_BOUNDARY_SYSTEM ? times * (double)merge->slice->platform.host_fs : 0.0;
}

unsigned dse_merge_closing(const struct dse_merge *merge, dse_group_set left, dse_group_set right)
{
    unsigned closing = 0;
    for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
        dse_group_set touching = merge->touches[s];
        bool now = dse_bits_within(touching, dse_bits_or(left, right)), before = dse_bits_within(touching, left) || dse_bits_within(touching, right);
        closing |= is_shared(touching) && now && !before ? 1u << s : 0;
    }
    return closing;
}

void dse_merge_close(const struct dse_merge *merge, unsigned closing, int64_t *vector)
{
    const struct dse_layout *layout = &merge->layout;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        for (size_t s = 0; s < layout->sets * DSE_STAGE_MAX; s++) {
            if (layout->busy[c][s] < 0 || (closing >> s % DSE_STAGE_MAX & 1) == 0)
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
            add_closed(merge, (enum dse_case)c, s, longest, vector);
        }
    }
}

int64_t dse_merge_interval_fs(const struct dse_merge *merge, const int64_t *vector)
{
    const struct dse_layout *layout = &merge->layout;
    int64_t fs[DSE_STAGE_MAX][DSE_CASE_COUNT] = {{0}}, apart = layout->interval >= 0 ? vector[layout->interval] : 0;
    if (layout->steps == 0)
        return apart;
    for (size_t k = 0; k < layout->steps; k++)
        for (int c = 0; c < DSE_CASE_COUNT && layout->step[k][c] >= 0; c++) {
            fs[k][c] = vector[layout->step[k][c]];
            for (unsigned left = merge->slice->platform.steps[k]; left != 0; left &= left - 1) {
                int busy = layout->busy[c][__builtin_ctz(left)];
                fs[k][c] += busy >= 0 ? vector[busy] : 0;
            }
        }
    int64_t slowest = dse_interval_fs(&merge->slice->platform, (const int64_t(*)[DSE_CASE_COUNT])fs);
    return slowest > apart ? slowest : apart;
}

int64_t dse_merge_kernel_fs(const struct dse_layout *layout, const int64_t *vector)
{
    int64_t total = dse_merge_open_fs(layout, 0, vector) + (layout->kernel >= 0 ? vector[layout->kernel] : 0);
    for (size_t k = 0; k < layout->steps && layout->kernel < 0; k++)
        total += vector[layout->step[k][DSE_CASE_MEAN]];
    return total;
}

int64_t dse_merge_open_fs(const struct dse_layout *layout, size_t lane, const int64_t *vector)
{
    int64_t total = 0;
    size_t begin = layout->lanes > 1 ? lane * DSE_STAGE_MAX : 0, end = layout->lanes > 1 ? begin + DSE_STAGE_MAX : layout->sets * DSE_STAGE_MAX;
    for (size_t s = begin; s < end; s++) {
        if (layout->busy[DSE_CASE_MEAN][s] < 0)
            continue;
        int64_t longest = vector[layout->busy[DSE_CASE_MEAN][s]];
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            if (layout->moving[DSE_CASE_MEAN][s][m] >= 0 && vector[layout->moving[DSE_CASE_MEAN][s][m]] > longest)
                longest = vector[layout->moving[DSE_CASE_MEAN][s][m]];
        total += longest;
    }
    return total;
}

