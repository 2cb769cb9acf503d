/* The k-DPP sampler against exact inclusion probabilities, from an enumeration of all subsets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/nysx/executor/landmarks.h"
#include "tests/test.h"

enum { MAX = 7, DRAWS = 40000 };

/* The determinant of the rows and columns in `subset`, by elimination. */
static double determinant(const double *kernel, size_t n, unsigned subset)
{
    double m[MAX][MAX], product = 1.0;
    size_t rows[MAX], k = 0;
    for (size_t i = 0; i < n; i++)
        if (subset >> i & 1)
            rows[k++] = i;
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            m[i][j] = kernel[rows[i] * n + rows[j]];
    for (size_t p = 0; p < k; p++) {
        size_t best = p;
        for (size_t i = p + 1; i < k; i++)
            if (fabs(m[i][p]) > fabs(m[best][p]))
                best = i;
        if (m[best][p] == 0.0)
            return 0.0;
        for (size_t j = 0; best != p && j < k; j++) {
            double swapped = m[p][j];
            m[p][j] = m[best][j];
            m[best][j] = -swapped;
        }
        product *= m[p][p];
        for (size_t i = p + 1; i < k; i++)
            for (size_t j = k; j-- > p;)
                m[i][j] -= m[i][p] / m[p][p] * m[p][j];
    }
    return product;
}

/* Gram matrix of `n` random vectors of `rank` dimensions and different lengths. */
static void draw_kernel(struct dse_rng *rng, size_t n, size_t rank, double *kernel)
{
    double vectors[MAX][MAX];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < rank; j++)
            vectors[i][j] = dse_rng_normal(rng) * (1.0 + (double)i / 3.0);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            kernel[i * n + j] = 0.0;
            for (size_t d = 0; d < rank; d++)
                kernel[i * n + j] += vectors[i][d] * vectors[j][d];
        }
    }
}

/* Every subset's frequency lies within five standard deviations of its probability. */
static void check_subsets(size_t n, size_t k, size_t rank, uint64_t seed)
{
    struct dse_rng rng;
    double kernel[MAX * MAX], copy[MAX * MAX], probability[1 << MAX] = {0}, total = 0.0;
    size_t seen[1 << MAX] = {0};
    dse_rng_seed(&rng, seed, 0);
    draw_kernel(&rng, n, rank, kernel);
    for (unsigned subset = 0; subset < 1u << n; subset++) {
        if ((size_t)__builtin_popcount(subset) == k)
            probability[subset] = fmax(determinant(kernel, n, subset), 0.0);
        total += probability[subset];
    }
    for (size_t i = 0; i < DRAWS; i++) {
        int32_t items[MAX];
        unsigned subset = 0;
        memcpy(copy, kernel, sizeof copy);
        OK(nysx_dpp_sample(copy, n, k, &rng, items, &why));
        for (size_t j = 0; j < k; j++) {
            assert_true(j == 0 || items[j - 1] < items[j]);
            subset |= 1u << items[j];
        }
        seen[subset]++;
    }
    for (unsigned subset = 0; subset < 1u << n; subset++) {
        double p = probability[subset] / total;
        double deviation = sqrt(p * (1.0 - p) / DRAWS);
        assert_true(fabs((double)seen[subset] / DRAWS - p) < 5.0 * deviation + 1e-4);
    }
}

TEST(test_exact_probabilities)
{
    check_subsets(4, 1, 4, 1);
    check_subsets(5, 2, 5, 2);
    check_subsets(6, 3, 6, 3);
    check_subsets(6, 5, 6, 4);
    check_subsets(7, 3, 4, 5); /* rank below the number of items */
    check_subsets(4, 4, 4, 6);
}

/* More items than the kernel's rank: lifted eigenvalues still give k different ones. */
TEST(test_above_the_rank)
{
    struct dse_rng rng;
    double kernel[MAX * MAX];
    for (uint64_t seed = 0; seed < 200; seed++) {
        int32_t items[MAX];
        dse_rng_seed(&rng, seed, 0);
        draw_kernel(&rng, 7, 2, kernel);
        OK(nysx_dpp_sample(kernel, 7, 5, &rng, items, &why));
        for (size_t j = 0; j < 5; j++) {
            assert_in_range(items[j], 0, 6);
            assert_true(j == 0 || items[j - 1] < items[j]);
        }
    }
}

/* Two equal items are never drawn together if the rank allows it. */
TEST(test_no_twins)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 1, 0);
    for (int i = 0; i < 2000; i++) {
        double kernel[] = {1, 1, 0.2, 1, 1, 0.2, 0.2, 0.2, 1};
        int32_t items[2];
        OK(nysx_dpp_sample(kernel, 3, 2, &rng, items, &why));
        assert_int_equal(items[1], 2);
    }
}

TEST(test_rejections)
{
    struct dse_rng rng;
    struct dse_error err = {0};
    double kernel[4] = {0};
    int32_t items[3];
    dse_rng_seed(&rng, 1, 0);
    assert_int_equal(nysx_dpp_sample(kernel, 2, 3, &rng, items, &err), DSE_BAD_USAGE);
    assert_int_equal(nysx_dpp_sample(kernel, 2, 1, &rng, items, &err), DSE_BAD_USAGE);
}

TESTS(NULL, NULL)
