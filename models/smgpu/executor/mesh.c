#include "models/smgpu/executor/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { LOCAL, EAST, WEST, NORTH, SOUTH };
#define FREE 0xFF

/* A waiting flit, and its output. */
struct waiting {
    struct smgpu_flit flit;
    uint8_t port;
};

/* A port's input and output. A port lies along X or along Y, so only one of its two channels and one buffer is used. Entries from `count`
 * on are 0, so that meshes of equal bytes behave alike. */
struct port {
    uint8_t count; /* flits in its buffer */
    uint8_t owner; /* the input whose packet holds its output, or FREE */
    uint8_t turn;  /* the input after which the output's next round begins */
    struct waiting waiting[];
};

/* A planned move of a flit, so that flits move one hop per cycle for any order of the routers. */
struct move {
    struct port *from, *to; /* `to` NULL: arrives */
    uint16_t from_router, to_router;
};

static struct port *port_of(const struct smgpu_mesh *mesh, size_t router, size_t port)
{
    return (struct port *)(void *)(mesh->ports + (router * SMGPU_PORTS + port) * mesh->port_bytes);
}

void smgpu_mesh_make(size_t side, size_t buffer, struct smgpu_mesh *out)
{
    size_t routers = side * side, bytes = sizeof(struct port) + buffer * sizeof(struct waiting);
    *out = (struct smgpu_mesh){.side = side, .buffer = buffer, .port_bytes = bytes, .state_bytes = routers * SMGPU_PORTS * bytes,
                               .ports = dse_calloc(routers * SMGPU_PORTS, bytes)};
    for (size_t r = 0; r < routers; r++) {
        out->x[r] = (uint8_t)(r % side);
        out->y[r] = (uint8_t)(r / side);
        for (size_t p = 0; p < SMGPU_PORTS; p++)
            port_of(out, r, p)->owner = FREE;
    }
}

void smgpu_mesh_free(struct smgpu_mesh *mesh)
{
    free(mesh->ports);
    mesh->ports = NULL;
}

bool smgpu_mesh_accepts(const struct smgpu_mesh *mesh, size_t node)
{
    return port_of(mesh, node, LOCAL)->count < mesh->buffer;
}

/* X first, then Y. */
static uint8_t route(const struct smgpu_mesh *mesh, size_t router, size_t to)
{
    uint8_t x = mesh->x[router], y = mesh->y[router], tx = mesh->x[to], ty = mesh->y[to];
    return tx > x ? EAST : tx < x ? WEST : ty > y ? SOUTH : ty < y ? NORTH : LOCAL;
}

static void push(struct smgpu_mesh *mesh, size_t router, struct port *port, struct smgpu_flit flit)
{
    port->waiting[port->count++] = (struct waiting){flit, route(mesh, router, flit.to)};
    mesh->active[router / 64] |= UINT64_C(1) << router % 64;
    mesh->inside++;
}

void smgpu_mesh_inject(struct smgpu_mesh *mesh, size_t node, struct smgpu_flit flit)
{
    push(mesh, node, port_of(mesh, node, LOCAL), flit);
    mesh->flits++;
}

/* The router that an output leads to; and the input there. */
static size_t neighbour(const struct smgpu_mesh *mesh, size_t router, size_t port)
{
    return port == EAST ? router + 1 : port == WEST ? router - 1 : port == SOUTH ? router + mesh->side : router - mesh->side;
}

static const size_t opposite[SMGPU_PORTS] = {LOCAL, WEST, EAST, SOUTH, NORTH};

/* Arbitrates an output among the requesting inputs, one bit each: the local port first, then round robin. */
static unsigned choose(unsigned wants, unsigned turn)
{
    if ((wants & 1u << LOCAL) != 0)
        return LOCAL;
    unsigned behind = wants >> (turn + 1) << (turn + 1);
    return (unsigned)__builtin_ctz(behind != 0 ? behind : wants);
}

/* Plans the moves of a router's flits in this cycle, and updates the owners of its outputs. */
static size_t plan_router(struct smgpu_mesh *mesh, size_t router, struct move *moves)
{
    size_t count = 0, waiting = 0;
    unsigned wants[SMGPU_PORTS] = {0};
    struct port *ports[SMGPU_PORTS];
    for (size_t p = 0; p < SMGPU_PORTS; p++)
        ports[p] = port_of(mesh, router, p);
    for (unsigned input = 0; input < SMGPU_PORTS; input++) {
        const struct waiting *first = ports[input]->waiting;
        if (ports[input]->count == 0)
            continue;
        waiting++;
        uint8_t owner = ports[first->port]->owner;
        wants[first->port] |= (unsigned)(owner != FREE ? owner == input : first->flit.head) << input;
    }
    for (size_t p = 0; p < SMGPU_PORTS; p++) {
        size_t next = p != LOCAL && wants[p] != 0 ? neighbour(mesh, router, p) : router;
        struct port *to = p != LOCAL ? port_of(mesh, next, opposite[p]) : NULL;
        if (wants[p] == 0 || (to != NULL && to->count == mesh->buffer))
            continue;
        unsigned input = choose(wants[p], ports[p]->turn);
        ports[p]->owner = ports[input]->waiting->flit.tail ? FREE : (uint8_t)input;
        ports[p]->turn = (uint8_t)input;
        moves[count++] = (struct move){ports[input], to, (uint16_t)router, (uint16_t)next};
    }
    mesh->stalls += waiting - count;
    return count;
}

static struct smgpu_flit pop(struct smgpu_mesh *mesh, struct port *port)
{
    struct smgpu_flit flit = port->waiting->flit;
    port->count--;
    memmove(port->waiting, port->waiting + 1, port->count * sizeof *port->waiting);
    memset(port->waiting + port->count, 0, sizeof *port->waiting);
    mesh->inside--;
    return flit;
}

/* A router without waiting flits becomes inactive. */
static void rest(struct smgpu_mesh *mesh, size_t router)
{
    for (size_t p = 0; p < SMGPU_PORTS; p++)
        if (port_of(mesh, router, p)->count > 0)
            return;
    mesh->active[router / 64] &= ~(UINT64_C(1) << router % 64);
}

void smgpu_mesh_step(struct smgpu_mesh *mesh, void (*arrive)(void *context, const struct smgpu_flit *flit), void *context)
{
    struct move moves[SMGPU_ROUTERS_MOST * SMGPU_PORTS];
    size_t count = 0;
    if (mesh->inside == 0)
        return;
    for (size_t w = 0; w < SMGPU_ROUTERS_MOST / 64; w++)
        for (uint64_t left = mesh->active[w]; left != 0; left &= left - 1)
            count += plan_router(mesh, 64 * w + (size_t)__builtin_ctzll(left), moves + count);
    mesh->hops += count;
    for (size_t i = 0; i < count; i++) {
        struct smgpu_flit flit = pop(mesh, moves[i].from);
        if (moves[i].to == NULL)
            arrive(context, &flit);
        else
            push(mesh, moves[i].to_router, moves[i].to, flit);
    }
    for (size_t i = 0; i < count; i++)
        rest(mesh, moves[i].from_router);
}
