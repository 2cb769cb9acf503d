/* How many configurations a single constraint rules out, without visiting them. */
#ifndef DSE_SEARCH_KILLS_H
#define DSE_SEARCH_KILLS_H

#include "search/search.h"

/* A number of configurations; counts saturate at UINT64_MAX. */
struct dse_kill_count {
    uint64_t configurations;
    bool at_least; /* the true number may be larger: the quantity is no sum over groups, or too widely spread */
};

/* Each constraint by itself, over the whole space. */
struct dse_kills {
    uint64_t space_size;
    uint64_t unbuildable; /* configurations that hold a combination which some block refuses */
    uint64_t clock;       /* of the buildable: at a clock that the board's file does not allow */
    struct dse_kill_count resources[DSE_RESOURCE_COUNT]; /* of the buildable: over the board's cap at their clock */
    struct dse_kill_count limits[DSE_LIMIT_MAX];         /* of the buildable: breaking the question's limit */
};

/* Counts by convolving the distributions of the groups' rows: exact for resources, bytes, DRAM energy and times; for
 * energy and throughput a lower bound by the best that a sum can promise. O(slices × rows² / 2) at worst a slice,
 * milliseconds in practice. */
enum dse_status dse_kills_count(const struct dse_question *question, struct dse_kills *out, struct dse_error *err);

#endif
