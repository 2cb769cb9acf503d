/* The random factor P_rp of the factored projection, made as it is used and never stored.
 *
 * Hardware in mind: for each block of 64 rows eight 64-bit xorshift generators (Marsaglia, 2003: shifts 13, 7,
 * 17) run side by side; one step of all gives 64 bytes, one a row. Byte i of the 64 (byte i mod 8 of generator
 * i / 8) belongs to row 64·block + i. It is the row's next entry, as a number of −128 … 127 (uniform8) or as its
 * count of ones minus 4 (bits8), or the row's next eight entries, lowest bit first, +1 and −1 for 1 and 0 (sign). */
#ifndef DSE_EXECUTOR_NYSX_GENERATOR_H
#define DSE_EXECUTOR_NYSX_GENERATOR_H

#include <stddef.h>
#include <stdint.h>

#include "models/nysx/executor/parameters.h"
#include "models/nysx/executor/vectors.h"

/* Columns that a step makes. */
static inline size_t nysx_generator_columns(enum nysx_generator generator)
{
    return generator == NYSX_SIGN ? 8 : 1;
}

/* The eight generators of a block start at scramble(seed + (8·block + g + 1) · golden), where golden is
 * 0x9e3779b97f4a7c15 and scramble is the finaliser of SplitMix64; a 0 is replaced by golden. */
void nysx_generator_start(uint64_t seed, size_t block, uint64_t state[8]);

/* Entries of one block in the int8 layout of precision.h: ⌈columns / 4⌉ groups of 256 bytes, columns past the
 * last 0; and the sums of its rows. */
void nysx_generate_block(enum nysx_vectors vectors, enum nysx_generator generator, uint64_t seed, size_t block,
                         size_t columns, unsigned char *packed, int32_t *row_sum);

/* The random bytes of `steps` steps of NYSX_SIGN_BLOCKS blocks from `block` on: of a step block after block, 64 bytes
 * each. With signs a step is eight columns. */
void nysx_generate_signs(enum nysx_vectors vectors, uint64_t seed, size_t block, size_t steps, unsigned char *random);

#endif
