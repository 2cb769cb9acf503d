/* SPDX-License-Identifier: MIT */ /* Loader of weights (thesis, section 4.3): once per layer, one row of W (all columns) per cycle, then one word of the attention vector per cycle. */
#include "gat.h"

void gat_load(int32_t layer, int32_t inputs, gat_columns_1_t staged_1, gat_columns_2_t staged_2, gat_vector_1_t vector_1, gat_vector_2_t vector_2,
              gat_columns_1_t weights_1[GAT_SUBGRAPHS], gat_columns_2_t weights_2[GAT_SUBGRAPHS], gat_attention_t attention[GAT_SUBGRAPHS])
{
    const int32_t rows = layer == 0 ? inputs : GAT_OUTPUTS, outputs = layer == 0 ? GAT_OUTPUTS : GAT_CLASSES, channels = layer == 0 ? GAT_CHANNELS : GAT_CLASSES;
    int32_t half = 0, column = 0, head = 0, channel = 0;
GAT_LABEL(loader_weights)
    for (int32_t r = 0; r < rows; r++) {
        GAT_PIPELINE_LOADER_WEIGHTS
        GAT_LOOP_TRIPCOUNT_LOADER_WEIGHTS
        if (layer == 0) {
            for (int32_t k = 0; k < GAT_SUBGRAPHS * GAT_OUTPUTS; k++)
                weights_1[k / GAT_OUTPUTS][k % GAT_OUTPUTS][r] = staged_1[k % GAT_OUTPUTS][r];
        } else {
            for (int32_t k = 0; k < GAT_SUBGRAPHS * GAT_CLASSES; k++)
                weights_2[k / GAT_CLASSES][k % GAT_CLASSES][r] = staged_2[k % GAT_CLASSES][r];
        }
    }
GAT_LABEL(loader_clear)
    for (int32_t i = 0; i < GAT_SUBGRAPHS * 2 * GAT_HEADS * GAT_LANES; i++) {
        GAT_UNROLL_LOADER_CLEAR
        attention[i / (2 * GAT_HEADS * GAT_LANES)][i / (GAT_HEADS * GAT_LANES) % 2][i / GAT_LANES % GAT_HEADS][i % GAT_LANES] = 0;
    }
GAT_LABEL(loader_attention)
    for (int32_t i = 0; i < 2 * outputs; i++) {
        GAT_PIPELINE_LOADER_ATTENTION
        GAT_LOOP_TRIPCOUNT_LOADER_ATTENTION
        gat_value_t value = 0;
        for (int32_t k = 0; k < GAT_WIDEST; k++) {
            gat_value_t first = k < GAT_OUTPUTS ? vector_1[half][k < GAT_OUTPUTS ? k : 0] : 0, second = k < GAT_CLASSES ? vector_2[half][k < GAT_CLASSES ? k : 0] : 0;
            value = k != column ? value : layer == 0 ? first : second;
        }
        for (int32_t k = 0; k < GAT_SUBGRAPHS; k++)
            attention[k][half][head][channel] = value;
        int32_t whole = channel == channels - 1, ends = column == outputs - 1;
        channel = whole ? 0 : channel + 1;
        head = ends ? 0 : head + whole;
        column = ends ? 0 : column + 1;
        half += ends;
    }
}
