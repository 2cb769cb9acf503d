/* Rules: unmarked lines across a logarithmic panel, with names along them and in the right margin. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/chart_panel.h"

#define NAMES_MAX 128

/* "int8\t2.75 Top/s" in full, or up to the tab. */
static const char *form_of(const char *name, bool narrow, char text[128])
{
    snprintf(text, 128, "%s", name);
    char *tab = strchr(text, '\t');
    if (tab != NULL)
        *tab = narrow ? '\0' : ' ';
    return text;
}

/* Name in the margin: the last point's, if there are several; the short form if the margin would take more than a third of the picture. */
static const char *margin_name(const struct dse_panel *p, const struct dse_chart_series *s, char text[128])
{
    const char *name = s->kind == DSE_CHART_RULES && s->point_count > 1 ? s->points[s->point_count - 1].name : NULL;
    return name != NULL ? form_of(name, p->narrow, text) : NULL;
}

double dse_panel_margin(struct dse_panel *p)
{
    double widest = 0.0;
    char text[128];
    for (int narrow = 0; narrow < 2 && (narrow == 0 || widest > 0.33 * p->width); narrow++) {
        widest = 0;
        p->narrow = narrow;
        for (size_t s = 0; s < p->chart->series_count; s++)
            if (margin_name(p, &p->chart->series[s], text) != NULL)
                widest = fmax(widest, dse_panel_width(p, text) + 1.2 * p->text);
    }
    return widest;
}

void dse_panel_draw_rule(struct dse_panel *p, const struct dse_chart_series *s)
{
    double unit = p->text / 17.0, dash[2] = {s->dash[0] * unit, s->dash[1] * unit};
    cairo_save(p->cr);
    cairo_rectangle(p->cr, p->left, p->top, p->right - p->left, p->bottom - p->top);
    cairo_clip(p->cr);
    cairo_new_path(p->cr);
    for (size_t i = 0; i < s->point_count; i++)
        cairo_line_to(p->cr, dse_panel_x(p, s->points[i].x), dse_panel_y(p, s->points[i].y));
    cairo_set_dash(p->cr, dash, dash[0] > 0.0 ? 2 : 0, 0.0);
    cairo_set_line_width(p->cr, 1.5 * unit);
    dse_panel_pen(p, dse_panel_colour(p, s));
    cairo_stroke(p->cr);
    cairo_restore(p->cr);
}

void dse_panel_text_over(struct dse_panel *p, double x, double y, const char *text, struct dse_rgb colour)
{
    cairo_save(p->cr);
    cairo_move_to(p->cr, x, y);
    cairo_text_path(p->cr, text);
    dse_panel_pen(p, (struct dse_rgb){1.0, 1.0, 1.0});
    cairo_set_line_width(p->cr, 0.3 * p->text);
    cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(p->cr);
    cairo_restore(p->cr);
    dse_panel_pen(p, colour);
    dse_panel_text(p, x, y, text);
}

/* Whether the area of a text that starts at (x, y) in direction (dx, dy) is free; with `claims` occupies it. */
static bool try_along(struct dse_panel *p, double x, double y, double dx, double dy, double length, double off, bool claims)
{
    size_t steps = (size_t)(length / (0.6 * p->text)) + 1;
    double half = 0.53 * p->text;
    for (size_t i = 0; i <= steps; i++) {
        double at = length * (double)i / (double)steps, cx = x + dx * at + dy * off, cy = y + dy * at - dx * off;
        struct dse_box box = {cx - half, cy - half, cx + half, cy + half, true};
        if (claims)
            dse_panel_take(p, box);
        else if (!dse_panel_free(p, box))
            return false;
    }
    return true;
}

/* Writes the name at the first free place along the rule's first segment, on one side; false if there is none. */
static bool name_along(struct dse_panel *p, const struct dse_chart_series *s, const char *name, bool below)
{
    double t = p->text, length = dse_panel_width(p, name), off = below ? -0.7 * t : 0.7 * t;
    double x = dse_panel_x(p, s->points[0].x), y = dse_panel_y(p, s->points[0].y);
    double run = hypot(dse_panel_x(p, s->points[1].x) - x, dse_panel_y(p, s->points[1].y) - y);
    double dx = (dse_panel_x(p, s->points[1].x) - x) / run, dy = (dse_panel_y(p, s->points[1].y) - y) / run;
    for (double at = 0.8 * t; at + length + 0.3 * t < run; at += 0.7 * t) {
        if (!try_along(p, x + dx * at, y + dy * at, dx, dy, length, off, false))
            continue;
        try_along(p, x + dx * at, y + dy * at, dx, dy, length, off, true);
        cairo_save(p->cr);
        cairo_translate(p->cr, x + dx * at, y + dy * at);
        cairo_rotate(p->cr, atan2(dy, dx));
        dse_panel_text_over(p, 0.0, below ? 1.06 * t : -0.35 * t, name, dse_panel_colour(p, s));
        cairo_restore(p->cr);
        return true;
    }
    return false;
}

struct side {
    double y, at; /* end of the rule; position of the name */
    const struct dse_chart_series *series;
};

static int by_height(const void *a, const void *b)
{
    double x = ((const struct side *)a)->y, y = ((const struct side *)b)->y;
    return (x > y) - (x < y);
}

/* Separates names in the margin: from the top down, then back from the bottom. */
static void name_sides(struct dse_panel *p)
{
    struct side sides[NAMES_MAX];
    char text[128];
    size_t count = 0;
    double t = p->text, gap = 1.18 * t, next = p->top, last = p->bottom;
    for (size_t s = 0; s < p->chart->series_count && count < NAMES_MAX; s++) {
        const struct dse_chart_series *series = &p->chart->series[s];
        if (margin_name(p, series, text) != NULL)
            sides[count++] = (struct side){.y = dse_panel_y(p, series->points[series->point_count - 1].y), .series = series};
    }
    qsort(sides, count, sizeof *sides, by_height);
    for (size_t i = 0; i < count; i++, next += gap)
        next = sides[i].at = fmax(sides[i].y, next);
    for (size_t i = count; i-- > 0; last = sides[i].at - gap)
        sides[i].at = fmin(sides[i].at, last);
    cairo_set_line_width(p->cr, t / 17.0);
    for (size_t i = 0; i < count; i++) {
        dse_panel_pen(p, dse_panel_colour(p, sides[i].series));
        dse_panel_line(p, p->right, sides[i].y, p->right + 0.9 * t, sides[i].at);
        dse_panel_text(p, p->right + 1.2 * t, sides[i].at + 0.35 * t, margin_name(p, sides[i].series, text));
    }
}

/* The name of a rule along it: in full on either side, or else the short form. */
static void name_rule(struct dse_panel *p, const struct dse_chart_series *series)
{
    const char *name = series->kind == DSE_CHART_RULES && series->point_count > 1 ? series->points[0].name : NULL;
    char text[128];
    for (int way = 0; name != NULL && way < 4; way++)
        if (name_along(p, series, form_of(name, way > 1, text), series->below == (way % 2 == 0)))
            return;
}

void dse_panel_name_rules(struct dse_panel *p)
{
    for (int grey = 0; grey < 2; grey++) /* what is only compared comes last */
        for (size_t s = 0; s < p->chart->series_count; s++)
            if ((p->chart->series[s].colour == DSE_CHART_GREY) == grey)
                name_rule(p, &p->chart->series[s]);
    name_sides(p);
}
