/* SPDX-License-Identifier: MIT */ /* The kernel: its stages one after another, its ports. */
#include "nysx.h"

#ifdef NYSX_COUNT
struct nysx_counts nysx_counted;
#endif

#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT
#if NYSX_CODES == NYSX_CODES_WL
static void nysx_lookup(const struct nysx_graph *graph, int32_t nodes, int32_t hop NYSX_AND_PARAMETERS_LIST)
{
    nysx_lshu(graph, nodes, hop, code_list);
}
#else
/* The LSHU's codes on their way into the list. */
static void nysx_lookup(const struct nysx_graph *graph, int32_t nodes, int32_t hop NYSX_AND_PARAMETERS_LIST)
{
    NYSX_DATAFLOW_LOOKUP
    NYSX_LOCAL NYSX_FIFO(nysx_codes_t, lookup_codes, NYSX_CODE_WORDS);
    NYSX_STREAM_LOOKUP_CODES
    nysx_lshu(graph, nodes, hop, lookup_codes);
    nysx_list(lookup_codes, nodes, hop NYSX_AND_LIST);
}
#endif

/* From a graph to the hypervector. */
static void nysx_hypervector(const struct nysx_graph *graph, nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    NYSX_LOCAL uint32_t code_list[NYSX_HOPS * NYSX_LIST_HOP];
    NYSX_ARRAY_PARTITION_CODE_LIST
NYSX_LABEL(all_hops)
    for (int32_t t = 0; t < NYSX_HOPS; t++)
        nysx_lookup(graph, graph->nodes, t NYSX_AND_LIST);
    nysx_encode(graph->nodes, hypervector NYSX_AND_LIST);
}
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

/* From a graph to C and the hypervector. */
static void nysx_hypervector(const struct nysx_graph *graph NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H,
                             nysx_kernel_t kernel[NYSX_LANDMARKS], nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    static nysx_histogram_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS];
    NYSX_LOCAL nysx_histogram_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS];
    NYSX_LOCAL nysx_kernel_t kse_sums[NYSX_HOPS][NYSX_KSE_PE][NYSX_H_ITERATIONS];
    NYSX_ARRAY_PARTITION_HUE_PRIVATE
    NYSX_DEPENDENCE_HUE_PRIVATE
    NYSX_ARRAY_PARTITION_HUE_MERGED
    NYSX_ARRAY_PARTITION_KSE_SUMS
NYSX_LABEL(all_hops)
    for (int32_t t = 0; t < NYSX_HOPS; t++) {
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

int32_t nysx_infer(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, int32_t nodes, int32_t nonzeros
                   NYSX_AND_PARAMETERS_KERNEL, nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS])
{
    NYSX_LOCAL struct nysx_graph graph;
    NYSX_AGGREGATE_GRAPH_ROW_BEGIN
    NYSX_AGGREGATE_GRAPH_ORDER
    NYSX_AGGREGATE_GRAPH_NEIGHBOUR
    NYSX_AGGREGATE_GRAPH_FEATURE
    NYSX_ARRAY_PARTITION_GRAPH_NEIGHBOUR
    NYSX_ARRAY_PARTITION_GRAPH_FEATURE
    NYSX_ARRAY_PARTITION_GRAPH_POSITION
    NYSX_ARRAY_PARTITION_GRAPH_SLOT_ROW
    NYSX_ARRAY_PARTITION_GRAPH_SLOT_BEGIN
    NYSX_ARRAY_PARTITION_GRAPH_SLOT_LENGTH
    NYSX_ARRAY_PARTITION_GRAPH_SLOT_SCALE
    int32_t status = nysx_query(NYSX_ARGUMENTS_QUERY, nodes, nonzeros, &graph);
    if (status != 0)
        return status;
    nysx_hypervector(&graph NYSX_AND_ARGUMENTS_P NYSX_AND_ARGUMENTS_H NYSX_AND_KERNEL, hypervector);
    return nysx_sce(hypervector);
}

void nysx_top(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, NYSX_PARAMETERS_ANSWER, int32_t command,
              int32_t nodes, int32_t nonzeros)
{
    NYSX_INTERFACE_QUERY
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
    NYSX_INTERFACE_P
#endif
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
    NYSX_INTERFACE_H
#endif
    NYSX_INTERFACE_ANSWER
    NYSX_INTERFACE_CONTROL
#if NYSX_NEE_FORM != NYSX_NEE_FORM_DIRECT
    NYSX_LOCAL nysx_kernel_t kernel[NYSX_LANDMARKS];
#endif
    NYSX_LOCAL nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS];
    NYSX_ARRAY_PARTITION_HYPERVECTOR
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
    answer[0] = nysx_infer(NYSX_ARGUMENTS_QUERY NYSX_AND_ARGUMENTS_P NYSX_AND_ARGUMENTS_H, nodes, nonzeros
                           NYSX_AND_KERNEL, hypervector);
}
