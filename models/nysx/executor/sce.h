/* The Similarity and Classification Engine (section 5.2.6): the class whose prototype has the largest
 * cosine with the hypervector.
 *
 * Integer prototypes (1 to 8 bits) have exact dot products, from packed bits and population counts, one bit plane
 * of the elements at a time. Cosines are compared exactly as dot² × the other's squared norm. Real prototypes have
 * 64 partial sums in fp32; lane i adds the elements i, i + 64, … in order. The lanes are added in ascending order in
 * double, then divided by the norm. Ties go to the lower class.
 *
 * Prototypes with offsets (adaptive and ridge) use no cosine. The class has the largest Σ h_i g_i + offset, all on
 * one scale. Integer prototypes are then compared exactly in integers, without norms and divisions. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "models/nysx/executor/kernels.h"

struct nysx_prototypes {
    size_t classes, dim;
    size_t words;      /* ⌈dim / 64⌉ */
    int bits;          /* 1, 2, 4, 8, or 32: real */
    int8_t *whole;     /* [classes × dim] −1 and +1 at one bit; NULL for real */
    float *real;       /* [classes × 64 words], 0 past dim; NULL for whole */
    uint64_t *planes;  /* [classes × bits × words] two's complement bits, lowest first (1 bit: 1 is +1) */
    int64_t *offset;   /* [classes] Σ plane weights × ones: offset of a hypervector of all −1 */
    int64_t *norm;     /* [classes] squared, for integer prototypes */
    double *length;    /* [classes] for real prototypes */
    int32_t *bias;     /* [classes] offsets of integer prototypes, or NULL: cosines */
    float *real_bias;  /* [classes] of real prototypes, or NULL */
    float *real_table; /* [classes × places] of real prototypes under training, or NULL */
    size_t places;     /* entries of the table of weights by code, a power of two; 0: none */
    int16_t *table;    /* [classes × places] in steps of 2^table_shift of the prototypes' scale, or NULL */
    int32_t table_shift;
};

/* log₂ of the largest step of the table's weights: sums stay within 64 bits for any codes. */
#define NYSX_TABLE_SHIFT_MAX 16
#define NYSX_TABLE_MOST 32767.0
#define NYSX_TABLE_SHIFT_MAX_WORD "16"

/* Place of a code in a table of `places`: its highest bits. */
static inline size_t nysx_table_place(uint32_t code, size_t places)
{
    return (size_t)((uint64_t)code * places >> 32);
}

/* Score that codes add to a class, an exact integer: Σ count · table[class][place of the code] · 2^table_shift; 0 without a table.
 * O(count). */
int64_t nysx_table_score(const struct nysx_prototypes *prototypes, size_t class_index, const struct nysx_counted *item, size_t count);

/* As nysx_table_score, for every class, into `added` [classes]. */
void nysx_table_scores(const struct nysx_prototypes *prototypes, const struct nysx_counted *item, size_t count, int64_t *added);

/* Empty prototypes of the right size (elements 0). */
struct nysx_prototypes nysx_prototypes_make(size_t classes, size_t dim, int bits);
void nysx_prototypes_free(struct nysx_prototypes *prototypes);

/* Adds offsets of 0, in the prototypes' type, unless present. */
void nysx_prototypes_add_bias(struct nysx_prototypes *prototypes);

/* Computes planes, offsets and norms from `whole` or `real`. */
void nysx_prototypes_seal(struct nysx_prototypes *prototypes);

/* As nysx_prototypes_seal, for one class. */
void nysx_prototypes_seal_class(struct nysx_prototypes *prototypes, size_t class_index);

/* Score of a class: Σ h_i g_i plus its offset and `added` [classes] (nysx_table_scores; NULL: zeros), or without offsets Σ h_i g_i / ‖g‖,
 * 0 for a prototype of norm 0. Exact for integer prototypes with offsets; nysx_classify compares without rounding in any case. */
double nysx_score(const struct nysx_prototypes *prototypes, size_t class_index, const uint64_t *hypervector, const int64_t *added);

/* The class index. O(classes × dim / 64 × bits). */
size_t nysx_classify(const struct nysx_prototypes *prototypes, const uint64_t *hypervector, const int64_t *added);

/* Σ h_i g_i of a class, whole prototypes. */
int64_t nysx_dot_whole(const struct nysx_prototypes *prototypes, size_t class_index,
                       const uint64_t *hypervector);

/* Σ h_i g_i of a class, real or whole. */
double nysx_dot(const struct nysx_prototypes *prototypes, size_t class_index, const uint64_t *hypervector);
