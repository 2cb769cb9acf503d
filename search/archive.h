/* A Pareto archive of points. */
#pragma once

#include "search/forest.h"
#include "search/search.h"

/* The non-dominated points so far. Of points with equal objectives, the one with the least energy is kept, then the one
 * with the smallest configuration (compared knob by knob). The content therefore does not depend on insertion order. */
struct dse_archive {
    enum dse_metric objectives[DSE_OBJECTIVE_MAX];
    size_t objective_count;
    bool worst; /* larger costs win */
    struct dse_point *points;
    double *costs; /* count × objective_count, lower is better */
    size_t count, capacity;
    struct dse_forest *forest; /* the costs, by index; NULL until needed */
    uint32_t *beaten;          /* capacity: indices of points that a new point dominates */
};

void dse_archive_init(struct dse_archive *archive, const enum dse_metric *objectives, size_t count);
void dse_archive_free(struct dse_archive *archive);

/* Whether a point with these costs would be dominated, strictly in some objective. */
bool dse_archive_dominates(const struct dse_archive *archive, const double *costs);

/* Adds the point unless it is dominated; removes points that it dominates. */
void dse_archive_insert(struct dse_archive *archive, const struct dse_point *point);

/* Sorts by the objectives in order, then by configuration. */
void dse_archive_sort(struct dse_archive *archive);

/* Ends a search: moves the sorted points to the answer's front, sets its outcome, and frees the archive. */
void dse_archive_hand_over(struct dse_archive *archive, struct dse_answer *answer);

/* Compares knob by knob: negative, 0 or positive. */
int dse_config_compare(const struct dse_config *a, const struct dse_config *b);
