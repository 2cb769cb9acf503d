/* Constants of a described accelerator fitted to tables of designs. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/rng.h"
#include "explore/designs.h"
#include "tests/test.h"

static const char described[] =
    "accelerator: 1\n"
    "name: toy\n"
    "board: zcu104\n"
    "sources:\n"
    "  table: a test\n"
    "constants:\n"
    "  per_row: {value: 1 cycles, fit: yes}\n"
    "  start: {value: 1 cycles, low: 0, high: 9, level: fitted, source: table, fit: yes}\n"
    "  per_lane:\n"
    "    value: 1\n"
    "    fit: yes\n"
    "    help: LUTs of a lane\n"
    "  never: {value: 3, fit: yes}\n"
    "  kept: {value: 5, source: table}\n"
    "workload:\n"
    "  rows: {min: 1, max: 1000000, default: 100}\n"
    "knobs:\n"
    "  lanes: {range: 1..64, default: 4}\n"
    "  clock_mhz: {oneof: [100], range: 100..200, default: 100}\n"
    "stages: [all]\n"
    "blocks:\n"
    "  one:\n"
    "    parts:\n"
    "      - cycles: {stage: all, busy: \"per_row * ceildiv(rows, lanes) + start\"}\n"
    "      - raw: {lut: per_lane * lanes + never * lanes ^ 2 + kept, source: table}\n";

static char *temporary(const char *text, size_t length)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/nysx-designs-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, length) == (ssize_t)length);
    close(file);
    return path;
}

static const struct dse_model_family *read_toy(void)
{
    const struct dse_model_family *family = NULL;
    OK(dse_described_read("toy.yaml", described, &family, &why));
    return family;
}

/* Designs by the rule 7 · ⌈rows / lanes⌉ + 40 cycles and 11 · lanes + 5 LUTs, rounded to integers, with relative `noise`. */
static void write_designs(struct dse_strbuf *out, size_t count, double noise)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 3, 8);
    dse_strbuf_add(out, "id,lanes,rows,latency_s,lut\r\n");
    for (size_t i = 0; i < count; i++) {
        int lanes = 1 + (int)dse_rng_below(&rng, 64), rows = 1 + (int)dse_rng_below(&rng, 5000);
        double cycles = 7.0 * ceil((double)rows / lanes) + 40.0, lut = 11.0 * lanes + 5.0;
        dse_strbuf_printf(out, "%zu,%d,%d,%.9g,%.9g\r\n", i, lanes, rows, cycles * 1e-8 * (1.0 + noise * dse_rng_normal(&rng)),
                          lut * (1.0 + noise * dse_rng_normal(&rng)));
    }
}

TEST(test_what_is_there_is_found)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0}, yaml DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_designs d DSE_CLEANUP(dse_designs_free) = {0};
    write_designs(&text, 60, 0.0);
    char *path = temporary(text.text, text.length);
    OK(dse_designs_fit(read_toy(), NULL, path, 10, 1, &d, &why));
    unlink(path);
    assert_int_equal(d.count, 60);
    assert_int_equal(d.metric_count, 2);
    assert_string_equal(dse_strbuf_text(&d.unread), "id");
    static const double truth[] = {7.0, 40.0, 11.0, 0.0};
    for (size_t j = 0; j < 4; j++)
        assert_true(fabs(d.values[j] - truth[j]) <= 0.01 * truth[j] + 0.01);
    assert_true(d.errors[0].mean < 1e-3 && d.errors[1].mean < 1e-2 && d.errors[0].designs == 60);
    OK(dse_designs_rewrite(&d, &yaml, &why));
    static const char *const there[] = {"  per_row: {value: 7", " cycles, low: ", "fit: yes}\n  start: {value: ", "level: fitted, source: table, fit: yes}",
                                        "    help: LUTs of a lane\n", "  kept: {value: 5, source: table}\n", "    low: "};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (strstr(dse_strbuf_text(&yaml), there[i]) == NULL)
            fail_msg("\"%s\" is not in\n%s", there[i], dse_strbuf_text(&yaml));
    const struct dse_model_family *again = NULL;
    OK(dse_described_read("again.yaml", dse_strbuf_text(&yaml), &again, &why));
    assert_true(fabs(again->fitted[1].value - 40.0) < 0.5);
}

/* With 5 % noise in the table, errors of held-out designs are about 4 %, fit errors are not larger, and bands contain the truth. */
TEST(test_errors_are_told)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_designs d DSE_CLEANUP(dse_designs_free) = {0};
    write_designs(&text, 200, 0.05);
    char *path = temporary(text.text, text.length);
    OK(dse_designs_fit(read_toy(), NULL, path, 10, 1, &d, &why));
    unlink(path);
    for (size_t m = 0; m < 2; m++) {
        const struct dse_figure_error *e = &d.errors[m];
        assert_true(e->mean > 0.03 && e->mean < 0.05 && e->within < e->mean && e->median < e->mean && e->mean < e->p90 && e->p90 < e->worst);
    }
    assert_true(d.low[0] < 7.0 && d.high[0] > 7.0 && d.low[2] < 11.0 && d.high[2] > 11.0);
}

/* Designs with equal knobs are held out together: repeating each row ten times adds no information. */
TEST(test_whole_designs_are_kept_out)
{
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    struct dse_designs d DSE_CLEANUP(dse_designs_free) = {0};
    dse_strbuf_add(&text, "lanes,lut\n");
    for (int i = 0; i < 40; i++)
        dse_strbuf_printf(&text, "%d,%d\n", 1 + i % 4, 100 + i);
    char *path = temporary(text.text, text.length);
    OK(dse_designs_fit(read_toy(), NULL, path, 10, 1, &d, &why));
    unlink(path);
    assert_int_equal(d.folds, 4);
    for (size_t i = 0; i < 40; i++)
        assert_int_equal(d.fold[i], d.fold[i % 4]);
}

TEST(test_wrong_tables)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"lanes,lut\n1,2\n", "1 designs, but a fit needs at least 2"},
        {"lanes,rows\n1,2\n2,3\n", ":1: needs a column of figures"},
        {"lanes,row,lut\n1,2,3\n2,3,4\n", ":1: the column row: did you mean rows, which has no column?"},
        {"lanes,lut\n1,2\n2\n", ":3: 1 fields, but the first line has 2"},
        {"lanes,lut\n1,2\n65,3\n", ":3: lanes=65: must be a whole number from 1 to 64"},
        {"lanes,lut\n1,2\n2,many\n", ":3: lut: \"many\" must be a number"},
        {"lanes,lut\n1,2\n2,-3\n", ":3: lut: \"-3\" must be a number of at least 0"},
        {"lanes,lanes,lut\n1,2\n", ":1: the column lanes occurs twice"},
        {"lanes,rows,lut\n1,0,2\n2,2,2\n", ":2: --workload rows=0: must be a number from 1"},
        {"lanes,\"lut\"\n", ":1: quoted fields"},
        {"", "0 designs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_designs d DSE_CLEANUP(dse_designs_free) = {0};
        struct dse_error err = {0};
        char *path = temporary(cases[i].text, strlen(cases[i].text));
        assert_int_equal(dse_designs_fit(read_toy(), NULL, path, 10, 1, &d, &err), DSE_BAD_INPUT);
        unlink(path);
        if (strstr(err.message, cases[i].words) == NULL)
            fail_msg("%s: %s", cases[i].text, err.message);
    }
    struct dse_designs d DSE_CLEANUP(dse_designs_free) = {0};
    struct dse_error err = {0};
    assert_int_equal(dse_designs_fit(dse_model_find("nysx"), NULL, "x.csv", 10, 1, &d, &err), DSE_BAD_USAGE);
}

/* HDCU's published widths, to which the description is fitted (klessydra/HDCU, Table IV), and interpolated and extrapolated widths. */
TEST(test_hdcu)
{
    static const char widths[] = "simd,clock_mhz,lut,ff\n32,200,1030,450\n128,200,3243,868\n512,150,13811,3731\n";
    const struct dse_model_family *family = NULL;
    struct dse_designs d DSE_CLEANUP(dse_designs_free) = {0};
    OK(dse_model_open("examples/accelerators/hdcu.yaml", &family, &why));
    char *path = temporary(widths, strlen(widths));
    OK(dse_designs_fit(family, NULL, path, 3, 1, &d, &why));
    unlink(path);
    for (size_t m = 0; m < d.metric_count; m++)
        assert_true(d.errors[m].within < 0.10);
    for (size_t j = 0; j < family->fitted_count; j++) /* the shipped constants are these */
        assert_true(fabs(d.values[j] - family->fitted[j].value) <= 1e-4 * fabs(d.values[j]) + 1e-9);
}

/* The shipped description of GNNBuilder on its 305 public designs: mean errors of held-out designs. */
TEST(test_gnnbuilder)
{
    const char *data = getenv("NYSX_DATA_DIR");
    char path[512];
    snprintf(path, sizeof path, "%s/../reference/gnnbuilder/designs.csv", data != NULL ? data : "../shared/datasets");
    if (!dse_file_exists(path)) {
        print_message("SKIPPED: %s is not there\n", path);
        skip();
    }
    static const double most[] = {[DSE_METRIC_LATENCY] = 0.045, [DSE_METRIC_DSP] = 0.005, [DSE_METRIC_BRAM18] = 0.05, [DSE_METRIC_LUT] = 0.008, [DSE_METRIC_FF] = 0.02};
    const struct dse_model_family *family = NULL;
    struct dse_designs d DSE_CLEANUP(dse_designs_free) = {0};
    OK(dse_model_open("examples/accelerators/gnnbuilder.yaml", &family, &why));
    OK(dse_designs_fit(family, NULL, path, 10, 1, &d, &why));
    assert_int_equal(d.count, 305);
    assert_int_equal(d.metric_count, 5);
    for (size_t m = 0; m < d.metric_count; m++) {
        print_message("%s: %.1f %% (%zu designs)\n", dse_metrics[d.errors[m].metric].name, 100.0 * d.errors[m].mean, d.errors[m].designs);
        assert_true(d.errors[m].mean > 0.001 && d.errors[m].mean <= most[d.errors[m].metric]);
    }
}

TESTS(NULL, NULL)
