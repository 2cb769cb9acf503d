/* SPDX-License-Identifier: MIT */ /* The HyDRAF accelerator in C for Vitis HLS: the interfaces of its engines.
 *
 * Sizes, types and directives come from the emitted hydraf_config.h, the base hypervectors from the emitted hydraf_model.h.
 * All other included files are in the folder. The engines compute bit for bit like the executor. Sums in single precision run in the same order,
 * and a product is rounded before it is added (-ffp-contract=off).
 *
 * A hypervector lies in chunks of T dimensions. One chunk of one hypervector is a row: a word of HYDRAF_ROW_PARTS parts
 * in memory, T elements in the arrays. */
#ifndef HYDRAF_H
#define HYDRAF_H

#include <math.h>

#include "hydraf_kit.h"

/* Tasks of the kernel. */
#define HYDRAF_COMMAND_INFER 0
#define HYDRAF_COMMAND_LEARN 1 /* predicts, then learns from the targets */
#define HYDRAF_COMMAND_LOAD 2  /* reads the state from the port of the samples; the first command */
#define HYDRAF_COMMAND_STORE 3 /* writes the state to the port of the answers, one number per word */

#define HYDRAF_REAL (HYDRAF_PRECISION == HYDRAF_PRECISION_FP32)
#define HYDRAF_MOST ((1 << (HYDRAF_ELEMENT_BITS - 1)) - 1) /* the largest whole element */
#define HYDRAF_ENCODES (HYDRAF_ENCODING == HYDRAF_ENCODING_ON_CHIP)
#define HYDRAF_AXI_PARTS (HYDRAF_AXI_BITS / 32)
#define HYDRAF_ROWS_MOST (HYDRAF_CHUNKS * HYDRAF_BATCH) /* rows per run */
#define HYDRAF_ENTRIES (HYDRAF_BATCH * HYDRAF_CLUSTERS)

/* Bits of the random numbers that round changes, and of the finest fraction of a step. */
#define HYDRAF_SHIFT_MOST 24

/* K hypervectors, or a batch of samples. */
typedef hydraf_element_t hydraf_block_t[HYDRAF_CHUNKS][HYDRAF_CLUSTERS][HYDRAF_CHUNK];
typedef hydraf_element_t hydraf_batch_t[HYDRAF_CHUNKS][HYDRAF_BATCH][HYDRAF_CHUNK];
typedef hydraf_sum_t hydraf_sums_t[HYDRAF_BATCH][HYDRAF_CLUSTERS];

/* Scales: exponents of the steps of whole elements, β times the step of a sample, and the shift of the encoder's sums. The value of a whole 1 is 2^step.
 * All exponents are 0 for fp32. */
struct hydraf_scales {
    int32_t cluster_step, model_step, row_step, encoder_shift;
    float sharpness;
};

/* Results of the softmax for the rows: exponentials and predictions by row and cluster, the exponentials' sum, the answer, and the cluster of the
 * highest confidence. */
struct hydraf_predicted {
    float exponential[HYDRAF_ENTRIES], prediction[HYDRAF_ENTRIES], sum[HYDRAF_BATCH], estimate[HYDRAF_BATCH];
    int32_t selected[HYDRAF_BATCH];
};

#ifdef __cplusplus
extern "C" {
#endif

/* 2^exponent, −126 to 127. */
static inline float hydraf_power(int32_t exponent)
{
    return hydraf_real((uint32_t)(exponent + 127) << 23);
}

/* Element `lane` of a row's word. */
static inline hydraf_element_t hydraf_element(hydraf_row_t row, int32_t lane)
{
#if HYDRAF_REAL
    return hydraf_real(HYDRAF_PART_ROW(row, lane));
#else
    return (hydraf_element_t)(HYDRAF_PART_ROW(row, lane * HYDRAF_ELEMENT_BITS / 32) >> (lane * HYDRAF_ELEMENT_BITS % 32));
#endif
}

#if HYDRAF_ENCODES
/* Encoder: reads the features from memory and makes rows of the samples, chunk after chunk. */
void hydraf_encode(HYDRAF_PARAMETERS_SAMPLES, int32_t rows, int32_t shift, HYDRAF_FIFO_PARAMETER(hydraf_row_t, encoded, HYDRAF_ROWS_MOST));
#else
/* Reads encoded samples from memory: chunk after chunk, one row per sample. */
void hydraf_samples(HYDRAF_PARAMETERS_SAMPLES, int32_t rows, HYDRAF_FIFO_PARAMETER(hydraf_row_t, encoded, HYDRAF_ROWS_MOST));
#endif

/* Reads the targets of the rows when learning. */
void hydraf_targets(HYDRAF_PARAMETERS_TARGETS, int32_t rows, int32_t learns, float target[HYDRAF_BATCH]);

/* Both arrays: multiply the samples with clusters and models. `batch` keeps the samples. */
void hydraf_arrays(HYDRAF_FIFO_PARAMETER(hydraf_row_t, encoded, HYDRAF_ROWS_MOST), int32_t rows, int32_t learns, hydraf_block_t clusters,
                   hydraf_block_t models, hydraf_batch_t batch, hydraf_sums_t similarity, hydraf_sums_t prediction);

/* Confidence: softmax over the clusters, and the weighted prediction. */
void hydraf_softmax(int32_t rows, const struct hydraf_scales *scales, hydraf_sums_t similarity, hydraf_sums_t prediction,
                    struct hydraf_predicted *predicted);

/* Both updates. `seed` seeds the random numbers of the clusters; the rates are the host's for this batch. */
void hydraf_update(int32_t rows, uint32_t seed, float model_rate, float cluster_rate, const float target[HYDRAF_BATCH],
                   const struct hydraf_predicted *predicted, hydraf_batch_t batch, hydraf_block_t clusters, hydraf_block_t models,
                   struct hydraf_scales *scales);

/* Writes the answers to memory. */
void hydraf_answers(HYDRAF_PARAMETERS_ANSWERS, int32_t rows, const float estimate[HYDRAF_BATCH]);

/* Reads the state from memory, and writes it. */
void hydraf_load(HYDRAF_PARAMETERS_SAMPLES, hydraf_block_t clusters, hydraf_block_t models, struct hydraf_scales *scales);
void hydraf_store(HYDRAF_PARAMETERS_ANSWERS, hydraf_block_t clusters, hydraf_block_t models, const struct hydraf_scales *scales);

#ifdef __cplusplus
}
#endif

#endif
