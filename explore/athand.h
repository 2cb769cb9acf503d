/* Data of a profile for training: found on disk, or generated in the profile's shape. */
#pragma once

#include "datasets/dataset.h"
#include "datasets/profile.h"
#include "explore/request.h"

/* Finds the data that a profile was measured on. The search begins with data sets named in the request. Next are those named by the command of
 * --from's study, relative to the working folder and to the study's. Then comes the profile's name in "data-dir"; and for a name NAME-N, the N most
 * connected entities of NAME there. Among these, data with the profile's hash are preferred. DSE_BAD_USAGE or DSE_BAD_INPUT, listing the places
 * searched, if nothing is found. The caller owns `out`. */
enum dse_status dse_data_find(const struct dse_request *request, const struct dse_profile *profile, struct dse_dataset **out, struct dse_error *err);

/* Generates data in the shape stated by a profile's facts, named NAME-made-up: the same numbers of items and classes, and similar labels. Means are a
 * tenth below the facts, so that a design's capacities suffice. Equal facts and seeds give equal data. DSE_BAD_USAGE for a kind without a generator. */
enum dse_status dse_data_imitate(const struct dse_kind *kind, const struct dse_profile *profile, uint64_t seed, struct dse_dataset **out,
                                 struct dse_error *err);
