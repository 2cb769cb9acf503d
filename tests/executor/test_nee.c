/* The projection: every form, precision and vector kernel against the plain reference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "models/nysx/executor/generator.h"
#include "models/nysx/executor/nee.h"
#include "tests/executor/nee_reference.h"
#include "tests/test.h"

/* A projection of random numbers, rounded to its precision. */
static void fill(struct nysx_projection *projection, struct dse_rng *rng)
{
    float *row = malloc(2 * projection->columns * sizeof *row), unused;
    for (size_t i = 0; i < projection->dim; i++) {
        for (size_t j = 0; j < projection->columns; j++)
            row[j] = (float)dse_rng_normal(rng);
        nysx_quantise_row(projection->precision, row, projection->columns, row + projection->columns,
                          projection->scale != NULL ? &projection->scale[i] : &unused);
        nysx_projection_put(projection, i, row + projection->columns);
    }
    free(row);
}

/* Kernel vectors with elements up to `bound`: all vector kernels against the reference. */
static void compare(const struct nysx_nee *nee, uint64_t bound, struct dse_rng *rng)
{
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    struct nysx_nee_scratch scratch;
    DSE_CLEANUP(dse_free_at) int32_t *kernel = malloc(nee->landmarks * sizeof *kernel);
    DSE_CLEANUP(dse_free_at) uint64_t *plain = malloc(nee->words * sizeof *plain), *fast = malloc(nee->words * sizeof *fast);
    scratch = nysx_nee_scratch_make(nee, &arena);
    for (int repeat = 0; repeat < 3; repeat++) {
        for (size_t j = 0; j < nee->landmarks; j++)
            kernel[j] = (int32_t)dse_rng_below(rng, bound);
        OK(nysx_nee_encode_reference(nee, kernel, plain, &why));
        for (int v = NYSX_PORTABLE; v < NYSX_VECTORS && nysx_kernels_use((enum nysx_vectors)v); v++) {
            memset(fast, 0xff, nee->words * sizeof *fast);
            nysx_nee_encode(nee, kernel, &scratch, fast);
            assert_memory_equal(fast, plain, nee->words * sizeof *fast);
        }
    }
}

/* Three queries that share a pass have the same hypervectors as alone. */
static void compare_batch(const struct nysx_nee *nee, uint64_t bound, struct dse_rng *rng)
{
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    struct nysx_nee_scratch scratch[3];
    DSE_CLEANUP(dse_free_at) int32_t *kernel = malloc(3 * nee->landmarks * sizeof *kernel);
    DSE_CLEANUP(dse_free_at) uint64_t *plain = malloc(nee->words * sizeof *plain), *fast = malloc(3 * nee->words * sizeof *fast);
    for (size_t j = 0; j < 3 * nee->landmarks; j++)
        kernel[j] = (int32_t)dse_rng_below(rng, bound);
    for (int q = 0; q < 3; q++)
        scratch[q] = nysx_nee_scratch_make(nee, &arena);
    memset(fast, 0xff, 3 * nee->words * sizeof *fast);
    nysx_nee_encode_batch(nee, kernel, 3, scratch, fast);
    for (size_t q = 0; q < 3; q++) {
        OK(nysx_nee_encode_reference(nee, kernel + q * nee->landmarks, plain, &why));
        assert_memory_equal(fast + q * nee->words, plain, nee->words * sizeof *plain);
    }
}

static int32_t *draw_center(size_t landmarks, struct dse_rng *rng)
{
    int32_t *center = malloc(landmarks * sizeof *center);
    for (size_t j = 0; j < landmarks; j++)
        center[j] = (int32_t)dse_rng_below(rng, 500);
    return center;
}

static void check_direct(enum nysx_precision precision, size_t dim, size_t landmarks, uint64_t bound, bool center)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, dim, landmarks);
    DSE_CLEANUP(nysx_nee_free) struct nysx_nee nee = {.form = NYSX_STREAMED, .dim = dim, .landmarks = landmarks, .words = (dim + 63) / 64};
    OK(nysx_projection_alloc(precision, dim, landmarks, &nee.projection, &why));
    fill(&nee.projection, &rng);
    nee.center = center ? draw_center(landmarks, &rng) : NULL;
    compare(&nee, bound, &rng);
    compare_batch(&nee, bound, &rng);
}

TEST(test_precisions)
{
    static const size_t dims[] = {1, 63, 64, 65, 300}, landmarks[] = {1, 2, 3, 5, 8, 17, 150};
    static const uint64_t bounds[] = {2, 100, 10000, 3000000, 2147483647};
    for (int precision = NYSX_FP32; precision <= NYSX_BINARY; precision++)
        for (size_t i = 0; i < 5; i++)
            for (size_t j = 0; j < 7; j++)
                for (size_t b = 0; b < 5; b++)
                    check_direct((enum nysx_precision)precision, dims[i], landmarks[j], bounds[b], b % 2 == 1);
}

/* Long rows of the largest elements: 32-bit partial sums must not overflow. */
TEST(test_no_overflow)
{
    for (int precision = NYSX_INT16; precision <= NYSX_BINARY; precision++) {
        struct dse_error err = {0};
        DSE_CLEANUP(nysx_nee_free) struct nysx_nee nee = {.form = NYSX_STREAMED, .dim = 64, .landmarks = 3000, .words = 1};
        assert_int_equal(nysx_projection_alloc((enum nysx_precision)precision, 64, 3000, &nee.projection, &err),
                         DSE_OK);
        int most = nysx_format((enum nysx_precision)precision)->most;
        int16_t wide[3000];
        int8_t narrow[3000];
        int32_t kernel[3000];
        for (size_t i = 0; i < 64; i++) {
            for (size_t j = 0; j < 3000; j++) {
                wide[j] = (int16_t)(j == 2999 || i % 2 ? -most : most);
                narrow[j] = (int8_t)wide[j];
                kernel[j] = INT32_MAX;
            }
            nysx_projection_put(&nee.projection, i, precision == NYSX_INT16 ? (void *)wide : (void *)narrow);
        }
        DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
        struct nysx_nee_scratch scratch;
        uint64_t bits;
        scratch = nysx_nee_scratch_make(&nee, &arena);
        for (int v = NYSX_PORTABLE; v < NYSX_VECTORS && nysx_kernels_use((enum nysx_vectors)v); v++) {
            nysx_nee_encode(&nee, kernel, &scratch, &bits);
            assert_true(bits == 0x5555555555555555u);
        }
    }
}

static void check_factored(enum nysx_generator generator, int phi_bits, size_t rank, size_t dim)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, rank, dim);
    struct nysx_nee nee = {.form = NYSX_FACTORED, .dim = dim, .landmarks = rank + 5, .words = (dim + 63) / 64,
                           .generator = generator, .generator_seed = 77, .phi_bits = phi_bits,
                           .phi_scale = phi_bits == 32 ? 1e-4f : 3.0f};
    OK(nysx_projection_alloc(NYSX_FP32, rank, rank + 5, &nee.projection, &why));
    fill(&nee.projection, &rng);
    nee.center = draw_center(nee.landmarks, &rng);
    compare(&nee, 1000, &rng);
    compare_batch(&nee, 1000, &rng);
    nysx_nee_free(&nee);
}

TEST(test_factored)
{
    static const size_t ranks[] = {1, 3, 4, 64, 70, 142};
    static const int phi_bits[] = {NYSX_PHI_FP32, 8, 16, 32};
    for (int generator = NYSX_UNIFORM8; generator <= NYSX_SIGN; generator++)
        for (size_t b = 0; b < 4; b++)
            for (size_t r = 0; r < 6; r++)
                check_factored((enum nysx_generator)generator, phi_bits[b], ranks[r], r % 2 ? 130 : 64);
}

/* Table-based sums against direct sums of the entries, up to the largest sum of the tables: 129 × 127. */
static void check_tables(size_t columns, bool extreme)
{
    enum { MOST = 300 };
    static unsigned char random[MOST * 64 * NYSX_SIGN_BLOCKS], tables[MOST * NYSX_SIGN_TABLE_BYTES], packed[(MOST + 3) / 4 * 256];
    struct dse_rng rng;
    int32_t phi[MOST];
    uint64_t words[NYSX_SIGN_BLOCKS];
    dse_rng_seed(&rng, columns, (uint64_t)extreme);
    for (size_t j = 0; j < columns; j++)
        phi[j] = extreme ? 127 : (int32_t)dse_rng_below(&rng, columns > 129 ? 101 : 255) - (columns > 129 ? 50 : 127);
    nysx_kernels->sign_tables(phi, columns, tables);
    nysx_kernels->generate_signs(9, 20, nysx_sign_steps(columns), random);
    nysx_kernels->sign_words(random, columns, tables, words);
    for (size_t b = 0; b < NYSX_SIGN_BLOCKS; b++) {
        nysx_kernels_portable.generate_block(NYSX_SIGN, 9, 20 + b, columns, packed);
        for (size_t i = 0; i < 64; i++) {
            int64_t sum = 0;
            for (size_t j = 0; j < columns; j++)
                sum += (int8_t)packed[j / 4 * 256 + 4 * i + j % 4] * phi[j];
            assert_int_equal(words[b] >> i & 1, sum >= 0);
        }
    }
}

TEST(test_sign_tables)
{
    static const size_t columns[] = {1, 7, 8, 9, 16, 23, 24, 25, 48, 129, 300};
    for (int v = NYSX_PORTABLE; v < NYSX_VECTORS && nysx_kernels_use((enum nysx_vectors)v); v++)
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
            check_tables(columns[i], false);
            if (columns[i] <= 129)
                check_tables(columns[i], true);
        }
}

/* Mean 0 (−1/2 for uniform8, whose range has one more negative value) and the deviation of the distribution. */
TEST(test_generators)
{
    static const double mean[] = {-0.5, 0.0, 0.0}, deviation[] = {73.9, 1.41421, 1.0};
    enum { COLUMNS = 256, BLOCKS = 40 };
    static unsigned char packed[COLUMNS / 4 * 256];
    for (int generator = NYSX_UNIFORM8; generator <= NYSX_SIGN; generator++) {
        double sum = 0.0, squares = 0.0;
        for (size_t block = 0; block < BLOCKS; block++) {
            nysx_kernels->generate_block((enum nysx_generator)generator, 5, block, COLUMNS, packed);
            for (size_t i = 0; i < sizeof packed; i++) {
                int element = (int8_t)packed[i];
                sum += element;
                squares += (double)element * element;
            }
        }
        double count = (double)BLOCKS * sizeof packed, found = sum / count;
        assert_float_equal(found, mean[generator], 5.0 * deviation[generator] / sqrt(count));
        assert_float_equal(sqrt(squares / count - found * found) / deviation[generator], 1.0, 0.01);
    }
}

/* The product is rounded before the sum: a fused multiply-add would give −2^-24 here, with the other sign. */
TEST(test_no_contraction)
{
    DSE_CLEANUP(nysx_nee_free) struct nysx_nee nee = {.form = NYSX_STREAMED, .dim = 64, .landmarks = 2, .words = 1};
    OK(nysx_projection_alloc(NYSX_FP32, 64, 2, &nee.projection, &why));
    int32_t kernel[] = {1, 8388607}; /* 2^23 − 1 */
    float factor = 1.0f - 0x1p-24f, product = factor * 8388607.0f;
    float row[] = {product, -factor};
    assert_true(fmaf(-factor, 8388607.0f, product) < 0.0f);
    for (size_t i = 0; i < 64; i++)
        nysx_projection_put(&nee.projection, i, row);
    DSE_CLEANUP(dse_arena_free) struct dse_arena arena = {0};
    struct nysx_nee_scratch scratch;
    scratch = nysx_nee_scratch_make(&nee, &arena);
    for (int v = NYSX_PORTABLE; v < NYSX_VECTORS && nysx_kernels_use((enum nysx_vectors)v); v++) {
        uint64_t bits = 0;
        nysx_nee_encode(&nee, kernel, &scratch, &bits);
        assert_true(bits == ~(uint64_t)0); /* exactly 0, which is +1 */
    }
}

/* Every fp16 number reads back unchanged; rounding is to nearest, ties to even. */
TEST(test_half_precision)
{
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        float value = nysx_from_fp16((uint16_t)bits), next = nysx_from_fp16((uint16_t)(bits + 1));
        assert_int_equal(nysx_to_fp16(value), bits);
        assert_int_equal(nysx_to_fp16(-value), bits | 0x8000);
        if (bits + 1 < 0x7c00) {
            float middle = 0.5f * (value + next);
            assert_int_equal(nysx_to_fp16(middle), bits + (bits & 1));
            assert_int_equal(nysx_to_fp16(nextafterf(middle, 1e9f)), bits + 1);
        }
    }
    assert_true(nysx_from_fp16(0x3c00) == 1.0f);
    assert_true(nysx_from_fp16(0x0001) == 0x1p-24f);
    assert_int_equal(nysx_to_fp16(1e9f), 0x7bff);
    assert_true(nysx_from_bf16(nysx_to_bf16(1.0f)) == 1.0f);
    assert_true(nysx_from_bf16(nysx_to_bf16(1.0f + 0x1p-8f)) == 1.0f);
    assert_true(nysx_from_bf16(nysx_to_bf16(1.0f + 0x3p-8f)) == 1.0f + 0x4p-8f);
    assert_true(isfinite(nysx_from_bf16(nysx_to_bf16(3.4e38f))));
}

TEST(test_rounding_of_rows)
{
    float row[] = {1.0f, -2.0f, 0.26f, 0.0f}, scale = 0.0f;
    int8_t element[4];
    nysx_quantise_row(NYSX_INT8, row, 4, element, &scale);
    assert_int_equal(element[1], -127);
    assert_float_equal(scale, 2.0 / 127.0, 1e-6);
    assert_int_equal(element[0], 64); /* 63.5 to even */
    nysx_quantise_row(NYSX_BINARY, row, 4, element, &scale);
    assert_int_equal(element[0], 1);
    assert_int_equal(element[1], -1);
    assert_int_equal(element[3], 1);
    assert_float_equal(scale, 3.26 / 4.0, 1e-6);
}

TEST(test_too_large)
{
    struct dse_error err = {0};
    struct nysx_projection projection;
    assert_int_equal(nysx_projection_alloc(NYSX_FP32, SIZE_MAX / 2, SIZE_MAX / 512, &projection, &err), DSE_LIMIT);
}

TESTS(NULL, NULL)
