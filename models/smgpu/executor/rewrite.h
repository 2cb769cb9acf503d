/* The rewrite engine: matches of a small pattern in a host graph, and double-pushout steps. Graphs are undirected: both directions of an
 * edge are the same edge. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

#define SMGPU_PATTERN_MAX 8

/* Borrows its arrays. */
struct smgpu_graph {
    size_t nodes, edges;
    const int32_t *node; /* [nodes] ids of at least 0, ascending, each once */
    const int32_t *edge; /* [edges × 2] ids of two nodes */
};

/* DSE_BAD_INPUT: a repeated or unordered node, an edge to a missing node or from a node to itself. O(edges log nodes). */
enum dse_status smgpu_graph_check(const struct smgpu_graph *graph, struct dse_error *err);

/* A host with neighbours by index, in both directions, ascending. */
struct smgpu_host {
    const struct smgpu_graph *graph;
    size_t *begin;      /* [nodes + 1] */
    uint32_t *neighbour; /* indices of nodes */
};
void smgpu_host_make(const struct smgpu_graph *graph, struct smgpu_host *out);
void smgpu_host_free(struct smgpu_host *host);

/* Finds injective matches, not induced. The search assigns the pattern's nodes in order, each to the host's nodes ascending. An edge of the
 * pattern to an earlier node limits candidates to its image's neighbours. `match` receives [most × pattern nodes] host ids; `tries` counts candidates.
 * DSE_LIMIT if there are more than `most` matches. */
enum dse_status smgpu_match(const struct smgpu_host *host, const struct smgpu_graph *pattern, size_t most, int32_t *match, size_t *count,
                            uint64_t *tries, struct dse_error *err);

/* A rule: `keep` [kept] are the nodes of the pattern in K; their images are the first `kept` nodes of `right`. */
struct smgpu_rule {
    const struct smgpu_graph *pattern, *right;
    const int32_t *keep;
    size_t kept;
};

/* Applies the rule at `match` [pattern nodes]. It removes edges of L that are not in R, then deleted nodes; added nodes are numbered from the
 * host's largest on. The caller provides `node` [host nodes + right nodes] and `edge` [2 · (host edges + right edges)]. Returns false, with
 * the host copied, if the match is not in the host or a deleted node would leave an edge dangling. */
struct smgpu_rewritten {
    int32_t *node, *edge;
    size_t nodes, edges;
};
bool smgpu_apply(const struct smgpu_graph *host, const struct smgpu_rule *rule, const int32_t *match, struct smgpu_rewritten *out);
