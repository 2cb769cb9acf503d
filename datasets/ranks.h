/* Graphs by their edges' ranks. */
#pragma once

#include "datasets/graphset.h"

/* Makes a node of each edge, labelled high (high + 1) / 2 + low by the ranks of its ends. The ranks are those in the PageRank of its graph (damping
 * 0.85, ten iterations, ties by the lower node). Both directions are one edge. A graph without edges gets one node of label −1. Arcs, attributes and
 * the nodes' own labels are dropped; the hash is that of the result. A bundle of a random vector for each label is GraphHD's encoding: the bound
 * vectors of two ranks are nearly orthogonal for different pairs. O(nodes log nodes + arcs × degree). */
void dse_graph_set_rank_edges(struct dse_graph_set *set);
