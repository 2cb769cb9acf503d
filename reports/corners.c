#include "reports/corners.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "explore/load.h"
#include "reports/estimate.h"
#include "reports/spread.h"
#include "reports/terminal.h"

#define COLUMNS 80 /* width of a plain answer in a pipe, and of its sentences on a terminal */

/* Baseline over design: above 1 if the design is better. */
static double ratio(const struct dse_front *front, const struct dse_design *design, enum dse_metric metric)
{
    return front->has_paper ? dse_baseline_value(&front->baseline, front->paper.estimate, metric) / design->estimate->metrics[metric] : NAN;
}

static const enum dse_metric compared[] = {DSE_METRIC_LATENCY, DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_ENERGY, DSE_METRIC_ENERGY_SYSTEM};
static const enum dse_metric stated[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY}; /* stated by publications, and with bands at both scopes */

json_t *dse_baseline_json(const struct dse_baseline *baseline, const struct dse_estimate *modelled)
{
    json_t *published = json_object(), *models = json_object(), *sources = json_object();
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        enum dse_metric metric = compared[i];
        bool known = !isnan(baseline->published[metric]);
        json_object_set_new(published, dse_metrics[metric].key, dse_json_number(baseline->published[metric]));
        json_object_set_new(sources, dse_metrics[metric].key, known ? json_string(baseline->source[metric]) : json_null());
        json_object_set_new(models, dse_metrics[metric].key, dse_json_number(modelled->metrics[metric]));
    }
    json_object_set_new(published, "sources", sources);
    json_object_set_new(models, "on", *baseline->modelled != '\0' ? json_string(baseline->modelled) : json_null());
    return json_pack("{s:o, s:o}", "published", published, "modelled", models);
}

/* Whether the baseline's row shows a modelled figure beside published ones: marked by "~". */
static bool is_modelled(const struct dse_baseline *baseline, enum dse_metric metric)
{
    bool published = false;
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        published |= !isnan(baseline->published[compared[i]]);
    return published && isnan(baseline->published[metric]) && !dse_metric_of_system(metric);
}

/* "; too large: 112 % BRAM18 at its clock" */
static void add_misfit(const struct dse_estimate *estimate, struct dse_strbuf *out)
{
    enum dse_metric most;
    double share = dse_corner_share(estimate->platform.limits, estimate->metrics, &most);
    bool by_clock = share <= 1.0; /* a faster clock may use less of the board, or be out of reach */
    if (estimate->fits)
        return;
    if (by_clock)
        share = dse_corner_share(estimate->platform.capped, estimate->metrics, &most);
    dse_strbuf_add(out, isinf(share) ? "; does not fit" : "; too large");
    if (isinf(share))
        dse_strbuf_printf(out, ": the board has no %s", dse_metrics[most].heading);
    else if (share > 1.0)
        dse_strbuf_printf(out, ": %.0f %% %s", 100.0 * share, dse_metrics[most].heading);
    dse_strbuf_add(out, by_clock ? " at its clock" : "");
}

/* "baseline: published 1.470 ms; modelled (~) 1.278 ms, 1.476 mJ on one 128-bit port", or "baseline (modelled) 1.278 ms, 1.476 mJ". `marked`: the
 * table's row of the baseline has a modelled figure, marked "~". */
static void add_baseline(const struct dse_front *front, bool marked, struct dse_strbuf *out)
{
    const char *separator = "baseline: published ";
    char text[32];
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        if (!isnan(front->baseline.published[compared[i]])) {
            dse_strbuf_printf(out, "%s%s%s", separator, dse_quantity_format(text, sizeof text, dse_metrics[compared[i]].dimension,
                                                                            front->baseline.published[compared[i]]),
                              dse_metric_of_system(compared[i]) ? " (system)" : "");
            separator = ", ";
        }
    marked = marked && (is_modelled(&front->baseline, DSE_METRIC_LATENCY) || is_modelled(&front->baseline, DSE_METRIC_ENERGY));
    dse_strbuf_printf(out, "%s%s ", *separator == ',' ? "; modelled" : "baseline (modelled)", marked ? " (~)" : "");
    for (size_t i = 0; i < sizeof stated / sizeof *stated; i++)
        dse_strbuf_printf(out, "%s%s", i > 0 ? ", " : "", dse_quantity_format(text, sizeof text, dse_metrics[stated[i]].dimension,
                                                                             front->paper.estimate->metrics[stated[i]]));
    dse_strbuf_printf(out, "%s%s", *front->baseline.modelled != '\0' ? " " : "", front->baseline.modelled);
    add_misfit(front->paper.estimate, out);
}

static const char *times_text(double times, char text[24])
{
    snprintf(text, 24, times >= 9.95 ? "%.0f×" : times >= 1.995 ? "%.1f×" : "%.2f×", times);
    return text;
}

/* "Speed-up 1815× = algorithm 73× (accuracy 0.766 to 0.884) · hardware 17× · clock 1.24× (at 0.884) · published/modelled 1.15×. System (linux): latency
 * 60×, energy 69×." It is that of the balanced design. "published/modelled" is the published figure of the publication's design over the modelled one. */
static void add_split(const struct dse_front *front, struct dse_strbuf *out)
{
    const struct dse_speedup *split = &front->split;
    const struct dse_design *balanced = &front->designs[front->corners.at[DSE_CORNER_BALANCED]];
    const struct dse_quality *before = front->paper.quality, *after = balanced->quality;
    char text[24];
    double published_s = front->baseline.published[DSE_METRIC_LATENCY];
    dse_strbuf_printf(out, "Speed-up %s", times_text(ratio(front, balanced, DSE_METRIC_LATENCY), text));
    if (!isnan(split->algorithm)) {
        dse_strbuf_printf(out, " = algorithm %s", times_text(split->algorithm, text));
        if (split->with >= 0) {
            const struct dse_knob *knob = &balanced->setup->space->knobs[split->with];
            char value[64];
            dse_strbuf_printf(out, " with %s=%s", knob->name, dse_knob_format(knob, balanced->estimate->config.value[split->with], value, sizeof value));
        }
        char same[16] = "";
        if (before != NULL && after != NULL) {
            dse_strbuf_printf(out, " (%s %.3f to %.3f)", dse_quality_title(after->name), dse_quality_plain(before->name, before->mean), dse_quality_plain(after->name, after->mean));
            snprintf(same, sizeof same, " (at %.3f)", dse_quality_plain(after->name, after->mean));
        }
        const bool joint = isnan(split->hardware); /* its hardware is infeasible at the baseline's clock */
        dse_strbuf_add(out, " · hardware");
        if (!joint)
            dse_strbuf_printf(out, " %s", times_text(split->hardware, text));
        dse_strbuf_printf(out, " %s clock %s%s", joint ? "and" : "·", times_text(joint ? ratio(front, balanced, DSE_METRIC_LATENCY) / split->algorithm : split->clock, text), same);
        if (!isnan(published_s))
            dse_strbuf_printf(out, " · published/modelled %s", times_text(published_s / front->paper.estimate->metrics[DSE_METRIC_LATENCY], text));
    }
    const struct dse_host *host = &front->paper.setup->board->host;
    char batch[48] = "";
    if (host->batch > 1)
        snprintf(batch, sizeof batch, ", %" PRId64 " per launch", host->batch);
    dse_strbuf_printf(out, ". System (%s%s): latency %s", host->name, batch, times_text(ratio(front, balanced, DSE_METRIC_LATENCY_SYSTEM), text));
    dse_strbuf_printf(out, ", energy %s.", times_text(ratio(front, balanced, DSE_METRIC_ENERGY_SYSTEM), text));
}

static json_t *design_json(const struct dse_front *front, const struct dse_design *design)
{
    json_t *object = dse_estimate_json(design, DSE_ESTIMATE_OF_MANY), *ratios = json_object();
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        dse_json_put_number(ratios, dse_metrics[compared[i]].name, ratio(front, design, compared[i]));
    if (front->corners.at[DSE_CORNER_BALANCED] != DSE_CORNER_NONE && design == &front->designs[front->corners.at[DSE_CORNER_BALANCED]]) {
        dse_json_put_number(ratios, "latency_by_algorithm", front->split.algorithm);
        dse_json_put_number(ratios, "latency_by_hardware", front->split.hardware);
        dse_json_put_number(ratios, "latency_by_clock", front->split.clock);
    }
    json_object_set_new(object, "ratio", ratios);
    return object;
}

/* Knobs in which the training that the baseline's quality was measured with differs from its configuration. */
static json_t *trained_json(const struct dse_front *front)
{
    const struct dse_space *space = front->paper_setup.space;
    const struct dse_config *trained = &front->paper_trained;
    json_t *object = json_object();
    for (size_t k = 0; k < space->count; k++)
        if (dse_knob_active(space, trained, k) && trained->value[k] != front->paper_estimate.config.value[k])
            json_object_set_new(object, space->knobs[k].name, dse_knob_json(&space->knobs[k], trained->value[k]));
    return object;
}

json_t *dse_corners_json(const struct dse_front *front)
{
    json_t *object = json_object();
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (front->corners.at[c] != DSE_CORNER_NONE)
            json_object_set_new(object, dse_corner_names[c], design_json(front, &front->designs[front->corners.at[c]]));
    if (front->robust != DSE_CORNER_NONE) {
        json_t *robust = design_json(front, &front->designs[front->robust]);
        dse_json_put_number(robust, "regret", front->regret);
        json_object_set_new(object, "robust", robust);
    }
    if (front->has_paper)
        json_object_set_new(object, "paper", design_json(front, &front->paper));
    if (front->has_paper && front->paper_by_reference) {
        json_object_set_new(json_object_get(object, "paper"), "trained_as", json_string(DSE_REFERENCE));
        if (front->paper_own != NULL)
            json_object_set_new(json_object_get(object, "paper"), "as_described", json_real(front->paper_own->mean));
        json_object_set_new(json_object_get(object, "paper"), "trained_with", trained_json(front));
    }
    return object;
}

json_t *dse_corners_names(const struct dse_corners *corners, size_t point)
{
    json_t *names = json_array();
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (corners->at[c] == point)
            json_array_append_new(names, json_string(dse_corner_names[c]));
    return names;
}

const char *dse_corners_words(const struct dse_corners *corners, size_t point, char text[128])
{
    size_t length = 0;
    text[0] = '\0';
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (corners->at[c] == point)
            length += (size_t)snprintf(text + length, 128 - length, "%s%s", length > 0 ? " " : "", dse_corner_names[c]);
    return text;
}

/* ---- the table ---- */

/* Whether a race stopped its validation before the best design's: its mean is over fewer splits. */
static bool is_stopped(const struct dse_front *front, const struct dse_quality *quality)
{
    const struct dse_quality *best = front->corners.best;
    return quality != NULL && best != NULL && quality->validation_count > 0 && quality->validation_count < best->validation_count;
}

static bool any_stopped(const struct dse_front *front)
{
    bool any = false;
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        any |= front->corners.at[c] != DSE_CORNER_NONE && is_stopped(front, front->designs[front->corners.at[c]].quality);
    return any;
}

/* Number of splits of all rows with a quality; -1 if they differ, 0 if none has one. */
static int64_t shared_splits(const struct dse_front *front)
{
    int64_t n = front->has_paper && front->paper.quality != NULL ? front->paper.quality->n : 0;
    for (int c = 0; c < DSE_CORNER_COUNT; c++) {
        const struct dse_quality *quality = front->corners.at[c] != DSE_CORNER_NONE ? front->designs[front->corners.at[c]].quality : NULL;
        if (quality != NULL && n != quality->n)
            n = n == 0 ? quality->n : -1;
    }
    return n;
}

static void write_quality(const struct dse_front *front, const struct dse_design *design, char *text, size_t size)
{
    const struct dse_quality *quality = design->quality;
    bool beats = quality == NULL || design->standard == NULL || dse_standard_beats_majority(design->standard, quality->mean);
    char n[24] = "";
    if (quality != NULL && shared_splits(front) < 0)
        snprintf(n, sizeof n, " (%lld)", (long long)quality->n);
    if (quality == NULL)
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.3f±%.3f%s%s%s", dse_quality_plain(quality->name, quality->mean), dse_spread_of(quality), is_stopped(front, quality) ? "*" : "",
                 beats ? "" : "!", n);
}

/* Columns that only some questions ask for. */
struct extras {
    bool power, rates;
};

static struct extras extras_of(const struct dse_exploration *e)
{
    return (struct extras){.power = dse_request_flag(e->request, "host"),
                           .rates = e->terms->rate != NULL || e->question.board->host.batch > 1 || dse_question_asks_rate(&e->question)};
}

/* Three digits of a quantity, for a column: "24.7 µs". */
static void quantity_short(char text[32], enum dse_metric metric, double value)
{
    double step = value > 0.0 ? pow(10.0, floor(log10(value)) - 2.0) : 1.0;
    dse_quantity_format(text, 32, dse_metrics[metric].dimension, isfinite(value) ? round(value / step) * step : value);
    size_t end = strcspn(text, " "), from = end;
    if (strchr(text, '.') == NULL || text[end] == '\0')
        return;
    from -= text[end - 2] == '.' ? 2 : 1;
    memmove(text + from, text + end, strlen(text + end) + 1);
}

/* The baseline's row has the values of comparison. */
static void add_row(const struct dse_front *front, const char *title, const struct dse_design *design, struct extras extras, struct dse_table *table)
{
    char text[64];
    enum dse_metric most;
    const struct dse_estimate *estimate = design->estimate;
    double share = dse_corner_share(estimate->platform.limits, estimate->metrics, &most);
    bool baseline = design == &front->paper;
    dse_table_text(table, title);
    const enum dse_metric shown[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_LATENCY_SYSTEM, extras.power ? DSE_METRIC_POWER_SYSTEM : DSE_METRIC_ENERGY_SYSTEM};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        enum dse_metric metric = shown[i];
        bool kernel = metric == DSE_METRIC_LATENCY || metric == DSE_METRIC_ENERGY;
        char quantity[32], times[24] = "1×";
        quantity_short(quantity, metric, baseline ? dse_baseline_value(&front->baseline, estimate, metric) : estimate->metrics[metric]);
        const char *mark = baseline && is_modelled(&front->baseline, metric) ? "~" : "";
        if (!baseline)
            times_text(ratio(front, design, metric), times);
        if (!kernel || !front->has_paper)
            dse_table_text(table, quantity);
        else
            dse_table_cell(table, "%s%s %*s", quantity, mark, (int)(5 - strlen(mark) + strlen("×") - 1), times);
    }
    write_quality(front, design, text, sizeof text);
    dse_table_text(table, text);
    if (isinf(share)) /* the baseline may not fit: the board lacks the resource */
        dse_table_cell(table, "no %s", dse_metrics[most].heading);
    else
        dse_table_cell(table, "%.0f%% %s", 100.0 * share, dse_metrics[most].heading);
    static const enum dse_metric further[] = {DSE_METRIC_ENERGY_SYSTEM, DSE_METRIC_THROUGHPUT, DSE_METRIC_THROUGHPUT_SYSTEM};
    for (size_t i = extras.power ? 0 : 1; i < (extras.rates ? sizeof further / sizeof *further : 1); i++) {
        quantity_short(text, further[i], estimate->metrics[further[i]]);
        dse_table_cell(table, "%.*s", (int)(strlen(text) - (i > 0 ? strlen("/s") : 0)), text); /* the heading has the items per second */
    }
}

/* "accuracy", and below it "± SE, n=10", or "± SE (n)" if the rows' numbers of splits differ. */
static const char *quality_heading(const struct dse_front *front, char text[64])
{
    const struct dse_quality *first = front->designs[0].quality;
    int64_t n = shared_splits(front);
    char of[32];
    snprintf(of, sizeof of, n > 0 ? ", n=%lld" : " (n)", (long long)n);
    snprintf(text, 64, "%.20s\n± %s%s", first != NULL ? dse_quality_title(first->name) : "quality", dse_spread_short(), of);
    return first == NULL ? "quality" : text;
}

/* "latency, system latency, energy per 128 queries; system energy per query": of a family whose run answers several items. */
static void write_amounts(const struct dse_front *front, struct dse_strbuf *out)
{
    const struct dse_design *first = &front->designs[0];
    char of[3][64];
    static const enum dse_metric metrics[] = {DSE_METRIC_ENERGY, DSE_METRIC_LATENCY_SYSTEM, DSE_METRIC_ENERGY_SYSTEM};
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        dse_amount_per(first->setup->family, metrics[i], &first->estimate->config, first->estimate->platform.batch, of[i]);
    if (*of[0] == '\0')
        return;
    if (strcmp(of[0], of[1]) == 0)
        dse_strbuf_printf(out, "latency, system latency, energy%s; system energy%s\n", of[0], of[2]);
    else
        dse_strbuf_printf(out, "latency, energy%s; system latency%s,\nsystem energy%s\n", of[0], of[1], of[2]);
}

static void write_table(const struct dse_front *front, bool robust, struct extras extras, struct dse_strbuf *out)
{
    struct dse_table table = {.dense = true}; /* without extras: 80 columns */
    size_t width = dse_terminal_width();
    char heading[64];
    dse_table_columns(&table, front->has_paper ? "design|latency,\nspeed-up>|energy,\nsaving>" : "design|latency>|energy>");
    dse_table_columns(&table, "system\nlatency>");
    dse_table_column(&table, extras.power ? "system\npower" : "system\nenergy", true);
    dse_table_column(&table, quality_heading(front, heading), true);
    dse_table_column(&table, "largest\nshare", true);
    if (extras.power)
        dse_table_column(&table, "system\nenergy", true);
    for (int system = 0; system < 2 && extras.rates; system++) {
        snprintf(heading, sizeof heading, "%sthroughput,\n%.40s/s", system ? "system " : "", dse_items_word(front->designs[0].setup->family, &front->designs[0].estimate->config));
        dse_table_column(&table, heading, true);
    }
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (front->corners.at[c] != DSE_CORNER_NONE && front->shown_as[c] == c)
            add_row(front, dse_corner_titles[c], &front->designs[front->corners.at[c]], extras, &table);
    if (robust && front->robust != DSE_CORNER_NONE)
        add_row(front, "robust", &front->designs[front->robust], extras, &table);
    if (front->has_paper)
        add_row(front, "baseline", &front->paper, extras, &table);
    write_amounts(front, out);
    dse_table_finish(&table, width > 0 ? width : COLUMNS, out);
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (front->corners.at[c] != DSE_CORNER_NONE && front->shown_as[c] != c) {
            bool same = front->corners.at[c] == front->corners.at[front->shown_as[c]];
            dse_strbuf_printf(&text, "%s%s is %s%s", text.length > 0 ? "; " : "", dse_corner_titles[c], same ? "" : "within 5 % of ",
                              dse_corner_titles[front->shown_as[c]]);
        }
    if (text.length > 0)
        dse_terminal_wrap(out, dse_strbuf_text(&text), COLUMNS);
    if (front->corners.at[0] == DSE_CORNER_NONE)
        dse_strbuf_add(out, "No design is more accurate than a constant prediction (!): build none of them.\n");
}

bool dse_corners_alone(const struct dse_exploration *e, struct dse_strbuf *out)
{
    const struct dse_question *question = &e->question;
    const struct dse_choice_count *choices = &e->choices;
    bool near = e->front.count > 0 && question->objective_count > 1 && (e->front.count == 1 || e->front.corners.at[DSE_CORNER_BALANCED] != DSE_CORNER_NONE);
    for (int c = DSE_CORNER_BALANCED + 1; c < DSE_CORNER_COUNT; c++)
        near &= e->front.corners.at[c] == DSE_CORNER_NONE || e->front.shown_as[c] == DSE_CORNER_BALANCED || e->front.count == 1;
    if (!near)
        return false;
    dse_strbuf_add(out, e->front.count == 1 ? "Nothing to trade: of all feasible designs, one is the best in"
                                            : "Little to trade: every corner is balanced or within 5 % of it, in");
    for (size_t o = 0; o < question->objective_count; o++)
        dse_strbuf_printf(out, "%s %s", o == 0 ? "" : o + 1 < question->objective_count ? "," : " and", dse_metrics[question->objectives[o]].name);
    if (choices->below_quality > 0)
        dse_strbuf_printf(out, "; %zu of %zu measured settings are below the required %s (--quality-drop)", choices->below_quality, choices->measured,
                          e->profile->qualities[0].name);
    dse_strbuf_printf(out, "%s. More objectives: --objectives latency,energy,lut.", e->front.designs[0].quality == NULL ? " (no quality is measured)" : "");
    return true;
}

/* ---- differences ---- */

/* Writes the knobs in which a design differs from another, within `lines` lines, and the number of omitted ones. */
static void write_knobs(const char *title, const struct dse_design *design, const struct dse_config *than, size_t lines,
                        struct dse_strbuf *out)
{
    const struct dse_space *space = design->setup->space;
    const struct dse_config *config = &design->estimate->config;
    size_t line = 15, left = 0;
    dse_strbuf_printf(out, "%-14s", title);
    for (size_t k = 0; k < space->count; k++) {
        char item[160];
        if (!dse_knob_active(space, config, k) || (config->value[k] == than->value[k] && dse_knob_active(space, than, k)))
            continue;
        dse_knob_text(space, config, k, item, sizeof item);
        bool last = lines == 1;
        if (line + 1 + strlen(item) > COLUMNS - 1 - (last ? 10 : 0)) {
            if (last) {
                left++;
                continue;
            }
            dse_strbuf_printf(out, "\n%-14s", "");
            line = 14;
            lines--;
        }
        if (left == 0) {
            dse_strbuf_printf(out, " %s", item);
            line += 1 + strlen(item);
        } else {
            left++;
        }
    }
    if (left > 0)
        dse_strbuf_printf(out, ", %zu more", left);
    dse_strbuf_add(out, "\n");
}

static void write_differences(const struct dse_front *front, bool robust, struct dse_strbuf *out)
{
    const struct dse_corners *corners = &front->corners;
    if (corners->at[DSE_CORNER_BALANCED] == DSE_CORNER_NONE)
        return;
    const struct dse_design *balanced = &front->designs[corners->at[DSE_CORNER_BALANCED]];
    size_t rows = 0;
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        rows += corners->at[c] != DSE_CORNER_NONE && front->shown_as[c] == c;
    struct dse_config usual; /* where the flow or the question has no baseline: every knob's default */
    dse_space_default(balanced->setup->space, &usual);
    bool based = front->has_paper || dse_bits_any(front->paper_fixed);
    write_knobs("balanced", balanced, based ? &front->paper_config : &usual, rows < DSE_CORNER_COUNT - 1 ? 2 : 1, out);
    for (int c = 1; c < DSE_CORNER_COUNT; c++)
        if (corners->at[c] != DSE_CORNER_NONE && front->shown_as[c] == c)
            write_knobs(dse_corner_titles[c], &front->designs[corners->at[c]], &balanced->estimate->config, 1, out);
    if (robust && front->robust != DSE_CORNER_NONE && front->robust != corners->at[DSE_CORNER_BALANCED])
        write_knobs("robust", &front->designs[front->robust], &balanced->estimate->config, 1, out);
}

/* ---- confidence and next steps ---- */

/* The settings that took part, including those measured for the question. */
struct settings {
    size_t count, as_good; /* as_good: within one standard error of the best */
    int64_t fewest, most;  /* splits of one */
};

static void count_quality(const struct dse_quality *best, const struct dse_quality *quality, struct settings *out)
{
    if (quality == NULL)
        return;
    out->as_good += best != NULL && dse_corner_as_good(best, quality);
    out->fewest = out->most == 0 || quality->n < out->fewest ? quality->n : out->fewest;
    out->most = quality->n > out->most ? quality->n : out->most;
}

static struct settings count_settings(const struct dse_exploration *e)
{
    const struct dse_quality *best = e->front.corners.best;
    struct settings out = {.count = e->question.alternative_count};
    for (size_t i = 0; i < e->question.alternative_count; i++)
        count_quality(best, dse_profile_quality_of(e->space, e->profile, &e->alternatives[i].config), &out);
    for (size_t i = 0; i < e->settings.count; i++) {
        const struct dse_quality *quality = dse_profile_quality_of(e->space, e->profile, &e->settings.configs[i]);
        out.count += quality != NULL && quality->mean >= e->standard.floor;
        count_quality(best, quality, &out);
    }
    return out;
}


/* The best design's quality if it was also reported on splits held out from the choice; otherwise NULL. */
static const struct dse_quality *reported_of(const struct dse_exploration *e)
{
    const struct dse_quality *balanced = e->front.designs[e->front.order[0]].quality;
    return balanced != NULL && balanced->reported_n > 0 ? balanced : NULL;
}

static void add_reported(const struct dse_exploration *e, struct dse_strbuf *text)
{
    const struct dse_front *front = &e->front;
    const struct dse_quality *balanced = reported_of(e), *paper = front->has_paper ? front->paper.quality : NULL;
    if (balanced == NULL)
        return;
    dse_strbuf_printf(text, ". Held out (n = %lld): balanced %.3f ± %.3f", (long long)balanced->reported_n,
                      dse_quality_plain(balanced->name, balanced->reported_mean), dse_spread(balanced->reported_std, balanced->reported_n));
    if (paper != NULL && paper->reported_n > 0)
        dse_strbuf_printf(text, ", baseline%s %.3f ± %.3f", front->paper_by_reference ? ": preset " DSE_REFERENCE : front->paper_differs ? " as described" : "", dse_quality_plain(paper->name, paper->reported_mean),
                          dse_spread(paper->reported_std, paper->reported_n));
    if (front->paper_own != NULL)
        dse_strbuf_printf(text, ", published training %.3f", dse_quality_plain(front->paper_own->name, front->paper_own->mean));
}

/* Format: " kernel latency -1 to +1 %, energy unknown", " on a board: unknown" */
static void add_scope(const struct dse_model_family *family, enum dse_bands_scope scope, const struct dse_estimate *estimate, struct dse_strbuf *text)
{
    struct dse_strbuf bands DSE_CLEANUP(dse_strbuf_free) = {0};
    size_t count = sizeof stated / sizeof *stated, unknown = 0;
    for (size_t i = 0; i < count; i++) {
        double low = NAN, high = NAN, value = estimate->metrics[stated[i]];
        bool known = dse_bands_ends(family, scope, stated[i], estimate, &low, &high);
        dse_strbuf_printf(&bands, "%s %s", i > 0 ? "," : "", dse_metrics[stated[i]].name);
        long below = known ? lround(100.0 * (1.0 - low / value)) : 0, above = known ? lround(100.0 * (high / value - 1.0)) : 0;
        if (known && below == above)
            dse_strbuf_printf(&bands, " ±%ld %%", below);
        else if (known)
            dse_strbuf_printf(&bands, " -%ld to +%ld %%", below, above);
        else
            dse_strbuf_add(&bands, " unknown");
        unknown += !known;
    }
    if (scope != DSE_BANDS_KERNEL && unknown == count)
        dse_strbuf_add(text, " on a board: unknown");
    else
        dse_strbuf_printf(text, " %s%s", scope != DSE_BANDS_KERNEL ? "on a board" : family->own_profile != NULL ? "modelled" : "kernel", unknown < count ? dse_strbuf_text(&bands) : ": unknown");
}

/* Bands from the models' errors, and the choice's probability of being Pareto-optimal. */
static void add_bands(const struct dse_exploration *e, struct dse_strbuf *text)
{
    const struct dse_front *front = &e->front;
    size_t balanced = front->corners.at[DSE_CORNER_BALANCED];
    if (balanced == DSE_CORNER_NONE)
        return;
    const struct dse_estimate *estimate = front->designs[balanced].estimate;
    dse_strbuf_add(text, " Errors:");
    add_scope(e->question.family, DSE_BANDS_KERNEL, estimate, text);
    dse_strbuf_add(text, ";");
    add_scope(e->question.family, DSE_BANDS_SYSTEM, estimate, text);
    if (front->robust != DSE_CORNER_NONE)
        dse_strbuf_printf(text, "; P(balanced Pareto-optimal) %.0f %%", 100.0 * front->designs[balanced].chance);
    if (front->robust != DSE_CORNER_NONE && e->terms->robust)
        dse_strbuf_printf(text, "; regret: balanced %.2f, robust %.2f", front->plain_regret,
                          front->regret);
    dse_strbuf_add(text, ".");
}

/* Fixed knobs in which the baseline differs from the publication. */
static void add_fixed(const struct dse_front *front, struct dse_strbuf *text)
{
    const char *before = " The baseline also has the fixed knobs:";
    if (!front->has_paper)
        dse_strbuf_add(text, dse_bits_any(front->paper_fixed) ? " The published design cannot have the fixed knobs: there is no baseline." : "");
    for (size_t k = 0; front->has_paper && k < front->paper_setup.space->count; k++) {
        char item[160];
        if (!dse_bits_has(front->paper_fixed, k))
            continue;
        dse_strbuf_printf(text, "%s %s", before, dse_knob_text(front->paper_setup.space, &front->paper_estimate.config, k, item, sizeof item));
        before = "";
    }
    dse_strbuf_add(text, *before == '\0' ? "." : "");
}

static void write_certainty(const struct dse_exploration *e, struct dse_strbuf *out)
{
    const struct dse_standard *standard = &e->standard;
    const struct dse_corners *corners = &e->front.corners;
    const struct dse_quality *quality = corners->best;
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    if (quality == NULL) {
        dse_strbuf_add(&text, "quality: not measured");
    } else {
        const struct settings settings = count_settings(e);
        const char *before = " ";
        dse_strbuf_printf(&text, "%s:", dse_quality_title(quality->name));
        if (!isnan(standard->majority))
            dse_strbuf_printf(&text, " %s %.3f", dse_quality_chance_title(quality->name), dse_quality_plain(quality->name, standard->majority)), before = ", ";
        const struct dse_quality *baseline = e->front.has_paper ? e->front.paper.quality : NULL;
        if (!isnan(standard->preset) && (baseline == NULL || baseline->mean != standard->preset)) /* otherwise the baseline's row shows it */
            dse_strbuf_printf(&text, "%spreset " DSE_REFERENCE " %.3f", before, dse_quality_plain(quality->name, standard->preset)), before = ", ";
        if (isfinite(standard->floor))
            dse_strbuf_printf(&text, "%srequired %s %.3f", before, dse_quality_is_negative(quality->name, NULL) ? "≤" : "≥", dse_quality_plain(quality->name, standard->floor)), before = ", ";
        dse_strbuf_printf(&text, "%sbalanced: least latency × energy within 1 SE of the best %.3f (%zu of %zu settings",
                          *before == ',' ? "; " : before, dse_quality_plain(quality->name, corners->best_quality), settings.as_good, settings.count);
        if (settings.fewest < settings.most)
            dse_strbuf_printf(&text, ", measured on %lld to %lld splits", (long long)settings.fewest, (long long)settings.most);
        dse_strbuf_add(&text, ")");
        dse_strbuf_add(&text, any_stopped(&e->front) ? "; *: fewer splits, not comparable" : "");
        add_reported(e, &text);
    }
    dse_strbuf_add(&text, ".");
    if (e->front.has_paper) {
        if (corners->at[DSE_CORNER_BALANCED] != DSE_CORNER_NONE) {
            dse_strbuf_add(&text, " ");
            add_split(&e->front, &text);
        }
        dse_strbuf_add(&text, " ");
        size_t begins = text.length;
        add_baseline(&e->front, true, &text);
        text.text[begins] = 'B';
        if (e->front.paper_by_reference && (quality == NULL || reported_of(e) == NULL)) /* otherwise the held-out figures say so */
            dse_strbuf_add(&text, ", accuracy of preset " DSE_REFERENCE);
        dse_strbuf_add(&text, ".");
    }
    add_bands(e, &text);
    add_fixed(&e->front, &text);
    if (corners->at[DSE_CORNER_BALANCED] != DSE_CORNER_NONE) {
        const struct dse_design *balanced = &e->front.designs[corners->at[DSE_CORNER_BALANCED]];
        dse_assumed_add(balanced, " Of the balanced design ", ".", &text);
        dse_clock_add(balanced, " Clock of the balanced design ", ".", &text);
    }
    dse_terminal_wrap(out, dse_strbuf_text(&text), COLUMNS);
}

/* With a load: the 99th percentile of each corner's queue. */
static void write_loads(const struct dse_exploration *e, struct dse_strbuf *out)
{
    const struct dse_front *front = &e->front;
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    char p99[32], rate[64];
    bool unbounded = false;
    for (int c = 0; c < DSE_CORNER_COUNT; c++) {
        const struct dse_design *design = front->corners.at[c] != DSE_CORNER_NONE ? &front->designs[front->corners.at[c]] : NULL;
        if (design == NULL || design->load == NULL || front->shown_as[c] != c)
            continue;
        if (text.length > 0)
            dse_strbuf_add(&text, ", ");
        else
            dse_strbuf_printf(&text, "With %s arriving (host %s), 99 %% are answered within: ", dse_load_rate(design->load->rate_hz, dse_items_word(e->question.family, &design->estimate->config), rate),
                              e->question.board->host.name);
        const bool never = isinf(design->load->p99_s);
        dse_strbuf_printf(&text, "%s %s", dse_corner_titles[c], never ? "never" : dse_quantity_format(p99, sizeof p99, DSE_DIMENSION_TIME, design->load->p99_s));
        unbounded |= never;
        if (!never && design->load->state != DSE_LOAD_IS_STEADY)
            dse_strbuf_add(&text, design->load->state == DSE_LOAD_IS_NEAR ? " (near saturation: not steady)" : " (overloaded)");
    }
    if (text.length > 0) {
        dse_strbuf_printf(&text, " (simulated)%s.", unbounded ? "; never: arrivals exceed the system throughput" : "");
        dse_terminal_wrap(out, dse_strbuf_text(&text), COLUMNS);
    }
}

static void write_next(const struct dse_exploration *e, struct dse_strbuf *out)
{
    const char *study = dse_request_word(e->request, "study"), *flow = dse_request_word(e->request, "flow");
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    if (flow != NULL && strcmp(flow, "hls") != 0) /* a study stores none of its designs */
        dse_strbuf_printf(&text, "next: nysx-dse emit --flow %s --train -o DIR with the same data set, board and limits; or --wide", flow);
    else if (study != NULL)
        dse_strbuf_printf(&text, "next: nysx-dse emit --from %s:best -o DIR, or :fastest, :smallest, :#3; report --study %s "
                          "-o FILE.html", study, study);
    else if (reported_of(e) != NULL) /* the result on those splits took one line */
        dse_strbuf_add(&text, "next: add --study F.db, then nysx-dse emit --from F.db:best -o DIR; or --wide");
    else
        dse_strbuf_add(&text, "next: add --study FILE.db, then nysx-dse emit --from FILE.db:best -o DIR (or :fastest, :smallest, "
                       ":#3); --wide, --top N, --front N show more.");
    dse_terminal_wrap(out, dse_strbuf_text(&text), COLUMNS);
}

const char *dse_corners_cap(const struct dse_question *question, const struct dse_point *points, const struct dse_corners *corners, char text[80])
{
    int64_t clocks[DSE_CORNER_COUNT];
    size_t count = 0;
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (corners->at[c] != DSE_CORNER_NONE)
            clocks[count++] = points[corners->at[c]].config.value[question->family->clock_knob];
    return dse_caps_words(question->board, clocks, count, text);
}

static void write_head(const struct dse_exploration *e, struct dse_strbuf *out)
{
    const struct dse_answer *answer = &e->answer;
    char size[64], line[512], cap[80], proof[64];
    const size_t settings = count_settings(e).count;
    const char *calibration = dse_costs_calibration(e->question.costs);
    snprintf(line, sizeof line, "%s on %s (%s): %s designs, %zu setting%s; front of %zu, %s%s%s%s%s",
             e->profile->dataset, e->question.board->name, e->question.family->name,
             dse_count_format(size, sizeof size, dse_count_of(answer->space_size)),
             settings, settings == 1 ? "" : "s", answer->front_count,
             dse_proof_words(dse_exploration_found_by(e), answer->proven, proof),
             calibration != NULL ? "; costs calibrated by " : "", calibration != NULL ? calibration : "",
             *dse_corners_cap(&e->question, e->front.points, &e->front.corners, cap) != '\0' ? "; " : "", cap);
    dse_terminal_wrap(out, line, COLUMNS);
}

void dse_corners_write(const struct dse_exploration *e, struct dse_strbuf *out)
{
    write_head(e, out);
    write_table(&e->front, e->terms->robust, extras_of(e), out);
    struct dse_strbuf alone DSE_CLEANUP(dse_strbuf_free) = {0};
    if (dse_corners_alone(e, &alone))
        dse_terminal_wrap(out, dse_strbuf_text(&alone), COLUMNS);
    write_differences(&e->front, e->terms->robust, out);
    write_certainty(e, out);
    write_loads(e, out);
    write_next(e, out);
}

/* Knobs in which a design differs from the published one. */
static void add_differences(const struct dse_exploration *e, const struct dse_config *config, struct dse_strbuf *out)
{
    for (size_t k = 0; k < e->space->count; k++) {
        char item[160];
        if (dse_knob_active(e->space, config, k) &&
            (!e->front.has_paper || config->value[k] != e->front.paper.estimate->config.value[k]))
            dse_strbuf_printf(out, " %s", dse_knob_text(e->space, config, k, item, sizeof item));
    }
}

void dse_corners_tell(const struct dse_exploration *exploration, size_t chosen, struct dse_strbuf *out)
{
    const struct dse_front *front = &exploration->front;
    const struct dse_design *design = &front->designs[chosen];
    const double *metrics = design->estimate->metrics;
    char text[32], factor[24];
    dse_strbuf_add(out, "balanced, `sweep`'s choice by quality, latency and energy:");
    add_differences(exploration, &design->estimate->config, out);
    dse_strbuf_printf(out, "\n%s", dse_quantity_format(text, sizeof text, DSE_DIMENSION_TIME, metrics[DSE_METRIC_LATENCY]));
    dse_strbuf_printf(out, ", %s", dse_quantity_format(text, sizeof text, DSE_DIMENSION_ENERGY, metrics[DSE_METRIC_ENERGY]));
    if (design->quality != NULL)
        dse_strbuf_printf(out, ", %s %.3f ± %.3f (%s, n = %lld)", dse_quality_title(design->quality->name), dse_quality_plain(design->quality->name, design->quality->mean),
                          dse_spread_of(design->quality), dse_spread_name(), (long long)design->quality->n);
    if (front->has_paper) {
        double times = ratio(front, design, DSE_METRIC_LATENCY);
        dse_strbuf_printf(out, "; %s %s than the ", times_text(fmax(times, 1 / times), factor), times < 1 ? "slower" : "faster");
        add_baseline(front, false, out);
    }
    bool others = false;
    for (int c = DSE_CORNER_FASTEST; c < DSE_CORNER_COUNT; c++) {
        if (front->corners.at[c] == chosen || front->corners.at[c] == DSE_CORNER_NONE)
            continue;
        const double *other = front->designs[front->corners.at[c]].estimate->metrics;
        dse_strbuf_printf(out, "%s%s %s", others ? ", " : "\nother designs: ", dse_corner_titles[c],
                          dse_quantity_format(text, sizeof text, DSE_DIMENSION_TIME, other[DSE_METRIC_LATENCY]));
        others = true;
    }
    dse_strbuf_add(out, others ? " (`sweep --study FILE.db`, then --from FILE.db:fastest …); " : "\nthis design is every corner of the front; ");
    dse_strbuf_printf(out, "the published design: --preset %s", exploration->bench->family->knobs->presets[0]);
}
