/* The mesh: routers of five ports with XY routing, virtual channel 0 along X and 1 along Y, flit by flit. Packets hold their output
 * until the tail has passed; a hop takes a cycle. */
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
    uint8_t stream; /* whose data it is */
    bool head, tail;
};

struct smgpu_mesh {
    size_t side, buffer;
    uint64_t flits, hops, stalls;
    size_t inside;                 /* flits in buffers */
    uint8_t *ports;                /* [routers · ports]: what waits, and who holds what: all that decides how the mesh goes on */
    size_t port_bytes, state_bytes;
    uint64_t active[SMGPU_ROUTERS_MOST / 64]; /* routers in which a flit waits, a bit each */
    uint8_t x[SMGPU_ROUTERS_MOST], y[SMGPU_ROUTERS_MOST];
};

/* At most SMGPU_SIDE_MOST routers per side, and SMGPU_BUFFER_MOST flits a port. */
void smgpu_mesh_make(size_t side, size_t buffer, struct smgpu_mesh *out);
void smgpu_mesh_free(struct smgpu_mesh *mesh);

/* Whether the local port of a node takes a flit now; puts it there. */
bool smgpu_mesh_accepts(const struct smgpu_mesh *mesh, size_t node);
void smgpu_mesh_inject(struct smgpu_mesh *mesh, size_t node, struct smgpu_flit flit);

/* One cycle: every output port passes at most one flit. Those that arrive are given to `arrive`. O(routers in which a flit waits). */
void smgpu_mesh_step(struct smgpu_mesh *mesh, void (*arrive)(void *context, const struct smgpu_flit *flit), void *context);
