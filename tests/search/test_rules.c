/* Rules of a search that random tests seldom reach: the number of items per latency, the path to the first feasible design, and settings exactly
 * at --quality-drop. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "search/archive.h"
#include "search/heuristic.h"
#include "search/ilp.h"
#include "search/question.h"
#include "tests/models/opened.h"
#include "tests/ok.h"
#include "tests/test.h"

/* Every knob stays at its default, except those freed by the test. */
static struct dse_space *narrow_space(const struct model_fixture *of, struct dse_config *base)
{
    struct dse_space *space = NULL;
    OK(dse_model_space(of->setup.family, NULL, &space, &why));
    dse_space_default(space, base);
    for (size_t k = 0; k < space->count; k++)
        dse_space_restrict(space, k, &base->value[k], 1);
    return space;
}

static void let(dse_knob_set *free, struct dse_space *space, const char *name, const int64_t *values, size_t count)
{
    int knob = dse_space_find(space, name);
    assert_true(knob >= 0);
    dse_space_restrict(space, (size_t)knob, values, count);
    dse_bits_add(free, (size_t)knob);
}

static void add(struct dse_workload *work, const char *name, double value)
{
    OK(dse_workload_add_series(work, name, 1, 1, &value, &why));
}

static void open_hydraf(struct model_fixture *of)
{
    struct dse_setting any = {0};
    struct dse_workload *work = NULL;
    struct dse_profile *profile = dse_profile_create("hydraf", "made-up", 1, "0", "test");
    assert_non_null(profile);
    OK(dse_profile_add_workload(profile, &any, &work, &why));
    add(work, "features", 5);
    add(work, "samples", 1203);
    add(work, "iterations", 20);
    model_fixture_open(of, "u200", profile);
}

/* Whether a latency is of one sample, of a batch or of a whole training is a knob's value: with that knob free, throughput is
 * that of each. The best batch answers eight samples at once; by hand 8 / latency. */
TEST(test_free_items)
{
    static const int64_t tasks[] = {0, 1, 2}, widths[] = {64, 256}, clocks[] = {100, 137};
    struct model_fixture made;
    open_hydraf(&made);
    struct dse_question question = {.family = made.setup.family, .board = made.board, .costs = made.costs, .headroom = -1.0,
                                    .jobs = 1, .objectives = {DSE_METRIC_THROUGHPUT, DSE_METRIC_LUT}, .objective_count = 2,
                                    .alternative_count = 1};
    struct dse_space *space = narrow_space(&made, &question.base);
    /* A design whose batch answers more items per second than single samples do, although it takes longer. */
    OK(dse_config_assign(space, &question.base, "dim=64", &why));
    OK(dse_config_assign(space, &question.base, "clusters=1", &why));
    OK(dse_config_assign(space, &question.base, "batch=64", &why));
    question.space = space;
    let(&question.free, space, "task", tasks, 3);
    let(&question.free, space, "axi.bits", widths, 2);
    let(&question.free, space, "clock_mhz", clocks, 2);
    struct dse_alternative alternative = {question.base, made.workload, NAN};
    question.alternatives = &alternative;
    struct dse_answer exact = {0}, all = {0};
    OK(dse_search_exact(&question, &exact, &why));
    OK(dse_search_exhaustive(&question, &all, &why));
    assert_int_equal(all.evaluated, 12);
    assert_true(exact.front_count > 0 && exact.front_count == all.front_count);
    int task = dse_space_find(space, "task");
    bool batches = false; /* the fastest designs all answer batches */
    for (size_t i = 0; i < exact.front_count; i++) {
        batches |= exact.front[i].config.value[task] == 1;
        struct dse_estimate estimate;
        OK(dse_estimate_built(&made.setup, &exact.front[i].config, &estimate, &why));
        assert_memory_equal(exact.front[i].metrics, all.front[i].metrics, sizeof(double) * DSE_METRIC_QUALITY);
        assert_memory_equal(exact.front[i].metrics, estimate.metrics, sizeof(double) * DSE_METRIC_QUALITY);
        double items = exact.front[i].config.value[task] == 1 ? 64.0 : 1.0;
        double answered = exact.front[i].metrics[DSE_METRIC_THROUGHPUT] * exact.front[i].metrics[DSE_METRIC_LATENCY];
        assert_true(fabs(answered - items) < 1e-9 * items);
    }
    assert_true(batches);
    dse_answer_free(&exact);
    dse_answer_free(&all);
    dse_space_free(space);
    model_fixture_close(&made);
}

/* One design in thousands meets the limits (those of the best design): the heuristic finds it through designs with decreasing violations,
 * before it merges neighbourhoods. Random draws would take half of the space on average. */
TEST(test_heuristic_finds_the_only_design)
{
    enum { EVALUATIONS = 1000, SEEDS = 6 };
    static const int64_t pes[] = {1, 2, 4, 8, 16, 32, 64}, lanes[] = {4, 8, 16, 32, 64, 128}, bits[] = {32, 64, 128, 256, 512},
                         hue[] = {1, 2, 4, 8, 16};
    struct dse_question question = {.family = fixture.setup.family, .board = fixture.board, .costs = fixture.costs,
                                    .headroom = -1.0, .jobs = 1, .objectives = {DSE_METRIC_LATENCY}, .objective_count = 1,
                                    .alternative_count = 1};
    struct dse_space *space = narrow_space(&fixture, &question.base);
    question.space = space;
    let(&question.free, space, "kse.pe", pes, 7);
    let(&question.free, space, "lshu.pe", pes, 5);
    let(&question.free, space, "nee.lanes", lanes, 6);
    let(&question.free, space, "sce.bits", bits, 5);
    let(&question.free, space, "hue.pe", hue, 5);
    let(&question.free, space, "mphe.lookups", hue, 5);
    struct dse_alternative alternative = {question.base, fixture.workload, 0.8};
    question.alternatives = &alternative;
    struct dse_answer best = {0};
    OK(dse_search_exact(&question, &best, &why));
    assert_int_equal(best.front_count, 1);
    question.limits[question.limit_count++] = dse_limit_of(DSE_METRIC_LATENCY, false, best.front[0].metrics[DSE_METRIC_LATENCY]);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct dse_answer answer = {0};
        struct dse_effort effort = {.seed = seed, .evaluations = EVALUATIONS, .seconds = INFINITY};
        OK(dse_search_heuristic(&question, &effort, &answer, &why));
        assert_int_equal(answer.front_count, 1);
        assert_true(answer.front[0].metrics[DSE_METRIC_LATENCY] == best.front[0].metrics[DSE_METRIC_LATENCY]);
        dse_answer_free(&answer);
    }
    dse_answer_free(&best);
    dse_space_free(space);
}

static void add_quality(struct dse_profile *profile, const char *hops, const char *dim, double mean)
{
    struct dse_quality quality = {.name = (char *)(uintptr_t)"accuracy", .higher_is_better = true, .mean = mean, .n = 1,
                                  .protocol = (char *)(uintptr_t)"made up"};
    dse_setting_put(&quality.setting, "hops", hops);
    dse_setting_put(&quality.setting, "dim", dim);
    OK(dse_profile_add_quality(profile, &quality, &why));
    dse_setting_free(&quality.setting);
}

/* A setting that loses exactly --quality-drop takes part; one that loses more does not. All numbers are binary fractions. */
TEST(test_quality_on_the_line)
{
    struct model_fixture made;
    nysx_fixture_open(&made, "zcu104");
    dse_setting_put(&made.profile->preset, "hops", "3");
    dse_setting_put(&made.profile->preset, "dim", "4096");
    add_quality(made.profile, "3", "4096", 0.875);
    add_quality(made.profile, "3", "2048", 0.75);
    add_quality(made.profile, "3", "1024", 0.734375);
    struct dse_question question = {.family = made.setup.family, .space = made.space, .board = made.board, .costs = made.costs,
                                    .objectives = {DSE_METRIC_LATENCY}, .objective_count = 1};
    dse_space_default(made.space, &question.base);
    static const struct {
        double drop;
        size_t count;
    } cases[] = {{0.125, 2}, {0.12, 1}, {0.0, 1}, {0.140625, 3}, {INFINITY, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_choice choice = {.quality_drop = cases[i].drop};
        struct dse_choice_count found;
        struct dse_alternative *alternatives = NULL;
        size_t count = 0;
        OK(dse_question_alternatives(&question, made.profile, &choice, &alternatives, &count, &found, &why));
        assert_int_equal(count, cases[i].count);
        assert_int_equal(found.below_quality, 3 - cases[i].count);
        for (size_t a = 1; a < count; a++)
            assert_true(alternatives[a - 1].quality > alternatives[a].quality);
        free(alternatives);
    }
    model_fixture_close(&made);
}

/* MUTAG's settings under a condition, or none where the limits contradict each other in these words. */
static size_t settings_left(const struct model_fixture *made, const char *where, const char *const *fix, char words[DSE_ERROR_CAPACITY])
{
    struct dse_expression expression;
    struct dse_choice choice = {.fix = fix, .fix_count = fix != NULL, .quality_drop = INFINITY};
    struct dse_choice_count found;
    struct dse_alternative *alternatives = NULL;
    struct dse_error no = {0};
    size_t count = 0;
    struct dse_space *space = NULL;
    OK(dse_model_space(made->setup.family, NULL, &space, &why));
    struct dse_question *question = calloc(1, sizeof *question);
    *question = (struct dse_question){.family = made->setup.family, .board = made->board, .costs = made->costs,
                                      .objectives = {DSE_METRIC_LATENCY}, .objective_count = 1};
    dse_space_default(space, &question->base);
    OK(dse_expression_parse(where, &expression, &why));
    enum dse_status status = dse_question_constrain(question, space, &expression, &choice, &no);
    if (status == DSE_OK)
        OK(dse_question_alternatives(question, made->profile, &choice, &alternatives, &count, &found, &why));
    else
        assert_int_equal(status, DSE_ANSWER_NO);
    snprintf(words, DSE_ERROR_CAPACITY, "%s", no.message);
    free(alternatives);
    free(question);
    dse_space_free(space);
    return count;
}

/* A limit, by any relation, keeps measured values that no sweep visits (hops 11); limits on a knob intersect, in any order. */
TEST(test_limits_on_knobs)
{
    static const struct {
        const char *where;
        size_t left;
    } cases[] = {{"", 3}, {"hops>=1", 3}, {"hops<12", 3}, {"hops!=64", 3}, {"hops>10", 1}, {"hops!=3", 1}, {"hops=11", 1}, {"hops>10 && hops<12", 1},
                 {"hops<11", 2}, {"hops<=11 && dim<4096", 2}, {"hops=11 && hops>3", 1}, {"hops>3 && hops=11", 1}, {"hops>=4 && hops<11", 0},
                 {"hops=11 || hops=3", 3}, {"!(hops=11 || hops=3)", 0}, {"hops*2=22", 1}, {"hops=12 || hops=64", 0}, {"hops=11 || dim=4096", 2},
                 /* an inequality may name any number */
                 {"dim<=3000", 2}, {"dim>2048.5", 1}, {"dim>4095", 1}, {"dim!=4095", 3}, {"hops<=1e6", 3}, {"hops<9007199254740991", 3},
                 {"lshu.pe<=10", 3}, {"10>=lshu.pe", 3}, {"lshu.pe<=100", 3}, {"dsp<=lshu.pe", 3},
                 /* a limit restricts the designs to which its knob applies */
                 {"mphe.lookups<4 && mphe.lookups>4", 0}, {"mphe.lookups<4 && mphe.lookups>2 && nee.form!=streamed", 0}};
    static const struct {
        const char *where, *fix, *words;
    } none[] = {{"units<=1 && units=4", NULL, "units<=1 and units=4: no value of units meets both"},
                {"units=4 && units<=1", NULL, "units=4 and units<=1: no value of units meets both"},
                {"units<=1", "units=4", "--fix units=4 and units<=1: no value of units meets both"},
                {"dim=64 && dim=128", NULL, "dim=64 and dim=128: no value of dim meets both"},
                {"units>=1 && hops>=4 && hops<4", NULL, "hops>=4 and hops<4: no value of hops meets both"},
                {"units<4 && units!=1 && units!=2", NULL, "units<4, units!=1 and units!=2: no visited value of units meets all; --fix uses others"},
                {"2*units<=4 && units=4", NULL, "units=4 and --where 2*units<=4: no value of units meets both"},
                {"2*units<=4 && units*units>=9", NULL, "--where 2*units<=4 and --where units*units>=9: no value of units meets both"},
                {"2*units<=1", NULL, "--where 2*units<=1: leaves no value of units to try"},
                {"lshu.pe>4 && lshu.pe<7", NULL, "lshu.pe>4 and lshu.pe<7: no value of lshu.pe meets both"},
                {"dim>=2000000", NULL, "dim>=2000000: leaves no value of dim to try"},
                {"dim>2000000", NULL, "dim>2000000: leaves no value of dim to try"},
                {"lshu.pe<=8 && 2*lshu.pe<=8 && 2*units<=1", NULL, "--where 2*units<=1: leaves no value of units to try"},
                {"lshu.pe>64", NULL, "lshu.pe>64: leaves no value of lshu.pe to try"},
                {"nee.form=streamed && kse.pe>64", NULL, "kse.pe>64: leaves no value of kse.pe to try"},
                {"landmarks<=64 && nee.form!=direct && landmarks>64", NULL, "landmarks<=64 and landmarks>64: no value of landmarks meets both"},
                {"kse.pe>64 && hops>=4 && hops<4", NULL, "kse.pe>64: leaves no value of kse.pe to try"}};
    struct model_fixture made;
    char words[DSE_ERROR_CAPACITY];
    nysx_fixture_open(&made, "zcu104");
    add_quality(made.profile, "3", "4096", 0.875);
    add_quality(made.profile, "3", "2048", 0.75);
    add_quality(made.profile, "11", "2048", 0.75);
    struct dse_setting eleven = {0};
    struct dse_workload *work = NULL;
    dse_setting_put(&eleven, "hops", "11");
    OK(dse_profile_add_workload(made.profile, &eleven, &work, &why));
    dse_setting_free(&eleven);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t left = settings_left(&made, cases[i].where, NULL, words);
        if (left != cases[i].left)
            fail_msg("%s: %zu settings left, not %zu", cases[i].where, left, cases[i].left);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        settings_left(&made, none[i].where, none[i].fix != NULL ? &none[i].fix : NULL, words);
        assert_string_equal(words, none[i].words);
    }
    model_fixture_close(&made);
}

/* A limit on a single metric or knob is not treated as a condition, whose explanations have less detail. */
TEST(test_conditions)
{
    static const struct {
        const char *where;
        bool condition;
    } cases[] = {{"throughput>=1k/s", false}, {"latency<=1ms", false}, {"dsp<=50%", false}, {"lshu.pe<=10", false}, {"nee.form!=direct", false},
                 {"lshu.pe<=8/2", true}, {"dsp<=lshu.pe", true}, {"2*lshu.pe<=8", true}};
    struct model_fixture made;
    nysx_fixture_open(&made, "zcu104");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_expression expression;
        OK(dse_expression_parse(cases[i].where, &expression, &why));
        if (expression.count != 1 || dse_question_is_condition(made.space, &expression.terms[0]) != cases[i].condition)
            fail_msg("%s: %s a condition", cases[i].where, cases[i].condition ? "is not" : "is");
    }
    model_fixture_close(&made);
}

/* Means that differ only in the last bit are equal: a design dominated at an equal mean is not on the front. */
TEST(test_equal_means)
{
    static const enum dse_metric objectives[] = {DSE_METRIC_LATENCY, DSE_METRIC_QUALITY};
    static const double means[] = {0.7743589743589744, 0.1, 1.0 - 0x1p-53, 12.345};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
        struct dse_archive archive;
        struct dse_point fast = {.metrics = {[DSE_METRIC_LATENCY] = 1.0, [DSE_METRIC_QUALITY] = means[i]}}, slow = fast;
        slow.metrics[DSE_METRIC_LATENCY] = 2.0;
        slow.metrics[DSE_METRIC_QUALITY] = nextafter(means[i], INFINITY);
        dse_archive_init(&archive, objectives, 2);
        dse_archive_insert(&archive, &slow);
        dse_archive_insert(&archive, &fast);
        assert_int_equal(archive.count, 1);
        assert_true(archive.points[0].metrics[DSE_METRIC_LATENCY] == 1.0);
        slow.metrics[DSE_METRIC_QUALITY] = means[i] * 1.0001; /* a better design stays */
        dse_archive_insert(&archive, &slow);
        assert_int_equal(archive.count, 2);
        const double between[] = {1.5, -1.001 * means[i]}, beaten[] = {1.5, -means[i]}; /* costs: one point better in quality, one in nothing */
        assert_false(dse_archive_dominates(&archive, between));
        assert_true(dse_archive_dominates(&archive, beaten));
        dse_archive_sort(&archive); /* independent of how points are stored */
        assert_false(dse_archive_dominates(&archive, between));
        assert_true(dse_archive_dominates(&archive, beaten));
        dse_archive_free(&archive);
    }
}

/* Among equal designs the archive keeps the one with less energy, then with less DRAM energy, then the smaller configuration, in any order
 * of insertion. */
TEST(test_which_of_equal_designs_stays)
{
    static const enum dse_metric objective = DSE_METRIC_LATENCY;
    static const struct { /* the one to keep, and the other */
        double energy, dram_energy;
        int64_t knob;
    } pairs[][2] = {{{1.0, 2.0, 2}, {2.0, 1.0, 1}}, {{1.0, 1.0, 2}, {1.0, 2.0, 1}}, {{1.0, 1.0, 1}, {1.0, 1.0, 2}}};
    for (size_t i = 0; i < 2 * sizeof pairs / sizeof *pairs; i++) {
        struct dse_archive archive;
        struct dse_point points[2];
        for (size_t p = 0; p < 2; p++)
            points[p] = (struct dse_point){.config.value[0] = pairs[i / 2][p].knob,
                                           .metrics = {[DSE_METRIC_LATENCY] = 1.0, [DSE_METRIC_ENERGY] = pairs[i / 2][p].energy,
                                                       [DSE_METRIC_DRAM_ENERGY] = pairs[i / 2][p].dram_energy}};
        dse_archive_init(&archive, &objective, 1);
        dse_archive_insert(&archive, &points[i % 2]);
        dse_archive_insert(&archive, &points[1 - i % 2]);
        assert_int_equal(archive.count, 1);
        assert_int_equal(archive.points[0].config.value[0], pairs[i / 2][0].knob);
        dse_archive_free(&archive);
    }
}

TESTS(open_fixture, close_fixture)
