#include "core/order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define ORDER(name, type)                                      \
    int name(const void *a, const void *b)                     \
    {                                                          \
        const type x = *(const type *)a, y = *(const type *)b; \
        return (x > y) - (x < y);                              \
    }

ORDER(dse_by_int32, int32_t)
ORDER(dse_by_int64, int64_t)
ORDER(dse_by_uint64, uint64_t)
ORDER(dse_by_double, double)

static void insert(int64_t *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        int64_t value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

void dse_sort_int64(int64_t *values, size_t count)
{
    enum { FEW = 64, BYTES = 8, KINDS = 256 };
    if (count <= FEW) {
        insert(values, count);
        return;
    }
    size_t (*places)[KINDS] = dse_calloc(BYTES, sizeof *places);
    int64_t *room = dse_malloc(count * sizeof *room), *from = values, *to = room;
    for (size_t i = 0; i < count; i++)
        for (int byte = 0; byte < BYTES; byte++)
            places[byte][((uint64_t)values[i] ^ (uint64_t)1 << 63) >> (8 * byte) & 255]++;
    for (int byte = 0; byte < BYTES; byte++) {
        size_t next = 0, most = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            size_t here = places[byte][kind];
            places[byte][kind] = next;
            next += here;
            most = here > most ? here : most;
        }
        if (most == count) /* all have the same byte here */
            continue;
        for (size_t i = 0; i < count; i++)
            to[places[byte][((uint64_t)from[i] ^ (uint64_t)1 << 63) >> (8 * byte) & 255]++] = from[i];
        int64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != values)
        memcpy(values, from, count * sizeof *values);
    free(room);
    free(places);
}

int dse_by_rank(const void *a, const void *b)
{
    const struct dse_ranked *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value) : (x->index > y->index) - (x->index < y->index);
}

int dse_by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}
