/* Designs as series of a chart: by colour, their staircase, and a constant prediction. */
#include "reports/plot_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "explore/corners.h"
#include "reports/estimate.h"
#include "reports/spread.h"

#define SERIES_MOST 8 /* distinct colours and shapes */
#define RAMP_STEPS 5

static int by_x(const void *a, const void *b)
{
    const struct dse_chart_point *x = a, *y = b;
    return x->x != y->x ? (x->x > y->x) - (x->x < y->x) : (x->y > y->y) - (x->y < y->y);
}

/* Values for colouring, ascending: one group per value if there are few, otherwise groups of equal size. */
struct groups {
    double bound[SERIES_MOST + 1]; /* group g: above bound[g − 1], up to bound[g] */
    double from[SERIES_MOST + 1];
    size_t count;
    bool ramp;
};

bool dse_plot_is_drawn(const struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y, const struct dse_plot_sample *s)
{
    return isfinite(dse_plot_value(p, x, s)) && isfinite(dse_plot_value(p, y, s));
}

static void find_groups(const struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y, const struct dse_plot_quantity *by,
                                   struct groups *g)
{
    double *values DSE_CLEANUP(dse_free_at) = dse_malloc((p->count + 1) * sizeof *values);
    size_t count = 0, distinct = 0;
    *g = (struct groups){.count = 0};
    for (size_t i = 0; i < p->count; i++)
        if (dse_plot_is_drawn(p, x, y, &p->samples[i]) && isfinite(dse_plot_value(p, by, &p->samples[i])))
            values[count++] = dse_plot_value(p, by, &p->samples[i]);
    qsort(values, count, sizeof *values, dse_by_double);
    for (size_t i = 0; i < count; i++)
        distinct += i == 0 || values[i] != values[i - 1];
    const struct dse_knob *knob = dse_plot_knob(p, by);
    bool words = knob != NULL && knob->type == DSE_KNOB_CHOICE;
    g->ramp = !words;
    if (distinct <= SERIES_MOST) {
        for (size_t i = 0; i < count; i++)
            if (i == 0 || values[i] != values[i - 1]) {
                g->from[g->count] = values[i];
                g->bound[g->count++] = values[i];
            }
    } else {
        for (size_t s = 0, begin = 0; s < RAMP_STEPS && begin < count; s++) {
            size_t end = count * (s + 1) / RAMP_STEPS;
            while (end < count && end > 0 && values[end] == values[end - 1])
                end++;
            if (end <= begin)
                continue;
            g->from[g->count] = values[begin];
            g->bound[g->count++] = values[end - 1];
            begin = end;
        }
    }
}

static const char *value_text(const struct dse_plotting *p, const struct dse_plot_quantity *q, double value, char *text, size_t size)
{
    const struct dse_knob *knob = dse_plot_knob(p, q);
    if (knob != NULL && knob->type == DSE_KNOB_CHOICE)
        snprintf(text, size, "%s", knob->choices[(size_t)value]);
    else if (knob != NULL && knob->type == DSE_KNOB_INTEGER)
        snprintf(text, size, "%lld", (long long)value);
    else if (knob != NULL || dse_plot_is_quality(q))
        snprintf(text, size, "%.4g", value);
    else if (dse_metrics[q->index].resource >= 0 || q->index == DSE_METRIC_CYCLES)
        dse_count_format(text, size, (long long)value);
    else
        dse_quantity_format(text, size, dse_metrics[q->index].dimension, value);
    return text;
}

void dse_plot_put(const struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y, const struct dse_plot_sample *s,
                       struct dse_chart_series *series)
{
    struct dse_chart_point point = {dse_plot_value(p, x, s), dse_plot_value(p, y, s), NAN, NAN, .name = s->name};
    series->across = dse_plot_is_quality(x) && !dse_plot_is_quality(y);
    if ((dse_plot_is_quality(x) || dse_plot_is_quality(y)) && s->quality != NULL && s->quality->n > 1) {
        double error = dse_spread_of(s->quality), mean = series->across ? point.x : point.y;
        point.low = mean - error;
        point.high = mean + error;
    }
    if (!y->knob && isfinite(s->low[y->index])) {
        point.low = s->low[y->index];
        point.high = s->high[y->index];
    }
    if (!x->knob && isfinite(s->low[x->index])) {
        point.x_band.low = s->low[x->index];
        point.x_band.high = s->high[x->index];
    }
    if (isfinite(point.x) && isfinite(point.y))
        dse_chart_put(series, point);
}

/* One series per value of `by`, or a single one. */
void dse_plot_add_series(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y, const struct dse_plot_quantity *by,
                                  enum dse_chart_kind kind, struct dse_chart *chart)
{
    struct groups groups = {.count = 1};
    if (by != NULL)
        find_groups(p, x, y, by, &groups);
    for (size_t g = 0; g < groups.count + (by != NULL); g++) {
        bool rest = by != NULL && g == groups.count; /* designs without a value */
        char text[64], from[64], name[256];
        struct dse_chart_series *series =
            dse_chart_add(chart, (struct dse_chart_series){.kind = kind, .colour = rest ? 7 : groups.ramp ? -2 - (int)g : (int)g, .steps = (int)groups.count});
        for (size_t i = 0; i < p->count; i++) {
            double value = by != NULL ? dse_plot_value(p, by, &p->samples[i]) : 0;
            if (by != NULL && (rest ? isfinite(value) : !(value >= groups.from[g] && value <= groups.bound[g])))
                continue;
            dse_plot_put(p, x, y, &p->samples[i], series);
        }
        if (series->point_count > 0 && kind == DSE_CHART_LINE)
            qsort(series->points, series->point_count, sizeof *series->points, by_x);
        if (rest)
            snprintf(name, sizeof name, "without %s", by->name);
        if (rest)
            series->name = dse_plot_keep(chart, name);
        if (by == NULL || rest)
            continue;
        value_text(p, by, groups.from[g], from, sizeof from);
        value_text(p, by, groups.bound[g], text, sizeof text);
        snprintf(name, sizeof name, "%s%s%s%s%s", by->name, strcmp(from, text) == 0 ? "=" : " ", from, strcmp(from, text) == 0 ? "" : " to ",
                 strcmp(from, text) == 0 ? "" : text);
        series->name = dse_plot_keep(chart, name);
    }
}

/* Non-dominated points of the chart in its two directions. */
void dse_plot_add_stairs(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y, struct dse_chart *chart)
{
    struct dse_chart_series *stairs = dse_chart_add(chart, (struct dse_chart_series){.name = "not dominated in these two metrics", .kind = DSE_CHART_STAIRS, .colour = 6});
    struct dse_chart_point *all DSE_CLEANUP(dse_free_at) = dse_calloc(p->count + 1, sizeof *all);
    size_t count = 0;
    double dx = chart->x.better, dy = chart->y.better, best = INFINITY;
    for (size_t i = 0; i < p->count; i++) { /* with the sign such that lower is better */
        struct dse_chart_point point = {-dx * dse_plot_value(p, x, &p->samples[i]), -dy * dse_plot_value(p, y, &p->samples[i]), NAN, NAN, .name = NULL};
        if (isfinite(point.x) && isfinite(point.y))
            all[count++] = point;
    }
    qsort(all, count, sizeof *all, by_x);
    for (size_t i = 0; i < count; i++) {
        if (all[i].y >= best)
            continue;
        best = all[i].y;
        dse_chart_put(stairs, (struct dse_chart_point){-dx * all[i].x, -dy * all[i].y, NAN, NAN, .name = NULL});
    }
}

/* Quality of a constant prediction, across the picture; outside the axes if its distance exceeds the drawn range. */
void dse_plot_add_majority(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y, struct dse_chart *chart)
{
    struct dse_standard standard;
    double ends[2][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    char name[64];
    dse_standard_make(p->profile, INFINITY, &standard);
    for (size_t i = 0; i < p->count + p->has_paper; i++) {
        const struct dse_plot_sample *s = i < p->count ? &p->samples[i] : &p->paper;
        for (int axis = 0; axis < 2 && dse_plot_is_drawn(p, x, y, s); axis++) {
            ends[axis][0] = fmin(ends[axis][0], dse_plot_value(p, axis == 0 ? x : y, s));
            ends[axis][1] = fmax(ends[axis][1], dse_plot_value(p, axis == 0 ? x : y, s));
        }
    }
    if (!dse_plot_is_quality(y) || isnan(standard.majority) || !(ends[0][0] < ends[0][1]))
        return;
    double level = y->error != NULL ? dse_metric_error_from(y->error, dse_profile_quality_name(p->profile)) - standard.majority : standard.majority;
    bool far = fmax(ends[1][0] - level, level - ends[1][1]) > fmax(ends[1][1] - ends[1][0], 0.02);
    struct dse_chart_series *line = dse_chart_add(chart, (struct dse_chart_series){.kind = DSE_CHART_STAIRS, .colour = -1, .dash = {6.0, 3.0},
                                                                                   .aside = far || p->question->ranged});
    snprintf(name, sizeof name, "a %s: %.3f", dse_quality_chance_title(dse_profile_quality_name(p->profile)), level);
    line->name = dse_plot_keep(chart, name);
    dse_chart_put(line, (struct dse_chart_point){ends[0][0], level, NAN, NAN, .name = NULL});
    dse_chart_put(line, (struct dse_chart_point){ends[0][1], level, NAN, NAN, .name = NULL});
}

/* Note if a cap at one of the designs' clocks is assumed. */
static const char *cap_of(const struct dse_plotting *p, char text[80])
{
    int64_t *clocks DSE_CLEANUP(dse_free_at) = dse_calloc(p->count + 1, sizeof *clocks);
    for (size_t i = 0; i < p->count; i++)
        clocks[i] = p->samples[i].config.value[p->bench->family->clock_knob];
    return dse_caps_words(p->bench->boards[0], clocks, p->count, text);
}

/* Note: the settings drawn; the meaning of a quality's error bars, with the number of splits if equal for all; and assumptions. */
void dse_plot_note(const struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y, struct dse_chart *chart)
{
    char note[384], cap[80];
    int64_t n = p->count > 0 && p->samples[0].quality != NULL ? p->samples[0].quality->n : 0;
    for (size_t i = 1; i < p->count; i++)
        n = p->samples[i].quality != NULL && p->samples[i].quality->n == n ? n : 0;
    bool measured = dse_plot_is_quality(x) || dse_plot_is_quality(y);
    snprintf(note, sizeof note, "%s%s%s%s", p->settled, *p->settled != '\0' && measured ? "; " : "", measured ? "bars: \u00b1 " : "",
             measured ? dse_spread_name() : "");
    if (measured && n > 0)
        snprintf(note + strlen(note), sizeof note - strlen(note), ", n\u00a0=\u00a0%lld", (long long)n);
    if (*p->bands != '\0')
        snprintf(note + strlen(note), sizeof note - strlen(note), "%s%s", *note != '\0' ? "; " : "", p->bands);
    if (*cap_of(p, cap) != '\0')
        snprintf(note + strlen(note), sizeof note - strlen(note), "%s%s", *note != '\0' ? "; " : "", cap);
    if (*note != '\0')
        chart->note = dse_plot_keep(chart, note);
}
