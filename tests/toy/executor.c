/* The computation: the target's mean plus, for each of the first `terms` inputs, a slope (covariance / variance) times the input's
 * deviation, divided by the number of terms. The hardware has `lanes` multipliers, which take the terms in their order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/tables.h"
#include "executor/depths.h"
#include "executor/model_file.h"
#include "executor/simulated.h"
#include "tests/toy/toy.h"

struct toy_model {
    struct dse_model base;
    size_t terms, target;   /* the table's columns: inputs that are used; the one that is predicted */
    double *mean, *slope;   /* [terms] */
    double offset, spread;  /* mean and deviation of the target */
};

/* ---- settings ---- */

/* The number of terms of a setting, limited by the table's columns. */
static enum dse_status read_terms(const struct dse_setting *words, const struct dse_data_table *table, size_t *terms,
                                  struct dse_error *err)
{
    double v[DSE_KNOB_MAX];
    DSE_TRY(dse_knobs_trained_values(&toy_knobs, words, v, err));
    *terms = (size_t)fmin(v[TOY_TERMS], (double)(table->columns - 1));
    return DSE_OK;
}

/* ---- the model and its file ---- */

#define AT(member) .at = offsetof(struct toy_model, member)
static const struct dse_model_array arrays[] = {
    {"mean", "<f8", 1, {DSE_SIZE_FOUND(struct toy_model, terms)}, AT(mean)},
    {"slope", "<f8", 1, {DSE_SIZE(struct toy_model, terms)}, AT(slope)},
    {"offset", "<f8", 0, {{0}}, AT(offset)},
    {"spread", "<f8", 0, {{0}}, AT(spread), .check = dse_array_positive},
};

static void describe(const struct dse_model *base, json_t *meta)
{
    json_object_set_new(meta, "target", json_integer((json_int_t)((const struct toy_model *)base)->target));
}

static enum dse_status read_meta(struct dse_model *base, json_t *meta, struct dse_npz *file, struct dse_error *err)
{
    json_int_t target;
    DSE_TRY(dse_model_file_count(file, meta, "target", DSE_DATA_TABLE_COLUMNS_MAX, &target, err));
    ((struct toy_model *)base)->target = (size_t)target;
    return DSE_OK;
}

static const struct dse_model_form form = {.bytes = sizeof(struct toy_model), .arrays = arrays,
                                           .array_count = sizeof arrays / sizeof *arrays, .describe = describe,
                                           .read = read_meta};

/* Term i of a row. */
static double input(const struct toy_model *model, const struct dse_data_table *table, size_t row, size_t i)
{
    return table->values[row * table->columns + i + (i >= model->target)];
}

static enum dse_status fit(struct dse_model *base, const struct dse_dataset *data, const struct dse_run *run,
                           struct dse_training *result, struct dse_error *err)
{
    (void)run, (void)result;
    struct toy_model *model = (struct toy_model *)base;
    const struct dse_data_table *table = dse_dataset_table(data);
    const struct dse_split *split = &base->split;
    DSE_TRY(read_terms(&base->words, table, &model->terms, err));
    model->target = table->target;
    model->mean = dse_calloc(model->terms, sizeof *model->mean);
    model->slope = dse_calloc(model->terms, sizeof *model->slope);
    double n = (double)split->n_train, squares = 0.0;
    for (size_t r = 0; r < split->n_train; r++) {
        model->offset += table->values[(size_t)split->train[r] * table->columns + model->target] / n;
        for (size_t i = 0; i < model->terms; i++)
            model->mean[i] += input(model, table, (size_t)split->train[r], i) / n;
    }
    for (size_t r = 0; r < split->n_train; r++)
        squares += pow(table->values[(size_t)split->train[r] * table->columns + model->target] - model->offset, 2);
    model->spread = squares > 0.0 ? sqrt(squares / n) : 1.0;
    for (size_t i = 0; i < model->terms; i++) {
        double both = 0.0, own = 0.0;
        for (size_t r = 0; r < split->n_train; r++) {
            double x = input(model, table, (size_t)split->train[r], i) - model->mean[i];
            both += x * (table->values[(size_t)split->train[r] * table->columns + model->target] - model->offset);
            own += x * x;
        }
        model->slope[i] = own > 0.0 ? both / own / (double)model->terms : 0.0;
    }
    return DSE_OK;
}

/* ---- answers ---- */

/* 1 less the mean squared error by the target's variance in the training part. */
static double quality(const struct toy_model *model, const struct dse_inference *items, const double *estimate)
{
    double squares = 0.0;
    for (size_t i = 0; i < items->count; i++)
        squares += pow((estimate[i] - items->target[i]) / model->spread, 2);
    return items->count > 0 ? 1.0 - squares / (double)items->count : 0.0;
}

static enum dse_status infer(const struct dse_model *base, const struct dse_dataset *data, const struct dse_run *run,
                             struct dse_inference *out, struct dse_error *err)
{
    const struct toy_model *model = (const struct toy_model *)base;
    const struct dse_data_table *table = dse_dataset_table(data);
    DSE_TRY(dse_inference_begin(base, data, run, DSE_ANSWER_NUMBERS, out, err));
    if (table->columns <= model->terms || model->target >= table->columns)
        return dse_fail(err, DSE_BAD_USAGE, "%s: has %zu columns, and the model needs more", data->name, table->columns);
    for (size_t k = 0; k < out->count; k++) {
        out->target[k] = table->values[out->item[k] * table->columns + model->target];
        out->estimate[k] = model->offset;
        for (size_t i = 0; i < model->terms; i++)
            out->estimate[k] += model->slope[i] * (input(model, table, out->item[k], i) - model->mean[i]);
    }
    out->quality = quality(model, out, out->estimate);
    return DSE_OK;
}

/* ---- the workload ---- */

static enum dse_status put_work(const struct dse_setting *setting, size_t terms, struct dse_workload *out, struct dse_error *err)
{
    const double value = (double)terms;
    const struct dse_series_value series[] = {{"terms", 1, 1, &value}};
    dse_knobs_work_key(&toy_knobs, setting, &out->setting);
    return dse_workload_put(out, series, 1, err);
}

static enum dse_status profile(const struct dse_dataset *data, const struct dse_setting *setting, const struct dse_run *run,
                               struct dse_workload *out, struct dse_error *err)
{
    (void)run;
    size_t terms;
    DSE_TRY(dse_executor_takes(&toy_executor, data, err));
    DSE_TRY(read_terms(setting, dse_dataset_table(data), &terms, err));
    return put_work(setting, terms, out, err);
}

static enum dse_status work(const struct dse_model *model, const struct dse_workload *data, struct dse_workload *out,
                            struct dse_error *err)
{
    (void)data;
    return put_work(&model->words, ((const struct toy_model *)model)->terms, out, err);
}

/* ---- simulation ---- */

struct record {
    uint64_t work[1], stage[1], products;
};

static const char *const stages[] = {"line"};
static const struct dse_sim_engine engines[] = {{"mac", 0, 0}};
static const struct dse_sim_counter counters[] = {{0, "products", offsetof(struct record, products)}};
static const struct dse_sim_form simulated = {
    .record_bytes = sizeof(struct record), .stages = stages, .stage_count = 1, .stage_at = offsetof(struct record, stage),
    .engines = engines, .engine_count = 1, .work_at = offsetof(struct record, work), .counters = counters, .counter_count = 1};

/* One row: a beat per cycle, until all terms have passed. */
static double run_row(const struct toy_model *model, const struct dse_data_table *table, size_t row, size_t lanes,
                      uint64_t depth, struct record *record)
{
    double sum = model->offset;
    for (size_t first = 0; first < model->terms; first += lanes) {
        for (size_t i = first; i < first + lanes && i < model->terms; i++, record->products++)
            sum += model->slope[i] * (input(model, table, row, i) - model->mean[i]);
        record->work[0]++;
    }
    record->work[0] += depth;
    record->stage[0] = record->work[0];
    return sum;
}

static enum dse_status simulate(const struct dse_model *base, const struct dse_dataset *data, const struct dse_config *config,
                                const struct dse_board *board, const struct dse_run *run, struct dse_simulation *out,
                                struct dse_error *err)
{
    (void)board;
    const struct toy_model *model = (const struct toy_model *)base;
    double clock_hz = 1e6 * (double)config->value[TOY_CLOCK_MHZ];
    struct dse_latencies l = {.costs = run->costs, .clock_hz = clock_hz, .err = err};
    uint64_t depth = dse_latency(&l, DSE_OP_MUL, DSE_FP32) + dse_latency(&l, DSE_OP_ADD, DSE_FP32);
    DSE_CLEANUP(dse_inference_free) struct dse_inference items = {0};
    DSE_TRY(l.status);
    DSE_TRY(infer(base, data, run, &items, err));
    DSE_CLEANUP(dse_free_at) struct record *records = dse_calloc(items.count + 1, sizeof *records);
    DSE_CLEANUP(dse_free_at) double *estimate = dse_calloc(items.count + 1, sizeof *estimate);
    for (size_t i = 0; i < items.count; i++) {
        estimate[i] = run_row(model, dse_dataset_table(data), items.item[i], (size_t)config->value[TOY_LANES], depth,
                              &records[i]);
        out->equal += estimate[i] == items.estimate[i];
    }
    out->quality = quality(model, &items, estimate);
    out->clock_hz = clock_hz;
    dse_simulation_gather(&simulated, records, items.count, 1, 0, out);
    return DSE_OK;
}

const struct dse_executor toy_executor = {
    .family = "toy", .kind = &dse_kind_table, .quality_name = "explained", .higher_is_better = true,
    .compared = "predictions", .board = "u200", .split_stream = 1, .knobs = &toy_knobs,
    .model = &form, .fit = fit, .infer = infer, .profile = profile, .simulate = simulate, .work = work};
