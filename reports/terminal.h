/* Output of results and progress on a terminal. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/strbuf.h"

/* Table width for standard output: $COLUMNS, the terminal's, or 0 (no limit) without either. */
size_t dse_terminal_width(void);

/* Terminal columns of UTF-8 text: characters, not bytes. */
size_t dse_terminal_columns(const char *text, size_t length);

/* Number of bytes of a line that fit in `width` columns, up to a space after `from`. The whole line if it fits or has no such space. Never breaks
 * between a number and its unit, nor beside ± and =. O(length). */
size_t dse_terminal_fitting(const char *line, size_t length, size_t from, size_t width);

/* Adds a text as lines of at most `width` columns, broken where dse_terminal_fitting() allows it. */
void dse_terminal_wrap(struct dse_strbuf *out, const char *text, size_t width);

/* Whether standard output supports colours: a terminal, unless $NO_COLOR (no-color.org) is set or $TERM is "dumb". */
bool dse_terminal_colour(void);

/* Adds a finished table's text: breaks lines wider than `width` (0: none) at spaces. With `colour` emphasises headings, dims their rules, and shows
 * violated limits in red. */
void dse_terminal_paint(const char *text, size_t width, bool colour, struct dse_strbuf *out);

/* Prints a line, or a text of complete lines, on standard error; escapes control characters (core/utf8.h). On a terminal, breaks
 * wide lines as above, except for a formula and its caret. */
void dse_terminal_tell(const char *before, const char *line);
void dse_terminal_tell_lines(const char *before, const char *text);

/* Progress line on standard error: done, rate and remaining time of long work. */
struct dse_progress {
    pthread_mutex_t lock;
    char what[64];       /* the counted work */
    uint64_t first;      /* count at the start */
    double began_s, shown_s;
    bool visible;
};

void dse_progress_begin(struct dse_progress *progress);

/* Callback for struct dse_monitor; `user` is the progress. Prints at most a few times per second; thread-safe. */
void dse_progress_show(void *user, const char *what, uint64_t done, uint64_t total);

/* Removes the line; no effect if there is none. */
void dse_progress_clear(struct dse_progress *progress);
void dse_progress_end(struct dse_progress *progress);
