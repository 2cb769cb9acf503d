/* The protocol of `nysx-dse serve`: a line of JSON in, a line of JSON out. */
#pragma once

#include "core/strbuf.h"
#include "explore/oracle.h"

/* Answers one line (`length` bytes, without its newline, a NUL behind) by one line in `out`. A line that cannot be answered gets {"ok": false, "error"} and
 * changes nothing. `closed` becomes true where the line was {"op": "close"}. DSE_CANCELLED where the monitor ended an answer. */
enum dse_status dse_serve_line(struct dse_oracle *oracle, const char *line, size_t length, struct dse_strbuf *out, bool *closed,
                               struct dse_error *err);
