/* SPDX-License-Identifier: MIT */ /* Subgraph dispatcher (thesis, section 4.5.1). It reads a node's features, one word per step. It writes them to every row that subgraph_idx names for the node, two
 * words per step by both ports of h_data. Features lose their fraction and saturate at the range of h_data's words. */
#include "gat.h"

#if GAT_STREAMLINES
#define HALF ((GAT_OUTPUTS + 1) / 2)
#define HIDDEN_LARGEST ((INT64_C(1) << GAT_HIDDEN_BITS) - 1)

static uint32_t hidden_of(gat_feature_t feature)
{
    gat_feature_t whole = feature >> GAT_ALPHA_BITS;
    return (uint32_t)(whole < HIDDEN_LARGEST ? whole : HIDDEN_LARGEST);
}

void gat_dispatch(int32_t nodes, int32_t rows, const gat_places_t places, gat_feature_t features[GAT_SUBGRAPHS][GAT_FEATURES_OUT],
                  uint32_t subgraph_idx[GAT_INDEX_MOST], gat_h_data_t h_data[GAT_SUBGRAPHS])
{
    int32_t writes = 0, word = 0, from = 0, index = 0, node = 1, lane = 0; /* node: the next one */
    uint32_t place = 0; /* read one step ahead, because the step after the next cannot wait for it */
    uint32_t dispatcher_words[2 * HALF];
    GAT_ARRAY_PARTITION_DISPATCHER_WORDS
GAT_LABEL(dispatcher_begin)
    for (int32_t k = 0; k < 2 * HALF; k++) {
        GAT_UNROLL_DISPATCHER_BEGIN
        dispatcher_words[k] = 0;
    }
GAT_LABEL(dispatcher_steps)
    for (int32_t i = 0; i < nodes * GAT_OUTPUTS + rows * HALF; i++) {
        GAT_PIPELINE_DISPATCHER_STEPS
        GAT_LOOP_TRIPCOUNT_DISPATCHER_STEPS
        int32_t fetches;
        if (!writes) {
            dispatcher_words[word] = hidden_of(features[lane][from]);
            from++;
            writes = word == GAT_OUTPUTS - 1;
            word = writes ? 0 : word + 1;
            fetches = writes;
            lane = writes ? gat_lane_of(node, places) : lane;
            node += writes;
        } else {
            int32_t row = (int32_t)(place >> 1 & (GAT_INDEX_BOUND - 1)), last = (int32_t)(place & 1);
            int32_t to = row * GAT_OUTPUTS + 2 * word, ends = word == HALF - 1;
            for (int32_t k = 0; k < GAT_SUBGRAPHS; k++) {
                h_data[k][to / GAT_H_SIDE][to % GAT_H_SIDE] = dispatcher_words[2 * word];
                if (GAT_OUTPUTS % 2 == 0 || !ends)
                    h_data[k][(to + 1) / GAT_H_SIDE][(to + 1) % GAT_H_SIDE] = dispatcher_words[2 * word + 1];
            }
            word = ends ? 0 : word + 1;
            writes = !(ends && last);
            fetches = ends && !last;
        }
        if (fetches) {
            place = subgraph_idx[index];
            index++;
        }
    }
}
#endif
