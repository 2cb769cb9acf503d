/* The NEE and its memory ports (executor/kit.h), stepped cycle by cycle: words pass the ports' FIFOs and become steps of the lanes.
 *
 * Words alternate among the ports. Each cycle, the loop that makes steps takes a word of every port if it has fewer elements than a step. It
 * passes a step on if it has one and the queue to the lanes has room. The lanes take one step per cycle; steps whose rows are all past the
 * last need no elements. */
#include "executor/kit.h"
#include "models/nysx/executor/engines.h"

#define CYCLES_PER_BEAT 1.3
#define CHANNELS_MAX 256
#define STEP_QUEUE 2 /* steps between the words and the lanes */

struct product {
    uint64_t rows, columns, lanes, interleave, element_bits;
    uint64_t enter; /* cycles before the first step, while C is read */
};

/* ⌈rows / (lanes · interleave)⌉ groups, each over all columns. */
static uint64_t product_cycles(const struct product *p)
{
    uint64_t groups = (p->rows + p->lanes * p->interleave - 1) / (p->lanes * p->interleave);
    return groups * p->interleave * p->columns;
}

/* Rounds of the lanes over all rows; groups; rounds per group, equal in all groups. `beat`: elements in one word of every port. `rest`: elements
 * of a step of the last round. */
struct layout {
    uint64_t trips, groups, of_group, beat, rest;
};

/* The last round's elements are padded to a multiple of the greatest common divisor of lanes and beat. This unit is halved while there is
 * padding. Steps may begin at no more than 16 positions in the lanes, with at most 4096 elements over all positions. */
static struct layout layout_of(const struct nysx_hardware *h, const struct product *p)
{
    struct layout out = {.trips = (p->rows + p->lanes - 1) / p->lanes, .beat = h->nee_ports * h->nee_port_bits / p->element_bits};
    uint64_t rows = p->rows - (out.trips - 1) * p->lanes, unit = p->lanes, other = out.beat;
    out.groups = (out.trips + p->interleave - 1) / p->interleave;
    out.of_group = (out.trips + out.groups - 1) / out.groups;
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

/* Elements of step k of the lanes; 0 if its rows are all past the last. */
static uint64_t elements_of(const struct product *p, const struct layout *l, uint64_t k)
{
    uint64_t turn = k % p->interleave, at = k / (p->interleave * p->columns) * l->of_group + turn;
    return turn >= l->of_group || at >= l->trips ? 0 : at == l->trips - 1 ? l->rest : p->lanes;
}

/* State of the loop that makes steps: the next step that has rows, elements in hand, and queued steps. */
struct gathering {
    uint64_t step, have, queued;
};

static void gather(struct dse_ports *ports, uint64_t word, struct gathering *g, const struct product *p, const struct layout *l)
{
    while (g->step < product_cycles(p) && elements_of(p, l, g->step) == 0)
        g->step++;
    if (g->step == product_cycles(p))
        return;
    uint64_t need = elements_of(p, l, g->step);
    bool pops = g->have < need, makes = g->have + (pops ? l->beat : 0) >= need;
    if ((makes && g->queued == STEP_QUEUE) || (pops && !dse_ports_take(ports, word)))
        return;
    g->have += pops ? l->beat : 0;
    g->have -= makes ? need : 0;
    g->queued += makes;
    g->step += makes;
}

/* Steps the stream and the lanes, which start after C is read; a port's word has `word` beats. Returns the cycles. */
static uint64_t run_stream(struct dse_ports *ports, uint64_t word, const struct nysx_hardware *h, const struct product *p)
{
    struct layout l = layout_of(h, p);
    struct gathering g = {0};
    uint64_t steps = product_cycles(p), step = 0, cycle = 0;
    for (; step < steps; cycle++) {
        dse_ports_step(ports, cycle);
        bool there = elements_of(p, &l, step) > 0;
        if (cycle >= p->enter && (!there || g.queued > 0)) {
            g.queued -= there;
            step++;
        }
        gather(ports, word, &g, p, &l);
    }
    return cycle;
}

/* Steps only the ports; every word is taken as it arrives. */
static uint64_t run_ports(struct dse_ports *ports, uint64_t word, uint64_t words)
{
    uint64_t cycle = 0;
    for (uint64_t taken = 0; taken < words; cycle++) {
        dse_ports_step(ports, cycle);
        taken += dse_ports_take(ports, word);
    }
    return cycle;
}

/* Words of each port; steps that have rows are contiguous. */
static uint64_t words_of_port(const struct nysx_hardware *h, const struct product *p)
{
    struct layout l = layout_of(h, p);
    return (((l.trips - 1) * p->lanes + l.rest) * p->columns + l.beat - 1) / l.beat;
}

void nysx_simulate_stream(const struct nysx_hardware *h, const struct nysx_nee *nee, struct nysx_stream_run *out)
{
    struct product p = {.rows = nee->dim, .columns = nee->landmarks, .lanes = h->nee_lanes, .interleave = h->nee_interleave,
                        .element_bits = (uint64_t)nysx_p_bits[nee->projection.precision], .enter = dse_pipeline_cycles(h->enter_depth, 1, nee->landmarks)};
    uint64_t word = h->nee_port_bits / 8 / h->beat_bytes, words = words_of_port(h, &p);
    struct dse_ports ports = {.count = h->nee_ports, .channels = h->channels < CHANNELS_MAX ? h->channels : CHANNELS_MAX,
                              .outstanding = h->nee_outstanding, .burst_beats = h->burst_beats, .room = h->nee_fifo_depth * word,
                              .latency = h->stream_latency_cycles, .beat_cycles = CYCLES_PER_BEAT, .beat_bytes = (double)h->beat_bytes,
                              .channel_bytes = h->channel_bytes_a_cycle};
    *out = (struct nysx_stream_run){.work = p.enter + product_cycles(&p), .bytes = words * h->nee_ports * h->nee_port_bits / 8};
    struct dse_ports alone = ports;
    dse_ports_begin(&alone, words * word);
    out->port_cycles = run_ports(&alone, word, words);
    dse_ports_end(&alone);
    dse_ports_begin(&ports, words * word);
    out->cycles = run_stream(&ports, word, h, &p);
    dse_ports_end(&ports);
    out->stall_memory = out->cycles - out->work;
    out->stall_credit = ports.held;
    out->fifo_most = (ports.most_beats + word - 1) / word;
}

uint64_t nysx_simulate_on_chip(const struct nysx_hardware *h, const struct nysx_nee *nee)
{
    struct product p = {.rows = nee->dim, .columns = nee->landmarks, .lanes = h->nee_lanes, .interleave = h->nee_interleave};
    uint64_t enter = dse_pipeline_cycles(h->enter_depth, 1, nee->landmarks), rank = nee->projection.dim;
    if (nee->form != NYSX_FACTORED)
        return enter + dse_pipeline_cycles(h->nee_depth, 1, product_cycles(&p));
    struct product phi = {.rows = rank, .columns = nee->landmarks, .interleave = h->phi_interleave,
                          .lanes = h->nee_lanes / 16 < 4 ? 4 : h->nee_lanes / 16};
    uint64_t group = h->nee_lanes * h->nee_interleave, generators = (group + (group % 8 == 0 ? 0 : 7) + 7) / 8; /* groups may begin in a generator's rows */
    p.columns = rank;
    return enter + dse_pipeline_cycles(h->phi_depth, 1, product_cycles(&phi)) + dse_pipeline_cycles(h->phi_out_depth, 1, rank) +
           dse_pipeline_cycles(h->first_depth, 1, generators) + dse_pipeline_cycles(h->nee_depth, 1, product_cycles(&p));
}
