#include "reports/study.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/number.h"
#include "core/units.h"
#include "reports/table.h"

/* ---- JSON ---- */

static json_t *count_json(uint64_t count)
{
    return json_integer(count > INT64_MAX ? INT64_MAX : (json_int_t)count);
}

static json_t *hash_json(uint64_t hash)
{
    char text[32];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_string(text);
}

static json_t *setting_json(const struct dse_setting *setting)
{
    json_t *object = json_object();
    for (size_t i = 0; i < setting->count; i++)
        json_object_set_new(object, setting->pairs[i].name, json_string(setting->pairs[i].value));
    return object;
}

static json_t *inputs_json(const struct dse_study *study)
{
    json_t *array = json_array();
    for (size_t i = 0; i < dse_study_input_count(study); i++) {
        const struct dse_study_input *input = dse_study_input_at(study, i);
        json_t *object = json_object();
        json_object_set_new(object, "kind", json_string(input->kind));
        json_object_set_new(object, "name", json_string(input->name));
        json_object_set_new(object, "hash", hash_json(input->hash));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *engine_json(const struct dse_study_engine *engine)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(engine->name));
    json_object_set_new(object, "cycles", json_integer(engine->cycles));
    json_object_set_new(object, "latency_s", json_real(engine->latency_s));
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        json_object_set_new(object, dse_resource_names[r], json_integer(engine->resources[r]));
    json_object_set_new(object, "ddr_bytes", json_integer(engine->ddr_bytes));
    json_object_set_new(object, "dynamic_energy_j", json_real(engine->dynamic_energy_j));
    json_object_set_new(object, "bound", json_string(engine->memory_bound ? "memory" : "compute"));
    return object;
}

static enum dse_status point_json(struct dse_study *study, const struct dse_study_point *point, json_t **out,
                                  struct dse_error *err)
{
    struct dse_study_engine *engines = NULL;
    size_t count = 0;
    enum dse_status status = dse_study_engines(study, point->id, &engines, &count, err);
    if (status != DSE_OK)
        return status;
    json_t *object = json_object(), *metrics = json_object(), *array = json_array();
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        json_object_set_new(metrics, dse_metrics[m].key,
                            isfinite(point->metrics[m]) ? json_real(point->metrics[m]) : json_null());
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, engine_json(&engines[i]));
    json_object_set_new(object, "id", json_integer(point->id));
    json_object_set_new(object, "config", setting_json(&point->config));
    json_object_set_new(object, "metrics", metrics);
    json_object_set_new(object, "engines", array);
    free(engines);
    *out = object;
    return DSE_OK;
}

static enum dse_status front_json(struct dse_study *study, size_t exploration, json_t *array, struct dse_error *err)
{
    struct dse_study_point *points = NULL;
    size_t count = 0;
    enum dse_status status = dse_study_points(study, exploration, true, &points, &count, err);
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        json_t *point = NULL;
        status = point_json(study, &points[i], &point, err);
        json_array_append_new(array, point);
    }
    dse_study_points_free(points, count);
    return status;
}

static enum dse_status exploration_json(struct dse_study *study, size_t index, json_t *array, struct dse_error *err)
{
    const struct dse_study_exploration *exploration = dse_study_exploration_at(study, index);
    json_t *object = json_object(), *front = json_array();
    json_object_set_new(object, "board", json_string(exploration->board));
    json_object_set_new(object, "dataset", json_string(exploration->dataset));
    json_object_set_new(object, "state", json_string(dse_study_state_names[exploration->state]));
    json_object_set_new(object, "proven", json_boolean(exploration->proven));
    json_object_set_new(object, "space_size", count_json(exploration->space_size));
    json_object_set_new(object, "evaluated", count_json(exploration->evaluated));
    json_object_set_new(object, "feasible", count_json(exploration->feasible));
    json_object_set_new(object, "remark", json_string(exploration->remark));
    json_object_set_new(object, "front", front);
    json_array_append_new(array, object);
    return front_json(study, index, front, err);
}

/* Without its seconds, which are no part of the result. */
static json_t *run_json(const struct dse_study_run *run)
{
    json_t *object = json_object();
    json_object_set_new(object, "family", json_string(run->family));
    json_object_set_new(object, "program", json_string(run->program));
    json_object_set_new(object, "dataset_hash", hash_json(run->dataset_hash));
    json_object_set_new(object, "setting", json_string(run->setting));
    json_object_set_new(object, "protocol", json_string(run->protocol));
    json_object_set_new(object, "seed", count_json(run->seed));
    json_object_set_new(object, "quality", json_string(run->quality_name));
    json_object_set_new(object, "higher_is_better", json_boolean(run->higher_is_better));
    json_object_set_new(object, "value", json_real(run->quality));
    json_object_set_new(object, "n_train", json_integer(run->n_train));
    json_object_set_new(object, "n_test", json_integer(run->n_test));
    return object;
}

static enum dse_status runs_json(struct dse_study *study, json_t *array, struct dse_error *err)
{
    struct dse_study_run *runs = NULL;
    size_t count = 0;
    enum dse_status status = dse_study_runs(study, &runs, &count, err);
    for (size_t i = 0; i < count && status == DSE_OK; i++)
        json_array_append_new(array, run_json(&runs[i]));
    free(runs);
    return status;
}

enum dse_status dse_study_json(struct dse_study *study, json_t **out, struct dse_error *err)
{
    json_t *object = json_object(), *explorations = json_array(), *runs = json_array();
    json_object_set_new(object, "schema", json_string("nysx-dse.study/1"));
    json_object_set_new(object, "family", json_string(dse_study_family(study)));
    json_object_set_new(object, "program", json_string(dse_study_program(study)));
    json_object_set_new(object, "command", json_string(dse_study_command(study)));
    json_object_set_new(object, "question", setting_json(dse_study_question(study)));
    json_object_set_new(object, "inputs", inputs_json(study));
    json_object_set_new(object, "explorations", explorations);
    json_object_set_new(object, "runs", runs);
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < dse_study_exploration_count(study) && status == DSE_OK; i++)
        status = exploration_json(study, i, explorations, err);
    if (status == DSE_OK)
        status = runs_json(study, runs, err);
    if (status != DSE_OK) {
        json_decref(object);
        object = NULL;
    }
    *out = object;
    return status;
}

/* ---- CSV ---- */

/* The knobs that any point has, ascending by name. */
static enum dse_status note_knobs(const struct dse_study_point *points, size_t count, struct dse_setting *knobs,
                                  struct dse_error *err)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < points[i].config.count; k++)
            if (dse_setting_get(knobs, points[i].config.pairs[k].name) == NULL)
                DSE_TRY(dse_setting_put(knobs, points[i].config.pairs[k].name, "", err));
    return DSE_OK;
}

static void write_header(const struct dse_setting *knobs, struct dse_strbuf *out)
{
    dse_strbuf_add(out, "id,board,dataset,front");
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        dse_strbuf_printf(out, ",%s", dse_metrics[m].key);
    for (size_t k = 0; k < knobs->count; k++) {
        dse_strbuf_add(out, ",");
        dse_csv_field(out, knobs->pairs[k].name);
    }
    dse_strbuf_add(out, "\n");
}

static void write_point(const struct dse_study_exploration *exploration, const struct dse_study_point *point,
                        const struct dse_setting *knobs, struct dse_strbuf *out)
{
    char text[40];
    dse_strbuf_printf(out, "%lld,", (long long)point->id);
    dse_csv_field(out, exploration->board);
    dse_strbuf_add(out, ",");
    dse_csv_field(out, exploration->dataset);
    dse_strbuf_add(out, point->front ? ",yes" : ",no");
    for (int m = 0; m < DSE_METRIC_COUNT; m++) {
        dse_strbuf_add(out, ",");
        if (isfinite(point->metrics[m]))
            dse_strbuf_add(out, dse_number_shortest(text, sizeof text, point->metrics[m]));
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
    bool met; /* a point has an ID of it */
};

struct id_list {
    struct id_range *ranges;
    size_t count, capacity;
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
        if (!dse_list_room(&out->ranges, &out->capacity, out->count, sizeof *out->ranges))
            return dse_fail_memory(err);
        out->ranges[out->count++] = range;
        at += length;
        if (*at == '\0')
            return DSE_OK;
    }
}

/* Whether the list (NULL: of everything) has an ID. */
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
    size_t explorations = dse_study_exploration_count(study);
    struct dse_setting knobs = {0};
    enum dse_status status = DSE_OK;
    for (int writes = 0; writes < 2; writes++) {
        for (size_t i = 0; i < explorations && status == DSE_OK; i++) {
            struct dse_study_point *points = NULL;
            size_t count = 0;
            status = dse_study_points(study, i, !all, &points, &count, err);
            if (status == DSE_OK && !writes)
                status = note_knobs(points, count, &knobs, err);
            for (size_t p = 0; p < count && status == DSE_OK && writes; p++)
                if (has_id(only, points[p].id))
                    write_point(dse_study_exploration_at(study, i), &points[p], &knobs, out);
            dse_study_points_free(points, count);
        }
        if (status == DSE_OK && !writes)
            write_header(&knobs, out);
    }
    dse_setting_free(&knobs);
    return status;
}

enum dse_status dse_study_write_csv(struct dse_study *study, bool all, const char *only, struct dse_strbuf *out,
                                    struct dse_error *err)
{
    struct id_list list = {0};
    enum dse_status status = only != NULL ? read_list(only, &list, err) : DSE_OK;
    if (status == DSE_OK)
        status = write_points(study, all, &list, out, err);
    if (status == DSE_OK)
        status = all_met(&list, err);
    free(list.ranges);
    return status;
}

/* ---- for people ---- */

static void write_inputs(const struct dse_study *study, size_t width, struct dse_strbuf *out)
{
    static const char *const headings[] = {"input", "name", "hash"};
    struct dse_table table = {0};
    for (int i = 0; i < 3; i++)
        dse_table_column(&table, headings[i], false);
    for (size_t i = 0; i < dse_study_input_count(study); i++) {
        const struct dse_study_input *input = dse_study_input_at(study, i);
        dse_table_cell(&table, "%s", input->kind);
        dse_table_cell(&table, "%s", input->name);
        dse_table_cell(&table, "%016" PRIx64, input->hash);
    }
    dse_table_write(&table, width, out);
    out->failed |= table.failed;
    dse_table_free(&table);
}

static enum dse_status write_explorations(struct dse_study *study, size_t width, struct dse_strbuf *out,
                                          struct dse_error *err)
{
    static const char *const headings[] = {"board", "data set", "state", "proven", "configurations", "points", "front", "remark"};
    struct dse_table table = {0};
    enum dse_status status = DSE_OK;
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        dse_table_column(&table, headings[i], i >= 4 && i < 7);
    for (size_t i = 0; i < dse_study_exploration_count(study) && status == DSE_OK; i++) {
        const struct dse_study_exploration *exploration = dse_study_exploration_at(study, i);
        struct dse_study_point *points = NULL;
        size_t count = 0, front = 0;
        char text[64];
        status = dse_study_points(study, i, false, &points, &count, err);
        for (size_t p = 0; p < count; p++)
            front += points[p].front;
        dse_study_points_free(points, count);
        dse_table_cell(&table, "%s", exploration->board);
        dse_table_cell(&table, "%s", exploration->dataset);
        dse_table_cell(&table, "%s", dse_study_state_names[exploration->state]);
        dse_table_cell(&table, "%s", exploration->proven ? "yes" : "no");
        dse_table_cell(&table, "%s", dse_count_format(text, sizeof text, (long long)exploration->space_size));
        dse_table_cell(&table, "%zu", count);
        dse_table_cell(&table, "%zu", front);
        dse_table_cell(&table, "%s", exploration->remark);
    }
    dse_table_write(&table, width, out);
    out->failed |= table.failed;
    dse_table_free(&table);
    return status;
}

enum dse_status dse_study_write(struct dse_study *study, size_t width, struct dse_strbuf *out, struct dse_error *err)
{
    const struct dse_setting *question = dse_study_question(study);
    struct dse_study_run *runs = NULL;
    size_t count = 0;
    dse_strbuf_printf(out, "study of %s, made by version %s\n%s\n\n", dse_study_family(study), dse_study_program(study),
                      dse_study_command(study));
    for (size_t i = 0; i < question->count; i++)
        dse_strbuf_printf(out, "%-14s %s\n", question->pairs[i].name, question->pairs[i].value);
    dse_strbuf_add(out, "\n");
    write_inputs(study, width, out);
    dse_strbuf_add(out, "\n");
    enum dse_status status = write_explorations(study, width, out, err);
    if (status == DSE_OK)
        status = dse_study_runs(study, &runs, &count, err);
    free(runs);
    if (count > 0)
        dse_strbuf_printf(out, "\n%zu trainings\n", count);
    return status;
}
