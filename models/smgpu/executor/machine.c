#include "models/smgpu/executor/machine.h"

#include <math.h>
#include <stdlib.h>

#include "core/list.h"
#include "core/memory.h"
#include "models/smgpu/executor/machine_state.h"

#define CYCLES_A_LOOK 65536

/* ---- instructions ---- */

static void know_places(struct machine *m)
{
    while (m->place_count < m->memory->count) {
        size_t home = m->memory->arrays[m->place_count].home;
        struct place *place = dse_list_more(&m->places, &m->place_count, sizeof *place);
        *place = (struct place){home == SMGPU_IN_HBM ? MEMORY_PLACE : home, NOWHERE, 0, home == SMGPU_IN_HBM};
    }
}

/* Computes the next instruction at once, because its bits do not depend on time. */
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
    if (m->hardware->watch != NULL)
        DSE_TRY(m->hardware->watch->see(m->hardware->watch->context, &f->call, f->work, err));
    m->decoded++;
    know_places(m);
    return DSE_OK;
}

/* Whether no array that it writes is being read or written. */
static bool free_to_write(const struct machine *m, const struct flight *f)
{
    for (size_t i = 0; i < f->call.writes.count; i++) {
        const struct place *place = &m->places[f->call.writes.array[i]];
        if (place->maker != NOWHERE || place->readers > 0)
            return false;
    }
    return true;
}

/* An instruction follows a chained one at once; otherwise it waits until all before it are complete. */
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
        m->events++;
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

/* Requests the arrays that it reads, and marks those that it writes. */
static void gather(struct machine *m, size_t index)
{
    struct flight *f = &m->flight[index];
    for (size_t i = 0; i < f->call.reads.count; i++)
        smgpu_transfer_begin(m, index, f->call.reads.array[i]);
    for (size_t i = 0; i < f->call.writes.count; i++)
        m->places[f->call.writes.array[i]].maker = index;
    m->events++;
    f->gathered = true;
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
    m->events++;
    m->running[engine] = NOWHERE;
    while (m->done < m->dispatched && m->flight[m->done].done)
        m->done++;
}

/* Cycles to the crossbar's next clock edge, through its two flip-flops, and back through the core's. */
static uint64_t handshake(const struct machine *m)
{
    double ratio = m->hardware->core_hz / m->hardware->crossbar_hz, edge = ceil((double)m->now / ratio) * ratio;
    return (uint64_t)ceil(edge - (double)m->now + SYNCHRONISER * ratio) + SYNCHRONISER;
}

static void step_engine(struct machine *m, size_t engine)
{
    size_t index = m->running[engine];
    if (index == NOWHERE)
        return;
    struct flight *f = &m->flight[index];
    bool streams = (f->call.instruction->flags & SMGPU_STREAMING) != 0;
    if (!f->gathered && ready(m, index))
        gather(m, index);
    bool waits = !f->gathered || (f->to_arrive > 0 && (!streams || f->work <= 1));
    if (waits) {
        m->record->engine[engine].operand_stall_cycles++;
        return;
    }
    if (engine == SMGPU_XBAR && !f->crossed) {
        f->crossed = true;
        m->events++;
        f->crossing = handshake(m);
    }
    if (f->crossing > 0) {
        f->crossing--;
        m->record->crossing_stall_cycles++;
        return;
    }
    m->record->engine[engine].busy_cycles++;
    if (--f->work == 0)
        complete(m, index, engine);
}

static enum dse_status step(struct machine *m, struct dse_error *err)
{
    m->now++;
    smgpu_transfers_step(m);
    for (size_t engine = 0; engine < SMGPU_ENGINES; engine++)
        step_engine(m, engine);
    return dispatch(m, err);
}

static enum dse_status run(struct machine *m, struct smgpu_repeat *repeat, const struct dse_monitor *monitor, struct dse_error *err)
{
    know_places(m);
    for (uint64_t looks = 0; m->done < m->program->count; looks++) {
        DSE_TRY(step(m, err));
        if (repeat != NULL)
            smgpu_repeat_pass(repeat, m);
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

static void free_machine(struct machine *m)
{
    smgpu_mesh_free(&m->mesh);
    free(m->flight);
    free(m->places);
    free(m->transfers);
}

enum dse_status smgpu_machine_run(const struct smgpu_hardware *hardware, const struct smgpu_program *program, struct smgpu_memory *memory,
                                  const struct dse_monitor *monitor, struct smgpu_record *record, struct dse_error *err)
{
    DSE_CLEANUP(free_machine) struct machine m = {.hardware = hardware, .program = program, .memory = memory, .record = record,
                        .flight = dse_calloc(program->count + 1, sizeof *m.flight)};
    *record = (struct smgpu_record){0};
    for (size_t engine = 0; engine < SMGPU_ENGINES; engine++)
        m.running[engine] = NOWHERE;
    smgpu_mesh_make((size_t)hardware->mesh, (size_t)hardware->buffer_flits, &m.mesh);
    DSE_CLEANUP(dse_free_at) struct smgpu_repeat *repeat = NULL;
    if (!hardware->every_cycle)
        smgpu_repeat_make(&m, &repeat);
    return run(&m, repeat, monitor, err);
}
