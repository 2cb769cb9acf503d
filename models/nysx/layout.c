/* Sizes of a design, engine by engine; each corresponds to one in the block's cost. */
#include "models/nysx/layout.h"

#include <math.h>

#include "models/build.h"
#include "models/hls.h"

#define QUERY_PORT_BITS 128 /* as in control.c */
#define BINS_A_WORD 2       /* as in hue.c */
#define LOOKUP_QUEUE 16     /* as in mphe.c */
#define RECENT 3            /* a read, an addition, a write */
#define H_PORT_BITS_MOST 512

static const struct nysx_stored stored_p[] = {{32, "float", 0}, {16, "uint16_t", 0}, {16, "uint16_t", 0}, {16, "int16_t", 32767},
                                              {8, "int8_t", 127}, {4, "int8_t", 7}, {1, "int8_t", 1}};
static const struct nysx_stored stored_phi[] = {{8, "int8_t", 127}, {16, "int16_t", 32767}, {32, "int32_t", INT32_MAX}, {32, "float", 0}};

/* Inputs and outputs of the functions below. */
struct laying {
    const struct dse_context *context;
    const struct dse_config *config;
    const struct nysx_work *work;
    struct nysx_layout *l;
    struct dse_error *err;
};

static int64_t knob(const struct laying *g, enum nysx_knob index)
{
    return g->config->value[index];
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static unsigned only_if(bool condition, enum nysx_if yes, enum nysx_if no)
{
    return condition ? yes : no;
}

static unsigned has_of(const struct laying *g)
{
    int64_t form = knob(g, NYSX_NEE_FORM), codes = knob(g, NYSX_CODES);
    unsigned has = form == NYSX_DIRECT ? NYSX_IF_DIRECT : NYSX_IF_LANDMARKS;
    has |= form == NYSX_STREAMED ? NYSX_IF_STREAMED | NYSX_IF_STORED : form == NYSX_RESIDENT ? NYSX_IF_RESIDENT | NYSX_IF_STORED
           : form == NYSX_FACTORED ? NYSX_IF_FACTORED : 0;
    has |= codes == NYSX_CODES_WL ? NYSX_IF_WL : NYSX_IF_LSH | only_if(codes == NYSX_CODES_TUPLE, NYSX_IF_TUPLE, NYSX_IF_SCALAR);
    has |= only_if(g->work->onehot, NYSX_IF_ONEHOT, NYSX_IF_ATTRIBUTES);
    if (form != NYSX_DIRECT)
        has |= only_if(knob(g, NYSX_PLACE_H) == NYSX_PLACE_DDR, NYSX_IF_H_MEMORY, NYSX_IF_H_CHIP);
    else if (nysx_merge_places(g->config) > 0)
        has |= NYSX_IF_MERGE;
    has |= form == NYSX_DIRECT && knob(g, NYSX_NEE_TABLE) != 0 ? NYSX_IF_TABLE : 0;
    if (knob(g, NYSX_LSHU_BALANCE) == NYSX_BALANCE_PL && nysx_propagates(g->work))
        has |= NYSX_IF_ORDERED;
    has |= knob(g, NYSX_OVERLAP) != NYSX_OVERLAP_NONE ? NYSX_IF_QUEUE : 0;
    has |= only_if(g->l->prototype_bits == 32, NYSX_IF_REAL, NYSX_IF_WHOLE);
    return has | (knob(g, NYSX_NEE_CENTER) != 0 ? NYSX_IF_CENTER : 0) | (g->l->code_lanes <= knob(g, NYSX_LSHU_PE) ? NYSX_IF_NARROW : 0);
}

/* Cycles of an operator at the clock, at least 1. */
static enum dse_status cycles_of(const struct laying *g, enum dse_operator op, enum dse_precision precision, int64_t *cycles)
{
    struct dse_cost cost = {.latency_cycles = 1};
    DSE_TRY(dse_costs_operator(g->context->costs, op, precision, DSE_FORM_ANY, (double)knob(g, NYSX_CLOCK_MHZ) * 1e6, &cost, g->err));
    *cycles = larger(cost.latency_cycles, 1);
    return DSE_OK;
}

/* The workload's sizes, the capacity, and the query in its port's format (control.c). */
static void lay_query(const struct laying *g)
{
    const struct nysx_work *work = g->work;
    struct nysx_layout *l = g->l;
    int64_t nodes = work->nodes_capacity[knob(g, NYSX_CAPACITY)], nnz = work->nnz_capacity[knob(g, NYSX_CAPACITY)];
    l->classes = work->classes;
    l->feature_columns = work->features;
    l->onehot = work->onehot;
    l->rank = work->rank;
    l->max_nodes = nodes;
    l->max_nnz = larger(nnz, 1);
    l->index_bits = nysx_index_bits(work, g->config);
    l->feature_bits = work->onehot && work->features == 256 ? 16 : nysx_feature_bits(work); /* one more index: a label not seen in training */
    double bits = (double)l->index_bits * (2.0 * (double)nodes + 1.0 + (double)nnz) + (double)nysx_feature_bits(work) * (double)nodes;
    l->query_port_bits = QUERY_PORT_BITS;
    l->ring_slots = dse_ring_slots(g->context->board->host.batch, 1);
    l->query_words = (int64_t)ceil(bits / QUERY_PORT_BITS) + 4; /* each of the four arrays starts a new word */
    int64_t each = QUERY_PORT_BITS / l->index_bits;
    l->pointer_words = dse_ceil_div(nodes + 1, each);
    l->order_words = dse_ceil_div(nodes, each);
    l->nnz_words = dse_ceil_div(l->max_nnz, each);
    l->feature_words = dse_ceil_div(nodes * (work->onehot ? 1 : work->features), QUERY_PORT_BITS / (work->onehot ? l->feature_bits : 32));
}

static void lay_lshu(const struct laying *g, int64_t add, int64_t product)
{
    struct nysx_layout *l = g->l;
    int64_t pe = knob(g, NYSX_LSHU_PE), lanes = l->code_lanes;
    l->passes = g->work->hops;
    l->lshu_columns = knob(g, NYSX_CODES) == NYSX_CODES_TUPLE ? g->work->features : 1;
    l->lshu_copies = larger(pe / 2, 1);
    l->tuple_turn = product + 1;
    int64_t words = dse_ceil_div(l->max_nodes, lanes), slots = words * lanes; /* codes are read in whole words */
    l->lshu_draws = knob(g, NYSX_NEE_FORM) == NYSX_DIRECT ? g->work->draws : 1;
    l->code_words = words * l->lshu_draws;
    l->lshu_trips = slots > pe ? dse_ceil_div(slots, pe) : 2;
    l->lshu_contexts = add + 1;
    l->code_interval = dse_ceil_div(lanes, 2 * pe);
}

/* Words of the first level over all hops; no other level's memory is larger (executor: a level has
 * ceil(gamma keys / 64) words). */
static void lay_codebooks(const struct laying *g)
{
    const struct nysx_work *work = g->work;
    struct nysx_layout *l = g->l;
    double gamma = dse_knob_number(&nysx_knobs.knobs[NYSX_MPHE_GAMMA], knob(g, NYSX_MPHE_GAMMA)), levels = 1.0;
    l->codebook_max = 1;
    for (int64_t t = 0; t < work->hops; t++) {
        l->codebook[t] = work->codebook[t];
        l->codebook_total += work->codebook[t];
        l->codebook_max = larger(l->codebook_max, work->codebook[t]);
        l->mph_level_words += (int64_t)ceil(gamma * (double)work->codebook[t] / 64.0);
        levels = fmax(levels, work->mph_levels[t][knob(g, NYSX_MPHE_GAMMA)]);
    }
    l->mph_levels = (int64_t)ceil(levels);
    l->mph_level_words = larger(l->mph_level_words, 1);
    l->mph_rank_bits = dse_bits_for(l->codebook_total + 1);
    l->code_bits = knob(g, NYSX_CODES) == NYSX_CODES_TUPLE ? 64 : 32;
    l->bin_bits = dse_bits_for(l->codebook_max);
    l->lookup_queue = LOOKUP_QUEUE;
    l->bins_per_word = BINS_A_WORD;
    l->count_bits = l->max_nodes < 256 ? 8 : l->max_nodes < 65536 ? 16 : 32;
    l->histogram_words = dse_ceil_div(l->codebook_max, BINS_A_WORD);
    l->histogram_copies = dse_ceil_div(knob(g, NYSX_KSE_PE), 2);
    l->hue_recent = RECENT;
}

/* H has one bank per PE on chip. In memory it is one stream of entries in order of use. A word has an entry per PE, up to
 * the port's width. */
static enum dse_status lay_h(const struct laying *g)
{
    const struct nysx_work *work = g->work;
    struct nysx_layout *l = g->l;
    int64_t pe = knob(g, NYSX_KSE_PE), counted = 1;
    double cycles = 0.0, kernel = 0.0;
    for (int64_t t = 0; t < work->hops; t++) {
        l->h_nnz[t] = larger(work->nnz_h[t], 1);
        l->h_nnz_total += work->nnz_h[t];
        cycles += work->h_schedule[t][knob(g, NYSX_KSE_BALANCE)][nysx_schedule_index(pe)];
        counted = larger(counted, work->max_count[t]);
        kernel += (double)work->max_count[t] * (double)l->max_nodes;
    }
    if (kernel > (double)INT32_MAX)
        return dse_fail(g->err, DSE_ANSWER_NO, "graphs of up to %lld nodes may overflow the 32-bit elements of the kernel vector",
                        (long long)l->max_nodes);
    l->h_nnz_total = larger(l->h_nnz_total, 1);
    l->h_count_bits = dse_bits_for(counted + 1);
    l->kernel_max = larger((int64_t)kernel, 1);
    l->kernel_bits = dse_bits_for((int64_t)kernel + 1) + 1;
    l->h_entry_bytes = l->bin_bits + l->h_count_bits + 1 <= 32 ? 4 : 8; /* includes the end-of-round bit */
    l->h_iterations = dse_ceil_div(work->landmarks, pe);
    l->h_slots = (int64_t)fmax(ceil(cycles), 1.0);
    int64_t most = H_PORT_BITS_MOST / (8 * l->h_entry_bytes);
    l->h_word_entries = pe < most ? pe : most;
    l->h_beats = dse_ceil_div(pe, l->h_word_entries);
    l->h_words = l->h_slots * l->h_beats;
    return DSE_OK;
}

/* The hypervector; the lanes write `written` elements in total. */
static void lay_hypervector(const struct laying *g, int64_t written)
{
    int64_t elements = knob(g, NYSX_SCE_BITS), at_once = larger(knob(g, NYSX_NEE_LANES), elements);
    g->l->hypervector_bits = larger(written, dse_ceil_div(knob(g, NYSX_DIM), elements) * elements);
    for (g->l->hypervector_banks = 1; g->l->hypervector_banks < at_once;)
        g->l->hypervector_banks *= 2;
}

/* Groups of rows that a lane interleaves. Streamed: groups have equal numbers of rounds, so the required bandwidth is
 * even. On chip: every group but the last has the most rounds that the adder allows. */
static void lay_groups(const struct laying *g, int64_t columns)
{
    struct nysx_layout *l = g->l;
    struct nysx_trips trips = nysx_p_trips(g->config, l->nee_interleave);
    l->group_trips = knob(g, NYSX_NEE_FORM) == NYSX_STREAMED ? trips.of_group : l->nee_interleave;
    l->last_trips = trips.of_last;
    l->group_rows = knob(g, NYSX_NEE_LANES) * l->group_trips;
    l->groups = trips.groups;
    l->nee_steps = trips.groups * columns * l->nee_interleave;
    lay_hypervector(g, l->groups * l->group_rows);
}

/* P_nys through the ports: elements in order of use, one word to each port in turn. */
static enum dse_status lay_stream(const struct laying *g)
{
    const struct dse_board *board = g->context->board;
    struct nysx_layout *l = g->l;
    int64_t width = knob(g, NYSX_NEE_PORT_BITS), lanes = knob(g, NYSX_NEE_LANES);
    l->p_memory = (size_t)knob(g, NYSX_NEE_MEMORY) - 1;
    const struct dse_port *port = l->p_memory < board->memory_count ? nysx_port_to(board, board->memories[l->p_memory].name) : NULL;
    if (port == NULL)
        return dse_fail(g->err, DSE_ANSWER_NO, "nee.memory=%zu: the board %s has no port to it", l->p_memory + 1, board->name);
    struct nysx_burst burst = nysx_port_burst(port, g->config);
    struct nysx_beats beats = nysx_p_beats(g->config, l->p_bits, g->work->landmarks, l->nee_interleave);
    if (beats.step / beats.unit * beats.beat > NYSX_P_ELEMENTS_MOST)
        return dse_fail(g->err, DSE_ANSWER_NO,
                        "nee.lanes=%lld: a step begins at %lld places of the %lld elements of a beat of all ports; "
                        "one number must divide the other",
                        (long long)lanes, (long long)(lanes / beats.unit), (long long)beats.beat);
    l->p_word_elements = width / l->p_bits;
    l->p_beat = beats.beat;
    l->p_unit = beats.unit;
    l->p_step = beats.step;
    l->p_rest = beats.rest;
    l->p_held = beats.step - beats.unit + beats.beat;
    l->p_step_parts = dse_ceil_div(lanes * l->p_bits, 32);
    l->p_steps = beats.steps;
    l->p_gathers = beats.gathers;
    l->p_port_words = beats.words;
    l->p_words = beats.words * knob(g, NYSX_NEE_PORTS);
    l->p_burst_words = larger(burst.beats * burst.beat_bytes / (width / 8), 1);
    return DSE_OK;
}

/* Stored P_nys; on chip, a word holds one element per lane, in order of use. */
static enum dse_status lay_p(const struct laying *g, int64_t add)
{
    struct nysx_layout *l = g->l;
    int64_t lanes = knob(g, NYSX_NEE_LANES), landmarks = knob(g, NYSX_LANDMARKS);
    l->p = stored_p[knob(g, NYSX_NEE_PRECISION)];
    l->p_bits = l->p.bits;
    l->nee_interleave = l->p.largest == 0 ? add + 1 : 1;
    lay_groups(g, landmarks);
    if (knob(g, NYSX_NEE_FORM) == NYSX_STREAMED)
        return lay_stream(g);
    l->p_resident_words = dse_ceil_div(knob(g, NYSX_DIM), lanes * l->nee_interleave) * l->nee_interleave * landmarks;
    l->p_resident_parts = dse_ceil_div(lanes * l->p_bits, 32);
    return DSE_OK;
}

/* P_rp φ with φ = Λ^(-1/2) Qᵀ C; the seeds of a group's generators are computed while the previous group is multiplied. */
static void lay_factored(const struct laying *g, int64_t add)
{
    struct nysx_layout *l = g->l;
    int64_t lanes = knob(g, NYSX_NEE_LANES);
    l->phi = stored_phi[knob(g, NYSX_NEE_PHI_BITS)];
    l->nee_interleave = l->phi.largest == 0 ? add + 1 : 1;
    lay_groups(g, g->work->rank);
    l->phi_lanes = nysx_phi_lanes(lanes);
    l->phi_interleave = add + 1;
    l->phi_groups = dse_ceil_div(g->work->rank, l->phi_lanes * l->phi_interleave);
    l->phi_bits = l->phi.bits;
    l->generator_bits = knob(g, NYSX_NEE_GENERATOR) == NYSX_SIGN ? 1 : 8;
    l->generators = nysx_generators(lanes * l->nee_interleave);
    l->starts = dse_ceil_div(l->generators, g->work->rank * l->nee_interleave);
}

/* The code list, the table of equal codes, the lanes that make their signs, and the sums' initial values. */
static void lay_direct(const struct laying *g)
{
    struct nysx_layout *l = g->l;
    int64_t lanes = knob(g, NYSX_NEE_LANES), codes = knob(g, NYSX_NEE_CODES);
    l->list_banks = larger(knob(g, NYSX_CODES) == NYSX_CODES_WL ? knob(g, NYSX_LSHU_PE) : codes, codes);
    l->list_hop = dse_ceil_div(l->max_nodes, l->list_banks) * l->list_banks;
    l->direct_trips = dse_ceil_div(knob(g, NYSX_DIM), lanes);
    l->lane_bits = lanes > NYSX_SIGNS_A_WORD ? dse_bits_for(lanes / NYSX_SIGNS_A_WORD) : 0;
    l->turn_bits = larger(dse_bits_for(dse_ceil_div(knob(g, NYSX_DIM), NYSX_SIGNS_A_WORD)) - l->lane_bits, 0);
    l->sum_bits = nysx_sum_bits(g->work, g->config);
    l->start_bits = nysx_start_bits(g->work, g->config);
    l->start_parts = dse_ceil_div(lanes * l->start_bits, 32);
    l->merge_places = nysx_merge_places(g->config);
    l->merge_recent = RECENT;
    l->items = dse_ceil_div(l->max_nodes * g->work->hops, codes) * codes;
    l->item_bits = nysx_item_bits(g->work, g->config);
    l->table_bits = nysx_table_places(g->config) > 0 ? dse_bits_for(nysx_table_places(g->config)) : 0;
    l->table_copies = nysx_table_copies(g->config);
    l->table_parts = nysx_table_parts(g->work);
    lay_hypervector(g, l->direct_trips * lanes);
}

static void lay_sce(const struct laying *g, int64_t add, int64_t product)
{
    struct nysx_layout *l = g->l;
    int64_t elements = knob(g, NYSX_SCE_BITS), bits = l->prototype_bits;
    l->sce_words = dse_ceil_div(knob(g, NYSX_DIM), elements);
    l->sce_rows = knob(g, NYSX_SCE_PE) == NYSX_SCE_ONE ? 1 : l->classes;
    l->sce_trips = dse_ceil_div(l->classes, l->sce_rows);
    l->sce_parts = dse_ceil_div(elements * bits, 32);
    l->sce_interval = nysx_sce_interval(elements, bits, bits == 32 ? add : 1);
    l->argmax_interval = nysx_sce_argmax_interval(bits, knob(g, NYSX_PROTOTYPES) == NYSX_BUNDLED, product);
}

/* Tables in UltraRAM, which takes no contents from the bitstream; loaded before any query. */
static void lay_loads(const struct laying *g)
{
    struct nysx_layout *l = g->l;
    l->loads_p = knob(g, NYSX_NEE_FORM) == NYSX_RESIDENT && knob(g, NYSX_PLACE_P) == NYSX_PLACE_URAM;
    l->loads_h = knob(g, NYSX_PLACE_H) == NYSX_PLACE_URAM;
    l->loads_codebook = knob(g, NYSX_PLACE_CODEBOOK) == NYSX_PLACE_URAM;
    l->loads_prototypes = knob(g, NYSX_PLACE_PROTOTYPES) == NYSX_PLACE_URAM;
    l->loads_tables = l->loads_p || l->loads_h || l->loads_codebook || l->loads_prototypes;
    int64_t most = larger(l->loads_p * l->p_resident_words * l->p_resident_parts,
                          l->loads_h * l->h_slots * knob(g, NYSX_KSE_PE) * l->h_entry_bytes / 4);
    most = larger(most, larger(l->loads_codebook * l->codebook_total * l->code_bits / 32,
                               l->loads_prototypes * l->classes * l->sce_words * l->sce_parts));
    l->load_words = dse_ceil_div(most, QUERY_PORT_BITS / 32);
}

static enum dse_status check_setting(const struct laying *g)
{
    bool direct = knob(g, NYSX_NEE_FORM) == NYSX_DIRECT;
    int64_t draws = knob(g, NYSX_CODES) == NYSX_CODES_TUPLE ? knob(g, NYSX_DRAWS) : 1, hops = g->work->hops / g->work->draws;
    if (draws != g->work->draws)
        return dse_fail(g->err, DSE_BAD_USAGE, "draws=%lld: the workload was measured with %lld draws", (long long)draws, (long long)g->work->draws);
    if (knob(g, NYSX_HOPS) != hops)
        return dse_fail(g->err, DSE_BAD_USAGE, "hops=%lld: the workload was measured with %lld hops", (long long)knob(g, NYSX_HOPS),
                        (long long)hops);
    if (!direct && knob(g, NYSX_LANDMARKS) != g->work->landmarks)
        return dse_fail(g->err, DSE_BAD_USAGE, "landmarks=%lld: the workload was measured with %lld landmarks",
                        (long long)knob(g, NYSX_LANDMARKS), (long long)g->work->landmarks);
    return DSE_OK;
}

enum dse_status nysx_layout_make(const struct dse_context *context, const struct dse_config *config, struct nysx_layout *out,
                                 struct dse_error *err)
{
    const struct laying g = {.context = context, .config = config, .work = context->work, .l = out, .err = err};
    bool direct = config->value[NYSX_NEE_FORM] == NYSX_DIRECT;
    int64_t add = 1, product = 1;
    *out = (struct nysx_layout){
        .code_lanes = config->value[direct ? NYSX_NEE_CODES : NYSX_MPHE_LOOKUPS],
        .prototype_bits = (int64_t)dse_knob_number(&nysx_knobs.knobs[NYSX_SCE_PROTOTYPE_BITS], config->value[NYSX_SCE_PROTOTYPE_BITS])};
    DSE_TRY(check_setting(&g));
    if (nysx_rejected(config) != NULL)
        return dse_fail(err, DSE_ANSWER_NO, "%s", nysx_rejected(config));
    DSE_TRY(cycles_of(&g, DSE_OP_ADD, DSE_FP32, &add));
    DSE_TRY(cycles_of(&g, DSE_OP_MUL, DSE_INT64, &product));
    out->has = has_of(&g);
    lay_query(&g);
    lay_lshu(&g, add, product);
    if (direct) {
        lay_direct(&g);
    } else {
        lay_codebooks(&g);
        DSE_TRY(lay_h(&g));
        if (config->value[NYSX_NEE_FORM] == NYSX_FACTORED)
            lay_factored(&g, add);
        else
            DSE_TRY(lay_p(&g, add));
    }
    lay_sce(&g, add, product);
    lay_loads(&g);
    return DSE_OK;
}
