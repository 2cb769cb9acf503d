#include "core/memory.h"
#include "core/names.h"
#include "reports/estimate.h"
#include "reports/plot_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum dse_status objective(const struct dse_plotting *p, size_t index, const char *given, struct dse_plot_quantity *out, char *name, size_t size)
{
    const char *objectives = dse_setting_get(dse_study_question(p->study), "objectives");
    for (size_t i = 0; objectives != NULL && i < index; i++)
        objectives = strchr(objectives, ',') != NULL ? strchr(objectives, ',') + 1 : index == 1 ? "energy" : NULL;
    snprintf(name, size, "%.*s", objectives != NULL ? (int)strcspn(objectives, ",") : 7, objectives != NULL ? objectives : "latency");
    for (char *c = name; *c != '\0'; c++)
        if (*c == ' ')
            memmove(c, c + 1, strlen(c));
    return dse_plot_find(p, "--x or --y", given != NULL ? given : name, out);
}

/* Ends of an axis around the front alone, with a margin, if the published design lies beyond them; else NaN. Returns the distance of the
 * published design from these ends, as a multiple of the front's extent on a logarithmic scale; 0 if that is undefined, and for
 * qualities, which lie close and have bars. */
static double front_ends(const struct dse_plotting *p, const struct dse_plot_quantity *q, double ends[2])
{
    double least = INFINITY, most = -INFINITY, paper = dse_plot_value(p, q, &p->paper);
    ends[0] = ends[1] = NAN;
    for (size_t i = 0; i < p->count; i++) {
        const struct dse_plot_sample *s = &p->samples[i];
        double value = dse_plot_value(p, q, s), low = q->knob || isnan(s->low[q->index]) ? value : s->low[q->index];
        double high = q->knob || isnan(s->high[q->index]) ? value : s->high[q->index];
        least = isfinite(value) ? fmin(least, low) : least;
        most = isfinite(value) ? fmax(most, high) : most;
    }
    if (dse_plot_is_quality(q) || !(least > 0) || !(paper > 0) || !(most > least) || (least <= paper && paper <= most))
        return 0.0;
    double extent = log(most / least), room = exp(0.08 * extent);
    ends[paper > most] = paper > most ? most * room : least / room;
    return (paper > most ? log(paper / most) : log(least / paper)) / extent;
}

/* Breaks the axes if the published design is so far away that the front would shrink into a corner, unless the request gives their
 * range. */
static void break_axes(const struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y, struct dse_chart *chart)
{
    const double far = p->question->bands ? 2 : 4; /* multiple of the front's extent, which error bars enlarge */
    if (!p->has_paper || p->question->ranged || !dse_plot_is_drawn(p, x, y, &p->paper))
        return;
    for (int a = 0; a < 2; a++) {
        struct dse_chart_axis *axis = a == 0 ? &chart->x : &chart->y;
        double ends[2];
        axis->broken = front_ends(p, a == 0 ? x : y, ends) >= far;
        if (!axis->broken)
            continue;
        axis->least = ends[0];
        axis->most = ends[1];
        axis->far = dse_plot_value(p, a == 0 ? x : y, &p->paper);
    }
}

static enum dse_status plot_front(struct dse_plotting *p)
{
    struct dse_chart *chart = &p->out->charts[0];
    struct dse_plot_quantity x, y, by;
    char names[2][64], title[256], size[32];
    DSE_TRY(dse_plot_add_stored(p, true));
    DSE_TRY(objective(p, 0, p->question->x, &x, names[0], sizeof names[0]));
    DSE_TRY(objective(p, 1, p->question->y, &y, names[1], sizeof names[1]));
    if (p->question->by != NULL)
        DSE_TRY(dse_plot_find(p, "--by", p->question->by, &by));
    x.name = dse_plot_keep(chart, x.name);
    y.name = dse_plot_keep(chart, y.name);
    DSE_TRY(dse_plot_name_corners(p));
    chart->x = dse_plot_axis(p, &x, chart);
    chart->y = dse_plot_axis(p, &y, chart);
    snprintf(title, sizeof title, "%s on %s: front of %s designs, %s", p->exploration->dataset, p->exploration->board,
             dse_count_format(size, sizeof size, (long long)p->count), p->exploration->proven ? "proven" : "not proven");
    chart->title = dse_plot_keep(chart, title);
    chart->note = "";
    if (p->question->bands)
        DSE_TRY(dse_plot_add_bands(p, &x, &y));
    dse_plot_note(p, &x, &y, chart);
    dse_plot_add_majority(p, &x, &y, chart);
    if (chart->x.better != 0 && chart->y.better != 0)
        dse_plot_add_stairs(p, &x, &y, chart);
    dse_plot_add_series(p, &x, &y, p->question->by != NULL ? &by : NULL, DSE_CHART_POINTS, chart);
    break_axes(p, &x, &y, chart);
    if (!p->has_paper)
        return DSE_OK;
    const char *published[2] = {NULL}, *modelled[2] = {NULL};
    for (int a = 0; a < 2; a++) {
        const struct dse_plot_quantity *q = a == 0 ? &x : &y;
        if (!q->knob && !dse_plot_is_quality(q))
            *(p->paper.published[q->index] ? &published[a] : &modelled[a]) = q->name;
    }
    const char *one = published[0] != NULL ? published[0] : published[1], *other = modelled[0] != NULL ? modelled[0] : modelled[1];
    if (one != NULL && other != NULL)
        snprintf(title, sizeof title, "baseline (%s published; %s modelled)", one, other);
    else
        snprintf(title, sizeof title, "baseline%s", one != NULL ? " (published)" : other != NULL ? " (modelled)" : "");
    p->paper.name = dse_plot_keep(chart, title);
    struct dse_chart_series *paper = dse_chart_add(chart, (struct dse_chart_series){.kind = DSE_CHART_POINTS, .colour = -1});
    dse_plot_put(p, &x, &y, &p->paper, paper);
    return DSE_OK;
}

static enum dse_status plot_quantity(struct dse_plotting *p)
{
    static const char *const others[] = {"front", "engines", "waterfall", "importance", "timeline", "quality", "error"};
    struct dse_chart *chart = &p->out->charts[0];
    struct dse_plot_quantity x, y, by;
    char title[256];
    const struct dse_plot_quantity *beside = p->question->by != NULL ? &by : NULL;
    enum dse_status status = dse_plot_find(p, "plot", p->question->what, &y);
    const char *near = status == DSE_BAD_USAGE ? dse_names_nearest(p->question->what, others, sizeof others / sizeof *others) : NULL;
    if (near != NULL)
        return dse_fail(p->err, DSE_BAD_USAGE, "plot %s: did you mean %s?", p->question->what, near);
    DSE_TRY(status);
    if (p->question->x == NULL)
        return dse_fail(p->err, DSE_BAD_USAGE, "plot %s: needs --x KNOB|METRIC", p->question->what);
    DSE_TRY(dse_plot_find_values(p, "--x", p->question->x, &x));
    if (beside != NULL)
        DSE_TRY(dse_plot_find_values(p, "--by", p->question->by, &by));
    if (p->question->simulate != NULL)
        DSE_TRY(dse_plot_check_simulated(p, &y, &x, beside));
    bool measured = dse_plot_is_quality(&y) || !x.knob || (beside != NULL && !by.knob);
    DSE_TRY(p->study != NULL ? dse_plot_add_stored(p, false) : measured ? dse_plot_add_measured(p, &x, beside) : dse_plot_add_varied(p, &x, beside));
    if (p->study != NULL)
        snprintf(p->settled, sizeof p->settled, "the study's designs");
    dse_plot_keep_named(p, &x, beside);
    chart->x = dse_plot_axis(p, &x, chart);
    chart->y = dse_plot_axis(p, &y, chart);
    snprintf(title, sizeof title, "%s on %s: %s over %s", p->profile->dataset, p->bench->boards[0]->name, chart->y.title, x.name);
    chart->title = dse_plot_keep(chart, title);
    dse_plot_note(p, &x, &y, chart);
    dse_plot_add_majority(p, &x, &y, chart);
    const struct dse_knob *knob = dse_plot_knob(p, &x);
    bool lines = p->study == NULL && knob != NULL && knob->type != DSE_KNOB_CHOICE && strncmp(p->settled, "every", 5) != 0;
    dse_plot_add_series(p, &x, &y, beside, lines ? DSE_CHART_LINE : DSE_CHART_POINTS, chart);
    return DSE_OK;
}

/* Pictures by name; other words name a y quantity. */
static const struct picture {
    const char *name;
    enum dse_status (*make)(struct dse_plotting *p);
    size_t charts;
} pictures[] = {{"front", plot_front, 1}, {"engines", dse_plot_engines, 3}, {"waterfall", dse_plot_waterfall, 1}, {"importance", dse_plot_importance, 1}};

static const struct picture *picture_of(const char *what)
{
    static const struct picture quantity = {"", plot_quantity, 1};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (strcmp(pictures[i].name, what) == 0)
            return &pictures[i];
    return &quantity;
}

/* The design that a picture starts from: as in `estimate`; for simulated values as in `simulate`. */
static enum dse_status find_base(struct dse_plotting *p, const struct dse_request *request)
{
    struct dse_meant meant;
    if (p->question->simulate != NULL) {
        dse_meant_of_model(request, p->bench->family, p->origin);
        return dse_workbench_config(request, p->bench, 0, p->profile, &p->base, p->err);
    }
    DSE_TRY(dse_meant_find(request, p->bench, 0, "set", &meant, p->err));
    p->base = meant.config;
    memcpy(p->origin, meant.origin, sizeof p->origin);
    return DSE_OK;
}

static enum dse_status make(struct dse_plotting *p, struct dse_request *own)
{
    const struct dse_plot_question *question = p->question;
    const struct picture *picture = picture_of(question->what);
    bool front = picture->make == plot_front;
    if (front && question->study == NULL)
        return dse_fail(p->err, DSE_BAD_USAGE, "plot front: needs --study FILE.db, which `sweep --study` writes");
    if (question->bands && !front)
        return dse_fail(p->err, DSE_BAD_USAGE, "--bands: only `plot front` has it");
    DSE_TRY(question->study != NULL ? dse_plot_open_study(p, own) : dse_workbench_open(question->request, p->bench, p->err));
    if (p->study == NULL && (p->bench->board_count > 1 || p->bench->profile_count > 1))
        return dse_fail(p->err, DSE_BAD_USAGE, "plot: takes one board and one data set");
    p->profile = p->bench->profiles[0];
    DSE_TRY(find_base(p, p->study != NULL ? own : question->request));
    return picture->make(p);
}

enum dse_status dse_plot_make(const struct dse_plot_question *question, struct dse_plot *out, struct dse_error *err)
{
    struct dse_plotting p = {.question = question, .out = out, .bench = &out->bench, .err = err};
    struct dse_request own DSE_CLEANUP(dse_request_free) = {0};
    *out = (struct dse_plot){.charts = dse_calloc(DSE_PLOT_CHARTS_MOST, sizeof *out->charts), .count = picture_of(question->what)->charts};
    enum dse_status status = make(&p, &own);
    dse_study_close(p.study);
    free(p.samples);
    return status;
}

/* Adds the front of one exploration, if it has one. */
static enum dse_status add_front(const char *path, struct dse_study *study, size_t index, int64_t choose, struct dse_plot *plots, size_t *drawn,
                                 struct dse_error *err)
{
    struct dse_study_point *points = NULL;
    struct dse_request request DSE_CLEANUP(dse_request_free);
    size_t found = 0;
    struct dse_plot_question question = {.request = &request, .what = "front", .study = path, .choose = choose, .exploration = index + 1};
    dse_request_init(&request);
    DSE_TRY(dse_study_points(study, index, true, &points, &found, err));
    dse_study_points_free(points, found);
    request.family = dse_study_family(study);
    return found > 0 ? dse_plot_make(&question, &plots[(*drawn)++], err) : DSE_OK;
}

enum dse_status dse_plot_fronts(const char *path, int64_t choose, const char *output, struct dse_error *err)
{
    struct dse_study *study = NULL;
    DSE_TRY(dse_study_open(path, &study, err));
    size_t count = dse_study_exploration_count(study), drawn = 0;
    struct dse_plot *plots = dse_calloc(count + 1, sizeof *plots);
    struct dse_chart *charts DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *charts);
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < count && status == DSE_OK; i++)
        status = add_front(path, study, i, choose, plots, &drawn, err);
    for (size_t i = 0; i < drawn; i++)
        charts[i] = plots[i].charts[0];
    if (status == DSE_OK)
        status = dse_charts_draw(charts, drawn, &DSE_CHART_STYLE, output, err);
    for (size_t i = 0; i < drawn; i++)
        dse_plot_free(&plots[i]);
    free(plots);
    dse_study_close(study);
    return status;
}

enum dse_status dse_plot_timeline(const struct dse_simulation *simulation, size_t item, const char *title, struct dse_plot *out,
                                  struct dse_error *err)
{
    *out = (struct dse_plot){.charts = dse_calloc(DSE_PLOT_CHARTS_MOST, sizeof *out->charts), .count = 1};
    if (item >= simulation->items)
        return dse_fail(err, DSE_BAD_USAGE, "--item %zu: the simulation ran %zu, from 0", item, simulation->items);
    struct dse_chart *chart = &out->charts[0];
    size_t rows = simulation->engine_count + 1;
    const char **names = dse_arena_alloc(&chart->arena, rows, sizeof *names);
    for (size_t e = 0; e < simulation->engine_count; e++)
        names[rows - 2 - e] = dse_plot_keep(chart, simulation->engines[e].name);
    names[rows - 1] = "stages";
    chart->title = dse_plot_keep(chart, title);
    chart->note = "each engine's work from the start of its first stage; engines of a stage overlap";
    chart->x = (struct dse_chart_axis){.title = "cycles", .key = "cycle", .whole = true, .logarithmic = -1, .least = NAN, .most = NAN};
    chart->y = (struct dse_chart_axis){.title = "engine", .key = "engine", .categories = names, .category_count = rows, .least = NAN, .most = NAN};
    double begin = 0;
    for (size_t s = 0; s < simulation->stage_count; s++) {
        double cycles = (double)simulation->stages[s].cycles[item];
        const char *stage = dse_plot_keep(chart, simulation->stages[s].name);
        struct dse_chart_series *series = dse_chart_add(chart, (struct dse_chart_series){.name = stage, .kind = DSE_CHART_SPANS, .colour = (int)s});
        dse_chart_put(series, (struct dse_chart_point){begin, (double)(rows - 1), begin, begin + cycles, .name = stage});
        for (size_t e = 0; e < simulation->engine_count; e++)
            if (strcmp(simulation->engines[e].stage, simulation->stages[s].name) == 0)
                dse_chart_put(series, (struct dse_chart_point){begin, (double)(rows - 2 - e), begin,
                                                               begin + (double)simulation->engines[e].cycles[item], .name = names[rows - 2 - e]});
        begin += cycles;
    }
    return DSE_OK;
}

void dse_plot_free(struct dse_plot *plot)
{
    for (size_t i = 0; plot->charts != NULL && i < DSE_PLOT_CHARTS_MOST; i++)
        dse_chart_free(&plot->charts[i]);
    free(plot->charts);
    dse_workbench_close(&plot->bench);
    *plot = (struct dse_plot){0};
}
