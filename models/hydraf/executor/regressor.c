#include "models/hydraf/executor/regressor.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "models/hydraf/executor/streams.h"

#define CLUSTER_ONE_BITS 2 /* a cluster's initial 1 is this many bits below the largest whole element: room to learn */
#define FULL_BATCH 8.0     /* a sample's share of a step is at most its share in a batch of this size, the paper's N */
#define LOSS_MOST 1e3f     /* in deviations of the target; no real loss is larger */

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

float hydraf_exp(float x)
{
    if (!(x > -87.0f))
        return 0.0f;
    /* x = n ln 2 / 64 + r, |r| ≤ ln 2 / 128. ln 2 / 64 is split in two parts; the first times any n is exact. e^r is its Taylor series up to r². */
    float n = floorf(x * 92.3324814f + 0.5f);
    int32_t whole = (int32_t)n;
    float r = (x - n * 0.01082611083984375f) - n * 4.31385661e-06f, power = powers[whole & 63];
    return ldexpf(power + power * (r + r * r * 0.5f), (int)(whole >> 6));
}

void hydraf_regressor_start(struct hydraf_regressor *regressor, uint64_t seed)
{
    const struct hydraf_setting *s = &regressor->setting;
    hydraf_block_alloc(s->precision, s->dim, s->clusters, &regressor->clusters);
    hydraf_block_alloc(s->precision, s->dim, s->clusters, &regressor->models);
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, HYDRAF_STREAM_CLUSTERS);
    double one = 1.0;
    if (s->precision != HYDRAF_FP32) {
        one = (hydraf_most(s->precision) + 1.0) / (1 << CLUSTER_ONE_BITS);
        regressor->clusters.step = 1.0 / one;
        regressor->models.step = 0x1p-60; /* the first update doubles it as needed */
    }
    for (size_t k = 0; k < s->clusters; k++)
        for (size_t i = 0; i < s->dim; i++)
            hydraf_block_put(&regressor->clusters, k, i, (dse_rng_u64(&rng) >> 63) != 0 ? one : 0.0);
}

void hydraf_regressor_free(struct hydraf_regressor *regressor)
{
    hydraf_encoder_free(&regressor->encoder);
    hydraf_block_free(&regressor->clusters);
    hydraf_block_free(&regressor->models);
}

void hydraf_regressor_copy(const struct hydraf_regressor *from, struct hydraf_regressor *out)
{
    const struct hydraf_setting *s = &from->setting;
    *out = *from;
    hydraf_block_alloc(s->precision, s->dim, s->clusters, &out->clusters);
    hydraf_block_alloc(s->precision, s->dim, s->clusters, &out->models);
    hydraf_block_copy(&out->clusters, &from->clusters);
    hydraf_block_copy(&out->models, &from->models);
}

void hydraf_scratch_make(const struct hydraf_regressor *regressor, size_t rows, struct hydraf_scratch *out)
{
    size_t dim = regressor->setting.dim, lanes = regressor->clusters.lanes, k = regressor->setting.clusters;
    bool real = regressor->setting.precision == HYDRAF_FP32;
    struct dse_arena arena = {0};
    *out = (struct hydraf_scratch){
        .rows = {.dim = dim,
                 .real = real ? dse_arena_alloc(&arena, rows * dim, sizeof(float)) : NULL,
                 .whole = real ? NULL : dse_arena_alloc(&arena, rows * dim, sizeof(double))},
        .features = dse_arena_alloc(&arena, regressor->encoder.features + 1, sizeof(float)),
        .raw = dse_arena_alloc(&arena, regressor->encoder.inputs + 1, sizeof(double)),
        .sums = dse_arena_alloc(&arena, regressor->encoder.padded, sizeof(float)),
        .products = dse_arena_alloc(&arena, 2 * rows * lanes, sizeof(double)),
        .confidence = dse_arena_alloc(&arena, rows * k, sizeof(float)),
        .prediction = dse_arena_alloc(&arena, rows * k, sizeof(float)),
        .estimate = dse_arena_alloc(&arena, rows, sizeof(float)),
        .gain = dse_arena_alloc(&arena, rows * lanes, sizeof(double)),
        .value = dse_arena_alloc(&arena, rows, sizeof(double)),
        .selected = dse_arena_alloc(&arena, rows, sizeof(size_t)),
        .capacity = rows,
    };
    out->arena = arena;
}

void hydraf_scratch_free(struct hydraf_scratch *scratch)
{
    dse_arena_free(&scratch->arena);
    *scratch = (struct hydraf_scratch){0};
}

void hydraf_encode_row(const struct hydraf_regressor *regressor, const double *row, const size_t *columns,
                       struct hydraf_scratch *scratch, size_t at)
{
    const struct hydraf_encoder *encoder = &regressor->encoder;
    for (size_t i = 0; i < encoder->inputs; i++)
        scratch->raw[i] = row[columns[i]];
    hydraf_encoder_features(encoder, scratch->raw, scratch->features);
    if (scratch->rows.real != NULL)
        hydraf_encode_real(encoder, scratch->features, scratch->sums, scratch->rows.real + at * encoder->dim);
    else
        hydraf_encode_whole(encoder, scratch->features, scratch->sums, scratch->rows.whole + at * encoder->dim);
}

/* Adds neighbours, level by level; the last of an odd number passes on. Overwrites the terms. */
static float tree_sum(float *terms, size_t count)
{
    for (; count > 1; count = (count + 1) / 2)
        for (size_t i = 0; i < count; i += 2)
            terms[i / 2] = i + 1 < count ? terms[i] + terms[i + 1] : terms[i];
    return terms[0];
}

/* The exponentials of a row's differences from its largest sum; returns the index of the largest, the first of equals. */
static size_t exponentials(const double *similarity, float unit, size_t count, float *out)
{
    size_t largest = 0;
    for (size_t k = 1; k < count; k++)
        if (similarity[k] > similarity[largest])
            largest = k;
    for (size_t k = 0; k < count; k++)
        out[k] = hydraf_exp((float)(similarity[k] - similarity[largest]) * unit);
    return largest;
}

void hydraf_answer(const struct hydraf_regressor *regressor, const double *similarity, const double *prediction,
                   struct hydraf_scratch *scratch, size_t count)
{
    size_t clusters = regressor->setting.clusters, lanes = regressor->clusters.lanes;
    double row_step = hydraf_encoder_step(&regressor->encoder);
    float similarity_unit = (float)(regressor->beta * row_step * regressor->clusters.step);
    float prediction_unit = (float)(row_step * regressor->models.step), weights[HYDRAF_CLUSTERS_MAX], weighted[HYDRAF_CLUSTERS_MAX];
    for (size_t j = 0; j < count; j++) {
        float *confidence = scratch->confidence + j * clusters, *part = scratch->prediction + j * clusters;
        scratch->selected[j] = exponentials(similarity + j * lanes, similarity_unit, clusters, confidence);
        for (size_t k = 0; k < clusters; k++) {
            part[k] = (float)prediction[j * lanes + k] * prediction_unit;
            weights[k] = confidence[k];
            weighted[k] = confidence[k] * part[k];
        }
        float sum = tree_sum(weights, clusters), reciprocal = 1.0f / sum;
        scratch->estimate[j] = tree_sum(weighted, clusters) / sum;
        for (size_t k = 0; k < clusters; k++)
            confidence[k] *= reciprocal;
    }
}

void hydraf_predict(const struct hydraf_regressor *regressor, struct hydraf_scratch *scratch, size_t count)
{
    double *models = scratch->products + count * regressor->clusters.lanes;
    hydraf_products(&regressor->clusters, &scratch->rows, count, scratch->products);
    hydraf_products(&regressor->models, &scratch->rows, count, models);
    hydraf_answer(regressor, scratch->products, models, scratch, count);
}

/* Error of a prediction; an answer or a gain out of bounds counts 0. */
static float loss_of(const struct hydraf_scratch *scratch, const float *target, size_t j)
{
    float loss = target[j] - scratch->estimate[j];
    return isfinite(loss) ? fmaxf(-LOSS_MOST, fminf(LOSS_MOST, loss)) : 0.0f;
}

static double gain_of(float gain)
{
    return isfinite(gain) ? (double)gain : 0.0;
}

static void learn_models(struct hydraf_regressor *regressor, struct hydraf_scratch *scratch, const float *target,
                         size_t count, float rate, uint32_t update)
{
    size_t clusters = regressor->setting.clusters, lanes = regressor->models.lanes;
    memset(scratch->gain, 0, count * lanes * sizeof *scratch->gain);
    for (size_t j = 0; j < count; j++) {
        float error = rate * loss_of(scratch, target, j);
        for (size_t k = 0; k < clusters; k++)
            scratch->gain[j * lanes + k] = gain_of(regressor->setting.shared ? error * scratch->confidence[j * clusters + k] : error);
    }
    struct hydraf_update what = {.gain = scratch->gain, .count = count, .update = update,
                                 .row_step = hydraf_encoder_step(&regressor->encoder),
                                 .stochastic = regressor->setting.stochastic};
    hydraf_learn(&regressor->models, &scratch->rows, &what);
}

/* The coordinate list of a batch: S_i is scratch->selected; S_v times the loss is written to scratch->value. */
static void make_coordinates(const struct hydraf_regressor *regressor, struct hydraf_scratch *scratch,
                             const float *target, size_t count, float rate)
{
    size_t clusters = regressor->setting.clusters;
    for (size_t j = 0; j < count; j++) {
        size_t at = j * clusters + scratch->selected[j];
        float value = rate * loss_of(scratch, target, j);
        if (regressor->setting.relative)
            value *= scratch->prediction[at] - scratch->estimate[j];
        if (regressor->setting.weighted)
            value *= scratch->confidence[at];
        scratch->value[j] = gain_of(value);
    }
}

struct hydraf_rates hydraf_rates_of(const struct hydraf_regressor *regressor, size_t count, double pace)
{
    const struct hydraf_setting *s = &regressor->setting;
    double samples = (double)count * fmax(1.0, FULL_BATCH / (double)s->batch), share = pace / (samples * regressor->energy);
    bool moves = s->clusters > 1 && s->cluster_rate > 0.0 && regressor->beta > 0.0;
    return (struct hydraf_rates){(float)(share * s->rate), moves ? (float)(share * s->cluster_rate / regressor->beta) : 0.0f};
}

void hydraf_regressor_learn(struct hydraf_regressor *regressor, struct hydraf_scratch *scratch, const float *target,
                            size_t count, double pace, uint32_t update)
{
    const struct hydraf_setting *s = &regressor->setting;
    const struct hydraf_rates rates = hydraf_rates_of(regressor, count, pace);
    if (rates.clusters > 0.0f) {
        make_coordinates(regressor, scratch, target, count, rates.clusters);
        const struct hydraf_update what = {.index = scratch->selected, .gain = scratch->value, .count = count, .row_step = hydraf_encoder_step(&regressor->encoder),
                                           .update = 2 * update, .stochastic = s->stochastic};
        hydraf_learn(&regressor->clusters, &scratch->rows, &what);
    }
    learn_models(regressor, scratch, target, count, rates.models, 2 * update + 1);
}
