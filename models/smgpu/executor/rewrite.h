/* The rewrite engine: matches of a small pattern in a host graph, and double-pushout steps. Graphs are undirected: an edge may be
 * written either way, and both ways are one edge. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

#define SMGPU_PATTERN_MAX 8

/* Borrows its arrays. */
struct smgpu_graph {
    size_t nodes, edges;
    const int32_t *node; /* [nodes] ids, ascending, each once, 0 or more */
    const int32_t *edge; /* [edges × 2] ids of two nodes */
};

/* DSE_BAD_INPUT: a node twice or out of order, an edge to a node that is not there or to itself. O(edges log nodes). */
enum dse_status smgpu_graph_check(const struct smgpu_graph *graph, struct dse_error *err);

/* A host with its neighbours by index, both ways, ascending. */
struct smgpu_host {
    const struct smgpu_graph *graph;
    size_t *begin;      /* [nodes + 1] */
    uint32_t *neighbour; /* indices of nodes */
};
void smgpu_host_make(const struct smgpu_graph *graph, struct smgpu_host *out);
void smgpu_host_free(struct smgpu_host *host);

/* Injective matches, not induced: the pattern's nodes in their order over the host's ascending, those beside an earlier node's image
 * alone where the pattern has that edge. `match` [most × pattern nodes] host ids; `tries` counts candidates. DSE_LIMIT beyond `most`
 * matches, without a cut. */
enum dse_status smgpu_match(const struct smgpu_host *host, const struct smgpu_graph *pattern, size_t most, int32_t *match, size_t *count,
                            uint64_t *tries, struct dse_error *err);

/* A rule: `keep` [kept] are nodes of the pattern in K, whose images are the first `kept` nodes of `right`. */
struct smgpu_rule {
    const struct smgpu_graph *pattern, *right;
    const int32_t *keep;
    size_t kept;
};

/* Applies the rule at `match` [pattern nodes]: edges of L without one in R go, deleted nodes after them, added nodes count on from the
 * host's largest. `node` [host nodes + right nodes] and `edge` [2 · (host edges + right edges)] are the caller's. Returns false, with
 * the host copied, where the match is none of the host, or a deleted node would leave an edge dangling. */
struct smgpu_rewritten {
    int32_t *node, *edge;
    size_t nodes, edges;
};
bool smgpu_apply(const struct smgpu_graph *host, const struct smgpu_rule *rule, const int32_t *match, struct smgpu_rewritten *out);
