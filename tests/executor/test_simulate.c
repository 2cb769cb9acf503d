/* The simulation: infer's answers bit for bit, engines by hand on small cases, and what more hardware brings. */
#include "sets.h"

#include "devices/board.h"
#include "executor/nysx/engines.h"
#include "executor/nysx/model.h"

static struct dse_board *board(void)
{
    struct dse_error err = {0};
    struct dse_board *found = NULL;
    if (dse_board_open("zcu104", &found, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return found;
}

static struct dse_model *train(const struct dse_dataset *data, const struct dse_setting *setting)
{
    struct dse_error err = {0};
    struct dse_model *model = NULL;
    struct dse_training result;
    struct dse_run run = {.seed = 2, .jobs = 1};
    if (dse_executor_find("nysx")->train(data, setting, &run, &model, &result, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return model;
}

static struct dse_simulation simulate(const struct dse_model *model, const struct dse_dataset *data,
                                      const char *knob, const char *value, size_t jobs)
{
    struct dse_error err = {0};
    struct dse_setting knobs = {0};
    struct dse_simulation result;
    struct dse_board *zcu104 = board();
    struct dse_run run = {.seed = 1, .jobs = jobs};
    if (knob != NULL)
        assert_int_equal(dse_setting_put(&knobs, knob, value, &err), DSE_OK);
    if (dse_executor_find("nysx")->simulate(model, data, &knobs, zcu104, &run, &result, &err) != DSE_OK)
        fail_msg("%s", err.message);
    dse_setting_free(&knobs);
    dse_board_free(zcu104);
    return result;
}

static uint64_t cycles_of(const struct dse_simulation *result, const char *engine, size_t graph)
{
    for (size_t i = 0; i < result->engine_count; i++)
        if (strcmp(result->engines[i].name, engine) == 0)
            return result->engines[i].cycles[graph];
    fail_msg("no engine %s", engine);
    return 0;
}

/* Every form of features, codes and projection: the same answers, for any number of threads. */
static void test_answers_are_infers(void **state)
{
    (void)state;
    static const char *const features[] = {"labels", "attributes", "both"}, *const codes[] = {"scalar", "tuple"};
    static const char *const forms[] = {"streamed", "resident", "factored"};
    struct dse_dataset *data = test_set(60, 4, 2, 6);
    for (size_t i = 0; i < 18; i++) {
        struct dse_error err = {0};
        struct dse_setting setting = test_setting(dse_executor_find("nysx"), data, "dim", "500", "landmarks", "20",
                                                  "features", features[i % 3], "codes", codes[i / 3 % 2], "nee.form",
                                                  forms[i / 6], "hops", "3", "width", "0.5", NULL);
        struct dse_model *model = train(data, &setting);
        struct dse_simulation one = simulate(model, data, NULL, NULL, 1), two = simulate(model, data, NULL, NULL, 2);
        struct dse_inference inference;
        struct dse_run run = {.seed = 1, .jobs = 1};
        assert_int_equal(dse_executor_find("nysx")->infer(model, data, &run, &inference, &err), DSE_OK);
        assert_int_equal(one.graphs, inference.count);
        assert_int_equal(one.equal, one.graphs);
        assert_true(one.quality == inference.quality);
        assert_memory_equal(one.total, two.total, one.graphs * sizeof *one.total);
        dse_inference_free(&inference);
        dse_simulation_free(&one);
        dse_simulation_free(&two);
        dse_executor_find("nysx")->free_model(model);
        dse_setting_free(&setting);
    }
    dse_dataset_free(data);
}

/* More of a resource never costs its engine cycles, and each of these does save some. */
static void test_more_hardware_is_faster(void **state)
{
    (void)state;
    static const struct {
        const char *knob, *less, *more, *engine;
    } cases[] = {
        {"lshu.pe", "1", "8", "lshu"},          {"mphe.lookups", "1", "8", "mphe"}, {"kse.pe", "1", "16", "kse"},
        {"nee.fifo_depth", "16", "512", "nee"}, {"nee.outstanding", "1", "16", "nee"},
        {"nee.port_bits", "32", "128", "nee"},  {"sce.bits", "32", "256", "sce"},   {"sce.pe", "one", "all", "sce"},
        {"lshu.balance", "pl", "none", "query"},
    };
    struct dse_dataset *data = test_set(80, 4, 0, 6);
    struct dse_setting setting = test_setting(dse_executor_find("nysx"), data, "dim", "1000", "landmarks", "40", NULL);
    struct dse_model *model = train(data, &setting);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_simulation less = simulate(model, data, cases[i].knob, cases[i].less, 1);
        struct dse_simulation more = simulate(model, data, cases[i].knob, cases[i].more, 1);
        for (size_t g = 0; g < less.graphs; g++)
            if (!(cycles_of(&more, cases[i].engine, g) < cycles_of(&less, cases[i].engine, g)))
                fail_msg("%s=%s is no faster than %s", cases[i].knob, cases[i].more, cases[i].less);
        dse_simulation_free(&less);
        dse_simulation_free(&more);
    }
    dse_executor_find("nysx")->free_model(model);
    dse_setting_free(&setting);
    dse_dataset_free(data);
}

/* One lane: every probe and every entry takes one cycle, and codes wait for their turn. */
static void test_lookup_by_hand(void **state)
{
    (void)state;
    static const int64_t keys[] = {-5, 3, 8, 100, 4000};
    static const int64_t codes[] = {3, 3, 7, 100, -5, 9};
    static const uint64_t emitted[] = {1, 1, 1, 2, 2, 2};
    struct dse_error err = {0};
    struct nysx_mph mph;
    struct nysx_hardware hardware = {.mphe_lookups = 1, .hue_pe = 1};
    struct nysx_lookup_run run;
    int32_t histogram[5] = {0};
    assert_int_equal(nysx_mph_build(keys, 5, 2.0, &mph, &err), DSE_OK);
    assert_int_equal(nysx_simulate_lookup(&hardware, &mph, codes, emitted, 6, histogram, &run, &err), DSE_OK);
    uint64_t probes = 0, entries = 0;
    for (size_t i = 0; i < 6; i++) {
        size_t one = 0;
        entries += nysx_mph_index(&mph, codes[i], &one) >= 0;
        probes += one;
    }
    assert_int_equal(run.probes, probes);
    assert_int_equal(run.found, 4);
    assert_int_equal(run.bank_conflicts, 0);
    assert_int_equal(run.mphe_cycles, 1 + probes + entries); /* idle in cycle 0, then never */
    assert_int_equal(histogram[0] + histogram[1] + histogram[3], 4);
    assert_int_equal(histogram[1], 2);
    memset(histogram, 0, sizeof histogram);
    hardware.mphe_lookups = 4;
    assert_int_equal(nysx_simulate_lookup(&hardware, &mph, codes, emitted, 6, histogram, &run, &err), DSE_OK);
    assert_int_equal(run.probes, probes);
    assert_int_equal(histogram[1], 2);
    assert_true(run.mphe_cycles <= 1 + probes + entries);
    nysx_mph_free(&mph);
}

/* A memory without latency and faster than the lanes leaves the lanes' own time; a slow one its own. */
static void test_stream_bounds(void **state)
{
    (void)state;
    struct nysx_nee nee = {.form = NYSX_STREAMED, .dim = 1120, .landmarks = 50};
    nee.projection.precision = NYSX_FP32;
    struct nysx_hardware hardware = {.nee_lanes = 16, .nee_ports = 1, .nee_port_bits = 512, .nee_outstanding = 64,
                                     .nee_fifo_depth = 4096, .burst_beats = 16, .clock_hz = 3e8,
                                     .latency_cycles = 0.0, .channel_bytes_a_cycle = 1000.0};
    struct nysx_stream_run fast, slow;
    nysx_simulate_stream(&hardware, &nee, &fast);
    uint64_t lanes = 1120 / (16 * NYSX_ADD_DEPTH) * NYSX_ADD_DEPTH * 50;
    assert_in_range(fast.cycles, lanes + NYSX_FILL_NEE, lanes + NYSX_FILL_NEE + 30);
    assert_int_equal(fast.bytes, 1120 * 50 * 4);
    hardware.channel_bytes_a_cycle = 16.0;
    nysx_simulate_stream(&hardware, &nee, &slow);
    assert_in_range(slow.cycles, 1120 * 50 * 4 / 16, 1120 * 50 * 4 / 16 + 120);
    assert_true(slow.stall_memory > fast.stall_memory);
    nee.form = NYSX_RESIDENT;
    assert_int_equal(nysx_simulate_on_chip(&hardware, &nee), lanes + NYSX_FILL_NEE);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"lshu.pe", "0", "lshu.pe=0: must be a number of 1 to 64"},
        {"lshu.pe", "x", "lshu.pe=x: must be a number"},
        {"colour", "red", "colour: is no knob of the simulation"},
        {"kse.balance", "ps", "kse.balance=ps: no value that the simulation has"},
    };
    struct dse_board *zcu104 = board();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct dse_error err = {0};
        struct dse_setting knobs = {0};
        struct nysx_hardware hardware;
        assert_int_equal(dse_setting_put(&knobs, wrong[i][0], wrong[i][1], &err), DSE_OK);
        assert_int_equal(nysx_hardware_read(&knobs, zcu104, &hardware, &err), DSE_BAD_USAGE);
        assert_non_null(strstr(err.message, wrong[i][2]));
        dse_setting_free(&knobs);
    }
    dse_board_free(zcu104);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_infers), cmocka_unit_test(test_more_hardware_is_faster),
        cmocka_unit_test(test_lookup_by_hand),     cmocka_unit_test(test_stream_bounds),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
