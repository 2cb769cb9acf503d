/* The hardware of a configuration, from its knobs and the board. */
#include "models/nysx/executor/hardware.h"

#include <string.h>

#define AXI_BOUNDARY_BYTES 4096 /* a burst stays within 4 KiB (AMBA AXI) */
#define BURSTS_A_FIFO 4         /* at least; a shorter FIFO shortens the bursts */
#define QUERY_PORT_BITS 128

/* The widest kind of port to a memory; `count` gets the number of ports of all kinds. */
static const struct dse_port *port_to(const struct dse_board *board, const char *memory, size_t *count)
{
    const struct dse_port *widest = NULL;
    *count = 0;
    for (size_t i = 0; i < board->port_count; i++) {
        if (strcmp(board->ports[i].memory, memory) != 0)
            continue;
        *count += (size_t)board->ports[i].count;
        if (widest == NULL || board->ports[i].width_bits > widest->width_bits)
            widest = &board->ports[i];
    }
    return widest;
}

static enum dse_status read_stream(const struct dse_board *board, struct nysx_hardware *out, struct dse_error *err)
{
    if (out->nee_memory > board->memory_count)
        return dse_fail(err, DSE_ANSWER_NO, "nee.memory=%zu: the board %s has %zu memories", out->nee_memory,
                        board->name, board->memory_count);
    const struct dse_memory *memory = &board->memories[out->nee_memory - 1];
    size_t count = 0;
    const struct dse_port *port = port_to(board, memory->name, &count);
    if (port == NULL || out->nee_ports > count)
        return dse_fail(err, DSE_ANSWER_NO, "nee.ports=%zu: the board %s has %zu ports to its memory %s",
                        out->nee_ports, board->name, count, memory->name);
    size_t bits = out->nee_port_bits < (size_t)port->width_bits ? out->nee_port_bits : (size_t)port->width_bits;
    out->beat_bytes = bits / 8;
    const size_t most[] = {(size_t)port->max_burst_beats, AXI_BOUNDARY_BYTES / out->beat_bytes,
                           out->nee_fifo_depth * (out->nee_port_bits / 8) / out->beat_bytes / BURSTS_A_FIFO};
    out->burst_beats = most[0];
    for (size_t i = 1; i < 3; i++)
        out->burst_beats = most[i] < out->burst_beats ? most[i] : out->burst_beats;
    out->burst_beats = out->burst_beats > 0 ? out->burst_beats : 1;
    out->channels = (size_t)memory->channels;
    out->channel_bytes_a_cycle = dse_memory_sustained_bytes_per_s(memory) / (double)memory->channels / out->clock_hz;
    out->stream_latency_cycles = memory->read_latency_s * out->clock_hz;
    return DSE_OK;
}

/* The query's port reads at most 16 bytes per cycle, and at most its memory's rate. */
static void read_query(const struct dse_board *board, struct nysx_hardware *out)
{
    const struct dse_memory *memory = &board->memories[0];
    int64_t bits = board->ports[0].width_bits < QUERY_PORT_BITS ? board->ports[0].width_bits : QUERY_PORT_BITS;
    out->first_bytes_a_cycle = dse_memory_sustained_bytes_per_s(memory) / out->clock_hz;
    out->query_bytes_a_cycle = (double)bits / 8.0 < out->first_bytes_a_cycle ? (double)bits / 8.0
                                                                             : out->first_bytes_a_cycle;
    out->query_latency_cycles = memory->read_latency_s * out->clock_hz;
}

enum dse_status nysx_hardware_read(const struct dse_config *config, const struct dse_board *board, struct nysx_hardware *out, struct dse_error *err)
{
    const int64_t *v = config->value;
    /* units are not read: they cost resources, not cycles */
    *out = (struct nysx_hardware){
        .lshu_pe = (size_t)v[NYSX_LSHU_PE],
        .mphe_lookups = (size_t)v[NYSX_MPHE_LOOKUPS],
        .hue_pe = (size_t)v[NYSX_HUE_PE],
        .kse_pe = (size_t)v[NYSX_KSE_PE],
        .sce_bits = (size_t)v[NYSX_SCE_BITS],
        .lshu_balance = (enum nysx_lshu_balance)v[NYSX_LSHU_BALANCE],
        .kse_balance = (enum nysx_kse_balance)v[NYSX_KSE_BALANCE],
        .gamma = dse_knob_number(&nysx_knobs.knobs[NYSX_MPHE_GAMMA], v[NYSX_MPHE_GAMMA]),
        .nee_lanes = (size_t)v[NYSX_NEE_LANES],
        .nee_codes = (size_t)v[NYSX_NEE_CODES],
        .nee_merge = (size_t)dse_knob_number(&nysx_knobs.knobs[NYSX_NEE_MERGE], v[NYSX_NEE_MERGE]),
        .nee_memory = (size_t)v[NYSX_NEE_MEMORY],
        .nee_ports = (size_t)v[NYSX_NEE_PORTS],
        .nee_port_bits = (size_t)v[NYSX_NEE_PORT_BITS],
        .nee_outstanding = (size_t)v[NYSX_NEE_OUTSTANDING],
        .nee_fifo_depth = (size_t)v[NYSX_NEE_FIFO_DEPTH],
        .sce_all = v[NYSX_SCE_PE] == NYSX_SCE_ALL,
        .h_in_memory = v[NYSX_PLACE_H] == NYSX_PLACE_DDR,
        .h_in_uram = v[NYSX_PLACE_H] == NYSX_PLACE_URAM,
        .codebook_in_uram = v[NYSX_PLACE_CODEBOOK] == NYSX_PLACE_URAM,
        .capacity_max = v[NYSX_CAPACITY] == NYSX_CAPACITY_MAX,
        .clock_hz = (double)v[NYSX_CLOCK_MHZ] * 1e6,
        .operation_s = board->host.operation.s,
    };
    read_query(board, out);
    return read_stream(board, out, err);
}
