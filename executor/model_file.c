#include "executor/model_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/memory.h"
#include "core/version.h"

#define SCHEMA "nysx-dse.model/1"
/* Maximum of elements that are read at all, well above any real model. */
#define MAX_ELEMENTS ((size_t)1 << 28)
#define MAX_META 20000000
#define NAME_SIZE 64

/* ---- one row of the table ---- */

/* The split of every family's model. */
static bool has_validation(const void *owner)
{
    const struct dse_model *model = owner;
    return model->split.validation != NULL || model->executor->kind->split != NULL;
}

static const struct dse_model_array split_arrays[] = {
    {.name = "train_index", .type = "<i8", .rank = 1, .size = {DSE_SIZE_FOUND(struct dse_model, split.n_train)},
     .at = offsetof(struct dse_model, split.train), .indices = true},
    {.name = "test_index", .type = "<i8", .rank = 1, .size = {DSE_SIZE_FOUND(struct dse_model, split.n_test)},
     .at = offsetof(struct dse_model, split.test), .indices = true},
    {.name = "validation_index", .type = "<i8", .rank = 1, .size = {DSE_SIZE_FOUND(struct dse_model, split.n_validation)},
     .at = offsetof(struct dse_model, split.validation), .indices = true, .present = has_validation},
};
enum { SPLIT_ARRAYS = sizeof split_arrays / sizeof *split_arrays };

/* An array of one owner. */
struct bound {
    const struct dse_model_array *array;
    const struct dse_model *model;
    char *owner;
    char name[NAME_SIZE];
    const char *type;
    char string_type[24];
    size_t bytes, rows, row; /* bytes of an element; rows; elements of each row */
    size_t shape[DSE_NPZ_MAX_RANK];
};

static const char *type_of(struct bound *b)
{
    const char *type = b->array->typed != NULL ? b->array->typed(b->owner) : b->array->type;
    size_t letters;
    if (strcmp(type, "<U") != 0)
        return type;
    memcpy(&letters, b->owner + b->array->letters.at, sizeof letters);
    snprintf(b->string_type, sizeof b->string_type, "<U%zu", letters);
    return b->string_type;
}

static void count_rows(struct bound *b)
{
    size_t rank = b->array->rank;
    b->row = rank == 0 ? 1 : b->shape[rank - 1];
    b->rows = rank > 1 ? b->shape[0] : 1;
}

static struct bound bind(const struct dse_model *model, const struct dse_model_array *array, size_t index)
{
    struct bound b = {.array = array, .model = model, .owner = (char *)(uintptr_t)model};
    if (array->group != NULL) {
        memcpy(&b.owner, (const char *)model + array->group->base, sizeof b.owner);
        b.owner += index * array->group->stride;
        const char *place = strchr(array->name, '#');
        snprintf(b.name, sizeof b.name, "%.*s%zu%s", (int)(place - array->name), array->name, index, place + 1);
    } else {
        snprintf(b.name, sizeof b.name, "%s", array->name);
    }
    for (size_t d = 0; d < array->rank; d++) {
        memcpy(&b.shape[d], b.owner + array->size[d].at, sizeof b.shape[d]);
        b.shape[d] += array->size[d].plus;
    }
    return b;
}

typedef enum dse_status visit(void *user, struct bound *bound, struct dse_error *err);

/* The rows from `first` on that follow each other in one group: their arrays are stored owner by owner. */
static size_t run_of(const struct dse_model_form *form, size_t first)
{
    size_t last = first + 1;
    while (form->arrays[first].group != NULL && last < form->array_count && form->arrays[last].group == form->arrays[first].group)
        last++;
    return last;
}

/* Visits every array of a model in the order of its table, the split's last. `absent`: also arrays that are not present. */
static enum dse_status each_array(const struct dse_model *model, bool absent, visit *work, void *user, struct dse_error *err)
{
    const struct dse_model_form *form = model->executor->model;
    size_t all = form->array_count + SPLIT_ARRAYS;
    for (size_t first = 0, last; first < all; first = last) {
        last = first < form->array_count ? run_of(form, first) : first + 1;
        const struct dse_model_array *array =
            first < form->array_count ? &form->arrays[first] : &split_arrays[first - form->array_count];
        const void *base = model;
        size_t count = 1;
        if (array->group != NULL) {
            memcpy(&count, (const char *)model + array->group->count, sizeof count);
            memcpy(&base, (const char *)model + array->group->base, sizeof base);
        }
        for (size_t k = 0; base != NULL && k < count; k++)
            for (size_t i = 0; i < last - first; i++) {
                struct bound b = bind(model, &array[i], k);
                if (absent || array[i].present == NULL || array[i].present(b.owner))
                    DSE_TRY(work(user, &b, err));
            }
    }
    return DSE_OK;
}

/* ---- writing ---- */

static void write_indices(const struct bound *b, char *out)
{
    const int32_t *indices;
    memcpy(&indices, b->owner + b->array->at, sizeof indices);
    for (size_t i = 0; i < b->row; i++) {
        int64_t index = indices[i];
        memcpy(out + 8 * i, &index, sizeof index);
    }
}

/* NumPy's strings ("<U12") have four bytes a letter. */
static size_t bytes_of(const char *type)
{
    return (size_t)strtoul(type + 2, NULL, 10) * (type[1] == 'U' ? 4 : 1);
}

static enum dse_status write_array(void *user, struct bound *b, struct dse_error *err)
{
    (void)err;
    const struct dse_model_array *array = b->array;
    b->type = type_of(b);
    b->bytes = bytes_of(b->type);
    count_rows(b);
    char *out = dse_npz_add(user, b->name, b->type, b->bytes, array->rank, b->shape);
    const void *elements = b->owner + array->at;
    if (out == NULL)
        return DSE_OK; /* dse_npz_finish() reports it */
    if (array->get != NULL) {
        for (size_t r = 0; r < b->rows; r++)
            array->get(elements, r, out + r * b->row * b->bytes, b->row);
        return DSE_OK;
    }
    if (array->indices) {
        write_indices(b, out);
        return DSE_OK;
    }
    if (array->rank > 0)
        memcpy(&elements, b->owner + array->at, sizeof elements);
    if (b->rows * b->row > 0)
        memcpy(out, elements, b->rows * b->row * b->bytes);
    return DSE_OK;
}

json_t *dse_model_file_setting(const struct dse_setting *setting)
{
    json_t *object = json_object();
    for (size_t i = 0; i < setting->count; i++)
        json_object_set_new(object, setting->pairs[i].name, json_string(setting->pairs[i].value));
    return object;
}

/* The text of `meta`, malloc'd; NULL if a text is no UTF-8. */
static char *meta_text(const struct dse_model *model)
{
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, model->dataset_hash);
    json_t *meta = json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "schema", SCHEMA, "family", model->executor->family,
                             "tool_version", DSE_VERSION, "dataset", model->dataset, "dataset_hash", hash, "seed",
                             (json_int_t)model->seed);
    if (model->ranked)
        json_object_set_new(meta, "ranked", json_true());
    if (model->executor->model->describe != NULL)
        model->executor->model->describe(model, meta);
    if (json_object_get(meta, "setting") == NULL)
        json_object_set_new(meta, "setting", dse_model_file_setting(&model->words));
    char *text = dse_json_text(meta, JSON_ENSURE_ASCII | JSON_INDENT(1));
    json_decref(meta);
    return text;
}

enum dse_status dse_model_save(const struct dse_model *model, const char *path, struct dse_error *err)
{
    DSE_CLEANUP(dse_free_at) char *meta = meta_text(model);
    if (meta == NULL)
        return dse_fail(err, DSE_LIMIT, "%s: the description cannot be written (is the data set's name UTF-8?)", path);
    struct dse_npz_writer *file = dse_npz_begin();
    dse_npz_add_text(file, "meta", meta);
    each_array(model, false, write_array, file, err);
    return dse_npz_finish(file, path, err);
}

/* ---- checks ---- */

static double element_at(const void *elements, size_t i, const char *type)
{
    return strcmp(type, "<f4") == 0   ? (double)((const float *)elements)[i]
           : strcmp(type, "<f8") == 0 ? ((const double *)elements)[i]
                                      : (double)((const int32_t *)elements)[i];
}

const char *dse_array_ascending(const void *owner, const void *elements, size_t count, const char *type)
{
    (void)owner, (void)type;
    const int64_t *values = elements;
    for (size_t i = 1; i < count; i++)
        if (values[i - 1] >= values[i])
            return "must ascend";
    return NULL;
}

const char *dse_array_positive(const void *owner, const void *elements, size_t count, const char *type)
{
    (void)owner;
    for (size_t i = 0; i < count; i++)
        if (!(element_at(elements, i, type) > 0.0))
            return "must be more than 0";
    return NULL;
}

const char *dse_array_not_negative(const void *owner, const void *elements, size_t count, const char *type)
{
    (void)owner;
    for (size_t i = 0; i < count; i++)
        if (!(element_at(elements, i, type) >= 0.0))
            return "must be 0 or more";
    return NULL;
}

/* ---- reading ---- */

static void keep_found(const struct bound *b)
{
    for (size_t d = 0; d < b->array->rank; d++)
        if (b->array->size[d].found)
            memcpy(b->owner + b->array->size[d].at, &b->shape[d], sizeof b->shape[d]);
}

static enum dse_status keep_indices(const struct bound *b, struct dse_npz *file, const int64_t *index, struct dse_error *err)
{
    int32_t *kept = dse_malloc((b->row + 1) * sizeof *kept);
    memcpy(b->owner + b->array->at, &kept, sizeof kept);
    for (size_t i = 0; i < b->row; i++) {
        if (index[i] < 0 || index[i] > INT32_MAX || (i > 0 && index[i - 1] >= index[i]))
            return dse_fail(err, DSE_BAD_INPUT, "%s: %s: must be ascending %s indices", dse_npz_path(file), b->name,
                            b->model->executor->kind->item);
        kept[i] = (int32_t)index[i];
    }
    return DSE_OK;
}

/* Puts elements into their place; returns the former ones. */
static void *swap_pointer(const struct bound *b, void *elements)
{
    void *before;
    memcpy(&before, b->owner + b->array->at, sizeof before);
    memcpy(b->owner + b->array->at, &elements, sizeof elements);
    return before;
}

/* All elements at once, into memory of their own or the place of a single number. */
static enum dse_status read_whole(struct bound *b, struct dse_npz *file, size_t most, struct dse_error *err)
{
    const struct dse_model_array *array = b->array;
    DSE_CLEANUP(dse_free_at) void *elements = NULL;
    DSE_TRY(dse_npz_read(file, b->name, b->type, b->bytes, array->rank, b->shape, most, &elements, err));
    count_rows(b);
    keep_found(b);
    const char *wrong = array->check != NULL ? array->check(b->owner, elements, b->rows * b->row, b->type) : NULL;
    if (wrong != NULL)
        return dse_npz_wrong(file, b->name, wrong, err);
    if (array->indices)
        return keep_indices(b, file, elements, err);
    if (array->rank == 0)
        memcpy(b->owner + array->at, elements, b->bytes);
    else
        elements = swap_pointer(b, elements);
    return DSE_OK;
}

/* Reads a row at a time, so that the file's rows and the converted ones are never all in memory together. */
static enum dse_status read_rows(struct bound *b, struct dse_npz *file, size_t most, struct dse_error *err)
{
    const struct dse_model_array *array = b->array;
    struct dse_npz_array *open;
    DSE_TRY(dse_npz_array_open(file, b->name, b->type, b->bytes, array->rank, b->shape, most, &open, err));
    count_rows(b);
    keep_found(b);
    void *holder = b->owner + array->at, *row = dse_malloc(b->row * b->bytes + 1);
    enum dse_status status = DSE_OK;
    if (array->open != NULL)
        status = array->open(holder, b->shape, b->model, err);
    for (size_t r = 0; status == DSE_OK && r < b->rows; r++) {
        status = dse_npz_array_read(open, row, b->row, err);
        const char *wrong = status == DSE_OK ? array->put(holder, r, row, b->row) : NULL;
        if (wrong != NULL)
            status = dse_npz_wrong(file, b->name, wrong, err);
    }
    free(row);
    enum dse_status closed = dse_npz_array_close(open, status == DSE_OK, err);
    return status == DSE_OK ? closed : status;
}

static enum dse_status read_array(void *user, struct bound *b, struct dse_error *err)
{
    const struct dse_model_array *array = b->array;
    size_t most = array->most > 0 ? array->most : MAX_ELEMENTS;
    b->type = type_of(b);
    b->bytes = bytes_of(b->type);
    for (size_t d = 0; d < array->rank; d++)
        if (array->size[d].found)
            b->shape[d] = DSE_NPZ_ANY;
    return array->put != NULL ? read_rows(b, user, most, err) : read_whole(b, user, most, err);
}

/* The kind of file, and the data that it was trained on. */
static enum dse_status read_head(struct dse_npz *file, json_t *meta, struct dse_model *model, struct dse_error *err)
{
    const char *schema = json_string_value(json_object_get(meta, "schema"));
    const char *family = json_string_value(json_object_get(meta, "family"));
    const char *name = json_string_value(json_object_get(meta, "dataset"));
    const char *hash = json_string_value(json_object_get(meta, "dataset_hash"));
    char *end = NULL;
    if (schema == NULL || family == NULL)
        return dse_npz_wrong(file, "meta", "has no schema or no family: this is not a model file", err);
    if (strcmp(family, model->executor->family) != 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: is a model of the family %s, not of %s: add --family %s", dse_npz_path(file), family,
                        model->executor->family, family);
    if (strcmp(schema, SCHEMA) != 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: meta: schema %s: must be " SCHEMA, dse_npz_path(file), schema);
    if (name == NULL || hash == NULL || *hash == '\0')
        return dse_npz_wrong(file, "meta", "has no dataset or no dataset_hash", err);
    model->dataset_hash = strtoull(hash, &end, 16);
    if (*end != '\0')
        return dse_npz_wrong(file, "meta", "dataset_hash is not a hexadecimal number", err);
    model->seed = (uint64_t)json_integer_value(json_object_get(meta, "seed"));
    model->ranked = json_is_true(json_object_get(meta, "ranked"));
    model->dataset = dse_strdup(name);
    return DSE_OK;
}

static enum dse_status read_setting(struct dse_npz *file, json_t *meta, struct dse_setting *out, struct dse_error *err)
{
    const char *name;
    json_t *value, *setting = json_object_get(meta, "setting");
    if (!json_is_object(setting))
        return dse_npz_wrong(file, "meta", "has no object called setting", err);
    json_object_foreach(setting, name, value) {
        if (!json_is_string(value))
            return dse_npz_wrong(file, "meta", "the value of a setting is not a text", err);
        dse_setting_put(out, name, json_string_value(value));
    }
    return DSE_OK;
}

enum dse_status dse_model_file_count(struct dse_npz *file, json_t *meta, const char *name, json_int_t most, json_int_t *out,
                                     struct dse_error *err)
{
    json_t *value = json_object_get(meta, name);
    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= 0 && *out <= most
               ? DSE_OK : dse_fail(err, DSE_BAD_INPUT, "%s: meta: %s must be a whole number of 0 to %lld", dse_npz_path(file),
                                   name, (long long)most);
}

/* The text of `meta` as an object. */
static enum dse_status parse_meta(struct dse_npz *file, json_t **meta, struct dse_error *err)
{
    char *text = NULL;
    DSE_TRY(dse_npz_read_text(file, "meta", MAX_META, &text, err));
    json_error_t problem;
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
    free(text);
    if (!json_is_object(value)) {
        const char *why = value == NULL ? problem.text : "this is not a model file";
        enum dse_status status = dse_fail(err, DSE_BAD_INPUT, "%s: meta: is not a JSON object: %s", dse_npz_path(file), why);
        json_decref(value);
        return status;
    }
    *meta = value;
    return DSE_OK;
}

static void free_json(json_t **value)
{
    json_decref(*value);
}

static enum dse_status read_meta(struct dse_npz *file, struct dse_model *model, struct dse_error *err)
{
    DSE_CLEANUP(free_json) json_t *meta = NULL;
    struct dse_error inner = {0};
    DSE_TRY(parse_meta(file, &meta, err));
    DSE_TRY(read_head(file, meta, model, err));
    DSE_TRY(read_setting(file, meta, &model->words, err));
    dse_knobs_complete(model->executor->knobs, &model->words);
    if (dse_knobs_trained_values(model->executor->knobs, &model->words, NULL, &inner) != DSE_OK)
        return dse_npz_wrong(file, "meta", inner.message, err);
    return model->executor->model->read(model, meta, file, err);
}

static enum dse_status read_model(struct dse_npz *file, struct dse_model *model, struct dse_error *err)
{
    DSE_TRY(read_meta(file, model, err));
    model->split.validation = NULL;
    DSE_TRY(each_array(model, false, read_array, file, err)); /* kinds with a split of their own have a validation part always, be it empty */
    if (model->split.validation == NULL && dse_npz_has(file, "validation_index")) {
        struct bound b = bind(model, &split_arrays[SPLIT_ARRAYS - 1], 0);
        DSE_TRY(read_array(file, &b, err));
    }
    return model->executor->model->finish != NULL ? model->executor->model->finish(model, file, err) : DSE_OK;
}

/* Closes the file. */
static enum dse_status load(const struct dse_executor *executor, struct dse_npz *file, struct dse_model **out,
                            struct dse_error *err)
{
    struct dse_model *model = dse_calloc(1, executor->model->bytes);
    model->executor = executor;
    enum dse_status status = read_model(file, model, err);
    dse_npz_close(file);
    if (status == DSE_OK)
        *out = model;
    else
        dse_model_free(model);
    return status;
}

enum dse_status dse_model_load(const struct dse_executor *executor, const char *path, struct dse_model **out,
                               struct dse_error *err)
{
    *out = NULL;
    struct dse_npz *file;
    DSE_TRY(dse_npz_open(path, &file, err));
    return load(executor, file, out, err);
}

enum dse_status dse_model_load_memory(const struct dse_executor *executor, const void *bytes, size_t size, const char *name,
                                      struct dse_model **out, struct dse_error *err)
{
    *out = NULL;
    struct dse_npz *file;
    DSE_TRY(dse_npz_open_memory(bytes, size, name, &file, err));
    return load(executor, file, out, err);
}

/* ---- beginning and end ---- */

enum dse_status dse_model_begin(const struct dse_executor *executor, const struct dse_dataset *data,
                                const struct dse_setting *setting, const struct dse_run *run, struct dse_model **out,
                                struct dse_error *err)
{
    *out = NULL;
    DSE_TRY(dse_executor_takes(executor, data, err));
    DSE_TRY(dse_knobs_trained_values(executor->knobs, setting, NULL, err));
    struct dse_model *model = dse_calloc(1, executor->model->bytes);
    model->executor = executor;
    model->seed = run->seed;
    model->dataset_hash = data->hash;
    model->ranked = data->ranked;
    model->dataset = dse_strdup(data->name);
    dse_setting_copy(setting, &model->words);
    enum dse_status status = dse_executor_split(executor, data, run, &model->split, err);
    if (status == DSE_OK)
        *out = model;
    else
        dse_model_free(model);
    return status;
}

static enum dse_status free_array(void *user, struct bound *b, struct dse_error *err)
{
    (void)user, (void)err;
    if (b->array->rank > 0 && b->array->get == NULL)
        free(swap_pointer(b, NULL));
    return DSE_OK;
}

void dse_model_rank(const struct dse_model *model, struct dse_dataset *data)
{
    if (model->ranked && !data->ranked && data->kind->rank_edges != NULL)
        data->kind->rank_edges(data);
}

void dse_model_free(struct dse_model *model)
{
    if (model == NULL)
        return;
    each_array(model, true, free_array, NULL, NULL);
    if (model->executor->model->release != NULL)
        model->executor->model->release(model);
    dse_setting_free(&model->words);
    free(model->dataset);
    free(model);
}
