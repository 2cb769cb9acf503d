/* Charts: positions of marks, axis labels for any range, sizes, and the data of a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "reports/chart.h"
#include "reports/chart_panel.h"
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
        dse_chart_put(series, (struct dse_chart_point){x[i], y[i], NAN, NAN, .name = i == 1 ? "middle" : NULL});
}

/* Cairo 1.18 writes stroke-width="1", Cairo 1.16 style="stroke-width:1;": converts the former to the latter. */
static void write_alike(char *svg)
{
    static const char *const names[] = {"fill-opacity=\"", "stroke-width=\"", "stroke=\""};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (char *at = svg; (at = strstr(at, names[n])) != NULL;) {
            at += strlen(names[n]) - 2;
            *at = ':';
            memmove(at + 1, at + 2, strlen(at + 2) + 1);
        }
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
    write_alike(svg);
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

/* The relative position of the middle mark. */
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

/* Points beyond a break do not compress the others, which keep the spacing of the axis up to the break. */
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

/* A series outside the axes does not widen them: the marks stay in place. */
TEST(test_aside)
{
    double x[POINTS], y[2][POINTS];
    for (int with = 0; with < 2; with++) {
        struct dse_chart chart;
        make(&chart, 100);
        struct dse_chart_series *line = with ? dse_chart_add(&chart, (struct dse_chart_series){.kind = DSE_CHART_STAIRS, .colour = -1, .aside = true}) : NULL;
        for (int i = 0; with && i < 2; i++)
            dse_chart_put(line, (struct dse_chart_point){i == 0 ? 1e-5 : 1e-4, 90, NAN, NAN, .name = NULL});
        char *svg = draw(&chart, &DSE_CHART_STYLE);
        read_marks(svg, x, y[with]);
        free(svg);
        dse_chart_free(&chart);
    }
    assert_memory_equal(y[0], y[1], sizeof y[0]);
}

/* No letter overlaps a mark, however crowded the chart is. */
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
        dse_chart_put(&chart.series[0], (struct dse_chart_point){at[0], at[1], NAN, NAN, .name = i % 4 == 0 ? "a name" : NULL});
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

/* Tick labels are groups of glyphs between the axes' ticks: more labels give more groups. */
static size_t count_texts(const char *svg)
{
    size_t uses = 0;
    for (const char *at = svg; (at = strstr(at, "<use ")) != NULL; at++)
        uses++;
    return uses;
}

/* If one axis shows only a part, the other is as wide as the visible points; if none are visible, as wide as all points. */
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

/* Side-by-side series are centred on their category; a series without points takes no space. */
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
    dse_chart_put(second, (struct dse_chart_point){0, 3, NAN, NAN, .name = NULL});
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
            dse_chart_put(rule, (struct dse_chart_point){i == 0 ? 1e-5 : 1e-3, 2 + i, NAN, NAN, .name = i == 0 ? "along" : "margin"});
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
    assert_string_equal(dse_strbuf_text(&text), "chart,series,name,x_is,x,y_is,y,low,high,x_low,x_high\n"
                                                "made-up,,,latency_s,1.0000000000000001e-05,energy_j,4,,,,\n"
                                                "made-up,,middle,latency_s,1.7e-05,energy_j,3,,,,\n"
                                                "made-up,,,latency_s,0.001,energy_j,2,,,,\n");
    dse_strbuf_free(&text);
    dse_chart_free(&chart);
}

/* One unit for all ticks of an axis, in its title; a label that ends in a unit chooses it. */
TEST(test_units)
{
    static const struct {
        double most;
        const char *label, *title, *tick; /* texts for 20 µs */
    } rows[] = {{2, NULL, "latency [\u00b5s]", "20"}, {1e3, NULL, "latency [\u00b5s]", "20"}, {1e5, NULL, "latency [ms]", "0.02"},
                {2, "Latency (ns)", "Latency (ns)", "20,000"}, {2, "Latency [ms]", "Latency [ms]", "0.02"}, {2, "Latency (GHz)", "Latency (GHz) [\u00b5s]", "20"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dse_chart chart;
        struct dse_chart_style style = DSE_CHART_STYLE;
        char text[64];
        make(&chart, rows[i].most);
        style.x_label = rows[i].label;
        struct dse_panel *panel = test_malloc(sizeof *panel);
        *panel = (struct dse_panel){.chart = &chart, .style = &style};
        dse_panel_fit(panel);
        assert_string_equal(panel->unit[0].title, rows[i].title);
        assert_string_equal(dse_panel_tick_text(panel, true, 2e-5, text, sizeof text), rows[i].tick);
        test_free(panel);
        dse_chart_free(&chart);
    }
}

/* A label that ends in "(%)" makes per cent of a whole, with ticks at round ones, and is rejected where there is none. */
TEST(test_percent)
{
    struct dse_chart chart;
    struct dse_error err;
    struct dse_strbuf svg = {0};
    struct dse_chart_style style = DSE_CHART_STYLE;
    char text[64];
    make(&chart, 2);
    style.y_label = "Energy (%)";
    assert_int_equal(dse_charts_render(&chart, 1, &style, DSE_FIGURE_SVG, &svg, &err), DSE_BAD_USAGE);
    assert_non_null(strstr(err.message, "--ylabel Energy (%): \"energy\" is no share of a whole"));
    chart.y = (struct dse_chart_axis){.title = "LUT", .key = "lut", .whole = true, .hundred = 224000, .logarithmic = -1, .least = 0, .most = 112000};
    assert_int_equal(dse_charts_render(&chart, 1, &style, DSE_FIGURE_SVG, &svg, &err), DSE_OK);
    struct dse_panel *panel = test_malloc(sizeof *panel);
    *panel = (struct dse_panel){.chart = &chart, .style = &style};
    dse_panel_fit(panel);
    assert_string_equal(dse_panel_tick_text(panel, false, 44800, text, sizeof text), "20");
    style.y_label = NULL;
    dse_panel_fit(panel);
    assert_string_equal(dse_panel_tick_text(panel, false, 44800, text, sizeof text), "44,800");
    test_free(panel);
    dse_strbuf_free(&svg);
    dse_chart_free(&chart);
}

/* Grid lines of a knob with powers of two pass through its values. */
TEST(test_powers)
{
    enum { POWERS = 9 };
    double x[POWERS], y[POWERS], xa, ya, xb, yb;
    size_t lines = 0;
    struct dse_chart chart;
    make(&chart, 100);
    chart.series[0].point_count = 0;
    chart.x = (struct dse_chart_axis){.title = "lanes", .key = "lanes", .whole = true, .binary = true, .logarithmic = 1, .least = NAN, .most = NAN};
    for (int i = 0; i < POWERS; i++)
        dse_chart_put(&chart.series[0], (struct dse_chart_point){4 << i, 1 + i, NAN, NAN, .name = NULL});
    char *svg = draw(&chart, &DSE_CHART_STYLE);
    read_some_marks(svg, POWERS, x, y);
    for (const char *at = svg; (at = strstr(at, "stroke:rgb(88")) != NULL; at++) {
        if (sscanf(strstr(at, " d=\"M "), " d=\"M %lf %lf L %lf %lf", &xa, &ya, &xb, &yb) != 4 || xa != xb)
            continue;
        bool through = false;
        for (int i = 0; i < POWERS; i++) /* a mark's path begins at its right end */
            through |= fabs(x[i] - 0.34 * 17 - xa) < 0.05;
        assert_true(through);
        lines++;
    }
    assert_true(lines >= 4);
    free(svg);
    dse_chart_free(&chart);
}

/* Error bars of two series over the same x are side by side; alone, and for a third series, they stay at their x. */
TEST(test_dodged)
{
    double x[2][3], y[3];
    for (int apart = 0; apart < 2; apart++) {
        struct dse_chart chart;
        make(&chart, 100);
        chart.series[0].point_count = 0;
        for (int s = 0; s < 3; s++) {
            struct dse_chart_series *series = dse_chart_add(&chart, (struct dse_chart_series){.kind = DSE_CHART_LINE});
            dse_chart_put(series, (struct dse_chart_point){s == 2 ? 3e-5 : s == 1 && apart == 1 ? 2e-5 : 1e-5, 2 + s, 1.5 + s, 2.5 + s, .name = NULL});
        }
        char *svg = draw(&chart, &DSE_CHART_STYLE);
        read_some_marks(svg, 3, x[apart], y);
        free(svg);
        dse_chart_free(&chart);
    }
    assert_true(fabs(x[0][2] - x[1][2]) < 0.01);
    assert_true(x[0][1] - x[0][0] > 4 && x[0][1] - x[0][0] < 17);
    assert_true(x[1][1] - x[1][0] > 300);
}

/* No line from a mark to its name crosses a name. */
TEST(test_leaders)
{
    enum { MANY = 60, LINES = 200 };
    struct dse_chart chart;
    double lines[LINES][4];
    size_t count = 0;
    make(&chart, 3);
    chart.series[0].point_count = 0;
    for (int i = 0; i < MANY; i++)
        dse_chart_put(&chart.series[0], (struct dse_chart_point){2 + 0.03 * (i % 8) + 0.001 * i, 2 + 0.03 * (i / 8.0), NAN, NAN, .name = i % 2 == 0 ? "a long name" : NULL});
    dse_chart_put(&chart.series[0], (struct dse_chart_point){1, 1, NAN, NAN, .name = NULL});
    dse_chart_put(&chart.series[0], (struct dse_chart_point){3, 3, NAN, NAN, .name = NULL});
    char *svg = draw(&chart, &DSE_CHART_STYLE);
    for (const char *at = svg; (at = strstr(at, "stroke-width:0.85")) != NULL && count < LINES; at++)
        count += sscanf(strstr(at, " d=\"M "), " d=\"M %lf %lf L %lf %lf", &lines[count][0], &lines[count][1], &lines[count][2], &lines[count][3]) == 4;
    assert_true(count > 5);
    for (const char *at = svg; (at = strstr(at, "<use ")) != NULL; at++) {
        double x = 0, y = 0;
        if (sscanf(strstr(at, " x="), " x=\"%lf\" y=\"%lf\"", &x, &y) != 2)
            continue;
        for (size_t l = 0; l < count; l++)
            for (double share = 0.02; share < 0.98; share += 0.01) {
                double px = lines[l][0] + share * (lines[l][2] - lines[l][0]), py = lines[l][1] + share * (lines[l][3] - lines[l][1]);
                if (px > x + 1 && px < x + 7 && py > y - 8 && py < y)
                    fail_msg("a line crosses a letter at %g, %g", x, y);
            }
    }
    free(svg);
    dse_chart_free(&chart);
}

/* Two rings of marks surround a mark, and the outer ring has a gap. The line from the mark to its name goes through the gap, although nearer
 * places are free. */
TEST(test_line_through_gap)
{
    struct dse_chart chart;
    double line[4];
    make(&chart, 3);
    chart.series[0].point_count = 0;
    for (int i = 0; i < 120; i++)
        if (i < 72 || i > 78) { /* the gap is above */
            double away = i < 60 ? 0.1 : 0.16, angle = 0.1047198 * i;
            dse_chart_put(&chart.series[0], (struct dse_chart_point){2 + away * cos(angle), 2 + 1.5 * away * sin(angle), NAN, NAN, .name = NULL});
        }
    dse_chart_put(&chart.series[0], (struct dse_chart_point){1, 1, NAN, NAN, .name = NULL});
    dse_chart_put(&chart.series[0], (struct dse_chart_point){3, 3, NAN, NAN, .name = NULL});
    dse_chart_put(&chart.series[0], (struct dse_chart_point){2, 2, NAN, NAN, .name = "middle"});
    char *svg = draw(&chart, &DSE_CHART_STYLE), *at = strstr(svg, "stroke-width:0.85");
    assert_non_null(at);
    assert_int_equal(sscanf(strstr(at, " d=\"M "), " d=\"M %lf %lf L %lf %lf", &line[0], &line[1], &line[2], &line[3]), 4);
    assert_true(line[3] < line[1] && fabs(line[2] - line[0]) < line[1] - line[3]);
    free(svg);
    dse_chart_free(&chart);
}

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        count++;
    return count;
}

/* A name beside its mark has a line if another mark is near; a list of names too long for the picture keeps its first. */
TEST(test_names)
{
    char longest[300] = "first, ";
    memset(longest + strlen(longest), 'm', 200);
    const char *const names[] = {"first", "first", "first, …", longest};
    size_t lines[4], glyphs[4];
    for (int i = 0; i < 4; i++) {
        struct dse_chart chart;
        make(&chart, 3);
        chart.series[0].point_count = 0;
        const double at[4][2] = {{1, 1}, {3, 3}, {i == 1 ? 2.08 : 2.5, i == 1 ? 2.08 : 1.5}, {2, 2}};
        for (int k = 0; k < 4; k++)
            dse_chart_put(&chart.series[0], (struct dse_chart_point){at[k][0], at[k][1], NAN, NAN, .name = k == 3 ? names[i] : NULL});
        char *svg = draw(&chart, &DSE_CHART_STYLE);
        lines[i] = occurrences(svg, "stroke-width:0.85");
        glyphs[i] = occurrences(svg, "<use ");
        free(svg);
        dse_chart_free(&chart);
    }
    assert_int_equal(lines[1], lines[0] + 1);
    assert_int_equal(glyphs[3], glyphs[2]);
}

/* Bars with the same hatch differ in grey. */
TEST(test_greys)
{
    struct dse_chart_style style = {.grey = true};
    struct dse_panel panel = {.style = &style};
    for (int i = 0; i < 4; i++)
        assert_true(fabs(dse_panel_colour(&panel, &(struct dse_chart_series){.colour = i}).r - dse_panel_colour(&panel, &(struct dse_chart_series){.colour = i + 4}).r) >= 0.35);
}

static size_t glyphs(const char *svg)
{
    size_t count = 0;
    for (const char *at = svg; (at = strstr(at, "<use ")) != NULL; at++)
        count++;
    return count;
}

/* The legend to the right narrows the frame; without one, and in the frame, nothing is lost. A range, and words, replace the chart's own. */
TEST(test_style)
{
    double x[4][POINTS + 1], y[POINTS + 1], last[4];
    struct dse_error err = {0};
    for (int legend = 0; legend < 4; legend++) {
        struct dse_chart chart;
        struct dse_chart_style style = DSE_CHART_STYLE;
        make(&chart, 100);
        chart.series[0].name = "designs of a study";
        style.legend = (enum dse_chart_legend)legend;
        char *svg = draw(&chart, &style);
        bool before = legend == DSE_LEGEND_ABOVE || legend == DSE_LEGEND_OUTSIDE; /* the legend's sign is drawn before the marks */
        read_some_marks(svg, POINTS + before, x[legend], y);
        last[legend] = x[legend][POINTS - 1 + before];
        free(svg);
        style.x_range = "5us:1us";
        assert_int_equal(dse_charts_draw(&chart, 1, &style, "/tmp/none.svg", &err), DSE_BAD_USAGE);
        style.x_range = "10us:20us";
        style.title = "";
        free(draw(&chart, &style));
        assert_true(isnan(chart.x.least)); /* the caller's chart is unchanged */
        dse_chart_free(&chart);
    }
    assert_true(last[DSE_LEGEND_OUTSIDE] < last[DSE_LEGEND_NONE] - 100);
    struct dse_chart_style style = DSE_CHART_STYLE;
    OK(dse_chart_style_named("paper", &style, &why));
    assert_true(fabs(style.width - 240.94) < 0.01 && style.dpi == 300);
    struct dse_chart chart; /* a long entry takes several lines beside the frame */
    make(&chart, 100);
    chart.series[0].name = "a series with a name of more than half the width, of many words, none of which is left out";
    style.legend = DSE_LEGEND_OUTSIDE;
    free(draw(&chart, &style));
    style.legend = DSE_LEGEND_ABOVE;
    char *above = draw(&chart, &style);
    style.legend = DSE_LEGEND_INSIDE; /* wider than the frame: above it, with a note */
    char *inside = draw(&chart, &style);
    assert_true(glyphs(inside) > glyphs(above)); /* without the note both are the same picture */
    free(inside);
    free(above);
    dse_chart_free(&chart);
    assert_int_equal(dse_chart_style_named("poster", &style, &err), DSE_BAD_USAGE);
}

TESTS(NULL, NULL)
