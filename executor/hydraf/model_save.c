/* Writing the model file. */
#include <stdlib.h>
#include <string.h>

#include "executor/hydraf/model.h"
#include "executor/model_file.h"

static char *meta_text(const struct hydraf_model *model)
{
    const struct hydraf_encoder *encoder = &model->regressor.encoder;
    json_t *columns = json_array();
    for (size_t i = 0; i < encoder->inputs; i++)
        json_array_append_new(columns, json_string(model->column[i]));
    json_t *rest = json_pack("{s:o, s:s, s:I, s:I, s:i, s:o}", "columns", columns, "target", model->target,
                             "target_column", (json_int_t)model->target_column, "epochs", (json_int_t)model->epochs,
                             "shift", encoder->shift, "setting", dse_model_file_setting(&model->words));
    return dse_model_file_meta("hydraf", model->dataset, model->dataset_hash, model->seed, rest);
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
    dse_model_file_add_indices(file, "train_index", model->split.train, model->split.n_train);
    dse_model_file_add_indices(file, "test_index", model->split.test, model->split.n_test);
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
