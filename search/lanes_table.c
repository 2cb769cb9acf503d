#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/lanes.h"

#define ROWS_WANTED 4096 /* rows of a table: its columns fit in a core's L2 cache */
#define EXACT_MAX 9007199254740992.0 /* 2^53: up to here a double represents every integer */

/* Groups that take part in a stage, and those that move bytes over its memories. */
struct touching {
    bool stage[DSE_STAGE_MAX];
    bool memory[DSE_STAGE_MAX][DSE_MEMORY_MAX];
};

static void note_touches(const struct dse_group *group, enum dse_case which, struct touching *out)
{
    for (size_t row = 0; row < group->count; row++)
        for (size_t s = 0; s < DSE_STAGE_APART; s++) {
            out->stage[s] |= group->sums[row].busy_cycles[which][s] > 0;
            for (int m = 0; m < DSE_MEMORY_MAX; m++) {
                bool moves = group->sums[row].bytes[which][s][m] > 0;
                out->memory[s][m] |= moves;
                out->stage[s] |= moves;
            }
        }
}

static void lay_out_time(const struct dse_slice *slice, const struct dse_lanes_table *table, enum dse_case which,
                         struct dse_lanes_layout *layout)
{
    struct touching inner = {0}, outer = {0};
    for (size_t i = 0; i < table->inner_count; i++)
        note_touches(&slice->groups[table->inner[i]], which, &inner);
    for (size_t i = 0; i < table->outer_count; i++)
        note_touches(&slice->groups[table->outer[i]], which, &outer);
    struct dse_lanes_time *time = &layout->time[which];
    time->closed = (int)layout->count++;
    for (size_t s = 0; s < DSE_STAGE_APART; s++) {
        if (!inner.stage[s] || !outer.stage[s])
            continue;
        struct dse_lanes_stage *stage = &time->stages[time->stage_count++];
        *stage = (struct dse_lanes_stage){.stage = s, .busy = (int)layout->count++};
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            if (inner.memory[s][m] && outer.memory[s][m]) {
                stage->memory[stage->moving_count] = m;
                stage->moving[stage->moving_count++] = (int)layout->count++;
            }
    }
}

/* Chooses the largest groups that make a table of the wanted size; at least one. */
static void choose_inner(const struct dse_plan *plan, const struct dse_slice *slice, struct dse_lanes_table *out)
{
    bool taken[DSE_GROUP_MAX] = {false};
    out->rows = 1;
    for (;;) {
        size_t best = DSE_GROUP_MAX, most = 0;
        for (size_t g = 0; g < plan->group_count; g++) {
            size_t count = slice->groups[g].count;
            if (!taken[g] && count > most && out->rows * count <= ROWS_WANTED) {
                best = g;
                most = count;
            }
        }
        if (best == DSE_GROUP_MAX)
            break;
        taken[best] = true;
        out->rows *= most;
    }
    for (size_t g = 0; g < plan->group_count; g++) /* if every group is too large, the first */
        if (taken[g] || (g == 0 && out->rows == 1 && slice->groups[0].count > ROWS_WANTED)) {
            out->inner[out->inner_count++] = g;
            out->rows = taken[g] ? out->rows : slice->groups[0].count;
        } else {
            out->outer[out->outer_count++] = g;
        }
}

void dse_lanes_columns(const struct dse_lanes_layout *layout, const struct dse_platform *platform,
                       const struct dse_accumulators *sums, double *columns)
{
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        const struct dse_lanes_time *time = &layout->time[c];
        int64_t closed = 0;
        for (size_t s = 0; s < DSE_STAGE_MAX; s++)
            closed += dse_stage_fs(platform, sums, (enum dse_case)c, s);
        for (size_t i = 0; i < time->stage_count; i++) {
            const struct dse_lanes_stage *stage = &time->stages[i];
            struct dse_accumulators own = *sums; /* without bytes moved by both sides */
            for (size_t m = 0; m < stage->moving_count; m++) {
                columns[stage->moving[m]] = (double)(sums->bytes[c][stage->stage][stage->memory[m]] *
                                                     platform->fs_per_byte[stage->memory[m]]);
                own.bytes[c][stage->stage][stage->memory[m]] = 0;
            }
            int64_t fill = sums->fill_cycles[c][stage->stage] * platform->fs_per_cycle;
            closed -= dse_stage_fs(platform, sums, (enum dse_case)c, stage->stage) - fill;
            columns[stage->busy] = (double)(dse_stage_fs(platform, &own, (enum dse_case)c, stage->stage) - fill);
        }
        columns[time->closed] = (double)closed;
    }
    int64_t bytes = 0, dram_fj = 0;
    for (int s = 0; s < DSE_STAGE_MAX; s++)
        for (int m = 0; m < DSE_MEMORY_MAX; m++) {
            bytes += sums->bytes[DSE_CASE_MEAN][s][m];
            dram_fj += sums->bytes[DSE_CASE_MEAN][s][m] * platform->dram_fj_per_byte[m];
        }
    columns[layout->energy] = (double)sums->energy_fj;
    columns[layout->idle] = (double)sums->idle_nw;
    columns[layout->bytes] = (double)bytes;
    columns[layout->dram] = (double)dram_fj;
    columns[layout->host] = (double)dse_host_work_fs(platform, sums);
    columns[layout->prepare] = (double)dse_prepare_fs(platform, sums);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        columns[layout->resource[r]] = (double)sums->resources[r];
}

static void lay_out(const struct dse_slice *slice, struct dse_lanes_table *table)
{
    struct dse_lanes_layout *layout = &table->layout;
    lay_out_time(slice, table, DSE_CASE_MEAN, layout);
    lay_out_time(slice, table, DSE_CASE_TAIL, layout);
    int *const others[] = {&layout->energy, &layout->idle, &layout->bytes, &layout->dram, &layout->host, &layout->prepare};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        *others[i] = (int)layout->count++;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        layout->resource[r] = (int)layout->count++;
}

/* Sums of columns are bounded by the sum of the groups' largest rows. */
static bool sums_are_exact(const struct dse_plan *plan, const struct dse_slice *slice, const struct dse_lanes_layout *layout)
{
    double most[DSE_LANES_COLUMNS_MAX] = {0.0};
    for (size_t g = 0; g < plan->group_count; g++) {
        double largest[DSE_LANES_COLUMNS_MAX] = {0.0}, columns[DSE_LANES_COLUMNS_MAX];
        for (size_t row = 0; row < slice->groups[g].count; row++) {
            dse_lanes_columns(layout, &slice->platform, &slice->groups[g].sums[row], columns);
            for (size_t c = 0; c < layout->count; c++)
                largest[c] = columns[c] > largest[c] ? columns[c] : largest[c];
        }
        for (size_t c = 0; c < layout->count; c++)
            most[c] += largest[c];
    }
    double total = 0.0;
    for (size_t c = 0; c < layout->count; c++)
        total = most[c] > total ? most[c] : total;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        total = fmax(total, most[layout->resource[r]] * (double)slice->platform.units);
    total = fmax(total, fmax(most[layout->energy] + most[layout->dram], most[layout->host] + (double)slice->platform.host_fs));
    for (int which = 0; which < DSE_CASE_COUNT; which++) {
        double time = most[layout->time[which].closed];
        for (size_t s = 0; s < layout->time[which].stage_count; s++) {
            const struct dse_lanes_stage *stage = &layout->time[which].stages[s];
            time += most[stage->busy];
            for (size_t m = 0; m < stage->moving_count; m++)
                time += most[stage->moving[m]];
        }
        total = fmax(total, time);
    }
    return total < EXACT_MAX;
}

static void fill_rows(const struct dse_slice *slice, struct dse_lanes_table *table)
{
    double columns[DSE_LANES_COLUMNS_MAX];
    for (size_t row = 0; row < table->rows; row++) {
        struct dse_accumulators sums = {0};
        size_t rest = row;
        for (size_t i = table->inner_count; i > 0; i--) {
            const struct dse_group *group = &slice->groups[table->inner[i - 1]];
            dse_accumulators_combine(&sums, &group->sums[rest % group->count]);
            rest /= group->count;
        }
        dse_lanes_columns(&table->layout, &slice->platform, &sums, columns);
        for (size_t c = 0; c < table->layout.count; c++)
            table->columns[c * table->stride + row] = columns[c];
    }
}

void dse_lanes_table_empty(const struct dse_plan *plan, struct dse_lanes_table *out)
{
    *out = (struct dse_lanes_table){.outer_count = plan->group_count, .rows = 1};
    for (size_t g = 0; g < plan->group_count; g++)
        out->outer[g] = g;
}

void dse_lanes_table_make(const struct dse_plan *plan, const struct dse_slice *slice, struct dse_lanes_table *out)
{
    memset(out, 0, sizeof *out);
    choose_inner(plan, slice, out);
    lay_out(slice, out);
    if (slice->platform.pipelined || !sums_are_exact(plan, slice, &out->layout)) { /* lanes do not support the slowest stage */
        dse_lanes_table_empty(plan, out);
        return;
    }
    out->stride = (out->rows + 7) / 8 * 8;
    size_t bytes = out->layout.count * out->stride * sizeof *out->columns;
    out->columns = aligned_alloc(64, bytes);
    memset(out->columns, 0, bytes);
    fill_rows(slice, out);
}
