/* The TUDataset text format (Morris et al., TUDataset, 2020; https://chrsmrrs.github.io/datasets/docs/format/), in memory.
 *
 *   NAME_A.txt                one arc per line, "from, to": nodes numbered from 1 over all graphs
 *   NAME_graph_indicator.txt  line i: the graph (from 1) of node i; graphs in order, each with at least one node
 *   NAME_graph_labels.txt     line i: the class of graph i, a whole number
 *   NAME_node_labels.txt      line i: the label of node i, one whole number (optional)
 *   NAME_node_attributes.txt  line i: the attributes of node i, comma between them (optional)
 *   NAME_edge_labels.txt      line i: the label of line i of NAME_A.txt, one whole number (optional)
 *
 * If nodes have neither labels nor attributes, their degree (neighbours named in A.txt) is their label, as is usual for such sets. Whole numbers may
 * be written as 1.0 or 1e0. Labels of several columns are rejected, because a node label is one number here. Edge labels are checked and counted, unless they
 * have several columns. Edge attributes and graph attributes are not read. */
#pragma once

#include "core/status.h"
#include "datasets/graphset.h"
#include "datasets/bundle.h"

enum dse_tudataset_part {
    DSE_TUDATASET_ARCS,
    DSE_TUDATASET_INDICATOR,
    DSE_TUDATASET_GRAPH_LABELS,
    DSE_TUDATASET_NODE_LABELS,     /* optional */
    DSE_TUDATASET_NODE_ATTRIBUTES, /* optional */
    DSE_TUDATASET_EDGE_LABELS,     /* optional */
    DSE_TUDATASET_PARTS
};

/* "A.txt", "graph_indicator.txt", …: the texts after "NAME_". */
extern const char *const dse_tudataset_suffixes[DSE_TUDATASET_PARTS];

/* Parses the parts; an optional one without data is absent. Arcs are sorted, and repeated ones dropped. DSE_BAD_INPUT with the text's name, the line
 * and its content. O(bytes + labels log labels). */
enum dse_status dse_tudataset_parse(const char *name, const struct dse_text parts[DSE_TUDATASET_PARTS],
                                    struct dse_graph_set **out, struct dse_error *err);
