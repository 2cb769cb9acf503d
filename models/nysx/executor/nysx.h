/* The executor of the NysX family. */
#pragma once

#include "executor/executor.h"

extern const struct dse_executor nysx_executor;

/* The preset `paper`: the setting of the NysX paper as far as known, bundled and bipolar as in its section 2
 * (adaptive training is `retrain` 20). A data set that is not in the paper gets the values of the
 * paper's sets of its kind: see preset.c. DSE_BAD_USAGE for another name. */
enum dse_status nysx_preset(const char *name, const struct dse_dataset *data, size_t trained,
                            struct dse_setting *out, struct dse_error *err);

/* Whether each training part has enough graphs for the setting's landmarks (struct dse_executor). */
bool nysx_serves(const struct dse_dataset *data, const struct dse_setting *words, size_t trained, struct dse_error *why);

/* Notes which features are used if a set has labels and attributes. */
const char *nysx_remark(const struct dse_dataset *data, const struct dse_setting *words);

/* The most accurate factored projection (docs/evidence/accuracy.md), with few enough landmarks for small sets. */
#define NYSX_RACED_FACTOR "nee.generator=sign nee.phi_bits=8 landmarks=64"

extern const struct dse_race_plan nysx_race;
