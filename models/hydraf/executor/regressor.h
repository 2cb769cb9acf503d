/* Clusters and regression hypervectors: their estimates for encoded rows, and their updates (paper, sections II and III).
 *
 *   A = β H · Cᵀ     similarities; β makes their first spread the setting's sharpness
 *   A' = softmax(A)  confidences, over a row's clusters
 *   P = H · Mᵀ       each regression hypervector's prediction
 *   Ŷ = Σ_k A'_k P_k, E = Y − Ŷ; computed as Σ_k e_k P_k / Σ_k e_k with e_k = exp(A_k − max A)
 *   M_k ← M_k + α / (ν b) Σ_j share_jk E_j H_j
 *   C_i ← C_i + γ / (β ν b) Σ_{j: S_i[j] = i} S_v[j] L_j H_j,  S_i[j] = argmax_k A'_jk (the first of equals)
 *
 * ν is the mean squared length of the training part's hypervectors; b = N · max(1, 8 / `batch`) for a batch of N samples. Targets are standardised.
 * Scalars after the products are single precision. Sums over k are trees that add neighbours. */
#pragma once

#include "core/arena.h"
#include "models/hydraf/executor/encoder.h"
#include "models/hydraf/executor/kernels.h"

struct hydraf_regressor {
    struct hydraf_setting setting;
    struct hydraf_encoder encoder;
    struct hydraf_block clusters, models;
    double beta, energy;              /* β, ν */
    double target_mean, target_scale; /* standardisation: (y − mean) / scale */
    double target_range;              /* largest minus smallest of the training part; the quality is relative to it */
};

/* Memory for up to `rows` rows at a time. */
struct hydraf_scratch {
    struct dse_arena arena;
    struct hydraf_rows rows;   /* encoded: [rows × D] */
    float *features;           /* [encoder.features] */
    double *raw;               /* [encoder.inputs] */
    float *sums;               /* [encoder.padded] */
    double *products;          /* [2 × rows × lanes] of clusters, then of models */
    float *confidence;         /* [rows × K] A' */
    float *prediction;         /* [rows × K] P */
    float *estimate;           /* [rows] Ŷ */
    double *gain, *value;      /* [rows × lanes], [rows] */
    size_t *selected;          /* [rows] S_i */
    size_t capacity;
};

/* Sets the clusters to random 0 or 1, and the regression hypervectors to zeros (paper, section II). */
void hydraf_regressor_start(struct hydraf_regressor *regressor, uint64_t seed);
void hydraf_regressor_free(struct hydraf_regressor *regressor);

/* A copy that may learn. It shares the encoder; the caller frees its blocks. */
void hydraf_regressor_copy(const struct hydraf_regressor *from, struct hydraf_regressor *out);

#define HYDRAF_STREAM_PACE 0x1p-6 /* factor of the rates for streamed rows, equal to training's last (fit.c) */

void hydraf_scratch_make(const struct hydraf_regressor *regressor, size_t rows, struct hydraf_scratch *out);
void hydraf_scratch_free(struct hydraf_scratch *scratch);

/* Encodes a row of a table as row `at` of the scratch; `columns` are the inputs' indices in the table. */
void hydraf_encode_row(const struct hydraf_regressor *regressor, const double *row, const size_t *columns,
                       struct hydraf_scratch *scratch, size_t at);

/* Fills in confidence, prediction, estimate and selected of the first `count` encoded rows. */
void hydraf_predict(const struct hydraf_regressor *regressor, struct hydraf_scratch *scratch, size_t count);

/* As hydraf_predict, from given products of both blocks, [count × lanes] each, in their own units. */
void hydraf_answer(const struct hydraf_regressor *regressor, const double *similarity, const double *prediction,
                   struct hydraf_scratch *scratch, size_t count);

/* The accelerator's rates for a batch of `count` rows, in single precision: α pace / (ν b), and γ pace / (β ν b) (0: clusters stay). */
struct hydraf_rates {
    float models, clusters;
};
struct hydraf_rates hydraf_rates_of(const struct hydraf_regressor *regressor, size_t count, double pace);

/* Learns from the `count` predicted rows. `target` is standardised, `pace` multiplies both rates, and `update` is the update's
 * number, for the rounding. */
void hydraf_regressor_learn(struct hydraf_regressor *regressor, struct hydraf_scratch *scratch, const float *target,
                            size_t count, double pace, uint32_t update);

/* e^x for x ≤ 0 in single precision, the same on every machine: within 2 units in the last place, 0 below −87. */
float hydraf_exp(float x);
