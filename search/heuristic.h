/* A seeded random search that can stop at any time, for spaces whose shared knobs make the exact merge too wide. */
#pragma once

#include "search/search.h"

struct dse_effort {
    uint64_t seed;
    uint64_t evaluations; /* upper limit; the answer depends only on this and the seed … */
    double seconds;       /* … unless this limit ends it earlier (infinity: no limit) */
};

/* The heuristic takes over if the exact merge has no design after this time. */
struct dse_fallback {
    double after_s;
    struct dse_effort effort;
};

/* Local search on the current front. A move takes a front design, sometimes crossed with another, and moves a few knobs, mostly to the next value of
 * the domain. For some designs the exact merge computes the front of a neighbourhood (some knobs fixed, the others free). With many knobs, some
 * designs climb ladders: the slowest block is made faster repeatedly. A design judged before does not count again. A neighbourhood counts as the
 * designs that its merge forms; a row of its tables counts as the share of a design that a block is. The search ends early if no neighbour is new. It uses one thread,
 * also if the question has more jobs. The answer is never proven, and finding nothing proves nothing. `history` of the answer holds the hypervolume over
 * time. An interruption ends the search with the designs found. */
enum dse_status dse_search_heuristic(const struct dse_question *question, const struct dse_effort *effort,
                                     struct dse_answer *answer, struct dse_error *err);
