/* SPDX-License-Identifier: MIT */ /* Learning (paper, sections III.B and IV.D): each model adds a sample's row times loss and confidence, and so does the cluster
 * of the highest confidence. Samples of a chunk follow one another; pipelined arrays update T dimensions per step.
 *
 * Whole elements change by whole gains with a common shift: change = ⌊(Σ_j gain_j row_j) / 2^shift + r⌋, r random or ½. If an element would leave its
 * range, the pass is undone, all elements are halved, their step is doubled, and the pass is repeated. */
#include "hydraf.h"

#if defined(__GNUC__) && !defined(__clang__) && HYDRAF_BATCH == 1
#pragma GCC diagnostic ignored "-Warray-bounds" /* with one row, GCC 14 wrongly reports an access to the next row */
#endif

#define DENSE (HYDRAF_UPDATE == HYDRAF_UPDATE_DENSE)
#define TRIPS (HYDRAF_CHUNK / HYDRAF_LANES)
#define SELECT_STEPS (DENSE ? HYDRAF_CHUNK + (HYDRAF_BATCH > HYDRAF_CLUSTERS ? HYDRAF_BATCH : HYDRAF_CLUSTERS) : 0)
#define PASSES 1024 /* more than the possible doublings of a step */
#define LOSS_MOST 1e3f

#if HYDRAF_REAL
typedef float gain_t;
typedef float change_t;
#else
typedef hydraf_element_t gain_t;
typedef hydraf_sum_t change_t;
#endif

/* Gains of the batch: per row and cluster for the models, per row for the clusters. Each as computed and as converted for the update. */
struct gains {
    float model_real[HYDRAF_ENTRIES], cluster_real[HYDRAF_BATCH];
    gain_t model[HYDRAF_BATCH][HYDRAF_CLUSTERS];
#if HYDRAF_UPDATE == HYDRAF_UPDATE_DENSE
    gain_t select[HYDRAF_BATCH][HYDRAF_CLUSTERS]; /* the select matrix: 0 except for the row's cluster */
#else
    gain_t listed[HYDRAF_BATCH]; /* the coordinate list: values; the clusters are below */
    int32_t index[HYDRAF_BATCH];
#endif
    uint32_t largest_model, largest_cluster; /* bit patterns of the largest absolute gains */
    int32_t model_shift, cluster_shift;
};

/* A gain that is not finite counts as 0. */
static float finite(float value)
{
    return (hydraf_bits(value) >> 23 & 255) == 255 ? 0.0f : value;
}

static float loss_of(float target, float estimate)
{
    float loss = finite(target - estimate);
    return loss > LOSS_MOST ? LOSS_MOST : loss < -LOSS_MOST ? -LOSS_MOST : loss;
}

static uint32_t larger(uint32_t size, float value)
{
    uint32_t other = hydraf_bits(value) & UINT32_C(0x7fffffff);
    return other > size ? other : size;
}

/* All gains in single precision, and the largest of the models and of the clusters. */
static void compute_gains(int32_t rows, float model_rate, float cluster_rate, const float target[HYDRAF_BATCH],
                          const struct hydraf_predicted *predicted, struct gains *gains)
{
    int32_t j = 0, k = 0;
    uint32_t largest_model = 0, largest_cluster = 0;
HYDRAF_LABEL(update_largest)
    for (int32_t i = 0; i < rows * HYDRAF_CLUSTERS; i++) {
        HYDRAF_PIPELINE_UPDATE_LARGEST
        HYDRAF_LOOP_TRIPCOUNT_UPDATE_LARGEST
        float confidence = predicted->exponential[i] * (1.0f / predicted->sum[j]), estimate = predicted->estimate[j], loss = loss_of(target[j], estimate);
#if HYDRAF_SHARING == HYDRAF_SHARING_CONFIDENCE
        float model = finite(model_rate * loss * confidence);
#else
        float model = finite(model_rate * loss);
#endif
        float cluster = cluster_rate * loss;
#if HYDRAF_CLUSTER_LOSS == HYDRAF_CLUSTER_LOSS_RELATIVE
        cluster *= predicted->prediction[i] - estimate;
#endif
#if HYDRAF_CLUSTER_WEIGHT == HYDRAF_CLUSTER_WEIGHT_CONFIDENCE
        cluster *= confidence;
#endif
        (void)confidence;
        gains->model_real[i] = model;
        largest_model = larger(largest_model, model);
        if (k == predicted->selected[j]) {
            gains->cluster_real[j] = finite(cluster);
            largest_cluster = larger(largest_cluster, finite(cluster));
        }
        int32_t ends = k == HYDRAF_CLUSTERS - 1;
        k = ends ? 0 : k + 1;
        j += ends;
    }
    gains->largest_model = largest_model;
    gains->largest_cluster = largest_cluster;
}

#if !HYDRAF_REAL
/* The shift, in bits, that scales the largest gain to the range of an element. `step`: exponent of a row's step relative to the elements' step. */
static int32_t shift_of(uint32_t largest, int32_t step)
{
    int32_t exponent = (int32_t)(largest >> 23) - 127, shift = HYDRAF_SHIFT_MOST;
    int32_t fits = HYDRAF_ELEMENT_BITS - 2 - (exponent > -126 ? exponent : -126) - step;
    shift = largest != 0 && fits < shift ? fits : shift;
    return 127 - step < shift ? 127 - step : shift;
}

/* Converts a gain to an integer; 0 if every gain would exceed every range. */
static gain_t whole_of(float gain, float power, int32_t shift)
{
    int32_t whole = (int32_t)floorf(gain * power + 0.5f);
    whole = whole > HYDRAF_MOST ? HYDRAF_MOST : whole < -HYDRAF_MOST ? -HYDRAF_MOST : whole;
    return (gain_t)(shift < 0 ? 0 : whole);
}
#endif

/* Converts the gains to the form that a pass multiplies with. */
static void take_gains(int32_t rows, const struct hydraf_predicted *predicted, const struct hydraf_scales *scales, struct gains *gains)
{
    int32_t j = 0, k = 0;
#if !HYDRAF_REAL
    const int32_t model_step = scales->row_step - scales->model_step, cluster_step = scales->row_step - scales->cluster_step;
    const int32_t model_shift = shift_of(gains->largest_model, model_step), cluster_shift = shift_of(gains->largest_cluster, cluster_step);
    const float model_power = hydraf_power(model_shift < 0 ? 0 : model_step + model_shift);
    const float cluster_power = hydraf_power(cluster_shift < 0 ? 0 : cluster_step + cluster_shift);
    gains->model_shift = model_shift;
    gains->cluster_shift = cluster_shift;
#else
    (void)scales;
#endif
HYDRAF_LABEL(update_gains)
    for (int32_t i = 0; i < rows * HYDRAF_CLUSTERS; i++) {
        HYDRAF_PIPELINE_UPDATE_GAINS
        HYDRAF_LOOP_TRIPCOUNT_UPDATE_GAINS
        float model = gains->model_real[i], cluster = gains->cluster_real[j];
#if HYDRAF_REAL
        gain_t model_gain = model, cluster_gain = cluster;
#else
        gain_t model_gain = whole_of(model, model_power, model_shift), cluster_gain = whole_of(cluster, cluster_power, cluster_shift);
#endif
        gains->model[j][k] = model_gain;
#if HYDRAF_UPDATE == HYDRAF_UPDATE_DENSE
        gains->select[j][k] = (gain_t)(k == predicted->selected[j] ? cluster_gain : 0);
#else
        gains->listed[j] = cluster_gain;
        gains->index[j] = predicted->selected[j];
#endif
        int32_t ends = k == HYDRAF_CLUSTERS - 1;
        k = ends ? 0 : k + 1;
        j += ends;
    }
}

#if !HYDRAF_REAL
/* The rounding offset of a dimension, 24 bits: a random number (three rounds of Marsaglia's xorshift) or one half. */
static uint32_t random_of(uint32_t seed, int32_t dimension)
{
#if HYDRAF_ROUNDING == HYDRAF_ROUNDING_STOCHASTIC
    uint32_t x = seed + (uint32_t)dimension;
    for (int32_t trip = 0; trip < 3; trip++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x >> 8;
#else
    (void)seed;
    (void)dimension;
    return UINT32_C(1) << (HYDRAF_SHIFT_MOST - 1);
#endif
}

/* Half of an element, rounded half to even. */
static int32_t half_of(int32_t element)
{
    int32_t half = element >> 1;
    return half + (element & half & 1);
}
#endif

/* One pass of the update over one kind of hypervectors. */
struct pass {
    int32_t changes, undoes, shift;
    uint32_t seed;
};

/* An element after its change; sets `over` if the element left its range. */
static hydraf_element_t changed(hydraf_element_t element, change_t sum, struct pass pass, int32_t dimension, int32_t *over)
{
#if HYDRAF_REAL
    (void)dimension;
    (void)over;
    return pass.changes ? element + sum : element;
#else
    int32_t shift = pass.shift < 0 ? 0 : pass.shift;
    change_t change = (sum + (change_t)(random_of(pass.seed, dimension) >> (HYDRAF_SHIFT_MOST - shift))) >> shift;
    change_t signed_change = !pass.changes ? 0 : pass.undoes ? -change : change, next = (change_t)element + signed_change;
    *over |= (next > HYDRAF_MOST) | (next < -HYDRAF_MOST);
    hydraf_element_t kept = (hydraf_element_t)(element + (int32_t)(hydraf_element_t)signed_change); /* the low bits, from which undoing the pass restores the element */
    return (hydraf_element_t)(pass.undoes ? half_of(kept) : kept);
#endif
}

/* One pass over all chunks. Returns bit 0 if an element of a model left its range, bit 1 if an element of a cluster did. */
static int32_t run_pass(int32_t rows, struct gains *gains, struct pass model_pass, struct pass cluster_pass, hydraf_batch_t batch,
                        hydraf_block_t clusters, hydraf_block_t models)
{
    int32_t chunk = 0, step = 0, row = 0, trip = 0, model_over = 0, cluster_over = 0;
    const int32_t steps = SELECT_STEPS + rows * TRIPS;
    change_t model_sums[HYDRAF_CLUSTERS][HYDRAF_LANES];
    HYDRAF_ARRAY_PARTITION_MODEL_SUMS
    change_t cluster_sums[HYDRAF_CLUSTERS][DENSE ? HYDRAF_CHUNK : HYDRAF_LANES];
    HYDRAF_ARRAY_PARTITION_CLUSTER_SUMS
HYDRAF_LABEL(update_steps)
    for (int32_t i = 0; i < HYDRAF_CHUNKS * steps; i++) {
        HYDRAF_PIPELINE_UPDATE_STEPS
        HYDRAF_LOOP_TRIPCOUNT_UPDATE_STEPS
        int32_t selects = DENSE && step < SELECT_STEPS, last = row == rows - 1, model_left = 0, cluster_left = 0;
#if HYDRAF_UPDATE == HYDRAF_UPDATE_DENSE
        if (selects && step < HYDRAF_CHUNK) /* one dimension of the select matrix times the batch; later steps drain the skewed array */
            for (int32_t k = 0; k < HYDRAF_CLUSTERS; k++) {
                change_t sum = 0;
                for (int32_t j = 0; j < HYDRAF_BATCH; j++)
                    sum += j < rows ? (change_t)gains->select[j][k] * (change_t)batch[chunk][j][step] : 0;
                cluster_sums[k][step] = sum;
            }
#endif
        if (!selects) {
#if HYDRAF_UPDATE != HYDRAF_UPDATE_DENSE
            change_t products[HYDRAF_LANES]; /* products of the row and its only cluster */
            HYDRAF_ARRAY_PARTITION_PRODUCTS
            for (int32_t l = 0; l < HYDRAF_LANES; l++)
                products[l] = (change_t)gains->listed[row] * (change_t)batch[chunk][row][trip * HYDRAF_LANES + l];
#endif
        HYDRAF_LABEL(update_models)
            for (int32_t k = 0; k < HYDRAF_CLUSTERS; k++) {
                HYDRAF_UNROLL_UPDATE_MODELS
            HYDRAF_LABEL(update_lanes)
                for (int32_t l = 0; l < HYDRAF_LANES; l++) {
                    HYDRAF_UNROLL_UPDATE_LANES
                    int32_t t = trip * HYDRAF_LANES + l, dimension = chunk * HYDRAF_CHUNK + t;
                    model_sums[k][l] = (row == 0 ? 0 : model_sums[k][l]) + (change_t)gains->model[row][k] * (change_t)batch[chunk][row][t];
#if HYDRAF_UPDATE == HYDRAF_UPDATE_DENSE
                    change_t cluster_sum = cluster_sums[k][t];
#else
                    change_t cluster_sum = (row == 0 ? 0 : cluster_sums[k][l]) + (k == gains->index[row] ? products[l] : 0);
                    cluster_sums[k][l] = cluster_sum;
#endif
                    hydraf_element_t model = changed(models[chunk][k][t], model_sums[k][l], model_pass, dimension, &model_left);
                    hydraf_element_t cluster = changed(clusters[chunk][k][t], cluster_sum, cluster_pass, dimension, &cluster_left);
                    if (last) {
                        models[chunk][k][t] = model;
                        clusters[chunk][k][t] = cluster;
                    }
                }
            }
            model_over |= last & model_left;
            cluster_over |= last & cluster_left;
            trip = last ? (trip == TRIPS - 1 ? 0 : trip + 1) : trip;
            row = last ? 0 : row + 1;
        }
        int32_t ends = step == steps - 1;
        step = ends ? 0 : step + 1;
        chunk += ends;
    }
    return (model_over & model_pass.changes) | (cluster_over & cluster_pass.changes) << 1;
}

void hydraf_update(int32_t rows, uint32_t seed, float model_rate, float cluster_rate, const float target[HYDRAF_BATCH],
                   const struct hydraf_predicted *predicted, hydraf_batch_t batch, hydraf_block_t clusters, hydraf_block_t models,
                   struct hydraf_scales *scales)
{
    HYDRAF_LOCAL struct gains gains;
    HYDRAF_ARRAY_PARTITION_GAINS_MODEL
#if HYDRAF_UPDATE == HYDRAF_UPDATE_DENSE
    HYDRAF_ARRAY_PARTITION_GAINS_SELECT
#endif
    struct pass model_pass = {1, 0, 0, seed + 0x9e3779b9u}, cluster_pass = {1, 0, 0, seed};
    compute_gains(rows, model_rate, cluster_rate, target, predicted, &gains);
HYDRAF_LABEL(update_passes)
    for (int32_t pass = 0; pass < PASSES; pass++) {
        HYDRAF_LOOP_TRIPCOUNT_UPDATE_PASSES
        if (!model_pass.undoes && !cluster_pass.undoes)
            take_gains(rows, predicted, scales, &gains);
        model_pass.shift = gains.model_shift;
        cluster_pass.shift = gains.cluster_shift;
        int32_t over = run_pass(rows, &gains, model_pass, cluster_pass, batch, clusters, models);
#if HYDRAF_REAL
        (void)over;
        break;
#else
        int32_t undone = model_pass.undoes || cluster_pass.undoes;
        if (undone) { /* halve, then repeat the pass */
            scales->model_step += model_pass.undoes;
            scales->cluster_step += cluster_pass.undoes;
            model_pass.undoes = cluster_pass.undoes = 0;
        } else {
            model_pass.changes = model_pass.undoes = model_pass.changes && ((over & 1) != 0 || gains.model_shift < 0);
            cluster_pass.changes = cluster_pass.undoes = cluster_pass.changes && ((over & 2) != 0 || gains.cluster_shift < 0);
        }
        if (!model_pass.changes && !cluster_pass.changes)
            break;
#endif
    }
}
