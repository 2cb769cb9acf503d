/* HyDRAF as a whole: learning, which depends only on setting and seed, the model file, rejections. */
#include "tables.h"

#include <zip.h>

#include "models/hydraf/executor/model.h"
#include "datasets/npz.h"
#include "tests/test.h"

static struct dse_inference infer(const struct dse_model *model, const struct dse_dataset *data, size_t jobs)
{
    struct dse_error err = {0};
    struct dse_inference result;
    struct dse_run run = {.seed = 1, .jobs = jobs};
    if (hydraf()->infer(model, data, &run, &result, &err) != DSE_OK)
        fail_msg("%s", err.message);
    return result;
}

static double figure(const struct dse_figure *figures, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(figures[i].name, name) == 0)
            return figures[i].value;
    fail_msg("no figure %s", name);
    return 0.0;
}

static char *saved(const struct dse_model *model, size_t *size)
{
    struct dse_error err = {0};
    char *path = test_path("hydraf.npz"), *bytes = NULL;
    if (dse_model_save(model, path, &err) != DSE_OK)
        fail_msg("%s", err.message);
    assert_int_equal(dse_file_read(path, (size_t)1 << 30, &bytes, size, &err), DSE_OK);
    remove(path);
    free(path);
    return bytes;
}

static const char *const precisions[] = {"fp32", "int16", "int8"};

/* One cluster learns the linear part; several learn the non-linear part |c|. */
TEST(test_learns)
{
    struct dse_dataset *data = test_table(600, 3);
    for (size_t p = 0; p < 3; p++) {
        struct dse_training one, many;
        dse_model_free(test_train(data, test_setting(hydraf(), data, "precision", precisions[p], "dim", "512",
                                                           "clusters", "1", NULL), 1, 1, &one));
        dse_model_free(test_train(data, test_setting(hydraf(), data, "precision", precisions[p], "dim", "512",
                                                           "clusters", "4", NULL), 1, 1, &many));
        double linear = figure(one.figures, one.figure_count, "r2"), more = figure(many.figures, many.figure_count, "r2");
        if (!(linear > 0.85 && linear < 0.95 && more > linear + 0.03 && more > 0.95))
            fail_msg("%s: r2 %g with one cluster, %g with four", precisions[p], linear, more);
        assert_true(many.quality > one.quality);
        assert_int_equal(many.n_train, 480);
        assert_int_equal(many.n_test, 120);
    }
    dse_dataset_free(data);
}

/* By the equations of section III every regression hypervector learns the same, so their number does not affect predictions. */
TEST(test_literal_reading)
{
    struct dse_error err = {0};
    struct dse_dataset *data = test_table(200, 3);
    struct dse_setting literal;
    assert_int_equal(dse_executor_preset(hydraf(), "literal", data, 0, &literal, &err), DSE_OK);
    dse_setting_put(&literal, "precision", "fp32");
    dse_setting_put(&literal, "dim", "256");
    double quality[2];
    for (size_t i = 0; i < 2; i++) {
        struct dse_setting setting;
        struct dse_training result;
        dse_setting_copy(&literal, &setting);
        dse_setting_put(&setting, "clusters", i == 0 ? "1" : "8");
        dse_model_free(test_train(data, setting, 1, 1, &result));
        quality[i] = result.quality;
    }
    assert_true(fabs(quality[0] - quality[1]) < 1e-4);
    dse_setting_free(&literal);
    dse_dataset_free(data);
}

/* Models do not depend on the number of threads, nor on whether rows are encoded once or in every epoch. */
TEST(test_determined)
{
    struct dse_error err = {0};
    struct dse_dataset *data = test_table(150, 8);
    for (size_t p = 0; p < 3; p++) {
        struct dse_training result;
        struct dse_setting setting = test_setting(hydraf(), data, "precision", precisions[p], "dim", "100", "epochs", "6", NULL);
        struct dse_setting again;
        dse_setting_copy(&setting, &again);
        struct dse_model *one = test_train(data, setting, 4, 1, &result), *two = test_train(data, again, 4, 3, &result);
        size_t one_size, two_size, anew_size;
        char *one_bytes = saved(one, &one_size), *two_bytes = saved(two, &two_size);
        assert_int_equal(one_size, two_size);
        assert_memory_equal(one_bytes, two_bytes, one_size);
        struct hydraf_model *model = (struct hydraf_model *)(void *)two;
        size_t inputs = model->regressor.encoder.inputs;
        hydraf_regressor_free(&model->regressor); /* learn again, encoding in every epoch */
        model->regressor.encoder.inputs = inputs;
        assert_int_equal(hydraf_fit(model, dse_dataset_table(data), false, NULL, &err), DSE_OK);
        char *anew = saved(two, &anew_size);
        assert_int_equal(one_size, anew_size);
        assert_memory_equal(one_bytes, anew, one_size);
        struct dse_inference a = infer(one, data, 1), b = infer(one, data, 3);
        assert_memory_equal(a.estimate, b.estimate, a.count * sizeof *a.estimate);
        dse_inference_free(&a);
        dse_inference_free(&b);
        free(one_bytes);
        free(two_bytes);
        free(anew);
        dse_model_free(one);
        dse_model_free(two);
    }
    dse_dataset_free(data);
}

TEST(test_file_there_and_back)
{
    struct dse_dataset *data = test_table(120, 2);
    for (size_t p = 0; p < 3; p++) {
        struct dse_error err = {0};
        struct dse_training result;
        struct dse_setting words;
        struct dse_model *model = test_train(data, test_setting(hydraf(), data, "precision", precisions[p], "dim", "130",
                                                                "bias", p == 1 ? "no" : "yes", NULL), 5, 1, &result);
        struct dse_model *read = NULL;
        size_t size, again_size;
        char *bytes = saved(model, &size);
        if (dse_model_load_memory(&hydraf_executor, bytes, size, "m.npz", &read, &err) != DSE_OK)
            fail_msg("%s", err.message);
        char *again = saved(read, &again_size);
        assert_int_equal(size, again_size);
        assert_memory_equal(bytes, again, size);
        struct dse_inference a = infer(model, data, 1), b = infer(read, data, 1);
        assert_int_equal(a.count, 24);
        assert_memory_equal(a.estimate, b.estimate, a.count * sizeof *a.estimate);
        assert_true(a.quality == result.quality);
        dse_setting_copy(&read->words, &words);
        assert_string_equal(dse_setting_get(&words, "precision"), precisions[p]);
        dse_setting_free(&words);
        dse_inference_free(&a);
        dse_inference_free(&b);
        dse_model_free(model);
        dse_model_free(read);
        free(bytes);
        free(again);
    }
    dse_dataset_free(data);
}

static void load_rejected(const void *bytes, size_t size, const char *message)
{
    struct dse_error err = {0};
    struct dse_model *model = NULL;
    if (dse_model_load_memory(&hydraf_executor, bytes, size, "m.npz", &model, &err) != DSE_BAD_INPUT)
        fail_msg("not rejected for \"%s\": %s", message, err.message);
    assert_null(model);
    if (strncmp(err.message, "m.npz: ", 7) != 0 || strstr(err.message, message) == NULL)
        fail_msg("\"%s\" says nothing of \"%s\"", err.message, message);
}

/* Writes a model's file with one wrong array; all other members unchanged. */
static void reject_changed(const char *member, const char *type, size_t item, size_t rank, const size_t *shape,
                           const void *elements, const char *message)
{
    static const size_t inputs = 3, base[2] = {4, 64}, block[2] = {2, 64}, split[2] = {3, 2};
    static const int64_t rows[] = {0, 2, 4, 1, 3};
    static const uint8_t bits[256];
    static const double mean[3], one = 1.0, half = 0.5;
    static const int8_t elements8[128];
    static const double scale[] = {1, 1, 0};
    static const char meta[] =
        "{\"schema\":\"nysx-dse.model/1\",\"family\":\"hydraf\",\"dataset\":\"d\",\"dataset_hash\":\"1\",\"seed\":1,"
        "\"columns\":[\"a\",\"b\",\"c\"],\"target\":\"y\",\"target_column\":3,\"epochs\":1,\"shift\":8,\"setting\":{"
        "\"batch\":\"8\",\"bias\":\"yes\",\"cluster.loss\":\"relative\",\"cluster.rate\":\"1\",\"cluster.weight\":\"one\","
        "\"clusters\":\"2\",\"dim\":\"64\",\"epochs\":\"9\",\"precision\":\"int8\",\"rate\":\"1\",\"rounding\":\"nearest\","
        "\"sharing\":\"equal\",\"sharpness\":\"1\"}}";
    const struct {
        const char *name, *type;
        size_t item, rank;
        const size_t *shape;
        const void *elements;
    } members[] = {
        {"base", "|u1", 1, 2, base, bits},          {"feature_mean", "<f8", 8, 1, &inputs, mean},
        {"feature_scale", "<f8", 8, 1, &inputs, scale}, {"clusters", "|i1", 1, 2, block, elements8},
        {"cluster_step", "<f8", 8, 0, NULL, &half}, {"models", "|i1", 1, 2, block, elements8},
        {"model_step", "<f8", 8, 0, NULL, &half},   {"beta", "<f8", 8, 0, NULL, &one},
        {"energy", "<f8", 8, 0, NULL, &one},        {"target_mean", "<f8", 8, 0, NULL, &one},
        {"target_scale", "<f8", 8, 0, NULL, &one},  {"target_range", "<f8", 8, 0, NULL, &one},
        {"train_index", "<i8", 8, 1, &split[0], rows}, {"test_index", "<i8", 8, 1, &split[1], rows + 3},
    };
    struct dse_error err = {0};
    struct dse_npz_writer *file;
    char *path = test_path("changed.npz"), *bytes = NULL;
    size_t size;
    file = dse_npz_begin();
    if (member == NULL || strcmp(member, "meta") != 0)
        dse_npz_add_text(file, "meta", meta);
    else if (elements != NULL)
        dse_npz_add_text(file, "meta", elements);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (member == NULL || strcmp(members[i].name, member) != 0)
            dse_npz_add_copy(file, members[i].name, members[i].type, members[i].item, members[i].rank, members[i].shape,
                             members[i].elements);
        else if (elements != NULL)
            dse_npz_add_copy(file, member, type, item, rank, shape, elements);
    assert_int_equal(dse_npz_finish(file, path, &err), DSE_OK);
    assert_int_equal(dse_file_read(path, (size_t)1 << 24, &bytes, &size, &err), DSE_OK);
    remove(path);
    free(path);
    if (member == NULL) { /* the unchanged file is a valid model */
        struct dse_model *model = NULL;
        if (dse_model_load_memory(&hydraf_executor, bytes, size, "m.npz", &model, &err) != DSE_OK)
            fail_msg("%s", err.message);
        dse_model_free(model);
    } else {
        load_rejected(bytes, size, message);
    }
    free(bytes);
}

TEST(test_corrupted_files)
{
    static const size_t base[2] = {4, 64}, block[2] = {2, 64}, short_block[2] = {2, 63}, three = 3, two = 2;
    static const double negative = -1.0, zero, third = 0.3, minus[] = {1, -1, 1}, nan_number = NAN, three_numbers[3];
    static const int64_t falling[] = {2, 1, 3};
    uint8_t bits[512] = {2};
    int8_t lowest[128] = {-128};
    reject_changed(NULL, NULL, 0, 0, NULL, NULL, NULL);
    static const char *const names[] = {"meta", "base", "feature_mean", "feature_scale", "clusters", "cluster_step", "models",
                                        "model_step", "beta", "energy", "target_mean", "target_scale", "target_range",
                                        "train_index", "test_index"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        reject_changed(names[i], NULL, 0, 0, NULL, NULL, names[i]); /* each one omitted in turn */
    reject_changed("base", "|u1", 1, 2, base, bits, "not 0 or 1");
    reject_changed("base", "|u1", 1, 2, block, bits, "base");
    reject_changed("base", "|i1", 1, 2, base, bits, "base");
    reject_changed("clusters", "|i1", 1, 2, block, lowest, "range");
    reject_changed("models", "|i1", 1, 2, short_block, lowest, "models");
    reject_changed("models", "<i2", 2, 2, block, bits, "models");
    reject_changed("cluster_step", "<f8", 8, 0, NULL, &third, "power of two");
    reject_changed("model_step", "<f8", 8, 0, NULL, &negative, "more than 0");
    reject_changed("energy", "<f8", 8, 0, NULL, &zero, "more than 0");
    reject_changed("beta", "<f8", 8, 0, NULL, &negative, "0 or more");
    reject_changed("beta", "<f8", 8, 0, NULL, &(double){1e300}, "answers overflow");
    reject_changed("target_scale", "<f8", 8, 0, NULL, &(double){1e300}, "answers overflow");
    reject_changed("target_mean", "<f8", 8, 0, NULL, &nan_number, "target_mean");
    reject_changed("target_scale", "<f8", 8, 0, NULL, &zero, "more than 0");
    reject_changed("feature_scale", "<f8", 8, 1, &three, minus, "0 or more");
    reject_changed("feature_mean", "<f8", 8, 1, &two, three_numbers, "feature_mean");
    reject_changed("train_index", "<i8", 8, 1, &three, falling, "ascend");
    reject_changed("meta", NULL, 0, 0, NULL, "{\"schema\":\"nysx-dse.model/1\",\"family\":\"nysx\"}", "family nysx, not of hydraf");
    reject_changed("meta", NULL, 0, 0, NULL, "{\"schema\":\"other/1\",\"family\":\"hydraf\"}", "must be nysx-dse.model/1");
    reject_changed("meta", NULL, 0, 0, NULL, "[]", "not a model file");
    reject_changed("meta", NULL, 0, 0, NULL, "no json", "not a JSON");
    reject_changed("meta", NULL, 0, 0, NULL,
                   "{\"schema\":\"nysx-dse.model/1\",\"family\":\"hydraf\",\"dataset\":\"d\",\"dataset_hash\":\"1\",\"setting\":{}}",
                   "no value");
}

TEST(test_truncated_files)
{
    struct dse_dataset *data = test_table(40, 2);
    struct dse_training result;
    struct dse_model *model = test_train(data, test_setting(hydraf(), data, "dim", "64", "epochs", "2", NULL), 1, 1, &result);
    size_t size;
    char *bytes = saved(model, &size);
    for (size_t cut = 0; cut < size; cut += 211)
        load_rejected(bytes, cut, "not an .npz file, or is truncated");
    load_rejected(bytes, size - 1, "not an .npz file, or is truncated");
    free(bytes);
    dse_model_free(model);
    dse_dataset_free(data);
}

/* Another table is read by the model's column names, in any order; a table without them is rejected. */
TEST(test_other_tables)
{
    static const struct {
        const char *text;
        bool good;
    } others[] = {{"a,b,c,y\n1,2,3,4\n", true},        {"y;extra;c;b;a\n4;9;3;2;1\n", true}, {"1 2 3 4\n", true},
                  {"1 2 3\n", false},                  {"a,b,y\n1,2,4\n", false},           {"a,b,c,z\n1,2,3,4\n", false}};
    struct dse_error err = {0};
    struct dse_dataset *data = test_table(120, 2);
    struct dse_training result;
    struct dse_model *model = test_train(data, test_setting(hydraf(), data, "dim", "128", "epochs", "5", NULL), 1, 1, &result);
    double first = 0.0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct dse_text text = {.name = (char *)(uintptr_t)"o.csv", .data = (char *)(uintptr_t)others[i].text,
                                .size = strlen(others[i].text)};
        struct dse_dataset other = {.kind = &dse_kind_table, .name = (char *)(uintptr_t)"o"};
        struct dse_inference inference;
        struct dse_run run = {.seed = 1, .jobs = 1};
        struct dse_data_table *table = NULL;
        assert_int_equal(dse_data_table_read("o", &text, NULL, &table, &err), DSE_OK);
        other.content = table;
        other.hash = table->hash;
        enum dse_status status = hydraf()->infer(model, &other, &run, &inference, &err);
        assert_int_equal(status, others[i].good ? DSE_OK : DSE_BAD_USAGE);
        if (status == DSE_OK) {
            first = i == 0 ? inference.estimate[0] : first;
            assert_int_equal(inference.count, 1);
            assert_true(inference.estimate[0] == first && inference.target[0] == 4.0);
        }
        dse_inference_free(&inference);
        dse_data_table_free(table);
    }
    dse_model_free(model);
    dse_dataset_free(data);
}

TEST(test_awkward_data)
{
    static const struct {
        const char *text, *rejection; /* NULL: trains, and every figure is finite */
    } sets[] = {
        {"1,2\n", "cannot be split"},
        {"a,a,y\n1,2,3\n4,5,6\n", "two columns"},
        {"7,1\n7,1\n7,1\n7,1\n7,1\n", NULL},                         /* nothing varies */
        {"3.4e38,1\n-3.4e38,2\n3.4e38,3\n-3.4e38,4\n0,5\n1,6\n", NULL}, /* beyond the range of tables */
        {"1,3e38\n2,-3e38\n3,3e38\n4,0\n5,3e38\n", NULL},
        {"1,2\n1e-310,3\n2e-310,4\n1,5\n1,6\n1,7\n", NULL},
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct dse_error err = {0};
        struct dse_text text = {.name = (char *)(uintptr_t)"t.csv", .data = (char *)(uintptr_t)sets[i].text,
                                .size = strlen(sets[i].text)};
        struct dse_dataset data = {.kind = &dse_kind_table, .name = (char *)(uintptr_t)"t"};
        struct dse_data_table *table = NULL;
        assert_int_equal(dse_data_table_read("t", &text, NULL, &table, &err), DSE_OK);
        data.content = table;
        data.hash = table->hash;
        for (size_t p = 0; p < 3; p++) {
            struct dse_training result;
            struct dse_model *model = NULL;
            struct dse_run run = {.seed = 1, .jobs = 1};
            struct dse_setting setting = test_setting(hydraf(), &data, "precision", precisions[p], "dim", "64", NULL);
            enum dse_status status = dse_train(hydraf(), &data, &setting, &run, &model, &result, &err);
            if (sets[i].rejection != NULL) {
                assert_int_equal(status, DSE_BAD_INPUT);
                assert_non_null(strstr(err.message, sets[i].rejection));
            } else if (status == DSE_OK) {
                assert_true(isfinite(result.quality) && isfinite(result.figures[0].value));
                for (size_t j = 0; j < 128; j++) {
                    double element = hydraf_block_get(&hydraf_model_of(model)->regressor.models, 0, j % 64);
                    assert_true(isfinite(element));
                }
            } else {
                fail_msg("\"%s\": %s", sets[i].text, err.message);
            }
            dse_model_free(model);
            dse_setting_free(&setting);
        }
        dse_data_table_free(table);
    }
}

TEST(test_graphs_rejected)
{
    struct dse_error err = {0};
    struct dse_setting setting;
    struct dse_dataset *graphs = test_set(10, 2, 0, 1), *table = test_table(20, 1);
    FAILS(DSE_BAD_USAGE, "table", dse_executor_preset(hydraf(), "paper", graphs, 0, &setting, &why));
    FAILS(DSE_BAD_USAGE, "graphs", dse_executor_preset(dse_executor_find("nysx"), "paper", table, 0, &setting, &why));
    assert_int_equal(dse_executor_preset(hydraf(), "best", table, 0, &setting, &err), DSE_BAD_USAGE);
    dse_dataset_free(graphs);
    dse_dataset_free(table);
}

/* The paper's sets: better than least-squares linear regression on the same split (figures by NumPy). */
TEST(test_real_sets)
{
    static const struct {
        const char *path;
        double quality;
    } sets[] = {{"airfoil", 0.89}, {"wine/winequality-red.csv", 0.865}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct dse_dataset *data = test_real_set(sets[i].path);
        struct dse_training result;
        dse_model_free(test_train(data, test_setting(hydraf(), data, "dim", "1024", "epochs", "40", NULL), 1, 2, &result));
        if (!(result.quality > sets[i].quality))
            fail_msg("%s: quality %g", sets[i].path, result.quality);
        dse_dataset_free(data);
    }
}

TESTS(NULL, NULL)
