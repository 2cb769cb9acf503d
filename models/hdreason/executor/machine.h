/* The accelerator of one configuration, stepped over one batch (models/hdreason/microarchitecture.md, "The micro-architecture"). It steps over the
 * scheduler's lists, the dispatcher's requests, the memorisation IPs' steps, the score engines' vectors and the training array's chunks. */
#pragma once

#include "models/hdreason/executor/cache.h"
#include "models/hdreason/executor/rank.h"

enum hdr_unit {
    HDR_UNIT_PCIE, HDR_UNIT_HYPERVECTORS, HDR_UNIT_GRADIENTS, HDR_UNIT_ENCODER, HDR_UNIT_TANH, HDR_UNIT_DISPATCHER, HDR_UNIT_MEMORISATION,
    HDR_UNIT_SCORE, HDR_UNIT_TRAINING, HDR_UNITS_COUNT,
    HDR_UNIT_NORM = HDR_UNIT_DISPATCHER /* the norm works only in the stage score, the dispatcher only in memorise */
};
/* The publication's machine has the stages memorise, score and train; a training step of the emitted source has all. */
enum hdr_machine_stage { HDR_STAGE_ENCODE, HDR_STAGE_MEMORISE, HDR_STAGE_SCORE, HDR_STAGE_SIGNS, HDR_STAGE_BIND, HDR_STAGE_SUMS, HDR_STAGE_TRAIN, HDR_STAGES_COUNT };

struct hdr_hardware {
    size_t ips, lane_width, encoder, score_lanes, chunk, products, channels;
    enum hdr_policy policy;
    enum hdr_schedule schedule;
    bool once, forward, exact;      /* exact: the gradient of the loss, not of equations 11 to 14 */
    enum hdr_task task;
    size_t dim, kept, embedding, batch, bits;
    size_t cache_vectors, cache_uram;
    double clock_hz, bytes_a_cycle; /* sustained, of one channel */
    double read_cycles;             /* from a request to its first word */
    size_t beat_bits;               /* width of a word of each port of a half */
};

/* Counts of a batch; the simulation's record. Bytes are per channel of each half. */
struct hdr_record {
    uint64_t stage[HDR_STAGES_COUNT], work[HDR_STAGES_COUNT][HDR_UNITS_COUNT];
    uint64_t hits, misses, victims, rereads, lists, steps, idle_ips, encoded, encoder_waits;
    uint64_t stalls[HDR_STAGES_COUNT][2], hidden[2]; /* cycles that hypervectors, then PCIe, wait for the sustained rate; those in `score` that slower units hide */
    uint64_t hypervector_bytes[HDR_STAGES_COUNT], gradient_bytes[HDR_STAGES_COUNT], pcie_bytes[HDR_STAGES_COUNT];
};

/* Runs one batch; the task has `times` of them. O(edges + entities). */
void hdr_machine_run(const struct hdr_hardware *hardware, const struct hdr_graph *graph, double times, struct hdr_record *out);

/* Distances of one query to every entity as the score engines add them: `lanes` elements per cycle into one sum, ascending. With
 * single precision the words are the bits of floats. */
void hdr_machine_score(const struct hdr_ranker *ranker, struct hdr_pair query, int32_t *distance);
