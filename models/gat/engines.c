/* The engines of a lane (sections 4.3 and 4.4), and the loader that serves all of them. Cycles are those of models/gat/microarchitecture.md, "The
 * micro-architecture": rows are counted over all subgraphs, since each is read again in every subgraph that it is in. */

#include "models/gat/gat.h"

#define WH_ROWS_LEAST 64 /* so that rows under way do not hold up SPMM where subgraphs are short */
#define SUM_BITS 48       /* of an accumulator: a DSP's */
#define POWER_BITS 128    /* 2^e (section 3.1: Q128.0) */
#define ALPHA_BITS 17     /* 16 of fraction */
#define COLLECT_CYCLES 2
#define DIVIDE_CYCLES 19  /* a quotient bit a stage, and two registers */

/* The time of logic, as in the checker of emitted designs. */
#define COMPARE_NS 0.7
#define SELECT_NS 0.3
#define WIDE_ADD_NS 1.3
#define EXPONENT_NS 6.0 /* a sum, two shifts, the range */
#define CARRIES_NS 9.0  /* of eight digits, and the step before them */
#define BIT_NS 2.8      /* of a quotient: comparison, difference, choice */
#define PACKED 0.85     /* of a cycle's usable time that bits fill, where several are in one */

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

/* Rows that WH and, a head, the FIFOs hold. */
static int64_t rows_held(const struct gat_shape *shape)
{
    int64_t two = 2 * shape->holds.longest_subgraph;
    return two > WH_ROWS_LEAST ? two : WH_ROWS_LEAST;
}

static double levels(int64_t inputs)
{
    return inputs > 1 ? (double)dse_bits_for(inputs) : 0.0;
}

/* Stages of the divider: bits that no cycle holds take whole cycles each. */
static int64_t divide_stages(const struct dse_build *build)
{
    int64_t a_bit = gat_stages(build, BIT_NS);
    return a_bit > 1 ? a_bit * ALPHA_BITS : gat_stages(build, BIT_NS * ALPHA_BITS / PACKED);
}

/* Operations of a layer, where the task executes. */
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

/* Once a layer: W a row of all columns a cycle, the attention vector a word a cycle. Nothing overlaps with it. */
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
    gat_note(&a.build, &a.shape, "loader_weights", a.shape.inputs[0] + a.shape.inputs[1], 2);
    gat_note(&a.build, &a.shape, "loader_attention", 2 * (a.shape.outputs[0] + a.shape.outputs[1]),
             gat_stages(&a.build, COMPARE_NS + SELECT_NS * (double)(a.shape.widest + 3)));
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 3.0, 1.0); /* of features, weights and attention (Figure 4.3) */
    dse_build_structure(&a.build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, (double)(2 * (a.shape.outputs[0] + a.shape.outputs[1]) * a.shape.bits), 1.0);
    return dse_build_finish(&a.build, a.shape.executes ? cycles : 0.0, out);
}

/* A row: node_info, its words one a cycle by all SP-PEs, as often as W's columns need, and the result into WH. */
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
    gat_note(&a.build, s, "spmm_steps", dse_count(steps), 11); /* three reads, a product, the sum, its range, the write */
    double engines = (double)s->lanes, pes = engines * (double)s->pes;
    gat_build_products(&a.build, s->streamline ? s->entry_bits : s->bits, pes);
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, (double)(s->widest * SUM_BITS), engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_COMPARATOR, (double)dse_bits_for(s->holds.longest_row + 1), engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 2.0, engines);
    /* WH: read by DMVM and aggregator */
    dse_build_array(&a.build, DSE_STORAGE_LUTRAM, rows_held(s), s->widest * s->z_bits, 1, s->lanes, 2);
    return dse_build_finish(&a.build, gat_working(out), out);
}

/* A row and head a cycle, a source node's two (a half of the attention vector each); a product a channel and an adder tree. */
enum dse_status gat_cost_dmvm(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                 struct dse_error *err)
{
    struct cost a = start(context, config, err);
    const struct gat_shape *s = &a.shape;
    double times = (double)(a.work->rows + a.work->nodes);
    int64_t channels = s->channels[0] > s->channels[1] ? s->channels[0] : s->channels[1];
    for (int l = 0; l < 2; l++) {
        double longest = (double)(s->heads[l] * (a.work->longest_subgraph + 1));
        gat_put_layer(out, s, l, gat_share(s, a.work, times * (double)s->heads[l], longest), 3.0 + levels(s->channels[l]));
        put_operations(&a, DSE_INT32, 2.0 * times * (double)s->outputs[l], out);
        put_on_chip(&a, times * (double)(s->outputs[l] * (s->z_bits + s->bits)), out);
    }
    gat_note(&a.build, s, "dmvm_steps", dse_count(times) * (s->heads[0] + s->heads[1]),
             8 + gat_stages(&a.build, WIDE_ADD_NS * (levels(channels) + 1.0) + EXPONENT_NS));
    double engines = (double)s->lanes;
    gat_build_products(&a.build, s->z_bits, engines * (double)channels);
    dse_build_structure(&a.build, DSE_STRUCTURE_ADDER, (double)(s->z_bits + s->bits), engines * (double)(channels - 1));
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, (double)(s->heads[0] * SUM_BITS), engines); /* of the source nodes */
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 1.0, engines);
    dse_build_fifo(&a.build, rows_held(s) * s->heads[0], 8, engines);
    return dse_build_finish(&a.build, gat_working(out), out);
}

/* Collects a row and head a cycle while the subgraphs before are divided, a row and head a cycle too; a divider's 17 stages
 * subtract once each. The last subgraph is divided after everything else. */
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
    gat_note(&a.build, s, "softmax_collect", a.work->rows * (s->heads[0] + s->heads[1]), 2 + gat_stages(&a.build, CARRIES_NS));
    gat_note(&a.build, s, "softmax_divide", a.work->rows * (s->heads[0] + s->heads[1]), 2 + divide_stages(&a.build));
    double engines = (double)s->lanes;
    int64_t sum = POWER_BITS + dse_bits_for(s->holds.longest_subgraph + 1), room = rows_held(s) * s->heads[0];
    dse_build_structure(&a.build, DSE_STRUCTURE_ADDER, (double)sum, engines * (double)(s->heads[0] + ALPHA_BITS));
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, (double)sum, engines * ALPHA_BITS); /* the divisor goes along */
    dse_build_structure(&a.build, DSE_STRUCTURE_COMPARATOR, (double)sum, engines * ALPHA_BITS);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 2.0, engines);
    dse_build_fifo(&a.build, room, 8, engines); /* of 2^e, its exponent */
    dse_build_fifo(&a.build, 2, sum * s->heads[0], engines);
    dse_build_fifo(&a.build, room, ALPHA_BITS, engines);
    return dse_build_finish(&a.build, gat_working(out), out);
}

/* A row and head a cycle into the running sums, then the subgraph's words, one a cycle. */
enum dse_status gat_cost_aggregator(const struct dse_context *context, const struct dse_config *config, struct dse_accumulators *out,
                                       struct dse_error *err)
{
    struct cost a = start(context, config, err);
    const struct gat_shape *s = &a.shape;
    double rows = (double)a.work->rows, nodes = (double)a.work->nodes;
    int64_t channels = s->channels[0] > s->channels[1] ? s->channels[0] : s->channels[1];
    for (int l = 0; l < 2; l++) {
        double heads = (double)s->heads[l], words = (double)s->outputs[l];
        double longest = heads * (double)a.work->longest_subgraph + words;
        gat_put_layer(out, s, l, gat_share(s, a.work, rows * heads + nodes * words, longest), 0.0);
        put_operations(&a, DSE_INT32, 2.0 * rows * words, out);
        put_on_chip(&a, rows * words * (double)s->z_bits + nodes * words * 32.0, out);
    }
    gat_note(&a.build, s, "aggregator_steps",
             a.work->rows * (s->heads[0] + s->heads[1]) + a.work->nodes * (s->outputs[0] + s->outputs[1]), 8); /* two reads, a product, the sum, the write */
    double engines = (double)s->lanes;
    gat_build_products(&a.build, s->z_bits, engines * (double)channels);
    dse_build_structure(&a.build, DSE_STRUCTURE_REGISTER, (double)(s->widest * 64), engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_MULTIPLEXER, (double)(64 * (s->widest - 1)), engines);
    dse_build_structure(&a.build, DSE_STRUCTURE_LOOP, 2.0, engines);
    return dse_build_finish(&a.build, gat_working(out), out);
}
