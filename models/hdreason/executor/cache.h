/* The dispatcher's cache of hypervectors in URAM, and the scheduler that orders the requests (paper, sections 4.2.1 and 4.2.2).
 * The cache keeps vertex numbers only, because the elements change no count. */
#pragma once

#include "core/rng.h"
#include "models/hdreason/executor/graph.h"
#include "models/hdreason/knobs.h"

/* A cache of `capacity` hypervectors. `lru` evicts the least recently requested one. `lfu` evicts the least often requested one, of equals the
 * least recently requested; a vertex keeps its count when it is evicted. `random` evicts any. */
struct hdr_cache {
    struct dse_arena arena;
    enum hdr_policy policy;
    size_t capacity, used;
    int32_t *place;          /* [vertices] or −1 */
    int32_t *vertex;         /* [capacity] */
    int32_t *before, *after; /* [capacity] neighbours in the list of equal uses; −1: none */
    uint32_t *uses;          /* [capacity] number of its list */
    uint32_t *asked;         /* [vertices] requests so far */
    int32_t *oldest, *newest; /* [lists] */
    size_t lists, least;     /* least: the first list that may not be empty */
    struct dse_rng rng;
    uint64_t hits, misses, victims;
};

/* `most`: the largest number of requests of a vertex. */
void hdr_cache_make(enum hdr_policy policy, size_t capacity, size_t vertices, size_t most, struct hdr_cache *out);
void hdr_cache_free(struct hdr_cache *cache);

/* Requests a vertex; false on a miss. O(1). */
bool hdr_cache_ask(struct hdr_cache *cache, int32_t vertex);

/* Vertices that the memorisation IPs process together, in the order in which they start. */
struct hdr_list {
    size_t count, steps; /* steps: the largest number of neighbours of a vertex */
    int32_t vertex[HDR_IPS_MAX];
};

/* The neighbour that a list's vertex `i` requests in a step, or −1 if there is none. */
static inline int32_t hdr_list_neighbour(const struct hdr_graph *graph, const struct hdr_list *list, size_t i, size_t step)
{
    const struct hdr_edges *out = &graph->out;
    size_t v = (size_t)list->vertex[i];
    return step < hdr_degree(out, v) ? out->pair[out->begin[v] + step].a : -1;
}

/* Passes vertices with an object to `take` in lists of `ips`, by ascending number. With HDR_DENSITY a list has vertices of the same number of
 * neighbours; vertices of lists that never filled come last, fewest neighbours first. `take` returns false to stop. O(vertices). */
typedef bool hdr_take_list(void *user, const struct hdr_list *list);
void hdr_schedule_walk(const struct hdr_graph *graph, enum hdr_schedule schedule, size_t ips, hdr_take_list *take, void *user);

/* Requests every list's neighbours, one of each vertex per step, and writes the misses. */
void hdr_cache_misses(const struct hdr_graph *graph, enum hdr_schedule schedule, size_t ips, enum hdr_policy policy,
                      size_t capacity, double *misses);
