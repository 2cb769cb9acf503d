/* The data of a profile, for those who train on them: at hand, or made up of the profile's shape. */
#pragma once

#include "datasets/dataset.h"
#include "datasets/profile.h"
#include "explore/request.h"

/* Finds the data that a profile was measured on. Asked in order: the data sets that the request names; those that the command of
 * --from's study named, seen from the working folder and from the study's; the profile's name in "data-dir"; where that is NAME-N, the N
 * most connected entities of NAME there. Data with the profile's hash are preferred to other data of these names. DSE_BAD_USAGE or DSE_BAD_INPUT with the places looked at where nothing
 * is found. `out` is the caller's. */
enum dse_status dse_data_find(const struct dse_request *request, const struct dse_profile *profile, struct dse_dataset **out, struct dse_error *err);

/* Makes up data of the shape that a profile's facts tell, called NAME-made-up: as many items and classes, labels alike, means a
 * tenth below, so that what a design holds of the data is room enough.
 * Equal facts and seeds give equal data. DSE_BAD_USAGE for a kind of which none is made up. */
enum dse_status dse_data_imitate(const struct dse_kind *kind, const struct dse_profile *profile, uint64_t seed, struct dse_dataset **out,
                                 struct dse_error *err);
