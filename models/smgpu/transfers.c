/* Mesh, DMA and decoder: what an instruction waits for besides its engine's work. */
#include <math.h>
#include <stdlib.h>

#include "models/smgpu/smgpu.h"

#define PACKET_FLITS 16.0
#define HEAD_BITS 14
#define PORTS 5
#define CHANNELS 2
#define DMA_BYTES 8.0
#define DECODE_CYCLES 3.0
#define WORD 4.0
#define PATTERNS 4.0

#define VALUE(id) (config->value[SMGPU_KNOB_##id])

/* The machine's engines in the order of their routers. */
enum { AT_SPECTRAL, AT_HD, AT_TOPOLOGY, AT_REWRITE, AT_CACHE, AT_XBAR, AT_DMA };

static double hops(const struct dse_config *config, int from, int to)
{
    int64_t side = VALUE(MESH), a = from % (side * side), b = to % (side * side);
    return fabs((double)(a % side - b % side)) + fabs((double)(a / side - b / side));
}

/* Flits of so many bytes, heads among them: one leaves a cycle. */
static double flits(const struct dse_config *config, double bytes)
{
    double payload = smgpu_turns(8.0 * bytes, (double)VALUE(PAYLOAD));
    return payload + smgpu_turns(payload, PACKET_FLITS);
}

/* Cycles from the request until all is there; from HBM no faster than the DMA's 64 bits, or the channels' beats, fill the flits. */
static double way(const struct dse_config *config, double bytes, int from, int to, bool hbm, double hbm_bytes_a_cycle)
{
    double cycles = flits(config, bytes);
    if (bytes <= 0.0)
        return 0.0;
    if (hbm)
        cycles = fmax(cycles, bytes / fmin(DMA_BYTES, hbm_bytes_a_cycle));
    return cycles + hops(config, from, to) + 1.0;
}

static double hbm_rate(const struct dse_config *config)
{
    return (double)VALUE(CHANNELS) * 16.0 * 300.0 / (double)VALUE(CLOCK_MHZ);
}

/* Bytes that come to each stage's engine in a case, from HBM and from another engine. */
struct ways {
    double cycles[SMGPU_STAGES], bytes[SMGPU_STAGES], hbm_bytes[SMGPU_STAGES];
};

static void add(const struct dse_config *config, struct ways *ways, enum smgpu_model_stage stage, double bytes, int from, int to, bool hbm)
{
    ways->cycles[stage] += way(config, bytes, from, to, hbm, hbm_rate(config));
    ways->bytes[stage] += bytes;
    ways->hbm_bytes[stage] += hbm ? bytes : 0.0;
}

static struct ways ways_of(const struct dse_config *config, const struct smgpu_work *w, int c)
{
    struct ways ways = {.cycles = {0}};
    double vectors = w->tokens[c] * WORD * (double)dse_ceil_div(VALUE(DIM), 32);
    if (VALUE(SPECTRAL) != 0) {
        add(config, &ways, SMGPU_STAGE_SPECTRAL, WORD * (2.0 * w->arcs[c] + w->nodes[c] + 1.0), AT_DMA, AT_SPECTRAL, true);
        add(config, &ways, SMGPU_STAGE_SPECTRAL, WORD * w->nodes[c], AT_DMA, AT_SPECTRAL, true);
    }
    if (VALUE(TOPOLOGY) != 0)
        add(config, &ways, SMGPU_STAGE_TOPOLOGY, 3.0 * WORD * w->edges[c], AT_DMA, AT_TOPOLOGY, true);
    for (int p = 0; p < (int)PATTERNS && VALUE(REWRITING) != 0; p++)
        add(config, &ways, SMGPU_STAGE_REWRITE, WORD * (2.0 * w->edges[c] + w->nodes[c]), AT_DMA, AT_REWRITE, true);
    add(config, &ways, SMGPU_STAGE_ENCODE, vectors, AT_DMA, AT_HD, false);
    add(config, &ways, SMGPU_STAGE_ENCODE, vectors, AT_DMA, AT_HD, false);
    add(config, &ways, SMGPU_STAGE_RECALL, WORD * (double)dse_ceil_div(VALUE(DIM), 32), AT_HD, AT_CACHE, false);
    return ways;
}

enum dse_status smgpu_account_noc(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                  struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    double routers = (double)(VALUE(MESH) * VALUE(MESH)), bits = (double)(VALUE(PAYLOAD) + HEAD_BITS), busy = 0.0, moved = 0.0;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        struct ways ways = ways_of(config, context->work, c);
        for (int s = 0; s < SMGPU_STAGES; s++) {
            out->fill_cycles[c][s] = dse_cycles(round(ways.cycles[s]));
            busy += c == DSE_CASE_MEAN ? ways.cycles[s] : 0.0;
            moved += c == DSE_CASE_MEAN ? ways.bytes[s] : 0.0;
        }
    }
    out->on_chip_bytes = dse_count(2.0 * moved);
    dse_build_fifo(&build, VALUE(BUFFER), (int64_t)bits, routers * PORTS * CHANNELS);
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, bits * (PORTS - 1), routers * PORTS);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, bits, routers * PORTS);
    return dse_build_finish(&build, busy, out);
}

/* Rows of the codebook to the tokens' places, 64 bits a cycle; and the bytes of every graph from HBM. */
enum dse_status smgpu_account_dma(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                  struct dse_error *err)
{
    const struct smgpu_work *work = context->work;
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    if (context->board->memory_count == 0) {
        dse_build_refuse(&build, "the board %s has no memory", context->board->name);
        return DSE_OK;
    }
    double row = WORD * (double)dse_ceil_div(VALUE(DIM), 32) + WORD;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        struct ways ways = ways_of(config, work, c);
        out->busy_cycles[c][SMGPU_STAGE_GATHER] = dse_cycles(round(2.0 * smgpu_turns(work->tokens[c] * row, DMA_BYTES)));
        for (int s = 0; s < SMGPU_STAGES; s++)
            out->bytes[c][s][0] = dse_cycles(round(s == SMGPU_STAGE_GATHER ? 2.0 * work->tokens[c] * row : ways.hbm_bytes[s]));
    }
    dse_build_array(&build, DSE_STORAGE_AUTO, 256, 128, 1, 1, 1); /* descriptors */
    dse_build_m_axi(&build, 256, 1, 16, (double)VALUE(CHANNELS));
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, 64.0 * 3.0, (double)VALUE(CHANNELS)); /* 256 bits to 64 */
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 4.0, 1.0);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][SMGPU_STAGE_GATHER], out);
}

/* Each program's first instruction waits for its decoding. */
enum dse_status smgpu_account_decoder(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                      struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        out->fill_cycles[c][SMGPU_STAGE_GATHER] = dse_cycles(DECODE_CYCLES);
    dse_build_fifo(&build, VALUE(QUEUE), 32, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_S_AXILITE, 8.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 7.0, 1.0);
    return dse_build_finish(&build, 0.0, out);
}
