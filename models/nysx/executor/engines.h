/* The engines cycle by cycle (models/nysx/microarchitecture.md), each as far as its time depends on data. Nothing
 * here is an average: queues, banks and bursts are stepped. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/nysx/executor/encoder.h"
#include "models/nysx/executor/hardware.h"
#include "models/nysx/executor/nee.h"

/* A code and what the hash says of it. */
struct nysx_lookup_code {
    size_t probes;                    /* levels until a bit is set, or all of them */
    size_t word[NYSX_MPH_MAX_LEVELS]; /* in each */
    int64_t index;                    /* in the codebook's store, −1 where no level has it */
    int32_t bin;                      /* −1 where the store's entry is another code's */
};

/* How the codes of a hop leave the LSHU: so many words, a word an iteration; tuples' take an iteration a column, `rounds`
 * words together. The HUE takes `steps` cycles per word. */
struct nysx_emission {
    uint64_t words, iterations, interval, columns, rounds, steps;
};
struct nysx_emission nysx_emission_of(const struct nysx_hardware *hardware, size_t nodes, size_t lanes, size_t columns);

/* LSHU's last loop, MPHE and HUE on one hop's codes. */
struct nysx_lookup_run {
    uint64_t cycles;      /* until the last word is counted */
    uint64_t lshu_cycles; /* each by itself, with its input there at once and nobody behind */
    uint64_t mphe_cycles;
    uint64_t hue_cycles;
    uint64_t probes;      /* levels that decide */
    uint64_t starved;     /* cycles in which the MPHE had no codes */
    uint64_t held;        /* cycles that the LSHU waited for room in the queue */
    uint64_t queue_most;  /* words in the queue of codes */
    size_t found;
};

/* Fills in what a code of one hop asks of the hash. */
void nysx_lookup_trace(const struct nysx_mph *mph, int64_t value, struct nysx_lookup_code *code);

/* The loop that makes a hop's codes with MPHE and HUE behind it. `copies`: the HUE's private histograms, [hue_pe × bins], to
 * which it adds. O(cycles). */
void nysx_simulate_lookup(const struct nysx_hardware *hardware, const struct nysx_emission *emission,
                          struct nysx_lookup_code *code, size_t count, size_t bins, int32_t *copies,
                          struct nysx_lookup_run *out);

/* The KSE over all hops: no query changes it. */
struct nysx_similarity_run {
    uint64_t cycles;  /* with the fills */
    uint64_t uneven;  /* PE cycles that waited for an iteration's longest row */
    uint64_t starved; /* cycles that waited for entries from memory */
    uint64_t bytes;   /* from memory */
};

/* The order in which the KSE takes the rows of a hop's H, and their lengths: [2 × landmarks] in malloc'd memory, lengths first. */
int32_t *nysx_similarity_order(const struct nysx_hardware *hardware, const struct nysx_csr *counts);

struct nysx_similarity_run nysx_simulate_similarity(const struct nysx_hardware *hardware, const struct nysx_encoder *encoder);

/* The projection with its stream: the same for every graph. */
struct nysx_stream_run {
    uint64_t cycles;       /* until the lanes have worked on the last word */
    uint64_t work;         /* of the lanes alone */
    uint64_t port_cycles;  /* that the ports take with lanes that never make them wait */
    uint64_t stall_memory; /* cycles in which the lanes waited for words */
    uint64_t stall_credit; /* cycles in which a port could not ask: no room in its FIFO, or all bursts out; of all ports */
    uint64_t bytes, fifo_most;
};

void nysx_simulate_stream(const struct nysx_hardware *hardware, const struct nysx_nee *nee, struct nysx_stream_run *out);

/* Cycles of the lanes in resident and factored form. */
uint64_t nysx_simulate_on_chip(const struct nysx_hardware *hardware, const struct nysx_nee *nee);
