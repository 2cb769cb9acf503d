/* Statements of a study. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/strbuf.h"
#include "search/study_store.h"

enum dse_status dse_study_failed(const struct dse_study *study, const char *action, struct dse_error *err)
{
    const int extended = sqlite3_extended_errcode(study->db), system = sqlite3_system_errno(study->db);
    const bool known = system != 0 && system != EFBIG; /* some versions of SQLite do not report the system's error */
    const char *path = study->path, *reason = known ? strerror(system) : "reading or writing failed (the disk may be full)";
    switch (extended & 0xff) {
    case SQLITE_NOTADB: return dse_fail(err, DSE_BAD_INPUT, "%s: is not a study (not an SQLite file)", path);
    case SQLITE_CORRUPT: return dse_fail(err, DSE_BAD_INPUT, "%s: the study is damaged: a page is not as SQLite writes it", path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return dse_fail(err, DSE_LIMIT, "%s: the study is in use by another program", path);
    case SQLITE_NOMEM: dse_memory_exhausted();
    case SQLITE_INTERRUPT: return dse_fail(err, DSE_BAD_INPUT, "%s: the study is damaged: its tables have no end", path);
    case SQLITE_TOOBIG:
        return dse_fail(err, DSE_BAD_INPUT, "%s: the study is damaged: a row has more than %d bytes", path, DSE_STUDY_TEXT_MAX);
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return dse_fail(err, DSE_LIMIT, "%s: cannot be written: %s; earlier results are safe, and --resume continues from them", path,
                        (extended & 0xff) == SQLITE_FULL ? "the disk or the quota is full" : reason);
    case SQLITE_READONLY:
    case SQLITE_PERM: return dse_fail(err, DSE_LIMIT, "%s: cannot %s: the file or its folder is read-only", path, action);
    case SQLITE_CANTOPEN: return dse_fail(err, DSE_LIMIT, "%s: cannot %s: %s", path, action, reason);
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH: return dse_fail(err, DSE_BAD_INPUT, "%s: cannot %s: a value of another type than the study's tables have", path, action);
    case SQLITE_ERROR: return dse_fail(err, DSE_BAD_INPUT, "%s: cannot %s: its tables are not those of a study", path, action);
    default: return dse_fail(err, DSE_BAD_INPUT, "%s: cannot %s (SQLite's error %d)", path, action, extended);
    }
}

/* ---- values ---- */

static int bind_member(sqlite3_stmt *statement, int place, char type, const void *member)
{
    char hash[32];
    switch (type) {
    case 'b': return sqlite3_bind_int64(statement, place, *(const bool *)member);
    case 'i': return sqlite3_bind_int64(statement, place, *(const int64_t *)member);
    case 'u': {
        uint64_t value = *(const uint64_t *)member;
        return sqlite3_bind_int64(statement, place, value > INT64_MAX ? INT64_MAX : (int64_t)value);
    }
    case 'r': {
        double value = *(const double *)member;
        return isnan(value) ? sqlite3_bind_null(statement, place) : sqlite3_bind_double(statement, place, value);
    }
    case 'h':
        snprintf(hash, sizeof hash, "%016" PRIx64, *(const uint64_t *)member);
        return sqlite3_bind_text(statement, place, hash, -1, SQLITE_TRANSIENT);
    default: {
        const char *text = *(const char *const *)member;
        return text == NULL ? sqlite3_bind_null(statement, place) : sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
    }
    }
}

static enum dse_status bind_all(const struct dse_study *study, sqlite3_stmt *statement, const char *types, va_list *values,
                                struct dse_error *err)
{
    for (int i = 0; types[i] != '\0'; i++) {
        union {
            uint64_t whole;
            double real;
            const char *text;
        } value;
        if (types[i] == 'r')
            value.real = va_arg(*values, double);
        else if (types[i] == 't')
            value.text = va_arg(*values, const char *);
        else
            value.whole = va_arg(*values, uint64_t);
        if (bind_member(statement, i + 1, types[i], &value) != SQLITE_OK)
            return dse_study_failed(study, "bind a value", err);
    }
    return DSE_OK;
}

enum dse_status dse_study_bind(const struct dse_study *study, sqlite3_stmt *statement, struct dse_error *err, const char *types, ...)
{
    va_list values;
    va_start(values, types);
    enum dse_status status = bind_all(study, statement, types, &values, err);
    va_end(values);
    return status;
}

/* ---- statements ---- */

void dse_statement_end(sqlite3_stmt **statement)
{
    sqlite3_finalize(*statement);
}

enum dse_status dse_study_prepare(const struct dse_study *study, sqlite3_stmt **out, const char *sql, struct dse_error *err)
{
    *out = NULL;
    return sqlite3_prepare_v2(study->db, sql, -1, out, NULL) == SQLITE_OK ? DSE_OK : dse_study_failed(study, "read", err);
}

static enum dse_status step(const struct dse_study *study, sqlite3_stmt *statement, bool *row, struct dse_error *err)
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
    enum dse_status status = step(study, statement, &row, err);
    sqlite3_reset(statement);
    return status;
}

enum dse_status dse_study_do(const struct dse_study *study, struct dse_error *err, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement DSE_CLEANUP(dse_statement_end) = NULL;
    va_list values;
    DSE_TRY(dse_study_prepare(study, &statement, sql, err));
    va_start(values, types);
    enum dse_status status = bind_all(study, statement, types, &values, err);
    va_end(values);
    return status == DSE_OK ? dse_study_run(study, statement, err) : status;
}

/* ---- transactions ---- */

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
    study->kept |= status == DSE_OK && study->family != NULL; /* changes before it is read belong to its creation */
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

/* ---- rows ---- */

struct dse_rows dse_rows_open(struct dse_study *study, struct dse_error *err, const char *sql, const char *types, ...)
{
    struct dse_rows rows = {.study = study, .err = err};
    rows.status = dse_study_prepare(study, &rows.statement, sql, err);
    va_list values;
    va_start(values, types);
    if (rows.status == DSE_OK)
        rows.status = bind_all(study, rows.statement, types, &values, err);
    va_end(values);
    return rows;
}

bool dse_rows_next(struct dse_rows *rows)
{
    bool row = false;
    rows->column = 0;
    if (rows->status == DSE_OK)
        rows->status = step(rows->study, rows->statement, &row, rows->err);
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
    const char *text = (const char *)sqlite3_column_text(rows->statement, rows->column++);
    return text != NULL ? text : "";
}

const char *dse_rows_text(struct dse_rows *rows)
{
    return dse_arena_strdup(&rows->study->arena, dse_rows_peek(rows));
}

enum dse_status dse_rows_close(struct dse_rows *rows)
{
    sqlite3_finalize(rows->statement);
    rows->statement = NULL;
    return rows->status;
}

/* ---- rows as structs ---- */

/* Lists such as "kind, name", "?, ?", "kind = ? AND name = ?" */
static void list(struct dse_strbuf *sql, const struct dse_column *columns, const char *suffix, const char *separator)
{
    for (size_t i = 0; columns[i].name != NULL; i++)
        dse_strbuf_printf(sql, "%s%s%s", i > 0 ? separator : "", *suffix == '?' ? "" : columns[i].name, suffix);
}

struct dse_rows dse_rows_select(struct dse_study *study, struct dse_error *err, const char *table, const struct dse_column *columns,
                                const struct dse_column *key, const void *of, const char *order)
{
    struct dse_strbuf sql DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_add(&sql, "SELECT ");
    list(&sql, columns, "", ", ");
    dse_strbuf_printf(&sql, " FROM %s%s", table, key != NULL ? " WHERE " : "");
    if (key != NULL)
        list(&sql, key, " = ?", " AND ");
    dse_strbuf_printf(&sql, " ORDER BY %s", order);
    struct dse_rows rows = dse_rows_open(study, err, sql.text, "");
    for (size_t i = 0; rows.status == DSE_OK && key != NULL && key[i].name != NULL; i++)
        if (bind_member(rows.statement, (int)i + 1, key[i].type, (const char *)of + key[i].offset) != SQLITE_OK)
            rows.status = dse_study_failed(study, "bind a value", err);
    return rows;
}

void dse_rows_take(struct dse_rows *rows, const struct dse_column *columns, void *out)
{
    for (size_t i = 0; columns[i].name != NULL; i++) {
        void *member = (char *)out + columns[i].offset;
        switch (columns[i].type) {
        case 'b': *(bool *)member = dse_rows_integer(rows) != 0; break;
        case 'i': *(int64_t *)member = dse_rows_integer(rows); break;
        case 'u': *(uint64_t *)member = dse_rows_count(rows); break;
        case 'r': *(double *)member = dse_rows_real(rows); break;
        case 'h': *(uint64_t *)member = strtoull(dse_rows_peek(rows), NULL, 16); break;
        default: *(const char **)member = dse_rows_text(rows); break;
        }
    }
}

enum dse_status dse_study_prepare_put(const struct dse_study *study, sqlite3_stmt **out, const char *table, const struct dse_column *columns,
                                      struct dse_error *err)
{
    struct dse_strbuf sql DSE_CLEANUP(dse_strbuf_free) = {0};
    dse_strbuf_printf(&sql, "INSERT OR REPLACE INTO %s (", table);
    list(&sql, columns, "", ", ");
    dse_strbuf_add(&sql, ") VALUES (");
    list(&sql, columns, "?", ", ");
    dse_strbuf_add(&sql, ")");
    return dse_study_prepare(study, out, sql.text, err);
}

enum dse_status dse_study_put_row(const struct dse_study *study, sqlite3_stmt *insert, const struct dse_column *columns, const void *row,
                                  struct dse_error *err)
{
    for (size_t i = 0; columns[i].name != NULL; i++)
        if (bind_member(insert, (int)i + 1, columns[i].type, (const char *)row + columns[i].offset) != SQLITE_OK)
            return dse_study_failed(study, "bind a value", err);
    return dse_study_run(study, insert, err);
}

enum dse_status dse_study_put(const struct dse_study *study, const char *table, const struct dse_column *columns, const void *row,
                              struct dse_error *err)
{
    sqlite3_stmt *insert DSE_CLEANUP(dse_statement_end) = NULL;
    DSE_TRY(dse_study_prepare_put(study, &insert, table, columns, err));
    return dse_study_put_row(study, insert, columns, row, err);
}
