/* Rules of training, percentiles and memory beats, on cases small enough to compute by hand. */
#include "tables.h"

#include "models/hydraf/executor/regressor.h"
#include "models/nysx/executor/engines.h"
#include "models/nysx/executor/features.h"
#include "models/nysx/executor/prototypes.h"
#include "tests/test.h"

/* ---- NysX ---- */

/* Class 0 bundles −1 −1 −1 −3, class 1 +1 +1 +1 +1. x = + + + − of class 0 has cosines 0 and ½ and so is taken for class 1:
 * class 0 becomes + (1 − 0) x = 0 0 0 −4, class 1 becomes − (1 − ½) x = ½ ½ ½ 1½. The others are right before and after, so
 * that the order of the epoch does not matter. */
TEST(test_adaptive_training)
{
    uint64_t hypervector[] = {0x0, 0x0, 0x7, 0xf};
    int32_t label[] = {0, 0, 0, 1};
    static const float expected[2][4] = {{0.0f, 0.0f, 0.0f, -4.0f}, {0.5f, 0.5f, 0.5f, 1.5f}};
    struct nysx_examples examples = {hypervector, label, 4, 1, 4, 2, NULL, 0};
    for (uint64_t seed = 0; seed < 8; seed++) {
        DSE_CLEANUP(nysx_prototypes_free) struct nysx_prototypes prototypes = {0};
        struct nysx_prototype_plan plan = {.epochs = 1, .bits = 32, .seed = seed};
        OK(nysx_prototypes_train(&examples, &plan, &prototypes, &why));
        for (size_t c = 0; c < 2; c++)
            for (size_t i = 0; i < 4; i++)
                assert_true(fabsf(prototypes.real[c * 64 + i] - expected[c][i]) < 1e-6f);
    }
}

/* Ties go to the lower class. Both classes bundle to 0, so all cosines are 0. The samples + + + + and - - - - of class 0 are right and
 * stay right. The sample z = + + - - of class 1 is wrong: it moves class 1 to z and class 0 to -z. Then -z of class 1 has a cosine of -1
 * with class 1 and of 1 with class 0. Therefore -z moves class 1 by 2 to -z. If -z comes first, the signs are exchanged: in the end both classes
 * equal the sample that came later. */
TEST(test_ties_of_training)
{
    uint64_t hypervector[] = {0xf, 0x0, 0x3, 0xc};
    int32_t label[] = {0, 0, 1, 1};
    static const float later[4] = {1.0f, 1.0f, -1.0f, -1.0f};
    struct nysx_examples examples = {hypervector, label, 4, 1, 4, 2, NULL, 0};
    for (uint64_t seed = 0; seed < 8; seed++) {
        DSE_CLEANUP(nysx_prototypes_free) struct nysx_prototypes prototypes = {0};
        struct nysx_prototype_plan plan = {.epochs = 1, .bits = 32, .seed = seed};
        OK(nysx_prototypes_train(&examples, &plan, &prototypes, &why));
        float sign = prototypes.real[0];
        assert_true(fabsf(sign) == 1.0f);
        for (size_t c = 0; c < 2; c++)
            for (size_t i = 0; i < 4; i++)
                assert_true(prototypes.real[c * 64 + i] == sign * later[i]);
    }
}

/* Adaptive training in the loop of one-bit prototypes: bundled signs − − − − and + + + +. x is at ½ of class 1 and at −½ of class 0:
 * class 0 becomes −1 −1 −1 −3 + 1½ x = ½ ½ ½ −4½, class 1 ½ ½ ½ 1½. Bits are the signs. */
TEST(test_adaptive_training_in_the_loop)
{
    uint64_t hypervector[] = {0x0, 0x0, 0x7, 0xf};
    int32_t label[] = {0, 0, 0, 1};
    static const int8_t expected[2][4] = {{1, 1, 1, -1}, {1, 1, 1, 1}};
    struct nysx_examples examples = {hypervector + 2, label + 2, 2, 1, 4, 2, NULL, 0};
    DSE_CLEANUP(nysx_prototypes_free) struct nysx_prototypes prototypes = {0};
    struct nysx_prototype_plan plan = {.epochs = 1, .bits = 1, .in_loop = true, .seed = 1};
    OK(nysx_prototypes_train(&examples, &plan, &prototypes, &why));
    for (size_t c = 0; c < 2; c++)
        assert_memory_equal(prototypes.whole + c * 4, expected[c], 4);
}

/* The scale of 4-bit prototypes is the one of the 32 allowed scales with the least squared error. The scale by the largest element (7 steps)
 * may have a larger error. */
TEST(test_quantised_scale)
{
    static const float sums[] = {8.0f, 8.0f, 1.0f, -16.0f};
    DSE_CLEANUP(nysx_prototypes_free) struct nysx_prototypes real = {0}, whole = {0};
    real = nysx_prototypes_make(1, 4, 32);
    memcpy(real.real, sums, sizeof sums);
    nysx_prototypes_seal(&real);
    whole = nysx_prototypes_quantise(&real, 4);
    double best = INFINITY;
    int8_t expected[4] = {0};
    for (int k = 1; k <= 32; k++) {
        double scale = 16.0 * k / 32 / 7, error = 0.0;
        int8_t tried[4];
        for (size_t i = 0; i < 4; i++) {
            double element = fmax(-7.0, fmin(7.0, rint((double)sums[i] / scale)));
            tried[i] = (int8_t)element;
            error += ((double)sums[i] - element * scale) * ((double)sums[i] - element * scale);
        }
        if (error < best) {
            best = error;
            memcpy(expected, tried, sizeof tried);
        }
    }
    assert_memory_equal(whole.whole, expected, sizeof expected);
}

/* A label not seen in training belongs to no column. */
TEST(test_unknown_label)
{
    int64_t seen[] = {-3, 2, 9}, met[] = {2, 5, 9};
    int32_t label[] = {0, 1, 2, 1, 0};
    struct dse_graph_set set = {.name = (char *)(uintptr_t)"met", .node_count = 5, .node_label = label,
                                .node_label_values = met, .node_label_count = 3};
    struct nysx_columns columns = {.kind = NYSX_LABELS, .label_values = seen, .labels = 3};
    DSE_CLEANUP(nysx_features_free) struct nysx_features features = {0};
    static const int32_t expected[] = {1, -1, 2, -1, 1};
    OK(nysx_features_make(&set, &columns, &features, &why));
    assert_memory_equal(features.column, expected, sizeof expected);
}

/* A triangle 0 1 2 with the path 3 4 at node 0, and node 5 alone: the 2-core is the triangle; a loop counts as no neighbour. Labels alternate
 * between 0 and 1. The pairs are 0·16 + 2 and 1·16 + 2, and those of degree 0. Pairs that are not in the training part have no column. */
TEST(test_degrees_in_the_core)
{
    int64_t values[] = {0, 1};
    size_t graph_begin[] = {0, 6}, row_begin[] = {0, 3, 5, 7, 9, 11, 11};
    int32_t label[] = {0, 1, 0, 1, 0, 1}, column[] = {1, 2, 3, 0, 2, 0, 1, 0, 4, 3, 4};
    struct dse_graph_set set = {.name = (char *)(uintptr_t)"rings", .graph_count = 1, .node_count = 6, .arc_count = 11, .graph_begin = graph_begin,
                                .row_begin = row_begin, .column = column, .node_label = label, .node_label_values = values, .node_label_count = 2};
    DSE_CLEANUP(nysx_columns_free) struct nysx_columns columns = {0};
    DSE_CLEANUP(nysx_features_free) struct nysx_features features = {0};
    static const int64_t pairs[] = {0, 2, 16, 18};
    static const int32_t expected[] = {1, 3, 1, 2, 0, 2}, unknown[] = {1, -1, 1, 2, 0, 2};
    OK(nysx_columns_make(&set, NYSX_CORES, &columns, &why));
    assert_int_equal(columns.labels, 4);
    assert_memory_equal(columns.label_values, pairs, sizeof pairs);
    OK(nysx_features_make(&set, &columns, &features, &why));
    assert_memory_equal(features.column, expected, sizeof expected);
    nysx_features_free(&features);
    columns.labels = 3;
    OK(nysx_features_make(&set, &columns, &features, &why));
    assert_memory_equal(features.column, unknown, sizeof unknown);
    values[1] = (int64_t)INT32_MAX + 1;
    FAILS(DSE_BAD_USAGE, "must lie within 4096 of each other", nysx_columns_check(&set, NYSX_CORES, &why));
    OK(nysx_columns_check(&set, NYSX_LABELS, &why));
}

/* Beat k of a burst comes latency + 1.3 k cycles after the request, at most one per cycle. With a latency of 10 and a request in cycle 0,
 * the fourth beat comes at 15.2, that is in cycle 16, the seventeenth; the seventh at 19.1, in the twenty-first. */
TEST(test_beats_of_a_burst)
{
    static const struct {
        uint64_t word_bits, cycles;
    } cases[] = {{512, 17}, {256, 14}, {1024, 22}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nysx_stream_run run;
        struct nysx_nee nee = {.form = NYSX_STREAMED, .dim = cases[i].word_bits / 32, .landmarks = 1};
        nee.projection.precision = NYSX_FP32;
        struct nysx_hardware hardware = {.nee_lanes = cases[i].word_bits / 32, .nee_ports = 1, .nee_port_bits = cases[i].word_bits,
                                         .nee_outstanding = 4, .nee_fifo_depth = 64, .burst_beats = 16, .beat_bytes = 16,
                                         .channels = 1, .nee_interleave = 1, .phi_interleave = 1, .clock_hz = 3e8,
                                         .stream_latency_cycles = 10.0, .channel_bytes_a_cycle = 1000.0};
        nysx_simulate_stream(&hardware, &nee, &run);
        assert_int_equal(run.port_cycles, cases[i].cycles);
    }
}

/* A waiting channel saves at most its bandwidth of one cycle beyond a beat. Here a cycle has 8 bytes, a beat 16 bytes, and the latency is 100.
 * 24 bytes are saved when the first of 64 beats is due at 101.3. The first beat comes in cycle 102, the second in the next cycle, and each further one
 * two cycles later: the last in cycle 227, the 228th. */
TEST(test_channels_do_not_save)
{
    struct nysx_stream_run run;
    struct nysx_nee nee = {.form = NYSX_STREAMED, .dim = 256, .landmarks = 1};
    nee.projection.precision = NYSX_FP32;
    struct nysx_hardware hardware = {.nee_lanes = 256, .nee_ports = 1, .nee_port_bits = 512, .nee_outstanding = 4,
                                     .nee_fifo_depth = 64, .burst_beats = 64, .beat_bytes = 16, .channels = 1, .nee_interleave = 1,
                                     .phi_interleave = 1, .clock_hz = 3e8, .stream_latency_cycles = 100.0,
                                     .channel_bytes_a_cycle = 8.0};
    nysx_simulate_stream(&hardware, &nee, &run);
    assert_int_equal(run.port_cycles, 228);
}

/* A burst is asked for when the FIFO has room for all of it: eight words of a beat in bursts of four, at a latency of 10. The
 * first burst's beats are due at 11.3 to 15.2 and come in cycles 12, 13, 14 and 16. */
TEST(test_bursts_wait_for_room)
{
    struct nysx_stream_run run;
    struct nysx_nee nee = {.form = NYSX_STREAMED, .dim = 32, .landmarks = 1};
    nee.projection.precision = NYSX_FP32;
    struct nysx_hardware hardware = {.nee_lanes = 32, .nee_ports = 1, .nee_port_bits = 128, .nee_outstanding = 4,
                                     .nee_fifo_depth = 7, .burst_beats = 4, .beat_bytes = 16, .channels = 1, .nee_interleave = 1,
                                     .phi_interleave = 1, .clock_hz = 3e8, .stream_latency_cycles = 10.0,
                                     .channel_bytes_a_cycle = 1000.0};
    nysx_simulate_stream(&hardware, &nee, &run);
    uint64_t seven = run.port_cycles;
    hardware.nee_fifo_depth = 8;
    nysx_simulate_stream(&hardware, &nee, &run);
    /* Room for both: the second, asked for in cycle 1, follows in cycles 17 to 20. */
    assert_int_equal(run.port_cycles, 21);
    /* Room for seven: it is asked for in the cycle after one word was taken, 13, and its last beat is due at 28.2. */
    assert_int_equal(seven, 30);
}

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static size_t series_value(const struct dse_workload *work, const char *name)
{
    const struct dse_series *series = dse_workload_series(work, name);
    assert_non_null(series);
    return (size_t)series->values[0];
}

/* The size not exceeded by `rank` graphs; `clear` if a neighbouring rank gives another size. */
static size_t size_of_rank(const struct dse_graph_set *set, size_t (*size)(const struct dse_graph_set *, size_t), size_t rank,
                           bool *clear)
{
    size_t *sizes = calloc(set->graph_count, sizeof *sizes);
    assert_non_null(sizes);
    for (size_t g = 0; g < set->graph_count; g++)
        sizes[g] = size(set, g);
    qsort(sizes, set->graph_count, sizeof *sizes, by_size);
    size_t found = sizes[rank - 1];
    *clear = sizes[rank - 2] < found && (rank == set->graph_count || found < sizes[rank]);
    free(sizes);
    return found;
}

static bool check_percentiles(int64_t graphs, size_t rank, uint64_t seed)
{
    struct dse_workload work = {0};
    struct dse_dataset *data = test_set(graphs, 3, 0, seed);
    const struct dse_executor *nysx = dse_executor_find("nysx");
    struct dse_setting setting = test_setting(nysx, data, "landmarks", "4", "dim", "64", "hops", "1", NULL);
    struct dse_run run = {.seed = 3, .jobs = 1};
    bool clear_nodes = false, clear_arcs = false;
    size_t nodes = size_of_rank(dse_dataset_graphs(data), dse_graph_nodes, rank, &clear_nodes);
    size_t arcs = size_of_rank(dse_dataset_graphs(data), dse_graph_arcs, rank, &clear_arcs);
    if (clear_nodes && clear_arcs) {
        OK(nysx->profile(data, &setting, &run, &work, &why));
        assert_int_equal(series_value(&work, "nodes.p99"), nodes);
        assert_int_equal(series_value(&work, "nnz_a.p99"), arcs);
        dse_workload_clear(&work);
    }
    dse_setting_free(&setting);
    dse_dataset_free(data);
    return clear_nodes && clear_arcs;
}

/* The 99th percentile is the nearest rank, ⌈0.99 n⌉: of 20 graphs the 20th, of 100 the 99th, of 101 and of 150 the last but one. */
TEST(test_percentiles)
{
    static const struct {
        int64_t graphs;
        size_t rank;
    } sets[] = {{20, 20}, {100, 99}, {101, 100}, {150, 149}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        uint64_t seed = 1;
        while (!check_percentiles(sets[i].graphs, sets[i].rank, seed))
            assert_true(seed++ < 200);
    }
}

/* Class weights of ridge prototypes: 20 examples per class, whose hypervectors are equal. The place of code c is c · 1024 / 2³². Places 1 (count
 * `once`) and 2 (twice as many) are class 1's; place 3 is class 0's. All examples have place 0, whose count of `common` and more tells no class. `own`
 * places belong to one example each. A scale of 1 / √Σn² halves the weight of the doubled count relative to equal scales, so that places 1 and 2 have
 * equal weights. With many own places such scales hide the shared ones: equal scales have less leave-one-out error, and place 2 has twice the weight of
 * place 1. */
static void train_table(int32_t once, int32_t common, size_t own, double ratio)
{
    enum { EACH = 20, PLACES = 1024, SHIFT = 22 };
    static struct nysx_counted item[2 * EACH][64];
    struct nysx_listed listed[2 * EACH];
    uint64_t hypervector[2 * EACH] = {0};
    int32_t label[2 * EACH];
    double lambda;
    for (size_t i = 0; i < 2 * EACH; i++) {
        size_t count = 0;
        label[i] = i < EACH;
        if (common > 0)
            item[i][count++] = (struct nysx_counted){0, common + (int32_t)(i * 7 % 11)};
        if (label[i] == 1) {
            item[i][count++] = (struct nysx_counted){1u << SHIFT, once};
            item[i][count++] = (struct nysx_counted){2u << SHIFT, 2 * once};
        } else {
            item[i][count++] = (struct nysx_counted){3u << SHIFT, once};
        }
        for (size_t k = 0; k < own; k++)
            item[i][count++] = (struct nysx_counted){(uint32_t)(4 + own * i + k) << SHIFT, 1};
        listed[i] = (struct nysx_listed){item[i], count};
    }
    struct nysx_examples examples = {hypervector, label, 2 * EACH, 1, 64, 2, listed, PLACES};
    struct nysx_prototype_plan plan = {.method = NYSX_RIDGE, .bits = 8, .seed = 1};
    DSE_CLEANUP(nysx_prototypes_free) struct nysx_prototypes real = nysx_prototypes_make(2, 64, 32);
    OK(nysx_ridge_train(&examples, &plan, &real, &lambda, &why));
    const float *weight = real.real_table + PLACES;
    assert_true(weight[1] > 0.0f && weight[3] < 0.0f);
    print_message("%zu own places: place 2 has %.4f times the weight of place 1\n", own, (double)(weight[2] / weight[1]));
    assert_true(fabs((double)(weight[2] / weight[1]) - ratio) < 1e-3);
}

TEST(test_table_scales)
{
    train_table(1, 60, 0, 1.0);
    train_table(3, 0, 24, 2.0);
}

/* ---- HyDRAF ---- */

/* A regressor of two dimensions with the test's elements; `energy` 2, `beta` ½. */
static void open_regressor(struct hydraf_regressor *r, struct hydraf_scratch *scratch, size_t clusters)
{
    *r = (struct hydraf_regressor){.beta = 0.5, .energy = 2.0};
    r->setting = (struct hydraf_setting){.precision = HYDRAF_FP32, .dim = 2, .clusters = clusters, .batch = 8, .rate = 0.25,
                                         .cluster_rate = 3.0, .shared = true, .weighted = true, .relative = true};
    r->encoder.dim = 2;
    r->encoder.padded = HYDRAF_FLOATS;
    r->encoder.precision = HYDRAF_FP32;
    hydraf_regressor_start(r, 1);
    hydraf_scratch_make(r, 8, scratch);
    for (size_t k = 0; k < clusters; k++)
        for (size_t i = 0; i < 2; i++)
            hydraf_block_put(&r->clusters, k, i, 0.0);
}

static void close_regressor(struct hydraf_regressor *r, struct hydraf_scratch *scratch)
{
    hydraf_scratch_free(scratch);
    hydraf_block_free(&r->clusters);
    hydraf_block_free(&r->models);
}

static void expect_row(const struct hydraf_block *block, size_t row, double a, double b)
{
    if (!(fabs(hydraf_block_get(block, row, 0) - a) < 1e-6 * fmax(1.0, fabs(a)) &&
          fabs(hydraf_block_get(block, row, 1) - b) < 1e-6 * fmax(1.0, fabs(b))))
        fail_msg("row %zu is %g %g, and %g %g by hand", row, hydraf_block_get(block, row, 0), hydraf_block_get(block, row, 1), a, b);
}

/* Clusters of zeros: confidences ½ and ½, the first of equals selected. H = (1, 2), M = (3, 0) and (1, 0): P = 3 and 1, Ŷ = 2;
 * y = 6, E = 4. b = 1 · max(1, 8/8): M_k gains α E/(ν b) A' = ¼ · 4/2 · ½ = ¼ of H. C_0 gains γ/(β ν b) A' E (P_0 − Ŷ) =
 * 3 · ½ · 4 · 1 / (½ · 2) = 6 of H, C_1 nothing. */
TEST(test_hydraf_updates)
{
    struct hydraf_regressor r;
    struct hydraf_scratch scratch;
    open_regressor(&r, &scratch, 2);
    hydraf_block_put(&r.models, 0, 0, 3.0);
    hydraf_block_put(&r.models, 1, 0, 1.0);
    scratch.rows.real[0] = 1.0f;
    scratch.rows.real[1] = 2.0f;
    const float target[] = {6.0f};
    hydraf_predict(&r, &scratch, 1);
    assert_true(scratch.estimate[0] == 2.0f);
    hydraf_regressor_learn(&r, &scratch, target, 1, 1.0, 0);
    expect_row(&r.models, 0, 3.25, 0.5);
    expect_row(&r.models, 1, 1.25, 0.5);
    expect_row(&r.clusters, 0, 6.0, 12.0);
    expect_row(&r.clusters, 1, 0.0, 0.0);
    close_regressor(&r, &scratch);
}

/* One row by itself takes an eighth of a step; a pace of ½ half of that: ¼ · 4 / (2 · 8) / 2 of H = (1, 2). */
TEST(test_hydraf_single_samples)
{
    struct hydraf_regressor r;
    struct hydraf_scratch scratch;
    open_regressor(&r, &scratch, 1);
    r.setting.batch = 1;
    scratch.rows.real[0] = 1.0f;
    scratch.rows.real[1] = 2.0f;
    const float target[] = {4.0f};
    hydraf_predict(&r, &scratch, 1);
    hydraf_regressor_learn(&r, &scratch, target, 1, 0.5, 0);
    expect_row(&r.models, 0, 0.03125, 0.0625);
    close_regressor(&r, &scratch);
}

/* A loss is limited to ±1000 deviations of the target: ¼ · 1000/2 of H; NaN has no effect. */
TEST(test_hydraf_loss_is_bounded)
{
    static const struct {
        float target;
        double first;
    } cases[] = {{5000.0f, 125.0}, {-5000.0f, -125.0}, {999.0f, 124.875}, {NAN, 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hydraf_regressor r;
        struct hydraf_scratch scratch;
        open_regressor(&r, &scratch, 1);
        scratch.rows.real[0] = 1.0f;
        scratch.rows.real[1] = -2.0f;
        hydraf_predict(&r, &scratch, 1);
        hydraf_regressor_learn(&r, &scratch, &cases[i].target, 1, 1.0, 0);
        expect_row(&r.models, 0, cases[i].first, -2.0 * cases[i].first);
        close_regressor(&r, &scratch);
    }
}

TESTS(NULL, NULL)
