/* Training: the stages in their order, each filling in its part of the model. */
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/parallel.h"
#include "executor/nysx/landmarks.h"
#include "executor/nysx/model.h"
#include "executor/nysx/nysx.h"
#include "executor/nysx/projection.h"
#include "executor/nysx/prototypes.h"
#include "executor/nysx/streams.h"

/* What the stages share. */
struct training {
    const struct dse_dataset *data;
    const struct dse_run *run;
    struct nysx_model *model;
    struct nysx_features features;
    int32_t *kernels;       /* [n_train × s] C of every training graph */
    uint64_t *hypervectors; /* [n_train × words] */
};

/* Setting, classes, columns, features. */
static enum dse_status begin(struct training *t, struct dse_error *err)
{
    const struct dse_graph_set *set = dse_dataset_graphs(t->data);
    struct nysx_model *model = t->model;
    DSE_TRY(nysx_setting_parse(&model->base.words, &model->setting, err));
    model->class_values = malloc((set->class_count + 1) * sizeof *model->class_values);
    if (model->class_values == NULL)
        return dse_fail_memory(err);
    memcpy(model->class_values, set->class_values, set->class_count * sizeof *model->class_values);
    DSE_TRY(nysx_columns_make(set, model->setting.features, &model->columns, err));
    return nysx_features_make(set, &model->columns, &t->features, err);
}

static enum dse_status choose_landmarks(struct training *t, struct dse_error *err)
{
    struct nysx_model *model = t->model;
    model->landmarks = malloc(model->setting.landmarks * sizeof *model->landmarks);
    if (model->landmarks == NULL)
        return dse_fail_memory(err);
    return nysx_choose_landmarks(&model->setting, &model->columns, &t->features, model->base.split.train,
                                 model->base.split.n_train, t->run, model->landmarks, err);
}

static enum dse_status build_encoder(struct training *t, struct dse_error *err)
{
    struct nysx_model *model = t->model;
    struct nysx_lsh lsh;
    size_t columns = model->columns.labels + model->columns.attributes;
    enum dse_status status = nysx_lsh_draw(&model->setting, columns, t->run->seed, &lsh, err);
    return status != DSE_OK ? status
                            : nysx_encoder_build(&lsh, &t->features, model->landmarks,
                                                 model->setting.landmarks, &model->encoder, err);
}

static enum dse_status compute_kernels(struct training *t, struct dse_error *err)
{
    struct nysx_model *model = t->model;
    t->kernels = malloc(model->base.split.n_train * model->setting.landmarks * sizeof *t->kernels);
    if (t->kernels == NULL)
        return dse_fail_memory(err);
    return nysx_encoder_kernels(&model->encoder, &t->features, model->base.split.train, model->base.split.n_train, t->run,
                                t->kernels, err);
}

/* The landmarks' own rows of the training kernel: both lists ascend. */
static enum dse_status landmark_kernel(const struct training *t, int32_t **out, struct dse_error *err)
{
    const struct nysx_model *model = t->model;
    size_t s = model->setting.landmarks, row = 0;
    int32_t *kernel = malloc(s * s * sizeof *kernel);
    if (kernel == NULL)
        return dse_fail_memory(err);
    for (size_t i = 0; i < s; i++) {
        while (model->base.split.train[row] != model->landmarks[i])
            row++;
        memcpy(kernel + i * s, t->kernels + row * s, s * sizeof *kernel);
    }
    *out = kernel;
    return DSE_OK;
}

static enum dse_status make_projection(struct training *t, struct dse_error *err)
{
    struct nysx_model *model = t->model;
    int32_t *kernel = NULL;
    double *phi_map = NULL;
    size_t s = model->setting.landmarks;
    enum dse_status status = landmark_kernel(t, &kernel, err);
    if (status == DSE_OK)
        status = nysx_phi_map(kernel, s, &phi_map, &model->rank, err);
    if (status == DSE_OK)
        status = nysx_projection_make(&model->setting, phi_map, model->rank, t->kernels, model->base.split.n_train,
                                      t->run, &model->nee, err);
    free(kernel);
    free(phi_map);
    return status;
}

struct encoding {
    const struct training *training;
    struct nysx_nee_scratch *scratch; /* one a thread */
};

static enum dse_status encode_one(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)err;
    const struct encoding *job = user;
    const struct nysx_nee *nee = &job->training->model->nee;
    nysx_nee_encode(nee, job->training->kernels + index * nee->landmarks, &job->scratch[thread],
                    job->training->hypervectors + index * nee->words);
    return DSE_OK;
}

static enum dse_status encode_all(struct training *t, struct dse_error *err)
{
    const struct nysx_model *model = t->model;
    size_t n = model->base.split.n_train;
    struct encoding job = {t, calloc(t->run->jobs, sizeof *job.scratch)};
    t->hypervectors = malloc((n * model->nee.words + 1) * sizeof *t->hypervectors);
    enum dse_status status = job.scratch == NULL || t->hypervectors == NULL ? dse_fail_memory(err) : DSE_OK;
    for (size_t i = 0; status == DSE_OK && i < t->run->jobs; i++)
        status = nysx_nee_scratch_alloc(&model->nee, &job.scratch[i], err);
    if (status == DSE_OK)
        status = dse_parallel_for(n, t->run->jobs, encode_one, &job, t->run->monitor, err);
    for (size_t i = 0; job.scratch != NULL && i < t->run->jobs; i++)
        nysx_nee_scratch_free(&job.scratch[i]);
    free(job.scratch);
    return status;
}

static enum dse_status make_prototypes(struct training *t, struct dse_error *err)
{
    struct nysx_model *model = t->model;
    const struct dse_graph_set *set = dse_dataset_graphs(t->data);
    size_t n = model->base.split.n_train, words = model->nee.words;
    int32_t *label = malloc((n + 1) * sizeof *label);
    enum dse_status status = label == NULL ? dse_fail_memory(err) : DSE_OK;
    if (status == DSE_OK) {
        for (size_t i = 0; i < n; i++)
            label[i] = set->graph_label[model->base.split.train[i]];
        struct nysx_examples examples = {t->hypervectors, label, n, words, model->setting.dim,
                                         set->class_count};
        struct nysx_prototype_plan plan = {model->setting.retrain, model->setting.prototype_bits,
                                           model->setting.retrain_in_loop, t->run->seed};
        status = nysx_prototypes_train(&examples, &plan, &model->prototypes, err);
    }
    free(label);
    return status;
}

static double train_quality(const struct training *t)
{
    const struct nysx_model *model = t->model;
    const struct dse_split *split = &model->base.split;
    size_t right = 0;
    for (size_t i = 0; i < split->n_train; i++)
        right += nysx_classify(&model->prototypes, t->hypervectors + i * model->nee.words) ==
                 (size_t)dse_dataset_graphs(t->data)->graph_label[split->train[i]];
    return (double)right / (double)split->n_train;
}

static enum dse_status run_stages(struct training *t, struct dse_error *err)
{
    enum dse_status (*const stages[])(struct training *, struct dse_error *) = {
        compute_kernels, make_projection, encode_all, make_prototypes};
    enum { STAGES = sizeof stages / sizeof *stages };
    DSE_TRY(begin(t, err));
    DSE_TRY(choose_landmarks(t, err));
    DSE_TRY(build_encoder(t, err));
    for (size_t i = 0; i < STAGES; i++) {
        dse_monitor_progress(t->run->monitor, "training", i + 1, STAGES + 1);
        DSE_TRY(stages[i](t, err));
    }
    dse_monitor_progress(t->run->monitor, "training", STAGES + 1, STAGES + 1);
    return DSE_OK;
}

/* The rank of the landmark kernel. */
static enum dse_status find_rank(struct training *t, struct dse_error *err)
{
    size_t s = t->model->setting.landmarks;
    int32_t *kernel = malloc(s * s * sizeof *kernel);
    double *phi_map = NULL;
    if (kernel == NULL)
        return dse_fail_memory(err);
    enum dse_status status =
        nysx_encoder_kernels(&t->model->encoder, &t->features, t->model->landmarks, s, t->run, kernel, err);
    if (status == DSE_OK)
        status = nysx_phi_map(kernel, s, &phi_map, &t->model->rank, err);
    free(kernel);
    free(phi_map);
    return status;
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
    nysx_features_free(&t.features);
    free(t.kernels);
    free(t.hypervectors);
    return status;
}
