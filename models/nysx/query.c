/* Query loader: A and F stored as port words; A's schedule, with a slot per row. */
#include <math.h>

#include "models/build.h"
#include "models/nysx/nysx.h"

/* Operations of the host's processor (devices/hosts/hosts.xml has their time, as tests/bench/bench_prepare.c measures it). The order of the rows takes two passes
 * over the row pointers and one over the lengths; its constant stands for the hand-over of the list, and is assumed. The 2-core takes two passes over the nodes,
 * and one over the rows of those that it removes, at most all. */
#define ORDER_OPERATIONS 200.0
#define ORDER_OPERATIONS_PER_ROW 4.0
#define CORE_OPERATIONS_PER_NODE 4.0
#define CORE_OPERATIONS_PER_ENTRY 1.0

/* Schedule made in logic: counting sort of rows by length, with 64 bins. */
#define PL_SCHEDULE_LENGTHS 64

#define QUERY_WORD_BITS 128.0

static int64_t nodes_built_for(const struct nysx_work *work, const struct dse_config *config)
{
    return work->nodes_capacity[config->value[NYSX_CAPACITY]];
}

static int64_t nnz_built_for(const struct nysx_work *work, const struct dse_config *config)
{
    return work->nnz_capacity[config->value[NYSX_CAPACITY]];
}

/* Row pointers and column indices have 16 bits unless the capacity needs more. */
int64_t nysx_index_bits(const struct nysx_work *work, const struct dse_config *config)
{
    int64_t largest = nodes_built_for(work, config) > nnz_built_for(work, config)
                          ? nodes_built_for(work, config)
                          : nnz_built_for(work, config);
    return largest < 65536 ? 16 : 32;
}

/* Bits of one node's features in the query: its label's index, or f single-precision numbers. */
int64_t nysx_feature_bits(const struct nysx_work *work)
{
    return work->onehot ? (work->features <= 256 ? 8 : 16) : 32 * work->features;
}

/* Whether A gets a schedule, made as `balance` says. */
static bool schedules(const struct nysx_work *work, const struct dse_config *config, int64_t balance)
{
    return config->value[NYSX_LSHU_BALANCE] == balance && nysx_propagates(work);
}

/* Bytes of A (CSR without values: its entries are 1), F, and a schedule in the query. */
static double query_bytes(const struct nysx_work *work, const struct dse_config *config, enum dse_case which)
{
    double index_bytes = (double)nysx_index_bits(work, config) / 8.0;
    bool list = schedules(work, config, NYSX_BALANCE_PS);
    double schedule = list ? work->nodes[which] : 0.0;
    return index_bytes * (work->nodes[which] + 1.0 + work->nnz_a[which] + schedule) +
           (double)nysx_feature_bits(work) / 8.0 * work->nodes[which];
}

/* 128-bit words for `count` numbers of `bits` bits; for a mean count the mean. */
static double words_of(double count, double bits, enum dse_case which)
{
    double each = QUERY_WORD_BITS / bits;
    return which == DSE_CASE_MEAN && each > 1.0 ? (count + (each - 1.0) / 2.0) / each : ceil(count / each);
}

static double query_words(const struct nysx_work *work, const struct dse_config *config, enum dse_case which)
{
    double bits = (double)nysx_index_bits(work, config), nodes = work->nodes[which];
    bool list = schedules(work, config, NYSX_BALANCE_PS);
    double feature = work->onehot ? (double)nysx_feature_bits(work) : 32.0;
    return words_of(nodes + 1.0, bits, which) + words_of(work->nnz_a[which], bits, which) +
           (list ? words_of(nodes, bits, which) : 0.0) +
           words_of(nodes * (work->onehot ? 1.0 : (double)work->features), feature, which);
}

/* Cycles from a row's place in the order to its slot: order entry, and two row pointers extracted from words. A
 * row-normalised A adds the reciprocal of their difference. */
static int64_t slot_depth(struct dse_build *build, const struct dse_config *config, bool ordered)
{
    int64_t depth = 2 + nysx_logic(build, 2) + nysx_logic(build, 3) + (ordered ? 1 : 0);
    if (nysx_scales_rows(config))
        depth += dse_build_operator(build, DSE_OP_TO_FP32, DSE_INT32, 1.0) +
                 dse_build_operator(build, DSE_OP_DIVIDE, DSE_FP32, 1.0);
    return depth;
}

#define ORDER_DEPTH 6 /* depth of the loops that count and place rows */
#define SUM_DEPTH 2

int64_t nysx_prepare_cycles_of(const struct dse_build *build, const struct nysx_work *work, const struct dse_config *config, enum dse_case which)
{
    double nodes = work->nodes[which], operations = 0.0;
    if (config->value[NYSX_FEATURES] == NYSX_CORES)
        operations += CORE_OPERATIONS_PER_NODE * nodes + CORE_OPERATIONS_PER_ENTRY * work->nnz_a[which];
    if (schedules(work, config, NYSX_BALANCE_PS))
        operations += ORDER_OPERATIONS + ORDER_OPERATIONS_PER_ROW * nodes;
    return dse_count(operations * dse_operation_s(build->context) * build->clock_hz);
}

/* Cycles of the logic for A's schedule. */
static double schedule_cycles(const struct dse_build *build, const struct nysx_work *work, const struct dse_config *config, enum dse_case which)
{
    if (!schedules(work, config, NYSX_BALANCE_PL))
        return 0.0;
    return build->context->pace.interval * (2.0 * work->nodes[which] + PL_SCHEDULE_LENGTHS) +
           (double)(2 * (dse_build_depth(build, ORDER_DEPTH) - 1) + dse_build_depth(build, SUM_DEPTH) - 1);
}

static void note_loops(const struct dse_build *build, const struct nysx_work *work, const struct dse_config *config,
                       enum dse_case which, int64_t words_depth, int64_t slot_depth)
{
    struct dse_loops *loops = build->context->loops;
    double nodes = work->nodes[which], order = (double)dse_build_depth(build, ORDER_DEPTH);
    dse_loops_note(loops, which, "query_words", 1.0, query_words(work, config, which), 1.0, (double)words_depth);
    if (schedules(work, config, NYSX_BALANCE_PL)) {
        dse_loops_note(loops, which, "query_order", 1.0, nodes, 1.0, order);
        dse_loops_note(loops, which, "query_order_sum", 1.0, PL_SCHEDULE_LENGTHS, 1.0, (double)dse_build_depth(build, SUM_DEPTH));
        dse_loops_note(loops, which, "query_order_place", 1.0, nodes, 1.0, order);
    }
    dse_loops_note(loops, which, "query_slots", 1.0, nodes, 1.0, (double)slot_depth);
}

/* Copies that are written only while there is no reader: both ports of a copy serve readers. */
static void build_copies(struct dse_build *build, int64_t words, int64_t bits, int64_t readers, int64_t buffers)
{
    struct dse_array array = dse_array_of(words, bits);
    array.buffers = buffers;
    array.readers = readers;
    array.writers = 0;
    dse_build_memory(build, DSE_STORAGE_AUTO, &array);
}

/* Words of A and F, one copy per two PEs that read them, and the slots of the PEs' rounds. Memories read by propagation have two buffers
 * if the next query loads meanwhile. */
static void build_memories(struct dse_build *build, const struct nysx_work *work, const struct dse_config *config)
{
    int64_t nodes = nodes_built_for(work, config), nnz = nnz_built_for(work, config), pe = config->value[NYSX_LSHU_PE];
    int64_t bits = nysx_index_bits(work, config), each = (int64_t)QUERY_WORD_BITS / bits;
    int64_t trips = dse_ceil_div(nodes, pe), word = (int64_t)QUERY_WORD_BITS;
    int64_t buffers = config->value[NYSX_OVERLAP] == NYSX_OVERLAP_GRAPHS ? 2 : 1;
    build_copies(build, dse_ceil_div(nodes + 1, each), word, 2, 1);
    build_copies(build, dse_ceil_div(nnz, each), word, pe, buffers);
    build_copies(build, dse_ceil_div(nodes * nysx_feature_bits(work), word), word, pe, buffers);
    build_copies(build, nodes, bits, pe, buffers); /* a node's place in the order */
    if (schedules(work, config, NYSX_BALANCE_PS))
        build_copies(build, dse_ceil_div(nodes, each), word, 1, 1);
    if (schedules(work, config, NYSX_BALANCE_PL))
        build_copies(build, nodes, bits, 1, 1);
    bool scaled = nysx_scales_rows(config);
    dse_build_array(build, DSE_STORAGE_AUTO, trips * pe, bits, pe, buffers, 1); /* row, begin, length */
    dse_build_array(build, DSE_STORAGE_AUTO, trips * pe, bits, pe, buffers, 1);
    dse_build_array(build, DSE_STORAGE_AUTO, trips * pe, bits, pe, buffers, 1);
    if (scaled)
        dse_build_array(build, DSE_STORAGE_AUTO, trips * pe, 32, pe, buffers, 1);
    dse_build_array(build, DSE_STORAGE_AUTO, trips, bits, 1, buffers, 1); /* the longest row of each round */
}

enum dse_status nysx_cost_query(const struct dse_context *context, const struct dse_config *config,
                                   struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t balance = config->value[NYSX_LSHU_BALANCE], bits = nysx_index_bits(work, config);
    int64_t slot = dse_build_depth(&build, slot_depth(&build, config, balance != NYSX_BALANCE_NONE && nysx_propagates(work)));
    int64_t words_depth = dse_build_depth(&build, nysx_port_depth(&build, 0) + nysx_logic(&build, 3));
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double schedule = schedule_cycles(&build, work, config, (enum dse_case)c);
        note_loops(&build, work, config, (enum dse_case)c, words_depth, slot);
        out->fill_cycles[c][NYSX_STAGE_PREPARE] = nysx_prepare_cycles_of(&build, work, config, (enum dse_case)c);
        out->busy_cycles[c][NYSX_STAGE_QUERY] = dse_count(query_words(work, config, (enum dse_case)c));
        out->fill_cycles[c][NYSX_STAGE_QUERY] =
            dse_count((double)(words_depth - 1 + slot - 1) + schedule + context->pace.interval * work->nodes[c]);
        out->bytes[c][NYSX_STAGE_QUERY][0] = dse_count(query_bytes(work, config, (enum dse_case)c));
    }
    out->on_chip_bytes = out->bytes[DSE_CASE_MEAN][NYSX_STAGE_QUERY][0]; /* written as received */
    dse_build_datapath(&build);
    build_memories(&build, work, config);
    /* Index extraction from words: two row pointers, the order's entry, and the eight indices of a word under check. */
    double fields = QUERY_WORD_BITS / (double)bits;
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 1.0, 2.0);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, QUERY_WORD_BITS, 2.0);
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, (double)bits * (fields - 1.0), 3.0);
    dse_build_structure(&build, DSE_STRUCTURE_COMPARATOR, (double)bits, 2.0 * fields);
    if (balance == NYSX_BALANCE_PL) { /* one register per length's count */
        dse_build_structure(&build, DSE_STRUCTURE_REGISTER, (double)bits, PL_SCHEDULE_LENGTHS);
        dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, (double)bits * (PL_SCHEDULE_LENGTHS - 1), 2.0);
        dse_build_structure(&build, DSE_STRUCTURE_LOOP, 3.0, 1.0);
        dse_build_structure(&build, DSE_STRUCTURE_ADDER, (double)bits, 3.0);
    }
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_QUERY], out);
}
