/* Protocol of `nysx-dse serve`: one line of JSON in, one line of JSON out. */
#pragma once

#include "core/strbuf.h"
#include "explore/oracle.h"

/* Answers one line (`length` bytes, without newline, NUL-terminated) with one line in `out`. A line that cannot be answered gives {"ok": false, "error"} and
 * changes nothing. Sets `closed` after {"op": "close"}. DSE_CANCELLED if the monitor ended an answer. */
enum dse_status dse_serve_line(struct dse_oracle *oracle, const char *line, size_t length, struct dse_strbuf *out, bool *closed,
                               struct dse_error *err);
