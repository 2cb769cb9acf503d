/* The Similarity and Classification Engine (section 5.2.6): the class whose prototype has the largest
 * cosine with the hypervector.
 *
 * Whole prototypes (1 to 8 bits): dot products are exact integers from packed bits and popcounts, a plane
 * of bits of the elements at a time; cosines are compared as dot² × the other's squared norm, exactly. Real
 * prototypes: 64 partial sums in fp32 (lane i adds the elements i, i + 64, … in order), the lanes then added
 * in ascending order in double, one division by the norm. Ties go to the lower class.
 *
 * Prototypes with offsets (adaptive and ridge ones) have no cosine: the class of the largest Σ h_i g_i + offset, all of them on
 * one scale; whole ones exactly in whole numbers, without norms and divisions. */
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
    int64_t *offset;   /* [classes] Σ plane weights × ones: what a hypervector of −1 everywhere takes off */
    int64_t *norm;     /* [classes] squared, of whole */
    double *length;    /* [classes] of real */
    int32_t *bias;     /* [classes] offsets of whole ones, or NULL: cosines */
    float *real_bias;  /* [classes] of real ones, or NULL */
    float *real_table; /* [classes × places] of real ones under training, or NULL */
    size_t places;     /* of the table of weights by code, a power of two; 0: none */
    int16_t *table;    /* [classes × places] in steps of 2^table_shift of the prototypes' scale, or NULL */
    int32_t table_shift;
};

/* Steps of the table's weights are no larger than 2 to this, whatever the codes: sums stay in 64 bits. */
#define NYSX_TABLE_SHIFT_MAX 16
#define NYSX_TABLE_MOST 32767.0
#define NYSX_TABLE_SHIFT_MAX_WORD "16"

/* The place of a code in a table of `places`: its highest bits. */
static inline size_t nysx_table_place(uint32_t code, size_t places)
{
    return (size_t)((uint64_t)code * places >> 32);
}

/* Score that codes add to a class, an exact whole number: Σ count · table[class][place of the code] · 2^table_shift; 0 without a table.
 * O(count). */
int64_t nysx_table_score(const struct nysx_prototypes *prototypes, size_t class_index, const struct nysx_counted *item, size_t count);

/* The same of every class, into `added` [classes]. */
void nysx_table_scores(const struct nysx_prototypes *prototypes, const struct nysx_counted *item, size_t count, int64_t *added);

/* Empty prototypes of the right size (elements 0). */
struct nysx_prototypes nysx_prototypes_make(size_t classes, size_t dim, int bits);
void nysx_prototypes_free(struct nysx_prototypes *prototypes);

/* Offsets of 0, in the prototypes' type, where there are none yet. */
void nysx_prototypes_add_bias(struct nysx_prototypes *prototypes);

/* Fills planes, offsets and norms from `whole` or `real`. */
void nysx_prototypes_seal(struct nysx_prototypes *prototypes);

/* The same for one class. */
void nysx_prototypes_seal_class(struct nysx_prototypes *prototypes, size_t class_index);

/* The score of a class: Σ h_i g_i, its offset and `added` [classes] (nysx_table_scores; NULL is zeros), or without offsets Σ h_i g_i / ‖g‖,
 * 0 of a prototype of norm 0. Exact where whole prototypes have offsets; nysx_classify compares without rounding in any case. */
double nysx_score(const struct nysx_prototypes *prototypes, size_t class_index, const uint64_t *hypervector, const int64_t *added);

/* The class index. O(classes × dim / 64 × bits). */
size_t nysx_classify(const struct nysx_prototypes *prototypes, const uint64_t *hypervector, const int64_t *added);

/* Σ h_i g_i of a class, whole prototypes. */
int64_t nysx_dot_whole(const struct nysx_prototypes *prototypes, size_t class_index,
                       const uint64_t *hypervector);

/* Σ h_i g_i of a class, real or whole. */
double nysx_dot(const struct nysx_prototypes *prototypes, size_t class_index, const uint64_t *hypervector);
