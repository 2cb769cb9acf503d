/* The entries of a profile for a configuration: its workload and its quality, and what that is held against. */
#pragma once

#include "datasets/profile.h"
#include "space/space.h"

/* The workload of a configuration; NULL where the profile has none. */
const struct dse_workload *dse_profile_find_work(const struct dse_space *space, const struct dse_profile *profile,
                                                 const struct dse_config *config);

/* The same where there must be one: DSE_BAD_USAGE naming what the profile holds instead. */
enum dse_status dse_profile_work(const struct dse_space *space, const struct dse_profile *profile, const struct dse_config *config,
                                 const struct dse_workload **out, struct dse_error *err);

/* The quality measured at a configuration's algorithmic setting, or NULL. */
const struct dse_quality *dse_profile_quality_of(const struct dse_space *space, const struct dse_profile *profile,
                                                 const struct dse_config *config);

/* The setting that qualities are held against: the profile's preset, trained as the family's preset DSE_REFERENCE is. `out` comes empty. */
#define DSE_REFERENCE "paper"
void dse_profile_reference(const struct dse_profile *profile, struct dse_setting *out);

/* Its quality; that of the preset itself where only that was measured; NULL where neither was. */
const struct dse_quality *dse_profile_reference_quality(const struct dse_profile *profile);

#define DSE_QUALITY_DROP 0.01 /* of the rule, where nothing else is asked */

/* The reference of a measured quality; NaN where it is not known. */
struct dse_standard {
    double majority; /* the share of the most common class: the accuracy of a constant prediction */
    double preset;   /* the mean of dse_profile_reference() */
    double drop;     /* how far below that a mean may fall; infinity: as far as it likes */
    double floor;    /* the least mean of designs that count: within the drop, and above the majority; −infinity without a rule */
};

/* The standard of a data set by the rule of a drop; infinity: without a rule. O(qualities). */
void dse_standard_make(const struct dse_profile *profile, double drop, struct dse_standard *out);

/* Whether a mean is above the accuracy of a constant prediction; also where that is not known. */
bool dse_standard_beats_majority(const struct dse_standard *standard, double mean);
