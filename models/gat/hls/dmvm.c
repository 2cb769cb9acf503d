/* SPDX-License-Identifier: MIT */ /* Attention coefficients (thesis, section 4.4.2, equation 4.2). One step multiplies one row and head with one half of the attention vector; a source node takes two steps. */
#include "gat.h"

/* ReLU, shift (negative: to the left), and saturation at the range of an exponent. */
static uint32_t exponent_of(int64_t sum, int32_t shift)
{
    int32_t left = shift >= 0 ? 0 : shift < -7 ? 7 : -shift, right = shift < 0 ? 0 : shift > 63 ? 63 : shift;
    int64_t least = sum > 0 ? sum : 0, e = (least << left) >> right;
    return e < GAT_EXPONENT_MOST ? (uint32_t)e : GAT_EXPONENT_MOST;
}

void gat_dmvm(int32_t layer, int32_t nodes, int32_t rows, int32_t shift, gat_attention_t attention, GAT_FIFO_PARAMETER(gat_row_t, attended, GAT_ROWS_MOST),
              GAT_FIFO_PARAMETER(gat_coefficient_t, coefficients, GAT_EXPONENTS_MOST))
{
    const int32_t heads = layer == 0 ? GAT_HEADS : 1;
    int32_t row = 0, head = 0, second = 0, source = 1, left = 0, made = 0; /* source: of the row, or of the next one; left: rows of the subgraph */
    int32_t dmvm_row[GAT_WIDEST];
    GAT_ARRAY_PARTITION_DMVM_ROW
    int64_t dmvm_source[GAT_HEADS];
    GAT_ARRAY_PARTITION_DMVM_SOURCE
GAT_LABEL(dmvm_begin)
    for (int32_t k = 0; k < GAT_WIDEST; k++) {
        GAT_UNROLL_DMVM_BEGIN
        dmvm_row[k] = 0;
    }
GAT_LABEL(dmvm_clear)
    for (int32_t h = 0; h < GAT_HEADS; h++) {
        GAT_UNROLL_DMVM_CLEAR
        dmvm_source[h] = 0;
    }
GAT_LABEL(dmvm_steps)
    for (int32_t i = 0; i < (rows + nodes) * heads; i++) {
        GAT_PIPELINE_DMVM_STEPS
        GAT_LOOP_TRIPCOUNT_DMVM_STEPS
        int32_t last = left == 1; /* the last row of its subgraph; not used in a source node's first step, which reads the number of rows */
        if (head == 0 && !second) {
            gat_row_t in = GAT_TAKE(attended, row);
            uint32_t info = GAT_PART_ROW(in, GAT_WIDEST);
            for (int32_t k = 0; k < GAT_WIDEST; k++)
                dmvm_row[k] = (int32_t)GAT_PART_ROW(in, k);
            left = source ? gat_info_nodes(info) : left;
        }
        int32_t of_source = source && !second;
        int64_t sum = 0;
        for (int32_t c = 0; c < GAT_LANES; c++) {
            gat_value_t factor = attention[0][head][c], other = attention[1][head][c];
            sum += (int64_t)dmvm_row[c] * (of_source ? factor : other);
        }
        if (of_source) {
            dmvm_source[head] = sum;
            second = 1;
        } else {
            int32_t ends = head == heads - 1;
            uint32_t e = exponent_of(dmvm_source[head] + sum, shift);
            GAT_PUT(coefficients, made, (gat_coefficient_t)(e | (uint32_t)(ends && last) << 8));
            made++;
            for (int32_t k = 0; k < GAT_WIDEST; k++) /* moves the next head's channels to the front */
                dmvm_row[k] = k + GAT_CHANNELS < GAT_WIDEST ? dmvm_row[k + GAT_CHANNELS < GAT_WIDEST ? k + GAT_CHANNELS : 0] : 0;
            second = 0;
            source = ends ? last : source;
            left -= ends;
            row += ends;
            head = ends ? 0 : head + 1;
        }
    }
}
