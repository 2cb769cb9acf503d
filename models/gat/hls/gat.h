/* SPDX-License-Identifier: MIT */ /* The graph attention accelerator in C for Vitis HLS: the interfaces of its engines.
 *
 * Sizes, types and directives come from the emitted gat_config.h. Engines compute in whole numbers, bit for bit like the executor.
 * Both layers use the same engines, one after the other. Arrays that depend on the layer exist twice, as *_1 and *_2. */
#ifndef GAT_H
#define GAT_H

#include "gat_kit.h"

/* Commands. Each of the first four moves words from the host's memory into one memory; the last one moves results back. */
#define GAT_COMMAND_NODE_INFO 0
#define GAT_COMMAND_H_DATA 1
#define GAT_COMMAND_WEIGHTS 2 /* layer `layer`: W by rows, then both halves of the attention vector; then the same of the next layer */
#define GAT_COMMAND_SUBGRAPH_IDX 3
#define GAT_COMMAND_FEATURES 4
#define GAT_COMMAND_RUN 5 /* runs layer `layer`; with `streamline` both layers */

#define GAT_STREAMLINES (GAT_APPROACH == GAT_APPROACH_STREAMLINE)
#define GAT_OUTPUTS (GAT_HEADS * GAT_CHANNELS) /* outputs of layer 1 = inputs of layer 2 */
#define GAT_WIDEST (GAT_OUTPUTS > GAT_CLASSES ? GAT_OUTPUTS : GAT_CLASSES)
#define GAT_LANES (GAT_CHANNELS > GAT_CLASSES ? GAT_CHANNELS : GAT_CLASSES) /* channels per head, the larger of both layers */
#define GAT_ALPHA_BITS 16
#define GAT_EXPONENT_MOST 127

/* Entries of h_data: a value with its column, or a hidden feature. A word of the memory holds several. */
typedef uint32_t gat_h_data_t[GAT_H_WORDS][GAT_H_SIDE];

/* Where the lanes' shares of the graph begin, four words each: the first node, row, step and entry. The last one is the end of the graph. */
#define GAT_PLACE_WORDS 4
typedef int32_t gat_places_t[(GAT_SUBGRAPHS + 1) * GAT_PLACE_WORDS];

/* W of a layer, one memory per column; the attention vector, the half for source nodes first. */
typedef gat_value_t gat_columns_1_t[GAT_OUTPUTS][GAT_FEATURES_MOST];
typedef gat_value_t gat_columns_2_t[GAT_CLASSES][GAT_OUTPUTS];
typedef gat_value_t gat_vector_1_t[2][GAT_OUTPUTS];
typedef gat_value_t gat_vector_2_t[2][GAT_CLASSES];
typedef gat_value_t gat_attention_t[2][GAT_HEADS][GAT_LANES];

#ifdef __cplusplus
extern "C" {
#endif

/* Fields of a row's node_info. */
static inline int32_t gat_info_length(uint32_t info)
{
    return (int32_t)(info >> (GAT_NODES_BITS + 1) & ((UINT32_C(1) << GAT_LENGTH_BITS) - 1));
}

static inline int32_t gat_info_nodes(uint32_t info)
{
    return (int32_t)(info >> 1 & ((UINT32_C(1) << GAT_NODES_BITS) - 1));
}

/* The bits of a word that h_data stores as an entry. */
static inline uint32_t gat_entry(uint32_t word)
{
    return word & ((UINT32_C(2) << (GAT_ENTRY_BITS - 1)) - 1);
}

/* The lane that has a node. */
static inline int32_t gat_lane_of(int32_t node, const gat_places_t places)
{
    int32_t lane = 0;
    for (int32_t k = 1; k < GAT_SUBGRAPHS; k++)
        lane += node >= places[k * GAT_PLACE_WORDS];
    return lane;
}

/* CDMA: moves `count` words from the host's memory into the memory that `command` names, in every lane's copy, or values of the feature memory of layer
 * `layer` back. The rows of node_info are followed by the starts of the shares of all lanes except the first. */
void gat_cdma_in(GAT_PARAMETERS_WORDS, uint32_t command, uint32_t count, int32_t layer, int32_t inputs, int32_t rows, gat_places_t places,
                 uint32_t node_info[GAT_SUBGRAPHS][GAT_ROWS_MOST], gat_h_data_t h_data[GAT_SUBGRAPHS], uint32_t subgraph_idx[GAT_INDEX_MOST], gat_columns_1_t staged_1, gat_columns_2_t staged_2,
                 gat_vector_1_t vector_1, gat_vector_2_t vector_2);
void gat_cdma_out(GAT_PARAMETERS_FEATURES_OUT, uint32_t count, int32_t layer, const gat_places_t places, gat_feature_t features[GAT_SUBGRAPHS][GAT_FEATURES_OUT]);

/* Loader: moves a layer's W into the memories of every lane's SP-PEs and its attention vector into every lane's registers. */
void gat_load(int32_t layer, int32_t inputs, gat_columns_1_t staged_1, gat_columns_2_t staged_2, gat_vector_1_t vector_1, gat_vector_2_t vector_2,
              gat_columns_1_t weights_1[GAT_SUBGRAPHS], gat_columns_2_t weights_2[GAT_SUBGRAPHS], gat_attention_t attention[GAT_SUBGRAPHS]);

/* SPMM: z = x W of every row of the lane's share, from row `first` and entry `begin` on, to DMVM and, through WH, to the aggregator. `steps`: entries
 * of layer 1, counting 1 for a row without entries. */
void gat_spmm(int32_t layer, int32_t first, int32_t rows, int32_t steps, int32_t begin, uint32_t node_info[GAT_ROWS_MOST], gat_h_data_t h_data, gat_columns_1_t weights_1,
              gat_columns_2_t weights_2, GAT_FIFO_PARAMETER(gat_row_t, attended, GAT_ROWS_MOST), GAT_FIFO_PARAMETER(gat_row_t, wh, GAT_ROWS_MOST));

/* DMVM: e of every row and head; bit 8 marks the last row of a subgraph. */
void gat_dmvm(int32_t layer, int32_t nodes, int32_t rows, int32_t shift, gat_attention_t attention, GAT_FIFO_PARAMETER(gat_row_t, attended, GAT_ROWS_MOST),
              GAT_FIFO_PARAMETER(gat_coefficient_t, coefficients, GAT_EXPONENTS_MOST));

/* Softmax: sums 2^e over a subgraph for each head, and divides 2^(16 + e) by the sum. */
void gat_collect(int32_t layer, int32_t rows, GAT_FIFO_PARAMETER(gat_coefficient_t, coefficients, GAT_EXPONENTS_MOST),
                 GAT_FIFO_PARAMETER(gat_coefficient_t, dividends, GAT_EXPONENTS_MOST), GAT_FIFO_PARAMETER(gat_divisor_t, divisors, GAT_NODES_MOST));
void gat_divide(int32_t layer, int32_t rows, GAT_FIFO_PARAMETER(gat_coefficient_t, dividends, GAT_EXPONENTS_MOST),
                GAT_FIFO_PARAMETER(gat_divisor_t, divisors, GAT_NODES_MOST), GAT_FIFO_PARAMETER(gat_alpha_t, alphas, GAT_EXPONENTS_MOST));

/* Aggregator: writes Σ α z of every subgraph into the lane's feature memory, from node `first` on, after layer 1 with ReLU. */
void gat_aggregate(int32_t layer, int32_t first, int32_t nodes, int32_t rows, GAT_FIFO_PARAMETER(gat_alpha_t, alphas, GAT_EXPONENTS_MOST),
                   GAT_FIFO_PARAMETER(gat_row_t, wh, GAT_ROWS_MOST), gat_feature_t features[GAT_FEATURES_OUT]);

#if GAT_STREAMLINES
/* Dispatcher: copies the features of layer 1 into every row of layer 2 that contains the node. */
void gat_dispatch(int32_t nodes, int32_t rows, const gat_places_t places, gat_feature_t features[GAT_SUBGRAPHS][GAT_FEATURES_OUT],
                  uint32_t subgraph_idx[GAT_INDEX_MOST], gat_h_data_t h_data[GAT_SUBGRAPHS]);
#endif

#ifdef __cplusplus
}
#endif

#endif
