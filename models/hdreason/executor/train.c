/* The `train` verb: fits a network of the setting to the queries of train.txt, and rounds it to the model file's elements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "models/hdreason/executor/fixed.h"
#include "models/hdreason/executor/net.h"
#include "models/hdreason/executor/rank.h"

#define TRAINING_SAMPLE 1000 /* triples of train.txt that measure quality on the training part */

/* Runs an epoch; `loss` gets the mean loss per query. */
static enum dse_status run_epoch(struct hdr_net *net, const int32_t *order, size_t count, size_t epoch, double *mean, struct dse_error *err)
{
    const size_t batch = net->setting->batch;
    double sum = 0.0;
    for (size_t at = 0; at < count; at += batch) {
        double loss = 0.0;
        DSE_TRY(hdr_net_step(net, order + at, count - at < batch ? count - at : batch, true, &loss, err));
        sum += loss;
        dse_monitor_progress(net->monitor, "training queries", epoch * count + at, net->setting->epochs * count);
        if (!isfinite(loss))
            return dse_fail(err, DSE_BAD_USAGE, "training exceeded single precision in epoch %zu: a smaller rate, init or scale may help",
                            epoch + 1);
    }
    *mean = sum / (double)count;
    return DSE_OK;
}

static enum dse_status learn(struct hdr_net *net, uint64_t seed, double *loss, struct dse_error *err)
{
    const size_t count = net->graph->queries.count, batch = net->setting->batch;
    struct dse_rng rng;
    DSE_CLEANUP(dse_free_at) int32_t *order = dse_malloc((count + 1) * sizeof *order);
    for (size_t i = 0; i < count; i++)
        order[i] = (int32_t)i;
    dse_rng_seed(&rng, seed, HDR_STREAM_ORDER);
    for (size_t e = 0; e < net->setting->epochs; e++) {
        dse_rng_shuffle(&rng, order, count);
        DSE_TRY(run_epoch(net, order, count, e, loss, err));
    }
    size_t first = batch < count ? batch : count;
    if (net->setting->epochs == 0) {
        dse_rng_shuffle(&rng, order, count);
        DSE_TRY(hdr_net_step(net, order, first, false, loss, err));
        *loss /= (double)first;
    }
    return DSE_OK;
}

/* ---- the model's arrays ---- */

static float *copy_rows(const float *rows, size_t count, size_t stride, size_t length)
{
    float *out = dse_malloc((count * length + 1) * sizeof *out);
    for (size_t r = 0; r < count; r++)
        memcpy(out + r * length, rows + r * stride, length * sizeof *out);
    return out;
}

/* M in the file's elements, computed in the accelerator's whole numbers. */
static void keep_memory(struct hdr_model *model, const struct hdr_net *net)
{
    const struct hdr_setting *s = &model->setting;
    const size_t count = model->entities * s->dim, rows = model->entities + model->relation_rows;
    const struct hdr_embeddings from = {model->base_rows, model->entity, model->relation, model->entities, model->relation_rows};
    DSE_CLEANUP(hdr_fixed_free) struct hdr_fixed fixed = {0};
    DSE_CLEANUP(dse_free_at) int32_t *memory = dse_malloc((count + 1) * sizeof *memory);
    DSE_CLEANUP(dse_free_at) int32_t *hyper = dse_malloc((rows * s->dim + 1) * sizeof *hyper);
    model->memory_step = 0.0f;
    hdr_fixed_make(s, &from, &fixed);
    hdr_fixed_memory(&fixed, s, net->graph, &from, net->jobs, hyper, memory, &model->memory_step);
    model->memory = dse_malloc(count * (s->precision == HDR_FIX16 ? sizeof(int16_t) : 1) + 1);
    for (size_t i = 0; i < count; i++)
        if (s->precision == HDR_FIX16)
            ((int16_t *)model->memory)[i] = (int16_t)memory[i];
        else
            ((int8_t *)model->memory)[i] = (int8_t)memory[i];
}

static enum dse_status keep(struct hdr_model *model, struct hdr_net *net, const struct dse_triple_set *set, struct dse_error *err)
{
    const struct hdr_setting *s = &model->setting;
    model->base_rows = copy_rows(net->base, s->embedding, net->stride, s->dim);
    model->entity = copy_rows(net->embedding, model->entities, net->width, s->embedding);
    model->relation = copy_rows(net->embedding + model->entities * net->width, model->relation_rows, net->width, s->embedding);
    model->memory_step = 1.0f;
    for (size_t i = 0; i < (model->entities + model->relation_rows) * s->embedding; i++)
        if (!isfinite(i < model->entities * s->embedding ? model->entity[i] : model->relation[i - model->entities * s->embedding]))
            return dse_fail(err, DSE_BAD_USAGE, "training exceeded single precision: a smaller rate, init or scale may help");
    if (s->precision == HDR_FP32) {
        DSE_TRY(hdr_net_encode(net, err));
        DSE_TRY(hdr_net_memorise(net, err));
        model->memory = copy_rows(net->memory, model->entities, net->stride, s->dim);
    } else {
        keep_memory(model, net);
    }
    DSE_TRY(hdr_names_make(&set->entity, &model->entity_name, &model->entity_letters, err));
    return hdr_names_make(&set->relation, &model->relation_name, &model->relation_letters, err);
}

/* The mean reciprocal rank of evenly spaced triples of train.txt. */
static enum dse_status measure_training(const struct hdr_model *model, const struct dse_dataset *data, const struct dse_run *run,
                                        double *quality, struct dse_error *err)
{
    size_t count = model->base.split.n_train < TRAINING_SAMPLE ? model->base.split.n_train : TRAINING_SAMPLE, ways = hdr_both_ways(model) ? 2 : 1;
    size_t item[TRAINING_SAMPLE];
    double rank[2 * TRAINING_SAMPLE];
    for (size_t i = 0; i < count; i++)
        item[i] = i * model->base.split.n_train / count;
    DSE_TRY(hdr_rank(model, dse_dataset_triples(data), item, count, run, rank, err));
    *quality = 0.0;
    for (size_t i = 0; i < count * ways; i++)
        *quality += 1.0 / rank[i] / (double)(count * ways);
    return DSE_OK;
}

static enum dse_status fit(struct hdr_model *model, const struct dse_dataset *data, const struct dse_run *run, struct dse_training *result,
                           struct dse_error *err)
{
    DSE_CLEANUP(hdr_graph_free) struct hdr_graph graph = {0};
    DSE_CLEANUP(hdr_net_free) struct hdr_net net = {0};
    double entities = 0.0, relations = 0.0;
    hdr_model_graph(model, dse_dataset_triples(data), &graph);
    hdr_net_make(&graph, &model->setting, run, true, &net);
    hdr_net_start(&net, model->base.seed);
    DSE_TRY(learn(&net, model->base.seed, &model->loss, err));
    DSE_TRY(keep(model, &net, dse_dataset_triples(data), err));
    if (net.cosine == NULL || net.steps == 0)
        return DSE_OK;
    hdr_net_cosines(&net, &entities, &relations);
    DSE_TRY(dse_figure_put(result->figures, &result->figure_count, "cosine_entities", entities, err));
    return dse_figure_put(result->figures, &result->figure_count, "cosine_relations", relations, err);
}

enum dse_status hdreason_train(struct dse_model *base, const struct dse_dataset *data, const struct dse_run *run,
                               struct dse_training *result, struct dse_error *err)
{
    struct hdr_model *model = (struct hdr_model *)base;
    const struct dse_triple_set *set = dse_dataset_triples(data);
    DSE_TRY(hdr_setting_parse(&base->words, &model->setting, err));
    model->entities = set->entity.count;
    model->relations = set->relation.count;
    model->relation_rows = set->relation.count * (hdr_both_ways(model) ? 2 : 1);
    model->margin = (float)model->setting.margin;
    DSE_TRY(fit(model, data, run, result, err));
    return measure_training(model, data, run, &result->train_quality, err);
}
