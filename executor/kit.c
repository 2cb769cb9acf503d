#include "executor/kit.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

struct dse_fifo dse_fifo_make(uint64_t room)
{
    uint64_t size = 1;
    while (size < room)
        size *= 2;
    return (struct dse_fifo){.entry = dse_malloc(size * sizeof(struct dse_fifo_entry)), .mask = size - 1, .room = room};
}

void dse_fifo_free(struct dse_fifo *fifo)
{
    free(fifo->entry);
    *fifo = (struct dse_fifo){0};
}

size_t dse_arbiter_choose(struct dse_arbiter *arbiter, const bool *offers, size_t count, bool ready)
{
    size_t chosen = arbiter->holds ? arbiter->held : arbiter->next;
    for (size_t k = 0; k < count && !arbiter->holds && !offers[chosen]; k++)
        chosen = (chosen + 1) % count;
    if (!offers[chosen])
        return count;
    arbiter->holds = !ready;
    arbiter->held = chosen;
    arbiter->next = ready ? (chosen + 1) % count : arbiter->next;
    return ready ? chosen : count;
}

void dse_ports_begin(struct dse_ports *ports, uint64_t beats)
{
    ports->port = dse_calloc(ports->count, sizeof *ports->port);
    ports->channel = dse_calloc(ports->channels, sizeof *ports->channel);
    for (size_t i = 0; i < ports->count; i++) {
        ports->port[i].left = beats;
        ports->port[i].channel = i % ports->channels;
        ports->port[i].burst = dse_malloc(ports->outstanding * sizeof *ports->port[i].burst);
    }
}

void dse_ports_end(struct dse_ports *ports)
{
    for (size_t i = 0; i < ports->count; i++)
        free(ports->port[i].burst);
    free(ports->port);
    free(ports->channel);
}

static void ask(struct dse_ports *ports, struct dse_port_state *port, double now)
{
    uint64_t beats = port->left < ports->burst_beats ? port->left : ports->burst_beats;
    if (beats == 0)
        return;
    if (port->count == ports->outstanding || port->fifo + port->under_way + beats > ports->room) {
        ports->held++;
        return;
    }
    port->burst[(port->first + port->count++) % ports->outstanding] = (struct dse_port_burst){.request = now, .beats = beats};
    port->under_way += beats;
    port->left -= beats;
}

/* Receives the next beat of the oldest burst, if it is due and the channel has enough bytes left in this cycle. */
static void receive(struct dse_ports *ports, struct dse_port_state *port, double now)
{
    if (port->count == 0)
        return;
    struct dse_port_burst *burst = &port->burst[port->first];
    double due = burst->request + ports->latency + ports->beat_cycles * (double)(burst->came + 1);
    if (due > now || ports->channel[port->channel] < ports->beat_bytes)
        return;
    ports->channel[port->channel] -= ports->beat_bytes;
    port->under_way--;
    port->fifo++;
    ports->most_beats = port->fifo > ports->most_beats ? port->fifo : ports->most_beats;
    if (++burst->came == burst->beats) {
        port->first = (port->first + 1) % ports->outstanding;
        port->count--;
    }
}

/* A channel does not save unused bytes for the next cycle, except a remainder of less than a beat. */
void dse_ports_step(struct dse_ports *ports, uint64_t cycle)
{
    for (size_t c = 0; c < ports->channels; c++)
        ports->channel[c] = fmin(ports->channel[c] + ports->channel_bytes, ports->channel_bytes + ports->beat_bytes);
    for (size_t turn = 0; turn < ports->count; turn++) {
        struct dse_port_state *port = &ports->port[(turn + cycle) % ports->count];
        receive(ports, port, (double)cycle);
        ask(ports, port, (double)cycle);
    }
}

bool dse_ports_take(struct dse_ports *ports, uint64_t beats)
{
    for (size_t i = 0; i < ports->count; i++)
        if (ports->port[i].fifo < beats)
            return false;
    for (size_t i = 0; i < ports->count; i++)
        ports->port[i].fifo -= beats;
    return true;
}
