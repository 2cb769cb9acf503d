#include "explore/missing.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "explore/survey.h"
#include "executor/executor.h"

static bool is_there(const struct dse_workbench *bench, const struct dse_profile *profile, const struct dse_config *config)
{
    struct dse_error unseen;
    const struct dse_workload *work = NULL;
    return dse_profile_quality_of(bench->space, profile, config) != NULL &&
           dse_profile_work(bench->space, profile, config, &work, &unseen) == DSE_OK;
}

/* The --dataset that leads to the profile's data, otherwise its name. */
static const char *word_of(const struct dse_request *request, const struct dse_profile *profile)
{
    for (size_t i = 0; i < dse_request_count(request, "dataset"); i++) {
        const char *word = dse_request_word_at(request, "dataset", i);
        char *stem DSE_CLEANUP(dse_free_at) = dse_path_stem(word, ".zip");
        if (strcmp(stem, profile->dataset) == 0 && (strchr(word, '/') != NULL || dse_ends_in(word, ".zip")))
            return word;
    }
    return profile->dataset;
}

/* Parameters in which the configuration differs from the profile's preset, among those of the executor. */
static enum dse_status make_grid(const struct dse_workbench *bench, const struct dse_executor *executor,
                                 const struct dse_profile *profile, const struct dse_config *config, struct dse_grid *grid,
                                 struct dse_error *err)
{
    struct dse_setting setting DSE_CLEANUP(dse_setting_free) = {0};
    dse_knob_set algorithmic = dse_space_of_kind(bench->space, DSE_KNOB_ALGORITHMIC);
    dse_config_setting(bench->space, config, algorithmic, &setting);
    for (size_t i = 0; i < setting.count; i++) {
        const char *own = dse_setting_get(&profile->preset, setting.pairs[i].name);
        int knob = dse_space_find(bench->space, setting.pairs[i].name);
        if (own == NULL || strcmp(own, setting.pairs[i].value) == 0 || knob < 0 ||
            !dse_knob_active(bench->space, config, (size_t)knob) ||
            dse_knobs_trained(executor->knobs, setting.pairs[i].name) == NULL)
            continue;
        DSE_TRY(dse_grid_add(grid, setting.pairs[i].name, setting.pairs[i].value, err));
    }
    return DSE_OK;
}

static enum dse_status measure(const struct dse_request *request, struct dse_workbench *bench, size_t index,
                               const struct dse_executor *executor, const struct dse_config *config, struct dse_error *err)
{
    int64_t runs = 10;
    struct dse_profile *before = bench->profiles[index], *after = NULL;
    struct dse_dataset *data DSE_CLEANUP(dse_dataset_free_at) = NULL;
    struct dse_grid grid DSE_CLEANUP(dse_grid_free) = {0};
    DSE_TRY(dse_request_integer(request, "runs", 1, 1000, 10, &runs, err));
    DSE_TRY(dse_dataset_open(word_of(request, before), dse_request_word(request, "data-dir"), &data, err));
    data->unstratified = dse_profile_unstratified(before);
    DSE_TRY(make_grid(bench, executor, before, config, &grid, err));
    struct dse_survey what = {.executor = executor, .dataset = data, .grid = &grid,
                                   .seeds = (size_t)runs, .first_seed = request->seed, .jobs = request->jobs,
                                   .monitor = request->monitor, .command = before->command, .extend = before};
    DSE_TRY(dse_survey_profile(&what, &after, err));
    bench->profiles[index] = after;
    dse_profile_free(before);
    return DSE_OK;
}

enum dse_status dse_missing_fill(const struct dse_request *request, struct dse_workbench *bench, size_t index,
                                   const struct dse_config *config, struct dse_error *err)
{
    if (is_there(bench, bench->profiles[index], config))
        return DSE_OK;
    const struct dse_executor *executor = dse_executor_find(bench->family->name);
    if (executor == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "--measure: the family %s has no executor to measure with", bench->family->name);
    return measure(request, bench, index, executor, config, err);
}
