/* A comparison of machines (explore/compare.h), as a table, CSV and JSON. */
#pragma once

#include <jansson.h>

#include "core/strbuf.h"
#include "explore/compare.h"

void dse_compare_write(const struct dse_compared_machines *comparison, size_t width, struct dse_strbuf *out);
void dse_compare_csv(const struct dse_compared_machines *comparison, struct dse_strbuf *out);

/* The rows as a JSON array. */
json_t *dse_compare_json(const struct dse_compared_machines *comparison);
