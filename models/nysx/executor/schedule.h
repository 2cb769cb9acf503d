/* Schedule tables of the sparse engines (section 4.2): the row of each PE in each iteration. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Order of rows by ascending count (buckets by count, ties in natural order), section 4.2's grouping:
 * iteration i gives its P PEs order[iP … iP+P−1]. O(rows + largest count). */
void nysx_schedule_order(const int32_t *row_counts, size_t rows, int32_t *order);

/* Writes the largest max(1, count) of each round of `pe` rows, and returns the number of rounds. As rows of one element, these make the
 * same pass of a ring. `order` NULL: natural order. O(rows). */
size_t nysx_schedule_rounds(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, int32_t *longest);

/* Cycles at one non-zero per cycle and PE: the sum over iterations of the largest max(1, count) among the
 * iteration's `pe` rows. `order` NULL: natural order. O(rows). */
uint64_t nysx_schedule_cycles(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe);

/* Cycles of a pass with `contexts` interleaved rounds, each one cycle after the previous. A round of `pe` rows takes the first
 * free context. It advances every `contexts` cycles, once per entry of its longest row (at least once). A trip counts as
 * done when its context is active again. The pass ends two cycles after the last trip. O(rows + rows / pe × log contexts). */
uint64_t nysx_schedule_ring(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, size_t contexts);

/* Cycles of a pass, from the first step to the last, of elements that do not wait for each other. Each element has `contexts` independent
 * interleaved rows. Row i belongs to element i mod pe, and there to context i / pe mod contexts. A context makes a step every `contexts`
 * cycles, one per entry of a row (at least one), row after row. O(rows). */
uint64_t nysx_schedule_alone(const int32_t *row_counts, size_t rows, const int32_t *order, size_t pe, size_t contexts);
