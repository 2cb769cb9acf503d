/* The HyDRAF blocks: they read only declared knobs, change monotonically with hardware, and equal the paper's formulas. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/hydraf/hydraf.h"
#include "search/question.h"
#include "search/search.h"
#include "tests/models/checks.h"
#include "tests/models/fixture.h"
#include "tests/test.h"

#define DRAWS 60
#define FEATURES 5
#define SAMPLES 1203
#define ITERATIONS 64 /* an iteration in each part of a training */

static struct model_fixture fixture;

static void add(struct dse_workload *work, const char *name, double value)
{
    struct dse_error err;
    assert_int_equal(dse_workload_add_series(work, name, 1, 1, &value, &err), DSE_OK);
}

static int open_all(void **state)
{
    (void)state;
    struct dse_error err;
    struct dse_setting any = {0};
    struct dse_workload *work = NULL;
    struct dse_profile *profile = dse_profile_create("hydraf", "made-up", 1, "0", "test");
    assert_int_equal(dse_profile_add_workload(profile, &any, &work, &err), DSE_OK);
    add(work, "features", FEATURES);
    add(work, "samples", SAMPLES);
    add(work, "iterations", ITERATIONS);
    model_fixture_open(&fixture, "u200", profile);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    model_fixture_close(&fixture);
    return 0;
}

static void draw(uint64_t index, struct dse_config *config)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 23, index);
    dse_space_default(fixture.space, config);
    dse_space_draw(fixture.space, dse_bits_all(), &rng, config);
    config->value[HYDRAF_TASK] = (int64_t)(index % 3);
}

static const struct check_designs designs = {.setup = &fixture.setup, .draw = draw, .count = DRAWS, .all_built = true};

static void set(struct dse_config *config, const char *assignment)
{
    struct dse_error err;
    assert_int_equal(dse_config_assign(fixture.space, config, assignment, &err), DSE_OK);
}

static struct dse_estimate estimate(const struct dse_config *config)
{
    struct dse_estimate out;
    struct dse_error err;
    if (dse_estimate_built(&fixture.setup, config, &out, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return out;
}

static int64_t cycles(const struct dse_config *config)
{
    return (int64_t)estimate(config).metrics[DSE_METRIC_CYCLES];
}

/* Changing a knob outside of a block's declaration changes nothing; changing one inside does somewhere. */
TEST(test_reads)
{
    const struct dse_model_family *family = fixture.setup.family;
    for (size_t b = 0; b < family->block_count; b++) {
        dse_knob_set seen = check_dependence(&designs, b);
        dse_knob_set stands_for = dse_bits_without(dse_knobs_shaping(family->knobs), seen); /* the workload represents these knobs */
        for (size_t k = 0; k < fixture.space->count; k++)
            if (dse_bits_has(seen, k) != (dse_bits_has(family->blocks[b].reads, k) && !dse_bits_has(stands_for, k)))
                fail_msg("%s %s %s", family->blocks[b].name,
                         dse_bits_has(seen, k) ? "depends on, and does not declare," : "declares, and does not depend on,",
                         fixture.space->knobs[k].name);
    }
}

/* The task decides what is timed; the hardware is the same. */
TEST(test_task_changes_no_hardware)
{
    for (uint64_t i = 0; i < DRAWS; i++) {
        struct dse_config config;
        draw(i, &config);
        set(&config, "task=infer");
        struct dse_estimate one = estimate(&config);
        set(&config, "task=fit");
        struct dse_estimate other = estimate(&config);
        assert_memory_equal(one.sums.resources, other.sums.resources, sizeof one.sums.resources);
    }
}

static const struct check_direction monotone[] = {
    {HYDRAF_DIM, DSE_METRIC_LATENCY, true},       {HYDRAF_DIM, DSE_METRIC_LUT, true},
    {HYDRAF_DIM, DSE_METRIC_FF, true},            {HYDRAF_CLUSTERS, DSE_METRIC_LUT, true},
    {HYDRAF_CLUSTERS, DSE_METRIC_LATENCY, true},  {HYDRAF_BATCH, DSE_METRIC_LUT, true},
    {HYDRAF_AXI_BITS, DSE_METRIC_LATENCY, false}, {HYDRAF_UNITS, DSE_METRIC_LUT, true},
    {HYDRAF_UNITS, DSE_METRIC_THROUGHPUT, true},  {HYDRAF_ENCODER_FEATURES, DSE_METRIC_LUT, true},
    {HYDRAF_UPDATE, DSE_METRIC_LATENCY, true},    {HYDRAF_PIPELINED, DSE_METRIC_LATENCY, false},
};

TEST(test_monotone)
{
    check_directions(&designs, monotone, sizeof monotone / sizeof *monotone);
}

/* Section IV.C: a chunk takes T + max(K, N); section IV.D: its update N steps more, the dense form T + max(N, K) besides. */
TEST(test_cycles_by_hand)
{
    struct dse_config small, large;
    dse_space_default(fixture.space, &small);
    set(&small, "task=train");
    large = small;
    set(&small, "dim=512");
    set(&large, "dim=1024");
    assert_int_equal(cycles(&large) - cycles(&small), 8 * (64 + 8 + 8));
    set(&small, "batch=16");
    set(&large, "batch=16");
    assert_int_equal(cycles(&large) - cycles(&small), 8 * (64 + 16 + 16));
    int64_t sparse = cycles(&large);
    set(&large, "update=dense");
    assert_int_equal(cycles(&large) - sparse, 16 * (64 + 16) + 1); /* one more before the first sum */
    /* An inference waits for its bytes, 32 per cycle. */
    dse_space_default(fixture.space, &small);
    large = small;
    set(&small, "dim=1024");
    assert_int_equal(cycles(&large) - cycles(&small), 1024 / 32);
    assert_true(estimate(&large).engines[0].bound == DSE_BOUND_MEMORY);
}

/* A batch answers its samples; a whole training run consists of many batches. */
TEST(test_items)
{
    struct dse_config config;
    dse_space_default(fixture.space, &config);
    set(&config, "task=train");
    struct dse_estimate batch = estimate(&config);
    assert_true(fabs(batch.metrics[DSE_METRIC_THROUGHPUT] * batch.metrics[DSE_METRIC_LATENCY] - 8.0) < 1e-9);
    set(&config, "task=fit");
    int64_t batches = (SAMPLES + 7) / 8 * ITERATIONS;
    assert_int_equal(cycles(&config), (int64_t)batch.metrics[DSE_METRIC_CYCLES] * batches);
    assert_int_equal(estimate(&config).sums.operations[DSE_INT8], batch.sums.operations[DSE_INT8] * batches / hydraf_parts(&hydraf_model_family, &config));
}

/* 8 × 8 elements of two arrays have 64 products each: of whole numbers in LUTs; of memory, 192 bits a dimension. In single precision, 8
 * products and 4 additions of the softmax (its trees are in LUTs), 8 and 4 of the gains. */
TEST(test_resources_by_hand)
{
    struct dse_config config, more;
    dse_space_default(fixture.space, &config);
    more = config;
    set(&more, "dim=1024");
    struct dse_estimate at_2k = estimate(&config), at_1k = estimate(&more);
    assert_int_equal(at_2k.sums.resources[DSE_FF] - at_1k.sums.resources[DSE_FF], 1024 * 192);
    assert_int_equal(at_2k.sums.resources[DSE_DSP], (8 + 8) * 3 + (4 + 4) * 2);
    set(&config, "precision=int16");
    assert_true(estimate(&config).sums.resources[DSE_DSP] < 2 * 64 * 64 && estimate(&config).sums.resources[DSE_LUT] > 2 * at_2k.sums.resources[DSE_LUT]);
    /* beyond 2k the multiplexers take more than their share; more and smaller chunks do not */
    set(&more, "dim=2048");
    int64_t to_2k = estimate(&more).sums.resources[DSE_LUT] - at_1k.sums.resources[DSE_LUT];
    set(&more, "dim=3072");
    int64_t to_3k = estimate(&more).sums.resources[DSE_LUT] - at_2k.sums.resources[DSE_LUT];
    assert_true(to_3k > 2 * to_2k);
    set(&config, "precision=int8");
    int64_t last = 0;
    for (size_t i = 0; i < fixture.space->knobs[HYDRAF_CHUNK].domain_count; i++) {
        config.value[HYDRAF_CHUNK] = fixture.space->knobs[HYDRAF_CHUNK].domain[i];
        int64_t lut = estimate(&config).sums.resources[DSE_LUT];
        assert_true(lut > last); /* Figure 10a */
        last = lut;
    }
}

/* An inference's clusters pass one exponential, a cycle each; a level of both trees takes the four cycles of an addition, and 15 comparisons two
 * more cycles than 7, one none. */
TEST(test_clusters_pass_one_unit)
{
    struct dse_config config;
    dse_space_default(fixture.space, &config);
    int64_t eight = cycles(&config);
    set(&config, "clusters=16");
    assert_int_equal(cycles(&config), eight + 8 + 4 + 2);
    set(&config, "clusters=1");
    assert_int_equal(cycles(&config), eight - 7 - 3 * 4 - 1);
}

/* The fitted constant matters only for crowded storage, and a band's end is not better than its middle. */
TEST(test_fitted_constants)
{
    double values[HYDRAF_FITTED_COUNT] = {2.0};
    struct dse_config config;
    dse_space_default(fixture.space, &config);
    set(&config, "task=train");
    set(&config, "dim=4096"); /* twice 393,216 bits: (1 + 2 · 2) cycles of each of 64 chunks' 8 steps */
    struct dse_estimate own = estimate(&config);
    fixture.setup.fitted = values;
    struct dse_estimate some = estimate(&config);
    fixture.setup.fitted = NULL;
    assert_int_equal((int64_t)(some.metrics[DSE_METRIC_CYCLES] - own.metrics[DSE_METRIC_CYCLES]), 64 * 8 * 4);
    for (size_t i = 0; i < HYDRAF_FITTED_COUNT; i++)
        assert_true(hydraf_fitted[i].low <= hydraf_fitted[i].value && hydraf_fitted[i].value <= hydraf_fitted[i].high);
    for (uint64_t i = 0; i < DRAWS; i++) {
        draw(i, &config);
        own = estimate(&config);
        assert_true(own.low[DSE_METRIC_LATENCY] <= own.metrics[DSE_METRIC_LATENCY]);
        assert_true(own.high[DSE_METRIC_LATENCY] >= own.metrics[DSE_METRIC_LATENCY]);
    }
}

/* The largest values that may be set by hand, with the largest workload, cause no overflow: a training run of that size is rejected. */
TEST(test_corner)
{
    struct dse_config config;
    struct dse_workload largest = {0};
    const struct dse_workload *own = fixture.setup.workload;
    add(&largest, "features", 1e6);
    add(&largest, "samples", 1e9);
    add(&largest, "iterations", 1e6);
    fixture.setup.workload = &largest;
    dse_space_default(fixture.space, &config);
    for (size_t k = 0; k < fixture.space->count; k++)
        config.value[k] = fixture.space->knobs[k].type == DSE_KNOB_CHOICE ? (int64_t)fixture.space->knobs[k].choice_count - 1
                                                                          : fixture.space->knobs[k].maximum;
    for (int64_t precision = 0; precision < 3; precision++)
        for (int64_t pipelined = 0; pipelined < 2; pipelined++) {
            config.value[HYDRAF_PRECISION] = precision;
            config.value[HYDRAF_PIPELINED] = pipelined;
            set(&config, "task=fit");
            struct dse_estimate corner;
            OK(dse_estimate_make(&fixture.setup, &config, &corner, &why));
            assert_true(corner.rejection.rejected && strstr(corner.rejection.reason, "too much work to count") != NULL);
            set(&config, "task=infer");
            OK(dse_estimate_make(&fixture.setup, &config, &corner, &why));
            assert_true(!corner.rejection.rejected || strstr(corner.rejection.reason, "too much work") != NULL);
            for (int m = 0; m < DSE_METRIC_QUALITY && !corner.rejection.rejected; m++)
                assert_true(isfinite(corner.metrics[m]) && corner.metrics[m] >= 0.0);
        }
    fixture.setup.workload = own;
    dse_workload_clear(&largest);
}

TEST(test_bad_series)
{
    struct dse_error err;
    void *work = NULL;
    struct dse_workload workload = {0};
    const struct dse_model_family *family = fixture.setup.family;
    assert_int_equal(family->prepare(family, &workload, &work, &err), DSE_BAD_INPUT);
    assert_string_equal(err.message, "the workload has no series \"features\"");
    add(&workload, "features", 2.5); /* no whole number */
    assert_int_equal(family->prepare(family, &workload, &work, &err), DSE_BAD_INPUT);
    assert_null(work);
    dse_workload_clear(&workload);
}

/* ---- searching ---- */

static void ask(const char *where, const char *objectives, struct dse_question *question, struct dse_space **space,
                struct dse_alternative **alternatives)
{
    struct dse_error err;
    struct dse_choice choice = {.quality_drop = 0.01};
    struct dse_choice_count why;
    struct dse_expression expression;
    assert_int_equal(dse_model_space(fixture.setup.family, NULL, space, &err), DSE_OK);
    *question = (struct dse_question){.family = fixture.setup.family, .board = fixture.board, .costs = fixture.costs,
                                      .headroom = -1.0, .jobs = 1};
    dse_space_default(*space, &question->base);
    assert_int_equal(dse_expression_parse(where, &expression, &err), DSE_OK);
    assert_int_equal(dse_question_objectives(question, objectives, &err), DSE_OK);
    if (dse_question_constrain(question, *space, &expression, &choice, &err) != DSE_OK)
        fail_msg("%s: %s", where, err.message);
    question->free = dse_bits_without(dse_space_of_kind(*space, DSE_KNOB_HARDWARE), dse_space_of_kind(*space, DSE_KNOB_ALGORITHMIC));
    assert_int_equal(dse_question_alternatives(question, fixture.profile, &choice, alternatives,
                                               &question->alternative_count, &why, &err),
                     DSE_OK);
    question->alternatives = *alternatives;
}

/* Exact and exhaustive give the same front, over the values that the question leaves. */
static void check_front(const char *where, const char *objectives, size_t settings)
{
    struct dse_question question;
    struct dse_space *space = NULL;
    struct dse_alternative *alternatives = NULL;
    struct dse_answer exact = {0}, all = {0};
    struct dse_error err;
    ask(where, objectives, &question, &space, &alternatives);
    assert_int_equal(question.alternative_count, settings);
    assert_int_equal(dse_search_exact(&question, &exact, &err), DSE_OK);
    assert_int_equal(dse_search_exhaustive(&question, &all, &err), DSE_OK);
    if (exact.front_count == 0 || exact.front_count != all.front_count)
        fail_msg("%s: %zu of %zu", where, exact.front_count, all.front_count);
    assert_true(exact.space_size == all.space_size);
    for (size_t i = 0; i < exact.front_count; i++)
        assert_memory_equal(exact.front[i].metrics, all.front[i].metrics, sizeof(double) * DSE_METRIC_QUALITY);
    dse_answer_free(&exact);
    dse_answer_free(&all);
    free(alternatives);
    dse_space_free(space);
}

TEST(test_exact_is_exhaustive)
{
    check_front("dim=2048", "latency,energy,lut", 1); /* a profile without quality has no other setting */
    check_front("clock_mhz>=200 && chunk!=8", "throughput,power,bram18", 1);
    check_front("precision!=fp32", "latency_p99,dsp", 1);
}

TESTS(open_all, close_all)
