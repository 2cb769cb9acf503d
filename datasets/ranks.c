/* Describes a graph by the ranks of its edges, as GraphHD does (Nunes, Heddes, Givargis, Nicolau and Veidenbaum, DATE 2022). A vertex is known by its
 * rank in the order of PageRank, an edge by the ranks of its ends. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "datasets/assembly.h"
#include "datasets/dataset.h"
#include "datasets/graphset.h"
#include "datasets/ranks.h"

#define DAMPING 0.85
#define ITERATIONS 10

/* One iteration. The rank of a node without neighbours is shared equally among all nodes. */
static void step(const struct dse_graph_set *set, size_t first, size_t nodes, const double *from, double *to)
{
    double lost = 0.0;
    for (size_t v = 0; v < nodes; v++) {
        to[v] = 0.0;
        lost += set->row_begin[first + v] == set->row_begin[first + v + 1] ? from[v] : 0.0;
    }
    for (size_t v = 0; v < nodes; v++) {
        size_t begin = set->row_begin[first + v], end = set->row_begin[first + v + 1];
        for (size_t e = begin; e < end; e++)
            to[set->column[e]] += from[v] / (double)(end - begin);
    }
    for (size_t v = 0; v < nodes; v++)
        to[v] = (1.0 - DAMPING) / (double)nodes + DAMPING * (to[v] + lost / (double)nodes);
}

/* rank[node], 0 for the highest; at a tie the lower node is first. `score` has room for two numbers per node. */
static void rank_nodes(const struct dse_graph_set *set, size_t graph, double *score, struct dse_ranked *order, int32_t *rank)
{
    size_t first = set->graph_begin[graph], nodes = dse_graph_nodes(set, graph);
    double *from = score, *to = score + nodes;
    for (size_t v = 0; v < nodes; v++)
        from[v] = 1.0 / (double)nodes;
    for (size_t i = 0; i < ITERATIONS; i++) {
        step(set, first, nodes, from, to);
        double *other = from;
        from = to;
        to = other;
    }
    for (size_t v = 0; v < nodes; v++)
        order[v] = (struct dse_ranked){-from[v], v};
    qsort(order, nodes, sizeof *order, dse_by_rank);
    for (size_t r = 0; r < nodes; r++)
        rank[order[r].index] = (int32_t)r;
}

/* The labels of a graph's edges, one for both directions; a single −1 if it has none. Returns their number. */
static size_t label_edges(const struct dse_graph_set *set, size_t graph, const int32_t *rank, int64_t *label)
{
    size_t first = set->graph_begin[graph], count = 0;
    for (size_t v = 0; v < dse_graph_nodes(set, graph); v++)
        for (size_t e = set->row_begin[first + v]; e < set->row_begin[first + v + 1]; e++) {
            int64_t u = rank[v], w = rank[set->column[e]], high = u > w ? u : w, low = u > w ? w : u;
            const int32_t *back = set->column + set->row_begin[first + (size_t)set->column[e]];
            size_t there = set->row_begin[first + (size_t)set->column[e] + 1] - set->row_begin[first + (size_t)set->column[e]];
            bool both = false;
            for (size_t k = 0; k < there && !both; k++)
                both = back[k] == (int32_t)v;
            if ((size_t)set->column[e] >= v || !both)
                label[count++] = high * (high + 1) / 2 + low;
        }
    if (count == 0)
        label[count++] = -1;
    return count;
}

/* Replaces nodes by edges: no arcs, no attributes. */
static void replace_nodes(struct dse_graph_set *set, size_t *graph_begin, const int64_t *label)
{
    struct dse_labels labels;
    free(set->graph_begin);
    free(set->node_label);
    free(set->node_label_values);
    free(set->node_attribute);
    free(set->row_begin);
    set->graph_begin = graph_begin;
    set->node_count = graph_begin[set->graph_count];
    set->row_begin = dse_calloc(set->node_count + 1, sizeof *set->row_begin);
    set->arc_count = set->duplicate_arcs = set->self_loops = set->one_way_arcs = 0;
    set->attribute_count = 0;
    set->node_attribute = NULL;
    set->labelled_by_degree = false;
    dse_labels_make(label, set->node_count, &labels);
    dse_graph_set_label_nodes(set, labels);
    set->hash = dse_graph_set_hash(set);
}

void dse_graph_set_rank_edges(struct dse_graph_set *set)
{
    size_t largest = 0, count = 0;
    for (size_t g = 0; g < set->graph_count; g++)
        largest = dse_graph_nodes(set, g) > largest ? dse_graph_nodes(set, g) : largest;
    double *score DSE_CLEANUP(dse_free_at) = dse_malloc((2 * largest + 1) * sizeof *score);
    struct dse_ranked *order DSE_CLEANUP(dse_free_at) = dse_malloc((largest + 1) * sizeof *order);
    int32_t *rank DSE_CLEANUP(dse_free_at) = dse_malloc((largest + 1) * sizeof *rank);
    int64_t *label DSE_CLEANUP(dse_free_at) = dse_malloc((set->arc_count + set->graph_count + 1) * sizeof *label);
    size_t *graph_begin = dse_calloc(set->graph_count + 1, sizeof *graph_begin);
    for (size_t g = 0; g < set->graph_count; g++) {
        rank_nodes(set, g, score, order, rank);
        count += label_edges(set, g, rank, label + count);
        graph_begin[g + 1] = count;
    }
    replace_nodes(set, graph_begin, label);
}
