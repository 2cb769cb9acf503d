/* The exact merge against the exhaustive visit on random sub-spaces of every family, shipped profile and several boards, with limits as
 * users write them, including percentages; and every value of a knob has an effect. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/rng.h"
#include "models/estimate.h"
#include "devices/hosts.h"
#include "search/archive.h"
#include "search/every.h"
#include "search/groups.h"
#include "search/heuristic.h"
#include "search/ilp.h"
#include "search/question.h"
#include "search/tables.h"
#include "tests/models/fixture.h"
#include "tests/test.h"

#define SEED 620
#define TRIALS_EACH TRIALS_OF(100) /* trials per family */
#define CONDITIONS_EACH TRIALS_OF(30)
#define QUEUES TRIALS_OF(200)
#define BOARD_STEP (101 / TRIALS_EACH)
#define SUBSPACE_MAX 40000 /* maximum designs of one setting */

/* A family, a data set and a board, and a question about them. */
struct world {
    const struct dse_model_family *family;
    struct dse_profile *profile;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_space *space;
    struct dse_alternative *alternatives;
    struct dse_question question;
    char where[256];
};

static char **profiles;
static size_t profile_count;

/* The profiles of each family that has some. */
static struct {
    const char *name;
    size_t profiles[64], count;
} families[16];
static size_t family_count;

static int list_profiles(void **state)
{
    (void)state;
    struct dse_error err;
    assert_int_equal(dse_profile_names("*", &profiles, &profile_count, &err), DSE_OK);
    for (size_t i = 0; i < profile_count; i++) {
        struct dse_profile *profile = NULL;
        assert_int_equal(dse_profile_open(profiles[i], &profile, &err), DSE_OK);
        const struct dse_model_family *family = dse_model_find(profile->family);
        dse_profile_free(profile);
        assert_non_null(family);
        size_t f = 0;
        while (f < family_count && strcmp(families[f].name, family->name) != 0)
            f++;
        family_count += f == family_count;
        families[f].name = family->name;
        families[f].profiles[families[f].count++] = i;
    }
    assert_true(family_count >= 5);
    return 0;
}

static int free_profiles(void **state)
{
    (void)state;
    dse_share_names_free(profiles, profile_count);
    return 0;
}

/* Hardware knobs one value each, then several for random ones while there is room. */
static void narrow(struct dse_rng *rng, bool overlaps, struct world *world)
{
    struct dse_error err;
    struct dse_space *space = world->space, *whole = NULL;
    assert_int_equal(dse_model_space(world->family, NULL, &whole, &err), DSE_OK);
    if (overlaps)
        dse_question_every_overlap(world->question.family, whole);
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &whole->knobs[k];
        if (dse_bits_has(world->question.free, k))
            dse_space_restrict(space, k, &knob->domain[dse_rng_below(rng, knob->domain_count)], 1);
    }
    for (int tries = 0; tries < 60; tries++) {
        size_t k = dse_rng_below(rng, space->count), there = whole->knobs[k].domain_count;
        if (!dse_bits_has(world->question.free, k) || space->knobs[k].domain_count > 1)
            continue;
        int64_t before = space->knobs[k].domain[0];
        dse_space_restrict(space, k, whole->knobs[k].domain, 1 + dse_rng_below(rng, there));
        if (dse_space_size(space, world->question.free) > SUBSPACE_MAX)
            dse_space_restrict(space, k, &before, 1);
    }
    dse_space_free(whole);
}

/* Limits near a design's values, and shares of the board. */
static void write_limits(struct dse_rng *rng, struct world *world)
{
    static const char *const resources[] = {"bram18", "dsp", "lut", "ff", "uram", "lutram"};
    char *text = world->where;
    size_t size = sizeof world->where;
    text[0] = '\0';
    if (dse_rng_below(rng, 2) == 0)
        snprintf(text, size, "%s<=%d%%", resources[dse_rng_below(rng, 6)], 10 + (int)dse_rng_below(rng, 80));
    const struct dse_alternative *some = &world->alternatives[0];
    struct dse_setup setup = {.family = world->family, .space = world->space, .board = world->board, .costs = world->costs,
                              .workload = some->workload, .headroom = -1.0};
    struct dse_config config = some->config;
    struct dse_estimate estimate;
    struct dse_error err;
    dse_space_draw(world->space, world->question.free, rng, &config);
    if (dse_rng_below(rng, 2) == 0 || dse_estimate_built(&setup, &config, &estimate, &err) != DSE_OK)
        return;
    size_t used = strlen(text);
    double factor = 0.7 + 0.8 * dse_rng_uniform(rng);
    static const struct {
        const char *text, *unit;
        enum dse_metric metric;
    } wrong[] = {{"latency>=", "s", DSE_METRIC_LATENCY}, {"energy>=", "J", DSE_METRIC_ENERGY},
                 {"power>=", "", DSE_METRIC_POWER},      {"throughput<=", "", DSE_METRIC_THROUGHPUT},
                 {"latency_system>=", "s", DSE_METRIC_LATENCY_SYSTEM}, {"energy_per_item>=", "J", DSE_METRIC_ENERGY_SYSTEM},
                 {"power_system>=", "", DSE_METRIC_POWER_SYSTEM}, {"throughput_system<=", "", DSE_METRIC_THROUGHPUT_SYSTEM}};
    size_t which = dse_rng_below(rng, 20);
    if (which < sizeof wrong / sizeof *wrong)
        snprintf(text + used, size - used, "%s%s%.9g%s", used > 0 ? " && " : "", wrong[which].text,
                 factor * estimate.metrics[wrong[which].metric], wrong[which].unit);
    else if (dse_rng_below(rng, 2) == 0)
        snprintf(text + used, size - used, "%slatency<=%.9gs", used > 0 ? " && " : "", factor * estimate.metrics[DSE_METRIC_LATENCY]);
    else
        snprintf(text + used, size - used, "%senergy<=%.9gJ", used > 0 ? " && " : "", factor * estimate.metrics[DSE_METRIC_ENERGY]);
}

static void choose_objectives(struct dse_rng *rng, bool queued, struct dse_question *question)
{
    static const enum dse_metric pool[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_BRAM18,     DSE_METRIC_LUT,
                                           DSE_METRIC_DSP,     DSE_METRIC_THROUGHPUT_SYSTEM, DSE_METRIC_THROUGHPUT, DSE_METRIC_LATENCY_P99,
                                           DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_POWER_SYSTEM};
    const size_t count = sizeof pool / sizeof *pool;
    size_t wanted = 1 + dse_rng_below(rng, 3), first = dse_rng_below(rng, count), step = 1 + dse_rng_below(rng, count - 1);
    if (queued) { /* a draw with few resources, so that a longer time of one kind is a shorter one of another on the front */
        static const enum dse_metric rates[] = {DSE_METRIC_THROUGHPUT_SYSTEM, DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_LUT, DSE_METRIC_BRAM18};
        for (size_t i = dse_rng_below(rng, 2); i < 4; i += 1 + dse_rng_below(rng, 3))
            question->objectives[question->objective_count++] = rates[i];
        return;
    }
    for (size_t i = 0; i < wanted; i++) /* the step visits all values, since their number is prime */
        question->objectives[question->objective_count++] = pool[(first + i * step) % count];
}

/* One to three of the profile's settings. */
static void keep_some(struct dse_rng *rng, struct world *world)
{
    size_t *count = &world->question.alternative_count, wanted = 1 + dse_rng_below(rng, 3);
    for (size_t i = 0; i < *count; i++) { /* shuffled */
        size_t other = i + dse_rng_below(rng, *count - i);
        struct dse_alternative swapped = world->alternatives[i];
        world->alternatives[i] = world->alternatives[other];
        world->alternatives[other] = swapped;
    }
    *count = wanted < *count ? wanted : *count;
}

/* A host path whose launch, processor and queue each decide the rate of some designs. */
static void vary_host(struct dse_rng *rng, struct dse_host *host)
{
    host->batch = (int64_t)2 << dse_rng_below(rng, 4);
    host->waits = dse_rng_below(rng, 2) == 1;
    host->hls.queue.s *= pow(10.0, -4.0 * dse_rng_uniform(rng));
    host->byte.s *= pow(10.0, -2.0 * dse_rng_uniform(rng));
    host->operation.s *= pow(10.0, 2.0 * dse_rng_uniform(rng) - 1.0);
}

/* `queued`: several items per launch, and a rate or its energy as an objective. */
static void open_world(uint64_t trial, size_t family, bool queued, struct world *world)
{
    static const char *const boards[] = {"zcu104", "u280", "pynq-z2", "kv260", "vck190"};
    struct dse_error err = {0};
    struct dse_rng rng;
    dse_rng_seed(&rng, SEED, trial);
    memset(world, 0, sizeof *world);
    const char *board = boards[dse_rng_below(&rng, sizeof boards / sizeof *boards)];
    assert_int_equal(dse_profile_open(profiles[families[family].profiles[trial % families[family].count]],
                                      &world->profile, &err), DSE_OK);
    world->family = dse_model_find(world->profile->family);
    assert_non_null(world->family);
    assert_int_equal(dse_board_open(board, &world->board, &err), DSE_OK);
    if (queued || trial % 4 != 0) /* otherwise without host time; with several items per launch the host may fill a queue */
        assert_int_equal(dse_host_choose(world->board, NULL, queued || trial % 4 == 3 ? 16 : 1, &err), DSE_OK);
    if (queued || trial % 4 == 3)
        vary_host(&rng, &world->board->host);
    assert_int_equal(dse_costs_for_board(world->board, NULL, &world->costs, &err), DSE_OK);
    assert_int_equal(dse_model_space(world->family, NULL, &world->space, &err), DSE_OK);
    struct dse_question *q = &world->question;
    *q = (struct dse_question){.family = world->family, .space = world->space, .board = world->board, .costs = world->costs,
                               .headroom = -1.0, .jobs = 2};
    q->free = dse_bits_without(dse_space_of_kind(world->space, DSE_KNOB_HARDWARE), dse_space_of_kind(world->space, DSE_KNOB_ALGORITHMIC));
    dse_space_default(world->space, &q->base);
    assert_int_equal(dse_config_apply(world->space, &q->base, &world->profile->preset, &err), DSE_OK);
    choose_objectives(&rng, queued, q);
    struct dse_choice choice = {.quality_drop = INFINITY};
    struct dse_choice_count why;
    assert_int_equal(dse_question_alternatives(q, world->profile, &choice, &world->alternatives, &q->alternative_count,
                                               &why, &err),
                     DSE_OK);
    q->alternatives = world->alternatives;
    keep_some(&rng, world);
    narrow(&rng, queued || trial % 3 == 0, world);
    if (!queued)
        write_limits(&rng, world);
    struct dse_expression where = {0};
    if (world->where[0] != '\0')
        assert_int_equal(dse_expression_parse(world->where, &where, &err), DSE_OK);
    if (dse_question_constrain(q, world->space, &where, &choice, &err) != DSE_OK)
        fail_msg("trial %llu: %s: %s", (unsigned long long)trial, world->where, err.message);
}

static void close_world(struct world *world)
{
    free(world->alternatives);
    dse_space_free(world->space);
    dse_costs_free(world->costs);
    dse_board_free(world->board);
    dse_profile_free(world->profile);
}

/* Both answers must have equal designs in equal order, and the estimate of each design must give equal figures. */
static void compare(uint64_t trial, const struct world *world, const struct dse_answer *a, const struct dse_answer *b)
{
    if (a->front_count != b->front_count || a->space_size != b->space_size)
        fail_msg("trial %llu (%s on %s, %s): %zu points by the exact merge, %zu by the visit", (unsigned long long)trial,
                 world->profile->dataset, world->board->name, world->where, a->front_count, b->front_count);
    bool tied = dse_question_overlaps(&world->question); /* any of several designs with equal objectives may be kept */
    for (size_t i = 0; i < a->front_count; i++) {
        const struct dse_point *x = &a->front[i], *y = &b->front[i];
        for (size_t o = 0; o < world->question.objective_count; o++)
            if (x->metrics[world->question.objectives[o]] != y->metrics[world->question.objectives[o]])
                fail_msg("trial %llu (%s on %s, %s): %s of point %zu is %.17g by the exact merge, %.17g by the visit", (unsigned long long)trial, world->profile->dataset,
                         world->board->name, world->where, dse_metrics[world->question.objectives[o]].name, i, x->metrics[world->question.objectives[o]],
                         y->metrics[world->question.objectives[o]]);
        if (!tied)
            assert_memory_equal(x->metrics, y->metrics, sizeof(double) * DSE_METRIC_QUALITY);
        struct dse_setup setup = {.family = world->family, .space = world->space, .board = world->board,
                                  .costs = world->costs, .workload = world->alternatives[x->alternative].workload,
                                  .headroom = -1.0};
        struct dse_estimate estimate;
        struct dse_error err;
        if (i >= 10)
            continue;
        assert_int_equal(dse_estimate_built(&setup, &x->config, &estimate, &err), DSE_OK);
        assert_memory_equal(estimate.metrics, x->metrics, sizeof(double) * DSE_METRIC_QUALITY);
        assert_true(estimate.fits);
    }
}

/* The integer programs agree; returns false for a non-linear search. */
static bool compare_ilp(uint64_t trial, const struct dse_question *question)
{
    struct dse_question one = *question;
    struct dse_optimum optimum;
    struct dse_answer answer;
    struct dse_error err;
    one.objective_count = 1;
    enum dse_status status = dse_search_ilp(&one, NULL, &optimum, &err);
    if (status == DSE_BAD_USAGE)
        return false;
    assert_int_equal(status, DSE_OK);
    assert_int_equal(dse_search_exact(&one, &answer, &err), DSE_OK);
    assert_int_equal(optimum.found, answer.outcome == DSE_OUTCOME_FOUND);
    if (optimum.found) {
        double best = answer.front[0].metrics[one.objectives[0]];
        assert_true(optimum.proven);
        if (!(fabs(optimum.objective - best) <= 1e-8 * fabs(best)))
            fail_msg("trial %llu: %s %.12g by the ILP, %.12g by the exact merge", (unsigned long long)trial,
                     dse_metrics[one.objectives[0]].name, optimum.objective, best);
    }
    dse_answer_free(&answer);
    return true;
}

TEST(test_worlds)
{
    for (size_t f = 0; f < family_count; f++) {
        size_t feasible = 0, limited = 0, linear = 0, overlapping = 0;
        for (uint64_t trial = f * TRIALS_EACH; trial < (f + 1) * TRIALS_EACH; trial++) {
            struct world world;
            open_world(trial, trial / TRIALS_EACH, false, &world);
            struct dse_answer exact, exhaustive;
            struct dse_error err;
            assert_int_equal(dse_search_exact(&world.question, &exact, &err), DSE_OK);
            assert_int_equal(dse_search_exhaustive(&world.question, &exhaustive, &err), DSE_OK);
            assert_int_equal(exact.outcome, exhaustive.outcome);
            compare(trial, &world, &exact, &exhaustive);
            feasible += exact.outcome == DSE_OUTCOME_FOUND;
            limited += strchr(world.where, '%') != NULL;
            linear += compare_ilp(trial, &world.question) || dse_question_overlaps(&world.question);
            overlapping += exact.outcome == DSE_OUTCOME_FOUND && dse_question_overlaps(&world.question);
            dse_answer_free(&exact);
            dse_answer_free(&exhaustive);
            close_world(&world);
        }
        print_message("%s: %d random questions, seed %d: %zu feasible, %zu with percentages, %zu overlapping, %zu by integer programs too or overlapping\n",
                      families[f].name, TRIALS_EACH, SEED, feasible, limited, overlapping, linear);
        assert_true(TRIALS_EACH < 100 || (feasible > 20 && limited > 25 && linear > 90)); /* the whole draw is a mixture */
    }
}

/* Each table of a block's costs has the values of equal rows once: places have no equal values. */
TEST(test_equal_rows)
{
    size_t shared = 0;
    for (uint64_t trial = 0; trial < family_count * TRIALS_OF(20); trial++) {
        struct world world;
        void **work = NULL;
        uint16_t knobs[DSE_KNOB_MAX];
        size_t count = 0;
        open_world(20000 + trial, trial % family_count, false, &world);
        struct dse_question own = dse_question_sharing(&world.question);
        OK(dse_work_prepare(&own, &work, &why));
        for DSE_BITS_EACH(k, own.free)
            knobs[count++] = (uint16_t)k;
        for (size_t b = 0; b < world.family->block_count; b++) {
            const struct dse_block_table *table;
            OK(dse_tables_get(own.tables, &own, b, knobs, count, &own.alternatives[0].config, 0, work[0], &table, &why));
            const size_t bytes = table->component_count * sizeof *table->store;
            size_t places = 0;
            for (size_t row = 0; row < table->rows; row++) {
                places = table->places[row] > places ? table->places[row] : places;
                assert_true((table->places[row] == 0) == (dse_block_table_row(table, row) == NULL));
            }
            for (size_t i = 0; i < places; i++)
                for (size_t j = 0; j < i; j++)
                    assert_true(memcmp(&table->store[i * table->component_count], &table->store[j * table->component_count], bytes) != 0);
            shared += table->rows - table->rejected - places;
        }
        dse_work_release(&own, work);
        dse_question_end_sharing(&world.question, &own);
        close_world(&world);
    }
    assert_true(shared > 100);
}

/* Queues of a pipeline, whose rate depends on the slowest step, on the whole kernel, on the processor's part and on the memories. */
TEST(test_queues)
{
    size_t points = 0, nysx = 0;
    while (families[nysx].name != NULL && strcmp(families[nysx].name, "nysx") != 0)
        nysx++;
    for (uint64_t trial = 0; trial < QUEUES; trial++) {
        struct world world;
        struct dse_answer exact, exhaustive;
        open_world(10000 + trial, nysx, true, &world);
        OK(dse_search_exact(&world.question, &exact, &why));
        OK(dse_search_exhaustive(&world.question, &exhaustive, &why));
        assert_int_equal(exact.outcome, exhaustive.outcome);
        compare(trial, &world, &exact, &exhaustive);
        points += exact.front_count;
        dse_answer_free(&exact);
        dse_answer_free(&exhaustive);
        close_world(&world);
    }
    print_message("%zu points of %d queues\n", points, QUEUES);
}

/* ---- conditions ---- */

/* A condition over two knobs with several values, or over a knob and a metric, and its value for a design. */
struct condition {
    const struct dse_space *space;
    size_t a, b;
    int64_t va, vb;
    int form;
    double latency_s;
    char text[300];
};

static bool pick_knob(struct dse_rng *rng, const struct dse_question *q, bool numbers, size_t other, size_t *out)
{
    for (int tries = 0; tries < 200; tries++) {
        size_t k = dse_rng_below(rng, q->space->count);
        const struct dse_knob *knob = &q->space->knobs[k];
        *out = k;
        if (dse_bits_has(q->free, k) && k != other && knob->domain_count > 1 && (!numbers || knob->type == DSE_KNOB_INTEGER))
            return true;
    }
    return false;
}

static bool make_condition(struct dse_rng *rng, const struct dse_question *q, struct condition *c)
{
    char va[64], vb[64];
    *c = (struct condition){.space = q->space, .form = (int)dse_rng_below(rng, 7)};
    bool numbers = c->form == 0 || c->form == 3 || c->form == 4;
    if (!pick_knob(rng, q, numbers, SIZE_MAX, &c->a) || !pick_knob(rng, q, numbers, c->a, &c->b))
        return false;
    const struct dse_knob *a = &q->space->knobs[c->a], *b = &q->space->knobs[c->b];
    c->va = a->domain[dse_rng_below(rng, a->domain_count)];
    c->vb = b->domain[dse_rng_below(rng, b->domain_count)];
    dse_knob_format(a, c->va, va, sizeof va);
    dse_knob_format(b, c->vb, vb, sizeof vb);
    switch (c->form) {
    case 0: snprintf(c->text, sizeof c->text, "%s*%s<=%lld", a->name, b->name, (long long)(c->va * c->vb)); break;
    case 1: snprintf(c->text, sizeof c->text, "%s=%s || %s=%s", a->name, va, b->name, vb); break;
    case 2: snprintf(c->text, sizeof c->text, "!(%s=%s && %s=%s)", a->name, va, b->name, vb); break;
    case 3: snprintf(c->text, sizeof c->text, "%s<=%s || !(%s>=%s)", a->name, va, b->name, vb); break;
    case 4: snprintf(c->text, sizeof c->text, "%s + 2*%s >= %s + 2*%s", a->name, b->name, va, vb); break;
    case 5: snprintf(c->text, sizeof c->text, "latency*2<=%.17gs || %s!=%s", 2.0 * (c->latency_s = 1e-6 * exp(12.0 * dse_rng_uniform(rng))), a->name, va); break;
    default: snprintf(c->text, sizeof c->text, "latency<=%.17gs || %s!=%s", c->latency_s = 1e-6 * exp(12.0 * dse_rng_uniform(rng)), a->name, va);
    }
    return true;
}

static bool says(const struct condition *c, const struct dse_point *point)
{
    int64_t x = point->config.value[c->a], y = point->config.value[c->b];
    bool applies = dse_knob_active(c->space, &point->config, c->a) && (c->form >= 5 || dse_knob_active(c->space, &point->config, c->b));
    switch (c->form) {
    case 0: return !applies || x * y <= c->va * c->vb;
    case 1: return !applies || x == c->va || y == c->vb;
    case 2: return !applies || x != c->va || y != c->vb;
    case 3: return !applies || x <= c->va || y < c->vb;
    case 4: return !applies || x + 2 * y >= c->va + 2 * c->vb;
    default: return !applies || x != c->va || point->metrics[DSE_METRIC_LATENCY] <= c->latency_s;
    }
}

struct looking {
    const struct dse_question *question;
    const struct condition *condition;
    struct dse_archive archive;
    size_t out;
};

static void look(void *user, const struct dse_point *point, bool fits)
{
    struct looking *l = user;
    bool said = says(l->condition, point);
    l->out += !said;
    if (fits && said && dse_limits_hold(l->question, point->metrics))
        dse_archive_insert(&l->archive, point);
}

static void compare_fronts(const struct condition *c, const struct dse_archive *brute, const struct dse_answer *answer)
{
    if (brute->count != answer->front_count)
        fail_msg("%s: %zu designs, by a method %zu", c->text, brute->count, answer->front_count);
    for (size_t i = 0; i < brute->count; i++) {
        assert_memory_equal(&brute->points[i].config, &answer->front[i].config, sizeof(struct dse_config));
        assert_memory_equal(brute->points[i].metrics, answer->front[i].metrics, sizeof(double) * DSE_METRIC_QUALITY);
    }
}

/* All methods under a condition, compared with every design of the unconditioned search that meets it by the test's own evaluation. */
static void ask_all(uint64_t trial, struct world *world, struct dse_rng *rng, size_t counts[4])
{
    struct dse_question with = world->question, without = dse_question_sharing(&world->question);
    struct condition condition;
    struct dse_expression where;
    struct dse_choice choice = {.quality_drop = INFINITY};
    struct dse_answer answer;
    struct dse_effort effort = {.seed = trial, .evaluations = 1500, .seconds = INFINITY};
    if (without.alternative_count > 0 && make_condition(rng, &without, &condition)) {
        struct looking l = {.question = &without, .condition = &condition};
        dse_archive_init(&l.archive, without.objectives, without.objective_count);
        OK(dse_question_each(&without, look, &l, &why));
        dse_archive_sort(&l.archive);
        OK(dse_expression_parse(condition.text, &where, &why));
        OK(dse_question_constrain(&with, world->space, &where, &choice, &why));
        OK(dse_search_exhaustive(&with, &answer, &why));
        compare_fronts(&condition, &l.archive, &answer);
        dse_answer_free(&answer);
        OK(dse_search_heuristic(&with, &effort, &answer, &why));
        for (size_t i = 0; i < answer.front_count; i++)
            assert_true(says(&condition, &answer.front[i]));
        dse_answer_free(&answer);
        OK(dse_search_exact(&with, &answer, &why));
        compare_fronts(&condition, &l.archive, &answer);
        counts[2] += compare_ilp(trial, &with);
        dse_answer_free(&answer);
        counts[0]++;
        counts[1] += l.out > 0;
        counts[3] += l.archive.count > 0;
        dse_archive_free(&l.archive);
    }
    dse_question_end_sharing(&world->question, &without);
}

TEST(test_conditions)
{
    size_t counts[4] = {0}; /* asked, where some design does not hold it, by integer programs, with an answer */
    struct dse_rng rng;
    dse_rng_seed(&rng, SEED, 38);
    for (size_t f = 0; f < family_count; f++)
        for (uint64_t trial = f * TRIALS_EACH; trial < f * TRIALS_EACH + CONDITIONS_EACH; trial++) {
            struct world world;
            open_world(trial, trial / TRIALS_EACH, false, &world);
            ask_all(trial, &world, &rng, counts);
            close_world(&world);
        }
    print_message("%zu conditions: %zu bind, %zu by integer programs too, %zu with a front\n", counts[0], counts[1], counts[2], counts[3]);
    assert_true(TRIALS_EACH < 100 || (counts[0] > 80 && counts[1] > 60 && counts[2] > 50 && counts[3] > 40));
}

/* ---- every value has an effect ---- */

/* Whether two values of a knob give some design different metrics. */
static bool tells_apart(const struct dse_setup *setup, dse_knob_set drawn, size_t knob, int64_t a, int64_t b,
                        struct dse_rng *rng)
{
    for (int tries = 0; tries < 3000; tries++) {
        struct dse_config config;
        struct dse_estimate one, other;
        dse_space_default(setup->space, &config);
        dse_space_draw(setup->space, dse_bits_without(drawn, dse_bits_one(knob)), rng, &config);
        config.value[knob] = a;
        if (!dse_knob_active(setup->space, &config, knob) || dse_estimate_built(setup, &config, &one, NULL) != DSE_OK)
            continue;
        config.value[knob] = b;
        if (dse_estimate_built(setup, &config, &other, NULL) != DSE_OK)
            continue;
        if (memcmp(one.metrics, other.metrics, sizeof(double) * DSE_METRIC_QUALITY) != 0)
            return true;
    }
    return false;
}

/* Whether they differ on some board. */
static bool is_told_apart(const struct model_fixture *fixtures, size_t count, dse_knob_set drawn, size_t knob, int64_t a,
                          int64_t b, struct dse_rng *rng)
{
    for (size_t i = 0; i < count; i++)
        if (tells_apart(&fixtures[i].setup, drawn, knob, a, b, rng))
            return true;
    return false;
}

/* Whether two values differ in training but not in storage. The hardware is then equal: only quality distinguishes the values. */
static bool differ_in_training_alone(const struct dse_knob *knob, int64_t a, int64_t b)
{
    return strcmp(knob->name, "prototypes") == 0 && strcmp(knob->choices[a], "adaptive") == 0 &&
           strcmp(knob->choices[b], "ridge") == 0;
}

/* Every hardware knob: each two values of its domain differ in some metric of some design. */
TEST(test_no_padding)
{
    static const char *const boards[] = {"zcu104", "u280", "vck190", "arty-a7-100"}; /* two memories, 32 channels, URAM,
                                                                                * bursts of 256 beats among them */
    struct model_fixture fixtures[4];
    for (size_t i = 0; i < 4; i++)
        nysx_fixture_open(&fixtures[i], boards[i]);
    const struct dse_space *space = fixtures[0].space;
    struct dse_rng rng;
    dse_rng_seed(&rng, SEED, 7);
    dse_knob_set hardware = dse_space_of_kind(space, DSE_KNOB_HARDWARE);
    size_t knobs = 0, values = 0, padding = 0;
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        if (!dse_bits_has(hardware, k) || knob->domain_count < 2)
            continue;
        knobs++;
        values += knob->domain_count;
        for (size_t i = 0; i < knob->domain_count; i++)
            for (size_t j = i + 1; j < knob->domain_count; j++)
                if (is_told_apart(fixtures, 4, hardware, k, knob->domain[i], knob->domain[j], &rng) ==
                    differ_in_training_alone(knob, knob->domain[i], knob->domain[j])) {
                    print_message("%s: no design tells %lld from %lld\n", knob->name, (long long)knob->domain[i],
                                  (long long)knob->domain[j]);
                    padding++;
                }
    }
    double size = (double)dse_space_size(space, dse_bits_without(hardware, dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC)));
    print_message("%zu knobs with %zu values, each of which changes a metric; %.3g configurations of the hardware\n", knobs,
                  values, size);
    assert_int_equal(padding, 0);
    assert_true(size >= 1e9);
    for (size_t i = 0; i < 4; i++)
        model_fixture_close(&fixtures[i]);
}

/* ---- every board and shipped profile ---- */

/* Two values of a knob differ in a metric, or the board or a block rejects one of them. */
static bool matters(const struct dse_setup *setup, dse_knob_set drawn, size_t k, struct dse_rng *rng)
{
    const struct dse_knob *knob = &setup->space->knobs[k];
    for (int tries = 0; tries < 2000; tries++) {
        struct dse_config config;
        struct dse_estimate one, other;
        dse_space_default(setup->space, &config);
        dse_space_draw(setup->space, dse_bits_without(drawn, dse_bits_one(k)), rng, &config);
        config.value[k] = knob->domain[dse_rng_below(rng, knob->domain_count)];
        if (!dse_knob_active(setup->space, &config, k))
            continue;
        bool made = dse_estimate_built(setup, &config, &one, NULL) == DSE_OK;
        config.value[k] = knob->domain[dse_rng_below(rng, knob->domain_count)];
        bool remade = dse_estimate_built(setup, &config, &other, NULL) == DSE_OK;
        if (made != remade || (made && memcmp(one.metrics, other.metrics, sizeof(double) * DSE_METRIC_QUALITY) != 0))
            return true;
    }
    return false;
}

/* The number of 1,000 random designs that can be built. */
static double share_buildable(const struct dse_setup *setup, dse_knob_set drawn, struct dse_rng *rng)
{
    size_t made = 0;
    for (int i = 0; i < 1000; i++) {
        struct dse_config config;
        struct dse_estimate estimate;
        dse_space_default(setup->space, &config);
        dse_space_draw(setup->space, drawn, rng, &config);
        made += dse_estimate_built(setup, &config, &estimate, NULL) == DSE_OK;
    }
    return (double)made / 1000.0;
}

/* A cache as large as the profile's data evicts nothing: the policy matters only for smaller caches than the sweep's. */
static const struct {
    const char *family, *knob, *beside;
    int64_t value;
} small[] = {{"hdreason", "cache.policy", "cache.uram", 1}};

static bool matters_where_small(const struct dse_setup *setup, dse_knob_set drawn, size_t k, struct dse_rng *rng)
{
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        if (strcmp(small[i].family, setup->family->name) != 0 || strcmp(small[i].knob, setup->space->knobs[k].name) != 0)
            continue;
        struct dse_setup smaller = *setup;
        struct dse_space *space = NULL;
        OK(dse_model_space(setup->family, NULL, &space, &why));
        dse_space_restrict(space, (size_t)dse_space_find(space, small[i].beside), &small[i].value, 1);
        smaller.space = space;
        bool found = matters(&smaller, drawn, k, rng);
        dse_space_free(space);
        return found;
    }
    return false;
}

/* Returns the number of knobs without effect; `size` is reduced to the designs that can be built. */
static size_t count_padding(const char *name, const struct dse_profile *profile, double *size)
{
    struct dse_board *board = NULL;
    struct dse_costs *costs = NULL;
    struct dse_space *space = NULL;
    struct dse_error err;
    struct dse_rng rng;
    size_t padding = 0;
    dse_rng_seed(&rng, SEED, 9);
    const struct dse_model_family *family = dse_model_find(profile->family);
    assert_int_equal(dse_board_open(name, &board, &err), DSE_OK);
    assert_int_equal(dse_costs_for_board(board, NULL, &costs, &err), DSE_OK);
    assert_int_equal(dse_model_space(family, NULL, &space, &err), DSE_OK);
    struct dse_setup setup = {.family = family, .space = space, .board = board, .costs = costs,
                              .workload = dse_profile_workload(profile, &profile->preset), .headroom = -1.0};
    assert_non_null(setup.workload);
    assert_int_equal(family->prepare(family, setup.workload, &setup.work, &err), DSE_OK);
    dse_knob_set hardware = dse_space_of_kind(space, DSE_KNOB_HARDWARE);
    for (size_t k = 0; k < space->count; k++)
        if (dse_bits_has(hardware, k) && space->knobs[k].domain_count > 1 && !matters(&setup, hardware, k, &rng) &&
            !matters_where_small(&setup, hardware, k, &rng)) {
            print_message("%s on %s: %s changes nothing\n", profile->dataset, name, space->knobs[k].name);
            padding++;
        }
    if (strcmp(family->name, "nysx") == 0)
        *size = fmin(*size, (double)dse_space_size(space, hardware) * share_buildable(&setup, hardware, &rng));
    family->release(setup.work);
    dse_space_free(space);
    dse_costs_free(costs);
    dse_board_free(board);
    return padding;
}

TEST(test_everywhere)
{
    char **boards = NULL;
    size_t board_count = 0, padding = 0;
    double least = INFINITY;
    struct dse_error err;
    assert_int_equal(dse_board_names("*", &boards, &board_count, &err), DSE_OK);
    for (size_t p = 0; p < profile_count; p++) {
        struct dse_profile *profile = NULL;
        assert_int_equal(dse_profile_open(profiles[p], &profile, &err), DSE_OK);
        for (size_t b = p % BOARD_STEP; b < board_count; b += BOARD_STEP)
            padding += count_padding(boards[b], profile, &least);
        dse_profile_free(profile);
    }
    print_message("%zu boards, %zu profiles: at least %.3g configurations of the NysX hardware that can be built\n", board_count,
                  profile_count, least);
    dse_share_names_free(boards, board_count);
    assert_int_equal(padding, 0);
    assert_true(least >= 1e9);
}

TESTS(list_profiles, free_profiles)
