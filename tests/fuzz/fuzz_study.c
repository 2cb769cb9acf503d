/* Fuzzes studies through SQLite. The input gives the UPDATE, INSERT and DELETE that change a study with rows in every table. After a first
 * byte 255, the input changes bytes of the study's file. The study is then read as every command does. An operation is a byte for the
 * kind, one for the table, one for the column, one for the row, one for the value's type, and the value. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

#include "core/file.h"
#include "reports/study.h"
#include "search/study.h"
#include "tests/fuzz/input.h"

static char path[64];
static char *base;
static size_t base_size;

#define OPERATIONS_MOST 24

static const char *const tables[] = {"study", "question", "inputs", "explorations", "points", "engines", "runs", "workloads", "commands"};

/* Artificial rows: a front of two designs, with engines. */
static void add_points(void)
{
    sqlite3 *db;
    require(sqlite3_open(path, &db) == SQLITE_OK);
    require(sqlite3_exec(db,
                         "INSERT INTO points (id, exploration, front, rank, alternative, config, latency_s) VALUES (1, 1, 1, 0, 0, "
                         "'{\"dim\": \"1000\", \"lshu.pe\": \"4\"}', 1e-3), (2, 1, 1, 1, 0, '{\"dim\": \"1000\"}', 5e-4), (3, 1, 0, NULL, 0, '{\"dim\": \"10\"}', 2.0);"
                         "INSERT INTO engines VALUES (1, 0, 'kse', 100, 1e-6, 1, 2, 3, 4, 5, 6, 7, 1e-9, 'compute');"
                         "UPDATE explorations SET state = 'done', rounds_done = 3, rounds_total = 3;"
                         "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;",
                         NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
}

static void make_base(void)
{
    struct dse_error err;
    struct dse_setting question = {0};
    struct dse_study *study;
    snprintf(path, sizeof path, "%s/nysx-fuzz-%ld.db", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    unlink(path);
    dse_setting_put(&question, "objectives", "latency,energy");
    const struct dse_study_input inputs[] = {{"board", "zcu104", "boards/zcu104.xml", "<board/>", 0x1234, false},
                                             {"profile", "made-up", "", "<profile/>", 0x5678, false}};
    const struct dse_study_exploration explorations[] = {{.board = "zcu104", .dataset = "made-up"}, {.board = "u50", .dataset = "other"}};
    const struct dse_study_description description = {.family = "nysx", .program = "1.2.3", .command = "nysx-dse sweep", .question = &question,
                                                      .inputs = inputs, .input_count = 2, .explorations = explorations, .exploration_count = 2};
    require(dse_study_begin(path, &description, false, &study, &err) == DSE_OK);
    const struct dse_study_run run = {.family = "nysx", .program = "1.2.3", .dataset_hash = 0x99, .setting = "dim=1000 hops=2", .protocol = "80/20",
                                      .seed = 1, .quality_name = "accuracy", .higher_is_better = true, .quality = 0.8, .train_quality = 0.9,
                                      .n_train = 80, .n_test = 20, .seconds = 0.5};
    require(dse_study_run_keep(study, &run, &err) == DSE_OK);
    dse_study_close(study);
    dse_setting_free(&question);
    add_points();
    require(dse_file_read(path, 16u << 20, &base, &base_size, &err) == DSE_OK);
}

static uint8_t take(const uint8_t **data, size_t *size)
{
    uint8_t byte = *size > 0 ? **data : 0;
    *data += *size > 0;
    *size -= *size > 0;
    return byte;
}

/* The name of a table's column, by number. */
static void column_of(sqlite3 *db, const char *table, uint8_t number, char *out, size_t size)
{
    char sql[128];
    sqlite3_stmt *statement;
    snprintf(sql, sizeof sql, "SELECT * FROM %s", table);
    snprintf(out, size, "rowid");
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK)
        snprintf(out, size, "%s", sqlite3_column_name(statement, number % sqlite3_column_count(statement)));
    sqlite3_finalize(statement);
}

static void bind(sqlite3_stmt *statement, const uint8_t **data, size_t *size)
{
    int64_t whole = 0;
    double real;
    uint8_t type = take(data, size), length = take(data, size);
    const char *text = (const char *)*data;
    int bytes = (int)(length < *size ? length : *size);
    memcpy(&whole, text, bytes < 8 ? (size_t)bytes : 8);
    memcpy(&real, &whole, sizeof real);
    switch (type % 6) {
    case 0: sqlite3_bind_int64(statement, 1, whole); break;
    case 1: sqlite3_bind_double(statement, 1, real); break;
    case 2: sqlite3_bind_text(statement, 1, text, bytes, SQLITE_TRANSIENT); break;
    case 3: sqlite3_bind_blob(statement, 1, text, bytes, SQLITE_TRANSIENT); break;
    case 4: sqlite3_bind_null(statement, 1); break;
    default: sqlite3_bind_zeroblob(statement, 1, bytes * 4096); break;
    }
    *data += bytes;
    *size -= (size_t)bytes;
}

static void change_rows(const uint8_t *data, size_t size)
{
    static const char *const forms[] = {"UPDATE %s SET %s = ?1 WHERE rowid IS NOT NULL", "UPDATE %s SET %s = ?1",
                                        "DELETE FROM %s WHERE %s = ?1", "INSERT INTO %s (%s) VALUES (?1)"};
    sqlite3 *db;
    require(sqlite3_open(path, &db) == SQLITE_OK);
    sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; BEGIN",
                 NULL, NULL, NULL);
    for (int i = 0; size > 0 && i < OPERATIONS_MOST; i++) {
        char column[64], sql[256];
        const char *form = forms[take(&data, &size) % 4], *table = tables[take(&data, &size) % (sizeof tables / sizeof *tables)];
        sqlite3_stmt *statement;
        column_of(db, table, take(&data, &size), column, sizeof column);
        sqlite3_snprintf(sizeof sql, sql, form, table, column);
        if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK) {
            bind(statement, &data, &size);
            sqlite3_step(statement);
        }
        sqlite3_finalize(statement);
    }
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(db);
}

static void write_file(const char *bytes, size_t size)
{
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    require(file >= 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
    close(file);
}

/* Offsets of two bytes, each with a value. */
static void change_bytes(const uint8_t *data, size_t size)
{
    char *bytes = malloc(base_size);
    require(bytes != NULL);
    memcpy(bytes, base, base_size);
    for (; size >= 4; data += 4, size -= 4)
        bytes[((size_t)data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16) % base_size] = (char)data[3];
    write_file(bytes, base_size);
    free(bytes);
}

static void read_all(struct dse_study *study)
{
    struct dse_error err = {0};
    struct dse_strbuf text = {0};
    json_t *json = NULL;
    for (size_t i = 0; i < dse_study_exploration_count(study); i++) {
        struct dse_study_point *points = NULL;
        size_t count = 0;
        if (dse_study_points(study, i, false, &points, &count, &err) == DSE_OK)
            dse_study_points_free(points, count);
    }
    struct dse_study_run *runs = NULL;
    size_t count = 0;
    if (dse_study_runs(study, &runs, &count, &err) == DSE_OK)
        free(runs);
    if (dse_study_json(study, &json, &err) == DSE_OK)
        json_decref(json);
    if (dse_study_write_csv(study, true, NULL, &text, &err) != DSE_OK || dse_study_write(study, 80, &text, &err) != DSE_OK)
        require(err.message[0] != '\0');
    dse_strbuf_free(&text);
}

static void clean(void)
{
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dse_study *study = NULL;
    struct dse_error err = {0};
    if (base == NULL) {
        make_base();
        atexit(clean);
    }
    if (size > 0 && data[0] == 255) {
        change_bytes(data + 1, size - 1);
    } else {
        write_file(base, base_size);
        change_rows(data, size);
    }
    if (dse_study_open(path, &study, &err) == DSE_OK)
        read_all(study);
    else
        require(err.message[0] != '\0');
    dse_study_close(study);
    return 0;
}
