/* AXI port: reads encoded hypervectors from external memory, or raw samples if they are encoded on chip (paper,
 * sections IV and V.G). When learning, a sample's target follows it. */
#include <math.h>
#include <string.h>

#include "models/hydraf/layout.h"

#define FEATURE_BYTES 4 /* single precision, the format of the data sets */

/* The board's widest kind of port to its first memory, or NULL. */
static const struct dse_port *port_of(const struct dse_board *board)
{
    const struct dse_port *best = NULL;
    for (size_t i = 0; board->memory_count > 0 && i < board->port_count; i++)
        if (strcmp(board->ports[i].memory, board->memories[0].name) == 0 &&
            (best == NULL || board->ports[i].width_bits > best->width_bits))
            best = &board->ports[i];
    return best;
}

/* Bytes per cycle: the port's width, limited by a memory channel's sustained rate. */
static double bytes_a_cycle(const struct dse_port *port, const struct dse_memory *memory, int64_t bits, double clock_hz)
{
    double width = (double)(bits < port->width_bits ? bits : port->width_bits) / 8.0;
    return fmin(width, dse_memory_sustained_bytes_per_s(memory) / (double)memory->channels / clock_hz);
}

enum dse_status hydraf_cost_port(const struct dse_context *context, const struct dse_config *config,
                                    struct dse_accumulators *out, struct dse_error *err)
{
    const struct hydraf_work *work = context->work;
    struct hydraf_shape shape = hydraf_shape_of(config, work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    const struct dse_port *port = port_of(context->board);
    if (port == NULL) {
        dse_build_reject(&build, "the board %s has no port to a memory", context->board->name);
        return DSE_OK;
    }
    const struct dse_memory *memory = &context->board->memories[0];
    const struct hydraf_layout l = hydraf_layout_of(config, work);
    const struct hydraf_depths depth = hydraf_depths_of(&build, &l, config);
    /* Encoded: a chunk of a sample takes its words, or one cycle if a word has several; features take one cycle each. */
    int64_t brought = l.encodes ? shape.rows * l.features * FEATURE_BYTES : shape.rows * shape.chunks * shape.chunk * shape.bits / 8;
    int64_t steps = l.encodes ? shape.rows * l.features : shape.rows * shape.chunks * l.words_a_row;
    double rate = bytes_a_cycle(port, memory, config->value[HYDRAF_AXI_BITS], build.clock_hz);
    if (context->band == DSE_BAND_HIGH)
        rate *= memory->efficiency_low / memory->efficiency;
    double taken = fmax(ceil((double)brought / rate), (double)steps) - 1.0;
    int64_t bytes = brought + (shape.learns ? shape.rows * FEATURE_BYTES : 0);
    double answers = (double)(depth.answers + shape.rows - 1);
    /* The encoder begins after all features are read; encoded samples arrive while the arrays take them. */
    if (l.encodes)
        hydraf_put_cycles(out, HYDRAF_STAGE_COMPARE, &shape, 0.0, (double)depth.features + taken);
    else
        hydraf_put_cycles(out, HYDRAF_STAGE_COMPARE, &shape, taken, (double)depth.read + hydraf_meeting(&build, config, &l, (taken + 1.0) / (double)(shape.chunks * shape.rows), 1.0));
    hydraf_put_cycles(out, HYDRAF_STAGE_PREDICT, &shape, 0.0, answers);
    hydraf_note(context, &shape, l.encodes ? "axi_features" : "axi_words", 1, steps, 1, l.encodes ? depth.features : depth.read);
    hydraf_note(context, &shape, "axi_targets", shape.learns, shape.learns ? shape.rows : 0, 1, depth.read);
    hydraf_note(context, &shape, "axi_answers", 1, shape.rows, 1, depth.answers);
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        out->bytes[c][HYDRAF_STAGE_COMPARE][0] = dse_count((double)bytes * shape.runs);
    out->reruns = config->value[HYDRAF_TASK] == HYDRAF_FIT ? dse_count(shape.runs * (double)hydraf_parts(context->family, config)) - 1 : 0;
    dse_build_m_axi(&build, config->value[HYDRAF_AXI_BITS], 0, 0, 1.0);
    if (!l.encodes)
        dse_build_fifo(&build, hydraf_queue_rows(&shape), 32 * l.row_parts, 1.0);
    return dse_build_finish(&build, (taken + answers) * shape.runs, out);
}
