/* HyDRAF's simulation: infer's answers bit for bit, the paper's cycle counts for the arrays, stalls by cause, rejections. */
#include "tables.h"

#include "devices/board.h"
#include "tests/test.h"

static struct {
    struct dse_dataset *data;
    struct dse_board *board;
} fixture;

static int open_all(void **state)
{
    (void)state;
    struct dse_error err = {0};
    fixture.data = test_table(120, 6);
    return dse_board_open("u200", &fixture.board, &err) == DSE_OK ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    dse_dataset_free(fixture.data);
    dse_board_free(fixture.board);
    return 0;
}

/* "name=value name=value …" */
static struct dse_setting knobs_of(const char *text)
{
    struct dse_setting knobs = {0};
    char copy[256], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        dse_setting_put(&knobs, word, equals + 1);
    }
    return knobs;
}

static struct dse_simulation simulate(const struct dse_model *model, const char *knobs, size_t jobs)
{
    struct dse_error err = {0};
    struct dse_simulation result;
    struct dse_setting setting = knobs_of(knobs);
    struct dse_run run = {.seed = 1, .jobs = jobs};
    if (dse_simulate(model, fixture.data, &setting, fixture.board, &run, &result, &err) != DSE_OK)
        fail_msg("%s: %s", knobs, err.message);
    dse_setting_free(&setting);
    return result;
}

static struct dse_model *model_of(const char *precision, const char *dim, const char *clusters, const char *batch)
{
    struct dse_training result;
    return test_train(fixture.data, test_setting(hydraf(), fixture.data, "precision", precision, "dim", dim, "clusters",
                                                 clusters, "batch", batch, "epochs", "4", NULL), 1, 1, &result);
}

static const struct dse_simulated_engine *engine(const struct dse_simulation *result, const char *name)
{
    for (size_t i = 0; i < result->engine_count; i++)
        if (strcmp(result->engines[i].name, name) == 0)
            return &result->engines[i];
    return NULL;
}

static double count(const struct dse_simulation *result, const char *unit, const char *name)
{
    const struct dse_simulated_engine *found = engine(result, unit);
    assert_non_null(found);
    for (size_t i = 0; i < found->count_count; i++)
        if (strcmp(found->counts[i].name, name) == 0)
            return found->counts[i].mean;
    fail_msg("%s has no count %s", unit, name);
    return 0.0;
}

/* Every task, place of encoding, kind of array and element type; with a partial last chunk and a partial last batch. */
TEST(test_answers_are_infers)
{
    static const char *const precisions[] = {"fp32", "int16", "int8"};
    static const char *const designs[] = {"chunk=64", "chunk=32 encoding=on-chip", "task=train chunk=16",
                                          "task=train encoding=on-chip encoder.features=2 update=dense",
                                          "systolic.pipelined=no chunk=8", "task=train systolic.pipelined=no axi.bits=32"};
    for (size_t p = 0; p < 3; p++) {
        struct dse_model *model = model_of(precisions[p], "100", "5", "7");
        for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
            struct dse_simulation one = simulate(model, designs[i], 1), two = simulate(model, designs[i], 3);
            assert_int_equal(one.items, 24);
            if (one.equal != one.items)
                fail_msg("%s, %s: %zu of %zu", precisions[p], designs[i], one.equal, one.items);
            assert_memory_equal(one.total, two.total, one.items * sizeof *one.total);
            assert_true(one.quality == two.quality);
            for (size_t g = 0; g < one.items; g++) {
                uint64_t sum = 0;
                for (size_t s = 0; s < one.stage_count; s++)
                    sum += one.stages[s].cycles[g];
                assert_int_equal(sum, one.total[g]);
            }
            dse_simulation_free(&one);
            dse_simulation_free(&two);
        }
        dse_model_free(model);
    }
}

/* Texec = II (T + max(K, N)) for each chunk of a batch (paper, section IV.C), and the arrays' number of products. */
TEST(test_arrays_take_the_papers_cycles)
{
    static const struct {
        const char *clusters, *batch, *knobs;
        uint64_t chunks, steps;
    } cases[] = {
        {"8", "8", "task=train chunk=64", 4, 64 + 8},
        {"3", "8", "task=train chunk=32", 8, 32 + 8},
        {"16", "4", "task=train chunk=128", 2, 128 + 16},
        {"8", "8", "chunk=64", 4, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_model *model = model_of("int8", "256", cases[i].clusters, cases[i].batch);
        struct dse_simulation whole = simulate(model, cases[i].knobs, 1);
        bool learns = strstr(cases[i].knobs, "train") != NULL;
        double rows = learns ? strtod(cases[i].batch, NULL) : 1.0, clusters = strtod(cases[i].clusters, NULL);
        uint64_t cycles = engine(&whole, "clusters")->cycles[0];
        /* Besides the steps, only the latency from the last products to their sum, equal for one chunk and for many. */
        assert_true(cycles >= cases[i].chunks * cases[i].steps && cycles < cases[i].chunks * cases[i].steps + 30);
        assert_int_equal(engine(&whole, "regression")->cycles[0], cases[i].chunks * cases[i].steps - 1); /* in parallel; drained together */
        assert_true(count(&whole, "clusters", "products") == 2.0 * rows * clusters * 256.0);
        dse_simulation_free(&whole);
        dse_model_free(model);
    }
}

/* An update takes N steps per chunk with a coordinate list; the dense form takes T + max(N, K) more (section IV.D). */
TEST(test_update_forms)
{
    struct dse_model *model = model_of("int16", "256", "8", "8");
    struct dse_simulation coo = simulate(model, "task=train chunk=64", 1);
    struct dse_simulation dense = simulate(model, "task=train chunk=64 update=dense", 1);
    uint64_t quick = engine(&coo, "cluster_update")->cycles[0], slow = engine(&dense, "cluster_update")->cycles[0];
    const uint64_t gains = 2 * (8 * 8 - 1); /* gains of 64 entries, twice */
    assert_true(quick >= 4 * 8 + gains && quick < 4 * 8 + gains + 60);
    assert_int_equal(slow - quick, 4 * (64 + 8) + 1); /* one more before the first sum */
    assert_true(count(&dense, "cluster_update", "select_product_cycles") == 4.0 * (64.0 + 8.0));
    assert_true(coo.quality == dense.quality);
    dse_simulation_free(&coo);
    dse_simulation_free(&dense);
    dse_model_free(model);
}

/* With encoding off chip the arrays wait for the port, less for a wider port; on chip the port brings only features. */
TEST(test_waits_by_cause)
{
    struct dse_model *model = model_of("int8", "2048", "4", "4");
    struct dse_simulation narrow = simulate(model, "axi.bits=32", 1), wide = simulate(model, "axi.bits=512", 1);
    struct dse_simulation chip = simulate(model, "encoding=on-chip axi.bits=32", 1);
    assert_true(count(&narrow, "port", "bytes") == 2048.0 && count(&chip, "port", "bytes") == 16.0);
    assert_true(count(&narrow, "clusters", "stall_memory_cycles") > 400.0);
    assert_true(count(&wide, "clusters", "stall_memory_cycles") < 0.3 * count(&narrow, "clusters", "stall_memory_cycles"));
    assert_true(count(&chip, "clusters", "stall_memory_cycles") == 0.0);
    assert_true(count(&chip, "clusters", "stall_encoder_cycles") > 0.0);
    assert_true(chip.total[0] < narrow.total[0]);
    assert_null(engine(&narrow, "encoder"));
    assert_null(engine(&narrow, "cluster_update"));
    dse_simulation_free(&narrow);
    dse_simulation_free(&wide);
    dse_simulation_free(&chip);
    dse_model_free(model);
}

TEST(test_rejections)
{
    static const struct {
        const char *knobs, *message;
    } cases[] = {{"kse.pe=4", "is not a knob of the family hydraf"}, {"chunk=1", "from 2 to 1024"},        {"chunk=6.5", "chunk=6.5"},
                 {"update=sparse", "coo or dense"},         {"task=fit", "infer or train"},  {"clock_mhz=fast", "clock_mhz"},
                 {"dim=512", "trained with 128"},           {"precision=fp32", "trained with int8"}};
    struct dse_model *model = model_of("int8", "128", "2", "2");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dse_error err = {0};
        struct dse_simulation result;
        struct dse_setting knobs = knobs_of(cases[i].knobs);
        struct dse_run run = {.seed = 1, .jobs = 1};
        assert_int_equal(dse_simulate(model, fixture.data, &knobs, fixture.board, &run, &result, &err), DSE_BAD_USAGE);
        if (strstr(err.message, cases[i].message) == NULL)
            fail_msg("%s: %s", cases[i].knobs, err.message);
        dse_setting_free(&knobs);
    }
    struct dse_simulation same = simulate(model, "dim=128 precision=int8 units=2", 1);
    dse_simulation_free(&same);
    dse_model_free(model);
}

TESTS(open_all, close_all)
