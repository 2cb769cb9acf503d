#include "executor/nysx/hardware.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static enum dse_status read_word(const struct dse_setting *knobs, const char *name, const char *const *words,
                                 int standard, int *out, struct dse_error *err)
{
    const char *value = dse_setting_get(knobs, name);
    *out = standard;
    for (int i = 0; value != NULL; i++) {
        if (words[i] == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "%s=%s: no value that the simulation has", name, value);
        *out = i;
        if (strcmp(words[i], value) == 0)
            break;
    }
    return DSE_OK;
}

static enum dse_status read_number(const struct dse_setting *knobs, const char *name, double minimum,
                                   double maximum, double standard, double *out, struct dse_error *err)
{
    const char *value = dse_setting_get(knobs, name);
    char *end = NULL;
    *out = value != NULL ? strtod(value, &end) : standard;
    if (value != NULL && (end == value || *end != '\0' || !(*out >= minimum && *out <= maximum)))
        return dse_fail(err, DSE_BAD_USAGE, "%s=%s: must be a number of %g to %g", name, value, minimum, maximum);
    return DSE_OK;
}

static bool known(const char *name)
{
    static const char *const others[] = {"lshu.balance", "kse.balance", "sce.pe", "mphe.gamma", "clock_mhz"};
    for (size_t i = 0; i < NUMBERS; i++)
        if (strcmp(numbers[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], name) == 0)
            return true;
    return false;
}

static void read_memory(const struct dse_board *board, struct nysx_hardware *out)
{
    const struct dse_memory *memory = &board->memories[0];
    size_t beats = 256;
    out->latency_cycles = memory->read_latency_s * out->clock_hz;
    out->channel_bytes_a_cycle = memory->preset_transfers_hz * (double)memory->width_bits / 8.0 *
                                 memory->efficiency / out->clock_hz;
    for (size_t i = 0; i < board->port_count; i++) {
        const struct dse_port *port = &board->ports[i];
        if (strcmp(port->memory, memory->name) != 0)
            continue;
        beats = (size_t)port->max_burst_beats;
        if ((size_t)port->width_bits < out->nee_port_bits) {
            /* The board's port brings no more a cycle; a word of the FIFO takes several of its beats. */
            out->nee_fifo_depth *= out->nee_port_bits / (size_t)port->width_bits;
            out->nee_port_bits = (size_t)port->width_bits;
        }
        break;
    }
    size_t page = 4096 * 8 / out->nee_port_bits; /* AXI bursts end at 4 KiB */
    beats = beats < page ? beats : page;
    out->burst_beats = beats < out->nee_fifo_depth ? beats : out->nee_fifo_depth;
}

enum dse_status nysx_hardware_read(const struct dse_setting *knobs, const struct dse_board *board,
                                   struct nysx_hardware *out, struct dse_error *err)
{
    *out = (struct nysx_hardware){0};
    enum dse_status status = DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < knobs->count; i++)
        if (!known(knobs->pairs[i].name))
            status = dse_fail(err, DSE_BAD_USAGE, "%s: is no knob of the simulation", knobs->pairs[i].name);
    for (size_t i = 0; status == DSE_OK && i < NUMBERS; i++) {
        double value;
        status = read_number(knobs, numbers[i].name, (double)numbers[i].minimum, (double)numbers[i].maximum,
                             (double)numbers[i].standard, &value, err);
        size_t whole = status == DSE_OK ? (size_t)value : 0;
        memcpy((char *)out + numbers[i].offset, &whole, sizeof whole);
    }
    int lshu = 0, kse = 0, sce = 0, gamma = 0;
    double clock_mhz = 0.0;
    if (status == DSE_OK)
        status = read_word(knobs, "lshu.balance", lshu_balance, 1, &lshu, err);
    if (status == DSE_OK)
        status = read_word(knobs, "kse.balance", kse_balance, 1, &kse, err);
    if (status == DSE_OK)
        status = read_word(knobs, "sce.pe", sce_rows, 1, &sce, err);
    if (status == DSE_OK)
        status = read_word(knobs, "mphe.gamma", gammas, 2, &gamma, err);
    if (status == DSE_OK)
        status = read_number(knobs, "clock_mhz", 10.0, 1000.0, 300.0, &clock_mhz, err);
    if (status != DSE_OK)
        return status;
    out->lshu_balance = (enum nysx_balance)lshu;
    out->kse_balance = (enum nysx_balance)kse;
    out->sce_all = sce == 1;
    out->gamma = strtod(gammas[gamma], NULL);
    out->clock_hz = clock_mhz * 1e6;
    read_memory(board, out);
    return DSE_OK;
}
