/* SPDX-License-Identifier: MIT */ /* Query loader: A in compressed sparse rows, its schedule, and F, kept as port words. An inconsistent
 * query is detected on arrival. */
#include "nysx.h"

#define LENGTHS 64 /* longer rows share the last bin of the schedule made in logic */

/* Rule for indices: upper limit, and whether they may decrease. */
struct rule {
    uint32_t below;
    int32_t rising;
};

/* Whether an index of the word breaks the rule; `last` is the index before the word. */
static int32_t breaks(nysx_query_word_t word, int32_t left, struct rule rule, uint32_t last)
{
    int32_t bad = 0;
NYSX_LABEL(query_rules)
    for (int32_t i = 0; i < NYSX_INDICES_A_WORD; i++) {
        uint32_t index = nysx_field(word, i, NYSX_INDEX_BITS);
        if (i < left) {
            bad |= index >= rule.below || (rule.rising && index < last);
            NYSX_TALLY(query_bytes, NYSX_INDEX_BITS / 8);
        }
        last = index;
    }
    return bad;
}

static int32_t words_of(int32_t count)
{
    return (count + NYSX_INDICES_A_WORD - 1) / NYSX_INDICES_A_WORD;
}

/* Ends of the arrays in the query's words, and the numbers of nodes and non-zeros. */
struct layout {
    int32_t pointers_end, neighbours_end, order_end, end;
    int32_t nodes, nonzeros;
};

/* Stores a word of one of the three index arrays; returns whether it breaks the array's rule. */
static int32_t keep_indices(nysx_query_word_t word, int32_t w, struct layout layout, uint32_t last, struct nysx_graph *graph)
{
    struct rule pointers = {(uint32_t)layout.nonzeros + 1, 1}, columns = {(uint32_t)layout.nodes, 0};
    int32_t first = 0, count = layout.nodes + 1;
    if (w < layout.pointers_end) {
        graph->row_begin[w] = word;
    } else if (w < layout.neighbours_end) {
        first = layout.pointers_end;
        count = layout.nonzeros;
        for (int32_t c = 0; c < NYSX_LSHU_COPIES; c++)
            graph->neighbour[c][w - first] = word;
    } else {
        first = layout.neighbours_end;
        count = layout.nodes;
        graph->order[w - first] = word;
    }
    return breaks(word, count - (w - first) * NYSX_INDICES_A_WORD, w < layout.pointers_end ? pointers : columns, last);
}

/* Reads the query in one burst, one word per cycle. */
static int32_t read_words(NYSX_PARAMETERS_QUERY, int32_t first, struct layout layout, struct nysx_graph *graph)
{
    int32_t bad = 0, end = layout.end < NYSX_QUERY_WORDS ? layout.end : NYSX_QUERY_WORDS;
    uint32_t last = 0;
NYSX_LABEL(query_words)
    for (int32_t w = 0; w < end; w++) {
        NYSX_PIPELINE_QUERY_WORDS
        NYSX_LOOP_TRIPCOUNT_QUERY_WORDS
        nysx_query_word_t word[1];
        NYSX_READ_QUERY(word, first + w);
        if (w < layout.order_end)
            bad |= keep_indices(word[0], w, layout, last, graph);
        else
            for (int32_t c = 0; c < NYSX_LSHU_COPIES; c++)
                graph->feature[c][w - layout.order_end] = word[0];
        last = nysx_field(word[0], NYSX_INDICES_A_WORD - 1, NYSX_INDEX_BITS);
    }
    NYSX_TALLY(query_bytes, layout.nodes * NYSX_FEATURES_A_NODE * NYSX_FEATURE_SIZE / 8);
    return bad;
}

static int32_t pointer_of(const struct nysx_graph *graph, int32_t row)
{
    return (int32_t)nysx_field(graph->row_begin[row / NYSX_INDICES_A_WORD], row % NYSX_INDICES_A_WORD, NYSX_INDEX_BITS);
}

#if NYSX_HOPS > 1 && NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_PS
static int32_t row_at(const struct nysx_graph *graph, const nysx_index_t *sorted, int32_t slot)
{
    (void)sorted;
    return (int32_t)nysx_field(graph->order[slot / NYSX_INDICES_A_WORD], slot % NYSX_INDICES_A_WORD, NYSX_INDEX_BITS);
}
#elif NYSX_HOPS > 1 && NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_PL
static int32_t length_of(const struct nysx_graph *graph, int32_t row)
{
    int32_t length = pointer_of(graph, row + 1) - pointer_of(graph, row);
    return length < LENGTHS ? length : LENGTHS - 1;
}

/* Counting sort of the rows by ascending length. Each count is a register. */
static void make_order(const struct nysx_graph *graph, nysx_index_t sorted[NYSX_MAX_NODES])
{
    int32_t order_begin[LENGTHS + 1];
    NYSX_ARRAY_PARTITION_ORDER_BEGIN
NYSX_LABEL(query_order_clear)
    for (int32_t l = 0; l <= LENGTHS; l++) {
        NYSX_UNROLL_QUERY_ORDER_CLEAR
        order_begin[l] = 0;
    }
NYSX_LABEL(query_order)
    for (int32_t v = 0; v < graph->nodes; v++) {
        NYSX_PIPELINE_QUERY_ORDER
        NYSX_LOOP_TRIPCOUNT_QUERY_ORDER
        order_begin[length_of(graph, v) + 1]++;
    }
NYSX_LABEL(query_order_sum)
    for (int32_t l = 0; l < LENGTHS; l++) {
        NYSX_PIPELINE_QUERY_ORDER_SUM
        order_begin[l + 1] += order_begin[l];
    }
NYSX_LABEL(query_order_place)
    for (int32_t v = 0; v < graph->nodes; v++) {
        NYSX_PIPELINE_QUERY_ORDER_PLACE
        NYSX_LOOP_TRIPCOUNT_QUERY_ORDER_PLACE
        sorted[order_begin[length_of(graph, v)]++] = (nysx_index_t)v;
    }
}

static int32_t row_at(const struct nysx_graph *graph, const nysx_index_t *sorted, int32_t slot)
{
    (void)graph;
    return (int32_t)sorted[slot];
}
#else /* the natural order */
static int32_t row_at(const struct nysx_graph *graph, const nysx_index_t *sorted, int32_t slot)
{
    (void)graph;
    (void)sorted;
    return slot;
}
#endif

/* Writes one row per cycle into the slot of its trip and PE; slots past the last row stay empty. */
static void fill_slots(struct nysx_graph *graph, const nysx_index_t *sorted)
{
    int32_t longest = 1, trip = 0, pe = 0;
    graph->trips = (graph->nodes + NYSX_LSHU_PE - 1) / NYSX_LSHU_PE;
NYSX_LABEL(query_slots)
    for (int32_t slot = 0; slot < graph->nodes; slot++) {
        NYSX_PIPELINE_QUERY_SLOTS
        NYSX_LOOP_TRIPCOUNT_QUERY_SLOTS
        int32_t row = row_at(graph, sorted, slot), begin = pointer_of(graph, row);
        int32_t length = pointer_of(graph, row + 1) - begin;
        longest = pe == 0 || length > longest ? (length > 1 ? length : 1) : longest;
#if NYSX_PROPAGATION == NYSX_PROPAGATION_ROW_NORMALISED && NYSX_CODES != NYSX_CODES_WL
        graph->slot_scale[pe][trip] = length > 0 ? 1.0f / (float)length : 0.0f;
#endif
        for (int32_t p = 0; p < NYSX_LSHU_PE; p++)
            if (p == pe || pe == 0) { /* the trip's slots start empty */
                graph->slot_row[p][trip] = (nysx_index_t)(p == pe ? row : 0);
                graph->slot_begin[p][trip] = (nysx_index_t)(p == pe ? begin : 0);
                graph->slot_length[p][trip] = (nysx_index_t)(p == pe ? length : 0);
            }
        graph->slot_longest[trip] = (nysx_index_t)longest;
        for (int32_t c = 0; c < NYSX_LSHU_COPIES; c++)
            graph->position[c][row] = (nysx_index_t)slot;
        trip += pe == NYSX_LSHU_PE - 1;
        pe = pe == NYSX_LSHU_PE - 1 ? 0 : pe + 1;
    }
}

int32_t nysx_query(NYSX_PARAMETERS_QUERY, int32_t first, int32_t nodes, int32_t nonzeros, struct nysx_graph *graph)
{
    if (nodes < 0 || nodes > NYSX_MAX_NODES)
        return NYSX_TOO_MANY_NODES;
    if (nonzeros < 0 || nonzeros > NYSX_MAX_NNZ)
        return NYSX_TOO_MANY_NONZEROS;
    NYSX_LOCAL nysx_index_t sorted[NYSX_MAX_NODES];
    int32_t features = (nodes * NYSX_FEATURES_A_NODE + NYSX_FEATURES_A_WORD - 1) / NYSX_FEATURES_A_WORD;
    int32_t ordered = NYSX_HOPS > 1 && NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_PS ? words_of(nodes) : 0;
    struct layout layout;
    layout.nodes = nodes;
    layout.nonzeros = nonzeros;
    layout.pointers_end = words_of(nodes + 1);
    layout.neighbours_end = layout.pointers_end + words_of(nonzeros);
    layout.order_end = layout.neighbours_end + ordered;
    layout.end = layout.order_end + features;
    graph->nodes = nodes;
    if (read_words(NYSX_ARGUMENTS_QUERY, first, layout, graph) || pointer_of(graph, 0) != 0 || pointer_of(graph, nodes) != nonzeros)
        return NYSX_BAD_GRAPH;
#if NYSX_HOPS > 1 && NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_PL
    make_order(graph, sorted);
#endif
    fill_slots(graph, sorted);
    return 0;
}
