/* Characters of UTF-8, and those that names may not bring to a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/strbuf.h"

/* Bytes of the character at `at`, of which `left` bytes are there; 0 where it is none (RFC 3629). */
size_t dse_utf8_length(const unsigned char *at, size_t left);

/* The code of a character of so many bytes, as dse_utf8_length() gives them; 0 of none. */
uint32_t dse_utf8_code(const unsigned char *at, size_t length);

#define DSE_UTF8_SHOWN 8 /* bytes that show a character, with the NUL */

/* The printable form of the character at the start of `text`. Characters that a terminal or an editor would act on become JSON escapes
 * ("\u001b", "\u202e"): controls (C0, DEL, C1), line separators, and marks of writing direction and byte order (U+061C, 200E,
 * 200F, 202A to 202E, 2066 to 2069, FEFF). A byte that is not UTF-8 becomes "\xff"; other characters stay. Returns
 * the number of bytes read; 0 at the end of the text. */
size_t dse_utf8_shown(const char *text, char shown[static DSE_UTF8_SHOWN]);

/* Appends a text as it is shown; the ends of lines stay where it consists of `lines`. */
void dse_utf8_show(struct dse_strbuf *out, const char *text, bool lines);

/* Appends the line of the text in which `offset` lies, as it is shown, and a caret below: at most 100 characters of it, and nothing of an
 * empty line or where the message has no room. */
void dse_utf8_caret(const char *text, size_t offset, char *message, size_t size);
