/* Quantities, and designs with values from models, profile or simulation. */
#include "core/memory.h"
#include "reports/plot_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "explore/bands.h"
#include "search/profiled.h"
#include "search/question.h"

/* ---- quantities ---- */

/* Finds a knob by name, or by the part after the dot if unique: "precision" is nee.precision. */
static int find_knob(const struct dse_space *space, const char *name)
{
    int knob = dse_space_find(space, name), count = 0, last = -1;
    for (size_t k = 0; knob < 0 && k < space->count; k++) {
        const char *dot = strrchr(space->knobs[k].name, '.');
        if (dot != NULL && strcmp(dot + 1, name) == 0) {
            last = (int)k;
            count++;
        }
    }
    return count == 1 ? last : knob;
}

enum dse_status dse_plot_find(const struct dse_plotting *p, const char *option, const char *name, struct dse_plot_quantity *out)
{
    int metric = dse_metric_find(name), knob = find_knob(p->bench->space, name);
    const struct dse_metric_alias *alias = dse_metric_alias_of(name);
    *out = (struct dse_plot_quantity){.name = metric < 0 && knob >= 0 ? p->bench->space->knobs[knob].name : name, .knob = metric < 0, .error = alias != NULL && alias->error ? alias : NULL,
                             .index = (size_t)(metric >= 0 ? metric : knob >= 0 ? knob : 0)};
    if (alias != NULL && alias->figure) {
        const struct dse_question asked = {.figure = name, .quality = dse_profile_quality_name(p->profile)};
        return dse_question_judged(&asked, p->profile->dataset, p->err);
    }
    if (metric >= 0 || knob >= 0)
        return DSE_OK;
    return dse_question_unknown(p->bench->space, option, name, p->err);
}

/* Parses "KNOB", or "KNOB=VALUE,VALUE …". */
enum dse_status dse_plot_find_values(const struct dse_plotting *p, const char *option, const char *text, struct dse_plot_quantity *out)
{
    const char *list = strchr(text, '=');
    char *copy = dse_arena_strdup(&p->out->charts[0].arena, text), *rest = NULL;
    copy[list != NULL ? (size_t)(list - text) : strlen(text)] = '\0';
    DSE_TRY(dse_plot_find(p, option, copy, out));
    if (list == NULL)
        return DSE_OK;
    if (!out->knob)
        return dse_fail(p->err, DSE_BAD_USAGE, "%s %s: only a knob has values to list", option, text);
    const struct dse_knob *knob = &p->bench->space->knobs[out->index];
    for (char *word = strtok_r(copy + (list - text) + 1, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        if (out->value_count == DSE_PLOT_VALUES_MOST)
            return dse_fail(p->err, DSE_BAD_USAGE, "%s %s: at most %d values", option, text, DSE_PLOT_VALUES_MOST);
        DSE_TRY(dse_knob_parse(knob, word, &out->values[out->value_count++], p->err));
        if (out->index == p->bench->family->clock_knob)
            DSE_TRY(dse_workbench_reaches(p->bench, option, out->values[out->value_count - 1], p->err));
    }
    return out->value_count > 0 ? DSE_OK : dse_fail(p->err, DSE_BAD_USAGE, "%s %s: names no value", option, text);
}

bool dse_plot_is_quality(const struct dse_plot_quantity *q)
{
    return !q->knob && q->index == DSE_METRIC_QUALITY;
}

const struct dse_knob *dse_plot_knob(const struct dse_plotting *p, const struct dse_plot_quantity *q)
{
    return q->knob ? &p->bench->space->knobs[q->index] : NULL;
}

/* Position on an axis: a word's index or a number; NaN if the design has none. */
double dse_plot_value(const struct dse_plotting *p, const struct dse_plot_quantity *q, const struct dse_plot_sample *s)
{
    const struct dse_knob *knob = dse_plot_knob(p, q);
    if (knob == NULL) {
        double value = dse_plot_is_quality(q) && s->quality != NULL ? s->quality->mean : s->metrics[q->index];
        return q->error != NULL ? dse_metric_error_from(q->error, dse_profile_quality_name(p->profile)) - value : value;
    }
    if (!dse_knob_active(p->bench->space, &s->config, q->index))
        return NAN;
    char text[64];
    return knob->type == DSE_KNOB_DECIMAL ? strtod(dse_knob_format(knob, s->config.value[q->index], text, sizeof text), NULL)
                                          : (double)s->config.value[q->index];
}

const char *dse_plot_keep(struct dse_chart *chart, const char *text)
{
    return dse_arena_strdup(&chart->arena, text);
}

static size_t values_of(const struct dse_plotting *p, const struct dse_plot_quantity *q, int64_t values[DSE_PLOT_VALUES_MOST])
{
    const struct dse_knob *knob = dse_plot_knob(p, q);
    size_t count = q->value_count > 0 ? q->value_count : knob->domain_count < DSE_PLOT_VALUES_MOST ? knob->domain_count : DSE_PLOT_VALUES_MOST;
    memcpy(values, q->value_count > 0 ? q->values : knob->domain, count * sizeof *values);
    return count;
}

/* Whether at least three drawn values of a knob, and all but one (such as a publication's), are powers of two: those of the designs, or without
 * designs of the domain. */
static bool are_powers(const struct dse_plotting *p, const struct dse_plot_quantity *q)
{
    int64_t values[DSE_PLOT_VALUES_MOST];
    uint64_t met = 0;
    int64_t other = 0;
    size_t known = values_of(p, q, values), count = p->count > 0 ? p->count : known;
    for (size_t i = 0; i < count; i++) {
        int64_t value = p->count > 0 ? p->samples[i].config.value[q->index] : values[i];
        if (p->count > 0 && !dse_knob_active(p->bench->space, &p->samples[i].config, q->index))
            continue;
        bool power = value > 0 && (value & (value - 1)) == 0;
        if (value <= 0 || (!power && other != 0 && other != value))
            return false;
        met |= power ? (uint64_t)value : 0;
        other = power ? other : value;
    }
    return __builtin_popcountll(met) >= 3;
}

/* Whether a design has one of the values in "KNOB=VALUE,VALUE"; NULL, or a quantity without values, accepts all. */
static bool is_named(const struct dse_plot_quantity *q, const struct dse_config *config)
{
    bool named = q == NULL || q->value_count == 0;
    for (size_t i = 0; !named && i < q->value_count; i++)
        named = config->value[q->index] == q->values[i];
    return named;
}

void dse_plot_keep_named(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *by)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++)
        if (is_named(x, &p->samples[i].config) && is_named(by, &p->samples[i].config))
            p->samples[kept++] = p->samples[i];
    p->count = kept;
}

const char *dse_plot_amount(const struct dse_plotting *p, const char *title, enum dse_metric metric, struct dse_chart *chart)
{
    char per[64] = "", other[64], text[128];
    for (size_t i = 0; i < p->count || i == 0; i++) {
        const struct dse_config *config = p->count > 0 ? &p->samples[i].config : &p->base;
        dse_amount_per(p->bench->family, metric, config, (double)p->bench->boards[0]->host.batch, other);
        if (i > 0 && strcmp(other, per) != 0)
            return title;
        snprintf(per, sizeof per, "%s", other);
    }
    snprintf(text, sizeof text, "%s%s", title, per);
    return dse_plot_keep(chart, text);
}

struct dse_chart_axis dse_plot_axis(const struct dse_plotting *p, const struct dse_plot_quantity *q, struct dse_chart *chart)
{
    const struct dse_knob *knob = dse_plot_knob(p, q);
    struct dse_chart_axis axis = {.title = q->name, .key = q->name, .least = NAN, .most = NAN};
    if (knob == NULL) {
        const struct dse_metric_info *metric = &dse_metrics[q->index];
        bool counts = metric->resource >= 0 || q->index == DSE_METRIC_CYCLES;
        const struct dse_quality *measured = dse_plot_is_quality(q) && p->samples != NULL && p->count > 0 ? p->samples[0].quality : NULL;
        axis.title = q->error != NULL ? q->error->name : measured != NULL ? dse_plot_keep(chart, dse_quality_is_negative(measured->name, NULL) ? measured->name : dse_quality_title(measured->name)) :
                     dse_plot_amount(p, metric->heading, (enum dse_metric)q->index, chart);
        axis.key = q->error != NULL ? q->error->name : measured != NULL ? dse_plot_keep(chart, measured->name) : metric->key;
        axis.dimension = metric->dimension;
        if (metric->dimension == DSE_DIMENSION_RATE) {
            char unit[64];
            snprintf(unit, sizeof unit, "%.60s/s", dse_items_word(p->bench->family, p->count > 0 ? &p->samples[0].config : &p->base));
            axis.unit = dse_plot_keep(chart, unit);
        }
        axis.whole = counts;
        axis.better = q->error != NULL || !metric->higher_is_better ? -1 : 1;
        axis.logarithmic = dse_plot_is_quality(q) ? -1 : 0;
        int64_t limits[DSE_RESOURCE_COUNT];
        dse_board_limits(p->bench->boards[0], p->bench->headroom, limits);
        axis.hundred = metric->resource >= 0 ? (double)limits[metric->resource] : measured != NULL && !dse_quality_is_negative(measured->name, NULL) ? 1 : 0;
    } else if (knob->type == DSE_KNOB_CHOICE) {
        axis.categories = knob->choices;
        axis.category_count = knob->choice_count;
    } else {
        axis.whole = knob->type == DSE_KNOB_INTEGER;
        axis.binary = axis.whole && are_powers(p, q);
        axis.logarithmic = axis.binary;
        if (knob->unit != NULL && *knob->unit != '\0') {
            char title[128];
            snprintf(title, sizeof title, "%s [%s]", q->name, knob->unit);
            axis.title = dse_plot_keep(chart, title);
        }
    }
    return axis;
}

/* ---- samples ---- */

struct dse_plot_sample *dse_plot_add_sample(struct dse_plotting *p, const struct dse_config *config)
{
    struct dse_plot_sample *room = dse_list_more(&p->samples, &p->count, sizeof *room);
    *room = (struct dse_plot_sample){.config = *config};
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        room->metrics[m] = room->low[m] = room->high[m] = NAN;
    return room;
}

static dse_knob_set hardware_of(const struct dse_plotting *p)
{
    return dse_bits_without(dse_space_of_kind(p->bench->space, DSE_KNOB_HARDWARE), dse_space_of_kind(p->bench->space, DSE_KNOB_ALGORITHMIC));
}

static enum dse_status simulate(struct dse_plotting *p, struct dse_plot_sample *s)
{
    struct dse_setting knobs = {0};
    dse_config_setting(p->bench->space, &s->config, hardware_of(p), &knobs);
    enum dse_status status = DSE_OK;
    if (status == DSE_OK)
        status = p->question->simulate(p->question->user, &knobs, s->metrics, p->err);
    dse_setting_free(&knobs);
    return status;
}

/* A simulation gives only times, over hardware knobs. */
enum dse_status dse_plot_check_simulated(const struct dse_plotting *p, const struct dse_plot_quantity *y, const struct dse_plot_quantity *x, const struct dse_plot_quantity *by)
{
    const struct dse_plot_quantity *across[] = {x, by};
    if (y->knob || (y->index != DSE_METRIC_CYCLES && y->index != DSE_METRIC_LATENCY && y->index != DSE_METRIC_LATENCY_P99))
        return dse_fail(p->err, DSE_BAD_USAGE, "plot %s --model: must be cycles, latency or p99", p->question->what);
    for (size_t i = 0; i < 2; i++)
        if (across[i] != NULL && (!across[i]->knob || !dse_bits_has(hardware_of(p), across[i]->index)))
            return dse_fail(p->err, DSE_BAD_USAGE, "%s: with --model it must be a hardware knob; the model determines the others", across[i]->name);
    return DSE_OK;
}

/* Fills in the models' values; metrics stay unknown for infeasible designs and for settings without a workload in the profile. */
enum dse_status dse_plot_evaluate(struct dse_plotting *p, struct dse_plot_sample *s)
{
    struct dse_setup setup;
    struct dse_error unanswered = {0};
    struct dse_estimate *estimate = dse_malloc(sizeof *estimate);
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

enum dse_status dse_plot_add_bands(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *y)
{
    const struct dse_plot_quantity *both[] = {x, y};
    struct dse_estimate *estimate DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *estimate);
    struct dse_setup setup;
    size_t known[2] = {0};
    for (size_t i = 0; i < p->count; i++) {
        struct dse_plot_sample *s = &p->samples[i];
        DSE_TRY(dse_workbench_setup(p->bench, 0, p->profile, &s->config, &setup, p->err));
        DSE_TRY(dse_estimate_built(&setup, &s->config, estimate, p->err));
        for (int a = 0; a < 2; a++)
            if (!both[a]->knob && both[a]->index != DSE_METRIC_QUALITY)
                known[a] += dse_bands_known(p->bench->family, (enum dse_metric)both[a]->index, estimate, &s->low[both[a]->index], &s->high[both[a]->index]);
    }
    if (known[0] + known[1] == 0)
        return dse_fail(p->err, DSE_BAD_INPUT, "--bands: the models' error of %s and %s is not known on this board", x->name, y->name);
    snprintf(p->bands, sizeof p->bands, "whiskers of %s%s%s: the models' error", known[0] > 0 ? x->name : "", known[0] > 0 && known[1] > 0 ? " and " : "", known[1] > 0 ? y->name : "");
    return DSE_OK;
}

/* Adds the measured settings, combined with the base design's hardware. */
enum dse_status dse_plot_add_measured(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *by)
{
    const struct dse_plot_quantity *across[] = {x, by};
    for (int all = 0; all < 2 && p->count < 2; all++) {
        p->count = 0;
        for (size_t i = 0; i < p->profile->quality_count; i++) {
            struct dse_config config = p->base;
            bool apart = false;
            if (dse_config_apply(p->bench->space, &config, &p->profile->qualities[i].setting, p->err) != DSE_OK)
                return DSE_BAD_INPUT;
            dse_config_canonical(p->bench->space, &config);
            for (size_t k = 0; k < p->bench->space->count; k++)
                apart |= (p->bench->space->knobs[k].kind & DSE_KNOB_ALGORITHMIC) != 0 && config.value[k] != p->base.value[k] &&
                         !(x->knob && k == x->index) && !(by != NULL && by->knob && k == by->index) &&
                         dse_knob_active(p->bench->space, &config, k);
            for (int q = 0; q < 2; q++)
                apart |= across[q] != NULL && across[q]->knob && !dse_knob_active(p->bench->space, &config, across[q]->index);
            if (apart && all == 0)
                continue;
            struct dse_plot_sample *s = dse_plot_add_sample(p, &config);
            DSE_TRY(dse_plot_evaluate(p, s));
            s->quality = &p->profile->qualities[i];
            s->metrics[DSE_METRIC_QUALITY] = s->quality->mean;
        }
        snprintf(p->settled, sizeof p->settled, "%s%s", all == 0 ? "measured; design: " : "every measured setting", all == 0 ? p->origin : "");
    }
    return DSE_OK;
}

/* DSE_BAD_USAGE if no design is drawn because the knob of the x axis has no effect in the base design. */
static enum dse_status check_drawn(const struct dse_plotting *p, const struct dse_plot_quantity *x)
{
    char why[128];
    if (p->count > 0 || dse_knob_active(p->bench->space, &p->base, x->index))
        return DSE_OK;
    dse_meant_idle(p->bench->space, &p->base, x->index, why, sizeof why);
    return dse_fail(p->err, DSE_BAD_USAGE, "--x %s: without effect in the design (%s): %s; --preset %s, --from or --set chooses another design", x->name, why, p->origin,
                    p->bench->family->knobs->presets[0]);
}

/* Adds the base design with x and by at every value of their domains. */
enum dse_status dse_plot_add_varied(struct dse_plotting *p, const struct dse_plot_quantity *x, const struct dse_plot_quantity *by)
{
    int64_t across[DSE_PLOT_VALUES_MOST], beside[DSE_PLOT_VALUES_MOST] = {0};
    size_t columns = values_of(p, x, across), rows = by != NULL ? values_of(p, by, beside) : 1;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            struct dse_config config = p->base;
            if (by != NULL)
                config.value[by->index] = beside[r];
            config.value[x->index] = across[c];
            dse_config_canonical(p->bench->space, &config);
            if (!dse_knob_active(p->bench->space, &config, x->index) || config.value[x->index] != across[c] || (by != NULL && config.value[by->index] != beside[r]))
                continue; /* inactive there */
            struct dse_plot_sample *s = dse_plot_add_sample(p, &config);
            DSE_TRY(p->question->simulate != NULL ? simulate(p, s) : dse_plot_evaluate(p, s));
        }
    DSE_TRY(check_drawn(p, x));
    snprintf(p->settled, sizeof p->settled, "%s; design: %s", p->question->simulate != NULL ? "simulated" : "model estimates", p->origin);
    return DSE_OK;
}
