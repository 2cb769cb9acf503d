/* GraphML (http://graphml.graphdrawing.org): files with one or more <graph> elements, as NetworkX, igraph, Gephi and yEd write them.
 *
 * Keys (<key id for attr.name attr.type>, with <default>) give the meaning of <data>. For a graph, `label`, `class`, `y` or `target` is its class.
 * For a node, `label`, `node_label` or `type` is its label, and every other key of a numeric type an attribute. Data of edges are not read. Nested
 * graphs, ports and hyperedges are rejected. An edge of an undirected graph counts in both directions. Graphs keep the order of the files. */
#pragma once

#include "datasets/assembly.h"
#include "datasets/bundle.h"

/* Adds the graphs of one file. All files of a set have the same node attributes. DSE_BAD_INPUT with file, line and element for: malformed XML, a
 * repeated id, an edge to an unknown node, a missing class or label, an invalid number. */
enum dse_status dse_graphml_add(const struct dse_text *text, struct dse_assembly *assembly, struct dse_error *err);
