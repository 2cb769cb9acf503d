#include "reports/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/utf8.h"
#include "reports/terminal.h"

#define LEAST_TEXT 20 /* columns in which a long text may be broken */

void dse_table_column(struct dse_table *table, const char *heading, bool numeric)
{
    struct dse_table_heading *own = dse_list_more(&table->headings, &table->columns, sizeof *own);
    *own = (struct dse_table_heading){dse_arena_strdup(&table->arena, heading), numeric};
}

void dse_table_columns(struct dse_table *table, const char *headings)
{
    for (const char *at = headings; *at != '\0'; at += strcspn(at, "|"), at += *at == '|') {
        char heading[64];
        size_t length = strcspn(at, "|");
        bool numeric = at[length - 1] == '>';
        snprintf(heading, sizeof heading, "%.*s", (int)(length - numeric), at);
        dse_table_column(table, heading, numeric);
    }
}

void dse_table_text(struct dse_table *table, const char *text)
{
    struct dse_strbuf shown = {0};
    dse_list_room(&table->cells, &table->cell_capacity, table->cell_count, sizeof *table->cells);
    bool plain = true; /* the usual case */
    for (const char *c = text; *c != '\0' && plain; c++)
        plain = *c >= ' ' && *c < 0x7f;
    if (!plain)
        dse_utf8_show(&shown, text, false);
    table->cells[table->cell_count++] = dse_arena_strdup(&table->arena, plain ? text : dse_strbuf_text(&shown));
    dse_strbuf_free(&shown);
}

void dse_table_count(struct dse_table *table, int64_t count)
{
    char text[32];
    dse_table_text(table, dse_count_format(text, sizeof text, count));
}

void dse_table_quantity(struct dse_table *table, enum dse_dimension dimension, double value)
{
    char text[64];
    dse_table_text(table, isfinite(value) ? dse_quantity_format(text, sizeof text, dimension, value) : "-");
}

void dse_table_number(struct dse_table *table, double value)
{
    char text[40];
    dse_table_text(table, isfinite(value) ? dse_number_shortest(text, sizeof text, value) : "");
}

/* Formats come only from this program's tables. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void dse_table_real(struct dse_table *table, const char *format, double value, const char *otherwise)
{
    char text[64];
    snprintf(text, sizeof text, format, value);
    dse_table_text(table, isfinite(value) ? text : otherwise);
}
#pragma GCC diagnostic pop

void dse_table_cell(struct dse_table *table, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dse_table_text(table, text);
}

static size_t text_width(const char *text)
{
    return dse_terminal_columns(text, strlen(text));
}

static size_t rows_of(const struct dse_table *table)
{
    return table->columns > 0 ? table->cell_count / table->columns : 0;
}

static const char *cell_at(const struct dse_table *table, size_t row, size_t column)
{
    return table->cells[row * table->columns + column];
}

static void add_padded(struct dse_strbuf *out, const char *text, size_t width, bool right, bool last)
{
    size_t gap = width - text_width(text);
    if (right)
        dse_strbuf_add_char(out, ' ', gap);
    dse_strbuf_add(out, text);
    if (!right && !last)
        dse_strbuf_add_char(out, ' ', gap);
}

/* Adds a text as lines of at most `width` columns; lines after the first are indented by `indent`. */
static void add_broken(struct dse_strbuf *out, const char *text, size_t width, size_t indent)
{
    for (size_t taken; taken = dse_terminal_fitting(text, strlen(text), 0, width), text[taken] != '\0'; text += taken + 1) {
        dse_strbuf_add_n(out, text, taken);
        dse_strbuf_add(out, "\n");
        dse_strbuf_add_char(out, ' ', indent);
    }
    dse_strbuf_add(out, text);
}

/* Line `which` of a heading, counted from the last (0); "" if it has fewer. */
static const char *heading_line(const char *heading, size_t which, char line[64])
{
    size_t lines = 0;
    for (const char *at = heading; *at != '\0'; at++)
        lines += *at == '\n';
    if (which > lines)
        return "";
    for (size_t skip = lines - which; skip > 0; skip--)
        heading = strchr(heading, '\n') + 1;
    snprintf(line, 64, "%.*s", (int)strcspn(heading, "\n"), heading);
    return lines > 0 ? line : heading;
}

static size_t heading_width(const char *heading, size_t *lines)
{
    size_t most = 0, count = 0;
    for (const char *at = heading;; at += strcspn(at, "\n") + 1) {
        size_t width = dse_terminal_columns(at, strcspn(at, "\n"));
        most = width > most ? width : most;
        count++;
        if (strchr(at, '\n') == NULL)
            break;
    }
    *lines = count > *lines ? count : *lines;
    return most;
}

/* The key: the first columns of words, as few as distinguish rows as well as all of them do; at least one column. */
static bool same_row(const struct dse_table *table, size_t columns, size_t a, size_t b)
{
    for (size_t c = 0; c < columns; c++)
        if (strcmp(cell_at(table, a, c), cell_at(table, b, c)) != 0)
            return false;
    return true;
}

static size_t key_columns(const struct dse_table *table, size_t rows)
{
    size_t words = 0, key = 1;
    while (words < table->columns && !table->headings[words].numeric)
        words++;
    for (size_t a = 0; a < rows; a++)
        for (size_t b = 0; b < a; b++)
            while (key < words && same_row(table, key, a, b) && !same_row(table, words, a, b))
                key++;
    return key;
}

static size_t gap_of(const struct dse_table *table)
{
    return table->dense ? 1 : 2;
}

/* The columns of one block: the first `key` of the table, then from `begin` to before `end`. Row −1 is the line under the
 * headings, −2 the last line of them, −3 that before it … */
static void write_line(const struct dse_table *table, const size_t *widths, size_t key, size_t begin, size_t end, long row,
                       struct dse_strbuf *out)
{
    size_t used = 0;
    for (size_t i = key > 0 ? 0 : begin; i < end; i = i + 1 == key ? begin : i + 1) {
        if (i != 0)
            dse_strbuf_add_char(out, ' ', gap_of(table));
        char line[64];
        if (row == -1)
            dse_strbuf_add_char(out, '-', widths[i]);
        else if (row >= 0 && widths[i] >= LEAST_TEXT && text_width(cell_at(table, (size_t)row, i)) > widths[i])
            add_broken(out, cell_at(table, (size_t)row, i), widths[i], used);
        else
            add_padded(out, row < 0 ? heading_line(table->headings[i].text, (size_t)(-2 - row), line) : cell_at(table, (size_t)row, i), widths[i],
                       table->headings[i].numeric, i + 1 == end);
        used += widths[i] + gap_of(table);
    }
    dse_strbuf_add(out, "\n");
}

void dse_table_write(const struct dse_table *table, size_t width, struct dse_strbuf *out)
{
    size_t *widths DSE_CLEANUP(dse_free_at) = dse_calloc(table->columns + 1, sizeof *widths);
    size_t rows = rows_of(table), most_lines = 1, gap = gap_of(table), key = width > 0 ? key_columns(table, rows) : 0;
    for (size_t c = 0; c < table->columns; c++) {
        widths[c] = heading_width(table->headings[c].text, &most_lines);
        for (size_t r = 0; r < rows; r++)
            if (text_width(cell_at(table, r, c)) > widths[c])
                widths[c] = text_width(cell_at(table, r, c));
    }
    for (size_t begin = 0; begin < table->columns;) {
        size_t repeated = begin < key ? begin : key, used = 0, end = begin;
        for (size_t c = 0; c < repeated; c++)
            used += widths[c] + gap;
        while (end < table->columns && (end == begin || width == 0 || used + widths[end] <= width || (begin == 0 && end == key && !table->headings[end].numeric)))
            used += widths[end++] + gap;
        if (width > 0 && used > width + gap && !table->headings[end - 1].numeric) { /* one long text, broken into lines; its rule is not */
            size_t before = used - widths[end - 1] - gap, heading = heading_width(table->headings[end - 1].text, &most_lines);
            widths[end - 1] = width > before + heading ? width - before : heading;
        }
        if (begin > 0)
            dse_strbuf_add(out, "\n");
        size_t lines = 1; /* lines of this block's headings */
        for (size_t c = 0; c < end; c++)
            if (c < repeated || c >= begin)
                heading_width(table->headings[c].text, &lines);
        for (long line = (long)lines; line >= 0; line--)
            write_line(table, widths, repeated, begin, end, -1 - line, out);
        for (size_t r = 0; r < rows; r++)
            write_line(table, widths, repeated, begin, end, (long)r, out);
        begin = end;
    }
}

void dse_table_write_csv(const struct dse_table *table, struct dse_strbuf *out)
{
    for (size_t c = 0; c < table->columns; c++) {
        dse_strbuf_add(out, c > 0 ? "," : "");
        dse_csv_field(out, table->headings[c].text);
    }
    dse_strbuf_add(out, "\n");
    dse_table_write_csv_rows(table, out);
}

void dse_table_write_csv_rows(const struct dse_table *table, struct dse_strbuf *out)
{
    for (size_t r = 0; r < rows_of(table); r++) {
        for (size_t c = 0; c < table->columns; c++) {
            dse_strbuf_add(out, c > 0 ? "," : "");
            dse_csv_field(out, cell_at(table, r, c));
        }
        dse_strbuf_add(out, "\n");
    }
}

void dse_table_finish(struct dse_table *table, size_t width, struct dse_strbuf *out)
{
    dse_table_write(table, width, out);
    dse_table_free(table);
}

void dse_table_finish_csv(struct dse_table *table, struct dse_strbuf *out)
{
    dse_table_write_csv(table, out);
    dse_table_free(table);
}

void dse_table_free(struct dse_table *table)
{
    free(table->cells);
    free(table->headings);
    dse_arena_free(&table->arena);
    *table = (struct dse_table){0};
}
