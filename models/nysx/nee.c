/* NEE: h = sign(P_nys C) (paper, section 5.2.5), in three forms of the projection.
 *
 * Lanes work on rows of P; each row adds its landmarks in ascending order. A floating-point adder takes several
 * cycles, so a lane interleaves one more row than the adder has cycles. A group of lanes × `interleave` rows passes over
 * all landmarks, with one multiply-accumulate per lane and cycle. Integers need no interleaving.
 *
 * - streamed: P_nys comes through the memory port (port.c).
 * - resident: P_nys is on chip.
 * - factored: φ = Λ^(-1/2) Qᵀ C by a small array with its r × s matrix on chip, then P_rp φ with generated entries. */
#include "models/build.h"
#include "models/nysx/nysx.h"

static const enum dse_precision precision_of[] = {DSE_FP32, DSE_FP16, DSE_BF16, DSE_INT16,
                                                  DSE_INT8, DSE_INT4, DSE_BINARY};
static const enum dse_precision phi_precision_of[] = {DSE_INT8, DSE_INT16, DSE_INT32, DSE_FP32};

/* The array for φ has a sixteenth of the lanes: its r × s products are few compared with d × r. */
#define PHI_LANES_SHARE 16
#define PHI_LANES_LEAST 4

int64_t nysx_phi_lanes(int64_t lanes)
{
    return lanes / PHI_LANES_SHARE < PHI_LANES_LEAST ? PHI_LANES_LEAST : lanes / PHI_LANES_SHARE;
}

#define GENERATOR_ROWS 8 /* rows per 64-bit generator of P_rp, one byte per step each */

int64_t nysx_generators(int64_t rows)
{
    return dse_ceil_div(rows % GENERATOR_ROWS == 0 ? rows : rows + GENERATOR_ROWS - 1, GENERATOR_ROWS);
}

struct nee {
    const struct nysx_work *work;
    int64_t dim, lanes;
    int64_t cycles, depth; /* sums over all loops: iterations and pipeline fill */
    int64_t interleave;          /* rows that a lane of the large product interleaves */
};

/* Cycles of a rows × columns matrix-vector product with `lanes` lanes that interleave `interleave` rows each. */
static int64_t product_cycles(int64_t rows, int64_t columns, int64_t lanes, int64_t interleave)
{
    return dse_ceil_div(rows, lanes * interleave) * interleave * columns;
}

/* Latency of an integer product: one DSP with its registers, or none for a sign. */
static int64_t product_depth(struct dse_build *build, enum dse_precision precision)
{
    return precision == DSE_BINARY ? 2 + nysx_logic(build, 3) : 3 + nysx_latency(build, DSE_OP_MUL, DSE_INT64);
}

/* Adds a loop with an interval of one cycle, after the previous loops. */
static void add_loop(struct dse_build *build, struct nee *nee, const char *name, int64_t iterations, int64_t depth)
{
    int64_t paced = dse_build_depth(build, depth);
    nee->cycles += iterations;
    nee->depth += paced - 1;
    dse_build_loop(build, name, 1, iterations, 1, paced);
}

/* Reads C: one landmark per cycle, its sums over the hops, less its mean, converted for the products. */
static void add_enter(struct dse_build *build, struct nee *nee, const char *loop, bool floating, bool centred)
{
    int64_t depth = 3 + nysx_logic(build, nysx_levels(nee->work->hops) + (centred ? 1 : 0));
    add_loop(build, nee, loop, nee->work->landmarks, depth + (floating ? nysx_latency(build, DSE_OP_TO_FP32, DSE_INT32) : 0));
}

/* Multiply-accumulate lanes for one stored precision: fp16 and bf16 compute in single precision, a
 * binary entry adds or subtracts. Returns the number of interleaved rows, from the adder's latency. */
static int64_t build_lanes(struct dse_build *build, enum dse_precision precision, double lanes, int64_t *depth)
{
    bool floating = precision == DSE_FP32 || precision == DSE_FP16 || precision == DSE_BF16;
    if (floating) {
        int64_t add = dse_build_operator(build, DSE_OP_ADD, DSE_FP32, lanes);
        *depth = add + dse_build_operator(build, DSE_OP_MUL, DSE_FP32, lanes);
        if (precision == DSE_FP16) /* bf16 to fp32 is wiring: the lower half is zero */
            *depth += dse_build_operator(build, DSE_OP_TO_FP32, DSE_FP16, lanes);
        return add > 0 ? add + 1 : 1; /* plus the multiplexer of the sum */
    }
    enum dse_operator op = precision == DSE_BINARY ? DSE_OP_ADDSUB : DSE_OP_MAC;
    *depth = dse_build_operator(build, op, precision == DSE_BINARY ? DSE_INT32 : precision, lanes);
    return 1;
}

#define GATHER_DEPTH 3 /* depth of the loop that regroups port words into steps */
#define STEP_QUEUE 2   /* steps between that loop and the lanes */

/* Loops parallel to the product: reading port words, and regrouping them into steps. */
static void note_port(const struct dse_build *build, const struct dse_config *config, const struct nee *nee, enum dse_precision precision)
{
    size_t memory = (size_t)config->value[NYSX_NEE_MEMORY] - 1;
    if (build->context->loops == NULL || memory >= build->context->board->memory_count)
        return; /* counting the steps takes time proportional to them */
    struct nysx_beats beats = nysx_p_beats(config, dse_precision_bits(precision), nee->work->landmarks, nee->interleave);
    dse_build_loop(build, "nee_words", 1, beats.words, 1, dse_build_depth(build, nysx_port_depth(build, memory)));
    dse_build_loop(build, "nee_gather", 1, beats.gathers, 1, dse_build_depth(build, GATHER_DEPTH));
}

static void build_streamed_or_resident(struct dse_build *build, const struct dse_config *config, struct nee *nee)
{
    enum dse_precision precision = precision_of[config->value[NYSX_NEE_PRECISION]];
    bool floating = precision <= DSE_BF16, resident = config->value[NYSX_NEE_FORM] == NYSX_RESIDENT;
    int64_t depth = 0;
    nee->interleave = build_lanes(build, precision, (double)nee->lanes, &depth);
    int64_t steps = product_cycles(nee->dim, nee->work->landmarks, nee->lanes, nee->interleave);
    depth = floating ? depth + 3 : product_depth(build, precision);
    add_loop(build, nee, "nee_products", steps, depth + (resident ? 1 : 0)); /* streamed: a step that waits for its words is counted as port time */
    if (!resident) {
        nee->depth += dse_build_depth(build, GATHER_DEPTH);
        note_port(build, config, nee, precision);
    }
    add_enter(build, nee, "nee_enter", floating, config->value[NYSX_NEE_CENTER] != 0);
    dse_build_operator(build, DSE_OP_TO_FP32, DSE_INT32, floating ? 1.0 : 0.0); /* C, once */
    if (!resident) {
        dse_build_fifo(build, STEP_QUEUE, nee->lanes * dse_precision_bits(precision), 1.0);
        return;
    }
    enum dse_storage place = config->value[NYSX_PLACE_P] == NYSX_PLACE_BRAM ? DSE_STORAGE_BRAM : DSE_STORAGE_URAM;
    if (place == DSE_STORAGE_URAM && build->context->board->chip[DSE_URAM] == 0)
        dse_build_reject(build, "place.p=uram: the board %s has no URAM", build->context->board->name);
    dse_build_array(build, place, steps, nee->lanes * dse_precision_bits(precision), 1, 1, 1);
}

/* One lane of the generated projection: a generator, and a product with an 8-bit entry, or an addition or
 * subtraction by sign. bits8 sums eight random bits. */
static void build_generated_lanes(struct dse_build *build, const struct dse_config *config, struct nee *nee,
                                  enum dse_precision phi)
{
    double lanes = (double)nee->lanes;
    bool sign = config->value[NYSX_NEE_GENERATOR] == NYSX_SIGN;
    dse_build_structure(build, DSE_STRUCTURE_RANDOM, sign ? lanes : 8.0 * lanes, 1.0);
    if (config->value[NYSX_NEE_GENERATOR] == NYSX_BITS8)
        dse_build_structure(build, DSE_STRUCTURE_POPCOUNT, 8.0, lanes);
    enum dse_operator op = sign ? DSE_OP_ADDSUB : DSE_OP_MAC;
    dse_build_operator(build, op, phi == DSE_FP32 || sign ? (phi == DSE_FP32 ? DSE_FP32 : DSE_INT32) : phi, lanes);
}

/* Cycles from a generator's seed to the product of its entry: three 64-bit products with mixing; then one
 * small-integer product, or a conversion and the floating-point lanes. */
static int64_t generated_depth(struct dse_build *build, enum dse_precision phi)
{
    int64_t depth = 3 * nysx_latency(build, DSE_OP_MUL, DSE_INT64) + 12 + nysx_logic(build, 3);
    if (phi == DSE_FP32)
        depth += nysx_latency(build, DSE_OP_TO_FP32, DSE_INT32) + nysx_latency(build, DSE_OP_MUL, DSE_FP32) +
                 nysx_latency(build, DSE_OP_ADD, DSE_FP32);
    return depth;
}

#define START_DEPTH 21 /* cycles for the first generators' seeds, one each */

static void build_factored(struct dse_build *build, const struct dse_config *config, struct nee *nee)
{
    enum dse_precision phi = phi_precision_of[config->value[NYSX_NEE_PHI_BITS]];
    int64_t rank = nee->work->rank, landmarks = nee->work->landmarks, lanes_depth = 0;
    int64_t phi_lanes = nysx_phi_lanes(nee->lanes);
    int64_t interleave = build_lanes(build, DSE_FP32, (double)phi_lanes, &lanes_depth);
    int64_t map = product_cycles(rank, landmarks, phi_lanes, interleave), out = 2;
    dse_build_array(build, DSE_STORAGE_AUTO, map, phi_lanes * 32, 1, 1, 1);
    dse_build_operator(build, DSE_OP_TO_FP32, DSE_INT32, 1.0);
    if (phi != DSE_FP32) /* divided by its scale and rounded */
        out += 1 + 2 + dse_build_operator(build, DSE_OP_DIVIDE, DSE_FP32, 1.0) +
               dse_build_operator(build, DSE_OP_FROM_FP32, DSE_INT32, 1.0);
    dse_build_array(build, DSE_STORAGE_AUTO, rank, dse_precision_bits(phi), 1, 1, 1);
    nee->interleave = phi == DSE_FP32 ? interleave : 1;
    add_loop(build, nee, "nee_phi_products", map, lanes_depth + 2);
    add_loop(build, nee, "nee_phi_out", rank, out);
    add_loop(build, nee, "nee_generators", nysx_generators(nee->lanes * nee->interleave), START_DEPTH);
    add_loop(build, nee, "nee_products", product_cycles(nee->dim, rank, nee->lanes, nee->interleave), generated_depth(build, phi));
    add_enter(build, nee, "nee_phi_enter", true, config->value[NYSX_NEE_CENTER] != 0);
    build_generated_lanes(build, config, nee, phi);
}

/* A multiply-accumulate is two operations in the arithmetic's precision; φ of the factored form is in single
 * precision. On chip: the vector, once per group of rows, and the matrix if stored there. */
static void count_work(const struct dse_config *config, const struct nee *nee, struct dse_accumulators *out)
{
    int64_t landmarks = nee->work->landmarks, rank = nee->work->rank;
    enum dse_precision precision = precision_of[config->value[NYSX_NEE_PRECISION]];
    int64_t groups = dse_ceil_div(nee->dim, nee->lanes);
    if (config->value[NYSX_NEE_FORM] != NYSX_FACTORED) {
        enum dse_precision arithmetic = precision == DSE_FP16 || precision == DSE_BF16 ? DSE_FP32 : precision;
        bool resident = config->value[NYSX_NEE_FORM] == NYSX_RESIDENT;
        out->operations[arithmetic] = 2 * nee->dim * landmarks;
        out->on_chip_bytes = groups * landmarks * 4 +
                             (resident ? nee->dim * landmarks * dse_precision_bits(precision) / 8 : 0);
    } else {
        enum dse_precision phi = phi_precision_of[config->value[NYSX_NEE_PHI_BITS]];
        bool sign = config->value[NYSX_NEE_GENERATOR] == NYSX_SIGN && phi != DSE_FP32;
        out->operations[sign ? DSE_BINARY : phi] = 2 * nee->dim * rank;
        out->operations[DSE_FP32] += 2 * rank * landmarks;
        out->on_chip_bytes = rank * landmarks * 4 + groups * rank * dse_precision_bits(phi) / 8 +
                             dse_ceil_div(rank, nysx_phi_lanes(nee->lanes)) * landmarks * 4;
    }
    if (config->value[NYSX_NEE_CENTER] != 0) {
        out->operations[DSE_FP32] += landmarks;
        out->on_chip_bytes += 4 * landmarks;
    }
    out->on_chip_bytes += nee->dim / 8; /* the signs of h */
}

enum dse_status nysx_cost_nee(const struct dse_context *context, const struct dse_config *config,
                                 struct dse_accumulators *out, struct dse_error *err)
{
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return nysx_cost_direct(context, config, out, err);
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    struct nee nee = {.work = context->work, .dim = config->value[NYSX_DIM], .lanes = config->value[NYSX_NEE_LANES]};
    if (config->value[NYSX_NEE_FORM] == NYSX_FACTORED)
        build_factored(&build, config, &nee);
    else
        build_streamed_or_resident(&build, config, &nee);
    if (config->value[NYSX_NEE_CENTER] != 0) { /* C minus the training mean */
        dse_build_array(&build, DSE_STORAGE_AUTO, nee.work->landmarks, 32, 1, 1, 1);
        dse_build_operator(&build, DSE_OP_ADDSUB, DSE_INT32, 1.0);
    }
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][NYSX_STAGE_ENCODE] = nee.cycles;
        out->fill_cycles[c][NYSX_STAGE_ENCODE] = nee.depth;
    }
    count_work(config, &nee, out);
    dse_build_datapath(&build);
    /* Sums of interleaved rows, and words on their way to the lanes: registers that all lanes read at once. */
    if (nee.interleave > 1)
        dse_build_array(&build, DSE_STORAGE_REGISTERS, nee.interleave * nee.lanes, 32, nee.lanes, 1, 1);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, 32.0 * (double)nee.lanes, 2.0);
    dse_build_array(&build, DSE_STORAGE_AUTO, dse_ceil_div(nee.dim, nee.lanes), nee.lanes, 1, 1, 1); /* h */
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 2.0, 1.0);
    return dse_build_finish(&build, (double)nee.cycles, out);
}
