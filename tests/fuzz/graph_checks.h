/* Invariants of every accepted set of graphs, on which the rest of the program relies. */
#pragma once

#include <math.h>

#include "datasets/graphset.h"
#include "tests/fuzz/input.h"

static inline void check_set(const struct dse_graph_set *set)
{
    require(set->graph_count >= 1 && set->graph_begin[0] == 0);
    require(set->graph_begin[set->graph_count] == set->node_count);
    require(set->row_begin[0] == 0 && set->row_begin[set->node_count] == set->arc_count);
    for (size_t g = 0; g < set->graph_count; g++) {
        require(set->graph_begin[g] < set->graph_begin[g + 1]);
        require(set->graph_label[g] >= 0 && (size_t)set->graph_label[g] < set->class_count);
        for (size_t v = set->graph_begin[g]; v < set->graph_begin[g + 1]; v++)
            for (size_t i = set->row_begin[v]; i < set->row_begin[v + 1]; i++) {
                require(set->column[i] >= 0 && (size_t)set->column[i] < dse_graph_nodes(set, g));
                require(i == set->row_begin[v] || set->column[i - 1] < set->column[i]);
            }
    }
    for (size_t v = 0; set->node_label != NULL && v < set->node_count; v++)
        require(set->node_label[v] >= 0 && (size_t)set->node_label[v] < set->node_label_count);
    for (size_t i = 0; set->node_attribute != NULL && i < set->node_count * set->attribute_count; i++)
        require(isfinite(set->node_attribute[i]));
    require(set->hash == dse_graph_set_hash(set));
}
