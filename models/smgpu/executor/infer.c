/* The `infer` verb, and the workload of graphs. */
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/percentile.h"
#include "datasets/graphs.h"
#include "models/smgpu/executor/model.h"
#include "models/smgpu/executor/vectors.h"

enum dse_status smgpu_model_labels(const struct smgpu_model *model, const struct dse_graph_set *set, int32_t **out, struct dse_error *err)
{
    *out = NULL;
    if ((set->node_label != NULL) != (model->label_count > 0))
        return dse_fail(err, DSE_BAD_USAGE, "%s: has %s node labels, but the model's data had %s", set->name,
                        set->node_label != NULL ? "" : "no", model->label_count > 0 ? "some" : "none");
    if (set->node_label == NULL)
        return DSE_OK;
    *out = dse_malloc((set->node_label_count + 1) * sizeof **out);
    for (size_t l = 0; l < set->node_label_count; l++) {
        (*out)[l] = -1;
        for (size_t k = 0; k < model->label_count; k++)
            if (model->label_value[k] == set->node_label_values[l])
                (*out)[l] = (int32_t)k;
    }
    return DSE_OK;
}

struct inferring {
    const struct smgpu_model *model;
    const struct dse_graph_set *set;
    const int32_t *label_of;
    const uint32_t *projection; /* [reduced × words] */
    struct dse_inference *out;
};

static enum dse_status infer_one(void *user, size_t i, size_t thread, struct dse_error *err)
{
    const struct inferring *n = user;
    const struct smgpu_setting *s = &n->model->setting;
    DSE_CLEANUP(smgpu_item_free) struct smgpu_item item = {0};
    int32_t score;
    (void)thread;
    DSE_TRY(smgpu_item_make(s, n->set, n->out->item[i], n->label_of, &item, err));
    DSE_CLEANUP(dse_free_at) uint32_t *vector = dse_malloc((s->words + smgpu_words(s->reduced) + 1) * sizeof *vector);
    DSE_TRY(smgpu_item_encode(s, &n->model->book, n->model->rows, n->model->cut, &item, vector, NULL, err));
    smgpu_project(vector, 1, s->dim, n->projection, s->reduced, vector + s->words);
    int32_t entry = smgpu_recall(n->model->keys, n->model->entry_count, vector + s->words, s->reduced, 0, &score);
    n->out->label[i] = n->set->class_values[n->set->graph_label[n->out->item[i]]];
    n->out->predicted[i] = n->model->class_value[n->model->entry_class[entry]];
    if (n->out->hypervector != NULL)
        for (size_t k = 0; k < s->dim; k++)
            n->out->hypervector[i * s->dim + k] = (vector[k / 32] >> k % 32 & 1) != 0 ? 1 : -1;
    return DSE_OK;
}

enum dse_status smgpu_infer(const struct dse_model *base, const struct dse_dataset *data, const struct dse_run *run,
                            struct dse_inference *result, struct dse_error *err)
{
    const struct smgpu_model *model = smgpu_model_of(base);
    const struct smgpu_setting *s = &model->setting;
    DSE_CLEANUP(dse_free_at) int32_t *label_of = NULL;
    DSE_CLEANUP(dse_free_at) uint32_t *projection = dse_malloc((s->reduced * s->words + 1) * sizeof *projection);
    uint32_t state = SMGPU_LFSR_SEED;
    DSE_TRY(dse_inference_begin(base, data, run, DSE_ANSWER_CLASSES, result, err));
    DSE_TRY(smgpu_model_labels(model, dse_dataset_graphs(data), &label_of, err));
    if (run->hypervectors) {
        result->dim = s->dim;
        result->hypervector = dse_malloc(result->count * s->dim + 1);
    }
    struct inferring n = {model, dse_dataset_graphs(data), label_of, projection, result};
    smgpu_generate(&state, s->dim, s->reduced, projection);
    double begin = dse_clock_s();
    enum dse_status status = dse_parallel_for(result->count, run->jobs, infer_one, &n, run->monitor, err);
    result->seconds = dse_clock_s() - begin;
    return status == DSE_OK ? dse_inference_judge(result, err) : status;
}

/* ---- the workload ---- */

#define FIELDS (sizeof(struct smgpu_counts) / sizeof(uint64_t))
static const char *const fields[FIELDS] = {"nodes", "arcs", "edges", "tokens", "finds", "tries", "matches"};

struct profiling {
    const struct smgpu_setting *setting;
    const struct dse_graph_set *set;
    const struct dse_split *split;
    struct smgpu_book book;
    uint32_t *rows;
    const int32_t *cut;
    uint64_t *count; /* [graphs × FIELDS] */
};

/* No count depends on the values in the book or on the cuts. */
static enum dse_status profile_one(void *user, size_t i, size_t thread, struct dse_error *err)
{
    const struct profiling *p = user;
    DSE_CLEANUP(smgpu_item_free) struct smgpu_item item = {0};
    struct smgpu_counts counts;
    (void)thread;
    DSE_TRY(smgpu_item_make(p->setting, p->set, (size_t)p->split->train[i], NULL, &item, err));
    DSE_CLEANUP(dse_free_at) uint32_t *vector = dse_malloc((p->setting->words + 1) * sizeof *vector);
    DSE_TRY(smgpu_item_encode(p->setting, &p->book, p->rows, p->cut, &item, vector, &counts, err));
    memcpy(p->count + i * FIELDS, &counts, sizeof counts);
    return DSE_OK;
}

/* Mean and 99th percentile of each count over the graphs; and the entries that can fill the cache: classes, graphs. */
static enum dse_status put_counts(const struct profiling *p, size_t graphs, struct dse_workload *out, struct dse_error *err)
{
    double pair[FIELDS][2] = {{0}}, *column = dse_malloc((graphs + 1) * sizeof *column);
    const double taught[2][2] = {{(double)p->set->class_count, (double)p->set->class_count}, {(double)graphs, (double)graphs}};
    struct dse_series_value series[FIELDS + 2] = {[FIELDS] = {"classes", 1, 2, taught[0]}, {"taught", 1, 2, taught[1]}};
    for (size_t f = 0; f < FIELDS; f++) {
        for (size_t i = 0; i < graphs; i++) {
            column[i] = (double)p->count[i * FIELDS + f];
            pair[f][0] += column[i] / (double)graphs;
        }
        pair[f][1] = dse_percentile(column, graphs, 99);
        series[f] = (struct dse_series_value){fields[f], 1, 2, pair[f]};
    }
    free(column);
    return dse_workload_put(out, series, FIELDS + 2, err);
}

enum dse_status smgpu_profile(const struct dse_dataset *data, const struct dse_setting *setting, const struct dse_run *run,
                              struct dse_workload *out, struct dse_error *err)
{
    struct smgpu_setting parsed;
    DSE_CLEANUP(dse_split_free) struct dse_split split = {0};
    int32_t cut[SMGPU_LEVELS_MAX] = {0};
    DSE_TRY(dse_executor_takes(&smgpu_executor, data, err));
    DSE_TRY(smgpu_setting_parse(setting, &parsed, err));
    DSE_TRY(dse_executor_split(&smgpu_executor, data, run, &split, err));
    struct profiling p = {.setting = &parsed, .set = dse_dataset_graphs(data), .split = &split, .cut = cut};
    parsed.dim = parsed.words = 1; /* no count depends on the bits */
    p.book = (struct smgpu_book){p.set->node_label != NULL ? p.set->node_label_count : SMGPU_DEGREES, parsed.levels};
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    p.rows = dse_arena_alloc(&arena, smgpu_book_rows(&p.book) + 1, sizeof *p.rows);
    p.count = dse_arena_alloc(&arena, split.n_train * FIELDS + 1, sizeof *p.count);
    DSE_TRY(dse_parallel_for(split.n_train, run->jobs, profile_one, &p, run->monitor, err));
    dse_knobs_work_key(&smgpu_knobs, setting, &out->setting);
    return put_counts(&p, split.n_train, out, err);
}
