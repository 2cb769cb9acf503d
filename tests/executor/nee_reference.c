/* The projection element by element, for tests: a direct implementation of nee.h. */
#include "tests/executor/nee_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/nysx/executor/generator.h"

float nysx_from_bf16(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float nysx_from_fp16(uint16_t half)
{
    uint32_t bits = (uint32_t)(half & 0x7fff) << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    value *= 0x1p112f;
    return half & 0x8000 ? -value : value;
}

static float real_element(enum nysx_precision precision, const void *elements, size_t j)
{
    if (precision == NYSX_FP16)
        return nysx_from_fp16(((const uint16_t *)elements)[j]);
    if (precision == NYSX_BF16)
        return nysx_from_bf16(((const uint16_t *)elements)[j]);
    return ((const float *)elements)[j];
}

static int whole_element(enum nysx_precision precision, const void *elements, size_t j)
{
    return precision == NYSX_INT16 ? ((const int16_t *)elements)[j] : ((const int8_t *)elements)[j];
}

static float real_row(enum nysx_precision precision, const void *row, const int32_t *x, size_t columns)
{
    float sum = 0.0f;
    for (size_t j = 0; j < columns; j++)
        sum += real_element(precision, row, j) * (float)x[j];
    return sum;
}

static bool direct_sign(enum nysx_precision precision, const void *row, const int32_t *x, size_t columns)
{
    if (nysx_format(precision)->most == 0)
        return real_row(precision, row, x, columns) >= 0.0f;
    int64_t sum = 0;
    for (size_t j = 0; j < columns; j++)
        sum += (int64_t)whole_element(precision, row, j) * x[j];
    return sum >= 0;
}

/* Entry (row, column) of P_rp, by running the row's generator from its start. */
static int entry(const struct nysx_nee *nee, size_t row, size_t column)
{
    uint64_t state[8];
    nysx_generator_start(nee->generator_seed, row / 64, state);
    uint64_t x = state[row % 64 / 8];
    for (size_t step = 0; step <= column / nysx_generator_columns(nee->generator); step++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    unsigned byte = (unsigned)(x >> (row % 8 * 8)) & 0xff;
    if (nee->generator == NYSX_BITS8)
        return __builtin_popcount(byte) - 4;
    if (nee->generator == NYSX_SIGN)
        return byte >> column % 8 & 1 ? 1 : -1;
    return byte < 128 ? (int)byte : (int)byte - 256;
}

static bool factored_sign(const struct nysx_nee *nee, size_t row, const float *phi)
{
    double most = ldexp(1.0, nee->phi_bits - 1) - 1.0;
    int64_t whole = 0;
    float real = 0.0f;
    for (size_t j = 0; j < nee->projection.dim; j++) {
        double element = rint((double)(phi[j] / nee->phi_scale));
        int p = entry(nee, row, j);
        if (nee->phi_bits == NYSX_PHI_FP32)
            real += (float)p * phi[j];
        else
            whole += p * (int64_t)fmin(fmax(element, -most), most);
    }
    return nee->phi_bits == NYSX_PHI_FP32 ? real >= 0.0f : whole >= 0;
}

enum dse_status nysx_nee_encode_reference(const struct nysx_nee *nee, const int32_t *kernel,
                                          uint64_t *hypervector, struct dse_error *err)
{
    (void)err;
    const struct nysx_projection *p = &nee->projection;
    void *row = dse_malloc(p->columns * sizeof(float));
    int32_t *x = dse_malloc(p->columns * sizeof *x);
    float *phi = dse_malloc(p->dim * sizeof *phi);
    enum dse_status status = DSE_OK;
    for (size_t j = 0; status == DSE_OK && j < p->columns; j++)
        x[j] = kernel[j] - (nee->center != NULL ? nee->center[j] : 0);
    if (status == DSE_OK)
        memset(hypervector, 0, nee->words * sizeof *hypervector);
    for (size_t i = 0; status == DSE_OK && i < p->dim; i++) {
        nysx_projection_get(p, i, row);
        if (nee->form == NYSX_FACTORED)
            phi[i] = real_row(NYSX_FP32, row, x, p->columns);
        else
            hypervector[i / 64] |= (uint64_t)direct_sign(p->precision, row, x, p->columns) << (i % 64);
    }
    for (size_t i = 0; status == DSE_OK && nee->form == NYSX_FACTORED && i < nee->dim; i++)
        hypervector[i / 64] |= (uint64_t)factored_sign(nee, i, phi) << (i % 64);
    free(row);
    free(x);
    free(phi);
    return status;
}
