/* The element formats of P_nys, and how its rows lie in memory.
 *
 * Blocks of 64 rows; in a block groups of `group` columns; in a group the 64 rows, of each its `group`
 * elements behind one another (int4: eight columns in four bytes per row, the first four in the low halves,
 * stored as element + 8; binary: one 64-bit word a column, bit i for row i). A group is 256 bytes in every
 * format but fp16, bf16 (128) and binary (8). Elements past dim or the last column are 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/nysx/knobs.h"

#define NYSX_LANES 64

struct nysx_format {
    const char *npy_type;  /* of an element in the model file: int4 and binary as int8, bf16 as uint16 */
    size_t npy_bytes;
    size_t group;          /* columns */
    size_t group_bytes;    /* of 64 rows × group */
    int most;              /* largest element of a whole format; 0 for a real one */
};

const struct nysx_format *nysx_format(enum nysx_precision precision);

struct nysx_projection {
    enum nysx_precision precision;
    size_t dim, columns; /* d, s */
    size_t blocks;       /* ⌈d / 64⌉, also the words of a hypervector */
    size_t groups;       /* ⌈columns / group⌉ */
    unsigned char *packed; /* [blocks × groups × group_bytes], aligned to 64 bytes */
    float *scale;        /* [dim] of whole formats: value = element × scale; NULL for real ones. The sign of a
                          * sum does not see it. */
};

/* Memory aligned to 64 bytes; freed with free(). Where it fills huge pages it asks for them: what is streamed once per inference then
 * waits less for page tables. */
void *nysx_aligned_alloc(size_t bytes);

/* All elements 0. DSE_LIMIT for a size that no memory has. */
enum dse_status nysx_projection_alloc(enum nysx_precision precision, size_t dim, size_t columns,
                                      struct nysx_projection *out, struct dse_error *err);
void nysx_projection_free(struct nysx_projection *projection);

/* Rounds a row of real numbers to the format. Real formats round to nearest even and saturate. Whole ones:
 * int16 and int8 scale the largest magnitude to the largest element; int4 takes, of 32 scales, the one
 * of the smallest squared error; binary keeps the sign (0 is +1), its scale is the mean magnitude.
 * `elements` is in the file's element type. */
void nysx_quantise_row(enum nysx_precision precision, const float *row, size_t columns, void *elements,
                       float *scale);

/* A row in and out, in the file's element type. A row is put once. */
void nysx_projection_put(struct nysx_projection *projection, size_t row, const void *elements);
void nysx_projection_get(const struct nysx_projection *projection, size_t row, void *elements);

/* True where every element is one of the format: finite; in −most … most; −1 or +1. */
bool nysx_elements_valid(enum nysx_precision precision, const void *elements, size_t count);

/* IEEE half precision and bfloat16. */
uint16_t nysx_to_fp16(float value);
uint16_t nysx_to_bf16(float value);
