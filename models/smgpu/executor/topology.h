/* The topology engine: the zero-dimensional barcode of a filtration by edge weight. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* Components are born at 0; each merge ends one at its edge's weight. `death` [node_count] is the caller's. */
struct smgpu_barcode {
    int32_t *death;       /* [pairs] ascending */
    size_t pairs;
    size_t essential;     /* components that are left */
    int64_t total;        /* Σ (death − birth) */
    uint64_t find_steps;  /* parents read by the union-find */
};

/* edge: [edges × 3] u, v, weight, which sort by (weight, u, v); nodes are 0 … nodes − 1. At most 65,536 of them. O(edges) with
 * six passes of sorting at most.
 * DSE_BAD_INPUT names an edge whose node or weight is out of range. */
enum dse_status smgpu_barcode_make(const int32_t *edge, size_t edges, size_t nodes, struct smgpu_barcode *out, struct dse_error *err);
