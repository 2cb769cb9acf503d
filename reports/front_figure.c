#include "reports/front_figure.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "reports/figure.h"

#define WIDTH 1000.0
#define HEIGHT 640.0
#define LEFT 120.0
#define RIGHT 40.0
#define TOP 86.0
#define BOTTOM 76.0
#define TEXT 17.0
#define LEAST_RADIUS 3.0
#define MOST_RADIUS 11.0

/* One direction of the plot: a metric from `least` to `most`, of which log10 stands on a log axis. */
struct axis {
    enum dse_metric metric;
    bool log;
    double least, most;
    double from, to; /* where the ends are drawn */
};

struct panel {
    cairo_t *cr;
    const struct dse_page_view *view;
    struct axis x, y;
    int third;                  /* the metric of the marks' area, or −1 */
    double third_least, third_most;
};

static double metric_at(const struct panel *p, enum dse_metric metric, size_t point)
{
    return dse_page_points_metric(p->view->points, metric, point);
}

static double paper_metric(const struct panel *p, enum dse_metric metric)
{
    const struct dse_design *paper = p->view->paper;
    if (paper == NULL)
        return NAN;
    if (metric == DSE_METRIC_QUALITY)
        return paper->quality != NULL ? paper->quality->mean : NAN;
    return paper->estimate->metrics[metric];
}

static const char *metric_text(enum dse_metric metric, double value, char *text, size_t size)
{
    if (dse_metrics[metric].resource >= 0 || metric == DSE_METRIC_CYCLES)
        return dse_count_format(text, size, (long long)value);
    return dse_quantity_format(text, size, dse_metrics[metric].dimension, value);
}

/* ---- axes ---- */

static void widen(double value, double *least, double *most)
{
    *least = isfinite(value) ? fmin(*least, value) : *least;
    *most = isfinite(value) ? fmax(*most, value) : *most;
}

static void fit(const struct panel *p, enum dse_metric metric, double from, double to, struct axis *axis)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < dse_page_points_count(p->view->points); i++)
        widen(metric_at(p, metric, i), &least, &most);
    widen(paper_metric(p, metric), &least, &most);
    *axis = (struct axis){.metric = metric, .log = least > 0.0 && most > 3.0 * least, .from = from, .to = to};
    if (axis->log) {
        axis->least = log10(least) - 0.06 * log10(most / least);
        axis->most = log10(most) + 0.06 * log10(most / least);
    } else {
        double room = most > least ? 0.06 * (most - least) : fmax(fabs(most) * 0.1, 1e-12);
        axis->least = least - room;
        axis->most = most + room;
    }
}

static double place(const struct axis *axis, double value)
{
    double at = axis->log ? log10(value) : value;
    return axis->from + (at - axis->least) / (axis->most - axis->least) * (axis->to - axis->from);
}

static void line(cairo_t *cr, double xa, double ya, double xb, double yb)
{
    cairo_move_to(cr, xa, ya);
    cairo_line_to(cr, xb, yb);
    cairo_stroke(cr);
}

static double width_of(cairo_t *cr, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}

static void grey(cairo_t *cr, double shade)
{
    cairo_set_source_rgb(cr, shade, shade, shade);
}

static void text_at(cairo_t *cr, double x, double y, const char *text)
{
    cairo_move_to(cr, x, y);
    cairo_show_text(cr, text);
}

/* "20 µs" of "20.00 us". */
static void tick_text(enum dse_metric metric, double value, char *text, size_t size)
{
    char whole[48];
    metric_text(metric, value, whole, sizeof whole);
    size_t number = strcspn(whole, " "), kept = number;
    if (memchr(whole, '.', number) != NULL)
        while (kept > 1 && (whole[kept - 1] == '0' || whole[kept - 1] == '.') && memchr(whole, '.', kept) != NULL)
            kept--;
    const char *unit = whole + number;
    bool micro = unit[0] == ' ' && unit[1] == 'u';
    snprintf(text, size, "%.*s%s%s", (int)kept, whole, micro ? " \u00b5" : unit, micro ? unit + 2 : "");
}

static void draw_tick(const struct panel *p, const struct axis *axis, bool across, double value)
{
    char text[48];
    double at = place(axis, value);
    if (at < fmin(axis->from, axis->to) || at > fmax(axis->from, axis->to))
        return;
    tick_text(axis->metric, value, text, sizeof text);
    grey(p->cr, 0.88);
    if (across)
        line(p->cr, at, TOP, at, HEIGHT - BOTTOM);
    else
        line(p->cr, LEFT, at, WIDTH - RIGHT, at);
    grey(p->cr, 0.13);
    if (across)
        text_at(p->cr, at - width_of(p->cr, text) / 2.0, HEIGHT - BOTTOM + 24.0, text);
    else
        text_at(p->cr, LEFT - 10.0 - width_of(p->cr, text), at + 6.0, text);
}

/* Of each decade 1, 2 and 5, or 1 alone where there are many; on a linear axis about six round values. */
static void draw_ticks(const struct panel *p, const struct axis *axis, bool across)
{
    static const double mantissas[] = {1.0, 2.0, 5.0};
    double span = axis->most - axis->least;
    if (axis->log) {
        size_t kept = span > (across ? 4.0 : 3.0) ? 1 : 3;
        for (double decade = floor(axis->least); decade <= axis->most; decade += 1.0)
            for (size_t m = 0; m < kept; m++)
                draw_tick(p, axis, across, mantissas[m] * pow(10.0, decade));
        return;
    }
    double power = pow(10.0, floor(log10(span / 5.0))), step = power;
    for (size_t m = 0; m < 3; m++)
        step = span / (mantissas[m] * power) > 7.0 ? (m < 2 ? mantissas[m + 1] : 10.0) * power : step;
    if (dse_metrics[axis->metric].resource >= 0)
        step = fmax(step, 1.0);
    for (double at = ceil(axis->least / step) * step; at <= axis->most; at += step)
        draw_tick(p, axis, across, fabs(at) < step * 1e-9 ? 0.0 : at);
}

static void draw_axes(const struct panel *p)
{
    cairo_t *cr = p->cr;
    cairo_set_line_width(cr, 1.0);
    draw_ticks(p, &p->x, true);
    draw_ticks(p, &p->y, false);
    grey(cr, 0.13);
    cairo_rectangle(cr, LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    cairo_stroke(cr);
    const char *name = dse_metrics[p->x.metric].heading;
    text_at(cr, (LEFT + WIDTH - RIGHT - width_of(cr, name)) / 2.0, HEIGHT - BOTTOM + 54.0, name);
    name = dse_metrics[p->y.metric].heading;
    cairo_save(cr);
    cairo_translate(cr, 26.0, (TOP + HEIGHT - BOTTOM + width_of(cr, name)) / 2.0);
    cairo_rotate(cr, -1.5707963267948966);
    text_at(cr, 0.0, 0.0, name);
    cairo_restore(cr);
}

/* ---- points ---- */

/* Areas grow with the third objective, from the front's least to its most. */
static double radius_of(const struct panel *p, double value)
{
    if (p->third < 0 || !isfinite(value) || !(p->third_most > p->third_least))
        return LEAST_RADIUS + 1.0;
    double share = (value - p->third_least) / (p->third_most - p->third_least);
    double least = LEAST_RADIUS * LEAST_RADIUS, most = MOST_RADIUS * MOST_RADIUS;
    return sqrt(least + share * (most - least));
}

static void draw_circle(const struct panel *p, double x, double y, double radius)
{
    cairo_new_path(p->cr);
    cairo_arc(p->cr, x, y, radius, 0.0, 6.283185307179586);
    cairo_set_source_rgba(p->cr, 0.0, 0.45, 0.70, 0.45);
    cairo_fill_preserve(p->cr);
    cairo_set_source_rgb(p->cr, 0.0, 0.35, 0.58);
    cairo_set_line_width(p->cr, 1.0);
    cairo_stroke(p->cr);
}

static void draw_front(const struct panel *p)
{
    for (size_t i = 0; i < dse_page_points_count(p->view->points); i++) {
        double x = metric_at(p, p->x.metric, i), y = metric_at(p, p->y.metric, i);
        if (isfinite(x) && isfinite(y))
            draw_circle(p, place(&p->x, x), place(&p->y, y),
                        radius_of(p, p->third >= 0 ? metric_at(p, (enum dse_metric)p->third, i) : NAN));
    }
}

/* A name beside its mark, on the side where there is room, below it or above, over a white rim. */
static void draw_name(const struct panel *p, double x, double y, bool below, const char *text)
{
    if (below && y + 32.0 < HEIGHT - BOTTOM)
        y += 38.0;
    double width = width_of(p->cr, text);
    double at = x + 16.0 + width < WIDTH - RIGHT - 4.0 ? x + 16.0 : x - 16.0 - width;
    cairo_move_to(p->cr, at, y - 10.0);
    cairo_text_path(p->cr, text);
    cairo_set_source_rgb(p->cr, 1.0, 1.0, 1.0);
    cairo_set_line_width(p->cr, 5.0);
    cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(p->cr);
    grey(p->cr, 0.1);
    text_at(p->cr, at, y - 10.0, text);
}

static void draw_paper(const struct panel *p)
{
    double x = paper_metric(p, p->x.metric), y = paper_metric(p, p->y.metric);
    if (!isfinite(x) || !isfinite(y))
        return;
    x = place(&p->x, x);
    y = place(&p->y, y);
    cairo_move_to(p->cr, x, y - 10.0);
    cairo_line_to(p->cr, x + 10.0, y);
    cairo_line_to(p->cr, x, y + 10.0);
    cairo_line_to(p->cr, x - 10.0, y);
    cairo_close_path(p->cr);
    cairo_set_source_rgb(p->cr, 0.84, 0.37, 0.0);
    cairo_fill_preserve(p->cr);
    cairo_set_source_rgb(p->cr, 1.0, 1.0, 1.0);
    cairo_set_line_width(p->cr, 1.5);
    cairo_stroke(p->cr);
    draw_name(p, x, y, false, "the paper's design");
}

static void draw_chosen(const struct panel *p)
{
    double x = place(&p->x, metric_at(p, p->x.metric, p->view->chosen));
    double y = place(&p->y, metric_at(p, p->y.metric, p->view->chosen));
    cairo_new_path(p->cr);
    cairo_arc(p->cr, x, y, MOST_RADIUS + 3.0, 0.0, 6.283185307179586);
    grey(p->cr, 0.0);
    cairo_set_line_width(p->cr, 2.5);
    cairo_stroke(p->cr);
    draw_name(p, x, y - 2.0, true, "the chosen design");
}

static void draw_legend(const struct panel *p)
{
    char text[256], size[32], least[48], most[48];
    const struct dse_page_view *view = p->view;
    snprintf(text, sizeof text, "%s on %s: front of %s designs%s", view->dataset, view->board->name,
             dse_count_format(size, sizeof size, (long long)dse_page_points_count(view->points)),
             view->proven ? ", proven" : ", not proven");
    grey(p->cr, 0.1);
    text_at(p->cr, LEFT, 30.0, text);
    if (p->third < 0)
        return;
    enum dse_metric metric = (enum dse_metric)p->third;
    draw_circle(p, LEFT + 8.0, 56.0, LEAST_RADIUS);
    draw_circle(p, LEFT + 30.0, 56.0, MOST_RADIUS);
    snprintf(text, sizeof text, "area: %s, %s to %s", dse_metrics[metric].heading,
             metric_text(metric, p->third_least, least, sizeof least), metric_text(metric, p->third_most, most, sizeof most));
    grey(p->cr, 0.1);
    text_at(p->cr, LEFT + 50.0, 62.0, text);
}

static void draw_panel(cairo_t *cr, const struct dse_page_view *view)
{
    struct panel panel = {.cr = cr, .view = view, .third = -1, .third_least = INFINITY, .third_most = -INFINITY};
    enum dse_metric x = view->objectives[0];
    enum dse_metric y = view->objective_count > 1 ? view->objectives[1]
                        : x == DSE_METRIC_LATENCY ? DSE_METRIC_ENERGY
                                                  : DSE_METRIC_LATENCY;
    fit(&panel, x, LEFT, WIDTH - RIGHT, &panel.x);
    fit(&panel, y, HEIGHT - BOTTOM, TOP, &panel.y);
    if (view->objective_count > 2) {
        panel.third = (int)view->objectives[2];
        for (size_t i = 0; i < dse_page_points_count(view->points); i++)
            widen(metric_at(&panel, view->objectives[2], i), &panel.third_least, &panel.third_most);
    }
    draw_axes(&panel);
    draw_front(&panel);
    draw_paper(&panel);
    draw_chosen(&panel);
    draw_legend(&panel);
}

struct drawing {
    const struct dse_page_view *views;
    size_t count;
};

static void draw_all(cairo_t *cr, const void *user)
{
    const struct drawing *drawing = user;
    for (size_t v = 0; v < drawing->count; v++) {
        draw_panel(cr, &drawing->views[v]);
        cairo_translate(cr, 0.0, HEIGHT);
    }
}

enum dse_status dse_fronts_draw(const struct dse_page_view *views, size_t count, const char *path, struct dse_error *err)
{
    struct drawing drawing = {views, count};
    struct dse_drawing figure = {WIDTH, HEIGHT * (double)count, TEXT, draw_all, &drawing};
    return dse_figure_write(&figure, path, err);
}
