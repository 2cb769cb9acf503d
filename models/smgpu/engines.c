/* The engines: their own work (models/smgpu/microarchitecture.md, "The micro-architecture"), memories and operators. */
#include <math.h>

#include "models/smgpu/smgpu.h"

#define ROWS_BITS 32
#define ARCS_A_NODE 16
#define STATED_STAGES 4.0
#define PASS_STAGES 28.0 /* stages of a pass over the entries: memories, a product, the recurrence; plus three levels per doubling of the rows */
#define PASS_LEAST 36.0  /* for the 25 digits of the division */
#define ROOT_STAGES 113.0
#define QUERY_STAGES 29.0
#define VECTOR_STAGES 9.0
#define VECTORS 4096
#define VOTE_BITS 18
#define STATED_BUNDLE 20
#define MERGE_LANES 16
#define TILE 1024
#define CELL_BITS 8
#define WORD_BYTES 4.0
#define DMA_BYTES 8.0

#define VALUE(id) (config->value[SMGPU_KNOB_##id])

static bool stated(const struct dse_config *config)
{
    return VALUE(LATENCIES) == 0;
}

double smgpu_trips(double mean, double lanes)
{
    return mean > 0.0 ? mean / lanes + 0.5 * (1.0 - 1.0 / lanes) : 0.0;
}

double smgpu_vector_trips(const struct dse_config *config)
{
    return (double)dse_ceil_div(dse_ceil_div(VALUE(DIM), 32), VALUE(BANKS));
}

static double entries_of(const struct dse_config *config, const struct smgpu_work *work)
{
    return VALUE(RECALL) == SMGPU_BY_PROTOTYPES ? work->classes[0] : fmin(work->taught[0], (double)VALUE(ENTRIES));
}

/* Two edges per word from memory, the bitonic merger, and one find per cycle per parent read. */
static double filtration(const struct smgpu_work *work, int c)
{
    double depth = work->edges[c] > 1.0 ? ceil(log2(work->edges[c])) : 0.0;
    return smgpu_trips(work->edges[c], 2.0) + smgpu_trips(depth * (depth + 1.0) * work->edges[c], 4.0 * MERGE_LANES) + work->finds[c];
}

/* Cycles of a spectral pass besides its iterations. */
static double pass_fill(double rows)
{
    return fmax(PASS_STAGES + 3.0 * log2(rows), PASS_LEAST);
}

/* Rotation: one level per doubling of the bits, three levels per cycle. */
static double rotation_fill(const struct dse_config *config)
{
    return ceil(ceil(log2(32.0 * (double)VALUE(BANKS))) / 3.0) + VECTOR_STAGES;
}

/* Population count: six bits per table, then a tree. */
static double popcount_fill(double bits)
{
    return 1.0 + ceil(log2(ceil(bits / 6.0)));
}

double smgpu_step_cycles(const struct dse_config *config, const struct smgpu_work *work, int c, enum smgpu_step step)
{
    double rows = (double)VALUE(ROWS), tokens = work->tokens[c], trips = smgpu_vector_trips(config);
    double kept = smgpu_trips(work->arcs[c] + work->nodes[c], rows);
    switch (step) {
    case SMGPU_LAPLACIAN: /* degrees; reciprocals and roots of one node per cycle; the entries by row and by column */
        if (VALUE(SPECTRAL) == 0)
            return 0.0;
        return stated(config) ? smgpu_trips(work->arcs[c], rows) + STATED_STAGES : 3.0 * (kept + pass_fill(rows)) + work->nodes[c] + ROOT_STAGES + 1.0;
    case SMGPU_WAVELET: /* the vector itself, and one product per order */
        if (VALUE(SPECTRAL) == 0)
            return 0.0;
        return stated(config) ? (double)VALUE(ORDER) * (kept + STATED_STAGES)
                              : (double)VALUE(ORDER) * (kept + pass_fill(rows)) + smgpu_trips(work->nodes[c], rows) + pass_fill(rows) + 1.0;
    case SMGPU_FILTRATION:
        return VALUE(TOPOLOGY) == 0 ? 0.0 : filtration(work, c);
    case SMGPU_MATCH: /* one candidate per cycle, and one cycle per match */
        return VALUE(REWRITING) == 0 ? 0.0 : (work->tries[c] + work->matches[c]) / SMGPU_PATTERNS_LOOKED_FOR;
    case SMGPU_GATHER: /* rows of the codebook and their numbers, 64 bits per cycle */
        return smgpu_trips(tokens * (WORD_BYTES * (double)dse_ceil_div(VALUE(DIM), 32) + WORD_BYTES), DMA_BYTES);
    case SMGPU_PERMUTE: /* two extra rows per vector: the repeated first row, and the remainder */
        return stated(config) ? tokens : tokens * (trips + 2.0) + rotation_fill(config);
    case SMGPU_BIND: /* two operands, one reader */
        return stated(config) ? tokens : 2.0 * tokens * trips + rotation_fill(config);
    case SMGPU_BUNDLE:
        return stated(config) ? STATED_BUNDLE : tokens * trips + rotation_fill(config);
    default: /* one pass over the query per key bit; then one entry per cycle */
        return entries_of(config, work) + (stated(config) ? 0.0
                                                          : (double)VALUE(REDUCED) * trips + popcount_fill(32.0 * (double)VALUE(BANKS)) +
                                                                popcount_fill((double)VALUE(REDUCED)) + QUERY_STAGES);
    }
}

static void put(struct dse_accumulators *out, enum smgpu_model_stage stage, int c, double busy)
{
    out->busy_cycles[c][stage] = dse_count(round(busy));
}

static double busy_of(const struct dse_accumulators *out, enum smgpu_model_stage stage)
{
    return (double)out->busy_cycles[DSE_CASE_MEAN][stage];
}

enum dse_status smgpu_cost_spectral(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                       struct dse_error *err)
{
    const struct smgpu_work *work = context->work;
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    double rows = (double)VALUE(ROWS), order = (double)VALUE(ORDER);
    int64_t nodes = VALUE(NODES), nonzeros = ARCS_A_NODE * nodes;
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        put(out, SMGPU_STAGE_FIND, c, smgpu_step_cycles(config, work, c, SMGPU_LAPLACIAN) + smgpu_step_cycles(config, work, c, SMGPU_WAVELET));
    if (VALUE(SPECTRAL) != 0) {
        double products = 2.0 * work->arcs[0] + order * (work->arcs[0] + 2.0 * work->nodes[0]);
        out->operations[DSE_INT32] = dse_count(2.0 * products);
        out->on_chip_bytes = dse_count(products * 12.0);
    }
    dse_build_operator(&build, DSE_OP_MAC, DSE_INT32, rows * rows);
    dse_build_operator(&build, DSE_OP_MUL, DSE_INT32, 2.0); /* Newton steps */
    dse_build_array(&build, DSE_STORAGE_AUTO, nonzeros + nodes, ROWS_BITS + dse_bits_for(nodes), VALUE(ROWS), 2, 1); /* A and L */
    dse_build_array(&build, DSE_STORAGE_AUTO, nodes, ROWS_BITS, VALUE(ROWS), 4, 1);                                  /* vectors of the recurrence */
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 4.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 10.0, 1.0);
    dse_build_datapath(&build);
    return dse_build_finish(&build, busy_of(out, SMGPU_STAGE_FIND), out);
}

/* One word per bank per cycle; votes accumulate in the banks. */
enum dse_status smgpu_cost_hd(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                 struct dse_error *err)
{
    const struct smgpu_work *work = context->work;
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    double trips = smgpu_vector_trips(config), lanes = 32.0 * (double)VALUE(BANKS);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        put(out, SMGPU_STAGE_ENCODE, c,
            smgpu_step_cycles(config, work, c, SMGPU_PERMUTE) + smgpu_step_cycles(config, work, c, SMGPU_BIND) +
                smgpu_step_cycles(config, work, c, SMGPU_BUNDLE));
    out->operations[DSE_BINARY] = dse_count(2.0 * work->tokens[0] * (double)VALUE(DIM));
    out->on_chip_bytes = dse_count(5.0 * work->tokens[0] * (double)VALUE(DIM) / 8.0);
    dse_build_array(&build, VALUE(HD_MEMORY) != 0 ? DSE_STORAGE_URAM : DSE_STORAGE_BRAM, VECTORS * (int64_t)trips * VALUE(BANKS), ROWS_BITS,
                    VALUE(BANKS), 1, 1);
    dse_build_array(&build, DSE_STORAGE_AUTO, (int64_t)trips * VALUE(BANKS), 32 * VOTE_BITS, VALUE(BANKS), 1, 1);
    dse_build_structure(&build, DSE_STRUCTURE_ADDER, VOTE_BITS, lanes);
    dse_build_structure(&build, DSE_STRUCTURE_XNOR_DOT, lanes, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, lanes * 5.0, 1.0); /* rotation within a word, for PERMUTE */
    dse_build_structure(&build, DSE_STRUCTURE_RANDOM, lanes, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 4.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return dse_build_finish(&build, busy_of(out, SMGPU_STAGE_ENCODE), out);
}

enum dse_status smgpu_cost_topology(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                       struct dse_error *err)
{
    const struct smgpu_work *work = context->work;
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    int64_t nodes = VALUE(NODES);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        put(out, SMGPU_STAGE_FIND, c, smgpu_step_cycles(config, work, c, SMGPU_FILTRATION));
    if (VALUE(TOPOLOGY) != 0)
        out->on_chip_bytes = dse_count(12.0 * work->edges[0] + 2.0 * work->finds[0]);
    dse_build_array(&build, DSE_STORAGE_AUTO, nodes, 16 + 5, 1, 1, 2);       /* parent and rank */
    dse_build_array(&build, DSE_STORAGE_AUTO, nodes, 32, 1, 1, 1);           /* the barcode */
    dse_build_array(&build, DSE_STORAGE_AUTO, 64 * MERGE_LANES, 64, MERGE_LANES, 2, 1);
    dse_build_structure(&build, DSE_STRUCTURE_COMPARATOR, 64.0, MERGE_LANES);
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, 2.0 * 96.0, MERGE_LANES);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, 96.0, 4.0 * MERGE_LANES);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 4.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return dse_build_finish(&build, busy_of(out, SMGPU_STAGE_FIND), out);
}

enum dse_status smgpu_cost_rewrite(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                      struct dse_error *err)
{
    const struct smgpu_work *work = context->work;
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    int64_t nodes = VALUE(NODES), node_bits = dse_bits_for(nodes);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        put(out, SMGPU_STAGE_FIND, c, SMGPU_PATTERNS_LOOKED_FOR * smgpu_step_cycles(config, work, c, SMGPU_MATCH));
    if (VALUE(REWRITING) != 0)
        out->on_chip_bytes = dse_count(4.0 * work->tries[0]);
    dse_build_array(&build, DSE_STORAGE_AUTO, ARCS_A_NODE * nodes, node_bits, 1, 1, 8); /* neighbours: the candidate and seven edge tests in parallel */
    dse_build_array(&build, DSE_STORAGE_AUTO, nodes, 20, 1, 1, 8);
    dse_build_array(&build, DSE_STORAGE_AUTO, 256 * 8, node_bits, 1, 1, 1);
    dse_build_structure(&build, DSE_STRUCTURE_COMPARATOR, (double)node_bits, 2.0 * 8.0);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, 64.0 * (double)node_bits, 1.0); /* the stack */
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 10.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return dse_build_finish(&build, busy_of(out, SMGPU_STAGE_FIND), out);
}

enum dse_status smgpu_cost_cache(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                    struct dse_error *err)
{
    const struct smgpu_work *work = context->work;
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    double entries = entries_of(config, work);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        put(out, SMGPU_STAGE_ENCODE, c, smgpu_step_cycles(config, work, c, SMGPU_QUERY));
    out->operations[DSE_BINARY] = dse_count(2.0 * (double)VALUE(REDUCED) * (entries + (double)VALUE(DIM)));
    out->on_chip_bytes = dse_count((double)VALUE(REDUCED) * (entries + (double)VALUE(DIM)) / 8.0);
    dse_build_array(&build, DSE_STORAGE_AUTO, VALUE(ENTRIES), VALUE(REDUCED), 1, 1, 1);
    dse_build_array(&build, DSE_STORAGE_AUTO, VALUE(REDUCED) * (int64_t)smgpu_vector_trips(config), 32 * VALUE(BANKS), 1, 1, 1);
    dse_build_structure(&build, DSE_STRUCTURE_XNOR_DOT, (double)VALUE(REDUCED), 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_XNOR_DOT, 32.0 * (double)VALUE(BANKS), 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_COMPARATOR, 16.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return dse_build_finish(&build, busy_of(out, SMGPU_STAGE_ENCODE), out);
}

/* The task does not use the crossbar: it counts as area only. */
enum dse_status smgpu_cost_crossbar(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                       struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    dse_build_array(&build, DSE_STORAGE_AUTO, VALUE(TILES) * TILE * TILE / 8, 8 * CELL_BITS, VALUE(TILES), 1, 1);
    dse_build_operator(&build, DSE_OP_MAC, DSE_INT8, (double)VALUE(TILES));
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, (double)VALUE(TILES));
    return dse_build_finish(&build, 0.0, out);
}
