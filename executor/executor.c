#include "executor/executor.h"

#include <string.h>

#include "core/memory.h"
#include "core/strbuf.h"

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
    struct dse_strbuf others DSE_CLEANUP(dse_strbuf_free) = {0};
    if (data->kind == executor->kind && data->content != NULL)
        return DSE_OK;
    for (const struct dse_executor *const *other = dse_executor_registry; *other != NULL; other++)
        if ((*other)->kind == data->kind)
            dse_strbuf_printf(&others, "%s--family %s", others.length > 0 ? " or " : "; such data are for ", (*other)->family);
    return dse_fail(err, DSE_BAD_USAGE, "%s: %s needs %s, and this is %s%s", data->name, executor->family, executor->kind->title,
                    data->kind->title, dse_strbuf_text(&others));
}

size_t dse_run_trained(const struct dse_dataset *data, const struct dse_run *run)
{
    return run->given != NULL ? run->given->n_train : dse_split_train_least(dse_dataset_items(data), run->folds);
}

/* The number of items that train, of the given number. */
static size_t items_trained(const struct dse_dataset *data, size_t trained)
{
    return trained > 0 ? trained : dse_split_train_least(dse_dataset_items(data), 0);
}

enum dse_status dse_executor_preset(const struct dse_executor *executor, const char *name, const struct dse_dataset *data,
                                    size_t trained, struct dse_setting *out, struct dse_error *err)
{
    *out = (struct dse_setting){0};
    DSE_TRY(dse_executor_takes(executor, data, err));
    name = name != NULL ? name : executor->knobs->presets[0];
    return executor->preset != NULL ? executor->preset(name, data, items_trained(data, trained), out, err)
                                    : dse_knobs_preset(executor->knobs, name, out, err);
}

bool dse_executor_serves(const struct dse_executor *executor, const struct dse_dataset *data,
                         const struct dse_setting *setting, size_t trained, struct dse_error *why)
{
    return executor->serves == NULL || executor->serves(data, setting, items_trained(data, trained), why);
}

enum dse_status dse_executor_work(const struct dse_executor *executor, const struct dse_model *model, const struct dse_workload *data,
                                  struct dse_workload *out, struct dse_error *err)
{
    if (executor->work != NULL)
        return executor->work(model, data, out, err);
    dse_setting_copy(&data->setting, &out->setting);
    return dse_workload_put_all(out, data, err);
}

#define INNER_STREAM 0x76616c0000000000u /* with the data's own split: of the validation part */

/* Some of an ascending list, evenly. */
static size_t thin(int32_t *items, size_t count, size_t most)
{
    for (size_t i = 0; i < most && most < count; i++)
        items[i] = items[i * count / most];
    return most < count ? most : count;
}

/* Every other item of the validation part judges; the rest stays validation. */
static void judge_by_validation(struct dse_split *split)
{
    size_t judging = split->n_validation / 2;
    for (size_t i = 0; i < judging; i++) {
        int32_t own = split->validation[2 * i], other = split->validation[2 * i + 1];
        split->test[i] = own;
        split->validation[i] = other;
    }
    if (split->n_validation % 2 == 1)
        split->validation[judging] = split->validation[2 * judging];
    split->n_test = judging;
    split->n_validation -= judging;
}

/* Splits the training part of a split again, or the validation part beside it. The held-out part of the split is dropped. */
static enum dse_status split_inside(const struct dse_executor *executor, const struct dse_dataset *data, const struct dse_run *run,
                                    struct dse_split *split, struct dse_error *err)
{
    const struct dse_draw draw = {.seed = run->seed, .stream = executor->split_stream ^ INNER_STREAM};
    const int32_t *classes = dse_dataset_strata(data);
    int32_t *own DSE_CLEANUP(dse_free_at) = classes != NULL ? dse_malloc((split->n_train + 1) * sizeof *own) : NULL;
    struct dse_split inner;
    if (split->n_validation > 1 && split->n_test >= split->n_validation / 2) {
        judge_by_validation(split);
        return DSE_OK;
    }
    if (split->n_train < 2)
        return dse_fail(err, DSE_BAD_INPUT, "settings are chosen by a split of the training part, which has %zu %s but needs at least two; the "
                        "data set needs at least three", split->n_train, split->n_train == 1 ? executor->kind->item : executor->kind->items);
    for (size_t i = 0; own != NULL && i < split->n_train; i++)
        own[i] = classes[split->train[i]];
    DSE_TRY(dse_split_draw(split->n_train, executor->kind->items, own, &draw, &inner, err));
    for (size_t i = 0; i < inner.n_train; i++)
        inner.train[i] = split->train[inner.train[i]];
    for (size_t i = 0; i < inner.n_test; i++)
        inner.test[i] = split->train[inner.test[i]];
    if (run->at_most > 0) {
        inner.n_train = thin(inner.train, inner.n_train, run->at_most);
        inner.n_test = thin(inner.test, inner.n_test, run->at_most / 2);
    }
    inner.validation = split->validation; /* the part that the kind set aside stays */
    inner.n_validation = split->n_validation;
    split->validation = NULL;
    dse_split_free(split);
    *split = inner;
    return DSE_OK;
}

enum dse_status dse_executor_split(const struct dse_executor *executor, const struct dse_dataset *data,
                                   const struct dse_run *run, struct dse_split *out, struct dse_error *err)
{
    const struct dse_draw draw = {.seed = run->seed, .stream = executor->split_stream, .folds = run->folds, .fold = run->fold,
                                  .given = run->given};
    DSE_TRY(dse_dataset_split(data, &draw, out, err));
    enum dse_status status = run->validation ? split_inside(executor, data, run, out, err) : DSE_OK;
    if (status != DSE_OK)
        dse_split_free(out);
    return status;
}

bool dse_executor_ranks(const char *family, const char *preset)
{
    const struct dse_executor *executor = dse_executor_find(family);
    return preset != NULL && executor != NULL && executor->ranks != NULL && strcmp(preset, executor->ranks) == 0;
}
