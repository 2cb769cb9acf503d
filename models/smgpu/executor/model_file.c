/* The model file: a table of its arrays, and the arrays derived from them. */
#include "core/memory.h"
#include "models/smgpu/executor/model.h"

#include <stdlib.h>

#include "core/rng.h"
#include "models/smgpu/executor/vectors.h"

#define COUNT_MOST 1000000

#define AT(member) .at = offsetof(struct smgpu_model, member)
#define SIZE(member) DSE_SIZE(struct smgpu_model, member)
#define FOUND(member) DSE_SIZE_FOUND(struct smgpu_model, member)

static const char *check_class(const void *owner, const void *elements, size_t count, const char *type)
{
    const struct smgpu_model *model = owner;
    (void)type;
    for (size_t i = 0; i < count; i++)
        if (((const int32_t *)elements)[i] < 0 || (size_t)((const int32_t *)elements)[i] >= model->class_count)
            return "must be indices of class_labels";
    return NULL;
}

static const char *check_entry(const void *owner, const void *elements, size_t count, const char *type)
{
    const struct smgpu_setting *setting = &((const struct smgpu_model *)owner)->setting;
    (void)type;
    for (size_t w = setting->words - 1; setting->dim % 32 != 0 && w < count; w += setting->words)
        if (((const uint32_t *)elements)[w] >> setting->dim % 32 != 0)
            return "must have no bit behind the last of dim";
    return NULL;
}

static const char *check_cut(const void *owner, const void *elements, size_t count, const char *type)
{
    (void)owner, (void)type;
    for (size_t i = 1; i < count; i++)
        if (((const int32_t *)elements)[i] < ((const int32_t *)elements)[i - 1])
            return "must ascend";
    return NULL;
}

static const struct dse_model_array arrays[] = {
    {"class_labels", "<i8", 1, {FOUND(class_count)}, AT(class_value), .check = dse_array_ascending, .most = COUNT_MOST},
    {"node_label_values", "<i8", 1, {FOUND(label_count)}, AT(label_value), .check = dse_array_ascending, .most = COUNT_MOST},
    {"heat_cut", "<i4", 1, {SIZE(cut_count)}, AT(cut), .check = check_cut},
    {"entry", "<u4", 2, {FOUND(entry_count), SIZE(setting.words)}, AT(entry), .check = check_entry},
    {"entry_class", "<i4", 1, {SIZE(entry_count)}, AT(entry_class), .check = check_class},
};

void smgpu_model_make_rows(struct smgpu_model *model)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, model->base.seed, SMGPU_STREAM_BOOK);
    model->seed = (uint32_t)(dse_rng_u64(&rng) >> 32) | 1;
    model->book = (struct smgpu_book){model->label_count > 0 ? model->label_count : SMGPU_DEGREES, model->setting.levels};
    size_t rows = smgpu_book_rows(&model->book);
    uint32_t state = model->seed;
    model->rows = dse_malloc((rows * model->setting.words + 1) * sizeof *model->rows);
    smgpu_generate(&state, model->setting.dim, rows, model->rows);
}

void smgpu_model_make_keys(struct smgpu_model *model)
{
    const struct smgpu_setting *s = &model->setting;
    uint32_t *projection = dse_malloc((s->reduced * s->words + 1) * sizeof *projection), state = SMGPU_LFSR_SEED;
    model->keys = dse_malloc((model->entry_count * smgpu_words(s->reduced) + 1) * sizeof *model->keys);
    smgpu_generate(&state, s->dim, s->reduced, projection);
    smgpu_project(model->entry, model->entry_count, s->dim, projection, s->reduced, model->keys);
    free(projection);
}

static enum dse_status read_meta(struct dse_model *base, json_t *meta, struct dse_npz *file, struct dse_error *err)
{
    struct smgpu_model *model = (struct smgpu_model *)base;
    (void)meta, (void)file;
    DSE_TRY(smgpu_setting_parse(&base->words, &model->setting, err));
    model->cut_count = model->setting.levels - 1;
    return DSE_OK;
}

static enum dse_status finish(struct dse_model *base, struct dse_npz *file, struct dse_error *err)
{
    struct smgpu_model *model = (struct smgpu_model *)base;
    if (model->class_count == 0)
        return dse_npz_wrong(file, "class_labels", "must have a class", err);
    if (model->entry_count == 0 || model->entry_count > model->setting.entries)
        return dse_npz_wrong(file, "entry", "must have an entry, and no more than cache.entries", err);
    smgpu_model_make_rows(model);
    smgpu_model_make_keys(model);
    return DSE_OK;
}

static void release(struct dse_model *base)
{
    struct smgpu_model *model = (struct smgpu_model *)base;
    free(model->rows);
    free(model->keys);
}

const struct dse_model_form smgpu_model_form = {
    .bytes = sizeof(struct smgpu_model), .arrays = arrays, .array_count = sizeof arrays / sizeof *arrays,
    .read = read_meta, .finish = finish, .release = release,
};
