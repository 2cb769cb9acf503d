/* Tables for the executor's tests: generated, and real ones if available. */
#pragma once

#include "sets.h"

#include <math.h>

#include "core/rng.h"
#include "core/strbuf.h"
#include "datasets/tables.h"

/* `rows` of three inputs and y = 3 a − 2 b + |c| + 5 with a little noise; free with dse_dataset_free. */
static inline struct dse_dataset *test_table(size_t rows, uint64_t seed)
{
    struct dse_error err = {0};
    struct dse_strbuf text = {0};
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, 1);
    dse_strbuf_add(&text, "a,b,c,y\n");
    for (size_t i = 0; i < rows; i++) {
        double a = dse_rng_normal(&rng), b = 10.0 * dse_rng_normal(&rng) + 3.0, c = dse_rng_normal(&rng);
        dse_strbuf_printf(&text, "%.6f,%.6f,%.6f,%.6f\n", a, b, c,
                          3.0 * a - 0.2 * b + 2.0 * fabs(c) + 5.0 + 0.05 * dse_rng_normal(&rng));
    }
    struct dse_text file = {.name = (char *)(uintptr_t)"made.csv", .data = text.text, .size = text.length};
    struct dse_data_table *table = NULL;
    struct dse_dataset *data = calloc(1, sizeof *data);
    assert_non_null(data);
    if (dse_data_table_read("made", &file, NULL, &table, &err) != DSE_OK)
        fail_msg("%s", err.message);
    data->kind = &dse_kind_table;
    data->content = table;
    data->name = strdup("made");
    data->hash = table->hash;
    dse_strbuf_free(&text);
    return data;
}

static inline const struct dse_executor *hydraf(void)
{
    const struct dse_executor *executor = dse_executor_find("hydraf");
    assert_non_null(executor);
    return executor;
}

/* A model of the setting, which is released. */
static inline struct dse_model *test_train(const struct dse_dataset *data, struct dse_setting setting, uint64_t seed,
                                           size_t jobs, struct dse_training *result)
{
    struct dse_error err = {0};
    struct dse_model *model = NULL;
    struct dse_run run = {.seed = seed, .jobs = jobs};
    if (dse_train(hydraf(), data, &setting, &run, &model, result, &err) != DSE_OK)
        fail_msg("%s", err.message);
    dse_setting_free(&setting);
    return model;
}
