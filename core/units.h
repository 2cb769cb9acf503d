/* Quantities with units, as people type them (`0.5ms`, `50%`, `300 MHz`) and as they are printed. */
#pragma once

#include <stdbool.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* The dimension of a number. */
enum dse_dimension {
    DSE_DIMENSION_NONE, /* a count or ratio, "%" allowed as 1/100 if `percent` is requested */
    DSE_DIMENSION_TIME, /* s */
    DSE_DIMENSION_ENERGY, /* J */
    DSE_DIMENSION_POWER, /* W */
    DSE_DIMENSION_FREQUENCY, /* Hz */
    DSE_DIMENSION_RATE, /* items per second: written "/s", read as "Hz" and "samples/s" too */
    DSE_DIMENSION_BYTES, /* B; KiB, MiB, GiB and kB, MB, GB */
    DSE_DIMENSION_BANDWIDTH /* B/s */
};

/* Reads a number with an optional SI prefix and unit of `dimension` from the start of `text` into SI base units; spaces may separate number and unit.
 * `percent` is set if a `%` follows the number (the value is then the number itself, 50 for "50%"). `end` is the first character not read. False if
 * there is no finite number, or its unit is of another dimension. */
bool dse_quantity_parse(const char *text, enum dse_dimension dimension, double *value, bool *percent,
                        const char **end);

/* "1.23 ms" with three or four significant digits, an SI prefix ("µ" in UTF-8) and the dimension's unit; bytes with
 * binary prefixes. Returns `buffer`. */
char *dse_quantity_format(char *buffer, size_t size, enum dse_dimension dimension, double value);

/* The symbol of the dimension's SI base unit: "s", "J", … or "". */
const char *dse_dimension_unit(enum dse_dimension dimension);

/* "1.05": a ratio with that many significant digits, or more if it would read as 1 and is not. Returns `buffer`. */
char *dse_ratio_format(char *buffer, size_t size, int digits, double ratio);

/* "1,728": a whole number with separators between thousands; "more than 9.2e18" for LLONG_MAX, at which counts of designs saturate. Returns `buffer`. */
char *dse_count_format(char *buffer, size_t size, long long value);

/* A count of designs as dse_count_format takes it. */
static inline long long dse_count_of(uint64_t count)
{
    return count > LLONG_MAX ? LLONG_MAX : (long long)count;
}
