/* SPDX-License-Identifier: MIT */ /* The kernel: a batch's queries, then all entities past the score engines (paper, Figure 6). */
#include "hdreason.h"

/* Vectors of the queries from the memory into the engines. */
static void hdreason_gather(HDREASON_PARAMETERS_MEMORY, int32_t ids[2 * HDREASON_BATCH], hdreason_queries_t subjects, hdreason_queries_t relations)
{
    HDREASON_DATAFLOW_GATHER
    HDREASON_LOCAL HDREASON_FIFO(hdreason_beat_t, asked, 2 * HDREASON_BATCH *HDREASON_BEATS);
    HDREASON_STREAM_ASKED
    hdreason_fetch_queries(HDREASON_ARGUMENTS_MEMORY, ids, asked);
    hdreason_keep(asked, subjects, relations);
}

/* Memory, score engines and the host's port side by side. */
static void hdreason_pass(HDREASON_PARAMETERS_MEMORY, HDREASON_PARAMETERS_DISTANCES, hdreason_queries_t subjects, hdreason_queries_t relations)
{
    HDREASON_DATAFLOW_PASS
    HDREASON_LOCAL HDREASON_FIFO(hdreason_beat_t, beats, HDREASON_ENTITIES *HDREASON_BEATS);
    HDREASON_STREAM_BEATS
    HDREASON_LOCAL HDREASON_FIFO(hdreason_chunk_t, chunks, HDREASON_ENTITIES *HDREASON_STEPS);
    HDREASON_STREAM_CHUNKS
    HDREASON_LOCAL HDREASON_FIFO(hdreason_sums_t, sums, HDREASON_ENTITIES);
    HDREASON_STREAM_SUMS
    hdreason_fetch(HDREASON_ARGUMENTS_MEMORY, beats);
    hdreason_chunks(beats, chunks);
    hdreason_score(chunks, subjects, relations, sums);
    hdreason_answer(sums, HDREASON_ARGUMENTS_DISTANCES);
}

void hdreason_top(HDREASON_PARAMETERS_MEMORY, HDREASON_PARAMETERS_QUERIES, HDREASON_PARAMETERS_DISTANCES, HDREASON_PARAMETERS_REGISTERS)
{
    HDREASON_INTERFACE_MEMORY
    HDREASON_INTERFACE_QUERIES
    HDREASON_INTERFACE_DISTANCES
    HDREASON_INTERFACE_CONTROL
    static hdreason_element_t subjects[HDREASON_STEPS][HDREASON_BATCH][HDREASON_SCORE_LANES], relations[HDREASON_STEPS][HDREASON_BATCH][HDREASON_SCORE_LANES];
    HDREASON_ARRAY_PARTITION_SUBJECTS
    HDREASON_ARRAY_PARTITION_RELATIONS
    int32_t ids[2 * HDREASON_BATCH];
    if (command == HDREASON_COMMAND_INFER) {
        hdreason_ids(HDREASON_ARGUMENTS_QUERIES, ids);
        hdreason_gather(HDREASON_ARGUMENTS_MEMORY, ids, subjects, relations);
        hdreason_pass(HDREASON_ARGUMENTS_MEMORY, HDREASON_ARGUMENTS_DISTANCES, subjects, relations);
    }
}
