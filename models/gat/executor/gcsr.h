/* Graph Compressed Sparse Row (section 3.3): the rows of every subgraph one behind the other, so that the hardware reads them in
 * order. A node's row stands again in every subgraph that it is in. */
#pragma once

#include "models/gat/executor/fixed.h"

struct gat_gcsr {
    size_t rows, nonzeros;
    int length_bits, nodes_bits, column_bits;
    uint32_t *node_info;    /* [rows] row length || number of nodes || 1 for the source node */
    int8_t *value;          /* [nonzeros] */
    int32_t *column;        /* [nonzeros] */
    uint32_t *subgraph_idx; /* [rows] for each node the rows that it stands in: row || 1 behind the last (end of graph) */
};

/* One row's node_info. */
struct gat_row_info {
    size_t length, nodes;
    bool source;
};

/* How many bits a number of 0 … most takes; at least 1. */
int gat_bits_of(size_t most);

static inline uint32_t gat_node_info(const struct gat_gcsr *gcsr, struct gat_row_info info)
{
    return (uint32_t)info.length << (gcsr->nodes_bits + 1) | (uint32_t)info.nodes << 1 | (info.source ? 1u : 0u);
}

static inline struct gat_row_info gat_row_info_of(const struct gat_gcsr *gcsr, uint32_t word)
{
    return (struct gat_row_info){word >> (gcsr->nodes_bits + 1), word >> 1 & (((uint32_t)1 << gcsr->nodes_bits) - 1), (word & 1) != 0};
}

/* The sizes of a graph's subgraphs, without building them: the sizes above with empty arrays. */
struct gat_gcsr gat_gcsr_size(const struct dse_node_graph *graph, const struct gat_subgraphs *subgraphs);

/* Builds it with features as int8 of `fixed` (its steps alone). DSE_LIMIT where node_info or an index leaves 32 bits.
 * O(rows + non-zeros over all subgraphs). */
enum dse_status gat_gcsr_make(const struct gat_fixed *fixed, const struct dse_node_graph *graph,
                              const struct gat_subgraphs *subgraphs, struct gat_gcsr *out, struct dse_error *err);
void gat_gcsr_free(struct gat_gcsr *gcsr);
