/* Graphs as lists of edges with tables of nodes and graphs, as spreadsheets and scripts write them:
 *
 *   graphs.csv   a line per graph: its id (id, graph, graph_id), its class (label, class, y, target)
 *   nodes.csv    a line per node: its id (id, node, node_id), its graph (graph, graph_id), and where there is one a label (label,
 *                node_label, type); every other column is an attribute, a number
 *   edges.csv    a line per edge, which counts in both directions: its ends (source and target; from and to; src and dst), and a
 *                graph where ids of nodes mean another node in each graph; other columns (weights) are not read
 *
 * The files may be called NAME_graphs.csv …; each begins with a line of column names. Ids and labels are words or numbers; graphs and nodes keep the
 * order of the files. Cells are separated by commas, and quoted if they hold some. */
#pragma once

#include "datasets/graphset.h"
#include "datasets/bundle.h"

enum dse_edgelist_part { DSE_EDGELIST_GRAPHS, DSE_EDGELIST_NODES, DSE_EDGELIST_EDGES, DSE_EDGELIST_PARTS };

/* "graphs.csv", … */
extern const char *const dse_edgelist_files[DSE_EDGELIST_PARTS];

/* DSE_BAD_INPUT with file and line for: a missing column, a row of another length, a repeated id, an empty cell, an unknown id, an edge across
 * graphs, an attribute that is no number, a graph without a node. O(bytes). */
enum dse_status dse_edgelist_parse(const char *name, const struct dse_text parts[DSE_EDGELIST_PARTS], struct dse_graph_set **out,
                                   struct dse_error *err);
