/* SPDX-License-Identifier: MIT */ /* The NysX accelerator in C for Vitis HLS: the interfaces of its engines.
 *
 * Sizes, types and directives come from the emitted nysx_config.h, the trained tables from the emitted nysx_model.h;
 * all other headers are the C library's. The engines compute bit for bit like the executor:
 * every sum runs in the same order, and a product is rounded before it is added (-ffp-contract=off). */
#ifndef NYSX_H
#define NYSX_H

#include "nysx_config.h"

/* FIFOs between processes: one element of `type` per place, at most `words` of them; each is put and taken once, in order. The
 * vendor's streams need no place. */
#ifdef NYSX_VENDOR_TYPES
#define NYSX_FIFO(type, name, words) hls::stream<type> name
#define NYSX_FIFO_PARAMETER(type, name, words) hls::stream<type> &name
#define NYSX_FIFOS(type, name, count, words) hls::stream<type> name[count]
#define NYSX_TAKE(fifo, at) ((void)(at), (fifo).read())
#define NYSX_PUT(fifo, at, element) ((void)(at), (fifo).write(element))
#else
#define NYSX_FIFO(type, name, words) type name[words]
#define NYSX_FIFO_PARAMETER(type, name, words) type name[words]
#define NYSX_FIFOS(type, name, count, words) type name[count][words]
#define NYSX_TAKE(fifo, at) ((fifo)[at])
#define NYSX_PUT(fifo, at, element) ((void)((fifo)[at] = (element)))
#endif

/* Commands of a kernel. */
#define NYSX_COMMAND_INFER 0
#define NYSX_COMMAND_LOAD 1 /* the tables that UltraRAM holds, from the query's port: once, before the first query */

/* Error answers in place of a class. */
#define NYSX_TOO_MANY_NODES (-1)
#define NYSX_TOO_MANY_NONZEROS (-2)
#define NYSX_BAD_GRAPH (-3)  /* decreasing row pointers, or an index that is not a node */
#define NYSX_NOT_LOADED (-4) /* a query before the tables of UltraRAM */

/* An element of a hypervector, 1 for +1; one bit wide in synthesis. */
#ifdef __cplusplus
typedef bool nysx_bit_t;
#else
typedef _Bool nysx_bit_t;
#endif

/* The number of IEEE single precision that has these bits. */
static inline float nysx_real(uint32_t bits)
{
    union {
        uint32_t bits;
        float real;
    } value;
    value.bits = bits;
    return value.real;
}

/* The name of a loop in directives and reports: a label in synthesis, nothing in C simulation. */
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

/* The ports that some configurations alone have, and what goes with them. */
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
#define NYSX_AND_PARAMETERS_P , NYSX_PARAMETERS_P
#define NYSX_AND_ARGUMENTS_P , NYSX_ARGUMENTS_P
#define NYSX_AND_PARAMETERS_STEPS , NYSX_FIFO_PARAMETER(nysx_p_step_t, nee_steps, NYSX_P_STEPS)
#define NYSX_AND_STEPS , nee_steps
#else
#define NYSX_AND_PARAMETERS_P
#define NYSX_AND_ARGUMENTS_P
#define NYSX_AND_PARAMETERS_STEPS
#define NYSX_AND_STEPS
#endif
#if NYSX_PLACE_H == NYSX_PLACE_H_DDR
#define NYSX_AND_PARAMETERS_H , NYSX_PARAMETERS_H
#define NYSX_AND_ARGUMENTS_H , NYSX_ARGUMENTS_H
#else
#define NYSX_AND_PARAMETERS_H
#define NYSX_AND_ARGUMENTS_H
#endif

/* The direct form has no C, but a list of the codes of all hops, NYSX_LIST_HOP places each. */
#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT
#define NYSX_AND_PARAMETERS_LIST , uint32_t code_list[NYSX_HOPS * NYSX_LIST_HOP]
#define NYSX_AND_LIST , code_list
#define NYSX_AND_PARAMETERS_KERNEL
#define NYSX_AND_KERNEL
#else
#define NYSX_AND_PARAMETERS_LIST
#define NYSX_AND_LIST
#define NYSX_AND_PARAMETERS_KERNEL , nysx_kernel_t kernel[NYSX_LANDMARKS]
#define NYSX_AND_KERNEL , kernel
#endif

/* Counts of the engines, in C simulation only. */
#ifdef NYSX_COUNT
#define NYSX_COUNTERS(COUNTER) \
    COUNTER(query_bytes)     /* of A, its schedule and F */ \
    COUNTER(lshu_passes)     /* over a vector, dense and sparse */ \
    COUNTER(lshu_slots)      /* cycles of the sparse ones: the longest row of each turn */ \
    COUNTER(lshu_cycles)     /* and of its ring of contexts, those without a turn counted too */ \
    COUNTER(lshu_additions)  /* non-zeros of A that were added */ \
    COUNTER(probes)          /* levels that the MPHE looked into */ \
    COUNTER(updates)         /* codes that the HUE counted */ \
    COUNTER(merged_words)    /* words of histograms that it merged */ \
    COUNTER(kse_slots)       /* cycles of the KSE: the longest row of each turn */ \
    COUNTER(kse_products)    /* non-zeros of H that were multiplied */ \
    COUNTER(h_words)         /* words of H that came through its port */ \
    COUNTER(port_words)      /* words of P_nys that came through the ports */ \
    COUNTER(resident_words)  /* words of P_nys read on the chip */ \
    COUNTER(entries)         /* entries of P_rp made */ \
    COUNTER(phi_steps)       /* cycles of the lanes that make φ */ \
    COUNTER(nee_steps)       /* cycles of the NEE's lanes */ \
    COUNTER(list_words)      /* words of the direct form's list */ \
    COUNTER(table_steps)     /* of it: codes through the table, and places swept */ \
    COUNTER(sce_words)       /* words of prototypes that the SCE read */
struct nysx_counts {
#define NYSX_COUNTER(name) uint64_t name;
    NYSX_COUNTERS(NYSX_COUNTER)
#ifdef NYSX_LOOPS
    uint64_t entered[NYSX_LOOPS], turned[NYSX_LOOPS], fresh[NYSX_LOOPS]; /* with an iteration at all; iterations */
#endif
};
extern struct nysx_counts nysx_counted;
#ifdef NYSX_LOOPS /* and what each loop did, where a counter was put before and into it */
#define NYSX_ENTER(loop) (nysx_counted.fresh[loop] = 1)
#define NYSX_TURN(loop)                                                        \
    (nysx_counted.entered[loop] += nysx_counted.fresh[loop],                   \
     nysx_counted.fresh[loop] = 0, nysx_counted.turned[loop]++)
#endif
#define NYSX_TALLY(what, amount) (nysx_counted.what += (uint64_t)(amount))
#else
#define NYSX_TALLY(what, amount) ((void)0)
#endif

/* Elements of a word of the query's port. */
#define NYSX_INDICES_A_WORD (NYSX_QUERY_PORT_BITS / NYSX_INDEX_BITS)
#define NYSX_FEATURE_SIZE ((int32_t)sizeof(nysx_feature_t) * 8)
#define NYSX_FEATURES_A_WORD (NYSX_QUERY_PORT_BITS / NYSX_FEATURE_SIZE)
#define NYSX_FEATURES_A_NODE (NYSX_FEATURE_ONEHOT ? 1 : NYSX_FEATURE_COLUMNS)

/* Element `index` of a word, `bits` wide. Parts are chosen, not indexed: a word is registers. */
static inline uint32_t nysx_field(nysx_query_word_t word, int32_t index, int32_t bits)
{
    int32_t first = index * bits;
    uint32_t part = NYSX_PART_QUERY_WORD(word, 0);
NYSX_LABEL(query_parts)
    for (int32_t i = 1; i < NYSX_QUERY_PORT_BITS / 32; i++) {
        NYSX_UNROLL_QUERY_PARTS
        part = first / 32 == i ? NYSX_PART_QUERY_WORD(word, i) : part;
    }
    part >>= first % 32;
    return bits == 32 ? part : part & (((uint32_t)1 << bits) - 1);
}

/* A and F of one query as the words that brought them, and its rows in the order of A's schedule: turn after turn a row
 * a PE. Each PE reads anywhere in A's columns and in F, two PEs per copy. */
struct nysx_graph {
    int32_t nodes, turns;
    nysx_query_word_t row_begin[NYSX_POINTER_WORDS];
    nysx_query_word_t order[NYSX_ORDER_WORDS];
    nysx_query_word_t neighbour[NYSX_LSHU_COPIES][NYSX_NNZ_WORDS];
    nysx_query_word_t feature[NYSX_LSHU_COPIES][NYSX_FEATURE_WORDS];
    nysx_index_t position[NYSX_LSHU_COPIES][NYSX_MAX_NODES]; /* of a node in the order */
    nysx_index_t slot_row[NYSX_LSHU_PE][NYSX_LSHU_TURNS];
    nysx_index_t slot_begin[NYSX_LSHU_PE][NYSX_LSHU_TURNS], slot_length[NYSX_LSHU_PE][NYSX_LSHU_TURNS];
    float slot_scale[NYSX_LSHU_PE][NYSX_LSHU_TURNS]; /* 1 / length, where A is row-normalised */
    nysx_index_t slot_longest[NYSX_LSHU_TURNS];      /* row of each turn, at least 1 */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the query that begins at word `first` of its memory, and makes the schedule where that is the logic's part. 0, or one of the codes above.
 * Each of the four arrays (row pointers, neighbours, order where something propagates and the processor makes it,
 * features) starts a word. */
int32_t nysx_query(NYSX_PARAMETERS_QUERY, int32_t first, int32_t nodes, int32_t nonzeros, struct nysx_graph *graph);

/* The mixer of 32 bits ("lowbias32", C. Wellons, 2018); a code as 32 bits. */
static inline uint32_t nysx_mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static inline uint32_t nysx_salt(int32_t hop)
{
    return 0x9e3779b9u * (uint32_t)(hop + 1);
}

static inline uint32_t nysx_fold_salted(uint64_t code, uint32_t salt)
{
    return nysx_mix((uint32_t)code + nysx_mix((uint32_t)(code >> 32) + salt));
}

static inline uint32_t nysx_fold(uint64_t code, int32_t hop)
{
    return nysx_fold_salted(code, nysx_salt(hop));
}

/* Output of the LSHU: one code per lane. */
typedef struct {
    int64_t lane[NYSX_CODE_LANES];
} nysx_codes_t;

/* LSHU: the codes of every node at one hop, in the order of the schedule. Hops are asked for in ascending order, from 0. */
#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT && NYSX_CODES == NYSX_CODES_WL
#define NYSX_PARAMETERS_CODES uint32_t code_list[NYSX_HOPS * NYSX_LIST_HOP]
#else
#define NYSX_PARAMETERS_CODES NYSX_FIFO_PARAMETER(nysx_codes_t, codes, NYSX_CODE_WORDS)
#endif
void nysx_lshu(const struct nysx_graph *graph, int32_t nodes, int32_t hop, NYSX_PARAMETERS_CODES);

#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT
/* Writes LSH codes as 32 bits into the list; Weisfeiler-Lehman codes are there without it. */
void nysx_list(NYSX_FIFO_PARAMETER(nysx_codes_t, codes, NYSX_CODE_WORDS), int32_t nodes, int32_t hop NYSX_AND_PARAMETERS_LIST);
#else

/* One bin per lane. */
typedef struct {
    nysx_bin_t lane[NYSX_MPHE_LOOKUPS];
} nysx_bins_t;

/* MPHE: the bin of each code, −1 where the codebook has none. */
void nysx_mphe(NYSX_PARAMETERS_CODES, int32_t nodes, int32_t hop, NYSX_FIFO_PARAMETER(nysx_bins_t, bins, NYSX_CODE_WORDS));

/* HUE: counts the bins, each PE in a histogram of its own; two counts share a word, the lower bin low. */
void nysx_hue(NYSX_FIFO_PARAMETER(nysx_bins_t, bins, NYSX_CODE_WORDS), int32_t nodes,
              nysx_histogram_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS]);

/* Adds the private histograms up, clears them, and writes the sum to the copies that the KSE reads. */
void nysx_hue_merge(int32_t hop, nysx_histogram_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS],
                    nysx_histogram_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS]);

/* KSE: H(t) h(t), one sum per row, at its PE and turn. */
typedef nysx_kernel_t nysx_sums_t[NYSX_HOPS][NYSX_KSE_PE][NYSX_H_ITERATIONS];
void nysx_kse(int32_t hop, nysx_histogram_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS],
              nysx_sums_t kse_sums NYSX_AND_PARAMETERS_H);

/* An element of C: its rows' sums over the hops. */
nysx_kernel_t nysx_gathered(nysx_sums_t kse_sums, int32_t landmark);

/* Of the NEE: an element of P as it enters the arithmetic, and what a row of P is multiplied by. */
#if NYSX_NEE_FORM == NYSX_NEE_FORM_FACTORED
#define NYSX_NEE_COLUMNS NYSX_RANK
typedef nysx_phi_t nysx_factor_t;
#if NYSX_NEE_PHI_BITS == NYSX_NEE_PHI_BITS_FP32
typedef float nysx_term_t;
#else
typedef int32_t nysx_term_t;
#endif
#else
#define NYSX_NEE_COLUMNS NYSX_LANDMARKS
#if NYSX_NEE_PRECISION < NYSX_NEE_PRECISION_INT16
typedef float nysx_term_t;
#else
typedef int32_t nysx_term_t;
#endif
typedef nysx_term_t nysx_factor_t;
#endif

/* Where the elements of P come from. */
struct nysx_p_source {
#if NYSX_NEE_FORM != NYSX_NEE_FORM_FACTORED
    int32_t next; /* step or word */
#else
    uint64_t state[2][NYSX_NEE_GENERATORS]; /* of this group's generators and of the next's */
#endif
};

/* From the first element on. */
void nysx_p_open(struct nysx_p_source *source);

/* The elements of a column's rows, for the lanes; whatever past the last row. Groups, columns and turns are asked for in
 * ascending order. */
void nysx_p_take(struct nysx_p_source *source, int32_t group, int32_t column, int32_t turn,
                 nysx_term_t elements[NYSX_NEE_LANES] NYSX_AND_PARAMETERS_STEPS);

#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
/* Moves P_nys from memory into the FIFOs, one word of every port at a time. */
void nysx_p_read(NYSX_PARAMETERS_P, NYSX_FIFOS(nysx_p_word_t, nee_fifo, NYSX_NEE_PORTS, NYSX_P_PORT_WORDS));

/* Steps of the lanes out of the words: one word of every port or one step per iteration, or both. */
void nysx_p_gather(NYSX_FIFOS(nysx_p_word_t, nee_fifo, NYSX_NEE_PORTS, NYSX_P_PORT_WORDS),
                   NYSX_FIFO_PARAMETER(nysx_p_step_t, nee_steps, NYSX_P_STEPS));
#endif

/* An element of P_nys from its stored bits. */
nysx_term_t nysx_element(uint32_t bits);

/* An element of C, less its training mean if the design centres C; no wider than C can be. */
int32_t nysx_centred(nysx_kernel_t element, int32_t landmark);

#if NYSX_NEE_FORM == NYSX_NEE_FORM_FACTORED
/* φ of the factored form, and C itself. */
void nysx_phi(nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS], nysx_phi_t phi[NYSX_RANK]);
#endif

/* NEE with its memory ports: C, and the hypervector, one bit per element, 1 for +1. */
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
void nysx_encode(NYSX_PARAMETERS_P, nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS],
                 nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS]);
#else
void nysx_encode(nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS],
                 nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS]);
#endif
#endif

#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT
/* NEE: the hypervector of a list of codes, one bit per element, 1 for +1. */
void nysx_encode(int32_t nodes, nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS] NYSX_AND_PARAMETERS_LIST);
#endif

#if NYSX_NEE_TABLE != NYSX_NEE_TABLE_NONE
/* Sums of a graph's class weights, before the table's shift: the NEE writes it, the SCE reads it. */
extern int64_t nysx_code_sums[NYSX_CLASSES];
#endif

/* SCE: the class whose prototype has the largest cosine, or the largest sum of product and offset. */
int32_t nysx_sce(nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS]);

/* The tables of UltraRAM. */
#if NYSX_LOADS_TABLES
void nysx_load(NYSX_PARAMETERS_QUERY);
#endif

/* One inference, of the query at word `first`, with what lies between its stages: C and the hypervector. A class, or one of the codes above. */
int32_t nysx_infer(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, int32_t first, int32_t nodes, int32_t nonzeros
                   NYSX_AND_PARAMETERS_KERNEL, nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS]);

/* A slot of the ring by the number of its graph; slots are a power of two. */
#define NYSX_SLOT(graph) ((graph) & (NYSX_RING_SLOTS - 1))

/* The kernel. With a queue a start answers `count` graphs, those of the ring's slots from `first` on: a slot has a descriptor
 * (nodes, non-zeros), NYSX_QUERY_WORDS words for a query, and a place for the answer. */
#if NYSX_OVERLAP == NYSX_OVERLAP_NONE
void nysx_top(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, NYSX_PARAMETERS_ANSWER, int32_t command,
              int32_t nodes, int32_t nonzeros);
#else
void nysx_top(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, NYSX_PARAMETERS_RING, NYSX_PARAMETERS_ANSWER,
              int32_t command, int32_t first, int32_t count);
#endif

#ifdef __cplusplus
}
#endif

#endif
