/* Numbers as people type them: decimal, the whole text and nothing else ("5", "-0.5", "1e-3"; neither "0x10" nor " 5"
 * nor "nan"), read alike by options, settings and knobs. */
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

/* The same with an optional fraction and exponent; what is too small for a double is 0. */
enum dse_number_found dse_number_real(const char *text, double *value);

/* How many characters at the start of `text` are a decimal number; 0 where none begins there. */
size_t dse_number_length(const char *text);

/* The shortest decimal without an exponent that reads back as the same finite number. Returns `buffer`; 400 characters
 * hold any. */
char *dse_number_format(char *buffer, size_t size, double value);

/* The same with an exponent where that is shorter, as C's %g writes it; 32 characters hold any. */
char *dse_number_shortest(char *buffer, size_t size, double value);
