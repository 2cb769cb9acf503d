/* Products of generated signs (generator.h) with whole φ, the signs never unfolded.
 *
 * For a few columns the sum of ±φ has few values: a table of them, which the random bits look up, a register of rows at
 * once, as LUTs of an FPGA would. Sums are kept modulo 2^15, low 7 bits and the rest apart, so that they must lie within
 * ±NYSX_SIGN_SUM_MOST; the callers see to that by Σ |φ|. */
#ifndef DSE_EXECUTOR_NYSX_NEE_SIGNS_H
#define DSE_EXECUTOR_NYSX_NEE_SIGNS_H

#include <stddef.h>
#include <stdint.h>

#include "models/nysx/executor/vectors.h"

#define NYSX_SIGN_BLOCKS 4 /* of 64 rows, taken together: the tables are loaded once for them */
#define NYSX_SIGN_STEPS 3  /* steps of 8 columns go in threes; columns past the last count as φ = 0 */
#define NYSX_SIGN_TABLE_BYTES 512 /* of three steps, at most */
#define NYSX_SIGN_SUM_MOST 16383

static inline size_t nysx_sign_steps(size_t columns)
{
    size_t unit = 8 * NYSX_SIGN_STEPS;
    return (columns / unit + (columns % unit > 0)) * NYSX_SIGN_STEPS;
}

/* The tables of `columns` elements, at most 127 in size, as the kernel of `vectors` takes them:
 * nysx_sign_steps(columns) / NYSX_SIGN_STEPS × NYSX_SIGN_TABLE_BYTES. */
void nysx_sign_tables(enum nysx_vectors vectors, const int32_t *phi, size_t columns, unsigned char *tables);

/* Bit i of words[b] is set where row i of block b of `random` has Σ ± φ ≥ 0. `random`: nysx_sign_steps(columns) ×
 * NYSX_SIGN_BLOCKS × 64 bytes, as nysx_generate_signs makes them; the tables of the same `vectors`. */
void nysx_sign_words(enum nysx_vectors vectors, const unsigned char *random, size_t columns, const unsigned char *tables,
                     uint64_t words[NYSX_SIGN_BLOCKS]);

#endif
