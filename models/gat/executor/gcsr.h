/* Graph Compressed Sparse Row (section 3.3): the rows of all subgraphs in sequence, so that the hardware reads them in
 * order. A node's row is repeated in every subgraph that has the node. */
#pragma once

#include "models/gat/executor/fixed.h"

struct gat_gcsr {
    size_t rows, nonzeros;
    int length_bits, nodes_bits, column_bits;
    uint32_t *node_info;    /* [rows] row length || number of nodes || 1 for the source node */
    int8_t *value;          /* [nonzeros] */
    int32_t *column;        /* [nonzeros] */
    uint32_t *subgraph_idx; /* [rows] for each node its rows: row || 1 for its last row (end of graph) */
};

/* One row's node_info. */
struct gat_row_info {
    size_t length, nodes;
    bool source;
};

/* Where a lane's share of a graph begins: it is the subgraphs up to the next lane's. `step` counts 1 for a row without non-zeros. */
struct gat_place {
    uint32_t node, row, step, entry;
};

/* Bits of a number in 0 … most; at least 1. */
int gat_bits_of(size_t most);

static inline uint32_t gat_node_info(const struct gat_gcsr *gcsr, struct gat_row_info info)
{
    return (uint32_t)info.length << (gcsr->nodes_bits + 1) | (uint32_t)info.nodes << 1 | (info.source ? 1u : 0u);
}

static inline struct gat_row_info gat_row_info_of(const struct gat_gcsr *gcsr, uint32_t word)
{
    return (struct gat_row_info){word >> (gcsr->nodes_bits + 1), word >> 1 & (((uint32_t)1 << gcsr->nodes_bits) - 1), (word & 1) != 0};
}

/* The sizes above of a graph's GCSR, without building it; arrays are empty. */
struct gat_gcsr gat_gcsr_size(const struct dse_node_graph *graph, const struct gat_subgraphs *subgraphs);

/* Builds the GCSR with features as int8 of `fixed` (only its steps are read). DSE_LIMIT if node_info or an index exceeds 32 bits.
 * O(rows + non-zeros over all subgraphs). */
enum dse_status gat_gcsr_make(const struct gat_fixed *fixed, const struct dse_node_graph *graph,
                              const struct gat_subgraphs *subgraphs, struct gat_gcsr *out, struct dse_error *err);

/* Splits the subgraphs, in their order, into a share per lane of about equal SPMM cycles over both layers. `passes`: over W's columns, per layer;
 * `hidden`: entries of a row of layer 2. `places` [lanes + 1], the last one at the end of the graph. O(rows + lanes). */
void gat_gcsr_split(const struct gat_gcsr *gcsr, const size_t passes[2], size_t hidden, size_t lanes, struct gat_place *places);
void gat_gcsr_free(struct gat_gcsr *gcsr);
