/* Edges labelled by the PageRank ranks of their ends. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/arcs.h"
#include "datasets/ranks.h"
#include "tests/test.h"

/* A star of node 2 with 0, 1 and 3, and 3 joined to 4; a graph of one node; two nodes joined one way, with a self loop. In NumPy ten
 * iterations give the first 0.1359, 0.1359, 0.3439, 0.2545 and 0.1299: in order 2, 3, 0, 1, 4. */
TEST(edges_have_the_ranks_of_their_ends)
{
    struct dse_graph_set *set = dse_calloc(1, sizeof *set);
    const struct dse_arc arcs[] = {{2, 0}, {0, 2}, {2, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 4}, {4, 3}, {6, 7}, {6, 6}};
    const int32_t graph_of[] = {0, 0, 0, 0, 0, 1, 2, 2};
    set->graph_count = 3;
    set->node_count = 8;
    set->graph_begin = dse_calloc(4, sizeof *set->graph_begin);
    memcpy(set->graph_begin, ((const size_t[]){0, 5, 6, 8}), 4 * sizeof *set->graph_begin);
    set->graph_label = dse_calloc(3, sizeof *set->graph_label);
    set->class_values = dse_calloc(1, sizeof *set->class_values);
    set->class_count = 1;
    dse_arcs_to_rows(arcs, sizeof arcs / sizeof *arcs, graph_of, set);
    dse_graph_set_rank_edges(set);
    assert_int_equal(set->arc_count, 0);
    assert_memory_equal(set->graph_begin, ((const size_t[]){0, 4, 5, 7}), 4 * sizeof *set->graph_begin);
    /* ranks (2, 0), (3, 0), (0, 1), (1, 4); none; the loop of the first, at a tie, and both */
    const int64_t expected[] = {3, 6, 1, 11, -1, 0, 1};
    for (size_t v = 0; v < set->node_count; v++)
        assert_int_equal(set->node_label_values[set->node_label[v]], expected[v]);
    dse_graph_set_free(set);
}

TESTS(NULL, NULL)
