/* A set of labelled graphs in memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* All graphs one after another. Nodes keep the order of the files; node v of graph g is the global node graph_begin[g] + v. Labels are dense indices,
 * ascending by the value in the files. */
struct dse_graph_set {
    char *name;                   /* "MUTAG" */
    size_t graph_count, node_count;
    size_t arc_count;             /* directed: an undirected edge is two */
    size_t *graph_begin;          /* [graph_count + 1] first node of each graph */
    size_t *row_begin;            /* [node_count + 1] first arc of each node (CSR over all nodes) */
    int32_t *column;              /* [arc_count] neighbour, local to its graph, ascending in a row, no
                                   * duplicates; A[v][column] = 1 */
    int32_t *node_label;          /* [node_count] 0 … node_label_count−1; NULL without node labels */
    int64_t *node_label_values;   /* [node_label_count] the files' values */
    size_t node_label_count;
    size_t edge_label_count;      /* distinct labels of edges; 0 without. No family uses them (docs/evidence/accuracy.md); not in the hash */
    bool labelled_by_degree;      /* the set has neither labels nor attributes that are no position: degrees replace labels */
    double *node_attribute;       /* [node_count × attribute_count], row-major; NULL without */
    size_t attribute_count;
    int32_t *graph_label;         /* [graph_count] 0 … class_count−1 */
    int64_t *class_values;        /* [class_count] the files' values */
    size_t class_count;
    uint64_t hash;                /* dse_graph_set_hash: equal for folder, zip, line ends and order of edges */
    size_t duplicate_arcs, self_loops, one_way_arcs; /* dropped (duplicates) or unusual and kept */
};

/* Whether the attributes are positions of atoms: two or three coordinates, with nearly the same distance along every edge. Each graph has its own
 * frame. */
bool dse_graph_set_has_positions(const struct dse_graph_set *set);

void dse_graph_set_free(struct dse_graph_set *set);

/* XXH3 (64 bits) of the content, without the name: counts, rows, labels with their values, attributes. */
uint64_t dse_graph_set_hash(const struct dse_graph_set *set);

static inline size_t dse_graph_nodes(const struct dse_graph_set *set, size_t graph)
{
    return set->graph_begin[graph + 1] - set->graph_begin[graph];
}

static inline size_t dse_graph_arcs(const struct dse_graph_set *set, size_t graph)
{
    return set->row_begin[set->graph_begin[graph + 1]] - set->row_begin[set->graph_begin[graph]];
}
