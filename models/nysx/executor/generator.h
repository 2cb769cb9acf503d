/* The random factor P_rp of the factored projection, generated on the fly and never stored.
 *
 * Modelled on hardware: per block of 64 rows, eight 64-bit xorshift generators (Marsaglia, 2003: shifts 13, 7,
 * 17) run in parallel; one step gives 64 bytes, one per row. Byte i (byte i mod 8 of generator
 * i / 8) belongs to row 64·block + i. It is the row's next entry, as a number of −128 … 127 (uniform8) or as its
 * population count minus 4 (bits8), or the row's next eight entries, lowest bit first, +1 and −1 for 1 and 0 (sign). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "models/nysx/executor/parameters.h"

/* Columns per step. */
static inline size_t nysx_generator_columns(enum nysx_generator generator)
{
    return generator == NYSX_SIGN ? 8 : 1;
}

/* Seeds the eight generators of a block: scramble(seed + (8·block + g + 1) · golden), where golden is
 * 0x9e3779b97f4a7c15 and scramble is the SplitMix64 finaliser; a 0 is replaced by golden. */
void nysx_generator_start(uint64_t seed, size_t block, uint64_t state[8]);
