/* How long an instruction works in its engine once its data are there (models/smgpu/README.md, "The micro-architecture"). */
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

static uint64_t hd(const struct smgpu_hardware *h, const struct smgpu_operation *operation, const struct smgpu_effort *e)
{
    enum { BUNDLE, BIND, UNBIND, PERMUTE, SIMILARITY, ASSOC_READ, ASSOC_WRITE, GENERATE };
    uint64_t banks = (uint64_t)h->banks, turns = over(e->words, banks);
    bool stated = h->latencies == SMGPU_STATED;
    switch (operation->sub) {
    case BUNDLE:
        return stated ? STATED_BUNDLE : (e->vectors + 1) * turns;
    case BIND:
    case UNBIND:
    case PERMUTE:
        return e->vectors * (stated ? 1 : turns);
    case SIMILARITY:
        return stated ? banks + 2 : turns + levels(32 * banks) + DIVIDER_CYCLES;
    case ASSOC_READ:
        return e->entries + (stated ? 0 : e->projections * turns);
    case ASSOC_WRITE:
        return stated ? banks * e->vectors : e->projections * turns;
    default:
        return e->vectors * (stated ? banks : turns);
    }
}

static uint64_t cache(const struct smgpu_hardware *h, const struct smgpu_operation *operation, const struct smgpu_effort *e)
{
    static const struct smgpu_operation write = {.sub = 6}, read = {.sub = 5};
    return hd(h, operation->sub == 0 ? &write : &read, e);
}

static uint64_t topology(const struct smgpu_hardware *h, const struct smgpu_operation *operation, const struct smgpu_effort *e)
{
    uint64_t depth = levels(e->edges);
    (void)h, (void)operation;
    return over(e->edges, 2) + over(depth * (depth + 1) * e->edges, 4 * MERGE_LANES) + e->finds;
}

static uint64_t rewrite(const struct smgpu_hardware *h, const struct smgpu_operation *operation, const struct smgpu_effort *e)
{
    (void)h;
    return operation->sub == 0 ? e->tries + e->matches : e->nodes + e->edges;
}

/* A cell a cycle of the slow clock, or a row. */
static uint64_t crossbar(const struct smgpu_hardware *h, const struct smgpu_operation *operation, const struct smgpu_effort *e)
{
    uint64_t slow = over(e->rows * (h->latencies == SMGPU_STATED ? e->columns : 1), (uint64_t)h->tiles);
    (void)operation;
    return (uint64_t)((double)slow * h->core_hz / h->crossbar_hz + 0.5);
}

static uint64_t dma(const struct smgpu_hardware *h, const struct smgpu_operation *operation, const struct smgpu_effort *e)
{
    (void)h, (void)operation;
    return over(e->bytes, 8);
}

uint64_t smgpu_engine_cycles(const struct smgpu_hardware *hardware, const struct smgpu_operation *operation, const struct smgpu_effort *effort)
{
    static uint64_t (*const of[SMGPU_ENGINES])(const struct smgpu_hardware *, const struct smgpu_operation *, const struct smgpu_effort *) = {
        spectral, hd, topology, rewrite, cache, crossbar, dma};
    uint64_t cycles = of[operation->engine](hardware, operation, effort);
    return cycles > 0 ? cycles : 1;
}
