/* Inference: one run over the whole graph; the requested items are answered. */
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "models/gat/executor/model.h"

static void run_whole(const struct gat_model *model, const struct dse_node_graph *graph,
                      const struct gat_subgraphs *subgraphs, enum gat_approach approach, int64_t *score)
{
    struct gat_fixed fixed;
    gat_fixed_make(&model->network, model->feature_largest, approach, model->setting.steps, &fixed);
    gat_fixed_run(&fixed, graph, subgraphs, score, NULL, NULL);
    gat_fixed_free(&fixed);
}

static void run_real(const struct gat_model *model, const struct dse_node_graph *graph,
                     const struct gat_subgraphs *subgraphs, float *score)
{
    static const struct gat_dropout none = {0.0f, 0.0f, 0.0f};
    struct gat_pass *pass;
    gat_pass_make(&model->network, graph, subgraphs, &pass);
    memcpy(score, gat_pass_forward(pass, &model->network, &none, NULL), graph->node_count * model->classes * sizeof *score);
    gat_pass_free(pass);
}

enum dse_status gat_model_run(const struct gat_model *model, const struct dse_node_graph *graph, enum gat_arithmetic arithmetic,
                              struct gat_scores *out, struct dse_error *err)
{
    struct gat_subgraphs subgraphs;
    bool whole = arithmetic == GAT_AS_LAYERBREAK || arithmetic == GAT_AS_STREAMLINE;
    size_t count = graph->node_count * model->classes;
    *out = (struct gat_scores){0};
    if (graph->feature_count != model->features)
        return dse_fail(err, DSE_BAD_USAGE, "%s has %zu features, but the model, trained on %s, reads %zu", graph->name,
                        graph->feature_count, model->base.dataset, model->features);
    gat_subgraphs_make(graph, &subgraphs);
    *out = (struct gat_scores){whole ? dse_malloc((count + 1) * sizeof *out->whole) : NULL,
                               whole ? NULL : dse_malloc((count + 1) * sizeof *out->real)};
    if (whole)
        run_whole(model, graph, &subgraphs, arithmetic == GAT_AS_STREAMLINE ? GAT_STREAMLINE : GAT_LAYERBREAK, out->whole);
    else
        run_real(model, graph, &subgraphs, out->real);
    gat_subgraphs_free(&subgraphs);
    return DSE_OK;
}

void gat_scores_free(struct gat_scores *scores)
{
    free(scores->whole);
    free(scores->real);
    *scores = (struct gat_scores){0};
}

size_t gat_largest_whole(const int64_t *score, size_t classes)
{
    size_t best = 0;
    for (size_t k = 1; k < classes; k++)
        best = score[k] > score[best] ? k : best;
    return best;
}

static size_t largest_real(const float *score, size_t classes)
{
    size_t best = 0;
    for (size_t k = 1; k < classes; k++)
        best = score[k] > score[best] ? k : best;
    return best;
}

void gat_model_classes(const struct gat_model *model, const struct dse_dataset *data, int64_t **out)
{
    const struct dse_node_graph *graph = dse_dataset_nodes(data);
    bool own = data->hash == model->base.dataset_hash; /* also if a name is not text that the model's file can hold */
    int64_t *of = *out = dse_malloc((model->classes + 1) * sizeof *of);
    for (size_t k = 0; k < model->classes; k++) {
        of[k] = own ? (int64_t)k : -1;
        for (size_t c = 0; !own && c < graph->class_count; c++)
            if (strcmp(graph->class_name[c], model->class_name[k]) == 0)
                of[k] = (int64_t)c;
    }
}

enum dse_status gat_infer(const struct dse_model *base, const struct dse_dataset *data, const struct dse_run *run,
                          struct dse_inference *result, struct dse_error *err)
{
    const struct gat_model *model = gat_model_of(base);
    const struct dse_node_graph *graph = dse_dataset_nodes(data);
    DSE_CLEANUP(gat_scores_free) struct gat_scores scores = {0};
    DSE_CLEANUP(dse_free_at) int64_t *class_of = NULL;
    DSE_TRY(dse_inference_begin(base, data, run, DSE_ANSWER_CLASSES, result, err));
    double begin = dse_clock_s();
    DSE_TRY(gat_model_run(model, graph, model->setting.arithmetic, &scores, err));
    result->seconds = dse_clock_s() - begin;
    gat_model_classes(model, data, &class_of);
    for (size_t i = 0; i < result->count; i++) {
        size_t at = result->item[i] * model->classes;
        size_t k = scores.whole != NULL ? gat_largest_whole(scores.whole + at, model->classes)
                                        : largest_real(scores.real + at, model->classes);
        result->label[i] = graph->label[result->item[i]];
        result->predicted[i] = class_of[k];
    }
    return dse_inference_judge(result, err);
}
