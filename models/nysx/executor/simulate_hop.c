/* A hop of the accelerator in SystemVerilog (nysx_lshu, nysx_codes, nysx_mphe, nysx_hue in models/nysx/rtl/): the passes of the LSHU. The last
 * pass (of tuples, from that of the first column on) is stepped with codes, MPHE and HUE on its stream. Every decision in a cycle depends only on registers before it. */
#include <string.h>

#include "executor/kit.h"
#include "models/nysx/executor/schedule.h"
#include "models/nysx/executor/simulate.h"

#define THREADS 6      /* threads per element: the latency of its adder */
#define RING 64        /* more than a queue's words with those in flight to it, and more than any pipeline's depth */
#define QUEUE 32       /* queue of a unit that makes codes, or of a lane of the MPHE; includes words in flight */
#define HELD_UP_AT 8   /* waiting values stall an element */
#define ELEMENTS_MOST 16
#define PROBE 18       /* cycles of a level of the MPHE, to the next level or to a verdict; then of the codebook's entry */
#define VERDICT 9
#define FLOOR 27
#define FOLD 16
#define HASHED 39      /* nysx_tuple: from a value to its code's hash */
#define HASHING 6      /* cycles in which no other value of a code is taken */
#define HASH_QUEUE 64  /* queue of a unit that makes tuple codes */
#define SKID 2        /* after an arbiter (nysx_arbiter) */
#define NOBODY (-1)

/* Cycles from the begin of a pass to its first row's first step, and from a row's last step to its value. */
struct way {
    uint64_t first, value;
};
static const struct way dense_ways[2] = {{1, 5}, {1, 11}}, sparse_ways[2] = {{7, 13}, {5, 14}}; /* for LSH codes, for colours */
#define SCALE 6        /* more if sums are divided by row lengths */

struct thread {
    size_t row;
    int32_t left;
};

struct element {
    size_t rows, dense;       /* rows of the pass; rows of a dense pass so far */
    struct thread thread[THREADS]; /* colours use only the first */
    struct dse_fifo values;     /* node numbers, as in all FIFOs here; of tuples with the column above them */
    bool full;                  /* a cycle before; the element then stalls */
};

struct lane {
    struct {
        int32_t node, level;
    } way[RING];              /* codes by the cycle of their verdict */
    bool missed[RING];
    uint64_t out;             /* codes in flight and waiting bins */
    struct dse_fifo bins;
};

/* nysx_tuple: the round of the value at its front, and the codes taken last. */
struct hashing {
    size_t round;
    int64_t taken, recent[HASHING]; /* node and round: of this cycle, by the cycle; NOBODY */
};

struct hop {
    const struct nysx_rtl_hop *of;
    size_t column;                       /* column of the pass */
    uint64_t begun;                      /* cycle in which the pass began */
    struct hashing hashing[ELEMENTS_MOST];
    struct element element[ELEMENTS_MOST];
    struct dse_fifo skid[ELEMENTS_MOST], codes[ELEMENTS_MOST]; /* per stream */
    uint64_t codes_out[ELEMENTS_MOST];
    struct dse_arbiter stream_arbiters[ELEMENTS_MOST], bin_arbiters[NYSX_LANES_MAX]; /* nysx_arbiter */
    struct lane lane[NYSX_LANES_MAX];
    uint64_t decided_at[RING];           /* direct form: codes listed in a cycle */
    uint64_t over;                       /* the end of the pass, as known so far */
    uint64_t decided, just_decided;      /* codes decided before the last cycle; in the last cycle */
    size_t rows_left;
    unsigned counting;                   /* cycles until a bin is counted */
    struct dse_fifo_entry memory[3 * ELEMENTS_MOST + NYSX_LANES_MAX][RING]; /* entries of the FIFOs */
};

static int32_t row_length(const struct nysx_rtl_hop *of, size_t element, size_t row)
{
    return of->row_counts[of->order[row * of->elements + element]];
}

static size_t rows_of(const struct nysx_rtl_hop *of, size_t element)
{
    return (of->nodes + of->elements - 1 - element) / of->elements;
}

static uint64_t largest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static size_t columns_of(const struct nysx_rtl_hop *of)
{
    return of->columns > 0 ? of->columns : 1;
}

static uint64_t sparse_value(const struct nysx_rtl_hop *of)
{
    return sparse_ways[of->colours].value + (of->scales && !of->colours ? SCALE : 0);
}

/* Cycles from the start of a pass without output to the start of the next. It never stalls, and ends two cycles after its last value. */
static uint64_t dense_pass(const struct nysx_rtl_hop *of)
{
    uint64_t rows = rows_of(of, 0);
    return rows == 0 ? 3 : dense_ways[0].first + rows - 1 + dense_ways[0].value + 3;
}

static uint64_t sparse_pass(const struct nysx_rtl_hop *of)
{
    uint64_t steps = nysx_schedule_alone(of->row_counts, of->nodes, of->order, of->elements, THREADS);
    return steps == 0 ? 3 : sparse_ways[0].first + steps - 1 + sparse_value(of) + 3;
}

/* A row's value arrives in a cycle, and is visible in the queue in the next. */
static void give(struct hop *h, size_t element, size_t row, size_t column, uint64_t at)
{
    dse_fifo_put(&h->element[element].values, at + 1, (int64_t)(column * h->of->nodes + row * h->of->elements + element));
    h->over = largest(h->over, at + 2);
    h->rows_left--;
}

static void step_element(struct hop *h, size_t p, uint64_t now)
{
    const struct nysx_rtl_hop *of = h->of;
    struct element *e = &h->element[p];
    const struct way *way = of->number == 0 ? &dense_ways[of->colours] : &sparse_ways[of->colours];
    bool stands = e->full;
    e->full = dse_fifo_waiting(&e->values, now) >= HELD_UP_AT;
    if (now < h->begun + way->first || stands)
        return;
    if (of->number == 0) {
        if (e->dense < e->rows * columns_of(of)) {
            give(h, p, e->dense % e->rows, e->dense / e->rows, now + way->value);
            e->dense++;
        }
        return;
    }
    size_t threads = of->colours ? 1 : THREADS;
    struct thread *t = &e->thread[(now - h->begun - way->first) % threads];
    if (t->row >= e->rows)
        return;
    if (--t->left > 0)
        return;
    give(h, p, t->row, h->column, now + sparse_value(of));
    t->row += threads;
    t->left = t->row < e->rows ? row_length(of, p, t->row) : 0;
}

/* Whether a stream's code is taken in this cycle: by the list, or by the first of its lanes that has room. */
static bool take_code(struct hop *h, size_t stream, const bool *again, uint64_t now, int32_t node, uint64_t *entered)
{
    if (h->of->listed) {
        h->decided_at[(now + (h->of->colours ? 0 : FOLD)) % RING]++;
        return true;
    }
    for (size_t l = stream; l < h->of->lanes; l += h->of->streams)
        if (!again[l] && h->lane[l].out < QUEUE) {
            h->lane[l].way[(now + PROBE) % RING].node = node;
            h->lane[l].way[(now + PROBE) % RING].level = 0;
            entered[l]++;
            return true;
        }
    return false;
}

/* Whether a stream's unit is done with the value at its front: it takes a round of the value's codes, unless one of them is being hashed. */
static bool hash_value(struct hop *h, size_t f, uint64_t now)
{
    const struct nysx_rtl_hop *of = h->of;
    struct hashing *unit = &h->hashing[f];
    size_t rounds = of->draws / of->parts, column = (size_t)dse_fifo_front(&h->skid[f]) / of->nodes, node = (size_t)dse_fifo_front(&h->skid[f]) % of->nodes;
    int64_t code = (int64_t)(node * rounds + unit->round);
    for (size_t i = 0; i < HASHING; i++)
        if (unit->recent[i] == code)
            return false;
    unit->taken = code;
    if (of->listed && column + 1 == of->columns)
        h->decided_at[(now + HASHED + FOLD) % RING] += of->parts;
    unit->round = (unit->round + 1) % rounds;
    return unit->round == 0;
}

/* A cycle of the unit; whether a code enters its queue. */
static bool step_hashing(struct hop *h, size_t f, uint64_t now)
{
    const struct nysx_rtl_hop *of = h->of;
    struct hashing *unit = &h->hashing[f];
    bool room = of->listed || h->codes_out[f] < HASH_QUEUE, over;
    unit->taken = NOBODY;
    over = room && dse_fifo_waiting(&h->skid[f], now) > 0 && hash_value(h, f, now);
    unit->recent[now % HASHING] = unit->taken;
    if (!over)
        return false;
    size_t value = (size_t)dse_fifo_take(&h->skid[f]);
    bool queued = !of->listed && value / of->nodes + 1 == of->columns;
    if (queued)
        dse_fifo_put(&h->codes[f], now + HASHED + 1, (int64_t)(value % of->nodes));
    return queued;
}

static void step_stream(struct hop *h, size_t f, const bool *again, uint64_t now, uint64_t *entered)
{
    const struct nysx_rtl_hop *of = h->of;
    size_t group = of->elements / of->streams;
    struct dse_fifo *skid = &h->skid[f], *codes = of->colours ? skid : &h->codes[f];
    bool offers[ELEMENTS_MOST], any = false, room = dse_fifo_waiting(skid, now) < SKID;
    bool floors = !of->colours && of->columns == 0 && dse_fifo_waiting(skid, now) > 0 && h->codes_out[f] < QUEUE, coded = false;
    if (dse_fifo_waiting(codes, now) > 0 && take_code(h, f, again, now, (int32_t)dse_fifo_front(codes), entered)) {
        dse_fifo_take(codes);
        coded = !of->colours;
    }
    if (floors)
        dse_fifo_put(codes, now + FLOOR + 1, dse_fifo_take(skid));
    if (of->columns > 0)
        floors = step_hashing(h, f, now);
    h->codes_out[f] += (uint64_t)floors - (uint64_t)coded;
    for (size_t k = 0; k < group; k++) {
        offers[k] = dse_fifo_waiting(&h->element[k * of->streams + f].values, now) > 0;
        any = any || offers[k];
    }
    if (any && room) {
        size_t k = dse_arbiter_choose(&h->stream_arbiters[f], offers, group, true);
        dse_fifo_put(skid, now + 1, dse_fifo_take(&h->element[k * of->streams + f].values));
    }
}

/* Handles the code at its verdict: it goes to the next level, gives a bin, or misses. */
static bool step_probe(struct hop *h, size_t l, uint64_t now)
{
    struct lane *lane = &h->lane[l];
    int32_t node = lane->way[now % RING].node, level = lane->way[now % RING].level + 1;
    lane->way[now % RING].node = NOBODY;
    if (node == NOBODY)
        return false;
    if ((size_t)level < h->of->code[node].probes) {
        lane->way[(now + PROBE) % RING].node = node;
        lane->way[(now + PROBE) % RING].level = level;
        return true;
    }
    if (h->of->code[node].bin >= 0)
        dse_fifo_put(&lane->bins, now + VERDICT + 1, node);
    else
        lane->missed[(now + VERDICT) % RING] = true;
    return false;
}

/* Counts bins in the histograms, one per element and cycle; returns the decided codes. */
static uint64_t step_bins(struct hop *h, uint64_t now, uint64_t *left)
{
    const struct nysx_rtl_hop *of = h->of;
    uint64_t decided = 0;
    for (size_t l = 0; l < of->lanes; l++) {
        left[l] = h->lane[l].missed[now % RING];
        h->lane[l].missed[now % RING] = false;
        decided += left[l];
    }
    size_t elements = of->lanes < of->counters ? of->lanes : of->counters, each = of->lanes / elements;
    h->counting -= h->counting > 0;
    for (size_t p = 0; p < elements; p++) {
        bool offers[NYSX_LANES_MAX], any = false;
        for (size_t k = 0; k < each; k++) {
            offers[k] = dse_fifo_waiting(&h->lane[k * elements + p].bins, now) > 0;
            any = any || offers[k];
        }
        size_t k = any ? dse_arbiter_choose(&h->bin_arbiters[p], offers, each, true) : each;
        if (k == each)
            continue;
        dse_fifo_take(&h->lane[k * elements + p].bins);
        left[k * elements + p]++;
        decided++;
        h->counting = each > 1 ? 2 : 1; /* through an arbiter of lanes, or directly */
    }
    return decided;
}

static void step(struct hop *h, uint64_t now)
{
    const struct nysx_rtl_hop *of = h->of;
    bool again[NYSX_LANES_MAX] = {false};
    uint64_t entered[NYSX_LANES_MAX] = {0}, left[NYSX_LANES_MAX] = {0};
    for (size_t p = 0; p < of->elements; p++) /* elements see the queues before any word is taken */
        step_element(h, p, now);
    for (size_t l = 0; l < of->lanes; l++)
        again[l] = step_probe(h, l, now);
    for (size_t f = 0; f < of->streams; f++)
        step_stream(h, f, again, now, entered);
    uint64_t decided = of->listed ? 0 : step_bins(h, now, left);
    decided += h->decided_at[now % RING];
    h->decided_at[now % RING] = 0;
    for (size_t l = 0; l < of->lanes; l++)
        h->lane[l].out += entered[l] - left[l];
    h->decided += h->just_decided;
    h->just_decided = decided;
}

static bool bins_wait(struct hop *h, uint64_t now)
{
    for (size_t l = 0; l < h->of->lanes; l++)
        if (dse_fifo_waiting(&h->lane[l].bins, now) > 0)
            return true;
    return false;
}

/* The last pass over a column, or hop 0's over all, begins. */
static void begin_pass(struct hop *h, uint64_t now)
{
    const struct nysx_rtl_hop *of = h->of;
    h->begun = now;
    h->over = now + 2;
    h->rows_left = of->nodes * (of->number == 0 ? columns_of(of) : 1);
    for (size_t p = 0; p < of->elements; p++) {
        struct element *e = &h->element[p];
        e->rows = rows_of(of, p);
        for (size_t k = 0; k < THREADS; k++) {
            e->thread[k].row = k;
            e->thread[k].left = k < e->rows ? row_length(of, p, k) : 0;
        }
    }
}

static void begin(struct hop *h, const struct nysx_rtl_hop *of)
{
    memset(h, 0, offsetof(struct hop, memory));
    h->of = of;
    for (size_t p = 0; p < of->elements; p++)
        h->element[p].values = dse_fifo_in(h->memory[p], RING);
    for (size_t f = 0; f < of->streams; f++) {
        h->skid[f] = dse_fifo_in(h->memory[ELEMENTS_MOST + f], RING);
        h->codes[f] = dse_fifo_in(h->memory[2 * ELEMENTS_MOST + f], RING);
        for (size_t i = 0; i < HASHING; i++)
            h->hashing[f].recent[i] = NOBODY;
    }
    for (size_t l = 0; l < of->lanes; l++) {
        h->lane[l].bins = dse_fifo_in(h->memory[3 * ELEMENTS_MOST + l], RING);
        for (size_t i = 0; i < RING; i++)
            h->lane[l].way[i].node = NOBODY;
    }
    begin_pass(h, 0);
}

/* Cycles of a column's passes, or a hop's, whose values are not emitted. */
static uint64_t passes_inside(const struct nysx_rtl_hop *of)
{
    return of->colours || of->number == 0 ? 0 : dense_pass(of) + (of->number - 1) * sparse_pass(of);
}

struct nysx_rtl_hop_cycles nysx_simulate_rtl_hop(const struct nysx_rtl_hop *of)
{
    struct nysx_rtl_hop_cycles out = {.inside = passes_inside(of)};
    struct hop h;
    uint64_t now = 0, codes = of->nodes * (of->listed ? of->draws : 1);
    size_t last = of->number == 0 ? 0 : columns_of(of) - 1;
    /* A hop's first cycle counts as part of its last pass if the previous hop also ended with such a pass. */
    bool after_a_pass = of->listed && of->number > 0;
    out.inside += !after_a_pass;
    begin(&h, of);
    while (h.rows_left > 0 || now <= h.over || h.column < last || h.decided < codes || h.counting > 0 || bins_wait(&h, now)) {
        if (h.rows_left == 0 && now == h.over + 1 && h.column < last) {
            h.column++;
            begin_pass(&h, now + passes_inside(of));
        }
        step(&h, now++);
    }
    out.lookup = now + 1 + after_a_pass;
    return out;
}
