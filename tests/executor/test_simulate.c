/* The simulation: infer's answers bit for bit, engines on small cases by hand, and the effect of more hardware. */
#include "sets.h"

#include <math.h>

#include "devices/board.h"
#include "models/nysx/executor/engines.h"
#include "models/nysx/executor/model.h"
#include "models/nysx/executor/simulate.h"
#include "tests/test.h"

static struct dse_board *board(void)
{
    struct dse_board *found = NULL;
    OK(dse_board_open("zcu104", &found, &why));
    return found;
}

static struct dse_model *train(const struct dse_dataset *data, const struct dse_setting *setting)
{
    struct dse_model *model = NULL;
    struct dse_training result;
    struct dse_run run = {.seed = 2, .jobs = 1};
    OK(dse_train(dse_executor_find("nysx"), data, setting, &run, &model, &result, &why));
    return model;
}

static struct dse_simulation simulate(const struct dse_model *model, const struct dse_dataset *data,
                                      const char *knob, const char *value, size_t jobs)
{
    struct dse_setting knobs = {0};
    struct dse_simulation result;
    struct dse_board *zcu104 = board();
    struct dse_run run = {.seed = 1, .jobs = jobs};
    if (knob != NULL)
        dse_setting_put(&knobs, knob, value);
    OK(dse_simulate(model, data, &knobs, zcu104, &run, &result, &why));
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

static double count_of(const struct dse_simulation *result, const char *engine, const char *name)
{
    for (size_t i = 0; i < result->engine_count; i++)
        for (size_t k = 0; k < result->engines[i].count_count; k++)
            if (strcmp(result->engines[i].name, engine) == 0 && strcmp(result->engines[i].counts[k].name, name) == 0)
                return result->engines[i].counts[k].mean;
    fail_msg("%s counts no %s", engine, name);
    return 0.0;
}

/* The check of the LSHU's order covers every code, and finds few in another bin; the hashes are described. */
TEST(test_checks_are_counted)
{
    struct dse_dataset *data = test_set(60, 4, 0, 6);
    struct dse_setting setting = test_setting(dse_executor_find("nysx"), data, "dim", "500", "landmarks", "20", "hops",
                                              "3", "width", "0.01", "propagation", "A", NULL);
    DSE_CLEANUP(test_free_model) struct dse_model *model = train(data, &setting);
    DSE_CLEANUP(dse_simulation_free) struct dse_simulation result = simulate(model, data, NULL, NULL, 1);
    double nodes = 0.0, codes = count_of(&result, "lshu", "codes"), off = count_of(&result, "lshu", "codes_off_exact");
    const struct dse_split *split = &nysx_model_of(model)->base.split;
    for (size_t i = 0; i < split->n_test; i++)
        nodes += (double)dse_graph_nodes(dse_dataset_graphs(data), (size_t)split->test[i]);
    assert_true(fabs(codes - 3.0 * nodes / (double)split->n_test) < 1e-9);
    assert_true(off >= 0.0 && off < 0.05 * codes);
    assert_true(count_of(&result, "mphe", "levels") >= 1.0);
    assert_true(count_of(&result, "mphe", "bits_per_key") >= 1.0);
    assert_true(count_of(&result, "mphe", "probes") > 0.0);
    dse_setting_free(&setting);
    dse_dataset_free(data);
}

/* Every form of features, codes and projection: the same answers, for any number of threads. */
TEST(test_answers_are_infers)
{
    static const char *const features[] = {"labels", "attributes", "both"}, *const codes[] = {"scalar", "tuple"};
    static const char *const forms[] = {"streamed", "resident", "factored"};
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(60, 4, 2, 6);
    for (size_t i = 0; i < 18; i++) {
        struct dse_setting setting = test_setting(dse_executor_find("nysx"), data, "dim", "500", "landmarks", "20",
                                                  "features", features[i % 3], "codes", codes[i / 3 % 2], "nee.form",
                                                  forms[i / 6], "hops", "3", "width", "0.5", NULL);
        DSE_CLEANUP(test_free_model) struct dse_model *model = train(data, &setting);
        DSE_CLEANUP(dse_simulation_free) struct dse_simulation one = simulate(model, data, NULL, NULL, 1), two = simulate(model, data, NULL, NULL, 2);
        DSE_CLEANUP(dse_inference_free) struct dse_inference inference = {0};
        struct dse_run run = {.seed = 1, .jobs = 1};
        OK(dse_executor_find("nysx")->infer(model, data, &run, &inference, &why));
        assert_int_equal(one.items, inference.count);
        assert_int_equal(one.equal, one.items);
        assert_true(one.quality == inference.quality);
        assert_memory_equal(one.total, two.total, one.items * sizeof *one.total);
        dse_setting_free(&setting);
    }
}

/* More of a resource never increases its engine's cycles, and each of these resources saves some. */
TEST(test_more_hardware_is_faster)
{
    static const struct {
        const char *knob, *less, *more, *engine;
    } cases[] = {
        {"lshu.pe", "1", "8", "lshu"},          {"mphe.lookups", "1", "8", "mphe"}, {"kse.pe", "1", "16", "kse"},
        {"nee.fifo_depth", "16", "512", "nee"}, {"nee.outstanding", "1", "16", "nee"},
        {"nee.port_bits", "32", "128", "nee"},  {"sce.bits", "32", "256", "sce"},   {"sce.pe", "one", "all", "sce"},
        {"lshu.balance", "pl", "none", "query"},
    };
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(80, 4, 0, 6);
    DSE_CLEANUP(dse_setting_free) struct dse_setting setting = test_setting(dse_executor_find("nysx"), data, "dim", "1000", "landmarks", "40", NULL);
    DSE_CLEANUP(test_free_model) struct dse_model *model = train(data, &setting);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        DSE_CLEANUP(dse_simulation_free) struct dse_simulation less = simulate(model, data, cases[i].knob, cases[i].less, 1);
        DSE_CLEANUP(dse_simulation_free) struct dse_simulation more = simulate(model, data, cases[i].knob, cases[i].more, 1);
        for (size_t g = 0; g < less.items; g++)
            if (!(cycles_of(&more, cases[i].engine, g) < cycles_of(&less, cases[i].engine, g)))
                fail_msg("%s=%s is no faster than %s", cases[i].knob, cases[i].more, cases[i].less);
    }
}

/* Depths of the three loops that codes pass: 4, 6 and 3 cycles. */
static struct nysx_hardware lookup_hardware(size_t lanes, size_t hue_pe)
{
    return (struct nysx_hardware){.mphe_lookups = lanes, .hue_pe = hue_pe, .lshu_pe = 8, .codes_depth = 4, .mphe_depth = 6,
                                  .hue_depth = 3};
}

/* Six codes through the lookups. With one lane word i starts in cycle i, is there 4 cycles later, a bin 6 later, and counted 3
 * later: 5 + 13. With four they are two words, of which each takes two PEs two cycles: the second's last in cycle 13. */
TEST(test_lookup_by_hand)
{
    static const int64_t keys[] = {-5, 3, 8, 100, 4000};
    static const int64_t codes[] = {3, 3, 7, 100, -5, 9};
    DSE_CLEANUP(nysx_mph_free) struct nysx_mph mph = {0};
    OK(nysx_mph_build(keys, 5, 2.0, &mph, &why));
    uint64_t probes = 0;
    struct nysx_lookup_code code[6];
    for (size_t i = 0; i < 6; i++) {
        size_t one = 0;
        nysx_mph_index(&mph, codes[i], &one);
        probes += one;
        nysx_lookup_trace(&mph, codes[i], &code[i]);
    }
    for (size_t lanes = 1; lanes <= 4; lanes *= 4) {
        struct nysx_hardware hardware = lookup_hardware(lanes, 2);
        struct nysx_emission emission = nysx_emission_of(&hardware, 6, lanes, 1, 1);
        struct nysx_lookup_run run;
        int32_t copies[2 * 5] = {0};
        nysx_simulate_lookup(&hardware, &emission, code, 6, 5, copies, &run);
        assert_int_equal(run.probes, probes);
        assert_int_equal(run.found, 4);
        assert_int_equal(copies[1] + copies[5 + 1], 2);
        assert_int_equal(copies[0] + copies[5] + copies[3] + copies[5 + 3], 2);
        assert_int_equal(run.cycles, lanes == 1 ? 5 + 4 + 6 + 3 : 13 + 3);
        assert_int_equal(run.mphe_cycles, lanes == 1 ? 6 + 5 : 6 + 1);
        assert_int_equal(run.hue_cycles, lanes == 1 ? 3 + 5 : 3 + 3);
    }
}

/* One PE has the codes of a word of four in two cycles, so that the second of two begins in cycle 2. */
TEST(test_words_wait_for_their_codes)
{
    struct nysx_hardware hardware = lookup_hardware(4, 4);
    hardware.lshu_pe = 1;
    struct nysx_emission emission = nysx_emission_of(&hardware, 6, 4, 1, 1);
    struct nysx_lookup_code code[6];
    struct nysx_lookup_run run;
    int32_t copies[4] = {0};
    for (size_t i = 0; i < 6; i++)
        code[i] = (struct nysx_lookup_code){.probes = 1, .index = -1, .bin = -1};
    nysx_simulate_lookup(&hardware, &emission, code, 6, 1, copies, &run);
    assert_int_equal(emission.interval, 2);
    assert_int_equal(run.lshu_cycles, 4 + 2);
    assert_int_equal(run.cycles, 2 + 4 + 6 + 3);
}

/* Tuples of three columns, two words together: three words take two rounds of two iterations a column, and leave
 * with their last: iterations 4, 5 and 10. */
TEST(test_tuples_leave_with_their_last_column)
{
    struct nysx_hardware hardware = lookup_hardware(2, 2);
    hardware.rounds = 2;
    struct nysx_emission emission = nysx_emission_of(&hardware, 6, 2, 3, 1);
    struct nysx_lookup_code code[6] = {{.index = -1, .bin = -1}};
    struct nysx_lookup_run run;
    int32_t copies[2] = {0};
    for (size_t i = 0; i < 6; i++)
        code[i].bin = -1;
    assert_int_equal(emission.words, 3);
    assert_int_equal(emission.iterations, 12);
    nysx_simulate_lookup(&hardware, &emission, code, 6, 1, copies, &run);
    assert_int_equal(run.lshu_cycles, 4 + 11);
    assert_int_equal(run.cycles, 10 + 4 + 6 + 3);
    assert_int_equal(run.found, 0);
}

/* A full queue stalls the LSHU. 64 words come one per cycle, and one PE of the HUE takes sixteen cycles per word. When the 64th word
 * starts, 16 words are queued and 4 in flight before the MPHE, so the MPHE starts its 44th word. Then 16 and 6 words are before the HUE,
 * which starts its 22nd word in cycle 4 + 6 + 21 x 16 = 346. Without a full queue the 64th word would start in cycle 63. */
TEST(test_queue_is_bounded)
{
    struct nysx_lookup_code code[1024];
    struct nysx_hardware hardware = lookup_hardware(16, 1);
    struct nysx_emission emission = nysx_emission_of(&hardware, 1024, 16, 1, 1);
    struct nysx_lookup_run run;
    for (size_t i = 0; i < 1024; i++)
        code[i] = (struct nysx_lookup_code){.probes = 1, .index = -1, .bin = -1};
    int32_t copies[1] = {0};
    nysx_simulate_lookup(&hardware, &emission, code, 1024, 1, copies, &run);
    assert_int_equal(run.queue_most, 16);
    assert_int_equal(run.held, 346 - 63);
    assert_int_equal(run.cycles, 4 + 6 + 64 * 16 - 1 + 3);
}

static struct nysx_hardware stream_hardware(void)
{
    return (struct nysx_hardware){.nee_lanes = 16, .nee_ports = 1, .nee_port_bits = 512, .nee_outstanding = 64,
                                  .nee_fifo_depth = 4096, .burst_beats = 16, .beat_bytes = 64, .channels = 1,
                                  .nee_interleave = 7, .phi_interleave = 7, .enter_depth = 1, .nee_depth = 1, .clock_hz = 3e8,
                                  .stream_latency_cycles = 0.0, .channel_bytes_a_cycle = 1000.0};
}

static struct nysx_stream_run stream(const struct nysx_hardware *hardware, const struct nysx_nee *nee)
{
    struct nysx_stream_run run;
    nysx_simulate_stream(hardware, nee, &run);
    return run;
}

/* With a fast memory without latency the lanes set the time; with a slow memory the memory does. */
TEST(test_stream_bounds)
{
    struct nysx_nee nee = {.form = NYSX_STREAMED, .dim = 1120, .landmarks = 50};
    nee.projection.precision = NYSX_FP32;
    struct nysx_hardware hardware = stream_hardware();
    uint64_t lanes = 50 + 1120 / (16 * 7) * 7 * 50; /* and C, a landmark a cycle */
    struct nysx_stream_run fast = stream(&hardware, &nee);
    assert_in_range(fast.cycles, lanes, lanes + 30);
    assert_int_equal(fast.work, lanes);
    assert_int_equal(fast.bytes, 1120 * 50 * 4);
    hardware.channel_bytes_a_cycle = 16.0;
    struct nysx_stream_run slow = stream(&hardware, &nee);
    assert_in_range(slow.cycles, 1120 * 50 * 4 / 16, 1120 * 50 * 4 / 16 + 120);
    assert_true(slow.stall_memory > fast.stall_memory);
    nee.form = NYSX_RESIDENT;
    assert_int_equal(nysx_simulate_on_chip(&hardware, &nee), lanes);
}

/* Ports on one channel share its bandwidth: two ports get it once on one channel, and twice on two channels. */
TEST(test_ports_share_channels)
{
    struct nysx_nee nee = {.form = NYSX_STREAMED, .dim = 1792, .landmarks = 60};
    nee.projection.precision = NYSX_FP32;
    struct nysx_hardware hardware = stream_hardware();
    hardware.nee_lanes = 128;
    hardware.channel_bytes_a_cycle = 40.0;
    double bytes = 1792.0 * 60.0 * 4.0;
    struct nysx_stream_run one = stream(&hardware, &nee);
    hardware.nee_ports = 2;
    struct nysx_stream_run shared = stream(&hardware, &nee);
    hardware.channels = 2;
    struct nysx_stream_run two = stream(&hardware, &nee);
    assert_in_range(one.port_cycles, (uint64_t)(bytes / 40.0), (uint64_t)(bytes / 40.0 * 1.02));
    assert_in_range(shared.port_cycles, (uint64_t)(bytes / 40.0), (uint64_t)(bytes / 40.0 * 1.02));
    assert_in_range(two.port_cycles, (uint64_t)(bytes / 80.0), (uint64_t)(bytes / 80.0 * 1.02));
}

/* One burst at a time: each takes the latency, its beats, and the cycle in which its credits come back. */
TEST(test_one_burst_at_a_time)
{
    struct nysx_nee nee = {.form = NYSX_STREAMED, .dim = 1680, .landmarks = 10};
    nee.projection.precision = NYSX_FP32;
    struct nysx_hardware hardware = stream_hardware();
        hardware.nee_outstanding = 1;
    hardware.stream_latency_cycles = 43.0;
    struct nysx_stream_run run = stream(&hardware, &nee);
    uint64_t bursts = 1680 * 10 * 4 / 64 / 16, each = 43 + 21; /* 16 beats of 1.3 cycles */
    assert_in_range(run.port_cycles, (bursts - 1) * each, bursts * (each + 1));
    assert_true(run.stall_credit > run.port_cycles / 2);
}

/* Every hardware knob of the space is accepted, and those that should change the time do. */
TEST(test_every_knob_is_read)
{
    static const char *const silent[] = {"place.p", "place.prototypes", "units", "capacity", NULL};
    static const char *const knobs[][2] = {
        {"lshu.pe", "16"},     {"lshu.balance", "pl"},    {"mphe.lookups", "4"},  {"mphe.gamma", "1"},
        {"hue.pe", "16"},      {"kse.pe", "1"},           {"kse.balance", "none"}, {"nee.lanes", "64"},
        {"nee.ports", "4"},    {"nee.port_bits", "64"},   {"nee.outstanding", "1"}, {"nee.fifo_depth", "16"},
        {"sce.pe", "one"},     {"sce.bits", "32"},        {"place.h", "ddr"},     {"clock_mhz", "100"},
        {"place.p", "bram"},   {"place.codebook", "uram"}, {"place.prototypes", "lutram"}, {"units", "2"},
        {"capacity", "p99"},
    };
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(60, 4, 0, 6);
    DSE_CLEANUP(dse_setting_free) struct dse_setting setting = test_setting(dse_executor_find("nysx"), data, "dim", "1000", "landmarks", "40", NULL);
    DSE_CLEANUP(test_free_model) struct dse_model *model = train(data, &setting);
    DSE_CLEANUP(dse_simulation_free) struct dse_simulation paper = simulate(model, data, NULL, NULL, 1);
    for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) {
        bool still = false;
        for (size_t k = 0; silent[k] != NULL; k++)
            still = still || strcmp(silent[k], knobs[i][0]) == 0;
        DSE_CLEANUP(dse_simulation_free) struct dse_simulation other = simulate(model, data, knobs[i][0], knobs[i][1], 1);
        assert_int_equal(other.equal, other.items);
        bool same = memcmp(other.total, paper.total, paper.items * sizeof *paper.total) == 0;
        if (same != still)
            fail_msg("%s=%s %s", knobs[i][0], knobs[i][1], same ? "changes nothing" : "changes cycles");
    }
}

/* A graph's cycles are the sum of its stages, and an engine works at most as long as its stages. */
TEST(test_stages_add_up)
{
    struct dse_dataset *data = test_set(60, 4, 2, 6);
    struct dse_setting setting = test_setting(dse_executor_find("nysx"), data, "dim", "500", "landmarks", "20",
                                              "features", "both", "codes", "tuple", "hops", "3", "draws", "2", "width", "0.5", NULL);
    DSE_CLEANUP(test_free_model) struct dse_model *model = train(data, &setting);
    DSE_CLEANUP(dse_simulation_free) struct dse_simulation result = simulate(model, data, "lshu.pe", "2", 1);
    for (size_t g = 0; g < result.items; g++) {
        uint64_t sum = 0;
        for (size_t s = 0; s < result.stage_count; s++)
            sum += result.stages[s].cycles[g];
        assert_int_equal(sum, result.total[g]);
        for (size_t e = 0; e < result.engine_count; e++)
            assert_true(result.engines[e].cycles[g] <= sum);
    }
    for (size_t e = 0; e < result.engine_count; e++)
        assert_true(result.engines[e].waiting_cycles >= 0.0);
    dse_setting_free(&setting);
    dse_dataset_free(data);
}

TEST(test_rejections)
{
    static const char *const wrong[][3] = {
        {"lshu.pe", "0", "lshu.pe=0: must be a power of two from 1 to 64"},
        {"lshu.pe", "x", "lshu.pe=x: must be a power of two"},
        {"nee.lanes", "16.5", "nee.lanes=16.5: must be a whole number"},
        {"clock_mhz", "0x10", "clock_mhz=0x10: must be a whole number from 10 to 1000"},
        {"colour", "red", "colour: is not a knob of the family nysx"},
        {"nee.ports", "9", "the board zcu104 has"},
        {"nee.memory", "4", "nee.memory=4: the board zcu104 has"},
        {"place.p", "lutram", "place.p=lutram: must be bram or uram"},
        {"dim", "512", "dim=512: the model was trained with 1024"},
        {"kse.balance", "ps", "kse.balance=ps: must be none or static"},
    };
    DSE_CLEANUP(test_free_board) struct dse_board *zcu104 = board();
    DSE_CLEANUP(dse_setting_free) struct dse_setting trained = {0};
    dse_setting_put(&trained, "dim", "1024");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct dse_error err = {0};
        DSE_CLEANUP(dse_setting_free) struct dse_setting knobs = {0};
        struct nysx_hardware hardware;
        dse_setting_put(&knobs, wrong[i][0], wrong[i][1]);
        struct dse_config config;
        dse_knobs_default(&nysx_knobs, &config);
        enum dse_status status = dse_knobs_hardware(&nysx_knobs, &knobs, &trained, &config, &err);
        assert_int_equal(status == DSE_OK ? nysx_hardware_read(&config, zcu104, &hardware, &err) : status,
                         strstr(wrong[i][2], "the board") != NULL ? DSE_ANSWER_NO : DSE_BAD_USAGE);
        assert_non_null(strstr(err.message, wrong[i][2]));
    }
}

/* A hop of the RTL by its modules' pipelines, in cycles: 5 from a look-up to its value (11 for a colour), 1 in a queue, 1 to choose among
 * elements, 28 to a code, 18 per probe. Then 10 to a bin, or 9 to a miss and 1 to count it; 1 more until all codes are decided. */
TEST(test_rtl_hop_by_hand)
{
    static const int32_t counts[] = {1, 1, 1, 1}, order[] = {0, 1, 2, 3};
    struct nysx_lookup_code code[4] = {{.probes = 1}, {.probes = 1}, {.probes = 1}, {.probes = 1}};
    struct nysx_rtl_hop hop = {.elements = 1, .streams = 1, .lanes = 1, .counters = 1, .row_counts = counts, .order = order, .code = code};
    assert_int_equal(nysx_simulate_rtl_hop(&hop).lookup, 4); /* nothing: the pass begins, settles, is over, is seen to be */
    hop.nodes = 1;
    assert_int_equal(nysx_simulate_rtl_hop(&hop).lookup, 1 + 5 + 1 + 1 + 28 + 18 + 10 + 1 + 2);
    assert_int_equal(nysx_simulate_rtl_hop(&hop).inside, 1);
    code[0].probes = 3;
    assert_int_equal(nysx_simulate_rtl_hop(&hop).lookup, 67 + 2 * 18);
    code[0] = (struct nysx_lookup_code){.probes = 1, .bin = -1};
    assert_int_equal(nysx_simulate_rtl_hop(&hop).lookup, 66);
    code[0].bin = 0;
    hop.nodes = 4; /* a code per cycle */
    assert_int_equal(nysx_simulate_rtl_hop(&hop).lookup, 70);
    hop.elements = 4; /* all values at once, but one lane */
    assert_int_equal(nysx_simulate_rtl_hop(&hop).lookup, 70);
    hop.streams = hop.lanes = 4;
    hop.counters = 4;
    assert_int_equal(nysx_simulate_rtl_hop(&hop).lookup, 67);
    hop.counters = 1; /* four bins for one element, through a choice of their own */
    assert_int_equal(nysx_simulate_rtl_hop(&hop).lookup, 71);
    hop.number = 2; /* a dense pass of a row an element, a sparse one, and a hop's begin */
    assert_int_equal(nysx_simulate_rtl_hop(&hop).inside, 1 + 9 + 23);
    hop.scales = true;
    assert_int_equal(nysx_simulate_rtl_hop(&hop).inside, 1 + 9 + 29);
    hop = (struct nysx_rtl_hop){.nodes = 1, .elements = 1, .streams = 1, .lanes = 1, .counters = 1, .colours = true, .draws = 1, .row_counts = counts,
                                .order = order, .code = code};
    assert_int_equal(nysx_simulate_rtl_hop(&hop).lookup, 45);
    hop.listed = true;
    hop.number = 1;
    assert_int_equal(nysx_simulate_rtl_hop(&hop).lookup, 25);
    assert_int_equal(nysx_simulate_rtl_hop(&hop).inside, 0);
}

/* The RTL's forms: the same answers, cycles for any number of threads; unsupported designs are rejected. */
TEST(test_rtl_answers_are_infers)
{
    static const char *const forms[] = {"resident", "factored", "direct", "streamed"}, *const codes[] = {"scalar", "wl", "tuple"};
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(60, 4, 0, 6);
    DSE_CLEANUP(test_free_board) struct dse_board *zcu104 = board();
    for (size_t i = 0; i < 12; i++) {
        struct dse_error err = {0};
        struct dse_setting setting = test_setting(dse_executor_find("nysx"), data, "dim", "512", "landmarks", "20", "features", "labels",
                                                  "codes", codes[i % 3], "nee.form", forms[i / 3], "hops", "3", "width", "0.5",
                                                  "nee.precision", i / 3 == 0 ? "int8" : "fp32", "nee.phi_bits",
                                                  i / 3 == 1 ? "16" : "fp32", NULL);
        DSE_CLEANUP(dse_setting_free) struct dse_setting knobs = {0};
        DSE_CLEANUP(test_free_model) struct dse_model *model = train(data, &setting);
        struct dse_simulation one, two;
        struct dse_run run = {.seed = 1, .jobs = 1, .in_rtl = true}, side = {.seed = 1, .jobs = 2, .in_rtl = true};
        dse_setting_put(&knobs, "place.p", "bram");
        dse_setting_put(&knobs, "sce.bits", "64");
        dse_setting_put(&knobs, "nee.lanes", "16");
        if (dse_simulate(model, data, &knobs, zcu104, &run, &one, &err) != DSE_OK)
            fail_msg("%s %s: %s", forms[i / 3], codes[i % 3], err.message);
        assert_int_equal(dse_simulate(model, data, &knobs, zcu104, &side, &two, &err), DSE_OK);
        assert_int_equal(one.equal, one.items);
        assert_memory_equal(one.total, two.total, one.items * sizeof *one.total);
        dse_simulation_free(&one);
        dse_simulation_free(&two);
        dse_setting_put(&knobs, "nee.ports", "2"); /* the RTL has one */
        if (i / 3 == 3 && dse_simulate(model, data, &knobs, zcu104, &run, &one, &err) != DSE_ANSWER_NO)
            fail_msg("%s %s on two ports", forms[i / 3], codes[i % 3]);
        dse_setting_free(&setting);
    }
}

TESTS(NULL, NULL)
