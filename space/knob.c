/* A knob's values as people write and read them. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/names.h"
#include "space/space.h"

char *dse_knob_format(const struct dse_knob *knob, int64_t value, char *buffer, size_t size)
{
    switch (knob->type) {
    case DSE_KNOB_INTEGER:
        snprintf(buffer, size, "%lld", (long long)value);
        break;
    case DSE_KNOB_DECIMAL: {
        int used = snprintf(buffer, size, "%lld.%06lld", (long long)(value / DSE_DECIMAL_ONE),
                            (long long)(value % DSE_DECIMAL_ONE));
        while (used > 0 && (size_t)used < size && buffer[used - 1] == '0')
            buffer[--used] = '\0';
        if (used > 0 && (size_t)used < size && buffer[used - 1] == '.')
            buffer[--used] = '\0';
        break;
    }
    case DSE_KNOB_CHOICE:
        snprintf(buffer, size, "%s",
                 value >= 0 && (size_t)value < knob->choice_count ? knob->choices[value] : "?");
        break;
    }
    return buffer;
}

char *dse_knob_allowed(const struct dse_knob *knob, char *buffer, size_t size)
{
    char low[32], high[32];
    if (knob->type != DSE_KNOB_CHOICE) {
        const char *what = knob->power_of_two              ? "a power of two from "
                           : knob->type == DSE_KNOB_INTEGER ? "a whole number from "
                                                            : "a number from ";
        snprintf(buffer, size, "%s%s to %s", what,
                 dse_knob_format(knob, knob->minimum, low, sizeof low),
                 dse_knob_format(knob, knob->maximum, high, sizeof high));
        return buffer;
    }
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < knob->choice_count && used < size; i++) {
        const char *between = i == 0 ? "" : i + 1 == knob->choice_count ? " or " : ", ";
        int added = snprintf(buffer + used, size - used, "%s%s", between, knob->choices[i]);
        used += added > 0 ? (size_t)added : 0;
    }
    return buffer;
}

static bool parse_integer(const char *text, int64_t *value)
{
    char *end = NULL;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    *value = number;
    return end != text && *end == '\0' && errno != ERANGE && !isspace((unsigned char)*text);
}

/* Digits, at most one point, at most six digits behind it: exact in millionths. */
static bool parse_decimal(const char *text, int64_t *value)
{
    int64_t number = 0;
    int decimals = -1, digits = 0;
    for (; *text != '\0'; text++) {
        if (*text == '.' && decimals < 0) {
            decimals = 0;
        } else if (isdigit((unsigned char)*text) && decimals < 6 && number < INT64_MAX / 10000000) {
            number = number * 10 + (*text - '0');
            decimals += decimals >= 0;
            digits++;
        } else {
            return false;
        }
    }
    for (int d = decimals < 0 ? 0 : decimals; d < 6; d++)
        number *= 10;
    *value = number;
    return digits > 0;
}

static bool parse_choice(const struct dse_knob *knob, const char *text, int64_t *value)
{
    for (size_t i = 0; i < knob->choice_count; i++)
        if (strcmp(knob->choices[i], text) == 0) {
            *value = (int64_t)i;
            return true;
        }
    return false;
}

static bool in_bounds(const struct dse_knob *knob, int64_t value)
{
    if (knob->type == DSE_KNOB_CHOICE)
        return true;
    if (knob->power_of_two && (value & (value - 1)) != 0)
        return false;
    return value >= knob->minimum && value <= knob->maximum;
}

enum dse_status dse_knob_parse(const struct dse_knob *knob, const char *text, int64_t *value,
                               struct dse_error *err)
{
    bool read = knob->type == DSE_KNOB_INTEGER   ? parse_integer(text, value)
                : knob->type == DSE_KNOB_DECIMAL ? parse_decimal(text, value)
                                                 : parse_choice(knob, text, value);
    if (read && in_bounds(knob, *value))
        return DSE_OK;
    char allowed[256];
    return dse_fail(err, DSE_BAD_USAGE, "%s=%s: must be %s", knob->name, text,
                    dse_knob_allowed(knob, allowed, sizeof allowed));
}
