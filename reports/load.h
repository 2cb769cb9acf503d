/* Latency under load (explore/load.h), as text and JSON. */
#pragma once

#include <jansson.h>

#include "core/strbuf.h"
#include "devices/board.h"
#include "explore/load.h"

/* `items`: their name. */
void dse_load_write(const struct dse_load_result *result, const struct dse_host *host, const char *items, struct dse_strbuf *out);
json_t *dse_load_json(const struct dse_load_result *result);
