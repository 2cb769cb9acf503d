/* Tables ruled with + - and |. */
#include <ctype.h>
#include <string.h>

#include "core/strbuf.h"
#include "resources/synthesis/reading.h"

#define COLUMNS_MAX 256

static const char *after_space(const char *line)
{
    while (*line == ' ' || *line == '\t')
        line++;
    return line;
}

/* "+-----+---+": nothing but these two. */
static bool is_border(const char *line)
{
    line = after_space(line);
    if (*line != '+' || line[1] != '-')
        return false;
    size_t length = strspn(line, "+-");
    return line[length - 1] == '+' && *after_space(line + length) == '\0';
}

static bool is_ruled(const char *line)
{
    line = after_space(line);
    return *line == '|' || *line == '+';
}

/* A cell without one space at its left and without any at its right. */
static char *cell_text(const struct reading *r, const char *start, const char *end)
{
    while (end > start && isspace((unsigned char)end[-1]))
        end--;
    if (start < end && *start == ' ')
        start++;
    return dse_arena_strndup(r->arena, start, (size_t)(end - start));
}

/* Offsets of a mark in a line, such as the corners of a border or the bars of a heading; returns their number. */
static size_t find_marks(const char *line, char mark, size_t corners[COLUMNS_MAX + 1])
{
    size_t count = 0;
    for (size_t i = 0; line[i] != '\0'; i++)
        if (line[i] == mark) {
            if (count == COLUMNS_MAX + 1)
                return 0;
            corners[count++] = i;
        }
    return count;
}

/* Adds the part of a heading line above one column: the cell, possibly wider, over the column's middle. */
static void add_heading(struct dse_strbuf *heading, const char *line, size_t from, size_t to)
{
    size_t length = strlen(line), middle = (from + to) / 2;
    if (middle >= length)
        return;
    size_t start = middle, end = middle;
    while (start > 0 && line[start] != '|' && line[start] != '+')
        start--;
    while (end < length && line[end] != '|' && line[end] != '+')
        end++;
    if (end == start)
        return;
    start++;
    while (start < end && (line[start] == ' ' || line[start] == '-'))
        start++;
    while (end > start && (line[end - 1] == ' ' || line[end - 1] == '-'))
        end--;
    if (end <= start)
        return;
    if (heading->length > 0)
        dse_strbuf_add(heading, " ");
    dse_strbuf_add_n(heading, line + start, end - start);
}

static void read_headings(const struct reading *r, size_t first, size_t last, const size_t *corners,
                          struct grid *grid)
{
    for (size_t c = 0; c < grid->columns; c++) {
        struct dse_strbuf heading DSE_CLEANUP(dse_strbuf_free) = {0};
        for (size_t line = first; line < last; line++)
            add_heading(&heading, r->lines[line], corners[c], corners[c + 1]);
        grid->headings[c] = dse_arena_strdup(r->arena, dse_strbuf_text(&heading));
    }
}

/* Where the row's cells begin and end: at the border's corners. If a long value has shifted them, at the row's own bars if there are as many. */
static bool find_bars(const char *text, const size_t *corners, size_t columns, size_t *bars)
{
    size_t length = strlen(text), count = 0;
    bool aligned = true;
    for (size_t c = 0; c <= columns; c++)
        aligned &= corners[c] < length && text[corners[c]] == '|';
    if (aligned) {
        memcpy(bars, corners, (columns + 1) * sizeof *bars);
        return true;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '|')
            continue;
        if (count > columns)
            return false;
        bars[count++] = i;
    }
    return count == columns + 1 && *after_space(text + bars[columns] + 1) == '\0';
}

static enum dse_status read_row(const struct reading *r, size_t line, const size_t *corners, struct grid *grid)
{
    const char *text = r->lines[line];
    size_t bars[COLUMNS_MAX + 1];
    if (!find_bars(text, corners, grid->columns, bars))
        return reading_fail(r, line + 1, "this row does not fit the columns of its table: truncated or damaged");
    for (size_t c = 0; c < grid->columns; c++) {
        grid->cells[grid->rows * grid->columns + c] = cell_text(r, text + bars[c] + 1, text + bars[c + 1]);
    }
    grid->row_lines[grid->rows++] = line;
    return DSE_OK;
}

static enum dse_status read_rows(const struct reading *r, size_t body, const size_t *corners, const char *what,
                                 struct grid *grid)
{
    size_t end = body;
    while (end < r->line_count && is_ruled(r->lines[end]))
        end++;
    grid->next_line = end;
    if (end == body || !is_border(r->lines[end - 1]))
        return reading_fail(r, end, "truncated: the table of %s is not closed", what);
    grid->cells = dse_arena_alloc(r->arena, (end - body) * grid->columns, sizeof *grid->cells);
    grid->row_lines = dse_arena_alloc(r->arena, end - body, sizeof *grid->row_lines);
    for (size_t line = body; line < end; line++) {
        if (*after_space(r->lines[line]) == '+')
            continue;
        DSE_TRY(read_row(r, line, corners, grid));
    }
    return DSE_OK;
}

enum dse_status reading_grid(const struct reading *r, size_t from, size_t limit, const char *what,
                             struct grid *grid)
{
    *grid = (struct grid){0};
    size_t top = from;
    while (top < limit && top < r->line_count && !is_border(r->lines[top]))
        top++;
    if (top >= limit || top >= r->line_count)
        return reading_fail(r, from + 1, "truncated or damaged: no table of %s", what);
    size_t middle = top + 1;
    while (middle < r->line_count && is_ruled(r->lines[middle]) && !is_border(r->lines[middle]))
        middle++;
    if (middle >= r->line_count || !is_border(r->lines[middle]))
        return reading_fail(r, middle, "truncated: the heading of the table of %s is not closed", what);
    /* Borders may omit corners; the last heading line has all bars. */
    size_t corners[COLUMNS_MAX + 1], bars[COLUMNS_MAX + 1];
    size_t count = find_marks(r->lines[middle], '+', corners);
    size_t bar_count = middle > top + 1 ? find_marks(r->lines[middle - 1], '|', bars) : 0;
    if (bar_count > count)
        memcpy(corners, bars, (count = bar_count) * sizeof *bars);
    if (count < 2)
        return reading_fail(r, middle + 1, "the table of %s has no columns, or more than %d", what, COLUMNS_MAX);
    grid->columns = count - 1;
    grid->first_line = top;
    grid->headings = dse_arena_alloc(r->arena, grid->columns, sizeof *grid->headings);
    read_headings(r, top + 1, middle, corners, grid);
    return read_rows(r, middle + 1, corners, what, grid);
}

size_t grid_column(const struct reading *r, const struct grid *grid, const char *pattern)
{
    size_t c = 0;
    while (c < grid->columns && !reading_match(r, pattern, grid->headings[c], NULL, 0))
        c++;
    return c;
}

size_t grid_row(const struct reading *r, const struct grid *grid, size_t column, const char *pattern)
{
    size_t row = 0;
    while (row < grid->rows && !reading_match(r, pattern, after_space(grid_cell(grid, row, column)), NULL, 0))
        row++;
    return row;
}

const char *grid_cell(const struct grid *grid, size_t row, size_t column)
{
    return grid->cells[row * grid->columns + column];
}

const char *grid_word(const struct grid *grid, size_t row, size_t column)
{
    const char *cell = grid_cell(grid, row, column);
    return cell + strspn(cell, " ");
}

enum dse_status grid_count(const struct reading *r, const struct grid *grid, size_t row, size_t column,
                           double *value)
{
    return reading_count(r, grid->row_lines[row] + 1, grid_cell(grid, row, column), value);
}

enum dse_status grid_resources(const struct reading *r, const struct grid *grid, size_t row,
                               const char *const headings[DSE_RESOURCE_COUNT], double used[DSE_RESOURCE_COUNT])
{
    for (int i = 0; i < DSE_RESOURCE_COUNT; i++) {
        size_t column = headings[i] != NULL ? grid_column(r, grid, headings[i]) : grid->columns;
        if (column < grid->columns)
            DSE_TRY(grid_count(r, grid, row, column, &used[i]));
    }
    return DSE_OK;
}
