/* What the work of a table looks like: sizes alone, since no cycle hangs on the numbers. */
#include <stdlib.h>

#include "executor/hydraf/model.h"

/* The parameters that the series depend on. */
static enum dse_status put_key(const struct dse_setting *setting, struct dse_setting *key, struct dse_error *err)
{
    static const char *const names[] = {"bias", "epochs"};
    enum dse_status status = DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < sizeof names / sizeof *names; i++)
        status = dse_setting_put(key, names[i], dse_setting_get(setting, names[i]), err);
    return status;
}

static enum dse_status put_number(struct dse_workload *out, const char *name, size_t value, struct dse_error *err)
{
    double number = (double)value;
    return dse_workload_add_series(out, name, 1, 1, &number, err);
}

static enum dse_status put_work(const struct dse_setting *setting, size_t features, size_t samples, size_t iterations,
                                struct dse_workload *out, struct dse_error *err)
{
    enum dse_status status = put_key(setting, &out->setting, err);
    if (status == DSE_OK)
        status = put_number(out, "features", features, err);
    if (status == DSE_OK)
        status = put_number(out, "samples", samples, err);
    return status == DSE_OK ? put_number(out, "iterations", iterations, err) : status;
}

enum dse_status hydraf_profile(const struct dse_dataset *data, const struct dse_setting *setting,
                               const struct dse_run *run, struct dse_workload *out, struct dse_error *err)
{
    struct dse_model *model = NULL;
    struct dse_training training;
    enum dse_status status = hydraf_train(data, setting, run, &model, &training, err);
    if (status == DSE_OK)
        status = put_work(setting, hydraf_model_of(model)->regressor.encoder.features, training.n_train,
                          hydraf_model_of(model)->epochs, out, err);
    hydraf_model_free(model);
    return status;
}

enum dse_status hydraf_model_work(const struct dse_model *base, const struct dse_workload *data,
                                  struct dse_workload *out, struct dse_error *err)
{
    const struct hydraf_model *model = hydraf_model_of(base);
    (void)data;
    return put_work(&model->words, model->regressor.encoder.features, model->split.n_train, model->epochs, out, err);
}
