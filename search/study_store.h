/* Internals of the study: its members, and helpers for statements, values and errors. */
#pragma once

#include <pthread.h>
#include <sqlite3.h>

#include "core/arena.h"
#include "search/study.h"

#define DSE_STUDY_TEXT_MAX (65 << 20) /* bytes of a row: an input has at most 64 MiB */
#define DSE_STUDY_ROWS_MAX 4096       /* most inputs, and most explorations */

/* A point of the current exploration, with its row in the file. */
struct stored_point {
    struct dse_config config;
    dse_knob_set own; /* knobs that are not part of it: two designs of combined data sets may differ only in these */
    int64_t id;
    bool front, wanted; /* as stored; as it should be */
};

struct keeping;

struct dse_study {
    sqlite3 *db;
    char *path;
    bool writes;
    int64_t schema;
    bool made, kept; /* created by this opening; a search step or training run was stored since */
    bool grown;      /* a profile grew before this opening */
    pthread_mutex_t lock; /* held during transactions: several threads store training runs */
    pthread_mutex_t door; /* guards `waiting` */
    struct keeping *waiting; /* training runs stored by the next holder of `lock`, in one transaction */
    struct dse_arena arena;
    const char *family, *program, *command;
    struct dse_setting question;
    struct dse_study_input *inputs;
    struct dse_study_exploration *explorations;
    size_t input_count, exploration_count;
    /* The current exploration. */
    size_t current;
    const struct dse_question *asked;
    const struct dse_monitor *monitor; /* the question's: checked while points are read */
    struct stored_point *points; /* point_count, ascending by configuration, then `own` */
    size_t point_count, point_capacity;
    struct dse_search_state state;
    struct dse_point *front; /* front of the search state */
};

/* Column of a metric in the study's points; NULL if the schema has none. */
static inline const char *dse_study_column(const struct dse_study *study, int metric)
{
    if ((study->schema == 1 && dse_metric_of_system((enum dse_metric)metric)) || (study->schema < 4 && metric == DSE_METRIC_THROUGHPUT_SYSTEM))
        return NULL;
    return study->schema == 2 && metric == DSE_METRIC_ENERGY_SYSTEM ? "energy_system_j" : dse_metrics[metric].key;
}

/* Converts SQLite's last error: damage is DSE_BAD_INPUT, disk and locks are DSE_LIMIT. */
enum dse_status dse_study_failed(const struct dse_study *study, const char *action, struct dse_error *err);

/* A table column, and the struct member that holds it. Types: 't' const char * (NULL as NULL), 'i' int64_t, 'u' uint64_t (saturated at
 * INT64_MAX), 'b' bool, 'r' double (NaN as NULL), 'h' uint64_t as 16 digits. Lists end with a column without a name. */
struct dse_column {
    const char *name;
    char type;
    size_t offset;
};
#define DSE_COLUMN(type, of, member) {#member, type, offsetof(struct of, member)}

/* Prepares a statement; declare it with DSE_CLEANUP(dse_statement_end). */
enum dse_status dse_study_prepare(const struct dse_study *study, sqlite3_stmt **out, const char *sql, struct dse_error *err);
void dse_statement_end(sqlite3_stmt **statement);

/* Rows of a query, read column by column. The first failure is kept: after it there are no rows, texts are "" and
 * numbers 0, and dse_rows_close returns the error. */
struct dse_rows {
    struct dse_study *study;
    sqlite3_stmt *statement;
    int column; /* next column */
    enum dse_status status;
    struct dse_error *err;
};

/* Starts a query; its values follow, one letter of `types` each. */
struct dse_rows dse_rows_open(struct dse_study *study, struct dse_error *err, const char *sql, const char *types, ...);

/* Starts a query for columns of a table, over rows whose `key` (NULL: all rows) equals that of the struct at `of`. */
struct dse_rows dse_rows_select(struct dse_study *study, struct dse_error *err, const char *table, const struct dse_column *columns,
                                const struct dse_column *key, const void *of, const char *order);

/* Reads the next columns into a struct. */
void dse_rows_take(struct dse_rows *rows, const struct dse_column *columns, void *out);

/* Advances to the next row; false at the end. */
bool dse_rows_next(struct dse_rows *rows);

/* Next column, as one of: an integer; a count (DSE_BAD_INPUT if negative); a real number (NaN for NULL); a text in the study's arena ("" for NULL); a
 * text valid until the next row. */
int64_t dse_rows_integer(struct dse_rows *rows);
uint64_t dse_rows_count(struct dse_rows *rows);
double dse_rows_real(struct dse_rows *rows);
const char *dse_rows_text(struct dse_rows *rows);
const char *dse_rows_peek(struct dse_rows *rows);

/* Ends the query. */
enum dse_status dse_rows_close(struct dse_rows *rows);

/* Rebinds a prepared statement. */
enum dse_status dse_study_bind(const struct dse_study *study, sqlite3_stmt *statement, struct dse_error *err, const char *types, ...);

/* Runs a prepared statement without result rows, and resets it. */
enum dse_status dse_study_run(const struct dse_study *study, sqlite3_stmt *statement, struct dse_error *err);

/* Prepare, run, finalise. */
enum dse_status dse_study_do(const struct dse_study *study, struct dse_error *err, const char *sql, const char *types, ...);

/* Writes a struct to a table, replacing the row with the same key: prepared for several, or a single one. */
enum dse_status dse_study_prepare_put(const struct dse_study *study, sqlite3_stmt **out, const char *table, const struct dse_column *columns,
                                      struct dse_error *err);
enum dse_status dse_study_put_row(const struct dse_study *study, sqlite3_stmt *insert, const struct dse_column *columns, const void *row,
                                  struct dse_error *err);
enum dse_status dse_study_put(const struct dse_study *study, const char *table, const struct dse_column *columns, const void *row,
                              struct dse_error *err);

/* A transaction: everything between begin and end is stored, or nothing if `status` is not DSE_OK. Holds the lock. */
enum dse_status dse_study_begin_step(struct dse_study *study, struct dse_error *err);
enum dse_status dse_study_end_step(struct dse_study *study, enum dse_status status, struct dse_error *err);

/* Commits; the caller must hold the lock. */
enum dse_status dse_study_commit(struct dse_study *study, enum dse_status status, struct dse_error *err);

/* Rereads the explorations after a change. */
enum dse_status dse_study_reread(struct dse_study *study, struct dse_error *err);
