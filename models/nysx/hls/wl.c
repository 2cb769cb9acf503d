/* SPDX-License-Identifier: MIT */ /* Locality Sensitive Hashing Unit for codes=wl: Weisfeiler-Lehman colours as 32-bit numbers that wrap. A pass computes the codes of
 * a hop from those of the previous hop. A trip is one row per PE. Integer additions take one cycle,
 * so trips are not interleaved. Vectors are stored in schedule order, one word per trip. */
#include "nysx_lshu.h"

#define COLOUR_START 0x9e3779b9u

/* One copy per two PEs for random access, and a last copy for the nodes' own codes, read turn by turn. */
typedef uint32_t colours_t[NYSX_LSHU_COPIES + 1][NYSX_LSHU_TRIPS][NYSX_LSHU_PE];

/* Writes a trip's codes to every copy and, in the direct form, to the list. */
static void keep(int32_t hop, int32_t trip, const uint32_t codes[NYSX_LSHU_PE], colours_t to NYSX_AND_PARAMETERS_LIST)
{
    for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
        for (int32_t c = 0; c <= NYSX_LSHU_COPIES; c++)
            to[c][trip][p] = codes[p];
#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT
        code_list[hop * NYSX_LIST_HOP + trip * NYSX_LSHU_PE + p] = codes[p];
#endif
    }
    (void)hop;
}

#if NYSX_FEATURE_ONEHOT
/* Codes of hop 0 from labels; a label not seen in training counts as −1. */
static void colour(const struct nysx_graph *graph, colours_t to NYSX_AND_PARAMETERS_LIST)
{
    NYSX_TALLY(lshu_passes, 1);
NYSX_LABEL(lshu_dense)
    for (int32_t trip = 0; trip < graph->trips; trip++) {
        NYSX_PIPELINE_LSHU_DENSE
        NYSX_LOOP_TRIPCOUNT_LSHU_DENSE
        uint32_t first_codes[NYSX_LSHU_PE];
        NYSX_ARRAY_PARTITION_FIRST_CODES
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            int32_t label = label_of(graph, p % NYSX_LSHU_COPIES, (int32_t)graph->slot_row[p][trip]);
            first_codes[p] = nysx_mix(COLOUR_START + (uint32_t)(label < NYSX_FEATURE_COLUMNS ? label : -1));
        }
        keep(0, trip, first_codes, to NYSX_AND_LIST);
    }
}
#else
/* Codes of hop 0 from quantised attributes: the folded hash of a tuple. A state update takes as many cycles as a multiplication,
 * so as many trips are interleaved over the columns. */
static void colour(const struct nysx_graph *graph, colours_t to NYSX_AND_PARAMETERS_LIST)
{
    uint64_t lshu_states[NYSX_LSHU_TUPLE_INTERLEAVE][NYSX_LSHU_PE];
    int32_t column = 0, first = 0, trip = 0;
    NYSX_ARRAY_PARTITION_LSHU_STATES
    NYSX_TALLY(lshu_passes, 1);
    int32_t steps = (graph->trips + NYSX_LSHU_TUPLE_INTERLEAVE - 1) / NYSX_LSHU_TUPLE_INTERLEAVE * NYSX_LSHU_TUPLE_INTERLEAVE * NYSX_FEATURE_COLUMNS;
NYSX_LABEL(lshu_dense)
    for (int32_t k = 0; k < steps; k++) {
        NYSX_PIPELINE_LSHU_DENSE
        NYSX_LOOP_TRIPCOUNT_LSHU_DENSE
        uint32_t first_codes[NYSX_LSHU_PE];
        NYSX_ARRAY_PARTITION_FIRST_CODES
        int32_t here = first + trip < graph->trips ? first + trip : 0;
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            float value = attribute_of(graph, p % NYSX_LSHU_COPIES, (int32_t)graph->slot_row[p][here], column);
            uint64_t state = fold(column == 0 ? 0 : lshu_states[NYSX_LSHU_TUPLE_INTERLEAVE - 1][p],
                                  floor_code(value * nysx_lsh_u[0][column], nysx_lsh_b[0][column]));
            for (int32_t u = NYSX_LSHU_TUPLE_INTERLEAVE - 1; u > 0; u--)
                lshu_states[u][p] = lshu_states[u - 1][p];
            lshu_states[0][p] = state;
            first_codes[p] = nysx_fold(state, 0);
        }
        if (column == NYSX_FEATURE_COLUMNS - 1 && first + trip < graph->trips)
            keep(0, here, first_codes, to NYSX_AND_LIST);
        int32_t wraps = trip == NYSX_LSHU_TUPLE_INTERLEAVE - 1, ends = wraps && column == NYSX_FEATURE_COLUMNS - 1;
        trip = wraps ? 0 : trip + 1;
        column = ends ? 0 : column + wraps;
        first = ends ? first + NYSX_LSHU_TUPLE_INTERLEAVE : first;
    }
}
#endif

/* A trip's rows and their nodes' codes, queued for the PEs. */
typedef struct {
    nysx_index_t more; /* cycles after the first */
    nysx_bit_t final;  /* last trip */
    nysx_index_t begin[NYSX_LSHU_PE], length[NYSX_LSHU_PE];
    uint32_t own[NYSX_LSHU_PE];
} waiting_t;

static void queue_trips(const struct nysx_graph *graph, uint32_t own[NYSX_LSHU_TRIPS][NYSX_LSHU_PE],
                        NYSX_FIFO_PARAMETER(waiting_t, lshu_waiting, NYSX_LSHU_TRIPS))
{
NYSX_LABEL(lshu_queue)
    for (int32_t trip = 0; trip < graph->trips; trip++) {
        NYSX_PIPELINE_LSHU_QUEUE
        NYSX_LOOP_TRIPCOUNT_LSHU_QUEUE
        waiting_t next;
        next.more = (nysx_index_t)(graph->slot_longest[trip] - 1);
        next.final = trip == graph->trips - 1;
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            next.begin[p] = graph->slot_begin[p][trip];
            next.length[p] = graph->slot_length[p][trip];
            next.own[p] = own[trip][p];
        }
        NYSX_PUT(lshu_waiting, trip, next);
    }
}

/* The active trip, and the next one, prefetched; none at first. */
struct work {
    waiting_t now, next;
    int32_t trip, step, read;
    int32_t more; /* remaining cycles of the trip; −1: finished */
    uint32_t sum[NYSX_LSHU_PE];
};

static struct work no_work(void)
{
    struct work w;
    w.now.more = w.next.more = 0;
    w.more = -1;
    w.now.final = w.next.final = 0;
    w.trip = -2;
    w.step = w.read = 0;
NYSX_LABEL(lshu_clear)
    for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
        NYSX_UNROLL_LSHU_CLEAR
        w.now.begin[p] = w.now.length[p] = w.next.begin[p] = w.next.length[p] = 0;
        w.now.own[p] = w.next.own[p] = w.sum[p] = 0;
    }
    return w;
}

/* Makes the prefetched trip active and prefetches another. */
static void take_trip(NYSX_FIFO_PARAMETER(waiting_t, lshu_waiting, NYSX_LSHU_TRIPS), int32_t trips, struct work *w)
{
    w->now = w->next;
    w->more = (int32_t)w->now.more;
    w->step = 0;
    w->trip++;
    if (w->read < trips)
        w->next = NYSX_TAKE(lshu_waiting, w->read);
    w->read++;
}

/* One cycle of a trip: adds one non-zero of each unfinished row. */
static void add_neighbours(const struct nysx_graph *graph, colours_t from, struct work *w)
{
    NYSX_TALLY(lshu_slots, w->trip >= 0);
    NYSX_TALLY(lshu_cycles, 1);
NYSX_LABEL(lshu_pes)
    for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
        NYSX_UNROLL_LSHU_PES
        int32_t copy = p % NYSX_LSHU_COPIES;
        uint32_t sum = w->step == 0 ? w->now.own[p] << 16 | w->now.own[p] >> 16 : w->sum[p];
        if (w->step < (int32_t)w->now.length[p]) {
            int32_t slot = slot_of(graph, copy, (int32_t)w->now.begin[p] + w->step);
            sum += from[copy][slot / NYSX_LSHU_PE][slot % NYSX_LSHU_PE];
            NYSX_TALLY(lshu_additions, 1);
        }
        w->sum[p] = sum;
    }
}

/* Sums and mixes a node's code and its neighbours' codes. */
static void walk(const struct nysx_graph *graph, int32_t hop, NYSX_FIFO_PARAMETER(waiting_t, lshu_waiting, NYSX_LSHU_TRIPS), colours_t from,
                 colours_t to NYSX_AND_PARAMETERS_LIST)
{
    struct work w = no_work();
    NYSX_TALLY(lshu_passes, 1);
NYSX_LABEL(lshu_nonzeros)
    for (int32_t left = graph->trips; left > 0;) {
        NYSX_PIPELINE_LSHU_NONZEROS
        NYSX_LOOP_TRIPCOUNT_LSHU_NONZEROS
        uint32_t trip_codes[NYSX_LSHU_PE];
        NYSX_ARRAY_PARTITION_TRIP_CODES
        if (w.more < 0)
            take_trip(lshu_waiting, graph->trips, &w);
        left = ((w.more == 0) & w.now.final) != 0 ? 0 : 1; /* 0 in the last cycle of the last trip */
        add_neighbours(graph, from, &w);
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++)
            trip_codes[p] = nysx_mix(w.sum[p]);
        keep(hop, w.trip > 0 ? w.trip : 0, trip_codes, to NYSX_AND_LIST); /* the write in a trip's last cycle is final */
        w.step++;
        w.more--;
    }
}

static void step_colours(const struct nysx_graph *graph, int32_t hop, colours_t from, colours_t to NYSX_AND_PARAMETERS_LIST)
{
    NYSX_INLINE_STEP_COLOURS
    NYSX_DATAFLOW_STEP_COLOURS
    NYSX_LOCAL NYSX_FIFO(waiting_t, lshu_waiting, NYSX_LSHU_TRIPS);
    NYSX_STREAM_LSHU_WAITING
    queue_trips(graph, from[NYSX_LSHU_COPIES], lshu_waiting);
    walk(graph, hop, lshu_waiting, from, to NYSX_AND_LIST);
}

#if NYSX_NEE_FORM != NYSX_NEE_FORM_DIRECT
/* Emits the codes of a vector, one word per cycle. */
static void emit(int32_t nodes, int32_t hop, uint32_t even[NYSX_LSHU_TRIPS][NYSX_LSHU_PE],
                 uint32_t odd[NYSX_LSHU_TRIPS][NYSX_LSHU_PE], NYSX_PARAMETERS_CODES)
{
NYSX_LABEL(lshu_codes)
    for (int32_t w = 0; w < (nodes + NYSX_CODE_LANES - 1) / NYSX_CODE_LANES; w++) {
        NYSX_PIPELINE_LSHU_CODES
        NYSX_LOOP_TRIPCOUNT_LSHU_CODES
        nysx_codes_t word;
    NYSX_LABEL(lshu_code_lanes)
        for (int32_t l = 0; l < NYSX_CODE_LANES; l++) {
            NYSX_UNROLL_LSHU_CODE_LANES
            int32_t slot = w * NYSX_CODE_LANES + l;
            uint32_t a = even[slot / NYSX_LSHU_PE][slot % NYSX_LSHU_PE], b = odd[slot / NYSX_LSHU_PE][slot % NYSX_LSHU_PE];
            word.lane[l] = slot < nodes ? (int64_t)(hop % 2 == 0 ? a : b) : 0;
        }
        NYSX_PUT(codes, w, word);
    }
}
#endif

/* Hops alternate between the two memories. */
void nysx_lshu(const struct nysx_graph *graph, int32_t nodes, int32_t hop, NYSX_PARAMETERS_CODES)
{
    static uint32_t lshu_even[NYSX_LSHU_COPIES + 1][NYSX_LSHU_TRIPS][NYSX_LSHU_PE];
    static uint32_t lshu_odd[NYSX_LSHU_COPIES + 1][NYSX_LSHU_TRIPS][NYSX_LSHU_PE];
    NYSX_ARRAY_PARTITION_LSHU_EVEN
    NYSX_ARRAY_PARTITION_LSHU_ODD
    NYSX_ARRAY_RESHAPE_LSHU_EVEN
    NYSX_ARRAY_RESHAPE_LSHU_ODD
    NYSX_ALLOCATION_STEP_COLOURS
    if (hop == 0)
        colour(graph, lshu_even NYSX_AND_LIST);
    else if (hop % 2 == 0)
        step_colours(graph, hop, lshu_odd, lshu_even NYSX_AND_LIST);
    else
        step_colours(graph, hop, lshu_even, lshu_odd NYSX_AND_LIST);
#if NYSX_NEE_FORM == NYSX_NEE_FORM_DIRECT
    (void)nodes;
#else
    emit(nodes, hop, lshu_even[NYSX_LSHU_COPIES], lshu_odd[NYSX_LSHU_COPIES], codes);
#endif
}
