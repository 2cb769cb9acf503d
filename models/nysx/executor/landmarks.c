#include "models/nysx/executor/landmarks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/order.h"
#include "core/rng.h"
#include "executor/algebra.h"
#include "models/nysx/executor/encoder.h"
#include "models/nysx/executor/streams.h"

void nysx_draw_uniform(const int32_t *items, size_t n, size_t count, uint64_t seed, uint64_t stream, int32_t *out)
{
    int32_t *shuffled = dse_malloc((n + 1) * sizeof *shuffled);
    memcpy(shuffled, items, n * sizeof *shuffled);
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, stream);
    dse_rng_shuffle(&rng, shuffled, n);
    memcpy(out, shuffled, count * sizeof *out);
    qsort(out, count, sizeof *out, dse_by_int32);
    free(shuffled);
}

/* ---- k-DPP ---- */

/* log(e^a + e^b). */
static double log_add(double a, double b)
{
    double high = a > b ? a : b, low = a > b ? b : a;
    return low == -INFINITY ? high : high + log1p(exp(low - high));
}

/* Logarithms of the elementary symmetric polynomials: entry l (n + 1) + m is log e_l of the first m values. The
 * logarithm is needed because e_300 of 1000 values does not fit a double. */
static double *symmetric_polynomials(const double *values, size_t n, size_t k)
{
    double *e = dse_malloc((k + 1) * (n + 1) * sizeof *e);
    for (size_t m = 0; m <= n; m++)
        e[m] = 0.0;
    for (size_t l = 1; l <= k; l++) {
        e[l * (n + 1)] = -INFINITY;
        for (size_t m = 1; m <= n; m++)
            e[l * (n + 1) + m] =
                log_add(e[l * (n + 1) + m - 1], log(values[m - 1]) + e[(l - 1) * (n + 1) + m - 1]);
    }
    return e;
}

/* First phase: chooses the k eigenvectors that span the elementary DPP. */
static void choose_vectors(const double *values, size_t n, size_t k, const double *e, struct dse_rng *rng,
                           size_t *chosen)
{
    size_t left = k;
    for (size_t m = n; m > 0 && left > 0; m--) {
        double odds = log(values[m - 1]) + e[(left - 1) * (n + 1) + m - 1] - e[left * (n + 1) + m];
        if (m == left || log(1.0 - dse_rng_uniform(rng)) < odds)
            chosen[--left] = m - 1;
    }
}

static size_t draw(const double *weights, size_t n, struct dse_rng *rng)
{
    double total = 0.0;
    for (size_t i = 0; i < n; i++)
        total += weights[i] > 0.0 ? weights[i] : 0.0;
    double point = dse_rng_uniform(rng) * total;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        if (weights[i] <= 0.0)
            continue;
        last = i;
        if (point < weights[i])
            return i;
        point -= weights[i];
    }
    return last; /* reached only by rounding errors */
}

/* Second phase: draws items one by one. An item's probability is proportional to the squared length of its row of V
 * outside the span of the rows already drawn. A Cholesky step updates these lengths. `v` is n × k,
 * `steps` has room for n × k. */
static void draw_items(const double *v, size_t n, size_t k, struct dse_rng *rng, double *weight,
                       double *steps, int32_t *out)
{
    for (size_t i = 0; i < n; i++)
        weight[i] = dse_algebra_dot(v + i * k, v + i * k, k);
    for (size_t j = 0; j < k; j++) {
        size_t item = draw(weight, n, rng);
        double scale = 1.0 / sqrt(weight[item]);
        out[j] = (int32_t)item;
        for (size_t i = 0; i < n; i++) {
            double step = dse_algebra_dot(v + i * k, v + item * k, k);
            step -= dse_algebra_dot(steps + i * k, steps + item * k, j);
            steps[i * k + j] = step * scale;
        }
        for (size_t i = 0; i < n; i++)
            weight[i] -= steps[i * k + j] * steps[i * k + j];
        for (size_t m = 0; m <= j; m++)
            weight[out[m]] = 0.0; /* exactly 0: no item is drawn twice */
    }
}

/* Both phases, with the eigenvectors in the columns of `vectors`. */
static void sample(const double *vectors, const double *values, size_t n, size_t k, struct dse_rng *rng, int32_t *out)
{
    double *e = symmetric_polynomials(values, n, k);
    size_t *chosen DSE_CLEANUP(dse_free_at) = dse_malloc(k * sizeof *chosen);
    double *v = dse_malloc(n * k * sizeof *v), *steps = dse_malloc(n * k * sizeof *steps);
    double *weight = dse_malloc(n * sizeof *weight);
    choose_vectors(values, n, k, e, rng, chosen);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            v[i * k + j] = vectors[i * n + chosen[j]];
    draw_items(v, n, k, rng, weight, steps, out);
    qsort(out, k, sizeof *out, dse_by_int32);
    free(e);
    free(v);
    free(steps);
    free(weight);
}

enum dse_status nysx_dpp_sample(double *kernel, size_t n, size_t k, struct dse_rng *rng, int32_t *out,
                                struct dse_error *err)
{
    if (k == 0 || k > n)
        return dse_fail(err, DSE_BAD_USAGE, "a DPP cannot choose %zu of %zu items", k, n);
    DSE_CLEANUP(dse_free_at) double *values = dse_malloc(n * sizeof *values);
    DSE_TRY(dse_algebra_eigen(kernel, n, values, err));
    double floor_value = NYSX_DPP_LIFT * values[n - 1];
    if (!(floor_value > 0.0))
        return dse_fail(err, DSE_BAD_USAGE, "the pool's kernel is zero: its graphs have no nodes");
    for (size_t i = 0; i < n; i++)
        values[i] = values[i] > floor_value ? values[i] : floor_value;
    sample(kernel, values, n, k, rng, out);
    return DSE_OK;
}

/* ---- Algorithm 2 ---- */

/* The pool's propagation kernel, n × n. */
static enum dse_status pool_kernel(const struct nysx_setting *setting, const struct nysx_columns *columns,
                                   const struct nysx_features *features, const int32_t *pool, size_t n,
                                   const struct dse_run *run, double *out, struct dse_error *err)
{
    struct nysx_lsh lsh = nysx_lsh_draw(setting, columns->labels + columns->attributes, run->seed);
    DSE_CLEANUP(nysx_encoder_free) struct nysx_encoder encoder = {0};
    DSE_CLEANUP(dse_free_at) int32_t *kernel = dse_malloc(n * n * sizeof *kernel);
    DSE_TRY(nysx_encoder_build(&lsh, features, pool, n, &encoder, err));
    DSE_TRY(nysx_encoder_kernels(&encoder, features, pool, n, run, kernel, err));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double length = sqrt((double)kernel[i * n + i]) * sqrt((double)kernel[j * n + j]);
            out[i * n + j] = length > 0.0 ? kernel[i * n + j] / length : 0.0;
        }
    }
    return DSE_OK;
}

static enum dse_status choose_dpp(const struct nysx_setting *setting, const struct nysx_columns *columns,
                                  const struct nysx_features *features, const int32_t *train, size_t n,
                                  const struct dse_run *run, int32_t *out, struct dse_error *err)
{
    size_t count = setting->pool < n ? setting->pool : n, s = setting->landmarks;
    if (count < s)
        return dse_fail(err, DSE_BAD_USAGE, "pool=%zu: must not be smaller than landmarks=%zu", setting->pool, s);
    DSE_CLEANUP(dse_free_at) int32_t *pool = dse_malloc(count * sizeof *pool);
    DSE_CLEANUP(dse_free_at) double *kernel = dse_malloc(count * count * sizeof *kernel);
    nysx_draw_uniform(train, n, count, run->seed, NYSX_STREAM_POOL, pool);
    DSE_TRY(pool_kernel(setting, columns, features, pool, count, run, kernel, err));
    struct dse_rng rng;
    dse_rng_seed(&rng, run->seed, NYSX_STREAM_LANDMARKS);
    DSE_TRY(nysx_dpp_sample(kernel, count, s, &rng, out, err));
    for (size_t i = 0; i < s; i++)
        out[i] = pool[out[i]]; /* both are ascending */
    return DSE_OK;
}

enum dse_status nysx_choose_landmarks(const struct nysx_setting *setting, const struct nysx_columns *columns,
                                      const struct nysx_features *features, const int32_t *train, size_t n,
                                      const struct dse_run *run, int32_t *out, struct dse_error *err)
{
    if (setting->landmarks > n)
        return dse_fail(err, DSE_BAD_USAGE, "landmarks=%zu: %s has %zu training graphs", setting->landmarks,
                        features->set->name, n);
    if (setting->sampling == NYSX_DPP)
        return choose_dpp(setting, columns, features, train, n, run, out, err);
    nysx_draw_uniform(train, n, setting->landmarks, run->seed, NYSX_STREAM_LANDMARKS, out);
    return DSE_OK;
}
