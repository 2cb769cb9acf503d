/* Fields of CSV, for every table that is written. */
#pragma once

#include "core/strbuf.h"

/* Appends one field of a line (RFC 4180), quoted if necessary. A text that a spreadsheet would read as a formula gets a leading '. Such a text begins
 * with one of = + - @, has more characters, and is no number ("-5", "+1e-3"). Control characters (core/utf8.h) are escaped. */
void dse_csv_field(struct dse_strbuf *out, const char *text);
