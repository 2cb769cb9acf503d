/* The dispatcher's hypervectors in URAM, and the scheduler that decides in what order they are asked for (paper, sections 4.2.1
 * and 4.2.2). Of a hypervector only its vertex is kept: what it holds changes no count. */
#pragma once

#include "core/rng.h"
#include "models/hdreason/executor/graph.h"
#include "models/hdreason/knobs.h"

/* Places for `capacity` hypervectors. `lru` loses the one that was asked for longest ago; `lfu` the one asked for least often so far,
 * a count that stays when it leaves, of equals the one longest ago; `random` any. */
struct hdr_cache {
    struct dse_arena arena;
    enum hdr_policy policy;
    size_t capacity, used;
    int32_t *place;          /* [vertices] or −1 */
    int32_t *vertex;         /* [capacity] */
    int32_t *before, *after; /* [capacity] in the list of as many uses; −1: none */
    uint32_t *uses;          /* [capacity] the list that it is in */
    uint32_t *asked;         /* [vertices] how often so far */
    int32_t *oldest, *newest; /* [lists] */
    size_t lists, least;     /* the least list that may hold something */
    struct dse_rng rng;
    uint64_t hits, misses, victims;
};

/* `most`: how often a vertex is asked for at most. */
void hdr_cache_make(enum hdr_policy policy, size_t capacity, size_t vertices, size_t most, struct hdr_cache *out);
void hdr_cache_free(struct hdr_cache *cache);

/* Asks for a vertex; false where it came from memory. O(1). */
bool hdr_cache_ask(struct hdr_cache *cache, int32_t vertex);

/* Vertices that the memorisation IPs have in work together, in the order in which they are sent off. */
struct hdr_list {
    size_t count, steps; /* steps: of the vertex with the most neighbours */
    int32_t vertex[HDR_IPS_MAX];
};

/* The neighbour that a list's vertex `i` asks for in a step, or −1 where it has no further one. */
static inline int32_t hdr_list_neighbour(const struct hdr_graph *graph, const struct hdr_list *list, size_t i, size_t step)
{
    const struct hdr_edges *out = &graph->out;
    size_t v = (size_t)list->vertex[i];
    return step < hdr_degree(out, v) ? out->pair[out->begin[v] + step].a : -1;
}

/* Vertices with an object by ascending number: `ips` as they come, or each to the list of as many neighbours, which goes off when
 * it has `ips`; what is left goes at the end by ascending number of neighbours. `take` returns false to stop. O(vertices). */
typedef bool hdr_take_list(void *user, const struct hdr_list *list);
void hdr_schedule_walk(const struct hdr_graph *graph, enum hdr_schedule schedule, size_t ips, hdr_take_list *take, void *user);

/* Asks for every list's neighbours, one of each vertex after another, and returns the misses. */
void hdr_cache_misses(const struct hdr_graph *graph, enum hdr_schedule schedule, size_t ips, enum hdr_policy policy,
                      size_t capacity, double *misses);
