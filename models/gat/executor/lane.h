/* One lane of the machine: SPMM, DMVM, softmax and aggregator around the rows of WH, coupled by FIFOs. */
#pragma once

#include "core/arena.h"
#include "executor/kit.h"
#include "models/gat/executor/machine.h"
#include "models/gat/executor/wide.h"

/* A layer for its lanes. Rows are GCSR's; in layer 2 they are dense. */
struct gat_layer_run {
    const struct gat_fixed_layer *layer;
    const struct gat_gcsr *gcsr;
    const size_t *row_begin;     /* [rows + 1] into the GCSR's non-zeros; NULL: layer 2 */
    const int32_t *dense;        /* [rows × inputs] h_data of layer 2 */
    const size_t *subgraph_begin; /* [nodes + 1] the first row of each */
    size_t outputs, pes, passes;
    size_t room;                 /* rows of WH, and entries per FIFO and head: the longest subgraph + 16, at least 64 */
    uint64_t dmvm_depth, collect_depth, divide_depth;
    int64_t *out;                /* [nodes × outputs] */
    struct gat_record *record;
};

struct gat_lane {
    /* SPMM */
    size_t next, end;           /* the next subgraph of its share, and the end of the share */
    bool busy;
    size_t subgraph, row, last; /* current ones; `last` is one past the subgraph's last row */
    size_t phase, pass, at;
    int64_t *sum;               /* [outputs] */
    /* WH: rows are numbered in the order of writing; row n is at n % room */
    int32_t *wh;                /* [room × outputs] */
    uint32_t *wh_info;          /* [room] */
    size_t written, attended, freed;
    /* DMVM */
    size_t head;
    bool second;                /* at the second of a source node's two halves */
    int64_t half;               /* the first half's result */
    int64_t *source;            /* [heads] of the subgraph's source node */
    struct dse_fifo coefficient, dividend, alpha;
    /* softmax: the sum being collected, the divisors of complete subgraphs, and the row being divided */
    size_t collected, collect_row;
    struct gat_wide *collecting; /* [heads] */
    struct gat_wide *divisor;    /* [room × heads] */
    uint64_t *divisor_ready;     /* [room] */
    size_t divisors_in, divisors_out, divided, divide_row;
    /* aggregator */
    size_t aggregated, words_left, answer; /* `answer`: finished subgraphs, numbered by `order` */
    int64_t *o;                  /* [outputs] */
    size_t *order;               /* [room + 1] ring of subgraphs in progress */
    size_t order_in, order_out;
    uint64_t work[GAT_UNIT_COUNT];
};

/* A lane for the subgraphs from `first` up to `end`. Arrays belong to the arena; gat_lane_free() frees the FIFOs. */
void gat_lane_make(const struct gat_layer_run *run, struct dse_arena *arena, size_t first, size_t end, struct gat_lane *out);
void gat_lane_free(struct gat_lane *lane);

/* One cycle; false once nothing is left for this lane. */
bool gat_lane_step(struct gat_layer_run *run, struct gat_lane *lane, uint64_t cycle);
