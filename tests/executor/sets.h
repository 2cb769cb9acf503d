/* Data sets for the executor's tests: generated, and real ones if available. */
#pragma once

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
#include "datasets/graphs.h"
#include "datasets/generate.h"
#include "devices/board.h"
#include "executor/executor.h"
#include "tests/ok.h"

/* For DSE_CLEANUP: frees the variable's target at the end of its scope. */
static inline void test_free_set(struct dse_dataset **data)
{
    dse_dataset_free(*data);
}

static inline void test_free_model(struct dse_model **model)
{
    dse_model_free(*model);
}

static inline void test_free_board(struct dse_board **board)
{
    dse_board_free(*board);
}

/* A generated set with `labels` node labels and `attributes`; free with dse_dataset_free. */
static inline struct dse_dataset *test_set(int64_t graphs, int64_t labels, int64_t attributes, uint64_t seed)
{
    struct dse_generate what = dse_generate_defaults();
    what.graphs = graphs;
    what.labels = labels;
    what.attributes = attributes;
    what.seed = seed;
    what.awkward = DSE_AWKWARD_ISOLATED | DSE_AWKWARD_LABEL_GAPS;
    struct dse_graph_set *set = NULL;
    struct dse_dataset *data = calloc(1, sizeof *data);
    assert_non_null(data);
    OK(dse_generate_set(&what, &set, &why));
    data->kind = &dse_kind_graphs;
    data->content = set;
    data->name = strdup(what.name);
    data->hash = set->hash;
    return data;
}

/* A real set, or a skipped test. */
static inline struct dse_dataset *test_real_set(const char *name)
{
    struct dse_error err = {0};
    struct dse_dataset *data = NULL;
    const char *chosen = getenv("NYSX_DATA_DIR");
    const char *folder = chosen != NULL && *chosen != '\0' ? chosen : NYSX_TEST_SOURCE_DIR "/../shared/datasets";
    if (dse_dataset_open(name, folder, &data, &err) == DSE_OK)
        return data;
    fprintf(stderr, "SKIPPED: %s: set NYSX_DATA_DIR to the folder of the real data sets\n", err.message);
    skip();
    return NULL;
}

/* The preset with some values replaced: name, value, …, NULL. */
static inline struct dse_setting test_setting(const struct dse_executor *executor,
                                              const struct dse_dataset *data, ...)
{
    struct dse_setting setting;
    OK(dse_executor_preset(executor, NULL, data, 0, &setting, &why));
    va_list rest;
    va_start(rest, data);
    for (const char *name = va_arg(rest, const char *); name != NULL; name = va_arg(rest, const char *))
        dse_setting_put(&setting, name, va_arg(rest, const char *));
    va_end(rest);
    return setting;
}

/* A path for a file of this test in the temporary folder, malloc'd. */
static inline char *test_path(const char *name)
{
    const char *folder = getenv("TMPDIR");
    char text[512];
    snprintf(text, sizeof text, "%s/nysx-executor-%ld-%s", folder != NULL ? folder : "/tmp", (long)getpid(), name);
    return strdup(text);
}
