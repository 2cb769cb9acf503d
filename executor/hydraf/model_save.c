/* Writing the model file. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/version.h"
#include "executor/hydraf/model.h"
#include "executor/npz.h"

static json_t *setting_object(const struct dse_setting *setting)
{
    json_t *object = json_object();
    for (size_t i = 0; i < setting->count; i++)
        json_object_set_new(object, setting->pairs[i].name, json_string(setting->pairs[i].value));
    return object;
}

static char *meta_text(const struct hydraf_model *model)
{
    const struct hydraf_encoder *encoder = &model->regressor.encoder;
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, model->dataset_hash);
    json_t *columns = json_array();
    for (size_t i = 0; i < encoder->inputs; i++)
        json_array_append_new(columns, json_string(model->column[i]));
    json_t *meta = json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:o, s:s, s:I, s:I, s:i, s:o}", "schema", "nysx-dse.model/1",
                             "family", "hydraf", "tool_version", DSE_VERSION, "dataset", model->dataset, "dataset_hash",
                             hash, "seed", (json_int_t)model->seed, "columns", columns, "target", model->target,
                             "target_column", (json_int_t)model->target_column, "epochs", (json_int_t)model->epochs,
                             "shift", encoder->shift, "setting", setting_object(&model->words));
    if (meta == NULL)
        return NULL;
    char *text = json_dumps(meta, JSON_ENSURE_ASCII | JSON_INDENT(1));
    json_decref(meta);
    return text;
}

/* K × D elements in the order of the file: a hypervector a row. */
static void add_block(struct dse_npz_writer *file, const char *name, const struct hydraf_block *block)
{
    static const char *const types[] = {"<f4", "<i2", "|i1"};
    static const size_t bytes[] = {4, 2, 1};
    size_t shape[2] = {block->count, block->dim}, size = bytes[block->precision];
    char *out = dse_npz_add(file, name, types[block->precision], size, 2, shape);
    for (size_t k = 0; out != NULL && k < block->count; k++)
        for (size_t i = 0; i < block->dim; i++, out += size) {
            double element = hydraf_block_get(block, k, i);
            float real = (float)element;
            int16_t whole = (int16_t)(block->precision == HYDRAF_FP32 ? 0.0 : element);
            int8_t small = (int8_t)whole;
            memcpy(out, block->precision == HYDRAF_FP32    ? (const void *)&real
                        : block->precision == HYDRAF_INT16 ? (const void *)&whole
                                                           : (const void *)&small, size);
        }
}

static void add_number(struct dse_npz_writer *file, const char *name, double value)
{
    dse_npz_add_copy(file, name, "<f8", 8, 0, NULL, &value);
}

static void add_indices(struct dse_npz_writer *file, const char *name, const int32_t *indices, size_t count)
{
    char *out = dse_npz_add(file, name, "<i8", 8, 1, &count);
    for (size_t i = 0; out != NULL && i < count; i++) {
        int64_t index = indices[i];
        memcpy(out + 8 * i, &index, sizeof index);
    }
}

static void add_all(struct dse_npz_writer *file, const struct hydraf_model *model)
{
    const struct hydraf_regressor *r = &model->regressor;
    size_t base[2] = {r->encoder.features, r->encoder.dim};
    dse_npz_add_copy(file, "base", "|u1", 1, 2, base, r->encoder.base);
    dse_npz_add_copy(file, "feature_mean", "<f8", 8, 1, &r->encoder.inputs, r->encoder.mean);
    dse_npz_add_copy(file, "feature_scale", "<f8", 8, 1, &r->encoder.inputs, r->encoder.scale);
    add_block(file, "clusters", &r->clusters);
    add_number(file, "cluster_step", r->clusters.step);
    add_block(file, "models", &r->models);
    add_number(file, "model_step", r->models.step);
    add_number(file, "beta", r->beta);
    add_number(file, "energy", r->energy);
    add_number(file, "target_mean", r->target_mean);
    add_number(file, "target_scale", r->target_scale);
    add_number(file, "target_range", r->target_range);
    add_indices(file, "train_index", model->split.train, model->split.n_train);
    add_indices(file, "test_index", model->split.test, model->split.n_test);
}

enum dse_status hydraf_model_save(const struct dse_model *base, const char *path, struct dse_error *err)
{
    const struct hydraf_model *model = hydraf_model_of(base);
    char *meta = meta_text(model);
    if (meta == NULL)
        return dse_fail(err, DSE_LIMIT, "%s: the description cannot be made (is the data set's name UTF-8?)", path);
    struct dse_npz_writer *file;
    enum dse_status status = dse_npz_begin(&file, err);
    if (status == DSE_OK) {
        dse_npz_add_text(file, "meta", meta);
        add_all(file, model);
        status = dse_npz_finish(file, path, err);
    }
    free(meta);
    return status;
}
