#include "models/gat/executor/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define BETA_MEAN 0.9f
#define BETA_SQUARE 0.999f
#define EPSILON 1e-8f

/* Copies of the network's shape: the gradient, Adam's moments, and the best weights so far. */
enum copy { GRADIENT, MEAN, SQUARE, BEST, COPIES };

struct fitting {
    const struct gat_fit *fit;
    const struct dse_node_graph *graph;
    const struct dse_split *split;
    struct gat_network *network, copy[COPIES];
    struct gat_pass *pass;
    float *output_gradient; /* [nodes × classes] */
    size_t best_right;      /* validation nodes */
    double best_loss;
    size_t waited;
};

/* −log of the softmax at the node's own class. `gradient`, unless NULL, gets (softmax − one-hot) / `count`. */
static double node_loss(const float *score, size_t classes, int32_t label, float *gradient, size_t count)
{
    float most = score[0];
    double sum = 0.0;
    for (size_t k = 1; k < classes; k++)
        most = fmaxf(most, score[k]);
    for (size_t k = 0; k < classes; k++)
        sum += exp((double)(score[k] - most));
    for (size_t k = 0; gradient != NULL && k < classes; k++) {
        double share = exp((double)(score[k] - most)) / sum;
        gradient[k] = (float)((share - ((int32_t)k == label ? 1.0 : 0.0)) / (double)count);
    }
    return log(sum) - (double)(score[label] - most);
}

static void step(struct fitting *f, size_t epoch)
{
    const float mean_bias = 1.0f - powf(BETA_MEAN, (float)epoch), square_bias = 1.0f - powf(BETA_SQUARE, (float)epoch);
    for (size_t l = 0; l < GAT_LAYERS; l++) {
        struct gat_part weight[GAT_PARTS], gradient[GAT_PARTS], mean[GAT_PARTS], square[GAT_PARTS];
        gat_layer_parts(&f->network->layer[l], weight);
        gat_layer_parts(&f->copy[GRADIENT].layer[l], gradient);
        gat_layer_parts(&f->copy[MEAN].layer[l], mean);
        gat_layer_parts(&f->copy[SQUARE].layer[l], square);
        for (size_t p = 0; p < GAT_PARTS; p++)
            for (size_t i = 0; i < weight[p].count; i++) {
                float change = gradient[p].values[i] + f->fit->decay * weight[p].values[i];
                float *m = &mean[p].values[i], *s = &square[p].values[i];
                *m = BETA_MEAN * *m + (1.0f - BETA_MEAN) * change;
                *s = BETA_SQUARE * *s + (1.0f - BETA_SQUARE) * change * change;
                weight[p].values[i] -= f->fit->rate * (*m / mean_bias) / (sqrtf(*s / square_bias) + EPSILON);
            }
    }
}

static void learn(struct fitting *f, struct dse_rng *rng, size_t epoch)
{
    size_t classes = f->graph->class_count;
    const float *score = gat_pass_forward(f->pass, f->network, &f->fit->dropout, rng);
    memset(f->output_gradient, 0, f->graph->node_count * classes * sizeof *f->output_gradient);
    for (size_t i = 0; i < f->split->n_train; i++) {
        size_t v = (size_t)f->split->train[i];
        node_loss(score + v * classes, classes, f->graph->label[v], f->output_gradient + v * classes, f->split->n_train);
    }
    gat_pass_backward(f->pass, f->network, f->output_gradient, &f->copy[GRADIENT]);
    step(f, epoch);
}

static void copy_weights(const struct gat_network *from, struct gat_network *to)
{
    for (size_t l = 0; l < GAT_LAYERS; l++) {
        struct gat_part source[GAT_PARTS], target[GAT_PARTS];
        gat_layer_parts(&from->layer[l], source);
        gat_layer_parts(&to->layer[l], target);
        for (size_t p = 0; p < GAT_PARTS; p++)
            memcpy(target[p].values, source[p].values, source[p].count * sizeof(float));
    }
    to->hidden_largest = from->hidden_largest;
}

/* Keeps the weights if the quality on the validation part is the best so far. */
static void judge(struct fitting *f)
{
    static const struct gat_dropout none = {0.0f, 0.0f, 0.0f};
    size_t classes = f->graph->class_count, right = 0;
    double loss = 0.0;
    const float *score = gat_pass_forward(f->pass, f->network, &none, NULL);
    for (size_t i = 0; i < f->split->n_validation; i++) {
        size_t v = (size_t)f->split->validation[i], best = 0;
        for (size_t k = 1; k < classes; k++)
            if (score[v * classes + k] > score[v * classes + best])
                best = k;
        right += (int32_t)best == f->graph->label[v];
        loss += node_loss(score + v * classes, classes, f->graph->label[v], NULL, 1);
    }
    bool better = f->waited == SIZE_MAX || right > f->best_right || (right == f->best_right && loss < f->best_loss);
    f->waited = better ? 0 : f->waited + 1;
    if (!better)
        return;
    f->best_right = right;
    f->best_loss = loss;
    f->network->hidden_largest = gat_pass_hidden_largest(f->pass);
    copy_weights(f->network, &f->copy[BEST]);
}

static enum dse_status run(struct fitting *f, struct dse_rng *rng, size_t *epochs_run, struct dse_error *err)
{
    f->waited = SIZE_MAX; /* nothing judged yet */
    judge(f);
    for (*epochs_run = 0; *epochs_run < f->fit->epochs && f->waited < f->fit->patience;) {
        if (dse_monitor_cancelled(f->fit->monitor))
            return dse_fail_cancelled(err);
        learn(f, rng, ++*epochs_run);
        judge(f);
        dse_monitor_progress(f->fit->monitor, "training", *epochs_run, f->fit->epochs);
    }
    copy_weights(&f->copy[BEST], f->network);
    return DSE_OK;
}

enum dse_status gat_fit_run(const struct gat_fit *fit, const struct dse_node_graph *graph, const struct gat_subgraphs *subgraphs,
                            const struct dse_split *split, struct dse_rng *rng, struct gat_network *network, size_t *epochs_run,
                            struct dse_error *err)
{
    struct fitting f = {.fit = fit, .graph = graph, .split = split, .network = network};
    const struct gat_layer *first = &network->layer[0];
    gat_pass_make(network, graph, subgraphs, &f.pass);
    for (size_t c = 0; c < COPIES; c++)
        gat_network_make(first->inputs, first->heads, first->channels, graph->class_count, NULL, &f.copy[c]);
    f.output_gradient = dse_malloc(graph->node_count * graph->class_count * sizeof *f.output_gradient);
    enum dse_status status = run(&f, rng, epochs_run, err);
    for (size_t c = 0; c < COPIES; c++)
        gat_network_free(&f.copy[c]);
    gat_pass_free(f.pass);
    free(f.output_gradient);
    return status;
}
