/* Co-simulation reports of Vivado HLS and Vitis HLS. */
#include <string.h>

#include "resources/synthesis/reading.h"

static enum dse_status read_cycles(struct reading *r, const struct grid *grid, size_t row)
{
    static const char *const headings[] = {"^Latency(\\(Clock Cycles\\))? min$", "^Latency(\\(Clock Cycles\\))? max$",
                                           "^Interval(\\(Clock Cycles\\))? min$",
                                           "^Interval(\\(Clock Cycles\\))? max$"};
    double *values[] = {&r->report->latency_cycles.min, &r->report->latency_cycles.max,
                        &r->report->interval_cycles.min, &r->report->interval_cycles.max};
    for (int i = 0; i < 4; i++) {
        size_t column = grid_column(r, grid, headings[i]);
        if (column == grid->columns)
            return reading_fail(r, grid->first_line + 1, "no columns of minimum and maximum cycles of %s",
                                i < 2 ? "latency" : "interval");
        DSE_TRY(grid_count(r, grid, row, column, values[i]));
    }
    return DSE_OK;
}

enum dse_status read_cosim(struct reading *r)
{
    struct grid grid;
    DSE_TRY(reading_grid(r, 0, r->line_count, "co-simulation", &grid));
    size_t verdict = grid_column(r, &grid, "^Status$");
    if (verdict == grid.columns)
        return reading_fail(r, grid.first_line + 1, "no column of the simulation's status");
    r->report->level = DSE_REPORT_LEVEL_COSIM;
    r->report->tool = reading_header(r, "Simulation tool");
    size_t length = r->report->tool != NULL ? strlen(r->report->tool) : 0;
    if (length > 1 && r->report->tool[length - 1] == '.')
        r->report->tool = reading_keep(r, r->report->tool, length - 1);
    size_t passed = grid_row(r, &grid, verdict, "^Pass\\s*$"), failed = grid_row(r, &grid, verdict, "^Fail\\s*$");
    if (failed < grid.rows)
        return reading_fail(r, grid.row_lines[failed] + 1, "the simulation failed: its cycles are meaningless");
    if (passed == grid.rows)
        return reading_fail(r, grid.first_line + 1, "no simulation has passed");
    return read_cycles(r, &grid, passed);
}
