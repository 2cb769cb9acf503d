/* Data layout of one graph attention design: fields and sizes of the memories under models/gat/hls/. The emitted header
 * (hls.c), the packed model (executor/pack.c), the cases and the cost models read it. */
#pragma once

#include "models/gat/gat.h"

struct gat_layout {
    struct gat_shape shape;
    int64_t length_bits, nodes_bits;   /* widths of the fields of node_info: length || nodes || source */
    int64_t hidden_bits;               /* width of a hidden feature written by the dispatcher */
    int64_t wh_rows;                   /* rows of WH, and FIFO entries per head: the longest subgraph plus 16, at least 64 */
    int64_t h_words, side;             /* words of h_data, and entries per word */
    int64_t divisor_parts;             /* 32-bit parts of a head's sum of powers */
    int64_t port_words;                /* the longest transfer */
    int64_t features, classes;         /* numbers of the data set */
    int64_t clock_mhz;
};

/* Words after node_info for each lane except the first: the start of its share. */
#define GAT_PLACE_WORDS 4

struct gat_layout gat_layout_of(const struct dse_config *config, const struct gat_work *work);

/* Words transferred for W and the attention vector of a layer (0, 1). */
int64_t gat_weight_words(const struct gat_shape *shape, int layer);
