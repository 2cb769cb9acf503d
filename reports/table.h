/* A table of texts, for people (aligned columns) and for programs (CSV). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/csv.h"
#include "core/strbuf.h"
#include "core/units.h"

/* Filled row by row: dse_table_column() for each column, then dse_table_cell() from left to right. Empty when
 * zeroed; dse_table_free() releases it. */
struct dse_table {
    struct dse_arena arena;
    struct dse_table_heading {
        const char *text;
        bool numeric; /* right-aligned */
    } *headings;
    size_t columns;
    const char **cells;
    size_t cell_count, cell_capacity;
    bool dense; /* one space between columns */
};

/* Adds a column; a heading may have several lines. */
void dse_table_column(struct dse_table *table, const char *heading, bool numeric);
/* Adds several columns, separated by '|'; those that end in '>' are numeric: "engine|cycles>|bound". */
void dse_table_columns(struct dse_table *table, const char *headings);
/* Adds a cell. Terminal control characters are escaped (core/utf8.h). */
void dse_table_cell(struct dse_table *table, const char *format, ...) DSE_PRINTF(2, 3);

/* Adds a cell of any length; dse_table_cell truncates at 511 bytes. */
void dse_table_text(struct dse_table *table, const char *text);

/* Adds a count with separators; a quantity of the dimension ("-" if not finite); a real number by a printf format, or `otherwise`
 * if not finite. In CSV: the shortest number that reads back equal, or an empty cell. */
void dse_table_count(struct dse_table *table, int64_t count);
void dse_table_quantity(struct dse_table *table, enum dse_dimension dimension, double value);
void dse_table_real(struct dse_table *table, const char *format, double value, const char *otherwise);
void dse_table_number(struct dse_table *table, double value);

/* Aligned, two spaces between columns (one if `dense`), headings underlined. Columns beyond `width` continue in further blocks
 * below, each starting with the first column; a long text in a block's last column continues below itself. 0: no limit. */
void dse_table_write(const struct dse_table *table, size_t width, struct dse_strbuf *out);

/* RFC 4180: a header line, cells quoted if needed; without CRLF. */
void dse_table_write_csv(const struct dse_table *table, struct dse_strbuf *out);

/* As dse_table_write_csv, without the header line. */
void dse_table_write_csv_rows(const struct dse_table *table, struct dse_strbuf *out);

/* Writes for people or as CSV, and frees the table. */
void dse_table_finish(struct dse_table *table, size_t width, struct dse_strbuf *out);
void dse_table_finish_csv(struct dse_table *table, struct dse_strbuf *out);

void dse_table_free(struct dse_table *table);
