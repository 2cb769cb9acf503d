/* A knob's values as people write and read them. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "space/knob.h"

#define NUMBER_SIZE 400 /* holds any number, as dse_number_format writes it */

char *dse_knob_format(const struct dse_knob *knob, int64_t value, char *buffer, size_t size)
{
    switch (knob->type) {
    case DSE_KNOB_INTEGER:
        snprintf(buffer, size, "%lld", (long long)value);
        break;
    case DSE_KNOB_DECIMAL: {
        int used = snprintf(buffer, size, "%s%" PRId64 ".%0*" PRId64, value < 0 ? "-" : "", imaxabs(value / DSE_DECIMAL_ONE),
                            DSE_DECIMAL_DIGITS, imaxabs(value % DSE_DECIMAL_ONE));
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
    size_t count = knob->listed != NULL ? knob->listed_count : knob->choice_count;
    if (knob->type != DSE_KNOB_CHOICE && knob->listed == NULL) {
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
    for (size_t i = 0; i < count && used < size; i++) {
        const char *between = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        int added = snprintf(buffer + used, size - used, "%s%s", between, dse_knob_format(knob, knob->listed != NULL ? knob->listed[i] : (int64_t)i, low, sizeof low));
        used += added > 0 ? (size_t)added : 0;
    }
    return buffer;
}

double dse_knob_number(const struct dse_knob *knob, int64_t value)
{
    char text[64];
    return strtod(dse_knob_format(knob, value, text, sizeof text), NULL);
}

bool dse_knob_trains(const struct dse_knob *knob)
{
    return (knob->kind & DSE_KNOB_ALGORITHMIC) != 0;
}

const char *dse_knob_option(const struct dse_knob *knob)
{
    return knob->option != NULL ? knob->option : knob->name;
}

char *dse_knob_argument(const struct dse_knob *knob, char *buffer, size_t size)
{
    size_t used = (size_t)snprintf(buffer, size, "%s", knob->type == DSE_KNOB_INTEGER ? "N" : knob->type == DSE_KNOB_DECIMAL ? "X" : "");
    for (size_t i = 0; i < knob->choice_count && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", i > 0 ? "|" : "", knob->choices[i]);
    return buffer;
}

/* A decimal number that is a whole multiple of 1/DSE_DECIMAL_ONE, exactly. */
static bool parse_decimal(const char *text, int64_t *value)
{
    double real = 0.0;
    int64_t number = 0;
    long shift = DSE_DECIMAL_DIGITS;
    bool negative = *text == '-';
    if (dse_number_real(text, &real) != DSE_NUMBER_READ || *text == '+')
        return false;
    text += negative;
    for (bool point = false; isdigit((unsigned char)*text) || *text == '.'; text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        if (number > INT64_MAX / 10 - 1)
            return false;
        number = number * 10 + (*text - '0');
        shift -= point;
    }
    shift += *text != '\0' ? strtol(text + 1, NULL, 10) : 0;
    for (; shift < 0 && number != 0 && number % 10 == 0; shift++)
        number /= 10;
    for (; shift > 0 && number != 0 && number <= INT64_MAX / 10; shift--)
        number *= 10;
    *value = negative ? -number : number;
    return shift == 0 || number == 0;
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

bool dse_knob_within(const struct dse_knob *knob, int64_t value)
{
    bool listed = knob->listed == NULL;
    if (knob->power_of_two && (value & (value - 1)) != 0)
        return false;
    for (size_t i = 0; i < knob->listed_count && !listed; i++)
        listed = knob->listed[i] == value;
    return listed && value >= knob->minimum && value <= knob->maximum;
}

static enum dse_status reject(const struct dse_knob *knob, const char *text, struct dse_error *err)
{
    char allowed[512];
    return dse_fail(err, DSE_BAD_USAGE, "%s=%s: must be %s", knob->name, text,
                    dse_knob_allowed(knob, allowed, sizeof allowed));
}

enum dse_status dse_knob_parse(const struct dse_knob *knob, const char *text, int64_t *value, struct dse_error *err)
{
    bool read = knob->type == DSE_KNOB_INTEGER   ? dse_number_whole(text, value) == DSE_NUMBER_READ
                : knob->type == DSE_KNOB_DECIMAL ? parse_decimal(text, value)
                                                 : parse_choice(knob, text, value);
    return read && dse_knob_within(knob, *value) ? DSE_OK : reject(knob, text, err);
}

enum dse_status dse_knob_put(const struct dse_knob *knob, const char *value, struct dse_setting *setting, struct dse_error *err)
{
    char text[NUMBER_SIZE];
    double number = 0.0;
    int64_t read = 0;
    if (knob->type == DSE_KNOB_DECIMAL) {
        if (dse_number_real(value, &number) != DSE_NUMBER_READ || number < dse_knob_number(knob, knob->minimum) ||
            number > dse_knob_number(knob, knob->maximum))
            return reject(knob, value, err);
        dse_number_format(text, sizeof text, number);
    } else {
        DSE_TRY(dse_knob_parse(knob, value, &read, err));
        dse_knob_format(knob, read, text, sizeof text);
    }
    dse_setting_put(setting, knob->name, text);
    return DSE_OK;
}
