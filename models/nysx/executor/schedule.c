#include "models/nysx/executor/schedule.h"

#include <stdlib.h>

#include "core/memory.h"

void nysx_schedule_order(const int32_t *row_counts, size_t rows, int32_t *order)
{
    int32_t largest = 0;
    for (size_t r = 0; r < rows; r++)
        largest = row_counts[r] > largest ? row_counts[r] : largest;
    size_t *begin = dse_calloc((size_t)largest + 2, sizeof *begin);
    for (size_t r = 0; r < rows; r++)
        begin[row_counts[r] + 1]++;
    for (size_t c = 0; c <= (size_t)largest; c++)
        begin[c + 1] += begin[c];
    for (size_t r = 0; r < rows; r++)
        order[begin[row_counts[r]]++] = (int32_t)r;
    free(begin);
}

static int32_t count_of(const int32_t *row_counts, const int32_t *order, size_t i)
{
    return row_counts[order != NULL ? order[i] : (int32_t)i];
}

/* The longest row of the round that begins at `first`, at least 1. */
static int32_t longest_of(const int32_t *row_counts, size_t rows, const int32_t *order, size_t first, size_t pe)
{
    int32_t longest = 1;
    for (size_t i = first; i < rows && i < first + pe; i++)
        longest = count_of(row_counts, order, i) > longest ? count_of(row_counts, order, i) : longest;
    return longest;
}

size_t nysx_schedule_rounds(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, int32_t *longest)
{
    size_t rounds = 0;
    for (size_t first = 0; first < rows; first += pe)
        longest[rounds++] = longest_of(row_counts, rows, order, first, pe);
    return rounds;
}

#define CONTEXTS_MOST 64

uint64_t nysx_schedule_ring(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, size_t contexts)
{
    uint64_t free_at[CONTEXTS_MOST], last = 0;
    contexts = contexts < CONTEXTS_MOST ? contexts : CONTEXTS_MOST;
    for (size_t c = 0; c < contexts; c++)
        free_at[c] = c;
    for (size_t first = 0; first < rows; first += pe) { /* a heap with the first free context at the top */
        uint64_t free = free_at[0] + (uint64_t)longest_of(row_counts, rows, order, first, pe) * contexts;
        size_t at = 0;
        for (size_t child = 1; child < contexts; at = child, child = 2 * at + 1) {
            child += child + 1 < contexts && free_at[child + 1] < free_at[child];
            if (free <= free_at[child])
                break;
            free_at[at] = free_at[child];
        }
        free_at[at] = free;
        last = free > last ? free : last;
    }
    return rows > 0 ? last + 2 : 0;
}

uint64_t nysx_schedule_alone(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, size_t contexts)
{
    uint64_t last = 0;
    for (size_t first = 0; first < rows && first < pe * contexts; first++) {
        uint64_t steps = 0;
        for (size_t i = first; i < rows; i += pe * contexts) {
            int32_t count = count_of(row_counts, order, i);
            steps += count > 1 ? (uint64_t)count : 1;
        }
        uint64_t cycles = first / pe + 1 + contexts * (steps - 1);
        last = cycles > last ? cycles : last;
    }
    return last;
}

uint64_t nysx_schedule_cycles(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe)
{
    uint64_t cycles = 0;
    for (size_t first = 0; first < rows; first += pe)
        cycles += (uint64_t)longest_of(row_counts, rows, order, first, pe);
    return cycles;
}
