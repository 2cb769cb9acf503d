#include "models/hydraf/executor/elements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

double hydraf_most(enum hydraf_precision precision)
{
    return precision == HYDRAF_INT8 ? 127.0 : precision == HYDRAF_INT16 ? 32767.0 : 0.0;
}

void hydraf_block_alloc(enum hydraf_precision precision, size_t dim, size_t count, struct hydraf_block *out)
{
    size_t group = precision == HYDRAF_FP32 ? HYDRAF_FLOATS : HYDRAF_DOUBLES;
    *out = (struct hydraf_block){.precision = precision, .dim = dim, .count = count, .step = 1.0,
                                 .lanes = (count + group - 1) / group * group};
    if (precision == HYDRAF_FP32) {
        out->real = dse_calloc(dim * out->lanes, sizeof *out->real);
        out->gain_real = dse_calloc(HYDRAF_BATCH_MAX * out->lanes, sizeof *out->gain_real);
        return;
    }
    out->whole = dse_calloc(dim * out->lanes, sizeof *out->whole);
    out->next = dse_calloc(dim * out->lanes, sizeof *out->next);
    out->dither = dse_calloc(dim + HYDRAF_DOUBLES, sizeof *out->dither);
    out->gain_whole = dse_calloc(HYDRAF_BATCH_MAX * out->lanes, sizeof *out->gain_whole);
}

void hydraf_block_free(struct hydraf_block *block)
{
    free(block->real);
    free(block->whole);
    free(block->next);
    free(block->dither);
    free(block->gain_real);
    free(block->gain_whole);
    *block = (struct hydraf_block){0};
}

void hydraf_block_copy(struct hydraf_block *to, const struct hydraf_block *from)
{
    to->step = from->step;
    if (from->real != NULL)
        memcpy(to->real, from->real, from->dim * from->lanes * sizeof *from->real);
    else
        memcpy(to->whole, from->whole, from->dim * from->lanes * sizeof *from->whole);
}

double hydraf_block_get(const struct hydraf_block *block, size_t k, size_t i)
{
    size_t at = i * block->lanes + k;
    return block->real != NULL ? (double)block->real[at] : block->whole[at];
}

void hydraf_block_put(struct hydraf_block *block, size_t k, size_t i, double element)
{
    size_t at = i * block->lanes + k;
    if (block->real != NULL)
        block->real[at] = (float)element;
    else
        block->whole[at] = element;
}

void hydraf_block_halve(struct hydraf_block *block)
{
    for (size_t i = 0; i < block->dim * block->lanes; i++)
        block->whole[i] = nearbyint(block->whole[i] * 0.5);
    block->step *= 2.0;
}

#define SHIFT_MOST 24 /* bits of the rounding's random numbers; finer shares would round to 0 */

bool hydraf_gains(const struct hydraf_block *block, const double *gain, size_t count, double row_step, double *out)
{
    int bits = block->precision == HYDRAF_INT8 ? 8 : 16, unit = ilogb(row_step / block->step), shift = SHIFT_MOST;
    float largest = 0.0f, most = (float)hydraf_most(block->precision);
    for (size_t i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf((float)gain[i]));
    if (largest > 0.0f) {
        int exponent = ilogbf(largest);
        shift = (int)fmin(shift, bits - 2 - (exponent > -126 ? exponent : -126) - unit);
    }
    shift = (int)fmin(shift, 127 - unit); /* keeps the power within single precision */
    if (shift < 0)
        return false;
    float power = ldexpf(1.0f, unit + shift);
    for (size_t i = 0; i < count; i++)
        out[i] = ldexp((double)fmaxf(-most, fminf(most, floorf((float)gain[i] * power + 0.5f))), -shift);
    return true;
}
