/* Reading the model file: every array's type, shape and content is checked, against the others too, before anything
 * computes with it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "executor/hydraf/hydraf.h"
#include "executor/hydraf/model.h"
#include "executor/model_file.h"

#define MAX_META 20000000 /* bounds of what is read at all, well above any real model */
#define MAX_ITEMS ((size_t)1 << 28)

static enum dse_status read_columns(struct dse_npz *file, json_t *meta, struct hydraf_model *model, struct dse_error *err)
{
    json_t *columns = json_object_get(meta, "columns");
    const char *target = json_string_value(json_object_get(meta, "target"));
    json_int_t place = json_integer_value(json_object_get(meta, "target_column"));
    size_t count = json_array_size(columns);
    if (count == 0 || count > HYDRAF_FEATURES_MOST || target == NULL)
        return dse_npz_wrong(file, "meta", "has no columns, too many, or no target", err);
    if (!json_is_integer(json_object_get(meta, "target_column")) || place < 0 || (size_t)place > count)
        return dse_npz_wrong(file, "meta", "target_column is no place among the columns", err);
    model->target_column = (size_t)place;
    model->target = strdup(target);
    model->column = calloc(count, sizeof *model->column);
    if (model->target == NULL || model->column == NULL)
        return dse_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        if (name == NULL)
            return dse_npz_wrong(file, "meta", "a column's name is no text", err);
        if ((model->column[i] = strdup(name)) == NULL)
            return dse_fail_memory(err);
        model->regressor.encoder.inputs = i + 1;
    }
    return DSE_OK;
}

/* A whole number of the description in 0 … most. */
static enum dse_status read_count(struct dse_npz *file, json_t *meta, const char *name, json_int_t most, json_int_t *out,
                                  struct dse_error *err)
{
    json_t *value = json_object_get(meta, name);
    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= 0 && *out <= most
               ? DSE_OK : dse_fail(err, DSE_BAD_INPUT, "%s: meta: %s must be a whole number of 0 to %lld", dse_npz_path(file),
                                   name, (long long)most);
}

static enum dse_status read_counts(struct dse_npz *file, json_t *meta, struct hydraf_model *model, struct dse_error *err)
{
    json_int_t seed = 0, epochs = 0, shift = 0;
    DSE_TRY(read_count(file, meta, "seed", INT64_MAX, &seed, err));
    DSE_TRY(read_count(file, meta, "epochs", 10000, &epochs, err));
    DSE_TRY(read_count(file, meta, "shift", 24, &shift, err));
    model->seed = (uint64_t)seed;
    model->epochs = (size_t)epochs;
    model->regressor.encoder.shift = (int)shift;
    return DSE_OK;
}

static enum dse_status read_meta(struct dse_npz *file, struct hydraf_model *model, struct dse_error *err)
{
    json_t *meta;
    struct dse_error inner = {0};
    enum dse_status status = dse_model_file_read_meta(file, "hydraf", MAX_META, &meta, &model->dataset,
                                                      &model->dataset_hash, &model->words, err);
    if (status == DSE_OK && hydraf_setting_parse(&model->words, &model->regressor.setting, &inner) != DSE_OK)
        status = dse_npz_wrong(file, "meta", inner.message, err);
    if (status == DSE_OK)
        status = read_columns(file, meta, model, err);
    if (status == DSE_OK)
        status = read_counts(file, meta, model, err);
    json_decref(meta);
    return status;
}

static enum dse_status read_encoder(struct dse_npz *file, struct hydraf_model *model, struct dse_error *err)
{
    struct hydraf_encoder *encoder = &model->regressor.encoder;
    void *mean = NULL, *scale = NULL, *base = NULL;
    size_t inputs = encoder->inputs, shape[2];
    encoder->precision = model->regressor.setting.precision;
    encoder->dim = model->regressor.setting.dim;
    encoder->features = inputs + model->regressor.setting.bias;
    shape[0] = encoder->features;
    shape[1] = encoder->dim;
    enum dse_status status = dse_npz_read(file, "feature_mean", "<f8", 8, 1, &inputs, MAX_ITEMS, &mean, err);
    encoder->mean = mean;
    if (status == DSE_OK)
        status = dse_npz_read(file, "feature_scale", "<f8", 8, 1, &inputs, MAX_ITEMS, &scale, err);
    encoder->scale = scale;
    for (size_t i = 0; status == DSE_OK && i < inputs; i++)
        if (encoder->scale[i] < 0.0)
            status = dse_npz_wrong(file, "feature_scale", "must be 0 or more", err);
    if (status == DSE_OK)
        status = dse_npz_read(file, "base", "|u1", 1, 2, shape, MAX_ITEMS, &base, err);
    if (status != DSE_OK)
        return status;
    uint8_t *bits = base;
    for (size_t i = 0; i < shape[0] * shape[1]; i++)
        if (bits[i] > 1) {
            free(base);
            return dse_npz_wrong(file, "base", "an element is not 0 or 1", err);
        }
    return hydraf_encoder_base(encoder, bits, 0, err);
}

static double element_of(const void *elements, enum hydraf_precision precision, size_t i)
{
    return precision == HYDRAF_FP32    ? (double)((const float *)elements)[i]
           : precision == HYDRAF_INT16 ? (double)((const int16_t *)elements)[i]
                                       : (double)((const int8_t *)elements)[i];
}

static enum dse_status read_block(struct dse_npz *file, const char *name, const struct hydraf_setting *setting,
                                  struct hydraf_block *out, struct dse_error *err)
{
    static const char *const types[] = {"<f4", "<i2", "|i1"};
    static const size_t bytes[] = {4, 2, 1};
    size_t shape[2] = {setting->clusters, setting->dim};
    void *elements = NULL;
    double most = hydraf_most(setting->precision);
    enum dse_status status = dse_npz_read(file, name, types[setting->precision], bytes[setting->precision], 2, shape,
                                          MAX_ITEMS, &elements, err);
    if (status == DSE_OK)
        status = hydraf_block_alloc(setting->precision, shape[1], shape[0], out, err);
    for (size_t k = 0; status == DSE_OK && k < shape[0]; k++)
        for (size_t i = 0; status == DSE_OK && i < shape[1]; i++) {
            double element = element_of(elements, setting->precision, k * shape[1] + i);
            if (most > 0.0 && fabs(element) > most)
                status = dse_npz_wrong(file, name, "an element lies outside of its symmetric range", err);
            else
                hydraf_block_put(out, k, i, element);
        }
    free(elements);
    return status;
}

static enum dse_status read_number(struct dse_npz *file, const char *name, bool positive, double *out,
                                   struct dse_error *err)
{
    void *value = NULL;
    enum dse_status status = dse_npz_read(file, name, "<f8", 8, 0, NULL, 1, &value, err);
    if (status == DSE_OK)
        memcpy(out, value, sizeof *out);
    free(value);
    if (status == DSE_OK && positive && !(*out > 0.0))
        return dse_npz_wrong(file, name, "must be more than 0", err);
    if (status == DSE_OK && *out < 0.0 && strcmp(name, "target_mean") != 0)
        return dse_npz_wrong(file, name, "must be 0 or more", err);
    return status;
}

/* A step of whole elements is a power of two, that of real ones 1. */
static enum dse_status read_step(struct dse_npz *file, const char *name, struct hydraf_block *block, struct dse_error *err)
{
    int exponent;
    DSE_TRY(read_number(file, name, true, &block->step, err));
    bool good = block->precision == HYDRAF_FP32 ? block->step == 1.0
                                                : frexp(block->step, &exponent) == 0.5 && abs(exponent) < 200;
    return good ? DSE_OK : dse_npz_wrong(file, name, "must be a power of two (1 for fp32)", err);
}

static enum dse_status read_regressor(struct dse_npz *file, struct hydraf_model *model, struct dse_error *err)
{
    struct hydraf_regressor *r = &model->regressor;
    const struct {
        const char *name;
        bool positive;
        double *out;
    } numbers[] = {{"beta", false, &r->beta},
                   {"energy", true, &r->energy},
                   {"target_mean", false, &r->target_mean},
                   {"target_scale", true, &r->target_scale},
                   {"target_range", false, &r->target_range}};
    DSE_TRY(read_block(file, "clusters", &r->setting, &r->clusters, err));
    DSE_TRY(read_step(file, "cluster_step", &r->clusters, err));
    DSE_TRY(read_block(file, "models", &r->setting, &r->models, err));
    DSE_TRY(read_step(file, "model_step", &r->models, err));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        DSE_TRY(read_number(file, numbers[i].name, numbers[i].positive, numbers[i].out, err));
    return DSE_OK;
}

static enum dse_status read_split(struct dse_npz *file, struct hydraf_model *model, struct dse_error *err)
{
    return dse_model_file_read_split(file, "row", &model->split, err);
}

/* Closes the file. */
static enum dse_status load(struct dse_npz *file, struct dse_model **out, struct dse_error *err)
{
    enum dse_status (*const parts[])(struct dse_npz *, struct hydraf_model *, struct dse_error *) = {
        read_meta, read_encoder, read_regressor, read_split};
    struct hydraf_model *model = calloc(1, sizeof *model);
    enum dse_status status = model == NULL ? dse_fail_memory(err) : DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < sizeof parts / sizeof *parts; i++)
        status = parts[i](file, model, err);
    dse_npz_close(file);
    if (status != DSE_OK) {
        hydraf_model_free(model != NULL ? &model->base : NULL);
        return status;
    }
    model->base.executor = &hydraf_executor;
    *out = &model->base;
    return DSE_OK;
}

enum dse_status hydraf_model_load(const char *path, struct dse_model **out, struct dse_error *err)
{
    *out = NULL;
    struct dse_npz *file;
    DSE_TRY(dse_npz_open(path, &file, err));
    return load(file, out, err);
}

enum dse_status hydraf_model_load_memory(const void *bytes, size_t size, const char *name, struct dse_model **out,
                                         struct dse_error *err)
{
    *out = NULL;
    struct dse_npz *file;
    DSE_TRY(dse_npz_open_memory(bytes, size, name, &file, err));
    return load(file, out, err);
}
