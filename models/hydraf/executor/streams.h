/* The random streams of one seed, one per purpose (core/rng.h): more draws from one never shift another. */
#pragma once

#include <stdint.h>

enum hydraf_stream {
    HYDRAF_STREAM_SPLIT = 1,
    HYDRAF_STREAM_BASE,     /* base hypervectors */
    HYDRAF_STREAM_CLUSTERS, /* the clusters' first values */
    HYDRAF_STREAM_ORDER,    /* one stream per epoch: HYDRAF_STREAM_ORDER << 40, plus the epoch */
    HYDRAF_STREAM_ROUNDING
};
