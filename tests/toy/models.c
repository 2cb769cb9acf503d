/* The cost of a row: ⌈terms / lanes⌉ beats and the depth of a multiplication and an addition. */
#include <stdlib.h>
#include <string.h>

#include "models/build.h"
#include "models/hls.h"
#include "tests/toy/toy.h"

static const char *const stages[] = {"line"};
static const struct dse_engine engines[] = {{"mac", "Multipliers and their sum"}};

struct toy_work {
    int64_t terms;
};

static const struct dse_series_whole series[] = {{"terms", 1, 64, offsetof(struct toy_work, terms)}};

static enum dse_status prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **work, struct dse_error *err)
{
    (void)family;
    return dse_workload_take(workload, series, 1, sizeof(struct toy_work), work, err);
}

static enum dse_status cost(const struct dse_context *context, const struct dse_config *config,
                               struct dse_accumulators *out, struct dse_error *err)
{
    const struct toy_work *work = context->work;
    struct dse_build build = dse_build_start(context, config->value[TOY_CLOCK_MHZ], err);
    int64_t lanes = config->value[TOY_LANES], beats = dse_ceil_div(work->terms, lanes);
    int64_t depth = dse_build_operator(&build, DSE_OP_MUL, DSE_FP32, (double)lanes) +
                    dse_build_operator(&build, DSE_OP_ADD, DSE_FP32, (double)lanes);
    dse_build_structure(&build, DSE_STRUCTURE_S_AXILITE, 4.0, 1.0);
    dse_build_structure(&build, DSE_STRUCTURE_MULTIPLEXER, 32.0, (double)config->value[TOY_BUFFERS] - 1.0);
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][0] = beats;
        out->fill_cycles[c][0] = depth;
    }
    out->operations[DSE_FP32] = 2 * work->terms;
    return dse_build_finish(&build, (double)beats, out);
}

/* The header of a design; no source follows it. */
static enum dse_status hardware(const struct dse_context *context, const struct dse_config *config, struct dse_hls *out,
                                struct dse_error *err)
{
    (void)err;
    const struct toy_work *work = context->work;
    out->top = "toy_top";
    static const struct dse_hls_rule rules[] = {DSE_HLS_EVERY(0, "toy_top", "toy_beats", 1)};
    dse_hls_add_size(out, work->terms, 1, "inputs of the line", "INPUTS");
    dse_hls_add_size(out, dse_ceil_div(work->terms, config->value[TOY_LANES]), 1, "beats of a row", "BEATS");
    dse_hls_add_rules(out, rules, 1, 0);
    return DSE_OK;
}

static const struct dse_block blocks[] = {
    {"mac", 0, false, DSE_BITS(DSE_KNOB_BIT(TOY_TERMS) | DSE_KNOB_BIT(TOY_LANES) | DSE_KNOB_BIT(TOY_BUFFERS) | DSE_KNOB_BIT(TOY_CLOCK_MHZ)), cost}};

const struct dse_model_family toy_model_family = {
    .name = "toy", .title = "Toy: a line through a table", .board = "u200", .knobs = &toy_knobs,
    .clock_knob = TOY_CLOCK_MHZ, .units_knob = TOY_UNITS, .stages = stages, .stage_count = 1, .engines = engines, .engine_count = 1,
    .blocks = blocks, .block_count = 1, .prepare = prepare, .release = free,
    .hardware = hardware};
