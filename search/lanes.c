/* Loops of search/lanes.h, written once: the compiler generates them for several instruction sets, and the program uses the widest
 * available. Loops run over whole vectors: rows are padded to the next multiple of eight with dead rows. */
#include <math.h>

#include "search/lanes.h"

/* Sanitizers do not support the dispatch, which runs before they are set up. */
#if defined(__x86_64__) && defined(__has_attribute) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if __has_attribute(target_clones)
#define CLONED __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#endif
#ifndef CLONED
#define CLONED
#endif
#define INLINE static inline __attribute__((always_inline)) /* so that it is compiled for each instruction set */

INLINE size_t lanes_of(const struct dse_lanes_block *block)
{
    return (block->count + 7) / 8 * 8;
}

INLINE const double *column_of(const struct dse_lanes_block *block, int column)
{
    return block->columns + (size_t)column * block->stride;
}

INLINE void sum_column(const struct dse_lanes_block *block, int column, double factor, double *restrict out)
{
    size_t lanes = lanes_of(block);
    const double *restrict in = column_of(block, column);
    double outer = block->outer[column];
    for (size_t i = 0; i < lanes; i++)
        out[i] = (in[i] + outer) * factor;
}

/* Adds the time of a stage in which both sides take part. */
INLINE void add_stage(const struct dse_lanes_block *block, const struct dse_lanes_stage *stage, double *restrict time)
{
    size_t lanes = lanes_of(block);
    const double *restrict busy = column_of(block, stage->busy);
    double outer = block->outer[stage->busy];
    _Alignas(64) double longest[DSE_LANES];
    for (size_t i = 0; i < lanes; i++)
        longest[i] = busy[i] > outer ? busy[i] : outer;
    for (size_t m = 0; m < stage->moving_count; m++) {
        const double *restrict moving = column_of(block, stage->moving[m]);
        double more = block->outer[stage->moving[m]];
        for (size_t i = 0; i < lanes; i++) {
            double sum = moving[i] + more;
            longest[i] = sum > longest[i] ? sum : longest[i];
        }
    }
    for (size_t i = 0; i < lanes; i++)
        time[i] += longest[i];
}

INLINE void take_time(const struct dse_lanes_rules *rules, const struct dse_lanes_block *block, enum dse_case which, double *restrict time)
{
    size_t lanes = lanes_of(block);
    const struct dse_lanes_time *layout = &rules->layout->time[which];
    double femto = rules->femto;
    sum_column(block, layout->closed, 1.0, time);
    for (size_t s = 0; s < layout->stage_count; s++)
        add_stage(block, &layout->stages[s], time);
    for (size_t i = 0; i < lanes; i++)
        time[i] *= femto;
}

INLINE void take_energy(const struct dse_lanes_rules *rules, const struct dse_lanes_block *block, const double *restrict time,
                        double *restrict energy)
{
    size_t lanes = lanes_of(block);
    const double *restrict dynamic = column_of(block, rules->layout->energy);
    const double *restrict idle = column_of(block, rules->layout->idle);
    double dynamic_outer = block->outer[rules->layout->energy], idle_outer = block->outer[rules->layout->idle];
    double share_nw = rules->share_nw[DSE_BOUNDARY_KERNEL], femto = rules->femto;
    for (size_t i = 0; i < lanes; i++) {
        double idle_w = (share_nw + (idle[i] + idle_outer)) * 1e-9;
        energy[i] = (dynamic[i] + dynamic_outer) * femto + idle_w * time[i];
    }
}

/* Host time of an item. */
INLINE void take_host(const struct dse_lanes_rules *rules, const struct dse_lanes_block *block, double *restrict time)
{
    size_t lanes = lanes_of(block);
    const double *restrict host = column_of(block, rules->layout->host);
    double outer = block->outer[rules->layout->host], launch = rules->host_fs, femto = rules->femto;
    for (size_t i = 0; i < lanes; i++)
        time[i] = (launch + (host[i] + outer)) * femto;
}

/* Time between two items that a unit delivers, as in dse_delivery_s(). Pipelines have no lanes, so the interval is the latency. */
INLINE void take_delivery(const struct dse_lanes_rules *rules, const struct dse_lanes_block *block, enum dse_boundary boundary, const double *restrict latency,
                          double *restrict time)
{
    size_t lanes = lanes_of(block);
    const double *restrict column = column_of(block, rules->layout->bytes);
    double outer = block->outer[rules->layout->bytes], parts = rules->parts, s_per_byte = rules->s_per_byte, units = rules->units, waits = rules->streams ? 0.0 : 1.0,
           wait_s = rules->waits && boundary == DSE_BOUNDARY_SYSTEM ? rules->host_fs * rules->femto : 0.0;
    _Alignas(64) double host[DSE_LANES] = {0.0}, prepare[DSE_LANES] = {0.0};
    if (boundary == DSE_BOUNDARY_SYSTEM) {
        take_host(rules, block, host);
        sum_column(block, rules->layout->prepare, rules->femto, prepare);
    }
    for (size_t i = 0; i < lanes; i++) {
        double own = latency[i] + wait_s + waits * host[i], memory = (column[i] + outer) * parts * s_per_byte, busy = host[i] + prepare[i];
        double shared = units * (busy > memory ? busy : memory);
        time[i] = own > shared ? own : shared;
    }
}

INLINE void take_system(const struct dse_lanes_rules *rules, const struct dse_lanes_block *block, const double *restrict latency,
                        enum dse_metric metric, double *restrict out)
{
    size_t lanes = lanes_of(block);
    const struct dse_lanes_layout *layout = rules->layout;
    const double *restrict dynamic = column_of(block, layout->energy), *restrict dram = column_of(block, layout->dram);
    const double *restrict idle = column_of(block, layout->idle);
    double dynamic_outer = block->outer[layout->energy], dram_outer = block->outer[layout->dram], idle_outer = block->outer[layout->idle];
    double units = rules->units, share_nw = rules->share_nw[DSE_BOUNDARY_SYSTEM], femto = rules->femto, items = rules->at_once / units;
    _Alignas(64) double time[DSE_LANES];
    take_delivery(rules, block, DSE_BOUNDARY_SYSTEM, latency, time);
    for (size_t i = 0; i < lanes; i++) {
        double idle_w = (share_nw + (idle[i] + idle_outer)) * 1e-9;
        double energy = ((dynamic[i] + dynamic_outer) + (dram[i] + dram_outer)) * femto + idle_w * time[i];
        out[i] = metric == DSE_METRIC_ENERGY_SYSTEM ? energy / items : units * (energy / time[i]);
    }
}

INLINE void take_rate(const struct dse_lanes_rules *rules, const struct dse_lanes_block *block, enum dse_boundary boundary, const double *restrict latency,
                      double *restrict out)
{
    size_t lanes = lanes_of(block);
    double at_once = rules->at_once;
    take_delivery(rules, block, boundary, latency, out);
    for (size_t i = 0; i < lanes; i++)
        out[i] = at_once / out[i];
}

INLINE void take_launch(const struct dse_lanes_rules *rules, const struct dse_lanes_block *block, const double *restrict latency, double *restrict out)
{
    size_t lanes = lanes_of(block);
    _Alignas(64) double host[DSE_LANES];
    take_host(rules, block, host);
    for (size_t i = 0; i < lanes; i++)
        out[i] = rules->batch * (latency[i] + host[i]);
}

/* Metrics as in dse_derive(), operation by operation. */
INLINE void take_metric(const struct dse_lanes_rules *rules, struct dse_lanes_block *block, enum dse_metric metric)
{
    size_t lanes = lanes_of(block);
    double *restrict out = block->metrics[metric];
    const double *restrict latency = block->metrics[DSE_METRIC_LATENCY];
    const double *restrict energy = block->metrics[DSE_METRIC_ENERGY];
    if (dse_metrics[metric].resource >= 0) {
        sum_column(block, rules->layout->resource[dse_metrics[metric].resource], rules->units, out);
        return;
    }
    switch (metric) {
    case DSE_METRIC_LATENCY_P99: take_time(rules, block, DSE_CASE_TAIL, out); break;
    case DSE_METRIC_THROUGHPUT: take_rate(rules, block, DSE_BOUNDARY_KERNEL, latency, out); break;
    case DSE_METRIC_POWER:
        take_delivery(rules, block, DSE_BOUNDARY_KERNEL, latency, out);
        for (size_t i = 0; i < lanes; i++)
            out[i] = rules->units * (energy[i] / out[i]);
        break;
    case DSE_METRIC_DRAM_ENERGY: sum_column(block, rules->layout->dram, rules->femto, out); break;
    case DSE_METRIC_DDR_BYTES: sum_column(block, rules->layout->bytes, rules->parts, out); break;
    case DSE_METRIC_LATENCY_SYSTEM: take_launch(rules, block, latency, out); break;
    case DSE_METRIC_THROUGHPUT_SYSTEM: take_rate(rules, block, DSE_BOUNDARY_SYSTEM, latency, out); break;
    case DSE_METRIC_ENERGY_SYSTEM:
    case DSE_METRIC_POWER_SYSTEM: take_system(rules, block, latency, metric, out); break;
    case DSE_METRIC_CYCLES:
        for (size_t i = 0; i < block->count; i++)
            out[i] = round(latency[i] * 1e15 / rules->fs_per_cycle);
        break;
    default: break; /* latency and energy are already computed; the quality is not a lane's */
    }
}

/* Clears lanes outside a bound. */
INLINE void keep_within(struct dse_lanes_block *block, const double *restrict values, bool at_least, double bound)
{
    size_t lanes = lanes_of(block);
    int64_t *restrict alive = block->alive;
    if (at_least)
        for (size_t i = 0; i < lanes; i++)
            alive[i] &= -(int64_t)(values[i] >= bound);
    else
        for (size_t i = 0; i < lanes; i++)
            alive[i] &= -(int64_t)(values[i] <= bound);
}

INLINE size_t lanesalive(const struct dse_lanes_block *block)
{
    size_t lanes = lanes_of(block);
    int64_t count = 0;
    for (size_t i = 0; i < lanes; i++)
        count -= block->alive[i];
    return (size_t)count;
}

CLONED size_t dse_lanes_visit(const struct dse_lanes_rules *rules, struct dse_lanes_block *block)
{
    size_t lanes = lanes_of(block);
    for (size_t i = 0; i < lanes; i++)
        block->alive[i] = -(int64_t)(i < block->count);
    /* Resources first: if few designs fit, whole blocks end here. */
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        keep_within(block, column_of(block, rules->layout->resource[r]), false, rules->caps[r] - block->outer[rules->layout->resource[r]]);
    if (lanesalive(block) == 0)
        return 0;
    take_time(rules, block, DSE_CASE_MEAN, block->metrics[DSE_METRIC_LATENCY]);
    _Alignas(64) double time[DSE_LANES];
    take_delivery(rules, block, DSE_BOUNDARY_KERNEL, block->metrics[DSE_METRIC_LATENCY], time);
    take_energy(rules, block, time, block->metrics[DSE_METRIC_ENERGY]);
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if ((rules->wants >> m & 1) != 0)
            take_metric(rules, block, (enum dse_metric)m);
    for (size_t l = 0; l < rules->limit_count; l++)
        keep_within(block, block->metrics[rules->limits[l].metric], rules->limits[l].at_least, rules->limits[l].bound);
    for (size_t o = 0; o < rules->objective_count; o++) {
        const double *restrict value = block->metrics[rules->objectives[o]];
        double *restrict cost = block->costs[o];
        double sign = dse_metrics[rules->objectives[o]].higher_is_better ? -1.0 : 1.0;
        for (size_t i = 0; i < lanes; i++)
            cost[i] = sign * value[i];
    }
    return lanesalive(block);
}

/* `count` is constant after inlining, so the loop over objectives is unrolled. */
INLINE bool guard_lanes(struct dse_lanes_block *block, const struct dse_lanes_guard *guard, size_t count)
{
    size_t lanes = lanes_of(block);
    const double *restrict energy = block->metrics[DSE_METRIC_ENERGY];
    int64_t any = 0, strict = guard->strict, *restrict alive = block->alive;
    double bounds[DSE_OBJECTIVE_MAX], least = guard->energy;
    for (size_t o = 0; o < count; o++)
        bounds[o] = guard->costs[o];
    for (size_t i = 0; i < lanes; i++) {
        int64_t better = 0, worse = strict | -(int64_t)(least < energy[i]);
        for (size_t o = 0; o < count; o++) {
            better |= -(int64_t)(block->costs[o][i] < bounds[o]);
            worse |= -(int64_t)(bounds[o] < block->costs[o][i]);
        }
        alive[i] &= better | ~worse;
        any |= alive[i];
    }
    return any != 0;
}

CLONED bool dse_lanes_guard(const struct dse_lanes_rules *rules, struct dse_lanes_block *block, const struct dse_lanes_guard *guard)
{
    switch (rules->objective_count) {
    case 1: return guard_lanes(block, guard, 1);
    case 2: return guard_lanes(block, guard, 2);
    case 3: return guard_lanes(block, guard, 3);
    default: return guard_lanes(block, guard, rules->objective_count);
    }
}

INLINE double least_alive(const struct dse_lanes_block *block, const double *restrict values)
{
    size_t lanes = lanes_of(block);
    double least[8], out = INFINITY;
    for (size_t k = 0; k < 8; k++)
        least[k] = INFINITY;
    for (size_t i = 0; i < lanes; i += 8)
        for (size_t k = 0; k < 8; k++) {
            double value = block->alive[i + k] != 0 ? values[i + k] : INFINITY;
            least[k] = value < least[k] ? value : least[k];
        }
    for (size_t k = 0; k < 8; k++)
        out = least[k] < out ? least[k] : out;
    return out;
}

CLONED void dse_lanes_least(const struct dse_lanes_rules *rules, const struct dse_lanes_block *block, struct dse_lanes_guard *out)
{
    for (size_t o = 0; o < rules->objective_count; o++)
        out->costs[o] = least_alive(block, block->costs[o]);
    out->energy = least_alive(block, block->metrics[DSE_METRIC_ENERGY]);
}
