/* The workload of a table: only its sizes, because no cycle depends on the values. */
#include "models/hydraf/executor/model.h"

static enum dse_status put_work(const struct dse_setting *setting, size_t features, size_t samples, size_t iterations,
                                struct dse_workload *out, struct dse_error *err)
{
    const struct dse_series_value series[] = {DSE_SERIES_NUMBER("features", features), DSE_SERIES_NUMBER("samples", samples),
                                              DSE_SERIES_NUMBER("iterations", iterations)};
    dse_knobs_work_key(&hydraf_knobs, setting, &out->setting);
    return dse_workload_put(out, series, sizeof series / sizeof *series, err);
}

/* Iterations are the setting's maximum; the number that training takes depends on the data. */
enum dse_status hydraf_profile(const struct dse_dataset *data, const struct dse_setting *setting,
                               const struct dse_run *run, struct dse_workload *out, struct dse_error *err)
{
    struct hydraf_setting parsed;
    struct dse_split split = {0};
    DSE_TRY(dse_executor_takes(&hydraf_executor, data, err));
    DSE_TRY(hydraf_setting_parse(setting, &parsed, err));
    DSE_TRY(dse_executor_split(&hydraf_executor, data, run, &split, err));
    size_t samples = split.n_train;
    dse_split_free(&split);
    return put_work(setting, dse_dataset_table(data)->columns - 1 + parsed.bias, samples, parsed.epochs, out, err);
}

enum dse_status hydraf_model_work(const struct dse_model *base, const struct dse_workload *data,
                                  struct dse_workload *out, struct dse_error *err)
{
    const struct hydraf_regressor *regressor = &hydraf_model_of(base)->regressor;
    (void)data;
    return put_work(&base->words, regressor->encoder.features, base->split.n_train, regressor->setting.epochs, out, err);
}
