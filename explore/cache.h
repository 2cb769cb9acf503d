/* Cache of profiles of surveyed data sets, in $XDG_CACHE_HOME/nysx-dse/profiles, otherwise ~/.cache. */
#pragma once

#include <stdint.h>

#include "datasets/profile.h"

/* Cache file for a family's survey of the data with that hash, by this program version and seed; malloc'd. NULL if the
 * environment names no place. */
char *dse_cache_path(const char *family, uint64_t hash, uint64_t seed);

/* Reads a cached profile; NULL if there is no readable one for the family and data. DSE_LIMIT on a system error:
 * the cached profile may still be valid. */
enum dse_status dse_cache_find(const char *path, const char *family, uint64_t hash, struct dse_profile **out, struct dse_error *err);

/* Creates the folder of a file; false on failure. */
bool dse_cache_prepare(const char *path);

/* Writes a profile to the cache. A failure is not an error of the question: false. */
bool dse_cache_keep(const char *path, const struct dse_profile *profile);
