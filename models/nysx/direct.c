/* NEE in the direct form: the sign of a sum of sign vectors, one per code (definition: models/nysx/executor/direct.h).
 *
 * Lanes are elements: a round has `lanes` of them and reads all codes of the graph, nee.codes per cycle. A code and its
 * second mixing give a word of 32 signs that all lanes share. Each lane adds an XOR with a few of its bits, which is fixed;
 * all lanes also share the round's part. A lane therefore has one look-up table per code for its sign, a population count
 * of a cycle's codes, and an adder. Only the mixers multiply; there is one per code of a cycle. */
#include "models/build.h"
#include "models/nysx/nysx.h"

#define EXACT 3 /* nee.center_bits */
#define START_PART_BITS 32

/* The n codes of the largest graph sum to −n … n. A threshold of at most n doubles this range; rounding it adds a third. */
int64_t nysx_sum_bits(const struct nysx_work *work, const struct dse_config *config)
{
    int64_t most = work->nodes_capacity[config->value[NYSX_CAPACITY]] * work->hops;
    int64_t parts = config->value[NYSX_NEE_CENTER] == 0 ? 1 : config->value[NYSX_NEE_CENTER_BITS] == EXACT ? 2 : 3;
    return dse_bits_for(2 * most * parts + 2);
}

int64_t nysx_start_bits(const struct nysx_work *work, const struct dse_config *config)
{
    int64_t bits = nysx_sum_bits(work, config), all = bits <= 8 ? 8 : bits <= 16 ? 16 : 32;
    int64_t stored = (int64_t)2 << config->value[NYSX_NEE_CENTER_BITS]; /* 2, 4, 8 */
    return config->value[NYSX_NEE_CENTER_BITS] == EXACT || stored > all ? all : stored;
}

int64_t nysx_merge_places(const struct dse_config *config)
{
    return config->value[NYSX_NEE_MERGE] == 0 ? 0 : (int64_t)32 << (config->value[NYSX_NEE_MERGE] - 1);
}

#define WEIGHT_BITS 16 /* bits of a class weight */

int64_t nysx_table_places(const struct dse_config *config)
{
    return config->value[NYSX_NEE_FORM] == NYSX_DIRECT && config->value[NYSX_NEE_TABLE] > 0 ? (int64_t)256 << 2 * config->value[NYSX_NEE_TABLE] : 0;
}

int64_t nysx_table_copies(const struct dse_config *config)
{
    return dse_ceil_div(config->value[NYSX_NEE_CODES], 2);
}

int64_t nysx_table_parts(const struct nysx_work *work)
{
    return work->classes > 1 ? work->classes - 1 : 1;
}

int64_t nysx_item_bits(const struct nysx_work *work, const struct dse_config *config)
{
    return dse_bits_for(work->nodes_capacity[config->value[NYSX_CAPACITY]] * work->hops + 1);
}

/* Adds a lane's count for the codes of a cycle: their ones, or for merged codes the signed sum of their counts. Returns its
 * latency in cycles. */
static int64_t build_counts(struct dse_build *build, const struct dse_config *config)
{
    int64_t lanes = config->value[NYSX_NEE_LANES], codes = config->value[NYSX_NEE_CODES];
    if (nysx_merge_places(config) > 0) {
        double bits = (double)(nysx_item_bits(build->context->work, config) + nysx_levels(codes) + 1);
        dse_build_combinational(build, DSE_STRUCTURE_ADDER, bits, (double)(lanes * (codes - 1)));
        return nysx_logic(build, nysx_levels(codes)) - 1; /* no multiplexer: counts past the last code are 0 */
    }
    if (codes > 1)
        dse_build_structure(build, DSE_STRUCTURE_POPCOUNT, (double)codes, (double)lanes);
    return codes > 1 ? dse_bits_for(codes) / 4 : 0;
}

#define LIST_DEPTH 7 /* depth of the loop that writes the list, without its two mixings: read, addition, shift, mix, write */

static int64_t build_lanes(struct dse_build *build, const struct dse_config *config)
{
    const struct nysx_work *work = build->context->work;
    int64_t lanes = config->value[NYSX_NEE_LANES], codes = config->value[NYSX_NEE_CODES], width = nysx_sum_bits(work, config);
    /* read, mix, expand to the round's word and the lanes' words (2), mask codes without a node, count (four levels per cycle), add, write */
    int64_t depth = 8 + 2 * dse_build_operator(build, DSE_OP_HASH, DSE_INT32, 2.0 * (double)codes);
    dse_build_operator(build, DSE_OP_XOR, DSE_INT32, (double)(codes * (1 + dse_ceil_div(lanes, NYSX_SIGNS_A_WORD))));
    if (lanes < NYSX_SIGNS_A_WORD) /* select the round's part of a word */
        dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, (double)(NYSX_SIGNS_A_WORD - lanes), (double)codes);
    depth += build_counts(build, config);
    dse_build_structure(build, DSE_STRUCTURE_ADDER, (double)width, (double)lanes);
    if (config->value[NYSX_NEE_CENTER] != 0) /* initial value of the sums */
        dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, (double)width, (double)lanes);
    return depth;
}

#define RECENT 3      /* writes that the table's memory does not return yet */

/* List address and word, the place's entry and the forwarded ones, the new entry, the write. */
static int64_t table_depth(const struct dse_build *build)
{
    return 5 + nysx_logic(build, 4);
}

/* Table that counts equal codes: one entry per place, the latest writes for forwarding, and the list of evicted entries. */
static void build_table(struct dse_build *build, const struct dse_config *config, int64_t list)
{
    int64_t bits = nysx_item_bits(build->context->work, config), places = nysx_merge_places(config);
    double held = (double)(32 + bits + dse_bits_for(places));
    dse_build_array(build, DSE_STORAGE_AUTO, places, 32 + bits, 1, 1, 1);
    dse_build_array(build, DSE_STORAGE_AUTO, list, 32 + bits, config->value[NYSX_NEE_CODES], 1, 1);
    dse_build_structure(build, DSE_STRUCTURE_REGISTER, held, RECENT);
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, held, RECENT);
    dse_build_structure(build, DSE_STRUCTURE_COMPARATOR, 32.0, 1.0 + RECENT);
    dse_build_structure(build, DSE_STRUCTURE_ADDER, (double)bits, 2.0);
    dse_build_structure(build, DSE_STRUCTURE_LOOP, 1.0, 1.0);
    dse_build_structure(build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
}

/* Cycles of the NEE's loops. With a table: one code per cycle through the table, its sweep, then the remaining codes per round. Without: per round,
 * each hop's codes, starting with a new word. */
static double direct_cycles(const struct nysx_work *work, const struct dse_config *config, enum dse_case which, int64_t trips)
{
    int64_t codes = config->value[NYSX_NEE_CODES], places = nysx_merge_places(config);
    if (places == 0)
        return (double)(trips * work->hops) * work->trips[which][nysx_schedule_index(codes)];
    double items = work->merged[which][config->value[NYSX_NEE_MERGE] - 1];
    return (double)trips * nysx_rounded_up(items, (double)codes, which) / (double)codes + work->nodes[which] * (double)work->hops +
           (double)places;
}

/* Table of class weights, read by the codes of the first round. It has copies, and per class an adder tree over a cycle's weights and an
 * accumulator. Merged codes also need a multiplier by the count. */
static void build_weights(struct dse_build *build, const struct dse_config *config)
{
    const struct nysx_work *work = build->context->work;
    int64_t codes = config->value[NYSX_NEE_CODES], copies = nysx_table_copies(config), counts = nysx_item_bits(work, config);
    double width = (double)(WEIGHT_BITS + counts), classes = (double)nysx_table_parts(work);
    dse_build_array(build, DSE_STORAGE_AUTO, nysx_table_places(config) * copies, WEIGHT_BITS * nysx_table_parts(work), copies, 1, 1);
    if (nysx_merge_places(config) > 0)
        dse_build_operator(build, DSE_OP_MAC, DSE_INT16, classes * (double)codes);
    dse_build_combinational(build, DSE_STRUCTURE_ADDER, width, classes * (double)(codes - 1));
    dse_build_structure(build, DSE_STRUCTURE_ADDER, width, 2.0 * classes); /* into the sum, and the sum into the score */
}

enum dse_status nysx_cost_direct(const struct dse_context *context, const struct dse_config *config,
                                    struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t lanes = config->value[NYSX_NEE_LANES], codes = config->value[NYSX_NEE_CODES];
    bool lists = config->value[NYSX_CODES] != NYSX_CODES_WL; /* passes of WL codes write the list themselves */
    int64_t dim = config->value[NYSX_DIM], trips = dse_ceil_div(dim, lanes);
    if ((lanes & (lanes - 1)) != 0)
        dse_build_reject(&build, "nee.lanes=%lld: must be a power of two in the direct form", (long long)lanes);
    int64_t places = nysx_merge_places(config), list = work->nodes_capacity[config->value[NYSX_CAPACITY]] * work->hops;
    if (places > 0 && work->merged[DSE_CASE_MEAN][0] <= 0.0)
        dse_build_reject(&build, "nee.merge=%lld: the profile has no number of equal codes (series \"merged\"); "
                                 "`datasets profile` measures it", (long long)places);
    int64_t depth = dse_build_depth(&build, build_lanes(&build, config)), table = places > 0 ? dse_build_depth(&build, table_depth(&build)) : 1;
    int64_t list_depth = lists ? dse_build_depth(&build, LIST_DEPTH + 4 * dse_build_operator(&build, DSE_OP_HASH, DSE_INT32, 4.0 * (double)codes)) : 1;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double words = lists ? (double)work->hops * work->trips[c][nysx_schedule_index(codes)] : 0.0;
        out->busy_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(words);
        out->fill_cycles[c][NYSX_STAGE_LOOKUP] = work->hops / work->draws * (list_depth - 1);
        double cycles = direct_cycles(work, config, (enum dse_case)c, trips);
        out->busy_cycles[c][NYSX_STAGE_ENCODE] = dse_count(cycles);
        if (lists)
            dse_loops_note(context->loops, (enum dse_case)c, "nee_list", (double)(work->hops / work->draws), words, 1.0, (double)list_depth);
        double merging = places > 0 ? work->nodes[c] * (double)work->hops + (double)places : 0.0;
        if (places > 0)
            dse_loops_note(context->loops, (enum dse_case)c, "nee_merge", 1.0, merging, 1.0, (double)table);
        dse_loops_note(context->loops, (enum dse_case)c, "nee_codes", 1.0, cycles - merging, 1.0, (double)depth);
        out->fill_cycles[c][NYSX_STAGE_ENCODE] = depth - 1 + table - 1;
    }
    if (places > 0)
        build_table(&build, config, list);
    if (nysx_table_places(config) > 0)
        build_weights(&build, config);
    dse_build_datapath(&build);
    dse_build_array(&build, DSE_STORAGE_AUTO, list, 32, codes, config->value[NYSX_OVERLAP] >= NYSX_OVERLAP_ENGINES ? 2 : 1, 1); /* more banks if the LSHU has more PEs (not a knob here) */
    if (config->value[NYSX_NEE_CENTER] != 0) { /* initial values of a round, in 32-bit parts with a memory each */
        int64_t parts = dse_ceil_div(lanes * nysx_start_bits(work, config), START_PART_BITS);
        dse_build_array(&build, DSE_STORAGE_AUTO, trips * parts, START_PART_BITS, parts, 1, 1);
    }
    dse_build_array(&build, DSE_STORAGE_AUTO, trips, lanes, 1, 1, 1); /* h */
    /* Sign words in pipeline registers towards the lanes. */
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, (double)(2 * NYSX_SIGNS_A_WORD * codes), 2.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 2.0, 1.0);
    double listed = work->nodes[DSE_CASE_MEAN] * (double)work->hops;
    double taken = places > 0 ? work->merged[DSE_CASE_MEAN][config->value[NYSX_NEE_MERGE] - 1] : listed;
    double item_bytes = 4.0 + (places > 0 ? (double)nysx_item_bits(work, config) / 8.0 : 0.0);
    out->operations[DSE_BINARY] = dse_count(2.0 * (double)dim * taken);
    out->operations[DSE_INT32] = dse_count(2.0 * (double)trips * taken + (places > 0 ? listed : 0.0));
    out->on_chip_bytes = dse_count(item_bytes * (double)trips * taken + (places > 0 ? (4.0 + 2.0 * item_bytes) * listed : 0.0)) + dim / 8 +
                         (config->value[NYSX_NEE_CENTER] != 0 ? dim * nysx_start_bits(work, config) / 8 : 0);
    if (nysx_table_places(config) > 0) {
        double weights = taken * (double)nysx_table_parts(work);
        out->operations[DSE_INT32] += dse_count((places > 0 ? 2.0 : 1.0) * weights);
        out->on_chip_bytes += dse_count(weights * WEIGHT_BITS / 8.0);
    }
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_ENCODE], out);
}
