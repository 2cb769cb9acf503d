#include "reports/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/number.h"
#include "executor/executor.h"
#include "reports/schema.h"
#include "reports/estimate.h"

#define AT(type, member) offsetof(struct dse_study_##type, member)

const struct dse_field dse_fields_study_input[] = {
    DSE_FIELD("kind", "input", TEXT, AT(input, kind)),
    DSE_FIELD("name", "name", TEXT, AT(input, name)),
    DSE_FIELD("hash", "hash", HASH, AT(input, hash)),
    {0},
};

/* Excludes a run's seconds, which are not part of the result. */
const struct dse_field dse_fields_study_run[] = {
    DSE_FIELD("family", NULL, TEXT, AT(run, family)),
    DSE_FIELD("program", NULL, TEXT, AT(run, program)),
    DSE_FIELD("dataset_hash", NULL, HASH, AT(run, dataset_hash)),
    DSE_FIELD("setting", NULL, TEXT, AT(run, setting)),
    DSE_FIELD("protocol", NULL, TEXT, AT(run, protocol)),
    DSE_FIELD("seed", NULL, COUNT, AT(run, seed)),
    DSE_FIELD("quality", NULL, TEXT, AT(run, quality_name)),
    DSE_FIELD("higher_is_better", NULL, FLAG, AT(run, higher_is_better)),
    DSE_FIELD("value", NULL, REAL, AT(run, quality)),
    DSE_FIELD("n_train", NULL, WHOLE, AT(run, n_train)),
    DSE_FIELD("n_test", NULL, WHOLE, AT(run, n_test)),
    {0},
};

/* State of an exploration. */
struct exploration_row {
    struct dse_study_exploration e;
    size_t points, front_count;
    json_t *front;
};
#undef AT
#define AT(member) offsetof(struct exploration_row, member)

const struct dse_field dse_fields_study_exploration[] = {
    DSE_FIELD("board", "board", TEXT, AT(e.board)),
    DSE_FIELD("dataset", "data set", TEXT, AT(e.dataset)),
    DSE_FIELD("state", "state", WORD, AT(e.state), .words = dse_study_state_names),
    DSE_FIELD("proven", "proven", FLAG, AT(e.proven)),
    DSE_FIELD("space_size", "designs", COUNT, AT(e.space_size)),
    DSE_FIELD("evaluated", NULL, COUNT, AT(e.evaluated)),
    DSE_FIELD("feasible", NULL, COUNT, AT(e.feasible)),
    DSE_FIELD("", "points", COUNT, AT(points), .format = "%lld"),
    DSE_FIELD("", "front", COUNT, AT(front_count), .format = "%lld"),
    DSE_FIELD("remark", "remark", TEXT, AT(e.remark)),
    DSE_FIELD("front", NULL, JSON, AT(front)),
    {0},
};

/* The name of the quality, or NULL if it is "quality". */
static const char *named_quality(const struct dse_study *study)
{
    const struct dse_executor *executor = dse_executor_find(dse_study_family(study));
    const char *metric = dse_setting_get(dse_study_question(study), "metric");
    const char *name = metric != NULL ? metric : executor != NULL ? executor->quality_name : "quality";
    return strcmp(name, "quality") != 0 ? name : NULL;
}

/* ---- JSON ---- */

static json_t *inputs_json(const struct dse_study *study)
{
    return dse_fields_list(dse_fields_study_input, dse_study_input_at(study, 0), dse_study_input_count(study), sizeof(struct dse_study_input));
}

static json_t *engine_json(const struct dse_study_engine *engine)
{
    struct dse_engine_row row = {.name = engine->name, .cycles = engine->cycles, .latency_s = engine->latency_s, .bytes = engine->ddr_bytes,
                                 .energy_j = engine->dynamic_energy_j, .bound = engine->memory_bound ? DSE_BOUND_MEMORY : DSE_BOUND_COMPUTE};
    memcpy(row.resources, engine->resources, sizeof row.resources);
    return dse_fields_json(dse_engine_fields, &row);
}

static enum dse_status add_point(struct dse_study *study, const struct dse_study_point *point, json_t *front, struct dse_error *err)
{
    struct dse_study_engine *engines DSE_CLEANUP(dse_free_at) = NULL;
    size_t count = 0;
    DSE_TRY(dse_study_engines(study, point->id, &engines, &count, err));
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, engine_json(&engines[i]));
    json_t *metrics = dse_json_metrics(point->metrics);
    if (named_quality(study) != NULL)
        json_object_set_new(metrics, named_quality(study), dse_json_number(point->metrics[DSE_METRIC_QUALITY]));
    json_array_append_new(front, json_pack("{s:I, s:o, s:o, s:o}", "id", (json_int_t)point->id, "config", dse_json_setting(&point->config),
                                           "metrics", metrics, "engines", array));
    return DSE_OK;
}

/* Points of an exploration's front, or all of them; freed at the end of their scope. */
struct points {
    struct dse_study_point *at;
    size_t count;
};

static void free_points(struct points *points)
{
    dse_study_points_free(points->at, points->count);
}

/* The explorations as rows, without points; freed by the caller. */
static enum dse_status count_explorations(struct dse_study *study, struct exploration_row **rows, struct dse_error *err)
{
    size_t count = dse_study_exploration_count(study);
    *rows = dse_calloc(count + 1, sizeof **rows);
    for (size_t i = 0; i < count; i++) {
        struct points points DSE_CLEANUP(free_points) = {0};
        (*rows)[i].e = *dse_study_exploration_at(study, i);
        DSE_TRY(dse_study_points(study, i, false, &points.at, &points.count, err));
        (*rows)[i].points = points.count;
        for (size_t p = 0; p < points.count; p++)
            (*rows)[i].front_count += points.at[p].front;
    }
    return DSE_OK;
}

static const struct dse_field count_fields[] = {
    DSE_FIELD("points", NULL, COUNT, AT(points)),
    DSE_FIELD("front_count", NULL, COUNT, AT(front_count)),
    {0},
};

enum dse_status dse_study_summary_json(struct dse_study *study, json_t **out, struct dse_error *err)
{
    struct exploration_row *rows DSE_CLEANUP(dse_free_at) = NULL;
    struct dse_study_run *runs DSE_CLEANUP(dse_free_at) = NULL;
    size_t count = 0;
    DSE_TRY(count_explorations(study, &rows, err));
    DSE_TRY(dse_study_runs(study, &runs, &count, err));
    json_t *explorations = dse_fields_list(dse_fields_study_exploration, rows, dse_study_exploration_count(study), sizeof *rows);
    for (size_t i = 0; i < dse_study_exploration_count(study); i++) {
        json_t *one = json_array_get(explorations, i);
        json_object_del(one, "front");
        dse_fields_put(count_fields, &rows[i], one);
    }
    *out = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:I, s:o}", "schema", "nysx-dse.study-summary/1", "family", dse_study_family(study), "program",
                     dse_study_program(study), "command", dse_study_command(study), "question", dse_json_setting(dse_study_question(study)),
                     "inputs", inputs_json(study), "training_runs", (json_int_t)count, "results", explorations);
    return DSE_OK;
}

enum dse_status dse_study_summary_csv(struct dse_study *study, struct dse_strbuf *out, struct dse_error *err)
{
    struct exploration_row *rows DSE_CLEANUP(dse_free_at) = NULL;
    DSE_TRY(count_explorations(study, &rows, err));
    dse_fields_keys(dse_fields_study_exploration, out);
    dse_strbuf_add(out, ",");
    dse_fields_csv(count_fields, NULL, 0, 0, out);
    for (size_t i = 0; i < dse_study_exploration_count(study); i++) {
        dse_fields_values(dse_fields_study_exploration, &rows[i], out);
        dse_strbuf_add(out, ",");
        dse_fields_values(count_fields, &rows[i], out);
        dse_strbuf_add(out, "\n");
    }
    return DSE_OK;
}

static enum dse_status add_exploration(struct dse_study *study, size_t index, json_t *array, struct dse_error *err)
{
    struct exploration_row row = {.e = *dse_study_exploration_at(study, index), .front = json_array()};
    struct points points DSE_CLEANUP(free_points) = {0};
    json_array_append_new(array, dse_fields_json(dse_fields_study_exploration, &row));
    DSE_TRY(dse_study_points(study, index, true, &points.at, &points.count, err));
    for (size_t i = 0; i < points.count; i++)
        DSE_TRY(add_point(study, &points.at[i], row.front, err));
    return DSE_OK;
}

enum dse_status dse_study_json(struct dse_study *study, json_t **out, struct dse_error *err)
{
    struct dse_study_run *runs DSE_CLEANUP(dse_free_at) = NULL;
    size_t count = 0;
    json_t *object DSE_CLEANUP(json_decrefp) = NULL, *explorations = json_array();
    object = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "schema", "nysx-dse.study/1", "family", dse_study_family(study), "program",
                       dse_study_program(study), "command", dse_study_command(study), "question", dse_json_setting(dse_study_question(study)),
                       "inputs", inputs_json(study), "explorations", explorations);
    for (size_t i = 0; i < dse_study_exploration_count(study); i++)
        DSE_TRY(add_exploration(study, i, explorations, err));
    DSE_TRY(dse_study_runs(study, &runs, &count, err));
    json_object_set_new(object, "runs", dse_fields_list(dse_fields_study_run, runs, count, sizeof *runs));
    *out = json_incref(object);
    return DSE_OK;
}

/* ---- CSV ---- */

/* Collects the knobs of all points, ascending by name. */
static void note_knobs(const struct dse_study_point *points, size_t count, struct dse_setting *knobs)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < points[i].config.count; k++)
            if (dse_setting_get(knobs, points[i].config.pairs[k].name) == NULL)
                dse_setting_put(knobs, points[i].config.pairs[k].name, "");
}

static void write_header(const char *named, const struct dse_setting *knobs, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "id,board,dataset,front");
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        dse_strbuf_printf(out, ",%s", dse_metrics[m].key);
    dse_strbuf_printf(out, "%s%s", named != NULL ? "," : "", named != NULL ? named : "");
    for (size_t k = 0; k < knobs->count; k++) {
        dse_strbuf_add(out, ",");
        dse_csv_field(out, knobs->pairs[k].name);
    }
    dse_strbuf_add(out, "\n");
}

static void write_point(const struct dse_study_exploration *exploration, const struct dse_study_point *point, bool named,
                        const struct dse_setting *knobs, struct dse_strbuf *out)
{
    char text[40];
    dse_strbuf_printf(out, "%lld,", (long long)point->id);
    dse_csv_field(out, exploration->board);
    dse_strbuf_add(out, ",");
    dse_csv_field(out, exploration->dataset);
    dse_strbuf_add(out, point->front ? ",yes" : ",no");
    for (int m = 0; m < DSE_METRIC_COUNT + named; m++) {
        double value = point->metrics[m < DSE_METRIC_COUNT ? m : DSE_METRIC_QUALITY];
        dse_strbuf_add(out, ",");
        if (isfinite(value))
            dse_strbuf_add(out, dse_number_shortest(text, sizeof text, value));
    }
    for (size_t k = 0; k < knobs->count; k++) {
        const char *value = dse_setting_get(&point->config, knobs->pairs[k].name);
        dse_strbuf_add(out, ",");
        dse_csv_field(out, value != NULL ? value : "");
    }
    dse_strbuf_add(out, "\n");
}

/* ---- lists of IDs ---- */

struct id_range {
    int64_t from, to;
    bool met; /* a point has one of its IDs */
};

struct id_list {
    struct id_range *ranges;
    size_t count;
};

/* "3-9" or "12", of `length` characters. */
static bool read_range(const char *text, size_t length, struct id_range *out)
{
    char copy[48];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *dash = strchr(copy, '-');
    if (dash != NULL)
        *dash++ = '\0';
    return dse_number_whole(copy, &out->from) == DSE_NUMBER_READ && out->from > 0 &&
           dse_number_whole(dash != NULL ? dash : copy, &out->to) == DSE_NUMBER_READ && out->to >= out->from;
}

static enum dse_status read_list(const char *text, struct id_list *out, struct dse_error *err)
{
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        struct id_range range = {0};
        if (!read_range(at, length, &range))
            return dse_fail(err, DSE_BAD_USAGE, "--points %.*s: must be IDs and spans of IDs, such as 3-9,12", (int)length, at);
        *(struct id_range *)dse_list_more(&out->ranges, &out->count, sizeof *out->ranges) = range;
        at += length;
        if (*at == '\0')
            return DSE_OK;
    }
}

/* Whether the list (NULL: everything) contains an ID. */
static bool has_id(struct id_list *list, int64_t id)
{
    bool found = list->ranges == NULL;
    for (size_t i = 0; i < list->count; i++)
        if (list->ranges[i].from <= id && id <= list->ranges[i].to)
            found = list->ranges[i].met = true;
    return found;
}

static enum dse_status all_met(const struct id_list *list, struct dse_error *err)
{
    for (size_t i = 0; i < list->count; i++)
        if (!list->ranges[i].met)
            return dse_fail(err, DSE_BAD_USAGE, "--points: no point of a front has ID %lld%s", (long long)list->ranges[i].from,
                            list->ranges[i].to > list->ranges[i].from ? " or one of those after it" : "");
    return DSE_OK;
}

static enum dse_status write_points(struct dse_study *study, bool all, struct id_list *only, struct dse_strbuf *out,
                                    struct dse_error *err)
{
    struct dse_setting knobs DSE_CLEANUP(dse_setting_free) = {0};
    for (int writes = 0; writes < 2; writes++) {
        for (size_t i = 0; i < dse_study_exploration_count(study); i++) {
            struct points points DSE_CLEANUP(free_points) = {0};
            DSE_TRY(dse_study_points(study, i, !all, &points.at, &points.count, err));
            if (!writes)
                note_knobs(points.at, points.count, &knobs);
            for (size_t p = 0; p < points.count && writes; p++)
                if (has_id(only, points.at[p].id))
                    write_point(dse_study_exploration_at(study, i), &points.at[p], named_quality(study) != NULL, &knobs, out);
        }
        if (!writes)
            write_header(named_quality(study), &knobs, out);
    }
    return DSE_OK;
}

static void free_list(struct id_list *list)
{
    free(list->ranges);
}

enum dse_status dse_study_write_csv(struct dse_study *study, bool all, const char *only, struct dse_strbuf *out,
                                    struct dse_error *err)
{
    struct id_list list DSE_CLEANUP(free_list) = {0};
    if (only != NULL)
        DSE_TRY(read_list(only, &list, err));
    DSE_TRY(write_points(study, all, &list, out, err));
    return all_met(&list, err);
}

/* ---- for people ---- */

enum dse_status dse_study_write(struct dse_study *study, size_t width, struct dse_strbuf *out, struct dse_error *err)
{
    const struct dse_setting *question = dse_study_question(study);
    struct exploration_row *rows DSE_CLEANUP(dse_free_at) = NULL;
    struct dse_study_run *runs DSE_CLEANUP(dse_free_at) = NULL;
    size_t count = 0;
    dse_strbuf_printf(out, "study of %s, made by version %s\n%s\n\n", dse_study_family(study), dse_study_program(study),
                      dse_study_command(study));
    for (size_t i = 0; i < question->count; i++)
        dse_strbuf_printf(out, "%-14s %s\n", question->pairs[i].name, question->pairs[i].value);
    dse_strbuf_add(out, "\n");
    dse_fields_write(dse_fields_study_input, dse_study_input_at(study, 0), dse_study_input_count(study), sizeof(struct dse_study_input), width, out);
    dse_strbuf_add(out, "\n");
    DSE_TRY(count_explorations(study, &rows, err));
    dse_fields_write(dse_fields_study_exploration, rows, dse_study_exploration_count(study), sizeof *rows, width, out);
    DSE_TRY(dse_study_runs(study, &runs, &count, err));
    if (count > 0)
        dse_strbuf_printf(out, "\n%zu training runs\n", count);
    return DSE_OK;
}
