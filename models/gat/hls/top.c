/* SPDX-License-Identifier: MIT */ /* The kernel: memories, which keep their contents between calls, and parallel engines (thesis, Figure 4.1). */
#include "gat.h"

/* One lane's part of a layer: its engines, connected by FIFOs. `node`, `row` and `entry` are where the lane's part begins. */
static void gat_layer(int32_t layer, int32_t node, int32_t row, int32_t entry, int32_t nodes, int32_t rows, int32_t steps, int32_t shift, uint32_t node_info[GAT_ROWS_MOST], gat_h_data_t h_data,
                      gat_columns_1_t weights_1, gat_columns_2_t weights_2, gat_attention_t attention, gat_feature_t features[GAT_FEATURES_OUT])
{
    GAT_DATAFLOW_LAYER
    GAT_LOCAL GAT_FIFO(gat_row_t, attended, GAT_ROWS_MOST);
    GAT_STREAM_ATTENDED
    GAT_LOCAL GAT_FIFO(gat_row_t, wh, GAT_ROWS_MOST);
    GAT_STREAM_WH
    GAT_BIND_STORAGE_WH
    GAT_LOCAL GAT_FIFO(gat_coefficient_t, coefficients, GAT_EXPONENTS_MOST);
    GAT_STREAM_COEFFICIENTS
    GAT_LOCAL GAT_FIFO(gat_coefficient_t, dividends, GAT_EXPONENTS_MOST);
    GAT_STREAM_DIVIDENDS
    GAT_LOCAL GAT_FIFO(gat_divisor_t, divisors, GAT_NODES_MOST);
    GAT_STREAM_DIVISORS
    GAT_LOCAL GAT_FIFO(gat_alpha_t, alphas, GAT_EXPONENTS_MOST);
    GAT_STREAM_ALPHAS
    gat_spmm(layer, row, rows, steps, layer == 0 ? entry : row * GAT_OUTPUTS, node_info, h_data, weights_1, weights_2, attended, wh);
    gat_dmvm(layer, nodes, rows, shift, attention, attended, coefficients);
    gat_collect(layer, rows, coefficients, dividends, divisors);
    gat_divide(layer, rows, dividends, divisors, alphas);
    gat_aggregate(layer, node, nodes, rows, alphas, wh, features);
}

/* One layer: the lanes in parallel. */
static void gat_lanes(int32_t layer, int32_t shift, const gat_places_t places, uint32_t node_info[GAT_SUBGRAPHS][GAT_ROWS_MOST], gat_h_data_t h_data[GAT_SUBGRAPHS],
                      gat_columns_1_t weights_1[GAT_SUBGRAPHS], gat_columns_2_t weights_2[GAT_SUBGRAPHS], gat_attention_t attention[GAT_SUBGRAPHS],
                      gat_feature_t features[GAT_SUBGRAPHS][GAT_FEATURES_OUT])
{
    GAT_DATAFLOW_LANES
GAT_LABEL(scheduler_lanes)
    for (int32_t k = 0; k < GAT_SUBGRAPHS; k++) {
        GAT_UNROLL_SCHEDULER_LANES
        int32_t from = k * GAT_PLACE_WORDS, to = from + GAT_PLACE_WORDS;
        gat_layer(layer, places[from], places[from + 1], places[from + 3], places[to] - places[from], places[to + 1] - places[from + 1],
                  places[to + 2] - places[from + 2], shift, node_info[k], h_data[k], weights_1[k], weights_2[k], attention[k], features[k]);
    }
}

static uint32_t least(uint32_t count, uint32_t most)
{
    return count < most ? count : most;
}

void GAT_TOP(GAT_PARAMETERS_WORDS, GAT_PARAMETERS_FEATURES_OUT, GAT_PARAMETERS_REGISTERS)
{
    GAT_TOP_INTERFACES
    static uint32_t node_info[GAT_SUBGRAPHS][GAT_ROWS_MOST], subgraph_idx[GAT_INDEX_MOST];
    GAT_ARRAY_PARTITION_NODE_INFO
    static uint32_t h_data[GAT_SUBGRAPHS][GAT_H_WORDS][GAT_H_SIDE];
    GAT_ARRAY_PARTITION_H_DATA
    GAT_ARRAY_RESHAPE_H_DATA
    GAT_BIND_STORAGE_H_DATA
    static gat_value_t staged_1[GAT_OUTPUTS][GAT_FEATURES_MOST], staged_2[GAT_CLASSES][GAT_OUTPUTS], vector_1[2][GAT_OUTPUTS], vector_2[2][GAT_CLASSES];
    GAT_ARRAY_PARTITION_STAGED_1
    GAT_ARRAY_PARTITION_STAGED_2
    GAT_ARRAY_PARTITION_VECTOR_1
    GAT_ARRAY_PARTITION_VECTOR_2
    static gat_value_t weights_1[GAT_SUBGRAPHS][GAT_OUTPUTS][GAT_FEATURES_MOST], weights_2[GAT_SUBGRAPHS][GAT_CLASSES][GAT_OUTPUTS];
    static gat_value_t attention[GAT_SUBGRAPHS][2][GAT_HEADS][GAT_LANES];
    GAT_ARRAY_PARTITION_WEIGHTS_1
    GAT_ARRAY_PARTITION_WEIGHTS_2
    GAT_ARRAY_PARTITION_ATTENTION
    static gat_feature_t features[GAT_SUBGRAPHS][GAT_FEATURES_OUT];
    GAT_ARRAY_PARTITION_FEATURES
    GAT_BIND_STORAGE_FEATURES
    const int32_t first = layer != 0, last = GAT_STREAMLINES ? 1 : first, of_inputs = (int32_t)least(inputs, GAT_FEATURES_MOST);
    const int32_t of_nodes = (int32_t)least(nodes, GAT_NODES_MOST), of_rows = (int32_t)least(rows, GAT_ROWS_MOST);
    static int32_t places[(GAT_SUBGRAPHS + 1) * GAT_PLACE_WORDS];
    GAT_ARRAY_PARTITION_PLACES
    places[GAT_SUBGRAPHS * GAT_PLACE_WORDS] = of_nodes;
    places[GAT_SUBGRAPHS * GAT_PLACE_WORDS + 1] = of_rows;
    places[GAT_SUBGRAPHS * GAT_PLACE_WORDS + 2] = (int32_t)steps;
    if (command == GAT_COMMAND_FEATURES) {
        gat_cdma_out(GAT_ARGUMENTS_FEATURES_OUT, count, first, places, features);
    } else if (command != GAT_COMMAND_RUN) {
        gat_cdma_in(GAT_ARGUMENTS_WORDS, command, count, first, of_inputs, of_rows, places, node_info, h_data, subgraph_idx, staged_1, staged_2, vector_1, vector_2);
    } else {
    GAT_LABEL(scheduler_layers)
        for (int32_t l = first; l <= last; l++) {
            GAT_LOOP_TRIPCOUNT_SCHEDULER_LAYERS
            gat_load(l, of_inputs, staged_1, staged_2, vector_1, vector_2, weights_1, weights_2, attention);
            gat_lanes(l, (int32_t)(l == 0 ? shift_1 : shift_2), places, node_info, h_data, weights_1, weights_2, attention, features);
#if GAT_STREAMLINES
            if (l == 0)
                gat_dispatch(of_nodes, of_rows, places, features, subgraph_idx, h_data);
#endif
        }
    }
}
