/* MPHE: from code to histogram index (paper, section 5.2.2), and the codebook store that verifies it.
 *
 * A lookup takes one probe a level until a bit is set; a lane makes one probe a cycle and works on its code until
 * it is decided. Level words and codebook entries lie in as many banks as there are lanes; lanes that want one
 * bank in the same cycle wait for one another. */
#include <math.h>

#include "models/build.h"
#include "models/nysx/nysx.h"

/* Banks at work in a cycle where n lanes always have a code and each probe wants any of n banks: the mean number of
 * banks that someone wants, of the Markov chain in which every such bank serves one lane, which then wants another at
 * random ("repeated balls into bins"; n = 2 is 3/2 by hand, the others its stationary state; for many lanes the share tends
 * to 2 - sqrt 2). By log2 of the lanes. */
static const double banks_at_work[NYSX_BANKINGS + 1] = {1.0, 1.5, 2.625, 4.948, 9.628};

/* The eighth root of a^8 + b^8: the larger of two bounds that both delay where they are near one another. */
static double smooth_maximum(double a, double b)
{
    double a2 = a * a, b2 = b * b, a4 = a2 * a2, b4 = b2 * b2;
    return sqrt(sqrt(sqrt(a4 * a4 + b4 * b4)));
}

/* Cycles for the codes of a graph's hop. Banks that are read evenly give probes / banks at work; codes that many nodes
 * share, and levels of few words, make one bank the fullest, which gives one read a cycle. At the end the last code's
 * levels find the other lanes idle, and the last entry is compared in the cycle after. */
static double hop_cycles(const struct nysx_work *work, int64_t hop, int64_t gamma, int64_t lanes, int which)
{
    int k = nysx_schedule_index(lanes);
    double probes = work->probes[which][hop][gamma], mean = work->probes[DSE_CASE_MEAN][hop][gamma];
    if (!(probes > 0.0))
        return 0.0;
    if (k == 0)
        return probes + 1.0;
    double even = probes / banks_at_work[k], fullest = work->fullest[hop][gamma][k - 1];
    double nodes = work->nodes[which] > 1.0 ? work->nodes[which] : 1.0;
    double scaled = mean > 0.0 ? fullest * probes / mean : 0.0; /* the tail's graph is a larger one of the same kind */
    return smooth_maximum(even, scaled) + probes / nodes * (1.0 - 1.0 / (double)lanes) + 1.0;
}

static double sum_over_hops(const struct nysx_work *work, const double table[][NYSX_GAMMAS], int64_t gamma)
{
    double sum = 0.0;
    for (int64_t t = 0; t < work->hops; t++)
        sum += table[t][gamma];
    return sum;
}

enum dse_status nysx_account_mphe(const struct dse_context *context, const struct dse_config *config,
                                  struct dse_accumulators *out, struct dse_error *err)
{
    if (config->value[NYSX_NEE_FORM] == NYSX_DIRECT)
        return DSE_OK;
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t lanes = config->value[NYSX_MPHE_LOOKUPS], gamma = config->value[NYSX_MPHE_GAMMA];
    /* Two 64-bit hashes, the next of their sequence, the remainder by the level's length (section 5.2.2's "mod": the
     * length is known at run time only), the popcount of a word and the comparison of a code, in every lane. */
    int64_t depth = dse_build_operator(&build, DSE_OP_HASH, DSE_INT64, 2.0 * (double)lanes);
    dse_build_operator(&build, DSE_OP_HASH, DSE_INT64, (double)lanes);
    depth += dse_build_operator(&build, DSE_OP_REMAINDER, DSE_INT64, (double)lanes);
    depth += dse_build_operator(&build, DSE_OP_POPCOUNT, DSE_INT64, (double)lanes);
    depth += dse_build_operator(&build, DSE_OP_COMPARE, DSE_INT64, (double)lanes);
    dse_build_datapath(&build);
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        double cycles = 0.0;
        for (int64_t t = 0; t < work->hops; t++)
            cycles += hop_cycles(work, t, gamma, lanes, c);
        out->busy_cycles[c][NYSX_STAGE_LOOKUP] = dse_cycles(cycles);
        out->fill_cycles[c][NYSX_STAGE_LOOKUP] = work->hops * depth;
    }
    /* A probe hashes, reduces to the range and tests a bit of an 8-byte word; a code that is found takes the popcount
     * below its bit with the word's rank, and is compared with the codebook's (read there). */
    double probes = sum_over_hops(work, work->probes[DSE_CASE_MEAN], gamma), found = work->hits[DSE_CASE_MEAN];
    out->operations[DSE_INT64] = dse_cycles(3.0 * probes + 2.0 * found);
    out->on_chip_bytes = dse_cycles(8.0 * probes + 4.0 * found);
    int64_t words = (int64_t)ceil(sum_over_hops(work, work->mph_bits, gamma) / 64.0);
    int64_t keys = 0;
    for (int64_t t = 0; t < work->hops; t++)
        keys += work->codebook[t];
    dse_build_array(&build, DSE_STORAGE_AUTO, words, 64, lanes, 1, 1);
    dse_build_array(&build, DSE_STORAGE_AUTO, words, dse_bits_for(keys + 1), lanes, 1, 1); /* ranks */
    dse_build_fifo(&build, 16, 64, (double)lanes);                                         /* lookup queue */
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, 64.0 * (double)(lanes - 1), (double)lanes);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 1.0, (double)lanes);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 1.0);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_LOOKUP], out);
}

enum dse_status nysx_account_codebook(const struct dse_context *context, const struct dse_config *config,
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
    /* (code, index): a scalar code in 32 bits, a tuple's hash in 64. */
    int64_t code_bits = config->value[NYSX_CODES] == NYSX_CODES_TUPLE ? 64 : 32;
    int64_t entry_bits = code_bits + dse_bits_for(largest);
    out->on_chip_bytes = dse_cycles(work->hits[DSE_CASE_MEAN] * (double)entry_bits / 8.0);
    enum dse_storage place = storage[config->value[NYSX_PLACE_CODEBOOK]];
    if (place == DSE_STORAGE_URAM && context->board->chip[DSE_URAM] == 0)
        dse_build_refuse(&build, "place.codebook=uram: the board %s has no URAM", context->board->name);
    dse_build_array(&build, place, keys, entry_bits, config->value[NYSX_MPHE_LOOKUPS], 1, 1);
    return dse_build_finish(&build, work->hits[DSE_CASE_MEAN], out);
}
