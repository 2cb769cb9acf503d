/* What the work of a table looks like: sizes alone, since no cycle hangs on the numbers. */
#include <stdlib.h>

#include "executor/hydraf/hydraf.h"
#include "executor/hydraf/model.h"
#include "executor/hydraf/streams.h"

/* The parameters that the series depend on. */
static enum dse_status put_key(const struct dse_setting *setting, struct dse_setting *key, struct dse_error *err)
{
    static const char *const names[] = {"bias", "epochs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        DSE_TRY(dse_setting_put(key, names[i], dse_setting_get(setting, names[i]), err));
    return DSE_OK;
}

static enum dse_status put_number(struct dse_workload *out, const char *name, size_t value, struct dse_error *err)
{
    double number = (double)value;
    return dse_workload_add_series(out, name, 1, 1, &number, err);
}

static enum dse_status put_work(const struct dse_setting *setting, size_t features, size_t samples, size_t iterations,
                                struct dse_workload *out, struct dse_error *err)
{
    DSE_TRY(put_key(setting, &out->setting, err));
    DSE_TRY(put_number(out, "features", features, err));
    DSE_TRY(put_number(out, "samples", samples, err));
    return put_number(out, "iterations", iterations, err);
}

/* The iterations are those that the setting allows: how many it takes hangs on what is learned. */
enum dse_status hydraf_profile(const struct dse_dataset *data, const struct dse_setting *setting,
                               const struct dse_run *run, struct dse_workload *out, struct dse_error *err)
{
    struct hydraf_setting parsed;
    struct dse_split split = {0};
    DSE_TRY(dse_executor_takes(&hydraf_executor, data, err));
    enum dse_status status = hydraf_setting_parse(setting, &parsed, err);
    if (status == DSE_OK)
        status = dse_executor_split(&hydraf_executor, data, run, &split, err);
    if (status == DSE_OK)
        status = put_work(setting, dse_dataset_table(data)->columns - 1 + parsed.bias, split.n_train, parsed.epochs, out, err);
    dse_split_free(&split);
    return status;
}

enum dse_status hydraf_model_work(const struct dse_model *base, const struct dse_workload *data,
                                  struct dse_workload *out, struct dse_error *err)
{
    const struct hydraf_model *model = hydraf_model_of(base);
    (void)data;
    return put_work(&model->base.words, model->regressor.encoder.features, model->base.split.n_train, model->regressor.setting.epochs,
                    out, err);
}
