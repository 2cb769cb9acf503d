#include "models/smgpu/executor/spectral.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "executor/algebra.h"
#include "models/smgpu/executor/targets.h"

enum dse_status smgpu_matrix_check(const struct smgpu_matrix *a, struct dse_error *err)
{
    if (a->begin[0] != 0 || (size_t)a->begin[a->nodes] != a->nonzeros)
        return dse_fail(err, DSE_BAD_INPUT, "indptr must begin with 0 and end with the %zu entries", a->nonzeros);
    for (size_t i = 0; i < a->nodes; i++) {
        if (a->begin[i + 1] < a->begin[i] || (size_t)a->begin[i + 1] > a->nonzeros)
            return dse_fail(err, DSE_BAD_INPUT, "row %zu: indptr must ascend, to %zu at most", i, a->nonzeros);
        for (int32_t e = a->begin[i]; e < a->begin[i + 1]; e++)
            if (a->column[e] < 0 || (size_t)a->column[e] >= a->nodes || (e > a->begin[i] && a->column[e] <= a->column[e - 1]))
                return dse_fail(err, DSE_BAD_INPUT, "row %zu: column %d: must be from 0 to %zu, ascending, each once", i, a->column[e],
                                a->nodes - 1);
    }
    return DSE_OK;
}

static const int32_t *entry_of(const struct smgpu_matrix *a, size_t row, int32_t column)
{
    int32_t low = a->begin[row], high = a->begin[row + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (a->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->begin[row + 1] && a->column[low] == column ? a->value + low : NULL;
}

enum dse_status smgpu_matrix_check_weights(const struct smgpu_matrix *a, struct dse_error *err)
{
    for (size_t i = 0; i < a->nodes; i++)
        for (int32_t e = a->begin[i]; e < a->begin[i + 1]; e++) {
            const int32_t *back = entry_of(a, (size_t)a->column[e], (int32_t)i);
            if (a->value[e] < 0)
                return dse_fail(err, DSE_BAD_INPUT, "entry (%zu, %d) is %d: a Laplacian needs weights of 0 or more", i, a->column[e],
                                a->value[e]);
            if (back == NULL || *back != a->value[e])
                return dse_fail(err, DSE_BAD_INPUT, "entry (%zu, %d) is not that of (%d, %zu): a Laplacian needs a symmetric matrix", i,
                                a->column[e], a->column[e], i);
        }
    return DSE_OK;
}

/* A row's sum, saturated after each entry. If no value is negative, only the total can saturate. `bits` is the OR of all values, an upper bound of
 * values that are not negative. */
static int32_t degree_of(struct smgpu_fixed *q, const int32_t *value, int32_t count, int32_t *bits)
{
    int64_t sum = 0;
    int32_t degree = 0;
    *bits = 0;
    for (int32_t e = 0; e < count; e++) {
        sum += value[e];
        *bits |= value[e];
    }
    if (*bits >= 0 && sum <= INT32_MAX)
        return (int32_t)sum;
    for (int32_t e = 0; e < count; e++)
        degree = smgpu_sum(q, degree, value[e]);
    return degree;
}

/* (own · value) · scale of entry e. `free`: no product can saturate, so none is checked. */
SMGPU_INLINE int64_t scaled(struct smgpu_fixed *q, const struct smgpu_matrix *a, const int32_t *scale, int32_t own, int32_t e, bool free)
{
    if (free)
        return ((int64_t)own * a->value[e] >> q->fraction) * scale[a->column[e]] >> q->fraction;
    return smgpu_product(q, smgpu_product(q, own, a->value[e]), scale[a->column[e]]);
}

SMGPU_INLINE int32_t off_diagonal(struct smgpu_fixed *q, int64_t scaled, bool free)
{
    return free ? (int32_t)-scaled : smgpu_hold(q, -scaled);
}

/* Writes a row of L from `at` on; returns its end. */
SMGPU_INLINE int32_t put_row(struct smgpu_fixed *q, const struct smgpu_matrix *a, const int32_t *scale, size_t row, bool free, int32_t at,
                              int32_t *column, int32_t *value)
{
    int32_t own = scale[row], e = a->begin[row], end = a->begin[row + 1];
    for (; e < end && a->column[e] < (int32_t)row; e++, at++)
        column[at] = a->column[e], value[at] = off_diagonal(q, scaled(q, a, scale, own, e, free), free);
    bool loop = e < end && a->column[e] == (int32_t)row;
    column[at] = (int32_t)row;
    value[at++] = smgpu_hold(q, smgpu_one(q) - (loop ? scaled(q, a, scale, own, e, free) : 0));
    for (e += loop; e < end; e++, at++)
        column[at] = a->column[e], value[at] = off_diagonal(q, scaled(q, a, scale, own, e, free), free);
    return at;
}

SMGPU_INLINE int32_t put_rows(struct smgpu_fixed *q, const struct smgpu_matrix *a, const int32_t *scale, bool free, int32_t *begin, int32_t *column,
                              int32_t *value)
{
    struct smgpu_fixed local = *q; /* a local copy, which no store can alias */
    int32_t at = begin[0] = 0;
    for (size_t i = 0; i < a->nodes; i++)
        begin[i + 1] = at = put_row(&local, a, scale, i, free, at, column, value);
    q->overflows = local.overflows;
    return at;
}

size_t smgpu_laplacian(struct smgpu_fixed *q, const struct smgpu_matrix *a, int32_t *scale, int32_t *begin, int32_t *column, int32_t *value)
{
    int32_t largest = 0, bits = 0, all = 0;
    for (size_t i = 0; i < a->nodes; i++) {
        scale[i] = degree_of(q, a->value + a->begin[i], a->begin[i + 1] - a->begin[i], &bits);
        all |= bits;
    }
    smgpu_reciprocal_roots(q, scale, a->nodes, scale);
    for (size_t i = 0; i < a->nodes; i++)
        largest |= scale[i];
    int64_t most = (int64_t)largest * all >> q->fraction;
    bool free = all >= 0 && most <= INT32_MAX && most * largest >> q->fraction <= INT32_MAX;
    return (size_t)(free ? put_rows(q, a, scale, true, begin, column, value) : put_rows(q, a, scale, false, begin, column, value));
}

void smgpu_multiply(struct smgpu_fixed *q, const struct smgpu_matrix *m, const int32_t *x, int32_t *y)
{
    for (size_t i = 0; i < m->nodes; i++) {
        int32_t sum = 0;
        for (int32_t e = m->begin[i]; e < m->begin[i + 1]; e++)
            sum = smgpu_sum(q, sum, smgpu_product(q, m->value[e], x[m->column[e]]));
        y[i] = sum;
    }
}

void smgpu_chebyshev(struct smgpu_fixed *q, const struct smgpu_matrix *l, const int32_t *x, const int32_t *theta, size_t terms, int32_t *work,
                     int32_t *y)
{
    size_t n = l->nodes;
    int32_t *before = work, *last = work + n, *next = work + 2 * n, *shifted = work + 3 * n, one = smgpu_one(q);
    for (size_t i = 0; i < n; i++)
        for (int32_t e = l->begin[i]; e < l->begin[i + 1]; e++)
            shifted[e] = smgpu_hold(q, (int64_t)l->value[e] - (l->column[e] == (int32_t)i ? one : 0));
    struct smgpu_matrix centred = {n, l->nonzeros, l->begin, l->column, shifted};
    memset(y, 0, n * sizeof *y);
    for (size_t k = 0; k < terms; k++) {
        if (k == 0)
            memcpy(last, x, n * sizeof *last);
        else {
            smgpu_multiply(q, &centred, last, next);
            for (size_t i = 0; k > 1 && i < n; i++)
                next[i] = smgpu_hold(q, (int64_t)smgpu_hold(q, 2 * (int64_t)next[i]) - before[i]);
            int32_t *free_again = before;
            before = last, last = next, next = free_again;
        }
        for (size_t i = 0; i < n; i++)
            y[i] = smgpu_sum(q, y[i], smgpu_product(q, theta[k], last[i]));
    }
}

/* The modified Bessel function I_k by its series. */
static double bessel(size_t k, double x)
{
    double term = 1.0, sum;
    for (size_t i = 1; i <= k; i++)
        term *= x / 2.0 / (double)i;
    sum = term;
    for (size_t i = 1; i < 1000 && term > sum * 1e-18; i++) {
        term *= x * x / 4.0 / ((double)i * (double)(i + k));
        sum += term;
    }
    return sum;
}

void smgpu_heat_coefficients(struct smgpu_fixed *q, double time, size_t order, int32_t *theta)
{
    for (size_t k = 0; k <= order; k++) {
        double coefficient = exp(-time) * bessel(k, time) * (k == 0 ? 1.0 : 2.0) * (k % 2 == 0 ? 1.0 : -1.0);
        theta[k] = smgpu_hold(q, llround(ldexp(coefficient, q->fraction)));
    }
}

int32_t smgpu_power_iteration(struct smgpu_fixed *q, const struct smgpu_matrix *l, size_t iterations, int32_t *v, int32_t *work)
{
    size_t n = l->nodes;
    for (size_t k = 0; k < iterations; k++) {
        smgpu_wide squares = 0;
        smgpu_multiply(q, l, v, work);
        for (size_t i = 0; i < n; i++)
            squares += (smgpu_wide)((int64_t)work[i] * work[i]);
        int64_t norm = (int64_t)smgpu_root(squares);
        for (size_t i = 0; i < n; i++)
            v[i] = norm > 0 ? smgpu_hold(q, (int64_t)work[i] * (INT64_C(1) << q->fraction) / norm) : 0;
    }
    smgpu_multiply(q, l, v, work);
    smgpu_wide along = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        along += (smgpu_wide)((int64_t)v[i] * work[i]);
        squares += (smgpu_wide)((int64_t)v[i] * v[i]);
    }
    return squares > 0 ? smgpu_hold(q, smgpu_quotient_down(along * ((smgpu_wide)1 << q->fraction), squares)) : 0;
}

/* Makes the first component of the largest magnitude positive. */
static void turn(double *vector, size_t n)
{
    size_t largest = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(vector[i]) > fabs(vector[largest]) * (1.0 + 1e-9))
            largest = i;
    if (vector[largest] < 0.0)
        for (size_t i = 0; i < n; i++)
            vector[i] = -vector[i];
}

enum dse_status smgpu_eigenbasis(struct smgpu_fixed *q, const struct smgpu_matrix *l, int32_t *basis, struct dse_error *err)
{
    size_t n = l->nodes;
    DSE_CLEANUP(dse_free_at) double *dense = dse_calloc(n * n + n + 2, sizeof *dense);
    for (size_t i = 0; i < n; i++)
        for (int32_t e = l->begin[i]; e < l->begin[i + 1]; e++)
            dense[(size_t)l->column[e] * n + i] = ldexp((double)l->value[e], -q->fraction);
    if (n > 0)
        DSE_TRY(dse_algebra_eigen_rows(dense, n, dense + n * n + 1, err));
    for (size_t k = 0; k < n; k++) {
        turn(dense + k * n, n);
        for (size_t i = 0; i < n; i++)
            basis[k * n + i] = smgpu_hold(q, llround(ldexp(dense[k * n + i], q->fraction)));
    }
    return DSE_OK;
}

void smgpu_fourier(struct smgpu_fixed *q, const int32_t *basis, size_t nodes, bool inverse, const int32_t *x, int32_t *y)
{
    for (size_t i = 0; i < nodes; i++) {
        int32_t sum = 0;
        for (size_t k = 0; k < nodes; k++)
            sum = smgpu_sum(q, sum, smgpu_product(q, inverse ? basis[k * nodes + i] : basis[i * nodes + k], x[k]));
        y[i] = sum;
    }
}
