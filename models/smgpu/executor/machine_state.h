/* State of the machine, for its own files: machine.c steps instructions and engines, transfers.c steps the data between them, and
 * repeat.c skips repeating cycles. */
#pragma once

#include "models/smgpu/executor/machine.h"
#include "models/smgpu/executor/mesh.h"

#define DECODE_CYCLES 3      /* fetch, decode, dispatch */
#define BEAT_BYTES 32        /* width of a channel of HBM (256 bits) */
#define SYNCHRONISER 2       /* flip-flops of a clock crossing, in cycles of the reading clock */
#define NOWHERE SIZE_MAX
#define MEMORY_PLACE SMGPU_DMA /* arrays read from a file are in HBM, at the DMA's router */

/* The place of an array, and the instructions that use it. */
struct place {
    size_t engine;  /* owner of the buffer; MEMORY_PLACE: HBM */
    size_t maker;   /* the running instruction that writes it, or NOWHERE */
    size_t readers; /* running instructions that read it */
    bool in_hbm;
};

/* A transfer of data to an instruction's engine. */
struct transfer {
    size_t instruction, from;
    uint64_t payload_flits;
    uint64_t in_packet;
    uint64_t bits;            /* not yet sent */
    uint64_t to_fetch;        /* bytes not yet read from HBM */
    uint64_t asked_at;        /* tick of the HBM clock at which its request has crossed */
    bool from_hbm;
};

struct flight {
    struct smgpu_call call;
    uint64_t work;          /* cycles left of its own work */
    uint64_t to_arrive;     /* flits, headers included */
    uint64_t crossing;      /* cycles left of the handshake with the crossbar's clock */
    bool dispatched, gathered, crossed, done;
};

/* The HBM controller's side of the DMA: beats at its own clock go to a FIFO between the clocks, then through a width converter. */
struct hbm {
    uint64_t ticks;           /* ticks of its clock */
    double phase_hz;          /* phase of its next tick */
    uint64_t beat;            /* cycles since the current beats began */
    uint64_t in_fifo, crossing[SYNCHRONISER]; /* bytes visible to the core, and bytes still crossing */
    uint64_t converted_bits;  /* past the width converter */
    size_t first;             /* transfers before it are read */
};

struct machine {
    const struct smgpu_hardware *hardware;
    const struct smgpu_program *program;
    struct smgpu_memory *memory;
    struct smgpu_record *record;
    struct smgpu_mesh mesh;
    struct flight *flight;             /* [instructions] */
    size_t decoded, dispatched, done;  /* instructions computed, dispatched to their engines, and complete */
    size_t running[SMGPU_ENGINES];     /* the instruction in an engine, or NOWHERE */
    struct place *places;
    size_t place_count;
    struct transfer *transfers;        /* in the order of their begin */
    size_t open[SMGPU_ENGINES];        /* the transfer that a router sends, or transfer_count; engines use at most SMGPU_ENGINES routers */
    size_t transfer_count;
    struct hbm hbm;
    uint64_t now;
    uint64_t events; /* changes of state other than counters, HBM and mesh; without a change the machine may repeat */
};

/* Requests an array that is not in the instruction's engine's own buffer. */
void smgpu_transfer_begin(struct machine *m, size_t instruction, size_t array);

/* A cycle of the core: steps HBM, the DMA, the entries to the mesh, and one hop. */
void smgpu_transfers_step(struct machine *m);

/* State of the machine in an earlier cycle. */
struct smgpu_repeat;

void smgpu_repeat_make(const struct machine *m, struct smgpu_repeat **out); /* free() it */

/* Call after each step. If the machine's state, apart from counters, equals that of an earlier cycle, the cycles since then repeat until a
 * counter reaches its event. This function skips the repetitions before the event at once. */
void smgpu_repeat_pass(struct smgpu_repeat *repeat, struct machine *m);
