/* Characters of UTF-8, and characters of names that must not reach a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/strbuf.h"

/* Bytes of the character at `at`, with `left` bytes available; 0 if it is none (RFC 3629). */
size_t dse_utf8_length(const unsigned char *at, size_t left);

/* The code of a character of `length` bytes, as from dse_utf8_length(); 0 for none. */
uint32_t dse_utf8_code(const unsigned char *at, size_t length);

#define DSE_UTF8_SHOWN 8 /* bytes that show a character, with the NUL */

/* The printable form of the character at the start of `text`. Characters that a terminal or an editor would act on become JSON escapes ("\u001b",
 * "\u202e"). These are controls (C0, DEL, C1), line separators, and marks of writing direction and byte order (U+061C, 200E, 200F, 202A to 202E, 2066
 * to 2069, FEFF). A byte that is not UTF-8 becomes "\xff"; other characters stay. Returns the number of bytes read; 0 at the end of the text. */
size_t dse_utf8_shown(const char *text, char shown[static DSE_UTF8_SHOWN]);

/* Appends a text in printable form; with `lines`, line ends stay. */
void dse_utf8_show(struct dse_strbuf *out, const char *text, bool lines);

/* Appends the printable form of the text's line with `offset`, and a caret below. At most 100 characters of the line, and nothing for an empty line
 * or if the message has no room. */
void dse_utf8_caret(const char *text, size_t offset, char *message, size_t size);
