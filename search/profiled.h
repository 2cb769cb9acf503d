/* What a profile holds of a configuration: its workload and its quality. */
#ifndef DSE_SEARCH_PROFILED_H
#define DSE_SEARCH_PROFILED_H

#include "datasets/profile.h"
#include "space/space.h"

/* The workload of a configuration; NULL where the profile has none. */
enum dse_status dse_profile_find_work(const struct dse_space *space, const struct dse_profile *profile,
                                      const struct dse_config *config, const struct dse_workload **out, struct dse_error *err);

/* The same where there must be one: DSE_BAD_USAGE naming what the profile holds instead. */
enum dse_status dse_profile_work(const struct dse_space *space, const struct dse_profile *profile, const struct dse_config *config,
                                 const struct dse_workload **out, struct dse_error *err);

/* The quality measured at a configuration's algorithmic setting, or NULL. */
const struct dse_quality *dse_profile_quality_of(const struct dse_space *space, const struct dse_profile *profile,
                                                 const struct dse_config *config);

#endif
