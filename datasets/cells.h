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
    long line;            /* of `at`, from 1 */
    char separator;       /* ' ': runs of blanks */
};

/* One cell without the blanks and quotes around it. */
struct dse_cell {
    const char *start;
    size_t length;
    bool quoted; /* may hold doubled quotes and line breaks */
    bool last;   /* of its row */
    long line;   /* on which it begins */
};

/* The beginning of the text, behind a byte order mark. */
struct dse_cells dse_cells_begin(const struct dse_text *text, char separator);

/* True where nothing but blanks and line ends is left. */
bool dse_cells_at_end(const struct dse_cells *cells);

/* Takes the next cell. DSE_BAD_INPUT for a quote that is not closed, or with something behind it. There must be one: ask
 * dse_cells_at_end before each row. */
enum dse_status dse_cells_next(struct dse_cells *cells, struct dse_cell *cell, struct dse_error *err);

/* The cell as a number: true where all of it is a finite decimal one. */
bool dse_cell_number(const struct dse_cells *cells, const struct dse_cell *cell, double *value);

/* True where it is empty or says that the value is missing: NA, N/A, NaN, null, ?. */
bool dse_cell_missing(const struct dse_cell *cell);

/* Its text with doubled quotes made single, control characters made blanks, and what is no UTF-8 made `?`; malloc'd, cut to
 * `most` bytes. */
char *dse_cell_text(const struct dse_cell *cell, size_t most);
