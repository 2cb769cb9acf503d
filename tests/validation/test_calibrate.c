/* Cost factors from reports: factors applied to the points are recovered, and a calibration changes the costs by its factors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/xml.h"
#include "validation/calibrate.h"
#include "tests/models/fixture.h"
#include "tests/ok.h"
#include "tests/test.h"

#define POINTS 8

struct bench {
    struct model_fixture on; /* zcu104 */
    struct dse_report reports[POINTS];
    struct dse_calibration_point points[POINTS];
};

/* The models' estimate of the whole design with a library. */
static void resources_of(const struct dse_setup *setup, const struct dse_costs *costs,
                         const struct dse_config *config, double out[DSE_RESOURCE_COUNT])
{
    struct dse_setup other = *setup;
    struct dse_estimate *estimate = malloc(sizeof *estimate);
    assert_non_null(estimate);
    other.costs = costs;
    OK(dse_estimate_built(&other, config, estimate, &why));
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        out[r] = (double)estimate->sums.resources[r];
    free(estimate);
}

static int open_bench(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    struct dse_profile *profile;
    OK(dse_profile_open("MUTAG", &profile, &why));
    model_fixture_open(&b->on, "zcu104", profile);
    /* Designs that differ in every engine, so that classes of costs can be distinguished. */
    static const char *const settings[POINTS][5] = {
        {"kse.pe=1", "nee.lanes=4", "lshu.pe=1", "nee.port_bits=128", "nee.ports=1"},
        {"kse.pe=4", "nee.lanes=16", "lshu.pe=4", "nee.port_bits=512", "nee.ports=4"},
        {"kse.pe=16", "nee.lanes=16", "lshu.pe=2", "nee.port_bits=256", "nee.ports=2"},
        {"kse.pe=2", "nee.lanes=64", "lshu.pe=16", "nee.port_bits=512", "nee.ports=6"},
        {"kse.pe=8", "nee.lanes=8", "lshu.pe=32", "nee.port_bits=64", "nee.ports=1"},
        {"kse.pe=32", "nee.lanes=4", "lshu.pe=1", "nee.port_bits=32", "nee.ports=3"},
        {"kse.pe=1", "nee.lanes=128", "lshu.pe=8", "nee.port_bits=512", "nee.ports=4"},
        {"kse.pe=64", "nee.lanes=32", "lshu.pe=4", "nee.port_bits=128", "nee.ports=6"}};
    for (size_t i = 0; i < POINTS; i++) {
        struct dse_config *config = &b->points[i].config;
        dse_space_default(b->on.space, config);
        OK(dse_config_apply(b->on.space, config, &b->on.profile->preset, &why));
        for (int k = 0; k < 5; k++)
            OK(dse_config_assign(b->on.space, config, settings[i][k], &why));
        dse_config_canonical(b->on.space, config);
        b->reports[i].file = "made.rpt";
        b->reports[i].level = DSE_REPORT_LEVEL_ROUTED;
        b->points[i].report = &b->reports[i];
        b->points[i].engine = b->on.setup.family->engine_count;
    }
    *state = b;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *b = *state;
    model_fixture_close(&b->on);
    free(b);
    return 0;
}

/* Artificial reports in which operators take 0.6, and adapters 0.4, of the library's LUTs. */
static void make_reports(struct bench *b)
{
    struct dse_costs *half = NULL, *truth = NULL;
    dse_costs_copy_scaled(b->on.costs, dse_cost_classes[0].patterns, DSE_LUT, 0.6, &half);
    dse_costs_copy_scaled(half, dse_cost_classes[1].patterns, DSE_LUT, 0.4, &truth);
    for (size_t i = 0; i < POINTS; i++)
        resources_of(&b->on.setup, truth, &b->points[i].config, b->reports[i].used);
    dse_costs_free(truth);
    dse_costs_free(half);
}

TEST(what_was_put_in_comes_back)
{
    struct bench *b = *state;
    struct dse_calibration c;
    make_reports(b);
    OK(dse_calibrate(&b->on.setup, b->points, POINTS, &c, &why));
    const struct dse_fit *lut = &c.fits[DSE_LUT];
    print_message("LUT: operators %.3f (0.6), adapters %.3f (0.4), control %.3f, memories %.3f; rms %.4f to %.4f\n",
                  lut->factors[0].value, lut->factors[1].value, lut->factors[2].value, lut->factors[4].value,
                  lut->rms_before, lut->rms_after);
    assert_int_equal(lut->points, POINTS);
    assert_true(lut->rms_before > 0.1 && lut->rms_after < 0.02);
    assert_true(fabs(lut->factors[0].value - 0.6) < 0.05 && fabs(lut->factors[1].value - 0.4) < 0.15);
    assert_true(lut->factors[0].low >= 0.8 && lut->factors[0].high <= 1.2);
    /* Values that agree are unchanged. */
    const struct dse_fit *dsp = &c.fits[DSE_DSP];
    assert_true(dsp->rms_after < 1e-6 && fabs(dsp->factors[0].value - 1) < 1e-6);
    dse_calibration_free(&c);
}

TEST(a_written_calibration_gives_the_fitted_numbers)
{
    struct bench *b = *state;
    struct dse_calibration c;
    make_reports(b);
    OK(dse_calibrate(&b->on.setup, b->points, POINTS, &c, &why));
    struct dse_strbuf text = {0};
    dse_calibration_write(&c, b->on.costs, "designs <made>\xFF for\ta test", &text);
    char path[] = "/tmp/nysx-calibration-XXXXXX", *schema = NULL;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    fclose(fdopen(descriptor, "w"));
    OK(dse_file_write(path, text.text, text.length, &why));
    struct dse_xml *doc = NULL;
    OK(dse_share_find("costs-schema/costs.xsd", &schema, &why));
    OK(dse_xml_read_file(path, 1 << 20, &doc, &why));
    OK(dse_xml_validate(doc, schema, &why));
    assert_int_equal(dse_xml_problem_count(doc), 0);
    dse_xml_free(doc);
    struct dse_costs *calibrated = NULL;
    OK(dse_costs_for_board(b->on.board, path, &calibrated, &why));
    double got[DSE_RESOURCE_COUNT];
    for (size_t i = 0; i < POINTS; i++) {
        resources_of(&b->on.setup, calibrated, &b->points[i].config, got);
        assert_true(fabs(got[DSE_LUT] - c.after[i][DSE_LUT]) < 0.005 * c.after[i][DSE_LUT] + 20);
    }
    dse_costs_free(calibrated);
    remove(path);
    free(schema);
    dse_strbuf_free(&text);
    dse_calibration_free(&c);
}

TEST(unknown_numbers_take_no_part)
{
    struct bench *b = *state;
    struct dse_calibration c;
    make_reports(b);
    for (size_t i = 0; i < POINTS; i++)
        b->reports[i].used[DSE_FF] = NAN;
    b->reports[3].used[DSE_LUT] = NAN;
    OK(dse_calibrate(&b->on.setup, b->points, POINTS, &c, &why));
    assert_int_equal(c.fits[DSE_LUT].points, POINTS - 1);
    assert_int_equal(c.fits[DSE_FF].points, 0);
    dse_calibration_free(&c);
}

TEST(one_point_leaves_a_wide_band)
{
    struct bench *b = *state;
    struct dse_calibration c;
    make_reports(b);
    OK(dse_calibrate(&b->on.setup, b->points, 1, &c, &why));
    assert_true(c.fits[DSE_LUT].factors[0].low <= 0.75 && c.fits[DSE_LUT].factors[0].high >= 1.25);
    assert_true(c.fits[DSE_LUT].rms_after < c.fits[DSE_LUT].rms_before);
    dse_calibration_free(&c);
}

/* One report determines the classes that dominate it; all others are unchanged. */
TEST(what_was_not_learned_is_left)
{
    struct bench *b = *state;
    struct dse_calibration c;
    make_reports(b);
    OK(dse_calibrate(&b->on.setup, b->points, 1, &c, &why));
    size_t learned = 0, left = 0;
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        for (int k = 0; c.fits[r].points > 0 && k < DSE_COST_CLASSES; k++) {
            const struct dse_fitted_factor *f = &c.fits[r].factors[k];
            learned += f->learned >= DSE_CALIBRATION_LEARNED;
            left += f->learned < DSE_CALIBRATION_LEARNED;
            assert_true(isnan(f->learned) || (f->learned > -1e-9 && f->learned < 1));
            assert_int_equal(f->learned >= DSE_CALIBRATION_LEARNED, !isnan(f->value));
        }
    assert_true(learned > 0 && left > learned);
    dse_calibration_free(&c);
}

/* A report of another design: five times the LUTs, or without a resource that the design uses. */
TEST(nonsense_is_rejected)
{
    struct bench *b = *state;
    struct dse_calibration c;
    struct dse_error err = {0};
    make_reports(b);
    OK(dse_calibrate(&b->on.setup, b->points, POINTS, &c, &why));
    OK(dse_calibration_check(&c, b->points, &why));
    dse_calibration_free(&c);
    for (size_t i = 0; i < POINTS; i++)
        b->reports[i].used[DSE_LUT] *= 8;
    OK(dse_calibrate(&b->on.setup, b->points, POINTS, &c, &why));
    FAILS(DSE_ANSWER_NO, "outside 0.33 to 3", dse_calibration_check(&c, b->points, &why));
    dse_calibration_free(&c);
    make_reports(b);
    b->reports[2].used[DSE_FF] *= 3;
    OK(dse_calibrate(&b->on.setup, b->points, POINTS, &c, &why));
    FAILS(DSE_ANSWER_NO, "the difference exceeds 30 %", dse_calibration_check(&c, b->points, &why));
    dse_calibration_free(&c);
    make_reports(b);
    b->reports[0].used[DSE_DSP] = 0;
    OK(dse_calibrate(&b->on.setup, b->points, 1, &c, &why));
    assert_int_equal(dse_calibration_check(&c, b->points, &err), DSE_ANSWER_NO);
    dse_calibration_free(&c);
}

TEST(levels_are_never_mixed)
{
    struct bench *b = *state;
    struct dse_calibration c;
    struct dse_error err = {0};
    make_reports(b);
    b->reports[1].level = DSE_REPORT_LEVEL_HLS;
    FAILS(DSE_BAD_USAGE, "never mixed", dse_calibrate(&b->on.setup, b->points, POINTS, &c, &why));
    b->reports[0].level = DSE_REPORT_LEVEL_SYNTHESIZED;
    assert_int_equal(dse_calibrate(&b->on.setup, b->points, POINTS, &c, &err), DSE_BAD_USAGE);
    b->reports[0].level = b->reports[1].level = DSE_REPORT_LEVEL_ROUTED;
    b->points[0].instance = "nowhere";
    FAILS(DSE_BAD_USAGE, "\"nowhere\"", dse_calibrate(&b->on.setup, b->points, POINTS, &c, &why));
    b->points[0].instance = NULL;
    assert_int_equal(dse_calibrate(&b->on.setup, b->points, 0, &c, &err), DSE_BAD_USAGE);
}

/* A design's loops as reported by a tool: each engine's depths and intervals are multiples of the models'. */
static void report_loops(struct bench *b, size_t point, double depth, double interval, struct dse_calibration_design *out,
                         struct dse_report *report)
{
    *out = (struct dse_calibration_design){0};
    OK(dse_loops_of(&b->on.setup, &b->points[point].config, &out->loops, &why));
    *report = (struct dse_report){.level = DSE_REPORT_LEVEL_HLS};
    report->loops = calloc(out->loops.count, sizeof *report->loops);
    assert_true(report->loops != NULL && out->loops.count > 8);
    for (; report->loop_count < out->loops.count; report->loop_count++) {
        const struct dse_loop *loop = &out->loops.loop[report->loop_count];
        report->loops[report->loop_count] = (struct dse_report_loop){loop->name, interval * loop->interval, 1.0 + depth * loop->depth, false};
    }
}

static size_t engine_called(const struct bench *b, const char *name)
{
    size_t e = 0;
    while (strcmp(b->on.setup.family->engines[e].name, name) != 0)
        e++;
    return e;
}

/* Three designs, each with one synthesis report. */
static void fit_loops(struct bench *b, double depth, double interval, struct dse_calibration *c)
{
    struct dse_calibration_design designs[3];
    struct dse_report reports[3];
    const struct dse_report *each[3] = {&reports[0], &reports[1], &reports[2]};
    for (size_t i = 0; i < 3; i++) {
        report_loops(b, i, depth, interval, &designs[i], &reports[i]);
        designs[i].reports = &each[i];
        designs[i].report_count = 1;
    }
    *c = (struct dse_calibration){0};
    dse_calibrate_cycles(b->on.setup.family, designs, 3, c);
    for (size_t i = 0; i < 3; i++) {
        dse_loops_free(&designs[i].loops);
        free(reports[i].loops);
    }
}

TEST(cycles_come_back)
{
    struct bench *b = *state;
    struct dse_calibration c;
    size_t learned = 0, mphe = engine_called(b, "mphe"), shell = engine_called(b, "shell");
    fit_loops(b, 1.4, 2.0, &c);
    OK(dse_calibration_check_cycles(&c, &learned, &why));
    assert_int_equal(learned, 12); /* six engines with loops, of each both */
    assert_true(c.cycles[mphe][DSE_CYCLES_DEPTH].value > 1.36 && c.cycles[mphe][DSE_CYCLES_DEPTH].value < 1.4); /* drawn towards 1 */
    assert_true(c.cycles[mphe][DSE_CYCLES_INTERVAL].value > 1.98 && c.cycles[mphe][DSE_CYCLES_INTERVAL].value < 2.0);
    assert_true(isnan(c.cycles[shell][DSE_CYCLES_DEPTH].value) && !c.has_loops[shell]);
    fit_loops(b, 1.0, 1.0, &c);
    for (size_t e = 0; e < shell; e++)
        for (int what = 0; what < DSE_CYCLES_COUNT; what++)
            assert_true(fabs(c.cycles[e][what].value - 1.0) < 1e-9);
}

TEST(nonsense_of_loops_is_rejected)
{
    struct bench *b = *state;
    struct dse_calibration c;
    size_t learned = 0;
    fit_loops(b, 1.0, 9.0, &c);
    FAILS(DSE_ANSWER_NO, "intervals of lshu's loops: outside 0.33 to 3", dse_calibration_check_cycles(&c, &learned, &why));
    fit_loops(b, 0.1, 1.0, &c);
    FAILS(DSE_ANSWER_NO, "depths of lshu's loops", dse_calibration_check_cycles(&c, &learned, &why));
}

/* One loop of a few cycles determines an integer depth poorly; reports without loops do not determine it. */
TEST(few_cycles_teach_little)
{
    struct bench *b = *state;
    struct dse_calibration_design design;
    struct dse_report report;
    const struct dse_report *one = &report;
    struct dse_calibration c = {0};
    size_t learned = 0, hue = engine_called(b, "hue"), kse = engine_called(b, "kse");
    report_loops(b, 0, 1.0, 1.0, &design, &report);
    design.reports = &one;
    design.report_count = 1;
    for (size_t i = 0; i < report.loop_count; i++) /* the merge alone changes the HUE's depth, by 3 cycles; no other loop changes */
        if (strcmp(report.loops[i].name, "hue_merge") != 0)
            report.loops[i].name = "another";
    dse_calibrate_cycles(b->on.setup.family, &design, 1, &c);
    assert_true(isnan(c.cycles[hue][DSE_CYCLES_DEPTH].value) && c.cycles[hue][DSE_CYCLES_DEPTH].learned < DSE_CALIBRATION_LEARNED);
    assert_true(c.cycles[hue][DSE_CYCLES_INTERVAL].value == 1.0 && c.cycles[kse][DSE_CYCLES_INTERVAL].points == 0 && c.has_loops[kse]);
    OK(dse_calibration_check_cycles(&c, &learned, &why));
    assert_int_equal(learned, 1);
    dse_loops_free(&design.loops);
    free(report.loops);
}

/* A tool's loop takes depth + II·(N − 1) − 1 cycles, and two more in a module of its own. */
TEST(depths_are_counted_alike)
{
    const struct dse_report_loop within = {.depth = 14}, apart = {.depth = 14, .own_module = true}, least = {.depth = 1};
    assert_true(dse_report_depth(&within) == 13 && dse_report_depth(&apart) == 15 && dse_report_depth(&least) == 1);
}

/* The models then count with the written values. */
TEST(written_cycles_are_used)
{
    struct bench *b = *state;
    struct dse_calibration c;
    struct dse_strbuf xml = {0};
    struct dse_costs *costs = NULL;
    struct dse_loops plain, paced;
    struct dse_setup setup = b->on.setup;
    fit_loops(b, 1.4, 2.0, &c);
    dse_calibration_write(&c, b->on.setup.costs, "made", &xml);
    OK(dse_file_write("cycles.xml", xml.text, xml.length, &why));
    OK(dse_costs_for_board(b->on.setup.board, "cycles.xml", &costs, &why));
    setup.costs = costs;
    OK(dse_loops_of(&b->on.setup, &b->points[1].config, &plain, &why));
    OK(dse_loops_of(&setup, &b->points[1].config, &paced, &why));
    for (size_t i = 0; i < plain.count; i++) {
        assert_string_equal(plain.loop[i].name, paced.loop[i].name);
        assert_true(fabs(paced.loop[i].interval / plain.loop[i].interval - 2.0) < 0.02);
        assert_true(fabs(paced.loop[i].depth - 1.4 * plain.loop[i].depth) < 1.0 + 0.03 * plain.loop[i].depth);
    }
    struct dse_estimate *before = malloc(sizeof *before), *after = malloc(sizeof *after);
    assert_true(before != NULL && after != NULL);
    OK(dse_estimate_built(&b->on.setup, &b->points[1].config, before, &why));
    OK(dse_estimate_built(&setup, &b->points[1].config, after, &why));
    size_t kse = engine_called(b, "kse");
    double ratio = (double)after->engines[kse].cycles / (double)before->engines[kse].cycles;
    assert_true(ratio > 1.4 && ratio < 2.0);
    free(before);
    free(after);
    dse_loops_free(&plain);
    dse_loops_free(&paced);
    dse_costs_free(costs);
    dse_strbuf_free(&xml);
    remove("cycles.xml");
}

TESTS(open_bench, close_bench)
