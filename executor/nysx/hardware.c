/* Knobs and the board. */
#include "executor/nysx/hardware.h"

#include <stdlib.h>
#include <string.h>

#include "core/number.h"

#define AXI_BOUNDARY_BYTES 4096 /* a burst stays within 4 KiB (AMBA AXI) */
#define BURSTS_A_FIFO 4         /* at least: a shorter FIFO shortens the bursts */
#define QUERY_PORT_BITS 128

/* Numbers: where they go, what they may be, the paper's value (section 6.1; 1 lookup and 16 bursts: assumed). */
static const struct {
    const char *name;
    size_t offset;
    long minimum, maximum, standard;
} numbers[] = {
    {"lshu.pe", offsetof(struct nysx_hardware, lshu_pe), 1, 64, 4},
    {"mphe.lookups", offsetof(struct nysx_hardware, mphe_lookups), 1, 16, 1},
    {"hue.pe", offsetof(struct nysx_hardware, hue_pe), 1, 16, 4},
    {"kse.pe", offsetof(struct nysx_hardware, kse_pe), 1, 64, 4},
    {"sce.bits", offsetof(struct nysx_hardware, sce_bits), 1, 4096, 128},
    {"nee.lanes", offsetof(struct nysx_hardware, nee_lanes), 1, 1024, 16},
    {"nee.memory", offsetof(struct nysx_hardware, nee_memory), 1, 4, 1},
    {"nee.ports", offsetof(struct nysx_hardware, nee_ports), 1, 32, 1},
    {"nee.port_bits", offsetof(struct nysx_hardware, nee_port_bits), 32, 1024, 512},
    {"nee.outstanding", offsetof(struct nysx_hardware, nee_outstanding), 1, 64, 16},
    {"nee.fifo_depth", offsetof(struct nysx_hardware, nee_fifo_depth), 2, 65536, 512},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static const char *const lshu_balance[] = {"none", "ps", "pl", NULL};
static const char *const kse_balance[] = {"none", "static", NULL};
static const char *const sce_rows[] = {"one", "all", NULL};
static const char *const gammas[] = {"1", "1.5", "2", "4", NULL};
static const char *const capacities[] = {"p99", "max", NULL};
static const char *const places[] = {"bram", "uram", "lutram", "ddr", NULL};

/* Words: where they are kept, what they may be, the paper's. */
enum word { LSHU_BALANCE, KSE_BALANCE, SCE_PE, MPHE_GAMMA, CAPACITY, PLACE_H, PLACE_P, PLACE_CODEBOOK,
            PLACE_PROTOTYPES, WORDS };
static const struct {
    const char *name;
    const char *const *values;
    int standard;
} words[WORDS] = {
    [LSHU_BALANCE] = {"lshu.balance", lshu_balance, 1},
    [KSE_BALANCE] = {"kse.balance", kse_balance, 1},
    [SCE_PE] = {"sce.pe", sce_rows, 1},
    [MPHE_GAMMA] = {"mphe.gamma", gammas, 2},
    [CAPACITY] = {"capacity", capacities, 1},
    [PLACE_H] = {"place.h", places, 0},
    /* Memories on chip are read by the pipeline at one pace: these cost resources, not cycles. */
    [PLACE_P] = {"place.p", places, 1},
    [PLACE_CODEBOOK] = {"place.codebook", places, 0},
    [PLACE_PROTOTYPES] = {"place.prototypes", places, 0},
};

static enum dse_status read_word(const struct dse_setting *knobs, const char *name, const char *const *allowed,
                                 int standard, int *out, struct dse_error *err)
{
    const char *value = dse_setting_get(knobs, name);
    *out = standard;
    for (int i = 0; value != NULL; i++) {
        if (allowed[i] == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "%s=%s: no value that the simulation has", name, value);
        *out = i;
        if (strcmp(allowed[i], value) == 0)
            break;
    }
    return DSE_OK;
}

static enum dse_status read_whole(const struct dse_setting *knobs, const char *name, long minimum, long maximum,
                                  long standard, size_t *out, struct dse_error *err)
{
    const char *value = dse_setting_get(knobs, name);
    int64_t whole = 0;
    *out = (size_t)standard;
    if (value == NULL)
        return DSE_OK;
    if (dse_number_whole(value, &whole) != DSE_NUMBER_READ || whole < minimum || whole > maximum)
        return dse_fail(err, DSE_BAD_USAGE, "%s=%s: must be a whole number of %ld to %ld", name, value, minimum, maximum);
    *out = (size_t)whole;
    return DSE_OK;
}

static enum dse_status read_number(const struct dse_setting *knobs, const char *name, double minimum,
                                   double maximum, double standard, double *out, struct dse_error *err)
{
    const char *value = dse_setting_get(knobs, name);
    *out = standard;
    if (value != NULL && (dse_number_real(value, out) != DSE_NUMBER_READ || !(*out >= minimum && *out <= maximum)))
        return dse_fail(err, DSE_BAD_USAGE, "%s=%s: must be a number of %g to %g", name, value, minimum, maximum);
    return DSE_OK;
}

static bool known(const char *name)
{
    for (size_t i = 0; i < NUMBERS; i++)
        if (strcmp(numbers[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < WORDS; i++)
        if (strcmp(words[i].name, name) == 0)
            return true;
    return strcmp(name, "clock_mhz") == 0 || strcmp(name, "units") == 0; /* units share no graph: throughput only */
}

/* The widest kind of port to a memory, and how many there are of any kind. */
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

/* The query's port brings 16 bytes a cycle at most, and no more than its memory does. */
static void read_query(const struct dse_board *board, struct nysx_hardware *out)
{
    const struct dse_memory *memory = &board->memories[0];
    int64_t bits = board->ports[0].width_bits < QUERY_PORT_BITS ? board->ports[0].width_bits : QUERY_PORT_BITS;
    out->first_bytes_a_cycle = dse_memory_sustained_bytes_per_s(memory) / out->clock_hz;
    out->query_bytes_a_cycle = (double)bits / 8.0 < out->first_bytes_a_cycle ? (double)bits / 8.0
                                                                             : out->first_bytes_a_cycle;
    out->query_latency_cycles = memory->read_latency_s * out->clock_hz;
}

enum dse_status nysx_hardware_read(const struct dse_setting *knobs, const struct dse_board *board,
                                   struct nysx_hardware *out, struct dse_error *err)
{
    *out = (struct nysx_hardware){0};
    int chosen[WORDS] = {0};
    double clock_mhz = 0.0;
    for (size_t i = 0; i < knobs->count; i++)
        if (!known(knobs->pairs[i].name))
            return dse_fail(err, DSE_BAD_USAGE, "%s: is no knob of the simulation", knobs->pairs[i].name);
    for (size_t i = 0; i < NUMBERS; i++) {
        size_t whole = 0;
        DSE_TRY(read_whole(knobs, numbers[i].name, numbers[i].minimum, numbers[i].maximum, numbers[i].standard, &whole, err));
        memcpy((char *)out + numbers[i].offset, &whole, sizeof whole);
    }
    for (size_t i = 0; i < WORDS; i++)
        DSE_TRY(read_word(knobs, words[i].name, words[i].values, words[i].standard, &chosen[i], err));
    DSE_TRY(read_number(knobs, "clock_mhz", 10.0, 1000.0, 300.0, &clock_mhz, err));
    out->lshu_balance = (enum nysx_balance)chosen[LSHU_BALANCE];
    out->kse_balance = (enum nysx_balance)chosen[KSE_BALANCE];
    out->sce_all = chosen[SCE_PE] == 1;
    out->gamma = strtod(gammas[chosen[MPHE_GAMMA]], NULL);
    out->capacity_max = chosen[CAPACITY] == 1;
    out->h_in_memory = chosen[PLACE_H] == 3;
    out->clock_hz = clock_mhz * 1e6;
    read_query(board, out);
    return read_stream(board, out, err);
}
