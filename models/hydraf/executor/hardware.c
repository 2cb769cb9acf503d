#include "models/hydraf/executor/hardware.h"

#include <math.h>
#include <string.h>

#include "executor/depths.h"

static enum dse_status read_memory(const struct dse_board *board, double axi_bits, struct hydraf_hardware *out,
                                   struct dse_error *err)
{
    int64_t widest = 0;
    const struct dse_memory *memory = &board->memories[0];
    for (size_t i = 0; board->memory_count > 0 && i < board->port_count; i++)
        if (strcmp(board->ports[i].memory, memory->name) == 0 && board->ports[i].width_bits > widest)
            widest = board->ports[i].width_bits;
    if (widest == 0)
        return dse_fail(err, DSE_ANSWER_NO, "the board %s has no port to a memory", board->name);
    double width = fmin(axi_bits, (double)widest) / 8.0;
    double channel = dse_memory_sustained_bytes_per_s(memory) / (double)memory->channels / out->clock_hz;
    out->bytes_a_cycle = fmin(width, channel);
    out->latency_cycles = ceil(memory->read_latency_s * out->clock_hz);
    return DSE_OK;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#define LEVEL_S 1.2e-9 /* of whole numbers, with its wires: as many levels stand behind one another as a cycle has room for */

/* From the terms of a tree to the running sum, whose addition ends it. */
static uint64_t tree_depth(size_t terms, bool real, uint64_t add, double clock_hz)
{
    uint64_t levels = dse_tree_levels(terms), in_a_cycle = larger((uint64_t)(1.0 / (LEVEL_S * clock_hz)), 1);
    return (real ? levels * add : (levels + in_a_cycle - 1) / in_a_cycle) + add;
}

static enum dse_status read_latencies(const struct hydraf_regressor *regressor, const struct dse_costs *costs,
                                      struct hydraf_hardware *out, struct dse_error *err)
{
    static const enum dse_precision precisions[] = {DSE_FP32, DSE_INT16, DSE_INT8};
    enum dse_precision element = precisions[regressor->setting.precision];
    enum dse_precision sums = element == DSE_FP32 ? DSE_FP32 : DSE_INT32;
    struct dse_latencies l = {.costs = costs, .clock_hz = out->clock_hz, .err = err, .status = DSE_OK};
    uint64_t level = dse_latency(&l, DSE_OP_ADD, sums);
    out->interval = larger(dse_latency(&l, out->pipelined ? DSE_OP_ADD : DSE_OP_MAC, out->pipelined ? sums : element), 1);
    if (out->pipelined && element != DSE_FP32)
        out->interval = 1; /* a sum of whole numbers ends in its cycle */
    out->array_depth = out->pipelined ? dse_latency(&l, DSE_OP_MUL, element) + tree_depth(out->chunk, element == DSE_FP32, level, out->clock_hz)
                                      : dse_latency(&l, DSE_OP_MAC, element);
    size_t features = regressor->encoder.features < out->encoder_features ? regressor->encoder.features
                                                                          : out->encoder_features;
    out->encoder_depth = dse_latency(&l, DSE_OP_MUL, DSE_FP32) + tree_depth(features, element == DSE_FP32, level, out->clock_hz);
    if (element != DSE_FP32)
        out->encoder_depth += dse_latency(&l, DSE_OP_FROM_FP32, DSE_INT32);
    out->compare = dse_latency(&l, DSE_OP_COMPARE, sums);
    out->difference = dse_latency(&l, DSE_OP_ADD, sums);
    out->to_real = dse_latency(&l, DSE_OP_TO_FP32, sums);
    out->exp = dse_latency(&l, DSE_OP_EXP, DSE_FP32);
    out->divide = dse_latency(&l, DSE_OP_DIVIDE, DSE_FP32);
    out->multiply = dse_latency(&l, DSE_OP_MUL, DSE_FP32);
    out->add = dse_latency(&l, DSE_OP_ADD, DSE_FP32);
    out->tree_add = dse_latency_in(&l, DSE_OP_ADD, DSE_FP32, DSE_FORM_LUT);
    out->update_depth = 2 + dse_latency(&l, DSE_OP_MUL, element) + level; /* read and write */
    return l.status;
}

enum dse_status hydraf_hardware_read(const struct hydraf_regressor *regressor, const struct dse_config *config, const struct dse_board *board,
                                     const struct dse_costs *costs, struct hydraf_hardware *out, struct dse_error *err)
{
    const int64_t *v = config->value;
    if (v[HYDRAF_TASK] == HYDRAF_FIT)
        return dse_fail(err, DSE_BAD_USAGE, "task=fit: no value that the simulation has: infer or train");
    /* Units share no row: they raise throughput only. */
    *out = (struct hydraf_hardware){.chunk = (size_t)v[HYDRAF_CHUNK], .encoder_features = (size_t)v[HYDRAF_ENCODER_FEATURES],
                                    .pipelined = v[HYDRAF_PIPELINED] == 1, .dense = v[HYDRAF_UPDATE] == HYDRAF_DENSE,
                                    .on_chip = v[HYDRAF_ENCODING] == HYDRAF_ON_CHIP, .learns = v[HYDRAF_TASK] == HYDRAF_TRAIN,
                                    .clock_hz = (double)v[HYDRAF_CLOCK_MHZ] * 1e6};
    DSE_TRY(read_memory(board, (double)v[HYDRAF_AXI_BITS], out, err));
    return read_latencies(regressor, costs, out, err);
}
