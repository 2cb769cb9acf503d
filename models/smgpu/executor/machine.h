/* The machine: an instruction queue and decoder, the engines, HBM, DMA and the mesh, stepped cycle by cycle while
 * the instructions compute. models/smgpu/microarchitecture.md has its micro-architecture. */
#pragma once

#include "core/monitor.h"
#include "models/smgpu/executor/program.h"

enum smgpu_latencies { SMGPU_STATED, SMGPU_BUILT };

/* Receives every instruction that a machine decoded, with its results and its cycles. */
struct smgpu_watch {
    enum dse_status (*see)(void *context, const struct smgpu_call *call, uint64_t cycles, struct dse_error *err);
    void *context;
};

/* A configuration. */
struct smgpu_hardware {
    int64_t array_rows;      /* rows of the systolic array: non-zeros per cycle */
    int64_t banks;           /* banks of the HD engine, a word each */
    int64_t key_bits;        /* largest key of the cache */
    int64_t mesh;            /* routers per side */
    int64_t buffer_flits;    /* per port and virtual channel */
    int64_t payload_bits;    /* payload of a flit */
    int64_t channels;        /* channels of HBM */
    int64_t tiles;           /* tiles of the crossbar */
    int64_t queue;           /* instructions */
    int fraction;            /* fraction bits, unless an instruction has precision_q */
    enum smgpu_latencies latencies;
    bool chained;            /* the task's instructions are */
    bool every_cycle;        /* also steps repeating cycles, which is slow and gives the same result (tests) */
    double core_hz, hbm_hz, crossbar_hz;
    struct smgpu_limits limits;
    const struct smgpu_watch *watch; /* or NULL */
};

/* Counts of the engines. */
struct smgpu_engine_record {
    uint64_t instructions, busy_cycles;
    uint64_t operand_stall_cycles;  /* waiting for data in transfer */
    uint64_t dispatch_stall_cycles; /* an instruction waits at the decoder for this engine */
    uint64_t in_bytes, out_bytes;
};

struct smgpu_record {
    struct smgpu_engine_record engine[SMGPU_ENGINES];
    uint64_t cycles, instructions, overflows;
    uint64_t flits, flit_hops, mesh_stall_cycles; /* mesh_stall_cycles: flits wait for an output */
    uint64_t hbm_beats, dma_bytes, dma_busy_cycles;
    uint64_t hbm_stall_cycles;      /* flits wait for HBM, its clock crossing or the DMA's 64 bits */
    uint64_t crossing_stall_cycles; /* cycles lost in the handshake with the crossbar's clock */
    uint64_t queue_full_cycles, order_stall_cycles; /* order_stall_cycles: the decoder waits for an instruction that is not chained */
};

/* Runs the program on the memory. DSE_BAD_INPUT if an instruction cannot run, with the file's line and the reason. */
enum dse_status smgpu_machine_run(const struct smgpu_hardware *hardware, const struct smgpu_program *program, struct smgpu_memory *memory,
                                  const struct dse_monitor *monitor, struct smgpu_record *record, struct dse_error *err);

/* Core cycles of an instruction's own work in its engine. */
uint64_t smgpu_engine_cycles(const struct smgpu_hardware *hardware, const struct smgpu_operation *operation, const struct smgpu_effort *effort);
