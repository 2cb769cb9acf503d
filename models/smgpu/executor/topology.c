#include "models/smgpu/executor/topology.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/memory.h"

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)
#define FIND_DEPTH 16 /* depth of the path compression */

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

/* An edge as a number that sorts by (weight, u, v). */
static uint64_t key_of(const int32_t *edge)
{
    return (uint64_t)(uint32_t)edge[2] << 32 | (uint64_t)(uint32_t)edge[0] << 16 | (uint64_t)(uint32_t)edge[1];
}

/* One stable pass over one digit; skipped if all keys have the same digit. */
static void sort_digit(size_t edges, int shift, uint64_t **key, uint64_t **other)
{
    size_t begin[DIGITS + 1] = {0};
    for (size_t e = 0; e < edges; e++)
        begin[((*key)[e] >> shift & (DIGITS - 1)) + 1]++;
    for (size_t d = 0; d < DIGITS; d++) {
        if (begin[d + 1] == edges)
            return;
        begin[d + 1] += begin[d];
    }
    for (size_t e = 0; e < edges; e++)
        (*other)[begin[(*key)[e] >> shift & (DIGITS - 1)]++] = (*key)[e];
    uint64_t *sorted = *other;
    *other = *key;
    *key = sorted;
}

static void sort(const int32_t *edge, size_t edges, bool in_order, uint64_t **key, uint64_t **other)
{
    for (size_t e = 0; e < edges; e++)
        (*key)[e] = key_of(edge + 3 * e);
    for (int shift = in_order ? 32 : 0; shift < 64; shift += DIGIT_BITS)
        sort_digit(edges, shift, key, other);
}

enum dse_status smgpu_barcode_make(const int32_t *edge, size_t edges, size_t nodes, struct smgpu_barcode *out, struct dse_error *err)
{
    bool in_order;
    DSE_TRY(check(edge, edges, nodes, &in_order, err));
    uint64_t *key = dse_malloc((edges + 1) * sizeof *key), *other = dse_malloc((edges + 1) * sizeof *other);
    uint16_t *room = dse_calloc(2 * nodes + 1, sizeof *room);
    out->pairs = out->find_steps = 0, out->total = 0;
    struct forest forest = {room, room + nodes, &out->find_steps};
    for (size_t v = 0; v < nodes; v++)
        forest.parent[v] = (uint16_t)v;
    sort(edge, edges, in_order, &key, &other);
    for (size_t e = 0; e < edges; e++) {
        if (!merge(&forest, (uint16_t)(key[e] >> 16), (uint16_t)key[e]))
            continue;
        out->death[out->pairs++] = (int32_t)(key[e] >> 32);
        out->total += out->death[out->pairs - 1];
    }
    out->essential = nodes - out->pairs;
    free(key);
    free(other);
    free(room);
    return DSE_OK;
}
