/* A set of graphs, put together from nodes, graphs and arcs in the order in which readers of any format find them. */
#pragma once

#include "core/arena.h"
#include "datasets/arcs.h"
#include "datasets/graphset.h"
#include "datasets/labels.h"
#include "datasets/numbering.h"

/* Labels as a file writes them. Whole numbers stand for themselves. If any label is another word, the words are numbered in order of appearance.
 * Empty when zeroed. */
struct dse_assembly_labels {
    struct dse_numbering words;
    int32_t *item; /* [count] number of each item's word */
    size_t count;
};

struct dse_assembly {
    size_t node_count, graph_count, arc_count, attribute_count;
    int32_t *graph_of;                       /* [node_count]; the nodes of the graphs may be interleaved, and keep their order within each */
    struct dse_assembly_labels node_labels;  /* one per node, or none */
    struct dse_assembly_labels graph_labels; /* one per graph */
    double *attributes;                      /* [node_count × attribute_count], or NULL */
    struct dse_arc *arcs;                    /* arc_count, ends are nodes in the order found; both in one graph */
    struct dse_arena texts;                  /* memory of the labels' words */
};

/* Room for one more of each, amortised O(1). DSE_LIMIT if the numbers of an int32_t are used up. */
enum dse_status dse_assembly_add_node(struct dse_assembly *assembly, int32_t graph, struct dse_error *err);
enum dse_status dse_assembly_add_arc(struct dse_assembly *assembly, int32_t from, int32_t to, bool both, struct dse_error *err);
enum dse_status dse_assembly_add_label(struct dse_assembly *assembly, struct dse_assembly_labels *labels, struct dse_word word,
                                       struct dse_error *err);

/* The finished set. Nodes without labels or attributes are labelled by degree. DSE_BAD_INPUT, with `source` in front, if there is no graph, or a
 * graph has no node or no label. */
enum dse_status dse_assembly_finish(struct dse_assembly *assembly, const char *name, const char *source,
                                    struct dse_graph_set **out, struct dse_error *err);

/* Takes over the labels of nodes, and the classes of graphs. */
void dse_graph_set_label_nodes(struct dse_graph_set *set, struct dse_labels labels);
void dse_graph_set_label_graphs(struct dse_graph_set *set, struct dse_labels labels);

/* Labels each node by its degree if it has no label, and no attributes except a position. */
void dse_graph_set_label_by_degree(struct dse_graph_set *set);

void dse_assembly_free(struct dse_assembly *assembly);
