/* `simulate` of the accelerator in SystemVerilog (docs/rtl.md): the cycles that the modules of models/nysx/rtl/ take, stage by stage, with a
 * memory that answers after the board's latency and a word a cycle. Reads no model; bits are those of simulate_graph.c. */
#ifndef DSE_EXECUTOR_NYSX_SIMULATE_RTL_H
#define DSE_EXECUTOR_NYSX_SIMULATE_RTL_H

#include "models/nysx/executor/simulate.h"

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

/* One graph through all stages; for dse_parallel_for. */
enum dse_status nysx_simulate_rtl_graph(void *simulating, size_t index, size_t thread, struct dse_error *err);

#endif
