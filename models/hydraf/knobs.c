#include "models/hydraf/knobs.h"

static const struct dse_knob declared[] = {
#define KNOB(id, ...) DSE_KNOB_ROW(HYDRAF_##id, __VA_ARGS__),
#include "models/hydraf/table.def"
#undef KNOB
};

static const char *const presets[] = {"paper", "literal", NULL};

const struct dse_knobs hydraf_knobs = {"hydraf", declared, HYDRAF_KNOB_COUNT, presets};
