/* A seeded random search that may stop at any time: for spaces whose shared knobs make the exact merge too wide. */
#pragma once

#include "search/search.h"

struct dse_effort {
    uint64_t seed;
    uint64_t evaluations; /* at most; the answer depends on this and the seed alone … */
    double seconds;       /* … as long as this limit does not end it before (infinity: no such limit) */
};

/* The heuristic takes over where the exact merge has no design at all after so long. */
struct dse_fallback {
    double after_s;
    struct dse_effort effort;
};

/* Local search on the front found so far: a design of it, sometimes crossed with another, has a few knobs moved, mostly to
 * the next value of their domain; and of some designs' neighbourhoods (some knobs held, the others free) the exact merge takes
 * the front. A design that was judged before does not count again. A neighbourhood counts as the designs that its merge forms, and its
 * tables as the share of a design that a block is. Of many knobs some designs climb ladders: the slowest block is made faster, again and again. It ends early where nothing new is near. One thread, whatever the question's jobs. The answer is never called proven; its
 * `history` holds the hypervolume over time. That nothing was found proves nothing.
 * An interruption ends it with what was found. */
enum dse_status dse_search_heuristic(const struct dse_question *question, const struct dse_effort *effort,
                                     struct dse_answer *answer, struct dse_error *err);
