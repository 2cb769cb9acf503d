#include "core/number.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

static size_t sign_length(const char *text)
{
    return *text == '-' || *text == '+';
}

enum dse_number_found dse_number_whole(const char *text, int64_t *value)
{
    size_t sign = sign_length(text), digits = strspn(text + sign, DIGITS);
    if (digits == 0 || text[sign + digits] != '\0')
        return DSE_NUMBER_NONE;
    errno = 0;
    long long read = strtoll(text, NULL, 10);
    if (errno == ERANGE)
        return DSE_NUMBER_LARGE;
    *value = read;
    return DSE_NUMBER_READ;
}

size_t dse_number_length(const char *text)
{
    size_t length = sign_length(text), whole = strspn(text + length, DIGITS), fraction = 0;
    length += whole;
    if (text[length] == '.') {
        fraction = strspn(text + length + 1, DIGITS);
        length += 1 + fraction;
    }
    if (whole + fraction == 0)
        return 0;
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = sign_length(text + length + 1), digits = strspn(text + length + 1 + sign, DIGITS);
        length += digits > 0 ? 1 + sign + digits : 0;
    }
    return length;
}

enum dse_number_found dse_number_real(const char *text, double *value)
{
    size_t length = dse_number_length(text);
    if (length == 0 || text[length] != '\0')
        return DSE_NUMBER_NONE;
    double read = strtod(text, NULL);
    if (!isfinite(read))
        return DSE_NUMBER_LARGE;
    *value = read;
    return DSE_NUMBER_READ;
}

char *dse_number_format(char *buffer, size_t size, double value)
{
    /* The least double needs 324 digits up to its first non-zero one, and 16 more. */
    for (int decimals = 0; decimals <= 340; decimals++) {
        snprintf(buffer, size, "%.*f", decimals, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

/* The digits from which "%.*g" reads back, or 15 if that is unknown. An integer m of 15 digits and 10^k are exact doubles, so that m / 10^k is the
 * double nearest to the decimal. Rounding moves value * 10^k by less than 0.25, so no other m can be the value's. */
static int digits_of(double value, bool *reads_back)
{
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int scale = value >= 1e-8 && value < 1e15 ? 14 - (int)floor(log10(value)) : -1;
    const double whole = scale >= 0 && scale <= 22 ? nearbyint(value * powers[scale]) : 0.0;
    *reads_back = whole >= 1e14 && whole < 1e15 && whole / powers[scale] == value;
    return *reads_back || whole < 1e14 || whole >= 1e15 ? 15 : 16;
}

char *dse_number_shortest(char *buffer, size_t size, double value)
{
    bool reads_back;
    for (int digits = digits_of(value, &reads_back); digits <= 17; digits++) {
        snprintf(buffer, size, "%.*g", digits, value);
        if (reads_back || strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}
