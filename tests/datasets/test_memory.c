/* Every reader and writer with the allocator failing at its first, second, third … call, until it passes: it must say so
 * and leave nothing behind (the sanitizer's build counts). */
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
#include "core/memory.h"
#include "datasets/dataset.h"
#include "datasets/graphs.h"
#include "datasets/generate.h"
#include "datasets/profile.h"
#include "tests/failing_memory.h"

static char folder[64] = "/tmp/nysx-memory-XXXXXX", profile_path[96], set_path[96];

/* What is tried; each frees what it made. */
typedef enum dse_status attempt(struct dse_error *err);

static enum dse_status open_dataset(struct dse_error *err)
{
    struct dse_dataset *dataset;
    struct dse_setting facts = {0};
    enum dse_status status = dse_dataset_open(set_path, NULL, &dataset, err);
    assert_true((status == DSE_OK) == (dataset != NULL));
    if (status == DSE_OK)
        status = dse_dataset_facts(dataset, &facts, err);
    dse_setting_free(&facts);
    dse_dataset_free(dataset);
    return status;
}

static enum dse_status open_by_name(struct dse_error *err)
{
    struct dse_dataset *dataset;
    enum dse_status status = dse_dataset_open("T", folder, &dataset, err);
    dse_dataset_free(dataset);
    return status;
}

static enum dse_status generate(struct dse_error *err)
{
    struct dse_generate what = dse_generate_defaults();
    what.graphs = 3;
    what.attributes = 1;
    what.classes = 2;
    what.awkward = DSE_AWKWARD_WRITINGS;
    struct dse_graph_set *set;
    enum dse_status status = dse_generate_set(&what, &set, err);
    dse_graph_set_free(set);
    return status;
}

static enum dse_status rewrite_profile(struct dse_error *err)
{
    struct dse_profile *profile;
    enum dse_status status = dse_profile_read(profile_path, &profile, err);
    assert_true((status == DSE_OK) == (profile != NULL));
    if (status == DSE_OK)
        status = dse_profile_write(profile, profile_path, err);
    dse_profile_free(profile);
    return status;
}

static void fail_at_every_call(void **state)
{
    attempt *try = *(attempt **)*state;
    for (int mode = 0; mode < 2; mode++) {
        enum dse_status status = DSE_LIMIT;
        long calls = 0;
        for (; status != DSE_OK && calls < 100000; calls += 1 + calls / 20) {
            struct dse_error err = {0};
            only_once = mode == 1;
            dse_memory_lost(true);
            calls_left = calls;
            status = try(&err);
            calls_left = -1;
            if (status != DSE_OK && status != DSE_LIMIT)
                fail_msg("call %ld: status %d: %s", calls, (int)status, err.message);
            if (status == DSE_LIMIT)
                assert_string_equal(err.message, "out of memory");
        }
        assert_int_equal(status, DSE_OK);
        assert_true(calls > 5);
    }
}

static int make_files(void **state)
{
    (void)state;
    struct dse_error err = {0};
    struct dse_generate what = dse_generate_defaults();
    what.graphs = 4;
    what.name = "T";
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(set_path, sizeof set_path, "%s/T", folder);
    snprintf(profile_path, sizeof profile_path, "%s/p.xml", folder);
    char *data;
    size_t size;
    if (dse_generate_folder(&what, set_path, &err) != DSE_OK ||
        dse_file_read(NYSX_TEST_SOURCE_DIR "/tests/fuzz/corpus/profile/small.xml", 1 << 20, &data, &size, &err) != DSE_OK)
        return -1;
    enum dse_status status = dse_file_write(profile_path, data, size, &err);
    free(data);
    return status == DSE_OK ? 0 : -1;
}

static int drop_files(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    static attempt *attempts[] = {open_dataset, open_by_name, generate, rewrite_profile};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(fail_at_every_call, &attempts[0]),
        cmocka_unit_test_prestate(fail_at_every_call, &attempts[1]),
        cmocka_unit_test_prestate(fail_at_every_call, &attempts[2]),
        cmocka_unit_test_prestate(fail_at_every_call, &attempts[3]),
    };
    return cmocka_run_group_tests(tests, make_files, drop_files);
}
