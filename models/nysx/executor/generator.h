/* The random factor P_rp of the factored projection, generated on the fly and never stored.
 *
 * Modelled on hardware: each block of 64 rows has eight parallel 64-bit xorshift generators (Marsaglia, 2003: shifts 13, 7,
 * 17). One step gives 64 bytes, one per row. Byte i (byte i mod 8 of generator i / 8) belongs to row 64·block + i.
 * - uniform8: the byte is the row's next entry, −128 … 127.
 * - bits8: its population count minus 4 is the row's next entry.
 * - sign: its bits are the row's next eight entries, lowest bit first, +1 for 1 and −1 for 0. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "models/nysx/executor/parameters.h"

/* Columns per step. */
static inline size_t nysx_generator_columns(enum nysx_generator generator)
{
    return generator == NYSX_SIGN ? 8 : 1;
}

/* Seeds generator g of a block's eight with scramble(seed + (8·block + g + 1) · golden). golden is
 * 0x9e3779b97f4a7c15; scramble is the SplitMix64 finaliser. golden replaces a seed of 0. */
void nysx_generator_start(uint64_t seed, size_t block, uint64_t state[8]);
