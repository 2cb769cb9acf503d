/* Random streams of one seed, one per purpose (core/rng.h), so that more draws for one purpose do not shift
 * the others. */
#pragma once

#include <stdint.h>

enum nysx_stream {
    NYSX_STREAM_SPLIT = 1,
    NYSX_STREAM_LANDMARKS,
    NYSX_STREAM_LSH,
    NYSX_STREAM_PROJECTION, /* one stream per row of P_rp: see nysx_stream_row */
    NYSX_STREAM_RETRAIN,
    NYSX_STREAM_SAMPLE,
    NYSX_STREAM_POOL,
    NYSX_STREAM_RIDGE
};

/* Stream of row `row` (or hop, or epoch) within a purpose. */
static inline uint64_t nysx_stream_row(enum nysx_stream purpose, uint64_t row)
{
    return ((uint64_t)purpose << 40) + row;
}
