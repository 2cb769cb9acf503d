/* Profiles of surveyed data sets, kept for the next question: in $XDG_CACHE_HOME/nysx-dse/profiles, else ~/.cache. */
#pragma once

#include <stdint.h>

#include "datasets/profile.h"

/* The file of a family's survey of data with that hash, by this version of the program and that seed; malloc'd. NULL where the
 * environment names no place. */
char *dse_cache_path(const char *family, uint64_t hash, uint64_t seed);

/* The profile kept there; NULL where there is none that can be read and is of the family and the data. DSE_LIMIT where the system
 * rejects: what is kept there is then not known to be stale. */
enum dse_status dse_cache_find(const char *path, const char *family, uint64_t hash, struct dse_profile **out, struct dse_error *err);

/* Makes the folder of a file; false where it cannot. */
bool dse_cache_prepare(const char *path);

/* Keeps it. A cache that cannot be written is no failure of the question: false. */
bool dse_cache_keep(const char *path, const struct dse_profile *profile);
