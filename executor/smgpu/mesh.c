#include "executor/smgpu/mesh.h"

#include <stdlib.h>
#include <string.h>

enum { LOCAL, EAST, WEST, NORTH, SOUTH };
#define INPUTS (SMGPU_PORTS * SMGPU_CHANNELS)
#define FREE 0xFF

/* A ring of flits. */
struct queue {
    struct smgpu_flit flit[SMGPU_BUFFER_MOST];
    uint8_t first, count;
};

struct smgpu_router {
    struct queue in[INPUTS];      /* port · channels + channel */
    uint8_t owner[INPUTS];        /* the input whose packet holds an output's channel, or FREE */
    uint8_t turn[SMGPU_PORTS];    /* the input after which the next round of an output begins */
};

/* A flit on its way, so that it moves one hop a cycle whatever the order of the routers. */
struct move {
    size_t router, input;
    size_t to_router, to_input; /* SIZE_MAX: it has arrived */
};

enum dse_status smgpu_mesh_make(size_t side, size_t buffer, struct smgpu_mesh *out, struct dse_error *err)
{
    *out = (struct smgpu_mesh){.side = side, .buffer = buffer, .router = calloc(side * side, sizeof *out->router)};
    if (out->router == NULL)
        return dse_fail_memory(err);
    for (size_t r = 0; r < side * side; r++)
        memset(out->router[r].owner, FREE, sizeof out->router[r].owner);
    return DSE_OK;
}

void smgpu_mesh_free(struct smgpu_mesh *mesh)
{
    free(mesh->router);
    mesh->router = NULL;
}

bool smgpu_mesh_accepts(const struct smgpu_mesh *mesh, size_t node)
{
    return mesh->router[node].in[LOCAL * SMGPU_CHANNELS].count < mesh->buffer;
}

static void push(struct smgpu_mesh *mesh, size_t router, size_t input, struct smgpu_flit flit)
{
    struct queue *q = &mesh->router[router].in[input];
    q->flit[(q->first + q->count++) % SMGPU_BUFFER_MOST] = flit;
    mesh->inside++;
}

void smgpu_mesh_inject(struct smgpu_mesh *mesh, size_t node, struct smgpu_flit flit)
{
    push(mesh, node, LOCAL * SMGPU_CHANNELS, flit);
    mesh->flits++;
}

/* X first, then Y. */
static size_t route(const struct smgpu_mesh *mesh, size_t router, size_t to)
{
    size_t x = router % mesh->side, y = router / mesh->side, tx = to % mesh->side, ty = to / mesh->side;
    return tx > x ? EAST : tx < x ? WEST : ty > y ? SOUTH : ty < y ? NORTH : LOCAL;
}

/* The router behind an output, and the port that it comes in by. */
static size_t neighbour(const struct smgpu_mesh *mesh, size_t router, size_t port, size_t *input)
{
    static const size_t opposite[SMGPU_PORTS] = {LOCAL, WEST, EAST, SOUTH, NORTH};
    *input = opposite[port];
    return port == EAST ? router + 1 : port == WEST ? router - 1 : port == SOUTH ? router + mesh->side : router - mesh->side;
}

static size_t channel_of(size_t port)
{
    return port == NORTH || port == SOUTH;
}

/* Whether the first flit of an input may leave by a port now. */
static bool may_leave(const struct smgpu_mesh *mesh, size_t router, size_t input, size_t port)
{
    const struct smgpu_router *at = &mesh->router[router];
    const struct queue *q = &at->in[input];
    if (q->count == 0 || route(mesh, router, q->flit[q->first].to) != port)
        return false;
    uint8_t owner = at->owner[port * SMGPU_CHANNELS + channel_of(port)];
    if (owner != FREE ? owner != input : !q->flit[q->first].head)
        return false;
    if (port == LOCAL)
        return true;
    size_t in, next = neighbour(mesh, router, port, &in);
    return mesh->router[next].in[in * SMGPU_CHANNELS + channel_of(port)].count < mesh->buffer;
}

/* The input that an output takes in this cycle: the local port first, then in turn. */
static size_t choose(const struct smgpu_mesh *mesh, size_t router, size_t port)
{
    if (may_leave(mesh, router, LOCAL * SMGPU_CHANNELS, port))
        return LOCAL * SMGPU_CHANNELS;
    for (size_t k = 1; k <= INPUTS; k++) {
        size_t input = (mesh->router[router].turn[port] + k) % INPUTS;
        if (may_leave(mesh, router, input, port))
            return input;
    }
    return INPUTS;
}

static void claim(struct smgpu_mesh *mesh, size_t router, size_t port, size_t input)
{
    struct smgpu_router *at = &mesh->router[router];
    const struct queue *q = &at->in[input];
    at->owner[port * SMGPU_CHANNELS + channel_of(port)] = q->flit[q->first].tail ? FREE : (uint8_t)input;
    at->turn[port] = (uint8_t)input;
}

static size_t plan_router(struct smgpu_mesh *mesh, size_t router, struct move *moves)
{
    size_t count = 0, waiting = 0;
    for (size_t i = 0; i < INPUTS; i++)
        waiting += mesh->router[router].in[i].count > 0;
    if (waiting == 0)
        return 0;
    for (size_t port = 0; port < SMGPU_PORTS; port++) {
        size_t input = choose(mesh, router, port), in = 0;
        if (input == INPUTS)
            continue;
        claim(mesh, router, port, input);
        size_t next = port == LOCAL ? SIZE_MAX : neighbour(mesh, router, port, &in);
        moves[count++] = (struct move){router, input, next, in * SMGPU_CHANNELS + channel_of(port)};
    }
    mesh->stalls += waiting - count;
    return count;
}

void smgpu_mesh_step(struct smgpu_mesh *mesh, void (*arrive)(void *context, const struct smgpu_flit *flit), void *context)
{
    struct move moves[256 * SMGPU_PORTS];
    size_t count = 0;
    if (mesh->inside == 0)
        return;
    for (size_t r = 0; r < mesh->side * mesh->side; r++)
        count += plan_router(mesh, r, moves + count);
    for (size_t i = 0; i < count; i++) {
        struct queue *q = &mesh->router[moves[i].router].in[moves[i].input];
        struct smgpu_flit flit = q->flit[q->first];
        q->first = (uint8_t)((q->first + 1) % SMGPU_BUFFER_MOST);
        q->count--;
        mesh->inside--;
        mesh->hops++;
        if (moves[i].to_router == SIZE_MAX)
            arrive(context, &flit);
        else
            push(mesh, moves[i].to_router, moves[i].to_input, flit);
    }
}
