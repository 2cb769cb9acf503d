/* The engines: their own work (models/smgpu/microarchitecture.md, "The micro-architecture"), memories and operators. */
#include <math.h>

#include "models/smgpu/smgpu.h"

#define ROWS_BITS 32
#define ARCS_A_NODE 16
#define SPMV_STAGES 4
#define NEWTON_AND_ROOT 48
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

double smgpu_turns(double mean, double lanes)
{
    return mean > 0.0 ? mean / lanes + 0.5 * (1.0 - 1.0 / lanes) : 0.0;
}

double smgpu_vector_turns(const struct dse_config *config)
{
    return (double)dse_ceil_div(dse_ceil_div(VALUE(DIM), 32), VALUE(BANKS));
}

static double entries_of(const struct dse_config *config, const struct smgpu_work *work)
{
    return VALUE(RECALL) == SMGPU_BY_PROTOTYPES ? work->classes[0] : fmin(work->taught[0], (double)VALUE(ENTRIES));
}

/* Two edges a word from memory, the bitonic merger, and a find a cycle for each parent that is read. */
static double filtration(const struct smgpu_work *work, int c)
{
    double depth = work->edges[c] > 1.0 ? ceil(log2(work->edges[c])) : 0.0;
    return smgpu_turns(work->edges[c], 2.0) + smgpu_turns(depth * (depth + 1.0) * work->edges[c], 4.0 * MERGE_LANES) + work->finds[c];
}

double smgpu_step_cycles(const struct dse_config *config, const struct smgpu_work *work, int c, enum smgpu_step step)
{
    double rows = (double)VALUE(ROWS), tokens = work->tokens[c], turns = smgpu_vector_turns(config);
    double product = smgpu_turns(work->arcs[c], rows);
    switch (step) {
    case SMGPU_LAPLACIAN: /* degrees, and a node a cycle through the reciprocal and its root */
        return VALUE(SPECTRAL) == 0 ? 0.0 : product + SPMV_STAGES + (stated(config) ? 0.0 : product + work->nodes[c] + NEWTON_AND_ROOT);
    case SMGPU_WAVELET:
        return VALUE(SPECTRAL) == 0 ? 0.0 : (double)VALUE(ORDER) * (smgpu_turns(work->arcs[c] + work->nodes[c], rows) + SPMV_STAGES);
    case SMGPU_FILTRATION:
        return VALUE(TOPOLOGY) == 0 ? 0.0 : filtration(work, c);
    case SMGPU_MATCH: /* a candidate a cycle, and a cycle a match */
        return VALUE(REWRITING) == 0 ? 0.0 : (work->tries[c] + work->matches[c]) / SMGPU_PATTERNS_LOOKED_FOR;
    case SMGPU_GATHER: /* rows of the codebook and their numbers, 64 bits per cycle */
        return smgpu_turns(tokens * (WORD_BYTES * (double)dse_ceil_div(VALUE(DIM), 32) + WORD_BYTES), DMA_BYTES);
    case SMGPU_PERMUTE:
    case SMGPU_BIND:
        return tokens * (stated(config) ? 1.0 : turns);
    case SMGPU_BUNDLE:
        return stated(config) ? STATED_BUNDLE : (tokens + 1.0) * turns;
    default: /* a key's bit takes a pass over the query; then an entry per cycle */
        return entries_of(config, work) + (stated(config) ? 0.0 : (double)VALUE(REDUCED) * turns);
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
    dse_build_operator(&build, DSE_OP_MUL, DSE_INT32, 2.0); /* of the Newton steps */
    dse_build_array(&build, DSE_STORAGE_AUTO, nonzeros + nodes, ROWS_BITS + dse_bits_for(nodes), VALUE(ROWS), 2, 1); /* A and L */
    dse_build_array(&build, DSE_STORAGE_AUTO, nodes, ROWS_BITS, VALUE(ROWS), 4, 1);                                  /* of the recurrence */
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 4.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 10.0, 1.0);
    dse_build_datapath(&build);
    return dse_build_finish(&build, busy_of(out, SMGPU_STAGE_FIND), out);
}

/* A word a bank and cycle; votes stay in the banks' accumulators. */
enum dse_status smgpu_cost_hd(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                 struct dse_error *err)
{
    const struct smgpu_work *work = context->work;
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    double turns = smgpu_vector_turns(config), lanes = 32.0 * (double)VALUE(BANKS);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        put(out, SMGPU_STAGE_ENCODE, c,
            smgpu_step_cycles(config, work, c, SMGPU_PERMUTE) + smgpu_step_cycles(config, work, c, SMGPU_BIND) +
                smgpu_step_cycles(config, work, c, SMGPU_BUNDLE));
    out->operations[DSE_BINARY] = dse_count(2.0 * work->tokens[0] * (double)VALUE(DIM));
    out->on_chip_bytes = dse_count(5.0 * work->tokens[0] * (double)VALUE(DIM) / 8.0);
    dse_build_array(&build, VALUE(HD_MEMORY) != 0 ? DSE_STORAGE_URAM : DSE_STORAGE_BRAM, VECTORS * (int64_t)turns * VALUE(BANKS), ROWS_BITS,
                    VALUE(BANKS), 1, 1);
    dse_build_array(&build, DSE_STORAGE_AUTO, (int64_t)turns * VALUE(BANKS), 32 * VOTE_BITS, VALUE(BANKS), 1, 1);
    dse_build_structure(&build, DSE_STRUCTURE_ADDER, VOTE_BITS, lanes);
    dse_build_structure(&build, DSE_STRUCTURE_XNOR_DOT, lanes, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, lanes * 5.0, 1.0); /* the rotation of PERMUTE within a word */
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
    dse_build_array(&build, DSE_STORAGE_AUTO, ARCS_A_NODE * nodes, node_bits, 1, 1, 8); /* neighbours: the candidate and seven edge tests */
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
    dse_build_array(&build, DSE_STORAGE_AUTO, VALUE(REDUCED) * (int64_t)smgpu_vector_turns(config), 32 * VALUE(BANKS), 1, 1, 1);
    dse_build_structure(&build, DSE_STRUCTURE_XNOR_DOT, (double)VALUE(REDUCED), 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_XNOR_DOT, 32.0 * (double)VALUE(BANKS), 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_COMPARATOR, 16.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return dse_build_finish(&build, busy_of(out, SMGPU_STAGE_ENCODE), out);
}

/* The task does not use it: it costs its place. */
enum dse_status smgpu_cost_crossbar(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                       struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    dse_build_array(&build, DSE_STORAGE_AUTO, VALUE(TILES) * TILE * TILE / 8, 8 * CELL_BITS, VALUE(TILES), 1, 1);
    dse_build_operator(&build, DSE_OP_MAC, DSE_INT8, (double)VALUE(TILES));
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, (double)VALUE(TILES));
    return dse_build_finish(&build, 0.0, out);
}
