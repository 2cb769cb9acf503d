/* The workload of a graph: counts that hold for every setting, because no cycle depends on the values. */
#include "models/gat/executor/gcsr.h"
#include "models/gat/executor/model.h"

/* `steps` are the non-zeros of all rows of all subgraphs; an empty row counts one. */
enum dse_status gat_profile(const struct dse_dataset *data, const struct dse_setting *setting, const struct dse_run *run,
                            struct dse_workload *out, struct dse_error *err)
{
    struct gat_setting parsed;
    struct gat_subgraphs subgraphs;
    (void)run; /* all nodes are answered, for any split */
    DSE_TRY(dse_executor_takes(&gat_executor, data, err));
    DSE_TRY(gat_setting_parse(setting, &parsed, err));
    const struct dse_node_graph *graph = dse_dataset_nodes(data);
    gat_subgraphs_make(graph, &subgraphs);
    const struct gat_gcsr size = gat_gcsr_size(graph, &subgraphs);
    size_t steps = size.nonzeros, longest_row = 0, longest = 0;
    for (size_t r = 0; r < size.rows; r++) {
        size_t v = (size_t)subgraphs.node[r], length = graph->feature_begin[v + 1] - graph->feature_begin[v];
        steps += length == 0;
        longest_row = length > longest_row ? length : longest_row;
    }
    for (size_t v = 0; v < subgraphs.count; v++)
        if (subgraphs.begin[v + 1] - subgraphs.begin[v] > longest)
            longest = subgraphs.begin[v + 1] - subgraphs.begin[v];
    gat_subgraphs_free(&subgraphs);
    const struct dse_series_value series[] = {
        DSE_SERIES_NUMBER("nodes", graph->node_count),    DSE_SERIES_NUMBER("features", graph->feature_count),
        DSE_SERIES_NUMBER("classes", graph->class_count), DSE_SERIES_NUMBER("rows", size.rows),
        DSE_SERIES_NUMBER("nonzeros", size.nonzeros),     DSE_SERIES_NUMBER("steps", steps),
        DSE_SERIES_NUMBER("longest_row", longest_row),    DSE_SERIES_NUMBER("longest_subgraph", longest)};
    dse_knobs_work_key(&gat_knobs, setting, &out->setting);
    return dse_workload_put(out, series, sizeof series / sizeof *series, err);
}
