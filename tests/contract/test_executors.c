/* The contract of every family's executor, tried on generated data: complete presets, bounds, answers independent of the number of threads, model
 * files that are read completely or rejected, and a simulation whose answers equal those of infer. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "datasets/dataset.h"
#include "devices/board.h"
#include "tests/contract/damage.h"
#include "tests/contract/made.h"
#include "tests/ok.h"
#include "tests/test.h"

#define FLIPS 300
#define CUTS 60

/* A family with its data, a model and the model's file. */
struct bench {
    const struct dse_executor *executor;
    struct dse_dataset *data;
    struct dse_setting setting;
    struct dse_model *model;
    struct dse_training training;
    struct damage_file file;
};

static struct damage_file save(const struct dse_model *model)
{
    struct damage_file file = {0};
    char *path = made_path("saved.npz");
    OK(dse_model_save(model, path, &why));
    OK(dse_file_read(path, (size_t)1 << 30, &file.bytes, &file.size, &why));
    remove(path);
    free(path);
    return file;
}

static enum dse_status load(const struct dse_executor *executor, const struct damage_file *file, struct dse_model **model,
                            struct dse_error *err)
{
    char *path = made_path("loaded.npz");
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file->bytes, 1, file->size, out), file->size);
    fclose(out);
    enum dse_status status = dse_model_load(executor, path, model, err);
    if (status != DSE_OK && strncmp(err->message, path, strlen(path)) != 0)
        fail_msg("%s: \"%s\" does not name the file", executor->family, err->message);
    remove(path);
    free(path);
    return status;
}

static void open_bench(struct bench *b, const struct dse_executor *executor)
{
    *b = (struct bench){.executor = executor, .data = made_data(executor, 1)};
    b->setting = made_setting(executor, b->data);
    b->model = made_model(executor, b->data, &b->setting, 1, &b->training);
    b->file = save(b->model);
}

static void close_bench(struct bench *b)
{
    free(b->file.bytes);
    dse_model_free(b->model);
    dse_setting_free(&b->setting);
    dse_dataset_free(b->data);
}

static void for_every_family(void (*check)(struct bench *))
{
    size_t count = 0;
    const struct dse_executor *const *executors = dse_executors(&count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        struct bench b;
        open_bench(&b, executors[i]);
        check(&b);
        close_bench(&b);
    }
}

static void same_settings(const struct dse_setting *a, const struct dse_setting *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        const char *other = dse_setting_get(b, a->pairs[i].name);
        if (other == NULL || strcmp(other, a->pairs[i].value) != 0)
            fail_msg("%s is %s, and %s", a->pairs[i].name, a->pairs[i].value, other != NULL ? other : "missing");
    }
}

static void same_bytes(const struct bench *b, const struct damage_file *other, const char *what)
{
    if (b->file.size != other->size || memcmp(b->file.bytes, other->bytes, other->size) != 0)
        fail_msg("%s: the model file differs %s", b->executor->family, what);
}

/* ---- presets and bounds ---- */

static void check_preset(struct bench *b)
{
    struct dse_setting preset = {0};
    OK(dse_executor_preset(b->executor, NULL, b->data, 0, &preset, &why));
    OK(dse_knobs_trained_values(b->executor->knobs, &preset, NULL, &why));
    for (size_t i = 0; i < b->executor->knobs->count; i++)
        assert_int_equal(dse_setting_get(&preset, b->executor->knobs->knobs[i].name) != NULL,
                         dse_knob_trains(&b->executor->knobs->knobs[i]));
    dse_setting_free(&preset);
    FAILS(DSE_BAD_USAGE, "no such preset", dse_executor_preset(b->executor, "no such preset", b->data, 0, &preset, &why));
    assert_non_null(b->executor->quality_name);
    assert_non_null(b->executor->board);
}

TEST(test_presets)
{
    for_every_family(check_preset);
}

static void expect_put(const struct dse_knob *knob, const char *value, enum dse_status expected)
{
    struct dse_setting setting = {0};
    struct dse_error err = {0};
    enum dse_status status = dse_knob_put(knob, value, &setting, &err);
    if (status != expected)
        fail_msg("%s=%s: %d, and %d is right: %s", knob->name, value, (int)status, (int)expected, err.message);
    if (status != DSE_OK && strstr(err.message, knob->name) == NULL)
        fail_msg("\"%s\" does not name %s", err.message, knob->name);
    dse_setting_free(&setting);
}

static void check_bounds(struct bench *b)
{
    for (size_t i = 0; i < b->executor->knobs->count; i++) {
        const struct dse_knob *knob = &b->executor->knobs->knobs[i];
        static const char *const nonsense[] = {"", "no-such-word", "nan", "inf", "1e999", "0x10", " 1", "1 "};
        for (size_t n = 0; n < sizeof nonsense / sizeof *nonsense; n++)
            expect_put(knob, nonsense[n], DSE_BAD_USAGE);
        for (size_t c = 0; c < knob->choice_count; c++)
            expect_put(knob, knob->choices[c], DSE_OK);
        if (knob->type == DSE_KNOB_CHOICE)
            continue;
        char text[64];
        int64_t one = knob->type == DSE_KNOB_DECIMAL ? DSE_DECIMAL_ONE : 1;
        expect_put(knob, dse_knob_format(knob, knob->minimum, text, sizeof text), DSE_OK);
        expect_put(knob, dse_knob_format(knob, knob->maximum, text, sizeof text), DSE_OK);
        snprintf(text, sizeof text, "%lld", (long long)(knob->maximum / one + 1));
        expect_put(knob, text, DSE_BAD_USAGE);
        snprintf(text, sizeof text, "%lld", (long long)(knob->minimum / one - 1));
        expect_put(knob, text, DSE_BAD_USAGE);
        snprintf(text, sizeof text, "%lld.5", (long long)knob->minimum);
        if (knob->type == DSE_KNOB_INTEGER)
            expect_put(knob, text, DSE_BAD_USAGE);
    }
}

TEST(test_bounds)
{
    for_every_family(check_bounds);
}

/* A setting with a missing value or an additional name is rejected. */
static void check_settings(struct bench *b)
{
    struct dse_error err = {0};
    for (size_t left_out = 0; left_out < b->setting.count; left_out++) {
        struct dse_setting some = {0};
        for (size_t i = 0; i < b->setting.count; i++)
            if (i != left_out)
                dse_setting_put(&some, b->setting.pairs[i].name, b->setting.pairs[i].value);
        assert_int_equal(dse_knobs_trained_values(b->executor->knobs, &some, NULL, &err), DSE_BAD_USAGE);
        assert_non_null(strstr(err.message, b->setting.pairs[left_out].name));
        dse_setting_free(&some);
    }
    struct dse_setting more = {0};
    for (size_t i = 0; i < b->setting.count; i++)
        dse_setting_put(&more, b->setting.pairs[i].name, b->setting.pairs[i].value);
    dse_setting_put(&more, "no.such", "1");
    FAILS(DSE_BAD_USAGE, "no.such", dse_knobs_trained_values(b->executor->knobs, &more, NULL, &why));
    dse_setting_free(&more);
}

TEST(test_settings)
{
    for_every_family(check_settings);
}

/* ---- the same for any number of threads, and after saving and loading ---- */

static void infer(const struct bench *b, const struct dse_model *model, size_t jobs, size_t batch, struct dse_inference *out)
{
    struct dse_run run = {.seed = 9, .jobs = jobs, .batch = batch};
    OK(b->executor->infer(model, b->data, &run, out, &why));
    assert_true(out->count > 0);
}

static void same_answers(const struct bench *b, const struct dse_inference *x, const struct dse_inference *y, const char *what)
{
    bool same = x->count == y->count && x->quality == y->quality && x->figure_count == y->figure_count &&
                memcmp(x->item, y->item, x->count * sizeof *x->item) == 0 && (x->estimate == NULL) == (y->estimate == NULL) &&
                (x->predicted == NULL) == (y->predicted == NULL);
    for (size_t i = 0; same && i < x->count; i++) {
        same &= x->predicted == NULL || (x->predicted[i] == y->predicted[i] && x->label[i] == y->label[i]);
        same &= x->estimate == NULL || (x->estimate[i] == y->estimate[i] && x->target[i] == y->target[i]);
    }
    for (size_t f = 0; same && f < x->figure_count; f++)
        same &= strcmp(x->figures[f].name, y->figures[f].name) == 0 && x->figures[f].value == y->figures[f].value;
    if (!same)
        fail_msg("%s: the answers differ %s", b->executor->family, what);
}

static void check_jobs(struct bench *b)
{
    static const size_t jobs[] = {2, 3, 7};
    struct dse_inference first, other;
    infer(b, b->model, 1, 0, &first);
    assert_true(first.quality == b->training.quality);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        struct dse_training again;
        struct dse_model *model = made_model(b->executor, b->data, &b->setting, jobs[i], &again);
        struct damage_file file = save(model);
        same_bytes(b, &file, "with the number of threads that trained it");
        assert_true(again.quality == b->training.quality && again.train_quality == b->training.train_quality);
        infer(b, b->model, jobs[i], jobs[i], &other);
        same_answers(b, &first, &other, "with threads and batch");
        dse_inference_free(&other);
        free(file.bytes);
        dse_model_free(model);
    }
    dse_inference_free(&first);
}

TEST(test_jobs)
{
    for_every_family(check_jobs);
}

/* A model's stored setting is the one that it was trained with; training with it again gives the same model. */
static void check_describe(struct bench *b)
{
    struct dse_setting described = {0};
    struct dse_training again;
    dse_setting_copy(&b->model->words, &described);
    OK(dse_knobs_trained_values(b->executor->knobs, &described, NULL, &why));
    same_settings(&described, &b->setting);
    struct dse_model *model = made_model(b->executor, b->data, &described, 1, &again);
    struct damage_file file = save(model);
    same_bytes(b, &file, "when its own description trains it again");
    assert_string_equal(b->model->dataset, b->data->name);
    assert_true(b->model->dataset_hash == b->data->hash);
    free(file.bytes);
    dse_model_free(model);
    dse_setting_free(&described);
}

TEST(test_describe)
{
    for_every_family(check_describe);
}

static void check_there_and_back(struct bench *b)
{
    struct dse_model *loaded = NULL;
    struct dse_inference before, after;
    struct dse_setting described = {0};
    OK(load(b->executor, &b->file, &loaded, &why));
    struct damage_file again = save(loaded);
    same_bytes(b, &again, "when it was loaded and saved");
    infer(b, b->model, 1, 0, &before);
    infer(b, loaded, 2, 0, &after);
    same_answers(b, &before, &after, "after loading");
    dse_setting_copy(&loaded->words, &described);
    same_settings(&described, &b->setting);
    assert_string_equal(loaded->dataset, b->data->name);
    assert_true(loaded->dataset_hash == b->data->hash);
    dse_setting_free(&described);
    dse_inference_free(&before);
    dse_inference_free(&after);
    free(again.bytes);
    dse_model_free(loaded);
}

TEST(test_there_and_back)
{
    for_every_family(check_there_and_back);
}

/* For other data than the training data, all items are answered. */
static void check_other_data(struct bench *b)
{
    struct dse_dataset *other = made_data(b->executor, 2);
    struct dse_run run = {.seed = 9, .jobs = 1};
    struct dse_inference answers;
    OK(b->executor->infer(b->model, other, &run, &answers, &why));
    assert_true(answers.count > b->training.n_test);
    assert_int_equal(answers.n_train, b->training.n_train);
    dse_inference_free(&answers);
    dse_dataset_free(other);
}

TEST(test_other_data)
{
    for_every_family(check_other_data);
}

/* ---- damaged files ---- */

static void expect_rejected(const struct bench *b, const struct damage_file *file, const char *name, const char *how)
{
    struct dse_error err = {0};
    struct dse_model *model = NULL;
    enum dse_status status = load(b->executor, file, &model, &err);
    if (status != DSE_BAD_INPUT)
        fail_msg("%s: a model file with %s %s is loaded (%d: %s)", b->executor->family, name, how, (int)status, err.message);
    assert_null(model);
}

static void check_arrays(struct bench *b)
{
    size_t count = damage_array_count(&b->file), tried = 0;
    for (size_t i = 0; i < count; i++) {
        char name[128];
        damage_array_name(&b->file, i, name, sizeof name);
        for (int how = 0; how < DAMAGE_COUNT; how++) {
            struct damage_file damaged;
            if (!damage_array(&b->file, i, (enum damage)how, &damaged))
                continue;
            expect_rejected(b, &damaged, name, damage_names[how]);
            free(damaged.bytes);
            tried++;
        }
    }
    assert_true(tried > 4 * count);
}

TEST(test_damaged_arrays)
{
    for_every_family(check_arrays);
}

static void check_cuts(struct bench *b)
{
    for (size_t i = 0; i <= CUTS; i++) {
        struct damage_file cut = {b->file.bytes, i == CUTS ? b->file.size - 1 : b->file.size * i / CUTS};
        expect_rejected(b, &cut, "its end", "cut off");
    }
}

TEST(test_cut_files)
{
    for_every_family(check_cuts);
}

/* A flipped bit is rejected, unless it is in metadata of the archive (a date, an attribute): then the loaded model is identical. */
static void check_flips(struct bench *b)
{
    size_t rejected = 0;
    char *bytes = malloc(b->file.size);
    assert_non_null(bytes);
    for (size_t i = 0; i < FLIPS; i++) {
        struct damage_file flipped = {bytes, b->file.size};
        struct dse_error err = {0};
        struct dse_model *model = NULL;
        memcpy(bytes, b->file.bytes, b->file.size);
        bytes[(i * 2654435761u + 12345u) % b->file.size] ^= (char)(1 << i % 8);
        enum dse_status status = load(b->executor, &flipped, &model, &err);
        if (status == DSE_OK) {
            struct damage_file again = save(model);
            same_bytes(b, &again, "after a flipped bit that was not noticed");
            free(again.bytes);
            dse_model_free(model);
        } else {
            assert_int_equal(status, DSE_BAD_INPUT);
            rejected++;
        }
    }
    assert_true(rejected > FLIPS / 2);
    free(bytes);
}

TEST(test_flipped_bits)
{
    for_every_family(check_flips);
}

/* Every family's file is rejected by every other. */
TEST(test_foreign_files)
{
    size_t count = 0;
    const struct dse_executor *const *executors = dse_executors(&count);
    for (size_t i = 0; i < count; i++) {
        struct bench b;
        open_bench(&b, executors[i]);
        for (size_t k = 0; k < count; k++) {
            struct dse_error err = {0};
            struct dse_model *model = NULL;
            if (k == i)
                continue;
            assert_int_equal(load(executors[k], &b.file, &model, &err), DSE_BAD_INPUT);
            assert_non_null(strstr(err.message, executors[i]->family));
        }
        close_bench(&b);
    }
}

/* ---- simulation and workload ---- */

static void check_simulation(struct bench *b)
{
    if (b->executor->simulate == NULL)
        return;
    struct dse_board *board = NULL;
    struct dse_setting knobs = {0};
    struct dse_simulation one, many;
    struct dse_inference answers;
    OK(dse_board_open(b->executor->board, &board, &why));
    struct dse_run run = {.seed = 9, .jobs = 1};
    OK(dse_simulate(b->model, b->data, &knobs, board, &run, &one, &why));
    run.jobs = 3;
    OK(dse_simulate(b->model, b->data, &knobs, board, &run, &many, &why));
    infer(b, b->model, 1, 0, &answers);
    assert_int_equal(one.items, answers.count);
    assert_int_equal(one.equal, one.items);
    assert_true(one.quality == answers.quality && one.clock_hz > 0.0);
    assert_true(many.items == one.items && many.equal == one.equal && many.quality == one.quality);
    assert_memory_equal(one.total, many.total, one.items * sizeof *one.total);
    for (size_t g = 0; g < one.items; g++) {
        uint64_t sum = 0;
        for (size_t s = 0; s < one.stage_count; s++)
            sum += one.stages[s].cycles[g];
        assert_true(sum == one.total[g] && sum > 0);
    }
    dse_setting_put(&knobs, "no.such", "1");
    struct dse_simulation none = {0};
    FAILS(DSE_BAD_USAGE, "no.such", dse_simulate(b->model, b->data, &knobs, board, &run, &none, &why));
    dse_inference_free(&answers);
    dse_simulation_free(&one);
    dse_simulation_free(&many);
    dse_setting_free(&knobs);
    dse_board_free(board);
}

TEST(test_simulation_is_infer)
{
    for_every_family(check_simulation);
}

static void same_series(const struct bench *b, const struct dse_workload *x, const struct dse_workload *y)
{
    assert_int_equal(x->series_count, y->series_count);
    for (size_t s = 0; s < x->series_count; s++) {
        const struct dse_series *p = &x->series[s], *q = &y->series[s];
        if (strcmp(p->name, q->name) != 0 || p->rows != q->rows || p->columns != q->columns ||
            memcmp(p->values, q->values, p->rows * p->columns * sizeof *p->values) != 0)
            fail_msg("%s: the series %s differs", b->executor->family, p->name);
    }
}

/* A profile's workload is the same for any number of threads. Replacing the series decided by a model with the model's own keeps all
 * shapes that the family's cost models need. */
static void check_profile(struct bench *b)
{
    struct dse_workload one = {0}, many = {0}, own = {0};
    struct dse_run run = {.seed = 5, .jobs = 1};
    OK(b->executor->profile(b->data, &b->setting, &run, &one, &why));
    run.jobs = 3;
    OK(b->executor->profile(b->data, &b->setting, &run, &many, &why));
    assert_true(one.series_count > 0);
    same_series(b, &one, &many);
    OK(dse_executor_work(b->executor, b->model, &one, &own, &why));
    assert_int_equal(own.series_count, one.series_count);
    dse_workload_clear(&own);
    dse_workload_clear(&one);
    dse_workload_clear(&many);
}

TEST(test_profiles)
{
    for_every_family(check_profile);
}

TESTS(NULL, NULL)
