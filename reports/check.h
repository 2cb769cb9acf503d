/* The findings of the checker of an accelerator's source. */
#pragma once

#include <jansson.h>

#include "core/strbuf.h"
#include "reports/format.h"

/* The report of dse_check_run() as a table of loops with what is wrong under it, or as it is (JSON). */
void dse_check_write(json_t *report, enum dse_format format, struct dse_strbuf *out);
