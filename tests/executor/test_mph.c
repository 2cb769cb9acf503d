/* The minimal perfect hash: a bijection on every codebook, and no false hit after verification. */
#include <stdlib.h>

#include "core/memory.h"
#include "core/rng.h"
#include "models/nysx/executor/mph.h"
#include "tests/test.h"

/* Every key has its own index below the count, and finds its own bin. */
static void check_bijection(const int64_t *keys, size_t count, double gamma)
{
    DSE_CLEANUP(nysx_mph_free) struct nysx_mph mph = {0};
    OK(nysx_mph_build(keys, count, gamma, &mph, &why));
    unsigned char *seen = calloc(count + 1, 1);
    for (size_t i = 0; i < count; i++) {
        size_t probes = 0;
        int64_t index = nysx_mph_index(&mph, keys[i], &probes);
        assert_in_range(index, 0, count - 1);
        assert_int_equal(seen[index], 0);
        assert_in_range(probes, 1, mph.levels);
        seen[index] = 1;
        assert_int_equal(nysx_mph_find(&mph, keys[i], NULL), i);
    }
    free(seen);
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static size_t distinct(int64_t *keys, size_t count)
{
    qsort(keys, count, sizeof *keys, ascending);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || keys[kept - 1] != keys[i])
            keys[kept++] = keys[i];
    return kept;
}

static const double gammas[] = {1.0, 1.5, 2.0, 4.0};

TEST(test_random_keys)
{
    struct dse_rng rng;
    dse_rng_seed(&rng, 1, 0);
    for (size_t count = 1; count <= 4096; count = count * 2 + 1) {
        DSE_CLEANUP(dse_free_at) int64_t *keys = malloc(count * sizeof *keys);
        for (size_t i = 0; i < count; i++)
            keys[i] = (int64_t)dse_rng_u64(&rng);
        size_t kept = distinct(keys, count);
        for (size_t g = 0; g < 4; g++)
            check_bijection(keys, kept, gammas[g]);
    }
}

/* Runs, strides and single bits, which weak hashes confuse; and extreme keys. */
TEST(test_adversarial_keys)
{
    static int64_t keys[3000];
    for (size_t i = 0; i < 3000; i++)
        keys[i] = (int64_t)i - 1500;
    for (size_t g = 0; g < 4; g++)
        check_bijection(keys, 3000, gammas[g]);
    for (size_t i = 0; i < 3000; i++)
        keys[i] = ((int64_t)i - 1500) * 4294967296;
    for (size_t g = 0; g < 4; g++)
        check_bijection(keys, 3000, gammas[g]);
    for (size_t i = 0; i < 64; i++)
        keys[i] = (int64_t)((uint64_t)1 << i);
    keys[64] = 0;
    keys[65] = INT64_MAX;
    keys[66] = -1;
    size_t kept = distinct(keys, 67);
    for (size_t g = 0; g < 4; g++)
        check_bijection(keys, kept, gammas[g]);
}

TEST(test_empty)
{
    DSE_CLEANUP(nysx_mph_free) struct nysx_mph mph = {0};
    OK(nysx_mph_build(NULL, 0, 2.0, &mph, &why));
    assert_int_equal(nysx_mph_find(&mph, 0, NULL), -1);
    assert_int_equal(nysx_mph_find(&mph, 7, NULL), -1);
}

/* A code in no codebook is never found, although many such codes hit a set bit. */
TEST(test_absent_codes)
{
    enum { COUNT = 2000 };
    static int64_t keys[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        keys[i] = (int64_t)(2 * i);
    DSE_CLEANUP(nysx_mph_free) struct nysx_mph mph = {0};
    OK(nysx_mph_build(keys, COUNT, 2.0, &mph, &why));
    size_t false_hits = 0;
    for (int64_t code = 1; code < 4 * COUNT; code += 2) {
        false_hits += nysx_mph_index(&mph, code, NULL) >= 0;
        assert_int_equal(nysx_mph_find(&mph, code, NULL), -1);
    }
    assert_true(false_hits > 0); /* otherwise this test would not need the verification */
}

/* About three bits a key at γ = 2 (section 5.2.2), fewer at γ = 1, and more probes the smaller γ is. */
TEST(test_bits_and_probes)
{
    enum { COUNT = 20000 };
    DSE_CLEANUP(dse_free_at) int64_t *keys = malloc(COUNT * sizeof *keys);
    for (size_t i = 0; i < COUNT; i++)
        keys[i] = (int64_t)(i * i);
    double bits[4], probes[4];
    for (size_t g = 0; g < 4; g++) {
        DSE_CLEANUP(nysx_mph_free) struct nysx_mph mph = {0};
        OK(nysx_mph_build(keys, COUNT, gammas[g], &mph, &why));
        size_t total = 0;
        for (size_t i = 0; i < COUNT; i++)
            nysx_mph_index(&mph, keys[i], &total);
        bits[g] = (double)nysx_mph_bits(&mph) / COUNT;
        probes[g] = (double)total / COUNT;
    }
    for (size_t g = 1; g < 4; g++) {
        assert_true(bits[g] > bits[g - 1]);
        assert_true(probes[g] < probes[g - 1]);
    }
    /* Expected: γ e^(1/γ) bits and e^(1/γ) probes (Limasset et al., 2017, section 3). */
    assert_float_equal(bits[2], 3.297, 0.1);
    assert_float_equal(probes[2], 1.6487, 0.03);
}

TESTS(NULL, NULL)
