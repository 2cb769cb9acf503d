/* State of the machine, for its own files: machine.c has its instructions and engines, transfers.c the data between them,
 * repeat.c passes what repeats. */
#pragma once

#include "models/smgpu/executor/machine.h"
#include "models/smgpu/executor/mesh.h"

#define DECODE_CYCLES 3      /* fetch, decode, dispatch */
#define BEAT_BYTES 32        /* of a channel of HBM (256 bits) */
#define SYNCHRONISER 2       /* flip-flops of a crossing: cycles of the clock that reads */
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
    size_t place_count;
    struct transfer *transfers;        /* in the order of their begin */
    size_t open[SMGPU_ENGINES];        /* what a router sends (engines lie at as many of them at most), or transfer_count */
    size_t transfer_count;
    struct hbm hbm;
    uint64_t now;
    uint64_t events; /* changes of anything but numbers that count, HBM's state and the mesh's: while there is none, the machine may repeat */
};

/* An instruction asks for an array that is not in its engine's own buffer. */
void smgpu_transfer_begin(struct machine *m, size_t instruction, size_t array);

/* A cycle of the core: from HBM through the DMA, into the mesh, and a hop on. */
void smgpu_transfers_step(struct machine *m);

/* State of the machine in an earlier cycle. */
struct smgpu_repeat;

void smgpu_repeat_make(const struct machine *m, struct smgpu_repeat **out); /* free() it */

/* Behind a step: where all that decides how the machine goes on is as it was, what happened since happens again and again until a number
 * reaches its event: these cycles pass at once, short of it. */
void smgpu_repeat_pass(struct smgpu_repeat *repeat, struct machine *m);
