#include "models/hdreason/knobs.h"

static const struct dse_knob declared[] = {
#define KNOB(id, ...) DSE_KNOB_ROW(HDR_##id, __VA_ARGS__),
#include "models/hdreason/table.def"
#undef KNOB
};

static const char *const presets[] = {"paper", "literal", NULL};

#define K(id) DSE_KNOB_BIT(HDR_##id)
#define ENGINES (K(IPS) | K(LANE_WIDTH) | K(ENCODER) | K(SCORE_LANES) | K(CHUNK) | K(TRAIN_PRODUCTS))
#define TRAINED (K(DIM) | K(EMBEDDING) | K(BATCH) | K(DIRECTION) | K(PRECISION) | K(KEPT_DIMS))
#define POLICIES (K(POLICY) | K(SCHEDULE) | K(REUSE) | K(BACKWARD) | K(CHANNELS) | K(AXI) | K(TASK))
static const struct dse_knob_uses uses[] = {
    DSE_CONSUMES(SIMULATION, TRAINED | ENGINES | POLICIES | K(CACHE) | K(CLOCK_MHZ)),
    DSE_UNAFFECTED(SIMULATION, K(UNITS), "units raise throughput only"),
    DSE_CONSUMES(HLS, K(DIM) | K(EMBEDDING) | K(IPS) | K(LANE_WIDTH) | K(ENCODER) | K(CACHE) | K(BATCH) | K(DIRECTION) | K(PRECISION) | K(KEPT_DIMS) | K(SCORE_LANES) | K(CHANNELS) | K(AXI) | K(TASK) | K(UNITS) | K(CLOCK_MHZ) | K(CHUNK) | K(TRAIN_PRODUCTS) | K(BACKWARD)),
    DSE_UNAFFECTED(HLS, K(POLICY) | K(SCHEDULE), "the host's scheduler decides what is asked for and what the cache keeps"),
    DSE_UNAFFECTED(HLS, K(REUSE), "the emitted source encodes each vertex once"),
};

const struct dse_knobs hdreason_knobs = {"hdreason", declared, HDR_KNOB_COUNT, presets, uses, sizeof uses / sizeof *uses, "backward=after"};
