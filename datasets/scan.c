#include "datasets/scan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SHOWN 60 /* characters of a wrong line that a message quotes */

static bool is_digit(char c)
{
    return (unsigned)c - '0' < 10;
}

static void skip_blanks(struct dse_scan *scan)
{
    while (*scan->at == ' ' || *scan->at == '\t')
        scan->at++;
}

struct dse_scan dse_scan_begin(const struct dse_text *text)
{
    const char *data = text->data != NULL ? text->data : ""; /* a file that is not there */
    struct dse_scan scan = {.text = text, .at = data, .end = data + text->size};
    if (text->size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0)
        scan.at += 3;
    scan.line_start = scan.at;
    return scan;
}

bool dse_scan_at_line_end(struct dse_scan *scan)
{
    skip_blanks(scan);
    const char *at = scan->at;
    if (*at == '\r')
        at++;
    return *at == '\n' || at == scan->end;
}

static bool only_space_behind(const struct dse_scan *scan)
{
    const char *at = scan->at;
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
        at++;
    return at == scan->end;
}

enum dse_status dse_scan_next_line(struct dse_scan *scan, bool *more, struct dse_error *err)
{
    if (scan->line > 0) {
        const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->at = newline != NULL ? newline + 1 : scan->end;
    }
    scan->line_start = scan->at;
    scan->line++;
    *more = true;
    if (!dse_scan_at_line_end(scan))
        return DSE_OK;
    *more = false;
    if (only_space_behind(scan))
        return DSE_OK;
    return dse_fail_at(err, DSE_BAD_INPUT, scan->text->name, scan->line,
                       "empty line: allowed only at the end of the file");
}

/* "1.0" and "1.000000e+00", as programs write whole numbers that they store as real ones. */
static bool take_whole_real(struct dse_scan *scan, int64_t *value)
{
    const char *start = scan->at;
    double real = 0.0;
    if (dse_scan_real(scan, &real) && real == floor(real) && fabs(real) < 0x1p53) /* 2^53 may be 2^53 + 1 */ {
        *value = (int64_t)real;
        return true;
    }
    scan->at = start;
    return false;
}

bool dse_scan_whole(struct dse_scan *scan, int64_t *value)
{
    skip_blanks(scan);
    const char *at = scan->at;
    bool negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    if (!is_digit(*at))
        return false;
    int64_t sum = 0;
    for (; is_digit(*at); at++) {
        if (sum > (INT64_MAX - 9) / 10)
            return false;
        sum = sum * 10 + (*at - '0');
    }
    if (*at == '.' || *at == 'e' || *at == 'E')
        return take_whole_real(scan, value);
    *value = negative ? -sum : sum;
    scan->at = at;
    return true;
}

/* Both factors are exact doubles up to 2^53 and 10^22, so that one rounding gives the nearest double. */
static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A decimal number taken apart: digits × 10^exponent. */
struct decimal {
    uint64_t digits;
    int significant; /* digits counted from the first that is not 0 */
    long exponent;
    bool negative;
};

static const char *take_digits(const char *at, struct decimal *number, long exponent_step)
{
    for (; is_digit(*at); at++) {
        if (number->significant > 0 || *at != '0')
            number->significant++;
        if (number->significant <= 18)
            number->digits = number->digits * 10 + (uint64_t)(*at - '0');
        number->exponent += exponent_step;
    }
    return at;
}

static const char *take_exponent(const char *at, struct decimal *number)
{
    const char *p = at + 1;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    if (!is_digit(*p))
        return at;
    long sum = 0;
    for (; is_digit(*p); p++)
        if (sum < 100000)
            sum = sum * 10 + (*p - '0');
    number->exponent += negative ? -sum : sum;
    return p;
}

/* The end of the number at `at`, or NULL. */
static const char *take_apart(const char *at, struct decimal *number)
{
    number->negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    const char *start = at;
    at = take_digits(at, number, 0);
    size_t before = (size_t)(at - start), behind = 0;
    if (*at == '.') {
        const char *fraction = at + 1;
        at = take_digits(fraction, number, -1);
        behind = (size_t)(at - fraction);
    }
    if (before + behind == 0)
        return NULL;
    return *at == 'e' || *at == 'E' ? take_exponent(at, number) : at;
}

bool dse_scan_real(struct dse_scan *scan, double *value)
{
    skip_blanks(scan);
    struct decimal number = {0};
    const char *end = take_apart(scan->at, &number);
    if (end == NULL)
        return false;
    bool exact = number.significant <= 18 && number.digits <= (UINT64_C(1) << 53) &&
                 number.exponent >= -22 && number.exponent <= 22;
    if (exact) {
        double digits = (double)number.digits;
        double power = exact_powers[labs(number.exponent)];
        double size = number.exponent < 0 ? digits / power : digits * power;
        *value = number.negative ? -size : size;
    } else {
        *value = strtod(scan->at, NULL);
    }
    if (!isfinite(*value))
        return false;
    scan->at = end;
    return true;
}

bool dse_scan_comma(struct dse_scan *scan)
{
    skip_blanks(scan);
    if (*scan->at != ',')
        return false;
    scan->at++;
    return true;
}

size_t dse_scan_count_lines(const struct dse_text *text)
{
    size_t lines = 1;
    const char *end = text->data + text->size;
    for (const char *at = text->data; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        lines++;
    return lines;
}

/* The line's printable ASCII, cut to the capacity of a message. */
static void quote_line(const struct dse_scan *scan, char quoted[LINE_SHOWN + 4])
{
    size_t length = 0;
    const char *at = scan->line_start;
    for (; at < scan->end && *at != '\n' && *at != '\r' && length < LINE_SHOWN; at++)
        quoted[length++] = *at >= ' ' && *at < 0x7f ? *at : '?';
    bool cut = at < scan->end && *at != '\n' && *at != '\r';
    snprintf(quoted + length, 4, "%s", cut ? "..." : "");
}

enum dse_status dse_scan_reject(const struct dse_scan *scan, struct dse_error *err, const char *format, ...)
{
    char quoted[LINE_SHOWN + 4], what[512];
    quote_line(scan, quoted);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return dse_fail_at(err, DSE_BAD_INPUT, scan->text->name, scan->line, "\"%s\": %s", quoted, what);
}
