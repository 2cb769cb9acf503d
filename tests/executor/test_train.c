/* Training and inference as a whole: determinism, saving and loading, rejections. */
#include "sets.h"
#include "tests/test.h"

static const struct dse_executor *nysx(void)
{
    const struct dse_executor *executor = dse_executor_find("nysx");
    assert_non_null(executor);
    return executor;
}

static struct dse_model *train(const struct dse_dataset *data, const struct dse_setting *setting, size_t jobs,
                               struct dse_training *result)
{
    struct dse_model *model = NULL;
    struct dse_run run = {.seed = 3, .jobs = jobs};
    OK(dse_train(nysx(), data, setting, &run, &model, result, &why));
    return model;
}

static char *saved(const struct dse_model *model, const char *name, size_t *size)
{
    char *path = test_path(name), *bytes = NULL;
    OK(dse_model_save(model, path, &why));
    OK(dse_file_read(path, (size_t)1 << 30, &bytes, size, &why));
    remove(path);
    free(path);
    return bytes;
}

/* The bytes of a model do not depend on the number of threads, but on the seed. */
TEST(test_same_for_any_jobs)
{
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(60, 5, 0, 1);
    DSE_CLEANUP(dse_setting_free) struct dse_setting setting = test_setting(nysx(), data, "dim", "1000", "retrain", "3", NULL);
    struct dse_training one, many;
    size_t size_one, size_many;
    DSE_CLEANUP(test_free_model) struct dse_model *a = train(data, &setting, 1, &one), *b = train(data, &setting, 3, &many);
    DSE_CLEANUP(dse_free_at) char *bytes_one = saved(a, "one.npz", &size_one), *bytes_many = saved(b, "many.npz", &size_many);
    assert_int_equal(size_one, size_many);
    assert_memory_equal(bytes_one, bytes_many, size_one);
    assert_true(one.quality == many.quality);
}

/* Saves, loads, infers: the accuracy that training stated, and the same bytes when saved again. */
static void check_round_trip(struct dse_dataset *data, const struct dse_setting *setting)
{
    struct dse_training result;
    DSE_CLEANUP(test_free_model) struct dse_model *model = train(data, setting, 2, &result), *loaded = NULL;
    DSE_CLEANUP(dse_free_at) char *path = test_path("model.npz");
    size_t before, after;
    DSE_CLEANUP(dse_free_at) char *bytes = saved(model, "first.npz", &before);
    OK(dse_model_save(model, path, &why));
    OK(dse_model_load(nysx(), path, &loaded, &why));
    DSE_CLEANUP(dse_free_at) char *again = saved(loaded, "again.npz", &after);
    assert_int_equal(before, after);
    assert_memory_equal(bytes, again, before);
    struct dse_run run = {.seed = 9, .jobs = 2};
    struct dse_inference inference;
    OK(nysx()->infer(loaded, data, &run, &inference, &why));
    assert_true(inference.quality == result.quality);
    assert_int_equal(inference.count, result.n_test);
    dse_inference_free(&inference);
    remove(path);
}

TEST(test_round_trips)
{
    static const char *const features[] = {"labels", "attributes", "both"}, *const codes[] = {"scalar", "tuple"};
    static const char *const bits[] = {"1", "2", "4", "8", "32"};
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(50, 4, 2, 2);
    for (size_t i = 0; i < 30; i++) {
        struct dse_setting setting = test_setting(nysx(), data, "dim", "500", "landmarks", "20", "features",
                                                  features[i % 3], "codes", codes[i % 2], "sce.prototype_bits",
                                                  bits[i % 5], "width", "1", "hops", "3", "sampling",
                                                  i % 4 == 0 ? "dpp" : "uniform", NULL);
        check_round_trip(data, &setting);
        dse_setting_free(&setting);
    }
}

TEST(test_round_trips_of_forms)
{
    static const char *const precisions[] = {"fp32", "fp16", "bf16", "int16", "int8", "int4", "binary"};
    static const char *const generators[] = {"uniform8", "bits8", "sign"}, *const phi[] = {"fp32", "8", "16", "32"};
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(50, 4, 0, 2);
    for (size_t i = 0; i < 14; i++) {
        struct dse_setting setting = test_setting(nysx(), data, "dim", "500", "landmarks", "20", "nee.precision",
                                                  precisions[i / 2], "nee.center", i % 2 ? "yes" : "no", "nee.form",
                                                  i % 4 < 2 ? "streamed" : "resident", NULL);
        check_round_trip(data, &setting);
        dse_setting_free(&setting);
    }
    for (size_t i = 0; i < 12; i++) {
        struct dse_setting setting = test_setting(nysx(), data, "dim", "500", "landmarks", "20", "nee.form",
                                                  "factored", "nee.generator", generators[i % 3], "nee.phi_bits",
                                                  phi[i / 3], "nee.center", i % 2 ? "yes" : "no", NULL);
        check_round_trip(data, &setting);
        dse_setting_free(&setting);
    }
}

/* Weisfeiler-Lehman codes, the direct form of every kind of code, and prototypes with offsets. */
TEST(test_round_trips_of_codes)
{
    static const char *const features[] = {"labels", "attributes", "both"}, *const codes[] = {"wl", "scalar", "tuple"};
    static const char *const bits[] = {"1", "2", "4", "8", "32"}, *const forms[] = {"direct", "factored"};
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(50, 4, 2, 2);
    for (size_t i = 0; i < 30; i++) {
        bool ridge = i % 4 < 2;
        struct dse_setting setting = test_setting(nysx(), data, "dim", i % 2 ? "500" : "1024", "landmarks", "20", "features",
                                                  features[i % 3], "codes", codes[i / 10], "sce.prototype_bits", bits[i % 5],
                                                  "width", "1", "hops", "3", "nee.form", forms[i % 7 == 3], "nee.generator", "sign", "nee.center",
                                                  i % 4 ? "yes" : "no", "prototypes", ridge ? "ridge" : "adaptive", "retrain",
                                                  ridge ? "0" : "3", "balance", i % 2 ? "no" : "yes", NULL);
        check_round_trip(data, &setting);
        dse_setting_free(&setting);
    }
}

/* A set with clear structure is learned well above chance. */
TEST(test_learns)
{
    struct dse_dataset *data = test_set(200, 6, 0, 5);
    struct dse_setting setting = test_setting(nysx(), data, "dim", "2000", "landmarks", "80", "retrain", "10",
                                              "sce.prototype_bits", "8", "hops", "2", "width", "0.1", NULL);
    struct dse_training result;
    DSE_CLEANUP(test_free_model) struct dse_model *model = train(data, &setting, 2, &result);
    assert_true(result.quality > 0.8);
    dse_setting_free(&setting);
    dse_dataset_free(data);
}

static void rejected(const struct dse_dataset *data, const char *name, const char *value, const char *message)
{
    struct dse_error err = {0};
    struct dse_model *model = NULL;
    struct dse_training result;
    struct dse_run run = {.seed = 1, .jobs = 1};
    DSE_CLEANUP(dse_setting_free) struct dse_setting setting = test_setting(nysx(), data, "dim", "500", name, value, NULL);
    assert_int_equal(dse_train(nysx(), data, &setting, &run, &model, &result, &err), DSE_BAD_USAGE);
    assert_null(model);
    if (strstr(err.message, message) == NULL)
        fail_msg("\"%s\" says nothing of \"%s\"", err.message, message);
}

TEST(test_rejections)
{
    struct dse_dataset *data = test_set(40, 3, 0, 1);
    rejected(data, "landmarks", "33", "landmarks=33: ");
    struct dse_setting small_pool = test_setting(nysx(), data, "sampling", "dpp", "pool", "5", NULL);
    struct dse_model *model = NULL;
    struct dse_training result;
    struct dse_run run = {.seed = 1, .jobs = 1};
    FAILS(DSE_BAD_USAGE, "pool=5: must not be smaller than landmarks=", dse_train(nysx(), data, &small_pool, &run, &model, &result, &why));
    dse_setting_free(&small_pool);
    rejected(data, "features", "attributes", "has no node attributes");
    rejected(data, "hops", "0", "hops=0: must be a whole number from 1 to 64");
    rejected(data, "hops", "1.5", "hops=1.5: must be a whole number from 1 to 64");
    rejected(data, "width", "nan", "width=nan: must be a number from 0.000001 to 1000000");
    rejected(data, "lsh", "cauchi", "must be cauchy or gauss");
    rejected(data, "nee.precision", "int3", "must be fp32, fp16, bf16, int16, int8, int4 or binary");
    rejected(data, "colour", "red", "colour: not a parameter of nysx");
    dse_dataset_free(data);
}

/* Another set is inferred completely; labels not seen in training have no feature. */
TEST(test_other_data)
{
    struct dse_error err = {0};
    DSE_CLEANUP(test_free_set) struct dse_dataset *data = test_set(40, 3, 0, 1), *other = test_set(30, 9, 0, 2), *bare = test_set(30, 0, 2, 3);
    DSE_CLEANUP(dse_setting_free) struct dse_setting setting = test_setting(nysx(), data, "dim", "500", NULL);
    struct dse_training result;
    DSE_CLEANUP(test_free_model) struct dse_model *model = train(data, &setting, 1, &result);
    struct dse_run run = {.seed = 1, .jobs = 1};
    struct dse_inference inference;
    assert_int_equal(nysx()->infer(model, other, &run, &inference, &err), DSE_OK);
    assert_int_equal(inference.count, 30);
    dse_inference_free(&inference);
    assert_int_equal(nysx()->infer(model, bare, &run, &inference, &err), DSE_BAD_USAGE);
    dse_inference_free(&inference);
}

TESTS(NULL, NULL)
