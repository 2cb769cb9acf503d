#include "explore/survey.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/version.h"
#include "datasets/dataset.h"
#include "search/profiled.h"

#define SETTINGS_MAX 10000

/* One setting of the grid with its measurements. */
struct point {
    struct dse_setting setting;
    struct dse_workload workload;
    struct dse_training *runs; /* [seeds] */
    atomic_size_t done;        /* tasks: the workload, and one of each seed */
};

/* Shared by the threads: every task has its own places. */
struct work {
    const struct dse_survey *what;
    struct point *points;
    size_t count;
    const char *metric;       /* NULL: the family's quality */
    struct dse_monitor quiet; /* receives Ctrl-C; silent, because progress is counted here */
    atomic_size_t done;
};

/* Setting `index` of the grid: the last axis varies fastest. */
static enum dse_status make_setting(const struct dse_survey *what, const struct dse_setting *preset, size_t index,
                                    struct dse_setting *out, struct dse_error *err)
{
    dse_setting_copy(preset, out);
    for (size_t i = what->grid->count; i > 0; i--) {
        const struct dse_axis *axis = &what->grid->axes[i - 1];
        DSE_TRY(dse_knobs_put(what->executor->knobs, axis->name, axis->values[index % axis->count], out, err));
        index /= axis->count;
    }
    return dse_knobs_trained_values(what->executor->knobs, out, NULL, err);
}

static bool find_point(const struct work *work, const struct dse_setting *setting)
{
    const struct dse_profile *before = work->what->extend;
    struct dse_setting mattering DSE_CLEANUP(dse_setting_free) = {0};
    bool found = false;
    dse_knobs_mattering(work->what->executor->knobs, setting, &mattering);
    for (size_t i = 0; before != NULL && i < before->quality_count && !found; i++)
        found = dse_setting_compare(&before->qualities[i].setting, &mattering) == 0;
    for (size_t i = 0; i < work->count && !found; i++)
        found = dse_setting_compare(&work->points[i].setting, setting) == 0;
    return found;
}

/* Adds a setting unless present; takes ownership. */
static void add_point(struct work *work, struct dse_setting *setting)
{
    if (find_point(work, setting))
        return;
    work->points[work->count++] =
        (struct point){.setting = *setting, .runs = dse_calloc(work->what->seeds + 1, sizeof(struct dse_training))};
    *setting = (struct dse_setting){0};
}

/* The grid's settings; if not among them, `from` that they vary, the published setting, and the reference of qualities. */
static enum dse_status make_points(struct work *work, const struct dse_setting *from, const struct dse_setting *published, struct dse_error *err)
{
    size_t size = dse_grid_size(work->what->grid);
    if (size > SETTINGS_MAX)
        return dse_fail(err, DSE_BAD_USAGE, "the lists give more than %d settings", SETTINGS_MAX);
    size_t all = size + (work->what->seeds > 0 ? 3 : 2);
    work->points = dse_calloc(all, sizeof *work->points);
    for (size_t i = 0; i < all; i++) {
        struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
        if (i < size)
            DSE_TRY(make_setting(work->what, from, i, &setting, err));
        else
            dse_setting_copy(i == size ? from : published, &setting);
        if (i > size + 1)
            dse_knobs_over(work->what->executor->knobs, DSE_REFERENCE, NULL, &setting);
        add_point(work, &setting);
    }
    return DSE_OK;
}

static void free_points(struct work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        dse_setting_free(&work->points[i].setting);
        dse_workload_clear(&work->points[i].workload);
        free(work->points[i].runs);
    }
    free(work->points);
}

static struct dse_run run_of(const struct work *work, size_t seed)
{
    return (struct dse_run){.seed = work->what->first_seed + seed, .jobs = 1, .monitor = &work->quiet, .metric = work->metric};
}

static enum dse_status measure_workload(const struct work *work, struct point *point, struct dse_error *err)
{
    struct dse_run run = run_of(work, 0);
    return work->what->executor->profile(work->what->dataset, &point->setting, &run, &point->workload, err);
}

static enum dse_status measure_quality(const struct work *work, struct point *point, size_t seed,
                                       struct dse_error *err)
{
    const struct dse_survey *what = work->what;
    struct dse_run run = run_of(work, seed);
    struct dse_model *model DSE_CLEANUP(dse_model_free_at) = NULL;
    return dse_train(what->executor, what->dataset, &point->setting, &run, &model, &point->runs[seed], err);
}

/* Task i: the workload of point i, or one training run of a point. */
static enum dse_status run_task(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)thread;
    struct work *work = user;
    size_t training = index - work->count, seeds = work->what->seeds;
    struct point *point = &work->points[index < work->count ? index : training / seeds];
    enum dse_status status = index < work->count ? measure_workload(work, point, err) : measure_quality(work, point, training % seeds, err);
    if (status == DSE_OK)
        atomic_fetch_add(&point->done, 1);
    dse_monitor_progress(work->what->monitor, "measuring", atomic_fetch_add(&work->done, 1) + 1,
                         work->count * (1 + seeds));
    return status;
}

/* Mean and sample deviation over the seeds. */
static struct dse_quality summarise(const struct point *point, size_t seeds)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < seeds; i++)
        sum += point->runs[i].quality;
    double mean = sum / (double)seeds;
    for (size_t i = 0; i < seeds; i++)
        squares += (point->runs[i].quality - mean) * (point->runs[i].quality - mean);
    return (struct dse_quality){.name = (char *)(uintptr_t)point->runs[0].quality_name,
                                .higher_is_better = point->runs[0].higher_is_better,
                                .mean = mean,
                                .std = seeds > 1 ? sqrt(squares / (double)(seeds - 1)) : 0,
                                .n = (int64_t)seeds};
}

static enum dse_status keep_quality(const struct work *work, const struct point *point, struct dse_profile *profile,
                                    struct dse_error *err)
{
    const struct dse_survey *what = work->what;
    char protocol[128];
    struct dse_quality quality = summarise(point, what->seeds);
    quality.protocol = dse_dataset_protocol(what->dataset, what->first_seed, what->seeds, protocol, sizeof protocol);
    struct dse_setting mattering DSE_CLEANUP(dse_setting_free) = {0};
    dse_knobs_mattering(what->executor->knobs, &point->setting, &mattering);
    quality.setting = mattering;
    return dse_profile_add_quality(profile, &quality, err);
}

/* Parameters that do not shape the workload give equal workloads: keeps the first. */
static enum dse_status keep_point(const struct work *work, struct point *point, struct dse_profile *profile,
                                  struct dse_error *err)
{
    if (dse_profile_workload(profile, &point->setting) == NULL)
        DSE_TRY(dse_profile_take_workload(profile, &point->workload, err));
    if (work->what->seeds > 0)
        DSE_TRY(keep_quality(work, point, profile, err));
    return DSE_OK;
}

static enum dse_status check_extended(const struct dse_survey *what, const struct dse_setting *preset,
                                      struct dse_error *err)
{
    const struct dse_profile *before = what->extend;
    if (strcmp(before->family, what->executor->family) != 0)
        return dse_fail(err, DSE_BAD_USAGE, "the profile to extend is of the family %s, not %s", before->family,
                        what->executor->family);
    if (before->dataset_hash != what->dataset->hash)
        return dse_fail(err, DSE_BAD_USAGE, "the profile to extend was measured on other data (hash %016llx, not %016llx)",
                        (unsigned long long)before->dataset_hash, (unsigned long long)what->dataset->hash);
    if (what->metric != NULL && before->quality_count > 0 && strcmp(before->qualities[0].name, what->metric) != 0)
        return dse_fail(err, DSE_BAD_USAGE, "--metric %s: the profile to extend has %s", what->metric, before->qualities[0].name);
    if (dse_setting_compare(&before->preset, preset) != 0)
        return dse_fail(err, DSE_BAD_USAGE, "the profile to extend has another preset: measure the data again");
    return DSE_OK;
}

static enum dse_status copy_measured(const struct dse_profile *before, struct dse_profile *profile,
                                     struct dse_error *err)
{
    struct dse_workload *copy = NULL;
    for (size_t i = 0; i < before->workload_count; i++) {
        DSE_TRY(dse_profile_add_workload(profile, &before->workloads[i].setting, &copy, err));
        DSE_TRY(dse_workload_put_all(copy, &before->workloads[i], err));
    }
    for (size_t i = 0; i < before->quality_count; i++)
        DSE_TRY(dse_profile_add_quality(profile, &before->qualities[i], err));
    return DSE_OK;
}

static enum dse_status fill(struct work *work, const struct dse_setting *preset, struct dse_profile *profile,
                            struct dse_error *err)
{
    dse_setting_copy(preset, &profile->preset);
    dse_dataset_facts(work->what->dataset, &profile->facts);
    if (work->what->extend != NULL)
        DSE_TRY(copy_measured(work->what->extend, profile, err));
    for (size_t i = 0; i < work->count; i++)
        if (atomic_load(&work->points[i].done) == 1 + work->what->seeds)
            DSE_TRY(keep_point(work, &work->points[i], profile, err));
    return DSE_OK;
}

static bool heard(void *user)
{
    return dse_monitor_cancelled(user);
}

/* Profile of the measured points; without points only the preset. */
static enum dse_status make_profile(struct work *work, const struct dse_setting *preset, struct dse_profile **out, struct dse_error *err)
{
    const struct dse_survey *what = work->what;
    *out = dse_profile_create(what->executor->family, what->dataset->name, what->dataset->hash, DSE_VERSION, what->command);
    enum dse_status status = fill(work, preset, *out, err);
    if (status != DSE_OK) {
        dse_profile_free(*out);
        *out = NULL;
    }
    return status;
}

enum dse_status dse_survey_profile(const struct dse_survey *what, struct dse_profile **out,
                                    struct dse_error *err)
{
    struct work work DSE_CLEANUP(free_points) = {.what = what,
                                                 .quiet = {.cancelled = heard, .user = (void *)(uintptr_t)what->monitor}};
    struct dse_setting published DSE_CLEANUP(dse_setting_free) = {0}, from DSE_CLEANUP(dse_setting_free) = {0};
    *out = NULL;
    if (what->preset == NULL && what->extend != NULL)
        dse_setting_copy(&what->extend->preset, &published);
    else
        DSE_TRY(dse_executor_preset(what->executor, NULL, what->dataset, 0, &published, err));
    if (what->preset != NULL)
        DSE_TRY(dse_executor_preset(what->executor, what->preset, what->dataset, 0, &from, err));
    else
        dse_setting_copy(&published, &from);
    if (what->extend != NULL)
        DSE_TRY(check_extended(what, &published, err));
    work.metric = what->metric == NULL && what->extend != NULL ? dse_profile_metric(what->extend, what->executor->quality_name) : what->metric;
    DSE_TRY(make_points(&work, &from, &published, err));
    enum dse_status status = dse_parallel_for(work.count * (1 + what->seeds), what->jobs, run_task, &work, what->monitor, err);
    size_t whole = 0;
    for (size_t i = 0; i < work.count; i++)
        whole += atomic_load(&work.points[i].done) == 1 + what->seeds;
    if (status != DSE_OK && (status != DSE_CANCELLED || what->partly == NULL || whole == 0))
        return status;
    if (what->partly != NULL)
        *what->partly = (struct dse_survey_part){whole, work.count};
    DSE_TRY(make_profile(&work, &published, out, err));
    return status;
}

enum dse_status dse_survey_nothing(const struct dse_survey *what, struct dse_profile **out, struct dse_error *err)
{
    struct work work = {.what = what};
    struct dse_setting preset DSE_CLEANUP(dse_setting_free) = {0};
    *out = NULL;
    DSE_TRY(dse_executor_preset(what->executor, what->preset, what->dataset, 0, &preset, err));
    return make_profile(&work, &preset, out, err);
}
