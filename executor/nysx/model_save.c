/* Writing the model file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executor/model_file.h"
#include "executor/nysx/generator.h"
#include "executor/nysx/model.h"

/* Words that stand at the top of `meta` as well as in its setting, for people and scripts. */
static const char *const top_words[][2] = {
    {"propagation", "propagation"}, {"features", "features"}, {"codes", "codes"},
    {"sampling", "sampling"},       {"lsh", "lsh"},           {"precision", "nee.precision"},
    {"form", "nee.form"},           {"generator", "nee.generator"}, {"phi_bits", "nee.phi_bits"},
};

static char *meta_text(const struct nysx_model *model)
{
    json_t *rest = json_pack("{s:I, s:I, s:I, s:o}", "rank", (json_int_t)model->rank, "generator_seed",
                             (json_int_t)model->nee.generator_seed, "generator_columns",
                             (json_int_t)nysx_generator_columns(model->nee.generator), "setting",
                             dse_model_file_setting(&model->words));
    for (size_t i = 0; i < sizeof top_words / sizeof top_words[0]; i++)
        json_object_set_new(rest, top_words[i][0], json_string(dse_setting_get(&model->words, top_words[i][1])));
    return dse_model_file_meta("nysx", model->dataset, model->dataset_hash, model->seed, rest);
}

static void add_lsh(struct dse_npz_writer *file, const struct nysx_model *model)
{
    const struct nysx_lsh *lsh = &model->encoder.lsh;
    size_t shape[2] = {lsh->hops, lsh->columns};
    dse_npz_add_copy(file, "lsh_u", "<f4", 4, 2, shape, lsh->u);
    dse_npz_add_copy(file, "lsh_b", "<f4", 4, lsh->tuple ? 2 : 1, shape, lsh->b);
    dse_npz_add_copy(file, "lsh_w", "<f4", 4, 0, NULL, &lsh->width);
    dse_npz_add_copy(file, "node_label_values", "<i8", 8, 1, &model->columns.labels,
                     model->columns.label_values);
}

static void add_hop(struct dse_npz_writer *file, size_t t, const struct nysx_hop *hop)
{
    char name[64];
    size_t rows = hop->counts.rows + 1, nonzeros = nysx_csr_nonzeros(&hop->counts);
    snprintf(name, sizeof name, "codebook_%zu", t);
    dse_npz_add_copy(file, name, "<i8", 8, 1, &hop->codes, hop->codebook);
    snprintf(name, sizeof name, "landmark_hist_%zu_indptr", t);
    dse_npz_add_copy(file, name, "<i4", 4, 1, &rows, hop->counts.begin);
    snprintf(name, sizeof name, "landmark_hist_%zu_indices", t);
    dse_npz_add_copy(file, name, "<i4", 4, 1, &nonzeros, hop->counts.column);
    snprintf(name, sizeof name, "landmark_hist_%zu_data", t);
    dse_npz_add_copy(file, name, "<i4", 4, 1, &nonzeros, hop->counts.count);
}

/* From blocks to plain rows. */
static void add_nee(struct dse_npz_writer *file, const struct nysx_nee *nee)
{
    const struct nysx_projection *projection = &nee->projection;
    const struct nysx_format *format = nysx_format(projection->precision);
    size_t shape[2] = {projection->dim, projection->columns};
    bool factored = nee->form == NYSX_FACTORED;
    char *out = dse_npz_add(file, factored ? "phi_map" : "p_nys", format->npy_type, format->npy_bytes, 2, shape);
    for (size_t i = 0; out != NULL && i < projection->dim; i++)
        nysx_projection_get(projection, i, out + i * projection->columns * format->npy_bytes);
    if (projection->scale != NULL)
        dse_npz_add_copy(file, "p_nys_scale", "<f4", 4, 1, shape, projection->scale);
    if (factored)
        dse_npz_add_copy(file, "phi_scale", "<f4", 4, 0, NULL, &nee->phi_scale);
    if (nee->center != NULL)
        dse_npz_add_copy(file, "center", "<i4", 4, 1, &nee->landmarks, nee->center);
}

static void add_prototypes(struct dse_npz_writer *file, const struct nysx_prototypes *prototypes)
{
    size_t shape[2] = {prototypes->classes, prototypes->dim};
    int32_t bits = prototypes->bits;
    if (prototypes->whole != NULL) {
        dse_npz_add_copy(file, "prototypes", "|i1", 1, 2, shape, prototypes->whole);
    } else {
        char *out = dse_npz_add(file, "prototypes", "<f4", 4, 2, shape);
        for (size_t c = 0; out != NULL && c < prototypes->classes; c++)
            memcpy(out + 4 * c * prototypes->dim, prototypes->real + c * prototypes->words * 64,
                   4 * prototypes->dim);
    }
    dse_npz_add_copy(file, "prototype_bits", "<i4", 4, 0, NULL, &bits);
}

enum dse_status nysx_model_save(const struct dse_model *base, const char *path, struct dse_error *err)
{
    const struct nysx_model *model = nysx_model_of(base);
    char *meta = meta_text(model);
    if (meta == NULL)
        return dse_fail(err, DSE_LIMIT, "%s: the description cannot be made (is the data set's name UTF-8?)",
                        path);
    struct dse_npz_writer *file;
    enum dse_status status = dse_npz_begin(&file, err);
    if (status == DSE_OK) {
        dse_npz_add_text(file, "meta", meta);
        add_lsh(file, model);
        for (size_t t = 0; t < model->encoder.lsh.hops; t++)
            add_hop(file, t, &model->encoder.hop[t]);
        add_nee(file, &model->nee);
        add_prototypes(file, &model->prototypes);
        dse_npz_add_copy(file, "class_labels", "<i8", 8, 1, &model->prototypes.classes, model->class_values);
        dse_model_file_add_indices(file, "landmarks", model->landmarks, model->encoder.landmarks);
        dse_model_file_add_indices(file, "train_index", model->split.train, model->split.n_train);
        dse_model_file_add_indices(file, "test_index", model->split.test, model->split.n_test);
        status = dse_npz_finish(file, path, err);
    }
    free(meta);
    return status;
}
