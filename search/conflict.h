/* Conflicting constraints of a question without an answer: a minimal set, found by deletion. */
#pragma once

#include "search/why.h"

/* Distinct sets of constraints that designs violate: one bit per entry of why->reasons, at most 64. */
struct dse_broken {
    uint64_t *sets; /* count, capacity a power of two; must be freed */
    size_t count;
};

/* Base of searches with some constraints dropped. */
struct dse_subsets {
    const struct dse_question *question;
    const struct dse_space *whole; /* NULL: narrowed knobs stay narrowed */
    struct dse_question *asked;    /* rebuilt by each dse_subset, */
    struct dse_space *space;       /* with this space */
    struct dse_bare_family *bare;  /* and this family, if conditions on knobs are dropped; */
    struct dse_tables *bare_tables; /* tables of the family without conditions */
    struct dse_broken *broken; /* counts over all designs if they were enumerated: then no search is needed. Otherwise NULL */
};

/* The question with only those constraints (why->reasons) that are kept; valid until the next call. Limits keep their order. */
struct dse_question *dse_subset(const struct dse_subsets *subsets, const struct dse_why *why, const bool *kept);

/* Outcome of a search: DSE_FOUND_UNKNOWN if it exceeded the question's allowance or was too wide. */
enum dse_found { DSE_FOUND_NONE, DSE_FOUND_ONE, DSE_FOUND_UNKNOWN };

/* One feasible design with the least value of a metric, if any, or another goal of the question. An exact search. */
enum dse_status dse_find_least(const struct dse_question *question, enum dse_metric metric, enum dse_found *found,
                               struct dse_point *out, struct dse_error *err);

/* The feasible design nearest to a limit that is not in the question. For a limit on the metric's good side this is the best design. For the other
 * side (latency >= 30 µs) it is a design that meets the limit, or the one with the largest value. One or two exact searches. */
enum dse_status dse_find_nearest(const struct dse_question *question, const struct dse_limit *limit, enum dse_found *found,
                                 struct dse_point *out, struct dse_error *err);

/* Removes a limit from a question. */
void dse_drop_limit(struct dse_question *question, size_t limit);

/* Fills in `alone`, `reachable` and `conflict` of the reasons. Each limit that is impossible alone is its own conflict. Then disjoint minimal
 * conflicts are found, until the rest is feasible. The board's caps are dropped first, then narrowed knobs, then limits, so that a conflict names
 * limits if possible. O(reasons) exact searches per conflict. */
enum dse_status dse_conflicts_find(const struct dse_subsets *subsets, struct dse_why *why, struct dse_error *err);
