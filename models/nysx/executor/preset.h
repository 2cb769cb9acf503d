/* Full settings by name and data set. */
#ifndef DSE_EXECUTOR_NYSX_PRESET_H
#define DSE_EXECUTOR_NYSX_PRESET_H

#include "datasets/dataset.h"
#include "core/setting.h"

/* `paper`: what the NysX paper ran as far as it is known, bundled and bipolar as its section 2 says
 * (adaptive training is `retrain` 20). A data set that the paper does not have gets the values of the
 * paper's sets of its kind: see preset.c. DSE_BAD_USAGE for another name. */
enum dse_status nysx_preset(const char *name, const struct dse_dataset *data, size_t folds,
                            struct dse_setting *out, struct dse_error *err);

/* Whether each training part has as many graphs as a setting asks landmarks of (struct dse_executor). */
bool nysx_serves(const struct dse_dataset *data, const struct dse_setting *words, size_t folds, struct dse_error *why);

/* What it reads where a set has labels and attributes. */
const char *nysx_remark(const struct dse_dataset *data, const struct dse_setting *words);

#endif
