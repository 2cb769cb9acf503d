/* The parts of `simulate`: simulate.c the whole, simulate_graph.c one graph, simulate_rtl.c and simulate_hop.c for the RTL. */
#pragma once

#include "models/nysx/executor/engines.h"
#include "models/nysx/executor/model.h"

enum nysx_engine { NYSX_QUERY, NYSX_LSHU, NYSX_MPHE, NYSX_HUE, NYSX_KSE, NYSX_NEE, NYSX_PORT, NYSX_SCE, NYSX_ENGINES };

enum nysx_sim_stage {
    NYSX_SIM_PREPARE, /* by the processor: a schedule, the 2-core */
    NYSX_SIM_QUERY,
    NYSX_SIM_PROPAGATE,
    NYSX_SIM_LOOKUP,
    NYSX_SIM_HISTOGRAM,
    NYSX_SIM_SIMILARITY,
    NYSX_SIM_ENCODE,
    NYSX_SIM_CLASSIFY,
    NYSX_SIM_STAGES
};

enum nysx_counter {
    NYSX_COUNT_QUERY_BYTES,
    NYSX_COUNT_SCHEDULE,    /* cycles for making A's schedule */
    NYSX_COUNT_OVERSIZE,    /* 1 if the graph exceeds the hardware's capacity */
    NYSX_COUNT_PASSES,
    NYSX_COUNT_LSHU_UNEVEN, /* PE cycles idle because of an iteration's longest row */
    NYSX_COUNT_HELD,        /* cycles that the LSHU stalled on the look-ups' full queue */
    NYSX_COUNT_CODES,
    NYSX_COUNT_OFF_EXACT,   /* codes that differ from Algorithm 1's own order in double precision */
    NYSX_COUNT_PROBES,
    NYSX_COUNT_STARVED,
    NYSX_COUNT_QUEUE,       /* maximum over hops */
    NYSX_COUNT_FOUND,
    NYSX_COUNTERS
};

/* Sums of one graph. */
struct nysx_record {
    uint64_t work[NYSX_ENGINES], stage[NYSX_SIM_STAGES], count[NYSX_COUNTERS];
    bool right, equal;
};

/* Memory of one thread. */
struct nysx_place {
    struct nysx_scratch scratch;
    struct nysx_nee_scratch nee;
    uint64_t *hypervector, *expected; /* from the simulated histograms, and from `infer` */
    int64_t *added, *expected_added;  /* [classes] scores added by the listed codes, and from `infer` */
    int32_t *row_counts, *order;      /* [nodes] of A */
    struct nysx_lookup_code *code;    /* [nodes] */
    int64_t *exact;                   /* [nodes] codes of the unrestructured form */
    int32_t *copies;                  /* [hue_pe × largest codebook] private histograms, 0 between hops */
};

struct nysx_simulating {
    struct dse_arena arena; /* memory of its arrays */
    const struct nysx_model *model;
    const struct nysx_features *features;
    struct nysx_hardware hardware;
    struct nysx_mph *mph;              /* [hops] for the configuration's γ */
    const struct dse_inference *items; /* the graphs, with `infer`'s results */
    struct nysx_record *records;
    struct nysx_place *places;
    /* Constant over queries. */
    struct nysx_similarity_run similarity;
    struct nysx_stream_run stream;
    uint64_t merge_cycles, encode_cycles, sce_cycles;
};

/* Cycle-independent parts of a graph's simulation, for both flows (simulate_graph.c). Orders A's rows; returns the
 * cycles for it: none without propagation. */
uint64_t nysx_simulate_order(const struct nysx_simulating *s, const struct nysx_query *query, struct nysx_place *place);

/* Cycles in which the processor finds the 2-core (features=cores), or 0. */
uint64_t nysx_simulate_core(const struct nysx_simulating *s, const struct nysx_query *query);

/* Counts how often the LSHU's fp32 order moves a value across a bin's edge. */
void nysx_simulate_off_exact(const struct nysx_lsh *lsh, const struct nysx_query *query, size_t hop, struct nysx_place *place,
                             struct nysx_record *record);

/* Appends the codes of one hop to the direct form's list; the signs of its sums. */
void nysx_simulate_list_codes(const struct nysx_simulating *s, const struct nysx_query *query, size_t hop, struct nysx_place *place);

/* The stages after the hops, given the NEE's cycles; the class of the simulated hypervector, and whether it agrees with
 * `infer`. */
void nysx_simulate_end(const struct nysx_simulating *s, const struct nysx_query *query, size_t index, uint64_t encode_cycles,
                       struct nysx_place *place, struct nysx_record *record);

/* One graph through all stages; for dse_parallel_for. */
enum dse_status nysx_simulate_graph(void *simulating, size_t index, size_t thread, struct dse_error *err);

/* ---- the SystemVerilog accelerator (docs/explanation/rtl.md): cycles of the modules of models/nysx/rtl/, stage by stage. The memory
 * responds after the board's latency with one word per cycle. ---- */

/* One hop of one graph. `elements` of the LSHU send codes in `streams` to the lanes of the MPHE, or to the direct form's list. */
struct nysx_rtl_hop {
    size_t number;                   /* from 0 */
    size_t nodes, elements, streams; /* elements a multiple of streams, at most 16 */
    size_t lanes, counters;          /* lanes of the MPHE, counters of the HUE; 0 if codes are listed */
    size_t columns, draws, parts;    /* tuples: of F, otherwise 0; codes per node; made in parallel */
    bool colours, scales, listed;
    const int32_t *row_counts, *order; /* [nodes] */
    const struct nysx_lookup_code *code; /* [nodes] in row order; not for the direct form */
};

struct nysx_rtl_hop_cycles {
    uint64_t inside, lookup; /* cycles of passes whose values are not emitted; cycles of the last pass, until every code is decided */
};

/* O(cycles × (elements + lanes)). */
struct nysx_rtl_hop_cycles nysx_simulate_rtl_hop(const struct nysx_rtl_hop *hop);

/* Rejects a model or knobs that the RTL lacks (DSE_ANSWER_NO), and computes everything independent of the query. */
enum dse_status nysx_simulate_rtl_constant(struct nysx_simulating *s, const struct dse_config *config, struct dse_error *err);

/* Interval of a design with a queue (overlap other than none). */
void nysx_simulate_flow(const struct dse_config *config, struct dse_simulation *out);

/* One graph through all stages; for dse_parallel_for. */
enum dse_status nysx_simulate_rtl_graph(void *simulating, size_t index, size_t thread, struct dse_error *err);
