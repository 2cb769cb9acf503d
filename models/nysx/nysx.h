/* NysX (arXiv 2026, "NysX: An Accurate and Energy-Efficient FPGA Accelerator for Hyperdimensional Graph
 * Classification at the Edge"): its stages, and the workload of its engines.
 *
 * models/nysx/microarchitecture.md defines the hardware's cycles. These models, the executor's simulation
 * and the accelerator under hls/ implement it independently. */
#pragma once

#include "models/model.h"
#include "models/nysx/knobs.h"

extern const struct dse_model_family nysx_model_family, nysx_rtl_model_family; /* by HLS; in SystemVerilog */

/* Stages run one after another (paper, section 5.3); engines of a stage overlap. */
enum nysx_stage {
    NYSX_STAGE_PREPARE,    /* the processor finds the 2-core and makes A's schedule, where the design says so */
    NYSX_STAGE_QUERY,      /* A and F are read; the logic makes A's schedule */
    NYSX_STAGE_PROPAGATE,  /* LSHU: passes whose result is not emitted */
    NYSX_STAGE_LOOKUP,     /* LSHU's last pass of each hop, MPHE and HUE on its stream of codes */
    NYSX_STAGE_HISTOGRAM,  /* HUE: private histograms merged and cleared */
    NYSX_STAGE_SIMILARITY, /* KSE */
    NYSX_STAGE_ENCODE,     /* NEE with its memory port */
    NYSX_STAGE_CLASSIFY,   /* SCE */
    NYSX_STAGE_COUNT
};

#define NYSX_SCHEDULES 7 /* PE counts 1, 2, 4 … 64 */
#define NYSX_GAMMAS 4    /* 1, 1.5, 2, 4 */
#define NYSX_BANKINGS 4  /* 2, 4, 8, 16 */
#define NYSX_MERGES 5    /* 32, 64 … 512 */
#define NYSX_ALONE 2     /* rows interleaved per element: 1, 6 */
#define NYSX_RTL_BURST 16  /* beats of a burst at most (rtl/nysx_axi_read.sv) */
#define NYSX_LUT_QUEUE 64  /* RTL: words of a port's queue; a larger queue is in block RAM (rtl/nysx_axi_read.sv) */
#define NYSX_HASH_LOOP 7   /* RTL: cycles from a value to the next of its tuple code (rtl/nysx_tuple.sv) */
#define NYSX_HASH_ROUNDS 5 /* 1, 2, 4, 8, 16 rounds */
#define NYSX_RINGS 6     /* rows interleaved: 4, 5, 6, 7, 8, 12 */

/* A workload as the blocks read it. `[case]`: mean over the training graphs, and 99th percentile over
 * the sample of graphs. */
struct nysx_work {
    int64_t classes, features, landmarks, rank; /* landmarks and rank are 0 in the direct form */
    int64_t hops, draws;        /* codes per node, hops × draws; draws of each hop */
    bool onehot;                /* F is one-hot: F u is a table look-up */
    int64_t nodes_capacity[2], nnz_capacity[2]; /* by enum nysx_capacity */
    double nodes[DSE_CASE_COUNT], nnz_a[DSE_CASE_COUNT];
    /* Sum of the longest row of each iteration of A's schedule, by balance (0 natural, 1 sorted)
     * and log2 of the PE count. */
    double a_schedule[DSE_CASE_COUNT][2][NYSX_SCHEDULES];
    double trips[DSE_CASE_COUNT][NYSX_SCHEDULES]; /* ⌈nodes / PEs⌉ per graph */
    double hashed[DSE_CASE_COUNT][NYSX_SCHEDULES][NYSX_HASH_ROUNDS]; /* RTL: cycles of a tuple's column, by log2 of the streams and of a value's rounds */
    double listed[DSE_CASE_COUNT][NYSX_SCHEDULES][NYSX_SCHEDULES]; /* words of all hops' rounds, by log2 of PEs and of rounds per word */
    double merged[DSE_CASE_COUNT][NYSX_MERGES]; /* codes left after tables of 32, 64 … 512 places; 0: not in the profile */
    /* Cycles of a sparse pass over A, by balance, PE count and interleaved rounds. */
    double ring[DSE_CASE_COUNT][2][NYSX_SCHEDULES][NYSX_RINGS];
    /* As `ring`, for elements that do not wait for each other, with one row and with six rows interleaved. */
    double alone[DSE_CASE_COUNT][2][NYSX_SCHEDULES][NYSX_ALONE];
    double hits[DSE_CASE_COUNT];   /* codes found, over all hops */
    double probes[DSE_CASE_COUNT][NYSX_HOPS_MAX][NYSX_GAMMAS]; /* level probes for a graph's codes */
    double updates[DSE_CASE_COUNT][NYSX_BANKINGS + 1]; /* rounds of 1, 2, 4, 8, 16 PEs for a graph's hits, all hops */
    int64_t codebook[NYSX_HOPS_MAX], nnz_h[NYSX_HOPS_MAX], max_count[NYSX_HOPS_MAX];
    double mph_bits[NYSX_HOPS_MAX][NYSX_GAMMAS];
    double mph_levels[NYSX_HOPS_MAX][NYSX_GAMMAS];
    double h_schedule[NYSX_HOPS_MAX][2][NYSX_SCHEDULES]; /* the same for H(t) */
};

/* Reads the series of a workload (docs/reference/profiles.md). */
enum dse_status nysx_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **work, struct dse_error *err);
void nysx_work_release(void *work);

/* Quantities of the family (struct dse_model_family): "model_bytes" (Tables 2 and 8), "propagated_nonzeros". */
double nysx_quantity(const char *name, const struct dse_config *config, const void *work);

/* Index into the schedule tables: log2 of a PE count, rounded up. */
int nysx_schedule_index(int64_t pe);

/* Cycles of a sparse pass with `contexts` interleaved rows: interpolated from the profile (work.c). */
double nysx_ring_cycles(const struct nysx_work *work, enum dse_case which, int balanced, int64_t pe, int64_t contexts);

/* Words of `lanes` codes per hop, mean or tail; ⌈x / share⌉ · share of a mean x (work.c). */
double nysx_words_of_codes(const struct nysx_work *work, enum dse_case which, int64_t lanes);
double nysx_rounded_up(double x, double share, enum dse_case which);

/* Latencies (depth.c), in cycles: `steps` of logic in series; an operator, without adding it to the build; a port's
 * first word, from the request. Also levels of a tree, and rounds in flight in the LSHU. */
struct dse_build;
int64_t nysx_logic(const struct dse_build *build, int64_t steps);
int64_t nysx_latency(struct dse_build *build, enum dse_operator op, enum dse_precision precision);
int64_t nysx_port_depth(const struct dse_build *build, size_t memory);
int64_t nysx_levels(int64_t inputs);
int64_t nysx_contexts(struct dse_build *build);

/* Whether the division by the width is an exact product: the width is a power of two. */
bool nysx_width_is_exact(const struct dse_config *config);

/* Cycles of the processor before the query is read: the 2-core (features=cores), and A's schedule. */
int64_t nysx_prepare_cycles_of(const struct dse_build *build, const struct nysx_work *work, const struct dse_config *config, enum dse_case which);

/* Hardware sizes shared with the emitted source (hls.c). */

/* Bits of A's row pointers and column indices; bits of one node's features (lshu.c). */
int64_t nysx_index_bits(const struct nysx_work *work, const struct dse_config *config);
int64_t nysx_feature_bits(const struct nysx_work *work);

/* Addressing of a PE that walks CSR rows (lshu.c). */
struct dse_build;
void nysx_build_row_walk(struct dse_build *build, double pe);

/* Lanes of the small array for φ (nee.c). */
int64_t nysx_phi_lanes(int64_t lanes);

/* Generators of P_rp for a group of that many rows: one more if groups begin inside a generator's rows (nee.c). */
int64_t nysx_generators(int64_t rows);

/* Longest burst in bytes of one port of the stream: within the port's limit, a 4 KiB page and a quarter of
 * the FIFO (port.c). An integer number of port beats, possibly less than a word of nee.port_bits. */
struct nysx_burst {
    int64_t beats, beat_bytes;
};
struct nysx_burst nysx_port_burst(const struct dse_port *port, const struct dse_config *config);

/* Rounds of the NEE's lanes over the rows of a streamed P_nys, in equal groups of at most `interleave` (port.c). */
struct nysx_trips {
    int64_t all, groups, of_group, of_last;
};
struct nysx_trips nysx_p_trips(const struct dse_config *config, int64_t interleave);

/* Format of streamed P_nys: a word of all ports has `beat` elements. Steps follow one another without gaps: `step` elements, `rest` in
 * the last round of rows; steps begin at multiples of `unit`. Each port has `words` words for the `steps` with rows; also the
 * iterations that regroup words into steps (port.c). O(steps). */
#define NYSX_P_ELEMENTS_MOST 16384 /* possible step positions times elements in a word of all ports: the source unrolls them */
struct nysx_beats {
    int64_t beat, unit, step, rest, steps, words, gathers;
};
struct nysx_beats nysx_p_beats(const struct dse_config *config, int64_t element_bits, int64_t landmarks, int64_t interleave);

/* Whether rows are scaled by their lengths; never for codes=wl. */
static inline bool nysx_scales_rows(const struct dse_config *config)
{
    return config->value[NYSX_PROPAGATION] == NYSX_PROPAGATION_ROW_NORMALISED && config->value[NYSX_CODES] != NYSX_CODES_WL;
}

/* Whether features are propagated: more than one hop. */
static inline bool nysx_propagates(const struct nysx_work *work)
{
    return work->hops > work->draws;
}

/* Direct form: bits of a lane's sum; signs that a code makes at once (direct.c). */
#define NYSX_SIGNS_A_WORD 32
int64_t nysx_sum_bits(const struct nysx_work *work, const struct dse_config *config);
int64_t nysx_start_bits(const struct nysx_work *work, const struct dse_config *config); /* bits of a sum's stored initial value: a power of two */
/* Tuple codes in the RTL: units of a stream that make codes of a node in parallel (rtl/nysx_tuple.sv). */
int64_t nysx_tuple_parts(const struct dse_config *config);

/* Table of class weights (nee.table): its places, 0 for none; copies, one per two codes of a cycle; 16-bit weights per
 * place, for all classes but the first. */
int64_t nysx_table_places(const struct dse_config *config);
int64_t nysx_table_copies(const struct dse_config *config);
int64_t nysx_table_parts(const struct nysx_work *work);

int64_t nysx_merge_places(const struct dse_config *config);  /* entries of the table of equal codes; 0: none */
int64_t nysx_item_bits(const struct nysx_work *work, const struct dse_config *config); /* bits of a merged code's count */

/* Cycles between words of prototypes: 1, or for fp32, with 64 running sums per row, the cycles of the additions that one
 * sum waits for (sce.c). */
int64_t nysx_sce_interval(int64_t elements, int64_t bits, int64_t addition_cycles);

/* Cycles between the comparisons of two classes: integer cosines need two sequential products. */
int64_t nysx_sce_argmax_interval(int64_t bits, bool cosine, int64_t product_cycles);

/* The widest kind of port that the board has to a memory, or NULL. */
const struct dse_port *nysx_port_to(const struct dse_board *board, const char *memory);

/* Sizes, types, ports and directives of the accelerator under models/nysx/hls/. */
enum dse_status nysx_hardware(const struct dse_context *context, const struct dse_config *config,
                              struct dse_hls *out, struct dse_error *err);

/* Cost of each block, in the file of its name. */
dse_cost_model nysx_cost_query, nysx_cost_lshu, nysx_cost_mphe, nysx_cost_codebook, nysx_cost_hue, nysx_cost_histograms,
    nysx_cost_kse, nysx_cost_nee, nysx_cost_port, nysx_cost_sce, nysx_cost_control;
dse_cost_model nysx_cost_direct; /* cost of the NEE for nee.form=direct */
dse_cost_model nysx_rtl_cost_query, nysx_rtl_cost_lshu, nysx_rtl_cost_mphe, nysx_rtl_cost_codebook, nysx_rtl_cost_hue,
    nysx_rtl_cost_histograms, nysx_rtl_cost_kse, nysx_rtl_cost_nee, nysx_rtl_cost_port, nysx_rtl_cost_sce,
    nysx_rtl_cost_control;
