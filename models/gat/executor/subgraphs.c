#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/gat/executor/network.h"

void gat_subgraphs_make(const struct dse_node_graph *graph, struct gat_subgraphs *out)
{
    size_t rows = graph->arc_count + graph->node_count;
    *out = (struct gat_subgraphs){.count = graph->node_count, .begin = dse_malloc((graph->node_count + 1) * sizeof *out->begin),
                                  .node = dse_malloc(rows * sizeof *out->node)};
    size_t used = 0;
    for (size_t v = 0; v < graph->node_count; v++) {
        size_t degree = graph->row_begin[v + 1] - graph->row_begin[v];
        out->begin[v] = used;
        out->node[used++] = (int32_t)v;
        memcpy(out->node + used, graph->neighbour + graph->row_begin[v], degree * sizeof *out->node);
        used += degree;
    }
    out->begin[graph->node_count] = used;
}

void gat_subgraphs_free(struct gat_subgraphs *subgraphs)
{
    free(subgraphs->begin);
    free(subgraphs->node);
    *subgraphs = (struct gat_subgraphs){0};
}
