#include "models/hydraf/knobs.h"

static const struct dse_knob declared[] = {
#define KNOB(id, ...) DSE_KNOB_ROW(HYDRAF_##id, __VA_ARGS__),
#include "models/hydraf/table.def"
#undef KNOB
};

static const char *const presets[] = {"paper", "literal", NULL};

#define K(id) DSE_KNOB_BIT(HYDRAF_##id)
static const struct dse_knob_uses uses[] = {
    DSE_CONSUMES(SIMULATION, K(PRECISION) | K(CHUNK) | K(PIPELINED) | K(UPDATE) | K(ENCODING) | K(ENCODER_FEATURES) | K(AXI_BITS) | K(TASK) | K(CLOCK_MHZ)),
    DSE_UNAFFECTED(SIMULATION, K(SHARING), "each regression hypervector is updated, with any share"),
    DSE_UNAFFECTED(SIMULATION, K(UNITS), "units share no row: they raise throughput only"),
    DSE_CONSUMES(HLS, K(PRECISION) | K(SHARING) | K(CHUNK) | K(PIPELINED) | K(UPDATE) | K(ENCODING) | K(ENCODER_FEATURES) | K(AXI_BITS) |
                      K(UNITS) | K(CLOCK_MHZ)),
    DSE_UNAFFECTED(HLS, K(TASK), "one accelerator serves all tasks"),
};

const struct dse_knobs hydraf_knobs = {"hydraf", declared, HYDRAF_KNOB_COUNT, presets, uses, sizeof uses / sizeof *uses, NULL};
