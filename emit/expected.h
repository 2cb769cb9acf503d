/* expected.json: which design an emitted folder holds, and what the models say of it; `calibrate --from` reads it back. */
#ifndef DSE_EMIT_EXPECTED_H
#define DSE_EMIT_EXPECTED_H

#include <jansson.h>

#include "core/strbuf.h"
#include "models/estimate.h"

struct dse_expected {
    const struct dse_setup *setup;
    const struct dse_estimate *estimate;
    const char *top, *flow, *dataset; /* "nysx_top", "hls" */
};

/* What either flow has: an object to which a flow adds its own. */
json_t *dse_expected_json(const struct dse_expected *design);

/* Its text; releases it. */
void dse_expected_write(json_t *root, struct dse_strbuf *out);

#endif
