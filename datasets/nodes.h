/* The kind `nodes`: one graph with features and a class at each node. It is NAME.content and NAME.cites in a folder or a zip archive; other files in
 * it are ignored. */
#pragma once

#include "datasets/dataset.h"
#include "datasets/nodegraph.h"

/* The semi-supervised split of citation networks (Yang et al., "Revisiting Semi-Supervised Learning with Graph Embeddings", ICML 2016): 20 nodes of
 * each class to train, 500 of the rest to validate, 1000 to test. In a class of fewer than 40 nodes half train. If fewer than 1,500 nodes are left, a
 * third of them validates and the others test. */
#define DSE_NODES_TRAIN_A_CLASS 20
#define DSE_NODES_VALIDATION 500
#define DSE_NODES_TEST 1000

/* Facts of the nodes: "nodes", "features", "classes", "feature_nonzeros", "feature_density", "citations" (pairs of nodes), "arcs" (twice as many),
 * "degree_mean", "degree_max", "isolated" (nodes without a citation), "majority" (the share of the largest class). If any were left out also
 * "self_citations", "unknown_citations", "repeated_citations". */
extern const struct dse_kind dse_kind_nodes;

/* The content of a data set of this kind, or NULL. */
static inline struct dse_node_graph *dse_dataset_nodes(const struct dse_dataset *data)
{
    return data->kind == &dse_kind_nodes ? data->content : NULL;
}

/* The options of `generate`, in the order of their values. */
enum dse_nodes_option {
    DSE_NODES_NODES,
    DSE_NODES_CLASSES,
    DSE_NODES_FEATURES,
    DSE_NODES_WORDS,
    DSE_NODES_DEGREE,
    DSE_NODES_SIGNAL,
    DSE_NODES_AWKWARD,
    DSE_NODES_OPTIONS
};

extern const struct dse_generate_option dse_nodes_options[DSE_NODES_OPTIONS];

/* Generates a graph and writes its two files into the new folder `folder`; equal values give equal bytes. After a failure nothing of it is left. */
enum dse_status dse_nodes_generate(const struct dse_generation *what, const char *folder, struct dse_error *err);
