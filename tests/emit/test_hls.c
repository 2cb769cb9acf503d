/* The HLS header and its companion files: they compile, reject inconsistent values, and are written completely. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/rng.h"
#include "datasets/profile.h"
#include "emit/folder.h"
#include "emit/emission.h"
#include "tests/models/fixture.h"
#include "tests/ok.h"
#include "tests/test.h"

#define CONFIGURATIONS 30
#define C99 "gcc -std=c99 -Wall -Wextra -Werror -pedantic"
#define C11 "gcc -std=c11 -Wall -Wextra -Werror -pedantic"
#define CXX "g++ -Wall -Wextra -Werror"

/* Inputs of every test. */
struct bench {
    struct model_fixture on; /* zcu104 */
    char folder[64];
};

static int open_bench(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    struct dse_profile *profile;
    OK(dse_profile_read("tests/emit/tiny.xml", &profile, &why));
    model_fixture_open(&b->on, "zcu104", profile);
    strcpy(b->folder, "/tmp/nysx-hls-XXXXXX");
    assert_non_null(mkdtemp(b->folder));
    *state = b;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *b = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", b->folder);
    int result = system(command);
    model_fixture_close(&b->on);
    free(b);
    return result;
}

/* The workload's own knobs, everything else at the published design. */
static struct dse_config workload_config(const struct bench *b, size_t workload)
{
    struct dse_config config;
    dse_space_default(b->on.space, &config);
    OK(dse_config_apply(b->on.space, &config, &b->on.profile->workloads[workload].setting, &why));
    return config;
}

/* A design with its inputs. */
struct made {
    struct dse_setup setup;
    struct dse_estimate estimate;
    struct dse_hls hls;
    struct dse_emission design;
};

static void free_made(struct made *made)
{
    dse_hls_free(&made->hls);
}

static enum dse_status make(const struct bench *b, size_t workload, const struct dse_config *config,
                            struct made *out, struct dse_error *err)
{
    out->setup = b->on.setup;
    out->setup.workload = &b->on.profile->workloads[workload];
    DSE_TRY(dse_estimate_built(&out->setup, config, &out->estimate, err));
    DSE_TRY(dse_hls_make(&out->setup, config, &out->hls, err));
    out->design = (struct dse_emission){.setup = &out->setup, .estimate = &out->estimate, .hls = &out->hls,
                                          .dataset = b->on.profile->dataset, .dataset_hash = b->on.profile->dataset_hash};
    return DSE_OK;
}

static void make_paper(const struct bench *b, struct made *out)
{
    struct dse_config config = workload_config(b, 0);
    OK(make(b, 0, &config, out, &why));
}

/* Files without a model, beside the origin. */
static void write_texts(const struct made *made, struct dse_strbuf *out)
{
    static const char *const names[] = {"hls/config.h.in", "hls/hls_config.cfg", "hls/link_config.cfg", "hls/directives.tcl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        OK(dse_emission_text(&made->design, names[i], out, &why));
}

static char *path_in(const struct bench *b, const char *name)
{
    char *path = dse_path_join(b->folder, name);
    assert_non_null(path);
    return path;
}

static void put_file(const struct bench *b, const char *name, const char *text)
{
    char *path DSE_CLEANUP(dse_free_at) = path_in(b, name);
    OK(dse_file_write(path, text, strlen(text), &why));
}

/* Runs a shell command in the bench's folder; its exit code. */
static int run(const struct bench *b, const char *command)
{
    char line[640];
    snprintf(line, sizeof line, "cd '%s' && %s", b->folder, command);
    return system(line);
}

/* Every macro of the text is defined once, except those that depend on the language. */
static void assert_macros_are_unique(const struct bench *b)
{
    assert_int_equal(run(b, "test -z \"$(sed -n 's/^#define \\([A-Za-z0-9_]*\\).*/\\1/p' nysx_config.h | "
                            "grep -v '_ASSERT$\\|_PRAGMA_TEXT$\\|_PART_[A-Z_]*$' | sort | uniq -d)\""),
                     0);
}

/* gcc of the machine, without the sanitisers' environment. */
static void assert_compiles(const struct bench *b, const char *what)
{
    if (run(b, C99 " -c one.c -o one.o") != 0 || run(b, C11 " -c one.c -o one.o") != 0 || run(b, CXX " -c one.cpp -o one.o") != 0)
        fail_msg("%s does not compile", what);
}

TEST_IN(random_designs_compile, open_bench, close_bench)
{
    const struct bench *b = *state;
    struct dse_rng rng;
    dse_rng_seed(&rng, 12, 0);
    dse_knob_set drawn = dse_space_of_kind(b->on.space, DSE_KNOB_HARDWARE);
    int dim = dse_space_find(b->on.space, "dim");
    put_file(b, "one.c", "#include \"nysx_config.h\"\n");
    put_file(b, "one.cpp", "#include \"nysx_config.h\"\n");
    int compiled = 0, forms[4] = {0};
    for (int tries = 0; compiled < CONFIGURATIONS && tries < 1000; tries++) {
        struct made made DSE_CLEANUP(free_made) = {0};
        struct dse_config config = workload_config(b, (size_t)tries % 2);
        struct dse_error err = {0};
        dse_space_draw(b->on.space, dse_bits_or(drawn, dse_bits_one(dim)), &rng, &config);
        if (make(b, (size_t)tries % 2, &config, &made, &err) == DSE_ANSWER_NO)
            continue; /* more ports than the board has */
        assert_string_equal(err.message, "");
        made.design.overwrite = true;
        OK(dse_emission_write(&made.design, b->folder, &why));
        assert_compiles(b, "a drawn design");
        assert_macros_are_unique(b);
        forms[config.value[dse_space_find(b->on.space, "nee.form")]]++;
        compiled++;
    }
    assert_int_equal(compiled, CONFIGURATIONS);
    for (int f = 0; f < 4; f++)
        assert_true(forms[f] > 0);
}

/* The text without the three lines of the estimate, which change with the cost library. */
static char *without_estimate(const char *text)
{
    char *copy = strdup(text), *begin = strstr(copy, " * Estimate:"), *end = strstr(copy, " * Configuration:");
    assert_non_null(begin);
    assert_non_null(end);
    memmove(begin, end, strlen(end) + 1);
    return copy;
}

TEST_IN(paper_design_is_golden, open_bench, close_bench)
{
    const struct bench *b = *state;
    struct made made DSE_CLEANUP(free_made) = {0};
    make_paper(b, &made);
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    write_texts(&made, &text);
    char *got = without_estimate(dse_strbuf_text(&text)), *golden;
    size_t size;
    if (getenv("NYSX_WRITE_GOLDEN") != NULL)
        OK(dse_file_write("tests/emit/golden.txt", got, strlen(got), &why));
    OK(dse_file_read("tests/emit/golden.txt", 1 << 20, &golden, &size, &why));
    assert_string_equal(got, golden);
    free(golden);
    free(got);
}

TEST_IN(estimate_stands_in_the_comment, open_bench, close_bench)
{
    const struct bench *b = *state;
    struct made made DSE_CLEANUP(free_made) = {0};
    make_paper(b, &made);
    struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
    OK(dse_emission_text(&made.design, "hls/config.h.in", &text, &why));
    char cycles[64];
    snprintf(cycles, sizeof cycles, "Estimate:      %.0f cycles", made.estimate.metrics[DSE_METRIC_CYCLES]);
    assert_non_null(strstr(dse_strbuf_text(&text), cycles));
    assert_non_null(strstr(dse_strbuf_text(&text), "tiny, hash 7471d5a3c2f09b1e"));
    assert_non_null(strstr(dse_strbuf_text(&text), "xczu7ev-ffvc1156-2-e"));
}

TEST_IN(same_design_gives_the_same_bytes, open_bench, close_bench)
{
    const struct bench *b = *state;
    struct dse_strbuf text[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        struct made made DSE_CLEANUP(free_made) = {0};
        make_paper(b, &made);
        write_texts(&made, &text[i]);
    }
    assert_string_equal(dse_strbuf_text(&text[0]), dse_strbuf_text(&text[1]));
    dse_strbuf_free(&text[0]);
    dse_strbuf_free(&text[1]);
}

/* Rejects a header with one macro edited, in every language that it is for. */
static void reject_edit(const struct bench *b, const char *edit)
{
    static const char *const languages[] = {C99 " -c one.c", C11 " -c one.c", CXX " -c one.cpp"};
    char command[512];
    int length = (int)strcspn(edit, " ");
    snprintf(command, sizeof command, "sed 's|^#define %.*s [^ ]*|#define %s|' nysx_config.h > edited.h", length, edit,
             edit);
    assert_int_equal(run(b, command), 0);
    if (run(b, "cmp -s nysx_config.h edited.h") == 0)
        fail_msg("%s edits nothing", edit);
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        snprintf(command, sizeof command, "%s -o one.o 2>one.txt", languages[i]);
        if (run(b, command) == 0)
            fail_msg("%s compiles as %s", edit, languages[i]);
        if (run(b, "grep -q 'static assertion failed: \"*[a-zA-Z]' one.txt") != 0)
            fail_msg("%s: rejected without its words", edit);
    }
}

/* Edits of a single macro, for each form of the projection. */
TEST_IN(inconsistent_headers_are_rejected, open_bench, close_bench)
{
    static const char *const edits[3][32] = {
        {"NYSX_KSE_PE 3", "NYSX_LSHU_PE 128", "NYSX_NEE_LANES 24", "NYSX_DIM 20000", "NYSX_NEE_PORT_BITS 256",
         "NYSX_NEE_FIFO_DEPTH 2", "NYSX_CODEBOOK_MAX 1", "NYSX_MAX_NODES 70000", "NYSX_FEATURES 4", "NYSX_CLASSES 0",
         "NYSX_P_BITS 16", "NYSX_P_WORDS 10", "NYSX_SCE_PROTOTYPE_BITS 3", "NYSX_NEE_FORM 7", "NYSX_H_SLOTS 1",
         "NYSX_HISTOGRAM_WORDS 1", "NYSX_NEE_INTERLEAVE 1", "NYSX_CODEBOOK_1 1000", "NYSX_SCE_WORDS 3", "NYSX_NEE_PORTS 33",
         "NYSX_QUERY_PORT_BITS 64", "NYSX_LOADS_H 1", "NYSX_COUNT_BITS 16", "NYSX_HOPS 2", "NYSX_INDEX_BITS 8", "NYSX_NEE_PORTS 2"},
        {"NYSX_P_RESIDENT_WORDS 3", "NYSX_P_RESIDENT_PARTS 1", "NYSX_LOADS_P 0", "NYSX_DIM 20000"},
        {"NYSX_NEE_GENERATORS 1", "NYSX_NEE_STARTS 0", "NYSX_PHI_LANES 1", "NYSX_PHI_BITS 8", "NYSX_RANK 20000"},
    };
    static const char *const forms[] = {"streamed", "resident", "factored"};
    const struct bench *b = *state;
    put_file(b, "one.c", "#include \"edited.h\"\n");
    put_file(b, "one.cpp", "#include \"edited.h\"\n");
    for (size_t f = 0; f < 3; f++) {
        struct made made DSE_CLEANUP(free_made) = {0};
        struct dse_config config = workload_config(b, 0);
        OK(dse_config_set(b->on.space, &config, "nee.form", forms[f], &why));
        OK(dse_config_set(b->on.space, &config, "nee.lanes", "4", &why));
        OK(make(b, 0, &config, &made, &why));
        made.design.overwrite = true;
        OK(dse_emission_write(&made.design, b->folder, &why));
        assert_int_equal(run(b, "cp nysx_config.h edited.h"), 0);
        assert_compiles(b, "the header before the edits");
        for (size_t i = 0; edits[f][i] != NULL; i++)
            reject_edit(b, edits[f][i]);
    }
}

/* Units and memories in a configuration for linking. */
TEST_IN(linking_names_units_and_memories, open_bench, close_bench)
{
    struct bench b = *(const struct bench *)*state;
    static const struct {
        const char *board, *line;
    } cases[] = {{"zcu104", "nk=nysx_top:2\n"}, {"u280", "sp=nysx_top_2.p0:HBM[1]\n"}, {"u280", "sp=nysx_top_1.query:HBM[0]\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made made DSE_CLEANUP(free_made) = {0};
        struct dse_strbuf text DSE_CLEANUP(dse_strbuf_free) = {0};
        struct dse_config config = workload_config(&b, 0);
        OK(dse_board_open(cases[i].board, &b.on.board, &why));
        OK(dse_costs_for_board(b.on.board, NULL, &b.on.costs, &why));
        b.on.setup.board = b.on.board;
        b.on.setup.costs = b.on.costs;
        OK(dse_config_set(b.on.space, &config, "units", "2", &why));
        OK(make(&b, 0, &config, &made, &why));
        OK(dse_emission_text(&made.design, "hls/link_config.cfg", &text, &why));
        if (strstr(dse_strbuf_text(&text), cases[i].line) == NULL)
            fail_msg("no %s in:\n%s", cases[i].line, dse_strbuf_text(&text));
        dse_costs_free(b.on.costs);
        dse_board_free(b.on.board);
    }
}

/* In synthesis, each directive's macro is a pragma; otherwise, or with NYSX_NO_PRAGMAS, it is empty. */
TEST_IN(pragmas_show_in_synthesis_alone, open_bench, close_bench)
{
    const struct bench *b = *state;
    struct made made DSE_CLEANUP(free_made) = {0};
    make_paper(b, &made);
    made.design.overwrite = true;
    OK(dse_emission_write(&made.design, b->folder, &why));
    put_file(b, "two.c", "#include \"nysx_config.h\"\nvoid f(void)\n{\n"
                         "NYSX_UNROLL_KSE_PES\nNYSX_PIPELINE_KSE_SLOTS\n"
                         "NYSX_STREAM_NEE_FIFO NYSX_INTERFACE_P NYSX_BIND_STORAGE_H_ENTRIES\n"
                         "NYSX_ARRAY_PARTITION_GRAPH_NEIGHBOUR\n}\n");
    assert_int_equal(run(b, "gcc -E -D__SYNTHESIS__ two.c > two.i && ! gcc -E two.c | grep -q pragma && "
                            "! gcc -E -D__SYNTHESIS__ -DNYSX_NO_PRAGMAS two.c | grep -q pragma"),
                     0);
    static const char *const expected[] = {
        "HLS UNROLL factor=4", "HLS PIPELINE II=1", "HLS STREAM variable=nee_fifo depth=512",
        "HLS BIND_STORAGE variable=nysx_h_entries type=rom_2p impl=bram",
        "HLS ARRAY_PARTITION variable=graph.neighbour type=complete dim=1",
        "HLS INTERFACE mode=m_axi port=p0 offset=slave bundle=gmem_p0 .*num_read_outstanding=16"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char command[256];
        snprintf(command, sizeof command, "grep -q '#pragma %s' two.i", expected[i]);
        if (run(b, command) != 0)
            fail_msg("no pragma %s", expected[i]);
    }
}

static size_t entries_in(const char *path)
{
    size_t count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count - 2; /* . and .. */
}

TEST_IN(writing_makes_the_folder_and_nothing_else, open_bench, close_bench)
{
    const struct bench *b = *state;
    struct made made DSE_CLEANUP(free_made) = {0};
    make_paper(b, &made);
    char *folder DSE_CLEANUP(dse_free_at) = path_in(b, "new/deep/");
    OK(dse_emission_write(&made.design, folder, &why));
    assert_int_equal(entries_in(folder), 4); /* nothing to build: no build files */
    assert_int_equal(run(b, "! grep -l '@[A-Z_]*@' new/deep/*"), 0); /* fields of templates */
}

/* Files of an earlier design that this one lacks are removed if unchanged, and stay if changed by the user. A list cannot name files
 * outside the folder. */
TEST_IN(an_earlier_designs_files_go, open_bench, close_bench)
{
    static const struct { const char *name; bool stays; } files[] = {
        {"again/hue.c", false}, {"again/sub/old.bin", false}, {"again/sub", false}, {"again/changed.c", true},
        {"again/mine.c", true}, {"outside.c", true}};
    const struct bench *b = *state;
    struct dse_folder earlier = {.path = "", .family = "nysx"};
    struct made made DSE_CLEANUP(free_made) = {0};
    make_paper(b, &made);
    char *folder DSE_CLEANUP(dse_free_at) = path_in(b, "again");
    earlier.path = folder;
    for (size_t i = 0; i < 4; i++)
        if (i != 2)
            dse_strbuf_add(dse_folder_add(&earlier, strchr(files[i].name, '/') + 1), "/* emitted */");
    OK(dse_folder_write(&earlier, &why));
    put_file(b, "again/changed.c", "/* changed */");
    put_file(b, "again/mine.c", "/* emitted */");
    put_file(b, "outside.c", "/* emitted */");
    assert_int_equal(run(b, "sed 's|hue.c|../outside.c|' again/emitted.txt >> again/list && cat again/list >> again/emitted.txt && rm again/list"), 0);
    made.design.overwrite = true;
    OK(dse_emission_write(&made.design, folder, &why));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path DSE_CLEANUP(dse_free_at) = path_in(b, files[i].name);
        if (dse_file_exists(path) != files[i].stays)
            fail_msg("%s: %s", files[i].name, files[i].stays ? "went" : "stays");
    }
    dse_folder_free(&earlier);
}

/* Two designs with different prefixes in one program, also as C++: only names change. */
TEST_IN(a_prefix_names_everything, open_bench, close_bench)
{
    const struct bench *b = *state;
    struct made made DSE_CLEANUP(free_made) = {0};
    make_paper(b, &made);
    made.design.overwrite = true;
    made.design.command = "nysx-dse emit --dataset \"odd\\name\"";
    OK(dse_emission_write(&made.design, b->folder, &why));
    assert_int_equal(run(b, "mkdir plain && mv *.* plain/"), 0);
    made.design.prefix = "Left2";
    OK(dse_emission_write(&made.design, b->folder, &why));
    assert_int_equal(run(b, "! grep -l 'NYSX_\\|nysx_' *.* && "
                            "sed 's/LEFT2_/NYSX_/g; s/Left2_/nysx_/g' Left2_config.h | cmp - plain/nysx_config.h"),
                     0);
    put_file(b, "one.c", "#include \"Left2_config.h\"\n#include \"plain/nysx_config.h\"\n#include <string.h>\n"
                         "int main(void)\n{\n    return strcmp(LEFT2_COMMAND_LINE, \"nysx-dse emit --dataset \\\"odd\\\\name\\\"\") != 0 ||\n"
                         "           LEFT2_DIM != NYSX_DIM || LEFT2_ESTIMATE_CYCLES <= 0 || LEFT2_SEED != 0;\n}\n");
    put_file(b, "one.cpp", "#include \"one.c\"\n");
    assert_compiles(b, "two headers together");
    assert_int_equal(run(b, "gcc one.o -o one; gcc -std=c99 one.c -o one && ./one"), 0);
}

TEST_IN(failures_leave_nothing_behind, open_bench, close_bench)
{
    const struct bench *b = *state;
    struct made made DSE_CLEANUP(free_made) = {0};
    struct dse_error err = {0};
    make_paper(b, &made);
    put_file(b, "file", "x");
    char *below DSE_CLEANUP(dse_free_at) = path_in(b, "file/sub"), *taken DSE_CLEANUP(dse_free_at) = path_in(b, "taken/expected.json");
    char *folder DSE_CLEANUP(dse_free_at) = path_in(b, "taken");
    assert_int_equal(dse_emission_write(&made.design, below, &err), DSE_LIMIT);
    OK(dse_folder_create(taken, &why));
    FAILS(DSE_LIMIT, "expected.json", dse_emission_write(&made.design, folder, &why));
    assert_int_equal(entries_in(folder), 1);
    assert_int_equal(dse_emission_write(&made.design, "/proc/self/nysx-hls/deep", &err), DSE_LIMIT);
}

TEST_IN(misfits_name_resource_need_and_limit, open_bench, close_bench)
{
    const struct bench *b = *state;
    struct made made DSE_CLEANUP(free_made) = {0};
    struct dse_config config = workload_config(b, 0);
    OK(dse_config_set(b->on.space, &config, "nee.lanes", "1024", &why));
    OK(make(b, 0, &config, &made, &why));
    assert_false(made.estimate.fits);
    char misfit[96];
    snprintf(misfit, sizeof misfit, "needs %lld ff, but a kernel may use %lld", (long long)made.estimate.sums.resources[DSE_FF],
             (long long)made.estimate.platform.capped[DSE_FF]);
    FAILS(DSE_ANSWER_NO, misfit, dse_emission_check_fit(&made.design, &why));
}

TEST_IN(settings_of_another_workload_are_rejected, open_bench, close_bench)
{
    const struct bench *b = *state;
    struct made made DSE_CLEANUP(free_made) = {0};
    struct dse_error err = {0};
    struct dse_config config = workload_config(b, 0);
    OK(dse_config_set(b->on.space, &config, "hops", "5", &why));
    assert_int_equal(make(b, 0, &config, &made, &err), DSE_BAD_USAGE);
    assert_non_null(strstr(err.message, "hops=5"));
    assert_non_null(strstr(err.message, "3 hops"));
}

TESTS(NULL, NULL)
