#include "tests/contract/made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/number.h"
#include "core/rng.h"
#include "core/strbuf.h"
#include "datasets/dataset.h"
#include "tests/ok.h"

#define ITEMS 60  /* items of a generated set, if its generator has a number of items */
#define LARGEST 64 /* largest whole number of a setting */

char *made_path(const char *name)
{
    const char *folder = getenv("TMPDIR");
    char text[512];
    snprintf(text, sizeof text, "%s/nysx-contract-%ld-%s", folder != NULL ? folder : "/tmp", (long)getpid(), name);
    return strdup(text);
}

/* For a kind without a generator: a table of three columns and a number computed from them. */
static void write_table(const char *path, uint64_t seed, size_t items)
{
    struct dse_strbuf text = {0};
    struct dse_rng rng;
    dse_rng_seed(&rng, seed, 1);
    dse_strbuf_add(&text, "a,b,c,y\n");
    for (size_t i = 0; i < 2 * items; i++) {
        double a = dse_rng_normal(&rng), b = dse_rng_normal(&rng), c = dse_rng_uniform(&rng);
        dse_strbuf_printf(&text, "%.6f,%.6f,%.6f,%.6f\n", a, b, c, 3.0 * a - 2.0 * b + c + 5.0 + 0.1 * dse_rng_normal(&rng));
    }
    OK(dse_file_write(path, text.text, text.length, &why));
    dse_strbuf_free(&text);
}

static void generate(const struct dse_kind *kind, const char *folder, uint64_t seed, size_t items)
{
    double *values = calloc(kind->option_count + 1, sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < kind->option_count; i++) {
        values[i] = kind->options[i].initial;
        if (strcmp(kind->options[i].name, kind->items) == 0)
            values[i] = items > ITEMS && kind->options[i].initial > (double)items ? kind->options[i].initial : (double)items;
    }
    const struct dse_generation what = {.name = "MADE", .values = values, .seed = seed};
    OK(kind->generate(&what, folder, &why));
    free(values);
}

struct dse_dataset *made_data(const struct dse_executor *executor, uint64_t seed)
{
    return made_data_of(executor, seed, ITEMS);
}

struct dse_dataset *made_data_of(const struct dse_executor *executor, uint64_t seed, size_t items)
{
    const struct dse_kind *kind = executor->kind;
    struct dse_dataset *data = NULL;
    char name[64], command[600];
    snprintf(name, sizeof name, "%s-%llu", executor->family, (unsigned long long)seed);
    char *folder = made_path(name), file[600];
    snprintf(file, sizeof file, "%s/MADE.csv", folder);
    if (kind->generate != NULL) {
        generate(kind, folder, seed, items);
    } else if (strcmp(kind->name, "table") == 0) {
        OK(dse_folder_create(folder, &why));
        write_table(file, seed, items);
    } else {
        fail_msg("%s: the kind of data \"%s\" has no generator, so that the family cannot be tried", executor->family, kind->name);
    }
    OK(dse_dataset_open(kind->generate != NULL ? folder : file, NULL, &data, &why));
    assert_ptr_equal(data->kind, kind);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
    free(folder);
    return data;
}

struct dse_setting made_setting(const struct dse_executor *executor, const struct dse_dataset *data)
{
    return made_setting_of(executor, NULL, data, LARGEST);
}

struct dse_setting made_setting_of(const struct dse_executor *executor, const char *preset, const struct dse_dataset *data, int64_t largest)
{
    struct dse_setting setting = {0};
    OK(dse_executor_preset(executor, preset, data, 0, &setting, &why));
    for (size_t i = 0; i < executor->knobs->count; i++) {
        const struct dse_knob *knob = &executor->knobs->knobs[i];
        int64_t value = 0;
        char text[64];
        if (!dse_knob_trains(knob) || knob->type != DSE_KNOB_INTEGER ||
            dse_number_whole(dse_setting_get(&setting, knob->name), &value) != DSE_NUMBER_READ || value <= largest)
            continue;
        int64_t smaller = knob->minimum > largest ? knob->minimum : largest;
        OK(dse_knob_put(knob, dse_knob_format(knob, smaller, text, sizeof text), &setting, &why));
    }
    return setting;
}

struct dse_model *made_model(const struct dse_executor *executor, const struct dse_dataset *data, const struct dse_setting *setting,
                             size_t jobs, struct dse_training *result)
{
    struct dse_model *model = NULL;
    struct dse_run run = {.seed = 5, .jobs = jobs};
    OK(dse_train(executor, data, setting, &run, &model, result, &why));
    assert_non_null(model);
    return model;
}
