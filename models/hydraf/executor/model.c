#include "models/hydraf/executor/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"


/* Finds each of the model's columns by name; false if one is missing. */
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
    *inputs = dse_malloc((count + 1) * sizeof **inputs);
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
                    table->name, missing, table->columns, model->base.dataset);
}

double hydraf_quality(const struct hydraf_regressor *regressor, const double *target, const double *estimate,
                      size_t count, struct dse_figure figures[DSE_FIGURES], size_t *figure_count, double *error)
{
    double mean = 0.0, squares = 0.0, errors = 0.0, absolute = 0.0;
    for (size_t i = 0; i < count; i++) {
        double delta = target[i] - mean, off = target[i] - estimate[i];
        mean += delta / (double)(i + 1);
        squares += delta * (target[i] - mean);
        errors += off * off;
        absolute += fabs(off);
    }
    double n = count > 0 ? (double)count : 1.0, mse = errors / n, mae = absolute / n;
    double constant = 0.0; /* errors of a constant prediction: the mean target */
    double of_mse = 0.0, of_mae = 0.0, of_r2 = 0.0; /* squared influences of the items */
    for (size_t i = 0; i < count; i++) {
        double far = target[i] - mean, off = target[i] - estimate[i];
        constant += fabs(far);
        of_mse += pow((off * off - mse) / n, 2.0);
        of_mae += pow((fabs(off) - mae) / n, 2.0);
        of_r2 += squares > 0.0 ? pow((off * off - far * far * errors / squares) / squares, 2.0) : 0.0;
    }
    double rmse = sqrt(mse), of_rmse = rmse > 0.0 ? sqrt(of_mse) / (2.0 * rmse) : 0.0;
    const struct dse_figure all[] = {
        {"mse", mse, sqrt(of_mse)},
        {"rmse", rmse, of_rmse},
        {"mae", mae, sqrt(of_mae)},
        {"r2", squares > 0.0 ? 1.0 - errors / squares : 0.0, sqrt(of_r2)},
        {"rmse_constant", sqrt(squares / n), NAN},
        {"mae_constant", constant / n, NAN},
    };
    *figure_count = sizeof all / sizeof *all;
    memcpy(figures, all, sizeof all);
    *error = regressor->target_range > 0.0 ? of_rmse / regressor->target_range : 0.0;
    if (regressor->target_range > 0.0)
        return 1.0 - rmse / regressor->target_range;
    return mse > 0.0 ? 0.0 : 1.0;
}
