/* SPDX-License-Identifier: MIT */ /* Locality Sensitive Hashing Unit: A^t (F u) for one code per node, or A^t F, kept column by column, for a tuple of codes
 * (paper, section 5.2.1). A trip is one row per PE. As many trips are in flight as an addition has cycles, each
 * one cycle behind the previous; the next trip takes the place of a finished trip. Vectors are stored in schedule order, one word
 * per trip. */
#include "nysx_lshu.h"

typedef nysx_value_t vector_t[NYSX_LSHU_COPIES][NYSX_LSHU_TRIPS][NYSX_LSHU_PE];

/* A trip in flight. */
struct context {
    int32_t trip, step, longest;
    nysx_bit_t ended, counts; /* ended: no trip here; counts: a trip ended and is not yet counted as done */
    int32_t begin[NYSX_LSHU_PE], length[NYSX_LSHU_PE];
    float sum[NYSX_LSHU_PE];
};

/* Puts a trip into the context. */
static void start(const struct nysx_graph *graph, int32_t trip, struct context *context)
{
    context->trip = trip;
    context->step = 0;
    context->ended = 0;
    context->counts = 1;
    context->longest = (int32_t)graph->slot_longest[trip];
    for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
        context->begin[p] = (int32_t)graph->slot_begin[p][trip];
        context->length[p] = (int32_t)graph->slot_length[p][trip];
        context->sum[p] = 0.0f;
    }
}

/* Vector element that a non-zero of A multiplies. */
static float element_of(const struct nysx_graph *graph, nysx_value_t from[NYSX_LSHU_TRIPS][NYSX_LSHU_PE], int32_t copy,
                        int32_t entry)
{
    int32_t slot = slot_of(graph, copy, entry);
    return from[slot / NYSX_LSHU_PE][slot % NYSX_LSHU_PE];
}

/* One cycle of a trip: adds one non-zero of each unfinished row. */
static void step(const struct nysx_graph *graph, vector_t from, vector_t to, struct context *context)
{
    nysx_bit_t last = !context->ended && context->step + 1 >= context->longest;
NYSX_LABEL(lshu_pes)
    for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
        NYSX_UNROLL_LSHU_PES
        int32_t copy = p % NYSX_LSHU_COPIES;
        if (!context->ended && context->step < context->length[p]) {
            context->sum[p] += element_of(graph, from[copy], copy, context->begin[p] + context->step);
            NYSX_TALLY(lshu_additions, 1);
        }
    }
    if (last)
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
#if NYSX_PROPAGATION == NYSX_PROPAGATION_ROW_NORMALISED
            float value = context->sum[p] * graph->slot_scale[p][context->trip];
#else
            float value = context->sum[p];
#endif
            for (int32_t c = 0; c < NYSX_LSHU_COPIES; c++)
                to[c][context->trip][p] = value;
        }
    NYSX_TALLY(lshu_slots, !context->ended);
    context->ended |= last;
    context->step++;
}

/* A sparse pass: trips circulate in a ring of contexts; the last context is the active one. A finished trip counts as done when its context
 * is active again. */
static void propagate(const struct nysx_graph *graph, vector_t from, vector_t to)
{
    NYSX_INLINE_PROPAGATE
    struct context ring[NYSX_LSHU_CONTEXTS];
    int32_t next = 0, done = 0, before = 0; /* before: done in the previous iteration, so the exit condition needs no sum */
    NYSX_TALLY(lshu_passes, 1);
NYSX_LABEL(lshu_empty)
    for (int32_t i = 0; i < NYSX_LSHU_CONTEXTS; i++) {
        NYSX_UNROLL_LSHU_EMPTY
        ring[i].trip = ring[i].step = ring[i].longest = 0;
        ring[i].ended = 1;
        ring[i].counts = 0;
    NYSX_LABEL(lshu_empty_pes)
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            NYSX_UNROLL_LSHU_EMPTY_PES
            ring[i].begin[p] = ring[i].length[p] = 0;
            ring[i].sum[p] = 0.0f;
        }
    }
NYSX_LABEL(lshu_nonzeros)
    for (; before < graph->trips;) {
        NYSX_PIPELINE_LSHU_NONZEROS
        NYSX_LOOP_TRIPCOUNT_LSHU_NONZEROS
        before = done;
        struct context now = ring[NYSX_LSHU_CONTEXTS - 1];
        nysx_bit_t free = now.ended;
        done += free & now.counts;
        now.counts &= !free;
        if (free && next < graph->trips) {
            start(graph, next, &now);
            next++;
        }
        step(graph, from, to, &now);
        for (int32_t i = NYSX_LSHU_CONTEXTS - 1; i > 0; i--)
            ring[i] = ring[i - 1];
        ring[0] = now;
        NYSX_TALLY(lshu_cycles, 1);
    }
}

/* Vector elements for a word of codes: part of one trip's word, or several trips' words, each read whole. */
static void take_elements(nysx_value_t from[NYSX_LSHU_TRIPS][NYSX_LSHU_PE], int32_t word, nysx_value_t out[NYSX_CODE_LANES])
{
#if NYSX_CODE_LANES <= NYSX_LSHU_PE
    nysx_value_t lshu_word[NYSX_LSHU_PE];
    NYSX_ARRAY_PARTITION_LSHU_WORD
    int32_t trip = word / (NYSX_LSHU_PE / NYSX_CODE_LANES), part = word % (NYSX_LSHU_PE / NYSX_CODE_LANES);
    for (int32_t p = 0; p < NYSX_LSHU_PE; p++)
        lshu_word[p] = from[trip][p];
    for (int32_t l = 0; l < NYSX_CODE_LANES; l++) {
        out[l] = lshu_word[l];
        for (int32_t k = 1; k < NYSX_LSHU_PE / NYSX_CODE_LANES; k++)
            out[l] = part == k ? lshu_word[k * NYSX_CODE_LANES + l] : out[l];
    }
#else
    for (int32_t l = 0; l < NYSX_CODE_LANES; l++) {
        int32_t trip = word * (NYSX_CODE_LANES / NYSX_LSHU_PE) + l / NYSX_LSHU_PE;
        out[l] = from[trip < NYSX_LSHU_TRIPS ? trip : 0][l % NYSX_LSHU_PE]; /* past the last trip: value unused */
    }
#endif
}

#if NYSX_CODES == NYSX_CODES_SCALAR
#if NYSX_FEATURE_ONEHOT
/* Dense pass, F u: one look-up per row. */
static void project(const struct nysx_graph *graph, int32_t hop, vector_t to)
{
    NYSX_INLINE_PROJECT
    NYSX_BIND_STORAGE_LSH_U
    NYSX_TALLY(lshu_passes, 1);
NYSX_LABEL(lshu_dense)
    for (int32_t trip = 0; trip < graph->trips; trip++) {
        NYSX_PIPELINE_LSHU_DENSE
        NYSX_LOOP_TRIPCOUNT_LSHU_DENSE
    NYSX_LABEL(lshu_dense_pes)
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            NYSX_UNROLL_LSHU_DENSE_PES
            int32_t index = label_of(graph, p % NYSX_LSHU_COPIES, (int32_t)graph->slot_row[p][trip]);
            float value = index < NYSX_FEATURE_COLUMNS ? nysx_lsh_u[hop][index] : 0.0f;
            for (int32_t c = 0; c < NYSX_LSHU_COPIES; c++)
                to[c][trip][p] = value;
        }
    }
}
#else
/* Dense pass, F u: as many trips as an addition has cycles are interleaved over the columns. */
static void project(const struct nysx_graph *graph, int32_t hop, vector_t to)
{
    NYSX_INLINE_PROJECT
    float lshu_sums[NYSX_LSHU_CONTEXTS][NYSX_LSHU_PE];
    int32_t column = 0, first = 0, trip = 0;
    NYSX_ARRAY_PARTITION_LSHU_SUMS
    NYSX_TALLY(lshu_passes, 1);
    int32_t steps = (graph->trips + NYSX_LSHU_CONTEXTS - 1) / NYSX_LSHU_CONTEXTS * NYSX_LSHU_CONTEXTS * NYSX_FEATURE_COLUMNS;
NYSX_LABEL(lshu_dense)
    for (int32_t k = 0; k < steps; k++) {
        NYSX_PIPELINE_LSHU_DENSE
        NYSX_LOOP_TRIPCOUNT_LSHU_DENSE
        int32_t here = first + trip < graph->trips ? first + trip : 0;
    NYSX_LABEL(lshu_dense_pes)
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            NYSX_UNROLL_LSHU_DENSE_PES
            float product = attribute_of(graph, p % NYSX_LSHU_COPIES, (int32_t)graph->slot_row[p][here], column) *
                            nysx_lsh_u[hop][column];
            float sum = (column == 0 ? 0.0f : lshu_sums[NYSX_LSHU_CONTEXTS - 1][p]) + product;
            for (int32_t u = NYSX_LSHU_CONTEXTS - 1; u > 0; u--)
                lshu_sums[u][p] = lshu_sums[u - 1][p];
            lshu_sums[0][p] = sum;
            for (int32_t c = 0; c < NYSX_LSHU_COPIES; c++)
                if (column == NYSX_FEATURE_COLUMNS - 1 && first + trip < graph->trips)
                    to[c][first + trip][p] = sum;
        }
        int32_t wraps = trip == NYSX_LSHU_CONTEXTS - 1, ends = wraps && column == NYSX_FEATURE_COLUMNS - 1;
        trip = wraps ? 0 : trip + 1;
        column = ends ? 0 : column + wraps;
        first = ends ? first + NYSX_LSHU_CONTEXTS : first;
    }
}
#endif

/* Emits the codes of a vector, one word per cycle. */
static void emit(const struct nysx_graph *graph, int32_t nodes, int32_t hop, vector_t values,
                 NYSX_PARAMETERS_CODES)
{
    (void)graph;
NYSX_LABEL(lshu_codes)
    for (int32_t w = 0; w < (nodes + NYSX_CODE_LANES - 1) / NYSX_CODE_LANES; w++) {
        NYSX_PIPELINE_LSHU_CODES
        NYSX_LOOP_TRIPCOUNT_LSHU_CODES
        nysx_codes_t word;
        nysx_value_t lshu_elements[NYSX_CODE_LANES];
        NYSX_ARRAY_PARTITION_LSHU_ELEMENTS
        take_elements(values[0], w, lshu_elements);
    NYSX_LABEL(lshu_code_lanes)
        for (int32_t l = 0; l < NYSX_CODE_LANES; l++) {
            NYSX_UNROLL_LSHU_CODE_LANES
            int32_t slot = w * NYSX_CODE_LANES + l;
            word.lane[l] = 0;
            if (slot < nodes)
                word.lane[l] = floor_code(lshu_elements[l], nysx_lsh_b[hop][0]);
        }
        NYSX_PUT(codes, w, word);
    }
}

/* Hop t: one dense pass, t sparse passes between the two memories, then the codes; the result is always in `even`. */
void nysx_lshu(const struct nysx_graph *graph, int32_t nodes, int32_t hop, NYSX_PARAMETERS_CODES)
{
    NYSX_LOCAL nysx_value_t lshu_even[NYSX_LSHU_COPIES][NYSX_LSHU_TRIPS][NYSX_LSHU_PE];
    NYSX_LOCAL nysx_value_t lshu_odd[NYSX_LSHU_COPIES][NYSX_LSHU_TRIPS][NYSX_LSHU_PE];
    NYSX_ARRAY_PARTITION_LSHU_EVEN
    NYSX_ARRAY_PARTITION_LSHU_ODD
    NYSX_ARRAY_RESHAPE_LSHU_EVEN
    NYSX_ARRAY_RESHAPE_LSHU_ODD
    NYSX_ALLOCATION_PROJECT
    NYSX_ALLOCATION_PROPAGATE
    if (hop % 2 == 0)
        project(graph, hop, lshu_even);
    else
        project(graph, hop, lshu_odd);
NYSX_LABEL(lshu_hops)
    for (int32_t left = hop; left > 0; left--) {
        if (left % 2 == 0)
            propagate(graph, lshu_even, lshu_odd);
        else
            propagate(graph, lshu_odd, lshu_even);
    }
    emit(graph, nodes, hop, lshu_even, codes);
}

#else

/* Stores a column of F, one trip per cycle. */
static void keep_column(const struct nysx_graph *graph, int32_t column, vector_t to)
{
NYSX_LABEL(lshu_dense)
    for (int32_t trip = 0; trip < graph->trips; trip++) {
        NYSX_PIPELINE_LSHU_DENSE
        NYSX_LOOP_TRIPCOUNT_LSHU_DENSE
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++) {
            int32_t node = (int32_t)graph->slot_row[p][trip];
#if NYSX_FEATURE_ONEHOT
            float value = label_of(graph, p % NYSX_LSHU_COPIES, node) == column ? 1.0f : 0.0f;
#else
            float value = attribute_of(graph, p % NYSX_LSHU_COPIES, node, column);
#endif
            for (int32_t c = 0; c < NYSX_LSHU_COPIES; c++)
                to[c][trip][p] = value;
        }
    }
}

#define HOP_OF(start) ((start) * NYSX_LSHU_DRAWS / NYSX_DRAWS)

/* Hashes the floors of all columns. A state update takes as many cycles as a multiplication, so as many words of codes are
 * interleaved over the columns; words of all draws follow one another. */
static void emit_tuples(int32_t nodes, int32_t hop, vector_t even[NYSX_LSHU_COLUMNS], vector_t odd[NYSX_LSHU_COLUMNS],
                        NYSX_PARAMETERS_CODES)
{
    uint64_t lshu_states[NYSX_LSHU_TUPLE_INTERLEAVE][NYSX_CODE_LANES];
    int32_t words = (nodes + NYSX_CODE_LANES - 1) / NYSX_CODE_LANES, all = words * NYSX_LSHU_DRAWS, column = 0, first = 0, trip = 0, out = 0;
    int32_t w = 0, draw = 0, first_w = 0, first_draw = 0; /* this trip's; the first trip's */
    NYSX_ARRAY_PARTITION_LSHU_STATES
    NYSX_TALLY(lshu_passes, 1);
    int32_t steps = (all + NYSX_LSHU_TUPLE_INTERLEAVE - 1) / NYSX_LSHU_TUPLE_INTERLEAVE * NYSX_LSHU_TUPLE_INTERLEAVE * NYSX_LSHU_COLUMNS;
NYSX_LABEL(lshu_tuples)
    for (int32_t k = 0; k < steps; k++) {
        NYSX_PIPELINE_LSHU_TUPLES
        NYSX_LOOP_TRIPCOUNT_LSHU_TUPLES
        nysx_codes_t word;
        nysx_value_t in_even[NYSX_CODE_LANES], in_odd[NYSX_CODE_LANES];
        NYSX_ARRAY_PARTITION_IN_EVEN
        NYSX_ARRAY_PARTITION_IN_ODD
        nysx_bit_t there = first + trip < all;
        int32_t pass = hop * NYSX_LSHU_DRAWS + (there ? draw : 0);
        take_elements(even[column][0], w, in_even);
        take_elements(odd[column][0], w, in_odd);
    NYSX_LABEL(lshu_tuple_lanes)
        for (int32_t l = 0; l < NYSX_CODE_LANES; l++) {
            NYSX_UNROLL_LSHU_TUPLE_LANES
            float value = HOP_OF(hop) % 2 == 0 ? in_even[l] : in_odd[l];
            uint64_t state = fold(column == 0 ? 0 : lshu_states[NYSX_LSHU_TUPLE_INTERLEAVE - 1][l],
                                  floor_code(value * nysx_lsh_u[pass][column], nysx_lsh_b[pass][column]));
            for (int32_t u = NYSX_LSHU_TUPLE_INTERLEAVE - 1; u > 0; u--)
                lshu_states[u][l] = lshu_states[u - 1][l];
            lshu_states[0][l] = state;
            word.lane[l] = (int64_t)state;
        }
        if (column == NYSX_LSHU_COLUMNS - 1 && there) {
            NYSX_PUT(codes, out, word);
            out++;
        }
        int32_t wraps = trip == NYSX_LSHU_TUPLE_INTERLEAVE - 1, ends = wraps && column == NYSX_LSHU_COLUMNS - 1;
        int32_t again = wraps && !ends, last = w == words - 1, next_w = last ? 0 : w + 1, next_draw = draw + last;
        w = again ? first_w : next_w;
        draw = again ? first_draw : next_draw;
        first_w = ends ? next_w : first_w;
        first_draw = ends ? next_draw : first_draw;
        trip = wraps ? 0 : trip + 1;
        column = ends ? 0 : column + wraps;
        first = ends ? first + NYSX_LSHU_TUPLE_INTERLEAVE : first;
    }
}

/* Columns persist from hop to hop: each hop multiplies each column by A once, from one memory to the other. All draws of a hop read them. */
void nysx_lshu(const struct nysx_graph *graph, int32_t nodes, int32_t hop, NYSX_PARAMETERS_CODES)
{
    static nysx_value_t lshu_even[NYSX_LSHU_COLUMNS][NYSX_LSHU_COPIES][NYSX_LSHU_TRIPS][NYSX_LSHU_PE];
    static nysx_value_t lshu_odd[NYSX_LSHU_COLUMNS][NYSX_LSHU_COPIES][NYSX_LSHU_TRIPS][NYSX_LSHU_PE];
    NYSX_ARRAY_PARTITION_LSHU_EVEN
    NYSX_ARRAY_PARTITION_LSHU_ODD
    NYSX_ARRAY_RESHAPE_LSHU_EVEN
    NYSX_ARRAY_RESHAPE_LSHU_ODD
    NYSX_ALLOCATION_PROPAGATE
NYSX_LABEL(lshu_hops)
    for (int32_t j = 0; j < NYSX_LSHU_COLUMNS && hop * NYSX_LSHU_DRAWS % NYSX_DRAWS == 0; j++) {
        if (hop == 0)
            keep_column(graph, j, lshu_even[j]);
        else if (HOP_OF(hop) % 2 == 0)
            propagate(graph, lshu_odd[j], lshu_even[j]);
        else
            propagate(graph, lshu_even[j], lshu_odd[j]);
    }
    emit_tuples(nodes, hop, lshu_even, lshu_odd, codes);
}
#endif
