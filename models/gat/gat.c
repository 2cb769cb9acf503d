/* The graph attention accelerator: its blocks. */
#include <stdlib.h>

#include "models/gat/gat.h"

static const char *const stages[GAT_MODEL_STAGES] = {
    [GAT_MODEL_LAYER1] = "layer1", [GAT_MODEL_DISPATCH] = "dispatch", [GAT_MODEL_LAYER2] = "layer2", [GAT_MODEL_TRANSFER] = "transfer"};

enum engine {
    ENGINE_SCHEDULER, ENGINE_SPMM, ENGINE_DMVM, ENGINE_SOFTMAX, ENGINE_AGGREGATOR, ENGINE_DISPATCHER, ENGINE_MEMORY, ENGINE_CDMA,
    ENGINE_SHELL, ENGINE_COUNT
};

static const struct dse_engine engines[ENGINE_COUNT] = {
    [ENGINE_SCHEDULER] = {"scheduler", "Loader of weights"},
    [ENGINE_SPMM] = {"spmm", "Sparse matrix-vector multiplication"},
    [ENGINE_DMVM] = {"dmvm", "Dense matrix-vector multiplication"},
    [ENGINE_SOFTMAX] = {"softmax", "Softmax"},
    [ENGINE_AGGREGATOR] = {"aggregator", "Aggregator"},
    [ENGINE_DISPATCHER] = {"dispatcher", "Subgraph dispatcher"},
    [ENGINE_MEMORY] = {"memory", "Memories of the address map"},
    [ENGINE_CDMA] = {"cdma", "Central DMA"},
    [ENGINE_SHELL] = {"shell", "Register bank"}};

#define KNOB(id) GAT_KNOBS(id)
#define NETWORK (KNOB(CHANNELS) | KNOB(HEADS) | KNOB(PRECISION) | KNOB(CLOCK_MHZ))
#define LANES (KNOB(SUBGRAPHS) | KNOB(CAPACITY))
#define ENGINES (NETWORK | LANES | KNOB(RTL) | KNOB(TASK))

/* `layerbreak` has no queue, because the processor works between the layers; nor has the thesis's own RTL. */
static bool queues(const struct dse_config *config)
{
    return config->value[GAT_APPROACH] == GAT_STREAMLINE && config->value[GAT_RTL] != GAT_RTL_OF_THESIS;
}

static const struct dse_block blocks[] = {
    {"loader", ENGINE_SCHEDULER, false, DSE_BITS(NETWORK | KNOB(SUBGRAPHS) | KNOB(RTL) | KNOB(TASK)), gat_cost_loader},
    {"spmm", ENGINE_SPMM, false, DSE_BITS(ENGINES | KNOB(PES) | KNOB(APPROACH)), gat_cost_spmm},
    {"dmvm", ENGINE_DMVM, false, DSE_BITS(ENGINES), gat_cost_dmvm},
    {"softmax", ENGINE_SOFTMAX, false, DSE_BITS(ENGINES), gat_cost_softmax},
    {"aggregator", ENGINE_AGGREGATOR, false, DSE_BITS(ENGINES), gat_cost_aggregator},
    {"dispatcher", ENGINE_DISPATCHER, false, DSE_BITS(NETWORK | LANES | KNOB(APPROACH) | KNOB(RTL) | KNOB(TASK)), gat_cost_dispatcher},
    {"h_data", ENGINE_MEMORY, false, DSE_BITS(NETWORK | LANES | KNOB(APPROACH) | KNOB(H_MEMORY) | KNOB(TASK)), gat_cost_h_data},
    {"graph", ENGINE_MEMORY, false, DSE_BITS(NETWORK | LANES | KNOB(TASK)), gat_cost_graph},
    {"weights", ENGINE_MEMORY, false, DSE_BITS(NETWORK | LANES | KNOB(PES) | KNOB(TASK)), gat_cost_weights},
    {"cdma", ENGINE_CDMA, true, DSE_BITS(NETWORK | LANES | KNOB(APPROACH) | KNOB(RTL) | KNOB(TASK)), gat_cost_cdma},
    {"control", ENGINE_SHELL, false, DSE_BITS(KNOB(ARITHMETIC) | KNOB(APPROACH) | KNOB(CHANNELS) | KNOB(HEADS) | KNOB(TASK) | KNOB(RTL) | KNOB(CLOCK_MHZ)), gat_cost_control},
};

/* Engines: largest error of their cycles against the schedules of 40 emitted designs. Metrics: largest errors against published builds,
 * `validate --against published --family gat` (checked by tests/cli/answer.py). */
static const struct dse_model_error errors[] = {
    {"", DSE_METRIC_COUNT, "schedule", 0.016},
    {NULL, DSE_METRIC_LATENCY, "published", 0.052}, /* error of both transfers and both layers; of the layers alone 0.024 */
    {NULL, DSE_METRIC_POWER, "published", 0.135}, /* error of the dynamic part, kernel_w, the only one that the thesis states; its own RTL */
    {NULL, DSE_METRIC_ENERGY, "published", 0.09},
};

const struct dse_model_family gat_model_family = {
    .name = "gat",
    .title = "GAT: graph attention networks on citation graphs",
    .board = "zcu106",
    .knobs = &gat_knobs,
    .clock_knob = GAT_CLOCK_MHZ,
    .units_knob = GAT_UNITS,
    .stages = stages,
    .stage_count = GAT_MODEL_STAGES,
    .engines = engines,
    .engine_count = ENGINE_COUNT,
    .blocks = blocks,
    .block_count = sizeof blocks / sizeof *blocks,
    .calls = gat_calls,
    .transfers = gat_transfers,
    .queues = queues,
    .decides_items = DSE_BITS(KNOB(APPROACH) | KNOB(RTL) | KNOB(TASK)),
    .host_stages = 1u << GAT_MODEL_TRANSFER,
    .fitted = gat_fitted,
    .fitted_count = GAT_FITTED_COUNT,
    .errors = errors,
    .error_count = sizeof errors / sizeof *errors,
    .prepare = gat_work_prepare,
    .release = free,
    .quantity = gat_quantity,
    .hardware = gat_hardware,
};
