/* The parts of `simulate`: simulate.c the whole, simulate_graph.c one graph, simulate_rtl.c and simulate_hop.c the RTL's. */
#pragma once

#include "models/nysx/executor/engines.h"
#include "models/nysx/executor/model.h"

enum nysx_engine { NYSX_QUERY, NYSX_LSHU, NYSX_MPHE, NYSX_HUE, NYSX_KSE, NYSX_NEE, NYSX_PORT, NYSX_SCE, NYSX_ENGINES };

enum nysx_sim_stage {
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
    NYSX_COUNT_SCHEDULE,    /* cycles in which A's schedule was made */
    NYSX_COUNT_OUTSIDE,     /* of these, by the processor */
    NYSX_COUNT_OVERSIZE,    /* 1 where the graph is larger than the hardware is built for */
    NYSX_COUNT_PASSES,
    NYSX_COUNT_LSHU_UNEVEN, /* PE cycles that waited for an iteration's longest row */
    NYSX_COUNT_HELD,        /* cycles that the LSHU waited for room in the lookups' queue */
    NYSX_COUNT_CODES,
    NYSX_COUNT_OFF_EXACT,   /* codes that Algorithm 1's own order in double precision puts elsewhere */
    NYSX_COUNT_PROBES,
    NYSX_COUNT_STARVED,
    NYSX_COUNT_QUEUE,       /* the most of all hops */
    NYSX_COUNT_FOUND,
    NYSX_COUNTERS
};

/* One graph's sums. */
struct nysx_record {
    uint64_t work[NYSX_ENGINES], stage[NYSX_SIM_STAGES], count[NYSX_COUNTERS];
    bool right, equal;
};

/* One thread's memory. */
struct nysx_place {
    struct nysx_scratch scratch;
    struct nysx_nee_scratch nee;
    uint64_t *hypervector, *expected; /* by the simulated histograms, and by `infer` */
    int64_t *added, *expected_added;  /* [classes] what the listed codes add to the scores, and by `infer` */
    int32_t *row_counts, *order;      /* [nodes] of A */
    struct nysx_lookup_code *code;    /* [nodes] */
    int64_t *exact;                   /* [nodes] codes of the unrestructured form */
    int32_t *copies;                  /* [hue_pe × largest codebook] private histograms, 0 between hops */
};

struct nysx_simulating {
    struct dse_arena arena; /* of its arrays */
    const struct nysx_model *model;
    const struct nysx_features *features;
    struct nysx_hardware hardware;
    struct nysx_mph *mph;              /* [hops] of the configuration's γ */
    const struct dse_inference *items; /* the graphs, and what infer says */
    struct nysx_record *records;
    struct nysx_place *places;
    /* Constant over queries. */
    struct nysx_similarity_run similarity;
    struct nysx_stream_run stream;
    uint64_t merge_cycles, encode_cycles, sce_cycles;
};

/* Parts of a graph's simulation that no cycle depends on, for either flow (simulate_graph.c). The order of A's rows; returns the
 * cycles that making it takes: without propagation none is made. */
uint64_t nysx_simulate_order(const struct nysx_simulating *s, const struct nysx_query *query, struct nysx_place *place);

/* The check of the LSHU's form: fp32 in its order moves a value near a bin's edge; how often is counted. */
void nysx_simulate_off_exact(const struct nysx_lsh *lsh, const struct nysx_query *query, size_t hop, struct nysx_place *place,
                             struct nysx_record *record);

/* The codes of one hop into the direct form's list; the signs of its sums. */
void nysx_simulate_list_codes(const struct nysx_simulating *s, const struct nysx_query *query, size_t hop, struct nysx_place *place);

/* The stages behind the hops, of which the NEE takes so many cycles; the class of the simulated hypervector, and whether it is what
 * `infer` makes of the graph. */
void nysx_simulate_end(const struct nysx_simulating *s, const struct nysx_query *query, size_t index, uint64_t encode_cycles,
                       struct nysx_place *place, struct nysx_record *record);

/* One graph through all stages; for dse_parallel_for. */
enum dse_status nysx_simulate_graph(void *simulating, size_t index, size_t thread, struct dse_error *err);

/* ---- the accelerator in SystemVerilog (docs/explanation/rtl.md): the cycles that the modules of models/nysx/rtl/ take, stage by stage, with a memory
 * that answers after the board's latency and a word per cycle ---- */

/* One hop of one graph. `elements` of the LSHU give codes in `streams` to the lanes of the MPHE, or to the direct form's list. */
struct nysx_rtl_hop {
    size_t number;                   /* from 0 */
    size_t nodes, elements, streams; /* elements a multiple of streams, at most 16 */
    size_t lanes, counters;          /* of the MPHE and the HUE; 0 where codes are listed */
    bool colours, scales, listed;
    const int32_t *row_counts, *order; /* [nodes] */
    const struct nysx_lookup_code *code; /* [nodes] in the order of rows; not of the direct form */
};

struct nysx_rtl_hop_cycles {
    uint64_t inside, lookup; /* of passes whose values stay inside; of the last one, until every code was decided */
};

/* O(cycles × (elements + lanes)). */
struct nysx_rtl_hop_cycles nysx_simulate_rtl_hop(const struct nysx_rtl_hop *hop);

/* Refuses a model or knobs that the RTL has not (DSE_ANSWER_NO), and fills in what no query changes. */
enum dse_status nysx_simulate_rtl_constant(struct nysx_simulating *s, const struct dse_config *config, struct dse_error *err);

/* The interval of a design with a queue (overlap other than none). */
void nysx_simulate_flow(const struct dse_config *config, struct dse_simulation *out);

/* One graph through all stages; for dse_parallel_for. */
enum dse_status nysx_simulate_rtl_graph(void *simulating, size_t index, size_t thread, struct dse_error *err);
