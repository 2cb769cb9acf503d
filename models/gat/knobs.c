#include "models/gat/knobs.h"

static const struct dse_knob declared[] = {
#define KNOB(id, ...) DSE_KNOB_ROW(GAT_##id, __VA_ARGS__),
#include "models/gat/table.def"
#undef KNOB
};

static const char *const presets[] = {"paper", "literal", NULL};

#define K(id) DSE_KNOB_BIT(GAT_##id)
static const struct dse_knob_uses uses[] = {
    DSE_CONSUMES(SIMULATION, K(APPROACH) | K(PES) | K(SUBGRAPHS) | K(RTL) | K(TASK) | K(CLOCK_MHZ)),
    DSE_UNAFFECTED(SIMULATION, K(H_MEMORY), "BRAM and URAM of h_data are read in the same number of cycles"),
    DSE_UNAFFECTED(SIMULATION, K(CAPACITY), "the machine runs one data set, whatever else its memories hold"),
    DSE_UNAFFECTED(SIMULATION, K(PRECISION), "an element of either width takes a cycle"),
    DSE_UNAFFECTED(SIMULATION, K(UNITS), "units raise throughput only"),
    DSE_CONSUMES(HLS, K(PRECISION) | K(APPROACH) | K(CAPACITY) | K(PES) | K(SUBGRAPHS) | K(H_MEMORY) | K(UNITS) | K(CLOCK_MHZ)),
    DSE_REJECTS(HLS, K(RTL)),
    DSE_UNAFFECTED(HLS, K(TASK), "one accelerator serves all tasks"),
};

const struct dse_knobs gat_knobs = {"gat", declared, GAT_KNOB_COUNT, presets, uses, sizeof uses / sizeof *uses, "rtl"};
