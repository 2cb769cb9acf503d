/* The points of a study: storing them during a search, and reading them. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "search/archive.h"
#include "search/study_store.h"

/* ---- configurations as text ---- */

/* The active knobs as a JSON object: numbers as numbers, words as words. */
static void write_config(const struct dse_space *space, const struct dse_config *config, dse_knob_set without,
                         struct dse_strbuf *out)
{
    const char *separator = "{";
    for (size_t k = 0; k < space->count; k++) {
        const struct dse_knob *knob = &space->knobs[k];
        char value[64];
        if (!dse_knob_active(space, config, k) || dse_bits_has(without, k))
            continue;
        const char *quote = knob->type == DSE_KNOB_CHOICE ? "\"" : "";
        dse_strbuf_printf(out, "%s\"%s\":%s%s%s", separator, knob->name, quote,
                          dse_knob_format(knob, config->value[k], value, sizeof value), quote);
        separator = ",";
    }
    dse_strbuf_add(out, *separator == '{' ? "{}" : "}");
}

static void add_knob(struct dse_setting *config, const char *name, const json_t *value)
{
    char text[64];
    if (json_is_integer(value))
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    else
        snprintf(text, sizeof text, "%.15g", json_number_value(value));
    dse_setting_put(config, name, json_is_string(value) ? json_string_value(value) : text);
}

static enum dse_status read_config(const struct dse_study *study, int64_t id, const char *text, struct dse_setting *out,
                                   struct dse_error *err)
{
    json_t *object DSE_CLEANUP(json_decrefp) = json_loads(text, 0, NULL), *value = NULL;
    const char *name = NULL;
    if (!json_is_object(object))
        return dse_fail(err, DSE_BAD_INPUT, "%s: point %lld: its design cannot be read", study->path, (long long)id);
    json_object_foreach(object, name, value)
        add_knob(out, name, value);
    return DSE_OK;
}

/* ---- rows ---- */

/* Points that satisfy `where`, with one bound value. */
static struct dse_rows open_points(struct dse_study *study, const char *where, int64_t value, struct dse_error *err)
{
    struct dse_strbuf sql DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_add(&sql, "SELECT id, exploration, front, alternative, config");
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        dse_strbuf_printf(&sql, ", %s", dse_study_column(study, m) != NULL ? dse_study_column(study, m) : "NULL");
    dse_strbuf_printf(&sql, " FROM points %s", where);
    return dse_rows_open(study, err, sql.text, "i", value);
}

static void read_row(struct dse_rows *rows, struct dse_study_point *out)
{
    *out = (struct dse_study_point){.id = dse_rows_integer(rows)};
    out->exploration = (size_t)(dse_rows_integer(rows) - 1);
    out->front = dse_rows_integer(rows) != 0;
    out->alternative = dse_rows_count(rows);
    const char *config = dse_rows_peek(rows);
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        out->metrics[m] = dse_rows_real(rows);
    if (rows->status == DSE_OK && out->exploration >= rows->study->exploration_count)
        rows->status = dse_fail(rows->err, DSE_BAD_INPUT, "%s: point %lld: belongs to no exploration", rows->study->path,
                                (long long)out->id);
    else if (rows->status == DSE_OK)
        rows->status = read_config(rows->study, out->id, config, &out->config, rows->err);
}

void dse_study_points_free(struct dse_study_point *points, size_t count)
{
    for (size_t i = 0; points != NULL && i < count; i++)
        dse_setting_free(&points[i].config);
    free(points);
}

enum dse_status dse_study_points(struct dse_study *study, size_t exploration, bool front_only,
                                 struct dse_study_point **out, size_t *count, struct dse_error *err)
{
    *out = NULL;
    *count = 0;
    size_t capacity = 0;
    struct dse_rows rows = open_points(study, front_only ? "WHERE exploration = ? AND front = 1 ORDER BY rank IS NULL, rank, id"
                                                         : "WHERE exploration = ? ORDER BY id", (int64_t)exploration + 1, err);
    while (dse_rows_next(&rows)) {
        dse_list_room(out, &capacity, *count, sizeof **out);
        if (*count % 256 == 0 && dse_monitor_cancelled(study->monitor))
            rows.status = dse_fail_cancelled(err);
        else
            read_row(&rows, &(*out)[(*count)++]);
    }
    enum dse_status status = dse_rows_close(&rows);
    if (status != DSE_OK) {
        dse_study_points_free(*out, *count);
        *out = NULL;
        *count = 0;
    }
    return status;
}

enum dse_status dse_study_point(struct dse_study *study, int64_t id, struct dse_study_point *out, struct dse_error *err)
{
    *out = (struct dse_study_point){0};
    struct dse_rows rows = open_points(study, "WHERE id = ?", id, err);
    bool found = dse_rows_next(&rows);
    if (found)
        read_row(&rows, out);
    enum dse_status status = dse_rows_close(&rows);
    if (status != DSE_OK)
        dse_setting_free(&out->config);
    if (status != DSE_OK || found)
        return status;
    rows = dse_rows_open(study, err, "SELECT max(id) FROM points", "");
    int64_t last = dse_rows_next(&rows) ? dse_rows_integer(&rows) : 0;
    DSE_TRY(dse_rows_close(&rows));
    return last > 0 ? dse_fail(err, DSE_BAD_USAGE, "%s: has no point %lld; its points are 1 to %lld", study->path,
                               (long long)id, (long long)last)
                    : dse_fail(err, DSE_BAD_USAGE, "%s: has no point %lld, nor any other", study->path, (long long)id);
}

/* ---- points of the current search ---- */

static int compare_stored(const void *a, const void *b)
{
    const struct stored_point *x = a, *y = b;
    int order = dse_config_compare(&x->config, &y->config);
    return order != 0 ? order : memcmp(&x->own, &y->own, sizeof x->own);
}

static dse_knob_set own_of(const struct dse_study *study, size_t alternative)
{
    return study->asked->own != NULL ? study->asked->own[alternative] : (dse_knob_set){{0}};
}

static struct stored_point *find_stored(const struct dse_study *study, size_t count, const struct dse_point *point)
{
    struct stored_point key = {.config = point->config, .own = own_of(study, point->alternative)};
    return count > 0 ? bsearch(&key, study->points, count, sizeof key, compare_stored) : NULL;
}

static struct stored_point *add_stored(struct dse_study *study)
{
    dse_list_room(&study->points, &study->point_capacity, study->point_count, sizeof *study->points);
    return &study->points[study->point_count++];
}

/* Converts to a point of the search; its knobs are those of the question's space. */
static enum dse_status to_point(const struct dse_study *study, const struct dse_question *question,
                                const struct dse_study_point *from, struct dse_point *out, struct dse_error *err)
{
    const struct dse_space *space = question->space;
    struct dse_error inner = {0};
    if (question->own != NULL && from->alternative >= question->alternative_count)
        return dse_fail(err, DSE_BAD_INPUT, "%s: point %lld: its alternative is %zu, but there are %zu", study->path,
                        (long long)from->id, from->alternative, question->alternative_count);
    dse_space_default(space, &out->config);
    if (dse_config_apply(space, &out->config, &from->config, &inner) != DSE_OK)
        return dse_fail(err, DSE_BAD_INPUT, "%s: point %lld: %s", study->path, (long long)from->id, inner.message);
    dse_config_canonical(space, &out->config);
    out->alternative = from->alternative;
    memcpy(out->metrics, from->metrics, sizeof out->metrics);
    return DSE_OK;
}

/* Makes an exploration current: loads its stored points. */
static enum dse_status enter(struct dse_study *study, size_t exploration, const struct dse_question *question,
                             struct dse_error *err)
{
    if (study->current == exploration && study->asked == question)
        return DSE_OK;
    study->monitor = question->monitor;
    study->asked = question;
    struct dse_study_point *points = NULL;
    size_t count = 0;
    enum dse_status status = dse_study_points(study, exploration, false, &points, &count, err);
    study->point_count = 0;
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        struct dse_point point;
        status = to_point(study, question, &points[i], &point, err);
        if (status == DSE_OK)
            *add_stored(study) = (struct stored_point){point.config, own_of(study, points[i].alternative), points[i].id, points[i].front, false};
    }
    dse_study_points_free(points, count);
    if (study->point_count > 0)
        qsort(study->points, study->point_count, sizeof *study->points, compare_stored);
    study->current = status == DSE_OK ? exploration : SIZE_MAX;
    return status;
}

/* Stores a new point (`id` 0), or one that returns to the front: with a grown profile its metrics may have changed. */
static enum dse_status put_point(struct dse_study *study, sqlite3_stmt *insert, const struct dse_point *point, int64_t id,
                                 struct dse_error *err)
{
    struct dse_strbuf config DSE_CLEANUP(dse_strbuf_free) = {0};
    write_config(study->asked->space, &point->config, own_of(study, point->alternative), &config);
    DSE_TRY(dse_study_bind(study, insert, err, "iiut", id, (int64_t)study->current + 1, (uint64_t)point->alternative, config.text));
    for (int m = 0, place = 5; m < DSE_METRIC_COUNT; m++) {
        if (dse_study_column(study, m) == NULL)
            continue;
        int code = isnan(point->metrics[m]) ? sqlite3_bind_null(insert, place) : sqlite3_bind_double(insert, place, point->metrics[m]);
        place++;
        if (code != SQLITE_OK)
            return dse_study_failed(study, "bind a metric", err);
    }
    DSE_TRY(dse_study_run(study, insert, err));
    if (id == 0)
        *add_stored(study) = (struct stored_point){point->config, own_of(study, point->alternative), sqlite3_last_insert_rowid(study->db), true, true};
    return DSE_OK;
}

static enum dse_status prepare_insert(const struct dse_study *study, sqlite3_stmt **out, struct dse_error *err)
{
    struct dse_strbuf sql DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_add(&sql, "INSERT OR REPLACE INTO points (id, exploration, front, alternative, config");
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if (dse_study_column(study, m) != NULL)
            dse_strbuf_printf(&sql, ", %s", dse_study_column(study, m));
    dse_strbuf_add(&sql, ") VALUES (nullif(?, 0), ?, 1, ?, ?");
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        dse_strbuf_add(&sql, dse_study_column(study, m) != NULL ? ", ?" : "");
    dse_strbuf_add(&sql, ")");
    return dse_study_prepare(study, out, sql.text, err);
}

/* Stores the front mark of each point that joined or left the front. */
static enum dse_status mark_front(struct dse_study *study, size_t count, struct dse_error *err)
{
    sqlite3_stmt *update DSE_CLEANUP(dse_statement_end) = NULL;
    DSE_TRY(dse_study_prepare(study, &update, "UPDATE points SET front = ? WHERE id = ?", err));
    for (size_t i = 0; i < count; i++) {
        struct stored_point *point = &study->points[i];
        if (point->front == point->wanted)
            continue;
        DSE_TRY(dse_study_bind(study, update, err, "ii", (int64_t)point->wanted, point->id));
        DSE_TRY(dse_study_run(study, update, err));
        point->front = point->wanted;
    }
    return DSE_OK;
}

/* Makes these points the stored front: new ones get the next IDs in order. */
static enum dse_status store_front(struct dse_study *study, const struct dse_point *front, size_t count,
                                   struct dse_error *err)
{
    sqlite3_stmt *insert DSE_CLEANUP(dse_statement_end) = NULL;
    size_t before = study->point_count;
    for (size_t i = 0; i < before; i++)
        study->points[i].wanted = false;
    enum dse_status status = prepare_insert(study, &insert, err);
    for (size_t i = 0; i < count && status == DSE_OK; i++) {
        struct stored_point *stored = find_stored(study, before, &front[i]);
        if (stored == NULL || !stored->front)
            status = put_point(study, insert, &front[i], stored != NULL ? stored->id : 0, err);
        if (stored != NULL)
            stored->front = stored->wanted = true;
    }
    if (status == DSE_OK)
        status = mark_front(study, before, err);
    if (study->point_count > before)
        qsort(study->points, study->point_count, sizeof *study->points, compare_stored);
    return status;
}

/* Ends a step that changed points: after a failure the memory no longer matches the file. */
static enum dse_status end_changes(struct dse_study *study, enum dse_status status, struct dse_error *err)
{
    status = dse_study_end_step(study, status, err);
    if (status != DSE_OK)
        study->current = SIZE_MAX;
    return status;
}

static enum dse_status keep_state(void *user, const struct dse_search_state *state, struct dse_error *err)
{
    struct dse_study *study = user;
    DSE_TRY(dse_study_begin_step(study, err));
    enum dse_status status = store_front(study, state->front, state->front_count, err);
    if (status == DSE_OK)
        status = dse_study_do(study, err,
                              "UPDATE explorations SET rounds_done = ?, rounds_total = ?, space_size = ?, evaluated = ?, "
                              "feasible = ?, unbuildable = ?, refusal_slice = ?, refusal = ? WHERE id = ?", "uuuuuuiti",
                              state->done, state->total, state->space_size, state->evaluated, state->feasible, state->unbuildable,
                              state->rejection_slice > INT64_MAX ? (int64_t)-1 : (int64_t)state->rejection_slice, state->rejection,
                              (int64_t)study->current + 1);
    return end_changes(study, status, err);
}

/* Reads the points of the stored state. */
static enum dse_status read_front(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                  struct dse_point **out, size_t *count, struct dse_error *err)
{
    struct dse_study_point *points = NULL;
    enum dse_status status = dse_study_points(study, exploration, true, &points, count, err);
    *out = dse_calloc(*count + 1, sizeof **out);
    for (size_t i = 0; i < *count && status == DSE_OK; i++)
        status = to_point(study, question, &points[i], &(*out)[i], err);
    dse_study_points_free(points, *count);
    if (status != DSE_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

static enum dse_status read_state(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                  struct dse_error *err)
{
    struct dse_search_state *state = &study->state;
    *state = (struct dse_search_state){0};
    struct dse_rows rows = dse_rows_open(study, err,
                                         "SELECT rounds_done, rounds_total, space_size, evaluated, feasible, "
                                         "unbuildable, refusal_slice, refusal FROM explorations WHERE id = ?", "i",
                                         (int64_t)exploration + 1);
    if (dse_rows_next(&rows)) {
        uint64_t *const numbers[] = {&state->done, &state->total, &state->space_size, &state->evaluated,
                                     &state->feasible, &state->unbuildable};
        for (int i = 0; i < 6; i++)
            *numbers[i] = dse_rows_count(&rows);
        int64_t slice = dse_rows_integer(&rows);
        state->rejection_slice = slice < 0 ? UINT64_MAX : (uint64_t)slice;
        snprintf(state->rejection, sizeof state->rejection, "%s", dse_rows_peek(&rows));
    }
    enum dse_status status = dse_rows_close(&rows);
    free(study->front);
    study->front = NULL;
    if (status == DSE_OK)
        status = read_front(study, exploration, question, &study->front, &state->front_count, err);
    state->front = study->front;
    return status;
}

enum dse_status dse_study_checkpoint(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                     struct dse_checkpoint *checkpoint, struct dse_error *err)
{
    DSE_TRY(enter(study, exploration, question, err));
    DSE_TRY(read_state(study, exploration, question, err));
    /* A search ended by its budget starts again, because its front holds more than its rounds found. This costs little: training runs take most of the
     * time. */
    bool goes_on = study->state.done > 0 && study->explorations[exploration].state == DSE_STUDY_OPEN;
    *checkpoint = (struct dse_checkpoint){goes_on ? &study->state : NULL, keep_state, study};
    return DSE_OK;
}

/* ---- answers ---- */

static enum dse_status rank_front(struct dse_study *study, const struct dse_answer *answer, struct dse_error *err)
{
    sqlite3_stmt *update DSE_CLEANUP(dse_statement_end) = NULL;
    DSE_TRY(dse_study_prepare(study, &update, "UPDATE points SET rank = ? WHERE id = ?", err));
    for (size_t i = 0; i < answer->front_count; i++) {
        DSE_TRY(dse_study_bind(study, update, err, "ui", (uint64_t)i + 1, find_stored(study, study->point_count, &answer->front[i])->id));
        DSE_TRY(dse_study_run(study, update, err));
    }
    return DSE_OK;
}

static enum dse_status store_answer(struct dse_study *study, size_t exploration, const struct dse_answer *answer, enum dse_study_state state,
                                    const char *remark, struct dse_error *err)
{
    DSE_TRY(store_front(study, answer->front, answer->front_count, err));
    DSE_TRY(rank_front(study, answer, err));
    return dse_study_do(study, err,
                        "UPDATE explorations SET state = ?, space_size = ?, evaluated = ?, feasible = ?, unbuildable = ?, "
                        "refusal = ?, proven = ?, seconds = ?, remark = ? WHERE id = ?", "tuuuutirti", dse_study_state_names[state],
                        answer->space_size, answer->evaluated, answer->feasible, answer->unbuildable, answer->rejection,
                        (int64_t)answer->proven, answer->seconds, remark, (int64_t)exploration + 1);
}

enum dse_status dse_study_finish(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                 const struct dse_answer *answer, enum dse_study_state state, const char *remark,
                                 struct dse_error *err)
{
    DSE_TRY(enter(study, exploration, question, err));
    DSE_TRY(dse_study_begin_step(study, err));
    DSE_TRY(end_changes(study, store_answer(study, exploration, answer, state, remark, err), err));
    return dse_study_reread(study, err);
}

enum dse_status dse_study_answer(struct dse_study *study, size_t exploration, const struct dse_question *question,
                                 struct dse_answer *answer, struct dse_error *err)
{
    const struct dse_study_exploration *from = &study->explorations[exploration];
    study->monitor = question->monitor;
    *answer = (struct dse_answer){.space_size = from->space_size, .evaluated = from->evaluated, .feasible = from->feasible,
                                  .unbuildable = from->unbuildable, .proven = from->proven, .seconds = from->seconds};
    snprintf(answer->rejection, sizeof answer->rejection, "%s", from->refusal);
    enum dse_status status = read_front(study, exploration, question, &answer->front, &answer->front_count, err);
    if (status != DSE_OK)
        dse_answer_free(answer);
    return status;
}

enum dse_status dse_study_ids(struct dse_study *study, size_t exploration, const struct dse_question *question,
                              const struct dse_answer *answer, int64_t *ids, struct dse_error *err)
{
    DSE_TRY(enter(study, exploration, question, err));
    for (size_t i = 0; i < answer->front_count; i++) {
        const struct stored_point *stored = find_stored(study, study->point_count, &answer->front[i]);
        ids[i] = stored != NULL ? stored->id : 0;
    }
    return DSE_OK;
}

/* A stored engine of a point. */
struct stored_engine {
    struct dse_study_engine is;
    int64_t point;
    uint64_t place;
    const char *bound;
};
#define OF_ENGINE(type, name, member) {name, type, offsetof(struct stored_engine, member)}
#define USED(name, resource) OF_ENGINE('i', name, is.resources[resource])
#define ENGINE                                                                                                              \
    OF_ENGINE('t', "engine", is.name), OF_ENGINE('i', "cycles", is.cycles), OF_ENGINE('r', "latency_s", is.latency_s),       \
        USED("bram18", DSE_BRAM18), USED("uram", DSE_URAM), USED("dsp", DSE_DSP), USED("lut", DSE_LUT), USED("ff", DSE_FF), \
        USED("lutram", DSE_LUTRAM), OF_ENGINE('i', "ddr_bytes", is.ddr_bytes),                                              \
        OF_ENGINE('r', "dynamic_energy_j", is.dynamic_energy_j), OF_ENGINE('t', "bound", bound)
static const struct dse_column engine_key[] = {OF_ENGINE('i', "point", point), {0}}, engine_found[] = {ENGINE, {0}},
                               engine_columns[] = {OF_ENGINE('i', "point", point), OF_ENGINE('u', "place", place), ENGINE, {0}};

static enum dse_status put_engines(const struct dse_study *study, const struct dse_model_family *family, const struct dse_estimate *const *estimates,
                                   const int64_t *ids, size_t count, struct dse_error *err)
{
    sqlite3_stmt *insert DSE_CLEANUP(dse_statement_end) = NULL;
    DSE_TRY(dse_study_prepare_put(study, &insert, "engines", engine_columns, err));
    for (size_t i = 0; i < count; i++)
        for (size_t e = 0; e < family->engine_count && ids[i] > 0; e++) {
            const struct dse_engine_estimate *engine = &estimates[i]->engines[e];
            struct stored_engine stored = {.is = {.name = family->engines[e].name, .cycles = engine->cycles, .latency_s = engine->latency_s,
                                                  .ddr_bytes = engine->bytes, .dynamic_energy_j = engine->energy_j},
                                           .point = ids[i], .place = e + 1,
                                           .bound = engine->bound == DSE_BOUND_MEMORY ? "memory" : "compute"};
            for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
                stored.is.resources[r] = engine->sums.resources[r] * estimates[i]->platform.units;
            DSE_TRY(dse_study_put_row(study, insert, engine_columns, &stored, err));
        }
    return DSE_OK;
}

enum dse_status dse_study_keep_engines(struct dse_study *study, const struct dse_model_family *family,
                                       const struct dse_estimate *const *estimates, const int64_t *ids, size_t count,
                                       struct dse_error *err)
{
    DSE_TRY(dse_study_begin_step(study, err));
    return dse_study_end_step(study, put_engines(study, family, estimates, ids, count, err), err);
}

enum dse_status dse_study_engines(struct dse_study *study, int64_t point, struct dse_study_engine **out, size_t *count,
                                  struct dse_error *err)
{
    const struct stored_engine key = {.point = point};
    size_t capacity = 0;
    *count = 0;
    *out = NULL;
    struct dse_rows rows = dse_rows_select(study, err, "engines", engine_found, engine_key, &key, "place");
    while (dse_rows_next(&rows)) {
        struct stored_engine stored = {0};
        dse_rows_take(&rows, engine_found, &stored);
        stored.is.memory_bound = strcmp(stored.bound, "memory") == 0;
        dse_list_room(out, &capacity, *count, sizeof **out);
        (*out)[(*count)++] = stored.is;
    }
    enum dse_status status = dse_rows_close(&rows);
    if (status != DSE_OK) {
        free(*out);
        *out = NULL;
        *count = 0;
    }
    return status;
}
