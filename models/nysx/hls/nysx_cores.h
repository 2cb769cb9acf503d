/* SPDX-License-Identifier: MIT */ /* The host's part of features=cores, in C99 and C++: a node's label is the pair of its own and of its degree in the 2-core,
 * the largest part of the graph in which every node has two neighbours. */
#ifndef NYSX_CORES_H
#define NYSX_CORES_H

#include <stdint.h>

#define NYSX_CORE_DEGREES 16 /* a pair's value is label × 16 + degree; larger degrees count as 15 */

/* Each node's degree in the 2-core. Nodes of degree 1 or less are removed until none is left; each removal lowers the degree of the
 * nodes in its row. A node is not its own neighbour. `removed`: room for `nodes` numbers. O(nodes + non-zeros). */
static inline void nysx_core_degrees(uint32_t nodes, const uint32_t *row_begin, const uint32_t *neighbour, uint32_t *degree, uint32_t *removed)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < nodes; v++) {
        degree[v] = 0;
        for (uint32_t e = row_begin[v]; e < row_begin[v + 1]; e++)
            degree[v] += neighbour[e] != v;
        if (degree[v] <= 1)
            removed[count++] = v;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t v = removed[i], e = row_begin[v]; e < row_begin[v + 1]; e++)
            if (neighbour[e] != v && --degree[neighbour[e]] == 1)
                removed[count++] = neighbour[e];
    for (uint32_t i = 0; i < count; i++)
        degree[removed[i]] = 0;
}

/* Each node's column of F: the place of its pair among the `pairs` ascending values, or `pairs` for a pair that training never saw. A label is the bits of
 * an int32_t. O(nodes · log pairs + non-zeros). */
static inline void nysx_core_columns(uint32_t nodes, const uint32_t *row_begin, const uint32_t *neighbour, const uint32_t *label, const int64_t *value,
                                     uint32_t pairs, uint32_t *column, uint32_t *removed)
{
    nysx_core_degrees(nodes, row_begin, neighbour, column, removed);
    for (uint32_t v = 0; v < nodes; v++) {
        const int64_t pair = (int64_t)(int32_t)label[v] * NYSX_CORE_DEGREES + (column[v] < NYSX_CORE_DEGREES ? column[v] : NYSX_CORE_DEGREES - 1);
        uint32_t low = 0, high = pairs;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (value[middle] < pair)
                low = middle + 1;
            else
                high = middle;
        }
        column[v] = low < pairs && value[low] == pair ? low : pairs;
    }
}

#endif
