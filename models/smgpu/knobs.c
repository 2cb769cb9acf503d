#include "models/smgpu/knobs.h"

static const struct dse_knob declared[] = {
#define KNOB(id, ...) DSE_KNOB_ROW(SMGPU_KNOB_##id, __VA_ARGS__),
#include "models/smgpu/table.def"
#undef KNOB
};

static const char *const presets[] = {"paper", "small", "large", NULL};

#define K(id) DSE_KNOB_BIT(SMGPU_KNOB_##id)
#define MACHINE (K(PAYLOAD) | K(BUFFER) | K(CHANNELS) | K(CHAINED) | K(LATENCIES))
static const struct dse_knob_uses uses[] = {
    DSE_CONSUMES(SIMULATION, K(DIM) | K(REDUCED) | K(ORDER) | K(ROWS) | K(BANKS) | K(MESH) | MACHINE | K(CLOCK_MHZ)),
    DSE_UNAFFECTED(SIMULATION, K(HD_MEMORY), "BRAM and URAM of the vectors are read in the same number of cycles"),
    DSE_UNAFFECTED(SIMULATION, K(TILES), "the task has no crossbar instruction; other programs may have one"),
    DSE_UNAFFECTED(SIMULATION, K(QUEUE), "the task's instructions never fill the queue; other programs may fill it"),
    DSE_UNAFFECTED(SIMULATION, K(ENTRIES) | K(NODES), "only a limit: the work depends on the model's entries and the graph's nodes"),
    DSE_UNAFFECTED(SIMULATION, K(PRECISION), "words have 32 bits in both cases"),
    DSE_UNAFFECTED(SIMULATION, K(UNITS), "units raise throughput only"),
    /* `simulate` gives the same result for both flows: the SystemVerilog engines take the cycles that it counts. */
    DSE_CONSUMES(RTL_SIMULATION, K(DIM) | K(REDUCED) | K(ORDER) | K(ROWS) | K(BANKS) | K(MESH) | MACHINE | K(CLOCK_MHZ)),
    DSE_UNAFFECTED(RTL_SIMULATION, K(HD_MEMORY), "BRAM and URAM of the vectors are read in the same number of cycles"),
    DSE_UNAFFECTED(RTL_SIMULATION, K(TILES) | K(QUEUE), "the task has no instruction of the crossbar and never fills the queue"),
    DSE_UNAFFECTED(RTL_SIMULATION, K(ENTRIES) | K(NODES), "only a limit: the work depends on the model's entries and the graph's nodes"),
    DSE_UNAFFECTED(RTL_SIMULATION, K(PRECISION), "words have 32 bits in both cases"),
    DSE_UNAFFECTED(RTL_SIMULATION, K(UNITS), "units raise throughput only"),
    DSE_CONSUMES(RTL, K(DIM) | K(ENTRIES) | K(REDUCED) | K(NODES) | K(ROWS) | K(BANKS) | K(CLOCK_MHZ)),
    DSE_REJECTS(RTL, K(LATENCIES)),
    DSE_UNAFFECTED(RTL, K(PRECISION) | K(ORDER), "set by each instruction"),
    DSE_UNAFFECTED(RTL, K(HD_MEMORY), "synthesis chooses the memory of the vectors by size"),
    DSE_UNAFFECTED(RTL, K(MESH) | K(PAYLOAD) | K(BUFFER) | K(CHANNELS) | K(CHAINED) | K(TILES) | K(QUEUE),
                   "the engines have one port, without mesh, HBM, crossbar and queue"),
    DSE_UNAFFECTED(RTL, K(UNITS), "the RTL has one unit"),
    DSE_CONSUMES(HLS, K(DIM) | K(ENTRIES) | K(REDUCED) | K(NODES) | K(ROWS) | K(BANKS) | K(MESH)),
    DSE_UNAFFECTED(HLS, MACHINE | K(PRECISION) | K(ORDER) | K(HD_MEMORY) | K(TILES) | K(QUEUE) | K(UNITS) | K(CLOCK_MHZ),
                   "the header has only sizes and a port: no source that reads more is emitted"),
};

const struct dse_knobs smgpu_knobs = {"smgpu", declared, SMGPU_KNOB_COUNT, presets, uses, sizeof uses / sizeof *uses, NULL};
