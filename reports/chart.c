#include "reports/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/list.h"
#include "core/memory.h"
#include "reports/schema.h"
#include "reports/chart_panel.h"
#include "reports/fields.h"
#include "reports/figure.h"
#include "reports/table.h"

/* ---- the panel ---- */

static bool in_legend(const struct dse_panel *p, const struct dse_chart_series *series)
{
    return series->name != NULL && series->point_count > 0 && dse_panel_shows(p, series);
}

/* Number of lines that a series' name takes within `room`; draws them or only counts. */
static size_t draw_entry(struct dse_panel *p, size_t series, double x, double y, double room, bool draws)
{
    if (draws)
        dse_panel_draw_sign(p, series, x + 0.3 * p->text, y - 0.3 * p->text);
    dse_panel_pen(p, dse_ink);
    return dse_panel_words(p, x + 2 * p->text, y, room - 2.5 * p->text, p->chart->series[series].name, draws);
}

/* Left edge of the text above the frame: the frame's, or the picture's if row names are wide. */
static double head_left(const struct dse_panel *p)
{
    return p->left > 0.25 * p->width ? 0.5 * p->text : p->left;
}

/* Legend in rows; returns its number of lines, drawn or only counted. */
static size_t draw_legend(struct dse_panel *p, double y, bool draws)
{
    double x = head_left(p), t = p->text;
    size_t lines = 0;
    for (size_t s = 0; s < p->chart->series_count; s++) {
        if (!in_legend(p, &p->chart->series[s]))
            continue;
        double width = dse_panel_width(p, p->chart->series[s].name) + 2.8 * t;
        if (lines == 0 || (x + width > p->width - 0.5 * t && x > head_left(p))) {
            lines++;
            x = head_left(p);
        }
        lines += draw_entry(p, s, x, y + 1.4 * t * (double)(lines - 1), p->width - x, draws) - 1;
        x += width;
    }
    return lines;
}

/* As draw_legend, but as a column: number of lines, and width, which is at most a third of the picture beside the frame. */
static size_t draw_column(struct dse_panel *p, double x, double y, bool draws, double *width)
{
    size_t lines = 0;
    double room = p->legend == DSE_LEGEND_OUTSIDE ? p->width / 3 : p->width;
    *width = 0;
    for (size_t s = 0; s < p->chart->series_count; s++) {
        if (!in_legend(p, &p->chart->series[s]))
            continue;
        *width = fmax(*width, fmin(room, dse_panel_width(p, p->chart->series[s].name) + 2.8 * p->text));
        lines += draw_entry(p, s, x, y + 1.4 * p->text * (double)lines, room, draws);
    }
    return lines;
}

double dse_panel_legend_width(struct dse_panel *p)
{
    double width;
    draw_column(p, 0, 0, false, &width);
    return width;
}

/* Places the legend in a free corner, otherwise in the first free place from the upper right; above the frame if there is none. */
void dse_panel_legend_inside(struct dse_panel *p)
{
    enum { STEPS = 24 };
    double width, t = p->text, height = 1.4 * t * (double)draw_column(p, 0, 0, false, &width);
    double room_x = p->right - p->left - width - 0.8 * t, room_y = p->bottom - p->top - height - 0.8 * t;
    if (height == 0)
        return;
    for (int i = 0; room_x > 0 && room_y > 0 && i < (STEPS + 1) * (STEPS + 1); i++) {
        double across = 1 - (double)(i % (STEPS + 1)) / STEPS, down = (double)(i / (STEPS + 1)) / STEPS;
        double x = p->left + 0.4 * t + across * room_x, y = p->top + 0.4 * t + down * room_y;
        struct dse_box b = {x, y, x + width, y + height, 2};
        if (!dse_panel_free(p, b))
            continue;
        dse_panel_take(p, b);
        draw_column(p, x, y + 1.1 * t, true, &width);
        return;
    }
    p->legend = DSE_LEGEND_ABOVE; /* in the final drawing */
}

/* Text above the frame: the chart's note, series outside the axes, points outside, and omitted names. */
static void write_note(const struct dse_panel *p, char *note, size_t size)
{
    const struct dse_chart *c = p->chart;
    size_t length = (size_t)snprintf(note, size, "%s", c->note);
    for (size_t s = 0; s < c->series_count && length < size; s++)
        if (c->series[s].name != NULL && !dse_panel_shows(p, &c->series[s]))
            length += (size_t)snprintf(note + length, size - length, "%s%s, not shown", length > 0 ? "; " : "", c->series[s].name);
    if (p->outside > 0 && length < size)
        length += (size_t)snprintf(note + length, size - length, "%s%zu outside the range", length > 0 ? "; " : "", p->outside);
    if (p->unnamed > 0 && length < size)
        length += (size_t)snprintf(note + length, size - length, "%s%zu name%s omitted", length > 0 ? "; " : "", p->unnamed, p->unnamed == 1 ? "" : "s");
    if (p->style->legend == DSE_LEGEND_INSIDE && p->legend == DSE_LEGEND_ABOVE && length < size)
        length += (size_t)snprintf(note + length, size - length, "%sno room for the legend inside", length > 0 ? "; " : "");
    if (p->better_aside && length < size)
        snprintf(note + length, size - length, "%sbetter: %s %s", length > 0 ? "; " : "", c->y.better > 0 ? "upper" : "lower", c->x.better > 0 ? "right" : "left");
}

static size_t draw_note(struct dse_panel *p, const char *note, double y, bool draws)
{
    double t = p->text;
    p->text = 0.85 * t;
    cairo_set_font_size(p->cr, p->text);
    dse_panel_pen(p, (struct dse_rgb){0.35, 0.35, 0.35});
    size_t lines = dse_panel_words(p, head_left(p), y, p->width - head_left(p) - 0.5 * t, note, draws);
    p->text = t;
    cairo_set_font_size(p->cr, t);
    return lines;
}

/* Draws everything with a note, which determines the space above the frame. */
static void draw_with(struct dse_panel *p, const char *note)
{
    const struct dse_chart *c = p->chart;
    double t = p->text;
    p->box_count = p->unnamed = p->outside = 0;
    p->better_aside = false;
    dse_panel_frame(p, 0);
    double title = 1.3 * t * (double)dse_panel_words(p, head_left(p), 0, p->width - head_left(p) - 0.5 * t, c->title, false);
    double legend = p->legend == DSE_LEGEND_ABOVE ? 1.4 * t * (double)draw_legend(p, 0, false) : 0, width, said = 1.11 * t * (double)draw_note(p, note, 0, false);
    dse_panel_frame(p, 0.4 * t + title + legend + said + 0.8 * t);
    dse_panel_pen(p, dse_ink);
    dse_panel_words(p, head_left(p), 1.4 * t, p->width - head_left(p) - 0.5 * t, c->title, true);
    if (p->legend == DSE_LEGEND_ABOVE)
        draw_legend(p, 0.2 * t + title + 1.3 * t, true);
    else if (p->legend == DSE_LEGEND_OUTSIDE)
        draw_column(p, p->width - dse_panel_legend_width(p), p->top + 0.8 * t, true, &width);
    dse_panel_draw_frame(p);
    dse_panel_draw_series(p);
    dse_panel_draw_better(p);
    draw_note(p, note, 0.4 * t + title + legend + 1.1 * t, true);
}

/* Draws twice: first to find the points outside, which are known only after marks are placed, then finally. */
static bool draw_panel(struct dse_panel *p)
{
    char note[1024];
    p->legend = p->style->legend;
    dse_panel_fit(p);
    write_note(p, note, sizeof note);
    cairo_push_group(p->cr);
    draw_with(p, note);
    cairo_pattern_destroy(cairo_pop_group(p->cr));
    write_note(p, note, sizeof note);
    draw_with(p, note);
    return fmin(p->x_end - p->x_begin, p->y_begin - p->y_end) >= 4 * p->text;
}

struct drawing {
    const struct dse_chart *charts;
    size_t count;
    const struct dse_chart_style *style;
    double text, scale;
    struct dse_panel *panel; /* scratch */
    bool *cramped;           /* some chart had no room for its marks */
};

static void draw_all(cairo_t *cr, const void *user)
{
    const struct drawing *d = user;
    cairo_scale(cr, d->scale, d->scale);
    cairo_set_font_size(cr, d->text);
    for (size_t i = 0; i < d->count; i++) {
        *d->panel = (struct dse_panel){.cr = cr, .chart = &d->charts[i], .style = d->style, .width = d->style->width, .height = d->style->height, .text = d->text};
        *d->cramped |= !draw_panel(d->panel);
        cairo_translate(cr, 0, d->style->height);
    }
}

/* Parses "20us:100us" as an axis' ends. */
static enum dse_status read_range(const char *name, const char *text, struct dse_chart_axis *axis, struct dse_error *err)
{
    const char *at = text;
    bool good = strchr(at, ':') != NULL && axis->category_count == 0;
    for (int end = 0; good && end < 2; end++) {
        double *value = end == 0 ? &axis->least : &axis->most;
        bool percent = false;
        const char *stop = at;
        *value = NAN;
        if (*at != ':' && *at != '\0') {
            good = dse_quantity_parse(at, axis->dimension, value, &percent, &stop) && !(percent && !(axis->hundred > 0) && (axis->whole || axis->dimension != DSE_DIMENSION_NONE));
            *value *= percent ? 0.01 * (axis->hundred > 0 ? axis->hundred : 1) : 1;
        }
        good = good && (end == 0 ? *stop == ':' : *stop == '\0');
        at = stop + 1;
    }
    if (good && !(axis->least >= axis->most))
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "--%slim %s: needs a numeric axis, and FROM:TO with its unit (20us:100us), FROM below TO", name, text);
}

/* Applies the style's overrides of a chart's texts and axes. */
static enum dse_status apply(const struct dse_chart_style *style, bool first, struct dse_chart *chart, struct dse_error *err)
{
    chart->title = style->title != NULL ? (first ? style->title : "") : chart->title;
    chart->x.logarithmic = style->log_x ? 1 : chart->x.logarithmic;
    chart->y.logarithmic = style->log_y ? 1 : chart->y.logarithmic;
    if (first && (style->x_range != NULL || style->y_range != NULL)) {
        chart->x.least = chart->x.broken ? NAN : chart->x.least;
        chart->y.least = chart->y.broken ? NAN : chart->y.least;
        chart->x.most = chart->x.broken ? NAN : chart->x.most;
        chart->y.most = chart->y.broken ? NAN : chart->y.most;
        chart->x.broken = chart->y.broken = false;
        if (style->x_range != NULL)
            DSE_TRY(read_range("x", style->x_range, &chart->x, err));
        if (style->y_range != NULL)
            DSE_TRY(read_range("y", style->y_range, &chart->y, err));
    }
    const struct { bool asked; const char *name, *label; const struct dse_chart_axis *axis; } logs[] = {{style->log_x, "x", style->x_label, &chart->x},
                                                                                                        {style->log_y, "y", style->y_label, &chart->y}};
    for (size_t i = 0; i < 2; i++)
        if (dse_label_is_percent(logs[i].label) && !logs[i].axis->share && !(logs[i].axis->hundred > 0))
            return dse_fail(err, DSE_BAD_USAGE, "--%slabel %s: \"%s\" is no share of a whole", logs[i].name, logs[i].label, logs[i].axis->title);
    for (size_t i = 0; i < 2; i++)
        if (logs[i].asked && (logs[i].axis->category_count > 0 || logs[i].axis->least <= 0))
            return dse_fail(err, DSE_BAD_USAGE, "--log%s: needs an axis with values above 0, not \"%s\"", logs[i].name, logs[i].axis->title);
    return DSE_OK;
}

static enum dse_status render(const struct dse_chart *charts, size_t count, const struct dse_chart_style *style, enum dse_figure_form form,
                                  struct dse_strbuf *out, struct dse_error *err);

enum dse_status dse_charts_render(const struct dse_chart *charts, size_t count, const struct dse_chart_style *style, enum dse_figure_form form,
                                  struct dse_strbuf *out, struct dse_error *err)
{
    struct dse_chart *own DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *own); /* series stay the caller's */
    for (size_t i = 0; i < count; i++) {
        own[i] = charts[i];
        DSE_TRY(apply(style, i == 0, &own[i], err));
    }
    return render(own, count, style, form, out, err);
}

static enum dse_status render(const struct dse_chart *charts, size_t count, const struct dse_chart_style *style, enum dse_figure_form form,
                                  struct dse_strbuf *out, struct dse_error *err)
{
    for (size_t i = 0; i < count; i++) {
        size_t points = 0;
        for (size_t s = 0; s < charts[i].series_count; s++)
            points += charts[i].series[s].point_count;
        if (points == 0)
            return dse_fail(err, DSE_BAD_INPUT, "%s: there is nothing to draw", charts[i].title);
    }
    double scale = form == DSE_FIGURE_PNG ? style->dpi / 72 : 1;
    bool cramped = false;
    struct dse_panel *panel DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *panel);
    struct drawing d = {.charts = charts, .count = count, .style = style, .scale = scale, .panel = panel, .cramped = &cramped,
                        .text = style->text > 0 ? style->text : fmax(7, fmin(17, style->width / 58))};
    struct dse_drawing figure = {rint(style->width * scale), rint(style->height * scale * (double)count), d.text, draw_all, &d, style->font};
    DSE_TRY(dse_figure_render(&figure, form, out, err));
    if (cramped)
        return dse_fail(err, DSE_BAD_USAGE, "--size: %.0fx%.0f points are too small for marks beside text of %.3g points", style->width, style->height, d.text);
    return DSE_OK;
}

enum dse_status dse_charts_draw(const struct dse_chart *charts, size_t count, const struct dse_chart_style *style, const char *path,
                                struct dse_error *err)
{
    struct dse_strbuf out DSE_CLEANUP(dse_strbuf_free) = {0};
    enum dse_figure_form form;
    DSE_TRY(dse_figure_form(path, &form, err));
    DSE_TRY(dse_charts_render(charts, count, style, form, &out, err));
    return dse_file_write(path, dse_strbuf_text(&out), out.length, err);
}

/* ---- data ---- */

struct datum {
    const char *chart, *series, *name, *x_is, *y_is, *x_word, *y_word;
    double x, y, low, high, x_low, x_high;
    enum dse_chart_kind kind;
};

static const char *const kinds[] = {[DSE_CHART_POINTS] = "points", [DSE_CHART_LINE] = "line", [DSE_CHART_STAIRS] = "stairs",
                                    [DSE_CHART_BARS] = "bars", [DSE_CHART_SPANS] = "spans", [DSE_CHART_RULES] = "rules", NULL};

#define AT(member) offsetof(struct datum, member)

/* A category axis has words instead of numbers. Headings are the schema's descriptions. */
const struct dse_field dse_fields_plot[] = {
    DSE_FIELD("chart", NULL, TEXT, AT(chart)),
    DSE_FIELD("series", NULL, TEXT, AT(series), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("kind", "how the series is drawn", WORD, AT(kind), .words = kinds),
    DSE_FIELD("name", NULL, TEXT, AT(name), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("x_is", NULL, TEXT, AT(x_is)),
    DSE_FIELD("x", "in SI units", REAL, AT(x), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("x", "a category", TEXT, AT(x_word), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("y_is", NULL, TEXT, AT(y_is)),
    DSE_FIELD("y", "in SI units; for bars the top: the value of a bar is y - low", REAL, AT(y), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("y", "a category", TEXT, AT(y_word), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("low", "lower end of the error of y; for bars the foot; for spans the left end in x", REAL, AT(low), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("high", "upper end of the error of y; for spans the right end in x", REAL, AT(high), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("x_low", "lower end of the error of x", REAL, AT(x_low), .how = DSE_FIELD_OPTIONAL),
    DSE_FIELD("x_high", "upper end of the error of x", REAL, AT(x_high), .how = DSE_FIELD_OPTIONAL),
    {0}};
#undef AT

/* Points of all data series, without connecting lines. */
static struct datum *collect(const struct dse_chart *charts, size_t count, size_t *number)
{
    struct datum *data = NULL;
    *number = 0;
    for (size_t c = 0; c < count; c++)
        for (size_t s = 0; s < charts[c].series_count; s++)
            for (size_t i = 0; charts[c].series[s].kind != DSE_CHART_STAIRS && i < charts[c].series[s].point_count; i++) {
                const struct dse_chart *chart = &charts[c];
                const struct dse_chart_point *point = &chart->series[s].points[i];
                struct datum *datum = dse_list_more(&data, number, sizeof *data);
                *datum = (struct datum){.chart = chart->title, .series = chart->series[s].name, .name = point->name, .x_is = chart->x.key,
                                        .y_is = chart->y.key, .kind = chart->series[s].kind, .x = point->x, .y = point->y, .low = point->low, .high = point->high, .x_low = NAN, .x_high = NAN};
                if (point->x_band.low < point->x_band.high) {
                    datum->x_low = point->x_band.low;
                    datum->x_high = point->x_band.high;
                }
                if (chart->series[s].across) {
                    datum->x_low = point->low;
                    datum->x_high = point->high;
                    datum->low = datum->high = NAN;
                }
                if (chart->x.category_count > 0) {
                    datum->x_word = chart->x.categories[(size_t)point->x];
                    datum->x = NAN;
                }
                if (chart->y.category_count > 0) {
                    datum->y_word = chart->y.categories[(size_t)point->y];
                    datum->y = NAN;
                }
            }
    return data;
}

json_t *dse_charts_json(const struct dse_chart *charts, size_t count)
{
    size_t number;
    struct datum *data DSE_CLEANUP(dse_free_at) = collect(charts, count, &number);
    return json_pack("{s:s, s:o}", "schema", "nysx-dse.plot/1", "results", dse_fields_list(dse_fields_plot, data, number, sizeof *data));
}

void dse_charts_write_csv(const struct dse_chart *charts, size_t count, struct dse_strbuf *out)
{
    size_t number;
    struct datum *data DSE_CLEANUP(dse_free_at) = collect(charts, count, &number);
    struct dse_table table = {0};
    dse_table_columns(&table, "chart|series|name|x_is|x|y_is|y|low|high|x_low|x_high");
    for (size_t i = 0; i < number; i++) {
        const char *const texts[] = {data[i].chart, data[i].series, data[i].name, data[i].x_is};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            dse_table_text(&table, texts[t] != NULL ? texts[t] : "");
        if (data[i].x_word != NULL)
            dse_table_text(&table, data[i].x_word);
        else
            dse_table_real(&table, "%.17g", data[i].x, "");
        dse_table_text(&table, data[i].y_is);
        if (data[i].y_word != NULL)
            dse_table_text(&table, data[i].y_word);
        else
            dse_table_real(&table, "%.17g", data[i].y, "");
        dse_table_real(&table, "%.17g", data[i].low, "");
        dse_table_real(&table, "%.17g", data[i].high, "");
        dse_table_real(&table, "%.17g", data[i].x_low, "");
        dse_table_real(&table, "%.17g", data[i].x_high, "");
    }
    dse_table_finish_csv(&table, out);
}

/* ---- making ---- */

struct dse_chart_series *dse_chart_add(struct dse_chart *chart, struct dse_chart_series series)
{
    struct dse_chart_series *room = dse_list_more(&chart->series, &chart->series_count, sizeof *room);
    *room = series;
    return room;
}

void dse_chart_put(struct dse_chart_series *series, struct dse_chart_point point)
{
    *(struct dse_chart_point *)dse_list_more(&series->points, &series->point_count, sizeof point) = point;
}

void dse_chart_free(struct dse_chart *chart)
{
    for (size_t s = 0; s < chart->series_count; s++)
        free(chart->series[s].points);
    free(chart->series);
    dse_arena_free(&chart->arena);
    *chart = (struct dse_chart){0};
}

const char *const dse_chart_legends[] = {"above", "outside", "inside", "none", NULL};

enum dse_status dse_chart_style_named(const char *name, struct dse_chart_style *style, struct dse_error *err)
{
    static const struct {
        const char *name;
        double width, height, dpi, text;
        bool grey;
    } styles[] = {{"paper", 85 * 72 / 25.4, 64 * 72 / 25.4, 300, 7, false}, {"slide", 960, 540, 144, 20, false}, {"bw", 85 * 72 / 25.4, 64 * 72 / 25.4, 300, 7, true}};
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
        if (strcmp(name, styles[i].name) == 0) {
            style->width = styles[i].width;
            style->height = styles[i].height;
            style->dpi = styles[i].dpi;
            style->text = styles[i].text;
            style->grey = styles[i].grey;
            return DSE_OK;
        }
    return dse_fail(err, DSE_BAD_USAGE, "--style %s: must be paper, slide or bw", name);
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
    return dse_fail(err, DSE_BAD_USAGE, "--size %s: must be a width and a height of 60 to 10000 points, such as 85x60mm, 3.3x2.5in or 800x600", text);
}
