#include "executor/hydraf/hardware.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "executor/depths.h"

/* Words: what they may be; the paper's comes first. */
enum word { PIPELINED, UPDATE, ENCODING, TASK, WORDS };
static const struct {
    const char *name, *values[3];
} words[WORDS] = {
    [PIPELINED] = {"systolic.pipelined", {"yes", "no"}},
    [UPDATE] = {"update", {"coo", "dense"}},
    [ENCODING] = {"encoding", {"off-chip", "on-chip"}},
    [TASK] = {"task", {"infer", "train"}},
};

/* Numbers: what they may be, and the paper's (T = 64; 137 MHz are its 7.3 ns; port and encoder are not in it: those of
 * the family's space). Units share no row: they raise throughput only. */
enum number { CHUNK, FEATURES, AXI_BITS, UNITS, CLOCK_MHZ, NUMBERS };
static const struct {
    const char *name;
    double minimum, maximum, standard;
} numbers[NUMBERS] = {
    [CHUNK] = {"chunk", 2, 1024, 64},      [FEATURES] = {"encoder.features", 1, 4096, 16},
    [AXI_BITS] = {"axi.bits", 32, 1024, 256}, [UNITS] = {"units", 1, 16, 1},
    [CLOCK_MHZ] = {"clock_mhz", 10, 1000, 137},
};

static enum dse_status read_word(const struct dse_setting *knobs, enum word word, size_t *out, struct dse_error *err)
{
    const char *value = dse_setting_get(knobs, words[word].name);
    *out = 0;
    for (size_t i = 0; value != NULL; i++) {
        if (words[word].values[i] == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "%s=%s: no value that the simulation has: %s or %s", words[word].name, value,
                            words[word].values[0], words[word].values[1]);
        *out = i;
        if (strcmp(words[word].values[i], value) == 0)
            break;
    }
    return DSE_OK;
}

static enum dse_status read_number(const struct dse_setting *knobs, enum number number, double *out, struct dse_error *err)
{
    const char *value = dse_setting_get(knobs, numbers[number].name);
    *out = numbers[number].standard;
    bool good = value == NULL || (dse_number_real(value, out) == DSE_NUMBER_READ && *out >= numbers[number].minimum &&
                                  *out <= numbers[number].maximum && (number == CLOCK_MHZ || *out == floor(*out)));
    return good ? DSE_OK
                : dse_fail(err, DSE_BAD_USAGE, "%s=%s: must be a number of %g to %g", numbers[number].name, value,
                           numbers[number].minimum, numbers[number].maximum);
}

/* A knob of another kind must be the model's own, or another design would be simulated than was asked for. */
static enum dse_status check_name(const struct dse_setting_pair *pair, const struct dse_setting *model, struct dse_error *err)
{
    for (size_t i = 0; i < NUMBERS; i++)
        if (strcmp(numbers[i].name, pair->name) == 0)
            return DSE_OK;
    for (size_t i = 0; i < WORDS; i++)
        if (strcmp(words[i].name, pair->name) == 0)
            return DSE_OK;
    const char *own = dse_setting_get(model, pair->name);
    if (own == NULL)
        return dse_fail(err, DSE_BAD_USAGE, "%s: is no knob of the simulation", pair->name);
    return strcmp(own, pair->value) == 0
               ? DSE_OK : dse_fail(err, DSE_BAD_USAGE, "%s=%s: the model was trained with %s", pair->name, pair->value, own);
}

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
    out->latency_cycles = memory->read_latency_s * out->clock_hz;
    return DSE_OK;
}

static enum dse_status read_latencies(const struct hydraf_regressor *regressor, const struct dse_costs *costs,
                                      struct hydraf_hardware *out, struct dse_error *err)
{
    static const enum dse_precision precisions[] = {DSE_FP32, DSE_INT16, DSE_INT8};
    enum dse_precision element = precisions[regressor->setting.precision];
    enum dse_precision sums = element == DSE_FP32 ? DSE_FP32 : DSE_INT32;
    struct dse_latencies l = {.costs = costs, .clock_hz = out->clock_hz, .err = err, .status = DSE_OK};
    uint64_t accumulate = dse_latency(&l, DSE_OP_MAC, element), level = dse_latency(&l, DSE_OP_ADD, sums);
    out->interval = accumulate > 1 ? accumulate : 1;
    out->array_depth = accumulate;
    if (out->pipelined)
        out->array_depth = dse_latency(&l, DSE_OP_MUL, element) + level * dse_tree_levels(out->chunk) + level;
    size_t features = regressor->encoder.features < out->encoder_features ? regressor->encoder.features
                                                                          : out->encoder_features;
    out->encoder_depth = dse_latency(&l, DSE_OP_MUL, DSE_FP32) + level * (dse_tree_levels(features) + 1);
    if (element != DSE_FP32)
        out->encoder_depth += dse_latency(&l, DSE_OP_FROM_FP32, DSE_INT32);
    out->exp = dse_latency(&l, DSE_OP_EXP, DSE_FP32);
    out->add = dse_latency(&l, DSE_OP_ADD, DSE_FP32);
    out->divide = dse_latency(&l, DSE_OP_DIVIDE, DSE_FP32);
    out->multiply = dse_latency(&l, DSE_OP_MUL, DSE_FP32);
    out->compare = dse_latency(&l, DSE_OP_COMPARE, DSE_FP32);
    out->update_depth = 2 + dse_latency(&l, DSE_OP_MUL, element) + level; /* read and write */
    return l.status;
}

enum dse_status hydraf_hardware_read(const struct hydraf_regressor *regressor, const struct dse_setting *model,
                                     const struct dse_setting *knobs, const struct dse_board *board,
                                     const struct dse_costs *costs, struct hydraf_hardware *out, struct dse_error *err)
{
    size_t chosen[WORDS] = {0};
    double value[NUMBERS] = {0};
    for (size_t i = 0; i < knobs->count; i++)
        DSE_TRY(check_name(&knobs->pairs[i], model, err));
    for (size_t i = 0; i < WORDS; i++)
        DSE_TRY(read_word(knobs, (enum word)i, &chosen[i], err));
    for (size_t i = 0; i < NUMBERS; i++)
        DSE_TRY(read_number(knobs, (enum number)i, &value[i], err));
    *out = (struct hydraf_hardware){.chunk = (size_t)value[CHUNK], .encoder_features = (size_t)value[FEATURES],
                                    .pipelined = chosen[PIPELINED] == 0, .dense = chosen[UPDATE] == 1,
                                    .on_chip = chosen[ENCODING] == 1, .learns = chosen[TASK] == 1,
                                    .clock_hz = value[CLOCK_MHZ] * 1e6};
    DSE_TRY(read_memory(board, value[AXI_BITS], out, err));
    return read_latencies(regressor, costs, out, err);
}
