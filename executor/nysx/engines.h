/* The engines cycle by cycle (docs/nysx-microarchitecture.md), each as far as its time depends on data. Nothing
 * here is an average: queues, banks and bursts are stepped. */
#ifndef DSE_EXECUTOR_NYSX_ENGINES_H
#define DSE_EXECUTOR_NYSX_ENGINES_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "executor/nysx/encoder.h"
#include "executor/nysx/hardware.h"
#include "executor/nysx/nee.h"

/* Depths of the pipelines, paid each time one is started: operator latencies of single precision at 300 MHz on
 * UltraScale+ as the vendor's floating-point core has them by default (PG060), and registers around them; assumed. */
enum {
    NYSX_FILL_LSHU = 32,  /* multiply 4, add 7, divide 16, floor 5 */
    NYSX_FILL_MPHE = 14,  /* hash 9, range 3, popcount and compare 2 */
    NYSX_FILL_HUE = 3,    /* read, add, write */
    NYSX_FILL_MERGE = 4,
    NYSX_FILL_KSE = 5,
    NYSX_FILL_NEE = 12,
    NYSX_FILL_SCE = 10,
    NYSX_ADD_DEPTH = 7    /* rows that a floating-point lane takes in turn */
};

/* The pass that emits a hop's codes, MPHE and HUE behind it. */
struct nysx_lookup_run {
    uint64_t cycles;                    /* until the last update is made */
    uint64_t lshu_cycles, mphe_cycles, hue_cycles; /* until each is done */
    uint64_t probes, bank_conflicts, queue_most;
    size_t found;
};

/* `emitted[v]` is the cycle at which node v's code leaves the LSHU. Adds found bins to `histogram`. DSE_LIMIT when
 * memory runs out. */
enum dse_status nysx_simulate_lookup(const struct nysx_hardware *hardware, const struct nysx_mph *mph,
                                     const int64_t *codes, const uint64_t *emitted, size_t nodes,
                                     int32_t *histogram, struct nysx_lookup_run *out, struct dse_error *err);

/* The projection with its stream: the same for every graph. */
struct nysx_stream_run {
    uint64_t cycles;        /* of the stage */
    uint64_t stall_memory;  /* lanes waiting for words */
    uint64_t stall_credit;  /* a port that may not ask: no room in the FIFO, or all bursts out */
    uint64_t bytes, fifo_most;
};

void nysx_simulate_stream(const struct nysx_hardware *hardware, const struct nysx_nee *nee,
                          struct nysx_stream_run *out);

/* The same for resident and factored forms. */
uint64_t nysx_simulate_on_chip(const struct nysx_hardware *hardware, const struct nysx_nee *nee);

#endif
