#include "models/hydraf/executor/hardware.h"

#include <math.h>
#include <string.h>

#include "executor/depths.h"

#define LOGIC_SHARE 0.73 /* share of a cycle, available to logic */
#define ADDITION_S 0.9e-9
#define COMPARISON_S 1.0e-9 /* including its multiplexer */
#define LONG_ADDITION_S 1.3e-9 /* delay of an addition of 64 bits */

static enum dse_status read_memory(const struct dse_board *board, struct hydraf_hardware *out, struct dse_error *err)
{
    int64_t widest = 0;
    const struct dse_memory *memory = &board->memories[0];
    for (size_t i = 0; board->memory_count > 0 && i < board->port_count; i++)
        if (strcmp(board->ports[i].memory, memory->name) == 0 && board->ports[i].width_bits > widest)
            widest = board->ports[i].width_bits;
    if (widest == 0)
        return dse_fail(err, DSE_ANSWER_NO, "the board %s has no port to a memory", board->name);
    out->bytes_a_cycle = fmin((double)widest / 8.0, dse_memory_sustained_bytes_per_s(memory) / (double)memory->channels / out->clock_hz);
    out->latency_cycles = memory->read_latency_s * out->clock_hz;
    return DSE_OK;
}

/* Cycles of `count` additions in sequence; a cycle has as many as fit. */
static uint64_t additions(const struct hydraf_hardware *h, uint64_t count, double one_s)
{
    double at_once = floor(LOGIC_SHARE / h->clock_hz / one_s);
    return (uint64_t)ceil((double)count / (at_once > 1.0 ? at_once : 1.0));
}

/* Latencies from the table of steps of the micro-architecture page. */
static enum dse_status read_latencies(const struct hydraf_regressor *regressor, const struct dse_costs *costs, bool pipelined,
                                      struct hydraf_hardware *out, struct dse_error *err)
{
    static const enum dse_precision precisions[] = {DSE_FP32, DSE_INT16, DSE_INT8};
    const struct hydraf_setting *s = &regressor->setting;
    enum dse_precision element = precisions[s->precision];
    struct dse_latencies l = {.costs = costs, .clock_hz = out->clock_hz, .err = err, .status = DSE_OK};
    uint64_t add = dse_latency(&l, DSE_OP_ADD, DSE_FP32), multiply = dse_latency(&l, DSE_OP_MUL, DSE_FP32), divide = dse_latency(&l, DSE_OP_DIVIDE, DSE_FP32);
    uint64_t whole = dse_latency(&l, DSE_OP_FROM_FP32, DSE_INT32), real = dse_latency(&l, DSE_OP_TO_FP32, DSE_INT32), accumulate = dse_latency(&l, DSE_OP_MAC, element);
    bool fp32 = element == DSE_FP32;
    size_t features = regressor->encoder.features, steps = (features + out->encoder_lanes - 1) / out->encoder_lanes;
    double addition_s = s->precision == HYDRAF_INT16 ? LONG_ADDITION_S : ADDITION_S;
    out->interval = !pipelined ? (accumulate > 1 ? accumulate : 1) : fp32 ? add : 1;
    out->array_depth = fp32 ? 2 + multiply + add : out->lanes > 1 ? 3 + additions(out, dse_tree_levels(out->chunk) + 1, addition_s) : 3 + additions(out, 1, addition_s);
    out->feature_depth = fp32 ? 1 : 4 + multiply + (whole > add + 1 ? whole : add + 1);
    out->encoder_interval = fp32 && steps > 1 ? add + 1 : 1;
    out->encoder_depth = fp32 ? 2 + (steps > 1 ? 2 : 1) * add : 3 + additions(out, dse_tree_levels(out->encoder_lanes) + 4, ADDITION_S);
    uint64_t levels = dse_tree_levels(s->clusters), difference = fp32 ? add : real;
    double comparison_s = COMPARISON_S + addition_s - ADDITION_S;
    difference += 1 + (uint64_t)ceil((2.0 * ADDITION_S + ((double)s->clusters - 1.0) * comparison_s) * out->clock_hz / LOGIC_SHARE - 1e-9);
    out->entry = difference + 7 * multiply + (5 + levels) * add + 4 + divide;
    out->answer = 2;
    uint64_t loss = 3 + add + multiply, confidence = 1 + divide + multiply, later = loss > confidence ? loss : confidence;
    uint64_t cluster = s->relative ? loss + multiply : loss, model = s->shared ? later + multiply : loss;
    cluster = s->weighted ? (cluster > confidence ? cluster : confidence) + multiply : cluster;
    out->gain = 3 + (model > cluster ? model : cluster);
    out->whole_gain = fp32 ? 2 : 5 + multiply + add + whole;
    out->update_interval = fp32 ? add + 1 : (uint64_t)ceil((3.0 * ADDITION_S + 0.3e-9) * out->clock_hz / LOGIC_SHARE - 1e-9);
    out->update_depth = (out->dense ? 1 : 0) + (fp32 ? 2 + multiply + 2 * add : 2 + (uint64_t)ceil((6.2e-9 + 5.0 * (addition_s - ADDITION_S) + 0.3e-9 * (double)dse_tree_levels(2 * s->clusters * out->lanes)) * out->clock_hz / 0.62 - 1e-9));
    return l.status;
}

enum dse_status hydraf_hardware_read(const struct hydraf_regressor *regressor, const struct dse_config *config, const struct dse_board *board,
                                     const struct dse_costs *costs, struct hydraf_hardware *out, struct dse_error *err)
{
    const int64_t *v = config->value;
    if (v[HYDRAF_TASK] == HYDRAF_FIT)
        return dse_fail(err, DSE_BAD_USAGE, "task=fit: not simulated; must be infer or train");
    bool pipelined = v[HYDRAF_PIPELINED] == 1, fp32 = regressor->setting.precision == HYDRAF_FP32;
    size_t features = regressor->encoder.features, at_once = (size_t)v[HYDRAF_ENCODER_FEATURES];
    /* Units share no row: they raise throughput only. Sums of single precision keep their order. */
    *out = (struct hydraf_hardware){.chunk = (size_t)v[HYDRAF_CHUNK], .lanes = pipelined && !fp32 ? (size_t)v[HYDRAF_CHUNK] : 1,
                                    .encoder_lanes = fp32 ? 1 : at_once < features ? at_once : features,
                                    .encoder_width = pipelined ? (size_t)v[HYDRAF_CHUNK] : 1, .dense = v[HYDRAF_UPDATE] == HYDRAF_DENSE,
                                    .on_chip = v[HYDRAF_ENCODING] == HYDRAF_ON_CHIP, .learns = v[HYDRAF_TASK] == HYDRAF_TRAIN,
                                    .word_bytes = (size_t)v[HYDRAF_AXI_BITS] / 8, .clock_hz = (double)v[HYDRAF_CLOCK_MHZ] * 1e6};
    DSE_TRY(read_memory(board, out, err));
    return read_latencies(regressor, costs, pipelined, out, err);
}
