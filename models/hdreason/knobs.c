#include "models/hdreason/knobs.h"

static const struct dse_knob declared[] = {
#define KNOB(id, ...) DSE_KNOB_ROW(HDR_##id, __VA_ARGS__),
#include "models/hdreason/table.def"
#undef KNOB
};

static const char *const presets[] = {"paper", "literal", NULL};

const struct dse_knobs hdreason_knobs = {"hdreason", declared, HDR_KNOB_COUNT, presets};
