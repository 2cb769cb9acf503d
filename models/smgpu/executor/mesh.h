/* The mesh: five-port routers with XY routing, virtual channel 0 along X and 1 along Y, stepped flit by flit. A packet holds its output
 * until its tail has passed. A hop takes one cycle. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

#define SMGPU_PORTS 5 /* local, east, west, north, south */
#define SMGPU_BUFFER_MOST 64
#define SMGPU_SIDE_MOST 16
#define SMGPU_ROUTERS_MOST (SMGPU_SIDE_MOST * SMGPU_SIDE_MOST)

struct smgpu_flit {
    uint8_t to;     /* node */
    uint8_t stream; /* owner of the data */
    bool head, tail;
};

struct smgpu_mesh {
    size_t side, buffer;
    uint64_t flits, hops, stalls;
    size_t inside;                 /* flits in buffers */
    uint8_t *ports;                /* [routers · ports]: waiting flits and owners, the complete state of the mesh */
    size_t port_bytes, state_bytes;
    uint64_t active[SMGPU_ROUTERS_MOST / 64]; /* routers with a waiting flit, one bit each */
    uint8_t x[SMGPU_ROUTERS_MOST], y[SMGPU_ROUTERS_MOST];
};

/* At most SMGPU_SIDE_MOST routers per side, and SMGPU_BUFFER_MOST flits per port. */
void smgpu_mesh_make(size_t side, size_t buffer, struct smgpu_mesh *out);
void smgpu_mesh_free(struct smgpu_mesh *mesh);

/* Whether the local port of a node has room for a flit; and puts a flit there. */
bool smgpu_mesh_accepts(const struct smgpu_mesh *mesh, size_t node);
void smgpu_mesh_inject(struct smgpu_mesh *mesh, size_t node, struct smgpu_flit flit);

/* One cycle: every output port passes at most one flit. `arrive` receives the flits that arrive. O(routers with a waiting flit). */
void smgpu_mesh_step(struct smgpu_mesh *mesh, void (*arrive)(void *context, const struct smgpu_flit *flit), void *context);
