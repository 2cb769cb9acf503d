/* The exact merge against the exhaustive visit on random sub-spaces, and both against the estimate. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/nysx/nysx.h"
#include "search/ilp.h"
#include "search/question.h"
#include "tests/models/opened.h"
#include "tests/test.h"

#define TRIALS 60
#define WIDE_TRIALS TRIALS_OF(300)
#define WIDE_ILP_TRIALS TRIALS_OF(150)
#define SUBSPACE_MAX 60000 /* configurations of one trial */

static struct dse_space *read_space(void)
{
    struct dse_space *space = NULL;
    struct dse_error err;
    assert_int_equal(dse_model_space(fixture.setup.family, NULL, &space, &err), DSE_OK);
    return space;
}

/* A random part of the space: every knob one value, then values added to random knobs while there is room. */
static void draw_subspace(struct dse_rng *rng, struct dse_space *space, dse_knob_set hardware)
{
    const struct dse_space *whole = fixture.space;
    for (size_t k = 0; k < space->count; k++)
        dse_space_restrict(space, k, &whole->knobs[k].domain[dse_rng_below(rng, whole->knobs[k].domain_count)], 1);
    for (int tries = 0; tries < 40; tries++) {
        size_t k = dse_rng_below(rng, space->count);
        size_t count = 1 + dse_rng_below(rng, whole->knobs[k].domain_count);
        if (!dse_bits_has(hardware, k) || space->knobs[k].domain_count > 1)
            continue;
        const int64_t *before = space->knobs[k].domain;
        dse_space_restrict(space, k, whole->knobs[k].domain, count);
        if (dse_space_size(space, hardware) > SUBSPACE_MAX)
            dse_space_restrict(space, k, before, 1);
    }
}

/* A sub-space, and a design of it that fits the board. If 20 draws find none, takes another sub-space, at most ten. */
static void draw_fitting(struct dse_rng *rng, struct dse_space *space, const struct dse_question *question, struct dse_config *out)
{
    struct dse_estimate estimate;
    struct dse_error err;
    bool fits = false;
    for (int tries = 0; tries < 200 && !fits; tries++) {
        if (tries % 20 == 0)
            draw_subspace(rng, space, question->free);
        *out = question->alternatives[0].config;
        dse_space_draw(space, question->free, rng, out);
        fits = dse_estimate_built(&fixture.setup, out, &estimate, &err) == DSE_OK && estimate.fits;
    }
}

static void draw_objectives(struct dse_rng *rng, struct dse_question *question)
{
    static const enum dse_metric pool[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY,     DSE_METRIC_BRAM18,
                                           DSE_METRIC_LUT,     DSE_METRIC_LATENCY_P99, DSE_METRIC_THROUGHPUT,
                                           DSE_METRIC_POWER,   DSE_METRIC_DSP,        DSE_METRIC_DDR_BYTES,
                                           DSE_METRIC_QUALITY, DSE_METRIC_URAM,       DSE_METRIC_LATENCY_SYSTEM,
                                           DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_POWER_SYSTEM};
    size_t count = 1 + dse_rng_below(rng, 3);
    while (question->objective_count < count) {
        enum dse_metric metric = pool[dse_rng_below(rng, sizeof pool / sizeof *pool)];
        bool there = false;
        for (size_t i = 0; i < question->objective_count; i++)
            there |= question->objectives[i] == metric;
        if (!there)
            question->objectives[question->objective_count++] = metric;
    }
}

/* Limits near the middle of the space's values, so that they bind. */
static void draw_limits(struct dse_rng *rng, struct dse_question *question, const struct dse_config *some)
{
    static const enum dse_metric pool[] = {DSE_METRIC_LATENCY, DSE_METRIC_LUT, DSE_METRIC_DSP, DSE_METRIC_BRAM18,
                                           DSE_METRIC_ENERGY,  DSE_METRIC_POWER, DSE_METRIC_THROUGHPUT,
                                           DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_POWER_SYSTEM};
    struct dse_estimate estimate;
    struct dse_error err;
    if (dse_estimate_built(&fixture.setup, some, &estimate, &err) != DSE_OK)
        return;
    size_t count = dse_rng_below(rng, 3);
    for (size_t i = 0; i < count; i++) {
        enum dse_metric metric = pool[dse_rng_below(rng, sizeof pool / sizeof *pool)];
        bool at_least = dse_rng_below(rng, 5) == 0 || metric == DSE_METRIC_THROUGHPUT;
        question->limits[question->limit_count++] =
            dse_limit_of(metric, at_least, estimate.metrics[metric] * (0.6 + 0.9 * dse_rng_uniform(rng)));
    }
}

static void compare_answers(uint64_t trial, const struct dse_question *question, const struct dse_answer *a,
                            const struct dse_answer *b)
{
    if (a->front_count != b->front_count)
        fail_msg("trial %llu: %zu points by the exact merge, %zu by the exhaustive visit", (unsigned long long)trial,
                 a->front_count, b->front_count);
    for (size_t i = 0; i < a->front_count; i++) {
        /* Among equal designs, both methods show the one with the least energy. */
        if (a->front[i].metrics[DSE_METRIC_ENERGY] != b->front[i].metrics[DSE_METRIC_ENERGY])
            fail_msg("trial %llu: point %zu takes another energy", (unsigned long long)trial, i);
        for (size_t o = 0; o < question->objective_count; o++)
            if (a->front[i].metrics[question->objectives[o]] != b->front[i].metrics[question->objectives[o]])
                fail_msg("trial %llu: point %zu differs in %s", (unsigned long long)trial, i,
                         dse_metrics[question->objectives[o]].name);
    }
}

/* The estimate of every point must give the figures of the answer. */
static void check_estimates(const struct dse_answer *answer)
{
    for (size_t i = 0; i < answer->front_count && i < 20; i++) {
        struct dse_estimate estimate;
        struct dse_error err;
        const struct dse_point *point = &answer->front[i];
        assert_int_equal(dse_estimate_built(&fixture.setup, &point->config, &estimate, &err), DSE_OK);
        assert_memory_equal(estimate.metrics, point->metrics, sizeof(double) * DSE_METRIC_QUALITY);
        assert_true(estimate.fits);
    }
}

/* Two settings of different size and quality. */
static void make_alternatives(const struct dse_space *space, struct dse_rng *rng, struct dse_alternative out[2])
{
    for (int i = 0; i < 2; i++) {
        dse_space_default(fixture.space, &out[i].config);
        dse_knob_set algorithmic = dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC);
        dse_space_draw(fixture.space, algorithmic, rng, &out[i].config);
        out[i].config.value[NYSX_DIM] = i == 0 ? 10000 : 2048;
        out[i].workload = fixture.workload;
        out[i].quality = 0.8 - 0.05 * i;
    }
}

/* The integer programs find and prove the same best value of the first objective, or reject non-linear requests. */
static size_t compare_ilp(uint64_t trial, const struct dse_question *question, const struct dse_answer *answer)
{
    enum dse_metric metric = question->objectives[0];
    struct dse_optimum optimum;
    struct dse_error err;
    enum dse_status status = dse_search_ilp(question, NULL, &optimum, &err);
    if (status == DSE_BAD_USAGE)
        return 0;
    if (status != DSE_OK)
        fail_msg("trial %llu: %s: %s", (unsigned long long)trial, dse_metrics[metric].name, err.message);
    assert_int_equal(optimum.found, answer->outcome == DSE_OUTCOME_FOUND);
    if (!optimum.found)
        return 1;
    double best = NAN;
    for (size_t i = 0; i < answer->front_count; i++) {
        double value = answer->front[i].metrics[metric];
        if (isnan(best) || (dse_metrics[metric].higher_is_better ? value > best : value < best))
            best = value;
    }
    if (!(fabs(optimum.objective - best) <= 1e-8 * fabs(best)))
        fail_msg("trial %llu: %s %.12g by the ILP, %.12g by the exact merge", (unsigned long long)trial,
                 dse_metrics[metric].name, optimum.objective, best);
    assert_true(optimum.proven);
    struct dse_estimate estimate;
    assert_int_equal(dse_estimate_built(&fixture.setup, &optimum.point.config, &estimate, &err), DSE_OK);
    assert_memory_equal(estimate.metrics, optimum.point.metrics, sizeof(double) * DSE_METRIC_QUALITY);
    assert_true(estimate.fits);
    return 1;
}

static size_t ilp_trials;

/* Limits that a design of the front meets exactly: both methods must still find it. */
static void compare_at_the_limit(uint64_t trial, struct dse_question question, const struct dse_point *point)
{
    static const enum dse_metric tight[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_LUT};
    for (size_t i = 0; i < sizeof tight / sizeof *tight; i++)
        question.limits[question.limit_count++] = dse_limit_of(tight[i], false, point->metrics[tight[i]]);
    struct dse_answer exact, exhaustive;
    struct dse_error err;
    assert_int_equal(dse_search_exact(&question, &exact, &err), DSE_OK);
    assert_int_equal(dse_search_exhaustive(&question, &exhaustive, &err), DSE_OK);
    compare_answers(trial, &question, &exact, &exhaustive);
    dse_answer_free(&exact);
    dse_answer_free(&exhaustive);
}

/* Power falls as a design takes longer, so a faster design is not always as good: tested with a limit in the middle of the front's powers,
 * and as an additional objective. */
static void compare_power(uint64_t trial, struct dse_question question, const struct dse_point *point)
{
    enum dse_metric power = dse_power_metrics[trial % DSE_BOUNDARY_COUNT];
    question.limits[question.limit_count++] = dse_limit_of(power, false, point->metrics[power]);
    for (int asked = 0; asked < 2; asked++) {
        struct dse_answer exact, exhaustive;
        struct dse_error err;
        assert_int_equal(dse_search_exact(&question, &exact, &err), DSE_OK);
        assert_int_equal(dse_search_exhaustive(&question, &exhaustive, &err), DSE_OK);
        compare_answers(trial, &question, &exact, &exhaustive);
        dse_answer_free(&exact);
        dse_answer_free(&exhaustive);
        for (size_t o = 0; o < question.objective_count; o++)
            asked += question.objectives[o] == power;
        question.objectives[question.objective_count++] = power;
    }
}

static size_t run_trial(uint64_t trial)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 2026, trial);
    fixture.board->host.byte.s = trial % 2 == 0 ? 2.5e-9 : 1e-7; /* large enough that shorter queries matter too */
    fixture.board->host.operation.s = trial % 3 == 0 ? 0.0 : 5e-9;
    fixture.board->host.hls = (struct dse_host_flow){.launch.s = trial % 3 == 0 ? 0.0 : 8e-6, .queue.s = trial % 3 == 0 ? 0.0 : 4e-6, .transfer.s = trial % 3 == 0 ? 0.0 : 2e-6};
    fixture.board->host.batch = 1 + (int64_t)(trial % 4);
    struct dse_space *space = read_space();
    struct dse_question question = {.family = fixture.setup.family, .space = space, .board = fixture.board,
                                    .costs = fixture.costs, .headroom = -1.0, .alternative_count = 2, .jobs = 2};
    question.free = dse_bits_without(dse_space_of_kind(space, DSE_KNOB_HARDWARE), dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC));
    struct dse_alternative alternatives[2];
    make_alternatives(space, &rng, alternatives);
    question.alternatives = alternatives;
    struct dse_config some;
    draw_fitting(&rng, space, &question, &some);
    dse_space_default(space, &question.base);
    draw_objectives(&rng, &question);
    draw_limits(&rng, &question, &some);
    struct dse_answer exact, exhaustive;
    struct dse_error err;
    enum dse_status first = dse_search_exact(&question, &exact, &err);
    enum dse_status second = dse_search_exhaustive(&question, &exhaustive, &err);
    assert_int_equal(first, DSE_OK);
    assert_int_equal(second, DSE_OK);
    assert_int_equal(exact.outcome, exhaustive.outcome);
    assert_int_equal(exact.outcome, exact.front_count > 0 ? DSE_OUTCOME_FOUND : DSE_OUTCOME_NOTHING);
    assert_int_equal(exact.space_size, exhaustive.space_size);
    compare_answers(trial, &question, &exact, &exhaustive);
    check_estimates(&exact);
    ilp_trials += compare_ilp(trial, &question, &exact);
    size_t count = exact.front_count;
    if (count > 0)
        compare_at_the_limit(trial, question, &exact.front[dse_rng_below(&rng, count)]);
    if (count > 0)
        compare_power(trial, question, &exact.front[dse_rng_below(&rng, count)]);
    dse_answer_free(&exact);
    dse_answer_free(&exhaustive);
    dse_space_free(space);
    return count;
}

TEST(test_exact_is_exhaustive)
{
    size_t feasible = 0, largest = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        size_t count = run_trial(trial);
        feasible += count > 0;
        largest = count > largest ? count : largest;
    }
    print_message("%d random sub-spaces, seed 2026: %zu feasible, the largest front has %zu points\n", TRIALS, feasible, largest);
    print_message("%zu of them by integer programs too\n", ilp_trials);
    assert_true(feasible > TRIALS / 2);
    assert_true(ilp_trials > TRIALS / 2);
    assert_true(largest > 20);
}

/* Up to all metrics as objectives, and reverse limits on any metric: at a design's exact value, or near it. */
static void draw_wide(struct dse_rng *rng, struct dse_question *question, const struct dse_config *some)
{
    struct dse_estimate estimate;
    struct dse_error err;
    size_t count = 1 + dse_rng_below(rng, DSE_OBJECTIVE_MAX), limits = 1 + dse_rng_below(rng, 3);
    while (question->objective_count < count) {
        enum dse_metric metric = (enum dse_metric)dse_rng_below(rng, DSE_METRIC_COUNT);
        bool there = false;
        for (size_t i = 0; i < question->objective_count; i++)
            there |= question->objectives[i] == metric;
        if (!there)
            question->objectives[question->objective_count++] = metric;
    }
    if (dse_estimate_built(&fixture.setup, some, &estimate, &err) != DSE_OK)
        return;
    for (size_t i = 0; i < limits; i++) {
        enum dse_metric metric = (enum dse_metric)dse_rng_below(rng, DSE_METRIC_QUALITY);
        bool reverse = dse_rng_below(rng, 3) > 0, exactly = dse_rng_below(rng, 3) == 0;
        double factor = reverse ? 0.8 + 0.3 * dse_rng_uniform(rng) : 0.9 + 0.9 * dse_rng_uniform(rng);
        question->limits[question->limit_count++] =
            dse_limit_of(metric, reverse != dse_metrics[metric].higher_is_better,
                               estimate.metrics[metric] * (exactly ? 1.0 : factor));
    }
}

/* One thread and three, and the visit of every design. */
static size_t compare_wide(uint64_t trial, struct dse_question *question)
{
    struct dse_answer one, three, all;
    struct dse_error err;
    question->jobs = 1;
    enum dse_status status = dse_search_exact(question, &one, &err);
    question->jobs = 3;
    assert_int_equal(status, dse_search_exact(question, &three, &err));
    assert_int_equal(status, dse_search_exhaustive(question, &all, &err));
    compare_answers(trial, question, &one, &all);
    assert_int_equal(one.front_count, three.front_count);
    assert_int_equal(one.evaluated, three.evaluated);
    assert_int_equal(one.space_size, all.space_size);
    for (size_t i = 0; i < one.front_count; i++)
        assert_memory_equal(&one.front[i].config, &three.front[i].config, sizeof(struct dse_config));
    check_estimates(&one);
    if (trial < WIDE_ILP_TRIALS)
        ilp_trials += compare_ilp(trial, question, &one);
    size_t count = one.front_count;
    dse_answer_free(&one);
    dse_answer_free(&three);
    dse_answer_free(&all);
    return count;
}

static size_t run_wide_trial(uint64_t trial)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 2027, trial);
    struct dse_space *space = read_space();
    struct dse_question question = {.family = fixture.setup.family, .space = space, .board = fixture.board,
                                    .costs = fixture.costs, .headroom = -1.0, .alternative_count = 2};
    struct dse_alternative alternatives[2];
    question.free = dse_bits_without(dse_space_of_kind(space, DSE_KNOB_HARDWARE), dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC));
    draw_subspace(&rng, space, question.free);
    dse_space_default(space, &question.base);
    make_alternatives(space, &rng, alternatives);
    question.alternatives = alternatives;
    struct dse_config some = alternatives[0].config;
    dse_space_draw(space, question.free, &rng, &some);
    draw_wide(&rng, &question, &some);
    size_t count = compare_wide(trial, &question);
    dse_space_free(space);
    return count;
}

TEST(test_wide)
{
    size_t feasible = 0, largest = 0;
    ilp_trials = 0;
    for (uint64_t trial = 0; trial < WIDE_TRIALS; trial++) {
        size_t count = run_wide_trial(trial);
        feasible += count > 0;
        largest = count > largest ? count : largest;
    }
    print_message("%d random sub-spaces, seed 2027, up to 15 objectives, limits from the wrong side: %zu feasible, the largest "
                  "front has %zu points; %zu by integer programs too\n", WIDE_TRIALS, feasible, largest, ilp_trials);
    assert_true(feasible > WIDE_TRIALS / 4);
    assert_true(largest > 100);
    assert_true(ilp_trials > WIDE_ILP_TRIALS / 2);
}

static size_t compare_jobs(struct dse_question question)
{
    struct dse_answer one, three;
    struct dse_error err;
    question.jobs = 1;
    assert_int_equal(dse_search_exact(&question, &one, &err), DSE_OK);
    question.jobs = 3;
    assert_int_equal(dse_search_exact(&question, &three, &err), DSE_OK);
    assert_int_equal(one.front_count, three.front_count);
    assert_int_equal(one.evaluated, three.evaluated);
    for (size_t i = 0; i < one.front_count; i++)
        assert_memory_equal(&one.front[i].config, &three.front[i].config, sizeof(struct dse_config));
    size_t count = one.front_count;
    dse_answer_free(&one);
    dse_answer_free(&three);
    return count;
}

/* The front does not depend on the number of threads, over slices and within one slice's wide merge. */
TEST(test_jobs)
{
    static const enum dse_metric six[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_BRAM18,
                                          DSE_METRIC_DSP,     DSE_METRIC_LUT,    DSE_METRIC_FF};
    const int64_t clock[] = {200};
    struct dse_space *space = read_space();
    struct dse_rng rng;
    dse_rng_seed(&rng, 5, 5);
    struct dse_question question = {.family = fixture.setup.family, .space = space, .board = fixture.board,
                                    .costs = fixture.costs, .headroom = -1.0, .alternative_count = 1, .jobs = 1,
                                    .objectives = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY}, .objective_count = 2};
    question.free = dse_bits_without(dse_space_of_kind(space, DSE_KNOB_HARDWARE), dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC));
    dse_space_default(space, &question.base);
    struct dse_alternative alternative = {.workload = fixture.workload, .quality = NAN};
    dse_space_default(space, &alternative.config);
    question.alternatives = &alternative;
    compare_jobs(question);
    memcpy(question.objectives, six, sizeof six);
    question.objective_count = sizeof six / sizeof *six;
    size_t whole = compare_jobs(question);
    dse_space_restrict(space, NYSX_CLOCK_MHZ, clock, 1);
    size_t slice = compare_jobs(question);
    print_message("six objectives: %zu points, %zu of them at one clock\n", whole, slice);
    assert_true(whole > slice && slice > 100);
    dse_space_free(space);
}

/* Times of many seconds per graph, whose femtoseconds a double cannot represent: the visit uses integers. */
TEST(test_long_times)
{
    struct dse_space *space = read_space();
    struct dse_error err;
    const int64_t clock[] = {10}, lanes[] = {1, 2, 4}, pes[] = {1, 2, 4};
    for (size_t k = 0; k < space->count; k++)
        dse_space_restrict(space, k, &space->knobs[k].fallback, 1);
    dse_space_restrict(space, NYSX_CLOCK_MHZ, clock, 1);
    dse_space_restrict(space, NYSX_NEE_LANES, lanes, 3);
    dse_space_restrict(space, NYSX_KSE_PE, pes, 3);
    struct dse_question question = {.family = fixture.setup.family, .space = space, .board = fixture.board,
                                    .costs = fixture.costs, .headroom = -1.0, .alternative_count = 1, .jobs = 1,
                                    .objectives = {DSE_METRIC_LATENCY, DSE_METRIC_LUT}, .objective_count = 2};
    question.free = dse_bits_without(dse_space_of_kind(space, DSE_KNOB_HARDWARE), dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC));
    dse_space_default(space, &question.base);
    struct dse_alternative alternative = {.workload = fixture.workload, .quality = NAN};
    dse_space_default(space, &alternative.config);
    alternative.config.value[NYSX_DIM] = 4194304;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        question.cap_scale[r] = INFINITY;
    question.alternatives = &alternative;
    struct dse_answer exact, exhaustive;
    assert_int_equal(dse_search_exact(&question, &exact, &err), DSE_OK);
    assert_int_equal(dse_search_exhaustive(&question, &exhaustive, &err), DSE_OK);
    compare_answers(0, &question, &exact, &exhaustive);
    assert_int_equal(exhaustive.evaluated, 9);
    assert_true(exhaustive.front_count > 1);
    double longest_s = exhaustive.front[exhaustive.front_count - 1].metrics[DSE_METRIC_LATENCY];
    print_message("up to %g s\n", longest_s);
    assert_true(longest_s > 9.1);
    dse_answer_free(&exact);
    dse_answer_free(&exhaustive);
    dse_space_free(space);
}

TESTS(open_fixture, close_fixture)
