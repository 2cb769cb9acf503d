/* The random factor P_rp of the factored projection, made as it is used and never stored.
 *
 * Hardware in mind: for each block of 64 rows eight 64-bit xorshift generators (Marsaglia, 2003: shifts 13, 7,
 * 17) run side by side; one step of all gives 64 bytes, one a row. Byte i of the 64 (byte i mod 8 of generator
 * i / 8) belongs to row 64·block + i. It is the row's next entry, as a number of −128 … 127 (uniform8) or as its
 * count of ones minus 4 (bits8), or the row's next eight entries, lowest bit first, +1 and −1 for 1 and 0 (sign). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "models/nysx/executor/parameters.h"

/* Columns that a step makes. */
static inline size_t nysx_generator_columns(enum nysx_generator generator)
{
    return generator == NYSX_SIGN ? 8 : 1;
}

/* The eight generators of a block start at scramble(seed + (8·block + g + 1) · golden), where golden is
 * 0x9e3779b97f4a7c15 and scramble is the finaliser of SplitMix64; a 0 is replaced by golden. */
void nysx_generator_start(uint64_t seed, size_t block, uint64_t state[8]);
