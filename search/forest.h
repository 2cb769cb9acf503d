/* A set of vectors with fast queries for members that are nowhere larger, or nowhere smaller, than a given vector: the core of
 * every dominance test.
 *
 * A forest of k-d trees with doubling sizes (J. L. Bentley, J. B. Saxe, "Decomposable searching problems I: static-to-
 * dynamic transformation", J. Algorithms 1, 1980). A leaf holds 16 vectors in parallel lanes; a node holds the minimum and
 * maximum of each component below it. A query among n members takes O(n) at worst, usually a small share of that;
 * insertion takes O(log² n) amortised. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dse_forest;

struct dse_forest *dse_forest_create(size_t dimensions);
void dse_forest_free(struct dse_forest *forest);

/* Adds a vector under an unused number; numbers should be small, because tables are indexed by them. A vector with a
 * NaN component is never found. */
void dse_forest_add(struct dse_forest *forest, uint32_t id, const double *vector);

/* Replaces the content by `count` vectors with the numbers 0, 1 … */
void dse_forest_fill(struct dse_forest *forest, const double *vectors, size_t count);

/* Whether a member that is nowhere larger ends the query. */
typedef bool dse_forest_judge(void *user, uint32_t id);

/* Finds a member that is nowhere larger than `vector` and that the judge (NULL: any) accepts. Thread-safe while the forest is not changed. */
bool dse_forest_find_below(const struct dse_forest *forest, const double *vector, dse_forest_judge *judge, void *user,
                           uint32_t *id);

/* Removes the members that are nowhere smaller; `ids` has room for all members. Returns their number. */
size_t dse_forest_take_above(struct dse_forest *forest, const double *vector, uint32_t *ids);

/* Renumbers a member. */
void dse_forest_rename(struct dse_forest *forest, uint32_t from, uint32_t to);
