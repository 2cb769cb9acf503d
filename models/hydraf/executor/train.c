/* Training: checks of the table, and learning (fit.c). */
#include "core/memory.h"
#include "models/hydraf/executor/model.h"

#define STORED_MOST ((size_t)256 << 20) /* bytes of encoded rows that are kept; larger sets are encoded in every epoch */

static void name_columns(struct hydraf_model *model, const struct dse_data_table *table)
{
    size_t inputs = 0;
    model->column = dse_calloc(table->columns, sizeof *model->column);
    model->target = dse_strdup(table->column[table->target]);
    model->target_column = table->target;
    for (size_t c = 0; c < table->columns; c++) {
        if (c == table->target)
            continue;
        model->column[inputs] = dse_strdup(table->column[c]);
        model->regressor.encoder.inputs = ++inputs;
    }
}

/* Columns are found by name, so names must be unique. */
static enum dse_status check_names(const struct dse_data_table *table, struct dse_error *err)
{
    for (size_t c = 0; c < table->columns; c++)
        if (dse_data_table_find(table, table->column[c]) != c)
            return dse_fail(err, DSE_BAD_INPUT, "%s: two columns are called \"%.100s\"", table->name, table->column[c]);
    return DSE_OK;
}

enum dse_status hydraf_train(struct dse_model *base, const struct dse_dataset *data, const struct dse_run *run,
                             struct dse_training *result, struct dse_error *err)
{
    struct hydraf_model *model = (struct hydraf_model *)base;
    const struct dse_data_table *table = dse_dataset_table(data);
    DSE_TRY(hydraf_setting_parse(&base->words, &model->regressor.setting, err));
    DSE_TRY(check_names(table, err));
    name_columns(model, table);
    bool stored = base->split.n_train * model->regressor.setting.dim <= STORED_MOST / sizeof(double);
    DSE_TRY(hydraf_fit(model, table, stored, run->monitor, err));
    return dse_figure_put(result->figures, &result->figure_count, "epochs", (double)model->epochs, err);
}
