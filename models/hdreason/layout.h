/* Where the data of an HDReason accelerator lie in one design: fields and sizes of the memories under models/hdreason/hls/. The emitted header
 * (hls.c), the packed model (executor/pack.c), the cases and the cost models read them.
 *
 * A hypervector's elements lie side by side over all memory ports of a half: a beat is a word of each. Distances of an entity to all
 * queries of a batch lie in whole words of the host's port. */
#pragma once

#include "models/hdreason/hdreason.h"

struct hdreason_layout {
    int64_t entities, relations;    /* rows of M, and behind them those of H_r with the inverse ones */
    int64_t kept, bits, batch, lanes;
    int64_t ports, axi_bits;        /* memory ports of the hypervectors' half */
    int64_t beat;                   /* elements of a beat */
    int64_t steps, beats, turns;    /* of a vector: through the score engines, from memory, and the more of both */
    int64_t distance_bits, words;   /* of a distance; host words of an entity's */
};

struct hdreason_layout hdreason_layout_of(const struct dse_context *context, const struct dse_config *config);
