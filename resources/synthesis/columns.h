/* Tables without rules: headings over dashes over values, two or more spaces between columns. */
#pragma once

#include "resources/synthesis/reading.h"

struct columns {
    size_t count, rows;
    char **headings; /* count */
    char ***cells;   /* rows, each of count texts */
    size_t heading_line, first_row_line;
};

/* The first such table between two lines. Its end is a blank line or dashes; an error where the text ends before,
 * or where a row has more or fewer values than there are headings. */
enum dse_status reading_columns(const struct reading *r, size_t from, size_t limit, const char *what,
                                struct columns *table);

/* The column whose heading matches; count where none does. */
size_t columns_find(const struct reading *r, const struct columns *table, const char *pattern);
