/* Schedule tables of the sparse engines (section 4.2): the row of each PE in each iteration. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Order of rows by ascending count (buckets by count, ties in natural order), section 4.2's grouping:
 * iteration i gives its P PEs order[iP … iP+P−1]. O(rows + largest count). */
void nysx_schedule_order(const int32_t *row_counts, size_t rows, int32_t *order);

/* Writes the largest max(1, count) of each round of `pe` rows, and returns the number of rounds: as rows of one element they make the
 * same pass of a ring. `order` NULL: natural order. O(rows). */
size_t nysx_schedule_rounds(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, int32_t *longest);

/* Cycles at one non-zero per cycle and PE: the sum over iterations of the largest max(1, count) among the
 * iteration's `pe` rows. `order` NULL: natural order. O(rows). */
uint64_t nysx_schedule_cycles(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe);

/* Cycles of a pass with `contexts` interleaved rounds, each one cycle behind the previous: a round of `pe` rows takes the first
 * free context and advances once every `contexts` cycles, as often as its longest row has entries (at least once). A turn counts as
 * done when its context is active again; the pass ends two cycles after the last. O(rows + rows / pe × log contexts). */
uint64_t nysx_schedule_ring(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, size_t contexts);

/* Cycles of a pass of elements that do not wait for each other, each with `contexts` independent interleaved rows: row i belongs
 * to element i mod pe and there to context i / pe mod contexts, which makes a step every `contexts` cycles, as many as the row has entries
 * (at least one), row after row. From the first step to the last. O(rows). */
uint64_t nysx_schedule_alone(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, size_t contexts);
