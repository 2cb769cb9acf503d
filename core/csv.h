/* Fields of CSV, the same in every table that is written. */
#pragma once

#include "core/strbuf.h"

/* Appends one field of a line (RFC 4180), quoted where it needs it. A text that a spreadsheet would take for a formula, since it
 * begins with one of = + - @ and is neither a number ("-5", "+1e-3") nor that character alone, has a ' in front; characters that
 * are obeyed and not drawn (core/utf8.h) are escaped. */
void dse_csv_field(struct dse_strbuf *out, const char *text);
