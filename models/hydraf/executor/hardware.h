/* The hardware that a simulation runs on: knobs as numbers, what the board's memory can do, and the operators' latencies. */
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
    size_t encoder_features; /* added at once */
    bool pipelined;        /* arrays and updates take T dimensions at once */
    bool dense;            /* the cluster update multiplies the whole select matrix first */
    bool on_chip;          /* rows are encoded on chip */
    bool learns;           /* the task: batches to learn from, instead of single rows to answer */
    double clock_hz;
    double latency_cycles; /* of a read of the first memory */
    double bytes_a_cycle;  /* of the port: its width, or what a channel of the memory sustains */
    /* Cycles from an operator's inputs to its output, and of what passes several, one behind the other. */
    uint64_t interval;     /* between two steps of a processing element, which need one running sum */
    uint64_t array_depth;  /* from a chunk's elements to its part of the sums */
    uint64_t encoder_depth; /* from a row's features to a chunk's elements */
    uint64_t compare, difference, to_real; /* of two sums; of a difference to single precision */
    uint64_t exp, divide, multiply, add;   /* of the confidence unit, single precision; the loss's addition */
    uint64_t tree_add;                     /* of its trees of sums, without DSPs */
    uint64_t update_depth; /* read, multiply by the loss, add, write */
};

/* Reads the hardware knobs of a configuration; no task but `infer` and `train`.
 * DSE_ANSWER_NO for a board without a port to its memory. */
enum dse_status hydraf_hardware_read(const struct hydraf_regressor *regressor, const struct dse_config *config, const struct dse_board *board,
                                     const struct dse_costs *costs, struct hydraf_hardware *out, struct dse_error *err);
