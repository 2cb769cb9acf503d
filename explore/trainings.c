#include "explore/trainings.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/strbuf.h"
#include "core/version.h"
#include "executor/measure.h"


static enum dse_status open_data(struct dse_trainings *trials, struct dse_error *err)
{
    struct dse_error inner = {0};
    if (trials->data != NULL)
        return DSE_OK;
    if (trials->executor == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: the family cannot measure settings", trials->profile->dataset);
    enum dse_status status = dse_dataset_open(trials->word, trials->data_dir, &trials->data, &inner);
    if (status == DSE_LIMIT || status == DSE_CANCELLED) /* the data set may exist */
        return dse_fail(err, status, "%s", inner.message);
    if (status != DSE_OK)
        return dse_fail(err, DSE_BAD_USAGE, "%s: settings must be measured, but the data set is missing (%s)", trials->profile->dataset, inner.message);
    trials->data->unstratified = dse_profile_unstratified(trials->profile);
    trials->metric = dse_profile_metric(trials->profile, trials->executor->quality_name);
    snprintf(trials->protocol, sizeof trials->protocol, "%s%s%s", dse_dataset_split_title(trials->data), trials->metric != NULL ? ", by " : "",
             trials->metric != NULL ? trials->metric : "");
    if (trials->data->hash == trials->hash)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_USAGE, "%s: the data found has the hash %016" PRIx64 ", but the profile was measured on %016"
                    PRIx64, trials->word, trials->data->hash, trials->hash);
}

void dse_trainings_close(struct dse_trainings *trials)
{
    if (trials->data != NULL)
        dse_dataset_free(trials->data);
    free(trials->word);
    trials->data = NULL;
    trials->word = NULL;
}

enum dse_status dse_trainings_setting(struct dse_trainings *trials, const struct dse_space *space,
                                   const struct dse_config *config, struct dse_setting *out, struct dse_error *err)
{
    struct dse_setting changes DSE_CLEANUP(dse_setting_free) = {0};
    DSE_TRY(open_data(trials, err));
    dse_config_setting(space, config, dse_space_of_kind(space, DSE_KNOB_ALGORITHMIC), &changes);
    return dse_executor_setting(trials->executor, NULL, trials->data, &changes, true, out, err);
}

/* ---- keys ---- */

static void write_setting(const struct dse_setting *setting, struct dse_strbuf *out)
{
    for (size_t i = 0; i < setting->count; i++)
        dse_strbuf_printf(out, "%s%s=%s", i > 0 ? " " : "", setting->pairs[i].name, setting->pairs[i].value);
}

static struct dse_study_run key_of(const struct dse_trainings *trials, const char *setting, size_t seed)
{
    return (struct dse_study_run){.family = trials->executor->family, .program = DSE_VERSION,
                                  .dataset_hash = trials->data->hash, .setting = setting, .protocol = trials->protocol,
                                  .seed = trials->first_seed + seed};
}

/* ---- tasks ---- */

struct tasks {
    struct dse_trainings *trials;
    const struct dse_setting *settings;
    size_t count;
    struct dse_monitor quiet; /* receives Ctrl-C and the deadline; silent */
    struct dse_workload *workloads; /* [count] */
    bool *possible;                 /* [count] */
    struct dse_training *runs;      /* [count × seeds] */
    bool *done;                     /* [count × seeds] */
    atomic_size_t made, found;
};

static bool heard(void *user)
{
    const struct dse_trainings *trials = user;
    return dse_monitor_cancelled(trials->monitor) || dse_clock_s() >= trials->deadline_s;
}

static struct dse_job job_of(const struct dse_trainings *trials, const struct dse_setting *setting, uint64_t seed)
{
    return (struct dse_job){.executor = trials->executor, .data = trials->data, .word = trials->word, .data_dir = trials->data_dir,
                               .setting = setting, .run = {.seed = seed, .jobs = 1, .metric = trials->metric}};
}

static enum dse_status measure_workload(struct tasks *tasks, size_t index, size_t thread, const struct dse_study_run *key,
                                        struct dse_error *err)
{
    const struct dse_trainings *trials = tasks->trials;
    struct dse_job job = job_of(trials, &tasks->settings[index], trials->first_seed);
    struct dse_job_result result = {0};
    struct dse_error why;
    tasks->possible[index] = dse_executor_serves(trials->executor, trials->data, &tasks->settings[index], dse_run_trained(trials->data, &job.run), &why);
    if (!tasks->possible[index])
        return DSE_OK;
    job.workload = true;
    job.run.monitor = trials->monitor;
    DSE_TRY(dse_crew_do(&trials->crew, thread, &job, &result, err));
    tasks->workloads[index] = result.workload;
    return trials->study != NULL ? dse_study_workload_keep(trials->study, key, &result.workload, err) : DSE_OK;
}

static enum dse_status work_task(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct tasks *tasks = user;
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    bool found = false;
    if (dse_profile_workload(tasks->trials->profile, &tasks->settings[index]) != NULL) {
        tasks->possible[index] = true;
        return DSE_OK;
    }
    write_setting(&tasks->settings[index], &text);
    struct dse_study_run key = key_of(tasks->trials, dse_strbuf_text(&text), 0);
    if (tasks->trials->study != NULL)
        DSE_TRY(dse_study_workload_find(tasks->trials->study, &key, &tasks->workloads[index], &found, err));
    tasks->possible[index] = found;
    return found ? DSE_OK : measure_workload(tasks, index, thread, &key, err);
}

static enum dse_status train(struct tasks *tasks, size_t index, size_t thread, struct dse_study_run *key, struct dse_error *err)
{
    const struct dse_trainings *trials = tasks->trials;
    struct dse_job job = job_of(trials, &tasks->settings[index / trials->seeds], key->seed);
    struct dse_job_result done = {0};
    job.run.monitor = &tasks->quiet;
    DSE_TRY(dse_crew_do(&trials->crew, thread, &job, &done, err));
    const struct dse_training *result = &done.training;
    tasks->runs[index] = done.training;
    atomic_fetch_add(&tasks->made, 1);
    key->quality_name = result->quality_name;
    key->higher_is_better = result->higher_is_better;
    key->quality = result->quality;
    key->train_quality = result->train_quality;
    key->n_train = (int64_t)result->n_train;
    key->n_test = (int64_t)result->n_test;
    key->seconds = result->seconds;
    return trials->study != NULL ? dse_study_run_keep(trials->study, key, err) : DSE_OK;
}

static enum dse_status find_or_train(struct tasks *tasks, size_t index, size_t thread, struct dse_error *err)
{
    const struct dse_trainings *trials = tasks->trials;
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    bool found = false;
    write_setting(&tasks->settings[index / trials->seeds], &text);
    struct dse_study_run key = key_of(trials, dse_strbuf_text(&text), index % trials->seeds);
    if (trials->study != NULL)
        DSE_TRY(dse_study_run_find(trials->study, &key, &found, err));
    if (found) {
        tasks->runs[index] = (struct dse_training){.quality_name = trials->metric != NULL ? trials->metric : trials->executor->quality_name,
                                                   .higher_is_better = key.higher_is_better, .quality = key.quality};
        atomic_fetch_add(&tasks->found, 1);
    } else {
        DSE_TRY(train(tasks, index, thread, &key, err));
    }
    tasks->done[index] = true;
    return DSE_OK;
}

static enum dse_status quality_task(void *user, size_t index, size_t thread, struct dse_error *err)
{
    struct tasks *tasks = user;
    const struct dse_trainings *trials = tasks->trials;
    enum dse_status status = find_or_train(tasks, index, thread, err);
    size_t before = trials->trainings + trials->found;
    dse_monitor_progress(trials->monitor, "trainings", before + atomic_load(&tasks->made) + atomic_load(&tasks->found),
                         trials->total);
    return status;
}

/* ---- results ---- */

static enum dse_status keep_quality(struct tasks *tasks, size_t index, double *quality, struct dse_error *err)
{
    const struct dse_trainings *trials = tasks->trials;
    char protocol[128];
    struct dse_measured measured;
    dse_measured_summarise(trials->executor, tasks->runs + index * trials->seeds, trials->seeds, &measured);
    dse_dataset_protocol(trials->data, trials->first_seed, trials->seeds, protocol, sizeof protocol);
    struct dse_quality kept = {.setting = tasks->settings[index], .name = (char *)(uintptr_t)measured.name,
                               .higher_is_better = measured.higher_is_better, .mean = measured.mean,
                               .std = measured.std, .n = (int64_t)measured.n, .protocol = protocol};
    *quality = measured.mean;
    return dse_profile_add_quality(trials->profile, &kept, err);
}

/* Stores qualities of settings whose training runs are complete. */
static enum dse_status keep_qualities(struct tasks *tasks, double *quality, struct dse_error *err)
{
    size_t seeds = tasks->trials->seeds;
    for (size_t i = 0; i < tasks->count; i++) {
        bool whole = true;
        for (size_t s = 0; s < seeds; s++)
            whole &= tasks->done[i * seeds + s];
        if (whole)
            DSE_TRY(keep_quality(tasks, i, &quality[i], err));
    }
    return DSE_OK;
}

static void free_tasks(struct tasks *tasks)
{
    for (size_t i = 0; tasks->workloads != NULL && i < tasks->count; i++)
        dse_workload_clear(&tasks->workloads[i]);
    free(tasks->workloads);
    free(tasks->runs);
    free(tasks->done);
}

enum dse_status dse_trainings_work(struct dse_trainings *trials, const struct dse_setting *settings, size_t count, bool *possible,
                                struct dse_error *err)
{
    struct tasks tasks DSE_CLEANUP(free_tasks) = {.trials = trials, .settings = settings, .count = count, .possible = possible,
                                                  .workloads = dse_calloc(count + 1, sizeof *tasks.workloads)};
    DSE_TRY(open_data(trials, err));
    DSE_TRY(dse_parallel_for(count, dse_crew_size(&trials->crew), work_task, &tasks, trials->monitor, err));
    /* Parameters that do not shape the workload give equal workloads: keeps the first. */
    for (size_t i = 0; i < count; i++)
        if (possible[i] && dse_profile_workload(trials->profile, &settings[i]) == NULL)
            DSE_TRY(dse_profile_take_workload(trials->profile, &tasks.workloads[i], err));
    return DSE_OK;
}

enum dse_status dse_trainings_quality(struct dse_trainings *trials, const struct dse_setting *settings, size_t count,
                                   double *quality, bool *ended, struct dse_error *err)
{
    size_t total = count * trials->seeds;
    struct tasks tasks DSE_CLEANUP(free_tasks) = {.trials = trials, .settings = settings, .count = count,
                                                  .quiet = {.cancelled = heard, .user = trials},
                                                  .runs = dse_calloc(total + 1, sizeof *tasks.runs),
                                                  .done = dse_calloc(total + 1, sizeof *tasks.done)};
    DSE_TRY(open_data(trials, err));
    enum dse_status status = dse_parallel_for(total, dse_crew_size(&trials->crew), quality_task, &tasks, &tasks.quiet, err);
    *ended = status == DSE_CANCELLED && !dse_monitor_cancelled(trials->monitor) && dse_clock_s() >= trials->deadline_s;
    trials->trainings += atomic_load(&tasks.made);
    trials->found += atomic_load(&tasks.found);
    return status == DSE_OK || *ended ? keep_qualities(&tasks, quality, err) : status;
}
