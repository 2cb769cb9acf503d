/* The accelerator's C simulation against the executor: emitted, compiled and run over generated and real graphs for
 * randomly drawn designs, bit for bit: NYSX_CSIM_DESIGNS designs of generated graphs, and NYSX_CSIM_REAL of each real set;
 * `script/test --full` runs more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/rng.h"
#include "csim.h"
#include "datasets/generate.h"
#include "tests/test.h"

#define GRAPHS 6 /* a design */
#define WARNINGS "-std=c99 -Wall -Wextra -Werror -pedantic"
#define COMPILE                                                                                              \
    "gcc " WARNINGS " -O1 -ffp-contract=off -fsanitize=address,undefined -fno-sanitize-recover=all "         \
    "-DNYSX_COUNT -I. *.c -lm -o bench && ./bench >bench.txt 2>equal.txt"
/* Checks the other compiler's warnings, and the text for synthesis, with pragmas and labels. */
#define CHECK                                                                                                \
    "! grep -hE '^ *# *include' $(ls *.[ch] | grep -v 'testbench.c\\|_bench[.]\\|_pack[.]') | grep -vE '<(stdint|math|ap_int|hls_stream)[.]h>|\"nysx[a-z_]*[.]h\"' && "               \
    "if command -v clang >clang.txt; then clang " WARNINGS " -fsyntax-only -DNYSX_COUNT -I. *.c; fi && "     \
    "mkdir -p synthesis && for f in $(ls *.c | grep -v 'testbench.c\\|_pack.c'); do gcc -std=c99 -Wall -Wextra -Werror "     \
    "-Wno-unknown-pragmas -Wno-unused-label -D__SYNTHESIS__ -fsyntax-only -I. $f && "                        \
    "gcc -std=c99 -E -D__SYNTHESIS__ -I. $f >synthesis/$f || exit 1; done"
/* A header changed by hand so that it does not match the model's tables. */
#define EDIT                                                                                                 \
    "mkdir edited && cp *.[ch] edited && sed -i 's/_CLASSES [0-9]*/_CLASSES 31/' edited/nysx_config.h && "  \
    "! gcc -std=c99 -fsyntax-only -Iedited edited/sce.c 2>edited.txt && "                                   \
    "grep -q 'NYSX_CLASSES: the model.s tables are for' edited.txt"

static void open_costs(struct bench *b, const char *board)
{
    OK(dse_board_open(board, &b->board, &why));
    OK(dse_costs_for_board(b->board, NULL, &b->costs, &why));
    b->family = dse_model_find("nysx");
    b->executor = dse_executor_find("nysx");
    OK(dse_model_space(b->family, NULL, &b->space, &why));
}

static int open_bench(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    struct dse_generate what = dse_generate_defaults();
    what.name = "generated";
    what.graphs = 40;
    what.attributes = 3;
    what.structure_signal = 0.8;
    static char name[] = "generated";
    b->data = (struct dse_dataset){.kind = &dse_kind_graphs, .name = name, .hash = 1};
    struct dse_graph_set *set;
    OK(dse_generate_set(&what, &set, &why));
    b->data.content = set;
    open_costs(b, "u280");
    *state = b;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *b = *state;
    dse_graph_set_free(dse_dataset_graphs(&b->data));
    dse_space_free(b->space);
    dse_costs_free(b->costs);
    dse_board_free(b->board);
    free(b);
    return 0;
}

static void set(const struct bench *b, struct dse_config *config, const char *name, const char *value)
{
    OK(dse_config_set(b->space, config, name, value, &why));
}

static void set_number(const struct bench *b, struct dse_config *config, const char *name, int value)
{
    char text[32];
    snprintf(text, sizeof text, "%d", value);
    set(b, config, name, text);
}

/* Knobs whose values must all occur in a run: value number `turn` of each, if it has that many. A form stays as long as the knobs that
 * matter only in it need. */
static void take_turns(const struct bench *b, int turn, struct dse_config *config)
{
    static const struct {
        const char *knob;
        int every; /* turns that a value stays */
    } turns[] = {{"nee.form", 1},      {"nee.precision", 3}, {"nee.generator", 3}, {"nee.phi_bits", 9},
                 {"place.h", 1},       {"place.p", 9},       {"place.codebook", 2}, {"place.prototypes", 4},
                 {"lshu.balance", 2},  {"kse.balance", 5},   {"codes", 2},         {"sce.prototype_bits", 1},
                 {"nee.center", 4},    {"propagation", 3},   {"mphe.gamma", 1},    {"sce.pe", 3},
                 {"prototypes", 2}};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        int k = dse_space_find(b->space, turns[i].knob);
        config->value[k] = turn / turns[i].every % (int)b->space->knobs[k].choice_count;
    }
}

/* The algorithmic setting, drawn. */
static void draw_algorithm(const struct bench *b, struct dse_rng *rng, struct dse_config *config)
{
    dse_space_draw(b->space, dse_bits_one((size_t)dse_space_find(b->space, "lsh")), rng, config);
    set_number(b, config, "dim", 64 + (int)dse_rng_below(rng, 400));
    set(b, config, "retrain", "5");
}

/* A small design of the generated graphs, which have labels and attributes. */
static void draw_generated(const struct bench *b, struct dse_rng *rng, struct dse_config *config)
{
    static const char *const kinds[] = {"labels", "attributes", "both", "cores"};
    draw_algorithm(b, rng, config);
    set(b, config, "features", kinds[dse_rng_below(rng, 4)]);
    set_number(b, config, "landmarks", 4 + (int)dse_rng_below(rng, 9));
    set_number(b, config, "hops", 1 + (int)dse_rng_below(rng, 4));
    set(b, config, "width", dse_rng_below(rng, 2) == 0 ? "0.1" : "1");
}

/* The projection's form is chosen first, because some knobs matter only in one form. */
static void draw_hardware(const struct bench *b, int turn, struct dse_rng *rng, struct dse_config *config)
{
    take_turns(b, turn, config);
    dse_knob_set hardware = dse_bits_without(dse_space_of_kind(b->space, DSE_KNOB_HARDWARE), dse_space_of_kind(b->space, DSE_KNOB_ALGORITHMIC));
    dse_space_draw(b->space, hardware, rng, config);
    take_turns(b, turn, config);
}

/* Keeps the first few of the model's test graphs that the design was built for. */
static void choose_graphs(const struct bench *b, struct design *design)
{
    struct nysx_model *model = (struct nysx_model *)(void *)design->model;
    size_t most_nodes = (size_t)dse_hls_find_size(design->hls, "MAX_NODES")->value;
    size_t most_arcs = (size_t)dse_hls_find_size(design->hls, "MAX_NNZ")->value, kept = 0;
    for (size_t i = 0; i < model->base.split.n_test && kept < GRAPHS; i++) {
        int32_t g = model->base.split.test[i];
        if (dse_graph_nodes(dse_dataset_graphs(&b->data), (size_t)g) <= most_nodes &&
            dse_graph_arcs(dse_dataset_graphs(&b->data), (size_t)g) <= most_arcs)
            model->base.split.test[kept++] = g;
    }
    assert_true(kept > 0);
    model->base.split.n_test = kept;
}

static void run_in(const char *folder, const char *command)
{
    char line[2048];
    snprintf(line, sizeof line, "cd '%s' && %s", folder, command);
    int status = system(line); /* a signal is reported too: it is not a difference */
    if (status != 0)
        fail_msg("the C simulation differs or does not compile (status %#x): see %s", (unsigned)status, folder);
}

static void check_source(const char *folder)
{
    char line[512];
    run_in(folder, CHECK);
    run_in(folder, EDIT);
    snprintf(line, sizeof line, "'%s' -B tests/emit/hls_check.py '%s/synthesis'/*.c --directives '%s/directives.tcl'",
             PYTHON, folder, folder);
    if (system(line) != 0)
        fail_msg("the source is not what Vitis HLS takes: see %s", folder);
}

static void compile_and_compare(const struct bench *b, struct design *design, struct dse_emission *emitted)
{
    char folder[] = "/tmp/nysx-csim-XXXXXX", path[64];
    struct counters counters;
    struct dse_strbuf cases = {0};
    assert_non_null(mkdtemp(folder));
    choose_graphs(b, design);
    OK(b->executor->cases(design->model, &b->data, &design->estimate.config, emitted->hls->layout, GRAPHS, &cases, &why));
    emitted->cases = &cases;
    OK(dse_emission_write(emitted, folder, &why));
    check_source(folder);
    run_in(folder, COMPILE);
    snprintf(path, sizeof path, "%s/bench.txt", folder);
    csim_read_counters(path, ((struct nysx_model *)(void *)design->model)->base.split.n_test, &counters);
    csim_compare_models(b, design, &counters);
    csim_compare_simulation(b, design, &counters);
    snprintf(path, sizeof path, "rm -rf '%s'", folder);
    run_in("/tmp", path);
    dse_strbuf_free(&cases);
}

/* Emits, compiles and runs one design; false if it cannot be built on the board. */
static bool simulate(const struct bench *b, const struct dse_config *config, struct dse_model *model,
                     const struct dse_workload *data_work)
{
    struct dse_workload work = {0};
    struct dse_hls hls = {0};
    struct dse_pack pack = {0};
    struct dse_error err = {0};
    struct design design = {.config = config, .model = model, .hls = &hls};
    OK(dse_executor_work(b->executor, model, data_work, &work, &why));
    design.setup = (struct dse_setup){.family = b->family, .space = b->space, .board = b->board, .costs = b->costs,
                                      .workload = &work, .headroom = -1.0};
    bool built = dse_estimate_built(&design.setup, config, &design.estimate, &err) == DSE_OK;
    if (built && dse_hls_make(&design.setup, config, &hls, &err) != DSE_OK) {
        assert_int_equal(err.status, DSE_ANSWER_NO); /* forms that have no source */
        built = false;
    }
    if (built) {
        OK(b->executor->pack(model, &design.estimate.config, hls.layout, &pack, &why));
        struct dse_emission emitted = {.setup = &design.setup, .estimate = &design.estimate, .hls = &hls,
                                         .dataset = b->data.name, .pack = &pack};
        compile_and_compare(b, &design, &emitted);
    }
    dse_pack_free(&pack);
    dse_hls_free(&hls);
    dse_workload_clear(&work);
    return built;
}

/* Trains on the bench's data as the configuration says, and simulates it. */
static bool train_and_simulate(const struct bench *b, const struct dse_config *config, uint64_t seed)
{
    struct dse_setting setting = {0};
    struct dse_workload work = {0};
    struct dse_model *model = NULL;
    struct dse_training training;
    struct dse_run run = {.seed = seed, .jobs = 1};
    struct dse_config canonical = *config;
    dse_config_canonical(b->space, &canonical); /* the trainer rejects words that mean nothing */
    OK(dse_executor_preset(b->executor, NULL, &b->data, 0, &setting, &why));
    for (size_t i = 0; i < setting.count; i++) {
        int k = dse_space_find(b->space, setting.pairs[i].name);
        char text[64];
        if (k >= 0)
            dse_setting_put(&setting, setting.pairs[i].name,
                               dse_knob_format(&b->space->knobs[k], canonical.value[k], text, sizeof text));
    }
    OK(dse_train(b->executor, &b->data, &setting, &run, &model, &training, &why));
    OK(b->executor->profile(&b->data, &setting, &run, &work, &why));
    bool built = simulate(b, config, model, &work);
    dse_model_free(model);
    dse_workload_clear(&work);
    dse_setting_free(&setting);
    return built;
}

static int wanted(const char *variable, int standard)
{
    const char *text = getenv(variable);
    return text != NULL ? atoi(text) : standard;
}

TEST_IN(designs_compute_what_the_executor_does, open_bench, close_bench)
{
    const struct bench *b = *state;
    int designs = wanted("NYSX_CSIM_DESIGNS", 6), simulated = 0;
    struct dse_rng rng;
    dse_rng_seed(&rng, 5, 0);
    for (int tries = 0; simulated < designs && tries < 20 * designs; tries++) {
        struct dse_config config;
        dse_space_default(b->space, &config);
        draw_generated(b, &rng, &config);
        draw_hardware(b, tries, &rng, &config);
        simulated += train_and_simulate(b, &config, dse_rng_below(&rng, 1000));
    }
    assert_int_equal(simulated, designs);
}

/* A real set at its preset with few landmarks and dimensions: first on the paper's hardware, then on drawn ones. */
static void simulate_real(const struct bench *standard, const char *name, struct dse_dataset *data, int designs)
{
    struct bench b = *standard;
    struct dse_setting preset = {0};
    struct dse_rng rng;
    int simulated = 0;
    b.data = *data;
    dse_rng_seed(&rng, 7, (uint64_t)strlen(name));
    OK(dse_executor_preset(b.executor, NULL, data, 0, &preset, &why));
    for (int tries = 0; simulated < designs && tries < 20 * designs; tries++) {
        struct dse_config config;
        dse_space_default(b.space, &config);
        if (tries > 0) {
            draw_algorithm(&b, &rng, &config);
            draw_hardware(&b, tries, &rng, &config);
        }
        struct dse_config own = config;
        OK(dse_config_apply(b.space, &config, &preset, &why));
        if (tries > 0) { /* independent of the preset */
            static const char *const kept[] = {"nee.form", "nee.precision", "nee.center", "nee.generator", "nee.phi_bits",
                                               "sce.prototype_bits", "propagation"};
            for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
                config.value[dse_space_find(b.space, kept[i])] = own.value[dse_space_find(b.space, kept[i])];
        }
        set(&b, &config, "landmarks", "40");
        set(&b, &config, "dim", tries > 0 ? "300" : "1000");
        simulated += train_and_simulate(&b, &config, 3);
    }
    assert_int_equal(simulated, designs);
    dse_setting_free(&preset);
}

TEST_IN(real_sets_compute_what_the_executor_does, open_bench, close_bench)
{
    static const char *const names[] = {"MUTAG", "ENZYMES", "BZR", "NCI1", "DD"};
    const char *folder = getenv("NYSX_DATA_DIR") != NULL ? getenv("NYSX_DATA_DIR") : "../shared/datasets";
    size_t sets = (size_t)wanted("NYSX_CSIM_SETS", 2), missing = 0;
    for (size_t i = 0; i < sets && i < sizeof names / sizeof *names; i++) {
        struct dse_dataset *data = NULL;
        if (dse_dataset_open(names[i], folder, &data, NULL) != DSE_OK) {
            fprintf(stderr, "emit_csim: SKIPPED %s: not in %s (set NYSX_DATA_DIR)\n", names[i], folder);
            missing++;
            continue;
        }
        simulate_real(*state, names[i], data, wanted("NYSX_CSIM_REAL", 1));
        dse_dataset_free(data);
    }
    if (missing > 0)
        skip();
}

TESTS(NULL, NULL)
