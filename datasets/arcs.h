/* Arcs in any order, turned into the rows of a graph set. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "datasets/graphset.h"

/* Both ends are global nodes, from 0. */
struct dse_arc {
    int32_t from, to;
};

/* Fills the set's row_begin, column, arc_count, and the counts of duplicates, self loops and one-way arcs. The set has
 * its nodes and graph_begin; `graph_of` [node_count] is each node's graph, the same at both ends of every arc.
 * O(arcs + nodes): two passes of counting sort. */
void dse_arcs_to_rows(const struct dse_arc *arcs, size_t count, const int32_t *graph_of, struct dse_graph_set *set);
