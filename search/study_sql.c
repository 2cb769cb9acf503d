/* Statements of a study. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "search/study_store.h"

enum dse_status dse_study_failed(const struct dse_study *study, const char *action, struct dse_error *err)
{
    int code = sqlite3_errcode(study->db) & 0xff;
    const char *path = study->path, *reason = sqlite3_errmsg(study->db);
    switch (code) {
    case SQLITE_NOTADB: return dse_fail(err, DSE_BAD_INPUT, "%s: is no study (no SQLite file)", path);
    case SQLITE_CORRUPT: return dse_fail(err, DSE_BAD_INPUT, "%s: the study is damaged: %s", path, reason);
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return dse_fail(err, DSE_LIMIT, "%s: the study is in use by another program", path);
    case SQLITE_NOMEM: return dse_fail_memory(err);
    case SQLITE_INTERRUPT: return dse_fail(err, DSE_BAD_INPUT, "%s: the study is damaged: its tables have no end", path);
    case SQLITE_TOOBIG:
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study is damaged: a row of it has more than %d bytes", path, DSE_STUDY_TEXT_MAX);
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return dse_fail(err, DSE_LIMIT, "%s: cannot be written: %s; what was kept before is safe, and --resume goes on from "
                        "there", path, reason);
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN: return dse_fail(err, DSE_LIMIT, "%s: cannot %s: %s", path, action, reason);
    default: return dse_fail(err, DSE_BAD_INPUT, "%s: cannot %s: %s", path, action, reason);
    }
}

static int bind_value(sqlite3_stmt *statement, int place, char type, va_list *values)
{
    if (type == 'i')
        return sqlite3_bind_int64(statement, place, va_arg(*values, int64_t));
    if (type == 'u') {
        uint64_t value = va_arg(*values, uint64_t);
        return sqlite3_bind_int64(statement, place, value > INT64_MAX ? INT64_MAX : (int64_t)value);
    }
    if (type == 'r') {
        double value = va_arg(*values, double);
        return isnan(value) ? sqlite3_bind_null(statement, place) : sqlite3_bind_double(statement, place, value);
    }
    const char *text = va_arg(*values, const char *);
    return text == NULL ? sqlite3_bind_null(statement, place)
                        : sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

static enum dse_status bind_all(const struct dse_study *study, sqlite3_stmt *statement, const char *types,
                                va_list *values, struct dse_error *err)
{
    for (int i = 0; types[i] != '\0'; i++)
        if (bind_value(statement, i + 1, types[i], values) != SQLITE_OK)
            return dse_study_failed(study, "bind a value", err);
    return DSE_OK;
}

enum dse_status dse_study_bind(const struct dse_study *study, sqlite3_stmt *statement, struct dse_error *err,
                               const char *types, ...)
{
    va_list values;
    va_start(values, types);
    enum dse_status status = bind_all(study, statement, types, &values, err);
    va_end(values);
    return status;
}

enum dse_status dse_study_prepare(const struct dse_study *study, sqlite3_stmt **out, struct dse_error *err,
                                  const char *sql, const char *types, ...)
{
    *out = NULL;
    if (sqlite3_prepare_v2(study->db, sql, -1, out, NULL) != SQLITE_OK)
        return dse_study_failed(study, "read", err);
    va_list values;
    va_start(values, types);
    enum dse_status status = bind_all(study, *out, types, &values, err);
    va_end(values);
    return status;
}

enum dse_status dse_study_step(const struct dse_study *study, sqlite3_stmt *statement, bool *row, struct dse_error *err)
{
    int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return DSE_OK;
    return dse_study_failed(study, sqlite3_stmt_readonly(statement) ? "read" : "write", err);
}

enum dse_status dse_study_run(const struct dse_study *study, sqlite3_stmt *statement, struct dse_error *err)
{
    bool row = false;
    enum dse_status status = dse_study_step(study, statement, &row, err);
    sqlite3_reset(statement);
    return status;
}

enum dse_status dse_study_do(const struct dse_study *study, struct dse_error *err, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(study->db, sql, -1, &statement, NULL) != SQLITE_OK)
        return dse_study_failed(study, "prepare a step", err);
    va_list values;
    va_start(values, types);
    enum dse_status status = bind_all(study, statement, types, &values, err);
    va_end(values);
    if (status == DSE_OK)
        status = dse_study_run(study, statement, err);
    sqlite3_finalize(statement);
    return status;
}

enum dse_status dse_study_begin_step(struct dse_study *study, struct dse_error *err)
{
    pthread_mutex_lock(&study->lock);
    enum dse_status status = dse_study_do(study, err, "BEGIN IMMEDIATE", "");
    if (status != DSE_OK)
        pthread_mutex_unlock(&study->lock);
    return status;
}

enum dse_status dse_study_commit(struct dse_study *study, enum dse_status status, struct dse_error *err)
{
    if (status == DSE_OK)
        status = dse_study_do(study, err, "COMMIT", "");
    study->kept |= status == DSE_OK && study->family != NULL; /* what comes before it is read is its making */
    if (status != DSE_OK && !sqlite3_get_autocommit(study->db))
        sqlite3_exec(study->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

enum dse_status dse_study_end_step(struct dse_study *study, enum dse_status status, struct dse_error *err)
{
    status = dse_study_commit(study, status, err);
    pthread_mutex_unlock(&study->lock);
    return status;
}

struct dse_rows dse_rows_open(struct dse_study *study, struct dse_error *err, const char *sql, const char *types, ...)
{
    struct dse_rows rows = {.study = study, .err = err};
    if (sqlite3_prepare_v2(study->db, sql, -1, &rows.statement, NULL) != SQLITE_OK) {
        rows.status = dse_study_failed(study, "read", err);
        return rows;
    }
    va_list values;
    va_start(values, types);
    rows.status = bind_all(study, rows.statement, types, &values, err);
    va_end(values);
    return rows;
}

bool dse_rows_next(struct dse_rows *rows)
{
    bool row = false;
    rows->column = 0;
    if (rows->status == DSE_OK)
        rows->status = dse_study_step(rows->study, rows->statement, &row, rows->err);
    return row;
}

int64_t dse_rows_integer(struct dse_rows *rows)
{
    return sqlite3_column_int64(rows->statement, rows->column++);
}

uint64_t dse_rows_count(struct dse_rows *rows)
{
    const char *name = sqlite3_column_name(rows->statement, rows->column);
    int64_t value = dse_rows_integer(rows);
    if (value < 0 && rows->status == DSE_OK)
        rows->status = dse_fail(rows->err, DSE_BAD_INPUT, "%s: the study is damaged: %s is %lld", rows->study->path, name,
                                (long long)value);
    return value < 0 ? 0 : (uint64_t)value;
}

double dse_rows_real(struct dse_rows *rows)
{
    int column = rows->column++;
    return sqlite3_column_type(rows->statement, column) == SQLITE_NULL ? NAN : sqlite3_column_double(rows->statement, column);
}

const char *dse_rows_peek(struct dse_rows *rows)
{
    int column = rows->column++;
    bool null = sqlite3_column_type(rows->statement, column) == SQLITE_NULL;
    const char *text = (const char *)sqlite3_column_text(rows->statement, column);
    if (text == NULL && !null && rows->status == DSE_OK) /* there is one, and no room to give it out */
        rows->status = dse_fail_memory(rows->err);
    return text != NULL ? text : "";
}

const char *dse_rows_text(struct dse_rows *rows)
{
    const char *text = dse_arena_strdup(&rows->study->arena, dse_rows_peek(rows));
    if (text == NULL && rows->status == DSE_OK)
        rows->status = dse_fail_memory(rows->err);
    return text != NULL ? text : "";
}

uint64_t dse_rows_hash(struct dse_rows *rows)
{
    return strtoull(dse_rows_peek(rows), NULL, 16);
}

enum dse_status dse_rows_close(struct dse_rows *rows)
{
    sqlite3_finalize(rows->statement);
    rows->statement = NULL;
    return rows->status;
}
