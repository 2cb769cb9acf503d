/* The query: A in compressed sparse rows, its schedule, and F. What does not hold together is seen as it arrives. */
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
    return nysx_real(bits);
#endif
}

/* What indices must be: below a limit, and row pointers not falling. */
struct rule {
    uint32_t below;
    int32_t rising;
};

/* Reads `count` indices from word `at` on; the word behind them, or NYSX_BAD_GRAPH. */
static int32_t read_indices(NYSX_PARAMETERS_QUERY, int32_t at, int32_t count, struct rule rule, nysx_index_t *out)
{
    int32_t words = (count + INDICES_A_WORD - 1) / INDICES_A_WORD, bad = at < 0;
    uint32_t last = 0;
NYSX_LABEL(query_indices)
    for (int32_t w = 0; w < words && at >= 0; w++) {
        NYSX_PIPELINE_QUERY_INDICES
        nysx_query_word_t word[1];
        NYSX_READ_QUERY(word, at + w);
        for (int32_t i = 0; i < INDICES_A_WORD; i++)
            if (w * INDICES_A_WORD + i < count) {
                uint32_t index = field(word[0], i, NYSX_INDEX_BITS);
                bad |= index >= rule.below || (rule.rising && index < last);
                last = index;
                out[w * INDICES_A_WORD + i] = (nysx_index_t)index;
                NYSX_TALLY(query_bytes, NYSX_INDEX_BITS / 8);
            }
    }
    return bad ? NYSX_BAD_GRAPH : at + words;
}

static void read_features(NYSX_PARAMETERS_QUERY, int32_t at, struct nysx_graph *graph)
{
    int32_t count = graph->nodes * FEATURES_A_NODE;
NYSX_LABEL(query_features)
    for (int32_t w = 0; w < (count + FEATURES_A_WORD - 1) / FEATURES_A_WORD; w++) {
        NYSX_PIPELINE_QUERY_FEATURES
        nysx_query_word_t word[1];
        NYSX_READ_QUERY(word, at + w);
        for (int32_t i = 0; i < FEATURES_A_WORD; i++) {
            int32_t element = w * FEATURES_A_WORD + i;
            if (element < count) {
                graph->feature[element / FEATURES_A_NODE][element % FEATURES_A_NODE] =
                    feature_of(field(word[0], i, FEATURE_SIZE));
                NYSX_TALLY(query_bytes, FEATURE_SIZE / 8);
            }
        }
    }
}

#if NYSX_HOPS == 1
/* Nothing propagates: no schedule. */
#elif NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_PL
static int32_t length_of(const struct nysx_graph *graph, int32_t row)
{
    int32_t length = (int32_t)graph->row_begin[row + 1] - (int32_t)graph->row_begin[row];
    return length < LENGTHS ? length : LENGTHS - 1;
}

/* Rows by ascending length: counted, the counts summed, the rows placed. */
static void make_order(struct nysx_graph *graph)
{
    int32_t begin[LENGTHS + 1];
NYSX_LABEL(order_clear)
    for (int32_t l = 0; l <= LENGTHS; l++)
        begin[l] = 0;
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

int32_t nysx_query(NYSX_PARAMETERS_QUERY, int32_t nodes, int32_t nonzeros, struct nysx_graph *graph)
{
    if (nodes < 0 || nodes > NYSX_MAX_NODES)
        return NYSX_TOO_MANY_NODES;
    if (nonzeros < 0 || nonzeros > NYSX_MAX_NNZ)
        return NYSX_TOO_MANY_NONZEROS;
    struct rule pointers = {(uint32_t)nonzeros + 1, 1}, columns = {(uint32_t)nodes, 0};
    graph->nodes = nodes;
    int32_t at = read_indices(NYSX_ARGUMENTS_QUERY, 0, nodes + 1, pointers, graph->row_begin);
    at = read_indices(NYSX_ARGUMENTS_QUERY, at, nonzeros, columns, graph->neighbour);
#if NYSX_HOPS > 1 && NYSX_LSHU_BALANCE == NYSX_LSHU_BALANCE_PS
    at = read_indices(NYSX_ARGUMENTS_QUERY, at, nodes, columns, graph->order);
#endif
    if (at < 0 || graph->row_begin[0] != 0 || (int32_t)graph->row_begin[nodes] != nonzeros)
        return NYSX_BAD_GRAPH;
#if NYSX_HOPS > 1 && NYSX_LSHU_BALANCE != NYSX_LSHU_BALANCE_PS
    make_order(graph);
#endif
    read_features(NYSX_ARGUMENTS_QUERY, at, graph);
    return 0;
}
