/* One design for several data sets: compared with the exact merge for equal data sets, and with each data set alone. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "search/joint.h"
#include "search/question.h"
#include "tests/models/opened.h"
#include "tests/test.h"

#define SETTINGS 2

static struct dse_profile *other; /* a shipped profile: another data set's workload */
static struct dse_space *space;

static int open_all(void **state)
{
    struct dse_error err;
    open_fixture(state);
    assert_int_equal(dse_profile_open("NCI1", &other, &err), DSE_OK);
    assert_int_equal(dse_model_space(fixture.setup.family, NULL, &space, &err), DSE_OK);
    return 0;
}

static int close_all(void **state)
{
    dse_space_free(space);
    dse_profile_free(other);
    close_fixture(state);
    return 0;
}

static void make_alternatives(const struct dse_question *question, const struct dse_workload *workload, double quality,
                              struct dse_alternative *all)
{
    struct dse_error err;
    for (int i = 0; i < SETTINGS; i++) {
        all[i] = (struct dse_alternative){question->base, workload, quality + 0.1 * i};
        assert_int_equal(dse_config_set(space, &all[i].config, "dim", i == 0 ? "2048" : "10000", &err), DSE_OK);
    }
}

/* A space of some hundred designs. */
static void ask(struct dse_question *question)
{
    static const char *const names[] = {"kse.pe", "nee.lanes", "lshu.pe", "sce.bits", "clock_mhz"};
    static const enum dse_metric objectives[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_QUALITY};
    *question = (struct dse_question){.family = fixture.setup.family, .space = space, .board = fixture.board,
                                      .costs = fixture.costs, .headroom = -1.0, .jobs = 2, .alternative_count = SETTINGS,
                                      .objective_count = 3};
    memcpy(question->objectives, objectives, sizeof objectives);
    dse_space_default(space, &question->base);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int knob = dse_space_find(space, names[i]);
        assert_true(knob >= 0);
        dse_bits_add(&question->free, knob);
        int64_t values[3];
        memcpy(values, space->knobs[knob].domain, sizeof values);
        if (!space->knobs[knob].restricted)
            dse_space_restrict(space, (size_t)knob, values, 3);
    }
}

TEST(test_values)
{
    const double values[] = {1.0, 4.0}, weights[] = {3.0, 1.0};
    assert_true(dse_joint_values(DSE_JOIN_MEAN, DSE_METRIC_LATENCY, values, weights, 2) == 2.5);
    assert_true(dse_joint_values(DSE_JOIN_WEIGHTED, DSE_METRIC_LATENCY, values, weights, 2) == 1.75);
    assert_true(dse_joint_values(DSE_JOIN_WORST, DSE_METRIC_LATENCY, values, weights, 2) == 4.0);
    assert_true(dse_joint_values(DSE_JOIN_WORST, DSE_METRIC_QUALITY, values, weights, 2) == 1.0);
    const double unknown[] = {NAN, 4.0};
    assert_true(isnan(dse_joint_values(DSE_JOIN_WORST, DSE_METRIC_QUALITY, unknown, weights, 2)));
    double three[] = {0.1, 0.7, 0.2}, moved[] = {0.7, 0.2, 0.1}, its[] = {0.3, 0.21, 1.7}, theirs[] = {0.21, 1.7, 0.3}; /* sums depend on the order */
    assert_true((0.1 + 0.7) + 0.2 != (0.7 + 0.2) + 0.1);
    assert_true(dse_joint_values(DSE_JOIN_MEAN, DSE_METRIC_LATENCY, three, its, 3) == dse_joint_values(DSE_JOIN_MEAN, DSE_METRIC_LATENCY, moved, its, 3));
    assert_true(dse_joint_values(DSE_JOIN_WEIGHTED, DSE_METRIC_LATENCY, three, its, 3) == dse_joint_values(DSE_JOIN_WEIGHTED, DSE_METRIC_LATENCY, moved, theirs, 3));
}

/* Only the ratio of weights counts. */
TEST(test_reduced_weights)
{
    static const struct {
        double given[3], reduced[3];
        int64_t all;
    } cases[] = {{{3.0, 3.0, 3.0}, {1.0, 1.0, 1.0}, 3}, {{0.7, 0.7, 1.4}, {1.0, 1.0, 2.0}, 4}, {{0.06, 0.03, 0.03}, {2.0, 1.0, 1.0}, 4},
                 {{900.0, 200.0, 1.0}, {1.0, 200.0 / 900.0, 1.0 / 900.0}, 0}, {{0.25, 0.123456, 0.25}, {1.0, 0.123456 / 0.25, 1.0}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double weights[3];
        memcpy(weights, cases[i].given, sizeof weights);
        assert_int_equal(dse_joint_reduce(DSE_JOIN_WEIGHTED, weights, 3), cases[i].all);
        assert_memory_equal(weights, cases[i].reduced, sizeof weights);
    }
}

/* One data set, or the same one twice, gives the ordinary answer. */
TEST(test_same_sets)
{
    struct dse_error err = {0};
    struct dse_question question;
    struct dse_alternative all[SETTINGS];
    struct dse_answer expected = {0}, found = {0};
    ask(&question);
    make_alternatives(&question, fixture.workload, 0.6, all);
    question.alternatives = all;
    assert_int_equal(dse_search_exact(&question, &expected, &err), DSE_OK);
    for (size_t sets = 1; sets <= 2; sets++)
        for (int how = DSE_JOIN_MEAN; how <= DSE_JOIN_WEIGHTED; how++) {
            struct dse_joint_set same[2] = {{all, 1.0}, {all, 3.0}};
            struct dse_joint *combination = NULL;
            assert_int_equal(dse_joint_create(&question, (enum dse_joining)how, same, sets, &combination, &err), DSE_OK);
            assert_int_equal(dse_joint_visit(combination, 1000000, &found, &err), DSE_OK);
            assert_true(found.proven);
            assert_int_equal(found.front_count, expected.front_count);
            for (size_t i = 0; i < found.front_count; i++)
                for (int m = 0; m < DSE_METRIC_COUNT; m++)
                    assert_true(fabs(found.front[i].metrics[m] - expected.front[i].metrics[m]) <=
                                1e-12 * fabs(expected.front[i].metrics[m]));
            dse_answer_free(&found);
            dse_joint_free(combination);
        }
    dse_answer_free(&expected);
}

/* The metrics of each data set by the estimate, and the combined ones; the heuristic finds the visit's best. */
TEST(test_two_sets)
{
    struct dse_error err = {0};
    struct dse_question question;
    struct dse_alternative first[SETTINGS], second[SETTINGS];
    struct dse_answer visited = {0}, searched = {0};
    const struct dse_effort effort = {.seed = 1, .evaluations = 20000, .seconds = INFINITY};
    ask(&question);
    make_alternatives(&question, fixture.workload, 0.6, first);
    make_alternatives(&question, &other->workloads[0], 0.5, second);
    question.alternatives = first;
    question.objective_count = 1;
    struct dse_joint_set sets[2] = {{first, 1.0}, {second, 1.0}};
    struct dse_joint *combination = NULL;
    assert_int_equal(dse_joint_create(&question, DSE_JOIN_WORST, sets, 2, &combination, &err), DSE_OK);
    assert_int_equal(dse_joint_visit(combination, 1000000, &visited, &err), DSE_OK);
    assert_int_equal(dse_joint_search(combination, &effort, &searched, &err), DSE_OK);
    assert_false(searched.proven);
    assert_true(searched.front[0].metrics[DSE_METRIC_LATENCY] == visited.front[0].metrics[DSE_METRIC_LATENCY]);
    double worst = 0.0, bram = 0.0;
    for (size_t i = 0; i < 2; i++) {
        struct dse_setup setup = fixture.setup;
        struct dse_estimate estimate;
        struct dse_config config;
        setup.space = space;
        setup.workload = i == 0 ? fixture.workload : &other->workloads[0];
        dse_joint_config(combination, &visited.front[0], i, &config);
        assert_int_equal(dse_estimate_built(&setup, &config, &estimate, &err), DSE_OK);
        worst = fmax(worst, estimate.metrics[DSE_METRIC_LATENCY]);
        bram = fmax(bram, estimate.metrics[DSE_METRIC_BRAM18]);
    }
    assert_true(visited.front[0].metrics[DSE_METRIC_LATENCY] == worst);
    assert_true(visited.front[0].metrics[DSE_METRIC_BRAM18] >= bram); /* block by block the larger of both */
    dse_answer_free(&visited);
    dse_answer_free(&searched);
    assert_int_equal(dse_joint_visit(combination, 10, &visited, &err), DSE_LIMIT);
    dse_joint_free(combination);
}

#define TRIALS TRIALS_OF(80)
#define FIRST_TRIAL 80 /* in four of the trials from here on, weights change the front; in none before */
#define DESIGNS_MOST 4000 /* designs per trial and setting */

/* Random knobs with some of their values each. */
static void narrow(struct dse_rng *rng, struct dse_question *question, struct dse_space *own)
{
    dse_knob_set hardware = dse_bits_without(dse_space_of_kind(own, DSE_KNOB_HARDWARE), dse_space_of_kind(own, DSE_KNOB_ALGORITHMIC));
    uint64_t designs = 1;
    question->space = own;
    question->free = (dse_knob_set){{0}};
    for (int tries = 0; tries < 40; tries++) {
        size_t knob = dse_rng_below(rng, own->count), there = own->knobs[knob].domain_count;
        size_t wanted = 1 + dse_rng_below(rng, there), first = dse_rng_below(rng, there - wanted + 1);
        if (!dse_bits_has(hardware, knob) || dse_bits_has(question->free, knob) || designs * wanted > DESIGNS_MOST)
            continue;
        int64_t values[64];
        memcpy(values, own->knobs[knob].domain + first, wanted * sizeof *values);
        dse_space_restrict(own, knob, values, wanted);
        dse_bits_add(&question->free, knob);
        designs *= wanted;
    }
}

/* Objectives, and a limit near a design's value, sometimes a reverse limit. */
static void ask_random(struct dse_rng *rng, struct dse_question *question, struct dse_joint_set *sets, enum dse_joining how)
{
    static const enum dse_metric pool[] = {DSE_METRIC_LATENCY,     DSE_METRIC_ENERGY,    DSE_METRIC_BRAM18,    DSE_METRIC_LATENCY_P99,
                                           DSE_METRIC_DRAM_ENERGY, DSE_METRIC_DDR_BYTES, DSE_METRIC_THROUGHPUT, DSE_METRIC_LUT,
                                           DSE_METRIC_CYCLES,      DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_QUALITY};
    const size_t count = sizeof pool / sizeof *pool;
    size_t first = dse_rng_below(rng, count), step = 1 + 2 * dse_rng_below(rng, 2); /* 1 or 3: no metric repeats among three */
    question->objective_count = 1 + dse_rng_below(rng, 3);
    for (size_t o = 0; o < question->objective_count; o++)
        question->objectives[o] = pool[(first + o * step) % count];
    struct dse_joint *combination = NULL;
    struct dse_platform platform;
    struct dse_accumulators sums;
    struct dse_rejection rejection = {0};
    struct dse_config config = question->base;
    struct dse_error err;
    double metrics[DSE_METRIC_COUNT];
    dse_space_draw(question->space, question->free, rng, &config);
    assert_int_equal(dse_joint_create(question, how, sets, 2, &combination, &err), DSE_OK);
    assert_int_equal(dse_joint_evaluate(combination, &config, 0, &platform, &sums, metrics, &rejection, &err), DSE_OK);
    dse_joint_free(combination);
    enum dse_metric metric = pool[dse_rng_below(rng, count - 1)];
    question->limit_count = dse_rng_below(rng, 3) > 0 && !rejection.rejected;
    question->limits[0] = dse_limit_of(metric, dse_rng_below(rng, 3) == 0, (0.8 + 0.6 * dse_rng_uniform(rng)) * metrics[metric]);
}

/* Integer programs prove the least of the first objective that the visit has found. */
static void compare_programs(const struct dse_joint *combination, const struct dse_answer *visited, enum dse_metric metric, uint64_t trial)
{
    struct dse_error err = {0};
    struct dse_optimum optimum;
    double best = INFINITY;
    assert_int_equal(dse_joint_ilp(combination, &optimum, &err), DSE_OK);
    assert_int_equal(optimum.found, visited->front_count > 0);
    assert_true(optimum.proven);
    for (size_t i = 0; i < visited->front_count; i++)
        best = fmin(best, dse_objective_cost(metric, visited->front[i].metrics));
    double found = optimum.found ? dse_objective_cost(metric, optimum.point.metrics) : INFINITY;
    if (optimum.found && fabs(found - best) > 1e-9 * fabs(best))
        fail_msg("trial %llu, %s: %.17g by integer programs, %.17g by the visit", (unsigned long long)trial, dse_metrics[metric].name, found, best);
}

/* The exact merge equals the visit: the same designs, to the last bit. */
TEST(test_merge)
{
    static const double weights[][2] = {{1.0, 1.0}, {3.0, 1.0}, {0.3, 0.7}, {0.123456, 1.0}, {1.0, 400.0}, {900.0, 1.0}};
    size_t feasible = 0, summed = 0, programs = 0;
    for (uint64_t trial = FIRST_TRIAL; trial < FIRST_TRIAL + TRIALS; trial++) {
        struct dse_error err = {0};
        struct dse_rng rng;
        struct dse_space *own = NULL;
        struct dse_question question;
        struct dse_alternative first[SETTINGS], second[SETTINGS];
        struct dse_answer visited, merged;
        dse_rng_seed(&rng, 22, trial);
        ask(&question);
        assert_int_equal(dse_model_space(fixture.setup.family, NULL, &own, &err), DSE_OK);
        narrow(&rng, &question, own);
        make_alternatives(&question, fixture.workload, 0.6, first);
        make_alternatives(&question, &other->workloads[0], 0.5, second);
        question.alternatives = first;
        question.jobs = 1 + trial % 3;
        enum dse_joining how = (enum dse_joining)(trial % 3);
        const double *weight = weights[dse_rng_below(&rng, 6)];
        struct dse_joint_set sets[2] = {{first, weight[0]}, {second, weight[1]}};
        struct dse_joint *combination = NULL;
        ask_random(&rng, &question, sets, how);
        assert_int_equal(dse_joint_create(&question, how, sets, 2, &combination, &err), DSE_OK);
        assert_true(dse_joint_merges(combination));
        assert_int_equal(dse_joint_visit(combination, 1000000, &visited, &err), DSE_OK);
        assert_int_equal(dse_joint_exact(combination, &merged, &err), DSE_OK);
        assert_true(merged.proven);
        if (merged.front_count != visited.front_count)
            fail_msg("trial %llu, %s: %zu points by the merge, %zu by the visit", (unsigned long long)trial, dse_joining_names[how],
                     merged.front_count, visited.front_count);
        for (size_t i = 0; i < merged.front_count; i++) {
            assert_memory_equal(merged.front[i].metrics, visited.front[i].metrics, sizeof merged.front[i].metrics);
            assert_memory_equal(&merged.front[i].config, &visited.front[i].config, sizeof merged.front[i].config);
            assert_int_equal(merged.front[i].alternative, visited.front[i].alternative);
        }
        if (dse_joint_programs(combination))
            compare_programs(combination, &visited, question.objectives[0], trial);
        feasible += visited.front_count > 0;
        programs += dse_joint_programs(combination);
        summed += how != DSE_JOIN_WORST;
        dse_answer_free(&merged);
        dse_answer_free(&visited);
        dse_joint_free(combination);
        dse_space_free(own);
    }
    print_message("%d random questions, seed 22: %zu feasible, %zu of means, %zu by integer programs too\n", TRIALS, feasible, summed, programs);
    assert_true(feasible > TRIALS / 3 && programs > TRIALS / 3);
}

/* The least value of a metric that the visit finds under the limits; infinity if nothing meets them. */
static double least_visited(const struct dse_question *asked, const struct dse_joint_set *sets, size_t count, enum dse_joining how,
                            enum dse_metric metric)
{
    struct dse_error err;
    struct dse_answer answer;
    struct dse_joint *combination = NULL;
    struct dse_question question = *asked;
    question.objectives[0] = metric;
    question.objective_count = 1;
    assert_int_equal(dse_joint_create(&question, how, sets, count, &combination, &err), DSE_OK);
    assert_int_equal(dse_joint_visit(combination, 1000000, &answer, &err), DSE_OK);
    double least = answer.front_count > 0 ? answer.front[0].metrics[metric] : INFINITY;
    dse_answer_free(&answer);
    dse_joint_free(combination);
    return least;
}

/* Why no common design meets two limits: the needed value of each, and the worst ratio of the nearest miss, compared with the visit. */
TEST(test_why_nothing)
{
    static const enum dse_metric pool[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_LUT, DSE_METRIC_DSP, DSE_METRIC_POWER};
    struct dse_why *reasons = dse_malloc(sizeof *reasons);
    size_t told = 0, looked = 0;
    for (uint64_t trial = 0; trial < TRIALS_OF(60); trial++) {
        struct dse_error err;
        struct dse_rng rng;
        struct dse_question question;
        struct dse_alternative first[SETTINGS], second[SETTINGS];
        enum dse_joining how = (enum dse_joining)(trial % 3);
        ask(&question);
        make_alternatives(&question, fixture.workload, 0.6, first);
        make_alternatives(&question, &other->workloads[0], 0.5, second);
        question.alternatives = first;
        struct dse_joint_set sets[DSE_SETS_MAX + 1];
        size_t count = trial % 4 == 0 ? DSE_SETS_MAX + 1 : 2;
        for (size_t i = 0; i < count; i++)
            sets[i] = i % 2 == 0 ? (struct dse_joint_set){first, 3.0} : (struct dse_joint_set){second, 1.0};
        dse_rng_seed(&rng, 42, trial);
        for (size_t i = 0; i < 2; i++) {
            enum dse_metric metric = pool[(trial + 2 * i + dse_rng_below(&rng, 2)) % 5];
            question.limits[i] = dse_limit_of(metric, false, least_visited(&question, sets, count, how, metric));
            question.limits[i].bound *= 0.8 + 0.3 * dse_rng_uniform(&rng);
        }
        question.limit_count = 2;
        if (question.limits[0].metric == question.limits[1].metric || isfinite(least_visited(&question, sets, count, how, DSE_METRIC_LATENCY)))
            continue;
        struct dse_joint *combination = NULL;
        assert_int_equal(dse_joint_create(&question, how, sets, count, &combination, &err), DSE_OK);
        assert_int_equal(dse_joint_why(combination, NULL, INFINITY, reasons, &err), DSE_OK);
        assert_true(reasons->has_nearest);
        for (size_t i = 0; i < reasons->count; i++) {
            const struct dse_reason *reason = &reasons->reasons[i];
            struct dse_question rest = question;
            if (reason->kind != DSE_REASON_LIMIT || reason->conflict == 0)
                continue;
            if (reason->which == 0)
                rest.limits[0] = rest.limits[1];
            rest.limit_count = 1;
            double needed = least_visited(&rest, sets, count, how, reason->metric);
            if (reasons->conflicts == 1 && reason->best.metrics[reason->metric] != needed)
                fail_msg("trial %llu: %s has to be %.17g, not %.17g", (unsigned long long)trial, dse_metrics[reason->metric].name, needed,
                         reason->best.metrics[reason->metric]);
            told++;
            looked += !dse_joint_merges(combination);
        }
        double ratio = 1.0;
        for (size_t i = 0; i < 2; i++)
            ratio = fmax(ratio, reasons->nearest.metrics[question.limits[i].metric] / question.limits[i].bound);
        assert_true(fabs(ratio / reasons->ratio - 1.0) < 1e-12);
        for (size_t i = 0; i < 2; i++) /* no design meets a slightly smaller ratio */
            question.limits[i].bound *= (ratio - 1.0) * 0.999 + 1.0;
        assert_true(reasons->conflicts == 1 || isinf(least_visited(&question, sets, count, how, DSE_METRIC_LATENCY)));
        assert_true(dse_joint_merges(combination) == (count == 2 && question.limits[0].metric != DSE_METRIC_POWER && question.limits[1].metric != DSE_METRIC_POWER));
        dse_joint_free(combination);
    }
    print_message("%zu relaxations of infeasible questions are the visit's, %zu where the exact merge takes no part\n", told, looked);
    assert_true(told >= TRIALS_OF(20) && looked >= TRIALS_OF(10));
    free(reasons);
}

TESTS(open_all, close_all)
