/* How charts are drawn, in four parts: axes and frame (chart_axes.c), marks and their names (chart_marks.c), rules (chart_rules.c), and the panel around
 * them (chart.c). Of use to these alone. */
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
    int solid; /* 1: a mark, which no line to a label crosses where another way is; 2: a label, which none crosses; 0: a path or an error bar */
};

/* One chart on its panel. */
struct dse_panel {
    cairo_t *cr;
    const struct dse_chart *chart;
    double width, height, text;
    double left, right, top, bottom; /* the frame */
    double x_end, x_begin, y_end, y_begin; /* where the axes' ends stand in it; they are its own but at a broken axis */
    double far_x, far_y;             /* where what lies behind a break stands; NaN without */
    double x[2], y[2];               /* the axes' ends, log10 where logarithmic */
    bool log_x, log_y;
    double dodge, shift;             /* of a category's place, and in points: series stand side by side */
    const struct dse_chart_style *style;
    struct { double size; char title[160]; } unit[2]; /* of x and y: ticks count in it, and the title names it */
    enum dse_chart_legend legend;    /* the style's, or above where there is no room inside */
    struct dse_box boxes[DSE_PANEL_BOXES_MAX]; /* where marks, paths and labels are */
    size_t box_count, unnamed, outside;
    bool narrow;                     /* names in the margin are short */
    bool better_aside;               /* the arrow to what is better has no room: the note says it */
};

/* Small things; c's colour is the panel's pen. */
void dse_panel_pen(struct dse_panel *p, struct dse_rgb c);
double dse_panel_width(struct dse_panel *p, const char *text);
void dse_panel_text(struct dse_panel *p, double x, double y, const char *text);
void dse_panel_line(struct dse_panel *p, double xa, double ya, double xb, double yb);

/* Words in as many lines as the width takes, 1.3 times the text apart; how many. Counted alone without `draws`. */
size_t dse_panel_words(struct dse_panel *p, double x, double y, double width, const char *text, bool draws);

/* Whether a label (NULL: no) ends in "(%)". */
bool dse_label_is_percent(const char *label);

/* Fits both axes to the points, with their units, and the frame to the text around it, `head` of it above. */
void dse_panel_fit(struct dse_panel *p);
void dse_panel_frame(struct dse_panel *p, double head);
void dse_panel_draw_frame(struct dse_panel *p);
char *dse_panel_tick_text(const struct dse_panel *p, bool across, double value, char *text, size_t size);

/* Where a value stands; of what lies behind a break, there. */
double dse_panel_x(const struct dse_panel *p, double value);
double dse_panel_y(const struct dse_panel *p, double value);
bool dse_panel_inside(const struct dse_panel *p, double x, double y);

/* Whether a series that lies aside has a point within the axes. */
bool dse_panel_shows(const struct dse_panel *p, const struct dse_chart_series *s);

/* A place that labels leave free. */
void dse_panel_take(struct dse_panel *p, struct dse_box box);

/* All series with their names, and the arrow to what is better. */
void dse_panel_draw_series(struct dse_panel *p);
void dse_panel_draw_better(struct dse_panel *p);

/* Rules: their lines, their names (after all others), and the width that the margin needs. Text over lines has a white rim. */
void dse_panel_draw_rule(struct dse_panel *p, const struct dse_chart_series *s);
void dse_panel_name_rules(struct dse_panel *p);
double dse_panel_margin(struct dse_panel *p);
void dse_panel_text_over(struct dse_panel *p, double x, double y, const char *text, struct dse_rgb colour);
struct dse_rgb dse_panel_colour(const struct dse_panel *p, const struct dse_chart_series *s);

/* The legend's width to the right of the frame, and the legend in the frame, at a place that marks leave free. */
double dse_panel_legend_width(struct dse_panel *p);
void dse_panel_legend_inside(struct dse_panel *p);
bool dse_panel_free(const struct dse_panel *p, struct dse_box box);

/* A series' sign in the legend, 1.2 texts wide and centred on y. */
void dse_panel_draw_sign(struct dse_panel *p, size_t series, double x, double y);
