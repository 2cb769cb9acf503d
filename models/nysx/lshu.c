/* LSHU: codes of every node and hop (paper, section 5.2.1), and the query that it reads.
 *
 * Scalar codes: hop t needs A^t F u(t), so one dense product and t sparse ones; over all hops H dense products
 * and H(H−1)/2 sparse ones. Tuple codes keep the f columns apart: M(t+1) = A M(t) goes on from hop to hop, so
 * H−1 sparse products of f columns each, and f floors a node and hop. A pass takes one iteration of the schedule
 * after another, each as long as its longest row (section 4.2), at one non-zero a cycle and PE. */
#include <math.h>

#include "models/build.h"
#include "models/nysx/nysx.h"

/* Schedule made by the processing system while the query lies in memory: two passes over the row pointers on a
 * Cortex-A53 at 1.2 GHz, about 12 cycles a row each, and a microsecond for the hand-over. Assumed, not measured. */
#define PS_SCHEDULE_S_PER_ROW 20e-9
#define PS_SCHEDULE_HANDOVER_S 1e-6

/* Schedule made in logic: rows counted by length, counts summed, rows placed; the lengths are cut at 64 bins. */
#define PL_SCHEDULE_LENGTHS 64

#define QUERY_WORD_BITS 128.0
#define QUERY_ARRAYS 4.0

static int64_t nodes_built_for(const struct nysx_work *work, const struct dse_config *config)
{
    return work->nodes_capacity[config->value[NYSX_CAPACITY]];
}

static int64_t nnz_built_for(const struct nysx_work *work, const struct dse_config *config)
{
    return work->nnz_capacity[config->value[NYSX_CAPACITY]];
}

/* Row pointers and column indices are 16 bits wide unless the capacity needs more. */
int64_t nysx_index_bits(const struct nysx_work *work, const struct dse_config *config)
{
    int64_t largest = nodes_built_for(work, config) > nnz_built_for(work, config)
                          ? nodes_built_for(work, config)
                          : nnz_built_for(work, config);
    return largest < 65536 ? 16 : 32;
}

/* Bits of one node's features as they arrive: the index of its label, or f single-precision numbers. */
int64_t nysx_feature_bits(const struct nysx_work *work)
{
    return work->onehot ? (work->features <= 256 ? 8 : 16) : 32 * work->features;
}

/* Bytes of A (CSR without values: its entries are 1) and F, and of a schedule that comes with them. */
static double query_bytes(const struct nysx_work *work, const struct dse_config *config, enum dse_case which)
{
    double index_bytes = (double)nysx_index_bits(work, config) / 8.0;
    bool list = config->value[NYSX_LSHU_BALANCE] == NYSX_BALANCE_PS && work->hops > 1;
    double schedule = list ? work->nodes[which] : 0.0;
    return index_bytes * (work->nodes[which] + 1.0 + work->nnz_a[which] + schedule) +
           (double)nysx_feature_bits(work) / 8.0 * work->nodes[which];
}

enum dse_status nysx_account_query(const struct dse_context *context, const struct dse_config *config,
                                   struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    const struct dse_port *port = &context->board->ports[0];
    int64_t balance = config->value[NYSX_LSHU_BALANCE], pe = config->value[NYSX_LSHU_PE];
    double port_bytes = (double)(port->width_bits < 128 ? port->width_bits : 128) / 8.0;
    double latency_cycles = context->board->memories[0].read_latency_s * build.clock_hz;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double bytes = query_bytes(work, config, (enum dse_case)c);
        double schedule = 0.0; /* none is made where nothing is propagated */
        if (balance == NYSX_BALANCE_PS && work->hops > 1)
            schedule = (PS_SCHEDULE_HANDOVER_S + PS_SCHEDULE_S_PER_ROW * work->nodes[c]) * build.clock_hz;
        else if (balance == NYSX_BALANCE_PL && work->hops > 1)
            schedule = 2.0 * work->nodes[c] + PL_SCHEDULE_LENGTHS;
        out->busy_cycles[c][NYSX_STAGE_QUERY] = dse_cycles(bytes / port_bytes);
        out->fill_cycles[c][NYSX_STAGE_QUERY] = dse_cycles(latency_cycles + schedule);
        out->bytes[c][NYSX_STAGE_QUERY][0] = dse_cycles(bytes);
    }
    out->on_chip_bytes = out->bytes[DSE_CASE_MEAN][NYSX_STAGE_QUERY][0]; /* written as it comes */
    int64_t nodes = nodes_built_for(work, config), nnz = nnz_built_for(work, config);
    int64_t bits = nysx_index_bits(work, config);
    dse_build_array(&build, DSE_STORAGE_AUTO, nodes + 1, bits, pe, 1, 2);
    dse_build_array(&build, DSE_STORAGE_AUTO, nnz, bits, pe, 1, 1);
    /* A label a node, or f numbers one after another: a PE reads one of them a cycle. */
    int64_t numbers = work->onehot ? 1 : work->features;
    dse_build_array(&build, DSE_STORAGE_AUTO, nodes * numbers, nysx_feature_bits(work) / numbers, pe, 1, 1);
    if (balance != NYSX_BALANCE_NONE)
        dse_build_array(&build, DSE_STORAGE_AUTO, nodes, bits, pe, 1, 1);
    /* Row pointers, columns, order and features are unpacked from the port's words, each by a loop of its own. */
    double entries = QUERY_WORD_BITS / (double)bits;
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 1.0, QUERY_ARRAYS);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, QUERY_WORD_BITS, QUERY_ARRAYS);
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, (double)bits * (entries - 1.0), QUERY_ARRAYS);
    if (balance == NYSX_BALANCE_PL) {
        dse_build_array(&build, DSE_STORAGE_AUTO, PL_SCHEDULE_LENGTHS, bits, 1, 1, 1);
        dse_build_structure(&build, DSE_STRUCTURE_LOOP, 3.0, 1.0);
        dse_build_structure(&build, DSE_STRUCTURE_ADDER, (double)bits, 3.0);
    }
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_QUERY], out);
}

struct passes {
    double inside;   /* cycles of the passes whose result stays inside */
    double emitting; /* cycles of the last pass of each hop, which emits codes */
    double count;    /* times that the pipeline is started, to be filled; `hops` of them for the last passes */
};

/* `turns`: iterations that P PEs take for a graph's nodes. A dense pass takes one cycle each where a label's entry of
 * u is looked up, f multiply-accumulates for attributes. */
static struct passes count_passes(const struct nysx_work *work, int64_t codes, double turns, double schedule)
{
    double hops = (double)work->hops, f = (double)work->features;
    bool tuple = codes == NYSX_CODES_TUPLE;
    if (codes == NYSX_CODES_WL) /* a pass a hop, each on the codes of the one before, and all of them are given out */
        return (struct passes){.inside = 0.0, .emitting = turns * (work->onehot ? 1.0 : f) + (hops - 1.0) * schedule, .count = hops};
    double dense = work->onehot ? turns : turns * f;
    if (tuple) /* the columns of a hop go through one behind the other, without draining */
        return (struct passes){.inside = (hops - 1.0) * schedule * f, .emitting = hops * turns * f,
                               .count = 2.0 * hops - 1.0};
    double sparse_inside = (hops - 1.0) * (hops - 2.0) / 2.0;
    return (struct passes){.inside = (hops - 1.0) * dense + sparse_inside * schedule,
                           .emitting = dense + (hops - 1.0) * schedule,
                           .count = hops + hops * (hops - 1.0) / 2.0};
}

/* How a PE walks a row of CSR, in 32-bit numbers: its length from two pointers, its longest neighbour's, the address of each
 * entry and whether it is still inside. */
void nysx_build_row_walk(struct dse_build *build, double pe)
{
    dse_build_structure(build, DSE_STRUCTURE_ADDER, 32.0, 2.0 * pe);
    dse_build_structure(build, DSE_STRUCTURE_COMPARATOR, 32.0, 2.0 * pe);
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, 32.0, pe);
    dse_build_structure(build, DSE_STRUCTURE_REGISTER, 32.0, 2.0 * pe);
}

/* One PE: a multiply-accumulate in single precision, the division by the row's degree (row-normalised: a reciprocal
 * and a product), the offset, the division by w and the floor, and its control. Returns the cycles from operands to
 * code. */
/* An attribute scaled, shifted, divided by the step and rounded down, into the hash of its row. */
static int64_t build_steps(struct dse_build *build, double pe)
{
    int64_t depth = dse_build_operator(build, DSE_OP_MUL, DSE_FP32, pe) + dse_build_operator(build, DSE_OP_ADD, DSE_FP32, pe);
    depth += dse_build_operator(build, DSE_OP_DIVIDE, DSE_FP32, pe);
    depth += dse_build_operator(build, DSE_OP_FROM_FP32, DSE_INT32, pe);
    return depth + dse_build_operator(build, DSE_OP_HASH, DSE_INT64, pe);
}

static int64_t build_pe(struct dse_build *build, const struct nysx_work *work, const struct dse_config *config,
                        double pe)
{
    if (config->value[NYSX_CODES] == NYSX_CODES_WL) { /* the sum of the neighbours' codes, and the mixer */
        int64_t sum = dse_build_operator(build, DSE_OP_ADD, DSE_INT32, pe);
        if (!work->onehot) /* attributes in whole steps, hashed together */
            sum += build_steps(build, pe) + 4 * dse_build_operator(build, DSE_OP_HASH, DSE_INT32, 4.0 * pe);
        sum += 2 * dse_build_operator(build, DSE_OP_HASH, DSE_INT32, 2.0 * pe);
        dse_build_datapath(build);
        nysx_build_row_walk(build, pe);
        dse_build_structure(build, DSE_STRUCTURE_LOOP, 2.0, pe);
        return sum;
    }
    bool normalises = config->value[NYSX_PROPAGATION] == NYSX_PROPAGATION_ROW_NORMALISED && work->hops > 1;
    int64_t depth = dse_build_operator(build, DSE_OP_ADD, DSE_FP32, pe);
    if (!work->onehot || normalises)
        depth += dse_build_operator(build, DSE_OP_MUL, DSE_FP32, pe);
    if (normalises)
        depth += dse_build_operator(build, DSE_OP_DIVIDE, DSE_FP32, pe);
    depth += dse_build_operator(build, DSE_OP_ADD, DSE_FP32, pe);
    depth += dse_build_operator(build, DSE_OP_DIVIDE, DSE_FP32, pe);
    depth += dse_build_operator(build, DSE_OP_FROM_FP32, DSE_INT32, pe);
    if (config->value[NYSX_CODES] == NYSX_CODES_TUPLE)
        depth += dse_build_operator(build, DSE_OP_HASH, DSE_INT64, pe);
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT) /* a code as 32 bits: two mixings */
        depth += 4 * dse_build_operator(build, DSE_OP_HASH, DSE_INT32, 4.0 * pe);
    dse_build_datapath(build);
    nysx_build_row_walk(build, pe);
    dse_build_structure(build, DSE_STRUCTURE_LOOP, 2.0, pe);
    return depth;
}

/* Operations and bytes on chip of a mean graph. A sparse pass adds once a non-zero (A's entries are 1) and, row-
 * normalised, multiplies once a row; a dense pass of attributes multiplies and adds f times a node; the code of a node
 * takes an offset, a division by w and a floor; a tuple's columns also the product with u, and a hash each. */
static void count_work(const struct nysx_work *work, const struct dse_config *config, bool tuple,
                       struct dse_accumulators *out)
{
    double hops = (double)work->hops, f = (double)work->features;
    if (config->value[NYSX_CODES] == NYSX_CODES_WL) {
        double sums = (hops - 1.0) * work->nnz_a[DSE_CASE_MEAN], codes = hops * work->nodes[DSE_CASE_MEAN];
        out->operations[DSE_INT32] = dse_cycles(sums + 2.0 * codes);
        out->on_chip_bytes = dse_cycles(sums * 6.0 + codes * 9.0);
        return;
    }
    double nodes = work->nodes[DSE_CASE_MEAN], nnz = work->nnz_a[DSE_CASE_MEAN];
    double index = (double)nysx_index_bits(work, config) / 8.0, columns = tuple ? f : 1.0;
    double sparse = tuple ? hops - 1.0 : hops * (hops - 1.0) / 2.0;
    double dense = tuple ? 0.0 : hops;
    double scaled = config->value[NYSX_PROPAGATION] == NYSX_PROPAGATION_ROW_NORMALISED ? nodes : 0.0;
    double operations = sparse * columns * (nnz + scaled) + (work->onehot ? 0.0 : dense * nodes * 2.0 * f) +
                        hops * nodes * columns * (tuple ? 4.0 : 3.0);
    /* A non-zero: its column and the number there; a row: its pointers and the result. */
    double sparse_bytes = sparse * columns * (nnz * (index + 4.0) + nodes * (2.0 * index + 4.0));
    double dense_bytes = dense * nodes * ((double)nysx_feature_bits(work) / 8.0 + (work->onehot ? 4.0 : 4.0 * f) + 4.0);
    out->operations[DSE_FP32] = dse_cycles(operations);
    out->operations[DSE_INT64] = tuple ? dse_cycles(hops * nodes * f) : 0;
    out->on_chip_bytes = dse_cycles(sparse_bytes + dense_bytes);
}

enum dse_status nysx_account_lshu(const struct dse_context *context, const struct dse_config *config,
                                  struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t pe = config->value[NYSX_LSHU_PE];
    bool tuple = config->value[NYSX_CODES] == NYSX_CODES_TUPLE;
    int balanced = config->value[NYSX_LSHU_BALANCE] != NYSX_BALANCE_NONE;
    int64_t depth = build_pe(&build, work, config, (double)pe);
    double working = 0.0;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double schedule = work->a_schedule[c][balanced][nysx_schedule_index(pe)];
        double turns = work->turns[c][nysx_schedule_index(pe)];
        struct passes passes = count_passes(work, config->value[NYSX_CODES], turns, schedule);
        out->busy_cycles[c][NYSX_STAGE_PROPAGATE] = dse_cycles(passes.inside);
        out->busy_cycles[c][NYSX_STAGE_LOOKUP] = dse_cycles(passes.emitting);
        out->fill_cycles[c][NYSX_STAGE_PROPAGATE] = dse_cycles((passes.count - (double)work->hops) * (double)depth);
        out->fill_cycles[c][NYSX_STAGE_LOOKUP] = work->hops * depth;
        if (c == DSE_CASE_MEAN)
            working = passes.inside + passes.emitting;
    }
    count_work(work, config, tuple, out);
    int64_t nodes = nodes_built_for(work, config);
    int64_t columns = tuple ? work->features : 1;
    /* The vector being propagated and the one coming out; each PE reads anywhere in it, two PEs a copy. */
    dse_build_array(&build, DSE_STORAGE_AUTO, nodes * columns, 32, 1, 2, pe > 1 ? pe / 2 : 1);
    if (config->value[NYSX_CODES] != NYSX_CODES_WL)
        dse_build_array(&build, DSE_STORAGE_AUTO, work->features * work->hops, 32, 1, 1, work->onehot ? pe : 1);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 2.0, 1.0);
    return dse_build_finish(&build, working, out);
}
