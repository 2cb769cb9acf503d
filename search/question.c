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
#include "search/filter.h"
#include "search/groups.h"

/* ---- knobs ---- */

static bool allows(const struct dse_knob_limit *limit, int64_t value)
{
    if (limit->barred != 0)
        return (limit->barred >> value & 1) == 0;
    switch (limit->comparison) {
    case DSE_AT_MOST: return value <= limit->bound;
    case DSE_AT_LEAST: return value >= limit->bound;
    case DSE_BELOW: return value < limit->bound;
    case DSE_ABOVE: return value > limit->bound;
    case DSE_EQUAL: return value == limit->bound;
    case DSE_UNEQUAL: return value != limit->bound;
    }
    return false;
}

static enum dse_status add_knob_limit(struct dse_question *question, struct dse_knob_limit limit, struct dse_error *err)
{
    if (question->knob_limit_count == DSE_KNOB_LIMIT_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--where and --fix: more than %d limits on knobs", DSE_KNOB_LIMIT_MAX);
    question->knob_limits[question->knob_limit_count++] = limit;
    return DSE_OK;
}

/* Reports an impossible comparison: "--where latency<=5: must be …" */
DSE_PRINTF(3, 4) static enum dse_status wrong(const struct dse_term *term, struct dse_error *err, const char *format, ...)
{
    char words[512];
    va_list values;
    va_start(values, format);
    vsnprintf(words, sizeof words, format, values);
    va_end(values);
    return dse_fail(err, DSE_BAD_USAGE, "%s %s%s%s: %s", term->option, term->name, dse_comparison_sign(term->comparison), term->value, words);
}

/* The bound of an inequality may lie between or beyond the knob's values; that of = must be one of them. */
static enum dse_status parse_bound(const struct dse_knob *knob, const struct dse_term *term, int64_t *bound, struct dse_error *err)
{
    const struct dse_knob any = {.type = knob->type, .minimum = INT64_MIN, .maximum = INT64_MAX};
    char allowed[480];
    if (term->comparison == DSE_EQUAL || knob->type == DSE_KNOB_CHOICE)
        return dse_knob_parse(knob, term->value, bound, NULL) == DSE_OK ? DSE_OK : wrong(term, err, "must be %s", dse_knob_allowed(knob, allowed, sizeof allowed));
    return dse_knob_parse(&any, term->value, bound, NULL) == DSE_OK ? DSE_OK : wrong(term, err, "must be a number");
}

static enum dse_status constrain_knob(struct dse_question *question, size_t index, const struct dse_term *term,
                                      struct dse_error *err)
{
    const struct dse_knob *knob = &question->space->knobs[index];
    int64_t bound = 0;
    if (knob->type == DSE_KNOB_CHOICE && term->comparison != DSE_EQUAL && term->comparison != DSE_UNEQUAL)
        return wrong(term, err, "the words of %s have no order; compare with = or !=", knob->name);
    DSE_TRY(parse_bound(knob, term, &bound, err));
    return add_knob_limit(question, (struct dse_knob_limit){.knob = index, .comparison = term->comparison, .bound = bound}, err);
}

static bool knob_holds(const struct dse_question *question, size_t knob, int64_t value)
{
    bool holds = true;
    for (size_t i = 0; i < question->knob_limit_count; i++) {
        const struct dse_knob_limit *limit = &question->knob_limits[i];
        holds &= limit->knob != knob || allows(limit, value);
    }
    return holds;
}

void dse_knob_limit_write(const struct dse_question *question, const struct dse_knob_limit *limit, struct dse_strbuf *out)
{
    const struct dse_knob *knob = &question->space->knobs[limit->knob];
    char value[64];
    dse_strbuf_printf(out, "%s%s%s%s", limit->fixed ? "--fix " : "", knob->name, dse_comparison_sign(limit->comparison),
                      dse_knob_format(knob, limit->bound, value, sizeof value));
}

/* Whether a value meets the limits `first` and `second`. */
static bool any_holds(const struct dse_question *question, const int64_t *values, size_t count, size_t first, size_t second)
{
    const struct dse_knob_limit *limits = question->knob_limits;
    for (size_t i = 0; i < count; i++)
        if (allows(&limits[first], values[i]) && allows(&limits[second], values[i]))
            return true;
    return false;
}

/* Marks the limits that leave a knob no value: one or two if sufficient, otherwise all. */
static void mark_emptying(struct dse_question *question, size_t knob, const int64_t *values, size_t count)
{
    struct dse_knob_limit *limits = question->knob_limits;
    size_t named[DSE_KNOB_LIMIT_MAX], all = 0;
    for (size_t i = 0; i < question->knob_limit_count; i++)
        if (limits[i].knob == knob)
            named[all++] = i;
    for (size_t j = 0; j < all; j++)
        for (size_t i = 0; i <= j; i++) {
            size_t a = named[i], b = named[j];
            if (any_holds(question, values, count, a, b))
                continue;
            limits[b].empties = true;
            limits[a].empties |= any_holds(question, values, count, b, b);
            return;
        }
    for (size_t i = 0; i < all; i++)
        limits[named[i]].empties = true;
}

/* Lists the limits that leave a knob no value, in order, replacing an implied limit by its causes; returns their number. */
static size_t list_emptying(const struct dse_question *question, size_t knob, size_t *out)
{
    size_t count = 0;
    for (size_t i = 0; i < question->knob_limit_count; i++) {
        const struct dse_knob_limit *limit = &question->knob_limits[i];
        if (limit->knob != knob || !limit->empties)
            continue;
        if (limit->barred != 0)
            count += list_emptying(question, limit->by, out + count);
        else
            out[count++] = i;
    }
    return count;
}

/* "; --fix clock_mhz=10 uses it; the nearest visited value is 50": for a possible value of the knob that is not among `values`.
 * `most`: the largest usable clock, else 0. */
static void write_unvisited(const struct dse_knob *knob, int64_t asked, const int64_t *values, size_t count, const char *besides, int64_t most, struct dse_strbuf *out)
{
    char value[64], near[2][64];
    const int64_t *around[2] = {NULL, NULL}; /* nearest value below and above */
    for (size_t v = 0; v < count; v++) {
        const int64_t **place = &around[values[v] > asked];
        if (*place == NULL || (values[v] > asked) == (values[v] < **place))
            *place = &values[v];
    }
    if (most > 0 && asked > most)
        dse_strbuf_printf(out, "; the board closes timing up to %lld MHz", (long long)most);
    else
        dse_strbuf_printf(out, "; --fix %s=%s%s uses it", knob->name, dse_knob_format(knob, asked, value, sizeof value), besides);
    bool two = around[0] != NULL && around[1] != NULL, words = knob->type == DSE_KNOB_CHOICE;
    for (int i = 0; i < 2 && !words; i++)
        if (around[i] != NULL)
            dse_strbuf_printf(out, "%s%s", i == 1 && two ? " and " : two ? "; the nearest visited values are " : "; the nearest visited value is ",
                              dse_knob_format(knob, *around[i], near[i], sizeof near[i]));
}

/* "units<=1 and units=4: no value of units meets both"; `never`: no possible value of the knob does. */
static void write_emptying(const struct dse_question *question, size_t knob, bool never, struct dse_strbuf *out)
{
    size_t named[DSE_KNOB_LIMIT_MAX], count = list_emptying(question, knob, named);
    const struct dse_knob *k = &question->space->knobs[knob];
    bool one_knob = true;
    char value[64];
    for (size_t i = 0; i < count; i++) {
        dse_strbuf_add(out, i == 0 ? "" : i + 1 < count ? ", " : " and ");
        dse_knob_limit_write(question, &question->knob_limits[named[i]], out);
        one_knob &= question->knob_limits[named[i]].knob == knob;
    }
    if (count == 1 && k->restricted && k->domain_count == 1)
        dse_strbuf_printf(out, " and --set %s=%s: no value of %s meets both", k->name, dse_knob_format(k, k->domain[0], value, sizeof value), k->name);
    else if (!one_knob)
        dse_strbuf_printf(out, ": no design meets %s", count == 2 ? "both" : "all");
    else
        dse_strbuf_printf(out, count == 1 ? ": leaves no value of %s to try" : never ? ": no value of %s meets %s" : ": no visited value of %s meets %s; --fix uses others", k->name,
                          count == 2 ? "both" : "all");
    for (size_t i = 0; i < count && !(one_knob && count > 1); i++) {
        const struct dse_knob_limit *limit = &question->knob_limits[named[i]];
        const struct dse_knob *own = &question->space->knobs[limit->knob];
        if (limit->comparison != DSE_EQUAL || limit->fixed || own->restricted || dse_knob_in_domain(own, limit->bound))
            continue;
        write_unvisited(own, limit->bound, own->domain, own->domain_count, "",
                        limit->knob == question->family->clock_knob ? (int64_t)(question->board->max_clock_hz / 1e6) : 0, out);
        return;
    }
}

/* A knob without a remaining value: designs to which it applies are excluded. If a word of another knob decides whether it applies, those
 * words are removed. Otherwise, or if no value at all (`never`) meets the limits of the knob, nothing is left. */
static enum dse_status leave_none(struct dse_question *question, size_t index, const int64_t *values, size_t count, bool never, struct dse_error *err)
{
    const struct dse_knob *knob = &question->space->knobs[index];
    struct dse_strbuf words DSE_CLEANUP(dse_strbuf_free) = {0};
    size_t named[DSE_KNOB_LIMIT_MAX];
    mark_emptying(question, index, values, count);
    if (knob->condition >= 0 && !never) {
        const struct dse_knob_limit bars = {.knob = (size_t)knob->condition, .barred = knob->condition_choices, .by = index};
        return add_knob_limit(question, bars, err);
    }
    for (size_t i = list_emptying(question, index, named); i > 0; i--)
        question->knob_limits[named[i - 1]].contradicts = true;
    write_emptying(question, index, never, &words);
    return dse_fail(err, DSE_ANSWER_NO, "%s", dse_strbuf_text(&words));
}

void dse_question_note(const struct dse_question *question, struct dse_strbuf *out)
{
    for (size_t i = 0; i < question->knob_limit_count; i++) {
        const struct dse_knob_limit *limit = &question->knob_limits[i];
        if (limit->barred == 0)
            continue;
        dse_strbuf_add(out, out->length > 0 ? "\n" : "");
        write_emptying(question, limit->by, false, out);
        dse_strbuf_printf(out, "; the remaining designs are those to which %s does not apply", question->space->knobs[limit->by].name);
    }
}

/* Whether a measured setting, or without any the base, has that value of a knob. `values` (quality_count + 1) receives their values. */
static bool is_measured(const struct dse_question *question, const struct dse_profile *profile, const struct dse_knob_limit *limit, int64_t *values, size_t *count)
{
    struct dse_config config = question->base;
    bool there = false;
    *count = 0;
    for (size_t i = 0; i < profile->quality_count || i == 0; i++) {
        if (profile->quality_count > 0 && dse_config_apply(question->space, &config, &profile->qualities[i].setting, NULL) != DSE_OK)
            continue;
        if (!dse_knob_active(question->space, &config, limit->knob))
            continue;
        values[(*count)++] = config.value[limit->knob];
        there |= config.value[limit->knob] == limit->bound;
    }
    return there;
}

void dse_question_note_unmeasured(const struct dse_question *question, const struct dse_profile *profile, bool measures, struct dse_strbuf *out)
{
    int64_t *values DSE_CLEANUP(dse_free_at) = dse_malloc((profile->quality_count + 1) * sizeof *values);
    for (size_t i = 0; i < question->knob_limit_count; i++) {
        const struct dse_knob_limit *limit = &question->knob_limits[i];
        const struct dse_knob *knob = &question->space->knobs[limit->knob];
        char value[64], free[96] = "";
        size_t count;
        bool measured = ((unsigned)knob->kind & DSE_KNOB_ALGORITHMIC) != 0 && knob->follows == 0;
        if (!measured || limit->barred != 0 || (limit->fixed && profile->quality_count == 0) || limit->comparison != DSE_EQUAL || (measures && dse_knob_in_domain(knob, limit->bound)) ||
            is_measured(question, profile, limit, values, &count))
            continue;
        if (profile->quality_count > 0)
            snprintf(free, sizeof free, " --free %s", knob->name);
        dse_strbuf_printf(out, "%s%s=%s: %s", out->length > 0 ? "; " : "", knob->name, dse_knob_format(knob, limit->bound, value, sizeof value),
                          profile->quality_count > 0 ? "no measured setting has it" : "the profile's own setting has another");
        write_unvisited(knob, limit->bound, values, count, free, 0, out);
        if (question->alternative_count > 0)
            dse_strbuf_printf(out, "; the remaining designs are those to which %s does not apply", knob->name);
    }
}

/* Least value above a bound and below the maximum, for a knob with all values of its range or all powers of two. */
static int64_t next_value(const struct dse_knob *knob, int64_t bound)
{
    int64_t next = bound < knob->minimum ? knob->minimum : bound < knob->maximum ? bound + 1 : bound;
    while (knob->power_of_two && (next & (next - 1)) != 0)
        next += next & -next;
    return next;
}

/* Values of a knob that the question visits: those of a sweep and of --fix, except for a knob that --set has fixed. With `legal` instead enough
 * values of the whole domain to include one that meets all limits, if there is one. These are the first value, those that the limits name, and the
 * next after each. */
static size_t list_values(const struct dse_question *question, size_t index, bool legal, int64_t *values)
{
    const struct dse_knob *knob = &question->space->knobs[index];
    size_t count = knob->domain_count;
    memcpy(values, knob->domain, count * sizeof *values);
    if (knob->restricted)
        return count;
    if (legal)
        values[count++] = knob->minimum;
    for (size_t i = 0; i < knob->listed_count && legal; i++)
        values[count++] = knob->listed[i];
    for (size_t i = 0; i < question->knob_limit_count; i++) {
        const struct dse_knob_limit *limit = &question->knob_limits[i];
        if (limit->knob != index || limit->barred != 0)
            continue;
        int64_t next = next_value(knob, limit->bound);
        bool there = false;
        for (size_t v = 0; v < count; v++)
            there |= values[v] == limit->bound;
        if (!there && dse_knob_within(knob, limit->bound) && (legal || limit->fixed))
            values[count++] = limit->bound;
        if (legal && dse_knob_within(knob, next))
            values[count++] = next;
    }
    return count;
}

/* Keeps the values that meet all limits on the knob; returns their number. */
static size_t keep_holding(const struct dse_question *question, size_t index, int64_t *values, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (knob_holds(question, index, values[i]))
            values[kept++] = values[i];
    return kept;
}

/* Whether the limits leave a knob exactly one possible value; `values` are some that meet them. */
static bool is_one(const struct dse_question *question, size_t index, const int64_t *values, size_t count)
{
    const struct dse_knob *knob = &question->space->knobs[index];
    int64_t next = count > 0 ? next_value(knob, values[0]) : 0;
    bool one = count > 0 && (next == values[0] || !dse_knob_within(knob, next) || !knob_holds(question, index, next));
    for (size_t i = 1; i < count; i++)
        one &= values[i] == values[0];
    return one;
}

/* Restricts a knob to the visited values that meet all limits on it. A measured knob may have none left: measured settings may have others. */
static enum dse_status narrow(struct dse_question *question, struct dse_space *space, size_t index, struct dse_error *err)
{
    struct dse_knob *knob = &space->knobs[index];
    bool measured = ((unsigned)knob->kind & DSE_KNOB_ALGORITHMIC) != 0, limited = false, fixed = knob->restricted;
    size_t room = knob->domain_count + knob->listed_count + 1 + 2 * question->knob_limit_count;
    int64_t *values DSE_CLEANUP(dse_free_at) = dse_malloc(2 * room * sizeof *values), *legal = values + room;
    for (size_t i = 0; i < question->knob_limit_count; i++) {
        limited |= question->knob_limits[i].knob == index;
        fixed |= question->knob_limits[i].knob == index && question->knob_limits[i].fixed;
    }
    if (!limited)
        return DSE_OK;
    size_t count = list_values(question, index, false, values), kept = keep_holding(question, index, values, count);
    size_t legals = list_values(question, index, true, legal), holding = keep_holding(question, index, legal, legals);
    if (holding == 0 || (kept == 0 && !measured)) {
        count = list_values(question, index, holding == 0, values);
        return leave_none(question, index, values, count, holding == 0, err);
    }
    bool one = kept == 1 && is_one(question, index, legal, holding);
    dse_space_restrict(space, index, values, kept);
    knob->restricted = fixed || one || !measured;
    return DSE_OK;
}

/* ---- metrics ---- */

static enum dse_status wrong_quantity(const struct dse_term *term, const struct dse_metric_info *metric, struct dse_error *err)
{
    const char *unit = dse_dimension_unit(metric->dimension);
    if (dse_number_length(term->value) > 0 && isinf(strtod(term->value, NULL)))
        return wrong(term, err, "the number is out of range");
    if (*unit != '\0')
        return wrong(term, err, "must be a number with the unit %s (and a prefix, such as 0.5m%s)", unit, unit);
    return wrong(term, err, "must be a number%s", metric->resource >= 0 ? ", or a share of the board such as 50%" : "");
}

/* Comparison of 1 − x with 1 − bound that is equivalent to that of x with its bound. */
static enum dse_comparison turned(enum dse_comparison comparison)
{
    static const enum dse_comparison other[] = {
        [DSE_AT_MOST] = DSE_AT_LEAST, [DSE_AT_LEAST] = DSE_AT_MOST, [DSE_BELOW] = DSE_ABOVE,
        [DSE_ABOVE] = DSE_BELOW,      [DSE_EQUAL] = DSE_EQUAL,      [DSE_UNEQUAL] = DSE_UNEQUAL,
    };
    return other[comparison];
}

/* A strict comparison of real numbers equals the non-strict one at the adjacent number. */
static double strict_bound(enum dse_comparison comparison, double bound)
{
    if (comparison == DSE_BELOW)
        return nextafter(bound, -INFINITY);
    return comparison == DSE_ABOVE ? nextafter(bound, INFINITY) : bound;
}

/* Half of the last digit of a number in its own unit: 0.05 for "822.5ns". A limit with as many digits as are printed (four; for a quality three
 * decimals) allows for rounding. A printed figure used as a limit thus allows its own design. A limit with fewer digits, and a strict one, is exact. */
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
    int share = strchr(term->value, '%') != NULL ? 2 : 0; /* additional decimals of a percentage as a share */
    bool as_printed = metric == &dse_metrics[DSE_METRIC_QUALITY] ? decimals + share >= 3 : digits >= 4 && decimals > 0;
    return as_printed ? 0.5 * (1.0 + 1e-9) * pow(10.0, (double)exponent - (double)decimals) : 0.0;
}

/* Rejects limits that parse but are meaningless: a time or an energy without a unit (20 s exclude nothing), and a quality written
 * as a percentage number. */
static enum dse_status check_meaning(const struct dse_term *term, const struct dse_metric_info *metric, double bound,
                                     struct dse_error *err)
{
    const char *value = term->value;
    const char *unit = dse_dimension_unit(metric->dimension);
    bool bare = value[dse_number_length(value)] == '\0' && bound != 0.0;
    if (bare && (metric->dimension == DSE_DIMENSION_TIME || metric->dimension == DSE_DIMENSION_ENERGY))
        return wrong(term, err, "has no unit; write %s%s or %su%s", value, unit, value, unit);
    if (metric != &dse_metrics[DSE_METRIC_QUALITY] || bound <= 1.0)
        return DSE_OK;
    bool share = bare && bound >= 2.0 && bound <= 100.0; /* 1.2 is not a percentage */
    return wrong(term, err, "is at most 1%s%s%s", share ? "; " : "", share ? value : "", share ? "%?" : "");
}

enum dse_status dse_question_limit(struct dse_question *question, const struct dse_term *term, struct dse_error *err)
{
    enum dse_metric index = (enum dse_metric)dse_metric_find(term->name);
    const struct dse_metric_info *metric = &dse_metrics[index];
    if (term->comparison == DSE_EQUAL || term->comparison == DSE_UNEQUAL)
        return wrong(term, err, "a metric is compared with <=, >=, < or >");
    double bound = 0.0;
    bool percent = false;
    const char *end = term->value;
    if (!dse_quantity_parse(term->value, metric->dimension, &bound, &percent, &end) || *end != '\0')
        return wrong_quantity(term, metric, err);
    const struct dse_metric_alias *alias = dse_metric_alias_of(term->name), *error = alias != NULL && alias->error ? alias : NULL;
    if (percent && metric->resource < 0 && (index != DSE_METRIC_QUALITY || (error != NULL && error->figure)))
        return wrong_quantity(term, metric, err);
    if (percent) {
        int64_t limits[DSE_RESOURCE_COUNT] = {0};
        if (question->board != NULL) /* otherwise only limits on knobs matter */
            dse_board_limits(question->board, question->headroom, limits);
        bound = metric->resource >= 0 ? bound * (double)limits[metric->resource] / 100.0 : bound / 100.0; /* 89.5 % is exactly 0.895 */
    }
    if (question->limit_count == DSE_LIMIT_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "--where: more than %d limits on metrics", DSE_LIMIT_MAX);
    if (alias != NULL && alias->figure)
        question->figure = alias->name;
    double from = error != NULL ? dse_metric_error_from(error, question->quality) : 1.0;
    bool may_exceed = error != NULL && (from == 0.0 || question->quality == NULL); /* an error measured from 0 has any size */
    if ((alias == NULL || !alias->figure) && !may_exceed)
        DSE_TRY(check_meaning(term, metric, bound, err));
    double written = strtod(term->value, NULL), unit = written != 0.0 ? bound / written : 1.0, asked = error != NULL ? from - bound : bound;
    bound += (term->comparison == DSE_AT_LEAST ? -1.0 : 1.0) * unit * rounding(term, metric);
    enum dse_comparison comparison = error != NULL ? turned(term->comparison) : term->comparison;
    bool at_least = comparison == DSE_AT_LEAST || comparison == DSE_ABOVE;
    question->limits[question->limit_count++] =
        (struct dse_limit){index, at_least, strict_bound(comparison, error != NULL ? from - bound : bound), asked, comparison == DSE_BELOW || comparison == DSE_ABOVE};
    return DSE_OK;
}

enum dse_status dse_question_unknown(const struct dse_space *space, const char *option, const char *name, struct dse_error *err)
{
    const char *names[DSE_METRIC_COUNT + DSE_METRIC_ALIAS_COUNT + DSE_KNOB_MAX];
    size_t count = 0;
    for (; count < DSE_METRIC_COUNT; count++)
        names[count] = dse_metrics[count].name;
    for (size_t i = 0; i < DSE_METRIC_ALIAS_COUNT; i++)
        names[count++] = dse_metric_aliases[i].name;
    for (size_t k = 0; k < space->count; k++)
        names[count++] = space->knobs[k].name;
    const char *near = dse_names_nearest(name, names, count);
    return dse_fail(err, DSE_BAD_USAGE, "%s %s: neither a metric nor a knob of the family %s%s%s%s", option, name, space->family,
                    near != NULL ? "; did you mean " : "; `sweep --describe` lists its knobs", near != NULL ? near : "", near != NULL ? "?" : "");
}

static enum dse_status read_fix(const struct dse_question *question, const char *fix, struct dse_knob_limit *out, struct dse_error *err)
{
    char name[64];
    size_t length = strcspn(fix, "=");
    if (length >= sizeof name)
        return dse_fail(err, DSE_BAD_USAGE, "%s: must be KNOB or KNOB=VALUE", fix);
    snprintf(name, sizeof name, "%.*s", (int)length, fix);
    int index = -1;
    DSE_TRY(dse_space_need(question->space, name, &index, err));
    int64_t value = question->base.value[index];
    if (fix[length] == '=')
        DSE_TRY(dse_knob_parse(&question->space->knobs[index], fix + length + 1, &value, err));
    *out = (struct dse_knob_limit){.knob = (size_t)index, .comparison = DSE_EQUAL, .bound = value, .fixed = true};
    return DSE_OK;
}

static enum dse_status apply_fix(struct dse_question *question, const char *fix, struct dse_error *err)
{
    struct dse_knob_limit limit;
    struct dse_error why = {0};
    const enum dse_status status = read_fix(question, fix, &limit, &why);
    return status == DSE_OK ? add_knob_limit(question, limit, err) : dse_fail(err, status, "--fix %s", why.message);
}

bool dse_question_is_condition(const struct dse_space *space, const struct dse_term *term)
{
    int knob = dse_metric_find(term->name) < 0 ? dse_space_find(space, term->name) : -1;
    int64_t value;
    double real;
    if (term->name[0] == '\0' || (dse_metric_find(term->name) < 0 && strchr(term->value, '/') != NULL)) /* "pe<=8/s" of a knob s */
        return true;
    if (knob >= 0 && parse_bound(&space->knobs[knob], term, &value, NULL) == DSE_OK)
        return false;
    bool between = knob >= 0 && space->knobs[knob].type != DSE_KNOB_CHOICE && term->comparison != DSE_EQUAL && dse_number_real(term->value, &real) == DSE_NUMBER_READ;
    return between || dse_metric_find(term->value) >= 0 || dse_space_find(space, term->value) >= 0;
}

static bool mentions(const struct dse_term *term, const char *word)
{
    for (size_t at = 0; at + strlen(word) <= term->length; at++)
        if (memcmp(term->text + at, word, strlen(word)) == 0)
            return true;
    return false;
}

bool dse_question_term_on_units(const struct dse_question *question, const struct dse_space *space, const struct dse_term *term)
{
    const char *units = space->knobs[question->family->units_knob].name, *item = dse_metrics[DSE_METRIC_ENERGY_SYSTEM].name;
    if (dse_question_is_condition(space, term))
        return mentions(term, units) || mentions(term, item);
    return strcmp(term->name, units) == 0 || (strcmp(term->name, item) == 0 && (term->comparison == DSE_AT_MOST || term->comparison == DSE_BELOW));
}

bool dse_question_term_on_flow(const struct dse_space *space, const struct dse_term *term)
{
    if (dse_question_is_condition(space, term))
        return mentions(term, dse_metrics[DSE_METRIC_THROUGHPUT].name);
    int metric = dse_metric_find(term->name);
    return (metric == DSE_METRIC_THROUGHPUT || metric == DSE_METRIC_THROUGHPUT_SYSTEM) && (term->comparison == DSE_AT_LEAST || term->comparison == DSE_ABOVE);
}

bool dse_question_every_overlap(const struct dse_model_family *family, struct dse_space *space)
{
    struct dse_knob *knob = &space->knobs[family->overlap_knob];
    if (family->steps == NULL || knob->restricted)
        return false;
    int64_t *values DSE_CLEANUP(dse_free_at) = dse_calloc(knob->choice_count, sizeof *values);
    for (size_t i = 0; i < knob->choice_count; i++)
        values[i] = (int64_t)i;
    dse_space_restrict(space, family->overlap_knob, values, knob->choice_count);
    knob->restricted = false;
    return true;
}

void dse_question_few_units(const struct dse_question *question, struct dse_space *space)
{
    struct dse_knob *units = &space->knobs[question->family->units_knob];
    if (units->restricted || dse_question_asks_rate(question) || dse_question_asks(question, DSE_METRIC_ENERGY_SYSTEM) || dse_question_reads(question, question->family->units_knob))
        return;
    int64_t fewest = units->domain[0];
    for (size_t i = 1; i < units->domain_count; i++)
        fewest = units->domain[i] < fewest ? units->domain[i] : fewest;
    dse_space_restrict(space, question->family->units_knob, &fewest, 1);
    units->restricted = false; /* --fix may name others */
}

enum dse_status dse_question_constrain(struct dse_question *question, struct dse_space *space,
                                       const struct dse_expression *where, const struct dse_choice *choice,
                                       struct dse_error *err)
{
    question->space = space;
    for (size_t i = 0; i < choice->fix_count; i++)
        DSE_TRY(apply_fix(question, choice->fix[i], err));
    for (size_t i = 0; i < where->count; i++) {
        const struct dse_term *term = &where->terms[i];
        if (dse_question_is_condition(space, term)) {
            DSE_TRY(dse_filter_add(question, space, term, err));
            continue;
        }
        int knob = dse_space_find(space, term->name), metric = dse_metric_find(term->name);
        DSE_TRY(metric >= 0 ? dse_question_limit(question, term, err)
                : knob >= 0 ? constrain_knob(question, (size_t)knob, term, err)
                            : dse_question_unknown(space, term->option, term->name, err));
    }
    DSE_TRY(dse_filters_agree(question, space, err));
    for (size_t k = space->count; k-- > 0;) /* knobs before those whose words decide whether they apply */
        DSE_TRY(narrow(question, space, k, err));
    return dse_filters_apply(question, space, err);
}

enum dse_status dse_question_baseline(const struct dse_model_family *family, const struct dse_space *space, const struct dse_board *board,
                                      const struct dse_setting *preset, struct dse_config *out, dse_knob_set *fixed, struct dse_error *err)
{
    struct dse_config published;
    dse_knob_set differs = {{0}};
    DSE_TRY(dse_model_published(family, space, board, preset, out, err));
    published = *out;
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        if (knob->domain_count == 1 && (knob->restricted || knob->kind == DSE_KNOB_HARDWARE))
            dse_config_put(space, out, k, knob->domain[0]);
    }
    dse_config_canonical(space, out);
    for (size_t k = 0; k < space->count; k++)
        if (out->value[k] != published.value[k] && dse_knob_active(space, out, k))
            dse_bits_add(&differs, k);
    if (fixed != NULL)
        *fixed = differs;
    return DSE_OK;
}

enum dse_status dse_objective_unknown(const char *option, const char *whole, const char *name, struct dse_error *err)
{
    struct dse_strbuf list DSE_CLEANUP(dse_strbuf_free) = {0};
    const char *names[DSE_METRIC_COUNT];
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        names[m] = dse_metrics[m].name;
        dse_strbuf_printf(&list, "%s%s", m > 0 ? ", " : "", names[m]);
    }
    const char *near = dse_names_nearest(name, names, DSE_METRIC_COUNT);
    return dse_fail(err, DSE_BAD_USAGE, "--%s %s: \"%s\" is not a metric%s%s%s; the metrics are %s", option, whole, name, near != NULL ? " (did you mean " : "",
                    near != NULL ? near : "", near != NULL ? "?)" : "", dse_strbuf_text(&list));
}

enum dse_status dse_question_objectives(struct dse_question *question, const char *text, struct dse_error *err)
{
    question->objective_count = 0;
    const char *whole = text;
    for (bool more = *text != '\0'; more;) {
        char name[64];
        size_t length = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
        int metric = dse_metric_find(name);
        if (metric < 0)
            return dse_objective_unknown("objectives", whole, name, err);
        for (size_t i = 0; i < question->objective_count; i++)
            if (question->objectives[i] == (enum dse_metric)metric)
                return dse_fail(err, DSE_BAD_USAGE, "--objectives: %s occurs twice", name);
        const struct dse_metric_alias *alias = dse_metric_alias_of(name);
        if (alias != NULL && alias->figure)
            question->figure = alias->name;
        question->objectives[question->objective_count++] = (enum dse_metric)metric;
        more = text[length] == ',';
        text += length + more;
    }
    if (question->objective_count == 0)
        return dse_fail(err, DSE_BAD_USAGE, "--objectives: needs at least one metric");
    return DSE_OK;
}

/* ---- alternatives ---- */

bool dse_question_allows_value(const struct dse_question *question, size_t knob, int64_t value)
{
    const struct dse_knob *k = &question->space->knobs[knob];
    return (!k->restricted || dse_knob_in_domain(k, value)) && knob_holds(question, knob, value);
}

bool dse_question_allows(const struct dse_question *question, const struct dse_config *config)
{
    dse_knob_set algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    for (size_t k = 0; k < question->space->count; k++) {
        if (dse_bits_has(algorithmic, k) && dse_knob_active(question->space, config, k) &&
            !dse_question_allows_value(question, k, config->value[k]))
            return false;
    }
    return dse_filters_allow(question, algorithmic, config);
}

void dse_question_take(const struct dse_question *question, size_t alternative, struct dse_config *config)
{
    dse_knob_set algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    for (size_t k = 0; k < question->space->count; k++)
        if (dse_bits_has(algorithmic, k))
            config->value[k] = question->alternatives[alternative].config.value[k];
}

enum dse_metric dse_metric_of_resource(int resource)
{
    int metric = 0;
    while (dse_metrics[metric].resource != resource)
        metric++;
    return (enum dse_metric)metric;
}

bool dse_limits_contradict(const struct dse_question *question, enum dse_metric metric, size_t *least, size_t *most)
{
    *least = *most = SIZE_MAX;
    for (size_t i = 0; i < question->limit_count; i++) {
        const struct dse_limit *limit = &question->limits[i];
        size_t *tightest = limit->at_least ? least : most;
        if (limit->metric == metric && (*tightest == SIZE_MAX || (limit->at_least ? limit->bound > question->limits[*least].bound
                                                                                  : limit->bound < question->limits[*most].bound)))
            *tightest = i;
    }
    return *least != SIZE_MAX && *most != SIZE_MAX && question->limits[*least].bound > question->limits[*most].bound;
}

bool dse_question_limits(const struct dse_question *question, enum dse_metric metric)
{
    bool limits = false;
    for (size_t i = 0; i < question->limit_count; i++)
        limits |= question->limits[i].metric == metric;
    for (size_t i = 0; i < question->filter_count; i++)
        limits |= (question->filters[i].metrics >> metric & 1) != 0;
    return limits;
}

/* Whether all conditions hold for every design of that quality: by a branch of limits on the quality alone. */
static bool branch_holds(const struct dse_question *question, double quality)
{
    bool any = false;
    for (size_t b = 0; b < question->branch_count && !any; b++) {
        const struct dse_branch *branch = &question->branches[b];
        any = branch->family == question->family;
        for (size_t i = 0; i < branch->limit_count; i++)
            any &= branch->limits[i].metric == DSE_METRIC_QUALITY && dse_limit_holds(&branch->limits[i], quality);
    }
    return any;
}

/* Whether a condition on the quality alone holds; unknown for others. */
static bool is_held(const struct dse_question *question, const struct dse_filter *filter, double quality)
{
    double metrics[DSE_METRIC_COUNT] = {[DSE_METRIC_QUALITY] = quality};
    struct dse_question one = {.filters = filter, .filter_count = 1};
    return filter->metrics == 1u << DSE_METRIC_QUALITY && !dse_bits_any(filter->knobs) && dse_filters_hold(&one, &question->base, metrics, false);
}

bool dse_question_replaces_rule(const struct dse_question *question, const struct dse_profile *profile, bool all_measured)
{
    bool replaces = false;
    all_measured &= profile->quality_count > 0;
    for (size_t q = 0; q < (all_measured ? profile->quality_count : 1); q++) {
        double quality = all_measured ? profile->qualities[q].mean : -INFINITY;
        bool held = branch_holds(question, quality);
        for (size_t i = 0; i < question->limit_count; i++) {
            const struct dse_limit *limit = &question->limits[i];
            replaces |= limit->metric == DSE_METRIC_QUALITY && limit->at_least && !dse_limit_holds(limit, quality);
        }
        for (size_t i = 0; i < question->filter_count; i++)
            replaces |= (question->filters[i].metrics >> DSE_METRIC_QUALITY & 1) != 0 && !held && !is_held(question, &question->filters[i], quality);
    }
    return replaces;
}

bool dse_question_asks(const struct dse_question *question, enum dse_metric metric)
{
    bool asks = dse_question_limits(question, metric);
    for (size_t i = 0; i < question->objective_count; i++)
        asks |= question->objectives[i] == metric;
    return asks;
}

bool dse_question_asks_power(const struct dse_question *question)
{
    return dse_question_asks(question, DSE_METRIC_POWER) || dse_question_asks(question, DSE_METRIC_POWER_SYSTEM);
}

static const enum dse_metric of_system[] = {DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_POWER_SYSTEM, DSE_METRIC_THROUGHPUT_SYSTEM};

bool dse_question_asks_system(const struct dse_question *question)
{
    bool asks = false;
    for (size_t i = 0; i < sizeof of_system / sizeof *of_system; i++)
        asks |= dse_question_asks(question, of_system[i]);
    return asks;
}

bool dse_question_asks_rate(const struct dse_question *question)
{
    return dse_question_asks(question, DSE_METRIC_THROUGHPUT) || dse_question_asks(question, DSE_METRIC_THROUGHPUT_SYSTEM);
}

bool dse_question_overlaps(const struct dse_question *question)
{
    const struct dse_model_family *family = question->family;
    const struct dse_knob *knob = &question->space->knobs[family->overlap_knob];
    if (family->steps == NULL || !dse_bits_has(question->free, family->overlap_knob))
        return family->pipelined || (family->steps != NULL && question->base.value[family->overlap_knob] != 0);
    bool any = false;
    for (size_t i = 0; i < knob->domain_count; i++)
        any |= knob->domain[i] != 0;
    return any;
}

bool dse_question_flows(const struct dse_question *question, enum dse_metric metric)
{
    bool flow = dse_metric_of_system(metric) ? question->board->host.batch > 1 /* otherwise the host waits for each item */
                                             : metric == DSE_METRIC_THROUGHPUT || metric == DSE_METRIC_ENERGY || metric == DSE_METRIC_POWER;
    return flow && dse_question_asks(question, metric) && dse_question_overlaps(question);
}

enum dse_status dse_question_bounds(const struct dse_question *question, const char *method, struct dse_error *err)
{
    const struct dse_model_family *family = question->family;
    bool ilp = method != NULL && strcmp(method, "ilp") == 0;
    for (int m = 0; method != NULL && m < DSE_METRIC_COUNT; m++) {
        if (!dse_question_flows(question, (enum dse_metric)m))
            continue;
        if (ilp && family->steps != NULL)
            return dse_fail(err, DSE_BAD_USAGE, "--method ilp: with overlap the %s of %s follows the mean of the slowest step of items that differ, which no linear program can express; "
                            "use --method exact, exhaustive or heuristic, or --fix %s=%s", dse_metrics[m].name, family->name,
                            question->space->knobs[family->overlap_knob].name, question->space->knobs[family->overlap_knob].choices[0]);
        if (ilp && m != DSE_METRIC_THROUGHPUT)
            return dse_fail(err, DSE_BAD_USAGE, "--method ilp: the %s of %s follows its slowest stage, which the integer programs do not bound; use --method exact, exhaustive or "
                            "heuristic", dse_metrics[m].name, family->name);
        if (ilp && family->shared != NULL)
            return dse_fail(err, DSE_BAD_USAGE, "--method ilp: the %s of %s follows its slowest stage, which the integer programs do not bound. Several blocks make the stage %s: "
                            "put their parts into one block, or the blocks into one engine, or use --method exact, exhaustive or heuristic", dse_metrics[m].name, family->name, family->shared);
    }
    for (size_t i = 0; i < question->limit_count && ilp && family->pipelined; i++)
        if (question->limits[i].metric == DSE_METRIC_THROUGHPUT && !question->limits[i].at_least)
            return dse_fail(err, DSE_BAD_USAGE, "--method ilp: throughput<=%g: the integer programs bound the slowest stage of %s only from below; use --method exact, "
                            "exhaustive or heuristic", question->limits[i].bound, family->name);
    return DSE_OK;
}

static int by_quality(const void *a, const void *b)
{
    const struct dse_alternative *x = a, *y = b;
    if (x->quality != y->quality)
        return x->quality > y->quality ? -1 : 1;
    return dse_config_compare(&x->config, &y->config);
}

/* Applies a measured setting to the profile's preset. */
static enum dse_status make_setting(const struct dse_question *question, const struct dse_profile *profile, const struct dse_quality *quality,
                                    struct dse_config *out, struct dse_error *err)
{
    dse_space_default(question->space, out);
    DSE_TRY(dse_config_apply(question->space, out, &profile->preset, err));
    DSE_TRY(dse_config_apply(question->space, out, &quality->setting, err));
    dse_config_canonical(question->space, out);
    return DSE_OK;
}

/* Names the conditions on algorithmic knobs that no measured setting meets. */
static void note_unheld(const struct dse_question *question, const struct dse_profile *profile, struct dse_strbuf *out)
{
    dse_knob_set algorithmic = dse_space_of_kind(question->space, DSE_KNOB_ALGORITHMIC);
    for (size_t f = 0; f < question->filter_count; f++) {
        const struct dse_question one = {.filters = &question->filters[f], .filter_count = 1};
        bool held = one.filters->metrics != 0 || !dse_bits_within(one.filters->knobs, algorithmic);
        struct dse_config config;
        for (size_t i = 0; i < profile->quality_count && !held; i++)
            held = make_setting(question, profile, &profile->qualities[i], &config, NULL) == DSE_OK && dse_filters_allow(&one, algorithmic, &config);
        if (!held)
            dse_strbuf_printf(out, "%s--where %s: no measured setting meets it", out->length > 0 ? "; " : "", one.filters->text);
    }
}

void dse_choice_nothing(const struct dse_question *question, const struct dse_profile *profile, const struct dse_choice_count *why, struct dse_error *words)
{
    bool constant = !isnan(why->standard.majority) && why->standard.preset - why->standard.drop <= why->standard.majority;
    struct dse_strbuf unmeasured DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_question_note_unmeasured(question, profile, false, &unmeasured);
    note_unheld(question, profile, &unmeasured);
    char floor[160] = "", least[80]; /* empty without --quality-drop */
    if (isfinite(why->standard.floor))
        snprintf(floor, sizeof floor, ", %zu miss %s%s", why->below_quality,
                 dse_quality_limit(dse_profile_quality_name(profile), true, why->standard.floor, least, sizeof least),
                 constant ? ", which is above that of a prediction without a model" : "");
    if (why->measured == 0 && dse_question_asks(question, DSE_METRIC_QUALITY))
        dse_fail(words, DSE_ANSWER_NO, "%s: the quality (accuracy) of %s is required but not measured; remove it from --where and --objectives, or %s",
                 profile->dataset, question->family->name,
                 question->family->content != NULL ? "give the file a `quality` table" : "measure settings (`nysx-dse datasets profile`)");
    else if (why->measured == 0)
        dse_fail(words, DSE_ANSWER_NO, "%s: --where leaves no algorithmic setting: no quality was measured, and the profile's own setting is "
                 "ruled out; %s", profile->dataset, unmeasured.length > 0 ? dse_strbuf_text(&unmeasured) : "name the values of others with --fix");
    else
        dse_fail(words, DSE_ANSWER_NO,
                 "%s: no measured setting is left: of %zu in the profile %zu have no workload, %zu are ruled out by "
                 "--fix or --where%s; %sprofile more settings with `nysx-dse datasets profile`%s%s",
                 profile->dataset, why->measured, why->without_work, why->fixed_out, floor, *floor != '\0' ? "widen --quality-drop, or " : "",
                 unmeasured.length > 0 ? "; " : "", dse_strbuf_text(&unmeasured));
}

enum dse_status dse_question_judged(const struct dse_question *question, const char *dataset, struct dse_error *err)
{
    if (question->figure == NULL || strcmp(dse_quality_gain(question->figure), question->quality) == 0)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "%s: %s judges its settings, so that designs have no %s; --metric %s measures it", dataset, question->quality, question->figure,
                    question->figure);
}

enum dse_status dse_question_alternatives(const struct dse_question *question,
                                          const struct dse_profile *profile, const struct dse_choice *choice,
                                          struct dse_alternative **out, size_t *count,
                                          struct dse_choice_count *why, struct dse_error *err)
{
    *why = (struct dse_choice_count){.measured = profile->quality_count};
    *out = NULL;
    *count = 0;
    dse_standard_make(profile, dse_question_replaces_rule(question, profile, !choice->measures) ? INFINITY : choice->quality_drop,
                      &why->standard);
    if (profile->quality_count == 0 && !dse_question_asks(question, DSE_METRIC_QUALITY))
        return dse_question_unmeasured(question, profile, out, count, err);
    *out = dse_calloc(profile->quality_count + 1, sizeof **out);
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < profile->quality_count; i++) {
        const struct dse_quality *quality = &profile->qualities[i];
        struct dse_alternative *next = &(*out)[*count];
        status = make_setting(question, profile, quality, &next->config, err);
        if (status != DSE_OK)
            break;
        next->quality = quality->mean;
        next->workload = dse_profile_find_work(question->space, profile, &next->config);
        if (next->workload == NULL)
            why->without_work++;
        else if (!dse_question_allows(question, &next->config))
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
            if (dse_bits_has(algorithmic, k)) {
                space->knobs[k].domain = &question->alternatives[a].config.value[k];
                space->knobs[k].domain_count = 1;
            }
        total = dse_saturating_add(total, dse_space_size(space, dse_bits_or(question->free, algorithmic)));
    }
    return total;
}
