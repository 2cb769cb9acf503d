/* Eigenvectors that do not depend on the library's kernels. */
#include <math.h>
#include <string.h>

#include "core/rng.h"
#include "executor/algebra.h"
#include "tests/test.h"

enum { N = 12 };

/* Q diag(values) Qᵀ for a random orthonormal Q. */
static void make(const double *values, uint64_t seed, double *q, double *matrix)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, 1);
    for (int c = 0; c < N; c++) {
        double length = 0.0;
        for (int i = 0; i < N; i++)
            q[i * N + c] = dse_rng_normal(&rng);
        for (int other = 0; other < c; other++) {
            double along = 0.0;
            for (int i = 0; i < N; i++)
                along += q[i * N + c] * q[i * N + other];
            for (int i = 0; i < N; i++)
                q[i * N + c] -= along * q[i * N + other];
        }
        for (int i = 0; i < N; i++)
            length += q[i * N + c] * q[i * N + c];
        for (int i = 0; i < N; i++)
            q[i * N + c] /= sqrt(length);
    }
    memset(matrix, 0, N * N * sizeof *matrix);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int c = 0; c < N; c++)
                matrix[i * N + j] += values[c] * q[i * N + c] * q[j * N + c];
}

/* Rounding selects other vectors in the space of equal eigenvalues; the returned vectors are the same. */
TEST(equal_eigenvalues_have_one_basis)
{
    static const double values[N] = {0, 0, 0, 1, 1, 1, 1, 2, 3, 5, 5, 8};
    double q[N * N], matrix[N * N], first[N * N], found[N];
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (int shaken = 0; shaken < 4; shaken++) {
            make(values, seed, q, matrix);
            for (int i = 0; i < N; i++)
                for (int j = 0; j <= i; j++)
                    matrix[i * N + j] = matrix[j * N + i] += shaken * ((i * 7 + j * 3 + shaken) % 5 - 2) * 1e-15;
            OK(dse_algebra_eigen(matrix, N, found, &why));
            for (int c = 0; c < N; c++)
                assert_true(fabs(found[c] - values[c]) < 1e-12);
            for (int i = 0; i < N * N && shaken > 0; i++)
                assert_true(fabs(matrix[i] - first[i]) < 1e-10);
            if (shaken == 0)
                memcpy(first, matrix, sizeof first);
        }
}

/* M (XᵀX) is the identity, for sizes around those that are halved. Elements above the diagonal have no effect. A matrix that is not positive definite is
   rejected. */
TEST(a_factor_is_inverted)
{
    enum { MOST = 130 };
    static double matrix[MOST * MOST], x[MOST * MOST];
    static const size_t sizes[] = {1, 2, 15, 16, 17, 33, 64, 65, MOST};
    struct dse_rng rng;
    dse_rng_seed(&rng, 3, 1);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s];
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++)
                matrix[i * n + j] = matrix[j * n + i] = (i == j ? (double)n : 0.0) + dse_rng_normal(&rng);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                x[i * n + j] = j > i ? NAN : matrix[i * n + j];
        OK(dse_algebra_invert_factor(x, n, &why));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double sum = 0.0;
                for (size_t k = 0; k < n; k++)
                    for (size_t r = k > j ? k : j; r < n; r++)
                        sum += matrix[i * n + k] * x[r * n + k] * x[r * n + j];
                assert_true(fabs(sum - (i == j)) < 1e-12);
            }
    }
    double indefinite[] = {1, 2, 2, 1};
    FAILS(DSE_LIMIT, "Cholesky", dse_algebra_invert_factor(indefinite, 2, &why));
}

/* The vectors are orthonormal eigenvectors; the first large element of a non-repeated one is positive. */
TEST(the_basis_is_one_of_eigenvectors)
{
    static const double values[N] = {-2, -2, 0, 0, 0, 1, 1, 1, 4, 4, 9, 10};
    double q[N * N], matrix[N * N], vectors[N * N], found[N];
    make(values, 3, q, matrix);
    memcpy(vectors, matrix, sizeof vectors);
    OK(dse_algebra_eigen(vectors, N, found, &why));
    for (int c = 0; c < N; c++) {
        for (int other = 0; other < N; other++) {
            double product = 0.0;
            for (int i = 0; i < N; i++)
                product += vectors[i * N + c] * vectors[i * N + other];
            assert_true(fabs(product - (c == other)) < 1e-12);
        }
        for (int i = 0; i < N; i++) {
            double image = 0.0;
            for (int j = 0; j < N; j++)
                image += matrix[i * N + j] * vectors[j * N + c];
            assert_true(fabs(image - found[c] * vectors[i * N + c]) < 1e-11);
        }
    }
    for (int c = 10; c < N; c++) {
        double largest = 0.0;
        int at = 0;
        for (int i = 0; i < N; i++)
            largest = fmax(largest, fabs(vectors[i * N + c]));
        while (fabs(vectors[at * N + c]) < sqrt(0.37) * largest)
            at++;
        assert_true(vectors[at * N + c] > 0.0);
    }
}

TESTS(NULL, NULL)
