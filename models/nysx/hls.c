/* Describes the accelerator under models/nysx/hls/ for its header: sizes, types, ports, directives and conditions on
 * them. The sizes come from the layout (layout.c). */

#include "models/hls.h"
#include "models/nysx/layout.h"

#define SCE_SUM_INTERVAL 6 /* cycles of a double-precision addition */

#define EVERY DSE_HLS_EVERY
#define LOOP DSE_HLS_LOOP
#define UNROLL(when, function, loop, factor, by) DSE_HLS_UNROLLED(when, function, loop, factor, by)
#define WHOLLY(when, function, loop) DSE_HLS_UNROLLED(when, function, loop, 0, NULL)
#define CYCLIC DSE_HLS_CYCLIC
#define APART DSE_HLS_APART /* a whole dimension: its elements are copies or banks of PEs */
#define STREAM DSE_HLS_STREAMED
#define STORED DSE_HLS_STORED
#define IN_WORDS(when, function, array, dimension) DSE_HLS_PLAIN(when, ARRAY_RESHAPE, function, array, dimension)
#define AGGREGATE(function, array) DSE_HLS_PLAIN(0, AGGREGATE, function, array, 0)
#define SIDE_BY_SIDE(when, function) DSE_HLS_PLAIN(when, DATAFLOW, function, NULL, 0)
/* No iteration reads from memory what an earlier one wrote: the source forwards such values. */
#define NO_LATER_READS(when, function, array) DSE_HLS_PLAIN(when, DEPENDENCE, function, array, 0)
/* All calls of `callee` in a function share one module. */
#define ONE_MODULE(when, function, callee) \
    DSE_HLS_PLAIN(when, INLINE, callee, NULL, 0), DSE_HLS_PLAIN(when, ALLOCATION, function, callee, 0)
#define ADD(hls, rows, has) dse_hls_add_rules(hls, rows, sizeof(rows) / sizeof *(rows), has)

#define LANDMARKS NYSX_IF_LANDMARKS
#define STREAMED NYSX_IF_STREAMED
#define RESIDENT NYSX_IF_RESIDENT
#define FACTORED NYSX_IF_FACTORED
#define DIRECT NYSX_IF_DIRECT
#define ORDERED NYSX_IF_ORDERED
#define LSH NYSX_IF_LSH
#define SCALAR NYSX_IF_SCALAR
#define TUPLE NYSX_IF_TUPLE
#define WL NYSX_IF_WL
#define MERGE NYSX_IF_MERGE
#define TABLE NYSX_IF_TABLE

static const char *memory_of(int64_t place)
{
    static const char *const words[] = {[NYSX_PLACE_BRAM] = "bram", [NYSX_PLACE_URAM] = "uram", [NYSX_PLACE_LUTRAM] = "lutram",
                                        [NYSX_PLACE_DDR] = "ddr"};
    return words[place];
}

/* Functions that hold the graph, the code list and the hypervector: data passed between steps are local to the steps' caller. */
static const char *const graph_in[] = {"nysx_infer", "nysx_infer", "nysx_bring_codes", "nysx_queue"};
static const char *const list_in[] = {"nysx_hypervector", "nysx_hypervector", "nysx_queue", "nysx_queue"};
static const char *const hypervector_in[] = {"nysx_top", "nysx_serve", "nysx_decide", "nysx_decide"};

/* Query words as received, and the slots of A's schedule. */
static void direct_query(const struct nysx_layout *l, const struct dse_config *config, struct dse_hls *hls)
{
    const char *in = graph_in[config->value[NYSX_OVERLAP]];
    const struct dse_hls_rule rules[] = {
        DSE_HLS_PLAIN(NYSX_IF_QUEUE, DATAFLOW, "nysx_queue", "queue_graphs", 0),
        LOOP(0, "read_words", "query_words", 1), WHOLLY(0, "nysx_field", "query_parts"), LOOP(0, "fill_slots", "query_slots", 1),
        APART(ORDERED, "make_order", "order_begin", 1), WHOLLY(ORDERED, "make_order", "query_order_clear"),
        LOOP(ORDERED, "make_order", "query_order", 1), EVERY(ORDERED, "make_order", "query_order_sum", 1),
        LOOP(ORDERED, "make_order", "query_order_place", 1),
        AGGREGATE(in, "graph.row_begin"), AGGREGATE(in, "graph.order"), AGGREGATE(in, "graph.neighbour"),
        AGGREGATE(in, "graph.feature"), APART(0, in, "graph.neighbour", 1), APART(0, in, "graph.feature", 1),
        APART(0, in, "graph.position", 1), APART(0, in, "graph.slot_row", 1),
        APART(0, in, "graph.slot_begin", 1), APART(0, in, "graph.slot_length", 1),
        APART(0, in, "graph.slot_scale", 1)};
    ADD(hls, rules, l->has);
    if (l->load_words > 0) { /* loaded before any query */
        const struct dse_hls_rule load[] = {
            {0, false, {DSE_HLS_LOOP_TRIPCOUNT, "load_table", "load_words", l->load_words, NULL, 0, NULL, l->load_words}},
            WHOLLY(0, "load_table", "load_parts")};
        ADD(hls, load, 0);
    }
}

/* Passes of LSH codes: rounds in a ring of contexts, floors in a separate loop. Passes of colours: one round at a time, the next
 * ones queued. */
static void direct_lshu(const struct nysx_layout *l, const struct dse_config *config, struct dse_hls *hls)
{
    const int64_t pe = config->value[NYSX_LSHU_PE], lanes = l->code_lanes;
    const int columns = (l->has & TUPLE) != 0; /* columns of a tuple share a copy's memory */
    const struct dse_hls_rule rules[] = {
        APART(0, "nysx_lshu", "lshu_even", 1 + columns), IN_WORDS(0, "nysx_lshu", "lshu_even", 3 + columns),
        APART(0, "nysx_lshu", "lshu_odd", 1 + columns), IN_WORDS(0, "nysx_lshu", "lshu_odd", 3 + columns),
        ONE_MODULE(WL, "nysx_lshu", "step_colours"), LOOP(WL, "colour", "lshu_dense", 1),
        APART(WL | NYSX_IF_ATTRIBUTES, "colour", "lshu_states", 0), APART(WL, "colour", "first_codes", 1), APART(WL, "walk", "trip_codes", 1),
        SIDE_BY_SIDE(WL, "step_colours"), STREAM(WL, "step_colours", "lshu_waiting", 2, NULL), LOOP(WL, "queue_trips", "lshu_queue", 1),
        LOOP(WL, "walk", "lshu_nonzeros", 1), WHOLLY(WL, "no_work", "lshu_clear"),
        UNROLL(WL, "add_neighbours", "lshu_pes", pe, "LSHU_PE"),
        LOOP(WL | LANDMARKS, "emit", "lshu_codes", l->code_interval),
        UNROLL(WL | LANDMARKS, "emit", "lshu_code_lanes", lanes, "CODE_LANES"),
        ONE_MODULE(LSH, "nysx_lshu", "propagate"), ONE_MODULE(SCALAR, "nysx_lshu", "project"),
        LOOP(LSH, "propagate", "lshu_nonzeros", 1), WHOLLY(LSH, "propagate", "lshu_empty"), WHOLLY(LSH, "propagate", "lshu_empty_pes"),
        UNROLL(LSH, "step", "lshu_pes", pe, "LSHU_PE"), LOOP(TUPLE, "keep_column", "lshu_dense", 1), LOOP(SCALAR, "project", "lshu_dense", 1),
        APART(LSH | NYSX_IF_NARROW, "take_elements", "lshu_word", 1),
        APART(TUPLE, "emit_tuples", "lshu_states", 0), APART(TUPLE, "emit_tuples", "in_even", 1), APART(TUPLE, "emit_tuples", "in_odd", 1),
        LOOP(TUPLE, "emit_tuples", "lshu_tuples", l->code_interval),
        UNROLL(TUPLE, "emit_tuples", "lshu_tuple_lanes", lanes, "CODE_LANES"),
        UNROLL(SCALAR, "project", "lshu_dense_pes", pe, "LSHU_PE"), APART(SCALAR, "emit", "lshu_elements", 1),
        LOOP(SCALAR, "emit", "lshu_codes", l->code_interval), UNROLL(SCALAR, "emit", "lshu_code_lanes", lanes, "CODE_LANES"),
        STORED(SCALAR | NYSX_IF_ONEHOT, "project", "nysx_lsh_u", "lutram", pe), APART(SCALAR | NYSX_IF_ATTRIBUTES, "project", "lshu_sums", 0)};
    ADD(hls, rules, l->has);
}

static void direct_landmarks(const struct nysx_layout *l, const struct dse_config *config, struct dse_hls *hls)
{
    const int64_t lookups = config->value[NYSX_MPHE_LOOKUPS], pe = config->value[NYSX_KSE_PE];
    const char *codebook = memory_of(config->value[NYSX_PLACE_CODEBOOK]), *h = memory_of(config->value[NYSX_PLACE_H]);
    const struct dse_hls_rule rules[] = {
        APART(0, "nysx_mphe", "nysx_mph_words", 1), APART(0, "nysx_mphe", "nysx_mph_level_bits", 2),
        APART(0, "nysx_mphe", "nysx_mph_level_begin", 2), STORED(0, "nysx_mphe", "nysx_mph_words", "bram", lookups),
        STORED(0, "nysx_mphe", "nysx_mph_rank", "bram", lookups), STORED(0, "nysx_mphe", "nysx_codebook_code", codebook, lookups),
        STORED(0, "nysx_mphe", "nysx_codebook_bin", codebook, lookups), SIDE_BY_SIDE(0, "nysx_lookup"),
        STREAM(0, "nysx_lookup", "lookup_codes", l->lookup_queue, "LOOKUP_QUEUE_DEPTH"),
        STREAM(0, "nysx_lookup", "lookup_bins", l->lookup_queue, "LOOKUP_QUEUE_DEPTH"), LOOP(0, "nysx_mphe", "mphe_codes", 1),
        UNROLL(0, "nysx_mphe", "mphe_lanes", lookups, "MPHE_LOOKUPS"),
        APART(0, "nysx_hypervector", "hue_private", 1), APART(0, "nysx_hypervector", "hue_merged", 1),
        NO_LATER_READS(0, "nysx_hypervector", "hue_private"), LOOP(0, "nysx_hue", "hue_updates", 1), WHOLLY(0, "nysx_hue", "hue_forget"),
        WHOLLY(0, "nysx_hue", "hue_words"), LOOP(0, "nysx_hue_merge", "hue_merge", 1),
        UNROLL(0, "nysx_hue", "hue_pes", config->value[NYSX_HUE_PE], "HUE_PE"),
        APART(0, "nysx_gathered", "nysx_h_place", 1), APART(0, "nysx_hypervector", "kse_sums", 1), APART(0, "nysx_hypervector", "kse_sums", 2),
        LOOP(NYSX_IF_H_MEMORY, "nysx_kse", "kse_slots", l->h_beats), LOOP(NYSX_IF_H_CHIP, "nysx_kse", "kse_slots", 1),
        APART(NYSX_IF_H_CHIP, "nysx_kse", "nysx_h_entries", 1), STORED(NYSX_IF_H_CHIP, "nysx_kse", "nysx_h_entries", h, 1),
        APART(0, "nysx_kse", "kse_row", 1), APART(0, "nysx_kse", "kse_entries", 1), WHOLLY(0, "nysx_kse", "kse_clear"),
        UNROLL(0, "nysx_kse", "kse_pes", pe, "KSE_PE")};
    if ((l->has & LANDMARKS) != 0)
        ADD(hls, rules, l->has);
}

static void direct_nee(const struct nysx_layout *l, const struct dse_config *config, struct dse_hls *hls)
{
    const int64_t lanes = config->value[NYSX_NEE_LANES], codes = config->value[NYSX_NEE_CODES], fifo = config->value[NYSX_NEE_FIFO_DEPTH];
    const struct dse_hls_rule rules[] = {
        CYCLIC(0, hypervector_in[config->value[NYSX_OVERLAP]], "hypervector", l->hypervector_banks, "HYPERVECTOR_BANKS", 1),
        APART(LANDMARKS, "nysx_nee", "nee_sums", 0), APART(LANDMARKS, "nysx_nee", "elements", 1),
        UNROLL(LANDMARKS, "add_products", "nee_lanes", lanes, "NEE_LANES"), EVERY(LANDMARKS, "nysx_nee", "nee_products", 1),
        EVERY(NYSX_IF_STORED, "enter", "nee_enter", 1),
        APART(STREAMED, "nysx_p_gather", "nee_held", 1), APART(STREAMED, "nysx_p_gather", "nee_moved", 1),
        WHOLLY(STREAMED, "nysx_p_gather", "nee_clear"), EVERY(STREAMED, "nysx_p_gather", "nee_gather", 1), SIDE_BY_SIDE(STREAMED, "nysx_encode"),
        STREAM(STREAMED, "nysx_encode", "nee_fifo", fifo, "NEE_FIFO_DEPTH"), APART(STREAMED, "nysx_encode", "nee_fifo", 1),
        STREAM(STREAMED, "nysx_encode", "nee_steps", 2, NULL), EVERY(STREAMED, "nysx_p_read", "nee_words", 1),
        IN_WORDS(RESIDENT, "nysx_p_take", "nysx_p_resident", 2),
        STORED(RESIDENT, "nysx_p_take", "nysx_p_resident", memory_of(config->value[NYSX_PLACE_P]), 1),
        APART(FACTORED, "nysx_nee", "source.state", 0), EVERY(FACTORED, "nysx_p_open", "nee_generators", 1),
        APART(FACTORED, "nysx_phi", "nysx_phi_map", 2), APART(FACTORED, "nysx_phi", "phi_sums", 0), APART(FACTORED, "nysx_phi", "phi_rows", 2),
        EVERY(FACTORED, "nysx_phi", "nee_phi_out", 1), EVERY(FACTORED, "enter", "nee_phi_enter", 1),
        EVERY(FACTORED, "nysx_phi", "nee_phi_products", 1), UNROLL(FACTORED, "nysx_phi", "nee_phi_lanes", l->phi_lanes, "PHI_LANES"),
        CYCLIC(DIRECT, list_in[config->value[NYSX_OVERLAP]], "code_list", l->list_banks, "LIST_BANKS", 1),
        NO_LATER_READS(MERGE, "merge_codes", "table_code"), NO_LATER_READS(MERGE, "merge_codes", "table_count"),
        APART(MERGE, "nysx_encode", "direct_counts", 1), WHOLLY(MERGE, "merge_codes", "nee_forget"), LOOP(MERGE, "merge_codes", "nee_merge", 1),
        CYCLIC(MERGE, "nysx_encode", "item_code", codes, "NEE_CODES", 1), CYCLIC(MERGE, "nysx_encode", "item_count", codes, "NEE_CODES", 1),
        SIDE_BY_SIDE(DIRECT | LSH, "nysx_lookup"), STREAM(DIRECT | LSH, "nysx_lookup", "lookup_codes", 16, NULL),
        LOOP(DIRECT | LSH, "nysx_list", "nee_list", 1), APART(DIRECT, "nysx_encode", "direct_sums", 0),
        APART(DIRECT, "nysx_encode", "direct_signs", 0), APART(DIRECT | NYSX_IF_CENTER, "nysx_encode", "nysx_start", 2),
        APART(TABLE, "nysx_encode", "nysx_code_sums", 0), APART(TABLE, "nysx_encode", "nysx_code_weights", 1),
        APART(TABLE, "nysx_encode", "nysx_code_weights", 3), WHOLLY(TABLE, "add_weights", "nee_classes"),
        APART(TABLE, "nysx_encode", "weighed_codes", 0), APART(TABLE, "nysx_encode", "weighed_counts", 0),
        LOOP(DIRECT, "nysx_encode", "nee_codes", 1), UNROLL(DIRECT, "add_signs", "nee_lanes", lanes, "NEE_LANES")};
    ADD(hls, rules, l->has);
}

static void direct_sce(const struct nysx_layout *l, const struct dse_config *config, struct dse_hls *hls)
{
    const unsigned real = NYSX_IF_REAL, whole = NYSX_IF_WHOLE;
    const struct dse_hls_rule rules[] = {
        APART(0, "nysx_sce", "nysx_prototypes", 3), CYCLIC(0, "nysx_sce", "nysx_prototypes", l->sce_rows, "SCE_ROWS", 1),
        STORED(0, "nysx_sce", "nysx_prototypes", memory_of(config->value[NYSX_PLACE_PROTOTYPES]), 1),
        EVERY(0, "dots", "sce_words", l->sce_interval), WHOLLY(0, "dots", "sce_clear"), WHOLLY(whole, "nysx_sce", "sce_keep"),
        UNROLL(0, "dots", "sce_rows", l->sce_rows, "SCE_ROWS"), APART(real, "products", "sce_sums", 0),
        APART(real, "rotate", "sce_before", 1), EVERY(real, "products", "sce_sum", SCE_SUM_INTERVAL), APART(whole, "nysx_sce", "sce_dots", 0),
        EVERY(0, "nysx_sce", "sce_argmax", l->argmax_interval), UNROLL(0, "dots", "sce_elements", config->value[NYSX_SCE_BITS], "SCE_BITS")};
    ADD(hls, rules, l->has);
}

/* Type for a sum of `terms` products of an element of up to `largest` (0: floating point) and a factor of up to `factor`. */
static const char *sum_type(int64_t terms, int64_t largest, int64_t factor)
{
    return largest == 0 ? "float" : (double)terms * (double)largest * (double)factor <= (double)INT32_MAX ? "int32_t" : "int64_t";
}

static const char *unsigned_of(int64_t bits)
{
    return bits <= 8 ? "uint8_t" : bits <= 16 ? "uint16_t" : bits <= 32 ? "uint32_t" : "uint64_t";
}

static void add_types(const struct nysx_layout *l, const struct dse_config *config, struct dse_hls *hls)
{
    const bool tuple = (l->has & TUPLE) != 0, real = (l->has & NYSX_IF_REAL) != 0;
    const int64_t item = l->item_bits <= 8 ? 8 : l->item_bits <= 16 ? 16 : 32;
    const struct {
        unsigned when;
        struct dse_hls_type type;
    } types[] = {
        {0, {"index_t", "row pointer or column index of A", unsigned_of(l->index_bits), l->index_bits}},
        {0, {"kernel_t", "element of C, and the answer", "int32_t", 32}},
        {0, {"query_word_t", "word of the query's port", NULL, l->query_port_bits}},
        {0, {"value_t", "value that propagates", "float", 32}},
        {0, {"feature_t", "a node's column of F, or one number of it", l->onehot ? unsigned_of(l->feature_bits) : "float", l->onehot ? l->feature_bits : 32}},
        {LANDMARKS, {"code_t", "code in the codebook", tuple ? "uint64_t" : (l->has & WL) != 0 ? "uint32_t" : "int32_t", l->code_bits}},
        {LANDMARKS, {"bin_t", "bin of a histogram", "int32_t", l->bin_bits}},
        {LANDMARKS, {"histogram_t", "word of a histogram", unsigned_of(2 * l->count_bits), 2 * l->count_bits}},
        {LANDMARKS, {"count_t", "count of a histogram's bin", unsigned_of(l->count_bits), l->count_bits}},
        {LANDMARKS, {"h_entry_t", "bin and count of H, bin low", unsigned_of(8 * l->h_entry_bytes), l->bin_bits + l->h_count_bits + 1}},
        {NYSX_IF_H_MEMORY, {"h_word_t", "word of H's port", NULL, 8 * l->h_entry_bytes * l->h_word_entries}},
        {NYSX_IF_STORED, {"p_t", "element of P_nys as it is stored", l->p.c, l->p_bits}},
        {NYSX_IF_STORED, {"sum_t", "sum of a row", sum_type(config->value[NYSX_LANDMARKS], l->p.largest, l->kernel_max), 0}},
        {STREAMED, {"p_word_t", "word of a memory port", NULL, config->value[NYSX_NEE_PORT_BITS]}},
        {STREAMED, {"p_step_t", "an element of P_nys for each lane", NULL, 32 * l->p_step_parts}},
        {FACTORED, {"phi_t", "element of phi", l->phi.c, l->phi_bits}},
        {FACTORED, {"sum_t", "sum of a row", sum_type(l->rank, l->phi.largest, l->generator_bits == 1 ? 1 : 128), 0}},
        {MERGE, {"item_count_t", "count of a code", unsigned_of(item), item}},
        {0, {"prototype_t", "element of a prototype", real ? "float" : "int8_t", l->prototype_bits}},
        {0, {"score_t", "similarity with a class", real ? "float" : "int32_t", 32}}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if ((types[i].when & ~l->has) == 0)
            dse_hls_add_type(hls, types[i].type.name, types[i].type.c, types[i].type.bits, types[i].type.title);
}

/* One port reads the query and returns the class (control.c). */
/* Ports and registers in the order of the parameters of nysx_top. */
static void add_ports(const struct nysx_layout *l, const struct dse_config *config, struct dse_hls *hls)
{
    bool queue = (l->has & NYSX_IF_QUEUE) != 0;
    int64_t slots = queue ? l->ring_slots : 1;
    dse_hls_add_memory(hls, "query", "A, its schedule and F", "query_word_t", false, slots * l->query_words, 16);
    if ((l->has & STREAMED) != 0)
        dse_hls_add_port(hls, &(struct dse_hls_port){.name = "p", .title = "P_nys", .type = "p_word_t", .numbered = true,
                                                     .count = config->value[NYSX_NEE_PORTS], .words = l->p_port_words,
                                                     .burst_words = l->p_burst_words, .outstanding = config->value[NYSX_NEE_OUTSTANDING],
                                                     .memory = l->p_memory});
    if ((l->has & NYSX_IF_H_MEMORY) != 0)
        dse_hls_add_memory(hls, "h", "landmark histograms", "h_word_t", false, l->h_words, 16);
    if (queue)
        dse_hls_add_port(hls, &(struct dse_hls_port){.name = "ring", .title = "nodes and non-zeros of each slot's query", .type = "query_word_t",
                                                     .count = 1, .words = slots, .burst_words = 2, .outstanding = 2});
    dse_hls_add_port(hls, &(struct dse_hls_port){.name = "answer", .title = "the class", .type = "kernel_t", .writes = true, .count = 1,
                                                 .words = slots, .burst_words = 2, .outstanding = queue ? 2 : 1});
    dse_hls_add_scalar(hls, "command", "0 infers, 1 loads the tables of UltraRAM");
    dse_hls_add_scalar(hls, queue ? "first" : "nodes", queue ? "first slot of the ring" : "nodes of the query");
    dse_hls_add_scalar(hls, queue ? "count" : "nonzeros", queue ? "slots" : "non-zeros of A");
}

static void add_sizes(const struct nysx_layout *l, int64_t hops, struct dse_hls *hls)
{
    static const struct {
        size_t at;
        const char *name, *title;
        unsigned when;
        int64_t minimum;
    } sizes[] = {
#define LAYOUT(field, macro, size_when, least, text) {offsetof(struct nysx_layout, field), #macro, text, size_when, least},
#include "models/nysx/layout.def"
#undef LAYOUT
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if ((sizes[i].when & ~l->has) == 0)
            dse_hls_add_size(hls, *(const int64_t *)(const void *)((const char *)l + sizes[i].at), sizes[i].minimum, sizes[i].title, sizes[i].name);
    for (int64_t t = 0; t < hops && (l->has & LANDMARKS) != 0; t++) {
        dse_hls_add_size(hls, l->codebook[t], 1, "codes of this hop's codebook", dse_hls_text(hls, "CODEBOOK_%lld", (long long)t));
        dse_hls_add_size(hls, l->h_nnz[t], 1, "non-zeros of this hop's landmark histograms", dse_hls_text(hls, "H_NNZ_%lld", (long long)t));
    }
}

static const struct dse_hls_check checks[] = {
    {0, "row pointers of A fit their type", "NYSX_MAX_NODES < (1LL << NYSX_INDEX_BITS) && NYSX_MAX_NNZ < (1LL << NYSX_INDEX_BITS)"},
    {0, "indices and their type agree", "sizeof(nysx_index_t) * 8 == NYSX_INDEX_BITS"},
    {0, "a word's type is as wide as the query's port", "sizeof(nysx_query_word_t) * 8 == NYSX_QUERY_PORT_BITS"},
    {0, "words hold the largest query's arrays", "NYSX_POINTER_WORDS * (NYSX_QUERY_PORT_BITS / NYSX_INDEX_BITS) > NYSX_MAX_NODES && "
        "NYSX_NNZ_WORDS * (NYSX_QUERY_PORT_BITS / NYSX_INDEX_BITS) >= NYSX_MAX_NNZ"},
    {NYSX_IF_QUEUE, "slots of the ring are a power of two", "(NYSX_RING_SLOTS & (NYSX_RING_SLOTS - 1)) == 0"},
    {0, "the iterations cover all rows", "NYSX_LSHU_TRIPS * NYSX_LSHU_PE >= NYSX_MAX_NODES"},
    {0, "two PEs read one copy of the vector", "NYSX_LSHU_COPIES * 2 >= NYSX_LSHU_PE"},
    {0, "the words of codes hold a graph's", "NYSX_CODE_WORDS * NYSX_CODE_LANES >= NYSX_MAX_NODES * NYSX_LSHU_DRAWS"},
    {LANDMARKS, "bins have enough bits for the largest codebook", "NYSX_CODEBOOK_MAX <= (1LL << NYSX_BIN_BITS)"},
    {LANDMARKS, "ranks have enough bits for all codes", "NYSX_CODEBOOK_TOTAL < (1LL << NYSX_MPH_RANK_BITS)"},
    {LANDMARKS, "the first level has a bit for every code", "NYSX_MPH_LEVEL_WORDS * 64LL >= NYSX_CODEBOOK_TOTAL"},
    {LANDMARKS, "a histogram has a bin for every code", "NYSX_HISTOGRAM_WORDS * NYSX_BINS_PER_WORD >= NYSX_CODEBOOK_MAX"},
    {LANDMARKS, "two PEs read one copy of the histogram", "NYSX_HISTOGRAM_COPIES * 2 >= NYSX_KSE_PE"},
    {LANDMARKS, "a count holds all nodes of a graph", "NYSX_MAX_NODES < (1LL << NYSX_COUNT_BITS)"},
    {LANDMARKS, "counts and their type agree", "sizeof(nysx_count_t) * 8 == NYSX_COUNT_BITS"},
    {LANDMARKS, "the slots of H hold all its entries", "NYSX_H_SLOTS * (1LL * NYSX_KSE_PE) >= NYSX_H_NNZ_TOTAL"},
    {LANDMARKS, "an entry of H holds bin and count", "sizeof(nysx_h_entry_t) * 8 > NYSX_BIN_BITS + NYSX_H_COUNT_BITS"},
    {NYSX_IF_H_MEMORY, "the words of a slot hold an entry for each PE", "NYSX_H_BEATS * NYSX_H_WORD_ENTRIES == NYSX_KSE_PE"},
    {NYSX_IF_H_MEMORY, "a word of H is its entries", "sizeof(nysx_h_word_t) == NYSX_H_WORD_ENTRIES * sizeof(nysx_h_entry_t)"},
    {LANDMARKS, "a group is lanes times its iterations", "NYSX_NEE_GROUP_ROWS == NYSX_NEE_LANES * NYSX_NEE_GROUP_TRIPS && NYSX_NEE_GROUP_TRIPS <= NYSX_NEE_INTERLEAVE"},
    {LANDMARKS, "the groups cover the dimension", "1LL * NYSX_NEE_GROUPS * NYSX_NEE_GROUP_ROWS >= NYSX_DIM && "
        "(NYSX_NEE_GROUPS - 1LL) * NYSX_NEE_GROUP_ROWS < NYSX_DIM"},
    {LANDMARKS, "a hypervector has a bit per row", "1LL * NYSX_HYPERVECTOR_BITS >= 1LL * NYSX_NEE_GROUPS * NYSX_NEE_GROUP_ROWS"},
    {NYSX_IF_STORED, "an element fits its type", "sizeof(nysx_p_t) * 8 >= NYSX_P_BITS"},
    {STREAMED, "a word is its elements", "NYSX_P_WORD_ELEMENTS * NYSX_P_BITS == NYSX_NEE_PORT_BITS"},
    {STREAMED, "a word's type is as wide as the port", "sizeof(nysx_p_word_t) * 8 == NYSX_NEE_PORT_BITS"},
    {STREAMED, "the words hold P_nys", "1LL * NYSX_P_WORDS * NYSX_P_WORD_ELEMENTS >= 1LL * NYSX_DIM * NYSX_LANDMARKS"},
    {STREAMED, "the ports hold all words", "1LL * NYSX_P_PORT_WORDS * NYSX_NEE_PORTS == NYSX_P_WORDS"},
    {STREAMED, "steps and words hold the same number of elements", "1LL * NYSX_P_STEPS * NYSX_P_STEP - 1LL * NYSX_LANDMARKS * (NYSX_P_STEP - NYSX_P_REST) <= "
        "1LL * NYSX_P_PORT_WORDS * NYSX_P_BEAT_ELEMENTS"},
    {STREAMED, "the buffer holds a step and a word", "NYSX_P_HELD >= NYSX_P_STEP - NYSX_P_UNIT + NYSX_P_BEAT_ELEMENTS && NYSX_P_STEP % NYSX_P_UNIT == 0 && "
        "NYSX_P_REST % NYSX_P_UNIT == 0 && NYSX_P_BEAT_ELEMENTS % NYSX_P_UNIT == 0"},
    {STREAMED, "the parts of a step hold its elements",
     "NYSX_P_STEP_PARTS * 32 >= NYSX_NEE_LANES * NYSX_P_BITS && NYSX_P_STEP <= NYSX_NEE_LANES && NYSX_P_REST <= NYSX_P_STEP"},
    {STREAMED, "the FIFO takes a burst", "NYSX_NEE_FIFO_DEPTH >= NYSX_P_BURST_WORDS"},
    {RESIDENT, "the resident words hold P_nys", "1LL * NYSX_P_RESIDENT_WORDS * NYSX_NEE_LANES >= 1LL * NYSX_DIM * NYSX_LANDMARKS"},
    {RESIDENT, "the parts of a resident word hold its elements", "NYSX_P_RESIDENT_PARTS * 32 >= NYSX_NEE_LANES * NYSX_P_BITS"},
    {FACTORED, "the generators serve all rows of a group",
     "NYSX_NEE_GENERATORS * 8LL >= NYSX_NEE_GROUP_ROWS + (NYSX_NEE_GROUP_ROWS % 8 == 0 ? 0 : 7)"},
    {FACTORED, "the columns of a group suffice to start the next group's generators", "1LL * NYSX_NEE_STARTS * NYSX_RANK * NYSX_NEE_INTERLEAVE >= NYSX_NEE_GENERATORS"},
    {FACTORED, "the groups of phi cover the rank", "1LL * NYSX_PHI_GROUPS * NYSX_PHI_LANES * NYSX_PHI_INTERLEAVE >= NYSX_RANK"},
    {FACTORED, "an element of phi fits its type", "sizeof(nysx_phi_t) * 8 == NYSX_PHI_BITS"},
    {MERGE, "the list of merged codes holds all of a graph", "1LL * NYSX_ITEMS >= 1LL * NYSX_MAX_NODES * NYSX_PASSES"},
    {MERGE, "places of the table are a power of two", "(NYSX_MERGE_PLACES & (NYSX_MERGE_PLACES - 1)) == 0"},
    {MERGE, "a count holds all codes of a graph", "1LL * NYSX_MAX_NODES * NYSX_PASSES < (1LL << NYSX_ITEM_BITS)"},
    {TUPLE, "a pass per hop and draw", "NYSX_PASSES == NYSX_HOPS * NYSX_DRAWS"},
    {SCALAR, "a pass per hop", "NYSX_PASSES == NYSX_HOPS"},
    {WL, "a pass per hop", "NYSX_PASSES == NYSX_HOPS"},
    {DIRECT, "the iterations cover the dimension", "1LL * NYSX_NEE_TRIPS * NYSX_NEE_LANES >= NYSX_DIM"},
    {DIRECT, "lanes are a power of two", "(NYSX_NEE_LANES & (NYSX_NEE_LANES - 1)) == 0"},
    {DIRECT, "a sum holds all codes of a graph and its threshold",
     "2LL * NYSX_PASSES * NYSX_MAX_NODES < (1LL << NYSX_SUM_BITS) && NYSX_SUM_BITS <= 32"},
    {0, "the parts of a word hold its elements", "NYSX_SCE_PARTS * 32 >= NYSX_SCE_BITS * NYSX_SCE_PROTOTYPE_BITS"},
    {0, "the words of a prototype cover the dimension", "1LL * NYSX_SCE_WORDS * NYSX_SCE_BITS >= NYSX_DIM && "
        "(NYSX_SCE_WORDS - 1LL) * NYSX_SCE_BITS < NYSX_DIM"},
    {0, "the iterations cover the classes", "NYSX_SCE_TRIPS * NYSX_SCE_ROWS >= NYSX_CLASSES"},
    {0, "tables in UltraRAM are loaded", "NYSX_LOADS_H == (NYSX_PLACE_H == NYSX_PLACE_H_URAM) && "
        "NYSX_LOADS_CODEBOOK == (NYSX_PLACE_CODEBOOK == NYSX_PLACE_CODEBOOK_URAM) && "
        "NYSX_LOADS_PROTOTYPES == (NYSX_PLACE_PROTOTYPES == NYSX_PLACE_PROTOTYPES_URAM)"},
    {0, "tables are loaded if any table is in UltraRAM",
     "NYSX_LOADS_TABLES == (NYSX_LOADS_P || NYSX_LOADS_H || NYSX_LOADS_CODEBOOK || NYSX_LOADS_PROTOTYPES)"},
};

static void add_hop_checks(const struct nysx_layout *l, int64_t hops, struct dse_hls *hls)
{
    struct dse_hls_check check = {LANDMARKS, "a codebook per hop", dse_hls_text(hls, "NYSX_PASSES == %lld", (long long)hops)};
    dse_hls_add_checks(hls, &check, 1, l->has);
    for (int64_t t = 0; t < hops; t++) {
        check.message = "no codebook is larger than a histogram";
        check.condition = dse_hls_text(hls, "NYSX_CODEBOOK_%lld <= NYSX_CODEBOOK_MAX", (long long)t);
        dse_hls_add_checks(hls, &check, 1, l->has);
    }
}

/* Source files by projection form, code type (Weisfeiler-Lehman or LSH), and whether tables are
 * loaded into UltraRAM. */
#define FILES(...) "nysx.h", "nysx_lshu.h", "query.c", "sce.c", "top.c", __VA_ARGS__
#define EACH(...) \
    {{{FILES("lshu.c", __VA_ARGS__)}, {FILES("lshu.c", __VA_ARGS__, "load.c")}}, \
     {{FILES("wl.c", __VA_ARGS__)}, {FILES("wl.c", __VA_ARGS__, "load.c")}}}
#define ENGINES "mphe.c", "hue.c", "kse.c", "nee.c"
static const char *const sources[][2][2][DSE_HLS_SOURCES_MAX] = {
    [NYSX_STREAMED] = EACH(ENGINES, "element.c", "p_streamed.c"),
    [NYSX_RESIDENT] = EACH(ENGINES, "element.c", "p_resident.c"),
    [NYSX_FACTORED] = EACH(ENGINES, "p_generated.c", "phi.c"),
    [NYSX_DIRECT] = EACH("direct.c")};

#define HOST "nysx_pack.c", "nysx_pack.h", "host/host.cpp", "host/host.py"
static const char *const host[][6] = {{HOST, NULL}, {HOST, "nysx_cores.h", NULL}}; /* by features=cores */

enum dse_status nysx_hardware(const struct dse_context *context, const struct dse_config *config,
                              struct dse_hls *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct nysx_layout *l = dse_arena_alloc(&out->arena, 1, sizeof *l);
    out->layout = l;
    DSE_TRY(nysx_layout_make(context, config, l, err));
    out->top = "nysx_top";
    out->bench = "testbench.c";
    out->host = host[config->value[NYSX_FEATURES] == NYSX_CORES];
    out->chained = (l->has & NYSX_IF_QUEUE) != 0;
    out->sources = sources[config->value[NYSX_NEE_FORM]][config->value[NYSX_CODES] == NYSX_CODES_WL][l->loads_tables];
    add_sizes(l, work->hops, out);
    add_types(l, config, out);
    add_ports(l, config, out);
    direct_query(l, config, out);
    direct_lshu(l, config, out);
    direct_landmarks(l, config, out);
    direct_nee(l, config, out);
    direct_sce(l, config, out);
    dse_hls_add_checks(out, checks, sizeof checks / sizeof *checks, l->has);
    add_hop_checks(l, work->hops, out);
    return DSE_OK;
}
