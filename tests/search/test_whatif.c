/* What-if: moves compared with estimates, and the fewest changes compared with an enumeration. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/nysx/nysx.h"
#include "search/whatif.h"
#include "tests/models/opened.h"
#include "tests/test.h"

TEST(test_ratio)
{
    assert_true(dse_whatif_ratio(2.0, 1.0) == 0.5);
    assert_true(dse_whatif_ratio(0.0, 0.0) == 1.0);
    assert_true(isinf(dse_whatif_ratio(0.0, 1.0)));
    assert_true(isnan(dse_whatif_ratio(NAN, 1.0)) && isnan(dse_whatif_ratio(1.0, NAN)));
}

/* A knob that becomes active through another one does not count as a change, unless it differs from its default. */
TEST(test_changes)
{
    struct dse_config base, changed;
    dse_space_default(fixture.space, &base);
    changed = base;
    changed.value[NYSX_NEE_FORM] = NYSX_RESIDENT;
    dse_config_canonical(fixture.space, &base);
    dse_config_canonical(fixture.space, &changed);
    assert_false(dse_bits_any(dse_whatif_changes(fixture.space, &base, &base)));
    assert_true(dse_bits_equal(dse_whatif_changes(fixture.space, &base, &changed), dse_bits_one(NYSX_NEE_FORM)));
    changed.value[NYSX_PLACE_P] = changed.value[NYSX_PLACE_P] == NYSX_PLACE_BRAM ? NYSX_PLACE_URAM : NYSX_PLACE_BRAM;
    const dse_knob_set both = DSE_BITS(DSE_KNOB_BIT(NYSX_NEE_FORM) | DSE_KNOB_BIT(NYSX_PLACE_P));
    assert_true(dse_bits_equal(dse_whatif_changes(fixture.space, &base, &changed), both));
}

static double latency_of(const struct dse_config *config, bool *fits)
{
    struct dse_estimate estimate;
    struct dse_error err;
    if (dse_estimate_built(&fixture.setup, config, &estimate, &err) != DSE_OK)
        return NAN;
    *fits = estimate.fits;
    return estimate.metrics[DSE_METRIC_LATENCY];
}

TEST(test_sensitivity)
{
    struct dse_whatif whatif = {.setup = fixture.setup, .profile = fixture.profile};
    struct dse_config base;
    struct dse_error err;
    dse_space_default(fixture.space, &base);
    base.value[NYSX_HOPS] = 3; /* values of the artificial profile */
    struct dse_whatif_moves moves;
    assert_int_equal(dse_whatif_sensitivity(&whatif, &base, DSE_METRIC_LATENCY, &moves, &err), DSE_OK);
    assert_true(moves.count > 40);
    bool fits = false;
    double now = latency_of(&base, &fits), before = INFINITY, largest = 0.0;
    for (size_t i = 0; i < moves.count; i++) {
        const struct dse_whatif_move *move = &moves.moves[i];
        struct dse_config config = base;
        config.value[move->knob] = move->value;
        assert_true(move->ratio[DSE_METRIC_LATENCY] == latency_of(&config, &fits) / now);
        assert_int_equal(move->fits, fits);
        largest = fmax(largest, fabs(log(move->ratio[DSE_METRIC_LATENCY])));
        if (i + 1 == moves.count || moves.moves[i + 1].knob != move->knob) {
            assert_true(largest <= before);
            before = largest;
            largest = 0.0;
        }
    }
    dse_whatif_moves_free(&moves);
}

static const struct {
    size_t knob;
    int64_t values[4];
    size_t count;
} varied[] = {
    {NYSX_NEE_LANES, {16, 32, 64}, 3},      {NYSX_NEE_PORTS, {1, 2, 4}, 3},    {NYSX_NEE_PRECISION, {0}, 1},
    {NYSX_NEE_OUTSTANDING, {2, 16}, 2},     {NYSX_KSE_PE, {1, 4, 16}, 3},      {NYSX_LSHU_PE, {1, 4, 16}, 3},
    {NYSX_CLOCK_MHZ, {200, 300}, 2},        {NYSX_SCE_BITS, {32, 128, 512}, 3}, {NYSX_HUE_PE, {1, 4}, 2},
};
#define VARIED (sizeof varied / sizeof *varied)

/* The fewest changes by enumeration. */
static size_t fewest(const struct dse_config *base, struct dse_config *config, size_t depth, double bound)
{
    if (depth == VARIED) {
        bool fits = false;
        double latency = latency_of(config, &fits);
        dse_knob_set changes = dse_whatif_changes(fixture.space, base, config);
        return fits && latency <= bound ? dse_bits_count(changes) : SIZE_MAX;
    }
    size_t least = SIZE_MAX;
    for (size_t v = 0; v < varied[depth].count; v++) {
        config->value[varied[depth].knob] = varied[depth].values[v];
        size_t found = fewest(base, config, depth + 1, bound);
        least = found < least ? found : least;
    }
    return least;
}

TEST(test_least)
{
    struct dse_error err;
    struct dse_space *space = NULL;
    assert_int_equal(dse_model_space(fixture.setup.family, NULL, &space, &err), DSE_OK);
    struct dse_config base;
    dse_space_default(space, &base);
    for (size_t k = 0; k < space->count; k++)
        dse_space_restrict(space, k, &base.value[k], 1);
    struct dse_question question = {.family = fixture.setup.family, .space = space, .board = fixture.board,
                                    .costs = fixture.costs, .headroom = -1.0, .jobs = 1,
                                    .objectives = {DSE_METRIC_LATENCY}, .objective_count = 1};
    for (size_t i = 0; i < VARIED; i++) {
        dse_space_restrict(space, varied[i].knob, varied[i].values, varied[i].count);
        base.value[varied[i].knob] = varied[i].values[0];
        dse_bits_add(&question.free, varied[i].knob);
    }
    struct dse_alternative alternative = {.config = base, .workload = fixture.workload, .quality = 0.5};
    question.base = base;
    question.alternatives = &alternative;
    question.alternative_count = 1;
    bool fits = false;
    double now = latency_of(&base, &fits);
    size_t deepest = 0;
    for (double share = 1.0; share > 0.12; share *= 0.8) {
        question.limits[0] = dse_limit_of(DSE_METRIC_LATENCY, false, now * share);
        question.limit_count = 1;
        struct dse_config config = base;
        size_t expected = fewest(&base, &config, 0, now * share);
        struct dse_least_change least;
        assert_int_equal(dse_whatif_least(&question, &least, &err), DSE_OK);
        assert_int_equal(least.found, expected != SIZE_MAX);
        if (!least.found)
            break;
        assert_int_equal(least.changes, expected);
        assert_int_equal(dse_bits_count(dse_whatif_changes(space, &base, &least.config)), expected);
        assert_true(latency_of(&least.config, &fits) <= now * share);
        assert_true(fits);
        deepest = expected > deepest ? expected : deepest;
    }
    assert_true(deepest >= 3);
    question.limits[0].bound = 1e-9;
    struct dse_least_change least;
    assert_int_equal(dse_whatif_least(&question, &least, &err), DSE_OK);
    assert_false(least.found);
    assert_non_null(strstr(least.why, "the best feasible one has latency"));
    dse_space_free(space);
}

TESTS(open_fixture, close_fixture)
