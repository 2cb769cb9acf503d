/* Knobs of a family, from their declarations: `sweep --describe`, docs/reference/knobs.md. */
#pragma once

#include "core/strbuf.h"
#include "models/model.h"
#include "reports/format.h"

/* Each knob with bounds, visited values and the blocks that read it, as a table of `width`, CSV or JSON. Also (not in CSV) the number of
 * configurations of the knobs in `free`. */
void dse_space_write(const struct dse_model_family *family, const struct dse_space *space, dse_knob_set free, enum dse_format format, size_t width,
                     struct dse_strbuf *out);
