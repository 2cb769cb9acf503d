/* Hardware of a simulation: knobs as numbers, rates of the board's memories, and pipeline depths
 * (models/nysx/microarchitecture.md). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/setting.h"
#include "core/status.h"
#include "devices/board.h"
#include "executor/kit.h"
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/mph.h"
#include "resources/costs.h"

struct nysx_hardware {
    size_t lshu_pe, mphe_lookups, hue_pe, kse_pe, sce_bits;
    enum nysx_lshu_balance lshu_balance;
    enum nysx_kse_balance kse_balance;
    double gamma;
    size_t nee_lanes, nee_codes, nee_merge, nee_memory, nee_ports, nee_port_bits, nee_outstanding, nee_fifo_depth;
    bool sce_all;         /* all prototypes in parallel */
    bool h_in_memory;     /* place.h=ddr */
    bool h_in_uram, codebook_in_uram; /* one more cycle to read */
    bool capacity_max;    /* built for every graph of the set; otherwise for 99 % of them */
    double clock_hz, operation_s; /* operation_s: of the host's processor */

    /* Latencies of the board, in clock cycles. */
    double query_latency_cycles, query_bytes_a_cycle;  /* first memory, through the query's port */
    double first_bytes_a_cycle;                        /* first memory, all channels */
    double stream_latency_cycles;                      /* the projection's memory */
    double channel_bytes_a_cycle;                      /* sustained, of one channel */
    size_t channels, beat_bytes, burst_beats;          /* burst_beats: maximum per request */

    /* Depth of each loop, from an iteration's start to its result, by the model and the operators. */
    uint64_t words_depth, order_depth, order_sum_depth, slots_depth;        /* query */
    uint64_t dense_depth, sparse_depth, codes_depth;                        /* LSHU */
    uint64_t wl_first_depth, wl_depth;                                      /* LSHU's passes of colours: hop 0, other hops */
    uint64_t mphe_depth, hue_depth, merge_depth, kse_depth;
    uint64_t enter_depth, phi_depth, phi_out_depth, first_depth, nee_depth, gather_depth, table_depth; /* NEE */
    uint64_t list_depth; /* depth of the loop that folds codes to 32 bits, in the direct form */
    uint64_t sce_depth, sum_depth, argmax_depth;
    uint64_t sce_interval, sum_interval, argmax_interval; /* initiation intervals; those of other loops are 1 or given */
    uint64_t contexts, rounds;   /* rows interleaved in a sparse pass; words of codes hashed together */
    uint64_t wl_rounds;          /* rounds interleaved over attributes for the colours of hop 0 */
    uint64_t nee_interleave, phi_interleave; /* rows that a lane interleaves */
    size_t index_bytes;          /* size of A's pointers and columns */
    size_t feature_bytes;        /* size of a node's features */
    size_t nodes_capacity;       /* nodes of the largest graph that fits */
};

/* Reads a configuration's hardware knobs and the board. DSE_ANSWER_NO for a memory
 * or ports that the board lacks. */
enum dse_status nysx_hardware_read(const struct dse_config *config, const struct dse_board *board, struct nysx_hardware *out, struct dse_error *err);

/* Sets the loops' depths for a model, from operator latencies at the clock and each hop's hash (NULL: keeps the MPHE's).
 * Also sets the widths for the set's largest graphs. */
enum dse_status nysx_hardware_fit(const struct nysx_model *model, const struct dse_graph_set *set,
                                  const struct nysx_mph *mph, const struct dse_costs *costs, struct nysx_hardware *hardware,
                                  struct dse_error *err);
