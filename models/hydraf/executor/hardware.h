/* The simulated hardware: knobs as numbers, the rate and latency of the board's memory, and the operators' latencies. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/setting.h"
#include "core/status.h"
#include "devices/board.h"
#include "models/hydraf/executor/regressor.h"
#include "resources/costs.h"

struct hydraf_hardware {
    size_t chunk;          /* T */
    size_t lanes;          /* dimensions at once: T in pipelined arrays of whole elements, otherwise 1 */
    size_t encoder_lanes, encoder_width; /* features and dimensions that the encoder takes at once */
    bool dense;            /* the cluster update multiplies the whole select matrix first */
    bool on_chip;          /* rows are encoded on chip */
    bool learns;           /* the task: batches to learn from, instead of single rows to answer */
    double clock_hz;
    double latency_cycles; /* latency of a read from the first memory */
    double bytes_a_cycle;  /* sustained, of one channel */
    size_t word_bytes;     /* width of the port */
    /* Cycles from one step to the next, and from a step's inputs to its outputs. */
    uint64_t interval, array_depth; /* interval and depth of the arrays */
    uint64_t feature_depth, encoder_interval, encoder_depth;
    uint64_t entry, answer;         /* entry: of the softmax, from a row's sums to an entry's result; answer: to memory */
    uint64_t gain, whole_gain;      /* a gain in single precision, and as a whole number */
    uint64_t update_interval, update_depth;
};

/* Reads the hardware knobs of a configuration with task `infer` or `train`.
 * DSE_ANSWER_NO for a board without a port to its memory. */
enum dse_status hydraf_hardware_read(const struct hydraf_regressor *regressor, const struct dse_config *config, const struct dse_board *board,
                                     const struct dse_costs *costs, struct hydraf_hardware *out, struct dse_error *err);
