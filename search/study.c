/* The study's file: its tables, its identity, and opening it. */
#include "search/study.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/rehearsal.h"
#include "core/strbuf.h"
#include "search/study_store.h"

const char *const dse_study_state_names[DSE_STUDY_STATE_COUNT + 1] = {"open", "done", "nothing", "partial"};

/* ---- the tables ---- */

/* docs/reference/studies.md describes the columns. Metrics are columns named by their JSON keys. A file with other tables is
 * rejected (check_schema). */
static const char tables[] =
    "CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;"
    "CREATE TABLE question (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;"
    "CREATE TABLE inputs (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL,"
    " source TEXT NOT NULL, content TEXT NOT NULL, UNIQUE (kind, name)) STRICT;"
    "CREATE TABLE explorations (id INTEGER PRIMARY KEY, board TEXT NOT NULL, dataset TEXT NOT NULL,"
    " state TEXT NOT NULL CHECK (state IN ('open', 'done', 'nothing', 'partial')), rounds_done INTEGER NOT NULL,"
    " rounds_total INTEGER NOT NULL, space_size INTEGER NOT NULL, evaluated INTEGER NOT NULL,"
    " feasible INTEGER NOT NULL, unbuildable INTEGER NOT NULL, refusal_slice INTEGER NOT NULL,"
    " refusal TEXT NOT NULL, proven INTEGER NOT NULL, seconds REAL NOT NULL, remark TEXT NOT NULL) STRICT;"
    "CREATE TABLE engines (point INTEGER NOT NULL REFERENCES points, place INTEGER NOT NULL, engine TEXT NOT NULL, cycles INTEGER NOT NULL,"
    " latency_s REAL NOT NULL, bram18 INTEGER NOT NULL, uram INTEGER NOT NULL, dsp INTEGER NOT NULL,"
    " lut INTEGER NOT NULL, ff INTEGER NOT NULL, lutram INTEGER NOT NULL, ddr_bytes INTEGER NOT NULL,"
    " dynamic_energy_j REAL NOT NULL, bound TEXT NOT NULL, PRIMARY KEY (point, place)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE runs (family TEXT NOT NULL, program TEXT NOT NULL, dataset_hash TEXT NOT NULL,"
    " setting TEXT NOT NULL, protocol TEXT NOT NULL, seed INTEGER NOT NULL, quality_name TEXT NOT NULL,"
    " higher_is_better INTEGER NOT NULL, quality REAL NOT NULL, train_quality REAL, n_train INTEGER NOT NULL,"
    " n_test INTEGER NOT NULL, seconds REAL NOT NULL,"
    " PRIMARY KEY (family, program, dataset_hash, setting, protocol, seed)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE workloads (family TEXT NOT NULL, program TEXT NOT NULL, dataset_hash TEXT NOT NULL,"
    " setting TEXT NOT NULL, seed INTEGER NOT NULL, profile TEXT NOT NULL,"
    " PRIMARY KEY (family, program, dataset_hash, setting, seed)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE commands (id INTEGER PRIMARY KEY, command TEXT NOT NULL, program TEXT NOT NULL) STRICT;"
    "CREATE VIEW accuracies AS SELECT family, program, dataset_hash, setting, protocol, quality_name,"
    " avg(quality) AS mean, count(*) AS n, min(seed) AS first_seed, max(seed) AS last_seed FROM runs"
    " GROUP BY family, program, dataset_hash, setting, protocol, quality_name;";

static enum dse_status execute(const struct dse_study *study, const char *sql, const char *action, struct dse_error *err)
{
    return sqlite3_exec(study->db, sql, NULL, NULL, NULL) == SQLITE_OK ? DSE_OK : dse_study_failed(study, action, err);
}

static enum dse_status create_tables(const struct dse_study *study, struct dse_error *err)
{
    struct dse_strbuf sql DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_add(&sql, tables);
    dse_strbuf_add(&sql, "CREATE TABLE points (id INTEGER PRIMARY KEY, exploration INTEGER NOT NULL REFERENCES "
                         "explorations, front INTEGER NOT NULL, rank INTEGER, alternative INTEGER NOT NULL, config TEXT NOT NULL");
    for (int m = 0; m < DSE_METRIC_COUNT; m++)
        if (dse_study_column(study, m) != NULL)
            dse_strbuf_printf(&sql, ", %s REAL", dse_study_column(study, m));
    dse_strbuf_printf(&sql, ") STRICT; CREATE INDEX points_of ON points (exploration, front);"
                            "PRAGMA application_id = %d; PRAGMA user_version = %d;",
                      DSE_STUDY_APPLICATION, (int)study->schema);
    return execute(study, sql.text, "write", err);
}

static const struct dse_column input_columns[] = {DSE_COLUMN('t', dse_study_input, kind), DSE_COLUMN('t', dse_study_input, name),
                                                  DSE_COLUMN('h', dse_study_input, hash), DSE_COLUMN('t', dse_study_input, source),
                                                  DSE_COLUMN('t', dse_study_input, content), {0}};

static enum dse_status fill_description(const struct dse_study *study, const struct dse_study_description *d,
                                        struct dse_error *err)
{
    const char *const keys[] = {"family", "program", "command"}, *const values[] = {d->family, d->program, d->command};
    for (size_t i = 0; i < 3; i++)
        DSE_TRY(dse_study_do(study, err, "INSERT INTO study VALUES (?, ?)", "tt", keys[i], values[i]));
    for (size_t i = 0; i < d->question->count; i++)
        DSE_TRY(dse_study_do(study, err, "INSERT INTO question VALUES (?, ?)", "tt", d->question->pairs[i].name,
                             d->question->pairs[i].value));
    for (size_t i = 0; i < d->input_count; i++)
        DSE_TRY(dse_study_put(study, "inputs", input_columns, &d->inputs[i], err));
    for (size_t i = 0; i < d->exploration_count; i++)
        DSE_TRY(dse_study_do(study, err,
                             "INSERT INTO explorations VALUES (?, ?, ?, 'open', 0, 0, 0, 0, 0, 0, -1, '', 0, 0, '')", "itt",
                             (int64_t)i + 1, d->explorations[i].board, d->explorations[i].dataset));
    return DSE_OK;
}

/* One transaction: an interrupted creation leaves no tables at all. */
static enum dse_status create(struct dse_study *study, const struct dse_study_description *description,
                              struct dse_error *err)
{
    DSE_TRY(dse_study_begin_step(study, err));
    enum dse_status status = create_tables(study, err);
    if (status == DSE_OK)
        status = fill_description(study, description, err);
    return dse_study_end_step(study, status, err);
}

/* ---- opening ---- */

static enum dse_status read_number(struct dse_study *study, const char *sql, int64_t *out, struct dse_error *err)
{
    struct dse_rows rows = dse_rows_open(study, err, sql, "");
    *out = dse_rows_next(&rows) ? dse_rows_integer(&rows) : 0;
    return dse_rows_close(&rows);
}

/* Restricts SQLite for any file: no code from its schema (views, triggers, functions), no text
 * longer than an input may be. */
static void confine(struct dse_study *study)
{
    static const struct {
        int what, value;
    } ways[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                {SQLITE_DBCONFIG_ENABLE_VIEW, 0}},
      limits[] = {{SQLITE_LIMIT_LENGTH, DSE_STUDY_TEXT_MAX}, {SQLITE_LIMIT_ATTACHED, 0}, {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        sqlite3_db_config(study->db, ways[i].what, ways[i].value, NULL);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(study->db, limits[i].what, limits[i].value);
}

/* Whether file and folder are read-only: then a lock is neither needed nor possible. */
static bool is_still(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder DSE_CLEANUP(dse_free_at) = slash != NULL ? dse_strndup(path, (size_t)(slash - path) + 1) : dse_strdup(".");
    return dse_file_exists(path) && (access(folder, W_OK) != 0 || access(path, W_OK) != 0);
}

static enum dse_status connect(const char *path, bool writes, struct dse_study **out, struct dse_error *err)
{
    struct dse_study *study = dse_calloc(1, sizeof *study);
    *out = study;
    study->path = dse_strdup(path);
    study->writes = writes;
    study->schema = DSE_STUDY_SCHEMA;
    study->current = SIZE_MAX;
    pthread_mutex_init(&study->lock, NULL);
    pthread_mutex_init(&study->door, NULL);
    DSE_TRY(dse_file_reads(path, err));
    bool still = !writes && is_still(path);
    int flags = (still ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_FULLMUTEX | (writes ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(path, &study->db, flags, still ? "unix-none" : NULL) != SQLITE_OK)
        return dse_study_failed(study, "open the study", err);
    sqlite3_extended_result_codes(study->db, 1);
    sqlite3_busy_timeout(study->db, 500);
    confine(study);
    if (still) /* the index of a log left by a crash is then built in memory */
        return execute(study, "PRAGMA locking_mode = EXCLUSIVE", "open the study", err);
    /* A writer locks the file from its first read on: two programs would number points twice. */
    return writes ? execute(study, "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT;", "open the study", err)
                  : DSE_OK;
}

/* SQLite's own allocator. Its integrity check reports an out-of-memory page as missing, without a
 * status. */
static sqlite3_mem_methods plain;

static void *take_memory(int size)
{
    void *memory = plain.xMalloc(size);
    if (memory == NULL && size > 0)
        dse_memory_exhausted();
    return memory;
}

static void *grow_memory(void *old, int size)
{
    void *memory = plain.xRealloc(old, size);
    if (memory == NULL && size > 0)
        dse_memory_exhausted();
    return memory;
}

/* Before main, since SQLite accepts it only before its first use. */
__attribute__((constructor)) static void watch_memory(void)
{
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain) != SQLITE_OK || plain.xMalloc == NULL)
        return;
    sqlite3_mem_methods watched = plain;
    watched.xMalloc = take_memory;
    watched.xRealloc = grow_memory;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &watched);
}

static enum dse_status check_whole(struct dse_study *study, struct dse_error *err)
{
    struct dse_rows rows = dse_rows_open(study, err, "PRAGMA quick_check(1)", "");
    const char *verdict = dse_rows_next(&rows) ? dse_rows_text(&rows) : "";
    DSE_TRY(dse_rows_close(&rows));
    const char *last = strrchr(verdict, '\n'); /* the line with the reason */
    return strcmp(verdict, "ok") == 0 ? DSE_OK
                                      : dse_fail(err, DSE_BAD_INPUT, "%s: the study is damaged: %s", study->path, last != NULL ? last + 1 : verdict);
}

/* The statements of a schema except SQLite's own, in a fixed order. */
static const char schema_of[] = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name";

/* Whether both schemas have the same objects with the same statements. */
static enum dse_status compare_schemas(struct dse_study *study, struct dse_study *expected, struct dse_error *err)
{
    struct dse_rows rows = dse_rows_open(study, err, schema_of, ""), right = dse_rows_open(expected, err, schema_of, "");
    for (;;) {
        bool more = dse_rows_next(&right);
        if (dse_rows_next(&rows) != more && rows.status == DSE_OK && right.status == DSE_OK)
            rows.status = dse_fail(err, DSE_BAD_INPUT, "%s: is not a study of this program: it has a table, index, view or trigger %s",
                                   study->path, more ? "less" : "more");
        if (!more || rows.status != DSE_OK)
            break;
        for (int column = 0; column < 3; column++) {
            const char *has = dse_rows_peek(&rows), *should = dse_rows_peek(&right);
            if (rows.status == DSE_OK && right.status == DSE_OK && strcmp(has, should) != 0)
                rows.status = dse_fail(err, DSE_BAD_INPUT, "%s: is not a study of this program: its schema has \"%.80s\" instead of \"%.80s\"",
                                       study->path, has, should);
        }
    }
    enum dse_status of_right = dse_rows_close(&right);
    DSE_TRY(dse_rows_close(&rows));
    return of_right;
}

/* A foreign file may have an endless view instead of a table, or a trigger that empties one. Nothing is read from a file before its schema is
 * literally the text that this program writes. */
static enum dse_status check_schema(struct dse_study *study, struct dse_error *err)
{
    struct dse_study expected = {.path = study->path, .schema = study->schema};
    enum dse_status status = sqlite3_open(":memory:", &expected.db) == SQLITE_OK ? create_tables(&expected, err)
                                                                                 : dse_study_failed(&expected, "open", err);
    if (status == DSE_OK)
        status = compare_schemas(study, &expected, err);
    sqlite3_close(expected.db);
    return status;
}

/* Whether the file is a study with a known schema; `empty` if nothing was ever stored. */
static enum dse_status check_kind(struct dse_study *study, bool *empty, struct dse_error *err)
{
    int64_t things = 0, application = 0, version = 0;
    DSE_TRY(read_number(study, "SELECT 1 FROM sqlite_schema LIMIT 1", &things, err));
    DSE_TRY(read_number(study, "PRAGMA application_id", &application, err));
    DSE_TRY(read_number(study, "PRAGMA user_version", &version, err));
    *empty = things == 0 && application == 0 && version == 0;
    if (*empty)
        return DSE_OK;
    if (application != DSE_STUDY_APPLICATION)
        return dse_fail(err, DSE_BAD_INPUT, "%s: is not a study, but an SQLite file of another program", study->path);
    study->schema = version;
    if (version < 1 || version > DSE_STUDY_SCHEMA)
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study has schema %lld, but this program reads %d: use %s program",
                        study->path, (long long)version, DSE_STUDY_SCHEMA,
                        version > DSE_STUDY_SCHEMA ? "a newer" : "an older");
    DSE_TRY(check_schema(study, err));
    return check_whole(study, err);
}

/* Steps of SQLite's virtual machine, in units of STEPS, allowed for checking a file: a valid one takes a few per byte. */
#define STEPS 10000
#define STEPS_FREE 1000

static int count_steps(void *user)
{
    int64_t *left = user;
    return --*left < 0;
}

/* Pages of a damaged or forged file may form a cycle, or refer a hundred times to the same page. Checks are bounded until the pages are verified. */
static enum dse_status check_bounded(struct dse_study *study, bool *empty, struct dse_error *err)
{
    struct stat file;
    int64_t left = STEPS_FREE + (stat(study->path, &file) == 0 ? (int64_t)file.st_size / (STEPS / 100) : 0);
    sqlite3_progress_handler(study->db, STEPS, count_steps, &left);
    enum dse_status status = check_kind(study, empty, err);
    sqlite3_progress_handler(study->db, 0, NULL, NULL);
    return status;
}

static enum dse_status missing(const struct dse_study *study, const char *what, struct dse_error *err)
{
    return dse_fail(err, DSE_BAD_INPUT, "%s: the study is damaged: it has no %s", study->path, what);
}

static enum dse_status read_texts(struct dse_study *study, struct dse_error *err)
{
    const struct {
        const char *key, **value;
    } texts[] = {{"family", &study->family}, {"program", &study->program}, {"command", &study->command}};
    struct dse_rows rows = dse_rows_open(study, err, "SELECT key, value FROM study", "");
    while (dse_rows_next(&rows)) {
        const char *key = dse_rows_text(&rows), *value = dse_rows_text(&rows);
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            if (strcmp(texts[i].key, key) == 0)
                *texts[i].value = value;
    }
    DSE_TRY(dse_rows_close(&rows));
    if (study->family == NULL || study->program == NULL || study->command == NULL)
        return missing(study, "family, program or command", err);
    rows = dse_rows_open(study, err, "SELECT key, value FROM question", "");
    while (dse_rows_next(&rows)) {
        const char *key = dse_rows_peek(&rows), *value = dse_rows_peek(&rows);
        dse_setting_put(&study->question, key, value);
    }
    return dse_rows_close(&rows);
}

/* Allocates room in the arena for the count returned by `sql`. */
static enum dse_status make_room(struct dse_study *study, const char *sql, size_t size, void **out, int64_t *count,
                                 struct dse_error *err)
{
    DSE_TRY(read_number(study, sql, count, err));
    if (*count > DSE_STUDY_ROWS_MAX)
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study is damaged: it has %lld inputs or explorations, but at most %d are allowed",
                        study->path, (long long)*count, DSE_STUDY_ROWS_MAX);
    *out = dse_arena_alloc(&study->arena, (size_t)*count + 1, size);
    return DSE_OK;
}

static enum dse_status read_inputs(struct dse_study *study, struct dse_error *err)
{
    int64_t count = 0;
    void *room = NULL;
    DSE_TRY(make_room(study, "SELECT count(*) FROM inputs", sizeof *study->inputs, &room, &count, err));
    study->inputs = room;
    struct dse_rows rows = dse_rows_select(study, err, "inputs", input_columns, NULL, NULL, "id");
    while (study->input_count < (size_t)count && dse_rows_next(&rows))
        dse_rows_take(&rows, input_columns, &study->inputs[study->input_count++]);
    return dse_rows_close(&rows);
}

/* An exploration and the word of its state. */
struct stored_exploration {
    struct dse_study_exploration is;
    const char *state;
};
#define OF_EXPLORATION(type, member) {#member, type, offsetof(struct stored_exploration, is.member)}
static const struct dse_column exploration_columns[] = {
    OF_EXPLORATION('t', board), OF_EXPLORATION('t', dataset), {"state", 't', offsetof(struct stored_exploration, state)},
    OF_EXPLORATION('u', space_size), OF_EXPLORATION('u', evaluated), OF_EXPLORATION('u', feasible), OF_EXPLORATION('u', unbuildable),
    OF_EXPLORATION('b', proven), OF_EXPLORATION('r', seconds), OF_EXPLORATION('t', refusal), OF_EXPLORATION('t', remark), {0}};

static void read_exploration(struct dse_rows *rows, struct dse_study_exploration *to)
{
    struct stored_exploration stored = {0};
    dse_rows_take(rows, exploration_columns, &stored);
    *to = stored.is;
    while (to->state < DSE_STUDY_STATE_COUNT && strcmp(stored.state, dse_study_state_names[to->state]) != 0)
        to->state++;
    if (rows->status == DSE_OK && to->state == DSE_STUDY_STATE_COUNT)
        rows->status = missing(rows->study, "state of an exploration", rows->err);
}

enum dse_status dse_study_reread(struct dse_study *study, struct dse_error *err)
{
    int64_t count = 0;
    void *room = NULL;
    study->exploration_count = 0;
    DSE_TRY(make_room(study, "SELECT count(*) FROM explorations", sizeof *study->explorations, &room, &count, err));
    study->explorations = room;
    struct dse_rows rows = dse_rows_select(study, err, "explorations", exploration_columns, NULL, NULL, "id");
    while (study->exploration_count < (size_t)count && dse_rows_next(&rows))
        read_exploration(&rows, &study->explorations[study->exploration_count++]);
    return dse_rows_close(&rows);
}

static enum dse_status read_all(struct dse_study *study, struct dse_error *err)
{
    DSE_TRY(read_texts(study, err));
    DSE_TRY(read_inputs(study, err));
    return dse_study_reread(study, err);
}

static struct dse_study *keep(struct dse_study **study)
{
    struct dse_study *kept = *study;
    *study = NULL;
    return kept;
}

/* A described family is read from the study, whatever happened to its file. */
static enum dse_status read_family(const struct dse_study *study, struct dse_error *err)
{
    const struct dse_model_family *family;
    for (size_t i = 0; i < study->input_count; i++)
        if (strcmp(study->inputs[i].kind, "family") == 0)
            DSE_TRY(dse_model_files.read(study->inputs[i].source, study->inputs[i].content, &family, err));
    return DSE_OK;
}

enum dse_status dse_study_open(const char *path, struct dse_study **out, struct dse_error *err)
{
    struct dse_study *study DSE_CLEANUP(dse_study_close_at) = NULL;
    bool empty = false;
    *out = NULL;
    if (!dse_file_exists(path) || dse_file_is_folder(path))
        return dse_fail(err, DSE_BAD_INPUT, "%s: there is no such study", path);
    DSE_TRY(connect(path, false, &study, err));
    DSE_TRY(check_bounded(study, &empty, err));
    if (empty)
        return dse_fail(err, DSE_BAD_INPUT, "%s: is not a study: the file is empty", path);
    DSE_TRY(read_all(study, err));
    DSE_TRY(read_family(study, err));
    *out = keep(&study);
    return DSE_OK;
}

/* ---- resuming ---- */

static enum dse_status compare_question(const struct dse_study *study, const struct dse_setting *now, struct dse_error *err)
{
    for (size_t i = 0; i < study->question.count; i++) {
        const char *name = study->question.pairs[i].name, *then = study->question.pairs[i].value;
        const char *value = dse_setting_get(now, name);
        if (value == NULL || strcmp(value, then) != 0)
            return dse_fail(err, DSE_BAD_INPUT, "%s: the study was made with %s \"%s\", not \"%s\": --resume continues only "
                            "the same search", study->path, name, then, value != NULL ? value : "");
    }
    for (size_t i = 0; i < now->count; i++)
        if (dse_setting_get(&study->question, now->pairs[i].name) == NULL)
            return dse_fail(err, DSE_BAD_INPUT, "%s: the study was made without %s \"%s\": --resume continues only the same "
                            "search", study->path, now->pairs[i].name, now->pairs[i].value);
    return DSE_OK;
}

/* Whether a profile extended by surveys has the same data, preset and metric as the study's. */
static bool has_grown(const struct dse_study_input *then, const struct dse_study_input *now)
{
    struct dse_profile *a = NULL, *b = NULL;
    struct dse_error ignored;
    bool same = now->grows && strcmp(then->source, now->source) == 0 &&
                dse_profile_parse(then->content, strlen(then->content), then->name, &a, &ignored) == DSE_OK &&
                dse_profile_parse(now->content, strlen(now->content), now->name, &b, &ignored) == DSE_OK;
    same = same && a->dataset_hash == b->dataset_hash && strcmp(a->family, b->family) == 0 && dse_setting_compare(&a->preset, &b->preset) == 0 &&
           (a->quality_count == 0 || b->quality_count == 0 || strcmp(a->qualities[0].name, b->qualities[0].name) == 0);
    dse_profile_free(a);
    dse_profile_free(b);
    return same;
}

static enum dse_status compare_inputs(const struct dse_study *study, const struct dse_study_description *d,
                                      struct dse_error *err)
{
    for (size_t i = 0; i < d->input_count; i++) {
        const struct dse_study_input *now = &d->inputs[i], *then = dse_study_input_find(study, now->kind, now->name);
        if (then == NULL)
            return dse_fail(err, DSE_BAD_INPUT, "%s: the study was made without the %s %s", study->path, now->kind, now->name);
        if (then->hash != now->hash && !has_grown(then, now))
            return dse_fail(err, DSE_BAD_INPUT, "%s: the study was made with another %s %s: its hash was %016" PRIx64
                            " and is %016" PRIx64 " now", study->path, now->kind, now->name, then->hash, now->hash);
    }
    for (size_t i = 0; i < study->input_count; i++) {
        const struct dse_study_input *then = &study->inputs[i];
        bool there = false;
        for (size_t k = 0; k < d->input_count && !there; k++)
            there = strcmp(d->inputs[k].kind, then->kind) == 0 && strcmp(d->inputs[k].name, then->name) == 0;
        if (!there)
            return dse_fail(err, DSE_BAD_INPUT, "%s: the study was also made with the %s %s", study->path, then->kind, then->name);
    }
    return DSE_OK;
}

static enum dse_status compare_program(const struct dse_study *study, const char *program, struct dse_error *err)
{
    return strcmp(study->program, program) == 0 ? DSE_OK
                                                : dse_fail(err, DSE_BAD_INPUT, "%s: the study was made by version %s, but this is %s",
                                                           study->path, study->program, program);
}

/* Whether study and request both have a family described by a file. Then the inputs compare its content, and its path does not count. */
static bool have_files(const struct dse_study *study, const struct dse_study_description *d)
{
    bool file = false;
    for (size_t i = 0; i < d->input_count; i++)
        file |= strcmp(d->inputs[i].kind, "family") == 0;
    return file && dse_study_input_find(study, "family", NULL) != NULL;
}

static enum dse_status compare_description(const struct dse_study *study, const struct dse_study_description *d, struct dse_error *err)
{
    if (strcmp(study->family, d->family) != 0 && !have_files(study, d))
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study is of the family %s, not %s", study->path, study->family, d->family);
    DSE_TRY(compare_program(study, d->program, err));
    DSE_TRY(compare_question(study, d->question, err));
    DSE_TRY(compare_inputs(study, d, err));
    if (study->exploration_count != d->exploration_count)
        return missing(study, "row for each board and data set", err);
    for (size_t i = 0; i < d->exploration_count; i++)
        if (strcmp(study->explorations[i].board, d->explorations[i].board) != 0 ||
            strcmp(study->explorations[i].dataset, d->explorations[i].dataset) != 0)
            return dse_fail(err, DSE_BAD_INPUT, "%s: exploration %zu of the study is of %s with %s, not %s with %s",
                            study->path, i + 1, study->explorations[i].board, study->explorations[i].dataset,
                            d->explorations[i].board, d->explorations[i].dataset);
    return DSE_OK;
}

/* Takes over grown profiles. Reopens every exploration: its points stay, but none is on a front. */
static enum dse_status take_grown(struct dse_study *study, const struct dse_study_description *d, struct dse_error *err)
{
    for (size_t i = 0; i < d->input_count; i++) {
        const struct dse_study_input *now = &d->inputs[i];
        if (dse_study_input_find(study, now->kind, now->name)->hash == now->hash)
            continue;
        study->grown = true;
        DSE_TRY(dse_study_put(study, "inputs", input_columns, now, err));
    }
    if (!study->grown)
        return DSE_OK;
    return execute(study, "UPDATE explorations SET state = 'open', rounds_done = 0, rounds_total = 0, remark = '';"
                          "UPDATE points SET front = 0, rank = NULL, alternative = 0", "write", err);
}

static enum dse_status grow(struct dse_study *study, const struct dse_study_description *description, struct dse_error *err)
{
    DSE_TRY(dse_study_begin_step(study, err));
    DSE_TRY(dse_study_end_step(study, take_grown(study, description, err), err));
    if (!study->grown)
        return DSE_OK;
    study->input_count = 0;
    DSE_TRY(read_inputs(study, err));
    return dse_study_reread(study, err);
}

static enum dse_status check_new(const struct dse_study *study, bool empty, bool resume, struct dse_error *err)
{
    return empty || resume ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "--study %s: already exists; --resume continues it", study->path);
}

enum dse_status dse_study_check(const char *path, const char *program, const struct dse_setting *question, bool resume, struct dse_error *err)
{
    struct dse_study *study DSE_CLEANUP(dse_study_close_at) = NULL;
    bool empty = false;
    if (!dse_file_exists(path))
        return dse_file_check(path, err);
    if (dse_file_is_folder(path))
        return DSE_OK;
    DSE_TRY(connect(path, false, &study, err));
    DSE_TRY(check_bounded(study, &empty, err));
    DSE_TRY(check_new(study, empty, resume, err));
    if (empty)
        return DSE_OK;
    DSE_TRY(read_texts(study, err));
    DSE_TRY(compare_program(study, program, err));
    return compare_question(study, question, err);
}

static enum dse_status go_on(struct dse_study *study, const struct dse_study_description *description, bool resume,
                             struct dse_error *err)
{
    bool empty = false;
    DSE_TRY(check_bounded(study, &empty, err));
    DSE_TRY(check_new(study, empty, resume, err));
    study->made = empty;
    if (!empty) { /* before the first write: a rejected question changes nothing */
        DSE_TRY(read_all(study, err));
        DSE_TRY(compare_description(study, description, err));
    }
    dse_rehearsal_ends();
    if (empty)
        DSE_TRY(create(study, description, err));
    DSE_TRY(execute(study, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;", "write", err));
    DSE_TRY(empty ? read_all(study, err) : grow(study, description, err));
    return dse_study_do(study, err, "INSERT INTO commands (command, program) VALUES (?, ?)", "tt", description->command, description->program);
}

enum dse_status dse_study_begin(const char *path, const struct dse_study_description *description, bool resume,
                                struct dse_study **out, struct dse_error *err)
{
    struct dse_study *study DSE_CLEANUP(dse_study_close_at) = NULL;
    *out = NULL;
    if (!dse_file_exists(path))
        dse_rehearsal_ends();
    DSE_TRY(connect(path, true, &study, err));
    DSE_TRY(go_on(study, description, resume, err));
    *out = keep(&study);
    return DSE_OK;
}

void dse_study_abandon(struct dse_study *study, bool valid)
{
    static const char *const parts[] = {"", "-wal", "-shm", "-journal"};
    if (study == NULL || !study->made || (study->kept && valid)) {
        dse_study_close(study);
        return;
    }
    char *stem DSE_CLEANUP(dse_free_at) = dse_strdup(study->path);
    dse_study_close(study);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct dse_strbuf path DSE_CLEANUP(dse_strbuf_free) = {0};
        dse_strbuf_printf(&path, "%s%s", stem, parts[i]);
        remove(path.text);
    }
}

void dse_study_close(struct dse_study *study)
{
    if (study == NULL)
        return;
    /* Merges the log into the file, so that a finished study is one file. If this fails twice, the log stays valid. */
    for (int tries = 0; tries < 2 && study->writes && study->family != NULL; tries++)
        if (sqlite3_exec(study->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) == SQLITE_OK)
            break;
    sqlite3_close(study->db);
    pthread_mutex_destroy(&study->lock);
    pthread_mutex_destroy(&study->door);
    dse_setting_free(&study->question);
    dse_arena_free(&study->arena);
    free(study->points);
    free(study->front);
    free(study->path);
    free(study);
}

/* ---- accessors ---- */

bool dse_study_grown(const struct dse_study *study)
{
    return study->grown;
}

const char *dse_study_path(const struct dse_study *study)
{
    return study->path;
}

const char *dse_study_family(const struct dse_study *study)
{
    return study->family;
}

const char *dse_study_program(const struct dse_study *study)
{
    return study->program;
}

const char *dse_study_command(const struct dse_study *study)
{
    return study->command;
}

const struct dse_setting *dse_study_question(const struct dse_study *study)
{
    return &study->question;
}

size_t dse_study_input_count(const struct dse_study *study)
{
    return study->input_count;
}

const struct dse_study_input *dse_study_input_at(const struct dse_study *study, size_t index)
{
    return index < study->input_count ? &study->inputs[index] : NULL;
}

const struct dse_study_input *dse_study_input_find(const struct dse_study *study, const char *kind, const char *name)
{
    for (size_t i = 0; i < study->input_count; i++)
        if (strcmp(study->inputs[i].kind, kind) == 0 && (name == NULL || strcmp(study->inputs[i].name, name) == 0))
            return &study->inputs[i];
    return NULL;
}

size_t dse_study_exploration_count(const struct dse_study *study)
{
    return study->exploration_count;
}

const struct dse_study_exploration *dse_study_exploration_at(const struct dse_study *study, size_t index)
{
    return index < study->exploration_count ? &study->explorations[index] : NULL;
}
