/* The NysX blocks: they read only declared knobs, and change monotonically with hardware. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/nysx/executor/schedule.h"
#include "models/loops.h"
#include "models/nysx/nysx.h"
#include "tests/models/checks.h"
#include "tests/models/opened.h"
#include "tests/ok.h"
#include "tests/test.h"

#define DRAWS 60

static void draw(uint64_t index, struct dse_config *config)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 17, index);
    dse_space_default(fixture.space, config);
    dse_space_draw(fixture.space, dse_bits_all(), &rng, config);
    config->value[NYSX_OVERLAP] = (int64_t)(index % 4); /* sweeps have none */
}

static const struct check_designs designs = {.setup = &fixture.setup, .draw = draw, .count = DRAWS};

/* Changing a knob outside of a block's declaration changes nothing; changing one inside does somewhere. */
TEST(test_reads)
{
    const struct dse_model_family *family = fixture.setup.family;
    for (size_t b = 0; b < family->block_count; b++) {
        dse_knob_set seen = check_dependence(&designs, b);
        if (!dse_bits_within(seen, family->blocks[b].reads))
            fail_msg("%s depends on knobs that it does not declare: %llx", family->blocks[b].name,
                     (unsigned long long)dse_bits_without(seen, family->blocks[b].reads).word[0]);
        /* The workload represents the knobs that shape it, so these need not have an effect; nor need the clock, which affects a memory
         * only through its flip-flops. */
        dse_knob_set silent = dse_bits_without(dse_bits_without(family->blocks[b].reads, seen), dse_knobs_shaping(family->knobs));
        dse_bits_drop(&silent, NYSX_CLOCK_MHZ);
        for (size_t k = 0; k < fixture.space->count; k++)
            if (dse_bits_has(silent, k))
                fail_msg("%s declares %s, which changes nothing", family->blocks[b].name, fixture.space->knobs[k].name);
    }
}

/* A loop's contribution to its block's cycles: for a loop that runs ahead of another one only its depth, or nothing. */
static double adds(const struct dse_loop *loop, enum dse_case which)
{
    if (strcmp(loop->name, "nee_words") == 0) /* the port's block has the time of memory */
        return 0.0;
    if (strcmp(loop->name, "lshu_queue") == 0 || strcmp(loop->name, "nee_gather") == 0)
        return loop->entries[which] * loop->depth;
    return dse_loop_cycles(loop, which);
}

/* The recorded loops add up to the block's cycles, except for one cycle of the first pass and rounding. */
TEST(test_loops)
{
    const struct dse_model_family *family = fixture.setup.family;
    int checked = 0;
    void *work;
    OK(family->prepare(family, fixture.setup.workload, &work, &why));
    for (uint64_t i = 0; i < 10 * DRAWS; i++) {
        struct dse_config config;
        struct dse_loops loops;
        draw(i, &config);
        dse_config_canonical(fixture.space, &config);
        OK(dse_loops_of(&fixture.setup, &config, &loops, &why));
        struct dse_rejection rejection = {0};
        const struct dse_context context = {.board = fixture.setup.board, .costs = fixture.setup.costs, .work = work,
                                            .rejection = &rejection};
        for (size_t b = 0; b < family->block_count && loops.count > 0; b++) {
            struct dse_accumulators sums;
            OK(dse_block_cost(family, b, &context, &config, &sums, &why));
            bool elsewhere = strcmp(family->blocks[b].name, "query") == 0 && config.value[NYSX_LSHU_BALANCE] == NYSX_BALANCE_PS;
            elsewhere |= strcmp(family->blocks[b].name, "kse") == 0 && config.value[NYSX_PLACE_H] == NYSX_PLACE_DDR;
            for (int c = 0; c < DSE_CASE_COUNT && !elsewhere; c++) {
                double counted = 0.0, summed = 0.0;
                for (size_t l = 0; l < loops.count; l++)
                    counted += loops.loop[l].block == b ? adds(&loops.loop[l], (enum dse_case)c) : 0.0;
                for (size_t k = 0; k < family->stage_count; k++)
                    summed += (double)(sums.busy_cycles[c][k] + sums.fill_cycles[c][k]);
                checked += counted > 0.0;
                double rounding = strcmp(family->blocks[b].name, "lshu") == 0 ? 2.1 : 1.1; /* half a cycle per figure; one cycle of the first pass */
                if (counted > 0.0 && fabs(counted - summed) > rounding)
                    fail_msg("draw %llu, %s: loops make %.2f cycles, the block sums %.2f", (unsigned long long)i,
                             family->blocks[b].name, counted, summed);
            }
        }
        dse_loops_free(&loops);
    }
    family->release(work);
    assert_true(checked > 1000);
}

/* Whether the knob alone changes a metric of some drawn design. */
static bool changes_a_metric(const struct dse_setup *setup, size_t k)
{
    const struct dse_knob *knob = &setup->space->knobs[k];
    for (uint64_t i = 0; i < DRAWS; i++) {
        struct dse_config config;
        struct dse_estimate a, b;
        struct dse_error err;
        draw(i, &config);
        if (dse_estimate_built(setup, &config, &a, &err) != DSE_OK)
            continue;
        for (size_t v = 0; v < check_value_count(knob); v++) {
            struct dse_config changed = config;
            changed.value[k] = check_value_at(knob, v);
            if (dse_estimate_built(setup, &changed, &b, &err) == DSE_OK &&
                memcmp(a.metrics, b.metrics, sizeof(double) * DSE_METRIC_QUALITY) != 0)
                return true;
        }
    }
    return false;
}

/* Every hardware knob has an effect: two designs that differ only in this knob differ in a metric, on the paper's board or on one with two
 * memories. */
TEST(test_every_hardware_knob_changes_a_metric)
{
    struct model_fixture two_memories;
    nysx_fixture_open(&two_memories, "u280");
    struct dse_setup rtl = fixture.setup; /* which has a queue */
    rtl.family = fixture.setup.family->in_rtl;
    for (size_t k = 0; k < fixture.space->count; k++) {
        bool hardware = (fixture.space->knobs[k].kind & DSE_KNOB_HARDWARE) != 0;
        if (hardware && !changes_a_metric(&fixture.setup, k) && !changes_a_metric(&two_memories.setup, k) && !changes_a_metric(&rtl, k))
            fail_msg("the knob %s changes no metric", fixture.space->knobs[k].name);
    }
    model_fixture_close(&two_memories);
}

/* Where physics requires it, a larger knob moves a metric in one direction only. */
static const struct check_direction monotone[] = {
    {NYSX_NEE_PORT_BITS, DSE_METRIC_LATENCY, false}, {NYSX_NEE_PORTS, DSE_METRIC_LATENCY, false},
    {NYSX_NEE_OUTSTANDING, DSE_METRIC_LATENCY, false}, {NYSX_NEE_FIFO_DEPTH, DSE_METRIC_LATENCY, false},
    {NYSX_DIM, DSE_METRIC_DDR_BYTES, true},          {NYSX_DIM, DSE_METRIC_LATENCY, true},
    {NYSX_KSE_PE, DSE_METRIC_LATENCY, false},        {NYSX_LSHU_PE, DSE_METRIC_LATENCY, false},
    {NYSX_KSE_PE, DSE_METRIC_DSP, true},             {NYSX_KSE_PE, DSE_METRIC_LUT, true},
    {NYSX_LSHU_PE, DSE_METRIC_DSP, true},            {NYSX_UNITS, DSE_METRIC_LUT, true},
    {NYSX_UNITS, DSE_METRIC_THROUGHPUT, true},       {NYSX_HUE_PE, DSE_METRIC_BRAM18, true},
    {NYSX_CAPACITY, DSE_METRIC_BRAM18, true},        {NYSX_NEE_LANES, DSE_METRIC_DSP, true},
};

TEST(test_monotone)
{
    check_directions(&designs, monotone, sizeof monotone / sizeof *monotone);
}

/* The ends of a band lie below and above the nominal value. */
TEST(test_bands)
{
    static const enum dse_metric banded[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_BRAM18,
                                             DSE_METRIC_DSP,     DSE_METRIC_LUT,    DSE_METRIC_FF};
    for (uint64_t i = 0; i < DRAWS; i++) {
        struct dse_config config;
        struct dse_estimate estimate;
        struct dse_error err;
        draw(i, &config);
        if (dse_estimate_built(&fixture.setup, &config, &estimate, &err) != DSE_OK)
            continue;
        for (size_t m = 0; m < sizeof banded / sizeof *banded; m++) {
            assert_true(estimate.low[banded[m]] <= estimate.metrics[banded[m]]);
            assert_true(estimate.high[banded[m]] >= estimate.metrics[banded[m]]);
        }
        assert_true(estimate.low[DSE_METRIC_LUT] < estimate.high[DSE_METRIC_LUT]);
        double watt = (double)estimate.platform.still_nw[DSE_BOUNDARY_KERNEL] * 1e-9; /* the parts of the power add up */
        for (int t = 0; t < DSE_POWER_TERM_COUNT; t++) {
            watt += estimate.term_w[DSE_BAND_NOMINAL][t];
            assert_true(estimate.term_w[DSE_BAND_LOW][t] <= estimate.term_w[DSE_BAND_NOMINAL][t] * (1.0 + 1e-9));
            assert_true(estimate.term_w[DSE_BAND_NOMINAL][t] <= estimate.term_w[DSE_BAND_HIGH][t] * (1.0 + 1e-9));
        }
        assert_true(fabs(watt - estimate.metrics[DSE_METRIC_POWER]) < 1e-6 * watt);
    }
}

/* The streamed product of the published design by hand: 10000 rows of 60 landmarks on 16 lanes, and its bytes. */
TEST(test_projection_by_hand)
{
    struct dse_config config;
    struct dse_estimate estimate;
    dse_space_default(fixture.space, &config);
    OK(dse_estimate_built(&fixture.setup, &config, &estimate, &why));
    assert_int_equal(estimate.sums.bytes[DSE_CASE_MEAN][NYSX_STAGE_ENCODE][0], 10000 * 60 * 4);
    /* One 128-bit HP port at 300 MHz brings at most 4.8 GB/s for any requested width. */
    double least = 10000.0 * 60 * 4 / 4.8e9;
    assert_true(estimate.stages[NYSX_STAGE_ENCODE].latency_s >= least);
    assert_true(estimate.stages[NYSX_STAGE_ENCODE].latency_s <= 1.1 * least);
    config.value[NYSX_NEE_FORM] = NYSX_RESIDENT;
    OK(dse_estimate_built(&fixture.setup, &config, &estimate, &why));
    assert_int_equal(estimate.sums.bytes[DSE_CASE_MEAN][NYSX_STAGE_ENCODE][0], 0);
    int64_t cycles = estimate.sums.busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_ENCODE];
    assert_true(cycles >= 60 + 10000 * 60 / 16 && cycles <= 60 + 10240 * 60 / 16);
}

/* The board's DRAM takes 20 pJ per bit: 160 pJ per byte, with half and twice of it as its band. A design that takes exactly what a
 * resource has fits. */
TEST(test_platform_by_hand)
{
    struct dse_config config;
    struct dse_estimate estimate;
    dse_space_default(fixture.space, &config);
    OK(dse_estimate_built(&fixture.setup, &config, &estimate, &why));
    double bytes = estimate.metrics[DSE_METRIC_DDR_BYTES];
    assert_true(bytes > 10000.0 * 60.0 * 4.0);
    assert_true(fabs(estimate.metrics[DSE_METRIC_DRAM_ENERGY] - bytes * 160e-12) < 1e-9 * bytes * 160e-12);
    assert_true(fabs(estimate.low[DSE_METRIC_DRAM_ENERGY] - bytes * 80e-12) < 1e-9 * bytes * 80e-12);
    assert_true(fabs(estimate.high[DSE_METRIC_DRAM_ENERGY] - bytes * 320e-12) < 1e-9 * bytes * 320e-12);
    int worst = 0;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        estimate.sums.resources[r] = estimate.platform.capped[r];
    assert_true(dse_fits(&estimate.platform, &estimate.sums, &worst));
    assert_int_equal(worst, -1);
    estimate.sums.resources[DSE_DSP]++;
    assert_false(dse_fits(&estimate.platform, &estimate.sums, &worst));
    assert_int_equal(worst, DSE_DSP);
}

/* The largest values that may be set by hand cause no overflow. */
TEST(test_corner)
{
    struct dse_config config;
    struct dse_estimate estimate;
    dse_space_default(fixture.space, &config);
    for (size_t k = 0; k < fixture.space->count; k++)
        if (fixture.space->knobs[k].type != DSE_KNOB_CHOICE)
            config.value[k] = fixture.space->knobs[k].maximum;
    config.value[NYSX_NEE_MEMORY] = 1;
    config.value[NYSX_NEE_PORTS] = 1;
    OK(dse_estimate_built(&fixture.setup, &config, &estimate, &why));
    for (int m = 0; m < DSE_METRIC_QUALITY; m++)
        assert_true(isfinite(estimate.metrics[m]) && estimate.metrics[m] >= 0.0);
}

/* Operations of the made-up workload, counted by hand: 60 landmarks, 1580 non-zeros of H, 10,000 dimensions, 3 classes; a
 * graph of 20 nodes and 44 non-zeros over 3 hops. */
TEST(test_operations_by_hand)
{
    struct dse_config config;
    struct dse_estimate estimate;
    dse_space_default(fixture.space, &config);
    OK(dse_estimate_built(&fixture.setup, &config, &estimate, &why));
    int64_t fp32 = 2 * 10000 * 60 + 3 * (44 + 20) + 3 * 3 * 20 + 3;
    assert_int_equal(config.value[NYSX_PROPAGATION], NYSX_PROPAGATION_ROW_NORMALISED);
    assert_int_equal(config.value[NYSX_CODES], NYSX_CODES_SCALAR);
    assert_int_equal(estimate.sums.operations[DSE_FP32], fp32);
    assert_int_equal(estimate.sums.operations[DSE_BINARY], 2 * 10000 * 3);
    /* 7, 610 and 2400 bins in whole words of two. */
    int64_t merged = (8 + 610 + 2400) * (config.value[NYSX_HUE_PE] - 1);
    assert_int_equal(estimate.sums.operations[DSE_INT16], 2 * 1580 + llround(20 + 18.5 + 14 + (double)merged));
    assert_true(estimate.sums.on_chip_bytes > 0);
    config.value[NYSX_NEE_PRECISION] = 4; /* int8 */
    OK(dse_estimate_built(&fixture.setup, &config, &estimate, &why));
    assert_int_equal(estimate.sums.operations[DSE_INT8], 2 * 10000 * 60);
}

TEST(test_missing_series)
{
    struct dse_error err;
    void *work = NULL;
    struct dse_workload empty = {0};
    assert_int_equal(fixture.setup.family->prepare(fixture.setup.family, &empty, &work, &err), DSE_BAD_INPUT);
    assert_null(work);
    assert_string_equal(err.message, "the workload has no series \"classes\"");
}

/* The tail is the 99th percentile over the sample by the nearest rank: of 200 graphs with 1 to 200 nodes that of 198. */
TEST(test_tail_is_the_nearest_rank)
{
    enum { SAMPLE = 200 };
    struct model_fixture made;
    void *prepared = NULL;
    double values[SAMPLE];
    nysx_fixture_open(&made, "zcu104");
    struct dse_workload *work = &made.profile->workloads[0];
    for (size_t i = 0; i < SAMPLE; i++)
        values[i] = 1.0 + (double)((i * 7) % SAMPLE); /* unordered */
    struct dse_workload larger = {0};
    for (size_t s = 0; s < work->series_count; s++) {
        const struct dse_series *series = &work->series[s];
        if (strcmp(series->name, "sample.nodes") == 0)
            OK(dse_workload_add_series(&larger, series->name, SAMPLE, 1, values, &why));
        else
            OK(dse_workload_add_series(&larger, series->name, series->rows, series->columns, series->values, &why));
    }
    OK(made.setup.family->prepare(made.setup.family, &larger, &prepared, &why));
    const struct nysx_work *read = prepared;
    assert_true(read->nodes[DSE_CASE_TAIL] == 198.0);
    assert_true(read->trips[DSE_CASE_TAIL][2] == 50.0); /* trips of 4 PEs */
    made.setup.family->release(prepared);
    dse_workload_clear(&larger);
    model_fixture_close(&made);
}

/* A word of codes per cycle: a thousand words of a hop take a thousand cycles and the pipeline's depth, for any contents. */
TEST(test_lookup_words)
{
    void *made = NULL;
    struct dse_config config;
    struct dse_accumulators sums;
    OK(fixture.setup.family->prepare(fixture.setup.family, fixture.workload, &made, &why));
    struct nysx_work *work = made;
    struct dse_rejection none = {0};
    struct dse_context context = {.board = fixture.board, .costs = fixture.costs, .work = work, .rejection = &none};
    dse_space_default(fixture.space, &config);
    for (int k = 0; k <= NYSX_BANKINGS; k++) {
        work->trips[DSE_CASE_MEAN][k] = 1000.0;
        config.value[NYSX_MPHE_LOOKUPS] = (int64_t)1 << k;
        OK(nysx_cost_mphe(&context, &config, memset(&sums, 0, sizeof sums), &why));
        assert_int_equal(sums.busy_cycles[DSE_CASE_MEAN][NYSX_STAGE_LOOKUP], 1000 * work->hops);
        assert_in_range(sums.fill_cycles[DSE_CASE_MEAN][NYSX_STAGE_LOOKUP], 20 * work->hops, 50 * work->hops);
    }
    fixture.setup.family->release(made);
}

/* The RTL has a unit for LSH codes per stream of the LSHU, not per lane: three more streams take three more units. */
TEST(test_code_units)
{
    void *work = NULL;
    double lut[2];
    struct dse_config config;
    struct dse_accumulators sums;
    struct dse_rejection none = {0};
    OK(fixture.setup.family->prepare(fixture.setup.family, fixture.workload, &work, &why));
    const struct dse_context context = {.board = fixture.board, .costs = fixture.costs, .work = work, .rejection = &none};
    dse_space_default(fixture.space, &config);
    config.value[NYSX_CODES] = NYSX_CODES_SCALAR;
    config.value[NYSX_MPHE_LOOKUPS] = 4;
    for (int k = 0; k < 2; k++) {
        config.value[NYSX_LSHU_PE] = k == 0 ? 1 : 4;
        OK(nysx_rtl_cost_mphe(&context, &config, memset(&sums, 0, sizeof sums), &why));
        lut[k] = (double)sums.resources[DSE_LUT];
    }
    assert_true(lut[1] - lut[0] > 3 * 1300.0 && lut[1] - lut[0] < 3 * 1800.0);
    fixture.setup.family->release(work);
}

/* Rounds in progress, by hand. There are one PE, rows of 3, 1 and 2 entries, and a ring of two contexts. Rows 0 and 1 start in cycles 0 and 1.
 * Row 2 follows row 1 in cycle 3. Both contexts are free again in cycles 6 and 7: nine cycles. Between the ring sizes of a profile
 * cycles are interpolated linearly. */
TEST(test_ring)
{
    static const int32_t counts[] = {3, 1, 2};
    assert_int_equal(nysx_schedule_ring(counts, 3, NULL, 1, 2), 9);
    assert_int_equal(nysx_schedule_ring(counts, 3, NULL, 4, 5), 3 * 5 + 2);
    assert_int_equal(nysx_schedule_ring(counts, 0, NULL, 1, 2), 0);
    struct nysx_work work = {.hops = 2};
    work.ring[DSE_CASE_MEAN][1][2][0] = 40.0; /* a ring with 4 rows in progress */
    work.ring[DSE_CASE_MEAN][1][2][4] = 100.0;
    work.ring[DSE_CASE_MEAN][1][2][5] = 180.0; /* 8 and 12 */
    assert_true(nysx_ring_cycles(&work, DSE_CASE_MEAN, 1, 4, 4) == 40.0);
    assert_true(nysx_ring_cycles(&work, DSE_CASE_MEAN, 1, 4, 10) == 140.0);
    assert_true(nysx_ring_cycles(&work, DSE_CASE_MEAN, 1, 4, 14) == 220.0);
}

TESTS(open_fixture, close_fixture)
