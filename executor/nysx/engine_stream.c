/* The NEE and its memory ports, stepped cycle by cycle: bursts asked for by credits, beats that come by the memory's
 * pace, words through the FIFOs into the lanes.
 *
 * Words go round the ports. A port asks for one burst a cycle when its FIFO has room for all of it, counting what is
 * under way, and when fewer than the most bursts are outstanding. Beat k of a burst can come at the latency and 1.3 k
 * cycles after the request, one a cycle and port, in order; ports of one channel share what it brings a cycle, in turn.
 * The lanes take words in order, one a cycle and port, when they need them. */
#include <math.h>
#include <stdlib.h>

#include "executor/nysx/engines.h"

#define CYCLES_A_BEAT 1.3
#define CHANNELS_MAX 256

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
    bool popped;              /* a word in this cycle */
};

struct stream {
    const struct nysx_hardware *h;
    uint64_t beats_a_word, room; /* room in beats */
    struct port *port;           /* [h->nee_ports] */
    double channel[CHANNELS_MAX]; /* bytes that each may still bring in this cycle */
    size_t channels, next_port;  /* the port of the next word */
    uint64_t most_beats, held;   /* in a FIFO; port cycles without a credit */
};

/* ⌈rows / (lanes · turn)⌉ groups, each over all columns. */
static uint64_t product_cycles(const struct product *p)
{
    uint64_t groups = (p->rows + p->lanes * p->turn - 1) / (p->lanes * p->turn);
    return groups * p->turn * p->columns;
}

/* How the elements of a step come: `words` of every port, which last for `steps` steps. */
struct beat {
    uint64_t words, steps;
};

static struct beat beat_of(const struct nysx_hardware *h, const struct product *p)
{
    uint64_t elements = h->nee_ports * h->nee_port_bits / p->element_bits;
    return (struct beat){.words = (p->lanes + elements - 1) / elements, .steps = elements > p->lanes ? elements / p->lanes : 1};
}

/* Words of all ports until step k has its elements: a step whose rows are all past the last has none. */
static uint64_t words_until(const struct nysx_hardware *h, const struct product *p, uint64_t k)
{
    struct beat beat = beat_of(h, p);
    uint64_t in_group = p->lanes * p->turn, group = k / (p->turn * p->columns), inside = k % (p->turn * p->columns);
    uint64_t left = p->rows - group * in_group, rows = left < in_group ? left : in_group, turns = (rows + p->lanes - 1) / p->lanes;
    uint64_t turned = inside % p->turn + 1;
    uint64_t steps = group * p->turn * p->columns + inside / p->turn * turns + (turned < turns ? turned : turns);
    return (steps + beat.steps - 1) / beat.steps * beat.words * h->nee_ports;
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
        p->popped = false;
        receive(s, p, (double)cycle);
        ask(s, p, (double)cycle);
    }
}

/* The next word, where its port has it and has given none in this cycle. */
static bool pop(struct stream *s)
{
    struct port *p = &s->port[s->next_port];
    if (p->popped || p->fifo < s->beats_a_word)
        return false;
    p->popped = true;
    p->fifo -= s->beats_a_word;
    s->next_port = s->next_port + 1 < s->h->nee_ports ? s->next_port + 1 : 0;
    return true;
}

static enum dse_status open_ports(struct stream *s, uint64_t words, struct dse_error *err)
{
    uint64_t ports = s->h->nee_ports;
    s->port = calloc(ports, sizeof *s->port);
    if (s->port == NULL)
        return dse_fail_memory(err);
    for (uint64_t i = 0; i < ports; i++) {
        s->port[i].left = (words / ports + (i < words % ports)) * s->beats_a_word;
        s->port[i].channel = i % s->channels;
    }
    return DSE_OK;
}

/* The stream against the lanes' demand, which begins when C has come in; `patient`: against lanes that take every word as
 * it comes. Returns the cycles. */
static uint64_t run_stream(struct stream *s, const struct product *p, uint64_t words, bool patient)
{
    uint64_t steps = product_cycles(p), step = 0, taken = 0, cycle = 0;
    uint64_t wanted = patient ? words : words_until(s->h, p, 0), interval = beat_of(s->h, p).words, ready = p->enter;
    for (; step < steps; cycle++) {
        step_ports(s, cycle);
        if (!patient && cycle < p->enter)
            continue;
        while (taken < wanted && pop(s))
            taken++;
        if (taken < wanted || (!patient && cycle < ready))
            continue;
        ready = cycle + interval;
        if (patient)
            return cycle + 1;
        if (++step < steps)
            wanted = words_until(s->h, p, step);
    }
    return cycle;
}

static uint64_t element_bits(const struct nysx_nee *nee)
{
    static const uint64_t bits[] = {32, 16, 16, 16, 8, 4, 1};
    return bits[nee->projection.precision];
}

static enum dse_status one_run(const struct nysx_hardware *h, const struct product *p, bool patient,
                               struct stream *s, uint64_t *cycles, struct dse_error *err)
{
    uint64_t words = words_until(h, p, product_cycles(p) - 1);
    *s = (struct stream){.h = h, .beats_a_word = h->nee_port_bits / 8 / h->beat_bytes};
    s->room = h->nee_fifo_depth * s->beats_a_word;
    s->channels = h->channels < CHANNELS_MAX ? h->channels : CHANNELS_MAX;
    enum dse_status status = open_ports(s, words, err);
    if (status == DSE_OK)
        *cycles = run_stream(s, p, words, patient);
    free(s->port);
    return status;
}

enum dse_status nysx_simulate_stream(const struct nysx_hardware *h, const struct nysx_nee *nee,
                                     struct nysx_stream_run *out, struct dse_error *err)
{
    struct product p = {.rows = nee->dim, .columns = nee->landmarks, .lanes = h->nee_lanes, .turn = h->nee_turn,
                        .element_bits = element_bits(nee), .enter = nysx_loop_cycles(h->enter_depth, 1, nee->landmarks)};
    struct stream s;
    *out = (struct nysx_stream_run){.work = p.enter + product_cycles(&p) * beat_of(h, &p).words};
    DSE_TRY(one_run(h, &p, true, &s, &out->port_cycles, err));
    DSE_TRY(one_run(h, &p, false, &s, &out->cycles, err));
    out->stall_memory = out->cycles - out->work;
    out->stall_credit = s.held;
    out->bytes = words_until(h, &p, product_cycles(&p) - 1) * h->nee_port_bits / 8;
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
    uint64_t generators = (h->nee_lanes * h->nee_turn + 7) / 8;
    p.columns = rank;
    return enter + nysx_loop_cycles(h->phi_depth, 1, product_cycles(&phi)) + nysx_loop_cycles(h->phi_out_depth, 1, rank) +
           nysx_loop_cycles(h->first_depth, 1, generators) + nysx_loop_cycles(h->nee_depth, 1, product_cycles(&p));
}
