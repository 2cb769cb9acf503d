/* HyDRAF ("HyDRAF: an FPGA acceleration of hyperdimensional regression supporting online learning"): its stages
 * and engines. models/hydraf/microarchitecture.md has every formula with its source.
 *
 * D dimensions are cut into chunks of T. K cluster and K regression hypervectors are compared with a batch of N encoded
 * samples, chunk by chunk. All data are on chip in flip-flops, because the first two dimensions of the arrays are
 * partitioned completely (paper, section IV.B). A chunk of every row is therefore read in parallel. */
#pragma once

#include "models/build.h"
#include "models/hydraf/knobs.h"

extern const struct dse_model_family hydraf_model_family;

/* Stages run one after another per batch (per sample when inferring); engines of one stage overlap. */
enum hydraf_stage {
    HYDRAF_STAGE_COMPARE, /* the batch is read, encoded, and compared with clusters and regression models */
    HYDRAF_STAGE_PREDICT, /* confidences, weighted predictions, and losses when learning */
    HYDRAF_STAGE_UPDATE,  /* both models learn */
    HYDRAF_STAGE_COUNT
};

/* Constant identified only by Table II (fitted.c). */
enum hydraf_fitted { HYDRAF_SELECTION, HYDRAF_FITTED_COUNT };
extern const struct dse_fitted hydraf_fitted[HYDRAF_FITTED_COUNT];

/* A workload as the blocks read it: the series "features", "samples" (to train on) and "iterations" (over them). */
struct hydraf_work {
    int64_t features, samples, iterations;
};

enum dse_status hydraf_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **work, struct dse_error *err);

/* Sizes of a configuration. */
struct hydraf_shape {
    enum dse_precision precision;
    int64_t bits;           /* width of an element */
    int64_t dim, clusters, batch, chunk;
    int64_t chunks;         /* ⌈D / T⌉ */
    int64_t lanes;          /* dimensions per engine and cycle: T, or 1 if the arrays are not pipelined or a single-precision sum
                             * keeps its order */
    int64_t rows;           /* samples per run: N, or 1 when inferring */
    bool learns;
    double runs;            /* batches in a part of the task: of all iterations over all samples when fitting, otherwise 1 */
};
struct hydraf_shape hydraf_shape_of(const struct dse_config *config, const struct hydraf_work *work);

/* Total work of all runs of the task, from the work `of_one_run`. */
int64_t hydraf_times(const struct hydraf_shape *shape, double of_one_run);

/* Items per run: the samples of a batch, one sample, or one whole training run. */
int64_t hydraf_items(const struct dse_model_family *family, const struct dse_config *config);
int64_t hydraf_parts(const struct dse_model_family *family, const struct dse_config *config);

/* Adds a run's busy and fill cycles in a stage, over all runs of the task. */
void hydraf_put_cycles(struct dse_accumulators *out, enum hydraf_stage stage, const struct hydraf_shape *shape,
                       double busy, double fill);

/* Factor by which selecting a chunk exceeds its proportional cost if very many bits are stored; 1 up to a limit (memory.c). */
double hydraf_crowding(const struct hydraf_shape *shape);

/* Initiation intervals of the engines' loops (models/hydraf/microarchitecture.md). */
struct hydraf_intervals {
    int64_t arrays, update, encoder;
};
struct hydraf_layout;
struct hydraf_intervals hydraf_intervals_of(struct dse_build *build, const struct dse_config *config, const struct hydraf_layout *layout);

/* Steps of the arrays for a chunk of all rows. */
int64_t hydraf_array_steps(const struct hydraf_shape *shape);

/* Cycles by which port or encoder and the following arrays together exceed the longer of both, without their depths. The arrays wait for the first
 * row. When the last chunk's last row arrives, they still have the rest of this chunk. Rows arrive every `row` cycles, from a loop of `interval`. */
double hydraf_meeting(struct dse_build *build, const struct dse_config *config, const struct hydraf_layout *layout, double row, double interval);

/* Depths of the loops, from the operators of an iteration; builds nothing. */
struct hydraf_depths {
    int64_t read;                              /* cycles to read memory into the registers of a word */
    int64_t features, encoder, arrays;         /* a feature from memory to an integer; a step of the encoder; a step of the arrays */
    int64_t entry;                             /* softmax: from a similarity to an answer */
    int64_t gains, taken, update;              /* gains in single precision; as integers; a step of the update */
    int64_t answers;
};
struct hydraf_depths hydraf_depths_of(struct dse_build *build, const struct hydraf_layout *layout, const struct dse_config *config);

/* Records a loop with these entries and iterations per run, for mean and tail alike. */
void hydraf_note(const struct dse_context *context, const struct hydraf_shape *shape, const char *name, int64_t entries, int64_t iterations,
                 int64_t interval, int64_t depth);

/* Levels of a binary tree over that many terms. */
int64_t hydraf_levels(int64_t terms);

/* Latency of an operator in cycles; builds nothing. */
int64_t hydraf_latency(struct dse_build *build, enum dse_operator op, enum dse_precision precision, enum dse_form form);

/* Chunks of hypervectors queued between the port or encoder and the arrays. */
int64_t hydraf_queue_rows(const struct hydraf_shape *shape);

/* `rows` hypervectors in flip-flops; a chunk of each is read for comparing and again for updating. */
void hydraf_build_hypervectors(struct dse_build *build, const struct hydraf_shape *shape, int64_t rows);

/* `trees` sums of `terms` products of an element each, with output registers; `gated`: no products (an
 * element or zero is added). Returns the cycles of a sum besides the one into the running sum. */
int64_t hydraf_build_sums(struct dse_build *build, enum dse_precision precision, int64_t terms, double trees, bool gated);

/* The accelerator's header (hls.c). */
enum dse_status hydraf_hardware(const struct dse_context *context, const struct dse_config *config,
                                struct dse_hls *out, struct dse_error *err);

/* The blocks; each in the file of its engine. */
dse_cost_model hydraf_cost_port, hydraf_cost_batch, hydraf_cost_encoder, hydraf_cost_clusters, hydraf_cost_regression,
    hydraf_cost_confidence, hydraf_cost_regression_update, hydraf_cost_cluster_update, hydraf_cost_control;
