/* A set of vectors that tells quickly which of its members are nowhere larger, or nowhere smaller, than a given one: what
 * every test of dominance comes down to.
 *
 * It is a forest of k-d trees whose sizes double (J. L. Bentley, J. B. Saxe, "Decomposable searching problems I: static-to-
 * dynamic transformation", J. Algorithms 1, 1980). A tree's leaves hold 16 vectors side by side, and every node the least and
 * the most of each component below it. Finding among n members takes O(n) at worst and a small share of that as a rule;
 * adding takes O(log² n) amortised. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dse_forest;

struct dse_forest *dse_forest_create(size_t dimensions);
void dse_forest_free(struct dse_forest *forest);

/* Adds a vector under a number that no member has; numbers should be small, for tables are kept by them. A component that
 * is NaN is in nobody's way: such a vector is never found. */
void dse_forest_add(struct dse_forest *forest, uint32_t id, const double *vector);

/* Makes the forest hold `count` vectors under the numbers 0, 1 … and nothing else. */
void dse_forest_fill(struct dse_forest *forest, const double *vectors, size_t count);

/* Whether a member that is nowhere larger shall end the search. */
typedef bool dse_forest_judge(void *user, uint32_t id);

/* Finds a member that is nowhere larger than `vector` and that the judge (NULL: whichever) accepts. Several threads may do so
 * at once while nobody changes the forest. */
bool dse_forest_find_below(const struct dse_forest *forest, const double *vector, dse_forest_judge *judge, void *user,
                           uint32_t *id);

/* Takes the members out that are nowhere smaller; `ids` has room for all members. Returns how many. */
size_t dse_forest_take_above(struct dse_forest *forest, const double *vector, uint32_t *ids);

/* Gives a member another number. */
void dse_forest_rename(struct dse_forest *forest, uint32_t from, uint32_t to);
