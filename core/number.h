/* Numbers as people type them: decimal, the whole text and nothing else ("5", "-0.5", "1e-3"; neither "0x10" nor " 5" nor "nan"). Options, settings
 * and knobs read them alike. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum dse_number_found {
    DSE_NUMBER_READ,
    DSE_NUMBER_NONE, /* the text is no number of this kind */
    DSE_NUMBER_LARGE /* it is one, larger than the type can hold */
};

/* An optional sign and digits. */
enum dse_number_found dse_number_whole(const char *text, int64_t *value);

/* As dse_number_whole, with an optional fraction and exponent; a number too small for a double is 0. */
enum dse_number_found dse_number_real(const char *text, double *value);

/* The number of characters at the start of `text` that form a decimal number; 0 if none begins there. */
size_t dse_number_length(const char *text);

/* The shortest decimal without an exponent that reads back as the same finite number. Returns `buffer`; 400 characters suffice for any. */
char *dse_number_format(char *buffer, size_t size, double value);

/* As dse_number_format, with an exponent if that is shorter, as in C's %g; 32 characters suffice for any. */
char *dse_number_shortest(char *buffer, size_t size, double value);
