/* HyDRAF's arithmetic: fast kernels against plain loops, both forms of the cluster update, encoding, the exponential. */
#include "tables.h"

#include "models/hydraf/executor/regressor.h"
#include "tests/executor/hydraf_reference.h"
#include "tests/test.h"

#define DIM 77 /* not a multiple of a vector's width */
#define COUNT 11

static double random_element(struct dse_rng *rng, enum hydraf_precision precision, double part)
{
    double most = hydraf_most(precision);
    return precision == HYDRAF_FP32 ? (double)(float)dse_rng_normal(rng)
                                    : floor((2.0 * dse_rng_uniform(rng) - 1.0) * most * part);
}

static void fill(struct hydraf_block *block, struct hydraf_rows *rows, uint64_t seed, double part)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, 1);
    for (size_t k = 0; k < block->count; k++)
        for (size_t i = 0; i < block->dim; i++)
            hydraf_block_put(block, k, i, random_element(&rng, block->precision, part));
    for (size_t i = 0; i < COUNT * block->dim; i++)
        if (rows->real != NULL)
            rows->real[i] = (float)random_element(&rng, block->precision, 1.0);
        else
            rows->whole[i] = random_element(&rng, block->precision, 1.0);
}

struct bench {
    struct hydraf_block one, two;
    struct hydraf_rows rows;
};

static void open_bench(struct bench *b, enum hydraf_precision precision, size_t clusters, double part)
{
    bool real = precision == HYDRAF_FP32;
    *b = (struct bench){.rows = {.dim = DIM, .real = real ? malloc(COUNT * DIM * sizeof(float)) : NULL,
                                 .whole = real ? NULL : malloc(COUNT * DIM * sizeof(double))}};
    hydraf_block_alloc(precision, DIM, clusters, &b->one);
    hydraf_block_alloc(precision, DIM, clusters, &b->two);
    fill(&b->one, &b->rows, 7 * clusters + (size_t)precision, part);
    b->one.step = b->one.precision == HYDRAF_FP32 ? 1.0 : 0x1p-5;
    hydraf_block_copy(&b->two, &b->one);
}

static void close_bench(struct bench *b)
{
    hydraf_block_free(&b->one);
    hydraf_block_free(&b->two);
    free(b->rows.real);
    free(b->rows.whole);
}

static void expect_same(const struct bench *b)
{
    assert_true(b->one.step == b->two.step);
    for (size_t k = 0; k < b->one.count; k++)
        for (size_t i = 0; i < DIM; i++)
            if (hydraf_block_get(&b->one, k, i) != hydraf_block_get(&b->two, k, i))
                fail_msg("element %zu of %zu: %g, and %g", i, k, hydraf_block_get(&b->one, k, i),
                         hydraf_block_get(&b->two, k, i));
}

static const size_t sizes[] = {1, 2, 3, 8, 9, 16, 33};

TEST(test_products)
{
    for (int precision = 0; precision < 3; precision++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            struct bench b;
            open_bench(&b, (enum hydraf_precision)precision, sizes[s], 1.0);
            double *fast = calloc(COUNT * b.one.lanes, sizeof *fast), *plain = calloc(COUNT * b.one.lanes, sizeof *plain);
            for (size_t count = 1; count <= COUNT; count++) {
                hydraf_products(&b.one, &b.rows, count, fast);
                hydraf_products_reference(&b.one, &b.rows, count, plain);
                assert_memory_equal(fast, plain, count * b.one.lanes * sizeof *fast);
            }
            free(fast);
            free(plain);
            close_bench(&b);
        }
}

/* Small and large gains, the latter over the range: both halve as often. */
TEST(test_updates)
{
    for (int turn = 0; turn < 24; turn++) {
        struct bench b;
        struct dse_rng rng;
        size_t clusters = sizes[turn % 7];
        dse_rng_seed(&rng, (uint64_t)turn, 2);
        open_bench(&b, (enum hydraf_precision)(turn % 3), clusters, 0.9);
        double *gain = calloc(COUNT * b.one.lanes, sizeof *gain), size = turn < 12 ? 1e-3 : 30.0;
        for (size_t j = 0; j < COUNT; j++)
            for (size_t k = 0; k < clusters; k++)
                gain[j * b.one.lanes + k] = size * dse_rng_normal(&rng);
        struct hydraf_update what = {.gain = gain, .count = 1 + (size_t)turn % COUNT, .row_step = 0x1p-4,
                                     .update = (uint32_t)turn, .stochastic = turn % 2 == 0};
        hydraf_learn(&b.one, &b.rows, &what);
        hydraf_learn_reference(&b.two, &b.rows, &what);
        expect_same(&b);
        if (turn >= 12 && b.one.precision == HYDRAF_INT8)
            assert_true(b.one.step > 0x1p-5);
        for (size_t k = 0; k < clusters && b.one.real == NULL; k++)
            for (size_t i = 0; i < DIM; i++)
                assert_true(fabs(hydraf_block_get(&b.one, k, i)) <= hydraf_most(b.one.precision));
        free(gain);
        close_bench(&b);
    }
}

/* The coordinate list against the explicit select matrix of equation 1. */
TEST(test_coordinates_are_the_dense_form)
{
    for (int turn = 0; turn < 24; turn++) {
        struct bench b;
        struct dse_rng rng;
        size_t clusters = sizes[turn % 7], index[COUNT];
        double value[COUNT];
        dse_rng_seed(&rng, (uint64_t)turn, 3);
        open_bench(&b, (enum hydraf_precision)(turn % 3), clusters, 0.9);
        double *select = calloc(COUNT * b.two.lanes, sizeof *select);
        for (size_t j = 0; j < COUNT; j++) {
            index[j] = (size_t)dse_rng_below(&rng, clusters);
            value[j] = (turn < 12 ? 1e-2 : 50.0) * dse_rng_normal(&rng);
            select[j * b.two.lanes + index[j]] = value[j];
        }
        struct hydraf_update coo = {.index = index, .gain = value, .count = COUNT, .row_step = 0x1p-4, .update = (uint32_t)turn,
                                    .stochastic = turn % 2 == 0};
        struct hydraf_update dense = {.gain = select, .count = COUNT, .row_step = 0x1p-4, .update = (uint32_t)turn,
                                      .stochastic = turn % 2 == 0};
        hydraf_learn(&b.one, &b.rows, &coo);
        hydraf_learn_reference(&b.two, &b.rows, &dense);
        expect_same(&b);
        free(select);
        close_bench(&b);
    }
}

/* Random rounding keeps the mean: many changes far below 1 add up. */
TEST(test_rounding_keeps_the_mean)
{
    struct bench b;
    open_bench(&b, HYDRAF_INT8, 1, 0.0);
    for (size_t i = 0; i < DIM; i++) {
        hydraf_block_put(&b.one, 0, i, 0.0);
        b.rows.whole[i] = 1.0;
    }
    double gain[HYDRAF_DOUBLES] = {0.02 * 0x1p-5}, sum = 0.0;
    for (uint32_t update = 0; update < 1000; update++) {
        struct hydraf_update what = {.gain = gain, .count = 1, .row_step = 1.0, .update = update, .stochastic = true};
        hydraf_learn(&b.one, &b.rows, &what);
    }
    for (size_t i = 0; i < DIM; i++)
        sum += hydraf_block_get(&b.one, 0, i) / DIM;
    assert_true(fabs(sum - 20.0) < 2.0); /* 4 deviations of √(1000 · 0.02 · 0.98 / 77) = 0.5 */
    close_bench(&b);
}

TEST(test_exponential)
{
    assert_true(hydraf_exp(0.0f) == 1.0f);
    assert_true(hydraf_exp(-200.0f) == 0.0f && hydraf_exp(-INFINITY) == 0.0f);
    for (float x = 0.0f; x > -86.0f; x -= 0.0137f) {
        double exact = exp((double)x), off = fabs((double)hydraf_exp(x) - exact) / exact;
        if (off > 2.5e-7)
            fail_msg("e^%g is off by %g", (double)x, off);
    }
}

TEST(test_encoding)
{
    struct dse_dataset *data = test_table(200, 5);
    int32_t train[150];
    for (int i = 0; i < 150; i++)
        train[i] = i;
    for (int turn = 0; turn < 6; turn++) {
        struct dse_error err = {0};
        struct hydraf_setting setting = {.dim = 203, .precision = (enum hydraf_precision)(turn % 3), .bias = turn >= 3};
        struct hydraf_encoder encoder;
        static const size_t columns[] = {0, 1, 2};
        float features[4], sums[208], real[203];
        double whole[203], mean = 0.0, squares = 0.0;
        assert_int_equal(hydraf_encoder_make(&setting, dse_dataset_table(data), columns, 3, train, 150, 9, &encoder, &err), DSE_OK);
        encoder.shift = 8;
        for (size_t r = 0; r < 150; r++) {
            hydraf_encoder_features(&encoder, dse_dataset_table(data)->values + r * 4, features);
            mean += (double)features[1] / 150.0;
            squares += (double)features[1] * (double)features[1] / 150.0;
            if (encoder.precision == HYDRAF_FP32)
                hydraf_encode_real(&encoder, features, sums, real);
            else
                hydraf_encode_whole(&encoder, features, sums, whole);
            for (size_t d = 0; d < 203; d++)
                assert_true((encoder.precision == HYDRAF_FP32 ? (double)real[d] : whole[d]) ==
                            hydraf_encode_reference(&encoder, features, d));
        }
        assert_true(fabs(mean) < 1e-6 && fabs(squares - 1.0) < 1e-2); /* standardised, except for clipping */
        if (setting.bias)
            assert_true(features[3] == 1.0f);
        double outlier[] = {1e300, -1e300, 0.0};
        hydraf_encoder_features(&encoder, outlier, features);
        assert_true(features[0] == 4.0f && features[1] == -4.0f);
        hydraf_encoder_free(&encoder);
    }
    dse_dataset_free(data);
}

TESTS(NULL, NULL)
