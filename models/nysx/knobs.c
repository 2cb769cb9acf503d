#include "models/nysx/knobs.h"

static const struct dse_knob declared[] = {
#define KNOB(id, ...) DSE_KNOB_ROW(NYSX_##id, __VA_ARGS__),
#include "models/nysx/table.def"
#undef KNOB
};

static const char *const presets[] = {"literal", "paper", "best", "graphhd", NULL};

#define K(id) DSE_KNOB_BIT(NYSX_##id)
#define ENGINES (K(LSHU_PE) | K(MPHE_LOOKUPS) | K(MPHE_GAMMA) | K(HUE_PE) | K(KSE_PE) | K(KSE_BALANCE) | K(NEE_LANES) | K(NEE_CODES) | \
                 K(SCE_PE) | K(SCE_BITS))
#define BURSTS (K(NEE_MEMORY) | K(NEE_PORT_BITS) | K(NEE_OUTSTANDING) | K(NEE_FIFO_DEPTH))
#define STREAM (K(NEE_PORTS) | BURSTS)
#define PLACES (K(PLACE_H) | K(PLACE_CODEBOOK) | K(PLACE_PROTOTYPES))
#define TRAINED (K(NEE_FORM) | K(PROTOTYPES) | K(NEE_CENTER) | K(SCE_PROTOTYPE_BITS))
#define FACTORS (K(NEE_PRECISION) | K(NEE_PHI_BITS))
#define WEIGHTS_BESIDE "codes add their weights while the lanes take them in the first round"
#define UNITS_ALIKE "units raise throughput only"
static const struct dse_knob_uses uses[] = {
    DSE_CONSUMES(SIMULATION, TRAINED | FACTORS | ENGINES | STREAM | K(LSHU_BALANCE) | K(NEE_MERGE) | K(PLACE_H) | K(PLACE_CODEBOOK) | K(CAPACITY) |
                             K(CLOCK_MHZ)),
    DSE_REJECTS(SIMULATION, K(OVERLAP)),
    DSE_UNAFFECTED(SIMULATION, K(PLACE_P) | K(PLACE_PROTOTYPES), "each memory is read in the same number of cycles"),
    DSE_UNAFFECTED(SIMULATION, K(NEE_GENERATOR) | K(NEE_CENTER_BITS), "numbers of the model, in as many words"),
    DSE_UNAFFECTED(SIMULATION, K(NEE_TABLE), WEIGHTS_BESIDE),
    DSE_UNAFFECTED(SIMULATION, K(UNITS), UNITS_ALIKE),
    DSE_CONSUMES(HLS, TRAINED | FACTORS | K(NEE_GENERATOR) | K(NEE_CENTER_BITS) | ENGINES | STREAM | PLACES | K(PLACE_P) | K(LSHU_BALANCE) |
                      K(NEE_MERGE) | K(NEE_TABLE) | K(OVERLAP) | K(CAPACITY) | K(UNITS) | K(CLOCK_MHZ)),
    DSE_CONSUMES(RTL_SIMULATION, K(PROTOTYPES) | K(SCE_PROTOTYPE_BITS) | K(NEE_FORM) | K(NEE_PRECISION) | K(NEE_GENERATOR) | K(NEE_CENTER) | ENGINES |
                                 BURSTS | K(LSHU_BALANCE) | K(CAPACITY) | K(CLOCK_MHZ)),
    DSE_REJECTS(RTL_SIMULATION, K(OVERLAP) | K(NEE_PORTS) | K(NEE_PHI_BITS) | K(NEE_MERGE) | K(PLACE_P) | PLACES),
    DSE_UNAFFECTED(RTL_SIMULATION, K(NEE_CENTER_BITS), "numbers of the model, in as many words"),
    DSE_UNAFFECTED(RTL_SIMULATION, K(NEE_TABLE), WEIGHTS_BESIDE),
    DSE_UNAFFECTED(RTL_SIMULATION, K(UNITS), "the RTL has one unit"),
    DSE_CONSUMES(RTL, K(NEE_FORM) | FACTORS | K(NEE_GENERATOR) | K(PROTOTYPES) | K(NEE_CENTER) | K(NEE_CENTER_BITS) | K(NEE_TABLE) | K(SCE_PROTOTYPE_BITS) |
                      ENGINES | BURSTS | PLACES | K(OVERLAP) | K(CAPACITY) | K(CLOCK_MHZ)),
    DSE_REJECTS(RTL, K(NEE_PORTS) | K(LSHU_BALANCE) | K(NEE_MERGE) | K(PLACE_P)),
    DSE_UNAFFECTED(RTL, K(UNITS), "the RTL has one unit"),
};

const struct dse_knobs nysx_knobs = {"nysx", declared, NYSX_KNOB_COUNT, presets, uses, sizeof uses / sizeof *uses, NULL};

const char *nysx_table_rejected(int64_t table, int64_t prototypes, int64_t prototype_bits)
{
    if (table == 0 || (prototypes == NYSX_RIDGE && prototype_bits != 32))
        return NULL;
    return prototypes != NYSX_RIDGE ? "nee.table: its weights are fitted together with the prototypes: must be none, or prototypes=ridge"
                                    : "nee.table: its weights are whole numbers: must be none, or sce.prototype_bits must be 1 to 8";
}

const char *nysx_rejected(const struct dse_config *config)
{
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT && config->value[NYSX_NEE_TABLE] != 0) {
        int64_t bits = (int64_t)dse_knob_number(&nysx_knobs.knobs[NYSX_SCE_PROTOTYPE_BITS], config->value[NYSX_SCE_PROTOTYPE_BITS]);
        const char *rejected = nysx_table_rejected(config->value[NYSX_NEE_TABLE], config->value[NYSX_PROTOTYPES], bits);
        if (rejected != NULL)
            return rejected;
    }
#define REJECTED(word) "overlap=" word ": only the direct form overlaps the steps of graphs; must be none or queue"
    static const char *const rejected[] = {[NYSX_OVERLAP_ENGINES] = REJECTED("engines"), [NYSX_OVERLAP_GRAPHS] = REJECTED("graphs")};
    return config->value[NYSX_OVERLAP] >= NYSX_OVERLAP_ENGINES && config->value[NYSX_NEE_FORM] != NYSX_DIRECT ? rejected[config->value[NYSX_OVERLAP]] : NULL;
}

const int64_t nysx_p_bits[] = {32, 16, 16, 16, 8, 4, 1};
const int64_t nysx_p_exponent_bits[] = {8, 5, 8, 0, 0, 0, 0};

int64_t nysx_rtl_slots(const struct dse_config *config)
{
    return nysx_p_exponent_bits[config->value[NYSX_NEE_PRECISION]] > 0 ? NYSX_RTL_SLOTS : 1;
}

const char *nysx_rtl_port_rejected(const struct dse_config *config)
{
    int64_t depth = config->value[NYSX_NEE_FIFO_DEPTH];
    if (config->value[NYSX_NEE_FORM] != NYSX_STREAMED)
        return NULL;
    if (config->value[NYSX_NEE_PORTS] != 1)
        return "nee.ports: the RTL has one port to P_nys; must be 1";
    return depth < 16 || (depth & (depth - 1)) != 0 ? "nee.fifo_depth: the RTL's queue has a power of two of words, 16 or more" : NULL;
}

const char *nysx_rtl_steps_rejected(const struct dse_config *config)
{
    int64_t step = config->value[NYSX_NEE_LANES] * nysx_p_bits[config->value[NYSX_NEE_PRECISION]], word = config->value[NYSX_NEE_PORT_BITS];
    return config->value[NYSX_NEE_FORM] != NYSX_STREAMED || step % word == 0 || word % step == 0
               ? NULL
               : "nee.lanes, nee.port_bits: the bits of an element per lane must divide a word of the port in the RTL, or be divided by it";
}
