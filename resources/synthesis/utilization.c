/* report_utilization (of the whole design, by hierarchy, by SLR) and report_accelerator_utilization. */
#include <math.h>
#include <string.h>

#include "resources/synthesis/reading.h"

/* Rows of the tables of site types. Tiles and RAMB36 count as two halves each. */
static const struct {
    enum dse_resource resource;
    const char *pattern;
    double scale;
    bool needed;
} sites[] = {
    {DSE_LUT, "^(CLB |Slice )?LUTs\\*?$", 1, true},
    {DSE_FF, "^(CLB |Slice )?Registers\\*?$", 1, true},
    {DSE_LUTRAM, "^LUT as Memory\\*?$", 1, false},
    {DSE_BRAM18, "^Block RAM Tile\\*?$", 2, false},
    {DSE_URAM, "^(URAM|URAM288)\\*?$", 1, false},
    {DSE_DSP, "^(DSPs|DSP Slices)\\*?$", 1, false},
};

/* The first row of the report whose site type matches and whose table has a "Used" column. */
static enum dse_status read_site(struct reading *r, const struct grid *grid, size_t site, bool *found)
{
    size_t row = grid_row(r, grid, 0, sites[site].pattern);
    size_t used = grid_column(r, grid, "^Used$"), available = grid_column(r, grid, "^Available$");
    if (row == grid->rows || used == grid->columns || available == grid->columns)
        return DSE_OK;
    enum dse_resource resource = sites[site].resource;
    double *values[] = {&r->report->used[resource], &r->report->available[resource]};
    const size_t columns[] = {used, available};
    for (int i = 0; i < 2; i++) {
        DSE_TRY(grid_count(r, grid, row, columns[i], values[i]));
        *values[i] *= sites[site].scale;
    }
    *found = true;
    return DSE_OK;
}

static enum dse_status read_whole(struct reading *r, size_t first)
{
    bool found[sizeof sites / sizeof *sites] = {0};
    struct grid grid;
    size_t line = first;
    while ((line = reading_find(r, line, "^\\|\\s*Site Type\\s*\\|")) < r->line_count) {
        DSE_TRY(reading_grid(r, line - 1, r->line_count, "site types", &grid));
        for (size_t i = 0; i < sizeof sites / sizeof *sites; i++)
            if (!found[i])
                DSE_TRY(read_site(r, &grid, i, &found[i]));
        line = grid.next_line;
    }
    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++)
        if (sites[i].needed && !found[i])
            return reading_fail(r, 0, "truncated or damaged: no row of %s",
                                sites[i].resource == DSE_LUT ? "LUTs" : "registers");
    return DSE_OK;
}

/* Used resources by SLR, and their sum. */
static enum dse_status read_slrs(struct reading *r, size_t line)
{
    struct grid grid;
    struct instance_list list = {0};
    DSE_TRY(reading_grid(r, line - 1, r->line_count, "the SLRs", &grid));
    for (size_t c = 1; c < grid.columns; c++) {
        if (!reading_match(r, "^SLR\\d+$", grid.headings[c], NULL, 0))
            continue;
        struct dse_report_instance *slr = instance_add(r, &list, grid.headings[c]);
        for (size_t i = 0; i < sizeof sites / sizeof *sites; i++) {
            size_t row = grid_row(r, &grid, 0, sites[i].pattern);
            double *used = &slr->used[sites[i].resource];
            if (row == grid.rows)
                continue;
            DSE_TRY(grid_count(r, &grid, row, c, used));
            *used *= sites[i].scale;
        }
    }
    for (int i = 0; list.count > 0 && i < DSE_RESOURCE_COUNT; i++) {
        double sum = 0;
        for (size_t s = 0; s < list.count; s++)
            sum += list.items[s].used[i];
        r->report->used[i] = sum;
    }
    return DSE_OK;
}

/* Columns of the tables with one row per kernel or instance. Both RAMB columns add to halves. */
static const struct {
    enum dse_resource resource;
    const char *pattern;
    double scale;
} columns[] = {
    {DSE_LUT, "^(LUT|Total LUTs)\\*?$", 1},   {DSE_FF, "^(REG|FFs)\\*?$", 1},
    {DSE_LUTRAM, "^(LUTAsMem|LUTRAMs)\\*?$", 1}, {DSE_LUTRAM, "^SRLs$", 1},
    {DSE_BRAM18, "^(BRAM|RAMB36)$", 2},     {DSE_BRAM18, "^RAMB18$", 1},
    {DSE_URAM, "^URAM$", 1},                {DSE_DSP, "^(DSP|DSP Blocks|DSP48 Blocks)$", 1},
};

static enum dse_status read_columns(struct reading *r, const struct grid *grid, size_t row,
                                    double used[DSE_RESOURCE_COUNT])
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        size_t column = grid_column(r, grid, columns[i].pattern);
        if (column == grid->columns)
            continue;
        double value, *sum = &used[columns[i].resource];
        DSE_TRY(grid_count(r, grid, row, column, &value));
        *sum = (isnan(*sum) ? 0 : *sum) + value * columns[i].scale;
    }
    return DSE_OK;
}

static enum dse_status read_accelerator(struct reading *r)
{
    struct grid grid;
    struct instance_list list = {0};
    size_t line = reading_find(r, 0, "^1\\. System Utilization\\s*$");
    line = reading_find(r, line + 1, "^\\|\\s*Name\\s*\\|");
    if (line == r->line_count)
        return reading_fail(r, 0, "truncated: no table of the system's utilization");
    DSE_TRY(reading_grid(r, line - 1, r->line_count, "the system's utilization", &grid));
    size_t used = grid_row(r, &grid, 0, "^Used Resources$"), budget = grid_row(r, &grid, 0, "^User Budget$");
    if (used == grid.rows || budget == grid.rows)
        return reading_fail(r, grid.first_line + 1, "no rows of the user's budget and the used resources");
    DSE_TRY(read_columns(r, &grid, used, r->report->used));
    DSE_TRY(read_columns(r, &grid, budget, r->report->available));
    for (size_t row = 0; row < grid.rows; row++) {
        if (row == used || row == budget || strcmp(grid_word(&grid, row, 0), "Unused Resources") == 0)
            continue;
        struct dse_report_instance *item = instance_add(r, &list, grid_word(&grid, row, 0));
        DSE_TRY(read_columns(r, &grid, row, item->used));
    }
    return DSE_OK;
}

static enum dse_status read_hierarchy(struct reading *r, size_t line)
{
    struct grid grid;
    struct instance_list list = {0};
    DSE_TRY(reading_grid(r, line - 1, r->line_count, "the hierarchy", &grid));
    size_t module = grid_column(r, &grid, "^Module$");
    if (grid.rows == 0 || grid_column(r, &grid, "^Total LUTs\\*?$") == grid.columns)
        return reading_fail(r, grid.first_line + 1, "the hierarchy has no rows, or no column of LUTs");
    DSE_TRY(read_columns(r, &grid, 0, r->report->used));
    for (size_t row = 1; row < grid.rows; row++) {
        struct dse_report_instance *item = instance_add(r, &list, grid_word(&grid, row, 0));
        if (module < grid.columns)
            item->module = grid_word(&grid, row, module);
        DSE_TRY(read_columns(r, &grid, row, item->used));
    }
    return DSE_OK;
}

enum dse_status read_utilization(struct reading *r)
{
    DSE_TRY(reading_check_vivado(r));
    if (reading_find(r, 0, "^Accelerator Utilization Design Information") < r->line_count)
        return read_accelerator(r);
    size_t hierarchy = reading_find(r, 0, "^\\|\\s*Instance\\s*\\|\\s*Module\\s*\\|");
    size_t whole = reading_find(r, 0, "^\\|\\s*Site Type\\s*\\|\\s*Used\\s*\\|");
    size_t slrs = reading_find(r, 0, "^\\|\\s*Site Type\\s*\\|\\s*SLR0\\s*\\|");
    if (whole == r->line_count && hierarchy < r->line_count)
        return read_hierarchy(r, hierarchy);
    if (slrs < r->line_count)
        DSE_TRY(read_slrs(r, slrs));
    bool logic = reading_find(r, 0, "^1\\. (CLB|Slice|Netlist) Logic\\s*$") < r->line_count;
    if (logic || slrs == r->line_count)
        DSE_TRY(read_whole(r, 0));
    return DSE_OK;
}
