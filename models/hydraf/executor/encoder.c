#include "models/hydraf/executor/encoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "models/hydraf/executor/elements.h"
#include "models/hydraf/executor/streams.h"

#define FLOATS 8
typedef float floats __attribute__((vector_size(FLOATS * sizeof(float)), aligned(sizeof(float))));

/* Mean and inverse deviation of a column over the training rows (Welford's recurrence). */
static void column_statistics(const struct dse_data_table *table, size_t column, const int32_t *train, size_t n_train,
                              double *mean, double *scale)
{
    double squares = 0.0;
    *mean = 0.0;
    for (size_t i = 0; i < n_train; i++) {
        double value = table->values[(size_t)train[i] * table->columns + column], delta = value - *mean;
        *mean += delta / (double)(i + 1);
        squares += delta * (value - *mean);
    }
    double deviation = sqrt(squares / (double)n_train);
    *scale = deviation > 1e-12 * fabs(*mean) && isnormal(deviation) && isfinite(1.0 / deviation) ? 1.0 / deviation : 0.0;
    if (!isfinite(*mean)) /* the values overflow their mean: the column is left out */
        *mean = *scale = 0.0;
}

enum dse_status hydraf_encoder_make(const struct hydraf_setting *setting, const struct dse_data_table *table,
                                    const size_t *columns, size_t inputs, const int32_t *train, size_t n_train,
                                    uint64_t seed, struct hydraf_encoder *out, struct dse_error *err)
{
    size_t features = inputs + setting->bias;
    if (features > HYDRAF_FEATURES_MOST)
        return dse_fail(err, DSE_BAD_USAGE, "%s: %zu features, but at most %d can be encoded", table->name, features,
                        HYDRAF_FEATURES_MOST);
    *out = (struct hydraf_encoder){.precision = setting->precision, .inputs = inputs, .features = features,
                                   .dim = setting->dim, .mean = dse_malloc((inputs + 1) * sizeof *out->mean),
                                   .scale = dse_malloc((inputs + 1) * sizeof *out->scale)};
    for (size_t i = 0; i < inputs; i++)
        column_statistics(table, columns[i], train, n_train, &out->mean[i], &out->scale[i]);
    hydraf_encoder_base(out, NULL, seed);
    return DSE_OK;
}

void hydraf_encoder_base(struct hydraf_encoder *encoder, uint8_t *base, uint64_t seed)
{
    size_t count = encoder->features * encoder->dim;
    encoder->padded = (encoder->dim + FLOATS - 1) / FLOATS * FLOATS;
    encoder->base = base != NULL ? base : dse_malloc(count + 1);
    encoder->ones = dse_calloc(encoder->features * encoder->padded + 1, sizeof *encoder->ones);
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, HYDRAF_STREAM_BASE);
    for (size_t i = 0; base == NULL && i < count; i++)
        encoder->base[i] = (uint8_t)(dse_rng_u64(&rng) >> 63);
    for (size_t i = 0; i < encoder->features; i++)
        for (size_t d = 0; d < encoder->dim; d++)
            encoder->ones[i * encoder->padded + d] = encoder->base[i * encoder->dim + d];
}

void hydraf_encoder_free(struct hydraf_encoder *encoder)
{
    free(encoder->mean);
    free(encoder->scale);
    free(encoder->base);
    free(encoder->ones);
    *encoder = (struct hydraf_encoder){0};
}

void hydraf_encoder_features(const struct hydraf_encoder *encoder, const double *raw, float *features)
{
    for (size_t i = 0; i < encoder->inputs; i++) {
        double value = encoder->scale[i] == 0.0 ? 0.0 : (raw[i] - encoder->mean[i]) * encoder->scale[i];
        features[i] = (float)fmax(-HYDRAF_FEATURE_MOST, fmin(HYDRAF_FEATURE_MOST, value));
    }
    if (encoder->features > encoder->inputs)
        features[encoder->inputs] = 1.0f;
}

static int32_t whole_feature(float feature)
{
    return (int32_t)floor((double)feature / HYDRAF_FEATURE_STEP + 0.5);
}

/* sums[d] = Σ_i feature_i · B_i[d], features ascending; products with 0 or 1 are exact. */
static void add_up(const struct hydraf_encoder *encoder, const float *features, float *sums)
{
    for (size_t d = 0; d < encoder->padded; d += FLOATS) {
        floats sum = {0};
        for (size_t i = 0; i < encoder->features; i++)
            sum += *(const floats *)(const void *)(encoder->ones + i * encoder->padded + d) * features[i];
        *(floats *)(void *)(sums + d) = sum;
    }
}

/* As add_up, for whole features. */
static void add_up_whole(const struct hydraf_encoder *encoder, const float *features, float *sums)
{
    float whole[HYDRAF_FEATURES_MOST];
    for (size_t i = 0; i < encoder->features; i++)
        whole[i] = (float)whole_feature(features[i]);
    add_up(encoder, whole, sums);
}

void hydraf_encode_real(const struct hydraf_encoder *encoder, const float *features, float *sums, float *out)
{
    add_up(encoder, features, sums);
    memcpy(out, sums, encoder->dim * sizeof *out);
}

/* A sum shifted right, rounded half up and saturated to an element. */
static double shifted(double sum, double unit, double most)
{
    double element = floor(sum * unit + 0.5);
    return element > most ? most : element < -most ? -most : element;
}

void hydraf_encode_whole(const struct hydraf_encoder *encoder, const float *features, float *sums, double *out)
{
    double most = hydraf_most(encoder->precision), unit = ldexp(1.0, -encoder->shift);
    add_up_whole(encoder, features, sums);
    for (size_t d = 0; d < encoder->dim; d++)
        out[d] = shifted((double)sums[d], unit, most);
}

double hydraf_encode_largest(const struct hydraf_encoder *encoder, const float *features, float *sums)
{
    float largest = 0.0f;
    add_up_whole(encoder, features, sums);
    for (size_t d = 0; d < encoder->dim; d++)
        largest = fmaxf(largest, fabsf(sums[d]));
    return (double)largest;
}

double hydraf_encoder_step(const struct hydraf_encoder *encoder)
{
    return encoder->precision == HYDRAF_FP32 ? 1.0 : ldexp(HYDRAF_FEATURE_STEP, encoder->shift);
}
