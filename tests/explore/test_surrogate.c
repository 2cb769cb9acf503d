/* What is believed of qualities that were not measured holds as often as is said: of the shipped profiles' settings. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "datasets/profile.h"
#include "explore/surrogate.h"

#define MOST 256
#define ROUNDS 10

struct known {
    struct dse_space *space;
    struct dse_config config[MOST];
    double quality[MOST];
    size_t count;
};

static void read_profile(const char *name, struct known *out)
{
    struct dse_error err = {0};
    struct dse_profile *profile = NULL;
    *out = (struct known){0};
    assert_int_equal(dse_profile_open(name, &profile, &err), DSE_OK);
    assert_int_equal(dse_model_space(dse_model_find("nysx"), NULL, &out->space, &err), DSE_OK);
    for (size_t i = 0; i < profile->quality_count && out->count < MOST; i++) {
        struct dse_config *config = &out->config[out->count];
        dse_space_default(out->space, config);
        assert_int_equal(dse_config_apply(out->space, config, &profile->qualities[i].setting, &err), DSE_OK);
        dse_config_canonical(out->space, config);
        out->quality[out->count++] = profile->qualities[i].mean;
    }
    dse_profile_free(profile);
}

static void shuffle(struct known *known, struct dse_rng *rng)
{
    for (size_t i = known->count; i > 1; i--) {
        size_t other = dse_rng_below(rng, i);
        struct dse_config config = known->config[i - 1];
        double quality = known->quality[i - 1];
        known->config[i - 1] = known->config[other];
        known->quality[i - 1] = known->quality[other];
        known->config[other] = config;
        known->quality[other] = quality;
    }
}

/* Half of the settings tell of the other half. */
static void test_holds_as_said(void **state)
{
    static const char *const names[] = {"MUTAG", "BZR", "DD", "NCI1", "ENZYMES"};
    struct known known;
    struct dse_error err = {0};
    size_t told = 0, held = 0;
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct dse_rng rng;
        double off = 0.0, spread = 0.0;
        size_t of = 0, below = 0;
        read_profile(names[n], &known);
        dse_rng_seed(&rng, 22, n);
        for (int round = 0; round < ROUNDS; round++) {
            struct dse_surrogate *surrogate = NULL;
            size_t half = known.count / 2;
            double mean = 0.0;
            shuffle(&known, &rng);
            for (size_t i = 0; i < half; i++)
                mean += known.quality[i] / (double)half;
            assert_int_equal(dse_surrogate_fit(known.space, known.config, known.quality, half, known.config + half, known.count - half,
                                               &surrogate, &err), DSE_OK);
            double reach = dse_surrogate_reach(surrogate, 0.99);
            for (size_t i = half; i < known.count; i++) {
                double expected, deviation;
                dse_surrogate_at(surrogate, &known.config[i], &expected, &deviation);
                off += (known.quality[i] - expected) * (known.quality[i] - expected);
                spread += (known.quality[i] - mean) * (known.quality[i] - mean);
                below += known.quality[i] <= expected + reach * deviation;
                of++;
            }
            dse_surrogate_free(surrogate);
        }
        printf("%s: %zu settings: %.1f %% of the qualities are within the bound at 99 %%; off by %.4f, by %.4f without a model\n", names[n],
               known.count, 100.0 * (double)below / (double)of, sqrt(off / (double)of), sqrt(spread / (double)of));
        assert_true(off < 0.8 * spread);
        told += of;
        held += below;
        dse_space_free(known.space);
    }
    assert_true((double)held >= 0.97 * (double)told);
}

static void test_few_say_nothing(void **state)
{
    struct known known;
    struct dse_surrogate *surrogate = NULL;
    struct dse_error err = {0};
    (void)state;
    read_profile("MUTAG", &known);
    assert_int_equal(dse_surrogate_fit(known.space, known.config, known.quality, DSE_SURROGATE_LEAST - 1, NULL, 0, &surrogate, &err),
                     DSE_OK);
    assert_null(surrogate);
    dse_space_free(known.space);
}

static void test_quantile(void **state)
{
    (void)state;
    assert_true(fabs(dse_normal_quantile(0.99) - 2.3263) < 5e-4);
    assert_true(fabs(dse_normal_quantile(0.95) - 1.6449) < 5e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_holds_as_said), cmocka_unit_test(test_few_say_nothing),
                                       cmocka_unit_test(test_quantile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
