/* Charts for papers: points, lines, staircases, bars and spans over two axes, as SVG, PDF or PNG, and their data as CSV.
 *
 * Colours are those of Okabe and Ito, which are distinct for colour-blind readers. Series also differ by shape, dash or hatch, so they are distinct
 * in grey. Labels that would cover marks or other labels are omitted and counted. */
#pragma once

#include <jansson.h>
#include "core/arena.h"
#include "core/status.h"
#include "core/strbuf.h"
#include "core/units.h"
#include "reports/figure.h"

enum dse_chart_kind {
    DSE_CHART_POINTS,
    DSE_CHART_LINE,   /* through its points, which are also marked */
    DSE_CHART_STAIRS, /* boundary of the region that its points dominate */
    DSE_CHART_BARS,   /* one bar per category of x, beside those of other series, or stacked if points have `low` */
    DSE_CHART_SPANS,  /* from low to high in x, in the row of a category of y */
    DSE_CHART_RULES   /* a line through its points, unmarked: the first point's name along it, the last point's in the margin */
};

struct dse_chart_point {
    double x, y;
    double low, high; /* band of y (spans: of x); NaN: none */
    const char *name; /* label; NULL: none */
    struct { double low, high; } x_band; /* band of x, where low < high */
};

#define DSE_CHART_GREY (-1000)

struct dse_chart_series {
    const char *name; /* in the legend; NULL: not shown */
    enum dse_chart_kind kind;
    int colour;        /* palette index; −1: ink; DSE_CHART_GREY; −2 − i of n: step i of a ramp from light to dark */
    int steps;         /* n of the ramp */
    double dash[2];    /* dashes of rules: on and off in 17ths of a text; 0: none */
    bool below;        /* … name below instead of above */
    bool hollow, large, tinted; /* style of marks; of names (in the series' colour, over lines); of spans: names beside them, not inside */
    bool across;       /* the points' low and high are of x */
    bool aside;        /* does not widen the axes; if outside y's range, it is named above the frame */
    struct dse_chart_point *points; /* point_count */
    size_t point_count;
};

struct dse_chart_axis {
    const char *title, *key; /* "latency"; CSV column */
    enum dse_dimension dimension;
    const char *unit;        /* with a decimal prefix in the title, such as "op/s"; NULL: from the dimension */
    bool whole, share;       /* counts; shares shown in per cent */
    double hundred;          /* value shown as 100 % for labels that end in "(%)": 1 for an accuracy, the board's limit for a resource; 0: none */
    int logarithmic;         /* 1: always, −1: never, 0: if the values span more than a factor of three */
    bool binary;             /* … with ticks at powers of two */
    int better;              /* −1: lower is better, +1: higher is better, 0: neither */
    double least, most;      /* NaN: fitted to the points */
    bool broken;             /* values beyond the given end are drawn at `far`, after a break */
    double far;
    const char *const *categories; /* category_count; values are then indices */
    size_t category_count;
};

struct dse_chart {
    const char *title, *note; /* text above the chart; or "" */
    struct dse_chart_axis x, y;
    struct dse_chart_series *series; /* series_count */
    size_t series_count;
    struct dse_arena arena; /* memory for the chart's texts and series */
};

/* Position of the legend: above the frame, to its right, inside in a free area (above if there is none), or none. */
enum dse_chart_legend { DSE_LEGEND_ABOVE, DSE_LEGEND_OUTSIDE, DSE_LEGEND_INSIDE, DSE_LEGEND_NONE };
extern const char *const dse_chart_legends[]; /* "above", …, NULL */

/* Size in points (1/72 inch; PNG: dpi / 72 pixels per point), and overrides of a chart's texts and axes; for several charts, titles
 * and ranges apply to the first. A label ending in a unit, "Latency (ms)" or "Accuracy (%)", selects the axis' unit. */
struct dse_chart_style {
    double width, height, dpi;
    const char *font; /* "DejaVu Sans" */
    double text;      /* font size; 0: from the width */
    enum dse_chart_legend legend;
    bool grey;        /* no colours: black to light grey, one step per series */
    bool log_x, log_y;
    const char *title, *x_label, *y_label; /* NULL: the chart's own */
    const char *x_range, *y_range;         /* "20us:100us", one end may be missing; NULL: all points */
};
#define DSE_CHART_STYLE ((struct dse_chart_style){1000.0, 640.0, 72.0, "DejaVu Sans", 0.0, .title = NULL})

/* Sets size, text, dpi and colours of the style "paper" (a journal column of 85 mm, 300 dpi), "slide" (16:9) or "bw" (a column without colours);
 * DSE_BAD_USAGE for another name. */
enum dse_status dse_chart_style_named(const char *name, struct dse_chart_style *style, struct dse_error *err);

/* Parses "85x60mm", "3.3x2.5in", "800x600" (points): DSE_BAD_USAGE for anything else, and below 60 or above 10000 points. */
enum dse_status dse_chart_size(const char *text, struct dse_chart_style *style, struct dse_error *err);

/* Formats a rate with a decimal prefix: "209 Gop/s". Returns text. */
char *dse_chart_rate(char *text, size_t size, double rate, const char *unit);

/* Appends a series; appends a point to a series. */
struct dse_chart_series *dse_chart_add(struct dse_chart *chart, struct dse_chart_series series);
void dse_chart_put(struct dse_chart_series *series, struct dse_chart_point point);
void dse_chart_free(struct dse_chart *chart);

/* Draws charts in a column, each of the style's size, into a file whose extension selects the format. Atomic. DSE_BAD_USAGE for another extension
 * or if the size leaves no room beside the text;
 * DSE_BAD_INPUT for a chart without points; DSE_LIMIT if drawing or writing fails. */
enum dse_status dse_charts_draw(const struct dse_chart *charts, size_t count, const struct dse_chart_style *style, const char *path,
                                struct dse_error *err);

/* As dse_charts_draw, but appends the bytes to `out`. */
enum dse_status dse_charts_render(const struct dse_chart *charts, size_t count, const struct dse_chart_style *style, enum dse_figure_form form,
                                  struct dse_strbuf *out, struct dse_error *err);

/* The points as "nysx-dse.plot/1". */
json_t *dse_charts_json(const struct dse_chart *charts, size_t count);

/* One line per point: chart, series, name, x, y, low, high, x_low, x_high, in SI units; includes points outside the axes' range. */
void dse_charts_write_csv(const struct dse_chart *charts, size_t count, struct dse_strbuf *out);
