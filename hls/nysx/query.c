/* The query: A in compressed sparse rows, its schedule, and F. */
#include "nysx.h"

#define LENGTHS 64 /* rows of this length and more share the last bin of the schedule made in logic */
#define FEATURES_A_NODE (NYSX_FEATURE_ONEHOT ? 1 : NYSX_FEATURE_COLUMNS)
#define FEATURE_SIZE ((int32_t)sizeof(nysx_feature_t) * 8)
#define INDICES_A_WORD (NYSX_QUERY_PORT_BITS / NYSX_INDEX_BITS)
#define FEATURES_A_WORD (NYSX_QUERY_PORT_BITS / FEATURE_SIZE)

static uint32_t field(nysx_query_word_t word, int32_t index, int32_t bits)
{
    int32_t first = index * bits;
    uint32_t part = word.part[first / 32] >> (first % 32);
    return bits == 32 ? part : part & (((uint32_t)1 << bits) - 1);
}

static nysx_feature_t feature_of(uint32_t bits)
{
#if NYSX_FEATURE_ONEHOT
    return (nysx_feature_t)bits;
#else
    union {
        uint32_t bits;
        float real;
    } value;
    value.bits = bits;
    return value.real;
#endif
}

/* Reads `count` indices from word `at` on; the word behind them. */
static int32_t read_indices(NYSX_PARAMETERS_QUERY, int32_t at, int32_t count, nysx_index_t *out)
{
    int32_t words = (count + INDICES_A_WORD - 1) / INDICES_A_WORD;
NYSX_LABEL(query_indices)
    for (int32_t w = 0; w < words; w++) {
        nysx_query_word_t word[1];
        NYSX_READ_QUERY(word, at + w);
        for (int32_t i = 0; i < INDICES_A_WORD; i++)
            if (w * INDICES_A_WORD + i < count)
                out[w * INDICES_A_WORD + i] = (nysx_index_t)field(word[0], i, NYSX_INDEX_BITS);
    }
    return at + words;
}

static void read_features(NYSX_PARAMETERS_QUERY, int32_t at, struct nysx_graph *graph)
{
    int32_t count = graph->nodes * FEATURES_A_NODE;
NYSX_LABEL(query_features)
    for (int32_t w = 0; w < (count + FEATURES_A_WORD - 1) / FEATURES_A_WORD; w++) {
        nysx_query_word_t word[1];
        NYSX_READ_QUERY(word, at + w);
        for (int32_t i = 0; i < FEATURES_A_WORD; i++) {
            int32_t element = w * FEATURES_A_WORD + i;
            if (element < count)
                graph->feature[element / FEATURES_A_NODE][element % FEATURES_A_NODE] =
                    feature_of(field(word[0], i, FEATURE_SIZE));
        }
    }
}

#if NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_PL
static int32_t length_of(const struct nysx_graph *graph, int32_t row)
{
    int32_t length = (int32_t)graph->row_begin[row + 1] - (int32_t)graph->row_begin[row];
    return length < LENGTHS ? length : LENGTHS - 1;
}

/* Rows by ascending length: counted, the counts summed, the rows placed. */
static void make_order(struct nysx_graph *graph)
{
    int32_t begin[LENGTHS + 1] = {0};
NYSX_LABEL(order_count)
    for (int32_t v = 0; v < graph->nodes; v++)
        begin[length_of(graph, v) + 1]++;
NYSX_LABEL(order_sum)
    for (int32_t l = 0; l < LENGTHS; l++)
        begin[l + 1] += begin[l];
NYSX_LABEL(order_place)
    for (int32_t v = 0; v < graph->nodes; v++)
        graph->order[begin[length_of(graph, v)]++] = (nysx_index_t)v;
}
#elif NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_NONE
static void make_order(struct nysx_graph *graph)
{
NYSX_LABEL(order_natural)
    for (int32_t v = 0; v < graph->nodes; v++)
        graph->order[v] = (nysx_index_t)v;
}
#endif

static int32_t check(const struct nysx_graph *graph, int32_t nonzeros)
{
    int32_t status = graph->row_begin[0] == 0 && graph->row_begin[graph->nodes] == nonzeros ? 0 : NYSX_BAD_GRAPH;
NYSX_LABEL(check_rows)
    for (int32_t v = 0; v < graph->nodes; v++)
        if (graph->row_begin[v] > graph->row_begin[v + 1] || (int32_t)graph->order[v] >= graph->nodes)
            status = NYSX_BAD_GRAPH;
NYSX_LABEL(check_neighbours)
    for (int32_t e = 0; e < nonzeros; e++)
        if ((int32_t)graph->neighbour[e] >= graph->nodes)
            status = NYSX_BAD_GRAPH;
    return status;
}

int32_t nysx_query(NYSX_PARAMETERS_QUERY, int32_t nodes, int32_t nonzeros, struct nysx_graph *graph)
{
    if (nodes < 0 || nodes > NYSX_MAX_NODES)
        return NYSX_TOO_MANY_NODES;
    if (nonzeros < 0 || nonzeros > NYSX_MAX_NNZ)
        return NYSX_TOO_MANY_NONZEROS;
    graph->nodes = nodes;
    int32_t at = read_indices(NYSX_ARGUMENTS_QUERY, 0, nodes + 1, graph->row_begin);
    at = read_indices(NYSX_ARGUMENTS_QUERY, at, nonzeros, graph->neighbour);
#if NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_PS
    at = read_indices(NYSX_ARGUMENTS_QUERY, at, nodes, graph->order);
#else
    make_order(graph);
#endif
    read_features(NYSX_ARGUMENTS_QUERY, at, graph);
    return check(graph, nonzeros);
}
