/* The model file: a table of its arrays, and further checks. */
#include "core/memory.h"
#include "executor/model_file.h"

#include <stdlib.h>

#include "models/gat/executor/model.h"

#define COUNT_MOST 10000000 /* features, classes: far above data sets */

#define AT(layer_number, member) .at = offsetof(struct gat_model, network.layer[layer_number].member)
#define HIDDEN DSE_SIZE(struct gat_model, network.layer[1].inputs)
#define SETTING(member) DSE_SIZE(struct gat_model, setting.member)

/* Attention vectors are [heads × channels], W is [inputs × heads × channels]. */
static const struct dse_model_array arrays[] = {
    {"weight_1", "<f4", 2, {DSE_SIZE(struct gat_model, features), HIDDEN}, AT(0, weight)},
    {"source_1", "<f4", 2, {SETTING(heads), SETTING(channels)}, AT(0, source)},
    {"neighbour_1", "<f4", 2, {SETTING(heads), SETTING(channels)}, AT(0, neighbour)},
    {"weight_2", "<f4", 2, {HIDDEN, DSE_SIZE(struct gat_model, classes)}, AT(1, weight)},
    {"source_2", "<f4", 1, {DSE_SIZE(struct gat_model, classes)}, AT(1, source)},
    {"neighbour_2", "<f4", 1, {DSE_SIZE(struct gat_model, classes)}, AT(1, neighbour)},
    {"hidden_largest", "<f4", 0, {{0}}, .at = offsetof(struct gat_model, network.hidden_largest), .check = dse_array_not_negative},
    {"feature_largest", "<f4", 0, {{0}}, .at = offsetof(struct gat_model, feature_largest), .check = dse_array_not_negative},
};

static void describe(const struct dse_model *base, json_t *meta)
{
    const struct gat_model *model = gat_model_of(base);
    json_t *classes = json_array();
    for (size_t i = 0; i < model->classes; i++) {
        json_t *name = json_string(model->class_name[i]); /* NULL unless UTF-8 */
        json_array_append_new(classes, name != NULL ? name : json_sprintf("class %zu", i));
    }
    json_object_set_new(meta, "classes", classes);
    json_object_set_new(meta, "features", json_integer((json_int_t)model->features));
    json_object_set_new(meta, "epochs", json_integer((json_int_t)model->epochs));
}

static enum dse_status read_classes(struct dse_npz *file, json_t *meta, struct gat_model *model, struct dse_error *err)
{
    json_t *classes = json_object_get(meta, "classes");
    size_t count = json_array_size(classes);
    if (count == 0 || count > COUNT_MOST)
        return dse_npz_wrong(file, "meta", "has no classes, or too many", err);
    model->class_name = dse_calloc(count, sizeof *model->class_name);
    for (; model->classes < count; model->classes++) {
        const char *name = json_string_value(json_array_get(classes, model->classes));
        if (name == NULL)
            return dse_npz_wrong(file, "meta", "the name of a class is not a text", err);
        model->class_name[model->classes] = dse_strdup(name);
    }
    return DSE_OK;
}

static enum dse_status read_meta(struct dse_model *base, json_t *meta, struct dse_npz *file, struct dse_error *err)
{
    struct gat_model *model = (struct gat_model *)base;
    json_int_t features = 0, epochs = 0;
    DSE_TRY(gat_setting_parse(&base->words, &model->setting, err));
    DSE_TRY(dse_model_file_count(file, meta, "features", COUNT_MOST, &features, err));
    DSE_TRY(dse_model_file_count(file, meta, "epochs", 10000, &epochs, err));
    DSE_TRY(read_classes(file, meta, model, err));
    model->features = (size_t)features;
    model->epochs = (size_t)epochs;
    gat_model_shape(model);
    return DSE_OK;
}

static void release(struct dse_model *base)
{
    struct gat_model *model = (struct gat_model *)base;
    for (size_t i = 0; i < model->classes; i++)
        free(model->class_name[i]);
    free(model->class_name);
}

const struct dse_model_form gat_model_form = {
    .bytes = sizeof(struct gat_model),
    .arrays = arrays,
    .array_count = sizeof arrays / sizeof *arrays,
    .describe = describe,
    .read = read_meta,
    .release = release,
};
