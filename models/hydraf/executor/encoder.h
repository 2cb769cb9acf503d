/* From a row of a table to its hypervector: H = Σ f_i B_i with random binary base hypervectors (paper, section II).
 *
 * Features are standardised by the mean and deviation of the training part and cut off at ±4 deviations, so that they fit
 * their words. fp32: single precision, features in ascending order. int16 and int8: features are whole numbers of 2^-12,
 * their sum is rounded by a shift, half up, to what an element holds. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "datasets/table.h"
#include "models/hydraf/executor/parameters.h"

#define HYDRAF_FEATURE_MOST 4.0     /* deviations */
#define HYDRAF_FEATURE_STEP 0x1p-12 /* of whole features */
#define HYDRAF_FEATURES_MOST 1000   /* whole sums of as many stay exact in single precision: 1000 · 2^14 < 2^24 */

struct hydraf_encoder {
    enum hydraf_precision precision;
    size_t inputs, features, dim; /* columns of the table; the same and a constant where there is a bias; D */
    double *mean, *scale;         /* [inputs] the deviation's inverse; 0 for a column that does not vary */
    uint8_t *base;                /* [features × dim] 0 or 1 */
    float *ones;                  /* the same as numbers, filled up to whole vectors: [features × padded] */
    size_t padded;
    int shift;                    /* of whole sums */
};

/* Statistics of `columns` (indices in the table, `inputs` of them) over the rows `train`. */
enum dse_status hydraf_encoder_make(const struct hydraf_setting *setting, const struct dse_data_table *table,
                                    const size_t *columns, size_t inputs, const int32_t *train, size_t n_train,
                                    uint64_t seed, struct hydraf_encoder *out, struct dse_error *err);
void hydraf_encoder_free(struct hydraf_encoder *encoder);

/* The features of one row of numbers ([inputs] raw values): standardised, cut off, the constant behind. */
void hydraf_encoder_features(const struct hydraf_encoder *encoder, const double *raw, float *features);

/* Draws and lays out the base hypervectors of an encoder whose sizes are set; `base` NULL draws them by the seed, else it is
 * taken over. */
void hydraf_encoder_base(struct hydraf_encoder *encoder, uint8_t *base, uint64_t seed);

/* The hypervector's elements [dim] as they are kept: `out` is float for fp32, double for whole elements. `sums` is scratch
 * of [padded]. O(features × dim). */
void hydraf_encode_real(const struct hydraf_encoder *encoder, const float *features, float *sums, float *out);
void hydraf_encode_whole(const struct hydraf_encoder *encoder, const float *features, float *sums, double *out);

/* The largest size of a whole sum (before the shift) of one row. */
double hydraf_encode_largest(const struct hydraf_encoder *encoder, const float *features, float *sums);

/* Value of a whole element 1 of an encoded hypervector; 1 for fp32. */
double hydraf_encoder_step(const struct hydraf_encoder *encoder);
