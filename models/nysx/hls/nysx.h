/* SPDX-License-Identifier: MIT */ /* The NysX accelerator in C for Vitis HLS: the interfaces of its engines.
 *
 * Sizes, types and directives come from the emitted nysx_config.h, the trained tables from the emitted nysx_model.h;
 * all other headers are the C library's. The engines compute bit for bit like the executor:
 * every sum runs in the same order, and a product is rounded before it is added (-ffp-contract=off). */
#ifndef NYSX_H
#define NYSX_H

#include "nysx_config.h"

/* FIFOs between processes: at most `words` elements of `type`; each is written once and read once, in order. The place is for C simulation;
 * the vendor's streams ignore it. */
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

/* Kernel commands. */
#define NYSX_COMMAND_INFER 0
#define NYSX_COMMAND_LOAD 1 /* loads the UltraRAM tables through the query's port: once, before the first query */

/* Error codes returned in place of a class. */
#define NYSX_TOO_MANY_NODES (-1)
#define NYSX_TOO_MANY_NONZEROS (-2)
#define NYSX_BAD_GRAPH (-3)  /* decreasing row pointers, or a column index that is not a node */
#define NYSX_NOT_LOADED (-4) /* query before the UltraRAM tables are loaded */

/* An element of a hypervector, 1 for +1; one bit wide in synthesis. */
#ifdef __cplusplus
typedef bool nysx_bit_t;
#else
typedef _Bool nysx_bit_t;
#endif

/* IEEE single-precision number with these bits. */
static inline float nysx_real(uint32_t bits)
{
    union {
        uint32_t bits;
        float real;
    } value;
    value.bits = bits;
    return value.real;
}

/* Loop names for directives and reports: labels in synthesis, empty in C simulation. */
#ifdef __SYNTHESIS__
#define NYSX_LABEL(name) name:
#else
#define NYSX_LABEL(name)
#endif

/* Local arrays: on chip in synthesis; static in C simulation, because they exceed the stack. */
#ifdef __SYNTHESIS__
#define NYSX_LOCAL
#else
#define NYSX_LOCAL static
#endif

/* Ports that only some configurations have, with their parameters. */
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

/* The direct form has no C. It lists the codes of all passes, NYSX_LIST_HOP places per pass. */
#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT
#define NYSX_AND_PARAMETERS_LIST , uint32_t code_list[NYSX_PASSES * NYSX_LIST_HOP]
#define NYSX_AND_LIST , code_list
#define NYSX_AND_PARAMETERS_KERNEL
#define NYSX_AND_KERNEL
#else
#define NYSX_AND_PARAMETERS_LIST
#define NYSX_AND_LIST
#define NYSX_AND_PARAMETERS_KERNEL , nysx_kernel_t kernel[NYSX_LANDMARKS]
#define NYSX_AND_KERNEL , kernel
#endif

/* Event counters, in C simulation only. */
#ifdef NYSX_COUNT
#define NYSX_COUNTERS(COUNTER) \
    COUNTER(query_bytes)     /* bytes of A, its schedule and F */ \
    COUNTER(lshu_passes)     /* passes over a vector, dense and sparse */ \
    COUNTER(lshu_slots)      /* cycles of sparse passes: the longest row of each trip */ \
    COUNTER(lshu_cycles)     /* the same in the ring of contexts, including empty contexts */ \
    COUNTER(lshu_additions)  /* non-zeros of A added */ \
    COUNTER(probes)          /* levels probed by the MPHE */ \
    COUNTER(updates)         /* codes counted by the HUE */ \
    COUNTER(merged_words)    /* histogram words merged by the HUE */ \
    COUNTER(kse_slots)       /* cycles of the KSE: the longest row of each trip */ \
    COUNTER(kse_products)    /* non-zeros of H multiplied */ \
    COUNTER(h_words)         /* words of H read from its port */ \
    COUNTER(port_words)      /* words of P_nys read from the ports */ \
    COUNTER(resident_words)  /* words of P_nys read from on-chip memory */ \
    COUNTER(entries)         /* entries of P_rp generated */ \
    COUNTER(phi_steps)       /* cycles of the φ lanes */ \
    COUNTER(nee_steps)       /* cycles of the NEE lanes */ \
    COUNTER(list_words)      /* words of the direct form's list */ \
    COUNTER(table_steps)     /* codes sent through the direct form's table, and places swept */ \
    COUNTER(sce_words)       /* prototype words read by the SCE */
struct nysx_counts {
#define NYSX_COUNTER(name) uint64_t name;
    NYSX_COUNTERS(NYSX_COUNTER)
#ifdef NYSX_LOOPS
    uint64_t entered[NYSX_LOOPS], turned[NYSX_LOOPS], fresh[NYSX_LOOPS]; /* runs with at least one iteration; iterations */
#endif
};
extern struct nysx_counts nysx_counted;
#ifdef NYSX_LOOPS /* loop counters, where the test inserts them */
#define NYSX_ENTER(loop) (nysx_counted.fresh[loop] = 1)
#define NYSX_TRIP(loop)                                                        \
    (nysx_counted.entered[loop] += nysx_counted.fresh[loop],                   \
     nysx_counted.fresh[loop] = 0, nysx_counted.turned[loop]++)
#endif
#define NYSX_TALLY(what, amount) (nysx_counted.what += (uint64_t)(amount))
#else
#define NYSX_TALLY(what, amount) ((void)0)
#endif

/* Indices per word of the query's port. */
#define NYSX_INDICES_A_WORD (NYSX_QUERY_PORT_BITS / NYSX_INDEX_BITS)
#define NYSX_FEATURE_SIZE ((int32_t)sizeof(nysx_feature_t) * 8)
#define NYSX_FEATURES_A_WORD (NYSX_QUERY_PORT_BITS / NYSX_FEATURE_SIZE)
#define NYSX_FEATURES_A_NODE (NYSX_FEATURE_ONEHOT ? 1 : NYSX_FEATURE_COLUMNS)

/* Element `index` of a word, `bits` wide. Selected, not indexed: a word is registers. */
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

/* A and F of one query, kept as port words, and the rows in schedule order: per trip one row per
 * PE. Each PE has random access to A's columns and to F, with two PEs per copy. */
struct nysx_graph {
    int32_t nodes, trips;
    nysx_query_word_t row_begin[NYSX_POINTER_WORDS];
    nysx_query_word_t order[NYSX_ORDER_WORDS];
    nysx_query_word_t neighbour[NYSX_LSHU_COPIES][NYSX_NNZ_WORDS];
    nysx_query_word_t feature[NYSX_LSHU_COPIES][NYSX_FEATURE_WORDS];
    nysx_index_t position[NYSX_LSHU_COPIES][NYSX_MAX_NODES]; /* schedule slot of a node */
    nysx_index_t slot_row[NYSX_LSHU_PE][NYSX_LSHU_TRIPS];
    nysx_index_t slot_begin[NYSX_LSHU_PE][NYSX_LSHU_TRIPS], slot_length[NYSX_LSHU_PE][NYSX_LSHU_TRIPS];
    float slot_scale[NYSX_LSHU_PE][NYSX_LSHU_TRIPS]; /* 1 / length, if A is row-normalised */
    nysx_index_t slot_longest[NYSX_LSHU_TRIPS];      /* longest row of each trip, at least 1 */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the query at word `first` of its memory and makes the schedule, unless the processor makes it. Returns 0 or an error code above.
 * Each of the four arrays (row pointers, neighbours, row order if there is propagation and the processor makes it,
 * features) starts a new word. */
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

/* LSHU: NYSX_LSHU_DRAWS codes of every node, in schedule order, draw by draw. A start is a hop, or with landmarks one draw of a hop's tuples;
 * starts must be requested in ascending order from 0. */
#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT && NYSX_CODES == NYSX_CODES_WL
#define NYSX_PARAMETERS_CODES uint32_t code_list[NYSX_PASSES * NYSX_LIST_HOP]
#else
#define NYSX_PARAMETERS_CODES NYSX_FIFO_PARAMETER(nysx_codes_t, codes, NYSX_CODE_WORDS)
#endif
void nysx_lshu(const struct nysx_graph *graph, int32_t nodes, int32_t hop, NYSX_PARAMETERS_CODES);

#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT
/* Appends LSH codes as 32 bits to the list; Weisfeiler-Lehman codes are already there. */
void nysx_list(NYSX_FIFO_PARAMETER(nysx_codes_t, codes, NYSX_CODE_WORDS), int32_t nodes, int32_t hop NYSX_AND_PARAMETERS_LIST);
#else

/* One bin per lane. */
typedef struct {
    nysx_bin_t lane[NYSX_MPHE_LOOKUPS];
} nysx_bins_t;

/* MPHE: bin of each code, or −1 if the codebook lacks it. */
void nysx_mphe(NYSX_PARAMETERS_CODES, int32_t nodes, int32_t hop, NYSX_FIFO_PARAMETER(nysx_bins_t, bins, NYSX_CODE_WORDS));

/* HUE: counts bins, each PE in its private histogram; two counts per word, lower bin in the low half. */
void nysx_hue(NYSX_FIFO_PARAMETER(nysx_bins_t, bins, NYSX_CODE_WORDS), int32_t nodes,
              nysx_histogram_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS]);

/* Sums the private histograms, clears them, and writes the result to the copies for the KSE. */
void nysx_hue_merge(int32_t hop, nysx_histogram_t hue_private[NYSX_HUE_PE][NYSX_HISTOGRAM_WORDS],
                    nysx_histogram_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS]);

/* KSE: H(t) h(t), one sum per row, indexed by PE and trip. */
typedef nysx_kernel_t nysx_sums_t[NYSX_PASSES][NYSX_KSE_PE][NYSX_H_ITERATIONS];
void nysx_kse(int32_t hop, nysx_histogram_t hue_merged[NYSX_HISTOGRAM_COPIES][NYSX_HISTOGRAM_WORDS],
              nysx_sums_t kse_sums NYSX_AND_PARAMETERS_H);

/* Element of C: the sum of its rows over the hops. */
nysx_kernel_t nysx_gathered(nysx_sums_t kse_sums, int32_t landmark);

/* NEE types: an element of P in the arithmetic, and the factor of a row of P. */
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

/* Read position in the elements of P. */
struct nysx_p_source {
#if NYSX_NEE_FORM != NYSX_NEE_FORM_FACTORED
    int32_t next; /* step or word */
#else
    uint64_t state[2][NYSX_NEE_GENERATORS]; /* states of this group's and the next group's generators */
#endif
};

/* Restarts at the first element. */
void nysx_p_open(struct nysx_p_source *source);

/* Elements of a column for the lanes; undefined past the last row. Groups, columns and trips must be requested in
 * ascending order. */
void nysx_p_take(struct nysx_p_source *source, int32_t group, int32_t column, int32_t trip,
                 nysx_term_t elements[NYSX_NEE_LANES] NYSX_AND_PARAMETERS_STEPS);

#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
/* Moves P_nys from memory into the FIFOs, one word of every port at a time. */
void nysx_p_read(NYSX_PARAMETERS_P, NYSX_FIFOS(nysx_p_word_t, nee_fifo, NYSX_NEE_PORTS, NYSX_P_PORT_WORDS));

/* Regroups the words into steps of the lanes: per iteration, one word of every port, one step, or both. */
void nysx_p_gather(NYSX_FIFOS(nysx_p_word_t, nee_fifo, NYSX_NEE_PORTS, NYSX_P_PORT_WORDS),
                   NYSX_FIFO_PARAMETER(nysx_p_step_t, nee_steps, NYSX_P_STEPS));
#endif

/* Element of P_nys from its stored bits. */
nysx_term_t nysx_element(uint32_t bits);

/* Element of C, minus its training mean if the design centres C; wraps to the width of C. */
int32_t nysx_centred(nysx_kernel_t element, int32_t landmark);

#if NYSX_NEE_FORM == NYSX_NEE_FORM_FACTORED
/* φ of the factored form, and C. */
void nysx_phi(nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS], nysx_phi_t phi[NYSX_RANK]);
#endif

/* NEE with its memory ports: computes C and the hypervector, one bit per element, 1 for +1. */
#if NYSX_NEE_FORM == NYSX_NEE_FORM_STREAMED
void nysx_encode(NYSX_PARAMETERS_P, nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS],
                 nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS]);
#else
void nysx_encode(nysx_sums_t kse_sums, nysx_kernel_t kernel[NYSX_LANDMARKS],
                 nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS]);
#endif
#endif

#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT
/* NEE: hypervector of a code list, one bit per element, 1 for +1. */
void nysx_encode(int32_t nodes, nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS] NYSX_AND_PARAMETERS_LIST);
#endif

#if NYSX_NEE_TABLE != NYSX_NEE_TABLE_NONE
/* Class weight sums of a graph, before the table's shift: the NEE writes them, the SCE reads them. */
extern int64_t nysx_code_sums[NYSX_CLASSES];
#endif

/* SCE: the class whose prototype has the largest cosine, or the largest sum of product and offset. */
int32_t nysx_sce(nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS]);

/* Loader of the UltraRAM tables. */
#if NYSX_LOADS_TABLES
void nysx_load(NYSX_PARAMETERS_QUERY);
#endif

/* One inference for the query at word `first`; also returns C and the hypervector. Result: a class, or an error code above. */
int32_t nysx_infer(NYSX_PARAMETERS_QUERY NYSX_AND_PARAMETERS_P NYSX_AND_PARAMETERS_H, int32_t first, int32_t nodes, int32_t nonzeros
                   NYSX_AND_PARAMETERS_KERNEL, nysx_bit_t hypervector[NYSX_HYPERVECTOR_BITS]);

/* Ring slot of a graph number; the number of slots is a power of two. */
#define NYSX_SLOT(graph) ((graph) & (NYSX_RING_SLOTS - 1))

/* The kernel. With a queue, a start answers `count` graphs in the ring's slots from `first` on. A slot has a descriptor
 * (nodes, non-zeros), NYSX_QUERY_WORDS query words, and space for the answer. */
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
