/* What is a character of UTF-8. */
#ifndef DSE_CORE_UTF8_H
#define DSE_CORE_UTF8_H

#include <stddef.h>

/* Bytes of the character at `at`, of which `left` bytes are there; 0 where it is none (RFC 3629). */
size_t dse_utf8_length(const unsigned char *at, size_t left);

#endif
