#include "executor/smgpu/topology.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)
#define FIND_DEPTH 16 /* of the path compression */

struct forest {
    uint16_t *parent, *rank; /* [nodes] */
    uint64_t *steps;
};

static uint16_t find(const struct forest *forest, uint16_t node)
{
    uint16_t root = node;
    for (++*forest->steps; forest->parent[root] != root; ++*forest->steps)
        root = forest->parent[root];
    for (int i = 0; i < FIND_DEPTH && forest->parent[node] != root; i++) {
        uint16_t next = forest->parent[node];
        forest->parent[node] = root;
        node = next;
    }
    return root;
}

static bool merge(const struct forest *forest, uint16_t u, uint16_t v)
{
    uint16_t a = find(forest, u), b = find(forest, v);
    if (a == b)
        return false;
    if (forest->rank[a] < forest->rank[b]) {
        uint16_t other = a;
        a = b, b = other;
    }
    forest->parent[b] = a;
    forest->rank[a] = (uint16_t)(forest->rank[a] + (forest->rank[a] == forest->rank[b]));
    return true;
}

static enum dse_status check(const int32_t *edge, size_t edges, size_t nodes, bool *in_order, struct dse_error *err)
{
    *in_order = true;
    for (size_t e = 0; e < edges; e++) {
        const int32_t *at = edge + 3 * e;
        if (at[0] < 0 || at[1] < 0 || (size_t)at[0] >= nodes || (size_t)at[1] >= nodes)
            return dse_fail(err, DSE_BAD_INPUT, "edge %zu is (%d, %d): nodes are 0 to %zu", e, at[0], at[1], nodes - 1);
        if (at[2] < 0)
            return dse_fail(err, DSE_BAD_INPUT, "edge %zu weighs %d: components are born at 0, weights are 0 or more", e, at[2]);
        if (e > 0 && (at[-3] > at[0] || (at[-3] == at[0] && at[-2] > at[1])))
            *in_order = false;
    }
    return DSE_OK;
}

static uint32_t digit_of(const int32_t *edge, uint32_t at, int column, int shift)
{
    return (uint32_t)edge[3 * (size_t)at + (size_t)column] >> shift & (DIGITS - 1);
}

/* One stable pass over one digit; nothing where all edges have the same. */
static void sort_digit(const int32_t *edge, size_t edges, int column, int shift, uint32_t **order, uint32_t **other)
{
    static const size_t none[DIGITS + 1] = {0};
    size_t begin[DIGITS + 1];
    memcpy(begin, none, sizeof begin);
    for (size_t e = 0; e < edges; e++)
        begin[digit_of(edge, (uint32_t)e, column, shift) + 1]++;
    for (size_t d = 0; d < DIGITS; d++) {
        if (begin[d + 1] == edges)
            return;
        begin[d + 1] += begin[d];
    }
    for (size_t i = 0; i < edges; i++) {
        uint32_t e = (*order)[i];
        (*other)[begin[digit_of(edge, e, column, shift)]++] = e;
    }
    uint32_t *sorted = *other;
    *other = *order;
    *order = sorted;
}

static void sort(const int32_t *edge, size_t edges, bool in_order, uint32_t **order, uint32_t **other)
{
    static const int columns[] = {1, 0, 2};
    for (size_t e = 0; e < edges; e++)
        (*order)[e] = (uint32_t)e;
    for (size_t c = in_order ? 2 : 0; c < 3; c++)
        for (int shift = 0; shift < 32; shift += DIGIT_BITS)
            sort_digit(edge, edges, columns[c], shift, order, other);
}

enum dse_status smgpu_barcode_make(const int32_t *edge, size_t edges, size_t nodes, struct smgpu_barcode *out, struct dse_error *err)
{
    bool in_order;
    DSE_TRY(check(edge, edges, nodes, &in_order, err));
    uint32_t *order = malloc((edges + 1) * sizeof *order), *other = malloc((edges + 1) * sizeof *other);
    uint16_t *room = calloc(2 * nodes + 1, sizeof *room);
    out->pairs = out->find_steps = 0, out->total = 0;
    if (order != NULL && other != NULL && room != NULL) {
        struct forest forest = {room, room + nodes, &out->find_steps};
        for (size_t v = 0; v < nodes; v++)
            forest.parent[v] = (uint16_t)v;
        sort(edge, edges, in_order, &order, &other);
        for (size_t i = 0; i < edges; i++) {
            const int32_t *at = edge + 3 * (size_t)order[i];
            if (!merge(&forest, (uint16_t)at[0], (uint16_t)at[1]))
                continue;
            out->death[out->pairs++] = at[2];
            out->total += at[2];
        }
        out->essential = nodes - out->pairs;
    }
    bool made = order != NULL && other != NULL && room != NULL;
    free(order);
    free(other);
    free(room);
    return made ? DSE_OK : dse_fail_memory(err);
}
