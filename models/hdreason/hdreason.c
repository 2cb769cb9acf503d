/* The knowledge graph accelerator: its blocks. */
#include "models/hdreason/hdreason.h"

static const char *const stages[HDREASON_STAGES] = {
    [HDREASON_ENCODE] = "encode", [HDREASON_MEMORISE] = "memorise", [HDREASON_SCORE] = "score", [HDREASON_SIGNS] = "signs",
    [HDREASON_BIND] = "bind", [HDREASON_SUMS] = "sums", [HDREASON_TRAIN] = "train"};

enum engine { ENGINE_ENCODER, ENGINE_SCORE, ENGINE_TRAINING, ENGINE_HBM, ENGINE_OTHERS, ENGINE_COUNT };

/* Engines of Table 5. */
static const struct dse_engine engines[ENGINE_COUNT] = {
    [ENGINE_ENCODER] = {"encoder", "Encoder IP: array, dispatcher, memorisation"},
    [ENGINE_SCORE] = {"score", "Score function IP"},
    [ENGINE_TRAINING] = {"training", "Training IP"},
    [ENGINE_HBM] = {"hbm", "Pseudo-channels of the memory"},
    [ENGINE_OTHERS] = {"others", "PCIe DMA and AXI interconnect"}};

#define KNOB(id) DSE_KNOB_BIT(HDR_##id)
/* Knobs that every block's counts depend on: sizes, the task, and those that shape the workload. */
#define COMMON (KNOB(DIM) | KNOB(EMBEDDING) | KNOB(BATCH) | KNOB(PRECISION) | KNOB(KEPT_DIMS) | KNOB(DIRECTION) | KNOB(EPOCHS) | KNOB(TASK) | KNOB(CLOCK_MHZ))
#define CHANNELS (KNOB(CHANNELS) | KNOB(AXI))

/* Calls of a training step (step_cases.c): memorise, score, gradients of memories and queries, subjects, backward through the memory, relations,
 * embeddings. The host computes the distances' weights before the third call. */
static int64_t calls(const struct dse_config *config)
{
    return config->value[HDR_TASK] == HDR_INFER ? 1 : 7;
}

/* Queries and distances; a training step also brings embeddings, weights and seven lists, and takes gradients. */
static int64_t transfers(const struct dse_model_family *family, const struct dse_config *config, bool queued)
{
    (void)family;
    return config->value[HDR_TASK] == HDR_INFER ? 2 + queued : 16;
}

static bool queues(const struct dse_config *config)
{
    return config->value[HDR_TASK] == HDR_INFER;
}

static const struct dse_block blocks[] = {
    {"pcie", ENGINE_OTHERS, true, DSE_BITS(COMMON | KNOB(BACKWARD) | KNOB(GRADIENT) | KNOB(REUSE)), hdreason_cost_pcie},
    {"pcie_out", ENGINE_OTHERS, true, DSE_BITS(COMMON | KNOB(BACKWARD) | KNOB(CHUNK) | KNOB(TRAIN_PRODUCTS)), hdreason_cost_pcie_out},
    {"hypervectors", ENGINE_HBM, true, DSE_BITS(COMMON | KNOB(BACKWARD) | KNOB(GRADIENT) | CHANNELS | KNOB(SCORE_LANES) | HDREASON_CACHE_KNOBS), hdreason_cost_hypervectors},
    {"gradients", ENGINE_HBM, true, DSE_BITS(COMMON | KNOB(BACKWARD) | KNOB(GRADIENT) | CHANNELS | KNOB(LANE_WIDTH)), hdreason_cost_gradients},
    {"encoder", ENGINE_ENCODER, false, DSE_BITS(COMMON | KNOB(BACKWARD) | KNOB(ENCODER) | KNOB(REUSE)), hdreason_cost_encoder},
    {"tanh", ENGINE_ENCODER, false, DSE_BITS(COMMON | KNOB(BACKWARD) | KNOB(ENCODER) | KNOB(REUSE)), hdreason_cost_tanh},
    {"dispatcher", ENGINE_ENCODER, false, DSE_BITS(COMMON | KNOB(BACKWARD) | CHANNELS | KNOB(ENCODER) | KNOB(IPS) | KNOB(LANE_WIDTH) | HDREASON_CACHE_KNOBS), hdreason_cost_dispatcher},
    {"memorisation", ENGINE_ENCODER, false, DSE_BITS(COMMON | KNOB(BACKWARD) | CHANNELS | KNOB(IPS) | KNOB(LANE_WIDTH) | KNOB(SCHEDULE)), hdreason_cost_memorisation},
    {"score", ENGINE_SCORE, false, DSE_BITS(COMMON | KNOB(BACKWARD) | KNOB(SCORE_LANES)), hdreason_cost_score},
    {"norm", ENGINE_SCORE, false, DSE_BITS(COMMON | KNOB(SCORE_LANES)), hdreason_cost_norm},
    {"training", ENGINE_TRAINING, false, DSE_BITS(COMMON | KNOB(BACKWARD) | CHANNELS | KNOB(CHUNK) | KNOB(TRAIN_PRODUCTS) | KNOB(LANE_WIDTH)), hdreason_cost_training},
    {"chunks", ENGINE_TRAINING, false, DSE_BITS(COMMON | KNOB(BACKWARD) | CHANNELS | KNOB(CHUNK) | KNOB(TRAIN_PRODUCTS)), hdreason_cost_chunks},
    {"control", ENGINE_OTHERS, false, DSE_BITS(KNOB(CHANNELS) | KNOB(AXI) | KNOB(TASK) | KNOB(CLOCK_MHZ)), hdreason_cost_control},
};

/* A whole training run takes days on a large graph: 10⁵ s and more; a 4,096th part has 10¹⁷ fs. */
#define FIT_PARTS 4096

/* Queries per latency; for a whole training run it is one. */
static int64_t items(const struct dse_model_family *family, const struct dse_config *config)
{
    (void)family;
    return config->value[HDR_TASK] == HDR_FIT ? 1 : config->value[HDR_BATCH];
}

static const char *items_word(const struct dse_config *config)
{
    return config->value[HDR_TASK] == HDR_FIT ? "fits" : "queries";
}

int64_t hdreason_parts(const struct dse_model_family *family, const struct dse_config *config)
{
    (void)family;
    return config->value[HDR_TASK] == HDR_FIT ? FIT_PARTS : 1;
}

/* Engines: largest error of their cycles against the simulation. Metrics: largest errors against published builds, also with the constant fitted without them,
 * `validate --against published --family hdreason` (checked by tests/cli/answer.py). */
static const struct dse_model_error errors[] = {
    {"", DSE_METRIC_COUNT, "simulation", 0.284},
    {NULL, DSE_METRIC_LATENCY, "published", 0.108},
    {NULL, DSE_METRIC_POWER, "published", 0.239},
    {NULL, DSE_METRIC_ENERGY, "published", 0.175},
};

/* Section 5.5 has the U280's T, IPs and UltraRAM; SA2 then has a row per vertex of a chunk (evidence.md, "The U280"). */
static const char *const on_u280[] = {"cache.uram=256", "memorise.ips=32", "train.chunk=64", "train.products=3072", "hbm.channels=16", "axi.bits=512", NULL};
static const struct dse_board_design published[] = {{"u280", on_u280}};

const struct dse_model_family hdreason_model_family = {
    .name = "hdreason",
    .title = "HDReason: hyperdimensional reasoning on knowledge graphs",
    .board = "u50",
    .published = published,
    .published_count = sizeof published / sizeof *published,
    .knobs = &hdreason_knobs,
    .clock_knob = HDR_CLOCK_MHZ,
    .units_knob = HDR_UNITS,
    .stages = stages,
    .stage_count = HDREASON_STAGES,
    .engines = engines,
    .engine_count = ENGINE_COUNT,
    .blocks = blocks,
    .block_count = sizeof blocks / sizeof *blocks,
    .calls = calls,
    .transfers = transfers,
    .queues = queues,
    .way = hdreason_cost_chunks,
    .items = items,
    .items_word = items_word,
    .decides_items = DSE_BITS(KNOB(BATCH) | KNOB(TASK) | KNOB(BACKWARD)), /* BACKWARD decides the calls' loops: a search never joins blocks by it */
    .parts = hdreason_parts,
    .fitted = hdreason_fitted,
    .fitted_count = HDREASON_FITTED_COUNT,
    .errors = errors,
    .error_count = sizeof errors / sizeof *errors,
    .prepare = hdreason_work_prepare,
    .release = hdreason_work_release,
    .quantity = hdreason_quantity,
    .hardware = hdreason_hardware,
};
