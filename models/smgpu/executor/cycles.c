/* How long an instruction works in its engine once its data are there (models/smgpu/microarchitecture.md, "The micro-architecture"). */
#include "models/smgpu/executor/machine.h"

#define SPMV_STAGES 4
#define NEWTON_CYCLES 16     /* eight steps of two multiplications */
#define ROOT_CYCLES 32       /* a digit a cycle */
#define DIVIDER_CYCLES 32
#define MERGE_LANES 16       /* comparators of the bitonic merger */
#define STATED_BUNDLE 20

static uint64_t over(uint64_t work, uint64_t lanes)
{
    return (work + lanes - 1) / lanes;
}

static uint64_t levels(uint64_t inputs)
{
    uint64_t depth = 0;
    while (UINT64_C(1) << depth < inputs)
        depth++;
    return depth;
}

static uint64_t spectral(const struct smgpu_hardware *h, const struct smgpu_operation *operation, const struct smgpu_effort *e)
{
    uint64_t rows = (uint64_t)h->array_rows, product = over(e->nonzeros, rows) + SPMV_STAGES, cycles = e->passes * product;
    if (h->latencies == SMGPU_STATED || !e->root)
        return cycles;
    if (operation->sub == 0) /* the Laplacian: degrees first, a node a cycle through the reciprocal and its root */
        return cycles + over(e->nonzeros, rows) + e->nodes + NEWTON_CYCLES + ROOT_CYCLES;
    return cycles + e->passes * (2 * over(e->nodes, rows) + ROOT_CYCLES + DIVIDER_CYCLES); /* the norm, and the division by it */
}

#define OPCODE(engine, sub) ((unsigned)(engine) << 4 | (sub))

static uint64_t cycles_of(const struct smgpu_hardware *h, const struct smgpu_operation *operation, const struct smgpu_effort *e)
{
    const bool stated = h->latencies == SMGPU_STATED;
    const uint64_t banks = (uint64_t)h->banks, turns = over(e->words, banks), depth = levels(e->edges);
    switch (OPCODE(operation->engine, operation->sub)) {
    case OPCODE(SMGPU_HD, 0): return stated ? STATED_BUNDLE : (e->vectors + 1) * turns;
    case OPCODE(SMGPU_HD, 1): /* bind, unbind, permute */
    case OPCODE(SMGPU_HD, 2):
    case OPCODE(SMGPU_HD, 3): return e->vectors * (stated ? 1 : turns);
    case OPCODE(SMGPU_HD, 4): return stated ? banks + 2 : turns + levels(32 * banks) + DIVIDER_CYCLES;
    case OPCODE(SMGPU_HD, 5): /* a key's bit takes a pass over the query; then an entry per cycle */
    case OPCODE(SMGPU_CACHE, 1): return e->entries + (stated ? 0 : e->projections * turns);
    case OPCODE(SMGPU_HD, 6):
    case OPCODE(SMGPU_CACHE, 0): return stated ? banks * e->vectors : e->projections * turns;
    case OPCODE(SMGPU_HD, 7): return e->vectors * (stated ? banks : turns);
    case OPCODE(SMGPU_TOPOLOGY, 0): return over(e->edges, 2) + over(depth * (depth + 1) * e->edges, 4 * MERGE_LANES) + e->finds;
    case OPCODE(SMGPU_REWRITE, 0): return e->tries + e->matches;
    case OPCODE(SMGPU_REWRITE, 1): return e->nodes + e->edges;
    case OPCODE(SMGPU_XBAR, 0): /* a cell a cycle of the slow clock, or a row */
        return (uint64_t)((double)over(e->rows * (stated ? e->columns : 1), (uint64_t)h->tiles) * h->core_hz / h->crossbar_hz + 0.5);
    default: return operation->engine == SMGPU_DMA ? over(e->bytes, 8) : spectral(h, operation, e);
    }
}

uint64_t smgpu_engine_cycles(const struct smgpu_hardware *hardware, const struct smgpu_operation *operation, const struct smgpu_effort *effort)
{
    uint64_t cycles = cycles_of(hardware, operation, effort);
    return cycles > 0 ? cycles : 1;
}
