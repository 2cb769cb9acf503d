/* The NysX family: its blocks. */
#include "models/nysx/nysx.h"

static const char *const stages[NYSX_STAGE_COUNT] = {
    [NYSX_STAGE_PREPARE] = "prepare",       [NYSX_STAGE_QUERY] = "query",
    [NYSX_STAGE_PROPAGATE] = "propagate",   [NYSX_STAGE_LOOKUP] = "lookup",
    [NYSX_STAGE_HISTOGRAM] = "histogram",   [NYSX_STAGE_SIMILARITY] = "similarity",
    [NYSX_STAGE_ENCODE] = "encode",         [NYSX_STAGE_CLASSIFY] = "classify"};

#define KNOB(id) DSE_KNOB_BIT(NYSX_##id)

/* Algorithmic knobs that determine graphs, codebooks and histograms. */
#define SHAPES_WORK                                                                                          \
    (KNOB(LANDMARKS) | KNOB(SAMPLING) | KNOB(POOL) | KNOB(HOPS) | KNOB(WIDTH) | KNOB(PROPAGATION) | KNOB(FEATURES) |  \
     KNOB(CODES) | KNOB(DRAWS) | KNOB(LSH) | KNOB(RANK_TOLERANCE))

#define CLOCK KNOB(CLOCK_MHZ)
#define CAPACITY KNOB(CAPACITY)
#define FORM KNOB(NEE_FORM) /* determines whether there are landmarks */

enum engine { ENGINE_LSHU, ENGINE_MPHE, ENGINE_HUE, ENGINE_KSE, ENGINE_NEE, ENGINE_SCE, ENGINE_SHELL, ENGINE_COUNT };

static const struct dse_engine engines[ENGINE_COUNT] = {
    [ENGINE_LSHU] = {"lshu", "Locality Sensitive Hashing Unit"},
    [ENGINE_MPHE] = {"mphe", "Minimal Perfect Hashing Engine"},
    [ENGINE_HUE] = {"hue", "Histogram Update Engine"},
    [ENGINE_KSE] = {"kse", "Kernel Similarity Engine"},
    [ENGINE_NEE] = {"nee", "Nyström Encoding Engine"},
    [ENGINE_SCE] = {"sce", "Similarity and Classification Engine"},
    [ENGINE_SHELL] = {"shell", "Control and query port"}};

/* Blocks of both flows. Costs differ; HLS blocks also read the knobs in `also`, RTL blocks those in `own`. */
#define BLOCKS(cost, also, own) \
    {"query", ENGINE_LSHU, false, DSE_BITS(also(KNOB(OVERLAP)) | SHAPES_WORK | CLOCK | CAPACITY | KNOB(LSHU_PE) | KNOB(LSHU_BALANCE)), cost##query}, \
    {"lshu", ENGINE_LSHU, false, DSE_BITS(own(KNOB(OVERLAP)) | FORM | SHAPES_WORK | CLOCK | CAPACITY | KNOB(LSHU_PE) | KNOB(LSHU_BALANCE) | KNOB(MPHE_LOOKUPS) | KNOB(NEE_CODES)), \
     cost##lshu}, \
    {"mphe", ENGINE_MPHE, false, DSE_BITS(FORM | SHAPES_WORK | CLOCK | KNOB(MPHE_LOOKUPS) | KNOB(MPHE_GAMMA) | also(KNOB(PLACE_CODEBOOK)) | own(KNOB(LSHU_PE) | KNOB(LSHU_BALANCE) | CAPACITY)), cost##mphe}, \
    {"codebook", ENGINE_MPHE, false, DSE_BITS(FORM | SHAPES_WORK | CLOCK | KNOB(MPHE_LOOKUPS) | KNOB(PLACE_CODEBOOK)), cost##codebook}, \
    {"hue", ENGINE_HUE, false, DSE_BITS(FORM | SHAPES_WORK | CLOCK | CAPACITY | KNOB(HUE_PE) | KNOB(MPHE_LOOKUPS)), cost##hue}, \
    {"histograms", ENGINE_HUE, false, DSE_BITS(FORM | SHAPES_WORK | CLOCK | CAPACITY | KNOB(HUE_PE) | also(KNOB(KSE_PE)) | own(KNOB(MPHE_LOOKUPS))), cost##histograms}, \
    {"kse", ENGINE_KSE, false, DSE_BITS(FORM | SHAPES_WORK | CLOCK | KNOB(KSE_PE) | KNOB(KSE_BALANCE) | KNOB(PLACE_H) | own(CAPACITY)), cost##kse}, \
    {"nee", ENGINE_NEE, false, \
     DSE_BITS(SHAPES_WORK | CLOCK | CAPACITY | KNOB(NEE_CODES) | KNOB(NEE_MERGE) | KNOB(NEE_TABLE) | KNOB(DIM) | KNOB(NEE_FORM) | KNOB(NEE_PRECISION) | KNOB(NEE_GENERATOR) | KNOB(NEE_CENTER) | KNOB(NEE_CENTER_BITS) | \
         KNOB(NEE_PHI_BITS) | KNOB(NEE_LANES) | KNOB(PLACE_P) | KNOB(OVERLAP) | own(KNOB(LSHU_PE) | KNOB(NEE_PORT_BITS))), \
     cost##nee}, \
    {"port", ENGINE_NEE, true, \
     DSE_BITS(CLOCK | SHAPES_WORK | KNOB(DIM) | KNOB(NEE_FORM) | KNOB(NEE_PRECISION) | KNOB(NEE_MEMORY) | KNOB(NEE_PORTS) | \
              KNOB(NEE_PORT_BITS) | KNOB(NEE_OUTSTANDING) | KNOB(NEE_FIFO_DEPTH) | own(KNOB(NEE_LANES))), \
     cost##port}, \
    {"sce", ENGINE_SCE, false, \
     DSE_BITS(SHAPES_WORK | CLOCK | KNOB(PROTOTYPES) | KNOB(DIM) | KNOB(SCE_PROTOTYPE_BITS) | KNOB(SCE_PE) | KNOB(SCE_BITS) | KNOB(PLACE_PROTOTYPES) | own(KNOB(NEE_LANES) | FORM | KNOB(NEE_TABLE) | CAPACITY)), \
     cost##sce}, \
    {"control", ENGINE_SHELL, false, DSE_BITS(CLOCK | KNOB(OVERLAP) | FORM | KNOB(NEE_TABLE) | KNOB(PROTOTYPES) | KNOB(SCE_PROTOTYPE_BITS) | own(SHAPES_WORK | CAPACITY | KNOB(NEE_CODES) | KNOB(MPHE_LOOKUPS) | KNOB(LSHU_PE) | KNOB(UNITS))), cost##control}

/* Steps that overlap, each on its own graph (models/nysx/microarchitecture.md). */
#define TURN 1       /* cycles from a step's last cycle to its first cycle of the next graph */
#define QUERY_TURN 4 /* for back-to-back queries: the sizes must be stable before the start */
#define STAGE(id) (1u << NYSX_STAGE_##id)
static size_t steps_of(const struct dse_model_family *family, const struct dse_config *config, unsigned masks[DSE_STAGE_MAX], int64_t extra[DSE_STAGE_MAX])
{
    const unsigned query = STAGE(QUERY), encoding = STAGE(ENCODE) | STAGE(CLASSIFY), all = (1u << NYSX_STAGE_COUNT) - 1u - STAGE(PREPARE);
    const unsigned steps[][3] = {[NYSX_OVERLAP_NONE] = {0}, [NYSX_OVERLAP_QUEUE] = {all}, [NYSX_OVERLAP_ENGINES] = {all & ~encoding, encoding},
                                 [NYSX_OVERLAP_GRAPHS] = {query, all & ~encoding & ~query, encoding}};
    size_t count = 0;
    (void)family;
    for (const unsigned *step = steps[config->value[NYSX_OVERLAP]]; count < 3 && step[count] != 0; count++) {
        masks[count] = step[count];
        extra[count] = step[count] == query ? QUERY_TURN : TURN;
    }
    return count;
}

#define READS(knobs) (knobs)
#define READS_NOT(knobs) 0
static const struct dse_block blocks[] = {BLOCKS(nysx_cost_, READS, READS_NOT)};
static const struct dse_block rtl_blocks[] = {BLOCKS(nysx_rtl_cost_, READS_NOT, READS)};

/* Engines: largest error of their cycles against the schedules of emitted designs (docs/evidence/validation.md). Latency: largest error of
 * `estimate` for the five builds of Table 6 without DPP; it is BZR's (checked by tests/cli/answer.py). The column "predicted" of `validate` fits
 * two constants that no estimate has. All five stream P; no direct design was built. Power and energy have no error: the builds of Table 7 use
 * DPP, which no shipped profile has. */
static const struct dse_model_error errors[] = {
    {"lshu", DSE_METRIC_COUNT, "schedule", 0.04},
    {"mphe", DSE_METRIC_COUNT, "schedule", 0.073},
    {"hue", DSE_METRIC_COUNT, "schedule", 0.005},
    {"kse", DSE_METRIC_COUNT, "schedule", 0.002},
    {"nee", DSE_METRIC_COUNT, "schedule", 0.048},
    {"sce", DSE_METRIC_COUNT, "schedule", 0.043},
    {NULL, DSE_METRIC_LATENCY, "published", 3.642},
};

/* Error of all cycles, for the training graphs that estimates use (docs/evidence/rtl.md). No build exists. */
static const struct dse_model_error rtl_errors[] = {{"", DSE_METRIC_COUNT, "rtl-simulation", 0.04}};

#define FAMILY \
    .name = "nysx", \
    .title = "NysX: Nyström hyperdimensional graph classification", \
    .board = "zcu104", \
    .knobs = &nysx_knobs, \
    .clock_knob = NYSX_CLOCK_MHZ, \
    .units_knob = NYSX_UNITS, \
    .stages = stages, \
    .stage_count = NYSX_STAGE_COUNT, \
    .host_stages = 1u << NYSX_STAGE_QUERY, \
    .prepare_stages = 1u << NYSX_STAGE_PREPARE, \
    .steps = steps_of, \
    .overlap_knob = NYSX_OVERLAP, \
    .decides_items = DSE_BITS(KNOB(OVERLAP)), \
    .engines = engines, \
    .engine_count = ENGINE_COUNT, \
    .prepare = nysx_work_prepare, \
    .release = nysx_work_release, \
    .quantity = nysx_quantity, \
    .in_rtl = &nysx_rtl_model_family

const struct dse_model_family nysx_rtl_model_family = {
    FAMILY,
    .errors = rtl_errors,
    .error_count = sizeof rtl_errors / sizeof *rtl_errors,
    .blocks = rtl_blocks,
    .block_count = sizeof rtl_blocks / sizeof *rtl_blocks,
    .hardware = nysx_hardware,
};

const struct dse_model_family nysx_model_family = {
    FAMILY,
    .drains = true,
    .errors = errors,
    .error_count = sizeof errors / sizeof *errors,
    .built = {true, NYSX_NEE_FORM, NYSX_STREAMED},
    .blocks = blocks,
    .block_count = sizeof blocks / sizeof *blocks,
    .hardware = nysx_hardware,
};
