/* SPDX-License-Identifier: MIT */ /* The host's part of features=cores, in C99 and C++: a node's label is the pair of its own and of its degree in the 2-core,
 * the largest part of the graph in which every node has two neighbours. */
#ifndef NYSX_CORES_H
#define NYSX_CORES_H

#include <stdint.h>

#define NYSX_CORE_DEGREES 16 /* larger degrees count as 15 */

/* Each node's degree in the 2-core. Nodes of degree 1 or less are removed until none is left; each removal lowers the degree of the
 * nodes in its row. A node is not its own neighbour. `removed`: room for `nodes` + 1 numbers. O(nodes + non-zeros). */
static inline void nysx_core_degrees(uint32_t nodes, const uint32_t *row_begin, const uint32_t *neighbour, uint32_t *degree, uint32_t *removed)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < nodes; v++) {
        degree[v] = 0;
        for (uint32_t e = row_begin[v]; e < row_begin[v + 1]; e++)
            degree[v] += neighbour[e] != v;
        removed[count] = v; /* without a branch, which no processor could predict */
        count += degree[v] <= 1;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t v = removed[i], e = row_begin[v]; e < row_begin[v + 1]; e++) {
            const uint32_t u = neighbour[e], other = u != v;
            removed[count] = u;
            degree[u] -= other;
            count += other & (degree[u] == 1);
        }
    for (uint32_t i = 0; i < count; i++)
        degree[removed[i]] = 0;
}

/* Each node's column of F. `table`: the least label, the number of labels from it on, then for each of them and each degree the column of their pair. Others
 * have the column `unseen`. A label is the bits of an int32_t. O(nodes + non-zeros). */
static inline void nysx_core_columns(uint32_t nodes, const uint32_t *row_begin, const uint32_t *neighbour, const uint32_t *label, const int32_t *table,
                                     uint32_t unseen, uint32_t *column, uint32_t *removed)
{
    nysx_core_degrees(nodes, row_begin, neighbour, column, removed);
    for (uint32_t v = 0; v < nodes; v++) {
        const uint32_t place = label[v] - (uint32_t)table[0], degree = column[v] < NYSX_CORE_DEGREES ? column[v] : NYSX_CORE_DEGREES - 1;
        column[v] = place < (uint32_t)table[1] ? (uint32_t)table[2 + place * NYSX_CORE_DEGREES + degree] : unseen;
    }
}

#endif
