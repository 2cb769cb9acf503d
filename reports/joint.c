#include "reports/joint.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "reports/corners.h"
#include "reports/json.h"
#include "reports/spread.h"
#include "reports/sweep.h"

static dse_knob_set own_of(const struct dse_joint_report *report, size_t point)
{
    const struct dse_question *question = report->question;
    return question->own != NULL ? question->own[report->answer->front[point].alternative] : (dse_knob_set){{0}};
}

static size_t rank_of(const struct dse_joint_report *report, size_t index)
{
    size_t rank = 0;
    while (report->order[rank] != index)
        rank++;
    return rank + 1;
}

/* Standard error of the combined quality; NaN if not measured. */
static double quality_error(const struct dse_joint_report *report, size_t index)
{
    return report->qualities[index].name != NULL ? dse_corner_standard_error(&report->qualities[index]) : NAN;
}

/* "accuracy"; "quality" if none is measured. */
static const char *quality_name(const struct dse_joint_report *report)
{
    for (size_t i = 0; i < report->answer->front_count; i++)
        if (report->qualities[i].name != NULL)
            return report->qualities[i].name;
    return "quality";
}

static json_t *result_json(const struct dse_joint_report *report, const struct dse_design *design)
{
    json_t *result = dse_estimate_json(design, report->compact ? DSE_ESTIMATE_COMPACT : DSE_ESTIMATE_OF_MANY);
    if (report->compact) {
        json_object_del(result, "config");
        json_object_set_new(result, "dataset", json_string(design->dataset));
    }
    return result;
}

static json_t *point_json(const struct dse_joint_report *report, size_t index)
{
    const struct dse_question *question = report->question;
    const struct dse_point *point = &report->answer->front[index];
    json_t *object = json_object(), *combined = dse_json_metrics(point->metrics), *results = json_array();
    json_t *config = dse_config_json(question->space, &point->config);
    for (size_t k = 0; k < question->space->count; k++)
        if (dse_bits_has(own_of(report, index), k))
            json_object_del(config, question->space->knobs[k].name);
    json_object_set_new(combined, "quality_error", dse_json_number(quality_error(report, index)));
    for (size_t d = 0; d < report->dataset_count; d++)
        json_array_append_new(results, result_json(report, &report->each[index * report->dataset_count + d]));
    if (report->ids[index] > 0)
        json_object_set_new(object, "id", json_integer(report->ids[index]));
    json_object_update_new(object, json_pack("{s:o, s:o, s:o}", "config", config, "combined", combined, "results", results));
    if (!report->one) {
        json_object_set_new(object, "rank", json_integer((json_int_t)rank_of(report, index)));
        json_object_set_new(object, "corners", dse_corners_names(report->corners, index));
    }
    return object;
}

static json_t *points_json(const struct dse_joint_report *report, size_t count, bool best)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, point_json(report, best ? report->order[i] : i));
    return array;
}

static json_t *corners_json(const struct dse_joint_report *report)
{
    json_t *object = json_object();
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (report->corners->at[c] != DSE_CORNER_NONE)
            json_object_set_new(object, dse_corner_names[c], point_json(report, report->corners->at[c]));
    return object;
}

static json_t *datasets_json(const struct dse_joint_report *report)
{
    json_t *array = json_array();
    for (size_t d = 0; d < report->dataset_count; d++) {
        json_t *object = json_object();
        json_object_set_new(object, "name", json_string(report->datasets[d]));
        if (report->weights != NULL)
            json_object_set_new(object, "weight", json_real(report->weights[d]));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *provenance_json(const struct dse_joint_report *report)
{
    json_t *object = dse_question_provenance(report->request, report->command, report->question), *sets = json_array();
    for (size_t d = 0; d < report->dataset_count; d++) {
        json_t *set = json_object();
        json_object_set_new(set, "name", json_string(report->datasets[d]));
        dse_dataset_provenance(&report->parts[d], set);
        json_array_append_new(sets, set);
    }
    json_object_set_new(object, "datasets", sets);
    return object;
}

json_t *dse_joint_json(const struct dse_joint_report *report)
{
    const struct dse_question *question = report->question;
    const struct dse_answer *answer = report->answer;
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:s, s:b, s:o, s:o, s:o, s:f, s:o}", "schema", "nysx-dse.combined/1", "family", question->family->name,
        "board", question->board->name, "combine", report->how, "datasets", datasets_json(report), "objectives",
        dse_json_objectives(question->objectives, question->objective_count), "method", dse_method_names[report->method], report->one ? "optimal" : "proven",
        answer->proven, "space_size", dse_json_count(answer->space_size), "evaluated", dse_json_count(answer->evaluated), "feasible",
        dse_json_count(answer->feasible), "seconds", answer->seconds, "provenance", provenance_json(report));
    if (!report->one)
        json_object_set_new(object, "corners", corners_json(report));
    json_object_set_new(object, "best", points_json(report, report->best, true));
    if (!report->one)
        json_object_set_new(object, "front", points_json(report, answer->front_count, false));
    return object;
}

/* ---- tables ---- */

static void write_points(const struct dse_joint_report *report, const size_t *which, size_t count, size_t width,
                         struct dse_strbuf *out)
{
    static const enum dse_metric shown[] = {DSE_METRIC_LATENCY, DSE_METRIC_ENERGY, DSE_METRIC_BRAM18, DSE_METRIC_URAM,
                                            DSE_METRIC_DSP,     DSE_METRIC_LUT,    DSE_METRIC_FF,     DSE_METRIC_QUALITY};
    struct dse_table table = {0};
    struct dse_design *firsts DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *firsts);
    bool ids = count > 0 && report->ids[which[0]] > 0;
    dse_table_column(&table, ids ? "id" : "#", true);
    for (size_t m = 0; m < sizeof shown / sizeof *shown; m++)
        dse_table_column(&table, shown[m] == DSE_METRIC_QUALITY ? dse_quality_title(quality_name(report)) : dse_metrics[shown[m]].heading, true);
    for (size_t d = 0; d < report->dataset_count; d++)
        dse_table_column(&table, report->datasets[d], true);
    for (size_t i = 0; i < count; i++) {
        const struct dse_design *each = &report->each[which[i] * report->dataset_count];
        dse_table_cell(&table, "%lld", ids ? (long long)report->ids[which[i]] : (long long)i + 1);
        for (size_t m = 0; m < sizeof shown / sizeof *shown; m++)
            dse_table_metric(&table, shown[m], (shown[m] == DSE_METRIC_QUALITY ? dse_quality_plain(quality_name(report), 1.0) : 1.0) * report->answer->front[which[i]].metrics[shown[m]]);
        for (size_t d = 0; d < report->dataset_count; d++)
            dse_table_metric(&table, DSE_METRIC_LATENCY, each[d].estimate->metrics[DSE_METRIC_LATENCY]);
        firsts[i] = each[0];
    }
    dse_table_finish(&table, width, out);
    dse_estimates_write_knobs(firsts, count, width, out);
}

/* One line per corner; a corner equal to another is noted below. */
static void write_corners(const struct dse_joint_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_corners *corners = report->corners;
    struct dse_table table = {0};
    const char *separator = "";
    char heading[64] = "";
    int64_t n = 0; /* n of the corners' qualities, if equal for all */
    for (int c = 0; c < DSE_CORNER_COUNT; c++)
        if (corners->at[c] != DSE_CORNER_NONE && report->qualities[corners->at[c]].name != NULL)
            n = n == 0 || n == report->qualities[corners->at[c]].n ? report->qualities[corners->at[c]].n : -1;
    dse_table_column(&table, "design", false);
    dse_table_column(&table, dse_metrics[DSE_METRIC_LATENCY].heading, true);
    dse_table_column(&table, dse_metrics[DSE_METRIC_ENERGY].heading, true);
    snprintf(heading, sizeof heading, n > 0 ? "%.30s\n± %s, n=%lld" : "%.30s\n± %s, n", dse_quality_title(quality_name(report)), dse_spread_short(), (long long)n);
    dse_table_column(&table, heading, true);
    dse_table_column(&table, "largest\nboard share", true);
    for (int c = 0; c < DSE_CORNER_COUNT; c++) {
        size_t at = corners->at[c], first = 0;
        while (corners->at[first] != at)
            first++;
        if (at == DSE_CORNER_NONE || first != (size_t)c)
            continue;
        enum dse_metric most;
        const struct dse_point *point = &report->answer->front[at];
        double share = dse_corner_share(report->each[at * report->dataset_count].estimate->platform.limits, point->metrics, &most);
        dse_table_text(&table, dse_corner_titles[c]);
        dse_table_metric(&table, DSE_METRIC_LATENCY, point->metrics[DSE_METRIC_LATENCY]);
        dse_table_metric(&table, DSE_METRIC_ENERGY, point->metrics[DSE_METRIC_ENERGY]);
        if (report->qualities[at].name != NULL)
            dse_table_cell(&table, n > 0 ? "%.3f ± %.3f" : "%.3f ± %.3f, %lld", dse_quality_plain(report->qualities[at].name, report->qualities[at].mean), dse_spread_of(&report->qualities[at]),
                           (long long)report->qualities[at].n);
        else
            dse_table_cell(&table, "-");
        dse_table_cell(&table, "%.0f %% %s", 100.0 * share, dse_metrics[most].heading);
    }
    dse_table_finish(&table, width, out);
    for (int c = 1; c < DSE_CORNER_COUNT; c++) {
        int first = 0;
        while (corners->at[first] != corners->at[c])
            first++;
        if (corners->at[c] == DSE_CORNER_NONE || first == c)
            continue;
        dse_strbuf_printf(out, "%s%s is %s", separator, dse_corner_titles[c], dse_corner_titles[first]);
        separator = "; ";
    }
    dse_strbuf_add(out, *separator != '\0' ? "\n" : "");
}

static void write_cap(const struct dse_joint_report *report, struct dse_strbuf *out)
{
    const struct dse_question *question = report->question;
    char text[80];
    const char *cap = report->one ? dse_caps_words(question->board, &report->answer->front[0].config.value[question->family->clock_knob], 1, text)
                                  : dse_corners_cap(question, report->answer->front, report->corners, text);
    if (*cap != '\0')
        dse_strbuf_printf(out, "%c%s.\n", toupper((unsigned char)*cap), cap + 1);
}

void dse_joint_write(const struct dse_joint_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_question *question = report->question;
    const struct dse_answer *answer = report->answer;
    char size[64], proof[64];
    dse_strbuf_printf(out, "%s on %s, one design for ", question->family->name, question->board->title);
    for (size_t d = 0; d < report->dataset_count; d++) {
        dse_strbuf_printf(out, "%s%s", d > 0 ? ", " : "", report->datasets[d]);
        if (report->weights != NULL)
            dse_strbuf_printf(out, " (%g)", report->weights[d]);
    }
    dse_strbuf_printf(out, ", by the %s: %s designs, %zu common settings, front of %zu, %s in %.2f s\n",
                      strcmp(report->how, "weighted") == 0 ? "weighted mean" : report->how,
                      dse_count_format(size, sizeof size, dse_count_of(answer->space_size)),
                      question->alternative_count, answer->front_count,
                      dse_proof_words(report->method, answer->proven, proof), answer->seconds);
    if (!report->one) {
        dse_strbuf_add(out, "\nCorners, by combined metrics\n\n");
        write_corners(report, width, out);
    }
    dse_strbuf_add(out, report->one ? "\nBest design: combined metrics, and the latency of each data set\n\n"
                                    : "\nBest designs: the balanced one first, then by balance; combined metrics, and the latency of each data set\n\n");
    write_points(report, report->order, report->best, width, out);
    dse_strbuf_printf(out, "Knobs are those of %s; other data sets differ by their presets.\n", report->datasets[0]);
    write_cap(report, out);
    if (report->one)
        return;
    size_t shown = report->shown < answer->front_count ? report->shown : answer->front_count;
    size_t *picked DSE_CLEANUP(dse_free_at) = dse_calloc(shown + 1, sizeof *picked);
    for (size_t i = 0; i < shown; i++)
        picked[i] = shown > 1 ? i * (answer->front_count - 1) / (shown - 1) : 0;
    dse_strbuf_printf(out, "\nPareto front, %zu of %zu designs, by %s\n\n", shown, answer->front_count,
                      dse_metrics[question->objectives[0]].name);
    write_points(report, picked, shown, width, out);
}

static const char *const of_each[] = {"latency_s", "quality", "quality_std", "quality_n"};

static void write_header(const struct dse_joint_report *report, struct dse_table *table)
{
    char heading[300];
    dse_table_columns(table, "id>|board|datasets");
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        dse_table_column(table, dse_metrics[m].key, true);
    dse_table_column(table, "quality_error", true);
    if (strcmp(quality_name(report), "quality") != 0)
        dse_table_column(table, quality_name(report), true);
    for (size_t d = 0; d < report->dataset_count; d++)
        for (size_t i = 0; i < sizeof of_each / sizeof *of_each; i++) {
            snprintf(heading, sizeof heading, "%s_%s", report->datasets[d], of_each[i]);
            dse_table_column(table, heading, true);
        }
    for (size_t k = 0; k < report->question->space->count; k++)
        dse_table_column(table, report->question->space->knobs[k].name, true);
    dse_table_columns(table, "rank>|corners|provenance");
}

static void write_each(const struct dse_design *design, struct dse_table *table)
{
    const struct dse_quality *quality = design->quality;
    dse_table_number(table, design->estimate->metrics[DSE_METRIC_LATENCY]);
    dse_table_number(table, quality != NULL ? quality->mean : NAN);
    dse_table_number(table, quality != NULL ? quality->std : NAN);
    dse_table_number(table, quality != NULL ? (double)quality->n : NAN);
}

static void write_row(const struct dse_joint_report *report, size_t index, const char *names, const char *provenance, struct dse_table *table)
{
    const struct dse_space *space = report->question->space;
    const struct dse_point *point = &report->answer->front[index];
    char corners[128] = "";
    dse_table_cell(table, report->ids[index] > 0 ? "%lld" : "", (long long)report->ids[index]);
    dse_table_text(table, report->question->board->name);
    dse_table_text(table, names);
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        dse_table_number(table, point->metrics[m]);
    dse_table_number(table, quality_error(report, index));
    if (strcmp(quality_name(report), "quality") != 0)
        dse_table_number(table, point->metrics[DSE_METRIC_QUALITY]);
    for (size_t d = 0; d < report->dataset_count; d++)
        write_each(&report->each[index * report->dataset_count + d], table);
    for (size_t k = 0; k < space->count; k++)
        if (!dse_bits_has(own_of(report, index), k))
            dse_table_knob(table, space, &point->config, k, "");
        else
            dse_table_text(table, "");
    dse_table_cell(table, "%zu", rank_of(report, index));
    dse_table_text(table, report->one ? "" : dse_corners_words(report->corners, index, corners));
    dse_table_text(table, provenance);
}

void dse_joint_write_csv(const struct dse_joint_report *report, struct dse_strbuf *out)
{
    struct dse_table table = {0};
    struct dse_strbuf names DSE_CLEANUP(dse_strbuf_free) = {0}, provenance DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_json_add_line(&provenance, provenance_json(report));
    for (size_t d = 0; d < report->dataset_count; d++)
        dse_strbuf_printf(&names, "%s%s", d > 0 ? "," : "", report->datasets[d]);
    write_header(report, &table);
    for (size_t i = 0; i < (report->one ? 1 : report->answer->front_count); i++)
        write_row(report, i, dse_strbuf_text(&names), i == 0 ? dse_strbuf_text(&provenance) : "", &table);
    dse_table_finish_csv(&table, out);
}
