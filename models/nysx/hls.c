/* The accelerator under models/nysx/hls/ as its header describes it: what the blocks account for, in the words of its
 * source. Every size here has its counterpart in the block's account of the same file name. */
#include <math.h>

#include "models/build.h"
#include "models/hls.h"
#include "models/nysx/nysx.h"

#define QUERY_PORT_BITS 128 /* as in control.c */
#define BINS_A_WORD 2       /* as in hue.c */
#define LOOKUP_QUEUE 16     /* as in mphe.c */
#define HUE_RECENT 3        /* a read, an addition, a write */
#define H_PORT_BITS_MOST 512
#define SCE_SUM_INTERVAL 6  /* cycles of an addition in double precision */

struct writer {
    const struct dse_context *context;
    const struct dse_config *config;
    const struct nysx_work *work;
    struct dse_hls *hls;
    struct dse_error *err;
    enum dse_status status;
    int64_t kernel_max; /* the largest element of C that can be */
};

static int64_t knob(const struct writer *w, enum nysx_knob index)
{
    return w->config->value[index];
}

/* No landmarks: a list of codes in place of histograms. */
static bool direct(const struct writer *w)
{
    return knob(w, NYSX_NEE_FORM) == NYSX_DIRECT;
}

static bool colours(const struct writer *w)
{
    return knob(w, NYSX_CODES) == NYSX_CODES_WL;
}

/* Codes that leave the LSHU at once, or that the direct form takes. */
static int64_t code_lanes(const struct writer *w)
{
    return knob(w, direct(w) ? NYSX_NEE_CODES : NYSX_MPHE_LOOKUPS);
}

static void partition(struct writer *w, const char *function, const char *array, int64_t factor, const char *by,
                      int dimension)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_ARRAY_PARTITION, .function = function, .target = array, .number = factor, .by = by, .dimension = dimension});
}

/* All of a dimension apart: its elements are the copies or banks of PEs. */
static void apart(struct writer *w, const char *function, const char *array, int dimension)
{
    partition(w, function, array, 0, NULL, dimension);
}

/* All of a dimension in one word. */
static void in_words(struct writer *w, const char *function, const char *array, int dimension)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_ARRAY_RESHAPE, .function = function, .target = array, .dimension = dimension});
}

/* A structure is a word. */
static void aggregate(struct writer *w, const char *function, const char *array)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_AGGREGATE, .function = function, .target = array});
}

/* The source itself hands on what an iteration writes and a near one reads, or there is no such thing. */
static void no_later_reads(struct writer *w, const char *function, const char *array)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_DEPENDENCE, .function = function, .target = array});
}

/* All calls of `callee` in a function share one module. */
static void one_module(struct writer *w, const char *function, const char *callee)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_INLINE, .function = callee});
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_ALLOCATION, .function = function, .target = callee});
}

/* `reads` a cycle: copies where they are more than a memory's two. */
static void store(struct writer *w, const char *function, const char *array, int64_t place, int64_t reads)
{
    static const char *const words[] = {[NYSX_PLACE_BRAM] = "bram", [NYSX_PLACE_URAM] = "uram",
                                        [NYSX_PLACE_LUTRAM] = "lutram"};
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_BIND_STORAGE, .function = function, .target = array, .number = reads, .word = words[place]});
}

/* A loop that starts an iteration every so many cycles, or every one. */
static void every(struct writer *w, int64_t cycles, const char *function, const char *loop)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_PIPELINE, .function = function, .target = loop, .number = cycles});
}

static void every_cycle(struct writer *w, const char *function, const char *loop)
{
    every(w, 1, function, loop);
}

/* Of a loop that turns as often as a graph or a hop asks. */
static void varies(struct writer *w, const char *function, const char *loop)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_LOOP_TRIPCOUNT, .function = function, .target = loop});
}

static void unroll(struct writer *w, const char *function, const char *loop, int64_t factor, const char *by)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_UNROLL, .function = function, .target = loop, .number = factor, .by = by});
}

/* The function's calls run side by side. */
static void side_by_side(struct writer *w, const char *function)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_DATAFLOW, .function = function});
}

static void stream(struct writer *w, const char *function, const char *array, int64_t depth, const char *by)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_STREAM, .function = function, .target = array, .number = depth, .by = by});
}

/* What all engines share: the work's sizes, the capacity. */
static void describe_work(struct writer *w)
{
    const struct nysx_work *work = w->work;
    int64_t nnz = work->nnz_capacity[knob(w, NYSX_CAPACITY)];
    int64_t index_bits = nysx_index_bits(work, w->config);
    dse_hls_add_size(w->hls, work->classes, "classes C", "CLASSES");
    dse_hls_add_size(w->hls, work->features, "columns of F", "FEATURE_COLUMNS");
    dse_hls_add_flag(w->hls, work->onehot, "1: F is one-hot and comes as the index of its column", "FEATURE_ONEHOT");
    if (!direct(w))
        dse_hls_add_size(w->hls, work->rank, "rank r of the landmark kernel", "RANK");
    dse_hls_add_size(w->hls, work->nodes_capacity[knob(w, NYSX_CAPACITY)], "nodes of the largest graph", "MAX_NODES");
    dse_hls_add_size(w->hls, nnz > 0 ? nnz : 1, "non-zeros of its A", "MAX_NNZ");
    dse_hls_add_size(w->hls, index_bits, "bits of row pointers and column indices of A", "INDEX_BITS");
    dse_hls_add_type(w->hls, "index_t", index_bits == 16 ? "uint16_t" : "uint32_t", index_bits,
                     "row pointer or column index of A");
    dse_hls_add_type(w->hls, "kernel_t", "int32_t", 32, "element of C, and the answer");
    dse_hls_add_check(w->hls, "row pointers of A fit their type",
                      "NYSX_MAX_NODES < (1LL << NYSX_INDEX_BITS) && NYSX_MAX_NNZ < (1LL << NYSX_INDEX_BITS)");
    dse_hls_add_check(w->hls, "indices and their type agree", "sizeof(nysx_index_t) * 8 == NYSX_INDEX_BITS");
}

/* Cycles of an operator at the clock; 1 for one that takes none. */
static int64_t cycles_of(struct writer *w, enum dse_operator op, enum dse_precision precision)
{
    struct dse_cost cost = {.latency_cycles = 1};
    if (w->status == DSE_OK)
        w->status = dse_costs_operator(w->context->costs, op, precision, DSE_FORM_ANY,
                                       (double)knob(w, NYSX_CLOCK_MHZ) * 1e6, &cost, w->err);
    return cost.latency_cycles > 1 ? cost.latency_cycles : 1;
}

/* The words of a query's arrays, as they came, and the slots of A's schedule. */
static void describe_graph(struct writer *w, int64_t pe)
{
    static const char *const words[] = {"graph.row_begin", "graph.order", "graph.neighbour", "graph.feature"};
    static const char *const copies[] = {"graph.neighbour", "graph.feature", "graph.position"};
    static const char *const banks[] = {"graph.slot_row", "graph.slot_begin", "graph.slot_length", "graph.slot_scale"};
    int64_t nodes = w->work->nodes_capacity[knob(w, NYSX_CAPACITY)], nnz = w->work->nnz_capacity[knob(w, NYSX_CAPACITY)];
    int64_t each = QUERY_PORT_BITS / nysx_index_bits(w->work, w->config), features = w->work->onehot ? 1 : w->work->features;
    const struct dse_hls_size *bits = dse_hls_find_size(w->hls, "FEATURE_BITS");
    int64_t feature_bits = w->work->onehot && bits != NULL ? bits->value : 32;
    dse_hls_add_size(w->hls, dse_ceil_div(nodes + 1, each), "words of row pointers", "POINTER_WORDS");
    dse_hls_add_size(w->hls, dse_ceil_div(nodes, each), "words of the processor's order", "ORDER_WORDS");
    dse_hls_add_size(w->hls, dse_ceil_div(nnz > 0 ? nnz : 1, each), "words of columns of A", "NNZ_WORDS");
    dse_hls_add_size(w->hls, dse_ceil_div(nodes * features, QUERY_PORT_BITS / feature_bits), "words of features", "FEATURE_WORDS");
    int64_t slots = dse_ceil_div(nodes, code_lanes(w)) * code_lanes(w); /* whole words of codes are read */
    dse_hls_add_size(w->hls, slots > pe ? dse_ceil_div(slots, pe) : 2, "turns of the PEs over the largest graph, two at least",
                     "LSHU_TURNS");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        aggregate(w, "nysx_infer", words[i]);
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        apart(w, "nysx_infer", copies[i], 1);
    for (size_t i = 0; i < sizeof banks / sizeof *banks; i++)
        apart(w, "nysx_infer", banks[i], 1);
    dse_hls_add_check(w->hls, "words hold the largest query's arrays",
                      "NYSX_POINTER_WORDS * (NYSX_QUERY_PORT_BITS / NYSX_INDEX_BITS) > NYSX_MAX_NODES && "
                      "NYSX_NNZ_WORDS * (NYSX_QUERY_PORT_BITS / NYSX_INDEX_BITS) >= NYSX_MAX_NNZ");
    dse_hls_add_check(w->hls, "the turns take all rows", "NYSX_LSHU_TURNS * NYSX_LSHU_PE >= NYSX_MAX_NODES");
}

/* The pass of LSH codes: turns in a ring of contexts, the floors in a loop of their own. */
static void describe_hashing(struct writer *w, int64_t pe, bool tuple)
{
    int64_t lanes = code_lanes(w), emitted = dse_ceil_div(lanes, 2 * pe);
    dse_hls_add_size(w->hls, cycles_of(w, DSE_OP_ADD, DSE_FP32) + 1, "turns under way at once: an addition's cycles and one",
                     "LSHU_CONTEXTS");
    one_module(w, "nysx_lshu", "propagate");
    if (!tuple)
        one_module(w, "nysx_lshu", "project");
    every_cycle(w, "propagate", "lshu_nonzeros");
    varies(w, "propagate", "lshu_nonzeros");
    unroll(w, "propagate", "lshu_empty", 0, NULL);
    unroll(w, "propagate", "lshu_empty_pes", 0, NULL);
    unroll(w, "step", "lshu_pes", pe, "LSHU_PE");
    every_cycle(w, tuple ? "keep_column" : "project", "lshu_dense");
    if (lanes <= pe)
        apart(w, "take_elements", "lshu_word", 1);
    varies(w, tuple ? "keep_column" : "project", "lshu_dense");
    if (tuple) {
        apart(w, "emit_tuples", "lshu_states", 0);
        apart(w, "emit_tuples", "in_even", 1);
        apart(w, "emit_tuples", "in_odd", 1);
        every(w, emitted, "emit_tuples", "lshu_tuples");
        varies(w, "emit_tuples", "lshu_tuples");
        unroll(w, "emit_tuples", "lshu_tuple_lanes", lanes, "CODE_LANES");
        return;
    }
    unroll(w, "project", "lshu_dense_pes", pe, "LSHU_PE");
    apart(w, "emit", "lshu_elements", 1);
    every(w, emitted, "emit", "lshu_codes");
    varies(w, "emit", "lshu_codes");
    unroll(w, "emit", "lshu_code_lanes", lanes, "CODE_LANES");
    if (w->work->onehot)
        store(w, "project", "nysx_lsh_u", NYSX_PLACE_LUTRAM, pe);
    else
        apart(w, "project", "lshu_sums", 0);
}

/* The passes of Weisfeiler-Lehman codes: a turn at a time, the next waiting in a queue. */
static void describe_colours(struct writer *w, int64_t pe)
{
    one_module(w, "nysx_lshu", "step_colours");
    every_cycle(w, "colour", "lshu_dense");
    varies(w, "colour", "lshu_dense");
    if (!w->work->onehot)
        apart(w, "colour", "lshu_states", 0);
    apart(w, "colour", "first_codes", 1);
    apart(w, "walk", "turn_codes", 1);
    side_by_side(w, "step_colours");
    stream(w, "step_colours", "lshu_waiting", 2, NULL);
    every_cycle(w, "queue_turns", "lshu_queue");
    varies(w, "queue_turns", "lshu_queue");
    every_cycle(w, "walk", "lshu_nonzeros");
    varies(w, "walk", "lshu_nonzeros");
    unroll(w, "no_work", "lshu_clear", 0, NULL);
    unroll(w, "add_neighbours", "lshu_pes", pe, "LSHU_PE");
    if (direct(w))
        return;
    every(w, dse_ceil_div(code_lanes(w), 2 * pe), "emit", "lshu_codes");
    varies(w, "emit", "lshu_codes");
    unroll(w, "emit", "lshu_code_lanes", code_lanes(w), "CODE_LANES");
}

static void describe_lshu(struct writer *w)
{
    const struct nysx_work *work = w->work;
    int64_t pe = knob(w, NYSX_LSHU_PE), bits = nysx_feature_bits(work);
    if (work->onehot && work->features == 256) /* one more index says that training never saw the label */
        bits = 16;
    bool tuple = knob(w, NYSX_CODES) == NYSX_CODES_TUPLE;
    dse_hls_add_size(w->hls, tuple ? work->features : 1, "columns that propagate: f for tuples, 1 for scalars", "LSHU_COLUMNS");
    dse_hls_add_size(w->hls, pe > 1 ? pe / 2 : 1, "copies of the vector that propagates, two PEs each", "LSHU_COPIES");
    dse_hls_add_size(w->hls, cycles_of(w, DSE_OP_MUL, DSE_INT64) + 1, "words of codes that are hashed at once", "LSHU_TUPLE_TURN");
    dse_hls_add_size(w->hls, code_lanes(w), "codes that leave at once", "CODE_LANES");
    dse_hls_add_size(w->hls, dse_ceil_div(work->nodes_capacity[knob(w, NYSX_CAPACITY)], code_lanes(w)),
                     "words of codes of the largest graph, one a lane", "CODE_WORDS");
    dse_hls_add_size(w->hls, bits, "bits of a node's features as they arrive", "FEATURE_BITS");
    dse_hls_add_type(w->hls, "value_t", "float", 32, "value that propagates");
    dse_hls_add_type(w->hls, "feature_t", !work->onehot ? "float" : bits == 8 ? "uint8_t" : "uint16_t",
                     work->onehot ? bits : 32, "a node's column of F, or one number of it");
    describe_graph(w, pe);
    static const char *const halves[] = {"lshu_even", "lshu_odd"};
    for (size_t i = 0; i < 2; i++) {
        apart(w, "nysx_lshu", halves[i], tuple ? 2 : 1); /* the columns of a tuple share a copy's memory */
        in_words(w, "nysx_lshu", halves[i], tuple ? 4 : 3);
    }
    if (colours(w))
        describe_colours(w, pe);
    else
        describe_hashing(w, pe, tuple);
    dse_hls_add_check(w->hls, "two PEs read one copy of the vector",
                      "NYSX_LSHU_COPIES * 2 >= NYSX_LSHU_PE");
    dse_hls_add_check(w->hls, "the words of codes hold a graph's", "NYSX_CODE_WORDS * NYSX_CODE_LANES >= NYSX_MAX_NODES");
}

static void describe_codebooks(struct writer *w, int64_t *total, int64_t *largest)
{
    for (int64_t t = 0; t < w->work->hops; t++) {
        int64_t codes = w->work->codebook[t];
        dse_hls_add_size(w->hls, codes, "codes of this hop's codebook", "CODEBOOK_%lld", (long long)t);
        *total += codes;
        *largest = codes > *largest ? codes : *largest;
    }
    dse_hls_add_size(w->hls, *total, "codes of all hops", "CODEBOOK_TOTAL");
    dse_hls_add_size(w->hls, *largest, "codes of the largest codebook: bins of a histogram", "CODEBOOK_MAX");
    dse_hls_add_check(w->hls, "a codebook a hop", "NYSX_HOPS == %lld", (long long)w->work->hops);
    for (int64_t t = 0; t < w->work->hops; t++)
        dse_hls_add_check(w->hls, "no codebook is larger than a histogram", "NYSX_CODEBOOK_%lld <= NYSX_CODEBOOK_MAX",
                          (long long)t);
}

/* Words of the first level over all hops, which the others' memories are no larger than (executor: a level has
 * ceil(gamma keys / 64) words). */
static int64_t level_words(const struct writer *w)
{
    static const double gammas[NYSX_GAMMAS] = {1.0, 1.5, 2.0, 4.0};
    int64_t words = 0;
    for (int64_t t = 0; t < w->work->hops; t++)
        words += (int64_t)ceil(gammas[knob(w, NYSX_MPHE_GAMMA)] * (double)w->work->codebook[t] / 64.0);
    return words > 0 ? words : 1;
}

static void describe_mphe(struct writer *w)
{
    const struct nysx_work *work = w->work;
    int64_t gamma = knob(w, NYSX_MPHE_GAMMA), lookups = knob(w, NYSX_MPHE_LOOKUPS), total = 0, largest = 1;
    int64_t place = knob(w, NYSX_PLACE_CODEBOOK);
    bool tuple = knob(w, NYSX_CODES) == NYSX_CODES_TUPLE;
    double levels = 1.0;
    for (int64_t t = 0; t < work->hops; t++)
        levels = fmax(levels, work->mph_levels[t][gamma]);
    describe_codebooks(w, &total, &largest);
    dse_hls_add_size(w->hls, (int64_t)ceil(levels), "levels of the deepest hash, all probed at once", "MPH_LEVELS");
    dse_hls_add_size(w->hls, level_words(w), "64-bit words of a level's memory, all hops", "MPH_LEVEL_WORDS");
    dse_hls_add_size(w->hls, dse_bits_for(total + 1), "bits of a rank", "MPH_RANK_BITS");
    dse_hls_add_size(w->hls, tuple ? 64 : 32, "bits of a stored code", "CODE_BITS");
    dse_hls_add_size(w->hls, dse_bits_for(largest), "bits of a bin's index", "BIN_BITS");
    dse_hls_add_size(w->hls, LOOKUP_QUEUE, "words of codes that wait for the lanes", "LOOKUP_QUEUE_DEPTH");
    dse_hls_add_type(w->hls, "code_t", tuple ? "uint64_t" : colours(w) ? "uint32_t" : "int32_t", tuple ? 64 : 32, "code in the codebook");
    dse_hls_add_type(w->hls, "bin_t", "int32_t", dse_bits_for(largest), "bin of a histogram");
    apart(w, "nysx_mphe", "nysx_mph_words", 1);
    apart(w, "nysx_mphe", "nysx_mph_level_bits", 2);
    apart(w, "nysx_mphe", "nysx_mph_level_begin", 2);
    store(w, "nysx_mphe", "nysx_mph_words", NYSX_PLACE_BRAM, lookups);
    store(w, "nysx_mphe", "nysx_mph_rank", NYSX_PLACE_BRAM, lookups);
    store(w, "nysx_mphe", "nysx_codebook_code", place, lookups);
    store(w, "nysx_mphe", "nysx_codebook_bin", place, lookups);
    side_by_side(w, "nysx_lookup");
    stream(w, "nysx_lookup", "lookup_codes", LOOKUP_QUEUE, "LOOKUP_QUEUE_DEPTH");
    stream(w, "nysx_lookup", "lookup_bins", LOOKUP_QUEUE, "LOOKUP_QUEUE_DEPTH");
    every_cycle(w, "nysx_mphe", "mphe_codes");
    varies(w, "nysx_mphe", "mphe_codes");
    unroll(w, "nysx_mphe", "mphe_lanes", lookups, "MPHE_LOOKUPS");
    dse_hls_add_check(w->hls, "bins have enough bits for the largest codebook",
                      "NYSX_CODEBOOK_MAX <= (1LL << NYSX_BIN_BITS)");
    dse_hls_add_check(w->hls, "ranks count to all codes", "NYSX_CODEBOOK_TOTAL < (1LL << NYSX_MPH_RANK_BITS)");
    dse_hls_add_check(w->hls, "the first level has a bit for every code",
                      "NYSX_MPH_LEVEL_WORDS * 64LL >= NYSX_CODEBOOK_TOTAL");
}

static void describe_hue(struct writer *w)
{
    const struct dse_hls_size *bins = dse_hls_find_size(w->hls, "CODEBOOK_MAX");
    int64_t largest = bins != NULL ? bins->value : 1, pe = knob(w, NYSX_HUE_PE);
    dse_hls_add_size(w->hls, BINS_A_WORD, "bins that share a word of a histogram", "BINS_PER_WORD");
    int64_t nodes = w->work->nodes_capacity[knob(w, NYSX_CAPACITY)], bits = nodes < 256 ? 8 : nodes < 65536 ? 16 : 32;
    dse_hls_add_size(w->hls, bits, "bits of a bin's count", "COUNT_BITS");
    dse_hls_add_size(w->hls, dse_ceil_div(largest, BINS_A_WORD), "words of a histogram", "HISTOGRAM_WORDS");
    dse_hls_add_size(w->hls, dse_ceil_div(knob(w, NYSX_KSE_PE), 2),
                     "copies of the merged histogram, two PEs of the KSE each", "HISTOGRAM_COPIES");
    dse_hls_add_size(w->hls, HUE_RECENT, "words that a PE keeps: those that its memory does not give back yet", "HUE_RECENT");
    dse_hls_add_type(w->hls, "histogram_t", bits == 8 ? "uint16_t" : bits == 16 ? "uint32_t" : "uint64_t", 2 * bits,
                     "word of a histogram");
    dse_hls_add_type(w->hls, "count_t", bits == 8 ? "uint8_t" : bits == 16 ? "uint16_t" : "uint32_t", bits,
                     "count of a histogram's bin");
    apart(w, "nysx_hypervector", "hue_private", 1);
    apart(w, "nysx_hypervector", "hue_merged", 1);
    no_later_reads(w, "nysx_hypervector", "hue_private");
    every_cycle(w, "nysx_hue", "hue_updates");
    varies(w, "nysx_hue", "hue_updates");
    unroll(w, "nysx_hue", "hue_forget", 0, NULL);
    unroll(w, "nysx_hue", "hue_words", 0, NULL);
    every_cycle(w, "nysx_hue_merge", "hue_merge");
    varies(w, "nysx_hue_merge", "hue_merge");
    unroll(w, "nysx_hue", "hue_pes", pe, "HUE_PE");
    dse_hls_add_check(w->hls, "a histogram has a bin for every code",
                      "NYSX_HISTOGRAM_WORDS * NYSX_BINS_PER_WORD >= NYSX_CODEBOOK_MAX");
    dse_hls_add_check(w->hls, "two PEs read one copy of the histogram", "NYSX_HISTOGRAM_COPIES * 2 >= NYSX_KSE_PE");
    dse_hls_add_check(w->hls, "a count holds all nodes of a graph", "NYSX_MAX_NODES < (1LL << NYSX_COUNT_BITS)");
    dse_hls_add_check(w->hls, "counts and their type agree", "sizeof(nysx_count_t) * 8 == NYSX_COUNT_BITS");
}

/* H in external memory: one stream of entries in the order of their use, as many a word as there are PEs to take them
 * while the port is that wide. */
static void describe_h_stream(struct writer *w, int64_t slots, int64_t entry_bits)
{
    int64_t each = knob(w, NYSX_KSE_PE), beats = 1;
    each = each * entry_bits > H_PORT_BITS_MOST ? H_PORT_BITS_MOST / entry_bits : each;
    beats = dse_ceil_div(knob(w, NYSX_KSE_PE), each);
    dse_hls_add_size(w->hls, each, "entries of a word of H's port", "H_WORD_ENTRIES");
    dse_hls_add_size(w->hls, beats, "words of a slot", "H_BEATS");
    dse_hls_add_size(w->hls, slots * beats, "words of H", "H_WORDS");
    dse_hls_add_type(w->hls, "h_word_t", NULL, each * entry_bits, "word of H's port");
    dse_hls_add_port(w->hls, &(struct dse_hls_port){.name = "h", .title = "landmark histograms", .type = "h_word_t",
                                                    .count = 1, .words = slots * beats, .burst_words = 16,
                                                    .outstanding = 16});
    every(w, beats, "nysx_kse", "kse_slots");
    varies(w, "nysx_kse", "kse_slots");
    dse_hls_add_check(w->hls, "the words of a slot hold an entry for each PE",
                      "NYSX_H_BEATS * NYSX_H_WORD_ENTRIES == NYSX_KSE_PE");
    dse_hls_add_check(w->hls, "a word of H is its entries",
                      "sizeof(nysx_h_word_t) == NYSX_H_WORD_ENTRIES * sizeof(nysx_h_entry_t)");
}

static void describe_h(struct writer *w, int64_t slots, int64_t entry_bits)
{
    int64_t place = knob(w, NYSX_PLACE_H);
    apart(w, "nysx_gathered", "nysx_h_place", 1);
    apart(w, "nysx_hypervector", "kse_sums", 1);
    apart(w, "nysx_hypervector", "kse_sums", 2);
    dse_hls_add_size(w->hls, slots, "slots of H: an entry for each PE, turns filled up to their longest row", "H_SLOTS");
    dse_hls_add_check(w->hls, "the slots of H hold all its entries",
                      "NYSX_H_SLOTS * (1LL * NYSX_KSE_PE) >= NYSX_H_NNZ_TOTAL");
    if (place == NYSX_PLACE_DDR) {
        describe_h_stream(w, slots, entry_bits);
        return;
    }
    every_cycle(w, "nysx_kse", "kse_slots");
    varies(w, "nysx_kse", "kse_slots");
    apart(w, "nysx_kse", "nysx_h_entries", 1);
    store(w, "nysx_kse", "nysx_h_entries", place, 1);
}

static void describe_kse(struct writer *w)
{
    const struct nysx_work *work = w->work;
    int64_t pe = knob(w, NYSX_KSE_PE), nnz = 0, largest = 1, counted = 1;
    double cycles = 0.0, kernel = 0.0;
    for (int64_t t = 0; t < work->hops; t++) {
        dse_hls_add_size(w->hls, work->nnz_h[t] > 0 ? work->nnz_h[t] : 1,
                         "non-zeros of this hop's landmark histograms", "H_NNZ_%lld", (long long)t);
        nnz += work->nnz_h[t];
        cycles += work->h_schedule[t][knob(w, NYSX_KSE_BALANCE)][nysx_schedule_index(pe)];
        largest = work->codebook[t] > largest ? work->codebook[t] : largest;
        counted = work->max_count[t] > counted ? work->max_count[t] : counted;
        kernel += (double)work->max_count[t] * (double)work->nodes_capacity[knob(w, NYSX_CAPACITY)];
    }
    int64_t bits = dse_bits_for(largest) + dse_bits_for(counted + 1) + 1; /* and the end of a turn */
    if (kernel > (double)INT32_MAX)
        w->status = dse_fail(w->err, DSE_ANSWER_NO,
                             "graphs of up to %lld nodes may overflow the 32-bit elements of the kernel vector",
                             (long long)work->nodes_capacity[knob(w, NYSX_CAPACITY)]);
    w->kernel_max = (int64_t)fmin(kernel, (double)INT32_MAX);
    dse_hls_add_size(w->hls, nnz > 0 ? nnz : 1, "non-zeros of all hops", "H_NNZ_TOTAL");
    dse_hls_add_size(w->hls, dse_bits_for(counted + 1), "bits of a count in H", "H_COUNT_BITS");
    dse_hls_add_size(w->hls, w->kernel_max > 0 ? w->kernel_max : 1, "no element of C is larger", "KERNEL_MAX");
    dse_hls_add_size(w->hls, dse_bits_for(w->kernel_max + 1) + 1, "bits of an element of C, with its sign", "KERNEL_BITS");
    dse_hls_add_size(w->hls, bits <= 32 ? 4 : 8, "bytes of an entry of H", "H_ENTRY_BYTES");
    dse_hls_add_type(w->hls, "h_entry_t", bits <= 32 ? "uint32_t" : "uint64_t", bits, "bin and count of H, bin low");
    dse_hls_add_size(w->hls, dse_ceil_div(work->landmarks, pe), "rows of H that a PE takes a hop", "H_ITERATIONS");
    describe_h(w, (int64_t)fmax(ceil(cycles), 1.0), bits <= 32 ? 32 : 64);
    apart(w, "nysx_kse", "kse_row", 1);
    apart(w, "nysx_kse", "kse_entries", 1);
    unroll(w, "nysx_kse", "kse_clear", 0, NULL);
    unroll(w, "nysx_kse", "kse_pes", pe, "KSE_PE");
    dse_hls_add_check(w->hls, "an entry of H holds bin and count",
                      "sizeof(nysx_h_entry_t) * 8 > NYSX_BIN_BITS + NYSX_H_COUNT_BITS");
}

/* A stored precision of P_nys: its bits, its type in C simulation, and the largest magnitude of an integer. */
struct stored {
    int bits;
    const char *c;
    int64_t largest; /* 0 for floating point */
};

static const struct stored stored_of[] = {{32, "float", 0},    {16, "uint16_t", 0}, {16, "uint16_t", 0},
                                          {16, "int16_t", 32767}, {8, "int8_t", 127},  {4, "int8_t", 7},
                                          {1, "int8_t", 1}};

/* Cycles of a floating-point addition: the rows that a lane takes in turn (nee.c). */
static int64_t turn_of(struct writer *w, bool floating)
{
    return floating ? cycles_of(w, DSE_OP_ADD, DSE_FP32) + 1 : 1;
}

/* The type that holds a sum of `terms` products of an element of up to `largest` and a factor of up to `factor`. */
static const char *sum_type(int64_t terms, int64_t largest, int64_t factor)
{
    return (double)terms * (double)largest * (double)factor <= (double)INT32_MAX ? "int32_t" : "int64_t";
}

static int64_t next_power_of_two(int64_t least)
{
    int64_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

/* The hypervector, of which the lanes write `written` elements in all. */
static void describe_hypervector(struct writer *w, int64_t written)
{
    int64_t lanes = knob(w, NYSX_NEE_LANES), elements = knob(w, NYSX_SCE_BITS);
    int64_t read = dse_ceil_div(knob(w, NYSX_DIM), elements) * elements, banks = next_power_of_two(lanes > elements ? lanes : elements);
    dse_hls_add_size(w->hls, written > read ? written : read,
                     "bits of a hypervector and of what fills up its last group and word", "HYPERVECTOR_BITS");
    dse_hls_add_size(w->hls, banks, "banks of a hypervector: as many bits as the lanes write or the SCE reads at once",
                     "HYPERVECTOR_BANKS");
    partition(w, "nysx_top", "hypervector", banks, "HYPERVECTOR_BANKS", 1);
}

/* Groups of rows, a lane's in turn. Streamed, all groups have as many turns as the others, so that the ports never bring all
 * at once; on the chip each but the last has all that there is time for. */
static void describe_groups(struct writer *w, int64_t turn, int64_t columns)
{
    struct nysx_turns turns = nysx_p_turns(w->config, turn);
    bool streamed = knob(w, NYSX_NEE_FORM) == NYSX_STREAMED;
    int64_t lanes = knob(w, NYSX_NEE_LANES), groups = turns.groups, of_group = streamed ? turns.of_group : turn, rows = lanes * of_group;
    dse_hls_add_size(w->hls, turn, "rows that a lane takes in turn: the cycles of its addition and one", "NEE_TURN");
    dse_hls_add_size(w->hls, of_group, "of them, those that a group has", "NEE_GROUP_TURNS");
    if (streamed)
        dse_hls_add_size(w->hls, turns.of_last, "those of the last", "NEE_LAST_TURNS");
    dse_hls_add_size(w->hls, rows, "rows of a group", "NEE_GROUP_ROWS");
    dse_hls_add_size(w->hls, groups, "groups of rows", "NEE_GROUPS");
    dse_hls_add_size(w->hls, groups * columns * turn, "steps of the lanes", "NEE_STEPS");
    describe_hypervector(w, groups * rows);
    apart(w, "nysx_nee", "nee_sums", 0);
    apart(w, "nysx_nee", "elements", 1);
    unroll(w, "add_products", "nee_lanes", lanes, "NEE_LANES");
    dse_hls_add_check(w->hls, "a group is lanes times its turns",
                      "NYSX_NEE_GROUP_ROWS == NYSX_NEE_LANES * NYSX_NEE_GROUP_TURNS && NYSX_NEE_GROUP_TURNS <= NYSX_NEE_TURN");
    dse_hls_add_check(w->hls, "the groups cover the dimension",
                      "1LL * NYSX_NEE_GROUPS * NYSX_NEE_GROUP_ROWS >= NYSX_DIM && "
                      "(NYSX_NEE_GROUPS - 1LL) * NYSX_NEE_GROUP_ROWS < NYSX_DIM");
    dse_hls_add_check(w->hls, "a hypervector has a bit a row",
                      "1LL * NYSX_HYPERVECTOR_BITS >= 1LL * NYSX_NEE_GROUPS * NYSX_NEE_GROUP_ROWS");
}

/* P_nys through the ports: element after element in the order of their use, a word to each port in turn. */
static void describe_stream(struct writer *w, const struct stored *p)
{
    const struct dse_board *board = w->context->board;
    int64_t width = knob(w, NYSX_NEE_PORT_BITS), ports = knob(w, NYSX_NEE_PORTS);
    size_t memory = (size_t)knob(w, NYSX_NEE_MEMORY) - 1;
    const struct dse_port *port =
        memory < board->memory_count ? nysx_port_to(board, board->memories[memory].name) : NULL;
    if (port == NULL) {
        w->status = dse_fail(w->err, DSE_ANSWER_NO, "nee.memory=%zu: the board %s has no port to it", memory + 1,
                             board->name);
        return;
    }
    struct nysx_burst burst = nysx_port_burst(port, w->config);
    int64_t burst_words = burst.beats * burst.beat_bytes / (width / 8);
    struct nysx_beats beats = nysx_p_beats(w->config, p->bits, w->work->landmarks, turn_of(w, p->largest == 0));
    int64_t lanes = knob(w, NYSX_NEE_LANES), step_parts = dse_ceil_div(lanes * p->bits, 32);
    if (beats.step / beats.unit * beats.beat > NYSX_P_ELEMENTS_MOST) {
        w->status = dse_fail(w->err, DSE_ANSWER_NO,
                             "nee.lanes=%lld: a step begins at %lld places of the %lld elements that all ports bring at once; "
                             "must be a number that goes into them, or they into it",
                             (long long)lanes, (long long)(lanes / beats.unit), (long long)beats.beat);
        return;
    }
    dse_hls_add_size(w->hls, width / p->bits, "elements of a port's word", "P_WORD_ELEMENTS");
    dse_hls_add_size(w->hls, beats.beat, "elements that a word of every port has together", "P_BEAT_ELEMENTS");
    dse_hls_add_size(w->hls, beats.unit, "elements from one place where a step may begin to the next", "P_UNIT");
    dse_hls_add_size(w->hls, beats.step, "elements of a step", "P_STEP");
    dse_hls_add_size(w->hls, beats.rest, "elements of a step of the last turn", "P_REST");
    dse_hls_add_size(w->hls, beats.step - beats.unit + beats.beat, "elements that wait to be a step", "P_HELD");
    dse_hls_add_size(w->hls, step_parts, "32-bit parts of a step's elements", "P_STEP_PARTS");
    dse_hls_add_size(w->hls, beats.steps, "steps of the lanes that have rows", "P_STEPS");
    dse_hls_add_size(w->hls, beats.gathers, "cycles that making them of words takes", "P_GATHERS");
    dse_hls_add_size(w->hls, beats.words * ports, "words of P_nys in all", "P_WORDS");
    dse_hls_add_size(w->hls, beats.words, "words behind one port", "P_PORT_WORDS");
    dse_hls_add_size(w->hls, burst_words > 0 ? burst_words : 1, "words of a port's burst", "P_BURST_WORDS");
    dse_hls_add_type(w->hls, "p_word_t", NULL, width, "word of a memory port");
    dse_hls_add_type(w->hls, "p_step_t", NULL, 32 * step_parts, "an element of P_nys for each lane");
    dse_hls_add_port(w->hls, &(struct dse_hls_port){.name = "p", .title = "P_nys", .type = "p_word_t", .numbered = true,
                                                    .count = ports, .words = beats.words,
                                                    .burst_words = burst_words > 0 ? burst_words : 1,
                                                    .outstanding = knob(w, NYSX_NEE_OUTSTANDING), .memory = memory});
    apart(w, "nysx_p_gather", "nee_held", 1);
    apart(w, "nysx_p_gather", "nee_moved", 1);
    unroll(w, "nysx_p_gather", "nee_clear", 0, NULL);
    every_cycle(w, "nysx_p_gather", "nee_gather");
    every_cycle(w, "nysx_nee", "nee_products");
    every_cycle(w, "enter", "nee_enter");
    side_by_side(w, "nysx_encode");
    stream(w, "nysx_encode", "nee_fifo", knob(w, NYSX_NEE_FIFO_DEPTH), "NEE_FIFO_DEPTH");
    apart(w, "nysx_encode", "nee_fifo", 1);
    stream(w, "nysx_encode", "nee_steps", 2, NULL);
    every_cycle(w, "nysx_p_read", "nee_words");
    dse_hls_add_check(w->hls, "a word is its elements", "NYSX_P_WORD_ELEMENTS * NYSX_P_BITS == NYSX_NEE_PORT_BITS");
    dse_hls_add_check(w->hls, "a word's type is as wide as the port",
                      "sizeof(nysx_p_word_t) * 8 == NYSX_NEE_PORT_BITS");
    dse_hls_add_check(w->hls, "the words hold P_nys",
                      "1LL * NYSX_P_WORDS * NYSX_P_WORD_ELEMENTS >= 1LL * NYSX_DIM * NYSX_LANDMARKS");
    dse_hls_add_check(w->hls, "the ports hold all words", "1LL * NYSX_P_PORT_WORDS * NYSX_NEE_PORTS == NYSX_P_WORDS");
    dse_hls_add_check(w->hls, "steps and words are as long as one another",
                      "1LL * NYSX_P_STEPS * NYSX_P_STEP - 1LL * NYSX_LANDMARKS * (NYSX_P_STEP - NYSX_P_REST) <= "
                      "1LL * NYSX_P_PORT_WORDS * NYSX_P_BEAT_ELEMENTS");
    dse_hls_add_check(w->hls, "what waits has room for a step and a word",
                      "NYSX_P_HELD >= NYSX_P_STEP - NYSX_P_UNIT + NYSX_P_BEAT_ELEMENTS && NYSX_P_STEP %% NYSX_P_UNIT == 0 && "
                      "NYSX_P_REST %% NYSX_P_UNIT == 0 && NYSX_P_BEAT_ELEMENTS %% NYSX_P_UNIT == 0");
    dse_hls_add_check(w->hls, "the parts of a step hold its elements", "NYSX_P_STEP_PARTS * 32 >= NYSX_NEE_LANES * NYSX_P_BITS && NYSX_P_STEP <= NYSX_NEE_LANES && NYSX_P_REST <= NYSX_P_STEP");
    dse_hls_add_check(w->hls, "the FIFO takes a burst", "NYSX_NEE_FIFO_DEPTH >= NYSX_P_BURST_WORDS");
}

/* P_nys on the chip: a word an element for each lane, in the order of their use. */
static void describe_resident(struct writer *w, const struct stored *p)
{
    int64_t lanes = knob(w, NYSX_NEE_LANES), turn = turn_of(w, p->largest == 0);
    int64_t words = dse_ceil_div(knob(w, NYSX_DIM), lanes * turn) * turn * knob(w, NYSX_LANDMARKS);
    dse_hls_add_size(w->hls, words, "words of the resident P_nys, an element a lane", "P_RESIDENT_WORDS");
    dse_hls_add_size(w->hls, dse_ceil_div(lanes * p->bits, 32), "32-bit parts of such a word", "P_RESIDENT_PARTS");
    in_words(w, "nysx_p_take", "nysx_p_resident", 2);
    store(w, "nysx_p_take", "nysx_p_resident", knob(w, NYSX_PLACE_P), 1);
    every_cycle(w, "nysx_nee", "nee_products");
    every_cycle(w, "enter", "nee_enter");
    dse_hls_add_check(w->hls, "the resident words hold P_nys",
                      "1LL * NYSX_P_RESIDENT_WORDS * NYSX_NEE_LANES >= 1LL * NYSX_DIM * NYSX_LANDMARKS");
    dse_hls_add_check(w->hls, "the parts of a resident word hold its elements",
                      "NYSX_P_RESIDENT_PARTS * 32 >= NYSX_NEE_LANES * NYSX_P_BITS");
}

static void describe_p(struct writer *w)
{
    const struct stored *p = &stored_of[knob(w, NYSX_NEE_PRECISION)];
    describe_groups(w, turn_of(w, p->largest == 0), knob(w, NYSX_LANDMARKS));
    dse_hls_add_size(w->hls, p->bits, "bits of a stored element of P_nys", "P_BITS");
    dse_hls_add_type(w->hls, "p_t", p->c, p->bits, "element of P_nys as it is stored");
    dse_hls_add_type(w->hls, "sum_t",
                     p->largest == 0 ? "float" : sum_type(knob(w, NYSX_LANDMARKS), p->largest, w->kernel_max),
                     0, "sum of a row");
    dse_hls_add_check(w->hls, "an element fits its type", "sizeof(nysx_p_t) * 8 >= NYSX_P_BITS");
    if (knob(w, NYSX_NEE_FORM) == NYSX_STREAMED) {
        describe_stream(w, p);
        return;
    }
    describe_resident(w, p);
}

/* The generators of a group's rows of P_rp, whose starts are made while the group before is multiplied. */
static void describe_generators(struct writer *w, int64_t turn)
{
    int64_t rows = knob(w, NYSX_NEE_LANES) * turn;
    int64_t generators = nysx_generators(rows);
    dse_hls_add_size(w->hls, generators, "generators that a group of rows needs, eight rows each", "NEE_GENERATORS");
    dse_hls_add_size(w->hls, dse_ceil_div(generators, w->work->rank * turn), "of the next group's, started a cycle",
                     "NEE_STARTS");
    apart(w, "nysx_nee", "source.state", 0);
    every_cycle(w, "nysx_p_open", "nee_generators");
    dse_hls_add_check(w->hls, "the generators serve all rows of a group",
                      "NYSX_NEE_GENERATORS * 8LL >= NYSX_NEE_GROUP_ROWS + (NYSX_NEE_GROUP_ROWS %% 8 == 0 ? 0 : 7)");
    dse_hls_add_check(w->hls, "a group's columns suffice to start the next group's generators",
                      "1LL * NYSX_NEE_STARTS * NYSX_RANK * NYSX_NEE_TURN >= NYSX_NEE_GENERATORS");
}

/* P_rp φ with φ = Λ^(-1/2) Qᵀ C. */
static void describe_factored(struct writer *w)
{
    static const struct stored phi_of[] = {{8, "int8_t", 127}, {16, "int16_t", 32767}, {32, "int32_t", INT32_MAX},
                                           {32, "float", 0}};
    const struct stored *phi = &phi_of[knob(w, NYSX_NEE_PHI_BITS)];
    int64_t entry = knob(w, NYSX_NEE_GENERATOR) == NYSX_SIGN ? 1 : 128;
    describe_groups(w, turn_of(w, phi->largest == 0), w->work->rank);
    every_cycle(w, "nysx_nee", "nee_products");
    int64_t lanes = nysx_phi_lanes(knob(w, NYSX_NEE_LANES)), turn = turn_of(w, true);
    dse_hls_add_size(w->hls, lanes, "lanes of the array that makes phi", "PHI_LANES");
    dse_hls_add_size(w->hls, turn, "rows that one of them takes in turn", "PHI_TURN");
    dse_hls_add_size(w->hls, dse_ceil_div(w->work->rank, lanes * turn), "groups of rows of phi", "PHI_GROUPS");
    dse_hls_add_size(w->hls, phi->bits, "bits of an element of phi", "PHI_BITS");
    dse_hls_add_size(w->hls, knob(w, NYSX_NEE_GENERATOR) == NYSX_SIGN ? 1 : 8, "random bits of an entry of P_rp",
                     "GENERATOR_BITS");
    dse_hls_add_type(w->hls, "phi_t", phi->c, phi->bits, "element of phi");
    dse_hls_add_type(w->hls, "sum_t",
                     phi->largest == 0 ? "float" : sum_type(w->work->rank, phi->largest, entry), 0,
                     "sum of a row");
    describe_generators(w, phi->largest == 0 ? turn : 1);
    apart(w, "nysx_phi", "nysx_phi_map", 2);
    apart(w, "nysx_phi", "phi_sums", 0);
    apart(w, "nysx_phi", "phi_rows", 2);
    every_cycle(w, "nysx_phi", "nee_phi_out");
    every_cycle(w, "enter", "nee_phi_enter");
    every_cycle(w, "nysx_phi", "nee_phi_products");
    unroll(w, "nysx_phi", "nee_phi_lanes", lanes, "PHI_LANES");
    dse_hls_add_check(w->hls, "the groups of phi cover the rank",
                      "1LL * NYSX_PHI_GROUPS * NYSX_PHI_LANES * NYSX_PHI_TURN >= NYSX_RANK");
    dse_hls_add_check(w->hls, "an element of phi fits its type", "sizeof(nysx_phi_t) * 8 == NYSX_PHI_BITS");
}

/* The table of equal codes, and the list of what it leaves, a bank a code that the lanes take. */
static void describe_table(struct writer *w)
{
    int64_t places = nysx_merge_places(w->config), bits = nysx_item_bits(w->work, w->config), codes = knob(w, NYSX_NEE_CODES);
    int64_t most = w->work->nodes_capacity[knob(w, NYSX_CAPACITY)] * w->work->hops;
    if (places == 0)
        return;
    dse_hls_add_size(w->hls, places, "places of the table of equal codes: a power of two", "MERGE_PLACES");
    dse_hls_add_size(w->hls, HUE_RECENT, "of them that it keeps: those that its memory does not give back yet", "MERGE_RECENT");
    dse_hls_add_size(w->hls, dse_ceil_div(most, codes) * codes, "places of the list that it leaves", "ITEMS");
    dse_hls_add_size(w->hls, bits, "bits of a code's count", "ITEM_BITS");
    dse_hls_add_type(w->hls, "item_count_t", bits <= 8 ? "uint8_t" : bits <= 16 ? "uint16_t" : "uint32_t",
                     bits <= 8 ? 8 : bits <= 16 ? 16 : 32, "count of a code");
    no_later_reads(w, "merge_codes", "table_code");
    no_later_reads(w, "merge_codes", "table_count");
    apart(w, "nysx_encode", "direct_counts", 1);
    unroll(w, "merge_codes", "nee_forget", 0, NULL);
    every_cycle(w, "merge_codes", "nee_merge");
    varies(w, "merge_codes", "nee_merge");
    partition(w, "nysx_encode", "item_code", codes, "NEE_CODES", 1);
    partition(w, "nysx_encode", "item_count", codes, "NEE_CODES", 1);
    dse_hls_add_check(w->hls, "the list of merged codes holds all of a graph", "1LL * NYSX_ITEMS >= 1LL * NYSX_MAX_NODES * NYSX_HOPS");
    dse_hls_add_check(w->hls, "places of the table are a power of two", "(NYSX_MERGE_PLACES & (NYSX_MERGE_PLACES - 1)) == 0");
    dse_hls_add_check(w->hls, "a count holds all codes of a graph", "1LL * NYSX_MAX_NODES * NYSX_HOPS < (1LL << NYSX_ITEM_BITS)");
}

/* The list of codes, the lanes that make their signs, and what their sums start at. */
static void describe_direct(struct writer *w)
{
    int64_t lanes = knob(w, NYSX_NEE_LANES), codes = knob(w, NYSX_NEE_CODES), turns = dse_ceil_div(knob(w, NYSX_DIM), lanes);
    int64_t nodes = w->work->nodes_capacity[knob(w, NYSX_CAPACITY)], written = colours(w) ? knob(w, NYSX_LSHU_PE) : codes;
    int64_t banks = written > codes ? written : codes, bits = nysx_sum_bits(w->work, w->config);
    int64_t lane_bits = lanes > NYSX_SIGNS_A_WORD ? dse_bits_for(lanes / NYSX_SIGNS_A_WORD) : 0;
    int64_t word_bits = dse_bits_for(dse_ceil_div(knob(w, NYSX_DIM), NYSX_SIGNS_A_WORD)), start = nysx_start_bits(w->work, w->config);
    dse_hls_add_size(w->hls, dse_ceil_div(nodes, banks) * banks, "places of the list of codes for a hop", "LIST_HOP");
    dse_hls_add_size(w->hls, banks, "banks of it: as many codes as are written or read at once", "LIST_BANKS");
    dse_hls_add_size(w->hls, turns, "turns of the lanes", "NEE_TURNS");
    dse_hls_add_flag(w->hls, lane_bits, "bits of a word's number that the lane decides", "NEE_LANE_BITS");
    dse_hls_add_flag(w->hls, word_bits > lane_bits ? word_bits - lane_bits : 0, "and that the turn decides", "NEE_TURN_BITS");
    dse_hls_add_size(w->hls, bits, "bits of a lane's sum", "SUM_BITS");
    dse_hls_add_size(w->hls, start, "bits of what it starts at, as stored", "START_BITS");
    dse_hls_add_size(w->hls, dse_ceil_div(lanes * start, 32), "32-bit parts of a turn of them", "START_PARTS");
    describe_hypervector(w, turns * lanes);
    partition(w, "nysx_hypervector", "code_list", banks, "LIST_BANKS", 1);
    describe_table(w);
    if (!colours(w)) {
        side_by_side(w, "nysx_lookup");
        stream(w, "nysx_lookup", "lookup_codes", LOOKUP_QUEUE, NULL);
        every_cycle(w, "nysx_list", "nee_list");
        varies(w, "nysx_list", "nee_list");
    }
    apart(w, "nysx_encode", "direct_sums", 0);
    apart(w, "nysx_encode", "direct_signs", 0);
    if (knob(w, NYSX_NEE_CENTER) != 0)
        apart(w, "nysx_encode", "nysx_start", 2);
    every_cycle(w, "nysx_encode", "nee_codes");
    varies(w, "nysx_encode", "nee_codes");
    unroll(w, "add_signs", "nee_lanes", lanes, "NEE_LANES");
    dse_hls_add_check(w->hls, "the turns cover the dimension", "1LL * NYSX_NEE_TURNS * NYSX_NEE_LANES >= NYSX_DIM");
    dse_hls_add_check(w->hls, "lanes are a power of two", "(NYSX_NEE_LANES & (NYSX_NEE_LANES - 1)) == 0");
    dse_hls_add_check(w->hls, "a sum holds all codes of a graph and its threshold",
                      "2LL * NYSX_HOPS * NYSX_MAX_NODES < (1LL << NYSX_SUM_BITS) && NYSX_SUM_BITS <= 32");
}

static void describe_sce(struct writer *w)
{
    int64_t elements = knob(w, NYSX_SCE_BITS), rows = knob(w, NYSX_SCE_PE) == 0 ? 1 : w->work->classes;
    static const int64_t bits_of[] = {1, 2, 4, 8, 32};
    int64_t bits = bits_of[knob(w, NYSX_SCE_PROTOTYPE_BITS)];
    dse_hls_add_size(w->hls, dse_ceil_div(knob(w, NYSX_DIM), elements), "words of a prototype", "SCE_WORDS");
    dse_hls_add_size(w->hls, rows, "prototypes at once", "SCE_ROWS");
    dse_hls_add_size(w->hls, dse_ceil_div(w->work->classes, rows), "turns over the prototypes", "SCE_TURNS");
    dse_hls_add_size(w->hls, dse_ceil_div(elements * bits, 32), "32-bit parts of such a word", "SCE_PARTS");
    dse_hls_add_type(w->hls, "prototype_t", bits == 32 ? "float" : "int8_t", bits, "element of a prototype");
    dse_hls_add_type(w->hls, "score_t", bits == 32 ? "float" : "int32_t", 32, "similarity with a class");
    apart(w, "nysx_sce", "nysx_prototypes", 3);
    partition(w, "nysx_sce", "nysx_prototypes", rows, "SCE_ROWS", 1);
    store(w, "nysx_sce", "nysx_prototypes", knob(w, NYSX_PLACE_PROTOTYPES), 1);
    every(w, nysx_sce_interval(elements, bits, bits == 32 ? cycles_of(w, DSE_OP_ADD, DSE_FP32) : 1), "dots", "sce_words");
    unroll(w, "dots", "sce_clear", 0, NULL);
    if (bits < 32)
        unroll(w, "nysx_sce", "sce_keep", 0, NULL);
    unroll(w, "dots", "sce_rows", rows, "SCE_ROWS");
    if (bits == 32) {
        apart(w, "products", "sce_sums", 0);
        apart(w, "turn_round", "sce_before", 1);
        every(w, SCE_SUM_INTERVAL, "products", "sce_sum");
    } else {
        apart(w, "nysx_sce", "sce_dots", 0);
    }
    every(w, nysx_sce_argmax_interval(bits, knob(w, NYSX_PROTOTYPES) == NYSX_BUNDLED, cycles_of(w, DSE_OP_MUL, DSE_INT64)), "nysx_sce", "sce_argmax");
    unroll(w, "dots", "sce_elements", elements, "SCE_BITS");
    dse_hls_add_check(w->hls, "the parts of a word hold its elements",
                      "NYSX_SCE_PARTS * 32 >= NYSX_SCE_BITS * NYSX_SCE_PROTOTYPE_BITS");
    dse_hls_add_check(w->hls, "the words of a prototype cover the dimension",
                      "1LL * NYSX_SCE_WORDS * NYSX_SCE_BITS >= NYSX_DIM && "
                      "(NYSX_SCE_WORDS - 1LL) * NYSX_SCE_BITS < NYSX_DIM");
    dse_hls_add_check(w->hls, "the turns cover the classes", "NYSX_SCE_TURNS * NYSX_SCE_ROWS >= NYSX_CLASSES");
}

/* The query comes in and the class goes out by one port (control.c). */
static void describe_query_port(struct writer *w)
{
    double bits = (double)nysx_index_bits(w->work, w->config) *
                      (2.0 * (double)w->work->nodes_capacity[knob(w, NYSX_CAPACITY)] + 1.0 +
                       (double)w->work->nnz_capacity[knob(w, NYSX_CAPACITY)]) +
                  (double)nysx_feature_bits(w->work) * (double)w->work->nodes_capacity[knob(w, NYSX_CAPACITY)];
    int64_t words = (int64_t)ceil(bits / QUERY_PORT_BITS) + 4; /* each of the four arrays starts a word */
    dse_hls_add_size(w->hls, QUERY_PORT_BITS, "bits of the query's port", "QUERY_PORT_BITS");
    dse_hls_add_size(w->hls, words, "words of the largest query: row pointers, columns, order, features",
                     "QUERY_WORDS");
    dse_hls_add_type(w->hls, "query_word_t", NULL, QUERY_PORT_BITS, "word of the query's port");
    dse_hls_add_port(w->hls, &(struct dse_hls_port){.name = "query", .title = "A, its schedule and F",
                                                    .type = "query_word_t", .count = 1, .words = words,
                                                    .burst_words = 16, .outstanding = 16});
    dse_hls_add_port(w->hls, &(struct dse_hls_port){.name = "answer", .title = "the class", .type = "kernel_t",
                                                    .writes = true, .count = 1, .words = 1, .burst_words = 2,
                                                    .outstanding = 1});
    every_cycle(w, "read_words", "query_words");
    varies(w, "read_words", "query_words");
    unroll(w, "nysx_field", "query_parts", 0, NULL);
    every_cycle(w, "fill_slots", "query_slots");
    varies(w, "fill_slots", "query_slots");
    if (knob(w, NYSX_LSHU_BALANCE) == NYSX_BALANCE_PL && w->work->hops > 1) {
        apart(w, "make_order", "order_begin", 1);
        unroll(w, "make_order", "query_order_clear", 0, NULL);
        every(w, 1, "make_order", "query_order");
        varies(w, "make_order", "query_order");
        every(w, 1, "make_order", "query_order_sum");
        every(w, 1, "make_order", "query_order_place");
        varies(w, "make_order", "query_order_place");
    }
    dse_hls_add_check(w->hls, "a word's type is as wide as the query's port",
                      "sizeof(nysx_query_word_t) * 8 == NYSX_QUERY_PORT_BITS");
}

/* The accelerator's source by the form of the projection, whether codes are Weisfeiler-Lehman colours, and whether tables are
 * loaded into UltraRAM. */
#define FILES(...) "nysx.h", "nysx_lshu.h", "query.c", "sce.c", "top.c", __VA_ARGS__
#define EACH(...) \
    {{{FILES("lshu.c", __VA_ARGS__)}, {FILES("lshu.c", __VA_ARGS__, "load.c")}}, \
     {{FILES("wl.c", __VA_ARGS__)}, {FILES("wl.c", __VA_ARGS__, "load.c")}}}
#define LANDMARKS "mphe.c", "hue.c", "kse.c", "nee.c"
static const char *const sources[][2][2][DSE_HLS_SOURCES_MAX] = {
    [NYSX_STREAMED] = EACH(LANDMARKS, "element.c", "p_streamed.c"),
    [NYSX_RESIDENT] = EACH(LANDMARKS, "element.c", "p_resident.c"),
    [NYSX_FACTORED] = EACH(LANDMARKS, "p_generated.c", "phi.c"),
    [NYSX_DIRECT] = EACH("direct.c")};

static const char *const host[] = {"nysx_pack.h", "nysx_pack.c", "host/host.cpp", "host/host.py", NULL};

/* Which tables lie in UltraRAM, which takes no contents from the bitstream. */
static bool describe_loads(struct writer *w)
{
    bool p = knob(w, NYSX_NEE_FORM) == NYSX_RESIDENT && knob(w, NYSX_PLACE_P) == NYSX_PLACE_URAM;
    bool h = knob(w, NYSX_PLACE_H) == NYSX_PLACE_URAM;
    bool codebook = knob(w, NYSX_PLACE_CODEBOOK) == NYSX_PLACE_URAM;
    bool prototypes = knob(w, NYSX_PLACE_PROTOTYPES) == NYSX_PLACE_URAM;
    bool any = p || h || codebook || prototypes;
    dse_hls_add_flag(w->hls, p, "1: UltraRAM holds the resident P_nys", "LOADS_P");
    dse_hls_add_flag(w->hls, h, "1: UltraRAM holds the landmark histograms", "LOADS_H");
    dse_hls_add_flag(w->hls, codebook, "1: UltraRAM holds the codebook", "LOADS_CODEBOOK");
    dse_hls_add_flag(w->hls, prototypes, "1: UltraRAM holds the prototypes", "LOADS_PROTOTYPES");
    dse_hls_add_flag(w->hls, any, "1: tables are loaded before the first query", "LOADS_TABLES");
    dse_hls_add_check(w->hls, "what UltraRAM holds is loaded",
                      "NYSX_LOADS_H == (NYSX_PLACE_H == NYSX_PLACE_H_URAM) && "
                      "NYSX_LOADS_CODEBOOK == (NYSX_PLACE_CODEBOOK == NYSX_PLACE_CODEBOOK_URAM) && "
                      "NYSX_LOADS_PROTOTYPES == (NYSX_PLACE_PROTOTYPES == NYSX_PLACE_PROTOTYPES_URAM)");
    dse_hls_add_check(w->hls, "tables are loaded where any is",
                      "NYSX_LOADS_TABLES == (NYSX_LOADS_P || NYSX_LOADS_H || NYSX_LOADS_CODEBOOK || "
                      "NYSX_LOADS_PROTOTYPES)");
    return any;
}

static int64_t size_of(const struct writer *w, const char *name)
{
    const struct dse_hls_size *size = dse_hls_find_size(w->hls, name);
    return size != NULL ? size->value : 0;
}

/* The words of the largest table that is loaded; no query waits for them. */
static void describe_load(struct writer *w)
{
    int64_t codes = size_of(w, "CODEBOOK_TOTAL");
    const int64_t tables[] = {
        size_of(w, "LOADS_P") * size_of(w, "P_RESIDENT_WORDS") * size_of(w, "P_RESIDENT_PARTS"),
        size_of(w, "LOADS_H") * size_of(w, "H_SLOTS") * knob(w, NYSX_KSE_PE) * size_of(w, "H_ENTRY_BYTES") / 4,
        size_of(w, "LOADS_CODEBOOK") * codes * size_of(w, "CODE_BITS") / 32,
        size_of(w, "LOADS_PROTOTYPES") * w->work->classes * size_of(w, "SCE_WORDS") * size_of(w, "SCE_PARTS")};
    int64_t most = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        most = tables[i] > most ? tables[i] : most;
    int64_t words = dse_ceil_div(most, QUERY_PORT_BITS / 32);
    if (words == 0)
        return;
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){.kind = DSE_HLS_LOOP_TRIPCOUNT, .function = "load_table", .target = "load_words", .number = words, .mean = words});
    unroll(w, "load_table", "load_parts", 0, NULL);
}

enum dse_status nysx_hardware(const struct dse_context *context, const struct dse_config *config,
                              struct dse_hls *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct writer w = {.context = context, .config = config, .work = work, .hls = out, .err = err, .status = DSE_OK};
    if (config->value[NYSX_HOPS] != work->hops)
        return dse_fail(err, DSE_BAD_USAGE, "hops=%lld: the workload was measured with %lld hops",
                        (long long)config->value[NYSX_HOPS], (long long)work->hops);
    if (!direct(&w) && config->value[NYSX_LANDMARKS] != work->landmarks)
        return dse_fail(err, DSE_BAD_USAGE, "landmarks=%lld: the workload was measured with %lld landmarks",
                        (long long)config->value[NYSX_LANDMARKS], (long long)work->landmarks);
    out->top = "nysx_top";
    out->bench = "testbench.c";
    out->host = host;
    out->sources = sources[config->value[NYSX_NEE_FORM]][colours(&w)][describe_loads(&w)];
    describe_work(&w);
    describe_query_port(&w);
    describe_lshu(&w);
    if (direct(&w)) {
        describe_direct(&w);
    } else {
        describe_mphe(&w);
        describe_hue(&w);
        describe_kse(&w);
        if (config->value[NYSX_NEE_FORM] == NYSX_FACTORED)
            describe_factored(&w);
        else
            describe_p(&w);
    }
    describe_sce(&w);
    describe_load(&w);
    return w.status;
}
