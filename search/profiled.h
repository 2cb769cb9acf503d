/* A profile's entries for a configuration: workload, quality, and the reference for qualities. */
#pragma once

#include "datasets/profile.h"
#include "space/space.h"

/* Completes a profile that was read: a knob that a stored quality does not name was at its default, and the quality applies to that value only. */
void dse_profile_complete(const struct dse_knobs *knobs, struct dse_profile *profile);

/* Workload of a configuration; NULL if not in the profile. */
const struct dse_workload *dse_profile_find_work(const struct dse_space *space, const struct dse_profile *profile,
                                                 const struct dse_config *config);

/* As dse_profile_find_work, if it must be present: DSE_BAD_USAGE lists the profile's workloads. */
enum dse_status dse_profile_work(const struct dse_space *space, const struct dse_profile *profile, const struct dse_config *config,
                                 const struct dse_workload **out, struct dse_error *err);

/* Quality measured at a configuration's algorithmic setting, or NULL. */
const struct dse_quality *dse_profile_quality_of(const struct dse_space *space, const struct dse_profile *profile,
                                                 const struct dse_config *config);

/* Reference setting for qualities: the profile's preset, trained as the family's preset DSE_REFERENCE. `out` must be empty. */
#define DSE_REFERENCE "paper"
#define DSE_LITERAL "literal" /* training by the publication's text, in families where it differs from DSE_REFERENCE */
void dse_profile_reference(const struct dse_profile *profile, struct dse_setting *out);

/* Quality of the reference; NULL if not measured. */
const struct dse_quality *dse_profile_reference_quality(const struct dse_profile *profile);

/* The preset whose training a quality is of: DSE_REFERENCE or DSE_LITERAL; NULL: of neither, or the family's do not differ. */
const char *dse_quality_training(const struct dse_knobs *knobs, const struct dse_quality *quality);

#define DSE_QUALITY_DROP 0.01 /* default of the rule, in units of dse_drop_unit() */

/* The unit of a drop below a reference, so that it does not depend on the metric's unit. For errors, ranks and losses it is the reference's magnitude. For other metrics
 * it is the larger of this magnitude and 1. */
double dse_drop_unit(const char *metric, double reference);

/* Reference of a measured quality; NaN if unknown. */
struct dse_standard {
    double majority; /* dse_quality_constant() of the measured metric */
    double preset;   /* mean of dse_profile_reference() */
    double drop;     /* allowed drop of a mean below the preset, in the metric's unit; infinity: any */
    double floor;    /* least mean of designs that count: within the drop, and above the majority; −infinity without a rule */
};

/* Reference of a data set with a drop in units of dse_drop_unit(); infinity: no rule. O(qualities). */
void dse_standard_make(const struct dse_profile *profile, double drop, struct dse_standard *out);

/* Whether a mean is above the accuracy of a constant prediction; true if that is unknown. */
bool dse_standard_beats_majority(const struct dse_standard *standard, double mean);
