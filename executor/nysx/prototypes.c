#include "executor/nysx/prototypes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "executor/nysx/streams.h"

#define SCALES 32

static void bundle(const struct nysx_examples *examples, struct nysx_prototypes *real)
{
    for (size_t i = 0; i < examples->count; i++)
        nysx_add_scaled(real->real + (size_t)examples->label[i] * real->words * 64, real->words,
                        examples->hypervector + i * examples->words, 1.0f);
}

/* What lies past dim was counted as −1 elements; it is to be 0. */
static void clear_past_dim(struct nysx_prototypes *real)
{
    for (size_t c = 0; c < real->classes; c++)
        for (size_t i = real->dim; i < real->words * 64; i++)
            real->real[c * real->words * 64 + i] = 0.0f;
}

static double squared_length(const float *real, size_t count)
{
    double lanes[16] = {0};
    for (size_t i = 0; i < count; i += 16)
        for (size_t k = 0; k < 16; k++)
            lanes[k] += (double)real[i + k] * real[i + k];
    double sum = 0.0;
    for (size_t k = 0; k < 16; k++)
        sum += lanes[k];
    return sum;
}

/* One example: classify, and move two prototypes when wrong. `cosine` is scratch of [classes]. */
static void adapt(struct nysx_prototypes *real, const uint64_t *hypervector, size_t label, double *cosine)
{
    size_t best = 0, row = real->words * 64;
    for (size_t c = 0; c < real->classes; c++) {
        double dot = nysx_dot_real(real->real + c * row, real->words, hypervector);
        cosine[c] = real->length[c] > 0.0 ? dot / (real->length[c] * sqrt((double)real->dim)) : 0.0;
        if (cosine[c] > cosine[best])
            best = c;
    }
    if (best == label)
        return;
    nysx_add_scaled(real->real + label * row, real->words, hypervector, (float)(1.0 - cosine[label]));
    nysx_add_scaled(real->real + best * row, real->words, hypervector, (float)-(1.0 - cosine[best]));
    clear_past_dim(real);
    real->length[label] = sqrt(squared_length(real->real + label * row, row));
    real->length[best] = sqrt(squared_length(real->real + best * row, row));
}

static enum dse_status retrain(const struct nysx_examples *examples, size_t epochs, uint64_t seed,
                               struct nysx_prototypes *real, struct dse_error *err)
{
    int32_t *order = malloc((examples->count + 1) * sizeof *order);
    double *cosine = malloc(real->classes * sizeof *cosine);
    if (order == NULL || cosine == NULL) {
        free(order);
        free(cosine);
        return dse_fail_memory(err);
    }
    for (size_t i = 0; i < examples->count; i++)
        order[i] = (int32_t)i;
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, NYSX_STREAM_RETRAIN);
    for (size_t epoch = 0; epoch < epochs; epoch++) {
        dse_rng_shuffle(&rng, order, examples->count);
        for (size_t i = 0; i < examples->count; i++) {
            size_t example = (size_t)order[i];
            adapt(real, examples->hypervector + example * examples->words, (size_t)examples->label[example],
                  cosine);
        }
    }
    free(order);
    free(cosine);
    return DSE_OK;
}

/* Rounds to −most … most and returns the squared error. */
static double round_class(const float *real, size_t dim, double scale, int most, int8_t *out)
{
    double error = 0.0;
    for (size_t i = 0; i < dim; i++) {
        double element = rint(real[i] / scale);
        element = element > most ? most : element < -most ? -most : element;
        out[i] = (int8_t)element;
        error += (real[i] - element * scale) * (real[i] - element * scale);
    }
    return error;
}

static void quantise_class(const float *real, size_t dim, int bits, int8_t *out)
{
    float largest = 0.0f;
    for (size_t i = 0; i < dim; i++)
        largest = fabsf(real[i]) > largest ? fabsf(real[i]) : largest;
    if (bits == 1) {
        for (size_t i = 0; i < dim; i++)
            out[i] = real[i] >= 0.0f ? 1 : -1;
        return;
    }
    if (largest == 0.0f)
        return;
    int most = (1 << (bits - 1)) - 1;
    double best_scale = 0.0, best_error = INFINITY;
    for (int k = 1; k <= SCALES; k++) {
        double scale = (double)largest * k / SCALES / most;
        double error = round_class(real, dim, scale, most, out);
        if (error < best_error) {
            best_error = error;
            best_scale = scale;
        }
    }
    round_class(real, dim, best_scale, most, out);
}

enum dse_status nysx_prototypes_quantise(const struct nysx_prototypes *real, int bits,
                                         struct nysx_prototypes *out, struct dse_error *err)
{
    enum dse_status status = nysx_prototypes_alloc(real->classes, real->dim, bits, out, err);
    if (status != DSE_OK)
        return status;
    for (size_t c = 0; c < real->classes; c++) {
        const float *row = real->real + c * real->words * 64;
        if (bits == 32)
            memcpy(out->real + c * out->words * 64, row, real->words * 64 * sizeof *row);
        else
            quantise_class(row, real->dim, bits, out->whole + c * real->dim);
    }
    nysx_prototypes_seal(out);
    return DSE_OK;
}

enum dse_status nysx_prototypes_train(const struct nysx_examples *examples, size_t epochs, int bits,
                                      uint64_t seed, struct nysx_prototypes *out, struct dse_error *err)
{
    struct nysx_prototypes real;
    enum dse_status status = nysx_prototypes_alloc(examples->classes, examples->dim, 32, &real, err);
    if (status != DSE_OK)
        return status;
    bundle(examples, &real);
    clear_past_dim(&real);
    nysx_prototypes_seal(&real);
    if (epochs > 0)
        status = retrain(examples, epochs, seed, &real, err);
    if (status == DSE_OK)
        status = nysx_prototypes_quantise(&real, bits, out, err);
    nysx_prototypes_free(&real);
    return status;
}
