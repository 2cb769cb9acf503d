/* The NEE and its memory port, stepped. */
#include <math.h>

#include "executor/nysx/engines.h"

#define CYCLES_A_BEAT 1.3 /* a burst returns after the latency and this much a beat: docs/nysx-microarchitecture.md */
#define MAX_OUTSTANDING 64

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static bool whole(const struct nysx_nee *nee)
{
    return nysx_format(nee->projection.precision)->most > 0;
}

/* ⌈rows / (lanes · turn)⌉ groups, each over all columns. */
static uint64_t product_cycles(uint64_t rows, uint64_t columns, uint64_t lanes, uint64_t turn)
{
    return ceil_div(rows, lanes * turn) * turn * columns;
}

static uint64_t element_bits(const struct nysx_nee *nee)
{
    static const uint64_t bits[] = {32, 16, 16, 16, 8, 4, 1};
    return bits[nee->projection.precision];
}

/* One port: bursts in flight, oldest first, each with the cycle at which its last beat is there. */
struct port {
    double ready[MAX_OUTSTANDING];
    size_t beats[MAX_OUTSTANDING];
    size_t first, count;
    size_t in_flight;          /* beats */
    double channel_free;       /* the cycle from which the memory can send again */
    uint64_t left;             /* beats not yet asked for */
    double fifo;               /* beats that have arrived and were not taken */
};

/* Asks for one burst a cycle while there is room for all of it. */
static void ask(const struct nysx_hardware *h, struct port *port, uint64_t cycle, uint64_t *stalls)
{
    size_t beats = port->left < h->burst_beats ? (size_t)port->left : h->burst_beats;
    if (beats == 0)
        return;
    if (port->count == h->nee_outstanding ||
        port->fifo + (double)(port->in_flight + beats) > (double)h->nee_fifo_depth) {
        ++*stalls;
        return;
    }
    double bytes = (double)(beats * h->nee_port_bits) / 8.0;
    double begin = (double)cycle > port->channel_free ? (double)cycle : port->channel_free;
    port->channel_free = begin + bytes / h->channel_bytes_a_cycle;
    double latency = h->latency_cycles + CYCLES_A_BEAT * (double)beats;
    double arrival = (double)cycle + latency > port->channel_free ? (double)cycle + latency : port->channel_free;
    size_t slot = (port->first + port->count++) % MAX_OUTSTANDING;
    port->ready[slot] = arrival;
    port->beats[slot] = beats;
    port->in_flight += beats;
    port->left -= beats;
}

static void arrive(struct port *port, uint64_t cycle)
{
    while (port->count > 0 && port->ready[port->first] <= (double)cycle) {
        port->fifo += (double)port->beats[port->first];
        port->in_flight -= port->beats[port->first];
        port->first = (port->first + 1) % MAX_OUTSTANDING;
        port->count--;
    }
}

/* All ports bring alike shares, so that one of them is stepped and the others are its images. */
void nysx_simulate_stream(const struct nysx_hardware *h, const struct nysx_nee *nee, struct nysx_stream_run *out)
{
    uint64_t turn = whole(nee) ? 1 : NYSX_ADD_DEPTH;
    uint64_t steps = product_cycles(nee->dim, nee->landmarks, h->nee_lanes, turn);
    uint64_t bits = (uint64_t)nee->dim * nee->landmarks * element_bits(nee), done = 0, cycle = 0;
    struct port port = {.left = ceil_div(ceil_div(bits, h->nee_port_bits), h->nee_ports)};
    double beats = (double)port.left, need = beats / (double)steps;
    *out = (struct nysx_stream_run){.bytes = ceil_div(bits, 8)};
    double taken = 0.0;
    for (; done < steps; cycle++) {
        arrive(&port, cycle);
        ask(h, &port, cycle, &out->stall_credit);
        out->fifo_most = port.fifo > (double)out->fifo_most ? (uint64_t)port.fifo : out->fifo_most;
        double wanted = need * (double)(done + 1);
        wanted = ceil(wanted - 1e-9) < beats ? ceil(wanted - 1e-9) : beats; /* whole words leave the FIFO */
        double missing = wanted - taken;
        /* A word a port and cycle passes the FIFO's end; wider lanes than that wait. */
        double moved = missing < port.fifo ? missing : port.fifo;
        moved = moved < 1.0 ? moved : 1.0;
        taken += moved;
        port.fifo -= moved;
        if (taken + 1e-9 >= wanted)
            done++;
        else
            out->stall_memory++;
    }
    out->cycles = cycle + NYSX_FILL_NEE;
}

uint64_t nysx_simulate_on_chip(const struct nysx_hardware *h, const struct nysx_nee *nee)
{
    if (nee->form != NYSX_FACTORED)
        return product_cycles(nee->dim, nee->landmarks, h->nee_lanes, whole(nee) ? 1 : NYSX_ADD_DEPTH) +
               NYSX_FILL_NEE;
    uint64_t phi_lanes = h->nee_lanes / 16 < 4 ? 4 : h->nee_lanes / 16, rank = nee->projection.dim;
    uint64_t turn = nee->phi_bits == NYSX_PHI_FP32 ? NYSX_ADD_DEPTH : 1;
    return product_cycles(rank, nee->landmarks, phi_lanes, NYSX_ADD_DEPTH) +
           product_cycles(nee->dim, rank, h->nee_lanes, turn) + 2 * NYSX_FILL_NEE;
}
