#include "models/smgpu/knobs.h"

static const struct dse_knob declared[] = {
#define KNOB(id, ...) DSE_KNOB_ROW(SMGPU_KNOB_##id, __VA_ARGS__),
#include "models/smgpu/table.def"
#undef KNOB
};

static const char *const presets[] = {"paper", "small", "large", NULL};

const struct dse_knobs smgpu_knobs = {"smgpu", declared, SMGPU_KNOB_COUNT, presets};
