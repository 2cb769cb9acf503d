#include "models/hydraf/executor/kernels.h"

#include <math.h>

#include "core/cpu.h"

#define REAL float
#define WIDTH HYDRAF_FLOATS
#define V hydraf_floats
#define NAME(x) float_##x
#include "models/hydraf/executor/lanes.inc"
#undef REAL
#undef WIDTH
#undef V
#undef NAME

#define REAL double
#define WIDTH HYDRAF_DOUBLES
#define V hydraf_doubles
#define NAME(x) double_##x
#include "models/hydraf/executor/lanes.inc"
#undef REAL
#undef WIDTH
#undef V
#undef NAME

#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE __attribute__((target("avx2")))
static bool has_wide(void)
{
    return dse_cpu_supports("avx2") != 0;
}
#else
#define WIDE
static bool has_wide(void)
{
    return false;
}
#endif

/* Defines a kernel for the compiler's base target, for wider vectors, and the function that chooses. Both give the same bits, because every lane
 * does the same operations and none is fused. */
#define BOTH(name, parameters, arguments)                                                                    \
    static void name##_portable parameters                                                                   \
    {                                                                                                        \
        name##_lanes arguments;                                                                              \
    }                                                                                                        \
    WIDE static void name##_wide parameters                                                                  \
    {                                                                                                        \
        name##_lanes arguments;                                                                              \
    }                                                                                                        \
    static void name parameters                                                                              \
    {                                                                                                        \
        if (has_wide())                                                                                      \
            name##_wide arguments;                                                                           \
        else                                                                                                 \
            name##_portable arguments;                                                                       \
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
    if (block->real != NULL)
        float_products(block, rows, count, out);
    else
        double_products(block, rows, count, out);
}

/* ---- updates ---- */

static inline __attribute__((always_inline)) void float_learn_lanes(struct hydraf_block *block, const float *rows,
                                                                    size_t count)
{
    for (size_t d = 0; d < block->dim; d++)
        for (size_t first = 0; first < block->lanes; first += HYDRAF_FLOATS) {
            hydraf_floats sum;
            float_gather(block->gain_real + first, block->lanes, rows + d, count, block->dim, 1, &sum);
            *(hydraf_floats *)(void *)(block->real + d * block->lanes + first) += sum;
        }
}
BOTH(float_learn, (struct hydraf_block *block, const float *rows, size_t count), (block, rows, count))

typedef int32_t hydraf_wholes __attribute__((vector_size(HYDRAF_DOUBLES * sizeof(int32_t))));
typedef int64_t hydraf_masks __attribute__((vector_size(HYDRAF_DOUBLES * sizeof(int64_t))));

#define BEYOND 1e9 /* far above any element: the update is then repeated with halved elements */

/* `one` in lanes whose mask is set, otherwise `other`. */
static inline __attribute__((always_inline)) hydraf_doubles pick(hydraf_masks mask, hydraf_doubles one,
                                                                 hydraf_doubles other)
{
    return (hydraf_doubles)((mask & (hydraf_masks)one) | (~mask & (hydraf_masks)other));
}

typedef uint32_t hydraf_bits __attribute__((vector_size(HYDRAF_DOUBLES * sizeof(uint32_t))));

/* Fills block->dither for one update: ½, or hydraf_dither. Updated elements are floor(element + change + dither). */
static inline __attribute__((always_inline)) void dither_lanes(struct hydraf_block *block, bool stochastic, uint32_t update)
{
    for (size_t d = 0; d < block->dim; d += HYDRAF_DOUBLES) {
        hydraf_bits x = update * 0x9e3779b9u + (uint32_t)d + (hydraf_bits){0, 1, 2, 3};
        for (int turn = 0; turn < 3; turn++) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
        }
        hydraf_doubles drawn = __builtin_convertvector((hydraf_wholes)(x >> 8), hydraf_doubles) * 0x1p-24;
        *(hydraf_doubles *)(void *)(block->dither + d) = stochastic ? drawn : (hydraf_doubles){0} + 0.5;
    }
}
BOTH(dither, (struct hydraf_block *block, bool stochastic, uint32_t update), (block, stochastic, update))

/* floor for less than 2^51; larger values stay above BEYOND. Adding 1.5 · 2^52 leaves no bits for a fraction. */
static inline __attribute__((always_inline)) hydraf_doubles floor_lanes(hydraf_doubles x)
{
    const hydraf_doubles one = (hydraf_doubles){0} + 1.0;
    hydraf_doubles cut = x + 0x1.8p52 - 0x1.8p52;
    return cut - (hydraf_doubles)((hydraf_masks)(cut > x) & (hydraf_masks)one);
}

/* The larger of `most` and the size of `x`, lane by lane. */
static inline __attribute__((always_inline)) hydraf_doubles larger_lanes(hydraf_doubles most, hydraf_doubles x)
{
    hydraf_doubles size = (hydraf_doubles)((hydraf_masks)x & INT64_MAX);
    return pick((hydraf_masks)(size > most), size, most);
}

static inline double largest_lane(hydraf_doubles most)
{
    return fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

/* Fills block->next; `largest` gets its largest magnitude. */
static inline __attribute__((always_inline)) void double_change_lanes(struct hydraf_block *block, const double *rows,
                                                                      const struct hydraf_update *update,
                                                                      double *largest)
{
    const size_t dim = block->dim, lanes = block->lanes;
    hydraf_doubles most = {0}, sum[HYDRAF_DOUBLES];
    for (size_t d = 0; d < dim; d += HYDRAF_DOUBLES) {
        const size_t dims = dim - d < HYDRAF_DOUBLES ? dim - d : HYDRAF_DOUBLES;
        for (size_t first = 0; first < lanes; first += HYDRAF_DOUBLES) {
            if (dims == HYDRAF_DOUBLES)
                double_gather(block->gain_whole + first, lanes, rows + d, update->count, dim, HYDRAF_DOUBLES, sum);
            else
                double_gather(block->gain_whole + first, lanes, rows + d, update->count, dim, dims, sum);
            for (size_t i = 0; i < dims; i++) {
                size_t at = (d + i) * lanes + first;
                hydraf_doubles next = floor_lanes(*(const hydraf_doubles *)(const void *)(block->whole + at) + sum[i] + block->dither[d + i]);
                *(hydraf_doubles *)(void *)(block->next + at) = next;
                most = larger_lanes(most, next);
            }
        }
    }
    *largest = largest_lane(most);
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
    for (;; hydraf_block_halve(block)) {
        if (!hydraf_gains(block, update->gain, update->count * block->lanes, update->row_step, block->gain_whole))
            continue;
        dither(block, update->stochastic, update->update);
        double_change(block, rows->whole, update, &largest);
        if (largest <= hydraf_most(block->precision))
            break;
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
    float_learn(block, rows->real, update->count);
}

/* ---- the coordinate form ---- */

/* Whether an earlier row of the batch changes the same hypervector, which is then already updated. */
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
    size_t list[HYDRAF_BATCH_MAX];
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

/* Writes new elements [dim] of the hypervector that the rows in `list` change to `next`; `largest` gets their largest magnitude. */
static inline __attribute__((always_inline)) void coordinate_lanes(const struct hydraf_block *block, const double *rows,
                                                                   const struct hydraf_coordinates *update,
                                                                   const size_t *list, size_t count, double *next,
                                                                   double *largest)
{
    const double *gain = block->gain_whole;
    hydraf_doubles most = {0};
    size_t k = update->index[list[0]], dim = block->dim, d = 0;
    for (; d + HYDRAF_DOUBLES <= dim; d += HYDRAF_DOUBLES) {
        hydraf_doubles sum = {0}, element;
        for (size_t m = 0; m < count; m++)
            sum += gain[list[m]] * *(const hydraf_doubles *)(const void *)(rows + list[m] * dim + d);
        for (size_t i = 0; i < HYDRAF_DOUBLES; i++)
            element[i] = block->whole[(d + i) * block->lanes + k];
        hydraf_doubles changed = floor_lanes(element + sum + *(const hydraf_doubles *)(const void *)(block->dither + d));
        *(hydraf_doubles *)(void *)(next + d) = changed;
        most = larger_lanes(most, changed);
    }
    for (; d < dim; d++) {
        double sum = 0.0;
        for (size_t m = 0; m < count; m++)
            sum += gain[list[m]] * rows[list[m] * dim + d];
        next[d] = floor(block->whole[d * block->lanes + k] + sum + block->dither[d]);
        *largest = fmax(fabs(next[d]), *largest);
    }
    *largest = fmax(largest_lane(most), *largest);
}
BOTH(coordinate,
     (const struct hydraf_block *block, const double *rows, const struct hydraf_coordinates *update,
      const size_t *list, size_t count, double *next, double *largest),
     (block, rows, update, list, count, next, largest))

/* Writes new elements of every hypervector that the batch changes to block->next, one hypervector after another. Returns their largest magnitude,
 * or BEYOND if the gains leave every range. */
static double coordinates_whole(struct hydraf_block *block, const struct hydraf_rows *rows,
                                const struct hydraf_coordinates *update)
{
    double largest = 0.0, *next = block->next;
    size_t list[HYDRAF_BATCH_MAX];
    if (!hydraf_gains(block, update->value, update->count, update->row_step, block->gain_whole))
        return BEYOND;
    dither(block, update->stochastic, update->update);
    for (size_t first = 0; first < update->count; first++) {
        if (seen(update, first))
            continue;
        size_t count = members(update, first, list);
        coordinate(block, rows->whole, update, list, count, next, &largest);
        next += block->dim;
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
    while (coordinates_whole(block, rows, update) > hydraf_most(block->precision))
        hydraf_block_halve(block);
    const double *next = block->next;
    for (size_t first = 0; first < update->count; first++) {
        if (seen(update, first))
            continue;
        for (size_t d = 0; d < block->dim; d++)
            block->whole[d * block->lanes + update->index[first]] = *next++;
    }
}
