#include "reports/terminal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/monitor.h"
#include "core/units.h"
#include "core/utf8.h"
#include "models/model.h"

#define LEAST_WIDTH 40
#define SECONDS_BETWEEN 0.1  /* seconds between progress lines */
#define SECONDS_FOR_A_RATE 0.5

void dse_terminal_wrap(struct dse_strbuf *out, const char *text, size_t width)
{
    while (*text != '\0') {
        size_t taken = dse_terminal_fitting(text, strlen(text), 0, width);
        dse_strbuf_add_n(out, text, taken);
        dse_strbuf_add(out, "\n");
        text += taken + strspn(text + taken, " ");
    }
}

size_t dse_terminal_width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (columns != NULL && atoi(columns) >= LEAST_WIDTH)
        return (size_t)atoi(columns);
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST_WIDTH)
        return size.ws_col;
    return 0;
}

bool dse_terminal_colour(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && (no == NULL || *no == '\0') && (term == NULL || strcmp(term, "dumb") != 0);
}

/* ---- tables ---- */

size_t dse_terminal_columns(const char *text, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

/* Whether a line is the rule under headings: dashes and spaces. */
static bool is_rule(const char *line, size_t length)
{
    return length > 0 && *line == '-' && strspn(line, "- ") >= length;
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static bool is_unit(const char *word, size_t length)
{
    static const char *const written_out[] = {"bits", "bytes", "cycles", "op/byte", "inferences/s", "samples/s", "queries/s", "fits/s",
                                            "settings", "designs", "splits", "times", NULL};
    for (size_t i = 0; written_out[i] != NULL; i++)
        if (length == strlen(written_out[i]) && memcmp(word, written_out[i], length) == 0)
            return true;
    for (int m = DSE_METRIC_BRAM18; m <= DSE_METRIC_LUTRAM; m++)
        if (length == strlen(dse_metrics[m].heading) && memcmp(word, dse_metrics[m].heading, length) == 0)
            return true;
    char text[24];
    snprintf(text, sizeof text, "1 %.*s", (int)length, word);
    for (int d = DSE_DIMENSION_TIME; length > 0 && length < 16 && d <= DSE_DIMENSION_BANDWIDTH; d++) {
        double value;
        bool percent;
        const char *end;
        if (dse_quantity_parse(text, (enum dse_dimension)d, &value, &percent, &end) && *end == '\0')
            return true;
    }
    return length == 1 && *word == 'x';
}

/* Whether the space at `at` separates a number from its unit, is beside ± or =, or lies within a range such as "-19 to +38 %". */
static bool holds_together(const char *line, size_t length, size_t at)
{
    static const char *const signs[] = {"±", "="};
    const char *right = line + at + 1;
    size_t word = 0;
    while (at + 1 + word < length && right[word] != ' ')
        word++;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t size = strlen(signs[i]);
        if ((word == size && memcmp(right, signs[i], size) == 0) || (at >= size && memcmp(right - 1 - size, signs[i], size) == 0))
            return true;
    }
    if (word == 2 && at + 4 < length && memcmp(right, "to +", 4) == 0)
        return true;
    if (*right == '+' && at > 2 && memcmp(right - 4, " to", 3) == 0)
        return true;
    while (word > 0 && strchr(".,;:)", right[word - 1]) != NULL)
        word--;
    if (word == 1 && strchr("kMGT", *right) != NULL) /* "39.44 k inferences/s" */
        return at > 0 && isdigit((unsigned char)line[at - 1]);
    if (at > 2 && strchr("kMGT", line[at - 1]) != NULL && line[at - 2] == ' ')
        at -= 2;
    return at > 0 && isdigit((unsigned char)line[at - 1]) && is_unit(right, word);
}

size_t dse_terminal_fitting(const char *line, size_t length, size_t from, size_t width)
{
    size_t best = 0, columns = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == ' ' && i > from && !holds_together(line, length, i))
            best = i;
        columns += ((unsigned char)line[i] & 0xC0) != 0x80;
        if (columns > width)
            return best > 0 ? best : length;
    }
    return length;
}

/* Receives a piece of a line; pieces after the first are on new lines, indented by `indent` blanks. */
typedef void piece_writer(void *out, const char *piece, size_t length, size_t indent);

/* Breaks a line at `width`, starting after `used` columns; 0: no break. */
static void write_line(const char *line, size_t length, size_t used, size_t width, piece_writer *write, void *out)
{
    size_t indent = strspn(line, " ") + 2, before = 0;
    while (width > 0 && dse_terminal_columns(line, length) + used > width) {
        size_t taken = dse_terminal_fitting(line, length, strspn(line, " "), width - used);
        if (taken == length)
            break;
        write(out, line, taken, before);
        used = before = indent;
        taken += strspn(line + taken, " ");
        line += taken;
        length -= taken;
    }
    write(out, line, length, before);
}

static void add_piece(void *out, const char *piece, size_t length, size_t indent)
{
    dse_strbuf_add(out, indent > 0 ? "\n" : "");
    dse_strbuf_add_char(out, ' ', indent);
    dse_strbuf_add_n(out, piece, length);
}

void dse_terminal_paint(const char *text, size_t width, bool colour, struct dse_strbuf *out)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        const char *next = text + length + (text[length] == '\n');
        const char *style = "";
        if (is_rule(text, length))
            style = "\033[2m";
        else if (length > 0 && is_rule(next, strcspn(next, "\n")))
            style = "\033[1m";
        else if (begins(text, "exceeded: ") && !begins(text, "exceeded: nothing"))
            style = "\033[31m";
        style = colour ? style : "";
        dse_strbuf_add(out, style);
        write_line(text, length, 0, width, add_piece, out);
        dse_strbuf_add(out, *style != '\0' ? "\033[0m" : "");
        if (text[length] == '\n')
            dse_strbuf_add(out, "\n");
        text = next;
    }
}

/* ---- standard error ---- */

/* Width of standard error if it is a terminal; otherwise 0. */
static size_t error_columns(void)
{
    struct winsize size;
    return !isatty(STDERR_FILENO) ? 0 : ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

/* Writes character by character, because the message may be about missing memory. */
static void tell_piece(void *out, const char *piece, size_t length, size_t indent)
{
    char shown[DSE_UTF8_SHOWN];
    const char *end = piece + length;
    fprintf(out, "%s%*s", indent > 0 ? "\n" : "", (int)indent, "");
    for (size_t taken; piece < end && (taken = dse_utf8_shown(piece, shown)) > 0; piece += taken)
        fputs(shown, out);
}

void dse_terminal_tell(const char *before, const char *line)
{
    fputs(before, stderr);
    write_line(line, strlen(line), dse_terminal_columns(before, strlen(before)), error_columns(), tell_piece, stderr);
    fputs("\n", stderr);
}

void dse_terminal_tell_lines(const char *before, const char *text)
{
    bool pointed = strstr(text, "^\n") != NULL || (*text != '\0' && text[strlen(text) - 1] == '^'); /* the caret of a formula must stay below its place */
    size_t used = dse_terminal_columns(before, strlen(before));
    fputs(before, stderr);
    for (; *text != '\0'; used = 0) {
        size_t length = strcspn(text, "\n");
        write_line(text, length, used, pointed ? 0 : error_columns(), tell_piece, stderr);
        text += length;
        if (*text == '\n')
            fputs("\n", stderr);
        text += *text == '\n';
    }
}

/* ---- progress ---- */

static void add_time_left(char *text, size_t size, double seconds)
{
    size_t used = strlen(text);
    if (seconds < 10.0)
        snprintf(text + used, size - used, ", %.1f s left", seconds);
    else if (seconds < 90.0)
        snprintf(text + used, size - used, ", %.0f s left", seconds);
    else if (seconds < 5400.0)
        snprintf(text + used, size - used, ", %.0f min left", seconds / 60.0);
    else
        snprintf(text + used, size - used, ", %.1f h left", seconds / 3600.0);
}

/* The line's text: "training runs: 12 of 96 (12 %), 34/s, 2.4 s left", or for DSE_MONITOR_WHOLE "space searched: 12.50 %, 2.4 s left". A
 * `total` of 0 is unknown. `done` − `first` took `elapsed_s`; below half a second no rate is given. Returns `text`. */
static char *progress_text(char *text, size_t size, const char *what, uint64_t first, uint64_t done, uint64_t total,
                        double elapsed_s)
{
    char count[32], whole[32];
    bool share = total == DSE_MONITOR_WHOLE;
    dse_count_format(count, sizeof count, (long long)done);
    if (share)
        snprintf(text, size, "%s: %.2f %%", what, 100.0 * (double)done / (double)total);
    else if (total > 0)
        snprintf(text, size, "%s: %s of %s (%.0f %%)", what, count, dse_count_format(whole, sizeof whole, (long long)total),
                 100.0 * (double)done / (double)total);
    else
        snprintf(text, size, "%s: %s", what, count);
    if (elapsed_s < SECONDS_FOR_A_RATE || done <= first)
        return text;
    double rate = (double)(done - first) / elapsed_s;
    size_t used = strlen(text);
    if (rate >= 10.0 && !share)
        snprintf(text + used, size - used, ", %s/s", dse_count_format(count, sizeof count, (long long)rate));
    else if (!share)
        snprintf(text + used, size - used, ", %.2g/s", rate);
    if (total > done)
        add_time_left(text, size, (double)(total - done) / rate);
    return text;
}

void dse_progress_begin(struct dse_progress *progress)
{
    *progress = (struct dse_progress){0};
    pthread_mutex_init(&progress->lock, NULL);
}

static void take_away(struct dse_progress *progress)
{
    if (progress->visible)
        fputs("\r\033[K", stderr);
    progress->visible = false;
}

/* Limits the line's width: a wrapped line could not be removed. */
void dse_progress_show(void *user, const char *what, uint64_t done, uint64_t total)
{
    struct dse_progress *progress = user;
    char text[256];
    pthread_mutex_lock(&progress->lock);
    double now = dse_clock_s();
    if (strcmp(progress->what, what) != 0 || done < progress->first) {
        snprintf(progress->what, sizeof progress->what, "%s", what);
        progress->first = done;
        progress->began_s = now;
    }
    if (total > 0 && done >= total) {
        take_away(progress);
        *progress->what = '\0';
    } else if (now - progress->shown_s >= SECONDS_BETWEEN) {
        progress_text(text, sizeof text, what, progress->first, done, total, now - progress->began_s);
        fprintf(stderr, "\r\033[K%.*s", (int)error_columns() - 1, text);
        progress->visible = true;
        progress->shown_s = now;
    }
    fflush(stderr);
    pthread_mutex_unlock(&progress->lock);
}

void dse_progress_clear(struct dse_progress *progress)
{
    pthread_mutex_lock(&progress->lock);
    take_away(progress);
    fflush(stderr);
    pthread_mutex_unlock(&progress->lock);
}

void dse_progress_end(struct dse_progress *progress)
{
    dse_progress_clear(progress);
    pthread_mutex_destroy(&progress->lock);
}
