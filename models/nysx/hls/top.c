/* SPDX-License-Identifier: MIT */ /* The kernel: its stages in sequence, and its ports. */
#include "nysx.h"

#ifdef NYSX_COUNT
struct nysx_counts nysx_counted;
#endif

/* Whether graphs overlap step by step; otherwise as a whole. */
#define NYSX_STEPS (NYSX_OVERLAP == NYSX_OVERLAP_ENGINES || NYSX_OVERLAP == NYSX_OVERLAP_GRAPHS)

#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT
#if NYSX_CODES == NYSX_CODES_WL
static void nysx_lookup(const struct nysx_graph *graph, int32_t nodes, int32_t hop NYSX_AND_PARAMETERS_LIST)
{
    nysx_lshu(graph, nodes, hop, code_list);
}
#else
/* Appends the LSHU's codes to the list. */
static void nysx_lookup(const struct nysx_graph *graph, int32_t nodes, int32_t hop NYSX_AND_PARAMETERS_LIST)
{
    NYSX_DATAFLOW_LOOKUP
    NYSX_LOCAL NYSX_FIFO(nysx_codes_t, lookup_codes, NYSX_CODE_WORDS);
    NYSX_STREAM_LOOKUP_CODES
    nysx_lshu(graph, nodes, hop, lookup_codes);
    nysx_list(lookup_codes, nodes, hop NYSX_AND_LIST);
}
#endif

/* Computes all codes of a graph. */
static void nysx_hops(const struct nysx_graph *graph NYSX_AND_PARAMETERS_LIST)
{
NYSX_LABEL(all_hops)
    for (int32_t t = 0; t < NYSX_PASSES / NYSX_LSHU_DRAWS; t++)
        nysx_lookup(graph, graph->nodes, t NYSX_AND_LIST);
}

#if !NYSX_STEPS
/* Computes a graph's hypervector. */
static void nysx_hypervector(const struct nysx_graph *graph, nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    NYSX_LOCAL uint32_t code_list[NYSX_PASSES * NYSX_LIST_HOP];
    NYSX_ARRAY_PARTITION_CODE_LIST
    nysx_hops(graph NYSX_AND_LIST);
    nysx_encode(graph->nodes, hypervector NYSX_AND_LIST);
}
#endif
#else
/* LSHU, MPHE and HUE on a stream of codes. */
static void nysx_lookup(const struct nysx_graph *graph, int32_t nodes, int32_t hop,
                        nysx_histogram_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS])
{
    NYSX_DATAFLOW_LOOKUP
    NYSX_LOCAL NYSX_FIFO(nysx_codes_t, lookup_codes, NYSX_CODE_WORDS);
    NYSX_LOCAL NYSX_FIFO(nysx_bins_t, lookup_bins, NYSX_CODE_WORDS);
    NYSX_STREAM_LOOKUP_CODES
    NYSX_STREAM_LOOKUP_BINS
    nysx_lshu(graph, nodes, hop, lookup_codes);
    nysx_mphe(lookup_codes, nodes, hop, lookup_bins);
    nysx_hue(lookup_bins, nodes, hue_private);
}

/* Computes a graph's C and hypervector. */
static void nysx_hypervector(const struct nysx_graph *graph NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H,
                             nysx_kernel_t kernel[NYSX_LANDMARKS], nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    static nysx_histogram_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS];
    NYSX_LOCAL nysx_histogram_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS];
    NYSX_LOCAL nysx_kernel_t kse_sums[NYSX_PASSES][NYSX_KSE_PE][NYSX_H_ITERATIONS];
    NYSX_ARRAY_PARTITION_HUE_PRIVATE
    NYSX_DEPENDENCE_HUE_PRIVATE
    NYSX_ARRAY_PARTITION_HUE_MERGED
    NYSX_ARRAY_PARTITION_KSE_SUMS
NYSX_LABEL(all_hops)
    for (int32_t t = 0; t < NYSX_PASSES / NYSX_LSHU_DRAWS; t++) {
        nysx_lookup(graph, graph->nodes, t, hue_private);
        nysx_hue_merge(t, hue_private, hue_merged);
        nysx_kse(t, hue_merged, kse_sums NYSX_AND_ARGUMENTS_H);
    }
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
    nysx_encode(NYSX_ARGUMENTS_P, kse_sums, kernel, hypervector);
#else
    nysx_encode(kse_sums, kernel, hypervector);
#endif
}
#endif

#define GRAPH_MEMORIES \
    NYSX_AGGREGATE_GRAPH_ROW_BEGIN NYSX_AGGREGATE_GRAPH_ORDER NYSX_AGGREGATE_GRAPH_NEIGHBOUR NYSX_AGGREGATE_GRAPH_FEATURE \
    NYSX_ARRAY_PARTITION_GRAPH_NEIGHBOUR NYSX_ARRAY_PARTITION_GRAPH_FEATURE NYSX_ARRAY_PARTITION_GRAPH_POSITION \
    NYSX_ARRAY_PARTITION_GRAPH_SLOT_ROW NYSX_ARRAY_PARTITION_GRAPH_SLOT_BEGIN NYSX_ARRAY_PARTITION_GRAPH_SLOT_LENGTH \
    NYSX_ARRAY_PARTITION_GRAPH_SLOT_SCALE

#if !NYSX_STEPS
int32_t nysx_infer(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, int32_t first, int32_t nodes, int32_t nonzeros
                   NYSX_AND_PARAMETERS_KERNEL, nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    NYSX_LOCAL struct nysx_graph graph;
    GRAPH_MEMORIES
    int32_t status = nysx_query(NYSX_ARGUMENTS_QUERY, first, nodes, nonzeros, &graph);
    if (status != 0)
        return status;
    nysx_hypervector(&graph NYSX_AND_ARGUMENTS_P NYSX_AND_ARGUMENTS_H NYSX_AND_KERNEL, hypervector);
    return nysx_sce(hypervector);
}
#else
/* Steps between which graphs are pipelined. A rejected query has no codes. */
static int32_t nysx_front(const struct nysx_graph *graph, int32_t status NYSX_AND_PARAMETERS_LIST)
{
    if (status == 0)
        nysx_hops(graph NYSX_AND_LIST);
    return status == 0 ? graph->nodes : 0;
}

static int32_t nysx_back(int32_t nodes, int32_t status, nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS] NYSX_AND_PARAMETERS_LIST)
{
    if (status != 0)
        return status;
    nysx_encode(nodes, hypervector NYSX_AND_LIST);
    return nysx_sce(hypervector);
}

#ifndef __SYNTHESIS__
int32_t nysx_infer(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, int32_t first, int32_t nodes, int32_t nonzeros
                   NYSX_AND_PARAMETERS_KERNEL, nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    static struct nysx_graph graph;
    static uint32_t code_list[NYSX_PASSES * NYSX_LIST_HOP];
    int32_t status = nysx_query(NYSX_ARGUMENTS_QUERY, first, nodes, nonzeros, &graph);
    return nysx_back(nysx_front(&graph, status NYSX_AND_LIST), status, hypervector NYSX_AND_LIST);
}
#endif
#endif

#if NYSX_OVERLAP == NYSX_OVERLAP_NONE
void nysx_top(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, NYSX_PARAMETERS_ANSWER, int32_t command,
              int32_t nodes, int32_t nonzeros)
#else
/* Processes of the queue, each on a different graph. Descriptors are read one graph ahead; answers are written one graph later. */
static void nysx_fetch(NYSX_PARAMETERS_RING, int32_t first, int32_t i, int32_t *nodes, int32_t *nonzeros)
{
    nysx_query_word_t word[1];
    NYSX_READ_RING(word, NYSX_SLOT(first + i));
    *nodes = (int32_t)NYSX_PART_QUERY_WORD(word[0], 0);
    *nonzeros = (int32_t)NYSX_PART_QUERY_WORD(word[0], 1);
}

static void nysx_reply(NYSX_PARAMETERS_ANSWER, int32_t first, int32_t i, int32_t status)
{
    answer[NYSX_SLOT(first + i)] = status;
}

#if !NYSX_STEPS
static void nysx_serve(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, int32_t first, int32_t i, int32_t nodes,
                       int32_t nonzeros, int32_t *status)
{
#if NYSX_NEE_FORM != NYSX_NEE_FORM_DIRECT
    NYSX_LOCAL nysx_kernel_t kernel[NYSX_LANDMARKS];
#endif
    NYSX_LOCAL nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS];
    NYSX_ARRAY_PARTITION_HYPERVECTOR
    *status = nysx_infer(NYSX_ARGUMENTS_QUERY NYSX_AND_ARGUMENTS_P NYSX_AND_ARGUMENTS_H, NYSX_SLOT(first + i) * NYSX_QUERY_WORDS,
                         nodes, nonzeros NYSX_AND_KERNEL, hypervector);
}
#else
static void nysx_bring(NYSX_PARAMETERS_QUERY, int32_t first, int32_t i, int32_t nodes, int32_t nonzeros, struct nysx_graph *graph,
                       int32_t *status)
{
    *status = nysx_query(NYSX_ARGUMENTS_QUERY, NYSX_SLOT(first + i) * NYSX_QUERY_WORDS, nodes, nonzeros, graph);
}

static void nysx_list_codes(const struct nysx_graph *graph, int32_t brought, int32_t *nodes, int32_t *status NYSX_AND_PARAMETERS_LIST)
{
    *nodes = nysx_front(graph, brought NYSX_AND_LIST);
    *status = brought;
}

#if NYSX_OVERLAP == NYSX_OVERLAP_ENGINES
static void nysx_bring_codes(NYSX_PARAMETERS_QUERY, int32_t first, int32_t i, int32_t asked, int32_t nonzeros, int32_t *nodes,
                             int32_t *status NYSX_AND_PARAMETERS_LIST)
{
    int32_t brought;
    NYSX_LOCAL struct nysx_graph graph;
    GRAPH_MEMORIES
    nysx_bring(NYSX_ARGUMENTS_QUERY, first, i, asked, nonzeros, &graph, &brought);
    nysx_list_codes(&graph, brought, nodes, status NYSX_AND_LIST);
}
#endif

static void nysx_decide(int32_t nodes, int32_t listed, int32_t *status NYSX_AND_PARAMETERS_LIST)
{
    NYSX_LOCAL nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS];
    NYSX_ARRAY_PARTITION_HYPERVECTOR
    *status = nysx_back(nodes, listed, hypervector NYSX_AND_LIST);
}
#endif

/* One graph after another; ping-pong buffers connect the processes. */
static void nysx_queue(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, NYSX_PARAMETERS_RING, NYSX_PARAMETERS_ANSWER,
                       int32_t first, int32_t count)
{
NYSX_LABEL(queue_graphs)
    for (int32_t i = 0; i < count; i++) {
        NYSX_DATAFLOW_QUEUE_GRAPHS
        int32_t nodes, nonzeros, status;
        nysx_fetch(NYSX_ARGUMENTS_RING, first, i, &nodes, &nonzeros);
#if !NYSX_STEPS
        nysx_serve(NYSX_ARGUMENTS_QUERY NYSX_AND_ARGUMENTS_P NYSX_AND_ARGUMENTS_H, first, i, nodes, nonzeros, &status);
#else
        int32_t listed_nodes, listed;
        NYSX_LOCAL uint32_t code_list[NYSX_PASSES * NYSX_LIST_HOP];
        NYSX_ARRAY_PARTITION_CODE_LIST
#if NYSX_OVERLAP == NYSX_OVERLAP_ENGINES
        nysx_bring_codes(NYSX_ARGUMENTS_QUERY, first, i, nodes, nonzeros, &listed_nodes, &listed NYSX_AND_LIST);
#else
        int32_t brought;
        NYSX_LOCAL struct nysx_graph graph;
        GRAPH_MEMORIES
        nysx_bring(NYSX_ARGUMENTS_QUERY, first, i, nodes, nonzeros, &graph, &brought);
        nysx_list_codes(&graph, brought, &listed_nodes, &listed NYSX_AND_LIST);
#endif
        nysx_decide(listed_nodes, listed, &status NYSX_AND_LIST);
#endif
        nysx_reply(NYSX_ARGUMENTS_ANSWER, first, i, status);
    }
}

void nysx_top(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, NYSX_PARAMETERS_RING, NYSX_PARAMETERS_ANSWER,
              int32_t command, int32_t first, int32_t count)
#endif
{
    NYSX_INTERFACE_QUERY
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
    NYSX_INTERFACE_P
#endif
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
    NYSX_INTERFACE_H
#endif
#if NYSX_OVERLAP != NYSX_OVERLAP_NONE
    NYSX_INTERFACE_RING
#endif
    NYSX_INTERFACE_ANSWER
    NYSX_INTERFACE_CONTROL
#if NYSX_LOADS_TABLES
    static int32_t loaded;
    if (command == NYSX_COMMAND_LOAD) {
        nysx_load(NYSX_ARGUMENTS_QUERY);
        loaded = 1;
        answer[0] = 0;
        return;
    }
    if (!loaded) {
        answer[0] = NYSX_NOT_LOADED;
        return;
    }
#else
    (void)command; /* nothing to load */
#endif
#if NYSX_OVERLAP == NYSX_OVERLAP_NONE
#if NYSX_NEE_FORM != NYSX_NEE_FORM_DIRECT
    NYSX_LOCAL nysx_kernel_t kernel[NYSX_LANDMARKS];
#endif
    NYSX_LOCAL nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS];
    NYSX_ARRAY_PARTITION_HYPERVECTOR
    answer[0] = nysx_infer(NYSX_ARGUMENTS_QUERY NYSX_AND_ARGUMENTS_P NYSX_AND_ARGUMENTS_H, 0, nodes, nonzeros
                           NYSX_AND_KERNEL, hypervector);
#else
    nysx_queue(NYSX_ARGUMENTS_QUERY NYSX_AND_ARGUMENTS_P NYSX_AND_ARGUMENTS_H, NYSX_ARGUMENTS_RING, NYSX_ARGUMENTS_ANSWER, first, count);
#endif
}
