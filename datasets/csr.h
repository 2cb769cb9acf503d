/* Graphs as arrays in NumPy's .npz, as SciPy and PyTorch Geometric store them, all graphs one after another:
 *
 *   indptr, indices   rows of the block-diagonal adjacency (scipy.sparse.save_npz; `data`, `shape` and `format` are not read), or
 *   edge_index        2 × arcs, sources and targets (PyTorch Geometric)
 *   ptr or graph_ptr  graphs + 1: the first node of each graph; or batch: the graph of each node, ascending
 *   y                 graphs: the class of each
 *   node_labels, z    nodes: the label of each; optional
 *   x                 nodes × attributes; optional
 *
 * Whole numbers of any width (of y, node_labels, z also floating point that is whole), x of any real type. */
#pragma once

#include <stdbool.h>

#include "datasets/graphset.h"
#include "datasets/bundle.h"

/* Whether the entries are those of such a file. */
bool dse_csr_holds(const struct dse_bundle *pack);

/* DSE_BAD_INPUT with file, array and index for: a missing array, or one of another type, rank or length; descending row starts; a node out of range;
 * an arc across graphs; a graph without a node. O(bytes). */
enum dse_status dse_csr_read(const char *path, const char *name, struct dse_graph_set **out, struct dse_error *err);
