/* A share of a study's trainings, for clusters: each machine measures its part into a file of its own, and the study takes them
 * all (dse_study_merge). */
#ifndef DSE_EXPLORE_SHARD_H
#define DSE_EXPLORE_SHARD_H

#include "explore/request.h"

/* Which of how many. */
struct dse_shard {
    size_t index, count; /* from 0; at least 1 */
};

/* "3/16": index 2 of 16. DSE_BAD_USAGE. */
enum dse_status dse_shard_read(const char *text, struct dse_shard *out, struct dse_error *err);

struct dse_shard_done {
    size_t settings; /* that may have to be measured, as far as the study knows */
    size_t tasks;    /* of this share: a setting and a seed each */
    size_t made, found; /* trained now, and kept before */
};

/* Asks what the study at `path` was asked again, and trains this share of the settings that it lacks into the study at `part`, each
 * kept as soon as it is done; what `part` holds already is not trained again. `given` says "data-dir", threads and who listens.
 * DSE_BAD_USAGE where the study has nothing to measure; DSE_CANCELLED. */
enum dse_status dse_shard_train(const struct dse_request *given, const char *path, const char *part, const struct dse_shard *shard,
                                struct dse_shard_done *out, struct dse_error *err);

#endif
