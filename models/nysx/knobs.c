#include "models/nysx/knobs.h"

static const struct dse_knob declared[] = {
#define KNOB(id, ...) DSE_KNOB_ROW(NYSX_##id, __VA_ARGS__),
#include "models/nysx/table.def"
#undef KNOB
};

static const char *const presets[] = {"paper", "best", NULL};

#define K(id) DSE_KNOB_BIT(NYSX_##id)
#define ENGINES (K(LSHU_PE) | K(MPHE_LOOKUPS) | K(MPHE_GAMMA) | K(HUE_PE) | K(KSE_PE) | K(KSE_BALANCE) | K(NEE_LANES) | K(NEE_CODES) | \
                 K(SCE_PE) | K(SCE_BITS))
#define STREAM (K(NEE_MEMORY) | K(NEE_PORTS) | K(NEE_PORT_BITS) | K(NEE_OUTSTANDING) | K(NEE_FIFO_DEPTH))
#define PLACES (K(PLACE_H) | K(PLACE_CODEBOOK) | K(PLACE_PROTOTYPES))
#define NO_STREAM "the RTL has no streamed form"
#define UNITS_ALIKE "units raise throughput only"
static const struct dse_knob_uses uses[] = {
    DSE_CONSUMES(SIMULATION, ENGINES | STREAM | K(LSHU_BALANCE) | K(NEE_MERGE) | K(PLACE_H) | K(PLACE_CODEBOOK) | K(CAPACITY) |
                             K(CLOCK_MHZ)),
    DSE_UNAFFECTED(SIMULATION, K(PLACE_P) | K(PLACE_PROTOTYPES), "each memory is read in the same number of cycles"),
    DSE_UNAFFECTED(SIMULATION, K(UNITS), UNITS_ALIKE),
    DSE_CONSUMES(HLS, ENGINES | STREAM | PLACES | K(PLACE_P) | K(LSHU_BALANCE) | K(NEE_MERGE) | K(CAPACITY)),
    DSE_UNAFFECTED(RTL_MODEL, STREAM, NO_STREAM),
    DSE_CONSUMES(RTL_SIMULATION, ENGINES | K(LSHU_BALANCE) | K(CAPACITY) | K(CLOCK_MHZ)),
    DSE_REFUSES(RTL_SIMULATION, K(NEE_MERGE) | K(PLACE_P) | PLACES),
    DSE_UNAFFECTED(RTL_SIMULATION, STREAM, NO_STREAM),
    DSE_UNAFFECTED(RTL_SIMULATION, K(UNITS), UNITS_ALIKE),
    DSE_CONSUMES(RTL, ENGINES | PLACES | K(CAPACITY)),
    DSE_REFUSES(RTL, K(LSHU_BALANCE) | K(NEE_MERGE) | K(PLACE_P)),
    DSE_UNAFFECTED(RTL, STREAM, NO_STREAM),
};

const struct dse_knobs nysx_knobs = {"nysx", declared, NYSX_KNOB_COUNT, presets, uses, sizeof uses / sizeof *uses};
