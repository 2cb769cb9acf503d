/* The kernels plainly: one hypervector, one row, one dimension after another. */
#include "tests/executor/hydraf_reference.h"

#include <math.h>

void hydraf_products_reference(const struct hydraf_block *block, const struct hydraf_rows *rows, size_t count,
                               double *out)
{
    for (size_t r = 0; r < count; r++)
        for (size_t k = 0; k < block->lanes; k++) {
            float real = 0.0f;
            int64_t whole = 0; /* 2^15 · 2^15 · 2^16 fits */
            for (size_t d = 0; d < block->dim; d++) {
                double element = hydraf_block_get(block, k, d);
                if (block->real != NULL)
                    real += (float)element * rows->real[r * block->dim + d];
                else
                    whole += (int64_t)element * (int64_t)rows->whole[r * block->dim + d];
            }
            out[r * block->lanes + k] = block->real != NULL ? (double)real : (double)whole;
        }
}

static double changed(const struct hydraf_block *block, const struct hydraf_rows *rows,
                      const struct hydraf_update *update, size_t d, size_t k)
{
    size_t at = d * block->lanes + k;
    if (block->real != NULL) {
        float sum = 0.0f;
        for (size_t j = 0; j < update->count; j++)
            sum += (float)update->gain[j * block->lanes + k] * rows->real[j * block->dim + d];
        return (double)(block->real[at] + sum);
    }
    double sum = 0.0, unit = update->row_step / block->step;
    for (size_t j = 0; j < update->count; j++)
        sum += update->gain[j * block->lanes + k] * unit * rows->whole[j * block->dim + d];
    double r = update->stochastic ? hydraf_dither(update->update, (uint32_t)at) : 0.5;
    return floor(block->whole[at] + sum + r);
}

void hydraf_learn_reference(struct hydraf_block *block, const struct hydraf_rows *rows,
                            const struct hydraf_update *update)
{
    bool fits = false;
    while (!fits && block->real == NULL) {
        fits = true;
        for (size_t d = 0; d < block->dim; d++)
            for (size_t k = 0; k < block->lanes; k++)
                fits &= fabs(changed(block, rows, update, d, k)) <= hydraf_most(block->precision);
        if (!fits)
            hydraf_block_halve(block);
    }
    for (size_t d = 0; d < block->dim; d++)
        for (size_t k = 0; k < block->lanes; k++)
            hydraf_block_put(block, k, d, changed(block, rows, update, d, k));
}

double hydraf_encode_reference(const struct hydraf_encoder *encoder, const float *features, size_t d)
{
    float real = 0.0f;
    int32_t sum = 0;
    for (size_t i = 0; i < encoder->features; i++)
        if (encoder->base[i * encoder->dim + d] != 0) {
            real += features[i];
            sum += (int32_t)floor((double)features[i] / HYDRAF_FEATURE_STEP + 0.5);
        }
    double most = hydraf_most(encoder->precision), element = floor(ldexp((double)sum, -encoder->shift) + 0.5);
    return encoder->precision == HYDRAF_FP32 ? (double)real : fmax(-most, fmin(most, element));
}
