/* Reading the model file: every array's type, shape and content is checked, against the others too, before
 * anything computes with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executor/model_file.h"
#include "executor/nysx/generator.h"
#include "executor/nysx/model.h"
#include "executor/nysx/nysx.h"

/* Bounds of what is read at all, well above any real model. */
#define MAX_META 1000000
#define MAX_COLUMNS 65536
#define MAX_CLASSES 65536
#define MAX_ITEMS ((size_t)1 << 28)
#define MAX_PROJECTION ((size_t)1 << 31)

/* Signs were once drawn a column a step; such a model's P_rp cannot be made any more. */
static enum dse_status check_generator(struct dse_npz *file, json_t *meta, const struct nysx_model *model,
                                       struct dse_error *err)
{
    json_int_t columns = json_integer_value(json_object_get(meta, "generator_columns"));
    size_t needed = nysx_generator_columns(model->setting.generator);
    if (model->setting.form != NYSX_FACTORED || (columns == 0 ? 1 : columns) == (json_int_t)needed)
        return DSE_OK;
    return dse_fail(err, DSE_BAD_INPUT,
                    "%s: meta: generator_columns %lld: must be %zu (made by another version: train it again)",
                    dse_npz_path(file), (long long)columns, needed);
}

static enum dse_status read_meta(struct dse_npz *file, struct nysx_model *model, struct dse_error *err)
{
    json_t *meta;
    struct dse_error inner = {0};
    enum dse_status status = dse_model_file_read_meta(file, "nysx", MAX_META, &meta, &model->dataset,
                                                      &model->dataset_hash, &model->words, err);
    if (status != DSE_OK)
        return status;
    json_int_t rank = json_integer_value(json_object_get(meta, "rank"));
    model->rank = rank > 0 ? (size_t)rank : 0;
    model->seed = (uint64_t)json_integer_value(json_object_get(meta, "seed"));
    model->nee.generator_seed = (uint64_t)json_integer_value(json_object_get(meta, "generator_seed"));
    if (nysx_setting_parse(&model->words, &model->setting, &inner) != DSE_OK)
        status = dse_npz_wrong(file, "meta", inner.message, err);
    else
        status = check_generator(file, meta, model, err);
    json_decref(meta);
    return status;
}

/* True for values that ascend strictly. */
static bool ascending(const int64_t *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (values[i - 1] >= values[i])
            return false;
    return true;
}

static enum dse_status read_columns(struct dse_npz *file, struct nysx_model *model, struct dse_error *err)
{
    struct nysx_columns *columns = &model->columns;
    size_t count = DSE_NPZ_ANY;
    void *values = NULL;
    DSE_TRY(dse_npz_read(file, "node_label_values", "<i8", 8, 1, &count, MAX_COLUMNS, &values,
                         err));
    columns->kind = model->setting.features;
    columns->labels = count;
    columns->label_values = values;
    if (!ascending(values, count))
        return dse_npz_wrong(file, "node_label_values", "must ascend", err);
    if ((count > 0) != (columns->kind != NYSX_ATTRIBUTES))
        return dse_npz_wrong(file, "node_label_values", "does not agree with the setting's features", err);
    return DSE_OK;
}

static enum dse_status read_lsh(struct dse_npz *file, struct nysx_model *model, struct dse_error *err)
{
    struct nysx_lsh *lsh = &model->encoder.lsh;
    size_t shape[2] = {model->setting.hops, DSE_NPZ_ANY};
    void *u = NULL, *b = NULL, *w = NULL;
    enum dse_status status = dse_npz_read(file, "lsh_u", "<f4", 4, 2, shape, 64 * (size_t)MAX_COLUMNS, &u, err);
    if (status != DSE_OK)
        return status;
    *lsh = (struct nysx_lsh){.hops = model->setting.hops, .columns = shape[1], .u = u,
                             .tuple = model->setting.codes == NYSX_TUPLE,
                             .normalised = model->setting.propagation == NYSX_PROPAGATE_NORMALISED};
    if (lsh->columns == 0 || lsh->columns < model->columns.labels ||
        (lsh->columns > model->columns.labels) != (model->setting.features != NYSX_LABELS))
        return dse_npz_wrong(file, "lsh_u", "has not one column for each feature", err);
    model->columns.attributes = lsh->columns - model->columns.labels;
    status = dse_npz_read(file, "lsh_b", "<f4", 4, lsh->tuple ? 2 : 1, shape, 64 * (size_t)MAX_COLUMNS, &b, err);
    lsh->b = b;
    if (status == DSE_OK)
        status = dse_npz_read(file, "lsh_w", "<f4", 4, 0, NULL, 1, &w, err);
    if (status != DSE_OK)
        return status;
    memcpy(&lsh->width, w, sizeof lsh->width);
    free(w);
    return lsh->width > 0.0f ? DSE_OK : dse_npz_wrong(file, "lsh_w", "must be more than 0", err);
}

/* Row starts, columns and counts of one landmark histogram. */
static enum dse_status check_csr(struct dse_npz *file, const char *name, const struct nysx_csr *csr,
                                 size_t nonzeros, struct dse_error *err)
{
    if (csr->begin[0] != 0 || csr->begin[csr->rows] < 0 || (size_t)csr->begin[csr->rows] != nonzeros)
        return dse_npz_wrong(file, name, "must begin with 0 and end with the number of entries", err);
    for (size_t r = 0; r < csr->rows; r++)
        if (csr->begin[r] > csr->begin[r + 1])
            return dse_npz_wrong(file, name, "row starts must not descend", err);
    for (size_t r = 0; r < csr->rows; r++)
        for (int32_t e = csr->begin[r]; e < csr->begin[r + 1]; e++)
            if (csr->column[e] < 0 || (size_t)csr->column[e] >= csr->columns || csr->count[e] < 1 ||
                (e > csr->begin[r] && csr->column[e - 1] >= csr->column[e]))
                return dse_npz_wrong(file, name, "an entry's column is outside of the codebook or not ascending, or "
                                                 "its count is not positive", err);
    return DSE_OK;
}

static enum dse_status read_hop(struct dse_npz *file, size_t t, size_t landmarks, struct nysx_hop *hop,
                                struct dse_error *err)
{
    char name[4][64];
    snprintf(name[0], sizeof name[0], "codebook_%zu", t);
    snprintf(name[1], sizeof name[1], "landmark_hist_%zu_indptr", t);
    snprintf(name[2], sizeof name[2], "landmark_hist_%zu_indices", t);
    snprintf(name[3], sizeof name[3], "landmark_hist_%zu_data", t);
    size_t codes = DSE_NPZ_ANY, rows = landmarks + 1, nonzeros = DSE_NPZ_ANY;
    void *codebook = NULL, *begin = NULL, *column = NULL, *count = NULL;
    DSE_TRY(dse_npz_read(file, name[0], "<i8", 8, 1, &codes, MAX_ITEMS, &codebook, err));
    hop->codebook = codebook;
    hop->codes = codes;
    if (!ascending(hop->codebook, codes))
        DSE_TRY(dse_npz_wrong(file, name[0], "must ascend", err));
    DSE_TRY(dse_npz_read(file, name[1], "<i4", 4, 1, &rows, MAX_ITEMS, &begin, err));
    DSE_TRY(dse_npz_read(file, name[2], "<i4", 4, 1, &nonzeros, MAX_ITEMS, &column, err));
    DSE_TRY(dse_npz_read(file, name[3], "<i4", 4, 1, &nonzeros, MAX_ITEMS, &count, err));
    hop->counts = (struct nysx_csr){landmarks, codes, begin, column, count};
    return check_csr(file, name[1], &hop->counts, nonzeros, err);
}

static enum dse_status read_hops(struct dse_npz *file, struct nysx_model *model, struct dse_error *err)
{
    struct nysx_encoder *encoder = &model->encoder;
    encoder->landmarks = model->setting.landmarks;
    encoder->hop = calloc(encoder->lsh.hops, sizeof *encoder->hop);
    if (encoder->hop == NULL)
        return dse_fail_memory(err);
    for (size_t t = 0; t < encoder->lsh.hops; t++)
        DSE_TRY(read_hop(file, t, encoder->landmarks, &encoder->hop[t], err));
    return nysx_encoder_finish(encoder, err);
}

/* Reads a row at a time into the packed form, so that the file's rows are never all in memory beside it. */
static enum dse_status read_projection(struct dse_npz *file, const char *name, enum nysx_precision precision,
                                       size_t rows, size_t columns, struct nysx_projection *out,
                                       struct dse_error *err)
{
    const struct nysx_format *format = nysx_format(precision);
    size_t shape[2] = {rows, columns};
    struct dse_npz_array *array;
    enum dse_status status = dse_npz_array_open(file, name, format->npy_type, format->npy_bytes, 2, shape,
                                                MAX_PROJECTION, &array, err);
    if (status != DSE_OK)
        return status;
    void *row = malloc(columns * format->npy_bytes);
    status = row == NULL ? dse_fail_memory(err) : nysx_projection_alloc(precision, shape[0], columns, out, err);
    for (size_t i = 0; status == DSE_OK && i < shape[0]; i++) {
        status = dse_npz_array_read(array, row, columns, err);
        if (status == DSE_OK && !nysx_elements_valid(precision, row, columns))
            status = dse_npz_wrong(file, name, "an element is NaN, infinite or outside of its precision", err);
        if (status == DSE_OK)
            nysx_projection_put(out, i, row);
    }
    free(row);
    enum dse_status closed = dse_npz_array_close(array, status == DSE_OK, err);
    return status == DSE_OK ? closed : status;
}

/* The scales, phi_scale and center, where they apply. */
static enum dse_status read_nee_extras(struct dse_npz *file, struct nysx_nee *nee, bool center,
                                       struct dse_error *err)
{
    enum dse_status status = DSE_OK;
    void *values = NULL;
    size_t count = nee->dim;
    if (nee->projection.scale != NULL) {
        status = dse_npz_read(file, "p_nys_scale", "<f4", 4, 1, &count, MAX_ITEMS, &values, err);
        if (status == DSE_OK)
            memcpy(nee->projection.scale, values, count * sizeof(float));
        free(values);
    }
    if (status == DSE_OK && nee->form == NYSX_FACTORED) {
        status = dse_npz_read(file, "phi_scale", "<f4", 4, 0, NULL, 1, &values, err);
        if (status == DSE_OK)
            memcpy(&nee->phi_scale, values, sizeof nee->phi_scale);
        free(values);
        if (status == DSE_OK && !(nee->phi_scale > 0.0f))
            status = dse_npz_wrong(file, "phi_scale", "must be more than 0", err);
    }
    count = nee->landmarks;
    if (status == DSE_OK && center) {
        status = dse_npz_read(file, "center", "<i4", 4, 1, &count, MAX_ITEMS, &values, err);
        nee->center = values;
        for (size_t j = 0; status == DSE_OK && j < count; j++)
            if (nee->center[j] < 0)
                status = dse_npz_wrong(file, "center", "must not be negative", err);
    }
    return status;
}

static enum dse_status read_nee(struct dse_npz *file, struct nysx_model *model, struct dse_error *err)
{
    const struct nysx_setting *setting = &model->setting;
    struct nysx_nee *nee = &model->nee;
    bool factored = setting->form == NYSX_FACTORED;
    nee->form = setting->form;
    nee->dim = setting->dim;
    nee->landmarks = setting->landmarks;
    nee->words = (setting->dim + 63) / 64;
    nee->generator = setting->generator;
    nee->phi_bits = setting->phi_bits;
    if (factored && (model->rank == 0 || model->rank > setting->landmarks))
        return dse_npz_wrong(file, "meta", "rank must be 1 to the number of landmarks", err);
    DSE_TRY(read_projection(file, factored ? "phi_map" : "p_nys", setting->precision,
                            factored ? model->rank : nee->dim, nee->landmarks, &nee->projection,
                            err));
    return read_nee_extras(file, nee, setting->center, err);
}

static enum dse_status read_prototypes(struct dse_npz *file, struct nysx_model *model, struct dse_error *err)
{
    struct nysx_prototypes *prototypes = &model->prototypes;
    int bits = model->setting.prototype_bits, most = bits == 1 || bits == 32 ? 1 : (1 << (bits - 1)) - 1;
    void *stated = NULL, *labels = NULL, *elements = NULL;
    size_t classes = DSE_NPZ_ANY;
    enum dse_status status = dse_npz_read(file, "prototype_bits", "<i4", 4, 0, NULL, 1, &stated, err);
    if (status == DSE_OK && *(int32_t *)stated != bits)
        status = dse_npz_wrong(file, "prototype_bits", "does not agree with the setting", err);
    free(stated);
    if (status == DSE_OK)
        status = dse_npz_read(file, "class_labels", "<i8", 8, 1, &classes, MAX_CLASSES, &labels, err);
    model->class_values = labels;
    if (status == DSE_OK && (classes == 0 || !ascending(labels, classes)))
        status = dse_npz_wrong(file, "class_labels", "must ascend and not be empty", err);
    size_t shape[2] = {classes, model->setting.dim};
    if (status == DSE_OK)
        status = dse_npz_read(file, "prototypes", bits == 32 ? "<f4" : "|i1", bits == 32 ? 4 : 1, 2, shape,
                              MAX_ITEMS, &elements, err);
    if (status == DSE_OK)
        status = nysx_prototypes_alloc(classes, shape[1], bits, prototypes, err);
    for (size_t c = 0; status == DSE_OK && bits == 32 && c < classes; c++)
        memcpy(prototypes->real + c * prototypes->words * 64, (float *)elements + c * shape[1],
               shape[1] * sizeof(float));
    for (size_t i = 0; status == DSE_OK && bits != 32 && i < classes * shape[1]; i++) {
        prototypes->whole[i] = ((int8_t *)elements)[i];
        if (abs(prototypes->whole[i]) > most || (bits == 1 && prototypes->whole[i] == 0))
            status = dse_npz_wrong(file, "prototypes", "an element does not fit prototype_bits", err);
    }
    free(elements);
    if (status == DSE_OK)
        nysx_prototypes_seal(prototypes);
    return status;
}

static enum dse_status read_split(struct dse_npz *file, struct nysx_model *model, struct dse_error *err)
{
    size_t landmarks = model->setting.landmarks;
    DSE_TRY(dse_model_file_read_indices(file, "landmarks", "graph", &landmarks, &model->landmarks,
                                        err));
    return dse_model_file_read_split(file, "graph", &model->split, err);
}

static enum dse_status read_all(struct dse_npz *file, struct nysx_model *model, struct dse_error *err)
{
    enum dse_status (*const parts[])(struct dse_npz *, struct nysx_model *, struct dse_error *) = {
        read_meta, read_columns, read_lsh, read_hops, read_nee, read_prototypes, read_split,
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        DSE_TRY(parts[i](file, model, err));
    return DSE_OK;
}

/* Closes the file. */
static enum dse_status load(struct dse_npz *file, struct dse_model **out, struct dse_error *err)
{
    struct nysx_model *model = calloc(1, sizeof *model);
    enum dse_status status = model == NULL ? dse_fail_memory(err) : read_all(file, model, err);
    dse_npz_close(file);
    if (status != DSE_OK) {
        nysx_model_free(model != NULL ? &model->base : NULL);
        return status;
    }
    model->base.executor = &nysx_executor;
    *out = &model->base;
    return DSE_OK;
}

enum dse_status nysx_model_load(const char *path, struct dse_model **out, struct dse_error *err)
{
    *out = NULL;
    struct dse_npz *file;
    DSE_TRY(dse_npz_open(path, &file, err));
    return load(file, out, err);
}

enum dse_status nysx_model_load_memory(const void *bytes, size_t size, const char *name,
                                       struct dse_model **out, struct dse_error *err)
{
    *out = NULL;
    struct dse_npz *file;
    DSE_TRY(dse_npz_open_memory(bytes, size, name, &file, err));
    return load(file, out, err);
}
