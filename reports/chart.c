#include "reports/chart.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "reports/figure.h"
#include "reports/table.h"

#define BOXES_MAX 8192
#define TURN 6.283185307179586

struct rgb {
    double r, g, b;
};
static const struct rgb palette[] = {{0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
                                     {0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}, {0.34, 0.34, 0.34}, {0.00, 0.25, 0.40}};
#define PALETTE ((int)(sizeof palette / sizeof *palette))
static const struct rgb ink = {0.13, 0.13, 0.13}, dark_end = {0.00, 0.14, 0.30}, light_end = {0.98, 0.80, 0.35};

struct box {
    double x0, y0, x1, y1;
};

/* One chart on its panel. */
struct panel {
    cairo_t *cr;
    const struct dse_chart *chart;
    double width, height, text;
    double left, right, top, bottom; /* the frame */
    double x[2], y[2];               /* the axes' ends, log10 where logarithmic */
    bool log_x, log_y;
    struct box boxes[BOXES_MAX]; /* where marks and labels are */
    size_t box_count, unnamed, outside;
};

/* ---- small things ---- */

static void set(struct panel *p, struct rgb c)
{
    cairo_set_source_rgb(p->cr, c.r, c.g, c.b);
}

static double width_of(struct panel *p, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(p->cr, text, &extents);
    return extents.x_advance;
}

static void text_at(struct panel *p, double x, double y, const char *text)
{
    cairo_move_to(p->cr, x, y);
    cairo_show_text(p->cr, text);
}

static void line(struct panel *p, double xa, double ya, double xb, double yb)
{
    cairo_move_to(p->cr, xa, ya);
    cairo_line_to(p->cr, xb, yb);
    cairo_stroke(p->cr);
}

static struct rgb colour_of(const struct dse_chart_series *s)
{
    if (s->colour == -1)
        return ink;
    if (s->colour >= 0)
        return palette[s->colour % PALETTE];
    double at = s->steps > 1 ? (double)(-2 - s->colour) / (s->steps - 1) : 0;
    return (struct rgb){light_end.r + at * (dark_end.r - light_end.r), light_end.g + at * (dark_end.g - light_end.g),
                        light_end.b + at * (dark_end.b - light_end.b)};
}

static int shape_of(const struct dse_chart_series *s)
{
    return s->colour == -1 ? 1 : s->colour >= 0 ? s->colour % 6 : (-2 - s->colour) % 6;
}

static double place_x(const struct panel *p, double value)
{
    double at = p->log_x ? log10(value) : value;
    return p->left + (at - p->x[0]) / (p->x[1] - p->x[0]) * (p->right - p->left);
}

static double place_y(const struct panel *p, double value)
{
    double at = p->log_y ? log10(value) : value;
    return p->bottom - (at - p->y[0]) / (p->y[1] - p->y[0]) * (p->bottom - p->top);
}

static bool is_inside(const struct panel *p, double x, double y)
{
    return isfinite(x) && isfinite(y) && x >= p->left - 0.5 && x <= p->right + 0.5 && y >= p->top - 0.5 && y <= p->bottom + 0.5;
}

static void take(struct panel *p, struct box box)
{
    if (p->box_count < BOXES_MAX)
        p->boxes[p->box_count++] = box;
}

static bool is_free(const struct panel *p, struct box box)
{
    if (box.x0 < p->left || box.x1 > p->right || box.y0 < p->top || box.y1 > p->bottom)
        return false;
    for (size_t i = 0; i < p->box_count; i++)
        if (box.x0 < p->boxes[i].x1 && box.x1 > p->boxes[i].x0 && box.y0 < p->boxes[i].y1 && box.y1 > p->boxes[i].y0)
            return false;
    return true;
}

/* ---- axes ---- */

static void widen(const struct dse_chart_axis *axis, double value, double *least, double *most)
{
    if (isfinite(value) && (value > 0 || axis->logarithmic <= 0)) {
        *least = fmin(*least, value);
        *most = fmax(*most, value);
    }
}

/* The ends of an axis over all points, with room around them; bars begin at 0. */
static void fit(const struct dse_chart *chart, const struct dse_chart_axis *axis, bool across, double ends[2], bool *logarithmic)
{
    double least = INFINITY, most = -INFINITY;
    bool from_zero = false;
    for (size_t s = 0; s < chart->series_count; s++)
        for (size_t i = 0; i < chart->series[s].point_count; i++) {
            const struct dse_chart_point *point = &chart->series[s].points[i];
            bool spans = chart->series[s].kind == DSE_CHART_SPANS;
            widen(axis, across ? point->x : point->y, &least, &most);
            if (across == spans && isfinite(point->low)) {
                widen(axis, point->low, &least, &most);
                widen(axis, point->high, &least, &most);
            }
            from_zero |= ((chart->series[s].kind == DSE_CHART_BARS && !across) || (spans && across)) && axis->logarithmic <= 0;
        }
    least = from_zero ? fmin(least, 0) : least;
    bool chosen[2] = {isfinite(axis->least), isfinite(axis->most)};
    least = chosen[0] ? axis->least : least;
    most = chosen[1] ? axis->most : most;
    *logarithmic = axis->category_count == 0 && least > 0 && axis->logarithmic >= 0 && (axis->logarithmic > 0 || most > 3 * least);
    if (axis->category_count > 0) {
        ends[0] = -0.5;
        ends[1] = (double)axis->category_count - 0.5;
        return;
    }
    ends[0] = *logarithmic ? log10(least) : least;
    ends[1] = *logarithmic ? log10(most) : most;
    double room = ends[1] > ends[0] ? 0.06 * (ends[1] - ends[0]) : fmax(fabs(ends[1]) * 0.1, 1e-12);
    ends[0] -= chosen[0] || (from_zero && least == 0) ? 0 : room;
    ends[1] += chosen[1] ? 0 : room;
}

/* "20 µs" of "20.00 us". */
static char *tick_text(const struct dse_chart_axis *axis, double value, char *text, size_t size)
{
    char whole[48];
    if (axis->share)
        snprintf(whole, sizeof whole, "%.6g %%", 100 * value);
    else if (axis->dimension == DSE_DIMENSION_NONE)
        snprintf(whole, sizeof whole, "%.6g", value);
    else
        dse_quantity_format(whole, sizeof whole, axis->dimension, value);
    if (axis->whole && fabs(value) >= 10000 && value == rint(value))
        dse_count_format(whole, sizeof whole, (long long)value);
    size_t number = strcspn(whole, " "), kept = number;
    if (memchr(whole, '.', number) != NULL && memchr(whole, 'e', number) == NULL)
        while (kept > 1 && (whole[kept - 1] == '0' || whole[kept - 1] == '.') && memchr(whole, '.', kept) != NULL)
            kept--;
    const char *unit = whole + number;
    bool micro = unit[0] == ' ' && unit[1] == 'u';
    snprintf(text, size, "%.*s%s%s", (int)kept, whole, micro ? " \u00b5" : unit, micro ? unit + 2 : "");
    return text;
}

struct tick {
    double value;
    bool named;
};

/* Marks of an axis: of each decade 1 to 9, named so densely as there is room, two at least; else about six round values. */
static size_t make_ticks(const struct dse_chart_axis *axis, const double ends[2], bool logarithmic, size_t room, struct tick *ticks, size_t most)
{
    static const char *const named[] = {"1", "13", "125", "12357", "123456789"};
    size_t count = 0;
    double span = ends[1] - ends[0];
    if (axis->category_count > 0)
        return 0;
    if (logarithmic) {
        double per_decade = (double)room / fmax(span, 1e-9);
        size_t density = per_decade < 1.6 ? 0 : per_decade < 2.6 ? 1 : per_decade < 5 ? 2 : per_decade < 14 ? 3 : 4;
        for (bool enough = false; !enough; density++) {
            size_t texts = 0, skip = per_decade < 0.8 ? (size_t)ceil(1 / per_decade) : 1;
            count = 0;
            for (int decade = (int)floor(ends[0]); decade <= (int)ceil(ends[1]); decade++)
                for (int m = 1; m <= 9 && count < most; m++) {
                    double value = m * pow(10, decade), at = log10(value);
                    if (at < ends[0] - 1e-9 || at > ends[1] + 1e-9)
                        continue;
                    bool name = strchr(named[density], '0' + m) != NULL && (density > 0 || abs(decade) % (int)skip == 0);
                    texts += name;
                    ticks[count++] = (struct tick){value, name};
                }
            enough = texts >= 2 || density == 4;
            if (texts >= 2)
                return count;
        }
        count = 0; /* less than a step between two marks: as on a linear axis */
    }
    double low = logarithmic ? pow(10, ends[0]) : ends[0], high = logarithmic ? pow(10, ends[1]) : ends[1];
    double power = pow(10, floor(log10((high - low) / 5))), step = power;
    static const double mantissas[] = {1, 2, 5};
    for (size_t m = 0; m < 3; m++)
        step = (high - low) / (mantissas[m] * power) > (double)room ? (m < 2 ? mantissas[m + 1] : 10) * power : step;
    if (axis->whole)
        step = fmax(step, 1);
    for (double at = ceil(low / step - 1e-9) * step; at <= high + step * 1e-9 && count < most; at += step)
        ticks[count++] = (struct tick){fabs(at) < step * 1e-9 ? 0 : at, true};
    return count;
}

static void draw_frame(struct panel *p)
{
    const struct dse_chart *c = p->chart;
    struct tick ticks[400];
    char text[64];
    cairo_set_line_width(p->cr, p->text / 17);
    for (int across = 0; across < 2; across++) {
        const struct dse_chart_axis *axis = across ? &c->x : &c->y;
        size_t room = (size_t)((across ? (p->right - p->left) / (5.6 * p->text) : (p->bottom - p->top) / (2.2 * p->text)) + 1);
        size_t count = make_ticks(axis, across ? p->x : p->y, across ? p->log_x : p->log_y, room > 1 ? room : 2, ticks, 400);
        double last = -INFINITY; /* where the text before ends */
        for (size_t i = 0; i < count; i++) {
            double at = across ? place_x(p, ticks[i].value) : place_y(p, ticks[i].value), mark = p->text * (ticks[i].named ? 0.45 : 0.25);
            if (ticks[i].named) {
                set(p, (struct rgb){0.88, 0.88, 0.88});
                across ? line(p, at, p->top, at, p->bottom) : line(p, p->left, at, p->right, at);
                set(p, ink);
                tick_text(axis, ticks[i].value, text, sizeof text);
                double half = width_of(p, text) / 2;
                if (across && at - half < last + 0.4 * p->text)
                    text[0] = '\0';
                else
                    last = at + half;
                across ? text_at(p, at - half, p->bottom + 1.6 * p->text, text)
                       : text_at(p, p->left - 0.7 * p->text - width_of(p, text), at + 0.35 * p->text, text);
            }
            set(p, ink);
            across ? line(p, at, p->bottom, at, p->bottom + mark) : line(p, p->left - mark, at, p->left, at);
        }
        for (size_t i = 0; i < axis->category_count; i++) {
            double at = across ? place_x(p, (double)i) : place_y(p, (double)i);
            set(p, ink);
            across ? text_at(p, at - width_of(p, axis->categories[i]) / 2, p->bottom + 1.6 * p->text, axis->categories[i])
                   : text_at(p, p->left - 0.7 * p->text - width_of(p, axis->categories[i]), at + 0.35 * p->text, axis->categories[i]);
        }
    }
    set(p, ink);
    cairo_rectangle(p->cr, p->left, p->top, p->right - p->left, p->bottom - p->top);
    cairo_stroke(p->cr);
    text_at(p, (p->left + p->right - width_of(p, c->x.title)) / 2, p->bottom + 3.2 * p->text, c->x.title);
    cairo_save(p->cr);
    cairo_translate(p->cr, 1.3 * p->text, (p->top + p->bottom + width_of(p, c->y.title)) / 2);
    cairo_rotate(p->cr, -TURN / 4);
    text_at(p, 0, 0, c->y.title);
    cairo_restore(p->cr);
}

/* ---- marks ---- */

static void draw_mark(struct panel *p, int shape, struct rgb c, double x, double y, double r)
{
    cairo_t *cr = p->cr;
    cairo_new_path(cr);
    switch (shape) {
    case 0: cairo_arc(cr, x, y, r, 0, TURN); break;
    case 1: cairo_move_to(cr, x, y - 1.3 * r); cairo_line_to(cr, x + 1.3 * r, y); cairo_line_to(cr, x, y + 1.3 * r);
            cairo_line_to(cr, x - 1.3 * r, y); break;
    case 2: cairo_rectangle(cr, x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r); break;
    case 3: cairo_move_to(cr, x, y - 1.2 * r); cairo_line_to(cr, x + 1.1 * r, y + 0.8 * r); cairo_line_to(cr, x - 1.1 * r, y + 0.8 * r); break;
    case 4: cairo_move_to(cr, x, y + 1.2 * r); cairo_line_to(cr, x + 1.1 * r, y - 0.8 * r); cairo_line_to(cr, x - 1.1 * r, y - 0.8 * r); break;
    default: cairo_rectangle(cr, x - 1.2 * r, y - 0.4 * r, 2.4 * r, 0.8 * r); cairo_rectangle(cr, x - 0.4 * r, y - 1.2 * r, 0.8 * r, 2.4 * r); break;
    }
    cairo_close_path(cr);
    cairo_set_source_rgba(cr, c.r, c.g, c.b, 0.55);
    cairo_fill_preserve(cr);
    set(p, (struct rgb){0.6 * c.r, 0.6 * c.g, 0.6 * c.b});
    cairo_set_line_width(cr, p->text / 17);
    cairo_stroke(cr);
}

/* Lines across a bar, closer for later series: grey tells them apart too. */
static void hatch(struct panel *p, struct box b, int series)
{
    double step = p->text * (series % 4 == 1 ? 0.55 : series % 4 == 2 ? 0.9 : 0.35), height = b.y1 - b.y0;
    if (series % 4 == 0)
        return;
    cairo_save(p->cr);
    cairo_rectangle(p->cr, b.x0, b.y0, b.x1 - b.x0, height);
    cairo_clip(p->cr);
    cairo_set_source_rgba(p->cr, 1, 1, 1, 0.75);
    cairo_set_line_width(p->cr, p->text / 14);
    for (double x = b.x0 - height; x < b.x1; x += step) {
        series % 2 == 1 ? line(p, x, b.y1, x + height, b.y0) : line(p, x, b.y0, x + height, b.y1);
    }
    cairo_restore(p->cr);
}

static void draw_box(struct panel *p, struct box b, struct rgb c, int series)
{
    cairo_rectangle(p->cr, b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0);
    set(p, c);
    cairo_fill(p->cr);
    hatch(p, b, series);
    cairo_rectangle(p->cr, b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0);
    set(p, ink);
    cairo_set_line_width(p->cr, p->text / 25);
    cairo_stroke(p->cr);
}

static void draw_bars(struct panel *p, const struct dse_chart_series *s, size_t rank, size_t bars)
{
    double each = 0.8 / (double)(bars > 0 ? bars : 1);
    for (size_t i = 0; i < s->point_count; i++) {
        double from = s->points[i].x - 0.4 + each * (double)rank, zero = place_y(p, p->log_y ? pow(10, p->y[0]) : fmax(0, p->y[0]));
        struct box b = {place_x(p, from), fmin(zero, place_y(p, s->points[i].y)), place_x(p, from + each), zero};
        if (isfinite(b.y0))
            draw_box(p, b, colour_of(s), (int)rank);
    }
}

static void draw_spans(struct panel *p, const struct dse_chart_series *s, size_t rank)
{
    for (size_t i = 0; i < s->point_count; i++) {
        const struct dse_chart_point *point = &s->points[i];
        struct box b = {place_x(p, point->low), place_y(p, point->y + 0.36), place_x(p, point->high), place_y(p, point->y - 0.36)};
        draw_box(p, b, colour_of(s), (int)rank);
        if (point->name != NULL && b.x1 - b.x0 > width_of(p, point->name) + 0.6 * p->text) {
            struct rgb c = colour_of(s);
            set(p, 0.3 * c.r + 0.6 * c.g + 0.1 * c.b > 0.45 ? ink : (struct rgb){1, 1, 1});
            text_at(p, (b.x0 + b.x1 - width_of(p, point->name)) / 2, (b.y0 + b.y1) / 2 + 0.35 * p->text, point->name);
        }
    }
}

static void draw_error(struct panel *p, const struct dse_chart_point *point)
{
    double x = place_x(p, point->x), low = fmin(p->bottom, place_y(p, point->low)), high = fmax(p->top, place_y(p, point->high)), cap = 0.3 * p->text;
    if (!isfinite(low) || !isfinite(high))
        return;
    take(p, (struct box){x - 1, high, x + 1, low});
    line(p, x, low, x, high);
    line(p, x - cap, low, x + cap, low);
    line(p, x - cap, high, x + cap, high);
}

static void draw_path(struct panel *p, const struct dse_chart_series *s, size_t rank)
{
    static const double dashes[4][2] = {{1, 0}, {6, 3}, {2, 2.5}, {9, 2}};
    double unit = p->text / 17, dash[2] = {dashes[rank % 4][0] * unit, dashes[rank % 4][1] * unit};
    cairo_save(p->cr);
    cairo_rectangle(p->cr, p->left, p->top, p->right - p->left, p->bottom - p->top);
    cairo_clip(p->cr);
    cairo_new_path(p->cr);
    for (size_t i = 0; i < s->point_count; i++) {
        double x = place_x(p, s->points[i].x), y = place_y(p, s->points[i].y);
        if (s->kind == DSE_CHART_STAIRS && i > 0)
            cairo_line_to(p->cr, x, place_y(p, s->points[i - 1].y));
        cairo_line_to(p->cr, x, y);
    }
    if (s->kind == DSE_CHART_LINE && dash[1] > 0)
        cairo_set_dash(p->cr, dash, 2, 0);
    cairo_set_line_width(p->cr, 1.6 * unit);
    set(p, colour_of(s));
    cairo_stroke(p->cr);
    cairo_restore(p->cr);
}

static void draw_marks(struct panel *p, const struct dse_chart_series *s)
{
    double r = 0.34 * p->text * (s->colour == -1 ? 1.4 : s->point_count > 400 ? 0.7 : 1);
    for (size_t i = 0; i < s->point_count; i++) {
        double x = place_x(p, s->points[i].x), y = place_y(p, s->points[i].y);
        if (!is_inside(p, x, y)) {
            p->outside++;
            continue;
        }
        set(p, colour_of(s));
        cairo_set_line_width(p->cr, p->text / 14);
        if (isfinite(s->points[i].low))
            draw_error(p, &s->points[i]);
        draw_mark(p, shape_of(s), colour_of(s), x, y, r);
        take(p, (struct box){x - r, y - r, x + r, y + r});
    }
}

/* Beside the mark, at one of sixteen places that are free, with a line to it where it is not the nearest. */
static void draw_name(struct panel *p, const struct dse_chart_point *point)
{
    double x = place_x(p, point->x), y = place_y(p, point->y), width = width_of(p, point->name), t = p->text;
    if (!is_inside(p, x, y))
        return;
    for (int ring = 0; ring < 12; ring++)
        for (int way = 0; way < 16; way++) {
            double angle = TURN * way / 16, reach = (1.0 + 1.1 * ring) * t;
            double cx = x + cos(angle) * (reach + width / 2), cy = y + sin(angle) * (reach + 0.2 * t);
            struct box b = {cx - width / 2 - 2, cy - 0.75 * t, cx + width / 2 + 2, cy + 0.55 * t};
            if (!is_free(p, b))
                continue;
            take(p, b);
            set(p, ink);
            if (ring > 0) {
                cairo_set_line_width(p->cr, t / 20);
                line(p, x, y, fmax(b.x0, fmin(x, b.x1)), fmax(b.y0, fmin(y, b.y1)));
            }
            text_at(p, cx - width / 2, cy + 0.3 * t, point->name);
            return;
        }
    p->unnamed++;
}

/* An arrow to where designs are better, in the corner that they leave free, or in the one where it hides least. */
static void draw_better(struct panel *p)
{
    const struct dse_chart *c = p->chart;
    if (c->x.better == 0 || c->y.better == 0)
        return;
    double t = p->text, length = 2.6 * t, dx = c->x.better, dy = -c->y.better, width = width_of(p, "better");
    static const double corners[4][2] = {{1, 0}, {0, 1}, {1, 1}, {0, 0}};
    for (int i = 0; i < 4; i++) {
        double x = corners[i][0] > 0 ? p->right - length - 1.2 * t - width : p->left + 1.2 * t;
        double y = corners[i][1] > 0 ? p->bottom - length - 1.2 * t : p->top + 1.2 * t;
        struct box b = {x - 2, y - 2, x + length + width + 4, y + length + 2};
        if (!is_free(p, b) && i < 3)
            continue;
        double xa = dx > 0 ? x : x + length, ya = dy > 0 ? y : y + length, xb = xa + dx * length, yb = ya + dy * length, h = 0.6 * t;
        take(p, b);
        set(p, ink);
        cairo_set_line_width(p->cr, t / 9);
        line(p, xa, ya, xb, yb);
        line(p, xb, yb, xb - dx * h, yb);
        line(p, xb, yb, xb, yb - dy * h);
        text_at(p, x + length + 0.3 * t, y + length / 2 + 0.3 * t, "better");
        return;
    }
}

/* ---- the panel ---- */

/* The legend's rows below the title; how many lines it takes, drawn or only counted. */
static size_t draw_legend(struct panel *p, double y, bool draws)
{
    double x = p->left, t = p->text;
    size_t lines = 0;
    for (size_t s = 0; s < p->chart->series_count; s++) {
        const struct dse_chart_series *series = &p->chart->series[s];
        if (series->name == NULL || series->point_count == 0)
            continue;
        double width = width_of(p, series->name) + 2.6 * t;
        if (lines == 0 || (x + width > p->width - 0.5 * t && x > p->left)) {
            lines++;
            x = p->left;
        }
        double at = y + 1.4 * t * (double)(lines - 1);
        if (draws) {
            struct box b = {x, at - 0.75 * t, x + 1.2 * t, at + 0.1 * t};
            if (series->kind == DSE_CHART_BARS || series->kind == DSE_CHART_SPANS)
                draw_box(p, b, colour_of(series), (int)s);
            else if (series->kind == DSE_CHART_STAIRS) {
                set(p, colour_of(series));
                cairo_set_line_width(p->cr, t / 10);
                line(p, x, at - 0.3 * t, x + 1.2 * t, at - 0.3 * t);
            } else
                draw_mark(p, shape_of(series), colour_of(series), x + 0.6 * t, at - 0.3 * t, 0.36 * t);
            set(p, ink);
            text_at(p, x + 1.6 * t, at, series->name);
        }
        x += width;
    }
    return lines;
}

static double widest_tick(struct panel *p)
{
    struct tick ticks[400];
    char text[64];
    double widest = 0;
    size_t count = make_ticks(&p->chart->y, p->y, p->log_y, (size_t)(p->height / (2.2 * p->text)) + 1, ticks, 400);
    for (size_t i = 0; i < count; i++)
        if (ticks[i].named)
            widest = fmax(widest, width_of(p, tick_text(&p->chart->y, ticks[i].value, text, sizeof text)));
    for (size_t i = 0; i < p->chart->y.category_count; i++)
        widest = fmax(widest, width_of(p, p->chart->y.categories[i]));
    return widest;
}

static void draw_panel(struct panel *p)
{
    const struct dse_chart *c = p->chart;
    double t = p->text;
    fit(c, &c->x, true, p->x, &p->log_x);
    fit(c, &c->y, false, p->y, &p->log_y);
    p->left = widest_tick(p) + 3.2 * t;
    p->right = p->width - 1.6 * t;
    double head = (*c->title != '\0' ? 1.6 : 0.4) * t + 1.4 * t * (double)draw_legend(p, 0, false) + (*c->note != '\0' ? 1.3 * t : 0);
    p->top = head + 0.8 * t;
    p->bottom = p->height - 4.2 * t;
    set(p, ink);
    text_at(p, p->left, 1.4 * t, c->title);
    draw_legend(p, (*c->title != '\0' ? 2.9 : 1.6) * t, true);
    draw_frame(p);
    size_t bars = 0, rank = 0;
    for (size_t s = 0; s < c->series_count; s++)
        bars += c->series[s].kind == DSE_CHART_BARS;
    for (size_t s = 0; s < c->series_count; s++) {
        if (c->series[s].kind == DSE_CHART_BARS)
            draw_bars(p, &c->series[s], rank++, bars);
        else if (c->series[s].kind == DSE_CHART_SPANS)
            draw_spans(p, &c->series[s], s);
        else if (c->series[s].kind != DSE_CHART_POINTS)
            draw_path(p, &c->series[s], s);
    }
    for (size_t s = 0; s < c->series_count; s++)
        if (c->series[s].kind == DSE_CHART_POINTS || c->series[s].kind == DSE_CHART_LINE)
            draw_marks(p, &c->series[s]);
    for (size_t s = 0; s < c->series_count; s++)
        for (size_t i = 0; c->series[s].kind <= DSE_CHART_LINE && i < c->series[s].point_count; i++)
            if (c->series[s].points[i].name != NULL)
                draw_name(p, &c->series[s].points[i]);
    draw_better(p);
    char note[400];
    snprintf(note, sizeof note, "%s", c->note);
    if (p->outside > 0)
        snprintf(note + strlen(note), sizeof note - strlen(note), "%s%zu outside of the range", *note != '\0' ? "; " : "", p->outside);
    cairo_set_font_size(p->cr, 0.85 * t);
    set(p, (struct rgb){0.35, 0.35, 0.35});
    text_at(p, p->left, p->top - 0.5 * t, note);
    cairo_set_font_size(p->cr, t);
}

struct drawing {
    const struct dse_chart *charts;
    size_t count;
    const struct dse_chart_style *style;
    double text, scale;
    struct panel *panel; /* scratch */
};

static void draw_all(cairo_t *cr, const void *user)
{
    const struct drawing *d = user;
    cairo_scale(cr, d->scale, d->scale);
    cairo_set_font_size(cr, d->text);
    for (size_t i = 0; i < d->count; i++) {
        *d->panel = (struct panel){.cr = cr, .chart = &d->charts[i], .width = d->style->width, .height = d->style->height, .text = d->text};
        draw_panel(d->panel);
        cairo_translate(cr, 0, d->style->height);
    }
}

enum dse_status dse_charts_draw(const struct dse_chart *charts, size_t count, const struct dse_chart_style *style, const char *path,
                                struct dse_error *err)
{
    for (size_t i = 0; i < count; i++) {
        size_t points = 0;
        for (size_t s = 0; s < charts[i].series_count; s++)
            points += charts[i].series[s].point_count;
        if (points == 0)
            return dse_fail(err, DSE_BAD_INPUT, "%s: there is nothing to draw", charts[i].title);
    }
    double scale = dse_figure_form_of(path) == DSE_FIGURE_PNG ? style->dpi / 72 : 1;
    struct drawing d = {.charts = charts, .count = count, .style = style, .scale = scale, .panel = malloc(sizeof *d.panel),
                        .text = style->text > 0 ? style->text : fmax(7, fmin(17, style->width / 58))};
    if (d.panel == NULL)
        return dse_fail_memory(err);
    struct dse_drawing figure = {rint(style->width * scale), rint(style->height * scale * (double)count), d.text, draw_all, &d, style->font};
    enum dse_status status = dse_figure_write(&figure, path, err);
    free(d.panel);
    return status;
}

/* ---- data ---- */

void dse_charts_write_csv(const struct dse_chart *charts, size_t count, struct dse_strbuf *out)
{
    struct dse_table table = {0};
    static const char *const heads[] = {"chart", "series", "name", "x_is", "x", "y_is", "y", "low", "high"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        dse_table_column(&table, heads[i], false);
    for (size_t c = 0; c < count; c++)
        for (size_t s = 0; s < charts[c].series_count; s++)
            for (size_t i = 0; charts[c].series[s].kind != DSE_CHART_STAIRS && i < charts[c].series[s].point_count; i++) {
                const struct dse_chart *chart = &charts[c];
                const struct dse_chart_point *point = &chart->series[s].points[i];
                const double numbers[] = {point->x, point->y, point->low, point->high};
                dse_table_cell(&table, "%s", chart->title);
                dse_table_cell(&table, "%s", chart->series[s].name != NULL ? chart->series[s].name : "");
                dse_table_cell(&table, "%s", point->name != NULL ? point->name : "");
                for (int n = 0; n < 4; n++) {
                    const struct dse_chart_axis *axis = n == 0 ? &chart->x : n == 1 ? &chart->y : NULL;
                    if (axis != NULL)
                        dse_table_cell(&table, "%s", axis->key);
                    if (axis != NULL && axis->category_count > 0)
                        dse_table_cell(&table, "%s", axis->categories[(size_t)numbers[n]]);
                    else if (isfinite(numbers[n]))
                        dse_table_cell(&table, "%.17g", numbers[n]);
                    else
                        dse_table_cell(&table, "%s", "");
                }
            }
    dse_table_write_csv(&table, out);
    out->failed |= table.failed;
    dse_table_free(&table);
}

/* ---- making ---- */

struct dse_chart_series *dse_chart_add(struct dse_chart *chart, struct dse_chart_series series)
{
    struct dse_chart_series *room = dse_list_more(&chart->series, &chart->series_count, sizeof *room);
    if (room != NULL)
        *room = series;
    return room;
}

bool dse_chart_put(struct dse_chart_series *series, struct dse_chart_point point)
{
    struct dse_chart_point *room = dse_list_more(&series->points, &series->point_count, sizeof *room);
    if (room != NULL)
        *room = point;
    return room != NULL;
}

void dse_chart_free(struct dse_chart *chart)
{
    for (size_t s = 0; s < chart->series_count; s++)
        free(chart->series[s].points);
    free(chart->series);
    dse_arena_free(&chart->arena);
    *chart = (struct dse_chart){0};
}

enum dse_status dse_chart_size(const char *text, struct dse_chart_style *style, struct dse_error *err)
{
    static const struct {
        const char *name;
        double points;
    } units[] = {{"", 1}, {"pt", 1}, {"px", 1}, {"mm", 72 / 25.4}, {"cm", 720 / 25.4}, {"in", 72}};
    char *end = NULL, *unit = NULL;
    double width = strtod(text, &end), height = *end == 'x' ? strtod(end + 1, &unit) : NAN;
    for (size_t i = 0; unit != NULL && i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0 && width * units[i].points >= 60 && height * units[i].points >= 60 &&
            width * units[i].points <= 10000 && height * units[i].points <= 10000) {
            style->width = width * units[i].points;
            style->height = height * units[i].points;
            return DSE_OK;
        }
    return dse_fail(err, DSE_BAD_USAGE, "--size %s: must be a width and a height of 60 to 10000 points, as 85x60mm, 3.3x2.5in or 800x600", text);
}
