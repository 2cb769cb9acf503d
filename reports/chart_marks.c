#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/chart_panel.h"

static const struct dse_rgb palette[] = {{0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
                                         {0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}, {0.34, 0.34, 0.34}, {0.00, 0.25, 0.40}};
#define PALETTE ((int)(sizeof palette / sizeof *palette))

/* Amber, teal, night blue: increasingly dark, also in grey. */
static const struct dse_rgb ramp[] = {{0.93, 0.66, 0.13}, {0.15, 0.55, 0.53}, {0.00, 0.14, 0.30}};

static struct dse_rgb mixed(struct dse_rgb a, struct dse_rgb b, double at)
{
    return (struct dse_rgb){a.r + at * (b.r - a.r), a.g + at * (b.g - a.g), a.b + at * (b.b - a.b)};
}

struct dse_rgb dse_panel_colour(const struct dse_panel *p, const struct dse_chart_series *s)
{
    static const double greys[PALETTE] = {0.10, 0.55, 0.32, 0.70, 0.80, 0.20, 0.75, 0.00}; /* those of one hatch, four apart, contrast */
    if (p->style->grey && s->colour >= 0) {
        double grey = greys[s->colour % PALETTE];
        return (struct dse_rgb){grey, grey, grey};
    }
    if (p->style->grey && s->colour <= -2 && s->colour != DSE_CHART_GREY) {
        double grey = s->steps > 1 ? 0.75 * (1 - (double)(-2 - s->colour) / (s->steps - 1)) : 0;
        return (struct dse_rgb){grey, grey, grey};
    }
    if (s->colour == -1)
        return dse_ink;
    if (s->colour == DSE_CHART_GREY)
        return (struct dse_rgb){0.45, 0.45, 0.45};
    if (s->colour >= 0)
        return palette[s->colour % PALETTE];
    double at = s->steps > 1 ? 2.0 * (-2 - s->colour) / (s->steps - 1) : 0;
    return at <= 1 ? mixed(ramp[0], ramp[1], at) : mixed(ramp[1], ramp[2], at - 1);
}

static struct dse_rgb dark(struct dse_rgb c)
{
    return mixed((struct dse_rgb){0, 0, 0}, c, 0.65);
}

static int shape_of(const struct dse_chart_series *s)
{
    return s->colour == -1 ? 1 : s->colour >= 0 ? s->colour % PALETTE : (-2 - s->colour) % PALETTE;
}

void dse_panel_take(struct dse_panel *p, struct dse_box box)
{
    if (p->box_count < DSE_PANEL_BOXES_MAX)
        p->boxes[p->box_count++] = box;
}

static bool meet(const struct dse_box *a, const struct dse_box *b)
{
    return a->x0 < b->x1 && a->x1 > b->x0 && a->y0 < b->y1 && a->y1 > b->y0;
}

bool dse_panel_free(const struct dse_panel *p, struct dse_box box)
{
    bool free = box.x0 >= p->left && box.x1 <= p->right && box.y0 >= p->top && box.y1 <= p->bottom;
    for (size_t i = 0; free && i < p->box_count; i++)
        free = !meet(&box, &p->boxes[i]);
    return free;
}

/* Share of a line's length at which it enters the widened box, from 0 to 1; above 1 if it misses the box. */
static double enters(const struct dse_box *b, double xa, double ya, double xb, double yb)
{
    const double low[2] = {b->x0 - 1, b->y0 - 1}, high[2] = {b->x1 + 1, b->y1 + 1}, from[2] = {xa, ya}, way[2] = {xb - xa, yb - ya};
    double in = 0, out = 1;
    for (int d = 0; d < 2; d++) {
        double a = (low[d] - from[d]) / way[d], z = (high[d] - from[d]) / way[d];
        if (way[d] == 0 && (from[d] <= low[d] || from[d] >= high[d]))
            return 2;
        if (way[d] != 0) {
            in = fmax(in, fmin(a, z));
            out = fmin(out, fmax(a, z));
        }
    }
    return in < out ? in : 2;
}

/* The number of marks that a line crosses, without those at its start; SIZE_MAX if it crosses a label. */
static size_t crossed(const struct dse_panel *p, double xa, double ya, double xb, double yb)
{
    size_t count = 0;
    for (size_t i = 0; i < p->box_count; i++) {
        const struct dse_box *b = &p->boxes[i];
        bool own = xa > b->x0 && xa < b->x1 && ya > b->y0 && ya < b->y1;
        if (b->solid == 0 || own || enters(b, xa, ya, xb, yb) > 1)
            continue;
        if (b->solid == 2)
            return SIZE_MAX;
        count++;
    }
    return count;
}

static void take_line(struct dse_panel *p, double xa, double ya, double xb, double yb)
{
    double length = hypot(xb - xa, yb - ya), step = p->text / 2;
    for (double at = 0; isfinite(length) && at <= length; at += step) {
        double x = length > 0 ? xa + (xb - xa) * at / length : xa, y = length > 0 ? ya + (yb - ya) * at / length : ya;
        dse_panel_take(p, (struct dse_box){x - 1.5, y - 1.5, x + 1.5, y + 1.5, false});
    }
}

/* ---- marks ---- */

static void draw_mark(struct dse_panel *p, const struct dse_chart_series *s, double x, double y, double r)
{
    cairo_t *cr = p->cr;
    struct dse_rgb c = dse_panel_colour(p, s);
    cairo_new_path(cr);
    switch (shape_of(s)) {
    case 0: cairo_arc(cr, x, y, r, 0, DSE_TURN); break;
    case 1: cairo_move_to(cr, x, y - 1.3 * r); cairo_line_to(cr, x + 1.3 * r, y); cairo_line_to(cr, x, y + 1.3 * r);
            cairo_line_to(cr, x - 1.3 * r, y); break;
    case 2: cairo_rectangle(cr, x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r); break;
    case 3: cairo_move_to(cr, x, y - 1.2 * r); cairo_line_to(cr, x + 1.1 * r, y + 0.8 * r); cairo_line_to(cr, x - 1.1 * r, y + 0.8 * r); break;
    case 4: cairo_move_to(cr, x, y + 1.2 * r); cairo_line_to(cr, x + 1.1 * r, y - 0.8 * r); cairo_line_to(cr, x - 1.1 * r, y - 0.8 * r); break;
    case 5: cairo_rectangle(cr, x - 1.2 * r, y - 0.4 * r, 2.4 * r, 0.8 * r); cairo_rectangle(cr, x - 0.4 * r, y - 1.2 * r, 0.8 * r, 2.4 * r); break;
    case 6: cairo_move_to(cr, x - r, y - r); cairo_line_to(cr, x + r, y - r); cairo_line_to(cr, x - r, y + r); cairo_line_to(cr, x + r, y + r);
            break;
    default: for (int i = 0; i < 10; i++)
                 cairo_line_to(cr, x + (i % 2 ? 0.6 : 1.4) * r * sin(DSE_TURN * i / 10), y - (i % 2 ? 0.6 : 1.4) * r * cos(DSE_TURN * i / 10));
             break;
    }
    cairo_close_path(cr);
    if (s->hollow)
        cairo_set_source_rgb(cr, 1, 1, 1);
    else
        cairo_set_source_rgba(cr, c.r, c.g, c.b, 0.55);
    cairo_fill_preserve(cr);
    dse_panel_pen(p, s->tinted ? c : dark(c));
    cairo_set_line_width(cr, p->text / (s->hollow ? 7 : 17));
    cairo_stroke(cr);
}

/* Hatches a bar, more densely for later series, so that they are distinct in grey. */
static void hatch(struct dse_panel *p, struct dse_box b, int series)
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
        series % 2 == 1 ? dse_panel_line(p, x, b.y1, x + height, b.y0) : dse_panel_line(p, x, b.y0, x + height, b.y1);
    }
    cairo_restore(p->cr);
}

static void draw_box(struct dse_panel *p, struct dse_box b, struct dse_rgb c, int series)
{
    cairo_rectangle(p->cr, b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0);
    dse_panel_pen(p, c);
    cairo_fill(p->cr);
    hatch(p, b, series);
    cairo_rectangle(p->cr, b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0);
    dse_panel_pen(p, dse_ink);
    cairo_set_line_width(p->cr, p->text / 25);
    cairo_stroke(p->cr);
}

/* Writes the name of a part of a bar, above the whole bar. */
static void name_part(struct dse_panel *p, const struct dse_chart_point *point, struct dse_box b)
{
    double width = point->name != NULL ? dse_panel_width(p, point->name) : 0;
    if (point->name == NULL)
        return;
    if (width > (b.x1 - b.x0) * 1.25) {
        p->unnamed++;
        return;
    }
    dse_panel_text_over(p, (b.x0 + b.x1 - width) / 2, fmax(b.y0, p->top + 1.4 * p->text) - 0.3 * p->text, point->name, dse_ink);
}

/* Bars of one series, with their values on them if they fit. */
static void draw_bars(struct dse_panel *p, const struct dse_chart_series *s, size_t rank, size_t bars)
{
    double each = 0.8 / (double)(bars > 0 ? bars : 1);
    char text[64];
    for (size_t i = 0; i < s->point_count; i++) {
        double from = s->points[i].x - 0.4 + each * (double)rank, zero = dse_panel_y(p, p->log_y ? pow(10, p->y[0]) : fmax(0, p->y[0]));
        bool upon = isfinite(s->points[i].low);
        double top = dse_panel_y(p, s->points[i].y), foot = upon ? dse_panel_y(p, s->points[i].low) : zero;
        struct dse_box b = upon ? (struct dse_box){dse_panel_x(p, s->points[i].x - 0.4), fmin(foot, top), dse_panel_x(p, s->points[i].x + 0.4), fmax(foot, top), true}
                                : (struct dse_box){dse_panel_x(p, from), fmin(zero, top), dse_panel_x(p, from + each), zero, true};
        if (isfinite(top) && (!upon || s->points[i].y != s->points[i].low))
            draw_box(p, b, dse_panel_colour(p, s), (int)rank);
        if (upon) {
            name_part(p, &s->points[i], b);
            continue;
        }
        dse_panel_tick_text(p, false, s->points[i].y, text, sizeof text);
        double width = dse_panel_width(p, text), above = fmax(isfinite(top) ? fmin(zero, top) : zero, p->top + 1.4 * p->text);
        if (width > b.x1 - b.x0 || p->chart->y.share)
            continue;
        dse_panel_pen(p, dse_ink);
        dse_panel_text(p, (b.x0 + b.x1 - width) / 2, above - 0.3 * p->text, text);
    }
}

static void draw_spans(struct dse_panel *p, const struct dse_chart_series *s, size_t rank)
{
    for (size_t i = 0; i < s->point_count; i++) {
        const struct dse_chart_point *point = &s->points[i];
        struct dse_box b = {dse_panel_x(p, point->low), dse_panel_y(p, point->y + 0.36), dse_panel_x(p, point->high), dse_panel_y(p, point->y - 0.36), true};
        draw_box(p, b, dse_panel_colour(p, s), (int)rank);
        if (point->name == NULL)
            continue;
        double width = dse_panel_width(p, point->name), right = b.x1 + 0.4 * p->text, left = b.x0 - 0.4 * p->text - width, y = (b.y0 + b.y1) / 2;
        bool fits = right + width + 0.4 * p->text <= p->right; /* clear of the frame */
        if (s->tinted && (fits || left >= p->left)) {
            dse_panel_text_over(p, fits ? right : left, y + 0.35 * p->text, point->name, dse_ink);
            continue;
        }
        if (b.x1 - b.x0 <= width + 0.6 * p->text)
            continue;
        struct dse_rgb c = dse_panel_colour(p, s);
        double x = s->tinted ? b.x1 - 0.4 * p->text - width : (b.x0 + b.x1 - width) / 2;
        dse_panel_pen(p, c); /* no hatch through the word */
        cairo_rectangle(p->cr, x - 0.3 * p->text, y - 0.65 * p->text, width + 0.6 * p->text, 1.3 * p->text);
        cairo_fill(p->cr);
        dse_panel_pen(p, 0.3 * c.r + 0.6 * c.g + 0.1 * c.b > 0.45 ? dse_ink : (struct dse_rgb){1, 1, 1});
        dse_panel_text(p, x, y + 0.35 * p->text, point->name);
    }
}

/* Error bar in y or x: a line with two caps. */
static void draw_error(struct dse_panel *p, const struct dse_chart_point *point, bool across)
{
    double x = dse_panel_x(p, point->x), y = dse_panel_y(p, point->y), cap = 0.3 * p->text;
    double low = across ? fmax(p->left, dse_panel_x(p, point->low)) : fmin(p->bottom, dse_panel_y(p, point->low));
    double high = across ? fmin(p->right, dse_panel_x(p, point->high)) : fmax(p->top, dse_panel_y(p, point->high));
    if (!isfinite(low) || !isfinite(high))
        return;
    if (across) {
        dse_panel_line(p, low, y, high, y);
        dse_panel_line(p, low, y - cap, low, y + cap);
        dse_panel_line(p, high, y - cap, high, y + cap);
    } else {
        dse_panel_line(p, x, low, x, high);
        dse_panel_line(p, x - cap, low, x + cap, low);
        dse_panel_line(p, x - cap, high, x + cap, high);
    }
    dse_panel_take(p, across ? (struct dse_box){low, y - cap, high, y + cap, false} : (struct dse_box){x - cap, high, x + cap, low, false});
}

static size_t rank_of(const struct dse_chart *c, const struct dse_chart_series *series)
{
    size_t rank = 0;
    for (const struct dse_chart_series *s = c->series; s < series; s++)
        rank += s->kind == series->kind && s->point_count > 0;
    return rank;
}

static void set_dash(struct dse_panel *p, const struct dse_chart_series *s)
{
    static const double dashes[6][2] = {{1, 0}, {6, 3}, {2, 2.5}, {12, 3}, {4, 6}, {1, 5}};
    const double *dash = s->dash[0] > 0 ? s->dash : dashes[rank_of(p->chart, s) % 6];
    double unit = p->text / 17, scaled[2] = {dash[0] * unit, dash[1] * unit};
    if ((s->kind == DSE_CHART_LINE || dash == s->dash) && dash[1] > 0)
        cairo_set_dash(p->cr, scaled, 2, 0);
    cairo_set_line_width(p->cr, 1.6 * unit);
    dse_panel_pen(p, s->kind == DSE_CHART_LINE ? dark(dse_panel_colour(p, s)) : dse_panel_colour(p, s));
}

static void draw_path(struct dse_panel *p, const struct dse_chart_series *s)
{
    cairo_save(p->cr);
    cairo_rectangle(p->cr, p->left, p->top, p->right - p->left, p->bottom - p->top);
    cairo_clip(p->cr);
    cairo_new_path(p->cr);
    double xa = NAN, ya = NAN;
    for (size_t i = 0; i < s->point_count; i++) {
        double x = dse_panel_x(p, s->points[i].x), y = dse_panel_y(p, s->points[i].y);
        if (s->kind == DSE_CHART_STAIRS && i > 0) {
            cairo_line_to(p->cr, x, ya);
            take_line(p, xa, ya, x, ya);
            xa = x;
        }
        cairo_line_to(p->cr, x, y);
        take_line(p, xa, ya, x, y);
        xa = x;
        ya = y;
    }
    set_dash(p, s);
    cairo_stroke(p->cr);
    cairo_restore(p->cr);
}

static void draw_marks(struct dse_panel *p, const struct dse_chart_series *s)
{
    double r = 0.34 * p->text * (s->large ? 1.7 : s->colour == -1 ? 1.4 : s->point_count > 400 ? 0.7 : 1);
    for (size_t i = 0; i < s->point_count; i++) {
        double x = dse_panel_x(p, s->points[i].x), y = dse_panel_y(p, s->points[i].y);
        if (!dse_panel_inside(p, x, y)) {
            p->outside++;
            continue;
        }
        dse_panel_pen(p, dark(dse_panel_colour(p, s)));
        cairo_set_line_width(p->cr, p->text / 14);
        if (isfinite(s->points[i].low))
            draw_error(p, &s->points[i], s->across);
        if (s->points[i].x_band.low < s->points[i].x_band.high)
            draw_error(p, &(struct dse_chart_point){.x = s->points[i].x, .y = s->points[i].y, .low = s->points[i].x_band.low, .high = s->points[i].x_band.high}, true);
        draw_mark(p, s, x, y, r);
        dse_panel_take(p, (struct dse_box){x - r, y - r, x + r, y + r, true});
    }
}

/* Whether another mark is about as near to a name's box as its own mark, so that only a line tells which one is named. */
static bool is_ambiguous(const struct dse_panel *p, const struct dse_box *name, double x, double y)
{
    double own = hypot(fmax(fmax(name->x0 - x, x - name->x1), 0), fmax(fmax(name->y0 - y, y - name->y1), 0));
    bool near = false;
    for (size_t i = 0; i < p->box_count && !near; i++) {
        const struct dse_box *b = &p->boxes[i];
        double to_x = 0.5 * (b->x0 + b->x1), to_y = 0.5 * (b->y0 + b->y1);
        double other = hypot(fmax(fmax(name->x0 - to_x, to_x - name->x1), 0), fmax(fmax(name->y0 - to_y, to_y - name->y1), 0));
        near = b->solid == 1 && hypot(to_x - x, to_y - y) > 1 && other < 1.5 * own;
    }
    return near;
}

/* Writes text at a free place beside the mark, with a connecting line unless adjacent: where the line crosses the fewest marks, of those the nearest.
 * Lines never cross labels. False: there is no place. */
static bool draw_text_beside(struct dse_panel *p, const struct dse_chart_series *s, double x, double y, const char *text)
{
    enum { RINGS = 24, WAYS = 16 };
    double width = dse_panel_width(p, text), t = p->text;
    struct dse_box best = {0};
    size_t fewest = SIZE_MAX;
    bool joined = false;
    for (int try = 0; try < RINGS * WAYS && fewest > 0; try++) {
        double angle = DSE_TURN * (try % WAYS) / WAYS, reach = (1.0 + 1.1 * (try / WAYS)) * t;
        double cx = x + cos(angle) * (reach + width / 2), cy = y + sin(angle) * (reach + 0.2 * t);
        struct dse_box b = {cx - width / 2 - 2, cy - 0.75 * t, cx + width / 2 + 2, cy + 0.55 * t, 2};
        if (!dse_panel_free(p, b))
            continue;
        bool lined = try >= WAYS || is_ambiguous(p, &b, x, y);
        size_t marks = lined ? crossed(p, x, y, fmax(b.x0, fmin(x, b.x1)), fmax(b.y0, fmin(y, b.y1))) : 0;
        if (marks < fewest) {
            fewest = marks;
            best = b;
            joined = lined;
        }
    }
    if (fewest == SIZE_MAX)
        return false;
    struct dse_rgb colour = s->tinted ? dse_panel_colour(p, s) : dse_ink;
    dse_panel_pen(p, colour);
    if (joined) {
        double to_x = fmax(best.x0, fmin(x, best.x1)), to_y = fmax(best.y0, fmin(y, best.y1));
        cairo_set_line_width(p->cr, t / 20);
        dse_panel_line(p, x, y, to_x, to_y);
        take_line(p, x, y, to_x, to_y);
    }
    dse_panel_take(p, best);
    if (s->tinted)
        dse_panel_text_over(p, best.x0 + 2, best.y0 + 1.05 * t, text, colour);
    else
        dse_panel_text(p, best.x0 + 2, best.y0 + 1.05 * t, text);
    return true;
}

/* Writes a point's name; of a list of names only the first if there is no place for all. */
static void draw_name(struct dse_panel *p, const struct dse_chart_series *s, const struct dse_chart_point *point)
{
    double x = dse_panel_x(p, point->x), y = dse_panel_y(p, point->y);
    size_t first = strcspn(point->name, ",");
    char shortened[64];
    snprintf(shortened, sizeof shortened, "%.*s, …", (int)first, point->name);
    if (dse_panel_inside(p, x, y) && !draw_text_beside(p, s, x, y, point->name) &&
        (point->name[first] == '\0' || first > sizeof shortened - 8 || !draw_text_beside(p, s, x, y, shortened)))
        p->unnamed++;
}

static bool has_marks(const struct dse_chart_series *s)
{
    return s->kind == DSE_CHART_POINTS || s->kind == DSE_CHART_LINE;
}

static bool has_bars(const struct dse_chart_series *s)
{
    return has_marks(s) && !s->across && s->point_count > 0 && isfinite(s->points[0].low);
}

/* Whether a series has error bars at an x shared with another such series; reduces the gap to neighbouring x. */
static bool meets(struct dse_panel *p, const struct dse_chart_series *s, double *gap)
{
    const struct dse_chart *c = p->chart;
    bool meet = false;
    for (size_t b = 0; b < c->series_count * has_bars(s); b++)
        for (size_t i = 0; i < s->point_count * (has_bars(&c->series[b]) && &c->series[b] != s); i++)
            for (size_t j = 0; j < c->series[b].point_count; j++) {
                double apart = fabs(dse_panel_x(p, s->points[i].x) - dse_panel_x(p, c->series[b].points[j].x));
                meet |= apart < 0.01;
                *gap = apart >= 0.01 ? fmin(*gap, apart) : *gap;
            }
    return meet;
}

/* Shift of a series whose error bars share an x with others: half a text size apart, together within 0.6 of the distance to the next x. */
static double shift_of(struct dse_panel *p, const struct dse_chart_series *series)
{
    const struct dse_chart *c = p->chart;
    size_t count = 0, rank = 0;
    double gap = INFINITY;
    bool dodges = false;
    p->shift = 0;
    for (size_t a = 0; a < c->series_count && c->x.category_count == 0; a++) {
        bool meet = meets(p, &c->series[a], &gap);
        rank += meet && &c->series[a] < series;
        count += meet;
        dodges |= meet && &c->series[a] == series;
    }
    return dodges ? ((double)rank - 0.5 * (double)(count - 1)) * fmin(0.5 * p->text, 0.6 * gap / (double)count) : 0;
}

/* Places points of several series side by side over categories, like bars. */
static void dodge(struct dse_panel *p, const struct dse_chart_series *s)
{
    size_t count = 0;
    for (size_t i = 0; i < p->chart->series_count; i++)
        count += p->chart->series[i].kind == DSE_CHART_POINTS && p->chart->series[i].point_count > 0;
    p->dodge = s->kind == DSE_CHART_POINTS && count > 1 ? 0.7 * (((double)rank_of(p->chart, s) + 0.5) / (double)count - 0.5) : 0;
    p->shift = shift_of(p, s);
}

void dse_panel_draw_series(struct dse_panel *p)
{
    const struct dse_chart *c = p->chart;
    size_t bars = 0;
    for (size_t s = 0; s < c->series_count; s++)
        bars += c->series[s].kind == DSE_CHART_BARS && c->series[s].point_count > 0;
    for (size_t s = 0; s < c->series_count; s++) {
        if (c->series[s].kind == DSE_CHART_BARS)
            draw_bars(p, &c->series[s], rank_of(c, &c->series[s]), bars);
        else if (c->series[s].kind == DSE_CHART_SPANS)
            draw_spans(p, &c->series[s], s);
        else if (c->series[s].kind == DSE_CHART_RULES)
            dse_panel_draw_rule(p, &c->series[s]);
        else if (c->series[s].kind != DSE_CHART_POINTS && dse_panel_shows(p, &c->series[s])) {
            p->shift = shift_of(p, &c->series[s]);
            draw_path(p, &c->series[s]);
            p->shift = 0;
        }
    }
    for (int names = 0; names < 2; names++) {
        if (names == 1 && p->legend == DSE_LEGEND_INSIDE)
            dse_panel_legend_inside(p);
        for (size_t s = 0; s < c->series_count; s++) {
            if (!has_marks(&c->series[s]))
                continue;
            dodge(p, &c->series[s]);
            if (names == 0)
                draw_marks(p, &c->series[s]);
            for (size_t i = 0; names == 1 && i < c->series[s].point_count; i++)
                if (c->series[s].points[i].name != NULL)
                    draw_name(p, &c->series[s], &c->series[s].points[i]);
            p->shift = 0;
        }
    }
    p->dodge = 0;
    dse_panel_name_rules(p);
}

static void draw_arrow(struct dse_panel *p, double x, double y)
{
    const struct dse_chart *c = p->chart;
    double t = p->text, length = 2.6 * t, dx = c->x.better, dy = -c->y.better, h = 0.6 * t;
    double xa = dx > 0 ? x : x + length, ya = dy > 0 ? y : y + length, xb = xa + dx * length, yb = ya + dy * length;
    dse_panel_pen(p, dse_ink);
    cairo_set_line_width(p->cr, t / 9);
    dse_panel_line(p, xa, ya, xb, yb);
    dse_panel_line(p, xb, yb, xb - dx * h, yb);
    dse_panel_line(p, xb, yb, xb, yb - dy * h);
    dse_panel_text(p, x + length + 0.3 * t, y + length / 2 + 0.3 * t, "better");
}

/* Draws the arrow towards better designs in a free corner, otherwise at the free place nearest to the upper right. If there is none, it is above the
 * frame. */
void dse_panel_draw_better(struct dse_panel *p)
{
    enum { STEPS = 16 };
    static const double corners[4][2] = {{1, 0}, {0, 1}, {1, 1}, {0, 0}};
    double t = p->text, length = 2.6 * t, width = length + 0.3 * t + dse_panel_width(p, "better");
    double room_x = p->right - p->left - width - 1.6 * t, room_y = p->bottom - p->top - length - 1.6 * t;
    if (p->chart->x.better == 0 || p->chart->y.better == 0)
        return;
    for (int i = 0; i < 4 + (STEPS + 1) * (STEPS + 1); i++) {
        int place = i - 4;
        double across = i < 4 ? corners[i][0] : 1 - (double)(place % (STEPS + 1)) / STEPS, down = i < 4 ? corners[i][1] : (double)(place / (STEPS + 1)) / STEPS;
        double x = p->left + 0.8 * t + across * room_x, y = p->top + 0.8 * t + down * room_y;
        struct dse_box b = {x - 2, y - 2, x + width + 2, y + length + 2, true};
        if (!dse_panel_free(p, b))
            continue;
        dse_panel_take(p, b);
        draw_arrow(p, x, y);
        return;
    }
    p->better_aside = true;
}

void dse_panel_draw_sign(struct dse_panel *p, size_t series, double x, double y)
{
    const struct dse_chart_series *s = &p->chart->series[series];
    double t = p->text;
    if (s->kind == DSE_CHART_BARS || s->kind == DSE_CHART_SPANS) {
        draw_box(p, (struct dse_box){x, y - 0.42 * t, x + 1.2 * t, y + 0.42 * t, true}, dse_panel_colour(p, s), (int)(s->kind == DSE_CHART_BARS ? rank_of(p->chart, s) : series));
        return;
    }
    if (s->kind != DSE_CHART_POINTS) {
        cairo_save(p->cr);
        set_dash(p, s);
        dse_panel_line(p, x - 0.3 * t, y, x + 1.5 * t, y);
        cairo_restore(p->cr);
    }
    if (s->kind != DSE_CHART_STAIRS)
        draw_mark(p, s, x + 0.6 * t, y, 0.36 * t);
}
