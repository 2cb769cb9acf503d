/* Learning, epoch by epoch until the quality stabilises. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "models/hydraf/executor/model.h"
#include "models/hydraf/executor/streams.h"

#define SAMPLE_ROWS 1024    /* evenly spaced training rows that the scales come from */
#define LEAST_GAIN 0.002    /* share of the training error; a smaller decrease is no improvement */
#define PATIENCE 3          /* epochs without improvement after which the rates are halved */
#define LEAST_PACE 0x1p-6   /* training ends when the rates have been halved to this */

struct fitting {
    struct hydraf_model *model;
    struct hydraf_regressor *regressor;
    const struct dse_data_table *table;
    size_t *columns, target_column;
    struct hydraf_scratch scratch;
    float *target;               /* [batch] */
    int32_t *order;              /* [n_train] */
    struct hydraf_block best[2]; /* clusters and models of the best epoch */
    struct hydraf_rows stored;   /* [n_train × D] in split.train's order, if rows are encoded once */
    int32_t *place, *batch;      /* [table->rows] index in split.train, and [batch] those of a batch, if rows are encoded once */
    uint32_t updates;
};

static const double *row_of(const struct fitting *f, size_t row)
{
    return f->table->values + row * f->table->columns;
}

static void standardise_target(struct fitting *f)
{
    const struct dse_split *split = &f->model->base.split;
    double mean = 0.0, squares = 0.0, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < split->n_train; i++) {
        double value = row_of(f, (size_t)split->train[i])[f->target_column], delta = value - mean;
        mean += delta / (double)(i + 1);
        squares += delta * (value - mean);
        least = fmin(least, value);
        most = fmax(most, value);
    }
    double deviation = sqrt(squares / (double)split->n_train);
    f->regressor->target_mean = mean;
    f->regressor->target_scale = isnormal(deviation) ? deviation : 1.0;
    f->regressor->target_range = most - least;
}

/* Row `i` of the sample. */
static size_t sample_row(const struct fitting *f, size_t i, size_t count)
{
    return (size_t)f->model->base.split.train[i * f->model->base.split.n_train / count];
}

/* The least shift that fits the sample's largest sum in an element. */
static void choose_shift(struct fitting *f, size_t count)
{
    struct hydraf_encoder *encoder = &f->regressor->encoder;
    double largest = 0.0, most = hydraf_most(encoder->precision);
    for (size_t i = 0; i < count; i++) {
        const double *row = row_of(f, sample_row(f, i, count));
        for (size_t k = 0; k < encoder->inputs; k++)
            f->scratch.raw[k] = row[f->columns[k]];
        hydraf_encoder_features(encoder, f->scratch.raw, f->scratch.features);
        largest = fmax(largest, hydraf_encode_largest(encoder, f->scratch.features, f->scratch.sums));
    }
    encoder->shift = 0;
    while (ldexp(largest, -encoder->shift) > most)
        encoder->shift++;
}

static double squared_length(const struct fitting *f, size_t at)
{
    size_t dim = f->regressor->setting.dim;
    double sum = 0.0, step = hydraf_encoder_step(&f->regressor->encoder);
    for (size_t d = 0; d < dim; d++) {
        double element = f->scratch.rows.real != NULL ? (double)f->scratch.rows.real[at * dim + d]
                                                      : f->scratch.rows.whole[at * dim + d] * step;
        sum += element * element;
    }
    return sum;
}

/* Chooses ν, and β such that the spread of a row's similarities is the setting's sharpness. */
static void choose_scales(struct fitting *f, size_t count)
{
    struct hydraf_regressor *r = f->regressor;
    size_t clusters = r->setting.clusters;
    double energy = 0.0, spread = 0.0, step = hydraf_encoder_step(&r->encoder) * r->clusters.step;
    for (size_t i = 0; i < count; i++) {
        hydraf_encode_row(r, row_of(f, sample_row(f, i, count)), f->columns, &f->scratch, 0);
        energy += squared_length(f, 0) / (double)count;
        hydraf_products(&r->clusters, &f->scratch.rows, 1, f->scratch.products);
        double mean = 0.0;
        for (size_t k = 0; k < clusters; k++)
            mean += f->scratch.products[k] * step / (double)clusters;
        for (size_t k = 0; k < clusters; k++) {
            double delta = f->scratch.products[k] * step - mean;
            spread += delta * delta / (double)(count * clusters);
        }
    }
    r->energy = energy > 0.0 ? energy : 1.0;
    r->beta = spread > 0.0 ? r->setting.sharpness / sqrt(spread) : 0.0;
}

/* Makes a row of the table row `at` of the batch. */
static void take_row(struct fitting *f, size_t row, size_t at)
{
    if (f->place != NULL)
        f->batch[at] = f->place[row];
    else
        hydraf_encode_row(f->regressor, row_of(f, row), f->columns, &f->scratch, at);
}

/* Encodes the training part once; batches then refer to its rows. */
static void store_rows(struct fitting *f)
{
    const struct dse_split *split = &f->model->base.split;
    size_t dim = f->regressor->setting.dim;
    bool real = f->regressor->setting.precision == HYDRAF_FP32;
    f->stored = (struct hydraf_rows){.dim = dim, .real = real ? dse_malloc(split->n_train * dim * sizeof(float)) : NULL,
                                     .whole = real ? NULL : dse_malloc(split->n_train * dim * sizeof(double))};
    int32_t *place = dse_calloc(f->table->rows, sizeof *place);
    for (size_t i = 0; i < split->n_train; i++) {
        size_t row = (size_t)split->train[i];
        hydraf_encode_row(f->regressor, row_of(f, row), f->columns, &f->scratch, 0);
        if (real)
            memcpy(f->stored.real + i * dim, f->scratch.rows.real, dim * sizeof(float));
        else
            memcpy(f->stored.whole + i * dim, f->scratch.rows.whole, dim * sizeof(double));
        place[row] = (int32_t)i;
    }
    f->place = place;
    f->batch = dse_malloc(f->regressor->setting.batch * sizeof *f->batch);
    f->scratch.rows = f->stored;
    f->scratch.rows.at = f->batch;
}

/* One pass over the training part in a new order. Returns the mean squared error of the predictions before each update. */
static double run_epoch(struct fitting *f, size_t epoch, double pace)
{
    struct hydraf_regressor *r = f->regressor;
    size_t n = f->model->base.split.n_train;
    struct dse_rng rng;
    double squares = 0.0;
    memcpy(f->order, f->model->base.split.train, n * sizeof *f->order);
    dse_rng_seed(&rng, f->model->base.seed, ((uint64_t)HYDRAF_STREAM_ORDER << 40) + epoch);
    dse_rng_shuffle(&rng, f->order, n);
    for (size_t first = 0; first < n; first += r->setting.batch) {
        size_t count = n - first < r->setting.batch ? n - first : r->setting.batch;
        for (size_t j = 0; j < count; j++) {
            size_t row = (size_t)f->order[first + j];
            take_row(f, row, j);
            f->target[j] = (float)((row_of(f, row)[f->target_column] - r->target_mean) / r->target_scale);
        }
        hydraf_predict(r, &f->scratch, count);
        for (size_t j = 0; j < count; j++) {
            double error = (double)f->target[j] - (double)f->scratch.estimate[j];
            squares += error * error;
        }
        hydraf_regressor_learn(r, &f->scratch, f->target, count, pace, f->updates++);
    }
    return squares / (double)n;
}

static void keep(struct fitting *f)
{
    hydraf_block_copy(&f->best[0], &f->regressor->clusters);
    hydraf_block_copy(&f->best[1], &f->regressor->models);
}

static void restore(struct fitting *f)
{
    hydraf_block_copy(&f->regressor->clusters, &f->best[0]);
    hydraf_block_copy(&f->regressor->models, &f->best[1]);
}

/* Halves the rates after PATIENCE epochs without improvement. A much worse epoch is undone, and also halves them. */
static enum dse_status run_epochs(struct fitting *f, const struct dse_monitor *monitor, struct dse_error *err)
{
    size_t most = f->regressor->setting.epochs, epoch = 0, stale = 0;
    double best = INFINITY, pace = 1.0, last = INFINITY;
    keep(f);
    for (; epoch < most && pace > LEAST_PACE; epoch++) {
        dse_monitor_progress(monitor, "training", epoch, most);
        if (dse_monitor_cancelled(monitor))
            return dse_fail_cancelled(err);
        last = run_epoch(f, epoch, pace);
        bool worse = !(last <= 1.5 * best), better = last < best * (1.0 - LEAST_GAIN);
        if (worse)
            restore(f);
        else if (last < best)
            keep(f);
        best = last < best ? last : best;
        stale = better ? 0 : stale + 1;
        if (worse || stale == PATIENCE) {
            pace *= 0.5;
            stale = 0;
        }
    }
    if (!(last <= best))
        restore(f);
    f->model->epochs = epoch;
    dse_monitor_progress(monitor, "training", most, most);
    return DSE_OK;
}

static enum dse_status prepare(struct fitting *f, bool stored, struct dse_error *err)
{
    struct hydraf_regressor *r = f->regressor;
    const struct dse_split *split = &f->model->base.split;
    size_t sample = split->n_train < SAMPLE_ROWS ? split->n_train : SAMPLE_ROWS;
    DSE_TRY(hydraf_model_columns(f->model, f->table, &f->columns, &f->target_column, err));
    DSE_TRY(hydraf_encoder_make(&r->setting, f->table, f->columns, r->encoder.inputs, split->train, split->n_train,
                                f->model->base.seed, &r->encoder, err));
    hydraf_regressor_start(r, f->model->base.seed);
    hydraf_scratch_make(r, r->setting.batch, &f->scratch);
    hydraf_block_alloc(r->setting.precision, r->setting.dim, r->setting.clusters, &f->best[0]);
    hydraf_block_alloc(r->setting.precision, r->setting.dim, r->setting.clusters, &f->best[1]);
    f->target = dse_malloc(r->setting.batch * sizeof *f->target);
    f->order = dse_malloc(split->n_train * sizeof *f->order);
    standardise_target(f);
    if (r->setting.precision != HYDRAF_FP32)
        choose_shift(f, sample);
    choose_scales(f, sample);
    if (stored)
        store_rows(f);
    return DSE_OK;
}

enum dse_status hydraf_fit(struct hydraf_model *model, const struct dse_data_table *table, bool stored,
                           const struct dse_monitor *monitor, struct dse_error *err)
{
    struct fitting f = {.model = model, .regressor = &model->regressor, .table = table};
    enum dse_status status = prepare(&f, stored, err);
    if (status == DSE_OK)
        status = run_epochs(&f, monitor, err);
    hydraf_scratch_free(&f.scratch);
    hydraf_block_free(&f.best[0]);
    hydraf_block_free(&f.best[1]);
    free(f.columns);
    free(f.target);
    free(f.order);
    free(f.stored.real);
    free(f.stored.whole);
    free(f.place);
    free(f.batch);
    return status;
}
