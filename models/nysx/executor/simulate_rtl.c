/* The stages of the accelerator in SystemVerilog. A stage's cycles are those that nysx_core.sv spends in its state. */
#include "models/nysx/executor/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "executor/simulated.h"
#include "models/nysx/executor/rtl.h"

#define WORD_BYTES 16
#define PORT_ROOM 64   /* words requested and not yet taken */
#define STREAM_BURSTS 4096 /* in the largest nee.fifo_depth */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t parts_of(uint64_t count, uint64_t part)
{
    return (count + part - 1) / part;
}

/* ⌈log₂ n⌉. */
static uint64_t levels_of(uint64_t n)
{
    uint64_t levels = 0;
    while ((uint64_t)1 << levels < n)
        levels++;
    return levels;
}

/* nysx_popcount: leaves of six bits, and a tree. */
static uint64_t counting_levels(uint64_t bits)
{
    return levels_of(parts_of(bits, 6)) + 1;
}

/* Cycles of a sum of `count` terms (nysx_sum) after the first cycle; a cycle has three levels of pairs. */
static uint64_t summing_more(uint64_t count)
{
    return count > 8 ? parts_of(levels_of(count), 3) - 1 : 0;
}

/* ---- independent of the query ---- */

/* Words of H: a round of rows is as long as its longest row; empty rounds are omitted. */
static uint64_t similarity_cycles(const struct nysx_hardware *h, const int32_t *lengths, const int32_t *order, size_t rows)
{
    uint64_t words = 0;
    for (size_t first = 0; first < rows; first += h->kse_pe) {
        int32_t longest = 0;
        for (size_t i = first; i < rows && i < first + h->kse_pe; i++)
            longest = lengths[order[i]] > longest ? lengths[order[i]] : longest;
        words += (uint64_t)longest;
    }
    return words > 0 ? words + 14 : 6;
}

static void sum_similarities(struct nysx_simulating *s)
{
    const struct nysx_encoder *encoder = &s->model->encoder;
    size_t rows = encoder->landmarks;
    for (size_t t = 0; t < encoder->tables; t++) {
        int32_t *lengths = nysx_similarity_order(&s->hardware, &encoder->hop[t].counts);
        s->similarity.cycles += similarity_cycles(&s->hardware, lengths, lengths + rows, rows);
        s->merge_cycles += (encoder->hop[t].codes + 1) / 2 + 3 + summing_more(s->hardware.hue_pe);
        free(lengths);
    }
}

/* The port of P_nys (nysx_axi_read.sv), its queue and its memory. */
struct streaming {
    struct {
        uint64_t heard, beats; /* cycle in which the memory has the request; beats to come */
    } burst[STREAM_BURSTS];
    uint64_t left, room;            /* words not yet requested; words of the queue not reserved */
    uint64_t asked, ended;          /* bursts */
    uint64_t stored, credit;        /* words in the queue; share of a word that the memory's rate allows now */
    bool counted, allowed, front;   /* the next burst's beats are known; nee.outstanding allows it; a word is at the block RAM's output */
};

/* A cycle of the request side and the memory; returns whether a word comes. */
static bool step_port(struct streaming *s, const struct nysx_hardware *h, uint64_t latency, uint64_t rate, uint64_t now)
{
    bool heard = s->ended < s->asked && s->burst[s->ended % STREAM_BURSTS].heard <= now;
    bool ask = s->counted && s->room >= NYSX_RTL_BURST && s->allowed;
    s->allowed = s->asked - s->ended != h->nee_outstanding;
    s->credit = !heard ? DSE_RTL_RATE_CYCLES : s->credit < DSE_RTL_RATE_CYCLES ? s->credit + rate : s->credit;
    bool comes = heard && s->burst[s->ended % STREAM_BURSTS].heard + latency <= now && s->credit >= DSE_RTL_RATE_CYCLES;
    if (comes) {
        s->credit -= DSE_RTL_RATE_CYCLES;
        s->ended += --s->burst[s->ended % STREAM_BURSTS].beats == 0;
    }
    s->counted = now > 0 && !ask && s->left > 0;
    if (ask) {
        s->burst[s->asked % STREAM_BURSTS].heard = now + 2;
        s->burst[s->asked++ % STREAM_BURSTS].beats = smaller(s->left, NYSX_RTL_BURST);
        s->room -= smaller(s->left, NYSX_RTL_BURST);
        s->left -= smaller(s->left, NYSX_RTL_BURST);
    }
    return comes;
}

/* Words of the port of P_nys that its memory sustains in DSE_RTL_RATE_CYCLES. */
static uint64_t stream_rate(const struct nysx_hardware *h)
{
    double bytes = fmin(h->channel_bytes_a_cycle, (double)h->beat_bytes);
    return (uint64_t)floor(DSE_RTL_RATE_CYCLES * fmin(1.0, bytes / ((double)h->nee_port_bits / 8.0)));
}

/* Steps of nysx_nee.sv: lanes take the rounds of a group in turn, `slots` cycles per column; slots past the group's rounds take no step. */
struct lane_trips {
    uint64_t slots, rounds, of_group, columns;
    uint64_t slot, column, first; /* first: round of the group's first slot */
};

static struct lane_trips trips_of(const struct nysx_hardware *h, const struct nysx_nee *nee)
{
    struct lane_trips t = {.slots = nysx_p_exponent_bits[nee->projection.precision] > 0 ? NYSX_RTL_SLOTS : 1, .rounds = parts_of(nee->dim, h->nee_lanes),
                      .columns = nee->landmarks};
    t.of_group = parts_of(t.rounds, parts_of(t.rounds, t.slots));
    return t;
}

static bool needs_step(const struct lane_trips *t)
{
    return t->slot < smaller(t->of_group, t->rounds - t->first);
}

static void next_slot(struct lane_trips *t)
{
    t->slot = (t->slot + 1) % t->slots;
    t->column = t->slot == 0 ? (t->column + 1) % t->columns : t->column;
    t->first += t->slot == 0 && t->column == 0 ? t->of_group : 0;
}

/* Cycles of all steps if none waits. */
static uint64_t trip_cycles(const struct lane_trips *t)
{
    uint64_t groups = parts_of(t->rounds, t->of_group);
    return (groups * t->columns - 1) * t->slots + t->rounds - (groups - 1) * t->of_group;
}

/* Cycles until the lanes have taken all steps of nysx_streamed.sv, from cycle `begin` on. A queue in block RAM shows a word one cycle later.
 * O(cycles). */
static uint64_t streamed_cycles(const struct nysx_hardware *h, const struct nysx_nee *nee, uint64_t begin, struct nysx_stream_run *out)
{
    struct lane_trips trips = trips_of(h, nee);
    uint64_t step_bits = h->nee_lanes * (uint64_t)nysx_p_bits[nee->projection.precision], word_bits = h->nee_port_bits;
    uint64_t steps = trips.rounds * trips.columns, work = begin + trip_cycles(&trips);
    bool wide = step_bits > word_bits, block = h->nee_fifo_depth > NYSX_LUT_QUEUE;
    uint64_t parts = wide ? step_bits / word_bits : word_bits / step_bits; /* words of a step, or steps of a word */
    uint64_t latency = (uint64_t)rint(h->stream_latency_cycles), rate = stream_rate(h), words = parts_of(steps * step_bits, word_bits);
    uint64_t now = 0, taken = 0, part = 0, most = 0; /* most: words of the queue that are here or asked for */
    struct streaming s = {.left = words, .room = h->nee_fifo_depth, .allowed = true};
    for (; taken < steps; now++) {
        bool there = block ? s.front : s.stored > 0, last = part == parts - 1, needed = needs_step(&trips);
        bool takes = there && now >= begin && needed && (!wide || last), pops = wide ? takes || (there && !last) : takes && last;
        if (wide ? pops : takes)
            part = last ? 0 : part + 1;
        bool loads = block && s.stored > 0 && (!s.front || pops), comes = step_port(&s, h, latency, rate, now);
        s.front = loads || (s.front && !pops);
        s.stored = s.stored + comes - (block ? loads : pops);
        s.room += pops;
        taken += takes;
        most = larger(most, h->nee_fifo_depth - s.room);
        if (takes || (now >= begin && !needed))
            next_slot(&trips);
    }
    *out = (struct nysx_stream_run){.cycles = now, .work = work, .port_cycles = now, .stall_memory = now - work,
                                    .bytes = words * word_bits / 8, .fifo_most = most};
    return now;
}

/* C is read and its mean subtracted; then the projection, and the last group's cycles to its signs. */
static uint64_t encode_cycles(const struct nysx_hardware *h, const struct nysx_nee *nee, struct nysx_stream_run *stream)
{
    uint64_t landmarks = nee->landmarks, groups = parts_of(nee->dim, h->nee_lanes), columns = nee->projection.dim;
    bool signs = nee->form == NYSX_FACTORED ? nee->generator == NYSX_SIGN : nee->projection.precision == NYSX_BINARY;
    bool real = nee->form != NYSX_FACTORED && nysx_p_exponent_bits[nee->projection.precision] > 0;
    uint64_t around = landmarks + summing_more(h->kse_pe) + (nee->center != NULL ? 1 : 0) + (real ? 4 : 0); /* conversion of C */
    uint64_t product = real ? 6 + 5 : signs ? 0 : 2; /* multiplier; an adder takes one cycle, in single precision six */
    if (nee->form == NYSX_STREAMED)
        return streamed_cycles(h, nee, around + 5, stream) + 4 + product;
    around += product;
    if (nee->form != NYSX_FACTORED) {
        struct lane_trips trips = trips_of(h, nee);
        return around + trip_cycles(&trips) + 9;
    }
    uint64_t lanes = larger(h->nee_lanes / 16, 4), rows = lanes * NYSX_RTL_PHI_INTERLEAVE, starts = h->nee_lanes / 8 + 8;
    uint64_t before = (parts_of(columns, rows) - 1) * rows; /* rows of φ whose division overlaps with other rows' sums */
    uint64_t phi = parts_of(columns, rows) * landmarks * NYSX_RTL_PHI_INTERLEAVE + columns - before;
    uint64_t waits = groups > 2 && starts > columns ? (groups - 2) * (starts - columns) : 0; /* waits for the next group's generators */
    return around + phi + groups * columns + waits + 43;
}

/* Words of prototypes, round by round. A round's classes are compared while the next round is counted, one every `interval` cycles. */
static uint64_t classify_cycles(const struct nysx_hardware *h, const struct nysx_prototypes *p)
{
    bool cosine = p->bits > 1 && p->bias == NULL;
    uint64_t words = parts_of(p->dim, h->sce_bits), rows = h->sce_all ? p->classes : 1, interval = 1, free_at = 0;
    uint64_t counted = 5 + counting_levels(h->sce_bits) + levels_of((uint64_t)p->bits); /* from a round's last word to its sums */
    if (cosine) { /* widths for values and squared lengths of any prototypes of p->bits */
        uint64_t most = ((uint64_t)1 << (p->bits - 1)) - 1;
        uint64_t value = nysx_rtl_bits(p->dim * most) + 1, norm = nysx_rtl_bits(p->dim * most * most);
        interval = 2 * (2 + levels_of(parts_of(2 * value, 26) * parts_of(larger(value, norm), 17))) + 8;
    }
    for (uint64_t c = 0; c < p->classes; c++)
        free_at = larger(free_at, (c / rows + 1) * words + counted) + interval;
    return free_at + (cosine ? 1 : 4);
}

/* Checks that the RTL supports the knobs; knobs that the model decides have the model's values. */
static enum dse_status check(const struct nysx_simulating *s, const struct dse_config *knobs, struct dse_error *err)
{
    struct dse_config config = *knobs;
    for (size_t k = 0; k < nysx_knobs.count; k++) {
        const char *text = dse_setting_get(&s->model->base.words, nysx_knobs.knobs[k].name);
        if (text != NULL)
            DSE_TRY(dse_knob_parse(&nysx_knobs.knobs[k], text, &config.value[k], err));
    }
    return nysx_rtl_check(&config, s->model->columns.attributes == 0, 8 * (int64_t)s->hardware.index_bytes, err);
}

enum dse_status nysx_simulate_rtl_constant(struct nysx_simulating *s, const struct dse_config *config, struct dse_error *err)
{
    DSE_TRY(check(s, config, err));
    if (s->hardware.nee_merge > 0)
        return dse_fail(err, DSE_ANSWER_NO, "nee.merge: the RTL takes every node's code by itself; must be none");
    sum_similarities(s);
    s->encode_cycles = s->model->nee.form == NYSX_DIRECT ? 0 : encode_cycles(&s->hardware, &s->model->nee, &s->stream);
    s->sce_cycles = classify_cycles(&s->hardware, &s->model->prototypes);
    return DSE_OK;
}

/* ---- the query ---- */

/* Cycles of nysx_axi_read from the start to the last word's verdict. The memory answers `latency` cycles after a request with one word per cycle.
 * A burst is requested at most every other cycle, if the queue has room for a whole burst. O(cycles). */
static uint64_t query_cycles(uint64_t latency, uint64_t words)
{
    struct {
        uint64_t ready, beats;
    } burst[PORT_ROOM / NYSX_RTL_BURST] = {{0, 0}};
    const uint64_t most = sizeof burst / sizeof *burst;
    uint64_t left = words, room = PORT_ROOM, asked = 0, ended = 0, waiting = 0, taken = 0, now = 0;
    for (bool counted = false; taken < words; now++) {
        bool ask = counted && room >= NYSX_RTL_BURST, takes = waiting > 0, comes = ended < asked && burst[ended % most].ready <= now;
        counted = now > 0 && !ask && left > 0; /* not yet known in the cycle of the start */
        if (comes && --burst[ended % most].beats == 0)
            ended++;
        if (ask) {
            burst[asked % most].ready = now + 2 + latency;
            burst[asked++ % most].beats = smaller(left, NYSX_RTL_BURST);
            room -= smaller(left, NYSX_RTL_BURST);
            left -= smaller(left, NYSX_RTL_BURST);
        }
        waiting = waiting + comes - takes;
        taken += takes;
        room += takes;
    }
    return now + 4;
}

static uint64_t query_words(const struct nysx_simulating *s, uint64_t nodes, uint64_t nonzeros, uint64_t *bytes)
{
    uint64_t index = s->hardware.index_bytes, label = s->model->columns.labels < 256 ? 1 : 2, columns = s->model->encoder.lsh.columns;
    uint64_t group = larger(s->hardware.lshu_pe, WORD_BYTES / sizeof(float)); /* nodes; a column of numbers has whole groups */
    bool numbers = s->model->columns.attributes > 0;
    uint64_t features = numbers ? parts_of(nodes, group) * group * columns * sizeof(float) : nodes * label;
    *bytes = (nodes + 1 + nonzeros) * index + features;
    return parts_of((nodes + 1) * index, WORD_BYTES) + parts_of(nonzeros * index, WORD_BYTES) + parts_of(features, WORD_BYTES);
}

/* The processor finds the 2-core and orders the nodes before it writes the registers, so its cycles are not between start and done. */
static void run_query(const struct nysx_simulating *s, const struct nysx_query *query, uint64_t schedule, struct nysx_record *record)
{
    uint64_t nodes = query->nodes, nonzeros = (uint64_t)(query->row_begin[nodes] - query->row_begin[0]), bytes;
    uint64_t words = query_words(s, nodes, nonzeros, &bytes);
    record->count[NYSX_COUNT_QUERY_BYTES] = bytes;
    record->count[NYSX_COUNT_OVERSIZE] = nodes > s->hardware.nodes_capacity;
    record->count[NYSX_COUNT_SCHEDULE] = schedule;
    record->stage[NYSX_SIM_PREPARE] = schedule + nysx_simulate_core(s, query);
    record->stage[NYSX_SIM_QUERY] = query_cycles((uint64_t)rint(s->hardware.query_latency_cycles), words);
    record->work[NYSX_QUERY] = record->stage[NYSX_SIM_QUERY];
}

/* ---- hops ---- */

static void add_lookups(const struct nysx_simulating *s, size_t t, const struct nysx_query *query, struct nysx_place *place,
                        struct nysx_record *record)
{
    for (size_t i = 0; i < query->nodes; i++) {
        struct nysx_lookup_code *code = &place->code[i];
        nysx_lookup_trace(&s->mph[t], place->scratch.codes[place->order[i]], code);
        record->count[NYSX_COUNT_PROBES] += code->probes;
        if (code->bin < 0)
            continue;
        record->count[NYSX_COUNT_FOUND]++;
        place->scratch.histogram[code->bin]++;
    }
}

static void run_hop(const struct nysx_simulating *s, const struct nysx_query *query, size_t t, struct nysx_place *place,
                    struct nysx_record *record)
{
    const struct nysx_encoder *encoder = &s->model->encoder;
    const struct nysx_hardware *h = &s->hardware;
    bool direct = s->model->nee.form == NYSX_DIRECT;
    size_t takers = direct ? h->nee_codes : h->mphe_lookups;
    size_t draws = encoder->lsh.draws, streams = h->lshu_pe < takers ? h->lshu_pe : takers;
    struct nysx_rtl_hop hop = {.number = t / draws, .nodes = query->nodes, .elements = h->lshu_pe, .listed = direct,
                               .streams = streams, .columns = encoder->lsh.tuple ? encoder->lsh.columns : 0,
                               .draws = direct ? draws : 1, .parts = direct ? smaller(draws, takers / streams) : 1, .lanes = direct ? 0 : h->mphe_lookups,
                               .counters = h->hue_pe, .colours = encoder->lsh.wl, .scales = encoder->lsh.normalised,
                               .row_counts = place->row_counts, .order = place->order, .code = place->code};
    if (direct)
        nysx_simulate_list_codes(s, query, t, place);
    else
        nysx_lsh_codes(&encoder->lsh, query, t, place->scratch.values, place->scratch.codes);
    uint64_t probes = record->count[NYSX_COUNT_PROBES], found = record->count[NYSX_COUNT_FOUND];
    if (!direct) {
        size_t bins = encoder->hop[t].codes;
        add_lookups(s, t, query, place, record);
        nysx_csr_multiply_add(&encoder->hop[t].counts, place->scratch.histogram, place->scratch.kernel);
        memset(place->scratch.histogram, 0, bins * sizeof *place->scratch.histogram);
    }
    struct nysx_rtl_hop_cycles cycles = {0};
    if (!direct || t % draws == 0) { /* a hop's draws are listed together */
        cycles = nysx_simulate_rtl_hop(&hop);
        record->count[NYSX_COUNT_PASSES] += encoder->lsh.wl ? 1 : (hop.number + 1) * larger(hop.columns, 1);
    }
    record->work[NYSX_LSHU] += cycles.inside + cycles.lookup;
    record->work[NYSX_MPHE] += direct ? 0 : parts_of(record->count[NYSX_COUNT_PROBES] - probes, h->mphe_lookups);
    record->work[NYSX_HUE] += direct ? 0 : parts_of(record->count[NYSX_COUNT_FOUND] - found, h->hue_pe);
    record->stage[NYSX_SIM_PROPAGATE] += cycles.inside;
    record->stage[NYSX_SIM_LOOKUP] += cycles.lookup;
    nysx_simulate_off_exact(&encoder->lsh, query, t, place, record);
}

/* Lanes read the list once per round, one word per cycle; each stream has its own share of the words. */
static uint64_t direct_cycles(const struct nysx_simulating *s, const struct nysx_query *query)
{
    const struct nysx_hardware *h = &s->hardware;
    const struct nysx_lsh *lsh = &s->model->encoder.lsh;
    uint64_t streams = smaller(h->lshu_pe, h->nee_codes), parts = smaller(lsh->draws, h->nee_codes / streams), share = h->nee_codes / (streams * parts);
    uint64_t words = parts_of(lsh->hops / parts * parts_of(query->nodes, streams), share);
    return parts_of(s->model->nee.dim, h->nee_lanes) * larger(words, 1) + 16 + counting_levels(h->nee_codes);
}

void nysx_simulate_flow(const struct dse_config *config, struct dse_simulation *out)
{
    static const struct dse_sim_step whole = {NYSX_SIM_QUERY, NYSX_SIM_CLASSIFY, 1}, hops = {NYSX_SIM_QUERY, NYSX_SIM_SIMILARITY, 1},
                                     encoding = {NYSX_SIM_ENCODE, NYSX_SIM_CLASSIFY, 1}, query = {NYSX_SIM_QUERY, NYSX_SIM_QUERY, 4},
                                     hops_alone = {NYSX_SIM_PROPAGATE, NYSX_SIM_SIMILARITY, 1};
    switch (config->value[NYSX_OVERLAP]) {
    case NYSX_OVERLAP_QUEUE: dse_simulation_flow((const struct dse_sim_step[]){whole}, 1, out); break;
    case NYSX_OVERLAP_ENGINES: dse_simulation_flow((const struct dse_sim_step[]){hops, encoding}, 2, out); break;
    case NYSX_OVERLAP_GRAPHS: dse_simulation_flow((const struct dse_sim_step[]){query, hops_alone, encoding}, 3, out); break;
    default: break;
    }
}

enum dse_status nysx_simulate_rtl_graph(void *user, size_t index, size_t thread, struct dse_error *err)
{
    const struct nysx_simulating *s = user;
    struct nysx_place *place = &s->places[thread];
    struct nysx_record *record = &s->records[index];
    struct nysx_query query = nysx_query_at(s->features, s->items->item[index]);
    (void)err;
    *record = (struct nysx_record){0};
    memset(place->scratch.kernel, 0, s->model->encoder.landmarks * sizeof *place->scratch.kernel);
    place->scratch.direct.count = 0;
    place->scratch.direct.places = 0;
    run_query(s, &query, nysx_simulate_order(s, &query, place), record);
    for (size_t t = 0; t < s->model->encoder.lsh.hops; t++)
        run_hop(s, &query, t, place, record);
    nysx_simulate_end(s, &query, index, s->model->nee.form == NYSX_DIRECT ? direct_cycles(s, &query) : s->encode_cycles, place, record);
    return DSE_OK;
}
