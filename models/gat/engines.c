/* The engines of a lane (sections 4.3 and 4.4), and the loader shared by all lanes. Cycles follow models/gat/microarchitecture.md:
 * rows are counted over all subgraphs, since a row is read in every subgraph that contains it. */

#include "models/gat/gat.h"

#define SUM_BITS 64       /* width of a sum */
#define INFO_BITS 32      /* width of node_info, passed along with a row */
#define COEFFICIENT_BITS 9 /* per FIFO word: an exponent and the end-of-subgraph flag */
#define DIGITS 8          /* digits of an accumulated sum of powers, 32 bits each */
#define DIGIT_BITS 16     /* width of a digit without its carry */
#define ALPHA_BITS 17     /* 16 of fraction */
#define DIVISOR_BITS 160  /* per FIFO word, one per head */
#define WORD_BITS 64      /* width of a remainder in the divider, which has three */
#define COLLECT_CYCLES 2
#define DIVIDE_CYCLES 19  /* one quotient bit per stage, and two registers */

/* Delays of logic, as in the checker of emitted designs. */
#define COMPARE_NS 0.7
#define SELECT_NS 0.3
#define WIDE_ADD_NS 1.3
#define EXPONENT_NS 6.0 /* a sum, two shifts, saturation */
#define CARRIES_NS 9.0  /* carries of eight digits, and the previous step */
#define BIT_NS 2.8      /* a quotient bit: comparison, difference, multiplexer */
#define PACKED 0.85     /* usable share of a cycle for several quotient bits */

struct cost {
    const struct gat_work *work;
    struct gat_shape shape;
    struct dse_build build;
};

static struct cost start(const struct dse_context *context, const struct dse_config *config, struct dse_error *err)
{
    return (struct cost){context->work, gat_shape_of(config, context->work),
                            dse_build_start(context, config->value[GAT_CLOCK_MHZ], err)};
}

static double levels(int64_t inputs)
{
    return inputs > 1 ? (double)dse_bits_for(inputs) : 0.0;
}

/* Stages of the divider: a bit longer than a cycle takes whole cycles. */
static int64_t divide_stages(const struct dse_build *build)
{
    int64_t a_bit = gat_stages(build, BIT_NS);
    return a_bit > 1 ? a_bit * ALPHA_BITS : gat_stages(build, BIT_NS * ALPHA_BITS / PACKED);
}

/* A row of WH in registers that shift the next head to the front. */
static void put_row(struct dse_build *build, const struct gat_shape *s, double engines)
{
    dse_build_structure(build, DSE_STRUCTURE_REGISTER, (double)(s->widest * s->z_bits), engines);
    if (s->heads[0] > 1)
        dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, (double)(s->widest * s->z_bits), engines);
}

/* Operations of a layer, if the task executes. */
static void put_operations(const struct cost *a, enum dse_precision precision, double number, struct dse_accumulators *out)
{
    if (a->shape.executes)
        out->operations[precision] += dse_count(number);
}

static void put_on_chip(const struct cost *a, double bits, struct dse_accumulators *out)
{
    if (a->shape.executes)
        out->on_chip_bytes += dse_count(bits / 8.0);
}

/* Once per layer: one row of W (all columns) per cycle, then one word of the attention vector per cycle. Overlaps with nothing. */
enum dse_status gat_cost_loader(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                   struct dse_error *err)
{
    struct cost a = start(context, config, err);
    double cycles = 0.0;
    for (int l = 0; l < 2; l++) {
        double load = (double)(a.shape.inputs[l] + 2 * a.shape.outputs[l]);
        gat_put_layer(out, &a.shape, l, 0.0, load);
        cycles += load;
    }
    gat_note(&a.build, &a.shape, "loader_weights", 1, a.shape.inputs[0] + a.shape.inputs[1], 2);
    gat_note(&a.build, &a.shape, "loader_attention", 1, 2 * (a.shape.outputs[0] + a.shape.outputs[1]),
             gat_stages(&a.build, COMPARE_NS + SELECT_NS * (double)(a.shape.widest + 3)));
    if (a.shape.thesis) {
        gat_thesis_loader(&a.build, &a.shape);
        return dse_build_finish(&a.build, a.shape.executes ? cycles : 0.0, out);
    }
    const double columns = (double)(a.shape.outputs[0] + a.shape.outputs[1]), bits = (double)a.shape.bits;
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(&a.build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    /* both vectors as transferred, one of them as each lane reads it, and the column multiplexer */
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, 2.0 * bits * (columns + (double)(a.shape.lanes * a.shape.heads[0] * gat_lanes(&a.shape))), 1.0);
    dse_build_structure(&a.build, DSE_STRUCTURE_MULTIPLEXER, bits * (2.0 * columns - 1.0), 1.0);
    return dse_build_finish(&a.build, a.shape.executes ? cycles : 0.0, out);
}

/* Per row: node_info, its words at one per cycle over all SP-PEs, repeated per pass over W's columns, and the result into WH. */
enum dse_status gat_cost_spmm(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                 struct dse_error *err)
{
    struct cost a = start(context, config, err);
    const struct gat_shape *s = &a.shape;
    double rows = (double)a.work->rows, mean = (double)a.work->steps / rows, steps = 0.0;
    for (int l = 0; l < 2; l++) {
        double length = l == 0 ? mean : (double)s->inputs[1], row = 2.0 + (double)s->passes[l] * length;
        double words = l == 0 ? (double)a.work->nonzeros : rows * length;
        steps += rows * row;
        gat_put_layer(out, s, l, gat_share(s, a.work, rows * row, (double)a.work->longest_subgraph * row), 0.0);
        put_operations(&a, l == 1 && s->streamline ? DSE_INT32 : DSE_INT8, 2.0 * words * (double)s->outputs[l], out);
        put_on_chip(&a, words * (double)(s->passes[l] * s->entry_bits + s->outputs[l] * s->bits) + rows * (double)(s->outputs[l] * s->z_bits), out);
    }
    gat_note(&a.build, s, "spmm_steps", s->lanes, dse_count(steps), 11); /* three reads, a product, the sum, saturation, the write */
    if (s->thesis) {
        gat_thesis_spmm(&a.build, s);
        return dse_build_finish(&a.build, gat_working(out), out);
    }
    double engines = (double)s->lanes, pes = engines * (double)s->pes;
    gat_build_products(&a.build, s->streamline ? s->entry_bits : s->bits, pes);
    dse_build_datapath(&a.build);
    const int64_t hidden = s->holds.rows * s->outputs[0], entries = s->holds.nonzeros > hidden ? s->holds.nonzeros : hidden;
    const int64_t place_bits = dse_bits_for(entries), row_bits = s->widest * s->z_bits + INFO_BITS;
    dse_build_structure(&a.build, DSE_STRUCTURE_ADDER, SUM_BITS, pes);
    dse_build_structure(&a.build, DSE_STRUCTURE_COMPARATOR, SUM_BITS, 2.0 * pes); /* saturation to a word of WH */
    dse_build_structure(&a.build, DSE_STRUCTURE_MULTIPLEXER, 2.0 * (double)s->z_bits, pes);
    dse_build_structure(&a.build, DSE_STRUCTURE_MULTIPLEXER, (double)(s->bits * (s->passes[0] + s->passes[1] - 1)), pes); /* columns of W */
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, (double)row_bits, engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_MULTIPLEXER, (double)row_bits, engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_ADDER, (double)place_bits, 4.0 * engines); /* addresses of row and entry, and the start of its pass */
    dse_build_structure(&a.build, DSE_STRUCTURE_ADDER, (double)dse_bits_for(s->holds.longest_row + 1), 3.0 * engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 1.0, engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_PROCESS, 1.0, engines);
    dse_build_fifo(&a.build, 2, row_bits, engines); /* to DMVM */
    dse_build_array(&a.build, DSE_STORAGE_LUTRAM, gat_rows_held(s), row_bits, 1, s->lanes, 1); /* WH, read by the aggregator */
    dse_build_structure(&a.build, DSE_STRUCTURE_FIFO_MEMORY, (double)row_bits, engines);
    return dse_build_finish(&a.build, gat_working(out), out);
}

/* One row and head per cycle; a source node takes two cycles, one per half of the attention vector; one product per channel and an adder tree. */
enum dse_status gat_cost_dmvm(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                 struct dse_error *err)
{
    struct cost a = start(context, config, err);
    const struct gat_shape *s = &a.shape;
    double times = (double)(a.work->rows + a.work->nodes);
    int64_t channels = gat_lanes(s);
    for (int l = 0; l < 2; l++) {
        double longest = (double)(s->heads[l] * (a.work->longest_subgraph + 1));
        gat_put_layer(out, s, l, gat_share(s, a.work, times * (double)s->heads[l], longest), 3.0 + levels(s->channels[l]));
        put_operations(&a, DSE_INT32, 2.0 * times * (double)s->outputs[l], out);
        put_on_chip(&a, times * (double)(s->outputs[l] * (s->z_bits + s->bits)), out);
    }
    gat_note(&a.build, s, "dmvm_steps", s->lanes, dse_count(times) * (s->heads[0] + s->heads[1]),
             8 + gat_stages(&a.build, WIDE_ADD_NS * (levels(channels) + 1.0) + EXPONENT_NS));
    if (s->thesis) {
        gat_thesis_dmvm(&a.build, s);
        return dse_build_finish(&a.build, gat_working(out), out);
    }
    double engines = (double)s->lanes;
    gat_build_products(&a.build, s->z_bits, engines * (double)channels);
    dse_build_operator(&a.build, DSE_OP_SHIFT, DSE_INT64, 2.0 * engines); /* shifts of the exponent, left and right */
    dse_build_datapath(&a.build);
    dse_build_structure(&a.build, DSE_STRUCTURE_ADDER, SUM_BITS, engines * (double)channels); /* the tree, and the source node's sum */
    dse_build_structure(&a.build, DSE_STRUCTURE_COMPARATOR, SUM_BITS, 2.0 * engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, (double)(s->heads[0] * SUM_BITS), engines); /* sums of the source nodes */
    put_row(&a.build, s, engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_MULTIPLEXER, (double)(s->bits * (2 * s->heads[0] - 1)), engines * (double)channels);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 1.0, engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_PROCESS, 1.0, engines);
    dse_build_fifo(&a.build, gat_rows_held(s) * s->heads[0], COEFFICIENT_BITS, engines);
    return dse_build_finish(&a.build, gat_working(out), out);
}

/* Accumulates one row and head per cycle while earlier subgraphs are divided at the same rate; each of a divider's 17 stages
 * subtracts once. The last subgraph is divided after everything else. */
enum dse_status gat_cost_softmax(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                    struct dse_error *err)
{
    struct cost a = start(context, config, err);
    const struct gat_shape *s = &a.shape;
    double rows = (double)a.work->rows;
    for (int l = 0; l < 2; l++) {
        double heads = (double)s->heads[l];
        gat_put_layer(out, s, l, gat_share(s, a.work, rows * heads, heads * (double)a.work->longest_subgraph), COLLECT_CYCLES + DIVIDE_CYCLES);
        put_operations(&a, DSE_INT32, 3.0 * rows * heads, out); /* a shift, an addition, a division */
        put_on_chip(&a, 2.0 * rows * heads * (double)(8 + 8 + ALPHA_BITS), out);
    }
    gat_note(&a.build, s, "softmax_collect", s->lanes, a.work->rows * (s->heads[0] + s->heads[1]), 2 + gat_stages(&a.build, CARRIES_NS));
    gat_note(&a.build, s, "softmax_divide", s->lanes, a.work->rows * (s->heads[0] + s->heads[1]), 2 + divide_stages(&a.build));
    if (s->thesis) {
        gat_thesis_softmax(&a.build, s);
        return dse_build_finish(&a.build, gat_working(out), out);
    }
    double engines = (double)s->lanes;
    const double digits = (double)(DIGITS * s->heads[0]), stages = (double)divide_stages(&a.build);
    int64_t sum = (DIGITS + 1) * DIGIT_BITS, room = gat_rows_held(s) * s->heads[0];
    dse_build_structure(&a.build, DSE_STRUCTURE_ADDER, 2.0 * DIGIT_BITS, 2.0 * engines * digits); /* accumulated digits, and the carries */
    dse_build_structure(&a.build, DSE_STRUCTURE_MULTIPLEXER, 3.0 * DIGIT_BITS, engines * digits); /* a power of two or zero, and the end of the sum */
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, (double)(sum * s->heads[0]), engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_MULTIPLEXER, (double)(sum * s->heads[0]), engines);
    /* quotient bit, in three words as in the source: lower part, equal, less, less the borrow, multiplexer; remainder and divisor pass along */
    dse_build_combinational(&a.build, DSE_STRUCTURE_ADDER, WORD_BITS, 5.0 * engines * ALPHA_BITS);
    dse_build_combinational(&a.build, DSE_STRUCTURE_COMPARATOR, WORD_BITS, 5.0 * engines * ALPHA_BITS);
    dse_build_combinational(&a.build, DSE_STRUCTURE_MULTIPLEXER, WORD_BITS, 3.0 * engines * ALPHA_BITS);
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, 3.0 * WORD_BITS + DIVISOR_BITS, engines * stages);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 2.0, engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_PROCESS, 2.0, engines);
    dse_build_fifo(&a.build, room, COEFFICIENT_BITS, engines); /* exponents of 2^e */
    dse_build_fifo(&a.build, 2, DIVISOR_BITS * s->heads[0], engines);
    dse_build_fifo(&a.build, room, ALPHA_BITS, engines);
    return dse_build_finish(&a.build, gat_working(out), out);
}

/* Adds one row and head per cycle to the running sums, then writes the subgraph's words, one per cycle. */
enum dse_status gat_cost_aggregator(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                       struct dse_error *err)
{
    struct cost a = start(context, config, err);
    const struct gat_shape *s = &a.shape;
    double rows = (double)a.work->rows, nodes = (double)a.work->nodes;
    int64_t channels = gat_lanes(s);
    for (int l = 0; l < 2; l++) {
        double heads = (double)s->heads[l], words = (double)s->outputs[l];
        double longest = heads * (double)a.work->longest_subgraph + words;
        gat_put_layer(out, s, l, gat_share(s, a.work, rows * heads + nodes * words, longest), 0.0);
        put_operations(&a, DSE_INT32, 2.0 * rows * words, out);
        put_on_chip(&a, rows * words * (double)s->z_bits + nodes * words * 32.0, out);
    }
    gat_note(&a.build, s, "aggregator_steps", s->lanes,
             a.work->rows * (s->heads[0] + s->heads[1]) + a.work->nodes * (s->outputs[0] + s->outputs[1]), 8); /* two reads, a product, the sum, the write */
    if (s->thesis) {
        gat_thesis_aggregator(&a.build, s);
        return dse_build_finish(&a.build, gat_working(out), out);
    }
    double engines = (double)s->lanes;
    gat_build_products(&a.build, s->z_bits, engines * (double)channels);
    dse_build_datapath(&a.build);
    dse_build_structure(&a.build, DSE_STRUCTURE_ADDER, SUM_BITS, engines * (double)s->widest);
    dse_build_structure(&a.build, DSE_STRUCTURE_MULTIPLEXER, 2.0 * SUM_BITS, engines * (double)s->widest); /* a layer's product, the next word */
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, SUM_BITS, engines * (double)channels); /* products */
    put_row(&a.build, s, engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 1.0, engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_PROCESS, 1.0, engines);
    return dse_build_finish(&a.build, gat_working(out), out);
}
