/* Element formats of P_nys, and their memory layout.
 *
 * A block has 64 rows, in groups of `group` columns. In a group, each row's `group` elements are contiguous.
 * int4 has eight columns in four bytes per row, the first four in the low halves, stored as element + 8. binary has one 64-bit
 * word per column, bit i for row i. A group has 256 bytes, except in fp16 and bf16 (128) and in binary (8). Elements past
 * dim or the last column are 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/nysx/knobs.h"

#define NYSX_LANES 64

struct nysx_format {
    const char *npy_type;  /* element type in the model file: int4 and binary as int8, bf16 as uint16 */
    size_t npy_bytes;
    size_t group;          /* columns */
    size_t group_bytes;    /* size of 64 rows × group */
    int most;              /* largest element of an integer format; 0 for a real one */
};

const struct nysx_format *nysx_format(enum nysx_precision precision);

struct nysx_projection {
    enum nysx_precision precision;
    size_t dim, columns; /* d, s */
    size_t blocks;       /* ⌈d / 64⌉, also the words of a hypervector */
    size_t groups;       /* ⌈columns / group⌉ */
    unsigned char *packed; /* [blocks × groups × group_bytes], aligned to 64 bytes */
    float *scale;        /* [dim] for integer formats: value = element × scale; NULL for real ones. It does not affect the sign
                          * of a sum. */
};

/* Allocates memory aligned to 64 bytes; release with free(). Requests huge pages if it fills them: data streamed once per inference then
 * causes fewer page-table misses. */
void *nysx_aligned_alloc(size_t bytes);

/* Allocates with all elements 0. DSE_LIMIT for an impossible size. */
enum dse_status nysx_projection_alloc(enum nysx_precision precision, size_t dim, size_t columns,
                                      struct nysx_projection *out, struct dse_error *err);
void nysx_projection_free(struct nysx_projection *projection);

/* Rounds a row of real numbers to the format. Real formats round to nearest even and saturate. int16 and int8 scale the
 * largest magnitude to the largest element. int4 takes the one of 32 scales with the least squared error. binary keeps the
 * sign (0 is +1), and its scale is the mean magnitude. `elements` has the file's element type. */
void nysx_quantise_row(enum nysx_precision precision, const float *row, size_t columns, void *elements,
                       float *scale);

/* Writes and reads a row in the file's element type. A row may be written once. */
void nysx_projection_put(struct nysx_projection *projection, size_t row, const void *elements);
void nysx_projection_get(const struct nysx_projection *projection, size_t row, void *elements);

/* Whether every element is valid in the format: finite; in −most … most; −1 or +1. */
bool nysx_elements_valid(enum nysx_precision precision, const void *elements, size_t count);

/* IEEE half precision and bfloat16. */
uint16_t nysx_to_fp16(float value);
uint16_t nysx_to_bf16(float value);
