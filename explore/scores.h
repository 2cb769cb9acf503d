/* Scores of an interrupted survey, stored so that the next one resumes from them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/setting.h"

struct dse_score {
    char *key;
    double value;
};

/* Empty when zeroed. */
struct dse_scores {
    struct dse_score *scores; /* count */
    size_t count;
};

/* Reads a file of dse_scores_write; a missing or other file gives no scores. */
void dse_scores_read(const char *path, struct dse_scores *out);

/* Writes the scores, one per line, atomically; without scores removes the file. False on failure. */
bool dse_scores_write(const struct dse_scores *scores, const char *path);

/* Score of a setting on the split of a seed, on its validation part (`inside`) or its held-out part; false if
 * missing. O(count). */
bool dse_scores_find(const struct dse_scores *scores, const struct dse_setting *setting, uint64_t seed, bool inside, double *out);

/* Adds a score that is not present yet. O(count). */
void dse_scores_add(struct dse_scores *scores, const struct dse_setting *setting, uint64_t seed, bool inside, double value);

void dse_scores_free(struct dse_scores *scores);
