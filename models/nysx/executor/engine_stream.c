/* The NEE and its memory ports, stepped cycle by cycle: bursts asked for by credits, beats that come by the memory's
 * pace, words through the FIFOs, made steps of the lanes.
 *
 * Words go round the ports. A port asks for one burst a cycle when its FIFO has room for all of it, counting what is
 * under way, and when fewer than the most bursts are outstanding. Beat k of a burst can come at the latency and 1.3 k
 * cycles after the request, one a cycle and port, in order; ports of one channel share what it brings a cycle, in turn.
 * What makes steps takes a word of every port a cycle when it has fewer elements than a step, and passes a step on when it
 * has one and the queue to the lanes room. The lanes take a step a cycle, but for those whose rows are all past the last. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "models/nysx/executor/engines.h"

#define CYCLES_A_BEAT 1.3
#define CHANNELS_MAX 256
#define STEP_QUEUE 2 /* steps between the words and the lanes */

struct product {
    uint64_t rows, columns, lanes, turn, element_bits;
    uint64_t enter; /* cycles before the first step: C comes in */
};

struct burst {
    double request;       /* the cycle in which it was asked for */
    uint64_t beats, came; /* in all, and so far */
};

struct port {
    uint64_t left;                            /* beats not yet asked for */
    struct burst burst[NYSX_OUTSTANDING_MAX]; /* a ring of those outstanding, oldest first */
    size_t first, count;
    uint64_t under_way, fifo; /* beats */
    size_t channel;
};

struct stream {
    const struct nysx_hardware *h;
    uint64_t beats_a_word, room; /* room in beats */
    struct port *port;           /* [h->nee_ports] */
    double channel[CHANNELS_MAX]; /* bytes that each may still bring in this cycle */
    size_t channels;
    uint64_t most_beats, held;   /* in a FIFO; port cycles without a credit */
};

/* ⌈rows / (lanes · turn)⌉ groups, each over all columns. */
static uint64_t product_cycles(const struct product *p)
{
    uint64_t groups = (p->rows + p->lanes * p->turn - 1) / (p->lanes * p->turn);
    return groups * p->turn * p->columns;
}

/* Turns of the lanes over all rows, the same share of them in each group, and how their elements come: `beat` of them in a
 * word of every port; of a step of the last turn `rest`. */
struct layout {
    uint64_t turns, groups, of_group, beat, rest;
};

/* The last turn's elements are filled up to a multiple of what divides lanes and beat; of half of that, and so on, while there
 * is something to fill up and there are fewer than 16 places in the lanes for a step to begin at, with no more than 4096
 * elements for all of them together. */
static struct layout layout_of(const struct nysx_hardware *h, const struct product *p)
{
    struct layout out = {.turns = (p->rows + p->lanes - 1) / p->lanes, .beat = h->nee_ports * h->nee_port_bits / p->element_bits};
    uint64_t rows = p->rows - (out.turns - 1) * p->lanes, unit = p->lanes, other = out.beat;
    out.groups = (out.turns + p->turn - 1) / p->turn;
    out.of_group = (out.turns + out.groups - 1) / out.groups;
    while (other > 0) {
        uint64_t rest = unit % other;
        unit = other;
        other = rest;
    }
    while (unit % 2 == 0 && p->lanes / unit < 16 && 2 * p->lanes / unit * out.beat <= 4096 && rows % unit != 0)
        unit /= 2;
    out.rest = (rows + unit - 1) / unit * unit;
    return out;
}

/* Elements of step k of the lanes; none where its rows are all past the last. */
static uint64_t elements_of(const struct product *p, const struct layout *l, uint64_t k)
{
    uint64_t turn = k % p->turn, at = k / (p->turn * p->columns) * l->of_group + turn;
    return turn >= l->of_group || at >= l->turns ? 0 : at == l->turns - 1 ? l->rest : p->lanes;
}

/* One request, where there are credits for it. */
static void ask(struct stream *s, struct port *p, double now)
{
    uint64_t beats = p->left < s->h->burst_beats ? p->left : s->h->burst_beats;
    if (beats == 0)
        return;
    if (p->count == s->h->nee_outstanding || p->fifo + p->under_way + beats > s->room) {
        s->held++;
        return;
    }
    p->burst[(p->first + p->count++) % NYSX_OUTSTANDING_MAX] = (struct burst){.request = now, .beats = beats};
    p->under_way += beats;
    p->left -= beats;
}

/* The next beat of the oldest burst, where it is time and the channel has room for it. */
static void receive(struct stream *s, struct port *p, double now)
{
    if (p->count == 0)
        return;
    struct burst *burst = &p->burst[p->first];
    double due = burst->request + s->h->stream_latency_cycles + CYCLES_A_BEAT * (double)(burst->came + 1);
    if (due > now || s->channel[p->channel] < (double)s->h->beat_bytes)
        return;
    s->channel[p->channel] -= (double)s->h->beat_bytes;
    p->under_way--;
    p->fifo++;
    s->most_beats = p->fifo > s->most_beats ? p->fifo : s->most_beats;
    if (++burst->came == burst->beats) {
        p->first = (p->first + 1) % NYSX_OUTSTANDING_MAX;
        p->count--;
    }
}

/* Memory and ports in one cycle. A channel that nobody read from in the last cycle has not saved its bytes up, but for
 * what is short of a beat. */
static void step_ports(struct stream *s, uint64_t cycle)
{
    const struct nysx_hardware *h = s->h;
    double beat = (double)h->beat_bytes, most = h->channel_bytes_a_cycle + beat;
    for (size_t c = 0; c < s->channels; c++)
        s->channel[c] = fmin(s->channel[c] + h->channel_bytes_a_cycle, most);
    for (size_t turn = 0; turn < h->nee_ports; turn++) {
        struct port *p = &s->port[(turn + cycle) % h->nee_ports];
        receive(s, p, (double)cycle);
        ask(s, p, (double)cycle);
    }
}

/* A word of every port, where each has one. */
static bool pop(struct stream *s)
{
    for (size_t i = 0; i < s->h->nee_ports; i++)
        if (s->port[i].fifo < s->beats_a_word)
            return false;
    for (size_t i = 0; i < s->h->nee_ports; i++)
        s->port[i].fifo -= s->beats_a_word;
    return true;
}

static enum dse_status open_ports(struct stream *s, uint64_t words, struct dse_error *err)
{
    uint64_t ports = s->h->nee_ports;
    s->port = dse_calloc(ports, sizeof *s->port);
    for (uint64_t i = 0; i < ports; i++) {
        s->port[i].left = words * s->beats_a_word;
        s->port[i].channel = i % s->channels;
    }
    return DSE_OK;
}

/* Words into steps: the next one that has rows, the elements that wait, and the steps that do. */
struct gathering {
    uint64_t step, have, queued;
};

static void gather(struct stream *s, struct gathering *g, const struct product *p, const struct layout *l)
{
    while (g->step < product_cycles(p) && elements_of(p, l, g->step) == 0)
        g->step++;
    if (g->step == product_cycles(p))
        return;
    uint64_t need = elements_of(p, l, g->step);
    bool pops = g->have < need, makes = g->have + (pops ? l->beat : 0) >= need;
    if ((makes && g->queued == STEP_QUEUE) || (pops && !pop(s)))
        return;
    g->have += pops ? l->beat : 0;
    g->have -= makes ? need : 0;
    g->queued += makes;
    g->step += makes;
}

/* The stream against the lanes' demand, which begins when C has come in. Returns the cycles. */
static uint64_t run_stream(struct stream *s, const struct product *p)
{
    struct layout l = layout_of(s->h, p);
    struct gathering g = {0};
    uint64_t steps = product_cycles(p), step = 0, cycle = 0;
    for (; step < steps; cycle++) {
        step_ports(s, cycle);
        bool there = elements_of(p, &l, step) > 0;
        if (cycle >= p->enter && (!there || g.queued > 0)) {
            g.queued -= there;
            step++;
        }
        gather(s, &g, p, &l);
    }
    return cycle;
}

/* The ports alone: whoever is behind them takes every word as it comes. */
static uint64_t run_ports(struct stream *s, uint64_t words)
{
    uint64_t cycle = 0;
    for (uint64_t taken = 0; taken < words; cycle++) {
        step_ports(s, cycle);
        taken += pop(s);
    }
    return cycle;
}

static uint64_t element_bits(const struct nysx_nee *nee)
{
    static const uint64_t bits[] = {32, 16, 16, 16, 8, 4, 1};
    return bits[nee->projection.precision];
}

/* Words of each port: steps that have rows follow one another without a gap. */
static uint64_t words_of_port(const struct nysx_hardware *h, const struct product *p)
{
    struct layout l = layout_of(h, p);
    return (((l.turns - 1) * p->lanes + l.rest) * p->columns + l.beat - 1) / l.beat;
}

static enum dse_status one_run(const struct nysx_hardware *h, const struct product *p, bool patient,
                               struct stream *s, uint64_t *cycles, struct dse_error *err)
{
    uint64_t words = words_of_port(h, p);
    *s = (struct stream){.h = h, .beats_a_word = h->nee_port_bits / 8 / h->beat_bytes};
    s->room = h->nee_fifo_depth * s->beats_a_word;
    s->channels = h->channels < CHANNELS_MAX ? h->channels : CHANNELS_MAX;
    enum dse_status status = open_ports(s, words, err);
    if (status == DSE_OK)
        *cycles = patient ? run_ports(s, words) : run_stream(s, p);
    free(s->port);
    return status;
}

enum dse_status nysx_simulate_stream(const struct nysx_hardware *h, const struct nysx_nee *nee,
                                     struct nysx_stream_run *out, struct dse_error *err)
{
    struct product p = {.rows = nee->dim, .columns = nee->landmarks, .lanes = h->nee_lanes, .turn = h->nee_turn,
                        .element_bits = element_bits(nee), .enter = nysx_loop_cycles(h->enter_depth, 1, nee->landmarks)};
    struct stream s;
    *out = (struct nysx_stream_run){.work = p.enter + product_cycles(&p)};
    DSE_TRY(one_run(h, &p, true, &s, &out->port_cycles, err));
    DSE_TRY(one_run(h, &p, false, &s, &out->cycles, err));
    out->stall_memory = out->cycles - out->work;
    out->stall_credit = s.held;
    out->bytes = words_of_port(h, &p) * h->nee_ports * h->nee_port_bits / 8;
    out->fifo_most = (s.most_beats + s.beats_a_word - 1) / s.beats_a_word;
    return DSE_OK;
}

uint64_t nysx_simulate_on_chip(const struct nysx_hardware *h, const struct nysx_nee *nee)
{
    struct product p = {.rows = nee->dim, .columns = nee->landmarks, .lanes = h->nee_lanes, .turn = h->nee_turn};
    uint64_t enter = nysx_loop_cycles(h->enter_depth, 1, nee->landmarks), rank = nee->projection.dim;
    if (nee->form != NYSX_FACTORED)
        return enter + nysx_loop_cycles(h->nee_depth, 1, product_cycles(&p));
    struct product phi = {.rows = rank, .columns = nee->landmarks, .turn = h->phi_turn,
                          .lanes = h->nee_lanes / 16 < 4 ? 4 : h->nee_lanes / 16};
    uint64_t group = h->nee_lanes * h->nee_turn, generators = (group + (group % 8 == 0 ? 0 : 7) + 7) / 8; /* a group may begin inside of one's rows */
    p.columns = rank;
    return enter + nysx_loop_cycles(h->phi_depth, 1, product_cycles(&phi)) + nysx_loop_cycles(h->phi_out_depth, 1, rank) +
           nysx_loop_cycles(h->first_depth, 1, generators) + nysx_loop_cycles(h->nee_depth, 1, product_cycles(&p));
}
