/* Reads numbers from a text in memory, line by line, without copying and without locale. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "datasets/bundle.h"

/* A place in a text. Lines end in LF or CRLF; the last one may have no end. Spaces and tabs may surround every number and comma. A UTF-8 byte order
 * mark at the start and empty lines at the end are skipped. */
struct dse_scan {
    const struct dse_text *text;
    const char *line_start, *at, *end; /* *end is NUL */
    long line;                         /* from 1; 0 before the first */
};

struct dse_scan dse_scan_begin(const struct dse_text *text);

/* Steps to the next line. `more` is false after the last one. DSE_BAD_INPUT for an empty line before a line that is not empty. */
enum dse_status dse_scan_next_line(struct dse_scan *scan, bool *more, struct dse_error *err);

/* Reads a whole number: an optional sign and digits, in the range of an int64_t; also "1.0" and "1e0", up to 2^53. False, at the same place, if there
 * is none. */
bool dse_scan_whole(struct dse_scan *scan, int64_t *value);

/* Reads a decimal number with optional fraction and exponent, correctly rounded. False if there is none or it is beyond the range of a double. Words
 * such as `nan` and `inf`, and hexadecimal, are no numbers. */
bool dse_scan_real(struct dse_scan *scan, double *value);

/* Steps over a comma; false if there is none. */
bool dse_scan_comma(struct dse_scan *scan);

/* True if the rest of the line is empty. */
bool dse_scan_at_line_end(struct dse_scan *scan);

/* An upper bound on the number of lines. O(bytes). */
size_t dse_scan_count_lines(const struct dse_text *text);

/* DSE_BAD_INPUT with `file:line: "the line's text": ` in front. */
enum dse_status dse_scan_reject(const struct dse_scan *scan, struct dse_error *err, const char *format, ...)
    DSE_PRINTF(3, 4);
