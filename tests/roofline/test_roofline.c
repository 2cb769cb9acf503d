/* Roofs set by resources, and points that stay below them. */

#include <math.h>
#include <string.h>

#include "models/nysx/nysx.h"
#include "roofline/roofline.h"
#include "tests/models/opened.h"
#include "tests/test.h"

static double height(const struct dse_roofline *roofline, const char *name, const char *level)
{
    for (size_t i = 0; i < roofline->roof_count; i++)
        if (strcmp(roofline->roofs[i].name, name) == 0 && strcmp(roofline->roofs[i].level, level) == 0)
            return roofline->roofs[i].height;
    return NAN;
}

/* Every lane needs resources: a single form gives no more lanes, and no resources give none. */
TEST(test_lanes)
{
    const int64_t *chip = fixture.board->chip;
    int64_t none[DSE_RESOURCE_COUNT] = {0}, twice[DSE_RESOURCE_COUNT];
    int out = -1;
    assert_int_equal(dse_roofline_lanes(fixture.costs, DSE_FP32, 300e6, none, &out), 0);
    for (int r = 0; r < DSE_RESOURCE_COUNT; r++)
        twice[r] = 2 * chip[r];
    for (int p = 0; p < DSE_PRECISION_COUNT; p++) {
        int64_t lanes = dse_roofline_lanes(fixture.costs, (enum dse_precision)p, 300e6, chip, &out);
        struct dse_cost cost;
        struct dse_error err;
        if (dse_costs_operator(fixture.costs, DSE_OP_MAC, (enum dse_precision)p, DSE_FORM_DSP, 300e6, &cost, &err) == DSE_OK)
            assert_true((double)lanes >= floor(fmin((double)chip[DSE_DSP] / cost.amount[DSE_DSP],
                                                    (double)chip[DSE_LUT] / fmax(cost.amount[DSE_LUT], 1e-9))));
        assert_true(dse_roofline_lanes(fixture.costs, (enum dse_precision)p, 300e6, twice, &out) >= 2 * lanes);
    }
}

static void make(struct dse_config *config, struct dse_estimate *estimate, struct dse_roofline *roofline)
{
    struct dse_error err;
    assert_int_equal(dse_estimate_built(&fixture.setup, config, estimate, &err), DSE_OK);
    assert_int_equal(dse_roofline_make(&fixture.setup, estimate, roofline, &err), DSE_OK);
}

/* int8 lanes out of 10 DSPs and 1000 LUTs: 10 in DSPs, and of an adder (9) and a multiplier (40 LUTs) 20 more. LUTs used by
 * one kind of lane are gone for the other: two kinds from LUTs alone make 20. A lane multiplies and adds, two operations per cycle. */
TEST(test_lanes_by_hand)
{
    int out = -1;
    const int64_t both[DSE_RESOURCE_COUNT] = {[DSE_DSP] = 10, [DSE_LUT] = 1000, [DSE_FF] = 1000000};
    const int64_t luts[DSE_RESOURCE_COUNT] = {[DSE_LUT] = 1000, [DSE_FF] = 1000000};
    assert_int_equal(dse_roofline_lanes(fixture.costs, DSE_INT8, 300e6, both, &out), 30);
    assert_int_equal(dse_roofline_lanes(fixture.costs, DSE_INT8, 300e6, luts, &out), 20);
    assert_int_equal(out, DSE_LUT);
    struct dse_config config;
    struct dse_estimate estimate;
    struct dse_error err = {0};
    struct dse_roofline roofline;
    dse_space_default(fixture.space, &config);
    assert_int_equal(dse_estimate_make(&fixture.setup, &config, &estimate, &err), DSE_OK);
    assert_int_equal(dse_roofline_make(&fixture.setup, &estimate, &roofline, &err), DSE_OK);
    for (size_t i = 0; i < roofline.roof_count; i++)
        if (roofline.roofs[i].kind == DSE_ROOF_COMPUTE)
            assert_true(roofline.roofs[i].height == 2.0 * (double)roofline.roofs[i].lanes * 300e6);
}

TEST(test_roofs)
{
    struct dse_config config;
    struct dse_estimate estimate;
    struct dse_roofline roofline;
    dse_space_default(fixture.space, &config);
    make(&config, &estimate, &roofline);
    const struct dse_memory *memory = &fixture.board->memories[0];
    double preset = (double)(memory->channels * memory->width_bits) / 8.0 * memory->preset_transfers_hz;
    assert_true(fabs(height(&roofline, memory->name, "preset") / preset - 1.0) < 1e-12);
    assert_true(height(&roofline, memory->name, "sustained") < preset);
    assert_true(fabs(height(&roofline, "ports of the design", "design") / 4.8e9 - 1.0) < 0.01); /* 128 bits, 300 MHz */
    assert_true(height(&roofline, "fp32", "limits") < height(&roofline, "fp32", "chip"));
    assert_true(height(&roofline, "int8", "limits") > height(&roofline, "fp32", "limits"));
    assert_true(height(&roofline, "binary", "limits") > height(&roofline, "int4", "limits"));
    assert_true(fabs(height(&roofline, "bram", "chip") / (624 * 2 * 4.5 * 300e6) - 1.0) < 1e-12);
    assert_true(fabs(roofline.ridge - height(&roofline, "fp32", "limits") / dse_memory_sustained_bytes_per_s(memory)) < 1e-9);
}

TEST(test_points)
{
    struct dse_config config;
    struct dse_estimate estimate;
    struct dse_roofline roofline;
    dse_space_default(fixture.space, &config);
    make(&config, &estimate, &roofline);
    assert_int_equal(roofline.point_count, fixture.setup.family->engine_count + 1);
    const struct dse_roofline_point *whole = &roofline.points[roofline.point_count - 1];
    double operations = 0.0;
    for (size_t i = 0; i + 1 < roofline.point_count; i++) {
        const struct dse_roofline_point *point = &roofline.points[i];
        operations += point->operations;
        assert_true(point->performance <= point->attainable * 1.0001);
        if (strcmp(point->name, "nee") == 0) {
            assert_true(fabs(point->intensity - 0.5) < 1e-9); /* one multiply-accumulate per four bytes */
            assert_string_equal(point->bound, "port");
        }
    }
    assert_true(operations == whole->operations);
    assert_true(whole->performance == whole->operations / estimate.metrics[DSE_METRIC_LATENCY]);
    config.value[NYSX_NEE_FORM] = NYSX_RESIDENT;
    make(&config, &estimate, &roofline);
    for (size_t i = 0; i < roofline.point_count; i++)
        if (strcmp(roofline.points[i].name, "nee") == 0)
            assert_string_equal(roofline.points[i].bound, "lanes");
    assert_true(isnan(height(&roofline, "ports of the design", "design")));
}

TESTS(open_fixture, close_fixture)
