/* The accelerator under hls/nysx/ as its header describes it: what the blocks account for, in the words of its
 * source. Every size here has its counterpart in the block's account of the same file name. */
#include <math.h>

#include "models/build.h"
#include "models/hls.h"
#include "models/nysx/nysx.h"

#define QUERY_PORT_BITS 128 /* as in control.c */
#define BINS_A_WORD 2       /* as in hue.c */
#define LOOKUP_QUEUE 16     /* as in mphe.c */
#define H_PORT_BITS_MOST 512
#define GENERATOR_ROWS 8    /* that a 64-bit generator of P_rp serves, a byte a step each */

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

static void partition(struct writer *w, const char *function, const char *array, int64_t factor, const char *by,
                      int dimension)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){DSE_HLS_ARRAY_PARTITION, function, array, factor, by,
                                                              dimension, NULL});
}

/* All of a dimension apart: its elements are the copies or banks of PEs. */
static void apart(struct writer *w, const char *function, const char *array, int dimension)
{
    partition(w, function, array, 0, NULL, dimension);
}

static void store(struct writer *w, const char *function, const char *array, int64_t place)
{
    static const char *const words[] = {[NYSX_PLACE_BRAM] = "bram", [NYSX_PLACE_URAM] = "uram",
                                        [NYSX_PLACE_LUTRAM] = "lutram"};
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){DSE_HLS_BIND_STORAGE, function, array, 0, NULL, 0,
                                                              words[place]});
}

/* A loop that starts an iteration every cycle. */
static void every_cycle(struct writer *w, const char *function, const char *loop)
{
    dse_hls_add_directive(w->hls,
                          &(struct dse_hls_directive){DSE_HLS_PIPELINE, function, loop, 1, NULL, 0, NULL});
}

static void unroll(struct writer *w, const char *function, const char *loop, int64_t factor, const char *by)
{
    dse_hls_add_directive(w->hls,
                          &(struct dse_hls_directive){DSE_HLS_UNROLL, function, loop, factor, by, 0, NULL});
}

/* The function's calls run side by side. */
static void side_by_side(struct writer *w, const char *function)
{
    dse_hls_add_directive(w->hls, &(struct dse_hls_directive){DSE_HLS_DATAFLOW, function, NULL, 0, NULL, 0, NULL});
}

static void stream(struct writer *w, const char *function, const char *array, int64_t depth, const char *by)
{
    dse_hls_add_directive(w->hls,
                          &(struct dse_hls_directive){DSE_HLS_STREAM, function, array, depth, by, 0, NULL});
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
    dse_hls_add_size(w->hls, work->rank, "rank r of the landmark kernel", "RANK");
    dse_hls_add_size(w->hls, work->nodes_capacity[knob(w, NYSX_CAPACITY)], "nodes of the largest graph", "MAX_NODES");
    dse_hls_add_size(w->hls, nnz > 0 ? nnz : 1, "non-zeros of its A", "MAX_NNZ");
    dse_hls_add_size(w->hls, index_bits, "bits of row pointers and column indices of A", "INDEX_BITS");
    dse_hls_add_type(w->hls, "index_t", index_bits == 16 ? "uint16_t" : "uint32_t", index_bits,
                     "row pointer or column index of A");
    dse_hls_add_check(w->hls, "row pointers of A fit their type",
                      "NYSX_MAX_NODES < (1LL << NYSX_INDEX_BITS) && NYSX_MAX_NNZ < (1LL << NYSX_INDEX_BITS)");
    dse_hls_add_check(w->hls, "indices and their type agree", "sizeof(nysx_index_t) * 8 == NYSX_INDEX_BITS");
}

static void describe_lshu(struct writer *w)
{
    static const char *const arrays[] = {"graph.row_begin", "graph.neighbour", "graph.feature", "graph.order"};
    const struct nysx_work *work = w->work;
    int64_t pe = knob(w, NYSX_LSHU_PE), bits = nysx_feature_bits(work);
    if (work->onehot && work->features == 256) /* one more index says that training never saw the label */
        bits = 16;
    bool tuple = knob(w, NYSX_CODES) == NYSX_CODES_TUPLE;
    int64_t columns = tuple ? work->features : 1;
    dse_hls_add_size(w->hls, columns, "columns that propagate: f for tuples, 1 for scalars", "LSHU_COLUMNS");
    dse_hls_add_size(w->hls, pe > 1 ? pe / 2 : 1, "copies of the vector that propagates, two PEs each", "LSHU_COPIES");
    dse_hls_add_size(w->hls, bits, "bits of a node's features as they arrive", "FEATURE_BITS");
    dse_hls_add_type(w->hls, "value_t", "float", 32, "value that propagates");
    dse_hls_add_type(w->hls, "feature_t", !work->onehot ? "float" : bits == 8 ? "uint8_t" : "uint16_t",
                     work->onehot ? bits : 32, "a node's column of F, or one number of it");
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        partition(w, "nysx_infer", arrays[i], pe, "LSHU_PE", 1);
    apart(w, "nysx_lshu", "lshu_values", 1);
    apart(w, "nysx_lshu", "lshu_values", tuple ? 3 : 2); /* the columns of a tuple share a copy's memory */
    every_cycle(w, "multiply_rows", "lshu_nonzeros");
    unroll(w, "multiply_rows", "lshu_begin", pe, "LSHU_PE");
    unroll(w, "multiply_rows", "lshu_pes", pe, "LSHU_PE");
    unroll(w, "multiply_rows", "lshu_end", pe, "LSHU_PE");
    unroll(w, "propagate", "lshu_store", pe, "LSHU_PE");
    if (tuple) {
        apart(w, "emit_tuples", "lshu_states", 1);
        every_cycle(w, "emit_tuples", "lshu_tuples");
        unroll(w, "emit_tuples", "lshu_tuple_pes", pe, "LSHU_PE");
    } else {
        every_cycle(w, "project", "lshu_dense");
        unroll(w, "project", "lshu_dense_pes", pe, "LSHU_PE");
        unroll(w, "emit", "lshu_codes", pe, "LSHU_PE");
    }
    dse_hls_add_check(w->hls, "two PEs read one copy of the vector",
                      "NYSX_LSHU_COPIES * 2 >= NYSX_LSHU_PE");
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

static void describe_mphe(struct writer *w)
{
    const struct nysx_work *work = w->work;
    int64_t gamma = knob(w, NYSX_MPHE_GAMMA), lookups = knob(w, NYSX_MPHE_LOOKUPS), total = 0, largest = 1;
    bool tuple = knob(w, NYSX_CODES) == NYSX_CODES_TUPLE;
    double bits = 0.0, levels = 1.0;
    for (int64_t t = 0; t < work->hops; t++) {
        bits += work->mph_bits[t][gamma];
        levels = fmax(levels, work->mph_levels[t][gamma]);
    }
    describe_codebooks(w, &total, &largest);
    int64_t words = (int64_t)ceil(bits / 64.0);
    dse_hls_add_size(w->hls, words > 0 ? words : 1, "64-bit words of all level arrays", "MPH_WORDS");
    dse_hls_add_size(w->hls, (int64_t)ceil(levels), "levels of the deepest hash", "MPH_LEVELS");
    dse_hls_add_size(w->hls, dse_bits_for(total + 1), "bits of a rank", "MPH_RANK_BITS");
    dse_hls_add_size(w->hls, tuple ? 64 : 32, "bits of a stored code", "CODE_BITS");
    dse_hls_add_size(w->hls, dse_bits_for(largest), "bits of a bin's index", "BIN_BITS");
    dse_hls_add_size(w->hls, LOOKUP_QUEUE, "codes that wait for a lane", "LOOKUP_QUEUE_DEPTH");
    dse_hls_add_type(w->hls, "code_t", tuple ? "uint64_t" : "int32_t", tuple ? 64 : 32, "code in the codebook");
    dse_hls_add_type(w->hls, "bin_t", "int32_t", dse_bits_for(largest), "bin of a histogram");
    partition(w, "nysx_mphe", "nysx_mph_words", lookups, "MPHE_LOOKUPS", 1);
    partition(w, "nysx_mphe", "nysx_mph_rank", lookups, "MPHE_LOOKUPS", 1);
    partition(w, "nysx_mphe", "nysx_codebook_code", lookups, "MPHE_LOOKUPS", 1);
    partition(w, "nysx_mphe", "nysx_codebook_bin", lookups, "MPHE_LOOKUPS", 1);
    store(w, "nysx_mphe", "nysx_codebook_code", knob(w, NYSX_PLACE_CODEBOOK));
    store(w, "nysx_mphe", "nysx_codebook_bin", knob(w, NYSX_PLACE_CODEBOOK));
    side_by_side(w, "nysx_lookup");
    stream(w, "nysx_lookup", "lookup_codes", LOOKUP_QUEUE, "LOOKUP_QUEUE_DEPTH");
    stream(w, "nysx_lookup", "lookup_bins", LOOKUP_QUEUE, "LOOKUP_QUEUE_DEPTH");
    every_cycle(w, "nysx_mphe", "mphe_probes");
    unroll(w, "nysx_mphe", "mphe_lanes", lookups, "MPHE_LOOKUPS");
    dse_hls_add_check(w->hls, "bins have enough bits for the largest codebook",
                      "NYSX_CODEBOOK_MAX <= (1LL << NYSX_BIN_BITS)");
    dse_hls_add_check(w->hls, "ranks count to all codes", "NYSX_CODEBOOK_TOTAL < (1LL << NYSX_MPH_RANK_BITS)");
    dse_hls_add_check(w->hls, "level arrays have a bit for every code",
                      "NYSX_MPH_WORDS * 64LL >= NYSX_CODEBOOK_TOTAL");
}

static void describe_hue(struct writer *w)
{
    const struct dse_hls_size *bins = dse_hls_find_size(w->hls, "CODEBOOK_MAX");
    int64_t largest = bins != NULL ? bins->value : 1;
    dse_hls_add_size(w->hls, BINS_A_WORD, "bins that share a word of a histogram", "BINS_PER_WORD");
    int64_t nodes = w->work->nodes_capacity[knob(w, NYSX_CAPACITY)], bits = nodes < 256 ? 8 : nodes < 65536 ? 16 : 32;
    dse_hls_add_size(w->hls, bits, "bits of a bin's count", "COUNT_BITS");
    dse_hls_add_size(w->hls, dse_ceil_div(largest, BINS_A_WORD), "words of a histogram", "HISTOGRAM_WORDS");
    dse_hls_add_size(w->hls, dse_ceil_div(knob(w, NYSX_KSE_PE), 2),
                     "copies of the merged histogram, two PEs of the KSE each", "HISTOGRAM_COPIES");
    dse_hls_add_type(w->hls, "count_t", bits == 8 ? "uint8_t" : bits == 16 ? "uint16_t" : "uint32_t", bits,
                     "count of a histogram's bin");
    apart(w, "nysx_infer", "hue_private", 1);
    apart(w, "nysx_infer", "hue_merged", 1);
    every_cycle(w, "nysx_hue", "hue_updates");
    every_cycle(w, "nysx_hue_merge", "hue_merge");
    unroll(w, "nysx_hue", "hue_pes", knob(w, NYSX_HUE_PE), "HUE_PE");
    dse_hls_add_check(w->hls, "a histogram has a bin for every code",
                      "NYSX_HISTOGRAM_WORDS * NYSX_BINS_PER_WORD >= NYSX_CODEBOOK_MAX");
    dse_hls_add_check(w->hls, "two PEs read one copy of the histogram", "NYSX_HISTOGRAM_COPIES * 2 >= NYSX_KSE_PE");
    dse_hls_add_check(w->hls, "a count holds all nodes of a graph", "NYSX_MAX_NODES < (1LL << NYSX_COUNT_BITS)");
    dse_hls_add_check(w->hls, "counts and their type agree", "sizeof(nysx_count_t) * 8 == NYSX_COUNT_BITS");
}

/* H in external memory: one stream of entries in the order of their use, as many a word as there are PEs to take them
 * while the port is that wide. */
static void describe_h_stream(struct writer *w, int64_t nnz, int64_t entry_bits)
{
    int64_t each = knob(w, NYSX_KSE_PE);
    each = each * entry_bits > H_PORT_BITS_MOST ? H_PORT_BITS_MOST / entry_bits : each;
    dse_hls_add_size(w->hls, each, "entries of a word of H's port", "H_WORD_ENTRIES");
    dse_hls_add_size(w->hls, dse_ceil_div(nnz, each), "words of H", "H_WORDS");
    dse_hls_add_type(w->hls, "h_word_t", NULL, each * entry_bits, "word of H's port");
    dse_hls_add_port(w->hls, &(struct dse_hls_port){.name = "h", .title = "landmark histograms", .type = "h_word_t",
                                                    .count = 1, .words = dse_ceil_div(nnz, each), .burst_words = 16,
                                                    .outstanding = 16});
    dse_hls_add_check(w->hls, "the words of H hold all its entries",
                      "NYSX_H_WORDS * (1LL * NYSX_H_WORD_ENTRIES) >= NYSX_H_NNZ_TOTAL");
    dse_hls_add_check(w->hls, "a word of H is its entries",
                      "sizeof(nysx_h_word_t) == NYSX_H_WORD_ENTRIES * sizeof(nysx_h_entry_t)");
}

static void describe_h(struct writer *w, int64_t bank_entries, int64_t nnz, int64_t entry_bits)
{
    int64_t place = knob(w, NYSX_PLACE_H);
    apart(w, "nysx_kse", "nysx_h_row_begin", 1);
    apart(w, "nysx_kse", "nysx_h_order", 1);
    dse_hls_add_size(w->hls, bank_entries, "entries of a PE's bank of H", "H_BANK_ENTRIES");
    dse_hls_add_check(w->hls, "the banks of H hold all its entries",
                      "NYSX_H_BANK_ENTRIES * (1LL * NYSX_KSE_PE) >= NYSX_H_NNZ_TOTAL");
    if (place == NYSX_PLACE_DDR) {
        describe_h_stream(w, nnz, entry_bits);
        return;
    }
    apart(w, "nysx_kse", "nysx_h_entries", 1);
    store(w, "nysx_kse", "nysx_h_entries", place);
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
    int64_t bits = dse_bits_for(largest) + dse_bits_for(counted + 1);
    if (kernel > (double)INT32_MAX)
        w->status = dse_fail(w->err, DSE_ANSWER_NO,
                             "graphs of up to %lld nodes may overflow the 32-bit elements of the kernel vector",
                             (long long)work->nodes_capacity[knob(w, NYSX_CAPACITY)]);
    w->kernel_max = (int64_t)fmin(kernel, (double)INT32_MAX);
    dse_hls_add_size(w->hls, nnz > 0 ? nnz : 1, "non-zeros of all hops", "H_NNZ_TOTAL");
    dse_hls_add_size(w->hls, dse_bits_for(counted + 1), "bits of a count in H", "H_COUNT_BITS");
    dse_hls_add_size(w->hls, w->kernel_max > 0 ? w->kernel_max : 1, "no element of C is larger", "KERNEL_MAX");
    dse_hls_add_size(w->hls, bits <= 32 ? 4 : 8, "bytes of an entry of H", "H_ENTRY_BYTES");
    dse_hls_add_type(w->hls, "h_entry_t", bits <= 32 ? "uint32_t" : "uint64_t", bits, "bin and count of H, bin low");
    dse_hls_add_type(w->hls, "kernel_t", "int32_t", 32, "element of C");
    dse_hls_add_size(w->hls, dse_ceil_div(work->landmarks, pe), "rows of H that a PE takes a hop", "H_ITERATIONS");
    describe_h(w, (int64_t)fmax(ceil(cycles), 1.0), nnz > 0 ? nnz : 1, bits <= 32 ? 32 : 64);
    every_cycle(w, "multiply_turn", "kse_nonzeros");
    unroll(w, "multiply_turn", "kse_begin", pe, "KSE_PE");
    unroll(w, "multiply_turn", "kse_pes", pe, "KSE_PE");
    unroll(w, "multiply_turn", "kse_end", pe, "KSE_PE");
    dse_hls_add_check(w->hls, "an entry of H holds bin and count",
                      "sizeof(nysx_h_entry_t) * 8 >= NYSX_BIN_BITS + NYSX_H_COUNT_BITS");
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
    struct dse_cost cost = {.latency_cycles = 1};
    if (floating && w->status == DSE_OK)
        w->status = dse_costs_operator(w->context->costs, DSE_OP_ADD, DSE_FP32, DSE_FORM_ANY,
                                       (double)knob(w, NYSX_CLOCK_MHZ) * 1e6, &cost, w->err);
    return cost.latency_cycles > 1 ? cost.latency_cycles : 1;
}

/* The type that holds a sum of `terms` products of an element of up to `largest` and a factor of up to `factor`. */
static const char *sum_type(int64_t terms, int64_t largest, int64_t factor)
{
    return (double)terms * (double)largest * (double)factor <= (double)INT32_MAX ? "int32_t" : "int64_t";
}

static void describe_groups(struct writer *w, int64_t turn)
{
    int64_t rows = knob(w, NYSX_NEE_LANES) * turn;
    dse_hls_add_size(w->hls, turn, "rows that a lane takes in turn: the cycles of its addition", "NEE_TURN");
    dse_hls_add_size(w->hls, rows, "rows of a group", "NEE_GROUP_ROWS");
    dse_hls_add_size(w->hls, dse_ceil_div(knob(w, NYSX_DIM), rows), "groups of rows", "NEE_GROUPS");
    dse_hls_add_size(w->hls, dse_ceil_div(knob(w, NYSX_DIM), knob(w, NYSX_NEE_LANES)),
                     "words of a hypervector, a bit a lane", "HYPERVECTOR_WORDS");
    apart(w, "nysx_nee", "nee_sums", 2);
    apart(w, "nysx_top", "hypervector", 2);
    apart(w, "nysx_nee", "elements", 1);
    every_cycle(w, "nysx_nee", "nee_products");
    every_cycle(w, "nysx_nee", "nee_signs");
    unroll(w, "add_products", "nee_lanes", knob(w, NYSX_NEE_LANES), "NEE_LANES");
    dse_hls_add_check(w->hls, "a group is lanes times turn", "NYSX_NEE_GROUP_ROWS == NYSX_NEE_LANES * NYSX_NEE_TURN");
    dse_hls_add_check(w->hls, "the groups cover the dimension",
                      "1LL * NYSX_NEE_GROUPS * NYSX_NEE_GROUP_ROWS >= NYSX_DIM && "
                      "(NYSX_NEE_GROUPS - 1LL) * NYSX_NEE_GROUP_ROWS < NYSX_DIM");
    dse_hls_add_check(w->hls, "the words of a hypervector cover the dimension",
                      "1LL * NYSX_HYPERVECTOR_WORDS * NYSX_NEE_LANES >= NYSX_DIM");
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
    int64_t words = dse_ceil_div(knob(w, NYSX_DIM) * knob(w, NYSX_LANDMARKS) * p->bits, width);
    dse_hls_add_size(w->hls, width / p->bits, "elements of a port's word", "P_WORD_ELEMENTS");
    dse_hls_add_size(w->hls, words, "words of P_nys in all", "P_WORDS");
    dse_hls_add_size(w->hls, dse_ceil_div(words, ports), "words behind one port", "P_PORT_WORDS");
    dse_hls_add_size(w->hls, burst_words > 0 ? burst_words : 1, "words of a port's burst", "P_BURST_WORDS");
    dse_hls_add_type(w->hls, "p_word_t", NULL, width, "word of a memory port");
    dse_hls_add_port(w->hls, &(struct dse_hls_port){.name = "p", .title = "P_nys", .type = "p_word_t", .numbered = true,
                                                    .count = ports, .words = dse_ceil_div(words, ports),
                                                    .burst_words = burst_words > 0 ? burst_words : 1,
                                                    .outstanding = knob(w, NYSX_NEE_OUTSTANDING), .memory = memory});
    apart(w, "nysx_nee", "source.window", 1);
    every_cycle(w, "enter", "nee_enter");
    side_by_side(w, "nysx_encode");
    stream(w, "nysx_encode", "nee_fifo", knob(w, NYSX_NEE_FIFO_DEPTH), "NEE_FIFO_DEPTH");
    apart(w, "nysx_encode", "nee_fifo", 1);
    every_cycle(w, "nysx_p_read", "nee_words");
    dse_hls_add_check(w->hls, "a word is its elements", "NYSX_P_WORD_ELEMENTS * NYSX_P_BITS == NYSX_NEE_PORT_BITS");
    dse_hls_add_check(w->hls, "a word's type is as wide as the port",
                      "sizeof(nysx_p_word_t) * 8 == NYSX_NEE_PORT_BITS");
    dse_hls_add_check(w->hls, "the words hold P_nys",
                      "1LL * NYSX_P_WORDS * NYSX_P_WORD_ELEMENTS >= 1LL * NYSX_DIM * NYSX_LANDMARKS");
    dse_hls_add_check(w->hls, "the ports hold all words",
                      "1LL * NYSX_P_PORT_WORDS * NYSX_NEE_PORTS >= NYSX_P_WORDS && "
                      "(NYSX_P_PORT_WORDS - 1LL) * NYSX_NEE_PORTS < NYSX_P_WORDS");
    dse_hls_add_check(w->hls, "the FIFO takes a burst", "NYSX_NEE_FIFO_DEPTH >= NYSX_P_BURST_WORDS");
}

/* P_nys on the chip: a word an element for each lane, in the order of their use. */
static void describe_resident(struct writer *w, const struct stored *p)
{
    int64_t lanes = knob(w, NYSX_NEE_LANES), turn = turn_of(w, p->largest == 0);
    int64_t words = dse_ceil_div(knob(w, NYSX_DIM), lanes * turn) * turn * knob(w, NYSX_LANDMARKS);
    dse_hls_add_size(w->hls, words, "words of the resident P_nys, an element a lane", "P_RESIDENT_WORDS");
    dse_hls_add_size(w->hls, dse_ceil_div(lanes * p->bits, 32), "32-bit parts of such a word", "P_RESIDENT_PARTS");
    apart(w, "nysx_p_take", "nysx_p_resident", 2);
    store(w, "nysx_p_take", "nysx_p_resident", knob(w, NYSX_PLACE_P));
    every_cycle(w, "enter", "nee_enter");
    dse_hls_add_check(w->hls, "the resident words hold P_nys",
                      "1LL * NYSX_P_RESIDENT_WORDS * NYSX_NEE_LANES >= 1LL * NYSX_DIM * NYSX_LANDMARKS");
    dse_hls_add_check(w->hls, "the parts of a resident word hold its elements",
                      "NYSX_P_RESIDENT_PARTS * 32 >= NYSX_NEE_LANES * NYSX_P_BITS");
}

static void describe_p(struct writer *w)
{
    const struct stored *p = &stored_of[knob(w, NYSX_NEE_PRECISION)];
    describe_groups(w, turn_of(w, p->largest == 0));
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
    bool aligned = rows % GENERATOR_ROWS == 0;
    int64_t generators = aligned ? rows / GENERATOR_ROWS : dse_ceil_div(rows + GENERATOR_ROWS - 1, GENERATOR_ROWS);
    dse_hls_add_size(w->hls, generators, "generators that a group of rows needs, eight rows each", "NEE_GENERATORS");
    dse_hls_add_size(w->hls, dse_ceil_div(generators, w->work->rank * turn), "of the next group's, started a cycle",
                     "NEE_STARTS");
    apart(w, "nysx_nee", "source.state", 0);
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
    describe_groups(w, turn_of(w, phi->largest == 0));
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
    apart(w, "nysx_phi", "phi_sums", 2);
    every_cycle(w, "nysx_phi", "phi_enter");
    every_cycle(w, "nysx_phi", "phi_products");
    unroll(w, "nysx_phi", "phi_lanes", lanes, "PHI_LANES");
    dse_hls_add_check(w->hls, "the groups of phi cover the rank",
                      "1LL * NYSX_PHI_GROUPS * NYSX_PHI_LANES * NYSX_PHI_TURN >= NYSX_RANK");
    dse_hls_add_check(w->hls, "an element of phi fits its type", "sizeof(nysx_phi_t) * 8 == NYSX_PHI_BITS");
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
    store(w, "nysx_sce", "nysx_prototypes", knob(w, NYSX_PLACE_PROTOTYPES));
    every_cycle(w, "dots", "sce_words");
    unroll(w, "dots", "sce_rows", rows, "SCE_ROWS");
    if (bits == 32)
        apart(w, "cosines", "sce_sums", 0);
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
    every_cycle(w, "read_indices", "query_indices");
    every_cycle(w, "read_features", "query_features");
    dse_hls_add_check(w->hls, "a word's type is as wide as the query's port",
                      "sizeof(nysx_query_word_t) * 8 == NYSX_QUERY_PORT_BITS");
}

/* The accelerator's source by the form of the projection, and whether tables are loaded into UltraRAM. */
#define ENGINES "nysx.h", "query.c", "lshu.c", "mphe.c", "hue.c", "kse.c", "nee.c", "sce.c", "top.c"
static const char *const sources[][2][DSE_HLS_SOURCES_MAX] = {
    [NYSX_STREAMED] = {{ENGINES, "element.c", "p_streamed.c"}, {ENGINES, "element.c", "p_streamed.c", "load.c"}},
    [NYSX_RESIDENT] = {{ENGINES, "element.c", "p_resident.c"}, {ENGINES, "element.c", "p_resident.c", "load.c"}},
    [NYSX_FACTORED] = {{ENGINES, "p_generated.c", "phi.c"}, {ENGINES, "p_generated.c", "phi.c", "load.c"}}};

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

enum dse_status nysx_hardware(const struct dse_context *context, const struct dse_config *config,
                              struct dse_hls *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct writer w = {.context = context, .config = config, .work = work, .hls = out, .err = err, .status = DSE_OK};
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT || config->value[NYSX_CODES] == NYSX_CODES_WL ||
        config->value[NYSX_PROTOTYPES] != NYSX_BUNDLED)
        return dse_fail(err, DSE_ANSWER_NO, "codes=wl, nee.form=direct and prototypes with offsets have no source to emit yet");
    if (config->value[NYSX_HOPS] != work->hops)
        return dse_fail(err, DSE_BAD_USAGE, "hops=%lld: the workload was measured with %lld hops",
                        (long long)config->value[NYSX_HOPS], (long long)work->hops);
    if (config->value[NYSX_LANDMARKS] != work->landmarks)
        return dse_fail(err, DSE_BAD_USAGE, "landmarks=%lld: the workload was measured with %lld landmarks",
                        (long long)config->value[NYSX_LANDMARKS], (long long)work->landmarks);
    out->top = "nysx_top";
    out->bench = "testbench.c";
    out->sources = sources[config->value[NYSX_NEE_FORM]][describe_loads(&w)];
    describe_work(&w);
    describe_query_port(&w);
    describe_lshu(&w);
    describe_mphe(&w);
    describe_hue(&w);
    describe_kse(&w);
    if (config->value[NYSX_NEE_FORM] == NYSX_FACTORED)
        describe_factored(&w);
    else
        describe_p(&w);
    describe_sce(&w);
    return w.status;
}
