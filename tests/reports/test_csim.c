/* The accelerator's C simulation against the executor: emitted, compiled and run over generated graphs for designs drawn
 * at random, bit for bit. NYSX_CSIM_DESIGNS designs; `script/test --full` runs more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/file.h"
#include "core/rng.h"
#include "datasets/dataset.h"
#include "datasets/generate.h"
#include "executor/nysx/model.h"
#include "reports/hls/hls.h"

#define GRAPHS 6 /* a design */
#define COMPILE                                                                                              \
    "gcc -std=c11 -Wall -Wextra -Werror -O1 -ffp-contract=off -fsanitize=address,undefined "                 \
    "-fno-sanitize-recover=all -DNYSX_COUNT -I. *.c -lm -o bench && ./bench >bench.txt"

/* The call takes its error as `&why`. */
#define OK(call)                           \
    do {                                   \
        struct dse_error why = {0};        \
        if ((call) != DSE_OK)              \
            fail_msg("%s", why.message);   \
    } while (0)

struct bench {
    struct dse_dataset data;
    struct dse_board *board;
    struct dse_costs *costs;
    struct dse_space *space;
    const struct dse_model_family *family;
    const struct dse_executor *executor;
};

static int open_bench(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    struct dse_generate what = dse_generate_defaults();
    what.name = "generated";
    what.graphs = 40;
    what.attributes = 3;
    what.structure_signal = 0.8;
    static char name[] = "generated";
    b->data = (struct dse_dataset){.kind = DSE_DATASET_GRAPHS, .name = name, .hash = 1};
    OK(dse_generate_set(&what, &b->data.graphs, &why));
    OK(dse_board_open("u280", &b->board, &why));
    OK(dse_costs_for_board(b->board, NULL, &b->costs, &why));
    b->family = dse_model_find("nysx");
    b->executor = dse_executor_find("nysx");
    OK(dse_model_space(b->family, NULL, &b->space, &why));
    *state = b;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *b = *state;
    dse_graph_set_free(b->data.graphs);
    dse_space_free(b->space);
    dse_costs_free(b->costs);
    dse_board_free(b->board);
    free(b);
    return 0;
}

/* Algorithmic knobs of a small design: what is computed. */
static void draw_algorithm(const struct bench *b, struct dse_rng *rng, struct dse_config *config)
{
    static const char *const drawn[] = {"propagation", "nee.precision", "nee.center", "sce.prototype_bits", "codes"};
    static const char *const kinds[] = {"labels", "attributes", "both"};
    dse_knob_set set = 0;
    char text[32];
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        set |= DSE_KNOB_BIT(dse_space_find(b->space, drawn[i]));
    dse_space_draw(b->space, set, rng, config);
    OK(dse_config_set(b->space, config, "features", kinds[dse_rng_below(rng, 3)], &why));
    snprintf(text, sizeof text, "%d", 4 + (int)dse_rng_below(rng, 9));
    OK(dse_config_set(b->space, config, "landmarks", text, &why));
    snprintf(text, sizeof text, "%d", 1 + (int)dse_rng_below(rng, 4));
    OK(dse_config_set(b->space, config, "hops", text, &why));
    snprintf(text, sizeof text, "%d", 64 + (int)dse_rng_below(rng, 400));
    OK(dse_config_set(b->space, config, "dim", text, &why));
    OK(dse_config_set(b->space, config, "width", dse_rng_below(rng, 2) == 0 ? "0.1" : "1", &why));
    OK(dse_config_set(b->space, config, "retrain", "5", &why));
    OK(dse_config_set(b->space, config, "nee.form", "streamed", &why));
}

static void put(FILE *file, uint32_t word)
{
    assert_int_equal(fwrite(&word, 4, 1, file), 1);
}

static void put_features(FILE *file, const struct nysx_model *model, const struct nysx_query *query, size_t node)
{
    size_t labels = model->columns.labels;
    if (query->attributes == 0) {
        put(file, query->column[node] >= 0 ? (uint32_t)query->column[node] : (uint32_t)labels);
        return;
    }
    for (size_t j = 0; j < labels + query->attributes; j++) {
        float value = j >= labels ? query->attribute[node * query->attributes + j - labels]
                                  : (float)(query->column[node] == (int32_t)j);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        put(file, bits);
    }
}

/* What the executor computes for one graph. */
static void put_case(FILE *file, const struct nysx_model *model, const struct nysx_query *query,
                     struct nysx_encoder *encoder)
{
    struct nysx_scratch scratch;
    struct nysx_nee_scratch nee_scratch;
    struct nysx_hop_counts counts[16];
    uint64_t hypervector[16];
    size_t probes = 0, hits = 0, begin = query->row_begin[0];
    OK(nysx_scratch_make(encoder, query->nodes, &scratch, &why));
    OK(nysx_nee_scratch_alloc(&model->nee, &nee_scratch, &why));
    assert_true(model->nee.words <= 16);
    put(file, (uint32_t)query->nodes);
    put(file, (uint32_t)(query->row_begin[query->nodes] - begin));
    for (size_t v = 0; v <= query->nodes; v++)
        put(file, (uint32_t)(query->row_begin[v] - begin));
    for (size_t e = begin; e < query->row_begin[query->nodes]; e++)
        put(file, (uint32_t)query->neighbour[e]);
    for (size_t v = 0; v < query->nodes; v++)
        put_features(file, model, query, v);
    put(file, (uint32_t)nysx_infer_query(model, query, &scratch, &nee_scratch, hypervector));
    for (size_t j = 0; j < model->encoder.landmarks; j++)
        put(file, (uint32_t)scratch.kernel[j]);
    for (size_t w = 0; w < 2 * model->nee.words; w++)
        put(file, (uint32_t)(hypervector[w / 2] >> (w % 2 * 32)));
    nysx_encoder_count(encoder, query, &scratch, counts);
    for (size_t t = 0; t < encoder->lsh.hops; t++) {
        probes += counts[t].probes_hit + counts[t].probes_miss;
        hits += counts[t].hits;
    }
    put(file, (uint32_t)probes);
    put(file, (uint32_t)hits);
    nysx_scratch_free(&scratch);
    nysx_nee_scratch_free(&nee_scratch);
}

/* The probes are those of the design's γ: the model's hashes are built anew for the count. */
static void write_cases(const struct bench *b, struct dse_model *base, const char *gamma, const char *folder)
{
    struct nysx_model *model = (struct nysx_model *)(void *)base;
    struct nysx_features features;
    char path[256];
    snprintf(path, sizeof path, "%s/cases.bin", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    OK(nysx_encoder_hash(&model->encoder, strtod(gamma, NULL), &why));
    OK(nysx_features_make(b->data.graphs, &model->columns, &features, &why));
    put(file, GRAPHS);
    for (size_t g = 0; g < GRAPHS; g++) {
        struct nysx_query query = nysx_query_at(&features, (size_t)model->split.test[g]);
        put_case(file, model, &query, &model->encoder);
    }
    nysx_features_free(&features);
    fclose(file);
}

/* The arguments of the ports in the bench: PORTS. */
static void write_ports(const struct dse_setting *layout, const char *folder)
{
    struct dse_strbuf text = {0};
    char path[256];
    dse_strbuf_add(&text, "#define PORTS ports[0]");
    for (int p = 1; p < atoi(dse_setting_get(layout, "nee.ports")); p++)
        dse_strbuf_printf(&text, ", ports[%d]", p);
    dse_strbuf_add(&text, strcmp(dse_setting_get(layout, "place.h"), "ddr") == 0 ? ", h\n" : "\n");
    snprintf(path, sizeof path, "%s/ports.h", folder);
    OK(dse_file_write(path, text.text, text.length, &why));
    dse_strbuf_free(&text);
}

/* Every function, array and loop that a directive names is in the source, and every macro of a directive is used. */
static void assert_directives_are_there(const struct dse_hls *hls)
{
    struct dse_strbuf source = {0};
    for (const char *const *name = hls->sources; *name != NULL; name++) {
        char path[256], *text;
        size_t size;
        snprintf(path, sizeof path, "hls/nysx/%s", *name);
        OK(dse_file_read(path, 1 << 20, &text, &size, &why));
        dse_strbuf_add_n(&source, text, size);
        free(text);
    }
    for (size_t i = 0; i < hls->directive_count; i++) {
        const struct dse_hls_directive *directive = &hls->directives[i];
        bool loop = directive->kind == DSE_HLS_PIPELINE || directive->kind == DSE_HLS_UNROLL;
        const char *member = directive->target != NULL ? strchr(directive->target, '.') : NULL;
        char wanted[128];
        snprintf(wanted, sizeof wanted, "%s(", directive->function);
        if (strstr(source.text, wanted) == NULL)
            fail_msg("a directive is for %s, which is no function of the source", directive->function);
        snprintf(wanted, sizeof wanted, loop ? "NYSX_LABEL(%s)" : "%s",
                 directive->target == NULL ? "" : member != NULL ? member + 1 : directive->target);
        if (strstr(source.text, wanted) == NULL)
            fail_msg("a directive is for %s, which is not in the source", directive->target);
    }
    dse_strbuf_free(&source);
}

/* Emits, compiles and runs one design; false where the board cannot have it. */
static bool simulate(const struct bench *b, const struct dse_config *config, struct dse_model *model,
                     const struct dse_workload *data_work)
{
    struct dse_workload work = {0};
    struct dse_estimate estimate;
    struct dse_hls hls = {0};
    struct dse_pack pack = {0};
    struct dse_setting layout = {0};
    struct dse_error err = {0};
    OK(b->executor->work(model, data_work, &work, &why));
    struct dse_setup setup = {.family = b->family, .space = b->space, .board = b->board, .costs = b->costs,
                              .workload = &work, .headroom = -1.0};
    bool built = dse_estimate_make(&setup, config, &estimate, &err) == DSE_OK;
    if (built) {
        char folder[] = "/tmp/nysx-csim-XXXXXX", command[1024];
        assert_non_null(mkdtemp(folder));
        OK(dse_hls_make(&setup, config, &hls, &why));
        OK(dse_hls_layout(&hls, b->space, &estimate.config, &layout, &why));
        OK(b->executor->pack(model, &layout, &pack, &why));
        assert_directives_are_there(&hls);
        struct dse_hls_design design = {.setup = &setup, .estimate = &estimate, .hls = &hls, .dataset = "generated",
                                        .pack = &pack};
        OK(dse_hls_write(&design, folder, &why));
        write_cases(b, model, dse_setting_get(&layout, "mphe.gamma"), folder);
        write_ports(&layout, folder);
        snprintf(command, sizeof command, "cp tests/reports/bench.c '%s' && cd '%s' && " COMPILE, folder, folder);
        if (system(command) != 0)
            fail_msg("the C simulation differs or does not compile: see %s", folder);
        snprintf(command, sizeof command, "rm -rf '%s'", folder);
        assert_int_equal(system(command), 0);
    }
    dse_pack_free(&pack);
    dse_setting_free(&layout);
    dse_hls_free(&hls);
    dse_workload_clear(&work);
    return built;
}

/* The source is written with no construct that Vitis HLS does not synthesize (AMD UG1399, "Unsupported C/C++
 * Constructs"): no allocation, no system calls, no files, no recursion by way of function pointers. */
static void source_is_synthesizable(void **state)
{
    (void)state;
    assert_int_not_equal(system("grep -nE '\\b(malloc|calloc|realloc|free|printf|fopen|getenv|exit|time|setjmp|alloca) *[(]|"
                                "\\b(goto|__int128)\\b|[(][*][a-z_]+[)] *[(]|#include <(stdio|stdlib|string|time)' "
                                "hls/nysx/*.c hls/nysx/nysx.h"),
                         0);
}

/* Trains on the bench's data as the configuration says, and simulates it. */
static bool train_and_simulate(const struct bench *b, const struct dse_config *config, uint64_t seed)
{
    struct dse_setting setting = {0};
    struct dse_workload work = {0};
    struct dse_model *model = NULL;
    struct dse_training training;
    struct dse_run run = {.seed = seed, .jobs = 1};
    OK(b->executor->preset("paper", &b->data, &setting, &why));
    for (size_t i = 0; i < setting.count; i++) {
        int k = dse_space_find(b->space, setting.pairs[i].name);
        char text[64];
        if (k >= 0)
            OK(dse_setting_put(&setting, setting.pairs[i].name,
                               dse_knob_format(&b->space->knobs[k], config->value[k], text, sizeof text), &why));
    }
    OK(b->executor->train(&b->data, &setting, &run, &model, &training, &why));
    OK(b->executor->profile(&b->data, &setting, &run, &work, &why));
    bool built = simulate(b, config, model, &work);
    b->executor->free_model(model);
    dse_workload_clear(&work);
    dse_setting_free(&setting);
    return built;
}

static bool draw_and_simulate(const struct bench *b, struct dse_rng *rng)
{
    struct dse_config config;
    dse_space_default(b->space, &config);
    dse_knob_set hardware = dse_space_of_kind(b->space, DSE_KNOB_HARDWARE) &
                            ~dse_space_of_kind(b->space, DSE_KNOB_ALGORITHMIC);
    draw_algorithm(b, rng, &config); /* the form first: some knobs matter in one form alone */
    dse_space_draw(b->space, hardware, rng, &config);
    return train_and_simulate(b, &config, dse_rng_below(rng, 1000));
}

/* A real set at its preset with few landmarks and dimensions, on the paper's hardware. */
static void real_sets_compute_what_the_executor_does(void **state)
{
    static const char *const names[] = {"MUTAG", "ENZYMES"};
    const char *folder = getenv("NYSX_DATA_DIR") != NULL ? getenv("NYSX_DATA_DIR") : "../shared/datasets";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct bench b = *(const struct bench *)*state;
        struct dse_dataset *data = NULL;
        struct dse_setting preset = {0};
        struct dse_config config;
        if (dse_dataset_open(names[i], folder, &data, NULL) != DSE_OK) {
            fprintf(stderr, "reports_csim: SKIPPED %s: not in %s (set NYSX_DATA_DIR)\n", names[i], folder);
            skip();
        }
        b.data = *data;
        dse_space_default(b.space, &config);
        OK(b.executor->preset("paper", data, &preset, &why));
        OK(dse_config_apply(b.space, &config, &preset, &why));
        OK(dse_config_set(b.space, &config, "landmarks", "40", &why));
        OK(dse_config_set(b.space, &config, "dim", "1000", &why));
        assert_true(train_and_simulate(&b, &config, 3));
        dse_setting_free(&preset);
        dse_dataset_free(data);
    }
}

static void designs_compute_what_the_executor_does(void **state)
{
    const struct bench *b = *state;
    const char *wanted = getenv("NYSX_CSIM_DESIGNS");
    int designs = wanted != NULL ? atoi(wanted) : 6, simulated = 0;
    struct dse_rng rng;
    dse_rng_seed(&rng, 5, 0);
    for (int tries = 0; simulated < designs && tries < 20 * designs; tries++)
        simulated += draw_and_simulate(b, &rng);
    assert_int_equal(simulated, designs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(designs_compute_what_the_executor_does, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(real_sets_compute_what_the_executor_does, open_bench, close_bench),
        cmocka_unit_test(source_is_synthesizable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
