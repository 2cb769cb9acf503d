#include "models/nysx/knobs.h"

static const struct dse_knob declared[] = {
#define KNOB(id, ...) DSE_KNOB_ROW(NYSX_##id, __VA_ARGS__),
#include "models/nysx/table.def"
#undef KNOB
};

static const char *const presets[] = {"paper", "best", NULL};

const struct dse_knobs nysx_knobs = {"nysx", declared, NYSX_KNOB_COUNT, presets};
