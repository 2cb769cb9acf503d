/* Where a front's marks stand in the figure: on a log axis where the values span more than three times the least. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "reports/front_figure.h"
#include "tests/models/opened.h"
#include "tests/ok.h"

#define POINTS 3

/* The left ends of the marks, in the order of the points: a circle is a path that starts at its right. */
static void read_marks(const char *svg, double x[POINTS], double y[POINTS])
{
    size_t found = 0;
    for (const char *at = svg; (at = strstr(at, "<path")) != NULL; at++) {
        const char *end = strstr(at, "/>"), *shade = strstr(at, "fill-opacity"), *path = strstr(at, " d=\"M ");
        if (end == NULL || shade == NULL || path == NULL || shade > end || path > end || strstr(shade, "0.45") != shade + 13)
            continue;
        if (found == POINTS)
            break; /* the legend's */
        assert_int_equal(sscanf(path, " d=\"M %lf %lf", &x[found], &y[found]), 2);
        found++;
    }
    assert_int_equal(found, POINTS);
}

/* The marks of latencies 1, 1.7 and `most`, energies 4, 3 and 2 and 100, 300 and 500 BRAM18, the latter as areas where
 * `objectives` is 3. */
static void draw_front(double most, size_t objective_count, double x[POINTS], double y[POINTS])
{
    static const double energies[POINTS] = {4e-6, 3e-6, 2e-6};
    const double latencies[POINTS] = {1e-5, 1.7e-5, most * 1e-5};
    struct dse_estimate estimate;
    struct dse_config config;
    dse_space_default(fixture.space, &config);
    OK(dse_estimate_built(&fixture.setup, &config, &estimate, &why));
    struct dse_page_points *points = dse_page_points_create(fixture.setup.family, fixture.space);
    assert_non_null(points);
    for (size_t i = 0; i < POINTS; i++) {
        estimate.metrics[DSE_METRIC_LATENCY] = latencies[i];
        estimate.metrics[DSE_METRIC_ENERGY] = energies[i];
        estimate.metrics[DSE_METRIC_BRAM18] = 100.0 + 200.0 * (double)i;
        OK(dse_page_points_add(points, (int64_t)i, estimate.metrics, &estimate, &why));
    }
    static const enum dse_metric objectives[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_BRAM18};
    struct dse_page_view view = {.board = fixture.board, .dataset = "made-up", .objectives = objectives, .objective_count = objective_count,
                                 .remark = "", .points = points};
    char path[512], *svg = NULL;
    size_t size = 0;
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/nysx-front-%ld.svg", folder != NULL ? folder : "/tmp", (long)getpid());
    OK(dse_fronts_draw(&view, 1, path, &why));
    OK(dse_file_read(path, 1 << 24, &svg, &size, &why));
    unlink(path);
    read_marks(svg, x, y);
    free(svg);
    dse_page_points_free(points);
}

/* How far across the middle mark stands. */
static double middle(double most)
{
    double x[POINTS], y[POINTS];
    draw_front(most, 2, x, y);
    assert_true(x[0] < x[1] && x[1] < x[2]);              /* slower is to the right, */
    assert_true(y[0] < y[1] && y[1] < y[2]);              /* and more energy up */
    assert_true(fabs(y[1] - (y[0] + y[2]) / 2.0) < 0.01); /* 2 to 4 is linear */
    return (x[1] - x[0]) / (x[2] - x[0]);
}

static void test_axes(void **state)
{
    (void)state;
    assert_true(fabs(middle(2.9) - 0.7 / 1.9) < 1e-3);
    assert_true(fabs(middle(3.1) - log(1.7) / log(3.1)) < 1e-3);
    assert_true(fabs(middle(100.0) - log(1.7) / log(100.0)) < 1e-3);
}

/* Marks without a third objective have a radius of 4; with one their areas go from that of 3 to that of 11. A circle's path
 * begins at its right. */
static void test_areas(void **state)
{
    (void)state;
    double plain[POINTS], x[POINTS], y[POINTS];
    draw_front(3.1, 2, plain, y);
    draw_front(3.1, 3, x, y);
    static const double squares[POINTS] = {9.0, (9.0 + 121.0) / 2.0, 121.0};
    for (size_t i = 0; i < POINTS; i++)
        assert_true(fabs(x[i] - plain[i] + 4.0 - sqrt(squares[i])) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_axes), cmocka_unit_test(test_areas)};
    return cmocka_run_group_tests_name("front figure", tests, open_fixture, close_fixture);
}
