/* The NysX accelerator in C for Vitis HLS: what its engines say to one another.
 *
 * Sizes, types and directives come from the emitted nysx_config.h, the trained tables from the emitted nysx_model.h;
 * nothing else is included but the C library's own headers. The engines follow the executor's arithmetic to the bit:
 * every sum runs in the same order, and a product is rounded before it is added (-ffp-contract=off). */
#ifndef NYSX_H
#define NYSX_H

#include "nysx_config.h"

/* What the answer port gives in place of a class. */
#define NYSX_TOO_MANY_NODES (-1)
#define NYSX_TOO_MANY_NONZEROS (-2)
#define NYSX_BAD_GRAPH (-3) /* row pointers that fall, or a neighbour that is no node */

/* The name that a loop's directives and reports know it by; a label that nothing jumps to elsewhere. */
#ifdef __SYNTHESIS__
#define NYSX_LABEL(name) name:
#else
#define NYSX_LABEL(name)
#endif

/* Arrays of a function: on the chip in synthesis, too large for the stack in C simulation. */
#ifdef __SYNTHESIS__
#define NYSX_LOCAL
#else
#define NYSX_LOCAL static
#endif

/* The landmark histograms: a port of the kernel where they lie in external memory. */
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
#define NYSX_AND_PARAMETERS_H , NYSX_PARAMETERS_H
#define NYSX_AND_ARGUMENTS_H , NYSX_ARGUMENTS_H
#define NYSX_H_ENTRY(pe, at) NYSX_ARGUMENTS_H[(pe) * NYSX_H_BANK_ENTRIES + (at)]
#else
#define NYSX_AND_PARAMETERS_H
#define NYSX_AND_ARGUMENTS_H
#define NYSX_H_ENTRY(pe, at) nysx_h_entries[pe][at]
#endif

/* What the engines did, counted in C simulation alone. */
#ifdef NYSX_COUNT
struct nysx_counts {
    uint64_t propagated; /* non-zeros of A that the LSHU added */
    uint64_t probes;     /* levels that the MPHE looked into */
    uint64_t hits;       /* codes that the HUE counted */
    uint64_t similar;    /* non-zeros of H that the KSE multiplied */
    uint64_t words;      /* words of P_nys that came through the ports */
    uint64_t products;   /* elements of P_nys that the NEE multiplied */
};
extern struct nysx_counts nysx_counted;
#define NYSX_TALLY(what, amount) (nysx_counted.what += (uint64_t)(amount))
#else
#define NYSX_TALLY(what, amount) ((void)0)
#endif

/* A and F of one query, and the order in which its rows are taken. */
struct nysx_graph {
    int32_t nodes;
    nysx_index_t row_begin[NYSX_MAX_NODES + 1];
    nysx_index_t neighbour[NYSX_MAX_NNZ];
    nysx_index_t order[NYSX_MAX_NODES];
    nysx_feature_t feature[NYSX_MAX_NODES][NYSX_FEATURE_ONEHOT ? 1 : NYSX_FEATURE_COLUMNS];
};

/* Reads a query from memory and makes the schedule where that is the logic's part. 0, or one of the codes above.
 * Each of the four arrays (row pointers, neighbours, order where the processor makes it, features) starts a word. */
int32_t nysx_query(NYSX_PARAMETERS_QUERY, int32_t nodes, int32_t nonzeros, struct nysx_graph *graph);

/* LSHU: the codes of every node at one hop, in the schedule's order. */
void nysx_lshu(const struct nysx_graph *graph, int32_t hop, int64_t codes[NYSX_MAX_NODES]);

/* MPHE: the bin of each code, −1 where the codebook has none. */
void nysx_mphe(const int64_t codes[NYSX_MAX_NODES], int32_t nodes, int32_t hop, nysx_bin_t bins[NYSX_MAX_NODES]);

/* HUE: counts the bins, each PE in a histogram of its own. */
void nysx_hue(const nysx_bin_t bins[NYSX_MAX_NODES], int32_t nodes,
              nysx_count_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS][NYSX_BINS_PER_WORD]);

/* Adds the private histograms up, clears them, and writes the sum to the copies that the KSE reads. */
void nysx_hue_merge(int32_t hop, nysx_count_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS][NYSX_BINS_PER_WORD],
                    nysx_count_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS][NYSX_BINS_PER_WORD]);

/* KSE: adds H(t) h(t) to C. */
void nysx_kse(int32_t hop, const nysx_count_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS][NYSX_BINS_PER_WORD],
              nysx_kernel_t kernel[NYSX_LANDMARKS] NYSX_AND_PARAMETERS_H);

/* NEE with its memory ports: the hypervector, a bit an element, 1 for +1. */
void nysx_encode(NYSX_PARAMETERS_P, const nysx_kernel_t kernel[NYSX_LANDMARKS],
                 uint8_t hypervector[NYSX_HYPERVECTOR_WORDS][NYSX_NEE_LANES]);

/* SCE: the class whose prototype has the largest cosine. */
int32_t nysx_sce(const uint8_t hypervector[NYSX_HYPERVECTOR_WORDS][NYSX_NEE_LANES]);

/* One inference with what lies between its stages: C and the hypervector. A class, or one of the codes above. */
int32_t nysx_infer(NYSX_PARAMETERS_QUERY, NYSX_PARAMETERS_P NYSX_AND_PARAMETERS_H, int32_t nodes, int32_t nonzeros,
                   nysx_kernel_t kernel[NYSX_LANDMARKS],
                   uint8_t hypervector[NYSX_HYPERVECTOR_WORDS][NYSX_NEE_LANES]);

/* The kernel. */
void nysx_top(NYSX_PARAMETERS_QUERY, NYSX_PARAMETERS_P NYSX_AND_PARAMETERS_H, NYSX_PARAMETERS_ANSWER, int32_t nodes,
              int32_t nonzeros);

#endif
