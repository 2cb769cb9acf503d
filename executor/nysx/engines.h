/* The engines cycle by cycle (docs/nysx-microarchitecture.md), each as far as its time depends on data. Nothing
 * here is an average: queues, banks and bursts are stepped. */
#ifndef DSE_EXECUTOR_NYSX_ENGINES_H
#define DSE_EXECUTOR_NYSX_ENGINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "executor/nysx/encoder.h"
#include "executor/nysx/hardware.h"
#include "executor/nysx/nee.h"

/* A code on its way through the lookups. */
struct nysx_lookup_code {
    uint64_t emitted;               /* the cycle at whose end it leaves the LSHU */
    size_t probes;                  /* levels that it asks */
    size_t word[NYSX_MPH_MAX_LEVELS]; /* in each */
    int64_t index;                  /* in the codebook's store, −1 where no level has it */
    int32_t bin;                    /* −1 where the store's entry is another code's */
    struct nysx_lookup_code *next;  /* in a bank's queue */
};

/* MPHE and HUE on one hop's codes. */
struct nysx_lookup_run {
    uint64_t cycles;         /* until the last update is made */
    uint64_t mphe_cycles;    /* that the MPHE takes with all codes there at once and nobody behind */
    uint64_t hue_cycles;     /* that the HUE takes with all updates there at once */
    uint64_t probes;         /* made */
    uint64_t bank_conflicts; /* lane cycles that waited for a bank of level words */
    uint64_t starved;        /* cycles in which no lane had a code */
    uint64_t held;           /* cycles that the LSHU waited for room in the queue */
    uint64_t queue_most;     /* codes in the queue */
    size_t found;
};

/* Fills in what each code of one hop will ask of the hash: `code[i]` is that of the i-th to be emitted. */
void nysx_lookup_trace(const struct nysx_mph *mph, int64_t value, struct nysx_lookup_code *code);

/* The pass that emits a hop's codes with MPHE and HUE behind it; `code` in the order of emission, `emitted` ascending.
 * `copies`: the HUE's private histograms, [hue_pe × bins], to which it adds. O(cycles × lanes). */
void nysx_simulate_lookup(const struct nysx_hardware *hardware, struct nysx_lookup_code *code, size_t count,
                          size_t bins, int32_t *copies, struct nysx_lookup_run *out);

/* The KSE over all hops: no query changes it. */
struct nysx_similarity_run {
    uint64_t cycles;  /* with the fills */
    uint64_t uneven;  /* PE cycles that waited for an iteration's longest row */
    uint64_t starved; /* cycles that waited for entries from memory */
    uint64_t bytes;   /* from memory */
};

/* DSE_LIMIT when memory runs out. */
enum dse_status nysx_simulate_similarity(const struct nysx_hardware *hardware, const struct nysx_encoder *encoder,
                                         struct nysx_similarity_run *out, struct dse_error *err);

/* The projection with its stream: the same for every graph. */
struct nysx_stream_run {
    uint64_t cycles;       /* until the lanes have worked on the last word */
    uint64_t work;         /* of the lanes alone */
    uint64_t port_cycles;  /* that the ports take with lanes that never make them wait */
    uint64_t stall_memory; /* cycles in which the lanes waited for words */
    uint64_t stall_credit; /* cycles in which a port could not ask: no room in its FIFO, or all bursts out; of all ports */
    uint64_t bytes, fifo_most;
};

/* DSE_LIMIT when memory runs out. */
enum dse_status nysx_simulate_stream(const struct nysx_hardware *hardware, const struct nysx_nee *nee,
                                     struct nysx_stream_run *out, struct dse_error *err);

/* Cycles of the lanes in resident and factored form. */
uint64_t nysx_simulate_on_chip(const struct nysx_hardware *hardware, const struct nysx_nee *nee);

#endif
