/* SPDX-License-Identifier: MIT */ /* The knowledge graph accelerator HDReason in C for Vitis HLS: the interfaces of its engines. The published kernels are SystemVerilog.
 *
 * Sizes, types and directives come from the emitted hdreason_config.h. Engines compute in integers, bit for bit like the executor.
 * A beat is one word of each memory port and holds consecutive elements of a hypervector. The score engines process a chunk of HDREASON_SCORE_LANES elements per step. */
#ifndef HDREASON_H
#define HDREASON_H

#include "hdreason_kit.h"

#define HDREASON_COMMAND_INFER 0    /* the queries' vectors, then their distances to every entity */
#define HDREASON_COMMAND_MEMORISE 1 /* H of entities and relations, then M of every entity with a neighbour */
#define HDREASON_COMMAND_SIGNS 2    /* gradients of all memories and of the queries, from the weights of the distances */
#define HDREASON_COMMAND_SUM 3      /* sums of rows of the memory */
#define HDREASON_COMMAND_BIND 4     /* dispatcher and memorisation IPs only */
#define HDREASON_COMMAND_DERIVE 5   /* gradients of embeddings, with the derivative of tanh; PASS_ON: without */
#define HDREASON_COMMAND_PASS_ON 6

#define HDREASON_BEAT_PARTS (HDREASON_MEMORY_PORTS * (HDREASON_AXI_BITS / 32))
#define HDREASON_BEAT_ELEMENTS (HDREASON_BEAT_PARTS * 32 / HDREASON_ELEMENT_BITS)
#define HDREASON_CHUNK_BITS (HDREASON_SCORE_LANES * HDREASON_ELEMENT_BITS)
#define HDREASON_LARGEST ((1 << (HDREASON_ELEMENT_BITS - 1)) - 1) /* largest element */
#define HDREASON_HOST_PARTS (HDREASON_HOST_BITS / 32)
#define HDREASON_ROWS_MOST (HDREASON_ENTITIES + HDREASON_RELATIONS) /* memory rows: M of the entities, then H of the relations in M's steps */
#define HDREASON_H_BEGIN (HDREASON_ROWS_MOST * HDREASON_BEATS)       /* first beat of H of the encoded entities */
#define HDREASON_ENCODED_MOST (HDREASON_ENCODED + HDREASON_RELATIONS)
#define HDREASON_STORED (HDREASON_TRAINS ? HDREASON_ROWS_MOST + HDREASON_H_ROWS : HDREASON_ENTITIES) /* memory rows that sums are written to */
#define HDREASON_SIGNED (HDREASON_ENTITIES + HDREASON_BATCH)         /* memories and queries; their gradients follow H in the memory, and the gradients of the encoded rows follow those */

/* Chunks of a memorisation IP per beat, or beats per chunk. */
#define HDREASON_CHUNKS_A_BEAT (HDREASON_BEAT_ELEMENTS > HDREASON_MEMORISE_LANES ? HDREASON_BEAT_ELEMENTS / HDREASON_MEMORISE_LANES : 1)
#define HDREASON_BEATS_A_CHUNK (HDREASON_MEMORISE_LANES > HDREASON_BEAT_ELEMENTS ? HDREASON_MEMORISE_LANES / HDREASON_BEAT_ELEMENTS : 1)

/* Chunks of M_s and of H_r, one memory per engine and lane. */
typedef hdreason_element_t hdreason_queries_t[HDREASON_STEPS][HDREASON_BATCH][HDREASON_SCORE_LANES];

#ifdef __cplusplus
extern "C" {
#endif

/* Signed element `lane` of a chunk. */
static inline int32_t hdreason_element(hdreason_chunk_t chunk, int32_t lane)
{
    uint32_t part = HDREASON_PART_CHUNK(chunk, lane * HDREASON_ELEMENT_BITS / 32);
    return (int32_t)(part << (32 - HDREASON_ELEMENT_BITS - lane * HDREASON_ELEMENT_BITS % 32)) >> (32 - HDREASON_ELEMENT_BITS);
}

/* Signed element k of a hypervector. */
static inline int32_t hdreason_of_vector(hdreason_vector_t vector, int32_t k)
{
    uint32_t part = HDREASON_PART_VECTOR(vector, k * HDREASON_ELEMENT_BITS / 32);
    return (int32_t)(part << (32 - HDREASON_ELEMENT_BITS - k * HDREASON_ELEMENT_BITS % 32)) >> (32 - HDREASON_ELEMENT_BITS);
}

/* Shifts a value right (left if `right` is negative), rounds half up, and saturates to an element. */
static inline int32_t hdreason_shifted(int64_t value, int32_t right)
{
    int64_t halves = right > 0 ? value >> (right > 0 ? right - 1 : 0) : value * (INT64_C(2) << (right > 0 ? 0 : -right));
    int64_t whole = (halves + 1) >> 1;
    return whole > HDREASON_LARGEST ? HDREASON_LARGEST : whole < -HDREASON_LARGEST ? -HDREASON_LARGEST : (int32_t)whole;
}

/* Encoder: reads embedding rows from the host. It computes signed tanh addresses, one group of dimensions per step, and looks up hypervectors. It writes
 * each to the memory; relations are in M's steps, and also whole in `bindings`. Entities come before relations. */
void hdreason_rows(HDREASON_PARAMETERS_ROWS, int32_t count, HDREASON_FIFO_PARAMETER(hdreason_host_t, embeddings, HDREASON_ENCODED_MOST *HDREASON_ROW_WORDS));
void hdreason_encode(HDREASON_FIFO_PARAMETER(hdreason_host_t, embeddings, HDREASON_ENCODED_MOST *HDREASON_ROW_WORDS), int32_t count, int32_t shift,
                     HDREASON_FIFO_PARAMETER(hdreason_group_t, addresses, HDREASON_ENCODED_MOST *HDREASON_GROUPS));
void hdreason_tanh_steps(HDREASON_FIFO_PARAMETER(hdreason_group_t, addresses, HDREASON_ENCODED_MOST *HDREASON_GROUPS), int32_t count,
                         HDREASON_FIFO_PARAMETER(hdreason_vector_t, encodings, HDREASON_ENCODED_MOST));
void hdreason_write_rows(HDREASON_FIFO_PARAMETER(hdreason_vector_t, encodings, HDREASON_ENCODED_MOST), int32_t entities, int32_t count, int32_t shift,
                         HDREASON_PARAMETERS_MEMORY, hdreason_vector_t bindings[HDREASON_RELATIONS]);

/* Dispatcher: reads the host scheduler's requests, and fetches the hypervectors that some of them need from the memory. */
void hdreason_requests(HDREASON_PARAMETERS_REQUESTS, int32_t count, HDREASON_FIFO_PARAMETER(hdreason_request_t, orders, HDREASON_EDGES),
                       HDREASON_FIFO_PARAMETER(hdreason_id_t, wanted, HDREASON_EDGES));
void hdreason_fetch_wanted(HDREASON_PARAMETERS_MEMORY, HDREASON_FIFO_PARAMETER(hdreason_id_t, wanted, HDREASON_EDGES), int32_t count,
                           HDREASON_FIFO_PARAMETER(hdreason_vector_t, fetched, HDREASON_EDGES));

/* Memorisation IPs, one vertex each, and the cache: sums of bound neighbours, by vertex chunk and IP. */
void hdreason_memorise(HDREASON_FIFO_PARAMETER(hdreason_request_t, orders, HDREASON_EDGES), HDREASON_FIFO_PARAMETER(hdreason_vector_t, fetched, HDREASON_EDGES),
                       int32_t requests, int32_t trips, hdreason_vector_t cache[HDREASON_CACHE_VECTORS], hdreason_vector_t bindings[HDREASON_RELATIONS],
                       HDREASON_FIFO_PARAMETER(hdreason_bundle_t, bundles, HDREASON_SUBJECTS *HDREASON_IP_STEPS));

/* Reads a vertex's row, factor and shift from the host; writes its sums as elements of M, in beats, to the memory. */
void hdreason_vertices(HDREASON_PARAMETERS_VERTICES, int32_t count, HDREASON_FIFO_PARAMETER(hdreason_vertex_t, shares, HDREASON_SUBJECTS));
void hdreason_write_memory(HDREASON_FIFO_PARAMETER(hdreason_bundle_t, bundles, HDREASON_SUBJECTS *HDREASON_IP_STEPS),
                           HDREASON_FIFO_PARAMETER(hdreason_vertex_t, shares, HDREASON_SUBJECTS), int32_t count, HDREASON_PARAMETERS_MEMORY);

/* Memory: reads beats of M of all entities in order, and of M_s and H_r of every query; `ids` holds pairs (entity, relation). */
void hdreason_fetch(HDREASON_PARAMETERS_MEMORY, HDREASON_FIFO_PARAMETER(hdreason_beat_t, beats, HDREASON_ENTITIES *HDREASON_BEATS));
void hdreason_fetch_queries(HDREASON_PARAMETERS_MEMORY, int32_t ids[2 * HDREASON_BATCH],
                            HDREASON_FIFO_PARAMETER(hdreason_beat_t, asked, 2 * HDREASON_BATCH *HDREASON_BEATS));

/* Splits beats into chunks: M as a stream; M_s and H_r into the engines' memories. */
void hdreason_chunks(HDREASON_FIFO_PARAMETER(hdreason_beat_t, beats, HDREASON_ENTITIES *HDREASON_BEATS),
                     HDREASON_FIFO_PARAMETER(hdreason_chunk_t, chunks, HDREASON_ENTITIES *HDREASON_STEPS));
void hdreason_keep(HDREASON_FIFO_PARAMETER(hdreason_beat_t, asked, 2 * HDREASON_BATCH *HDREASON_BEATS), hdreason_queries_t subjects,
                   hdreason_queries_t relations);

/* Score engines, one per query: distances of M_s + H_r to every M. */
void hdreason_score(HDREASON_FIFO_PARAMETER(hdreason_chunk_t, chunks, HDREASON_ENTITIES *HDREASON_STEPS), hdreason_queries_t subjects,
                    hdreason_queries_t relations, HDREASON_FIFO_PARAMETER(hdreason_sums_t, sums, HDREASON_ENTITIES));

#if HDREASON_TRAINS
/* Training, in order. Reads the host's weights. Sums weights per entity and per query, by the sign of the differences, one chunk per step. Converts them to chunks of the memorisation IPs.
 * Sums requested rows. Applies the derivative of tanh to rows. Multiplies by H^B transposed, one block of rows at a time. Writes the result to the host. */
void hdreason_weights(HDREASON_PARAMETERS_WEIGHTS, HDREASON_FIFO_PARAMETER(hdreason_weights_t, weighted, HDREASON_ENTITIES));
void hdreason_signs(HDREASON_FIFO_PARAMETER(hdreason_chunk_t, chunks, HDREASON_ENTITIES *HDREASON_STEPS), HDREASON_FIFO_PARAMETER(hdreason_weights_t, weighted, HDREASON_ENTITIES),
                    hdreason_queries_t subjects, hdreason_queries_t relations, HDREASON_FIFO_PARAMETER(hdreason_signs_t, signs, HDREASON_SIGNED *HDREASON_STEPS));
void hdreason_bundles(HDREASON_FIFO_PARAMETER(hdreason_signs_t, signs, HDREASON_SIGNED *HDREASON_STEPS),
                      HDREASON_FIFO_PARAMETER(hdreason_bundle_t, bundles, HDREASON_SUBJECTS *HDREASON_IP_STEPS));
void hdreason_sum_rows(HDREASON_FIFO_PARAMETER(hdreason_request_t, orders, HDREASON_EDGES), HDREASON_FIFO_PARAMETER(hdreason_vector_t, fetched, HDREASON_EDGES), int32_t requests,
                       HDREASON_FIFO_PARAMETER(hdreason_bundle_t, bundles, HDREASON_SUBJECTS *HDREASON_IP_STEPS));
void hdreason_through(HDREASON_FIFO_PARAMETER(hdreason_request_t, orders, HDREASON_EDGES), HDREASON_FIFO_PARAMETER(hdreason_vector_t, fetched, HDREASON_EDGES), int32_t rows,
                      int32_t derives, hdreason_vector_t bindings[HDREASON_RELATIONS],
                      HDREASON_FIFO_PARAMETER(hdreason_through_t, through, HDREASON_ENCODED_MOST *HDREASON_IP_STEPS));
void hdreason_train(HDREASON_FIFO_PARAMETER(hdreason_through_t, through, HDREASON_ENCODED_MOST *HDREASON_IP_STEPS), int32_t rows,
                    HDREASON_FIFO_PARAMETER(hdreason_columns_t, columns, HDREASON_ENCODED_MOST *HDREASON_TRAIN_SWEEPS));
void hdreason_embeddings(HDREASON_FIFO_PARAMETER(hdreason_columns_t, columns, HDREASON_ENCODED_MOST *HDREASON_TRAIN_SWEEPS), int32_t rows, HDREASON_PARAMETERS_GRADIENTS);
#endif

/* Host: reads entity and relation of each query; writes the distances of every entity in whole words. */
void hdreason_ids(HDREASON_PARAMETERS_QUERIES, int32_t ids[2 * HDREASON_BATCH]);
void hdreason_answer(HDREASON_FIFO_PARAMETER(hdreason_sums_t, sums, HDREASON_ENTITIES), HDREASON_PARAMETERS_DISTANCES);

#ifdef __cplusplus
}
#endif

#endif
