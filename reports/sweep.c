#include "reports/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/version.h"
#include "explore/record.h"
#include "reports/corners.h"

static json_t *point_json(const struct dse_design *reported)
{
    json_t *estimate = dse_estimate_json(reported);
    /* library and calibration stay; `estimate` lists the entries */
    json_object_del(json_object_get(estimate, "provenance"), "costs");
    return estimate;
}

/* The most balanced designs, `most` of them; near-clones once. */
static json_t *best_json(const struct dse_front *front, size_t most)
{
    json_t *array = json_array();
    for (size_t i = 0; i < most && i < front->distinct; i++)
        json_array_append_new(array, point_json(&front->designs[front->order[i]]));
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

json_t *dse_question_provenance(const struct dse_request *request, const char *command, const struct dse_question *question)
{
    struct dse_strbuf line = {0};
    json_t *object = json_object(), *limits = json_array();
    dse_record_command(request, command, &line);
    for (size_t i = 0; i < question->limit_count; i++) {
        const struct dse_limit *limit = &question->limits[i];
        json_array_append_new(limits, json_pack("{s:s, s:s, s:f}", "metric", dse_metrics[limit->metric].key, "is",
                                                limit->at_least ? "at least" : "at most", "bound", limit->bound));
    }
    json_object_set_new(object, "program", json_string("nysx-dse"));
    json_object_set_new(object, "version", json_string(DSE_VERSION));
    json_object_set_new(object, "command", json_string(dse_strbuf_text(&line)));
    json_object_set_new(object, "seed", json_integer((json_int_t)request->seed));
    json_object_set_new(object, "limits", limits);
    json_object_set_new(object, "headroom", question->headroom < 0.0 ? json_null() : json_real(question->headroom));
    json_object_set_new(object, "board_hash", dse_json_file_hash(question->board->file));
    dse_strbuf_free(&line);
    return object;
}

void dse_dataset_provenance(const struct dse_exploration *exploration, json_t *object)
{
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)exploration->profile->dataset_hash);
    json_object_set_new(object, "floor", dse_json_number(exploration->standard.floor));
    json_object_set_new(object, "data_hash", json_string(hash));
}

json_t *dse_sweep_provenance(const struct dse_sweep_report *report)
{
    const struct dse_exploration *e = report->exploration;
    json_t *object = dse_question_provenance(e->request, report->command, &e->question);
    dse_dataset_provenance(e, object);
    return object;
}

/* All but the front. */
static json_t *head_json(const struct dse_sweep_report *report)
{
    const struct dse_exploration *e = report->exploration;
    const struct dse_question *question = &e->question;
    const struct dse_answer *answer = &e->answer;
    json_t *object = json_object(), *objectives = json_array();
    for (size_t o = 0; o < question->objective_count; o++)
        json_array_append_new(objectives, json_string(dse_metrics[question->objectives[o]].name));
    json_object_set_new(object, "schema", json_string("nysx-dse.sweep/1"));
    json_object_set_new(object, "family", json_string(question->family->name));
    json_object_set_new(object, "board", json_string(question->board->name));
    json_object_set_new(object, "dataset", json_string(e->profile->dataset));
    json_object_set_new(object, "objectives", objectives);
    json_object_set_new(object, "method", json_string(dse_method_names[e->terms->method]));
    json_object_set_new(object, "proven", json_boolean(answer->proven));
    json_object_set_new(object, "space_size", count_json(answer->space_size));
    json_object_set_new(object, "evaluated", count_json(answer->evaluated));
    json_object_set_new(object, "feasible", count_json(answer->feasible));
    json_object_set_new(object, "seconds", json_real(answer->seconds));
    json_object_set_new(object, "front_count", count_json(answer->front_count));
    if (*e->remark != '\0')
        json_object_set_new(object, "remark", json_string(e->remark));
    if (answer->history_count > 0)
        json_object_set_new(object, "history", history_json(answer));
    json_object_set_new(object, "corners", dse_corners_json(&e->front));
    json_object_set_new(object, "provenance", dse_sweep_provenance(report));
    json_object_set_new(object, "best", best_json(&e->front, e->terms->best));
    return object;
}

/* Without the brace that closes it. */
void dse_sweep_write_head(const struct dse_sweep_report *report, size_t depth, struct dse_strbuf *out)
{
    struct dse_strbuf head = {0};
    dse_json_add_at(&head, depth, head_json(report));
    const char *text = dse_strbuf_text(&head), *end = strrchr(text, '\n');
    dse_strbuf_add_n(out, text, end != NULL ? (size_t)(end - text) : 0);
    out->failed |= head.failed;
    dse_strbuf_free(&head);
}

static void write_best(const struct dse_sweep_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_exploration *e = report->exploration;
    size_t count = report->best < e->front.distinct ? report->best : e->front.distinct;
    struct dse_design *best = dse_calloc(count + 1, sizeof *best);
    out->failed |= best == NULL;
    for (size_t i = 0; best != NULL && i < count; i++)
        best[i] = e->front.designs[e->front.order[i]];
    dse_strbuf_add(out, "\nBest: balanced, then by balance of");
    for (size_t o = 0; o < e->question.objective_count; o++)
        dse_strbuf_printf(out, "%s %s", o > 0 ? "," : "", dse_metrics[e->question.objectives[o]].name);
    dse_strbuf_add(out, "; near-clones (within 5 %) once\n\n");
    if (best != NULL)
        dse_estimates_write(best, count, width, out);
    if (count < report->best && count < e->front.count)
        dse_strbuf_printf(out, "\nThe other %zu designs of the front are near-clones of these.\n", e->front.count - count);
    free(best);
}

static void write_front(const struct dse_sweep_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_exploration *e = report->exploration;
    size_t count = e->answer.front_count, shown = report->shown < count ? report->shown : count;
    struct dse_design *picked = dse_calloc(shown + 1, sizeof *picked);
    out->failed |= picked == NULL;
    for (size_t i = 0; picked != NULL && i < shown; i++)
        picked[i] = e->front.designs[dse_front_picked(count, shown, i)];
    dse_strbuf_printf(out, "\nPareto front, %zu of %zu designs, by %s\n\n", shown, count,
                      dse_metrics[e->question.objectives[0]].name);
    if (picked != NULL)
        dse_estimates_write(picked, shown, width, out);
    free(picked);
    if (shown < count)
        dse_strbuf_add(out, "\n--front N shows more of it, --format csv or json all.\n");
}

void dse_sweep_write(const struct dse_sweep_report *report, size_t width, struct dse_strbuf *out)
{
    dse_corners_write(report->exploration, out);
    if (report->best > 0)
        write_best(report, width, out);
    if (report->shown > 0)
        write_front(report, width, out);
}
