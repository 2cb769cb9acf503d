/* Inference of a trained model over rows of a table. */
#include <stdlib.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "models/hydraf/executor/model.h"

#define ROWS_A_TASK 64 /* if the caller sets no number */

struct inferring {
    const struct hydraf_model *model;
    const struct dse_data_table *table;
    size_t *columns, target;
    struct hydraf_scratch *scratch; /* one per thread */
    size_t batch;                   /* rows per task */
    struct dse_inference *result;
};

static enum dse_status infer_some(void *user, size_t index, size_t thread, struct dse_error *err)
{
    (void)err;
    struct inferring *job = user;
    const struct hydraf_regressor *regressor = &job->model->regressor;
    struct hydraf_scratch *scratch = &job->scratch[thread];
    size_t first = index * job->batch, last = first + job->batch;
    last = last < job->result->count ? last : job->result->count;
    for (size_t i = first; i < last; i++)
        hydraf_encode_row(regressor, job->table->values + job->result->item[i] * job->table->columns, job->columns, scratch,
                          i - first);
    hydraf_predict(regressor, scratch, last - first);
    for (size_t i = first; i < last; i++)
        job->result->estimate[i] = hydraf_estimate(regressor, scratch->estimate[i - first]);
    return DSE_OK;
}

static enum dse_status run_all(struct inferring *job, const struct dse_run *run, struct dse_error *err)
{
    job->batch = run->batch > 0 ? run->batch : ROWS_A_TASK;
    job->scratch = dse_calloc(run->jobs, sizeof *job->scratch);
    for (size_t i = 0; i < run->jobs; i++)
        hydraf_scratch_make(&job->model->regressor, job->batch, &job->scratch[i]);
    double begin = dse_clock_s();
    enum dse_status status = dse_parallel_for((job->result->count + job->batch - 1) / job->batch, run->jobs, infer_some, job,
                                              run->monitor, err);
    job->result->seconds = dse_clock_s() - begin;
    for (size_t i = 0; i < run->jobs; i++)
        hydraf_scratch_free(&job->scratch[i]);
    free(job->scratch);
    return status;
}

enum dse_status hydraf_infer(const struct dse_model *base, const struct dse_dataset *data, const struct dse_run *run,
                             struct dse_inference *result, struct dse_error *err)
{
    const struct dse_data_table *table = dse_dataset_table(data);
    DSE_CLEANUP(dse_free_at) size_t *columns = NULL;
    struct inferring job = {.model = hydraf_model_of(base), .table = table, .result = result};
    DSE_TRY(dse_inference_begin(base, data, run, DSE_ANSWER_NUMBERS, result, err));
    DSE_TRY(hydraf_model_columns(job.model, table, &columns, &job.target, err));
    job.columns = columns;
    for (size_t i = 0; i < result->count; i++)
        result->target[i] = table->values[result->item[i] * table->columns + job.target];
    DSE_TRY(run_all(&job, run, err));
    result->quality = hydraf_quality(&job.model->regressor, result->target, result->estimate, result->count, result->figures,
                                     &result->figure_count, &result->error);
    return DSE_OK;
}
