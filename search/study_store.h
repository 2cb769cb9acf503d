/* Inside the study: its members, and statements with their values and errors in one place. */
#pragma once

#include <pthread.h>
#include <sqlite3.h>

#include "core/arena.h"
#include "search/study.h"

#define DSE_STUDY_TEXT_MAX (65 << 20) /* bytes of a row: an input that is taken in has 64 MiB at most */
#define DSE_STUDY_ROWS_MAX 4096       /* inputs, and explorations */

/* A point of the exploration that is being searched, with its place in the file. */
struct stored_point {
    struct dse_config config;
    dse_knob_set own; /* knobs that are no part of it: two designs of combined data sets may differ in that alone */
    int64_t id;
    bool front, wanted; /* as stored; as it is to be */
};

struct keeping;

struct dse_study {
    sqlite3 *db;
    char *path;
    bool writes;
    int64_t schema;
    bool made, kept; /* by this opening; a step of a search or a training since */
    bool grown;      /* a profile, at this opening */
    pthread_mutex_t lock; /* around whole transactions: several threads keep training runs */
    pthread_mutex_t door; /* guards the next */
    struct keeping *waiting; /* training runs to be kept by who has the lock next, in one transaction */
    struct dse_arena arena;
    const char *family, *program, *command;
    struct dse_setting question;
    struct dse_study_input *inputs;
    struct dse_study_exploration *explorations;
    size_t input_count, exploration_count;
    /* Of the exploration under way. */
    size_t current;
    const struct dse_question *asked;
    const struct dse_monitor *monitor; /* the question's: heard while points are read */
    struct stored_point *points; /* point_count, ascending by configuration, then `own` */
    size_t point_count, point_capacity;
    struct dse_search_state state;
    struct dse_point *front; /* of the state */
};

/* The column of a metric among the study's points; NULL where its schema has none. */
static inline const char *dse_study_column(const struct dse_study *study, int metric)
{
    if (study->schema == 1 && dse_metric_of_system((enum dse_metric)metric))
        return NULL;
    return study->schema == 2 && metric == DSE_METRIC_ENERGY_SYSTEM ? "energy_system_j" : dse_metrics[metric].key;
}

/* SQLite's last error as ours: damage is DSE_BAD_INPUT, disk and locks are DSE_LIMIT. */
enum dse_status dse_study_failed(const struct dse_study *study, const char *action, struct dse_error *err);

/* A column of a table, and the member of a struct that holds it. Types: 't' const char * (NULL as NULL), 'i' int64_t, 'u' uint64_t (cut at
 * INT64_MAX), 'b' bool, 'r' double (NaN as NULL), 'h' uint64_t as 16 digits. Lists of them end with a column without a name. */
struct dse_column {
    const char *name;
    char type;
    size_t offset;
};
#define DSE_COLUMN(type, of, member) {#member, type, offsetof(struct of, member)}

/* Prepares a statement; declare it with DSE_CLEANUP(dse_statement_end). */
enum dse_status dse_study_prepare(const struct dse_study *study, sqlite3_stmt **out, const char *sql, struct dse_error *err);
void dse_statement_end(sqlite3_stmt **statement);

/* Rows of a query, read column after column. The first failure sticks: from then on there are no more rows, texts are "" and
 * numbers 0, and dse_rows_close says what it was. */
struct dse_rows {
    struct dse_study *study;
    sqlite3_stmt *statement;
    int column; /* the next */
    enum dse_status status;
    struct dse_error *err;
};

/* Begins a query, whose values follow: a letter of `types` each. */
struct dse_rows dse_rows_open(struct dse_study *study, struct dse_error *err, const char *sql, const char *types, ...);

/* Begins a query for columns of a table, of the rows in which `key` (NULL: all rows) is as in the struct at `of`. */
struct dse_rows dse_rows_select(struct dse_study *study, struct dse_error *err, const char *table, const struct dse_column *columns,
                                const struct dse_column *key, const void *of, const char *order);

/* Reads the next columns into a struct. */
void dse_rows_take(struct dse_rows *rows, const struct dse_column *columns, void *out);

/* Goes to the next row; false at the end. */
bool dse_rows_next(struct dse_rows *rows);

/* The next column, as a whole number, a count (DSE_BAD_INPUT if negative), a real number (NaN for NULL), a text in the
 * study's arena ("" for NULL), or a text that lives until the next row. */
int64_t dse_rows_integer(struct dse_rows *rows);
uint64_t dse_rows_count(struct dse_rows *rows);
double dse_rows_real(struct dse_rows *rows);
const char *dse_rows_text(struct dse_rows *rows);
const char *dse_rows_peek(struct dse_rows *rows);

/* Ends the query. */
enum dse_status dse_rows_close(struct dse_rows *rows);

/* Binds a prepared statement anew. */
enum dse_status dse_study_bind(const struct dse_study *study, sqlite3_stmt *statement, struct dse_error *err, const char *types, ...);

/* Runs a prepared statement that gives no rows, and resets it. */
enum dse_status dse_study_run(const struct dse_study *study, sqlite3_stmt *statement, struct dse_error *err);

/* Prepare, run, finalise. */
enum dse_status dse_study_do(const struct dse_study *study, struct dse_error *err, const char *sql, const char *types, ...);

/* Puts a struct into a table, in the place of the row with the same key: prepared for many, or one alone. */
enum dse_status dse_study_prepare_put(const struct dse_study *study, sqlite3_stmt **out, const char *table, const struct dse_column *columns,
                                      struct dse_error *err);
enum dse_status dse_study_put_row(const struct dse_study *study, sqlite3_stmt *insert, const struct dse_column *columns, const void *row,
                                  struct dse_error *err);
enum dse_status dse_study_put(const struct dse_study *study, const char *table, const struct dse_column *columns, const void *row,
                              struct dse_error *err);

/* Everything between begin and end is kept, or nothing of it where `status` is not DSE_OK. Holds the lock. */
enum dse_status dse_study_begin_step(struct dse_study *study, struct dse_error *err);
enum dse_status dse_study_end_step(struct dse_study *study, enum dse_status status, struct dse_error *err);

/* The end itself, for who holds the lock. */
enum dse_status dse_study_commit(struct dse_study *study, enum dse_status status, struct dse_error *err);

/* Reads the explorations again after they were changed. */
enum dse_status dse_study_reread(struct dse_study *study, struct dse_error *err);
