/* Storage and arithmetic of the engines: hypervectors in flip-flops behind chunk multiplexers, and trees of sums. */
#include "models/hydraf/hydraf.h"

/* An adder of 16 to 32 bits takes 0.7 to 0.8 ns, placed and routed on a -2L part (Bambu's characterisation of the XCU55C). Half
 * as much again is assumed for wires. */
#define ADDER_S 1.2e-9

/* Stored bits of Table II's column for 2k: 3 · 8 hypervectors of 2048 elements of 8 bits. */
#define CROWDED_BITS 393216

/* The LUTs of Table II grow with D up to 2k and with its square beyond. L_train bends at the same place, as if each further
 * CROWDED_BITS required more selection logic and time. The form is read from the columns for 3k and 4k, in which
 * dimensions, chunks and stored bits grow alike. The model uses stored bits, because at the same D more and smaller chunks need
 * fewer resources (Figure 10a). */
double hydraf_crowding(const struct hydraf_shape *shape)
{
    double stored = (double)((2 * shape->clusters + shape->batch) * shape->dim * shape->bits);
    return stored > CROWDED_BITS ? stored / CROWDED_BITS : 1.0;
}

/* One bit of a chunk is selected among ⌈D/T⌉; a LUT6 selects one of four. */
void hydraf_build_hypervectors(struct dse_build *build, const struct hydraf_shape *shape, int64_t rows)
{
    double selected = (double)(rows * shape->lanes * shape->bits);
    double inputs = (double)dse_ceil_div(shape->dim, shape->lanes);
    dse_build_structure(build, DSE_STRUCTURE_REGISTER, (double)(rows * shape->bits * shape->chunks * shape->chunk), 1.0);
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, selected * (inputs - 1.0) * hydraf_crowding(shape), 2.0);
}

/* Each tree level is one bit wider. As many levels as fit in a cycle make one step, and only the step's end is registered.
 * At the paper's 7.3 ns a step has six levels, a whole tree of 64, which matches Table II's flip-flops. Single precision has its
 * operators' own registers. Returns the steps; the last one ends before the running sum. */
static int64_t build_whole_tree(struct dse_build *build, int64_t width, int64_t terms, double trees)
{
    int64_t levels_a_step = (int64_t)(1.0 / (ADDER_S * build->clock_hz)), level = 0;
    if (levels_a_step < 1)
        levels_a_step = 1;
    for (int64_t left = terms; left > 1; left = dse_ceil_div(left, 2), width++) {
        bool registered = ++level % levels_a_step == 0 && left > 2;
        if (registered)
            dse_build_structure(build, DSE_STRUCTURE_ADDER, (double)width, trees * (double)(left / 2));
        else
            dse_build_combinational(build, DSE_STRUCTURE_ADDER, (double)width, trees * (double)(left / 2));
    }
    return dse_ceil_div(level, levels_a_step);
}

int64_t hydraf_build_sums(struct dse_build *build, enum dse_precision precision, int64_t terms, double trees, bool gated)
{
    double products = (double)terms * trees;
    bool real = precision == DSE_FP32;
    enum dse_form form = precision == DSE_INT16 ? DSE_FORM_LUT : DSE_FORM_ANY; /* integer products in LUTs (section V.D); int8 are by default */
    int64_t steps = gated ? 0 : dse_build_operator_in(build, DSE_OP_MUL, precision, form, products);
    if (real) /* registers of the tree and the running sum */
        return steps + (hydraf_levels(terms) + 1) * dse_build_operator(build, DSE_OP_ADD, precision, products);
    steps += build_whole_tree(build, (gated ? 1 : 2) * dse_precision_bits(precision) + 1, terms, trees);
    dse_build_structure(build, DSE_STRUCTURE_ADDER, 32.0, trees);
    return steps + hydraf_latency(build, DSE_OP_ADD, DSE_INT32, DSE_FORM_ANY);
}

int64_t hydraf_levels(int64_t terms)
{
    return terms > 1 ? dse_bits_for(terms) : 0;
}

int64_t hydraf_latency(struct dse_build *build, enum dse_operator op, enum dse_precision precision, enum dse_form form)
{
    struct dse_cost cost = {0};
    if (build->status == DSE_OK)
        build->status = dse_costs_operator(build->context->costs, op, precision, form, build->clock_hz, &cost, build->err);
    return cost.latency_cycles;
}
