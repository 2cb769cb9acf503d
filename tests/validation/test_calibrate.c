/* Cost factors from reports: what was put into the points comes back, and a calibration does what it says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/file.h"
#include "core/xml.h"
#include "validation/calibrate.h"
#include "tests/models/fixture.h"
#include "tests/ok.h"

#define POINTS 8

struct bench {
    struct model_fixture on; /* zcu104 */
    struct dse_report reports[POINTS];
    struct dse_calibration_point points[POINTS];
};

/* What the models say of the whole design with a library. */
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
    /* Designs that differ in every engine, so that classes of costs can be told apart. */
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
        OK(dse_config_apply(b->on.space, config, &b->on.profile->workloads[0].setting, &why));
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

/* Reports of a world in which the operators' LUTs are 0.6 and the adapters' 0.4 of what the library says. */
static void make_reports(struct bench *b)
{
    struct dse_costs *half = NULL, *truth = NULL;
    OK(dse_costs_copy_scaled(b->on.costs, dse_cost_classes[0].patterns, DSE_LUT, 0.6, &half, &why));
    OK(dse_costs_copy_scaled(half, dse_cost_classes[1].patterns, DSE_LUT, 0.4, &truth, &why));
    for (size_t i = 0; i < POINTS; i++)
        resources_of(&b->on.setup, truth, &b->points[i].config, b->reports[i].used);
    dse_costs_free(truth);
    dse_costs_free(half);
}

static void what_was_put_in_comes_back(void **state)
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
    /* What agreed already stays as it is. */
    const struct dse_fit *dsp = &c.fits[DSE_DSP];
    assert_true(dsp->rms_after < 1e-6 && fabs(dsp->factors[0].value - 1) < 1e-6);
    dse_calibration_free(&c);
}

static void a_written_calibration_gives_the_fitted_numbers(void **state)
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

static void unknown_numbers_take_no_part(void **state)
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

static void one_point_leaves_a_wide_band(void **state)
{
    struct bench *b = *state;
    struct dse_calibration c;
    make_reports(b);
    OK(dse_calibrate(&b->on.setup, b->points, 1, &c, &why));
    assert_true(c.fits[DSE_LUT].factors[0].low <= 0.75 && c.fits[DSE_LUT].factors[0].high >= 1.25);
    assert_true(c.fits[DSE_LUT].rms_after < c.fits[DSE_LUT].rms_before);
    dse_calibration_free(&c);
}

/* One report says something of the classes that dominate it, and what it does not tell is left alone. */
static void what_was_not_learned_is_left(void **state)
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

/* A report of something else: five times the LUTs, or a resource that the design has and the report has not. */
static void nonsense_is_refused(void **state)
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
    assert_int_equal(dse_calibration_check(&c, b->points, &err), DSE_ANSWER_NO);
    assert_non_null(strstr(err.message, "outside 0.33 to 3"));
    dse_calibration_free(&c);
    make_reports(b);
    b->reports[2].used[DSE_FF] *= 3;
    OK(dse_calibrate(&b->on.setup, b->points, POINTS, &c, &why));
    assert_int_equal(dse_calibration_check(&c, b->points, &err), DSE_ANSWER_NO);
    assert_non_null(strstr(err.message, "further off than the 30 %"));
    dse_calibration_free(&c);
    make_reports(b);
    b->reports[0].used[DSE_DSP] = 0;
    OK(dse_calibrate(&b->on.setup, b->points, 1, &c, &why));
    assert_int_equal(dse_calibration_check(&c, b->points, &err), DSE_ANSWER_NO);
    dse_calibration_free(&c);
}

static void levels_are_never_mixed(void **state)
{
    struct bench *b = *state;
    struct dse_calibration c;
    struct dse_error err = {0};
    make_reports(b);
    b->reports[1].level = DSE_REPORT_LEVEL_HLS;
    assert_int_equal(dse_calibrate(&b->on.setup, b->points, POINTS, &c, &err), DSE_BAD_USAGE);
    assert_non_null(strstr(err.message, "never mixed"));
    b->reports[0].level = DSE_REPORT_LEVEL_SYNTHESIZED;
    assert_int_equal(dse_calibrate(&b->on.setup, b->points, POINTS, &c, &err), DSE_BAD_USAGE);
    b->reports[0].level = b->reports[1].level = DSE_REPORT_LEVEL_ROUTED;
    b->points[0].instance = "nowhere";
    assert_int_equal(dse_calibrate(&b->on.setup, b->points, POINTS, &c, &err), DSE_BAD_USAGE);
    assert_non_null(strstr(err.message, "\"nowhere\""));
    b->points[0].instance = NULL;
    assert_int_equal(dse_calibrate(&b->on.setup, b->points, 0, &c, &err), DSE_BAD_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_put_in_comes_back),
        cmocka_unit_test(a_written_calibration_gives_the_fitted_numbers),
        cmocka_unit_test(unknown_numbers_take_no_part),
        cmocka_unit_test(one_point_leaves_a_wide_band),
        cmocka_unit_test(what_was_not_learned_is_left),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(levels_are_never_mixed),
    };
    return cmocka_run_group_tests(tests, open_bench, close_bench);
}
