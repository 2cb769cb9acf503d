/* The executor of the NysX family. */
#pragma once

#include "executor/executor.h"

extern const struct dse_executor nysx_executor;

/* `paper`: what the NysX paper ran as far as it is known, bundled and bipolar as its section 2 says
 * (adaptive training is `retrain` 20). A data set that the paper does not have gets the values of the
 * paper's sets of its kind: see preset.c. DSE_BAD_USAGE for another name. */
enum dse_status nysx_preset(const char *name, const struct dse_dataset *data, size_t trained,
                            struct dse_setting *out, struct dse_error *err);

/* Whether each training part has as many graphs as a setting asks landmarks of (struct dse_executor). */
bool nysx_serves(const struct dse_dataset *data, const struct dse_setting *words, size_t trained, struct dse_error *why);

/* The features that it reads where a set has labels and attributes. */
const char *nysx_remark(const struct dse_dataset *data, const struct dse_setting *words);

/* The factored projection that loses least accuracy (docs/evidence/accuracy.md), with landmarks that small sets have too. */
#define NYSX_RACED_FACTOR "nee.generator=sign nee.phi_bits=8 landmarks=64"

extern const struct dse_race_plan nysx_race;
