/* The topology engine: the zero-dimensional barcode of a filtration by edge weight. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* Components are born at 0; each merge ends one at its edge's weight. The caller provides `death` [node_count]. */
struct smgpu_barcode {
    int32_t *death;       /* [pairs] ascending */
    size_t pairs;
    size_t essential;     /* remaining components */
    int64_t total;        /* Σ (death − birth) */
    uint64_t find_steps;  /* parents read by the union-find */
};

/* edge: [edges × 3] u, v, weight; sorted here by (weight, u, v). Nodes are 0 … nodes − 1, at most 65,536. O(edges), with
 * at most six sorting passes.
 * DSE_BAD_INPUT names an edge whose node or weight is out of range. */
enum dse_status smgpu_barcode_make(const int32_t *edge, size_t edges, size_t nodes, struct smgpu_barcode *out, struct dse_error *err);
