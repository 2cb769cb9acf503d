/* Compiled with fused operations. */
#include "models/hydraf/executor/whole.h"

#include <math.h>
#include <string.h>

#define REAL double
#define WIDTH HYDRAF_DOUBLES
#define CHAINS 4
#define V hydraf_doubles
#define NAME(x) double_##x
#include "models/hydraf/executor/lanes.inc"

static inline __attribute__((always_inline)) void products_lanes(const struct hydraf_block *block, const double *const *rows, size_t count, double *out)
{
    double_dot(block->whole, block->lanes, rows, count, block->dim, out);
}
HYDRAF_BOTH(products, (const struct hydraf_block *block, const double *const *rows, size_t count, double *out), (block, rows, count, out))

void hydraf_whole_products(const struct hydraf_block *block, const double *const *rows, size_t count, double *out)
{
    products(block, rows, count, out);
}

/* ---- updates ---- */

typedef int32_t hydraf_wholes __attribute__((vector_size(HYDRAF_DOUBLES * sizeof(int32_t))));
typedef int64_t hydraf_masks __attribute__((vector_size(HYDRAF_DOUBLES * sizeof(int64_t))));

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
HYDRAF_BOTH(dither, (struct hydraf_block *block, bool stochastic, uint32_t update), (block, stochastic, update))

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

/* Fills lanes `first` to first + HYDRAF_DOUBLES of block->next; `largest` gets their largest magnitude, if that is more. */
static inline __attribute__((always_inline)) void change_lanes(struct hydraf_block *block, const struct double_part *part, size_t first, double *largest)
{
    const size_t dim = block->dim, lanes = block->lanes;
    hydraf_doubles most = {0}, sum[HYDRAF_DOUBLES];
    for (size_t d = 0; d < dim; d += HYDRAF_DOUBLES) {
        const size_t dims = dim - d < HYDRAF_DOUBLES ? dim - d : HYDRAF_DOUBLES;
        if (dims == HYDRAF_DOUBLES)
            double_gather(part, d, HYDRAF_DOUBLES, sum);
        else
            double_gather(part, d, dims, sum);
        for (size_t i = 0; i < dims; i++) {
            size_t at = (d + i) * lanes + first;
            hydraf_doubles next = floor_lanes(double_at(block->whole + at) + sum[i] + block->dither[d + i]);
            *(hydraf_doubles *)(void *)(block->next + at) = next;
            most = larger_lanes(most, next);
        }
    }
    *largest = fmax(largest_lane(most), *largest);
}
HYDRAF_BOTH(change, (struct hydraf_block *block, const struct double_part *part, size_t first, double *largest), (block, part, first, largest))

/* Writes the gains [count × lanes] of an update; false if they leave every range. The gains of a coordinate list have one lane each. */
static bool take_gains(struct hydraf_block *block, const struct hydraf_update *update)
{
    double one[HYDRAF_BATCH_MAX];
    if (update->index == NULL)
        return hydraf_gains(block, update->gain, update->count * block->lanes, update->row_step, block->gain_whole);
    if (!hydraf_gains(block, update->gain, update->count, update->row_step, one))
        return false;
    memset(block->gain_whole, 0, update->count * block->lanes * sizeof *block->gain_whole);
    for (size_t j = 0; j < update->count; j++)
        block->gain_whole[j * block->lanes + update->index[j]] = one[j];
    return true;
}

/* Writes the updated elements to block->next; false if one leaves its range. */
static bool fits(struct hydraf_block *block, const struct hydraf_rows *rows, const struct hydraf_update *update)
{
    struct double_part part;
    double largest = 0.0;
    if (!take_gains(block, update))
        return false;
    dither(block, update->stochastic, update->update);
    for (size_t first = 0; first < block->lanes; first += HYDRAF_DOUBLES) {
        double_part_of(rows->whole, block->gain_whole, block->lanes, rows, update, first, &part);
        change(block, &part, first, &largest);
    }
    return largest <= hydraf_most(block->precision);
}

void hydraf_whole_learn(struct hydraf_block *block, const struct hydraf_rows *rows, const struct hydraf_update *update)
{
    while (!fits(block, rows, update))
        hydraf_block_halve(block);
    double *old = block->whole;
    block->whole = block->next;
    block->next = old;
}
