/* The HyDRAF family: its blocks. */
#include <stdlib.h>

#include "models/hydraf/hydraf.h"

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

#define KNOB(id) DSE_KNOB_BIT(HYDRAF_##id)

/* Knobs that the series depend on: those that shape every hypervector, and those that set how many are processed. */
#define SHAPES_WORK (KNOB(BIAS) | KNOB(EPOCHS))
#define SIZES                                                                                                \
    (SHAPES_WORK | KNOB(DIM) | KNOB(BATCH) | KNOB(PRECISION) | KNOB(CHUNK) | KNOB(TASK) | KNOB(CLOCK_MHZ))
#define CLUSTERS KNOB(CLUSTERS)
#define PIPELINED KNOB(PIPELINED)
#define ENCODING KNOB(ENCODING)
#define GAINS (KNOB(SHARING) | KNOB(CLUSTER_LOSS) | KNOB(CLUSTER_WEIGHT))

static const char *items_word(const struct dse_config *config)
{
    return config->value[HYDRAF_TASK] == HYDRAF_FIT ? "fits" : "samples";
}

/* Samples and answers, to learn from also the targets; and the ring. */
static int64_t transfers(const struct dse_model_family *family, const struct dse_config *config, bool queued)
{
    (void)family;
    return (config->value[HYDRAF_TASK] == HYDRAF_INFER ? 2 : 3) + queued;
}

/* A batch is queued, because the host knows its learning rates and random numbers in advance; a whole training run is not. */
static bool queues(const struct dse_config *config)
{
    return config->value[HYDRAF_TASK] != HYDRAF_FIT;
}

static const struct dse_block blocks[] = {
    {"port", ENGINE_AXI, true, DSE_BITS(SIZES | CLUSTERS | PIPELINED | ENCODING | KNOB(AXI_BITS)), hydraf_cost_port},
    {"batch", ENGINE_ENCODER, false, DSE_BITS(SIZES | CLUSTERS | PIPELINED), hydraf_cost_batch},
    {"encoder", ENGINE_ENCODER, false, DSE_BITS(SIZES | CLUSTERS | PIPELINED | ENCODING | KNOB(ENCODER_FEATURES)), hydraf_cost_encoder},
    {"clusters", ENGINE_CLUSTERING, false, DSE_BITS(SIZES | CLUSTERS | PIPELINED), hydraf_cost_clusters},
    {"regression", ENGINE_REGRESSION, false, DSE_BITS(SIZES | CLUSTERS | PIPELINED), hydraf_cost_regression},
    {"confidence", ENGINE_SOFTMAX, false,
     DSE_BITS(SHAPES_WORK | CLUSTERS | GAINS | KNOB(BATCH) | KNOB(PRECISION) | KNOB(TASK) | KNOB(CLOCK_MHZ)), hydraf_cost_confidence},
    {"regression_update", ENGINE_UPDATE, false, DSE_BITS(SIZES | CLUSTERS | PIPELINED | KNOB(SHARING) | KNOB(UPDATE)),
     hydraf_cost_regression_update},
    {"cluster_update", ENGINE_UPDATE, false, DSE_BITS(SIZES | CLUSTERS | PIPELINED | KNOB(UPDATE)), hydraf_cost_cluster_update},
    {"control", ENGINE_SHELL, false, DSE_BITS(KNOB(CLOCK_MHZ)), hydraf_cost_control},
};

/* Engines: largest error of their cycles against the schedules of emitted designs. Latency: largest error against published builds, L_infer of
 * D = 0.5k in `validate --against published --family hydraf` (checked by tests/cli/answer.py). Only an upper bound of power was published. */
static const struct dse_model_error errors[] = {
    {"", DSE_METRIC_COUNT, "schedule", 0.02},
    {NULL, DSE_METRIC_LATENCY, "published", 1.567},
};

const struct dse_model_family hydraf_model_family = {
    .name = "hydraf",
    .title = "HyDRAF: hyperdimensional regression with online learning",
    .board = "u200",
    .knobs = &hydraf_knobs,
    .clock_knob = HYDRAF_CLOCK_MHZ,
    .units_knob = HYDRAF_UNITS,
    .stages = stages,
    .stage_count = HYDRAF_STAGE_COUNT,
    .engines = engines,
    .engine_count = ENGINE_COUNT,
    .blocks = blocks,
    .block_count = sizeof blocks / sizeof *blocks,
    .transfers = transfers,
    .queues = queues,
    .items = hydraf_items,
    .items_word = items_word,
    .decides_items = DSE_BITS(KNOB(TASK) | KNOB(BATCH)),
    .parts = hydraf_parts,
    .host_stages = 1u << HYDRAF_STAGE_COMPARE,
    .fitted = hydraf_fitted,
    .fitted_count = HYDRAF_FITTED_COUNT,
    .errors = errors,
    .error_count = sizeof errors / sizeof *errors,
    .prepare = hydraf_work_prepare,
    .release = free,
    .hardware = hydraf_hardware,
};
