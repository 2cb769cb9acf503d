#include "search/question.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/names.h"
#include "core/number.h"
#include "core/saturate.h"
#include "core/strbuf.h"
#include "search/archive.h"

/* ---- knobs ---- */

static bool compares(int64_t value, enum dse_comparison comparison, int64_t bound)
{
    switch (comparison) {
    case DSE_AT_MOST: return value <= bound;
    case DSE_AT_LEAST: return value >= bound;
    case DSE_BELOW: return value < bound;
    case DSE_ABOVE: return value > bound;
    case DSE_EQUAL: return value == bound;
    case DSE_UNEQUAL: return value != bound;
    }
    return false;
}

/* Keeps the values of a knob's domain that compare; a value set by `=` need not have been in it. */
static enum dse_status restrict_knob(struct dse_space *space, size_t index, enum dse_comparison comparison,
                                     int64_t bound, const char *asked, struct dse_error *err)
{
    const struct dse_knob *knob = &space->knobs[index];
    if (comparison == DSE_EQUAL) {
        dse_space_restrict(space, index, &bound, 1);
        return DSE_OK;
    }
    int64_t *kept DSE_CLEANUP(dse_free_at) = dse_malloc(knob->domain_count * sizeof *kept);
    size_t count = 0;
    for (size_t i = 0; i < knob->domain_count; i++)
        if (compares(knob->domain[i], comparison, bound))
            kept[count++] = knob->domain[i];
    if (count > 0)
        dse_space_restrict(space, index, kept, count);
    return count > 0 ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "%s: leaves no value of %s to try", asked, knob->name);
}

static enum dse_status constrain_knob(struct dse_space *space, size_t index, const struct dse_term *term,
                                      struct dse_error *err)
{
    const struct dse_knob *knob = &space->knobs[index];
    int64_t bound = 0;
    if (knob->type == DSE_KNOB_CHOICE && term->comparison != DSE_EQUAL && term->comparison != DSE_UNEQUAL)
        return dse_fail(err, DSE_BAD_USAGE, "%s%s%s: the words of %s have no order; compare with = or !=", term->name,
                        dse_comparison_sign(term->comparison), term->value, knob->name);
    char asked[160];
    snprintf(asked, sizeof asked, "%s%s%s", term->name, dse_comparison_sign(term->comparison), term->value);
    DSE_TRY(dse_knob_parse(knob, term->value, &bound, err));
    return restrict_knob(space, index, term->comparison, bound, asked, err);
}

/* ---- metrics ---- */

/* A comparison that says what cannot be: "latency<=5: must be …" */
DSE_PRINTF(3, 4) static enum dse_status wrong(const struct dse_term *term, struct dse_error *err, const char *format, ...)
{
    char words[256];
    va_list values;
    va_start(values, format);
    vsnprintf(words, sizeof words, format, values);
    va_end(values);
    return dse_fail(err, DSE_BAD_USAGE, "%s%s%s: %s", term->name, dse_comparison_sign(term->comparison), term->value, words);
}

static enum dse_status wrong_quantity(const struct dse_term *term, const struct dse_metric_info *metric, struct dse_error *err)
{
    const char *unit = dse_dimension_unit(metric->dimension);
    if (dse_number_length(term->value) > 0 && isinf(strtod(term->value, NULL)))
        return wrong(term, err, "the number is out of range");
    if (*unit != '\0')
        return wrong(term, err, "must be a number with the unit %s (and a prefix, as in 0.5m%s)", unit, unit);
    return wrong(term, err, "must be a number%s", metric->resource >= 0 ? ", or a share of the board such as 50%" : "");
}

/* The comparison of 1 − x with 1 − bound that says what this one says of x and its bound. */
static enum dse_comparison turned(enum dse_comparison comparison)
{
    static const enum dse_comparison other[] = {
        [DSE_AT_MOST] = DSE_AT_LEAST, [DSE_AT_LEAST] = DSE_AT_MOST, [DSE_BELOW] = DSE_ABOVE,
        [DSE_ABOVE] = DSE_BELOW,      [DSE_EQUAL] = DSE_EQUAL,      [DSE_UNEQUAL] = DSE_UNEQUAL,
    };
    return other[comparison];
}

/* A strict comparison of real numbers is the other one at the next number. */
static double strict_bound(enum dse_comparison comparison, double bound)
{
    if (comparison == DSE_BELOW)
        return nextafter(bound, -INFINITY);
    return comparison == DSE_ABOVE ? nextafter(bound, INFINITY) : bound;
}

/* Half of the last digit of a number as it is written, in its own unit: 0.05 of "822.5ns". A limit that has as many digits as are
 * printed (four; of a quality three decimals) is one that rounds as printed, so that a figure given back admits its own design; one
 * with fewer, and a strict one, is meant as it stands. */
static double rounding(const struct dse_term *term, const struct dse_metric_info *metric)
{
    const char *text = term->value;
    size_t length = dse_number_length(text), digits = 0, decimals = 0;
    bool fraction = false, leading = true;
    long exponent = 0;
    if (metric->resource >= 0 || metric == &dse_metrics[DSE_METRIC_CYCLES] || term->comparison == DSE_BELOW || term->comparison == DSE_ABOVE)
        return 0.0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == 'e' || text[i] == 'E') {
            exponent = strtol(text + i + 1, NULL, 10);
            break;
        }
        fraction |= text[i] == '.';
        if (text[i] < '0' || text[i] > '9')
            continue;
        leading &= text[i] == '0';
        digits += !leading;
        decimals += fraction;
    }
    bool as_printed = metric == &dse_metrics[DSE_METRIC_QUALITY] ? decimals >= 3 : digits >= 4 && decimals > 0;
    return as_printed ? 0.5 * (1.0 + 1e-9) * pow(10.0, (double)exponent - (double)decimals) : 0.0;
}

/* What can be read and still says nothing: a time or an energy without a unit (20 s exclude nothing), and a quality as if it
 * were a percentage. */
static enum dse_status check_meaning(const struct dse_term *term, const struct dse_metric_info *metric, double bound,
                                     struct dse_error *err)
{
    const char *value = term->value;
    const char *unit = dse_dimension_unit(metric->dimension);
    bool bare = value[dse_number_length(value)] == '\0' && bound != 0.0;
    if (bare && (metric->dimension == DSE_DIMENSION_TIME || metric->dimension == DSE_DIMENSION_ENERGY))
        return wrong(term, err, "without a unit; %s%s, or %su%s?", value, unit, value, unit);
    if (metric != &dse_metrics[DSE_METRIC_QUALITY] || bound <= 1.0)
        return DSE_OK;
    bool share = bare && bound >= 2.0 && bound <= 100.0; /* 1.2 is no share in per cent */
    return wrong(term, err, "is at most 1%s%s%s", share ? "; " : "", share ? value : "", share ? "%?" : "");
}

static enum dse_status constrain_metric(struct dse_question *question, enum dse_metric index,
                                        const struct dse_term *term, struct dse_error *err)
{
    const struct dse_metric_info *metric = &dse_metrics[index];
    if (term->comparison == DSE_EQUAL || term->comparison == DSE_UNEQUAL)
        return wrong(term, err, "a metric is compared with <=, >=, < or >");
    double bound = 0.0;
    bool percent = false;
    const char *end = term->value;
    if (!dse_quantity_parse(term->value, metric->dimension, &bound, &percent, &end) || *end != '\0')
        return wrong_quantity(term, metric, err);
    if (percent && metric->resource < 0 && index != DSE_METRIC_QUALITY)
        return wrong_quantity(term, metric, err);
    if (percent) {
        int64_t limits[DSE_RESOURCE_COUNT];
        dse_board_limits(question->board, question->headroom, limits);
        bound *= metric->resource >= 0 ? (double)limits[metric->resource] / 100.0 : 0.01;
    }
    if (question->limit_count == DSE_LIMIT_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--where: more than %d limits on metrics", DSE_LIMIT_MAX);
    bool error = dse_metric_is_error(term->name);
    DSE_TRY(check_meaning(term, metric, bound, err));
    double written = strtod(term->value, NULL), unit = written != 0.0 ? bound / written : 1.0;
    bound += (term->comparison == DSE_AT_LEAST ? -1.0 : 1.0) * unit * rounding(term, metric);
    enum dse_comparison comparison = error ? turned(term->comparison) : term->comparison;
    bool at_least = comparison == DSE_AT_LEAST || comparison == DSE_ABOVE;
    question->limits[question->limit_count++] =
        (struct dse_limit){index, at_least, strict_bound(comparison, error ? 1.0 - bound : bound)};
    return DSE_OK;
}

static enum dse_status unknown_name(const struct dse_space *space, const char *name, struct dse_error *err)
{
    const char *names[DSE_METRIC_COUNT + DSE_KNOB_MAX];
    size_t count = 0;
    for (; count < DSE_METRIC_COUNT; count++)
        names[count] = dse_metrics[count].name;
    for (size_t k = 0; k < space->count; k++)
        names[count++] = space->knobs[k].name;
    const char *near = dse_names_nearest(name, names, count);
    return dse_fail(err, DSE_BAD_USAGE, "%s: neither a metric nor a knob of the family %s%s%s%s", name, space->family,
                    near != NULL ? "; did you mean " : "", near != NULL ? near : "", near != NULL ? "?" : "");
}

static enum dse_status apply_fix(struct dse_question *question, struct dse_space *space, const char *fix,
                                 struct dse_error *err)
{
    char name[64];
    size_t length = strcspn(fix, "=");
    if (length >= sizeof name)
        return dse_fail(err, DSE_BAD_USAGE, "--fix %s: must be KNOB or KNOB=VALUE", fix);
    snprintf(name, sizeof name, "%.*s", (int)length, fix);
    int index = -1;
    DSE_TRY(dse_space_need(space, name, &index, err));
    int64_t value = question->base.value[index];
    if (fix[length] == '=')
        DSE_TRY(dse_knob_parse(&space->knobs[index], fix + length + 1, &value, err));
    dse_space_restrict(space, (size_t)index, &value, 1);
    return DSE_OK;
}

enum dse_status dse_question_constrain(struct dse_question *question, struct dse_space *space,
                                       const struct dse_expression *where, const struct dse_choice *choice,
                                       struct dse_error *err)
{
    question->space = space;
    for (size_t i = 0; i < choice->fix_count; i++)
        DSE_TRY(apply_fix(question, space, choice->fix[i], err));
    for (size_t i = 0; i < where->count; i++) {
        const struct dse_term *term = &where->terms[i];
        int knob = dse_space_find(space, term->name), metric = dse_metric_find(term->name);
        DSE_TRY(metric >= 0 ? constrain_metric(question, (enum dse_metric)metric, term, err)
                : knob >= 0 ? constrain_knob(space, (size_t)knob, term, err)
                            : unknown_name(space, term->name, err));
    }
    return DSE_OK;
}

enum dse_status dse_question_baseline(const struct dse_space *space, const struct dse_setting *preset, struct dse_config *out,
                                      dse_knob_set *fixed, struct dse_error *err)
{
    struct dse_config published;
    dse_knob_set differs = 0;
    dse_space_default(space, out);
    DSE_TRY(dse_config_apply(space, out, preset, err));
    published = *out;
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        if (knob->domain_count == 1 && (knob->restricted || knob->kind == DSE_KNOB_HARDWARE))
            out->value[k] = knob->domain[0];
    }
    dse_config_canonical(space, out);
    for (size_t k = 0; k < space->count; k++)
        if (out->value[k] != published.value[k] && dse_knob_active(space, out, k))
            differs |= DSE_KNOB_BIT(k);
    if (fixed != NULL)
        *fixed = differs;
    return DSE_OK;
}

enum dse_status dse_question_objectives(struct dse_question *question, const char *text, struct dse_error *err)
{
    question->objective_count = 0;
    while (*text != '\0') {
        char name[64];
        size_t length = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
        int metric = dse_metric_find(name);
        if (metric < 0) {
            struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0};
            for (int m = 0; m < DSE_METRIC_COUNT; m++)
                dse_strbuf_printf(&names, "%s%s", m > 0 ? ", " : "", dse_metrics[m].name);
            return dse_fail(err, DSE_BAD_USAGE, "--objectives %s: \"%s\" is no metric; there are %s", text, name, dse_strbuf_text(&names));
        }
        for (size_t i = 0; i < question->objective_count; i++)
            if (question->objectives[i] == (enum dse_metric)metric)
                return dse_fail(err, DSE_BAD_USAGE, "--objectives: %s stands twice", name);
        question->objectives[question->objective_count++] = (enum dse_metric)metric;
        text += length + (text[length] == ',');
    }
    if (question->objective_count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "--objectives: needs at least one metric");
    return DSE_OK;
}

/* ---- alternatives ---- */

bool dse_question_admits(const struct dse_question *question, const struct dse_config *config)
{
    dse_knob_set algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    for (size_t k = 0; k < question->space->count; k++) {
        const struct dse_knob *knob = &question->space->knobs[k];
        if ((algorithmic >> k & 1) != 0 && knob->restricted && dse_knob_active(question->space, config, k) &&
            !dse_knob_in_domain(knob, config->value[k]))
            return false;
    }
    return true;
}

enum dse_metric dse_metric_of_resource(int resource)
{
    int metric = 0;
    while (dse_metrics[metric].resource != resource)
        metric++;
    return (enum dse_metric)metric;
}

bool dse_question_limits(const struct dse_question *question, enum dse_metric metric)
{
    bool limits = false;
    for (size_t i = 0; i < question->limit_count; i++)
        limits |= question->limits[i].metric == metric;
    return limits;
}

bool dse_question_asks(const struct dse_question *question, enum dse_metric metric)
{
    bool asks = dse_question_limits(question, metric);
    for (size_t i = 0; i < question->objective_count; i++)
        asks |= question->objectives[i] == metric;
    return asks;
}

static int by_quality(const void *a, const void *b)
{
    const struct dse_alternative *x = a, *y = b;
    if (x->quality != y->quality)
        return x->quality > y->quality ? -1 : 1;
    return dse_config_compare(&x->config, &y->config);
}

void dse_choice_nothing(const struct dse_profile *profile, const struct dse_choice_count *why, struct dse_error *words)
{
    bool constant = !isnan(why->standard.majority) && why->standard.preset - why->standard.drop <= why->standard.majority;
    dse_fail(words, DSE_ANSWER_NO,
             "%s: no measured setting is left: of %zu in the profile %zu have no workload, %zu are ruled out by "
             "--fix or --where, %zu have a quality below %.4g%s; widen --quality-drop, or profile more settings "
             "with `nysx-dse datasets profile`",
             profile->dataset, why->measured, why->without_work, why->fixed_out, why->below_quality, why->standard.floor,
             constant ? ", what a constant answer reaches" : "");
}

/* All families measure what is better when higher, and so every comparison here is made; a profile by hand may say otherwise,
 * and an answer that prefers the larger error would be the wrong one. */
static enum dse_status check_direction(const struct dse_profile *profile, struct dse_error *err)
{
    for (size_t i = 0; i < profile->quality_count; i++)
        if (!profile->qualities[i].higher_is_better)
            return dse_fail(err, DSE_BAD_INPUT, "%s: the profile's <quality name=\"%s\" better=\"lower\">: a search takes a quality "
                            "that is better when higher, such as 1 - %s", profile->dataset, profile->qualities[i].name,
                            profile->qualities[i].name);
    return DSE_OK;
}

enum dse_status dse_question_alternatives(const struct dse_question *question,
                                          const struct dse_profile *profile, const struct dse_choice *choice,
                                          struct dse_alternative **out, size_t *count,
                                          struct dse_choice_count *why, struct dse_error *err)
{
    *why = (struct dse_choice_count){.measured = profile->quality_count};
    *out = NULL;
    *count = 0;
    DSE_TRY(check_direction(profile, err));
    dse_standard_make(profile, dse_question_limits(question, DSE_METRIC_QUALITY) ? INFINITY : choice->quality_drop, &why->standard);
    if (profile->quality_count == 0 && !dse_question_asks(question, DSE_METRIC_QUALITY))
        return dse_question_unmeasured(question, profile, out, count, err);
    *out = dse_calloc(profile->quality_count + 1, sizeof **out);
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < profile->quality_count; i++) {
        const struct dse_quality *quality = &profile->qualities[i];
        struct dse_alternative *next = &(*out)[*count];
        dse_space_default(question->space, &next->config);
        status = dse_config_apply(question->space, &next->config, &profile->preset, err);
        if (status == DSE_OK)
            status = dse_config_apply(question->space, &next->config, &quality->setting, err);
        if (status != DSE_OK)
            break;
        dse_config_canonical(question->space, &next->config);
        next->quality = quality->mean;
        next->workload = dse_profile_find_work(question->space, profile, &next->config);
        if (next->workload == NULL)
            why->without_work++;
        else if (!dse_question_admits(question, &next->config))
            why->fixed_out++;
        else if (!(quality->mean >= why->standard.floor))
            why->below_quality++;
        else
            ++*count;
    }
    if (status != DSE_OK) {
        free(*out);
        *out = NULL;
        return status;
    }
    qsort(*out, *count, sizeof **out, by_quality);
    return DSE_OK;
}

uint64_t dse_question_size(const struct dse_question *question)
{
    struct dse_space *space DSE_CLEANUP(dse_free_at) = dse_malloc(sizeof *space); /* a copy that owns nothing */
    dse_knob_set algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    *space = *question->space;
    uint64_t total = 0;
    for (size_t a = 0; a < question->alternative_count; a++) {
        for (size_t k = 0; k < space->count; k++)
            if ((algorithmic >> k & 1) != 0) {
                space->knobs[k].domain = &question->alternatives[a].config.value[k];
                space->knobs[k].domain_count = 1;
            }
        total = dse_saturating_add(total, dse_space_size(space, question->free | algorithmic));
    }
    return total;
}
