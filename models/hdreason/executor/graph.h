/* A knowledge graph for training and ranking: edges in three orders, and queries with their answers. */
#pragma once

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"
#include "datasets/tripleset.h"
#include "models/hdreason/executor/kernels.h"

/* Grouped edges: the pairs that group g sums are begin[g] to begin[g + 1]. */
struct hdr_edges {
    size_t groups;
    size_t *begin;          /* [groups + 1] */
    struct hdr_pair *pair;
};

static inline size_t hdr_degree(const struct hdr_edges *edges, size_t group)
{
    return edges->begin[group + 1] - edges->begin[group];
}

/* The size of the largest group; the number of groups that are not empty. O(groups). */
size_t hdr_degree_most(const struct hdr_edges *edges);
size_t hdr_degree_any(const struct hdr_edges *edges);

/* Distinct (subject, relation) pairs with all their objects, ascending. */
struct hdr_queries {
    struct dse_arena arena;
    struct hdr_pair *query; /* [count] (subject, relation) */
    size_t *begin;          /* [count + 1] into `answer` */
    int32_t *answer;        /* ascending */
    size_t count;
};

/* Rows of the parameters: entities, then relations (with double direction the inverse of r is relation_count + r). Repeated
 * triples of train.txt count once. */
struct hdr_graph {
    struct dse_arena arena;
    size_t entities, relations; /* relations: with the inverse ones */
    size_t edges;
    struct hdr_edges out;         /* by subject i: (object j, row of the relation), the terms of M_i */
    struct hdr_edges in;          /* by object j: (subject i, row of the relation) */
    struct hdr_edges by_relation; /* by relation: (subject i, object j) */
    struct hdr_queries queries;   /* queries of training */
};

/* From the first part of a set. O(edges log edges). */
void hdr_graph_make(const struct dse_triple_set *set, bool both_ways, struct hdr_graph *out);
void hdr_graph_free(struct hdr_graph *graph);

/* The graph whose bundles are the gradients of the hypervectors: an entity receives the gradients of the memories that it is a neighbour in. Without `exact` an entity
 * uses its own gradient with its own edges (equations 11 to 14). It has no relations' edges and no queries; arrays are the graph's, or in its own arena.
 * O(edges). Release with hdr_graph_free. */
void hdr_graph_reverse(const struct hdr_graph *graph, bool exact, struct hdr_graph *out);

/* The triples of a set's parts `first` … `last`, as queries. */
void hdr_queries_make(const struct dse_triple_set *set, enum dse_triple_part first, enum dse_triple_part last, bool both_ways,
                      struct hdr_queries *out);
void hdr_queries_free(struct hdr_queries *queries);

/* The number of the query (subject, relation), or `count` if there is none. O(log count). */
size_t hdr_queries_find(const struct hdr_queries *queries, int32_t subject, int32_t relation);
