/* The system estimate of xocc and v++ (system_estimate_NAME.xtxt). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "resources/synthesis/reading.h"

static const char *const resource_headings[DSE_RESOURCE_COUNT] = {
    [DSE_BRAM18] = "^BRAM$", [DSE_URAM] = "^URAM$", [DSE_DSP] = "^DSP$", [DSE_LUT] = "^LUT$", [DSE_FF] = "^FF$"};

/* The table under a title. */
static enum dse_status titled(struct reading *r, const char *title, struct grid *table, size_t *unit,
                              size_t *kernel, size_t *module)
{
    char pattern[96];
    snprintf(pattern, sizeof pattern, "^%s", title);
    size_t line = reading_find(r, 0, pattern);
    if (line == r->line_count)
        return reading_fail(r, 0, "truncated: no \"%s\"", title);
    DSE_TRY(reading_columns(r, line + 1, r->line_count, title, table));
    *unit = grid_column(r, table, "^Compute Unit$");
    *kernel = grid_column(r, table, "^Kernel Name$");
    *module = grid_column(r, table, "^Module Name$");
    if (table->rows == 0 || *unit == table->columns || *kernel == table->columns || *module == table->columns)
        return reading_fail(r, line + 1, "the table has no rows, or does not name unit, kernel and module");
    return DSE_OK;
}

/* The row of a whole compute unit: the one whose module is the kernel. */
static bool is_whole(const struct grid *table, size_t row, size_t kernel, size_t module)
{
    return strcmp(grid_cell(table, row, kernel), grid_cell(table, row, module)) == 0;
}

static enum dse_status read_area(struct reading *r, struct instance_list *list)
{
    struct grid table;
    size_t unit, kernel, module;
    DSE_TRY(titled(r, "Area Information", &table, &unit, &kernel, &module));
    for (size_t row = 0; row < table.rows; row++) {
        struct dse_report_instance *item = instance_add(r, list, grid_cell(&table, row, unit));
        item->module = grid_cell(&table, row, module);
        bool whole = is_whole(&table, row, kernel, module);
        DSE_TRY(grid_resources(r, &table, row, resource_headings, item->used));
        for (int i = 0; whole && i < DSE_RESOURCE_COUNT; i++) {
            double *sum = &r->report->used[i];
            *sum = isnan(*sum) ? item->used[i] : *sum + item->used[i];
        }
    }
    return DSE_OK;
}

static struct dse_report_instance *find_instance(struct instance_list *list, const char *unit, const char *module)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, unit) == 0 && strcmp(list->items[i].module, module) == 0)
            return &list->items[i];
    return NULL;
}

/* Latencies by module; those of the whole only if there is one compute unit. */
static enum dse_status read_latency(struct reading *r, struct instance_list *list)
{
    struct grid table;
    size_t unit, kernel, module, wholes = 0;
    DSE_TRY(titled(r, "Latency Information", &table, &unit, &kernel, &module));
    const size_t columns[] = {grid_column(r, &table, "^Best \\(cycles\\)$"),
                              grid_column(r, &table, "^Worst \\(cycles\\)$"),
                              grid_column(r, &table, "^Start Interval$")};
    for (int i = 0; i < 3; i++)
        if (columns[i] == table.columns)
            return reading_fail(r, table.first_line + 1, "no columns of best and worst cycles and start interval");
    for (size_t row = 0; row < table.rows; row++) {
        struct dse_report_range latency = {NAN, NAN}, interval = {NAN, NAN};
        DSE_TRY(grid_count(r, &table, row, columns[0], &latency.min));
        DSE_TRY(grid_count(r, &table, row, columns[1], &latency.max));
        DSE_TRY(reading_range(r, table.row_lines[row] + 1, grid_cell(&table, row, columns[2]), &interval));
        struct dse_report_instance *item = find_instance(list, grid_cell(&table, row, unit), grid_cell(&table, row, module));
        if (item != NULL) {
            item->latency_cycles = latency;
            item->interval_cycles = interval;
        }
        if (!is_whole(&table, row, kernel, module))
            continue;
        const struct dse_report_range unknown = {NAN, NAN};
        r->report->latency_cycles = wholes == 0 ? latency : unknown;
        r->report->interval_cycles = wholes++ == 0 ? interval : unknown;
    }
    return DSE_OK;
}

/* The requested clock, and the slowest estimated clock of a compute unit. */
static enum dse_status read_clocks(struct reading *r)
{
    struct grid table;
    size_t unit, kernel, module;
    DSE_TRY(titled(r, "Timing Information \\(MHz\\)", &table, &unit, &kernel, &module));
    size_t target = grid_column(r, &table, "^Target Frequency$");
    size_t estimated = grid_column(r, &table, "^Estimated Frequency$");
    if (target == table.columns || estimated == table.columns)
        return reading_fail(r, table.first_line + 1, "no columns of target and estimated frequency");
    double asked = NAN, reached = NAN;
    for (size_t row = 0; row < table.rows; row++) {
        double a, b;
        DSE_TRY(grid_count(r, &table, row, target, &a));
        DSE_TRY(grid_count(r, &table, row, estimated, &b));
        asked = isnan(asked) || a > asked ? a : asked;
        reached = isnan(reached) || b < reached ? b : reached;
    }
    r->report->clock_target_ns = asked > 0 ? 1e3 / asked : NAN;
    r->report->clock_estimated_ns = reached > 0 ? 1e3 / reached : NAN;
    return DSE_OK;
}

/* "xocc v2019.1 (64-bit)" or "v++ v2020.2 (64-bit)" above, the design and its platform below. */
static enum dse_status read_heading(struct reading *r)
{
    struct dse_report *report = r->report;
    char *version = reading_header(r, "Version"), *parts[2] = {0};
    report->level = DSE_REPORT_LEVEL_HLS;
    if (version != NULL) {
        if (!reading_match(r, "^(xocc|v\\+\\+|Vitis|SDx)\\s+v\\.?(\\d+\\.\\d+(?:\\.\\d+)*)", version, parts, 2))
            return reading_fail(r, 0, "\"%.60s\" is neither xocc nor v++", version);
        report->tool = parts[0];
        report->version = parts[1];
    }
    report->part = reading_header(r, "Target Device");
    report->top = reading_header(r, "Design Name");
    return DSE_OK;
}

enum dse_status read_system_estimate(struct reading *r)
{
    struct instance_list list = {0};
    DSE_TRY(read_heading(r));
    DSE_TRY(read_clocks(r));
    DSE_TRY(read_area(r, &list));
    return read_latency(r, &list);
}
