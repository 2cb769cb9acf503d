/* Rooflines as charts: roofs and slopes are rules on logarithmic axes, engines are named points. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "reports/roofline.h"

/* Decades of both axes: log10 of their ends. */
struct decades {
    double x0, x1, y0, y1;
};

static double shown_intensity(const struct dse_roofline_point *point)
{
    return point->bytes > 0.0 ? point->intensity : point->on_chip_intensity;
}

static bool is_drawn(const struct dse_roofline_point *point)
{
    return point->operations > 0.0 && point->performance > 0.0 && isfinite(shown_intensity(point));
}

static bool is_limit(const struct dse_roof *roof)
{
    return roof->kind == DSE_ROOF_COMPUTE && strcmp(roof->level, "limits") == 0;
}

static void widen(double value, double *least, double *most)
{
    if (isfinite(value) && value > 0.0) {
        *least = fmin(*least, log10(value));
        *most = fmax(*most, log10(value));
    }
}

static struct decades fit(const struct dse_roofline_report *reports, size_t count)
{
    struct decades d = {-1.0, 2.0, 9.0, 10.0};
    const struct dse_machines *machines = reports[0].machines;
    for (size_t i = 0; i < count; i++) {
        const struct dse_roofline *roofline = reports[i].roofline;
        widen(roofline->ridge, &d.x0, &d.x1);
        for (size_t p = 0; p < roofline->point_count; p++)
            if (is_drawn(&roofline->points[p])) {
                widen(shown_intensity(&roofline->points[p]), &d.x0, &d.x1);
                widen(roofline->points[p].performance, &d.y0, &d.y1);
            }
        for (size_t r = 0; r < roofline->roof_count; r++)
            if (is_limit(&roofline->roofs[r]))
                widen(roofline->roofs[r].height, &d.y0, &d.y1);
    }
    for (size_t i = 0; machines != NULL && i < machines->count; i++)
        widen(machines->items[i].peak_flops, &d.y0, &d.y1);
    return (struct decades){floor(d.x0 - 0.1), ceil(d.x1 + 0.1), floor(d.y0 - 0.1), ceil(d.y1 + 0.1)};
}

/* ---- roofs ---- */

static void put(struct dse_chart_series *series, double x, double y, const char *name)
{
    dse_chart_put(series, (struct dse_chart_point){x, y, NAN, NAN, .name = name});
}

/* Slope of a bandwidth up to `top`, named along it; NULL if it does not cross the panel. */
static struct dse_chart_series *add_slope(struct dse_chart *chart, const struct decades *d, double slope, double top, const char *name,
                                          struct dse_chart_series look)
{
    double from = fmax(pow(10.0, d->x0), pow(10.0, d->y0) / slope);
    double to = fmin(fmin(pow(10.0, d->x1), top / slope), pow(10.0, d->y1) / slope);
    look.kind = DSE_CHART_RULES;
    if (!(from < to))
        return NULL;
    struct dse_chart_series *series = dse_chart_add(chart, look);
    put(series, from, from * slope, name[0] != '\0' ? dse_arena_strdup(&chart->arena, name) : NULL);
    put(series, to, to * slope, NULL);
    return series;
}

static double top_of(const struct dse_roofline *roofline)
{
    double top = 0.0;
    for (size_t i = 0; i < roofline->roof_count; i++)
        if (is_limit(&roofline->roofs[i]))
            top = fmax(top, roofline->roofs[i].height);
    return top;
}

static void add_peaks(struct dse_chart *chart, const struct decades *d, const struct dse_roofline *roofline)
{
    for (const struct dse_roof *roof = roofline->roofs; roof < roofline->roofs + roofline->roof_count; roof++) {
        bool chip = strcmp(roof->level, "chip") == 0;
        char text[128], rate[48];
        if (roof->kind != DSE_ROOF_COMPUTE || (chip && strcmp(roof->name, "fp32") != 0) || log10(roof->height) < d->y0 ||
            log10(roof->height) > d->y1)
            continue;
        snprintf(text, sizeof text, "%s%s\t%s", roof->name, chip ? " chip" : "", dse_chart_rate(rate, sizeof rate, roof->height, "op/s"));
        struct dse_chart_series *series = dse_chart_add(chart, (struct dse_chart_series){.kind = DSE_CHART_RULES, .colour = -1, .dash = {chip ? 3.0 : 0.0, 4.0}});
        put(series, pow(10.0, d->x0), roof->height, NULL);
        put(series, pow(10.0, d->x1), roof->height, dse_arena_strdup(&chart->arena, text));
    }
}

/* Memories by sustained rate, with dotted lines for the preset's and nominal rates, named at the higher one. */
static void add_memories(struct dse_chart *chart, const struct decades *d, const struct dse_roofline *roofline)
{
    for (const struct dse_roof *roof = roofline->roofs; roof < roofline->roofs + roofline->roof_count; roof++) {
        bool sustained = strcmp(roof->level, "sustained") == 0, limits = roof->kind == DSE_ROOF_ON_CHIP && strcmp(roof->level, "limits") == 0;
        bool nominal = strcmp(roof->level, "nominal") == 0, dotted = nominal || strcmp(roof->level, "preset") == 0;
        double preset = nominal ? dse_roofline_height(roofline, roof->name, "preset") : 0.0;
        char text[160] = "";
        if (roof->kind == DSE_ROOF_COMPUTE || !(sustained || limits || dotted))
            continue;
        if (limits)
            snprintf(text, sizeof text, "%s\t%.4g GB/s", roof->name, roof->height * 1e-9);
        else if (sustained)
            snprintf(text, sizeof text, "%s\t%.3g GB/s sustained", roof->name, roof->height * 1e-9);
        else if (nominal && preset > 0.0 && preset != roof->height)
            snprintf(text, sizeof text, "%.3g GB/s preset, %.3g GB/s nominal", preset * 1e-9, roof->height * 1e-9);
        else if (nominal)
            snprintf(text, sizeof text, "%.3g GB/s nominal", roof->height * 1e-9);
        add_slope(chart, d, roof->height, top_of(roofline), text, (struct dse_chart_series){.colour = -1, .dash = {dotted ? 2.0 : 0.0, 4.0}, .below = sustained});
    }
}

/* Machines to compare with: a dashed slope up to the peak. */
static void add_machines(struct dse_chart *chart, const struct decades *d, const struct dse_machines *machines)
{
    for (size_t i = 0; machines != NULL && i < machines->count; i++) {
        const struct dse_machine *m = &machines->items[i];
        char along[128], beside[128];
        snprintf(along, sizeof along, "%s\t%.3g GB/s", m->title, m->bandwidth_bytes_per_s * 1e-9);
        snprintf(beside, sizeof beside, "%s\t%.3g Top/s", m->title, m->peak_flops * 1e-12);
        struct dse_chart_series *series = add_slope(chart, d, m->bandwidth_bytes_per_s, m->peak_flops, along,
                                                    (struct dse_chart_series){.colour = DSE_CHART_GREY, .dash = {7.0, 4.0}});
        if (series != NULL)
            put(series, pow(10.0, d->x1), m->peak_flops, dse_arena_strdup(&chart->arena, beside));
    }
}

/* Ports of a design, in its colour; ports shared by several designs once, in grey. */
static void add_ports(struct dse_chart *chart, const struct decades *d, const struct dse_roofline_report *reports, size_t count)
{
    static const char name[] = "ports of the design";
    for (size_t design = 0; design < count; design++) {
        const struct dse_roofline *roofline = reports[design].roofline;
        double slope = dse_roofline_height(roofline, name, "design");
        size_t alike = 0, earlier = 0;
        char text[64];
        for (size_t i = 0; i < count; i++) {
            bool same = fabs(dse_roofline_height(reports[i].roofline, name, "design") - slope) < 0.01 * slope;
            alike += same;
            earlier += same && i < design;
        }
        if (slope <= 0.0 || earlier > 0)
            continue;
        snprintf(text, sizeof text, "%s ports\t%.3g GB/s", alike > 1 ? "their" : "its", slope * 1e-9);
        bool below = slope <= dse_roofline_height(roofline, roofline->setup->board->memories[0].name, "sustained");
        add_slope(chart, d, slope, top_of(roofline), text,
                  (struct dse_chart_series){.colour = alike > 1 ? DSE_CHART_GREY : (int)design, .dash = {9.0, 5.0}, .below = below});
    }
}

/* ---- points ---- */

/* Whether an earlier design has the same point for this engine. */
static bool stands(const struct dse_roofline_report *reports, size_t design, size_t point)
{
    const struct dse_roofline_point *mine = &reports[design].roofline->points[point];
    for (size_t i = 0; i < design; i++) {
        const struct dse_roofline_point *other = &reports[i].roofline->points[point];
        if (point < reports[i].roofline->point_count && other->performance == mine->performance &&
            shown_intensity(other) == shown_intensity(mine))
            return true;
    }
    return false;
}

/* The whole design is the larger mark around its slowest engine; points without external memory are hollow. */
static void add_points(struct dse_chart *chart, const struct dse_roofline_report *reports, size_t design)
{
    enum { WHOLE, EXTERNAL, ON_CHIP, KINDS };
    const struct dse_roofline *roofline = reports[design].roofline;
    char title[256];
    snprintf(title, sizeof title, "%s, %s %.0f MHz", reports[design].title, roofline->setup->board->name, roofline->clock_hz * 1e-6);
    for (int kind = 0; kind < KINDS; kind++) {
        struct dse_chart_series *series = dse_chart_add(
            chart, (struct dse_chart_series){.name = kind == WHOLE ? dse_arena_strdup(&chart->arena, title) : NULL, .kind = DSE_CHART_POINTS,
                                             .colour = (int)design, .tinted = true, .large = kind == WHOLE, .hollow = kind == ON_CHIP});
        for (size_t p = 0; p < roofline->point_count; p++) {
            const struct dse_roofline_point *point = &roofline->points[p];
            int is = p + 1 == roofline->point_count ? WHOLE : point->bytes > 0.0 ? EXTERNAL : ON_CHIP;
            if (is == kind && is_drawn(point) && !stands(reports, design, p))
                put(series, shown_intensity(point), point->performance, point->name);
        }
    }
}

/* ---- the figure ---- */

/* One board with its designs. */
static void make_chart(struct dse_chart *chart, const struct decades *d, const struct dse_roofline_report *reports, size_t count)
{
    *chart = (struct dse_chart){
        .title = "", .note = "one mark per engine; hollow: on-chip bytes only; dotted: preset and nominal rates",
        .x = {.title = "operational intensity [op/byte]", .key = "intensity",
              .logarithmic = 1, .least = pow(10.0, d->x0), .most = pow(10.0, d->x1)},
        .y = {.title = "performance", .key = "operations_per_s", .unit = "op/s", .logarithmic = 1, .least = pow(10.0, d->y0), .most = pow(10.0, d->y1)}};
    add_machines(chart, d, reports[0].machines);
    add_peaks(chart, d, reports[0].roofline);
    add_memories(chart, d, reports[0].roofline);
    add_ports(chart, d, reports, count);
    for (size_t i = 0; i < count; i++)
        add_points(chart, reports, i);
}

enum dse_status dse_rooflines_render(const struct dse_roofline_report *reports, size_t count, const struct dse_chart_style *style,
                                     enum dse_figure_form form, struct dse_strbuf *out, struct dse_error *err)
{
    /* One panel per board, in a column, on common axes: the roofs of two boards would overlap. */
    struct dse_chart *charts DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *charts);
    struct dse_roofline_report *own = dse_calloc(count + 1, sizeof *own);
    struct decades decades = fit(reports, count);
    size_t boards = 0;
    for (size_t i = 0; i < count; i++) {
        const struct dse_board *board = reports[i].roofline->setup->board;
        size_t designs = 0;
        bool known = false;
        for (size_t j = 0; j < i; j++)
            known |= reports[j].roofline->setup->board == board;
        for (size_t j = i; j < count && !known; j++)
            if (reports[j].roofline->setup->board == board) {
                own[designs] = reports[j];
                own[designs++].machines = reports[0].machines;
            }
        if (!known)
            make_chart(&charts[boards++], &decades, own, designs);
    }
    enum dse_status status = dse_charts_render(charts, boards, style, form, out, err);
    for (size_t i = 0; i < boards; i++)
        dse_chart_free(&charts[i]);
    free(own);
    return status;
}

enum dse_status dse_rooflines_draw(const struct dse_roofline_report *reports, size_t count, const struct dse_chart_style *style,
                                   const char *path, struct dse_error *err)
{
    struct dse_strbuf out DSE_CLEANUP(dse_strbuf_free) = {0};
    enum dse_figure_form form;
    DSE_TRY(dse_figure_form(path, &form, err));
    DSE_TRY(dse_rooflines_render(reports, count, style, form, &out, err));
    return dse_file_write(path, dse_strbuf_text(&out), out.length, err);
}
