/* Shared by the readers of reports: lines, patterns, numbers, tables. */
#pragma once

#include <stdbool.h>

#include "resources/synthesis/report.h"

/* A report being read: its lines (without line ends), and the place for the results. */
struct reading {
    struct dse_report *report;
    struct dse_arena *arena;
    const char *name;
    const char *data; /* as it came, NUL-terminated */
    size_t size;
    char **lines;
    size_t line_count;
    struct dse_error *err;
};

/* A copy in the report's arena. */
char *reading_keep(const struct reading *r, const char *text, size_t length);

/* DSE_BAD_INPUT with file and line (1-based; 0 for none). */
enum dse_status reading_fail(const struct reading *r, size_t line, const char *format, ...) DSE_PRINTF(3, 4);

/* True if the PCRE2 pattern matches `text`. Up to `count` groups are copied into the arena (NULL for a group without a match). */
bool reading_match(const struct reading *r, const char *pattern, const char *text, char **groups, size_t count);

/* The first line at or after `from` that matches; line_count if none does. */
size_t reading_find(const struct reading *r, size_t from, const char *pattern);

/* The text after "KEY :" in the header lines of the report, with leading "|" and "*" allowed; NULL if there is none. */
char *reading_header(const struct reading *r, const char *key);

/* A number as in reports: "12", "4.00 ns", "1937 (21%)", "244915 [ 20.80%]", "<0.001" (its bound), and NaN for words that mean unknown. DSE_BAD_INPUT
 * for anything else. */
enum dse_status reading_number(const struct reading *r, size_t line, const char *text, double *value);

/* As reading_number, for counts: also rejects negative ones. */
enum dse_status reading_count(const struct reading *r, size_t line, const char *text, double *value);

/* "10" or "10 ~ 20" (also "10~20"); one number sets both ends. */
enum dse_status reading_range(const struct reading *r, size_t line, const char *text,
                              struct dse_report_range *range);

/* A table: ruled with + - and |, its heading lines joined column by column; or with columns separated by spaces. */
struct grid {
    size_t columns, rows;
    char **headings; /* columns */
    char **cells;    /* rows × columns, trimmed at the right end, and by one space at the left */
    size_t *row_lines; /* index of each row's line */
    size_t first_line, next_line; /* lines of the table; next_line is the first line after it */
};

/* Reads the table that starts at the first border at or after line `from` and before `limit`. An error if there is none, if a row does not fit its
 * columns, or if the text ends inside. */
enum dse_status reading_grid(const struct reading *r, size_t from, size_t limit, const char *what,
                             struct grid *grid);

/* As reading_grid, without rules: headings over dashes over values, two or more spaces between columns. It ends with a blank line or dashes. */
enum dse_status reading_columns(const struct reading *r, size_t from, size_t limit, const char *what, struct grid *grid);

/* The column whose heading matches the pattern; grid->columns if none does. */
size_t grid_column(const struct reading *r, const struct grid *grid, const char *pattern);

/* The row whose cell in `column`, without spaces at both ends, matches; grid->rows if none does. */
size_t grid_row(const struct reading *r, const struct grid *grid, size_t column, const char *pattern);

const char *grid_cell(const struct grid *grid, size_t row, size_t column);

/* As grid_cell, without the spaces that indent it. */
const char *grid_word(const struct grid *grid, size_t row, size_t column);

/* As grid_word, as a count (reading_count). */
enum dse_status grid_count(const struct reading *r, const struct grid *grid, size_t row, size_t column,
                           double *value);

/* Counts of a row, by the patterns of their columns' headings (NULL: none). Counts of a missing column are unchanged. */
enum dse_status grid_resources(const struct reading *r, const struct grid *grid, size_t row,
                               const char *const headings[DSE_RESOURCE_COUNT], double used[DSE_RESOURCE_COUNT]);

/* An array of instances, grown by doubling. */
struct instance_list {
    struct dse_report_instance *items;
    size_t count, capacity;
};

/* A new one with every figure unknown. */
struct dse_report_instance *instance_add(const struct reading *r, struct instance_list *list, const char *name);

void report_all_unknown(double values[DSE_RESOURCE_COUNT]);

/* An error unless the last non-blank line is a table's border or a note under one. */
enum dse_status reading_check_end(const struct reading *r);

/* The "| Tool Version : …" block of Vivado's reports. */
enum dse_status reading_vivado_header(const struct reading *r);

/* That block, the sections of the table of contents, and the end: the parts of a complete Vivado report. */
enum dse_status reading_check_vivado(const struct reading *r);

/* One reader per kind. */
enum dse_status read_csynth_xml(struct reading *r);
enum dse_status read_csynth_module(struct reading *r);
enum dse_status read_csynth_summary(struct reading *r);
enum dse_status read_utilization(struct reading *r);
enum dse_status read_timing(struct reading *r);
enum dse_status read_power(struct reading *r);
enum dse_status read_cosim(struct reading *r);
enum dse_status read_system_estimate(struct reading *r);
enum dse_status read_yosys(struct reading *r);
