#include "core/units.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"

static const char *const unit_symbols[] = {
    [DSE_DIMENSION_NONE] = "",       [DSE_DIMENSION_TIME] = "s",   [DSE_DIMENSION_ENERGY] = "J",
    [DSE_DIMENSION_POWER] = "W",     [DSE_DIMENSION_FREQUENCY] = "Hz", [DSE_DIMENSION_RATE] = "/s",
    [DSE_DIMENSION_BYTES] = "B",
    [DSE_DIMENSION_BANDWIDTH] = "B/s"};

/* A name stands before the shorter names that it begins with. */
static const struct {
    const char *name;
    double factor;
    bool bytes_only;
} prefixes[] = {{"Ki", 1024.0, true},
                {"Mi", 1048576.0, true},
                {"Gi", 1073741824.0, true},
                {"T", 1e12, false},
                {"G", 1e9, false},
                {"M", 1e6, false},
                {"k", 1e3, false},
                {"m", 1e-3, false},
                {"u", 1e-6, false},
                {"µ", 1e-6, false}, /* the micro sign, */
                {"μ", 1e-6, false}, /* and the Greek letter that looks like it */
                {"n", 1e-9, false},
                {"p", 1e-12, false},
                {"", 1.0, false}};

const char *dse_dimension_unit(enum dse_dimension dimension)
{
    return unit_symbols[dimension];
}

static bool is_bytes(enum dse_dimension dimension)
{
    return dimension == DSE_DIMENSION_BYTES || dimension == DSE_DIMENSION_BANDWIDTH;
}

static bool starts_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* A unit ends where a word ends, so that `ms` is not read as `m` and `s` left over. */
static bool ends_word(const char *text)
{
    return !isalnum((unsigned char)*text) && *text != '_' && *text != '/';
}

/* Whether a unit of the dimension begins here, and where it ends. For a rate: "Hz", "/s" and, after a blank or without prefix, "samples/s". */
static bool is_unit(const char *text, enum dse_dimension dimension, bool prefixed, const char **end)
{
    const char *unit = unit_symbols[dimension];
    if (dimension == DSE_DIMENSION_RATE && starts_with(text, "Hz")) {
        unit = "Hz";
    } else if (dimension == DSE_DIMENSION_RATE) {
        bool parted = *text == ' ' || !prefixed;
        text += strspn(text, " ");
        while (parted && isalpha((unsigned char)*text))
            text++;
    }
    *end = text + strlen(unit);
    return starts_with(text, unit) && ends_word(*end);
}

static bool parse_unit(const char *text, enum dse_dimension dimension, double *factor, const char **end)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (prefixes[i].bytes_only && !is_bytes(dimension))
            continue;
        if (!starts_with(text, prefixes[i].name))
            continue;
        if (is_unit(text + strlen(prefixes[i].name), dimension, *prefixes[i].name != '\0', end)) {
            *factor = prefixes[i].factor;
            return true;
        }
    }
    return false;
}

bool dse_quantity_parse(const char *text, enum dse_dimension dimension, double *value, bool *percent,
                        const char **end)
{
    const char *start = text + strspn(text, " "), *after = start + dse_number_length(start);
    double number = strtod(start, NULL);
    if (after == start || !isfinite(number))
        return false;
    *percent = false;
    const char *unit = after;
    while (*unit == ' ')
        unit++;
    if (*unit == '%') {
        *percent = true;
        *value = number;
        *end = unit + 1;
        return true;
    }
    double factor = 1.0;
    if (isalpha((unsigned char)*unit) || (unsigned char)*unit >= 0x80 || (dimension == DSE_DIMENSION_RATE && *unit == '/')) {
        if (!parse_unit(unit, dimension, &factor, end))
            return false;
    } else {
        *end = after;
    }
    *value = number * factor;
    return isfinite(*value);
}

char *dse_quantity_format(char *buffer, size_t size, enum dse_dimension dimension, double value)
{
    static const char *const si[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
    static const char *const binary[] = {"", "Ki", "Mi", "Gi", "Ti"};
    if (!isfinite(value)) {
        snprintf(buffer, size, "%s", isnan(value) ? "-" : value > 0 ? "inf" : "-inf");
        return buffer;
    }
    double magnitude = fabs(value);
    const char *prefix = "";
    double scaled = value;
    if (dimension == DSE_DIMENSION_BYTES) {
        int step = 0;
        while (step < 4 && fabs(scaled) >= 1024.0) {
            scaled /= 1024.0;
            step++;
        }
        prefix = binary[step];
    } else if (dimension != DSE_DIMENSION_NONE && magnitude > 0.0) {
        int step = (int)floor(log10(magnitude) / 3.0 + 1e-12);
        step = step < -4 ? -4 : step > 4 ? 4 : step;
        scaled = value / pow(1000.0, step);
        prefix = si[step + 4];
    }
    int decimals = fabs(scaled) >= 100.0 ? 1 : fabs(scaled) >= 10.0 ? 2 : 3;
    if (dimension == DSE_DIMENSION_BYTES && *prefix == '\0')
        decimals = 0;
    const char *unit = unit_symbols[dimension];
    snprintf(buffer, size, "%.*f%s%s%s", decimals, scaled, *unit != '\0' ? " " : "", prefix, unit);
    return buffer;
}

char *dse_ratio_format(char *buffer, size_t size, int digits, double ratio)
{
    do
        snprintf(buffer, size, "%.*g", digits, ratio);
    while (ratio != 1.0 && strcmp(buffer, "1") == 0 && digits++ < 17);
    return buffer;
}

char *dse_count_format(char *buffer, size_t size, long long value)
{
    char digits[32];
    if (value == LLONG_MAX) { /* counts of designs saturate there */
        snprintf(buffer, size, "more than 9.2e18");
        return buffer;
    }
    int length = snprintf(digits, sizeof digits, "%lld", value);
    size_t used = 0;
    for (int i = 0; i < length && used + 2 < size; i++) {
        buffer[used++] = digits[i];
        int left = length - 1 - i;
        if (left > 0 && left % 3 == 0 && isdigit((unsigned char)digits[i]))
            buffer[used++] = ',';
    }
    buffer[used] = '\0';
    return buffer;
}
