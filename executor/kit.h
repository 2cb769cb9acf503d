/* Building parts of cycle-stepped simulations: FIFO, pipelined loop, round-robin arbiter, and memory ports.
 *
 * One step is one clock cycle, `now`. In a cycle a simulation first reads the registers and then writes their values for the next cycle. The order in
 * which parts are stepped therefore does not matter unless a part says so. No step allocates. All calls are O(1) unless they say otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- FIFO: entries are put in order; each is readable from a given cycle on, and these cycles do not descend ---- */

struct dse_fifo_entry {
    uint64_t ready; /* the first cycle in which it can be taken */
    int64_t value;
};

struct dse_fifo {
    struct dse_fifo_entry *entry; /* [mask + 1], a ring */
    uint64_t mask, room;          /* room: entries until it is full, including those on their way */
    uint64_t put, seen, taken;    /* entries in all; seen: those found readable by dse_fifo_waiting so far */
};

/* An empty FIFO of `room` entries; dse_fifo_free releases it. */
struct dse_fifo dse_fifo_make(uint64_t room);
void dse_fifo_free(struct dse_fifo *fifo);

/* An empty FIFO in memory of the caller's: `room` entries, a power of two. */
static inline struct dse_fifo dse_fifo_in(struct dse_fifo_entry *entry, uint64_t room)
{
    return (struct dse_fifo){.entry = entry, .mask = room - 1, .room = room};
}

/* Entries put in and not taken, readable or not. */
static inline uint64_t dse_fifo_count(const struct dse_fifo *fifo)
{
    return fifo->put - fifo->taken;
}

static inline bool dse_fifo_full(const struct dse_fifo *fifo)
{
    return dse_fifo_count(fifo) == fifo->room;
}

/* Not to a full one. */
static inline void dse_fifo_put(struct dse_fifo *fifo, uint64_t ready, int64_t value)
{
    fifo->entry[fifo->put++ & fifo->mask] = (struct dse_fifo_entry){ready, value};
}

/* Entries that can be taken in cycle `now`, which must not descend from call to call. Amortised O(1). */
static inline uint64_t dse_fifo_waiting(struct dse_fifo *fifo, uint64_t now)
{
    while (fifo->seen < fifo->put && fifo->entry[fifo->seen & fifo->mask].ready <= now)
        fifo->seen++;
    return fifo->seen - fifo->taken;
}

/* The oldest entry's value; dse_fifo_take removes it. Call it only if an entry waits. */
static inline int64_t dse_fifo_front(const struct dse_fifo *fifo)
{
    return fifo->entry[fifo->taken & fifo->mask].value;
}

static inline int64_t dse_fifo_take(struct dse_fifo *fifo)
{
    return fifo->entry[fifo->taken++ & fifo->mask].value;
}

/* ---- pipelined loop ---- */

/* `iterations` of a loop of depth `depth`, one every `interval` cycles (II) at most. */
struct dse_pipeline {
    uint64_t depth, interval, iterations;
    uint64_t started, next; /* iterations so far; the first cycle in which the next one may start */
    uint64_t held;          /* cycles in which an iteration had its input and no room for its result */
};

/* Whether an iteration starts in this cycle; its result comes out `depth` cycles later. */
static inline bool dse_pipeline_starts(struct dse_pipeline *loop, uint64_t now, bool has_input, bool has_room)
{
    bool due = loop->started < loop->iterations && now >= loop->next && has_input;
    loop->held += due && !has_room;
    if (!due || !has_room)
        return false;
    loop->started++;
    loop->next = now + loop->interval;
    return true;
}

/* Cycles of a loop that nothing holds up: 0 without an iteration. */
static inline uint64_t dse_pipeline_cycles(uint64_t depth, uint64_t interval, uint64_t iterations)
{
    return iterations > 0 ? depth + interval * (iterations - 1) : 0;
}

/* ---- round-robin arbiter ---- */

/* Chooses the first that offers something, starting after the last one taken. The choice stays while the taker is not ready. All 0 at reset. */
struct dse_arbiter {
    size_t next, held;
    bool holds;
};

/* Returns the index of the offer that is taken in this cycle, or `count` if none is. O(count). */
size_t dse_arbiter_choose(struct dse_arbiter *arbiter, const bool *offers, size_t count, bool ready);

/* ---- memory ports ---- */

/* Ports to the channels of a memory. In a cycle a port asks for one burst, if fewer than `outstanding` are under way. Its FIFO must have room for
 * this burst and for those under way. Beat k of the burst can come `latency` + k × `beat_cycles` cycles after the request, one per cycle and port, in
 * order. The ports of a channel share its bytes per cycle, round robin. */
struct dse_port_burst {
    double request;       /* the cycle in which it was asked for */
    uint64_t beats, came; /* in all, and so far */
};

struct dse_port_state {
    uint64_t left;                 /* beats not yet asked for */
    struct dse_port_burst *burst;  /* [outstanding] a ring, oldest first */
    size_t first, count, channel;
    uint64_t under_way, fifo;      /* beats */
};

struct dse_ports {
    size_t count, channels, outstanding;
    uint64_t burst_beats, room;    /* longest request; capacity of each FIFO, in beats */
    double latency, beat_cycles, beat_bytes, channel_bytes; /* the last: per cycle and channel */
    struct dse_port_state *port;   /* [count]; port i belongs to channel i mod channels */
    double *channel;               /* [channels] bytes that each may still bring in this cycle */
    uint64_t most_beats, held;     /* in a FIFO; port cycles in which a port could not ask */
};

/* Makes the ports' memory; each port has `beats` to bring. The members up to channel_bytes are the caller's. */
void dse_ports_begin(struct dse_ports *ports, uint64_t beats);
void dse_ports_end(struct dse_ports *ports);

/* Memory and ports in one cycle. O(ports + channels). */
void dse_ports_step(struct dse_ports *ports, uint64_t cycle);

/* Takes `beats` from every port if each has that many, else nothing. O(ports). */
bool dse_ports_take(struct dse_ports *ports, uint64_t beats);
