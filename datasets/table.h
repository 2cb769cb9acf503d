/* A table of numbers: rows of a regression data set, a column of which is the target.
 *
 * Text as people and programs write it: parted by `;`, tabs, `,` or runs of blanks (found out from the first two lines), with
 * a line of column names in front or without, LF, CRLF or CR, a byte order mark, cells in double quotes (a quote in them
 * doubled, line breaks allowed), blanks around cells, empty lines at the end. Decimal points are points. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "datasets/bundle.h"

#define DSE_DATA_TABLE_COLUMNS_MAX 65536
#define DSE_DATA_TABLE_NAME_MAX 1000 /* bytes of a column's name */

struct dse_data_table {
    char *name;      /* "winequality-red" */
    size_t rows, columns;
    char **column;   /* [columns] names in UTF-8; "column 1" … where there are none */
    bool header;     /* the names stood in the file */
    char separator;  /* ';' '\t' ',' or ' ' for runs of blanks */
    size_t target;   /* the last one, or the last that was chosen, unless dse_data_table_set_target said otherwise */
    size_t dropped_rows; /* that miss a value, where these are left out */
    char *remark;    /* what was encoded and left out, to be put behind the set's name; "" for nothing */
    double *values;  /* [rows × columns] row-major, finite */
    uint64_t hash;   /* XXH3 of rows, columns and values: not of names, target or the way of writing */
};

#define DSE_DATA_TABLE_WORDS_MAX 64 /* different words of a column that is encoded */

/* Parses a text. The first line has names if none of its cells is a number, or if some are none while all of the
 * second line's cells are numbers. A column of words only, at most DSE_DATA_TABLE_WORDS_MAX different ones, becomes a column of 0 and 1 per word
 * ("town=Boston"), in alphabetical order. DSE_BAD_INPUT with file and line for: a column of words and numbers or of more words (with its name), a
 * target of words, a missing value (empty, NA, N/A, NaN, null, ?) with its column unless such rows are left out, numbers
 * beyond a double, rows of different length, an empty line before the last, an unclosed quote, a file that is no text (with its type), fewer than 2
 * columns, no row. DSE_BAD_USAGE for a selected or dropped column that does not exist. `reading` may be NULL: the whole table. O(bytes). */
struct dse_table_reading;
enum dse_status dse_data_table_read(const char *name, const struct dse_text *text, const struct dse_table_reading *reading, struct dse_data_table **out,
                                    struct dse_error *err);

void dse_data_table_free(struct dse_data_table *table);

/* The column called `name` (or, where none is, its number from 1), or `columns` where there is none. O(columns). */
size_t dse_data_table_find(const struct dse_data_table *table, const char *name);

/* Makes a column the target. DSE_BAD_USAGE, naming the nearest, for one that is not there or stands twice. */
enum dse_status dse_data_table_set_target(struct dse_data_table *table, const char *column, struct dse_error *err);
