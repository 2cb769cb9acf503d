#include "core/number.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

__extension__ typedef unsigned __int128 uint128;

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

/* Decimal digits, `count` of them; the first stands for 10^exponent. */
struct decimal {
    uint64_t digits;
    int count, exponent;
};

#define EXACT_MIN 1e-10
#define EXACT_MAX 1e14

/* The fewest digits, from 15, by which "%.*g" reads back. A value m * 2^e times 10^k is m * 5^k / 2^s with s = −(e + k); in the range above m * 5^k
 * has at most 116 bits. The digits are the rounded quotient. They read back if they are nearer than half the distance to the next double:
 * 2 |digits * 2^s − m * 5^k| < 5^k. The next double below a power of two is half as far. */
static struct decimal decimal_of(double value)
{
    struct decimal out = {.count = 15, .exponent = (int)floor(log10(value) + 1e-12)}; /* may be one too high */
    uint64_t most = 1000000000000000, five = 1; /* 10^count, 5^k */
    int e;
    const uint64_t m = (uint64_t)ldexp(frexp(value, &e), 53);
    for (int k = out.count - 1 - out.exponent; k > 0; k--)
        five *= 5;
    for (; out.count <= 17; out.count++, most *= 10, five *= 5) {
        const int s = 53 - e - (out.count - 1 - out.exponent);
        const uint128 scaled = (uint128)m * five, unit = (uint128)1 << s, rest = scaled & (unit - 1);
        out.digits = (uint64_t)(scaled >> s);
        if (out.digits < most / 10) { /* one digit too few: repeats with the same count */
            out.exponent--;
            out.count--;
            most /= 10;
            continue;
        }
        const bool up = 2 * rest > unit || (2 * rest == unit && out.digits % 2 == 1);
        out.digits += up;
        if ((!up && m == (uint64_t)1 << 52 ? 4 : 2) * (up ? unit - rest : rest) < five)
            break;
    }
    if (out.digits == most) {
        out.digits /= 10;
        out.exponent++;
    }
    return out;
}

/* Writes it as "%g" does; returns the end. */
static char *print_decimal(char *out, struct decimal d)
{
    char digits[24];
    for (int i = d.count - 1; i >= 0; i--, d.digits /= 10)
        digits[i] = (char)('0' + d.digits % 10);
    while (d.count > 1 && digits[d.count - 1] == '0')
        d.count--;
    const int whole = d.exponent < -4 ? 1 : d.exponent + 1; /* digits before the point; may be negative */
    int i = 0;
    for (; i < whole; i++)
        *out++ = i < d.count ? digits[i] : '0';
    if (whole <= 0)
        *out++ = '0';
    if (d.count > whole)
        *out++ = '.';
    for (int zeros = whole; zeros < 0; zeros++)
        *out++ = '0';
    while (i < d.count)
        *out++ = digits[i++];
    if (d.exponent < -4) {
        *out++ = 'e';
        *out++ = '-';
        *out++ = (char)('0' + -d.exponent / 10);
        *out++ = (char)('0' + -d.exponent % 10);
    }
    *out = '\0';
    return out;
}

char *dse_number_shortest(char *buffer, size_t size, double value)
{
    char text[40], *end = text;
    if (value < 0.0)
        *end++ = '-';
    if (fabs(value) >= EXACT_MIN && fabs(value) < EXACT_MAX) {
        end = print_decimal(end, decimal_of(fabs(value)));
        const size_t length = (size_t)(end - text) < size ? (size_t)(end - text) : size - 1;
        memcpy(buffer, text, length);
        buffer[length] = '\0';
        return buffer;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, size, "%.*g", digits, value);
        if (value == 0.0 || strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}
