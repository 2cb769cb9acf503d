/* The SMGPU: its blocks, its workload, and the figures of its document. */
#include "models/smgpu/smgpu.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/build.h"
#include "models/hls.h"

static const char *const stages[SMGPU_STAGES] = {"find", "encode"};

enum engine { SPECTRAL, TOPOLOGY, REWRITE, DMA, HD, CACHE, XBAR, NOC, DECODER, ENGINES };
static const struct dse_engine engines[ENGINES] = {
    [SPECTRAL] = {"spectral", "Spectral engine"}, [TOPOLOGY] = {"topology", "Topology engine"}, [REWRITE] = {"rewrite", "Rewrite engine"},
    [DMA] = {"dma", "Graph DMA and HBM controller"}, [HD] = {"hd", "Hyperdimensional engine"}, [CACHE] = {"cache", "Associative cache"},
    [XBAR] = {"xbar", "Crossbar"}, [NOC] = {"noc", "Mesh of routers"}, [DECODER] = {"decoder", "Decoder and queue"}};

#define KNOB(id) DSE_KNOB_BIT(SMGPU_KNOB_##id)
#define SHAPE (KNOB(SPECTRAL) | KNOB(EDGES) | KNOB(TOPOLOGY) | KNOB(REWRITING) | KNOB(CLOCK_MHZ))
#define VECTOR (KNOB(DIM) | KNOB(BANKS))
#define PLAN (SHAPE | VECTOR | KNOB(CHAINED) | KNOB(MESH) | KNOB(PAYLOAD) | KNOB(CHANNELS) | KNOB(ROWS) | KNOB(ORDER) | KNOB(ENTRIES) | KNOB(REDUCED) | KNOB(RECALL) | \
              KNOB(LATENCIES)) /* latencies of all instructions, for the schedule */

#define BLOCKS(decoder_reads, decoder_cost) { \
    {"spectral", SPECTRAL, false, DSE_BITS(SHAPE | KNOB(ROWS) | KNOB(ORDER) | KNOB(NODES) | KNOB(LATENCIES)), smgpu_cost_spectral}, \
    {"hd", HD, false, DSE_BITS(SHAPE | VECTOR | KNOB(HD_MEMORY) | KNOB(LATENCIES)), smgpu_cost_hd}, \
    {"topology", TOPOLOGY, false, DSE_BITS(SHAPE | KNOB(NODES)), smgpu_cost_topology}, \
    {"rewrite", REWRITE, false, DSE_BITS(SHAPE | KNOB(NODES)), smgpu_cost_rewrite}, \
    {"cache", CACHE, false, DSE_BITS(SHAPE | VECTOR | KNOB(ENTRIES) | KNOB(REDUCED) | KNOB(RECALL) | KNOB(LATENCIES)), smgpu_cost_cache}, \
    {"xbar", XBAR, false, DSE_BITS(KNOB(TILES) | KNOB(CLOCK_MHZ)), smgpu_cost_crossbar}, \
    {"noc", NOC, false, DSE_BITS(PLAN | KNOB(BUFFER)), smgpu_cost_noc}, \
    {"dma", DMA, true, DSE_BITS(SHAPE | KNOB(DIM) | KNOB(MESH) | KNOB(PAYLOAD) | KNOB(CHANNELS)), smgpu_cost_dma}, \
    {"decoder", DECODER, false, DSE_BITS(SHAPE | KNOB(QUEUE) | (decoder_reads)), decoder_cost} \
}

/* The RTL has one unit. */
static enum dse_status cost_one_decoder(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                        struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, config->value[SMGPU_KNOB_CLOCK_MHZ], err);
    if (config->value[SMGPU_KNOB_UNITS] > 1)
        dse_build_reject(&build, "units=%lld: the RTL has one unit; must be 1", (long long)config->value[SMGPU_KNOB_UNITS]);
    return smgpu_cost_decoder(context, config, out, err);
}

static const struct dse_block blocks[] = BLOCKS(0, smgpu_cost_decoder), rtl_blocks[] = BLOCKS(KNOB(UNITS), cost_one_decoder);

/* ---- the workload ---- */

#define SERIES(member) {#member, offsetof(struct smgpu_work, member)}
static const struct {
    const char *name;
    size_t at;
} series[] = {SERIES(nodes), SERIES(arcs), SERIES(edges), SERIES(tokens), SERIES(finds), SERIES(tries), SERIES(matches),
            SERIES(classes), SERIES(taught)};

enum dse_status smgpu_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **out, struct dse_error *err)
{
    (void)family;
    struct smgpu_work *work = dse_calloc(1, sizeof *work);
    *out = work;
    for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
        const struct dse_series *found = dse_workload_series(workload, series[i].name);
        if (found == NULL || found->rows != 1 || found->columns != DSE_CASE_COUNT || !(found->values[0] >= 0.0 && found->values[0] <= 1e12) ||
            !(found->values[1] >= 0.0 && found->values[1] <= 1e12)) {
            free(work);
            *out = NULL;
            return dse_fail(err, DSE_BAD_INPUT, "the workload's series %s must be 1 × 2, numbers of 0 to 1e12", series[i].name);
        }
        memcpy((char *)work + series[i].at, found->values, DSE_CASE_COUNT * sizeof(double));
    }
    return DSE_OK;
}

/* ---- figures of the document ---- */

struct statement {
    const char *name;
    int knob;            /* −1: none */
    double times, plus;
};

static const struct statement statements[] = {
    {"compute_lap_cycles", -1, 0, 4}, {"eigen_decomp_cycles", -1, 0, 4}, {"spectral_conv_cycles", SMGPU_KNOB_ORDER, 4, 0},
    {"wavelet_xform_cycles", -1, 0, 4}, {"gft_cycles", -1, 0, 4}, {"bundle_cycles", -1, 0, 20}, {"bind_cycles", -1, 0, 1},
    {"permute_cycles", -1, 0, 1}, {"similarity_cycles", SMGPU_KNOB_BANKS, 1, 2}, {"assoc_write_cycles", SMGPU_KNOB_BANKS, 1, 0},
    {"generate_cycles", SMGPU_KNOB_BANKS, 1, 0}, {"query_cycles", SMGPU_KNOB_ENTRIES, 1, 0}, {"mvm_row_cycles", -1, 0, 1024},
    {"mvm_cycles", -1, 0, 1048576}, {"hop_cycles", -1, 0, 1}, {"beat_cycles", -1, 0, 2},
};

double smgpu_quantity(const char *name, const struct dse_config *config, const void *work)
{
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (strcmp(statements[i].name, name) == 0)
            return statements[i].plus + (statements[i].knob < 0 ? 0.0 : statements[i].times * (double)config->value[statements[i].knob]);
    for (size_t i = 0; i < sizeof series / sizeof *series; i++)
        if (strcmp(series[i].name, name) == 0)
            return *(const double *)(const void *)((const char *)work + series[i].at);
    return smgpu_silicon(name, config);
}

/* Header of a configuration: sizes only; there is no source. */
enum dse_status smgpu_hardware_header(const struct dse_context *context, const struct dse_config *config, struct dse_hls *hls,
                                      struct dse_error *err)
{
    (void)context, (void)err;
    dse_hls_add_size(hls, config->value[SMGPU_KNOB_DIM], 1, "bits of a hypervector", "HD_DIM");
    dse_hls_add_size(hls, dse_ceil_div(config->value[SMGPU_KNOB_DIM], 32), 1, "words of a hypervector", "HD_DIM_WORDS");
    dse_hls_add_size(hls, config->value[SMGPU_KNOB_BANKS], 1, "banks", "HD_BANKS");
    dse_hls_add_size(hls, config->value[SMGPU_KNOB_ROWS], 1, "rows of the systolic array", "ARRAY_ROWS");
    dse_hls_add_size(hls, config->value[SMGPU_KNOB_NODES], 1, "nodes of a graph", "MAX_NODES");
    dse_hls_add_size(hls, config->value[SMGPU_KNOB_ENTRIES], 1, "entries of the cache", "NUM_ENTRIES");
    dse_hls_add_size(hls, config->value[SMGPU_KNOB_REDUCED], 1, "bits of a key", "HD_DIM_REDUCED");
    dse_hls_add_size(hls, config->value[SMGPU_KNOB_MESH], 1, "routers per side", "MESH_SIDE");
    dse_hls_add_memory(hls, "hbm", "graphs, codebook and results", "uint32_t", true, 524288, 1);
    return DSE_OK;
}

/* Engines: largest error of their cycles against the simulation. No build was published. */
static const struct dse_model_error errors[] = {
    {"", DSE_METRIC_COUNT, "simulation", 0.036},
};

#define FAMILY(costs) \
    .name = "smgpu", \
    .title = "SMGPU: spectral, hyperdimensional, topological and rewriting engines", \
    .board = "u280", \
    .knobs = &smgpu_knobs, \
    .clock_knob = SMGPU_KNOB_CLOCK_MHZ, \
    .units_knob = SMGPU_KNOB_UNITS, \
    .stages = stages, \
    .stage_count = SMGPU_STAGES, \
    .host_stages = 1u << SMGPU_STAGE_FIND, \
    .engines = engines, \
    .engine_count = ENGINES, \
    .blocks = costs, \
    .block_count = sizeof costs / sizeof *costs, \
    .errors = errors, \
    .error_count = sizeof errors / sizeof *errors, \
    .prepare = smgpu_work_prepare, \
    .release = free, \
    .quantity = smgpu_quantity, \
    .hardware = smgpu_hardware_header, \
    .in_rtl = &smgpu_rtl_model_family

/* By the models, the SystemVerilog engines take the same cycles. */
const struct dse_model_family smgpu_rtl_model_family = {FAMILY(rtl_blocks)};
const struct dse_model_family smgpu_model_family = {FAMILY(blocks)};
