/* A table of numbers: rows of a regression data set, one column of which is the target.
 *
 * Text as people and programs write it: separated by `;`, tabs, `,` or runs of blanks (found from the first two lines), with LF, CRLF or CR. It may
 * have a line of column names in front, a byte order mark, cells in double quotes (a quote in them doubled, line breaks allowed), blanks around
 * cells, and empty lines at the end. The decimal separator is a point. */
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
    char **column;   /* [columns] names in UTF-8; "column 1" … if there are none */
    bool header;     /* the names stood in the file */
    char separator;  /* ';' '\t' ',' or ' ' for runs of blanks */
    size_t target;   /* the last one, or the last chosen one, unless changed by dse_data_table_set_target */
    size_t dropped_rows; /* that miss a value, where these are left out */
    size_t encoded;      /* columns of words in the file, each now a column per word */
    char *remark;    /* encoded and omitted parts, to be put after the set's name; "" if there are none */
    double *values;  /* [rows × columns] row-major, finite */
    uint64_t hash;   /* XXH3 of rows, columns and values: not of names, target or the way of writing */
};

#define DSE_DATA_TABLE_WORDS_MAX 64 /* different words of a column that is encoded */

/* Parses a text. The first line has names if none of its cells is a number, or if some are none while all of the second line's cells are numbers. A
 * column of words only, at most DSE_DATA_TABLE_WORDS_MAX different ones, becomes a column of 0 and 1 per word ("town=Boston"), in alphabetical order.
 * DSE_BAD_INPUT with file and line for: a column of words and numbers or of more words (with its name), a target of words, a missing value (empty,
 * NA, N/A, NaN, null, ?) with its column unless such rows are left out, numbers beyond a double, rows of different length, an empty line before the
 * last, an unclosed quote, a file that is no text (with its type), fewer than 2 columns, no row. DSE_BAD_USAGE for a selected or dropped column that
 * does not exist. `reading` may be NULL: the whole table. O(bytes). */
struct dse_table_reading;
enum dse_status dse_data_table_read(const char *name, const struct dse_text *text, const struct dse_table_reading *reading, struct dse_data_table **out,
                                    struct dse_error *err);

void dse_data_table_free(struct dse_data_table *table);

/* The column called `name` (or, if there is none, its number from 1), or `columns` if there is no such column. O(columns). */
size_t dse_data_table_find(const struct dse_data_table *table, const char *name);

/* Makes a column the target. DSE_BAD_USAGE, naming the nearest, for a missing or repeated one. */
enum dse_status dse_data_table_set_target(struct dse_data_table *table, const char *column, struct dse_error *err);
