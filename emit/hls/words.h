/* Names and texts as C, Tcl and configuration files can hold them. */
#ifndef DSE_EMIT_HLS_WORDS_H
#define DSE_EMIT_HLS_WORDS_H

#include "core/strbuf.h"

/* Appends a name as part of a macro: letters in upper case, everything but letters and digits as '_'. */
void dse_words_macro(struct dse_strbuf *out, const char *name);

/* Appends a text that may stand in a comment or behind "=": what is no ASCII letter, digit or one of " ._+-:,()"
 * becomes "_", so that it never ends a line, a comment or a quotation. */
void dse_words_plain(struct dse_strbuf *out, const char *text);

/* Appends a text as a literal of C, C++, Python and JSON alike, quotation marks around it: what is no printable ASCII is
 * "?". */
void dse_words_literal(struct dse_strbuf *out, const char *text);

#endif
