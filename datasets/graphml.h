/* GraphML (http://graphml.graphdrawing.org): files of one <graph> or more, as NetworkX, igraph, Gephi and yEd write them.
 *
 * Keys (<key id for attr.name attr.type>, with <default>) say what <data> is: of a graph, `label`, `class`, `y` or `target` is
 * its class; of a node, `label`, `node_label` or `type` its label, and every other key of a numeric type an attribute. Data of
 * edges, nested graphs, ports and hyperedges are rejected or not read: edges' data are not read, the others are rejected. An edge
 * of an undirected graph counts in both directions. Graphs keep the order of the files. */
#pragma once

#include "datasets/assembly.h"
#include "datasets/bundle.h"

/* Adds the graphs of one file. All files of a set have the same attributes of nodes. DSE_BAD_INPUT with file, line and element for:
 * what is no well-formed XML, an id twice, an edge to a node that is not there, a class or label that is missing, a number that is none. */
enum dse_status dse_graphml_add(const struct dse_text *text, struct dse_assembly *assembly, struct dse_error *err);
