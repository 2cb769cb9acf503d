/* Encodes a row of a table as a hypervector: H = Σ f_i B_i with random binary base hypervectors (paper, section II).
 *
 * Features are standardised by the mean and deviation of the training part, and clipped at ±4 deviations to fit their words.
 * fp32 sums in single precision, features ascending. In int16 and int8, features are whole numbers of 2^-12, and a right
 * shift rounds their sum half up to an element. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "datasets/table.h"
#include "models/hydraf/executor/parameters.h"

#define HYDRAF_FEATURE_MOST 4.0     /* deviations */
#define HYDRAF_FEATURE_STEP 0x1p-12 /* step of whole features */
#define HYDRAF_FEATURES_MOST 1000   /* whole sums of 1000 stay exact in single precision: 1000 · 2^14 < 2^24 */

struct hydraf_encoder {
    enum hydraf_precision precision;
    size_t inputs, features, dim; /* columns of the table; these and, with a bias, a constant; D */
    double *mean, *scale;         /* [inputs] the deviation's inverse; 0 for a column that does not vary */
    uint8_t *base;                /* [features × dim] 0 or 1 */
    float *ones;                  /* the same as floats, padded to whole vectors: [features × padded] */
    size_t padded;
    int shift;                    /* shift of whole sums */
};

/* Statistics of `columns` (indices in the table, `inputs` of them) over the rows `train`. */
enum dse_status hydraf_encoder_make(const struct hydraf_setting *setting, const struct dse_data_table *table,
                                    const size_t *columns, size_t inputs, const int32_t *train, size_t n_train,
                                    uint64_t seed, struct hydraf_encoder *out, struct dse_error *err);
void hydraf_encoder_free(struct hydraf_encoder *encoder);

/* The features of one row ([inputs] raw values): standardised and clipped, then the constant. */
void hydraf_encoder_features(const struct hydraf_encoder *encoder, const double *raw, float *features);

/* Lays out the base hypervectors of an encoder whose sizes are set. If `base` is NULL the seed draws them, otherwise the
 * encoder takes ownership of it. */
void hydraf_encoder_base(struct hydraf_encoder *encoder, uint8_t *base, uint64_t seed);

/* The hypervector's elements [dim] as stored: `out` is float for fp32, double for whole elements. `sums` is scratch,
 * [padded]. O(features × dim). */
void hydraf_encode_real(const struct hydraf_encoder *encoder, const float *features, float *sums, float *out);
void hydraf_encode_whole(const struct hydraf_encoder *encoder, const float *features, float *sums, double *out);

/* The largest magnitude of a whole sum of one row, before the shift. */
double hydraf_encode_largest(const struct hydraf_encoder *encoder, const float *features, float *sums);

/* Value of a whole element 1 of an encoded hypervector; 1 for fp32. */
double hydraf_encoder_step(const struct hydraf_encoder *encoder);
