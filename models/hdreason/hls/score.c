/* SPDX-License-Identifier: MIT */ /* Score engines (paper, section 4.3, Figure 6, equation 10): one per query, all on the same chunk of an entity's memory. Each engine adds M_s and H_r with
 * saturation, subtracts the chunk, and accumulates the absolute differences. */
#include "hdreason.h"

#define SUMS_PARTS (HDREASON_DISTANCE_WORDS * HDREASON_HOST_PARTS)
#define A_PART (32 / HDREASON_DISTANCE_BITS) /* distances per 32-bit part */

static int32_t size_of_difference(int32_t subject, int32_t relation, int32_t memory)
{
    int32_t sum = subject + relation;
    int32_t query = sum > HDREASON_LARGEST ? HDREASON_LARGEST : sum < -HDREASON_LARGEST ? -HDREASON_LARGEST : sum;
    return query > memory ? query - memory : memory - query;
}

/* Packs the distances; 16-bit distances two per part. */
static hdreason_sums_t row_of(const int32_t distance[HDREASON_BATCH])
{
    hdreason_sums_t out;
HDREASON_LABEL(score_row)
    for (int32_t p = 0; p < SUMS_PARTS; p++) {
        HDREASON_UNROLL_SCORE_ROW
        uint32_t low = p * A_PART < HDREASON_BATCH ? (uint32_t)distance[p * A_PART < HDREASON_BATCH ? p * A_PART : 0] : 0;
#if HDREASON_DISTANCE_BITS == 16
        low |= p * 2 + 1 < HDREASON_BATCH ? (uint32_t)distance[p * 2 + 1 < HDREASON_BATCH ? p * 2 + 1 : 0] << 16 : 0;
#endif
        HDREASON_PART_SUMS(out, p) = low;
    }
    return out;
}

void hdreason_score(HDREASON_FIFO_PARAMETER(hdreason_chunk_t, chunks, HDREASON_ENTITIES *HDREASON_STEPS), hdreason_queries_t subjects,
                    hdreason_queries_t relations, HDREASON_FIFO_PARAMETER(hdreason_sums_t, sums, HDREASON_ENTITIES))
{
    int32_t step = 0, taken = 0, made = 0;
    int32_t score_sums[HDREASON_BATCH];
    HDREASON_ARRAY_PARTITION_SCORE_SUMS
HDREASON_LABEL(score_begin)
    for (int32_t b = 0; b < HDREASON_BATCH; b++) {
        HDREASON_UNROLL_SCORE_BEGIN
        score_sums[b] = 0;
    }
HDREASON_LABEL(score_steps)
    for (int32_t i = 0; i < HDREASON_ENTITIES * HDREASON_STEPS; i++) {
        HDREASON_PIPELINE_SCORE_STEPS
        HDREASON_LOOP_TRIPCOUNT_SCORE_STEPS
        hdreason_chunk_t chunk = HDREASON_TAKE(chunks, taken);
        taken++;
        int32_t score_memory[HDREASON_SCORE_LANES];
        HDREASON_ARRAY_PARTITION_SCORE_MEMORY
        for (int32_t l = 0; l < HDREASON_SCORE_LANES; l++)
            score_memory[l] = hdreason_element(chunk, l);
    HDREASON_LABEL(score_queries)
        for (int32_t b = 0; b < HDREASON_BATCH; b++) {
            HDREASON_UNROLL_SCORE_QUERIES
            int32_t sum = 0;
        HDREASON_LABEL(score_lanes)
            for (int32_t l = 0; l < HDREASON_SCORE_LANES; l++) {
                HDREASON_UNROLL_SCORE_LANES
                sum += size_of_difference(subjects[step][b][l], relations[step][b][l], score_memory[l]);
            }
            score_sums[b] = (step == 0 ? 0 : score_sums[b]) + sum;
        }
        if (step == HDREASON_STEPS - 1) {
            HDREASON_PUT(sums, made, row_of(score_sums));
            made++;
        }
        step = step == HDREASON_STEPS - 1 ? 0 : step + 1;
    }
}
