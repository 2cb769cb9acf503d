/* What the model files of all families have in common: `meta`, a JSON object that says what the model is, and arrays of
 * indices into the data it was trained on. */
#ifndef DSE_EXECUTOR_MODEL_FILE_H
#define DSE_EXECUTOR_MODEL_FILE_H

#include <jansson.h>

#include "core/setting.h"
#include "executor/npz.h"
#include "datasets/split.h"

/* The text of `meta`, malloc'd: schema, family, version, data set, its hash and the seed, then the entries of `rest`
 * (which is released) in their order. NULL where memory runs out, `rest` is NULL or a text is no UTF-8. */
char *dse_model_file_meta(const char *family, const char *dataset, uint64_t dataset_hash, uint64_t seed, json_t *rest);

/* A setting as a JSON object of texts; NULL when memory runs out. */
json_t *dse_model_file_setting(const struct dse_setting *setting);

/* Adds indices as 64-bit numbers. */
void dse_model_file_add_indices(struct dse_npz_writer *file, const char *name, const int32_t *indices, size_t count);

/* Reads `meta`, a text of up to `most` characters, of a model of `family`: its data set (malloc'd), the hash, and the
 * setting, which is not checked. `*meta` is the caller's to release (json_decref); NULL on failure. */
enum dse_status dse_model_file_read_meta(struct dse_npz *file, const char *family, size_t most, json_t **meta,
                                         char **dataset, uint64_t *dataset_hash, struct dse_setting *setting,
                                         struct dse_error *err);

/* Reads `*count` indices (DSE_NPZ_ANY: as many as there are) that ascend in 0 … 2^31 − 1; `called` is what messages call
 * their items ("graph"). `*out` is malloc'd. */
enum dse_status dse_model_file_read_indices(struct dse_npz *file, const char *name, const char *called, size_t *count,
                                            int32_t **out, struct dse_error *err);

/* Reads train_index and test_index. */
enum dse_status dse_model_file_read_split(struct dse_npz *file, const char *called, struct dse_split *out,
                                          struct dse_error *err);

#endif
