/* Cycles of an instruction in its engine after its data have arrived (models/smgpu/microarchitecture.md, "The micro-architecture"). */
#include "models/smgpu/executor/machine.h"

#define STATED_STAGES 4
#define STATED_BUNDLE 20
#define MERGE_LANES 16       /* comparators of the bitonic merger */

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

/* ---- as built: the stages of models/smgpu/rtl ---- */

#define DIGITS 25            /* digits of a quotient of at most 1, one stage each */
#define PASS_ENDS 2          /* one cycle counts a pass's rounds, and another starts the next pass */
#define NORM_CYCLES (40 + 1) /* one digit of the root per cycle */
#define VALUE_CYCLES (33 + 1)
#define ROOTS_STAGES (8 * 9 + 28 + 3 + 8) /* eight Newton steps, 28 digits of the root, both ends and the path to the lanes */

/* Cycles from an entry's round to the last result of its row's sum: memories and product, the tree of the row's sum, the recurrence, the tree of
 * the squares. If longer, the division's digits. */
static uint64_t pass_stages(uint64_t depth)
{
    uint64_t stages = 12 + (2 * depth + 2) + 1 + 11 + depth, division = DIGITS + 9;
    return (stages > division ? stages : division) + PASS_ENDS;
}

static uint64_t built_spectral(const struct smgpu_hardware *h, unsigned sub, const struct smgpu_effort *e)
{
    uint64_t rows = (uint64_t)h->array_rows, fill = pass_stages(levels(rows)), nodes = over(e->nodes, rows) + fill;
    uint64_t product = over(e->nonzeros, rows) + fill, iterations = e->passes - 1;
    switch (sub) {
    case 0: /* degrees; reciprocals and roots of one node per cycle; the entries by row and by column */
        return 3 * (over(e->entries, rows) + fill) + e->nodes + ROOTS_STAGES + PASS_ENDS + 1;
    case 1: return iterations * (product + NORM_CYCLES + PASS_ENDS + nodes) + product + nodes + VALUE_CYCLES + PASS_ENDS + 1;
    case 2:
    case 3: return e->passes * product + nodes + 1;
    default: return product + 1;
    }
}

/* Six bits per table and a tree, one level per cycle. */
static uint64_t popcount_stages(uint64_t bits)
{
    return levels(over(bits, 6)) + 1;
}

static uint64_t rotation_stages(uint64_t bits)
{
    return over(levels(bits), 3);
}

/* Cycles of a vector's key; a pass over its rows gives one bit. */
static uint64_t projection(const struct smgpu_hardware *h, const struct smgpu_effort *e, uint64_t trips)
{
    return e->projections * trips + popcount_stages(32 * (uint64_t)h->banks) + 7;
}

static uint64_t built_vectors(const struct smgpu_hardware *h, unsigned sub, const struct smgpu_effort *e)
{
    uint64_t bits = 32 * (uint64_t)h->banks, trips = over(e->words, (uint64_t)h->banks), ends = rotation_stages(bits) + 9;
    switch (sub) {
    case 0: return e->vectors * trips + ends;
    case 3: return e->vectors * (trips + 2) + ends; /* its first row is read twice, and the rest leaves in one more round */
    case 4: return 2 * trips + popcount_stages(bits) + 5 + (uint64_t)e->digits;
    case 7: return e->vectors * trips + ends;
    default: return 2 * e->vectors * trips + ends; /* two operands through one reader */
    }
}

static uint64_t built_query(const struct smgpu_hardware *h, const struct smgpu_effort *e, uint64_t trips)
{
    uint64_t entries = e->entries > 0 ? e->entries : 1, key = 32 * over((uint64_t)h->key_bits, 32);
    return projection(h, e, trips) + entries + popcount_stages(key) + 8 + 14; /* digits of the score */
}

#define OPCODE(engine, sub) ((unsigned)(engine) << 4 | (sub))

static uint64_t stated(const struct smgpu_hardware *h, const struct smgpu_operation *operation, const struct smgpu_effort *e)
{
    const uint64_t banks = (uint64_t)h->banks;
    switch (OPCODE(operation->engine, operation->sub)) {
    case OPCODE(SMGPU_HD, 0): return STATED_BUNDLE;
    case OPCODE(SMGPU_HD, 1): /* bind, unbind, permute */
    case OPCODE(SMGPU_HD, 2):
    case OPCODE(SMGPU_HD, 3): return e->vectors;
    case OPCODE(SMGPU_HD, 4): return banks + 2;
    case OPCODE(SMGPU_HD, 5):
    case OPCODE(SMGPU_CACHE, 1): return e->entries;
    case OPCODE(SMGPU_HD, 6):
    case OPCODE(SMGPU_CACHE, 0):
    case OPCODE(SMGPU_HD, 7): return banks * e->vectors;
    default: return e->passes * (over(e->nonzeros, (uint64_t)h->array_rows) + STATED_STAGES);
    }
}

static uint64_t built(const struct smgpu_hardware *h, const struct smgpu_operation *operation, const struct smgpu_effort *e)
{
    const uint64_t trips = over(e->words, (uint64_t)h->banks);
    switch (OPCODE(operation->engine, operation->sub)) {
    case OPCODE(SMGPU_HD, 5):
    case OPCODE(SMGPU_CACHE, 1): return built_query(h, e, trips);
    case OPCODE(SMGPU_HD, 6):
    case OPCODE(SMGPU_CACHE, 0): return e->vectors * projection(h, &(struct smgpu_effort){.projections = e->projections / (e->vectors > 0 ? e->vectors : 1)}, trips);
    default: return operation->engine == SMGPU_HD ? built_vectors(h, operation->sub, e) : built_spectral(h, operation->sub, e);
    }
}

/* Cycles of engines that are the same in both forms. */
static uint64_t cycles_of(const struct smgpu_hardware *h, const struct smgpu_operation *operation, const struct smgpu_effort *e)
{
    const uint64_t depth = levels(e->edges);
    switch (OPCODE(operation->engine, operation->sub)) {
    case OPCODE(SMGPU_TOPOLOGY, 0): return over(e->edges, 2) + over(depth * (depth + 1) * e->edges, 4 * MERGE_LANES) + e->finds;
    case OPCODE(SMGPU_REWRITE, 0): return e->tries + e->matches;
    case OPCODE(SMGPU_REWRITE, 1): return e->nodes + e->edges;
    case OPCODE(SMGPU_XBAR, 0): /* one cell per cycle of the slow clock, or a row */
        return (uint64_t)((double)over(e->rows * (h->latencies == SMGPU_STATED ? e->columns : 1), (uint64_t)h->tiles) * h->core_hz / h->crossbar_hz + 0.5);
    default:
        return operation->engine == SMGPU_DMA ? over(e->bytes, 8) : h->latencies == SMGPU_STATED ? stated(h, operation, e) : built(h, operation, e);
    }
}

uint64_t smgpu_engine_cycles(const struct smgpu_hardware *hardware, const struct smgpu_operation *operation, const struct smgpu_effort *effort)
{
    uint64_t cycles = cycles_of(hardware, operation, effort);
    return cycles > 0 ? cycles : 1;
}
