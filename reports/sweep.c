#include "reports/sweep.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/version.h"
#include "explore/record.h"
#include "reports/corners.h"

#define WIDE 120 /* table width without a terminal */

/* The `most` most balanced designs, without near-clones. */
static json_t *best_json(const struct dse_front *front, size_t most)
{
    json_t *array = json_array();
    for (size_t i = 0; i < most && i < front->distinct; i++)
        json_array_append_new(array, dse_estimate_json(&front->designs[front->order[i]], DSE_ESTIMATE_OF_MANY));
    return array;
}

/* History of the hypervolume. */
static json_t *history_json(const struct dse_answer *answer)
{
    json_t *array = json_array();
    for (size_t i = 0; i < answer->history_count; i++) {
        const struct dse_progress_point *point = &answer->history[i];
        json_array_append_new(array, json_pack("{s:o, s:f, s:o}", "evaluated", dse_json_count(point->evaluated), "seconds", point->seconds,
                                               "hypervolume", dse_json_number(point->hypervolume)));
    }
    return array;
}

json_t *dse_question_provenance(const struct dse_request *request, const char *command, const struct dse_question *question)
{
    struct dse_strbuf line DSE_CLEANUP(dse_strbuf_free) = {0};
    json_t *limits = json_array();
    dse_record_command(request, command, &line);
    for (size_t i = 0; i < question->limit_count; i++) {
        const struct dse_limit *limit = &question->limits[i];
        json_array_append_new(limits, json_pack("{s:s, s:s, s:f}", "metric", dse_metrics[limit->metric].key, "is",
                                                limit->at_least ? "at least" : "at most", "bound", limit->bound));
    }
    return json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:o}", "program", "nysx-dse", "version", DSE_VERSION, "command", dse_strbuf_text(&line),
                     "seed", (json_int_t)request->seed, "limits", limits, "headroom",
                     question->headroom < 0.0 ? json_null() : json_real(question->headroom), "board_hash",
                     dse_json_file_hash(question->board->file));
}

void dse_dataset_provenance(const struct dse_exploration *exploration, json_t *object)
{
    json_object_set_new(object, "floor", dse_json_number(exploration->standard.floor));
    json_object_set_new(object, "data_hash", dse_json_hash(exploration->profile->dataset_hash));
}

json_t *dse_sweep_provenance(const struct dse_sweep_report *report)
{
    const struct dse_exploration *e = report->exploration;
    json_t *object = dse_question_provenance(e->request, report->command, &e->question);
    dse_dataset_provenance(e, object);
    return object;
}

/* Everything except the front. */
static json_t *head_json(const struct dse_sweep_report *report)
{
    const struct dse_exploration *e = report->exploration;
    const struct dse_question *question = &e->question;
    const struct dse_answer *answer = &e->answer;
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:s, s:b, s:o, s:o, s:o, s:f, s:o}", "schema", "nysx-dse.sweep/1", "family", question->family->name, "board",
        question->board->name, "dataset", e->profile->dataset, "objectives",
        dse_json_objectives(question->objectives, question->objective_count), "method", dse_method_names[e->terms->method], "proven",
        answer->proven, "space_size", dse_json_count(answer->space_size), "evaluated", dse_json_count(answer->evaluated), "feasible",
        dse_json_count(answer->feasible), "seconds", answer->seconds, "front_count", dse_json_count(answer->front_count));
    if (*e->remark != '\0')
        json_object_set_new(object, "remark", json_string(e->remark));
    struct dse_strbuf alone DSE_CLEANUP(dse_strbuf_free) = {0};
    if (dse_corners_alone(e, &alone))
        json_object_set_new(object, "nothing_to_trade", json_string(dse_strbuf_text(&alone)));
    if (answer->history_count > 0)
        json_object_set_new(object, "history", history_json(answer));
    json_object_set_new(object, "corners", dse_corners_json(&e->front));
    json_object_set_new(object, "baseline", e->front.has_paper ? dse_baseline_json(&e->front.baseline, e->front.paper.estimate) : json_null());
    json_object_set_new(object, "provenance", dse_sweep_provenance(report));
    json_object_set_new(object, "best", best_json(&e->front, e->terms->best));
    return object;
}

/* Without the closing brace. */
void dse_sweep_write_head(const struct dse_sweep_report *report, size_t depth, struct dse_strbuf *out)
{
    struct dse_strbuf head = {0};
    json_t *json = head_json(report);
    if (depth == 0) { /* the document itself */
        char name[64];
        dse_json_schema_name("nysx-dse.sweep/1", name, sizeof name);
        json_t *whole = json_pack("{s:s}", "$schema", name);
        json_object_update(whole, json);
        json_decref(json);
        json = whole;
    }
    dse_json_add_at(&head, depth, json);
    const char *text = dse_strbuf_text(&head), *end = strrchr(text, '\n');
    dse_strbuf_add_n(out, text, end != NULL ? (size_t)(end - text) : 0);
    dse_strbuf_free(&head);
}

static void write_best(const struct dse_sweep_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_exploration *e = report->exploration;
    size_t count = report->best < e->front.distinct ? report->best : e->front.distinct;
    struct dse_design *best DSE_CLEANUP(dse_free_at) = dse_calloc(count + 1, sizeof *best);
    for (size_t i = 0; i < count; i++)
        best[i] = e->front.designs[e->front.order[i]];
    dse_strbuf_add(out, "\nBest designs: the balanced one first, then by balance of");
    for (size_t o = 0; o < e->question.objective_count; o++)
        dse_strbuf_printf(out, "%s %s", o > 0 ? "," : "", dse_metrics[e->question.objectives[o]].name);
    dse_strbuf_add(out, "; without near-duplicates (within 5 %).\n");
    if (best[0].chance > 0.0)
        dse_strbuf_add(out, "P(Pareto-optimal): probability, over the model errors, that no design of this front dominates the design.\n");
    dse_strbuf_add(out, "\n");
    dse_estimates_write(best, count, width, out);
    if (count < report->best && count < e->front.count)
        dse_strbuf_printf(out, "\nThe other %zu designs of the front are near-duplicates of these.\n", e->front.count - count);
}

static void write_front(const struct dse_sweep_report *report, size_t width, struct dse_strbuf *out)
{
    const struct dse_exploration *e = report->exploration;
    size_t count = e->answer.front_count, shown = report->shown < count ? report->shown : count;
    struct dse_design *picked DSE_CLEANUP(dse_free_at) = dse_calloc(shown + 1, sizeof *picked);
    for (size_t i = 0; i < shown; i++)
        picked[i] = e->front.designs[dse_front_picked(count, shown, i)];
    dse_strbuf_printf(out, "\nPareto front, %zu of %zu designs, by %s\n\n", shown, count,
                      dse_metrics[e->question.objectives[0]].name);
    dse_estimates_write(picked, shown, width, out);
    if (shown < count)
        dse_strbuf_add(out, "\n--front N shows more designs; --format csv or json has all of them.\n");
}

void dse_sweep_write(const struct dse_sweep_report *report, size_t width, struct dse_strbuf *out)
{
    dse_corners_write(report->exploration, out);
    if (report->best > 0)
        write_best(report, width > 0 ? width : WIDE, out);
    if (report->shown > 0)
        write_front(report, width > 0 ? width : WIDE, out);
}
