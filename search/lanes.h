/* Vectorised inner loop of the exhaustive visit: one design per vector lane.
 *
 * A table's rows hold the quantities that metrics need, one per column, as doubles. All are integers below 2^53, so sums are as exact as integer
 * sums, and the arithmetic of dse_derive() gives the same bits. An outer partial design adds the same numbers to every row of the table (or takes the
 * maximum, for a stage's slowest engine). Every instruction set computes the same. */
#pragma once

#include "search/groups.h"

#define DSE_LANES 256 /* designs per block */
#define DSE_LANES_COLUMNS_MAX 96

/* Columns of a case's time. Stages in which both table and outer designs take part stay open: their time
 * is the maximum of both. All others are part of the closed time. */
struct dse_lanes_time {
    int closed;
    size_t stage_count;
    struct dse_lanes_stage {
        size_t stage;
        int busy;
        int memory[DSE_MEMORY_MAX], moving[DSE_MEMORY_MAX]; /* moving_count memories over which both sides move bytes */
        size_t moving_count;
    } stages[DSE_STAGE_MAX];
};

struct dse_lanes_layout {
    size_t count; /* columns */
    struct dse_lanes_time time[DSE_CASE_COUNT];
    int energy, idle, bytes, dram, host, prepare, resource[DSE_RESOURCE_COUNT];
};

/* Designs of a slice as table rows under outer designs. A table row combines one row each of some groups, the first varying slowest. An outer design
 * combines one row each of the other groups. */
struct dse_lanes_table {
    size_t inner[DSE_GROUP_MAX], inner_count; /* groups of the table */
    size_t outer[DSE_GROUP_MAX], outer_count; /* the others */
    size_t rows, stride;
    double *columns; /* layout.count × stride, aligned to 64 bytes */
    struct dse_lanes_layout layout;
};

/* Makes the table of a slice whose groups all have rows; release with free(columns). If sums may reach 2^53, so
 * that doubles are not exact, the table has no columns and all groups are outer. */
void dse_lanes_table_make(const struct dse_plan *plan, const struct dse_slice *slice, struct dse_lanes_table *out);

/* A table without columns: designs are visited one by one. */
void dse_lanes_table_empty(const struct dse_plan *plan, struct dse_lanes_table *out);

/* Columns of a design or of a part. */
void dse_lanes_columns(const struct dse_lanes_layout *layout, const struct dse_platform *platform,
                       const struct dse_accumulators *sums, double *columns);

/* Limits and objectives of every design. Metrics are computed if their bit is in `wants`; latency and energy always. */
struct dse_lanes_rules {
    const struct dse_lanes_layout *layout;
    uint32_t wants;
    double units, at_once, share_nw[DSE_BOUNDARY_COUNT], host_fs, batch, fs_per_cycle, bytes_per_s, s_per_byte, parts, femto;
    bool streams, waits;
    double caps[DSE_RESOURCE_COUNT]; /* per unit */
    struct dse_limit limits[DSE_LIMIT_MAX];
    size_t limit_count;
    enum dse_metric objectives[DSE_OBJECTIVE_MAX]; /* without quality, which is constant in a slice */
    size_t objective_count;
};

/* One block of a table under one outer design. */
struct dse_lanes_block {
    _Alignas(64) double metrics[DSE_METRIC_COUNT][DSE_LANES];
    _Alignas(64) double costs[DSE_OBJECTIVE_MAX][DSE_LANES]; /* lower is better */
    _Alignas(64) int64_t alive[DSE_LANES]; /* −1: fits, meets every limit and no guard excludes it; otherwise 0 */
    const double *columns; /* columns of the table's first row in the block: column c begins at c × stride */
    size_t stride, count;
    const double *outer;   /* one value per column */
};

/* A design known to be feasible: excludes designs that it dominates, and equal ones with more energy. */
struct dse_lanes_guard {
    double costs[DSE_OBJECTIVE_MAX];
    double energy;  /* infinity: does not exclude equal ones */
    int64_t strict; /* −1: better in a quantity that is not an objective here, so equal ones are excluded */
};

/* Fills metrics, costs and alive; returns the number of feasible designs. */
size_t dse_lanes_visit(const struct dse_lanes_rules *rules, struct dse_lanes_block *block);

/* Clears designs that a guard excludes; returns whether any are left. */
bool dse_lanes_guard(const struct dse_lanes_rules *rules, struct dse_lanes_block *block, const struct dse_lanes_guard *guard);

/* Minimum of each cost and of the energy over designs that are alive. */
void dse_lanes_least(const struct dse_lanes_rules *rules, const struct dse_lanes_block *block, struct dse_lanes_guard *out);
