/* The model file: a table of its arrays, and further checks. */
#include "core/memory.h"
#include "executor/model_file.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "models/hydraf/executor/model.h"

#define TARGET_MOST 1e100 /* largest magnitude in the target's unit: squares must be finite */

/* ---- elements in the file: K × D, one hypervector per row ---- */

static const char *const element_types[] = {[HYDRAF_FP32] = "<f4", [HYDRAF_INT16] = "<i2", [HYDRAF_INT8] = "|i1"};

static const char *element_type(const void *owner)
{
    return element_types[((const struct hydraf_model *)owner)->regressor.setting.precision];
}

static enum dse_status open_block(void *holder, const size_t *shape, const struct dse_model *model, struct dse_error *err)
{
    (void)err;
    hydraf_block_alloc(hydraf_model_of(model)->regressor.setting.precision, shape[1], shape[0], holder);
    return DSE_OK;
}

static const char *put_block(void *holder, size_t row, const void *elements, size_t count)
{
    struct hydraf_block *block = holder;
    double most = hydraf_most(block->precision);
    for (size_t i = 0; i < count; i++) {
        double element = block->precision == HYDRAF_FP32    ? (double)((const float *)elements)[i]
                         : block->precision == HYDRAF_INT16 ? (double)((const int16_t *)elements)[i]
                                                            : (double)((const int8_t *)elements)[i];
        if (most > 0.0 && fabs(element) > most)
            return "an element is outside its symmetric range";
        hydraf_block_put(block, row, i, element);
    }
    return NULL;
}

static void get_block(const void *holder, size_t row, void *elements, size_t count)
{
    const struct hydraf_block *block = holder;
    for (size_t i = 0; i < count; i++) {
        double element = hydraf_block_get(block, row, i);
        if (block->precision == HYDRAF_FP32)
            ((float *)elements)[i] = (float)element;
        else if (block->precision == HYDRAF_INT16)
            ((int16_t *)elements)[i] = (int16_t)element;
        else
            ((int8_t *)elements)[i] = (int8_t)element;
    }
}

/* ---- checks of single arrays ---- */

static const char *check_bits(const void *owner, const void *elements, size_t count, const char *type)
{
    (void)owner, (void)type;
    for (size_t i = 0; i < count; i++)
        if (((const uint8_t *)elements)[i] > 1)
            return "an element is not 0 or 1";
    return NULL;
}

/* A step of whole elements is a power of two; of real elements it is 1. */
static const char *check_step(const void *owner, const void *elements, size_t count, const char *type)
{
    int exponent;
    const char *wrong = dse_array_positive(owner, elements, count, type);
    double step = *(const double *)elements;
    bool good = ((const struct hydraf_model *)owner)->regressor.setting.precision == HYDRAF_FP32
                    ? step == 1.0 : frexp(step, &exponent) == 0.5 && abs(exponent) < 200;
    return wrong != NULL || good ? wrong : "must be a power of two (1 for fp32)";
}

/* ---- the table ---- */

#define AT(member) .at = offsetof(struct hydraf_model, regressor.member)
#define OF(member) DSE_SIZE(struct hydraf_model, regressor.member)
#define BLOCK(block) .typed = element_type, .rank = 2, .size = {OF(setting.clusters), OF(setting.dim)}, AT(block), \
                     .open = open_block, .put = put_block, .get = get_block
#define NUMBER(member) "<f8", 0, {{0}}, AT(member)

static const struct dse_model_array arrays[] = {
    {"base", "|u1", 2, {OF(encoder.features), OF(encoder.dim)}, AT(encoder.base), .check = check_bits},
    {"feature_mean", "<f8", 1, {OF(encoder.inputs)}, AT(encoder.mean)},
    {"feature_scale", "<f8", 1, {OF(encoder.inputs)}, AT(encoder.scale), .check = dse_array_not_negative},
    {"clusters", BLOCK(clusters)},
    {"cluster_step", NUMBER(clusters.step), .check = check_step},
    {"models", BLOCK(models)},
    {"model_step", NUMBER(models.step), .check = check_step},
    {"beta", NUMBER(beta), .check = dse_array_not_negative},
    {"energy", NUMBER(energy), .check = dse_array_positive},
    {"target_mean", NUMBER(target_mean)},
    {"target_scale", NUMBER(target_scale), .check = dse_array_positive},
    {"target_range", NUMBER(target_range), .check = dse_array_not_negative},
};

/* ---- the description ---- */

static void describe(const struct dse_model *base, json_t *meta)
{
    const struct hydraf_model *model = hydraf_model_of(base);
    json_t *columns = json_array();
    for (size_t i = 0; i < model->regressor.encoder.inputs; i++)
        json_array_append_new(columns, json_string(model->column[i]));
    json_object_set_new(meta, "columns", columns);
    json_object_set_new(meta, "target", json_string(model->target));
    json_object_set_new(meta, "target_column", json_integer((json_int_t)model->target_column));
    json_object_set_new(meta, "epochs", json_integer((json_int_t)model->epochs));
    json_object_set_new(meta, "shift", json_integer(model->regressor.encoder.shift));
}

static enum dse_status read_columns(struct dse_npz *file, json_t *meta, struct hydraf_model *model, struct dse_error *err)
{
    json_t *columns = json_object_get(meta, "columns");
    const char *target = json_string_value(json_object_get(meta, "target"));
    json_int_t place = json_integer_value(json_object_get(meta, "target_column"));
    size_t count = json_array_size(columns);
    if (count == 0 || count > HYDRAF_FEATURES_MOST || target == NULL)
        return dse_npz_wrong(file, "meta", "has no columns, too many, or no target", err);
    if (!json_is_integer(json_object_get(meta, "target_column")) || place < 0 || (size_t)place > count)
        return dse_npz_wrong(file, "meta", "target_column is not the index of a column", err);
    model->target_column = (size_t)place;
    model->target = dse_strdup(target);
    model->column = dse_calloc(count, sizeof *model->column);
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        if (name == NULL)
            return dse_npz_wrong(file, "meta", "the name of a column is not a text", err);
        model->column[i] = dse_strdup(name);
        model->regressor.encoder.inputs = i + 1;
    }
    return DSE_OK;
}

static enum dse_status read_meta(struct dse_model *base, json_t *meta, struct dse_npz *file, struct dse_error *err)
{
    struct hydraf_model *model = (struct hydraf_model *)base;
    struct hydraf_encoder *encoder = &model->regressor.encoder;
    json_int_t seed = 0, epochs = 0, shift = 0;
    DSE_TRY(hydraf_setting_parse(&base->words, &model->regressor.setting, err));
    DSE_TRY(read_columns(file, meta, model, err));
    DSE_TRY(dse_model_file_count(file, meta, "seed", INT64_MAX, &seed, err));
    DSE_TRY(dse_model_file_count(file, meta, "epochs", 10000, &epochs, err));
    DSE_TRY(dse_model_file_count(file, meta, "shift", 24, &shift, err));
    model->epochs = (size_t)epochs;
    encoder->shift = (int)shift;
    encoder->precision = model->regressor.setting.precision;
    encoder->dim = model->regressor.setting.dim;
    encoder->features = encoder->inputs + model->regressor.setting.bias;
    return DSE_OK;
}

/* The largest magnitude of an element as a value, at least that of a whole 1. */
static double largest_of(const struct hydraf_block *block)
{
    double most = 1.0;
    for (size_t k = 0; k < block->count; k++)
        for (size_t i = 0; i < block->dim; i++)
            most = fmax(most, fabs(hydraf_block_get(block, k, i)));
    return most * block->step;
}

/* Checks that every row's answer is finite. Sums of products and of weighted predictions, and the unit of a difference, must fit single
 * precision. Estimates in the target's unit, and their squares, must fit double precision. */
static const char *find_unbounded(const struct hydraf_regressor *r)
{
    double row = (double)r->encoder.features * HYDRAF_FEATURE_MOST * (double)r->encoder.dim;
    if (!(row * largest_of(&r->clusters) * fmax(r->beta, 1.0) < (double)FLT_MAX / 4.0))
        return "beta";
    if (!(row * largest_of(&r->models) * (double)r->setting.clusters < (double)FLT_MAX / 4.0))
        return "models";
    if (!(r->target_scale < TARGET_MOST))
        return "target_scale";
    return fabs(r->target_mean) < TARGET_MOST && r->target_range < TARGET_MOST ? NULL : "target_mean";
}

static enum dse_status finish(struct dse_model *base, struct dse_npz *file, struct dse_error *err)
{
    struct hydraf_regressor *regressor = &((struct hydraf_model *)base)->regressor;
    const char *unbounded = find_unbounded(regressor);
    if (unbounded != NULL)
        return dse_npz_wrong(file, unbounded, "is so large that answers overflow", err);
    hydraf_encoder_base(&regressor->encoder, regressor->encoder.base, 0);
    return DSE_OK;
}

static void release(struct dse_model *base)
{
    struct hydraf_model *model = (struct hydraf_model *)base;
    for (size_t i = 0; model->column != NULL && i < model->regressor.encoder.inputs; i++)
        free(model->column[i]);
    free(model->column);
    free(model->target);
    hydraf_regressor_free(&model->regressor);
}

const struct dse_model_form hydraf_model_form = {
    .bytes = sizeof(struct hydraf_model),
    .arrays = arrays,
    .array_count = sizeof arrays / sizeof *arrays,
    .describe = describe,
    .read = read_meta,
    .finish = finish,
    .release = release,
};
