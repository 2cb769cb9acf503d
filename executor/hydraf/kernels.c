#include "executor/hydraf/kernels.h"

#include <math.h>
#include <string.h>

#define REAL float
#define V hydraf_floats
#define NAME(x) float_##x
#include "executor/hydraf/lanes.h"
#undef REAL
#undef V
#undef NAME

#define REAL double
#define V hydraf_doubles
#define NAME(x) double_##x
#include "executor/hydraf/lanes.h"
#undef REAL
#undef V
#undef NAME

#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE __attribute__((target("avx2")))
static bool has_wide(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}
#else
#define WIDE
static bool has_wide(void)
{
    return false;
}
#endif

/* Each kernel once as the compiler's target has it and once for wider vectors: the same bits, since every lane does the
 * same operations and nothing is fused. */
#define BOTH(name, parameters, arguments)                                                                    \
    static void name##_portable parameters                                                                   \
    {                                                                                                        \
        name##_lanes arguments;                                                                              \
    }                                                                                                        \
    WIDE static void name##_wide parameters                                                                  \
    {                                                                                                        \
        name##_lanes arguments;                                                                              \
    }

#define float_products_lanes(block, rows, count, out)                                                        \
    float_dot((block)->real, (block)->lanes, (rows)->real, count, (block)->dim, out)
#define double_products_lanes(block, rows, count, out)                                                       \
    double_dot((block)->whole, (block)->lanes, (rows)->whole, count, (block)->dim, out)
BOTH(float_products,
     (const struct hydraf_block *block, const struct hydraf_rows *rows, size_t count, double *out),
     (block, rows, count, out))
BOTH(double_products,
     (const struct hydraf_block *block, const struct hydraf_rows *rows, size_t count, double *out),
     (block, rows, count, out))

void hydraf_products(const struct hydraf_block *block, const struct hydraf_rows *rows, size_t count, double *out)
{
    if (block->real != NULL && has_wide())
        float_products_wide(block, rows, count, out);
    else if (block->real != NULL)
        float_products_portable(block, rows, count, out);
    else if (has_wide())
        double_products_wide(block, rows, count, out);
    else
        double_products_portable(block, rows, count, out);
}

/* ---- updates ---- */

static inline __attribute__((always_inline)) void float_learn_lanes(struct hydraf_block *block, const float *rows,
                                                                    size_t count)
{
    float sums[HYDRAF_LANES_MOST];
    for (size_t d = 0; d < block->dim; d++) {
        float_gather(block->gain_real, block->lanes, rows, count, block->dim, d, sums);
        float *elements = block->real + d * block->lanes;
        for (size_t first = 0; first < block->lanes; first += HYDRAF_LANES) {
            hydraf_floats *at = (hydraf_floats *)(void *)(elements + first);
            *at += *(const hydraf_floats *)(const void *)(sums + first);
        }
    }
}
BOTH(float_learn, (struct hydraf_block *block, const float *rows, size_t count), (block, rows, count))

/* floor(element + change + r), r = ½ or random in [0, 1). */
static inline double rounded(double element, double change, bool stochastic, uint32_t update, size_t index)
{
    return floor(element + change + (stochastic ? hydraf_dither(update, (uint32_t)index) : 0.5));
}

/* Fills block->next; `largest` gets the size of its largest element. */
static inline __attribute__((always_inline)) void double_change_lanes(struct hydraf_block *block, const double *rows,
                                                                      const struct hydraf_update *update,
                                                                      double *largest)
{
    double sums[HYDRAF_LANES_MOST], most[HYDRAF_LANES] = {0};
    for (size_t d = 0; d < block->dim; d++) {
        double_gather(block->gain_whole, block->lanes, rows, update->count, block->dim, d, sums);
        for (size_t k = 0; k < block->lanes; k++) {
            size_t at = d * block->lanes + k;
            double next = rounded(block->whole[at], sums[k], update->stochastic, update->update, at);
            double size = fabs(next);
            block->next[at] = next;
            most[k % HYDRAF_LANES] = size > most[k % HYDRAF_LANES] ? size : most[k % HYDRAF_LANES];
        }
    }
    *largest = 0.0;
    for (size_t k = 0; k < HYDRAF_LANES; k++)
        *largest = most[k] > *largest ? most[k] : *largest;
}
BOTH(double_change,
     (struct hydraf_block *block, const double *rows, const struct hydraf_update *update, double *largest),
     (block, rows, update, largest))

static void take_next(struct hydraf_block *block)
{
    double *old = block->whole;
    block->whole = block->next;
    block->next = old;
}

static void learn_whole(struct hydraf_block *block, const struct hydraf_rows *rows, const struct hydraf_update *update)
{
    double largest;
    for (;;) {
        double unit = update->row_step / block->step;
        for (size_t i = 0; i < update->count * block->lanes; i++)
            block->gain_whole[i] = update->gain[i] * unit;
        if (has_wide())
            double_change_wide(block, rows->whole, update, &largest);
        else
            double_change_portable(block, rows->whole, update, &largest);
        if (largest <= hydraf_most(block->precision))
            break;
        hydraf_block_halve(block);
    }
    take_next(block);
}

void hydraf_learn(struct hydraf_block *block, const struct hydraf_rows *rows, const struct hydraf_update *update)
{
    if (block->real == NULL) {
        learn_whole(block, rows, update);
        return;
    }
    for (size_t i = 0; i < update->count * block->lanes; i++)
        block->gain_real[i] = (float)update->gain[i];
    if (has_wide())
        float_learn_wide(block, rows->real, update->count);
    else
        float_learn_portable(block, rows->real, update->count);
}

/* ---- the coordinate form ---- */

/* Whether an earlier row of the batch changes the same hypervector: then its turn has been. */
static bool seen(const struct hydraf_coordinates *update, size_t row)
{
    for (size_t j = 0; j < row; j++)
        if (update->index[j] == update->index[row])
            return true;
    return false;
}

/* All rows of the batch that change hypervector index[first], ascending. */
static size_t members(const struct hydraf_coordinates *update, size_t first, size_t *list)
{
    size_t count = 0;
    for (size_t j = first; j < update->count; j++)
        if (update->index[j] == update->index[first])
            list[count++] = j;
    return count;
}

static void coordinates_real(struct hydraf_block *block, const struct hydraf_rows *rows,
                             const struct hydraf_coordinates *update)
{
    size_t list[HYDRAF_ROWS_MOST];
    for (size_t first = 0; first < update->count; first++) {
        if (seen(update, first))
            continue;
        size_t count = members(update, first, list);
        float *element = block->real + update->index[first];
        for (size_t d = 0; d < block->dim; d++) {
            float sum = 0.0f;
            for (size_t m = 0; m < count; m++)
                sum += (float)update->value[list[m]] * rows->real[list[m] * block->dim + d];
            element[d * block->lanes] += sum;
        }
    }
}

/* One hypervector's new elements into block->next; the size of the largest. */
static double coordinate_whole(struct hydraf_block *block, const struct hydraf_rows *rows,
                               const struct hydraf_coordinates *update, const size_t *list, size_t count)
{
    double largest = 0.0, unit = update->row_step / block->step, gain[HYDRAF_ROWS_MOST];
    size_t k = update->index[list[0]];
    for (size_t m = 0; m < count; m++)
        gain[m] = update->value[list[m]] * unit;
    for (size_t d = 0; d < block->dim; d++) {
        double sum = 0.0;
        size_t at = d * block->lanes + k;
        for (size_t m = 0; m < count; m++)
            sum += gain[m] * rows->whole[list[m] * block->dim + d];
        block->next[at] = rounded(block->whole[at], sum, update->stochastic, update->update, at);
        largest = fmax(largest, fabs(block->next[at]));
    }
    return largest;
}

void hydraf_learn_coordinates(struct hydraf_block *block, const struct hydraf_rows *rows,
                              const struct hydraf_coordinates *update)
{
    if (block->real != NULL) {
        coordinates_real(block, rows, update);
        return;
    }
    size_t list[HYDRAF_ROWS_MOST];
    for (;;) {
        double largest = 0.0;
        memcpy(block->next, block->whole, block->dim * block->lanes * sizeof *block->next);
        for (size_t first = 0; first < update->count; first++)
            if (!seen(update, first))
                largest = fmax(largest, coordinate_whole(block, rows, update, list, members(update, first, list)));
        if (largest <= hydraf_most(block->precision))
            break;
        hydraf_block_halve(block);
    }
    take_next(block);
}
