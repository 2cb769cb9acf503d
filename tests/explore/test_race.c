/* A race on artificial scores: losing settings are stopped, ties are not, and the best is found with fewer measurements. A survey is the
 * same for any number of threads. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "datasets/generate.h"
#include "datasets/graphs.h"
#include "datasets/split.h"
#include "explore/racing.h"
#include "search/profiled.h"
#include "tests/test.h"

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

/* Runner i has the mean 0.9 − step × i; a split is equally easy or hard for all. */
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

TEST(test_stops_losers)
{
    struct table table;
    struct dse_runner runners[RUNNERS];
    struct dse_error err;
    size_t measured = 0, lost = 0;
    double regret = 0.0;
    for (uint64_t trial = 0; trial < 50; trial++) {
        fill(&table, 0.01, 0.01, trial);
        struct dse_race race = race_of(runners, &table);
        assert_int_equal(dse_race_run(&race, DSE_RACE_SPLITS, 1.0, &err), DSE_OK);
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

/* The test stops few of several equal settings: its level is for a pair. */
TEST(test_level)
{
    struct table table;
    size_t lost = 0, pairs = 0;
    for (uint64_t trial = 0; trial < 200; trial++) {
        fill(&table, 0.0, 0.02, 1000 + trial);
        for (size_t i = 0; i + 1 < RUNNERS; i += 2, pairs++)
            lost += dse_race_lost(table.score[i], table.score[i + 1], DSE_RACE_SPLITS, 0.0, true, NULL);
    }
    double share = (double)lost / (double)pairs; /* independent scores: no overlap */
    print_message("%zu equal pairs: %.3f called different\n", pairs, share);
    assert_true(share > 0.035 && share < 0.065);
    assert_false(dse_race_lost(table.score[0], table.score[0], DSE_RACE_SPLITS, 0.25, true, NULL));
}

/* With known scatter of the other settings the level is kept, and a pair with four scores is distinguished at half the distance. */
TEST(test_moderated)
{
    struct table table;
    struct dse_race_spread spread = {2.0 * 0.02 * 0.02, 100.0};
    size_t lost = 0, pairs = 0, far[2] = {0, 0};
    for (uint64_t trial = 0; trial < 400; trial++) {
        fill(&table, 0.0, 0.02, 3000 + trial);
        for (size_t i = 0; i + 1 < RUNNERS; i += 2, pairs++)
            lost += dse_race_lost(table.score[i], table.score[i + 1], 4, 0.0, true, &spread);
        fill(&table, 0.03, 0.02, 4000 + trial);
        for (size_t i = 0; i + 1 < RUNNERS; i += 2)
            for (size_t with = 0; with < 2; with++)
                far[with] += dse_race_lost(table.score[i], table.score[i + 1], 4, 0.0, true, with == 1 ? &spread : NULL);
    }
    double share = (double)lost / (double)pairs;
    print_message("%zu equal pairs of 4: %.3f called different; 0.03 apart: %.3f alone, %.3f moderated\n", pairs, share,
                  (double)far[0] / (double)pairs, (double)far[1] / (double)pairs);
    assert_true(share > 0.035 && share < 0.065);
    assert_true(far[1] > far[0]);
}

TEST(test_budget_and_kinds)
{
    struct table table;
    struct dse_runner runners[RUNNERS];
    struct dse_error err;
    fill(&table, 0.0, 0.01, 3);
    struct dse_race race = race_of(runners, &table);
    race.budget = 45.0;
    assert_int_equal(dse_race_run(&race, DSE_RACE_SPLITS, 1.0, &err), DSE_OK);
    assert_true(race.ended);
    assert_true(race.measurements > 35 && race.measurements <= 45); /* the rest of the budget is less than the next split takes */
    size_t kept[2] = {0, 0}, far = 0;
    for (size_t i = 0; i < RUNNERS; i++) {
        assert_int_equal(runners[i].count > 0, i < 15); /* three splits each */
        far += runners[i].count >= 6;
    }
    assert_true(far >= 1 && far <= 4);
    struct dse_race other = race_of(runners, &table);
    for (size_t i = 0; i < RUNNERS; i++)
        runners[i].kind = i < 30 ? 0 : 30;
    other.budget = 0.5 * RUNNERS * DSE_RACE_SPLITS;
    assert_int_equal(dse_race_run(&other, 4, 1.0, &err), DSE_OK); /* enough for all */
    dse_race_keep(&other, 3);
    for (size_t i = 0; i < RUNNERS; i++)
        kept[i >= 30] += runners[i].fate == DSE_RACE_RUNNING;
    assert_int_equal(kept[0], 3);
    assert_int_equal(kept[1], 3);
}

/* With a tenth of the budget for all splits of all settings, the race spends it on the best: closer to the optimum than a random choice of as many settings. */
TEST(test_halving)
{
    struct table table;
    struct dse_runner runners[RUNNERS];
    struct dse_error err;
    double raced = 0.0, drawn = 0.0;
    for (uint64_t trial = 0; trial < 100; trial++) {
        struct dse_rng rng;
        int32_t order[RUNNERS];
        fill(&table, 0.005, 0.02, 5000 + trial);
        dse_rng_seed(&rng, trial, 1);
        for (size_t i = 0; i < RUNNERS; i++)
            order[i] = (int32_t)i;
        dse_rng_shuffle(&rng, order, RUNNERS);
        struct table shuffled;
        for (size_t i = 0; i < RUNNERS; i++)
            memcpy(shuffled.score[i], table.score[order[i]], sizeof table.score[i]);
        struct dse_race race = race_of(runners, &shuffled);
        race.budget = 0.25 * RUNNERS * DSE_RACE_SPLITS;
        assert_int_equal(dse_race_run(&race, DSE_RACE_SPLITS, 1.0, &err), DSE_OK);
        raced += 0.005 * (double)order[dse_race_leader(&race)] / 100.0;
        size_t best = 0; /* best of a quarter of the settings, with all splits */
        for (size_t i = 1; i < RUNNERS / 4; i++) {
            double sum = 0.0;
            for (size_t s = 0; s < DSE_RACE_SPLITS; s++)
                sum += shuffled.score[i][s] - shuffled.score[best][s];
            best = sum > 0.0 ? i : best;
        }
        drawn += 0.005 * (double)order[best] / 100.0;
    }
    print_message("a quarter of the trainings: mean regret %.4f raced, %.4f drawn at random\n", raced, drawn);
    assert_true(raced < 0.6 * drawn);
}

/* The validation part lies in the split's training part; the split's held-out items are not used. */
TEST(test_inner_split)
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
    struct dse_racing what = {.executor = dse_executor_find("nysx"), .dataset = data, .first_seed = 1, .crew = {.jobs = jobs}, .units = units,
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

TEST(test_survey)
{
    const struct dse_dataset *data = *state;
    struct dse_raced one, two, less;
    char *a = survey_text(data, 1, 1.0, &one), *b = survey_text(data, 3, 1.0, &two), *c = survey_text(data, 2, 0.2, &less);
    assert_string_equal(a, b);
    assert_int_equal(one.trainings, two.trainings);
    assert_true(one.settings > 20 && one.stopped > 0 && one.reported > 0);
    assert_true(less.ended && less.trainings < one.trainings && *less.untried != '\0');
    assert_non_null(strstr(a, " reported_n=\"10\""));
    /* The minimum accuracy of answers follows the preset "paper", the baseline follows the published text: both are measured. */
    struct dse_profile *profile = NULL;
    assert_int_equal(dse_profile_parse(a, strlen(a), "a.xml", &profile, NULL), DSE_OK);
    const struct dse_quality *reference = dse_profile_reference_quality(profile), *described = dse_profile_quality(profile, &profile->preset);
    assert_true(reference != NULL && described != NULL && reference != described && reference->n >= 3);
    assert_string_equal(dse_setting_get(&reference->setting, "retrain"), "20");
    struct dse_setting best = {0}; /* the preset that the plan starts from races as well */
    struct dse_error err;
    assert_int_equal(dse_executor_preset(dse_executor_find("nysx"), "best", data, 0, &best, &err), DSE_OK);
    assert_non_null(dse_profile_quality(profile, &best));
    dse_setting_free(&best);
    dse_profile_free(profile);
    /* The note before a survey: the work for these data, at most the budget. */
    double whole_s = dse_racing_seconds(dse_executor_find("nysx"), data, 1e3), units = whole_s / 0.375; /* a unit is 0.375 s of two cores */
    struct dse_raced whole;
    free(survey_text(data, 2, 80.0, &whole));
    if (units < whole.units / 2 || units > 2 * whole.units)
        fail_msg("estimated %.2f units, took %.2f", units, whole.units);
    double half_s = dse_racing_seconds(dse_executor_find("nysx"), data, units / 2);
    assert_true(half_s <= whole_s / 2 && half_s > whole_s / 4);
    print_message("%zu settings in %zu trainings, %.2f units; with 0.2 units %zu in %zu, not tried: %s\n", one.settings, one.trainings,
                  one.units, less.settings, less.trainings, less.untried);
    free(a);
    free(b);
    free(c);
}

/* A survey interrupted after some training runs and then continued gives the same result. */
struct ender {
    size_t left; /* checks of the monitor until it ends */
};

static bool ends(void *user)
{
    struct ender *ender = user;
    return ender->left == 0 || --ender->left == 0;
}

TEST(test_goes_on)
{
    const struct dse_dataset *data = *state;
    struct dse_raced whole, told = {0};
    struct ender ender = {5000};
    struct dse_monitor monitor = {.cancelled = ends, .user = &ender};
    const char *part = "race_test.part";
    remove(part);
    struct dse_racing what = {.executor = dse_executor_find("nysx"), .dataset = data, .first_seed = 1, .crew = {.jobs = 1}, .units = 2.0,
                              .deadline_s = INFINITY, .command = "test", .scores = part, .monitor = &monitor};
    struct dse_profile *profile = NULL;
    struct dse_error err = {0};
    struct dse_strbuf text = {0};
    char *uninterrupted = survey_text(data, 1, 2.0, &whole);
    assert_int_equal(dse_racing_survey(&what, &profile, &told, &err), DSE_CANCELLED);
    assert_null(profile);
    assert_true(told.kept && told.found == 0);
    what.monitor = NULL;
    assert_int_equal(dse_racing_survey(&what, &profile, &told, &err), DSE_OK);
    print_message("%zu of %zu trainings were made before\n", told.found, told.trainings);
    assert_true(told.found > 10 && told.found < told.trainings && told.trainings == whole.trainings);
    assert_int_equal(dse_profile_format(profile, &text, &err), DSE_OK);
    assert_string_equal(dse_strbuf_text(&text), uninterrupted);
    assert_null(fopen(part, "r")); /* a whole survey leaves nothing behind */
    dse_profile_free(profile);
    dse_strbuf_free(&text);
    free(uninterrupted);
}

static void forget(void *user)
{
    ((struct ender *)user)->left = SIZE_MAX;
}

/* A requested end leaves a profile of the measurements so far (at first only the preset's workload), and does not end the following work. */
TEST(test_asked_to_end)
{
    const struct dse_dataset *data = *state;
    struct ender ender = {0};
    struct dse_monitor monitor = {.cancelled = ends, .user = &ender};
    struct dse_racing what = {.executor = dse_executor_find("nysx"), .dataset = data, .first_seed = 1, .crew = {.jobs = 1}, .units = 1.0,
                              .deadline_s = INFINITY, .command = "test", .monitor = &monitor, .go_on = forget, .user = &ender};
    struct dse_profile *profile = NULL;
    struct dse_raced told = {0};
    struct dse_error err = {0};
    size_t qualities = 0;
    for (size_t left = 10; qualities == 0 && left < 100000; left += left / 4) {
        ender.left = left;
        assert_int_equal(dse_racing_survey(&what, &profile, &told, &err), DSE_OK);
        assert_true(told.asked && told.cut && ender.left > SIZE_MAX / 2 && profile->workload_count > 0);
        assert_true(told.units < told.whole && isnan(told.left_s) == (told.units == 0) && (left > 10 || told.units == 0));
        qualities = profile->quality_count;
        assert_true(left > 10 || qualities == 0);
        dse_profile_free(profile);
    }
    assert_true(qualities > 0);
}

static struct dse_dataset dataset = {.name = (char[]){"TOY"}};

static int make_data(void **state)
{
    struct dse_error err;
    struct dse_graph_set *set = NULL;
    struct dse_generate what = dse_generate_defaults();
    what.graphs = 150;
    what.feature_signal = 0.15;
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

TESTS(make_data, drop_data)
