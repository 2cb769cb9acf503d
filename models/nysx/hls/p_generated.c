/* SPDX-License-Identifier: MIT */ /* P_rp of the factored form, generated on the fly by 64-bit xorshift generators (Marsaglia, 2003: shifts 13, 7, 17), each
 * for eight rows. One step yields one byte per row: the next column's entry, or the signs of the next eight columns. Generator g
 * serves rows 8 g … 8 g + 7; its seed is the SplitMix64 finaliser of the seed and g. The next group's
 * states are computed while the current group is multiplied, so they take no extra time. */
#include "nysx.h"
#include "nysx_model.h"

#if NYSX_NEE_FORM != NYSX_NEE_FORM_FACTORED
#error "p_generated.c is for nee.form=factored"
#endif

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

static uint64_t start_of(uint64_t generator)
{
    uint64_t z = nysx_generator_seed[0] + (generator + 1) * GOLDEN;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return z != 0 ? z : GOLDEN;
}

static uint64_t step_of(uint64_t x)
{
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ (x << 17);
}

#define STEP_COLUMNS (NYSX_NEE_GENERATOR == NYSX_NEE_GENERATOR_SIGN ? 8 : 1)

/* Entry of a column of P_rp from the step's random byte. */
static nysx_term_t entry_of(uint32_t byte, int32_t column)
{
#if NYSX_NEE_GENERATOR == NYSX_NEE_GENERATOR_SIGN
    return byte >> column % 8 & 1 ? 1 : -1;
#elif NYSX_NEE_GENERATOR == NYSX_NEE_GENERATOR_BITS8
    (void)column;
    int32_t ones = 0;
    for (int32_t b = 0; b < 8; b++)
        ones += (int32_t)(byte >> b & 1);
    return (nysx_term_t)(ones - 4);
#else /* −128 … 127 */
    (void)column;
    return (nysx_term_t)((int32_t)(byte ^ 128) - 128);
#endif
}

void nysx_p_open(struct nysx_p_source *source)
{
NYSX_LABEL(nee_generators)
    for (int32_t k = 0; k < NYSX_NEE_GENERATORS; k++) {
        NYSX_PIPELINE_NEE_GENERATORS
        source->state[0][k] = start_of((uint64_t)k);
    }
}

void nysx_p_take(struct nysx_p_source *source, int32_t group, int32_t column, int32_t trip,
                 nysx_term_t elements[NYSX_NEE_LANES])
{
    int32_t now = group % 2, step = column * NYSX_NEE_INTERLEAVE + trip;
NYSX_LABEL(nee_starts)
    for (int32_t i = 0; i < NYSX_NEE_STARTS; i++) {
        int32_t k = step * NYSX_NEE_STARTS + i;
        if (k < NYSX_NEE_GENERATORS)
            source->state[1 - now][k] = start_of((uint64_t)((group + 1) * NYSX_NEE_GROUP_ROWS / 8 + k));
    }
NYSX_LABEL(nee_generator_steps)
    for (int32_t k = 0; k < NYSX_NEE_GENERATORS; k++)
        if (trip == 0 && column % STEP_COLUMNS == 0)
            source->state[now][k] = step_of(source->state[now][k]);
NYSX_LABEL(nee_elements)
    for (int32_t l = 0; l < NYSX_NEE_LANES; l++) {
        int32_t row = group * NYSX_NEE_GROUP_ROWS % 8 + trip * NYSX_NEE_LANES + l;
        elements[l] = entry_of((uint32_t)(source->state[now][row / 8] >> (row % 8 * 8)) & 255, column);
    }
    NYSX_TALLY(entries, NYSX_NEE_LANES);
}
