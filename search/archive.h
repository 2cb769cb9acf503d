/* A Pareto archive of points. */
#pragma once

#include "search/forest.h"
#include "search/search.h"

/* The non-dominated points so far. Of points with equal objectives it keeps the one with the least energy, then the one
 * with the smallest configuration (knob by knob). The content therefore does not depend on the order of insertion. */
struct dse_archive {
    enum dse_metric objectives[DSE_OBJECTIVE_MAX];
    size_t objective_count;
    bool worst; /* larger costs win */
    struct dse_point *points;
    double *costs; /* count × objective_count, smaller is better */
    size_t count, capacity;
    struct dse_forest *forest; /* the costs, by their place; NULL until somebody asks */
    uint32_t *beaten;          /* capacity: the places of those that a new point dominates */
};

void dse_archive_init(struct dse_archive *archive, const enum dse_metric *objectives, size_t count);
void dse_archive_free(struct dse_archive *archive);

/* Whether a point with these costs would be dominated, strictly somewhere. */
bool dse_archive_dominates(const struct dse_archive *archive, const double *costs);

/* Adds the point unless it is dominated; drops those that it dominates. */
void dse_archive_insert(struct dse_archive *archive, const struct dse_point *point);

/* Sorts by the objectives in order, then the configuration. */
void dse_archive_sort(struct dse_archive *archive);

/* The end of a search: its points, sorted, become the answer's front and decide its outcome, and the archive is freed. */
void dse_archive_hand_over(struct dse_archive *archive, struct dse_answer *answer);

/* Below, at or above 0: knob after knob. */
int dse_config_compare(const struct dse_config *a, const struct dse_config *b);
