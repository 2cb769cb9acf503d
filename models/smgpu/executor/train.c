/* The `train` verb: cuts of the heat, then the cache's entries. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "core/parallel.h"
#include "datasets/graphs.h"
#include "models/smgpu/executor/model.h"
#include "models/smgpu/executor/vectors.h"

/* The graphs of the training part in the engines' format, and the engines' results. */
struct training {
    struct smgpu_model *model;
    const struct dse_graph_set *set;
    const struct dse_split *split;
    size_t jobs;
    const struct dse_monitor *monitor;
    uint32_t *vector; /* [n_train × words] */
};

static void copy_values(const int64_t *values, size_t count, int64_t **out)
{
    *out = dse_malloc((count + 1) * sizeof **out);
    if (count > 0)
        memcpy(*out, values, count * sizeof **out);
}

/* The cuts are quantiles of the heat over all nodes of the training part. */
static enum dse_status make_cuts(const struct training *t, struct dse_error *err)
{
    struct smgpu_model *model = t->model;
    size_t nodes = 0, at = 0;
    model->cut_count = model->setting.levels - 1;
    model->cut = dse_calloc(model->cut_count + 1, sizeof *model->cut);
    for (size_t i = 0; i < t->split->n_train; i++)
        nodes += dse_graph_nodes(t->set, (size_t)t->split->train[i]);
    DSE_CLEANUP(dse_free_at) int32_t *heat = dse_malloc((nodes + 1) * sizeof *heat);
    for (size_t i = 0; model->setting.spectral && i < t->split->n_train; i++) {
        DSE_CLEANUP(smgpu_item_free) struct smgpu_item item = {0};
        if (dse_monitor_cancelled(t->monitor))
            return dse_fail_cancelled(err);
        DSE_TRY(smgpu_item_make(&model->setting, t->set, (size_t)t->split->train[i], NULL, &item, err));
        smgpu_item_heat(&model->setting, &item, heat + at);
        at += item.nodes;
    }
    qsort(heat, at, sizeof *heat, dse_by_int32);
    for (size_t c = 0; at > 0 && c < model->cut_count; c++)
        model->cut[c] = heat[(c + 1) * at / (model->cut_count + 1)];
    return DSE_OK;
}

static enum dse_status encode_one(void *user, size_t i, size_t thread, struct dse_error *err)
{
    DSE_CLEANUP(smgpu_item_free) struct smgpu_item item = {0};
    const struct training *t = user;
    const struct smgpu_model *model = t->model;
    (void)thread;
    DSE_TRY(smgpu_item_make(&model->setting, t->set, (size_t)t->split->train[i], NULL, &item, err));
    return smgpu_item_encode(&model->setting, &model->book, model->rows, model->cut, &item,
                                               t->vector + i * model->setting.words, NULL, err);
}

/* Chooses one training graph per entry: the first of each class, then the second of each, … */
static void choose_exemplars(const struct training *t)
{
    struct smgpu_model *model = t->model;
    size_t n = t->split->n_train, words = model->setting.words, wanted = n < model->setting.entries ? n : model->setting.entries;
    for (size_t round = 0; model->entry_count < wanted; round++)
        for (size_t class = 0, seen; class < model->class_count && model->entry_count < wanted; class++) {
            size_t i = 0;
            for (seen = 0; i < n; i++)
                if ((size_t)t->set->graph_label[t->split->train[i]] == class && seen++ == round)
                    break;
            if (i == n)
                continue;
            memcpy(model->entry + model->entry_count * words, t->vector + i * words, words * sizeof *model->entry);
            model->entry_class[model->entry_count++] = (int32_t)class;
        }
}

static int bit(const uint32_t *vector, size_t i)
{
    return (int)(vector[i / 32] >> i % 32 & 1);
}

/* Votes per bit of a class: 2 · (votes for 1) − all votes. A wrong answer adds the graph to its own class and subtracts it from the
 * other. */
static void vote(int32_t *votes, const uint32_t *vector, size_t dim, int32_t times)
{
    for (size_t i = 0; i < dim; i++)
        votes[i] += times * (2 * bit(vector, i) - 1);
}

static int64_t agreement(const int32_t *votes, const uint32_t *vector, size_t dim)
{
    int64_t sum = 0;
    for (size_t i = 0; i < dim; i++)
        sum += bit(vector, i) != 0 ? votes[i] : -votes[i];
    return sum;
}

static enum dse_status learn_prototypes(const struct training *t, struct dse_error *err)
{
    struct smgpu_model *model = t->model;
    size_t dim = model->setting.dim, classes = model->class_count, words = model->setting.words, n = t->split->n_train;
    int32_t *votes DSE_CLEANUP(dse_free_at) = dse_calloc(classes * dim + 1, sizeof *votes);
    for (size_t i = 0; i < n; i++)
        vote(votes + (size_t)t->set->graph_label[t->split->train[i]] * dim, t->vector + i * words, dim, 1);
    for (size_t epoch = 0; epoch < model->setting.epochs; epoch++) {
        size_t wrong = 0;
        for (size_t i = 0; i < n; i++) {
            size_t own = (size_t)t->set->graph_label[t->split->train[i]], best = 0;
            int64_t most = INT64_MIN;
            for (size_t c = 0; c < classes; c++) {
                int64_t now = agreement(votes + c * dim, t->vector + i * words, dim);
                best = now > most ? c : best;
                most = now > most ? now : most;
            }
            if (best == own)
                continue;
            vote(votes + own * dim, t->vector + i * words, dim, 1);
            vote(votes + best * dim, t->vector + i * words, dim, -1);
            wrong++;
        }
        if (wrong == 0 || dse_monitor_cancelled(t->monitor))
            break;
    }
    for (size_t c = 0; c < classes; c++, model->entry_count++) {
        for (size_t i = 0; i < dim; i++)
            model->entry[c * words + i / 32] |= (uint32_t)(votes[c * dim + i] > 0) << i % 32;
        model->entry_class[c] = (int32_t)c;
    }
    return dse_monitor_cancelled(t->monitor) ? dse_fail_cancelled(err) : DSE_OK;
}

static enum dse_status fill_cache(struct training *t, struct dse_error *err)
{
    struct smgpu_model *model = t->model;
    bool prototypes = model->setting.recall == SMGPU_BY_PROTOTYPES;
    size_t room = prototypes ? model->class_count : model->setting.entries;
    if (model->class_count > model->setting.entries)
        return dse_fail(err, DSE_BAD_USAGE, "cache.entries=%zu: must be at least the %zu classes of the data", model->setting.entries, model->class_count);
    model->entry = dse_calloc(room * model->setting.words + 1, sizeof *model->entry);
    model->entry_class = dse_calloc(room + 1, sizeof *model->entry_class);
    DSE_CLEANUP(dse_free_at) uint32_t *vector = t->vector = dse_malloc((t->split->n_train * model->setting.words + 1) * sizeof *vector);
    DSE_TRY(dse_parallel_for(t->split->n_train, t->jobs, encode_one, t, t->monitor, err));
    if (prototypes)
        return learn_prototypes(t, err);
    choose_exemplars(t);
    return DSE_OK;
}

enum dse_status smgpu_train(struct dse_model *base, const struct dse_dataset *data, const struct dse_run *run, struct dse_training *result,
                            struct dse_error *err)
{
    struct smgpu_model *model = (struct smgpu_model *)base;
    struct training t = {.model = model, .set = dse_dataset_graphs(data), .split = &base->split, .jobs = run->jobs, .monitor = run->monitor};
    DSE_TRY(smgpu_setting_parse(&base->words, &model->setting, err));
    model->class_count = t.set->class_count;
    model->label_count = t.set->node_label != NULL ? t.set->node_label_count : 0;
    copy_values(t.set->class_values, model->class_count, &model->class_value);
    copy_values(t.set->node_label_values, model->label_count, &model->label_value);
    smgpu_model_make_rows(model);
    DSE_TRY(make_cuts(&t, err));
    DSE_TRY(fill_cache(&t, err));
    smgpu_model_make_keys(model);
    return dse_figure_put(result->figures, &result->figure_count, "entries", (double)model->entry_count, err);
}
