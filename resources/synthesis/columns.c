/* Tables without rules: headings over dashes over values, two or more spaces between columns. */
#include <string.h>

#include "resources/synthesis/reading.h"

/* Splits a line at two or more spaces. */
static char **split(const struct reading *r, const char *line, size_t *count)
{
    size_t capacity = strlen(line) / 2 + 2;
    char **parts = dse_arena_alloc(r->arena, capacity, sizeof *parts);
    *count = 0;
    while (*(line += strspn(line, " \t")) != '\0') {
        const char *end = line;
        while (*end != '\0' && !(end[0] == ' ' && (end[1] == ' ' || end[1] == '\0')) && *end != '\t')
            end++;
        parts[(*count)++] = dse_arena_strndup(r->arena, line, (size_t)(end - line));
        line = end;
    }
    return parts;
}

static bool is_blank(const char *line)
{
    return line[strspn(line, " \t\f")] == '\0';
}

/* "-----  -----" */
static bool is_dashes(const char *line)
{
    return strchr(line, '-') != NULL && line[strspn(line, "- \t")] == '\0';
}

static enum dse_status read_rows(const struct reading *r, const char *what, struct grid *grid)
{
    size_t line = grid->first_line + 2, count = 0;
    while (line + grid->rows < r->line_count && !is_blank(r->lines[line + grid->rows]) && !is_dashes(r->lines[line + grid->rows]))
        grid->rows++;
    if (line + grid->rows >= r->line_count)
        return reading_fail(r, r->line_count, "truncated: ends inside the table of %s", what);
    grid->cells = dse_arena_alloc(r->arena, grid->rows * grid->columns, sizeof *grid->cells);
    grid->row_lines = dse_arena_alloc(r->arena, grid->rows, sizeof *grid->row_lines);
    for (size_t i = 0; i < grid->rows; i++) {
        char **cells = split(r, r->lines[line + i], &count);
        if (count != grid->columns)
            return reading_fail(r, line + i + 1, "%zu values under %zu headings: truncated or damaged", count, grid->columns);
        memcpy(grid->cells + i * count, cells, count * sizeof *cells);
        grid->row_lines[i] = line + i;
    }
    return DSE_OK;
}

enum dse_status reading_columns(const struct reading *r, size_t from, size_t limit, const char *what, struct grid *grid)
{
    size_t line = from;
    while (line + 1 < limit && line + 1 < r->line_count &&
           (is_blank(r->lines[line]) || is_dashes(r->lines[line]) || !is_dashes(r->lines[line + 1])))
        line++;
    if (line + 1 >= limit || line + 1 >= r->line_count)
        return reading_fail(r, from + 1, "truncated or damaged: no table of %s", what);
    *grid = (struct grid){.first_line = line};
    grid->headings = split(r, r->lines[line], &grid->columns);
    return read_rows(r, what, grid);
}
