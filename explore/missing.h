/* --measure: what a profile lacks of a design's algorithmic setting, trained and measured on the data set. */
#pragma once

#include "explore/workbench.h"

/* Where the profile `index` has no work or no quality for the configuration's algorithmic setting, opens the data set by
 * its name (or the --dataset that leads to it), measures both, and puts the extended profile in the old one's place.
 * DSE_BAD_INPUT where the data are not those of the profile. */
enum dse_status dse_missing_fill(const struct dse_request *request, struct dse_workbench *bench, size_t index,
                                   const struct dse_config *config, struct dse_error *err);
