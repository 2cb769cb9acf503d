/* The workload's series and the configuration's sizes as the HyDRAF blocks read them. */
#include <math.h>
#include <stdlib.h>

#include "models/hydraf/hydraf.h"

static enum dse_status read_whole(const struct dse_workload *workload, const char *name, int64_t most, int64_t *out,
                                  struct dse_error *err)
{
    const struct dse_series *series = dse_workload_series(workload, name);
    if (series == NULL)
        return dse_fail(err, DSE_BAD_INPUT, "the workload has no series \"%s\"", name);
    if (series->rows != 1 || series->columns != 1)
        return dse_fail(err, DSE_BAD_INPUT, "the workload's series \"%s\" is %zu × %zu, and must be 1 × 1", name,
                        series->rows, series->columns);
    double value = series->values[0];
    if (!(value >= 1.0) || value > (double)most || value != floor(value))
        return dse_fail(err, DSE_BAD_INPUT, "the workload's series \"%s\" is %g, and must be a whole number from 1 to %lld",
                        name, value, (long long)most);
    *out = (int64_t)value;
    return DSE_OK;
}

enum dse_status hydraf_work_prepare(const struct dse_workload *workload, void **out, struct dse_error *err)
{
    struct hydraf_work read = {0};
    *out = NULL;
    DSE_TRY(read_whole(workload, "features", 1000000, &read.features, err));
    DSE_TRY(read_whole(workload, "samples", 1000000000, &read.samples, err));
    DSE_TRY(read_whole(workload, "iterations", 1000000, &read.iterations, err));
    struct hydraf_work *work = malloc(sizeof *work);
    if (work == NULL)
        return dse_fail_memory(err);
    *work = read;
    *out = work;
    return DSE_OK;
}

void hydraf_work_release(void *work)
{
    free(work);
}

struct hydraf_shape hydraf_shape_of(const struct dse_config *config, const struct hydraf_work *work)
{
    static const enum dse_precision precisions[] = {DSE_FP32, DSE_INT16, DSE_INT8};
    struct hydraf_shape shape = {.precision = precisions[config->value[HYDRAF_PRECISION]],
                                 .dim = config->value[HYDRAF_DIM],
                                 .clusters = config->value[HYDRAF_CLUSTERS],
                                 .batch = config->value[HYDRAF_BATCH],
                                 .chunk = config->value[HYDRAF_CHUNK],
                                 .runs = 1};
    enum hydraf_task task = (enum hydraf_task)config->value[HYDRAF_TASK];
    shape.bits = dse_precision_bits(shape.precision);
    shape.chunks = dse_ceil_div(shape.dim, shape.chunk);
    shape.lanes = config->value[HYDRAF_PIPELINED] != 0 ? shape.chunk : 1;
    shape.learns = task != HYDRAF_INFER;
    shape.rows = shape.learns ? shape.batch : 1;
    if (task == HYDRAF_FIT)
        shape.runs = work->iterations * dse_ceil_div(work->samples, shape.batch);
    return shape;
}

int64_t hydraf_times(const struct hydraf_shape *shape, double of_one_run)
{
    return dse_count(of_one_run * (double)shape->runs);
}

int64_t hydraf_items(const struct dse_config *config)
{
    return config->value[HYDRAF_TASK] == HYDRAF_TRAIN ? config->value[HYDRAF_BATCH] : 1;
}

void hydraf_put_cycles(struct dse_accumulators *out, enum hydraf_stage stage, const struct hydraf_shape *shape,
                       double busy, double fill)
{
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][stage] = dse_cycles(round(busy) * (double)shape->runs);
        out->fill_cycles[c][stage] = dse_cycles(round(fill) * (double)shape->runs);
    }
}
