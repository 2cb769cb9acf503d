/* Chart drawing in four parts: axes and frame (chart_axes.c), marks and their names (chart_marks.c), rules (chart_rules.c), and the panel around
 * them (chart.c). Private to these files. */
#pragma once

#include <cairo.h>

#include "reports/chart.h"

#define DSE_PANEL_BOXES_MAX 8192
#define DSE_TURN 6.283185307179586

struct dse_rgb {
    double r, g, b;
};
static const struct dse_rgb dse_ink = {0.13, 0.13, 0.13};

struct dse_box {
    double x0, y0, x1, y1;
    int solid; /* 1: a mark, which label lines avoid if possible; 2: a label or a break, which no line crosses; 0: a path or an error bar */
};

/* One chart on its panel. */
struct dse_panel {
    cairo_t *cr;
    const struct dse_chart *chart;
    double width, height, text;
    double left, right, top, bottom; /* the frame */
    double x_end, x_begin, y_end, y_begin; /* positions of the axes' ends; equal to the frame's except at a broken axis */
    double far_x, far_y;             /* position of values beyond a break; NaN without */
    double x[2], y[2];               /* the axes' ends, as log10 if logarithmic */
    bool log_x, log_y;
    double dodge, shift;             /* shift of side-by-side series: in category units, and in points */
    const struct dse_chart_style *style;
    struct { double size; char title[160]; } unit[2]; /* units of x and y: size of a unit of the ticks, named in the title */
    enum dse_chart_legend legend;    /* the style's, or above if there is no room inside */
    struct dse_box boxes[DSE_PANEL_BOXES_MAX]; /* occupied by marks, paths and labels */
    size_t box_count, unnamed, outside;
    bool narrow;                     /* uses short names in the margin */
    bool better_aside;               /* no room for the arrow towards better values: the note says it */
};

/* Drawing helpers; `c` becomes the pen's colour. */
void dse_panel_pen(struct dse_panel *p, struct dse_rgb c);
double dse_panel_width(struct dse_panel *p, const char *text);
void dse_panel_text(struct dse_panel *p, double x, double y, const char *text);
void dse_panel_line(struct dse_panel *p, double xa, double ya, double xb, double yb);

/* Wraps words to the width, 1.3 text sizes apart; returns the number of lines. Without `draws` only counts. */
size_t dse_panel_words(struct dse_panel *p, double x, double y, double width, const char *text, bool draws);

/* Whether a label (NULL: no) ends in "(%)". */
bool dse_label_is_percent(const char *label);

/* Fits both axes to the points, with their units, and the frame to the surrounding text, of height `head` above. */
void dse_panel_fit(struct dse_panel *p);
void dse_panel_frame(struct dse_panel *p, double head);
void dse_panel_draw_frame(struct dse_panel *p);
char *dse_panel_tick_text(const struct dse_panel *p, bool across, double value, char *text, size_t size);

/* Position of a value; beyond a break, the break's position. */
double dse_panel_x(const struct dse_panel *p, double value);
double dse_panel_y(const struct dse_panel *p, double value);
bool dse_panel_inside(const struct dse_panel *p, double x, double y);

/* Whether a series outside the axes has a point within them. */
bool dse_panel_shows(const struct dse_panel *p, const struct dse_chart_series *s);

/* Marks an area as occupied for labels. */
void dse_panel_take(struct dse_panel *p, struct dse_box box);

/* Draws all series with names, and the arrow towards better values. */
void dse_panel_draw_series(struct dse_panel *p);
void dse_panel_draw_better(struct dse_panel *p);

/* Rules: their lines, their names (drawn last), and the required margin width. Text over lines has a white rim. */
void dse_panel_draw_rule(struct dse_panel *p, const struct dse_chart_series *s);
void dse_panel_name_rules(struct dse_panel *p);
double dse_panel_margin(struct dse_panel *p);
void dse_panel_text_over(struct dse_panel *p, double x, double y, const char *text, struct dse_rgb colour);
struct dse_rgb dse_panel_colour(const struct dse_panel *p, const struct dse_chart_series *s);

/* Width of the legend to the right of the frame; legend inside the frame, in a free area. */
double dse_panel_legend_width(struct dse_panel *p);
void dse_panel_legend_inside(struct dse_panel *p);
bool dse_panel_free(const struct dse_panel *p, struct dse_box box);

/* A series' legend symbol, 1.2 text sizes wide and centred on y. */
void dse_panel_draw_sign(struct dse_panel *p, size_t series, double x, double y);
