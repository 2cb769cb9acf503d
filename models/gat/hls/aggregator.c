/* SPDX-License-Identifier: MIT */ /* Aggregation (thesis, section 4.4.4, equation 4.4): adds one row and head per step to the running sums, then writes the subgraph's words, one per step. */
#include "gat.h"

void gat_aggregate(int32_t layer, int32_t first, int32_t nodes, int32_t rows, GAT_FIFO_PARAMETER(gat_alpha_t, alphas, GAT_EXPONENTS_MOST),
                   GAT_FIFO_PARAMETER(gat_row_t, wh, GAT_ROWS_MOST), gat_feature_t features[GAT_FEATURES_OUT])
{
    const int32_t heads = layer == 0 ? GAT_HEADS : 1, outputs = layer == 0 ? GAT_OUTPUTS : GAT_CLASSES;
    int32_t writes = 0, begins = 1, head = 0, left = 0, word = 0, taken = 0, used = 0, out = first * outputs;
    int32_t aggregator_row[GAT_WIDEST];
    GAT_ARRAY_PARTITION_AGGREGATOR_ROW
    gat_feature_t aggregator_sums[GAT_WIDEST];
    GAT_ARRAY_PARTITION_AGGREGATOR_SUMS
GAT_LABEL(aggregator_begin)
    for (int32_t k = 0; k < GAT_WIDEST; k++) {
        GAT_UNROLL_AGGREGATOR_BEGIN
        aggregator_row[k] = 0;
        aggregator_sums[k] = 0;
    }
GAT_LABEL(aggregator_steps)
    for (int32_t i = 0; i < rows * heads + nodes * outputs; i++) {
        GAT_PIPELINE_AGGREGATOR_STEPS
        GAT_LOOP_TRIPCOUNT_AGGREGATOR_STEPS
        if (!writes) {
            gat_feature_t products[GAT_LANES];
            GAT_ARRAY_PARTITION_PRODUCTS
            gat_alpha_t alpha = GAT_TAKE(alphas, used);
            used++;
            if (head == 0) {
                gat_row_t in = GAT_TAKE(wh, taken);
                taken++;
                uint32_t info = GAT_PART_ROW(in, GAT_WIDEST);
                for (int32_t k = 0; k < GAT_WIDEST; k++)
                    aggregator_row[k] = (int32_t)GAT_PART_ROW(in, k);
                left = begins ? gat_info_nodes(info) : left;
                begins = 0;
            }
            for (int32_t c = 0; c < GAT_LANES; c++)
                products[c] = (gat_feature_t)alpha * aggregator_row[c];
            for (int32_t k = 0; k < GAT_WIDEST; k++) {
                gat_feature_t of_first = k < GAT_OUTPUTS && head == k / GAT_CHANNELS ? products[k % GAT_CHANNELS] : 0;
                gat_feature_t of_second = k < GAT_LANES ? products[k < GAT_LANES ? k : 0] : 0;
                aggregator_sums[k] += layer == 0 ? of_first : of_second;
            }
            for (int32_t k = 0; k < GAT_WIDEST; k++) /* moves the next head's channels to the front */
                aggregator_row[k] = k + GAT_CHANNELS < GAT_WIDEST ? aggregator_row[k + GAT_CHANNELS < GAT_WIDEST ? k + GAT_CHANNELS : 0] : 0;
            int32_t ends = head == heads - 1;
            head = ends ? 0 : head + 1;
            writes = ends && left == 1;
            left -= ends;
        } else {
            int32_t last = word == outputs - 1;
            features[out] = layer == 0 && aggregator_sums[0] < 0 ? 0 : aggregator_sums[0];
            out++;
            for (int32_t k = 0; k < GAT_WIDEST; k++)
                aggregator_sums[k] = k + 1 < GAT_WIDEST ? aggregator_sums[k + 1 < GAT_WIDEST ? k + 1 : 0] : 0;
            word = last ? 0 : word + 1;
            writes = !last;
            begins = last;
        }
    }
}
