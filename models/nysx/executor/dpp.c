#include "models/nysx/executor/dpp.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/memory.h"
#include "executor/algebra.h"

/* log(e^a + e^b). */
static double log_add(double a, double b)
{
    double high = a > b ? a : b, low = a > b ? b : a;
    return low == -INFINITY ? high : high + log1p(exp(low - high));
}

/* Logarithms of the elementary symmetric polynomials: entry l (n + 1) + m is e_l of the first m values. In
 * logarithms, since e_300 of 1000 values does not fit a double. */
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

/* First phase: which k eigenvectors span the elementary DPP. */
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
    return last; /* rounding left a little over */
}

/* Second phase: items one after another, each with probability proportional to the squared length of its
 * row of V outside the span of the rows drawn before, kept up to date by a Cholesky step. `v` is n × k,
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
            weight[out[m]] = 0.0; /* exactly: none is drawn twice */
    }
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Both phases, with the eigenvectors in the columns of `vectors`. */
static void sample(const double *vectors, const double *values, size_t n, size_t k, struct dse_rng *rng, int32_t *out)
{
    double *e = symmetric_polynomials(values, n, k);
    size_t *chosen = dse_malloc(k * sizeof *chosen);
    double *v = dse_malloc(n * k * sizeof *v), *steps = dse_malloc(n * k * sizeof *steps);
    double *weight = dse_malloc(n * sizeof *weight);
    choose_vectors(values, n, k, e, rng, chosen);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            v[i * k + j] = vectors[i * n + chosen[j]];
    draw_items(v, n, k, rng, weight, steps, out);
    qsort(out, k, sizeof *out, ascending);
    free(e);
    free(chosen);
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
