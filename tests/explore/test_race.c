/* A race on made-up scores: what has lost is stopped, ties are not, and the best is found for fewer measurements; a survey is the
 * same for any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "datasets/generate.h"
#include "datasets/graphs.h"
#include "datasets/split.h"
#include "explore/racing.h"

#define RUNNERS 40

struct table {
    double score[RUNNERS][DSE_RACE_SPLITS];
};

static enum dse_status look_up(void *user, const size_t *which, size_t count, size_t split, double *scores, struct dse_error *err)
{
    (void)err;
    const struct table *table = user;
    for (size_t i = 0; i < count; i++)
        scores[i] = table->score[which[i]][split];
    return DSE_OK;
}

/* Runner i has the mean 0.9 − step × i; splits are easy or hard for all alike. */
static void fill(struct table *table, double step, double noise, uint64_t seed)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, 0);
    for (size_t s = 0; s < DSE_RACE_SPLITS; s++) {
        double easy = 0.05 * dse_rng_normal(&rng);
        for (size_t i = 0; i < RUNNERS; i++)
            table->score[i][s] = 0.9 - step * (double)i + easy + noise * dse_rng_normal(&rng);
    }
}

static struct dse_race race_of(struct dse_runner *runners, struct table *table)
{
    memset(runners, 0, RUNNERS * sizeof *runners);
    for (size_t i = 0; i < RUNNERS; i++)
        runners[i].units = 1.0;
    return (struct dse_race){.runners = runners, .count = RUNNERS, .higher_is_better = true, .overlap = 0.25, .budget = 1e9,
                             .measure = look_up, .user = table};
}

static void test_stops_losers(void **state)
{
    (void)state;
    struct table table;
    struct dse_runner runners[RUNNERS];
    struct dse_error err;
    size_t measured = 0, lost = 0;
    double regret = 0.0;
    for (uint64_t trial = 0; trial < 50; trial++) {
        fill(&table, 0.01, 0.01, trial);
        struct dse_race race = race_of(runners, &table);
        assert_int_equal(dse_race_run(&race, DSE_RACE_SPLITS, &err), DSE_OK);
        regret += 0.01 * (double)dse_race_leader(&race) / 50.0;
        measured += race.measurements;
        lost += runners[0].fate == DSE_RACE_LOST;
        assert_int_equal(runners[RUNNERS - 1].fate, DSE_RACE_LOST);
        for (size_t i = 0; i < RUNNERS; i++)
            assert_true(runners[i].fate == DSE_RACE_LOST || runners[i].count == DSE_RACE_SPLITS);
    }
    print_message("50 races of 40: %zu measurements of %d, mean regret %.4f, the best one stopped %zu times\n", measured,
                  50 * RUNNERS * DSE_RACE_SPLITS, regret, lost);
    assert_true(measured < 50 * RUNNERS * DSE_RACE_SPLITS / 2);
    assert_true(regret < 0.003 && lost <= 2);
}

/* Of equal settings the test stops few: its level is that of a pair. */
static void test_level(void **state)
{
    (void)state;
    struct table table;
    size_t lost = 0, pairs = 0;
    for (uint64_t trial = 0; trial < 200; trial++) {
        fill(&table, 0.0, 0.02, 1000 + trial);
        for (size_t i = 0; i + 1 < RUNNERS; i += 2, pairs++)
            lost += dse_race_lost(table.score[i], table.score[i + 1], DSE_RACE_SPLITS, 0.0, true);
    }
    double share = (double)lost / (double)pairs; /* independent scores: no overlap */
    print_message("%zu equal pairs: %.3f called different\n", pairs, share);
    assert_true(share > 0.035 && share < 0.065);
    assert_false(dse_race_lost(table.score[0], table.score[0], DSE_RACE_SPLITS, 0.25, true));
}

static void test_budget_and_kinds(void **state)
{
    (void)state;
    struct table table;
    struct dse_runner runners[RUNNERS];
    struct dse_error err;
    fill(&table, 0.0, 0.01, 3);
    struct dse_race race = race_of(runners, &table);
    race.budget = 45.0;
    assert_int_equal(dse_race_run(&race, DSE_RACE_SPLITS, &err), DSE_OK);
    assert_true(race.ended);
    assert_int_equal(race.measurements, 45);
    assert_int_equal(runners[4].count, 2);
    assert_int_equal(runners[5].count, 1);
    for (size_t i = 0; i < RUNNERS; i++)
        runners[i].kind = i < 30 ? 0 : 30;
    dse_race_keep(&race, 3);
    size_t kept[2] = {0, 0};
    for (size_t i = 0; i < RUNNERS; i++)
        kept[i >= 30] += runners[i].fate == DSE_RACE_RUNNING;
    assert_int_equal(kept[0], 3);
    assert_int_equal(kept[1], 3);
}

/* The validation part lies in the training part of the split, and what that holds out is nowhere. */
static void test_inner_split(void **state)
{
    const struct dse_dataset *data = *state;
    struct dse_split outer, inner;
    struct dse_error err;
    const struct dse_executor *executor = dse_executor_find("nysx");
    struct dse_run run = {.seed = 5, .jobs = 1};
    assert_int_equal(dse_executor_split(executor, data, &run, &outer, &err), DSE_OK);
    run.validation = true;
    assert_int_equal(dse_executor_split(executor, data, &run, &inner, &err), DSE_OK);
    assert_int_equal(inner.n_train + inner.n_test, outer.n_train);
    for (size_t i = 0; i < outer.n_test; i++) {
        for (size_t k = 0; k < inner.n_train; k++)
            assert_int_not_equal(inner.train[k], outer.test[i]);
        for (size_t k = 0; k < inner.n_test; k++)
            assert_int_not_equal(inner.test[k], outer.test[i]);
    }
    dse_split_free(&inner);
    run.at_most = 10;
    assert_int_equal(dse_executor_split(executor, data, &run, &inner, &err), DSE_OK);
    assert_int_equal(inner.n_train, 10);
    assert_int_equal(inner.n_test, 5);
    dse_split_free(&inner);
    dse_split_free(&outer);
}

static char *survey_text(const struct dse_dataset *data, size_t jobs, double units, struct dse_raced *told)
{
    struct dse_racing what = {.executor = dse_executor_find("nysx"), .dataset = data, .first_seed = 1, .jobs = jobs, .units = units,
                              .deadline_s = INFINITY, .command = "test"};
    struct dse_profile *profile = NULL;
    struct dse_error err = {0};
    struct dse_strbuf text = {0};
    if (dse_racing_survey(&what, &profile, told, &err) != DSE_OK)
        fail_msg("%s", err.message);
    assert_int_equal(dse_profile_format(profile, &text, &err), DSE_OK);
    dse_profile_free(profile);
    char *copy = strdup(dse_strbuf_text(&text));
    dse_strbuf_free(&text);
    return copy;
}

static void test_survey(void **state)
{
    const struct dse_dataset *data = *state;
    struct dse_raced one, two, less;
    char *a = survey_text(data, 1, 1.0, &one), *b = survey_text(data, 3, 1.0, &two), *c = survey_text(data, 2, 0.2, &less);
    assert_string_equal(a, b);
    assert_int_equal(one.trainings, two.trainings);
    assert_true(one.settings > 20 && one.stopped > 0 && one.reported > 0);
    assert_true(less.ended && less.trainings < one.trainings && *less.untried != '\0');
    assert_non_null(strstr(a, " reported_n=\"10\""));
    print_message("%zu settings in %zu trainings, %.2f units; with 0.2 units %zu in %zu, not tried: %s\n", one.settings, one.trainings,
                  one.units, less.settings, less.trainings, less.untried);
    free(a);
    free(b);
    free(c);
}

static struct dse_dataset dataset = {.name = (char[]){"TOY"}};

static int make_data(void **state)
{
    struct dse_error err;
    struct dse_graph_set *set = NULL;
    struct dse_generate what = dse_generate_defaults();
    what.graphs = 150;
    what.feature_signal = 0.3;
    if (dse_generate_set(&what, &set, &err) != DSE_OK)
        return 1;
    dataset.kind = &dse_kind_graphs;
    dataset.content = set;
    dataset.hash = set->hash;
    *state = &dataset;
    return 0;
}

static int drop_data(void **state)
{
    (void)state;
    dse_graph_set_free(dataset.content);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops_losers),
        cmocka_unit_test(test_level),
        cmocka_unit_test(test_budget_and_kinds),
        cmocka_unit_test(test_inner_split),
        cmocka_unit_test(test_survey),
    };
    return cmocka_run_group_tests_name("race", tests, make_data, drop_data);
}
