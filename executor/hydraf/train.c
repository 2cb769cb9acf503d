/* The `train` verb: the model's frame, learning, and what it is worth. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "executor/hydraf/hydraf.h"
#include "executor/hydraf/model.h"
#include "executor/hydraf/streams.h"

#define STORED_MOST ((size_t)256 << 20) /* bytes of encoded rows that are kept; more are encoded in every epoch */
#define VALUE_MOST 1e100 /* of a table */

static enum dse_status name_columns(struct hydraf_model *model, const struct dse_data_table *table, struct dse_error *err)
{
    size_t inputs = 0;
    model->column = calloc(table->columns, sizeof *model->column);
    model->target = strdup(table->column[table->target]);
    model->target_column = table->target;
    if (model->column == NULL || model->target == NULL)
        return dse_fail_memory(err);
    for (size_t c = 0; c < table->columns; c++) {
        if (c == table->target)
            continue;
        if ((model->column[inputs] = strdup(table->column[c])) == NULL)
            return dse_fail_memory(err);
        model->regressor.encoder.inputs = ++inputs;
    }
    return DSE_OK;
}

/* Columns are found again by name: two of one name could not be told apart. */
static enum dse_status check_names(const struct dse_data_table *table, struct dse_error *err)
{
    for (size_t c = 0; c < table->columns; c++)
        if (dse_data_table_find(table, table->column[c]) != c)
            return dse_fail(err, DSE_BAD_INPUT, "%s: two columns are called \"%.100s\"", table->name, table->column[c]);
    return DSE_OK;
}

/* Numbers whose squares would leave a double say nothing about each other any more. */
static enum dse_status check_sizes(const struct dse_data_table *table, struct dse_error *err)
{
    for (size_t i = 0; i < table->rows * table->columns; i++)
        if (fabs(table->values[i]) > VALUE_MOST)
            return dse_fail(err, DSE_BAD_INPUT, "%s: row %zu, column \"%.100s\": %g is beyond %g", table->name,
                            i / table->columns + 1, table->column[i % table->columns], table->values[i], VALUE_MOST);
    return DSE_OK;
}

static enum dse_status make_frame(const struct dse_dataset *data, const struct dse_setting *setting,
                                  const struct dse_run *run, struct hydraf_model *model, struct dse_error *err)
{
    DSE_TRY(dse_executor_takes(&hydraf_executor, data, err));
    DSE_TRY(hydraf_setting_parse(setting, &model->regressor.setting, err));
    DSE_TRY(check_names(dse_dataset_table(data), err));
    DSE_TRY(check_sizes(dse_dataset_table(data), err));
    DSE_TRY(dse_setting_copy(setting, &model->words, err));
    model->base.executor = &hydraf_executor;
    model->seed = run->seed;
    model->dataset_hash = data->hash;
    model->dataset = strdup(data->name);
    DSE_TRY(model->dataset != NULL ? name_columns(model, dse_dataset_table(data), err) : dse_fail_memory(err));
    return dse_executor_split(data, run, HYDRAF_STREAM_SPLIT, &model->split, err);
}

/* The quality over the training part; encodes and predicts a row at a time. */
static enum dse_status measure_training(const struct hydraf_model *model, const struct dse_data_table *table,
                                        double *quality, struct dse_error *err)
{
    struct hydraf_scratch scratch = {0};
    struct dse_figure figures[DSE_FIGURES];
    size_t *columns = NULL, target, count, n = model->split.n_train;
    double *values = malloc(2 * (n + 1) * sizeof *values);
    enum dse_status status = values != NULL ? hydraf_scratch_make(&model->regressor, 1, &scratch, err)
                                            : dse_fail_memory(err);
    if (status == DSE_OK)
        status = hydraf_model_columns(model, table, &columns, &target, err);
    for (size_t i = 0; status == DSE_OK && i < n; i++) {
        const double *row = table->values + (size_t)model->split.train[i] * table->columns;
        hydraf_encode_row(&model->regressor, row, columns, &scratch, 0);
        hydraf_predict(&model->regressor, &scratch, 1);
        values[i] = row[target];
        values[n + i] = hydraf_estimate(&model->regressor, scratch.estimate[0]);
    }
    if (status == DSE_OK)
        *quality = hydraf_quality(&model->regressor, values, values + n, n, figures, &count);
    hydraf_scratch_free(&scratch);
    free(columns);
    free(values);
    return status;
}

static enum dse_status measure(const struct hydraf_model *model, const struct dse_dataset *data,
                               const struct dse_run *run, struct dse_training *result, struct dse_error *err)
{
    struct dse_inference inference;
    enum dse_status status = hydraf_infer(&model->base, data, run, &inference, err);
    if (status != DSE_OK)
        return status;
    result->quality = inference.quality;
    result->s_per_graph = inference.seconds / (double)inference.count;
    result->figure_count = inference.figure_count;
    memcpy(result->figures, inference.figures, sizeof result->figures);
    result->figures[result->figure_count++] = (struct dse_figure){"epochs", (double)model->epochs};
    dse_inference_free(&inference);
    return measure_training(model, dse_dataset_table(data), &result->train_quality, err);
}

enum dse_status hydraf_train(const struct dse_dataset *data, const struct dse_setting *setting,
                             const struct dse_run *run, struct dse_model **out, struct dse_training *result,
                             struct dse_error *err)
{
    *out = NULL;
    struct hydraf_model *model = calloc(1, sizeof *model);
    if (model == NULL)
        return dse_fail_memory(err);
    *result = (struct dse_training){.quality_name = hydraf_executor.quality_name,
                                    .higher_is_better = hydraf_executor.higher_is_better};
    double begin = dse_clock_s();
    enum dse_status status = make_frame(data, setting, run, model, err);
    if (status == DSE_OK) {
        bool stored = model->split.n_train * model->regressor.setting.dim <= STORED_MOST / sizeof(double);
        status = hydraf_fit(model, dse_dataset_table(data), stored, run->monitor, err);
    }
    result->seconds = dse_clock_s() - begin;
    result->n_train = model->split.n_train;
    result->n_test = model->split.n_test;
    if (status == DSE_OK)
        status = measure(model, data, run, result, err);
    if (status == DSE_OK)
        *out = &model->base;
    else
        hydraf_model_free(&model->base);
    return status;
}
