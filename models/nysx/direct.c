/* NEE in the direct form: the sign of a sum of sign vectors, one a code (executor/nysx/direct.h has the definition).
 *
 * Lanes are elements: a turn has `lanes` of them, and takes all codes of the graph, nee.codes a cycle. A code and its
 * second mixing give a word of 32 signs that all lanes share but for an exclusive or with a few of its bits, fixed for
 * each lane; what a turn adds is shared too. So a lane has a look-up table a code for its sign, a count of the ones among
 * the codes of a cycle, and an adder; nothing is multiplied but in the mixers, one for each code of a cycle. */
#include "models/build.h"
#include "models/nysx/nysx.h"

/* −n … n for the n codes of the largest graph, twice as far with a threshold, which is no larger. */
int64_t nysx_sum_bits(const struct nysx_work *work, const struct dse_config *config)
{
    int64_t most = work->nodes_capacity[config->value[NYSX_CAPACITY]] * work->hops;
    return dse_bits_for(2 * most * (config->value[NYSX_NEE_CENTER] != 0 ? 2 : 1) + 2);
}

static int64_t build_lanes(struct dse_build *build, const struct dse_config *config)
{
    const struct nysx_work *work = build->context->work;
    int64_t lanes = config->value[NYSX_NEE_LANES], codes = config->value[NYSX_NEE_CODES], width = nysx_sum_bits(work, config);
    /* A code is read, mixed, made the turn's word and the lanes' (2), chosen where it is a node's, counted (four levels a cycle), added,
     * and written. */
    int64_t depth = 8 + 2 * dse_build_operator(build, DSE_OP_HASH, DSE_INT32, 2.0 * (double)codes);
    dse_build_operator(build, DSE_OP_XOR, DSE_INT32, (double)(codes * (1 + dse_ceil_div(lanes, NYSX_SIGNS_A_WORD))));
    if (lanes < NYSX_SIGNS_A_WORD) /* the turn's part of a word */
        dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, (double)(NYSX_SIGNS_A_WORD - lanes), (double)codes);
    if (codes > 1)
        dse_build_structure(build, DSE_STRUCTURE_POPCOUNT, (double)codes, (double)lanes);
    depth += codes > 1 ? dse_bits_for(codes) / 4 : 0;
    dse_build_structure(build, DSE_STRUCTURE_ADDER, (double)width, (double)lanes);
    if (config->value[NYSX_NEE_CENTER] != 0) /* what a sum starts at */
        dse_build_structure(build, DSE_STRUCTURE_MULTIPLEXER, (double)width, (double)lanes);
    return depth;
}

enum dse_status nysx_account_direct(const struct dse_context *context, const struct dse_config *config,
                                    struct dse_accumulators *out, struct dse_error *err)
{
    const struct nysx_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    int64_t lanes = config->value[NYSX_NEE_LANES], codes = config->value[NYSX_NEE_CODES];
    int64_t dim = config->value[NYSX_DIM], turns = dse_ceil_div(dim, lanes), width = nysx_sum_bits(work, config);
    if ((lanes & (lanes - 1)) != 0)
        dse_build_refuse(&build, "nee.lanes=%lld: must be a power of two in the direct form", (long long)lanes);
    int64_t depth = build_lanes(&build, config);
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][NYSX_STAGE_ENCODE] = dse_cycles((double)(turns * work->hops) * work->turns[c][nysx_schedule_index(codes)]);
        out->fill_cycles[c][NYSX_STAGE_ENCODE] = depth - 1;
    }
    dse_build_datapath(&build);
    int64_t list = work->nodes_capacity[config->value[NYSX_CAPACITY]] * work->hops;
    dse_build_array(&build, DSE_STORAGE_AUTO, list, 32, codes, 1, 1); /* more banks where the LSHU's PEs are more, which is no knob here */
    if (config->value[NYSX_NEE_CENTER] != 0)
        dse_build_array(&build, DSE_STORAGE_AUTO, turns, lanes * width, 1, 1, 1);
    dse_build_array(&build, DSE_STORAGE_AUTO, turns, lanes, 1, 1, 1); /* h */
    /* The words of signs on their way into the lanes. */
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, (double)(2 * NYSX_SIGNS_A_WORD * codes), 2.0);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 2.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 2.0, 1.0);
    double signs = (double)dim * work->nodes[DSE_CASE_MEAN] * (double)work->hops;
    out->operations[DSE_BINARY] = dse_cycles(2.0 * signs);
    out->operations[DSE_INT32] = dse_cycles(2.0 * (double)turns * work->nodes[DSE_CASE_MEAN] * (double)work->hops);
    out->on_chip_bytes = dse_cycles(4.0 * (double)turns * work->nodes[DSE_CASE_MEAN] * (double)work->hops) + dim / 8 +
                         (config->value[NYSX_NEE_CENTER] != 0 ? dim * width / 8 : 0);
    return dse_build_finish(&build, (double)out->busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_ENCODE], out);
}
