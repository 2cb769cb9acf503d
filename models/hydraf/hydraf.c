/* The HyDRAF family: its knobs and blocks. */
#include "models/hydraf/hydraf.h"

static const char *const precisions[] = {"fp32", "int16", "int8", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const sharings[] = {"equal", "confidence", NULL};
static const char *const losses[] = {"plain", "relative", NULL};
static const char *const weights[] = {"one", "confidence", NULL};
static const char *const roundings[] = {"nearest", "stochastic", NULL};
static const char *const updates[] = {"coo", "dense", NULL};
static const char *const encodings[] = {"off-chip", "on-chip", NULL};
static const char *const tasks[] = {"infer", "train", "fit", NULL};

static const struct dse_knob_declaration knobs[HYDRAF_KNOB_COUNT] = {
    [HYDRAF_DIM] = {"dim", DSE_KNOB_INTEGER, NULL},
    [HYDRAF_CLUSTERS] = {"clusters", DSE_KNOB_INTEGER, NULL},
    [HYDRAF_BATCH] = {"batch", DSE_KNOB_INTEGER, NULL},
    [HYDRAF_PRECISION] = {"precision", DSE_KNOB_CHOICE, precisions},
    [HYDRAF_BIAS] = {"bias", DSE_KNOB_CHOICE, no_yes},
    [HYDRAF_EPOCHS] = {"epochs", DSE_KNOB_INTEGER, NULL},
    [HYDRAF_RATE] = {"rate", DSE_KNOB_DECIMAL, NULL},
    [HYDRAF_CLUSTER_RATE] = {"cluster.rate", DSE_KNOB_DECIMAL, NULL},
    [HYDRAF_SHARPNESS] = {"sharpness", DSE_KNOB_DECIMAL, NULL},
    [HYDRAF_SHARING] = {"sharing", DSE_KNOB_CHOICE, sharings},
    [HYDRAF_CLUSTER_LOSS] = {"cluster.loss", DSE_KNOB_CHOICE, losses},
    [HYDRAF_CLUSTER_WEIGHT] = {"cluster.weight", DSE_KNOB_CHOICE, weights},
    [HYDRAF_ROUNDING] = {"rounding", DSE_KNOB_CHOICE, roundings},
    [HYDRAF_CHUNK] = {"chunk", DSE_KNOB_INTEGER, NULL},
    [HYDRAF_PIPELINED] = {"systolic.pipelined", DSE_KNOB_CHOICE, no_yes},
    [HYDRAF_UPDATE] = {"update", DSE_KNOB_CHOICE, updates},
    [HYDRAF_ENCODING] = {"encoding", DSE_KNOB_CHOICE, encodings},
    [HYDRAF_ENCODER_FEATURES] = {"encoder.features", DSE_KNOB_INTEGER, NULL},
    [HYDRAF_AXI_BITS] = {"axi.bits", DSE_KNOB_INTEGER, NULL},
    [HYDRAF_TASK] = {"task", DSE_KNOB_CHOICE, tasks},
    [HYDRAF_UNITS] = {"units", DSE_KNOB_INTEGER, NULL},
    [HYDRAF_CLOCK_MHZ] = {"clock_mhz", DSE_KNOB_INTEGER, NULL},
};

static const char *const stages[HYDRAF_STAGE_COUNT] = {
    [HYDRAF_STAGE_COMPARE] = "compare", [HYDRAF_STAGE_PREDICT] = "predict", [HYDRAF_STAGE_UPDATE] = "update"};

enum engine {
    ENGINE_AXI, ENGINE_ENCODER, ENGINE_CLUSTERING, ENGINE_REGRESSION, ENGINE_SOFTMAX, ENGINE_UPDATE, ENGINE_SHELL,
    ENGINE_COUNT
};

static const struct dse_engine engines[ENGINE_COUNT] = {
    [ENGINE_AXI] = {"axi", "AXI port"},
    [ENGINE_ENCODER] = {"encoder", "Encoder and batch of hypervectors"},
    [ENGINE_CLUSTERING] = {"clustering", "Clustering systolic array"},
    [ENGINE_REGRESSION] = {"regression", "Regression systolic array"},
    [ENGINE_SOFTMAX] = {"softmax", "Confidence, prediction and loss"},
    [ENGINE_UPDATE] = {"update", "Update of models and clusters"},
    [ENGINE_SHELL] = {"shell", "Control"}};

/* What the series depend on; what shapes every hypervector, and what says how many are met. */
#define SHAPES_WORK (DSE_KNOB_BIT(HYDRAF_BIAS) | DSE_KNOB_BIT(HYDRAF_EPOCHS))
#define SIZES                                                                                                \
    (SHAPES_WORK | DSE_KNOB_BIT(HYDRAF_DIM) | DSE_KNOB_BIT(HYDRAF_BATCH) | DSE_KNOB_BIT(HYDRAF_PRECISION) |                 \
     DSE_KNOB_BIT(HYDRAF_CHUNK) | DSE_KNOB_BIT(HYDRAF_TASK) | DSE_KNOB_BIT(HYDRAF_CLOCK_MHZ))
#define CLUSTERS DSE_KNOB_BIT(HYDRAF_CLUSTERS)
#define PIPELINED DSE_KNOB_BIT(HYDRAF_PIPELINED)
#define ENCODING DSE_KNOB_BIT(HYDRAF_ENCODING)

static const struct dse_block blocks[] = {
    {"port", ENGINE_AXI, true, (SIZES & ~DSE_KNOB_BIT(HYDRAF_CHUNK)) | ENCODING | DSE_KNOB_BIT(HYDRAF_AXI_BITS), hydraf_account_port},
    {"batch", ENGINE_ENCODER, false, SIZES | CLUSTERS | PIPELINED, hydraf_account_batch},
    {"encoder", ENGINE_ENCODER, false, SIZES | PIPELINED | ENCODING | DSE_KNOB_BIT(HYDRAF_ENCODER_FEATURES),
     hydraf_account_encoder},
    {"clusters", ENGINE_CLUSTERING, false, SIZES | CLUSTERS | PIPELINED, hydraf_account_clusters},
    {"regression", ENGINE_REGRESSION, false, SIZES | CLUSTERS | PIPELINED, hydraf_account_regression},
    {"confidence", ENGINE_SOFTMAX, false,
     SHAPES_WORK | CLUSTERS | DSE_KNOB_BIT(HYDRAF_BATCH) | DSE_KNOB_BIT(HYDRAF_PRECISION) | DSE_KNOB_BIT(HYDRAF_TASK) |
         DSE_KNOB_BIT(HYDRAF_CLOCK_MHZ),
     hydraf_account_confidence},
    {"regression_update", ENGINE_UPDATE, false, SIZES | CLUSTERS | PIPELINED | DSE_KNOB_BIT(HYDRAF_SHARING),
     hydraf_account_regression_update},
    {"cluster_update", ENGINE_UPDATE, false, SIZES | CLUSTERS | PIPELINED | DSE_KNOB_BIT(HYDRAF_UPDATE),
     hydraf_account_cluster_update},
    {"control", ENGINE_SHELL, false, DSE_KNOB_BIT(HYDRAF_CLOCK_MHZ), hydraf_account_control},
};

const struct dse_model_family hydraf_model_family = {
    .name = "hydraf",
    .title = "HyDRAF: hyperdimensional regression with online learning",
    .board = "u200",
    .knobs = knobs,
    .knob_count = HYDRAF_KNOB_COUNT,
    .clock_knob = HYDRAF_CLOCK_MHZ,
    .units_knob = HYDRAF_UNITS,
    .stages = stages,
    .stage_count = HYDRAF_STAGE_COUNT,
    .engines = engines,
    .engine_count = ENGINE_COUNT,
    .blocks = blocks,
    .block_count = sizeof blocks / sizeof *blocks,
    .shapes_work = SHAPES_WORK,
    .items = hydraf_items,
    .decides_items = DSE_KNOB_BIT(HYDRAF_TASK) | DSE_KNOB_BIT(HYDRAF_BATCH),
    .fitted = hydraf_fitted,
    .fitted_count = HYDRAF_FITTED_COUNT,
    .prepare = hydraf_work_prepare,
    .release = hydraf_work_release,
    .hardware = hydraf_hardware,
};
