/* report_timing_summary. */
#include <stdio.h>
#include <string.h>

#include "resources/synthesis/reading.h"

/* The line of a section of the summary, or an error that names the missing one. */
static enum dse_status find_section(struct reading *r, size_t from, const char *title, size_t *line)
{
    char pattern[96];
    snprintf(pattern, sizeof pattern, "^\\| %s\\s*$", title);
    *line = reading_find(r, from, pattern);
    if (*line < r->line_count)
        return DSE_OK;
    return reading_fail(r, 0, "truncated or damaged: no section \"%s\"", title);
}

static enum dse_status read_slack(struct reading *r, size_t section, size_t limit)
{
    struct grid table;
    if (reading_find(r, section, "^There are no user specified timing constraints") < limit)
        return DSE_OK; /* no slack without constraints */
    DSE_TRY(reading_columns(r, section + 3, limit, "the design's timing", &table));
    size_t wns = grid_column(r, &table, "^WNS\\(ns\\)$");
    if (table.rows == 0 || wns == table.columns)
        return reading_fail(r, section + 1, "the design's timing has no WNS");
    return reading_number(r, table.row_lines[0] + 1, grid_cell(&table, 0, wns), &r->report->wns_ns);
}

/* The clock whose own WNS is the design's, by the table of clocks; NULL if it is ambiguous. */
static const char *worst_clock(struct reading *r, size_t section, size_t limit)
{
    struct grid table;
    struct reading quiet = *r;
    quiet.err = NULL;
    if (reading_columns(&quiet, section + 3, limit, "clocks", &table) != DSE_OK)
        return NULL;
    size_t wns = grid_column(r, &table, "^WNS\\(ns\\)$"), name = grid_column(r, &table, "^Clock$");
    for (size_t i = 0; i < table.rows && wns < table.columns && name < table.columns; i++) {
        double slack;
        if (reading_number(&quiet, 0, grid_cell(&table, i, wns), &slack) == DSE_OK && slack == r->report->wns_ns)
            return grid_cell(&table, i, name);
    }
    return NULL;
}

/* The period of the only clock, or of the one with the worst slack. */
static enum dse_status read_period(struct reading *r, size_t clocks, size_t intra, size_t limit)
{
    struct grid table;
    if (reading_find(r, clocks, "^Clock\\s+Waveform") >= intra)
        return DSE_OK; /* a design without clocks has no table */
    DSE_TRY(reading_columns(r, clocks + 3, intra, "clocks", &table));
    size_t period = grid_column(r, &table, "^Period\\(ns\\)$"), name = grid_column(r, &table, "^Clock$");
    if (period == table.columns || name == table.columns)
        return reading_fail(r, clocks + 1, "the table of clocks has no names and periods");
    const char *worst = table.rows > 1 ? worst_clock(r, intra, limit) : NULL;
    for (size_t i = 0; i < table.rows; i++)
        if (table.rows == 1 || (worst != NULL && strcmp(grid_cell(&table, i, name), worst) == 0))
            return grid_count(r, &table, i, period, &r->report->clock_target_ns);
    return DSE_OK;
}

/* If the details name an analysis of setup, hold or pulse width, its paths must follow. */
static enum dse_status check_details(struct reading *r, size_t details)
{
    static const char *const pairs[][3] = {{"^Setup :", "^Max Delay Paths", "Max Delay Paths"},
                                           {"^Hold  ?:", "^Min Delay Paths", "Min Delay Paths"},
                                           {"^PW    ?:", "^Pulse Width Checks", "Pulse Width Checks"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        size_t analysis = reading_find(r, details, pairs[i][0]);
        if (analysis == r->line_count || reading_match(r, "\\bNA\\b", r->lines[analysis], NULL, 0))
            continue;
        if (reading_find(r, analysis, pairs[i][1]) == r->line_count)
            return reading_fail(r, analysis + 1, "truncated or damaged: no \"%s\" for this analysis", pairs[i][2]);
    }
    if (r->lines[r->line_count - 1][strspn(r->lines[r->line_count - 1], " ")] != '\0')
        return reading_fail(r, r->line_count, "truncated: ends inside a line");
    size_t last = r->line_count;
    while (last > 0 && r->lines[last - 1][strspn(r->lines[last - 1], " ")] == '\0')
        last--;
    if (last > 0 && strchr(r->lines[last - 1], '|') != NULL)
        return reading_fail(r, last, "truncated: ends inside a table");
    return DSE_OK;
}

enum dse_status read_timing(struct reading *r)
{
    size_t design, clocks, intra, inter, details;
    DSE_TRY(reading_vivado_header(r));
    DSE_TRY(find_section(r, 0, "Design Timing Summary", &design));
    DSE_TRY(find_section(r, design, "Clock Summary", &clocks));
    DSE_TRY(find_section(r, clocks, "Intra Clock Table", &intra));
    DSE_TRY(find_section(r, intra, "Inter Clock Table", &inter));
    DSE_TRY(find_section(r, inter, "Timing Details", &details));
    DSE_TRY(read_slack(r, design, clocks));
    DSE_TRY(read_period(r, clocks, intra, inter));
    return check_details(r, details);
}
