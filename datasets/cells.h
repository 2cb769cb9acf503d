/* The cells of a table's text, one after another. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "datasets/bundle.h"

/* A place in a table's text. */
struct dse_cells {
    const struct dse_text *text;
    const char *at, *end; /* *end is NUL */
    long line;            /* line of `at`, from 1 */
    char separator;       /* ' ': runs of blanks */
};

/* One cell without the blanks and quotes around it. */
struct dse_cell {
    const char *start;
    size_t length;
    bool quoted; /* may hold doubled quotes and line breaks */
    bool last;   /* whether this cell is the last of its row */
    long line;   /* on which it begins */
};

/* The beginning of the text, after a byte order mark. */
struct dse_cells dse_cells_begin(const struct dse_text *text, char separator);

/* True if nothing but blanks and line ends is left. */
bool dse_cells_at_end(const struct dse_cells *cells);

/* Takes the next cell. DSE_BAD_INPUT for a quote that is not closed, or is followed by other text. There must be a cell: check dse_cells_at_end
 * before each row. */
enum dse_status dse_cells_next(struct dse_cells *cells, struct dse_cell *cell, struct dse_error *err);

/* The cell as a number: true if all of it is a finite decimal number. */
bool dse_cell_number(const struct dse_cells *cells, const struct dse_cell *cell, double *value);

/* True if the cell is empty or marks a missing value: NA, N/A, NaN, null, ?. */
bool dse_cell_missing(const struct dse_cell *cell);

/* The cell's text, malloc'd, cut to `most` bytes. Doubled quotes become single ones, control characters blanks, and bytes that are no UTF-8 `?`. */
char *dse_cell_text(const struct dse_cell *cell, size_t most);
