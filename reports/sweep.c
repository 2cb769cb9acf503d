#include "reports/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"

static json_t *point_json(const struct dse_design *reported)
{
    json_t *estimate = dse_estimate_json(reported);
    /* library and calibration stay; `estimate` lists the entries */
    json_object_del(json_object_get(estimate, "provenance"), "costs");
    return estimate;
}

static json_t *estimates_json(const struct dse_design *reported, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, point_json(&reported[i]));
    return array;
}

/* Counts beyond JSON's (and a long long's) range are cut there. */
static json_t *count_json(uint64_t count)
{
    return json_integer(count > INT64_MAX ? INT64_MAX : (json_int_t)count);
}

/* How the hypervolume grew. */
static json_t *history_json(const struct dse_answer *answer)
{
    json_t *array = json_array();
    for (size_t i = 0; i < answer->history_count; i++) {
        const struct dse_progress_point *point = &answer->history[i];
        json_t *entry = json_object();
        json_object_set_new(entry, "evaluated", count_json(point->evaluated));
        json_object_set_new(entry, "seconds", json_real(point->seconds));
        json_object_set_new(entry, "hypervolume", isfinite(point->hypervolume) ? json_real(point->hypervolume) : json_null());
        json_array_append_new(array, entry);
    }
    return array;
}

/* All but the front. */
static json_t *head_json(const struct dse_sweep_report *report)
{
    const struct dse_question *question = report->question;
    const struct dse_answer *answer = report->answer;
    json_t *object = json_object(), *objectives = json_array();
    for (size_t o = 0; o < question->objective_count; o++)
        json_array_append_new(objectives, json_string(dse_metrics[question->objectives[o]].name));
    json_object_set_new(object, "schema", json_string("nysx-dse.sweep/1"));
    json_object_set_new(object, "family", json_string(question->family->name));
    json_object_set_new(object, "board", json_string(question->board->name));
    json_object_set_new(object, "dataset", json_string(report->front[0].dataset));
    json_object_set_new(object, "objectives", objectives);
    json_object_set_new(object, "method", json_string(report->method));
    json_object_set_new(object, "proven", json_boolean(answer->proven));
    json_object_set_new(object, "space_size", count_json(answer->space_size));
    json_object_set_new(object, "evaluated", count_json(answer->evaluated));
    json_object_set_new(object, "feasible", count_json(answer->feasible));
    json_object_set_new(object, "seconds", json_real(answer->seconds));
    if (*report->remark != '\0')
        json_object_set_new(object, "remark", json_string(report->remark));
    if (answer->history_count > 0)
        json_object_set_new(object, "history", history_json(answer));
    json_object_set_new(object, "best", estimates_json(report->best, report->best_count));
    return object;
}

/* A front may have ten thousands of points: each becomes text by itself, behind the head's last member. */
void dse_sweep_write_json(const struct dse_sweep_report *report, size_t depth, struct dse_strbuf *out)
{
    struct dse_strbuf head = {0};
    dse_json_add_at(&head, depth, head_json(report));
    const char *text = dse_strbuf_text(&head), *end = strrchr(text, '\n'); /* before the brace that closes it */
    dse_strbuf_add_n(out, text, end != NULL ? (size_t)(end - text) : 0);
    dse_strbuf_printf(out, ",\n%*s\"front\": [", (int)depth + 2, "");
    for (size_t i = 0; i < report->answer->front_count; i++) {
        dse_strbuf_printf(out, "%s\n%*s", i > 0 ? "," : "", (int)depth + 4, "");
        dse_json_add_at(out, depth + 4, point_json(&report->front[i]));
    }
    if (report->answer->front_count > 0)
        dse_strbuf_printf(out, "\n%*s", (int)depth + 2, "");
    dse_strbuf_printf(out, "]\n%*s}", (int)depth, "");
    out->failed |= head.failed;
    dse_strbuf_free(&head);
}

void dse_sweep_write(const struct dse_sweep_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_question *question = report->question;
    const struct dse_answer *answer = report->answer;
    char size[64], evaluated[64];
    dse_strbuf_printf(out, "%s on %s with %s: %s configurations, ", question->family->name, question->board->title,
                      report->front[0].dataset,
                      dse_count_format(size, sizeof size, answer->space_size > INT64_MAX ? INT64_MAX : (long long)answer->space_size));
    dse_strbuf_printf(out, "%zu algorithmic setting%s, front of %zu by %s in %.2f s (%s sums formed)%s\n",
                      question->alternative_count, question->alternative_count == 1 ? "" : "s", answer->front_count,
                      report->method, answer->seconds,
                      dse_count_format(evaluated, sizeof evaluated, (long long)answer->evaluated),
                      answer->proven ? "" : "; not proven");
    const char *calibration = dse_costs_calibration(question->costs);
    if (calibration != NULL)
        dse_strbuf_printf(out, "costs of %s, calibrated by %s\n", dse_costs_family(question->costs), calibration);
    dse_strbuf_add(out, "\nBest, by balance of");
    for (size_t o = 0; o < question->objective_count; o++)
        dse_strbuf_printf(out, "%s %s", o > 0 ? "," : "", dse_metrics[question->objectives[o]].name);
    dse_strbuf_add(out, "\n\n");
    dse_estimates_write(report->best, report->best_count, width, out);
    size_t shown = report->shown < answer->front_count ? report->shown : answer->front_count;
    dse_strbuf_printf(out, "\nPareto front, %zu of %zu designs, by %s\n\n", shown, answer->front_count,
                      dse_metrics[question->objectives[0]].name);
    struct dse_design *picked = calloc(shown + 1, sizeof *picked);
    if (picked == NULL) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < shown; i++)
        picked[i] = report->front[dse_front_picked(answer->front_count, shown, i)];
    dse_estimates_write(picked, shown, width, out);
    free(picked);
    if (shown < answer->front_count)
        dse_strbuf_add(out, "\n--front N shows more of it, --format csv or json all.\n");
}

#define CSV_ROWS 512 /* of a thread at a time */

/* Rows of a front, which may have ten thousands, written by several threads, each part with the header. */
struct csv_parts {
    const struct dse_sweep_report *report;
    bool ids;
    struct dse_strbuf *part;
};

static enum dse_status write_csv_part(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct csv_parts *parts = user;
    const struct dse_sweep_report *report = parts->report;
    struct dse_table table = {0};
    size_t first = index * CSV_ROWS, left = report->answer->front_count - first;
    if (parts->ids)
        dse_table_column(&table, "id", true);
    dse_estimate_columns(report->question->family, report->question->space, &table);
    for (size_t i = first; i < first + (left < CSV_ROWS ? left : CSV_ROWS); i++) {
        if (parts->ids)
            dse_table_cell(&table, "%lld", (long long)report->front[i].id);
        dse_estimate_row(&report->front[i], &table);
    }
    dse_table_write_csv(&table, &parts->part[index]);
    bool failed = table.failed || parts->part[index].failed;
    dse_table_free(&table);
    return failed ? dse_fail_memory(err) : DSE_OK;
}

void dse_sweep_write_csv(const struct dse_sweep_report *report, struct dse_strbuf *out)
{
    size_t rows = report->answer->front_count, count = rows > 0 ? (rows + CSV_ROWS - 1) / CSV_ROWS : 1;
    struct csv_parts parts = {report, rows > 0 && report->front[0].id > 0, calloc(count, sizeof *parts.part)};
    struct dse_error unused = {0};
    if (parts.part == NULL ||
        dse_parallel_for(count, report->question->jobs, write_csv_part, &parts, NULL, &unused) != DSE_OK)
        out->failed = true;
    for (size_t i = 0; parts.part != NULL && i < count; i++) {
        const char *text = dse_strbuf_text(&parts.part[i]);
        dse_strbuf_add(out, i == 0 ? text : text + strcspn(text, "\n") + 1);
        dse_strbuf_free(&parts.part[i]);
    }
    free(parts.part);
}
