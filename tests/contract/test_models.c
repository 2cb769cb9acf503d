/* The contract of every family's models, on a workload that its executor measures on generated data: blocks read only declared knobs, bounds and
 * bands hold, and every search finds the same front. A family without an executor is skipped. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/rng.h"
#include "search/ilp.h"
#include "search/question.h"
#include "search/search.h"
#include "tests/contract/made.h"
#include "tests/models/checks.h"
#include "tests/models/fixture.h"
#include "tests/ok.h"
#include "tests/test.h"

#define DRAWS 16
#define TRIALS 6
#define SUBSPACE_MOST 4000 /* designs of a trial */

static struct model_fixture fixture;

static struct dse_profile *measure(const struct dse_executor *executor)
{
    struct dse_dataset *data = made_data(executor, 1);
    struct dse_setting setting = made_setting(executor, data);
    struct dse_run run = {.seed = 5, .jobs = 2};
    struct dse_workload work = {0};
    struct dse_profile *profile = dse_profile_create(executor->family, "made", data->hash, "0", "test");
    assert_non_null(profile);
    OK(executor->profile(data, &setting, &run, &work, &why));
    OK(dse_profile_take_workload(profile, &work, &why));
    dse_setting_free(&setting);
    dse_dataset_free(data);
    return profile;
}

static void for_every_family(void (*check)(void))
{
    size_t count = 0;
    const struct dse_model_family *const *families = dse_model_families(&count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        const struct dse_executor *executor = dse_executor_find(families[i]->name);
        if (executor == NULL) {
            print_message("%s has models alone: no workload is measured\n", families[i]->name);
            continue;
        }
        model_fixture_open(&fixture, families[i]->board, measure(executor));
        check();
        model_fixture_close(&fixture);
    }
}

/* Every shipped profile, on the given board or its family's. */
static void for_every_profile(const char *board, void (*check)(void))
{
    char **names = NULL;
    size_t count = 0;
    OK(dse_profile_names("*", &names, &count, &why));
    for (size_t i = 0; i < count; i++) {
        struct dse_profile *profile = NULL;
        OK(dse_profile_open(names[i], &profile, &why));
        model_fixture_open(&fixture, board != NULL ? board : dse_model_find(profile->family)->board, profile);
        check();
        model_fixture_close(&fixture);
    }
    dse_share_names_free(names, count);
}

static void draw(uint64_t index, struct dse_config *config)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 29, index);
    dse_space_default(fixture.space, config);
    dse_space_draw(fixture.space, dse_bits_all(), &rng, config);
    /* Also draws knobs that the publication fixes. */
    for (size_t k = 0; k < fixture.space->count; k++)
        if (fixture.space->knobs[k].domain_count == 1 && fixture.space->knobs[k].type == DSE_KNOB_CHOICE)
            config->value[k] = (int64_t)dse_rng_below(&rng, fixture.space->knobs[k].choice_count);
    dse_config_canonical(fixture.space, config);
}

/* Changing a knob that a block does not declare changes nothing in it. */
static void check_reads_of(const struct dse_model_family *family)
{
    struct dse_setup setup = fixture.setup;
    const struct check_designs designs = {.setup = &setup, .draw = draw, .count = DRAWS};
    setup.family = family;
    for (size_t b = 0; b < family->block_count; b++) {
        dse_knob_set hidden = dse_bits_without(check_dependence(&designs, b), family->blocks[b].reads);
        for (size_t k = 0; k < fixture.space->count; k++)
            if (dse_bits_has(hidden, k))
                fail_msg("%s: the block %s depends on %s, which it does not declare", family->name, family->blocks[b].name,
                         fixture.space->knobs[k].name);
    }
}

static void check_reads(void)
{
    const struct dse_model_family *family = fixture.setup.family;
    check_reads_of(family);
    if (family->in_rtl != NULL && family->in_rtl != family)
        check_reads_of(family->in_rtl);
}

TEST(test_reads)
{
    for_every_family(check_reads);
}

static void check_design(const struct dse_config *config, size_t *built)
{
    struct dse_estimate estimate;
    struct dse_error err = {0};
    enum dse_status status = dse_estimate_built(&fixture.setup, config, &estimate, &err);
    if (status != DSE_OK) {
        if (status != DSE_ANSWER_NO || err.message[0] == '\0')
            fail_msg("%s: a design within its bounds fails with %d: %s", fixture.setup.family->name, (int)status, err.message);
        return;
    }
    ++*built;
    for (int m = 0; m < DSE_METRIC_QUALITY; m++) {
        double value = estimate.metrics[m];
        if (!isfinite(value) || value < 0.0)
            fail_msg("%s: %s is %g", fixture.setup.family->name, dse_metrics[m].name, value);
        if (dse_metrics[m].higher_is_better || dse_metric_is_power((enum dse_metric)m, NULL))
            continue;
        if (!(estimate.low[m] <= value * (1.0 + 1e-9) && value <= estimate.high[m] * (1.0 + 1e-9)))
            fail_msg("%s: %s is %g, in a band from %g to %g", fixture.setup.family->name, dse_metrics[m].name, value,
                     estimate.low[m], estimate.high[m]);
    }
    double stages = 0.0;
    for (size_t s = 0; s < fixture.setup.family->stage_count; s++)
        stages += estimate.stages[s].latency_s;
    assert_true(fabs(stages - estimate.metrics[DSE_METRIC_LATENCY]) <= 1e-9 * stages);
    assert_true(estimate.metrics[DSE_METRIC_LATENCY] > 0.0);
    assert_true(estimate.metrics[DSE_METRIC_LUT] > 0.0 && estimate.metrics[DSE_METRIC_FF] > 0.0);
}

/* Drawn designs, and all at the ends of their knobs' bounds, have finite numbers in bands, or a reason why they cannot be built. */
static void check_bounds(void)
{
    size_t built = 0;
    struct dse_config config;
    for (uint64_t i = 0; i < 4 * DRAWS; i++) {
        draw(i, &config);
        check_design(&config, &built);
    }
    dse_space_default(fixture.space, &config);
    size_t before = built;
    check_design(&config, &built);
    if (built == before)
        fail_msg("%s: the defaults of its knobs cannot be built on its board", fixture.setup.family->name);
    for (int end = 0; end < 2; end++)
        for (size_t k = 0; k < fixture.space->count; k++) {
            const struct dse_knob *knob = &fixture.space->knobs[k];
            dse_space_default(fixture.space, &config);
            config.value[k] = knob->type == DSE_KNOB_CHOICE ? (end == 0 ? 0 : (int64_t)knob->choice_count - 1)
                              : end == 0                    ? knob->minimum
                                                            : knob->maximum;
            check_design(&config, &built);
        }
    for (int end = 0; end < 2; end++) {
        dse_space_default(fixture.space, &config);
        for (size_t k = 0; k < fixture.space->count; k++)
            if (fixture.space->knobs[k].type != DSE_KNOB_CHOICE)
                config.value[k] = end == 0 ? fixture.space->knobs[k].minimum : fixture.space->knobs[k].maximum;
        check_design(&config, &built);
    }
    assert_true(built > DRAWS);
}

TEST(test_bounds)
{
    for_every_family(check_bounds);
}

/* ---- ranges of numbers ---- */

#define CORNERS 120 /* designs with every knob at an end or at its default */

__extension__ typedef __int128 int128; /* [-Wpedantic] */

struct wide { /* sums of blocks, at full width */
    int128 busy[DSE_CASE_COUNT][DSE_STAGE_MAX], fill[DSE_CASE_COUNT][DSE_STAGE_MAX], bytes[DSE_CASE_COUNT][DSE_STAGE_MAX][DSE_MEMORY_MAX];
    int128 energy, idle, reruns, resources[DSE_RESOURCE_COUNT];
};

static void add_wide(const struct dse_accumulators *part, struct wide *sums)
{
    for (size_t i = 0; i < sizeof *part / sizeof(int64_t); i++)
        if (((const int64_t *)part)[i] < 0 || ((const int64_t *)part)[i] >= INT64_C(1) << 60)
            fail_msg("component %zu of a block is %lld", i, (long long)((const int64_t *)part)[i]);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
            sums->busy[c][s] = part->busy_cycles[c][s] > sums->busy[c][s] ? part->busy_cycles[c][s] : sums->busy[c][s];
            sums->fill[c][s] += part->fill_cycles[c][s];
            for (int m = 0; m < DSE_MEMORY_MAX; m++)
                sums->bytes[c][s][m] += part->bytes[c][s][m];
        }
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        sums->resources[r] += part->resources[r];
    sums->energy += part->energy_fj;
    sums->idle += part->idle_nw;
    sums->reruns += part->reruns;
}

#define POINTS 16

/* Means of a normal variable's sixteen quantile intervals, scaled to standard deviation 1: bounds by bisection of erfc, means by the density at the bounds. */
static void normal_points(long double out[POINTS])
{
    long double density[POINTS + 1] = {0.0L}, square = 0.0L;
    for (int i = 1; i < POINTS; i++) {
        long double low = -10.0L, high = 10.0L;
        for (int n = 0; n < 120; n++)
            *(0.5L * erfcl(-0.5L * (low + high) / sqrtl(2.0L)) < (long double)i / POINTS ? &low : &high) = 0.5L * (low + high);
        density[i] = expl(-0.5L * low * low) / sqrtl(2.0L * acosl(-1.0L));
    }
    for (int i = 0; i < POINTS; i++)
        square += (density[i] - density[i + 1]) * (density[i] - density[i + 1]) * POINTS;
    for (int i = 0; i < POINTS; i++)
        out[i] = POINTS * (density[i] - density[i + 1]) / sqrtl(square);
}

/* The mean of the longest step (docs/explanation/models.md), over all combinations of sixteen times per varying step. */
static long double longest_of(const struct dse_platform *p, int128 stage[DSE_CASE_COUNT][DSE_STAGE_MAX])
{
    long double y[POINTS], times[DSE_STAGE_MAX][POINTS], mean = 0.0L, fixed = 0.0L, z = 2.3263478740408408L;
    size_t varying = 0, all = 1;
    normal_points(y);
    for (size_t k = 0; k < p->step_count; k++) {
        long double step[DSE_CASE_COUNT] = {0.0L}, total = 0.0L;
        for (int c = 0; c < DSE_CASE_COUNT; c++)
            for (size_t s = 0; s < DSE_STAGE_MAX; s++)
                step[c] += (p->steps[k] >> s & 1) != 0 ? (long double)stage[c][s] : 0.0L;
        if (p->extra_fs[k] == 0 || step[DSE_CASE_TAIL] <= step[DSE_CASE_MEAN] || step[DSE_CASE_MEAN] == 0.0L) {
            fixed = fmaxl(fixed, step[DSE_CASE_MEAN] + (long double)p->extra_fs[k]);
            continue;
        }
        long double under = z * z - 2.0L * logl(step[DSE_CASE_TAIL] / step[DSE_CASE_MEAN]), sigma = fminl(z - (under > 0.0L ? sqrtl(under) : 0.0L), 1.75L);
        for (int i = 0; i < POINTS; i++)
            total += expl(sigma * y[i]) / POINTS;
        for (int i = 0; i < POINTS; i++)
            times[varying][i] = step[DSE_CASE_MEAN] * expl(sigma * y[i]) / total + (long double)p->extra_fs[k];
        varying++;
        all *= POINTS;
    }
    for (size_t i = 0; i < all; i++) {
        long double longest = fixed;
        for (size_t k = 0, rest = i; k < varying; k++, rest /= POINTS)
            longest = fmaxl(longest, times[k][rest % POINTS]);
        mean += longest / (long double)all;
    }
    return mean;
}

static void derive_wide(const struct dse_platform *p, const struct wide *sums, long double out[DSE_METRIC_COUNT])
{
    int128 fs[DSE_CASE_COUNT] = {0}, bytes = 0, dram = 0, stage[DSE_CASE_COUNT][DSE_STAGE_MAX] = {{0}};
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        for (size_t s = 0; s < DSE_STAGE_MAX; s++) {
            int128 longest = sums->busy[c][s] * p->fs_per_cycle;
            for (int m = 0; m < DSE_MEMORY_MAX; m++) {
                longest = sums->bytes[c][s][m] * p->fs_per_byte[m] > longest ? sums->bytes[c][s][m] * p->fs_per_byte[m] : longest;
                bytes += c == DSE_CASE_MEAN ? sums->bytes[c][s][m] : 0;
                dram += c == DSE_CASE_MEAN ? sums->bytes[c][s][m] * p->dram_fj_per_byte[m] : 0;
            }
            fs[c] += longest + sums->fill[c][s] * p->fs_per_cycle;
            stage[c][s] = longest + sums->fill[c][s] * p->fs_per_cycle;
        }
    long double slowest = longest_of(p, stage);
    long double parts = (long double)p->parts, latency = (long double)fs[DSE_CASE_MEAN] * parts * 1e-15L;
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        out[m] = dse_metrics[m].resource >= 0 ? (long double)(sums->resources[dse_metrics[m].resource] * p->units) : -1.0L;
    out[DSE_METRIC_LATENCY] = latency;
    out[DSE_METRIC_LATENCY_P99] = (long double)fs[DSE_CASE_TAIL] * parts * 1e-15L;
    int128 host = (1 + sums->reruns) * p->host_fs, dynamic[] = {sums->energy, sums->energy + dram};
    for (int s = 0; s < DSE_STAGE_MAX; s++)
        for (int m = 0; m < DSE_MEMORY_MAX; m++)
            host += (p->host_stages >> s & 1) != 0 ? sums->bytes[DSE_CASE_MEAN][s][m] * p->host_fs_per_byte : 0;
    const long double interval = p->step_count > 0 ? slowest * parts * 1e-15L : latency, waits = (long double)host * parts * 1e-15L;
    long double ahead = 0; /* by the host's processor too */
    for (size_t s = 0; s < DSE_STAGE_MAX; s++)
        ahead += (p->prepare_stages >> s & 1) != 0 ? (long double)stage[DSE_CASE_MEAN][s] * parts * 1e-15L : 0.0L;
    const long double drained = (long double)p->drain * fmaxl(latency - ahead - interval, 0.0L); /* the last item of a start leaves the pipeline alone */
    long double delivery = p->streams ? interval + drained + (p->waits ? (long double)p->host_fs * parts * 1e-15L : 0.0L) : latency + waits;
    const long double memory = bytes > 0 ? (long double)p->units * (long double)bytes * parts / (long double)p->bytes_per_s : 0.0L;
    delivery = fmaxl(fmaxl(delivery, (long double)p->units * (waits + ahead)), memory); /* the host serves the units one after another, and so do the memories */
    const long double times[] = {fmaxl(fmaxl(interval, memory), p->step_count > 0 ? (long double)p->units * ahead : 0.0L), delivery};
    for (int b = 0; b < DSE_BOUNDARY_COUNT; b++) {
        out[dse_energy_metrics[b]] = (long double)dynamic[b] * parts * 1e-15L +
                                     ((long double)p->still_nw[b] / (long double)p->units + (long double)sums->idle) * 1e-9L * times[b];
        out[dse_power_metrics[b]] = (long double)p->units * out[dse_energy_metrics[b]] / times[b];
    }
    out[DSE_METRIC_ENERGY_SYSTEM] *= (long double)p->units / (long double)p->at_once;
    const long double next = p->streams && p->step_count > 0 ? interval + ahead : latency; /* all items are written, then the accelerator starts */
    out[DSE_METRIC_LATENCY_SYSTEM] = (long double)p->batch * waits + latency + (long double)(p->batch - 1.0) * next;
    out[DSE_METRIC_THROUGHPUT] = (long double)p->at_once / times[DSE_BOUNDARY_KERNEL];
    out[DSE_METRIC_THROUGHPUT_SYSTEM] = (long double)p->at_once / delivery;
    out[DSE_METRIC_DRAM_ENERGY] = (long double)dram * parts * 1e-15L;
    out[DSE_METRIC_DDR_BYTES] = (long double)bytes * parts;
}

/* A design is rejected with a reason, or its metrics equal those computed with wider sums, which cannot overflow. */
static void check_range_of(const struct dse_config *config, const void *work, size_t *built)
{
    struct dse_estimate estimate;
    struct wide sums = {0};
    long double expected[DSE_METRIC_COUNT];
    OK(dse_estimate_make(&fixture.setup, config, &estimate, &why));
    if (estimate.rejection.rejected) {
        assert_true(estimate.rejection.reason[0] != '\0');
        return;
    }
    ++*built;
    struct dse_rejection rejection = {0};
    struct dse_context context = {.board = fixture.board, .costs = fixture.costs, .work = work, .rejection = &rejection};
    for (size_t b = 0; b < fixture.setup.family->block_count; b++) {
        struct dse_accumulators part;
        OK(dse_block_cost(fixture.setup.family, b, &context, &estimate.config, &part, &why));
        assert_false(rejection.rejected);
        add_wide(&part, &sums);
    }
    derive_wide(&estimate.platform, &sums, expected);
    for (int m = 0; m < DSE_METRIC_QUALITY; m++) {
        if (!(estimate.metrics[m] >= 0.0))
            fail_msg("%s: %s is %g", fixture.setup.family->name, dse_metrics[m].name, estimate.metrics[m]);
        if (expected[m] >= 0.0L && !(fabsl(expected[m] - (long double)estimate.metrics[m]) <= 1e-12L * expected[m]))
            fail_msg("%s: %s is %.17g for %.17Lg", fixture.setup.family->name, dse_metrics[m].name, estimate.metrics[m], expected[m]);
    }
}

/* Energy per item is at most power / throughput, for any number of units; power is the sum of its parts. For the RTL every knob is drawn,
 * because it supports few settings, with one unit. */
static size_t taken_in_rtl;
static void check_power_of(const struct dse_model_family *family, bool in_rtl)
{
    size_t several = 0;
    for (uint64_t i = 0; i < (in_rtl ? 3000 : 300); i++) {
        struct dse_config config;
        struct dse_estimate e;
        struct dse_rng rng;
        dse_rng_seed(&rng, 53, i);
        dse_space_default(fixture.space, &config);
        for (size_t k = 0; k < fixture.space->count; k++) {
            const struct dse_knob *knob = &fixture.space->knobs[k];
            if ((knob->kind == DSE_KNOB_HARDWARE || in_rtl) && dse_rng_below(&rng, 2) == 0)
                config.value[k] = knob->domain[dse_rng_below(&rng, knob->domain_count)];
        }
        const struct dse_knob *units = &fixture.space->knobs[family->units_knob];
        config.value[family->units_knob] = in_rtl ? units->minimum : units->minimum + (int64_t)dse_rng_below(&rng, (uint64_t)(units->maximum - units->minimum + 1));
        dse_config_canonical(fixture.space, &config);
        struct dse_error problem = {0};
        enum dse_status status = dse_estimate_make(&fixture.setup, &config, &e, &problem);
        assert_true(status == DSE_OK || in_rtl); /* a setting that the workload lacks */
        if (status != DSE_OK || e.rejection.rejected)
            continue;
        several += e.platform.units > 1;
        taken_in_rtl += in_rtl;
        double items = (double)(e.platform.at_once / e.platform.units), watt = (double)e.platform.still_nw[DSE_BOUNDARY_KERNEL] * 1e-9;
        double paid = e.metrics[DSE_METRIC_ENERGY] / items * e.metrics[DSE_METRIC_THROUGHPUT];
        for (int t = 0; t < DSE_POWER_TERM_COUNT; t++)
            watt += e.term_w[DSE_BAND_NOMINAL][t];
        if (!(paid <= e.metrics[DSE_METRIC_POWER] * (1.0 + 1e-9)) || !(fabs(watt - e.metrics[DSE_METRIC_POWER]) <= 1e-6 * watt))
            fail_msg("%s with %lld units: energy times throughput %g W, parts %g W, power %g W", family->name, (long long)e.platform.units, paid,
                     watt, e.metrics[DSE_METRIC_POWER]);
    }
    assert_true(in_rtl || several > 20);
}

static void check_power(void)
{
    const struct dse_model_family *family = fixture.setup.family;
    check_power_of(family, false);
    if (family->in_rtl != NULL) {
        fixture.setup.family = family->in_rtl;
        check_power_of(family->in_rtl, true);
        fixture.setup.family = family;
    }
}

TEST(test_power)
{
    for_every_family(check_power);
    for_every_profile(NULL, check_power);
    print_message("%zu designs in RTL\n", taken_in_rtl);
    assert_true(taken_in_rtl > 50);
}

static int64_t end_of(const struct dse_knob *knob, size_t end)
{
    return end == 0 ? knob->fallback : end == 1 ? (knob->type == DSE_KNOB_CHOICE ? 0 : knob->minimum)
           : knob->type == DSE_KNOB_CHOICE ? (int64_t)knob->choice_count - 1 : knob->maximum;
}

static void check_range(void)
{
    size_t built = 0;
    void *work = NULL;
    struct dse_config config;
    OK(fixture.setup.family->prepare(fixture.setup.family, fixture.workload, &work, &why));
    for (uint64_t i = 0; i < CORNERS + 2 * fixture.space->count; i++) {
        struct dse_rng rng;
        dse_rng_seed(&rng, 47, i);
        dse_space_default(fixture.space, &config);
        if (i >= CORNERS) { /* one knob at an end of its bounds */
            const size_t k = (i - CORNERS) / 2;
            config.value[k] = end_of(&fixture.space->knobs[k], 1 + i % 2);
        }
        for (size_t k = 0; i < CORNERS && k < fixture.space->count; k++) /* few knobs at their bounds, or nearly all */
            if (dse_rng_below(&rng, CORNERS) < 10 + i)
                config.value[k] = end_of(&fixture.space->knobs[k], 1 + dse_rng_below(&rng, 2));
        dse_config_canonical(fixture.space, &config);
        check_range_of(&config, work, &built);
    }
    fixture.setup.family->release(work);
    assert_true(built > 2);
}

TEST(test_range)
{
    for_every_family(check_range);
    for_every_profile(NULL, check_range);
}

/* If a job grows with its passes, a hundred times the passes take a hundred times as long. Otherwise the value is rejected with the knob's name. */
static void check_passes(void)
{
    const struct dse_space *space = fixture.space;
    const int epochs = dse_space_find(space, "epochs"), task = dse_space_find(space, "task");
    double few[DSE_METRIC_COUNT] = {0};
    struct dse_error err = {0};
    struct dse_config config;
    dse_space_default(space, &config);
    if (epochs < 0 || task < 0 || space->knobs[epochs].shapes_work || dse_config_set(space, &config, "task", "fit", &err) != DSE_OK)
        return;
    for (int64_t passes = 100; passes <= space->knobs[epochs].maximum; passes *= 100) {
        struct dse_estimate estimate;
        config.value[epochs] = passes;
        OK(dse_estimate_make(&fixture.setup, &config, &estimate, &why));
        if (estimate.rejection.rejected && strstr(estimate.rejection.reason, "epochs=") != NULL)
            return;
        assert_false(estimate.rejection.rejected);
        static const enum dse_metric grow[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_DRAM_ENERGY, DSE_METRIC_DDR_BYTES, DSE_METRIC_CYCLES};
        for (size_t i = 0; i < sizeof grow / sizeof *grow; i++) {
            double more = estimate.metrics[grow[i]];
            if (passes > 100 && fabs(more / few[grow[i]] - 100.0) > 0.01)
                fail_msg("%s: %s is %g for 100 times %g", fixture.setup.family->name, dse_metrics[grow[i]].name, more, few[grow[i]]);
            few[grow[i]] = more;
        }
    }
}

TEST(test_passes)
{
    for_every_profile(NULL, check_passes);
}

/* ---- a higher clock, wider engines ---- */

#define RAISED 150 /* designs of a profile and board */

/* A larger numeric hardware knob should not make a design slower. Each exception, with its bound, is a row of the table "Where more is slower" on the
 * family's page. With a stage, the bound is a share of the stage's time per unit of the increase relative to `of`, a knob or a number of the workload. */
static const struct {
    const char *family, *knob;
    double slower;
    const char *where, *stage, *of;
} raised[] = {
    {"nysx", "clock_mhz", .slower = 0.3},
    {"nysx", "lshu.pe", .slower = 0.01},
    {"nysx", "mphe.lookups", .slower = 0.02},
    {"nysx", "hue.pe", .slower = 0.01},
    {"nysx", "kse.pe", .slower = 1.0, .where = "place.h=ddr", .stage = "similarity", .of = "kse.pe"},
    {"nysx", "nee.lanes", .slower = 0.5, .where = "nee.form=factored"},
    {"nysx", "nee.ports", .slower = 0.003},
    {"nysx", "nee.port_bits", .slower = 0.003},
    {"nysx", "nee.memory", .slower = INFINITY}, /* the number of a memory */
    {"hydraf", "clock_mhz", .slower = 0.46, .where = "precision=fp32"},
    {"hydraf", "clock_mhz", .slower = 0.3},
    {"hydraf", "chunk", .slower = 1.0, .where = "systolic.pipelined=no", .stage = "compare", .of = "dim"},
    {"hydraf", "chunk", .slower = 0.03},
    {"hydraf", "encoder.features", .slower = 0.05},
    {"smgpu", "noc.mesh", .slower = 0.003},
    {"smgpu", "hd.banks", .slower = 0.003}, /* levels of the rotation and of the population count */
    {"hdreason", "memorise.ips", .slower = 0.015},
    {"hdreason", "score.lanes", .slower = 1e-4}, /* one more level of a tree */
    {"hdreason", "memorise.lanes", .slower = 0.015},
    {"hdreason", "train.chunk", .slower = 2.0, .stage = "train", .of = "entities"},
};

#define ROWS (sizeof raised / sizeof *raised)

/* Over all draws: the number of raised knobs, and per row the number of slower designs and the largest slow-down. */
static struct {
    size_t designs, raises, slower[ROWS];
    double most[ROWS];
} seen;

static bool has_value(const struct dse_config *config, const char *assignment)
{
    struct dse_config same = *config;
    if (assignment != NULL)
        OK(dse_config_assign(fixture.space, &same, assignment, &why));
    return memcmp(&same, config, sizeof same) == 0;
}

/* The next value of a knob's domain, or the value itself. */
static int64_t next_value(const struct dse_knob *knob, int64_t value)
{
    int64_t next = value;
    for (size_t v = 0; v < knob->domain_count; v++)
        if (knob->domain[v] > value && (next == value || knob->domain[v] < next))
            next = knob->domain[v];
    return next;
}

/* A stage's share of the latency over a knob's value, or over the workload's number of something. */
static double share_of_each(const struct dse_estimate *estimate, const char *stage, const char *of)
{
    const struct dse_model_family *family = fixture.setup.family;
    const struct dse_series *series = NULL;
    const int k = dse_space_find(fixture.space, of);
    size_t s = 0;
    while (s < family->stage_count && strcmp(family->stages[s], stage) != 0)
        s++;
    assert_true(s < family->stage_count);
    if (k < 0)
        OK(dse_workload_need(fixture.workload, of, 1, 1, &series, &why));
    return estimate->stages[s].latency_s / estimate->metrics[DSE_METRIC_LATENCY] / (k < 0 ? series->values[0] : (double)estimate->config.value[k]);
}

/* The row of a design's knob; ROWS: none. */
static size_t row_of(const struct dse_estimate *before, size_t k)
{
    size_t i = 0;
    while (i < ROWS && (strcmp(raised[i].family, fixture.setup.family->name) != 0 || strcmp(raised[i].knob, fixture.space->knobs[k].name) != 0 ||
                        !has_value(&before->config, raised[i].where)))
        i++;
    return i;
}

/* The allowed slow-down of the knob at `value` relative to this design. */
static double tolerance(const struct dse_estimate *before, size_t row, size_t k, int64_t value)
{
    if (row == ROWS)
        return 0.0;
    return raised[row].slower * (raised[row].stage == NULL ? 1.0 : (double)(value - before->config.value[k]) *
                                                                       share_of_each(before, raised[row].stage, raised[row].of));
}

static void raise_design(const struct dse_config *config, const struct dse_estimate *before)
{
    for (size_t k = 0; k < fixture.space->count; k++) {
        const struct dse_knob *knob = &fixture.space->knobs[k];
        struct dse_config more = *config;
        struct dse_estimate after;
        if (knob->type != DSE_KNOB_INTEGER || knob->kind != DSE_KNOB_HARDWARE || !dse_knob_active(fixture.space, config, k))
            continue;
        more.value[k] = next_value(knob, config->value[k]);
        OK(dse_estimate_make(&fixture.setup, &more, &after, &why));
        double ratio = after.metrics[DSE_METRIC_LATENCY] / before->metrics[DSE_METRIC_LATENCY];
        size_t row = row_of(before, k);
        bool slower = !after.rejection.rejected && ratio > 1.0 + 1e-9;
        seen.raises += !after.rejection.rejected && more.value[k] != config->value[k];
        if (slower && row < ROWS) {
            seen.slower[row]++;
            seen.most[row] = fmax(seen.most[row], ratio - 1.0);
        }
        if (slower && ratio > 1.0 + 1e-9 + tolerance(before, row, k, more.value[k]))
            fail_msg("%s on %s with %s: %s from %lld to %lld takes %g times as long", fixture.setup.family->name, fixture.board->name,
                     fixture.profile->dataset, knob->name, (long long)config->value[k], (long long)more.value[k], ratio);
    }
}

static void check_raised(void)
{
    const char *seed = getenv("NYSX_SEED"); /* other designs */
    for (uint64_t i = 0; i < RAISED; i++) {
        struct dse_config config;
        struct dse_estimate before;
        struct dse_rng rng;
        dse_rng_seed(&rng, seed != NULL ? (uint64_t)strtoull(seed, NULL, 10) : 977, i);
        dse_space_default(fixture.space, &config);
        dse_space_draw(fixture.space, dse_bits_without(dse_bits_all(), dse_knobs_shaping(fixture.setup.family->knobs)), &rng, &config);
        dse_config_canonical(fixture.space, &config);
        OK(dse_estimate_make(&fixture.setup, &config, &before, &why));
        if (before.rejection.rejected)
            continue;
        seen.designs++;
        raise_design(&config, &before);
    }
}

TEST(test_raised)
{
    static const char *const boards[] = {NULL, "u280", "pynq-z2"};
    for (size_t b = 0; b < sizeof boards / sizeof *boards; b++)
        for_every_profile(boards[b], check_raised);
    print_message("%zu designs, %zu knobs raised; slower:\n", seen.designs, seen.raises);
    for (size_t i = 0; i < ROWS; i++)
        print_message("%s %s %s: %zu, by %.3g %% at most\n", raised[i].family, raised[i].knob, raised[i].where != NULL ? raised[i].where : "", seen.slower[i],
                      100.0 * seen.most[i]);
}

/* Every value of a knob reads back as written, and other texts are rejected with the knob's name. */
static void check_words(void)
{
    for (size_t k = 0; k < fixture.space->count; k++) {
        const struct dse_knob *knob = &fixture.space->knobs[k];
        struct dse_error err = {0};
        for (size_t v = 0; v < check_value_count(knob); v++) {
            char text[64];
            int64_t read = -1, value = check_value_at(knob, v);
            OK(dse_knob_parse(knob, dse_knob_format(knob, value, text, sizeof text), &read, &why));
            assert_int_equal(read, value);
        }
        static const char *const nonsense[] = {"", "no-such-word", "--1", "1e9999", "99999999999999999999", "-1"};
        size_t count = sizeof nonsense / sizeof *nonsense - (knob->minimum < 0); /* some begin below -1 */
        for (size_t n = 0; n < count; n++) {
            int64_t read = 0;
            assert_int_equal(dse_knob_parse(knob, nonsense[n], &read, &err), DSE_BAD_USAGE);
            assert_non_null(strstr(err.message, knob->name));
        }
    }
}

TEST(test_words)
{
    for_every_family(check_words);
}

/* Executor and space agree on settings: a preset of the executor is a configuration of the space. */
static void check_shared_settings(void)
{
    const struct dse_executor *executor = dse_executor_find(fixture.setup.family->name);
    struct dse_dataset *data = made_data(executor, 1);
    struct dse_setting setting = {0};
    struct dse_config config;
    OK(dse_executor_preset(executor, "paper", data, 0, &setting, &why));
    dse_space_default(fixture.space, &config);
    for (size_t i = 0; i < setting.count; i++)
        if (dse_space_find(fixture.space, setting.pairs[i].name) >= 0)
            OK(dse_config_set(fixture.space, &config, setting.pairs[i].name, setting.pairs[i].value, &why));
    for (size_t k = 0; k < fixture.space->count; k++)
        if ((fixture.space->knobs[k].kind & DSE_KNOB_ALGORITHMIC) != 0 &&
            dse_setting_get(&setting, fixture.space->knobs[k].name) == NULL)
            fail_msg("%s: the algorithmic knob %s is no parameter of training", executor->family, fixture.space->knobs[k].name);
    dse_setting_free(&setting);
    dse_dataset_free(data);
}

TEST(test_shared_settings)
{
    for_every_family(check_shared_settings);
}

/* A random part of the family's hardware: each knob one value, then more for some while there is room. */
static struct dse_space *draw_space(uint64_t trial, uint64_t most, struct dse_question *question)
{
    struct dse_space *space = NULL;
    struct dse_rng rng;
    dse_rng_seed(&rng, 31, trial);
    OK(dse_model_space(fixture.setup.family, NULL, &space, &why));
    dse_space_default(space, &question->base);
    question->free = dse_bits_without(dse_space_of_kind(space, DSE_KNOB_HARDWARE), dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC));
    for (size_t k = 0; k < space->count; k++)
        dse_space_restrict(space, k, &question->base.value[k], 1);
    for (int tries = 0; tries < 30; tries++) {
        size_t k = dse_rng_below(&rng, space->count);
        const struct dse_knob *whole = &fixture.space->knobs[k];
        if (!dse_bits_has(question->free, k) || whole->domain_count < 2 || space->knobs[k].domain_count > 1)
            continue;
        dse_space_restrict(space, k, whole->domain, whole->domain_count);
        if (dse_space_size(space, question->free) > most)
            dse_space_restrict(space, k, &question->base.value[k], 1);
    }
    question->space = space;
    return space;
}

static void same_fronts(const struct dse_answer *a, const struct dse_answer *b, const char *what)
{
    bool same = a->front_count == b->front_count;
    for (size_t i = 0; same && i < a->front_count; i++)
        same = memcmp(a->front[i].metrics, b->front[i].metrics, sizeof(double) * DSE_METRIC_QUALITY) == 0;
    if (!same)
        fail_msg("%s: the fronts differ %s: %zu and %zu designs", fixture.setup.family->name, what, a->front_count, b->front_count);
}

/* The exact front equals that of the exhaustive visit, for any number of threads, and its figures equal the estimate's. */
static void check_search(void)
{
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct dse_question question = {.family = fixture.setup.family, .board = fixture.board, .costs = fixture.costs,
                                        .headroom = -1.0, .jobs = 1, .alternative_count = 1, .objective_count = 3,
                                        .objectives = {DSE_METRIC_LATENCY, trial % 2 == 0 ? DSE_METRIC_ENERGY : DSE_METRIC_THROUGHPUT,
                                                       trial % 3 == 0 ? DSE_METRIC_LUT : DSE_METRIC_BRAM18}};
        struct dse_space *space = draw_space(trial, SUBSPACE_MOST, &question);
        struct dse_alternative alternative = {question.base, fixture.workload, NAN};
        question.alternatives = &alternative;
        struct dse_answer one = {0}, many = {0}, all = {0};
        struct dse_error err = {0};
        enum dse_status status = dse_search_exact(&question, &one, &err);
        assert_int_equal(dse_search_exhaustive(&question, &all, &err), status);
        question.jobs = 3;
        assert_int_equal(dse_search_exact(&question, &many, &err), status);
        same_fronts(&one, &all, "from the visit's");
        same_fronts(&one, &many, "with the number of threads");
        for (size_t i = 0; i < one.front_count && i < 3; i++) {
            struct dse_estimate estimate;
            OK(dse_estimate_built(&fixture.setup, &one.front[i].config, &estimate, &why));
            assert_memory_equal(estimate.metrics, one.front[i].metrics, sizeof(double) * DSE_METRIC_QUALITY);
        }
        dse_answer_free(&one);
        dse_answer_free(&many);
        dse_answer_free(&all);
        dse_space_free(space);
    }
}

TEST(test_search)
{
    for_every_family(check_search);
}

/* The least value of a metric over designs with several numbers of units, by the estimate of every design of a subspace. */
static double least_of_all(const struct dse_question *question)
{
    const struct dse_space *space = question->space;
    size_t knobs[DSE_KNOB_MAX], digits[DSE_KNOB_MAX] = {0}, count = 0;
    struct dse_config config = question->base;
    struct dse_error err;
    double least = INFINITY;
    for (size_t k = 0; k < space->count; k++)
        if (dse_bits_has(question->free, k)) {
            config.value[k] = space->knobs[k].domain[0];
            knobs[count++] = k;
        }
    do {
        struct dse_config canonical = config;
        struct dse_estimate e;
        dse_config_canonical(space, &canonical);
        if (dse_estimate_built(&fixture.setup, &canonical, &e, &err) == DSE_OK && e.fits &&
            dse_limit_holds(&question->limits[0], e.metrics[question->limits[0].metric]))
            least = fmin(least, e.metrics[question->objectives[0]]);
    } while (dse_space_step(space, knobs, count, digits, &config));
    return least;
}

/* Energy and power of several units: exact search, visit, integer program and all estimates give the same least value. */
static void check_units(void)
{
    static const struct {
        enum dse_metric least;
        double share; /* required throughput, relative to the default design with one unit */
    } trials[] = {{DSE_METRIC_ENERGY, 1.5}, {DSE_METRIC_POWER, 1.5}, {DSE_METRIC_ENERGY, 0.1}, {DSE_METRIC_POWER, 0.1}};
    size_t compared = 0, units = fixture.setup.family->units_knob;
    for (uint64_t trial = 0; trial < sizeof trials / sizeof *trials; trial++) {
        struct dse_question question = {.family = fixture.setup.family, .board = fixture.board, .costs = fixture.costs, .headroom = -1.0,
                                        .jobs = 1, .alternative_count = 1, .objective_count = 1, .objectives = {trials[trial].least}};
        struct dse_space *space = draw_space(90 + trial, 600, &question);
        struct dse_alternative alternative = {question.base, fixture.workload, NAN};
        struct dse_estimate base;
        dse_space_restrict(space, units, (const int64_t[]){1, 2, 3}, 3);
        question.alternatives = &alternative;
        OK(dse_estimate_make(&fixture.setup, &question.base, &base, &why));
        question.limits[0] = dse_limit_of(DSE_METRIC_THROUGHPUT, true, trials[trial].share * base.metrics[DSE_METRIC_THROUGHPUT]);
        question.limit_count = 1;
        double least = least_of_all(&question);
        struct dse_answer exact = {0}, all = {0};
        struct dse_optimum optimum;
        struct dse_error err = {0};
        if (dse_search_exact(&question, &exact, &err) == DSE_OK && isfinite(least)) {
            OK(dse_search_exhaustive(&question, &all, &why));
            OK(dse_search_ilp(&question, NULL, &optimum, &why));
            const double found[] = {exact.front[0].metrics[trials[trial].least], all.front[0].metrics[trials[trial].least], optimum.objective};
            for (size_t i = 0; i < 3; i++)
                if (!(fabs(found[i] - least) <= 1e-9 * least))
                    fail_msg("%s, trial %d: least %s %.12g by %s, %.12g by every estimate", fixture.setup.family->name, (int)trial,
                             dse_metrics[trials[trial].least].name, found[i], (const char *const[]){"exact", "exhaustive", "ilp"}[i], least);
            compared++;
        }
        dse_answer_free(&exact);
        dse_answer_free(&all);
        dse_space_free(space);
    }
    assert_true(compared > 1);
}

TEST(test_units)
{
    for_every_family(check_units);
}

TESTS(NULL, NULL)
