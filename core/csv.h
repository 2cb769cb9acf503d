/* Fields of CSV, the same in every table that is written. */
#pragma once

#include "core/strbuf.h"

/* Appends one field of a line (RFC 4180), quoted if necessary. A text that a spreadsheet would read as a formula gets a leading ': it
 * begins with one of = + - @, is no number ("-5", "+1e-3"), and is longer than that character. Control characters (core/utf8.h) are
 * escaped. */
void dse_csv_field(struct dse_strbuf *out, const char *text);
