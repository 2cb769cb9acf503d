/* Cycle-by-cycle simulation of the engines (models/nysx/microarchitecture.md), where their time depends on data. Queues,
 * banks and bursts are stepped, not averaged. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/nysx/executor/encoder.h"
#include "models/nysx/executor/hardware.h"
#include "models/nysx/executor/nee.h"

/* A code and its hash result. */
struct nysx_lookup_code {
    size_t probes;                    /* levels up to the first set bit, or all */
    size_t word[NYSX_MPH_MAX_LEVELS]; /* word probed in each level */
    int64_t index;                    /* in the codebook store; −1 if no level has it */
    int32_t bin;                      /* −1 if the store's entry is another code */
};

/* Emission of a hop's codes by the LSHU, or of all its draws': number of words, one per iteration; tuples take one iteration per column, for `rounds`
 * words together. The HUE takes `steps` cycles per word. */
struct nysx_emission {
    uint64_t words, iterations, interval, columns, rounds, steps;
};
struct nysx_emission nysx_emission_of(const struct nysx_hardware *hardware, size_t nodes, size_t lanes, size_t columns,
                                      size_t draws);

/* LSHU's last loop, MPHE and HUE on one hop's codes. */
struct nysx_lookup_run {
    uint64_t cycles;      /* until the last word is counted */
    uint64_t lshu_cycles; /* cycles of each engine alone, with its input available and no back-pressure */
    uint64_t mphe_cycles;
    uint64_t hue_cycles;
    uint64_t probes;      /* deciding levels */
    uint64_t starved;     /* cycles in which the MPHE had no codes */
    uint64_t held;        /* cycles that the LSHU stalled on the full queue */
    uint64_t queue_most;  /* maximum words in the code queue */
    size_t found;
};

/* Looks up a code of one hop and records the probes. */
void nysx_lookup_trace(const struct nysx_mph *mph, int64_t value, struct nysx_lookup_code *code);

/* Runs the loop that makes a hop's codes, with MPHE and HUE after it. `copies`: the HUE's private histograms, [hue_pe × bins],
 * which it increments. O(cycles). */
void nysx_simulate_lookup(const struct nysx_hardware *hardware, const struct nysx_emission *emission,
                          struct nysx_lookup_code *code, size_t count, size_t bins, int32_t *copies,
                          struct nysx_lookup_run *out);

/* The KSE over all hops; independent of the query. */
struct nysx_similarity_run {
    uint64_t cycles;  /* including pipeline fill */
    uint64_t uneven;  /* PE cycles idle because of an iteration's longest row */
    uint64_t starved; /* cycles stalled on entries from memory */
    uint64_t bytes;   /* from memory */
};

/* Order of a hop's rows of H in the KSE, and their lengths: [2 × landmarks] in malloc'd memory, lengths first. */
int32_t *nysx_similarity_order(const struct nysx_hardware *hardware, const struct nysx_csr *counts);

struct nysx_similarity_run nysx_simulate_similarity(const struct nysx_hardware *hardware, const struct nysx_encoder *encoder);

/* The projection with its stream; equal for all graphs. */
struct nysx_stream_run {
    uint64_t cycles;       /* until the lanes have processed the last word */
    uint64_t work;         /* cycles of the lanes alone */
    uint64_t port_cycles;  /* cycles of the ports without back-pressure */
    uint64_t stall_memory; /* cycles in which the lanes stalled on words */
    uint64_t stall_credit; /* cycles, over all ports, in which a port could not request: full FIFO or all bursts outstanding */
    uint64_t bytes, fifo_most;
};

void nysx_simulate_stream(const struct nysx_hardware *hardware, const struct nysx_nee *nee, struct nysx_stream_run *out);

/* Cycles of the lanes in the resident and the factored form. */
uint64_t nysx_simulate_on_chip(const struct nysx_hardware *hardware, const struct nysx_nee *nee);
