/* SPDX-License-Identifier: MIT */ /* Shared by the LSHU's sources: a node's features as stored, the floor of a hashed value, a tuple's hash. */
#ifndef NYSX_LSHU_H
#define NYSX_LSHU_H

#include <math.h>

#include "nysx.h"
#include "nysx_model.h"

#define CODE_LIMIT 4611686018427387904.0f /* 2^62 */

/* floor((x + b) / w), saturated at ±2^62; NaN becomes the minimum. */
static inline int64_t floor_code(float x, float b)
{
    float bin = floorf((x + b) / (float)NYSX_WIDTH);
    if (bin >= CODE_LIMIT)
        return (int64_t)1 << 62;
    return bin >= -CODE_LIMIT ? (int64_t)bin : -((int64_t)1 << 62);
}

/* Adds a code to a tuple's hash. */
static inline uint64_t fold(uint64_t state, int64_t code)
{
    return (((state << 5) | (state >> 59)) ^ (uint64_t)code) * UINT64_C(0x517cc1b727220a95);
}

#if NYSX_FEATURE_ONEHOT
static inline int32_t label_of(const struct nysx_graph *graph, int32_t copy, int32_t node)
{
    return (int32_t)nysx_field(graph->feature[copy][node / NYSX_FEATURES_A_WORD], node % NYSX_FEATURES_A_WORD,
                               NYSX_FEATURE_SIZE);
}
#else
static inline float attribute_of(const struct nysx_graph *graph, int32_t copy, int32_t node, int32_t column)
{
    int32_t at = node * NYSX_FEATURE_COLUMNS + column;
    return nysx_real(nysx_field(graph->feature[copy][at / NYSX_FEATURES_A_WORD], at % NYSX_FEATURES_A_WORD, 32));
}
#endif

/* Schedule slot of the node of a non-zero of A. */
static inline int32_t slot_of(const struct nysx_graph *graph, int32_t copy, int32_t entry)
{
    nysx_query_word_t word = graph->neighbour[copy][entry / NYSX_INDICES_A_WORD];
    int32_t node = (int32_t)nysx_field(word, entry % NYSX_INDICES_A_WORD, NYSX_INDEX_BITS);
    return (int32_t)graph->position[copy][node];
}

#endif
