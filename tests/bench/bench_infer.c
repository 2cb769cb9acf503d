/* Benchmark of one inference, step by step: the projection's speed relative to a plain read of its bytes, and the effect of batches and
 * threads.
 *
 * usage: bench_infer DATA_SET [NAME=VALUE …] (parameters of `train` over the preset) dim=200000 makes the matrix larger than the caches. A time is the
 * median over many passes of processor time per graph, so that other load matters little; by default one thread and batch 1. For the direct form the
 * machine's limit is measured too: as many additions of bytes, in full registers, as there are signs to add. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "models/nysx/executor/model.h"
#include "tests/worked.h"

enum { REPEATS = 15, REPEATS_AT_LEAST = 3, BATCH = 8 };
#define LONG_ENOUGH_S 3.0 /* least time of one step, repeated often enough */

struct bench {
    const struct nysx_model *model;
    struct nysx_features features;
    struct nysx_scratch scratch;
    struct nysx_nee_scratch nee_scratch;
    int32_t *kernels;      /* kernels of every held-out graph */
    uint64_t *hypervector;
    int64_t *added;
    uint64_t check;        /* keeps results alive */
};

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median time per graph of `step`, over passes over all held-out graphs. */
static double median(struct bench *b, void (*step)(struct bench *, size_t))
{
    double taken[REPEATS], first = dse_clock_s();
    size_t passes = 0, graphs = b->model->base.split.n_test;
    for (; passes < REPEATS && (passes < REPEATS_AT_LEAST || dse_clock_s() - first < LONG_ENOUGH_S); passes++) {
        double begin = worked_s();
        for (size_t i = 0; i < graphs; i++)
            step(b, i);
        taken[passes] = (worked_s() - begin) / (double)graphs;
    }
    qsort(taken, passes, sizeof *taken, by_size);
    return taken[passes / 2];
}

static void kernel_step(struct bench *b, size_t i)
{
    struct nysx_query query = nysx_query_at(&b->features, (size_t)b->model->base.split.test[i]);
    nysx_encoder_kernel(&b->model->encoder, &query, &b->scratch, b->kernels + i * b->model->encoder.landmarks, NULL);
}

static void nee_step(struct bench *b, size_t i)
{
    nysx_nee_encode(&b->model->nee, b->kernels + i * b->model->encoder.landmarks, &b->nee_scratch, b->hypervector);
    b->check += b->hypervector[0];
}

static void sce_step(struct bench *b, size_t i)
{
    (void)i;
    b->check += nysx_classify(&b->model->prototypes, b->hypervector, NULL);
}

static void whole_step(struct bench *b, size_t i)
{
    struct nysx_query query = nysx_query_at(&b->features, (size_t)b->model->base.split.test[i]);
    b->check += nysx_infer_query(b->model, &query, &b->scratch, &b->nee_scratch, b->hypervector, b->added);
}

#if defined(__x86_64__)
__attribute__((target("avx512f")))
#endif
/* Eight independent sums of 64-byte vectors: only loads whose values are used. */
static uint64_t read_all(const unsigned char *bytes, size_t count)
{
    typedef uint64_t vector __attribute__((vector_size(64)));
    vector sum[8] = {{0}};
    for (size_t at = 0; at + 512 <= count; at += 512)
        for (int k = 0; k < 8; k++) {
            vector loaded;
            memcpy(&loaded, bytes + at + 64 * (size_t)k, sizeof loaded);
            sum[k] ^= loaded;
        }
    uint64_t total = 0;
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < 8; i++)
            total ^= sum[k][i];
    return total;
}

static void read_step(struct bench *b, size_t i)
{
    (void)i;
    const struct nysx_projection *p = &b->model->nee.projection;
    b->check += read_all(p->packed, p->blocks * p->groups * nysx_format(p->precision)->group_bytes);
}

static void codes_step(struct bench *b, size_t i)
{
    struct nysx_query query = nysx_query_at(&b->features, (size_t)b->model->base.split.test[i]);
    nysx_direct_codes(&b->model->encoder.lsh, &query, &b->scratch.direct);
    b->check += b->scratch.direct.count;
}

/* Uses the last graph's codes, as codes_step does. */
static void direct_step(struct bench *b, size_t i)
{
    codes_step(b, i);
    nysx_direct_encode(&b->model->nee, b->scratch.direct.item, b->scratch.direct.count,
                       b->nee_scratch.block, b->hypervector);
    b->check += b->hypervector[0];
}

/* One byte per element, added once per code. */
#if defined(__x86_64__)
__attribute__((target("avx512f,avx512bw")))
#endif
static void additions_step(struct bench *b, size_t i)
{
    typedef int8_t vector __attribute__((vector_size(64)));
    codes_step(b, i);
    size_t count = b->scratch.direct.count, rows = (b->model->nee.dim + 511) / 512;
    vector *rows_of = (vector *)(void *)b->nee_scratch.block;
    for (size_t row = 0; row < rows; row++) {
        vector sum[8];
        memcpy(sum, rows_of, sizeof sum);
        for (size_t c = 0; c < count; c++) {
            vector code = (vector){0} + (int8_t)b->scratch.direct.item[c].code;
            for (int k = 0; k < 8; k++)
                sum[k] += code;
        }
        for (int k = 0; k < 8; k++)
            b->check += (uint64_t)sum[k][0];
    }
}

static void report_direct(struct bench *b, const char *name, double quality)
{
    double codes = median(b, codes_step), encode = median(b, direct_step), limit = median(b, additions_step);
    double sce = median(b, sce_step), whole = median(b, whole_step), items = 0.0;
    for (size_t i = 0; i < b->model->base.split.n_test; i++) {
        codes_step(b, i);
        items += (double)b->scratch.direct.count / (double)b->model->base.split.n_test;
    }
    printf("%-8s direct   %-8s accuracy %.4f  codes %5.2f µs  NEE %6.2f µs  SCE %5.2f µs  whole %6.2f µs  %.0f codes, %.0f sign "
           "additions: as many byte additions alone %.2f µs\n", name, dse_setting_get(&b->model->base.words, "codes"), quality,
           1e6 * codes, 1e6 * (encode - codes), 1e6 * sce, 1e6 * whole, items, items * (double)b->model->nee.dim,
           1e6 * (limit - codes));
}

static void report(struct bench *b, const char *name, double quality)
{
    if (b->model->nee.form == NYSX_DIRECT) {
        report_direct(b, name, quality);
        return;
    }
    const struct nysx_projection *p = &b->model->nee.projection;
    double bytes = (double)(p->blocks * p->groups * nysx_format(p->precision)->group_bytes);
    double read = median(b, read_step), kernel = median(b, kernel_step), nee = median(b, nee_step);
    double sce = median(b, sce_step), whole = median(b, whole_step);
    printf("%-8s %-8s %-8s accuracy %.4f  C %7.1f µs  NEE %7.1f µs  SCE %5.1f µs  whole %7.1f µs", name,
           dse_setting_get(&b->model->base.words, "nee.form"), dse_setting_get(&b->model->base.words, "nee.precision"), quality,
           1e6 * kernel, 1e6 * nee, 1e6 * sce, 1e6 * whole);
    if (b->model->nee.form != NYSX_FACTORED)
        printf("  P %.1f MB, plain read %.1f µs: %.0f%%", 1e-6 * bytes, 1e6 * read, 100.0 * read / nee);
    printf("\n");
}

static enum dse_status bench_model(const struct dse_dataset *data, const struct dse_model *model, double quality,
                                   struct dse_error *err)
{
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    struct bench b = {.model = nysx_model_of(model)};
    enum dse_status status = nysx_features_make(dse_dataset_graphs(data), &b.model->columns, &b.features, err);
    if (status == DSE_OK)
        b.scratch = nysx_scratch_make(&b.model->encoder, nysx_largest_graph(dse_dataset_graphs(data)), &arena);
    if (status == DSE_OK)
        b.nee_scratch = nysx_nee_scratch_make(&b.model->nee, &arena);
    b.kernels = dse_malloc((b.model->base.split.n_test * b.model->encoder.landmarks + 1) * sizeof *b.kernels);
    b.hypervector = dse_calloc(b.model->nee.words, sizeof *b.hypervector);
    b.added = dse_calloc(b.model->prototypes.classes, sizeof *b.added);
    if (status == DSE_OK)
        report(&b, data->name, quality);
    if (b.check == 1)
        fprintf(stderr, " \n");
    nysx_features_free(&b.features);
    free(b.kernels);
    free(b.hypervector);
    free(b.added);
    return status;
}

/* Graphs per second of `infer` by threads and batch: the best of several runs. */
static enum dse_status bench_scaling(const struct dse_dataset *data, const struct dse_model *model, struct dse_error *err)
{
    double alone = 0.0;
    enum dse_status status = DSE_OK;
    printf("    graphs/s of infer:");
    for (size_t jobs = 1; status == DSE_OK && jobs <= dse_parallel_default_jobs(); jobs *= 2)
        for (size_t batch = 1; status == DSE_OK && batch <= BATCH; batch *= BATCH) {
            struct dse_run how = {.seed = 1, .jobs = jobs, .batch = batch};
            double most = 0.0, begin = dse_clock_s();
            for (int repeat = 0; status == DSE_OK && repeat < REPEATS; repeat++) {
                struct dse_inference result;
                if (repeat >= REPEATS_AT_LEAST && dse_clock_s() - begin > LONG_ENOUGH_S)
                    break;
                status = model->executor->infer(model, data, &how, &result, err);
                if (status != DSE_OK)
                    break;
                double rate = (double)result.count / result.seconds;
                most = rate > most ? rate : most;
                dse_inference_free(&result);
            }
            alone = jobs == 1 && batch == 1 ? most : alone;
            printf("  %zu thread%s batch %zu: %.0f (%.2fx)", jobs, jobs == 1 ? "" : "s", batch, most, most / alone);
        }
    printf("\n");
    return status;
}

static enum dse_status run(const char *path, char **values, int count, struct dse_error *err)
{
    struct dse_dataset *data = NULL;
    struct dse_setting setting = {0};
    struct dse_model *model = NULL;
    struct dse_training result;
    struct dse_run once = {.seed = 1, .jobs = 1};
    const struct dse_executor *nysx = dse_executor_find("nysx");
    enum dse_status status = dse_dataset_open(path, NULL, &data, err);
    if (status == DSE_OK)
        status = dse_executor_preset(nysx, NULL, data, 0, &setting, err);
    for (int i = 0; status == DSE_OK && i < count; i++) {
        char *equals = strchr(values[i], '=');
        if (equals == NULL)
            return dse_fail(err, DSE_BAD_USAGE, "%s: must be NAME=VALUE", values[i]);
        *equals = '\0';
        dse_setting_put(&setting, values[i], equals + 1);
    }
    if (status == DSE_OK)
        status = dse_train(nysx, data, &setting, &once, &model, &result, err);
    if (status == DSE_OK)
        status = bench_model(data, model, result.quality, err);
    if (status == DSE_OK)
        status = bench_scaling(data, model, err);
    dse_model_free(model);
    dse_setting_free(&setting);
    dse_dataset_free(data);
    return status;
}

int main(int argc, char **argv)
{
    struct dse_error err = {0};
    if (argc < 2) {
        fprintf(stderr, "usage: bench_infer DATA_SET [NAME=VALUE …]\n");
        return DSE_BAD_USAGE;
    }
    enum dse_status status = run(argv[1], argv + 2, argc - 2, &err);
    if (status != DSE_OK)
        fprintf(stderr, "bench_infer: %s\n", err.message);
    return (int)status;
}
