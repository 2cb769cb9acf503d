#include "datasets/table.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/strbuf.h"
#include "datasets/cells.h"

#define VALUES_MAX ((size_t)1 << 28)
#define SHOWN 40 /* bytes of a cell that a message quotes */

/* ---- what kind of text it is ---- */

/* The form of one row: its cells, how many are numbers, and how many text. */
struct row_look {
    size_t cells, numbers, texts;
};

static struct row_look look_at_row(struct dse_cells *cells)
{
    struct row_look look = {0};
    struct dse_cell cell = {0};
    double value;
    while (!cell.last) {
        if (dse_cells_next(cells, &cell, NULL) != DSE_OK)
            return (struct row_look){0};
        look.cells++;
        bool number = dse_cell_number(cells, &cell, &value);
        look.numbers += number;
        look.texts += !number && !dse_cell_missing(&cell);
    }
    return look;
}

/* The separator by which the first two rows have as many cells, more than one, and the largest part of the second row's
 * cells are numbers. */
static char find_separator(const struct dse_text *text)
{
    static const char candidates[] = {';', '\t', ',', ' '};
    char best = ',';
    double best_share = -1.0;
    for (size_t i = 0; i < sizeof candidates; i++) {
        struct dse_cells cells = dse_cells_begin(text, candidates[i]);
        struct row_look first = look_at_row(&cells);
        struct row_look second = dse_cells_at_end(&cells) ? first : look_at_row(&cells);
        if (first.cells < 2)
            continue;
        double share = (double)second.numbers / (double)(second.cells + 1) + (first.cells == second.cells);
        if (share > best_share) {
            best_share = share;
            best = candidates[i];
        }
    }
    return best;
}

/* Whether the first row holds names. */
static bool has_header(const struct dse_text *text, char separator)
{
    struct dse_cells cells = dse_cells_begin(text, separator);
    struct row_look first = look_at_row(&cells);
    if (first.texts == 0 || dse_cells_at_end(&cells))
        return first.texts > 0;
    struct row_look second = look_at_row(&cells);
    return first.numbers == 0 || second.numbers == second.cells;
}

/* ---- parsing ---- */

struct parsing {
    struct dse_cells cells;
    struct dse_data_table *table;
    size_t capacity; /* of table->values, in rows */
};

static void add_column(struct dse_data_table *table, char *name)
{
    char **room = dse_list_more(&table->column, &table->columns, sizeof *room);
    *room = name;
}

static char *numbered(size_t column)
{
    char text[32];
    snprintf(text, sizeof text, "column %zu", column + 1);
    return dse_strdup(text);
}

/* Names from the first row, or numbers for as many columns as it has. */
static enum dse_status read_columns(struct parsing *p, struct dse_error *err)
{
    struct dse_cells start = p->cells;
    struct dse_cell cell = {0};
    while (!cell.last) {
        DSE_TRY(dse_cells_next(&p->cells, &cell, err));
        if (p->table->columns == DSE_DATA_TABLE_COLUMNS_MAX)
            return dse_fail_at(err, DSE_BAD_INPUT, start.text->name, cell.line, "more than %d columns", DSE_DATA_TABLE_COLUMNS_MAX);
        if (p->table->header && cell.length > DSE_DATA_TABLE_NAME_MAX)
            return dse_fail_at(err, DSE_BAD_INPUT, start.text->name, cell.line, "the name of column %zu has more than %d bytes",
                               p->table->columns + 1, DSE_DATA_TABLE_NAME_MAX);
        add_column(p->table, p->table->header && cell.length > 0 ? dse_cell_text(&cell, DSE_DATA_TABLE_NAME_MAX)
                                                                         : numbered(p->table->columns));
    }
    if (p->table->columns < 2)
        return dse_fail_at(err, DSE_BAD_INPUT, start.text->name, start.line,
                           "a single column: a table needs inputs and a target, parted by ; tab , or blanks");
    if (!p->table->header)
        p->cells = start;
    return DSE_OK;
}

/* Every column that holds text in this row, by name: the reader can then take them all out at once. */
static enum dse_status refuse_text(const struct parsing *p, struct dse_cells row, long line, struct dse_error *err)
{
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_cell cell = {0};
    double value;
    size_t found = 0;
    for (size_t c = 0; c < p->table->columns && !cell.last; c++) {
        if (dse_cells_next(&row, &cell, NULL) != DSE_OK)
            break;
        if (dse_cell_missing(&cell) || dse_cell_number(&row, &cell, &value))
            continue;
        char *text DSE_CLEANUP(dse_free_at) = dse_cell_text(&cell, SHOWN);
        if (names.length < 400)
            dse_strbuf_printf(&names, "%s\"%.100s\" (\"%s\")", found > 0 ? ", " : "", p->table->column[c], text);
        found++;
    }
    return dse_fail_at(err, DSE_BAD_INPUT, p->cells.text->name, line, "%s %s hold%s no number: every column must be numeric",
                       found > 1 ? "the columns" : "the column", dse_strbuf_text(&names), found > 1 ? "" : "s");
}

static enum dse_status wrong_length(const struct parsing *p, long line, size_t cells, struct dse_error *err)
{
    return dse_fail_at(err, DSE_BAD_INPUT, p->cells.text->name, line, "%s%zu cells, but the first line has %zu",
                       cells > p->table->columns ? "more than " : "", cells > p->table->columns ? cells - 1 : cells,
                       p->table->columns);
}

static enum dse_status read_row(struct parsing *p, double *values, struct dse_error *err)
{
    struct dse_cells start = p->cells;
    struct dse_cell cell = {0};
    size_t columns = p->table->columns, missing = columns;
    bool text = false;
    for (size_t c = 0; !cell.last; c++) {
        DSE_TRY(dse_cells_next(&p->cells, &cell, err));
        if (c == 0 && cell.last && cell.length == 0 && !cell.quoted)
            return dse_fail_at(err, DSE_BAD_INPUT, start.text->name, cell.line,
                               "empty line: allowed only at the end of the file");
        if (c == columns)
            return wrong_length(p, start.line, c + 1, err);
        if (dse_cell_missing(&cell))
            missing = missing == columns ? c : missing;
        else if (!dse_cell_number(&p->cells, &cell, &values[c]))
            text = true;
        else if (fabs(values[c]) > (double)FLT_MAX) /* families compute in single precision */
            return dse_fail_at(err, DSE_BAD_INPUT, start.text->name, start.line, "column %zu (\"%.100s\"): %g is beyond %g, the end of single precision",
                               c + 1, p->table->column[c], values[c], (double)FLT_MAX);
        if (cell.last && c + 1 < columns)
            return wrong_length(p, start.line, c + 1, err);
    }
    if (text)
        return refuse_text(p, start, start.line, err);
    if (missing < columns)
        return dse_fail_at(err, DSE_BAD_INPUT, start.text->name, start.line, "column %zu (\"%.100s\"): the value is missing",
                           missing + 1, p->table->column[missing]);
    return DSE_OK;
}

static enum dse_status read_rows(struct parsing *p, struct dse_error *err)
{
    struct dse_data_table *table = p->table;
    while (!dse_cells_at_end(&p->cells)) {
        if (table->rows == p->capacity) {
            size_t capacity = p->capacity > 0 ? 2 * p->capacity : 256;
            if (capacity > VALUES_MAX / table->columns)
                return dse_fail(err, DSE_LIMIT, "%s: more than %zu values", p->cells.text->name, VALUES_MAX / 2);
            table->values = dse_realloc_array(table->values, capacity * table->columns, sizeof *table->values);
            p->capacity = capacity;
        }
        DSE_TRY(read_row(p, table->values + table->rows * table->columns, err));
        table->rows++;
    }
    return table->rows > 0 ? DSE_OK : dse_fail(err, DSE_BAD_INPUT, "%s: no rows", p->cells.text->name);
}

static uint64_t hash_of(const struct dse_data_table *table)
{
    uint64_t counts[2] = {table->rows, table->columns};
    return XXH3_64bits_withSeed(table->values, table->rows * table->columns * sizeof *table->values,
                                XXH3_64bits(counts, sizeof counts));
}

enum dse_status dse_data_table_parse(const char *name, const struct dse_text *text, struct dse_data_table **out,
                                struct dse_error *err)
{
    *out = NULL;
    if (memchr(text->data, '\0', text->size) != NULL)
        return dse_fail(err, DSE_BAD_INPUT, "%s: holds a NUL byte: this is no text (or one in UTF-16)", text->name);
    struct parsing p = {.cells = dse_cells_begin(text, find_separator(text)), .table = dse_calloc(1, sizeof *p.table)};
    enum dse_status status = dse_cells_at_end(&p.cells) ? dse_fail(err, DSE_BAD_INPUT, "%s: is empty", text->name) : DSE_OK;
    p.table->separator = p.cells.separator;
    p.table->header = has_header(text, p.cells.separator);
    if (status == DSE_OK)
        status = read_columns(&p, err);
    if (status == DSE_OK)
        status = read_rows(&p, err);
    if (status != DSE_OK) {
        dse_data_table_free(p.table);
        return status;
    }
    p.table->name = dse_strdup(name);
    p.table->target = p.table->columns - 1;
    p.table->hash = hash_of(p.table);
    *out = p.table;
    return DSE_OK;
}

void dse_data_table_free(struct dse_data_table *table)
{
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->columns; i++)
        free(table->column[i]);
    free(table->column);
    free(table->values);
    free(table->name);
    free(table);
}

/* ---- columns ---- */

size_t dse_data_table_find(const struct dse_data_table *table, const char *name)
{
    for (size_t c = 0; c < table->columns; c++)
        if (strcmp(table->column[c], name) == 0)
            return c;
    char *end = NULL;
    unsigned long number = *name >= '1' && *name <= '9' ? strtoul(name, &end, 10) : 0;
    return number >= 1 && number <= table->columns && *end == '\0' ? number - 1 : table->columns;
}

enum dse_status dse_data_table_set_target(struct dse_data_table *table, const char *column, struct dse_error *err)
{
    size_t found = dse_data_table_find(table, column), same = 0;
    for (size_t c = 0; c < table->columns; c++)
        same += strcmp(table->column[c], column) == 0;
    if (same > 1)
        return dse_fail(err, DSE_BAD_USAGE, "%s: %zu columns are called \"%.100s\"; say its number, from 1", table->name, same,
                        column);
    if (found == table->columns) {
        const char *near = dse_names_nearest(column, (const char *const *)table->column, table->columns);
        return dse_fail(err, DSE_BAD_USAGE, "%s: has no column \"%.100s\"%s%.100s%s (the first is \"%.100s\", the last \"%.100s\")",
                        table->name, column, near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                        near != NULL ? "\"?" : "", table->column[0], table->column[table->columns - 1]);
    }
    table->target = found;
    return DSE_OK;
}
