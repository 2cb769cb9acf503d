#include "models/gat/knobs.h"

static const struct dse_knob declared[] = {
#define KNOB(id, ...) DSE_KNOB_ROW(GAT_##id, __VA_ARGS__),
#include "models/gat/table.def"
#undef KNOB
};

static const char *const presets[] = {"paper", "literal", NULL};

const struct dse_knobs gat_knobs = {"gat", declared, GAT_KNOB_COUNT, presets};
