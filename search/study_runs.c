/* The trainings and workloads that were measured for a study. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/study_store.h"

#define KEY_OF_RUN "family = ? AND program = ? AND dataset_hash = ? AND setting = ? AND protocol = ? AND seed = ?"
#define KEY_OF_WORK "family = ? AND program = ? AND dataset_hash = ? AND setting = ? AND seed = ?"

struct hash_text {
    char text[32];
};

static struct hash_text hash_of(const struct dse_study_run *run)
{
    struct hash_text hash;
    snprintf(hash.text, sizeof hash.text, "%016" PRIx64, run->dataset_hash);
    return hash;
}

static enum dse_status read_found(struct dse_study *study, sqlite3_stmt *s, struct dse_study_run *run, bool *found,
                                  struct dse_error *err)
{
    enum dse_status status = dse_study_step(study, s, found, err);
    if (status != DSE_OK || !*found)
        return status;
    run->quality_name = dse_study_column(study, s, 0);
    run->higher_is_better = sqlite3_column_int64(s, 1) != 0;
    run->quality = sqlite3_column_double(s, 2);
    run->train_quality = sqlite3_column_type(s, 3) == SQLITE_NULL ? NAN : sqlite3_column_double(s, 3);
    run->n_train = sqlite3_column_int64(s, 4);
    run->n_test = sqlite3_column_int64(s, 5);
    run->seconds = sqlite3_column_double(s, 6);
    return run->quality_name != NULL ? DSE_OK : dse_fail_memory(err);
}

enum dse_status dse_study_run_find(struct dse_study *study, struct dse_study_run *run, bool *found, struct dse_error *err)
{
    sqlite3_stmt *statement = NULL;
    *found = false;
    pthread_mutex_lock(&study->lock);
    enum dse_status status = dse_study_prepare(study, &statement, err,
                                               "SELECT quality_name, higher_is_better, quality, train_quality, n_train, n_test, "
                                               "seconds FROM runs WHERE " KEY_OF_RUN, "tttttu", run->family, run->program,
                                               hash_of(run).text, run->setting, run->protocol, run->seed);
    if (status == DSE_OK)
        status = read_found(study, statement, run, found, err);
    sqlite3_finalize(statement);
    pthread_mutex_unlock(&study->lock);
    return status;
}

enum dse_status dse_study_run_keep(struct dse_study *study, const struct dse_study_run *run, struct dse_error *err)
{
    enum dse_status status = dse_study_begin_step(study, err);
    if (status != DSE_OK)
        return status;
    status = dse_study_do(study, err, "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                          "tttttutirriir", run->family, run->program, hash_of(run).text, run->setting, run->protocol,
                          run->seed, run->quality_name, (int64_t)run->higher_is_better, run->quality, run->train_quality,
                          run->n_train, run->n_test, run->seconds);
    return dse_study_end_step(study, status, err);
}

enum dse_status dse_study_workload_find(struct dse_study *study, const struct dse_study_run *key, char **xml,
                                        struct dse_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    *xml = NULL;
    pthread_mutex_lock(&study->lock);
    enum dse_status status = dse_study_prepare(study, &statement, err, "SELECT profile FROM workloads WHERE " KEY_OF_WORK,
                                               "ttttu", key->family, key->program, hash_of(key).text, key->setting, key->seed);
    if (status == DSE_OK)
        status = dse_study_step(study, statement, &row, err);
    if (status == DSE_OK && row) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        *xml = strdup(text != NULL ? text : "");
        status = *xml != NULL ? DSE_OK : dse_fail_memory(err);
    }
    sqlite3_finalize(statement);
    pthread_mutex_unlock(&study->lock);
    return status;
}

enum dse_status dse_study_workload_keep(struct dse_study *study, const struct dse_study_run *key, const char *xml,
                                        struct dse_error *err)
{
    enum dse_status status = dse_study_begin_step(study, err);
    if (status != DSE_OK)
        return status;
    status = dse_study_do(study, err, "INSERT OR REPLACE INTO workloads VALUES (?, ?, ?, ?, ?, ?)", "ttttut", key->family,
                          key->program, hash_of(key).text, key->setting, key->seed, xml);
    return dse_study_end_step(study, status, err);
}

enum dse_status dse_study_runs(struct dse_study *study, struct dse_study_run **out, size_t *count, struct dse_error *err)
{
    sqlite3_stmt *s = NULL;
    bool row = true;
    size_t capacity = 0;
    *out = NULL;
    *count = 0;
    enum dse_status status = dse_study_prepare(study, &s, err,
                                               "SELECT quality_name, higher_is_better, quality, train_quality, n_train, n_test, "
                                               "seconds, family, program, dataset_hash, setting, protocol, seed FROM runs "
                                               "ORDER BY family, program, dataset_hash, setting, protocol, seed", "");
    while (status == DSE_OK) {
        if (*count == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 64;
            struct dse_study_run *grown = realloc(*out, capacity * sizeof *grown);
            if (grown == NULL) {
                status = dse_fail_memory(err);
                break;
            }
            *out = grown;
        }
        struct dse_study_run *run = &(*out)[*count];
        *run = (struct dse_study_run){0};
        status = read_found(study, s, run, &row, err);
        if (status != DSE_OK || !row)
            break;
        const char *hash = dse_study_column(study, s, 9);
        run->family = dse_study_column(study, s, 7);
        run->program = dse_study_column(study, s, 8);
        run->dataset_hash = hash != NULL ? strtoull(hash, NULL, 16) : 0;
        run->setting = dse_study_column(study, s, 10);
        run->protocol = dse_study_column(study, s, 11);
        run->seed = (uint64_t)sqlite3_column_int64(s, 12);
        ++*count;
    }
    sqlite3_finalize(s);
    if (status != DSE_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}
