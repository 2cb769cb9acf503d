/* Graphs by their edges' ranks. */
#pragma once

#include "datasets/graphset.h"

/* Makes a node of each edge (both directions are one; a graph without edges gets one node of label −1), labelled by the ranks of its ends
 * in the PageRank of its graph (damping 0.85, ten iterations, ties by the lower node): high (high + 1) / 2 + low. Arcs, attributes and
 * the nodes' own labels go; the hash is that of what is left. A bundle of a random vector for each label is GraphHD's encoding: the
 * bound vectors of two ranks are nearly orthogonal for different pairs. O(nodes log nodes + arcs × degree). */
void dse_graph_set_rank_edges(struct dse_graph_set *set);
