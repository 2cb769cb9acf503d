/* The kind `graphs`: sets of labelled graphs in TUDataset format, in a folder or a zip archive. */
#pragma once

#include "datasets/dataset.h"
#include "datasets/graphset.h"

/* Facts of the graphs: "graphs", "classes", "nodes", "edges" (pairs of nodes that an arc joins in either direction, and self loops), "node_labels",
 * "node_attributes", "nodes_mean", "nodes_min", "nodes_max", "arcs_mean", "arcs_max", "majority" (the share of the largest class). If there are any
 * also "edge_labels", "duplicate_arcs" (dropped), "self_loops" and "one_way_arcs" (kept). */
extern const struct dse_kind dse_kind_graphs;

/* The content of a data set of this kind, or NULL. */
static inline struct dse_graph_set *dse_dataset_graphs(const struct dse_dataset *data)
{
    return data->kind == &dse_kind_graphs ? data->content : NULL;
}

/* Reads NAME_A.txt, NAME_graph_indicator.txt, NAME_graph_labels.txt and, if present, NAME_node_labels.txt, NAME_node_attributes.txt and NAME_edge_labels.txt from a folder
 * or a .zip. Accepts LF and CRLF, `a,b` and `a, b`, leading spaces, a missing final newline, edges in any order, gaps in label values, nodes without
 * edges. Rejects with file and line: an edge end out of range or across graphs, indicators out of order, counts that disagree, text that is no
 * number, NaN and infinities, a zip that is truncated or too large (1 GiB per file). The files are STEM_A.txt … for a path whose last part is STEM or
 * STEM.zip (in a zip also in a folder STEM/). With other names, it is the only set there. datasets/tudataset.h has the format. O(bytes). */
enum dse_status dse_graph_set_read(const char *path, struct dse_graph_set **out, struct dse_error *err);
