/* LSHU: codes of every node and hop (paper, section 5.2.1).
 *
 * Scalar codes: hop t needs A^t F u(t), so one dense pass and t sparse passes; over all H hops, H dense and H(H−1)/2
 * sparse passes. Tuple codes keep the f columns separate: M(t+1) = A M(t) continues from hop to hop, so H−1 sparse passes per
 * column; all draws of a hop read the same columns. A sparse pass interleaves one more round of rows than an addition has
 * cycles; a separate loop floors the results for the look-up lanes. */
#include <math.h>

#include "models/build.h"
#include "models/nysx/nysx.h"

/* Cycles of the loops over all hops: iterations, and pipeline fill. */
struct passes {
    double inside, inside_fill; /* passes over vectors */
    double emitting, emitting_fill; /* loops that make codes */
};

/* Codes emitted per cycle: lanes of the look-ups, or of the direct form's list. */
static int64_t code_lanes(const struct dse_config *config)
{
    return config->value[config->value[NYSX_NEE_FORM] == NYSX_DIRECT ? NYSX_NEE_CODES : NYSX_MPHE_LOOKUPS];
}

/* Cycles between words of codes: a copy of the vector gives two elements per cycle; a word holds those of all PEs. */
static int64_t code_interval(const struct dse_config *config)
{
    return dse_ceil_div(code_lanes(config), 2 * config->value[NYSX_LSHU_PE]);
}

bool nysx_width_is_exact(const struct dse_config *config)
{
    int exponent;
    return frexp(dse_knob_number(&nysx_knobs.knobs[NYSX_WIDTH], config->value[NYSX_WIDTH]), &exponent) == 0.5;
}

/* Depths of the LSHU's loops. */
struct loops {
    int64_t dense, sparse, codes; /* Weisfeiler-Lehman: dense is hop 0's pass, sparse the other passes with their queue */
    int64_t queue;                /* share of the queue in sparse */
    int64_t contexts, rounds;     /* rows interleaved in a sparse pass; words of codes hashed at once */
};

#define QUEUE_DEPTH 3    /* depth of the loop that queues rounds of rows for the walk */
#define WL_CODES_DEPTH 2 /* depth of the loop that passes codes to the look-ups */

/* Weisfeiler-Lehman codes: one pass per hop over the previous hop's codes, all of which are emitted. */
static struct passes count_wl(const struct nysx_work *work, const struct dse_config *config, enum dse_case which, int balanced,
                              const struct loops *loops, struct dse_loops *note)
{
    int index = nysx_schedule_index(config->value[NYSX_LSHU_PE]);
    double hops = (double)work->hops, trips = work->trips[which][index];
    double dense = work->onehot ? trips : nysx_rounded_up(trips, (double)loops->rounds, which) * (double)work->features;
    bool lists = config->value[NYSX_NEE_FORM] == NYSX_DIRECT; /* the pass writes the list itself */
    double words = lists ? 0.0 : nysx_words_of_codes(work, which, code_lanes(config)) * (double)code_interval(config);
    dse_loops_note(note, which, "lshu_dense", 1.0, dense, 1.0, (double)loops->dense);
    if (hops > 1.0) { /* rounds are queued before the walk, which prefetches one */
        dse_loops_note(note, which, "lshu_queue", hops - 1.0, (hops - 1.0) * trips, 1.0, (double)loops->queue);
        dse_loops_note(note, which, "lshu_nonzeros", hops - 1.0, (hops - 1.0) * (work->a_schedule[which][balanced][index] + 1.0), 1.0,
                       (double)(loops->sparse - loops->queue));
    }
    if (!lists)
        dse_loops_note(note, which, "lshu_codes", hops, hops * words / (double)code_interval(config), (double)code_interval(config), (double)loops->codes);
    return (struct passes){.inside = dense + (hops - 1.0) * work->a_schedule[which][balanced][index],
                           .inside_fill = (double)(loops->dense - 1) + (hops - 1.0) * (double)loops->sparse, /* the walk has one more iteration than it has slots */
                           .emitting = hops * words,
                           .emitting_fill = lists ? 0.0 : hops * (double)(loops->codes - code_interval(config))};
}

/* Passes over a vector's elements in sequence, at one round per cycle. With attributes a round has all columns, and as many rounds are
 * interleaved as in a sparse pass. Tuples copy one column per pass. */
static struct passes count_passes(const struct nysx_work *work, const struct dse_config *config, enum dse_case which,
                                  int balanced, const struct loops *loops, struct dse_loops *note)
{
    if (config->value[NYSX_CODES] == NYSX_CODES_WL)
        return count_wl(work, config, which, balanced, loops, note);
    int64_t pe = config->value[NYSX_LSHU_PE], interval = code_interval(config);
    double hops = (double)work->hops, f = (double)work->features, contexts = (double)loops->contexts, draws = (double)work->draws;
    bool tuple = config->value[NYSX_CODES] == NYSX_CODES_TUPLE;
    double trips = work->trips[which][nysx_schedule_index(pe)], rounds = (double)loops->rounds;
    double words = nysx_words_of_codes(work, which, code_lanes(config));
    double ring = nysx_ring_cycles(work, which, balanced, pe, loops->contexts);
    double columns = tuple ? f : 1.0, dense_passes = tuple ? f : hops;
    double sparse_passes = tuple ? (hops / draws - 1.0) * columns : hops * (hops - 1.0) / 2.0;
    double dense = tuple || work->onehot ? trips : nysx_rounded_up(trips, contexts, which) * f;
    double shared = config->value[NYSX_NEE_FORM] == NYSX_DIRECT ? draws : 1.0, starts = hops / shared; /* the direct form lists all draws at once */
    double steps = tuple ? nysx_rounded_up(words * shared, rounds, which) * f : words;
    dse_loops_note(note, which, "lshu_dense", dense_passes, dense_passes * dense, 1.0, (double)loops->dense);
    if (sparse_passes > 0.0)
        dse_loops_note(note, which, "lshu_nonzeros", sparse_passes, sparse_passes * ring, 1.0, (double)loops->sparse);
    dse_loops_note(note, which, tuple ? "lshu_tuples" : "lshu_codes", starts, starts * steps, (double)interval, (double)loops->codes);
    return (struct passes){
        .inside = dense_passes * dense + sparse_passes * ring,
        .inside_fill = dense_passes * (double)(loops->dense - 1) + sparse_passes * (double)(loops->sparse - 1),
        .emitting = starts * steps * (double)interval,
        .emitting_fill = starts * (double)(loops->codes - interval),
    };
}

/* A PE's walk over a CSR row, in 32-bit numbers: length from two pointers, the round's longest row, address of each
 * entry, and the end test. */
void nysx_build_row_walk(struct dse_build *build, double pe)
{
    dse_build_structure(build, DSE_STRUCTURE_ADDER, 32.0, 2.0 * pe);
    dse_build_structure(build, DSE_STRUCTURE_COMPARATOR, 32.0, 2.0 * pe);
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, 32.0, pe);
    dse_build_structure(build, DSE_STRUCTURE_REGISTER, 32.0, 2.0 * pe);
}

/* Scales and shifts an attribute, divides it by the step, rounds down, and adds it to the row's hash. */
static int64_t build_steps(struct dse_build *build, const struct dse_config *config, double pe)
{
    int64_t depth = dse_build_operator(build, DSE_OP_MUL, DSE_FP32, pe) + dse_build_operator(build, DSE_OP_ADD, DSE_FP32, pe);
    if (!nysx_width_is_exact(config))
        depth += dse_build_operator(build, DSE_OP_DIVIDE, DSE_FP32, pe);
    depth += dse_build_operator(build, DSE_OP_FROM_FP32, DSE_INT32, pe);
    return depth + dse_build_operator(build, DSE_OP_MUL, DSE_INT64, pe);
}

/* Sum of the neighbours' codes and the mixer; hop 0 hashes quantised attributes. */
static struct loops build_wl(struct dse_build *build, const struct dse_config *config, double pe)
{
    const struct nysx_work *work = build->context->work;
    int64_t sum = dse_build_operator(build, DSE_OP_ADD, DSE_INT32, pe), first = 5 + sum;
    int64_t mixer = 2 * dse_build_operator(build, DSE_OP_HASH, DSE_INT32, 2.0 * pe);
    if (!work->onehot)
        first = 12 + build_steps(build, config, pe) + 2 * dse_build_operator(build, DSE_OP_HASH, DSE_INT32, 4.0 * pe);
    int64_t queue = dse_build_depth(build, QUEUE_DEPTH), walk = dse_build_depth(build, 11 - QUEUE_DEPTH + sum + mixer);
    return (struct loops){.dense = dse_build_depth(build, first + mixer), .sparse = queue + walk, .queue = queue,
                          .codes = dse_build_depth(build, WL_CODES_DEPTH), .rounds = nysx_latency(build, DSE_OP_MUL, DSE_INT64) + 1};
}

/* Floors of a word of codes, on as many operators as the word's interval requires: offset addition, division by the
 * width, floor. Tuples multiply by u before, and hash after. */
static int64_t build_codes(struct dse_build *build, const struct dse_config *config)
{
    double lanes = (double)dse_ceil_div(code_lanes(config), code_interval(config));
    enum dse_operator divide = nysx_width_is_exact(config) ? DSE_OP_MUL : DSE_OP_DIVIDE;
    int64_t depth = 2 + 1 + 2; /* a read and a write; the comparison with the limit; the floor */
    depth += dse_build_operator(build, DSE_OP_ADD, DSE_FP32, lanes) + dse_build_operator(build, divide, DSE_FP32, lanes) +
             dse_build_operator(build, DSE_OP_FROM_FP32, DSE_INT32, lanes);
    if (config->value[NYSX_CODES] == NYSX_CODES_TUPLE)
        depth += dse_build_operator(build, DSE_OP_MUL, DSE_FP32, lanes) + dse_build_operator(build, DSE_OP_MUL, DSE_INT64, lanes) +
                 nysx_logic(build, 3);
    return depth + 2;
}

/* The PEs: one adder each; attributes and the row-normalised A need multipliers. */
static struct loops build_loops(struct dse_build *build, const struct nysx_work *work, const struct dse_config *config)
{
    double pe = (double)config->value[NYSX_LSHU_PE];
    bool tuple = config->value[NYSX_CODES] == NYSX_CODES_TUPLE;
    if (config->value[NYSX_CODES] == NYSX_CODES_WL)
        return build_wl(build, config, pe);
    bool normalises = config->value[NYSX_PROPAGATION] == NYSX_PROPAGATION_ROW_NORMALISED && nysx_propagates(work);
    struct loops out = {.contexts = nysx_contexts(build)};
    int64_t add = dse_build_operator(build, DSE_OP_ADD, DSE_FP32, nysx_propagates(work) ? pe : 0.0);
    int64_t mul = dse_build_operator(build, DSE_OP_MUL, DSE_FP32, normalises ? pe : 0.0);
    out.sparse = 7 + add + (normalises ? mul : 0);
    if (work->onehot) /* a label's entry of u, or its comparison with the column */
        out.dense = tuple ? 3 + nysx_logic(build, 3) : 5;
    else
        out.dense = tuple ? 6
                          : 7 + dse_build_operator(build, DSE_OP_MUL, DSE_FP32, pe) +
                                dse_build_operator(build, DSE_OP_ADD, DSE_FP32, pe);
    int64_t hash = nysx_latency(build, DSE_OP_MUL, DSE_INT64);
    out.rounds = tuple ? (hash > 1 ? hash : 1) + 1 : 1;
    out.codes = dse_build_depth(build, build_codes(build, config));
    out.dense = dse_build_depth(build, out.dense);
    out.sparse = dse_build_depth(build, out.sparse);
    return out;
}

/* Operations and on-chip bytes of a mean graph. A sparse pass adds once per non-zero (A's entries are 1); row-
 * normalised, it multiplies once per row. A dense pass of attributes multiplies and adds f times per node. A node's code
 * takes an offset, a division by w and a floor; each column of a tuple also a product with u and a hash. */
static void count_work(const struct nysx_work *work, const struct dse_config *config, bool tuple,
                       struct dse_accumulators *out)
{
    double hops = (double)work->hops, f = (double)work->features;
    if (config->value[NYSX_CODES] == NYSX_CODES_WL) {
        double sums = (hops - 1.0) * work->nnz_a[DSE_CASE_MEAN], codes = hops * work->nodes[DSE_CASE_MEAN];
        out->operations[DSE_INT32] = dse_count(sums + 2.0 * codes);
        out->on_chip_bytes = dse_count(sums * 6.0 + codes * 9.0);
        return;
    }
    double nodes = work->nodes[DSE_CASE_MEAN], nnz = work->nnz_a[DSE_CASE_MEAN];
    double index = (double)nysx_index_bits(work, config) / 8.0, columns = tuple ? f : 1.0;
    double sparse = tuple ? hops / (double)work->draws - 1.0 : hops * (hops - 1.0) / 2.0;
    double dense = tuple ? 0.0 : hops;
    double scaled = config->value[NYSX_PROPAGATION] == NYSX_PROPAGATION_ROW_NORMALISED ? nodes : 0.0;
    double operations = sparse * columns * (nnz + scaled) + (work->onehot ? 0.0 : dense * nodes * 2.0 * f) +
                        hops * nodes * columns * (tuple ? 4.0 : 3.0);
    /* Per non-zero: its column and the vector element; per row: its pointers and the result. */
    double sparse_bytes = sparse * columns * (nnz * (index + 4.0) + nodes * (2.0 * index + 4.0));
    double dense_bytes = dense * nodes * ((double)nysx_feature_bits(work) / 8.0 + (work->onehot ? 4.0 : 4.0 * f) + 4.0);
    out->operations[DSE_FP32] = dse_count(operations);
    out->operations[DSE_INT64] = tuple ? dse_count(hops * nodes * f) : 0;
    out->on_chip_bytes = dse_count(sparse_bytes + dense_bytes);
}

/* Registers of interleaved rounds: sums, and begin, length and place of each row. */
static void build_ring(struct dse_build *build, const struct nysx_work *work, const struct dse_config *config, int64_t contexts)
{
    double pe = (double)config->value[NYSX_LSHU_PE], index = (double)nysx_index_bits(work, config);
    if (config->value[NYSX_CODES] == NYSX_CODES_WL)
        contexts = 4; /* the active round, the prefetched one, and two queued */
    if (nysx_propagates(work))
        dse_build_structure(build, DSE_STRUCTURE_REGISTER, pe * (32.0 + 2.0 * index) + 3.0 * index, (double)contexts);
}

/* Input and output vectors of a pass: one round per word, two PEs per copy, random access. */
static void build_vectors(struct dse_build *build, const struct nysx_work *work, const struct dse_config *config)
{
    int64_t nodes = work->nodes_capacity[config->value[NYSX_CAPACITY]], pe = config->value[NYSX_LSHU_PE];
    int64_t columns = config->value[NYSX_CODES] == NYSX_CODES_TUPLE ? work->features : 1;
    struct dse_array vector = dse_array_of(dse_ceil_div(nodes, pe) * columns, 32 * pe);
    vector.readers = pe + (config->value[NYSX_CODES] == NYSX_CODES_WL ? 1 : 0); /* plus the nodes' own codes */
    vector.writers = 0;
    dse_build_memory(build, DSE_STORAGE_AUTO, &vector);
    dse_build_memory(build, DSE_STORAGE_AUTO, &vector);
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, 32.0 * ((double)pe - 1.0), (double)pe);
    if (config->value[NYSX_CODES] != NYSX_CODES_WL)
        dse_build_array(build, DSE_STORAGE_AUTO, work->features * work->hops, 32, 1, 1, work->onehot ? pe : 1);
}

enum dse_status nysx_cost_lshu(const struct dse_context *context, const struct dse_config *config,
                                  struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t pe = config->value[NYSX_LSHU_PE];
    bool tuple = config->value[NYSX_CODES] == NYSX_CODES_TUPLE;
    int balanced = config->value[NYSX_LSHU_BALANCE] != NYSX_BALANCE_NONE;
    struct loops loops = build_loops(&build, work, config);
    double working = 0.0;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        struct passes passes = count_passes(work, config, (enum dse_case)c, balanced, &loops, context->loops);
        if (passes.emitting_fill < 0.0) { /* the last word does not wait for its interval */
            passes.emitting += passes.emitting_fill;
            passes.emitting_fill = 0.0;
        }
        out->busy_cycles[c][NYSX_STAGE_PROPAGATE] = dse_count(passes.inside);
        out->busy_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(passes.emitting);
        out->fill_cycles[c][NYSX_STAGE_PROPAGATE] = dse_count(passes.inside_fill);
        out->fill_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(passes.emitting_fill);
        if (c == DSE_CASE_MEAN)
            working = passes.inside + passes.emitting;
    }
    count_work(work, config, tuple, out);
    dse_build_datapath(&build);
    nysx_build_row_walk(&build, (double)pe);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, (double)pe);
    build_ring(&build, work, config, loops.contexts);
    build_vectors(&build, work, config);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 2.0, 1.0);
    return dse_build_finish(&build, working, out);
}
