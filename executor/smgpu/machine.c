#include "executor/smgpu/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "executor/smgpu/mesh.h"

#define DECODE_CYCLES 3      /* fetch, decode, dispatch */
#define DMA_BYTES 8          /* a core cycle (64 bits) */
#define BEAT_BYTES 32        /* of a channel (256 bits) */
#define BEAT_CYCLES 2        /* of the HBM clock */
#define PACKET_FLITS 16      /* behind a header */
#define FIFO_BYTES (2 * 16 * BEAT_BYTES) /* two bursts between the clocks, a channel */
#define SYNCHRONISER 2       /* flip-flops of a crossing: cycles of the clock that reads */
#define CYCLES_A_LOOK 65536
#define NOWHERE SIZE_MAX
#define MEMORY_PLACE SMGPU_DMA /* what was read lies in HBM, at the DMA's router */

/* Where an array is, and who is making it. */
struct place {
    size_t engine;  /* whose buffer; MEMORY_PLACE: HBM */
    size_t maker;   /* the instruction under way that writes it, or NOWHERE */
    size_t readers; /* instructions under way that read it */
    bool in_hbm;
};

/* Data on their way to an instruction's engine. */
struct transfer {
    size_t instruction, from;
    uint64_t payload_flits;
    uint64_t in_packet;
    uint64_t bits;            /* not yet sent */
    uint64_t to_fetch;        /* bytes not yet read from HBM */
    uint64_t asked_at;        /* tick of the HBM clock in which its request has crossed */
    bool from_hbm;
};

struct flight {
    struct smgpu_call call;
    uint64_t work;          /* cycles left of its own work */
    uint64_t to_arrive;     /* flits, headers included */
    uint64_t crossing;      /* cycles left of the handshake with the crossbar's clock */
    bool dispatched, gathered, crossed, done;
};

/* The HBM controller's side of the DMA: beats by its own clock into a FIFO between the clocks, a width converter behind it. */
struct hbm {
    uint64_t ticks;           /* of its clock */
    double phase_hz;          /* of its next tick */
    uint64_t beat;            /* cycles that the beats under way have lasted */
    uint64_t in_fifo, crossing[SYNCHRONISER]; /* bytes that the core can see, and those that it will */
    uint64_t converted_bits;  /* behind the width converter */
    size_t first;             /* transfers before it are read */
};

struct machine {
    const struct smgpu_hardware *hardware;
    const struct smgpu_program *program;
    struct smgpu_memory *memory;
    struct smgpu_record *record;
    struct smgpu_mesh mesh;
    struct flight *flight;             /* [instructions] */
    size_t decoded, dispatched, done;  /* instructions: functionally run, given to their engines, complete */
    size_t running[SMGPU_ENGINES];     /* the instruction in an engine, or NOWHERE */
    struct place *places;
    size_t place_count, place_capacity;
    struct transfer *transfers;        /* in the order of their begin; those behind `first` are open */
    size_t first[SMGPU_ENGINES], transfer_count, transfer_capacity;
    struct hbm hbm;
    uint64_t now;
};

static size_t node_of(const struct machine *m, size_t engine)
{
    return engine % (size_t)(m->hardware->mesh * m->hardware->mesh);
}

/* ---- instructions ---- */

static enum dse_status know_places(struct machine *m, struct dse_error *err)
{
    while (m->place_count < m->memory->count) {
        if (!dse_list_room(&m->places, &m->place_capacity, m->place_count, sizeof *m->places))
            return dse_fail_memory(err);
        size_t home = m->memory->arrays[m->place_count].home;
        m->places[m->place_count++] = (struct place){home == SMGPU_IN_HBM ? MEMORY_PLACE : home, NOWHERE, 0, home == SMGPU_IN_HBM};
    }
    return DSE_OK;
}

/* Computes the next instruction: bits do not depend on time. */
static enum dse_status decode(struct machine *m, struct dse_error *err)
{
    const struct smgpu_instruction *instruction = &m->program->instructions[m->decoded];
    struct flight *f = &m->flight[m->decoded];
    bool coarse = (instruction->flags & SMGPU_PRECISION_Q) != 0;
    *f = (struct flight){.call = {.instruction = instruction, .limits = &m->hardware->limits, .memory = m->memory,
                                  .fixed = {.fraction = coarse ? 16 : m->hardware->fraction}}};
    enum dse_status status = instruction->operation->run(&f->call, err);
    if (status == DSE_BAD_INPUT) {
        struct dse_error inner = *err;
        return dse_fail_at(err, status, m->program->path, instruction->line, "%s", inner.message);
    }
    DSE_TRY(status);
    m->record->overflows += f->call.fixed.overflows;
    f->work = smgpu_engine_cycles(m->hardware, instruction->operation, &f->call.effort);
    m->decoded++;
    return know_places(m, err);
}

/* Nothing that it writes is being read or written. */
static bool free_to_write(const struct machine *m, const struct flight *f)
{
    for (size_t i = 0; i < f->call.writes.count; i++) {
        const struct place *place = &m->places[f->call.writes.array[i]];
        if (place->maker != NOWHERE || place->readers > 0)
            return false;
    }
    return true;
}

/* An instruction follows at once on one that is chained, else when all before it are complete. */
static bool in_order(const struct machine *m, size_t index)
{
    bool chained = index > 0 && (m->program->instructions[index - 1].flags & (SMGPU_CHAINED | SMGPU_BLOCKED)) == SMGPU_CHAINED;
    return m->done == index || chained;
}

static enum dse_status dispatch(struct machine *m, struct dse_error *err)
{
    size_t index = m->dispatched, queue = (size_t)m->hardware->queue;
    if (index == m->program->count)
        return DSE_OK;
    if (m->decoded == index)
        DSE_TRY(decode(m, err));
    struct flight *f = &m->flight[index];
    size_t engine = f->call.instruction->operation->engine;
    if (m->program->count - index > queue)
        m->record->queue_full_cycles++;
    if (m->now < index + DECODE_CYCLES)
        return DSE_OK;
    if (!in_order(m, index))
        m->record->order_stall_cycles++;
    else if (m->running[engine] != NOWHERE || !free_to_write(m, f))
        m->record->engine[engine].dispatch_stall_cycles++;
    else {
        m->running[engine] = index;
        f->dispatched = true;
        for (size_t i = 0; i < f->call.reads.count; i++)
            m->places[f->call.reads.array[i]].readers++;
        m->dispatched++;
        m->record->engine[engine].instructions++;
    }
    return DSE_OK;
}

/* ---- data ---- */

static bool ready(const struct machine *m, size_t index)
{
    const struct smgpu_uses *reads = &m->flight[index].call.reads;
    for (size_t i = 0; i < reads->count; i++)
        if (m->places[reads->array[i]].maker != NOWHERE)
            return false;
    return true;
}

/* Asks for what is not in the engine's own buffer. */
static enum dse_status gather(struct machine *m, size_t index, size_t engine, struct dse_error *err)
{
    struct flight *f = &m->flight[index];
    for (size_t i = 0; i < f->call.reads.count; i++) {
        size_t array = f->call.reads.array[i];
        const struct place *place = &m->places[array];
        uint64_t bytes = smgpu_array_elements(&m->memory->arrays[array]) * smgpu_type_bytes(m->memory->arrays[array].type);
        if ((place->engine == engine && !place->in_hbm) || engine == SMGPU_DMA || bytes == 0)
            continue;
        uint64_t flits = (8 * bytes + (uint64_t)m->hardware->payload_bits - 1) / (uint64_t)m->hardware->payload_bits;
        if (!dse_list_room(&m->transfers, &m->transfer_capacity, m->transfer_count, sizeof *m->transfers))
            return dse_fail_memory(err);
        m->transfers[m->transfer_count++] = (struct transfer){.instruction = index, .from = place->engine, .payload_flits = flits,
                                                              .bits = 8 * bytes, .to_fetch = place->in_hbm ? bytes : 0,
                                                              .asked_at = m->hbm.ticks + SYNCHRONISER, .from_hbm = place->in_hbm};
        f->to_arrive += flits + (flits + PACKET_FLITS - 1) / PACKET_FLITS;
        m->record->engine[engine].in_bytes += bytes;
        m->record->hbm_beats += place->in_hbm ? (bytes + BEAT_BYTES - 1) / BEAT_BYTES : 0;
        m->record->dma_bytes += place->in_hbm ? bytes : 0;
    }
    f->gathered = true;
    return DSE_OK;
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

/* A flit of the oldest open transfer of each engine's router into the mesh. */
static void inject(struct machine *m)
{
    for (size_t engine = 0; engine < SMGPU_ENGINES; engine++) {
        size_t at = m->first[engine];
        while (at < m->transfer_count && (m->transfers[at].from != engine || m->transfers[at].payload_flits == 0))
            at++;
        m->first[engine] = at;
        if (at == m->transfer_count || !smgpu_mesh_accepts(&m->mesh, node_of(m, engine)))
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
        smgpu_mesh_inject(&m->mesh, node_of(m, engine), (struct smgpu_flit){(uint16_t)node_of(m, to), (uint16_t)to, head, tail});
    }
}

/* One instruction at a time is in an engine, so that the engine's name says whose flit it is. */
static void arrive(void *context, const struct smgpu_flit *flit)
{
    struct machine *m = context;
    m->flight[m->running[flit->stream]].to_arrive--;
}

/* A tick of the HBM clock: a beat of each channel lasts two; none begins without room for it. */
static void tick_hbm(struct machine *m)
{
    struct hbm *h = &m->hbm;
    uint64_t waiting = h->in_fifo, beats = (uint64_t)m->hardware->channels;
    h->ticks++;
    while (h->first < m->transfer_count && m->transfers[h->first].to_fetch == 0)
        h->first++;
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
            while (h->first < m->transfer_count && m->transfers[h->first].to_fetch == 0)
                h->first++;
        }
    }
}

/* A cycle of the core: what has crossed, 64 bits of it through the converter. */
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

/* ---- engines ---- */

static void complete(struct machine *m, size_t index, size_t engine)
{
    struct flight *f = &m->flight[index];
    bool stores = engine == SMGPU_DMA && f->call.instruction->operation->sub == 1;
    for (size_t i = 0; i < f->call.reads.count; i++)
        m->places[f->call.reads.array[i]].readers--;
    for (size_t i = 0; i < f->call.writes.count; i++) {
        size_t array = f->call.writes.array[i];
        m->places[array] = (struct place){engine, NOWHERE, m->places[array].readers, stores};
        m->record->engine[engine].out_bytes +=
            smgpu_array_elements(&m->memory->arrays[array]) * smgpu_type_bytes(m->memory->arrays[array].type);
    }
    f->done = true;
    m->running[engine] = NOWHERE;
    while (m->done < m->dispatched && m->flight[m->done].done)
        m->done++;
}

/* To the crossbar's next edge, through its two flip-flops, and back through the core's. */
static uint64_t handshake(const struct machine *m)
{
    double ratio = m->hardware->core_hz / m->hardware->crossbar_hz, edge = ceil((double)m->now / ratio) * ratio;
    return (uint64_t)ceil(edge - (double)m->now + SYNCHRONISER * ratio) + SYNCHRONISER;
}

static enum dse_status step_engine(struct machine *m, size_t engine, struct dse_error *err)
{
    size_t index = m->running[engine];
    if (index == NOWHERE)
        return DSE_OK;
    struct flight *f = &m->flight[index];
    bool streams = (f->call.instruction->flags & SMGPU_STREAMING) != 0;
    if (!f->gathered && ready(m, index)) {
        DSE_TRY(gather(m, index, engine, err));
        for (size_t i = 0; i < f->call.writes.count; i++)
            m->places[f->call.writes.array[i]].maker = index;
    }
    bool waits = !f->gathered || (f->to_arrive > 0 && (!streams || f->work <= 1));
    if (waits) {
        m->record->engine[engine].operand_stall_cycles++;
        return DSE_OK;
    }
    if (engine == SMGPU_XBAR && !f->crossed) {
        f->crossed = true;
        f->crossing = handshake(m);
    }
    if (f->crossing > 0) {
        f->crossing--;
        m->record->crossing_stall_cycles++;
        return DSE_OK;
    }
    m->record->engine[engine].busy_cycles++;
    if (--f->work == 0)
        complete(m, index, engine);
    return DSE_OK;
}

static enum dse_status step(struct machine *m, struct dse_error *err)
{
    m->now++;
    feed_dma(m);
    inject(m);
    smgpu_mesh_step(&m->mesh, arrive, m);
    for (size_t engine = 0; engine < SMGPU_ENGINES; engine++)
        DSE_TRY(step_engine(m, engine, err));
    return dispatch(m, err);
}

/* Cycles in which nothing but engines' own counting happens pass at once. */
static void skip(struct machine *m)
{
    uint64_t least = UINT64_MAX;
    if (m->mesh.inside > 0)
        return;
    for (size_t engine = 0; engine < SMGPU_ENGINES; engine++) {
        size_t at = m->first[engine];
        while (at < m->transfer_count && (m->transfers[at].from != engine || m->transfers[at].payload_flits == 0))
            at++;
        size_t index = m->running[engine];
        if (at < m->transfer_count || (index != NOWHERE && (!m->flight[index].gathered || m->flight[index].to_arrive > 0 || (engine == SMGPU_XBAR && (!m->flight[index].crossed || m->flight[index].crossing > 0)))))
            return;
        if (index != NOWHERE && m->flight[index].work < least)
            least = m->flight[index].work;
    }
    bool waiting = m->dispatched < m->program->count;
    if (least == UINT64_MAX || least < 3 || (waiting && (m->now < m->dispatched + DECODE_CYCLES || in_order(m, m->dispatched))))
        return;
    uint64_t passed = least - 1;
    m->now += passed;
    m->hbm.phase_hz = fmod(m->hbm.phase_hz + (double)passed * m->hardware->hbm_hz, m->hardware->core_hz);
    m->record->order_stall_cycles += waiting ? passed : 0;
    if (m->program->count - m->dispatched > (size_t)m->hardware->queue)
        m->record->queue_full_cycles += passed;
    for (size_t engine = 0; engine < SMGPU_ENGINES; engine++)
        if (m->running[engine] != NOWHERE) {
            m->flight[m->running[engine]].work -= passed;
            m->record->engine[engine].busy_cycles += passed;
        }
}

static enum dse_status run(struct machine *m, const struct dse_monitor *monitor, struct dse_error *err)
{
    DSE_TRY(know_places(m, err));
    for (uint64_t looks = 0; m->done < m->program->count; looks++) {
        DSE_TRY(step(m, err));
        skip(m);
        if (looks % CYCLES_A_LOOK == 0 && dse_monitor_cancelled(monitor))
            return dse_fail_cancelled(err);
    }
    m->record->cycles = m->now;
    m->record->instructions = m->done;
    m->record->flits = m->mesh.flits;
    m->record->flit_hops = m->mesh.hops;
    m->record->mesh_stall_cycles = m->mesh.stalls;
    return DSE_OK;
}

enum dse_status smgpu_machine_run(const struct smgpu_hardware *hardware, const struct smgpu_program *program, struct smgpu_memory *memory,
                                  const struct dse_monitor *monitor, struct smgpu_record *record, struct dse_error *err)
{
    struct machine m = {.hardware = hardware, .program = program, .memory = memory, .record = record,
                        .flight = calloc(program->count + 1, sizeof *m.flight)};
    *record = (struct smgpu_record){0};
    for (size_t engine = 0; engine < SMGPU_ENGINES; engine++)
        m.running[engine] = NOWHERE;
    enum dse_status status = m.flight != NULL ? smgpu_mesh_make((size_t)hardware->mesh, (size_t)hardware->buffer_flits, &m.mesh, err)
                                              : dse_fail_memory(err);
    if (status == DSE_OK)
        status = run(&m, monitor, err);
    smgpu_mesh_free(&m.mesh);
    free(m.flight);
    free(m.places);
    free(m.transfers);
    return status;
}
