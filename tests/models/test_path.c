/* The clock of a block by its longest register-to-register path (models/path.h): published clocks, and rejections above the limit. */
#include <math.h>
#include <string.h>

#include "devices/board.h"
#include "models/path.h"
#include "tests/test.h"
#include "tests/models/fixture.h"

/* HDCU on ZCU106, Vivado 2023.2 (klessydra/HDCU, Table IV): a unit that is one broadcast to as many lanes as it has bits. Three levels and a
 * constant of the whole were fitted to these; other widths were held out. */
static const struct {
    double bits, mhz;
} hdcu[] = {{32, 234}, {128, 218}, {512, 160}};
#define HDCU_LEVELS 13.10

TEST(test_hdcu_slows_with_its_width)
{
    struct model_fixture f;
    struct dse_path_delays delays;
    nysx_fixture_open(&f, "zcu106");
    assert_true(dse_path_delays_of(f.board, &delays));
    for (size_t i = 0; i < sizeof hdcu / sizeof *hdcu; i++) {
        const struct dse_path path = {"hdcu", .levels = HDCU_LEVELS, .fanout = hdcu[i].bits};
        double mhz = 1e3 / dse_path_ns(&delays, &path);
        if (mhz < 0.97 * hdcu[i].mhz || mhz > 1.03 * hdcu[i].mhz)
            fail_msg("%.0f bits: %.1f MHz, published %.0f", hdcu[i].bits, mhz, hdcu[i].mhz);
    }
    model_fixture_close(&f);
}

/* A chip of three dies: above 200 MHz a unit must lie in one die, and units are spread evenly over the dies. */
TEST(test_units_lie_in_a_die)
{
    static const struct {
        int64_t units, mhz, most; /* units out of 840 that the cap leaves */
    } cases[] = {{1, 200, 840}, {1, 250, 280}, {2, 250, 560}, {3, 250, 840}, {4, 250, 560}, {3, 200, 840}};
    struct model_fixture f;
    nysx_fixture_open(&f, "u280");
    struct dse_board board = *f.board;
    assert_int_equal(board.slrs, 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_platform platform;
        struct dse_config config;
        dse_space_default(f.space, &config);
        config.value[f.setup.family->units_knob] = cases[i].units;
        config.value[f.setup.family->clock_knob] = cases[i].mhz;
        dse_platform_make(f.setup.family, &board, -1.0, &config, DSE_BAND_NOMINAL, &platform);
        const struct dse_clock_cap *cap = dse_board_cap(&board, (double)cases[i].mhz * 1e6);
        double whole = (double)platform.limits[DSE_LUT] * cap->utilisation[DSE_LUT];
        if (fabs((double)platform.capped[DSE_LUT] - whole * (double)cases[i].most / 840.0) > 8.0)
            fail_msg("%d units at %d MHz: %lld of %.0f LUT", (int)cases[i].units, (int)cases[i].mhz, (long long)platform.capped[DSE_LUT], whole);
    }
    model_fixture_close(&f);
}

/* By the budgets of speed grades: 2 of the 7 series is 5/3 slower than 2 of UltraScale+. */
TEST(test_families_have_their_delays)
{
    struct model_fixture plus, seven;
    struct dse_path_delays fast, slow;
    const struct dse_path paths[] = {{"levels", .levels = 3}, {"a sum", .levels = 1, .carry_bits = 32}, {"a block", .rams = 1}, {"a product", .dsps = 1}, {"a net across", .area = 1e4}};
    nysx_fixture_open(&plus, "zcu104");
    nysx_fixture_open(&seven, "kc705");
    assert_true(dse_path_delays_of(plus.board, &fast) && dse_path_delays_of(seven.board, &slow));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_float_equal(dse_path_ns(&slow, &paths[i]), dse_path_ns(&fast, &paths[i]) * 0.5 / 0.3, 1e-9);
    assert_float_equal(dse_path_ns(&fast, &paths[0]) - dse_path_ns(&fast, &(struct dse_path){.where = "none"}), 0.9, 1e-9);
    /* A net across 40,000 LUTs costs four levels and more. */
    const struct dse_path near = {"near", .levels = 2}, far = {"far", .levels = 2, .area = 40e3};
    assert_true(dse_path_ns(&fast, &far) - dse_path_ns(&fast, &near) > 4.0 * 0.3);
    model_fixture_close(&plus);
    model_fixture_close(&seven);
}

/* The worst end of each kind in engines alone, each with registers at its ports. nextpnr-ecp5 0.11.1 routed the engines for an ECP5-85F of
 * grade 6 (`make pnr` of the balanced answers of MUTAG, BZR and NCI1). Of LUTs of four inputs 2.2 make one of six. */
static const struct {
    struct dse_path path;
    double luts4, ns;
} routed_ways[] = {{{"a direct lane's ones", .levels = 2}, 22531, 7.28},
                   {{"a direct lane's ones", .levels = 2}, 67829, 10.72},
                   {{"ones shared with prototypes", .levels = 2}, 7820, 6.36},
                   {{"ones shared with prototypes", .levels = 2}, 5916, 6.01},
                   {{"one of eight elements", .levels = 4}, 12403, 9.42},
                   {{"one of eight elements", .levels = 4}, 13160, 8.76},
                   {{"an index beside another", .levels = 2, .carry_bits = 16}, 0, 5.26},
                   {{"a product without registers", .dsps = 1}, 0, 8.55},
                   {{"a word of a block without a register", .rams = 1}, 0, 7.63},
                   {{"a wide product without registers", .levels = 1, .dsps = 1, .factor_bits = 26}, 0, 13.29}};

TEST(test_routed_ways_are_predicted)
{
    for (size_t i = 0; i < sizeof routed_ways / sizeof *routed_ways; i++) {
        struct dse_path path = routed_ways[i].path;
        path.area = routed_ways[i].luts4 / 2.2;
        double error = dse_path_ns(&dse_path_ecp5, &path) / routed_ways[i].ns - 1.0;
        if (fabs(error) > 0.15)
            fail_msg("%s, %.0f LUT4: %.2f ns, routed %.2f", path.where, routed_ways[i].luts4, dse_path_ns(&dse_path_ecp5, &path), routed_ways[i].ns);
    }
    /* A multiplier with registers before and after it limits no clock, unless its product is wider than a multiplier. */
    const struct dse_path narrow = {"17 by 17", .factor_bits = 17}, wide = {"26 by 17", .factor_bits = 26};
    assert_float_equal(dse_path_ns(&dse_path_ecp5, &narrow), dse_path_ecp5.begin, 1e-9);
    assert_true(dse_path_ns(&dse_path_ecp5, &wide) > 8.0);
}

TEST(test_a_clock_above_the_slowest_way_is_rejected)
{
    struct model_fixture f;
    struct dse_error err = {0};
    struct dse_config config;
    static struct dse_estimate at_300, at_400, routed;
    nysx_fixture_open(&f, "zcu104");
    f.setup.family = f.setup.family->in_rtl;
    dse_space_default(f.space, &config);
    static const char *const knobs[][2] = {{"nee.form", "resident"}, {"nee.precision", "int8"}, {"place.p", "bram"}, {"place.h", "bram"},
                                           {"place.codebook", "bram"}, {"place.prototypes", "bram"}, {"lshu.balance", "ps"}, {"features", "labels"}};
    for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++)
        if (dse_space_find(f.space, knobs[i][0]) >= 0)
            assert_int_equal(dse_config_set(f.space, &config, knobs[i][0], knobs[i][1], &err), DSE_OK);
    assert_int_equal(dse_config_set(f.space, &config, "clock_mhz", "300", &err), DSE_OK);
    assert_int_equal(dse_estimate_make(&f.setup, &config, &at_300, &err), DSE_OK);
    if (at_300.rejection.rejected)
        fail_msg("%s", at_300.rejection.reason);
    assert_true(at_300.clock.ns > 0.0 && at_300.clock.ns <= 1e3 / 300.0);
    assert_int_equal(dse_config_set(f.space, &config, "clock_mhz", "1000", &err), DSE_OK);
    assert_int_equal(dse_estimate_make(&f.setup, &config, &at_400, &err), DSE_OK);
    assert_true(at_400.rejection.rejected);
    assert_non_null(strstr(at_400.rejection.reason, "which is at most"));
    f.setup.delays = &dse_path_ecp5;
    assert_int_equal(dse_config_set(f.space, &config, "clock_mhz", "300", &err), DSE_OK);
    assert_int_equal(dse_estimate_make(&f.setup, &config, &routed, &err), DSE_OK);
    assert_true(routed.clock.ns > at_300.clock.ns && !routed.clock.unknown);
    model_fixture_close(&f);
    /* If the chip's delays are unknown, no clock is rejected, and the estimate says so. */
    nysx_fixture_open(&f, "vck190");
    f.setup.family = f.setup.family->in_rtl;
    assert_int_equal(dse_estimate_make(&f.setup, &config, &routed, &err), DSE_OK);
    assert_true(routed.clock.ns == 0.0 && routed.clock.unknown);
    model_fixture_close(&f);
}

/* Both flows pay for the cycles that a knob saves: the processor numbers the nodes by the lengths of rows (1 µs and 20 ns per row).
 * Units that a flow does not emit are rejected. */
TEST(test_nothing_is_free)
{
    struct model_fixture f;
    struct dse_error err;
    nysx_fixture_open(&f, "zcu104");
    const struct dse_model_family *flows[] = {f.setup.family, f.setup.family->in_rtl};
    static const char *const knobs[][2] = {{"nee.form", "resident"}, {"nee.precision", "int8"}, {"place.p", "bram"}, {"place.h", "bram"},
                                           {"place.codebook", "bram"}, {"place.prototypes", "bram"}, {"features", "labels"}, {"clock_mhz", "100"}};
    for (size_t flow = 0; flow < 2; flow++) {
        struct dse_config config;
        struct dse_estimate none, ps, several;
        f.setup.family = flows[flow];
        dse_space_default(f.space, &config);
        for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++)
            if (dse_space_find(f.space, knobs[i][0]) >= 0)
                assert_int_equal(dse_config_set(f.space, &config, knobs[i][0], knobs[i][1], &err), DSE_OK);
        assert_int_equal(dse_config_set(f.space, &config, "lshu.balance", "none", &err), DSE_OK);
        assert_int_equal(dse_estimate_make(&f.setup, &config, &none, &err), DSE_OK);
        assert_int_equal(dse_config_set(f.space, &config, "lshu.balance", "ps", &err), DSE_OK);
        assert_int_equal(dse_estimate_make(&f.setup, &config, &ps, &err), DSE_OK);
        assert_false(none.rejection.rejected || ps.rejection.rejected);
        double paid = ps.stages[0].latency_s - none.stages[0].latency_s;
        if (!(paid > 1.2e-6 && paid < 5e-6))
            fail_msg("%s: lshu.balance=ps takes %g s of the query", flow == 0 ? "HLS" : "RTL", paid);
        assert_int_equal(dse_config_set(f.space, &config, "units", "4", &err), DSE_OK);
        assert_int_equal(dse_estimate_make(&f.setup, &config, &several, &err), DSE_OK);
        assert_int_equal(several.rejection.rejected, flow == 1);
        if (flow == 1)
            assert_non_null(strstr(several.rejection.reason, "units=4"));
        else
            assert_float_equal(several.metrics[DSE_METRIC_THROUGHPUT], 4.0 * ps.metrics[DSE_METRIC_THROUGHPUT], 1e-6 * several.metrics[DSE_METRIC_THROUGHPUT]);
    }
    model_fixture_close(&f);
}

TESTS(NULL, NULL)
