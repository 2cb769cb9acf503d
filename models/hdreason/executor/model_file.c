/* The model file: a table of its arrays, and further checks. */
#include "executor/model_file.h"

#include <math.h>
#include <string.h>

#include "models/hdreason/executor/model.h"

#define COUNT_MOST 2147483647
#define LETTERS_MOST 67108864

static const char *memory_type(const void *owner)
{
    static const char *const types[] = {"<f4", "<i2", "|i1", "|i1"};
    return types[((const struct hdr_model *)owner)->setting.precision];
}

static bool is_whole(const void *owner)
{
    return ((const struct hdr_model *)owner)->setting.precision != HDR_FP32;
}

static const char *is_power_of_two(const void *owner, const void *elements, size_t count, const char *type)
{
    int exponent;
    float step = *(const float *)elements;
    (void)owner, (void)count, (void)type;
    return step > 0.0f && frexpf(step, &exponent) == 0.5f ? NULL : "must be a power of two";
}

#define SIZE(member) DSE_SIZE(struct hdr_model, member)
#define AT(member) .at = offsetof(struct hdr_model, member)

static const struct dse_model_array arrays[] = {
    {"base", "<f4", 2, {SIZE(setting.embedding), SIZE(setting.dim)}, AT(base_rows)},
    {"entity", "<f4", 2, {SIZE(entities), SIZE(setting.embedding)}, AT(entity)},
    {"relation", "<f4", 2, {SIZE(relation_rows), SIZE(setting.embedding)}, AT(relation)},
    {"memory", NULL, 2, {SIZE(entities), SIZE(setting.dim)}, AT(memory), .typed = memory_type},
    {"memory_step", "<f4", 0, {{0}}, AT(memory_step), .present = is_whole, .check = is_power_of_two},
    {"margin", "<f4", 0, {{0}}, AT(margin)},
    {"entities", "<U", 1, {SIZE(entities)}, AT(entity_name), .letters = SIZE(entity_letters)},
    {"relations", "<U", 1, {SIZE(relations)}, AT(relation_name), .letters = SIZE(relation_letters)},
};

static void describe(const struct dse_model *base, json_t *meta)
{
    const struct hdr_model *model = hdr_model_of(base);
    json_object_set_new(meta, "entities", json_integer((json_int_t)model->entities));
    json_object_set_new(meta, "relations", json_integer((json_int_t)model->relations));
    json_object_set_new(meta, "entity_letters", json_integer((json_int_t)model->entity_letters));
    json_object_set_new(meta, "relation_letters", json_integer((json_int_t)model->relation_letters));
    json_object_set_new(meta, "loss", json_real(model->loss));
    json_object_set_new(meta, "sums", json_string(is_whole(model) ? "whole" : "single"));
}

static enum dse_status read_meta(struct dse_model *base, json_t *meta, struct dse_npz *file, struct dse_error *err)
{
    struct hdr_model *model = (struct hdr_model *)base;
    const struct {
        const char *name;
        size_t *at;
        json_int_t most;
    } counts[] = {{"entities", &model->entities, COUNT_MOST}, {"relations", &model->relations, COUNT_MOST / 2},
                  {"entity_letters", &model->entity_letters, LETTERS_MOST}, {"relation_letters", &model->relation_letters, LETTERS_MOST}};
    DSE_TRY(hdr_setting_parse(&base->words, &model->setting, err));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        json_int_t value = 0;
        DSE_TRY(dse_model_file_count(file, meta, counts[i].name, counts[i].most, &value, err));
        if (value == 0)
            return dse_npz_wrong(file, "meta", "has no entities, no relations, or names without letters", err);
        *counts[i].at = (size_t)value;
    }
    json_t *loss = json_object_get(meta, "loss");
    if (!json_is_number(loss) || !isfinite(json_number_value(loss)))
        return dse_npz_wrong(file, "meta", "loss is not a number", err);
    const char *sums = json_string_value(json_object_get(meta, "sums"));
    if (is_whole(model) && (sums == NULL || strcmp(sums, "whole") != 0))
        return dse_npz_wrong(file, "meta", "the memory is not a sum of whole numbers, as in the accelerator: train the model again", err);
    model->loss = json_number_value(loss);
    model->relation_rows = model->relations * (hdr_both_ways(model) ? 2 : 1);
    model->memory_step = 1.0f;
    return DSE_OK;
}

/* Fixed-point elements stay within their bits; 4-bit ones are stored in bytes. */
static enum dse_status finish(struct dse_model *base, struct dse_npz *file, struct dse_error *err)
{
    const struct hdr_model *model = hdr_model_of(base);
    const int8_t *memory = model->memory;
    for (size_t i = 0; model->setting.precision == HDR_FIX4 && i < model->entities * model->setting.dim; i++)
        if (memory[i] < -7 || memory[i] > 7)
            return dse_npz_wrong(file, "memory", "must be from -7 to 7 with fix4", err);
    return DSE_OK;
}

const struct dse_model_form hdreason_model_form = {
    .bytes = sizeof(struct hdr_model),
    .arrays = arrays,
    .array_count = sizeof arrays / sizeof *arrays,
    .describe = describe,
    .read = read_meta,
    .finish = finish,
};
