/* Findings of the source checker. */
#pragma once

#include <jansson.h>

#include "core/strbuf.h"
#include "reports/format.h"

/* Writes the report of dse_check_run() as a table of loops followed by the findings, or as JSON. */
void dse_check_write(json_t *report, enum dse_format format, struct dse_strbuf *out);
