#include "executor/model_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/version.h"

#define SCHEMA "nysx-dse.model/1"
#define MAX_INDICES ((size_t)1 << 28) /* a bound of what is read at all, well above any real model */

json_t *dse_model_file_setting(const struct dse_setting *setting)
{
    json_t *object = json_object();
    for (size_t i = 0; i < setting->count; i++)
        json_object_set_new(object, setting->pairs[i].name, json_string(setting->pairs[i].value));
    return object;
}

char *dse_model_file_meta(const char *family, const char *dataset, uint64_t dataset_hash, uint64_t seed, json_t *rest)
{
    char hash[24], *text = NULL;
    snprintf(hash, sizeof hash, "%016" PRIx64, dataset_hash);
    json_t *meta = json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "schema", SCHEMA, "family", family, "tool_version",
                             DSE_VERSION, "dataset", dataset, "dataset_hash", hash, "seed", (json_int_t)seed);
    if (rest != NULL && json_object_update(meta, rest) == 0)
        text = json_dumps(meta, JSON_ENSURE_ASCII | JSON_INDENT(1));
    json_decref(rest);
    json_decref(meta);
    return text;
}

void dse_model_file_add_indices(struct dse_npz_writer *file, const char *name, const int32_t *indices, size_t count)
{
    char *out = dse_npz_add(file, name, "<i8", 8, 1, &count);
    for (size_t i = 0; out != NULL && i < count; i++) {
        int64_t index = indices[i];
        memcpy(out + 8 * i, &index, sizeof index);
    }
}

/* What the file is, and what it was trained on. */
static enum dse_status read_head(struct dse_npz *file, json_t *meta, const char *expected, char **dataset,
                                 uint64_t *dataset_hash, struct dse_error *err)
{
    const char *schema = json_string_value(json_object_get(meta, "schema"));
    const char *family = json_string_value(json_object_get(meta, "family"));
    const char *name = json_string_value(json_object_get(meta, "dataset"));
    const char *hash = json_string_value(json_object_get(meta, "dataset_hash"));
    char *end = NULL;
    if (schema == NULL || family == NULL)
        return dse_npz_wrong(file, "meta", "has no schema or no family: this is no model file", err);
    if (strcmp(family, expected) != 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: is a model of the family %s, not of %s", dse_npz_path(file), family,
                        expected);
    if (strcmp(schema, SCHEMA) != 0)
        return dse_fail(err, DSE_BAD_INPUT, "%s: meta: schema %s: must be " SCHEMA, dse_npz_path(file), schema);
    if (name == NULL || hash == NULL || *hash == '\0')
        return dse_npz_wrong(file, "meta", "has no dataset or no dataset_hash", err);
    *dataset_hash = strtoull(hash, &end, 16);
    if (*end != '\0')
        return dse_npz_wrong(file, "meta", "dataset_hash is no hexadecimal number", err);
    *dataset = strdup(name);
    return *dataset != NULL ? DSE_OK : dse_fail_memory(err);
}

static enum dse_status read_setting(struct dse_npz *file, json_t *meta, struct dse_setting *out, struct dse_error *err)
{
    const char *name;
    json_t *value, *setting = json_object_get(meta, "setting");
    if (!json_is_object(setting))
        return dse_npz_wrong(file, "meta", "has no object called setting", err);
    json_object_foreach(setting, name, value) {
        if (!json_is_string(value))
            DSE_TRY(dse_npz_wrong(file, "meta", "a setting's value is no text", err));
        DSE_TRY(dse_setting_put(out, name, json_string_value(value), err));
    }
    return DSE_OK;
}

/* The text of `meta` as an object. */
static enum dse_status parse_meta(struct dse_npz *file, size_t most, json_t **meta, struct dse_error *err)
{
    char *text = NULL;
    enum dse_status status = dse_npz_read_text(file, "meta", most, &text, err);
    if (status != DSE_OK)
        return status;
    json_error_t problem;
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
    free(text);
    if (!json_is_object(value)) {
        const char *why = value == NULL ? problem.text : "this is no model file";
        status = dse_fail(err, DSE_BAD_INPUT, "%s: meta: is no JSON object: %s", dse_npz_path(file), why);
        json_decref(value);
        return status;
    }
    *meta = value;
    return DSE_OK;
}

enum dse_status dse_model_file_read_meta(struct dse_npz *file, const char *family, size_t most, json_t **meta,
                                         char **dataset, uint64_t *dataset_hash, struct dse_setting *setting,
                                         struct dse_error *err)
{
    *meta = NULL;
    enum dse_status status = parse_meta(file, most, meta, err);
    if (status == DSE_OK)
        status = read_head(file, *meta, family, dataset, dataset_hash, err);
    if (status == DSE_OK)
        status = read_setting(file, *meta, setting, err);
    if (status == DSE_OK)
        return DSE_OK;
    json_decref(*meta);
    *meta = NULL;
    return status;
}

enum dse_status dse_model_file_read_indices(struct dse_npz *file, const char *name, const char *called, size_t *count,
                                            int32_t **out, struct dse_error *err)
{
    void *read = NULL;
    enum dse_status status = dse_npz_read(file, name, "<i8", 8, 1, count, MAX_INDICES, &read, err);
    if (status != DSE_OK)
        return status;
    const int64_t *index = read;
    int32_t *kept = malloc((*count + 1) * sizeof *kept);
    if (kept == NULL)
        status = dse_fail_memory(err);
    for (size_t i = 0; status == DSE_OK && i < *count; i++) {
        if (index[i] < 0 || index[i] > INT32_MAX || (i > 0 && index[i - 1] >= index[i]))
            status = dse_fail(err, DSE_BAD_INPUT, "%s: %s: must be %s indices that ascend", dse_npz_path(file), name,
                              called);
        else
            kept[i] = (int32_t)index[i];
    }
    free(read);
    if (status != DSE_OK)
        free(kept);
    else
        *out = kept;
    return status;
}

enum dse_status dse_model_file_read_split(struct dse_npz *file, const char *called, struct dse_split *out,
                                          struct dse_error *err)
{
    out->n_train = out->n_test = DSE_NPZ_ANY;
    DSE_TRY(dse_model_file_read_indices(file, "train_index", called, &out->n_train, &out->train, err));
    return dse_model_file_read_indices(file, "test_index", called, &out->n_test, &out->test, err);
}
