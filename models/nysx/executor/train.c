/* Training: the stages in order; each fills in its part of the model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "executor/algebra.h"
#include "models/nysx/executor/direct.h"
#include "models/nysx/executor/landmarks.h"
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/nysx.h"
#include "models/nysx/executor/projection.h"
#include "models/nysx/executor/prototypes.h"
#include "models/nysx/executor/streams.h"
#include "models/nysx/executor/wl.h"

/* Shared by the stages. */
struct training {
    const struct dse_dataset *data;
    const struct dse_run *run;
    struct nysx_model *model;
    struct nysx_features features;
    int32_t *kernels;       /* [n_train × s] C of every training graph */
    uint64_t *hypervectors; /* [n_train × words] */
    struct nysx_listed *listed; /* [n_train], or NULL without a table of class weights */
};

/* Setting, classes, columns, features. */
static enum dse_status begin(struct training *t, struct dse_error *err)
{
    const struct dse_graph_set *set = dse_dataset_graphs(t->data);
    struct nysx_model *model = t->model;
    DSE_TRY(nysx_setting_parse(&model->base.words, &model->setting, err));
    model->class_values = dse_malloc((set->class_count + 1) * sizeof *model->class_values);
    memcpy(model->class_values, set->class_values, set->class_count * sizeof *model->class_values);
    DSE_TRY(nysx_columns_make(set, model->setting.features, &model->columns, err));
    return nysx_features_make(set, &model->columns, &t->features, err);
}

static enum dse_status choose_landmarks(struct training *t, struct dse_error *err)
{
    struct nysx_model *model = t->model;
    model->landmarks = dse_malloc(model->setting.landmarks * sizeof *model->landmarks);
    return nysx_choose_landmarks(&model->setting, &model->columns, &t->features, model->base.split.train,
                                 model->base.split.n_train, t->run, model->landmarks, err);
}

static struct nysx_lsh draw_lsh(const struct training *t)
{
    const struct nysx_model *model = t->model;
    struct nysx_lsh lsh = nysx_lsh_draw(&model->setting, model->columns.labels + model->columns.attributes, t->run->seed);
    if (lsh.wl)
        nysx_wl_scale(&t->features, model->base.split.train, model->base.split.n_train, &lsh);
    return lsh;
}

static enum dse_status build_encoder(struct training *t, struct dse_error *err)
{
    struct nysx_lsh lsh = draw_lsh(t);
    return nysx_encoder_build(&lsh, &t->features, t->model->landmarks, t->model->setting.landmarks, &t->model->encoder, err);
}

static enum dse_status compute_kernels(struct training *t, struct dse_error *err)
{
    struct nysx_model *model = t->model;
    t->kernels = dse_malloc(model->base.split.n_train * model->setting.landmarks * sizeof *t->kernels);
    return nysx_encoder_kernels(&model->encoder, &t->features, model->base.split.train, model->base.split.n_train, t->run,
                                t->kernels, err);
}

/* The landmarks' own rows of the training kernel; both lists are ascending. */
static int32_t *landmark_kernel(const struct training *t)
{
    const struct nysx_model *model = t->model;
    size_t s = model->setting.landmarks, row = 0;
    int32_t *kernel = dse_malloc(s * s * sizeof *kernel);
    for (size_t i = 0; i < s; i++) {
        while (model->base.split.train[row] != model->landmarks[i])
            row++;
        memcpy(kernel + i * s, t->kernels + row * s, s * sizeof *kernel);
    }
    return kernel;
}

static enum dse_status make_projection(struct training *t, struct dse_error *err)
{
    struct nysx_model *model = t->model;
    DSE_CLEANUP(dse_free_at) int32_t *kernel = landmark_kernel(t);
    DSE_CLEANUP(dse_free_at) double *phi_map = NULL;
    DSE_TRY(nysx_phi_map(kernel, model->setting.landmarks, model->setting.rank_tolerance, &phi_map, &model->rank, err));
    return nysx_projection_make(&model->setting, phi_map, model->rank, t->kernels, model->base.split.n_train, t->run, &model->nee, err);
}

struct encoding {
    const struct training *training;
    struct nysx_scratch *scratch;         /* [jobs], of the direct form */
    struct nysx_nee_scratch *nee_scratch; /* [jobs × NYSX_BATCH] */
};

static int compare_codes(const void *a, const void *b)
{
    uint32_t x = ((const struct nysx_counted *)a)->code, y = ((const struct nysx_counted *)b)->code;
    return (x > y) - (x < y);
}

/* A graph's codes for the table: sorted, with each place once. */
static struct nysx_listed list_of(const struct nysx_direct_scratch *direct, size_t places)
{
    struct nysx_listed out = {.item = dse_malloc((direct->count + 1) * sizeof *out.item)};
    if (direct->count > 0)
        memcpy(out.item, direct->item, direct->count * sizeof *out.item);
    qsort(out.item, direct->count, sizeof *out.item, compare_codes);
    for (size_t i = 0; i < direct->count; i++) {
        struct nysx_counted item = out.item[i];
        if (out.count > 0 && nysx_table_place(out.item[out.count - 1].code, places) == nysx_table_place(item.code, places))
            out.item[out.count - 1].count += item.count;
        else
            out.item[out.count++] = item;
    }
    return out;
}

static enum dse_status encode_some(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)err;
    const struct encoding *job = user;
    const struct nysx_model *model = job->training->model;
    const struct nysx_nee *nee = &model->nee;
    size_t first = index * NYSX_BATCH, left = model->base.split.n_train - first;
    size_t count = left < NYSX_BATCH ? left : NYSX_BATCH;
    uint64_t *hypervector = job->training->hypervectors + first * nee->words;
    struct nysx_nee_scratch *nee_scratch = job->nee_scratch + thread * NYSX_BATCH;
    if (nee->form != NYSX_DIRECT) {
        nysx_nee_encode_batch(nee, job->training->kernels + first * nee->landmarks, count, nee_scratch, hypervector);
        return DSE_OK;
    }
    for (size_t i = 0; i < count; i++) {
        struct nysx_query query = nysx_query_at(&job->training->features, (size_t)model->base.split.train[first + i]);
        nysx_encode_direct(model, &query, &job->scratch[thread], nee_scratch, hypervector + i * nee->words, NULL); /* no classes yet */
        if (job->training->listed != NULL)
            job->training->listed[first + i] = list_of(&job->scratch[thread].direct, model->setting.table);
    }
    return DSE_OK;
}

static enum dse_status encode_all(struct training *t, struct dse_error *err)
{
    const struct nysx_model *model = t->model;
    size_t n = model->base.split.n_train, jobs = t->run->jobs, places = jobs * NYSX_BATCH;
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    struct encoding job = {.training = t, .scratch = dse_arena_alloc(&arena, jobs, sizeof *job.scratch),
                           .nee_scratch = dse_arena_alloc(&arena, places, sizeof *job.nee_scratch)};
    t->hypervectors = dse_malloc((n * model->nee.words + 1) * sizeof *t->hypervectors);
    if (model->setting.table > 0)
        t->listed = dse_calloc(n + 1, sizeof *t->listed);
    for (size_t i = 0; i < jobs; i++)
        job.scratch[i] = nysx_scratch_make(&model->encoder, nysx_largest_graph(t->features.set), &arena);
    for (size_t i = 0; i < places; i++)
        job.nee_scratch[i] = nysx_nee_scratch_make(&model->nee, &arena);
    return dse_parallel_for((n + NYSX_BATCH - 1) / NYSX_BATCH, jobs, encode_some, &job, t->run->monitor, err);
}

static enum dse_status make_prototypes(struct training *t, struct dse_error *err)
{
    const struct nysx_setting *setting = &t->model->setting;
    const struct dse_graph_set *set = dse_dataset_graphs(t->data);
    size_t n = t->model->base.split.n_train;
    DSE_CLEANUP(dse_free_at) int32_t *label = dse_malloc((n + 1) * sizeof *label);
    for (size_t i = 0; i < n; i++)
        label[i] = set->graph_label[t->model->base.split.train[i]];
    struct nysx_examples examples = {t->hypervectors, label, n, t->model->nee.words, setting->dim, set->class_count,
                                     t->listed, setting->table};
    struct nysx_prototype_plan plan = {setting->prototypes, setting->balance, setting->retrain, setting->prototype_bits,
                                       setting->retrain_from_zero, setting->retrain_in_loop, t->run->seed};
    return nysx_prototypes_train(&examples, &plan, &t->model->prototypes, err);
}

static double train_quality(const struct training *t)
{
    const struct nysx_model *model = t->model;
    const struct dse_split *split = &model->base.split;
    DSE_CLEANUP(dse_free_at) int64_t *added = dse_calloc(model->prototypes.classes + 1, sizeof *added);
    size_t right = 0;
    for (size_t i = 0; i < split->n_train; i++) {
        if (t->listed != NULL)
            nysx_table_scores(&model->prototypes, t->listed[i].item, t->listed[i].count, added);
        right += nysx_classify(&model->prototypes, t->hypervectors + i * model->nee.words, added) ==
                 (size_t)dse_dataset_graphs(t->data)->graph_label[split->train[i]];
    }
    return (double)right / (double)split->n_train;
}

/* The direct form's LSH, and the thresholds of its sums. */
static enum dse_status make_direct(struct training *t, struct dse_error *err)
{
    struct nysx_model *model = t->model;
    struct nysx_lsh *lsh = &model->encoder.lsh;
    *lsh = draw_lsh(t);
    model->nee = (struct nysx_nee){.form = NYSX_DIRECT, .dim = model->setting.dim, .words = (model->setting.dim + 63) / 64,
                                   .generator = model->setting.generator, .phi_bits = model->setting.phi_bits};
    if (!nysx_direct_fits(lsh, nysx_largest_graph(t->features.set)))
        return dse_fail(err, DSE_LIMIT, "%s: the codes of its largest graph may overflow 32-bit sums", t->features.set->name);
    if (model->setting.center)
        DSE_TRY(nysx_direct_center(lsh, &t->features, model->base.split.train, model->base.split.n_train,
                                   model->setting.center_bits, &model->nee, err));
    nysx_direct_seal(&model->nee);
    return DSE_OK;
}

static enum dse_status run_stages(struct training *t, struct dse_error *err)
{
    typedef enum dse_status (*stage)(struct training *, struct dse_error *);
    static const stage nystrom[] = {choose_landmarks, build_encoder, compute_kernels, make_projection, encode_all,
                                    make_prototypes};
    static const stage direct[] = {make_direct, encode_all, make_prototypes};
    DSE_TRY(begin(t, err));
    bool is_direct = t->model->setting.form == NYSX_DIRECT;
    size_t count = is_direct ? sizeof direct / sizeof *direct : sizeof nystrom / sizeof *nystrom;
    for (size_t i = 0; i < count; i++) {
        dse_monitor_progress(t->run->monitor, "training", i + 1, count + 1);
        DSE_TRY((is_direct ? direct : nystrom)[i](t, err));
    }
    dse_monitor_progress(t->run->monitor, "training", count + 1, count + 1);
    return DSE_OK;
}

/* The rank of the landmark kernel. */
static enum dse_status find_rank(struct training *t, struct dse_error *err)
{
    size_t s = t->model->setting.landmarks;
    DSE_CLEANUP(dse_free_at) int32_t *kernel = dse_malloc(s * s * sizeof *kernel);
    DSE_CLEANUP(dse_free_at) double *phi_map = NULL;
    DSE_TRY(nysx_encoder_kernels(&t->model->encoder, &t->features, t->model->landmarks, s, t->run, kernel, err));
    return nysx_phi_map(kernel, s, t->model->setting.rank_tolerance, &phi_map, &t->model->rank, err);
}

enum dse_status nysx_train_encoder(const struct dse_dataset *data, const struct dse_setting *setting,
                                   const struct dse_run *run, struct nysx_model **model,
                                   struct nysx_features *features, struct dse_error *err)
{
    struct training t = {.data = data, .run = run};
    struct dse_model *base;
    *model = NULL;
    DSE_TRY(dse_model_begin(&nysx_executor, data, setting, run, &base, err));
    *model = t.model = (struct nysx_model *)base;
    enum dse_status status = begin(&t, err);
    *features = t.features;
    DSE_TRY(status);
    if (t.model->setting.form == NYSX_DIRECT) {
        t.model->encoder.lsh = draw_lsh(&t);
        return DSE_OK;
    }
    DSE_TRY(choose_landmarks(&t, err));
    DSE_TRY(build_encoder(&t, err));
    return find_rank(&t, err);
}

enum dse_status nysx_fit(struct dse_model *model, const struct dse_dataset *data, const struct dse_run *run,
                         struct dse_training *result, struct dse_error *err)
{
    struct training t = {.data = data, .run = run, .model = (struct nysx_model *)model};
    enum dse_status status = run_stages(&t, err);
    if (status == DSE_OK)
        result->train_quality = train_quality(&t);
    if (t.model->setting.form != NYSX_DIRECT || t.model->setting.prototypes == NYSX_RIDGE)
        snprintf(t.model->algebra, sizeof t.model->algebra, "%s", dse_algebra_kernel());
    nysx_features_free(&t.features);
    free(t.kernels);
    free(t.hypervectors);
    for (size_t i = 0; t.listed != NULL && i < t.model->base.split.n_train; i++)
        free(t.listed[i].item);
    free(t.listed);
    return status;
}
