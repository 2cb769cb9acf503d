/* Single scores of a survey that was ended before its end, kept so that the next one goes on from them. */
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

/* Reads what dse_scores_write wrote; a file that is not there, or is no such file, holds nothing. */
void dse_scores_read(const char *path, struct dse_scores *out);

/* Writes them, a line each, atomically; with no scores it removes the file. False where it cannot. */
bool dse_scores_write(const struct dse_scores *scores, const char *path);

/* The score of a setting on the split of a seed, of its validation part (`inside`) or of what it holds out; false where there is
 * none. O(count). */
bool dse_scores_find(const struct dse_scores *scores, const struct dse_setting *setting, uint64_t seed, bool inside, double *out);

/* Adds one that is not there yet. O(count). */
void dse_scores_add(struct dse_scores *scores, const struct dse_setting *setting, uint64_t seed, bool inside, double value);

void dse_scores_free(struct dse_scores *scores);
