/* One design for several data sets: against the exact merge where they are all the same, and against each by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/joint.h"
#include "search/question.h"
#include "tests/models/opened.h"

#define SETTINGS 2

static struct dse_profile *other; /* a shipped one: another data set's work */
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

/* Some hundreds of designs. */
static void ask(struct dse_question *question)
{
    static const char *const names[] = {"kse.pe", "nee.lanes", "lshu.pe", "sce.bits", "clock_mhz"};
    static const enum dse_metric objectives[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_QUALITY};
    struct dse_error err;
    *question = (struct dse_question){.family = fixture.setup.family, .space = space, .board = fixture.board,
                                      .costs = fixture.costs, .headroom = -1.0, .jobs = 2, .alternative_count = SETTINGS,
                                      .objective_count = 3};
    memcpy(question->objectives, objectives, sizeof objectives);
    dse_space_default(space, &question->base);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int knob = dse_space_find(space, names[i]);
        assert_true(knob >= 0);
        question->free |= DSE_KNOB_BIT(knob);
        int64_t values[3];
        memcpy(values, space->knobs[knob].domain, sizeof values);
        if (!space->knobs[knob].restricted)
            assert_int_equal(dse_space_restrict(space, (size_t)knob, values, 3, &err), DSE_OK);
    }
}

static void test_values(void **state)
{
    (void)state;
    const double values[] = {1.0, 4.0}, weights[] = {3.0, 1.0};
    assert_true(dse_joint_values(DSE_JOIN_MEAN, DSE_METRIC_LATENCY, values, weights, 2) == 2.5);
    assert_true(dse_joint_values(DSE_JOIN_WEIGHTED, DSE_METRIC_LATENCY, values, weights, 2) == 1.75);
    assert_true(dse_joint_values(DSE_JOIN_WORST, DSE_METRIC_LATENCY, values, weights, 2) == 4.0);
    assert_true(dse_joint_values(DSE_JOIN_WORST, DSE_METRIC_QUALITY, values, weights, 2) == 1.0);
    const double unknown[] = {NAN, 4.0};
    assert_true(isnan(dse_joint_values(DSE_JOIN_WORST, DSE_METRIC_QUALITY, unknown, weights, 2)));
}

/* One data set, or the same one twice, is the ordinary question. */
static void test_same_sets(void **state)
{
    (void)state;
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

/* The metrics of each data set by the estimate, and what they make together; the heuristic finds the visit's best. */
static void test_two_sets(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_same_sets),
                                       cmocka_unit_test(test_two_sets)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
