/* Training runs and workloads measured for a study. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/memory.h"
#include "core/strbuf.h"
#include "search/study_store.h"

#define OF_RUN(type, member) DSE_COLUMN(type, dse_study_run, member)
#define KEY OF_RUN('t', family), OF_RUN('t', program), OF_RUN('h', dataset_hash), OF_RUN('t', setting)
#define FOUND                                                                                                                   \
    OF_RUN('t', quality_name), OF_RUN('b', higher_is_better), OF_RUN('r', quality), OF_RUN('r', train_quality), OF_RUN('i', n_train), \
        OF_RUN('i', n_test), OF_RUN('r', seconds)
static const struct dse_column run_key[] = {KEY, OF_RUN('t', protocol), OF_RUN('u', seed), {0}}, run_found[] = {FOUND, {0}},
                               run_columns[] = {KEY, OF_RUN('t', protocol), OF_RUN('u', seed), FOUND, {0}};

/* A workload has the key of a run, without protocol. */
struct stored_workload {
    struct dse_study_run key;
    const char *profile;
};
static const struct dse_column workload_key[] = {KEY, OF_RUN('u', seed), {0}}, workload_dataset[] = {OF_RUN('h', dataset_hash), {0}},
                               workload_found[] = {DSE_COLUMN('t', stored_workload, profile), {0}},
                               workload_columns[] = {KEY, OF_RUN('u', seed), DSE_COLUMN('t', stored_workload, profile), {0}};

enum dse_status dse_study_run_find(struct dse_study *study, struct dse_study_run *run, bool *found, struct dse_error *err)
{
    pthread_mutex_lock(&study->lock);
    struct dse_rows rows = dse_rows_select(study, err, "runs", run_found, run_key, run, "seed");
    *found = dse_rows_next(&rows);
    if (*found)
        dse_rows_take(&rows, run_found, run);
    enum dse_status status = dse_rows_close(&rows);
    pthread_mutex_unlock(&study->lock);
    return status;
}

/* A training run waiting to be stored, by whichever thread stores it. */
struct keeping {
    const struct dse_study_run *run;
    bool done;
    enum dse_status status;
    struct dse_error failure;
    struct keeping *next;
};

/* Stores all waiting runs in one transaction: a thousand ranks produce more results than a disk can write singly. Requires the lock. */
static void keep_waiting(struct dse_study *study)
{
    struct dse_error failure = {0};
    pthread_mutex_lock(&study->door);
    struct keeping *all = study->waiting;
    study->waiting = NULL;
    pthread_mutex_unlock(&study->door);
    enum dse_status status = dse_study_do(study, &failure, "BEGIN IMMEDIATE", "");
    for (struct keeping *one = all; one != NULL && status == DSE_OK; one = one->next)
        status = dse_study_put(study, "runs", run_columns, one->run, &failure);
    status = dse_study_commit(study, status, &failure);
    for (struct keeping *one = all, *next; one != NULL; one = next) {
        next = one->next;
        one->status = status;
        one->failure = failure;
        one->done = true;
    }
}

enum dse_status dse_study_run_keep(struct dse_study *study, const struct dse_study_run *run, struct dse_error *err)
{
    struct keeping own = {.run = run};
    pthread_mutex_lock(&study->door);
    own.next = study->waiting;
    study->waiting = &own;
    pthread_mutex_unlock(&study->door);
    pthread_mutex_lock(&study->lock);
    if (!own.done)
        keep_waiting(study);
    pthread_mutex_unlock(&study->lock);
    if (own.status != DSE_OK && err != NULL)
        *err = own.failure;
    return own.status;
}

/* ---- workloads, as a profile with nothing else ---- */

static enum dse_status read_workload(const struct dse_study *study, const char *xml, struct dse_workload *out,
                                     struct dse_error *err)
{
    return dse_workload_parse(xml, strlen(xml), study->path, out, err);
}

enum dse_status dse_study_workload_find(struct dse_study *study, const struct dse_study_run *key, struct dse_workload *out,
                                        bool *found, struct dse_error *err)
{
    pthread_mutex_lock(&study->lock);
    struct dse_rows rows = dse_rows_select(study, err, "workloads", workload_found, workload_key, key, "seed");
    *found = dse_rows_next(&rows);
    if (*found)
        rows.status = read_workload(study, dse_rows_peek(&rows), out, err);
    enum dse_status status = dse_rows_close(&rows);
    pthread_mutex_unlock(&study->lock);
    return status;
}

enum dse_status dse_study_workload_keep(struct dse_study *study, const struct dse_study_run *key,
                                        const struct dse_workload *workload, struct dse_error *err)
{
    struct dse_strbuf xml DSE_CLEANUP(dse_strbuf_free) = {0};
    DSE_TRY(dse_workload_format(workload, key->family, key->dataset_hash, key->program, key->setting, &xml, err));
    const struct stored_workload stored = {*key, dse_strbuf_text(&xml)};
    DSE_TRY(dse_study_begin_step(study, err));
    return dse_study_end_step(study, dse_study_put(study, "workloads", workload_columns, &stored, err), err);
}

enum dse_status dse_study_runs(struct dse_study *study, struct dse_study_run **out, size_t *count, struct dse_error *err)
{
    size_t capacity = 0;
    *out = NULL;
    *count = 0;
    struct dse_rows rows = dse_rows_select(study, err, "runs", run_columns, NULL, NULL, "family, program, dataset_hash, setting, protocol, seed");
    while (dse_rows_next(&rows)) {
        dse_list_room(out, &capacity, *count, sizeof **out);
        dse_rows_take(&rows, run_columns, &(*out)[(*count)++]);
    }
    enum dse_status status = dse_rows_close(&rows);
    if (status != DSE_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- additions to a profile ---- */

static enum dse_status extend_workloads(struct dse_study *study, struct dse_profile *profile, struct dse_error *err)
{
    struct dse_study_run key = {.dataset_hash = profile->dataset_hash};
    struct dse_rows rows = dse_rows_select(study, err, "workloads", workload_found, workload_dataset, &key, "family, program, setting, seed");
    while (dse_rows_next(&rows)) {
        struct dse_workload workload = {0};
        rows.status = read_workload(study, dse_rows_peek(&rows), &workload, err);
        if (rows.status == DSE_OK && dse_profile_workload(profile, &workload.setting) == NULL)
            rows.status = dse_profile_take_workload(profile, &workload, err);
        dse_workload_clear(&workload);
    }
    return dse_rows_close(&rows);
}

/* "dim=10000 hops=10" */
static void parse_setting(const char *text, struct dse_setting *out)
{
    while (*text != '\0') {
        char word[256];
        size_t length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        char *equals = strchr(word, '=');
        if (equals != NULL) {
            *equals = '\0';
            dse_setting_put(out, word, equals + 1);
        }
        text += length + (text[length] == ' ');
    }
}

static bool same_setting(const struct dse_study_run *a, const struct dse_study_run *b)
{
    return a->dataset_hash == b->dataset_hash && strcmp(a->family, b->family) == 0 &&
           strcmp(a->program, b->program) == 0 && strcmp(a->setting, b->setting) == 0 &&
           strcmp(a->protocol, b->protocol) == 0;
}

/* Number of runs from `first` on with the same setting. */
static size_t group_at(const struct dse_study_run *runs, size_t count, size_t first)
{
    size_t end = first + 1;
    while (end < count && same_setting(&runs[first], &runs[end]))
        end++;
    return end - first;
}

static enum dse_status extend_quality(const struct dse_study_run *runs, size_t count, struct dse_profile *profile,
                                      struct dse_error *err)
{
    char protocol[160];
    double mean = 0.0, squares = 0.0;
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    for (size_t i = 0; i < count; i++)
        mean += runs[i].quality / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (runs[i].quality - mean) * (runs[i].quality - mean);
    if (count > 1)
        snprintf(protocol, sizeof protocol, "%ss, seeds %" PRIu64 " to %" PRIu64, runs[0].protocol, runs[0].seed,
                 runs[count - 1].seed);
    else
        snprintf(protocol, sizeof protocol, "%s, seed %" PRIu64, runs[0].protocol, runs[0].seed);
    parse_setting(runs[0].setting, &setting);
    struct dse_quality quality = {.setting = setting, .name = (char *)(uintptr_t)runs[0].quality_name,
                                  .higher_is_better = runs[0].higher_is_better, .mean = mean,
                                  .std = count > 1 ? sqrt(squares / (double)(count - 1)) : 0.0, .n = (int64_t)count,
                                  .protocol = protocol};
    return dse_profile_quality(profile, &setting) == NULL ? dse_profile_add_quality(profile, &quality, err) : DSE_OK;
}

enum dse_status dse_study_extend(struct dse_study *study, struct dse_profile *profile, struct dse_error *err)
{
    struct dse_study_run *runs DSE_CLEANUP(dse_free_at) = NULL;
    size_t count = 0, most = 0, group = 0;
    DSE_TRY(extend_workloads(study, profile, err));
    DSE_TRY(dse_study_runs(study, &runs, &count, err));
    for (size_t i = 0; i < count; i += group) {
        group = group_at(runs, count, i);
        most = runs[i].dataset_hash == profile->dataset_hash && group > most ? group : most;
    }
    for (size_t i = 0; i < count; i += group) {
        group = group_at(runs, count, i);
        if (runs[i].dataset_hash == profile->dataset_hash && group == most)
            DSE_TRY(extend_quality(&runs[i], group, profile, err));
    }
    return DSE_OK;
}
