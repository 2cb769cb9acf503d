/* Skips repeating cycles at once. During a stream of flits, a beat of HBM or an engine's work, the machine's state recurs after some cycles. Only
 * counters have changed, each by the same amount per period, until one reaches its event. Brent's method (BIT 20, 1980) finds any period: it keeps
 * one moment for 1, 2, 4 … cycles and compares each cycle with it. All other cycles are stepped, so the code assumes nothing about the machine's
 * behaviour. */
#include <string.h>

#include "core/memory.h"
#include "models/smgpu/executor/machine_state.h"

/* With the mesh's ports, the machine's state, apart from counters that matter only at their event. Members have eight bytes, so that moments
 * compare as bytes. */
struct moment {
    uint64_t events, hbm_asks, beat, in_fifo, crossing[SYNCHRONISER], converted_bits, in_packet[SMGPU_ENGINES];
    double phase_hz;
};

/* Counters that lead to an event, of each engine's instruction and of each router's transfer; and counters that only count up. */
struct counts {
    uint64_t work[SMGPU_ENGINES], to_arrive[SMGPU_ENGINES], crossing[SMGPU_ENGINES], payload_flits[SMGPU_ENGINES], bits[SMGPU_ENGINES], to_fetch;
    uint64_t now, ticks, flits, hops, stalls;
    struct smgpu_record record;
};

struct smgpu_repeat {
    struct moment moment;
    struct counts counts;
    uint64_t age, kept; /* cycles since the moment; cycles to keep it */
    uint8_t ports[];    /* ports of the mesh */
};

void smgpu_repeat_make(const struct machine *m, struct smgpu_repeat **out)
{
    *out = dse_calloc(1, sizeof **out + m->mesh.state_bytes);
    (*out)->moment.events = UINT64_MAX;
}

static struct transfer *open_of(const struct machine *m, size_t router)
{
    return m->open[router] < m->transfer_count ? &m->transfers[m->open[router]] : NULL;
}

static struct moment moment_of(const struct machine *m)
{
    const struct hbm *h = &m->hbm;
    struct moment out = {.events = m->events, .beat = h->beat, .in_fifo = h->in_fifo, .converted_bits = h->converted_bits, .phase_hz = h->phase_hz};
    out.hbm_asks = h->first < m->transfer_count && m->transfers[h->first].asked_at > h->ticks;
    memcpy(out.crossing, h->crossing, sizeof out.crossing);
    for (size_t e = 0; e < SMGPU_ENGINES; e++) {
        const struct transfer *t = open_of(m, e);
        out.in_packet[e] = t != NULL ? t->in_packet : 0;
    }
    return out;
}

static void count(const struct machine *m, struct counts *out)
{
    *out = (struct counts){.now = m->now, .ticks = m->hbm.ticks, .flits = m->mesh.flits, .hops = m->mesh.hops, .stalls = m->mesh.stalls, .record = *m->record};
    out->to_fetch = m->hbm.first < m->transfer_count ? m->transfers[m->hbm.first].to_fetch : 0;
    for (size_t e = 0; e < SMGPU_ENGINES; e++) {
        const struct transfer *t = open_of(m, e);
        out->payload_flits[e] = t != NULL ? t->payload_flits : 0;
        out->bits[e] = t != NULL ? t->bits : 0;
        if (m->running[e] == NOWHERE)
            continue;
        const struct flight *f = &m->flight[m->running[e]];
        out->work[e] = f->work;
        out->to_arrive[e] = f->to_arrive;
        out->crossing[e] = f->crossing;
    }
}

/* How often a counter may still fall by `before` − `now` and stay at `least` or above. */
static uint64_t falls(uint64_t before, uint64_t now, uint64_t least)
{
    return before == now ? UINT64_MAX : now < least ? 0 : (now - least) / (before - now);
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Periods that may be skipped. Their events are the last cycle of work, the last flit of a packet or transfer, and HBM's beat that ends a
 * transfer. */
static uint64_t periods(const struct machine *m, const struct counts *before, const struct counts *now)
{
    uint64_t most = falls(before->to_fetch, now->to_fetch, (uint64_t)m->hardware->channels * BEAT_BYTES + 1);
    for (size_t e = 0; e < SMGPU_ENGINES; e++) {
        most = lesser(most, falls(before->work[e], now->work[e], 2));
        most = lesser(most, falls(before->to_arrive[e], now->to_arrive[e], 1));
        most = lesser(most, falls(before->crossing[e], now->crossing[e], 1));
        most = lesser(most, falls(before->payload_flits[e], now->payload_flits[e], 2));
    }
    return most;
}

/* Moves a counter `times` times by its change since `before`. */
static void add(uint64_t *number, uint64_t before, uint64_t now, uint64_t times)
{
    *number += (now - before) * times; /* modulo 2^64, so the counter may also fall */
}

static void pass(struct machine *m, const struct counts *b, const struct counts *n, uint64_t times)
{
    enum { NUMBERS = sizeof(struct smgpu_record) / sizeof(uint64_t) };
    uint64_t before[NUMBERS], now[NUMBERS];
    memcpy(before, &b->record, sizeof before);
    memcpy(now, &n->record, sizeof now);
    for (size_t i = 0; i < NUMBERS; i++)
        add(&now[i], before[i], now[i], times);
    memcpy(m->record, now, sizeof now);
    add(&m->now, b->now, n->now, times);
    add(&m->hbm.ticks, b->ticks, n->ticks, times);
    add(&m->mesh.flits, b->flits, n->flits, times);
    add(&m->mesh.hops, b->hops, n->hops, times);
    add(&m->mesh.stalls, b->stalls, n->stalls, times);
    if (m->hbm.first < m->transfer_count)
        add(&m->transfers[m->hbm.first].to_fetch, b->to_fetch, n->to_fetch, times);
    for (size_t e = 0; e < SMGPU_ENGINES; e++) {
        struct transfer *t = open_of(m, e);
        if (t != NULL) {
            add(&t->payload_flits, b->payload_flits[e], n->payload_flits[e], times);
            add(&t->bits, b->bits[e], n->bits[e], times);
        }
        if (m->running[e] == NOWHERE)
            continue;
        struct flight *f = &m->flight[m->running[e]];
        add(&f->work, b->work[e], n->work[e], times);
        add(&f->to_arrive, b->to_arrive[e], n->to_arrive[e], times);
        add(&f->crossing, b->crossing[e], n->crossing[e], times);
    }
}

static void keep(struct smgpu_repeat *r, const struct machine *m, const struct moment *moment, uint64_t cycles)
{
    r->moment = *moment;
    r->age = 0;
    r->kept = cycles;
    count(m, &r->counts);
    memcpy(r->ports, m->mesh.ports, m->mesh.state_bytes);
}

void smgpu_repeat_pass(struct smgpu_repeat *r, struct machine *m)
{
    struct moment moment = moment_of(m);
    struct counts now;
    if (moment.events != r->moment.events || moment.hbm_asks != 0 || m->now < m->dispatched + DECODE_CYCLES) {
        keep(r, m, &moment, 1);
        return;
    }
    r->age++;
    if (memcmp(&moment, &r->moment, sizeof moment) == 0 && memcmp(r->ports, m->mesh.ports, m->mesh.state_bytes) == 0) {
        count(m, &now);
        uint64_t times = periods(m, &r->counts, &now);
        if (times > 0 && times < UINT64_MAX)
            pass(m, &r->counts, &now, times);
    }
    if (r->age >= r->kept)
        keep(r, m, &moment, 2 * r->kept);
}
