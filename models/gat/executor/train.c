/* The `train` verb: a network of the setting, fitted to the training nodes (fit.c). */
#include <math.h>

#include "core/memory.h"
#include "models/gat/executor/fit.h"
#include "models/gat/executor/model.h"

#define FEATURE_MOST 1e15f /* products of two must stay far below single precision's largest number */

static void name_classes(struct gat_model *model, const struct dse_node_graph *graph)
{
    model->class_name = dse_calloc(graph->class_count, sizeof *model->class_name);
    for (; model->classes < graph->class_count; model->classes++)
        model->class_name[model->classes] = dse_strdup(graph->class_name[model->classes]);
}

static enum dse_status learn(struct gat_model *model, const struct dse_node_graph *graph, const struct dse_run *run,
                             struct dse_error *err)
{
    const struct gat_setting *s = &model->setting;
    const struct gat_fit fit = {.epochs = s->epochs, .patience = s->patience, .rate = (float)s->rate, .decay = (float)s->decay,
                                .dropout = s->dropout, .monitor = run->monitor};
    DSE_CLEANUP(gat_subgraphs_free) struct gat_subgraphs subgraphs = {0};
    struct dse_rng weights, dropout;
    dse_rng_seed(&weights, model->base.seed, GAT_STREAM_WEIGHTS);
    dse_rng_seed(&dropout, model->base.seed, GAT_STREAM_DROPOUT);
    gat_network_make(model->features, s->heads, s->channels, model->classes, &weights, &model->network);
    model->network.functions = gat_functions_of(s);
    gat_subgraphs_make(graph, &subgraphs);
    return gat_fit_run(&fit, graph, &subgraphs, &model->base.split, &dropout, &model->network, &model->epochs, err);
}

enum dse_status gat_train(struct dse_model *base, const struct dse_dataset *data, const struct dse_run *run,
                          struct dse_training *result, struct dse_error *err)
{
    struct gat_model *model = (struct gat_model *)base;
    const struct dse_node_graph *graph = dse_dataset_nodes(data);
    DSE_TRY(gat_setting_parse(&base->words, &model->setting, err));
    model->features = graph->feature_count;
    for (size_t i = 0; i < graph->feature_begin[graph->node_count]; i++)
        if (!(fabs(graph->feature_value[i]) <= (double)FEATURE_MOST))
            return dse_fail(err, DSE_BAD_INPUT, "%s: feature %d of a node: %g is beyond %g", data->name, graph->feature_column[i] + 1,
                            graph->feature_value[i], (double)FEATURE_MOST);
    model->feature_largest = gat_feature_largest(graph);
    name_classes(model, graph);
    DSE_TRY(learn(model, graph, run, err));
    return dse_figure_put(result->figures, &result->figure_count, "epochs", (double)model->epochs, err);
}
