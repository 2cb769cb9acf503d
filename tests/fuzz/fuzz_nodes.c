/* Fuzzes the reader of labelled nodes: content up to the first byte 1, then citations. An accepted graph has rows in
 * order, every citation in both rows, labels and columns in range. */
#include "datasets/nodegraph.h"
#include "tests/fuzz/input.h"

static int joined(const struct dse_node_graph *g, int32_t from, int32_t to)
{
    for (size_t i = g->row_begin[from]; i < g->row_begin[from + 1]; i++)
        if (g->neighbour[i] == to)
            return 1;
    return 0;
}

static void check_graph(const struct dse_node_graph *g)
{
    require(g->node_count > 0 && g->class_count > 0 && g->row_begin[g->node_count] == g->arc_count);
    require(g->citations >= g->self_citations + g->unknown_citations + g->repeated_citations);
    require(2 * (g->citations - g->self_citations - g->unknown_citations - g->repeated_citations) == g->arc_count);
    for (size_t v = 0; v < g->node_count; v++) {
        require((size_t)g->label[v] < g->class_count);
        for (size_t i = g->feature_begin[v]; i < g->feature_begin[v + 1]; i++)
            require((size_t)g->feature_column[i] < g->feature_count && g->feature_value[i] != 0 &&
                    (i == g->feature_begin[v] || g->feature_column[i] > g->feature_column[i - 1]));
        for (size_t i = g->row_begin[v]; i < g->row_begin[v + 1]; i++)
            require((size_t)g->neighbour[i] < g->node_count && (size_t)g->neighbour[i] != v &&
                    (i == g->row_begin[v] || g->neighbour[i] > g->neighbour[i - 1]) && joined(g, g->neighbour[i], (int32_t)v));
    }
}

static struct dse_text text_of(const uint8_t *data, size_t size)
{
    static char name[] = "F";
    struct dse_text text = {.name = name, .data = malloc(size + 1), .size = size};
    require(text.data != NULL);
    if (size > 0)
        memcpy(text.data, data, size);
    text.data[size] = '\0';
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *mark = size > 0 ? memchr(data, 1, size) : NULL;
    size_t first = mark != NULL ? (size_t)(mark - data) : size, second = mark != NULL ? size - first - 1 : 0;
    struct dse_text content = text_of(data, first), cites = text_of(mark != NULL ? mark + 1 : data, second);
    struct dse_error err = {0};
    struct dse_node_graph *graph;
    if (dse_node_graph_parse("F", &content, &cites, &graph, &err) == DSE_OK)
        check_graph(graph);
    else
        require(graph == NULL && err.message[0] != '\0');
    dse_node_graph_free(graph);
    free(content.data);
    free(cites.data);
    return 0;
}
