/* How well a described accelerator's fitted constants predict designs (`calibrate --designs`). */
#pragma once

#include <jansson.h>

#include "explore/designs.h"

void dse_designs_write(const struct dse_designs *designs, struct dse_strbuf *out);
void dse_designs_write_csv(const struct dse_designs *designs, struct dse_strbuf *out);
json_t *dse_designs_json(const struct dse_designs *designs);
