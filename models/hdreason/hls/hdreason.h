/* SPDX-License-Identifier: MIT */ /* The knowledge graph accelerator HDReason in C for Vitis HLS: the interfaces of its engines. The publication's kernels are SystemVerilog.
 *
 * Sizes, types and directives come from the emitted hdreason_config.h. Engines compute in whole numbers, to the bit as the executor does.
 * A hypervector's elements lie side by side in a beat: a word of each memory port. The score engines take lanes of it, a chunk per step. */
#ifndef HDREASON_H
#define HDREASON_H

#include "hdreason_kit.h"

#define HDREASON_COMMAND_INFER 0 /* queries' vectors, then their distances to every entity */

#define HDREASON_BEAT_PARTS (HDREASON_MEMORY_PORTS * (HDREASON_AXI_BITS / 32))
#define HDREASON_BEAT_ELEMENTS (HDREASON_BEAT_PARTS * 32 / HDREASON_ELEMENT_BITS)
#define HDREASON_CHUNK_BITS (HDREASON_SCORE_LANES * HDREASON_ELEMENT_BITS)
#define HDREASON_LARGEST ((1 << (HDREASON_ELEMENT_BITS - 1)) - 1) /* of an element */
#define HDREASON_HOST_PARTS (HDREASON_HOST_BITS / 32)
#define HDREASON_ROWS_MOST (HDREASON_ENTITIES + HDREASON_RELATIONS) /* of the memory: M of the entities, then H of the relations */

/* Chunks of M_s and of H_r, each engine's and lane's in a memory of its own. */
typedef hdreason_element_t hdreason_queries_t[HDREASON_STEPS][HDREASON_BATCH][HDREASON_SCORE_LANES];

#ifdef __cplusplus
extern "C" {
#endif

/* Element `lane` of a chunk, with its sign. */
static inline int32_t hdreason_element(hdreason_chunk_t chunk, int32_t lane)
{
    uint32_t part = HDREASON_PART_CHUNK(chunk, lane * HDREASON_ELEMENT_BITS / 32);
    return (int32_t)(part << (32 - HDREASON_ELEMENT_BITS - lane * HDREASON_ELEMENT_BITS % 32)) >> (32 - HDREASON_ELEMENT_BITS);
}

/* Memory: beats of M of every entity, in order; of M_s and H_r of every query, which `ids` has by pairs (entity, relation). */
void hdreason_fetch(HDREASON_PARAMETERS_MEMORY, HDREASON_FIFO_PARAMETER(hdreason_beat_t, beats, HDREASON_ENTITIES *HDREASON_BEATS));
void hdreason_fetch_queries(HDREASON_PARAMETERS_MEMORY, int32_t ids[2 * HDREASON_BATCH],
                            HDREASON_FIFO_PARAMETER(hdreason_beat_t, asked, 2 * HDREASON_BATCH *HDREASON_BEATS));

/* Beats as chunks: of every M; of M_s and H_r, into the engines' memories. */
void hdreason_chunks(HDREASON_FIFO_PARAMETER(hdreason_beat_t, beats, HDREASON_ENTITIES *HDREASON_BEATS),
                     HDREASON_FIFO_PARAMETER(hdreason_chunk_t, chunks, HDREASON_ENTITIES *HDREASON_STEPS));
void hdreason_keep(HDREASON_FIFO_PARAMETER(hdreason_beat_t, asked, 2 * HDREASON_BATCH *HDREASON_BEATS), hdreason_queries_t subjects,
                   hdreason_queries_t relations);

/* Score engines, one a query: distances of M_s + H_r to every M. */
void hdreason_score(HDREASON_FIFO_PARAMETER(hdreason_chunk_t, chunks, HDREASON_ENTITIES *HDREASON_STEPS), hdreason_queries_t subjects,
                    hdreason_queries_t relations, HDREASON_FIFO_PARAMETER(hdreason_sums_t, sums, HDREASON_ENTITIES));

/* Host: entity and relation of each query; distances of every entity in whole words. */
void hdreason_ids(HDREASON_PARAMETERS_QUERIES, int32_t ids[2 * HDREASON_BATCH]);
void hdreason_answer(HDREASON_FIFO_PARAMETER(hdreason_sums_t, sums, HDREASON_ENTITIES), HDREASON_PARAMETERS_DISTANCES);

#ifdef __cplusplus
}
#endif

#endif
