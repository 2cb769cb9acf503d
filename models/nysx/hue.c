/* HUE: private histograms, their merge (paper, section 5.2.3), and the banks shared by HUE and KSE.
 *
 * Every PE counts into its own copy. A word of bins takes one cycle per group of PEs that it fills, and a PE forwards its
 * latest writes. Two counts share a word, so the merge reads,
 * adds and clears two bins per cycle over all copies at once. The merged histogram is written to as many copies as
 * the KSE's PEs need for random access. */
#include "models/build.h"
#include "models/nysx/nysx.h"

#define BINS_A_WORD 2
#define RECENT 3        /* latest writes, which a read of the memory does not yet return */
#define LOOKUP_QUEUE 16 /* words of bins */

/* Counts hold all nodes of the largest graph, since all may fall into one bin. */
static int64_t count_bits(const struct nysx_work *work, const struct dse_config *config)
{
    return dse_bits_for(work->nodes_capacity[config->value[NYSX_CAPACITY]] + 1);
}

static int64_t largest_codebook(const struct nysx_work *work)
{
    int64_t largest = 1;
    for (int64_t t = 0; t < work->hops; t++)
        if (work->codebook[t] > largest)
            largest = work->codebook[t];
    return largest;
}

enum dse_status nysx_cost_hue(const struct dse_context *context, const struct dse_config *config,
                                 struct dse_accumulators *out, struct dse_error *err)
{
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return DSE_OK;
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    double pe = (double)config->value[NYSX_HUE_PE];
    int64_t merge = 0;
    for (int64_t t = 0; t < work->hops; t++)
        merge += dse_ceil_div(work->codebook[t], BINS_A_WORD);
    /* Word of bins, count word read, forwarding, addition, write; the merge's tree over the copies. */
    int64_t depth = dse_build_depth(&build, 5), lanes = config->value[NYSX_MPHE_LOOKUPS];
    int64_t tree = dse_build_depth(&build, 2 + nysx_logic(&build, nysx_levels(config->value[NYSX_HUE_PE])));
    double steps = lanes > config->value[NYSX_HUE_PE] ? (double)(lanes / config->value[NYSX_HUE_PE]) : 1.0;
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double updates = (double)work->hops * nysx_words_of_codes(work, (enum dse_case)c, lanes) * steps;
        dse_loops_note(context->loops, (enum dse_case)c, "hue_updates", (double)work->hops, updates, 1.0, (double)depth);
        dse_loops_note(context->loops, (enum dse_case)c, "hue_merge", (double)work->hops, (double)merge, 1.0, (double)tree);
        out->busy_cycles[c][NYSX_STAGE_LOOKUP] = dse_count(updates);
        out->fill_cycles[c][NYSX_STAGE_LOOKUP] = work->hops * (depth - 1);
        out->busy_cycles[c][NYSX_STAGE_HISTOGRAM] = merge;
        out->fill_cycles[c][NYSX_STAGE_HISTOGRAM] = work->hops * (tree - 1);
    }
    /* A code increments its bin; the merge adds the copies of a bin, reads and clears each, and writes the sum. */
    double count_bytes = (double)count_bits(work, config) / 8.0, found = work->hits[DSE_CASE_MEAN];
    double bins = (double)(BINS_A_WORD * merge);
    out->operations[DSE_INT16] = dse_count(found + bins * (pe - 1.0));
    out->on_chip_bytes = dse_count(count_bytes * (2.0 * found + bins * (2.0 * pe + 1.0)));
    dse_build_structure(&build, DSE_STRUCTURE_ADDER, (double)count_bits(work, config), pe + BINS_A_WORD * (pe - 1.0));
    /* Forwarding registers of a PE with their places, and the multiplexer. */
    double kept = (double)(BINS_A_WORD * count_bits(work, config) + dse_bits_for(largest_codebook(work)));
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, kept, RECENT * pe);
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, kept, RECENT * pe);
    dse_build_fifo(&build, LOOKUP_QUEUE, 32 * lanes, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 1.0, 2.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 2.0, 1.0);
    double working = (double)out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_LOOKUP] + (double)merge;
    return dse_build_finish(&build, working, out);
}

enum dse_status nysx_cost_histograms(const struct dse_context *context, const struct dse_config *config,
                                        struct dse_accumulators *out, struct dse_error *err)
{
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return DSE_OK;
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t words = dse_ceil_div(largest_codebook(work), BINS_A_WORD);
    int64_t word_bits = BINS_A_WORD * count_bits(work, config);
    int64_t copies = config->value[NYSX_HUE_PE];
    for (int64_t i = 0; i < copies; i++)
        dse_build_array(&build, DSE_STORAGE_AUTO, words, word_bits, 1, 1, 1);
    /* Written only by the merge, while no PE of the KSE reads: both ports of a copy serve PEs. */
    struct dse_array merged = dse_array_of(words, word_bits);
    merged.readers = config->value[NYSX_KSE_PE];
    merged.writers = 0;
    dse_build_memory(&build, DSE_STORAGE_AUTO, &merged);
    return dse_build_finish(&build, work->hits[DSE_CASE_MEAN], out);
}
