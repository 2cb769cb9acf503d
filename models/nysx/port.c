/* Memory port that streams P_nys (paper, section 5.2.5; "Streaming Architecture").
 *
 * A word wider than the board's port takes several beats. A burst is requested only when the FIFO has room for
 * all of its words. The outstanding bursts and the FIFO therefore limit the data in flight. With L the time
 * from a request to its last word, a port delivers at most in flight / L bytes per second (Little's law). The two-
 * parameter form L = latency + 1.3 cycles per beat fits Xilinx's measured burst performance within
 * 4 % (Vitis_Accel_Examples axi_burst_performance, U200, 12 rows). */
#include <math.h>
#include <string.h>

#include "models/build.h"
#include "models/nysx/nysx.h"

#define CYCLES_A_BEAT 1.3
#define AXI_BOUNDARY_BYTES 4096 /* a burst stays within 4 KiB (AMBA AXI) */

/* Minimum number of bursts that a FIFO holds. With one or two, memory and lanes would alternate: the lanes drain a
 * burst before the next is requested. */
#define BURSTS_A_FIFO 4

/* A step of the lanes' last round is padded in two cases. Without padding, steps could begin at more than PLACES_MOST positions in
 * the lanes; or the elements of all these positions would exceed ELEMENTS_MOST. */
#define PLACES_MOST 16
#define ELEMENTS_MOST 4096

static const double precision_bytes[] = {4.0, 2.0, 2.0, 2.0, 1.0, 0.5, 0.125};

/* The board's widest kind of port to a memory. */
const struct dse_port *nysx_port_to(const struct dse_board *board, const char *memory)
{
    const struct dse_port *best = NULL;
    for (size_t i = 0; i < board->port_count; i++)
        if (strcmp(board->ports[i].memory, memory) == 0 &&
            (best == NULL || board->ports[i].width_bits > best->width_bits))
            best = &board->ports[i];
    return best;
}

static int64_t ports_available(const struct dse_board *board, const char *memory)
{
    int64_t count = 0;
    for (size_t i = 0; i < board->port_count; i++)
        if (strcmp(board->ports[i].memory, memory) == 0)
            count += board->ports[i].count;
    return count;
}

struct nysx_burst nysx_port_burst(const struct dse_port *port, const struct dse_config *config)
{
    int64_t asked = config->value[NYSX_NEE_PORT_BITS];
    int64_t beat_bytes = (asked < port->width_bits ? asked : port->width_bits) / 8;
    int64_t beats = port->max_burst_beats;
    if (beats > AXI_BOUNDARY_BYTES / beat_bytes)
        beats = AXI_BOUNDARY_BYTES / beat_bytes;
    int64_t room = config->value[NYSX_NEE_FIFO_DEPTH] * (asked / 8) / beat_bytes;
    if (room / BURSTS_A_FIFO < beats) /* a shorter FIFO shortens the bursts */
        beats = room / BURSTS_A_FIFO > 0 ? room / BURSTS_A_FIFO : 1;
    return (struct nysx_burst){.beats = beats, .beat_bytes = beat_bytes};
}

/* Bytes per cycle of one port, and, in *wide, without the limit on data in flight; a port reads one channel of its memory. */
static double port_rate(const struct dse_port *port, const struct dse_memory *memory,
                        const struct dse_config *config, double clock_hz, int64_t *burst_beats, double *wide)
{
    struct nysx_burst burst = nysx_port_burst(port, config);
    double beats = (double)burst.beats, beat_bytes = (double)burst.beat_bytes, burst_bytes = beats * beat_bytes;
    double room_bytes = (double)config->value[NYSX_NEE_FIFO_DEPTH] * (double)config->value[NYSX_NEE_PORT_BITS] / 8.0;
    double outstanding = (double)config->value[NYSX_NEE_OUTSTANDING];
    double trip_cycles = ceil(memory->read_latency_s * clock_hz + CYCLES_A_BEAT * beats);
    /* The credit of a consumed word counts in the next cycle, the credit of an arrived burst in the same cycle. */
    double in_flight = fmin(outstanding / trip_cycles, floor(room_bytes / burst_bytes) / (trip_cycles + 1.0));
    *burst_beats = burst.beats;
    double channel = dse_memory_sustained_bytes_per_s(memory) / (double)memory->channels / clock_hz;
    *wide = fmin(beat_bytes, channel);
    return fmin(*wide, in_flight * burst_bytes);
}

/* A port is slower by the same factor as its memory is below nominal; it never exceeds its width. */
static double slowness(const struct dse_memory *memory, enum dse_band band)
{
    return band == DSE_BAND_HIGH ? memory->efficiency_low / memory->efficiency : 1.0;
}

enum dse_status nysx_cost_port(const struct dse_context *context, const struct dse_config *config,
                                  struct dse_accumulators *out, struct dse_error *err)
{
    if (config->value[NYSX_NEE_FORM] != NYSX_STREAMED)
        return DSE_OK;
    const struct nysx_work *work = context->work;
    const struct dse_board *board = context->board;
    struct dse_build build = dse_build_start(context, config->value[NYSX_CLOCK_MHZ], err);
    size_t memory = (size_t)config->value[NYSX_NEE_MEMORY] - 1;
    if (memory >= board->memory_count) {
        dse_build_reject(&build, "nee.memory=%zu: the board %s has %zu memories", memory + 1, board->name, board->memory_count);
        return DSE_OK;
    }
    const struct dse_port *port = nysx_port_to(board, board->memories[memory].name);
    int64_t ports = config->value[NYSX_NEE_PORTS];
    int64_t available = ports_available(board, board->memories[memory].name);
    if (port == NULL || ports > available) {
        dse_build_reject(&build, "nee.ports=%lld: the board %s has %lld ports to its memory %s", (long long)ports, board->name,
                         (long long)available, board->memories[memory].name);
        return DSE_OK;
    }
    int64_t burst = 1;
    double wide, rate = (double)ports * port_rate(port, &board->memories[memory], config, build.clock_hz, &burst, &wide);
    rate *= slowness(&board->memories[memory], context->band);
    int64_t precision = config->value[NYSX_NEE_PRECISION];
    double word = (double)config->value[NYSX_NEE_PORT_BITS] / 8.0, all_ports = word * (double)ports;
    /* Whole words of all ports. Excludes the padding of the last round (docs/reference/hls.md), if any: a port block that
     * reads the lanes makes the search of streamed designs twenty times as long. */
    double bytes = ceil((double)config->value[NYSX_DIM] * (double)work->landmarks * precision_bytes[precision] / all_ports) * all_ports;
    double room = fmin(bytes, (double)config->value[NYSX_NEE_FIFO_DEPTH] * all_ports);
    /* Until C is read, the lanes take nothing and the FIFOs fill. */
    double latency = board->memories[memory].read_latency_s * build.clock_hz;
    /* If data in flight are the limit, each round of bursts includes the latency; the first latency is counted in the loop's depth. */
    double twice = fmin(latency, bytes / rate - bytes / ((double)ports * wide * slowness(&board->memories[memory], context->band)));
    double held = fmax((double)work->landmarks - latency, room / rate - twice) + (bytes - room) / rate;
    /* Words buffered while C was read go to the lanes at most at one word of all ports per cycle. */
    double taken = fmax((double)work->landmarks - latency, 0.0) + bytes / all_ports;
    int64_t busy = dse_count(ceil(fmax(fmax(bytes / rate - twice, held), taken)));
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][NYSX_STAGE_ENCODE] = busy;
        out->fill_cycles[c][NYSX_STAGE_ENCODE] = dse_build_depth(&build, nysx_port_depth(&build, memory));
        out->bytes[c][NYSX_STAGE_ENCODE][memory] = dse_count(bytes);
    }
    dse_build_m_axi(&build, config->value[NYSX_NEE_PORT_BITS], config->value[NYSX_NEE_OUTSTANDING], burst,
                    (double)ports);
    dse_build_fifo(&build, config->value[NYSX_NEE_FIFO_DEPTH], config->value[NYSX_NEE_PORT_BITS], (double)ports);
    dse_build_structure(&build, DSE_STRUCTURE_REGISTER, (double)config->value[NYSX_NEE_PORT_BITS], (double)ports);
    dse_build_structure(&build, DSE_STRUCTURE_LOOP, 1.0, (double)ports + 1.0); /* and the loop that regroups words into steps */
    dse_build_structure(&build, DSE_STRUCTURE_PROCESS, 1.0, 2.0);
    return dse_build_finish(&build, (double)busy, out);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Rounds of the lanes over the rows, and the rounds of each group but the last. */
struct nysx_trips nysx_p_trips(const struct dse_config *config, int64_t interleave)
{
    struct nysx_trips out = {.all = dse_ceil_div(config->value[NYSX_DIM], config->value[NYSX_NEE_LANES])};
    out.groups = dse_ceil_div(out.all, interleave);
    out.of_group = dse_ceil_div(out.all, out.groups);
    out.of_last = out.all - (out.groups - 1) * out.of_group;
    return out;
}

/* Counts iterations: each passes on a step if complete, else takes a word. */
static int64_t count_gathers(const struct nysx_beats *beats, const struct nysx_trips *trips, int64_t landmarks)
{
    int64_t have = 0, iterations = 0;
    for (int64_t group = 0; group < trips->groups; group++) {
        bool last = group == trips->groups - 1;
        int64_t count = last ? trips->of_last : trips->of_group;
        for (int64_t k = 0; k < count * landmarks; k++) {
            int64_t need = last && k % count == count - 1 ? beats->rest : beats->step;
            int64_t words = have < need ? dse_ceil_div(need - have, beats->beat) : 0;
            iterations += words > 1 ? words : 1;
            have += words * beats->beat - need;
        }
    }
    return iterations;
}

struct nysx_beats nysx_p_beats(const struct dse_config *config, int64_t element_bits, int64_t landmarks, int64_t interleave)
{
    int64_t lanes = config->value[NYSX_NEE_LANES], dim = config->value[NYSX_DIM];
    struct nysx_trips trips = nysx_p_trips(config, interleave);
    int64_t rows = dim - (trips.all - 1) * lanes; /* rows of the last round */
    struct nysx_beats out = {.beat = config->value[NYSX_NEE_PORTS] * config->value[NYSX_NEE_PORT_BITS] / element_bits};
    for (out.unit = common_divisor(lanes, out.beat);
         out.unit % 2 == 0 && lanes / out.unit < PLACES_MOST && 2 * lanes / out.unit * out.beat <= ELEMENTS_MOST; out.unit /= 2)
        if (rows % out.unit == 0)
            break;
    out.rest = dse_ceil_div(rows, out.unit) * out.unit;
    out.step = trips.all > 1 ? lanes : out.rest;
    out.steps = trips.all * landmarks;
    out.words = dse_ceil_div(((trips.all - 1) * lanes + out.rest) * landmarks, out.beat);
    out.gathers = count_gathers(&out, &trips, landmarks);
    return out;
}
