/* How results and progress look on a terminal. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/strbuf.h"

/* Columns that a table may take on standard output: $COLUMNS, the terminal's, or no limit (0) where there is neither. */
size_t dse_terminal_width(void);

/* Columns that UTF-8 text takes: characters, not bytes. */
size_t dse_terminal_columns(const char *text, size_t length);

/* Bytes of a line that fit into `width` columns, up to a space behind `from` if there is one; all of them where it fits, or where there is none.
 * No space between a number and its unit, and none beside ± and =, ends a line. O(length). */
size_t dse_terminal_fitting(const char *line, size_t length, size_t from, size_t width);

/* Whether standard output takes colours: a terminal, unless $NO_COLOR (no-color.org) is set or $TERM is "dumb". */
bool dse_terminal_colour(void);

/* Adds a finished table's text: lines wider than `width` (0: none) are broken at spaces; with `colour` headings stand out,
 * their rules step back, and what breaks a limit is red besides saying so. */
void dse_terminal_paint(const char *text, size_t width, bool colour, struct dse_strbuf *out);

/* Prints a line on standard error, or a text of whole lines: what would be obeyed and not drawn is escaped (core/utf8.h). A terminal gets
 * lines that are too wide broken as above, but for those of a formula with its caret. */
void dse_terminal_tell(const char *before, const char *line);
void dse_terminal_tell_lines(const char *before, const char *text);

/* A line on standard error that says how far long work is, how fast it goes and how long it will take. */
struct dse_progress {
    pthread_mutex_t lock;
    char what[64];       /* the work that is counted */
    uint64_t first;      /* where the count stood when it began */
    double began_s, shown_s;
    bool visible;
};

void dse_progress_begin(struct dse_progress *progress);

/* For struct dse_monitor: `user` is the progress. A few times a second at most; by any thread. */
void dse_progress_show(void *user, const char *what, uint64_t done, uint64_t total);

/* Takes the line away; harmless where there is none. */
void dse_progress_clear(struct dse_progress *progress);
void dse_progress_end(struct dse_progress *progress);
