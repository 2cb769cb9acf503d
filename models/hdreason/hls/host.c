/* SPDX-License-Identifier: MIT */ /* Host port (paper, section 4.3). It reads the ids of a batch's queries, and writes the distances of every entity to all queries in whole words. The host converts them to scores. */
#include "hdreason.h"

#define SUMS_PARTS (HDREASON_DISTANCE_WORDS * HDREASON_HOST_PARTS)

void hdreason_ids(HDREASON_PARAMETERS_QUERIES, int32_t ids[2 * HDREASON_BATCH])
{
HDREASON_LABEL(pcie_queries)
    for (int32_t i = 0; i < 2 * HDREASON_BATCH; i++) {
        HDREASON_PIPELINE_PCIE_QUERIES
        HDREASON_LOOP_TRIPCOUNT_PCIE_QUERIES
        hdreason_id_t id[1];
        HDREASON_READ_QUERIES(id, i);
        ids[i] = (int32_t)id[0];
    }
}

void hdreason_answer(HDREASON_FIFO_PARAMETER(hdreason_sums_t, sums, HDREASON_ENTITIES), HDREASON_PARAMETERS_DISTANCES)
{
    int32_t word = 0, taken = 0;
    uint32_t answer_parts[SUMS_PARTS];
    HDREASON_ARRAY_PARTITION_ANSWER_PARTS
HDREASON_LABEL(pcie_begin)
    for (int32_t p = 0; p < SUMS_PARTS; p++) {
        HDREASON_UNROLL_PCIE_BEGIN
        answer_parts[p] = 0;
    }
HDREASON_LABEL(pcie_distances)
    for (int32_t i = 0; i < HDREASON_ENTITIES * HDREASON_DISTANCE_WORDS; i++) {
        HDREASON_PIPELINE_PCIE_DISTANCES
        HDREASON_LOOP_TRIPCOUNT_PCIE_DISTANCES
        hdreason_host_t out;
        if (word == 0) {
            hdreason_sums_t in = HDREASON_TAKE(sums, taken);
            taken++;
            for (int32_t p = 0; p < SUMS_PARTS; p++)
                answer_parts[p] = HDREASON_PART_SUMS(in, p);
        } else {
            for (int32_t p = 0; p < SUMS_PARTS; p++) /* shifts the next word to the front */
                answer_parts[p] = p + HDREASON_HOST_PARTS < SUMS_PARTS ? answer_parts[p + HDREASON_HOST_PARTS < SUMS_PARTS ? p + HDREASON_HOST_PARTS : 0] : 0;
        }
        for (int32_t p = 0; p < HDREASON_HOST_PARTS; p++)
            HDREASON_SET_HOST(out, p, answer_parts[p]);
        distances[i] = out;
        word = word == HDREASON_DISTANCE_WORDS - 1 ? 0 : word + 1;
    }
}
