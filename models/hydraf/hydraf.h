/* HyDRAF ("HyDRAF: an FPGA acceleration of hyperdimensional regression supporting online learning"): its stages
 * and engines. models/hydraf/microarchitecture.md has every formula with its source.
 *
 * D dimensions are cut into chunks of T; K cluster and K regression hypervectors are held against a batch of N encoded
 * samples, chunk after chunk. Everything stands on chip in flip-flops, so that a chunk of every row is read at once
 * (paper, section IV.B: the first two dimensions of the arrays are partitioned completely). */
#pragma once

#include "models/build.h"
#include "models/hydraf/knobs.h"

extern const struct dse_model_family hydraf_model_family;

/* Stages follow one another for a batch (a sample, when inferring); engines of one stage overlap. */
enum hydraf_stage {
    HYDRAF_STAGE_COMPARE, /* the batch comes in, is encoded, and held against clusters and regression models */
    HYDRAF_STAGE_PREDICT, /* confidences, weighted predictions, and when learning the losses */
    HYDRAF_STAGE_UPDATE,  /* both models learn */
    HYDRAF_STAGE_COUNT
};

/* The constant that Table II alone tells of (fitted.c). */
enum hydraf_fitted { HYDRAF_SELECTION, HYDRAF_FITTED_COUNT };
extern const struct dse_fitted hydraf_fitted[HYDRAF_FITTED_COUNT];

/* A workload as the blocks read it: the series "features", "samples" (to train on) and "iterations" (over them). */
struct hydraf_work {
    int64_t features, samples, iterations;
};

enum dse_status hydraf_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **work, struct dse_error *err);

/* The sizes that a configuration means. */
struct hydraf_shape {
    enum dse_precision precision;
    int64_t bits;           /* of an element */
    int64_t dim, clusters, batch, chunk;
    int64_t chunks;         /* ⌈D / T⌉ */
    int64_t lanes;          /* dimensions that an engine takes at once: T, or 1 where the arrays are not pipelined or a sum of single precision
                             * keeps its order */
    int64_t rows;           /* samples of one run: N, or 1 when inferring */
    bool learns;
    double runs;            /* batches of a part of the task: of all iterations over all samples when fitting, else 1 */
};
struct hydraf_shape hydraf_shape_of(const struct dse_config *config, const struct hydraf_work *work);

/* Work of one run, done `of_one_run` times, over all runs of the task. */
int64_t hydraf_times(const struct hydraf_shape *shape, double of_one_run);

/* Items that one run answers: the samples of a batch, one sample, or one whole training. */
int64_t hydraf_items(const struct dse_model_family *family, const struct dse_config *config);
int64_t hydraf_parts(const struct dse_model_family *family, const struct dse_config *config);

/* A run's busy cycles in a stage, and what every run waits for besides, over all runs of the task. */
void hydraf_put_cycles(struct dse_accumulators *out, enum hydraf_stage stage, const struct hydraf_shape *shape,
                       double busy, double fill);

/* By how much more than its share selecting a chunk takes where very many bits are stored, 1 up to there (memory.c). */
double hydraf_crowding(const struct hydraf_shape *shape);

/* Cycles from one iteration to the next of the engines' loops (models/hydraf/microarchitecture.md). */
struct hydraf_intervals {
    int64_t arrays, update, encoder;
};
struct hydraf_layout;
struct hydraf_intervals hydraf_intervals_of(struct dse_build *build, const struct dse_config *config, const struct hydraf_layout *layout);

/* Steps of the arrays for a chunk of all rows. */
int64_t hydraf_array_steps(const struct hydraf_shape *shape);

/* Cycles by which port or encoder and the arrays behind it take longer than the longer of both, their depths apart: the arrays wait for the first
 * row and have the rest of the last chunk before them when its last row is there. The rows come every `row` cycles, from a loop of `interval`. */
double hydraf_meeting(struct dse_build *build, const struct dse_config *config, const struct hydraf_layout *layout, double row, double interval);

/* Depths of the loops, as an iteration's operators follow one another; nothing is built. */
struct hydraf_depths {
    int64_t read;                              /* of memory, into what a word is put */
    int64_t features, encoder, arrays;         /* a feature from memory to a whole number; a step of the encoder, of the arrays */
    int64_t entry;                             /* of the softmax: a similarity to an answer */
    int64_t gains, taken, update;              /* gains in single precision, as whole numbers; a step of the update */
    int64_t answers;
};
struct hydraf_depths hydraf_depths_of(struct dse_build *build, const struct hydraf_layout *layout, const struct dse_config *config);

/* Notes a loop of so many entries and iterations of one run, for the mean and the tail alike. */
void hydraf_note(const struct dse_context *context, const struct hydraf_shape *shape, const char *name, int64_t entries, int64_t iterations,
                 int64_t interval, int64_t depth);

/* Levels of a binary tree over so many terms. */
int64_t hydraf_levels(int64_t terms);

/* An operator's cycles; nothing is built. */
int64_t hydraf_latency(struct dse_build *build, enum dse_operator op, enum dse_precision precision, enum dse_form form);

/* Chunks of hypervectors that wait between the port or the encoder and the arrays. */
int64_t hydraf_queue_rows(const struct hydraf_shape *shape);

/* `rows` hypervectors in flip-flops, a chunk of each read for comparing and again for updating. */
void hydraf_build_hypervectors(struct dse_build *build, const struct hydraf_shape *shape, int64_t rows);

/* `trees` sums of `terms` products of an element each, registered at their ends; without products where `gated` (an
 * element or nothing is added). Returns the cycles that a sum takes beyond the one into the running sum. */
int64_t hydraf_build_sums(struct dse_build *build, enum dse_precision precision, int64_t terms, double trees, bool gated);

/* The accelerator's header (hls.c). */
enum dse_status hydraf_hardware(const struct dse_context *context, const struct dse_config *config,
                                struct dse_hls *out, struct dse_error *err);

/* The blocks; each in the file of its engine. */
dse_cost_model hydraf_cost_port, hydraf_cost_batch, hydraf_cost_encoder, hydraf_cost_clusters, hydraf_cost_regression,
    hydraf_cost_confidence, hydraf_cost_regression_update, hydraf_cost_cluster_update, hydraf_cost_control;
