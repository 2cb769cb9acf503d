/* SPDX-License-Identifier: MIT */ /* The kernel: encodes and memorises the graph (paper, Figure 5); then, per batch of queries, streams all entities past the score engines (Figure 6). */
#include "hdreason.h"

/* Loads the queries' vectors from the memory into the engines. */
static void hdreason_gather(HDREASON_PARAMETERS_MEMORY, int32_t ids[2 * HDREASON_BATCH], hdreason_queries_t subjects, hdreason_queries_t relations)
{
    HDREASON_DATAFLOW_GATHER
    HDREASON_LOCAL HDREASON_FIFO(hdreason_beat_t, asked, 2 * HDREASON_BATCH *HDREASON_BEATS);
    HDREASON_STREAM_ASKED
    hdreason_fetch_queries(HDREASON_ARGUMENTS_MEMORY, ids, asked);
    hdreason_keep(asked, subjects, relations);
}

/* Memory, score engines and host port in parallel. */
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

/* Encodes embeddings to hypervectors in the memory. */
static void hdreason_encoding(HDREASON_PARAMETERS_MEMORY, HDREASON_PARAMETERS_ROWS, int32_t encoded, int32_t count, int32_t address_shift, int32_t relation_shift,
                              hdreason_vector_t bindings[HDREASON_RELATIONS])
{
    HDREASON_DATAFLOW_ENCODING
    HDREASON_LOCAL HDREASON_FIFO(hdreason_host_t, embeddings, HDREASON_ENCODED_MOST *HDREASON_ROW_WORDS);
    HDREASON_STREAM_EMBEDDINGS
    HDREASON_LOCAL HDREASON_FIFO(hdreason_group_t, addresses, HDREASON_ENCODED_MOST *HDREASON_GROUPS);
    HDREASON_STREAM_ADDRESSES
    HDREASON_LOCAL HDREASON_FIFO(hdreason_vector_t, encodings, HDREASON_ENCODED_MOST);
    HDREASON_STREAM_ENCODINGS
    hdreason_rows(HDREASON_ARGUMENTS_ROWS, count, embeddings);
    hdreason_encode(embeddings, count, address_shift, addresses);
    hdreason_tanh_steps(addresses, count, encodings);
    hdreason_write_rows(encodings, encoded, count, relation_shift, HDREASON_ARGUMENTS_MEMORY, bindings);
}

/* Binds and sums scheduled neighbours into the memories of their vertices. */
static void hdreason_memorising(HDREASON_PARAMETERS_MEMORY, HDREASON_PARAMETERS_REQUESTS, HDREASON_PARAMETERS_VERTICES, int32_t asked, int32_t reads, int32_t ended,
                                int32_t trips, hdreason_vector_t cache[HDREASON_CACHE_VECTORS], hdreason_vector_t bindings[HDREASON_RELATIONS])
{
    HDREASON_DATAFLOW_MEMORISING
    HDREASON_LOCAL HDREASON_FIFO(hdreason_request_t, orders, HDREASON_EDGES);
    HDREASON_STREAM_ORDERS
    HDREASON_LOCAL HDREASON_FIFO(hdreason_id_t, wanted, HDREASON_EDGES);
    HDREASON_STREAM_WANTED
    HDREASON_LOCAL HDREASON_FIFO(hdreason_vector_t, fetched, HDREASON_EDGES);
    HDREASON_STREAM_FETCHED
    HDREASON_LOCAL HDREASON_FIFO(hdreason_bundle_t, bundles, HDREASON_SUBJECTS *HDREASON_IP_STEPS);
    HDREASON_STREAM_BUNDLES
    HDREASON_LOCAL HDREASON_FIFO(hdreason_vertex_t, shares, HDREASON_SUBJECTS);
    HDREASON_STREAM_SHARES
    hdreason_requests(HDREASON_ARGUMENTS_REQUESTS, asked, orders, wanted);
    hdreason_vertices(HDREASON_ARGUMENTS_VERTICES, ended, shares);
    hdreason_fetch_wanted(HDREASON_ARGUMENTS_MEMORY, wanted, reads, fetched);
    hdreason_memorise(orders, fetched, asked, trips, cache, bindings, bundles);
    hdreason_write_memory(bundles, shares, ended, HDREASON_ARGUMENTS_MEMORY);
}

#if HDREASON_TRAINS
/* Computes the gradients of the memories during a pass over all entities, then those of the queries. */
static void hdreason_signing(HDREASON_PARAMETERS_MEMORY, HDREASON_PARAMETERS_WEIGHTS, HDREASON_PARAMETERS_VERTICES, int32_t ended, hdreason_queries_t subjects,
                             hdreason_queries_t relations)
{
    HDREASON_DATAFLOW_SIGNING
    HDREASON_LOCAL HDREASON_FIFO(hdreason_beat_t, signs_beats, HDREASON_ENTITIES *HDREASON_BEATS);
    HDREASON_STREAM_SIGNS_BEATS
    HDREASON_LOCAL HDREASON_FIFO(hdreason_chunk_t, signs_chunks, HDREASON_ENTITIES *HDREASON_STEPS);
    HDREASON_STREAM_SIGNS_CHUNKS
    HDREASON_LOCAL HDREASON_FIFO(hdreason_weights_t, weighted, HDREASON_ENTITIES);
    HDREASON_STREAM_WEIGHTED
    HDREASON_LOCAL HDREASON_FIFO(hdreason_signs_t, signs, HDREASON_SIGNED *HDREASON_STEPS);
    HDREASON_STREAM_SIGNS
    HDREASON_LOCAL HDREASON_FIFO(hdreason_bundle_t, signs_bundles, HDREASON_SUBJECTS *HDREASON_IP_STEPS);
    HDREASON_STREAM_SIGNS_BUNDLES
    HDREASON_LOCAL HDREASON_FIFO(hdreason_vertex_t, signs_shares, HDREASON_SUBJECTS);
    HDREASON_STREAM_SIGNS_SHARES
    hdreason_fetch(HDREASON_ARGUMENTS_MEMORY, signs_beats);
    hdreason_chunks(signs_beats, signs_chunks);
    hdreason_weights(HDREASON_ARGUMENTS_WEIGHTS, weighted);
    hdreason_signs(signs_chunks, weighted, subjects, relations, signs);
    hdreason_bundles(signs, signs_bundles);
    hdreason_vertices(HDREASON_ARGUMENTS_VERTICES, ended, signs_shares);
    hdreason_write_memory(signs_bundles, signs_shares, ended, HDREASON_ARGUMENTS_MEMORY);
}

/* Sums rows of the memory into rows of the memory. */
static void hdreason_summing(HDREASON_PARAMETERS_MEMORY, HDREASON_PARAMETERS_REQUESTS, HDREASON_PARAMETERS_VERTICES, int32_t asked, int32_t ended)
{
    HDREASON_DATAFLOW_SUMMING
    HDREASON_LOCAL HDREASON_FIFO(hdreason_request_t, sums_orders, HDREASON_EDGES);
    HDREASON_STREAM_SUMS_ORDERS
    HDREASON_LOCAL HDREASON_FIFO(hdreason_id_t, sums_wanted, HDREASON_EDGES);
    HDREASON_STREAM_SUMS_WANTED
    HDREASON_LOCAL HDREASON_FIFO(hdreason_vector_t, sums_fetched, HDREASON_EDGES);
    HDREASON_STREAM_SUMS_FETCHED
    HDREASON_LOCAL HDREASON_FIFO(hdreason_bundle_t, sums_bundles, HDREASON_SUBJECTS *HDREASON_IP_STEPS);
    HDREASON_STREAM_SUMS_BUNDLES
    HDREASON_LOCAL HDREASON_FIFO(hdreason_vertex_t, sums_shares, HDREASON_SUBJECTS);
    HDREASON_STREAM_SUMS_SHARES
    hdreason_requests(HDREASON_ARGUMENTS_REQUESTS, asked, sums_orders, sums_wanted);
    hdreason_vertices(HDREASON_ARGUMENTS_VERTICES, ended, sums_shares);
    hdreason_fetch_wanted(HDREASON_ARGUMENTS_MEMORY, sums_wanted, asked, sums_fetched);
    hdreason_sum_rows(sums_orders, sums_fetched, asked, sums_bundles);
    hdreason_write_memory(sums_bundles, sums_shares, ended, HDREASON_ARGUMENTS_MEMORY);
}

/* Converts gradients of hypervectors to gradients of embeddings. */
static void hdreason_deriving(HDREASON_PARAMETERS_MEMORY, HDREASON_PARAMETERS_REQUESTS, HDREASON_PARAMETERS_GRADIENTS, int32_t asked, int32_t reads, int32_t rows, int32_t derives,
                              hdreason_vector_t bindings[HDREASON_RELATIONS])
{
    HDREASON_DATAFLOW_DERIVING
    HDREASON_LOCAL HDREASON_FIFO(hdreason_request_t, through_orders, HDREASON_EDGES);
    HDREASON_STREAM_THROUGH_ORDERS
    HDREASON_LOCAL HDREASON_FIFO(hdreason_id_t, through_wanted, HDREASON_EDGES);
    HDREASON_STREAM_THROUGH_WANTED
    HDREASON_LOCAL HDREASON_FIFO(hdreason_vector_t, through_fetched, HDREASON_EDGES);
    HDREASON_STREAM_THROUGH_FETCHED
    HDREASON_LOCAL HDREASON_FIFO(hdreason_through_t, through, HDREASON_ENCODED_MOST *HDREASON_IP_STEPS);
    HDREASON_STREAM_THROUGH
    HDREASON_LOCAL HDREASON_FIFO(hdreason_columns_t, columns, HDREASON_ENCODED_MOST *HDREASON_TRAIN_SWEEPS);
    HDREASON_STREAM_COLUMNS
    hdreason_requests(HDREASON_ARGUMENTS_REQUESTS, asked, through_orders, through_wanted);
    hdreason_fetch_wanted(HDREASON_ARGUMENTS_MEMORY, through_wanted, reads, through_fetched);
    hdreason_through(through_orders, through_fetched, rows, derives, bindings, through);
    hdreason_train(through, rows, columns);
    hdreason_embeddings(columns, rows, HDREASON_ARGUMENTS_GRADIENTS);
}
#endif

static int32_t least(uint32_t count, uint32_t most)
{
    return (int32_t)(count < most ? count : most);
}

void HDREASON_TOP(HDREASON_PARAMETERS_MEMORY, HDREASON_PARAMETERS_QUERIES, HDREASON_PARAMETERS_ROWS, HDREASON_PARAMETERS_REQUESTS, HDREASON_PARAMETERS_VERTICES,
                  HDREASON_PARAMETERS_DISTANCES,
#if HDREASON_TRAINS
                  HDREASON_PARAMETERS_WEIGHTS, HDREASON_PARAMETERS_GRADIENTS,
#endif
                  HDREASON_PARAMETERS_REGISTERS)
{
    HDREASON_TOP_INTERFACES
    static hdreason_element_t subjects[HDREASON_STEPS][HDREASON_BATCH][HDREASON_SCORE_LANES], relations[HDREASON_STEPS][HDREASON_BATCH][HDREASON_SCORE_LANES];
    HDREASON_ARRAY_PARTITION_SUBJECTS
    HDREASON_ARRAY_PARTITION_RELATIONS
    static hdreason_vector_t cache[HDREASON_CACHE_VECTORS], bindings[HDREASON_RELATIONS];
    HDREASON_AGGREGATE_CACHE
    HDREASON_AGGREGATE_BINDINGS
    HDREASON_BIND_STORAGE_CACHE
    HDREASON_BIND_STORAGE_BINDINGS
    int32_t ids[2 * HDREASON_BATCH];
    const int32_t encoded = least(encoded_count, HDREASON_ENCODED), asked = least(request_count, HDREASON_EDGES), ended = least(vertex_count, HDREASON_SUBJECTS);
    const int32_t reads = least(read_count, (uint32_t)asked);
    if (command == HDREASON_COMMAND_INFER) {
        hdreason_ids(HDREASON_ARGUMENTS_QUERIES, ids);
        hdreason_gather(HDREASON_ARGUMENTS_MEMORY, ids, subjects, relations);
        hdreason_pass(HDREASON_ARGUMENTS_MEMORY, HDREASON_ARGUMENTS_DISTANCES, subjects, relations);
#if HDREASON_TRAINS
    } else if (command == HDREASON_COMMAND_SIGNS) {
        hdreason_signing(HDREASON_ARGUMENTS_MEMORY, HDREASON_ARGUMENTS_WEIGHTS, HDREASON_ARGUMENTS_VERTICES, ended, subjects, relations);
    } else if (command == HDREASON_COMMAND_SUM) {
        hdreason_summing(HDREASON_ARGUMENTS_MEMORY, HDREASON_ARGUMENTS_REQUESTS, HDREASON_ARGUMENTS_VERTICES, asked, ended);
    } else if (command == HDREASON_COMMAND_BIND) {
        hdreason_memorising(HDREASON_ARGUMENTS_MEMORY, HDREASON_ARGUMENTS_REQUESTS, HDREASON_ARGUMENTS_VERTICES, asked, reads, ended, (int32_t)trips, cache, bindings);
    } else if (command == HDREASON_COMMAND_DERIVE || command == HDREASON_COMMAND_PASS_ON) {
        hdreason_deriving(HDREASON_ARGUMENTS_MEMORY, HDREASON_ARGUMENTS_REQUESTS, HDREASON_ARGUMENTS_GRADIENTS, asked, reads, least(vertex_count, HDREASON_ENCODED_MOST),
                          command == HDREASON_COMMAND_DERIVE, bindings);
#endif
    } else {
        hdreason_encoding(HDREASON_ARGUMENTS_MEMORY, HDREASON_ARGUMENTS_ROWS, encoded, encoded + HDREASON_RELATIONS, (int32_t)address_shift, (int32_t)relation_shift, bindings);
        hdreason_memorising(HDREASON_ARGUMENTS_MEMORY, HDREASON_ARGUMENTS_REQUESTS, HDREASON_ARGUMENTS_VERTICES, asked, reads, ended, (int32_t)trips, cache, bindings);
    }
}
