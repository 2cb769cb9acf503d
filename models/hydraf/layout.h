/* Data layout of one HyDRAF design: words, rows and steps of the accelerator under models/hydraf/hls/. The emitted header (hls.c), the
 * packed model (executor/pack.c) and the cost models read it. */
#pragma once

#include "models/hydraf/hydraf.h"

struct hydraf_layout {
    struct hydraf_shape shape;
    int64_t features;
    int64_t axi_bits;
    int64_t words_a_row;   /* port words per chunk of a hypervector; 1 if a word has several rows */
    int64_t rows_a_word;
    int64_t row_parts;     /* 32-bit parts of such a row */
    int64_t head_words;    /* words of the state's head: the scales, before its rows */
    int64_t encoder_lanes, encoder_steps, encoder_width; /* parallel features and dimensions; steps of a chunk's features */
    bool encodes, dense, real;
};

struct hydraf_layout hydraf_layout_of(const struct dse_config *config, const struct hydraf_work *work);

/* Whether a source exists for it: products and registers in one loop are limited by the tools. */
bool hydraf_has_source(const struct hydraf_layout *layout);
