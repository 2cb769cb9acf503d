/* Knobs of a family, from their declarations: `sweep --describe`, docs/reference/knobs.md. */
#pragma once

#include <jansson.h>

#include "core/strbuf.h"
#include "models/model.h"

/* Each knob with bounds, visited values and the blocks that read it, as a table of `width` or as an object. Also the number of configurations of the
 * knobs in `free`. */
void dse_space_write(const struct dse_model_family *family, const struct dse_space *space, dse_knob_set free, size_t width,
                     struct dse_strbuf *out);
json_t *dse_space_json(const struct dse_model_family *family, const struct dse_space *space, dse_knob_set free);
