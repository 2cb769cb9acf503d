/* Transfers: HBM's beats, the DMA between its clock and the core's, and the flits that the engines' routers send. */
#include <string.h>

#include "core/list.h"
#include "models/smgpu/executor/machine_state.h"

#define DMA_BYTES 8          /* per core cycle (64 bits) */
#define BEAT_CYCLES 2        /* cycles of the HBM clock per beat */
#define PACKET_FLITS 16      /* after a header */
#define FIFO_BYTES (2 * 16 * BEAT_BYTES) /* two bursts between the clocks, per channel */

static size_t node_of(const struct machine *m, size_t engine)
{
    return engine % (size_t)(m->hardware->mesh * m->hardware->mesh);
}

void smgpu_transfer_begin(struct machine *m, size_t instruction, size_t array)
{
    struct flight *f = &m->flight[instruction];
    const struct place *place = &m->places[array];
    size_t engine = f->call.instruction->operation->engine;
    uint64_t bytes = smgpu_array_elements(&m->memory->arrays[array]) * smgpu_type_bytes(m->memory->arrays[array].type);
    if ((place->engine == engine && !place->in_hbm) || engine == SMGPU_DMA || bytes == 0)
        return;
    uint64_t flits = (8 * bytes + (uint64_t)m->hardware->payload_bits - 1) / (uint64_t)m->hardware->payload_bits;
    struct transfer *next = dse_list_more(&m->transfers, &m->transfer_count, sizeof *next);
    *next = (struct transfer){.instruction = instruction, .from = place->engine, .payload_flits = flits,
                                                          .bits = 8 * bytes, .to_fetch = place->in_hbm ? bytes : 0,
                                                          .asked_at = m->hbm.ticks + SYNCHRONISER, .from_hbm = place->in_hbm};
    f->to_arrive += flits + (flits + PACKET_FLITS - 1) / PACKET_FLITS;
    m->record->engine[engine].in_bytes += bytes;
    m->record->hbm_beats += place->in_hbm ? (bytes + BEAT_BYTES - 1) / BEAT_BYTES : 0;
    m->record->dma_bytes += place->in_hbm ? bytes : 0;
}

/* Bits of the transfer's next flit. */
static uint64_t flit_bits(const struct machine *m, const struct transfer *t)
{
    uint64_t payload = (uint64_t)m->hardware->payload_bits;
    return t->bits < payload ? t->bits : payload;
}

/* Whether the next flit's bits have come from HBM through the DMA's 64 bits. */
static bool has_credit(const struct machine *m, const struct transfer *t)
{
    return !t->from_hbm || t->in_packet == 0 || m->hbm.converted_bits >= flit_bits(m, t);
}

/* Sends a flit of each router's oldest open transfer to the mesh. Engines that share a router send one after another, because packets with
 * interleaved flits in one buffer would deadlock. */
static void inject(struct machine *m)
{
    for (size_t node = 0; node < SMGPU_ENGINES; node++) {
        size_t at = m->open[node];
        for (; at < m->transfer_count && (node_of(m, m->transfers[at].from) != node || m->transfers[at].payload_flits == 0); at++)
            m->events++;
        m->open[node] = at;
        if (at == m->transfer_count || !smgpu_mesh_accepts(&m->mesh, node))
            continue;
        struct transfer *t = &m->transfers[at];
        if (t->from_hbm)
            m->record->dma_busy_cycles++;
        if (!has_credit(m, t)) {
            m->record->hbm_stall_cycles++;
            continue;
        }
        bool head = t->in_packet == 0;
        if (!head) {
            uint64_t bits = flit_bits(m, t);
            t->payload_flits--;
            t->bits -= bits;
            m->hbm.converted_bits -= t->from_hbm ? bits : 0;
        }
        bool tail = !head && (t->in_packet == PACKET_FLITS || t->payload_flits == 0);
        t->in_packet = tail ? 0 : t->in_packet + 1;
        size_t to = m->flight[t->instruction].call.instruction->operation->engine;
        smgpu_mesh_inject(&m->mesh, node, (struct smgpu_flit){(uint8_t)node_of(m, to), (uint8_t)to, head, tail});
    }
}

/* An engine has one instruction at a time, so the engine identifies a flit's instruction. */
static void arrive(void *context, const struct smgpu_flit *flit)
{
    struct machine *m = context;
    m->flight[m->running[flit->stream]].to_arrive--;
}

static void next_to_fetch(struct machine *m)
{
    for (; m->hbm.first < m->transfer_count && m->transfers[m->hbm.first].to_fetch == 0; m->hbm.first++)
        m->events++;
}

/* A tick of the HBM clock. A beat of each channel lasts two ticks, and begins only if the FIFO has room. */
static void tick_hbm(struct machine *m)
{
    struct hbm *h = &m->hbm;
    uint64_t waiting = h->in_fifo, beats = (uint64_t)m->hardware->channels;
    h->ticks++;
    next_to_fetch(m);
    for (size_t i = 0; i < SYNCHRONISER; i++)
        waiting += h->crossing[i];
    if (h->first == m->transfer_count || m->transfers[h->first].asked_at > h->ticks || waiting + beats * BEAT_BYTES > beats * FIFO_BYTES)
        h->beat = 0;
    else if (++h->beat == BEAT_CYCLES) {
        h->beat = 0;
        for (uint64_t b = 0; b < beats && h->first < m->transfer_count; b++) {
            struct transfer *t = &m->transfers[h->first];
            uint64_t bytes = t->to_fetch < BEAT_BYTES ? t->to_fetch : BEAT_BYTES;
            t->to_fetch -= bytes;
            h->crossing[SYNCHRONISER - 1] += bytes;
            next_to_fetch(m);
        }
    }
}

/* A cycle of the core: takes the bytes that have crossed, and moves 64 bits through the converter. */
static void feed_dma(struct machine *m)
{
    struct hbm *h = &m->hbm;
    uint64_t passes = h->in_fifo < DMA_BYTES ? h->in_fifo : DMA_BYTES;
    if (h->converted_bits < 8 * 2 * BEAT_BYTES + (uint64_t)m->hardware->payload_bits) {
        h->in_fifo -= passes;
        h->converted_bits += 8 * passes;
    }
    h->in_fifo += h->crossing[0];
    memmove(h->crossing, h->crossing + 1, (SYNCHRONISER - 1) * sizeof *h->crossing);
    h->crossing[SYNCHRONISER - 1] = 0;
    for (h->phase_hz += m->hardware->hbm_hz; h->phase_hz >= m->hardware->core_hz; h->phase_hz -= m->hardware->core_hz)
        tick_hbm(m);
}

void smgpu_transfers_step(struct machine *m)
{
    feed_dma(m);
    inject(m);
    smgpu_mesh_step(&m->mesh, arrive, m);
}
