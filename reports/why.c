#include "reports/why.h"
#include "core/number.h"
#include "reports/json.h"
#include "search/filter.h"
#include "search/question.h"

#include <math.h>
#include <string.h>

static char *amount_text(const struct dse_question *question, enum dse_metric metric, double value, char *text, size_t size)
{
    return dse_amount_text(question->family, &question->base, metric, value, text, size);
}

/* The error of which the quality is the negative, if --where reads its name: people see "rmse <= 1" for "neg_rmse" of at least −1. NULL: none. */
static const char *negated(const struct dse_why_report *report, enum dse_metric metric)
{
    const char *of = NULL;
    return metric == DSE_METRIC_QUALITY && dse_quality_is_negative(report->quality, &of) && dse_metric_find(of) == DSE_METRIC_QUALITY ? of : NULL;
}

/* A word that --where reads. */
static const char *name_of(const struct dse_why_report *report, enum dse_metric metric)
{
    const char *of = negated(report, metric);
    bool named = metric == DSE_METRIC_QUALITY && dse_metric_find(report->quality) == DSE_METRIC_QUALITY;
    return of != NULL ? of : named ? report->quality : dse_metrics[metric].name;
}

/* A value and a limit as people see them. */
static double seen(const struct dse_why_report *report, enum dse_metric metric, double value)
{
    return negated(report, metric) != NULL ? -value : value;
}

static struct dse_limit limit_seen(const struct dse_why_report *report, size_t which)
{
    struct dse_limit limit = report->question->limits[which];
    limit.at_least ^= negated(report, limit.metric) != NULL;
    limit.bound = seen(report, limit.metric, limit.bound);
    limit.asked = seen(report, limit.metric, limit.asked);
    return limit;
}

/* Whether the printed form of an amount reads back as this amount; returns that value too. */
static bool reads_back(const struct dse_question *question, enum dse_metric metric, double amount, char *buffer, size_t size, double *shown)
{
    bool percent = false;
    const char *end = NULL;
    amount_text(question, metric, amount, buffer, size);
    return dse_quantity_parse(buffer, dse_metrics[metric].dimension, shown, &percent, &end) && *shown == amount;
}

/* Formats a bound as written, "<= 0.1 ms", with all of its digits. */
static char *format_bound(char *buffer, size_t size, const struct dse_question *question, const struct dse_limit *limit)
{
    double shown, one = 1.0;
    size_t sign = (size_t)snprintf(buffer, size, "%s%s ", limit->at_least ? ">" : "<", limit->strict ? "" : "=");
    if (reads_back(question, limit->metric, limit->asked, buffer + sign, size - sign, &shown) || dse_metrics[limit->metric].resource >= 0)
        return buffer;
    char unit[32], whole[40];
    bool percent;
    const char *end;
    snprintf(unit, sizeof unit, "%s", buffer + sign + dse_number_length(buffer + sign));
    snprintf(whole, sizeof whole, "1%s", unit);
    (void)dse_quantity_parse(whole, dse_metrics[limit->metric].dimension, &one, &percent, &end);
    for (int digits = 5; digits <= 17 && shown != limit->asked; digits++) {
        snprintf(buffer + sign, size - sign, "%.*g%s", digits, limit->asked / one, unit);
        (void)dse_quantity_parse(buffer + sign, dse_metrics[limit->metric].dimension, &shown, &percent, &end);
    }
    return buffer;
}

/* "latency <= 0.1 ms", "the board's BRAM18", "latency*power<=1uJ", "nee.lanes narrowed". */
static const char *name_constraint(const struct dse_why_report *report, const struct dse_reason *reason, struct dse_strbuf *out)
{
    const struct dse_question *question = report->question;
    struct dse_limit limit;
    char amount[64];
    switch (reason->kind) {
    case DSE_REASON_RESOURCE: dse_strbuf_printf(out, "the board's %s", dse_metrics[reason->metric].heading); break;
    case DSE_REASON_LIMIT:
        limit = limit_seen(report, reason->which);
        dse_strbuf_printf(out, "%s %s", name_of(report, reason->metric), format_bound(amount, sizeof amount, question, &limit));
        break;
    case DSE_REASON_CONDITION:
    case DSE_REASON_BLOCK: dse_strbuf_add(out, dse_reason_filter(question, reason)->text); break;
    case DSE_REASON_KNOB: dse_strbuf_printf(out, "%s narrowed", question->space->knobs[reason->which].name); break;
    case DSE_REASON_KNOB_LIMIT: dse_knob_limit_write(question, &question->knob_limits[reason->which], out); break;
    }
    return dse_strbuf_text(out);
}

/* Formats an amount that a design meets when typed in: the nearest one on the looser side with the four printed digits. A step is at most half of the
 * last digit, so none is skipped. */
static char *format_limit(char *buffer, size_t size, const struct dse_question *question, enum dse_metric metric, bool at_least, double value)
{
    for (int i = 0; i <= 20; i++) {
        double rounded = value, loose = value + (at_least ? -5e-5 : 5e-5) * i * fabs(value);
        bool percent = false;
        const char *end = NULL;
        if (dse_metrics[metric].resource >= 0)
            snprintf(buffer, size, "%.0f", at_least ? floor(value) : ceil(value));
        else
            amount_text(question, metric, loose, buffer, size);
        if (dse_quantity_parse(buffer, dse_metrics[metric].dimension, &rounded, &percent, &end) &&
            (at_least ? rounded <= value : rounded >= value))
            return buffer;
    }
    snprintf(buffer, size, "%.17g", value); /* SI units without prefix: exact */
    return buffer;
}

/* The limits that a design with several violations would meet. */
static void write_together(const struct dse_why_report *report, const struct dse_point *point, struct dse_strbuf *out)
{
    const struct dse_question *question = report->question;
    const char *separator = "";
    for (size_t i = 0; i < question->limit_count; i++) {
        const struct dse_limit limit = limit_seen(report, i);
        double value = seen(report, limit.metric, point->metrics[limit.metric]);
        bool broken = limit.at_least ? value < limit.bound : value > limit.bound;
        char amount[64];
        dse_strbuf_printf(out, "%s%s%s%s", separator, name_of(report, limit.metric), limit.at_least ? ">=" : "<=",
                          format_limit(amount, sizeof amount, question, limit.metric, limit.at_least, broken ? value : limit.bound));
        separator = " && ";
    }
}

static bool has_amount(const struct dse_reason *reason)
{
    return reason->kind == DSE_REASON_RESOURCE || reason->kind == DSE_REASON_LIMIT;
}

static size_t list_compared(const struct dse_why_report *report, const struct dse_reason *reason, const struct dse_point *point, struct dse_compared *out)
{
    return dse_filter_compared(dse_reason_filter(report->question, reason), &point->config, point->metrics, out);
}

/* "latency*power 3.66 µJ, dsp 12": the values compared by a condition, for a design. */
static void write_compared(const struct dse_why_report *report, const struct dse_reason *reason, const struct dse_point *point, struct dse_strbuf *out)
{
    static const struct {
        struct dse_unit unit;
        enum dse_dimension dimension;
    } known[] = {{{.seconds = 1}, DSE_DIMENSION_TIME}, {{.joules = 1}, DSE_DIMENSION_ENERGY}, {{.joules = 1, .seconds = -1}, DSE_DIMENSION_POWER}};
    struct dse_compared compared[DSE_COMPARED_MAX];
    size_t count = list_compared(report, reason, point, compared);
    for (size_t i = 0; i < count; i++) {
        char amount[64], unit[64];
        size_t k = 0;
        while (k < sizeof known / sizeof *known && !dse_unit_equal(known[k].unit, compared[i].unit))
            k++;
        if (k < sizeof known / sizeof *known)
            dse_quantity_format(amount, sizeof amount, known[k].dimension, compared[i].value);
        else
            snprintf(amount, sizeof amount, "%.6g", compared[i].value);
        bool bare = k < sizeof known / sizeof *known || dse_unit_equal(compared[i].unit, DSE_UNIT_COUNT);
        dse_strbuf_printf(out, "%s%s %s%s%s", i > 0 ? ", " : "", compared[i].text, amount, bare ? "" : " ",
                          bare ? "" : dse_unit_format(compared[i].unit, unit, sizeof unit));
    }
}

/* The bound of a constraint that a design needs, in a form that can be typed in. */
static char *format_value(const struct dse_why_report *report, const struct dse_reason *reason, const struct dse_point *point,
                          char *buffer, size_t size)
{
    double value = seen(report, reason->metric, point->metrics[reason->metric]);
    if (reason->kind != DSE_REASON_LIMIT || dse_metrics[reason->metric].resource >= 0)
        return amount_text(report->question, reason->metric, value, buffer, size);
    return format_limit(buffer, size, report->question, reason->metric, limit_seen(report, reason->which).at_least, value);
}

/* The smallest relaxation of this constraint alone. */
static void write_relaxation(const struct dse_why_report *report, const struct dse_reason *reason, struct dse_table *table)
{
    char needed[64], asked[64];
    if (!reason->suffices)
        dse_table_cell(table, reason->known || report->why->conflicts > 1 ? "not sufficient alone" : "not known");
    else if (reason->kind == DSE_REASON_CONDITION || reason->kind == DSE_REASON_BLOCK) {
        struct dse_strbuf compared DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_add(&compared, reason->kind == DSE_REASON_BLOCK ? "feasible without it, with " : "");
        write_compared(report, reason, &reason->best, &compared);
        dse_table_text(table, dse_strbuf_text(&compared));
    } else if (reason->kind == DSE_REASON_KNOB)
        dse_table_cell(table, "feasible with its whole domain: %s",
                       dse_knob_format(&report->question->space->knobs[reason->which],
                                       reason->best.config.value[reason->which], needed, sizeof needed));
    else if (reason->kind == DSE_REASON_LIMIT) {
        const struct dse_limit limit = limit_seen(report, reason->which);
        dse_table_cell(table, "%s instead of %s", format_value(report, reason, &reason->best, needed, sizeof needed),
                       strchr(format_bound(asked, sizeof asked, report->question, &limit), ' ') + 1);
    } else
        dse_table_cell(table, "%s instead of %s", format_value(report, reason, &reason->best, needed, sizeof needed),
                       amount_text(report->question, reason->metric, reason->asked, asked, sizeof asked));
}

/* Knobs in which a design differs from the base. */
static void write_difference(const struct dse_question *question, const struct dse_config *config,
                             struct dse_strbuf *out)
{
    bool any = false;
    for (size_t k = 0; k < question->space->count; k++) {
        char item[160];
        if (!dse_knob_active(question->space, config, k) || config->value[k] == question->base.value[k])
            continue;
        dse_strbuf_printf(out, " %s", dse_knob_text(question->space, config, k, item, sizeof item));
        any = true;
    }
    dse_strbuf_add(out, any ? "\n" : " nowhere\n");
}

/* A limit of zero has no ratio. */
static bool has_ratio(const struct dse_why_report *report)
{
    const struct dse_reason *worst = &report->why->reasons[report->why->worst];
    return worst->kind != DSE_REASON_LIMIT || limit_seen(report, worst->which).bound > 0.0;
}

/* Limits that no design meets, whatever else is dropped. If narrowed knobs are not reasons, their other values were not tried. */
static void write_alone(const struct dse_why_report *report, struct dse_strbuf *out)
{
    bool tried = !report->why->narrow;
    for (size_t i = 0; i < report->why->count; i++)
        tried |= report->why->reasons[i].kind == DSE_REASON_KNOB;
    for (size_t i = 0; i < report->why->count; i++) {
        const struct dse_reason *reason = &report->why->reasons[i];
        char amount[64];
        if (!reason->alone)
            continue;
        name_constraint(report, reason, out);
        dse_strbuf_add(out, " is impossible by itself");
        if (reason->has_reachable && !has_amount(reason)) {
            dse_strbuf_printf(out, ": the nearest %s has ", tried ? "on this board" : "in this search space");
            write_compared(report, reason, &reason->reachable, out);
        } else if (reason->has_reachable)
            dse_strbuf_printf(out, ": the %s %s is %s", limit_seen(report, reason->which).at_least ? "most" : "least",
                              tried ? "on this board" : "in this search space",
                              amount_text(report->question, reason->metric, seen(report, reason->metric, reason->reachable.metrics[reason->metric]), amount, sizeof amount));
        dse_strbuf_add(out, "\n");
    }
}

/* Pairs of contradictory limits. */
static void write_contradictions(const struct dse_why_report *report, struct dse_strbuf *out)
{
    for (size_t i = 0; i + 1 < report->why->count; i += 2) {
        name_constraint(report, &report->why->reasons[i], out);
        dse_strbuf_add(out, " and ");
        name_constraint(report, &report->why->reasons[i + 1], out);
        dse_strbuf_printf(out, " contradict each other: no %s is both\n", name_of(report, report->why->reasons[i].metric));
    }
}

/* A heading that describes the rows. */
static void write_conflicts(const struct dse_why_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_why *why = report->why;
    struct dse_table table = {0};
    bool several = why->conflicts > 1;
    if (several)
        dse_table_column(&table, "conflict", true);
    dse_table_columns(&table, "constraint|smallest relaxation, all others kept");
    for (size_t c = 1; c <= why->conflicts; c++)
        for (size_t i = 0; i < why->count; i++) {
            const struct dse_reason *reason = &why->reasons[i];
            struct dse_strbuf name DSE_CLEANUP(dse_strbuf_free) = {0};
            if (reason->conflict != c)
                continue;
            if (several)
                dse_table_cell(&table, "%zu", c);
            dse_table_text(&table, name_constraint(report, reason, &name));
            write_relaxation(report, reason, &table);
        }
    dse_table_finish(&table, width, out);
}

/* Reason for an early end of the explanation, and what is unknown because of it. */
static void write_end(const struct dse_why_report *report, struct dse_strbuf *out)
{
    char count[64];
    dse_strbuf_add(out, report->why->end != DSE_WHY_WHOLE && !report->why->has_nearest && report->why->conflicts > 0 ? "\n" : "");
    if (report->why->narrow)
        dse_strbuf_add(out, "It is not known whether other values of further narrowed knobs help.\n");
    switch (report->why->end) {
    case DSE_WHY_WHOLE: break;
    case DSE_WHY_EFFORT:
        dse_strbuf_printf(out, "This explanation is partial: it ended at its limit of %s designs.\n",
                          dse_count_format(count, sizeof count, dse_count_of(report->why->effort)));
        break;
    case DSE_WHY_BUDGET: dse_strbuf_add(out, "This explanation is partial: --budget ended it.\n"); break;
    case DSE_WHY_INTERRUPTED: dse_strbuf_add(out, "This explanation is partial: it was interrupted.\n"); break;
    }
}

/* Limit of a queue, which no search relaxes. */
static void write_load(const struct dse_why_report *report, struct dse_strbuf *out)
{
    char asked[32];
    dse_strbuf_printf(out, "p99_load <= %s", dse_quantity_format(asked, sizeof asked, DSE_DIMENSION_TIME, report->load_s));
}

/* "Nearest design: misses latency <= 1.000 ns with 672.5 ns (ratio 672.5)", and its knobs. */
static void write_nearest(const struct dse_why_report *report, struct dse_strbuf *out)
{
    const struct dse_why *why = report->why;
    const struct dse_reason *worst = why->count > 0 ? &why->reasons[why->worst] : NULL;
    char has[64];
    dse_strbuf_printf(out, "%sNearest design: misses ", why->conflicts > 0 ? "\n" : "");
    if (worst == NULL)
        write_load(report, out);
    else
        name_constraint(report, worst, out);
    dse_strbuf_add(out, " with ");
    if (worst == NULL)
        dse_strbuf_add(out, dse_quantity_format(has, sizeof has, DSE_DIMENSION_TIME, report->least_load_s));
    else if (worst->kind == DSE_REASON_CONDITION)
        write_compared(report, worst, &why->nearest, out);
    else
        dse_strbuf_add(out, amount_text(report->question, worst->metric, seen(report, worst->metric, why->nearest.metrics[worst->metric]), has, sizeof has));
    if (worst == NULL || has_ratio(report))
        dse_strbuf_printf(out, " (ratio %s)", dse_ratio_format(has, sizeof has, 4, why->ratio));
    dse_strbuf_add(out, ". Its knobs that differ from the base design:\n ");
    write_difference(report->question, &why->nearest.config, out);
    if (!why->together)
        return;
    dse_strbuf_add(out, "Smallest relaxation of all limits together:\n  ");
    write_together(report, &why->nearest, out);
    dse_strbuf_add(out, "\n");
}

static void write_one(const struct dse_why_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_why *why = report->why;
    size_t members = 0, alone = 0, unproven = 0;
    bool others = false;
    if (why->count > 0 && why->reasons[0].contradicts) {
        write_contradictions(report, out);
        return;
    }
    for (size_t i = 0; i < why->count; i++) {
        members += why->reasons[i].conflict > 0;
        alone += why->reasons[i].alone;
        unproven += why->reasons[i].conflict > 0 && why->reasons[i].unproven;
        others |= why->reasons[i].conflict > 0 && why->reasons[i].known && !why->reasons[i].suffices;
    }
    write_alone(report, out);
    if (alone > 0)
        dse_strbuf_add(out, "\n");
    if (why->conflicts == 1 && members > 1)
        dse_strbuf_printf(out, "These %zu constraints conflict%s:\n\n", members,
                          unproven > 0 ? "" : others ? "; others, which are not listed, conflict too" : "; without any one of them, the others can hold");
    else if (why->conflicts > alone)
        dse_strbuf_printf(out, "The constraints of each conflict cannot hold together%s:\n\n",
                          unproven > 0 ? "" : "; without any one of them, its others can hold");
    if (why->conflicts > 0)
        write_conflicts(report, width, out);
    if (report->least_load_s > 0.0) {
        dse_strbuf_add(out, why->count == 0 ? "" : "\n");
        write_load(report, out);
        dse_strbuf_add(out, why->count == 0 ? " is the only constraint that no design meets.\n" : " is impossible by itself.\n");
    }
    if (why->has_nearest) {
        write_nearest(report, out);
    } else if (report->least_load_s <= 0.0 && why->end == DSE_WHY_WHOLE && why->conflicts == 0) {
        dse_strbuf_add(out, "No larger board or looser limit helps: the binding constraint has no size.\n");
        if (report->rejection[0] != '\0')
            dse_strbuf_printf(out, "The first design is infeasible: %s\n", report->rejection);
    }
    write_end(report, out);
}

/* Report of one branch; its question is put in `one`. */
static struct dse_why_report report_of_side(const struct dse_why_report *report, const struct dse_why *why, struct dse_question *one)
{
    struct dse_why_report own = *report;
    own.why = why;
    if (why->side == 0)
        return own;
    *one = dse_question_of_branch(report->question, why->side - 1);
    own.question = one;
    return own;
}

/* The --quality-drop that allows the best feasible design that the rule excludes, rounded up to three digits. */
static double sufficient_drop(const struct dse_why_report *report)
{
    const struct dse_standard *standard = &report->choices->standard;
    double drop = (standard->preset - report->why->without_rule.metrics[DSE_METRIC_QUALITY]) / dse_drop_unit(report->quality, standard->preset);
    double step = pow(10.0, floor(log10(drop)) - 2.0);
    return ceil(drop / step) * step;
}

/* No drop admits a design that is no better than a constant prediction. */
static bool beats_constant(const struct dse_why_report *report)
{
    return dse_standard_beats_majority(&report->choices->standard, report->why->without_rule.metrics[DSE_METRIC_QUALITY]);
}

static void write_rule(const struct dse_why_report *report, struct dse_strbuf *out)
{
    char least[80], most[80];
    double drop = sufficient_drop(report);
    dse_strbuf_printf(out, "The quality rule excludes every feasible design: %zu of %zu measured settings miss %s.\n", report->choices->below_quality, report->choices->measured,
                      dse_quality_limit(report->quality, true, report->choices->standard.floor, least, sizeof least));
    dse_strbuf_printf(out, "The best feasible design has %s; ", dse_quality_amount(report->quality, report->why->without_rule.metrics[DSE_METRIC_QUALITY], most, sizeof most));
    if (beats_constant(report) && drop <= 1.0)
        dse_strbuf_printf(out, "--quality-drop %.3g allows it.\n\n", drop);
    else
        dse_strbuf_add(out, "--quality-drop none allows it.\n\n");
}

void dse_why_write(const struct dse_why_report *report, size_t width, struct dse_strbuf *out)
{
    char count[64];
    struct dse_question one;
    if (report->why->space_size == 0) /* the one-line message is sufficient */
        return;
    dse_strbuf_printf(out, "\nWhy nothing is feasible on %s with %s (%s designs):\n\n", report->question->board->title,
                      report->dataset, dse_count_format(count, sizeof count, dse_count_of(report->why->space_size)));
    if (report->why->ruled_out)
        write_rule(report, out);
    for (const struct dse_why *why = report->why; why != NULL; why = why->next) {
        struct dse_why_report own = report_of_side(report, why, &one);
        if (why->side > 0)
            dse_strbuf_printf(out, "%sNo design holds %s:\n\n", why->side > 1 ? "\n" : "", report->question->branches[why->side - 1].text);
        write_one(&own, width, out);
    }
    if (report->why->side > 0 && report->question->branch_count > DSE_WHY_SIDES)
        dse_strbuf_printf(out, "\nNo design meets %zu further alternatives of --where.\n", report->question->branch_count - DSE_WHY_SIDES);
}

static json_t *rule_json(const struct dse_why_report *report)
{
    double drop = sufficient_drop(report);
    return json_pack("{s:I, s:o, s:o, s:o, s:o}", "excluded", (json_int_t)report->choices->below_quality, "floor", dse_json_number(report->choices->standard.floor),
                     "quality", dse_json_number(report->why->without_rule.metrics[DSE_METRIC_QUALITY]), "drop",
                     beats_constant(report) && drop <= 1.0 ? dse_json_number(drop) : json_null(), "config", dse_config_json(report->question->space, &report->why->without_rule.config));
}

static json_t *compared_json(const struct dse_why_report *report, const struct dse_reason *reason, const struct dse_point *point)
{
    struct dse_compared compared[DSE_COMPARED_MAX];
    json_t *object = json_object();
    size_t count = list_compared(report, reason, point, compared);
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, compared[i].text, dse_json_number(compared[i].value));
    return object;
}

static json_t *reason_json(const struct dse_why_report *report, const struct dse_reason *reason)
{
    json_t *object = json_object();
    struct dse_strbuf name DSE_CLEANUP(dse_strbuf_free) = {0};
    json_object_set_new(object, "constraint", json_string(name_constraint(report, reason, &name)));
    json_object_set_new(object, "conflict", json_integer((json_int_t)reason->conflict));
    if (reason->contradicts) {
        json_object_set_new(object, "contradicts", json_true());
        return object;
    }
    json_object_set_new(object, "impossible", json_boolean(reason->alone));
    if (!has_amount(reason) && reason->kind != DSE_REASON_KNOB && (reason->suffices || reason->has_reachable))
        json_object_set_new(object, "compared", compared_json(report, reason, reason->suffices ? &reason->best : &reason->reachable));
    else if (reason->alone && reason->has_reachable)
        json_object_set_new(object, "reachable", dse_json_number(reason->reachable.metrics[reason->metric]));
    json_object_set_new(object, "suffices", reason->known || report->why->conflicts > 1 ? json_boolean(reason->suffices) : json_null());
    if (!reason->suffices)
        return object;
    if (has_amount(reason)) {
        json_object_set_new(object, "metric", json_string(dse_metrics[reason->metric].key));
        json_object_set_new(object, "asked", dse_json_number(reason->asked));
        json_object_set_new(object, "needed", dse_json_number(reason->best.metrics[reason->metric]));
    }
    json_object_set_new(object, "config", dse_config_json(report->question->space, &reason->best.config));
    return object;
}

/* "why", "nearest", and related members. */
static void add_explanation(const struct dse_why_report *report, json_t *object)
{
    static const char *const ends[] = {[DSE_WHY_EFFORT] = "effort", [DSE_WHY_BUDGET] = "budget", [DSE_WHY_INTERRUPTED] = "interrupted"};
    const struct dse_why *why = report->why;
    json_t *reasons = json_array(), *nearest = json_null();
    for (size_t c = 1; c <= why->conflicts; c++)
        for (size_t i = 0; i < why->count; i++)
            if (why->reasons[i].conflict == c)
                json_array_append_new(reasons, reason_json(report, &why->reasons[i]));
    if (why->has_nearest) {
        struct dse_strbuf name DSE_CLEANUP(dse_strbuf_free) = {0};
        const bool load = why->count == 0;
        if (load)
            write_load(report, &name);
        nearest = json_pack("{s:s, s:o, s:o, s:o}", "constraint", load ? dse_strbuf_text(&name) : name_constraint(report, &why->reasons[why->worst], &name), "ratio",
                            load || has_ratio(report) ? dse_json_number(why->ratio) : json_null(), "metrics", dse_json_metrics(why->nearest.metrics), "config",
                            dse_config_json(report->question->space, &why->nearest.config));
    }
    json_object_set_new(object, "why", reasons);
    json_object_set_new(object, "nearest", nearest);
    if (why->end != DSE_WHY_WHOLE)
        json_object_set_new(object, "partial", json_string(ends[why->end]));
    if (why->together) {
        struct dse_strbuf where DSE_CLEANUP(dse_strbuf_free) = {0};
        write_together(report, &why->nearest, &where);
        json_object_set_new(object, "relaxation", json_string(dse_strbuf_text(&where)));
    }
}

static json_t *load_json(const struct dse_why_report *report)
{
    struct dse_strbuf name DSE_CLEANUP(dse_strbuf_free) = {0};
    write_load(report, &name);
    json_t *object = json_pack("{s:s, s:i, s:b, s:n, s:s, s:o}", "constraint", dse_strbuf_text(&name), "conflict", (int)report->why->conflicts + 1, "impossible", report->why->count > 0, "suffices", "metric", "p99_load_s",
                               "asked", dse_json_number(report->load_s));
    if (isfinite(report->least_load_s))
        json_object_set_new(object, "reachable", dse_json_number(report->least_load_s));
    return object;
}

json_t *dse_why_json(const struct dse_why_report *report)
{
    const struct dse_why *nearest = dse_why_nearest_side(report->why);
    struct dse_question one;
    struct dse_why_report own = report_of_side(report, nearest, &one);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:i}", "schema", "nysx-dse.infeasible/1", "message", report->message, "family",
                               report->question->family->name, "board", report->question->board->name, "dataset", report->dataset,
                               "space_size", dse_json_count(report->why->space_size), "feasible", 0);
    add_explanation(&own, object);
    if (report->least_load_s > 0.0)
        json_array_append_new(json_object_get(object, "why"), load_json(report));
    else if (!nearest->has_nearest && nearest->conflicts == 0 && report->rejection[0] != '\0')
        json_object_set_new(object, "refusal", json_string(report->rejection));
    if (report->why->ruled_out)
        json_object_set_new(object, "rule", rule_json(report));
    if (report->why->side == 0)
        return object;
    json_t *sides = json_array();
    for (const struct dse_why *why = report->why; why != NULL; why = why->next) {
        json_t *side = json_pack("{s:s}", "where", report->question->branches[why->side - 1].text);
        own = report_of_side(report, why, &one);
        add_explanation(&own, side);
        json_array_append_new(sides, side);
    }
    json_object_set_new(object, "sides", sides);
    return object;
}
