/* What training and inference share over all families: which items, the room for answers, and what they are worth. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "executor/executor.h"

enum dse_status dse_figure_put(struct dse_figure figures[DSE_FIGURES], size_t *count, const char *name, double value,
                               struct dse_error *err)
{
    if (*count == DSE_FIGURES)
        return dse_fail(err, DSE_LIMIT, "%s: more than %d figures", name, DSE_FIGURES);
    figures[(*count)++] = (struct dse_figure){name, value};
    return DSE_OK;
}

/* ---- inference ---- */

/* The items of a part of the model's own data, or of all of another set's. */
static enum dse_status choose_items(const struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                                    struct dse_inference *out, struct dse_error *err)
{
    const struct dse_split *split = &model->split;
    bool own = data->hash == model->dataset_hash;
    size_t there = dse_dataset_items(data);
    const int32_t *part = run->on_training ? split->train : split->test;
    out->count = !own ? there : run->on_training ? split->n_train : split->n_test;
    out->item = dse_malloc((out->count + 1) * sizeof *out->item);
    for (size_t i = 0; i < out->count; i++) {
        out->item[i] = own ? (size_t)part[i] : i;
        if (out->item[i] >= there)
            return dse_fail(err, DSE_BAD_USAGE, "%s has %zu %s, the model tests %s %zu", data->name, there, data->kind->items,
                            data->kind->item, out->item[i]);
    }
    return DSE_OK;
}

enum dse_status dse_inference_begin(const struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                                    enum dse_answers answers, struct dse_inference *out, struct dse_error *err)
{
    *out = (struct dse_inference){.n_train = model->split.n_train};
    DSE_TRY(dse_executor_takes(model->executor, data, err));
    enum dse_status status = choose_items(model, data, run, out, err);
    size_t room = out->count + 1;
    if (status == DSE_OK && answers == DSE_ANSWER_CLASSES) {
        out->label = dse_calloc(room, sizeof *out->label);
        out->predicted = dse_calloc(room, sizeof *out->predicted);
    } else if (status == DSE_OK && answers == DSE_ANSWER_RANKS) {
        out->rank = dse_calloc(2 * room, sizeof *out->rank);
    } else if (status == DSE_OK) {
        out->target = dse_calloc(room, sizeof *out->target);
        out->estimate = dse_calloc(room, sizeof *out->estimate);
    }
    if (status != DSE_OK)
        dse_inference_free(out);
    return status;
}

double dse_inference_accuracy(const struct dse_inference *inference)
{
    size_t right = 0;
    for (size_t i = 0; i < inference->count; i++)
        right += inference->predicted[i] == inference->label[i];
    return inference->count > 0 ? (double)right / (double)inference->count : 0.0;
}

void dse_inference_free(struct dse_inference *result)
{
    if (result == NULL)
        return;
    free(result->item);
    free(result->label);
    free(result->predicted);
    free(result->target);
    free(result->estimate);
    free(result->rank);
    free(result->hypervector);
    free(result->score);
    *result = (struct dse_inference){0};
}

/* ---- training ---- */

/* What the held-out part says, the figures of the training behind those of the inference; and what the training part does
 * where the training did not say it. */
static enum dse_status measure(const struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                               struct dse_training *result, struct dse_error *err)
{
    struct dse_inference held = {0};
    struct dse_training fitted = *result;
    DSE_TRY(model->executor->infer(model, data, run, &held, err));
    result->quality = held.quality;
    result->s_per_item = held.seconds / (double)held.count;
    memcpy(result->figures, held.figures, sizeof held.figures);
    result->figure_count = held.figure_count;
    dse_inference_free(&held);
    for (size_t i = 0; i < fitted.figure_count; i++)
        DSE_TRY(dse_figure_put(result->figures, &result->figure_count, fitted.figures[i].name, fitted.figures[i].value, err));
    if (!isnan(result->train_quality))
        return DSE_OK;
    struct dse_run again = *run;
    again.on_training = true;
    DSE_TRY(model->executor->infer(model, data, &again, &held, err));
    result->train_quality = held.quality;
    dse_inference_free(&held);
    return DSE_OK;
}

enum dse_status dse_train(const struct dse_executor *executor, const struct dse_dataset *data,
                          const struct dse_setting *setting, const struct dse_run *run, struct dse_model **out,
                          struct dse_training *result, struct dse_error *err)
{
    struct dse_model *model;
    *result = (struct dse_training){.quality_name = executor->quality_name, .higher_is_better = executor->higher_is_better,
                                    .train_quality = NAN};
    *out = NULL;
    double begin = dse_clock_s();
    DSE_TRY(dse_model_begin(executor, data, setting, run, &model, err));
    enum dse_status status = executor->fit(model, data, run, result, err);
    result->seconds = dse_clock_s() - begin;
    result->n_train = model->split.n_train;
    result->n_test = model->split.n_test;
    if (status == DSE_OK)
        status = measure(model, data, run, result, err);
    if (status == DSE_OK)
        *out = model;
    else
        dse_model_free(model);
    return status;
}
