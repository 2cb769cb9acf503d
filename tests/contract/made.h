/* Generated data and small settings for any family, based only on its kind of data. */
#pragma once

#include "executor/executor.h"

/* A path of this process in the temporary folder; malloc'd. */
char *made_path(const char *name);

/* A small generated data set of the family's kind. Free with dse_dataset_free. */
struct dse_dataset *made_data(const struct dse_executor *executor, uint64_t seed);

/* A generated data set of `items` items, or the generator's default if larger. */
struct dse_dataset *made_data_of(const struct dse_executor *executor, uint64_t seed, size_t items);

/* The preset "paper" for that data, with large whole numbers made small, so that a training run takes milliseconds. */
struct dse_setting made_setting(const struct dse_executor *executor, const struct dse_dataset *data);

/* Any preset for that data (NULL: the first preset), with whole numbers up to `largest`. */
struct dse_setting made_setting_of(const struct dse_executor *executor, const char *preset, const struct dse_dataset *data, int64_t largest);

/* A model trained on `data` at `setting`. */
struct dse_model *made_model(const struct dse_executor *executor, const struct dse_dataset *data, const struct dse_setting *setting,
                             size_t jobs, struct dse_training *result);
