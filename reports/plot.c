#include "reports/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "explore/corners.h"
#include "explore/point.h"
#include "search/profiled.h"
#include "search/study.h"

#define SERIES_MOST 8 /* that colours and shapes tell apart */
#define RAMP_STEPS 5
#define KNOB_VALUES_MOST 64

/* A metric or a knob. */
struct quantity {
    const char *name;
    bool knob, error;
    size_t index; /* of the knob, or the metric */
    int64_t values[KNOB_VALUES_MOST]; /* value_count: to draw in place of the knob's domain; none: the domain */
    size_t value_count;
};

/* A design, and what is known of it. */
struct sample {
    int64_t id;
    struct dse_config config;
    double metrics[DSE_METRIC_COUNT];
    const struct dse_quality *quality;
    const char *name; /* NULL: none */
};

struct plotting {
    const struct dse_plot_question *question;
    struct dse_plot *out;
    struct dse_workbench *bench;
    const struct dse_profile *profile;
    struct dse_config base;
    struct sample *samples; /* count */
    size_t count;
    struct sample paper;
    bool has_paper;
    struct dse_study *study;
    const struct dse_study_exploration *exploration; /* the study's at-th */
    size_t at;
    char settled[128]; /* which settings are drawn, in words */
    struct dse_error *err;
};

/* ---- quantities ---- */

static enum dse_status find_quantity(const struct plotting *p, const char *option, const char *name, struct quantity *out)
{
    int metric = dse_metric_find(name), knob = dse_space_find(p->bench->space, name);
    *out = (struct quantity){.name = name, .knob = metric < 0, .error = dse_metric_is_error(name),
                             .index = (size_t)(metric >= 0 ? metric : knob >= 0 ? knob : 0)};
    if (metric >= 0 || knob >= 0)
        return DSE_OK;
    return dse_fail(p->err, DSE_BAD_USAGE, "%s%s: neither a metric nor a knob of the family %s (`sweep --describe` lists its knobs)", option, name,
                    p->bench->family->name);
}

/* "KNOB", or "KNOB=VALUE,VALUE …". */
static enum dse_status find_values(const struct plotting *p, const char *option, const char *text, struct quantity *out)
{
    const char *list = strchr(text, '=');
    char *copy = dse_arena_strdup(&p->out->charts[0].arena, text), *rest = NULL;
    if (copy == NULL)
        return dse_fail_memory(p->err);
    copy[list != NULL ? (size_t)(list - text) : strlen(text)] = '\0';
    DSE_TRY(find_quantity(p, option, copy, out));
    if (list == NULL)
        return DSE_OK;
    if (!out->knob)
        return dse_fail(p->err, DSE_BAD_USAGE, "%s%s: only a knob has values to list", option, text);
    const struct dse_knob *knob = &p->bench->space->knobs[out->index];
    for (char *word = strtok_r(copy + (list - text) + 1, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        if (out->value_count == KNOB_VALUES_MOST)
            return dse_fail(p->err, DSE_BAD_USAGE, "%s%s: at most %d values", option, text, KNOB_VALUES_MOST);
        DSE_TRY(dse_knob_parse(knob, word, &out->values[out->value_count++], p->err));
    }
    return out->value_count > 0 ? DSE_OK : dse_fail(p->err, DSE_BAD_USAGE, "%s%s: names no value", option, text);
}

static bool is_quality(const struct quantity *q)
{
    return !q->knob && q->index == DSE_METRIC_QUALITY;
}

static const struct dse_knob *knob_of(const struct plotting *p, const struct quantity *q)
{
    return q->knob ? &p->bench->space->knobs[q->index] : NULL;
}

/* Where it stands on an axis: a word's place, a number; NaN where the design has none. */
static double value_of(const struct plotting *p, const struct quantity *q, const struct sample *s)
{
    const struct dse_knob *knob = knob_of(p, q);
    if (knob == NULL) {
        double value = is_quality(q) && s->quality != NULL ? s->quality->mean : s->metrics[q->index];
        return q->error ? 1 - value : value;
    }
    if (!dse_knob_active(p->bench->space, &s->config, q->index))
        return NAN;
    char text[64];
    return knob->type == DSE_KNOB_DECIMAL ? strtod(dse_knob_format(knob, s->config.value[q->index], text, sizeof text), NULL)
                                          : (double)s->config.value[q->index];
}

static const char *keep(struct dse_chart *chart, const char *text)
{
    const char *kept = dse_arena_strdup(&chart->arena, text);
    return kept != NULL ? kept : "";
}

static struct dse_chart_axis axis_of(const struct plotting *p, const struct quantity *q, struct dse_chart *chart)
{
    const struct dse_knob *knob = knob_of(p, q);
    struct dse_chart_axis axis = {.title = q->name, .key = q->name, .least = NAN, .most = NAN};
    if (knob == NULL) {
        const struct dse_metric_info *metric = &dse_metrics[q->index];
        bool counts = metric->resource >= 0 || q->index == DSE_METRIC_CYCLES;
        char title[64];
        snprintf(title, sizeof title, "%s", q->error ? "error" : is_quality(q) && p->samples != NULL && p->count > 0 &&
                 p->samples[0].quality != NULL ? p->samples[0].quality->name : metric->heading);
        axis.title = keep(chart, title);
        axis.key = q->error ? "error" : metric->key;
        axis.dimension = metric->dimension;
        axis.whole = counts;
        const struct dse_quality *measured = is_quality(q) && p->count > 0 ? p->samples[0].quality : NULL;
        bool higher = measured != NULL ? measured->higher_is_better : metric->higher_is_better;
        axis.better = q->error || !higher ? -1 : 1;
        axis.logarithmic = is_quality(q) ? -1 : 0;
    } else if (knob->type == DSE_KNOB_CHOICE) {
        axis.categories = knob->choices;
        axis.category_count = knob->choice_count;
    } else {
        axis.whole = knob->type == DSE_KNOB_INTEGER;
        if (knob->unit != NULL && *knob->unit != '\0') {
            char title[128];
            snprintf(title, sizeof title, "%s [%s]", q->name, knob->unit);
            axis.title = keep(chart, title);
        }
    }
    return axis;
}

/* ---- samples ---- */

static enum dse_status add_sample(struct plotting *p, const struct dse_config *config, struct sample **out)
{
    struct sample *room = dse_list_more(&p->samples, &p->count, sizeof *room);
    if (room == NULL)
        return dse_fail_memory(p->err);
    *room = (struct sample){.config = *config};
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        room->metrics[m] = NAN;
    *out = room;
    return DSE_OK;
}

static dse_knob_set hardware_of(const struct plotting *p)
{
    return dse_space_of_kind(p->bench->space, DSE_KNOB_HARDWARE) & ~dse_space_of_kind(p->bench->space, DSE_KNOB_ALGORITHMIC);
}

static enum dse_status simulate(struct plotting *p, struct sample *s)
{
    struct dse_setting knobs = {0};
    enum dse_status status = dse_config_setting(p->bench->space, &s->config, hardware_of(p), &knobs, p->err);
    if (status == DSE_OK)
        status = p->question->simulate(p->question->user, &knobs, s->metrics, p->err);
    dse_setting_free(&knobs);
    return status;
}

/* What a simulation can say: time, over what the model leaves open. */
static enum dse_status check_simulated(const struct plotting *p, const struct quantity *y, const struct quantity *x, const struct quantity *by)
{
    const struct quantity *across[] = {x, by};
    if (y->knob || (y->index != DSE_METRIC_CYCLES && y->index != DSE_METRIC_LATENCY && y->index != DSE_METRIC_LATENCY_P99))
        return dse_fail(p->err, DSE_BAD_USAGE, "plot %s --model: must be cycles, latency or p99, which a simulation counts", p->question->what);
    for (size_t i = 0; i < 2; i++)
        if (across[i] != NULL && (!across[i]->knob || (hardware_of(p) >> across[i]->index & 1) == 0))
            return dse_fail(p->err, DSE_BAD_USAGE, "%s: with --model it must be a hardware knob; the model has decided the others", across[i]->name);
    return DSE_OK;
}

/* The models' answer; what cannot be built, or has no work in the profile, keeps its metrics unknown. */
static enum dse_status evaluate(struct plotting *p, struct sample *s)
{
    struct dse_setup setup;
    struct dse_error unanswered = {0};
    struct dse_estimate *estimate = malloc(sizeof *estimate);
    if (estimate == NULL)
        return dse_fail_memory(p->err);
    enum dse_status status = dse_workbench_setup(p->bench, 0, p->profile, &s->config, &setup, &unanswered);
    if (status == DSE_OK)
        status = dse_estimate_built(&setup, &s->config, estimate, &unanswered);
    if (status == DSE_OK)
        memcpy(s->metrics, estimate->metrics, sizeof s->metrics);
    s->quality = dse_profile_quality_of(p->bench->space, p->profile, &s->config);
    s->metrics[DSE_METRIC_QUALITY] = s->quality != NULL ? s->quality->mean : NAN;
    free(estimate);
    return status == DSE_LIMIT ? dse_fail(p->err, status, "%s", unanswered.message) : DSE_OK;
}

/* The measured settings, as they would run on the base design. */
static enum dse_status add_measured(struct plotting *p, const struct quantity *x, const struct quantity *by)
{
    for (int all = 0; all < 2 && p->count < 2; all++) {
        p->count = 0;
        for (size_t i = 0; i < p->profile->quality_count; i++) {
            struct sample *s;
            struct dse_config config = p->base;
            bool apart = false;
            if (dse_config_apply(p->bench->space, &config, &p->profile->qualities[i].setting, p->err) != DSE_OK)
                return DSE_BAD_INPUT;
            dse_config_canonical(p->bench->space, &config);
            for (size_t k = 0; k < p->bench->space->count; k++)
                apart |= (p->bench->space->knobs[k].kind & DSE_KNOB_ALGORITHMIC) != 0 && config.value[k] != p->base.value[k] &&
                         !(x->knob && k == x->index) && !(by != NULL && by->knob && k == by->index) &&
                         dse_knob_active(p->bench->space, &config, k);
            if (apart && all == 0)
                continue;
            DSE_TRY(add_sample(p, &config, &s));
            DSE_TRY(evaluate(p, s));
            s->quality = &p->profile->qualities[i];
            s->metrics[DSE_METRIC_QUALITY] = s->quality->mean;
        }
        snprintf(p->settled, sizeof p->settled, "%s", all == 0 ? "measured; other knobs as in the preset" : "every measured setting");
    }
    return DSE_OK;
}

static size_t values_of(const struct plotting *p, const struct quantity *q, int64_t values[KNOB_VALUES_MOST])
{
    const struct dse_knob *knob = knob_of(p, q);
    size_t count = q->value_count > 0 ? q->value_count : knob->domain_count < KNOB_VALUES_MOST ? knob->domain_count : KNOB_VALUES_MOST;
    memcpy(values, q->value_count > 0 ? q->values : knob->domain, count * sizeof *values);
    return count;
}

/* The base design with x, and by, at every value of their domains. */
static enum dse_status add_varied(struct plotting *p, const struct quantity *x, const struct quantity *by)
{
    int64_t across[KNOB_VALUES_MOST], beside[KNOB_VALUES_MOST] = {0};
    size_t columns = values_of(p, x, across), rows = by != NULL ? values_of(p, by, beside) : 1;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            struct dse_config config = p->base;
            struct sample *s;
            if (by != NULL)
                config.value[by->index] = beside[r];
            config.value[x->index] = across[c];
            dse_config_canonical(p->bench->space, &config);
            if (config.value[x->index] != across[c] || (by != NULL && config.value[by->index] != beside[r]))
                continue; /* it does not matter there */
            DSE_TRY(add_sample(p, &config, &s));
            DSE_TRY(p->question->simulate != NULL ? simulate(p, s) : evaluate(p, s));
        }
    snprintf(p->settled, sizeof p->settled, "%s; other knobs as in the %s", p->question->simulate != NULL ? "simulated" : "the models' answers", dse_request_word(p->question->request, "from") != NULL
             ? "design of --from" : "paper's design and --set");
    return DSE_OK;
}

/* ---- a study ---- */

static bool is_meant(const struct plotting *p, size_t index)
{
    const struct dse_study_exploration *e = dse_study_exploration_at(p->study, index);
    const char *board = dse_request_word(p->question->request, "board"), *dataset = dse_request_word(p->question->request, "dataset");
    if (p->question->exploration > 0)
        return index + 1 == p->question->exploration;
    return (board == NULL || strcmp(board, e->board) == 0) && (dataset == NULL || strcmp(dataset, e->dataset) == 0);
}

/* The exploration that is meant, and the board and data set of its points as the study holds them. */
static enum dse_status open_study(struct plotting *p, struct dse_request *own)
{
    const struct dse_request *request = p->question->request;
    struct dse_study_point *points = NULL;
    size_t found = 0, at = 0, count = 0;
    char from[4200];
    DSE_TRY(dse_study_open(p->question->study, &p->study, p->err));
    for (size_t i = 0; i < dse_study_exploration_count(p->study); i++)
        if (is_meant(p, i)) {
            found++;
            at = i;
        }
    if (found != 1)
        return dse_fail(p->err, DSE_BAD_USAGE, "--study %s: has %zu explorations%s; --board and --dataset must say which", p->question->study,
                        dse_study_exploration_count(p->study), found == 0 ? ", none of them of that board and data set" : "");
    p->exploration = dse_study_exploration_at(p->study, at);
    p->at = at;
    DSE_TRY(dse_study_points(p->study, at, true, &points, &count, p->err));
    snprintf(from, sizeof from, "%s:%lld", p->question->study, count > 0 ? (long long)points[0].id : 0);
    dse_study_points_free(points, count);
    if (count == 0)
        return dse_fail(p->err, DSE_BAD_INPUT, "%s: holds no design of %s on %s", p->question->study, p->exploration->dataset, p->exploration->board);
    dse_request_init(own);
    static const char *const apart[] = {"from", "study", "board", "dataset", NULL};
    for (size_t i = 0; i < request->word_count; i++) {
        bool kept = true;
        for (const char *const *name = apart; *name != NULL; name++)
            kept &= strcmp(*name, request->words[i].name) != 0;
        if (kept)
            DSE_TRY(dse_request_take(own, request->words[i].name, request->words[i].value, p->err));
    }
    DSE_TRY(dse_request_take(own, "from", keep(&p->out->charts[0], from), p->err));
    DSE_TRY(dse_workbench_open(own, p->bench, p->err));
    p->profile = p->bench->profiles[0];
    return dse_study_extend(p->study, p->bench->profiles[0], p->err);
}

static enum dse_status add_stored(struct plotting *p, bool front)
{
    struct dse_study_point *points = NULL;
    size_t count = 0;
    DSE_TRY(dse_study_points(p->study, p->at, front, &points, &count, p->err));
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        struct dse_config config;
        struct sample *s;
        dse_space_default(p->bench->space, &config);
        status = dse_config_apply(p->bench->space, &config, &p->profile->preset, p->err);
        if (status == DSE_OK)
            status = dse_config_apply(p->bench->space, &config, &points[i].config, p->err);
        dse_config_canonical(p->bench->space, &config);
        if (status == DSE_OK)
            status = add_sample(p, &config, &s);
        if (status != DSE_OK)
            break;
        s->id = points[i].id;
        memcpy(s->metrics, points[i].metrics, sizeof s->metrics);
        s->quality = dse_profile_quality_of(p->bench->space, p->profile, &config);
    }
    dse_study_points_free(points, count);
    return status;
}

/* The corners by name, and the paper's design. */
static enum dse_status name_corners(struct plotting *p)
{
    for (int c = 0; c < DSE_CORNER_COUNT; c++) {
        struct dse_request own;
        struct dse_stored stored = {0};
        struct dse_error none;
        char from[4096], called[32];
        snprintf(called, sizeof called, "%s", dse_corner_names[c]);
        for (char *at = called; (at = strchr(at, '_')) != NULL;)
            *at = '-';
        snprintf(from, sizeof from, "%s:%s", p->question->study, called);
        dse_request_init(&own);
        enum dse_status status = dse_request_take(&own, "from", from, p->err);
        if (status == DSE_OK)
            status = dse_request_take(&own, "board", p->exploration->board, p->err);
        if (status == DSE_OK)
            status = dse_request_take(&own, "dataset", p->exploration->dataset, p->err);
        bool found = status == DSE_OK && dse_stored_open(&own, &stored, &none) == DSE_OK;
        for (size_t i = 0; found && i < p->count; i++)
            if (p->samples[i].id == stored.id && p->samples[i].id != p->question->choose) {
                char name[160];
                for (char *at = called; (at = strchr(at, '-')) != NULL;)
                    *at = ' ';
                snprintf(name, sizeof name, "%s%s%s", p->samples[i].name != NULL ? p->samples[i].name : "",
                         p->samples[i].name != NULL ? ", " : "", called);
                p->samples[i].name = keep(&p->out->charts[0], name);
            }
        dse_stored_free(&stored);
        dse_request_free(&own);
        DSE_TRY(status);
    }
    for (size_t i = 0; p->question->choose > 0 && i < p->count; i++)
        if (p->samples[i].id == p->question->choose)
            p->samples[i].name = "chosen";
    if (strchr(p->exploration->dataset, ',') != NULL)
        return DSE_OK;
    dse_space_default(p->bench->space, &p->paper.config);
    DSE_TRY(dse_config_apply(p->bench->space, &p->paper.config, &p->profile->preset, p->err));
    dse_config_canonical(p->bench->space, &p->paper.config);
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        p->paper.metrics[m] = NAN;
    p->paper.name = "the paper's";
    p->has_paper = true;
    return evaluate(p, &p->paper);
}

/* ---- series ---- */

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_x(const void *a, const void *b)
{
    const struct dse_chart_point *x = a, *y = b;
    return x->x != y->x ? (x->x > y->x) - (x->x < y->x) : (x->y > y->y) - (x->y < y->y);
}

/* Values that colour, ascending: each its own where they are few, else the bounds of equally many designs. */
struct groups {
    double bound[SERIES_MOST + 1]; /* group g: above bound[g − 1], up to bound[g] */
    double from[SERIES_MOST + 1];
    size_t count;
    bool ramp;
};

static bool is_drawn(const struct plotting *p, const struct quantity *x, const struct quantity *y, const struct sample *s)
{
    return isfinite(value_of(p, x, s)) && isfinite(value_of(p, y, s));
}

static enum dse_status find_groups(const struct plotting *p, const struct quantity *x, const struct quantity *y, const struct quantity *by,
                                   struct groups *g)
{
    double *values = malloc((p->count + 1) * sizeof *values);
    size_t count = 0, distinct = 0;
    *g = (struct groups){.count = 0};
    if (values == NULL)
        return dse_fail_memory(p->err);
    for (size_t i = 0; i < p->count; i++)
        if (is_drawn(p, x, y, &p->samples[i]) && isfinite(value_of(p, by, &p->samples[i])))
            values[count++] = value_of(p, by, &p->samples[i]);
    qsort(values, count, sizeof *values, by_number);
    for (size_t i = 0; i < count; i++)
        distinct += i == 0 || values[i] != values[i - 1];
    const struct dse_knob *knob = knob_of(p, by);
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
    free(values);
    return DSE_OK;
}

static const char *value_text(const struct plotting *p, const struct quantity *q, double value, char *text, size_t size)
{
    const struct dse_knob *knob = knob_of(p, q);
    if (knob != NULL && knob->type == DSE_KNOB_CHOICE)
        snprintf(text, size, "%s", knob->choices[(size_t)value]);
    else if (knob != NULL || is_quality(q))
        snprintf(text, size, "%.4g", value);
    else if (dse_metrics[q->index].resource >= 0 || q->index == DSE_METRIC_CYCLES)
        dse_count_format(text, size, (long long)value);
    else
        dse_chart_quantity(text, size, dse_metrics[q->index].dimension, value);
    return text;
}

static bool put_sample(const struct plotting *p, const struct quantity *x, const struct quantity *y, const struct sample *s,
                       struct dse_chart_series *series)
{
    struct dse_chart_point point = {value_of(p, x, s), value_of(p, y, s), NAN, NAN, s->name};
    series->across = is_quality(x) && !is_quality(y);
    if ((is_quality(x) || is_quality(y)) && s->quality != NULL && s->quality->n > 1) {
        double error = dse_corner_standard_error(s->quality), mean = series->across ? point.x : point.y;
        point.low = mean - error;
        point.high = mean + error;
    }
    return !isfinite(point.x) || !isfinite(point.y) || dse_chart_put(series, point);
}

/* A series a value of `by`, or one. */
static enum dse_status add_series(struct plotting *p, const struct quantity *x, const struct quantity *y, const struct quantity *by,
                                  enum dse_chart_kind kind, struct dse_chart *chart)
{
    struct groups groups = {.count = 1};
    if (by != NULL)
        DSE_TRY(find_groups(p, x, y, by, &groups));
    for (size_t g = 0; g < groups.count + (by != NULL); g++) {
        bool rest = by != NULL && g == groups.count; /* of designs that do not have it */
        char text[64], from[64], name[256];
        struct dse_chart_series *series =
            dse_chart_add(chart, (struct dse_chart_series){.kind = kind, .colour = rest ? 7 : groups.ramp ? -2 - (int)g : (int)g, .steps = (int)groups.count});
        if (series == NULL)
            return dse_fail_memory(p->err);
        for (size_t i = 0; i < p->count; i++) {
            double value = by != NULL ? value_of(p, by, &p->samples[i]) : 0;
            if (by != NULL && (rest ? isfinite(value) : !(value >= groups.from[g] && value <= groups.bound[g])))
                continue;
            if (!put_sample(p, x, y, &p->samples[i], series))
                return dse_fail_memory(p->err);
        }
        if (series->point_count > 0 && kind == DSE_CHART_LINE)
            qsort(series->points, series->point_count, sizeof *series->points, by_x);
        if (rest)
            snprintf(name, sizeof name, "without %s", by->name);
        if (rest)
            series->name = keep(chart, name);
        if (by == NULL || rest)
            continue;
        value_text(p, by, groups.from[g], from, sizeof from);
        value_text(p, by, groups.bound[g], text, sizeof text);
        snprintf(name, sizeof name, "%s%s%s%s%s", by->name, strcmp(from, text) == 0 ? "=" : " ", from, strcmp(from, text) == 0 ? "" : " to ",
                 strcmp(from, text) == 0 ? "" : text);
        series->name = keep(chart, name);
    }
    return DSE_OK;
}

/* What no other point of the chart dominates in its two directions. */
static enum dse_status add_stairs(struct plotting *p, const struct quantity *x, const struct quantity *y, struct dse_chart *chart)
{
    struct dse_chart_series *stairs = dse_chart_add(chart, (struct dse_chart_series){.name = "not dominated in these two", .kind = DSE_CHART_STAIRS, .colour = 6});
    struct dse_chart_point *all = calloc(p->count + 1, sizeof *all);
    size_t count = 0;
    double dx = chart->x.better, dy = chart->y.better, best = INFINITY;
    enum dse_status status = stairs != NULL && all != NULL ? DSE_OK : dse_fail_memory(p->err);
    for (size_t i = 0; status == DSE_OK && i < p->count; i++) { /* in the sense that less is better */
        struct dse_chart_point point = {-dx * value_of(p, x, &p->samples[i]), -dy * value_of(p, y, &p->samples[i]), NAN, NAN, NULL};
        if (isfinite(point.x) && isfinite(point.y))
            all[count++] = point;
    }
    if (status == DSE_OK)
        qsort(all, count, sizeof *all, by_x);
    for (size_t i = 0; status == DSE_OK && i < count; i++) {
        if (all[i].y >= best)
            continue;
        best = all[i].y;
        if (!dse_chart_put(stairs, (struct dse_chart_point){-dx * all[i].x, -dy * all[i].y, NAN, NAN, NULL}))
            status = dse_fail_memory(p->err);
    }
    free(all);
    return status;
}

/* What a constant answer reaches, across the picture of a quality; aside where it lies further away than what is drawn is high. */
static enum dse_status add_majority(struct plotting *p, const struct quantity *x, const struct quantity *y, struct dse_chart *chart)
{
    struct dse_standard standard;
    double ends[2][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    char name[64];
    dse_standard_make(p->profile, INFINITY, &standard);
    for (size_t i = 0; i < p->count + p->has_paper; i++) {
        const struct sample *s = i < p->count ? &p->samples[i] : &p->paper;
        for (int axis = 0; axis < 2 && is_drawn(p, x, y, s); axis++) {
            ends[axis][0] = fmin(ends[axis][0], value_of(p, axis == 0 ? x : y, s));
            ends[axis][1] = fmax(ends[axis][1], value_of(p, axis == 0 ? x : y, s));
        }
    }
    if (!is_quality(y) || isnan(standard.majority) || !(ends[0][0] < ends[0][1]))
        return DSE_OK;
    double level = y->error ? 1.0 - standard.majority : standard.majority;
    bool far = fmax(ends[1][0] - level, level - ends[1][1]) > fmax(ends[1][1] - ends[1][0], 0.02);
    struct dse_chart_series *line = dse_chart_add(chart, (struct dse_chart_series){.kind = DSE_CHART_STAIRS, .colour = -1,
                                                                                   .aside = far || p->question->range_count > 0});
    if (line == NULL)
        return dse_fail_memory(p->err);
    snprintf(name, sizeof name, "a constant answer: %.3f", level);
    line->name = keep(chart, name);
    bool put = dse_chart_put(line, (struct dse_chart_point){ends[0][0], level, NAN, NAN, NULL}) &&
               dse_chart_put(line, (struct dse_chart_point){ends[0][1], level, NAN, NAN, NULL});
    return put ? DSE_OK : dse_fail_memory(p->err);
}

/* What a quality's bars are, with the number of splits where it is one. */
static void note_bars(const struct plotting *p, const struct quantity *x, const struct quantity *y, struct dse_chart *chart)
{
    char note[256];
    int64_t n = p->count > 0 && p->samples[0].quality != NULL ? p->samples[0].quality->n : 0;
    for (size_t i = 1; i < p->count; i++)
        n = p->samples[i].quality != NULL && p->samples[i].quality->n == n ? n : 0;
    bool measured = is_quality(x) || is_quality(y);
    if (!measured && *p->settled == '\0')
        return;
    snprintf(note, sizeof note, "%s%s%s", p->settled, *p->settled != '\0' && measured ? "; " : "",
             measured ? "bars: \u00b1 the standard error of the mean" : "");
    if (measured && n > 0)
        snprintf(note + strlen(note), sizeof note - strlen(note), " of %lld splits", (long long)n);
    chart->note = keep(chart, note);
}

/* ---- the plots ---- */

static enum dse_status objective(const struct plotting *p, size_t index, const char *given, struct quantity *out, char *name, size_t size)
{
    const char *objectives = dse_setting_get(dse_study_question(p->study), "objectives");
    for (size_t i = 0; objectives != NULL && i < index; i++)
        objectives = strchr(objectives, ',') != NULL ? strchr(objectives, ',') + 1 : index == 1 ? "energy" : NULL;
    snprintf(name, size, "%.*s", objectives != NULL ? (int)strcspn(objectives, ",") : 7, objectives != NULL ? objectives : "latency");
    for (char *c = name; *c != '\0'; c++)
        if (*c == ' ')
            memmove(c, c + 1, strlen(c));
    return find_quantity(p, "--x or --y ", given != NULL ? given : name, out);
}

/* Ends of an axis about the front alone, with a little room, where the paper's design lies beyond them; NaN where it does not. How often
 * the paper's distance from them has the front's own extent is returned, on a scale of logarithms; 0 where that says nothing, and of
 * qualities, which lie near enough and have bars. */
static double front_ends(const struct plotting *p, const struct quantity *q, double ends[2])
{
    double least = INFINITY, most = -INFINITY, paper = value_of(p, q, &p->paper);
    ends[0] = ends[1] = NAN;
    for (size_t i = 0; i < p->count; i++) {
        double value = value_of(p, q, &p->samples[i]);
        least = isfinite(value) ? fmin(least, value) : least;
        most = isfinite(value) ? fmax(most, value) : most;
    }
    if (is_quality(q) || !(least > 0) || !(paper > 0) || !(most > least) || (least <= paper && paper <= most))
        return 0.0;
    double extent = log(most / least), room = exp(0.08 * extent);
    ends[paper > most] = paper > most ? most * room : least / room;
    return (paper > most ? log(paper / most) : log(least / paper)) / extent;
}

/* Where the paper's design is so far away that it would press the front into a corner, the axes are broken, unless the question says how far
 * they go. */
static void break_axes(const struct plotting *p, const struct quantity *x, const struct quantity *y, struct dse_chart *chart)
{
    enum { FAR = 4 }; /* times the front's own extent */
    if (!p->has_paper || p->question->range_count > 0 || !is_drawn(p, x, y, &p->paper))
        return;
    for (int a = 0; a < 2; a++) {
        struct dse_chart_axis *axis = a == 0 ? &chart->x : &chart->y;
        double ends[2];
        axis->broken = front_ends(p, a == 0 ? x : y, ends) >= FAR;
        if (!axis->broken)
            continue;
        axis->least = ends[0];
        axis->most = ends[1];
        axis->far = value_of(p, a == 0 ? x : y, &p->paper);
    }
}

static enum dse_status plot_front(struct plotting *p)
{
    struct dse_chart *chart = &p->out->charts[0];
    struct quantity x, y, by;
    char names[2][64], title[256], size[32];
    DSE_TRY(add_stored(p, true));
    DSE_TRY(objective(p, 0, p->question->x, &x, names[0], sizeof names[0]));
    DSE_TRY(objective(p, 1, p->question->y, &y, names[1], sizeof names[1]));
    if (p->question->by != NULL)
        DSE_TRY(find_quantity(p, "--by ", p->question->by, &by));
    x.name = keep(chart, x.name);
    y.name = keep(chart, y.name);
    DSE_TRY(name_corners(p));
    chart->x = axis_of(p, &x, chart);
    chart->y = axis_of(p, &y, chart);
    snprintf(title, sizeof title, "%s on %s: front of %s designs, %s", p->exploration->dataset, p->exploration->board,
             dse_count_format(size, sizeof size, (long long)p->count), p->exploration->proven ? "proven" : "not proven");
    chart->title = keep(chart, title);
    chart->note = "";
    note_bars(p, &x, &y, chart);
    DSE_TRY(add_majority(p, &x, &y, chart));
    if (chart->x.better != 0 && chart->y.better != 0)
        DSE_TRY(add_stairs(p, &x, &y, chart));
    DSE_TRY(add_series(p, &x, &y, p->question->by != NULL ? &by : NULL, DSE_CHART_POINTS, chart));
    break_axes(p, &x, &y, chart);
    struct dse_chart_series *paper = p->has_paper ? dse_chart_add(chart, (struct dse_chart_series){.kind = DSE_CHART_POINTS, .colour = -1}) : NULL;
    return paper == NULL || put_sample(p, &x, &y, &p->paper, paper) ? DSE_OK : dse_fail_memory(p->err);
}

static enum dse_status plot_quantity(struct plotting *p)
{
    struct dse_chart *chart = &p->out->charts[0];
    struct quantity x, y, by;
    char title[256];
    const struct quantity *beside = p->question->by != NULL ? &by : NULL;
    if (p->question->x == NULL)
        return dse_fail(p->err, DSE_BAD_USAGE, "plot %s: needs --x KNOB|METRIC", p->question->what);
    DSE_TRY(find_quantity(p, "plot ", p->question->what, &y));
    DSE_TRY(find_values(p, "--x ", p->question->x, &x));
    if (beside != NULL)
        DSE_TRY(find_values(p, "--by ", p->question->by, &by));
    if (p->question->simulate != NULL)
        DSE_TRY(check_simulated(p, &y, &x, beside));
    bool measured = is_quality(&y) || !x.knob || (beside != NULL && !by.knob);
    DSE_TRY(p->study != NULL ? add_stored(p, false) : measured ? add_measured(p, &x, beside) : add_varied(p, &x, beside));
    if (p->study != NULL)
        snprintf(p->settled, sizeof p->settled, "the study's designs");
    chart->x = axis_of(p, &x, chart);
    chart->y = axis_of(p, &y, chart);
    snprintf(title, sizeof title, "%s on %s: %s over %s", p->profile->dataset, p->bench->boards[0]->name, chart->y.title, x.name);
    chart->title = keep(chart, title);
    note_bars(p, &x, &y, chart);
    DSE_TRY(add_majority(p, &x, &y, chart));
    const struct dse_knob *knob = knob_of(p, &x);
    bool lines = p->study == NULL && knob != NULL && knob->type != DSE_KNOB_CHOICE && strncmp(p->settled, "every", 5) != 0;
    return add_series(p, &x, &y, beside, lines ? DSE_CHART_LINE : DSE_CHART_POINTS, chart);
}

/* The places, among the engines, of those that the design has: with cycles or with resources. */
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

/* Bars of one quantity: cycles (resource −1), or a resource's share of what a kernel may use; none where all are 0. */
static bool add_bars(struct dse_chart *chart, const struct dse_estimate *estimate, const size_t *places, size_t count, int resource, int64_t limit)
{
    double most = 0;
    struct dse_chart_series *series = dse_chart_add(
        chart, (struct dse_chart_series){.name = resource < 0 ? NULL : dse_resource_names[resource], .kind = DSE_CHART_BARS, .colour = resource < 0 ? 0 : resource});
    for (size_t i = 0; series != NULL && i < count; i++) {
        const struct dse_engine_estimate *engine = &estimate->engines[places[i]];
        double value = resource < 0 ? (double)engine->cycles : limit > 0 ? (double)engine->sums.resources[resource] / (double)limit : 0;
        most = fmax(most, value);
        if (!dse_chart_put(series, (struct dse_chart_point){(double)i, value, NAN, NAN, NULL}))
            return false;
    }
    if (series != NULL && most == 0)
        series->point_count = 0;
    return series != NULL;
}

/* The design in words, with what all engines together come to. */
static const char *engines_note(const struct plotting *p, const struct dse_estimate *estimate, struct dse_chart *chart)
{
    char note[512], cycles[32], latency[48];
    const char *from = dse_request_word(p->question->request, "from");
    bool set = dse_request_word(p->question->request, "set") != NULL;
    snprintf(note, sizeof note, "%s%s: %s cycles, %s", from != NULL ? from : "the paper's design", set ? " with --set" : "",
             dse_count_format(cycles, sizeof cycles, (long long)estimate->metrics[DSE_METRIC_CYCLES]),
             dse_chart_quantity(latency, sizeof latency, DSE_DIMENSION_TIME, estimate->metrics[DSE_METRIC_LATENCY]));
    return keep(chart, note);
}

/* Cycles, and what a kernel may use of each resource, by engine of the design. */
static enum dse_status plot_engines(struct plotting *p)
{
    struct dse_plot *out = p->out;
    const struct dse_model_family *family = p->bench->family;
    size_t *places = dse_arena_alloc(&out->charts[0].arena, family->engine_count, sizeof *places);
    const char **names = dse_arena_alloc(&out->charts[0].arena, family->engine_count, sizeof *names);
    struct dse_estimate *estimate = malloc(sizeof *estimate);
    enum dse_status status = places != NULL && names != NULL && estimate != NULL ? DSE_OK : dse_fail_memory(p->err);
    struct dse_setup setup;
    int64_t limits[DSE_RESOURCE_COUNT];
    char title[256];
    if (status == DSE_OK)
        status = dse_workbench_setup(p->bench, 0, p->profile, &p->base, &setup, p->err);
    if (status == DSE_OK)
        status = dse_estimate_built(&setup, &p->base, estimate, p->err);
    size_t count = status == DSE_OK ? engines_of(family, estimate, places) : 0;
    for (size_t i = 0; i < count; i++)
        names[i] = family->engines[places[i]].name;
    dse_board_limits(p->bench->boards[0], p->bench->headroom, limits);
    for (int c = 0; status == DSE_OK && c < 2; c++) {
        struct dse_chart *chart = &out->charts[c];
        snprintf(title, sizeof title, "%s on %s: %s", p->profile->dataset, p->bench->boards[0]->name,
                 c == 0 ? "mean cycles by engine" : "share of what a kernel may use, by engine");
        chart->title = keep(chart, title);
        chart->note = engines_note(p, estimate, chart);
        chart->x = (struct dse_chart_axis){.title = "engine", .key = "engine", .categories = names, .category_count = count, .least = NAN, .most = NAN};
        chart->y = c == 0 ? (struct dse_chart_axis){.title = "cycles", .key = "cycles", .whole = true, .logarithmic = 1, .least = NAN, .most = NAN}
                          : (struct dse_chart_axis){.title = "of the board", .key = "share", .share = true, .logarithmic = -1, .least = NAN, .most = NAN};
        bool good = c == 1 || add_bars(chart, estimate, places, count, -1, 0);
        for (int r = 0; good && c == 1 && r < DSE_RESOURCE_COUNT; r++)
            good = add_bars(chart, estimate, places, count, r, limits[r]);
        if (!good)
            status = dse_fail_memory(p->err);
    }
    free(estimate);
    return status;
}

enum dse_status dse_plot_range(const char *text, struct dse_chart *chart, struct dse_error *err)
{
    struct dse_chart_axis *axis = text[0] == 'x' ? &chart->x : text[0] == 'y' ? &chart->y : NULL;
    const char *at = text + 2;
    bool good = axis != NULL && text[1] == '=' && strchr(at, ':') != NULL && axis->category_count == 0;
    for (int end = 0; good && end < 2; end++) {
        double *value = end == 0 ? &axis->least : &axis->most;
        bool percent = false;
        const char *stop = at;
        if (*at != ':' && *at != '\0') {
            good = dse_quantity_parse(at, axis->dimension, value, &percent, &stop);
            *value *= percent ? 0.01 : 1;
        }
        good = good && (end == 0 ? *stop == ':' : *stop == '\0');
        at = stop + 1;
    }
    if (good && !(axis->least >= axis->most))
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "--range %s: must be x=FROM:TO or y=FROM:TO with the axis' unit (x=20us:100us), FROM below TO", text);
}

enum dse_status dse_plot_make(const struct dse_plot_question *question, struct dse_plot *out, struct dse_error *err)
{
    bool engines = strcmp(question->what, "engines") == 0, front = strcmp(question->what, "front") == 0;
    struct plotting p = {.question = question, .out = out, .bench = &out->bench, .err = err};
    struct dse_request own = {0};
    *out = (struct dse_plot){.charts = calloc(2, sizeof *out->charts), .count = engines ? 2 : 1};
    enum dse_status status = out->charts != NULL ? DSE_OK : dse_fail_memory(err);
    if (status == DSE_OK && front && question->study == NULL)
        status = dse_fail(err, DSE_BAD_USAGE, "plot front: needs --study FILE.db, which `sweep --study` makes");
    if (status == DSE_OK && question->study != NULL)
        status = open_study(&p, &own);
    else if (status == DSE_OK)
        status = dse_workbench_open(question->request, p.bench, err);
    if (status == DSE_OK && p.study == NULL && (p.bench->board_count > 1 || p.bench->profile_count > 1))
        status = dse_fail(err, DSE_BAD_USAGE, "plot: takes one board and one data set");
    if (status == DSE_OK) {
        p.profile = p.bench->profiles[0];
        status = dse_workbench_config(p.study != NULL ? &own : question->request, p.bench, p.profile, &p.base, err);
    }
    if (status == DSE_OK)
        status = engines ? plot_engines(&p) : front ? plot_front(&p) : plot_quantity(&p);
    for (size_t i = 0; i < question->range_count && status == DSE_OK; i++)
        status = dse_plot_range(question->ranges[i], &out->charts[0], err);
    dse_study_close(p.study);
    dse_request_free(&own);
    free(p.samples);
    return status;
}

enum dse_status dse_plot_fronts(const char *path, int64_t choose, const char *output, struct dse_error *err)
{
    struct dse_study *study = NULL;
    DSE_TRY(dse_study_open(path, &study, err));
    size_t count = dse_study_exploration_count(study), drawn = 0;
    struct dse_plot *plots = calloc(count + 1, sizeof *plots);
    struct dse_chart *charts = calloc(count + 1, sizeof *charts);
    enum dse_status status = plots != NULL && charts != NULL ? DSE_OK : dse_fail_memory(err);
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        struct dse_study_point *points = NULL;
        struct dse_request request;
        size_t found = 0;
        struct dse_plot_question question = {.request = &request, .what = "front", .study = path, .choose = choose, .exploration = i + 1};
        dse_request_init(&request);
        status = dse_study_points(study, i, true, &points, &found, err);
        dse_study_points_free(points, found);
        if (status == DSE_OK)
            status = dse_request_take(&request, "family", dse_study_family(study), err);
        if (status == DSE_OK && found > 0) {
            status = dse_plot_make(&question, &plots[drawn], err);
            if (status == DSE_OK)
                charts[drawn] = plots[drawn].charts[0];
            drawn++;
        }
        dse_request_free(&request);
    }
    if (status == DSE_OK)
        status = dse_charts_draw(charts, drawn, &DSE_CHART_STYLE, output, err);
    for (size_t i = 0; plots != NULL && i < drawn; i++)
        dse_plot_free(&plots[i]);
    free(plots);
    free(charts);
    dse_study_close(study);
    return status;
}

enum dse_status dse_plot_timeline(const struct dse_simulation *simulation, size_t item, const char *title, struct dse_plot *out,
                                  struct dse_error *err)
{
    *out = (struct dse_plot){.charts = calloc(2, sizeof *out->charts), .count = 1};
    if (out->charts == NULL)
        return dse_fail_memory(err);
    if (item >= simulation->items)
        return dse_fail(err, DSE_BAD_USAGE, "--item %zu: the simulation ran %zu, from 0", item, simulation->items);
    struct dse_chart *chart = &out->charts[0];
    size_t rows = simulation->engine_count + 1;
    const char **names = dse_arena_alloc(&chart->arena, rows, sizeof *names);
    if (names == NULL)
        return dse_fail_memory(err);
    for (size_t e = 0; e < simulation->engine_count; e++)
        names[rows - 2 - e] = keep(chart, simulation->engines[e].name);
    names[rows - 1] = "stages";
    chart->title = keep(chart, title);
    chart->note = "an engine's work from the beginning of its first stage, in which it overlaps the others";
    chart->x = (struct dse_chart_axis){.title = "cycles", .key = "cycle", .whole = true, .logarithmic = -1, .least = NAN, .most = NAN};
    chart->y = (struct dse_chart_axis){.title = "engine", .key = "engine", .categories = names, .category_count = rows, .least = NAN, .most = NAN};
    double begin = 0;
    for (size_t s = 0; s < simulation->stage_count; s++) {
        double cycles = (double)simulation->stages[s].cycles[item];
        const char *stage = keep(chart, simulation->stages[s].name);
        struct dse_chart_series *series = dse_chart_add(chart, (struct dse_chart_series){.name = stage, .kind = DSE_CHART_SPANS, .colour = (int)s});
        bool good = series != NULL && dse_chart_put(series, (struct dse_chart_point){begin, (double)(rows - 1), begin, begin + cycles, stage});
        for (size_t e = 0; good && e < simulation->engine_count; e++)
            if (strcmp(simulation->engines[e].stage, simulation->stages[s].name) == 0)
                good = dse_chart_put(series, (struct dse_chart_point){begin, (double)(rows - 2 - e), begin,
                                                                      begin + (double)simulation->engines[e].cycles[item], names[rows - 2 - e]});
        if (!good)
            return dse_fail_memory(err);
        begin += cycles;
    }
    return DSE_OK;
}

void dse_plot_free(struct dse_plot *plot)
{
    for (size_t i = 0; plot->charts != NULL && i < 2; i++)
        dse_chart_free(&plot->charts[i]);
    free(plot->charts);
    dse_workbench_close(&plot->bench);
    *plot = (struct dse_plot){0};
}
