/* The registries of the program with the toy, in place of the library's own; and the toy's knobs. */
#include "models/described/described.h"
#include "models/hydraf/executor/model.h"
#include "models/nysx/executor/nysx.h"
#include "models/hydraf/hydraf.h"
#include "models/nysx/nysx.h"
#include "tests/toy/toy.h"

const struct dse_model_files dse_model_files = {dse_described_open, dse_described_read, dse_described_latest};

const struct dse_executor *const dse_executor_registry[] = {&nysx_executor, &hydraf_executor, &toy_executor, NULL};

const struct dse_model_family *const dse_model_registry[] = {&nysx_model_family, &hydraf_model_family, &toy_model_family, NULL};

static const struct dse_knob declared[] = {
    DSE_KNOB_ROW(TOY_TERMS, "terms", ALGORITHMIC, "inputs of the line, at most", DSE_WHOLE(1, 64, 4), DSE_SWEEP(1, 2, 3, 4),
                 .shapes_work = true),
    DSE_KNOB_ROW(TOY_LANES, "lanes", HARDWARE, "multipliers", DSE_WHOLE(1, 64, 2), DSE_SWEEP(1, 2, 4, 8)),
    DSE_KNOB_ROW(TOY_BUFFERS, "buffers", HARDWARE, "rows that wait before the multipliers", DSE_WHOLE(1, 8, 1), DSE_POWERS_OF_TWO),
    DSE_KNOB_ROW(TOY_UNITS, "units", HARDWARE, "compute units", DSE_WHOLE(1, 4, 1)),
    DSE_KNOB_ROW(TOY_CLOCK_MHZ, "clock_mhz", HARDWARE, "clock", DSE_WHOLE(50, 500, 200), DSE_SWEEP(100, 200), .unit = "MHz"),
};
static const char *const presets[] = {"paper", NULL};

#define K(id) DSE_KNOB_BIT(TOY_##id)
static const struct dse_knob_uses uses[] = {
    DSE_CONSUMES(SIMULATION, K(LANES) | K(CLOCK_MHZ)),
    DSE_UNAFFECTED(SIMULATION, K(BUFFERS), "rows come one by one"),
    DSE_UNAFFECTED(SIMULATION, K(UNITS), "units raise throughput only"),
    DSE_CONSUMES(HLS, K(LANES)),
    DSE_UNAFFECTED(HLS, K(BUFFERS) | K(UNITS) | K(CLOCK_MHZ), "the header says nothing of what waits, nor how fast"),
};

const struct dse_knobs toy_knobs = {"toy", declared, TOY_KNOB_COUNT, presets, uses, sizeof uses / sizeof *uses, NULL};
