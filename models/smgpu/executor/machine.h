/* The machine: an instruction queue and decoder, the engines behind them, HBM, DMA and the mesh between, stepped cycle by cycle while
 * the instructions compute. models/smgpu/microarchitecture.md is its micro-architecture. */
#pragma once

#include "core/monitor.h"
#include "models/smgpu/executor/program.h"

enum smgpu_latencies { SMGPU_STATED, SMGPU_BUILT };

/* Sees every instruction that a machine decoded, with its results and its cycles. */
struct smgpu_watch {
    enum dse_status (*see)(void *context, const struct smgpu_call *call, uint64_t cycles, struct dse_error *err);
    void *context;
};

/* A configuration. */
struct smgpu_hardware {
    int64_t array_rows;      /* of the systolic array: non-zeros per cycle */
    int64_t banks;           /* of the HD engine, a word each */
    int64_t key_bits;        /* of the cache, at most */
    int64_t mesh;            /* routers per side */
    int64_t buffer_flits;    /* a port and virtual channel */
    int64_t payload_bits;    /* of a flit */
    int64_t channels;        /* of HBM */
    int64_t tiles;           /* of the crossbar */
    int64_t queue;           /* instructions */
    int fraction;            /* bits behind the point, unless an instruction says precision_q */
    enum smgpu_latencies latencies;
    bool chained;            /* the task's instructions are */
    bool every_cycle;        /* steps what repeats too, which takes long and is the same (tests) */
    double core_hz, hbm_hz, crossbar_hz;
    struct smgpu_limits limits;
    const struct smgpu_watch *watch; /* or NULL */
};

/* Counts of the engines. */
struct smgpu_engine_record {
    uint64_t instructions, busy_cycles;
    uint64_t operand_stall_cycles;  /* for data under way */
    uint64_t dispatch_stall_cycles; /* instructions at the decoder that waited for this engine */
    uint64_t in_bytes, out_bytes;
};

struct smgpu_record {
    struct smgpu_engine_record engine[SMGPU_ENGINES];
    uint64_t cycles, instructions, overflows;
    uint64_t flits, flit_hops, mesh_stall_cycles; /* flits that waited for an output */
    uint64_t hbm_beats, dma_bytes, dma_busy_cycles;
    uint64_t hbm_stall_cycles;      /* flits that waited for HBM, its clock's crossing or the DMA's 64 bits */
    uint64_t crossing_stall_cycles; /* of the handshake with the crossbar's clock */
    uint64_t queue_full_cycles, order_stall_cycles; /* the decoder waited for an instruction that is not chained */
};

/* Runs the program on the memory. DSE_BAD_INPUT where an instruction cannot run: the file's line, and why. */
enum dse_status smgpu_machine_run(const struct smgpu_hardware *hardware, const struct smgpu_program *program, struct smgpu_memory *memory,
                                  const struct dse_monitor *monitor, struct smgpu_record *record, struct dse_error *err);

/* Cycles of an instruction's own work in its engine, of the core clock. */
uint64_t smgpu_engine_cycles(const struct smgpu_hardware *hardware, const struct smgpu_operation *operation, const struct smgpu_effort *effort);
