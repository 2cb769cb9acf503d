/* Weisfeiler-Lehman codes as 32-bit integers, and the 32-bit form of every code.
 *
 * All arithmetic is unsigned, 32 bits, wrapping. A node's first code is made from its label, or from its quantised
 * attributes. Each hop mixes a node's code with the sum of its neighbours' codes, which is independent of their order. The mixer has two
 * multiplications and three shifts. test_executor_wl counts how often it confuses colours that an exact colouring distinguishes. */
#pragma once

#include "models/nysx/executor/lsh.h"

#define NYSX_GOLDEN 0x9e3779b9u

/* A bijection of 32 bits in which every bit of the result depends on every bit of the argument. Its constants are those of a
 * published search for the least bias among mixers of this form ("lowbias32", C. Wellons, 2018). */
static inline uint32_t nysx_mix32(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static inline uint32_t nysx_rotate32(uint32_t x, unsigned left)
{
    return x << (left & 31) | x >> ((32 - left) & 31);
}

/* An LSH code of hop `hop` as 32 bits. */
static inline uint32_t nysx_code_fold(int64_t code, size_t hop)
{
    uint32_t high = (uint32_t)((uint64_t)code >> 32);
    return nysx_mix32((uint32_t)(uint64_t)code + nysx_mix32(high + NYSX_GOLDEN * (uint32_t)(hop + 1)));
}

/* Sets lsh->u and lsh->b, one row each: scales and offsets of attributes before quantisation to steps of `lsh->width`. From the
 * training nodes' deviation and mean per column, u = 1 / deviation (0 for a constant column) and b = −mean u. Label columns keep
 * u = 1, b = 0. */
void nysx_wl_scale(const struct nysx_features *features, const int32_t *graphs, size_t count, struct nysx_lsh *lsh);

/* Codes of hop 0 of all nodes: mix(golden + i). i is the index of the node's label, or −1 for a label not seen
 * in training. With attributes, the code is the tuple code of the scaled row, folded to 32 bits. */
void nysx_wl_start(const struct nysx_lsh *lsh, const struct nysx_query *query, uint32_t *codes);

/* The next hop: to[v] = mix(rotl(from[v], 16) + Σ from[neighbours of v]). O(nodes + arcs). */
void nysx_wl_step(const struct nysx_query *query, const uint32_t *from, uint32_t *to);
