/* SPDX-License-Identifier: MIT */ /* Confidence (softmax of the similarities) and prediction, one sample after another (paper, section III.B). A chain of comparators finds the
 * largest similarity. One exponential takes the difference of one cluster per cycle. Two adder trees and a divider make the answer. */
#include "hydraf.h"

/* 2^(i/64), i = 0 … 63. */
static const float powers[64] = {
    1.0f, 1.01088929f, 1.0218972f, 1.03302491f, 1.04427373f, 1.05564523f, 1.06714046f, 1.07876074f,
    1.09050775f, 1.10238254f, 1.1143868f, 1.12652159f, 1.13878858f, 1.15118921f, 1.1637249f, 1.17639697f,
    1.18920708f, 1.20215678f, 1.21524739f, 1.22848058f, 1.24185777f, 1.25538075f, 1.26905096f, 1.28287005f,
    1.29683959f, 1.31096125f, 1.32523668f, 1.33966756f, 1.35425556f, 1.36900246f, 1.38390994f, 1.39897966f,
    1.41421354f, 1.42961335f, 1.44518077f, 1.46091783f, 1.47682619f, 1.49290776f, 1.50916445f, 1.52559817f,
    1.54221082f, 1.55900443f, 1.5759809f, 1.59314215f, 1.61049032f, 1.62802744f, 1.64575553f, 1.66367662f,
    1.68179286f, 1.70010638f, 1.71861935f, 1.73733389f, 1.75625217f, 1.77537644f, 1.79470909f, 1.81425214f,
    1.8340081f, 1.85397911f, 1.87416768f, 1.89457595f, 1.91520655f, 1.93606174f, 1.95714414f, 1.97845602f};

/* e^x for x ≤ 0, with the executor's operations: x = (64 m + i) ln 2 / 64 + r, and e^r by its Taylor series to r². */
static float exponential(float x)
{
    float n = floorf(x * 92.3324814f + 0.5f);
    int32_t whole = (int32_t)n;
    float r = (x - n * 0.01082611083984375f) - n * 4.31385661e-06f, power = powers[whole & 63];
    float e = power + power * (r + r * r * 0.5f);
    return x > -87.0f ? hydraf_real(hydraf_bits(e) + ((uint32_t)(whole >> 6) << 23)) : 0.0f;
}

/* An integer that orders sums as their floats, with both zeros equal. */
#if HYDRAF_REAL
typedef int32_t order_t;
static order_t ordered(hydraf_sum_t value)
{
    int32_t bits = (int32_t)hydraf_bits(value);
    return bits >= 0 ? bits : (bits & 0x7fffffff) == 0 ? 0 : bits ^ 0x7fffffff;
}
#else
typedef hydraf_sum_t order_t;
static order_t ordered(hydraf_sum_t value)
{
    return value;
}
#endif

#define LEVELS 8 /* levels of a tree over the largest number of clusters */

/* Adds neighbours, level by level. The last of an odd number passes to the next level unchanged. */
static float tree_sum(const float of[HYDRAF_CLUSTERS])
{
    float terms[HYDRAF_CLUSTERS];
    HYDRAF_ARRAY_PARTITION_TERMS
HYDRAF_LABEL(softmax_terms)
    for (int32_t k = 0; k < HYDRAF_CLUSTERS; k++) {
        HYDRAF_UNROLL_SOFTMAX_TERMS
        terms[k] = of[k];
    }
HYDRAF_LABEL(softmax_levels)
    for (int32_t level = 0; level < LEVELS; level++) {
        HYDRAF_UNROLL_SOFTMAX_LEVELS
    HYDRAF_LABEL(softmax_neighbours)
        for (int32_t k = 0; k < HYDRAF_CLUSTERS; k++) {
            HYDRAF_UNROLL_SOFTMAX_NEIGHBOURS
            int32_t other = k + (1 << level), meets = k % (2 << level) == 0 && other < HYDRAF_CLUSTERS;
            if (meets)
                terms[k] += terms[meets ? other : k];
        }
    }
    return terms[0];
}

void hydraf_softmax(int32_t rows, const struct hydraf_scales *scales, hydraf_sums_t similarity, hydraf_sums_t prediction,
                    struct hydraf_predicted *predicted)
{
    const float similarity_unit = scales->sharpness * hydraf_power(scales->cluster_step);
    const float prediction_unit = hydraf_power(scales->row_step + scales->model_step);
HYDRAF_LABEL(softmax_rows)
    for (int32_t j = 0; j < rows; j++) {
        HYDRAF_LOOP_TRIPCOUNT_SOFTMAX_ROWS
        float exponentials[HYDRAF_CLUSTERS], weighted[HYDRAF_CLUSTERS];
        HYDRAF_ARRAY_PARTITION_EXPONENTIALS
        HYDRAF_ARRAY_PARTITION_WEIGHTED
    HYDRAF_LABEL(softmax_clear)
        for (int32_t k = 0; k < HYDRAF_CLUSTERS; k++) {
            HYDRAF_UNROLL_SOFTMAX_CLEAR
            exponentials[k] = 0.0f;
            weighted[k] = 0.0f;
        }
    HYDRAF_LABEL(softmax_entries)
        for (int32_t k = 0; k < HYDRAF_CLUSTERS; k++) {
            HYDRAF_PIPELINE_SOFTMAX_ENTRIES
            hydraf_sum_t largest = similarity[j][0], own = largest;
            int32_t selected = 0;
            for (int32_t i = 1; i < HYDRAF_CLUSTERS; i++) { /* the row's largest similarity; ties go to the first */
                hydraf_sum_t sum = similarity[j][i];
                int32_t above = ordered(sum) > ordered(largest);
                largest = above ? sum : largest;
                selected = above ? i : selected;
                own = i == k ? sum : own;
            }
            float power = exponential((float)(own - largest) * similarity_unit), part = (float)prediction[j][k] * prediction_unit;
            for (int32_t i = 0; i < HYDRAF_CLUSTERS; i++) {
                exponentials[i] = i == k ? power : exponentials[i];
                weighted[i] = i == k ? power * part : weighted[i];
            }
            predicted->exponential[j * HYDRAF_CLUSTERS + k] = power;
            predicted->prediction[j * HYDRAF_CLUSTERS + k] = part;
            if (k == HYDRAF_CLUSTERS - 1) {
                float sum = tree_sum(exponentials);
                predicted->sum[j] = sum;
                predicted->estimate[j] = tree_sum(weighted) / sum;
                predicted->selected[j] = selected;
            }
        }
    }
}
