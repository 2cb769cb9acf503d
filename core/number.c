#include "core/number.h"

#include <errno.h>
#include <math.h>
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
    /* The least double needs 324 digits to its first that is not 0, and 16 more. */
    for (int decimals = 0; decimals <= 340; decimals++) {
        snprintf(buffer, size, "%.*f", decimals, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

/* Writes a positive number of at most 15 digits as "%.15g" does and returns 0, else the digits from which to try. Two exact doubles, m and 10^k,
 * divide to the double nearest to m / 10^k, and a double keeps any 15 digits. Rounding moves value * 10^k by less than 0.25, so no other m would do. */
static int write_short(char *buffer, size_t size, double value)
{
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    char digits[24];
    if (!(value >= 1e-8 && value < 1e15) || size < 32)
        return 15;
    int exponent = (int)floor(log10(value)), scale = 14 - exponent;
    if (scale < 0 || scale > 22) /* the logarithm was rounded to a whole number */
        return 15;
    double whole = nearbyint(value * powers[scale]);
    if (whole < 1e14 || whole >= 1e15)
        return 15;
    if (whole / powers[scale] != value)
        return 16;
    int64_t left = (int64_t)whole;
    int count = 15;
    for (; left % 10 == 0; count--)
        left /= 10;
    for (int i = count; i > 0; left /= 10)
        digits[--i] = (char)('0' + left % 10);
    char *out = buffer;
    int point = exponent < -4 ? 1 : exponent + 1; /* digits before the point */
    if (point <= 0)
        *out++ = '0';
    for (int i = point < 0 ? point : 0; i < count || i < point; i++) {
        if (i == point || (point <= 0 && out == buffer + 1))
            *out++ = '.';
        *out++ = i >= 0 && i < count ? digits[i] : '0';
    }
    *out = '\0';
    if (exponent < -4)
        memcpy(out, (char[]){'e', '-', '0', (char)('0' - exponent), '\0'}, 5);
    return 0;
}

char *dse_number_shortest(char *buffer, size_t size, double value)
{
    for (int digits = write_short(buffer, size, value); digits > 0 && digits <= 17; digits++) {
        snprintf(buffer, size, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}
