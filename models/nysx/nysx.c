/* The NysX family: its knobs and blocks. */
#include "models/nysx/nysx.h"

static const char *const samplings[] = {"uniform", "dpp", NULL};
static const char *const propagations[] = {"A", "row-normalised", NULL};
static const char *const features[] = {"labels", "attributes", "both", NULL};
static const char *const codes[] = {"scalar", "tuple", NULL};
static const char *const directions[] = {"cauchy", "gauss", NULL};
static const char *const loops[] = {"float", "quantised", NULL};
static const char *const lshu_balances[] = {"none", "ps", "pl", NULL};
static const char *const gammas[] = {"1", "1.5", "2", "4", NULL};
static const char *const kse_balances[] = {"none", "static", NULL};
static const char *const forms[] = {"streamed", "resident", "factored", NULL};
static const char *const precisions[] = {"fp32", "fp16", "bf16", "int16", "int8", "int4", "binary", NULL};
static const char *const generators[] = {"uniform8", "bits8", "sign", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const phi_bits[] = {"8", "16", "32", "fp32", NULL};
static const char *const prototype_bits[] = {"1", "2", "4", "8", "32", NULL};
static const char *const one_all[] = {"one", "all", NULL};
static const char *const big_places[] = {"bram", "uram", NULL};
static const char *const places[] = {"bram", "uram", "lutram", NULL};
static const char *const places_or_ddr[] = {"bram", "uram", "lutram", "ddr", NULL};
static const char *const capacities[] = {"p99", "max", NULL};

static const struct dse_knob_declaration knobs[NYSX_KNOB_COUNT] = {
    [NYSX_LANDMARKS] = {"landmarks", DSE_KNOB_INTEGER, NULL},
    [NYSX_SAMPLING] = {"sampling", DSE_KNOB_CHOICE, samplings},
    [NYSX_POOL] = {"pool", DSE_KNOB_INTEGER, NULL},
    [NYSX_DIM] = {"dim", DSE_KNOB_INTEGER, NULL},
    [NYSX_HOPS] = {"hops", DSE_KNOB_INTEGER, NULL},
    [NYSX_WIDTH] = {"width", DSE_KNOB_DECIMAL, NULL},
    [NYSX_PROPAGATION] = {"propagation", DSE_KNOB_CHOICE, propagations},
    [NYSX_FEATURES] = {"features", DSE_KNOB_CHOICE, features},
    [NYSX_CODES] = {"codes", DSE_KNOB_CHOICE, codes},
    [NYSX_LSH] = {"lsh", DSE_KNOB_CHOICE, directions},
    [NYSX_RETRAIN] = {"retrain", DSE_KNOB_INTEGER, NULL},
    [NYSX_RETRAIN_LOOP] = {"retrain.loop", DSE_KNOB_CHOICE, loops},
    [NYSX_LSHU_PE] = {"lshu.pe", DSE_KNOB_INTEGER, NULL},
    [NYSX_LSHU_BALANCE] = {"lshu.balance", DSE_KNOB_CHOICE, lshu_balances},
    [NYSX_MPHE_LOOKUPS] = {"mphe.lookups", DSE_KNOB_INTEGER, NULL},
    [NYSX_MPHE_GAMMA] = {"mphe.gamma", DSE_KNOB_CHOICE, gammas},
    [NYSX_HUE_PE] = {"hue.pe", DSE_KNOB_INTEGER, NULL},
    [NYSX_KSE_PE] = {"kse.pe", DSE_KNOB_INTEGER, NULL},
    [NYSX_KSE_BALANCE] = {"kse.balance", DSE_KNOB_CHOICE, kse_balances},
    [NYSX_NEE_FORM] = {"nee.form", DSE_KNOB_CHOICE, forms},
    [NYSX_NEE_PRECISION] = {"nee.precision", DSE_KNOB_CHOICE, precisions},
    [NYSX_NEE_GENERATOR] = {"nee.generator", DSE_KNOB_CHOICE, generators},
    [NYSX_NEE_CENTER] = {"nee.center", DSE_KNOB_CHOICE, no_yes},
    [NYSX_NEE_PHI_BITS] = {"nee.phi_bits", DSE_KNOB_CHOICE, phi_bits},
    [NYSX_NEE_LANES] = {"nee.lanes", DSE_KNOB_INTEGER, NULL},
    [NYSX_NEE_MEMORY] = {"nee.memory", DSE_KNOB_INTEGER, NULL},
    [NYSX_NEE_PORTS] = {"nee.ports", DSE_KNOB_INTEGER, NULL},
    [NYSX_NEE_PORT_BITS] = {"nee.port_bits", DSE_KNOB_INTEGER, NULL},
    [NYSX_NEE_OUTSTANDING] = {"nee.outstanding", DSE_KNOB_INTEGER, NULL},
    [NYSX_NEE_FIFO_DEPTH] = {"nee.fifo_depth", DSE_KNOB_INTEGER, NULL},
    [NYSX_SCE_PROTOTYPE_BITS] = {"sce.prototype_bits", DSE_KNOB_CHOICE, prototype_bits},
    [NYSX_SCE_PE] = {"sce.pe", DSE_KNOB_CHOICE, one_all},
    [NYSX_SCE_BITS] = {"sce.bits", DSE_KNOB_INTEGER, NULL},
    [NYSX_PLACE_P] = {"place.p", DSE_KNOB_CHOICE, big_places},
    [NYSX_PLACE_H] = {"place.h", DSE_KNOB_CHOICE, places_or_ddr},
    [NYSX_PLACE_CODEBOOK] = {"place.codebook", DSE_KNOB_CHOICE, places},
    [NYSX_PLACE_PROTOTYPES] = {"place.prototypes", DSE_KNOB_CHOICE, places},
    [NYSX_CAPACITY] = {"capacity", DSE_KNOB_CHOICE, capacities},
    [NYSX_UNITS] = {"units", DSE_KNOB_INTEGER, NULL},
    [NYSX_CLOCK_MHZ] = {"clock_mhz", DSE_KNOB_INTEGER, NULL},
};

static const char *const stages[NYSX_STAGE_COUNT] = {
    [NYSX_STAGE_QUERY] = "query",         [NYSX_STAGE_PROPAGATE] = "propagate",
    [NYSX_STAGE_LOOKUP] = "lookup",       [NYSX_STAGE_HISTOGRAM] = "histogram",
    [NYSX_STAGE_SIMILARITY] = "similarity", [NYSX_STAGE_ENCODE] = "encode",
    [NYSX_STAGE_CLASSIFY] = "classify"};

/* The algorithmic knobs that decide what the graphs, codebooks and histograms look like. */
#define SHAPES_WORK                                                                                    \
    (DSE_KNOB_BIT(NYSX_LANDMARKS) | DSE_KNOB_BIT(NYSX_SAMPLING) | DSE_KNOB_BIT(NYSX_POOL) |             \
     DSE_KNOB_BIT(NYSX_HOPS) | DSE_KNOB_BIT(NYSX_WIDTH) | DSE_KNOB_BIT(NYSX_PROPAGATION) |              \
     DSE_KNOB_BIT(NYSX_FEATURES) | DSE_KNOB_BIT(NYSX_CODES) | DSE_KNOB_BIT(NYSX_LSH))

#define CLOCK DSE_KNOB_BIT(NYSX_CLOCK_MHZ)
#define CAPACITY DSE_KNOB_BIT(NYSX_CAPACITY)

enum engine { ENGINE_LSHU, ENGINE_MPHE, ENGINE_HUE, ENGINE_KSE, ENGINE_NEE, ENGINE_SCE, ENGINE_SHELL, ENGINE_COUNT };

static const struct dse_engine engines[ENGINE_COUNT] = {
    [ENGINE_LSHU] = {"lshu", "Locality Sensitive Hashing Unit"},
    [ENGINE_MPHE] = {"mphe", "Minimal Perfect Hashing Engine"},
    [ENGINE_HUE] = {"hue", "Histogram Update Engine"},
    [ENGINE_KSE] = {"kse", "Kernel Similarity Engine"},
    [ENGINE_NEE] = {"nee", "Nyström Encoding Engine"},
    [ENGINE_SCE] = {"sce", "Similarity and Classification Engine"},
    [ENGINE_SHELL] = {"shell", "Control and query port"}};

static const struct dse_block blocks[] = {
    {"query", ENGINE_LSHU, false,
     SHAPES_WORK | CLOCK | CAPACITY | DSE_KNOB_BIT(NYSX_LSHU_PE) | DSE_KNOB_BIT(NYSX_LSHU_BALANCE),
     nysx_account_query},
    {"lshu", ENGINE_LSHU, false,
     SHAPES_WORK | CLOCK | CAPACITY | DSE_KNOB_BIT(NYSX_LSHU_PE) | DSE_KNOB_BIT(NYSX_LSHU_BALANCE),
     nysx_account_lshu},
    {"mphe", ENGINE_MPHE, false,
     SHAPES_WORK | CLOCK | DSE_KNOB_BIT(NYSX_MPHE_LOOKUPS) | DSE_KNOB_BIT(NYSX_MPHE_GAMMA),
     nysx_account_mphe},
    {"codebook", ENGINE_MPHE, false,
     SHAPES_WORK | CLOCK | DSE_KNOB_BIT(NYSX_MPHE_LOOKUPS) | DSE_KNOB_BIT(NYSX_PLACE_CODEBOOK),
     nysx_account_codebook},
    {"hue", ENGINE_HUE, false, SHAPES_WORK | CLOCK | CAPACITY | DSE_KNOB_BIT(NYSX_HUE_PE),
     nysx_account_hue},
    {"histograms", ENGINE_HUE, false,
     SHAPES_WORK | CLOCK | CAPACITY | DSE_KNOB_BIT(NYSX_HUE_PE) | DSE_KNOB_BIT(NYSX_KSE_PE),
     nysx_account_histograms},
    {"kse", ENGINE_KSE, false,
     SHAPES_WORK | CLOCK | DSE_KNOB_BIT(NYSX_KSE_PE) | DSE_KNOB_BIT(NYSX_KSE_BALANCE) |
         DSE_KNOB_BIT(NYSX_PLACE_H),
     nysx_account_kse},
    {"nee", ENGINE_NEE, false,
     SHAPES_WORK | CLOCK | DSE_KNOB_BIT(NYSX_DIM) | DSE_KNOB_BIT(NYSX_NEE_FORM) |
         DSE_KNOB_BIT(NYSX_NEE_PRECISION) | DSE_KNOB_BIT(NYSX_NEE_GENERATOR) |
         DSE_KNOB_BIT(NYSX_NEE_CENTER) | DSE_KNOB_BIT(NYSX_NEE_PHI_BITS) | DSE_KNOB_BIT(NYSX_NEE_LANES) |
         DSE_KNOB_BIT(NYSX_PLACE_P),
     nysx_account_nee},
    {"port", ENGINE_NEE, true,
     SHAPES_WORK | CLOCK | DSE_KNOB_BIT(NYSX_DIM) | DSE_KNOB_BIT(NYSX_NEE_FORM) |
         DSE_KNOB_BIT(NYSX_NEE_PRECISION) | DSE_KNOB_BIT(NYSX_NEE_MEMORY) | DSE_KNOB_BIT(NYSX_NEE_PORTS) |
         DSE_KNOB_BIT(NYSX_NEE_PORT_BITS) | DSE_KNOB_BIT(NYSX_NEE_OUTSTANDING) |
         DSE_KNOB_BIT(NYSX_NEE_FIFO_DEPTH),
     nysx_account_port},
    {"sce", ENGINE_SCE, false,
     SHAPES_WORK | CLOCK | DSE_KNOB_BIT(NYSX_DIM) | DSE_KNOB_BIT(NYSX_SCE_PROTOTYPE_BITS) |
         DSE_KNOB_BIT(NYSX_SCE_PE) | DSE_KNOB_BIT(NYSX_SCE_BITS) | DSE_KNOB_BIT(NYSX_PLACE_PROTOTYPES),
     nysx_account_sce},
    {"control", ENGINE_SHELL, false, CLOCK, nysx_account_control},
};

const struct dse_model_family nysx_model_family = {
    .name = "nysx",
    .title = "NysX: Nyström hyperdimensional graph classification",
    .board = "zcu104",
    .knobs = knobs,
    .knob_count = NYSX_KNOB_COUNT,
    .clock_knob = NYSX_CLOCK_MHZ,
    .units_knob = NYSX_UNITS,
    .stages = stages,
    .stage_count = NYSX_STAGE_COUNT,
    .engines = engines,
    .engine_count = ENGINE_COUNT,
    .blocks = blocks,
    .block_count = sizeof blocks / sizeof *blocks,
    .shapes_work = SHAPES_WORK,
    .prepare = nysx_work_prepare,
    .release = nysx_work_release,
    .quantity = nysx_quantity,
    .hardware = nysx_hardware,
};
