/* Measuring on demand finds what measuring everything would have found, with fewer measurements. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "search/heuristic.h"
#include "search/lazy.h"
#include "tests/models/opened.h"
#include "tests/test.h"

#define SETTINGS 9
#define KNOWN 3 /* number of settings measured beforehand */
#define TRIALS 40

/* The quality of a trial, and the number of requests for it. */
struct trial {
    double quality[SETTINGS];
    size_t measured, limit;
};

static enum dse_status search(void *user, size_t which, const struct dse_question *question, struct dse_answer *answer,
                              struct dse_error *err)
{
    (void)user;
    (void)which;
    return dse_search_exact(question, answer, err);
}

static enum dse_status measure(void *user, const size_t *which, size_t count, double *quality, bool *ended,
                               struct dse_error *err)
{
    struct trial *trial = user;
    (void)err;
    for (size_t i = 0; i < count && trial->measured < trial->limit; i++, trial->measured++)
        quality[i] = trial->quality[KNOWN + which[i]];
    *ended = trial->measured == trial->limit;
    return DSE_OK;
}

/* A few knobs are free; the others stay at their base values. */
static void make_space(struct dse_rng *rng, struct dse_space *space, const struct dse_config *base, dse_knob_set *free)
{
    static const char *const names[] = {"kse.pe", "nee.lanes", "lshu.pe", "sce.bits", "clock_mhz", "hue.pe"};
    *free = (dse_knob_set){{0}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int knob = dse_space_find(space, names[i]);
        assert_true(knob >= 0);
        if (dse_rng_below(rng, 3) > 0)
            dse_bits_add(free, knob);
    }
    for (size_t k = 0; k < space->count; k++)
        if (!dse_bits_has(*free, k))
            dse_space_restrict(space, k, &base->value[k], 1);
}

static void make_alternatives(struct dse_rng *rng, const struct dse_config *base, struct dse_alternative *all,
                              struct trial *trial)
{
    struct dse_error err;
    for (int i = 0; i < SETTINGS; i++) {
        char dim[32];
        trial->quality[i] = 0.5 + 0.05 * (double)dse_rng_below(rng, 9);
        all[i] = (struct dse_alternative){*base, fixture.workload, trial->quality[i]};
        snprintf(dim, sizeof dim, "%d", 1000 + 900 * (int)((i * 5) % SETTINGS));
        assert_int_equal(dse_config_set(fixture.space, &all[i].config, "dim", dim, &err), DSE_OK);
    }
}

static void draw_question(struct dse_rng *rng, struct dse_question *question)
{
    static const enum dse_metric sets[][3] = {{DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_LUT},
                                              {DSE_METRIC_LATENCY, DSE_METRIC_QUALITY, DSE_METRIC_DSP},
                                              {DSE_METRIC_ENERGY, DSE_METRIC_BRAM18, DSE_METRIC_QUALITY}};
    memcpy(question->objectives, sets[dse_rng_below(rng, 3)], sizeof sets[0]);
    question->objective_count = 1 + dse_rng_below(rng, 3);
    if (dse_rng_below(rng, 2) == 0)
        question->limits[question->limit_count++] =
            dse_limit_of(DSE_METRIC_QUALITY, true, 0.5 + 0.05 * (double)dse_rng_below(rng, 9));
    if (dse_rng_below(rng, 3) == 0)
        question->limits[question->limit_count++] = dse_limit_of(DSE_METRIC_LUT, false, 60000);
}

static void check_equal(int number, const struct dse_question *question, const struct dse_answer *a,
                        const struct dse_answer *b)
{
    if (a->front_count != b->front_count)
        fail_msg("trial %d: %zu points on demand, %zu when all is measured", number, a->front_count, b->front_count);
    for (size_t i = 0; i < a->front_count; i++)
        for (size_t o = 0; o < question->objective_count; o++)
            if (a->front[i].metrics[question->objectives[o]] != b->front[i].metrics[question->objectives[o]])
                fail_msg("trial %d: point %zu differs in %s", number, i, dse_metrics[question->objectives[o]].name);
}

/* One random search, with all settings measured and on demand. Returns the number of saved measurements. */
static size_t try_one(int number, size_t batch)
{
    struct dse_rng rng;
    struct dse_error err = {0};
    struct dse_space *space = NULL;
    struct trial trial = {.limit = SIZE_MAX};
    struct dse_alternative all[SETTINGS];
    struct dse_candidate candidates[SETTINGS] = {{{.quality = 0}, DSE_FATE_OPEN}};
    struct dse_question question = {.family = fixture.setup.family, .board = fixture.board, .costs = fixture.costs,
                                    .headroom = -1.0, .jobs = 2, .alternatives = all, .alternative_count = SETTINGS};
    struct dse_answer expected = {0}, found = {.proven = true};
    dse_rng_seed(&rng, (uint64_t)number, 0);
    assert_int_equal(dse_model_space(fixture.setup.family, NULL, &space, &err), DSE_OK);
    dse_space_default(space, &question.base);
    make_space(&rng, space, &question.base, &question.free);
    question.space = space;
    make_alternatives(&rng, &question.base, all, &trial);
    draw_question(&rng, &question);
    assert_int_equal(dse_search_exact(&question, &expected, &err), DSE_OK);
    question.alternative_count = KNOWN;
    assert_int_equal(dse_search_exact(&question, &found, &err), DSE_OK);
    for (size_t i = 0; i < SETTINGS - KNOWN; i++) {
        candidates[i].alternative = all[KNOWN + i];
        candidates[i].alternative.quality = NAN;
    }
    struct dse_lazy demand = {.question = &question, .candidates = candidates, .candidate_count = SETTINGS - KNOWN,
                                .least_quality = -INFINITY, .best_quality = 1.0, .batch = batch, .search = search,
                                .measure = measure, .user = &trial};
    assert_int_equal(dse_lazy_search(&demand, &found, &err), DSE_OK);
    assert_int_equal(found.outcome, expected.outcome);
    check_equal(number, &question, &found, &expected);
    assert_true(found.proven);
    dse_answer_free(&expected);
    dse_answer_free(&found);
    dse_space_free(space);
    return SETTINGS - KNOWN - trial.measured;
}

TEST(test_equal_to_measuring_all)
{
    size_t saved = 0;
    for (int number = 0; number < TRIALS; number++)
        saved += try_one(number, 1 + (size_t)number % 3);
    assert_true(saved > TRIALS / 2);
}

/* Without the time to measure, candidates stay open and nothing is proven. */
TEST(test_budget)
{
    struct dse_error err = {0};
    struct trial trial = {.quality = {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9}, .limit = 1};
    struct dse_candidate candidates[2] = {{{.quality = NAN}, DSE_FATE_OPEN}, {{.quality = NAN}, DSE_FATE_OPEN}};
    struct dse_question question = {.family = fixture.setup.family, .board = fixture.board, .costs = fixture.costs,
                                    .space = fixture.space, .headroom = -1.0, .jobs = 1,
                                    .objectives = {DSE_METRIC_QUALITY, DSE_METRIC_LATENCY}, .objective_count = 2};
    dse_space_default(fixture.space, &question.base);
    for (int i = 0; i < 2; i++) {
        candidates[i].alternative.config = question.base;
        candidates[i].alternative.workload = fixture.workload;
        assert_int_equal(dse_config_set(fixture.space, &candidates[i].alternative.config, "dim", i == 0 ? "2048" : "1024", &err),
                         DSE_OK);
    }
    struct dse_answer found = {.proven = true};
    struct dse_lazy demand = {.question = &question, .candidates = candidates, .candidate_count = 2,
                                .least_quality = -INFINITY, .best_quality = 1.0, .batch = 1, .search = search,
                                .measure = measure, .user = &trial};
    assert_int_equal(dse_lazy_search(&demand, &found, &err), DSE_OK);
    assert_int_equal(found.front_count, 1);
    assert_false(found.proven);
    assert_int_equal(candidates[0].fate, DSE_FATE_OPEN);
    assert_int_equal(candidates[1].fate, DSE_FATE_MEASURED); /* the faster one came first */
    dse_answer_free(&found);
}

TESTS(open_fixture, close_fixture)
