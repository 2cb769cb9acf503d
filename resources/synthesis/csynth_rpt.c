/* csynth.rpt: a module's report (Vivado HLS, Vitis HLS) and the synthesis summary (Vitis HLS). */
#include <math.h>
#include <string.h>

#include "resources/synthesis/reading.h"

/* Headings of the resource columns: DSP48E until 2020, DSP since. */
static const char *const resource_headings[DSE_RESOURCE_COUNT] = {
    [DSE_BRAM18] = "^BRAM(_18K)?$", [DSE_URAM] = "^URAM$", [DSE_DSP] = "^DSP(48E[12]?|58)?$",
    [DSE_LUT] = "^LUT$",            [DSE_FF] = "^FF$",     [DSE_LUTRAM] = NULL};

/* "* Version:", "* Target device:" and the title's facts. */
static enum dse_status read_general(struct reading *r, const char *title)
{
    struct dse_report *report = r->report;
    char *version = reading_header(r, "Version"), *names[2] = {0};
    size_t line = reading_find(r, 0, title);
    if (line == r->line_count)
        return reading_fail(r, 0, "truncated: ends inside its title");
    reading_match(r, title, r->lines[line], names, 2);
    report->level = DSE_REPORT_LEVEL_HLS;
    report->tool = names[0] != NULL && strncmp(names[0], "Vivado", 6) == 0 ? "Vivado HLS" : "Vitis HLS";
    report->top = names[1];
    report->part = reading_header(r, "Target device");
    if (version != NULL) {
        char *number = NULL;
        if (!reading_match(r, "^v?(\\d+\\.\\d+(?:\\.\\d+)*)", version, &number, 1))
            return reading_fail(r, line + 1, "the tool's version \"%.40s\" is not a version of Vivado or Vitis HLS", version);
        report->version = number;
    }
    if (report->part == NULL || report->version == NULL)
        return reading_fail(r, line + 1, "truncated or damaged: no %s below the title",
                            report->part == NULL ? "target device" : "version");
    return DSE_OK;
}

static enum dse_status read_pair(struct reading *r, const struct grid *grid, size_t row, const char *min_heading,
                                 const char *max_heading, struct dse_report_range *range)
{
    size_t low = grid_column(r, grid, min_heading), high = grid_column(r, grid, max_heading);
    if (low == grid->columns || high == grid->columns)
        return reading_fail(r, grid->first_line + 1, "no columns of minimum and maximum cycles in this table");
    DSE_TRY(grid_count(r, grid, row, low, &range->min));
    return grid_count(r, grid, row, high, &range->max);
}

static enum dse_status read_latencies(struct reading *r, const struct grid *grid, size_t row,
                                      struct dse_report_range *latency, struct dse_report_range *interval)
{
    DSE_TRY(read_pair(r, grid, row, "^Latency( \\(cycles\\))? min$", "^Latency( \\(cycles\\))? max$", latency));
    return read_pair(r, grid, row, "^Interval min$", "^Interval max$", interval);
}

/* The line of a heading that must be there between two lines. */
static enum dse_status need_line(struct reading *r, size_t from, size_t limit, const char *pattern,
                                 const char *what, size_t *line)
{
    *line = reading_find(r, from, pattern);
    if (*line < limit)
        return DSE_OK;
    return reading_fail(r, 0, "truncated: no section of %s", what);
}

/* The table of the section with that heading. */
static enum dse_status section_grid(struct reading *r, size_t from, size_t limit, const char *pattern,
                                    const char *what, struct grid *grid)
{
    size_t line;
    DSE_TRY(need_line(r, from, limit, pattern, what, &line));
    return reading_grid(r, line, limit, what, grid);
}

static enum dse_status read_module_timing(struct reading *r, size_t from, size_t limit)
{
    struct grid grid;
    DSE_TRY(section_grid(r, from, limit, "^\\+ Timing", "timing", &grid));
    size_t target = grid_column(r, &grid, "^Target$"), estimated = grid_column(r, &grid, "^Estimated$");
    if (grid.rows == 0 || target == grid.columns || estimated == grid.columns)
        return reading_fail(r, grid.first_line + 1, "the table of timing has no target and estimate");
    DSE_TRY(grid_count(r, &grid, 0, target, &r->report->clock_target_ns));
    return grid_count(r, &grid, 0, estimated, &r->report->clock_estimated_ns);
}

static enum dse_status read_module_latency(struct reading *r, size_t from, size_t limit)
{
    struct grid grid;
    DSE_TRY(section_grid(r, from, limit, "^\\+ Latency", "latency", &grid));
    if (grid.rows == 0)
        return reading_fail(r, grid.first_line + 1, "the table of latency is empty");
    return read_latencies(r, &grid, 0, &r->report->latency_cycles, &r->report->interval_cycles);
}

static enum dse_status read_module_resources(struct reading *r, size_t from, size_t limit)
{
    struct grid grid;
    DSE_TRY(reading_grid(r, from, limit, "resources", &grid));
    size_t total = grid_row(r, &grid, 0, "^Total$"), available = grid_row(r, &grid, 0, "^Available$");
    if (total == grid.rows || available == grid.rows)
        return reading_fail(r, grid.first_line + 1, "the table of resources has no rows of Total and Available");
    if (grid_column(r, &grid, "^LUT$") == grid.columns || grid_column(r, &grid, "^FF$") == grid.columns)
        return reading_fail(r, grid.first_line + 1, "the table of resources has no columns of LUT and FF");
    DSE_TRY(grid_resources(r, &grid, total, resource_headings, r->report->used));
    return grid_resources(r, &grid, available, resource_headings, r->report->available);
}

/* The table under "* Instance:" between two lines; none if it says N/A. */
static enum dse_status instance_grid(struct reading *r, size_t from, size_t limit, struct grid *grid, bool *there)
{
    size_t line = reading_find(r, from, "^\\s*\\* Instance:");
    *there = false;
    if (line >= limit)
        return DSE_OK;
    size_t next = reading_find(r, line + 1, "^\\s*\\* ");
    if (next > limit)
        next = limit;
    if (reading_find(r, line + 1, "^\\s*\\+-") >= next)
        return DSE_OK;
    *there = true;
    return reading_grid(r, line, next, "instances", grid);
}

static struct dse_report_instance *find_instance(struct instance_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

/* Resources by instance, then the latencies of instances that have any. */
static enum dse_status read_instances(struct reading *r, size_t performance, size_t utilization, size_t end)
{
    struct grid grid;
    struct instance_list list = {0};
    bool there;
    DSE_TRY(instance_grid(r, utilization, end, &grid, &there));
    if (!there)
        return DSE_OK;
    size_t module = grid_column(r, &grid, "^Module$");
    for (size_t row = 0; row < grid.rows; row++) {
        if (strcmp(grid_word(&grid, row, 0), "Total") == 0)
            continue;
        struct dse_report_instance *item = instance_add(r, &list, grid_word(&grid, row, 0));
        if (module < grid.columns)
            item->module = grid_word(&grid, row, module);
        DSE_TRY(grid_resources(r, &grid, row, resource_headings, item->used));
    }
    DSE_TRY(instance_grid(r, performance, utilization, &grid, &there));
    for (size_t row = 0; there && row < grid.rows; row++) {
        struct dse_report_instance *item = find_instance(&list, grid_word(&grid, row, 0));
        if (item != NULL)
            DSE_TRY(read_latencies(r, &grid, row, &item->latency_cycles, &item->interval_cycles));
    }
    return DSE_OK;
}

enum dse_status read_csynth_module(struct reading *r)
{
    size_t performance, utilization, interface;
    DSE_TRY(read_general(r, "^== (Vivado|Vitis) HLS Report for '(.*)'"));
    DSE_TRY(need_line(r, 0, r->line_count, "^== Performance Estimates", "performance", &performance));
    DSE_TRY(need_line(r, performance, r->line_count, "^== Utilization Estimates", "utilization", &utilization));
    DSE_TRY(need_line(r, utilization, r->line_count, "^== Interface", "the interface", &interface));
    DSE_TRY(read_module_timing(r, performance, utilization));
    DSE_TRY(read_module_latency(r, performance, utilization));
    DSE_TRY(read_module_resources(r, utilization, interface));
    DSE_TRY(read_instances(r, performance, utilization, interface));
    return reading_check_end(r);
}

/* The only value that a summary gives is the largest; the module's own report has both. */
static enum dse_status read_largest(struct reading *r, const struct grid *grid, size_t row, const char *heading,
                                    struct dse_report_range *range)
{
    size_t column = grid_column(r, grid, heading);
    if (column == grid->columns)
        return reading_fail(r, grid->first_line + 1, "no column of %s in the summary",
                            heading[1] == 'L' ? "latency" : "interval");
    const char *cell = grid_cell(grid, row, column);
    enum dse_status status = reading_range(r, grid->row_lines[row] + 1, cell, range);
    if (strchr(cell, '~') == NULL)
        range->min = NAN;
    return status;
}

static enum dse_status read_summary_row(struct reading *r, const struct grid *grid, size_t row,
                                        struct dse_report_range *latency, struct dse_report_range *interval,
                                        double used[DSE_RESOURCE_COUNT])
{
    DSE_TRY(read_largest(r, grid, row, "^Latency \\(cycles\\)$", latency));
    DSE_TRY(read_largest(r, grid, row, "^Interval$", interval));
    return grid_resources(r, grid, row, resource_headings, used);
}

/* The sections after the interfaces, with the versions from which all known summaries have them. */
static enum dse_status check_summary_sections(struct reading *r, size_t from)
{
    static const struct {
        const char *pattern, *what, *since;
    } sections[] = {{"^== SW I/O Information", "the arguments", "0"},
                    {"^== Bind Op Report", "operators", "2021.1"},
                    {"^== (Bind )?Storage Report", "storage", "2021.1"},
                    {"^== Pragma Report", "pragmas", "2022.1"}};
    size_t line = from;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (strcmp(r->report->version, sections[i].since) >= 0)
            DSE_TRY(need_line(r, line, r->line_count, sections[i].pattern, sections[i].what, &line));
    }
    return DSE_OK;
}

enum dse_status read_csynth_summary(struct reading *r)
{
    struct grid grid;
    struct instance_list list = {0};
    struct dse_report *report = r->report;
    size_t line, interfaces;
    DSE_TRY(read_general(r, "^== (Synthesis Summary) Report of '(.*)'"));
    DSE_TRY(need_line(r, 0, r->line_count, "^\\+ Performance & Resource Estimates", "the estimates", &line));
    DSE_TRY(need_line(r, line, r->line_count, "^== HW Interfaces", "the interfaces", &interfaces));
    DSE_TRY(check_summary_sections(r, interfaces));
    DSE_TRY(reading_grid(r, line, interfaces, "performance and resources", &grid));
    if (grid.rows == 0 || grid_column(r, &grid, "^LUT$") == grid.columns || grid_column(r, &grid, "^FF$") == grid.columns)
        return reading_fail(r, line + 1, "the summary has no rows, or no columns of LUT and FF");
    DSE_TRY(read_summary_row(r, &grid, 0, &report->latency_cycles, &report->interval_cycles, report->used));
    for (size_t row = 1; row < grid.rows; row++) {
        const char *name = grid_word(&grid, row, 0);
        char *module = NULL;
        if (!reading_match(r, "^\\+ (.*?)\\*?$", name, &module, 1) || module == NULL)
            continue; /* a loop */
        struct dse_report_instance *item = instance_add(r, &list, module);
        item->module = item->name;
        DSE_TRY(read_summary_row(r, &grid, row, &item->latency_cycles, &item->interval_cycles, item->used));
    }
    return reading_check_end(r);
}
