#include "executor/executor.h"

#include <string.h>

const struct dse_executor *const *dse_executors(size_t *count)
{
    for (*count = 0; dse_executor_registry[*count] != NULL; ++*count)
        ;
    return dse_executor_registry;
}

const struct dse_executor *dse_executor_find(const char *family)
{
    for (const struct dse_executor *const *executor = dse_executor_registry; *executor != NULL; executor++)
        if (strcmp((*executor)->family, family) == 0)
            return *executor;
    return NULL;
}

enum dse_status dse_executor_takes(const struct dse_executor *executor, const struct dse_dataset *data,
                                   struct dse_error *err)
{
    return data->kind == executor->kind && data->content != NULL
               ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "%s: %s needs %s, and this is %s", data->name, executor->family,
                                      executor->kind->title, data->kind->title);
}

enum dse_status dse_executor_preset(const struct dse_executor *executor, const char *name, const struct dse_dataset *data,
                                    size_t folds, struct dse_setting *out, struct dse_error *err)
{
    *out = (struct dse_setting){0};
    DSE_TRY(dse_executor_takes(executor, data, err));
    return executor->preset != NULL ? executor->preset(name, data, folds, out, err)
                                    : dse_knobs_preset(executor->knobs, name, out, err);
}

bool dse_executor_serves(const struct dse_executor *executor, const struct dse_dataset *data,
                         const struct dse_setting *setting, size_t folds, struct dse_error *why)
{
    return executor->serves == NULL || executor->serves(data, setting, folds, why);
}

enum dse_status dse_executor_split(const struct dse_executor *executor, const struct dse_dataset *data,
                                   const struct dse_run *run, struct dse_split *out, struct dse_error *err)
{
    const struct dse_draw draw = {.seed = run->seed, .stream = executor->split_stream, .folds = run->folds, .fold = run->fold};
    return dse_dataset_split(data, &draw, out, err);
}
