/* Charts: where marks stand, what axes name however wide the range is, sizes, and the data behind a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "reports/chart.h"
#include "tests/ok.h"
#include "tests/test.h"

#define POINTS 3

static void make(struct dse_chart *chart, double most)
{
    const double x[POINTS] = {1e-5, 1.7e-5, most * 1e-5}, y[POINTS] = {4, 3, 2};
    *chart = (struct dse_chart){.title = "made-up", .note = "",
                                .x = {.title = "latency", .key = "latency_s", .dimension = DSE_DIMENSION_TIME, .better = -1, .least = NAN, .most = NAN},
                                .y = {.title = "energy", .key = "energy_j", .better = -1, .least = NAN, .most = NAN}};
    struct dse_chart_series *series = dse_chart_add(chart, (struct dse_chart_series){.kind = DSE_CHART_POINTS});
    for (int i = 0; i < POINTS; i++)
        dse_chart_put(series, (struct dse_chart_point){x[i], y[i], NAN, NAN, i == 1 ? "middle" : NULL});
}

static char *draw(const struct dse_chart *chart, const struct dse_chart_style *style)
{
    char path[512], *svg = NULL;
    size_t size = 0;
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/nysx-chart-%ld.svg", folder != NULL ? folder : "/tmp", (long)getpid());
    OK(dse_charts_draw(chart, 1, style, path, &why));
    OK(dse_file_read(path, 1 << 24, &svg, &size, &why));
    unlink(path);
    return svg;
}

/* The right ends of the first marks, in the order of the points: a circle is a path that starts there. */
static void read_some_marks(const char *svg, size_t count, double *x, double *y)
{
    size_t found = 0;
    for (const char *at = svg; (at = strstr(at, "<path")) != NULL && found < count; at++) {
        const char *end = strstr(at, "/>"), *shade = strstr(at, "fill-opacity"), *path = strstr(at, " d=\"M ");
        if (end == NULL || shade == NULL || path == NULL || shade > end || path > end || strstr(shade, "0.55") != shade + 13)
            continue;
        assert_int_equal(sscanf(path, " d=\"M %lf %lf", &x[found], &y[found]), 2);
        found++;
    }
    assert_int_equal(found, count);
}

static void read_marks(const char *svg, double x[POINTS], double y[POINTS])
{
    read_some_marks(svg, POINTS, x, y);
}

/* How far across the middle mark stands. */
static double middle(double most)
{
    struct dse_chart chart;
    double x[POINTS], y[POINTS];
    make(&chart, most);
    char *svg = draw(&chart, &DSE_CHART_STYLE);
    read_marks(svg, x, y);
    free(svg);
    dse_chart_free(&chart);
    assert_true(x[0] < x[1] && x[1] < x[2]);              /* slower is to the right, */
    assert_true(y[0] < y[1] && y[1] < y[2]);              /* and more energy up */
    assert_true(fabs(y[1] - (y[0] + y[2]) / 2.0) < 0.01); /* 2 to 4 is linear */
    return (x[1] - x[0]) / (x[2] - x[0]);
}

TEST(test_axes)
{
    assert_true(fabs(middle(2.9) - 0.7 / 1.9) < 1e-3);
    assert_true(fabs(middle(3.1) - log(1.7) / log(3.1)) < 1e-3);
    assert_true(fabs(middle(100.0) - log(1.7) / log(100.0)) < 1e-3);
}

/* Points behind a break do not press the others: they stand as far apart as the axis up to the break has them. */
TEST(test_break)
{
    struct dse_chart chart;
    double x[POINTS], y[POINTS], whole[POINTS];
    make(&chart, 1e4);
    char *svg = draw(&chart, &DSE_CHART_STYLE);
    read_marks(svg, whole, y);
    free(svg);
    chart.x.most = 2e-5;
    chart.x.broken = true;
    chart.x.far = 1e-1;
    svg = draw(&chart, &DSE_CHART_STYLE);
    read_marks(svg, x, y);
    free(svg);
    dse_chart_free(&chart);
    assert_true(x[1] - x[0] > 5 * (whole[1] - whole[0]));
    assert_true(x[2] > x[1] && x[2] < DSE_CHART_STYLE.width && fabs(x[2] - whole[2]) < 100);
}

/* A series that lies aside widens no axis: the marks stand where they do without it. */
TEST(test_aside)
{
    double x[POINTS], y[2][POINTS];
    for (int with = 0; with < 2; with++) {
        struct dse_chart chart;
        make(&chart, 100);
        struct dse_chart_series *line = with ? dse_chart_add(&chart, (struct dse_chart_series){.kind = DSE_CHART_STAIRS, .colour = -1, .aside = true}) : NULL;
        for (int i = 0; with && i < 2; i++)
            dse_chart_put(line, (struct dse_chart_point){i == 0 ? 1e-5 : 1e-4, 90, NAN, NAN, NULL});
        char *svg = draw(&chart, &DSE_CHART_STYLE);
        read_marks(svg, x, y[with]);
        free(svg);
        dse_chart_free(&chart);
    }
    assert_memory_equal(y[0], y[1], sizeof y[0]);
}

/* No letter stands on a mark, however crowded it is. */
TEST(test_labels)
{
    enum { MANY = 80 };
    struct dse_chart chart;
    double marks[MANY][2];
    size_t found = 0, letters = 0;
    make(&chart, 3);
    chart.series[0].point_count = 0;
    uint32_t random = 1;
    for (int i = 0; i < MANY; i++) {
        double at[2];
        for (int axis = 0; axis < 2; axis++) {
            random = random * 1664525u + 1013904223u;
            at[axis] = 1.0 + (random >> 8) / 16777216.0;
        }
        dse_chart_put(&chart.series[0], (struct dse_chart_point){at[0], at[1], NAN, NAN, i % 4 == 0 ? "a name" : NULL});
    }
    char *svg = draw(&chart, &DSE_CHART_STYLE);
    for (const char *at = svg; (at = strstr(at, "fill-opacity:0.55")) != NULL && found < MANY; at++)
        assert_int_equal(sscanf(strstr(at, " d=\"M "), " d=\"M %lf %lf", &marks[found][0], &marks[found][1]), 2), found++;
    assert_int_equal(found, MANY);
    for (const char *at = svg; (at = strstr(at, "<use ")) != NULL; at++) {
        double x = 0, y = 0, r = 0.34 * 17;
        if (sscanf(strstr(at, " x="), " x=\"%lf\" y=\"%lf\"", &x, &y) != 2)
            continue;
        letters++;
        for (size_t m = 0; m < found; m++) /* a mark's path begins at its right end */
            if (fabs(x - (marks[m][0] - r)) < r && y - 6 > marks[m][1] - r && y - 6 < marks[m][1] + r)
                fail_msg("a letter at %g, %g stands on a mark", x, y);
    }
    assert_true(letters > 6 * MANY / 4);
    free(svg);
    dse_chart_free(&chart);
}

/* Tick labels are written as groups of glyphs between the axes' marks: the more, the more of them. */
static size_t count_texts(const char *svg)
{
    size_t uses = 0;
    for (const char *at = svg; (at = strstr(at, "<use ")) != NULL; at++)
        uses++;
    return uses;
}

/* Where one axis shows a part alone the other is as wide as what is shown, and as all that there is where that is nothing. */
TEST(test_part)
{
    double x[POINTS], y[POINTS];
    for (int far = 0; far < 2; far++) {
        struct dse_chart chart;
        make(&chart, 1e4);
        if (far == 0)
            chart.y.least = 2.5;
        else
            chart.y.most = 1;
        char *svg = draw(&chart, &DSE_CHART_STYLE);
        if (far == 0)
            read_some_marks(svg, POINTS - 1, x, y);
        assert_true(count_texts(svg) > 30);
        free(svg);
        dse_chart_free(&chart);
    }
    assert_true(x[1] - x[0] > 0.6 * DSE_CHART_STYLE.width);
}

/* Series beside each other stand around their category; one without points takes no place. */
TEST(test_beside)
{
    static const char *const categories[] = {"a", "b"};
    double x[POINTS], y[POINTS];
    struct dse_chart chart;
    make(&chart, 3);
    chart.x.categories = categories;
    chart.x.category_count = 2;
    chart.series[0].points[0].x = 0, chart.series[0].points[1].x = 1, chart.series[0].point_count = 2;
    struct dse_chart_series *second = dse_chart_add(&chart, (struct dse_chart_series){.kind = DSE_CHART_POINTS});
    dse_chart_put(second, (struct dse_chart_point){0, 3, NAN, NAN, NULL});
    assert_true(dse_chart_add(&chart, (struct dse_chart_series){.kind = DSE_CHART_POINTS}) != NULL);
    char *svg = draw(&chart, &DSE_CHART_STYLE);
    read_marks(svg, x, y);
    assert_true(fabs((x[2] - x[0]) / (x[1] - x[0]) - 0.35) < 0.02);
    free(svg);
    dse_chart_free(&chart);
}

/* A rule is named along its line and in a margin, which takes its width from the frame. */
TEST(test_rules)
{
    double x[2][POINTS], y[POINTS];
    size_t texts[2];
    for (int with = 0; with < 2; with++) {
        struct dse_chart chart;
        make(&chart, 100);
        struct dse_chart_series *rule = with ? dse_chart_add(&chart, (struct dse_chart_series){.kind = DSE_CHART_RULES, .colour = DSE_CHART_GREY}) : NULL;
        for (int i = 0; with && i < 2; i++)
            dse_chart_put(rule, (struct dse_chart_point){i == 0 ? 1e-5 : 1e-3, 2 + i, NAN, NAN, i == 0 ? "along" : "margin"});
        char *svg = draw(&chart, &DSE_CHART_STYLE);
        read_marks(svg, x[with], y);
        texts[with] = count_texts(svg);
        free(svg);
        dse_chart_free(&chart);
    }
    assert_true(x[0][2] - x[1][2] > 3 * 17);
    assert_true(texts[1] >= texts[0] + strlen("along") + strlen("margin") - 4); /* and perhaps a tick fewer */
}

TEST(test_ranges)
{
    static const double most[] = {1.0001, 1.02, 1.4, 3.1, 9.0, 50.0, 1e3, 1e6, 1e12};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++)
        for (int always = 0; always < 2; always++) {
            struct dse_chart chart;
            make(&chart, most[i]);
            chart.x.logarithmic = always;
            chart.series[0].points[1].x = 1e-5;
            char *svg = draw(&chart, &DSE_CHART_STYLE);
            assert_true(strlen(svg) > 1000);
            assert_true(count_texts(svg) >= 42); /* letters: "made-up", "latency", "energy", "middle", "better" and four numbers at least */
            free(svg);
            dse_chart_free(&chart);
        }
}

TEST(test_sizes)
{
    struct dse_chart_style style = DSE_CHART_STYLE;
    struct dse_error err = {0};
    OK(dse_chart_size("85x60mm", &style, &why));
    assert_true(fabs(style.width - 240.94) < 0.01 && fabs(style.height - 170.08) < 0.01);
    OK(dse_chart_size("3.5x2in", &style, &why));
    assert_true(style.width == 252 && style.height == 144);
    static const char *const bad[] = {"", "85", "85x", "x60mm", "85x60km", "1x1", "85mmx60mm", "nanxnan", "99999x100", "-85x60mm"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (dse_chart_size(bad[i], &style, &err) != DSE_BAD_USAGE)
            fail_msg("%s", bad[i]);
    struct dse_chart chart;
    make(&chart, 100);
    free(draw(&chart, &style));
    style.text = 40;
    assert_int_equal(dse_charts_draw(&chart, 1, &style, "/tmp/none.svg", &err), DSE_BAD_USAGE);
    chart.series[0].point_count = 0;
    assert_int_equal(dse_charts_draw(&chart, 1, &style, "/tmp/none.svg", &err), DSE_BAD_INPUT);
    dse_chart_free(&chart);
}

TEST(test_data)
{
    struct dse_chart chart;
    struct dse_strbuf text = {0};
    make(&chart, 100);
    dse_charts_write_csv(&chart, 1, &text);
    assert_string_equal(dse_strbuf_text(&text), "chart,series,name,x_is,x,y_is,y,low,high\n"
                                                "made-up,,,latency_s,1.0000000000000001e-05,energy_j,4,,\n"
                                                "made-up,,middle,latency_s,1.7e-05,energy_j,3,,\n"
                                                "made-up,,,latency_s,0.001,energy_j,2,,\n");
    dse_strbuf_free(&text);
    dse_chart_free(&chart);
}

TESTS(NULL, NULL)
