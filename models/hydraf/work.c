/* The workload's series and the configuration's sizes as the HyDRAF blocks read them. */
#include <math.h>

#include "models/hydraf/hydraf.h"

#define FIT_PARTS 64 /* a training run of 10⁴ s has 10¹⁹ fs */

static const struct dse_series_whole series[] = {
    {"features", 1, 1000000, offsetof(struct hydraf_work, features)},
    {"samples", 1, 1000000000, offsetof(struct hydraf_work, samples)},
    {"iterations", 1, 1000000, offsetof(struct hydraf_work, iterations)},
};

enum dse_status hydraf_work_prepare(const struct dse_model_family *family, const struct dse_workload *workload, void **out, struct dse_error *err)
{
    (void)family;
    return dse_workload_take(workload, series, sizeof series / sizeof *series, sizeof(struct hydraf_work), out, err);
}

struct hydraf_shape hydraf_shape_of(const struct dse_config *config, const struct hydraf_work *work)
{
    static const enum dse_precision precisions[] = {DSE_FP32, DSE_INT16, DSE_INT8};
    struct hydraf_shape shape = {.precision = precisions[config->value[HYDRAF_PRECISION]],
                                 .dim = config->value[HYDRAF_DIM],
                                 .clusters = config->value[HYDRAF_CLUSTERS],
                                 .batch = config->value[HYDRAF_BATCH],
                                 .chunk = config->value[HYDRAF_CHUNK],
                                 .runs = 1.0};
    enum hydraf_task task = (enum hydraf_task)config->value[HYDRAF_TASK];
    shape.bits = dse_precision_bits(shape.precision);
    shape.chunks = dse_ceil_div(shape.dim, shape.chunk);
    shape.lanes = config->value[HYDRAF_PIPELINED] != 0 && shape.precision != DSE_FP32 ? shape.chunk : 1;
    shape.learns = task != HYDRAF_INFER;
    shape.rows = shape.learns ? shape.batch : 1;
    if (task == HYDRAF_FIT)
        shape.runs = (double)(work->iterations * dse_ceil_div(work->samples, shape.batch)) / FIT_PARTS;
    return shape;
}

int64_t hydraf_times(const struct hydraf_shape *shape, double of_one_run)
{
    return dse_count(of_one_run * shape->runs);
}

int64_t hydraf_parts(const struct dse_model_family *family, const struct dse_config *config)
{
    (void)family;
    return config->value[HYDRAF_TASK] == HYDRAF_FIT ? FIT_PARTS : 1;
}

int64_t hydraf_items(const struct dse_model_family *family, const struct dse_config *config)
{
    (void)family;
    return config->value[HYDRAF_TASK] == HYDRAF_TRAIN ? config->value[HYDRAF_BATCH] : 1;
}

void hydraf_put_cycles(struct dse_accumulators *out, enum hydraf_stage stage, const struct hydraf_shape *shape,
                       double busy, double fill)
{
    for (int c = 0; c < DSE_CASE_COUNT; c++) {
        out->busy_cycles[c][stage] = dse_count(round(busy) * shape->runs);
        out->fill_cycles[c][stage] = dse_count(round(fill) * shape->runs);
    }
}
