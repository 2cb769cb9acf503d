#include "executor/hydraf/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "executor/hydraf/hydraf.h"

void hydraf_model_free(struct dse_model *base)
{
    if (base == NULL)
        return;
    struct hydraf_model *model = (struct hydraf_model *)(void *)base;
    for (size_t i = 0; model->column != NULL && i < model->regressor.encoder.inputs; i++)
        free(model->column[i]);
    free(model->column);
    free(model->target);
    free(model->dataset);
    dse_setting_free(&model->words);
    hydraf_regressor_free(&model->regressor);
    dse_split_free(&model->split);
    free(model);
}

const char *hydraf_model_trained_on(const struct dse_model *base, uint64_t *hash)
{
    const struct hydraf_model *model = hydraf_model_of(base);
    *hash = model->dataset_hash;
    return model->dataset;
}

enum dse_status hydraf_model_describe(const struct dse_model *base, struct dse_setting *out, struct dse_error *err)
{
    return dse_setting_copy(&hydraf_model_of(base)->words, out, err);
}

enum dse_status hydraf_model_pack(const struct dse_model *base, const struct dse_setting *layout, struct dse_pack *out,
                                  struct dse_error *err)
{
    (void)base;
    (void)layout;
    *out = (struct dse_pack){0};
    return dse_fail(err, DSE_ANSWER_NO, "the family hydraf has no accelerator source that a model could be packed for");
}

/* The index of each of the model's columns by its name; false where one is not there. */
static bool by_names(const struct hydraf_model *model, const struct dse_data_table *table, size_t *inputs, size_t *target,
                     const char **missing)
{
    *missing = model->target;
    *target = dse_data_table_find(table, model->target);
    for (size_t i = 0; *target < table->columns && i < model->regressor.encoder.inputs; i++) {
        *missing = model->column[i];
        inputs[i] = dse_data_table_find(table, model->column[i]);
        if (inputs[i] == table->columns)
            return false;
    }
    return *target < table->columns;
}

enum dse_status hydraf_model_columns(const struct hydraf_model *model, const struct dse_data_table *table,
                                     size_t **inputs, size_t *target, struct dse_error *err)
{
    size_t count = model->regressor.encoder.inputs;
    const char *missing = NULL;
    *inputs = malloc((count + 1) * sizeof **inputs);
    if (*inputs == NULL)
        return dse_fail_memory(err);
    if (by_names(model, table, *inputs, target, &missing))
        return DSE_OK;
    bool places = !table->header || strcmp(model->target, "column 1") == 0 || strncmp(model->column[0], "column ", 7) == 0;
    if (places && table->columns == count + 1) {
        *target = model->target_column;
        for (size_t i = 0; i < count; i++)
            (*inputs)[i] = i + (i >= model->target_column);
        return DSE_OK;
    }
    free(*inputs);
    *inputs = NULL;
    return dse_fail(err, DSE_BAD_USAGE, "%s: has no column \"%.100s\" (of %zu columns), which the model, trained on %s, reads",
                    table->name, missing, table->columns, model->dataset);
}

enum dse_status hydraf_model_rows(const struct hydraf_model *model, const struct dse_dataset *data, size_t **rows,
                                  size_t *count, struct dse_error *err)
{
    bool own = data->hash == model->dataset_hash;
    *count = own ? model->split.n_test : dse_dataset_table(data)->rows;
    *rows = malloc((*count + 1) * sizeof **rows);
    if (*rows == NULL)
        return dse_fail_memory(err);
    for (size_t i = 0; i < *count; i++) {
        (*rows)[i] = own ? (size_t)model->split.test[i] : i;
        if ((*rows)[i] >= dse_dataset_table(data)->rows) {
            free(*rows);
            *rows = NULL;
            return dse_fail(err, DSE_BAD_USAGE, "%s has %zu rows, the model tests row %zu", data->name, dse_dataset_table(data)->rows,
                            own ? (size_t)model->split.test[i] : i);
        }
    }
    return DSE_OK;
}

double hydraf_quality(const struct hydraf_regressor *regressor, const double *target, const double *estimate,
                      size_t count, struct dse_figure figures[DSE_FIGURES], size_t *figure_count)
{
    double mean = 0.0, squares = 0.0, errors = 0.0, absolute = 0.0;
    for (size_t i = 0; i < count; i++) {
        double delta = target[i] - mean, error = target[i] - estimate[i];
        mean += delta / (double)(i + 1);
        squares += delta * (target[i] - mean);
        errors += error * error;
        absolute += fabs(error);
    }
    double n = count > 0 ? (double)count : 1.0, mse = errors / n;
    const struct dse_figure all[] = {
        {"mse", mse},
        {"rmse", sqrt(mse)},
        {"mae", absolute / n},
        {"r2", squares > 0.0 ? 1.0 - errors / squares : 0.0},
    };
    *figure_count = sizeof all / sizeof *all;
    memcpy(figures, all, sizeof all);
    if (regressor->target_range > 0.0)
        return 1.0 - sqrt(mse) / regressor->target_range;
    return mse > 0.0 ? 0.0 : 1.0;
}
