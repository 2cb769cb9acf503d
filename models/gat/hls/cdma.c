/* SPDX-License-Identifier: MIT */ /* Transfers between the host's memory and the accelerator's, one at a time, one word per cycle (thesis, section 5.1.2). */
#include "gat.h"

void gat_cdma_in(GAT_PARAMETERS_WORDS, uint32_t command, uint32_t count, int32_t layer, int32_t inputs, int32_t rows, gat_places_t places,
                 uint32_t node_info[GAT_SUBGRAPHS][GAT_ROWS_MOST], gat_h_data_t h_data[GAT_SUBGRAPHS], uint32_t subgraph_idx[GAT_INDEX_MOST], gat_columns_1_t staged_1, gat_columns_2_t staged_2,
                 gat_vector_1_t vector_1, gat_vector_2_t vector_2)
{
    int32_t second = layer, row = 0, column = 0; /* position in the weights */
    int32_t remain = layer == 0 ? inputs + 2 : GAT_OUTPUTS + 2, columns = layer == 0 ? GAT_OUTPUTS : GAT_CLASSES, last_row = 0; /* remain: rows */
    int32_t place = GAT_PLACE_WORDS; /* the next word of `places` */
GAT_LABEL(cdma_words)
    for (uint32_t i = 0; i < count && i < GAT_WORDS_MOST; i++) {
        GAT_PIPELINE_CDMA_WORDS
        GAT_LOOP_TRIPCOUNT_CDMA_WORDS
        gat_word_t word[1];
        GAT_READ_WORDS(word, i);
        uint32_t value = word[0];
        int32_t behind = remain <= 2, half = last_row;
        if (command == GAT_COMMAND_NODE_INFO && (GAT_SUBGRAPHS == 1 || (int32_t)i < rows)) {
            for (int32_t k = 0; k < GAT_SUBGRAPHS; k++)
                node_info[k][i] = value;
        } else if (command == GAT_COMMAND_NODE_INFO) {
            places[place] = (int32_t)value;
            place += place < GAT_SUBGRAPHS * GAT_PLACE_WORDS;
        } else if (command == GAT_COMMAND_H_DATA) {
            for (int32_t k = 0; k < GAT_SUBGRAPHS; k++)
                h_data[k][i / GAT_H_SIDE][i % GAT_H_SIDE] = value;
        } else if (command == GAT_COMMAND_SUBGRAPH_IDX) {
            subgraph_idx[i < GAT_INDEX_MOST ? i : 0] = value;
        } else {
            if (behind && second)
                vector_2[half][column] = (gat_value_t)value;
            else if (behind)
                vector_1[half][column] = (gat_value_t)value;
            else if (second)
                staged_2[column][row] = (gat_value_t)value;
            else
                staged_1[column][row] = (gat_value_t)value;
            int32_t ends = columns == 1, all = ends && last_row, next = second || last_row ? GAT_CLASSES : GAT_OUTPUTS;
            column = ends ? 0 : column + 1;
            columns = ends ? next : columns - 1;
            row = all ? 0 : row + ends;
            last_row = ends ? remain == 2 : last_row;
            remain = all ? GAT_OUTPUTS + 2 : remain - ends;
            second |= all;
        }
    }
}

void gat_cdma_out(GAT_PARAMETERS_FEATURES_OUT, uint32_t count, int32_t layer, const gat_places_t places, gat_feature_t features[GAT_SUBGRAPHS][GAT_FEATURES_OUT])
{
    const int32_t outputs = layer == 0 ? GAT_OUTPUTS : GAT_CLASSES;
    int32_t node = 1, word = 0, lane = 0; /* node: the next one */
GAT_LABEL(cdma_features)
    for (uint32_t i = 0; i < count && i < GAT_FEATURES_OUT; i++) {
        GAT_PIPELINE_CDMA_FEATURES
        GAT_LOOP_TRIPCOUNT_CDMA_FEATURES
        features_out[i] = features[lane][i];
        int32_t ends = word == outputs - 1;
        lane = ends ? gat_lane_of(node, places) : lane;
        node += ends;
        word = ends ? 0 : word + 1;
    }
}
