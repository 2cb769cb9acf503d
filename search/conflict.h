/* Which constraints of a question without an answer stand against each other: a minimal set, by deletion. */
#pragma once

#include "search/why.h"

/* The sets of constraints that designs break, each once: a bit for each of why->reasons, of which there are 64 at most. */
struct dse_broken {
    uint64_t *sets; /* count, of which there is room for a power of two; to be freed */
    size_t count;
};

/* The base of searches with some constraints given up. */
struct dse_subsets {
    const struct dse_question *question;
    const struct dse_space *whole; /* NULL: narrowed knobs stay so */
    struct dse_question *asked;    /* made anew by each dse_subset, */
    struct dse_space *space;       /* with this space */
    struct dse_bare_family *bare;  /* and this family, where conditions on knobs are given up; */
    struct dse_tables *bare_tables; /* of that without any */
    struct dse_broken *broken; /* of all designs, where they were looked at one by one: then nothing is searched. NULL: else */
};

/* The question with those of its constraints (why->reasons) that are kept; good until the next call. Limits keep their order. */
struct dse_question *dse_subset(const struct dse_subsets *subsets, const struct dse_why *why, const bool *kept);

/* The outcome of a search: DSE_FOUND_UNKNOWN where it took more than the question's allowance, or was too wide. */
enum dse_found { DSE_FOUND_NONE, DSE_FOUND_ONE, DSE_FOUND_UNKNOWN };

/* One feasible design with the least of a metric, if there is any, or what else the question's goal says. An exact search. */
enum dse_status dse_find_least(const struct dse_question *question, enum dse_metric metric, enum dse_found *found,
                               struct dse_point *out, struct dse_error *err);

/* The feasible design nearest to a limit that the question does not have. For a limit on the metric's good side that is the best
 * design; on the other side (latency >= 30 us), one that holds the limit, or the largest value. One or two exact searches. */
enum dse_status dse_find_nearest(const struct dse_question *question, const struct dse_limit *limit, enum dse_found *found,
                                 struct dse_point *out, struct dse_error *err);

/* Takes a limit out of a question. */
void dse_drop_limit(struct dse_question *question, size_t limit);

/* Fills in `alone`, `reachable` and `conflict` of the reasons: first limits that are impossible alone,
 * each a conflict of its own; then minimal conflicts without a common member, until the rest is feasible. The board's caps are
 * given up first, then narrowed knobs, then limits, so that a conflict names limits if possible.
 * O(reasons) exact searches per conflict. */
enum dse_status dse_conflicts_find(const struct dse_subsets *subsets, struct dse_why *why, struct dse_error *err);
