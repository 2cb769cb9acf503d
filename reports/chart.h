/* Charts for papers: points, lines, staircases, bars and spans over two axes, as SVG, PDF or PNG, and the data behind them as CSV.
 *
 * Colours are those of Okabe and Ito, which stay apart for colour-blind eyes; series differ by shape, dash or hatch besides, so that
 * they do in grey. Labels stand where neither marks nor other labels are, or are left out and counted. */
#pragma once

#include <jansson.h>
#include "core/arena.h"
#include "core/status.h"
#include "core/strbuf.h"
#include "core/units.h"
#include "reports/figure.h"

enum dse_chart_kind {
    DSE_CHART_POINTS,
    DSE_CHART_LINE,   /* through its points, which are marked too */
    DSE_CHART_STAIRS, /* the edge of what its points dominate */
    DSE_CHART_BARS,   /* one a category of x, beside those of other series, or upon them where points have `low` */
    DSE_CHART_SPANS,  /* from low to high in x, in the row of a category of y */
    DSE_CHART_RULES   /* a line through its points, unmarked: the first one's name stands along it, the last one's in the margin */
};

struct dse_chart_point {
    double x, y;
    double low, high; /* of y (of spans: of x); NaN without */
    const char *name; /* stands beside it; NULL: none */
    struct { double low, high; } x_band; /* of x, where low < high */
};

#define DSE_CHART_GREY (-1000)

struct dse_chart_series {
    const char *name; /* in the legend; NULL: not there */
    enum dse_chart_kind kind;
    int colour;        /* a place in the palette; −1: ink; DSE_CHART_GREY; −2 − i of n: step i of a ramp from light to dark */
    int steps;         /* n of the ramp */
    double dash[2];    /* of rules: on and off in 17ths of a text; 0: none */
    bool below;        /* … the name stands below rather than above */
    bool hollow, large, tinted; /* marks; and names in the series' colour, over lines; of spans: names beside them, not in them */
    bool across;       /* points' low and high are of x */
    bool aside;        /* widens no axis; where it lies beyond y's it is named above the frame */
    struct dse_chart_point *points; /* point_count */
    size_t point_count;
};

struct dse_chart_axis {
    const char *title, *key; /* "latency"; the CSV's column */
    enum dse_dimension dimension;
    const char *unit;        /* with a decimal prefix in the title, such as "op/s"; NULL: the dimension's */
    bool whole, share;       /* counts; shares written in per cent */
    double hundred;          /* what 100 % of a plain number is, for labels that end in "(%)": 1 of an accuracy, the board's limit of a resource; 0: nothing */
    int logarithmic;         /* 1 always, −1 never, 0 where the values span more than a factor of three */
    bool binary;             /* … with ticks at powers of two */
    int better;              /* −1 less is, +1 more is, 0 neither */
    double least, most;      /* NaN: fitted to the points */
    bool broken;             /* beyond the one of them that is given there is a break, and behind it `far` */
    double far;
    const char *const *categories; /* category_count; then values are places among them */
    size_t category_count;
};

struct dse_chart {
    const char *title, *note; /* above it; "" for none */
    struct dse_chart_axis x, y;
    struct dse_chart_series *series; /* series_count */
    size_t series_count;
    struct dse_arena arena; /* owns what its maker puts there */
};

/* Where the legend stands: above the frame, to its right, in it where nothing is (above without room), or nowhere. */
enum dse_chart_legend { DSE_LEGEND_ABOVE, DSE_LEGEND_OUTSIDE, DSE_LEGEND_INSIDE, DSE_LEGEND_NONE };
extern const char *const dse_chart_legends[]; /* "above", …, NULL */

/* How large, in points (1/72 inch); a PNG has dpi / 72 pixels for each. And what replaces a chart's own words and axes; of several charts titles
 * and ranges are the first one's. A label that ends in a unit, "Latency (ms)" or "Accuracy (%)", chooses the axis' unit. */
struct dse_chart_style {
    double width, height, dpi;
    const char *font; /* "DejaVu Sans" */
    double text;      /* its size; 0: by the width */
    enum dse_chart_legend legend;
    bool grey;        /* no colours: black to light grey, one step a series */
    bool log_x, log_y;
    const char *title, *x_label, *y_label; /* NULL: the chart's */
    const char *x_range, *y_range;         /* "20us:100us", one end alone may stand; NULL: all points */
};
#define DSE_CHART_STYLE ((struct dse_chart_style){1000.0, 640.0, 72.0, "DejaVu Sans", 0.0, .title = NULL})

/* Sets size, text, dpi and colours of "paper" (a journal column of 85 mm, 300 dpi), "slide" (16:9) or "bw" (a column without colours);
 * DSE_BAD_USAGE for another name. */
enum dse_status dse_chart_style_named(const char *name, struct dse_chart_style *style, struct dse_error *err);

/* "85x60mm", "3.3x2.5in", "800x600" (points): DSE_BAD_USAGE for anything else, and below 60 or above 10000 points. */
enum dse_status dse_chart_size(const char *text, struct dse_chart_style *style, struct dse_error *err);

/* A quantity as pictures write it: as dse_quantity_format, with µ. Returns text. */
char *dse_chart_quantity(char *text, size_t size, enum dse_dimension dimension, double value);

/* "209 Gop/s": a rate in a unit with a decimal prefix. Returns text. */
char *dse_chart_rate(char *text, size_t size, double rate, const char *unit);

/* A new series behind the others. And a point behind those of a series. */
struct dse_chart_series *dse_chart_add(struct dse_chart *chart, struct dse_chart_series series);
void dse_chart_put(struct dse_chart_series *series, struct dse_chart_point point);
void dse_chart_free(struct dse_chart *chart);

/* Draws charts one below the other, each of the style's size, into the file whose ending says the form. Atomic. DSE_BAD_USAGE for another ending
 * and where the size leaves no room beside the text,
 * DSE_BAD_INPUT for a chart without a point to draw, DSE_LIMIT where drawing or writing fails. */
enum dse_status dse_charts_draw(const struct dse_chart *charts, size_t count, const struct dse_chart_style *style, const char *path,
                                struct dse_error *err);

/* The same as bytes. */
enum dse_status dse_charts_render(const struct dse_chart *charts, size_t count, const struct dse_chart_style *style, enum dse_figure_form form,
                                  struct dse_strbuf *out, struct dse_error *err);

/* The points as "nysx-dse.plot/1". */
json_t *dse_charts_json(const struct dse_chart *charts, size_t count);

/* A line per point: chart, series, name, x, y, low, high, x_low, x_high, in SI units; those outside of the axes' range too. */
void dse_charts_write_csv(const struct dse_chart *charts, size_t count, struct dse_strbuf *out);
