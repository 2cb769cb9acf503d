/* --measure: trains and measures a design's algorithmic setting if the profile lacks it. */
#pragma once

#include "explore/workbench.h"

/* Measures workload and quality of the configuration's algorithmic setting if the profile `index` lacks one of them. Opens the data set by
 * its name (or by --dataset) and replaces the profile by the extended one.
 * DSE_BAD_INPUT if the data are not those of the profile. */
enum dse_status dse_missing_fill(const struct dse_request *request, struct dse_workbench *bench, size_t index,
                                   const struct dse_config *config, struct dse_error *err);
