/* The AXI port: encoded hypervectors from external memory, or raw samples where they are encoded on chip (paper,
 * sections IV and V.G); a sample's target comes with it when learning. */
#include <math.h>
#include <string.h>

#include "models/hydraf/hydraf.h"

#define FEATURE_BYTES 4 /* single precision, as the data sets are read */

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

/* Bytes a cycle: the port's width, never more than a channel of the memory sustains; 0 for a board without a port. */
static double rate_of(const struct dse_context *context, const struct dse_config *config)
{
    const struct dse_port *port = port_of(context->board);
    const struct dse_memory *memory = &context->board->memories[0];
    if (port == NULL)
        return 0.0;
    int64_t bits = config->value[HYDRAF_AXI_BITS];
    double width = (double)(bits < port->width_bits ? bits : port->width_bits) / 8.0, clock_hz = (double)config->value[HYDRAF_CLOCK_MHZ] * 1e6;
    double rate = fmin(width, dse_memory_sustained_bytes_per_s(memory) / (double)memory->channels / clock_hz);
    return context->band == DSE_BAND_HIGH ? rate * memory->efficiency_low / memory->efficiency : rate;
}

static int64_t sample_bytes(const struct dse_config *config, const struct hydraf_work *work, const struct hydraf_shape *shape)
{
    int64_t read = work->features - config->value[HYDRAF_BIAS]; /* the constant one is not read */
    return config->value[HYDRAF_ENCODING] == HYDRAF_ON_CHIP ? read * FEATURE_BYTES : dse_ceil_div(shape->dim * shape->bits, 8);
}

/* A run's rows are asked for when the run before it begins to predict: only what the way to the memory takes beyond that is waited
 * for. */
static double waited(struct dse_build *build, const struct hydraf_shape *shape)
{
    double way = ceil(build->context->board->memories[0].read_latency_s * build->clock_hz);
    return fmax(way - (double)hydraf_predict_cycles(build, shape), 0.0);
}

int64_t hydraf_encoder_steps(const struct dse_config *config, const struct hydraf_work *work, const struct hydraf_shape *shape)
{
    return dse_ceil_div(work->features, config->value[HYDRAF_ENCODER_FEATURES]) * (shape->chunk / shape->lanes);
}

double hydraf_features_cycles(const struct dse_context *context, const struct dse_config *config, const struct hydraf_shape *shape)
{
    double rate = rate_of(context, config);
    int64_t sample = sample_bytes(config, context->work, shape), before = (shape->rows - 1) * hydraf_encoder_steps(config, context->work, shape);
    return rate > 0.0 ? fmax(ceil((double)sample / rate), ceil((double)(shape->rows * sample) / rate) - (double)before) : 0.0;
}

double hydraf_first_chunk_cycles(const struct dse_context *context, const struct dse_config *config, const struct hydraf_shape *shape)
{
    double rate = rate_of(context, config);
    if (config->value[HYDRAF_ENCODING] == HYDRAF_ON_CHIP)
        return hydraf_features_cycles(context, config, shape) + (double)(shape->rows * hydraf_encoder_steps(config, context->work, shape));
    return rate > 0.0 ? ceil((double)(shape->rows * sample_bytes(config, context->work, shape)) / (double)shape->chunks / rate) : 0.0;
}

enum dse_status hydraf_account_port(const struct dse_context *context, const struct dse_config *config,
                                    struct dse_accumulators *out, struct dse_error *err)
{
    struct hydraf_shape shape = hydraf_shape_of(config, context->work);
    struct dse_build build = dse_build_start(context, config->value[HYDRAF_CLOCK_MHZ], err);
    double rate = rate_of(context, config);
    if (rate == 0.0) {
        dse_build_refuse(&build, "the board %s has no port to a memory", context->board->name);
        return DSE_OK;
    }
    int64_t bytes = shape.rows * (sample_bytes(config, context->work, &shape) + (shape.learns ? FEATURE_BYTES : 0));
    double busy = ceil((double)bytes / rate);
    hydraf_put_cycles(out, HYDRAF_STAGE_COMPARE, &shape, busy, waited(&build, &shape));
    for (int c = 0; c < DSE_CASE_COUNT; c++)
        out->bytes[c][HYDRAF_STAGE_COMPARE][0] = dse_count((double)bytes * shape.runs);
    dse_build_m_axi(&build, config->value[HYDRAF_AXI_BITS], 0, 0, 1.0);
    return dse_build_finish(&build, busy * shape.runs, out);
}
