#include "models/hydraf/executor/kernels.h"

#include <string.h>

#include "models/hydraf/executor/whole.h"

#define REAL float
#define WIDTH HYDRAF_FLOATS
#define CHAINS 1
#define V hydraf_floats
#define NAME(x) float_##x
#include "models/hydraf/executor/lanes.inc"

#define PRODUCTS_AT_ONCE 64

static inline __attribute__((always_inline)) void float_products_lanes(const struct hydraf_block *block, const float *const *rows, size_t count, double *out)
{
    float_dot(block->real, block->lanes, rows, count, block->dim, out);
}
HYDRAF_BOTH(float_products, (const struct hydraf_block *block, const float *const *rows, size_t count, double *out), (block, rows, count, out))

void hydraf_products(const struct hydraf_block *block, const struct hydraf_rows *rows, size_t count, double *out)
{
    for (size_t first = 0; first < count; first += PRODUCTS_AT_ONCE) {
        size_t some = count - first < PRODUCTS_AT_ONCE ? count - first : PRODUCTS_AT_ONCE;
        const float *real[PRODUCTS_AT_ONCE];
        const double *whole[PRODUCTS_AT_ONCE];
        for (size_t j = 0; j < some; j++)
            if (block->real != NULL)
                real[j] = rows->real + hydraf_row_at(rows, first + j);
            else
                whole[j] = rows->whole + hydraf_row_at(rows, first + j);
        if (block->real != NULL)
            float_products(block, real, some, out + first * block->lanes);
        else
            hydraf_whole_products(block, whole, some, out + first * block->lanes);
    }
}

static inline __attribute__((always_inline)) void float_change_lanes(float *real, size_t lanes, size_t dim, const struct float_part *part)
{
    for (size_t d = 0; d < dim; d++) {
        hydraf_floats sum;
        float_gather(part, d, 1, &sum);
        *(hydraf_floats *)(void *)(real + d * lanes) += sum;
    }
}
HYDRAF_BOTH(float_change, (float *real, size_t lanes, size_t dim, const struct float_part *part), (real, lanes, dim, part))

static void learn_real(struct hydraf_block *block, const struct hydraf_rows *rows, const struct hydraf_update *update)
{
    const size_t lanes = block->lanes;
    struct float_part part;
    if (update->index != NULL)
        memset(block->gain_real, 0, update->count * lanes * sizeof *block->gain_real);
    for (size_t j = 0; j < update->count && update->index != NULL; j++)
        block->gain_real[j * lanes + update->index[j]] = (float)update->gain[j];
    for (size_t i = 0; i < update->count * lanes && update->index == NULL; i++)
        block->gain_real[i] = (float)update->gain[i];
    for (size_t first = 0; first < lanes; first += HYDRAF_FLOATS) {
        float_part_of(rows->real, block->gain_real, lanes, rows, update, first, &part);
        if (part.count > 0)
            float_change(block->real + first, lanes, block->dim, &part);
    }
}

void hydraf_learn(struct hydraf_block *block, const struct hydraf_rows *rows, const struct hydraf_update *update)
{
    if (block->real != NULL)
        learn_real(block, rows, update);
    else
        hydraf_whole_learn(block, rows, update);
}
