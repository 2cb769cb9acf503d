/* Mesh, DMA and decoder: waiting times of an instruction besides its engine's work. */
#include <math.h>
#include <string.h>

#include "models/smgpu/smgpu.h"

#define PACKET_FLITS 16.0
#define HEAD_BITS 14
#define PORTS 5
#define CHANNELS 2
#define DMA_BYTES 8.0
#define DECODE_CYCLES 3.0
#define WORD 4.0
#define HBM_MHZ 300.0
#define CROSSING_TICKS 4.0  /* HBM: two flip-flops of the request, and the first beat */
#define CROSSING_CYCLES 3.0 /* two flip-flops of the data, and the width converter */

#define VALUE(id) (config->value[SMGPU_KNOB_##id])

/* The machine's engines in the order of their routers. */
enum { AT_SPECTRAL, AT_HD, AT_TOPOLOGY, AT_REWRITE, AT_CACHE, AT_XBAR, AT_DMA, ENGINES_AT };

static double hops(const struct dse_config *config, int from, int to)
{
    int64_t side = VALUE(MESH), a = from % (side * side), b = to % (side * side);
    return fabs((double)(a % side - b % side)) + fabs((double)(a / side - b / side));
}

/* Flits for a number of bytes, including heads: one leaves per cycle. */
static double flits(const struct dse_config *config, double bytes)
{
    double payload = smgpu_trips(8.0 * bytes, (double)VALUE(PAYLOAD));
    return payload + smgpu_trips(payload, PACKET_FLITS);
}

static double hbm_rate(const struct dse_config *config)
{
    return (double)VALUE(CHANNELS) * 16.0 * HBM_MHZ / (double)VALUE(CLOCK_MHZ);
}

/* ---- the schedule ---- */

#define STEPS 7
#define NONE (-1)

/* An instruction: its input, from HBM (bytes, at the DMA's router) or from an earlier step's result, possibly at another router. */
struct step {
    enum smgpu_step what;
    int engine, after; /* step whose result it needs, or NONE */
    double hbm_bytes, mesh_bytes;
    int from; /* source of mesh_bytes */
};

/* Transfers a step's data by machine.c's rules for whole transfers; returns the end. A router sends one transfer at a time. From HBM it sends at
 * most the DMA's 64 bits per cycle or the channels' beats. Beats begin after the request has crossed to HBM's clock and back. */
static double send(const struct dse_config *config, double bytes, int from, int to, bool hbm, double asked, double *router_free)
{
    double dur = flits(config, bytes), begin = fmax(asked, *router_free), ratio = (double)VALUE(CLOCK_MHZ) / HBM_MHZ;
    if (bytes <= 0.0)
        return asked;
    if (VALUE(BUFFER) == 1 && hops(config, from, to) > 0.0)
        dur *= 2.0; /* a single-entry buffer accepts a flit every second cycle */
    if (hbm) {
        dur = fmax(dur, bytes / fmin(DMA_BYTES, hbm_rate(config)));
        begin = fmax(*router_free, asked + CROSSING_TICKS * ratio + CROSSING_CYCLES);
    }
    *router_free = begin + dur;
    return begin + dur + hops(config, from, to);
}

static double schedule(const struct dse_config *config, const struct smgpu_work *work, int c, const struct step *steps, size_t count)
{
    double engine_free[ENGINES_AT] = {0}, router_free[ENGINES_AT] = {0}, end[STEPS] = {0}, dispatched = DECODE_CYCLES - 1.0, all = 0.0;
    for (size_t i = 0; i < count; i++) {
        const struct step *s = &steps[i];
        dispatched = fmax(dispatched + 1.0, engine_free[s->engine]);
        if (VALUE(CHAINED) == 0)
            dispatched = fmax(dispatched, all);
        double asked = s->after == NONE ? dispatched : fmax(dispatched, end[s->after]);
        double there = send(config, s->hbm_bytes, AT_DMA, s->engine, true, asked, &router_free[AT_DMA]);
        there = fmax(there, send(config, s->mesh_bytes, s->from, s->engine, false, asked, &router_free[s->from]));
        end[i] = engine_free[s->engine] = there + fmax(smgpu_step_cycles(config, work, c, s->what), 1.0);
        all = fmax(all, end[i]);
    }
    return count > 0 ? all : 0.0;
}

static size_t find_steps(const struct dse_config *config, const struct smgpu_work *w, int c, struct step *out)
{
    size_t count = 0;
    double graph = WORD * (2.0 * w->edges[c] + w->nodes[c]);
    if (VALUE(SPECTRAL) != 0)
        out[count++] = (struct step){SMGPU_LAPLACIAN, AT_SPECTRAL, NONE, WORD * (2.0 * w->arcs[c] + w->nodes[c] + 1.0), 0.0, AT_DMA};
    if (VALUE(TOPOLOGY) != 0)
        out[count++] = (struct step){SMGPU_FILTRATION, AT_TOPOLOGY, NONE, 3.0 * WORD * w->edges[c], 0.0, AT_DMA};
    for (int p = 0; p < SMGPU_PATTERNS_LOOKED_FOR; p++) {
        if (VALUE(REWRITING) != 0)
            out[count++] = (struct step){SMGPU_MATCH, AT_REWRITE, NONE, graph, 0.0, AT_DMA};
        if (VALUE(SPECTRAL) != 0 && p == 0)
            out[count++] = (struct step){SMGPU_WAVELET, AT_SPECTRAL, 0, WORD * w->nodes[c], 0.0, AT_DMA};
    }
    return count;
}

static size_t encode_steps(const struct dse_config *config, const struct smgpu_work *w, int c, struct step *out)
{
    double row = WORD * (double)dse_ceil_div(VALUE(DIM), 32), vectors = w->tokens[c] * row;
    const struct step steps[] = {{SMGPU_GATHER, AT_DMA, NONE, 0.0, 0.0, AT_DMA}, {SMGPU_GATHER, AT_DMA, NONE, 0.0, 0.0, AT_DMA},
                                 {SMGPU_PERMUTE, AT_HD, 0, 0.0, vectors, AT_DMA}, {SMGPU_BIND, AT_HD, 1, 0.0, vectors, AT_DMA},
                                 {SMGPU_BUNDLE, AT_HD, 3, 0.0, 0.0, AT_DMA}, {SMGPU_QUERY, AT_CACHE, 4, 0.0, row, AT_HD}};
    memcpy(out, steps, sizeof steps);
    return sizeof steps / sizeof *steps;
}

static double stage_cycles(const struct dse_config *config, const struct smgpu_work *work, int c, int stage, double *hbm_bytes, double *bytes)
{
    struct step steps[STEPS];
    size_t count = stage == SMGPU_STAGE_FIND ? find_steps(config, work, c, steps) : encode_steps(config, work, c, steps);
    for (size_t i = 0; i < count; i++) {
        *hbm_bytes += steps[i].hbm_bytes;
        *bytes += steps[i].hbm_bytes + steps[i].mesh_bytes;
    }
    return schedule(config, work, c, steps, count);
}

/* Cycles of the busiest engine of a stage, from the engines' costs. */
static double busiest(const struct dse_config *config, const struct smgpu_work *work, int c, int stage)
{
    static const enum smgpu_step of[] = {SMGPU_LAPLACIAN, SMGPU_FILTRATION, SMGPU_MATCH, SMGPU_WAVELET, SMGPU_GATHER, SMGPU_PERMUTE,
                                         SMGPU_BIND, SMGPU_BUNDLE, SMGPU_QUERY};
    double t[sizeof of / sizeof *of];
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        t[of[i]] = smgpu_step_cycles(config, work, c, of[i]);
    if (stage == SMGPU_STAGE_FIND)
        return fmax(fmax(round(t[SMGPU_LAPLACIAN] + t[SMGPU_WAVELET]), round(t[SMGPU_FILTRATION])), round(SMGPU_PATTERNS_LOOKED_FOR * t[SMGPU_MATCH]));
    return fmax(fmax(round(2.0 * t[SMGPU_GATHER]), round(t[SMGPU_QUERY])), round(t[SMGPU_PERMUTE] + t[SMGPU_BIND] + t[SMGPU_BUNDLE]));
}

enum dse_status smgpu_cost_noc(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                  struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    double routers = (double)(VALUE(MESH) * VALUE(MESH)), bits = (double)(VALUE(PAYLOAD) + HEAD_BITS), busy = 0.0, moved = 0.0;
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        for (int s = 0; s < SMGPU_STAGES; s++) {
            double from_hbm = 0.0, bytes = 0.0, cycles = stage_cycles(config, context->work, c, s, &from_hbm, &bytes);
            out->fill_cycles[c][s] = dse_count(round(cycles - busiest(config, context->work, c, s)));
            busy += c == DSE_CASE_MEAN ? flits(config, bytes) : 0.0;
            moved += c == DSE_CASE_MEAN ? bytes : 0.0;
        }
    out->on_chip_bytes = dse_count(2.0 * moved);
    dse_build_fifo(&build, VALUE(BUFFER), (int64_t)bits, routers * PORTS * CHANNELS);
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, bits * (PORTS - 1), routers * PORTS);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, bits, routers * PORTS);
    return dse_build_finish(&build, busy, out);
}

/* Codebook rows to the tokens' places, 64 bits per cycle; and every graph's bytes from HBM. */
enum dse_status smgpu_cost_dma(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                  struct dse_error *err)
{
    const struct smgpu_work *work = context->work;
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    if (context->board->memory_count == 0) {
        dse_build_reject(&build, "the board %s has no memory", context->board->name);
        return DSE_OK;
    }
    double row = WORD * (double)dse_ceil_div(VALUE(DIM), 32) + WORD;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][SMGPU_STAGE_ENCODE] = dse_count(round(2.0 * smgpu_step_cycles(config, work, c, SMGPU_GATHER)));
        for (int s = 0; s < SMGPU_STAGES; s++) {
            double from_hbm = 0.0, bytes = 0.0;
            (void)stage_cycles(config, work, c, s, &from_hbm, &bytes);
            out->bytes[c][s][0] = dse_count(round(s == SMGPU_STAGE_ENCODE ? 2.0 * work->tokens[c] * row : from_hbm));
        }
    }
    dse_build_array(&build, DSE_STORAGE_AUTO, 256, 128, 1, 1, 1); /* descriptors */
    dse_build_m_axi(&build, 256, 1, 16, (double)VALUE(CHANNELS));
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, 64.0 * 3.0, (double)VALUE(CHANNELS)); /* 256 bits to 64 */
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 4.0, 1.0);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][SMGPU_STAGE_ENCODE], out);
}

enum dse_status smgpu_cost_decoder(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                      struct dse_error *err)
{
    struct dse_build build = dse_build_start(context, VALUE(CLOCK_MHZ), err);
    dse_build_fifo(&build, VALUE(QUEUE), 32, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_S_AXILITE, 8.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 7.0, 1.0);
    return dse_build_finish(&build, 0.0, out);
}
