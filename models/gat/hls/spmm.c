/* SPDX-License-Identifier: MIT */ /* Sparse matrix-vector products (thesis, section 4.4.1, equation 4.1). A row takes one step to read its node_info, one step per entry and pass, and
 * one step to write WH. A row without entries takes one empty step. In a pass every SP-PE has one column of W. */
#include "gat.h"

#define PASSES(outputs) (((outputs) + GAT_SPMM_PE - 1) / GAT_SPMM_PE)
#define INFO 0
#define MULTIPLY 1
#define WRITE 2

/* The word that WH stores for a sum. */
static int32_t word_of(int64_t sum)
{
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
}

void gat_spmm(int32_t layer, int32_t first, int32_t rows, int32_t steps, int32_t begin, uint32_t node_info[GAT_ROWS_MOST], gat_h_data_t h_data, gat_columns_1_t weights_1,
              gat_columns_2_t weights_2, GAT_FIFO_PARAMETER(gat_row_t, attended, GAT_ROWS_MOST), GAT_FIFO_PARAMETER(gat_row_t, wh, GAT_ROWS_MOST))
{
    const int32_t count = 2 * rows + (layer == 0 ? PASSES(GAT_OUTPUTS) * steps : PASSES(GAT_CLASSES) * GAT_OUTPUTS * rows);
    const int32_t passes = layer == 0 ? PASSES(GAT_OUTPUTS) : PASSES(GAT_CLASSES);
    int32_t row = 0, phase = INFO, length = 0, left = 0, pass = 0, at = begin, entry = 0;
    uint32_t info = 0;
    int64_t spmm_sums[GAT_SPMM_PE];
    GAT_ARRAY_PARTITION_SPMM_SUMS
    int32_t spmm_row[GAT_WIDEST];
    GAT_ARRAY_PARTITION_SPMM_ROW
GAT_LABEL(spmm_begin)
    for (int32_t i = 0; i < GAT_SPMM_PE; i++) {
        GAT_UNROLL_SPMM_BEGIN
        spmm_sums[i] = 0;
    }
GAT_LABEL(spmm_clear)
    for (int32_t k = 0; k < GAT_WIDEST; k++) {
        GAT_UNROLL_SPMM_CLEAR
        spmm_row[k] = 0;
    }
GAT_LABEL(spmm_steps)
    for (int32_t i = 0; i < count; i++) {
        GAT_PIPELINE_SPMM_STEPS
        GAT_LOOP_TRIPCOUNT_SPMM_STEPS
        if (phase == INFO) {
            info = node_info[first + row];
            length = layer == 0 ? gat_info_length(info) : GAT_OUTPUTS;
            left = length;
            phase = MULTIPLY;
        } else if (phase == MULTIPLY) {
            int32_t there = length > 0, ends = left <= 1, last = ends && pass == passes - 1;
            uint32_t word = there ? gat_entry(h_data[at / GAT_H_SIDE][at % GAT_H_SIDE]) : 0;
            int32_t column = layer == 0 ? (int32_t)(word >> GAT_VALUE_BITS) : entry;
            int32_t of_bits = (int32_t)(word << (32 - GAT_VALUE_BITS)) >> (32 - GAT_VALUE_BITS); /* sign and size */
            int32_t value = layer == 0 || !GAT_STREAMLINES ? of_bits : (int32_t)word;
            for (int32_t n = 0; n < GAT_SPMM_PE; n++) {
                gat_value_t weight = 0;
                for (int32_t p = 0; p < PASSES(GAT_WIDEST); p++) {
                    int32_t k = p * GAT_SPMM_PE + n;
                    gat_value_t of_first = k < GAT_OUTPUTS ? weights_1[k < GAT_OUTPUTS ? k : 0][layer == 0 ? column : 0] : 0;
                    gat_value_t of_second = k < GAT_CLASSES ? weights_2[k < GAT_CLASSES ? k : 0][layer == 0 ? 0 : entry] : 0;
                    weight = p != pass ? weight : layer == 0 ? of_first : of_second;
                }
                spmm_sums[n] = (entry == 0 ? 0 : spmm_sums[n]) + (int64_t)value * weight;
            }
            for (int32_t k = 0; k < GAT_WIDEST; k++)
                spmm_row[k] = k / GAT_SPMM_PE == pass ? word_of(spmm_sums[k % GAT_SPMM_PE]) : spmm_row[k];
            entry = ends ? 0 : entry + 1;
            begin = last ? at + there : begin;
            at = last || !ends ? at + there : begin;
            left = ends ? length : left - 1;
            pass = last ? 0 : pass + ends;
            phase = last ? WRITE : MULTIPLY;
        } else {
            gat_row_t out;
            for (int32_t k = 0; k < GAT_WIDEST; k++)
                GAT_PART_ROW(out, k) = (uint32_t)spmm_row[k];
            GAT_PART_ROW(out, GAT_WIDEST) = info;
            GAT_PUT(attended, row, out);
            GAT_PUT(wh, row, out);
            row++;
            phase = INFO;
        }
    }
}
