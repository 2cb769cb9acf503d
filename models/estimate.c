#include "models/estimate.h"

#include <string.h>

#include "resources/power.h"

static void platform_of(const struct dse_setup *setup, const struct dse_config *config, enum dse_band band,
                        struct dse_platform *out)
{
    dse_platform_make(setup->family, setup->board, setup->headroom, config, band, out);
}

/* Splits a block's energy of a mean graph by consumer, in proportion to its resources: joules; for the clock tree watts. */
static void split_energy(const struct dse_setup *setup, const struct dse_platform *platform, const struct dse_accumulators *part, double clock_hz,
                         double terms[DSE_POWER_TERM_COUNT])
{
    double amounts[DSE_RESOURCE_COUNT];
    struct dse_power power;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        amounts[r] = (double)part->resources[r];
    dse_power_dynamic(setup->costs, amounts, clock_hz, 0.0, &power);
    double working = power.watt - power.term_w[DSE_POWER_CLOCK];
    for (int t = 0; t < DSE_POWER_TERM_COUNT; t++)
        if (t != DSE_POWER_CLOCK && working > 0.0)
            terms[t] += (double)part->energy_fj * platform->femto * power.term_w[t] / working;
    terms[DSE_POWER_CLOCK] += (double)part->idle_nw * 1e-9;
}

/* Converts joules per graph to watts of all units, one graph per interval and unit; the clock tree is already in watts. */
static void average_terms(double interval_s, double units, double terms[DSE_POWER_TERM_COUNT])
{
    for (int t = 0; t < DSE_POWER_TERM_COUNT; t++)
        terms[t] = units * (t == DSE_POWER_CLOCK ? terms[t] : terms[t] / interval_s);
}

/* Sums and metrics at one band; `engines` and `provenance` may be NULL. */
static enum dse_status evaluate(const struct dse_setup *setup, const void *work, const struct dse_config *config,
                                enum dse_band band, struct dse_engine_estimate *engines,
                                struct dse_provenance *provenance, struct dse_rejection *rejection, struct dse_clock_limit *clock,
                                struct dse_accumulators *sums, double metrics[DSE_METRIC_COUNT], double terms[DSE_POWER_TERM_COUNT],
                                struct dse_error *err)
{
    const struct dse_model_family *family = setup->family;
    struct dse_context context = {.board = setup->board, .costs = setup->costs, .work = work,
                                  .fitted = setup->fitted, .band = band,
                                  .provenance = provenance, .rejection = rejection, .clock = clock};
    struct dse_platform platform;
    platform_of(setup, config, band, &platform);
    memset(sums, 0, sizeof *sums);
    for (size_t b = 0; b < family->block_count; b++) {
        struct dse_accumulators part;
        if (clock != NULL)
            clock->at = family->blocks[b].engine;
        DSE_TRY(dse_block_cost(family, b, &context, config, &part, err));
        if (rejection->rejected)
            return DSE_OK;
        dse_accumulators_combine(sums, &part);
        split_energy(setup, &platform, &part, (double)config->value[family->clock_knob] * 1e6, terms);
        if (engines != NULL && family->blocks[b].cost != family->way)
            dse_accumulators_combine(&engines[family->blocks[b].engine].sums, &part);
    }
    dse_derive(&platform, sums, metrics);
    double units = (double)platform.units;
    average_terms(units * metrics[DSE_METRIC_ENERGY] / metrics[DSE_METRIC_POWER], units, terms);
    return DSE_OK;
}

static int64_t compute_fs(const struct dse_platform *platform, const struct dse_accumulators *sums, size_t stage)
{
    int64_t busy = stage != DSE_STAGE_APART ? sums->busy_cycles[DSE_CASE_MEAN][stage] : 0;
    return (busy + sums->fill_cycles[DSE_CASE_MEAN][stage]) * platform->fs_per_cycle;
}

static int64_t stage_fs(const struct dse_platform *platform, const struct dse_accumulators *sums, size_t stage)
{
    return dse_stage_fs(platform, sums, DSE_CASE_MEAN, stage);
}

/* Whether no engine works in a stage, but the host's processor. */
static bool by_processor(const struct dse_platform *platform, size_t stage)
{
    return (platform->prepare_stages >> stage & 1) != 0;
}

static size_t longest_stage(const struct dse_setup *setup, const struct dse_platform *platform,
                            const struct dse_accumulators *sums)
{
    size_t longest = 0;
    while (by_processor(platform, longest))
        longest++;
    for (size_t s = longest + 1; s < setup->family->stage_count; s++)
        if (!by_processor(platform, s) && stage_fs(platform, sums, s) > stage_fs(platform, sums, longest))
            longest = s;
    return longest;
}

static void describe_engine(const struct dse_setup *setup, const struct dse_platform *platform,
                            struct dse_engine_estimate *engine)
{
    int64_t total_fs = 0;
    for (size_t s = 0; s < setup->family->stage_count; s++) {
        if (by_processor(platform, s))
            continue;
        total_fs += stage_fs(platform, &engine->sums, s);
        engine->cycles += compute_fs(platform, &engine->sums, s) / platform->fs_per_cycle;
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            engine->bytes += engine->sums.bytes[DSE_CASE_MEAN][s][m];
    }
    engine->cycles *= (int64_t)platform->parts;
    engine->bytes *= (int64_t)platform->parts;
    engine->latency_s = (double)total_fs * platform->femto;
    engine->energy_j = (double)engine->sums.energy_fj * platform->femto;
    size_t longest = longest_stage(setup, platform, &engine->sums);
    engine->bound = stage_fs(platform, &engine->sums, longest) > compute_fs(platform, &engine->sums, longest)
                        ? DSE_BOUND_MEMORY
                        : DSE_BOUND_COMPUTE;
}

/* The engine that limits a stage: that of the slowest block, or that with the most bytes if the memory is slower
 * than every block. */
static size_t slowest_engine(const struct dse_setup *setup, const struct dse_estimate *estimate, size_t stage)
{
    size_t slowest = 0;
    for (size_t e = 1; e < setup->family->engine_count; e++)
        if (stage_fs(&estimate->platform, &estimate->engines[e].sums, stage) >
            stage_fs(&estimate->platform, &estimate->engines[slowest].sums, stage))
            slowest = e;
    return slowest;
}

/* Attributes an engine to memory if its memory port alone takes as long as the engine. Port times count as
 * cycles, so the costs of blocks flagged as ports are evaluated again. */
static enum dse_status note_ports(const struct dse_setup *setup, const void *work, struct dse_estimate *out,
                                  struct dse_error *err)
{
    const struct dse_model_family *family = setup->family;
    struct dse_context context = {.board = setup->board, .costs = setup->costs, .work = work,
                                  .fitted = setup->fitted, .rejection = &out->rejection};
    for (size_t b = 0; b < family->block_count; b++) {
        if (!family->blocks[b].memory_port)
            continue;
        struct dse_accumulators part;
        DSE_TRY(dse_block_cost(family, b, &context, &out->config, &part, err));
        struct dse_engine_estimate *engine = &out->engines[family->blocks[b].engine];
        size_t longest = longest_stage(setup, &out->platform, &engine->sums);
        if (part.busy_cycles[DSE_CASE_MEAN][longest] > 0 &&
            part.busy_cycles[DSE_CASE_MEAN][longest] >= engine->sums.busy_cycles[DSE_CASE_MEAN][longest])
            engine->bound = DSE_BOUND_MEMORY;
    }
    return DSE_OK;
}

/* The engine that limits the longest stage. In a described family the last stage sums many stages: there each engine has its own sum, in a
 * pipeline the maximum. */
static size_t bottleneck_of(const struct dse_setup *setup, const struct dse_estimate *out)
{
    const struct dse_platform *platform = &out->platform;
    int64_t longest_fs = -1;
    size_t bottleneck = 0;
    for (size_t s = 0; s < setup->family->stage_count && s < DSE_STAGE_APART; s++)
        if (!by_processor(platform, s) && stage_fs(platform, &out->sums, s) > longest_fs) {
            longest_fs = stage_fs(platform, &out->sums, s);
            bottleneck = slowest_engine(setup, out, s);
        }
    for (size_t e = 0; e < setup->family->engine_count && setup->family->stage_count == DSE_STAGE_MAX; e++) {
        const struct dse_accumulators *sums = &out->engines[e].sums;
        int64_t own_fs = setup->family->pipelined ? sums->busy_cycles[DSE_CASE_MEAN][DSE_STAGE_APART] * platform->fs_per_cycle
                                                  : stage_fs(platform, sums, DSE_STAGE_APART);
        if (own_fs > longest_fs) {
            longest_fs = own_fs;
            bottleneck = e;
        }
    }
    return bottleneck;
}

static void describe(const struct dse_setup *setup, struct dse_estimate *out)
{
    const struct dse_model_family *family = setup->family;
    for (size_t s = 0; s < family->stage_count; s++) {
        int64_t fs = stage_fs(&out->platform, &out->sums, s);
        out->stages[s].latency_s = (double)fs * out->platform.femto;
        out->stages[s].cycles = fs / out->platform.fs_per_cycle * (int64_t)out->platform.parts;
        out->stages[s].bound = fs > compute_fs(&out->platform, &out->sums, s)
                                   ? DSE_BOUND_MEMORY
                                   : out->engines[slowest_engine(setup, out, s)].bound;
    }
    out->bottleneck = bottleneck_of(setup, out);
    out->fits = dse_fits(&out->platform, &out->sums, &out->worst);
}

static enum dse_status evaluate_all(const struct dse_setup *setup, const void *work, struct dse_estimate *out,
                                    struct dse_error *err)
{
    struct dse_accumulators ends;
    DSE_TRY(evaluate(setup, work, &out->config, DSE_BAND_NOMINAL, out->engines, &out->provenance, &out->rejection, &out->clock, &out->sums,
                     out->metrics, out->term_w[DSE_BAND_NOMINAL], err));
    if (!out->rejection.rejected && !(out->metrics[DSE_METRIC_LATENCY] > 0.0)) { /* rates and ratios would be undefined */
        out->rejection = (struct dse_rejection){true, "this workload gives no block a cycle or byte, so there is no latency to compare"};
    }
    if (out->rejection.rejected)
        return DSE_OK;
    DSE_TRY(evaluate(setup, work, &out->config, DSE_BAND_LOW, NULL, NULL, &out->rejection, NULL, &ends, out->low,
                     out->term_w[DSE_BAND_LOW], err));
    DSE_TRY(evaluate(setup, work, &out->config, DSE_BAND_HIGH, NULL, NULL, &out->rejection, NULL, &ends, out->high,
                     out->term_w[DSE_BAND_HIGH], err));
    for (size_t e = 0; e < setup->family->engine_count; e++)
        describe_engine(setup, &out->platform, &out->engines[e]);
    DSE_TRY(note_ports(setup, work, out, err));
    describe(setup, out);
    return DSE_OK;
}

enum dse_status dse_estimate_make(const struct dse_setup *setup, const struct dse_config *config,
                                  struct dse_estimate *out, struct dse_error *err)
{
    memset(out, 0, offsetof(struct dse_estimate, engines) + setup->family->engine_count * sizeof *out->engines);
    out->config = *config;
    dse_config_canonical(setup->space, &out->config);
    out->clock.delays = setup->delays;
    out->assumed = setup->workload != NULL && setup->workload->assumed;
    platform_of(setup, &out->config, DSE_BAND_NOMINAL, &out->platform);
    if (setup->work != NULL)
        return evaluate_all(setup, setup->work, out, err);
    void *work = NULL;
    enum dse_status status = setup->family->prepare(setup->family, setup->workload, &work, err);
    if (status != DSE_OK)
        return status;
    status = evaluate_all(setup, work, out, err);
    setup->family->release(work);
    return status;
}

enum dse_status dse_estimate_built(const struct dse_setup *setup, const struct dse_config *config,
                                   struct dse_estimate *out, struct dse_error *err)
{
    DSE_TRY(dse_estimate_make(setup, config, out, err));
    return dse_rejection_verdict(&out->rejection, err);
}
