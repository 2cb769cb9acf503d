/* One run of the accelerator over a graph, stepped cycle by cycle (models/gat/microarchitecture.md). Every number is made by
 * the part and in the cycle that the hardware has for it, and none by the code of fixed.c's run. */
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
    double latency_cycles; /* of a read of the first memory */
    double bytes_a_cycle;  /* that it sustains */
    double setup_cycles, first_cycles; /* of the processor for a transfer, and of the first load of a graph besides */
};

/* Counts of a run. Stalls are cycles in which a unit had work but not what it needs for it, over all lanes. */
struct gat_record {
    uint64_t work[GAT_UNIT_COUNT];   /* cycles; of the lane with the most */
    uint64_t stage[GAT_STAGES];
    uint64_t products;          /* multiply-accumulates of the SP-PEs */
    uint64_t spmm_full;         /* SPMM waits for room in WH */
    uint64_t dmvm_full;         /* DMVM waits for room in the coefficient FIFO */
    uint64_t divider_empty;     /* the divider waits for a divisor */
    uint64_t dividends_most;    /* that stood in the dividend FIFO */
    uint64_t aggregator_empty;  /* the aggregator waits for an α of a subgraph that it is in */
    uint64_t copies;            /* vectors that the dispatcher wrote */
    uint64_t words;             /* that the CDMA moved, those of the feature memory as one each */
    uint64_t processor, memory; /* cycles that the CDMA waited for the processor, and for memory that brings less than one word per cycle */
};

/* `score` [nodes × classes] receives o of layer 2. DSE_CANCELLED where the monitor says so. */
enum dse_status gat_machine_run(const struct gat_hardware *hardware, const struct gat_fixed *fixed, const struct gat_gcsr *gcsr,
                                size_t nodes, const struct dse_monitor *monitor, int64_t *score, struct gat_record *record,
                                struct dse_error *err);
