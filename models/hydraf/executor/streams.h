/* The random streams of one seed, a purpose each (core/rng.h), so that drawing more for one never shifts another. */
#pragma once

#include <stdint.h>

enum hydraf_stream {
    HYDRAF_STREAM_SPLIT = 1,
    HYDRAF_STREAM_BASE,     /* base hypervectors */
    HYDRAF_STREAM_CLUSTERS, /* the clusters' first values */
    HYDRAF_STREAM_ORDER,    /* a stream of its own for each epoch: HYDRAF_STREAM_ORDER << 40, and the epoch */
    HYDRAF_STREAM_ROUNDING
};
