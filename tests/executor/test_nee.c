/* The projection: every vector kernel and the plain rows give the same bits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "executor/nysx/nee.h"

static void fill(struct nysx_projection *projection, float *input, uint64_t seed)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, 0);
    for (size_t i = 0; i < projection->dim; i++)
        for (size_t j = 0; j < projection->columns; j++)
            projection->packed[nysx_projection_at(projection, i, j)] = (float)dse_rng_normal(&rng);
    for (size_t j = 0; j < projection->columns; j++)
        input[j] = (float)dse_rng_below(&rng, 1000);
}

static void check_size(size_t dim, size_t columns)
{
    struct dse_error err = {0};
    struct nysx_projection projection;
    assert_int_equal(nysx_projection_alloc(dim, columns, &projection, &err), DSE_OK);
    float *input = malloc(columns * sizeof *input);
    uint64_t *plain = malloc(projection.blocks * sizeof *plain), *fast = malloc(projection.blocks * sizeof *fast);
    fill(&projection, input, dim + columns);
    nysx_project_reference(&projection, input, plain);
    for (int v = NYSX_PORTABLE; v <= (int)nysx_vectors_best(); v++) {
        memset(fast, 0xff, projection.blocks * sizeof *fast);
        nysx_project_with((enum nysx_vectors)v, &projection, input, fast);
        assert_memory_equal(fast, plain, projection.blocks * sizeof *fast);
    }
    free(input);
    free(plain);
    free(fast);
    nysx_projection_free(&projection);
}

static void test_kernels_agree(void **state)
{
    (void)state;
    static const size_t dims[] = {1, 63, 64, 65, 127, 500, 1024}, columns[] = {1, 2, 3, 17, 150, 300};
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++)
        for (size_t j = 0; j < sizeof columns / sizeof *columns; j++)
            check_size(dims[i], columns[j]);
}

/* One product rounded, then the sum: a fused multiply-add would leave −2^-46 here and give the other sign. */
static void test_no_contraction(void **state)
{
    (void)state;
    struct dse_error err = {0};
    struct nysx_projection projection;
    assert_int_equal(nysx_projection_alloc(64, 2, &projection, &err), DSE_OK);
    float input[] = {1.0f, 1.0f + 0x1p-23f};
    float rounded = (1.0f + 0x1p-23f) * (1.0f + 0x1p-23f);
    for (size_t i = 0; i < 64; i++) {
        projection.packed[nysx_projection_at(&projection, i, 0)] = rounded;
        projection.packed[nysx_projection_at(&projection, i, 1)] = -(1.0f + 0x1p-23f);
    }
    for (int v = NYSX_PORTABLE; v <= (int)nysx_vectors_best(); v++) {
        uint64_t bits = 0;
        nysx_project_with((enum nysx_vectors)v, &projection, input, &bits);
        assert_true(bits == ~(uint64_t)0); /* exactly 0, which is +1 */
    }
    nysx_projection_free(&projection);
}

static void test_too_large(void **state)
{
    (void)state;
    struct dse_error err = {0};
    struct nysx_projection projection;
    assert_int_equal(nysx_projection_alloc(SIZE_MAX / 2, SIZE_MAX / 512, &projection, &err), DSE_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_agree),
        cmocka_unit_test(test_no_contraction),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
