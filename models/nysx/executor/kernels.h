/* Inner loops of NysX: one C text (kernels.inc), compiled per instruction set. Every version gives the same bits: integer
 * sums are exact, and real sums run in the design's order (nee.h, sce.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/nysx/executor/precision.h"

#define NYSX_DIGITS 5 /* digits of 8 bits: enough for int32 */

/* A vector prepared for the NEE. Integer formats use signed digits of 8 bits, lowest first: int8_t, or int16_t for an int16
 * projection. */
struct nysx_input {
    size_t columns, padded; /* padded: to a multiple of 8, with zeros */
    float *real;            /* [padded] */
    int32_t *whole;         /* [padded] */
    unsigned char *digit;   /* [NYSX_DIGITS × padded] of the digit type */
    int digits;             /* number used: that of the largest element */
    int64_t sum, magnitude; /* Σ whole, Σ |whole| */
};

/* A code and its number of nodes; a code may occur several times in a list. */
struct nysx_counted {
    uint32_t code;
    int32_t count;
};

#define NYSX_ROWS_AT_ONCE 32
#define NYSX_ROW_PADDING 64 /* readable elements past the end of a dense row */

/* Rows of counts to be added with a factor each. */
struct nysx_whole_rows {
    size_t count;
    const int32_t *row[NYSX_ROWS_AT_ONCE];
    int32_t factor[NYSX_ROWS_AT_ONCE];
};

/* Products of generated signs with integer φ, without expanding the signs. For a few columns the sum of ±φ has few values. A table of
 * these, indexed by the random bits, gives a register of rows at once, like LUTs of an FPGA. Sums are modulo 2^15, so
 * they must lie within ±NYSX_SIGN_SUM_MOST; the callers ensure this by Σ |φ|. */
#define NYSX_SIGN_BLOCKS 4        /* blocks of 64 rows, processed together so that they share loads of the tables */
#define NYSX_SIGN_STEPS 3         /* steps of 8 columns are processed in threes; columns past the last count as φ = 0 */
#define NYSX_SIGN_TABLE_BYTES 512 /* largest size of three steps */
#define NYSX_SIGN_SUM_MOST 16383

static inline size_t nysx_sign_steps(size_t columns)
{
    size_t unit = 8 * NYSX_SIGN_STEPS;
    return (columns / unit + (columns % unit > 0)) * NYSX_SIGN_STEPS;
}

#define NYSX_DIFFERING_ROWS 8

/* `packed` is a block of 64 rows in the layout of precision.h; bit i of a result is 1 if row i's sum is at least 0. */
struct nysx_kernels {
    /* NEE. Real formats: columns in ascending order per row; product and addition are each rounded to fp32. */
    void (*real_sums)(enum nysx_precision precision, const unsigned char *packed, size_t columns, const float *input, float *sums);
    void (*real_signs)(enum nysx_precision precision, const unsigned char *packed, size_t columns, const float *const *input, size_t count,
                       uint64_t *signs); /* [count] words, one per input */
    /* int8 elements times a real vector. */
    uint64_t (*mixed_signs)(const unsigned char *packed, size_t columns, const float *input);
    /* Integer formats, exact. */
    uint64_t (*whole_signs)(enum nysx_precision precision, const unsigned char *packed, size_t groups, const struct nysx_input *input);
    /* sign_tables: tables of sums of φ of magnitude at most 127, [nysx_sign_steps / NYSX_SIGN_STEPS × NYSX_SIGN_TABLE_BYTES], in a
     * kernel-specific format. sign_words: the signs of NYSX_SIGN_BLOCKS blocks, with `random` from generate_signs. */
    void (*sign_tables)(const int32_t *phi, size_t columns, unsigned char *tables);
    void (*sign_words)(const unsigned char *random, size_t columns, const unsigned char *tables, uint64_t words[NYSX_SIGN_BLOCKS]);
    /* P_rp (generator.h). generate_block: entries of one block in the int8 layout, zeros past the last column. generate_signs: random bytes
     * of `steps` steps of NYSX_SIGN_BLOCKS blocks, 64 bytes each, per step block after block. */
    void (*generate_block)(enum nysx_generator generator, uint64_t seed, size_t block, size_t columns, unsigned char *packed);
    void (*generate_signs)(uint64_t seed, size_t block, size_t steps, unsigned char *random);

    /* Direct form (direct.h): 2^bits rows of 32 sums, one per bit of a word, aligned to 64 bytes. The narrow kernels use
     * 16-bit sums and require a total count below 2^15 − 1.
     * scatter: for each of the 32 bits, adds each code's count, signed by x, to column j of the row selected by y. Bit b of the row's
     * key is bit (j − b) mod 32 of y.
     * transform: rows[w] = Σ over keys of (−1)^(ones of w & key) rows[key], in place, O(bits × 2^bits × 32).
     * compare: bit e is sums[e] ≥ threshold[e]. */
    void (*scatter)(unsigned bits, const struct nysx_counted *item, size_t count, int16_t *rows);
    void (*scatter_wide)(unsigned bits, const struct nysx_counted *item, size_t count, int32_t *rows);
    void (*transform)(unsigned bits, int16_t *rows);
    void (*transform_wide)(unsigned bits, int32_t *rows);
    void (*compare)(const int16_t *sums, const int16_t *threshold, size_t words, uint64_t *hypervector);

    /* LSHU: codes[v] = ⌊(x[v] + b) / width⌋, saturated (lsh.h). KSE: out += Σ factor × row. */
    void (*floors)(const float *x, size_t n, float b, float width, int64_t *codes);
    void (*add_rows)(const struct nysx_whole_rows *rows, size_t columns, int32_t *out);

    /* SCE: ones of a ^ b, of a & b; Σ h_i g_i of 64 × words real elements in 64 lanes; g += factor × h. */
    int64_t (*differing)(const uint64_t *a, const uint64_t *b, size_t words);
    /* differ[r × columns + c]: `differing` of row r and column c; at most NYSX_DIFFERING_ROWS rows, which share the loads of a column. */
    void (*differing_rows)(const uint64_t *row, size_t rows, const uint64_t *column, size_t columns, size_t words, int32_t *differ);
    int64_t (*shared)(const uint64_t *a, const uint64_t *b, size_t words);
    double (*dot_real)(const float *real, size_t words, const uint64_t *hypervector);
    void (*add_scaled)(float *real, size_t words, const uint64_t *hypervector, float factor);
};

enum nysx_vectors {
    NYSX_PORTABLE, /* plain C, for the compiler's target */
    NYSX_AVX2,
    NYSX_AVX512, /* with VNNI, VBMI and VPOPCNTDQ: Ice Lake, Zen 4 and later */
    NYSX_VECTORS
};

/* The active kernels: initially the best for the processor. */
extern const struct nysx_kernels *nysx_kernels;

/* Selects another instruction set if the processor supports it; for tests, before threads start. */
bool nysx_kernels_use(enum nysx_vectors vectors);

extern const struct nysx_kernels nysx_kernels_portable, nysx_kernels_avx2, nysx_kernels_avx512;
