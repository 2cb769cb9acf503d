#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/chart_panel.h"

/* ---- helpers ---- */

void dse_panel_pen(struct dse_panel *p, struct dse_rgb c)
{
    cairo_set_source_rgb(p->cr, c.r, c.g, c.b);
}

double dse_panel_width(struct dse_panel *p, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(p->cr, text, &extents);
    return extents.x_advance;
}

void dse_panel_text(struct dse_panel *p, double x, double y, const char *text)
{
    cairo_move_to(p->cr, x, y);
    cairo_show_text(p->cr, text);
}

void dse_panel_line(struct dse_panel *p, double xa, double ya, double xb, double yb)
{
    cairo_move_to(p->cr, xa, ya);
    cairo_line_to(p->cr, xb, yb);
    cairo_stroke(p->cr);
}

size_t dse_panel_words(struct dse_panel *p, double x, double y, double width, const char *text, bool draws)
{
    char row[512] = "";
    size_t rows = 0, length = 0;
    for (const char *at = text; *at != '\0';) {
        size_t word = strcspn(at, " "), before = length;
        length += (size_t)snprintf(row + length, sizeof row - length, "%s%.*s", length > 0 ? " " : "", (int)word, at);
        length = length < sizeof row ? length : sizeof row - 1;
        bool full = before > 0 && dse_panel_width(p, row) > width;
        if (full)
            row[before] = '\0';
        else
            at += word + (at[word] == ' ');
        if (full || *at == '\0') {
            if (draws)
                dse_panel_text(p, x, y + 1.3 * p->text * (double)rows, row);
            rows++;
            length = 0;
        }
    }
    return rows;
}

/* Whether a value is beyond the break of an axis. */
static bool is_far(const struct dse_chart_axis *axis, double value)
{
    return axis->broken && (value > axis->most || value < axis->least);
}

double dse_panel_x(const struct dse_panel *p, double value)
{
    double at = (p->log_x ? log10(value) : value) + (p->chart->x.category_count > 0 ? p->dodge : 0);
    return is_far(&p->chart->x, value) ? p->far_x : p->x_begin + (at - p->x[0]) / (p->x[1] - p->x[0]) * (p->x_end - p->x_begin) + p->shift;
}

double dse_panel_y(const struct dse_panel *p, double value)
{
    double at = p->log_y ? log10(value) : value;
    return is_far(&p->chart->y, value) ? p->far_y : p->y_begin - (at - p->y[0]) / (p->y[1] - p->y[0]) * (p->y_begin - p->y_end);
}

bool dse_panel_inside(const struct dse_panel *p, double x, double y)
{
    return isfinite(x) && isfinite(y) && x >= p->left - 0.5 && x <= p->right + 0.5 && y >= p->top - 0.5 && y <= p->bottom + 0.5;
}

bool dse_panel_shows(const struct dse_panel *p, const struct dse_chart_series *s)
{
    bool shows = !s->aside;
    for (size_t i = 0; i < s->point_count; i++) {
        double y = p->log_y ? log10(s->points[i].y) : s->points[i].y;
        shows |= y >= p->y[0] && y <= p->y[1];
    }
    return shows;
}

/* ---- axes ---- */

static void widen(const struct dse_chart_axis *axis, double value, double *least, double *most)
{
    if (isfinite(value) && (value > 0 || axis->logarithmic <= 0)) {
        *least = fmin(*least, value);
        *most = fmax(*most, value);
    }
}

/* Widens the range by a series' points, bars and spans. Without `all`, ignores points outside the other axis' chosen range, except for lines, which
 * pass through the visible range. */
static void widen_to(const struct dse_chart_series *s, const struct dse_chart *chart, bool across, bool all, double *least, double *most)
{
    const struct dse_chart_axis *axis = across ? &chart->x : &chart->y, *other = across ? &chart->y : &chart->x;
    bool bars = s->kind == DSE_CHART_SPANS || s->across ? across : !across;
    for (size_t i = 0; i < s->point_count; i++) {
        const struct dse_chart_point *point = &s->points[i];
        double beside = across ? point->y : point->x;
        bool hidden = !all && (s->kind == DSE_CHART_POINTS || s->kind == DSE_CHART_STAIRS) && !other->broken && (beside < other->least || beside > other->most);
        if (hidden || is_far(axis, across ? point->x : point->y))
            continue;
        widen(axis, across ? point->x : point->y, least, most);
        if (across && point->x_band.low < point->x_band.high) {
            widen(axis, point->x_band.low, least, most);
            widen(axis, point->x_band.high, least, most);
        }
        if (bars && isfinite(point->low)) {
            widen(axis, point->low, least, most);
            widen(axis, point->high, least, most);
        }
    }
}

/* Range of an axis over all points within the axes, with a margin; bars begin at 0, or at a decade. */
static void fit(const struct dse_chart *chart, const struct dse_chart_axis *axis, bool across, double ends[2], bool *logarithmic)
{
    double least = INFINITY, most = -INFINITY;
    bool bars = false;
    for (int all = 0; all < 2 && !(least <= most); all++)
        for (size_t s = 0; s < chart->series_count; s++) {
            const struct dse_chart_series *series = &chart->series[s];
            if (!series->aside)
                widen_to(series, chart, across, all, &least, &most);
            bars |= series->point_count > 0 && series->kind == (across ? DSE_CHART_SPANS : DSE_CHART_BARS);
        }
    bool from_zero = bars && axis->logarithmic <= 0;
    least = from_zero ? fmin(least, 0) : least;
    bool chosen[2] = {isfinite(axis->least), isfinite(axis->most)};
    least = chosen[0] ? axis->least : least;
    most = chosen[1] ? axis->most : most;
    if (!(least < most) && chosen[0] != chosen[1]) { /* all points are beyond the chosen end */
        least = chosen[0] ? least : most - fabs(most) / 2;
        most = chosen[1] ? most : least + fabs(least);
    }
    *logarithmic = axis->category_count == 0 && least > 0 && axis->logarithmic >= 0 && (axis->logarithmic > 0 || most > 3 * least);
    if (axis->category_count > 0) {
        ends[0] = -0.5;
        ends[1] = (double)axis->category_count - 0.5;
        return;
    }
    ends[0] = *logarithmic ? log10(least) : least;
    ends[1] = *logarithmic ? log10(most) : most;
    double room = ends[1] > ends[0] ? 0.06 * (ends[1] - ends[0]) : fmax(fabs(ends[1]) * 0.1, 1e-12);
    bool decade = bars && *logarithmic && !chosen[0];
    ends[0] = decade ? ceil(ends[0] - 1e-9) - 1 : ends[0] - (chosen[0] || (from_zero && least == 0) ? 0 : room);
    ends[1] += chosen[1] ? 0 : room;
}

/* Symbol of an axis' unit without prefix; "" for plain numbers. */
static const char *symbol_of(const struct dse_chart_axis *axis)
{
    if (axis->unit != NULL)
        return axis->unit;
    return dse_dimension_unit(axis->dimension);
}

bool dse_label_is_percent(const char *label)
{
    size_t length = label != NULL ? strlen(label) : 0;
    return length >= 3 && (strcmp(label + length - 3, "(%)") == 0 || strcmp(label + length - 3, "[%]") == 0);
}

/* Size of the unit at the end of a label, such as "Latency (ms)"; NaN if it is not a unit of the axis. */
static double unit_said(const struct dse_chart_axis *axis, const char *label)
{
    size_t length = strlen(label), open = length;
    char text[64];
    const char *end = text;
    double value = NAN;
    bool percent = false;
    if (length < 3 || (label[length - 1] != ')' && label[length - 1] != ']'))
        return NAN;
    while (open > 0 && label[open - 1] != '(' && label[open - 1] != '[')
        open--;
    snprintf(text, sizeof text, "1%.*s", (int)(length - 1 - open), label + open);
    if (open == 0 || strlen(text) < 2)
        return NAN;
    if (strcmp(text, "1%") == 0 && (axis->share || axis->hundred > 0))
        return axis->share ? 0.01 : axis->hundred / 100;
    if (axis->share || axis->dimension == DSE_DIMENSION_NONE)
        return NAN;
    bool read = dse_quantity_parse(text, axis->dimension, &value, &percent, &end);
    return read && !percent && *end == '\0' ? value : NAN;
}

/* Chooses one unit for all ticks of an axis, and sets its size and the title. A logarithmic axis uses its middle, a linear one its larger end. A
 * broken axis uses a place between the shown range and the values beyond the break. */
static void choose_unit(struct dse_panel *p, bool across)
{
    static const char *const prefixes[] = {"f", "p", "n", "\u00b5", "m", "", "k", "M", "G", "T", "P", "E"}, *const binary[] = {"", "Ki", "Mi", "Gi", "Ti"};
    const struct dse_chart_axis *axis = across ? &p->chart->x : &p->chart->y;
    const double *ends = across ? p->x : p->y;
    const char *label = across ? p->style->x_label : p->style->y_label, *symbol = symbol_of(axis), *title = label != NULL ? label : axis->title;
    double magnitude = (across ? p->log_x : p->log_y) ? pow(10, (ends[0] + ends[1]) / 2) : fmax(fabs(ends[0]), fabs(ends[1]));
    double said = label != NULL ? unit_said(axis, label) : NAN, size = 1;
    bool bytes = axis->unit == NULL && (axis->dimension == DSE_DIMENSION_BYTES || axis->dimension == DSE_DIMENSION_BANDWIDTH), named = false;
    size_t at = bytes ? 0 : 5;
    magnitude = axis->broken && magnitude > 0 && axis->far > 0 ? sqrt(magnitude * axis->far) : magnitude;
    named = *symbol != '\0' || axis->share;
    if (axis->share)
        size = 0.01;
    else if (*symbol != '\0')
        while (magnitude > 0 && ((magnitude >= (bytes ? 1024 : 1000) * size && at + 1 < (bytes ? 5 : 12)) || (!bytes && magnitude < 0.9999 * size && at > 0))) {
            bool up = magnitude >= size;
            size *= bytes ? 1024 : up ? 1000 : 1e-3;
            at += up ? 1 : (size_t)-1;
        }
    p->unit[!across].size = isnan(said) ? size : said;
    snprintf(p->unit[!across].title, sizeof p->unit[!across].title, named && isnan(said) ? "%s [%s%s%s]" : "%s", title, axis->share ? "%" : bytes ? binary[at] : prefixes[at],
             axis->dimension == DSE_DIMENSION_RATE && at != 5 ? " " : "", symbol);
}

void dse_panel_fit(struct dse_panel *p)
{
    fit(p->chart, &p->chart->x, true, p->x, &p->log_x);
    fit(p->chart, &p->chart->y, false, p->y, &p->log_y);
    choose_unit(p, true);
    choose_unit(p, false);
}

char *dse_chart_rate(char *text, size_t size, double rate, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    int step = 0;
    for (; rate >= 999.5 && step < 6; step++)
        rate /= 1000.0;
    snprintf(text, size, "%.3g %s%s", rate, prefixes[step], unit);
    return text;
}

char *dse_panel_tick_text(const struct dse_panel *p, bool across, double value, char *text, size_t size)
{
    double shown = value / p->unit[!across].size;
    bool counts = fabs(shown) >= 10000 && fabs(shown) < 1e15;
    const struct dse_chart_axis *axis = across ? &p->chart->x : &p->chart->y;
    if (counts)
        dse_count_format(text, size, llround(shown));
    else if (axis->broken && value == axis->far)
        snprintf(text, size, "%.4g", shown);
    else
        snprintf(text, size, "%.6g", shown);
    return text;
}

#define TICKS_MAX 400

struct tick {
    double value;
    bool named;
};

/* Ticks of an axis: per decade 1 to 9, labelled as densely as fits, at least two; otherwise about six round values. */
static size_t round_ticks(const struct dse_chart_axis *axis, const double ends[2], bool logarithmic, size_t room, struct tick *ticks, size_t most)
{
    static const char *const named[] = {"1", "13", "125", "12357", "123456789"};
    size_t count = 0;
    double span = ends[1] - ends[0];
    if (axis->category_count > 0)
        return 0;
    if (logarithmic && axis->binary && span > 0.3) {
        int step = (int)fmax(1, ceil(span / log10(2) / (double)room - 1e-9)), from = (int)ceil(ends[0] / log10(2) - 1e-9);
        for (int power = from; power <= (int)floor(ends[1] / log10(2) + 1e-9) && count < most; power++)
            ticks[count++] = (struct tick){exp2(power), (power - from) % step == 0};
        return count;
    }
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
        count = 0; /* less than one step between two ticks: as on a linear axis */
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

/* As round_ticks, in the axis' unit; with decimal prefixes round values stay round. */
static size_t make_ticks(const struct dse_panel *p, bool across, size_t room, struct tick *ticks)
{
    struct dse_chart_axis axis = across ? p->chart->x : p->chart->y;
    const double *ends = across ? p->x : p->y, unit = axis.hundred > 0 ? p->unit[!across].size : 1;
    bool logarithmic = across ? p->log_x : p->log_y;
    const double shown[2] = {logarithmic ? ends[0] - log10(unit) : ends[0] / unit, logarithmic ? ends[1] - log10(unit) : ends[1] / unit};
    axis.whole &= unit == 1;
    size_t count = round_ticks(&axis, shown, logarithmic, room, ticks, TICKS_MAX);
    for (size_t i = 0; i < count; i++)
        ticks[i].value *= unit;
    return count;
}

static double widest_tick(struct dse_panel *p)
{
    struct tick ticks[TICKS_MAX];
    char text[64];
    const struct dse_chart_axis *axis = &p->chart->y;
    double widest = axis->broken ? dse_panel_width(p, dse_panel_tick_text(p, false, axis->far, text, sizeof text)) : 0;
    size_t count = make_ticks(p, false, (size_t)(p->height / (2.2 * p->text)) + 1, ticks);
    for (size_t i = 0; i < count; i++)
        if (ticks[i].named)
            widest = fmax(widest, dse_panel_width(p, dse_panel_tick_text(p, false, ticks[i].value, text, sizeof text)));
    for (size_t i = 0; i < axis->category_count; i++)
        widest = fmax(widest, dse_panel_width(p, axis->categories[i]));
    return widest;
}

void dse_panel_frame(struct dse_panel *p, double head)
{
    const struct dse_chart_axis *x = &p->chart->x, *y = &p->chart->y;
    double t = p->text, across = 6.5 * t, up = 3 * t;
    p->left = p->x_begin = widest_tick(p) + 3.2 * t;
    p->right = p->x_end = p->width - 1.6 * t - dse_panel_margin(p) - (p->legend == DSE_LEGEND_OUTSIDE ? dse_panel_legend_width(p) : 0);
    p->top = p->y_end = head;
    p->bottom = p->y_begin = p->height - 4.2 * t;
    p->far_x = p->far_y = NAN;
    if (x->broken && isfinite(x->most)) {
        p->x_end -= across;
        p->far_x = p->right - 0.5 * across;
    } else if (x->broken) {
        p->x_begin += across;
        p->far_x = p->left + 0.5 * across;
    }
    if (y->broken && isfinite(y->most)) {
        p->y_end += up;
        p->far_y = p->top + 0.5 * up;
    } else if (y->broken) {
        p->y_begin -= up;
        p->far_y = p->bottom - 0.5 * up;
    }
}

/* Draws a tick with its text, omitted if it would touch the previous one; returns the end of its text. */
static double draw_tick(struct dse_panel *p, bool across, double at, const char *text, double last)
{
    double t = p->text, width = dse_panel_width(p, text), begin = fmin(at - width / 2, p->width - width - 0.2 * t);
    if (across && begin < last + 0.4 * t)
        return last;
    dse_panel_pen(p, dse_ink);
    across ? dse_panel_text(p, begin, p->bottom + 1.6 * t, text) : dse_panel_text(p, p->left - 0.7 * t - width, at + 0.35 * t, text);
    return begin + width;
}

static void draw_ticks(struct dse_panel *p, bool across)
{
    const struct dse_chart_axis *axis = across ? &p->chart->x : &p->chart->y;
    struct tick ticks[TICKS_MAX];
    char text[64];
    double t = p->text, last = -INFINITY, far = across ? p->far_x : p->far_y;
    size_t room = (size_t)((across ? (p->x_end - p->x_begin) / (5.6 * t) : (p->y_begin - p->y_end) / (2.2 * t)) + 1);
    size_t count = make_ticks(p, across, room > 1 ? room : 2, ticks);
    for (size_t i = 0; i < count + axis->broken; i++) {
        bool is_behind = i == count, named = is_behind || ticks[i].named;
        double value = is_behind ? axis->far : ticks[i].value, at = across ? dse_panel_x(p, value) : dse_panel_y(p, value);
        double end = across ? (far > p->x_end ? p->x_end : p->x_begin) : (far < p->y_end ? p->y_end : p->y_begin);
        if (axis->broken && !is_behind && fabs(at - end) < 0.8 * t)
            continue; /* it would be on the break */
        double mark = t * (named ? 0.45 : 0.25);
        if (named && !is_behind) {
            dse_panel_pen(p, (struct dse_rgb){0.88, 0.88, 0.88});
            across ? dse_panel_line(p, at, p->top, at, p->bottom) : dse_panel_line(p, p->left, at, p->right, at);
        }
        if (named)
            last = draw_tick(p, across, at, dse_panel_tick_text(p, across, value, text, sizeof text), is_behind && far < p->x_begin ? -INFINITY : last);
        dse_panel_pen(p, dse_ink);
        across ? dse_panel_line(p, at, p->bottom, at, p->bottom + mark) : dse_panel_line(p, p->left - mark, at, p->left, at);
    }
    for (size_t i = 0; i < axis->category_count; i++)
        last = draw_tick(p, across, across ? dse_panel_x(p, (double)i) : dse_panel_y(p, (double)i), axis->categories[i], last);
}

/* At a break the frame has a gap between two strokes. */
static void draw_break(struct dse_panel *p, double x, double y, bool across)
{
    double t = p->text, g = 0.22 * t, s = 0.45 * t;
    dse_panel_pen(p, (struct dse_rgb){1, 1, 1});
    cairo_set_line_width(p->cr, t / 5);
    across ? dse_panel_line(p, x - g, y, x + g, y) : dse_panel_line(p, x, y - g, x, y + g);
    dse_panel_pen(p, dse_ink);
    cairo_set_line_width(p->cr, t / 17);
    dse_panel_take(p, (struct dse_box){x - s, y - s, x + s, y + s, 2});
    for (int side = -1; side <= 1; side += 2)
        across ? dse_panel_line(p, x + side * g - 0.4 * s, y + s, x + side * g + 0.4 * s, y - s)
               : dse_panel_line(p, x - s, y + side * g + 0.4 * s, x + s, y + side * g - 0.4 * s);
}

/* Writes a title centred at x, smaller if too wide, shifted if it would leave the picture. */
static void write_title(struct dse_panel *p, double x, double y, double room, const char *title)
{
    double width = dse_panel_width(p, title), shrunk = fmin(1, room / width), upright = x > 0 ? fmin(fmax(x - width / 2, 0.3 * p->text), p->width - 0.3 * p->text - width) : -width / 2;
    cairo_set_font_size(p->cr, p->text * shrunk);
    width *= shrunk;
    dse_panel_text(p, shrunk < 1 ? (x > 0 ? 0.3 * p->text : -width / 2) : upright, y, title);
    cairo_set_font_size(p->cr, p->text);
}

void dse_panel_draw_frame(struct dse_panel *p)
{
    const struct dse_chart *c = p->chart;
    double t = p->text;
    cairo_set_line_width(p->cr, t / 17);
    draw_ticks(p, true);
    draw_ticks(p, false);
    dse_panel_pen(p, dse_ink);
    cairo_rectangle(p->cr, p->left, p->top, p->right - p->left, p->bottom - p->top);
    cairo_stroke(p->cr);
    double x = p->far_x > p->x_end ? p->x_end : p->x_begin, y = p->far_y < p->y_end ? p->y_end : p->y_begin;
    for (int side = 0; side < 2; side++) {
        if (c->x.broken)
            draw_break(p, x, side == 0 ? p->top : p->bottom, true);
        if (c->y.broken)
            draw_break(p, side == 0 ? p->left : p->right, y, false);
    }
    dse_panel_pen(p, dse_ink);
    write_title(p, (p->left + p->right) / 2, p->bottom + 3.2 * t, p->width - 0.6 * t, p->unit[0].title);
    cairo_save(p->cr);
    cairo_translate(p->cr, 1.3 * t, (p->top + p->bottom) / 2);
    cairo_rotate(p->cr, -DSE_TURN / 4);
    write_title(p, 0, 0, p->height - 0.6 * t, p->unit[1].title);
    cairo_restore(p->cr);
}
