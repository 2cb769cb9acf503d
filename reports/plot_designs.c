/* Pictures of one design by engines, of the steps from the baseline to it, and of many designs by their knobs. */
#include "reports/plot_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "reports/estimate.h"
#include "search/question.h"

/* ---- engines ---- */

/* Indices of the engines that the design has: with cycles or resources. */
static size_t engines_of(const struct dse_model_family *family, const struct dse_estimate *estimate, size_t *places)
{
    size_t count = 0;
    for (size_t e = 0; e < family->engine_count; e++) {
        bool is_there = estimate->engines[e].cycles > 0;
        for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
            is_there |= estimate->engines[e].sums.resources[r] > 0;
        if (is_there)
            places[count++] = e;
    }
    return count;
}

/* Description of the design, with the totals over engines. */
static const char *engines_note(const struct dse_plotting *p, const struct dse_estimate *estimate, struct dse_chart *chart)
{
    char note[512], cycles[32], latency[48], energy[48], cap[80];
    snprintf(note, sizeof note, "design: %s; %s cycles, %s, %s; engines of a stage overlap", p->origin,
             dse_count_format(cycles, sizeof cycles, (long long)estimate->metrics[DSE_METRIC_CYCLES]),
             dse_quantity_format(latency, sizeof latency, DSE_DIMENSION_TIME, estimate->metrics[DSE_METRIC_LATENCY]),
             dse_quantity_format(energy, sizeof energy, DSE_DIMENSION_ENERGY, estimate->metrics[DSE_METRIC_ENERGY]));
    if (*dse_caps_words(p->bench->boards[0], &estimate->config.value[p->bench->family->clock_knob], 1, cap) != '\0')
        snprintf(note + strlen(note), sizeof note - strlen(note), "; %s", cap);
    return dse_plot_keep(chart, note);
}

/* Stacks a part on a bar's height in `heights`, and raises it. */
static void stack(struct dse_chart_series *series, size_t bar, double part, double *heights)
{
    dse_chart_put(series, (struct dse_chart_point){(double)bar, heights[bar] + part, heights[bar], NAN, .name = NULL});
    heights[bar] += part;
}

/* Cycles of an engine over all stages: busy, fill and drain, waiting for memory. */
static void cycles_of(const struct dse_plotting *p, const struct dse_estimate *estimate, size_t engine, double parts[3])
{
    const struct dse_engine_estimate *e = &estimate->engines[engine];
    double total = e->latency_s * 1e15 / (double)estimate->platform.fs_per_cycle * (double)estimate->platform.parts;
    parts[1] = (double)e->sums.fill_cycles[DSE_CASE_MEAN][DSE_STAGE_APART];
    for (size_t s = 0; s < p->bench->family->stage_count; s++)
        parts[1] += (double)e->sums.fill_cycles[DSE_CASE_MEAN][s];
    parts[1] = fmin((double)e->cycles, parts[1] * (double)estimate->platform.parts);
    parts[0] = (double)e->cycles - parts[1];
    parts[2] = fmax(0, total - (double)e->cycles);
}

static void stack_cycles(const struct dse_plotting *p, const struct dse_estimate *estimate, const size_t *places, size_t count, struct dse_chart *chart)
{
    static const char *const names[] = {"busy", "pipeline fill and drain", "waiting for memory"};
    double heights[DSE_ENGINE_MAX] = {0}, parts[3];
    for (int part = 0; part < 3; part++) {
        struct dse_chart_series *series = dse_chart_add(chart, (struct dse_chart_series){.name = names[part], .kind = DSE_CHART_BARS, .colour = part});
        for (size_t i = 0; i < count; i++) {
            cycles_of(p, estimate, places[i], parts);
            stack(series, i, parts[part], heights);
        }
    }
}

/* Dynamic energy by engine, then static energy and external memory. */
static void stack_energy(const struct dse_estimate *estimate, const size_t *places, size_t count, struct dse_chart *chart)
{
    double heights[DSE_ENGINE_MAX + 1] = {0}, engines = 0;
    struct dse_chart_series *series = dse_chart_add(chart, (struct dse_chart_series){.name = "dynamic", .kind = DSE_CHART_BARS});
    for (size_t i = 0; i < count; i++) {
        stack(series, i, estimate->engines[places[i]].energy_j, heights);
        engines += estimate->engines[places[i]].energy_j;
    }
    double memory = fmax(0, estimate->metrics[DSE_METRIC_DRAM_ENERGY]), rest = estimate->metrics[DSE_METRIC_ENERGY] - engines;
    series = dse_chart_add(chart, (struct dse_chart_series){.name = "static power and clock", .kind = DSE_CHART_BARS, .colour = 1});
    stack(series, count, fmax(0, rest - (isfinite(memory) ? fmin(memory, rest) : 0)), heights);
    if (!(isfinite(memory) && memory > 0 && memory <= rest))
        return;
    series = dse_chart_add(chart, (struct dse_chart_series){.name = "external memory", .kind = DSE_CHART_BARS, .colour = 2});
    stack(series, count, memory, heights);
}

/* Shares of each resource's limit, stacked by engine. */
static void stack_resources(const struct dse_plotting *p, const struct dse_estimate *estimate, const size_t *places, size_t count, struct dse_chart *chart)
{
    int64_t limits[DSE_RESOURCE_COUNT];
    double heights[DSE_RESOURCE_COUNT] = {0};
    dse_board_limits(p->bench->boards[0], p->bench->headroom, limits);
    for (size_t i = 0; i < count; i++) {
        struct dse_chart_series *series = dse_chart_add(chart, (struct dse_chart_series){.name = chart[-1].x.categories[i], .kind = DSE_CHART_BARS, .colour = (int)i});
        for (size_t r = 0; r < DSE_RESOURCE_COUNT; r++)
            stack(series, r, limits[r] > 0 ? (double)estimate->engines[places[i]].sums.resources[r] / (double)limits[r] : 0, heights);
    }
}

enum dse_status dse_plot_engines(struct dse_plotting *p)
{
    static const struct {
        const char *title, *y, *key;
        enum dse_dimension dimension;
    } charts[] = {{"mean cycles by engine", "cycles", "cycles", DSE_DIMENSION_NONE}, {"mean energy by engine", "energy", "energy_j", DSE_DIMENSION_ENERGY},
                  {"resources by engine", "share of what a kernel may use", "share", DSE_DIMENSION_NONE}};
    const struct dse_model_family *family = p->bench->family;
    struct dse_chart *all = p->out->charts;
    size_t *places = dse_arena_alloc(&all->arena, family->engine_count, sizeof *places);
    const char **names = dse_arena_alloc(&all->arena, family->engine_count + 1, sizeof *names);
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *estimate);
    struct dse_setup setup;
    char title[256];
    DSE_TRY(dse_workbench_setup(p->bench, 0, p->profile, &p->base, &setup, p->err));
    DSE_TRY(dse_estimate_built(&setup, &p->base, estimate, p->err));
    size_t count = engines_of(family, estimate, places);
    for (size_t i = 0; i < count; i++)
        names[i] = family->engines[places[i]].name;
    names[count] = "rest";
    for (size_t c = 0; c < sizeof charts / sizeof *charts; c++) {
        snprintf(title, sizeof title, "%s on %s: %s", p->profile->dataset, p->bench->boards[0]->name, charts[c].title);
        all[c].title = dse_plot_keep(&all[c], title);
        all[c].note = c == 0 ? engines_note(p, estimate, &all[c]) : "";
        all[c].x = (struct dse_chart_axis){.title = c < 2 ? "engine" : "resource", .key = c < 2 ? "engine" : "resource", .categories = c < 2 ? names : dse_resource_names,
                                           .category_count = c == 0 ? count : c == 1 ? count + 1 : DSE_RESOURCE_COUNT, .least = NAN, .most = NAN};
        all[c].y = (struct dse_chart_axis){.title = c == 2 ? charts[c].y : dse_plot_amount(p, charts[c].y, c == 0 ? DSE_METRIC_CYCLES : DSE_METRIC_ENERGY, &all[c]),
                                           .key = charts[c].key, .dimension = charts[c].dimension, .whole = c == 0, .share = c == 2,
                                           .logarithmic = -1, .least = NAN, .most = NAN};
    }
    stack_cycles(p, estimate, places, count, &all[0]);
    stack_energy(estimate, places, count, &all[1]);
    stack_resources(p, estimate, places, count, &all[2]);
    return DSE_OK;
}

/* ---- rows: the waterfall and the importance ---- */

struct row {
    char name[128];
    double value, low, high;
    bool is_total;
};

static int by_value(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value) - (x->value > y->value) : strcmp(x->name, y->name);
}

static char *factor_text(double value, char text[32])
{
    if (value >= 1000)
        return dse_count_format(text, 32, llround(value));
    snprintf(text, 32, "%.3g", value);
    return text;
}

/* Sorts by the magnitude of the change, in either direction. */
static int by_change(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    double dx = fabs(log(x->value)), dy = fabs(log(y->value));
    return dx != dy ? (dx < dy) - (dx > dy) : strcmp(x->name, y->name);
}

/* A chart of rows, the first on top, each from its low to its high end, with its value beside it. */
static void draw_rows(struct dse_chart *chart, const struct row *rows, size_t count, bool percent)
{
    const char **names = dse_arena_alloc(&chart->arena, count + 1, sizeof *names);
    static const char *const words[] = {"better", "worse", NULL};
    for (size_t i = 0; i < count; i++)
        names[count - 1 - i] = dse_plot_keep(chart, rows[i].name);
    chart->y = (struct dse_chart_axis){.title = "", .key = "knob", .categories = names, .category_count = count, .least = NAN, .most = NAN};
    bool both = false;
    for (size_t i = 0; i < count; i++)
        both |= rows[i].value < 1 && chart->x.logarithmic > 0;
    for (int kind = 0; kind < 3; kind++) {
        struct dse_chart_series *series = dse_chart_add(chart, (struct dse_chart_series){.name = both ? words[kind] : NULL, .kind = DSE_CHART_SPANS,
                                                                                        .colour = kind == 2 ? 6 : kind, .tinted = true});
        for (size_t i = 0; i < count; i++) {
            char text[48], number[32];
            int of = rows[i].is_total ? 2 : chart->x.logarithmic > 0 && rows[i].value < 1;
            if (percent)
                snprintf(text, sizeof text, "%.1f %%", 100 * rows[i].value);
            else
                snprintf(text, sizeof text, "%s\u00d7", factor_text(rows[i].value, number));
            if (of == kind)
                dse_chart_put(series, (struct dse_chart_point){rows[i].high, (double)(count - 1 - i), fmin(rows[i].low, rows[i].high), fmax(rows[i].low, rows[i].high),
                                                               .name = dse_plot_keep(chart, text)});
        }
    }
}

/* Finds the metric of --y; default latency. */
static enum dse_status find_metric(struct dse_plotting *p, struct dse_plot_quantity *out)
{
    DSE_TRY(dse_plot_find(p, "--y", p->question->y != NULL ? p->question->y : "latency", out));
    if (out->knob || (dse_plot_is_quality(out) && strcmp(p->question->what, "waterfall") == 0))
        return dse_fail(p->err, DSE_BAD_USAGE, "plot %s --y %s: must be a metric of the cost models", p->question->what, out->name);
    return DSE_OK;
}

/* ---- the waterfall ---- */

#define STEPS_MOST 16 /* differing knobs: up to 2^16 intermediate designs */
#define ORDERS 1000

struct steps {
    struct dse_plotting *p;
    struct dse_plot_quantity metric;
    struct dse_config from, to;
    dse_knob_set knobs[STEPS_MOST]; /* per step: one knob, or all algorithmic ones, whose settings are measured together */
    size_t count;
    double *values; /* log of the metric by the set of changed knobs; NaN: infeasible; infinity: not evaluated yet */
    double shares[STEPS_MOST];
    bool pending, together; /* some step alone was infeasible; the algorithmic knobs form one step */
};

static enum dse_status value_of(struct steps *s, size_t set, double *out)
{
    if (isinf(s->values[set])) {
        struct dse_plot_sample sample = {.config = s->from};
        for (int m = 0; m < DSE_METRIC_COUNT; m++)
            sample.metrics[m] = NAN;
        for (size_t k = 0; k < s->count; k++)
            for (size_t knob = 0; (set >> k & 1) != 0 && knob < s->p->bench->space->count; knob++)
                if (dse_bits_has(s->knobs[k], knob))
                    sample.config.value[knob] = s->to.value[knob];
        dse_config_canonical(s->p->bench->space, &sample.config);
        DSE_TRY(dse_plot_evaluate(s->p, &sample));
        s->values[set] = log(sample.metrics[s->metric.index]);
    }
    *out = s->values[set];
    return DSE_OK;
}

/* Changes the knobs one by one, forwards or backwards, and charges each with its change. Infeasible steps are combined with the next feasible one and share the change. */
static enum dse_status walk(struct steps *s, const int32_t *order, bool backwards)
{
    double before, after;
    size_t set = 0, waiting[STEPS_MOST], count = 0;
    DSE_TRY(value_of(s, 0, &before));
    for (size_t i = 0; i < s->count; i++) {
        size_t k = (size_t)order[backwards ? s->count - 1 - i : i];
        set |= (size_t)1 << k;
        waiting[count++] = k;
        DSE_TRY(value_of(s, set, &after));
        s->pending |= isnan(after);
        if (isnan(after))
            continue;
        for (size_t w = 0; w < count; w++)
            s->shares[waiting[w]] += (before - after) / (double)count;
        before = after;
        count = 0;
    }
    return DSE_OK;
}

static enum dse_status share_out(struct steps *s)
{
    struct dse_rng rng;
    int32_t order[STEPS_MOST];
    double ends[2];
    size_t all = (size_t)1 << s->count;
    for (size_t i = 0; i < all; i++)
        s->values[i] = INFINITY;
    for (int end = 0; end < 2; end++) {
        DSE_TRY(value_of(s, end == 0 ? 0 : all - 1, &ends[end]));
        if (!isfinite(ends[end]))
            return dse_fail(s->p->err, DSE_BAD_INPUT, "plot waterfall: the models have no %s of the %s on this board", s->metric.name, end == 0 ? "baseline" : "design");
    }
    dse_rng_seed(&rng, 1, 0);
    for (size_t i = 0; i < ORDERS / 2; i++) { /* an order and its reverse: their errors cancel */
        for (size_t k = 0; k < s->count; k++)
            order[k] = (int32_t)k;
        dse_rng_shuffle(&rng, order, s->count);
        DSE_TRY(walk(s, order, false));
        DSE_TRY(walk(s, order, true));
    }
    for (size_t k = 0; k < s->count; k++)
        s->shares[k] /= ORDERS;
    return DSE_OK;
}

/* "nee.lanes 16→512"; for several knobs the parts of their names after the dot. */
static void name_step(const struct steps *s, size_t step, char *name, size_t size)
{
    const struct dse_space *space = s->p->bench->space;
    size_t first = 0, length = 0;
    char from[64], to[64];
    while (!dse_bits_has(s->knobs[step], first))
        first++;
    if (!dse_bits_equal(s->knobs[step], dse_bits_one(first))) {
        snprintf(name, size, "algorithmic setting");
        return;
    }
    bool was = dse_knob_active(space, &s->from, first), is = dse_knob_active(space, &s->to, first);
    length = (size_t)snprintf(name, size, "%s %s", space->knobs[first].name, was ? dse_knob_format(&space->knobs[first], s->from.value[first], from, sizeof from) : "\u2013");
    snprintf(name + length, size - length, "\u2192%s", is ? dse_knob_format(&space->knobs[first], s->to.value[first], to, sizeof to) : "\u2013");
}

/* Makes one step per differing knob; `together`: the algorithmic ones form one step. */
static enum dse_status find_steps(struct steps *s, bool together)
{
    struct dse_plotting *p = s->p;
    dse_knob_set algorithmic = dse_space_of_kind(p->bench->space, DSE_KNOB_ALGORITHMIC), joined = {{0}};
    DSE_TRY(dse_question_baseline(p->bench->family, p->bench->space, p->bench->boards[0], &p->profile->preset, &s->from, NULL, p->err));
    s->to = p->base;
    s->count = 0;
    s->pending = false;
    s->together = together;
    memset(s->shares, 0, sizeof s->shares);
    for (size_t k = 0; k < p->bench->space->count; k++) {
        if (s->from.value[k] == s->to.value[k])
            continue;
        if (together && dse_bits_has(algorithmic, k))
            dse_bits_add(&joined, k);
        else if (s->count + 1 < STEPS_MOST)
            s->knobs[s->count++] = dse_bits_one(k);
        else
            return dse_fail(p->err, DSE_LIMIT, "plot waterfall: the design differs from the baseline in more than %d knobs", STEPS_MOST - 1);
    }
    if (dse_bits_any(joined))
        s->knobs[s->count++] = joined;
    if (s->count == 0)
        return dse_fail(p->err, DSE_BAD_USAGE, "plot waterfall: the design is the baseline; --from STUDY:POINT or --set KNOB=VALUE names another");
    return DSE_OK;
}

/* Joins the smallest steps into one row, to make room; returns the number of rows. */
static size_t join_least(struct row *rows, size_t count)
{
    enum { MOST = 8 };
    double rest = 1;
    if (count <= MOST)
        return count;
    for (size_t i = MOST - 1; i < count; i++)
        rest *= rows[i].value;
    snprintf(rows[MOST - 1].name, sizeof rows->name, "%zu others", count - MOST + 1);
    rows[MOST - 1].value = rest;
    return MOST;
}

enum dse_status dse_plot_waterfall(struct dse_plotting *p)
{
    struct dse_chart *chart = &p->out->charts[0];
    struct steps s = {.p = p};
    struct row rows[STEPS_MOST + 1] = {0};
    double at = 1;
    char text[256];
    DSE_TRY(find_metric(p, &s.metric));
    s.values = dse_arena_alloc(&chart->arena, (size_t)1 << STEPS_MOST, sizeof *s.values);
    for (int together = 0; together < 2 && (together == 0 || s.pending); together++) {
        DSE_TRY(find_steps(&s, together));
        DSE_TRY(share_out(&s));
    }
    struct dse_chart_axis axis = dse_plot_axis(p, &s.metric, chart);
    double sign = axis.better > 0 ? -1 : 1;
    for (size_t k = 0; k < s.count; k++) {
        name_step(&s, k, rows[k].name, sizeof rows[k].name);
        rows[k].value = exp(sign * s.shares[k]);
    }
    qsort(rows, s.count, sizeof *rows, by_change);
    size_t count = join_least(rows, s.count);
    for (size_t k = 0; k < count; k++) {
        rows[k].low = at;
        rows[k].high = at *= rows[k].value;
    }
    rows[count] = (struct row){"all together", at, 1, at, .is_total = true};
    bool time = strcmp(s.metric.name, "latency") == 0;
    snprintf(text, sizeof text, "%s on %s: %s of the design over the baseline (modelled), knob by knob", p->profile->dataset, p->bench->boards[0]->name, time ? "speed-up" : axis.title);
    chart->title = dse_plot_keep(chart, text);
    snprintf(text, sizeof text, "Shapley values of the logarithm, %d random orders%s%s", ORDERS, s.together ? "; algorithmic knobs are measured together" : "",
             s.pending ? "; knobs that only change together share equally" : "");
    chart->note = dse_plot_keep(chart, text);
    snprintf(text, sizeof text, "%s over the baseline (modelled), factor", time ? "speed-up" : axis.title);
    chart->x = (struct dse_chart_axis){.title = dse_plot_keep(chart, text), .key = "factor", .logarithmic = 1, .least = fmin(1, at) * 0.999, .most = NAN};
    draw_rows(chart, rows, count + 1, false);
    return DSE_OK;
}

/* ---- the importance ---- */

#define DRAWS 4000
#define ROWS_MOST 9

struct valued {
    int64_t value; /* value of a knob */
    double y;
};

static int by_knob(const void *a, const void *b)
{
    const struct valued *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Sum of squares between the knob's values, over designs to which the knob applies, minus its expectation for equally many random groups (the
 * estimator of omega squared; Hays, 1963). */
static double explained(struct valued *all, size_t count)
{
    double mean = 0, between = 0, within = 0;
    size_t groups = 0;
    qsort(all, count, sizeof *all, by_knob);
    for (size_t i = 0; i < count; i++)
        mean += all[i].y / (double)count;
    for (size_t i = 0, end; i < count; i = end, groups++) {
        double own = 0;
        for (end = i; end < count && all[end].value == all[i].value; end++)
            own += all[end].y;
        own /= (double)(end - i);
        between += (double)(end - i) * (own - mean) * (own - mean);
        for (size_t j = i; j < end; j++)
            within += (all[j].y - own) * (all[j].y - own);
    }
    return groups < 2 || groups == count ? 0 : fmax(0, between - (double)(groups - 1) * within / (double)(count - groups));
}

/* Draws designs of the space: each knob independently at a value that a sweep visits, the setting at a measured one if there is any. */
static enum dse_status draw_designs(struct dse_plotting *p)
{
    struct dse_rng rng;
    dse_knob_set algorithmic = dse_space_of_kind(p->bench->space, DSE_KNOB_ALGORITHMIC);
    dse_rng_seed(&rng, 1, 0);
    for (size_t i = 0; i < DRAWS; i++) {
        struct dse_config config = p->base;
        if (p->profile->quality_count > 0)
            DSE_TRY(dse_config_apply(p->bench->space, &config, &p->profile->qualities[dse_rng_below(&rng, p->profile->quality_count)].setting, p->err));
        for (size_t k = 0; k < p->bench->space->count; k++) {
            const struct dse_knob *knob = &p->bench->space->knobs[k];
            if (!dse_bits_has(algorithmic, k) && knob->domain_count > 0)
                config.value[k] = knob->domain[dse_rng_below(&rng, knob->domain_count)];
        }
        dse_config_canonical(p->bench->space, &config);
        DSE_TRY(dse_plot_evaluate(p, dse_plot_add_sample(p, &config)));
    }
    return DSE_OK;
}

/* The explained value: the metric's logarithm, or a quality unchanged; NaN if the design has none. */
static double explained_of(const struct dse_plotting *p, const struct dse_plot_quantity *metric, size_t sample)
{
    double y = dse_plot_value(p, metric, &p->samples[sample]);
    return dse_plot_is_quality(metric) ? y : y > 0 ? log(y) : NAN;
}

/* Rows of the knobs with explained variance; `count` receives the number of designs with the metric. */
static size_t rank_knobs(const struct dse_plotting *p, const struct dse_plot_quantity *metric, struct row *rows, size_t *count)
{
    struct valued *all DSE_CLEANUP(dse_free_at) = dse_calloc(p->count + 1, sizeof *all);
    size_t number = 0;
    double mean = 0, total = 0;
    *count = 0;
    for (size_t i = 0; i < p->count; i++) { /* Welford, 1962 */
        double y = explained_of(p, metric, i), off = y - mean;
        if (isfinite(y)) {
            mean += off / (double)++*count;
            total += off * (y - mean);
        }
    }
    for (size_t k = 0; k < p->bench->space->count; k++) {
        size_t found = 0;
        for (size_t i = 0; i < p->count; i++)
            if (isfinite(explained_of(p, metric, i)) && dse_knob_active(p->bench->space, &p->samples[i].config, k))
                all[found++] = (struct valued){p->samples[i].config.value[k], explained_of(p, metric, i)};
        double share = total > 0 ? explained(all, found) / total : 0;
        if (share < 0.0005)
            continue;
        snprintf(rows[number].name, sizeof rows[number].name, "%s", p->bench->space->knobs[k].name);
        rows[number].value = rows[number].high = share;
        rows[number++].low = 0;
    }
    qsort(rows, number, sizeof *rows, by_value);
    return number;
}

enum dse_status dse_plot_importance(struct dse_plotting *p)
{
    struct dse_chart *chart = &p->out->charts[0];
    struct dse_plot_quantity metric;
    struct row rows[DSE_KNOB_MAX] = {0};
    size_t count = 0;
    char text[256], size[32];
    DSE_TRY(find_metric(p, &metric));
    DSE_TRY(p->study != NULL ? dse_plot_add_stored(p, false) : draw_designs(p));
    size_t number = rank_knobs(p, &metric, rows, &count);
    if (number == 0)
        return dse_fail(p->err, DSE_BAD_INPUT, "plot importance: no knob explains the %s of %zu designs", metric.name, count);
    struct dse_chart_axis axis = dse_plot_axis(p, &metric, chart);
    const char *scale = dse_plot_is_quality(&metric) ? "" : "log ";
    snprintf(text, sizeof text, "%s on %s: variance of %s%s by knob", p->profile->dataset, p->bench->boards[0]->name, scale, axis.title);
    chart->title = dse_plot_keep(chart, text);
    snprintf(text, sizeof text, "%s %s; each knob by itself%s", dse_count_format(size, sizeof size, (long long)count),
             p->study != NULL ? "designs of the study" : "designs drawn at random", p->study != NULL ? ": knobs that vary together share the explained variance" : "; settings are the measured ones, so their knobs vary together");
    chart->note = dse_plot_keep(chart, text);
    snprintf(text, sizeof text, "explained variance of %s%s", scale, axis.title);
    chart->x = (struct dse_chart_axis){.title = dse_plot_keep(chart, text), .key = "explained", .share = true, .logarithmic = -1, .least = 0, .most = NAN};
    draw_rows(chart, rows, number < ROWS_MOST ? number : ROWS_MOST, true);
    return DSE_OK;
}
