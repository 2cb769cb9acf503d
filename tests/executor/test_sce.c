/* Similarity and classification: packed bits against plain sums, for every width. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/rng.h"
#include "models/nysx/executor/nee.h"
#include "models/nysx/executor/prototypes.h"
#include "tests/test.h"

static int sign_at(const uint64_t *hypervector, size_t i)
{
    return hypervector[i / 64] >> (i % 64) & 1 ? 1 : -1;
}

static void draw(struct dse_rng *rng, uint64_t *hypervector, size_t dim)
{
    size_t words = (dim + 63) / 64;
    for (size_t w = 0; w < words; w++)
        hypervector[w] = dse_rng_u64(rng);
    hypervector[words - 1] &= nysx_last_word_mask(dim);
}

static void check_width(int bits, size_t dim)
{
    DSE_CLEANUP(nysx_prototypes_free) struct nysx_prototypes prototypes = {0};
    struct dse_rng rng;
    dse_rng_seed(&rng, 5, (uint64_t)bits * 1000 + dim);
    prototypes = nysx_prototypes_make(3, dim, bits);
    int most = (1 << (bits - 1)) - 1;
    for (size_t i = 0; i < 3 * dim; i++)
        prototypes.whole[i] = (int8_t)(bits == 1 ? (dse_rng_below(&rng, 2) ? 1 : -1)
                                                 : (int)dse_rng_below(&rng, (uint64_t)(2 * most + 1)) - most);
    nysx_prototypes_seal(&prototypes);
    uint64_t hypervector[8];
    for (int repeat = 0; repeat < 50; repeat++) {
        draw(&rng, hypervector, dim);
        double best = -INFINITY;
        size_t expected = 0;
        for (size_t c = 0; c < 3; c++) {
            int64_t dot = 0, norm = 0;
            for (size_t i = 0; i < dim; i++) {
                int element = prototypes.whole[c * dim + i];
                dot += sign_at(hypervector, i) * element;
                norm += element * element;
            }
            assert_int_equal(nysx_dot_whole(&prototypes, c, hypervector), dot);
            double cosine = norm > 0 ? (double)dot / sqrt((double)norm) : 0.0;
            if (cosine > best + 1e-12) {
                best = cosine;
                expected = c;
            }
        }
        assert_int_equal(nysx_classify(&prototypes, hypervector, NULL), expected);
    }
}

TEST(test_whole_widths)
{
    static const int widths[] = {1, 2, 4, 8};
    for (size_t i = 0; i < 4; i++) {
        check_width(widths[i], 64);
        check_width(widths[i], 77);
        check_width(widths[i], 500);
    }
}

TEST(test_real_dot)
{
    float real[192];
    uint64_t hypervector[3];
    struct dse_rng rng;
    dse_rng_seed(&rng, 9, 0);
    draw(&rng, hypervector, 192);
    double expected = 0.0;
    for (size_t i = 0; i < 192; i++) {
        real[i] = (float)((int)dse_rng_below(&rng, 2001) - 1000);
        expected += sign_at(hypervector, i) * real[i];
    }
    assert_true(nysx_kernels->dot_real(real, 3, hypervector) == expected); /* whole numbers: exact in any order */
    nysx_kernels->add_scaled(real, 3, hypervector, 0.5f);
    assert_true(nysx_kernels->dot_real(real, 3, hypervector) == expected + 96.0);
}

/* Two classes around opposite vectors with noise: bundling separates them at every width. */
TEST(test_training_finds_classes)
{
    enum { COUNT = 60, DIM = 300, WORDS = 5 };
    static uint64_t hypervector[COUNT * WORDS];
    static int32_t label[COUNT];
    uint64_t centre[2][WORDS];
    struct dse_rng rng;
    dse_rng_seed(&rng, 11, 0);
    draw(&rng, centre[0], DIM);
    draw(&rng, centre[1], DIM);
    for (size_t i = 0; i < COUNT; i++) {
        label[i] = (int32_t)(i % 2);
        for (size_t w = 0; w < WORDS; w++)
            hypervector[i * WORDS + w] = centre[i % 2][w] ^ (dse_rng_u64(&rng) & dse_rng_u64(&rng));
        hypervector[i * WORDS + WORDS - 1] &= nysx_last_word_mask(DIM);
    }
    struct nysx_examples examples = {hypervector, label, COUNT, WORDS, DIM, 2, NULL, 0};
    static const int widths[] = {1, 2, 4, 8, 32};
    for (size_t b = 0; b < 5; b++) {
        for (size_t epochs = 0; epochs < 6; epochs++) {
            DSE_CLEANUP(nysx_prototypes_free) struct nysx_prototypes prototypes = {0};
            struct nysx_prototype_plan plan = {.epochs = epochs, .bits = widths[b], .in_loop = epochs % 2 == 1, .seed = 1};
            OK(nysx_prototypes_train(&examples, &plan, &prototypes, &why));
            for (size_t c = 0; c < 2; c++)
                assert_int_equal(nysx_classify(&prototypes, centre[c], NULL), c);
        }
    }
}

/* One bit is the sign of the sums, 0 counting as +1. */
TEST(test_bundling_by_hand)
{
    uint64_t hypervector[] = {0x3, 0x1, 0x0}; /* two dimensions: (+ +), (+ −) and (− −) */
    int32_t label[] = {0, 0, 1};
    struct nysx_examples examples = {hypervector, label, 3, 1, 2, 2, NULL, 0};
    DSE_CLEANUP(nysx_prototypes_free) struct nysx_prototypes prototypes = {0};
    struct nysx_prototype_plan plan = {.bits = 1};
    OK(nysx_prototypes_train(&examples, &plan, &prototypes, &why));
    assert_int_equal(prototypes.whole[0], 1);
    assert_int_equal(prototypes.whole[1], 1);
    assert_int_equal(prototypes.whole[2], -1);
    assert_int_equal(prototypes.whole[3], -1);
}

TESTS(NULL, NULL)
