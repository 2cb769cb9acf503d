/* Designs side by side: the inner loop of the exhaustive visit, one design a vector lane.
 *
 * The rows of a table hold what the metrics need, a column a quantity, as doubles: all of them are whole numbers below
 * 2^53, so that their sums are as exact as those of integers and dse_derive()'s arithmetic on them gives the same bits.
 * An outer partial design adds the same numbers to every row of the table (a stage's slowest engine: takes the maximum).
 * Every set of instructions computes the same. */
#pragma once

#include "search/groups.h"

#define DSE_LANES 256 /* designs of a block */
#define DSE_LANES_COLUMNS_MAX 96

/* Where a case's time lies among the columns. Stages that table and outer designs both take part in stay open: their time
 * is the maximum of both. All others are part of the closed time. */
struct dse_lanes_time {
    int closed;
    size_t stage_count;
    struct dse_lanes_stage {
        size_t stage;
        int busy;
        int memory[DSE_MEMORY_MAX], moving[DSE_MEMORY_MAX]; /* moving_count memories that both sides move bytes over */
        size_t moving_count;
    } stages[DSE_STAGE_MAX];
};

struct dse_lanes_layout {
    size_t count; /* columns */
    struct dse_lanes_time time[DSE_CASE_COUNT];
    int energy, idle, bytes, dram, host, resource[DSE_RESOURCE_COUNT];
};

/* The designs of a slice as rows of a table under outer designs: a row is a row of each of some groups, the first of them
 * slowest; an outer design is a row of each of the others. */
struct dse_lanes_table {
    size_t inner[DSE_GROUP_MAX], inner_count; /* groups of the table */
    size_t outer[DSE_GROUP_MAX], outer_count; /* the others */
    size_t rows, stride;
    double *columns; /* layout.count × stride, aligned to 64 bytes */
    struct dse_lanes_layout layout;
};

/* Makes the table of a slice whose groups all have rows; to be released with free(columns). Where sums may reach 2^53, so
 * that lanes cannot stand for the integers, the table has no columns and all groups are outer ones. */
void dse_lanes_table_make(const struct dse_plan *plan, const struct dse_slice *slice, struct dse_lanes_table *out);

/* A table without columns: designs are looked at one after the other. */
void dse_lanes_table_empty(const struct dse_plan *plan, struct dse_lanes_table *out);

/* The columns of one design, or part of one. */
void dse_lanes_columns(const struct dse_lanes_layout *layout, const struct dse_platform *platform,
                       const struct dse_accumulators *sums, double *columns);

/* Limits and objectives of every design. Metrics are computed where `wants` has their bit; latency and energy always. */
struct dse_lanes_rules {
    const struct dse_lanes_layout *layout;
    uint32_t wants;
    double units, at_once, share_nw[DSE_BOUNDARY_COUNT], host_fs, batch, fs_per_cycle, bytes_per_s, parts, femto;
    double caps[DSE_RESOURCE_COUNT]; /* of one unit */
    struct dse_limit limits[DSE_LIMIT_MAX];
    size_t limit_count;
    enum dse_metric objectives[DSE_OBJECTIVE_MAX]; /* without the quality, which is the same in a whole slice */
    size_t objective_count;
};

/* One block of a table under one outer design. */
struct dse_lanes_block {
    _Alignas(64) double metrics[DSE_METRIC_COUNT][DSE_LANES];
    _Alignas(64) double costs[DSE_OBJECTIVE_MAX][DSE_LANES]; /* smaller is better */
    _Alignas(64) int64_t alive[DSE_LANES]; /* −1: fits, holds every limit and is not ruled out by a guard; else 0 */
    const double *columns; /* of the table's first row in the block: column c begins at c × stride */
    size_t stride, count;
    const double *outer;   /* a value each column */
};

/* A design that is known to be feasible: it rules out those that it dominates, and equals that take more energy. */
struct dse_lanes_guard {
    double costs[DSE_OBJECTIVE_MAX];
    double energy;  /* infinity: equals are not ruled out */
    int64_t strict; /* −1: better in something that is not among the objectives here, so that equals are ruled out */
};

/* Fills metrics, costs and alive; returns the feasible designs. */
size_t dse_lanes_visit(const struct dse_lanes_rules *rules, struct dse_lanes_block *block);

/* Clears what a guard rules out; returns whether anything is left. */
bool dse_lanes_guard(const struct dse_lanes_rules *rules, struct dse_lanes_block *block, const struct dse_lanes_guard *guard);

/* The least of each cost and of the energy over what is alive. */
void dse_lanes_least(const struct dse_lanes_rules *rules, const struct dse_lanes_block *block, struct dse_lanes_guard *out);
