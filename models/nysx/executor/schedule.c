#include "models/nysx/executor/schedule.h"

#include <stdlib.h>

#include "core/memory.h"

enum dse_status nysx_schedule_order(const int32_t *row_counts, size_t rows, int32_t *order,
                                    struct dse_error *err)
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
    return DSE_OK;
}

#define CONTEXTS_MOST 64

uint64_t nysx_schedule_ring(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, size_t contexts)
{
    uint64_t free_at[CONTEXTS_MOST], last = 0;
    contexts = contexts < CONTEXTS_MOST ? contexts : CONTEXTS_MOST;
    for (size_t c = 0; c < contexts; c++)
        free_at[c] = c;
    for (size_t first = 0; first < rows; first += pe) {
        int32_t longest = 1;
        size_t next = 0;
        for (size_t i = first; i < rows && i < first + pe; i++) {
            int32_t count = row_counts[order != NULL ? order[i] : (int32_t)i];
            longest = count > longest ? count : longest;
        }
        for (size_t c = 1; c < contexts; c++)
            next = free_at[c] < free_at[next] ? c : next;
        free_at[next] += (uint64_t)longest * contexts;
        last = free_at[next] > last ? free_at[next] : last;
    }
    return rows > 0 ? last + 2 : 0;
}

uint64_t nysx_schedule_alone(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, size_t contexts)
{
    uint64_t last = 0;
    for (size_t first = 0; first < rows && first < pe * contexts; first++) {
        uint64_t steps = 0;
        for (size_t i = first; i < rows; i += pe * contexts) {
            int32_t count = row_counts[order != NULL ? order[i] : (int32_t)i];
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
    for (size_t first = 0; first < rows; first += pe) {
        int32_t slowest = 1;
        for (size_t i = first; i < rows && i < first + pe; i++) {
            int32_t count = row_counts[order != NULL ? order[i] : (int32_t)i];
            slowest = count > slowest ? count : slowest;
        }
        cycles += (uint64_t)slowest;
    }
    return cycles;
}
