/* MPHE: from code to histogram index (paper, section 5.2.2), and the codebook store that verifies it.
 *
 * One word of codes per cycle, one code per lane: all levels are probed in parallel, each in its own memory; the first
 * set bit decides. Then the word's rank, the population count below the bit, and the codebook entry. */
#include <math.h>

#include "models/build.h"
#include "models/nysx/nysx.h"

#define LOOKUP_QUEUE 16 /* words of codes */

/* Levels of the deepest hash function. */
static int64_t levels_of(const struct nysx_work *work, int64_t gamma)
{
    double levels = 1.0;
    for (int64_t t = 0; t < work->hops; t++)
        levels = fmax(levels, work->mph_levels[t][gamma]);
    return (int64_t)ceil(levels);
}

/* 64-bit words of a level's memory: those of the first level over all hops. */
static int64_t level_words(const struct nysx_work *work, int64_t gamma)
{
    double words = 0.0;
    for (int64_t t = 0; t < work->hops; t++)
        words += ceil(dse_knob_number(&nysx_knobs.knobs[NYSX_MPHE_GAMMA], gamma) * (double)work->codebook[t] / 64.0);
    return words > 1.0 ? (int64_t)words : 1;
}

/* Whether a shift reduces a hash to each level's range: with one hop the ranges are constants, and must be powers of two here. A
 * key moves to the next level if another key maps to its bit. */
static bool ranges_shift(const struct nysx_work *work, int64_t gamma, int64_t levels)
{
    double left = (double)work->codebook[0];
    for (int64_t level = 0; level < levels && work->hops == 1; level++) {
        int64_t words = (int64_t)ceil(dse_knob_number(&nysx_knobs.knobs[NYSX_MPHE_GAMMA], gamma) * left / 64.0);
        if ((words & (words - 1)) != 0)
            return false;
        left *= words > 0 && left > 1.0 ? 1.0 - exp(-(left - 1.0) / (64.0 * (double)words)) : 0.0;
    }
    return work->hops == 1;
}

/* Two hashes of two sequential products each; a product or shift reduces the hash to each level's range. With one hop,
 * first-word addresses are constants too, and so is the only word of a one-word level, from which a bit is selected. */
static int64_t build_lanes(struct dse_build *build, double lanes, const struct nysx_work *work, int64_t gamma, int64_t store)
{
    int64_t levels = levels_of(work, gamma), words = level_words(work, gamma);
    bool shift = ranges_shift(work, gamma, levels);
    int64_t product = dse_build_operator(build, DSE_OP_MUL, DSE_INT64, 4.0 * lanes);
    dse_build_operator(build, DSE_OP_RANGE, DSE_INT32, shift ? 0.0 : lanes * (double)levels);
    dse_build_operator(build, DSE_OP_POPCOUNT, DSE_INT64, lanes);
    dse_build_operator(build, DSE_OP_COMPARE, DSE_INT64, lanes);
    dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, 64.0 + 32.0, lanes * (double)(levels - 1));
    return 4 + 2 * product + (shift ? 0 : 1 + product) + (work->hops > 1) + (words > 1) + store +
           nysx_logic(build, 4 + 2 * levels + (words == 1)) + nysx_logic(build, 8);
}

/* A read-only table with random access by every lane, two lanes per copy. */
static void build_table(struct dse_build *build, enum dse_storage place, int64_t words, int64_t bits, int64_t lanes)
{
    struct dse_array table = dse_array_of(words, bits);
    table.readers = lanes;
    table.writers = 0;
    dse_build_memory(build, place, &table);
}

enum dse_status nysx_cost_mphe(const struct dse_context *context, const struct dse_config *config,
                                  struct dse_accumulators *out, struct dse_error *err)
{
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return DSE_OK;
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t lanes = config->value[NYSX_MPHE_LOOKUPS], gamma = config->value[NYSX_MPHE_GAMMA];
    int64_t levels = levels_of(work, gamma), words = level_words(work, gamma), keys = 0;
    int64_t store = config->value[NYSX_PLACE_CODEBOOK] == NYSX_PLACE_URAM ? 2 : 1; /* read latency in cycles */
    int64_t depth = dse_build_depth(&build, build_lanes(&build, (double)lanes, work, gamma, store));
    dse_build_datapath(&build);
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double cycles = (double)work->hops * nysx_words_of_codes(work, (enum dse_case)c, lanes);
        out->busy_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(cycles);
        dse_loops_note(context->loops, (enum dse_case)c, "mphe_codes", (double)work->hops, cycles, 1.0, (double)depth);
        out->fill_cycles[c][NYSX_STAGE_LOOKUP] = work->hops * (depth - 1);
    }
    /* Hashes, ranges and words of all levels for every code. A code found also takes the word's rank and population
     * count, and a comparison with the codebook (read there). */
    double codes = work->nodes[DSE_CASE_MEAN] * (double)work->hops, probes = codes * (double)levels;
    double found = work->hits[DSE_CASE_MEAN];
    out->operations[DSE_INT64] = dse_count(4.0 * codes + 2.0 * probes + 2.0 * found);
    out->on_chip_bytes = dse_count(8.0 * probes + 4.0 * found);
    for (int64_t t = 0; t < work->hops; t++)
        keys += work->codebook[t];
    for (int64_t level = 0; level < levels; level++)
        build_table(&build, DSE_STORAGE_BRAM, words, 64, lanes);
    build_table(&build, DSE_STORAGE_BRAM, words * levels, dse_bits_for(keys + 1), lanes);
    dse_build_fifo(&build, LOOKUP_QUEUE, 64 * lanes, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 1.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_LOOKUP], out);
}

enum dse_status nysx_cost_codebook(const struct dse_context *context, const struct dse_config *config,
                                      struct dse_accumulators *out, struct dse_error *err)
{
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return DSE_OK;
    static const enum dse_storage storage[] = {DSE_STORAGE_BRAM, DSE_STORAGE_URAM, DSE_STORAGE_LUTRAM};
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t keys = 0, largest = 1;
    for (int64_t t = 0; t < work->hops; t++) {
        keys += work->codebook[t];
        if (work->codebook[t] > largest)
            largest = work->codebook[t];
    }
    /* (code, index): 32 bits for a scalar code, 64 for a tuple's hash. */
    int64_t code_bits = config->value[NYSX_CODES] == NYSX_CODES_TUPLE ? 64 : 32;
    int64_t entry_bits = code_bits + dse_bits_for(largest);
    out->on_chip_bytes = dse_count(work->hits[DSE_CASE_MEAN] * (double)entry_bits / 8.0);
    enum dse_storage place = storage[config->value[NYSX_PLACE_CODEBOOK]];
    if (place == DSE_STORAGE_URAM && context->board->chip[DSE_URAM] == 0)
        dse_build_reject(&build, "place.codebook=uram: the board %s has no URAM", context->board->name);
    build_table(&build, place, keys, code_bits, config->value[NYSX_MPHE_LOOKUPS]);
    build_table(&build, place, keys, entry_bits - code_bits, config->value[NYSX_MPHE_LOOKUPS]);
    return dse_build_finish(&build, work->hits[DSE_CASE_MEAN], out);
}
