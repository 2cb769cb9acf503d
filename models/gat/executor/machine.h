/* One run of the accelerator over a graph, stepped cycle by cycle (models/gat/microarchitecture.md). Every number is computed in
 * the unit and cycle in which the hardware computes it, independently of fixed.c. */
#pragma once

#include "core/monitor.h"
#include "models/gat/executor/fixed.h"
#include "models/gat/executor/gcsr.h"

enum gat_unit { GAT_UNIT_LOADER, GAT_UNIT_SPMM, GAT_UNIT_DMVM, GAT_UNIT_SOFTMAX, GAT_UNIT_AGGREGATOR, GAT_UNIT_DISPATCHER,
                GAT_UNIT_CDMA, GAT_UNIT_COUNT };

enum gat_stage { GAT_STAGE_LAYER1, GAT_STAGE_DISPATCH, GAT_STAGE_LAYER2, GAT_STAGE_TRANSFER, GAT_STAGES };

struct gat_hardware {
    enum gat_approach approach;
    size_t pes, lanes;
    enum gat_task task;
    double clock_hz;
    double latency_cycles; /* latency of a read from the first memory */
    double bytes_a_cycle;  /* sustained, of the first memory */
    double setup_cycles, first_cycles; /* the processor's, per transfer; and extra for a graph's first load */
};

/* Counts of a run. Stalls are cycles, over all lanes, in which a unit has work but lacks an input or room. */
struct gat_record {
    uint64_t work[GAT_UNIT_COUNT];   /* cycles; mean over the lanes */
    uint64_t stage[GAT_STAGES];
    uint64_t products;          /* multiply-accumulates of the SP-PEs */
    uint64_t spmm_full;         /* SPMM waits for room in WH */
    uint64_t dmvm_full;         /* DMVM waits for room in the coefficient FIFO */
    uint64_t divider_empty;     /* the divider waits for a divisor */
    uint64_t dividends_most;    /* largest number in the dividend FIFO */
    uint64_t aggregator_empty;  /* the aggregator waits for an α within a subgraph */
    uint64_t copies;            /* vectors that the dispatcher wrote */
    uint64_t words;             /* moved by the CDMA; a word of the feature memory counts as one */
    uint64_t processor, memory; /* cycles in which the CDMA waits for the processor, and for a memory below one word per cycle */
};

/* `score` [nodes × classes] receives o of layer 2. DSE_CANCELLED if the monitor cancels. */
enum dse_status gat_machine_run(const struct gat_hardware *hardware, const struct gat_fixed *fixed, const struct gat_gcsr *gcsr,
                                size_t nodes, const struct dse_monitor *monitor, int64_t *score, struct gat_record *record,
                                struct dse_error *err);
