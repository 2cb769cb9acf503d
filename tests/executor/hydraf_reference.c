/* The kernels in plain form: one hypervector, one row, one dimension at a time. */
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

/* The number of bits by which the largest gain stays below an element's range, at most 24. */
static int shift_of(const struct hydraf_block *block, const struct hydraf_update *update)
{
    double unit = update->row_step / block->step, largest = 0.0;
    int shift = 24;
    for (size_t i = 0; i < update->count * block->lanes; i++)
        largest = fmax(largest, fabs((double)(float)update->gain[i] * unit));
    while (shift >= 0 && ldexp(largest, shift) >= (hydraf_most(block->precision) + 1.0))
        shift--;
    return shift;
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
    int64_t sum = 0;
    int shift = shift_of(block, update);
    double unit = update->row_step / block->step, most = hydraf_most(block->precision);
    if (shift < 0)
        return 2.0 * most;
    for (size_t j = 0; j < update->count; j++) {
        double gain = floor((double)(float)((float)(update->gain[j * block->lanes + k] * unit * ldexp(1.0, shift)) + 0.5f));
        sum += (int64_t)fmax(-most, fmin(most, gain)) * (int64_t)rows->whole[j * block->dim + d];
    }
    uint32_t random = 1u << 23, x = update->update * 0x9e3779b9u + (uint32_t)d;
    for (int turn = 0; turn < 3; turn++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    random = update->stochastic ? x >> 8 : random;
    return block->whole[at] + floor(ldexp((double)(sum + (int64_t)(random >> (24 - shift))), -shift));
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
