/* Tables without rules: headings over dashes over values, two or more spaces between columns. */
#include "resources/synthesis/columns.h"

#include <string.h>

/* Splits a line where two or more spaces stand. */
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

static enum dse_status read_rows(const struct reading *r, const char *what, struct columns *table)
{
    size_t line = table->heading_line + 2, capacity = 0;
    while (line + capacity < r->line_count && !is_blank(r->lines[line + capacity]) &&
           !is_dashes(r->lines[line + capacity]))
        capacity++;
    if (line + capacity >= r->line_count)
        return reading_fail(r, r->line_count, "truncated: ends inside the table of %s", what);
    table->cells = dse_arena_alloc(r->arena, capacity, sizeof *table->cells);
    for (size_t i = 0; i < capacity; i++) {
        size_t count = 0;
        table->cells[i] = split(r, r->lines[line + i], &count);
        if (count != table->count)
            return reading_fail(r, line + i + 1, "%zu values under %zu headings: truncated or damaged", count,
                                table->count);
    }
    table->rows = capacity;
    table->first_row_line = line;
    return DSE_OK;
}

enum dse_status reading_columns(const struct reading *r, size_t from, size_t limit, const char *what,
                                struct columns *table)
{
    *table = (struct columns){0};
    size_t line = from;
    while (line + 1 < limit && line + 1 < r->line_count &&
           (is_blank(r->lines[line]) || is_dashes(r->lines[line]) || !is_dashes(r->lines[line + 1])))
        line++;
    if (line + 1 >= limit || line + 1 >= r->line_count)
        return reading_fail(r, from + 1, "truncated or damaged: no table of %s", what);
    table->heading_line = line;
    table->headings = split(r, r->lines[line], &table->count);
    return read_rows(r, what, table);
}

size_t columns_find(const struct reading *r, const struct columns *table, const char *pattern)
{
    size_t c = 0;
    while (c < table->count && !reading_match(r, pattern, table->headings[c], NULL, 0))
        c++;
    return c;
}
