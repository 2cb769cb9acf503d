/* Inference of a trained model over graphs: Algorithm 1, one graph at a time. */
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "models/nysx/executor/model.h"

struct infer_job {
    const struct nysx_model *model;
    const struct nysx_features *features;
    struct nysx_scratch *scratch; /* one per thread */
    size_t batch;                 /* graphs that share a pass over the projection */
    struct nysx_nee_scratch *nee_scratch; /* [jobs × batch], as the two below */
    int32_t *kernel;              /* each of `landmarks` */
    uint64_t *hypervector;        /* each of `words` */
    int64_t *added;               /* each of `classes`: scores added by codes */
    struct dse_inference *result;
    bool margins;                 /* keep the margins */
};

void nysx_encode_direct(const struct nysx_model *model, const struct nysx_query *query, struct nysx_scratch *scratch,
                        struct nysx_nee_scratch *nee_scratch, uint64_t *hypervector, int64_t *added)
{
    nysx_direct_codes(&model->encoder.lsh, query, &scratch->direct);
    nysx_table_scores(&model->prototypes, scratch->direct.item, scratch->direct.count, added);
    nysx_direct_encode(&model->nee, scratch->direct.item, scratch->direct.count, nee_scratch->block, hypervector);
}

size_t nysx_infer_query(const struct nysx_model *model, const struct nysx_query *query,
                        struct nysx_scratch *scratch, struct nysx_nee_scratch *nee_scratch,
                        uint64_t *hypervector, int64_t *added)
{
    memset(added, 0, model->prototypes.classes * sizeof *added);
    if (model->nee.form == NYSX_DIRECT) {
        nysx_encode_direct(model, query, scratch, nee_scratch, hypervector, added);
    } else {
        nysx_encoder_kernel(&model->encoder, query, scratch, scratch->kernel, NULL);
        nysx_nee_encode(&model->nee, scratch->kernel, nee_scratch, hypervector);
    }
    return nysx_classify(&model->prototypes, hypervector, added);
}

/* Keeps the hypervector as −1 and +1, and the classes' scores, if requested. */
static void keep_hypervector(const struct nysx_model *model, struct dse_inference *result, size_t index, const uint64_t *bits, const int64_t *added)
{
    if (result->hypervector == NULL)
        return;
    int8_t *out = result->hypervector + index * result->dim;
    for (size_t i = 0; i < result->dim; i++)
        out[i] = (bits[i / 64] >> (i % 64) & 1) != 0 ? 1 : -1;
    for (size_t c = 0; c < result->classes; c++)
        result->score[index * result->classes + c] = nysx_score(&model->prototypes, c, bits, added);
}

/* The score of the class with the larger value minus the score of the other. */
static double margin(const struct nysx_model *model, const uint64_t *hypervector, const int64_t *added)
{
    double ahead = nysx_score(&model->prototypes, 1, hypervector, added) - nysx_score(&model->prototypes, 0, hypervector, added);
    return model->class_values[1] > model->class_values[0] ? ahead : -ahead;
}

static void make_hypervectors(const struct nysx_model *model, struct dse_inference *result)
{
    result->dim = model->prototypes.dim;
    result->classes = model->prototypes.classes;
    result->hypervector = dse_calloc(result->count + 1, result->dim);
    result->score = dse_calloc(result->count + 1, result->classes * sizeof *result->score);
}

/* Infers batch `index`; the last may be shorter. */
static enum dse_status infer_batch(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)err;
    struct infer_job *job = user;
    const struct nysx_model *model = job->model;
    const struct nysx_nee *nee = &model->nee;
    size_t first = index * job->batch, place = thread * job->batch;
    size_t count = job->result->count - first < job->batch ? job->result->count - first : job->batch;
    int32_t *kernel = job->kernel + place * nee->landmarks;
    uint64_t *hypervector = job->hypervector + place * nee->words;
    size_t classes = model->prototypes.classes;
    int64_t *added = job->added + place * classes;
    for (size_t i = 0; i < count; i++) {
        struct nysx_query query = nysx_query_at(job->features, job->result->item[first + i]);
        if (nee->form == NYSX_DIRECT)
            nysx_encode_direct(model, &query, &job->scratch[thread], job->nee_scratch + place, hypervector + i * nee->words,
                               added + i * classes);
        else
            nysx_encoder_kernel(&model->encoder, &query, &job->scratch[thread], kernel + i * nee->landmarks, NULL);
    }
    if (nee->form != NYSX_DIRECT)
        nysx_nee_encode_batch(nee, kernel, count, job->nee_scratch + place, hypervector);
    for (size_t i = 0; i < count; i++) {
        job->result->predicted[first + i] =
            model->class_values[nysx_classify(&model->prototypes, hypervector + i * nee->words, added + i * classes)];
        keep_hypervector(model, job->result, first + i, hypervector + i * nee->words, added + i * classes);
        if (job->margins)
            job->result->margin[first + i] = margin(model, hypervector + i * nee->words, added + i * classes);
    }
    return DSE_OK;
}

/* A set must have the model's classes, otherwise its accuracy has no meaning. */
static enum dse_status check_classes(const struct nysx_model *model, const struct dse_dataset *data,
                                     struct dse_error *err)
{
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    for (size_t c = 0; c < set->class_count; c++) {
        bool known = false;
        for (size_t m = 0; m < model->prototypes.classes; m++)
            known |= model->class_values[m] == set->class_values[c];
        if (!known)
            return dse_fail(err, DSE_BAD_USAGE, "%s has the class %lld, which the model, trained on %s, does not know",
                            data->name, (long long)set->class_values[c], model->base.dataset);
    }
    return DSE_OK;
}

enum dse_status nysx_infer_items(const struct nysx_model *model, const struct dse_dataset *data, const struct dse_run *run,
                                 struct dse_inference *result, struct dse_error *err)
{
    const struct dse_graph_set *set = dse_dataset_graphs(data);
    DSE_TRY(dse_inference_begin(&model->base, data, run, DSE_ANSWER_CLASSES, result, err));
    size_t nodes = nysx_largest_graph(set);
    if (!nysx_encoder_fits(&model->encoder, nodes))
        return dse_fail(err, DSE_LIMIT, "%s: graphs of up to %zu nodes may overflow the 32-bit kernel vector", set->name,
                        nodes);
    DSE_TRY(check_classes(model, data, err));
    if (run->layout != NULL)
        result->count = nysx_fitting(set, run->layout, result->item, result->count, run->cases);
    for (size_t i = 0; i < result->count; i++)
        result->label[i] = set->class_values[set->graph_label[result->item[i]]];
    return DSE_OK;
}

static enum dse_status run_all(struct infer_job *job, const struct dse_run *run, struct dse_error *err)
{
    const struct nysx_model *model = job->model;
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    size_t count = job->result->count, most = count > 0 ? count : 1; /* at most as many places as graphs */
    job->batch = run->batch > 0 ? run->batch : NYSX_BATCH;
    job->batch = job->batch > most ? most : job->batch;
    size_t places = run->jobs * job->batch;
    job->scratch = dse_arena_alloc(&arena, run->jobs, sizeof *job->scratch);
    job->nee_scratch = dse_arena_alloc(&arena, places, sizeof *job->nee_scratch);
    job->kernel = dse_arena_alloc(&arena, places, model->nee.landmarks * sizeof *job->kernel);
    job->hypervector = dse_arena_alloc(&arena, places, model->nee.words * sizeof *job->hypervector);
    job->added = dse_arena_alloc(&arena, places, model->prototypes.classes * sizeof *job->added); /* zeros if codes add no scores */
    for (size_t i = 0; i < run->jobs; i++)
        job->scratch[i] = nysx_scratch_make(&model->encoder, nysx_largest_graph(job->features->set), &arena);
    for (size_t i = 0; i < places; i++)
        job->nee_scratch[i] = nysx_nee_scratch_make(&model->nee, &arena);
    double begin = dse_clock_s();
    enum dse_status status = dse_parallel_for((count + job->batch - 1) / job->batch, run->jobs, infer_batch, job, run->monitor, err);
    job->result->seconds = dse_clock_s() - begin;
    return status;
}

enum dse_status nysx_infer(const struct dse_model *base, const struct dse_dataset *data, const struct dse_run *run,
                           struct dse_inference *result, struct dse_error *err)
{
    const struct nysx_model *model = nysx_model_of(base);
    DSE_CLEANUP(nysx_features_free) struct nysx_features features = {0};
    struct infer_job job = {.model = model, .features = &features, .result = result};
    DSE_TRY(nysx_infer_items(model, data, run, result, err));
    DSE_TRY(nysx_features_make(dse_dataset_graphs(data), &model->columns, &features, err));
    if (run->hypervectors)
        make_hypervectors(model, result);
    DSE_TRY(run_all(&job, run, err));
    if (run->margins && model->prototypes.classes == 2) {
        double seconds = result->seconds;
        result->margin = dse_malloc((result->count + 1) * sizeof *result->margin);
        job.margins = true;
        DSE_TRY(run_all(&job, run, err));
        result->seconds = seconds;
    }
    return dse_inference_judge(result, err);
}
